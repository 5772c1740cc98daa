//! GP0: collects the words of each packet and carries it out (HAL sheet, section 5.3).

use super::raster::{Look, State, Vertex, line, rectangle, triangle};
use super::vram::{Mask, Vram, transfer_size};

/// Longest packet that is collected as a whole: a gouraud textured quad.
const LONGEST: usize = 12;

/// The command is one that hands data back (C0h).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadsBack;

/// What the next word belongs to.
#[derive(Clone, Copy, Default)]
enum Mode {
    /// A packet of known length.
    #[default]
    Packet,
    /// Pixels of A0h.
    Pixels {
        at: (usize, usize),
        size: (usize, usize),
        done: usize,
    },
    /// Corners of a polyline; the last one drawn so far.
    Polyline {
        look: Look,
        from: Vertex,
        colour: Option<u32>,
    },
}

/// The state of the GP0 port.
#[derive(Default)]
pub struct Port {
    words: [u32; LONGEST],
    filled: usize,
    mode: Mode,
    command: u8,
}

impl Port {
    /// Drop an unfinished packet; answers its command byte if there was one.
    pub fn reset(&mut self) -> Option<u8> {
        let unfinished = self.filled != 0 || !matches!(self.mode, Mode::Packet);
        self.filled = 0;
        self.mode = Mode::Packet;
        unfinished.then_some(self.command)
    }

    /// Take one word.
    pub fn word(&mut self, vram: &mut Vram, state: &mut State, word: u32) -> Result<(), ReadsBack> {
        match self.mode {
            Mode::Packet => {
                if self.filled == 0 {
                    self.command = (word >> 24) as u8;
                }
                self.words[self.filled] = word;
                self.filled += 1;
                if self.filled == length(self.command) {
                    self.filled = 0;
                    self.execute(vram, state)?;
                }
            }
            Mode::Pixels { at, size, mut done } => {
                for half in [word as u16, (word >> 16) as u16] {
                    if done < size.0 * size.1 {
                        let cell = vram.cell(at.0 + done % size.0, at.1 + done / size.0);
                        state.mask.store(cell, half);
                        done += 1;
                    }
                }
                self.mode = if done == size.0 * size.1 {
                    Mode::Packet
                } else {
                    Mode::Pixels { at, size, done }
                };
            }
            Mode::Polyline { look, from, colour } => {
                if word & 0xF000_F000 == 0x5000_5000 {
                    self.mode = Mode::Packet;
                } else if look.gouraud && colour.is_none() {
                    self.mode = Mode::Polyline {
                        look,
                        from,
                        colour: Some(word),
                    };
                } else {
                    let mut to = place(state, word);
                    to.values = colour.map_or(from.values, |colour| paint(colour, 0));
                    line(vram, state, look, from, to);
                    self.mode = Mode::Polyline {
                        look,
                        from: to,
                        colour: None,
                    };
                }
            }
        }
        Ok(())
    }

    fn execute(&mut self, vram: &mut Vram, state: &mut State) -> Result<(), ReadsBack> {
        let words = self.words;
        let [first, second, third, ..] = words;
        match self.command {
            0x02 => {
                let colour = paint(first, 0);
                let [r, g, b, ..] = colour.map(|component| (component >> 3) as u16);
                let (x, y) = halves(second);
                let (w, h) = halves(third);
                vram.fill(x, y, w, h, r | g << 5 | b << 10);
            }
            0x20..=0x3F => polygon(vram, state, &words),
            0x40..=0x5F => self.lines(vram, state),
            0x60..=0x7F => block(vram, state, &words),
            0x80..=0x9F => {
                vram.copy(halves(second), halves(third), halves(words[3]), state.mask);
            }
            0xA0..=0xBF => {
                let size = transfer_size(halves(third));
                self.mode = Mode::Pixels {
                    at: halves(second),
                    size,
                    done: 0,
                };
            }
            0xC0..=0xDF => return Err(ReadsBack),
            0xE1 => {
                state.set_page(first);
                state.dither = first >> 9 & 1 != 0;
            }
            0xE2 => state.window = [0, 5, 10, 15].map(|shift| (first >> shift & 31) as u8),
            0xE3 => [state.area[0], state.area[1]] = corner(first),
            0xE4 => [state.area[2], state.area[3]] = corner(first),
            0xE5 => state.offset = (signed11(first), signed11(first >> 11)),
            0xE6 => {
                state.mask = Mask {
                    set: first & 1 != 0,
                    check: first & 2 != 0,
                }
            }
            // 00h, 01h (cache), 1Fh (interrupt) and the unused numbers draw nothing.
            _ => {}
        }
        Ok(())
    }

