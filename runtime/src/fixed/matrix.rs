//! Matrices and the two ways to build a rotation.

use super::{Angle, ONE, SVector, Vector, cos, cos_rounded, sin, sin_rounded};

/// A 3 by 3 matrix of Q12 numbers (4096 = 1.0), row major.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(C, align(4))]
pub struct Matrix {
    /// `m[row][column]`.
    pub m: [[i16; 3]; 3],
}

/// A Q24 product back to Q12, rounded towards minus infinity.
const fn q(product: i32) -> i32 {
    product >> 12
}

impl Matrix {
    /// The matrix that changes nothing.
    pub const IDENTITY: Self = Self::scale(ONE);

    /// `factor` (Q12) times the identity.
    #[must_use]
    pub const fn scale(factor: i16) -> Self {
        Self {
            m: [[factor, 0, 0], [0, factor, 0], [0, 0, factor]],
        }
    }

    /// About X: `(y, z)` becomes `(y c - z s, y s + z c)` (ANM sheet, section Composition).
    #[must_use]
    pub const fn rotation_x(angle: Angle) -> Self {
        let (s, c) = (sin(angle), cos(angle));
        Self {
            m: [[ONE, 0, 0], [0, c, -s], [0, s, c]],
        }
    }

    /// About Y: `(x, z)` becomes `(x c + z s, -x s + z c)`.
    #[must_use]
    pub const fn rotation_y(angle: Angle) -> Self {
        let (s, c) = (sin(angle), cos(angle));
        Self {
            m: [[c, 0, s], [0, ONE, 0], [-s, 0, c]],
        }
    }

    /// About Z: `(x, y)` becomes `(x c - y s, x s + y c)`.
    #[must_use]
    pub const fn rotation_z(angle: Angle) -> Self {
        let (s, c) = (sin(angle), cos(angle));
        Self {
            m: [[c, -s, 0], [s, c, 0], [0, 0, ONE]],
        }
    }

    /// The Euler builder of actors, placements and views: `Rx(a) Ry(b) Rz(c)`, every product
    /// shifted right by 12 by itself (TMD sheet, section 7).
    ///
    /// The product of the three single-axis matrices differs from it in the last unit.
    #[must_use]
    pub const fn euler(a: Angle, b: Angle, c: Angle) -> Self {
        let (sx, cx) = (sin(a) as i32, cos(a) as i32);
        let (sy, cy) = (sin(b) as i32, cos(b) as i32);
        let (sz, cz) = (sin(c) as i32, cos(c) as i32);
        let p = q(cz * -sy);
        let r = q(sz * -sy);
        // Every cell lies within twice the range of a sine, so none is cut by the cast.
        Self {
            m: [
                [q(cz * cy) as i16, q(-(sz * cy)) as i16, sy as i16],
                [
                    (q(sz * cx) - q(p * sx)) as i16,
                    (q(cz * cx) + q(r * sx)) as i16,
                    q(-(cy * sx)) as i16,
                ],
                [
                    (q(sz * sx) + q(p * cx)) as i16,
                    (q(cz * sx) - q(r * cx)) as i16,
                    q(cy * cx) as i16,
                ],
            ],
        }
    }

    /// The builder of FF8's bones: `Ry(b) Rx(a) Rz(c)` with the rounded sines, every product shifted right by 12
    /// by itself (FF8 sheet, 8.4).
    #[must_use]
    pub const fn yxz([a, b, c]: [Angle; 3]) -> Self {
        let (sx, cx) = (sin_rounded(a) as i32, cos_rounded(a) as i32);
        let (sy, cy) = (sin_rounded(b) as i32, cos_rounded(b) as i32);
        let (sz, cz) = (sin_rounded(c) as i32, cos_rounded(c) as i32);
        let p = q(sy * sx);
        let r = q(cy * sx);
        Self {
            m: [
                [
                    (q(cy * cz) + q(p * sz)) as i16,
                    (q(p * cz) - q(cy * sz)) as i16,
                    q(sy * cx) as i16,
                ],
                [q(cx * sz) as i16, q(cx * cz) as i16, -sx as i16],
                [
                    (q(r * sz) - q(sy * cz)) as i16,
                    (q(sy * sz) + q(r * cz)) as i16,
                    q(cy * cx) as i16,
                ],
            ],
        }
    }

