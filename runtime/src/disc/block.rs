//! Scene blocks: which entries a scene owns, and the numbers by which the game finds entries (disc
//! sheet, sections 3 and 5). All numbers are raw.
//!
//! ```
//! use overworld_runtime::disc::block::{Block, Part, music};
//! let names = b"#define town01 5\n#define town0c 12\n";
//! let block = Block::find(names, "town01").unwrap();
//! assert_eq!((block.base(), block.end()), (5, 12));
//! assert_eq!(block.part(Part::Bundle), Some(8));
//! assert_eq!(music(block.base(), 30), Some(41));
//! ```

use super::cdname;
use core::fmt;
use core::ops::Range;

/// Sectors of a scene's map, its first entry.
pub const MAP_SECTORS: u32 = 36;

/// Sectors of the game's one read from the start of the map on: map, patch, and the first three
/// sectors of the stager table. The archive must be that long behind every map.
pub const READ_SECTORS: u32 = 40;

/// The number of entries between a block's base and track 0 of its music.
const MUSIC: u32 = 6;

/// Track numbers below this are found from the block's base.
pub const MUSIC_TRACKS: u32 = 2000;

/// The entry of overlay 0.
const OVERLAYS: u32 = 0x381;

/// What the entries at the head of a block hold, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Part {
    /// The field map, [`MAP_SECTORS`] long.
    Map = 0,
    /// The trigger patch, one sector; three scenes of the game have none.
    Patch = 1,
    /// The stager table, of which three sectors are kept.
    Stager = 2,
    /// The bundle of assets.
    Bundle = 3,
}

impl Part {
    /// All of them in order.
    pub const ALL: [Self; 4] = [Self::Map, Self::Patch, Self::Stager, Self::Bundle];

    /// The number of entries of the block before it: position, not size, tells what an entry is.
    #[must_use]
    pub const fn position(self) -> u32 {
        self as u32
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Map => "map",
            Self::Patch => "patch",
            Self::Stager => "stager table",
            Self::Bundle => "bundle",
        })
    }
}

/// The entries that a name covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    base: u32,
    end: u32,
}

impl Block {
    /// The block of entries `base..end`; empty when `end` is not above `base`.
    #[must_use]
    pub const fn new(base: u32, end: u32) -> Self {
        Self {
            base,
            end: if end > base { end } else { base },
        }
    }

    /// The block that `scene` names in `CDNAME.TXT`: up to the next larger index, or without end
    /// when there is none; see [`Block::within`].
    #[must_use]
    pub fn find(names: &[u8], scene: &str) -> Option<Self> {
        let base = cdname::lookup(names, scene)?;
        let next = cdname::defines(names).map(|define| define.raw);
        let end = next.filter(|&raw| raw > base).min();
        Some(Self::new(base, end.unwrap_or(u32::MAX)))
    }

    /// The part of the block that lies in an archive of `entries` entries.
    #[must_use]
    pub const fn within(self, entries: u32) -> Self {
        Self::new(
            self.base,
            if self.end < entries {
                self.end
            } else {
                entries
            },
        )
    }

    /// The first entry: the number that the name defines.
    #[must_use]
    pub const fn base(self) -> u32 {
        self.base
    }

    /// The entry behind the last one.
    #[must_use]
    pub const fn end(self) -> u32 {
        self.end
    }

    /// The entry of this part; `None` when the block ends before it.
    #[must_use]
    pub const fn part(self, part: Part) -> Option<u32> {
        match self.base.checked_add(part.position()) {
            Some(raw) if raw < self.end => Some(raw),
            _ => None,
        }
    }

    /// The entries behind the four parts: battle stages, further data, filler.
    #[must_use]
    pub const fn later(self) -> Range<u32> {
        let start = self.base.saturating_add(Part::ALL.len() as u32);
        if start < self.end {
            start..self.end
        } else {
            self.end..self.end
        }
    }
}

/// The entry of music track `id`, counted from the base of a block; `None` for tracks from
/// [`MUSIC_TRACKS`] on, which this rule does not cover.
#[must_use]
pub const fn music(base: u32, id: u32) -> Option<u32> {
    if id >= MUSIC_TRACKS {
        return None;
    }
    match base.checked_add(MUSIC) {
        Some(first) => first.checked_add(id),
        None => None,
    }
}

/// The entry of the overlay that a loader is called with; `None` past 32 bits.
#[must_use]
pub const fn overlay(parameter: u32) -> Option<u32> {
    parameter.checked_add(OVERLAYS)
}
