//! The GPU: the field's NTSC picture, double-buffered, fed by DMA (HAL sheet, sections 4 and 5).
//!
//! VRAM: the two pictures lie one below the other, as [`layout`] says: 320 by 224 are drawn, with four
//! black lines above. The rest, which is x >= 320 and the last 32 lines, belongs to textures and
//! palettes.
//!
//! [`Display`] is the driver and knows no address; a [`Port`] is the hardware below it, or a
//! fake one in a test. Nothing here waits without an end.

mod list;

#[cfg(target_arch = "mips")]
mod port;
#[cfg(test)]
mod tests;

use crate::dma::Blocks;
use crate::timer::Deadline;
use core::fmt;
use overworld_runtime::gpu::layout;
use overworld_runtime::platform::{self, Screen};

pub use list::ListError;

#[cfg(target_arch = "mips")]
pub use port::Hardware;

/// The line after vertical sync about which an NTSC picture is centred (HAL sheet, section 5.1).
const CENTRE_LINE: u16 = 0x88;

/// How long a picture may take to draw, in microseconds: 30 fields.
pub const DRAW_LIMIT: u32 = 500_000;
/// How long the transfer of a texture may take, in microseconds. All of VRAM takes one field.
const UPLOAD_LIMIT: u32 = 100_000;
/// How long the GPU may be unwilling to take a word, in microseconds: two fields.
const READY_LIMIT: u32 = 33_000;
/// How long to wait for the vertical blank, in microseconds: three PAL fields.
const VBLANK_LIMIT: u32 = 60_000;

/// GPUSTAT: ready for a command word.
const READY_COMMAND: u32 = 1 << 26;
/// GPUSTAT: ready to send pixels.
const READY_SEND: u32 = 1 << 27;
/// GPUSTAT: ready for a DMA block.
const READY_BLOCK: u32 = 1 << 28;

/// What the driver needs of the machine.
pub trait Port {
    /// Store a word to GP0.
    fn gp0(&mut self, word: u32);
    /// Store a word to GP1.
    fn gp1(&mut self, word: u32);
    /// Load GPUSTAT.
    fn status(&mut self) -> u32;
    /// Load GPUREAD.
    fn data(&mut self) -> u32;
    /// Scan lines, modulo 65,536: the clock of [`Deadline`].
    fn lines(&mut self) -> u16;
    /// Vertical blanks since the start, modulo 2^32.
    fn vblanks(&mut self) -> u32;
    /// The 24-bit address by which DMA sees the first of these words.
    fn address(&self, words: &[u32]) -> u32;
    /// Send whole blocks to GP0 by DMA; `words.len()` is `blocks.words()`. `false` if that did not
    /// end in `limit` microseconds; the channel is then stopped.
    fn send(&mut self, words: &[u32], blocks: Blocks, limit: u32) -> bool;
    /// Let DMA execute the linked list at `list[first]`, and do something else `meanwhile`. `false` as for
    /// [`Port::send`], the limit counted from where that is done.
    fn execute(
        &mut self,
        list: &[u32],
        first: usize,
        limit: u32,
        meanwhile: &mut dyn FnMut(),
    ) -> bool;
    /// Clear an ordering table by DMA. `false` if the machine cannot; the table may then hold
    /// anything.
    fn clear_table(&mut self, table: &mut [u32]) -> bool;
}

/// What the GPU was doing when the time was up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Taking a command word.
    Command,
    /// Taking pixels.
    Upload,
    /// Giving pixels back.
    Download,
    /// Taking a linked list by DMA.
    List,
    /// Drawing the last packets of a list.
    Draw,
}

