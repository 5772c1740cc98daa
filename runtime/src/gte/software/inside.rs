//! RTPS and RTPT, with sf = 1 and lm = 0, of vertices that lie inside every limit: in front of the
//! viewer, on the screen or near it. No clamp works, no flag is set, and if matrix and translation
//! are of ordinary size, 32 bits hold every sum: most of the work of the general way is not needed.
//! A vertex for which any of that does not hold takes the general way.

use super::commands::Projected;
use super::{Gte, components};
use crate::fixed::SVector;
use crate::gte::division::{NEAR_LIMIT, divide_inside};

/// How wide the sums of a projection can get. Not a state of the chip but what is known about its
/// matrix and translation, so all are equal.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sums {
    /// The matrix or the translation changed since it was worked out.
    Unknown,
    /// 32 bits hold them.
    Narrow,
    /// They may need the 44 bits of the chip.
    Wide,
}

impl PartialEq for Sums {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Sums {}

impl Sums {
    fn of(rotation: &[[i16; 3]; 3], translation: [i32; 3]) -> Self {
        let row = |row: &[i16; 3]| row.iter().map(|c| u32::from(c.unsigned_abs())).sum::<u32>();
        // 2^16 - 1 times 2^15 stays below 2^31, and 2^30 leaves room for the 19 bits of it that
        // the shift by 12 leaves.
        let narrow = rotation.iter().all(|r| row(r) <= 0xFFFF)
            && translation.iter().all(|t| t.unsigned_abs() < 1 << 30);
        if narrow { Self::Narrow } else { Self::Wide }
    }
}

/// Three vertices, projected.
pub(super) struct Inside {
    /// SXY0 and SXY1.
    pub(super) sxy: [u32; 2],
    /// SZ1 and SZ2.
    pub(super) sz: [u16; 2],
    /// The last vertex.
    pub(super) last: Projected,
}

impl Gte {
    #[inline(always)]
    fn sums_are_narrow(&mut self) -> bool {
        if matches!(self.sums, Sums::Unknown) {
            self.sums = Sums::of(&self.rotation, self.translation);
        }
        matches!(self.sums, Sums::Narrow)
    }

    /// RTPS of `v`, which is V0.
    #[inline(always)]
    pub(super) fn rtps_12(&mut self, v: &SVector) {
        if self.sums_are_narrow()
            && let Some(p) = self.vertex_inside(v)
        {
            return self.finish_rtps(&p);
        }
        self.rtps(components(v), 12, false);
    }

    /// RTPT of `v`, which is V0, V1, V2.
    #[inline(always)]
    pub(super) fn rtpt_12(&mut self, v: [&SVector; 3]) {
        if self.sums_are_narrow()
            && let Some(p) = self.three_inside(v)
        {
            self.sz = [self.sz[3], p.sz[0], p.sz[1], p.last.sz];
            self.sxy = [p.sxy[0], p.sxy[1], p.last.sxy];
            return self.finish_perspective(&p.last, 0);
        }
        self.rtpt(v.map(components), 12, false);
    }

    /// One vertex, if it is inside.
    #[inline(always)]
    fn vertex_inside(&self, v: &SVector) -> Option<Projected> {
        let mac = |i: usize| {
            let [a, b, c] = self.rotation[i].map(i32::from);
            let sum = a * i32::from(v.x) + b * i32::from(v.y) + c * i32::from(v.z);
            // The translation has no bits below the shift, so it may come after it.
            self.translation[i].wrapping_add(sum >> 12)
        };
        let [x, y, z] = [mac(0), mac(1), mac(2)];
        let quotient = divide_inside(self.h, z as u16);
        let n = i64::from(quotient);
        let sx = n * i64::from(x as i16) + i64::from(self.ofx);
        let sy = n * i64::from(y as i16) + i64::from(self.ofy);
        // IR1 and IR2 in 16 bits, the depth 1..=7FFFh, SX and SY in 11 bits, and the quotient far
        // enough from its limit for H to be below twice the depth.
        let outside = (x.wrapping_add(0x8000) | y.wrapping_add(0x8000)) as u32 >> 16
            | (z | z.wrapping_sub(1)) as u32 >> 15
            | (((sx + (0x400 << 16)) | (sy + (0x400 << 16))) as u64 >> 27) as u32
            | (quotient + NEAR_LIMIT) >> 17;
        if outside != 0 {
            return None;
        }
        Some(Projected {
            mac: [x, y, z],
            ir: [x as i16, y as i16, z as i16],
            sz: z as u16,
            sxy: (sx >> 16) as u32 & 0xFFFF | sy as u32 & 0xFFFF_0000,
            n,
            flag: 0,
        })
    }

