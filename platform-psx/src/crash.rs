//! How a program dies: a report on the character output, the same on the screen, the end mark, stop.
//!
//! The character output comes first, because it needs least. A panic or a fault while a report is
//! being made gives one more line, then the end mark; one more on top of that just stops.

use crate::console::{Colour, Console};
use crate::exception::{Cause, Frame};
use crate::{println, start, tty};
use core::cell::Cell;
use core::fmt::{self, Write};
use core::panic::PanicInfo;

/// How many reports have begun.
struct Stage(Cell<u32>);

// SAFETY: one CPU; after the first report begins, interrupts are off for good, so that only a nested
// panic or fault comes here again, and that one never returns to the access it broke into.
unsafe impl Sync for Stage {}

static STAGE: Stage = Stage(Cell::new(0));

/// Names of the general registers, as assembly listings have them.
const NAMES: [&str; 32] = [
    "zero", "at", "v0", "v1", "a0", "a1", "a2", "a3", "t0", "t1", "t2", "t3", "t4", "t5", "t6",
    "t7", "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "t8", "t9", "k0", "k1", "gp", "sp", "fp",
    "ra",
];

/// Text colour, and the colours behind a panic and a fault.
const WHITE: Colour = Colour::new(31, 31, 31);
const GREY: Colour = Colour::new(20, 20, 20);
const PANIC_BLUE: Colour = Colour::new(0, 2, 14);
const FAULT_RED: Colour = Colour::new(12, 0, 2);

/// Begin a report: interrupts off, and out if this is a report within a report.
fn begin(what: fmt::Arguments<'_>) {
    start::interrupts_off();
    let stage = STAGE.0.get();
    STAGE.0.set(stage.saturating_add(1));
    match stage {
        0 => {}
        1 => {
            // The report may have broken off inside a line.
            println!();
            println!("@@ while that was reported: {what}");
            finish()
        }
        _ => start::stop(),
    }
}

/// The end mark, then nothing more.
fn finish() -> ! {
    tty::end(tty::Verdict::Crash);
    start::stop()
}

/// Turns line breaks into spaces, so that a message stays one line.
struct OneLine<W>(W);

impl<W: Write> Write for OneLine<W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.chars()
            .try_for_each(|letter| self.0.write_char(if letter == '\n' { ' ' } else { letter }))
    }
}

/// What a panic does: `@@PANIC file:line: message` and a blue screen that says the same.
pub fn panicked(info: &PanicInfo<'_>) -> ! {
    let message = info.message();
    let place = info.location();
    let (file, line) = place.map_or(("?", 0), |place| (place.file(), place.line()));
    begin(format_args!("panic at {file}:{line}"));

    let _ = write!(OneLine(tty::Tty), "@@PANIC {file}:{line}: {message}");
    println!();

    let mut screen = Console::take(WHITE, PANIC_BLUE);
    let _ = write!(screen, "PANIC\n\n{message}\n\n");
    screen.set_colour(GREY);
    let _ = write!(screen, "{file}:{line}");
    screen.hold();
    finish()
}

/// What a fault does: `@@FAULT ...`, all registers, and a red screen with the same.
pub fn fault(cause: Cause, frame: &Frame) -> ! {
    begin(format_args!("fault {cause} at {:08X}", frame.epc));
    let Frame {
        r,
        hi,
        lo,
        sr,
        cause: cause_register,
        epc,
        badvaddr,
    } = frame;
    let ra = r[31];

    println!(
        "@@FAULT cause={cause} epc={epc:08X} badvaddr={badvaddr:08X} ra={ra:08X} sr={sr:08X} cause_reg={cause_register:08X}"
    );
    if frame.in_delay_slot() {
        println!("@@ in the delay slot of the branch at epc");
    }
    for (number, row) in r.chunks(4).enumerate() {
        let mut line = tty::Tty;
        let _ = line.write_str("@@");
        for (index, value) in row.iter().enumerate() {
            let _ = write!(line, " {}={value:08X}", NAMES[number * 4 + index]);
        }
        println!();
    }
    println!("@@ hi={hi:08X} lo={lo:08X}");

    let mut screen = Console::take(WHITE, FAULT_RED);
    let _ = write!(
        screen,
        "FAULT: {cause}\n\nat {epc:08X}{}\naddress {badvaddr:08X}\nsr {sr:08X}  cause {cause_register:08X}\n\n",
        if frame.in_delay_slot() {
            " (delay slot)"
        } else {
            ""
        }
    );
    screen.set_colour(GREY);
    for (number, row) in r.chunks(3).enumerate() {
        for (index, value) in row.iter().enumerate() {
            let _ = write!(screen, "{:>4} {value:08X} ", NAMES[number * 3 + index]);
        }
        let _ = screen.write_str("\n");
    }
    let _ = writeln!(screen, "  hi {hi:08X}   lo {lo:08X}");
    screen.hold();
    finish()
}
