//! E1 to E11 and E13 to E15.

use overworld_runtime::bytes::crc32;
use overworld_runtime::llama::map::{Block, Cells, Fixed, Place, Strat, Tile, Waypoint, Zone};
use overworld_runtime::llama::number::Float;
use overworld_runtime::llama::trak::{Models, Trak};
use overworld_runtime::llama::{Flags, Map, Record, Table, Tag};

use super::fixtures::*;

fn record<R: Record>(record: &R) -> Vec<u8> {
    let mut bytes = vec![0xEE; R::BYTES];
    let mut out = overworld_runtime::bytes::Writer::new(&mut bytes);
    record.write(&mut out).unwrap();
    assert_eq!(out.finish(), R::BYTES);
    bytes
}

#[test]
fn e1_tags() {
    for (tag, bytes) in [
        (Tag::MAP, "20 50 41 4D"),
        (Tag::WFPC, "43 50 46 57"),
        (Tag::TRAK, "4B 41 52 54"),
        (Tag::INFO, "4F 46 4E 49"),
        (Tag::END, "20 44 4E 45"),
    ] {
        assert_eq!(tag.0.to_le_bytes(), hex(bytes)[..], "{tag}");
    }
    assert_eq!(Tag::MAP.0, 0x4D41_5020);
    assert_eq!(Tag::MAP.to_string(), "MAP ");
    assert_eq!(Tag(0x0A41_42FF).to_string(), "\\nAB\\xff");
}

#[test]
fn e2_tile() {
    let tile = tile(2.5, 1.25, -3.5, 1024, 12, 0);
    let stored = hex("00 00 20 40 00 00 A0 3F 00 00 60 C0 00 04 00 00 0C 00 00 00 00 00 00 00");
    assert_eq!(record(&tile), stored);
    assert_eq!(Tile::read(&stored), tile);
    let fixed = Fixed::of(&tile).unwrap();
    assert_eq!(fixed.at, [10_240, 5120, 14_336]);
    assert!(fixed.matches(&tile));
    let stored = hex("00 00 00 00 00 04 00 00 00 00 00 00 00 28 00 00 00 14 00 00 00 38 00 00");
    assert_eq!(record(&fixed), stored);
    assert_eq!(Fixed::read(&stored), fixed);
    assert_eq!(Float(1.5_f32.to_bits()).fixed().unwrap().nearest, 6144);
    assert_eq!(tile.place(96, 96), Place::Cell(290));
}

#[test]
fn e4_cells() {
    for (x, z, col, row, place) in [
        (0.5, -0.5, 0, 0, Place::Cell(0)),
        (1.5, -0.5, 1, 0, Place::Cell(1)),
        (0.5, -1.5, 0, 1, Place::Cell(96)),
        (2.5, -3.5, 2, 3, Place::Cell(290)),
        (95.5, -95.5, 95, 95, Place::Cell(9215)),
        (1.49, -1.51, 0, 1, Place::Cell(96)),
        (1.0, -1.0, 0, 0, Place::Cell(0)),
        (0.2, -0.2, 0, 0, Place::Cell(0)),
        (-0.4, 0.4, 0, 0, Place::Cell(0)),
        (-0.5, -0.5, -1, 0, Place::Foreign),
        (0.5, 0.5, 0, -1, Place::Foreign),
        (96.5, -0.5, 96, 0, Place::Wrong(96)),
        (96.5, -95.5, 96, 95, Place::Foreign),
        (0.5, -96.5, 0, 96, Place::Foreign),
    ] {
        let tile = tile(x, 0.0, z, 0, 0, 0);
        assert_eq!(tile.cell(), Some([col, row]), "{x} {z}");
        assert_eq!(tile.place(96, 96), place, "{x} {z}");
    }
    let nan = tile(f32::NAN, 0.0, 0.0, 0, 0, 0);
    assert_eq!((nan.cell(), nan.place(1, 1)), (None, Place::Foreign));
    // Counts near 2^32.
    let far = tile(f32::MAX, 0.0, f32::MIN, 0, 0, 0);
    assert_eq!(
        far.place(u32::MAX, u32::MAX),
        Place::Cell(far.place_index())
    );
    assert_eq!(far.place(2, u32::MAX), Place::Wrong(3 * i32::MAX as usize));
}

/// What the formula of the sheet gives.
trait Index {
    fn place_index(&self) -> usize;
}

impl Index for Tile {
    fn place_index(&self) -> usize {
        let [col, row] = self.cell().unwrap();
        col as usize + row as usize * u32::MAX as usize
    }
}

