//! The geometry engine: COP2 instructions behind the runtime's traits (GTE sheet).
//!
//! Rules kept by every `asm!` block here (GTE sheet, section 4):
//! * a command has two instructions between it and the last write of a register that it reads: blocks that
//!   write registers for a later command end in two `nop`s, blocks that do both carry them inside;
//! * a block that ends in a read ends in a `nop`, since the compiler does not know that the value
//!   arrives one instruction late;
//! * no block holds a branch, so no command gets into a delay slot, but for the call of `polygons`: its loops are
//!   assembly with branches of their own, and keep the same rules by hand.
//!
//! The assembler does not know `ctc2`, `cfc2` and `cop2`: they are written as words.

#[cfg(target_arch = "mips")]
use crate::scratchpad::WORDS;

/// The word of `ctc2 $cpu, $control`.
#[cfg_attr(not(target_arch = "mips"), allow(dead_code))]
const fn ctc2(cpu: u32, control: u32) -> u32 {
    0x48C0_0000 | cpu << 16 | control << 11
}

/// The word of `cfc2 $cpu, $control`.
#[cfg_attr(not(target_arch = "mips"), allow(dead_code))]
const fn cfc2(cpu: u32, control: u32) -> u32 {
    0x4840_0000 | cpu << 16 | control << 11
}

/// The word that runs `command`, or none if the chip does not define it.
///
/// Only the low 25 bits count. What the other 42 numbers do is not known (GTE sheet, section 2);
/// as in the software model, they do nothing.
#[cfg_attr(not(target_arch = "mips"), allow(dead_code))]
const fn command_word(command: u32) -> Option<u32> {
    const DEFINED: u64 = 1 << 0x01
        | 1 << 0x06
        | 1 << 0x0C
        | 1 << 0x10
        | 1 << 0x11
        | 1 << 0x12
        | 1 << 0x13
        | 1 << 0x14
        | 1 << 0x16
        | 1 << 0x1B
        | 1 << 0x1C
        | 1 << 0x1E
        | 1 << 0x20
        | 1 << 0x28
        | 1 << 0x29
        | 1 << 0x2A
        | 1 << 0x2D
        | 1 << 0x2E
        | 1 << 0x30
        | 1 << 0x3D
        | 1 << 0x3E
        | 1 << 0x3F;
    if DEFINED >> (command & 0x3F) & 1 == 0 {
        return None;
    }
    Some(0x4A00_0000 | command & 0x01FF_FFFF)
}

/// The console's GTE.
#[cfg(target_arch = "mips")]
#[derive(Debug)]
pub struct Cop2 {
    tables: polygons::Tables,
}

#[cfg(target_arch = "mips")]
impl Cop2 {
    /// # Safety
    /// There is only one at a time, SR bit 30 is set, and interrupt handlers leave the GTE alone.
    pub unsafe fn new() -> Self {
        Self {
            tables: polygons::Tables::new(),
        }
    }

    /// Let the engine keep vertices in the scratchpad; without it, every polygon is drawn by itself, several times
    /// as slowly. What is no scratchpad is refused without a word.
    pub fn give_scratchpad(&mut self, memory: &'static mut [u32; WORDS]) {
        self.tables.give(memory);
    }

    /// The scratchpad for something else, until it is given back. Nothing in it has to last.
    pub fn lend_scratchpad(&mut self) -> Option<&'static mut [u32; WORDS]> {
        self.tables.lend()
    }
}

#[cfg(target_arch = "mips")]
mod blocks;
#[cfg(target_arch = "mips")]
mod compose;
#[cfg(target_arch = "mips")]
mod geometry;
#[cfg(target_arch = "mips")]
mod lighting;
#[cfg(target_arch = "mips")]
mod polygons;
#[cfg(target_arch = "mips")]
mod registers;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_the_instruction_set() {
        // ctc2 $8, $31; cfc2 $8, $31; ctc2 $12, $4 (MIPS I: COP2 rs rt rd).
        assert_eq!(ctc2(8, 31), 0x48C8_F800);
        assert_eq!(cfc2(8, 31), 0x4848_F800);
        assert_eq!(ctc2(12, 4), 0x48CC_2000);
    }

    #[test]
    fn the_22_commands_of_the_sheet_run_and_no_other() {
        let usual = [
            0x4A18_0001,
            0x4B40_0006,
            0x4B78_000C,
            0x4A78_0010,
            0x4A98_0011,
            0x4A40_0012,
            0x4AE8_0413,
            0x4B28_0414,
            0x4AF8_0416,
            0x4B08_041B,
            0x4B38_041C,
            0x4AC8_041E,
            0x4AD8_0420,
            0x4AA8_0428,
            0x4A68_0029,
            0x4AF8_002A,
            0x4B58_002D,
            0x4B68_002E,
            0x4A28_0030,
            0x4B98_003D,
            0x4BA8_003E,
            0x4B18_043F,
        ];
        for word in usual {
            assert_eq!(command_word(word), Some(word));
            assert_eq!(command_word(word & 0x01FF_FFFF), Some(word));
        }
        let count = (0..64).filter(|&n| command_word(n).is_some()).count();
        assert_eq!(count, usual.len());
    }
}
