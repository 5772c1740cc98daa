//! The decoder: ring-free, one pass, no scratch.

use super::{Error, MAX_MATCH, MIN_MATCH, RING, START};
use core::cell::Cell;

/// Whether this machine moves unaligned blocks in a few instructions, so that copying
/// [`MAX_MATCH`] bytes always beats copying the exact length.
const WIDE: bool = cfg!(target_pointer_width = "64");

/// Decode `source` until `out` is full; the number of source bytes used.
///
/// Bytes after the last token are ignored. A back-reference that would pass the end of `out` is
/// cut there and counts as used. An empty `out` uses nothing. On an error the content of `out`
/// is unspecified.
///
/// # Errors
/// [`Error::TruncatedControl`], [`Error::TruncatedLiteral`] or [`Error::TruncatedBackref`] when
/// `source` ends early.
pub fn decode(source: &[u8], out: &mut [u8]) -> Result<usize, Error> {
    run(source, out).map(|(consumed, _)| consumed)
}

/// As [`decode`], but refuse a stream whose last back-reference does not end exactly at the
/// end of `out`: a check for encoders, not a fault of the format.
///
/// # Errors
/// As [`decode`], and [`Error::SizeSplitsToken`].
pub fn decode_strict(source: &[u8], out: &mut [u8]) -> Result<usize, Error> {
    match run(source, out)? {
        (consumed, 0) => Ok(consumed),
        (_, over) => Err(Error::SizeSplitsToken { over }),
    }
}

/// Decode `want` bytes to the start of `out`, which may be longer.
///
/// # Errors
/// [`Error::OutputTooSmall`] before anything is decoded; else as [`decode`].
pub fn decode_sized(source: &[u8], want: usize, out: &mut [u8]) -> Result<usize, Error> {
    let room = out.len();
    let out = out
        .get_mut(..want)
        .ok_or(Error::OutputTooSmall { want, room })?;
    decode(source, out)
}

/// Source bytes used, and bytes of the last token that lie past the end of `out`.
fn run(source: &[u8], out: &mut [u8]) -> Result<(usize, usize), Error> {
    let want = out.len();
    let mut at = 0; // next source byte
    let mut i = 0; // next output byte
    while i < want {
        let control = *source
            .get(at)
            .ok_or(Error::TruncatedControl { out: i, want })?;
        at += 1;
        if control == 0xFF {
            // Eight literals at once, where both sides have them.
            let from = source.get(at..).and_then(|s| s.first_chunk::<8>());
            let to = out.get_mut(i..).and_then(|s| s.first_chunk_mut::<8>());
            if let (Some(from), Some(to)) = (from, to) {
                *to = *from;
                at += 8;
                i += 8;
                continue;
            }
        }
        // A ninth, set bit above the flags says when all eight are used.
        let mut flags = u32::from(control) | 0x100;
        while flags != 1 {
            let Some(place) = out.get_mut(i) else { break };
            if flags & 1 != 0 {
                *place = *source
                    .get(at)
                    .ok_or(Error::TruncatedLiteral { out: i, want })?;
                at += 1;
                i += 1;
            } else {
                let [low, high] = *source
                    .get(at..)
                    .and_then(|s| s.first_chunk::<2>())
                    .ok_or(Error::TruncatedBackref { out: i, want })?;
                at += 2;
                let base = usize::from(low) | usize::from(high & 0xF0) << 4;
                let full = usize::from(high & 0x0F) + MIN_MATCH;
                let len = full.min(want - i);
                let distance = ((START + i).wrapping_sub(base + 1) & (RING - 1)) + 1;
                reference(out, i, distance, len);
                // Past the end if the size cuts the token, which ends both loops.
                i += full;
            }
            flags >>= 1;
        }
    }
    Ok((at, i.saturating_sub(want)))
}

/// Append `len` bytes at `i` that lie `distance` bytes earlier; cells before the output are zero.
#[inline]
fn reference(out: &mut [u8], i: usize, distance: usize, len: usize) {
    if distance <= i {
        copy(out, i, distance, len);
        return;
    }
    let zeros = len.min(distance - i);
    if let Some(cells) = out.get_mut(i..i + zeros) {
        cells.fill(0);
    }
    if zeros < len {
        copy(out, i + zeros, distance, len - zeros);
    }
}

/// As [`reference`], for `distance <= i` and `i + len <= out.len()`.
#[inline]
fn copy(out: &mut [u8], i: usize, distance: usize, len: usize) {
    let start = i - distance;
    if WIDE && distance >= MAX_MATCH {
        // What is copied beyond `len` is overwritten by the tokens that follow: the output is
        // wanted at least to `i + MAX_MATCH`, or this path is not taken.
        if let Some((before, after)) = out.split_at_mut_checked(i) {
            let from = before
                .get(start..)
                .and_then(|s| s.first_chunk::<MAX_MATCH>());
            let to = after.first_chunk_mut::<MAX_MATCH>();
            if let (Some(from), Some(to)) = (from, to) {
                *to = *from;
                return;
            }
        }
    }
    let Some(window) = out.get_mut(start..i + len) else {
        return;
    };
    if distance == 1 {
        if let Some(&value) = window.first() {
            window.fill(value);
        }
        return;
    }
    // Cells let source and destination overlap; zip walks them in order, so each byte is stored
    // before a later one reads it, and no index is checked.
    let cells = Cell::from_mut(window).as_slice_of_cells();
    for (to, from) in cells.get(distance..).unwrap_or_default().iter().zip(cells) {
        to.set(from.get());
    }
}
