//! A drive over an image file: raw Mode 2 sectors (`.cue` with its `.bin`, or the `.bin` alone)
//! or bare user data (`.iso`, 2048 bytes a sector). Errors have the disc sheet's names (section 9).

mod cue;
mod refusal;

use std::fmt;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use overworld_runtime::disc::sector;
use overworld_runtime::platform::{Drive, SECTOR, Sector};

use crate::fault::Fault;
use crate::input;

pub use cue::{Cue, CueError};
pub use refusal::OpenError;

/// What can go wrong while reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// The run leaves the image.
    ShortImage {
        /// First sector that is not there.
        lba: u32,
        /// Sectors in the image.
        sectors: u32,
        /// Byte of the file where the last one ends.
        end: u64,
    },
    /// No run is open, or all its sectors are taken.
    NoRun,
    /// The system refuses to read.
    Io {
        /// The sector.
        lba: u32,
        /// Why.
        kind: io::ErrorKind,
    },
    /// The sector's bytes are wrong: mode, form, EDC, ECC or sync.
    Sector {
        /// The sector.
        lba: u32,
        /// What is wrong.
        error: sector::Error,
    },
    /// The sector's address is that of another one.
    WrongAddress {
        /// The sector wanted.
        lba: u32,
        /// The sector whose address stands there.
        found: u32,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::ShortImage { lba, sectors, end } => write!(
                f,
                "ShortImage: sector {lba} is wanted, but the image ends after {sectors} sectors \
                 (offset {end:#x}); it is cut short"
            ),
            Self::NoRun => f.write_str("NoRun: no read was started, or it is used up"),
            Self::Io { lba, kind } => write!(f, "Io: sector {lba} cannot be read: {kind}"),
            Self::Sector { lba, error } => {
                let offset = u64::from(lba) * sector::RAW as u64 + fault_at(error) as u64;
                let text = Fault::new(&error, None);
                write!(
                    f,
                    "{} at offset {offset:#x} of the image: {}",
                    text.name, text.text
                )
            }
            Self::WrongAddress { lba, found } => write!(
                f,
                "WrongAddress: sector {lba} carries the address of sector {found}; \
                 sectors are missing or doubled before it"
            ),
        }
    }
}

impl std::error::Error for Error {}

/// Byte of a raw sector that an error is about.
#[must_use]
pub const fn fault_at(error: sector::Error) -> usize {
    match error {
        sector::Error::NotRawImage => 0,
        sector::Error::BadAddress { .. } => sector::ADDRESS_AT,
        sector::Error::BadSectorMode { .. } => sector::MODE_AT,
        sector::Error::UnexpectedForm2 { .. } => sector::SUBHEADER_AT + 2,
        sector::Error::BadEdc { .. } => sector::EDC_AT,
        sector::Error::BadEcc { .. } => sector::P_AT,
    }
}

/// How sectors lie in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// 2352 bytes: sync, address, mode, subheader, data, EDC, ECC; all checked.
    Raw,
    /// 2048 bytes of data; nothing to check.
    Bare,
}

/// Whether an image has to be whole to be opened.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whole {
    Yes,
    Perhaps,
}

/// Sectors behind the first one of which one must have a sync pattern where that has none.
const DAMAGED: u64 = 16;

/// That bytes are no image.
struct NoImage {
    /// Whether a volume begins where it does in an image of 2048 bytes a sector.
    volume: bool,
}

trait Source: Read + Seek {}
impl<T: Read + Seek> Source for T {}

/// A drive over an image.
pub struct ImageDrive {
    source: Box<dyn Source>,
    layout: Layout,
    /// Byte where logical sector 0 begins.
    start: u64,
    sectors: u32,
    /// Bytes behind the last whole sector.
    rest: u64,
    tracks: usize,
    /// The files that the image was opened from.
    files: Vec<PathBuf>,
    /// Next sector and sectors left of the open run.
    run: Option<(u32, u32)>,
}

impl fmt::Debug for ImageDrive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ImageDrive")
            .field("layout", &self.layout)
            .field("sectors", &self.sectors)
            .field("run", &self.run)
            .finish_non_exhaustive()
    }
}

