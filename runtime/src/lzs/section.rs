//! Streams inside a container that keeps their sizes and offsets (sheet, "Container forms").

use super::{Error, decode};
use crate::bytes::u32_at;

/// Where one stream lies in its container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section {
    /// Asset type, the high byte of the size word.
    pub ty: u8,
    /// Decoded size in bytes (24 bits).
    pub size: u32,
    /// Byte offset of the stream from the start of the container.
    pub offset: u32,
    /// Byte offset of what comes next: the next section, or the end of the container.
    pub end: u32,
}

/// The sections of a container whose header counts its pairs: `[u32 count][u32 meta]`, then
/// `count` pairs of size word and offset.
///
/// Each item is the section or what is wrong with its pair: [`Error::BadOffset`] for an offset
/// inside the header table or past the end, [`Error::BadOffsetOrder`] for one that is not above
/// its predecessor. A table that passes the end of the container has no sections.
pub fn pairs(container: &[u8]) -> impl Iterator<Item = Result<Section, Error>> + '_ {
    let length = u32::try_from(container.len()).unwrap_or(u32::MAX);
    let count = u32_at(container, 0).unwrap_or(0);
    let table = count.checked_mul(8).and_then(|n| n.checked_add(8));
    let table = table.filter(|&end| end <= length);
    let count = if table.is_some() { count } else { 0 };
    let table_end = table.unwrap_or(length);
    let word = move |index: u32, part: usize| {
        u32_at(container, (8 + 8 * index) as usize + 4 * part).unwrap_or(0)
    };
    (0..count).map(move |index| {
        let (type_size, offset) = (word(index, 0), word(index, 1));
        if offset < table_end || offset >= length {
            return Err(Error::BadOffset { offset });
        }
        if index > 0 && offset <= word(index - 1, 1) {
            return Err(Error::BadOffsetOrder { offset });
        }
        let next = if index + 1 < count {
            word(index + 1, 1)
        } else {
            length
        };
        Ok(Section {
            ty: (type_size >> 24) as u8,
            size: type_size & 0x00FF_FFFF,
            offset,
            end: next.clamp(offset, length),
        })
    })
}

/// The sections of a container whose two header words are no count: pairs of size word and offset
/// from byte 8 on. Prefer [`pairs`]: the counted form is the one that the game walks.
///
/// The table ends where a pair has size 0 or offset 0, an offset past the end or not above its
/// predecessor, and where the first section begins.
pub fn uncounted(container: &[u8]) -> impl Iterator<Item = Section> + '_ {
    let length = u32::try_from(container.len()).unwrap_or(u32::MAX);
    let word = move |index: u32, part: usize| {
        u32_at(container, (8 + 8 * index) as usize + 4 * part).unwrap_or(0)
    };
    let first = word(0, 1).min(length);
    let most = first.saturating_sub(8) / 8;
    let mut last = 0;
    let good = move |index: &u32| {
        let offset = word(*index, 1);
        let good = word(*index, 0) & 0x00FF_FFFF != 0 && offset > last && offset < length;
        last = offset;
        good
    };
    let count = (0..most).take_while(good).count() as u32;
    (0..count).map(move |index| {
        let type_size = word(index, 0);
        let next = index + 1;
        Section {
            ty: (type_size >> 24) as u8,
            size: type_size & 0x00FF_FFFF,
            offset: word(index, 1),
            end: if next < count { word(next, 1) } else { length },
        }
    })
}

/// Decode one section to the start of `out`; the number of bytes written.
///
/// `limit` is the largest decoded size the caller accepts.
///
/// # Errors
/// [`Error::SizeLimit`], [`Error::BadOffset`] and [`Error::OutputTooSmall`] before anything is
/// decoded; [`Error::SectionOverrun`] when the stream needs bytes of what comes next; the
/// `Truncated` errors when the container ends inside the stream.
pub fn decode_section(
    container: &[u8],
    section: Section,
    limit: u32,
    out: &mut [u8],
) -> Result<usize, Error> {
    let Section { size, offset, .. } = section;
    if size > limit {
        return Err(Error::SizeLimit { size, limit });
    }
    let stream = container
        .get(offset as usize..)
        .filter(|stream| !stream.is_empty())
        .ok_or(Error::BadOffset { offset })?;
    let want = size as usize;
    let room = out.len();
    let out = out
        .get_mut(..want)
        .ok_or(Error::OutputTooSmall { want, room })?;
    let consumed = decode(stream, out)?;
    let gap = section.end.saturating_sub(offset) as usize;
    if consumed > gap {
        return Err(Error::SectionOverrun { offset, gap });
    }
    Ok(want)
}
