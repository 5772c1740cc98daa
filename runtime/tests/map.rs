//! The field map file, its trigger blocks, the `.PCH` patch and the stager table: the field sheet's
//! vectors (sections J to N as far as they concern the file), every error, round trips.

use overworld_runtime::field::map::patch::{self, Patch};
use overworld_runtime::field::map::trigger::{self, Elevation, Kind, Region, Script, Teleport};
use overworld_runtime::field::map::{
    CELLS, COLLISION_SIZE, Cell, Collision, Combined, Error, Finding, Map, MapMut, OBJECTS, Object,
    Paint, Placed, READ_SIZE, SIZE, Source, Tile, Triggers, Walls, emit,
};
use overworld_runtime::field::stager::{self, Stager};
use proptest::prelude::*;

fn tile(col: u8, row: u8) -> Tile {
    Tile::new(col, row).unwrap()
}

/// A zero map with this trigger block, written by hand.
fn map_with(block: &[u8]) -> Vec<u8> {
    let mut data = vec![0; SIZE];
    data[0x10000..0x10000 + block.len()].copy_from_slice(block);
    data
}

/// A block of these counts as the chain law of section 3.7 lays it out, computed apart from the code
/// under test; the records are zero.
fn chained(counts: [u16; 4]) -> Vec<u8> {
    let mut words = [0_u16; 9];
    let mut at = 0x12_u16;
    for (kind, (count, stride)) in counts.into_iter().zip([4, 4, 4, 8]).enumerate() {
        words[1 + 2 * kind] = at;
        words[2 + 2 * kind] = count;
        at = at.wrapping_add(count * stride).wrapping_add(2);
    }
    words[0] = at;
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Offset of each kind, and the end.
fn offsets(data: &[u8]) -> [u16; 5] {
    let word = |at: usize| u16::from_le_bytes(data[0x10000 + at..][..2].try_into().unwrap());
    [word(2), word(6), word(10), word(14), word(0)]
}

// N: detection.

#[test]
fn n1_many_triggers() {
    let data = map_with(&chained([11, 37, 235, 14]));
    assert_eq!(offsets(&data), [0x0012, 0x0040, 0x00D6, 0x0484, 0x04F6]);
    let map = Map::parse(&data).unwrap();
    let counts = Kind::ALL.map(|kind| map.triggers().count(kind));
    assert_eq!(counts, [11, 37, 235, 14]);
    assert_eq!(map.triggers().teleports().count(), 11);
    assert_eq!(map.triggers().scripts().count(), 37);
    assert_eq!(map.triggers().elevations().count(), 235);
    assert_eq!(map.triggers().regions().count(), 14);
}

#[test]
fn n2_empty_tables() {
    let data = map_with(&chained([0; 4]));
    assert_eq!(offsets(&data), [0x0012, 0x0014, 0x0016, 0x0018, 0x001A]);
    assert!(Map::parse(&data).unwrap().triggers().is_empty());
    // The writer's empty map is this one.
    let mut out = vec![0xEE; SIZE];
    assert_eq!(emit(&Source::default(), &mut out), Ok(SIZE));
    assert_eq!(out, data);
}

#[test]
fn n3_one_of_each() {
    let data = map_with(&chained([1; 4]));
    assert_eq!(offsets(&data), [0x0012, 0x0018, 0x001E, 0x0024, 0x002E]);
    assert!(Map::parse(&data).is_ok());
}

#[test]
fn n4_moved_table() {
    let mut data = map_with(&chained([1; 4]));
    data[0x1000A] += 4;
    assert_eq!(
        Map::parse(&data).err(),
        Some(Error::TriggerChain { at: 10 })
    );
}

#[test]
fn n5_wrong_end() {
    let mut data = map_with(&chained([1; 4]));
    data[0x10000] += 2;
    assert_eq!(Map::parse(&data).err(), Some(Error::TriggerChain { at: 0 }));
}

#[test]
fn n6_truncated() {
    let mut data = map_with(&chained([1; 4]));
    data.truncate(0x11800);
    assert_eq!(Map::parse(&data).err(), Some(Error::Size { len: 0x11800 }));
    assert_eq!(
        MapMut::parse(&mut data).err(),
        Some(Error::Size { len: 0x11800 })
    );
}

#[test]
fn n7_zero_header_on_nothing() {
    let mut data = vec![0; SIZE];
    // Stray bytes behind objects and walls, and behind the header.
    data[0x8000] = 1;
    data[0xFFFF] = 2;
    data[0x10012] = 3;
    data[0x11FFF] = 4;
    let map = Map::parse(&data).unwrap();
    assert!(map.triggers().is_empty());
    assert_eq!(map.cell(tile(0, 0)), Cell(1));
}

#[test]
fn n8_zero_header_on_a_field() {
    let mut data = vec![0; SIZE];
    data[0x4000] = 0x0F;
    let offset = 0x4000;
    assert_eq!(
        Map::parse(&data).err(),
        Some(Error::ZeroHeaderOnField { offset })
    );
    for offset in [0, 0x3FFF, 0x7FFF] {
        let mut data = vec![0; SIZE];
        data[offset] = 1;
        assert_eq!(
            Map::parse(&data).err(),
            Some(Error::ZeroHeaderOnField { offset })
        );
    }
}

#[test]
fn n9_the_largest_table() {
    let data = map_with(&chained([0, 2041, 0, 0]));
    assert_eq!(offsets(&data)[4], 0x1FFE);
    let map = Map::parse(&data).unwrap();
    assert_eq!(map.triggers().count(Kind::Script), 2041);
    // The writer goes as far.
    let scripts = vec![Script::default(); 2041];
    let mut out = vec![0xEE; SIZE];
    let triggers = trigger::Source {
        scripts: &scripts,
        ..trigger::Source::default()
    };
    let source = Source {
        triggers,
        ..Source::default()
    };
    assert_eq!(emit(&source, &mut out), Ok(SIZE));
    assert_eq!(out, data);
}

#[test]
fn n10_a_table_that_leaves_the_block() {
    let data = map_with(&chained([0, 2042, 0, 0]));
    // The counts of kinds 1 and 2 still fit; the empty body of kind 3 does not.
    assert_eq!(
        Map::parse(&data).err(),
        Some(Error::TriggerChain { at: 16 })
    );
    let scripts = vec![Script::default(); 2042];
    let source = trigger::Source {
        scripts: &scripts,
        ..trigger::Source::default()
    };
    let too_long = Err(Error::TriggersTooLong { kind: 3 });
    assert_eq!(trigger::emit(&source, &mut [0; 0x3000]), too_long);
}

#[test]
fn n11_grid_refresh() {
    let triggers = trigger::Source {
        teleports: &[Teleport {
            tile: [10, 20],
            destination: [0, 0],
        }],
        scripts: &[Script {
            tile: [10, 20],
            record: 0,
            gate: 0,
        }],
        elevations: &[Elevation {
            tile: [30, 40],
            coarse: 0,
            quads: 0,
        }],
        regions: &[],
    };
    let mut data = vec![0; SIZE];
    let mut map = MapMut::create(&mut data, &triggers).unwrap();
    let object = |flags, palette| Object {
        flags,
        palette,
        ..Object::default()
    };
    map.set_object(5, &object(3, 1));
    map.set_object(7, &object(3, 0));
    map.set_cell(tile(2, 3), Cell(5));
    map.set_cell(tile(4, 4), Cell(0x1007));
    map.refresh();
    let found =
        [(2, 3), (4, 4), (10, 20), (30, 40)].map(|(col, row)| map.map().cell(tile(col, row)));
    assert_eq!(found, [0x3005, 0x2007, 0x0600, 0x0800].map(Cell));
    // Nothing else is touched, and record 7 lost its bit for good.
    assert_eq!(map.map().cells().filter(|(_, cell)| cell.0 != 0).count(), 4);
    assert_eq!(map.map().object(7).flags, 2);
    assert_eq!(map.map().object(5).flags, 3);
    // A second refresh changes nothing.
    let before = map.map().bytes().to_vec();
    map.refresh();
    assert_eq!(map.map().bytes()[..], before);
    // The fallback block's scripts are marked after it, whatever their gate.
    let fallback = chained([1, 1, 1, 0]);
    let mut block = vec![0; 0x800];
    block[..18].copy_from_slice(&fallback);
    block[0x12..0x16].copy_from_slice(&[1, 1, 0, 0]);
    block[0x18..0x1C].copy_from_slice(&[30, 40, 9, 1]);
    map.mark_fallback(&Triggers::lenient(&block));
    assert_eq!(map.map().cell(tile(30, 40)), Cell(0x0C00));
    assert_eq!(map.map().cell(tile(1, 1)), Cell(0));
}

// M: wall paint.

#[test]
fn m_paint() {
    // Operands of the op, columns, rows, what becomes of A7h.
    let vectors: [([u8; 5], _, _, u8); 4] = [
        ([0x71, 2, 3, 2, 3], 2..3, 4..5, 0xF7),
        ([0x70, 0, 0, 1, 1], 0..2, 1..3, 0x07),
        ([0x72, 5, 5, 5, 5], 5..6, 6..7, 0x87),
        ([0x73, 5, 5, 5, 5], 5..6, 6..7, 0xE7),
    ];
    for ([sub, col0, row0, col1, row1], columns, rows, expected) in vectors {
        let walls = match sub & 0x0F {
            0 => Walls::Clear,
            1 => Walls::Block,
            2 => Walls::Remove(3),
            _ => Walls::Add(4),
        };
        let paint = Paint {
            col0,
            row0,
            col1,
            row1,
            walls,
        };
        assert_eq!((paint.columns(), paint.rows()), (columns, rows));
        let mut data = map_with(&chained([0; 4]));
        data[0x4000..0x8000].fill(0xA7);
        let mut map = MapMut::parse(&mut data).unwrap();
        map.paint(&paint);
        for it in Tile::all() {
            let inside = paint.columns().contains(&it.col().into())
                && paint.rows().contains(&it.row().into());
            let byte = if inside { expected } else { 0xA7 };
            assert_eq!(
                map.map().collision(it),
                Collision(byte),
                "{sub:02X} at {it:?}"
            );
        }
    }
}

#[test]
fn paint_off_the_grid() {
    let mut grid = Box::new([0x0F; COLLISION_SIZE]);
    let paint = |col0, row0, col1, row1| Paint {
        col0,
        row0,
        col1,
        row1,
        walls: Walls::Block,
    };
    // Inverted on either axis, and wholly outside.
    paint(5, 5, 4, 9).apply(&mut grid);
    paint(5, 5, 9, 4).apply(&mut grid);
    paint(128, 0, 255, 255).apply(&mut grid);
    paint(0, 127, 255, 255).apply(&mut grid);
    assert!(grid.iter().all(|&byte| byte == 0x0F));
    // Partly outside: rows 127 and 128 of which one exists.
    paint(126, 126, 255, 255).apply(&mut grid);
    let painted: Vec<_> = (0..COLLISION_SIZE).filter(|&at| grid[at] == 0xFF).collect();
    assert_eq!(painted, [127 * 128 + 126, 127 * 128 + 127]);
}

// K: objects.

struct Placement {
    offset: (i16, i16),
    anchor: [i8; 2],
    fine: [i8; 2],
    flags: u16,
    cell: (u8, u8),
    position: [i32; 2],
    footprint: [i32; 2],
    centre: [i32; 2],
    tile: (u8, u8),
}

#[test]
fn k5_to_k8_objects() {
    let vectors = [
        Placement {
            offset: (-64, 56),
            anchor: [-1, -1],
            fine: [2, 2],
            flags: 0x101E,
            cell: (38, 25),
            position: [4864, 3208],
            footprint: [-32, -40],
            centre: [4832, 3168],
            tile: (37, 24),
        },
        Placement {
            offset: (0, 0),
            anchor: [1, 0],
            fine: [-3, -3],
            flags: 0x0016,
            cell: (5, 3),
            position: [704, 448],
            footprint: [80, -48],
            centre: [784, 400],
            tile: (6, 3),
        },
        Placement {
            offset: (0, 0),
            anchor: [0, 0],
            fine: [0, 0],
            flags: 0x0004,
            cell: (0, 0),
            position: [64, 64],
            footprint: [0, 0],
            centre: [64, 64],
            tile: (0, 0),
        },
        Placement {
            offset: (-100, -200),
            anchor: [2, -2],
            fine: [7, -8],
            flags: 0x000C,
            cell: (100, 100),
            position: [12764, 13064],
            footprint: [468, -584],
            centre: [13232, 12480],
            tile: (102, 98),
        },
    ];
    for (number, it) in (5..).zip(vectors) {
        let object = Object {
            offset: [it.offset.0, 0, it.offset.1],
            anchor: it.anchor,
            fine: it.fine,
            flags: it.flags,
            ..Object::default()
        };
        let cell = tile(it.cell.0, it.cell.1);
        let (position, footprint) = (object.position(cell), object.footprint());
        assert_eq!(position, it.position, "K{number}");
        assert_eq!(footprint, it.footprint, "K{number}");
        let centre = [position[0] + footprint[0], position[1] + footprint[1]];
        assert_eq!(centre, it.centre, "K{number}");
        let anchor = Some(tile(it.tile.0, it.tile.1));
        assert_eq!(object.anchor_tile(cell), anchor, "K{number}");
    }
}

#[test]
fn k9_placed_objects() {
    let mut data = vec![0; SIZE];
    let mut map = MapMut::create(&mut data, &trigger::Source::default()).unwrap();
    let object = |flags, offset, anchor| Object {
        flags,
        offset,
        anchor,
        ..Object::default()
    };
    map.set_object(5, &object(4, [0, 7, 0], [0, 0]));
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
    let map = map.map();
    let placed: Vec<Placed> = map.placed().collect();
    let [first, second] = placed[..] else {
        panic!("two objects, not {}", placed.len())
    };
    assert_eq!((first.index, first.anchor), (5, tile(3, 4)));
    assert_eq!(first.object.position(first.tile), [448, 576]);
    assert_eq!(first.object.footprint(), [0, 0]);
    assert_eq!((second.index, second.anchor), (6, tile(41, 40)));
    assert_eq!(second.object.position(second.tile), [5174, 5164]);
    assert_eq!(second.object.footprint(), [128, 0]);
    // K10: the height of record 5 is LUT[3] + 7 with LUT[i] = -16 i; record 6 is bound.
    let tier = map.collision(first.tile).tier();
    assert_eq!(
        -16 * i32::from(tier) + i32::from(first.object.offset[1]),
        -41
    );
    assert!(!map.cell(first.anchor).has(Cell::SCRIPT));
    assert!(map.cell(second.anchor).has(Cell::SCRIPT));
}

#[test]
fn object_bytes() {
    // One of each field, by the offsets of section 3.4.
    #[rustfmt::skip]
    let bytes = [
        0xC0, 0xFF, 0x07, 0x00, 0x38, 0x00, 0xFF, 0xFE, 0x01, 0x00, 0x02, 0x04, 0x03, 0x00, 0xFD, 0x02,
        0x48, 0x00, 0x1E, 0x10, 0x3F, 0x0C, 0x00, 0x7D, 0xA0, 0xA1, 0xA2, 0xA3, 0xA4, 0xA5, 0x09, 0xA6,
    ];
    let object = Object {
        offset: [-64, 7, 56],
        anchor: [-1, -2],
        rotation: [1, 0x0402, 3],
        fine: [-3, 2],
        mesh: 72,
        flags: 0x101E,
        atlas: 63,
        page: 0x0C,
        palette: 0x7D00,
        unknown: [0xA0, 0xA1, 0xA2, 0xA3, 0xA4, 0xA5],
        cull: 9,
        last: 0xA6,
    };
    assert_eq!(Object::from_bytes(bytes), object);
    assert_eq!(object.to_bytes(), bytes);
}

// J: triggers.

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
    let vectors = [
        ([4, 2, 10, 8, 3], (4, 2), true),
        ([4, 2, 10, 8, 3], (10, 7), false),
        ([4, 2, 10, 8, 3], (9, 7), true),
        ([10, 8, 4, 2, 3], (5, 5), true),
        ([6, 4, 6, 4, 0], (7, 2), true),
        ([6, 4, 6, 4, 0], (6, 4), false),
    ];
    for (number, ([x0, z0, x1, z1, ty], (col, row), inside)) in (5..).zip(vectors) {
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

// The .PCH patch.

/// The disc sheet's worked bytes: tile (29, 91), beat 3.
const PATCH: [u8; 24] = [
    0x1E, 0x00, 0x12, 0x00, 0x00, 0x00, 0x14, 0x00, 0x01, 0x00, 0x1A, 0x00, 0x00, 0x00, 0x1C, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x1D, 0x5B, 0x03, 0x01,
];

fn patch_bytes() -> Vec<u8> {
    let mut data = PATCH.to_vec();
    data.resize(2048, 0);
    data
}

const WALK_ON: Script = Script {
    tile: [29, 91],
    record: 3,
    gate: Script::WALK_ON,
};

#[test]
fn the_worked_patch() {
    let mut out = vec![0xEE; 2048];
    assert_eq!(patch::emit(&[WALK_ON], &mut out), Ok(2048));
    assert_eq!(out, patch_bytes());
    let read = Patch::parse(&out).unwrap();
    assert!(read.is_retail_shaped());
    assert!(read.triggers().scripts().eq([WALK_ON]));
    assert_eq!(read.triggers().script(tile(29, 91)), Some(WALK_ON));
    // The game's reader sees the same.
    let lenient = Triggers::lenient(&out);
    assert!(lenient.scripts().eq([WALK_ON]));
    assert_eq!(lenient.count(Kind::Teleport), 0);
    // And the words of section 6 for any n: E = 4n + 22.
    for n in [0_u16, 1, 192, 505] {
        let scripts = vec![WALK_ON; n.into()];
        patch::emit(&scripts, &mut out).unwrap();
        let end = 4 * n + 22;
        let words = [end + 4, 0x12, 0, 0x14, n, end, 0, end + 2, 0];
        let header: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        assert_eq!(out[..18], header);
        assert!(Patch::parse(&out).unwrap().triggers().scripts().eq(scripts));
    }
}

#[test]
fn bad_patches() {
    assert_eq!(
        Patch::parse(&PATCH).err(),
        Some(patch::Error::Size { len: 24 })
    );
    let bad = |at: usize, value| {
        let mut data = patch_bytes();
        data[at] = value;
        (
            Patch::parse(&data).err(),
            Triggers::lenient(&data).count(Kind::Script),
        )
    };
    let block = |kind| Some(patch::Error::BadTriggerBlock { kind });
    // Each kind's offset, a count that is too large or negative, the end.
    assert_eq!(bad(0x02, 0x13), (block(0), 1));
    assert_eq!(bad(0x06, 0x15).0, block(1));
    assert_eq!(bad(0x0A, 0x1B), (block(2), 1));
    assert_eq!(bad(0x0E, 0x1D), (block(3), 1));
    assert_eq!(bad(0x09, 0x02), (block(1), 507));
    assert_eq!(bad(0x09, 0xFF), (block(1), 0));
    assert_eq!(bad(0x07, 0xFF), (block(1), 0));
    assert_eq!(bad(0x00, 0x1F), (block(3), 1));
    // An absent patch is zero throughout.
    assert!(Patch::parse(&[0; 2048]).unwrap().triggers().is_empty());
    let mut stray = [0; 2048];
    stray[2047] = 1;
    assert_eq!(Patch::parse(&stray).err(), block(0));
    // A well-formed block of other kinds is not as in retail.
    let mut other = vec![0; 2048];
    let source = trigger::Source {
        regions: &[Region::default()],
        ..trigger::Source::default()
    };
    trigger::emit(&source, &mut other).unwrap();
    assert!(!Patch::parse(&other).unwrap().is_retail_shaped());
    let bind = Script { gate: 0, ..WALK_ON };
    patch::emit(&[bind], &mut other).unwrap();
    assert!(!Patch::parse(&other).unwrap().is_retail_shaped());

    let many = [WALK_ON; 506];
    let count = 506;
    let full = Err(patch::Error::TooManyScripts { count });
    assert_eq!(patch::emit(&many, &mut [0; 4096]), full);
    let room = 2047;
    let small = Err(patch::Error::OutputTooSmall { room });
    assert_eq!(patch::emit(&[WALK_ON], &mut [0; 2047]), small);
}

// The table of section 18, as far as it concerns the file.

#[test]
fn sizes() {
    let mut data = map_with(&chained([0; 4]));
    for len in [0, 1, SIZE - 1, SIZE + 1, READ_SIZE] {
        data.resize(len, 0);
        assert_eq!(Map::parse(&data).err(), Some(Error::Size { len }));
    }
    let mut data = map_with(&chained([0; 4]));
    for len in [0, SIZE, READ_SIZE - 1, READ_SIZE + 1] {
        data.resize(len, 0);
        assert_eq!(Map::parse_read(&data).err(), Some(Error::Size { len }));
    }
}

#[test]
fn every_word_of_the_chain_counts() {
    let good = map_with(&chained([2, 3, 4, 5]));
    assert!(Map::parse(&good).is_ok());
    for at in (0..18).step_by(2) {
        for flip in [1_u16, 2, 0x8000, 0x0100] {
            let mut data = good.clone();
            let place = 0x10000 + usize::from(at);
            let word = u16::from_le_bytes([data[place], data[place + 1]]) ^ flip;
            data[place..place + 2].copy_from_slice(&word.to_le_bytes());
            let Err(Error::TriggerChain { at: found }) = Map::parse(&data) else {
                panic!("word {at:#X} flipped by {flip:#X} must not chain")
            };
            // A wrong count shows at the count, when the body leaves the block, or at the next offset
            // or the end.
            let next = if at == 16 { 0 } else { at + 2 };
            let allowed = if at % 4 == 0 && at > 0 {
                vec![at, next]
            } else {
                vec![at]
            };
            assert!(allowed.contains(&found), "{at:#X} {flip:#X}: {found:#X}");
        }
    }
}

#[test]
fn a_read_of_forty_sectors() {
    let mut data = map_with(&chained([0; 4]));
    data.extend_from_slice(&patch_bytes());
    data.resize(READ_SIZE, 0);
    let (map, fallback) = Map::parse_read(&data).unwrap();
    assert!(map.triggers().is_empty());
    assert!(fallback.scripts().eq([WALK_ON]));
}

#[test]
fn fallback_blocks_never_fail() {
    // Shorter than a header; zero; negative offset; negative count; zero count.
    let mut short = patch_bytes();
    short.truncate(0x11);
    assert!(Triggers::lenient(&short).is_empty());
    assert!(Triggers::lenient(&[]).is_empty());
    assert!(Triggers::lenient(&[0; 0x800]).is_empty());
    for (at, word) in [(6, 0x8014_u16), (8, 0x8001), (8, 0), (6, 0)] {
        let mut data = patch_bytes();
        data[at..at + 2].copy_from_slice(&word.to_le_bytes());
        assert!(Triggers::lenient(&data).is_empty(), "{at} {word:#X}");
    }
    // An offset of 0 is an empty table of kind 2 too, and the others do not mind.
    let mut data = vec![0; 0x800];
    data[0x0C] = 5;
    assert!(Triggers::lenient(&data).is_empty());
    // A table that crosses the end stops at its last whole record; one behind it is empty.
    let mut data = patch_bytes();
    data[0x0E..0x12].copy_from_slice(&[0xF1, 0x07, 0xFF, 0x7F]);
    let block = Triggers::lenient(&data);
    assert_eq!(block.count(Kind::Region), 1);
    assert_eq!(block.regions().count(), 1);
    data[0x0E..0x12].copy_from_slice(&[0x00, 0x08, 0xFF, 0x7F]);
    assert_eq!(Triggers::lenient(&data).count(Kind::Region), 0);
    data[0x0E..0x12].copy_from_slice(&[0xFF, 0x7F, 0xFF, 0x7F]);
    assert_eq!(Triggers::lenient(&data).count(Kind::Region), 0);
}

#[test]
fn triggers_off_the_grid_are_not_marked() {
    let mut data = vec![0; SIZE];
    let source = trigger::Source {
        teleports: &[
            Teleport::from_bytes([128, 0, 0, 0]),
            Teleport::from_bytes([0, 255, 0, 0]),
        ],
        scripts: &[Script::from_bytes([255, 255, 0, 0])],
        elevations: &[Elevation::from_bytes([127, 128, 0, 0])],
        regions: &[],
    };
    let mut map = MapMut::create(&mut data, &source).unwrap();
    map.refresh();
    let fallback = map.map().triggers();
    assert!(map.map().cells().all(|(_, cell)| cell == Cell(0)));
    assert_eq!(fallback.count(Kind::Teleport), 2);
    let index = 0;
    let finding = Finding::TileOffGrid { kind: 0, index };
    assert_eq!(map.map().lint(), Err(finding));
}

#[test]
fn what_the_writer_refuses() {
    let mut out = vec![0; SIZE];
    let objects = vec![Object::default(); 513];
    let source = Source {
        objects: &objects,
        ..Source::default()
    };
    assert_eq!(
        emit(&source, &mut out),
        Err(Error::TooManyObjects { count: 513 })
    );
    let source = Source {
        collision: &[0; 100],
        ..Source::default()
    };
    assert_eq!(emit(&source, &mut out), Err(Error::GridSize { len: 100 }));
    let source = Source {
        cells: &[0; 1],
        ..Source::default()
    };
    assert_eq!(emit(&source, &mut out), Err(Error::GridSize { len: 1 }));
    let room = SIZE - 1;
    let small = Err(Error::OutputTooSmall { room });
    assert_eq!(emit(&Source::default(), &mut out[..room]), small);
    let regions = vec![Region::default(); 0x10000];
    for (count, kind) in [(1021, 3), (0x10000, 3)] {
        let triggers = trigger::Source {
            regions: &regions[..count],
            ..trigger::Source::default()
        };
        let source = Source {
            triggers,
            ..Source::default()
        };
        assert_eq!(
            emit(&source, &mut out),
            Err(Error::TriggersTooLong { kind })
        );
    }
    let room = 0x19;
    let small = Err(Error::OutputTooSmall { room });
    assert_eq!(
        trigger::emit(&trigger::Source::default(), &mut out[..room]),
        small
    );
    assert_eq!(
        trigger::emit(&trigger::Source::default(), &mut out[..0x1A]),
        Ok(0x1A)
    );
}

#[test]
fn addresses_of_the_grids() {
    // collision byte = 4000h + row * 80h + col, cell = 8000h + row * 100h + col * 2.
    let mut data = map_with(&chained([0, 1, 0, 0]));
    data[0x4000 + 25 * 0x80 + 38] = 0xA3;
    data[0x8000 + 25 * 0x100 + 38 * 2..][..2].copy_from_slice(&[0x89, 0x14]);
    let map = Map::parse(&data).unwrap();
    let at = tile(38, 25);
    assert_eq!(map.collision(at), Collision::new(0xA, 3));
    assert_eq!(
        (map.collision(at).walls(), map.collision(at).tier()),
        (0xA, 3)
    );
    let cell = map.cell(at);
    assert_eq!(cell.object(), 137);
    assert!(cell.has(Cell::SCRIPT) && cell.has(Cell::GROUND) && cell.may_trigger());
    assert!(!cell.has(Cell::TELEPORT) && !cell.has(Cell::ELEVATION));
    assert_eq!(
        map.collision_grid()
            .iter()
            .filter(|&&byte| byte != 0)
            .count(),
        1
    );
    assert_eq!(map.cells().filter(|&(_, cell)| cell.0 != 0).count(), 1);
    // Writing in place.
    let mut changed = data.clone();
    let mut map = MapMut::parse(&mut changed).unwrap();
    map.set_collision(tile(127, 127), Collision(0xF0));
    map.set_cell(tile(127, 127), Cell(0xABCD));
    map.set_object(
        511,
        &Object {
            last: 0x77,
            ..Object::default()
        },
    );
    // The script op that rewrites a trigger.
    assert!(map.set_script(0, 9, 1));
    assert!(!map.set_script(1, 9, 1));
    let changes = [
        (0x3FFF, 0x77),
        (0x7FFF, 0xF0),
        (0xFFFE, 0xCD),
        (0xFFFF, 0xAB),
        (0x10016, 9),
        (0x10017, 1),
    ];
    for (at, value) in changes {
        data[at] = value;
    }
    assert_eq!(changed, data);
}

#[test]
fn tiles() {
    assert_eq!(Tile::new(128, 0), None);
    assert_eq!(Tile::new(0, 128), None);
    assert_eq!(Tile::containing(-1, 0), None);
    assert_eq!(Tile::containing(16383, 127), Tile::new(127, 0));
    assert_eq!(Tile::containing(16384, 0), None);
    assert_eq!(Tile::containing(i32::MIN, i32::MAX), None);
    assert_eq!(Tile::all().count(), CELLS);
    assert!(Tile::all().is_sorted());
    // Section 4.3: the plain tile of (1838, 2526), of (3386, 2606).
    assert_eq!(Tile::containing(1838, 2526), Tile::new(14, 19));
    assert_eq!(Tile::containing(3386, 2606), Tile::new(26, 20));
}

// The stager table.

#[test]
fn stager_tables() {
    let records: [&[u8]; 3] = [
        &[0xFF, 0xFF, 1, 0],
        &[5, 0, 2, 0, 0x34, 0x12, 0xFF, 0x7F],
        &[0, 0, 0, 0, 9, 0],
    ];
    let mut out = vec![0xEE; 0x800];
    let length = stager::emit(&records, &mut out).unwrap();
    assert_eq!(out[..8], [3, 0, 8, 0, 12, 0, 20, 0]);
    assert_eq!(length, 26);
    let table = Stager::parse(&out[..length]).unwrap();
    assert_eq!((table.len(), table.is_empty()), (3, false));
    for (record, expected) in table.records().zip(records) {
        assert_eq!(record.bytes, expected);
    }
    let models: Vec<_> = table.records().map(|it| it.model()).collect();
    assert_eq!(models, [None, Some(5), Some(0)]);
    let second = table.record(1).unwrap();
    assert_eq!(second.flags(), 2);
    assert!(second.words().eq([0x1234, 0x7FFF]));
    assert!(table.record(3).is_none());
    // Padded to a sector the last record grows by zeros; a sector of zeros is an empty table.
    out[length..].fill(0);
    let padded = Stager::parse(&out).unwrap();
    assert_eq!(padded.record(2).unwrap().bytes.len(), 0x800 - 20);
    assert!(Stager::parse(&[0; 0x800]).unwrap().is_empty());
}

#[test]
fn bad_stager_tables() {
    let bad = |data: &[u8]| Stager::parse(data).err();
    assert_eq!(
        bad(&[1]),
        Some(stager::Error::Truncated { need: 2, len: 1 })
    );
    assert_eq!(
        bad(&[2, 0, 6, 0]),
        Some(stager::Error::Truncated { need: 6, len: 4 })
    );
    // Not behind the table, odd, not ascending, past the end.
    let offset = |index| Some(stager::Error::BadOffset { index });
    assert_eq!(bad(&[1, 0, 6, 0, 0, 0, 0, 0, 0, 0]), offset(0));
    assert_eq!(
        bad(&[2, 0, 6, 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        offset(1)
    );
    assert_eq!(bad(&[2, 0, 6, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0]), offset(1));
    assert_eq!(bad(&[2, 0, 6, 0, 10, 0, 0, 0, 0, 0]), offset(1));
    let record = |index| Some(stager::Error::BadRecord { index });
    assert_eq!(bad(&[2, 0, 6, 0, 8, 0, 0, 0, 0, 0, 0, 0]), record(0));
    assert_eq!(bad(&[1, 0, 4, 0, 0, 0]), record(0));
    assert_eq!(bad(&[1, 0, 4, 0, 0, 0, 0, 0]), None);

    assert_eq!(stager::emit(&[&[0; 3]], &mut [0; 99]).err(), record(0));
    assert_eq!(
        stager::emit(&[&[0; 4], &[0; 5]], &mut [0; 99]).err(),
        record(1)
    );
    let large: &[u8] = &[0; 0x8000];
    let reach = stager::Error::TooLarge { index: 2 };
    assert_eq!(stager::emit(&[large; 3], &mut [0; 99]), Err(reach));
    let small = stager::Error::OutputTooSmall { room: 7 };
    assert_eq!(stager::emit(&[&[0; 4]], &mut [0; 7]), Err(small));
    // As many records as the count can say do not fit the offsets' reach, but end in an error.
    let many = vec![&[0_u8; 4][..]; 0x10000];
    assert!(stager::emit(&many[..0xFFFF], &mut [0; 9]).is_err());
    assert!(stager::emit(&many, &mut [0; 9]).is_err());
}

#[test]
fn every_error_says_what_it_is() {
    let errors: [(&dyn std::fmt::Display, _); 5] = [
        (
            &Error::Size { len: 5 },
            "map: 5 bytes, it must have 73728 (or 81920 with what follows it)",
        ),
        (
            &Error::TriggerChain { at: 10 },
            "map: the trigger header does not chain at its word 0x0A",
        ),
        (
            &Error::ZeroHeaderOnField { offset: 0x4000 },
            "map: the trigger header is zero, but there is a field at offset 0x04000",
        ),
        (
            &patch::Error::BadTriggerBlock { kind: 2 },
            "patch: the trigger header does not chain at kind 2",
        ),
        (
            &stager::Error::BadOffset { index: 3 },
            "stager table: bad offset of record 3",
        ),
    ];
    for (error, text) in errors {
        assert_eq!(error.to_string(), text);
    }
}

// Properties.

fn fours(len: usize) -> impl Strategy<Value = Vec<[u8; 4]>> {
    prop::collection::vec(any::<[u8; 4]>(), 0..len)
}

/// Everything that a reader can be asked.
fn visit(triggers: &Triggers<'_>) {
    let counts = Kind::ALL.map(|kind| usize::from(triggers.count(kind)));
    let found = [
        triggers.teleports().count(),
        triggers.scripts().count(),
        triggers.elevations().count(),
        triggers.regions().count(),
    ];
    assert_eq!(found, counts);
    for it in [tile(0, 0), tile(127, 127), tile(3, 4)] {
        let _ = (
            triggers.teleport(it),
            triggers.script(it),
            triggers.elevation(it),
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn objects_keep_every_bit(bytes in any::<[u8; 32]>(), col in 0..128_u8, row in 0..128_u8) {
        let object = Object::from_bytes(bytes);
        prop_assert_eq!(object.to_bytes(), bytes);
        let _ = (object.position(tile(col, row)), object.footprint(), object.anchor_tile(tile(col, row)));
    }

    #[test]
    fn what_is_written_reads_back(
        objects in prop::collection::vec(any::<[u8; 32]>(), 0..512),
        seed in any::<u32>(),
        kinds in (fours(90), fours(90), fours(90), prop::collection::vec(any::<[u8; 8]>(), 0..40)),
    ) {
        let objects: Vec<_> = objects.into_iter().map(Object::from_bytes).collect();
        let noise = |n: usize| (seed.wrapping_mul(2_654_435_761).wrapping_mul(n as u32 | 1) >> 9) as u16;
        let collision: Vec<u8> = (0..COLLISION_SIZE).map(|n| noise(n) as u8).collect();
        let cells: Vec<u16> = (0..CELLS).map(noise).collect();
        let (teleports, scripts, elevations, regions) = kinds;
        let teleports: Vec<_> = teleports.into_iter().map(Teleport::from_bytes).collect();
        let scripts: Vec<_> = scripts.into_iter().map(Script::from_bytes).collect();
        let elevations: Vec<_> = elevations.into_iter().map(Elevation::from_bytes).collect();
        let regions: Vec<_> = regions.into_iter().map(Region::from_bytes).collect();
        let source = Source {
            objects: &objects,
            collision: &collision,
            cells: &cells,
            triggers: trigger::Source {
                teleports: &teleports,
                scripts: &scripts,
                elevations: &elevations,
                regions: &regions,
            },
        };
        let mut out = vec![0xEE; SIZE];
        emit(&source, &mut out).unwrap();
        let map = Map::parse(&out).unwrap();
        prop_assert!(map.objects().take(objects.len()).eq(objects.iter().copied()));
        prop_assert!(map.objects().skip(objects.len()).all(|it| it == Object::default()));
        prop_assert_eq!(map.objects().count(), usize::from(OBJECTS));
        prop_assert_eq!(map.collision_grid(), &collision);
        prop_assert!(map.cells().map(|(_, cell)| cell.0).eq(cells.iter().copied()));
        let triggers = map.triggers();
        prop_assert!(triggers.teleports().eq(teleports.iter().copied()));
        prop_assert!(triggers.scripts().eq(scripts.iter().copied()));
        prop_assert!(triggers.elevations().eq(elevations.iter().copied()));
        prop_assert!(triggers.regions().eq(regions.iter().copied()));
        visit(&triggers);
        // The game's reader sees the same in a well-formed block.
        let lenient = Triggers::lenient(&out[0x10000..]);
        prop_assert!(lenient.scripts().eq(scripts.iter().copied()));
        prop_assert!(lenient.regions().eq(regions.iter().copied()));
        let _ = (map.placed().count(), map.lint());
        MapMut::parse(&mut out).unwrap().refresh();
        prop_assert!(Map::parse(&out).is_ok());
    }

    #[test]
    fn patches_read_back(scripts in fours(505)) {
        let scripts: Vec<_> = scripts.into_iter().map(Script::from_bytes).collect();
        let mut out = vec![0xEE; 3000];
        prop_assert_eq!(patch::emit(&scripts, &mut out), Ok(2048));
        prop_assert!(out[2048..].iter().all(|&byte| byte == 0xEE));
        let patch = Patch::parse(&out[..2048]).unwrap();
        prop_assert!(patch.triggers().scripts().eq(scripts));
    }

    #[test]
    fn stagers_read_back(records in prop::collection::vec(prop::collection::vec(any::<u16>(), 2..9), 0..20)) {
        let records: Vec<Vec<u8>> = records
            .iter()
            .map(|words| words.iter().flat_map(|word| word.to_le_bytes()).collect())
            .collect();
        let slices: Vec<&[u8]> = records.iter().map(|it| &it[..]).collect();
        let mut out = vec![0; 0x1000];
        let length = stager::emit(&slices, &mut out).unwrap();
        let table = Stager::parse(&out[..length]).unwrap();
        prop_assert!(table.records().map(|it| it.bytes).eq(slices));
    }

    #[test]
    fn arbitrary_blocks_never_panic(block in prop::collection::vec(any::<u8>(), 0..300), small in any::<bool>()) {
        let mut block = block;
        if small {
            // Small words find their way into the block more often.
            for at in (1..block.len().min(18)).step_by(2) {
                block[at] &= 0x80;
            }
        }
        visit(&Triggers::lenient(&block));
        if let Ok(triggers) = Triggers::parse(&block) {
            visit(&triggers);
        }
        let _ = Stager::parse(&block).map(|it| it.records().map(|it| it.words().count()).sum::<usize>());
    }

    #[test]
    fn damaged_maps_never_panic(damage in prop::collection::vec((0x10000..0x10040_usize, any::<u8>()), 1..4), noise in any::<u64>()) {
        let mut data = map_with(&chained([2, 3, 1, 2]));
        let mut noise = noise | 1;
        for byte in &mut data[..0x10000] {
            noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            *byte = (noise >> 56) as u8;
        }
        for (at, value) in damage {
            data[at] = value;
        }
        if let Ok(map) = Map::parse(&data) {
            visit(&map.triggers());
            let _ = (map.placed().count(), map.lint());
            let fallback = data[..0x800].to_vec();
            let mut map = MapMut::parse(&mut data).unwrap();
            map.refresh();
            map.mark_fallback(&Triggers::lenient(&fallback));
            prop_assert!(Map::parse(&data).is_ok());
        }
    }
}
