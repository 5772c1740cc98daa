//! A cut of the llama sheet's examples: a map with all blocks, its mutations, cells, edits and names.

use core::hint::black_box;
use core::marker::PhantomData;

use overworld_runtime::bytes::crc32;
use overworld_runtime::llama::map::{
    Alternative, Block, Cells, Error, Map, PartSource, PathSource, Place, Point, Region, Source,
    Strat, Tile, Type, Waypoint, Zone, build, edit,
};
use overworld_runtime::llama::{Flags, Float, Models, Name, Stpc};

use crate::Machine;
use crate::bench::per_call;
use crate::check::{Check, List, reason, same};

pub(crate) struct Tests<G>(PhantomData<G>);

impl<G: 'static> Tests<G> {
    pub(crate) const ALL: List<G> = &[
        ("llama/map", map),
        ("llama/mutations", mutations),
        ("llama/cells", cells),
        ("llama/edits", edits),
        ("llama/names", names),
    ];
}

/// Flags of E9, vertex counts of E7.
const FLAGS: Flags = Flags(0x1421_0010);
const NV: [u32; 2] = [2, 3];
/// Bytes of E9.
const SIZE: usize = 910;

/// A tile; coordinates in 1/4096, as they are in the world.
fn tile(x: i32, y: i32, z: i32, angle: u32, model: u32, alternative: u32) -> Tile {
    Tile {
        at: [x, y, z].map(Float::from_fixed),
        angle,
        model,
        alternative,
    }
}

/// Writes E9.
fn example(out: &mut [u8]) -> Result<usize, Error> {
    let mut regions = [Region::default(); 32];
    let [first, second, ..] = &mut regions;
    first.flags = 1;
    *second = Region {
        flags: 2,
        value: 0xFFFF_0000,
    };
    let waypoint = |next, ry, x, value| Waypoint {
        next,
        angles: [0, ry, 0],
        at: [x, 2048, 8192],
        values: [value, 0],
        ..Waypoint::default()
    };
    let point = |at, y, ty, angle| Point { at, y, ty, angle };
    let points = [
        point([0x1000, 0x2000], 0x3000, 1, 0),
        point([0x4000, 0x5000], 0x6000, 10, 0x200),
    ];
    let parts = [PartSource {
        flags: 0,
        points: &points,
    }];
    let strat = |code, variables, slots, flags, extra| Type {
        code,
        variables,
        slots,
        flags,
        extra,
    };
    let source = Source {
        flags: FLAGS,
        width: 2,
        height: 2,
        tiles: &[
            tile(2048, 0, -2048, 0, 0, 0),
            tile(6144, 0, -2048, 1024, 1, 1),
            tile(2048, 1024, -6144, 3072, 0, 0),
        ],
        pool: &[0x1000, 0xFFFF_F000],
        zones: &[Zone {
            cell: [4, 0, 7],
            target: [18_432, 6144, 30_720],
            flags: Zone::START,
            fog: [81_920, 163_840],
            ambient: 0x40_4040,
            backdrop: 0x80_4020,
            music: 5,
            ..Zone::default()
        }],
        waypoints: &[
            waypoint(1, 0, 4096, 0),
            waypoint(1, 1024, 8192, 0),
            waypoint(0, 2048, 12_288, 7),
        ],
        regions,
        grid: &[0, 1, 0, 1],
        derived: None,
        alternatives: &[Alternative {
            at: [1, 0, 0],
            normal: 1,
            model: 0,
        }],
        colours: &[
            0x0A, 0x14, 0x1E, 1, 0x0A, 0x14, 0x1E, 1, 1, 2, 3, 2, 4, 5, 6, 1, 7, 8, 9, 0, 9, 9, 9,
            0, 9, 9, 9, 0, 9, 9, 9, 0, 0x32, 0x32, 0x32, 1, 0x32, 0x32, 0x32, 1, 0x3C, 0x3C, 0x3C,
            0, 0x3C, 0x3C, 0x3C, 0, 0x80, 0xC8, 0xFF, 0, 0x80, 0xC8, 0xFF, 0,
        ],
        strats: &[
            Strat {
                angles: [0, 1024, 0],
                at: [2048, 1024, 2048],
                ty: strat(0x1234, 78, 4, 0x24_8000, 1),
                pool: -1,
                waypoint: -1,
                ..Strat::default()
            },
            Strat {
                at: [6144, 1024, 2048],
                ty: strat(0x2000, 5, 1, 0x8000, 0),
                parameters: 2,
                flags: Strat::DORMANT,
                ..Strat::default()
            },
        ],
        pool_extra: 10,
        paths: &[PathSource { parts: &parts }, PathSource::default()],
        particles: Some(300),
        tail: 0x0102,
    };
    build(&source, Models::Table(&NV), None, out)
}

fn read(data: &[u8], flags: Flags) -> Result<Map<'_>, Error> {
    Map::parse(data, flags, Models::Table(&NV))
}

fn map<G>(_: &mut G) -> Check {
    let mut data = [0; SIZE];
    same!(example(&mut data), Ok(SIZE), "E9");
    same!(crc32(&data), 0x9CD5_0D3E, "CRC of E9");
    let map = read(&data, FLAGS).map_err(|error| reason(format_args!("{error}")))?;
    let starts = [
        (Block::Tiles, 0x0C),
        (Block::Fixed, 0x238),
        (Block::Colours, 0x2A4),
        (Block::Strats, 0x2DC),
        (Block::Tail, 0x38C),
    ];
    for (block, start) in starts {
        same!(map.span(block).start, start, "{block}");
    }
    for (colours, frames) in map.colours().zip([(1, None), (2, Some(2)), (1, None)]) {
        let other = colours.alternative.map(|it| it.frames);
        same!((colours.base.frames, other), frames, "frames");
    }
    same!(map.chain_end(0), Ok(2), "end of the chain");
    let flags = map
        .paths()
        .flat_map(|it| it.parts())
        .next()
        .map(|it| it.loaded_flags());
    same!(flags, Some(0x442), "flags of the path");
    let fog = map.zones().get(0).map(|it| it.object_fog());
    same!(fog, Some([122_880, 245_760]), "fog of objects");
    Ok(())
}

