//! The 22 commands (GTE sheet, section 3).

use super::{Gte, components, summarise};
use crate::gte::division::divide;

type Rows = [[i16; 3]; 3];

const MAX_44: i64 = (1 << 43) - 1;
const MIN_44: i64 = -(1 << 43);

/// Below this magnitude a translation leaves room for three products of 2^30, so that no sum
/// of a row can reach 44 bits: `(2^31 - 2^20) * 2^12 + 3 * 2^30 < 2^43`.
const SAFE_TRANSLATION: u32 = 0x7FF0_0000;

#[inline(always)]
fn product(a: i16, b: i16) -> i64 {
    i64::from(i32::from(a) * i32::from(b))
}

/// One addition of the 44-bit accumulator of MAC`i + 1`: flags, then wraps.
#[inline(always)]
fn accumulate(flag: &mut u32, i: usize, x: i64) -> i64 {
    if x > MAX_44 {
        *flag |= 1 << (30 - i);
    }
    if x < MIN_44 {
        *flag |= 1 << (27 - i);
    }
    (x << 20) >> 20
}

/// One row of [`Gte::matvec`] with sf = 1, for a translation below [`SAFE_TRANSLATION`]: no sum can
/// overflow.
#[inline(always)]
fn row_safe(m: &[i16; 3], v: [i16; 3], t: i32) -> i32 {
    let sum = product(m[0], v[0]) + product(m[1], v[1]) + product(m[2], v[2]);
    // The translation has no bits below the shift, so it may come after it.
    t.wrapping_add((sum >> 12) as i32)
}

/// Flags 16 and 15 of a wide MAC0 sum.
#[inline(always)]
fn mac0_flags(x: i64) -> u32 {
    u32::from(x > i64::from(i32::MAX)) << 16 | u32::from(x < i64::from(i32::MIN)) << 15
}

/// What the projection of one vertex gives.
pub(super) struct Projected {
    pub(super) mac: [i32; 3],
    pub(super) ir: [i16; 3],
    pub(super) sz: u16,
    pub(super) sxy: u32,
    /// The quotient `H / SZ3`.
    pub(super) n: i64,
    /// FLAG without its bit 31.
    pub(super) flag: u32,
}

impl Gte {
    /// [`accumulate`] into FLAG.
    #[inline(always)]
    fn accumulate(&mut self, i: usize, x: i64) -> i64 {
        accumulate(&mut self.flag, i, x)
    }

    /// IR`i + 1` from a 32-bit value, flagged when clamped.
    #[inline(always)]
    fn clamp_ir(&mut self, i: usize, value: i32, lm: bool) -> i16 {
        let clamped = value.clamp(if lm { 0 } else { -0x8000 }, 0x7FFF);
        self.flag |= u32::from(clamped != value) << (24 - i);
        clamped as i16
    }

    #[inline(always)]
    fn ir_from_mac(&mut self, lm: bool) {
        for i in 0..3 {
            self.ir[i] = self.clamp_ir(i, self.mac[i], lm);
        }
    }

    /// [`mac0_flags`] into FLAG.
    #[inline(always)]
    fn check_mac0(&mut self, x: i64) {
        self.flag |= mac0_flags(x);
    }

    #[inline(always)]
    pub(super) fn push_sxy(&mut self, value: u32) {
        self.sxy = [self.sxy[1], self.sxy[2], value];
    }

    fn push_colour(&mut self) {
        let mut word = self.rgbc & 0xFF00_0000;
        for i in 0..3 {
            let value = self.mac[i] >> 4;
            let clamped = value.clamp(0, 0xFF);
            self.flag |= u32::from(clamped != value) << (21 - i);
            word |= (clamped as u32) << (8 * i);
        }
        self.rgb = [self.rgb[1], self.rgb[2], word];
    }

    /// `T + M * V` into MAC; returns the three 44-bit sums.
    #[inline(always)]
    fn matvec(&mut self, m: &Rows, v: [i16; 3], t: [i32; 3], shift: u32) -> [i64; 3] {
        let mut sums = [0; 3];
        for i in 0..3 {
            let mut sum = i64::from(t[i]) << 12;
            for k in 0..3 {
                sum = self.accumulate(i, sum + product(m[i][k], v[k]));
            }
            self.mac[i] = (sum >> shift) as i32;
            sums[i] = sum;
        }
        sums
    }