impl ImageDrive {
    /// Open a `.cue` (its `.bin` lies beside it), a `.bin` or an `.iso`. The ending `.cue` marks
    /// a sheet; the rest is told by the bytes.
    ///
    /// # Errors
    /// See [`OpenError`].
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        Self::open_as(path, Whole::Yes)
    }

    /// [`ImageDrive::open`] for whoever looks for damage: an image is also what ends inside of a sector, and one whose
    /// first sector has no sync pattern but one of the next sixteen has.
    ///
    /// # Errors
    /// See [`OpenError`].
    pub fn open_damaged(path: &Path) -> Result<Self, OpenError> {
        Self::open_as(path, Whole::Perhaps)
    }

    fn open_as(path: &Path, whole: Whole) -> Result<Self, OpenError> {
        let is_cue = path
            .extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case("cue"));
        if is_cue {
            Self::open_sheet_as(path, whole)
        } else {
            Self::over_file(path, whole, |_| Ok((0, None)))
        }
    }

    /// Open the image of a cue sheet, whatever the sheet's name ends in.
    ///
    /// # Errors
    /// See [`OpenError`].
    pub fn open_sheet(path: &Path) -> Result<Self, OpenError> {
        Self::open_sheet_as(path, Whole::Yes)
    }

    fn open_sheet_as(path: &Path, whole: Whole) -> Result<Self, OpenError> {
        let io = |error| OpenError::Io {
            path: path.to_owned(),
            error,
        };
        let text = input::read(path, input::CUE).map_err(io)?;
        let sheet =
            Cue::parse(&String::from_utf8_lossy(&text)).map_err(|error| OpenError::Cue {
                path: path.to_owned(),
                error,
            })?;
        let bin = beside(path, &sheet.file)?;
        let byte = |sector: u32| u64::from(sector) * sector::RAW as u64;
        let mut drive = Self::over_file(&bin, whole, |bytes| {
            if byte(sheet.start) >= bytes && bytes > 0 {
                return Err(OpenError::BadIndex {
                    cue: path.to_owned(),
                    bin: bin.clone(),
                    start: sheet.start,
                    bytes,
                });
            }
            if let Some((index, start)) = sheet.second
                && byte(start) >= bytes
                && bytes > 0
            {
                return Err(OpenError::BadSecond {
                    cue: path.to_owned(),
                    bin: bin.clone(),
                    index,
                    start,
                    bytes,
                });
            }
            Ok((byte(sheet.start), sheet.end.map(byte)))
        })?;
        drive.tracks = sheet.tracks;
        drive.files.push(path.to_owned());
        if sheet.start > 0
            && let Some(found) = drive.shift()
        {
            return Err(OpenError::WrongIndex {
                cue: path.to_owned(),
                bin,
                start: sheet.start,
                found,
            });
        }
        Ok(drive)
    }

    /// The address that sector 0 carries, if the first sectors agree that all are off by it.
    fn shift(&mut self) -> Option<u32> {
        let mut raw = [0; sector::RAW];
        let mut shift = None;
        for lba in [0, 16] {
            if self.raw(lba, &mut raw).is_err() {
                continue;
            }
            let address = raw.get(sector::ADDRESS_AT..)?.first_chunk()?;
            let off = sector::block(*address)?.checked_sub(lba)?;
            if off == 0 || shift.is_some_and(|it| it != off) {
                return None;
            }
            shift = Some(off);
        }
        shift
    }

    /// A drive over a file, whose track `place` tells by the file's length: its first byte, and its
    /// end unless that is the file's.
    fn over_file(
        path: &Path,
        whole: Whole,
        place: impl FnOnce(u64) -> Result<(u64, Option<u64>), OpenError>,
    ) -> Result<Self, OpenError> {
        let io = |error| OpenError::Io {
            path: path.to_owned(),
            error,
        };
        let file = input::open(path).map_err(io)?;
        let length = file.metadata().map_err(io)?.len();
        let (start, end) = place(length)?;
        let bytes = end.map_or(length, |end| end.min(length));
        match Self::over(Box::new(file), bytes, start, whole).map_err(io)? {
            Ok(mut drive) => {
                drive.files.push(path.to_owned());
                Ok(drive)
            }
            Err(NoImage { volume }) => Err(OpenError::NotRawImage {
                path: path.to_owned(),
                bytes,
                volume,
            }),
        }
    }

    /// A drive over an image in memory: the bytes of a `.bin` or `.iso`; `None` if they are neither.
    #[must_use]
    pub fn from_bytes(image: Vec<u8>) -> Option<Self> {
        let bytes = image.len() as u64;
        // Reading from memory does not fail.
        Self::over(Box::new(Cursor::new(image)), bytes, 0, Whole::Yes)
            .ok()
            .and_then(Result::ok)
    }

    fn over(
        mut source: Box<dyn Source>,
        bytes: u64,
        start: u64,
        whole: Whole,
    ) -> io::Result<Result<Self, NoImage>> {
        let mut has_sync = |lba: u64| {
            let at = start + lba * sector::RAW as u64;
            let mut head = [0; 12];
            let is_there = bytes > at && read_at(&mut source, at, &mut head)?;
            Ok::<_, io::Error>(is_there && head == sector::SYNC)
        };
        let first = has_sync(0)?;
        let raw = first && bytes.is_multiple_of(sector::RAW as u64);
        let mut later = false;
        if whole == Whole::Perhaps {
            for lba in 1..=DAMAGED {
                later = later || has_sync(lba)?;
            }
        }
        let mut volume = [0; 6];
        let volume =
            read_at(&mut source, 16 * SECTOR as u64, &mut volume)? && volume == *b"\x01CD001";
        let bare = volume && bytes.is_multiple_of(SECTOR as u64);
        let damaged = whole == Whole::Perhaps;
        let (layout, size) = match (raw, bare) {
            (true, _) => (Layout::Raw, sector::RAW),
            (_, true) => (Layout::Bare, SECTOR),
            _ if damaged && (first || later) => (Layout::Raw, sector::RAW),
            _ if damaged && volume => (Layout::Bare, SECTOR),
            _ => return Ok(Err(NoImage { volume })),
        };
        let start = if layout == Layout::Raw { start } else { 0 };
        let length = bytes - start;
        let sectors = u32::try_from(length / size as u64).unwrap_or(u32::MAX);
        Ok(Ok(Self {
            source,
            layout,
            start,
            sectors,
            rest: length % size as u64,
            tracks: 1,
            files: Vec::new(),
            run: None,
        }))
    }

    /// Bytes behind the last whole sector, which only [`ImageDrive::open_damaged`] lets be.
    #[must_use]
    pub fn rest(&self) -> u64 {
        self.rest
    }

    /// Sectors in the image.
    #[must_use]
    pub fn sectors(&self) -> u32 {
        self.sectors
    }

    /// Tracks of the disc: 1 unless a cue sheet names more.
    #[must_use]
    pub fn tracks(&self) -> usize {
        self.tracks
    }

    /// The files that the image was opened from: the image itself, then the sheet that names it;
    /// none for an image in memory. Nothing may be written over them.
    #[must_use]
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// A raw sector as it is, nothing checked.
    ///
    /// # Errors
    /// [`Error::ShortImage`], [`Error::Io`]; [`Error::NoRun`] for an image of bare user data.
    pub fn raw(&mut self, lba: u32, out: &mut sector::Raw) -> Result<(), Error> {
        if lba >= self.sectors {
            return Err(self.short(lba));
        }
        if self.layout != Layout::Raw {
            return Err(Error::NoRun);
        }
        let io = |error: io::Error| Error::Io {
            lba,
            kind: error.kind(),
        };
        let at = self.start + u64::from(lba) * sector::RAW as u64;
        self.source.seek(SeekFrom::Start(at)).map_err(io)?;
        self.source.read_exact(out).map_err(io)
    }

    /// That a sector behind the image's end is wanted.
    fn short(&self, lba: u32) -> Error {
        let size = match self.layout {
            Layout::Raw => sector::RAW,
            Layout::Bare => SECTOR,
        };
        Error::ShortImage {
            lba,
            sectors: self.sectors,
            end: self.start + u64::from(self.sectors) * size as u64,
        }
    }

    /// How sectors lie in the file.
    #[must_use]
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// Read one sector; of a raw one everything is checked, EDC and ECC included.
    fn load(&mut self, lba: u32, out: &mut Sector) -> Result<(), Error> {
        let io = |error: io::Error| Error::Io {
            lba,
            kind: error.kind(),
        };
        match self.layout {
            Layout::Bare => {
                let at = self.start + u64::from(lba) * SECTOR as u64;
                self.source.seek(SeekFrom::Start(at)).map_err(io)?;
                self.source.read_exact(out).map_err(io)
            }
            Layout::Raw => {
                let mut raw = [0; sector::RAW];
                self.raw(lba, &mut raw)?;
                let bad = |error| Error::Sector { lba, error };
                let (found, _) = sector::data(&raw).map_err(bad)?;
                if found != lba {
                    return Err(Error::WrongAddress { lba, found });
                }
                *out = *sector::check(&raw).map_err(bad)?;
                Ok(())
            }
        }
    }
}

