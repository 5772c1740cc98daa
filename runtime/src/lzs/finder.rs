//! The encoder's match finder: hash chains in the caller's memory (sheet, "Encoder strategy", 6).

use super::{MAX_MATCH, MIN_MATCH, RING};

/// How many earlier positions one search looks at: bounds the time. All parses use the same
/// number, so that the optimal one knows every match that the others find.
const CHAIN: usize = 96;
/// Slots of the hash table; a power of two.
const HASHES: usize = 4096;

/// Positions that are chained at a time: those a match can reach, and those ahead of them; a
/// power of two.
const CHAINED: usize = 2 * RING;

/// Bytes of the sequences that are chained: one more than the shortest match.
const CHAIN_BYTES: usize = MIN_MATCH + 1;

/// Working memory of the encoders: 32 KiB. What it held before does not matter.
///
/// Any place where a three-byte sequence occurs is as good as another, so of those only the
/// latest is kept; longer matches are found along chains of four-byte sequences, which have far
/// fewer members.
#[derive(Clone)]
pub struct Scratch {
    /// Latest position of each hash of three bytes.
    three: [u16; HASHES],
    /// Latest position of each hash of four bytes.
    four: [u16; HASHES],
    /// For each position modulo [`CHAINED`]: how far back the one before it with the same hash
    /// of four bytes lies; 0 if no match reaches it.
    back: [u16; CHAINED],
}

impl Scratch {
    /// Fresh working memory.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            three: [0; HASHES],
            four: [0; HASHES],
            back: [0; CHAINED],
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

/// A match: `len` bytes that lie `distance` bytes earlier. Too short means none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Match {
    pub(super) distance: usize,
    pub(super) len: usize,
}

impl Match {
    pub(super) const NONE: Self = Self {
        distance: 0,
        len: 0,
    };

    pub(super) const fn is_some(self) -> bool {
        self.len >= MIN_MATCH
    }

    /// What is left of it one byte further on.
    pub(super) const fn shortened(self) -> Self {
        Self {
            distance: self.distance,
            len: self.len.saturating_sub(1),
        }
    }
}

/// Every position of the input is chained to the one before it that has the same hash.
pub(super) struct Finder<'a> {
    input: &'a [u8],
    scratch: &'a mut Scratch,
    /// Positions chained so far.
    chained: usize,
    /// Positions whose first three bytes are known.
    known: usize,
    /// The last position found whose four bytes occur nowhere before it.
    novel: usize,
}

impl<'a> Finder<'a> {
    pub(super) fn new(input: &'a [u8], scratch: &'a mut Scratch) -> Self {
        // Stale positions would only ever be candidates that the comparison then judges, but
        // they would make the choice depend on what was encoded before.
        scratch.three.fill(0);
        scratch.four.fill(0);
        Self {
            input,
            scratch,
            chained: 0,
            known: 0,
            novel: 0,
        }
    }

    /// Chain all positions below `end`.
    #[inline]
    fn chain(&mut self, end: usize) {
        while self.chained < end {
            let i = self.chained;
            self.chained += 1;
            let four = self.input.get(i..).and_then(|s| s.first_chunk());
            let back = four.map_or(0, |&four| {
                let key = u32::from_le_bytes(four);
                replace(&mut self.scratch.four, key, i)
            });
            if let Some(place) = self.scratch.back.get_mut(i % CHAINED) {
                *place = back as u16;
            }
        }
    }

    /// How far back the three bytes at `i` may have occurred last; 0 if no match reaches that.
    #[inline]
    fn last_three(&mut self, i: usize) -> usize {
        let mut last = 0;
        while self.known <= i {
            let three = self.input.get(self.known..).and_then(|s| s.first_chunk());
            last = three.map_or(0, |&[a, b, c]| {
                let key = u32::from_le_bytes([0, a, b, c]);
                replace(&mut self.scratch.three, key, self.known)
            });
            self.known += 1;
        }
        last
    }

    #[inline]
    fn back(&self, at: usize) -> usize {
        self.scratch
            .back
            .get(at % CHAINED)
            .map_or(0, |&back| usize::from(back))
    }

