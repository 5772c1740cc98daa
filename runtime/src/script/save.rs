//! The save block: what scripts remember beyond a session (field VM sheet, 5.1).
//!
//! | Offset | Content |
//! |---|---|
//! | 0 | `SC`, icon flag, block count |
//! | 45Ch, 464h | gold, coins |
//! | 5C8h + 414h n | character n: maximum and current HP at +104h, MP at +108h |
//! | 1618h | the system bank, 512 bytes |
//! | 1F90h | our own, the party: four members, their number, leader, view |
//! | 1F98h | our own: levels of the eight characters |
//! | 1FA8h | our own: maximum HP, HP, maximum MP, MP of characters 4 to 7 |
//! | 1FF8h | our own: the generation, counted up with each save |
//! | 1FFCh | wrapping sum of the 2047 little-endian words in front of it |
//!
//! Two blocks are kept. [`write`] makes the next generation, which a platform puts over the older block,
//! so that a save that is torn loses nothing: [`newer`] takes the whole one.

use core::fmt;

use super::state::{State, SystemFlags};
use crate::bytes::u16_at;

/// Bytes of a block.
pub const SIZE: usize = 0x2000;

const GOLD: usize = 0x45C;
const COINS: usize = 0x464;
const CHARACTERS: usize = 0x5C8;
const STRIDE: usize = 0x414;
/// Maximum HP, HP, maximum MP, MP of a character.
const POINTS: usize = 0x104;
/// Characters that a block has room for in front of the flags.
const MEMBERS: usize = 4;
const FLAGS: usize = 0x1618;
const PARTY: usize = 0x1F90;
const LEVELS: usize = 0x1F98;
/// Points of the other characters, eight bytes each.
const OTHERS: usize = 0x1FA8;
const GENERATION: usize = 0x1FF8;
const SUM: usize = 0x1FFC;

/// What is wrong with a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum SaveError {
    /// It has another size than [`SIZE`].
    Size(usize),
    /// It does not begin with `SC`.
    Magic,
    /// The sum of its words is another than the one it holds.
    Sum {
        /// Held.
        expected: u32,
        /// Of the words.
        found: u32,
    },
}

impl fmt::Display for SaveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Size(size) => write!(f, "a save has {SIZE} bytes, this one {size}"),
            Self::Magic => f.write_str("a save begins with SC"),
            Self::Sum { expected, found } => {
                write!(
                    f,
                    "the save's sum is {expected:08X}, its words' {found:08X}"
                )
            }
        }
    }
}

impl core::error::Error for SaveError {}

fn u32_at(block: &[u8], at: usize) -> u32 {
    let half = |at| u32::from(u16_at(block, at).unwrap_or(0));
    half(at) | half(at + 2) << 16
}

fn put(block: &mut [u8], at: usize, bytes: &[u8]) {
    if let Some(place) = block.get_mut(at..at + bytes.len()) {
        place.copy_from_slice(bytes);
    }
}

/// Wrapping sum of the words in front of [`SUM`].
fn sum(block: &[u8]) -> u32 {
    let words = block.get(..SUM).unwrap_or_default().chunks_exact(4);
    words.fold(0, |sum, word| sum.wrapping_add(u32_at(word, 0)))
}

/// Where the points of character `n` stand.
const fn points(n: usize) -> usize {
    match n.checked_sub(MEMBERS) {
        None => CHARACTERS + STRIDE * n + POINTS,
        Some(n) => OTHERS + 8 * n,
    }
}

/// A block of what `state` has to be remembered: flags, gold, coins, the party, its characters' levels and points.
/// `generation` is that of the block it follows, plus one.
#[must_use]
pub fn write(state: &State, generation: u32) -> [u8; SIZE] {
    let mut block = [0; SIZE];
    put(&mut block, 0, &[b'S', b'C', 0x11, 1]);
    put(&mut block, GOLD, &state.gold.to_le_bytes());
    put(&mut block, COINS, &state.coins.to_le_bytes());
    for (n, it) in state.characters.iter().enumerate() {
        for (index, value) in [it.max_hp, it.hp, it.max_mp, it.mp].into_iter().enumerate() {
            put(&mut block, points(n) + 2 * index, &value.to_le_bytes());
        }
        put(&mut block, LEVELS + 2 * n, &it.level.to_le_bytes());
    }
    put(&mut block, PARTY, &state.members);
    let rest = [state.member_count, state.leader, state.view];
    put(&mut block, PARTY + state.members.len(), &rest);
    put(&mut block, FLAGS, &state.system.0);
    put(&mut block, GENERATION, &generation.to_le_bytes());
    let sum = sum(&block);
    put(&mut block, SUM, &sum.to_le_bytes());
    block
}

/// Check a block: its generation.
///
/// # Errors
/// [`SaveError`]: it is no save, or a damaged one.
pub fn check(block: &[u8]) -> Result<u32, SaveError> {
    if block.len() != SIZE {
        return Err(SaveError::Size(block.len()));
    }
    if !block.starts_with(b"SC") {
        return Err(SaveError::Magic);
    }
    let (expected, found) = (u32_at(block, SUM), sum(block));
    if expected != found {
        return Err(SaveError::Sum { expected, found });
    }
    Ok(u32_at(block, GENERATION))
}

/// Take back what [`write`] has put into a block, and leave the rest of `state` as it is: the block's
/// generation.
///
/// # Errors
/// As [`check`]; nothing has changed then.
pub fn read(block: &[u8], state: &mut State) -> Result<u32, SaveError> {
    let generation = check(block)?;
    state.gold = u32_at(block, GOLD) as i32;
    state.coins = u32_at(block, COINS) as i32;
    for (n, it) in state.characters.iter_mut().enumerate() {
        let word = |index: usize| u16_at(block, points(n) + 2 * index).unwrap_or(0);
        (it.max_hp, it.hp, it.max_mp, it.mp) = (word(0), word(1), word(2), word(3));
        it.level = u16_at(block, LEVELS + 2 * n).unwrap_or(0);
    }
    if let Some(&[a, b, c, d, count, leader, view]) =
        block.get(PARTY..).and_then(<[u8]>::first_chunk)
    {
        state.members = [a, b, c, d];
        // No more than there are places, whoever has written the block.
        state.member_count = count.min(4);
        (state.leader, state.view) = (leader, view);
    }
    if let Some(flags) = block.get(FLAGS..).and_then(|it| it.first_chunk()) {
        state.system = SystemFlags(*flags);
    }
    Ok(generation)
}

/// Which of two blocks is to be loaded: the whole one, of two the later. Generations wrap. `None` if both
/// are damaged.
#[must_use]
pub fn newer(blocks: [&[u8]; 2]) -> Option<usize> {
    match blocks.map(check) {
        [Ok(a), Ok(b)] => Some(usize::from(b.wrapping_sub(a) as i32 > 0)),
        [Ok(_), Err(_)] => Some(0),
        [Err(_), Ok(_)] => Some(1),
        [Err(_), Err(_)] => None,
    }
}
