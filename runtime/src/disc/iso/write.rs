//! Writers for the records of a small ISO9660 volume (disc sheet, section 2).

use super::{DIRECTORY, Extent, RECORD};
use crate::bytes::{Full, Writer};
use crate::platform::{SECTOR, Sector};

fn both16(out: &mut Writer<'_>, value: u16) -> Result<(), Full> {
    out.bytes(&value.to_le_bytes())?;
    out.bytes(&value.to_be_bytes())
}

fn both32(out: &mut Writer<'_>, value: u32) -> Result<(), Full> {
    out.bytes(&value.to_le_bytes())?;
    out.bytes(&value.to_be_bytes())
}

/// A name field: `text`, cut at `len`, padded with blanks.
fn text(out: &mut Writer<'_>, text: &str, len: usize) -> Result<(), Full> {
    let place = out.claim(len)?;
    place.fill(b' ');
    for (place, byte) in place.iter_mut().zip(text.bytes()) {
        *place = byte;
    }
    Ok(())
}

/// Write a directory record; names `[0]` and `[1]` are the directory itself and its parent.
///
/// A record must not cross a sector: when less than its length is left in the sector, the caller
/// goes on in the next one and leaves zeros.
///
/// # Errors
/// [`Full`] when it does not fit, or when the name is empty or longer than 221 bytes.
pub fn record(
    out: &mut Writer<'_>,
    name: &[u8],
    extent: Extent,
    directory: bool,
) -> Result<(), Full> {
    let length = (RECORD + name.len()).next_multiple_of(2);
    let full = Full {
        at: out.position(),
        len: length,
        room: out.position() + out.rest().len(),
    };
    let short = u8::try_from(length).ok().filter(|_| !name.is_empty());
    let length = short.ok_or(full)?;
    let place = out.claim(usize::from(length)).map_err(|_| full)?;
    place.fill(0);
    let mut record = Writer::new(place);
    record.u8(length)?;
    record.u8(0)?; // no extended attributes
    both32(&mut record, extent.lba)?;
    both32(&mut record, extent.size)?;
    // The recording date has no meaning here and must not differ from build to build.
    record.bytes(&[80, 1, 1, 0, 0, 0, 0])?;
    record.u8(if directory { DIRECTORY } else { 0 })?;
    record.zeros(2)?; // not interleaved
    both16(&mut record, 1)?; // first volume of its set
    record.u8(name.len() as u8)?;
    record.bytes(name)
}

/// One record of a path table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathRecord<'a> {
    /// The directory's name; `[0]` for the root.
    pub name: &'a [u8],
    /// Its first block.
    pub lba: u32,
    /// Number of the parent's record, from 1; the root is its own parent.
    pub parent: u16,
}

/// Write a path table record, little-endian or big-endian.
///
/// # Errors
/// [`Full`] when it does not fit, or when the name is longer than 255 bytes.
pub fn path_record(
    out: &mut Writer<'_>,
    record: PathRecord<'_>,
    big_endian: bool,
) -> Result<(), Full> {
    let full = Full {
        at: out.position(),
        len: record.name.len(),
        room: 255,
    };
    let length = u8::try_from(record.name.len()).map_err(|_| full)?;
    out.bytes(&[length, 0])?;
    if big_endian {
        out.bytes(&record.lba.to_be_bytes())?;
        out.bytes(&record.parent.to_be_bytes())?;
    } else {
        out.bytes(&record.lba.to_le_bytes())?;
        out.bytes(&record.parent.to_le_bytes())?;
    }
    out.bytes(record.name)?;
    out.zeros(record.name.len() % 2)
}

/// What a primary volume descriptor says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Volume<'a> {
    /// System identifier, up to 32 characters; `PLAYSTATION` for the console.
    pub system: &'a str,
    /// Volume identifier, up to 32 characters.
    pub name: &'a str,
    /// Size of the volume in blocks.
    pub blocks: u32,
    /// Block of the little-endian path table.
    pub path_table_le: u32,
    /// Block of the big-endian path table.
    pub path_table_be: u32,
    /// Size of one path table in bytes.
    pub path_table_size: u32,
    /// The root directory.
    pub root: Extent,
}

impl Volume<'_> {
    /// Write the primary volume descriptor.
    ///
    /// # Errors
    /// None that data can cause: a sector has room for every field.
    pub fn emit(&self, out: &mut Sector) -> Result<(), Full> {
        out.fill(0);
        let mut out = Writer::new(out);
        out.bytes(b"\x01CD001\x01\x00")?;
        text(&mut out, self.system, 32)?;
        text(&mut out, self.name, 32)?;
        out.zeros(8)?;
        both32(&mut out, self.blocks)?;
        out.zeros(32)?;
        both16(&mut out, 1)?; // volumes in the set
        both16(&mut out, 1)?; // this one
        both16(&mut out, SECTOR as u16)?;
        both32(&mut out, self.path_table_size)?;
        out.u32(self.path_table_le)?;
        out.u32(0)?; // no second copies
        out.bytes(&self.path_table_be.to_be_bytes())?;
        out.u32(0)?;
        record(&mut out, &[0], self.root, true)?;
        // Volume set, publisher, preparer, application, three file names.
        for length in [128, 128, 128, 128, 37, 37, 37] {
            text(&mut out, "", length)?;
        }
        // Four dates, "not given".
        for _ in 0..4 {
            out.bytes(b"0000000000000000\0")?;
        }
        out.u8(1) // version of the structure
    }
}

/// Write the descriptor that ends the list, for block 17.
///
/// # Errors
/// None that data can cause.
pub fn terminator(out: &mut Sector) -> Result<(), Full> {
    out.fill(0);
    Writer::new(out).bytes(b"\xFFCD001\x01")
}
