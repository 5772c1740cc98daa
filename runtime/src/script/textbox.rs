//! The box that a text is shown in, letter by letter (11.2).
//!
//! A frame costs what comes in it, not what there is: the box knows where the writing stands.

use super::text::{Token, Tokens};

/// Rows of a box.
pub const ROWS: usize = 3;
/// Pixels from row to row.
pub const ROW_HEIGHT: i16 = 15;
/// Pixels from line to line of one string.
pub const LINE_HEIGHT: i16 = 14;
/// Left edge of boxes. Not published: that of the picker with four rows.
pub const BOX_X: i16 = 38;
/// Upper edge of the reading box, chosen as [`BOX_X`].
pub const BOX_Y: i16 = 148;
/// Width of boxes.
pub const BOX_WIDTH: i16 = 244;

/// How a box goes on to the next lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    /// `24`: in the same box, the rows scroll.
    Scroll,
    /// `25`, `4C FF`: the rows are cleared.
    Clear,
    /// `48`: a fresh box with its opening animation.
    Fresh,
}

/// A line of a string: up to its end, or to the byte that begins a new one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'c> {
    /// What it says, without the byte that ends it.
    pub text: &'c [u8],
    /// Tokens shown of it: up to the last glyph shown, and what takes no time behind it.
    pub tokens: u16,
    /// Palette that it begins with.
    pub palette: u8,
    /// Pixels from the line above it.
    pub gap: i16,
}

impl Line<'_> {
    const NONE: Self = Self {
        text: &[],
        tokens: 0,
        palette: 0,
        gap: ROW_HEIGHT,
    };
}

/// The lines of a string that are not in a box yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lines<'c> {
    /// The rest of the string; `None` behind its last line.
    pub(super) rest: Option<&'c [u8]>,
    palette: u8,
    gap: i16,
}

impl<'c> Lines<'c> {
    /// No string.
    const OVER: Self = Self {
        rest: None,
        palette: 0,
        gap: ROW_HEIGHT,
    };

    /// Those of a string.
    pub(super) const fn of(text: &'c [u8]) -> Self {
        Self {
            rest: Some(text),
            ..Self::OVER
        }
    }
}

impl<'c> Iterator for Lines<'c> {
    type Item = Line<'c>;

    fn next(&mut self) -> Option<Line<'c>> {
        let all = self.rest?;
        let mut line = Line {
            text: all,
            tokens: u16::MAX,
            palette: self.palette,
            gap: self.gap,
        };
        self.gap = LINE_HEIGHT;
        self.rest = None;
        let mut tokens = Tokens::new(all);
        loop {
            let here = all.len() - tokens.rest().len();
            match tokens.next() {
                Some(Token::NewLine) => {
                    line.text = all.get(..here).unwrap_or_default();
                    self.rest = Some(tokens.rest());
                    break;
                }
                // What follows has it, in this line and in the next.
                Some(Token::Colour(palette)) => self.palette = palette,
                Some(_) => {}
                None => break,
            }
        }
        Some(line)
    }
}

/// A box of up to three lines, shown glyph by glyph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextBox<'c> {
    pub(super) lines: [Line<'c>; ROWS],
    pub(super) count: u8,
    /// Lines that were there before and are shown whole.
    pub(super) kept: u8,
    /// Glyphs shown of the others.
    pub(super) shown: u16,
    /// The line that is being written; [`TextBox::count`] when all are.
    pub(super) writes: u8,
    /// What is still to be written of it.
    pub(super) left: &'c [u8],
    /// Lines of the last string for which there was no room.
    pub(super) more: Lines<'c>,
    /// How it came to be: a platform plays the opening animation for [`Page::Fresh`].
    pub page: Page,
}

