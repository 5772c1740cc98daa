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
    // What the rest of the input costs, from its end towards its beginning.
    let mut rows: [Row; ROWS] = [[0; 8]; ROWS];
    // The row of the position behind, at hand.
    let mut after: Row = [0; 8];
    // Were the zeros known, the compiler would take the vector apart.
    let open = black_box(OPEN);
    // Bit k: a match of the shortest kind is the choice at `i + k` in some phase.
    let mut shortest = 0_u32;
    for (i, step) in steps.iter_mut().enumerate().rev() {
        shortest <<= 1;
        let mut best = after.map(|cost| cost.wrapping_add(UNIT + LITERAL));
        let longest = u32::from(step.longest);
        if longest >= MIN_MATCH as u32 {
            // What follows costs no more one byte further on, in the same phase: a literal there
            // can be left out, a match be shortened. Only a match of the shortest kind cannot; so
            // besides the longest match, just those that end at such a place can be the best.
            let mut lens = 1 << longest | shortest & !(!0 << longest) & (!0 << MIN_MATCH);
            while lens != 0 {
                let len = lens.ilog2() as usize;
                lens &= !(1 << len);
                let token = 2 * UNIT + (MAX_MATCH - len) as i16;
                let then = row(&rows, i + len);
                for (best, then) in best.iter_mut().zip(then) {
                    *best = then.wrapping_add(token).min(*best);
                }
            }
        }
        // The row tells what a token costs after which the group has so many; before it there
        // was one less, and the first of a group pays for the control byte.
        let [a, b, c, d, e, f, g, h] = best;
        let best = [b, c, d, e, f, g, h, a];
        step.choice = best.map(|best| best as u8);
        const SHORTEST: i16 = (MAX_MATCH - MIN_MATCH) as i16;
        let found = best.map(|best| i16::from(best & (UNIT - 1) == SHORTEST));
        shortest |= u32::from(found.iter().fold(0, |any, &one| any | one) != 0);
        let mut costs = best.map(|best| best & !(UNIT - 1));
        for (cost, open) in costs.iter_mut().zip(open) {
            *cost = cost.wrapping_add(open);
        }
        after = costs;
        if let Some(place) = rows.get_mut(i % ROWS) {
            *place = costs;
        }
        if i % RENEW == 0 {
            // The costs that later steps look at lie within some twenty bytes of each other.
            let least = costs.iter().fold(i16::MAX, |least, &cost| least.min(cost));
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
