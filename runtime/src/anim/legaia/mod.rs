//! Legaia animation banks: asset type `05`, slot 4 of the overworld bundles (ANM sheet).
//!
//! A [`Bank`] is a list of clips; a [`Clip`] is a table of rigid [`Pose`]s, one per part of a
//! model and frame; a [`Playback`] is the clock of one actor. Nothing is copied: clips borrow
//! from the decoded payload.
//!
//! Clip numbers are one-based, in calls as in scripts; the `index` of an [`Error`] is zero-based,
//! the position in the bank's table.

mod bank;
mod clock;
mod pose;
mod select;
mod write;

pub use bank::{Bank, Clip, MARKER, MAX_CLIPS, MAX_FRAMES, Sample, part_gate};
pub use clock::{ClipEnd, Playback, mode};
pub use pose::{Pose, blend_angle, blend_translation};
pub use select::{Banks, PARTY, Source, select};
pub use write::{ClipSource, emit};

use core::fmt;

/// What is wrong with a bank, or with what was asked of it (ANM sheet, "Malformed input and
/// errors").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Error {
    /// The payload ends inside the table.
    Truncated {
        /// Bytes needed.
        need: usize,
        /// Bytes there are.
        len: usize,
    },
    /// The number of clips is 0 or above [`MAX_CLIPS`].
    BadCount {
        /// The number found.
        count: u32,
    },
    /// A clip starts inside the table, past the end, or not after its predecessor.
    BadClipOffset {
        /// The clip.
        index: u16,
    },
    /// A clip has less than 16 bytes.
    ClipTooSmall {
        /// The clip.
        index: u16,
    },
    /// The marker is not [`MARKER`].
    BadMarker {
        /// The clip.
        index: u16,
        /// The marker found.
        found: u16,
    },
    /// A clip has no parts or no frames.
    EmptyClip {
        /// The clip.
        index: u16,
    },
    /// A clip has more than [`MAX_FRAMES`] frames: the cursor would overflow.
    ClipTooLong {
        /// The clip.
        index: u16,
    },
    /// A clip has fewer bytes than its parts and frames need.
    ClipTruncated {
        /// The clip.
        index: u16,
    },
    /// A clip has more bytes than its parts and frames need (strict).
    ClipOversized {
        /// The clip.
        index: u16,
    },
    /// Blending is on and the rate is 0.
    BadRate {
        /// The clip.
        index: u16,
    },
    /// The last eight bytes of a clip are not zero (strict).
    BadTrailer {
        /// The clip.
        index: u16,
    },
    /// A pose has bits in the nibble that is never read ([`Bank::lint`]).
    ReservedBits {
        /// The clip.
        index: u16,
        /// The pose in the clip, counted through all frames.
        pose: u32,
    },
    /// No clip has this number.
    NoSuchClip {
        /// The number asked for.
        number: i16,
    },
    /// The clip's parts are not the model's objects: skip the draw.
    PartMismatch {
        /// Parts of the clip.
        parts: u8,
        /// Objects of the model.
        objects: usize,
    },
    /// The cursor points past the clip ([`Clip::check_cursor`]).
    BadCursor {
        /// The cursor, in 1/16 frame.
        cursor: i16,
        /// Frames of the clip.
        frames: u16,
    },
    /// A pose cannot be stored exactly: a translation outside -2048..2047, an angle that is no
    /// multiple of 16 or not below 4096 (writer).
    InexactPose {
        /// The clip.
        index: u16,
        /// The pose in the clip, counted through all frames.
        pose: u32,
    },
    /// The number of poses is not parts times frames (writer).
    PoseCount {
        /// The clip.
        index: u16,
    },
    /// The writer's slice is full.
    OutputTooSmall {
        /// Bytes there are.
        room: usize,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Truncated { need, len } => {
                write!(
                    f,
                    "Truncated: expected {need} bytes for the clip table, found {len}"
                )
            }
            Self::BadCount { count } => {
                write!(
                    f,
                    "BadCount: expected 1 to {MAX_CLIPS} clips, found {count}"
                )
            }
            Self::BadClipOffset { index } => {
                write!(
                    f,
                    "BadClipOffset: clip {}: its offset is inside the table, past the end, or not above \
                     its predecessor's",
                    number(index)
                )
            }
            Self::ClipTooSmall { index } => {
                write!(
                    f,
                    "ClipTooSmall: clip {}: less than 16 bytes",
                    number(index)
                )
            }
            Self::BadMarker { index, found } => write!(
                f,
                "BadMarker: clip {}: expected marker {MARKER:04X}, found {found:04X}",
                number(index)
            ),
            Self::EmptyClip { index } => {
                write!(
                    f,
                    "EmptyClip: clip {}: no parts or no frames",
                    number(index)
                )
            }
            Self::ClipTooLong { index } => {
                write!(
                    f,
                    "ClipTooLong: clip {}: more than {MAX_FRAMES} frames",
                    number(index)
                )
            }
            Self::ClipTruncated { index } => write!(
                f,
                "ClipTruncated: clip {}: fewer bytes than its parts and frames need",
                number(index)
            ),
            Self::ClipOversized { index } => write!(
                f,
                "ClipOversized: clip {}: more bytes than its parts and frames need",
                number(index)
            ),
            Self::BadRate { index } => {
                write!(
                    f,
                    "BadRate: clip {}: blending with a rate of 0",
                    number(index)
                )
            }
            Self::BadTrailer { index } => {
                write!(
                    f,
                    "BadTrailer: clip {}: its last eight bytes are not zero",
                    number(index)
                )
            }
            Self::ReservedBits { index, pose } => write!(
                f,
                "ReservedBits: clip {}: pose {pose} has bits in its unused nibble",
                number(index)
            ),
            Self::NoSuchClip { number } => write!(f, "NoSuchClip: no clip has number {number}"),
            Self::PartMismatch { parts, objects } => write!(
                f,
                "PartMismatch: the clip has {parts} parts, the model {objects} objects"
            ),
            Self::BadCursor { cursor, frames } => write!(
                f,
                "BadCursor: cursor {cursor} is outside a clip of {frames} frames"
            ),
            Self::InexactPose { index, pose } => write!(
                f,
                "InexactPose: clip {}: pose {pose} does not fit 12-bit translations and 8-bit angles",
                number(index)
            ),
            Self::PoseCount { index } => write!(
                f,
                "PoseCount: clip {}: the number of poses is not parts times frames",
                number(index)
            ),
            Self::OutputTooSmall { room } => {
                write!(f, "OutputTooSmall: the bank does not fit into {room} bytes")
            }
        }
    }
}

/// Clips have numbers from 1 on; the errors count from 0.
fn number(index: u16) -> u32 {
    u32::from(index) + 1
}

impl core::error::Error for Error {}
