//! The font of dialogues: where a byte's cell lies in the page, how far the pen goes, and where the
//! glyphs of a text come to stand (field VM sheet, 11.1).

use super::text::{LINE_HEIGHT, NameKind, Token, Tokens};
use crate::gpu::packet::{Texture, ft4, rgb, uv, xy};
use crate::gpu::{Blend, Depth, Style, clut, page};

/// Pixels of a cell that are drawn: width and height. A cell itself has 16 by 16 texels.
pub const DRAWN: (u8, u8) = (14, 15);
/// Pixels from line to line of one string.
pub const LINE: i16 = LINE_HEIGHT;
/// Icon and number escapes that have an advance.
pub const ICONS: usize = 38;
/// Where the page lies in VRAM: 256 by 224 texels of 4 bits.
pub const PAGE: (u16, u16) = (896, 0);
/// Where the sixteen palettes of sixteen colours lie in VRAM, side by side.
pub const PALETTES: (u16, u16) = (96, 510);
/// Cell of our own font with the hand that points at a choice, which no text of ours writes.
pub const HAND: u8 = 0x7F;

/// How far glyphs move the pen. The art is a TIM, which a loader puts at [`PAGE`] and [`PALETTES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Font<'f> {
    /// Pixels of each code's glyph; the pen goes one further.
    pub widths: &'f [u8; 256],
    /// Pixels that the pen goes for each icon.
    pub icons: &'f [u8; ICONS],
    /// Pixels more behind each glyph, normally none.
    pub padding: i16,
}

impl Font<'static> {
    /// The project's own font.
    pub const OWN: Self = Self {
        widths: &WIDTHS,
        icons: &[16; ICONS],
        padding: 0,
    };
}

/// Widths of the project's own glyphs. Codes without one show the empty box.
const WIDTHS: [u8; 256] = {
    // From 20h on, a digit each as the art has them; the hand, 11, is the last.
    const ASCII: &[u8; 96] = b"41355661335524255555555555224545\
                               77666556635658666666767977635356\
                               2555554553353855554545575553536;";
    let mut widths = [5; 256];
    let mut at = 0;
    while at < ASCII.len() {
        widths[0x20 + at] = ASCII[at] - b'0';
        at += 1;
    }
    widths
};

/// Where the cell of a code lies in the page, in texels; codes below 20h have none.
#[must_use]
pub const fn cell(code: u8) -> Option<(u8, u8)> {
    match code {
        0x20.. => Some(((code & 0x0F) << 4, (code & 0xF0) - 0x20)),
        _ => None,
    }
}

/// What stands at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The glyph of a code.
    Glyph(u8),
    /// An icon or number escape.
    Icon(u8),
}

/// A mark in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// What it is.
    pub mark: Mark,
    /// Pixels to the right of the text's beginning.
    pub x: i16,
    /// Pixels below it.
    pub y: i16,
    /// Its palette, 0..15.
    pub palette: u8,
}

impl<'f> Font<'f> {
    /// Pixels that the pen goes for a code.
    #[must_use]
    pub fn advance(&self, code: u8) -> i16 {
        let width = self.widths.get(usize::from(code)).copied().unwrap_or(0);
        i16::from(width).wrapping_add(1).wrapping_add(self.padding)
    }

    /// The marks of the first `tokens` tokens of `text`, in `palette` until it says another one. `names`
    /// knows whose name a token stands for; a name within a name is left out.
    pub fn lay_out<'t, 'n, F: Fn(NameKind, u8) -> &'n [u8]>(
        &self,
        text: &'t [u8],
        tokens: u16,
        palette: u8,
        names: F,
    ) -> Layout<'f, 't, 'n, F> {
        Layout {
            font: *self,
            text: Tokens::new(text),
            name: Tokens::new(&[]),
            names,
            left: tokens,
            pen: (0, 0),
            palette: palette & 15,
            one_line: false,
        }
    }

    /// Pixels that the pen goes for the longest line of a text.
    pub fn width<'n, F: Fn(NameKind, u8) -> &'n [u8]>(&self, text: &[u8], names: F) -> i16 {
        self.lay_out(text, u16::MAX, 0, names).width()
    }
}

