//! Writers for the records of a PlayStation's ISO9660 volume (disc sheet, section 2).
//!
//! Everything is in the caller's slices and depends on the arguments alone: all dates are one
//! constant. Path tables stand twice on the disc, the copy right behind the first.

use super::{DIRECTORY, Extent, RECORD};
use crate::bytes::{Full, Writer};
use crate::platform::{SECTOR, Sector};

/// 2000-01-01 00:00:00 UTC: years since 1900, month, day, hour, minute, second, zone.
const DATE: [u8; 7] = [100, 1, 1, 0, 0, 0, 0];
/// The same date in a volume descriptor.
const LONG_DATE: &[u8; 17] = b"2000010100000000\0";
/// No date in a volume descriptor.
const NO_DATE: &[u8; 17] = b"0000000000000000\0";
/// Bytes of the XA part of a record: group, user, attributes, signature, file number.
const XA: usize = 14;
/// XA attributes: everybody may read and execute, Form 1 data.
const XA_FILE: u16 = 0x0D55;
/// The same for a directory.
const XA_DIRECTORY: u16 = 0x8D55;

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

/// Bytes of the record of a name of `name` bytes: fixed part, name padded so that the record
/// stays even, XA part.
#[must_use]
pub const fn record_len(name: usize) -> usize {
    RECORD + name + (name + 1) % 2 + XA
}

/// Write a directory record with its XA part; names `[0]` and `[1]` are the directory itself and
/// its parent.
///
/// A record must not cross a sector: when less than [`record_len`] is left in the sector, the
/// caller goes on in the next one and leaves zeros.
///
/// # Errors
/// [`Full`] when it does not fit, or when the name is empty or longer than 207 bytes.
pub fn record(
    out: &mut Writer<'_>,
    name: &[u8],
    extent: Extent,
    directory: bool,
) -> Result<(), Full> {
    write_record(out, name, extent, directory, record_len(name.len()))
}

/// Write a record of `length` bytes; the XA part is written if there is room behind the name.
fn write_record(
    out: &mut Writer<'_>,
    name: &[u8],
    extent: Extent,
    directory: bool,
    length: usize,
) -> Result<(), Full> {
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
    record.bytes(&DATE)?;
    record.u8(if directory { DIRECTORY } else { 0 })?;
    record.zeros(2)?; // not interleaved
    both16(&mut record, 1)?; // first volume of its set
    record.u8(name.len() as u8)?;
    record.bytes(name)?;
    record.zeros((name.len() + 1) % 2)?;
    if !record.rest().is_empty() {
        record.zeros(4)?; // group and user
        let attributes = if directory { XA_DIRECTORY } else { XA_FILE };
        record.bytes(&attributes.to_be_bytes())?;
        record.bytes(b"XA")?;
        record.zeros(6)?; // file number
    }
    Ok(())
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

impl PathRecord<'_> {
    /// Bytes of the record.
    #[must_use]
    pub const fn len(&self) -> usize {
        8 + self.name.len() + self.name.len() % 2
    }

    /// Whether there is no name: no reader could use such a record.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.name.is_empty()
    }
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
    /// System and application identifier, up to 32 characters; `PLAYSTATION` for the console.
    pub system: &'a str,
    /// Volume identifier, up to 32 characters.
    pub name: &'a str,
    /// Size of the volume in blocks.
    pub blocks: u32,
    /// Block of the little-endian path table; its copy follows it.
    pub path_table_le: u32,
    /// Block of the big-endian path table; its copy follows it.
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
        let sectors = self.path_table_size.div_ceil(SECTOR as u32);
        let copy = |table: u32| table.wrapping_add(sectors);
        out.u32(self.path_table_le)?;
        out.u32(copy(self.path_table_le))?;
        out.bytes(&self.path_table_be.to_be_bytes())?;
        out.bytes(&copy(self.path_table_be).to_be_bytes())?;
        write_record(&mut out, &[0], self.root, true, RECORD + 1)?;
        // Volume set, publisher, preparer, application, three file names.
        for length in [128, 128, 128] {
            text(&mut out, "", length)?;
        }
        text(&mut out, self.system, 128)?;
        for length in [37, 37, 37] {
            text(&mut out, "", length)?;
        }
        // Made, changed, expires, in force.
        for date in [LONG_DATE, LONG_DATE, NO_DATE, LONG_DATE] {
            out.bytes(date)?;
        }
        out.u8(1)?; // version of the structure
        out.zeros(1024 - out.position())?;
        // The mark of a CD-XA volume, inside the field for applications.
        out.bytes(b"CD-XA001")
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
