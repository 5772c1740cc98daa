//! The display list: an ordering table and the packets that hang from it, in one slice.

use core::fmt;

use crate::platform::Screen;

/// The most words that one node of a linked list holds.
const NODE: usize = 255;

/// The most words a list uses: links have 24 bits.
const LIMIT: usize = 1 << 22;

/// The bits of a link.
const LINK: u32 = 0x00FF_FFFF;

/// No room is left for a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Full {
    /// Words the packet needs, its tag included.
    pub needed: usize,
    /// Words that were left.
    pub free: usize,
}

impl fmt::Display for Full {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "display list full: a packet needs {} words and {} are left; give the list more words",
            self.needed, self.free
        )
    }
}

impl core::error::Error for Full {}

/// An ordering table and its packets (HAL sheet, section 4).
///
/// `words[0..buckets]` is the ordering table, packets follow in the order they are pushed. The
/// GPU starts at the last bucket, the farthest, and ends at bucket 0. A packet goes to the
/// *front* of its bucket: within a bucket the later packet is drawn first, as in the game
/// (TMD sheet, section 7). Links are bus addresses: `base + 4 * index`, 24 bits.
#[derive(Debug)]
pub struct DisplayList<'a> {
    words: &'a mut [u32],
    buckets: usize,
    base: u32,
    next: usize,
    window: Window,
}

/// The entries into which packets go: those of the ordering table, some of them, or those of a table in one of its
/// buckets.
#[derive(Clone, Copy, Debug)]
struct Window {
    /// The word of the first.
    at: usize,
    /// How many there are.
    len: usize,
    /// Which bucket the first one is.
    first: usize,
}

/// What was before a table in a bucket: see [`DisplayList::nest`].
#[derive(Debug)]
pub(crate) struct Nested {
    window: Window,
    next: usize,
    /// The word of the bucket, and what was in it.
    bucket: usize,
    entry: u32,
}

/// See [`DisplayList::parts`].
pub(crate) struct ListParts<'a> {
    /// The ordering table, or a part of it.
    pub(crate) buckets: &'a mut [u32],
    /// Which bucket the first of these is.
    pub(crate) first: usize,
    /// The free words but those that are kept.
    pub(crate) free: &'a mut [u32],
    /// The last free words, for something else.
    pub(crate) kept: &'a [u32],
    /// Bus address of the first free word, 24 bits.
    pub(crate) address: u32,
}

impl<'a> DisplayList<'a> {
    /// A list over `words`, the first `buckets` of which (at least one, at most all) are the
    /// ordering table. Call [`DisplayList::begin`] before the first push of a frame.
    #[must_use]
    pub fn new(words: &'a mut [u32], buckets: usize) -> Self {
        let limit = words.len().min(LIMIT);
        let words = words.get_mut(..limit).unwrap_or_default();
        let buckets = buckets.clamp(1, words.len().max(1));
        // Until `begin` there is no table: a push finds no room.
        let next = words.len();
        Self {
            words,
            buckets,
            base: 0,
            next,
            window: Window::of_all(buckets),
        }
    }

    /// Drop all packets and clear the table, for a frame drawn by `screen`.
    pub fn begin<S: Screen>(&mut self, screen: &mut S) {
        self.base = screen.bus_address(self.words);
        if let Some(table) = self.words.get_mut(..self.buckets) {
            screen.clear_table(table, self.base);
        }
        self.next = self.buckets.min(self.words.len());
        self.window = Window::of_all(self.buckets);
    }

    /// From here on packets go into the first `buckets` buckets: what belongs into farther ones, into the last of
    /// these.
    pub(crate) fn confine(&mut self, buckets: usize) {
        self.window = Window::of_all(buckets.clamp(1, self.buckets));
    }

