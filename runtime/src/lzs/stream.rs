//! The streaming decoders: fed piece by piece, they stop and go on at any byte.
//!
//! [`Decoder`] serves output that stays in memory: some 30 bytes of state, the output itself is the
//! history. [`WindowDecoder`] serves output that is taken away in pieces: it keeps the last 4096
//! bytes, and the current piece, in the caller's memory. Neither waits for anything, so a sector
//! can be decoded while the drive reads the next one.

use super::decode::truncated;
use super::kernel::{State, run};
use super::{Error, RING, START};

/// What one call of a streaming decoder did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Input bytes read. Less than there were only if the output is full.
    pub consumed: usize,
    /// Output bytes written.
    pub produced: usize,
    /// Everything wanted has been written.
    pub done: bool,
}

/// Streaming decoder for output that stays in memory.
///
/// ```
/// use overworld_runtime::lzs::Decoder;
///
/// let mut out = [0; 12];
/// let mut decoder = Decoder::new(out.len());
/// for piece in [&[0x07, 0x41, 0x42][..], &[0x43, 0xEE], &[0xF6]] {
///     decoder.push(piece, &mut out)?;
/// }
/// decoder.finish()?;
/// assert_eq!(&out, b"ABCABCABCABC");
/// # Ok::<(), overworld_runtime::lzs::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Decoder {
    want: usize,
    /// Bytes written so far.
    out: usize,
    state: State,
}

impl Decoder {
    /// A decoder of a stream that decodes to `want` bytes. Reserves nothing.
    #[must_use]
    pub const fn new(want: usize) -> Self {
        Self {
            want,
            out: 0,
            state: State::START,
        }
    }

    /// Decode what `input` holds, as far as there is room.
    ///
    /// `output` is the destination *from its first byte on*, every time: what was written
    /// before is read again. It may be shorter than the wanted size, to be continued later; room
    /// beyond the wanted size is left alone. Bytes between what is written and the wanted size
    /// are used as working room.
    ///
    /// When the output is full, call again with the rest of the input; when all is done, nothing
    /// more is consumed.
    ///
    /// # Errors
    /// [`Error::OutputTooSmall`] when `output` is shorter than what was already written to it.
    pub fn push(&mut self, input: &[u8], output: &mut [u8]) -> Result<Progress, Error> {
        let room = output.len();
        let output = match output.get_mut(..self.want.min(room)) {
            Some(output) if room >= self.out => output,
            _ => {
                return Err(Error::OutputTooSmall {
                    want: self.out,
                    room,
                });
            }
        };
        let begin = self.out;
        let (consumed, end) = run(&mut self.state, input, output, begin, START);
        self.out = end;
        Ok(Progress {
            consumed,
            produced: end - begin,
            done: end == self.want,
        })
    }

    /// Bytes written so far.
    #[must_use]
    pub const fn written(&self) -> usize {
        self.out
    }

    /// Bytes to write in all.
    #[must_use]
    pub const fn want(&self) -> usize {
        self.want
    }

    /// Everything wanted has been written.
    #[must_use]
    pub const fn is_done(&self) -> bool {
        self.out == self.want
    }

    /// Say that there is no more input.
    ///
    /// # Errors
    /// The `Truncated` errors, as [`super::decode`], when something is still wanted.
    pub fn finish(&self) -> Result<(), Error> {
        finish(&self.state, self.out, self.want)
    }

    /// As [`Decoder::finish`], but refuse a stream whose last back-reference does not end
    /// exactly at the wanted size: a check for encoders, not a fault of the format.
    ///
    /// # Errors
    /// As [`Decoder::finish`], and [`Error::SizeSplitsToken`].
    pub fn finish_strict(&self) -> Result<(), Error> {
        self.finish()?;
        match self.state.left as usize {
            0 => Ok(()),
            over => Err(Error::SizeSplitsToken { over }),
        }
    }
}

fn finish(state: &State, out: usize, want: usize) -> Result<(), Error> {
    if out < want {
        return Err(truncated(state, out, want));
    }
    Ok(())
}

