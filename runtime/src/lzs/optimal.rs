//! The optimal parse: dynamic programming over position and token index modulo 8.
//!
//! A control byte is charged for every eight tokens, so the cost of what follows depends on the
//! phase in which it begins (sheet, "Encoder strategy", 5). The costs of the eight phases of one
//! position lie side by side and are treated as one vector.

use core::hint::black_box;

use super::finder::{Finder, Match};
use super::{MAX_MATCH, MIN_MATCH};

/// Working memory of the optimal parse for one byte of input: 12 bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Step {
    /// The longest match that begins here; every shorter one has the same distance.
    distance: u16,
    longest: u8,
    /// For each phase: in the lowest bits, the code of the token to write.
    choice: [u8; 8],
}

impl Step {
    /// Step of an input not yet looked at.
    pub const NEW: Self = Self {
        distance: 0,
        longest: 0,
        choice: [0; 8],
    };

    /// The token to write when `phase` tokens are in the open group: a match, or none.
    pub(super) fn choice(&self, phase: usize) -> Match {
        let code = self.choice.get(phase).map_or(u8::MAX, |&code| code);
        // The code of a literal is above the longest match, which leaves no length.
        let code = usize::from(code) % UNIT as usize;
        Match {
            distance: usize::from(self.distance),
            len: MAX_MATCH.saturating_sub(code),
        }
    }
}

/// A cost in bytes times [`UNIT`], and below it a code for the token that gives it: equal costs
/// prefer the smaller code. The eight phases of a position.
type Row = [i16; 8];

const UNIT: i16 = 32;
/// Code of a literal; that of a match is [`MAX_MATCH`] less its length.
const LITERAL: i16 = 31;
/// What a token costs in addition: in phase 0 it opens a group.
const OPEN: Row = [UNIT, 0, 0, 0, 0, 0, 0, 0];
/// What a back-reference of each length costs, with its code, in all phases.
static REFERENCES: [Row; ROWS] = {
    let mut rows = [[0; 8]; ROWS];
    let mut len = MIN_MATCH;
    while len <= MAX_MATCH {
        rows[len] = [2 * UNIT + (MAX_MATCH - len) as i16; 8];
        len += 1;
    }
    rows
};
/// Rows kept: a power of two above the longest match.
const ROWS: usize = 32;
/// Costs are counted from anew after so many positions, long before they leave their 10 bits.
const RENEW: usize = 256;

/// Choose the token for every position and phase. `steps` has the length of the input.
pub(super) fn plan(mut finder: Finder<'_>, steps: &mut [Step]) {
    let mut found = Match::NONE;
    for (i, step) in steps.iter_mut().enumerate() {
        found = finder.longer(i, found.shortened());
        step.distance = found.distance as u16;
        step.longest = found.len as u8;
    }
    choose(steps);
}

/// Choose the cheapest tokens, from the end of the input towards its beginning.
#[inline(never)]
fn choose(steps: &mut [Step]) {
    // For each position, by the tokens in the group before its token: what the input behind that
    // costs, from the end of the input towards its beginning.
    let mut rows: [Row; ROWS] = [[0; 8]; ROWS];
    // The row of the position behind, at hand.
    let mut after: Row = [0; 8];
    // Were the zeros known, the compiler would take the vector apart.
    let open = black_box(OPEN);
    // Bit k: a match of the shortest kind is the choice at `i + k` in some phase.
    let mut shortest = 0_u32;
    let mut i = steps.len();
    for step in steps.iter_mut().rev() {
        i -= 1;
        shortest <<= 1;
        let mut best = after.map(|cost| cost.wrapping_add(UNIT + LITERAL));
        let longest = u32::from(step.longest);
        if longest >= MIN_MATCH as u32 {
            // What follows costs no more one byte further on, in the same phase: a literal there
            // can be left out, a match be shortened. Only a match of the shortest kind cannot; so
            // besides the longest match, just those that end at such a place can be the best.
            let mut lens = 1 << longest | shortest & !(!0 << longest) & (!0 << MIN_MATCH);
            while lens != 0 {
                let len = lens.trailing_zeros() as usize;
                lens &= lens - 1;
                let token = REFERENCES.get(len % ROWS).unwrap_or(&OPEN);
                let then = row(&rows, i + len);
                for ((best, then), token) in best.iter_mut().zip(then).zip(token) {
                    *best = then.wrapping_add(*token).min(*best);
                }
            }
        }
        step.choice = narrow(best.map(|best| best & (UNIT - 1)));
        shortest |= u32::from(any_shortest(step.choice));
        let mut costs = best.map(|best| best & !(UNIT - 1));
        // The first token of a group pays for the control byte.
        for (cost, open) in costs.iter_mut().zip(open) {
            *cost = cost.wrapping_add(open);
        }
        // With its token the group has one more.
        let [a, b, c, d, e, f, g, h] = costs;
        after = [b, c, d, e, f, g, h, a];
        if let Some(place) = rows.get_mut(i % ROWS) {
            *place = after;
        }
        if i.is_multiple_of(RENEW) {
            // The costs that later steps look at lie within some twenty bytes of each other.
            let least = after.iter().fold(i16::MAX, |least, &cost| least.min(cost));
            let less = least.saturating_sub(64 * UNIT).max(0);
            for cost in rows.as_flattened_mut() {
                *cost = cost.wrapping_sub(less);
            }
            after = row(&rows, i);
        }
    }
}

#[inline]
fn row(rows: &[Row; ROWS], i: usize) -> Row {
    rows.get(i % ROWS).copied().unwrap_or_default()
}

/// Whether one of the codes is that of a match of the shortest kind.
#[inline]
fn any_shortest(codes: [u8; 8]) -> bool {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    // A byte that is zero borrows from its uppermost bit; no code has that bit.
    let others = u64::from_le_bytes(codes) ^ (ONES * (MAX_MATCH - MIN_MATCH) as u64);
    others.wrapping_sub(ONES) & (ONES << 7) != 0
}

/// The eight codes as bytes. The compiler would take each from its lane by itself.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline]
fn narrow(codes: Row) -> [u8; 8] {
    let codes = safe_arch::m128i::from(codes);
    let bytes: [u8; 16] = safe_arch::pack_i16_to_u8_m128i(codes, codes).into();
    bytes.first_chunk().copied().unwrap_or_default()
}

/// The eight codes as bytes.
#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
#[inline]
fn narrow(codes: Row) -> [u8; 8] {
    codes.map(|code| code as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_told_apart_in_every_phase() {
        let shortest = (MAX_MATCH - MIN_MATCH) as i16;
        for phase in 0..8 {
            for code in 0..UNIT {
                for other in [0, shortest - 1, shortest + 1, LITERAL] {
                    let mut codes = [other; 8];
                    codes[phase] = code;
                    let bytes = narrow(codes);
                    assert_eq!(bytes.map(i16::from), codes);
                    assert_eq!(any_shortest(bytes), code == shortest, "{phase} {other}");
                }
            }
        }
    }
}
