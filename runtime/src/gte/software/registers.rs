//! The register file with the side effects of its tables (GTE sheet, 1.1 to 1.3).

use super::inside::Sums;
use super::{Gte, summarise};
use crate::gte::Registers;

/// Two signed halfwords in one register, the first in the low half.
const fn pack(low: i16, high: i16) -> u32 {
    low as u16 as u32 | (high as u16 as u32) << 16
}

const fn unpack(value: u32) -> (i16, i16) {
    (value as i16, (value >> 16) as i16)
}

/// Read one of the five registers of a matrix.
const fn read_matrix(m: &[[i16; 3]; 3], register: u8) -> u32 {
    match register {
        0 => pack(m[0][0], m[0][1]),
        1 => pack(m[0][2], m[1][0]),
        2 => pack(m[1][1], m[1][2]),
        3 => pack(m[2][0], m[2][1]),
        _ => m[2][2] as u32,
    }
}

const fn write_matrix(m: &mut [[i16; 3]; 3], register: u8, value: u32) {
    let (low, high) = unpack(value);
    match register {
        0 => (m[0][0], m[0][1]) = (low, high),
        1 => (m[0][2], m[1][0]) = (low, high),
        2 => (m[1][1], m[1][2]) = (low, high),
        3 => (m[2][0], m[2][1]) = (low, high),
        _ => m[2][2] = low,
    }
}

/// IR1..IR3 as a 15-bit colour: each SAR 7, clamped to 0..1Fh.
fn orgb(ir: &[i16; 3]) -> u32 {
    let [r, g, b] = ir.map(|c| u32::from((c >> 7).clamp(0, 0x1F) as u16));
    r | g << 5 | b << 10
}

/// How many leading bits equal bit 31: 1..=32.
const fn leading(value: u32) -> u32 {
    if value >> 31 == 0 {
        value.leading_zeros()
    } else {
        value.leading_ones()
    }
}

impl Registers for Gte {
    fn write(&mut self, register: u8, value: u32) {
        let (low, high) = unpack(value);
        let word = value as i32;
        if (32..40).contains(&(register & 63)) {
            self.sums = Sums::Unknown;
        }
        match register & 63 {
            0 => (self.v[0].x, self.v[0].y) = (low, high),
            1 => self.v[0].z = low,
            2 => (self.v[1].x, self.v[1].y) = (low, high),
            3 => self.v[1].z = low,
            4 => (self.v[2].x, self.v[2].y) = (low, high),
            5 => self.v[2].z = low,
            6 => self.rgbc = value,
            7 => self.otz = low as u16,
            8 => self.ir0 = low,
            9 => self.ir[0] = low,
            10 => self.ir[1] = low,
            11 => self.ir[2] = low,
            12 => self.sxy[0] = value,
            13 => self.sxy[1] = value,
            14 => self.sxy[2] = value,
            15 => self.push_sxy(value),
            16 => self.sz[0] = low as u16,
            17 => self.sz[1] = low as u16,
            18 => self.sz[2] = low as u16,
            19 => self.sz[3] = low as u16,
            20 => self.rgb[0] = value,
            21 => self.rgb[1] = value,
            22 => self.rgb[2] = value,
            23 => self.res1 = value,
            24 => self.mac0 = word,
            25 => self.mac[0] = word,
            26 => self.mac[1] = word,
            27 => self.mac[2] = word,
            28 => {
                self.ir = [low & 0x1F, (low >> 5) & 0x1F, (low >> 10) & 0x1F].map(|c| c << 7);
            }
            30 => self.lzcs = value,
            n @ 32..=36 => write_matrix(&mut self.rotation, n - 32, value),
            37 => self.translation[0] = word,
            38 => self.translation[1] = word,
            39 => self.translation[2] = word,
            n @ 40..=44 => write_matrix(&mut self.light, n - 40, value),
            45 => self.background[0] = word,
            46 => self.background[1] = word,
            47 => self.background[2] = word,
            n @ 48..=52 => write_matrix(&mut self.colour, n - 48, value),
            53 => self.far[0] = word,
            54 => self.far[1] = word,
            55 => self.far[2] = word,
            56 => self.ofx = word,
            57 => self.ofy = word,
            58 => self.h = low as u16,
            59 => self.dqa = low,
            60 => self.dqb = word,
            61 => self.zsf3 = low,
            62 => self.zsf4 = low,
            63 => self.flag = summarise(value & 0x7FFF_F000),
            // 29 (ORGB) and 31 (LZCR) cannot be written.
            _ => {}
        }
    }

    fn read(&mut self, register: u8) -> u32 {
        match register & 63 {
            0 => pack(self.v[0].x, self.v[0].y),
            1 => self.v[0].z as u32,
            2 => pack(self.v[1].x, self.v[1].y),
            3 => self.v[1].z as u32,
            4 => pack(self.v[2].x, self.v[2].y),
            5 => self.v[2].z as u32,
            6 => self.rgbc,
            7 => u32::from(self.otz),
            8 => self.ir0 as u32,
            9 => self.ir[0] as u32,
            10 => self.ir[1] as u32,
            11 => self.ir[2] as u32,
            12 => self.sxy[0],
            13 => self.sxy[1],
            14 | 15 => self.sxy[2],
            16 => u32::from(self.sz[0]),
            17 => u32::from(self.sz[1]),
            18 => u32::from(self.sz[2]),
            19 => u32::from(self.sz[3]),
            20 => self.rgb[0],
            21 => self.rgb[1],
            22 => self.rgb[2],
            23 => self.res1,
            24 => self.mac0 as u32,
            25 => self.mac[0] as u32,
            26 => self.mac[1] as u32,
            27 => self.mac[2] as u32,
            28 | 29 => orgb(&self.ir),
            30 => self.lzcs,
            31 => leading(self.lzcs),
            n @ 32..=36 => read_matrix(&self.rotation, n - 32),
            37 => self.translation[0] as u32,
            38 => self.translation[1] as u32,
            39 => self.translation[2] as u32,
            n @ 40..=44 => read_matrix(&self.light, n - 40),
            45 => self.background[0] as u32,
            46 => self.background[1] as u32,
            47 => self.background[2] as u32,
            n @ 48..=52 => read_matrix(&self.colour, n - 48),
            53 => self.far[0] as u32,
            54 => self.far[1] as u32,
            55 => self.far[2] as u32,
            56 => self.ofx as u32,
            57 => self.ofy as u32,
            // The read bug of the chip: an unsigned register comes back sign-extended.
            58 => self.h as i16 as u32,
            59 => self.dqa as u32,
            60 => self.dqb as u32,
            61 => self.zsf3 as u32,
            62 => self.zsf4 as u32,
            _ => self.flag,
        }
    }

    fn command(&mut self, word: u32) {
        self.execute(word);
    }
}
