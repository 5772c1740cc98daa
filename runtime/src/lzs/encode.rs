//! The encoder: hash chains in the caller's scratch, one-step lazy parse.

use super::{Error, MAX_MATCH, MIN_MATCH, RING, START};
use crate::bytes::Writer;

/// How many earlier positions one search looks at: bounds the time.
const CHAIN: usize = 256;
/// Slots of the hash table; a power of two.
const HASHES: usize = 4096;

/// Working memory of [`encode`]: 16 KiB. What it held before does not matter.
#[derive(Clone)]
pub struct Scratch {
    /// Latest position of each hash.
    head: [u16; HASHES],
    /// For each position modulo [`RING`]: the position before it with the same hash.
    prev: [u16; RING],
}

impl Scratch {
    /// Fresh working memory.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            head: [0; HASHES],
            prev: [0; RING],
        }
    }
}

impl Default for Scratch {
    fn default() -> Self {
        Self::new()
    }
}

impl core::fmt::Debug for Scratch {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Scratch").finish_non_exhaustive()
    }
}

/// The most bytes that [`encode`] writes for `len` bytes of input: literals only.
#[must_use]
pub const fn bound(len: usize) -> usize {
    len.saturating_add(len.div_ceil(8))
}

/// Compress `input` into `out`; the number of bytes written, at most [`bound`] of the input.
///
/// Deterministic; the last token ends exactly on the input's length and unused flags are 0
/// (sheet, "Encoder strategy").
///
/// # Errors
/// [`Error::OutputTooSmall`] when the stream does not fit into `out`.
pub fn encode(input: &[u8], out: &mut [u8], scratch: &mut Scratch) -> Result<usize, Error> {
    // Stale positions would only ever be candidates that the comparison then judges, but they
    // would make the choice depend on what was encoded before.
    scratch.head.fill(0);
    scratch.prev.fill(0);
    let mut finder = Finder { input, scratch };
    let mut tokens = Tokens::new(out);
    let mut i = 0;
    let mut found = finder.longest(0);
    while let Some(&literal) = input.get(i) {
        finder.insert(i);
        let mut next = None;
        if found.len >= MIN_MATCH && found.len < MAX_MATCH {
            // Lazy: a literal here pays if the next byte begins a longer match.
            let later = finder.longest(i + 1);
            if later.len > found.len {
                found = Match::NONE;
            }
            next = Some(later);
        }
        if found.len >= MIN_MATCH {
            tokens.reference(i, found)?;
            for inside in i + 1..i + found.len {
                finder.insert(inside);
            }
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

/// A match: `len` bytes that lie `distance` bytes earlier. Too short means none.
#[derive(Clone, Copy)]
struct Match {
    distance: usize,
    len: usize,
}

impl Match {
    const NONE: Self = Self {
        distance: 0,
        len: 0,
    };
}

struct Finder<'a> {
    input: &'a [u8],
    scratch: &'a mut Scratch,
}

impl Finder<'_> {
    /// Slot of the three bytes at `i`, if there are three.
    fn hash(&self, i: usize) -> Option<usize> {
        let [a, b, c] = *self.input.get(i..)?.first_chunk::<3>()?;
        let key = u32::from(a) | u32::from(b) << 8 | u32::from(c) << 16;
        Some((key.wrapping_mul(0x9E37_79B1) >> 20) as usize % HASHES)
    }

    /// Remember position `i`.
    fn insert(&mut self, i: usize) {
        let Some(hash) = self.hash(i) else { return };
        let head = self.scratch.head.get_mut(hash);
        let prev = self.scratch.prev.get_mut(i % RING);
        if let (Some(head), Some(prev)) = (head, prev) {
            *prev = *head;
            *head = (i & 0xFFFF) as u16;
        }
    }

    /// How many bytes at `i` repeat those `distance` earlier, at most `MAX_MATCH`; what lies
    /// before the input is zero.
    fn matching(&self, i: usize, distance: usize) -> usize {
        let ahead = self.input.get(i..).unwrap_or_default();
        ahead
            .iter()
            .take(MAX_MATCH)
            .enumerate()
            .take_while(|&(k, &value)| {
                let source = match (i + k).checked_sub(distance) {
                    Some(source) => self.input.get(source).copied(),
                    None => Some(0),
                };
                source == Some(value)
            })
            .count()
    }

    /// The longest match at `i`, the nearest among equals; positions before `i` are inserted.
    fn longest(&self, i: usize) -> Match {
        let mut best = Match::NONE;
        let mut consider = |distance: usize| {
            let len = self.matching(i, distance);
            if len > best.len {
                best = Match { distance, len };
            }
            best.len < MAX_MATCH
        };
        let Some(hash) = self.hash(i) else {
            return Match::NONE;
        };
        let mut candidate = self.scratch.head.get(hash).copied();
        let mut last_age = 0;
        for _ in 0..CHAIN {
            let Some(position) = candidate else { break };
            // Positions are kept modulo 2^16; only the last 4096 can be meant. A chain that does
            // not lead further back has come to its end.
            let age = i.wrapping_sub(usize::from(position)) & 0xFFFF;
            if age <= last_age || age > RING || age > i {
                break;
            }
            if !consider(age) {
                return best;
            }
            last_age = age;
            candidate = self.scratch.prev.get(usize::from(position) % RING).copied();
        }
        if i < RING {
            // Cells that were never written are zero: the cell under the write position, and
            // those before the output, with which a match may run on into its first bytes.
            let zeros = self.input.iter().skip(i).take(MAX_MATCH);
            let zeros = zeros.take_while(|&&value| value == 0).count();
            if zeros > 0 && consider(RING) && i + zeros <= RING {
                consider(i + zeros);
            }
        }
        best
    }
}

/// Writes tokens in groups of eight behind their control byte.
struct Tokens<'a> {
    out: Writer<'a>,
    control_at: usize,
    /// Tokens in the open group; 8 means a new group is due.
    used: u32,
}

impl<'a> Tokens<'a> {
    fn new(out: &'a mut [u8]) -> Self {
        Self {
            out: Writer::new(out),
            control_at: 0,
            used: 8,
        }
    }

    fn token(&mut self, flag: u8, bytes: &[u8]) -> Result<(), Error> {
        if self.used == 8 {
            self.control_at = self.out.position();
            self.put(&[0])?;
            self.used = 0;
        }
        self.put(bytes)?;
        let mark = flag << self.used;
        if let Some(control) = self.out.written_mut().get_mut(self.control_at) {
            *control |= mark;
        }
        self.used += 1;
        Ok(())
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.out.bytes(bytes).map_err(|full| Error::OutputTooSmall {
            want: full.at + full.len,
            room: full.room,
        })
    }

    fn literal(&mut self, value: u8) -> Result<(), Error> {
        self.token(1, &[value])
    }

    fn reference(&mut self, i: usize, found: Match) -> Result<(), Error> {
        let base = (START + i).wrapping_sub(found.distance) & (RING - 1);
        let len = found.len - MIN_MATCH;
        self.token(0, &[base as u8, ((base >> 4) & 0xF0 | len & 0x0F) as u8])
    }

    fn finish(self) -> usize {
        self.out.finish()
    }
}
