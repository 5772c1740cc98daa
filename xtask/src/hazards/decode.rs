//! Decoder for the instruction set that the console's CPU really has: MIPS I, coprocessor 0
//! without a memory-management unit, and the geometry engine as coprocessor 2.
//!
//! HAL sheet, section 1.6. Everything else decodes to [`Op::Foreign`], with a name where one is
//! known, because "this is `movz`" helps more than "unknown word".

/// Bit of the HI register in the masks of [`Inst::reads`] and [`Inst::writes`].
pub const HI: u64 = 1 << 32;
/// Bit of the LO register in the same masks.
pub const LO: u64 = 1 << 33;

/// Return-address register.
pub const RA: u32 = 31;

/// Operation of one instruction word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    Sll,
    Srl,
    Sra,
    Sllv,
    Srlv,
    Srav,
    Jr,
    Jalr,
    Syscall,
    Break,
    Mfhi,
    Mthi,
    Mflo,
    Mtlo,
    Mult,
    Multu,
    Div,
    Divu,
    Add,
    Addu,
    Sub,
    Subu,
    And,
    Or,
    Xor,
    Nor,
    Slt,
    Sltu,
    Bltz,
    Bgez,
    Bltzal,
    Bgezal,
    J,
    Jal,
    Beq,
    Bne,
    Blez,
    Bgtz,
    Addi,
    Addiu,
    Slti,
    Sltiu,
    Andi,
    Ori,
    Xori,
    Lui,
    Mfc0,
    Mtc0,
    Rfe,
    Mfc2,
    Cfc2,
    Mtc2,
    Ctc2,
    /// A geometry-engine command: `word & FE000000h == 4A000000h` (GTE sheet, section 2).
    Gte,
    Lb,
    Lh,
    Lwl,
    Lw,
    Lbu,
    Lhu,
    Lwr,
    Sb,
    Sh,
    Swl,
    Sw,
    Swr,
    Lwc2,
    Swc2,
    /// Not an instruction of this CPU.
    Foreign,
}

/// Where control goes after an instruction (and, for the transfers, after its delay slot).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// To the next word.
    Next,
    /// Nowhere that can be followed (`break 0`, a word that is no instruction).
    Stop,
    /// A branch relative to its delay slot.
    Branch {
        /// Can it be taken? `bne $x, $x` cannot.
        taken: bool,
        /// Can it fall through? `beq $zero, $zero` cannot.
        falls: bool,
        /// Does it leave a return address in `$ra`?
        link: bool,
    },
    /// `j` or `jal`.
    Jump {
        /// `jal`.
        link: bool,
    },
    /// `jr` or `jalr`.
    Register {
        /// `jalr`.
        link: bool,
    },
}

impl Flow {
    /// Does a delay slot follow?
    pub fn has_slot(self) -> bool {
        !matches!(self, Flow::Next | Flow::Stop)
    }
}

/// One decoded word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inst {
    /// The word itself.
    pub word: u32,
    /// What it does.
    pub op: Op,
}

/// A memory access, its size in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// 1, 2 or 4.
    pub width: u32,
    /// A store.
    pub store: bool,
    /// `lwl`, `lwr`, `swl`, `swr`: any alignment is allowed, and only some bytes move.
    pub partial: bool,
}

fn bit(register: u32) -> u64 {
    // Register zero neither waits for anything nor keeps anything.
    (1u64 << (register & 31)) & !1
}

impl Inst {
    /// Decodes one word.
    pub fn decode(word: u32) -> Self {
        Self {
            word,
            op: operation(word),
        }
    }

    /// First source register, or base of an address.
    pub fn rs(self) -> u32 {
        self.word >> 21 & 31
    }

    /// Second source register, or destination of a load or an immediate operation.
    pub fn rt(self) -> u32 {
        self.word >> 16 & 31
    }

    /// Destination register, or register of a coprocessor.
    pub fn rd(self) -> u32 {
        self.word >> 11 & 31
    }

    /// Shift amount.
    pub fn sa(self) -> u32 {
        self.word >> 6 & 31
    }

    /// Immediate, zero-extended.
    pub fn immediate(self) -> u32 {
        self.word & 0xFFFF
    }

    /// Immediate, sign-extended to 32 bits.
    pub fn offset(self) -> u32 {
        (self.word as u16 as i16 as i32) as u32
    }

