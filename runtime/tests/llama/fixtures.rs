//! The examples E7 to E11 as values, and what tests share.

use overworld_runtime::llama::map::{
    Alternative, PartSource, PathSource, Point, Region, Source, Strat, Tile, Type, Waypoint, Zone,
    emit, size,
};
use overworld_runtime::llama::trak::{self, ModelSource};
use overworld_runtime::llama::{Flags, Float, Map, Models};

/// Vertex counts of E7.
pub const NV: [u32; 2] = [2, 3];
/// Flags of E9.
pub const FULL: Flags = Flags(0x1421_0010);

/// Bytes of a text of hexadecimal digits; all else is left out.
pub fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u32> = text.chars().filter_map(|it| it.to_digit(16)).collect();
    assert_eq!(digits.len() % 2, 0);
    digits
        .chunks(2)
        .map(|it| (it[0] * 16 + it[1]) as u8)
        .collect()
}

pub fn tile(x: f32, y: f32, z: f32, angle: u32, model: u32, alternative: u32) -> Tile {
    Tile {
        at: [x, y, z].map(|it| Float(it.to_bits())),
        angle,
        model,
        alternative,
    }
}

/// The two models of E7.
pub fn trak() -> Vec<u8> {
    let model = |vertices, faces, floor| ModelSource {
        header: [0; trak::HEADER],
        vertices,
        faces,
        collision: [floor, &[], &[]],
    };
    let models = [
        model(&[0; 2 * 24][..], &[][..], &[][..]),
        model(&[0; 3 * 24], &[0; 28], &[0; 32]),
    ];
    let mut out = vec![0xEE; 500];
    let len = trak::emit(&models, &mut out).unwrap();
    out.truncate(len);
    out
}

/// E5.
pub fn zone() -> Zone {
    Zone {
        cell: [4, 0, 7],
        target: [18_432, 6144, 30_720],
        flags: Zone::START,
        fog: [81_920, 163_840],
        ambient: 0x40_4040,
        backdrop: 0x80_4020,
        music: 5,
        ..Zone::default()
    }
}

/// E6.
pub fn waypoints() -> [Waypoint; 4] {
    let at = |next, ry, x, y, z, value| Waypoint {
        next,
        angles: [0, ry, 0],
        at: [x, y, z],
        values: [value, 0],
        ..Waypoint::default()
    };
    [
        at(1, 0, 4096, 2048, 8192, 0),
        at(1, 1024, 8192, 2048, 8192, 0),
        at(0, 2048, 12_288, 2048, 8192, 7),
        at(0, 0, 36_864, 0, 36_864, 0),
    ]
}

/// E10.
pub fn strats() -> [Strat; 2] {
    [
        Strat {
            angles: [0, 1024, 0],
            at: [2048, 1024, 2048],
            ty: Type {
                code: 0x1234,
                variables: 78,
                slots: 4,
                flags: 0x24_8000,
                extra: 1,
            },
            parameters: 0,
            pool: -1,
            waypoint: -1,
            ..Strat::default()
        },
        Strat {
            at: [6144, 1024, 2048],
            ty: Type {
                code: 0x2000,
                variables: 5,
                slots: 1,
                flags: 0x8000,
                extra: 0,
            },
            parameters: 2,
            pool: 0,
            waypoint: 0,
            flags: Strat::DORMANT,
            ..Strat::default()
        },
    ]
}

/// Blocks 10 and 11 of E9.
pub const COLOURS: &str = "
    0A 14 1E 01 0A 14 1E 01
    01 02 03 02 04 05 06 01 07 08 09 00  09 09 09 00 09 09 09 00 09 09 09 00
    32 32 32 01 32 32 32 01  3C 3C 3C 00 3C 3C 3C 00
    80 C8 FF 00 80 C8 FF 00";

/// Writes a source.
pub fn bytes(source: &Source<'_>) -> Vec<u8> {
    let mut out = vec![0xEE; size(source) as usize];
    assert_eq!(emit(source, &mut out), Ok(out.len()));
    out
}

