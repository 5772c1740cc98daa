//! DMA channels (HAL sheet, section 4).
//!
//! [`Chcr`] and the block arithmetic are plain numbers and run anywhere; `Transfer` is the
//! hardware. A transfer borrows its buffer by pointer until it is over, and passes that pointer
//! through `asm!` at both ends: a fence would abort the compiler for this target, and an empty
//! `asm!` alone does not keep stores made through a `&mut` on the right side of the start.

/// Values of a channel's CHCR that start it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chcr(pub u32);

impl Chcr {
    /// GPU: execute a linked list.
    pub const GPU_LIST: Self = Self(0x0100_0401);
    /// GPU: send blocks from RAM to VRAM.
    pub const GPU_WRITE: Self = Self(0x0100_0201);
    /// CD-ROM: burst to RAM.
    pub const CD_READ: Self = Self(0x1100_0000);
    /// Ordering-table clear.
    pub const OTC: Self = Self(0x1100_0002);

    /// Start/busy: goes low when the transfer is over.
    pub const BUSY: u32 = 1 << 24;
}

/// Channels by name; the number is the hardware's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Channel {
    /// Packets and textures to the GPU, pixels from it.
    Gpu = 2,
    /// Sectors from the drive.
    Cd = 3,
    /// Ordering-table clear.
    Otc = 6,
}

/// Largest block the old GPU's FIFO takes (HAL sheet, 5.3).
pub const GPU_BLOCK: usize = 16;

/// DPCR with the three channels of this backend enabled and the reset priorities.
///
/// Nibble `n` belongs to channel `n`: bit 3 enables, bits 0..2 are the priority (0 highest).
pub const DPCR_VALUE: u32 = 0x0765_4321 | (8 << 8) | (8 << 12) | (8 << 24);

/// How a run of words is sent to the GPU in slice mode: whole blocks by DMA, the rest by CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocks {
    /// Words of one block.
    pub size: usize,
    /// Blocks sent by DMA, at most 65535.
    pub count: usize,
}

impl Blocks {
    /// Split `words` into blocks of [`GPU_BLOCK`]; what is over is `words - self.words()`.
    pub const fn of(words: usize) -> Self {
        let count = words / GPU_BLOCK;
        Self {
            size: GPU_BLOCK,
            count: if count > 0xFFFF { 0xFFFF } else { count },
        }
    }

    /// Words sent by DMA.
    pub const fn words(self) -> usize {
        self.size * self.count
    }

    /// The BCR value.
    pub const fn bcr(self) -> u32 {
        self.size as u32 | (self.count as u32) << 16
    }
}

#[cfg(target_arch = "mips")]
pub use hardware::{Transfer, address, init};

#[cfg(target_arch = "mips")]
mod hardware {
    use super::{Channel, Chcr, DPCR_VALUE};
    use crate::io;
    use core::arch::asm;

    /// The 24-bit address by which DMA sees this place in RAM.
    #[inline(always)]
    pub fn address<T>(place: *const T) -> u32 {
        place as u32 & 0x00FF_FFFF
    }

    /// Stop all channels this backend uses, enable them, and keep DMA interrupts off.
    pub fn init() {
        for channel in [Channel::Gpu, Channel::Cd, Channel::Otc] {
            // SAFETY: zero in CHCR stops the channel; nothing is transferred.
            unsafe { io::dma_channel(channel as u32).chcr.write(0) };
        }
        io::DPCR.write(DPCR_VALUE);
        // No enables; the flag bits are written as 1, which clears them; bit 15 stays zero.
        io::DICR.write(0x7F00_0000);
    }

    /// Let the compiler assume that whoever knows `place` has now read and written all of it.
    #[inline(always)]
    fn exchange<T>(place: *mut T) {
        // SAFETY: the block is empty. It takes the pointer and does not say `nomem`, so memory
        // reachable through it has to be up to date before, and is read anew after.
        unsafe { asm!("# {0}", in(reg) place, options(nostack, preserves_flags)) };
    }

    /// A transfer under way.
    #[derive(Debug)]
    #[must_use = "a transfer has to be waited for"]
    pub struct Transfer {
        registers: io::DmaChannel,
        place: *mut u32,
    }

    impl Transfer {
        /// Start a channel. `place` goes to MADR as it is for lists and blocks.
        ///
        /// # Safety
        /// `place` points into RAM, is a multiple of four, and all that the transfer reads or
        /// writes (which `bcr` and `chcr` decide, or the links of a list) may be read or written
        /// by it until [`Transfer::busy`] answers `false` or the transfer is dropped. For a
        /// transfer that writes, `place` has the right to write all of it.
        #[inline]
        pub unsafe fn start(channel: Channel, place: *mut u32, bcr: u32, chcr: Chcr) -> Self {
            let registers = io::dma_channel(channel as u32);
            exchange(place);
            // SAFETY: the caller answers for what the channel touches.
            unsafe {
                registers.madr.write(address(place));
                registers.bcr.write(bcr);
                registers.chcr.write(chcr.0);
            }
            Self { registers, place }
        }

        /// Whether the channel is still at work.
        #[inline]
        pub fn busy(&self) -> bool {
            self.registers.chcr.read() & Chcr::BUSY != 0
        }
    }

    impl Drop for Transfer {
        /// Stops the channel if it still runs, so that no transfer outlives the loan of its
        /// buffer.
        fn drop(&mut self) {
            if self.busy() {
                // SAFETY: zero in CHCR stops the channel; nothing more is transferred.
                unsafe { self.registers.chcr.write(0) };
            }
            exchange(self.place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_never_exceed_the_old_fifo() {
        assert_eq!(Blocks::of(0).words(), 0);
        assert_eq!(Blocks::of(15).words(), 0);
        assert_eq!(Blocks::of(16).bcr(), 0x0001_0010);
        assert_eq!(Blocks::of(100).bcr(), 0x0006_0010);
        assert_eq!(Blocks::of(100).words(), 96);
        // All of VRAM is 262,144 words.
        assert_eq!(Blocks::of(262_144).words(), 262_144);
        assert_eq!(Blocks::of(usize::MAX).words(), 0xFFFF * 16);
    }

    #[test]
    fn the_three_channels_are_enabled_and_keep_the_reset_priorities() {
        assert_eq!(DPCR_VALUE, 0x0F65_C321 | 0x0000_0800);
        for channel in [Channel::Gpu, Channel::Cd, Channel::Otc] {
            assert_ne!(DPCR_VALUE & (8 << (4 * channel as u32)), 0);
        }
        assert_eq!(DPCR_VALUE & 0x0777_7777, 0x0765_4321);
    }
}