    /// Target of a branch or a `j`/`jal` that stands at `address`.
    pub fn target(self, address: u32) -> u32 {
        let slot = address.wrapping_add(4);
        match self.op {
            Op::J | Op::Jal => (slot & 0xF000_0000) | (self.word & 0x03FF_FFFF) << 2,
            _ => slot.wrapping_add(self.offset() << 2),
        }
    }

    /// Is this the canonical no-operation?
    pub fn is_nop(self) -> bool {
        self.word == 0
    }

    /// Where control goes next.
    pub fn flow(self) -> Flow {
        let (rs, rt) = (self.rs(), self.rt());
        let branch = |taken, falls, link| Flow::Branch { taken, falls, link };
        match self.op {
            Op::Beq => branch(true, rs != rt, false),
            Op::Bne => branch(rs != rt, true, false),
            Op::Blez | Op::Bgez => branch(true, rs != 0, false),
            Op::Bgezal => branch(true, rs != 0, true),
            Op::Bgtz | Op::Bltz => branch(rs != 0, true, false),
            Op::Bltzal => branch(rs != 0, true, true),
            Op::J => Flow::Jump { link: false },
            Op::Jal => Flow::Jump { link: true },
            Op::Jr => Flow::Register { link: false },
            Op::Jalr => Flow::Register { link: true },
            // Code zero is the compiler's trap. Other codes are calls to a monitor that return.
            Op::Break if self.word >> 6 & 0xF_FFFF == 0 => Flow::Stop,
            Op::Foreign => Flow::Stop,
            _ => Flow::Next,
        }
    }

    /// General registers, HI and LO whose value the instruction uses.
    ///
    /// `lwl`/`lwr` also use their destination, which they merge with memory; that operand is not
    /// part of this mask because the CPU forwards it, see [`Inst::merges`].
    pub fn reads(self) -> u64 {
        let (rs, rt) = (bit(self.rs()), bit(self.rt()));
        match self.op {
            Op::Sll | Op::Srl | Op::Sra => rt,
            Op::Jr | Op::Jalr | Op::Mthi | Op::Mtlo => rs,
            Op::Mfhi => HI,
            Op::Mflo => LO,
            Op::Bltz | Op::Bgez | Op::Bltzal | Op::Bgezal | Op::Blez | Op::Bgtz => rs,
            Op::Addi | Op::Addiu | Op::Slti | Op::Sltiu | Op::Andi | Op::Ori | Op::Xori => rs,
            Op::Mtc0 | Op::Mtc2 | Op::Ctc2 => rt,
            Op::Lb | Op::Lh | Op::Lw | Op::Lbu | Op::Lhu | Op::Lwl | Op::Lwr => rs,
            Op::Lwc2 | Op::Swc2 => rs,
            Op::Sllv
            | Op::Srlv
            | Op::Srav
            | Op::Mult
            | Op::Multu
            | Op::Div
            | Op::Divu
            | Op::Add
            | Op::Addu
            | Op::Sub
            | Op::Subu
            | Op::And
            | Op::Or
            | Op::Xor
            | Op::Nor
            | Op::Slt
            | Op::Sltu
            | Op::Beq
            | Op::Bne
            | Op::Sb
            | Op::Sh
            | Op::Sw
            | Op::Swl
            | Op::Swr => rs | rt,
            // The kernel behind these reads its arguments, but only after an exception's worth of
            // instructions.
            Op::Syscall | Op::Break => 0,
            Op::J | Op::Jal | Op::Lui | Op::Mfc0 | Op::Rfe => 0,
            Op::Mfc2 | Op::Cfc2 | Op::Gte | Op::Foreign => 0,
        }
    }

    /// General registers, HI and LO that the instruction changes.
    pub fn writes(self) -> u64 {
        let (rt, rd) = (bit(self.rt()), bit(self.rd()));
        match self.op {
            Op::Sll | Op::Srl | Op::Sra | Op::Sllv | Op::Srlv | Op::Srav => rd,
            Op::Add | Op::Addu | Op::Sub | Op::Subu => rd,
            Op::And | Op::Or | Op::Xor | Op::Nor | Op::Slt | Op::Sltu => rd,
            Op::Jalr | Op::Mfhi | Op::Mflo => rd,
            Op::Mthi => HI,
            Op::Mtlo => LO,
            Op::Mult | Op::Multu | Op::Div | Op::Divu => HI | LO,
            Op::Bltzal | Op::Bgezal | Op::Jal => bit(RA),
            Op::Addi | Op::Addiu | Op::Slti | Op::Sltiu => rt,
            Op::Andi | Op::Ori | Op::Xori | Op::Lui => rt,
            Op::Mfc0 | Op::Mfc2 | Op::Cfc2 => rt,
            Op::Lb | Op::Lh | Op::Lw | Op::Lbu | Op::Lhu | Op::Lwl | Op::Lwr => rt,
            _ => 0,
        }
    }

