//! `CDNAME.TXT`: names of runs of archive entries (disc sheet, section 4).
//!
//! Lines `#define <name> <decimal>`; the numbers are raw indices, and a name covers every index
//! up to the next one.

use crate::bytes::{Full, Writer};
use core::fmt;

/// The longest name that the retail reader keeps whole, in bytes.
pub const MAX_NAME: usize = 11;
/// The file must be shorter than this: retail reads it into a buffer of this size.
pub const FILE_LIMIT: usize = 4096;

const KEYWORD: &[u8] = b"#define";

/// One usable line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Define<'a> {
    /// The name, 1 to [`MAX_NAME`] bytes without blanks.
    pub name: &'a [u8],
    /// First raw index of the run.
    pub raw: u32,
}

/// The usable lines in the order of the file.
///
/// Tolerant: lines are trimmed; a line that is no `#define`, has a name that is too long, or a
/// number that is not decimal or above 65535 (retail keeps 16 bits) is passed over.
pub fn defines(text: &[u8]) -> impl Iterator<Item = Define<'_>> {
    text.split(|&byte| byte == b'\n' || byte == b'\r')
        .filter_map(line)
}

fn line(line: &[u8]) -> Option<Define<'_>> {
    let mut words = line
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty());
    if words.next()? != KEYWORD {
        return None;
    }
    let name = words.next().filter(|name| name.len() <= MAX_NAME)?;
    let digits = words.next()?;
    let mut raw: u32 = 0;
    for digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        raw = raw * 10 + u32::from(digit - b'0');
        if raw > 0xFFFF {
            return None;
        }
    }
    Some(Define { name, raw })
}

/// The raw index that `name` begins at; the last line of that name counts.
#[must_use]
pub fn lookup(text: &[u8], name: &str) -> Option<u32> {
    defines(text)
        .filter(|define| define.name == name.as_bytes())
        .last()
        .map(|define| define.raw)
}

/// The name of the table, if all its lines define the same one.
#[must_use]
pub fn only(text: &[u8]) -> Option<&[u8]> {
    let mut names = defines(text).map(|define| define.name);
    let first = names.next()?;
    names.all(|name| name == first).then_some(first)
}

/// The run that entry `raw` belongs to. Of two lines with the same index the later one counts.
#[must_use]
pub fn covering(text: &[u8], raw: u32) -> Option<Define<'_>> {
    // `max_by_key` answers the last of equal maxima.
    defines(text)
        .filter(|define| define.raw <= raw)
        .max_by_key(|define| define.raw)
}

/// What a [`Builder`] refuses. `line` counts from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Error {
    /// The name is not 1 to 11 of `a-z`, `0-9` and `_`, stands there already, or the index is
    /// above 65535.
    BadName {
        /// The line.
        line: u32,
    },
    /// The index is not above that of the line before.
    NotAscending {
        /// The line.
        line: u32,
    },
    /// The file would reach [`FILE_LIMIT`] bytes, or the slice is full.
    TooLarge {
        /// The line.
        line: u32,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::BadName { line } => write!(
                f,
                "BadName: line {line}: expected a new name of 1 to {MAX_NAME} of a-z, 0-9 and _, and \
                 an index of 16 bits"
            ),
            Self::NotAscending { line } => {
                write!(
                    f,
                    "NotAscending: line {line}: the index is not above the one before"
                )
            }
            Self::TooLarge { line } => {
                write!(
                    f,
                    "TooLarge: line {line}: the file passes 4095 bytes or its buffer"
                )
            }
        }
    }
}

impl core::error::Error for Error {}

/// Writes a file that the retail reader and this one understand alike.
#[derive(Debug)]
pub struct Builder<'a> {
    out: Writer<'a>,
    lines: u32,
    last: Option<u32>,
}

impl<'a> Builder<'a> {
    /// A builder that writes to the start of `out`.
    #[must_use]
    pub fn new(out: &'a mut [u8]) -> Self {
        let room = out.len().min(FILE_LIMIT - 1);
        Self {
            out: Writer::new(out.get_mut(..room).unwrap_or_default()),
            lines: 0,
            last: None,
        }
    }

    /// Add `#define name raw`, ended by a line feed. After an error nothing more is added.
    ///
    /// # Errors
    /// All of [`Error`].
    pub fn define(&mut self, name: &str, raw: u32) -> Result<(), Error> {
        let line = self.lines.saturating_add(1);
        let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
        let clean = (1..=MAX_NAME).contains(&name.len()) && name.bytes().all(allowed);
        if !clean || raw > 0xFFFF || lookup(self.out.written(), name).is_some() {
            return Err(Error::BadName { line });
        }
        if self.last.is_some_and(|last| raw <= last) {
            return Err(Error::NotAscending { line });
        }
        self.line(name, raw).map_err(|_| Error::TooLarge { line })?;
        self.lines = line;
        self.last = Some(raw);
        Ok(())
    }

    fn line(&mut self, name: &str, raw: u32) -> Result<(), Full> {
        // "#define " + name + " " + at most five digits + "\n", written whole or not at all.
        let mut text = [0; 8 + MAX_NAME + 1 + 5 + 1];
        let mut line = Writer::new(&mut text);
        line.bytes(KEYWORD)?;
        line.u8(b' ')?;
        line.bytes(name.as_bytes())?;
        line.u8(b' ')?;
        let mut unit = 10_000;
        while unit > 0 {
            if raw >= unit || unit == 1 {
                line.u8(b'0' + (raw / unit % 10) as u8)?;
            }
            unit /= 10;
        }
        line.u8(b'\n')?;
        self.out.bytes(line.written())
    }

    /// End writing: the number of bytes.
    #[must_use]
    pub fn finish(self) -> usize {
        self.out.finish()
    }
}