    /// One column as a vector; numbers above 2 are taken as 2.
    #[inline]
    #[must_use]
    pub const fn column(&self, column: usize) -> SVector {
        let m = &self.m;
        match column {
            0 => SVector::new(m[0][0], m[1][0], m[2][0]),
            1 => SVector::new(m[0][1], m[1][1], m[2][1]),
            _ => SVector::new(m[0][2], m[1][2], m[2][2]),
        }
    }

    /// The matrix with these columns.
    #[inline]
    #[must_use]
    pub const fn from_columns(columns: [SVector; 3]) -> Self {
        let [a, b, c] = columns;
        Self {
            m: [[a.x, b.x, c.x], [a.y, b.y, c.y], [a.z, b.z, c.z]],
        }
    }

    /// `self * Rz(z) * Ry(y) * Rx(x)`: three [products](Self::multiply), of which each is shifted and
    /// saturated by itself (ANM sheet, section Composition).
    ///
    /// The same bits as [`Geometry::compose`](crate::gte::Geometry::compose), without an engine.
    #[must_use]
    pub const fn turned(&self, [x, y, z]: [Angle; 3]) -> Self {
        let turns = [
            (cos(x) as i32, sin(x) as i32),
            (cos(y) as i32, sin(y) as i32),
            (cos(z) as i32, sin(z) as i32),
        ];
        let [a, b, c] = self.m;
        Self {
            m: [
                turned_row(a, turns),
                turned_row(b, turns),
                turned_row(c, turns),
            ],
        }
    }

    /// `self * v >> 12`, 32 bits.
    #[must_use]
    pub const fn transform(&self, v: &SVector) -> Vector {
        Vector {
            x: row(&self.m[0], v),
            y: row(&self.m[1], v),
            z: row(&self.m[2], v),
        }
    }

    /// `self * v >> 12`, each component saturated to 16 bits: what MVMVA leaves in IR.
    #[must_use]
    pub const fn rotate(&self, v: &SVector) -> SVector {
        let Vector { x, y, z } = self.transform(v);
        SVector::new(saturate(x), saturate(y), saturate(z))
    }

    /// `self * other`: every cell a three-term sum, shifted right by 12 once, saturated.
    ///
    /// The same bits as [`Geometry::multiply`](crate::gte::Geometry::multiply), without an engine.
    #[must_use]
    pub const fn multiply(&self, other: &Self) -> Self {
        Self::from_columns([
            self.rotate(&other.column(0)),
            self.rotate(&other.column(1)),
            self.rotate(&other.column(2)),
        ])
    }
}

/// A row of a matrix times `Rz Ry Rx`, given as cosine and sine of the angles about X, Y and Z.
///
/// Of each single-axis product two cells change, and in each of these the third term is 0. Sines lie
/// within 4096, so a sum of two products needs 29 bits.
#[inline(always)]
const fn turned_row([a, b, c]: [i16; 3], [x, y, z]: [(i32, i32); 3]) -> [i16; 3] {
    let (a, b, c) = (a as i32, b as i32, c as i32);
    let (a, b) = (turned(a, b, z), turned(b, -a, z));
    let (a, c) = (turned(a, -c, y), turned(c, a, y));
    let (b, c) = (turned(b, c, x), turned(c, -b, x));
    [a as i16, b as i16, c as i16]
}

/// `p cos + q sin`, shifted right by 12 once, saturated to 16 bits.
#[inline(always)]
const fn turned(p: i32, q: i32, (cos, sin): (i32, i32)) -> i32 {
    saturate((p * cos + q * sin) >> 12) as i32
}

/// One row: three products of 31 bits need 33, and 21 after the shift.
const fn row(m: &[i16; 3], v: &SVector) -> i32 {
    let sum = m[0] as i64 * v.x as i64 + m[1] as i64 * v.y as i64 + m[2] as i64 * v.z as i64;
    (sum >> 12) as i32
}