    /// Register that arrives one instruction late, if this is a load or a coprocessor read.
    /// A load into register zero has no result.
    pub fn delayed(self) -> Option<u32> {
        match self.op {
            Op::Lb | Op::Lh | Op::Lw | Op::Lbu | Op::Lhu | Op::Lwl | Op::Lwr => Some(self.rt()),
            Op::Mfc0 | Op::Mfc2 | Op::Cfc2 => Some(self.rt()),
            _ => None,
        }
        .filter(|&register| register != 0)
    }

    /// Register that `lwl` or `lwr` merges with memory. A load right before may still be on its
    /// way there: the CPU forwards it.
    pub fn merges(self) -> Option<u32> {
        matches!(self.op, Op::Lwl | Op::Lwr).then(|| self.rt())
    }

    /// Is this `lb` .. `lwr` (not a coprocessor read)?
    pub fn is_memory_load(self) -> bool {
        self.access().is_some_and(|access| !access.store) && self.op != Op::Lwc2
    }

    /// Does it read a register of the geometry engine into the CPU?
    pub fn reads_gte_into_cpu(self) -> bool {
        matches!(self.op, Op::Mfc2 | Op::Cfc2)
    }

    /// Does it use the HI/LO pair's value?
    pub fn reads_hilo(self) -> bool {
        matches!(self.op, Op::Mfhi | Op::Mflo)
    }

    /// The memory access that the instruction makes at `rs + offset`.
    pub fn access(self) -> Option<Access> {
        let (width, store, partial) = match self.op {
            Op::Lb | Op::Lbu => (1, false, false),
            Op::Lh | Op::Lhu => (2, false, false),
            Op::Lw | Op::Lwc2 => (4, false, false),
            Op::Lwl | Op::Lwr => (4, false, true),
            Op::Sb => (1, true, false),
            Op::Sh => (2, true, false),
            Op::Sw | Op::Swc2 => (4, true, false),
            Op::Swl | Op::Swr => (4, true, true),
            _ => return None,
        };
        Some(Access {
            width,
            store,
            partial,
        })
    }
}

/// Fields that must be zero for the word to be the instruction it looks like.
fn clear(word: u32, mask: u32, op: Op) -> Op {
    if word & mask == 0 { op } else { Op::Foreign }
}

const RS: u32 = 31 << 21;
const RT: u32 = 31 << 16;
const RD: u32 = 31 << 11;
const SA: u32 = 31 << 6;

fn operation(word: u32) -> Op {
    match word >> 26 {
        0 => special(word),
        1 => match word >> 16 & 31 {
            0 => Op::Bltz,
            1 => Op::Bgez,
            16 => Op::Bltzal,
            17 => Op::Bgezal,
            _ => Op::Foreign,
        },
        2 => Op::J,
        3 => Op::Jal,
        4 => Op::Beq,
        5 => Op::Bne,
        6 => clear(word, RT, Op::Blez),
        7 => clear(word, RT, Op::Bgtz),
        8 => Op::Addi,
        9 => Op::Addiu,
        10 => Op::Slti,
        11 => Op::Sltiu,
        12 => Op::Andi,
        13 => Op::Ori,
        14 => Op::Xori,
        15 => clear(word, RS, Op::Lui),
        16 => match word >> 21 & 31 {
            0 => clear(word, 0x7FF, Op::Mfc0),
            4 => clear(word, 0x7FF, Op::Mtc0),
            _ if word == 0x4200_0010 => Op::Rfe,
            _ => Op::Foreign,
        },
        18 => match word >> 21 & 31 {
            0 => clear(word, 0x7FF, Op::Mfc2),
            2 => clear(word, 0x7FF, Op::Cfc2),
            4 => clear(word, 0x7FF, Op::Mtc2),
            6 => clear(word, 0x7FF, Op::Ctc2),
            16.. => Op::Gte,
            _ => Op::Foreign,
        },
        32 => Op::Lb,
        33 => Op::Lh,
        34 => Op::Lwl,
        35 => Op::Lw,
        36 => Op::Lbu,
        37 => Op::Lhu,
        38 => Op::Lwr,
        40 => Op::Sb,
        41 => Op::Sh,
        42 => Op::Swl,
        43 => Op::Sw,
        46 => Op::Swr,
        50 => Op::Lwc2,
        58 => Op::Swc2,
        _ => Op::Foreign,
    }
}

