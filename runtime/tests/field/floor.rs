//! Sections G, H and Q: the floor, the arc of a hop, the decision to hop.

use super::common::{
    actor, contacts, empty, field, ground, heights, person, pool, tile, wall_points, with_triggers,
};
use overworld_runtime::field::actor::{Actor, Pool, flag};
use overworld_runtime::field::hop::{Arc, DROP, Ledge, STEP_UP, ledge};
use overworld_runtime::field::map::trigger::{Elevation, Source};
use overworld_runtime::field::map::{Cell, Collision, Map, MapMut, Triggers};
use overworld_runtime::field::units::Point;
use overworld_runtime::field::{Ground, Input};

/// A map with these tiers on these tiles.
fn tiers(data: &mut [u8], tiers: &[((u8, u8), u8)]) {
    let mut map = MapMut::parse(data).unwrap();
    for &((col, row), byte) in tiers {
        map.set_collision(tile(col, row), Collision(byte));
    }
}

const CORNERS: [((u8, u8), u8); 4] = [((0, 0), 1), ((1, 0), 2), ((0, 1), 1), ((1, 1), 1)];

#[test]
fn g1_to_g10_bilinear() {
    let mut data = empty();
    tiers(&mut data, &CORNERS);
    // Wall nibbles are ignored.
    for at in [(5, 6), (6, 6), (5, 7), (6, 7)] {
        tiers(&mut data, &[(at, 0x35 + 0x10 * at.0)]);
    }
    let up = heights([(1, 0), (2, 256)]);
    let down = heights([(1, 0), (2, -255), (5, -50)]);
    let vectors = [
        (&up, 0, 0, 0),
        (&up, 64, 0, 128),
        (&up, 127, 0, 254),
        (&up, 64, 64, 64),
        (&up, 127, 127, 1),
        (&down, 1, 0, -1),
        (&down, 64, 1, -126),
        (&down, 127, 127, -1),
        (&down, 3, 100, -1),
        (&down, 700, 800, -50),
    ];
    for (number, (heights, x, z, expected)) in (1..).zip(vectors) {
        assert_eq!(ground(&data, heights).floor(x, z), expected, "G{number}");
    }
}

fn elevated(at: (u8, u8), coarse: i8, quads: u8, in_fallback: bool) -> (Vec<u8>, Vec<u8>) {
    let record = [Elevation {
        tile: [at.0, at.1],
        coarse,
        quads,
    }];
    let source = Source {
        elevations: &record,
        ..Source::default()
    };
    let none = Source::default();
    let mut data = with_triggers(if in_fallback { &none } else { &source });
    let mut fallback = vec![0; 0x800];
    overworld_runtime::field::map::trigger::emit(
        if in_fallback { &source } else { &none },
        &mut fallback,
    )
    .unwrap();
    MapMut::parse(&mut data)
        .unwrap()
        .set_cell(tile(at.0, at.1), Cell(Cell::ELEVATION));
    (data, fallback)
}

#[test]
fn g11_to_g20_elevation_records() {
    let flat = [0; 16];
    let low = heights([(0, -64)]);
    let (one, two) = (((1, 1), 2, 0x2A), ((17, 16), -3, 0xE4));
    let vectors = [
        (11, one, &flat, 138, 138, -96),
        (12, one, &flat, 198, 138, -96),
        (13, one, &flat, 138, 198, -96),
        (14, one, &flat, 198, 198, -64),
        (15, one, &flat, 255, 255, -64),
        (17, two, &low, 2176, 2048, 32),
        (18, two, &low, 2240, 2048, 16),
        (19, two, &low, 2176, 2112, 0),
        (20, two, &low, 2240, 2112, -16),
    ];
    for (number, (at, coarse, quads), heights, x, z, expected) in vectors {
        // The record may lie in either block.
        for in_fallback in [false, true] {
            let (data, fallback) = elevated(at, coarse, quads, in_fallback);
            let map = Map::parse(&data).unwrap();
            let ground = Ground::new(map, Triggers::lenient(&fallback), heights);
            assert_eq!(ground.floor(x, z), expected, "G{number}");
        }
    }
}

