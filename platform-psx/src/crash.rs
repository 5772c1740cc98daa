//! How a program dies: a report on the character output, the same on the screen, the end mark, stop.
//!
//! The character output comes first, because it needs least. A panic or a fault while a report is
//! being made gives one more line, then the end mark; one more on top of that just stops.

use crate::console::{Colour, Console};
use crate::exception::{Cause, Frame};
use crate::{println, start, tty};
use core::arch::asm;
use core::cell::Cell;
use core::fmt::{self, Write};
use core::ops::Range;
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

/// How many return addresses a panic shows.
const CALLS: usize = 12;

/// The return addresses that lie on the stack, the latest first: words that point into the code right
/// behind a call and its delay slot.
///
/// There is no better trace: no table of frames is linked, and functions that never return, such as
/// those between a panic and its report, do not save where they came from. What earlier calls left in
/// unused places of the stack may be among them.
struct Calls {
    found: [u32; CALLS],
    count: usize,
}

impl Calls {
    /// Look from the end of the frame of the function that `pc` lies in, whose stack pointer is `sp`,
    /// up to the stack's base.
    fn above(pc: u32, sp: u32) -> Self {
        // No stack is larger than main memory.
        const STACK: u32 = 0x20_0000;
        unsafe extern "C" {
            // No variables: the linker script's names of addresses.
            static __text_start: u32;
            static __text_end: u32;
            static __stack_top: u32;
        }
        let text = &raw const __text_start as u32..&raw const __text_end as u32;
        let top = &raw const __stack_top as u32;
        let mut calls = Self {
            found: [0; CALLS],
            count: 0,
        };
        let from = sp.wrapping_add(frame_size(pc, &text));
        // On another stack (the exception handler's) there is no telling where it ends.
        if !from.is_multiple_of(4) || !(top.saturating_sub(STACK)..top).contains(&from) {
            return calls;
        }
        for address in (from..top).step_by(4) {
            // SAFETY: an aligned word of the stack that this code runs on.
            let word = unsafe { (address as *const u32).read_volatile() };
            let call = word.wrapping_sub(8);
            if !word.is_multiple_of(4) || !text.contains(&word) || !text.contains(&call) {
                continue;
            }
            // SAFETY: an aligned word of this program's code.
            if !is_call(unsafe { (call as *const u32).read_volatile() }) {
                continue;
            }
            let Some(slot) = calls.found.get_mut(calls.count) else {
                break;
            };
            *slot = word;
            calls.count += 1;
        }
        calls
    }

    fn all(&self) -> &[u32] {
        self.found.get(..self.count).unwrap_or_default()
    }
}

/// The bytes of the stack that the function around `pc` takes: a compiled function moves the stack
/// pointer once, at its beginning.
fn frame_size(pc: u32, text: &Range<u32>) -> u32 {
    if !text.contains(&pc) || !pc.is_multiple_of(4) {
        return 0;
    }
    for address in (text.start..=pc).rev().step_by(4) {
        // SAFETY: an aligned word of this program's code.
        let word = unsafe { (address as *const u32).read_volatile() };
        let low = word & 0xFFFF;
        // addiu sp, sp, low: down
        if word >> 16 == 0x27BD && low >= 0x8000 {
            return 0x1_0000 - low;
        }
    }
    0
}

/// `jal` or `jalr`.
const fn is_call(instruction: u32) -> bool {
    instruction >> 26 == 3 || instruction & 0xFC00_003F == 9
}

/// What a panic does: `@@PANIC file:line: message`, stack pointer and callers, and a blue screen that
/// says the same. Its registers are those of the code that panics, not of what went wrong.
pub fn panicked(info: &PanicInfo<'_>) -> ! {
    let (pc, sp): (u32, u32);
    // SAFETY: reads registers.
    unsafe {
        asm!(
            ".set push",
            ".set noat",
            "lui {0}, %hi(1f)",
            "addiu {0}, {0}, %lo(1f)",
            "1: move {1}, $29",
            ".set pop",
            out(reg) pc,
            out(reg) sp,
            options(nomem, nostack, preserves_flags)
        );
    }
    let message = info.message();
    let place = info.location();
    let (file, line) = place.map_or(("?", 0), |place| (place.file(), place.line()));
    begin(format_args!("panic at {file}:{line}"));

    let _ = write!(OneLine(tty::Tty), "@@PANIC {file}:{line}: {message}");
    println!();
    let calls = Calls::above(pc, sp);
    let _ = write!(tty::Tty, "@@ sp={sp:08X} called from");
    for address in calls.all() {
        let _ = write!(tty::Tty, " {address:08X}");
    }
    println!();

    let mut screen = Console::take(WHITE, PANIC_BLUE);
    let _ = write!(screen, "PANIC\n\n{message}\n\n");
    screen.set_colour(GREY);
    let _ = write!(screen, "{file}:{line}\n\nsp {sp:08X}\ncalled from");
    for row in calls.all().chunks(4) {
        let _ = screen.write_str("\n");
        for address in row {
            let _ = write!(screen, "  {address:08X}");
        }
    }
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
