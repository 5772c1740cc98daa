//! The geometry engine: COP2 instructions behind the runtime's traits (GTE sheet).
//!
//! Rules kept by every `asm!` block here (GTE sheet, section 4):
//! * a command has two instructions between it and the last register write: blocks that write
//!   registers for a later command end in two `nop`s, blocks that do both carry them inside;
//! * a block that ends in a read ends in a `nop`, since the compiler does not know that the value
//!   arrives one instruction late;
//! * no block holds a branch, so no command gets into a delay slot.
//!
//! The assembler does not know `ctc2`, `cfc2` and `cop2`: they are written as words.

/// The word of `ctc2 $cpu, $control`.
#[cfg_attr(not(target_arch = "mips"), allow(dead_code))]
const fn ctc2(cpu: u32, control: u32) -> u32 {
    0x48C0_0000 | cpu << 16 | control << 11
}

/// The word of `cfc2 $cpu, $control`.
#[cfg_attr(not(target_arch = "mips"), allow(dead_code))]
const fn cfc2(cpu: u32, control: u32) -> u32 {
    0x4840_0000 | cpu << 16 | control << 11
}

/// The word that runs `command`, or none if the chip does not define it.
///
/// Only the low 25 bits count. What the other 42 numbers do is not known (GTE sheet, section 2);
/// as in the software model, they do nothing.
#[cfg_attr(not(target_arch = "mips"), allow(dead_code))]
const fn command_word(command: u32) -> Option<u32> {
    const DEFINED: u64 = 1 << 0x01
        | 1 << 0x06
        | 1 << 0x0C
        | 1 << 0x10
        | 1 << 0x11
        | 1 << 0x12
        | 1 << 0x13
        | 1 << 0x14
        | 1 << 0x16
        | 1 << 0x1B
        | 1 << 0x1C
        | 1 << 0x1E
        | 1 << 0x20
        | 1 << 0x28
        | 1 << 0x29
        | 1 << 0x2A
        | 1 << 0x2D
        | 1 << 0x2E
        | 1 << 0x30
        | 1 << 0x3D
        | 1 << 0x3E
        | 1 << 0x3F;
    if DEFINED >> (command & 0x3F) & 1 == 0 {
        return None;
    }
    Some(0x4A00_0000 | command & 0x01FF_FFFF)
}

#[cfg(target_arch = "mips")]
pub use hardware::Cop2;

#[cfg(target_arch = "mips")]
mod hardware {
    use super::{cfc2, command_word, ctc2};
    use core::arch::asm;
    use core::cell::UnsafeCell;
    use overworld_runtime::fixed::{Matrix, SVector, Vector};
    use overworld_runtime::gte::{Geometry, Point, RawVertex, Registers, Triangle};

    // What the blocks below rely on when they load words from memory.
    const _: () = {
        assert!(size_of::<SVector>() == 8 && align_of::<SVector>() == 4);
        assert!(size_of::<Vector>() == 12 && align_of::<Vector>() == 4);
        assert!(size_of::<Matrix>() == 20 && align_of::<Matrix>() == 4);
    };

    const RTPS: u32 = 0x4A18_0001;
    const RTPT: u32 = 0x4A28_0030;
    const NCLIP: u32 = 0x4B40_0006;
    const AVSZ3: u32 = 0x4B58_002D;
    const AVSZ4: u32 = 0x4B68_002E;
    /// DPCS: sf = 1, lm = 0.
    const DPCS: u32 = 0x4A78_0010;
    /// MVMVA: sf = 1, matrix RT, vector V0, no translation, lm = 0.
    const ROTATE: u32 = 0x4A48_6012;
    /// MVMVA: sf = 1, matrix RT, vector V0, translation TR, lm = 0.
    const TRANSFORM: u32 = 0x4A48_0012;

    /// The console's GTE.
    #[derive(Debug)]
    pub struct Cop2(());

