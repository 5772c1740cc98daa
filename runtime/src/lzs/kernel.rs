//! The one decoding loop behind the whole-slice decoder and the streaming ones.
//!
//! It can stop at any byte of its input and of its output; what it needs to go on is a [`State`].
//! Copies go by machine words: a short check per token, none per byte.

use super::{MAX_MATCH, MIN_MATCH, RING};

/// Bytes of a machine word, the unit of copies.
const WORD: usize = size_of::<usize>();

/// Bytes that a copy by words may write: the longest match, rounded up to whole words.
const SPAN: usize = MAX_MATCH.div_ceil(WORD) * WORD;

/// Bytes from the source of a near match on that its copy may touch: a distance below [`SPAN`]
/// and a span, which is at most 48 bytes; a power of two and one word serve index masks.
const NEAR: usize = 64 + WORD;

/// For each distance below a word: the bytes of a word that are whole repetitions. A table, as
/// small machines divide slowly.
const STEPS: [usize; WORD] = {
    let mut steps = [WORD; WORD];
    let mut distance = 1;
    while distance < WORD {
        steps[distance] = WORD - WORD % distance;
        distance += 1;
    }
    steps
};

/// Where a decoder stands between two calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct State {
    /// Flags not yet used, inverted (a set bit is a back-reference), below a set bit that marks
    /// the end; 1 when a control byte is due.
    flags: u32,
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
/// that byte is zero. Up to [`SPAN`] bytes of `out` behind the index returned may have been
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