/// What can go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// A rectangle leaves VRAM or is empty.
    Rectangle {
        /// Left edge in 16-bit units.
        x: u16,
        /// First line.
        y: u16,
        /// Width in 16-bit units.
        w: u16,
        /// Lines.
        h: u16,
    },
    /// The pixels of an upload are not `2 * w * h` bytes, or those of a download.
    PixelBytes {
        /// Bytes that the rectangle needs.
        expected: usize,
        /// Bytes that were given.
        found: usize,
    },
    /// A linked list is not one that can be executed.
    List(ListError),
    /// The GPU did not get done in time. The channel was stopped and the GPU's queue emptied.
    Timeout(Phase),
    /// No vertical blank came.
    NoVblank,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Rectangle { x, y, w, h } => write!(
                f,
                "GPU: the rectangle of {w} by {h} at ({x}, {y}) is empty or leaves VRAM"
            ),
            Self::PixelBytes { expected, found } => write!(
                f,
                "GPU: a rectangle needs {expected} bytes of pixels and got {found}"
            ),
            Self::List(error) => write!(f, "GPU: {error}"),
            Self::Timeout(phase) => write!(
                f,
                "GPU: time-out while {}",
                match phase {
                    Phase::Command => "waiting to send a command",
                    Phase::Upload => "sending pixels",
                    Phase::Download => "fetching pixels",
                    Phase::List => "sending a linked list",
                    Phase::Draw => "drawing",
                }
            ),
            Self::NoVblank => f.write_str("GPU: no vertical blank came (are interrupts on?)"),
        }
    }
}

impl core::error::Error for Error {}

/// The driver.
#[derive(Debug)]
pub struct Display<P> {
    port: P,
    /// Which of the two pictures is shown; the other one is drawn.
    shown: u16,
    background: u32,
}

impl<P: Port> Display<P> {
    /// Reset the GPU, set the video mode, clear both pictures, show the first.
    ///
    /// # Errors
    /// The GPU takes no commands.
    pub fn new(port: P) -> Result<Self, Error> {
        let mut display = Self {
            port,
            shown: 0,
            background: 0,
        };
        display.reset()?;
        Ok(display)
    }

    /// The machine below.
    pub fn port(&mut self) -> &mut P {
        &mut self.port
    }

    /// The colour that a fresh back buffer has, from the next [`Screen::present`] on.
    pub fn set_background(&mut self, red: u8, green: u8, blue: u8) {
        self.background = u32::from_le_bytes([red, green, blue, 0]);
    }

    /// Where in VRAM the position (0, 0) of packets lies in the picture on the screen: its draw offset.
    pub fn shown_origin(&self) -> (u16, u16) {
        (0, layout::draw_line(self.shown))
    }

    fn reset(&mut self) -> Result<(), Error> {
        self.port.gp1(0x0000_0000);
        self.port.gp1(0x0400_0002);
        // 320 wide, NTSC, 15 bit, progressive; as many lines as are shown, about the centre.
        self.port.gp1(0x0800_0001);
        self.port.gp1(0x0600_0260 | 0xC60 << 12);
        let first = CENTRE_LINE - layout::SHOWN / 2;
        let end = u32::from(first + layout::SHOWN);
        self.port.gp1(0x0700_0000 | u32::from(first) | end << 10);
        self.command(&[0xE100_0600, 0xE200_0000, 0xE600_0000])?;
        // Whatever was there, the lines above the draw areas are black.
        self.fill(layout::first_line(0), layout::APART)?;
        self.fill(layout::first_line(1), layout::APART)?;
        self.drawn()?;
        self.show(0)?;
        self.port.gp1(0x0300_0000);
        Ok(())
    }

    /// Send the words of one or more packets that fit the FIFO together.
    fn command(&mut self, words: &[u32]) -> Result<(), Error> {
        self.wait(READY_COMMAND, READY_LIMIT, Phase::Command)?;
        for &word in words {
            self.port.gp0(word);
        }
        Ok(())
    }

    /// Fill the draw area of picture `n` with the background colour.
    fn clear(&mut self, n: u16) -> Result<(), Error> {
        self.fill(layout::draw_line(n), layout::DRAWN)
    }

    /// Fill lines of the pictures with the background colour.
    fn fill(&mut self, first: u16, lines: u16) -> Result<(), Error> {
        self.command(&[
            0x0200_0000 | self.background,
            pair(0, first),
            pair(layout::WIDTH, lines),
        ])
    }