    impl Cop2 {
        /// # Safety
        /// There is only one at a time, SR bit 30 is set, and interrupt handlers leave the GTE
        /// alone.
        pub unsafe fn new() -> Self {
            Self(())
        }
    }

    impl Geometry for Cop2 {
        #[inline(always)]
        fn set_rotation(&mut self, matrix: &Matrix) {
            // SAFETY: loads the 18 bytes of the matrix, aligned by its type; writes RT, which
            // nothing but this type uses. RT33 is the low half of the last word: the load takes
            // the halfword and leaves the padding alone.
            unsafe {
                asm!(
                    ".set push", ".set noreorder", ".set noat",
                    "lw  $8, 0({m})",
                    "lw  $9, 4({m})",
                    "lw  $10, 8({m})",
                    "lw  $11, 12({m})",
                    "lh  $12, 16({m})",
                    ".word {rt11}", ".word {rt13}", ".word {rt22}", ".word {rt31}", ".word {rt33}",
                    "nop", "nop",
                    ".set pop",
                    m = in(reg) matrix,
                    rt11 = const ctc2(8, 0),
                    rt13 = const ctc2(9, 1),
                    rt22 = const ctc2(10, 2),
                    rt31 = const ctc2(11, 3),
                    rt33 = const ctc2(12, 4),
                    out("$8") _, out("$9") _, out("$10") _, out("$11") _, out("$12") _,
                    options(nostack, readonly, preserves_flags),
                );
            }
        }

        #[inline(always)]
        fn set_translation(&mut self, translation: &Vector) {
            // SAFETY: writes TR; no memory is touched.
            unsafe {
                asm!(
                    ".set push", ".set noreorder", ".set noat",
                    ".word {trx}", ".word {try_}", ".word {trz}",
                    "nop", "nop",
                    ".set pop",
                    trx = const ctc2(8, 5),
                    try_ = const ctc2(9, 6),
                    trz = const ctc2(10, 7),
                    in("$8") translation.x,
                    in("$9") translation.y,
                    in("$10") translation.z,
                    options(nostack, nomem, preserves_flags),
                );
            }
        }

        #[inline(always)]
        fn set_screen(&mut self, ofx: i32, ofy: i32, h: u16) {
            // SAFETY: writes OFX, OFY and H; no memory is touched.
            unsafe {
                asm!(
                    ".set push", ".set noreorder", ".set noat",
                    ".word {ofx}", ".word {ofy}", ".word {h}",
                    "nop", "nop",
                    ".set pop",
                    ofx = const ctc2(8, 24),
                    ofy = const ctc2(9, 25),
                    h = const ctc2(10, 26),
                    in("$8") ofx,
                    in("$9") ofy,
                    in("$10") u32::from(h),
                    options(nostack, nomem, preserves_flags),
                );
            }
        }

        #[inline(always)]
        fn set_average(&mut self, zsf3: i16, zsf4: i16) {
            // SAFETY: writes ZSF3 and ZSF4; no memory is touched.
            unsafe {
                asm!(
                    ".set push", ".set noreorder", ".set noat",
                    ".word {zsf3}", ".word {zsf4}",
                    "nop", "nop",
                    ".set pop",
                    zsf3 = const ctc2(8, 29),
                    zsf4 = const ctc2(9, 30),
                    in("$8") i32::from(zsf3),
                    in("$9") i32::from(zsf4),
                    options(nostack, nomem, preserves_flags),
                );
            }
        }

