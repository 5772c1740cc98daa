//! Blocks of instructions that several methods share.

use core::arch::asm;

use overworld_runtime::fixed::{Matrix, SVector, Vector};
use overworld_runtime::gte::RawVertex;

use super::{cfc2, ctc2};

// What blocks here and elsewhere rely on when they load words from memory.
const _: () = {
    assert!(size_of::<SVector>() == 8 && align_of::<SVector>() == 4);
    assert!(size_of::<Vector>() == 12 && align_of::<Vector>() == 4);
    assert!(size_of::<Matrix>() == 20 && align_of::<Matrix>() == 4);
};

/// Load a matrix into the five control registers from `FIRST` on: 0 is RT, 8 L, 16 LC.
#[inline(always)]
pub(super) fn load_matrix<const FIRST: u32>(matrix: &Matrix) {
    // SAFETY: loads the 18 bytes of the matrix, aligned by its type; writes control registers that
    // nothing but `Cop2` uses. The last element is the low half of the last word: the load takes
    // the halfword and leaves the padding alone.
    unsafe {
        asm!(
            ".set push", ".set noreorder", ".set noat",
            "lw  $8, 0({m})",
            "lw  $9, 4({m})",
            "lw  $10, 8({m})",
            "lw  $11, 12({m})",
            "lh  $12, 16({m})",
            ".word {m11}", ".word {m13}", ".word {m22}", ".word {m31}", ".word {m33}",
            "nop", "nop",
            ".set pop",
            m = in(reg) matrix,
            m11 = const ctc2(8, FIRST),
            m13 = const ctc2(9, FIRST + 1),
            m22 = const ctc2(10, FIRST + 2),
            m31 = const ctc2(11, FIRST + 3),
            m33 = const ctc2(12, FIRST + 4),
            out("$8") _, out("$9") _, out("$10") _, out("$11") _, out("$12") _,
            options(nostack, readonly, preserves_flags),
        );
    }
}

/// Write three words into the control registers from `FIRST` on: 5 is TR, 13 BK, 21 FC, 24 OFX, OFY and H.
#[inline(always)]
pub(super) fn write_three<const FIRST: u32>([x, y, z]: [u32; 3]) {
    // SAFETY: writes control registers that nothing but `Cop2` uses; no memory is touched.
    unsafe {
        asm!(
            ".set push", ".set noreorder", ".set noat",
            ".word {first}", ".word {second}", ".word {third}",
            "nop", "nop",
            ".set pop",
            first = const ctc2(8, FIRST),
            second = const ctc2(9, FIRST + 1),
            third = const ctc2(10, FIRST + 2),
            in("$8") x,
            in("$9") y,
            in("$10") z,
            options(nostack, nomem, preserves_flags),
        );
    }
}

/// The same for two words: 27 is DQA and DQB, 29 ZSF3 and ZSF4.
#[inline(always)]
pub(super) fn write_two<const FIRST: u32>([x, y]: [u32; 2]) {
    // SAFETY: as in `write_three`.
    unsafe {
        asm!(
            ".set push", ".set noreorder", ".set noat",
            ".word {first}", ".word {second}",
            "nop", "nop",
            ".set pop",
            first = const ctc2(8, FIRST),
            second = const ctc2(9, FIRST + 1),
            in("$8") x,
            in("$9") y,
            options(nostack, nomem, preserves_flags),
        );
    }
}

/// Load the eight bytes of a vector into V0 and run a command.
#[inline(always)]
pub(super) fn load_and_run<const WORD: u32, V>(v: &V) {
    const { assert!(size_of::<V>() == 8 && align_of::<V>() == 4) };
    // SAFETY: loads the two words of the vector, which its type aligns; runs a command.
    unsafe {
        asm!(
            ".set push", ".set noreorder", ".set noat",
            "lwc2 $0, 0({v})",
            "lwc2 $1, 4({v})",
            "nop", "nop",
            ".word {command}",
            ".set pop",
            v = in(reg) v,
            command = const WORD,
            options(nostack, readonly, preserves_flags),
        );
    }
}

/// Load three vectors of eight bytes into V0..V2 and run a command.
#[inline(always)]
pub(super) fn load_three_and_run<const WORD: u32, V>([a, b, c]: [&V; 3]) {
    const { assert!(size_of::<V>() == 8 && align_of::<V>() == 4) };
    // SAFETY: loads the two words of each vector, which its type aligns; runs a command.
    unsafe {
        asm!(
            ".set push", ".set noreorder", ".set noat",
            "lwc2 $0, 0({a})",
            "lwc2 $1, 4({a})",
            "lwc2 $2, 0({b})",
            "lwc2 $3, 4({b})",
            "lwc2 $4, 0({c})",
            "lwc2 $5, 4({c})",
            "nop", "nop",
            ".word {command}",
            ".set pop",
            a = in(reg) a,
            b = in(reg) b,
            c = in(reg) c,
            command = const WORD,
            options(nostack, readonly, preserves_flags),
        );
    }
}

