//! The strict check: everything that the accesses would find.

use super::record::LONGEST_HEADER;
use super::{Error, Man};

/// Positions that are looked at together when the record table does not ascend.
const SPAN: u32 = 0x4000;
/// Of these, those whose records' headers end inside the span for sure.
const WINDOW: u32 = SPAN - LONGEST_HEADER - 1;

impl Man<'_> {
    /// Check all records, then all sections.
    pub(super) fn verify(&self) -> Result<(), Error> {
        if self.ascending {
            for flat in 0..self.len() {
                self.record(flat)?;
            }
        } else {
            self.verify_unsorted()?;
        }
        self.encounters()?;
        self.motion()?;
        self.name()?;
        self.cameras()?;
        match self.section(5).len() {
            0 => Ok(()),
            len => Err(Error::MissingTerminator { len }),
        }
    }

    /// Check the headers of all records of a table that does not ascend.
    ///
    /// Looking for every record's end in the whole table would take a time that grows with the
    /// square of the table, which a hostile file can make long. A header is short, though, so only
    /// starts that follow closely can cut it: the data region is walked in windows, and a bitmap
    /// holds the starts of one.
    fn verify_unsorted(&self) -> Result<(), Error> {
        let mut found: Option<(u32, Error)> = None;
        let mut note = |flat, error| {
            if found.is_none_or(|(first, _)| flat < first) {
                found = Some((flat, error));
            }
        };
        for (flat, start) in (0..).zip(self.starts()) {
            if start >= self.limit {
                note(flat, Error::RecordOutOfRange { flat });
                break;
            }
        }
        let in_range = |start: &u32| *start < self.limit;
        let mut window = self.starts().filter(in_range).min();
        while let Some(base) = window {
            let mut marks = [0_u32; SPAN as usize / 32];
            for start in self.starts() {
                let position = start.wrapping_sub(base);
                if let Some(word) = marks.get_mut(position as usize / 32) {
                    *word |= 1 << (position % 32);
                }
            }
            window = None;
            for (flat, start) in (0..).zip(self.starts()) {
                if start < base || start >= self.limit {
                    continue;
                }
                let position = start - base;
                if position >= WINDOW {
                    window = Some(window.map_or(start, |first| first.min(start)));
                    continue;
                }
                // Past the span, no start can cut the header.
                let end = next_mark(&marks, position).unwrap_or(SPAN) + base;
                if let Err(error) = self.record_at(flat, start, end.min(self.limit)) {
                    note(flat, error);
                }
            }
        }
        found.map_or(Ok(()), |(_, error)| Err(error))
    }
}

/// The first set bit behind `position`.
fn next_mark(marks: &[u32], position: u32) -> Option<u32> {
    let first = position + 1;
    let mut mask = u32::MAX << (first % 32);
    for (index, word) in (0..).zip(marks).skip(first as usize / 32) {
        let bits = word & mask;
        if bits != 0 {
            return Some(index * 32 + bits.trailing_zeros());
        }
        mask = u32::MAX;
    }
    None
}
