//! From the MAN sheet's example to a field.

use super::common::{field, ground, walled};
use overworld_runtime::field::actor::{ACTORS, Actor, Draw, Pool, flag};
use overworld_runtime::field::encounter::{Encounter, Modifiers, Rate};
use overworld_runtime::field::map::Tile;
use overworld_runtime::field::spawn::{Bind, Swept};
use overworld_runtime::scene::cast::{bind, facing, place, rate, region};
use overworld_runtime::scene::man::{ActorSource, Encounters, Man, Source, emit};

/// The sheet's example, section 5.
const EXAMPLE: [u8; 167] = include!("../../../tests/battery/tables/man.rs");

#[test]
fn people_stand_where_their_records_say() {
    let man = Man::parse(&EXAMPLE).unwrap();
    let mut data = walled(0..0, 0..0);
    // Tier 3 around the actor's tile.
    data[0x4000..0x8000].fill(3);
    let heights = man.heights();
    let mut actors = Pool::new();
    let swept = place(&man, &ground(&data, &heights), &mut actors);
    let expected = Swept {
        spawned: 1,
        ..Swept::default()
    };
    assert_eq!(swept, expected, "the entry script is nobody");
    let (_, found) = actors.iter().next().unwrap();
    let expected = Actor {
        flags: flag::MOVING,
        x: 3840,
        y: -96,
        z: 2880,
        // Flat record 2: one object, the entry script, then this.
        script: 2,
        animation: 1,
        mesh: 3 + 5,
        draw: Draw::Posed,
        ..Actor::NEW
    };
    assert_eq!(*found, expected);
}

#[test]
fn the_party_has_its_own_bit_and_crowds_are_counted() {
    let actor = |model, tile| ActorSource {
        label: &[],
        model,
        animation: 0,
        tile,
        script: &[0x21],
    };
    let mut people = vec![actor(0, [0x7F, 0x7F]), actor(0xF1, [0x7F, 0x7F])];
    people.resize(ACTORS + 4, actor(0, [3, 0x84]));
    let source = Source {
        actors: &people,
        ..Source::default()
    };
    let mut out = vec![0; 0x4000];
    let len = emit(&source, &mut out).unwrap();
    let man = Man::parse_lenient(&out[..len]).unwrap();
    let mut actors = Pool::new();
    let data = walled(0..0, 0..0);
    let swept = place(&man, &ground(&data, &[50; 16]), &mut actors);
    assert_eq!((swept.spawned, swept.refused), (ACTORS as u16, 3));
    let found: Vec<&Actor> = actors.iter().map(|(_, actor)| actor).take(2).collect();
    // Parked: off the floor's grid.
    assert_eq!((found[0].x, found[0].y, found[0].z), (16320, 0, 16320));
    assert_eq!(
        (found[0].flags, found[0].mesh),
        (flag::MOVING | 0x0100_0000, 1)
    );
    assert_eq!((found[1].x, found[1].y, found[1].z), (448, 50, 640));
}

#[test]
fn objects_are_bound_to_flat_records() {
    let man = Man::parse(&EXAMPLE).unwrap();
    let animations = [Some(2), Some(0), Some(1), Some(0), None];
    for (record, animation) in (0..).zip(animations) {
        let expected = animation.map(|animation| Bind { animation });
        let found = bind(&man, record);
        assert_eq!(found, expected, "record {record}");
    }
    assert_eq!(bind(&man, 255), None);
}

#[test]
fn rates_come_from_the_live_region() {
    let man = Man::parse(&EXAMPLE).unwrap();
    let encounters = man.encounters().unwrap();
    let at = |x: i32, z, set: bool| {
        let tile = Tile::containing(x, z)?;
        let live = region(&encounters, tile, |flag| set && flag == 0x142);
        live.map(|it| rate(&it))
    };
    let live = Rate {
        rate: 6,
        first: 0,
        count: 1,
    };
    // Without the flag region 1 is live, (10, 10) to (20, 20) inclusive.
    assert_eq!(at(10 * 128, 20 * 128 + 127, false), Some(live));
    assert_eq!(at(21 * 128, 2000, false), None);
    // With it the whole map is silent.
    assert_eq!(at(21 * 128, 2000, true).map(|rate| rate.rate), Some(0));
    assert_eq!(at(-1, 2000, true), None);
}

