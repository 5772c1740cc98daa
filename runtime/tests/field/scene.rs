//! Sections J, K and L: triggers, doorways, regions, seats, sweeps, encounters.

use super::common::{actor, empty, field, ground, heights, tile, with_triggers};
use overworld_runtime::field::actor::{ACTORS, Actor, Pool, flag};
use overworld_runtime::field::compat::Compat;
use overworld_runtime::field::crossing::{Crossed, Crossing, Regions};
use overworld_runtime::field::encounter::{Encounter, Modifiers, Random, Rate};
use overworld_runtime::field::ground::NO_HEIGHTS;
use overworld_runtime::field::map::trigger::{self, Region, Script, Source, Teleport};
use overworld_runtime::field::map::{Cell, Collision, Map, MapMut, Object, Triggers};
use overworld_runtime::field::spawn::{Bind, Entry, Seat, Swept, init_sweep, seat, window_sweep};
use overworld_runtime::field::units::Point;
use overworld_runtime::field::{Field, Ground};

/// A map with these triggers, refreshed.
fn refreshed(source: &Source<'_>) -> Vec<u8> {
    let mut data = with_triggers(source);
    MapMut::parse(&mut data).unwrap().refresh();
    data
}

fn script(at: [u8; 2], record: u8, gate: u8) -> Script {
    Script {
        tile: at,
        record,
        gate,
    }
}

fn door(at: [u8; 2], destination: [u8; 2]) -> Teleport {
    Teleport {
        tile: at,
        destination,
    }
}

#[test]
fn j1_to_j4_doorways() {
    let vectors = [
        ([72, 46], (4672, 3008), (36, 23)),
        ([0, 0], (64, 64), (0, 0)),
        ([255, 255], (16384, 16384), (127, 127)),
        ([21, 84], (1408, 5440), (10, 42)),
    ];
    for (number, (destination, (x, z), (col, row))) in (1..).zip(vectors) {
        let doors = [door([20, 20], destination)];
        // A beat on the tile that is asked, one on the doorway's own.
        let scripts = [
            script([col, row], 9, Script::WALK_ON),
            script([20, 20], 7, Script::WALK_ON),
        ];
        let data = refreshed(&Source {
            teleports: &doors,
            scripts: &scripts,
            ..Source::default()
        });
        let heights = heights([(0, -70)]);
        let ground = ground(&data, &heights);
        let mut field = field(2624, 2624);
        let mut crossing = Crossing::STALE;
        let crossed = field.cross(&ground, &mut crossing, false);
        let expected = Crossed {
            beats: [Some(7), Some(9)],
            doorway: Some(doors[0]),
        };
        assert_eq!(crossed, expected, "J{number}");
        assert_eq!((field.player.x, field.player.z), (x, z), "J{number}");
        let floor = if x == 16384 { 0 } else { -70 };
        assert_eq!(field.player.y, floor, "J{number}");
        assert_eq!(crossing, Crossing::STALE, "J{number}");
        // A locked player takes no doorway, the beat starts all the same.
        let mut locked = super::common::field(2624, 2624);
        locked.player.flags = flag::LOCKED;
        let crossed = locked.cross(&ground, &mut crossing, false);
        assert_eq!((crossed.beats, crossed.doorway), ([Some(7), None], None));
        assert_eq!(locked.player.x, 2624);
    }
}

#[test]
fn j5_to_j10_regions() {
    let vectors = [
        ([4, 2, 10, 8], 3, (4, 2), true),
        ([4, 2, 10, 8], 3, (10, 7), false),
        ([4, 2, 10, 8], 3, (9, 7), true),
        ([10, 8, 4, 2], 3, (5, 5), true),
        ([6, 4, 6, 4], 0, (7, 2), true),
        ([6, 4, 6, 4], 0, (6, 4), false),
    ];
    for (number, (corners, ty, (col, row), inside)) in (5..).zip(vectors) {
        let regions = [Region {
            corners,
            ty,
            ..Region::default()
        }];
        let data = refreshed(&Source {
            regions: &regions,
            ..Source::default()
        });
        // The biased mapping: half a tile further.
        let (x, z) = (col * 128 + 64, row * 128 + 64);
        let found = Regions::at(&ground(&data, &NO_HEIGHTS), x, z, false);
        let mask = if inside { 1 << ty } else { 0 };
        assert_eq!(found.mask, mask, "J{number}");
        let before = Regions::at(&ground(&data, &NO_HEIGHTS), 4 * 128 + 63, z, false);
        assert_eq!(before.mask & 8, 0, "tile 3");
    }
}

