//! Instructions, counted by SysTick.
//!
//! The emulator is started with `-icount shift=7`: an instruction takes 128 ns of virtual time.
//! The board's clock stands at 25 MHz, so SysTick goes down once in 40 ns, and
//! instructions = ticks * 40 / 128. [`measure`] is right to within two instructions.
//! SysTick has 24 bits; its interrupt counts the rounds, about 5.2 million instructions each.

use core::ptr;
use core::sync::atomic::{AtomicU32, Ordering};

const CONTROL: *mut u32 = 0xE000_E010 as *mut u32;
const RELOAD: *mut u32 = 0xE000_E014 as *mut u32;
const CURRENT: *mut u32 = 0xE000_E018 as *mut u32;

/// Processor clock, interrupt at zero, enabled.
const ON: u32 = 0b111;
const TOP: u32 = 0x00FF_FFFF;

static ROUNDS: AtomicU32 = AtomicU32::new(0);

/// Start the counter. Once, before anything is measured.
pub(crate) fn start() {
    // SAFETY: the three registers of SysTick, in the core's private space; only this module
    // touches them.
    unsafe {
        ptr::write_volatile(RELOAD, TOP);
        ptr::write_volatile(CURRENT, 0);
        ptr::write_volatile(CONTROL, ON);
    }
}

/// The SysTick exception: a round is over.
pub(crate) extern "C" fn round() {
    ROUNDS.fetch_add(1, Ordering::Relaxed);
}

/// Ticks since the start.
fn ticks() -> u64 {
    loop {
        let before = ROUNDS.load(Ordering::Relaxed);
        // SAFETY: reading the current value has no effect but to clear it from nowhere.
        let left = unsafe { ptr::read_volatile(CURRENT) } & TOP;
        if ROUNDS.load(Ordering::Relaxed) == before {
            return u64::from(before) * (u64::from(TOP) + 1) + u64::from(TOP - left);
        }
    }
}

/// Instructions that `work` takes, itself and the call; `u32::MAX` when they are more.
pub(crate) fn measure(work: impl FnOnce()) -> u32 {
    let before = ticks();
    work();
    let ticks = ticks() - before;
    u32::try_from((ticks * 40 + 64) / 128).unwrap_or(u32::MAX)
}
