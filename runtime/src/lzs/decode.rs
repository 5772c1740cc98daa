//! The whole-slice decoder: ring-free, one pass, no scratch.

use super::kernel::{Lack, State, run};
use super::{Error, MAX_MATCH, MIN_MATCH, START};

/// Decode `source` until `out` is full; the number of source bytes used.
///
/// Bytes after the last token are ignored. A back-reference that would pass the end of `out` is
/// cut there and counts as used. An empty `out` uses nothing. On an error the content of `out`
/// is unspecified; an `out` longer than [`most`] of the source is left as it is.
///
/// # Errors
/// [`Error::TruncatedControl`], [`Error::TruncatedLiteral`] or [`Error::TruncatedBackref`] when
/// `source` ends early.
pub fn decode(source: &[u8], out: &mut [u8]) -> Result<usize, Error> {
    whole(source, out).map(|(consumed, _)| consumed)
}

/// As [`decode`], but refuse a stream whose last back-reference does not end exactly at the
/// end of `out`: a check for encoders, not a fault of the format.
///
/// # Errors
/// As [`decode`], and [`Error::SizeSplitsToken`].
pub fn decode_strict(source: &[u8], out: &mut [u8]) -> Result<usize, Error> {
    match whole(source, out)? {
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

/// The most bytes that any stream of `len` bytes decodes to: eight matches of the longest kind
/// for every 17 bytes, and what the rest can hold (sheet, "Allocation-free, ring-free form",
/// bounds).
///
/// A declared size above it cannot be honest. Ask before memory is reserved for the size.
#[must_use]
pub const fn most(len: usize) -> usize {
    let whole = (len / 17).saturating_mul(8 * MAX_MATCH);
    // Behind its control byte, the last group holds matches and perhaps one literal.
    let rest = (len % 17).saturating_sub(1);
    whole.saturating_add(rest / 2 * MAX_MATCH + rest % 2)
}

/// What [`decode`] would answer for an output of `want` bytes, without one: walks the tokens,
/// writes nothing. The work is bounded by `source`, whatever `want` is.
///
/// # Errors
/// As [`decode`].
pub fn measure(source: &[u8], want: usize) -> Result<usize, Error> {
    let mut bytes = source.iter();
    let mut out = 0_usize;
    while out < want {
        let control = *bytes.next().ok_or(Error::TruncatedControl { out, want })?;
        let mut flags = u32::from(control) | 0x100;
        while flags != 1 && out < want {
            if flags & 1 != 0 {
                bytes.next().ok_or(Error::TruncatedLiteral { out, want })?;
                out += 1;
            } else {
                let high = bytes.nth(1).ok_or(Error::TruncatedBackref { out, want })?;
                out = out.saturating_add(usize::from(high & 0x0F) + MIN_MATCH);
            }
            flags >>= 1;
        }
    }
    Ok(source.len() - bytes.len())
}

/// Source bytes used, and bytes of the last token that lie past the end of `out`.
fn whole(source: &[u8], out: &mut [u8]) -> Result<(usize, usize), Error> {
    let want = out.len();
    if want > most(source.len()) {
        return measure(source, want).map(|consumed| (consumed, 0));
    }
    let mut state = State::START;
    let (consumed, done) = run(&mut state, source, out, 0, START);
    if done < want {
        return Err(truncated(&state, done, want));
    }
    Ok((consumed, state.left as usize))
}

/// The error of a stream that ended in this state.
pub(super) fn truncated(state: &State, out: usize, want: usize) -> Error {
    match state.lack() {
        Lack::Control => Error::TruncatedControl { out, want },
        Lack::Literal => Error::TruncatedLiteral { out, want },
        Lack::Backref => Error::TruncatedBackref { out, want },
    }
}
