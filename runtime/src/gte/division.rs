//! The unsigned Newton-Raphson division of RTPS and RTPT (GTE sheet, 3.4).

/// The reciprocal table: 257 entries of the chip, then zeros, so that nine bits index it.
const RECIPROCAL: [u8; 512] = reciprocal();

const fn reciprocal() -> [u8; 512] {
    let mut table = [0; 512];
    let mut i = 0;
    while i <= 0x100 {
        let entry = (0x4_0000 / (i as i32 + 0x100) + 1) / 2 - 0x101;
        if entry > 0 {
            table[i] = entry as u8;
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
    let k = z.leading_zeros();
    let n = (h as u32) << k;
    let d = (z as u32) << k;
    // d is 8000h..=FFFFh, so the index is 0..=100h and the mask only helps the compiler.
    let u = RECIPROCAL[((d - 0x7FC0) >> 7) as usize & 511] as u32 + 0x101;
    let d = (0x200_0080 - d * u) >> 8;
    let d = (0x80 + d * u) >> 8;
    let quotient = (n as u64 * d as u64 + 0x8000) >> 16;
    if quotient > 0x1_FFFF {
        (0x1_FFFF, false)
    } else {
        (quotient as u32, false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_ends_as_the_sheet_says() {
        assert_eq!(RECIPROCAL[..4], [0xFF, 0xFD, 0xFB, 0xF9]);
        assert_eq!(RECIPROCAL[0xFD..0x101], [1, 0, 0, 0]);
    }

    #[test]
    fn the_last_clamp_sets_no_flag() {
        assert_eq!(divide(0xFE3F, 0x7F20), (0x1_FFFF, false));
        assert_eq!(divide(0xF015, 0x780B), (0x1_FFFF, false));
        assert_eq!(divide(0, 0), (0x1_FFFF, true));
    }
}
