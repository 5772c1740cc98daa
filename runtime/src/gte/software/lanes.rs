//! [`Gte::three_inside`] with its three vertices side by side, for x86-64: every such machine has
//! the instructions, and the compiler does not find them by itself.

use safe_arch::{
    add_i32_m128i, cmp_eq_mask_i32_m128i, m128i, move_mask_i8_m128i, mul_i16_horizontal_add_m128i,
    set_splat_i32_m128i, shl_imm_u32_m128i, shr_imm_i32_m128i, shr_imm_u32_m128i,
};

use super::Gte;
use super::commands::Projected;
use super::inside::Inside;
use crate::fixed::SVector;
use crate::gte::division::{NEAR_LIMIT, divide_inside};

/// Two halfwords as one lane.
#[inline(always)]
fn pair(low: i16, high: i16) -> i32 {
    i32::from(low as u16) | i32::from(high) << 16
}

/// One lane for each vertex; the fourth is of no meaning throughout.
#[inline(always)]
fn lanes(of: impl Fn(usize) -> i32) -> m128i {
    m128i::from([of(0), of(1), of(2), 0])
}

impl Gte {
    /// Three vertices, if all are inside.
    #[inline(always)]
    pub(super) fn three_inside(&self, v: [&SVector; 3]) -> Option<Inside> {
        let splat = set_splat_i32_m128i;
        let dot = mul_i16_horizontal_add_m128i;
        let (xy, z0) = (lanes(|k| pair(v[k].x, v[k].y)), lanes(|k| pair(v[k].z, 0)));
        let mac = |i: usize| {
            let [a, b, c] = self.rotation[i];
            let sum = add_i32_m128i(dot(xy, splat(pair(a, b))), dot(z0, splat(pair(c, 0))));
            add_i32_m128i(shr_imm_i32_m128i::<12>(sum), splat(self.translation[i]))
        };
        let (x, y, z) = (mac(0), mac(1), mac(2));

        let depths: [i32; 4] = z.into();
        let depths = [depths[0] as u16, depths[1] as u16, depths[2] as u16];
        let n = depths.map(|z| divide_inside(self.h, z));
        // IR has 16 bits and the quotient 17, which come in two parts that fit 16 signed bits:
        // n = 8000h * high + low. The shift by 16 goes through the sum in two steps.
        let quotients = lanes(|k| n[k] as i32);
        let (low, high) = (
            quotients & splat(0x7FFF),
            shr_imm_u32_m128i::<15>(quotients),
        );
        let screen = |ir: m128i, offset: i32| {
            let ir = ir & splat(0xFFFF);
            let fine = add_i32_m128i(dot(ir, low), splat(offset & 0xFFFF));
            let sum = add_i32_m128i(dot(ir, high), shr_imm_i32_m128i::<15>(fine));
            add_i32_m128i(shr_imm_i32_m128i::<1>(sum), splat(offset >> 16))
        };
        let (sx, sy) = (screen(x, self.ofx), screen(y, self.ofy));

        // The same limits as for one vertex.
        let from = |low: i32, a: m128i, b: m128i| {
            add_i32_m128i(a, splat(low)) | add_i32_m128i(b, splat(low))
        };
        let outside = shr_imm_u32_m128i::<16>(from(0x8000, x, y))
            | shr_imm_u32_m128i::<15>(z | add_i32_m128i(z, splat(-1)))
            | shr_imm_u32_m128i::<11>(from(0x400, sx, sy))
            | shr_imm_u32_m128i::<17>(add_i32_m128i(quotients, splat(NEAR_LIMIT as i32)));
        let inside = move_mask_i8_m128i(cmp_eq_mask_i32_m128i(outside, splat(0)));
        if inside & 0xFFF != 0xFFF {
            return None;
        }
        let sxy: [u32; 4] = ((sx & splat(0xFFFF)) | shl_imm_u32_m128i::<16>(sy)).into();
        let last = |v: m128i| <[i32; 4]>::from(v)[2];
        let mac = [last(x), last(y), last(z)];
        Some(Inside {
            sxy: [sxy[0], sxy[1]],
            sz: [depths[0], depths[1]],
            last: Projected {
                mac,
                ir: mac.map(|value| value as i16),
                sz: depths[2],
                sxy: sxy[2],
                n: i64::from(n[2]),
                flag: 0,
            },
        })
    }
}
