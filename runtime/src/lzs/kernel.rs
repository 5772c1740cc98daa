//! The one decoding loop behind the whole-slice decoder and the streaming ones.
//!
//! It can stop at any byte of its input and of its output; what it needs to go on is a [`State`].
//! Whole groups in the midst of both are left to [`wide`] or [`narrow`], whichever fits the machine's
//! words; here are the tokens at the ends.

use super::copy::{WORD, copy, words};
use super::{MIN_MATCH, RING, narrow, wide};

/// Where a decoder stands between two calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct State {
    /// Flags not yet used, inverted (a set bit is a back-reference), below a set bit that marks
    /// the end; 1 when a control byte is due.
    pub(super) flags: u32,
    /// First byte of a back-reference whose second has not come yet.
    low: Option<u8>,
    /// Bytes of the last back-reference for which there was no room.
    pub(super) left: u32,
    /// Distance of that back-reference.
    distance: u32,
}

/// What a decoder lacks when its input ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lack {
    Control,
    Literal,
    Backref,
}

impl State {
    pub(super) const START: Self = Self {
        flags: 1,
        low: None,
        left: 0,
        distance: 0,
    };

    /// The kind of byte the decoder needs next.
    pub(super) fn lack(&self) -> Lack {
        match self.flags {
            1 => Lack::Control,
            flags if flags & 1 == 0 => Lack::Literal,
            _ => Lack::Backref,
        }
    }
}

/// Decode from `source` into `out` from index `i` on, until one of them is used up; the bytes
/// read, and the index behind the last byte written.
///
/// `origin` is the ring position of the first byte of `out`, not yet masked; what lies before
/// that byte is zero. Up to [`SPAN`](super::copy::SPAN) bytes of `out` behind the index returned may have been
/// overwritten.
///
/// One function for all decoders, never inlined: the same speed and one copy in the instruction
/// cache.
#[inline(never)]
pub(super) fn run(
    state: &mut State,
    source: &[u8],
    out: &mut [u8],
    i: usize,
    origin: usize,
) -> (usize, usize) {
    run_as::<{ WORD >= 8 }>(state, source, out, i, origin)
}

/// [`run`] in one of its two forms, for `WIDE` words and for narrow ones: what they do not share is
/// how they decode whole groups.
#[inline(always)]
fn run_as<const WIDE: bool>(
    state: &mut State,
    source: &[u8],
    out: &mut [u8],
    mut i: usize,
    origin: usize,
) -> (usize, usize) {
    let mut at = 0;
    if state.left > 0 || state.low.is_some() {
        (at, i) = resume(state, source, out, i, origin);
        if state.left > 0 || state.low.is_some() {
            return (at, i);
        }
    }
    let mut flags = state.flags;
    while i < out.len() {
        if flags == 1 {
            if WIDE {
                (flags, at, i) = wide::groups(source, out, at, i, origin);
            } else {
                (at, i) = narrow::groups(state, source, out, at, i, origin);
                flags = state.flags;
            }
            if i >= out.len() {
                break;
            }
            if !WIDE || flags == 1 {
                let Some(&control) = source.get(at) else {
                    break;
                };
                at += 1;
                flags = u32::from(!control) | 0x100;
            }
        }
        if flags & 1 == 0 {
            // Eight bytes, where both sides have them.
            let from = source.get(at..).and_then(|s| s.first_chunk::<8>());
            let to = out.get_mut(i..).and_then(|s| s.first_chunk_mut::<8>());
            match (from, to) {
                (Some(from), Some(to)) if flags == 0x100 => {
                    words::<WIDE, 8>(from, to, 8);
                    at += 8;
                    i += 8;
                    flags = 1;
                    continue;
                }
                _ if WIDE => {
                    let run = flags.trailing_zeros() as usize;
                    let count = wide::literals(source, at, out, i, run);
                    at += count;
                    i += count;
                    flags >>= count;
                    if count < run {
                        break;
                    }
                    continue;
                }
                _ => {
                    let (Some(&value), Some(place)) = (source.get(at), out.get_mut(i)) else {
                        break;
                    };
                    *place = value;
                    at += 1;
                    i += 1;
                    flags >>= 1;
                    continue;
                }
            }
        }
        let Some(&[low, high]) = source.get(at..).and_then(|s| s.first_chunk::<2>()) else {
            if i < out.len() {
                state.low = source.get(at).copied();
                at = source.len();
            }
            break;
        };
        let (distance, len) = token(low, high, origin.wrapping_add(i));
        if copy::<WIDE>(out, i, distance, len) {
            i += len;
        } else if i < out.len() {
            i = cut(state, out, i, distance, len);
        } else {
            break;
        }
        at += 2;
        flags >>= 1;
    }
    state.flags = flags;
    (at, i)
}

/// Distance and length that a back-reference means at ring position `w` (not yet masked).
#[inline(always)]
pub(super) fn token(low: u8, high: u8, w: usize) -> (usize, usize) {
    let base = usize::from(low) | usize::from(high & 0xF0) << 4;
    let distance = (w.wrapping_sub(base + 1) & (RING - 1)) + 1;
    (distance, usize::from(high & 0x0F) + MIN_MATCH)
}

/// Go on inside a token: with the rest of a copy, or the second byte of a back-reference.
#[cold]
#[inline(never)]
fn resume(
    state: &mut State,
    source: &[u8],
    out: &mut [u8],
    i: usize,
    origin: usize,
) -> (usize, usize) {
    if state.left > 0 {
        let (distance, len) = (state.distance as usize, state.left as usize);
        state.left = 0;
        return (0, cut(state, out, i, distance, len));
    }
    match (state.low, source.first()) {
        (Some(low), Some(&high)) if i < out.len() => {
            state.low = None;
            state.flags >>= 1;
            let (distance, len) = token(low, high, origin.wrapping_add(i));
            (1, cut(state, out, i, distance, len))
        }
        _ => (0, i),
    }
}

