//! The scratchpad: 1 KiB of memory inside the CPU, read and written without waiting (HAL sheet,
//! section 1.1).

use crate::machine::Once;

/// Words of the scratchpad.
pub const WORDS: usize = 256;

/// Where it lies; KSEG1 does not have it.
pub(crate) const ADDRESS: usize = 0x1F80_0000;

/// Who has asked first.
static TAKEN: Once<()> = Once::new(());

/// All of it, for the first who asks: `Psx::take` gives it to the geometry engine, which lends it out. It
/// holds whatever was left there; DMA does not reach it.
#[must_use]
pub fn take() -> Option<&'static mut [u32; WORDS]> {
    TAKEN.take()?;
    // SAFETY: the start-up code has turned the scratchpad on, and every program and the boot ROM
    // leave it alone but for this function, which comes here once. It is aligned, any word is a
    // `u32`, and no object of the linker's lies there.
    Some(unsafe { &mut *core::ptr::with_exposed_provenance_mut(ADDRESS) })
}
