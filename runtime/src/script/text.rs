//! The inline text of scripts, its box and its picker, as data for a platform to draw (11.1, 11.2).

use super::decode::text_len;
pub use super::textbox::{
    BOX_WIDTH, BOX_X, BOX_Y, LINE_HEIGHT, Line, Page, ROW_HEIGHT, ROWS, TextBox,
};
use crate::bytes::{i16_at, u8_at};

/// One token of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    /// A character of the font.
    Glyph(u8),
    /// Advance only.
    Space,
    /// To the line's start, 14 pixels down.
    NewLine,
    /// A name that the host knows.
    Name(NameKind, u8),
    /// An icon or number escape.
    Icon(u8),
    /// Palette of what follows.
    Colour(u8),
    /// A two-byte token without substitution.
    Pair(u8, u8),
}

impl Token {
    /// Whether it puts something on the screen, which takes a display frame; spaces, new lines and
    /// colours take none.
    #[must_use]
    pub const fn is_drawn(self) -> bool {
        !matches!(self, Self::Space | Self::NewLine | Self::Colour(_))
    }
}

/// Whose name a token stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameKind {
    /// A character; 99 is the leader.
    Character,
    /// An item.
    Item,
    /// A magic.
    Magic,
    /// An art: character in the two high bits.
    Art,
    /// A place or term.
    Place,
}

/// The tokens of a text; an escape without its operand ends it.
#[derive(Clone, Copy, Debug)]
pub struct Tokens<'t> {
    text: &'t [u8],
}

impl<'t> Tokens<'t> {
    /// The tokens of `text`, which has neither `1F` nor end.
    #[must_use]
    pub const fn new(text: &'t [u8]) -> Self {
        Self { text }
    }

    /// What is left of the text.
    #[must_use]
    pub const fn rest(&self) -> &'t [u8] {
        self.text
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let &byte = self.text.first()?;
        let wide = matches!(byte, 0x5E | 0xC0..=0xCF | 0xFF);
        let operand = u8_at(self.text, 1);
        if wide && operand.is_none() {
            self.text = &[];
            return None;
        }
        let operand = operand.unwrap_or(0);
        self.text = self
            .text
            .get(if wide { 2 } else { 1 }..)
            .unwrap_or_default();
        Some(match byte {
            0x20 => Token::Space,
            0x7C => Token::NewLine,
            0x5E => Token::Icon(operand.wrapping_sub(0x2D)),
            0xC1 => Token::Name(NameKind::Character, operand),
            0xC2 | 0xC4 => Token::Name(NameKind::Item, operand),
            0xC3 => Token::Name(NameKind::Magic, operand),
            0xC5 => Token::Name(NameKind::Art, operand),
            0xC7 => Token::Name(NameKind::Place, operand),
            0xCE => Token::Icon(operand),
            0xCF | 0xFF => Token::Colour(operand),
            0xC0..=0xCD => Token::Pair(byte, operand),
            _ => Token::Glyph(byte),
        })
    }
}

/// The line at `pc` of `code`: its text, and the address behind its end. The `1F` may be absent; the
/// end of the record ends a line too. `None` at the end of the record.
#[must_use]
pub fn line_at(code: &[u8], pc: u16) -> Option<(&[u8], u16)> {
    let rest = code.get(usize::from(pc)..)?;
    let text = match rest.first()? {
        0x1F => rest.get(1..)?,
        _ => rest,
    };
    let len = text_len(text);
    let end = code.len() - text.len() + len + 1;
    Some((text.get(..len)?, end as u16))
}

/// Most options of a picker.
pub const OPTIONS: usize = 4;

/// A question with two to four answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Picker<'c> {
    pub(super) labels: [&'c [u8]; OPTIONS],
    pub(super) targets: [u16; OPTIONS],
    pub(super) count: u8,
    /// The chosen option, from 0.
    pub cursor: u8,
    /// The cursor stops at the ends (`2A`) instead of going round.
    pub clamps: bool,
}

impl<'c> Picker<'c> {
    /// Number of options of an open byte.
    #[must_use]
    pub const fn options(open: u8) -> Option<u8> {
        match open & 0x7F {
            0x27 | 0x2A => Some(2),
            0x28 => Some(3),
            0x29 => Some(4),
            _ => None,
        }
    }

    /// The picker whose open byte stands at `at` of `code`; `None` when there is none, or the record ends
    /// within its options.
    #[must_use]
    pub fn read(code: &'c [u8], at: u16) -> Option<Self> {
        let open = u8_at(code, usize::from(at))?;
        let count = Self::options(open)?;
        let mut picker = Self {
            labels: [&[]; OPTIONS],
            targets: [0; OPTIONS],
            count,
            cursor: 0,
            clamps: open & 0x7F == 0x2A,
        };
        let mut entry = at.wrapping_add(1);
        for target in picker.targets.iter_mut().take(usize::from(count)) {
            let displacement = i16_at(code, usize::from(entry))?;
            *target = entry.wrapping_add_signed(displacement);
            entry = entry.checked_add(2)?;
        }
        let next = |offset| u8_at(code, usize::from(entry) + offset).map(|it| it & 0x7F);
        let mut label = entry;
        match (next(0), u8_at(code, usize::from(entry) + 1)) {
            (Some(0x24 | 0x25 | 0x48), _) => label = label.checked_add(1)?,
            (Some(0x4C), Some(0xFF)) => label = label.checked_add(2)?,
            _ => {}
        }
        for place in picker.labels.iter_mut().take(usize::from(count)) {
            if u8_at(code, usize::from(label)) != Some(0x1F) {
                break;
            }
            (*place, label) = line_at(code, label)?;
        }
        Some(picker)
    }

    /// The labels, in palette 7.
    #[must_use]
    pub fn labels(&self) -> &[&'c [u8]] {
        self.labels
            .get(..usize::from(self.count))
            .unwrap_or_default()
    }

    /// Where the script goes on after the chosen option.
    #[must_use]
    pub fn target(&self) -> u16 {
        self.targets
            .get(usize::from(self.cursor))
            .copied()
            .unwrap_or(0)
    }

    /// Move the cursor.
    pub fn step(&mut self, down: bool) {
        let last = self.count.saturating_sub(1);
        self.cursor = match (down, self.clamps) {
            (true, _) if self.cursor < last => self.cursor + 1,
            (true, false) => 0,
            (false, _) if self.cursor > 0 => self.cursor - 1,
            (false, false) => last,
            _ => self.cursor,
        };
    }

    /// Upper edge and height of the box in pixels; it begins at [`BOX_X`] and is [`BOX_WIDTH`] wide.
    #[must_use]
    pub const fn area(&self) -> (i16, i16) {
        let absent = (OPTIONS as i16 - self.count as i16) * ROW_HEIGHT;
        (BOX_Y + absent / 2, 56 - absent)
    }

    /// Where the hand is: X, Y.
    #[must_use]
    pub const fn hand(&self) -> (i16, i16) {
        (BOX_X - 6, self.area().0 + ROW_HEIGHT * self.cursor as i16)
    }
}
