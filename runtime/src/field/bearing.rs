//! The bearing from one point to another (field sheet, section 11.3).

use super::units::Point;
use crate::fixed::Angle;

/// `round(atan(i / 2048) * 4096 / 2 pi)`, 0 to 512: how many of the angles half way between two whole
/// ones have a tangent not above `i / 2048`. No entry comes nearer than 0.0003 to such an angle, so
/// the error of the series changes none.
static ARCTANGENT: [u16; 2049] = arctangent();

/// pi in Q60.
const PI: i128 = 3_622_009_729_038_561_421;

/// The sum of a Taylor series from the term `term` of power `n` on, in Q60.
const fn series(x: i128, mut term: i128, mut n: i128) -> i128 {
    let square = (x * x) >> 60;
    let mut sum = 0;
    while n < 24 {
        sum += term;
        term = -((term * square) >> 60) / ((n + 1) * (n + 2));
        n += 2;
    }
    sum
}

const fn arctangent() -> [u16; 2049] {
    let mut table = [0; 2049];
    let (mut i, mut k) = (0, 0);
    while i < 2049 {
        while k < 512 {
            let x = PI * (2 * k as i128 + 1) / 4096;
            if (i as i128) * series(x, 1 << 60, 0) < 2048 * series(x, x, 1) {
                break;
            }
            k += 1;
        }
        table[i] = k;
        i += 1;
    }
    table
}

/// The bearing from one point to another, 0..4095: 0 is Z+, 400h X+. 0 for two equal points.
///
/// To face a point in the retail space, take the bearing from that point to the actor.
#[must_use]
pub fn bearing(from: Point, to: Point) -> Angle {
    let dx = i32::from(to.x) - i32::from(from.x);
    let dz = i32::from(to.z) - i32::from(from.z);
    let (a, b) = (dz.unsigned_abs(), dx.unsigned_abs());
    let (sx, sz) = (dx < 0, dz < 0);
    let table = |small: u32, large: u32| {
        let place = (small << 11).checked_div(large).unwrap_or(0) as usize;
        ARCTANGENT.get(place).copied().unwrap_or(0)
    };
    let value = if a >= b {
        let turn = table(b, a);
        let base: u16 = if sz { 0x800 } else { 0 };
        if sz == sx {
            base.wrapping_add(turn)
        } else {
            base.wrapping_sub(turn)
        }
    } else {
        let turn = table(a, b);
        let base: u16 = if sx { 0xC00 } else { 0x400 };
        if sz != sx {
            base.wrapping_add(turn)
        } else {
            base.wrapping_sub(turn)
        }
    };
    value & 0xFFF
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::Crc32;

    #[test]
    fn the_table_has_the_crc_of_the_sheet() {
        let mut crc = Crc32::new();
        for entry in ARCTANGENT {
            crc.update(&entry.to_le_bytes());
        }
        assert_eq!(crc.finish(), 0xBD0E_6B7F);
    }

    #[test]
    fn bearings_are_those_of_the_sheet() {
        let from_zero = [
            ((3, 4), 0x1A3),
            ((-3, 4), 0xE5D),
            ((4, -3), 0x5A3),
            ((-7, -7), 0xA00),
            ((-1, 1000), 0xFFF),
            ((0, 0), 0),
        ];
        for ((x, z), expected) in from_zero {
            assert_eq!(
                bearing(Point::default(), Point::new(x, z)),
                expected,
                "({x}, {z})"
            );
        }
        let (from, to) = (Point::new(2624, 2624), Point::new(2700, 2500));
        assert_eq!(bearing(from, to), 0x69A);
        // The farthest there is.
        let (from, to) = (
            Point::new(i16::MIN, i16::MIN),
            Point::new(i16::MAX, i16::MAX),
        );
        assert_eq!((bearing(from, to), bearing(to, from)), (0x200, 0xA00));
    }
}