#[test]
fn the_last_box_of_type_0_or_1_is_latched() {
    let region = |corners, ty| Region {
        corners,
        ty,
        ..Region::default()
    };
    let regions = [
        region([0, 90, 90, 0], 0),
        region([10, 80, 70, 5], 1),
        region([10, 80, 70, 5], 9),
        region([100, 120, 110, 100], 0),
    ];
    let data = refreshed(&Source {
        regions: &regions,
        ..Source::default()
    });
    let ground = ground(&data, &NO_HEIGHTS);
    let found = Regions::at(&ground, 20 * 128 + 64, 20 * 128 + 64, false);
    assert_eq!(
        (found.mask, found.bounds, found.ty),
        (0x203, [10, 5, 70, 80], 1)
    );
    let found = Regions::at(&ground, 2 * 128 + 64, 2 * 128 + 64, false);
    assert_eq!((found.mask, found.bounds, found.ty), (1, [0, 0, 90, 90], 0));
    let found = Regions::at(&ground, 20 * 128 + 64, 20 * 128 + 64, true);
    assert_eq!(
        (found.mask, found.bounds, found.ty),
        (0x203, [0, 0, 127, 127], 1)
    );
    assert_eq!(Regions::at(&ground, -1, 0, false), Regions::WHOLE);
    assert_eq!(
        Regions::at(&ground, i16::MAX, i16::MIN, false),
        Regions::WHOLE
    );
}

/// Which tile a position fires, in both readings.
#[test]
fn j11_to_j15_the_tile_of_the_dispatch() {
    let vectors = [
        ((2624, 2624), (20, 20), (20, 20)),
        ((3264, 5824), (25, 45), (25, 45)),
        ((4672, 3008), (36, 23), (36, 23)),
        ((3330, 5952), (25, 46), (26, 46)),
        ((127, 191), (0, 0), (0, 1)),
    ];
    for (number, ((x, z), biased, plain)) in (11..).zip(vectors) {
        for (compat, (col, row)) in [(Compat::SHEET, biased), (Compat::OTHER, plain)] {
            let scripts = [script([col, row], 5, Script::WALK_ON)];
            let data = refreshed(&Source {
                scripts: &scripts,
                ..Source::default()
            });
            let mut field = field(x, z);
            field.settings.compat = compat;
            let crossed = field.cross(
                &ground(&data, &NO_HEIGHTS),
                &mut Crossing::STALE.clone(),
                false,
            );
            assert_eq!(crossed.beats[0], Some(5), "J{number} {compat:?}");
        }
    }
}

#[test]
fn a_tile_fires_once_until_it_is_left() {
    let scripts = [
        script([20, 20], 1, Script::WALK_ON),
        script([21, 20], 2, Script::BIND),
        // The first record of a tile decides, whatever its gate.
        script([21, 20], 3, Script::WALK_ON),
        script([22, 20], 4, Script::WALK_ON),
    ];
    let mut data = refreshed(&Source {
        scripts: &scripts,
        ..Source::default()
    });
    let fire = |data: &[u8], crossing: &mut Crossing, x| {
        let mut field = field(x, 2624);
        field
            .cross(&ground(data, &NO_HEIGHTS), crossing, false)
            .beats[0]
    };
    let mut crossing = Crossing::STALE;
    assert_eq!(fire(&data, &mut crossing, 2624), Some(1));
    assert_eq!(fire(&data, &mut crossing, 2624 + 63), None);
    assert_eq!(fire(&data, &mut crossing, 2752), None, "gate 0");
    assert_eq!(fire(&data, &mut crossing, 2624), Some(1), "again");
    // Off the grid nothing is dispatched, and nothing forgotten.
    assert_eq!(fire(&data, &mut crossing, -1), None);
    assert_eq!(fire(&data, &mut crossing, 2624), None);
    assert_eq!(fire(&data, &mut crossing, 2880), Some(4));
    // A cell without the bits is dead.
    MapMut::parse(&mut data)
        .unwrap()
        .set_cell(tile(22, 20), Cell(0x0800));
    assert_eq!(fire(&data, &mut Crossing::STALE.clone(), 2880), None);
}

