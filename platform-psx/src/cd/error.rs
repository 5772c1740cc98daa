//! Everything that can go wrong with the drive, each with its own sentence.

use super::{Command, Phase};
use core::fmt;

/// What can go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// The drive says that there is no disc.
    NoDisc,
    /// The lid is open, or was opened during a read.
    LidOpen,
    /// The disc has no data track.
    AudioDisc,
    /// The drive does not read this disc: the region's mark is missing.
    Unlicensed,
    /// The disc did not become readable in time.
    NotReady {
        /// Last state.
        stat: u8,
        /// Last error code.
        code: u8,
    },
    /// The drive did not answer in time.
    Timeout(Phase),
    /// The drive refused a command.
    Rejected {
        /// Which.
        command: Command,
        /// State of the drive.
        stat: u8,
        /// Error code (HAL sheet, 6.2).
        code: u8,
    },
    /// The run does not lie on the disc.
    BadLba {
        /// First logical block.
        lba: u32,
        /// Sectors wanted.
        sectors: u32,
        /// End of the disc.
        end: u32,
    },
    /// A sector lies behind the end of the disc, in its last second, which the drive cannot tell
    /// from the disc beforehand.
    EndOfDisc {
        /// Logical block.
        lba: u32,
    },
    /// No run is open, or all its sectors have been delivered.
    NoRun,
    /// A sector is not of Mode 2.
    BadSectorMode {
        /// Logical block.
        lba: u32,
        /// Its mode.
        mode: u8,
    },
    /// A sector is of Form 2: sound or film, without error correction.
    UnexpectedForm2 {
        /// Logical block.
        lba: u32,
    },
    /// The drive could not read a sector.
    Unreadable {
        /// Logical block.
        lba: u32,
        /// State of the drive.
        stat: u8,
        /// Error code.
        code: u8,
    },
    /// Other sectors came in place of this one, again and again.
    Missed {
        /// Logical block.
        lba: u32,
        /// Header of the last one that came: minute, second, frame (BCD), mode.
        header: [u8; 4],
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CD: ")?;
        match *self {
            Self::NoDisc => f.write_str("there is no disc in the drive"),
            Self::LidOpen => f.write_str("the lid is open or there is no disc"),
            Self::AudioDisc => f.write_str("the disc has no data track"),
            Self::Unlicensed => {
                f.write_str("the drive refuses to read this disc (no licence mark)")
            }
            Self::NotReady { stat, code } => write!(
                f,
                "the disc did not become readable (state {stat:02X}, error {code:02X})"
            ),
            Self::Timeout(phase) => write!(f, "time-out while {phase}"),
            Self::Rejected {
                command,
                stat,
                code,
            } => write!(
                f,
                "the drive refused {command} (state {stat:02X}, error {code:02X})"
            ),
            Self::BadLba { lba, sectors, end } => write!(
                f,
                "{sectors} sectors from {lba} on do not lie on the disc, which ends at {end}"
            ),
            Self::EndOfDisc { lba } => write!(
                f,
                "sector {lba} lies behind the end of the disc: is the image cut short?"
            ),
            Self::NoRun => f.write_str("no sectors are left to read in this run"),
            Self::BadSectorMode { lba, mode } => {
                write!(f, "sector {lba} is of mode {mode}, expected mode 2")
            }
            Self::UnexpectedForm2 { lba } => {
                write!(f, "sector {lba} is of form 2, expected form 1 data")
            }
            Self::Unreadable { lba, stat, code } => write!(
                f,
                "sector {lba} cannot be read (state {stat:02X}, error {code:02X})"
            ),
            Self::Missed { lba, header } => {
                let [minute, second, frame, mode] = header;
                write!(
                    f,
                    "sector {lba} never came; the last one was {minute:02X}:{second:02X}:{frame:02X}, mode {mode:02X}"
                )
            }
        }
    }
}

impl core::error::Error for Error {}
