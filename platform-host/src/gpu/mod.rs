//! A software GPU that takes the console's packets (HAL sheet, section 5).
//!
//! [`Gpu`] implements [`Screen`]: lists are walked by index inside the caller's slice, with a
//! guard against lists that never end; two buffers lie one above the other in video memory, as
//! on the console.

mod canvas;
mod commands;
mod picture;
pub mod raster;
pub mod vram;

use std::fmt;

pub use canvas::Canvas;
use overworld_runtime::gpu::layout;
use overworld_runtime::platform::Screen;
pub use picture::{Picture, expand};
use raster::State;
use vram::{HEIGHT, Vram, WIDTH};

/// What a caller of the GPU did wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// An upload is empty or leaves video memory.
    BadRectangle {
        /// First column.
        x: u16,
        /// First row.
        y: u16,
        /// Width in cells.
        w: u16,
        /// Height in rows.
        h: u16,
    },
    /// An upload has another length than its rectangle.
    BadLength {
        /// Bytes the rectangle takes.
        expected: usize,
        /// Bytes given.
        found: usize,
    },
    /// A link of the list leads outside it or is no multiple of 4.
    BadLink {
        /// Word index of the node whose link it is; the list's length for the first node.
        node: usize,
        /// The link, a byte offset.
        link: usize,
    },
    /// A node is longer than the rest of the list's memory.
    NodeTooLong {
        /// Word index of the node.
        node: usize,
        /// Words it claims.
        words: usize,
    },
    /// The list has more nodes than its memory has words: it runs in a circle.
    EndlessList {
        /// Word index of a node on the circle.
        node: usize,
    },
    /// The list ends in the middle of a packet.
    TruncatedPacket {
        /// The packet's command byte.
        command: u8,
    },
    /// A packet that reads video memory (C0h) stands in a list: nothing would take the data.
    ReadInList {
        /// Word index of its node.
        node: usize,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::BadRectangle { x, y, w, h } => write!(
                f,
                "BadRectangle: expected an upload inside {WIDTH}x{HEIGHT}, found {w}x{h} at {x},{y}"
            ),
            Self::BadLength { expected, found } => {
                write!(
                    f,
                    "BadLength: the upload's rectangle takes {expected} bytes, found {found}"
                )
            }
            Self::BadLink { node, link } => {
                write!(
                    f,
                    "BadLink: node {node} of the list leads to byte {link:#x}, outside the list"
                )
            }
            Self::NodeTooLong { node, words } => {
                write!(
                    f,
                    "NodeTooLong: node {node} of the list claims {words} words, more than there are"
                )
            }
            Self::EndlessList { node } => {
                write!(
                    f,
                    "EndlessList: the list runs in a circle through node {node}"
                )
            }
            Self::TruncatedPacket { command } => {
                write!(
                    f,
                    "TruncatedPacket: the list ends inside a packet with command {command:02X}h"
                )
            }
            Self::ReadInList { node } => {
                write!(
                    f,
                    "ReadInList: node {node} of the list reads video memory (C0h)"
                )
            }
        }
    }
}

impl std::error::Error for Error {}

/// The software GPU.
pub struct Gpu {
    vram: Vram,
    state: State,
    port: commands::Port,
    buffers: Buffers,
    background: [u8; 3],
    /// 0 or 1: the buffer that is drawn to.
    back: u16,
    frames: u32,
}

/// Where the two buffers lie, in pixels; both begin at column 0.
#[derive(Clone, Copy, Debug)]
struct Buffers {
    width: u16,
    /// Lines at the top of a buffer that are shown and not drawn to.
    border: u16,
    /// Lines below them that are drawn to.
    drawn: u16,
    /// From the first line of a buffer to that of the other.
    apart: u16,
}

impl Default for Gpu {
    fn default() -> Self {
        Self::new(320, 240, [0, 0, 0])
    }
}

impl Gpu {
    /// A GPU whose two buffers of `width` by `height` pixels lie at (0, 0) and (0, `height`);
    /// both are cleared to `background` (red, green, blue).
    ///
    /// `width` is cut to 1024 and `height` to 256, which is what fits.
    #[must_use]
    pub fn new(width: u16, height: u16, background: [u8; 3]) -> Self {
        let height = height.clamp(1, 256);
        let buffers = Buffers {
            width: width.clamp(1, 1024),
            border: 0,
            drawn: height,
            apart: height,
        };
        Self::with(buffers, background)
    }

    /// A GPU with the two pictures of a field, as the console's driver has them: see [`layout`]. Their
    /// draw areas are cleared to `background`, the lines above them stay black.
    #[must_use]
    pub fn field(background: [u8; 3]) -> Self {
        let buffers = Buffers {
            width: layout::WIDTH,
            border: layout::BORDER,
            drawn: layout::DRAWN,
            apart: layout::APART,
        };
        Self::with(buffers, background)
    }

    fn with(buffers: Buffers, background: [u8; 3]) -> Self {
        let mut gpu = Self {
            vram: Vram::new(),
            // As the console's driver sets it: E1h with dithering on.
            state: State {
                dither: true,
                ..State::default()
            },
            port: commands::Port::default(),
            buffers,
            background,
            back: 1,
            frames: 0,
        };
        gpu.turn();
        gpu.turn();
        gpu
    }

    /// Frames presented so far.
    #[must_use]
    pub fn frames(&self) -> u32 {
        self.frames
    }

