//! What the game asks of the engine, each in one block of instructions or a few.

use core::arch::asm;

use overworld_runtime::fixed::{Angle, Matrix, SVector, Vector, cos_sin};
use overworld_runtime::gte::{
    Addend, Factor, Geometry, Point, RawVertex, Triangle, matrix_of_registers, mvmva,
};

use super::blocks::{load_matrix, product, read_three, store_three, write_three};
use super::compose::compose;
use super::{Cop2, cfc2, ctc2};

const RTPS: u32 = 0x4A18_0001;
const RTPT: u32 = 0x4A28_0030;
const NCLIP: u32 = 0x4B40_0006;
const AVSZ3: u32 = 0x4B58_002D;
const AVSZ4: u32 = 0x4B68_002E;
/// DPCS: sf = 1, lm = 0.
const DPCS: u32 = 0x4A78_0010;
/// DPCT: sf = 1, lm = 0.
const DPCT: u32 = 0x4AF8_002A;
/// MVMVA: sf = 1, matrix RT, vector V0, no translation, lm = 0.
const ROTATE: u32 = mvmva(Factor::Rotation, Addend::Nothing);
/// MVMVA: sf = 1, matrix RT, vector V0, translation TR, lm = 0.
const TRANSFORM: u32 = mvmva(Factor::Rotation, Addend::Translation);

impl Geometry for Cop2 {
    #[inline(always)]
    fn set_rotation(&mut self, matrix: &Matrix) {
        load_matrix::<0>(matrix);
    }

    #[inline(always)]
    fn set_translation(&mut self, translation: &Vector) {
        let Vector { x, y, z } = *translation;
        write_three::<5>([x, y, z].map(|c| c as u32));
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
    fn depth(&mut self) -> u16 {
        let depth: u32;
        // SAFETY: reads SZ3; no memory is touched.
        unsafe {
            asm!(
                ".set push", ".set noreorder", ".set noat",
                "mfc2 {depth}, $19", "nop",
                ".set pop",
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
    fn cue3(&mut self, [a, b, c]: [u32; 3]) -> [u32; 3] {
        // SAFETY: writes RGB0..2 and RGBC, runs DPCT; no memory is touched.
        unsafe {
            asm!(
                ".set push", ".set noreorder", ".set noat",
                "mtc2 {a}, $20", "mtc2 {b}, $21", "mtc2 {c}, $22", "mtc2 {a}, $6",
                "nop", "nop",
                ".word {command}",
                ".set pop",
                a = in(reg) a,
                b = in(reg) b,
                c = in(reg) c,
                command = const DPCT,
                options(nostack, nomem, preserves_flags),
            );
        }
        read_three::<20>()
    }

    #[inline(always)]
    fn apply(&mut self, factor: Factor, addend: Addend, v: &RawVertex) -> Vector {
        macro_rules! one {
            ($factor:ident, $addend:ident) => {
                product::<{ mvmva(Factor::$factor, Addend::$addend) }>(v)
            };
        }
        match (factor, addend) {
            (Factor::Rotation, Addend::Translation) => one!(Rotation, Translation),
            (Factor::Rotation, Addend::Background) => one!(Rotation, Background),
            (Factor::Rotation, Addend::Nothing) => one!(Rotation, Nothing),
            (Factor::Light, Addend::Translation) => one!(Light, Translation),
            (Factor::Light, Addend::Background) => one!(Light, Background),
            (Factor::Light, Addend::Nothing) => one!(Light, Nothing),
            (Factor::LightColour, Addend::Translation) => one!(LightColour, Translation),
            (Factor::LightColour, Addend::Background) => one!(LightColour, Background),
            (Factor::LightColour, Addend::Nothing) => one!(LightColour, Nothing),
        }
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
    fn compose(
        &mut self,
        rotation: &Matrix,
        place: &Vector,
        t: [i16; 3],
        angles: [Angle; 3],
    ) -> (Matrix, Vector) {
        let (rt, [x, y, z]) = compose(rotation, place, t, angles.map(cos_sin));
        (
            matrix_of_registers(rt),
            Vector::new(x as i32, y as i32, z as i32),
        )
    }

    #[inline(always)]
    fn screen3(&mut self) -> [u32; 3] {
        read_three::<12>()
    }

    #[inline(always)]
    fn store_screen3(&mut self, to: [&mut u32; 3]) {
        store_three::<12>(to);
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
