//! The machine as one value: each device once, and nobody else has it.

use core::cell::UnsafeCell;

/// A place for a large value in `.bss` that can be taken once, for good.
///
/// What the stack is too small for (staging sectors, packets, assets) lies in such places, without
/// a `static mut`.
///
/// ```
/// use overworld_psx::machine::Once;
///
/// static PACKETS: Once<[u32; 4096]> = Once::new([0; 4096]);
///
/// let packets = PACKETS.take().expect("taken once");
/// packets[0] = 1;
/// assert!(PACKETS.take().is_none());
/// ```
#[derive(Debug)]
pub struct Once<T> {
    taken: UnsafeCell<bool>,
    value: UnsafeCell<T>,
}

// SAFETY: `take` hands out the only reference there will ever be. That the flag is read and
// written as one is seen to by turning interrupts off on the console, which has one CPU, and by a
// lock elsewhere. The value goes to whoever takes it, so it must be `Send`.
unsafe impl<T: Send> Sync for Once<T> {}

impl<T> Once<T> {
    /// A place that holds `value` and has not been taken.
    pub const fn new(value: T) -> Self {
        Self {
            taken: UnsafeCell::new(false),
            value: UnsafeCell::new(value),
        }
    }

    /// The value, for the first who asks.
    #[allow(clippy::mut_from_ref)]
    pub fn take(&'static self) -> Option<&'static mut T> {
        exclusively(|| {
            // SAFETY: nothing else runs meanwhile that could reach the flag.
            let taken = unsafe { &mut *self.taken.get() };
            if *taken {
                return None;
            }
            *taken = true;
            // SAFETY: the flag was down, so no reference was handed out, and it stays up, so
            // none will be again.
            Some(unsafe { &mut *self.value.get() })
        })
    }
}

/// Run `work` while nothing else does.
#[cfg(target_arch = "mips")]
fn exclusively<T>(work: impl FnOnce() -> T) -> T {
    crate::interrupt::free(work)
}

/// Run `work` while no other thread does.
#[cfg(not(target_arch = "mips"))]
fn exclusively<T>(work: impl FnOnce() -> T) -> T {
    use core::sync::atomic::{AtomicBool, Ordering};

    static LOCK: AtomicBool = AtomicBool::new(false);
    while LOCK
        .compare_exchange_weak(false, true, Ordering::Acquire, Ordering::Relaxed)
        .is_err()
    {
        core::hint::spin_loop();
    }
    let result = work();
    LOCK.store(false, Ordering::Release);
    result
}

#[cfg(target_arch = "mips")]
pub mod devices;
#[cfg(target_arch = "mips")]
pub use hardware::Psx;

#[cfg(target_arch = "mips")]
mod hardware {
    use super::Once;
    use crate::cd::{self, CdDrive};
    use crate::dma;
    use crate::gpu::{self, Display};
    use crate::gte::Cop2;
    use crate::pad::Pads;
    use crate::scratchpad;
    use crate::timer::{Clock, Timer};

    static MACHINE: Once<()> = Once::new(());

    /// The console.
    #[derive(Debug)]
    pub struct Psx {
        /// The GPU, with the picture set up.
        pub screen: Display<gpu::Hardware>,
        /// The CD-ROM drive.
        pub drive: CdDrive<cd::Hardware>,
        /// The geometry engine.
        pub gte: Cop2,
        /// The pads.
        pub pads: Pads,
        /// The clock of time-outs.
        pub clock: Clock,
        /// The stop-watch.
        pub timer: Timer,
    }

    impl Psx {
        /// Set the devices up and hand them over, once.
        ///
        /// `None` when they have been taken before.
        ///
        /// # Errors
        /// The GPU takes no commands.
        pub fn take() -> Option<Result<Self, gpu::Error>> {
            MACHINE.take()?;
            dma::init();
            let clock = Clock::start();
            // SAFETY: `MACHINE` was taken just now, so this is the only one to make the drivers,
            // each once; DMA is set up; the start-up code has set SR bit 30, and its interrupt
            // handler leaves the GTE alone.
            let (screen, drive, mut gte) = unsafe {
                (
                    gpu::Hardware::new(clock),
                    cd::Hardware::new(clock),
                    Cop2::new(),
                )
            };
            if let Some(memory) = scratchpad::take() {
                gte.give_scratchpad(memory);
            }
            Some(Display::new(screen).map(|screen| Self {
                screen,
                drive: CdDrive::new(drive),
                gte,
                pads: Pads::new(clock),
                clock,
                timer: Timer::new(clock),
            }))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Once;
    use std::thread;
    use std::vec::Vec;

    #[test]
    fn a_place_is_taken_by_one_thread_only() {
        static PLACE: Once<[u32; 64]> = Once::new([7; 64]);
        let takers: Vec<_> = (0..8)
            .map(|_| thread::spawn(|| PLACE.take().map(|value| value[63])))
            .collect();
        let got: Vec<_> = takers
            .into_iter()
            .filter_map(|taker| taker.join().unwrap())
            .collect();
        assert_eq!(got, [7]);
        assert!(PLACE.take().is_none());
    }
}
