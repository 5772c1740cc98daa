//! The `.PCH` trigger patch, one sector behind the map (disc sheet, section 6).
//!
//! A trigger block of [`SIZE`] bytes; in retail only kind 1 has records, and their gate is 1. The
//! game reads it without a check ([`Triggers::lenient`]); [`Patch::parse`] is for builders and
//! verifiers.

use super::all_zero;
use super::trigger::{self, Kind, Script, Triggers, chain};
use core::fmt;

/// Bytes of a patch: one sector.
pub const SIZE: usize = 0x800;
/// The most script triggers that a patch has room for. Retail patches have up to 192.
pub const MAX_SCRIPTS: usize = (SIZE - 26) / 4;

/// What is wrong with a patch (disc sheet, section 9), or cannot be written to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Error {
    /// Not [`SIZE`] bytes.
    Size {
        /// Bytes there are.
        len: usize,
    },
    /// The chain breaks at the offset of this kind, its records leave the block, or, for kind 3,
    /// the end word is not the end.
    BadTriggerBlock {
        /// The kind.
        kind: u8,
    },
    /// More records than [`MAX_SCRIPTS`].
    TooManyScripts {
        /// How many.
        count: usize,
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
            Self::Size { len } => write!(f, "patch: {len} bytes, it must have {SIZE}"),
            Self::BadTriggerBlock { kind } => {
                write!(f, "patch: the trigger header does not chain at kind {kind}")
            }
            Self::TooManyScripts { count } => write!(
                f,
                "patch: {count} script triggers, there is room for {MAX_SCRIPTS}"
            ),
            Self::OutputTooSmall { room } => {
                write!(f, "patch: {room} bytes of room, it takes {SIZE}")
            }
        }
    }
}

impl core::error::Error for Error {}

/// A patch whose chain is known to be good.
#[derive(Clone, Copy, Debug)]
pub struct Patch<'a> {
    triggers: Triggers<'a>,
}

impl<'a> Patch<'a> {
    /// Read a patch strictly. One that is zero throughout is an absent one: no records.
    ///
    /// # Errors
    /// [`Error::Size`], [`Error::BadTriggerBlock`].
    pub fn parse(data: &'a [u8]) -> Result<Self, Error> {
        if data.len() != SIZE {
            return Err(Error::Size { len: data.len() });
        }
        if all_zero(data) {
            let triggers = Triggers::EMPTY;
            return Ok(Self { triggers });
        }
        match chain(data) {
            Ok(tables) => Ok(Self {
                triggers: Triggers::view(data, tables),
            }),
            Err(fault) => Err(Error::BadTriggerBlock { kind: fault.kind }),
        }
    }

    /// Its records, of all kinds.
    #[must_use]
    pub const fn triggers(&self) -> Triggers<'a> {
        self.triggers
    }

    /// Whether it is as all retail patches are: only script triggers that are walked on.
    #[must_use]
    pub fn is_retail_shaped(&self) -> bool {
        let other = [Kind::Teleport, Kind::Elevation, Kind::Region];
        other.into_iter().all(|kind| self.triggers.count(kind) == 0)
            && self.triggers.scripts().all(|it| it.gate == Script::WALK_ON)
    }
}

/// Write a patch of these script triggers, padded with zeros to [`SIZE`]; the number of bytes.
///
/// # Errors
/// [`Error::TooManyScripts`], [`Error::OutputTooSmall`].
pub fn emit(scripts: &[Script], out: &mut [u8]) -> Result<usize, Error> {
    let count = scripts.len();
    if count > MAX_SCRIPTS {
        return Err(Error::TooManyScripts { count });
    }
    let room = out.len();
    let small = Error::OutputTooSmall { room };
    let out = out.get_mut(..SIZE).ok_or(small)?;
    let source = trigger::Source {
        scripts,
        ..trigger::Source::default()
    };
    let end = trigger::emit(&source, out).map_err(|_| small)?;
    out.get_mut(end..).ok_or(small)?.fill(0);
    Ok(SIZE)
}