#[test]
fn g16_the_bit_without_a_record_is_the_mean_rounded_down() {
    let mut data = empty();
    tiers(&mut data, &CORNERS);
    let mut map = MapMut::parse(&mut data).unwrap();
    map.set_cell(tile(0, 0), Cell(Cell::ELEVATION | 7));
    let heights = heights([(2, -255)]);
    assert_eq!(ground(&data, &heights).floor(64, 64), -64, "G16");
    // -255 / 4 toward zero would be -63.
    assert_eq!(ground(&data, &heights).floor(0, 127), -64);
}

#[test]
fn g21_no_floor_without_neighbours() {
    let heights = [-100; 16];
    let data = empty();
    let ground = ground(&data, &heights);
    for (x, z) in [
        (127 * 128, 64),
        (64, 127 * 128),
        (16383, 16383),
        (16384, 5),
        (-1, 5),
        (5, -1),
        (i32::MIN, i32::MAX),
    ] {
        assert_eq!(ground.floor(x, z), 0, "G21 ({x}, {z})");
    }
    assert_eq!(ground.floor(127 * 128 - 1, 127 * 128 - 1), -100);
    assert_eq!(ground.floor(0, 0), -100);
}

/// The height of a tile's first corner is that of the floor there: level and sloped tiles, elevated ones with and without
/// a record, beyond the grid and on its last column and row; with a whole map and with walls alone.
#[test]
fn corners_are_points_of_the_floor() {
    let heights = heights([(0, -7), (1, i16::MAX), (2, i16::MIN), (3, 255), (9, -50)]);
    let (mut data, fallback) = elevated((17, 16), -3, 0xE4, false);
    let mut map = MapMut::parse(&mut data).unwrap();
    for (col, row) in (0..128).flat_map(|col| (0..128).map(move |row| (col, row))) {
        let tier = (u32::from(col) * 37 + u32::from(row) * 101) >> 2;
        map.set_collision(tile(col, row), Collision(tier as u8));
    }
    for at in [(3, 3), (4, 3), (127, 2), (126, 126)] {
        map.set_cell(tile(at.0, at.1), Cell(Cell::ELEVATION | 7));
    }
    let map = Map::parse(&data).unwrap();
    let whole = Ground::new(map, Triggers::lenient(&fallback), &heights);
    let grid = map.collision_grid().try_into().unwrap();
    let bare = Ground::bare(grid, &heights).with_triggers(map.triggers(), Triggers::EMPTY);
    for ground in [whole, bare] {
        let mut seen = [0; 3];
        for (col, row) in (-2..130).flat_map(|col| (-2..130).map(move |row| (col, row))) {
            let floor = ground.floor(128 * col, 128 * row);
            assert_eq!(ground.corner(col, row), floor, "({col}, {row})");
            seen[usize::from(floor != 0) + usize::from(floor == -50)] += 1;
        }
        assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
        assert_eq!(ground.corner(i32::MIN, i32::MAX), 0);
    }
    // The record of the one tile that has one.
    let tier = map.collision(tile(17, 16)).0;
    assert_ne!(whole.corner(17, 16), i32::from(whole.height(tier)));
}

/// The law as the sheet writes it, over extreme heights: nothing overflows, nothing is rounded twice.
#[test]
fn the_bilinear_law_holds_at_the_extremes() {
    let ends = [i16::MIN, i16::MAX, -1, 1, 0];
    for n in 0..625_usize {
        let corner = |i: u32| ends[n / 5_usize.pow(i) % 5];
        let table = heights([
            (0, 0),
            (1, corner(0)),
            (2, corner(1)),
            (3, corner(2)),
            (4, corner(3)),
        ]);
        let mut data = empty();
        tiers(
            &mut data,
            &[((0, 0), 1), ((1, 0), 2), ((0, 1), 3), ((1, 1), 4)],
        );
        let ground = ground(&data, &table);
        for (wx, wz) in [
            (0, 0),
            (127, 0),
            (0, 127),
            (127, 127),
            (64, 64),
            (1, 126),
            (33, 97),
        ] {
            let [a, b, c, d] = [0, 1, 2, 3].map(|i| i64::from(corner(i)));
            let (u, v) = (i64::from(wx), i64::from(wz));
            let acc = (a * (128 - u) + b * u) * (128 - v) + c * (128 - u) * v + d * u * v;
            // Division rounds toward zero.
            assert_eq!(
                i64::from(ground.floor(wx, wz)),
                acc / 16384,
                "{n} ({wx}, {wz})"
            );
        }
    }
}

