use super::{OBJECTS, READ_SIZE, SIZE};
use core::fmt;

/// What is wrong with a map file (field sheet, section 18), or cannot be written to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Error {
    /// Not [`SIZE`] bytes, nor [`READ_SIZE`] where a whole read is expected.
    Size {
        /// Bytes there are.
        len: usize,
    },
    /// The trigger header does not chain.
    TriggerChain {
        /// Offset, in the trigger block, of the header word that breaks the chain: an offset (2,
        /// 6, 10, 14), a count whose records leave the block (4, 8, 12, 16), or the end word (0).
        at: u16,
    },
    /// The trigger header is all zero, but there are objects or walls.
    ZeroHeaderOnField {
        /// Offset of the first byte of them in the file.
        offset: usize,
    },
    /// The writer got more objects than there are records.
    TooManyObjects {
        /// How many.
        count: usize,
    },
    /// The writer got a grid that is neither empty nor whole.
    GridSize {
        /// Cells it has.
        len: usize,
    },
    /// The trigger tables do not fit their block.
    TriggersTooLong {
        /// The kind at which the block's end is passed.
        kind: u8,
    },
    /// The writer's slice is full.
    OutputTooSmall {
        /// Its length in bytes.
        room: usize,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Size { len } => write!(
                f,
                "map: {len} bytes, it must have {SIZE} (or {READ_SIZE} with what follows it)"
            ),
            Self::TriggerChain { at } => write!(
                f,
                "map: the trigger header does not chain at its word {at:#04X}"
            ),
            Self::ZeroHeaderOnField { offset } => write!(
                f,
                "map: the trigger header is zero, but there is a field at offset {offset:#07X}"
            ),
            Self::TooManyObjects { count } => {
                write!(f, "map: {count} objects, there is room for {OBJECTS}")
            }
            Self::GridSize { len } => write!(f, "map: a grid of {len} cells"),
            Self::TriggersTooLong { kind } => {
                write!(f, "map: the trigger block is full at kind {kind}")
            }
            Self::OutputTooSmall { room } => {
                write!(f, "map: {room} bytes of room, it takes {SIZE}")
            }
        }
    }
}

impl core::error::Error for Error {}
