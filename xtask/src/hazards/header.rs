//! The first bytes of an ELF file: is it one, and for which machine?

use super::Error;

/// Length of a 32-bit ELF header, in bytes.
const HEADER: usize = 52;
/// `e_machine` of MIPS.
pub const MIPS: u16 = 8;

/// Makes sure that the file begins with the header of a 32-bit little-endian MIPS program.
///
/// # Errors
/// It does not; the error says what was expected and what was found.
pub fn check(file: &[u8]) -> Result<(), Error> {
    let expected = [0x7F, b'E', b'L', b'F'];
    let start = &file[..file.len().min(8)];
    if !start.starts_with(&expected) {
        return Err(Error::NotElf {
            found: start.to_vec(),
        });
    }
    if file.len() < HEADER {
        return Err(Error::Short { found: file.len() });
    }
    // The machine first: of a program of this PC that is the thing to say.
    let big = file[5] == 2;
    let machine = match big {
        false => u16::from_le_bytes([file[18], file[19]]),
        true => u16::from_be_bytes([file[18], file[19]]),
    };
    if machine != MIPS {
        return Err(Error::Machine { found: machine });
    }
    match file[4] {
        1 => {}
        found => return Err(Error::Class { found }),
    }
    match file[5] {
        1 => {}
        2 => return Err(Error::ByteOrder),
        found => {
            return Err(Error::Elf {
                what: "the file header".into(),
                reason: format!(
                    "byte order at offset 5: expected 1 (little-endian), found {found}"
                ),
            });
        }
    }
    match file[6] {
        1 => Ok(()),
        found => Err(Error::Elf {
            what: "the file header".into(),
            reason: format!("version at offset 6: expected 1, found {found}"),
        }),
    }
}

/// What a machine number stands for, if it is one of those that turn up here.
pub fn machine_name(machine: u16) -> &'static str {
    match machine {
        0 => "none",
        2 => "SPARC",
        3 => "x86",
        4 => "68000",
        MIPS => "MIPS",
        20 => "PowerPC",
        40 => "ARM",
        42 => "SuperH",
        62 => "x86-64",
        183 => "AArch64",
        243 => "RISC-V",
        _ => "unknown",
    }
}
