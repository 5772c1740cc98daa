//! The PS-EXE header as a loader reads it (HAL sheet, section 6.6).

use core::fmt;
use overworld_runtime::bytes::u32_at;
use overworld_runtime::platform::SECTOR;

/// Bytes of the header, one sector.
pub const HEADER: u32 = SECTOR as u32;
/// First physical address that belongs to programs (HAL sheet, section 1.1).
pub const RAM_FIRST: u32 = 0x0001_0000;
/// End of main memory.
pub const RAM_END: u32 = 0x0020_0000;

/// What the loader needs to know of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// First instruction.
    pub pc: u32,
    /// Global pointer.
    pub gp: u32,
    /// Where the body goes, in KSEG0.
    pub load: u32,
    /// Bytes of the body, a multiple of 2,048.
    pub size: u32,
    /// Memory to zero, in KSEG0, and its length; a length of zero means none.
    pub bss: (u32, u32),
    /// Stack pointer, if the header gives one. It is not checked here, since SYSTEM.CNF may name
    /// another one: see [`Header::check_stack`].
    pub stack: Option<u32>,
}

/// What is wrong with a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// The first eight bytes are not `PS-X EXE`.
    BadMagic,
    /// The body's size at 1Ch is zero or no multiple of 800h.
    BadSize {
        /// The size.
        size: u32,
    },
    /// The file is shorter than header and body.
    Truncated {
        /// Bytes that header and body need.
        need: u32,
        /// Bytes that there are.
        have: u32,
    },
    /// The body does not fit between 64 KiB and the end of memory, or is not word-aligned.
    BadLoad {
        /// The address at 18h.
        load: u32,
        /// The size at 1Ch.
        size: u32,
    },
    /// The entry at 10h is not an instruction of the body.
    BadEntry {
        /// The entry.
        pc: u32,
    },
    /// The memory to zero leaves the program's part of memory, or would wipe the body.
    BadBss {
        /// The address at 28h.
        start: u32,
        /// The length at 2Ch.
        size: u32,
    },
    /// The stack pointer, the sum of the words at 30h and 34h, is none: see [`is_stack`].
    BadStack {
        /// The stack pointer.
        stack: u32,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadMagic => f.write_str("not a PS-EXE: it does not begin with \"PS-X EXE\""),
            Self::BadSize { size } => {
                write!(f, "size {size:X}h at 1Ch is zero or no multiple of 800h")
            }
            Self::Truncated { need, have } => {
                write!(f, "header and body need {need} bytes, the file has {have}")
            }
            Self::BadLoad { load, size } => write!(
                f,
                "{size:X}h bytes at {load:08X} do not fit into 80010000..80200000"
            ),
            Self::BadEntry { pc } => write!(f, "entry {pc:08X} is outside the program"),
            Self::BadBss { start, size } => write!(
                f,
                "{size:X}h bytes to clear at {start:08X} leave memory or cover the program"
            ),
            Self::BadStack { stack } => {
                write!(f, "stack pointer {stack:08X} at 30h and 34h: {STACK_RULE}")
            }
        }
    }
}

impl core::error::Error for Error {}

/// The physical address of a place in main memory.
const fn physical(address: u32) -> Option<u32> {
    match address >> 29 {
        // KUSEG, KSEG0, KSEG1
        0 | 4 | 5 => Some(address & 0x1FFF_FFFF),
        _ => None,
    }
}

/// `size` bytes at `address`, as a physical range, if a program may have them.
fn range(address: u32, size: u32) -> Option<core::ops::Range<u32>> {
    let start = physical(address)?;
    let end = start.checked_add(size)?;
    (start >= RAM_FIRST && end <= RAM_END).then_some(start..end)
}

/// What a stack pointer must be, in words.
pub(super) const STACK_RULE: &str = "expected a multiple of 4 above 80010000, up to 80200000";

/// Whether a program can start with this stack pointer: a multiple of four, in the programs' part
/// of main memory or at its end, with room below it. A store to ROM or to nowhere is lost without
/// a fault, and the program would die of its first return address, too late for a report.
#[must_use]
pub const fn is_stack(pointer: u32) -> bool {
    match physical(pointer) {
        Some(place) => place > RAM_FIRST && place <= RAM_END && place.is_multiple_of(4),
        None => false,
    }
}

impl Header {
    /// Read and check the header of a file of `file` bytes.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn parse(header: &[u8], file: u32) -> Result<Self, Error> {
        if !header.starts_with(b"PS-X EXE") {
            return Err(Error::BadMagic);
        }
        let word = |offset| u32_at(header, offset).unwrap_or(0);
        let (pc, gp, load, size) = (word(0x10), word(0x14), word(0x18), word(0x1C));
        if size == 0 || !size.is_multiple_of(SECTOR as u32) {
            return Err(Error::BadSize { size });
        }
        let bad_load = Error::BadLoad { load, size };
        let body = range(load, size)
            .filter(|body| body.start.is_multiple_of(4))
            .ok_or(bad_load)?;
        let need = HEADER + size;
        if file < need {
            return Err(Error::Truncated { need, have: file });
        }
        let entry = physical(pc).filter(|pc| pc.is_multiple_of(4) && body.contains(pc));
        entry.ok_or(Error::BadEntry { pc })?;

