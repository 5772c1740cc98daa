//! The pose of one part: its 8 bytes, and what lies between two of them.

/// A rigid pose of one part (ANM sheet, "Pose entry").
///
/// A vertex is rotated about X, then Y, then Z, and translated; the translation is not turned by
/// the part's own angles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Pose {
    /// Translation x, y, z in model units; stored ones lie in -2048..2047.
    pub t: [i16; 3],
    /// Angles about X, Y and Z in 4096ths of a turn, 0..4095; stored ones are multiples of 16.
    pub r: [u16; 3],
}

impl Pose {
    /// Bytes of a stored pose.
    pub const BYTES: usize = 8;

    /// Unpack a stored pose. The nibble that is never read is ignored.
    #[inline]
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 8]) -> Self {
        let [b0, b1, b2, b3, b4, b5, b6, b7] = bytes;
        let low = u32::from_le_bytes([b0, b1, b2, b3]);
        let high = u32::from_le_bytes([b4, b5, b6, b7]);
        // Each value is brought to the top of a word, so that one arithmetic shift extends it.
        let x = (low << 12) & 0xF000_0000 | (low << 20) & 0x0FF0_0000;
        let y = (low << 8) & 0xF000_0000 | (low << 12) & 0x0FF0_0000;
        let z = high << 28 | (low >> 4) & 0x0FF0_0000;
        Self {
            t: [
                (x as i32 >> 20) as i16,
                (y as i32 >> 20) as i16,
                (z as i32 >> 20) as i16,
            ],
            r: [
                (high >> 4 & 0xFF0) as u16,
                (high >> 12 & 0xFF0) as u16,
                (high >> 20 & 0xFF0) as u16,
            ],
        }
    }

    /// The nearest pose that can be stored: angles to the nearest multiple of 16 (halves up,
    /// wrapping at a turn), translations clamped to 12 bits.
    #[must_use]
    pub fn rounded(&self) -> Self {
        Self {
            t: self.t.map(|t| t.clamp(-2048, 2047)),
            r: self.r.map(|r| r.wrapping_add(8) & 0xFF0),
        }
    }

    /// Whether [`Pose::to_bytes`] loses nothing.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        *self == self.rounded()
    }

    /// Pack the pose, [rounded](Pose::rounded).
    #[must_use]
    pub fn to_bytes(&self) -> [u8; 8] {
        let exact = self.rounded();
        let [x, y, z] = exact.t.map(|t| t as u16 & 0xFFF);
        let [rx, ry, rz] = exact.r.map(|r| (r >> 4) as u8);
        [
            x as u8,
            y as u8,
            (x >> 8 | y >> 4 & 0xF0) as u8,
            z as u8,
            (z >> 8) as u8,
            rx,
            ry,
            rz,
        ]
    }

    /// The pose `frac` sixteenths of the way from `self` to `next` (ANM sheet, "Interpolation").
    ///
    /// `frac` is 0..15; other bits are ignored. At 0 the answer is `self` with its angles masked.
    #[inline]
    #[must_use]
    pub fn blend(&self, next: &Self, frac: u8) -> Self {
        let [x, y, z] = self.t;
        let [nx, ny, nz] = next.t;
        let [rx, ry, rz] = self.r;
        let [nrx, nry, nrz] = next.r;
        Self {
            t: [
                blend_translation(x, nx, frac),
                blend_translation(y, ny, frac),
                blend_translation(z, nz, frac),
            ],
            r: [
                blend_angle(rx, nrx, frac),
                blend_angle(ry, nry, frac),
                blend_angle(rz, nrz, frac),
            ],
        }
    }
}

/// `frac` sixteenths (0..15) of the way from `from` to `to`, rounded toward minus infinity.
#[inline]
#[must_use]
pub const fn blend_translation(from: i16, to: i16, frac: u8) -> i16 {
    let (from, to) = (from as i32, to as i32);
    (from + (((to - from) * (frac & 15) as i32) >> 4)) as i16
}

/// `frac` sixteenths (0..15) of the way from angle `from` to angle `to`, the shorter way round;
/// exactly half a turn goes forward. Angles are in 4096ths, taken modulo a turn.
#[inline]
#[must_use]
pub const fn blend_angle(from: u16, to: u16, frac: u8) -> u16 {
    let mut a = (to & 0xFFF) as i32;
    let mut b = (from & 0xFFF) as i32;
    // One after the other, not one or the other: the second sees what the first did.
    if a - b >= 0x800 {
        b += 0x1000;
    }
    if b - a >= 0x800 {
        a += 0x1000;
    }
    ((b + (((a - b) * (frac & 15) as i32) >> 4)) & 0xFFF) as u16
}