/// The marks of a text, one after the other; see [`Font::lay_out`].
#[derive(Clone, Debug)]
pub struct Layout<'f, 't, 'n, F> {
    font: Font<'f>,
    text: Tokens<'t>,
    /// What is left of a name.
    name: Tokens<'n>,
    names: F,
    left: u16,
    pen: (i16, i16),
    palette: u8,
    one_line: bool,
}

impl<'n, F: Fn(NameKind, u8) -> &'n [u8]> Layout<'_, '_, 'n, F> {
    /// The same with all of it in one line: a new line is a space. So answers stand, a row each.
    #[must_use]
    pub fn on_one_line(mut self) -> Self {
        self.one_line = true;
        self
    }

    /// Pixels that the pen goes for the longest line.
    #[must_use]
    pub fn width(mut self) -> i16 {
        let mut most = 0;
        while let Some(step) = self.step() {
            let _: Option<Placed> = step;
            most = most.max(self.pen.0);
        }
        most
    }

    /// The next token: its mark if it has one; `None` behind the last.
    fn step(&mut self) -> Option<Option<Placed>> {
        let token = match self.name.next() {
            // Names do not hold names.
            Some(Token::Name(..)) => return Some(None),
            Some(token) => token,
            None => {
                self.left = self.left.checked_sub(1)?;
                self.text.next()?
            }
        };
        let (mark, advance) = match token {
            Token::Glyph(code) => (Some(Mark::Glyph(code)), self.font.advance(code)),
            Token::Space => (None, self.font.advance(b' ')),
            Token::NewLine if self.one_line => (None, self.font.advance(b' ')),
            Token::NewLine => {
                self.pen = (0, self.pen.1.saturating_add(LINE));
                return Some(None);
            }
            Token::Colour(palette) => {
                self.palette = palette & 15;
                return Some(None);
            }
            Token::Name(kind, number) => {
                self.name = Tokens::new((self.names)(kind, number));
                return Some(None);
            }
            Token::Icon(icon) => {
                let advance = self.font.icons.get(usize::from(icon));
                (Some(Mark::Icon(icon)), advance.copied().unwrap_or(0).into())
            }
            // Nothing is known of them.
            Token::Pair(..) => return Some(None),
        };
        let placed = mark.map(|mark| Placed {
            mark,
            x: self.pen.0,
            y: self.pen.1,
            palette: self.palette,
        });
        self.pen.0 = self.pen.0.saturating_add(advance);
        Some(placed)
    }
}

impl<'n, F: Fn(NameKind, u8) -> &'n [u8]> Iterator for Layout<'_, '_, 'n, F> {
    type Item = Placed;

    fn next(&mut self) -> Option<Placed> {
        loop {
            if let Some(placed) = self.step()? {
                return Some(placed);
            }
        }
    }
}

/// The quad of a code's cell at a place of the screen; `None` for codes that have no cell.
#[must_use]
pub fn glyph(code: u8, (x, y): (i16, i16), palette: u8) -> Option<[u32; 9]> {
    let (u, v) = cell(code)?;
    let (width, height) = DRAWN;
    let (right, bottom) = (u.wrapping_add(width), v.wrapping_add(height));
    let (to_x, to_y) = (x.wrapping_add(width.into()), y.wrapping_add(height.into()));
    let texture = Texture {
        clut: clut(PALETTES.0 + 16 * u16::from(palette & 15), PALETTES.1),
        page: page(PAGE.0, PAGE.1, Blend::Average, Depth::Four),
        uv: [uv(u, v), uv(right, v), uv(u, bottom), uv(right, bottom)],
    };
    let corners = [xy(x, y), xy(to_x, y), xy(x, to_y), xy(to_x, to_y)];
    Some(ft4(
        Style::RAW_TEXTURE,
        rgb(0x80, 0x80, 0x80),
        corners,
        &texture,
    ))
}