#[test]
fn a_beat_of_the_fallback_block_needs_its_mark() {
    let mut data = empty();
    let scripts = [script([20, 20], 6, Script::WALK_ON)];
    let source = Source {
        scripts: &scripts,
        ..Source::default()
    };
    let mut block = vec![0; 0x800];
    trigger::emit(&source, &mut block).unwrap();
    let fallback = Triggers::lenient(&block);
    let fire = |data: &[u8]| {
        let ground = Ground::new(Map::parse(data).unwrap(), fallback, &NO_HEIGHTS);
        field(2624, 2624)
            .cross(&ground, &mut Crossing::STALE.clone(), false)
            .beats[0]
    };
    assert_eq!(fire(&data), None);
    MapMut::parse(&mut data).unwrap().mark_fallback(&fallback);
    assert_eq!(fire(&data), Some(6));
}

#[test]
fn k1_to_k4_seats_of_the_other_reading() {
    let at = Point::new;
    let vectors = [
        (
            Entry::Cold {
                anchor: at(256, 512),
            },
            at(256, 512),
            [2, 4],
            true,
        ),
        (
            Entry::Warp {
                saved: at(2628, 3008),
            },
            at(2628, 3008),
            [20, 23],
            false,
        ),
        (
            Entry::Recentre { origin: [16, 32] },
            at(2880, 5184),
            [22, 40],
            false,
        ),
        (
            Entry::Cold {
                anchor: at(-1, -129),
            },
            at(-1, -129),
            [0, -1],
            true,
        ),
    ];
    for (number, (entry, player, window, extra)) in (1..).zip(vectors) {
        let actor = extra.then_some(at(2624, 2624));
        let expected = Seat {
            player,
            window,
            actor,
        };
        assert_eq!(seat(entry, &Compat::OTHER), expected, "K{number}");
    }
    // The sheet's own: the player stands there, whatever the anchor says.
    let cold = seat(
        Entry::Cold {
            anchor: at(256, 512),
        },
        &Compat::SHEET,
    );
    assert_eq!(
        (cold.player, cold.window, cold.actor),
        (at(2624, 2624), [20, 20], None)
    );
    // No origin leaves the range of a coordinate.
    let far = Entry::Recentre {
        origin: [i16::MAX, i16::MIN],
    };
    assert_eq!(seat(far, &Compat::SHEET).player, at(i16::MAX, i16::MIN));
}

/// The map of K9 and K10.
fn sweep_map(scripts: &[Script]) -> Vec<u8> {
    let mut data = with_triggers(&Source {
        scripts,
        ..Source::default()
    });
    let mut map = MapMut::parse(&mut data).unwrap();
    let object = |flags, offset, anchor| Object {
        flags,
        offset,
        anchor,
        ..Object::default()
    };
    map.set_object(
        5,
        &Object {
            rotation: [1, 0x400, 3],
            mesh: 7,
            cull: 2,
            ..object(4, [0, 7, 0], [0, 0])
        },
    );
    map.set_object(6, &object(0x1806, [-10, 0, 20], [1, 0]));
    map.set_object(7, &object(4, [0, 0, 0], [-1, 0]));
    map.set_object(8, &object(3, [0, 0, 0], [0, 0]));
    for (col, row, cell) in [
        (3, 4, 5),
        (40, 40, 6),
        (41, 40, 0x0400),
        (0, 9, 7),
        (5, 5, 8),
    ] {
        map.set_cell(tile(col, row), Cell(cell));
    }
    map.set_collision(tile(3, 4), Collision(0xA3));
    data
}

fn lut() -> [i16; 16] {
    std::array::from_fn(|tier| -16 * tier as i16)
}

