//! Coordinates without floating point: bit patterns of `f32` read exactly as integers (llama sheet, section 2).

/// The bit pattern of an `f32`, kept as it is stored: -0.0 and every NaN stay what they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Float(pub u32);

/// Fraction bits of [`Exact`].
const FRACTION: u32 = 40;
/// Magnitudes from 2^20 on are no coordinates.
const LARGEST_EXPONENT: u32 = 127 + 19;

/// A magnitude below 2^20.
struct Exact {
    negative: bool,
    /// In units of 2^-40, rounded down.
    magnitude: i64,
    /// Whether bits were lost. They are lost of magnitudes below 2^-16 alone, where they decide nothing but
    /// that the value is no whole number.
    inexact: bool,
}

/// A coordinate as signed 20.12 fixed point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixed12 {
    /// The nearest value, of two equally near ones the even one.
    pub nearest: i32,
    /// The neighbours of the exact product; equal when it is a whole number.
    pub neighbours: [i32; 2],
}

impl Fixed12 {
    /// Whether a stored value is one of the neighbours: which rounding the game's tools used for
    /// coordinates that are no multiples of 1/4096 is unknown.
    #[must_use]
    pub fn matches(&self, stored: i32) -> bool {
        self.neighbours.contains(&stored)
    }
}

impl Float {
    const SIGN: u32 = 0x8000_0000;

    /// Neither infinite nor NaN.
    #[must_use]
    pub const fn is_finite(self) -> bool {
        self.0 & 0x7F80_0000 != 0x7F80_0000
    }

    /// Greater than zero; no NaN is.
    #[must_use]
    pub const fn is_positive(self) -> bool {
        self.0 != 0 && self.0 <= 0x7F80_0000
    }

    /// The same magnitude with the other sign.
    #[must_use]
    pub const fn negated(self) -> Self {
        Self(self.0 ^ Self::SIGN)
    }

    /// The value, `None` from a magnitude of 2^20 on.
    const fn exact(self) -> Option<Exact> {
        let stored = self.0 >> 23 & 0xFF;
        if stored > LARGEST_EXPONENT {
            return None;
        }
        let fraction = (self.0 & 0x7F_FFFF) as i64;
        // The value is mantissa times 2 to the (exponent - 150).
        let (mantissa, exponent) = match stored {
            0 => (fraction, 1),
            _ => (fraction | 0x80_0000, stored),
        };
        let (magnitude, inexact) = if exponent + FRACTION >= 150 {
            // At most 24 + 36 bits.
            (mantissa << (exponent + FRACTION - 150), false)
        } else {
            let right = 150 - FRACTION - exponent;
            let right = if right > 63 { 63 } else { right };
            let whole = mantissa >> right;
            (whole, whole << right != mantissa)
        };
        Some(Exact {
            negative: self.0 & Self::SIGN != 0,
            magnitude,
            inexact,
        })
    }

    /// `trunc(value + halves / 2)`: toward zero. Magnitudes from 2^20 on saturate; `None` for NaN
    /// and infinities.
    const fn truncated(self, halves: i64) -> Option<i32> {
        if !self.is_finite() {
            return None;
        }
        let Some(exact) = self.exact() else {
            let negative = self.0 & Self::SIGN != 0;
            return Some(if negative { i32::MIN } else { i32::MAX });
        };
        let value = if exact.negative {
            -exact.magnitude
        } else {
            exact.magnitude
        };
        let half = 1 << (FRACTION - 1);
        // Below 2^21.
        Some(((value + halves * half) / (1 << FRACTION)) as i32)
    }

    /// The column of a tile at this X (section 3.2): `trunc(x - 0.5)`, which is 0 for all of
    /// -0.5 < x < 1.5. Saturates from 2^20 on; `None` for NaN and infinities.
    #[must_use]
    pub const fn column(self) -> Option<i32> {
        self.truncated(-1)
    }

    /// The row of a tile at this Z, which is negative in the file (section 3.2): `-trunc(z + 0.5)`.
    /// Saturates from 2^20 on; `None` for NaN and infinities.
    #[must_use]
    pub const fn row(self) -> Option<i32> {
        match self.truncated(1) {
            Some(row) => Some(row.saturating_neg()),
            None => None,
        }
    }

    /// The value times 4096; `None` when that leaves 32 bits, for NaN and infinities.
    #[must_use]
    pub fn fixed(self) -> Option<Fixed12> {
        let exact = self.exact()?;
        const SHIFT: u32 = FRACTION - 12;
        let whole = exact.magnitude >> SHIFT;
        let rest = exact.magnitude - (whole << SHIFT);
        let half = 1 << (SHIFT - 1);
        let upper = whole + i64::from(rest != 0 || exact.inexact);
        let up = rest > half || rest == half && (exact.inexact || whole & 1 != 0);
        let signed = |magnitude: i64| {
            let value = if exact.negative {
                -magnitude
            } else {
                magnitude
            };
            i32::try_from(value).ok()
        };
        Some(Fixed12 {
            nearest: signed(if up { upper } else { whole })?,
            neighbours: [signed(whole)?, signed(upper)?],
        })
    }

