//! What the game asks of the engine, each in one block of instructions or a few.

use core::arch::asm;

use overworld_runtime::fixed::{Angle, Matrix, SVector, Vector, cos_sin};
use overworld_runtime::gte::{
    Addend, Done, Factor, Geometry, Point, RawVertex, Run, Triangle, matrix_of_registers, mvmva,
};

use super::blocks::{
    flag, load_and_run, load_matrix, load_three_and_run, product, read, read_three, run_and_read,
    store_three, write_and_run, write_three, write_two,
};
use super::compose::compose;
use super::{Cop2, ctc2, polygons};

pub(super) const RTPS: u32 = 0x4A18_0001;
pub(super) const RTPT: u32 = 0x4A28_0030;
pub(super) const NCLIP: u32 = 0x4B40_0006;
pub(super) const AVSZ3: u32 = 0x4B58_002D;
pub(super) const AVSZ4: u32 = 0x4B68_002E;
/// DPCS: sf = 1, lm = 0.
pub(super) const DPCS: u32 = 0x4A78_0010;
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
        write_three::<24>([ofx as u32, ofy as u32, h.into()]);
    }

    #[inline(always)]
    fn set_average(&mut self, zsf3: i16, zsf4: i16) {
        write_two::<29>([zsf3, zsf4].map(|z| i32::from(z) as u32));
    }

    #[inline(always)]
    fn project3(&mut self, v: [&SVector; 3]) -> Triangle {
        load_three_and_run::<RTPT, _>(v);
        Triangle {
            flag: flag(),
            sxy: read_three::<12>(),
        }
    }

    #[inline(always)]
    fn project(&mut self, v: &SVector) -> Point {
        load_and_run::<RTPS, _>(v);
        Point {
            flag: flag(),
            sxy: read::<14>(),
        }
    }

    #[inline(always)]
    fn normal_clip(&mut self) -> i32 {
        run_and_read::<NCLIP, 24>() as i32
    }

    #[inline(always)]
    fn average3(&mut self) -> u16 {
        run_and_read::<AVSZ3, 7>() as u16
    }

    #[inline(always)]
    fn average4(&mut self) -> u16 {
        run_and_read::<AVSZ4, 7>() as u16
    }

    #[inline(always)]
    fn depth(&mut self) -> u16 {
        read::<19>() as u16
    }

    #[inline(always)]
    fn set_cue(&mut self, far: [u8; 3], dqa: i16, dqb: i32) {
        write_three::<21>(far.map(|c| u32::from(c) << 4));
        write_two::<27>([i32::from(dqa) as u32, dqb as u32]);
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
                product::<{ mvmva(Factor::$factor, Addend::$addend) }, _>(v)
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
    fn rotate_raw(&mut self, v: RawVertex) -> [u32; 3] {
        write_and_run::<ROTATE>(v);
        read_three::<9>()
    }

    #[inline(always)]
    fn transform_raw(&mut self, v: RawVertex) -> Vector {
        write_and_run::<TRANSFORM>(v);
        let [x, y, z] = read_three::<25>().map(|c| c as i32);
        Vector { x, y, z }
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
        load_three_and_run::<RTPT, _>(v);
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
    fn project_all(&mut self, vertices: &[RawVertex], to: &mut [[u32; 2]]) {
        polygons::project_all(vertices, to);
    }

    const TABLES: bool = true;

    #[inline(always)]
    fn tabulate(&mut self, vertices: &[RawVertex], cued: bool, spare: &mut [u32]) -> Option<usize> {
        self.tables.fill(vertices, cued, spare)
    }

    #[inline(always)]
    fn polygons(&mut self, run: Run<'_>) -> Done {
        self.tables.draw(run)
    }

    #[inline(always)]
    fn rotate(&mut self, v: &SVector) -> SVector {
        load_and_run::<ROTATE, _>(v);
        let [x, y, z] = read_three::<9>().map(|c| c as i16);
        SVector { x, y, z, pad: 0 }
    }

    #[inline(always)]
    fn transform(&mut self, v: &SVector) -> Vector {
        product::<TRANSFORM, _>(v)
    }
}
