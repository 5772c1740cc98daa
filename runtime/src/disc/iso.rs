//! The ISO9660 walk: from a path to an extent (disc sheet, section 2).
//!
//! Only what finding files needs is read: the primary volume descriptor, then one directory per
//! path component, sector by sector. The work is bounded by the length of the path and by
//! [`DIRECTORY_LIMIT`], whatever the disc holds.

mod write;

pub use write::{PathRecord, Volume, path_record, record, record_len, terminator};

use crate::bytes::{slice_at, u8_at, u32_at};
use crate::platform::{Drive, SECTOR, Sector};
use core::fmt;
use core::ops::ControlFlow;

/// Block of the primary volume descriptor.
pub const VOLUME_LBA: u32 = 16;
/// Bytes of the largest directory that is read.
pub const DIRECTORY_LIMIT: u32 = 64 << 10;
/// Length of a directory record without its name.
const RECORD: usize = 33;
/// Flag bit of a directory.
const DIRECTORY: u8 = 0x02;
/// Flag bit of every section of a file but the last one.
const MORE: u8 = 0x80;

/// Where a file or directory lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// First logical block.
    pub lba: u32,
    /// Length in bytes.
    pub size: u32,
}

impl Extent {
    /// Number of sectors, the last one possibly not full.
    #[must_use]
    pub const fn sectors(&self) -> u32 {
        self.size.div_ceil(SECTOR as u32)
    }
}

/// Why a path has no extent (disc sheet, section 9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Error<E> {
    /// The drive could not read.
    Drive(E),
    /// Block 16 holds no primary volume descriptor.
    NoVolume,
    /// A directory record is shorter than 34 bytes, crosses a sector, or its name passes its end.
    BadDirRecord {
        /// The block.
        lba: u32,
        /// Offset of the record in the block.
        offset: u32,
    },
    /// A directory is larger than [`DIRECTORY_LIMIT`].
    DirTooLarge {
        /// Its first block.
        lba: u32,
        /// Its size in bytes.
        size: u32,
    },
    /// A file or directory lies past the end of the volume.
    ExtentOutOfRange {
        /// Its first block.
        lba: u32,
        /// Its size in bytes.
        size: u32,
    },
    /// A file or directory does not lie in one piece: units of sectors with gaps between them.
    Interleaved {
        /// Its first block.
        lba: u32,
        /// Sectors of a unit.
        unit: u8,
        /// Sectors of a gap.
        gap: u8,
    },
    /// A file lies in several sections, each with a record of its own.
    MultiExtent {
        /// First block of the first section.
        lba: u32,
        /// Bytes of the first section.
        size: u32,
    },
    /// A part of the path does not exist, or is a file where a directory is needed, or the last
    /// part is a directory.
    NotFound {
        /// Which part of the path, from 0.
        part: u32,
    },
}

impl<E: fmt::Display> fmt::Display for Error<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Drive(error) => error.fmt(f),
            Self::NoVolume => f.write_str("NoVolume: no ISO9660 volume at sector 16"),
            Self::BadDirRecord { lba, offset } => {
                write!(
                    f,
                    "BadDirRecord: sector {lba}, offset {offset}: the record is shorter than 34 \
                     bytes, crosses the sector's end, or its name passes its own"
                )
            }
            Self::DirTooLarge { lba, size } => write!(
                f,
                "DirTooLarge: the directory at sector {lba} has {size} bytes, at most \
                 {DIRECTORY_LIMIT} are read"
            ),
            Self::ExtentOutOfRange { lba, size } => write!(
                f,
                "ExtentOutOfRange: {size} bytes at sector {lba} lie past the end of the volume"
            ),
            Self::Interleaved { lba, unit, gap } => write!(
                f,
                "Interleaved: expected the sectors behind {lba} in one piece, found units of {unit} \
                 with gaps of {gap}"
            ),
            Self::MultiExtent { lba, size } => write!(
                f,
                "MultiExtent: expected one section, found more of them behind the {size} bytes at \
                 sector {lba}"
            ),
            Self::NotFound { part } => {
                write!(f, "NotFound: part {part} of the path is not on the disc")
            }
        }
    }
}

impl<E: fmt::Debug + fmt::Display> core::error::Error for Error<E> {}

/// One record of a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record<'a> {
    /// The name as it stands on the disc, with its version; `00` and `01` are the directory
    /// itself and its parent.
    pub name: &'a [u8],
    /// Where its data lies: behind the blocks of an extended attribute record, if it has one.
    pub extent: Extent,
    /// Whether it is a directory.
    pub directory: bool,
    /// Whether the extent is all of it.
    pub form: Form,
}

