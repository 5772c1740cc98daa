//! What runs before a program's own code.
//!
//! `_start` takes the machine as a loader left it, knowing nothing about it: RAM may hold anything,
//! interrupts may be on, the instruction cache may hold lines of the program that was there before.

use crate::{exception, interrupt};
use core::arch::{asm, global_asm};

global_asm!(
    r#"
    .section .text.start, "ax", @progbits
    .global _start
    .type _start, @function
_start:
    .set push
    .set noreorder
    .set noat
    mtc0    $0, $12                 # SR: interrupts off
    nop
    nop
    lui     $8, 0xBF80
    sw      $0, 0x1074($8)          # I_MASK: nothing may interrupt
    sw      $0, 0x1070($8)          # I_STAT: nothing is pending
    lui     $28, %hi(_gp)
    addiu   $28, $28, %lo(_gp)
    lui     $29, %hi(__stack_top)
    addiu   $29, $29, %lo(__stack_top)
    lui     $8, %hi(__bss_start)
    addiu   $8, $8, %lo(__bss_start)
    lui     $9, %hi(__bss_end)
    addiu   $9, $9, %lo(__bss_end)
    beq     $8, $9, 2f
    nop
1:
    sw      $0, 0($8)
    sw      $0, 4($8)
    sw      $0, 8($8)
    addiu   $8, $8, 16
    bne     $8, $9, 1b
    sw      $0, -4($8)
2:
    jal     overworld_flush_icache
    nop
    lui     $8, 0x4000              # SR: CU2, the GTE, on
    mtc0    $8, $12
    nop
    nop
    addiu   $29, $29, -16           # argument space of the first call
    jal     overworld_start
    move    $31, $0                 # the bottom of every backtrace
    .set pop
    .size _start, . - _start

    # The instruction cache flush, in the order of the HAL sheet, section 1.3. Everything lies in
    # registers: while the cache is isolated, memory cannot be reached.
    .section .text.overworld_flush_icache, "ax", @progbits
    .global overworld_flush_icache
    .type overworld_flush_icache, @function
overworld_flush_icache:
    .set push
    .set noreorder
    .set noat
    lui     $8, %hi(1f)
    addiu   $8, $8, %lo(1f)
    lui     $9, 0x2000
    or      $8, $8, $9              # go on uncached: KSEG1 (ROM is there already)
    jr      $8
    nop
1:
    mfc0    $10, $12                # the SR to come back to
    lui     $11, 0xFFFE
    mtc0    $0, $12
    nop
    nop
    lui     $12, 0x0001
    ori     $13, $12, 0xE90C        # BCC: data side off, tag test mode
    sw      $13, 0x130($11)
    lw      $0, 0x130($11)          # the store has arrived
    nop
    mtc0    $12, $12                # SR: isolate the cache
    nop
    nop
    move    $14, $0
    ori     $15, $0, 0x1000
2:
    sw      $0, 0x00($14)
    sw      $0, 0x10($14)
    sw      $0, 0x20($14)
    sw      $0, 0x30($14)
    addiu   $14, $14, 0x40
    bne     $14, $15, 2b
    nop
    mtc0    $0, $12                 # SR first, BCC second
    nop
    nop
    ori     $13, $12, 0xE988        # BCC: scratchpad and instruction cache on
    sw      $13, 0x130($11)
    lw      $0, 0x130($11)
    nop
    mtc0    $10, $12
    nop
    nop
    jr      $31
    nop
    .set pop
    .size overworld_flush_icache, . - overworld_flush_icache
    "#
);

unsafe extern "C" {
    /// Made by [`program!`](crate::program): the program's own `main`.
    safe fn overworld_main();
    safe fn overworld_flush_icache();
}

/// Throw away all that the instruction cache holds.
///
/// Needed after code was written to RAM by anything: stores, DMA, a loader (HAL sheet, section 1.3).
#[inline]
pub fn flush_icache() {
    overworld_flush_icache();
}

/// Nothing interrupts from now on; the GTE stays usable.
#[inline]
pub fn interrupts_off() {
    // SAFETY: sets SR to its value after the start-up code; memory counts as changed, so that no
    // access moves across.
    unsafe {
        asm!(
            ".set push",
            ".set noreorder",
            ".set noat",
            "mtc0 {0}, $12",
            "nop",
            "nop",
            ".set pop",
            in(reg) 0x4000_0000_u32,
            options(nostack)
        );
    }
}

/// Stop for good, interrupts off.
pub fn stop() -> ! {
    interrupts_off();
    loop {
        // SAFETY: does nothing; keeps the loop from being taken for one without effect.
        unsafe { asm!("nop", options(nomem, nostack, preserves_flags)) };
    }
}

/// The first Rust of a program: own exception vector, vertical blank counted, then `main`.
#[unsafe(no_mangle)]
extern "C" fn overworld_start() -> ! {
    exception::install();
    interrupt::mask(interrupt::Source::Vblank, true);
    interrupt::enable();
    overworld_main();
    stop()
}
