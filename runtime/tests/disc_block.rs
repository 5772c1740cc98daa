//! Scene blocks and the numbers of entries (disc sheet, sections 3 and 5).

use overworld_runtime::disc::block::{
    Block, MAP_SECTORS, MUSIC_TRACKS, Part, READ_SECTORS, music, overlay,
};
use overworld_runtime::disc::prot::{self, extraction_from_raw};
use overworld_runtime::field::map;
use proptest::prelude::*;

#[test]
fn parts_stand_in_the_sheets_order() {
    let block = Block::new(12, 20);
    let parts = Part::ALL.map(|part| block.part(part));
    assert_eq!(parts, [Some(12), Some(13), Some(14), Some(15)]);
    let extraction = parts.map(|raw| extraction_from_raw(raw.unwrap()));
    assert_eq!(extraction, [Some(10), Some(11), Some(12), Some(13)]);
    assert_eq!(block.later(), 16..20);
    // Map, patch and three sectors of the stager table are one read.
    assert_eq!(MAP_SECTORS as usize * 2048, map::SIZE);
    assert_eq!(READ_SECTORS as usize * 2048, map::READ_SIZE);
    assert_eq!(READ_SECTORS, MAP_SECTORS + 1 + 3);
}

/// Bundles whose extraction numbers stand in the ANM sheet, and the bases that make them so: the
/// numbers that an older page gave for the kingdoms.
#[test]
fn bundles_of_the_game() {
    for (base, bundle) in [(85, 86), (244, 245), (391, 392), (3, 4), (12, 13)] {
        let raw = Block::new(base, base + 7).part(Part::Bundle).unwrap();
        assert_eq!(extraction_from_raw(raw), Some(bundle), "{base}");
    }
}

/// The worked archive of section 8: `#define demo 2`, entries of 1, 1, 36, 1, 1 and 10 sectors.
#[test]
fn the_worked_archive() {
    let mut table = [0; prot::TOC_BYTES];
    let end = prot::emit(&[1, 1, 36, 1, 1, 10], &mut table).unwrap();
    let toc = prot::Toc::parse(&table, end).unwrap();
    let block = Block::find(b"#define demo 2\n", "demo").unwrap();
    assert_eq!((block.base(), block.end()), (2, u32::MAX));
    let block = block.within(toc.len());
    assert_eq!((block.base(), block.end()), (2, 6));
    let places = Part::ALL.map(|part| {
        let entry = toc.entry(block.part(part).unwrap()).unwrap();
        (entry.first, entry.sectors)
    });
    assert_eq!(places, [(5, 36), (41, 1), (42, 1), (43, 10)]);
    assert_eq!(block.later(), 6..6);
    let (map, _) = places[0];
    assert!(map + READ_SECTORS <= toc.archive_sectors());
}

#[test]
fn a_block_ends_at_the_next_larger_index() {
    // Not in order; 990 twice.
    let names = b"#define init 0\n#define far 990\n#define near 5\n#define far2 990\n\
        #define mid 12\n";
    let find = |name| Block::find(names, name).map(|it| (it.base(), it.end()));
    assert_eq!(find("init"), Some((0, 5)));
    assert_eq!(find("near"), Some((5, 12)));
    assert_eq!(find("mid"), Some((12, 990)));
    assert_eq!(find("far"), Some((990, u32::MAX)));
    assert_eq!(find("far2"), Some((990, u32::MAX)));
    assert_eq!(find("none"), None);
    // The later of two lines of one name counts, as for the base.
    let twice = b"#define a 1\n#define b 4\n#define a 9\n";
    let block = Block::find(twice, "a").unwrap();
    assert_eq!((block.base(), block.end()), (9, u32::MAX));
    let block = Block::find(twice, "b").unwrap();
    assert_eq!((block.base(), block.end()), (4, 9));
}

#[test]
fn what_a_short_block_lacks() {
    let block = Block::new(10, 12);
    assert_eq!(
        Part::ALL.map(|part| block.part(part)),
        [Some(10), Some(11), None, None]
    );
    assert_eq!(block.later(), 12..12);
    assert_eq!(Block::new(10, 14).part(Part::Bundle), Some(13));
    assert_eq!(Block::new(10, 14).later(), 14..14);
    for empty in [Block::new(10, 10), Block::new(10, 3), block.within(2)] {
        assert_eq!((empty.base(), empty.end()), (10, 10));
        assert_eq!(empty.part(Part::Map), None);
        assert_eq!(empty.later(), 10..10);
    }
    let last = Block::new(u32::MAX - 2, u32::MAX);
    assert_eq!(last.part(Part::Patch), Some(u32::MAX - 1));
    assert_eq!(last.part(Part::Stager), None);
    assert_eq!(last.part(Part::Bundle), None);
    assert_eq!(last.later(), u32::MAX..u32::MAX);
}

#[test]
fn music_and_overlays() {
    assert_eq!(music(3, 0), Some(9));
    assert_eq!(music(3, 1), Some(10));
    assert_eq!(music(990, 1999), Some(2995));
    assert_eq!(music(3, MUSIC_TRACKS), None);
    assert_eq!(music(3, u32::MAX), None);
    assert_eq!(music(u32::MAX - 6, 0), Some(u32::MAX));
    assert_eq!(music(u32::MAX - 6, 1), None);
    assert_eq!(music(u32::MAX, 0), None);
    assert_eq!(overlay(0), Some(0x381));
    assert_eq!(overlay(0x60), Some(0x3E1));
    assert_eq!(overlay(u32::MAX - 0x381), Some(u32::MAX));
    assert_eq!(overlay(u32::MAX - 0x380), None);
}

proptest! {
    /// Every name's block begins where it says, holds no other base and ends where another begins.
    #[test]
    fn blocks_share_nothing(raws in prop::collection::btree_set(0u32..2000, 1..40)) {
        let raws: Vec<u32> = raws.into_iter().collect();
        // Written backwards: order is no matter.
        let numbered = raws.iter().enumerate().rev();
        let text: String = numbered.map(|(n, raw)| format!("#define s{n} {raw}\n")).collect();
        for (n, &raw) in raws.iter().enumerate() {
            let block = Block::find(text.as_bytes(), &format!("s{n}")).unwrap().within(2000);
            let next = raws.get(n + 1).copied().unwrap_or(2000);
            prop_assert_eq!((block.base(), block.end()), (raw, next));
            let parts = Part::ALL.iter().filter_map(|&part| block.part(part));
            let all: Vec<u32> = parts.chain(block.later()).collect();
            prop_assert_eq!(all, (raw..next).collect::<Vec<_>>());
        }
    }
}
