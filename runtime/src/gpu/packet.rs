//! GP0 packets as arrays of words (HAL sheet, 5.3). None holds its linked-list tag.
//!
//! Colours are `00BBGGRR`; positions are [`xy`] words, as the geometry engine delivers them;
//! quads run 0 1 / 2 3. Every command byte is made here from a shape and a [`Style`], so a
//! packet is always as long as its command says.

/// What a polygon's command byte says besides its shape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style(u8);

impl Style {
    /// Opaque; a textured primitive multiplies texel and colour.
    pub const OPAQUE: Self = Self(0);
    /// Semi-transparent where the texel says so (untextured: everywhere).
    pub const SEMI_TRANSPARENT: Self = Self(2);
    /// Opaque and texels as they are, without the colour.
    pub const RAW_TEXTURE: Self = Self(1);

    /// The style bits of a GP0 polygon command; the shape bits are dropped.
    #[must_use]
    pub const fn from_command(command: u8) -> Self {
        Self(command & 3)
    }

    /// Whether the GPU blends.
    #[must_use]
    pub const fn is_semi_transparent(self) -> bool {
        self.0 & 2 != 0
    }

    /// The whole command byte of a shape (20h, 24h, .. 3Ch).
    #[must_use]
    pub const fn command_byte(self, shape: u8) -> u8 {
        shape | self.0
    }

    const fn command(self, shape: u8, colour: u32) -> u32 {
        ((shape | self.0) as u32) << 24 | colour & 0x00FF_FFFF
    }
}

/// A colour word: red lowest.
#[must_use]
pub const fn rgb(r: u8, g: u8, b: u8) -> u32 {
    r as u32 | (g as u32) << 8 | (b as u32) << 16
}

/// A position word; the GPU looks at 11 bits of each.
#[must_use]
pub const fn xy(x: i16, y: i16) -> u32 {
    x as u16 as u32 | (y as u16 as u32) << 16
}

/// A texture coordinate, low half of a `uv` word.
#[must_use]
pub const fn uv(u: u8, v: u8) -> u16 {
    u as u16 | (v as u16) << 8
}

const fn uv_word(uv: u16, attribute: u16) -> u32 {
    uv as u32 | (attribute as u32) << 16
}

/// Texture of a polygon: CLUT and page attribute and a coordinate for each corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Texture<const N: usize> {
    /// CLUT attribute; see [`clut`](super::clut).
    pub clut: u16,
    /// Page attribute; see [`page`](super::page).
    pub page: u16,
    /// Texture coordinates; see [`uv`].
    pub uv: [u16; N],
}

/// Flat triangle (20h).
#[inline]
#[must_use]
pub const fn f3(style: Style, colour: u32, xy: [u32; 3]) -> [u32; 4] {
    [style.command(0x20, colour), xy[0], xy[1], xy[2]]
}

/// Flat quad (28h).
#[inline]
#[must_use]
pub const fn f4(style: Style, colour: u32, xy: [u32; 4]) -> [u32; 5] {
    [style.command(0x28, colour), xy[0], xy[1], xy[2], xy[3]]
}

/// Flat textured triangle (24h).
#[inline]
#[must_use]
pub const fn ft3(style: Style, colour: u32, xy: [u32; 3], t: &Texture<3>) -> [u32; 7] {
    [
        style.command(0x24, colour),
        xy[0],
        uv_word(t.uv[0], t.clut),
        xy[1],
        uv_word(t.uv[1], t.page),
        xy[2],
        uv_word(t.uv[2], 0),
    ]
}

/// Flat textured quad (2Ch).
#[inline]
#[must_use]
pub const fn ft4(style: Style, colour: u32, xy: [u32; 4], t: &Texture<4>) -> [u32; 9] {
    [
        style.command(0x2C, colour),
        xy[0],
        uv_word(t.uv[0], t.clut),
        xy[1],
        uv_word(t.uv[1], t.page),
        xy[2],
        uv_word(t.uv[2], 0),
        xy[3],
        uv_word(t.uv[3], 0),
    ]
}

