//! The bit-exact software model (GTE sheet, sections 1 to 3).
//!
//! Every sum is 64 bits wide with the 44-bit wrap of the chip between additions. The model is
//! exact in all 64 registers, FLAG included; it has no notion of time.

mod commands;
mod inside;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod lanes;
mod lighting;
mod registers;

use self::inside::Sums;
use super::{Addend, Factor, Geometry, Point, RawVertex, Triangle, mvmva, unpack};
use crate::fixed::{Matrix, SVector, Vector};

/// Bits of FLAG that set its bit 31: 30..23 and 18..13 (GTE sheet, 1.3).
const SUMMARY: u32 = 0x7F87_E000;

/// The command words of DPCS and DPCT with sf = 1 and lm = 0.
const DPCS: u32 = 0x4A78_0010;
const DPCT: u32 = 0x4AF8_002A;

/// The geometry engine in software.
///
/// ```
/// use overworld_runtime::fixed::{Matrix, SVector, Vector};
/// use overworld_runtime::gte::{Geometry, software::Gte};
///
/// let mut gte = Gte::new();
/// gte.set_rotation(&Matrix::IDENTITY);
/// gte.set_translation(&Vector::new(0, 0, 1000));
/// gte.set_screen(160 << 16, 120 << 16, 320);
/// let point = gte.project(&SVector::new(100, 50, 0));
/// assert_eq!((point.sxy & 0xFFFF, point.sxy >> 16, point.flag), (192, 136, 0));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gte {
    v: [SVector; 3],
    rgbc: u32,
    otz: u16,
    ir0: i16,
    ir: [i16; 3],
    sxy: [u32; 3],
    sz: [u16; 4],
    rgb: [u32; 3],
    res1: u32,
    mac0: i32,
    mac: [i32; 3],
    lzcs: u32,
    rotation: [[i16; 3]; 3],
    translation: [i32; 3],
    light: [[i16; 3]; 3],
    background: [i32; 3],
    colour: [[i16; 3]; 3],
    far: [i32; 3],
    ofx: i32,
    ofy: i32,
    h: u16,
    dqa: i16,
    dqb: i32,
    zsf3: i16,
    zsf4: i16,
    flag: u32,
    sums: Sums,
}

impl Default for Gte {
    fn default() -> Self {
        Self::new()
    }
}

impl Gte {
    /// An engine whose registers all hold 0.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            v: [SVector::new(0, 0, 0); 3],
            rgbc: 0,
            otz: 0,
            ir0: 0,
            ir: [0; 3],
            sxy: [0; 3],
            sz: [0; 4],
            rgb: [0; 3],
            res1: 0,
            mac0: 0,
            mac: [0; 3],
            lzcs: 0,
            rotation: [[0; 3]; 3],
            translation: [0; 3],
            light: [[0; 3]; 3],
            background: [0; 3],
            colour: [[0; 3]; 3],
            far: [0; 3],
            ofx: 0,
            ofy: 0,
            h: 0,
            dqa: 0,
            dqb: 0,
            zsf3: 0,
            zsf4: 0,
            flag: 0,
            sums: Sums::Unknown,
        }
    }
}

/// Recompute bit 31 of a FLAG value.
const fn summarise(flag: u32) -> u32 {
    if flag & SUMMARY == 0 {
        flag
    } else {
        flag | 1 << 31
    }
}

const fn components(v: &SVector) -> [i16; 3] {
    [v.x, v.y, v.z]
}

impl Geometry for Gte {
    #[inline]
    fn set_rotation(&mut self, matrix: &Matrix) {
        self.rotation = matrix.m;
        self.sums = Sums::Unknown;
    }

    #[inline]
    fn set_translation(&mut self, translation: &Vector) {
        self.translation = [translation.x, translation.y, translation.z];
        self.sums = Sums::Unknown;
    }

    #[inline]
    fn set_screen(&mut self, ofx: i32, ofy: i32, h: u16) {
        self.ofx = ofx;
        self.ofy = ofy;
        self.h = h;
    }

    #[inline]
    fn set_average(&mut self, zsf3: i16, zsf4: i16) {
        self.zsf3 = zsf3;
        self.zsf4 = zsf4;
    }

    #[inline]
    fn project3(&mut self, v: [&SVector; 3]) -> Triangle {
        self.v = v.map(|v| *v);
        self.rtpt_12(v);
        Triangle {
            sxy: self.sxy,
            flag: self.flag,
        }
    }

    #[inline]
    fn project(&mut self, v: &SVector) -> Point {
        self.v[0] = *v;
        self.rtps_12(v);
        Point {
            sxy: self.sxy[2],
            flag: self.flag,
        }
    }

    #[inline]
    fn normal_clip(&mut self) -> i32 {
        self.nclip();
        self.mac0
    }

    #[inline]
    fn average3(&mut self) -> u16 {
        self.avsz3();
        self.otz
    }

    #[inline]
    fn average4(&mut self) -> u16 {
        self.avsz4();
        self.otz
    }

    #[inline]
    fn depth(&mut self) -> u16 {
        self.sz[3]
    }

    fn set_cue(&mut self, far: [u8; 3], dqa: i16, dqb: i32) {
        self.far = far.map(|c| i32::from(c) << 4);
        self.dqa = dqa;
        self.dqb = dqb;
    }

    fn cue(&mut self, colour: u32) -> u32 {
        self.rgbc = colour;
        self.execute(DPCS);
        self.rgb[2]
    }

    fn cue3(&mut self, colours: [u32; 3]) -> [u32; 3] {
        self.rgbc = colours[0];
        self.rgb = colours;
        self.execute(DPCT);
        self.rgb
    }

    #[inline]
    fn apply(&mut self, factor: Factor, addend: Addend, v: &RawVertex) -> Vector {
        self.v[0] = unpack(*v);
        self.execute(mvmva(factor, addend));
        let [x, y, z] = self.mac;
        Vector { x, y, z }
    }

    #[inline]
    fn screen3(&mut self) -> [u32; 3] {
        self.sxy
    }

    fn project_all(&mut self, vertices: &[RawVertex], to: &mut [[u32; 2]]) {
        for (v, to) in vertices.chunks(3).zip(to.chunks_mut(3)) {
            if let ([a, b, c], [p, q, r]) = (v, &mut *to) {
                let [a, b, c] = [a, b, c].map(|vertex| unpack(*vertex));
                self.project3([&a, &b, &c]);
                for (n, to) in [p, q, r].into_iter().enumerate() {
                    *to = [self.sxy[n], self.sz[n + 1].into()];
                }
                continue;
            }
            for (vertex, to) in v.iter().zip(to) {
                let sxy = self.project(&unpack(*vertex)).sxy;
                *to = [sxy, self.sz[3].into()];
            }
        }
    }

    #[inline]
    fn rotate(&mut self, v: &SVector) -> SVector {
        self.v[0] = *v;
        self.mvmva_rotation(None);
        let [x, y, z] = self.ir;
        SVector::new(x, y, z)
    }

    #[inline]
    fn transform(&mut self, v: &SVector) -> Vector {
        self.v[0] = *v;
        self.mvmva_rotation(Some(self.translation));
        let [x, y, z] = self.mac;
        Vector { x, y, z }
    }
}
