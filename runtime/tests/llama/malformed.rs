//! E12 and the rows of section 10 that end the reading.

use overworld_runtime::llama::map::{Block, Error, Map};
use overworld_runtime::llama::{Flags, Models};

use super::fixtures::*;

fn parse(data: &[u8], flags: u32, nv: &[u32]) -> Error {
    let error = Map::parse_lenient(data, Flags(flags), Models::Table(nv)).unwrap_err();
    // The strict reader refuses for the same reason.
    assert_eq!(
        Map::parse(data, Flags(flags), Models::Table(nv)).unwrap_err(),
        error
    );
    error
}

fn truncated(block: Block, offset: usize, need: u64, item: u32) -> Error {
    Error::Truncated {
        block,
        offset,
        need,
        item,
    }
}

#[test]
fn e12_mutations() {
    let data = full();
    let flags = FULL.0;
    let short = &data[..data.len() - 1];
    assert_eq!(
        parse(short, flags, &NV),
        truncated(Block::Tail, 0x38C, 2, 0)
    );
    let trailing = Error::TrailingBytes {
        offset: 0x38E,
        bytes: 4,
    };
    assert_eq!(parse(&[&data[..], &[0; 4]].concat(), flags, &NV), trailing);
    let trailing = Error::TrailingBytes {
        offset: 0x38A,
        bytes: 4,
    };
    assert_eq!(parse(&data, flags & !0x10, &NV), trailing);
    let strats = truncated(Block::Strats, 0x35E, 58, 3);
    assert_eq!(parse(&data, flags & !0x1_0000, &NV), strats);
    let paths = truncated(Block::Paths, 0x384, 12, 1);
    assert_eq!(parse(&data, flags & !0x400_0000, &NV), paths);
    let strats = truncated(Block::Strats, 0x360, 58, 2);
    assert_eq!(parse(&data, flags, &[2, 4]), strats);
    let mut changed = data.clone();
    changed[0x280] = 9;
    let model = Error::ModelIndex {
        block: Block::Models,
        index: 0,
        model: 9,
        normal: false,
        offset: Some(0x280),
    };
    assert_eq!(parse(&changed, flags, &NV), model);
    let mut changed = data.clone();
    changed[0x28C] = 2;
    let entries = Error::AltCount {
        count: 2,
        tiles: 1,
        offset: Some(0x28C),
    };
    assert_eq!(parse(&changed, flags, &NV), entries);
    let mut changed = data.clone();
    changed[0x2A0] = 2;
    let model = Error::ModelIndex {
        block: Block::Alternatives,
        index: 0,
        model: 2,
        normal: false,
        offset: Some(0x2A0),
    };
    assert_eq!(parse(&changed, flags, &NV), model);
}

#[test]
fn the_gate_that_is_wrong_is_suggested() {
    let data = full();
    for gate in Flags::GATES {
        let wrong = Flags(FULL.0 & !gate);
        let suggested = Map::suggest(&data, wrong, Models::Table(&NV));
        assert_eq!(suggested, Some(gate), "{gate:#x}");
    }
    assert_eq!(Map::suggest(&data[..900], FULL, Models::Table(&NV)), None);
}

/// Every prefix is refused, as truncated, inside the block that it ends in.
#[test]
fn all_prefixes_are_truncated() {
    let data = full();
    for len in 0..data.len() {
        let error = parse(&data[..len], FULL.0, &NV);
        let Error::Truncated {
            block,
            offset,
            need,
            ..
        } = error
        else {
            panic!("{len}: {error}");
        };
        let span = read(&data, FULL).span(block);
        assert!(
            span.contains(&offset) && span.contains(&len),
            "{len}: {error}"
        );
        assert!(
            offset <= len && offset as u64 + need > len as u64,
            "{len}: {error}"
        );
    }
}

#[test]
fn counts_near_the_end_of_32_bits() {
    let data = full();
    let with = |at: usize, word: u32| {
        let mut changed = data.clone();
        changed[at..at + 4].copy_from_slice(&word.to_le_bytes());
        parse(&changed, FULL.0, &NV)
    };
    for count in [u32::MAX, u32::MAX - 1, 0x8000_0000, 0x1000_0000] {
        for (at, block) in [
            (0, Block::Tiles),
            (0x60, Block::Zones),
            (0xBE, Block::Waypoints),
            (0x2DC, Block::Strats),
        ] {
            let index = None;
            let overflow = Error::CountOverflow {
                block,
                index,
                count,
                offset: Some(at),
            };
            assert_eq!(with(at, count), overflow);
        }
        assert!(matches!(
            with(0x54, count),
            Error::CountOverflow { .. } | Error::Truncated { .. }
        ));
        let entries = Error::AltCount {
            count,
            tiles: 1,
            offset: Some(0x28C),
        };
        assert_eq!(with(0x28C, count), entries);
        assert!(matches!(
            with(0x358, count),
            Error::Truncated {
                block: Block::Paths,
                ..
            }
        ));
        assert!(matches!(
            with(0x35C, count),
            Error::Truncated {
                block: Block::Paths,
                ..
            }
        ));
        for (at, width, height) in [(4, count, 2), (8, 2, count)] {
            let error = with(at, count);
            let grid = Error::GridSize {
                width,
                height,
                cells: None,
            };
            let overflow = Error::CountOverflow {
                block: Block::Grid,
                index: None,
                count: count.wrapping_mul(2),
                offset: Some(4),
            };
            let short = matches!(
                error,
                Error::Truncated {
                    block: Block::Grid,
                    ..
                }
            );
            assert!(error == grid || error == overflow || short, "{error}");
        }
    }
    for at in [4, 8] {
        assert!(matches!(with(at, 0), Error::GridSize { .. }));
    }
    // The largest counts whose records a chunk could hold.
    assert!(matches!(
        with(0x54, 0x3FFF_FFFF),
        Error::Truncated {
            block: Block::Pool,
            ..
        }
    ));
    assert!(matches!(
        with(0, 0x0AAA_AAAA),
        Error::Truncated {
            block: Block::Tiles,
            ..
        }
    ));
}

#[test]
fn colours_that_are_too_long_name_their_tile() {
    // The frame byte of a tile's second vertex, and what its 255 frames take.
    for (tile, at, vertices) in [(0, 0x2A4 + 7, 2), (1, 0x2AC + 7, 3), (2, 0x2D4 + 7, 2)] {
        let mut data = full();
        data[at] = 255;
        let error = parse(&data, FULL.0, &NV);
        let Error::Truncated {
            block: Block::Colours,
            need,
            item,
            ..
        } = error
        else {
            panic!("{tile}: {error}");
        };
        assert_eq!((item, need), (tile, 255 * 4 * vertices));
        let said = format!("block 11 (colours), tile {tile}: ");
        assert!(error.to_string().contains(&said), "{error}");
    }
}

#[test]
fn errors_name_themselves() {
    for error in [
        parse(&full()[..100], FULL.0, &NV),
        Error::PoolTooSmall {
            slots: 30,
            created: 31,
        },
        Error::TileOutsideGrid {
            tile: 1,
            col: 96,
            row: 0,
        },
    ] {
        let name = format!("{error:?}");
        let name = name.split([' ', '{']).next().unwrap();
        assert!(
            error.to_string().starts_with(&format!("{name}: ")),
            "{error}"
        );
    }
}
