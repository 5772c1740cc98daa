//! Where the blocks of a chunk begin.

use super::super::fields::{Record, Table};
use super::{Block, Error, Starts};

/// Takes one block after the other.
pub(super) struct Cursor<'a> {
    pub data: &'a [u8],
    pub at: usize,
    pub starts: Starts,
    pub next: usize,
}

impl<'a> Cursor<'a> {
    /// The next block begins here.
    pub fn begin(&mut self) {
        if let Some(start) = self.starts.get_mut(self.next) {
            *start = self.at;
        }
        self.next += 1;
    }

    /// `count` records of `size` bytes.
    pub fn records(&mut self, block: Block, count: u32, size: usize) -> Result<&'a [u8], Error> {
        let bytes = u64::from(count) * size as u64;
        if bytes > u32::MAX.into() {
            // Tiles and cells are counted by the header, strats in front of poolExtra.
            let offset = match block {
                Block::Tiles | Block::Fixed | Block::Models => 0,
                Block::Grid => 4,
                Block::Strats => self.at.saturating_sub(8),
                _ => self.at.saturating_sub(4),
            };
            return Err(Error::CountOverflow {
                block,
                index: None,
                count,
                offset: Some(offset),
            });
        }
        let rest = self.data.get(self.at..).unwrap_or_default();
        let records = usize::try_from(bytes).ok().and_then(|it| rest.get(..it));
        match records {
            Some(records) => {
                self.at += records.len();
                Ok(records)
            }
            None => {
                let whole = rest.len() / size;
                Err(Error::Truncated {
                    block,
                    offset: self.at + whole * size,
                    need: size as u64,
                    item: whole as u32,
                })
            }
        }
    }

    /// A word.
    pub fn word(&mut self, block: Block) -> Result<u32, Error> {
        self.records(block, 1, 4).map(u32::read)
    }

    /// A block of a count and records.
    pub fn counted<R: Record>(&mut self, block: Block) -> Result<Table<'a, R>, Error> {
        self.begin();
        let count = self.word(block)?;
        Ok(Table::new(self.records(block, count, R::BYTES)?))
    }

    /// A block of records alone.
    pub fn plain<R: Record>(&mut self, block: Block, count: u32) -> Result<Table<'a, R>, Error> {
        self.begin();
        Ok(Table::new(self.records(block, count, R::BYTES)?))
    }
}
