//! What a builder should not write into a field map (field sheet, section 3.9), rule by rule.

use overworld_runtime::field::map::trigger::{self, Region, Script, Teleport};
use overworld_runtime::field::map::{Cell, Collision, Finding, MapMut, Object, SIZE, Tile, flag};
use std::ops::ControlFlow;

fn tile(col: u8, row: u8) -> Tile {
    Tile::new(col, row).unwrap()
}

/// All findings of a map that is filled in place.
fn findings(source: trigger::Source<'_>, change: impl FnOnce(&mut MapMut<'_>)) -> Vec<Finding> {
    let mut data = vec![0; SIZE];
    let mut map = MapMut::create(&mut data, &source).unwrap();
    change(&mut map);
    let mut all = Vec::new();
    let end = map.map().findings(|finding| {
        all.push(finding);
        ControlFlow::<()>::Continue(())
    });
    assert_eq!(end, None);
    // The short look has the first of them, or none where all is a matter of play.
    let short = all.first().filter(|it| {
        matches!(
            it,
            Finding::RecordZero
                | Finding::AnchorOffGrid { .. }
                | Finding::TileOffGrid { .. }
                | Finding::Unmarked { .. }
                | Finding::GroundEnds { .. }
                | Finding::Gate { .. }
                | Finding::RegionOrder { .. }
        )
    });
    assert_eq!(map.map().lint().err(), short.copied());
    // Whoever breaks off hears no more.
    let mut heard = 0;
    let broken = map.map().findings(|finding| {
        heard += 1;
        ControlFlow::Break(finding)
    });
    assert_eq!((broken, heard), (all.first().copied(), all.len().min(1)));
    all
}

fn placed(flags: u16) -> Object {
    Object {
        flags: flag::PLACED | flags,
        ..Object::default()
    }
}

#[test]
fn rule_2_the_partys_records_are_not_placed() {
    let found = findings(trigger::Source::default(), |map| {
        for object in [1, 3, 4] {
            map.set_object(object, &placed(0));
        }
        for (col, object) in [(10, 1), (11, 3), (12, 4), (13, 2)] {
            map.set_cell(tile(col, 9), Cell(object));
        }
    });
    let reserved = |col, object| Finding::Reserved {
        tile: tile(col, 9),
        object,
    };
    assert_eq!(found, [reserved(10, 1), reserved(11, 3)]);
}

#[test]
fn rule_6_row_0_is_clear_or_solid() {
    let rows = |change: &dyn Fn(u8) -> u8| {
        findings(trigger::Source::default(), |map| {
            for col in 0..128 {
                map.set_collision(tile(col, 0), Collision::new(change(col), 0));
            }
        })
    };
    assert_eq!(rows(&|_| 0), []);
    assert_eq!(rows(&|_| 0xF), []);
    assert_eq!(
        rows(&|col| if col == 77 { 4 } else { 0 }),
        [Finding::RowZero { col: 77 }]
    );
    assert_eq!(
        rows(&|col| if col < 5 { 0xF } else { 0 }),
        [Finding::RowZero { col: 5 }]
    );
    assert_eq!(rows(&|_| 1), [Finding::RowZero { col: 0 }]);
}

#[test]
fn rule_7_a_tier_is_not_alone() {
    let tiers = |tiers: &[(u8, u8, u8)], ramp: bool| {
        findings(trigger::Source::default(), |map| {
            for &(col, row, tier) in tiers {
                map.set_collision(tile(col, row), Collision::new(0, tier));
                if ramp {
                    map.set_cell(tile(col, row), Cell(Cell::ELEVATION));
                }
            }
        })
    };
    let lone = |col, row| Finding::LoneTier {
        tile: tile(col, row),
    };
    assert_eq!(tiers(&[(5, 5, 1)], false), [lone(5, 5)]);
    assert_eq!(tiers(&[(5, 5, 1)], true), []);
    // A pair, in a line or across, is a slope's.
    assert_eq!(tiers(&[(5, 5, 1), (5, 6, 1)], false), []);
    assert_eq!(tiers(&[(5, 5, 1), (6, 6, 1)], false), []);
    assert_eq!(
        tiers(&[(5, 5, 1), (6, 6, 2), (0, 0, 3), (127, 127, 3)], false),
        [lone(0, 0), lone(5, 5), lone(6, 6), lone(127, 127)]
    );
}

/// Walls around these sub-cells of 64 units, one sub-cell thick.
fn ring(map: &mut MapMut<'_>, first: usize, last: usize) {
    for n in first..=last {
        for (x, z) in [(n, first), (n, last), (first, n), (last, n)] {
            set_wall(map, x, z, true);
        }
    }
}