/// Whether a record's extent is the whole file in one piece (ECMA-119, 9.1.6 to 9.1.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// It is, or it is the last section of several.
    Whole,
    /// Its sectors stand in units with gaps between them; either number is not 0.
    Interleaved {
        /// Sectors of a unit.
        unit: u8,
        /// Sectors of a gap.
        gap: u8,
    },
    /// A section of a file: the next record of that name is another one.
    Section,
}

impl Form {
    /// The extent of a record of this form, if it is all of the file.
    ///
    /// # Errors
    /// [`Error::Interleaved`], [`Error::MultiExtent`].
    pub const fn whole<E>(self, extent: Extent) -> Result<Extent, Error<E>> {
        let Extent { lba, size } = extent;
        match self {
            Self::Whole => Ok(extent),
            Self::Interleaved { unit, gap } => Err(Error::Interleaved { lba, unit, gap }),
            Self::Section => Err(Error::MultiExtent { lba, size }),
        }
    }
}

impl Record<'_> {
    /// The name without `;1`.
    #[must_use]
    pub fn plain_name(&self) -> &[u8] {
        plain(self.name)
    }

    /// The extent, if it is all of the file.
    ///
    /// # Errors
    /// [`Error::Interleaved`], [`Error::MultiExtent`].
    pub const fn whole<E>(&self) -> Result<Extent, Error<E>> {
        self.form.whole(self.extent)
    }
}

/// `name` without its version.
fn plain(name: &[u8]) -> &[u8] {
    name.split(|&byte| byte == b';').next().unwrap_or_default()
}

/// Read the record at the start of `data`; `None` when it is malformed. Also its length.
fn parse_record(data: &[u8]) -> Option<(Record<'_>, usize)> {
    let length = usize::from(u8_at(data, 0)?);
    let record = data.get(..length)?;
    let name_length = usize::from(u8_at(record, 32)?);
    if name_length == 0 {
        return None;
    }
    // The size does not count the extended attribute record, which lies in front of the data. A sum
    // that is too large is outside of every volume.
    let attributes = u32::from(u8_at(record, 1)?);
    let flags = u8_at(record, 25)?;
    let record = Record {
        name: slice_at(record, RECORD, name_length)?,
        extent: Extent {
            lba: u32_at(record, 2)?.saturating_add(attributes),
            size: u32_at(record, 10)?,
        },
        directory: flags & DIRECTORY != 0,
        form: match (u8_at(record, 26)?, u8_at(record, 27)?) {
            (0, 0) if flags & MORE != 0 => Form::Section,
            (0, 0) => Form::Whole,
            (unit, gap) => Form::Interleaved { unit, gap },
        },
    };
    Some((record, length))
}

/// Where the root directory's record stands in the primary volume descriptor.
const ROOT: usize = 156;

/// What the walk needs of the primary volume descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Primary {
    /// The root directory.
    pub root: Extent,
    /// Size of the volume in blocks.
    pub blocks: u32,
}

impl Primary {
    /// Read the sector at [`VOLUME_LBA`]; `None` when it is no primary volume descriptor.
    #[must_use]
    pub fn parse(sector: &Sector) -> Option<Self> {
        if sector.first_chunk() != Some(b"\x01CD001") {
            return None;
        }
        let (root, _) = parse_record(slice_at(sector, ROOT, 34)?)?;
        Some(Self {
            root: root.extent,
            blocks: u32_at(sector, 80)?,
        })
    }

    /// `extent`, if it lies inside the volume.
    fn inside<E>(&self, extent: Extent) -> Result<Extent, Error<E>> {
        let Extent { lba, size } = extent;
        match lba.checked_add(extent.sectors()) {
            Some(end) if end <= self.blocks => Ok(extent),
            _ => Err(Error::ExtentOutOfRange { lba, size }),
        }
    }
}

/// Read the primary volume descriptor.
///
/// # Errors
/// [`Error::Drive`], [`Error::NoVolume`]; [`Error::Interleaved`], [`Error::MultiExtent`] of the root directory.
pub fn primary<D: Drive>(drive: &mut D, scratch: &mut Sector) -> Result<Primary, Error<D::Error>> {
    drive
        .read(VOLUME_LBA, core::slice::from_mut(scratch))
        .map_err(Error::Drive)?;
    let volume = Primary::parse(scratch).ok_or(Error::NoVolume)?;
    // Its record stands in the descriptor. What it says of the root holds for all that is found from there.
    if let Some((root, _)) = slice_at(scratch, ROOT, 34).and_then(parse_record) {
        root.whole()?;
    }
    Ok(volume)
}