#[test]
fn k9_the_first_sweep() {
    let heights = lut();
    let sweep = |scripts: &[Script], bind: fn(u8) -> Option<Bind>| {
        let data = sweep_map(scripts);
        let map = Map::parse(&data).unwrap();
        let mut actors = Pool::new();
        let swept = init_sweep(&map, &ground(&data, &heights), &mut actors, bind);
        let found: Vec<Actor> = actors.iter().map(|(_, actor)| *actor).collect();
        (swept, found)
    };
    let some = |record| {
        Some(Bind {
            animation: record + 1,
        })
    };
    assert_eq!(sweep(&[], some).1, []);
    // On the anchors, not on the objects' own tiles; the gate does not matter.
    let both = [
        script([3, 4], 12, 0),
        script([41, 40], 13, 1),
        script([40, 40], 14, 0),
    ];
    let (swept, found) = sweep(&both, some);
    assert_eq!((swept.spawned, swept.unbound, swept.refused), (2, 0, 0));
    let [first, second] = found[..] else {
        panic!("{found:?}")
    };
    assert_eq!((first.x, first.y, first.z), (448, -48 + 7, 576));
    assert_eq!((first.script, first.animation), (12, 13));
    assert_eq!(
        (first.object, first.mesh, first.rotation),
        (5, 12, [1, 0x400, 3])
    );
    assert_eq!((first.flags, first.render, first.cull), (0, 0x4000_0000, 2));
    assert_eq!((first.mode, first.rate, first.cursor), (0x15, 8, 0));
    assert_eq!(
        (second.x, second.z, second.footprint),
        (5174, 5164, [128, 0])
    );
    assert_eq!((second.flags, second.render), (flag::RECORD, 0x1000_0000));
    assert_eq!((second.script, second.animation), (13, 14));
    // A record that is not there leaves its object unbound.
    let (swept, found) = sweep(&both, |record| {
        (record == 13).then_some(Bind { animation: 0 })
    });
    assert_eq!((swept.spawned, swept.unbound), (2, 1));
    assert_eq!(found[0].script, Actor::NO_SCRIPT);
    assert_eq!((found[1].script, found[1].animation), (13, 0));
}

#[test]
fn k10_and_k11_the_window_sweep() {
    let data = sweep_map(&[]);
    let heights = lut();
    let map = Map::parse(&data).unwrap();
    let ground = ground(&data, &heights);
    let sweep = |bounds| {
        let mut actors = Pool::new();
        let swept = window_sweep(&map, &ground, bounds, &mut actors);
        let found: Vec<Actor> = actors.iter().map(|(_, actor)| *actor).collect();
        assert_eq!(usize::from(swept.spawned), found.len());
        found
    };
    let found = sweep([0, 0, 127, 127]);
    let [only] = found[..] else {
        panic!("{found:?}")
    };
    assert_eq!((only.x, only.y, only.z), (448, -41, 576), "K10");
    assert_eq!((only.script, only.animation), (Actor::NO_SCRIPT, 0), "K10");
    assert_eq!(sweep([3, 4, 3, 4]), [], "K11");
    assert_eq!(sweep([10, 10, 0, 0]), [], "K11");
    assert_eq!(sweep([3, 4, 4, 5]).len(), 1);
    assert_eq!(sweep([0, 0, 3, 127]), []);
    assert_eq!(sweep([200, 200, 255, 255]), []);
}

#[test]
fn what_the_pool_has_no_room_for_is_counted() {
    let mut data = sweep_map(&[]);
    let mut map = MapMut::parse(&mut data).unwrap();
    for col in 0..100 {
        map.set_cell(tile(col, 60), Cell(5));
    }
    let map = Map::parse(&data).unwrap();
    let mut actors = Pool::new();
    let ground = ground(&data, &NO_HEIGHTS);
    let swept = window_sweep(&map, &ground, [0, 60, 127, 61], &mut actors);
    let expected = Swept {
        spawned: ACTORS as u16,
        unbound: 0,
        refused: 100 - ACTORS as u16,
    };
    assert_eq!(swept, expected);
}

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

#[test]
fn people_turn_to_the_player_unless_they_have_opted_out() {
    let mut field: Field = field(1000, 1000);
    for (flags, heading) in [
        (flag::MOVING, 0x800),
        (flag::MOVING | flag::NO_TURN, 0x123),
        (0, 0x123),
    ] {
        let id = field
            .actors
            .spawn(Actor {
                rotation: [0, 0x123, 0],
                ..actor(1000, 900, flags)
            })
            .unwrap();
        field.face_player(id);
        assert_eq!(field.actors.get(id).unwrap().heading(), heading);
    }
}

/// The overworld has beats, and no doorways (sections 10.2 and 10.10).
#[test]
fn the_overworld_dispatches_beats_only() {
    let data = refreshed(&Source {
        teleports: &[door([20, 20], [72, 46])],
        scripts: &[script([20, 20], 7, Script::WALK_ON)],
        ..Source::default()
    });
    let ground = ground(&data, &NO_HEIGHTS);
    let mut field = field(2624, 2624);
    let mut crossing = Crossing::STALE;
    let crossed = field.cross(&ground, &mut crossing, true);
    let expected = Crossed {
        beats: [Some(7), None],
        doorway: None,
    };
    assert_eq!(crossed, expected);
    assert_eq!(field.player.point(), Point::new(2624, 2624));
    let again = field.cross(&ground, &mut crossing, true);
    assert_eq!(again, Crossed::default());
}
