//! What the triggers say: section J, elevations, lookups.

use super::common::tile;
use overworld_runtime::field::map::trigger::{self, Elevation, Region, Script, Teleport};
use overworld_runtime::field::map::{Combined, Map, MapMut, SIZE, Tile, Triggers};

#[test]
fn j1_to_j4_teleports() {
    let vectors = [
        ((72, 46), [4672, 3008], (36, 23), Some((36, 23))),
        ((0, 0), [64, 64], (0, 0), Some((0, 0))),
        ((255, 255), [16384, 16384], (127, 127), None),
        ((21, 84), [1408, 5440], (10, 42), Some((11, 42))),
    ];
    for ((x, z), landing, query, position) in vectors {
        let teleport = Teleport {
            tile: [0, 0],
            destination: [x, z],
        };
        assert_eq!(teleport.landing(), landing);
        assert_eq!(teleport.query_tile(), Some(tile(query.0, query.1)));
        let [x, z] = landing;
        let position = position.map(|(col, row)| tile(col, row));
        assert_eq!(Tile::containing(x, z), position);
    }
}

#[test]
fn j5_to_j10_regions() {
    let vectors = include!("../../../tests/battery/tables/regions.rs");
    for (number, ([x0, z0, x1, z1], ty, (col, row), inside)) in (5..).zip(vectors) {
        let region = Region::from_bytes([x0, z0, x1, z1, ty, 0, 0, 0]);
        assert_eq!(region.contains(tile(col, row)), inside, "J{number}");
        assert_eq!(region.mask(), 1 << ty);
    }
    // A box without depth at the edge reaches below row 0 and does not wrap.
    let edge = Region::from_bytes([0, 0, 0, 0, 33, 0, 0, 0]);
    assert!(Tile::all().all(|it| !edge.contains(it)));
    assert_eq!(edge.mask(), 2);
}

#[test]
fn g11_to_g20_elevations() {
    // The floor of an overridden tile is the mean of its corners plus this. The vectors' heights are 0
    // (tile (1, 1)) and -64 (tile (17, 16)) at all corners.
    let first = Elevation::from_bytes([1, 1, 2, 0x2A]);
    for (x, z, height) in [
        (138, 138, -96),
        (198, 138, -96),
        (138, 198, -96),
        (198, 198, -64),
        (255, 255, -64),
    ] {
        assert_eq!(first.offset(x, z), height);
    }
    let second = Elevation::from_bytes([17, 16, 0xFD, 0xE4]);
    assert_eq!(second.coarse, -3);
    for (x, z, height) in [
        (2176, 2048, 32),
        (2240, 2048, 16),
        (2176, 2112, 0),
        (2240, 2112, -16),
    ] {
        assert_eq!(-64 + second.offset(x, z), height);
    }
}

#[test]
fn lookups_take_the_first_and_the_map_first() {
    let teleport = |x| Teleport {
        tile: [3, 4],
        destination: [x, 0],
    };
    let script = |record, tile| Script {
        tile,
        record,
        gate: 1,
    };
    let elevation = |coarse, tile| Elevation {
        tile,
        coarse,
        quads: 0,
    };
    let mut map = vec![0; SIZE];
    let source = trigger::Source {
        teleports: &[teleport(1), teleport(2)],
        scripts: &[script(1, [5, 6]), script(2, [200, 6]), script(3, [5, 6])],
        elevations: &[elevation(-1, [7, 7])],
        regions: &[Region::default()],
    };
    MapMut::create(&mut map, &source).unwrap();
    let map = Map::parse(&map).unwrap();
    let mut block = vec![0; 0x2000];
    let source = trigger::Source {
        teleports: &[teleport(8)],
        scripts: &[script(8, [5, 6]), script(9, [9, 9])],
        elevations: &[elevation(8, [7, 7]), elevation(9, [8, 8])],
        regions: &[],
    };
    trigger::emit(&source, &mut block).unwrap();
    let both = Combined {
        map: map.triggers(),
        patch: Triggers::lenient(&block),
    };
    assert_eq!(both.teleport(tile(3, 4)), Some(teleport(1)));
    assert_eq!(both.script(tile(5, 6)), Some(script(1, [5, 6])));
    assert_eq!(both.script(tile(9, 9)), Some(script(9, [9, 9])));
    assert_eq!(both.script(tile(9, 8)), None);
    assert_eq!(both.elevation(tile(7, 7)), Some(elevation(-1, [7, 7])));
    assert_eq!(both.elevation(tile(8, 8)), Some(elevation(9, [8, 8])));
    assert_eq!(both.teleport(tile(4, 3)), None);
    // The record off the grid is there, but no tile finds it.
    assert_eq!(map.triggers().scripts().count(), 3);
    assert!(Tile::all().all(|it| both.script(it).is_none_or(|found| found.record != 2)));
}