/// E8.
pub fn minimal() -> Vec<u8> {
    bytes(&Source {
        width: 1,
        height: 1,
        tiles: &[tile(0.5, 0.0, -0.5, 0, 0, 0)],
        grid: &[0],
        colours: &hex("40 40 40 01 80 80 80 01"),
        ..Source::default()
    })
}

/// Calls with the source of E9.
pub fn with_full<T>(then: impl FnOnce(&Source<'_>) -> T) -> T {
    let mut regions = [Region::default(); 32];
    regions[0].flags = 1;
    regions[1] = Region {
        flags: 2,
        value: 0xFFFF_0000,
    };
    let point = |x, z, y, ty, angle| Point {
        at: [x, z],
        y,
        ty,
        angle,
    };
    let points = [
        point(0x1000, 0x2000, 0x3000, 1, 0),
        point(0x4000, 0x5000, 0x6000, 10, 0x200),
    ];
    let parts = [PartSource {
        flags: 0,
        points: &points,
    }];
    then(&Source {
        flags: FULL,
        width: 2,
        height: 2,
        tiles: &[
            tile(0.5, 0.0, -0.5, 0, 0, 0),
            tile(1.5, 0.0, -0.5, 1024, 1, 1),
            tile(0.5, 0.25, -1.5, 3072, 0, 0),
        ],
        pool: &[0x1000, 0xFFFF_F000],
        zones: &[zone()],
        waypoints: &waypoints()[..3],
        regions,
        grid: &[0, 1, 0, 1],
        derived: None,
        alternatives: &[Alternative {
            at: [1, 0, 0],
            normal: 1,
            model: 0,
        }],
        colours: &hex(COLOURS),
        strats: &strats(),
        pool_extra: 10,
        paths: &[PathSource { parts: &parts }, PathSource::default()],
        particles: Some(300),
        tail: 0x0102,
    })
}

/// E9.
pub fn full() -> Vec<u8> {
    with_full(bytes)
}

/// Read with the models of E7.
pub fn read(data: &[u8], flags: Flags) -> Map<'_> {
    Map::parse_lenient(data, flags, Models::Table(&NV)).unwrap()
}

/// What is read, written again from its values.
pub fn rebuild(map: &Map<'_>) -> Vec<u8> {
    let tiles: Vec<_> = map.tiles().iter().collect();
    let pool: Vec<_> = map.pool().iter().collect();
    let zones: Vec<_> = map.zones().iter().collect();
    let waypoints: Vec<_> = map.waypoints().iter().collect();
    let regions: Vec<_> = map.regions().iter().collect();
    let grid: Vec<_> = map.grid().iter().collect();
    let fixed: Vec<_> = map.fixed().iter().collect();
    let models: Vec<_> = map.numbers().iter().collect();
    let alternatives: Vec<_> = map.alternatives().iter().collect();
    let colours: Vec<u8> = map
        .colours()
        .flat_map(|it| {
            let other = it.alternative.map_or(&[][..], |it| it.data);
            [it.base.data, other].concat()
        })
        .collect();
    let strats: Vec<_> = map.strats().iter().collect();
    let points: Vec<Vec<(u16, Vec<Point>)>> = map
        .paths()
        .map(|path| {
            let parts = path.parts();
            parts.map(|it| (it.flags, it.points().collect())).collect()
        })
        .collect();
    let parts: Vec<Vec<PartSource<'_>>> = points
        .iter()
        .map(|path| {
            let parts = path.iter();
            let source = |it| {
                let (flags, points): &(u16, Vec<Point>) = it;
                PartSource {
                    flags: *flags,
                    points,
                }
            };
            parts.map(source).collect()
        })
        .collect();
    let paths: Vec<_> = parts.iter().map(|parts| PathSource { parts }).collect();
    bytes(&Source {
        flags: map.flags(),
        width: map.width(),
        height: map.height(),
        tiles: &tiles,
        pool: &pool,
        zones: &zones,
        waypoints: &waypoints,
        regions: regions.try_into().unwrap(),
        grid: &grid,
        derived: Some((&fixed, &models)),
        alternatives: &alternatives,
        colours: &colours,
        strats: &strats,
        pool_extra: map.pool_extra(),
        paths: &paths,
        particles: map.particles(),
        tail: map.tail(),
    })
}