fn special(word: u32) -> Op {
    match word & 63 {
        0 => clear(word, RS, Op::Sll),
        2 => clear(word, RS, Op::Srl),
        3 => clear(word, RS, Op::Sra),
        4 => clear(word, SA, Op::Sllv),
        6 => clear(word, SA, Op::Srlv),
        7 => clear(word, SA, Op::Srav),
        8 => clear(word, RT | RD | SA, Op::Jr),
        9 => clear(word, RT | SA, Op::Jalr),
        12 => Op::Syscall,
        13 => Op::Break,
        16 => clear(word, RS | RT | SA, Op::Mfhi),
        17 => clear(word, RT | RD | SA, Op::Mthi),
        18 => clear(word, RS | RT | SA, Op::Mflo),
        19 => clear(word, RT | RD | SA, Op::Mtlo),
        24 => clear(word, RD | SA, Op::Mult),
        25 => clear(word, RD | SA, Op::Multu),
        26 => clear(word, RD | SA, Op::Div),
        27 => clear(word, RD | SA, Op::Divu),
        32 => clear(word, SA, Op::Add),
        33 => clear(word, SA, Op::Addu),
        34 => clear(word, SA, Op::Sub),
        35 => clear(word, SA, Op::Subu),
        36 => clear(word, SA, Op::And),
        37 => clear(word, SA, Op::Or),
        38 => clear(word, SA, Op::Xor),
        39 => clear(word, SA, Op::Nor),
        42 => clear(word, SA, Op::Slt),
        43 => clear(word, SA, Op::Sltu),
        _ => Op::Foreign,
    }
}