        #[inline(always)]
        fn project3(&mut self, v: [&SVector; 3]) -> Triangle {
            let (a, b, c, flag): (u32, u32, u32, u32);
            // SAFETY: loads the 8 bytes of each vertex, aligned by their type, into V0..V2;
            // reads SXY0..2 and FLAG.
            unsafe {
                asm!(
                    ".set push", ".set noreorder", ".set noat",
                    "lwc2 $0, 0({v0})",
                    "lwc2 $1, 4({v0})",
                    "lwc2 $2, 0({v1})",
                    "lwc2 $3, 4({v1})",
                    "lwc2 $4, 0({v2})",
                    "lwc2 $5, 4({v2})",
                    "nop", "nop",
                    ".word {rtpt}",
                    ".word {flag}",
                    "mfc2 {a}, $12",
                    "mfc2 {b}, $13",
                    "mfc2 {c}, $14",
                    "nop",
                    ".set pop",
                    v0 = in(reg) v[0],
                    v1 = in(reg) v[1],
                    v2 = in(reg) v[2],
                    rtpt = const RTPT,
                    flag = const cfc2(8, 31),
                    lateout("$8") flag,
                    a = lateout(reg) a,
                    b = lateout(reg) b,
                    c = lateout(reg) c,
                    options(nostack, readonly, preserves_flags),
                );
            }
            Triangle {
                sxy: [a, b, c],
                flag,
            }
        }

        #[inline(always)]
        fn project(&mut self, v: &SVector) -> Point {
            let (sxy, flag): (u32, u32);
            // SAFETY: loads the 8 bytes of the vertex, aligned by its type, into V0; reads SXY2
            // and FLAG.
            unsafe {
                asm!(
                    ".set push", ".set noreorder", ".set noat",
                    "lwc2 $0, 0({v})",
                    "lwc2 $1, 4({v})",
                    "nop", "nop",
                    ".word {rtps}",
                    ".word {flag}",
                    "mfc2 {sxy}, $14",
                    "nop",
                    ".set pop",
                    v = in(reg) v,
                    rtps = const RTPS,
                    flag = const cfc2(8, 31),
                    lateout("$8") flag,
                    sxy = lateout(reg) sxy,
                    options(nostack, readonly, preserves_flags),
                );
            }
            Point { sxy, flag }
        }

        #[inline(always)]
        fn normal_clip(&mut self) -> i32 {
            let area: i32;
            // SAFETY: runs NCLIP on the FIFO and reads MAC0; no memory is touched.
            unsafe {
                asm!(
                    ".set push", ".set noreorder", ".set noat",
                    ".word {command}", "mfc2 {area}, $24", "nop",
                    ".set pop",
                    command = const NCLIP,
                    area = lateout(reg) area,
                    options(nostack, nomem, preserves_flags),
                );
            }
            area
        }

        #[inline(always)]
        fn average3(&mut self) -> u16 {
            let depth: u32;
            // SAFETY: runs AVSZ3 on the FIFO and reads OTZ; no memory is touched.
            unsafe {
                asm!(
                    ".set push", ".set noreorder", ".set noat",
                    ".word {command}", "mfc2 {depth}, $7", "nop",
                    ".set pop",
                    command = const AVSZ3,
                    depth = lateout(reg) depth,
                    options(nostack, nomem, preserves_flags),
                );
            }
            depth as u16
        }

        #[inline(always)]
        fn average4(&mut self) -> u16 {
            let depth: u32;
            // SAFETY: runs AVSZ4 on the FIFO and reads OTZ; no memory is touched.
            unsafe {
                asm!(
                    ".set push", ".set noreorder", ".set noat",
                    ".word {command}", "mfc2 {depth}, $7", "nop",
                    ".set pop",
                    command = const AVSZ4,
                    depth = lateout(reg) depth,
                    options(nostack, nomem, preserves_flags),
                );
            }
            depth as u16
        }

        #[inline(always)]
        fn set_cue(&mut self, far: [u8; 3], dqa: i16, dqb: i32) {
            let [r, g, b] = far.map(|c| u32::from(c) << 4);
            // SAFETY: writes RFC, GFC, BFC, DQA and DQB; no memory is touched.
            unsafe {
                asm!(
                    ".set push", ".set noreorder", ".set noat",
                    ".word {rfc}", ".word {gfc}", ".word {bfc}", ".word {dqa}", ".word {dqb}",
                    "nop", "nop",
                    ".set pop",
                    rfc = const ctc2(8, 21),
                    gfc = const ctc2(9, 22),
                    bfc = const ctc2(10, 23),
                    dqa = const ctc2(11, 27),
                    dqb = const ctc2(12, 28),
                    in("$8") r,
                    in("$9") g,
                    in("$10") b,
                    in("$11") i32::from(dqa),
                    in("$12") dqb,
                    options(nostack, nomem, preserves_flags),
                );
            }
        }