    /// From here on packets go into a table of its own, which hangs in `bucket` in front of what is there: so all of
    /// them are drawn at that depth, and among each other in the order of theirs. The table has `len` buckets, at
    /// least one, from `first` on; what belongs before or behind it goes to its ends. `None` when there is no room.
    pub(crate) fn nest(&mut self, bucket: usize, first: usize, len: usize) -> Option<Nested> {
        let Window {
            at,
            len: all,
            first: from,
        } = self.window;
        let bucket = at + bucket.saturating_sub(from).min(all.saturating_sub(1));
        let (before, free) = self.words.split_at_mut_checked(self.next)?;
        let entry = before.get_mut(bucket)?;
        let table = free.get_mut(..len)?;
        let nested = Nested {
            window: self.window,
            next: self.next,
            bucket,
            entry: *entry,
        };
        // As a table is cleared: each entry leads to the one before it, the first to what was in the bucket.
        let mut address = *entry & LINK;
        for (place, index) in table.iter_mut().zip(self.next..) {
            *place = address;
            address = self.base.wrapping_add(4 * index as u32) & LINK;
        }
        *entry = *entry & !LINK | address;
        self.window = Window {
            at: self.next,
            len,
            first,
        };
        self.next += len;
        Some(nested)
    }

    /// Packets go where they went before.
    pub(crate) fn leave(&mut self, nested: &Nested) {
        self.window = nested.window;
    }

    /// The same, and what was put into the table is not in the list any more.
    pub(crate) fn undo(&mut self, nested: &Nested) {
        self.leave(nested);
        if let Some(entry) = self.words.get_mut(nested.bucket) {
            *entry = nested.entry;
            self.next = nested.next;
        }
    }

    /// How many buckets there are.
    #[inline]
    #[must_use]
    pub fn buckets(&self) -> usize {
        self.buckets
    }

    /// Words that are left for packets and their tags.
    #[must_use]
    pub fn free(&self) -> usize {
        self.words.len().saturating_sub(self.next)
    }

    /// Put `packet` at the front of a bucket; numbers beyond the last bucket mean the last.
    ///
    /// A packet of more than 255 words becomes several nodes that follow each other.
    ///
    /// # Errors
    /// [`Full`], and the list is as before.
    #[inline]
    pub fn push(&mut self, bucket: usize, packet: &[u32]) -> Result<(), Full> {
        if packet.len() > NODE {
            return self.push_long(bucket, packet);
        }
        let mut tail = self.tail();
        let result = tail.push(bucket, packet);
        let left = tail.left();
        self.set_left(left);
        result
    }

    /// Table and free words, to put many packets of known length in place.
    ///
    /// What is left at the end has to come back by [`DisplayList::set_left`].
    #[inline]
    pub(crate) fn tail(&mut self) -> Tail<'_> {
        let (index, Window { at, len, first }) = (self.next, self.window);
        match self.words.split_at_mut_checked(index) {
            Some((table, free)) => Tail {
                table: table.get_mut(at..at + len).unwrap_or_default(),
                first,
                free,
                address: self.base.wrapping_add(4 * index as u32) & LINK,
            },
            None => Tail::default(),
        }
    }

    /// Its parts, for an engine that writes packets itself; what it has used is told to [`DisplayList::advance`].
    #[inline(always)]
    pub(crate) fn parts(&mut self, kept: usize) -> Option<ListParts<'_>> {
        let (table, free) = self.words.split_at_mut_checked(self.next)?;
        let packets = free.len().checked_sub(kept)?;
        let (free, kept) = free.split_at_mut_checked(packets)?;
        let Window { at, len, first } = self.window;
        Some(ListParts {
            buckets: table.get_mut(at..at + len)?,
            first,
            free,
            kept,
            address: self.base.wrapping_add(4 * self.next as u32) & LINK,
        })
    }

    /// All free words.
    #[inline(always)]
    pub(crate) fn spare(&mut self) -> &mut [u32] {
        self.words.get_mut(self.next..).unwrap_or_default()
    }

    /// The first `words` free words hold packets that are linked.
    #[inline(always)]
    pub(crate) fn advance(&mut self, words: usize) {
        self.next += words;
    }

    /// All but the last `left` words are used.
    #[inline]
    pub(crate) fn set_left(&mut self, left: usize) {
        self.next = self.words.len().saturating_sub(left);
    }

    #[cold]
    fn push_long(&mut self, bucket: usize, packet: &[u32]) -> Result<(), Full> {
        let needed = packet.len() + packet.len().div_ceil(NODE);
        if needed > self.free() {
            return Err(Full {
                needed,
                free: self.free(),
            });
        }
        // The last piece first, as each goes in front of what is there.
        for piece in packet.chunks(NODE).rev() {
            self.push(bucket, piece)?;
        }
        Ok(())
    }

    /// Index of the word where the GPU starts: the last bucket.
    #[must_use]
    pub fn head(&self) -> usize {
        self.buckets - 1
    }

    /// All words: table and packets, the unused rest included.
    #[must_use]
    pub fn words(&self) -> &[u32] {
        self.words
    }

    /// Have `screen` draw the list and wait until it is drawn.
    ///
    /// # Errors
    /// Those of [`Screen::draw`].
    pub fn draw<S: Screen>(&self, screen: &mut S) -> Result<(), S::Error> {
        screen.draw(self.words, self.head())
    }
}

