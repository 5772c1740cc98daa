//! The PS-EXE header: what it holds, how it is checked, how it is written (HAL sheet, section 6.6).
//!
//! A PS-EXE is a header of 2048 bytes and a body that the loader copies to
//! [`Header::load`]. Both directions run the same checks, so a file that [`emit`] wrote is one
//! that [`parse`] takes.

use std::fmt;

/// Bytes of the header.
pub const HEADER: usize = 0x800;

/// Unit of the body's size.
pub const UNIT: usize = 0x800;

/// Longest [`Header::region`] text in bytes: from 4Ch to the end of the header.
pub const REGION_MAX: usize = HEADER - REGION_AT;

/// First physical address that belongs to programs; the kernel lives below.
pub const RAM_FIRST: u32 = 0x0001_0000;

/// End of main memory (physical).
pub const RAM_END: u32 = 0x0020_0000;

/// What a PS-EXE begins with.
pub const MAGIC: &[u8; 8] = b"PS-X EXE";
const REGION_AT: usize = 0x4C;

/// The fields of a PS-EXE header. Addresses are virtual (KUSEG, KSEG0 or KSEG1).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// 10h: first instruction; inside the body, multiple of 4.
    pub pc: u32,
    /// 14h: global pointer at entry; 0 if the program sets its own.
    pub gp: u32,
    /// 18h: where the body goes; multiple of 4, in main memory above 64 KiB.
    pub load: u32,
    /// 1Ch: bytes of the body without the header; multiple of 800h. [`emit`] takes 0 as
    /// "the body's length rounded up".
    pub size: u32,
    /// 28h: start of the memory the loader zero-fills; multiple of 4; 0 when there is none.
    pub bss_start: u32,
    /// 2Ch: its length in bytes; multiple of 4.
    pub bss_size: u32,
    /// 30h: stack pointer at entry; never 0.
    pub sp_base: u32,
    /// 34h: added to [`Header::sp_base`].
    pub sp_offset: u32,
    /// 4Ch: region text, printable ASCII, at most [`REGION_MAX`] bytes; not checked by any loader.
    pub region: String,
}

/// What is wrong with a PS-EXE. Offsets are byte offsets in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// The file ends inside the header.
    ShortHeader {
        /// Bytes in the file.
        found: usize,
    },
    /// 00h is not `PS-X EXE`.
    BadMagic {
        /// The first eight bytes.
        found: [u8; 8],
    },
    /// A reserved byte (08h..10h, 20h..28h, 38h..4Ch, or past the region text) is not zero.
    Reserved {
        /// Where.
        offset: usize,
        /// What stands there.
        found: u8,
    },
    /// 18h is not a multiple of 4 in main memory above 64 KiB.
    BadLoad {
        /// The address.
        found: u32,
    },
    /// 1Ch is zero, not a multiple of 800h, or the body would leave main memory.
    BadSize {
        /// The size.
        found: u32,
    },
    /// The body has another length than 1Ch says (loaders that trust either go wrong).
    SizeMismatch {
        /// The header's size.
        header: u32,
        /// The body's bytes.
        body: usize,
    },
    /// 10h is not a multiple of 4 inside the body.
    BadPc {
        /// The address.
        found: u32,
    },
    /// 28h/2Ch: not multiples of 4, outside main memory, or over the body.
    BadBss {
        /// First address.
        start: u32,
        /// Length.
        size: u32,
    },
    /// 30h + 34h is zero, unaligned, outside main memory, or inside body or bss.
    BadStack {
        /// The resulting stack pointer.
        found: u32,
    },
    /// The region text is too long or not printable ASCII.
    BadRegion,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::ShortHeader { found } => {
                write!(
                    f,
                    "ShortHeader: expected a header of {HEADER} bytes, found {found} bytes"
                )
            }
            Self::BadMagic { found } => write!(
                f,
                "BadMagic at offset 0: expected \"PS-X EXE\", found \"{}\" (an ELF must be packed first)",
                found.escape_ascii()
            ),
            Self::Reserved { offset, found } => {
                write!(
                    f,
                    "Reserved at offset {offset:#x}: expected 0, found {found:#04x}"
                )
            }
            Self::BadLoad { found } => write!(
                f,
                "BadLoad at offset 0x18: expected a multiple of 4 in main memory from 0x80010000 on, found {found:#010x}"
            ),
            Self::BadSize { found } => write!(
                f,
                "BadSize at offset 0x1c: expected a multiple of 0x800, not 0, that fits main memory, found {found:#x}"
            ),
            Self::SizeMismatch { header, body } => write!(
                f,
                "SizeMismatch at offset 0x1c: the header says {header:#x} bytes, the body has {body:#x}"
            ),
            Self::BadPc { found } => write!(
                f,
                "BadPc at offset 0x10: expected a multiple of 4 inside the body, found {found:#010x}"
            ),
            Self::BadBss { start, size } => write!(
                f,
                "BadBss at offset 0x28: expected multiples of 4 in main memory beside the body, found {start:#010x} + {size:#x}"
            ),
            Self::BadStack { found } => write!(
                f,
                "BadStack at offset 0x30: expected a multiple of 4 in main memory, not 0 and not in body or bss, found {found:#010x}"
            ),
            Self::BadRegion => write!(
                f,
                "BadRegion at offset 0x4c: expected printable ASCII of at most {REGION_MAX} bytes"
            ),
        }
    }
}