/// Gouraud triangle (30h).
#[inline]
#[must_use]
pub const fn g3(style: Style, colours: [u32; 3], xy: [u32; 3]) -> [u32; 6] {
    let [a, b, c] = colours;
    [
        style.command(0x30, a),
        xy[0],
        b & 0xFF_FFFF,
        xy[1],
        c & 0xFF_FFFF,
        xy[2],
    ]
}

/// Gouraud quad (38h).
#[inline]
#[must_use]
pub const fn g4(style: Style, colours: [u32; 4], xy: [u32; 4]) -> [u32; 8] {
    let [a, b, c, d] = colours;
    [
        style.command(0x38, a),
        xy[0],
        b & 0xFF_FFFF,
        xy[1],
        c & 0xFF_FFFF,
        xy[2],
        d & 0xFF_FFFF,
        xy[3],
    ]
}

/// Gouraud textured triangle (34h).
#[inline]
#[must_use]
pub const fn gt3(style: Style, colours: [u32; 3], xy: [u32; 3], t: &Texture<3>) -> [u32; 9] {
    let [a, b, c] = colours;
    [
        style.command(0x34, a),
        xy[0],
        uv_word(t.uv[0], t.clut),
        b & 0xFF_FFFF,
        xy[1],
        uv_word(t.uv[1], t.page),
        c & 0xFF_FFFF,
        xy[2],
        uv_word(t.uv[2], 0),
    ]
}

/// Gouraud textured quad (3Ch).
#[inline]
#[must_use]
pub const fn gt4(style: Style, colours: [u32; 4], xy: [u32; 4], t: &Texture<4>) -> [u32; 12] {
    let [a, b, c, d] = colours;
    [
        style.command(0x3C, a),
        xy[0],
        uv_word(t.uv[0], t.clut),
        b & 0xFF_FFFF,
        xy[1],
        uv_word(t.uv[1], t.page),
        c & 0xFF_FFFF,
        xy[2],
        uv_word(t.uv[2], 0),
        d & 0xFF_FFFF,
        xy[3],
        uv_word(t.uv[3], 0),
    ]
}

/// Draw mode (E1h): page, blend and depth for what names none itself; see
/// [`page`](super::page). `dither` smooths shaded and blended pixels.
#[must_use]
pub const fn draw_mode(page: u16, dither: bool) -> [u32; 1] {
    [0xE100_0000 | page as u32 & 0x1FF | (dither as u32) << 9]
}

/// Draw area (E3h, E4h): nothing is drawn outside; `right` and `bottom` belong to it.
///
/// The GPU looks at ten bits of x and nine of y.
#[must_use]
pub const fn draw_area(left: u16, top: u16, right: u16, bottom: u16) -> [u32; 2] {
    [
        0xE300_0000 | corner(left, top),
        0xE400_0000 | corner(right, bottom),
    ]
}

const fn corner(x: u16, y: u16) -> u32 {
    x as u32 & 0x3FF | (y as u32 & 0x1FF) << 10
}

/// Draw offset (E5h), added to every position; eleven signed bits of each.
#[must_use]
pub const fn draw_offset(x: i16, y: i16) -> [u32; 1] {
    [0xE500_0000 | x as u32 & 0x7FF | (y as u32 & 0x7FF) << 11]
}