/// Show the records of a directory to `visit` until it breaks off; what it broke off with.
///
/// # Errors
/// [`Error::Drive`], [`Error::DirTooLarge`], [`Error::ExtentOutOfRange`],
/// [`Error::BadDirRecord`].
pub fn walk<D: Drive, B>(
    drive: &mut D,
    volume: &Primary,
    directory: Extent,
    scratch: &mut Sector,
    visit: impl FnMut(Record<'_>) -> ControlFlow<B>,
) -> Result<Option<B>, Error<D::Error>> {
    let Extent { lba, size } = volume.inside(directory)?;
    if size > DIRECTORY_LIMIT {
        return Err(Error::DirTooLarge { lba, size });
    }
    if size == 0 {
        return Ok(None);
    }
    drive
        .start(lba, directory.sectors())
        .map_err(Error::Drive)?;
    let outcome = sectors(drive, directory, scratch, visit);
    // The run is ended even when a record was bad, so that the drive is free for the next one.
    let stopped = drive.stop().map_err(Error::Drive);
    let outcome = outcome?;
    stopped?;
    Ok(outcome)
}

/// [`walk`] inside the open run.
fn sectors<D: Drive, B>(
    drive: &mut D,
    directory: Extent,
    scratch: &mut Sector,
    mut visit: impl FnMut(Record<'_>) -> ControlFlow<B>,
) -> Result<Option<B>, Error<D::Error>> {
    for index in 0..directory.sectors() {
        drive.sector(scratch).map_err(Error::Drive)?;
        let left = (directory.size as usize).saturating_sub(index as usize * SECTOR);
        let mut rest = scratch.get(..left.min(SECTOR)).unwrap_or_default();
        let length = rest.len();
        // A zero length byte means that the next record begins in the next sector.
        while rest.first().is_some_and(|&first| first != 0) {
            let Some((record, used)) = parse_record(rest) else {
                return Err(Error::BadDirRecord {
                    lba: directory.lba.saturating_add(index),
                    offset: (length - rest.len()) as u32,
                });
            };
            if let ControlFlow::Break(value) = visit(record) {
                return Ok(Some(value));
            }
            // `used` is at least 34, so this comes to an end.
            rest = rest.get(used..).unwrap_or_default();
        }
    }
    Ok(None)
}

/// Find a file by its path: `"PROT.DAT"`, `"DIR/FILE.EXT"`.
///
/// Parts are separated by `/` or `\`, compared exactly (names are upper case on disc), and a
/// version such as `;1` is ignored on both sides. `scratch` holds one sector at a time.
///
/// # Errors
/// All of [`Error`].
pub fn find<D: Drive>(
    drive: &mut D,
    path: &str,
    scratch: &mut Sector,
) -> Result<Extent, Error<D::Error>> {
    let volume = primary(drive, scratch)?;
    let mut parts = path
        .as_bytes()
        .split(|&byte| byte == b'/' || byte == b'\\')
        .filter(|part| !part.is_empty())
        .peekable();
    let mut here = volume.root;
    let mut number = 0;
    while let Some(part) = parts.next() {
        let last = parts.peek().is_none();
        let found = walk(drive, &volume, here, scratch, |record| {
            // Self and parent are named 00 and 01, which no path can mean.
            if record.plain_name() == plain(part) && record.directory != last {
                ControlFlow::Break(record.whole())
            } else {
                ControlFlow::Continue(())
            }
        })?;
        here = volume.inside(found.ok_or(Error::NotFound { part: number })??)?;
        if last {
            return Ok(here);
        }
        number += 1;
    }
    Err(Error::NotFound { part: number })
}

/// Find several files of the root directory in one walk: what [`find`] answers for each name, which
/// may have a version but no folders. `scratch` holds one sector at a time.
///
/// # Errors
/// Of the walk: [`Error::Drive`], [`Error::NoVolume`], [`Error::DirTooLarge`],
/// [`Error::ExtentOutOfRange`] of the directory, [`Error::BadDirRecord`]. Of a file, in its place:
/// [`Error::NotFound`], [`Error::ExtentOutOfRange`], [`Error::Interleaved`], [`Error::MultiExtent`].
#[allow(clippy::type_complexity, reason = "one answer a name, or none at all")]
pub fn find_in_root<D: Drive, const N: usize>(
    drive: &mut D,
    names: [&str; N],
    scratch: &mut Sector,
) -> Result<[Result<Extent, Error<D::Error>>; N], Error<D::Error>> {
    let volume = primary(drive, scratch)?;
    let mut found = [const { None }; N];
    walk(drive, &volume, volume.root, scratch, |record| {
        for (name, place) in names.iter().zip(&mut found) {
            let same = !record.directory && record.plain_name() == plain(name.as_bytes());
            if place.is_none() && same {
                *place = Some(record.whole());
            }
        }
        match found.iter().all(Option::is_some) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    })?;
    Ok(found.map(|it| volume.inside(it.ok_or(Error::NotFound { part: 0 })??)))
}
