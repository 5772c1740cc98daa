//! Copies inside the output, by machine words: a short check per token, none per byte.

use super::MAX_MATCH;

/// Bytes of a machine word, the unit of copies.
pub(super) const WORD: usize = size_of::<usize>();

/// Bytes that a copy by words may write: the longest match, rounded up to whole words.
pub(super) const SPAN: usize = MAX_MATCH.div_ceil(WORD) * WORD;

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

/// Append `len` bytes at `i` that lie `distance` bytes earlier, if there is room for a span;
/// whether it was done.
#[inline(always)]
pub(super) fn copy<const WIDE: bool>(
    out: &mut [u8],
    i: usize,
    distance: usize,
    len: usize,
) -> bool {
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
pub(super) fn words<const WIDE: bool, const N: usize>(
    from: &[u8; N],
    to: &mut [u8; N],
    len: usize,
) {
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
