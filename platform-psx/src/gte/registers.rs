//! The register file, one register at a time: for tests and tools.

use core::arch::asm;
use core::cell::UnsafeCell;

use overworld_runtime::gte::Registers;

use super::{Cop2, cfc2, command_word, ctc2};

/// One arm for each register, for its number is part of the instruction.
macro_rules! each_register {
    ($register:expr, $data:ident, $control:ident) => {
        each_register!(@arms $register, $data, $control,
            0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
            16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31)
    };
    (@arms $register:expr, $data:ident, $control:ident, $($n:literal)*) => {
        match ($register & 63) >> 5 {
            0 => match $register & 31 {
                $($n => $data!($n),)*
                _ => unreachable!("five bits"),
            },
            _ => match $register & 31 {
                $($n => $control!($n),)*
                _ => unreachable!("five bits"),
            },
        }
    };
}

impl Registers for Cop2 {
    fn write(&mut self, register: u8, value: u32) {
        // Three instructions until a derived register can be read: IRGB to IR1 needs most.
        macro_rules! data {
            ($n:literal) => {
                // SAFETY: writes one GTE data register; no memory is touched.
                unsafe {
                    asm!(
                        ".set push", ".set noreorder", ".set noat",
                        concat!("mtc2 {value}, $", $n), "nop", "nop", "nop",
                        ".set pop",
                        value = in(reg) value,
                        options(nostack, nomem, preserves_flags),
                    )
                }
            };
        }
        macro_rules! control {
            ($n:literal) => {
                // SAFETY: writes one GTE control register; no memory is touched.
                unsafe {
                    asm!(
                        ".set push", ".set noreorder", ".set noat",
                        ".word {word}", "nop", "nop", "nop",
                        ".set pop",
                        word = const ctc2(8, $n),
                        in("$8") value,
                        options(nostack, nomem, preserves_flags),
                    )
                }
            };
        }
        each_register!(register, data, control);
    }

    fn read(&mut self, register: u8) -> u32 {
        macro_rules! data {
            ($n:literal) => {{
                let value: u32;
                // SAFETY: reads one GTE data register; no memory is touched.
                unsafe {
                    asm!(
                        ".set push", ".set noreorder", ".set noat",
                        concat!("mfc2 {value}, $", $n), "nop",
                        ".set pop",
                        value = lateout(reg) value,
                        options(nostack, nomem, preserves_flags),
                    );
                }
                value
            }};
        }
        macro_rules! control {
            ($n:literal) => {{
                let value: u32;
                // SAFETY: reads one GTE control register; no memory is touched.
                unsafe {
                    asm!(
                        ".set push", ".set noreorder", ".set noat",
                        ".word {word}", "nop",
                        ".set pop",
                        word = const cfc2(8, $n),
                        lateout("$8") value,
                        options(nostack, nomem, preserves_flags),
                    );
                }
                value
            }};
        }
        each_register!(register, data, control)
    }

    /// The word is only known at run time, so it is written into a small routine in RAM,
    /// which runs uncached: nothing has to be flushed. For tests and tools; the methods of
    /// [`Geometry`] hold their commands as constants.
    #[inline(never)]
    fn command(&mut self, word: u32) {
        /// `command; jr $31; nop`.
        struct Routine(UnsafeCell<[u32; 3]>);
        // SAFETY: one CPU, and only `command` of the one `Cop2` uses it.
        unsafe impl Sync for Routine {}
        static ROUTINE: Routine = Routine(UnsafeCell::new([0; 3]));

        let Some(word) = command_word(word) else {
            return;
        };
        let cached = ROUTINE.0.get() as u32;
        let place = (cached & 0x1FFF_FFFF | 0xA000_0000) as *mut [u32; 3];
        // SAFETY: `place` is the KSEG1 address of the static, which nothing else touches and
        // nothing reads through its cached address. The three words are a routine that keeps
        // every register of the CPU, so it may be called as a C function; it runs from
        // uncached memory, so it is seen as it was just written.
        unsafe {
            place.write_volatile([word, 0x03E0_0008, 0]);
            let routine: extern "C" fn() = core::mem::transmute(place);
            routine();
        }
    }
}
