//! Records one after the other, with their ends.

use core::ops::Range;

use super::{Error, Man, Record};

/// Records whose ends are looked for together when the table does not ascend.
const BATCH: usize = 1024;

/// The ends of up to [`BATCH`] records.
///
/// A record of a table that does not ascend ends at the next larger start, wherever that stands. Looking
/// for each end by itself would take a time that grows with the square of the table, which a
/// hostile file can make 98,301 records long; so one walk over the table finds the ends of a whole
/// batch.
struct Batch {
    /// Starts of the batch's records, ascending; `len` of them are in use.
    starts: [u32; BATCH],
    /// For each, the next larger start of the table.
    ends: [u32; BATCH],
    len: usize,
    /// Flat number of the first record behind the batch.
    until: u32,
}

impl Batch {
    const EMPTY: Self = Self {
        starts: [0; BATCH],
        ends: [u32::MAX; BATCH],
        len: 0,
        until: 0,
    };

    /// Find the ends of the records from `flat` on.
    fn fill(&mut self, man: &Man<'_>, flat: u32) {
        self.len = 0;
        self.until = flat.saturating_add(BATCH as u32);
        let batch = man.starts().skip(flat as usize);
        for (place, start) in self.starts.iter_mut().zip(batch) {
            *place = start;
            self.len += 1;
        }
        let starts = self.starts.get_mut(..self.len).unwrap_or_default();
        starts.sort_unstable();
        self.ends.fill(u32::MAX);
        for other in man.starts() {
            // Of the batch's starts below it, the largest may end here; the others end sooner.
            let below = starts.partition_point(|&start| start < other);
            let last = below
                .checked_sub(1)
                .and_then(|last| self.ends.get_mut(last));
            if let Some(end) = last {
                *end = other.min(*end);
            }
        }
    }

    /// The next larger start than `start`, which is one of the batch's.
    fn end(&self, start: u32) -> u32 {
        let starts = self.starts.get(..self.len).unwrap_or_default();
        // Of equal starts only the last was given an end.
        let last = starts.partition_point(|&other| other <= start);
        let end = last.checked_sub(1).and_then(|last| self.ends.get(last));
        end.copied().unwrap_or(u32::MAX)
    }
}

impl<'a> Man<'a> {
    /// The records of these flat numbers.
    pub(super) fn range(
        &self,
        flats: Range<u32>,
    ) -> impl Iterator<Item = Result<Record<'a>, Error>> + use<'a> {
        let man = *self;
        let mut batch = Batch::EMPTY;
        flats.map(move |flat| {
            if man.ascending {
                return man.record(flat);
            }
            if flat >= batch.until {
                batch.fill(&man, flat);
            }
            let start = man.start(flat).ok_or(Error::NoSuchRecord { flat })?;
            man.record_at(flat, start, batch.end(start).min(man.limit))
        })
    }
}
