//! Raw sectors of a Mode 2 image: layout, addresses, EDC and ECC (disc sheet, section 1).

use crate::bytes::{crc_step, crc_table, u32_at};
use crate::platform::{SECTOR, Sector};
use core::fmt;

/// Bytes of one raw sector.
pub const RAW: usize = 2352;
/// One raw sector.
pub type Raw = [u8; RAW];

/// Offset of the address: minute, second, frame in BCD.
pub const ADDRESS_AT: usize = 0x00C;
/// Offset of the mode byte.
pub const MODE_AT: usize = 0x00F;
/// Offset of the subheader: file, channel, submode, coding, twice.
pub const SUBHEADER_AT: usize = 0x010;
/// Offset of the user data.
pub const DATA_AT: usize = 0x018;
/// Offset of the EDC.
pub const EDC_AT: usize = 0x818;
/// Bytes of user data in a Form 2 sector.
pub const FORM2: usize = 2324;
/// Offset of a Form 2 sector's EDC; Form 2 has no ECC.
pub const FORM2_EDC_AT: usize = 0x92C;
/// Offset of the ECC's P parity.
pub const P_AT: usize = 0x81C;
/// Offset of the ECC's Q parity.
pub const Q_AT: usize = 0x8C8;

/// The twelve bytes every raw sector begins with.
pub const SYNC: [u8; 12] = [
    0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0,
];

/// Submode of an ordinary data sector.
pub const SUBMODE_DATA: u8 = 0x08;
/// Submode of a file's last sector: data, end of record, end of file.
pub const SUBMODE_LAST: u8 = 0x89;
/// Submode bit of a Form 2 sector.
pub const SUBMODE_FORM2: u8 = 0x20;

/// Sectors before logical block 0.
const LEAD: u32 = 150;
/// The first block number that no address can name (100 minutes).
const BLOCKS: u32 = 100 * 60 * 75 - LEAD;

/// What is wrong with a raw sector (disc sheet, section 9).
///
/// `lba` is the block that the sector's own address names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Error {
    /// The sync pattern is missing: not a raw 2352-byte image.
    NotRawImage,
    /// The address is not BCD, or lies before logical block 0.
    BadAddress {
        /// Minute, second and frame as found.
        found: [u8; 3],
    },
    /// The mode byte is not 2.
    BadSectorMode {
        /// The sector.
        lba: u32,
        /// The mode found.
        mode: u8,
    },
    /// A Form 2 sector (audio or video) where data is expected.
    UnexpectedForm2 {
        /// The sector.
        lba: u32,
    },
    /// The error detection code does not match.
    BadEdc {
        /// The sector.
        lba: u32,
    },
    /// The error correction code does not match.
    BadEcc {
        /// The sector.
        lba: u32,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NotRawImage => {
                f.write_str("NotRawImage: no sync pattern: not a raw 2352-byte sector")
            }
            Self::BadAddress {
                found: [minute, second, frame],
            } => write!(
                f,
                "BadAddress: {minute:02X}:{second:02X}:{frame:02X} names no block"
            ),
            Self::BadSectorMode { lba, mode } => {
                write!(
                    f,
                    "BadSectorMode: sector {lba}: expected mode 2, found {mode}"
                )
            }
            Self::UnexpectedForm2 { lba } => {
                write!(
                    f,
                    "UnexpectedForm2: sector {lba} is Form 2 (audio or video), expected data"
                )
            }
            Self::BadEdc { lba } => {
                write!(f, "BadEdc: sector {lba} is damaged: EDC does not match")
            }
            Self::BadEcc { lba } => {
                write!(f, "BadEcc: sector {lba} is damaged: ECC does not match")
            }
        }
    }
}

impl core::error::Error for Error {}

/// `value` in packed decimal; `None` above 99.
#[must_use]
pub const fn to_bcd(value: u8) -> Option<u8> {
    if value > 99 {
        return None;
    }
    Some(((value / 10) << 4) | (value % 10))
}

/// The value of a packed-decimal byte; `None` when a digit is above 9.
#[must_use]
pub const fn from_bcd(value: u8) -> Option<u8> {
    if value >> 4 > 9 || value & 0x0F > 9 {
        return None;
    }
    Some((value >> 4) * 10 + (value & 0x0F))
}

/// Minute, second and frame of logical block `lba`, in BCD; `None` past 99:59:74.
#[must_use]
pub const fn address(lba: u32) -> Option<[u8; 3]> {
    if lba >= BLOCKS {
        return None;
    }
    let frames = lba + LEAD;
    let minute = to_bcd((frames / (60 * 75)) as u8);
    let second = to_bcd((frames / 75 % 60) as u8);
    let frame = to_bcd((frames % 75) as u8);
    match (minute, second, frame) {
        (Some(minute), Some(second), Some(frame)) => Some([minute, second, frame]),
        _ => None,
    }
}

