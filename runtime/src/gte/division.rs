//! The unsigned Newton-Raphson division of RTPS and RTPT (GTE sheet, 3.4).

/// The reciprocal table with the 101h of the sheet added: 257 entries of the chip, then 101h, so
/// that nine bits index it.
const RECIPROCAL: [u16; 512] = reciprocal();

const fn reciprocal() -> [u16; 512] {
    let mut table = [0x101; 512];
    let mut i = 0;
    while i <= 0x100 {
        let entry = (0x4_0000 / (i as i32 + 0x100) + 1) / 2 - 0x101;
        if entry > 0 {
            table[i] = entry as u16 + 0x101;
        }
        i += 1;
    }
    table
}

/// `h / z` in 16.16 as the chip computes it, 0..=1FFFFh, and whether it overflowed (FLAG bit 17).
///
/// The result is 1FFFFh with the flag when `h >= 2 * z`, which includes `z == 0`. The last
/// clamp to 1FFFFh sets no flag.
///
/// ```
/// use overworld_runtime::gte::division::divide;
/// assert_eq!(divide(320, 1000), (0x51EC, false));
/// assert_eq!(divide(200, 100), (0x1_FFFF, true));
/// ```
#[inline]
#[must_use]
pub const fn divide(h: u16, z: u16) -> (u32, bool) {
    if h as u32 >= 2 * z as u32 {
        return (0x1_FFFF, true);
    }
    let quotient = divide_inside(h, z);
    if quotient > 0x1_FFFF {
        (0x1_FFFF, false)
    } else {
        (quotient, false)
    }
}

/// [`divide`] without its tests: the quotient if it is below `20000h -` [`NEAR_LIMIT`], else a
/// number from there on. For depths 1..=7FFFh; of no meaning for others.
#[inline]
#[must_use]
pub(crate) const fn divide_inside(h: u16, z: u16) -> u32 {
    // The lowest bit changes no count of a `z` that is not 0, and lets every machine count.
    let k = (z as u32 | 1).leading_zeros() - 16;
    let n = (h as u32) << k;
    let d = (z as u32) << k;
    // d is 8000h..=FFFFh, so the index is 0..=100h and the mask only helps the compiler.
    let u = RECIPROCAL[(d.wrapping_sub(0x7FC0) >> 7) as usize & 511] as u32;
    let d = 0x200_0080_u32.wrapping_sub(d * u) >> 8;
    let d = (0x80 + d * u) >> 8;
    ((n as u64 * d as u64 + 0x8000) >> 16) as u32
}

/// How far below 2.0 a quotient has to be for `h < 2 * z` to be certain.
pub(crate) const NEAR_LIMIT: u32 = 0x10;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_ends_as_the_sheet_says() {
        let entry = |i: usize| RECIPROCAL[i] - 0x101;
        assert_eq!([0, 1, 2, 3].map(entry), [0xFF, 0xFD, 0xFB, 0xF9]);
        assert_eq!([0xFD, 0xFE, 0xFF, 0x100].map(entry), [1, 0, 0, 0]);
    }

    #[test]
    fn the_last_clamp_sets_no_flag() {
        assert_eq!(divide(0xFE3F, 0x7F20), (0x1_FFFF, false));
        assert_eq!(divide(0xF015, 0x780B), (0x1_FFFF, false));
        assert_eq!(divide(0, 0), (0x1_FFFF, true));
    }

    #[test]
    fn every_overflow_comes_near_the_limit() {
        for z in 1..=0x7FFF {
            // The quotient does not fall as H grows, so the smallest H that overflows will do.
            assert!(divide_inside(2 * z, z) + NEAR_LIMIT >= 0x2_0000, "{z:#x}");
        }
    }
}