    /// Show picture `n` and draw into the other.
    fn show(&mut self, n: u16) -> Result<(), Error> {
        self.port
            .gp1(0x0500_0000 | u32::from(layout::first_line(n)) << 10);
        self.shown = n;
        let back = u32::from(layout::draw_line(n ^ 1));
        let last = back + u32::from(layout::DRAWN) - 1;
        self.command(&[
            0xE300_0000 | back << 10,
            0xE400_0000 | u32::from(layout::WIDTH - 1) | last << 10,
            0xE500_0000 | back << 11,
        ])
    }

    fn deadline(&mut self, microseconds: u32) -> Deadline {
        Deadline::new(self.port.lines(), microseconds)
    }

    /// Wait until all these bits of GPUSTAT are set.
    fn wait(&mut self, bits: u32, limit: u32, phase: Phase) -> Result<(), Error> {
        self.wait_for(1, bits, limit, phase)
    }

    /// Wait until all these bits of GPUSTAT were set in so many looks in a row.
    fn wait_for(&mut self, looks: u32, bits: u32, limit: u32, phase: Phase) -> Result<(), Error> {
        let mut deadline = None;
        let mut seen = 0;
        loop {
            if self.port.status() & bits == bits {
                seen += 1;
                if seen >= looks {
                    return Ok(());
                }
                continue;
            }
            seen = 0;
            // The clock is slower to read than the GPU: not before there is something to wait for.
            let now = self.port.lines();
            if deadline
                .get_or_insert_with(|| Deadline::new(now, limit))
                .over(now)
            {
                self.abandon();
                return Err(Error::Timeout(phase));
            }
        }
    }

    /// Throw away what the GPU holds, so that the next command finds it willing.
    fn abandon(&mut self) {
        self.port.gp1(0x0100_0000);
        self.port.gp1(0x0400_0000);
        self.port.gp1(0x0400_0002);
    }

    /// Wait until nothing is left to draw. The GPU looks ready for a moment between two
    /// primitives, so one look is not enough (HAL sheet, 5.2).
    fn drawn(&mut self) -> Result<(), Error> {
        self.wait_for(4, READY_COMMAND | READY_BLOCK, DRAW_LIMIT, Phase::Draw)
    }

    /// Wait for the next vertical blank.
    ///
    /// # Errors
    /// [`Error::NoVblank`].
    fn vblank(&mut self) -> Result<(), Error> {
        let before = self.port.vblanks();
        let mut deadline = self.deadline(VBLANK_LIMIT);
        while self.port.vblanks() == before {
            let now = self.port.lines();
            if deadline.over(now) {
                return Err(Error::NoVblank);
            }
        }
        Ok(())
    }

    /// Copy pixels from VRAM, row by row: for tests and pictures, word by word by the CPU.
    ///
    /// Units and ranges as [`Screen::upload`]; `out` holds `w * h` pixels.
    ///
    /// # Errors
    /// As [`Screen::upload`].
    pub fn download(
        &mut self,
        x: u16,
        y: u16,
        w: u16,
        h: u16,
        out: &mut [u16],
    ) -> Result<(), Error> {
        rectangle(x, y, w, h, 2 * out.len())?;
        self.drawn()?;
        self.port.gp1(0x0400_0003);
        self.command(&[0xC000_0000, pair(x, y), pair(w, h)])?;
        for pixels in out.chunks_mut(2) {
            self.wait(READY_SEND, READY_LIMIT, Phase::Download)?;
            let word = self.port.data();
            for (pixel, half) in pixels.iter_mut().zip([word, word >> 16]) {
                *pixel = half as u16;
            }
        }
        self.port.gp1(0x0400_0002);
        Ok(())
    }

    /// Look whether a list can be executed: what [`Screen::draw`] does first.
    ///
    /// A list that loops would keep the bus of a console for good, and with it the program that
    /// should notice (HAL sheet, 12.11).
    ///
    /// # Errors
    /// [`Error::List`].
    pub fn check(&self, list: &[u32], first: usize) -> Result<(), Error> {
        match list::check(list, self.port.address(list), first) {
            Ok(_) => Ok(()),
            Err(error) => Err(Error::List(error)),
        }
    }

