//! Section L: the encounter roll; the life of a fight (section 10.9).

use super::common::{empty, field, ground, hold, person};
use overworld_runtime::field::actor::flag;
use overworld_runtime::field::compat::Compat;
use overworld_runtime::field::encounter::{COUNTER, Encounter, Modifiers, Random, Rate};
use overworld_runtime::field::ground::NO_HEIGHTS;

struct Row {
    rate: Rate,
    modifiers: Modifiers,
    counter: i32,
    last: Option<u16>,
    draws: [u32; 3],
    fight: Option<u16>,
    left: i32,
}

#[test]
fn l1_to_l6_and_l8_rolls() {
    let setting = |setting| Modifiers {
        setting,
        ..Modifiers::default()
    };
    let (high, low) = (
        Modifiers {
            high: true,
            ..setting(1)
        },
        Modifiers {
            low: true,
            ..setting(3)
        },
    );
    let row = |rate, modifiers, counter, last, draws, fight, left| Row {
        rate: Rate {
            rate,
            first: 3,
            count: 4,
        },
        modifiers,
        counter,
        last,
        draws,
        fight,
        left,
    };
    let vectors = [
        (1, row(24, setting(1), 974, None, [0; 3], None, 950)),
        (2, row(24, high, 90, None, [6, 100, 200], Some(5), 874)),
        (
            3,
            row(24, setting(1), 24, Some(5), [2, 486, 0], Some(6), 1460),
        ),
        (
            4,
            row(24, setting(1), 24, Some(6), [3, 0, 486], Some(3), 488),
        ),
        (5, row(24, low, 10, None, [0; 3], None, 7)),
        (6, row(0, setting(1), 1, None, [0; 3], None, 1)),
        (8, row(24, setting(0), 24, None, [0; 3], None, 24)),
    ];
    for (number, it) in vectors {
        let mut state = Encounter::NEW;
        (state.counter, state.last) = (it.counter, it.last);
        let mut draws = it.draws.into_iter();
        let fight = state.roll(it.rate, &it.modifiers, || draws.next().unwrap());
        assert_eq!((fight, state.counter), (it.fight, it.left), "L{number}");
        let used = if fight.is_some() { 3 } else { 0 };
        assert_eq!(3 - draws.count(), used, "L{number}");
        if fight.is_some() {
            assert_eq!(state.last, fight);
        }
    }
    // The story flags double and halve, in this order, after the passives.
    let mut state = Encounter::NEW;
    let all = Modifiers {
        setting: 2,
        high: true,
        low: true,
        twice: true,
        half: true,
    };
    let rate = Rate {
        rate: 5,
        first: 0,
        count: 1,
    };
    assert_eq!(state.roll(rate, &all, || 0), None);
    assert_eq!(state.counter, 974 - 40);
    // A region without formations never fights, one with the rate 0 does once the counter is used up.
    state.counter = -5;
    assert_eq!(state.roll(Rate { count: 0, ..rate }, &all, || 0), None);
    assert_eq!(state.roll(Rate { rate: 0, ..rate }, &all, || 9), Some(0));
    let most = Rate {
        rate: 255,
        first: 255,
        count: 255,
    };
    state.counter = i32::MIN;
    assert_eq!(state.roll(most, &all, || u32::MAX), Some(255));
}

#[test]
fn a_roll_comes_with_every_tile() {
    let mut state = Encounter::NEW;
    assert!(!state.stepped(2624, 2624), "where it starts");
    assert!(!state.stepped(2687, 2624));
    assert!(state.stepped(2688, 2624));
    assert!(!state.stepped(2688, 2687));
    assert!(state.stepped(2688, 2688));
    // Off the grid there are no steps, nor back onto it.
    assert!(!state.stepped(-1, 0));
    assert!(!state.stepped(2688, 2688));
}

#[test]
fn numbers_come_from_a_seed() {
    let mut random = Random(1);
    let first = [0; 4].map(|_| random.draw());
    assert_eq!(first, [16838, 5758, 10113, 17515]);
    assert_eq!(Random(1).draw(), 16838);
}

const RATE: Rate = Rate {
    rate: 24,
    first: 3,
    count: 4,
};
const AS_IT_IS: Modifiers = Modifiers {
    setting: 1,
    high: false,
    low: false,
    twice: false,
    half: false,
};

/// Row 34: one number picks the formation, or two do; two more start the counter anew either way.
#[test]
fn how_many_numbers_a_fight_takes_is_a_reading() {
    for (compat, draws, formation, left) in [
        (Compat::SHEET, 3, 4, COUNTER + 2 - 3),
        (Compat::OTHER, 4, 6, COUNTER + 3 - 4),
    ] {
        let mut state = Encounter::NEW;
        state.counter = 1;
        let mut drawn = 0;
        let fight = state.roll_by(RATE, &AS_IT_IS, &compat, || {
            drawn += 1;
            drawn
        });
        assert_eq!(
            (fight, drawn, state.counter),
            (Some(formation), draws, left)
        );
    }
}

/// A fight locks the player until the host says that it is over; meanwhile nothing is rolled.
#[test]
fn a_fight_holds_the_player_until_it_is_over() {
    let data = empty();
    let ground = ground(&data, &NO_HEIGHTS);
    let mut field = field(2624, 2624);
    let mut state = Encounter::NEW;
    state.counter = 24 * 3;
    let (mut fights, mut asked) = (Vec::new(), Vec::new());
    for _ in 0..60 {
        field.frame(&ground, &hold(0x2000));
        let rate = |tile: overworld_runtime::field::map::Tile| {
            asked.push(tile.col());
            Some(RATE)
        };
        if let Some(fight) = field.encounter(&mut state, rate, &AS_IT_IS, || 5) {
            fights.push((fight, field.player.x >> 7));
        }
    }
    // Three steps: to tiles 21, 22 and 23, where it begins.
    assert_eq!((fights, asked), (vec![(4, 23)], vec![21, 22, 23]));
    assert_eq!((field.fight(), field.player.flags), (Some(4), flag::LOCKED));
    let x = field.player.x;
    // Somebody who is talked to meanwhile does not free the player.
    let id = field.actors.spawn(person(9000, 9000)).unwrap();
    field.actors.get_mut(id).unwrap().flags |= flag::ENGAGED;
    field.dismiss(id);
    field.player.x += 128;
    assert_eq!(
        field.encounter(&mut state, |_| panic!("no roll"), &AS_IT_IS, || 0),
        None
    );
    field.player.x = x;
    assert!(field.player.has(flag::LOCKED));
    assert_eq!((field.end_fight(), field.end_fight()), (Some(4), None));
    assert_eq!(field.player.flags, 0);
    field.frame(&ground, &hold(0x2000));
    assert_eq!(field.player.x, x + 16);
}

/// A script's formation comes with the next step, whatever the region and the setting.
#[test]
fn a_scripted_formation_overrides_the_roll() {
    let mut field = field(2624, 2624);
    let mut state = Encounter::NEW;
    let never = Modifiers::default();
    assert_eq!(field.encounter(&mut state, |_| None, &never, || 0), None);
    state.scripted = Some(17);
    let counter = state.counter;
    assert_eq!(
        field.encounter(&mut state, |_| None, &never, || 0),
        None,
        "no step"
    );
    field.player.x += 128;
    let fight = field.encounter(&mut state, |_| None, &never, || panic!("no draw"));
    assert_eq!(
        (fight, field.fight(), state.counter),
        (Some(17), Some(17), counter)
    );
    // At once, too, over one that is due.
    field.begin_fight(18);
    assert_eq!(field.end_fight(), Some(18));
    assert_eq!(state.scripted, None);
}