/// A display list in parts, for loops that build their packets in place: see
/// [`DisplayList::tail`].
#[derive(Debug, Default)]
pub(crate) struct Tail<'a> {
    table: &'a mut [u32],
    /// Which bucket the table's first entry is.
    first: usize,
    free: &'a mut [u32],
    /// Bus address of the first free word, 24 bits.
    address: u32,
}

impl Tail<'_> {
    /// The next `P` words, a tag and a body, if there is room. They stay free until they are linked.
    #[inline(always)]
    pub(crate) fn packet<const P: usize>(&mut self) -> Option<&mut [u32; P]> {
        self.free.first_chunk_mut()
    }

    /// Put the next `P` words at the front of a bucket. `false`, and all is as before, when there is
    /// no room for them or no such bucket.
    #[inline(always)]
    #[must_use]
    pub(crate) fn link<const P: usize>(&mut self, bucket: usize) -> bool {
        let Some(entry) = self.table.get_mut(bucket.wrapping_sub(self.first)) else {
            return false;
        };
        if self.free.len() < P {
            return false;
        }
        let (packet, rest) = core::mem::take(&mut self.free).split_at_mut(P);
        if let Some(tag) = packet.first_mut() {
            *tag = *entry | (P as u32 - 1) << 24;
        }
        *entry = self.address;
        self.address = self.address.wrapping_add(4 * P as u32) & LINK;
        self.free = rest;
        true
    }

    /// As [`DisplayList::push`], for packets of at most 255 words.
    pub(crate) fn push(&mut self, bucket: usize, packet: &[u32]) -> Result<(), Full> {
        let (needed, free) = (packet.len() + 1, self.free.len());
        let bucket = bucket.saturating_sub(self.first);
        let bucket = bucket.min(self.table.len().wrapping_sub(1));
        let (Some(entry), true) = (self.table.get_mut(bucket), needed <= free) else {
            return Err(Full { needed, free });
        };
        let (node, rest) = core::mem::take(&mut self.free).split_at_mut(needed);
        if let [tag, body @ ..] = node {
            *tag = *entry | (packet.len() as u32) << 24;
            body.copy_from_slice(packet);
        }
        *entry = self.address;
        self.address = self.address.wrapping_add(4 * needed as u32) & LINK;
        self.free = rest;
        Ok(())
    }

    /// The list for somebody else; what is left here is empty.
    #[inline(always)]
    pub(crate) fn take(&mut self) -> Self {
        core::mem::take(self)
    }

    /// How many buckets there are.
    #[inline]
    pub(crate) fn buckets(&self) -> usize {
        self.table.len()
    }

    /// Room for `count` packets of `P` words that follow each other in a bucket, the first one the last to be drawn;
    /// `None` when there is not enough, or no such bucket. What was put there is told to [`Tail::end`].
    #[inline(always)]
    pub(crate) fn row<const P: usize>(
        &mut self,
        bucket: usize,
        count: usize,
    ) -> Option<Row<'_, P>> {
        let entry = *self.table.get(bucket.wrapping_sub(self.first))?;
        let (places, _) = self.free.get_mut(..P * count)?.as_chunks_mut();
        Some(Row {
            places: places.iter_mut(),
            address: self.address,
            entry,
        })
    }

    /// The list goes on behind a row in a bucket, of which this is left.
    #[inline(always)]
    pub(crate) fn end<const P: usize>(&mut self, bucket: usize, (address, entry): (u32, u32)) {
        let words = (address.wrapping_sub(self.address) & LINK) as usize / 4;
        if let Some(place) = self.table.get_mut(bucket.wrapping_sub(self.first)) {
            *place = entry;
            self.address = address;
            let free = core::mem::take(&mut self.free);
            self.free = free.get_mut(words..).unwrap_or_default();
        }
    }

    /// Words that are left.
    #[inline]
    pub(crate) fn left(&self) -> usize {
        self.free.len()
    }
}