        #[inline(always)]
        fn cue(&mut self, colour: u32) -> u32 {
            let cued: u32;
            // SAFETY: writes RGBC, runs DPCS, reads RGB2; no memory is touched.
            unsafe {
                asm!(
                    ".set push", ".set noreorder", ".set noat",
                    "mtc2 {colour}, $6", "nop", "nop", ".word {command}", "mfc2 {cued}, $22", "nop",
                    ".set pop",
                    colour = in(reg) colour,
                    command = const DPCS,
                    cued = lateout(reg) cued,
                    options(nostack, nomem, preserves_flags),
                );
            }
            cued
        }

        #[inline(always)]
        fn rotate_raw(&mut self, [xy, z]: RawVertex) -> [u32; 3] {
            let (a, b, c): (u32, u32, u32);
            // SAFETY: writes V0, runs MVMVA, reads IR1..3; no memory is touched.
            unsafe {
                asm!(
                    ".set push", ".set noreorder", ".set noat",
                    "mtc2 {xy}, $0", "mtc2 {z}, $1", "nop", "nop",
                    ".word {command}",
                    "mfc2 {a}, $9", "mfc2 {b}, $10", "mfc2 {c}, $11", "nop",
                    ".set pop",
                    xy = in(reg) xy,
                    z = in(reg) z,
                    command = const ROTATE,
                    a = lateout(reg) a,
                    b = lateout(reg) b,
                    c = lateout(reg) c,
                    options(nostack, nomem, preserves_flags),
                );
            }
            [a, b, c]
        }

        #[inline(always)]
        fn transform_raw(&mut self, [xy, z]: RawVertex) -> Vector {
            let (x, y, d): (i32, i32, i32);
            // SAFETY: writes V0, runs MVMVA, reads MAC1..3; no memory is touched.
            unsafe {
                asm!(
                    ".set push", ".set noreorder", ".set noat",
                    "mtc2 {xy}, $0", "mtc2 {z}, $1", "nop", "nop",
                    ".word {command}",
                    "mfc2 {x}, $25", "mfc2 {y}, $26", "mfc2 {d}, $27", "nop",
                    ".set pop",
                    xy = in(reg) xy,
                    z = in(reg) z,
                    command = const TRANSFORM,
                    x = lateout(reg) x,
                    y = lateout(reg) y,
                    d = lateout(reg) d,
                    options(nostack, nomem, preserves_flags),
                );
            }
            Vector { x, y, z: d }
        }

        #[inline(always)]
        fn set_columns(&mut self, [a, b, c]: [[u32; 3]; 3]) {
            let pair = |low: u32, high: u32| low & 0xFFFF | high << 16;
            // SAFETY: writes RT; no memory is touched.
            unsafe {
                asm!(
                    ".set push", ".set noreorder", ".set noat",
                    ".word {rt11}", ".word {rt13}", ".word {rt22}", ".word {rt31}", ".word {rt33}",
                    "nop", "nop",
                    ".set pop",
                    rt11 = const ctc2(8, 0),
                    rt13 = const ctc2(9, 1),
                    rt22 = const ctc2(10, 2),
                    rt31 = const ctc2(11, 3),
                    rt33 = const ctc2(12, 4),
                    in("$8") pair(a[0], b[0]),
                    in("$9") pair(c[0], a[1]),
                    in("$10") pair(b[1], c[1]),
                    in("$11") pair(a[2], b[2]),
                    in("$12") c[2],
                    options(nostack, nomem, preserves_flags),
                );
            }
        }