/// Name of an instruction that later MIPS processors have and this one lacks; `None` if the word
/// means nothing that this table knows.
pub fn foreign_name(word: u32) -> Option<&'static str> {
    let rs = word >> 21 & 31;
    Some(match word >> 26 {
        0 => match word & 63 {
            0 | 2 | 3 => "shift with a source field (rotr)",
            1 => "movf/movt",
            4 | 6 | 7 => "variable shift with a shift field (rotrv)",
            8 | 9 => "jr.hb/jalr.hb",
            10 => "movz",
            11 => "movn",
            15 => "sync",
            20 | 22 | 23 | 28..=31 | 44..=47 | 56 | 58..=60 | 62 | 63 => "64-bit arithmetic",
            24..=27 => "three-operand multiply or divide",
            48 => "tge",
            49 => "tgeu",
            50 => "tlt",
            51 => "tltu",
            52 => "teq",
            54 => "tne",
            _ => return None,
        },
        1 => match word >> 16 & 31 {
            2 => "bltzl",
            3 => "bgezl",
            8..=12 | 14 => "trap with immediate",
            18 => "bltzall",
            19 => "bgezall",
            31 => "synci",
            _ => return None,
        },
        16 => match rs {
            0 | 4 => "mfc0/mtc0 with a select field",
            8 => "bc0f/bc0t",
            16.. => match word & 63 {
                1 | 2 | 6 | 8 => "TLB instruction",
                24 => "eret",
                31 => "deret",
                32 => "wait",
                _ => return None,
            },
            _ => return None,
        },
        17 | 49 | 53 | 57 | 61 => "floating-point (coprocessor 1)",
        18 if rs == 8 => "bc2f/bc2t",
        19 => "coprocessor 3",
        20 => "beql",
        21 => "bnel",
        22 => "blezl",
        23 => "bgtzl",
        24 => "daddi",
        25 => "daddiu",
        26 => "ldl",
        27 => "ldr",
        28 => "SPECIAL2 (mul, madd, clz)",
        31 => "SPECIAL3 (ext, ins, seb)",
        39 => "lwu",
        44 => "sdl",
        45 => "sdr",
        47 => "cache",
        48 => "ll",
        51 => "pref",
        52 => "lld",
        54 => "ldc2",
        55 => "ld",
        56 => "sc",
        60 => "scd",
        62 => "sdc2",
        63 => "sd",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn op(word: u32) -> Op {
        Inst::decode(word).op
    }

    #[test]
    fn words_of_the_manual() {
        assert_eq!(op(0x8FA8_0010), Op::Lw); // lw $t0, 0x10($sp)
        assert_eq!(op(0x03E0_0008), Op::Jr); // jr $ra
        assert_eq!(op(0x4A28_0030), Op::Gte); // rtpt
        assert_eq!(op(0x4802_C800), Op::Mfc2); // mfc2 $v0, $25
        assert_eq!(op(0x4842_F800), Op::Cfc2); // cfc2 $v0, $31
        assert_eq!(op(0x4882_0000), Op::Mtc2); // mtc2 $v0, $0
        assert_eq!(op(0x48C2_0000), Op::Ctc2); // ctc2 $v0, $0
        assert_eq!(op(0x4200_0010), Op::Rfe);
        assert_eq!(op(0x0000_0000), Op::Sll);
    }

    #[test]
    fn later_instructions_are_foreign_and_named() {
        for (word, name) in [
            (0x0064_100A, "movz"),
            (0x0064_100B, "movn"),
            (0x0000_000F, "sync"),
            (0x0080_01F4, "teq"),
            (0x7064_1002, "SPECIAL2 (mul, madd, clz)"),
            (0x7C04_1420, "SPECIAL3 (ext, ins, seb)"),
            (0x5040_0003, "beql"),
            (0x0441_0003 | 2 << 16, "bgezl"),
            (0xC082_0000, "ll"),
            (0xE082_0000, "sc"),
            (0x4602_1000, "floating-point (coprocessor 1)"),
            (0xC462_0000, "floating-point (coprocessor 1)"),
            (0x6442_0001, "daddiu"),
            (0xDC82_0000, "ld"),
            (0xFC82_0000, "sd"),
            (0x4200_0018, "eret"),
            (0xBC85_0000, "cache"),
            (0x4900_0001, "bc2f/bc2t"),
        ] {
            assert_eq!(op(word), Op::Foreign, "{word:08X}");
            assert_eq!(foreign_name(word), Some(name), "{word:08X}");
        }
    }

    #[test]
    fn every_named_foreign_word_is_foreign() {
        // A name must never be given to an instruction that the CPU has: walk the opcode and
        // function fields with all operand fields clear.
        for major in 0..64u32 {
            for minor in 0..64u32 {
                let word = major << 26 | minor;
                if op(word) == Op::Foreign {
                    continue;
                }
                assert!(
                    !matches!(
                        foreign_name(word),
                        Some("movz" | "movn" | "sync" | "teq" | "ll" | "sc" | "cache")
                    ),
                    "{word:08X}"
                );
            }
        }
    }

    #[test]
    fn masks_name_sources_and_destinations() {
        let lwl = Inst::decode(0x8862_0003); // lwl $v0, 3($v1)
        assert_eq!(lwl.reads(), 1 << 3);
        assert_eq!(lwl.merges(), Some(2));
        assert_eq!(lwl.writes(), 1 << 2);
        assert_eq!(lwl.delayed(), Some(2));
        let sw = Inst::decode(0xAFBF_0014); // sw $ra, 0x14($sp)
        assert_eq!(sw.reads(), 1 << 31 | 1 << 29);
        assert_eq!(sw.writes(), 0);
        let mult = Inst::decode(0x0085_0018);
        assert_eq!(mult.writes(), HI | LO);
        assert_eq!(Inst::decode(0x8C00_0000).delayed(), None); // lw $zero
    }

    #[test]
    fn targets() {
        // b .-4 at 80010008: offset -2 from the slot at 8001000C.
        let b = Inst::decode(0x1000_FFFE);
        assert_eq!(b.target(0x8001_0008), 0x8001_0004);
        assert_eq!(
            b.flow(),
            Flow::Branch {
                taken: true,
                falls: false,
                link: false
            }
        );
        let j = Inst::decode(0x0BF0_1A68); // j 0xBFC069A0 from ROM
        assert_eq!(j.target(0xBFC0_0000), 0xBFC0_69A0);
    }
}
