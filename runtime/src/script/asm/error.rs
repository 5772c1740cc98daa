//! What can be wrong with a source.

use core::fmt;

/// What is wrong with a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum ErrorKind<'s> {
    /// Something else was expected here.
    Expected(&'static str),
    /// No instruction or directive has this name.
    UnknownMnemonic(&'s str),
    /// No label or constant has this name.
    UnknownName(&'s str),
    /// The name is given twice.
    Duplicate(&'s str),
    /// The number does not fit.
    Range {
        /// The number.
        value: i64,
        /// Smallest that fits.
        low: i64,
        /// Largest that fits.
        high: i64,
    },
    /// The list must have another length.
    Count {
        /// Elements needed; a multiple of four where that is not known.
        expected: usize,
        /// Elements found.
        found: usize,
    },
    /// This byte of at most `1E` would end the text in its middle.
    EndsText(u8),
    /// This last byte of the text wants one more, and would take the text's end for it.
    OpenEscape(u8),
    /// A text without its end stands before this; only the end of the record ends such a text.
    BehindOpenText,
    /// These operands belong to the instruction of this name.
    OtherForm(&'static str),
    /// The operands make no instruction.
    NoInstruction,
    /// A label or jump lies behind the 65536 bytes a program counter can tell apart.
    TooFar,
    /// More names than the table holds.
    TooManyNames(usize),
    /// More bytes than the output holds.
    OutputFull(usize),
}

/// An error and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Error<'s> {
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// What is wrong there.
    pub kind: ErrorKind<'s>,
}

impl fmt::Display for ErrorKind<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Expected(what) => write!(f, "expected {what}"),
            Self::UnknownMnemonic(name) => write!(f, "no instruction is called {name}"),
            Self::UnknownName(name) => write!(f, "no label or constant is called {name}"),
            Self::Duplicate(name) => write!(f, "{name} is given twice"),
            Self::Range { value, low, high } => {
                write!(f, "{value} is outside {low} to {high}")
            }
            Self::Count { expected, found } => {
                write!(f, "expected a list of {expected}, found {found}")
            }
            Self::EndsText(byte) => write!(
                f,
                "the byte {byte:02X} ends a text, and this one goes on: bytes up to 1E stand behind the closing \
                 quote, as in .text \"...\", 0x{byte:02X}"
            ),
            Self::OpenEscape(byte) => write!(
                f,
                "the byte {byte:02X} takes one more, and the text is over: expected an operand, as in \\x{byte:02X}\\x00"
            ),
            Self::BehindOpenText => {
                f.write_str("the text before this has no end: nothing can follow it")
            }
            Self::OtherForm(name) => write!(f, "these operands are those of {name}"),
            Self::NoInstruction => f.write_str("no instruction has these operands"),
            Self::TooFar => f.write_str("this is behind the 65536 bytes of a record"),
            Self::TooManyNames(room) => write!(f, "more than {room} labels and constants"),
            Self::OutputFull(room @ 0x1_0000) => {
                write!(f, "this is behind the {room} bytes of a record")
            }
            Self::OutputFull(room) => write!(f, "more than {room} bytes"),
        }
    }
}

impl fmt::Display for Error<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "line {}, column {}: {}",
            self.line, self.column, self.kind
        )
    }
}

impl core::error::Error for Error<'_> {}
