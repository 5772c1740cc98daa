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
                write!(f, "animation bank: {len} bytes, its table needs {need}")
            }
            Self::BadCount { count } => {
                write!(
                    f,
                    "animation bank: {count} clips, expected 1 to {MAX_CLIPS}"
                )
            }
            Self::BadClipOffset { index } => {
                write!(
                    f,
                    "animation clip {index}: offset outside the bank or not ascending"
                )
            }
            Self::ClipTooSmall { index } => {
                write!(f, "animation clip {index}: less than 16 bytes")
            }
            Self::BadMarker { index, found } => write!(
                f,
                "animation clip {index}: marker {found:04X}, expected {MARKER:04X}"
            ),
            Self::EmptyClip { index } => {
                write!(f, "animation clip {index}: no parts or no frames")
            }
            Self::ClipTooLong { index } => {
                write!(f, "animation clip {index}: more than {MAX_FRAMES} frames")
            }
            Self::ClipTruncated { index } => write!(
                f,
                "animation clip {index}: fewer bytes than its parts and frames need"
            ),
            Self::ClipOversized { index } => write!(
                f,
                "animation clip {index}: more bytes than its parts and frames need"
            ),
            Self::BadRate { index } => {
                write!(f, "animation clip {index}: blending with a rate of 0")
            }
            Self::BadTrailer { index } => {
                write!(
                    f,
                    "animation clip {index}: its last eight bytes are not zero"
                )
            }
            Self::ReservedBits { index, pose } => write!(
                f,
                "animation clip {index}: pose {pose} has bits in its unused nibble"
            ),
            Self::NoSuchClip { number } => write!(f, "no animation clip has number {number}"),
            Self::PartMismatch { parts, objects } => write!(
                f,
                "animation clip has {parts} parts, the model {objects} objects"
            ),
            Self::BadCursor { cursor, frames } => write!(
                f,
                "animation cursor {cursor} is outside a clip of {frames} frames"
            ),
            Self::InexactPose { index, pose } => write!(
                f,
                "animation clip {index}: pose {pose} does not fit 12-bit translations and 8-bit angles"
            ),
            Self::PoseCount { index } => write!(
                f,
                "animation clip {index}: number of poses is not parts times frames"
            ),
            Self::OutputTooSmall { room } => {
                write!(f, "animation bank does not fit into {room} bytes")
            }
        }
    }
}

impl core::error::Error for Error {}
