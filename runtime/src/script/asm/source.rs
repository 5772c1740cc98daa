//! A line being read, and the names it may use.

use core::num::IntErrorKind;

use super::Name;
use super::error::ErrorKind;
use super::names::Pass;
use crate::script::decode::{PLAYER, SYSTEM};

/// What is wrong, at a byte of the line.
pub(super) struct Fault<'s> {
    pub(super) at: usize,
    pub(super) kind: ErrorKind<'s>,
}

pub(super) struct Sink<'o> {
    pub(super) out: &'o mut [u8],
    pub(super) at: usize,
    /// Nothing can follow: the last text has no end.
    pub(super) open: bool,
}

impl Sink<'_> {
    pub(super) fn push<'s>(&mut self, byte: u8) -> Result<(), ErrorKind<'s>> {
        if self.open {
            return Err(ErrorKind::BehindOpenText);
        }
        let room = self.out.len();
        *self
            .out
            .get_mut(self.at)
            .ok_or(ErrorKind::OutputFull(room))? = byte;
        self.at += 1;
        Ok(())
    }

    pub(super) fn push_all<'s>(&mut self, bytes: &[u8]) -> Result<(), ErrorKind<'s>> {
        bytes.iter().try_for_each(|&byte| self.push(byte))
    }
}

/// What is left of a line.
pub(super) struct Text<'s> {
    pub(super) line: &'s str,
    pub(super) rest: &'s str,
}

impl<'s> Text<'s> {
    pub(super) fn at(&self) -> usize {
        self.line.len() - self.rest.len()
    }

    pub(super) fn fault(&self, kind: ErrorKind<'s>) -> Fault<'s> {
        Fault {
            at: self.at(),
            kind,
        }
    }

    /// Skip blanks.
    pub(super) fn blank(&mut self) {
        self.rest = self.rest.trim_start();
    }

    pub(super) fn take(&mut self, what: char) -> bool {
        self.blank();
        match self.rest.strip_prefix(what) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    pub(super) fn expect(&mut self, what: char, name: &'static str) -> Result<(), Fault<'s>> {
        if self.take(what) {
            Ok(())
        } else {
            Err(self.fault(ErrorKind::Expected(name)))
        }
    }

    /// At the end of the line, or at a comment.
    pub(super) fn done(&mut self) -> bool {
        self.blank();
        self.rest.is_empty() || self.rest.starts_with(';')
    }

    /// A run of letters, digits, dots and underscores.
    pub(super) fn word(&mut self) -> &'s str {
        self.blank();
        let is_part = |it: char| it.is_ascii_alphanumeric() || it == '.' || it == '_';
        let len = self.rest.find(|it| !is_part(it)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at_checked(len).unwrap_or((self.rest, ""));
        self.rest = rest;
        word
    }
}

/// Names known so far.
pub(super) struct Scope<'n, 's> {
    pub(super) names: &'n [Name<'s>],
    pub(super) pass: Pass,
}

impl<'s> Scope<'_, 's> {
    /// A number or a name; whether it is a label.
    pub(super) fn value(&self, text: &mut Text<'s>) -> Result<(i64, bool), Fault<'s>> {
        text.blank();
        let start = text.at();
        let negative = text.take('-');
        let word = text.word();
        let fault = |kind| Fault { at: start, kind };
        let expected = ErrorKind::Expected("a number or a name");
        if word.starts_with(|it: char| it.is_ascii_digit()) {
            let number = match word.strip_prefix("0x").or(word.strip_prefix("0X")) {
                Some(digits) => i64::from_str_radix(digits, 16),
                None => word.parse(),
            };
            let number = match number {
                Ok(number) => number,
                // A number all the same: too large for any operand.
                Err(error) if *error.kind() == IntErrorKind::PosOverflow => i64::MAX,
                Err(_) => return Err(fault(expected)),
            };
            return Ok((if negative { -number } else { number }, false));
        }
        if word.is_empty() || negative {
            return Err(fault(expected));
        }
        match self.pass.find(self.names, word) {
            Some(it) => Ok((it.value, it.is_label)),
            None if self.pass == Pass::Names => Ok((0, false)),
            None => Err(fault(ErrorKind::UnknownName(word))),
        }
    }

    /// A number of `low` to `high`.
    pub(super) fn number(
        &self,
        text: &mut Text<'s>,
        low: i64,
        high: i64,
    ) -> Result<i64, Fault<'s>> {
        text.blank();
        let at = text.at();
        let (value, _) = self.value(text)?;
        if (low..=high).contains(&value) {
            Ok(value)
        } else {
            Err(Fault {
                at,
                kind: ErrorKind::Range { value, low, high },
            })
        }
    }

    pub(super) fn byte(&self, text: &mut Text<'s>) -> Result<u8, Fault<'s>> {
        self.number(text, -0x80, 0xFF).map(|it| it as u8)
    }

    /// A target id, by number or by the name of one of the two that are always there.
    pub(super) fn id(&self, text: &mut Text<'s>) -> Result<u8, Fault<'s>> {
        text.blank();
        let before = text.rest;
        match text.word() {
            "player" => Ok(PLAYER),
            "system" => Ok(SYSTEM),
            _ => {
                text.rest = before;
                self.byte(text)
            }
        }
    }
}
