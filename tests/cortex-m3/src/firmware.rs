//! The board as a machine of the battery, and what the firmware does.

use core::arch::asm;
use core::fmt;

use overworld_battery::{Machine, run_filtered};
use overworld_runtime::gte::software::Gte;

use crate::{clock, semihosting};

struct Board {
    gte: Gte,
}

impl Machine for Board {
    type Gte = Gte;
    const NAME: &'static str = "Cortex-M3";
    const UNIT: &'static str = "instructions";

    fn gte(&mut self) -> &mut Gte {
        &mut self.gte
    }

    fn line(&mut self, text: fmt::Arguments<'_>) {
        semihosting::line(text);
    }

    /// The only interrupt is the counter's own: a dozen instructions in ten million.
    fn measure(&mut self, work: &mut dyn FnMut(&mut Gte)) -> u32 {
        let gte = &mut self.gte;
        clock::measure(|| work(gte))
    }
}

/// 200,000 instructions and the two that set up the loop.
fn known_work() {
    // SAFETY: counts a register down.
    unsafe {
        asm!(
            "movw {n}, #0x86A0",
            "movt {n}, #1",
            "2: subs {n}, #1",
            "bne 2b",
            n = out(reg) _,
            options(nomem, nostack),
        );
    }
}

/// The whole program.
pub(crate) fn run() -> ! {
    let mut room = [0; 128];
    let argument = semihosting::argument(&mut room);
    match argument {
        "!panic" => panic!("on purpose"),
        "!fault" => undefined_instruction(),
        "!stack" => {
            semihosting::line(format_args!("@@ {}", deep(1)));
        }
        "!hang" => {
            semihosting::line(format_args!("@@ hang"));
            loop {
                core::hint::spin_loop();
            }
        }
        _ => {}
    }
    let counted = clock::measure(known_work);
    semihosting::line(format_args!(
        "@@ clock: 200002 instructions counted as {counted}"
    ));
    let exact = counted.abs_diff(200_002) <= 40;
    if !exact {
        semihosting::line(format_args!(
            "@@ the counter is wrong: start the emulator with -icount shift=7"
        ));
        semihosting::line(format_args!("@@END fail"));
        semihosting::exit(false);
    }
    let mut board = Board { gte: Gte::new() };
    let summary = run_filtered(&mut board, argument);
    semihosting::exit(summary.good());
}

/// An instruction that no processor has.
fn undefined_instruction() {
    // SAFETY: the processor faults, which is what is wanted.
    unsafe { asm!("udf #1") };
}

/// Use up the stack.
#[inline(never)]
fn deep(n: u32) -> u32 {
    let room = core::hint::black_box([n; 64]);
    if n == 0 {
        return 0;
    }
    deep(n.wrapping_add(1)).wrapping_add(room.iter().fold(0, |a, &b| a ^ b))
}
