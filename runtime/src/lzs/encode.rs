//! The encoders: greedy, one-step lazy and optimal parse over one match finder.

use super::finder::{Finder, Match, Scratch};
use super::optimal::{self, Step};
use super::{Error, MAX_MATCH, MIN_MATCH, RING, START};

/// How the encoder chooses its tokens (sheet, "Encoder strategy", 5).
#[derive(Debug)]
pub enum Parse<'a> {
    /// The longest match at each position.
    Greedy,
    /// A literal where the next position has a longer match; else greedy.
    Lazy,
    /// The shortest stream that the matches found allow, never longer than the other two make
    /// it. Needs one [`Step`] for each byte of input; what they hold does not matter.
    Optimal(&'a mut [Step]),
}

/// The most bytes that the encoders write for `len` bytes of input: literals only.
#[must_use]
pub const fn bound(len: usize) -> usize {
    len.saturating_add(len.div_ceil(8))
}

/// Compress `input` into `out` with the lazy parse; the number of bytes written, at most
/// [`bound`] of the input.
///
/// Deterministic; the last token ends exactly on the input's length and unused flags are 0
/// (sheet, "Encoder strategy").
///
/// # Errors
/// [`Error::OutputTooSmall`] when the stream does not fit into `out`.
pub fn encode(input: &[u8], out: &mut [u8], scratch: &mut Scratch) -> Result<usize, Error> {
    lazy(Finder::new(input, scratch), input, Tokens::new(out))
}

/// As [`encode`], with a parse of the caller's choice.
///
/// # Errors
/// [`Error::OutputTooSmall`] when the stream does not fit into `out`;
/// [`Error::ScratchTooSmall`] when there are fewer steps than bytes of input.
pub fn encode_with(
    parse: Parse<'_>,
    input: &[u8],
    out: &mut [u8],
    scratch: &mut Scratch,
) -> Result<usize, Error> {
    let finder = Finder::new(input, scratch);
    let tokens = Tokens::new(out);
    match parse {
        Parse::Greedy => greedy(finder, input, tokens),
        Parse::Lazy => lazy(finder, input, tokens),
        Parse::Optimal(steps) => {
            let room = steps.len();
            let steps = steps.get_mut(..input.len()).ok_or(Error::ScratchTooSmall {
                want: input.len(),
                room,
            })?;
            optimal::plan(finder, steps);
            planned(steps, input, tokens)
        }
    }
}

fn greedy(mut finder: Finder<'_>, input: &[u8], mut tokens: Tokens<'_>) -> Result<usize, Error> {
    let mut i = 0;
    while let Some(&literal) = input.get(i) {
        let found = finder.longest(i);
        if found.is_some() {
            tokens.reference(i, found)?;
            i += found.len;
        } else {
            tokens.literal(literal)?;
            i += 1;
        }
    }
    Ok(tokens.finish())
}

fn lazy(mut finder: Finder<'_>, input: &[u8], mut tokens: Tokens<'_>) -> Result<usize, Error> {
    let mut i = 0;
    let mut found = finder.longest(0);
    while let Some(&literal) = input.get(i) {
        let mut next = None;
        if found.is_some() && found.len < MAX_MATCH {
            // A literal here pays if the next byte begins a longer match.
            let later = finder.longest(i + 1);
            if later.len > found.len {
                found = Match::NONE;
            }
            next = Some(later);
        }
        if found.is_some() {
            tokens.reference(i, found)?;
            i += found.len;
            found = finder.longest(i);
        } else {
            tokens.literal(literal)?;
            i += 1;
            found = match next {
                Some(later) => later,
                None => finder.longest(i),
            };
        }
    }
    Ok(tokens.finish())
}

/// Write the tokens that the plan has chosen.
fn planned(steps: &[Step], input: &[u8], mut tokens: Tokens<'_>) -> Result<usize, Error> {
    let mut i = 0;
    while let (Some(step), Some(&literal)) = (steps.get(i), input.get(i)) {
        let chosen = step.choice(tokens.phase());
        if chosen.is_some() {
            tokens.reference(i, chosen)?;
            i += chosen.len;
        } else {
            tokens.literal(literal)?;
            i += 1;
        }
    }
    Ok(tokens.finish())
}

/// Store `input` as literals only: exactly [`bound`] bytes.
///
/// The form of the disc sheet's worked bundle, for tests and for data that does not shrink.
///
/// # Errors
/// [`Error::OutputTooSmall`] when the stream does not fit into `out`.
pub fn encode_literal(input: &[u8], out: &mut [u8]) -> Result<usize, Error> {
    let mut tokens = Tokens::new(out);
    for &value in input {
        tokens.literal(value)?;
    }
    Ok(tokens.finish())
}

/// Writes tokens in groups of eight behind their control byte.
struct Tokens<'a> {
    out: &'a mut [u8],
    /// Bytes written.
    at: usize,
    control_at: usize,
    control: u8,
    /// Tokens in the open group; 8 means a new group is due.
    used: u32,
}

impl<'a> Tokens<'a> {
    fn new(out: &'a mut [u8]) -> Self {
        Self {
            out,
            at: 0,
            control_at: 0,
            control: 0,
            used: 8,
        }
    }

    /// Tokens in the group that the next one belongs to, 0..=7.
    fn phase(&self) -> usize {
        self.used as usize % 8
    }

    #[inline]
    fn token<const N: usize>(&mut self, flag: u8, bytes: [u8; N]) -> Result<(), Error> {
        if self.used == 8 {
            self.close();
            self.control_at = self.at;
            self.put([0])?;
            self.control = 0;
            self.used = 0;
        }
        self.put(bytes)?;
        self.control |= flag << self.used;
        self.used += 1;
        Ok(())
    }

    /// Write the control byte of the open group.
    fn close(&mut self) {
        if let Some(place) = self.out.get_mut(self.control_at) {
            *place = self.control;
        }
    }

    #[inline]
    fn put<const N: usize>(&mut self, bytes: [u8; N]) -> Result<(), Error> {
        let room = self.out.len();
        let place = self.out.get_mut(self.at..);
        let place = place.and_then(|s| s.first_chunk_mut::<N>());
        *place.ok_or(Error::OutputTooSmall {
            want: self.at + N,
            room,
        })? = bytes;
        self.at += N;
        Ok(())
    }

    fn literal(&mut self, value: u8) -> Result<(), Error> {
        self.token(1, [value])
    }

    fn reference(&mut self, i: usize, found: Match) -> Result<(), Error> {
        let base = (START + i).wrapping_sub(found.distance) & (RING - 1);
        let len = found.len - MIN_MATCH;
        self.token(0, [base as u8, ((base >> 4) & 0xF0 | len & 0x0F) as u8])
    }

    fn finish(mut self) -> usize {
        if self.at > 0 {
            self.close();
        }
        self.at
    }
}
