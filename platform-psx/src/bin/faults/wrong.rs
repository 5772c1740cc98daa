//! The faults.
//!
//! Each fills every register with a value of its own, then executes the one instruction that faults;
//! where that lies is printed before. So a test knows every line of the report that must follow.
//!
//! Addresses come in from outside and the instruction that does not exist is written at run time: what
//! it can prove, the project's scanner of linked images refuses.

use core::arch::{asm, global_asm};
use core::fmt;
use core::hint::black_box;
use overworld_psx::interrupt::{self, Source};
use overworld_psx::println;

global_asm!(
    r#"
    .set push
    .set noreorder
    .set noat

    # All registers: number n holds 13570000h + n, hi and lo go on from there. The argument stays, in v0.
    .macro  plant
    lui     $3, 0x1357
    addiu   $5, $3, 32
    mthi    $5
    addiu   $5, $3, 33
    mtlo    $5
    move    $2, $4
    .irp    register, 1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 28, 29, 30, 31
    addiu   $\register, $3, \register
    .endr
    addiu   $3, $3, 3
    .endm

    .section .text.wrong_load, "ax", @progbits
wrong_load:
    plant
wrong_load_at:
    lw      $3, 0($2)
    nop

    .section .text.wrong_store, "ax", @progbits
wrong_store:
    plant
wrong_store_at:
    sh      $3, 0($2)
    nop

    .section .text.wrong_break, "ax", @progbits
wrong_break:
    plant
wrong_break_at:
    break   7
    nop

    .section .text.wrong_sum, "ax", @progbits
wrong_sum:
    plant
wrong_sum_at:
    add     $3, $2, $2
    nop

    # Of an exception in a delay slot the CPU tells the branch.
    .section .text.wrong_slot, "ax", @progbits
wrong_slot:
    plant
wrong_slot_at:
    b       1f
    lw      $3, 0($2)
1:  nop

    .section .text.wrong_jump, "ax", @progbits
wrong_jump:
    plant
    jr      $2
    nop

    .section .text.wrong_gte, "ax", @progbits
wrong_gte:
    plant
wrong_gte_at:
    mfc2    $3, $24
    nop
    nop

    # The handler must not need the program's stack.
    .section .text.wrong_stack, "ax", @progbits
wrong_stack:
    plant
    move    $29, $0
wrong_stack_at:
    break   1
    nop

    # A call whose return address has a name.
    .section .text.wrong_call, "ax", @progbits
wrong_call:
    addiu   $29, $29, -24
    sw      $31, 20($29)
    jal     wrong_called
    nop
wrong_call_back:
    lw      $31, 20($29)
    addiu   $29, $29, 24
    jr      $31
    nop
    .set pop
    "#
);

unsafe extern "C" {
    fn wrong_load(v0: u32) -> !;
    fn wrong_store(v0: u32) -> !;
    fn wrong_break(v0: u32) -> !;
    fn wrong_sum(v0: u32) -> !;
    fn wrong_slot(v0: u32) -> !;
    fn wrong_jump(v0: u32) -> !;
    fn wrong_stack(v0: u32) -> !;
    fn wrong_gte(v0: u32) -> !;
    fn wrong_call();
    // No variables: names of places in the code above.
    static wrong_load_at: u32;
    static wrong_store_at: u32;
    static wrong_break_at: u32;
    static wrong_sum_at: u32;
    static wrong_slot_at: u32;
    static wrong_stack_at: u32;
    static wrong_gte_at: u32;
    static wrong_call_back: u32;
}

/// Where nothing lies but what [`reserved_instruction`] puts there: between program and stack.
const SPARE: *mut u32 = 0x801F_0000 as *mut u32;

/// What `v0` holds where the instruction needs nothing of it.
const PLANTED: u32 = 0x1357_0002;

/// Say where the fault will be.
fn at(place: *const u32) {
    println!("@@ fault at {:08X}", place as usize);
}

/// An address in main memory, `offset` past a word; as far as the compiler knows, any number.
fn odd(offset: u32) -> u32 {
    black_box(0x8001_0000) + offset
}

/// A panic with a message of two lines, in a function whose caller has a name.
pub fn panic() {
    at(&raw const wrong_call_back);
    // SAFETY: calls the function below by the conventions of C.
    unsafe { wrong_call() };
}

#[unsafe(no_mangle)]
extern "C" fn wrong_called() {
    // As far as the compiler knows it may return; so it saves where it came from.
    if black_box(true) {
        panic!("on purpose,\nover two lines");
    }
}

/// A word load from an odd address.
pub fn misaligned_load() {
    at(&raw const wrong_load_at);
    // SAFETY: raises an address error, which is the purpose; nothing is loaded.
    unsafe { wrong_load(odd(1)) };
}

/// A halfword store to an odd address.
pub fn misaligned_store() {
    at(&raw const wrong_store_at);
    // SAFETY: raises an address error, which is the purpose; nothing is stored.
    unsafe { wrong_store(odd(1)) };
}

/// `break`
pub fn breakpoint() {
    at(&raw const wrong_break_at);
    // SAFETY: raises an exception that does not return.
    unsafe { wrong_break(PLANTED) };
}

/// An instruction that this CPU does not have: put where the stack never comes, and jumped to.
pub fn reserved_instruction() {
    at(SPARE);
    // SAFETY: memory between the program and the stack, which nothing else uses; the jump raises an
    // exception that does not return.
    unsafe {
        SPARE.write_volatile(0xFC00_0000);
        SPARE.add(1).write_volatile(0);
        overworld_psx::start::flush_icache();
        wrong_jump(SPARE as u32);
    }
}

/// A sum that does not fit.
pub fn overflow() {
    at(&raw const wrong_sum_at);
    // SAFETY: raises an exception that does not return.
    unsafe { wrong_sum(i32::MAX as u32) };
}

/// A misaligned load in the delay slot of a branch.
pub fn in_delay_slot() {
    at(&raw const wrong_slot_at);
    // SAFETY: raises an address error, which is the purpose; nothing is loaded.
    unsafe { wrong_slot(odd(2)) };
}

/// A fault with a stack pointer that points nowhere.
pub fn no_stack() {
    at(&raw const wrong_stack_at);
    // SAFETY: the exception handler has a stack of its own and does not return.
    unsafe { wrong_stack(PLANTED) };
}

/// A panic whose message faults while it is written.
pub fn nested() {
    struct Bad;
    impl fmt::Display for Bad {
        fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
            // SAFETY: raises an address error, which is the purpose; nothing is loaded.
            unsafe { wrong_load(odd(1)) };
        }
    }
    at(&raw const wrong_load_at);
    panic!("a message that faults: {}", black_box(Bad));
}

/// A handler of a device that uses the geometry engine, which is off in a handler.
pub fn gte_in_handler() {
    fn uses_gte() {
        at(&raw const wrong_gte_at);
        // SAFETY: raises an exception that does not return; nothing is read.
        unsafe { wrong_gte(PLANTED) };
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
