//! Text on the screen without any driver: for panics, faults and the boot ROM.
//!
//! It takes the GPU whatever state it is in (a DMA list that never ends, half an upload), resets it
//! and draws each character as a small upload to VRAM, which no clip rectangle or offset can hide.
//! Every wait is bounded: with a dead GPU the text is lost, never the program.

pub mod font;

use core::fmt;
use font::{COLUMNS, Glyph};

/// Width of the picture in pixels.
const WIDTH: u16 = 320;
/// Height of the picture in lines.
const HEIGHT: u16 = 240;
/// Pixels kept free at each edge, which televisions hide.
const MARGIN: u16 = 16;
/// Width of a character with the gap after it.
const CELL_WIDTH: u16 = 6;
/// Height of a character with the gap below it.
const CELL_HEIGHT: u16 = 9;
/// Characters in a line.
pub const LINE: u16 = (WIDTH - 2 * MARGIN) / CELL_WIDTH;
/// Lines on the screen.
pub const LINES: u16 = (HEIGHT - 2 * MARGIN) / CELL_HEIGHT;
/// Fields for which [`Console::hold`] keeps a picture: a recorder may write some frames late.
const FIELDS: u32 = 8;
/// Words of a character's upload: two pixels each.
const CELL_WORDS: usize = (CELL_WIDTH * CELL_HEIGHT / 2) as usize;

/// A colour as VRAM holds it: red in bits 0..4, green 5..9, blue 10..14 (HAL sheet, section 5.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour(pub u16);

impl Colour {
    /// From components of 0..31.
    #[must_use]
    pub const fn new(red: u16, green: u16, blue: u16) -> Self {
        Self(red & 31 | (green & 31) << 5 | (blue & 31) << 10)
    }

    /// The 24-bit form of drawing commands.
    const fn command(self) -> u32 {
        let c = self.0 as u32;
        (c & 31) << 3 | (c >> 5 & 31) << 11 | (c >> 10 & 31) << 19
    }
}

/// The pixels of one character, two a word, the left one in the lower half.
fn cell(glyph: &Glyph, text: Colour, ground: Colour) -> [u32; CELL_WORDS] {
    let mut words = [0; CELL_WORDS];
    let mut at = 0;
    for line in 0..CELL_HEIGHT {
        // Below the glyph's rows comes the gap.
        let row = glyph.get(usize::from(line)).copied().unwrap_or(0);
        for column in (0..CELL_WIDTH).step_by(2) {
            let pixel = |column: u16| {
                let shift = (COLUMNS as u16).wrapping_sub(1).wrapping_sub(column);
                let set = shift < COLUMNS as u16 && row >> shift & 1 != 0;
                u32::from(if set { text.0 } else { ground.0 })
            };
            if let Some(word) = words.get_mut(at) {
                *word = pixel(column) | pixel(column + 1) << 16;
            }
            at += 1;
        }
    }
    words
}

/// Where the next character goes. Text beyond the last line is dropped: the first lines of a
/// report matter most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Cursor {
    column: u16,
    line: u16,
}

impl Cursor {
    /// The place of the next character, if the screen still has one.
    fn next(&mut self) -> Option<(u16, u16)> {
        if self.column >= LINE {
            self.newline();
        }
        let place = (
            MARGIN + self.column * CELL_WIDTH,
            MARGIN + self.line * CELL_HEIGHT,
        );
        self.column += 1;
        (self.line < LINES).then_some(place)
    }

    fn newline(&mut self) {
        self.column = 0;
        self.line = self.line.saturating_add(1).min(LINES);
    }
}

/// Text on a screen of its own.
#[derive(Debug)]
pub struct Console {
    cursor: Cursor,
    text: Colour,
    ground: Colour,
}

impl Console {
    /// Take the GPU and show an empty screen in the colour `ground`.
    #[must_use]
    pub fn take(text: Colour, ground: Colour) -> Self {
        gpu::reset();
        let console = Self {
            cursor: Cursor::default(),
            text,
            ground,
        };
        console.rectangle(0, 0, WIDTH, HEIGHT, ground);
        gpu::show();
        console
    }

    /// Write on a screen that an earlier [`Console::take`] left.
    #[must_use]
    pub fn resume(text: Colour, ground: Colour) -> Self {
        Self {
            cursor: Cursor::default(),
            text,
            ground,
        }
    }

    /// Keep the picture for a few fields, so that who watches or records has seen it before the
    /// program's last line. Vertical blanks meanwhile are not counted.
    pub fn hold(&self) {
        gpu::fields(FIELDS);
    }

    /// Fill a rectangle of the picture; `x` and `w` are multiples of 16 (HAL sheet, GP0 02h).
    pub fn rectangle(&self, x: u16, y: u16, w: u16, h: u16, colour: Colour) {
        gpu::command(&[0x0200_0000 | colour.command(), pair(x, y), pair(w, h)]);
    }

    /// Write on in another colour.
    pub fn set_colour(&mut self, text: Colour) {
        self.text = text;
    }

    /// Go on at a line, counted from 0 at the top, at its left end.
    pub fn set_line(&mut self, line: u16) {
        self.cursor = Cursor {
            column: 0,
            line: line.min(LINES),
        };
    }