/// The logical block of a BCD address; `None` when it is no address or lies before block 0.
#[must_use]
pub const fn block(address: [u8; 3]) -> Option<u32> {
    let [minute, second, frame] = address;
    match (from_bcd(minute), from_bcd(second), from_bcd(frame)) {
        (Some(m), Some(s), Some(f)) if s < 60 && f < 75 => {
            ((m as u32 * 60 + s as u32) * 75 + f as u32).checked_sub(LEAD)
        }
        _ => None,
    }
}

/// Make a whole Form 1 sector: sync, address, mode 2, subheader `00 00 submode 00` twice, data,
/// EDC and ECC.
///
/// # Errors
/// [`Error::BadAddress`] when no address can name `lba`, [`Error::UnexpectedForm2`] when
/// `submode` says Form 2.
pub fn build(lba: u32, submode: u8, data: &Sector, out: &mut Raw) -> Result<(), Error> {
    let place = address(lba).ok_or(Error::BadAddress { found: [0xFF; 3] })?;
    if submode & SUBMODE_FORM2 != 0 {
        return Err(Error::UnexpectedForm2 { lba });
    }
    let half = [0, 0, submode, 0];
    put(out, 0, &SYNC);
    put(out, ADDRESS_AT, &place);
    put(out, MODE_AT, &[2]);
    put(out, SUBHEADER_AT, &half);
    put(out, SUBHEADER_AT + 4, &half);
    put(out, DATA_AT, data);
    seal(out);
    Ok(())
}

/// Compute EDC and ECC of a Form 1 sector whose first [`EDC_AT`] bytes are in place.
///
/// Neither depends on sync, address or mode, so a sector can be moved by its address alone.
pub fn seal(raw: &mut Raw) {
    let edc = edc(raw_part(raw, EDC_AT));
    put(raw, EDC_AT, &edc.to_le_bytes());
    let p: [u8; 172] = parity(raw, &P);
    put(raw, P_AT, &p);
    let q: [u8; 104] = parity(raw, &Q);
    put(raw, Q_AT, &q);
}

/// Make a whole Form 2 sector: as [`build`], with [`FORM2`] bytes of data, EDC and no ECC.
///
/// The submode gets [`SUBMODE_FORM2`] whatever `submode` says.
///
/// # Errors
/// [`Error::BadAddress`] when no address can name `lba`.
pub fn build_form2(lba: u32, submode: u8, data: &[u8; FORM2], out: &mut Raw) -> Result<(), Error> {
    let place = address(lba).ok_or(Error::BadAddress { found: [0xFF; 3] })?;
    let half = [0, 0, submode | SUBMODE_FORM2, 0];
    put(out, 0, &SYNC);
    put(out, ADDRESS_AT, &place);
    put(out, MODE_AT, &[2]);
    put(out, SUBHEADER_AT, &half);
    put(out, SUBHEADER_AT + 4, &half);
    put(out, DATA_AT, data);
    let edc = edc(raw_part(out, FORM2_EDC_AT));
    put(out, FORM2_EDC_AT, &edc.to_le_bytes());
    Ok(())
}