        let (start, length) = (word(0x28), word(0x2C));
        let bss = if length == 0 {
            (0, 0)
        } else {
            let bss = range(start, length)
                .filter(|bss| bss.end <= body.start || bss.start >= body.end)
                .ok_or(Error::BadBss {
                    start,
                    size: length,
                })?;
            (bss.start | 0x8000_0000, length)
        };
        let stack = match word(0x30) {
            0 => None,
            base => Some(base.wrapping_add(word(0x34))),
        };
        Ok(Self {
            pc,
            gp,
            load: body.start | 0x8000_0000,
            size,
            bss,
            stack,
        })
    }

    /// Check the header's stack pointer, where it is the one that counts.
    ///
    /// # Errors
    /// [`Error::BadStack`]
    pub fn check_stack(&self) -> Result<Option<u32>, Error> {
        match self.stack {
            Some(stack) if !is_stack(stack) => Err(Error::BadStack { stack }),
            stack => Ok(stack),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(fields: &[(usize, u32)]) -> [u8; SECTOR] {
        let mut header = [0; SECTOR];
        header[..8].copy_from_slice(b"PS-X EXE");
        let usual = [
            (0x10, 0x8001_0010),
            (0x18, 0x8001_0000),
            (0x1C, 0x1000),
            (0x30, 0x801F_FFF0),
        ];
        for &(offset, value) in usual.iter().chain(fields) {
            header[offset..offset + 4].copy_from_slice(&value.to_le_bytes());
        }
        header
    }

    #[test]
    fn a_good_header() {
        let header = header(&[
            (0x14, 0x8001_8000),
            (0x28, 0x8001_1000),
            (0x2C, 0x20),
            (0x34, 0x10),
        ]);
        assert_eq!(
            Header::parse(&header, 0x1800),
            Ok(Header {
                pc: 0x8001_0010,
                gp: 0x8001_8000,
                load: 0x8001_0000,
                size: 0x1000,
                bss: (0x8001_1000, 0x20),
                stack: Some(0x8020_0000),
            })
        );
    }

    #[test]
    fn other_segments_and_no_stack() {
        let header = header(&[
            (0x10, 0x0001_0000),
            (0x18, 0xA001_0000),
            (0x30, 0),
            (0x34, 0x10),
        ]);
        let header = Header::parse(&header, 0x1800).unwrap();
        assert_eq!(
            (header.load, header.stack, header.bss),
            (0x8001_0000, None, (0, 0))
        );
    }

    #[test]
    fn a_stack_lies_in_the_programs_memory() {
        let check = |base: u32, offset: u32| {
            let header = header(&[(0x30, base), (0x34, offset)]);
            Header::parse(&header, 0x1800).unwrap().check_stack()
        };
        for good in [0x801F_FFF0, 0x8001_0004, 0xA010_0000, 0x001F_FF00] {
            assert_eq!(check(good, 0), Ok(Some(good)));
        }
        assert_eq!(check(0x801F_FFF0, 0x10), Ok(Some(0x8020_0000)), "the end");
        assert_eq!(check(0, 0x10), Ok(None), "no base is no stack");
        for bad in [
            0xBFC0_0000, // the ROM
            0x9FC0_1000, // the same, cached
            0x8000_F000, // the kernel's
            0x8001_0000, // no room below
            0x801F_FFF2, // misaligned
            0x8020_0004, // beyond the end
            0x807F_FFF0, // a mirror, which a console need not have
            0x1F80_03FC, // the scratchpad
            0xC01F_FFF0, // no memory segment
        ] {
            assert_eq!(check(bad, 0), Err(Error::BadStack { stack: bad }));
        }
        // The sum counts, and may wrap.
        let stack = 0x7FFF_FFF0;
        assert_eq!(
            check(0x801F_FFF0, 0xFFE0_0000),
            Err(Error::BadStack { stack })
        );
    }

    #[test]
    fn each_field_is_checked() {
        let error = |fields: &[(usize, u32)]| Header::parse(&header(fields), 0x1800).unwrap_err();
        assert_eq!(Header::parse(b"PS-X", 0x1800), Err(Error::BadMagic));
        assert_eq!(error(&[(0x1C, 0)]), Error::BadSize { size: 0 });
        assert_eq!(error(&[(0x1C, 0xFFF)]), Error::BadSize { size: 0xFFF });
        for load in [
            0x8000_F800,
            0x8001_0002,
            0x801F_F800,
            0xBFC0_0000,
            0xFFFF_F800,
            0x6001_0000,
        ] {
            assert_eq!(
                error(&[(0x18, load)]),
                Error::BadLoad { load, size: 0x1000 }
            );
        }
        let size = 0xFFFF_F800;
        assert_eq!(
            error(&[(0x1C, size)]),
            Error::BadLoad {
                load: 0x8001_0000,
                size
            }
        );
        assert_eq!(
            Header::parse(&header(&[]), 0x17FF),
            Err(Error::Truncated {
                need: 0x1800,
                have: 0x17FF
            })
        );
        for pc in [0x8001_0002, 0x8000_FFFC, 0x8001_1000, 0xFFFF_0000] {
            assert_eq!(error(&[(0x10, pc)]), Error::BadEntry { pc });
        }
        for (start, size) in [
            (0x8001_0FFF, 2),
            (0x8000_FFFF, 2),
            (0x801F_FFFF, 2),
            (0x8001_1000, u32::MAX),
        ] {
            assert_eq!(
                error(&[(0x28, start), (0x2C, size)]),
                Error::BadBss { start, size }
            );
        }
    }
}