/// Bytes in a [`Window`]: the longest distance, and as much for new output.
const WINDOW: usize = 2 * RING;

/// The memory of a [`WindowDecoder`]: 8 KiB. What it held before does not matter.
#[derive(Clone)]
pub struct Window {
    cells: [u8; WINDOW],
}

impl Window {
    /// A fresh window.
    #[must_use]
    pub const fn new() -> Self {
        Self { cells: [0; WINDOW] }
    }
}

impl Default for Window {
    fn default() -> Self {
        Self::new()
    }
}

impl core::fmt::Debug for Window {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Window").finish_non_exhaustive()
    }
}

/// Streaming decoder for output that is taken away in pieces.
#[derive(Debug)]
pub struct WindowDecoder<'w> {
    want: usize,
    out: usize,
    state: State,
    window: &'w mut Window,
    /// Where the next byte goes in the window; at least [`RING`], so that every distance is
    /// covered.
    at: usize,
}

impl<'w> WindowDecoder<'w> {
    /// A decoder of a stream that decodes to `want` bytes.
    #[must_use]
    pub fn new(want: usize, window: &'w mut Window) -> Self {
        // Cells never written are zero (sheet, "Rules that matter").
        if let Some(history) = window.cells.get_mut(..RING) {
            history.fill(0);
        }
        Self {
            want,
            out: 0,
            state: State::START,
            window,
            at: RING,
        }
    }

    /// Decode what `input` holds to the start of `piece`, as far as there is room.
    ///
    /// When the piece is full, call again with the rest of the input; when all is done, nothing
    /// more is consumed.
    pub fn push(&mut self, input: &[u8], piece: &mut [u8]) -> Progress {
        let mut sum = Progress::default();
        loop {
            let rest = input.get(sum.consumed..).unwrap_or_default();
            let place = piece.get_mut(sum.produced..).unwrap_or_default();
            let (progress, bytes) = self.view(rest, place.len());
            if let Some(place) = place.get_mut(..bytes.len()) {
                place.copy_from_slice(bytes);
            }
            sum.consumed += progress.consumed;
            sum.produced += progress.produced;
            sum.done = progress.done;
            // Only at the end of the window there may be more to come.
            if progress.produced == 0 || self.at < WINDOW {
                return sum;
            }
        }
    }

    /// Decode at most `room` bytes, and show them where they lie; at most 4096 at a time.
    ///
    /// Nothing is copied: the bytes can be sent on from here. As long as a call gives bytes, the
    /// next one may give more, even without input.
    pub fn view(&mut self, input: &[u8], room: usize) -> (Progress, &[u8]) {
        if self.at >= WINDOW {
            self.window.cells.copy_within(WINDOW - RING.., 0);
            self.at = RING;
        }
        let begin = self.at;
        let room = room.min(self.want - self.out).min(WINDOW - begin);
        let cells = self.window.cells.get_mut(..begin + room);
        let origin = START.wrapping_add(self.out).wrapping_sub(begin);
        let (consumed, end) = run(
            &mut self.state,
            input,
            cells.unwrap_or_default(),
            begin,
            origin,
        );
        self.at = end;
        self.out += end - begin;
        let progress = Progress {
            consumed,
            produced: end - begin,
            done: self.is_done(),
        };
        let bytes = self.window.cells.get(begin..end).unwrap_or_default();
        (progress, bytes)
    }

    /// Bytes written so far.
    #[must_use]
    pub const fn written(&self) -> usize {
        self.out
    }

    /// Bytes to write in all.
    #[must_use]
    pub const fn want(&self) -> usize {
        self.want
    }

    /// Everything wanted has been written.
    #[must_use]
    pub const fn is_done(&self) -> bool {
        self.out == self.want
    }

    /// Say that there is no more input.
    ///
    /// # Errors
    /// The `Truncated` errors, as [`super::decode`], when something is still wanted.
    pub fn finish(&self) -> Result<(), Error> {
        finish(&self.state, self.out, self.want)
    }
}