    /// Width and height of what is shown of a buffer.
    #[must_use]
    pub fn size(&self) -> (u16, u16) {
        let Buffers {
            width,
            border,
            drawn,
            ..
        } = self.buffers;
        (width, border + drawn)
    }

    /// Video memory.
    #[must_use]
    pub fn vram(&self) -> &Vram {
        &self.vram
    }

    /// Video memory, for writing.
    pub fn vram_mut(&mut self) -> &mut Vram {
        &mut self.vram
    }

    /// The picture on display: the buffer of the last [`Screen::present`].
    #[must_use]
    pub fn displayed(&self) -> Picture {
        self.picture(1 - self.back)
    }

    /// The buffer that is being drawn.
    #[must_use]
    pub fn drawn(&self) -> Picture {
        self.picture(self.back)
    }

    /// The draw area of the back buffer as a drawing surface for `embedded-graphics`.
    pub fn canvas(&mut self) -> Canvas<'_> {
        let Buffers { width, drawn, .. } = self.buffers;
        let top = usize::from(self.draw_line());
        Canvas::new(&mut self.vram, 0, top, width.into(), drawn.into())
    }

    /// Send words to GP0, as the CPU would. Packets may be cut anywhere between two calls.
    ///
    /// # Errors
    /// [`Error::ReadInList`] for C0h, with node 0.
    pub fn gp0(&mut self, words: &[u32]) -> Result<(), Error> {
        for &word in words {
            self.port
                .word(&mut self.vram, &mut self.state, word)
                .map_err(|_| Error::ReadInList { node: 0 })?;
        }
        Ok(())
    }

    /// The first line of the back buffer that is drawn to.
    fn draw_line(&self) -> u16 {
        self.back * self.buffers.apart + self.buffers.border
    }

    fn picture(&self, buffer: u16) -> Picture {
        let (w, h) = self.size();
        Picture::from_vram(
            &self.vram,
            0,
            usize::from(buffer * self.buffers.apart),
            usize::from(w),
            usize::from(h),
        )
    }

    /// Make the other buffer the back buffer, cleared.
    fn turn(&mut self) {
        self.back = 1 - self.back;
        let Buffers {
            width: w, drawn: h, ..
        } = self.buffers;
        let top = self.draw_line();
        let [r, g, b] = self.background.map(|component| u16::from(component >> 3));
        let colour = r | g << 5 | b << 10;
        for y in top..top + h {
            if let Some(row) = self.vram.row_mut(0, usize::from(y), usize::from(w)) {
                row.fill(colour);
            }
        }
        let (w, h, top) = (i32::from(w), i32::from(h), i32::from(top));
        self.state.area = [0, top, w - 1, top + h - 1];
        self.state.offset = (0, top);
    }

    /// Walk the list that begins at word `first`, handing each packet word on.
    fn walk(&mut self, list: &[u32], first: usize) -> Result<(), Error> {
        let mut node = first;
        if node >= list.len() {
            return Err(Error::BadLink {
                node: list.len(),
                link: node.saturating_mul(4),
            });
        }
        for _ in 0..list.len() {
            let header = list[node];
            let words = (header >> 24) as usize;
            let Some(packets) = list.get(node + 1..node + 1 + words) else {
                return Err(Error::NodeTooLong { node, words });
            };
            for &word in packets {
                self.port
                    .word(&mut self.vram, &mut self.state, word)
                    .map_err(|_| Error::ReadInList { node })?;
            }
            // Bit 23 alone ends a list (HAL sheet, section 4).
            if header & 0x0080_0000 != 0 {
                return Ok(());
            }
            let link = (header & 0x00FF_FFFF) as usize;
            if !link.is_multiple_of(4) || link / 4 >= list.len() {
                return Err(Error::BadLink { node, link });
            }
            node = link / 4;
        }
        Err(Error::EndlessList { node })
    }
}

impl Screen for Gpu {
    type Error = Error;

    fn bus_address(&self, _words: &[u32]) -> u32 {
        0
    }

    fn upload(&mut self, x: u16, y: u16, w: u16, h: u16, pixels: &[u8]) -> Result<(), Error> {
        let (left, top) = (usize::from(x), usize::from(y));
        let (width, height) = (usize::from(w), usize::from(h));
        if width == 0 || height == 0 || left + width > WIDTH || top + height > HEIGHT {
            return Err(Error::BadRectangle { x, y, w, h });
        }
        let expected = 2 * width * height;
        if pixels.len() != expected {
            return Err(Error::BadLength {
                expected,
                found: pixels.len(),
            });
        }
        let mask = self.state.mask;
        for (row, line) in pixels.chunks_exact(2 * width).enumerate() {
            let cells = self
                .vram
                .row_mut(left, top + row, width)
                .unwrap_or_default();
            for (cell, bytes) in cells.iter_mut().zip(line.chunks_exact(2)) {
                mask.store(cell, u16::from_le_bytes([bytes[0], bytes[1]]));
            }
        }
        Ok(())
    }

    fn draw(&mut self, list: &[u32], first: usize) -> Result<(), Error> {
        let walked = self.walk(list, first);
        let unfinished = self.port.reset();
        walked?;
        match unfinished {
            Some(command) => Err(Error::TruncatedPacket { command }),
            None => Ok(()),
        }
    }

    fn present(&mut self) -> Result<(), Error> {
        self.turn();
        self.frames = self.frames.wrapping_add(1);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
