//! What is no fault of a model, and yet worth a word.

use std::fmt;

use overworld_runtime::anim::ff8::{SLOW_LIMIT, Warning};

use super::PADDING;
use crate::identify::count;

/// What a model maker should mend, though the game plays it (FF8 sheet, section 12).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// Bytes behind the end that the table gives.
    Longer(usize),
    /// Bytes behind the last stream of an animation section, and where they begin.
    Unread(usize, usize),
    /// More than one bone without a parent.
    MultipleRoots(usize),
    /// An animation without frames.
    EmptyAnimation(u32),
    /// The stream of an animation runs into the next one.
    Overlap(u32),
    /// An animation has too many frames to be played slowly.
    SlowLimit(u32, u8),
    /// An animation has a scale above 32767, which wraps.
    ValueRange(u32, i16),
    /// Of the geometry.
    Geometry(Warning),
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Longer(bytes) => write!(
                f,
                "EndOffsetMismatch: {bytes} bytes follow behind the end that the table gives"
            ),
            Self::Unread(bytes, at) => write!(
                f,
                "Unread: {} from offset {at:#x} on belong to no animation: expected at most {PADDING} zeros behind the \
                 last one",
                count(bytes, "byte")
            ),
            Self::MultipleRoots(roots) => {
                write!(
                    f,
                    "MultipleRoots: expected one bone without a parent, found {roots}"
                )
            }
            Self::EmptyAnimation(animation) => {
                write!(f, "EmptyAnimation: animation {animation} has no frames")
            }
            Self::Overlap(animation) => write!(
                f,
                "Overlap: the stream of animation {animation} runs into the next one"
            ),
            Self::SlowLimit(animation, frames) => write!(
                f,
                "SlowLimit: animation {animation} has {frames} frames; above {SLOW_LIMIT} it ends early when \
                 it is slowed"
            ),
            Self::ValueRange(animation, scale) => write!(
                f,
                "ValueRange: animation {animation}: expected scales of at most 32767, found one that wraps to \
                 {scale}"
            ),
            Self::Geometry(Warning::VertexTotal { found, vertices }) => match found {
                Some(found) => write!(
                    f,
                    "VertexTotal: expected {vertices} at the end of the geometry, found {found}"
                ),
                None => write!(
                    f,
                    "VertexTotal: expected {vertices} at the end of the geometry, which lacks it"
                ),
            },
            Self::Geometry(Warning::TopNibble { object, face }) => write!(
                f,
                "TopNibble: object {object}, face {face}: another vertex number than the first has bits at \
                 its top"
            ),
        }
    }
}
