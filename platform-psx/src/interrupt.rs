//! Interrupts: counting vertical blanks, and calling what is registered for the rest.
//!
//! The start-up code enables the vertical blank only, then interrupts. A source without a handler
//! is masked off when it first fires, so that nothing can keep the machine in its handler.

use core::cell::UnsafeCell;

use crate::exception::Frame;

/// A line of the interrupt controller (HAL sheet, section 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Source {
    /// Vertical blank.
    Vblank = 0,
    /// GP0 1Fh; acknowledged by GP1 02h.
    Gpu = 1,
    /// CD-ROM controller; acknowledged by HCLRCTL.
    Cdrom = 2,
    /// DMA; acknowledged by DICR's flags.
    Dma = 3,
    /// Root counter 0.
    Timer0 = 4,
    /// Root counter 1.
    Timer1 = 5,
    /// Root counter 2.
    Timer2 = 6,
    /// Pads and memory cards; acknowledged by JOY_CTRL bit 4.
    Sio0 = 7,
    /// Serial port; acknowledged by SIO_CTRL bit 4.
    Sio1 = 8,
    /// Sound; acknowledged by SPUCNT bit 6.
    Spu = 9,
    /// Light gun and expansion port.
    Lightpen = 10,
}

const SOURCES: usize = 11;

impl Source {
    /// The bit of this source in I_STAT and I_MASK.
    #[must_use]
    pub const fn bit(self) -> u32 {
        1 << self as u32
    }
}

/// A handler: runs with interrupts off, on the exception stack (3 KiB), after the controller's own
/// flag was cleared; it acknowledges at the device.
pub type Handler = fn();

/// Who looks at what was interrupted, after all sources were served: for profilers and tests. Runs as a
/// [`Handler`] does; what it changes in the frame counts when the program goes on.
pub type Watch = fn(&mut Frame);

/// What interrupt handler and program share. Every access is one volatile word.
struct Shared<T>(UnsafeCell<T>);

// SAFETY: there is one CPU and one handler; every access below is a single aligned volatile word
// access, which an interrupt cannot split.
unsafe impl<T> Sync for Shared<T> {}

static VBLANKS: Shared<u32> = Shared(UnsafeCell::new(0));
static WATCH: Shared<Option<Watch>> = Shared(UnsafeCell::new(None));
static HANDLERS: [Shared<Option<Handler>>; SOURCES] =
    [const { Shared(UnsafeCell::new(None)) }; SOURCES];

impl<T: Copy> Shared<T> {
    fn get(&self) -> T {
        // SAFETY: the cell is valid and aligned, and no reference into it is ever made.
        unsafe { self.0.get().read_volatile() }
    }

    fn set(&self, value: T) {
        // SAFETY: as in `get`.
        unsafe { self.0.get().write_volatile(value) };
    }
}

/// Vertical blanks since the start; wraps.
#[must_use]
pub fn vblanks() -> u32 {
    VBLANKS.get()
}

/// Call `handler` when `source` fires, or, with `None`, mask the source off when it does.
///
/// The mask itself is left alone: see [`mask`]. The vertical blank is counted either way.
pub fn set_handler(source: Source, handler: Option<Handler>) {
    if let Some(slot) = HANDLERS.get(source as usize) {
        slot.set(handler);
    }
}

/// Show `watch` every interrupted program from now on, or nobody.
pub fn set_watch(watch: Option<Watch>) {
    WATCH.set(watch);
}

/// Who is to be shown the frame of an interrupt.
#[cfg_attr(not(target_arch = "mips"), allow(dead_code))]
pub(crate) fn watch() -> Option<Watch> {
    WATCH.get()
}

/// The part that touches the controller and the CPU's status.
#[cfg(target_arch = "mips")]
mod controller {
    use super::{HANDLERS, Handler, Source, VBLANKS};
    use crate::io::{I_MASK, I_STAT};
    use core::arch::asm;

    /// A handler looks for new events this often at most, then returns and is entered again.
    const BURST: u32 = 64;

    /// Let `source` interrupt (`true`) or not.
    pub fn mask(source: Source, on: bool) {
        free(|| {
            let others = I_MASK.read() & !source.bit();
            I_MASK.write(if on { others | source.bit() } else { others });
        });
    }

    fn status() -> u32 {
        let sr: u32;
        // SAFETY: reads COP0 register 12; the block carries the load's delay.
        unsafe {
            asm!(".set push", ".set noreorder", ".set noat", "mfc0 {0}, $12", "nop", ".set pop", out(reg) sr, options(nomem, nostack))
        };
        sr
    }

    fn set_status(sr: u32) {
        // SAFETY: callers change bits 0 and 10, the interrupt enables, and nothing else. Memory
        // counts as changed, so that no access moves across.
        unsafe {
            asm!(".set push", ".set noreorder", ".set noat", "mtc0 {0}, $12", "nop", "nop", ".set pop", in(reg) sr, options(nostack))
        };
    }

    /// The interrupt enable and the hardware line in SR.
    const SR_INTERRUPTS: u32 = 0x0401;

    /// Let masked sources interrupt from now on.
    pub fn enable() {
        set_status(status() | SR_INTERRUPTS);
    }

    /// Let nothing interrupt from now on.
    pub fn disable() {
        set_status(status() & !1);
    }

    /// Run `work` with interrupts off, then put back what was before.
    pub fn free<T>(work: impl FnOnce() -> T) -> T {
        let before = status();
        set_status(before & !1);
        let result = work();
        set_status(before);
        result
    }

    fn serve(number: usize, handler: Option<Handler>) {
        I_STAT.write(!(1 << number));
        if number == Source::Vblank as usize {
            VBLANKS.set(VBLANKS.get().wrapping_add(1));
        } else if handler.is_none() {
            I_MASK.write(I_MASK.read() & !(1 << number));
        }
        if let Some(handler) = handler {
            handler();
        }
    }

    /// Serve all that is pending: acknowledge at the controller first, then at the device, one
    /// source at a time (HAL sheet, section 2).
    pub(crate) fn dispatch() {
        for _ in 0..BURST {
            let pending = I_STAT.read() & I_MASK.read();
            if pending == 0 {
                return;
            }
            for (number, handler) in HANDLERS.iter().enumerate() {
                if pending >> number & 1 != 0 {
                    serve(number, handler.get());
                }
            }
        }
    }
}

#[cfg(target_arch = "mips")]
pub(crate) use controller::dispatch;
#[cfg(target_arch = "mips")]
pub use controller::{disable, enable, free, mask};