/// [`run`] in one of its two forms.
///
/// With `WIDE` words a whole span is copied faster than its length is looked at, and literals up
/// to the next match are copied in one go, as a wrongly predicted branch costs more than bytes
/// copied in vain. Without, bytes and checks count: see [`groups`].
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
            if !WIDE {
                (at, i) = groups(state, source, out, at, i, origin);
                flags = state.flags;
                if i >= out.len() {
                    break;
                }
            }
            let Some(&control) = source.get(at) else {
                break;
            };
            at += 1;
            flags = u32::from(!control) | 0x100;
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
                (Some(from), Some(to)) if WIDE => {
                    // All literals up to the next match in one go.
                    *to = *from;
                    let run = flags.trailing_zeros();
                    at += run as usize;
                    i += run as usize;
                    flags >>= run;
                    if flags == 1 {
                        continue;
                    }
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

/// Decode whole groups while the input has the bytes of the largest one, so that no token asks
/// for them again; the bytes read, and the index behind the last byte written. Ends between two
/// groups or at the end of `out`, and leaves its flags in `state`.
#[inline(always)]
fn groups(
    state: &mut State,
    source: &[u8],
    out: &mut [u8],
    mut at: usize,
    mut i: usize,
    origin: usize,
) -> (usize, usize) {
    let mut flags = 1;
    // A control byte, sixteen bytes of tokens, and one for the index mask.
    while let Some([control, tokens @ ..]) = source.get(at..).and_then(|s| s.first_chunk::<18>()) {
        if i >= out.len() {
            break;
        }
        at += 1;
        if let (0xFF, Some(from), Some(to)) = (
            *control,
            tokens.first_chunk::<8>(),
            out.get_mut(i..).and_then(|s| s.first_chunk_mut::<8>()),
        ) {
            words::<false, 8>(from, to, 8);
            at += 8;
            i += 8;
            continue;
        }
        flags = u32::from(!control) | 0x100;
        // The masks change nothing, but show that no index needs a check.
        let mut g = 0;
        while flags != 1 {
            let Some(place) = out.get_mut(i) else {
                break;
            };
            if flags & 1 == 0 {
                *place = tokens.get(g & 15).copied().unwrap_or(0);
                g += 1;
                i += 1;
            } else {
                let token = tokens.get(g & 15..).and_then(|s| s.first_chunk::<2>());
                let &[low, high] = token.unwrap_or(&[0; 2]);
                g += 2;
                let (distance, len) = self::token(low, high, origin.wrapping_add(i));
                if copy::<false>(out, i, distance, len) {
                    i += len;
                } else {
                    i = cut(state, out, i, distance, len);
                }
            }
            flags >>= 1;
        }
        at += g;
    }
    state.flags = flags;
    (at, i)
}

/// Distance and length that a back-reference means at ring position `w` (not yet masked).
#[inline(always)]
fn token(low: u8, high: u8, w: usize) -> (usize, usize) {
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
fn cut(state: &mut State, out: &mut [u8], i: usize, distance: usize, len: usize) -> usize {
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

/// Append `len` bytes at `i` that lie `distance` bytes earlier, if there is room for a span;
/// whether it was done.
#[inline(always)]
fn copy<const WIDE: bool>(out: &mut [u8], i: usize, distance: usize, len: usize) -> bool {
    let Some((head, tail)) = out.split_at_mut_checked(i) else {
        return false;
    };
    let Some(to) = tail.first_chunk_mut::<SPAN>() else {
        return false;
    };
    let Some(start) = i.checked_sub(distance) else {
        // The source begins before the slice; a fast copy must end there, too.
        let zeros = distance - i >= len;
        if zeros {
            words::<WIDE, SPAN>(&[0; SPAN], to, len);
        }
        return zeros;
    };
    if let Some(from) = head.get(start..).and_then(|s| s.first_chunk::<SPAN>()) {
        words::<WIDE, SPAN>(from, to, len);
        return true;
    }
    match out.get_mut(start..).and_then(|s| s.first_chunk_mut()) {
        Some(near) => {
            repeat::<WIDE>(near, distance, len);
            true
        }
        None => false,
    }
}

/// Copy `len` bytes, rounded up to whole words.
#[inline(always)]
fn words<const WIDE: bool, const N: usize>(from: &[u8; N], to: &mut [u8; N], len: usize) {
    if WIDE {
        *to = *from;
        return;
    }
    // Written out: a loop would become a call of `memcpy`, which costs more than the copy.
    move_word(from, to, 0);
    if len > WORD {
        move_word(from, to, WORD);
    }
    if len > 2 * WORD {
        move_word(from, to, 2 * WORD);
    }
    if len > 3 * WORD {
        move_word(from, to, 3 * WORD);
    }
    if len > 4 * WORD {
        move_word(from, to, 4 * WORD);
    }
}

#[inline(always)]
fn move_word(from: &[u8], to: &mut [u8], at: usize) {
    if let Some(word) = load(from, at) {
        store(to, at, word);
    }
}

/// The word at `at`, in little-endian order whatever the machine.
#[inline(always)]
fn load(from: &[u8], at: usize) -> Option<usize> {
    let bytes = from.get(at..)?.first_chunk::<WORD>()?;
    Some(usize::from_le_bytes(*bytes))
}

#[inline(always)]
fn store(to: &mut [u8], at: usize, word: usize) {
    if let Some(bytes) = to.get_mut(at..).and_then(|s| s.first_chunk_mut::<WORD>()) {
        *bytes = word.to_le_bytes();
    }
}

/// Write `len` bytes from `near[distance]` on, each equal to the one `distance` bytes before
/// it; `distance` is 1..[`SPAN`]. What follows them is overwritten up to a word.
#[inline(always)]
fn repeat<const WIDE: bool>(near: &mut [u8; NEAR], distance: usize, len: usize) {
    // The masks change nothing, but show the compiler that no index can leave the array.
    const MASK: usize = NEAR - WORD - 1;
    let distance = distance & MASK;
    let mut done = 0;
    if distance >= WORD {
        // A word ends before the place where it is repeated.
        while done < len || WIDE && done < SPAN {
            if let Some(word) = load(near, done & MASK) {
                store(near, (distance + done) & MASK, word);
            }
            done += WORD;
        }
        return;
    }
    let Some(mut word) = load(near, 0) else {
        return;
    };
    // Fill the word with the first bytes, then write it at steps of whole repetitions.
    let mut bits = distance * 8;
    word &= !(usize::MAX << bits);
    while bits < usize::BITS as usize {
        word |= word << bits;
        bits *= 2;
    }
    let step = STEPS.get(distance % WORD).copied().unwrap_or(WORD);
    while done < len {
        store(near, (distance + done) & MASK, word);
        done += step;
    }
}

#[cfg(test)]
mod tests {
    use super::super::START;
    use super::*;

    extern crate std;
    use std::vec;
    use std::vec::Vec;

    /// The form for narrow words, which the machine that runs this may not use, does the same as
    /// the one for wide words: on streams with every kind of token, however they are cut.
    #[test]
    fn both_forms_agree() {
        let mut noise = 0x2545_F491_u32;
        let mut below = |limit: u32| {
            noise ^= noise << 13;
            noise ^= noise >> 17;
            noise ^= noise << 5;
            (noise >> 8) % limit
        };
        for round in 0..400 {
            // Near and far references, more or fewer literals.
            let literals = below(9);
            let reach = [8, 40, 300, 4096][round % 4];
            let mut source: Vec<u8> = Vec::new();
            let mut position = 0;
            for _ in 0..below(60) {
                let control_at = source.len();
                source.push((0..8).fold(0, |flags, _| flags << 1 | u8::from(below(8) < literals)));
                for bit in 0..8 {
                    if source[control_at] >> bit & 1 != 0 {
                        source.push(below(256) as u8);
                        position += 1;
                    } else {
                        let distance = 1 + below(reach) as usize;
                        let base = (START + position).wrapping_sub(distance) % RING;
                        let len = below(16) as usize;
                        source.push(base as u8);
                        source.push((base >> 4 & 0xF0 | len) as u8);
                        position += len + 3;
                    }
                }
            }
            let want = position + below(3) as usize;
            let ends = [
                (source.len(), want),
                (below(source.len() as u32 + 1) as usize, want),
                (source.len(), below(want as u32 + 1) as usize),
            ];
            for (end, open) in ends {
                let decode = |wide: bool| {
                    let mut out = vec![0xA5; want];
                    let mut state = State::START;
                    let mut go = |source: &[u8], out: &mut [u8], i| match wide {
                        true => run_as::<true>(&mut state, source, out, i, START),
                        false => run_as::<false>(&mut state, source, out, i, START),
                    };
                    let (at, i) = go(&source[..end], &mut out[..open], 0);
                    let (more, i) = go(&source[at..], &mut out, i);
                    out.truncate(i);
                    (out, at + more, state)
                };
                assert_eq!(decode(true), decode(false), "round {round}");
                assert_eq!(decode(true).0.len(), want.min(position));
            }
        }
    }
}