        #[inline(always)]
        fn screen3(&mut self) -> [u32; 3] {
            let (a, b, c): (u32, u32, u32);
            // SAFETY: reads SXY0..2; no memory is touched.
            unsafe {
                asm!(
                    ".set push", ".set noreorder", ".set noat",
                    "mfc2 {a}, $12", "mfc2 {b}, $13", "mfc2 {c}, $14", "nop",
                    ".set pop",
                    a = lateout(reg) a,
                    b = lateout(reg) b,
                    c = lateout(reg) c,
                    options(nostack, nomem, preserves_flags),
                );
            }
            [a, b, c]
        }

        #[inline(always)]
        fn begin3(&mut self, v: [&RawVertex; 3]) {
            // SAFETY: loads the two words of each vertex into V0..V2; runs RTPT.
            unsafe {
                asm!(
                    ".set push", ".set noreorder", ".set noat",
                    "lwc2 $0, 0({v0})",
                    "lwc2 $1, 4({v0})",
                    "lwc2 $2, 0({v1})",
                    "lwc2 $3, 4({v1})",
                    "lwc2 $4, 0({v2})",
                    "lwc2 $5, 4({v2})",
                    "nop", "nop",
                    ".word {rtpt}",
                    ".set pop",
                    v0 = in(reg) v[0],
                    v1 = in(reg) v[1],
                    v2 = in(reg) v[2],
                    rtpt = const RTPT,
                    options(nostack, readonly, preserves_flags),
                );
            }
        }

        #[inline(always)]
        fn begin_clip(&mut self) {
            // SAFETY: runs NCLIP on the FIFO; no memory is touched.
            unsafe {
                asm!(
                    ".word {command}",
                    command = const NCLIP,
                    options(nostack, nomem, preserves_flags),
                );
            }
        }

        /// Starts AVSZ3 as well: it is nearly always wanted.
        #[inline(always)]
        fn clip3(&mut self) -> i32 {
            let area: i32;
            // SAFETY: reads MAC0 and runs AVSZ3, which is an instruction after the read; no memory
            // is touched.
            unsafe {
                asm!(
                    ".set push", ".set noreorder", ".set noat",
                    "mfc2 {area}, $24", ".word {command}",
                    ".set pop",
                    command = const AVSZ3,
                    area = lateout(reg) area,
                    options(nostack, nomem, preserves_flags),
                );
            }
            area
        }

        #[inline(always)]
        fn finish3(&mut self) -> ([u32; 3], u32) {
            let (a, b, c, depth): (u32, u32, u32, u32);
            // SAFETY: reads SXY0..2 and OTZ; no memory is touched.
            unsafe {
                asm!(
                    ".set push", ".set noreorder", ".set noat",
                    "mfc2 {depth}, $7", "mfc2 {a}, $12", "mfc2 {b}, $13", "mfc2 {c}, $14", "nop",
                    ".set pop",
                    depth = lateout(reg) depth,
                    a = lateout(reg) a,
                    b = lateout(reg) b,
                    c = lateout(reg) c,
                    options(nostack, nomem, preserves_flags),
                );
            }
            ([a, b, c], depth)
        }

        #[inline(always)]
        fn clip4(&mut self, v: &RawVertex) -> (u32, i32) {
            let (first, area): (u32, i32);
            // SAFETY: loads the two words of the vertex into V0, which NCLIP does not read; reads
            // SXY0 and MAC0, both an instruction or more before the end; runs RTPS.
            unsafe {
                asm!(
                    ".set push", ".set noreorder", ".set noat",
                    "lwc2 $0, 0({v})",
                    "lwc2 $1, 4({v})",
                    "mfc2 {first}, $12",
                    "mfc2 {area}, $24",
                    ".word {rtps}",
                    ".set pop",
                    v = in(reg) v,
                    rtps = const RTPS,
                    first = lateout(reg) first,
                    area = lateout(reg) area,
                    options(nostack, readonly, preserves_flags),
                );
            }
            (first, area)
        }

