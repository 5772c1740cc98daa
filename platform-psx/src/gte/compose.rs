//! Rotation and place of one piece of an actor: seven products in one block of instructions.

use core::arch::asm;

use overworld_runtime::fixed::{Matrix, Vector};
use overworld_runtime::gte::{Addend, Factor, mvmva};

use super::ctc2;

/// MVMVA with RT and V0: a column of the product.
const FIRST: u32 = mvmva(Factor::Rotation, Addend::Nothing);
/// MVMVA with RT and V1.
const SECOND: u32 = FIRST | 1 << 15;
/// MVMVA with RT, IR1..IR3 and TR.
const PLACE: u32 = mvmva(Factor::Rotation, Addend::Translation) | 3 << 15;

/// `rotation * Rz * Ry * Rx` in the form of RT0..RT4, `rotation * t + place`; both are also left in RT
/// and TR. The angles about X, Y and Z come as cosine and sine in one word each.
///
/// With the columns a, b and d of the matrix, a single-axis product is two columns out of two:
/// `a cos + b sin` and `b cos - a sin` about Z, `a cos - d sin` and `a sin + d cos` about Y,
/// `b cos + d sin` and `d cos - b sin` about X. Each is RT times a vector; the third column would be
/// multiplied by 1.0, which changes no bit. While the engine is at the second of them the first is
/// packed for RT, and one word is loaded while it is at the first. Between two products RT has to be
/// whole, so neither can begin earlier.
///
/// $9, $10 and $12 hold the column d all the while, of which $9 is then a part of RT1 and $10 of RT2.
#[inline(always)]
pub(super) fn compose(
    rotation: &Matrix,
    place: &Vector,
    [x, y, z]: [i16; 3],
    [about_x, about_y, about_z]: [&u32; 3],
) -> ([u32; 5], [u32; 3]) {
    let (a, b, c, d, e): (u32, u32, u32, u32, u32);
    let (p, q, r): (u32, u32, u32);
    // SAFETY: loads the 18 bytes of the matrix, the 12 of the vector and a word for each angle, all
    // aligned by their types; writes registers of the engine that nothing but `Cop2` uses.
    unsafe {
        asm!(
            ".set push", ".set noreorder", ".set noat",
            // The actor into RT and TR, t into IR.
            "lw $8, 0($4)",
            "lw $9, 4($4)",
            "mtc2 $6, $9", "mtc2 $7, $10", "mtc2 $2, $11",
            ".word {rt0_8}", ".word {rt1_9}",
            "andi $9, $9, 0xFFFF",
            "lw $10, 8($4)",
            "lw $11, 12($4)",
            "lui $7, 0xFFFF",
            ".word {rt2_10}", ".word {rt3_11}",
            "and $10, $10, $7",
            "lh $12, 16($4)",
            "lw $13, 0($5)", "lw $14, 4($5)", "lw $15, 8($5)",
            ".word {rt4_12}", ".word {tr0_13}", ".word {tr1_14}", ".word {tr2_15}",
            "nop", "nop",
            ".word {place}",
            "lw $2, 0($24)",
            "mfc2 $13, $25", "mfc2 $14, $26", "mfc2 $15, $27",
            // About Z: V0 is (cos, sin, 0), V1 (-sin, cos, 0). The word is V0.
            "mtc2 $2, $0", "mtc2 $0, $1",
            "srl $6, $2, 16", "subu $6, $0, $6", "andi $6, $6, 0xFFFF", "sll $8, $2, 16",
            "or $6, $6, $8",
            "mtc2 $6, $2", "mtc2 $0, $3",
            ".word {first}",
            "lw $2, 0($25)",
            "mfc2 $4, $9", "mfc2 $5, $10", "mfc2 $6, $11",
            ".word {second}",
            "andi $4, $4, 0xFFFF", "sll $5, $5, 16", "andi $6, $6, 0xFFFF",
            "or $9, $9, $5",
            "andi $24, $2, 0xFFFF", "srl $25, $2, 16", "subu $8, $0, $25",
            "mfc2 $7, $9", "mfc2 $5, $10", "mfc2 $11, $11",
            "sll $7, $7, 16", "andi $5, $5, 0xFFFF", "sll $11, $11, 16",
            "or $4, $4, $7", "or $10, $5, $10", "or $6, $6, $11",
            ".word {rt0_4}", ".word {rt1_9}", ".word {rt2_10}", ".word {rt3_6}",
            // About Y: V0 is (cos, 0, -sin), V1 (sin, 0, cos).
            "mtc2 $24, $0", "mtc2 $8, $1", "mtc2 $25, $2", "mtc2 $2, $3",
            ".word {first}",
            "lw $2, 0($3)",
            "mfc2 $4, $9", "mfc2 $8, $10", "mfc2 $6, $11",
            ".word {second}",
            "andi $4, $4, 0xFFFF", "sll $8, $8, 16", "andi $6, $6, 0xFFFF",
            "or $7, $4, $7", "or $11, $6, $11",
            "sll $24, $2, 16", "srl $25, $2, 16",
            "mfc2 $9, $9", "mfc2 $10, $10", "mfc2 $12, $11",
            "andi $9, $9, 0xFFFF", "or $9, $9, $8",
            "sll $10, $10, 16", "or $10, $5, $10",
            ".word {rt0_7}", ".word {rt1_9}", ".word {rt2_10}", ".word {rt3_11}", ".word {rt4_12}",
            // About X: V0 is (0, cos, sin), V1 (0, -sin, cos).
            "subu $3, $0, $25", "sll $3, $3, 16",
            "mtc2 $24, $0", "mtc2 $25, $1", "mtc2 $3, $2", "mtc2 $2, $3",
            ".word {first}",
            ".word {tr0_13}", ".word {tr1_14}", ".word {tr2_15}",
            "mfc2 $7, $9", "mfc2 $5, $10", "mfc2 $11, $11",
            ".word {second}",
            "sll $7, $7, 16", "andi $5, $5, 0xFFFF", "sll $11, $11, 16",
            "or $7, $4, $7", "or $11, $6, $11",
            "mfc2 $9, $9", "mfc2 $10, $10", "mfc2 $12, $11",
            "andi $9, $9, 0xFFFF", "or $9, $9, $8",
            "sll $10, $10, 16", "or $10, $5, $10",
            ".word {rt0_7}", ".word {rt1_9}", ".word {rt2_10}", ".word {rt3_11}", ".word {rt4_12}",
            "nop", "nop",
            ".set pop",
            first = const FIRST,
            second = const SECOND,
            place = const PLACE,
            rt0_4 = const ctc2(4, 0),
            rt0_7 = const ctc2(7, 0),
            rt0_8 = const ctc2(8, 0),
            rt1_9 = const ctc2(9, 1),
            rt2_10 = const ctc2(10, 2),
            rt3_6 = const ctc2(6, 3),
            rt3_11 = const ctc2(11, 3),
            rt4_12 = const ctc2(12, 4),
            tr0_13 = const ctc2(13, 5),
            tr1_14 = const ctc2(14, 6),
            tr2_15 = const ctc2(15, 7),
            inout("$4") rotation => _,
            inout("$5") place => _,
            inout("$6") i32::from(x) => _,
            inout("$7") i32::from(y) => a,
            inout("$2") i32::from(z) => _,
            inout("$24") about_z => _,
            inout("$25") about_y => _,
            inout("$3") about_x => _,
            out("$8") _,
            out("$9") b,
            out("$10") c,
            out("$11") d,
            out("$12") e,
            out("$13") p,
            out("$14") q,
            out("$15") r,
            options(nostack, readonly, preserves_flags),
        );
    }
    ([a, b, c, d, e], [p, q, r])
}