/// The file `name` beside a sheet, or, when the sheet is reached through a link, beside the link's
/// target.
fn beside(sheet: &Path, name: &str) -> Result<PathBuf, OpenError> {
    let here = sheet.with_file_name(name);
    let target = std::fs::canonicalize(sheet).map(|sheet| sheet.with_file_name(name));
    for bin in [Some(here.clone()), target.ok()].into_iter().flatten() {
        match bin.metadata() {
            Ok(_) => return Ok(bin),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => {
                return Err(OpenError::Bin {
                    cue: sheet.to_owned(),
                    bin,
                    error,
                });
            }
        }
    }
    Err(OpenError::MissingBin {
        cue: sheet.to_owned(),
        bin: here,
    })
}

/// Fill `out` from `at` on; `false` if the source ends before.
fn read_at(source: &mut dyn Source, at: u64, out: &mut [u8]) -> io::Result<bool> {
    source.seek(SeekFrom::Start(at))?;
    match source.read_exact(out) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

impl Drive for ImageDrive {
    type Error = Error;

    fn start(&mut self, lba: u32, sectors: u32) -> Result<(), Error> {
        self.run = None;
        match lba.checked_add(sectors) {
            Some(end) if end <= self.sectors => {
                self.run = Some((lba, sectors));
                Ok(())
            }
            _ => Err(self.short(lba.max(self.sectors))),
        }
    }

    fn sector(&mut self, out: &mut Sector) -> Result<(), Error> {
        match self.run {
            Some((lba, left)) if left > 0 => {
                self.load(lba, out)?;
                self.run = Some((lba + 1, left - 1));
                Ok(())
            }
            _ => Err(Error::NoRun),
        }
    }

    fn stop(&mut self) -> Result<(), Error> {
        self.run = None;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