    /// Rotate, translate and project one vertex with every clamp and flag.
    ///
    /// Works on values alone: what is kept of it is stored once, after the last vertex.
    fn perspective(&self, v: [i16; 3], shift: u32, lm: bool) -> Projected {
        let mut flag = 0;
        let mut sums = [0; 3];
        for (i, sum) in sums.iter_mut().enumerate() {
            let [a, b, c] = self.rotation[i];
            let t = i64::from(self.translation[i]) << 12;
            *sum = accumulate(&mut flag, i, t + product(a, v[0]));
            *sum = accumulate(&mut flag, i, *sum + product(b, v[1]));
            *sum = accumulate(&mut flag, i, *sum + product(c, v[2]));
        }
        let mac = sums.map(|sum| (sum >> shift) as i32);
        let low = if lm { 0 } else { -0x8000 };
        let ir = mac.map(|value| value.clamp(low, 0x7FFF));
        // 44 bits less 12: the depth fits 32.
        let z = (sums[2] >> 12) as i32;
        let sz = z.clamp(0, 0xFFFF);
        let (quotient, overflow) = divide(self.h, sz as u16);
        let n = i64::from(quotient);
        let x = n * i64::from(ir[0]) + i64::from(self.ofx);
        let y = n * i64::from(ir[1]) + i64::from(self.ofy);
        let (px, py) = (x >> 16, y >> 16);
        let (sx, sy) = (px.clamp(-0x400, 0x3FF), py.clamp(-0x400, 0x3FF));
        // The flag of IR3 looks at the depth as if lm were 0; its value at MAC3 and lm.
        flag |= u32::from(ir[0] != mac[0]) << 24
            | u32::from(ir[1] != mac[1]) << 23
            | u32::from(z != z.clamp(-0x8000, 0x7FFF)) << 22
            | u32::from(sz != z) << 18
            | u32::from(overflow) << 17
            | mac0_flags(x)
            | mac0_flags(y)
            | u32::from(sx != px) << 14
            | u32::from(sy != py) << 13;
        Projected {
            mac,
            ir: ir.map(|value| value as i16),
            sz: sz as u16,
            sxy: u32::from(sx as u16) | u32::from(sy as u16) << 16,
            n,
            flag,
        }
    }

    /// Store what the last vertex leaves behind, with MAC0 and IR0 from its quotient.
    #[inline(always)]
    pub(super) fn finish_perspective(&mut self, last: &Projected, flag: u32) {
        self.mac = last.mac;
        self.ir = last.ir;
        let d = last.n * i64::from(self.dqa) + i64::from(self.dqb);
        self.mac0 = d as i32;
        let wide = d >> 12;
        let ir0 = wide.clamp(0, 0x1000);
        self.ir0 = ir0 as i16;
        self.flag = summarise(flag | mac0_flags(d) | u32::from(ir0 != wide) << 12);
    }

    /// RTPS of `v`, which is V0.
    pub(super) fn rtps(&mut self, v: [i16; 3], shift: u32, lm: bool) {
        let p = self.perspective(v, shift, lm);
        self.finish_rtps(&p);
    }

    #[inline(always)]
    pub(super) fn finish_rtps(&mut self, p: &Projected) {
        self.sz = [self.sz[1], self.sz[2], self.sz[3], p.sz];
        self.push_sxy(p.sxy);
        self.finish_perspective(p, p.flag);
    }

    /// RTPT of `v`, which is V0, V1, V2.
    pub(super) fn rtpt(&mut self, v: [[i16; 3]; 3], shift: u32, lm: bool) {
        let [a, b, c] = v.map(|v| self.perspective(v, shift, lm));
        self.sz = [self.sz[3], a.sz, b.sz, c.sz];
        self.sxy = [a.sxy, b.sxy, c.sxy];
        self.finish_perspective(&c, a.flag | b.flag | c.flag);
    }

    #[inline(always)]
    pub(super) fn nclip(&mut self) {
        self.flag = 0;
        let point = |p: u32| (p as i16, (p >> 16) as i16);
        let (a, b, c) = (point(self.sxy[0]), point(self.sxy[1]), point(self.sxy[2]));
        let total = product(a.0, b.1) + product(b.0, c.1) + product(c.0, a.1)
            - product(a.0, c.1)
            - product(b.0, a.1)
            - product(c.0, b.1);
        self.check_mac0(total);
        self.mac0 = total as i32;
        self.flag = summarise(self.flag);
    }

    #[inline(always)]
    fn average(&mut self, factor: i16, sum: u32) {
        self.flag = 0;
        let x = i64::from(factor) * i64::from(sum);
        self.check_mac0(x);
        self.mac0 = x as i32;
        let depth = x >> 12;
        let otz = depth.clamp(0, 0xFFFF);
        self.flag |= u32::from(otz != depth) << 18;
        self.otz = otz as u16;
        self.flag = summarise(self.flag);
    }

    #[inline(always)]
    pub(super) fn avsz3(&mut self) {
        let [_, a, b, c] = self.sz;
        self.average(self.zsf3, u32::from(a) + u32::from(b) + u32::from(c));
    }