impl<'c> TextBox<'c> {
    /// A fresh box without lines.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            lines: [Line::NONE; ROWS],
            count: 0,
            kept: 0,
            shown: 0,
            writes: 0,
            left: &[],
            more: Lines::OVER,
            page: Page::Fresh,
        }
    }

    /// Go on to the next lines, as `page` says.
    pub fn turn(&mut self, page: Page) {
        match page {
            Page::Scroll => {
                (self.kept, self.writes, self.shown) = (self.count, self.count, 0);
                (self.left, self.more) = (&[], Lines::OVER);
                for line in &mut self.lines {
                    line.tokens = u16::MAX;
                }
                self.page = page;
            }
            Page::Clear | Page::Fresh => {
                *self = Self {
                    page,
                    ..Self::new()
                };
            }
        }
    }

    /// Lines that may come before the box is turned again.
    const fn room(&self) -> usize {
        ROWS.saturating_sub((self.count - self.kept) as usize)
    }

    /// Whether a further line joins: fewer than three have come since the box was turned.
    #[must_use]
    pub const fn has_room(&self) -> bool {
        self.room() != 0
    }

    /// Add a string; the oldest lines leave a full box. Answers whether it has done so: a string whose lines do
    /// not all fit beside what has come since the box was turned has to wait for the next one. Of a string that has
    /// more lines than a box the first ones come, and the others by [`TextBox::go_on`].
    pub fn push(&mut self, text: &'c [u8]) -> bool {
        let room = self.room();
        if room < ROWS && Lines::of(text).nth(room).is_some() || room == 0 {
            return false;
        }
        self.more = Lines::of(text);
        self.fill();
        true
    }

    /// Whether lines of the last string are still to come.
    #[must_use]
    pub const fn has_more(&self) -> bool {
        self.more.rest.is_some()
    }

    /// Clear the box for the lines that are still to come of the last string; whether there are any.
    pub fn go_on(&mut self) -> bool {
        let more = self.more;
        if more.rest.is_none() {
            return false;
        }
        self.turn(Page::Clear);
        self.more = more;
        self.fill();
        true
    }

    /// Lines of the string, as many as there is room for.
    fn fill(&mut self) {
        while self.has_room() {
            let Some(line) = self.more.next() else {
                break;
            };
            self.add(line);
        }
    }

    fn add(&mut self, line: Line<'c>) {
        if usize::from(self.count) == ROWS {
            // The one that leaves was there before the box was turned, and is written.
            self.lines.rotate_left(1);
            self.count -= 1;
            self.kept = self.kept.saturating_sub(1);
            self.writes = self.writes.saturating_sub(1);
        }
        if let Some(place) = self.lines.get_mut(usize::from(self.count)) {
            *place = Line { tokens: 0, ..line };
            if self.writes == self.count {
                self.left = line.text;
            }
            self.count += 1;
        }
        // What takes no time is there at once.
        self.write(0);
    }

    /// Write so many glyphs, and what takes no time behind them.
    fn write(&mut self, mut glyphs: u16) {
        while self.writes < self.count {
            let Some(line) = self.lines.get_mut(usize::from(self.writes)) else {
                return;
            };
            let mut tokens = Tokens::new(self.left);
            while let Some(token) = tokens.next() {
                if token.is_drawn() {
                    if glyphs == 0 {
                        return;
                    }
                    glyphs -= 1;
                    self.shown = self.shown.saturating_add(1);
                }
                line.tokens = line.tokens.saturating_add(1);
                self.left = tokens.rest();
            }
            self.writes += 1;
            let next = self.lines.get(usize::from(self.writes));
            self.left = next.map_or(&[], |it| it.text);
        }
    }

    /// The lines, from the first on.
    pub fn lines(&self) -> impl Iterator<Item = &Line<'c>> + '_ {
        self.lines.iter().take(usize::from(self.count))
    }

    /// What the lines say, and how many tokens of each are shown: up to the last glyph shown, and what takes no
    /// time behind it.
    pub fn rows(&self) -> impl Iterator<Item = (&'c [u8], u16)> + '_ {
        self.lines().map(|it| (it.text, it.tokens))
    }

    /// Whether all is shown and the page hand waits.
    #[must_use]
    pub const fn is_full(&self) -> bool {
        self.writes >= self.count
    }

    /// Let `dt` display frames pass: one glyph more for each, or all of them while `held` (11.2).
    pub fn tick(&mut self, held: bool, dt: u8) {
        self.write(if held { u16::MAX } else { dt.into() });
    }

    /// Height in pixels.
    #[must_use]
    pub const fn height(&self) -> i16 {
        // The first line has no other above it.
        let [_, second, third] = &self.lines;
        let lines = match self.count {
            0 => 0,
            1 => ROW_HEIGHT,
            2 => ROW_HEIGHT + second.gap,
            _ => ROW_HEIGHT + second.gap + third.gap,
        };
        lines - 3
    }

    /// Where the page hand waits, X and Y, when the box's corner is at `(x, y)`: at X 266 where that is [`BOX_X`].
    #[must_use]
    pub const fn hand(&self, (x, y): (i16, i16)) -> (i16, i16) {
        let right = x.saturating_add(266 - BOX_X);
        (right, y.saturating_add(self.height() - 16))
    }
}

impl Default for TextBox<'_> {
    fn default() -> Self {
        Self::new()
    }
}