/// Column c, row r of the walls cover x from 128 c, z from 128 r - 128 on (section 4.1).
fn set_wall(map: &mut MapMut<'_>, x: usize, z: usize, wall: bool) {
    let at = tile((x / 2) as u8, (z / 2 + 1) as u8);
    let bit = 1 << (x % 2 + z % 2 * 2);
    let old = map.map().collision(at);
    let walls = if wall {
        old.walls() | bit
    } else {
        old.walls() & !bit
    };
    map.set_collision(at, Collision::new(walls, old.tier()));
}

#[test]
fn rule_10_a_ring_closes_the_field() {
    let scripts = [Script::from_bytes([60, 60, 3, 1])];
    let teleports = [Teleport::from_bytes([61, 60, 140, 140])];
    let source = trigger::Source {
        scripts: &scripts,
        teleports: &teleports,
        ..trigger::Source::default()
    };
    let with = |source, change: &dyn Fn(&mut MapMut<'_>)| {
        findings(source, |map| {
            map.refresh();
            change(map);
        })
    };
    let open = [Finding::OpenEdge { tile: tile(0, 0) }];
    assert_eq!(with(source, &|_| {}), open);
    // The widest ring: squares from 64 to 16192 units.
    for (first, last, closed) in [
        (1, 252, true),
        (0, 252, false),
        (1, 253, false),
        (9, 200, true),
    ] {
        let found = with(source, &|map| ring(map, first, last));
        assert_eq!(found.is_empty(), closed, "{first} to {last}");
        // Walls where the runtime finds them.
        let mut data = vec![0; SIZE];
        let mut map = MapMut::create(&mut data, &trigger::Source::default()).unwrap();
        ring(&mut map, first, last);
        let walls = map.map().walls();
        let (near, far) = (64 * first as i32, 64 * last as i32);
        assert!(
            walls.at(near + 1, 6400) && walls.at(near + 64, 6400) && !walls.at(near + 65, 6400)
        );
        assert!(walls.at(far + 1, 6400) && !walls.at(far, 6400));
        assert!(walls.at(6400, near) && walls.at(6400, near + 63) && !walls.at(6400, near + 64));
        assert!(walls.at(6400, far) && !walls.at(6400, far - 1));
    }
    for (x, z) in [(1, 100), (100, 1), (252, 100), (100, 252)] {
        let found = with(source, &|map| {
            ring(map, 1, 252);
            set_wall(map, x, z, false);
        });
        let [Finding::OpenEdge { .. }] = found[..] else {
            panic!("a hole at {x}, {z}: {found:?}");
        };
    }
    // A ring around the walk-on and the teleport's tile: its landing, (9024, 9024), is outside.
    assert_eq!(with(source, &|map| ring(map, 100, 135)), open);
    assert_eq!(with(source, &|map| ring(map, 100, 160)), []);
    // Nobody walks onto a trigger of gate 0, and what nobody uses may be open.
    let bound = [Script::from_bytes([60, 60, 3, 0])];
    let unused = trigger::Source {
        scripts: &bound,
        teleports: &[],
        ..source
    };
    assert_eq!(with(unused, &|_| {}), []);
}

/// Who walks on a tile stands half a tile further on: its ground is that from sub-cell 121 to 122 here, and what
/// lies before it is another's.
#[test]
fn rule_10_begins_where_the_dispatch_does() {
    let scripts = [Script::from_bytes([60, 60, 3, 1])];
    let source = trigger::Source {
        scripts: &scripts,
        ..trigger::Source::default()
    };
    let ringed = |first, last| {
        findings(source, |map| {
            map.refresh();
            ring(map, first, last);
        })
    };
    assert_eq!(ringed(120, 123), []);
    // The plain tile's first sub-cell is outside, and nobody fires the tile from there.
    assert_eq!(ringed(121, 123), []);
    // The other way round: a ring around that sub-cell leaves the rest out.
    assert_eq!(ringed(119, 121), [Finding::OpenEdge { tile: tile(0, 0) }]);
    // Tiles off the grid are looked for nowhere else.
    for row in [128, 255] {
        let scripts = [Script::from_bytes([60, row, 3, 1])];
        let source = trigger::Source {
            scripts: &scripts,
            ..source
        };
        let found = findings(source, |map| map.refresh());
        assert_eq!(found, [Finding::TileOffGrid { kind: 1, index: 0 }]);
    }
}

