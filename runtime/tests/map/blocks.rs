//! Trigger blocks: section N.

use super::common::{WALK_ON, chained, map_with, offsets, patch_bytes, tile};
use overworld_runtime::field::map::trigger::{self, Kind, Script};
use overworld_runtime::field::map::{
    Cell, Error, Map, MapMut, READ_SIZE, SIZE, Source, Triggers, emit,
};

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
