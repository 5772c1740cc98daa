//! BIOS calls as a C program makes them. Sony's BIOS passes, too.

use crate::checks::Outcome;
use core::arch::global_asm;
use overworld_psx::{println, tty};

global_asm!(
    r#"
    .set push
    .set noreorder
    .set noat

    # bios_a(a0, a1, a2, a3, number): as the stubs of a C library, the number in t1.
    .irp    table, a, b
    .section .text.bios_\table, "ax", @progbits
    .ifc    \table, a
bios_a:
    ori     $10, $0, 0xA0
    .else
bios_b:
    ori     $10, $0, 0xB0
    .endif
    lw      $9, 16($29)
    jr      $10
    nop
    .endr

    # printf with six arguments, two of them on the stack.
    .section .text.bios_print, "ax", @progbits
bios_print:
    addiu   $29, $29, -32
    sw      $31, 24($29)
    lui     $4, %hi(bios_template)
    addiu   $4, $4, %lo(bios_template)
    addiu   $5, $0, -42
    lui     $6, 0x0001
    ori     $6, $6, 0xBEEF
    lui     $7, %hi(bios_word)
    addiu   $7, $7, %lo(bios_word)
    ori     $8, $0, 7
    sw      $8, 16($29)
    ori     $8, $0, 0x21
    sw      $8, 20($29)
    ori     $10, $0, 0xA0
    jalr    $10
    ori     $9, $0, 0x3F
    lw      $31, 24($29)
    addiu   $29, $29, 32
    jr      $31
    nop

    .section .rodata.bios_print, "a", @progbits
bios_template:
    .asciz  "@@ printf %d %08X %s [%4d] %c\n"
bios_word:
    .asciz  "sector"
    .set pop
    "#
);

unsafe extern "C" {
    fn bios_a(a0: usize, a1: usize, a2: usize, a3: usize, number: usize) -> usize;
    fn bios_b(a0: usize, a1: usize, a2: usize, a3: usize, number: usize) -> usize;
    fn bios_print();
}

/// Print `@@ printf -42 0001BEEF sector [   7] !` through printf.
pub fn print() {
    // SAFETY: the template asks for the arguments that are given.
    unsafe { bios_print() };
}

/// A0: bcopy, bzero, bcmp, memcpy, memset, memmove, memcmp.
pub fn memory() -> Outcome {
    let from = *b"0123456789abcdef";
    let mut to = [0x55_u8; 16];
    let (source, target) = (from.as_ptr() as usize, to.as_mut_ptr() as usize);
    // SAFETY: every call stays inside the two arrays.
    let answers = unsafe {
        [
            bios_a(target + 1, source, 5, 0, 0x2A),
            bios_a(target + 8, u32::from(b'x') as usize, 3, 0, 0x2B),
            bios_a(source, target + 12, 2, 0, 0x27),
            bios_a(target + 14, 2, 0, 0, 0x28),
            bios_a(target + 2, target + 1, 5, 0, 0x2C),
            bios_a(target, source, 1, 0, 0x2D),
        ]
    };
    if to != *b"U001234Uxxx\x5501\0\0" {
        return Err("memcpy, memset, bcopy, bzero or memmove wrote something else");
    }
    // The difference of 'U' and '0', and the target of memcpy.
    if answers[0] != target + 1 || answers[5] as i32 <= 0 {
        return Err("memcpy or memcmp answers something else");
    }
    Ok(())
}

/// A0: strlen, strcmp, strncmp, strcpy, strcat, strchr, strrchr, atoi; B0: GetB0Table.
pub fn strings() -> Outcome {
    let word = c"overworld".as_ptr() as usize;
    let other = c"overlay".as_ptr() as usize;
    let number = c" -120 m".as_ptr() as usize;
    let mut text = [0_u8; 32];
    let room = text.as_mut_ptr() as usize;
    // SAFETY: every pointer is a string or has room for what is written.
    let (length, order, same, at, last, value, table) = unsafe {
        bios_a(room, word, 0, 0, 0x19);
        bios_a(room, other, 0, 0, 0x15);
        (
            bios_a(word, 0, 0, 0, 0x1B),
            bios_a(word, other, 0, 0, 0x17) as i32,
            bios_a(word, other, 4, 0, 0x18),
            bios_a(word, b'r' as usize, 0, 0, 0x1E),
            bios_a(word, b'r' as usize, 0, 0, 0x1F),
            bios_a(number, 0, 0, 0, 0x10) as i32,
            bios_b(0, 0, 0, 0, 0x57),
        )
    };
    if !text.starts_with(b"overworldoverlay\0") {
        return Err("strcpy or strcat wrote something else");
    }
    if length != 9 || order <= 0 || same != 0 {
        return Err("strlen, strcmp or strncmp answers something else");
    }
    if (at - word, last - word, value) != (3, 6, -120) {
        return Err("strchr, strrchr or atoi answers something else");
    }
    // The table holds the function that the vector goes to: call putchar through it.
    // SAFETY: GetB0Table's answer is a table of function addresses, at least 5Eh of them.
    let putchar: extern "C" fn(u32) = unsafe {
        let entry = (table as *const u32).add(0x3D).read_volatile();
        if !entry.is_multiple_of(4) || entry == 0 {
            return Err("GetB0Table answers something else");
        }
        core::mem::transmute(entry)
    };
    putchar(u32::from(b'\n'));
    Ok(())
}

/// Two calls that do not exist: our ROM reports each number once.
pub fn unknown() {
    // SAFETY: on our ROM these only report.
    unsafe {
        bios_b(0, 0, 0, 0, 0x5F);
        bios_b(0, 0, 0, 0, 0x5F);
        bios_a(0, 0, 0, 0, 0x1234);
    }
    println!("@@ after unknown calls");
    tty::end(tty::Verdict::Pass);
}

/// End by A0:06, exit, with a status that says "failed".
pub fn exit() {
    // SAFETY: does not return.
    unsafe { bios_a(3, 0, 0, 0, 0x06) };
}
