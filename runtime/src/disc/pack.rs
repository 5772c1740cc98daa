//! Packs: what TIM_LIST and TMD members hold (disc sheet, section 7, "Pack").
//!
//! A count, as many offsets in 32-bit words from the start of the pack, then the bodies.
//! [`standalone`] reads and writes the form that fills an archive entry of its own.

pub mod standalone;

use crate::bytes::{Writer, u32_at};
use core::fmt;

/// What is wrong with a pack (disc sheet, section 9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Error {
    /// An offset lies inside the table, is not above its predecessor or reaches the end. `index`
    /// is that of the offset; it is 0 when the count is 0 or the table passes the end.
    BadPack {
        /// The member.
        index: u32,
    },
    /// The first word of a standalone pack is not its type 01 with a size below
    /// [`standalone::SIZE_LIMIT`].
    BadHeader {
        /// The word found; 0 when the entry ends before it.
        found: u32,
    },
    /// A standalone pack reaches [`standalone::SIZE_LIMIT`] (writer).
    TooLarge {
        /// Its size in bytes.
        size: usize,
    },
    /// The writer's slice is full.
    OutputTooSmall {
        /// The member that did not fit.
        index: u32,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::BadPack { index } => write!(
                f,
                "BadPack: member {index} starts inside the table, not above its predecessor, or \
                 past the end, or there is none"
            ),
            Self::BadHeader { found } => write!(
                f,
                "BadHeader: expected type 01 and a size below 1 MiB, found {found:08X}"
            ),
            Self::TooLarge { size } => write!(
                f,
                "TooLarge: a standalone pack of {size} bytes, it must stay below 1 MiB"
            ),
            Self::OutputTooSmall { index } => {
                write!(f, "OutputTooSmall: no room for pack member {index}")
            }
        }
    }
}

impl core::error::Error for Error {}

/// A pack whose offsets are known to be good.
#[derive(Clone, Copy, Debug)]
pub struct Pack<'a> {
    data: &'a [u8],
    len: u32,
}

impl<'a> Pack<'a> {
    /// Read a decoded payload.
    ///
    /// # Errors
    /// [`Error::BadPack`].
    pub fn parse(data: &'a [u8]) -> Result<Self, Error> {
        let bad = |index| Error::BadPack { index };
        let len = u32_at(data, 0).filter(|&len| len > 0).ok_or(bad(0))?;
        let table = u64::from(len) * 4 + 4;
        if table > data.len() as u64 {
            return Err(bad(0));
        }
        let mut floor = table;
        for index in 0..len {
            let offset = u32_at(data, index as usize * 4 + 4).ok_or(bad(index))?;
            let offset = u64::from(offset) * 4;
            if offset < floor || offset >= data.len() as u64 {
                return Err(bad(index));
            }
            floor = offset + 1;
        }
        Ok(Self { data, len })
    }

    /// Number of members, at least 1.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// Never true: a pack without members does not parse.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Byte offset of member `index` from the start of the pack.
    #[must_use]
    pub fn offset(&self, index: usize) -> Option<usize> {
        if index >= self.len() {
            return None;
        }
        Some(u32_at(self.data, index * 4 + 4)? as usize * 4)
    }

    /// The bytes of member `index`, up to the next member or the end of the payload.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&'a [u8]> {
        let start = self.offset(index)?;
        let end = self.offset(index + 1).unwrap_or(self.data.len());
        self.data.get(start..end)
    }

    /// All members in order.
    pub fn iter(&self) -> impl Iterator<Item = &'a [u8]> + 'a {
        let pack = *self;
        (0..self.len()).filter_map(move |index| pack.get(index))
    }
}

/// Write a pack of these bodies; the number of bytes. Bodies are padded with zeros to whole
/// words, so a reader sees them up to three bytes longer.
///
/// # Errors
/// [`Error::BadPack`] for no body, an empty one, or a pack past 32 bits;
/// [`Error::OutputTooSmall`].
pub fn emit(bodies: &[&[u8]], out: &mut [u8]) -> Result<usize, Error> {
    let len = u32::try_from(bodies.len()).unwrap_or(u32::MAX);
    if len == 0 || len == u32::MAX {
        return Err(Error::BadPack { index: 0 });
    }
    let mut out = Writer::new(out);
    let full = |index| move |_| Error::OutputTooSmall { index };
    out.u32(len).map_err(full(0))?;
    let mut word = len + 1;
    for (index, body) in (0..).zip(bodies) {
        out.u32(word).map_err(full(index))?;
        word = u32::try_from(body.len().div_ceil(4))
            .ok()
            .filter(|&words| words > 0)
            .and_then(|words| word.checked_add(words))
            .ok_or(Error::BadPack { index })?;
    }
    for (index, body) in (0..).zip(bodies) {
        out.bytes(body).map_err(full(index))?;
        out.align(4).map_err(full(index))?;
    }
    Ok(out.finish())
}
