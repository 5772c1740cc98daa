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
        Self::from_words(words(bytes))
    }

    /// As [`Pose::from_bytes`], from the two words that the bytes are.
    #[inline]
    #[must_use]
    pub const fn from_words([low, high]: [u32; 2]) -> Self {
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

    /// The pose `frac` sixteenths of the way from one stored pose to another, both as words: what
    /// [`Pose::blend`] answers of the two, to the bit.
    ///
    /// `frac` is 0..15; other bits are ignored.
    ///
    /// Two components share a word and a multiplication. Counted from `to`, the way back is `rest`
    /// sixteenths, and a stored angle is 16 times its byte, so an angle's difference is a byte that wraps:
    /// half a turn is -80h, which from that end is the turn forward that the sheet's two guards make of it.
    #[inline]
    #[must_use]
    pub const fn between([a, b]: [u32; 2], [c, d]: [u32; 2], frac: u8) -> Self {
        let rest = 16 - (frac & 15) as u32;
        // Translations with 800h on top are 0..=0FFFh, 16 times that fits a halfword, and so does what lies
        // between two such numbers; the difference of two pairs may borrow, which the sum gives back.
        let (from, to) = (plane(a), plane(c));
        let plane = mix(to, from.wrapping_sub(to), rest);
        // The angle is the upper half, where nothing is above it that it could disturb.
        let (from, to) = (depth(a, b), depth(c, d));
        let turn = (b & 0xFF_0000).wrapping_sub(d & 0xFF_0000);
        let turn = ((turn << 8) as i32 >> 8) as u32;
        let difference = from.wrapping_sub(to).wrapping_add(turn);
        let depth = mix(to | d & 0xFF_0000, difference, rest);
        // Of the other two both differences get 80h on top, so that none borrows from the other before it has
        // wrapped. A turn more in the lower half keeps that from being less than 0.
        let (from, to) = (b >> 8 & 0x00FF_00FF, d >> 8 & 0x00FF_00FF);
        let difference = from.wrapping_add(0x0180_0180).wrapping_sub(to) & 0x00FF_00FF;
        let turns = mix(to, difference.wrapping_sub(0x0080_0080), rest).wrapping_add(0x1000);
        Self {
            t: [
                translation(plane & 0xFFFF),
                translation(plane >> 16),
                translation(depth & 0xFFFF),
            ],
            r: [
                (turns & 0xFFF) as u16,
                (depth >> 16 & 0xFFF) as u16,
                (turns >> 16 & 0xFFF) as u16,
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

/// The words of a stored pose.
#[inline(always)]
pub(super) const fn words([a, b, c, d, e, f, g, h]: [u8; 8]) -> [u32; 2] {
    [
        u32::from_le_bytes([a, b, c, d]),
        u32::from_le_bytes([e, f, g, h]),
    ]
}

/// 16 times each half of `to`, and the way back from there.
#[inline(always)]
const fn mix(to: u32, back: u32, rest: u32) -> u32 {
    (to << 4).wrapping_add(rest.wrapping_mul(back))
}

/// x in the low half and y in the high half, each with 800h added.
#[inline(always)]
const fn plane(low: u32) -> u32 {
    let fine = low & 0xFF | (low & 0xFF00) << 8;
    let coarse = low >> 8 & 0xF00 | (low << 4) & 0x0F00_0000;
    (fine | coarse) ^ 0x0800_0800
}

/// z, with 800h added.
#[inline(always)]
const fn depth(low: u32, high: u32) -> u32 {
    (low >> 24 | (high & 0xF) << 8) ^ 0x800
}

/// A translation from 16 times itself with 800h added, rounded toward minus infinity.
#[inline(always)]
const fn translation(sixteenths: u32) -> i16 {
    (sixteenths >> 4) as i16 - 0x800
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Every pair of bytes as an angle about each axis.
    #[test]
    fn words_blend_as_the_guards_say_for_every_pair_of_angles() {
        for (from, to) in (0..=255).flat_map(|a| (0..=255).map(move |b| (a, b))) {
            let a = [0, 0, 0, 0, 0, from, to, !from];
            let b = [0, 0, 0, 0, 0xF0, to, from, !to];
            compare(a, b);
        }
    }

    /// Every pair of 12-bit numbers whose steps reach each borrow, and the ends.
    #[test]
    fn words_blend_translations_as_components_do() {
        let numbers = || (-2048..=2047_i16).step_by(23).chain([-1, 0, 1, 2047]);
        for (x, y) in numbers().flat_map(|x| numbers().map(move |y| (x, y))) {
            let at = |x, y, z| {
                Pose {
                    t: [x, y, z],
                    r: [0; 3],
                }
                .to_bytes()
            };
            compare(at(x, y, !x), at(y, x, !y));
            compare(at(x, y, y), at(x, !y, x));
        }
    }

    fn compare(a: [u8; 8], b: [u8; 8]) {
        let (from, to) = (Pose::from_bytes(a), Pose::from_bytes(b));
        for frac in [0, 1, 7, 8, 15, 0xF3] {
            let found = Pose::between(words(a), words(b), frac);
            assert_eq!(found, from.blend(&to, frac), "{a:x?} to {b:x?}, {frac}");
        }
    }
}