/// Write V0 and run a command.
#[inline(always)]
pub(super) fn write_and_run<const WORD: u32>([xy, z]: RawVertex) {
    // SAFETY: writes V0, runs a command; no memory is touched.
    unsafe {
        asm!(
            ".set push", ".set noreorder", ".set noat",
            "mtc2 {xy}, $0", "mtc2 {z}, $1", "nop", "nop",
            ".word {command}",
            ".set pop",
            xy = in(reg) xy,
            z = in(reg) z,
            command = const WORD,
            options(nostack, nomem, preserves_flags),
        );
    }
}

/// Run a command on what is in the engine, and read a data register: 7 is OTZ, 24 MAC0.
#[inline(always)]
pub(super) fn run_and_read<const WORD: u32, const REGISTER: u32>() -> u32 {
    let value: u32;
    // SAFETY: runs a command and reads a data register; no memory is touched.
    unsafe {
        asm!(
            ".set push", ".set noreorder", ".set noat",
            ".word {command}", "mfc2 {value}, ${register}", "nop",
            ".set pop",
            command = const WORD,
            register = const REGISTER,
            value = lateout(reg) value,
            options(nostack, nomem, preserves_flags),
        );
    }
    value
}

/// Read a data register: 14 is SXY2, 19 SZ3, 22 RGB2. Waits for a command that runs.
#[inline(always)]
pub(super) fn read<const REGISTER: u32>() -> u32 {
    let value: u32;
    // SAFETY: reads a data register; no memory is touched.
    unsafe {
        asm!(
            ".set push", ".set noreorder", ".set noat",
            "mfc2 {value}, ${register}", "nop",
            ".set pop",
            register = const REGISTER,
            value = lateout(reg) value,
            options(nostack, nomem, preserves_flags),
        );
    }
    value
}

/// Read FLAG. Waits for a command that runs.
#[inline(always)]
pub(super) fn flag() -> u32 {
    let flag: u32;
    // SAFETY: reads FLAG; no memory is touched.
    unsafe {
        asm!(
            ".set push", ".set noreorder", ".set noat",
            ".word {word}", "nop",
            ".set pop",
            word = const cfc2(8, 31),
            lateout("$8") flag,
            options(nostack, nomem, preserves_flags),
        );
    }
    flag
}

/// Read three neighbouring data registers from `FIRST` on: 9 is IR, 12 SXY, 20 RGB, 25 MAC. Waits for
/// a command that runs.
#[inline(always)]
pub(super) fn read_three<const FIRST: u32>() -> [u32; 3] {
    let (a, b, c): (u32, u32, u32);
    // SAFETY: reads three data registers; no memory is touched.
    unsafe {
        asm!(
            ".set push", ".set noreorder", ".set noat",
            "mfc2 {a}, ${first}", "mfc2 {b}, ${second}", "mfc2 {c}, ${third}", "nop",
            ".set pop",
            first = const FIRST,
            second = const FIRST + 1,
            third = const FIRST + 2,
            a = lateout(reg) a,
            b = lateout(reg) b,
            c = lateout(reg) c,
            options(nostack, nomem, preserves_flags),
        );
    }
    [a, b, c]
}

/// Store three neighbouring data registers from `FIRST` on. Waits for a command that runs.
#[inline(always)]
pub(super) fn store_three<const FIRST: u32>([a, b, c]: [&mut u32; 3]) {
    // SAFETY: stores a word to each of three places that are borrowed for that.
    unsafe {
        asm!(
            ".set push", ".set noreorder", ".set noat",
            "swc2 ${first}, 0({a})", "swc2 ${second}, 0({b})", "swc2 ${third}, 0({c})",
            ".set pop",
            first = const FIRST,
            second = const FIRST + 1,
            third = const FIRST + 2,
            a = in(reg) a,
            b = in(reg) b,
            c = in(reg) c,
            options(nostack, preserves_flags),
        );
    }
}

/// MVMVA of a vector in memory: MAC1..MAC3.
#[inline(always)]
pub(super) fn product<const WORD: u32, V>(v: &V) -> Vector {
    load_and_run::<WORD, V>(v);
    let [x, y, z] = read_three::<25>().map(|c| c as i32);
    Vector { x, y, z }
}
