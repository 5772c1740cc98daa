//! Section J: triggers, doorways, regions.

use super::common::{empty, field, ground, heights, refreshed, script, tile};
use overworld_runtime::field::Ground;
use overworld_runtime::field::actor::flag;
use overworld_runtime::field::compat::{Compat, FallbackMarks};
use overworld_runtime::field::crossing::{Area, Crossed, Crossing, Regions};
use overworld_runtime::field::ground::NO_HEIGHTS;
use overworld_runtime::field::map::trigger::{self, Region, Script, Source, Teleport};
use overworld_runtime::field::map::{Cell, Map, MapMut, Triggers};
use overworld_runtime::field::units::{Point, dispatch_tile};
use overworld_runtime::scene::man::camera::{CameraRegion, Cameras, emit};

fn door(at: [u8; 2], destination: [u8; 2]) -> Teleport {
    Teleport {
        tile: at,
        destination,
    }
}

#[test]
fn j1_to_j4_doorways() {
    let vectors = [
        ([72, 46], (4672, 3008), (36, 23), (36, 23)),
        ([0, 0], (64, 64), (0, 0), (0, 0)),
        ([255, 255], (16384, 16384), (127, 127), (128, 128)),
        ([21, 84], (1408, 5440), (10, 42), (11, 42)),
    ];
    for (number, (destination, (x, z), (col, row), position)) in (1..).zip(vectors) {
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
        // The plain tile of that place, and the one that the dispatch takes it for: that which was asked.
        let [plain, dispatched] = [0, Compat::SHEET.trigger_bias]
            .map(|bias| dispatch_tile(field.player.x.into(), field.player.z.into(), bias));
        assert_eq!(plain, [position.0, position.1], "J{number}");
        assert_eq!(dispatched, [col.into(), row.into()], "J{number}");
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

/// The window is to be rebuilt on entry and when another box is latched, not on every tile.
#[test]
fn the_area_says_when_the_window_changes() {
    let region = |corners, ty| Region {
        corners,
        ty,
        ..Region::default()
    };
    let data = refreshed(&Source {
        regions: &[
            region([0, 90, 20, 0], 0),
            region([20, 90, 60, 0], 1),
            region([5, 90, 6, 0], 7),
        ],
        ..Source::default()
    });
    let ground = ground(&data, &NO_HEIGHTS);
    let mut area = Area::STALE;
    // Columns by the biased mapping.
    let mut come = |col: i16, within: i16, overworld| {
        let at = Point::new(128 * col + 64 + within, 700);
        let changed = area.refresh(&ground, at, overworld);
        (changed, area.regions.bounds[0], area.regions.mask)
    };
    assert_eq!(come(4, 0, false), (true, 0, 1), "entry");
    assert_eq!(come(4, 100, false), (false, 0, 1));
    assert_eq!(
        come(5, 0, false),
        (false, 0, 0x81),
        "another mask, the same box"
    );
    assert_eq!(come(19, 127, false), (false, 0, 1));
    assert_eq!(come(20, 0, false), (true, 20, 2));
    assert_eq!(come(70, 0, false), (true, 0, 0), "the whole map");
    assert_eq!(area.regions, Regions::WHOLE);
    let mut world = Area::STALE;
    assert!(world.refresh(&ground, Point::new(600, 700), true));
    assert_eq!(world.regions.bounds, Regions::WHOLE.bounds);
    assert!(!world.refresh(&ground, Point::new(3000, 700), true));
}

/// Row 15: by the sources' own words only records of gate 0 mark their cells, and no block has any.
#[test]
fn which_fallback_records_mark_is_a_reading() {
    let scripts = [
        script([20, 20], 6, Script::WALK_ON),
        script([21, 20], 6, Script::BIND),
    ];
    let source = Source {
        scripts: &scripts,
        ..Source::default()
    };
    let mut block = vec![0; 0x800];
    trigger::emit(&source, &mut block).unwrap();
    let fallback = Triggers::lenient(&block);
    for (compat, walked_on) in [(Compat::SHEET, true), (Compat::OTHER, false)] {
        let mut data = empty();
        let mut map = MapMut::parse(&mut data).unwrap();
        map.mark_fallback_by(&fallback, &compat);
        let marked = |col| map.map().cell(tile(col, 20)).has(Cell::SCRIPT);
        assert_eq!((marked(20), marked(21)), (walked_on, true));
    }
    assert_eq!(Compat::OTHER.fallback_marks, FallbackMarks::GateZero);
}

/// Where there are no cells the tables say which tiles are marked, as the refresh would.
#[test]
fn bare_ground_has_the_marks_of_its_tables() {
    let doors = [door([3, 4], [8, 8])];
    let scripts = [script([5, 6], 1, Script::WALK_ON)];
    let elevations = [trigger::Elevation {
        tile: [7, 8],
        coarse: 1,
        quads: 0,
    }];
    let source = Source {
        teleports: &doors,
        scripts: &scripts,
        elevations: &elevations,
        ..Source::default()
    };
    let data = refreshed(&source);
    let mut block = vec![0; 0x800];
    let other = [
        script([9, 9], 2, Script::WALK_ON),
        script([5, 6], 3, Script::WALK_ON),
    ];
    let fallback = Source {
        teleports: &[door([1, 1], [2, 2])],
        scripts: &other,
        ..Source::default()
    };
    trigger::emit(&fallback, &mut block).unwrap();
    let fallback = Triggers::lenient(&block);
    let mut marked = data.clone();
    MapMut::parse(&mut marked).unwrap().mark_fallback(&fallback);
    let map = Map::parse(&marked).unwrap();
    let heights = heights([(0, -70)]);
    let full = Ground::new(map, fallback, &heights);
    let grid = [0; 0x4000];
    let bare = Ground::bare(&grid, &heights).with_triggers(map.triggers(), fallback);
    let marks = Cell::TELEPORT | Cell::SCRIPT | Cell::ELEVATION;
    for col in 0..12 {
        for row in 0..12 {
            let at = tile(col, row);
            assert_eq!(bare.cell(at).0, full.cell(at).0 & marks, "{at:?}");
            let (x, z) = (128 * i32::from(col) + 70, 128 * i32::from(row) + 3);
            assert_eq!(bare.floor(x, z), full.floor(x, z), "{at:?}");
        }
    }
    assert_eq!(bare.floor(7 * 128, 8 * 128), -70 - 32);
    // Other walls under the same map.
    let walled = [0xF1; 0x4000];
    let painted = full.with_walls(&walled);
    assert!(painted.walls().at(1000, 1000) && !full.walls().at(1000, 1000));
    assert_eq!(painted.cell(tile(3, 4)), full.cell(tile(3, 4)));
}

/// Section 10.6: the first zone that matches; its kind says what that means.
#[test]
fn camera_zones_match_by_their_kind() {
    let zone = |kind, min, max, mark| CameraRegion {
        kind,
        min,
        max,
        preset: [mark; 13],
    };
    let zones = [
        // Its anchor must lie in the latched box; its own box does not matter.
        zone(0, [10, 10], [0, 0], 1),
        zone(1, [30, 30], [40, 40], 2),
        zone(7, [0, 0], [0, 0], 3),
        zone(39, [0, 0], [0, 0], 4),
        zone(1, [0, 0], [127, 127], 5),
    ];
    let mut out = [0; 256];
    let len = emit(&zones, &mut out).unwrap();
    let cameras = Cameras::parse(&out[..len]).unwrap();
    let mark = |bounds, mask, col: i32, row: i32| {
        let regions = Regions {
            bounds,
            mask,
            ..Regions::WHOLE
        };
        let found = cameras.zone(&regions, 128 * col + 64, 128 * row + 64);
        found.map(|it| it.preset[0])
    };
    let near = [5, 5, 10, 20];
    // Both edges of the latched box are inside, for the anchor and for the tile.
    assert_eq!(mark(near, 0, 10, 20), Some(1));
    assert_eq!(mark(near, 0, 11, 20), Some(5));
    assert_eq!(
        mark([5, 5, 9, 20], 0, 9, 20),
        Some(5),
        "the anchor is outside"
    );
    // An inverted box holds nothing.
    assert_eq!(mark([10, 20, 5, 5], 0, 7, 10), Some(5));
    assert_eq!(mark([127, 0, 127, 0], 0, 40, 40), Some(2));
    assert_eq!(mark([127, 0, 127, 0], 0, 41, 40), Some(5));
    // Half a tile back.
    let at = |x| {
        cameras.zone(
            &Regions {
                bounds: near,
                ..Regions::WHOLE
            },
            x,
            900,
        )
    };
    assert_eq!(at(10 * 128 + 191).map(|it| it.preset[0]), Some(1));
    assert_eq!(at(10 * 128 + 192).map(|it| it.preset[0]), Some(5));
    // Bits of the mask, before what follows; of the kind five bits count.
    assert_eq!(mark([127, 0, 127, 0], 1 << 7, 60, 60), Some(3));
    assert_eq!(mark([127, 0, 127, 0], 1 << 6, 60, 60), Some(5));
    assert_eq!(mark([127, 0, 127, 0], 0, -1, 60), None);
}