/// A tile east of a region of one tile: the step is one, but there is nothing to roll by.
#[test]
fn l7_no_region_no_roll() {
    let mut body = vec![5, 4, 8, 7];
    for monster in 1..=7 {
        body.extend([0, 0, 0, 1, monster]);
    }
    body.extend([1, 0xFF, 0xFF, 1, 0]);
    body.extend([1, 20, 20, 20, 20, 24, 0, 3, 4]);
    let encounters = Encounters::parse(&body).unwrap();
    let modifiers = Modifiers {
        setting: 1,
        ..Modifiers::default()
    };
    let step = |x| {
        let mut state = Encounter::NEW;
        state.counter = 24;
        _ = state.stepped(0, 0);
        let mut draws = 0;
        // The step counts as one from afar.
        let rate = |tile| region(&encounters, tile, |_| false).map(|it| rate(&it));
        let fight = field(x, 2624).encounter(&mut state, rate, &modifiers, || {
            draws += 1;
            0
        });
        (fight, state.counter, draws)
    };
    assert_eq!(step(2688), (None, 24, 0), "L7");
    // On the last unit of the region's tile there is a fight.
    assert_eq!(step(2687), (Some(3), 0x3CE, 3));
}

/// Section 14: no byte of the record says where a person looks, its prologue does.
#[test]
fn people_look_where_their_prologues_say() {
    let look = |script: &[u8], flag: Option<u16>| {
        let people = [0, 1].map(|_| ActorSource {
            label: &[],
            model: 0,
            animation: 0,
            tile: [29, 22],
            script,
        });
        let source = Source {
            actors: &people,
            ..Source::default()
        };
        let mut out = vec![0; 0x1000];
        let len = emit(&source, &mut out).unwrap();
        let man = Man::parse_lenient(&out[..len]).unwrap();
        let record = man.placements().next().unwrap().unwrap();
        assert_eq!(record.script.flat, 1);
        facing(&record, |it| Some(it) == flag)
    };
    // The villagers on (29, 22) and (30, 22) face each other.
    let seat = |index| [0x25, 0x4C, 0x51, 29, 22, index, 0, 0x21];
    assert_eq!(look(&seat(6), None), Some(0xC00));
    assert_eq!(look(&seat(2), None), Some(0x400));
    // Four bits count, of which eight entries are headings.
    assert_eq!(look(&seat(0xF5), None), Some(0xA00));
    assert_eq!(look(&seat(9), None), None);
    // A turn at once counts, one that takes its time does not.
    assert_eq!(look(&[0x24, 0x38, 3, 0x80, 0x21], None), Some(0x600));
    assert_eq!(look(&[0x24, 0x38, 3, 4, 0x21], None), None);
    // Its own id may be named; another's legs, the parked tile, and what lies behind the prologue are no
    // facing, nor is anything without one.
    assert_eq!(look(&[0x25, 0xB8, 1, 4, 0, 0x21], None), Some(0x800));
    assert_eq!(look(&[0x25, 0xB8, 0xF8, 4, 0, 0x21], None), None);
    assert_eq!(
        look(&[0x25, 0x4C, 0x51, 0x7F, 0xFF, 4, 0, 0x21], None),
        None
    );
    assert_eq!(look(&[0x25, 0x21, 0x38, 4, 0, 0x21], None), None);
    assert_eq!(look(&[0x25, 0x1F, 0x38, 4, 0, 0x21], None), None);
    assert_eq!(look(&[0x38, 4, 0, 0x21], None), None);
    // The last one counts. The test of flag 0x205 jumps over the second.
    let branch = [0x25, 0x38, 4, 0, 0x72, 5, 5, 0, 0x38, 6, 0, 0x21];
    assert_eq!(look(&branch, None), Some(0xC00));
    assert_eq!(look(&branch, Some(0x205)), Some(0x800));
    assert_eq!(look(&branch, Some(0x204)), Some(0xC00));
    // A jump is followed, and one to itself comes to an end.
    let jump = [0x25, 0x26, 5, 0, 0x38, 6, 0, 0x38, 2, 0, 0x21];
    assert_eq!(look(&jump, None), Some(0x400));
    assert_eq!(
        look(&[0x25, 0x38, 2, 0, 0x26, 0xFF, 0xFF, 0x21], None),
        Some(0x400)
    );
}