const fn saturate(value: i32) -> i16 {
    if value > i16::MAX as i32 {
        i16::MAX
    } else if value < i16::MIN as i32 {
        i16::MIN
    } else {
        value as i16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn euler_gives_the_worked_matrices_of_the_tmd_sheet() {
        assert_eq!(
            Matrix::euler(0x1B8, 0x64, 0).m,
            [[4047, 0, 625], [391, 3197, -2529], [-488, 2559, 3158]]
        );
        assert_eq!(
            Matrix::euler(0x100, 0x200, 0x300).m,
            [[1107, -2676, 2896], [3919, 423, -1108], [423, 3072, 2675]]
        );
    }

    #[test]
    fn yxz_gives_the_worked_matrices_of_the_ff8_sheet() {
        let rows = [
            ([1024, 0, 0], [[4096, 0, 0], [0, 0, -4096], [0, 4096, 0]]),
            ([0, 1024, 0], [[0, 0, 4096], [0, 4096, 0], [-4096, 0, 0]]),
            ([0, 0, 1024], [[0, -4096, 0], [4096, 0, 0], [0, 0, 4096]]),
            (
                [512, 512, 512],
                [[3494, -600, 2047], [2047, 2047, -2896], [-600, 3494, 2047]],
            ),
            (
                [100, 200, 300],
                [[3581, -1565, 1222], [1797, 3626, -626], [-844, 1083, 3859]],
            ),
            (
                [-100_i16 as u16, 2048, 4095],
                [[-4096, -6, 0], [-6, 4048, 626], [-1, 626, -4048]],
            ),
        ];
        for (angles, m) in rows {
            assert_eq!(Matrix::yxz(angles).m, m, "{angles:?}");
        }
    }

    /// TMD sheet, section 7: "A pure yaw sends local +Z to (sin, 0, cos)"; so a front that looks to -Z
    /// points where the heading does.
    #[test]
    fn a_pure_yaw_sends_z_to_sine_and_cosine() {
        for yaw in 0..4096 {
            let turn = Matrix::euler(0, yaw, 0);
            let (s, c) = (i32::from(sin(yaw)), i32::from(cos(yaw)));
            let ahead = turn.transform(&SVector::new(0, 0, ONE));
            assert_eq!(ahead, Vector { x: s, y: 0, z: c }, "{yaw}");
            let front = turn.transform(&SVector::new(0, 0, -ONE));
            assert_eq!(front, Vector { x: -s, y: 0, z: -c }, "{yaw}");
        }
        assert_eq!(
            Matrix::euler(0, 0x400, 0).column(2),
            SVector::new(ONE, 0, 0)
        );
    }

    #[test]
    fn the_product_form_differs_where_the_sheet_says() {
        let product = |a, b, c| {
            Matrix::rotation_x(a)
                .multiply(&Matrix::rotation_y(b))
                .multiply(&Matrix::rotation_z(c))
        };
        assert_eq!(product(0x1B8, 0x64, 0).m[1][0], 390);
        let second = product(0x100, 0x200, 0x300).m;
        assert_eq!((second[1][1], second[2][1]), (424, 3071));
    }

    /// `Ra Rz Ry Rx`, post-multiplied in that order (ANM sheet, section Composition).
    fn piece(actor: Matrix, x: u16, y: u16, z: u16) -> Matrix {
        actor
            .multiply(&Matrix::rotation_z(z))
            .multiply(&Matrix::rotation_y(y))
            .multiply(&Matrix::rotation_x(x))
    }

    #[test]
    fn the_piece_matrices_are_the_worked_rows_of_the_anm_sheet() {
        assert_eq!(
            Matrix::IDENTITY.turned([0x100, 0x200, 0x300]),
            piece(Matrix::IDENTITY, 0x100, 0x200, 0x300)
        );
        let t = SVector::new(100, -50, 25);
        let still = Matrix::euler(0, 0, 0);
        assert_eq!(still, Matrix::IDENTITY);
        assert_eq!(
            piece(still, 0x100, 0x200, 0x300).m,
            [[1107, -3073, 2470], [2675, 2471, 1871], [-2896, 1107, 2675]]
        );
        assert_eq!(still.rotate(&t), t);

        let turned = Matrix::euler(0, 0x400, 0);
        assert_eq!(
            piece(turned, 0x100, 0x200, 0x300).m,
            [
                [-2896, 1107, 2675],
                [2675, 2471, 1871],
                [-1108, 3071, -2472]
            ]
        );
        assert_eq!(turned.rotate(&t), SVector::new(25, -50, -100));
    }

    #[test]
    fn products_saturate() {
        let big = Matrix::scale(i16::MAX);
        assert_eq!(big.multiply(&big).m[0][0], i16::MAX);
        let v = SVector::new(i16::MIN, 0, 0);
        assert_eq!(big.rotate(&v).x, i16::MIN);
        assert_eq!(big.transform(&v).x, (i32::from(i16::MAX) * -32768) >> 12);
    }
}