/// Fill (02h) of a VRAM rectangle, without clipping or offset.
///
/// `x` should be a multiple of 16; the GPU rounds `w` up to one.
#[must_use]
pub const fn fill(colour: u32, x: u16, y: u16, w: u16, h: u16) -> [u32; 3] {
    [
        0x0200_0000 | colour & 0x00FF_FFFF,
        x as u32 | (y as u32) << 16,
        w as u32 | (h as u32) << 16,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::{Blend, Depth, clut, page};

    const XY: [u32; 4] = [xy(1, 2), xy(3, 4), xy(-1, 6), xy(7, -8)];
    const COLOURS: [u32; 4] = [0xFF11_2233, 0xFF44_5566, 0xFF77_8899, 0xFFAA_BBCC];

    fn texture<const N: usize>() -> Texture<N> {
        let uvs = [uv(0, 0), uv(255, 0), uv(0, 255), uv(16, 32)];
        Texture {
            clut: 0x7D00,
            page: 0x000C,
            uv: core::array::from_fn(|i| uvs[i]),
        }
    }

    fn three(words: [u32; 4]) -> [u32; 3] {
        [words[0], words[1], words[2]]
    }

    #[test]
    fn flat_polygons() {
        assert_eq!(
            f3(Style::OPAQUE, 0xFF11_2233, three(XY)),
            [0x2011_2233, 0x0002_0001, 0x0004_0003, 0x0006_FFFF]
        );
        assert_eq!(
            f4(Style::SEMI_TRANSPARENT, 0x11_2233, XY),
            [
                0x2A11_2233,
                0x0002_0001,
                0x0004_0003,
                0x0006_FFFF,
                0xFFF8_0007
            ]
        );
    }

    #[test]
    fn textured_polygons() {
        assert_eq!(
            ft3(Style::RAW_TEXTURE, 0x80_8080, three(XY), &texture()),
            [
                0x2580_8080,
                0x0002_0001,
                0x7D00_0000,
                0x0004_0003,
                0x000C_00FF,
                0x0006_FFFF,
                0x0000_FF00
            ]
        );
        assert_eq!(
            ft4(Style::OPAQUE, 0x80_8080, XY, &texture()),
            [
                0x2C80_8080,
                0x0002_0001,
                0x7D00_0000,
                0x0004_0003,
                0x000C_00FF,
                0x0006_FFFF,
                0x0000_FF00,
                0xFFF8_0007,
                0x0000_2010
            ]
        );
    }

    #[test]
    fn gouraud_polygons() {
        assert_eq!(
            g3(Style::OPAQUE, three(COLOURS), three(XY)),
            [
                0x3011_2233,
                0x0002_0001,
                0x44_5566,
                0x0004_0003,
                0x77_8899,
                0x0006_FFFF
            ]
        );
        assert_eq!(
            g4(Style::OPAQUE, COLOURS, XY),
            [
                0x3811_2233,
                0x0002_0001,
                0x44_5566,
                0x0004_0003,
                0x77_8899,
                0x0006_FFFF,
                0xAA_BBCC,
                0xFFF8_0007
            ]
        );
        assert_eq!(
            gt3(Style::OPAQUE, three(COLOURS), three(XY), &texture()),
            [
                0x3411_2233,
                0x0002_0001,
                0x7D00_0000,
                0x44_5566,
                0x0004_0003,
                0x000C_00FF,
                0x77_8899,
                0x0006_FFFF,
                0x0000_FF00
            ]
        );
        assert_eq!(
            gt4(Style::from_command(0x3E), COLOURS, XY, &texture()),
            [
                0x3E11_2233,
                0x0002_0001,
                0x7D00_0000,
                0x44_5566,
                0x0004_0003,
                0x000C_00FF,
                0x77_8899,
                0x0006_FFFF,
                0x0000_FF00,
                0xAA_BBCC,
                0xFFF8_0007,
                0x0000_2010
            ]
        );
    }

    #[test]
    fn settings_and_fill() {
        let attribute = page(640, 256, Blend::Subtract, Depth::Fifteen);
        assert_eq!(draw_mode(attribute, true), [0xE100_035A]);
        assert_eq!(draw_mode(0, false), [0xE100_0000]);
        assert_eq!(draw_area(0, 256, 319, 479), [0xE304_0000, 0xE407_7D3F]);
        assert_eq!(draw_offset(-1, 244), [0xE507_A7FF]);
        assert_eq!(
            fill(rgb(1, 2, 3), 320, 16, 64, 224),
            [0x0203_0201, 0x0010_0140, 0x00E0_0040]
        );
        assert_eq!(clut(0x30 * 16, 480), 0x7830);
    }
}