fn mutations<G>(_: &mut G) -> Check {
    let mut data = [0; SIZE];
    same!(example(&mut data), Ok(SIZE), "E9");
    let truncated = |flags: u32, data: &[u8]| match read(data, Flags(FLAGS.0 & !flags)) {
        Err(Error::Truncated { offset, .. }) => Some(offset),
        _ => None,
    };
    let [short @ .., _] = &data;
    for (flags, data, offset) in [
        (0, &short[..], 0x38C),
        (0x1_0000, &data[..], 0x35E),
        (0x400_0000, &data[..], 0x384),
    ] {
        same!(truncated(flags, data), Some(offset), "without {flags:#x}");
    }
    for (at, value, name) in [(0x280, 9, "ModelIndex"), (0x28C, 2, "AltCount")] {
        let mut changed = data;
        if let Some(byte) = changed.get_mut(at) {
            *byte = value;
        }
        let found = match read(&changed, FLAGS) {
            Err(Error::ModelIndex { .. }) => "ModelIndex",
            Err(Error::AltCount { .. }) => "AltCount",
            _ => "something else",
        };
        same!(found, name, "byte {at:#x}");
    }
    Ok(())
}

/// X and z in hundredths, column, row and place of E4.
const CELLS: [(i32, i32, i32, i32, Place); 8] = [
    (250, -350, 2, 3, Place::Cell(290)),
    (9550, -9550, 95, 95, Place::Cell(9215)),
    (149, -151, 0, 1, Place::Cell(96)),
    (-40, 40, 0, 0, Place::Cell(0)),
    (-50, -50, -1, 0, Place::Foreign),
    (50, 50, 0, -1, Place::Foreign),
    (9650, -50, 96, 0, Place::Wrong(96)),
    (9650, -9550, 96, 95, Place::Foreign),
];

fn cells<G>(_: &mut G) -> Check {
    for (x, z, col, row, place) in CELLS {
        let tile = tile(x * 4096 / 100, 0, z * 4096 / 100, 0, 0, 0);
        same!(tile.cell(), Some([col, row]), "{x} {z}");
        same!(tile.place(96, 96), place, "{x} {z}");
    }
    let mut data = [0; SIZE];
    same!(example(&mut data), Ok(SIZE), "E9");
    let map = read(&data, FLAGS).map_err(|error| reason(format_args!("{error}")))?;
    let (mut heads, mut next) = ([0; 4], [0; 3]);
    let cells = Cells::link(&map, &mut heads, &mut next);
    let cells = cells.map_err(|error| reason(format_args!("{error}")))?;
    for cell in 0..3 {
        same!(cells.of(cell).next(), Some(cell as u32), "cell {cell}");
    }
    Ok(())
}

fn edits<G>(_: &mut G) -> Check {
    let (mut data, mut more, mut less) = ([0; SIZE], [0; SIZE + 70], [0; SIZE]);
    same!(example(&mut data), Ok(SIZE), "E9");
    let map = read(&data, FLAGS).map_err(|error| reason(format_args!("{error}")))?;
    let new = tile(6144, 0, -6144, 0, 1, 0);
    let added = edit::add_tile(&map, &new, None, &[1; 12], &mut more);
    same!(added, Ok(SIZE + 52 + 12), "a tile more");
    let data_more = more.get(..SIZE + 64).unwrap_or_default();
    let map = read(data_more, FLAGS).map_err(|error| reason(format_args!("{error}")))?;
    same!(map.tiles().get(3), Some(new), "the new tile");
    same!(
        edit::delete_tile(&map, 3, &mut less),
        Ok(SIZE),
        "a tile less"
    );
    same!(crc32(&less), 0x9CD5_0D3E, "CRC of E9");
    Ok(())
}

fn names<G>(_: &mut G) -> Check {
    const NAME: [u32; 3] = [0xD4, 0xEA, 0x14];
    const STUB: [u32; 4] = [0x0005_0044, 0xB2, 0, 0xE0];
    let mut code = [0; 64];
    for (place, word) in code.chunks_exact_mut(4).zip(NAME) {
        place.copy_from_slice(&word.to_le_bytes());
    }
    for (place, word) in code.chunks_exact_mut(4).skip(4).zip(STUB) {
        place.copy_from_slice(&word.to_le_bytes());
    }
    if let Some(place) = code.get_mut(32..38) {
        place.copy_from_slice(b"Llama\0");
    }
    let stpc = Stpc::raw(&code);
    same!(stpc.name(0), Name::Own("Llama"), "a name");
    same!(stpc.name(16), Name::Spawn("Llama"), "a stub");
    same!(stpc.name(40), Name::Unknown(40), "neither");
    Ok(())
}

/// The blocks of E9 are found.
pub(crate) fn bench_parse<M: Machine>(machine: &mut M) -> u32 {
    let mut data = [0; SIZE];
    if example(&mut data).is_err() {
        return u32::MAX;
    }
    per_call(machine, 16, |_, _| {
        let map = Map::parse_lenient(black_box(&data), FLAGS, Models::Table(&NV));
        black_box(map.map_or(0, |it| it.tail()));
    })
}