/// Copy byte by byte as far as there is room, and keep the rest in mind; the index behind it.
#[cold]
#[inline(never)]
pub(super) fn cut(
    state: &mut State,
    out: &mut [u8],
    i: usize,
    distance: usize,
    len: usize,
) -> usize {
    let end = out.len().min(i.saturating_add(len));
    for at in i..end {
        // Each byte is stored before a later one reads it (sheet, "Rules that matter").
        let value = match at.checked_sub(distance) {
            Some(from) => out.get(from).copied().unwrap_or(0),
            // Cells never written are zero.
            None => 0,
        };
        if let Some(place) = out.get_mut(at) {
            *place = value;
        }
    }
    state.left = (len - end.saturating_sub(i).min(len)) as u32;
    state.distance = distance as u32;
    end
}

#[cfg(test)]
mod tests {
    use super::super::START;
    use super::*;

    extern crate std;
    use std::vec;
    use std::vec::Vec;

    /// Numbers that look random.
    struct Noise(u32);

    impl Noise {
        fn below(&mut self, limit: u32) -> u32 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 17;
            self.0 ^= self.0 << 5;
            (self.0 >> 8) % limit
        }
    }

    /// A stream with every kind of token, and the size of what it decodes to: `literals` of eight
    /// tokens are such, references lie up to `reach` back.
    fn stream(noise: &mut Noise, groups: u32, literals: u32, reach: u32) -> (Vec<u8>, usize) {
        let mut source: Vec<u8> = Vec::new();
        let mut position = 0;
        for _ in 0..groups {
            let control_at = source.len();
            let mut flag = || u8::from(noise.below(8) < literals);
            source.push((0..8).fold(0, |flags, _| flags << 1 | flag()));
            for bit in 0..8 {
                if source[control_at] >> bit & 1 != 0 {
                    source.push(noise.below(256) as u8);
                    position += 1;
                } else {
                    let distance = 1 + noise.below(reach) as usize;
                    let base = (START + position).wrapping_sub(distance) % RING;
                    let len = noise.below(16) as usize;
                    source.push(base as u8);
                    source.push((base >> 4 & 0xF0 | len) as u8);
                    position += len + 3;
                }
            }
        }
        (source, position)
    }

    fn go(
        wide: bool,
        state: &mut State,
        source: &[u8],
        out: &mut [u8],
        i: usize,
    ) -> (usize, usize) {
        match wide {
            true => run_as::<true>(state, source, out, i, START),
            false => run_as::<false>(state, source, out, i, START),
        }
    }

    /// The form for narrow words, which the machine that runs this may not use, does the same as
    /// the one for wide words: on streams with every kind of token, however they are cut.
    #[test]
    fn both_forms_agree() {
        let mut noise = Noise(0x2545_F491);
        for round in 0..400 {
            // Near and far references, more or fewer literals.
            let (literals, groups) = (noise.below(9), noise.below(60));
            let reach = [8, 40, 300, 4096][round % 4];
            let (source, position) = stream(&mut noise, groups, literals, reach);
            let want = position + noise.below(3) as usize;
            let ends = [
                (source.len(), want),
                (noise.below(source.len() as u32 + 1) as usize, want),
                (source.len(), noise.below(want as u32 + 1) as usize),
            ];
            for (end, open) in ends {
                let decode = |wide: bool| {
                    let mut out = vec![0xA5; want];
                    let mut state = State::START;
                    let (at, i) = go(wide, &mut state, &source[..end], &mut out[..open], 0);
                    let (more, i) = go(wide, &mut state, &source[at..], &mut out, i);
                    out.truncate(i);
                    (out, at + more, state)
                };
                assert_eq!(decode(true), decode(false), "round {round}");
                assert_eq!(decode(true).0.len(), want.min(position));
            }
        }
    }

    /// Pieces of input of every small size, and room that grows by every small size: after each
    /// piece both forms have written the same bytes and stand at the same place, which is as far as
    /// the piece goes.
    #[test]
    fn both_forms_agree_after_every_piece() {
        let mut noise = Noise(0x9E37_79B1);
        for size in 1..=40 {
            for (literals, reach) in [(8, 1), (7, 30), (4, 4096), (0, 9)] {
                let (source, want) = stream(&mut noise, 12, literals, reach);
                for growth in [want, 1 + noise.below(40) as usize] {
                    let mut outs = [(); 2].map(|()| vec![0xA5; want]);
                    let mut states = [State::START; 2];
                    let (mut at, mut end, mut open, mut i) = (0, 0, 0, 0);
                    while i < want {
                        end = (end + size).min(source.len());
                        open = (open + growth).min(want);
                        let [(read, to), narrow] = [true, false].map(|wide| {
                            let n = usize::from(wide);
                            let out = &mut outs[n][..open];
                            go(wide, &mut states[n], &source[at..end], out, i)
                        });
                        assert_eq!((read, to), narrow, "{size} {literals} {growth}");
                        assert_eq!(states[0], states[1], "{size} {literals} {growth}");
                        assert_eq!(outs[0][..to], outs[1][..to], "{size} {literals} {growth}");
                        // One of both is used up.
                        assert!(at + read == end || to == open);
                        (at, i) = (at + read, to);
                    }
                }
            }
        }
    }
}