impl std::error::Error for Error {}

/// Read and check a PS-EXE; answers the header and the body.
///
/// # Errors
/// See [`Error`]; every field is checked.
pub fn parse(file: &[u8]) -> Result<(Header, &[u8]), Error> {
    let Some((head, body)) = file.split_at_checked(HEADER) else {
        return Err(Error::ShortHeader { found: file.len() });
    };
    if !head.starts_with(MAGIC) {
        let mut found = [0; 8];
        found.copy_from_slice(&head[..8]);
        return Err(Error::BadMagic { found });
    }
    let word = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
    let text = &head[REGION_AT..];
    let length = text
        .iter()
        .position(|&byte| byte == 0)
        .unwrap_or(text.len());
    for reserved in [
        0x08..0x10,
        0x20..0x28,
        0x38..REGION_AT,
        REGION_AT + length..HEADER,
    ] {
        for offset in reserved {
            if head[offset] != 0 {
                return Err(Error::Reserved {
                    offset,
                    found: head[offset],
                });
            }
        }
    }
    let header = Header {
        pc: word(0x10),
        gp: word(0x14),
        load: word(0x18),
        size: word(0x1C),
        bss_start: word(0x28),
        bss_size: word(0x2C),
        sp_base: word(0x30),
        sp_offset: word(0x34),
        region: str::from_utf8(&text[..length])
            .map_err(|_| Error::BadRegion)?
            .to_owned(),
    };
    check(&header)?;
    if header.size as usize != body.len() {
        return Err(Error::SizeMismatch {
            header: header.size,
            body: body.len(),
        });
    }
    Ok((header, body))
}