        #[inline(always)]
        fn finish4(&mut self) -> ([u32; 3], u32) {
            let (b, c, d, depth): (u32, u32, u32, u32);
            // SAFETY: runs AVSZ4 on the FIFO; reads SXY0..2 and OTZ; no memory is touched.
            unsafe {
                asm!(
                    ".set push", ".set noreorder", ".set noat",
                    ".word {command}",
                    "mfc2 {b}, $12", "mfc2 {c}, $13", "mfc2 {d}, $14", "mfc2 {depth}, $7", "nop",
                    ".set pop",
                    command = const AVSZ4,
                    b = lateout(reg) b,
                    c = lateout(reg) c,
                    d = lateout(reg) d,
                    depth = lateout(reg) depth,
                    options(nostack, nomem, preserves_flags),
                );
            }
            ([b, c, d], depth)
        }

        #[inline(always)]
        fn rotate(&mut self, v: &SVector) -> SVector {
            let (x, y, z): (u32, u32, u32);
            // SAFETY: loads the 8 bytes of the vector, aligned by its type, into V0; reads
            // IR1..3.
            unsafe {
                asm!(
                    ".set push", ".set noreorder", ".set noat",
                    "lwc2 $0, 0({v})",
                    "lwc2 $1, 4({v})",
                    "nop", "nop",
                    ".word {command}",
                    "mfc2 {x}, $9",
                    "mfc2 {y}, $10",
                    "mfc2 {z}, $11",
                    "nop",
                    ".set pop",
                    v = in(reg) v,
                    command = const ROTATE,
                    x = lateout(reg) x,
                    y = lateout(reg) y,
                    z = lateout(reg) z,
                    options(nostack, readonly, preserves_flags),
                );
            }
            SVector {
                x: x as i16,
                y: y as i16,
                z: z as i16,
                pad: 0,
            }
        }

        #[inline(always)]
        fn transform(&mut self, v: &SVector) -> Vector {
            let (x, y, z): (i32, i32, i32);
            // SAFETY: loads the 8 bytes of the vector, aligned by its type, into V0; reads
            // MAC1..3.
            unsafe {
                asm!(
                    ".set push", ".set noreorder", ".set noat",
                    "lwc2 $0, 0({v})",
                    "lwc2 $1, 4({v})",
                    "nop", "nop",
                    ".word {command}",
                    "mfc2 {x}, $25",
                    "mfc2 {y}, $26",
                    "mfc2 {z}, $27",
                    "nop",
                    ".set pop",
                    v = in(reg) v,
                    command = const TRANSFORM,
                    x = lateout(reg) x,
                    y = lateout(reg) y,
                    z = lateout(reg) z,
                    options(nostack, readonly, preserves_flags),
                );
            }
            Vector { x, y, z }
        }
    }

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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_the_instruction_set() {
        // ctc2 $8, $31; cfc2 $8, $31; ctc2 $12, $4 (MIPS I: COP2 rs rt rd).
        assert_eq!(ctc2(8, 31), 0x48C8_F800);
        assert_eq!(cfc2(8, 31), 0x4848_F800);
        assert_eq!(ctc2(12, 4), 0x48CC_2000);
    }

    #[test]
    fn the_22_commands_of_the_sheet_run_and_no_other() {
        let usual = [
            0x4A18_0001,
            0x4B40_0006,
            0x4B78_000C,
            0x4A78_0010,
            0x4A98_0011,
            0x4A40_0012,
            0x4AE8_0413,
            0x4B28_0414,
            0x4AF8_0416,
            0x4B08_041B,
            0x4B38_041C,
            0x4AC8_041E,
            0x4AD8_0420,
            0x4AA8_0428,
            0x4A68_0029,
            0x4AF8_002A,
            0x4B58_002D,
            0x4B68_002E,
            0x4A28_0030,
            0x4B98_003D,
            0x4BA8_003E,
            0x4B18_043F,
        ];
        for word in usual {
            assert_eq!(command_word(word), Some(word));
            assert_eq!(command_word(word & 0x01FF_FFFF), Some(word));
        }
        let count = (0..64).filter(|&n| command_word(n).is_some()).count();
        assert_eq!(count, usual.len());
    }
}