    /// The bit pattern of `fixed / 4096`: exact up to a magnitude of 4096 (and beyond it for multiples of
    /// larger powers of two), nearest or even otherwise.
    #[must_use]
    pub const fn from_fixed(fixed: i32) -> Self {
        let magnitude = fixed.unsigned_abs();
        if magnitude == 0 {
            return Self(0);
        }
        let sign = if fixed < 0 { Self::SIGN } else { 0 };
        let zeros = magnitude.leading_zeros();
        // The leading one at bit 31, then away with eight bits.
        let all = magnitude << zeros;
        let rest = all & 0xFF;
        let mut mantissa = all >> 8;
        if rest > 0x80 || rest == 0x80 && mantissa & 1 != 0 {
            mantissa += 1;
        }
        let exponent = 127 + 31 - 12 - zeros;
        // A mantissa that was rounded up to 2^24 carries into the exponent, which is right.
        Self(sign | ((exponent << 23) + (mantissa - 0x80_0000)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn float(value: f32) -> Float {
        Float(value.to_bits())
    }

    #[test]
    fn fixed_point_of_the_sheet() {
        // E3.
        for (value, fixed) in [
            (0.5, 2048),
            (0.25, 1024),
            (-1.75, -7168),
            (-0.0, 0),
            (95.5, 391_168),
        ] {
            let got = float(value).fixed().unwrap();
            assert_eq!(
                (got.nearest, got.neighbours),
                (fixed, [fixed; 2]),
                "{value}"
            );
        }
    }

    #[test]
    fn ends_of_the_range() {
        assert_eq!(float(f32::NAN).fixed(), None);
        assert_eq!(float(f32::INFINITY).column(), None);
        assert_eq!(float(f32::MAX).column(), Some(i32::MAX));
        assert_eq!(float(f32::MIN).row(), Some(i32::MAX));
        assert_eq!(float(1_048_575.9).column(), Some(1_048_575));
        assert_eq!(float(1_048_576.0).column(), Some(i32::MAX));
        assert_eq!(float(-524_288.0).fixed().unwrap().nearest, i32::MIN);
        assert_eq!(float(524_288.0).fixed(), None);
        assert_eq!(Float(1).fixed().unwrap().neighbours, [0, 1]);
        assert_eq!(Float(0x8000_0001).fixed().unwrap().neighbours, [0, -1]);
        assert_eq!(Float(1).column(), Some(0));
        assert!(!float(-0.0).is_positive() && !float(f32::NAN).is_positive());
        assert!(Float(1).is_positive() && float(f32::INFINITY).is_positive());
    }

    #[test]
    fn ties_go_to_the_even_one() {
        for (value, nearest) in [
            (0.5, 0),
            (1.5, 2),
            (2.5, 2),
            (-0.5, 0),
            (-1.5, -2),
            (0.500_001, 1),
        ] {
            let got = float(value / 4096.0).fixed().unwrap();
            assert_eq!(got.nearest, nearest, "{value}");
        }
    }

    proptest! {
        // Doubles hold all of it exactly, so they are the reference.
        #[test]
        fn integers_do_what_doubles_do(bits: u32) {
            let value = f64::from(f32::from_bits(bits));
            let float = Float(bits);
            if value.abs() < f64::from(1 << 20) {
                // Below 2^-30 the sum is rounded, to the half itself.
                let (column, row) = ((value - 0.5).trunc(), -(value + 0.5).trunc());
                if value.abs() > 1e-9 || value == 0.0 {
                    prop_assert_eq!(float.column().map(f64::from), Some(column));
                    prop_assert_eq!(float.row().map(f64::from), Some(row + 0.0));
                }
            }
            let product = value * 4096.0;
            let fits = product.abs() < 2_147_483_648.0 || product == -2_147_483_648.0;
            prop_assert_eq!(float.fixed().is_some(), fits || float.fixed().is_some() && value.abs() < 524_288.0);
            if let Some(fixed) = float.fixed() {
                prop_assert_eq!(f64::from(fixed.nearest), product.round_ties_even() + 0.0);
                let mut neighbours = [product.floor() + 0.0, product.ceil() + 0.0];
                if value.is_sign_negative() {
                    neighbours.reverse();
                }
                prop_assert_eq!(fixed.neighbours.map(f64::from), neighbours);
            }
        }

        #[test]
        fn coordinates_come_close(bits in (108_u32 << 23)..(147 << 23), sign: bool) {
            // Magnitudes of levels are rare among all bit patterns.
            let value = f32::from_bits(bits | u32::from(sign) << 31);
            let float = Float(value.to_bits());
            let wide = f64::from(value);
            prop_assert_eq!(float.column().map(f64::from), Some((wide - 0.5).trunc() + 0.0));
            prop_assert_eq!(float.row().map(f64::from), Some(-(wide + 0.5).trunc() + 0.0));
        }

        #[test]
        fn fixed_point_goes_there_and_back(fixed: i32) {
            let value = (f64::from(fixed) / 4096.0) as f32;
            prop_assert_eq!(Float::from_fixed(fixed), Float(value.to_bits()));
            if fixed.unsigned_abs() < 1 << 24 {
                prop_assert_eq!(Float::from_fixed(fixed).fixed().unwrap().nearest, fixed);
            }
        }
    }
}