/// The way out of a maze is found, whichever way it turns.
#[test]
fn rule_10_looks_around_corners() {
    let scripts = [Script::from_bytes([60, 60, 3, 1])];
    let source = trigger::Source {
        scripts: &scripts,
        ..trigger::Source::default()
    };
    // Walls across the field, each with a hole at the other end than the one before.
    let maze = |along_x: bool, closed: Option<usize>| {
        findings(source, |map| {
            map.refresh();
            ring(map, 1, 252);
            set_wall(map, 2, 1, along_x);
            set_wall(map, 1, 2, !along_x);
            for line in (4..250).step_by(2) {
                let hole = if line % 4 == 0 { 2 } else { 251 };
                for at in (2..252).filter(|&at| at != hole || closed == Some(line)) {
                    let (x, z) = if along_x { (at, line) } else { (line, at) };
                    set_wall(map, x, z, true);
                }
            }
            // The walk-on's own sub-cells.
            for (x, z) in [(121, 121), (122, 121), (121, 122), (122, 122)] {
                set_wall(map, x, z, false);
            }
        })
    };
    for along_x in [false, true] {
        assert_eq!(maze(along_x, None).len(), 1, "{along_x}");
        assert_eq!(maze(along_x, Some(60)), [], "{along_x}");
    }
}

#[test]
fn rule_11_objects_without_a_script_keep_off_the_last_tiles() {
    // The gate does not matter to the sweep that binds (12.2): a walk-on's tile is an anchor, too.
    let scripts = [[127, 20, 3, 0], [127, 40, 3, 1]].map(Script::from_bytes);
    let source = trigger::Source {
        scripts: &scripts,
        ..trigger::Source::default()
    };
    let found = findings(source, |map| {
        map.refresh();
        // Nobody can stand where the walk-on is.
        set_wall(map, 255, 81, true);
        set_wall(map, 255, 82, true);
        map.set_object(9, &placed(0));
        for at in [(127, 20), (127, 40), (127, 30), (40, 127), (126, 126)] {
            let Cell(word) = map.map().cell(tile(at.0, at.1));
            map.set_cell(tile(at.0, at.1), Cell(word | 9));
        }
    });
    let unbound = |col, row| Finding::UnboundAtEdge {
        tile: tile(col, row),
        object: 9,
    };
    assert_eq!(found, [unbound(127, 30), unbound(40, 127)]);
}

#[test]
fn rule_12_landings_are_clear() {
    // 0 and 1 lead to each other's tile; 2 lands a tile beside 0's, 3 at a door.
    let teleports = [
        Teleport::from_bytes([10, 10, 40, 40]),
        Teleport::from_bytes([20, 20, 20, 20]),
        Teleport::from_bytes([90, 90, 22, 20]),
        Teleport::from_bytes([91, 90, 60, 60]),
    ];
    let scripts = [Script::from_bytes([30, 31, 3, 0])];
    let source = trigger::Source {
        teleports: &teleports,
        scripts: &scripts,
        ..trigger::Source::default()
    };
    let door = |offset: [i16; 3], script: bool| {
        let walled = |map: &mut MapMut<'_>| {
            map.refresh();
            ring(map, 1, 252);
            map.set_object(
                9,
                &Object {
                    offset,
                    anchor: if script { [0, 1] } else { [0, 0] },
                    fine: if script { [0, -8] } else { [0, 0] },
                    ..placed(0)
                },
            );
            map.set_cell(tile(30, 30), Cell(9));
        };
        findings(source, walled)
    };
    let fires = |index, other| Finding::LandingFires { index, other };
    let touches = Finding::LandingTouches {
        index: 3,
        object: 9,
    };
    let both = [fires(0, 1), fires(1, 0)];
    // Teleport 3 lands at (3904, 3904), the object's box is around (3904, 3904) and its offset.
    assert_eq!(teleports[3].landing(), [3904, 3904]);
    assert_eq!(door([0; 3], true), [both[0], both[1], touches]);
    assert_eq!(door([79, 0, -79], true), [both[0], both[1], touches]);
    assert_eq!(door([80, 0, 0], true), both);
    assert_eq!(door([0, 0, 80], true), both);
    // What no script binds is no door.
    assert_eq!(door([0; 3], false), both);
}

/// A landing fires the tile that the dispatch takes it for, half a tile behind the plain one: for odd destinations
/// another.
#[test]
fn rule_12_knows_the_dispatch() {
    // 0 lands at (3968, 3968): the middle of nothing by the plain mapping, where tile (31, 31) begins.
    for (col, row, fires) in [(30, 30, true), (31, 31, false), (30, 31, false)] {
        let teleports = [
            Teleport::from_bytes([10, 42, 61, 61]),
            Teleport::from_bytes([col, row, 100, 100]),
        ];
        assert_eq!(teleports[0].landing(), [3968, 3968]);
        let source = trigger::Source {
            teleports: &teleports,
            ..trigger::Source::default()
        };
        let found = findings(source, |map| {
            map.refresh();
            ring(map, 1, 252);
        });
        let expected = [Finding::LandingFires { index: 0, other: 1 }];
        assert_eq!(found, expected[..usize::from(fires)], "({col}, {row})");
    }
}

