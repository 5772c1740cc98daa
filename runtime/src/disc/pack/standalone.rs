//! Standalone packs: a whole archive entry (TMD/TIM sheet, section 5).
//!
//! Four bytes and then a pack like any other, whose offsets count from byte 4. The four bytes are
//! the header of a chunk of type TIM_LIST: the size in the low 24 bits, below 1 MiB, and the type.

use super::{Error, Pack};
use crate::bytes::{Writer, u32_at};
use crate::disc::bundle::AssetType;

/// Bytes before the pack.
pub const HEADER: usize = 4;

/// The size field, in bytes, is below this: byte 2 of the entry is below 10h.
pub const SIZE_LIMIT: u32 = 1 << 20;

/// The type byte of every standalone pack.
const TYPE: u32 = AssetType::TimList.byte() as u32;

/// Whether `entry` begins as a standalone pack does. No pack of a bundle does, nor a TIM or TMD;
/// one in four thousand of all words does, so that alone it proves little.
#[must_use]
pub fn is_standalone(entry: &[u8]) -> bool {
    u32_at(entry, 0).is_some_and(|word| size_of(word).is_some())
}

/// The size field of a header word of the right type and size.
const fn size_of(word: u32) -> Option<u32> {
    let size = word & 0x00FF_FFFF;
    if word >> 24 == TYPE && size < SIZE_LIMIT {
        Some(size)
    } else {
        None
    }
}

/// The bytes of the pack in an entry: what follows the header, up to the size that it tells. Whole
/// sectors of zeros may follow. A size of 0, or one that passes the end of the entry, is no help:
/// the pack then ends with the entry.
///
/// # Errors
/// [`Error::BadHeader`] when the entry does not begin as such packs do.
pub fn body(entry: &[u8]) -> Result<&[u8], Error> {
    let found = u32_at(entry, 0).unwrap_or(0);
    let size = size_of(found).ok_or(Error::BadHeader { found })?;
    let body = entry.get(HEADER..).unwrap_or_default();
    Ok(match size {
        0 => body,
        size => body.get(..size as usize).unwrap_or(body),
    })
}

/// The pack of an entry. Its offsets count from byte [`HEADER`] of the entry.
///
/// # Errors
/// As [`body`], and [`Error::BadPack`].
pub fn parse(entry: &[u8]) -> Result<Pack<'_>, Error> {
    Pack::parse(body(entry)?)
}

/// Write a standalone pack of these bodies; the number of bytes. As [`super::emit`].
///
/// # Errors
/// As [`super::emit`], and [`Error::TooLarge`] for [`SIZE_LIMIT`] bytes and more.
pub fn emit(bodies: &[&[u8]], out: &mut [u8]) -> Result<usize, Error> {
    let full = |_| Error::OutputTooSmall { index: 0 };
    let mut out = Writer::new(out);
    let header = out.claim(HEADER).map_err(full)?;
    header.fill(0);
    let length = super::emit(bodies, out.rest())?;
    let size = u32::try_from(length)
        .ok()
        .filter(|&size| size < SIZE_LIMIT)
        .ok_or(Error::TooLarge { size: length })?;
    out.claim(length).map_err(full)?;
    out.patch_u32(0, TYPE << 24 | size).map_err(full)?;
    Ok(out.finish())
}