    #[inline(always)]
    pub(super) fn avsz4(&mut self) {
        let [a, b, c, d] = self.sz;
        self.average(
            self.zsf4,
            u32::from(a) + u32::from(b) + u32::from(c) + u32::from(d),
        );
    }

    /// MVMVA with the rotation matrix, V0, sf = 1, lm = 0.
    ///
    /// Row by row and without arrays in between: a compiler that saves space makes loops of those, which
    /// on the microcontroller cost twice as much as the work in them.
    #[inline(always)]
    pub(super) fn mvmva_rotation(&mut self, translation: Option<[i32; 3]>) {
        let [x, y, z] = match translation {
            Some(t)
                if t.map(i32::unsigned_abs)
                    .iter()
                    .any(|&t| t >= SAFE_TRANSLATION) =>
            {
                return self.mvmva_far(t);
            }
            t => t.unwrap_or_default(),
        };
        let v = components(&self.v[0]);
        let [a, b, c] = &self.rotation;
        let mac = [row_safe(a, v, x), row_safe(b, v, y), row_safe(c, v, z)];
        let clamp = |mac: i32| mac.clamp(-0x8000, 0x7FFF);
        let ir = [clamp(mac[0]), clamp(mac[1]), clamp(mac[2])];
        let flag = |i: usize| u32::from(ir[i] != mac[i]) << (24 - i);
        self.flag = summarise(flag(0) | flag(1) | flag(2));
        self.mac = mac;
        self.ir = [ir[0] as i16, ir[1] as i16, ir[2] as i16];
    }

    /// The same for a translation with which a sum may overflow.
    #[cold]
    fn mvmva_far(&mut self, translation: [i32; 3]) {
        self.flag = 0;
        let (m, v) = (self.rotation, components(&self.v[0]));
        self.matvec(&m, v, translation, 12);
        self.ir_from_mac(false);
        self.flag = summarise(self.flag);
    }

    fn mvmva(&mut self, word: u32, shift: u32, lm: bool) {
        let m = match (word >> 17) & 3 {
            0 => self.rotation,
            1 => self.light,
            2 => self.colour,
            _ => self.garbage_matrix(),
        };
        let v = match (word >> 15) & 3 {
            0 => components(&self.v[0]),
            1 => components(&self.v[1]),
            2 => components(&self.v[2]),
            _ => self.ir,
        };
        match (word >> 13) & 3 {
            0 => _ = self.matvec(&m, v, self.translation, shift),
            1 => _ = self.matvec(&m, v, self.background, shift),
            2 => self.matvec_far(&m, v, shift),
            _ => _ = self.matvec(&m, v, [0; 3], shift),
        }
        self.ir_from_mac(lm);
    }

    /// What the chip uses as matrix 3 (GTE sheet, 3.2).
    fn garbage_matrix(&self) -> Rows {
        let red = ((self.rgbc & 0xFF) << 4) as i16;
        let m = &self.rotation;
        [[-red, red, self.ir0], [m[0][2]; 3], [m[1][1]; 3]]
    }

    /// MVMVA with the far colour: the sum of translation and column 1 gives flags only.
    fn matvec_far(&mut self, m: &Rows, v: [i16; 3], shift: u32) {
        for (i, row) in m.iter().enumerate() {
            let lost = (i64::from(self.far[i]) << 12) + product(row[0], v[0]);
            let lost = self.accumulate(i, lost);
            self.clamp_ir(i, (lost >> shift) as i32, false);
            let sum = self.accumulate(i, product(row[1], v[1]));
            let sum = self.accumulate(i, sum + product(row[2], v[2]));
            self.mac[i] = (sum >> shift) as i32;
        }
    }

    fn outer_product(&mut self, shift: u32, lm: bool) {
        let [d1, d2, d3] = [
            self.rotation[0][0],
            self.rotation[1][1],
            self.rotation[2][2],
        ];
        let [a, b, c] = self.ir;
        self.mac = [
            product(c, d2) - product(b, d3),
            product(a, d3) - product(c, d1),
            product(b, d1) - product(a, d2),
        ]
        .map(|x| (x >> shift) as i32);
        self.ir_from_mac(lm);
    }

    fn square(&mut self, shift: u32, lm: bool) {
        self.mac = self.ir.map(|c| (product(c, c) >> shift) as i32);
        self.ir_from_mac(lm);
    }

    fn interpolate_base(&mut self, shift: u32, lm: bool, with_mac: bool) {
        for i in 0..3 {
            let base = if with_mac {
                i64::from(self.mac[i]) << shift
            } else {
                0
            };
            let sum = self.accumulate(i, base + product(self.ir0, self.ir[i]));
            self.mac[i] = (sum >> shift) as i32;
        }
        self.ir_from_mac(lm);
        self.push_colour();
    }

