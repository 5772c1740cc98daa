//! Which strat was the first with a code: a table of a fixed size, in which little is looked at.

/// Types that the table holds at most; levels have far fewer.
const TYPES: usize = 512;
/// Places that a code may lie at. A code that finds none is not held, so that a map of nothing but different
/// codes takes no longer than its length.
const PROBES: usize = 16;

/// For each code that was seen the number of its first strat, plus 1; open addressing.
pub(super) struct Seen([u32; TYPES]);

impl Seen {
    pub(super) const fn new() -> Self {
        Self([0; TYPES])
    }

    /// The first strat with this code, which is now `strat` if it is a new one; `None` when the table does not hold
    /// it. `code_of` tells the codes of strats that were seen.
    pub(super) fn first(
        &mut self,
        strat: u32,
        code: u32,
        mut code_of: impl FnMut(u32) -> u32,
    ) -> Option<u32> {
        let hash = (code.wrapping_mul(0x9E37_79B9) >> 16) as usize;
        for step in 0..PROBES {
            let slot = self.0.get_mut(hash.wrapping_add(step) % TYPES)?;
            let Some(first) = slot.checked_sub(1) else {
                *slot = strat.saturating_add(1);
                return Some(strat);
            };
            if code_of(first) == code {
                return Some(first);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Looks that so many strats take whose codes are `code` of their number, and how many of them are held.
    fn looks(count: u32, code: impl Fn(u32) -> u32) -> (usize, usize) {
        let (mut looks, mut held) = (0, 0);
        let mut seen = Seen::new();
        for strat in 0..count {
            let first = seen.first(strat, code(strat), |first| {
                looks += 1;
                code(first)
            });
            held += usize::from(first.is_some());
        }
        (looks, held)
    }

    #[test]
    fn a_level_s_types_are_all_held() {
        // Sixty types far from each other, close to each other, and five strats of each.
        for distance in [4, 0x14, 0x64, 0x1234] {
            let (looks, held) = looks(300, |strat| 0x4_0000 + strat % 60 * distance);
            assert_eq!(held, 300, "{distance:#x}");
            assert!((240..600).contains(&looks), "{distance:#x}: {looks}");
        }
    }

    #[test]
    fn more_codes_than_there_is_room_for_cost_no_more_each() {
        for distance in [1, 2, 4, 0x1234] {
            let count = 20_000;
            let (looks, held) = looks(count, |strat| strat.wrapping_mul(distance));
            assert!(looks <= count as usize * 16, "{distance}: {looks}");
            assert!((400..=TYPES).contains(&held), "{distance}: {held}");
        }
    }

    #[test]
    fn the_first_is_told() {
        let codes = [8, 20, 8, 8, 20, 4];
        let mut seen = Seen::new();
        let firsts = codes.iter().zip(0..).map(|(&code, strat)| {
            seen.first(strat, code, |first| codes[first as usize])
                .unwrap()
        });
        assert!(firsts.eq([0, 1, 0, 0, 1, 5]));
    }
}
