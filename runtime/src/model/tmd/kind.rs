//! The twelve kinds of primitives and where their records keep what (sheet, section 2).

use super::Primitive;
use crate::bytes::{u16_at, u32_at};

/// Kind of a primitive: shape, shading, and whether the colour is baked or left to lighting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Flat textured triangle with a normal.
    Ft3Lit,
    /// Flat textured quad with a normal.
    Ft4Lit,
    /// Gouraud textured triangle with three normals.
    Gt3Lit,
    /// Gouraud textured quad with four normals.
    Gt4Lit,
    /// Flat triangle.
    F3,
    /// Flat quad.
    F4,
    /// Gouraud triangle.
    G3,
    /// Gouraud quad.
    G4,
    /// Flat textured triangle with a colour.
    Ft3,
    /// Flat textured quad with a colour.
    Ft4,
    /// Gouraud textured triangle with three colours.
    Gt3,
    /// Gouraud textured quad with four colours.
    Gt4,
}

/// Where a record keeps its fields; byte offsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Length of a record.
    pub stride: usize,
    /// Corners: 3 or 4.
    pub corners: usize,
    /// Number of colour words, from offset 0 on.
    pub colours: usize,
    /// Texture block; `None` for untextured kinds.
    pub texture: Option<usize>,
    /// First vertex index.
    pub vertices: usize,
    /// First normal index; meaningless when there are none.
    pub normals: usize,
    /// Number of normals.
    pub normal_count: usize,
    /// GP0 command of the shape, opaque.
    pub command: u8,
    /// Words of the GP0 packet, without the tag.
    pub packet: u8,
}

const fn lit(corners: usize, stride: usize, normals: usize, command: u8, packet: u8) -> Layout {
    let vertices = 12;
    let after = vertices + 2 * corners;
    // Only the flat triangle keeps its normal before the vertices.
    let flat_triangle = corners == 3 && normals == 1;
    Layout {
        stride,
        corners,
        colours: 0,
        texture: Some(0),
        vertices: if flat_triangle { 14 } else { vertices },
        normals: if flat_triangle { 12 } else { after },
        normal_count: normals,
        command,
        packet,
    }
}

const fn baked(
    corners: usize,
    stride: usize,
    colours: usize,
    vertices: usize,
    command: u8,
    packet: u8,
) -> Layout {
    let textured = command & 4 != 0;
    Layout {
        stride,
        corners,
        colours,
        texture: if textured { Some(4 * colours) } else { None },
        vertices,
        normals: 0,
        normal_count: 0,
        command,
        packet,
    }
}

static LAYOUTS: [Layout; 12] = [
    lit(3, 20, 1, 0x24, 7),
    lit(4, 24, 1, 0x2C, 9),
    lit(3, 24, 3, 0x34, 9),
    lit(4, 28, 4, 0x3C, 12),
    baked(3, 12, 1, 4, 0x20, 4),
    baked(4, 12, 1, 4, 0x28, 5),
    baked(3, 20, 3, 12, 0x30, 6),
    baked(4, 24, 4, 16, 0x38, 8),
    baked(3, 20, 1, 14, 0x24, 7),
    baked(4, 24, 1, 16, 0x2C, 9),
    baked(3, 28, 3, 22, 0x34, 9),
    baked(4, 36, 4, 28, 0x3C, 12),
];

impl Kind {
    /// All kinds, in the order of their numbers 8..=19.
    pub const ALL: [Self; 12] = [
        Self::Ft3Lit,
        Self::Ft4Lit,
        Self::Gt3Lit,
        Self::Gt4Lit,
        Self::F3,
        Self::F4,
        Self::G3,
        Self::G4,
        Self::Ft3,
        Self::Ft4,
        Self::Gt3,
        Self::Gt4,
    ];

    /// The kind of a group's flags word, 10h..=27h.
    #[inline]
    #[must_use]
    pub fn from_flags(flags: u16) -> Option<Self> {
        Self::ALL
            .get(usize::from(flags >> 1).checked_sub(8)?)
            .copied()
    }

    /// The (even) flags word of the kind.
    #[must_use]
    pub const fn flags(self) -> u16 {
        (self as u16 + 8) << 1
    }

    /// Where its records keep what.
    #[inline]
    #[must_use]
    pub const fn layout(self) -> &'static Layout {
        &LAYOUTS[self as usize]
    }

    /// Whether it has normals instead of colours.
    #[must_use]
    pub const fn is_lit(self) -> bool {
        matches!(
            self,
            Self::Ft3Lit | Self::Ft4Lit | Self::Gt3Lit | Self::Gt4Lit
        )
    }
}

impl Layout {
    /// Offset of texture coordinate `n`, of the CLUT (4) or of the page (5) in the texture block.
    const fn texture_offset(block: usize, n: usize) -> usize {
        // u0 v0, CLUT, u1 v1, page, u2 v2, u3 v3
        block + [0, 4, 8, 10, 2, 6][n]
    }

    /// Take a record apart. A short record reads as zeros.
    pub(super) fn read(&self, record: &[u8]) -> Primitive {
        let half = |offset| u16_at(record, offset).unwrap_or(0);
        let mut p = Primitive::default();
        for (n, colour) in p.colours.iter_mut().take(self.colours).enumerate() {
            *colour = u32_at(record, 4 * n).unwrap_or(0);
        }
        if let Some(block) = self.texture {
            for (n, uv) in p.uv.iter_mut().take(self.corners).enumerate() {
                *uv = half(Self::texture_offset(block, n));
            }
            p.clut = half(Self::texture_offset(block, 4));
            p.page = half(Self::texture_offset(block, 5));
        }
        for (n, vertex) in p.vertices.iter_mut().take(self.corners).enumerate() {
            *vertex = half(self.vertices + 2 * n) / 8;
        }
        for (n, normal) in p.normals.iter_mut().take(self.normal_count).enumerate() {
            *normal = half(self.normals + 2 * n) / 8;
        }
        p
    }

    /// Put a record together; the opposite of [`Layout::read`].
    pub(super) fn write(&self, p: &Primitive, record: &mut [u8]) {
        let mut put = |offset: usize, bytes: &[u8]| {
            if let Some(place) = record.get_mut(offset..offset + bytes.len()) {
                place.copy_from_slice(bytes);
            }
        };
        for (n, colour) in p.colours.iter().take(self.colours).enumerate() {
            put(4 * n, &colour.to_le_bytes());
        }
        if let Some(block) = self.texture {
            for (n, uv) in p.uv.iter().take(self.corners).enumerate() {
                put(Self::texture_offset(block, n), &uv.to_le_bytes());
            }
            put(Self::texture_offset(block, 4), &p.clut.to_le_bytes());
            put(Self::texture_offset(block, 5), &p.page.to_le_bytes());
        }
        for (n, vertex) in p.vertices.iter().take(self.corners).enumerate() {
            put(self.vertices + 2 * n, &(vertex * 8).to_le_bytes());
        }
        for (n, normal) in p.normals.iter().take(self.normal_count).enumerate() {
            put(self.normals + 2 * n, &(normal * 8).to_le_bytes());
        }
    }
}
