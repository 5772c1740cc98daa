//! Which registers of the geometry engine an instruction writes, reads or a command uses
//! (GTE sheet, sections 1 to 4).
//!
//! Sets are bit masks over the sheet's "r n": 0..31 are data registers, 32..63 control registers.

use super::decode::{Inst, Op};

const fn range(first: u32, last: u32) -> u64 {
    let mut mask = 0;
    let mut register = first;
    while register <= last {
        mask |= 1 << register;
        register += 1;
    }
    mask
}

const V0: u64 = range(0, 1);
const V1: u64 = range(2, 3);
const V2: u64 = range(4, 5);
const RGBC: u64 = 1 << 6;
const IR0: u64 = 1 << 8;
const IR: u64 = range(9, 11);
const SXY: u64 = range(12, 14);
const SZ: u64 = range(16, 19);
const RGB: u64 = range(20, 22);
const MAC: u64 = range(25, 27);
const RT: u64 = range(32, 36);
const TR: u64 = range(37, 39);
const LIGHT: u64 = range(40, 44);
const BK: u64 = range(45, 47);
const LC: u64 = range(48, 52);
const FC: u64 = range(53, 55);
const PROJECT: u64 = range(56, 60);
const ZSF3: u64 = 1 << 61;
const ZSF4: u64 = 1 << 62;
/// The register whose mirrors take one instruction more.
pub const IRGB: u32 = 28;
/// The colour queue moves up by one: two of its entries live on.
const RGB_PUSH: u64 = range(21, 22);

/// Register (0..63) that a transfer writes: `mtc2`, `ctc2`, `lwc2`.
pub fn written(inst: Inst) -> Option<u32> {
    match inst.op {
        Op::Mtc2 => Some(inst.rd()),
        Op::Ctc2 => Some(inst.rd() + 32),
        Op::Lwc2 => Some(inst.rt()),
        _ => None,
    }
}

/// Register (0..63) that a transfer reads: `mfc2`, `cfc2`, `swc2`.
pub fn read(inst: Inst) -> Option<u32> {
    match inst.op {
        Op::Mfc2 => Some(inst.rd()),
        Op::Cfc2 => Some(inst.rd() + 32),
        Op::Swc2 => Some(inst.rt()),
        _ => None,
    }
}

/// Registers whose value changes when `register` is written (mirrors included).
pub fn affected(register: u32) -> u64 {
    match register {
        9..=11 => 1 << register | 1 << 28 | 1 << 29,
        14 => 1 << 14 | 1 << 15,
        15 => SXY | 1 << 15,
        28 => IR | 1 << 28 | 1 << 29,
        29 | 31 => 0,
        30 => 1 << 30 | 1 << 31,
        _ => 1 << (register & 63),
    }
}

/// Instructions that must lie between a write of `from` and a read of `to`.
/// GTE sheet, section 4: two, and three from IRGB to IR1, IR2 and their packed copy.
pub fn distance_to_read(from: u32, to: u32) -> u32 {
    match (from, to) {
        (IRGB, 9 | 10 | 28 | 29) => 3,
        _ => 2,
    }
}

/// Conventional name of a command word, if its number is one of the 22 defined ones.
pub fn command_name(word: u32) -> Option<&'static str> {
    Some(match word & 63 {
        0x01 => "rtps",
        0x06 => "nclip",
        0x0C => "op",
        0x10 => "dpcs",
        0x11 => "intpl",
        0x12 => "mvmva",
        0x13 => "ncds",
        0x14 => "cdp",
        0x16 => "ncdt",
        0x1B => "nccs",
        0x1C => "cc",
        0x1E => "ncs",
        0x20 => "nct",
        0x28 => "sqr",
        0x29 => "dcpl",
        0x2A => "dpct",
        0x2D => "avsz3",
        0x2E => "avsz4",
        0x30 => "rtpt",
        0x3D => "gpf",
        0x3E => "gpl",
        0x3F => "ncct",
        _ => return None,
    })
}

