//! The table of contents of `PROT.DAT` (disc sheet, section 3).
//!
//! Two index spaces exist: *raw* numbers, used by the game, its constants and `CDNAME.TXT`, and
//! *extraction* numbers, used by tools; raw = extraction + 2. Everything here is raw unless the
//! name says otherwise.

use crate::bytes::{Writer, u32_at};
use core::fmt;

/// Sectors of the table; raw entry 0 starts right after it.
pub const TOC_SECTORS: u32 = 3;
/// Bytes of the table.
pub const TOC_BYTES: usize = TOC_SECTORS as usize * crate::platform::SECTOR;
/// The most entries the table has words for.
pub const MAX_ENTRIES: u32 = TOC_BYTES as u32 / 4 - 3;
/// Raw entries that have no extraction number.
const UNEXTRACTED: u32 = 2;

/// What is wrong with a table (disc sheet, section 9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Error {
    /// The slice is shorter than three sectors, the number of entries is 0 or above
    /// [`MAX_ENTRIES`], or the first entry does not start right after the table.
    BadToc {
        /// Byte offset of the word in question.
        offset: u32,
        /// What it holds; the slice's length when the slice is too short.
        found: u32,
    },
    /// An entry is empty, runs backwards or ends past the archive.
    TocNotTiled {
        /// The entry.
        raw: u32,
    },
    /// No entry has this number.
    NoSuchEntry {
        /// The number.
        raw: u32,
    },
    /// The writer's slice is shorter than three sectors.
    OutputTooSmall {
        /// Bytes there are.
        room: usize,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::BadToc { offset, found } => write!(
                f,
                "BadToc: unexpected {found} at offset {offset} of the table of contents"
            ),
            Self::TocNotTiled { raw } => write!(
                f,
                "TocNotTiled: raw entry {raw} is empty, runs backwards or passes the end of the archive"
            ),
            Self::NoSuchEntry { raw } => {
                write!(f, "NoSuchEntry: the archive has no raw entry {raw}")
            }
            Self::OutputTooSmall { room } => {
                write!(
                    f,
                    "OutputTooSmall: a table of contents needs {TOC_BYTES} bytes, there are {room}"
                )
            }
        }
    }
}

impl core::error::Error for Error {}

/// Where an entry lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// First sector, counted from the start of `PROT.DAT`.
    pub first: u32,
    /// Number of sectors, at least 1.
    pub sectors: u32,
}

/// The raw number of extraction number `extraction`; saturates.
#[must_use]
pub const fn raw_from_extraction(extraction: u32) -> u32 {
    extraction.saturating_add(UNEXTRACTED)
}

/// The extraction number of `raw`; raw 0 and 1 have none.
#[must_use]
pub const fn extraction_from_raw(raw: u32) -> Option<u32> {
    raw.checked_sub(UNEXTRACTED)
}

/// A table whose entries are known to tile the archive.
#[derive(Clone, Copy, Debug)]
pub struct Toc<'a> {
    table: &'a [u8],
    len: u32,
}

impl<'a> Toc<'a> {
    /// Read the first three sectors of an archive that is `archive_sectors` long.
    ///
    /// # Errors
    /// [`Error::BadToc`], [`Error::TocNotTiled`].
    pub fn parse(table: &'a [u8], archive_sectors: u32) -> Result<Self, Error> {
        let table = table.get(..TOC_BYTES).ok_or(Error::BadToc {
            offset: 0,
            found: u32::try_from(table.len()).unwrap_or(u32::MAX),
        })?;
        let len = u32_at(table, 4).unwrap_or(0);
        if len == 0 || len > MAX_ENTRIES {
            return Err(Error::BadToc {
                offset: 4,
                found: len,
            });
        }
        let toc = Self { table, len };
        let first = toc.word(0);
        if first != TOC_SECTORS {
            return Err(Error::BadToc {
                offset: 8,
                found: first,
            });
        }
        for raw in 0..len {
            let (start, end) = (toc.word(raw), toc.word(raw + 1));
            if end <= start || end > archive_sectors {
                return Err(Error::TocNotTiled { raw });
            }
        }
        Ok(toc)
    }

    /// Start of entry `raw`, or the end of the last one for `raw == len`.
    fn word(&self, raw: u32) -> u32 {
        u32_at(self.table, raw as usize * 4 + 8).unwrap_or(0)
    }

    /// Number of entries, at least 1.
    #[must_use]
    pub const fn len(&self) -> u32 {
        self.len
    }

    /// Never true: a table without entries does not parse.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Length of the archive in sectors, the table included.
    #[must_use]
    pub fn archive_sectors(&self) -> u32 {
        self.word(self.len)
    }

    /// The entry of raw number `raw`.
    ///
    /// # Errors
    /// [`Error::NoSuchEntry`].
    pub fn entry(&self, raw: u32) -> Result<Entry, Error> {
        if raw >= self.len {
            return Err(Error::NoSuchEntry { raw });
        }
        let first = self.word(raw);
        Ok(Entry {
            first,
            sectors: self.word(raw + 1).saturating_sub(first),
        })
    }

    /// All entries, from raw number 0 on.
    pub fn entries(&self) -> impl Iterator<Item = Entry> + 'a {
        let toc = *self;
        (0..self.len).filter_map(move |raw| toc.entry(raw).ok())
    }
}

/// Write the table for entries of these lengths in sectors; the length of the archive in sectors.
///
/// The first three sectors of `out` are written, unused words with 0.
///
/// # Errors
/// [`Error::BadToc`] for no entry or too many, [`Error::TocNotTiled`] for an empty entry or an
/// archive past 32 bits, [`Error::OutputTooSmall`].
pub fn emit(sectors: &[u32], out: &mut [u8]) -> Result<u32, Error> {
    let room = out.len();
    let len = u32::try_from(sectors.len()).unwrap_or(u32::MAX);
    if len == 0 || len > MAX_ENTRIES {
        return Err(Error::BadToc {
            offset: 4,
            found: len,
        });
    }
    let table = out.get_mut(..TOC_BYTES);
    let table = table.ok_or(Error::OutputTooSmall { room })?;
    table.fill(0);
    let full = |_| Error::OutputTooSmall { room };
    let mut words = Writer::new(table);
    words.u32(0).map_err(full)?;
    words.u32(len).map_err(full)?;
    let mut start = TOC_SECTORS;
    words.u32(start).map_err(full)?;
    for (raw, &sectors) in (0..).zip(sectors) {
        start = start
            .checked_add(sectors)
            .filter(|_| sectors > 0)
            .ok_or(Error::TocNotTiled { raw })?;
        words.u32(start).map_err(full)?;
    }
    Ok(start)
}
