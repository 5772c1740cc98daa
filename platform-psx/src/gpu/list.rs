//! Checks a linked list before the GPU's DMA follows it.

use crate::dma::GPU_BLOCK;
use core::fmt;
use overworld_runtime::platform::LIST_END;

/// What is wrong with a linked list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListError {
    /// A link leads out of the list, or its packet reaches over the end.
    Outside {
        /// Index of the word whose link or length is wrong.
        at: usize,
        /// The address it names.
        link: u32,
    },
    /// A packet is longer than the FIFO, which the old GPU does not survive.
    TooLong {
        /// Index of the packet's first word.
        at: usize,
        /// Its words without the link.
        words: usize,
    },
    /// The links run in a circle.
    Endless,
}

impl fmt::Display for ListError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Outside { at, link } => write!(
                f,
                "the list leaves its memory at word {at} (link {link:06X})"
            ),
            Self::TooLong { at, words } => write!(
                f,
                "the packet at word {at} has {words} words, the FIFO takes {GPU_BLOCK}"
            ),
            Self::Endless => f.write_str("the list never ends"),
        }
    }
}

/// Follow the list from `list[first]` to its end mark; `base` is the bus address of `list[0]`.
/// The number of nodes.
///
/// Runs before every picture, so it gathers what is wrong and looks at it once, at the end: 27
/// cycles a node in the emulator's model, of which the load of the node takes six.
///
/// # Errors
/// See [`ListError`].
pub fn check(list: &[u32], base: u32, first: usize) -> Result<usize, ListError> {
    // Behind this place a packet could reach over the end.
    let near = list.len().wrapping_sub(GPU_BLOCK + 1);
    let (mut lengths, mut offsets, mut places) = (0, 0, 0);
    let mut at = first;
    let mut link = base.wrapping_add(4 * first as u32);
    // A list without a circle has at most one node for each word. Counted downwards: that test
    // is the cheapest.
    let mut left = list.len();
    while left != 0 {
        left -= 1;
        let Some(&node) = list.get(at) else { break };
        // Most of an ordering table is empty entries, each of which leads to the one before.
        if node == link.wrapping_sub(4) {
            (link, at) = (node, at.wrapping_sub(1));
            continue;
        }
        lengths |= (node >> 24) + (0x7F - GPU_BLOCK as u32);
        places |= near.wrapping_sub(at);
        link = node & LIST_END;
        if link == LIST_END {
            if lengths < 0x80 && offsets & 3 == 0 && places <= isize::MAX as usize {
                return Ok(list.len() - left);
            }
            break;
        }
        let offset = link.wrapping_sub(base);
        offsets |= offset;
        at = (offset / 4) as usize;
    }
    diagnose(list, base, first)
}

/// [`check`], one question after the other.
#[cold]
fn diagnose(list: &[u32], base: u32, first: usize) -> Result<usize, ListError> {
    let mut at = first;
    let mut link = LIST_END;
    // Where the link stands that led here.
    let mut from = first;
    // A list without a circle has at most one node for each word.
    for nodes in 1..=list.len() {
        let Some(&node) = list.get(at) else { break };
        let words = (node >> 24) as usize;
        if words > GPU_BLOCK {
            return Err(ListError::TooLong { at, words });
        }
        from = at;
        link = node & LIST_END;
        if words >= list.len() - at {
            return Err(ListError::Outside { at, link });
        }
        if link == LIST_END {
            return Ok(nodes);
        }
        let offset = link.wrapping_sub(base);
        at = (offset / 4) as usize;
        if offset & 3 != 0 {
            return Err(ListError::Outside { at: from, link });
        }
    }
    if at < list.len() {
        return Err(ListError::Endless);
    }
    Err(ListError::Outside { at: from, link })
}