/// Registers whose old value has an influence on what the command leaves behind; all of them for
/// an undefined command.
pub fn inputs(word: u32) -> u64 {
    let normal_colour = LIGHT | LC | BK | RGBC;
    match word & 63 {
        0x01 => V0 | RT | TR | PROJECT | range(13, 14) | range(17, 19),
        0x06 => SXY,
        0x0C => IR | 1 << 32 | 1 << 34 | 1 << 36,
        0x10 => RGBC | IR0 | FC | RGB_PUSH,
        0x11 => IR | IR0 | FC | RGBC | RGB_PUSH,
        0x12 => mvmva_inputs(word),
        0x13 => V0 | normal_colour | IR0 | FC | RGB_PUSH,
        0x14 => IR | LC | BK | RGBC | IR0 | FC | RGB_PUSH,
        0x16 => V0 | V1 | V2 | normal_colour | IR0 | FC,
        0x1B | 0x1E => V0 | normal_colour | RGB_PUSH,
        0x1C => IR | LC | BK | RGBC | RGB_PUSH,
        0x20 | 0x3F => V0 | V1 | V2 | normal_colour,
        0x28 => IR,
        0x29 => RGBC | IR | IR0 | FC | RGB_PUSH,
        0x2A => RGB | RGBC | IR0 | FC,
        0x2D => range(17, 19) | ZSF3,
        0x2E => SZ | ZSF4,
        0x30 => V0 | V1 | V2 | RT | TR | PROJECT | 1 << 19,
        0x3D => IR0 | IR | RGBC | RGB_PUSH,
        0x3E => IR0 | IR | MAC | RGBC | RGB_PUSH,
        _ => u64::MAX,
    }
}

fn mvmva_inputs(word: u32) -> u64 {
    let matrix = [RT, LIGHT, LC, RT | RGBC | IR0][(word >> 17 & 3) as usize];
    let vector = [V0, V1, V2, IR][(word >> 15 & 3) as usize];
    let translation = [TR, BK, FC, 0][(word >> 13 & 3) as usize];
    matrix | vector | translation
}

/// Last instruction slot after a command in which the console was still seen to read `register`
/// (GTE sheet, section 4, "how soon inputs may be overwritten"; one console, two slots of
/// tolerance between code layouts).
pub fn latched_after(word: u32, register: u32) -> u32 {
    match (word & 63, register) {
        (0x30, 56..=58) => 5,
        (0x30, 60) => 6,
        (0x30, 59) => 7,
        (0x20, 45..=52) => 9,
        (0x3F, 6) => 12,
        (0x16, 53..=55) => 14,
        (0x16, 6) => 15,
        _ => 4,
    }
}

/// Name of register 0..63 as the disassembly writes it.
pub fn name(register: u32) -> String {
    if register < 32 {
        format!("data register {register}")
    } else {
        format!("control register {}", register - 32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mvmva_fields_choose_the_inputs() {
        // mx = 1 (light), v = 2 (V2), cv = 3 (none), GTE sheet section 2.
        let word = 0x4A40_0012 | 1 << 17 | 2 << 15 | 3 << 13;
        assert_eq!(inputs(word), LIGHT | V2);
        // mx = 0, v = 3 (IR), cv = 0 (TR).
        assert_eq!(inputs(0x4A40_0012 | 3 << 15), RT | IR | TR);
    }

    #[test]
    fn mirrors() {
        assert_eq!(affected(15), 0xF000);
        assert_ne!(affected(28) & 1 << 9, 0);
        assert_ne!(affected(30) & 1 << 31, 0);
        assert_eq!(affected(31), 0);
        assert_eq!(affected(63), 1 << 63);
        assert_eq!(distance_to_read(28, 11), 2);
        assert_eq!(distance_to_read(28, 9), 3);
    }
}
