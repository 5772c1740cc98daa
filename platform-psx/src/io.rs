//! Hardware registers: every address and every access width stands here and nowhere else, but for
//! the start-up code of programs and boot ROM, which is assembly.
//!
//! All of them are reached through KSEG1 (`BF80_xxxx`), where neither the cache nor the write
//! queue stands between the CPU and the device: a load cannot overtake a store, and an access
//! here drains the stores made to cached memory before it (HAL sheet, 1.2).
//!
//! Most devices cannot touch memory, so their registers are safe to write. The three words that
//! start a DMA channel can make the hardware write anywhere: [`DmaRegister::write`] is `unsafe`.

#![cfg(target_arch = "mips")]

use core::marker::PhantomData;

const KSEG1_IO: u32 = 0xBF80_0000;

/// A register of width `T`, readable and writable.
#[derive(Clone, Copy, Debug)]
pub struct Register<T> {
    address: u32,
    width: PhantomData<T>,
}

impl<T: Copy> Register<T> {
    const fn at(offset: u32) -> Self {
        assert!(
            offset.is_multiple_of(size_of::<T>() as u32),
            "misaligned register"
        );
        Self {
            address: KSEG1_IO + offset,
            width: PhantomData,
        }
    }

    /// Load the register once.
    #[inline(always)]
    pub fn read(self) -> T {
        // SAFETY: `at` is private to this module and called only with the offsets of the HAL
        // sheet, each of them a register of this width, aligned, always mapped in KSEG1.
        unsafe { (self.address as *const T).read_volatile() }
    }

    /// Store the register once.
    #[inline(always)]
    pub fn write(self, value: T) {
        // SAFETY: as for `read`; and none of the devices given as `Register` can write to RAM
        // without a DMA channel, whose registers are of another type.
        unsafe { (self.address as *mut T).write_volatile(value) }
    }
}

/// A register that lets a DMA channel loose on RAM.
#[derive(Clone, Copy, Debug)]
pub struct DmaRegister {
    address: u32,
}

impl DmaRegister {
    const fn at(offset: u32) -> Self {
        Self {
            address: KSEG1_IO + offset,
        }
    }

    /// Load the register once.
    #[inline(always)]
    pub fn read(self) -> u32 {
        // SAFETY: only addresses of DMA channel registers are given to `at`; they are 32 bits
        // wide, aligned and always mapped.
        unsafe { (self.address as *const u32).read_volatile() }
    }

    /// Store the register once.
    ///
    /// # Safety
    /// A transfer that this store begins, or that is under way, must touch only memory which
    /// the caller may read or write for as long as it lasts.
    #[inline(always)]
    pub unsafe fn write(self, value: u32) {
        // SAFETY: the address is valid as in `read`; what the device then does is the caller's
        // promise.
        unsafe { (self.address as *mut u32).write_volatile(value) }
    }
}

/// The three registers of a DMA channel (HAL sheet, section 4).
#[derive(Clone, Copy, Debug)]
pub struct DmaChannel {
    /// MADR: address in RAM, 24 bits.
    pub madr: DmaRegister,
    /// BCR: words, or block size and count.
    pub bcr: DmaRegister,
    /// CHCR: direction, mode, start.
    pub chcr: DmaRegister,
}

/// The registers of DMA channel `n`, 0..6.
pub const fn dma_channel(n: u32) -> DmaChannel {
    assert!(n < 7, "there are seven DMA channels");
    let base = 0x1080 + 0x10 * n;
    DmaChannel {
        madr: DmaRegister::at(base),
        bcr: DmaRegister::at(base + 4),
        chcr: DmaRegister::at(base + 8),
    }
}

/// CD-ROM bus timing (memory control, HAL sheet 6.3).
pub const CDROM_DELAY: Register<u32> = Register::at(0x1018);
/// Common delay of the slow buses (memory control, HAL sheet 6.3).
pub const COMMON_DELAY: Register<u32> = Register::at(0x1020);

/// SIO0, pads and cards: one byte out, one in (HAL sheet, section 7).
pub const JOY_DATA: Register<u8> = Register::at(0x1040);
/// SIO0: status.
pub const JOY_STATUS: Register<u16> = Register::at(0x1044);
/// SIO0: form of a byte.
pub const JOY_MODE: Register<u16> = Register::at(0x1048);
/// SIO0: control.
pub const JOY_CONTROL: Register<u16> = Register::at(0x104A);
/// SIO0: clock divider.
pub const JOY_BAUD: Register<u16> = Register::at(0x104E);

/// Interrupt status: write 0 to a bit to acknowledge it, 1 leaves it (HAL sheet, section 2).
pub const I_STAT: Register<u32> = Register::at(0x1070);
/// Interrupt mask.
pub const I_MASK: Register<u32> = Register::at(0x1074);

/// DMA control: enable and priority of each channel.
pub const DPCR: Register<u32> = Register::at(0x10F0);
/// DMA interrupt control.
pub const DICR: Register<u32> = Register::at(0x10F4);

/// The registers of a root counter (HAL sheet, section 3).
#[derive(Clone, Copy, Debug)]
pub struct RootCounter {
    /// Count; only the low 16 bits mean anything.
    pub value: Register<u32>,
    /// Mode; a write zeroes the count.
    pub mode: Register<u32>,
    /// Target.
    pub target: Register<u32>,
}

/// The registers of root counter `n`, 0..2.
pub const fn root_counter(n: u32) -> RootCounter {
    assert!(n < 3, "there are three root counters");
    let base = 0x1100 + 0x10 * n;
    RootCounter {
        value: Register::at(base),
        mode: Register::at(base + 4),
        target: Register::at(base + 8),
    }
}

/// CD-ROM: status to read, register bank to write (HAL sheet, 6.1).
pub const CD_STATUS: Register<u8> = Register::at(0x1800);
/// CD-ROM: result, command.
pub const CD_COMMAND: Register<u8> = Register::at(0x1801);
/// CD-ROM: data, parameter, interrupt mask.
pub const CD_DATA: Register<u8> = Register::at(0x1802);
/// CD-ROM: interrupt status, request, acknowledge.
pub const CD_CONTROL: Register<u8> = Register::at(0x1803);

/// GPU: packets to write, GPUREAD to read (HAL sheet, section 5).
pub const GP0: Register<u32> = Register::at(0x1810);
/// GPU: display control to write, GPUSTAT to read.
pub const GP1: Register<u32> = Register::at(0x1814);