/// Write a PS-EXE. The body is padded with zeros to a multiple of 800h; [`Header::size`] must
/// be 0 or that padded length.
///
/// # Errors
/// See [`Error`]: a header that [`parse`] would refuse is not written.
pub fn emit(header: &Header, body: &[u8]) -> Result<Vec<u8>, Error> {
    let padded = body.len().next_multiple_of(UNIT);
    let size = u32::try_from(padded).map_err(|_| Error::BadSize { found: u32::MAX })?;
    if header.size != 0 && header.size != size {
        return Err(Error::SizeMismatch {
            header: header.size,
            body: padded,
        });
    }
    let header = Header {
        size,
        ..header.clone()
    };
    check(&header)?;
    let mut file = vec![0; HEADER + padded];
    file[..8].copy_from_slice(MAGIC);
    for (at, value) in [
        (0x10, header.pc),
        (0x14, header.gp),
        (0x18, header.load),
        (0x1C, header.size),
        (0x28, header.bss_start),
        (0x2C, header.bss_size),
        (0x30, header.sp_base),
        (0x34, header.sp_offset),
    ] {
        file[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }
    file[REGION_AT..REGION_AT + header.region.len()].copy_from_slice(header.region.as_bytes());
    file[HEADER..HEADER + body.len()].copy_from_slice(body);
    Ok(file)
}

/// Physical address behind a KUSEG, KSEG0 or KSEG1 address of main memory.
fn physical(address: u32) -> Option<u32> {
    let physical = address & 0x1FFF_FFFF;
    let segment = address & 0xE000_0000;
    (matches!(segment, 0 | 0x8000_0000 | 0xA000_0000) && physical < RAM_END).then_some(physical)
}

/// All rules but the one that compares with the body.
fn check(header: &Header) -> Result<(), Error> {
    let load = match physical(header.load) {
        Some(load) if load >= RAM_FIRST && load % 4 == 0 => load,
        _ => return Err(Error::BadLoad { found: header.load }),
    };
    if header.size == 0
        || !(header.size as usize).is_multiple_of(UNIT)
        || header.size > RAM_END - load
    {
        return Err(Error::BadSize { found: header.size });
    }
    let end = load + header.size;
    let inside = |address: u32| (load..end).contains(&address);
    if !header.pc.is_multiple_of(4) || !physical(header.pc).is_some_and(inside) {
        return Err(Error::BadPc { found: header.pc });
    }
    let bss = bss(header, load, end)?;
    let sp = header.sp_base.wrapping_add(header.sp_offset);
    // The stack grows down from here, so the end of memory itself is a good value.
    let top = physical(sp).or_else(|| physical(sp.wrapping_sub(4)).map(|last| last + 4));
    match top {
        Some(top)
            if header.sp_base != 0
                && sp.is_multiple_of(4)
                && top > RAM_FIRST
                && !inside(top - 4)
                && !bss.contains(&(top - 4)) => {}
        _ => return Err(Error::BadStack { found: sp }),
    }
    let printable = header
        .region
        .bytes()
        .all(|byte| (0x20..0x7F).contains(&byte));
    if header.region.len() > REGION_MAX || !printable {
        return Err(Error::BadRegion);
    }
    Ok(())
}

/// The zero-filled range, physical; empty when there is none.
fn bss(header: &Header, load: u32, end: u32) -> Result<std::ops::Range<u32>, Error> {
    let bad = Error::BadBss {
        start: header.bss_start,
        size: header.bss_size,
    };
    if header.bss_size == 0 {
        return Ok(0..0);
    }
    let start = physical(header.bss_start).ok_or(bad)?;
    let aligned = start % 4 == 0 && header.bss_size.is_multiple_of(4);
    if !aligned || start < RAM_FIRST || header.bss_size > RAM_END - start {
        return Err(bad);
    }
    let stop = start + header.bss_size;
    if start < end && stop > load {
        return Err(bad);
    }
    Ok(start..stop)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> Header {
        Header {
            pc: 0x8001_0010,
            gp: 0x8001_8000,
            load: 0x8001_0000,
            size: 0x800,
            bss_start: 0x8001_0800,
            bss_size: 0x40,
            sp_base: 0x801F_FF00,
            sp_offset: 0,
            region: "Overworld".to_owned(),
        }
    }

    #[test]
    fn the_bytes_stand_where_the_sheet_says() {
        let file = emit(
            &Header {
                size: 0,
                ..header()
            },
            &[0xAA; 20],
        )
        .unwrap();
        assert_eq!(file.len(), 0x1000);
        assert_eq!(&file[..16], b"PS-X EXE\0\0\0\0\0\0\0\0");
        assert_eq!(file[0x10..0x14], [0x10, 0x00, 0x01, 0x80]);
        assert_eq!(file[0x14..0x18], [0x00, 0x80, 0x01, 0x80]);
        assert_eq!(file[0x18..0x1C], [0x00, 0x00, 0x01, 0x80]);
        assert_eq!(file[0x1C..0x20], [0x00, 0x08, 0x00, 0x00]);
        assert_eq!(file[0x20..0x28], [0; 8]);
        assert_eq!(file[0x28..0x30], [0x00, 0x08, 0x01, 0x80, 0x40, 0, 0, 0]);
        assert_eq!(file[0x30..0x38], [0x00, 0xFF, 0x1F, 0x80, 0, 0, 0, 0]);
        assert_eq!(file[0x38..0x4C], [0; 20]);
        assert_eq!(&file[0x4C..0x56], b"Overworld\0");
        assert_eq!(file[0x800..0x814], [0xAA; 20]);
        assert_eq!(file[0x814..0x1000], [0; 0x7EC]);
        let (parsed, body) = parse(&file).unwrap();
        assert_eq!(parsed, header());
        assert_eq!(body.len(), 0x800);
    }

    #[test]
    fn every_field_is_checked() {
        let good = emit(&header(), &[1; 0x800]).unwrap();
        let with = |at: usize, value: u32| {
            let mut file = good.clone();
            file[at..at + 4].copy_from_slice(&value.to_le_bytes());
            parse(&file).map(|(header, _)| header)
        };
        for (at, value, error) in [
            (0x10, 0x8001_0800, Error::BadPc { found: 0x8001_0800 }),
            (0x10, 0x8000_FFFC, Error::BadPc { found: 0x8000_FFFC }),
            (0x10, 0x8001_0002, Error::BadPc { found: 0x8001_0002 }),
            (0x10, 0, Error::BadPc { found: 0 }),
            (0x18, 0x8000_8000, Error::BadLoad { found: 0x8000_8000 }),
            (0x18, 0x8020_0000, Error::BadLoad { found: 0x8020_0000 }),
            (0x18, 0x8001_0002, Error::BadLoad { found: 0x8001_0002 }),
            (0x18, 0xC001_0000, Error::BadLoad { found: 0xC001_0000 }),
            (0x1C, 0, Error::BadSize { found: 0 }),
            (0x1C, 0x801, Error::BadSize { found: 0x801 }),
            (0x1C, 0xFFFF_F800, Error::BadSize { found: 0xFFFF_F800 }),
            (
                0x28,
                0x8001_07FC,
                Error::BadBss {
                    start: 0x8001_07FC,
                    size: 0x40,
                },
            ),
            (
                0x28,
                0x8001_0801,
                Error::BadBss {
                    start: 0x8001_0801,
                    size: 0x40,
                },
            ),
            (
                0x28,
                0,
                Error::BadBss {
                    start: 0,
                    size: 0x40,
                },
            ),
            (
                0x2C,
                0xFFFF_FFFC,
                Error::BadBss {
                    start: 0x8001_0800,
                    size: 0xFFFF_FFFC,
                },
            ),
            (0x30, 0, Error::BadStack { found: 0 }),
            (0x30, 0x8001_0400, Error::BadStack { found: 0x8001_0400 }),
            (0x30, 0x8001_0820, Error::BadStack { found: 0x8001_0820 }),
            (0x30, 0x8020_0004, Error::BadStack { found: 0x8020_0004 }),
            (0x34, 1, Error::BadStack { found: 0x801F_FF01 }),
            (
                0x08,
                1,
                Error::Reserved {
                    offset: 8,
                    found: 1,
                },
            ),
            (
                0x24,
                0x0200,
                Error::Reserved {
                    offset: 0x25,
                    found: 2,
                },
            ),
            (
                0x48,
                0x0300_0000,
                Error::Reserved {
                    offset: 0x4B,
                    found: 3,
                },
            ),
            (
                0x7FC,
                0x0400_0000,
                Error::Reserved {
                    offset: 0x7FF,
                    found: 4,
                },
            ),
            (
                0x4C,
                0x0A,
                Error::Reserved {
                    offset: 0x50,
                    found: b'w',
                },
            ),
        ] {
            assert_eq!(with(at, value), Err(error), "{value:#x} at {at:#x}");
        }
        assert!(
            with(0x30, 0x8020_0000).is_ok(),
            "the end of memory is a good stack top"
        );
        assert!(with(0x14, 0).is_ok(), "gp is the program's own business");
    }

    #[test]
    fn the_body_must_have_the_length_of_the_header() {
        let good = emit(&header(), &[1; 0x800]).unwrap();
        assert_eq!(
            parse(&good[..0xFFF]).unwrap_err(),
            Error::SizeMismatch {
                header: 0x800,
                body: 0x7FF
            }
        );
        assert_eq!(
            parse(&good[..0x7FF]).unwrap_err(),
            Error::ShortHeader { found: 0x7FF }
        );
        assert_eq!(
            parse(&[0x7F; 0x800]).unwrap_err(),
            Error::BadMagic { found: [0x7F; 8] }
        );
        assert_eq!(
            emit(&header(), &[1; 0x801]).unwrap_err(),
            Error::SizeMismatch {
                header: 0x800,
                body: 0x1000
            }
        );
        assert_eq!(
            emit(
                &Header {
                    size: 0,
                    ..header()
                },
                &[]
            ),
            Err(Error::BadSize { found: 0 })
        );
    }

    #[test]
    fn an_unprintable_region_is_refused() {
        let bad = Header {
            region: "caf\u{e9}".to_owned(),
            ..header()
        };
        assert_eq!(emit(&bad, &[1; 0x800]), Err(Error::BadRegion));
        let long = Header {
            region: "x".repeat(REGION_MAX + 1),
            ..header()
        };
        assert_eq!(emit(&long, &[1; 0x800]), Err(Error::BadRegion));
        let most = Header {
            region: "x".repeat(REGION_MAX),
            ..header()
        };
        assert_eq!(parse(&emit(&most, &[1; 0x800]).unwrap()).unwrap().0, most);
    }
}