/// Packets that follow each other in a bucket: see [`Tail::row`].
pub(crate) struct Row<'a, const P: usize> {
    places: core::slice::IterMut<'a, [u32; P]>,
    /// Bus address of the next one.
    address: u32,
    /// What is in the bucket.
    entry: u32,
}

impl<const P: usize> Row<'_, P> {
    /// The next packet, of which the tag is made here.
    #[inline(always)]
    pub(crate) fn push(&mut self, packet: [u32; P]) {
        if let Some(place) = self.places.next() {
            *place = packet;
            if let Some(tag) = place.first_mut() {
                *tag = self.entry | (P as u32 - 1) << 24;
            }
            self.entry = self.address;
            self.address = self.address.wrapping_add(4 * P as u32) & LINK;
        }
    }

    /// What [`Tail::end`] wants to know.
    #[inline(always)]
    pub(crate) fn left(&self) -> (u32, u32) {
        (self.address, self.entry)
    }
}

impl Window {
    /// All entries of a table.
    const fn of_all(len: usize) -> Self {
        Self {
            at: 0,
            len,
            first: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::LIST_END;

    /// A screen that only answers where the words lie.
    struct At(u32);

    impl Screen for At {
        type Error = core::convert::Infallible;

        fn bus_address(&self, _: &[u32]) -> u32 {
            self.0
        }

        fn upload(&mut self, _: u16, _: u16, _: u16, _: u16, _: &[u8]) -> Result<(), Self::Error> {
            Ok(())
        }

        fn draw(&mut self, _: &[u32], _: usize) -> Result<(), Self::Error> {
            Ok(())
        }

        fn present(&mut self) -> Result<(), Self::Error> {
            Ok(())
        }
    }

    #[test]
    fn packets_are_prepended_to_their_bucket() {
        let mut words = [0xEEEE_EEEE; 14];
        let mut list = DisplayList::new(&mut words, 4);
        list.begin(&mut At(0x8010_0000));
        list.push(2, &[0xA1, 0xA2]).unwrap();
        list.push(0, &[0xB1]).unwrap();
        list.push(2, &[0xC1]).unwrap();
        list.push(99, &[0xD1]).unwrap();
        assert_eq!(list.head(), 3);
        assert_eq!(list.free(), 1);
        assert_eq!(
            list.words(),
            [
                0x10_001C, // bucket 0: packet B
                0x10_0000, // bucket 1: empty, on to bucket 0
                0x10_0024, // bucket 2: packet C first, it came later
                0x10_002C, // bucket 3: packet D, clamped to the last bucket
                0x0210_0004,
                0xA1,
                0xA2, // A, then on to bucket 1
                0x01FF_FFFF,
                0xB1, // B ends the list
                0x0110_0010,
                0xC1, // C, then A
                0x0110_0008,
                0xD1, // D, then bucket 2
                0xEEEE_EEEE,
            ]
        );
    }

    #[test]
    fn a_full_list_says_so_and_stays_as_it_is() {
        let mut words = [0; 5];
        let mut list = DisplayList::new(&mut words, 2);
        list.begin(&mut At(0));
        assert_eq!(list.push(1, &[1, 2, 3]), Err(Full { needed: 4, free: 3 }));
        assert_eq!(list.words()[..2], [LIST_END, 0]);
        assert_eq!(list.push(1, &[1, 2]), Ok(()));
        assert_eq!(list.push(1, &[]), Err(Full { needed: 1, free: 0 }));
        assert_eq!(list.words(), [LIST_END, 8, 0x0200_0000, 1, 2]);
    }

    /// What is put into a nested table hangs in one bucket, in front of what is there, and can be taken away again.
    #[test]
    fn a_table_in_a_bucket_sorts_by_itself() {
        let mut words = [0xEEEE_EEEE; 32];
        let mut list = DisplayList::new(&mut words, 4);
        list.begin(&mut At(0));
        list.confine(3);
        list.push(3, &[0xA1]).unwrap();
        let nested = list.nest(1, 40, 3).unwrap();
        list.push(42, &[0xB1]).unwrap();
        list.push(41, &[0xC1]).unwrap();
        // Before the first of it, and behind the last.
        list.push(7, &[0xD1]).unwrap();
        list.push(99, &[0xE1]).unwrap();
        list.leave(&nested);
        list.push(1, &[0xF1]).unwrap();
        let order = |list: &DisplayList<'_>| {
            let (mut at, mut seen) = (list.head(), heapless::Vec::<u32, 8>::new());
            loop {
                let tag = list.words()[at];
                let body = &list.words()[at + 1..][..(tag >> 24) as usize];
                seen.extend_from_slice(body).unwrap();
                if tag & 0xFF_FFFF == LIST_END & 0xFF_FFFF {
                    return seen;
                }
                at = (tag & 0xFF_FFFF) as usize / 4;
            }
        };
        assert_eq!(order(&list), [0xA1, 0xF1, 0xE1, 0xB1, 0xC1, 0xD1]);
        let free = list.free();
        let nested = list.nest(0, 0, 1).unwrap();
        assert!(list.push(0, &[0xAA]).is_ok() && list.free() < free);
        list.undo(&nested);
        assert_eq!((list.free(), order(&list).len()), (free, 6));
        // No room for so many buckets: nothing has changed.
        assert!(list.nest(0, 0, 1 + free).is_none());
        assert_eq!((list.free(), order(&list).len()), (free, 6));
        list.push(0, &[0xAB]).unwrap();
        assert_eq!(order(&list).last(), Some(&0xAB));
    }

    #[test]
    fn odd_sizes_do_no_harm() {
        let mut nothing: [u32; 0] = [];
        let mut list = DisplayList::new(&mut nothing, 10);
        list.begin(&mut At(0));
        assert_eq!(list.push(0, &[1]), Err(Full { needed: 2, free: 0 }));

        let mut words = [0; 4];
        let mut list = DisplayList::new(&mut words, 0);
        assert_eq!(list.push(0, &[1]), Err(Full { needed: 2, free: 0 }));
        list.begin(&mut At(0));
        assert_eq!((list.buckets(), list.push(0, &[1])), (1, Ok(())));
    }

    #[test]
    fn long_packets_become_several_nodes_in_order() {
        let mut words = [0; 400];
        let mut list = DisplayList::new(&mut words, 1);
        list.begin(&mut At(0));
        let packet: [u32; 300] = core::array::from_fn(|i| i as u32);
        list.push(0, &packet).unwrap();
        let mut seen = [0; 300];
        let (mut at, mut count) = (list.words()[0], 0);
        while at != LIST_END {
            let index = at as usize / 4;
            let tag = list.words()[index];
            let len = (tag >> 24) as usize;
            seen[count..count + len].copy_from_slice(&list.words()[index + 1..][..len]);
            count += len;
            at = tag & 0xFF_FFFF;
        }
        assert_eq!((count, seen), (300, packet));
    }

    #[test]
    fn a_table_of_4096_buckets() {
        let mut words = [0; 4096 + 4];
        let mut list = DisplayList::new(&mut words, 4096);
        list.begin(&mut At(0));
        list.push(4095, &[7, 8, 9]).unwrap();
        assert_eq!((list.head(), list.words()[4095]), (4095, 4096 * 4));
        assert_eq!(list.words()[4096], 0x0300_0000 | (4094 * 4));
    }
}
