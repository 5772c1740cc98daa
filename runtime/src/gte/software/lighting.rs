//! Light, by the commands of the chip.

use super::Gte;
use crate::fixed::Matrix;
use crate::gte::{Lighting, RawVertex, Shade, unpack};

impl Lighting for Gte {
    #[inline]
    fn set_light(&mut self, matrix: &Matrix) {
        self.light = matrix.m;
    }

    #[inline]
    fn set_light_colour(&mut self, matrix: &Matrix) {
        self.colour = matrix.m;
    }

    #[inline]
    fn set_background(&mut self, colour: [u8; 3]) {
        self.background = colour.map(|c| i32::from(c) << 4);
    }

    #[inline]
    fn set_fade(&mut self, amount: u16) {
        self.ir0 = amount as i16;
    }

    #[inline]
    fn begin_colour(&mut self, shade: Shade, normal: &RawVertex, colour: u32) {
        self.v[0] = unpack(*normal);
        self.rgbc = colour;
        self.execute(match shade {
            Shade::Plain => 0x4AC8_041E,
            Shade::Coloured => 0x4B08_041B,
            Shade::Cued => 0x4AE8_0413,
        });
    }

    #[inline]
    fn begin_colour3(&mut self, shade: Shade, normals: [&RawVertex; 3], colour: u32) {
        self.v = normals.map(|normal| unpack(*normal));
        self.rgbc = colour;
        self.execute(match shade {
            Shade::Plain => 0x4AD8_0420,
            Shade::Coloured => 0x4B18_043F,
            Shade::Cued => 0x4AF8_0416,
        });
    }

    #[inline]
    fn colour(&mut self) -> u32 {
        self.rgb[2]
    }

    #[inline]
    fn colours3(&mut self) -> [u32; 3] {
        self.rgb
    }
}
