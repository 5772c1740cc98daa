//! The faults.
//!
//! The project's scanner of linked images finds most of these by itself when it can prove them; so
//! addresses are read from memory and the instruction that does not exist is written at run time.

use core::arch::asm;
use core::fmt;
use core::hint::black_box;
use overworld_psx::interrupt::{self, Source};

/// An address in main memory, `offset` past a word; as far as the compiler knows, any number.
fn odd(offset: u32) -> u32 {
    black_box(0x8001_0000) + offset
}

/// A panic with a message of two lines.
pub fn panic() {
    panic!("on purpose,\nover two lines");
}

/// A word load from an odd address.
pub fn misaligned_load() {
    // SAFETY: raises an address error, which is the purpose; nothing is loaded.
    unsafe {
        asm!(
            ".set push",
            ".set noreorder",
            ".set noat",
            "lw $2, 0({0})",
            "nop",
            ".set pop",
            in(reg) odd(1),
            out("$2") _,
        );
    }
}

/// A halfword store to an odd address.
pub fn misaligned_store() {
    // SAFETY: raises an address error, which is the purpose; nothing is stored.
    unsafe { asm!(".set push", ".set noat", "sh $0, 0({0})", ".set pop", in(reg) odd(1)) };
}

/// `break`
pub fn breakpoint() {
    // SAFETY: raises an exception that does not return.
    unsafe { asm!("break 7") };
}

/// An instruction that this CPU does not have: put where the stack never comes, and called.
pub fn reserved_instruction() {
    let place = 0x801F_0000 as *mut u32;
    // SAFETY: memory between the program and the stack, which nothing else uses; the call raises
    // an exception that does not return.
    unsafe {
        place.write_volatile(0xFC00_0000);
        place.add(1).write_volatile(0);
        overworld_psx::start::flush_icache();
        let call: extern "C" fn() = core::mem::transmute(place);
        call();
    }
}

/// A sum that does not fit.
pub fn overflow() {
    // SAFETY: raises an exception that does not return.
    unsafe {
        asm!(".set push", ".set noat", "add $2, {0}, {0}", ".set pop", in(reg) i32::MAX, out("$2") _)
    };
}

/// A misaligned load in the delay slot of a branch.
pub fn in_delay_slot() {
    // SAFETY: raises an address error, which is the purpose; nothing is loaded.
    unsafe {
        asm!(
            ".set push",
            ".set noreorder",
            ".set noat",
            "b 1f",
            "lw $2, 0({0})",
            "1: nop",
            ".set pop",
            in(reg) odd(2),
            out("$2") _,
        );
    }
}

/// A fault with a stack pointer that points nowhere.
pub fn no_stack() {
    // SAFETY: nothing after this uses the stack: the exception handler has its own, and does not
    // return.
    unsafe { asm!("move $29, $0", "break 1", options(noreturn)) };
}

/// A panic whose message faults while it is written.
pub fn nested() {
    struct Bad;
    impl fmt::Display for Bad {
        fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
            misaligned_load();
            Ok(())
        }
    }
    panic!("a message that faults: {}", black_box(Bad));
}

/// A handler of a device that uses the geometry engine.
pub fn gte_in_handler() {
    fn uses_gte() {
        // SAFETY: reads MAC0, which is the purpose: the engine is off in a handler.
        unsafe {
            asm!(
                ".set push", ".set noreorder", ".set noat", "mfc2 $2, $24", "nop", ".set pop",
                out("$2") _,
            );
        }
    }
    interrupt::set_handler(Source::Vblank, Some(uses_gte));
    let before = interrupt::vblanks();
    while interrupt::vblanks().wrapping_sub(before) < 3 {}
}

/// Nothing more happens.
pub fn hang() {
    loop {
        // SAFETY: does nothing.
        unsafe { asm!("nop", options(nomem, nostack)) };
    }
}
