//! Textures, and what decides about a pixel: modulation, blending, the mask.

use super::{open, xy};
use crate::gpu::Gpu;
use overworld_runtime::platform::Screen;

/// A 4-bit page at (64, 0) whose texel `u` of row 0 is `u & 15` for u in 0..16, row 1 reversed;
/// palette at (0, 480): entry `n` is `n`, entry 0 transparent, entry 15 with the top bit.
fn textured() -> Gpu {
    let mut gpu = open();
    let row0 = [0x3210_u16, 0x7654, 0xBA98, 0xFEDC];
    let row1 = [0xCDEF_u16, 0x89AB, 0x4567, 0x0123];
    let pixels: Vec<u8> = row0
        .iter()
        .chain(&row1)
        .flat_map(|half| half.to_le_bytes())
        .collect();
    gpu.upload(64, 0, 4, 2, &pixels).unwrap();
    let palette: Vec<u8> = (0..16_u16)
        .flat_map(|n| (if n == 15 { 0x8000 | n } else { n }).to_le_bytes())
        .collect();
    gpu.upload(0, 480, 16, 1, &palette).unwrap();
    gpu
}

const CLUT: u32 = (480 << 6) << 16;

#[test]
fn a_textured_rectangle_and_quad_show_the_same_texels() {
    let mut gpu = textured();
    gpu.gp0(&[0xE100_0001, 0x6580_8080, xy(200, 10), CLUT, 16 | 2 << 16])
        .unwrap();
    gpu.gp0(&[
        0x2C80_8080,
        xy(200, 20),
        CLUT,
        xy(216, 20),
        16 | 0x0001_0000,
        xy(200, 22),
        2 << 8,
        xy(216, 22),
        16 | 2 << 8,
    ])
    .unwrap();
    let first: Vec<u16> = (0..15).chain([0x800F]).collect();
    let second: Vec<u16> = first.iter().rev().copied().collect();
    for top in [10, 20] {
        assert_eq!(gpu.vram.row(200, top, 16).unwrap(), first);
        assert_eq!(gpu.vram.row(200, top + 1, 16).unwrap(), second);
    }
}

#[test]
fn eight_and_fifteen_bit_pages() {
    let mut gpu = open();
    gpu.upload(128, 0, 2, 1, &[1, 2, 0, 255]).unwrap();
    let palette: Vec<u8> = (0..256_u16).flat_map(|n| (n * 3).to_le_bytes()).collect();
    gpu.upload(256, 480, 256, 1, &palette).unwrap();
    let clut = ((480 << 6) | (256 / 16)) << 16;
    gpu.gp0(&[
        0xE100_0000 | 2 | 1 << 7,
        0x65FF_FFFF,
        xy(0, 0),
        clut,
        4 | 1 << 16,
    ])
    .unwrap();
    assert_eq!(gpu.vram.row(0, 0, 4).unwrap(), [3, 6, 0, 765]);
    gpu.gp0(&[
        0xE100_0000 | 2 | 2 << 7,
        0x65FF_FFFF,
        xy(0, 1),
        clut,
        2 | 1 << 16,
    ])
    .unwrap();
    assert_eq!(gpu.vram.row(0, 1, 2).unwrap(), [0x0201, 0xFF00]);
}

#[test]
fn the_texture_window_repeats_texels() {
    let mut gpu = textured();
    // Mask 1 (8 texels), offset 1: u = u & ~8 | 8.
    gpu.gp0(&[
        0xE100_0001,
        0xE200_0000 | 1 | 1 << 10,
        0x6580_8080,
        xy(200, 0),
        CLUT,
        16 | 1 << 16,
    ])
    .unwrap();
    assert_eq!(
        gpu.vram.row(200, 0, 16).unwrap(),
        [
            8, 9, 10, 11, 12, 13, 14, 0x800F, 8, 9, 10, 11, 12, 13, 14, 0x800F
        ]
    );
}

#[test]
fn modulation_is_neutral_at_80h() {
    for (texel, colour, expected) in [
        (31_u16, 0x80, 31),
        (31, 0x40, 15),
        (31, 0xFF, 31),
        (10, 0xFF, 19),
        (10, 0x80, 10),
        (10, 0x0C, 0),
        (10, 0x0D, 1),
    ] {
        let mut gpu = open();
        gpu.upload(64, 0, 1, 1, &texel.to_le_bytes()).unwrap();
        gpu.gp0(&[0xE100_0101, 0x6400_0000 | colour, xy(0, 0), 0, 1 | 1 << 16])
            .unwrap();
        assert_eq!(gpu.vram.get(0, 0), expected, "{texel} by {colour:#x}");
    }
}

#[test]
fn the_four_blend_modes() {
    for (back, front, expected) in [
        (20_u16, 10_u16, [15, 30, 10, 22]),
        (25, 10, [17, 31, 15, 27]),
        (5, 10, [7, 15, 0, 7]),
        (31, 31, [31, 31, 0, 31]),
        (0, 31, [15, 31, 0, 7]),
    ] {
        for (mode, &expected) in expected.iter().enumerate() {
            let mut gpu = open();
            *gpu.vram_mut().cell(0, 0) = back << 5;
            gpu.gp0(&[
                0xE100_0000 | (mode as u32) << 5,
                0x6A00_0000 | u32::from(front) << 11,
                xy(0, 0),
            ])
            .unwrap();
            assert_eq!(
                gpu.vram.get(0, 0),
                expected << 5,
                "mode {mode}: {back} and {front}"
            );
        }
    }
}

#[test]
fn only_texels_with_the_top_bit_blend() {
    let mut gpu = textured();
    gpu.vram_mut().row_mut(200, 0, 16).unwrap().fill(0x001F);
    // Raw, semi-transparent, B - F: texel 15 has the top bit, 14 has not, 0 is transparent.
    gpu.gp0(&[0xE100_0041, 0x6780_8080, xy(200, 0), CLUT, 16 | 1 << 16])
        .unwrap();
    let row = gpu.vram.row(200, 0, 16).unwrap();
    assert_eq!(row[0], 0x001F);
    assert_eq!(row[14], 14);
    assert_eq!(row[15], 0x8000 | (31 - 15));
}

#[test]
fn the_mask_protects_and_marks() {
    let mut gpu = open();
    *gpu.vram_mut().cell(1, 0) = 0x8001;
    gpu.gp0(&[0xE600_0003, 0x60FF_FFFF, xy(0, 0), 3 | 1 << 16])
        .unwrap();
    assert_eq!(gpu.vram.row(0, 0, 4).unwrap(), [0xFFFF, 0x8001, 0xFFFF, 0]);
    gpu.upload(0, 0, 4, 1, &[2, 0, 2, 0, 2, 0, 2, 0]).unwrap();
    assert_eq!(
        gpu.vram.row(0, 0, 4).unwrap(),
        [0xFFFF, 0x8001, 0xFFFF, 0x8002]
    );
}