    /// The longest match at `i` among the first [`CHAIN`] candidates. Positions are asked for
    /// in rising order, and none twice.
    #[inline]
    pub(super) fn longest(&mut self, i: usize) -> Match {
        self.chain(i + 1);
        let best = self.short(i, Match::NONE);
        let (best, _) = self.walk(i, best, false);
        self.zero_cells(i, best)
    }

    /// A match at `i` that is longer than `best`, which is one too, and at least as long as that
    /// which [`Finder::longest`] finds; else `best`.
    #[inline]
    pub(super) fn longer(&mut self, i: usize, best: Match) -> Match {
        self.chain(i + MAX_MATCH);
        let mut best = self.short(i, best);
        if best.len == MAX_MATCH - 1 {
            // The rest of a match that was as long as can be; mostly it goes on.
            let from = (i + best.len).wrapping_sub(best.distance);
            if self.input.get(i + best.len) == Some(self.input.get(from).unwrap_or(&0)) {
                best.len = MAX_MATCH;
            }
        }
        if best.len >= MAX_MATCH {
            return best;
        }
        if self.novel >= i && self.novel + (CHAIN_BYTES - 1) <= i + best.len {
            // Anything longer would hold what occurs nowhere else.
            return self.zero_cells(i, best);
        }
        let all;
        (best, all) = self.walk(i, best, true);
        if !all {
            // The other parses have gone the straight way: miss nothing that they find.
            (best, _) = self.walk(i, best, false);
        }
        self.zero_cells(i, best)
    }

    /// `best`, or a longer match at the latest place where the three bytes at `i` occurred.
    #[inline]
    fn short(&mut self, i: usize, best: Match) -> Match {
        match self.last_three(i) {
            distance if distance > 0 && best.len < MIN_MATCH => {
                let ahead = self.input.get(i..).and_then(|s| s.first_chunk());
                longer(self.input, ahead, i, distance, best)
            }
            _ => best,
        }
    }

    /// Follow the chain of the four bytes at `i`, or hop to better ones as they come up; the
    /// longest match, and whether nothing is left to look at.
    ///
    /// A longer match than the one at hand holds all four-byte sequences of that one, and one
    /// more. Of the chain at hand and that of the new sequence, the one whose predecessor lies
    /// further back promises fewer candidates. The sequences between are not asked: that costs
    /// more than the candidates it saves.
    #[inline(always)]
    fn walk(&mut self, i: usize, mut best: Match, hop: bool) -> (Match, bool) {
        let Some(ahead) = self.input.get(i..).and_then(|s| s.first_chunk()) else {
            return (self.walk_end(i, best), true);
        };
        let oldest = i.min(RING);
        // Where the chain begins, where it is, and the distance of the match it stands for.
        let (mut begin, mut at, mut distance) = (i, i, 0);
        // How far back the first candidate of the chain lies.
        let mut first = self.back(i);
        // The distance up to which all is seen.
        let mut seen = 0;
        let mut left = CHAIN;
        loop {
            // The last four bytes of what would be longer: the sequence not looked at yet.
            let next = i + best.len.saturating_sub(CHAIN_BYTES - 1);
            if hop && next > i {
                let back = self.back(next);
                if back == 0 {
                    self.novel = next;
                    return (best, true);
                }
                if back > first {
                    (begin, at, distance, first) = (next, next, 0, back);
                }
            }
            // Most candidates already differ in the four bytes with which they would be longer,
            // or in the first four if the chain makes sure of those.
            let probe = if begin == i {
                best.len.saturating_sub(3)
            } else {
                0
            };
            let needle = four(ahead, probe);
            loop {
                let back = self.back(at);
                at = at.wrapping_sub(back);
                distance += back;
                if back == 0 || distance > oldest {
                    return (best, true);
                }
                if left == 0 {
                    return (best, false);
                }
                left -= 1;
                let from = self.input.get(i - distance..).unwrap_or_default();
                if four(from, probe) == needle && distance > seen {
                    seen = distance;
                    let len = from.first_chunk().map_or(0, |from| common(ahead, from));
                    if len > best.len {
                        best = Match { distance, len };
                        if len >= MAX_MATCH {
                            return (best, true);
                        }
                        break;
                    }
                }
            }
        }
    }

