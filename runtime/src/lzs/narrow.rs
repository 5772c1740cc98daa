//! Whole groups on a machine of narrow words, where bytes and checks count.

use super::copy::{copy, words};
use super::kernel::{State, cut, token};

/// Decode whole groups while the input has the bytes of the largest one, so that no token asks
/// for them again; the bytes read, and the index behind the last byte written. Ends between two
/// groups or at the end of `out`, and leaves its flags in `state`.
#[inline(always)]
pub(super) fn groups(
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
                let pair = tokens.get(g & 15..).and_then(|s| s.first_chunk::<2>());
                let &[low, high] = pair.unwrap_or(&[0; 2]);
                g += 2;
                let (distance, len) = token(low, high, origin.wrapping_add(i));
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
