//! Whole groups on a machine of wide words, where a span is copied faster than its length is looked
//! at, and a branch that is predicted wrongly costs more than bytes copied in vain.

use super::copy::{SPAN, copy};
use super::{MAX_MATCH, MIN_MATCH, RING};

/// Bytes of input that decoding one group may look at: the control byte, and eight bytes behind at
/// most 15 of tokens, which is also the largest index that a mask allows.
const GROUP: usize = 1 + 15 + 8;

/// Bytes of a group of literals.
const LITERALS: usize = 1 + 8;

/// Decode whole groups while the input has the bytes of the largest one and the output has room
/// for a span; the flags left, the bytes read, and the index behind the last byte written.
///
/// It ends between two groups, or inside one before a token that wants more room or a look at
/// what lies before the output.
///
/// Each place is compared once with a limit, from which the compiler derives that nothing below
/// can leave its slice: the slices are taken in the way that lets it. A function of its own, as
/// it has use for every register.
#[inline(never)]
pub(super) fn groups(
    source: &[u8],
    out: &mut [u8],
    mut at: usize,
    mut i: usize,
    origin: usize,
) -> (u32, usize, usize) {
    let last = source.len().checked_sub(LITERALS);
    let limit = out.len().checked_sub(SPAN);
    let (Some(last), Some(limit)) = (last, limit) else {
        return (1, at, i);
    };
    // One before the ring position of the output's first byte.
    let behind = origin.wrapping_sub(1);
    while at <= last && i <= limit {
        let (Some([control, from @ ..]), Some(to)) = (
            source.get(at..).and_then(|s| s.first_chunk::<LITERALS>()),
            out.get_mut(i..).and_then(|s| s.first_chunk_mut::<8>()),
        ) else {
            break;
        };
        if *control == 0xFF {
            *to = *from;
            at += LITERALS;
            i += 8;
            continue;
        }
        let Some([_, tokens @ ..]) = source.get(at..).and_then(|s| s.first_chunk::<GROUP>()) else {
            break;
        };
        at += 1;
        let mut flags = u32::from(!control) | 0x100;
        let mut g = 0;
        while flags != 1 {
            // The masks change nothing, but show that no index needs a check.
            if flags & 1 == 0 {
                if i > limit {
                    return (flags, at + g, i);
                }
                // All literals up to the next match in one go.
                let from = tokens.get(g & 15..).and_then(|s| s.first_chunk::<8>());
                let to = out.get_mut(i..).and_then(|s| s.first_chunk_mut::<8>());
                if let (Some(from), Some(to)) = (from, to) {
                    *to = *from;
                }
                let run = flags.trailing_zeros();
                g += run as usize;
                i += run as usize;
                flags >>= run;
                if flags == 1 {
                    break;
                }
            }
            let pair = tokens.get(g & 15..).and_then(|s| s.first_chunk::<2>());
            let &[low, high] = pair.unwrap_or(&[0; 2]);
            let base = usize::from(low) | usize::from(high & 0xF0) << 4;
            let before = behind.wrapping_add(i).wrapping_sub(base) & (RING - 1);
            let len = usize::from(high & 0x0F) + MIN_MATCH;
            if before < MAX_MATCH - 1 {
                if !near(out, i, before + 1, len) {
                    return (flags, at + g, i);
                }
            } else {
                let start = i.wrapping_sub(before + 1);
                if i > limit || start >= i {
                    return (flags, at + g, i);
                }
                let from = out.get(start..).and_then(|s| s.first_chunk());
                if let Some(&from) = from {
                    let from: [u8; MAX_MATCH] = from;
                    if let Some(to) = out.get_mut(i..).and_then(|s| s.first_chunk_mut()) {
                        *to = from;
                    }
                }
            }
            i += len;
            g += 2;
            flags >>= 1;
        }
        at += g;
    }
    (1, at, i)
}

/// Copy `run` literals, 8 at most, from `source[at..]` to `out[i..]`, or as many as both have; how
/// many. Near the end of a piece of input it is always another number: no branch depends on it.
#[inline(always)]
pub(super) fn literals(source: &[u8], at: usize, out: &mut [u8], i: usize, run: usize) -> usize {
    let from = source.get(at..).unwrap_or_default();
    let to = out.get_mut(i..).unwrap_or_default();
    let count = run.min(from.len()).min(to.len());
    if let (Some(to), Some(last)) = (to.first_chunk_mut::<8>(), source.last_chunk::<8>()) {
        // The next eight bytes, or the last eight less those used.
        let next = from.first_chunk::<8>().unwrap_or(last);
        let used = 8 - from.len().min(8);
        let word = u64::from_le_bytes(*next).checked_shr(8 * used as u32);
        *to = word.unwrap_or(0).to_le_bytes();
    } else if let (Some(from), Some(to)) = (from.get(..count), to.get_mut(..count)) {
        to.copy_from_slice(from);
    }
    count
}

/// [`copy`] for a source that the copy itself may change, apart from the loop over tokens: runs
/// are not as frequent as to let it have registers there.
#[inline(never)]
fn near(out: &mut [u8], i: usize, distance: usize, len: usize) -> bool {
    copy::<true>(out, i, distance, len)
}
