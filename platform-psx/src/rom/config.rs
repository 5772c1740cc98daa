//! SYSTEM.CNF: what to boot (HAL sheet, section 6.6).

use super::exe::{STACK_RULE, is_stack};
use core::fmt;

/// Longest path that is taken from SYSTEM.CNF.
pub const PATH: usize = 64;

/// A path on the disc, as SYSTEM.CNF gives it: without device and leading separators.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Path {
    bytes: [u8; PATH],
    length: usize,
}

impl Path {
    /// `None` if `text` is empty, too long, or has characters that no name on a disc has.
    #[must_use]
    pub fn new(text: &[u8]) -> Option<Self> {
        let mut bytes = [0; PATH];
        bytes.get_mut(..text.len())?.copy_from_slice(text);
        (!text.is_empty() && text.iter().all(u8::is_ascii_graphic)).then_some(Self {
            bytes,
            length: text.len(),
        })
    }

    /// The path in capitals.
    #[must_use]
    pub fn to_upper(mut self) -> Self {
        self.bytes.make_ascii_uppercase();
        self
    }

    /// The path.
    #[must_use]
    pub fn as_str(&self) -> &str {
        let bytes = self.bytes.get(..self.length).unwrap_or_default();
        // `new` lets nothing but ASCII in.
        core::str::from_utf8(bytes).unwrap_or_default()
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}

/// What SYSTEM.CNF says; TCB and EVENT are of no use to this ROM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// `BOOT`: the program.
    pub boot: Path,
    /// `STACK`: the stack pointer to start with, if there is such a line.
    pub stack: Option<u32>,
}

/// What is wrong with SYSTEM.CNF. Lines count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// No line names the program.
    NoBoot,
    /// The BOOT line names nothing that could be a file.
    BadBoot {
        /// The line.
        line: u16,
    },
    /// STACK is not a hexadecimal number.
    BadStack {
        /// The line.
        line: u16,
    },
    /// STACK names a place where no program can have its stack.
    StackPlace {
        /// The line.
        line: u16,
        /// The place.
        stack: u32,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoBoot => f.write_str("no BOOT line"),
            Self::BadBoot { line } => write!(f, "line {line}: BOOT names no file"),
            Self::BadStack { line } => {
                write!(
                    f,
                    "line {line}: STACK is not a hexadecimal number of up to 8 digits"
                )
            }
            Self::StackPlace { line, stack } => {
                write!(f, "line {line}: STACK is {stack:08X}, {STACK_RULE}")
            }
        }
    }
}

impl core::error::Error for Error {}

impl Config {
    /// Read SYSTEM.CNF. Keys may be in either case and the first of a kind counts; spaces around
    /// the parts and lines with other keys are skipped; lines end in LF or CR LF.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn parse(text: &[u8]) -> Result<Self, Error> {
        let (mut boot, mut stack) = (None, None);
        // A file is padded with zeros, or with the end mark of old text files.
        let text = text
            .split(|&byte| byte == 0 || byte == 0x1A)
            .next()
            .unwrap_or_default();
        for (number, line) in (1..).zip(text.split(|&byte| byte == b'\n')) {
            let Some(equals) = line.iter().position(|&byte| byte == b'=') else {
                continue;
            };
            let (key, value) = line.split_at(equals);
            let key = key.trim_ascii();
            let value = value.get(1..).unwrap_or_default().trim_ascii();
            if boot.is_none() && key.eq_ignore_ascii_case(b"BOOT") {
                boot = Some(program(value).ok_or(Error::BadBoot { line: number })?);
            } else if stack.is_none() && key.eq_ignore_ascii_case(b"STACK") {
                let place = hexadecimal(value).ok_or(Error::BadStack { line: number })?;
                if !is_stack(place) {
                    return Err(Error::StackPlace {
                        line: number,
                        stack: place,
                    });
                }
                stack = Some(place);
            }
        }
        Ok(Self {
            boot: boot.ok_or(Error::NoBoot)?,
            stack,
        })
    }
}

/// The path in `cdrom:\DIR\NAME.EXT;1 arguments`.
fn program(value: &[u8]) -> Option<Path> {
    const DEVICE: usize = b"cdrom:".len();
    let path = match value.split_at_checked(DEVICE) {
        Some((device, rest)) if device.eq_ignore_ascii_case(b"cdrom:") => rest,
        _ => value,
    };
    let end = path
        .iter()
        .position(u8::is_ascii_whitespace)
        .unwrap_or(path.len());
    let path = path.get(..end)?;
    let start = path.iter().position(|byte| !matches!(byte, b'\\' | b'/'))?;
    Path::new(path.get(start..)?)
}

fn hexadecimal(text: &[u8]) -> Option<u32> {
    if text.is_empty() || text.len() > 8 {
        return None;
    }
    text.iter().try_fold(0, |value: u32, &digit| {
        let digit = char::from(digit).to_digit(16)?;
        Some(value << 4 | digit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_file() {
        let text = b"BOOT = cdrom:\\SLUS_999.99;1\r\nTCB = 4\r\nEVENT = 10\r\nSTACK = 801FFF00\r\n";
        let config = Config::parse(text).unwrap();
        assert_eq!(config.boot.as_str(), "SLUS_999.99;1");
        assert_eq!(config.stack, Some(0x801F_FF00));
    }

    #[test]
    fn looser_spellings() {
        let config = Config::parse(b"tcb=4\nboot=CDROM:DIR\\MAIN.EXE;1 arg\n\0\0BOOT=no").unwrap();
        assert_eq!(config.boot.as_str(), "DIR\\MAIN.EXE;1");
        assert_eq!(config.stack, None);
        assert_eq!(
            Config::parse(b"BOOT=\\\\A.EXE").unwrap().boot.as_str(),
            "A.EXE"
        );
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        assert_eq!(Config::parse(b""), Err(Error::NoBoot));
        assert_eq!(Config::parse(b"BOOT cdrom:\\A.EXE"), Err(Error::NoBoot));
        assert_eq!(
            Config::parse(b"\r\nBOOT = cdrom:\\\r\n"),
            Err(Error::BadBoot { line: 2 })
        );
        assert_eq!(
            Config::parse(b"BOOT = A\xFF"),
            Err(Error::BadBoot { line: 1 })
        );
        assert_eq!(
            Config::parse(&[b"BOOT=".as_slice(), &[b'A'; 65]].concat()),
            Err(Error::BadBoot { line: 1 })
        );
        for stack in ["", "801FFF0G", "123456789", "+1"] {
            let text = std::format!("BOOT = A\r\nSTACK = {stack}\r\n");
            assert_eq!(
                Config::parse(text.as_bytes()),
                Err(Error::BadStack { line: 2 }),
                "{stack}"
            );
        }
        for stack in [0, 0x8000_8000, 0x801F_FF01, 0x8020_0010, 0xBFC0_0000] {
            let text = std::format!("STACK = {stack:X}\r\nBOOT = A\r\n");
            let error = Error::StackPlace { line: 1, stack };
            assert_eq!(Config::parse(text.as_bytes()), Err(error));
            let said = std::format!("{error}");
            assert!(said.contains(&std::format!("{stack:08X}")), "{said}");
        }
    }
}