/// Start, end, apex, scalar, control point, and the place of each tick.
type Hop = ([i16; 3], [i16; 3], i16, u8, [i32; 3], &'static [[i16; 3]]);

#[test]
fn h1_to_h3_arcs() {
    let vectors: [Hop; 3] = [
        (
            [320, 0, 328],
            [320, -200, 424],
            STEP_UP,
            2,
            [320, -348, 376],
            &[
                [320, -80, 340],
                [320, -143, 352],
                [320, -192, 364],
                [320, -224, 376],
                [320, -242, 388],
                [320, -243, 400],
                [320, -230, 412],
                [320, -200, 424],
            ],
        ),
        (
            [320, 0, 328],
            [320, 200, 424],
            DROP,
            2,
            [320, -132, 376],
            &[
                [320, -26, 340],
                [320, -37, 352],
                [320, -34, 364],
                [320, -16, 376],
                [320, 16, 388],
                [320, 63, 400],
                [320, 124, 412],
                [320, 200, 424],
            ],
        ),
        (
            [100, -64, 100],
            [4, -64, 100],
            DROP,
            4,
            [52, -96, 100],
            &[
                [76, -76, 100],
                [52, -80, 100],
                [28, -76, 100],
                [4, -64, 100],
            ],
        ),
    ];
    for (number, (start, end, apex, scalar, control, places)) in (1..).zip(vectors) {
        let mut arc = Arc::new(start, end, apex, 16);
        assert_eq!(arc.control(), control, "H{number}");
        for (tick, &place) in (1..).zip(places) {
            let last = tick == places.len();
            assert_eq!(arc.tick(scalar), (place, last), "H{number} tick {tick}");
        }
        assert_eq!(arc.tick(scalar), (end, true), "it stays there");
    }
}

#[test]
fn arcs_end_whatever_they_are_made_of() {
    let (low, high) = ([i16::MIN; 3], [i16::MAX; 3]);
    for frames in [i16::MIN, -1, 0] {
        assert_eq!(Arc::new(low, high, DROP, frames).tick(1), (high, true));
    }
    for (start, end) in [(low, high), (high, low), (low, low), (high, high)] {
        for apex in [i16::MIN, 0, i16::MAX] {
            for scalar in [1, 4, 255] {
                let mut arc = Arc::new(start, end, apex, i16::MAX);
                assert!((0..4096).any(|_| arc.tick(scalar).1));
            }
        }
    }
}

/// The 64-bit form of the sheet against the 32-bit one.
#[test]
fn the_curve_rounds_down() {
    let (start, end) = ([-30000, -20000, 32767], [32767, 31000, -32768]);
    let mut arc = Arc::new(start, end, STEP_UP, 4096);
    let control = arc.control();
    for t in 1..4096_i64 {
        let (place, over) = arc.tick(1);
        assert!(!over);
        for axis in 0..3 {
            let [p0, c, p2]: [i64; 3] =
                [start[axis].into(), control[axis].into(), end[axis].into()];
            let sum: i64 = (4096 - t) * (4096 - t) * p0 + 2 * (4096 - t) * t * c + t * t * p2;
            let exact = sum.div_euclid(4096 * 4096).clamp(-32768, 32767);
            assert_eq!(i64::from(place[axis]), exact, "axis {axis} at {t}");
        }
    }
}

#[test]
fn q1_to_q9_ledges() {
    let mut data = empty();
    tiers(
        &mut data,
        &[((2, 2), 1), ((3, 2), 1), ((2, 3), 1), ((3, 3), 1)],
    );
    let ledge_of = |rise, apex, y| {
        Some(Ledge {
            rise,
            apex,
            landing: [320, y, 424],
        })
    };
    let vectors = [
        (200, 12, 8, ledge_of(188, DROP, 200)),
        (-200, -12, 8, ledge_of(-188, STEP_UP, -200)),
        (97, 0, 8, ledge_of(97, DROP, 97)),
        (96, 0, 8, None),
        (-96, 0, 8, None),
        (-97, 0, 8, ledge_of(-97, STEP_UP, -97)),
        (-192, -192, 8, None),
        (200, 12, 0, None),
    ];
    let nobody = contacts(Point::new(320, 328), &Pool::new());
    for (number, (height, y, delta, expected)) in (1..).zip(vectors) {
        let heights = heights([(1, height)]);
        let found = ledge(
            [320, y, 328],
            [0, delta],
            &ground(&data, &heights),
            &nobody,
            &mut |_| {},
        );
        assert_eq!(found, expected, "Q{number}");
    }
    let heights = heights([(1, 200)]);
    // As Q1 but with an actor on either point.
    for (z, free) in [
        (392 + 39, false),
        (392 - 39, false),
        (424 + 39, false),
        (424 + 40, true),
    ] {
        let actors = pool(&[actor(320, z, flag::MOVING)]);
        let contacts = contacts(Point::new(320, 328), &actors);
        let found = ledge(
            [320, 12, 328],
            [0, 8],
            &ground(&data, &heights),
            &contacts,
            &mut |_| {},
        );
        assert_eq!(found.is_some(), free, "{z}");
    }
    wall_points(&mut data, [(320, 424)].into_iter());
    let found = ledge(
        [320, 12, 328],
        [0, 8],
        &ground(&data, &heights),
        &nobody,
        &mut |_| {},
    );
    assert_eq!(found, None, "Q9");
}

/// The height settles by 12 units a vertical blank, half of it for the slow class.
#[test]
fn the_height_settles() {
    let data = empty();
    let table = [-100; 16];
    let ground = ground(&data, &table);
    for (flags, scalar, heights) in [
        (0, 1, [-12, -24, -36]),
        (0, 2, [-24, -48, -72]),
        (0, 4, [-48, -96, -100]),
        (flag::SLOW_SETTLE, 1, [-6, -12, -18]),
        (flag::SLOW_SETTLE, 3, [-18, -36, -54]),
        (flag::LOCKED, 1, [0, 0, 0]),
    ] {
        let mut field = field(1000, 1000);
        field.player.flags = flags;
        let input = Input {
            scalar,
            ..Input::default()
        };
        let found = [0; 3].map(|_| {
            field.frame(&ground, &input);
            field.player.y
        });
        assert_eq!(found, heights, "flags {flags:#x}, scalar {scalar}");
    }
    let mut field = field(1000, 1000);
    field.control.height_off = true;
    field.frame(&ground, &Input::default());
    assert_eq!(field.player.y, 0);
    field.control.height_off = false;
    field.settings.terrain = false;
    field.frame(&ground, &Input::default());
    assert_eq!(field.player.y, 0);
    field.settings.terrain = true;
    field.player.y = i16::MIN;
    field.frame(&ground, &Input::default());
    assert_eq!(field.player.y, i16::MIN + 12);
}

/// A whole hop: locked for 16 vertical blanks of the arc and 6 more, one arc whatever the scalar.
#[test]
fn a_hop_takes_22_vertical_blanks() {
    let mut data = empty();
    tiers(
        &mut data,
        &[((2, 2), 1), ((3, 2), 1), ((2, 3), 1), ((3, 3), 1)],
    );
    let table = heights([(1, -200)]);
    let ground = ground(&data, &table);
    for (scalar, arc_ticks, all_ticks) in [(1, 16, 22), (2, 8, 11), (4, 4, 6), (3, 6, 8)] {
        let mut field = field(320, 320);
        // On the floor of the raised tiles, except that the ground ahead is 200 higher than here.
        field.player.y = 0;
        let input = |held| Input {
            held,
            scalar,
            ..Input::default()
        };
        let begin = field.frame(&ground, &input(0x1000));
        assert_eq!(begin.hop, Some(STEP_UP));
        assert!(field.is_hopping() && field.player.flags & flag::LOCKED != 0);
        assert_eq!(
            field.player.flags & flag::AIRBORNE,
            0,
            "the arc begins a frame later"
        );
        let from = field.player.z;
        let mut ticks = 0;
        let (mut cues, mut airborne) = (Vec::new(), 0);
        while field.is_hopping() {
            let events = field.frame(&ground, &input(0x2000));
            cues.extend(events.cue);
            ticks += 1;
            airborne += u32::from(field.player.flags & flag::AIRBORNE != 0);
            assert_eq!(field.player.x, 320, "no walking in the air");
            assert_eq!(field.mask(), 0);
            if ticks >= arc_ticks {
                assert_eq!(field.player.z, from + 96, "landed at tick {ticks}");
            } else {
                assert!(field.player.z < from + 96);
            }
            if field.is_hopping() {
                assert_eq!(field.player.mode & 8, 8);
            }
        }
        assert_eq!(
            (ticks, airborne),
            (all_ticks, arc_ticks - 1),
            "scalar {scalar}"
        );
        assert_eq!(cues, [0x2A, 0x29]);
        assert_eq!(field.player.flags & flag::LOCKED, 0);
        assert_eq!(field.player.mode & 8, 0);
        assert_eq!(field.player.y, -200);
        field.frame(&ground, &input(0x2000));
        assert!(field.player.x > 320, "free again");
    }
}

/// A hop that has begun is ended, whatever becomes of the setting; nothing else moves the height then.
#[test]
fn a_hop_ends_when_terrain_is_switched_off() {
    let mut data = empty();
    tiers(
        &mut data,
        &[((2, 2), 1), ((3, 2), 1), ((2, 3), 1), ((3, 3), 1)],
    );
    let table = heights([(1, -200)]);
    let ground = ground(&data, &table);
    let mut field = field(320, 320);
    let person = field.actors.spawn(person(320, 320)).unwrap();
    field.actors.get_mut(person).unwrap().flags |= flag::EXEMPT & 1;
    let up = Input {
        held: 0x1000,
        ..Input::default()
    };
    assert_eq!(field.frame(&ground, &up).hop, Some(STEP_UP));
    field.settings.terrain = false;
    field.actors.get_mut(person).unwrap().y = 7;
    for _ in 0..22 {
        assert!(field.is_hopping());
        field.frame(&ground, &up);
    }
    assert!(!field.is_hopping());
    assert_eq!(field.player.flags, 0);
    assert_eq!(field.actors.get(person).unwrap().y, 7);
    let z = field.player.z;
    field.frame(&ground, &up);
    assert_eq!(field.player.z, z + 8, "free again");
}

/// Of the other actors the moving ones follow the floor, and those that are lifted are held up.
#[test]
fn lifted_actors_are_held_up_moving_or_not() {
    let data = empty();
    let table = [-100; 16];
    let ground = ground(&data, &table);
    for (flags, animation, y) in [
        (flag::MOVING, 0, -100),
        (flag::MOVING | flag::LIFTED, 0, -70),
        (flag::LIFTED, 0, -70),
        (flag::LIFTED | flag::NO_SETTLE, 0, 9),
        (flag::LIFTED, -1, 9),
        (0, 0, 9),
    ] {
        let mut field = field(1000, 1000);
        let id = field.actors.spawn(Actor {
            y: 9,
            lift: 70,
            animation,
            ..actor(5000, 5000, flags)
        });
        field.frame(&ground, &Input::default());
        let found = field.actors.get(id.unwrap()).unwrap().y;
        assert_eq!(found, y, "flags {flags:#x}, animation {animation}");
    }
}
