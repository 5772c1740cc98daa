//! Two sine tables: the truncating one (ANM sheet, section Composition), and the rounded one of the FF8
//! sheet (8.4). About half of their entries differ in the last unit.

use super::Angle;

/// pi in Q60.
const PI: i128 = 3_622_009_729_038_561_421;

/// Entries 0..=1024 of the table: a quarter of a turn. The other three quarters follow from
/// the symmetries of the sheet, which hold exactly.
const QUARTER: [i16; 1025] = quarter(0);

/// `4096 * sin(2 pi i / 4096)` plus `more` (Q48), cut to a whole number, by the Taylor series in Q60.
///
/// No entry but the first and last comes nearer than 0.0006 to a whole number, nor one nearer than 0.0001 to
/// the middle between two, so the error of the series (below 2^-50) cannot change one; the last is exactly
/// 4096.
const fn quarter(more: i128) -> [i16; 1025] {
    let mut table = [0; 1025];
    let mut i = 0;
    while i < 1024 {
        let x = PI * (i as i128) / 2048;
        let square = (x * x) >> 60;
        let mut term = x;
        let mut sum = x;
        let mut n = 1;
        while n < 12 {
            term = -((term * square) >> 60) / ((2 * n) * (2 * n + 1));
            sum += term;
            n += 1;
        }
        table[i] = ((sum + more) >> 48) as i16;
        i += 1;
    }
    table[1024] = 4096;
    table
}

/// Of every angle of a turn the cosine in the low half and the sine in the high half.
///
/// On the console a load costs more than finding out the quarter saves, and a pose wants both of each
/// angle, in the form of a register of its geometry engine: one word is one load for the two.
static TABLE: [u32; 4096] = {
    let sines = turns(&QUARTER);
    let mut table = [0; 4096];
    let mut i = 0;
    while i < table.len() {
        table[i] = sines[i + 1024] as u16 as u32 | (sines[i] as u32) << 16;
        i += 1;
    }
    table
};

/// A turn and a quarter of rounded sines: the cosine of an angle stands 1024 entries further on.
static ROUNDED: [i16; 5120] = turns(&quarter(1 << 47));

const fn turns(quarter: &[i16; 1025]) -> [i16; 5120] {
    let mut table = [0; 5120];
    let mut i = 0;
    while i < table.len() {
        let at = i & 1023;
        table[i] = match i >> 10 & 3 {
            0 => quarter[at],
            1 => quarter[1024 - at],
            2 => -quarter[at],
            _ => -quarter[1024 - at],
        };
        i += 1;
    }
    table
}

/// The sine of an angle, Q12, truncated toward zero: -4096..=4096.
///
/// The table of the ANM sheet, section Composition (CRC-32 `445E5AEA` over its 5120 entries).
///
/// ```
/// assert_eq!(overworld_runtime::fixed::sin(100), 625);
/// assert_eq!(overworld_runtime::fixed::sin(3072), -4096);
/// ```
#[inline]
#[must_use]
pub const fn sin(angle: Angle) -> i16 {
    (*cos_sin(angle) >> 16) as i16
}

/// The cosine of an angle: the sine a quarter of a turn further on.
#[inline]
#[must_use]
pub const fn cos(angle: Angle) -> i16 {
    *cos_sin(angle) as i16
}

/// [`cos`] of an angle in the low half of a word, [`sin`] in the high half, Q12, signed.
///
/// Where the word stands: a machine may load it when it likes.
#[inline]
#[must_use]
pub const fn cos_sin(angle: Angle) -> &'static u32 {
    // Masked to less than a turn, so the index cannot lie outside.
    &TABLE[(angle & 0xFFF) as usize]
}

/// The sine of an angle, Q12, rounded to the nearest number: -4096..=4096 (FF8 sheet, 8.4).
///
/// ```
/// assert_eq!(overworld_runtime::fixed::sin_rounded(1023), 4096);
/// ```
#[inline]
#[must_use]
pub const fn sin_rounded(angle: Angle) -> i16 {
    // Masked to less than a turn, so neither index can lie outside.
    ROUNDED[(angle & 0xFFF) as usize]
}

/// The cosine of an angle, as [`sin_rounded`].
#[inline]
#[must_use]
pub const fn cos_rounded(angle: Angle) -> i16 {
    ROUNDED[(angle & 0xFFF) as usize + 1024]
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;

    #[test]
    fn rounded_entries_are_the_nearest_numbers() {
        let mut differ = 0;
        for angle in 0..4096 {
            let exact = 4096.0 * (f64::from(angle) * std::f64::consts::PI / 2048.0).sin();
            assert!((exact.fract().abs() - 0.5).abs() > 1e-4, "{angle}");
            assert_eq!(f64::from(sin_rounded(angle)), exact.round(), "{angle}");
            assert_eq!(cos_rounded(angle), sin_rounded(angle + 1024), "{angle}");
            differ += usize::from(sin(angle) != sin_rounded(angle));
        }
        // The ANM sheet counts them.
        assert_eq!(differ, 2008);
    }

    #[test]
    fn the_table_has_the_crc_of_the_sheet() {
        let mut crc = !0u32;
        for i in 0..5120u16 {
            for byte in sin(i).to_le_bytes() {
                crc ^= u32::from(byte);
                for _ in 0..8 {
                    crc = (crc >> 1) ^ (0xEDB8_8320 & 0u32.wrapping_sub(crc & 1));
                }
            }
        }
        assert_eq!(!crc, 0x445E_5AEA);
    }

    #[test]
    fn the_named_entries_are_those_of_the_sheet() {
        let named = [(1, 6), (2, 12), (3, 18), (6, 37), (100, 625), (1023, 4095)];
        for (angle, value) in named {
            assert_eq!(sin(angle), value);
        }
        assert_eq!(cos(1), 4095);
        assert_eq!(cos(0), 4096);
        assert_eq!((*cos_sin(0), *cos_sin(3072)), (0x1000, 0xF000_0000));
    }

    #[test]
    fn angles_are_masked_to_twelve_bits() {
        assert_eq!(sin(0xF000 + 100), 625);
        assert_eq!(cos(0xFFFF), cos(4095));
    }
}
