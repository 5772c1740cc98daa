//! The first bytes of an ELF file: is it one, and for which machine?

use super::Error;

/// Length of a 32-bit ELF header, in bytes.
const HEADER: usize = 52;
/// `e_machine` of MIPS.
pub const MIPS: u16 = 8;

/// Makes sure that the file begins with the header of a 32-bit little-endian MIPS program, and that
/// its tables of sections and segments lie in the file.
///
/// # Errors
/// It does not; the error says what was expected and what was found.
pub fn check(file: &[u8]) -> Result<(), Error> {
    begins(file)?;
    // The machine first: of a program of this PC that is the thing to say.
    let machine = match file[5] {
        2 => u16::from_be_bytes([file[18], file[19]]),
        _ => half(file, 18),
    };
    if machine != MIPS {
        return Err(Error::Machine { found: machine });
    }
    layout(file)
}

/// As [`check`], for a program of any machine.
///
/// # Errors
/// As [`check`].
pub fn check_any(file: &[u8]) -> Result<(), Error> {
    begins(file)?;
    layout(file)
}

fn begins(file: &[u8]) -> Result<(), Error> {
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
    Ok(())
}

fn half(file: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([file[at], file[at + 1]])
}

/// Class, byte order, version and the places of the tables, of a file that is long enough.
fn layout(file: &[u8]) -> Result<(), Error> {
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
        1 => {}
        found => {
            return Err(Error::Elf {
                what: "the file header".into(),
                reason: format!("version at offset 6: expected 1, found {found}"),
            });
        }
    }
    table(file, "the segment table", 28, 42, 32)?;
    table(file, "the section table", 32, 46, 40)
}

/// Does a table of entries of `size` bytes lie in the file? Its offset stands at `place`, the size and
/// the number of its entries at `entries`.
fn table(file: &[u8], what: &str, place: usize, entries: usize, size: u16) -> Result<(), Error> {
    let offset = u64::from(half(file, place)) | u64::from(half(file, place + 2)) << 16;
    let (entry, count) = (half(file, entries), half(file, entries + 2));
    let end = offset + u64::from(size) * u64::from(count);
    let reason = if count == 0 {
        return Ok(());
    } else if entry != size {
        format!("expected entries of {size} bytes, found {entry}")
    } else if end > file.len() as u64 {
        format!(
            "expected its {count} entries in the file of {} bytes, found them at {offset:#X} to \
             {end:#X}",
            file.len()
        )
    } else {
        return Ok(());
    };
    Err(Error::Elf {
        what: what.into(),
        reason,
    })
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