    /// Execute a list without looking at its links first: what [`Screen::draw`] does after its
    /// check. A list that never ends costs `limit` microseconds and is then cut off.
    ///
    /// # Errors
    /// The list is not done in time.
    pub fn execute(&mut self, list: &[u32], first: usize, limit: u32) -> Result<(), Error> {
        self.execute_while(list, first, limit, &mut || ())
    }

    /// The same, and the CPU has something else to do while the GPU draws. When the list cannot be started, that is not
    /// done.
    ///
    /// # Errors
    /// The list is not done in time, counted from where the CPU is.
    pub fn execute_while(
        &mut self,
        list: &[u32],
        first: usize,
        limit: u32,
        meanwhile: &mut dyn FnMut(),
    ) -> Result<(), Error> {
        if first >= list.len() {
            return Err(Error::List(ListError::Outside {
                at: first,
                link: platform::LIST_END,
            }));
        }
        self.wait(READY_COMMAND | READY_BLOCK, READY_LIMIT, Phase::Command)?;
        if !self.port.execute(list, first, limit, meanwhile) {
            self.abandon();
            return Err(Error::Timeout(Phase::List));
        }
        self.drawn()
    }
}

/// Two halfwords of a command.
const fn pair(low: u16, high: u16) -> u32 {
    low as u32 | (high as u32) << 16
}

/// Whether a rectangle lies in VRAM and `bytes` are what its pixels need.
fn rectangle(x: u16, y: u16, w: u16, h: u16, bytes: usize) -> Result<(), Error> {
    let fits = |start: u16, length: u16, end: u16| {
        length != 0 && start.checked_add(length).is_some_and(|last| last <= end)
    };
    if !fits(x, w, 1024) || !fits(y, h, 512) {
        return Err(Error::Rectangle { x, y, w, h });
    }
    let expected = 2 * usize::from(w) * usize::from(h);
    if bytes != expected {
        return Err(Error::PixelBytes {
            expected,
            found: bytes,
        });
    }
    Ok(())
}

impl<P: Port> Screen for Display<P> {
    type Error = Error;

    fn bus_address(&self, words: &[u32]) -> u32 {
        self.port.address(words)
    }

    fn upload(&mut self, x: u16, y: u16, w: u16, h: u16, pixels: &[u8]) -> Result<(), Error> {
        rectangle(x, y, w, h, pixels.len())?;
        self.command(&[0xA000_0000, pair(x, y), pair(w, h)])?;

        // SAFETY: any four bytes are a `u32`; `align_to` takes care of the alignment.
        let (odd, words, _) = unsafe { pixels.align_to::<u32>() };
        let mut sent = 0;
        let blocks = Blocks::of(words.len());
        if odd.is_empty() && blocks.count != 0 {
            self.wait(READY_BLOCK, READY_LIMIT, Phase::Upload)?;
            let (whole, _) = words.split_at(blocks.words());
            if !self.port.send(whole, blocks, UPLOAD_LIMIT) {
                self.abandon();
                return Err(Error::Timeout(Phase::Upload));
            }
            sent = blocks.words() * 4;
        }
        // What does not fill a block, or is not aligned, goes word by word; an odd pixel count is
        // padded with one pixel that the GPU drops.
        for rest in pixels.get(sent..).unwrap_or_default().chunks(4) {
            let mut word = [0; 4];
            word[..rest.len()].copy_from_slice(rest);
            self.wait(READY_BLOCK, READY_LIMIT, Phase::Upload)?;
            self.port.gp0(u32::from_le_bytes(word));
        }
        // The texture cache may hold what was there before.
        self.command(&[0x0100_0000])
    }

    fn draw(&mut self, list: &[u32], first: usize) -> Result<(), Error> {
        self.check(list, first)?;
        self.execute(list, first, DRAW_LIMIT)
    }

    fn present(&mut self) -> Result<(), Error> {
        self.drawn()?;
        self.vblank()?;
        self.show(self.shown ^ 1)?;
        self.clear(self.shown ^ 1)
    }

    fn clear_table(&mut self, table: &mut [u32], base: u32) {
        // OTC writes true addresses: of use only if those are what the caller wants.
        if base != self.port.address(table) || !self.port.clear_table(table) {
            platform::clear_table(table, base);
        }
    }
}