    fn lines(&mut self, vram: &mut Vram, state: &State) {
        let look = Look {
            gouraud: self.command & 0x10 != 0,
            semi: self.command & 2 != 0,
            dither: true,
            ..Look::default()
        };
        let [first, second, third, fourth, ..] = self.words;
        let mut from = place(state, second);
        from.values = paint(first, 0);
        let mut to = place(state, if look.gouraud { fourth } else { third });
        to.values = if look.gouraud {
            paint(third, 0)
        } else {
            from.values
        };
        line(vram, state, look, from, to);
        if self.command & 8 != 0 {
            self.mode = Mode::Polyline {
                look,
                from: to,
                colour: None,
            };
        }
    }
}

/// Words of a packet that starts with this command byte.
fn length(command: u8) -> usize {
    match command {
        0x02 => 3,
        0x20..=0x3F => {
            let corners = if command & 8 != 0 { 4 } else { 3 };
            let colours = if command & 0x10 != 0 { corners } else { 1 };
            let texture = if command & 4 != 0 { corners } else { 0 };
            corners + colours + texture
        }
        0x40..=0x5F => {
            if command & 0x10 != 0 {
                4
            } else {
                3
            }
        }
        0x60..=0x7F => 2 + usize::from(command & 4 != 0) + usize::from(command & 0x18 == 0),
        0x80..=0x9F => 4,
        0xA0..=0xDF => 3,
        _ => 1,
    }
}

fn polygon(vram: &mut Vram, state: &mut State, words: &[u32; LONGEST]) {
    let command = (words[0] >> 24) as u8;
    let textured = command & 4 != 0;
    let mut look = Look {
        gouraud: command & 0x10 != 0,
        raw: textured && command & 1 != 0,
        semi: command & 2 != 0,
        dither: true,
        texture: None,
    };
    let corners = if command & 8 != 0 { 4 } else { 3 };
    let mut vertices = [Vertex::default(); 4];
    let mut at = 1;
    let mut colour = words[0];
    for (number, vertex) in vertices.iter_mut().enumerate().take(corners) {
        if look.gouraud && number > 0 {
            colour = words[at];
            at += 1;
        }
        *vertex = place(state, words[at]);
        at += 1;
        let mut texel = 0;
        if textured {
            texel = words[at];
            at += 1;
            match number {
                0 => look.texture = Some(clut(texel)),
                1 => state.set_page(texel >> 16),
                _ => {}
            }
        }
        vertex.values = paint(colour, texel);
    }
    let [a, b, c, d] = vertices;
    triangle(vram, state, look, [a, b, c]);
    if corners == 4 {
        triangle(vram, state, look, [b, c, d]);
    }
}

fn block(vram: &mut Vram, state: &State, words: &[u32; LONGEST]) {
    let command = (words[0] >> 24) as u8;
    let textured = command & 4 != 0;
    let mut vertex = place(state, words[1]);
    let texel = if textured { words[2] } else { 0 };
    vertex.values = paint(words[0], texel);
    let (w, h) = match command >> 3 & 3 {
        0 => {
            let size = words[if textured { 3 } else { 2 }];
            ((size & 0x3FF) as i32, (size >> 16 & 0x1FF) as i32)
        }
        1 => (1, 1),
        2 => (8, 8),
        _ => (16, 16),
    };
    let look = Look {
        texture: textured.then_some(clut(texel)),
        raw: textured && command & 1 != 0,
        semi: command & 2 != 0,
        ..Look::default()
    };
    rectangle(vram, state, look, vertex, w, h);
}

/// A corner without its colours: 11-bit signed x and y, offset added.
fn place(state: &State, word: u32) -> Vertex {
    Vertex {
        x: signed11(word) + state.offset.0,
        y: signed11(word >> 16) + state.offset.1,
        values: [0; 5],
    }
}

/// Red, green, blue, u, v.
fn paint(colour: u32, texel: u32) -> [i32; 5] {
    let byte = |word: u32, shift: u32| (word >> shift & 255) as i32;
    [
        byte(colour, 0),
        byte(colour, 8),
        byte(colour, 16),
        byte(texel, 0),
        byte(texel, 8),
    ]
}

/// Palette place of a texture word.
fn clut(word: u32) -> (usize, usize) {
    let attribute = word >> 16;
    (
        (attribute & 0x3F) as usize * 16,
        (attribute >> 6 & 0x1FF) as usize,
    )
}

fn halves(word: u32) -> (usize, usize) {
    ((word & 0xFFFF) as usize, (word >> 16) as usize)
}

fn corner(word: u32) -> [i32; 2] {
    [(word & 0x3FF) as i32, (word >> 10 & 0x1FF) as i32]
}

fn signed11(word: u32) -> i32 {
    ((word << 21) as i32) >> 21
}
