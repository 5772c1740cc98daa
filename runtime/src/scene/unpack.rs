//! Members of a bundle unpacked while the drive reads on.
//!
//! The descriptor table lies in the bundle's first sector, so every member's place is known before
//! the second one comes. [`Unpacker`] is fed sector by sector and does its work in short
//! steps, so that its caller can take the next sector in time.

use super::{Asset, LoadError};
use crate::bytes::Crc32;
use crate::disc::bundle::{MAX_MEMBERS, Place, Table};
use crate::lzs::Decoder;
use crate::platform::{SECTOR, Sector};

/// Most bytes that are decoded and summed up in one step. At worst 60,000 cycles of the console, a
/// quarter of the time that a sector takes at double speed.
const STEP: usize = 2048;

/// One member on its way into memory.
#[derive(Debug)]
struct Stream<'a> {
    place: Place,
    /// Offset in the bundle of the next byte to decode.
    at: u32,
    decoder: Decoder,
    crc: Crc32,
    /// All is decoded, or all that there is.
    over: bool,
    memory: &'a mut [u8],
}

impl Stream<'_> {
    /// Decode a little from `input`, which begins at `self.at` and lies inside the member.
    fn step(&mut self, input: &[u8]) {
        let before = self.decoder.written();
        let end = self.memory.len().min(before + STEP);
        let Some(room) = self.memory.get_mut(..end) else {
            return;
        };
        // It refuses only a room that shrinks.
        let progress = self.decoder.push(input, room).unwrap_or_default();
        // At most a sector.
        self.at += progress.consumed as u32;
        let after = self.decoder.written();
        self.crc.update(room.get(before..after).unwrap_or_default());
        // A full room may hide what a last back-reference still gives.
        self.over = progress.done || self.at >= self.place.end && after < end;
    }
}

/// All members of a bundle that are not mere flags.
#[derive(Debug, Default)]
pub(super) struct Unpacker<'a> {
    streams: heapless::Vec<Stream<'a>, { MAX_MEMBERS as usize }>,
}

/// A member that is in memory.
#[derive(Debug)]
pub(super) struct Unpacked<'a> {
    pub(super) asset: Asset,
    pub(super) data: &'a [u8],
}

impl<'a> Unpacker<'a> {
    /// Share `memory` out among the members of this table.
    pub(super) fn new<D, S>(
        table: &Table<'_>,
        memory: &'a mut [u8],
    ) -> Result<Self, LoadError<D, S>> {
        let loaded = || table.places().filter(|place| !place.ty.is_flag());
        // At most 32 members of at most 4 MiB: the sum fits 32 bits.
        let needed = loaded()
            .map(|place| (place.size as usize).next_multiple_of(4))
            .sum::<usize>();
        let available = memory.len();
        // Meshes are drawn in place, word by word: every member begins on a word boundary.
        let skip = memory.as_ptr().align_offset(4);
        let needed = if needed > available {
            needed
        } else {
            needed.saturating_add(skip)
        };
        let small = LoadError::AssetsTooSmall { needed, available };
        if needed > available {
            return Err(small);
        }
        let memory = memory.get_mut(skip..).unwrap_or_default();
        let mut streams = heapless::Vec::new();
        let mut rest = memory;
        for place in loaded() {
            let size = place.size as usize;
            let slot = size.next_multiple_of(4);
            let Some((slot, after)) = core::mem::take(&mut rest).split_at_mut_checked(slot) else {
                return Err(small);
            };
            rest = after;
            // The list holds as many as a table may have members.
            _ = streams.push(Stream {
                place,
                at: place.start,
                decoder: Decoder::new(size),
                crc: Crc32::new(),
                over: size == 0,
                memory: slot.get_mut(..size).unwrap_or_default(),
            });
        }
        Ok(Self { streams })
    }

    /// The stream that is furthest behind: what lies before it is not needed any more.
    fn last(&mut self) -> Option<&mut Stream<'a>> {
        let open = self.streams.iter_mut().filter(|stream| !stream.over);
        open.min_by_key(|stream| stream.at)
    }

    /// The first sector of the bundle that is still needed; `None` when all is unpacked.
    pub(super) fn needs(&mut self) -> Option<u32> {
        self.last().map(|stream| stream.at / SECTOR as u32)
    }

    /// Do a little work with the sectors before sector `taken` of the bundle; sector `n` lies at
    /// `n` modulo the length of `ring`. `false` if there is nothing to do until the next one comes.
    pub(super) fn step(&mut self, ring: &[Sector], taken: u32) -> bool {
        let Some(stream) = self.last() else {
            return false;
        };
        let (sector, from) = (stream.at as usize / SECTOR, stream.at as usize % SECTOR);
        let left = stream.place.end.saturating_sub(stream.at) as usize;
        if left > 0 && sector >= taken as usize {
            return false;
        }
        let sector = sector.checked_rem(ring.len()).and_then(|n| ring.get(n));
        let to = SECTOR.min(from + left);
        let input = sector.and_then(|bytes| bytes.get(from..to));
        stream.step(input.unwrap_or_default());
        true
    }

    /// The members in the order of their descriptors; the first that is not whole ends them.
    pub(super) fn finish<D, S>(
        self,
    ) -> impl Iterator<Item = Result<Unpacked<'a>, LoadError<D, S>>> {
        self.streams.into_iter().map(|stream| {
            let Place {
                index, ty, size, ..
            } = stream.place;
            stream
                .decoder
                .finish()
                .map_err(|error| LoadError::Member { index, ty, error })?;
            let asset = Asset {
                index,
                ty,
                size,
                crc32: stream.crc.finish(),
            };
            Ok(Unpacked {
                asset,
                data: stream.memory,
            })
        })
    }
}
