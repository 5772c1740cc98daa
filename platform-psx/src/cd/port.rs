//! The drive behind [`Port`].

use super::{AlignedSector, Port};
use crate::dma::{Channel, Chcr, Transfer};
use crate::io;
use crate::timer::Clock;

/// How long a sector may take by DMA, in microseconds; 40 cycles a word make 605.
const TRANSFER_LIMIT: u32 = 10_000;

/// The console's drive. Takes DMA channel 3.
#[derive(Debug)]
pub struct Hardware {
    clock: Clock,
}

impl Hardware {
    /// Masks the drive's interrupt and sets the bus timing that games use.
    ///
    /// # Safety
    /// There is only one at a time, and nothing else uses the drive and DMA channel 3 while it
    /// is there. DMA is set up ([`crate::dma::init`]).
    pub unsafe fn new(clock: Clock) -> Self {
        io::I_MASK.write(io::I_MASK.read() & !(1 << 2));
        io::CDROM_DELAY.write(0x0002_0943);
        io::COMMON_DELAY.write(0x0000_1325);
        Self { clock }
    }
}

impl Port for Hardware {
    #[inline]
    fn read(&mut self, register: u8) -> u8 {
        match register & 3 {
            0 => io::CD_STATUS.read(),
            1 => io::CD_COMMAND.read(),
            2 => io::CD_DATA.read(),
            _ => io::CD_CONTROL.read(),
        }
    }

    #[inline]
    fn write(&mut self, register: u8, value: u8) {
        match register & 3 {
            0 => io::CD_STATUS.write(value),
            1 => io::CD_COMMAND.write(value),
            2 => io::CD_DATA.write(value),
            _ => io::CD_CONTROL.write(value),
        }
    }

    #[inline]
    fn lines(&mut self) -> u16 {
        self.clock.lines()
    }

    fn transfer(&mut self, out: &mut AlignedSector) -> bool {
        const WORDS: u32 = size_of::<AlignedSector>() as u32 / 4;
        let place: *mut AlignedSector = out;
        // SAFETY: the channel writes 512 words, which is the whole of `out`, aligned by its
        // type, and is done or stopped before this returns.
        let transfer = unsafe {
            Transfer::start(
                Channel::Cd,
                place.cast(),
                0x0001_0000 | WORDS,
                Chcr::CD_READ,
            )
        };
        let mut deadline = self.clock.deadline(TRANSFER_LIMIT);
        while transfer.busy() {
            if deadline.over(self.clock.lines()) {
                // Dropping the transfer stops the channel.
                return false;
            }
        }
        true
    }
}
