//! Resizing a record in place (MAN sheet, section 4).

use super::{Error, MAX_SIZE, Man};
use crate::bytes::{Full, Writer};
use core::ops::Range;

/// Write `man` to `out` with the bytes in `range` of one record's script replaced; the number of
/// bytes. `range` counts from the start of the record, as the program counter does.
///
/// Of what a resize needs, this does the container's part: the offsets of the records behind the edit
/// and that of section 0. [`super::resize`] does the script's, too: relative jumps of the edited script
/// that cross the edit. The bundle's size word and a [strict](Man::parse) look at the result are the
/// caller's.
///
/// # Errors
/// Those of [`Man::record`]; [`Error::EditOutOfRange`] when the range touches the record's header or
/// passes its end; [`Error::EmptyScript`] when nothing would be left of the script;
/// [`Error::TooLarge`], [`Error::OutputTooSmall`].
pub fn splice(
    man: &Man<'_>,
    flat: u32,
    range: Range<usize>,
    replacement: &[u8],
    out: &mut [u8],
) -> Result<usize, Error> {
    let script = man.record(flat)?.script();
    let pc0 = usize::from(script.pc0);
    let length = script.base.len();
    if range.start < pc0 || range.start > range.end || range.end > length {
        return Err(Error::EditOutOfRange { flat });
    }
    if replacement.is_empty() && range.start == pc0 && range.end == length {
        return Err(Error::EmptyScript { flat });
    }
    let size = (man.bytes().len() - range.len()).saturating_add(replacement.len());
    if size > MAX_SIZE {
        return Err(Error::TooLarge { size });
    }
    let edit = script.offset + range.start..script.offset + range.end;
    let room = out.len();
    let mut out = Writer::new(out);
    write(man, flat, edit, replacement, &mut out).map_err(|_| Error::OutputTooSmall { room })?;
    Ok(out.finish())
}

/// `edit` counts from the start of the file.
fn write(
    man: &Man<'_>,
    flat: u32,
    edit: Range<usize>,
    replacement: &[u8],
    out: &mut Writer<'_>,
) -> Result<(), Full> {
    let data = man.bytes();
    // No record starts inside another one, so those that start later start behind the edit.
    let own = man.start(flat).unwrap_or(u32::MAX);
    let moved = |offset: u32| {
        let moved = (offset as usize + replacement.len()).saturating_sub(edit.len());
        // Offsets past section 0 are nonsense already; the others stay below the size limit.
        let [low, middle, high, _] = (moved as u32).to_le_bytes();
        [low, middle, high]
    };
    out.bytes(data.get(..0x28).unwrap_or_default())?;
    out.bytes(&moved(man.limit))?;
    for start in man.starts() {
        let [low, middle, high, _] = start.to_le_bytes();
        out.bytes(&if start > own {
            moved(start)
        } else {
            [low, middle, high]
        })?;
    }
    out.bytes(data.get(man.region()..edit.start).unwrap_or_default())?;
    out.bytes(replacement)?;
    out.bytes(data.get(edit.end..).unwrap_or_default())
}
