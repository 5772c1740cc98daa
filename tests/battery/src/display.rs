//! Ordering table and display list, against addresses worked out by hand.

use core::convert::Infallible;
use core::marker::PhantomData;

use overworld_runtime::gpu::{DisplayList, Full};
use overworld_runtime::platform::{LIST_END, Screen, clear_table};

use crate::check::{Check, List, same, same_hex, words};

pub(crate) struct Tests<G>(PhantomData<G>);

impl<G: 'static> Tests<G> {
    pub(crate) const ALL: List<G> = &[
        ("gpu/clear-table", clear),
        ("gpu/display-list", list),
        ("gpu/display-list-full", full),
    ];
}

/// A screen that shows nothing and says that the first word lies at `.0`.
pub(crate) struct At(pub(crate) u32);

impl Screen for At {
    type Error = Infallible;

    fn bus_address(&self, _: &[u32]) -> u32 {
        self.0
    }

    fn upload(&mut self, _: u16, _: u16, _: u16, _: u16, _: &[u8]) -> Result<(), Infallible> {
        Ok(())
    }

    fn draw(&mut self, _: &[u32], _: usize) -> Result<(), Infallible> {
        Ok(())
    }

    fn present(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

/// Entry 0 ends the list, entry `n` links to entry `n - 1`.
fn clear<G>(_: &mut G) -> Check {
    let mut table = [0xA5A5_A5A5; 5];
    clear_table(&mut table, 0x8012_3450);
    words(
        format_args!("table at 80123450"),
        &table,
        &[0xFF_FFFF, 0x12_3450, 0x12_3454, 0x12_3458, 0x12_345C],
    )?;
    let mut large = [0; 1024];
    clear_table(&mut large, 0);
    for (at, &entry) in large.iter().enumerate().skip(1) {
        same_hex!(entry, 4 * (at as u32 - 1), "entry {at}");
    }
    let mut none: [u32; 0] = [];
    clear_table(&mut none, 0);
    Ok(())
}

/// Walk a list from `first`; the packets' words without tags, and how many nodes there were.
pub(crate) fn walk(words: &[u32], base: u32, first: usize, out: &mut [u32]) -> (usize, usize) {
    let (mut at, mut len, mut nodes) = (first, 0, 0);
    // A list of this many words has no more nodes: one that never ends is noticed.
    for _ in 0..=words.len() {
        let tag = words.get(at).copied().unwrap_or(LIST_END);
        for n in 0..(tag >> 24) as usize {
            if let (Some(to), Some(&from)) = (out.get_mut(len), words.get(at + 1 + n)) {
                *to = from;
                len += 1;
            }
        }
        nodes += 1;
        let link = tag & 0xFF_FFFF;
        if link == LIST_END {
            return (len, nodes);
        }
        at = (link.wrapping_sub(base & 0xFF_FFFF) / 4) as usize;
    }
    (len, usize::MAX)
}

/// Packets in three buckets: addresses, tags and the order in which the GPU meets them.
fn list<G>(_: &mut G) -> Check {
    let mut screen = At(0x8010_0000);
    let mut room = [0; 16];
    let mut list = DisplayList::new(&mut room, 4);
    list.begin(&mut screen);
    same!(list.push(1, &[0x11, 0x12]), Ok(()), "push 1");
    same!(list.push(3, &[0x21]), Ok(()), "push 2");
    same!(list.push(1, &[0x31]), Ok(()), "push 3");
    same!(list.push(1000, &[0x41]), Ok(()), "push 4");
    same!(list.head(), 3, "head");
    words(
        format_args!("list"),
        list.words().get(..13).unwrap_or_default(),
        &[
            0x00FF_FFFF, // bucket 0: the end
            0x0010_0024, // bucket 1: to the third packet, word 9
            0x0010_0004, // bucket 2: empty, on to bucket 1
            0x0010_002C, // bucket 3: to the fourth packet, word 11
            0x0210_0000, // first packet, two words, on to bucket 0
            0x11,
            0x12,
            0x0110_0008, // second packet, on to bucket 2
            0x21,
            0x0110_0010, // third packet, on to the first
            0x31,
            0x0110_001C, // fourth packet, on to the second
            0x41,
        ],
    )?;
    let mut met = [0; 8];
    let (len, nodes) = walk(list.words(), 0x8010_0000, list.head(), &mut met);
    same!((len, nodes), (5, 8), "words and nodes that the GPU meets");
    words(
        format_args!("order of drawing"),
        met.get(..len).unwrap_or_default(),
        &[0x41, 0x21, 0x31, 0x11, 0x12],
    )
}

/// A packet that does not fit is refused and leaves the list as it was.
fn full<G>(_: &mut G) -> Check {
    let mut screen = At(0);
    let mut room = [0; 6];
    let mut list = DisplayList::new(&mut room, 2);
    list.begin(&mut screen);
    let refused = Full { needed: 5, free: 4 };
    same!(list.push(0, &[1, 2, 3, 4]), Err(refused), "five words");
    same!(list.push(0, &[1, 2, 3]), Ok(()), "four words");
    same!(
        list.push(0, &[]),
        Err(Full { needed: 1, free: 0 }),
        "one more"
    );
    words(
        format_args!("list"),
        list.words(),
        &[8, 0, 0x03FF_FFFF, 1, 2, 3],
    )
}