/// And what a walk-on's trigger binds stands in a landing's way like any door.
#[test]
fn rule_12_knows_who_is_bound() {
    let teleports = [Teleport::from_bytes([90, 90, 60, 60])];
    for gate in 0..2 {
        let scripts = [Script::from_bytes([30, 30, 3, gate])];
        let source = trigger::Source {
            teleports: &teleports,
            scripts: &scripts,
            ..trigger::Source::default()
        };
        let found = findings(source, |map| {
            map.refresh();
            ring(map, 1, 252);
            map.set_object(9, &placed(0));
            let Cell(word) = map.map().cell(tile(30, 30));
            map.set_cell(tile(30, 30), Cell(word | 9));
        });
        let touches = Finding::LandingTouches {
            index: 0,
            object: 9,
        };
        assert_eq!(found, [touches], "gate {gate}");
    }
}

#[test]
fn rule_14_no_crowds() {
    // A row of objects, two on a tile's length apart by their records' offsets.
    let crowd = |number: u16, apart: i16| {
        findings(trigger::Source::default(), |map| {
            for n in 0..number {
                let object = Object {
                    offset: [apart * (n as i16 - 20), 0, 0],
                    ..placed(0)
                };
                map.set_object(10 + n, &object);
                map.set_cell(tile(50, 20 + n as u8 % 6), Cell(10 + n));
                map.set_cell(tile(51 + n as u8 / 6, 20 + n as u8 % 6), Cell(10 + n));
            }
        })
    };
    assert_eq!(crowd(16, 0), []);
    // 24 in a block of four columns, and six again in column 50: 30 in all.
    assert_eq!(crowd(24, 0), []);
    let found = crowd(30, 0);
    let [
        Finding::Crowd {
            at: [x, z],
            objects,
        },
    ] = found[..]
    else {
        panic!("{found:?}");
    };
    assert_eq!(objects, 36);
    // Six rows and six columns of tiles, all within reach of their middle.
    for (at, first) in [(x, 50), (z, 20)] {
        let edges = (128 * first + 64, 128 * (first + 5) + 64);
        assert!(at + 384 >= edges.1 && at <= edges.0 + 384, "{x}, {z}");
    }
    // Spread out they are few everywhere.
    assert_eq!(crowd(30, 200), []);
}

#[test]
fn what_a_builder_should_not_write() {
    let mut data = vec![0; SIZE];
    let mut fresh = |change: &dyn Fn(&mut MapMut<'_>), source: trigger::Source<'_>| {
        let mut map = MapMut::create(&mut data, &source).unwrap();
        change(&mut map);
        map.map().lint()
    };
    let none = trigger::Source::default();
    assert_eq!(fresh(&|_| {}, none), Ok(()));
    let object = |flags, anchor| Object {
        flags,
        anchor,
        ..Object::default()
    };
    let ground = object(flag::GROUND, [0, 0]);
    assert_eq!(
        fresh(&|map| map.set_object(0, &ground), none),
        Err(Finding::RecordZero)
    );
    let lost = |map: &mut MapMut<'_>| {
        map.set_object(9, &object(flag::PLACED, [0, 1]));
        map.set_cell(tile(3, 127), Cell(9));
    };
    let finding = Finding::AnchorOffGrid {
        tile: tile(3, 127),
        object: 9,
    };
    assert_eq!(fresh(&lost, none), Err(finding));
    let finding = Finding::GroundEnds { object: 4 };
    assert_eq!(fresh(&|map| map.set_object(4, &ground), none), Err(finding));
    let scripts = [Script::from_bytes([1, 2, 3, 2])];
    let source = trigger::Source {
        scripts: &scripts,
        ..none
    };
    let index = 0;
    assert_eq!(
        fresh(&|_| {}, source),
        Err(Finding::Unmarked { kind: 1, index })
    );
    let gate = Finding::Gate { index, gate: 2 };
    assert_eq!(fresh(&|map| map.refresh(), source), Err(gate));
    for ([z0, z1], found) in [
        ([4, 9], Err(Finding::RegionOrder { index })),
        ([9, 4], Ok(())),
    ] {
        let regions = [Region::from_bytes([1, z0, 5, z1, 1, 0, 0, 0])];
        let source = trigger::Source {
            regions: &regions,
            ..none
        };
        assert_eq!(fresh(&|_| {}, source), found);
    }
}
