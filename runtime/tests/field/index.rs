//! The index of the elevation records: it finds what a search one by one finds (sections 3.5 and 9.2).

use super::common::{tile, with_triggers};
use overworld_runtime::field::Ground;
use overworld_runtime::field::map::trigger::{Combined, Elevation, Index, Kind, Source, emit};
use overworld_runtime::field::map::{Cell, Map, MapMut, Triggers};
use proptest::prelude::*;

/// So many tiles have room.
const ROOM: usize = 384;

/// Floors on and beside all tiles, with the index and without; how many of them an elevation record changes.
fn compare(map: Map<'_>, patch: Triggers<'_>, heights: &[i16; 16]) -> (u32, bool) {
    let plain = Ground::new(map, patch, heights);
    let index = Index::of(plain.triggers());
    let indexed = plain.with_index(&index);
    let mut raised = 0;
    for (col, row) in (-1..129).flat_map(|col| (-1..129).map(move |row| (col, row))) {
        for (x, z) in [(0, 0), (64, 127), (127, 0), (40, 90)] {
            let (x, z) = (128 * col + x, 128 * row + z);
            let floor = plain.floor(x, z);
            assert_eq!(
                indexed.floor(x, z),
                floor,
                "({x}, {z}) of tile ({col}, {row})"
            );
            raised += u32::from(floor != 0);
        }
        assert_eq!(indexed.corner(col, row), plain.corner(col, row));
    }
    (raised, index.is_whole())
}

/// Records of any tile, on the grid or not; `spread` are the bits of column and row that differ.
fn records(most: usize) -> impl Strategy<Value = Vec<Elevation>> {
    let spread = prop_oneof![Just(0xFF_u8), Just(0x7F), Just(0x1F), Just(0x07)];
    let record = (any::<[u8; 2]>(), any::<i8>(), any::<u8>());
    (spread, prop::collection::vec(record, 0..most)).prop_map(|(spread, records)| {
        let made = |([col, row], coarse, quads): ([u8; 2], i8, u8)| Elevation {
            tile: [col & spread, row & spread],
            coarse,
            quads,
        };
        records.into_iter().map(made).collect()
    })
}

/// A map with these records, whose tiles are marked as the load marks them, and one that has the mark at random places,
/// too.
fn marked(elevations: &[Elevation], patch: &[Elevation], seed: u32) -> Vec<u8> {
    let source = Source {
        elevations,
        ..Source::default()
    };
    let mut data = with_triggers(&source);
    let mut map = MapMut::parse(&mut data).unwrap();
    map.refresh();
    let mut state = seed | 1;
    for _ in 0..seed % 64 {
        state = state.wrapping_mul(0x41C6_4E6D).wrapping_add(0x3039);
        let at = tile((state >> 16 & 0x7F) as u8, (state >> 24 & 0x7F) as u8);
        map.set_cell(at, Cell(Cell::ELEVATION));
    }
    // The load marks no tile for the patch; a file may.
    for record in patch.iter().filter(|it| it.tile.iter().all(|&at| at < 128)) {
        map.set_cell(tile(record.tile[0], record.tile[1]), Cell(Cell::ELEVATION));
    }
    data
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Whatever the records are: several for a tile, in either block or in both, off the grid, too many.
    #[test]
    fn the_index_finds_what_a_search_finds(
        own in prop_oneof![records(40), records(700)],
        patch in records(400),
        seed in any::<u32>(),
    ) {
        let data = marked(&own, &patch, seed);
        let mut block = vec![0; 0x800];
        let source = Source { elevations: &patch, ..Source::default() };
        emit(&source, &mut block).unwrap();
        compare(Map::parse(&data).unwrap(), Triggers::lenient(&block), &[0; 16]);
    }

    /// A block behind the map that is no trigger block at all is read as the game reads it.
    #[test]
    fn the_index_reads_what_lies_behind_the_map_as_the_search_does(
        own in records(40),
        mut block in prop::collection::vec(any::<u8>(), 0..0x800),
        start in 0_u8..0x80,
    ) {
        // Kind 2 has an offset and a count that can be meant.
        for (at, byte) in [(10, start), (11, 0), (13, 1)] {
            if let Some(place) = block.get_mut(at) {
                *place = byte;
            }
        }
        let behind: Vec<Elevation> = Triggers::lenient(&block).elevations().collect();
        let data = marked(&own, &behind, 1);
        compare(Map::parse(&data).unwrap(), Triggers::lenient(&block), &[0; 16]);
    }
}

/// One record a tile, tile by tile; the coarse step tells them apart.
fn row_by_row(count: usize) -> Vec<Elevation> {
    let record = |n: usize| Elevation {
        tile: [(n % 126) as u8, (n / 126) as u8],
        coarse: (n % 120) as i8 + 1,
        quads: 0,
    };
    (0..count).map(record).collect()
}

/// As many tiles as have room, and one more: then the records are searched as before. A tile's further records take no
/// room.
#[test]
fn too_many_tiles_are_searched_one_by_one() {
    for (count, whole) in [(0, true), (ROOM, true), (ROOM + 1, false), (2000, false)] {
        let mut records = row_by_row(count);
        if count == ROOM {
            // First ones count, and are there before.
            records.extend(
                row_by_row(ROOM)
                    .into_iter()
                    .map(|it| Elevation { coarse: -1, ..it }),
            );
        }
        let data = marked(&records, &[], 0);
        let map = Map::parse(&data).unwrap();
        assert_eq!(
            usize::from(map.triggers().count(Kind::Elevation)),
            records.len()
        );
        let (raised, found) = compare(map, Triggers::EMPTY, &[0; 16]);
        assert_eq!((raised, found), (4 * count as u32, whole), "{count} tiles");
    }
}

/// An index that is filled again knows nothing of what it had.
#[test]
fn filling_forgets() {
    let (data, other) = (
        marked(&row_by_row(2000), &[], 0),
        marked(&row_by_row(3), &[], 0),
    );
    let triggers = |data| Combined {
        map: Map::parse(data).unwrap().triggers(),
        patch: Triggers::EMPTY,
    };
    let mut index = Index::of(&triggers(&data));
    assert!(!index.is_whole());
    index.fill(&triggers(&other));
    assert!(index.is_whole());
    let map = Map::parse(&other).unwrap();
    let ground = Ground::new(map, Triggers::EMPTY, &[0; 16]).with_index(&index);
    assert_eq!(
        [0, 1, 2, 3].map(|col| ground.floor(128 * col, 0)),
        [-32, -64, -96, 0]
    );
}