    fn character(&mut self, byte: u8) {
        if byte == b'\n' {
            self.cursor.newline();
        } else if let Some((x, y)) = self.cursor.next() {
            gpu::command(&[0xA000_0000, pair(x, y), pair(CELL_WIDTH, CELL_HEIGHT)]);
            gpu::pixels(&cell(font::of(byte), self.text, self.ground));
        }
    }
}

impl fmt::Write for Console {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for letter in text.chars() {
            // What is no ASCII becomes one box, not one a byte.
            self.character(u8::try_from(letter).unwrap_or(0x7F));
        }
        Ok(())
    }
}

/// Two halfwords of a command word.
const fn pair(low: u16, high: u16) -> u32 {
    low as u32 | (high as u32) << 16
}

/// The GPU without a driver: HAL sheet, sections 4 and 5.
#[cfg(target_arch = "mips")]
mod gpu {
    use super::{HEIGHT, WIDTH};
    use crate::io::{self, GP0, GP1, I_STAT};

    /// GPUSTAT: the video standard that the program had chosen.
    const PAL: u32 = 1 << 20;
    /// GPUSTAT: the GPU takes a command word, and a block.
    const READY: u32 = 1 << 26 | 1 << 28;
    /// GPUSTAT: the GPU takes words of an upload.
    const READY_FOR_BLOCK: u32 = 1 << 28;
    /// Turns of a wait: beyond any fill of a whole screen.
    const PATIENCE: u32 = 200_000;

    fn wait(bits: u32) {
        for _ in 0..PATIENCE {
            if GP1.read() & bits == bits {
                return;
            }
        }
    }

    /// Stop whatever uses the GPU, and start it anew in the video standard that it had.
    pub(super) fn reset() {
        // SAFETY: stops the channel.
        unsafe { io::dma_channel(2).chcr.write(0) };
        let standard = (GP1.read() & PAL) >> 17;
        GP1.write(0x0000_0000);
        GP1.write(0x0800_0001 | standard);
        GP1.write(0x0500_0000);
        let left = 0x260;
        GP1.write(0x0600_0000 | left | (left + u32::from(WIDTH) * 8) << 12);
        let top = if standard == 0 { 0x10 } else { 0x2B };
        GP1.write(0x0700_0000 | top | (top + u32::from(HEIGHT)) << 10);
        // Mask bits off: they would hold for uploads too.
        command(&[0xE600_0000]);
    }

    /// Wait for the beginning of so many vertical blanks.
    pub(super) fn fields(count: u32) {
        // With interrupts on the handler would take the flag away.
        crate::interrupt::free(|| {
            for _ in 0..count {
                I_STAT.write(!1);
                for _ in 0..PATIENCE {
                    if I_STAT.read() & 1 != 0 {
                        break;
                    }
                }
            }
        });
    }

    /// Turn the display on.
    pub(super) fn show() {
        GP1.write(0x0300_0000);
    }

    /// Send a command of up to 16 words, which the GPU's FIFO holds: between the words of a command
    /// the GPU does not report that it is ready.
    pub(super) fn command(words: &[u32]) {
        wait(READY);
        words.iter().for_each(|word| GP0.write(*word));
    }

    /// Send the pixels after the command of an upload, half a FIFO at a time.
    pub(super) fn pixels(words: &[u32]) {
        for part in words.chunks(8) {
            wait(READY_FOR_BLOCK);
            part.iter().for_each(|word| GP0.write(*word));
        }
    }
}

/// On a PC there is no screen to take.
#[cfg(not(target_arch = "mips"))]
mod gpu {
    pub(super) fn reset() {}
    pub(super) fn show() {}
    pub(super) fn fields(_count: u32) {}
    pub(super) fn command(_words: &[u32]) {}
    pub(super) fn pixels(_words: &[u32]) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_holds_the_glyph_from_its_upper_left_and_the_gaps_are_ground() {
        let text = Colour(0x7FFF);
        let ground = Colour(0x0010);
        let cell = cell(font::of(b'L'), text, ground);
        // Three words a line: dots 0 and 1, 2 and 3, 4 and the gap.
        assert_eq!(cell[..3], [0x0010_7FFF, 0x0010_0010, 0x0010_0010]);
        assert_eq!(cell[18..21], [0x7FFF_7FFF, 0x7FFF_7FFF, 0x0010_7FFF]);
        assert_eq!(cell[21..], [0x0010_0010; 6]);
    }

    #[test]
    fn colours_have_red_lowest_in_both_forms() {
        assert_eq!(Colour::new(31, 0, 0), Colour(0x001F));
        assert_eq!(Colour::new(0, 0, 31).0, 0x7C00);
        assert_eq!(Colour::new(1, 2, 3).command(), 0x0018_1008);
    }

    #[test]
    fn long_lines_wrap_and_the_screen_ends_in_silence() {
        let mut cursor = Cursor::default();
        for column in 0..LINE {
            assert_eq!(cursor.next(), Some((16 + column * 6, 16)));
        }
        assert_eq!(cursor.next(), Some((16, 25)));
        cursor = Cursor {
            column: 0,
            line: LINES - 1,
        };
        assert_eq!(cursor.next(), Some((16, 214)));
        cursor.newline();
        for _ in 0..1000 {
            assert_eq!(cursor.next(), None);
        }
        cursor.newline();
        assert_eq!(cursor.next(), None);
    }
}
