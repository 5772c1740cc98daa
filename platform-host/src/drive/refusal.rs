//! Why a file is no image.

use std::fmt;
use std::io;
use std::path::PathBuf;

use overworld_runtime::disc::sector;

use super::cue::{self, CueError};
use crate::fault::Fault;

/// Why an image cannot be used. Each prints one sentence that names the file.
#[derive(Debug)]
pub enum OpenError {
    /// The file cannot be opened or read.
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The cue sheet does not begin with a track of Mode 2 data.
    Cue {
        /// The cue sheet.
        path: PathBuf,
        /// What is wrong.
        error: CueError,
    },
    /// The cue sheet names a file that does not exist.
    MissingBin {
        /// The cue sheet.
        cue: PathBuf,
        /// The file it names.
        bin: PathBuf,
    },
    /// The file that the cue sheet names exists, as far as can be told, and cannot be opened.
    Bin {
        /// The cue sheet.
        cue: PathBuf,
        /// The file it names.
        bin: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The first track begins past the end of its file.
    BadIndex {
        /// The cue sheet.
        cue: PathBuf,
        /// The file it names.
        bin: PathBuf,
        /// Sector of the file where the track begins.
        start: u32,
        /// Bytes of the file.
        bytes: u64,
    },
    /// The second track begins past the end of its file.
    BadSecond {
        /// The cue sheet.
        cue: PathBuf,
        /// The file it names.
        bin: PathBuf,
        /// The index.
        index: u8,
        /// Sector of the file where it lies.
        start: u32,
        /// Bytes of the file.
        bytes: u64,
    },
    /// Sector 0 of the first track, where its index says, carries another sector's address.
    WrongIndex {
        /// The cue sheet.
        cue: PathBuf,
        /// The file it names.
        bin: PathBuf,
        /// Sector of the file where the track begins.
        start: u32,
        /// The sector whose address stands there.
        found: u32,
    },
    /// The length is not a whole number of sectors, or the first sector has no sync pattern.
    NotRawImage {
        /// The image.
        path: PathBuf,
        /// Its bytes.
        bytes: u64,
        /// Whether a volume begins where it does in an image of 2048 bytes a sector.
        volume: bool,
    },
}

impl OpenError {
    /// What is wrong, without the name of the file.
    #[must_use]
    pub fn fault(&self) -> Fault {
        let (path, name) = match self {
            Self::Io { path, .. } | Self::Bin { cue: path, .. } => (path, Some("Io")),
            Self::Cue { path, .. }
            | Self::NotRawImage { path, .. }
            | Self::MissingBin { cue: path, .. }
            | Self::BadIndex { cue: path, .. }
            | Self::BadSecond { cue: path, .. }
            | Self::WrongIndex { cue: path, .. } => (path, None),
        };
        let text = self.to_string();
        let text = text.strip_prefix(&format!("{}: ", path.display()));
        let text = text.map_or_else(|| self.to_string(), str::to_owned);
        let (name, text) = match (name, text.split_once(": ")) {
            (None, Some((name, rest))) => (name, rest),
            (name, _) => (name.unwrap_or_default(), &text[..]),
        };
        Fault {
            name: name.to_owned(),
            offset: None,
            text: text.to_owned(),
        }
    }
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { path, error } => write!(f, "{}: {error}", path.display()),
            Self::Cue { path, error } => write!(f, "{}: {error}", path.display()),
            Self::MissingBin { cue, bin } => write!(
                f,
                "{}: MissingBin: the sheet names {}, which does not exist; put it beside the sheet",
                cue.display(),
                bin.display()
            ),
            Self::Bin { cue, bin, error } => write!(
                f,
                "{}: the sheet names {}, which cannot be opened: {error}",
                cue.display(),
                bin.display()
            ),
            Self::BadIndex {
                cue,
                bin,
                start,
                bytes,
            } => write!(
                f,
                "{}: BadIndex: INDEX 01 of the first track is {}, sector {start} of {}, which ends \
                 after {} sectors ({bytes} bytes)",
                cue.display(),
                cue::time(*start),
                bin.display(),
                bytes / sector::RAW as u64
            ),
            Self::BadSecond {
                cue,
                bin,
                index,
                start,
                bytes,
            } => write!(
                f,
                "{}: BadIndex: INDEX {index:02} of the second track is {}, sector {start} of {}, \
                 which ends after {} sectors ({bytes} bytes)",
                cue.display(),
                cue::time(*start),
                bin.display(),
                bytes / sector::RAW as u64
            ),
            Self::WrongIndex {
                cue,
                bin,
                start,
                found,
            } => write!(
                f,
                "{}: WrongAddress: INDEX 01 of the first track is {}, sector {start} of {}, which \
                 carries the address of sector {found}, expected that of sector 0: the sheet's index \
                 is wrong, or sectors are missing",
                cue.display(),
                cue::time(*start),
                bin.display()
            ),
            Self::NotRawImage {
                path,
                bytes,
                volume,
            } => {
                write!(f, "{}: NotRawImage: ", path.display())?;
                match bytes % sector::RAW as u64 {
                    _ if *bytes == 0 => f.write_str("the file is empty"),
                    _ if *volume => write!(
                        f,
                        "a volume begins at offset 0x8000, as in an image of 2048 bytes a sector: \
                         expected a multiple of 2048 bytes, found {bytes}: the file is cut short"
                    ),
                    0 => f.write_str(
                        "offset 0: expected the sync pattern 00 FF..FF 00 of a raw sector; \
                         neither is it a 2048-byte image with an ISO9660 volume at offset 0x8000",
                    ),
                    _ => write!(
                        f,
                        "expected a multiple of 2352 bytes, or of 2048 with an ISO9660 volume at \
                         offset 0x8000, found {bytes}: the file is cut short or not a disc image"
                    ),
                }
            }
        }
    }
}

impl std::error::Error for OpenError {}