#[test]
fn e5_zone() {
    let stored = hex("04 00 00 00 00 00 00 00 07 00 00 00 00 48 00 00
         00 18 00 00 00 78 00 00 00 00 00 00 00 00 00 00
         08 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
         00 00 00 00 00 00 00 00 00 00 00 40 01 00 00 80
         02 00 00 00 00 00 00 00 00 00 40 40 40 00 20 40
         80 00 00 00 00 00 05 00 00 00");
    assert_eq!(record(&zone()), stored);
    assert_eq!(Zone::read(&stored), zone());
    assert_eq!(zone().object_fog(), [122_880, 245_760]);
    let stored = [81_921, 5];
    let kept = Zone {
        stored_object_fog: stored,
        ..zone()
    };
    assert_eq!(kept.object_fog(), stored);
    // Signed, and nothing overflows.
    let wide = Zone {
        fog: [0x7FFF_FFFF, 0xFFFF_FFFF],
        stored_object_fog: [0x8000_0000, 0],
        ..zone()
    };
    assert_eq!(wide.object_fog(), [0xBFFF_FFFE, 0x7FFF_FFFE]);
}

#[test]
fn e6_waypoints() {
    let stored = hex(
        "01 00 00 00 00 00 00 00 00 00 00 00 00 00 00 10 00 00 00 08 00 00 00 20 00 00 00 00 00 00 00 00 00 00
         01 00 00 00 00 00 00 00 00 00 00 04 00 00 00 20 00 00 00 08 00 00 00 20 00 00 00 00 00 00 00 00 00 00
         00 00 00 00 00 00 00 00 00 00 00 08 00 00 00 30 00 00 00 08 00 00 00 20 00 00 07 00 00 00 00 00 00 00
         00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 90 00 00 00 00 00 00 00 90 00 00 00 00 00 00 00 00 00 00",
    );
    let table: Table<'_, Waypoint> = Table::new(&stored);
    assert_eq!(table.iter().collect::<Vec<_>>(), waypoints());
    assert_eq!(
        waypoints().iter().flat_map(record).collect::<Vec<_>>(),
        stored
    );
    let data = with_full(|source| {
        bytes(&overworld_runtime::llama::map::Source {
            waypoints: &waypoints(),
            ..*source
        })
    });
    let map = read(&data, FULL);
    let ends: Vec<_> = (0..5).map(|it| map.chain_end(it).ok()).collect();
    assert_eq!(ends, [Some(2), Some(2), Some(2), Some(3), None]);
}

#[test]
fn e7_models() {
    let data = trak();
    assert_eq!(data.len(), 448);
    assert_eq!(
        data[4 + 0x6C..4 + 0x84],
        hex("02")[..]
            .iter()
            .copied()
            .chain([0; 23])
            .collect::<Vec<_>>()[..]
    );
    let second = hex("03 00 01 00 00 00 00 00 00 00 00 00 01 00");
    assert_eq!(data[4 + 0x84 + 0x6C..][..14], second);
    let trak = Trak::parse(&data).unwrap();
    let models = Models::Trak(trak);
    assert_eq!(
        [0, 1, 2].map(|it| models.vertices(it)),
        [Some(2), Some(3), None]
    );
    assert_eq!(models.vertices(u32::MAX), None);
    let sizes: Vec<_> = trak.models().map(|it| it.data.len()).collect();
    assert_eq!(sizes, [48, 72 + 28 + 32]);
}

/// Starts of blocks 1 to 15.
fn starts(map: &Map<'_>) -> [usize; 15] {
    Block::ALL.map(|block| map.span(block).start)
}

#[test]
fn e8_minimal_map() {
    let data = minimal();
    assert_eq!((data.len(), crc32(&data)), (354, 0x44A7_CD1E));
    let map = read(&data, Flags(0));
    assert_eq!(
        starts(&map),
        [
            0, 12, 36, 40, 44, 48, 304, 308, 332, 336, 336, 344, 352, 352, 352
        ]
    );
    let colours = map.colours().next().unwrap();
    assert_eq!((colours.base.frames, colours.alternative), (1, None));
    let drawn: Vec<_> = colours.base.drawn(0).collect();
    assert_eq!(drawn, [[0x80; 3], [0xFF; 3]]);
    assert_eq!(map.particles(), None);
    assert_eq!(rebuild(&map), data);
    assert_eq!(map.verify(None), Ok(()));
    assert_eq!(map.block_at(351), Some(Block::Strats));
    assert_eq!(map.block_at(354), None);
}

#[test]
fn e9_full_map() {
    let data = full();
    assert_eq!((data.len(), crc32(&data)), (910, 0x9CD5_0D3E));
    let map = read(&data, FULL);
    assert_eq!(
        starts(&map),
        [
            0, 0x0C, 0x54, 0x60, 0xBE, 0x128, 0x228, 0x238, 0x280, 0x28C, 0x2A4, 0x2DC, 0x358,
            0x388, 0x38C
        ]
    );
    let alternatives = "01 00 00 00 01 00 00 00 00 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00";
    assert_eq!(map.block(Block::Alternatives), hex(alternatives));
    assert_eq!(map.block(Block::Colours), hex(COLOURS));
    let colours: Vec<_> = map.colours().collect();
    let frames: Vec<_> = colours
        .iter()
        .map(|it| (it.base.frames, it.alternative.map(|it| (it.frames, it.own))))
        .collect();
    assert_eq!(frames, [(1, None), (2, Some((2, 1))), (1, None)]);
    let second: Vec<_> = colours[1].base.frame(1).collect();
    assert_eq!(second, [[9, 9, 9, 0]; 3]);
    assert_eq!(colours[1].base.frame(2).count(), 0);
    assert_eq!(
        (map.start_zone(), map.slots(), map.tail()),
        (Some(0), 40, 0x0102)
    );
    assert_eq!(map.particles(), Some(300));
    assert_eq!(rebuild(&map), data);
    assert!(Map::parse(&data, FULL, Models::Table(&NV)).is_ok());
    // The same models, as the chunk has them.
    let models = trak();
    let models = Models::Trak(Trak::parse(&models).unwrap());
    let map = Map::parse(&data, FULL, models).unwrap();
    assert_eq!(rebuild(&map), data);
}

#[test]
fn e9_cells() {
    let data = full();
    let map = read(&data, FULL);
    let (mut heads, mut next) = ([7; 5], [7; 3]);
    let cells = Cells::link(&map, &mut heads, &mut next).unwrap();
    let lists: Vec<Vec<u32>> = (0..5).map(|it| cells.of(it).collect()).collect();
    assert_eq!(lists, [vec![0], vec![1], vec![2], vec![], vec![]]);
    assert!(Cells::link(&map, &mut [0; 3], &mut [0; 3]).is_err());
    assert!(Cells::link(&map, &mut [0; 4], &mut [0; 2]).is_err());
}

#[test]
fn cells_hold_the_newest_tile_first() {
    let tiles =
        [(0.5, 0), (1.2, 0), (1.5, 0), (0.9, 0)].map(|(x, model)| tile(x, 0.0, -0.5, 0, model, 0));
    let data = with_full(|source| {
        bytes(&overworld_runtime::llama::map::Source {
            tiles: &tiles,
            alternatives: &[],
            colours: &[0; 32],
            ..*source
        })
    });
    let map = read(&data, FULL);
    let (mut heads, mut next) = ([7; 4], [7; 4]);
    let cells = Cells::link(&map, &mut heads, &mut next).unwrap();
    assert_eq!(cells.of(0).collect::<Vec<_>>(), [3, 1, 0]);
    assert_eq!(cells.of(1).collect::<Vec<_>>(), [2]);
}

#[test]
fn e10_strats() {
    let stored = hex(
        "00 00 00 04 00 00 00 08 00 00 00 04 00 00 00 08 00 00 34 12 00 00 00 00 00 00 FF FF FF FF
         4E 00 00 00 04 00 00 00 00 80 24 00 01 00 00 00 FF FF FF FF 00 00 00 00 00 00 00 00
         00 00 00 00 00 00 00 18 00 00 00 04 00 00 00 08 00 00 00 20 00 00 02 00 00 00 00 00 00 00
         05 00 00 00 01 00 00 00 00 80 00 00 00 00 00 00 00 00 00 00 00 00 00 00 02 00 00 00",
    );
    let table: Table<'_, Strat> = Table::new(&stored);
    assert_eq!(table.iter().collect::<Vec<_>>(), strats());
    assert_eq!(strats().iter().flat_map(record).collect::<Vec<_>>(), stored);
    let data = full();
    let map = read(&data, FULL);
    assert_eq!(map.strats().bytes(), stored);
    assert_eq!(
        map.block(Block::Strats)[..8],
        hex("02 00 00 00 0A 00 00 00")
    );
    assert_eq!(map.slots() * 0x154, 13_600);
    assert_eq!(map.chain_end(0), Ok(2));
    assert_eq!(
        table.iter().map(|it| it.is_created()).collect::<Vec<_>>(),
        [true, false]
    );
}

#[test]
fn e11_paths() {
    let data = full();
    let stored = hex(
        "02 00 00 00 01 00 00 00 02 00 00 00 00 10 00 00 00 20 00 00 00 30 00 00 01 00 00 00
         00 40 00 00 00 50 00 00 00 60 00 00 0A 00 00 02 00 00 00 00 2C 01 00 00 02 01",
    );
    assert_eq!(data[0x358..], stored);
    let map = read(&data, FULL);
    let paths: Vec<_> = map.paths().collect();
    assert_eq!(paths.iter().map(|it| it.len()).collect::<Vec<_>>(), [1, 0]);
    assert!(!paths[0].is_empty() && paths[1].is_empty());
    let part = paths[0].parts().next().unwrap();
    assert_eq!(
        (part.flags, part.loaded_flags(), part.points().len()),
        (0, 0x442, 2)
    );
    assert_eq!(part.points().last().unwrap().angle, 0x200);
}
