//! Places in VRAM as primitives name them.

/// Width of VRAM in 16-bit units.
pub const VRAM_WIDTH: u16 = 1024;

/// Height of VRAM in lines.
pub const VRAM_HEIGHT: u16 = 512;

/// How a semi-transparent pixel F meets the picture B (HAL sheet, 5.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Blend {
    /// `B/2 + F/2`
    #[default]
    Average = 0,
    /// `B + F`
    Add = 1,
    /// `B - F`
    Subtract = 2,
    /// `B + F/4`
    AddQuarter = 3,
}

/// Bits of one texel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Depth {
    /// Index into 16 colours; four texels a 16-bit unit.
    #[default]
    Four = 0,
    /// Index into 256 colours; two texels a unit.
    Eight = 1,
    /// A colour of its own.
    Fifteen = 2,
}

/// The page attribute of the texture page that holds VRAM position `(x, y)`.
///
/// `x` is rounded down to a multiple of 64, `y` to 0 or 256; both wrap at the size of VRAM.
///
/// ```
/// use overworld_runtime::gpu::{Blend, Depth, page};
/// assert_eq!(page(640, 256, Blend::Add, Depth::Eight), 0x00BA);
/// ```
#[must_use]
pub const fn page(x: u16, y: u16, blend: Blend, depth: Depth) -> u16 {
    (x / 64) & 15 | ((y / 256) & 1) << 4 | (blend as u16) << 5 | (depth as u16) << 7
}

/// The CLUT attribute of the palette at VRAM position `(x, y)`.
///
/// `x` is rounded down to a multiple of 16; both wrap at the size of VRAM.
///
/// ```
/// assert_eq!(overworld_runtime::gpu::clut(0, 500), 0x7D00);
/// ```
#[must_use]
pub const fn clut(x: u16, y: u16) -> u16 {
    (x / 16) & 63 | (y & 511) << 6
}
