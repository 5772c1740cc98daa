//! Light: normals from memory to colours.

use core::arch::asm;

use overworld_runtime::fixed::Matrix;
use overworld_runtime::gte::{Lighting, RawVertex, Shade};

use super::Cop2;
use super::blocks::{load_matrix, read, read_three, store_three, write_three};

/// NCCS: sf = 1, lm = 1.
pub(super) const NCCS: u32 = 0x4B08_041B;

/// Load a normal into V0 and a colour into RGBC, and run a command.
#[inline(always)]
fn begin<const WORD: u32>(normal: &RawVertex, colour: u32) {
    // SAFETY: loads the two words of the normal into V0, writes RGBC, runs a colour command.
    unsafe {
        asm!(
            ".set push", ".set noreorder", ".set noat",
            "lwc2 $0, 0({n})",
            "lwc2 $1, 4({n})",
            "mtc2 {colour}, $6",
            "nop", "nop",
            ".word {command}",
            ".set pop",
            n = in(reg) normal,
            colour = in(reg) colour,
            command = const WORD,
            options(nostack, readonly, preserves_flags),
        );
    }
}

/// Load three normals into V0..V2 and a colour into RGBC, and run a command.
#[inline(always)]
fn begin3<const WORD: u32>(normals: [&RawVertex; 3], colour: u32) {
    // SAFETY: loads the two words of each normal into V0..V2, writes RGBC, runs a colour command.
    unsafe {
        asm!(
            ".set push", ".set noreorder", ".set noat",
            "lwc2 $0, 0({n0})",
            "lwc2 $1, 4({n0})",
            "lwc2 $2, 0({n1})",
            "lwc2 $3, 4({n1})",
            "lwc2 $4, 0({n2})",
            "lwc2 $5, 4({n2})",
            "mtc2 {colour}, $6",
            "nop", "nop",
            ".word {command}",
            ".set pop",
            n0 = in(reg) normals[0],
            n1 = in(reg) normals[1],
            n2 = in(reg) normals[2],
            colour = in(reg) colour,
            command = const WORD,
            options(nostack, readonly, preserves_flags),
        );
    }
}

impl Lighting for Cop2 {
    #[inline(always)]
    fn set_light(&mut self, matrix: &Matrix) {
        load_matrix::<8>(matrix);
    }

    #[inline(always)]
    fn set_light_colour(&mut self, matrix: &Matrix) {
        load_matrix::<16>(matrix);
    }

    #[inline(always)]
    fn set_background(&mut self, colour: [u8; 3]) {
        write_three::<13>(colour.map(|c| u32::from(c) << 4));
    }

    #[inline(always)]
    fn set_fade(&mut self, amount: u16) {
        // SAFETY: writes IR0; no memory is touched.
        unsafe {
            asm!(
                ".set push", ".set noreorder", ".set noat",
                "mtc2 {amount}, $8", "nop", "nop",
                ".set pop",
                amount = in(reg) u32::from(amount),
                options(nostack, nomem, preserves_flags),
            );
        }
    }

    #[inline(always)]
    fn begin_colour(&mut self, shade: Shade, normal: &RawVertex, colour: u32) {
        match shade {
            Shade::Plain => begin::<0x4AC8_041E>(normal, colour),
            Shade::Coloured => begin::<NCCS>(normal, colour),
            Shade::Cued => begin::<0x4AE8_0413>(normal, colour),
        }
    }

    #[inline(always)]
    fn begin_colour3(&mut self, shade: Shade, normals: [&RawVertex; 3], colour: u32) {
        match shade {
            Shade::Plain => begin3::<0x4AD8_0420>(normals, colour),
            Shade::Coloured => begin3::<0x4B18_043F>(normals, colour),
            Shade::Cued => begin3::<0x4AF8_0416>(normals, colour),
        }
    }

    #[inline(always)]
    fn colour(&mut self) -> u32 {
        read::<22>()
    }

    #[inline(always)]
    fn colours3(&mut self) -> [u32; 3] {
        read_three::<20>()
    }

    #[inline(always)]
    fn store_colours3(&mut self, to: [&mut u32; 3]) {
        store_three::<20>(to);
    }
}