    /// [`Finder::walk`] for the last positions of the input.
    #[cold]
    fn walk_end(&self, i: usize, mut best: Match) -> Match {
        let (mut at, mut distance) = (i, 0);
        for _ in 0..CHAIN {
            let back = self.back(at);
            at = at.wrapping_sub(back);
            distance += back;
            if back == 0 || distance > RING.min(i) {
                break;
            }
            best = longer(self.input, None, i, distance, best);
        }
        best
    }

    /// `best`, or a longer match at `i` with cells that were never written. Those are zero: the
    /// cell under the write position, and those before the output, with which a match may run
    /// on into its first bytes.
    #[inline]
    fn zero_cells(&self, i: usize, best: Match) -> Match {
        if i < RING && self.input.get(i) == Some(&0) {
            zeros(self.input, i, best)
        } else {
            best
        }
    }
}

/// Note that a sequence of bytes, `key`, occurs at `i`; how far back its hash occurred last, 0 if
/// no match reaches that.
#[inline]
fn replace(latest: &mut [u16; HASHES], key: u32, i: usize) -> usize {
    let hash = (key.wrapping_mul(0x9E37_79B1) >> 20) as usize % HASHES;
    let Some(place) = latest.get_mut(hash) else {
        return 0;
    };
    // Positions are kept modulo 2^16; only the last 4096 can be meant.
    let age = usize::from((i as u16).wrapping_sub(*place));
    *place = i as u16;
    if age <= RING.min(i) { age } else { 0 }
}

#[cold]
fn zeros(input: &[u8], i: usize, mut best: Match) -> Match {
    let zeros = input.iter().skip(i).take(MAX_MATCH);
    let zeros = zeros.take_while(|&&value| value == 0).count();
    for distance in [RING, i.saturating_add(zeros)] {
        if distance <= RING && best.len < MAX_MATCH {
            let len = matching(input, i, distance);
            if len > best.len {
                best = Match { distance, len };
            }
        }
    }
    best
}

/// How many bytes at `i` repeat those `distance` earlier, at most [`MAX_MATCH`]; what lies before
/// the input is zero.
fn matching(input: &[u8], i: usize, distance: usize) -> usize {
    let ahead = input.get(i..).unwrap_or_default();
    ahead
        .iter()
        .take(MAX_MATCH)
        .enumerate()
        .take_while(|&(k, &value)| {
            let source = match (i + k).checked_sub(distance) {
                Some(source) => input.get(source).copied(),
                None => Some(0),
            };
            source == Some(value)
        })
        .count()
}

/// `best`, or the match `distance` bytes before `i` if that is longer. `ahead` are the bytes at
/// `i`, unless the input ends before.
#[inline]
fn longer(
    input: &[u8],
    ahead: Option<&[u8; MAX_MATCH]>,
    i: usize,
    distance: usize,
    best: Match,
) -> Match {
    let len = match (ahead, input.get(i.wrapping_sub(distance)..)) {
        (Some(ahead), Some(from)) => match from.first_chunk::<MAX_MATCH>() {
            Some(from) => common(ahead, from),
            None => 0,
        },
        _ => matching(input, i, distance),
    };
    if len > best.len {
        Match { distance, len }
    } else {
        best
    }
}

/// How many bytes are equal from the beginning on.
#[inline]
fn common(a: &[u8; MAX_MATCH], b: &[u8; MAX_MATCH]) -> usize {
    let word = |bytes: &[u8; MAX_MATCH], at: usize| {
        let chunk = bytes.get(at..).and_then(|s| s.first_chunk::<8>());
        u64::from_le_bytes(*chunk.unwrap_or(&[0; 8]))
    };
    let mut equal = 0;
    // The last word overlaps the second: bytes 10..18.
    for at in [0, 8, 10] {
        let difference = word(a, at) ^ word(b, at);
        equal = at + difference.trailing_zeros() as usize / 8;
        if difference != 0 {
            break;
        }
    }
    equal
}

#[inline(always)]
fn four(bytes: &[u8], at: usize) -> Option<&[u8; 4]> {
    bytes.get(at..)?.first_chunk()
}