    /// Three vertices, if all are inside: one after the other. On x86-64 `lanes` does it.
    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
    #[inline(always)]
    fn three_inside(&self, v: [&SVector; 3]) -> Option<Inside> {
        let (a, b) = (self.vertex_inside(v[0])?, self.vertex_inside(v[1])?);
        Some(Inside {
            sxy: [a.sxy, b.sxy],
            sz: [a.sz, b.sz],
            last: self.vertex_inside(v[2])?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixed::{Matrix, Vector};
    use crate::gte::{Geometry, Registers};
    use proptest::prelude::*;

    /// The whole range, and often a place where something begins or ends to fit.
    fn halfword() -> impl Strategy<Value = i16> {
        let edge = prop::sample::select(&[0, 1, -1, 0x7FFF, -0x8000, 0x1000, -0x1000, 0x3FF][..]);
        prop_oneof![any::<i16>(), -300_i16..300, edge]
    }

    fn word() -> impl Strategy<Value = i32> {
        let edge = prop::sample::select(
            &[
                0,
                i32::MAX,
                i32::MIN,
                1 << 30,
                -(1 << 30),
                (1 << 30) - 1,
                0x7FFF,
                0x8000,
                -0x8000,
            ][..],
        );
        prop_oneof![any::<i32>(), -3000_i32..3000, edge]
    }

    fn vector() -> impl Strategy<Value = SVector> {
        (halfword(), halfword(), halfword(), any::<i16>()).prop_map(|(x, y, z, pad)| SVector {
            x,
            y,
            z,
            pad,
        })
    }

    fn matrix() -> impl Strategy<Value = Matrix> {
        let turned = any::<[u16; 3]>().prop_map(|[x, y, z]| Matrix::euler(x, y, z));
        let any = prop::array::uniform3(prop::array::uniform3(halfword()));
        prop_oneof![turned, any.prop_map(|m| Matrix { m })]
    }

    /// RTPT of three times `v`, and RTPS, the short way and as commands.
    fn compare(m: [[i16; 3]; 3], t: [i32; 3], h: u16, v: [i16; 3]) {
        let mut gte = Gte::new();
        gte.set_rotation(&Matrix { m });
        gte.set_translation(&Vector::new(t[0], t[1], t[2]));
        gte.set_screen(160 << 16, 120 << 16, h);
        let v = SVector::new(v[0], v[1], v[2]);
        let mut other = gte.clone();
        gte.project3([&v; 3]);
        other.v = [v; 3];
        other.command(0x4A28_0030);
        assert_eq!(gte, other, "RTPT");
        gte.project(&v);
        other.command(0x4A18_0001);
        assert_eq!(gte, other, "RTPS");
    }

    #[test]
    fn a_depth_of_0_overflows_even_if_h_is_0() {
        let m = Matrix::IDENTITY.m;
        compare(m, [0, 0, 100], 0, [1, 2, -100]);
        compare(m, [0, 0, 100], 0, [1, 2, -99]);
    }

    #[test]
    fn sums_beyond_32_bits_take_the_general_way() {
        // 2^31 and more would come out as a small number, which lies inside.
        let whole = [0x7FFF, 0x7FFF, 0x7FFF];
        let exact = [-0x8000, -0x8000, 0];
        let unit = [0, 0, 0x1000];
        for v in [whole, exact] {
            compare([v, unit, unit], [0, 0, 0x1000], 100, v);
            compare([unit, v, unit], [0, 0, 0x1000], 100, v);
            compare([unit, unit, v], [0, 0, -0x7_0000], 100, v);
        }
        // The largest row that counts as narrow.
        let most = [0x7FFF, 0x7FFF, 1];
        compare(
            [most, unit, unit],
            [-0x7_0000, 0, 0x1000],
            100,
            [-0x8000; 3],
        );
        compare([most, unit, unit], [i32::MAX, 0, 0x1000], 100, whole);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        /// The short way and the command, which takes the general one, leave the same 64 registers.
        #[test]
        fn the_short_way_is_the_command(
            m in matrix(),
            t in prop::array::uniform3(word()),
            depth in prop::option::of(1_i32..0x9000),
            screen in (word(), word(), any::<u16>()),
            near in any::<bool>(),
            cue in (halfword(), word()),
            v in prop::array::uniform3(vector()),
        ) {
            let mut gte = Gte::new();
            gte.set_rotation(&m);
            gte.set_translation(&Vector::new(t[0], t[1], depth.unwrap_or(t[2])));
            let (ofx, ofy, h) = screen;
            if near {
                gte.set_screen(160 << 16, 120 << 16, h & 0x3FF);
            } else {
                gte.set_screen(ofx, ofy, h);
            }
            gte.write(59, cue.0 as u32);
            gte.write(60, cue.1 as u32);
            let mut other = gte.clone();

            let triangle = gte.project3([&v[0], &v[1], &v[2]]);
            for (k, v) in v.iter().enumerate() {
                other.write(2 * k as u8, u32::from(v.x as u16) | u32::from(v.y as u16) << 16);
                other.write(2 * k as u8 + 1, v.z as u32);
            }
            other.command(0x4A28_0030);
            prop_assert_eq!(&gte, &other);
            prop_assert_eq!(triangle.sxy, [12, 13, 14].map(|r| other.read(r)));
            prop_assert_eq!(triangle.flag, other.read(63));

            let point = gte.project(&v[1]);
            other.write(0, u32::from(v[1].x as u16) | u32::from(v[1].y as u16) << 16);
            other.write(1, v[1].z as u32);
            other.command(0x4A18_0001);
            prop_assert_eq!(&gte, &other);
            prop_assert_eq!(point.sxy, other.read(14));
            prop_assert_eq!(point.flag, other.read(63));
        }
    }
}
