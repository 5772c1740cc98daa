//! The GPU behind [`Port`].

use super::Port;
use crate::dma::{self, Blocks, Channel, Chcr, Transfer};
use crate::io;
use crate::timer::Clock;

/// How long the clearing of an ordering table may take, in microseconds. A table of 4,096 entries
/// takes about 130.
const CLEAR_LIMIT: u32 = 5_000;

/// The console's GPU. Takes DMA channels 2 and 6.
#[derive(Debug)]
pub struct Hardware {
    clock: Clock,
}

impl Hardware {
    /// # Safety
    /// There is only one at a time, and nothing else uses the GPU and DMA channels 2 and 6
    /// while it is there. DMA is set up ([`dma::init`]).
    pub unsafe fn new(clock: Clock) -> Self {
        Self { clock }
    }

    fn finish(&self, transfer: Transfer, limit: u32) -> bool {
        let mut deadline = self.clock.deadline(limit);
        while transfer.busy() {
            if deadline.over(self.clock.lines()) {
                // Dropping the transfer stops the channel.
                return false;
            }
        }
        true
    }
}

impl Port for Hardware {
    #[inline]
    fn gp0(&mut self, word: u32) {
        io::GP0.write(word);
    }

    #[inline]
    fn gp1(&mut self, word: u32) {
        io::GP1.write(word);
    }

    #[inline]
    fn status(&mut self) -> u32 {
        io::GP1.read()
    }

    #[inline]
    fn data(&mut self) -> u32 {
        io::GP0.read()
    }

    #[inline]
    fn lines(&mut self) -> u16 {
        self.clock.lines()
    }

    #[inline]
    fn vblanks(&mut self) -> u32 {
        crate::interrupt::vblanks()
    }

    #[inline]
    fn address(&self, words: &[u32]) -> u32 {
        dma::address(words.as_ptr())
    }

    fn send(&mut self, words: &[u32], blocks: Blocks, limit: u32) -> bool {
        let words = &words[..blocks.words()];
        // SAFETY: the channel reads `blocks.words()` words from the first one of `words` on,
        // which is just what the slice holds, and is done or stopped before this returns.
        let transfer = unsafe {
            Transfer::start(
                Channel::Gpu,
                words.as_ptr().cast_mut(),
                blocks.bcr(),
                Chcr::GPU_WRITE,
            )
        };
        self.finish(transfer, limit)
    }

    fn execute(
        &mut self,
        list: &[u32],
        first: usize,
        limit: u32,
        meanwhile: &mut dyn FnMut(),
    ) -> bool {
        assert!(first < list.len(), "checked by the driver");
        // Derived from the whole list, so that all of it is in RAM before the channel starts.
        let start = list.as_ptr().cast_mut().wrapping_add(first);
        // SAFETY: the channel only reads. It starts at a word of the list; where the links lead
        // is data, and reading anything in RAM through DMA changes nothing (a wrong picture is
        // the worst). It is done or stopped before this returns, and until then the list is lent: what is done
        // meanwhile cannot change it.
        let transfer = unsafe { Transfer::start(Channel::Gpu, start, 0, Chcr::GPU_LIST) };
        meanwhile();
        self.finish(transfer, limit)
    }

    fn clear_table(&mut self, table: &mut [u32]) -> bool {
        let Ok(entries) = u16::try_from(table.len()) else {
            return false;
        };
        if entries == 0 {
            return true;
        }
        let last = table.as_mut_ptr().wrapping_add(table.len() - 1);
        // SAFETY: the channel writes `entries` words downwards from the last one of `table` on:
        // the table and nothing else. It is done or stopped before this returns, and `last` may
        // write to all of the table, being derived from the whole of it.
        let transfer =
            unsafe { Transfer::start(Channel::Otc, last, u32::from(entries), Chcr::OTC) };
        self.finish(transfer, CLEAR_LIMIT)
    }
}
