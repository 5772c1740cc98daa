//! The stager table behind the trigger patch: records of a motion program (disc sheet, section 6).
//!
//! `u16 count`, `u16 offsets[count]` in bytes from the start, then the records, each of 16-bit words.
//! The last record reaches to the end of the entry, so it also holds the zeros that fill its sector.

use crate::bytes::{Writer, i16_at, slice_at, u16_at};
use core::fmt;

/// How much of the table the game keeps in memory: three sectors.
pub const RESIDENT: usize = 3 * 0x800;
/// Bytes of the shortest record: model and flags.
const SHORTEST: usize = 4;

/// What is wrong with a stager table, or cannot be written to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Error {
    /// The entry ends inside the table of offsets.
    Truncated {
        /// Bytes needed.
        need: usize,
        /// Bytes there are.
        len: usize,
    },
    /// The first record does not start right behind the table, or a record's offset is odd, not above
    /// its predecessor, or past the end.
    BadOffset {
        /// The record.
        index: u16,
    },
    /// A record is shorter than model and flags, or, for the writer, not of whole words.
    BadRecord {
        /// The record.
        index: u16,
    },
    /// More than the 16-bit offsets reach.
    TooLarge {
        /// The first record that is out of reach.
        index: usize,
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
            Self::Truncated { need, len } => {
                write!(f, "stager table: {len} bytes, its table takes {need}")
            }
            Self::BadOffset { index } => write!(f, "stager table: bad offset of record {index}"),
            Self::BadRecord { index } => write!(f, "stager table: bad length of record {index}"),
            Self::TooLarge { index } => {
                write!(f, "stager table: record {index} is out of reach")
            }
            Self::OutputTooSmall { room } => write!(f, "stager table: {room} bytes of room"),
        }
    }
}

impl core::error::Error for Error {}

/// A table whose offsets are known to be good.
#[derive(Clone, Copy, Debug)]
pub struct Stager<'a> {
    data: &'a [u8],
    count: u16,
}

impl<'a> Stager<'a> {
    /// Read the entry; a count of 0 is a table without records.
    ///
    /// # Errors
    /// [`Error::Truncated`], [`Error::BadOffset`], [`Error::BadRecord`].
    pub fn parse(data: &'a [u8]) -> Result<Self, Error> {
        let len = data.len();
        let count = u16_at(data, 0).ok_or(Error::Truncated { need: 2, len })?;
        let table = 2 + 2 * usize::from(count);
        if len < table {
            return Err(Error::Truncated { need: table, len });
        }
        let stager = Self { data, count };
        let mut last = None;
        for index in 0..count {
            let bad = Error::BadOffset { index };
            let start = stager.offset(index).ok_or(bad)?;
            let good = match last {
                None => start == table,
                Some(last) => start > last,
            };
            if !good || start & 1 != 0 || start >= len {
                return Err(bad);
            }
            if last.is_some_and(|last| start - last < SHORTEST) {
                return Err(Error::BadRecord { index: index - 1 });
            }
            last = Some(start);
        }
        if last.is_some_and(|last| len - last < SHORTEST) {
            return Err(Error::BadRecord { index: count - 1 });
        }
        Ok(stager)
    }

    fn offset(&self, index: u16) -> Option<usize> {
        if index >= self.count {
            return None;
        }
        u16_at(self.data, 2 + 2 * usize::from(index)).map(usize::from)
    }

    /// Number of records.
    #[must_use]
    pub const fn len(&self) -> u16 {
        self.count
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The record of `index`.
    #[must_use]
    pub fn record(&self, index: u16) -> Option<Record<'a>> {
        let start = self.offset(index)?;
        let end = index
            .checked_add(1)
            .and_then(|next| self.offset(next))
            .unwrap_or(self.data.len());
        let bytes = slice_at(self.data, start, end.checked_sub(start)?)?;
        Some(Record { bytes })
    }

    /// All records in order.
    pub fn records(&self) -> impl Iterator<Item = Record<'a>> + 'a {
        let stager = *self;
        (0..self.count).filter_map(move |index| stager.record(index))
    }
}

/// A record of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record<'a> {
    /// All its bytes, at least four.
    pub bytes: &'a [u8],
}

impl<'a> Record<'a> {
    /// The model; `None` for a node that only moves others (-1).
    #[must_use]
    pub fn model(&self) -> Option<i16> {
        i16_at(self.bytes, 0).filter(|&model| model != -1)
    }

    /// The flags.
    #[must_use]
    pub fn flags(&self) -> u16 {
        u16_at(self.bytes, 2).unwrap_or(0)
    }

    /// The words behind model and flags.
    pub fn words(&self) -> impl Iterator<Item = u16> + use<'a> {
        let bytes = self.bytes.get(SHORTEST..).unwrap_or_default();
        bytes
            .chunks_exact(2)
            .filter_map(|word| Some(u16::from_le_bytes(*word.first_chunk()?)))
    }
}

/// Write a table of these records; the number of bytes.
///
/// # Errors
/// [`Error::BadRecord`], [`Error::TooLarge`], [`Error::OutputTooSmall`].
pub fn emit(records: &[&[u8]], out: &mut [u8]) -> Result<usize, Error> {
    let room = out.len();
    let full = |_| Error::OutputTooSmall { room };
    let large = |index| Error::TooLarge { index };
    let count = u16::try_from(records.len()).map_err(|_| large(records.len()))?;
    let mut out = Writer::new(out);
    out.u16(count).map_err(full)?;
    let mut start = 2 + 2 * usize::from(count);
    for (index, record) in (0..=u16::MAX).zip(records) {
        if record.len() < SHORTEST || record.len() % 2 != 0 {
            return Err(Error::BadRecord { index });
        }
        let offset = u16::try_from(start).map_err(|_| large(index.into()))?;
        out.u16(offset).map_err(full)?;
        start = start.checked_add(record.len()).ok_or(large(index.into()))?;
    }
    for record in records {
        out.bytes(record).map_err(full)?;
    }
    Ok(out.finish())
}