    /// `in + (FC - in) * IR0`, colour pushed.
    fn cue(&mut self, input: [i64; 3], shift: u32, lm: bool) {
        for (i, base) in input.into_iter().enumerate() {
            let away = self.accumulate(i, (i64::from(self.far[i]) << 12) - base);
            let away = self.clamp_ir(i, (away >> shift) as i32, false);
            let sum = self.accumulate(i, base + product(away, self.ir0));
            self.mac[i] = (sum >> shift) as i32;
        }
        self.ir_from_mac(lm);
        self.push_colour();
    }

    /// The colour of `word` as 8.16 numbers.
    fn colour_16(word: u32) -> [i64; 3] {
        [0, 8, 16].map(|bit| i64::from((word >> bit) & 0xFF) << 16)
    }

    /// `(R << 4) * IR1` and its siblings.
    fn colour_times_ir(&self) -> [i64; 3] {
        let mut bit = 0;
        self.ir.map(|ir| {
            let component = i64::from((self.rgbc >> bit) & 0xFF) << 4;
            bit += 8;
            component * i64::from(ir)
        })
    }

    fn light_vertex(&mut self, vertex: usize, shift: u32, lm: bool) {
        let (m, v) = (self.light, components(&self.v[vertex]));
        self.matvec(&m, v, [0; 3], shift);
        self.ir_from_mac(lm);
    }

    fn light_colour(&mut self, shift: u32, lm: bool) {
        let (m, v, t) = (self.colour, self.ir, self.background);
        self.matvec(&m, v, t, shift);
        self.ir_from_mac(lm);
    }

    fn apply_colour(&mut self, shift: u32, lm: bool) {
        self.mac = self.colour_times_ir().map(|x| (x >> shift) as i32);
        self.ir_from_mac(lm);
        self.push_colour();
    }

    /// NCS, NCCS, NCDS and their three-vertex forms.
    fn light_vertices(&mut self, count: usize, stage: Stage, shift: u32, lm: bool) {
        for vertex in 0..count {
            self.light_vertex(vertex, shift, lm);
            self.light_colour(shift, lm);
            match stage {
                Stage::Push => self.push_colour(),
                Stage::Apply => self.apply_colour(shift, lm),
                Stage::Cue => self.cue(self.colour_times_ir(), shift, lm),
            }
        }
    }

    /// Run one command word. Numbers that the sheet leaves undefined do nothing.
    pub(super) fn execute(&mut self, word: u32) {
        let shift = if word & 1 << 19 == 0 { 0 } else { 12 };
        let lm = word & 1 << 10 != 0;
        match word & 0x3F {
            0x01 => return self.rtps(components(&self.v[0]), shift, lm),
            0x06 => return self.nclip(),
            0x2D => return self.avsz3(),
            0x2E => return self.avsz4(),
            0x30 => return self.rtpt(self.v.each_ref().map(components), shift, lm),
            _ => {}
        }
        let before = core::mem::take(&mut self.flag);
        match word & 0x3F {
            0x0C => self.outer_product(shift, lm),
            0x10 => self.cue(Self::colour_16(self.rgbc), shift, lm),
            0x11 => self.cue(self.ir.map(|c| i64::from(c) << 12), shift, lm),
            0x12 => self.mvmva(word, shift, lm),
            0x13 => self.light_vertices(1, Stage::Cue, shift, lm),
            0x14 => {
                self.light_colour(shift, lm);
                self.cue(self.colour_times_ir(), shift, lm);
            }
            0x16 => self.light_vertices(3, Stage::Cue, shift, lm),
            0x1B => self.light_vertices(1, Stage::Apply, shift, lm),
            0x1C => {
                self.light_colour(shift, lm);
                self.apply_colour(shift, lm);
            }
            0x1E => self.light_vertices(1, Stage::Push, shift, lm),
            0x20 => self.light_vertices(3, Stage::Push, shift, lm),
            0x28 => self.square(shift, lm),
            0x29 => self.cue(self.colour_times_ir(), shift, lm),
            0x2A => {
                for _ in 0..3 {
                    self.cue(Self::colour_16(self.rgb[0]), shift, lm);
                }
            }
            0x3D => self.interpolate_base(shift, lm, false),
            0x3E => self.interpolate_base(shift, lm, true),
            0x3F => self.light_vertices(3, Stage::Apply, shift, lm),
            _ => self.flag = before,
        }
        self.flag = summarise(self.flag);
    }
}

/// What follows the two lighting products.
#[derive(Clone, Copy)]
enum Stage {
    /// The colour is pushed as it is (NCS, NCT).
    Push,
    /// The vertex colour is multiplied in (NCCS, NCCT).
    Apply,
    /// The depth cue follows (NCDS, NCDT).
    Cue,
}
