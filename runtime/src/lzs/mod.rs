//! The LZS codec: [`decode`] and [`encode`] (LZS sheet).
//!
//! A stream has no magic, no length and no end mark: the decoded size always comes from the
//! container around it. The decoder needs no 4096-byte ring, because the output slice holds the
//! whole history (sheet, "Allocation-free, ring-free form"); cells that were never written read
//! as zero.

mod copy;
mod decode;
mod encode;
mod finder;
mod kernel;
mod narrow;
mod optimal;
mod section;
mod stream;
mod wide;

pub use decode::{decode, decode_sized, decode_strict, measure, most};
pub use encode::{Parse, bound, encode, encode_literal, encode_with};
pub use finder::Scratch;
pub use optimal::Step;
pub use section::{Section, decode_section, pairs, uncounted};
pub use stream::{Decoder, Progress, Window, WindowDecoder};

use core::fmt;

/// Longest distance a back-reference can have, and the size of the decoder's ring in bytes.
pub const RING: usize = 4096;
/// Where the ring is written first (sheet, "Constants").
pub const START: usize = 0xFEE;
/// Shortest match in bytes.
pub const MIN_MATCH: usize = 3;
/// Longest match in bytes.
pub const MAX_MATCH: usize = 18;

/// Why a stream was refused (sheet, "Malformed input and errors").
///
/// `out` is the number of bytes decoded before the fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Error {
    /// The source ends where a control byte is needed.
    TruncatedControl {
        /// Bytes decoded so far.
        out: usize,
        /// Bytes wanted.
        want: usize,
    },
    /// The source ends where a literal is needed.
    TruncatedLiteral {
        /// Bytes decoded so far.
        out: usize,
        /// Bytes wanted.
        want: usize,
    },
    /// The source ends inside the two bytes of a back-reference.
    TruncatedBackref {
        /// Bytes decoded so far.
        out: usize,
        /// Bytes wanted.
        want: usize,
    },
    /// The output slice is too short.
    OutputTooSmall {
        /// Bytes needed (by the encoder: at least).
        want: usize,
        /// Bytes there are.
        room: usize,
    },
    /// The optimal parse has fewer steps than the input has bytes.
    ScratchTooSmall {
        /// Steps needed.
        want: usize,
        /// Steps there are.
        room: usize,
    },
    /// The wanted size is above the caller's limit.
    SizeLimit {
        /// The size found.
        size: u32,
        /// The limit.
        limit: u32,
    },
    /// A section starts inside the header table or past the end of its container.
    BadOffset {
        /// The offset found.
        offset: u32,
    },
    /// A section's stream runs into the next section.
    SectionOverrun {
        /// Offset of the section.
        offset: u32,
        /// Bytes up to the next section.
        gap: usize,
    },
    /// A section starts before its predecessor.
    BadOffsetOrder {
        /// The offset found.
        offset: u32,
    },
    /// The wanted size ends inside a back-reference. Only [`decode_strict`] says so.
    SizeSplitsToken {
        /// Bytes of the token beyond the size.
        over: usize,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::TruncatedControl { out, want } => write!(
                f,
                "LZS stream ends at a control byte: {out} of {want} bytes decoded"
            ),
            Self::TruncatedLiteral { out, want } => write!(
                f,
                "LZS stream ends at a literal: {out} of {want} bytes decoded"
            ),
            Self::TruncatedBackref { out, want } => write!(
                f,
                "LZS stream ends inside a back-reference: {out} of {want} bytes decoded"
            ),
            Self::OutputTooSmall { want, room } => {
                write!(f, "LZS output needs {want} bytes, there are {room}")
            }
            Self::ScratchTooSmall { want, room } => {
                write!(f, "LZS optimal parse needs {want} steps, there are {room}")
            }
            Self::SizeLimit { size, limit } => {
                write!(f, "LZS size {size} is above the limit of {limit} bytes")
            }
            Self::BadOffset { offset } => {
                write!(f, "LZS section offset {offset:#X} is outside its container")
            }
            Self::SectionOverrun { offset, gap } => write!(
                f,
                "LZS section at {offset:#X} needs more than the {gap} bytes before the next one"
            ),
            Self::BadOffsetOrder { offset } => {
                write!(f, "LZS section offset {offset:#X} is below its predecessor")
            }
            Self::SizeSplitsToken { over } => {
                write!(f, "LZS size cuts {over} bytes off its last back-reference")
            }
        }
    }
}

impl core::error::Error for Error {}
