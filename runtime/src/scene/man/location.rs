//! The table behind the last section: the places of a kingdom (MAN sheet, section 3).

use super::Error;
use crate::bytes::{Writer, slice_at, u8_at};

/// A place on a kingdom's map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Location {
    /// Region.
    pub region: u8,
    /// Map X and Y; world units are 128 times as much.
    pub at: [u8; 2],
    /// System flag that it has been discovered.
    pub flag: u16,
    /// Name, ended by a zero byte if shorter.
    pub name: [u8; 24],
}

impl Location {
    /// Bytes of a record.
    pub const BYTES: usize = 32;

    /// From the bytes of a record; bytes 5 to 7, which are 0, are dropped.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; Self::BYTES]) -> Self {
        let [region, x, y, low, high, _, _, _, name @ ..] = bytes;
        Self {
            region,
            at: [x, y],
            flag: u16::from_le_bytes([low, high]),
            name,
        }
    }

    /// The bytes of the record.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let [x, y] = self.at;
        let [low, high] = self.flag.to_le_bytes();
        let head = [self.region, x, y, low, high, 0, 0, 0];
        let mut bytes = [0; Self::BYTES];
        for (to, from) in bytes.iter_mut().zip(head.into_iter().chain(self.name)) {
            *to = from;
        }
        bytes
    }

    /// World X and Z.
    #[must_use]
    pub fn position(&self) -> [i32; 2] {
        self.at.map(|at| i32::from(at) * 128)
    }

    /// The name without its end.
    #[must_use]
    pub fn name(&self) -> &[u8] {
        let end = self.name.iter().position(|&byte| byte == 0);
        let end = end.unwrap_or(self.name.len());
        self.name.get(..end).unwrap_or_default()
    }
}

/// The places of a kingdom.
#[derive(Clone, Copy, Debug)]
pub struct Locations<'a> {
    records: &'a [u8],
}

impl<'a> Locations<'a> {
    /// Read a table: `[u8 count][count * 32]`. `None` when it passes the end.
    #[must_use]
    pub fn parse(bytes: &'a [u8]) -> Option<Self> {
        let count = usize::from(u8_at(bytes, 0)?);
        let records = slice_at(bytes, 1, count * Location::BYTES)?;
        Some(Self { records })
    }

    /// Number of places.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.records.len() / Location::BYTES
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The places in order.
    pub fn iter(&self) -> impl Iterator<Item = Location> + use<'a> {
        let records = self.records.chunks_exact(Location::BYTES);
        records.filter_map(|bytes| Some(Location::from_bytes(*bytes.first_chunk()?)))
    }

    /// Write a table of these places; the number of bytes.
    ///
    /// # Errors
    /// [`Error::BadRow`] for place 255, [`Error::OutputTooSmall`].
    pub fn emit(locations: &[Location], out: &mut [u8]) -> Result<usize, Error> {
        let room = out.len();
        let full = |_| Error::OutputTooSmall { room };
        let mut out = Writer::new(out);
        let count = u8::try_from(locations.len()).map_err(|_| Error::BadRow { index: 255 })?;
        out.u8(count).map_err(full)?;
        for location in locations {
            out.bytes(&location.to_bytes()).map_err(full)?;
        }
        Ok(out.finish())
    }
}