/// What a raw sector holds, by its form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contents<'a> {
    /// Form 1: data with EDC and ECC.
    Form1(&'a Sector),
    /// Form 2: audio or video with an EDC at most.
    Form2(&'a [u8; FORM2]),
}

/// The sector's block and contents, of either form, with everything checked. An EDC of 0 in a
/// Form 2 sector means that there is none.
///
/// # Errors
/// As [`check`], without [`Error::UnexpectedForm2`].
pub fn inspect(raw: &Raw) -> Result<(u32, Contents<'_>), Error> {
    match data(raw) {
        Ok((lba, _)) => Ok((lba, Contents::Form1(check(raw)?))),
        Err(Error::UnexpectedForm2 { lba }) => {
            let stored = u32_at(raw, FORM2_EDC_AT).unwrap_or(0);
            if stored != 0 && stored != edc(raw_part(raw, FORM2_EDC_AT)) {
                return Err(Error::BadEdc { lba });
            }
            Ok((lba, Contents::Form2(chunk::<FORM2>(raw, DATA_AT)?)))
        }
        Err(error) => Err(error),
    }
}

/// The user data of a Form 1 sector by its header alone, without EDC and ECC; also its block.
///
/// # Errors
/// [`Error::NotRawImage`], [`Error::BadAddress`], [`Error::BadSectorMode`],
/// [`Error::UnexpectedForm2`].
pub fn data(raw: &Raw) -> Result<(u32, &Sector), Error> {
    if raw.first_chunk() != Some(&SYNC) {
        return Err(Error::NotRawImage);
    }
    let found = *chunk::<3>(raw, ADDRESS_AT)?;
    let lba = block(found).ok_or(Error::BadAddress { found })?;
    let [mode] = *chunk::<1>(raw, MODE_AT)?;
    if mode != 2 {
        return Err(Error::BadSectorMode { lba, mode });
    }
    let [_, _, submode, _] = *chunk::<4>(raw, SUBHEADER_AT)?;
    if submode & SUBMODE_FORM2 != 0 {
        return Err(Error::UnexpectedForm2 { lba });
    }
    Ok((lba, chunk::<SECTOR>(raw, DATA_AT)?))
}

/// The user data of a Form 1 sector, with everything checked.
///
/// # Errors
/// As [`data`], and [`Error::BadEdc`], [`Error::BadEcc`].
pub fn check(raw: &Raw) -> Result<&Sector, Error> {
    let (lba, data) = data(raw)?;
    if u32_at(raw, EDC_AT) != Some(edc(raw_part(raw, EDC_AT))) {
        return Err(Error::BadEdc { lba });
    }
    let p: [u8; 172] = parity(raw, &P);
    let q: [u8; 104] = parity(raw, &Q);
    if *chunk::<172>(raw, P_AT)? != p || *chunk::<104>(raw, Q_AT)? != q {
        return Err(Error::BadEcc { lba });
    }
    Ok(data)
}

/// `N` bytes at `at`; every caller's range lies inside a raw sector.
fn chunk<const N: usize>(raw: &Raw, at: usize) -> Result<&[u8; N], Error> {
    raw.get(at..)
        .and_then(|rest| rest.first_chunk())
        .ok_or(Error::NotRawImage)
}

/// Copy `bytes` to `at`; every caller's range lies inside a raw sector.
fn put(raw: &mut Raw, at: usize, bytes: &[u8]) {
    if let Some(place) = raw.get_mut(at..at + bytes.len()) {
        place.copy_from_slice(bytes);
    }
}

static EDC: [u32; 256] = crc_table(0xD801_8001);

/// Subheader and user data: from [`SUBHEADER_AT`] to the EDC at `end`.
fn raw_part(raw: &Raw, end: usize) -> &[u8] {
    raw.get(SUBHEADER_AT..end).unwrap_or_default()
}

/// EDC over subheader and user data.
fn edc(part: &[u8]) -> u32 {
    part.iter()
        .fold(0, |state, &byte| crc_step(&EDC, state, byte))
}

/// `value * 2` in the field of 256 elements with polynomial `11D`.
const fn double(value: u8) -> u8 {
    value << 1 ^ 0x1D & (value >> 7).wrapping_neg()
}

/// Entry `value ^ double(value)` is `value`: division by 3 in the field.
static BACK: [u8; 256] = {
    let mut table = [0; 256];
    let mut value = 0;
    while value < 256 {
        let byte = value as u8;
        table[(byte ^ double(byte)) as usize] = byte;
        value += 1;
    }
    table
};

/// How one parity runs over the bytes from [`ADDRESS_AT`] on.
struct Parity {
    majors: usize,
    minors: usize,
    major_step: usize,
    minor_step: usize,
}

const P: Parity = Parity {
    majors: 86,
    minors: 24,
    major_step: 2,
    minor_step: 86,
};

const Q: Parity = Parity {
    majors: 52,
    minors: 43,
    major_step: 86,
    minor_step: 88,
};

/// The `N = 2 * majors` parity bytes. Address and mode count as zero (the Form 1 rule).
fn parity<const N: usize>(raw: &Raw, shape: &Parity) -> [u8; N] {
    let mut out = [0; N];
    let (first, second) = out.split_at_mut(shape.majors.min(N));
    let size = shape.majors * shape.minors;
    for (j, (first, second)) in first.iter_mut().zip(second).enumerate() {
        let mut index = (j >> 1) * shape.major_step + (j & 1);
        let mut a = 0;
        let mut b = 0;
        for _ in 0..shape.minors {
            let byte = match raw.get(ADDRESS_AT + index) {
                Some(&byte) if index >= 4 => byte,
                _ => 0,
            };
            index += shape.minor_step;
            if index >= size {
                index -= size;
            }
            a = double(a ^ byte);
            b ^= byte;
        }
        a = BACK[usize::from(double(a) ^ b)];
        *first = a;
        *second = a ^ b;
    }
    out
}
