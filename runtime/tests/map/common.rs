//! Maps, blocks and a patch made by hand.

use overworld_runtime::field::map::trigger::Script;
use overworld_runtime::field::map::{SIZE, Tile};

pub fn tile(col: u8, row: u8) -> Tile {
    Tile::new(col, row).unwrap()
}

/// A zero map with this trigger block, written by hand.
pub fn map_with(block: &[u8]) -> Vec<u8> {
    let mut data = vec![0; SIZE];
    data[0x10000..0x10000 + block.len()].copy_from_slice(block);
    data
}

/// A block of these counts as the chain law of section 3.7 lays it out, computed apart from the code
/// under test; the records are zero.
pub fn chained(counts: [u16; 4]) -> Vec<u8> {
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
pub fn offsets(data: &[u8]) -> [u16; 5] {
    let word = |at: usize| u16::from_le_bytes(data[0x10000 + at..][..2].try_into().unwrap());
    [word(2), word(6), word(10), word(14), word(0)]
}

/// The disc sheet's worked bytes: tile (29, 91), beat 3.
pub const PATCH: [u8; 24] = [
    0x1E, 0x00, 0x12, 0x00, 0x00, 0x00, 0x14, 0x00, 0x01, 0x00, 0x1A, 0x00, 0x00, 0x00, 0x1C, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x1D, 0x5B, 0x03, 0x01,
];

pub fn patch_bytes() -> Vec<u8> {
    let mut data = PATCH.to_vec();
    data.resize(2048, 0);
    data
}

pub const WALK_ON: Script = Script {
    tile: [29, 91],
    record: 3,
    gate: Script::WALK_ON,
};
