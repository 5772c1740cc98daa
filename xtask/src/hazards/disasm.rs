//! One line of assembly for one word, good enough to read a finding by.

use super::decode::{Inst, Op, foreign_name};
use super::gte;

const REGISTERS: [&str; 32] = [
    "zero", "at", "v0", "v1", "a0", "a1", "a2", "a3", "t0", "t1", "t2", "t3", "t4", "t5", "t6",
    "t7", "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "t8", "t9", "k0", "k1", "gp", "sp", "fp",
    "ra",
];

/// Name of a general register, with the dollar sign.
pub fn register(number: u32) -> String {
    format!("${}", REGISTERS[number as usize & 31])
}

fn signed(offset: u32) -> String {
    let value = offset as i32;
    if value < 0 {
        format!("-0x{:X}", value.unsigned_abs())
    } else if value < 10 {
        format!("{value}")
    } else {
        format!("0x{value:X}")
    }
}

/// Disassembles the word that stands at `address`.
pub fn disassemble(inst: Inst, address: u32) -> String {
    let (rs, rt, rd) = (
        register(inst.rs()),
        register(inst.rt()),
        register(inst.rd()),
    );
    let name = mnemonic(inst.op);
    match inst.op {
        _ if inst.is_nop() => "nop".into(),
        Op::Sll | Op::Srl | Op::Sra => format!("{name} {rd}, {rt}, {}", inst.sa()),
        Op::Sllv | Op::Srlv | Op::Srav => format!("{name} {rd}, {rt}, {rs}"),
        Op::Jr | Op::Mthi | Op::Mtlo => format!("{name} {rs}"),
        Op::Jalr if inst.rd() == 31 => format!("{name} {rs}"),
        Op::Jalr => format!("{name} {rd}, {rs}"),
        Op::Syscall | Op::Break => match inst.word >> 6 & 0xF_FFFF {
            0 => name.into(),
            code => format!("{name} 0x{code:X}"),
        },
        Op::Mfhi | Op::Mflo => format!("{name} {rd}"),
        Op::Mult | Op::Multu | Op::Div | Op::Divu => format!("{name} {rs}, {rt}"),
        Op::Or | Op::Addu if inst.rt() == 0 => format!("move {rd}, {rs}"),
        Op::Add
        | Op::Addu
        | Op::Sub
        | Op::Subu
        | Op::And
        | Op::Or
        | Op::Xor
        | Op::Nor
        | Op::Slt
        | Op::Sltu => format!("{name} {rd}, {rs}, {rt}"),
        Op::J | Op::Jal => format!("{name} 0x{:08X}", inst.target(address)),
        Op::Beq if inst.rs() == inst.rt() => format!("b 0x{:08X}", inst.target(address)),
        Op::Bgezal if inst.rs() == 0 => format!("bal 0x{:08X}", inst.target(address)),
        Op::Beq if inst.rt() == 0 => format!("beqz {rs}, 0x{:08X}", inst.target(address)),
        Op::Bne if inst.rt() == 0 => format!("bnez {rs}, 0x{:08X}", inst.target(address)),
        Op::Beq | Op::Bne => format!("{name} {rs}, {rt}, 0x{:08X}", inst.target(address)),
        Op::Bltz | Op::Bgez | Op::Bltzal | Op::Bgezal | Op::Blez | Op::Bgtz => {
            format!("{name} {rs}, 0x{:08X}", inst.target(address))
        }
        Op::Addiu if inst.rs() == 0 => format!("li {rt}, {}", signed(inst.offset())),
        Op::Ori if inst.rs() == 0 => format!("li {rt}, 0x{:X}", inst.immediate()),
        Op::Addi | Op::Addiu | Op::Slti | Op::Sltiu => {
            format!("{name} {rt}, {rs}, {}", signed(inst.offset()))
        }
        Op::Andi | Op::Ori | Op::Xori => format!("{name} {rt}, {rs}, 0x{:X}", inst.immediate()),
        Op::Lui => format!("{name} {rt}, 0x{:X}", inst.immediate()),
        Op::Mfc0 | Op::Mtc0 | Op::Mfc2 | Op::Mtc2 | Op::Cfc2 | Op::Ctc2 => {
            format!("{name} {rt}, ${}", inst.rd())
        }
        Op::Rfe => name.into(),
        Op::Gte => match gte::command_name(inst.word) {
            Some(command) => format!("cop2 {command}"),
            None => format!("cop2 0x{:07X}", inst.word & 0x1FF_FFFF),
        },
        Op::Lwc2 | Op::Swc2 => format!("{name} ${}, {}({rs})", inst.rt(), signed(inst.offset())),
        Op::Lb
        | Op::Lh
        | Op::Lwl
        | Op::Lw
        | Op::Lbu
        | Op::Lhu
        | Op::Lwr
        | Op::Sb
        | Op::Sh
        | Op::Swl
        | Op::Sw
        | Op::Swr => format!("{name} {rt}, {}({rs})", signed(inst.offset())),
        Op::Foreign => match foreign_name(inst.word) {
            Some(what) => format!("<{what}>"),
            None => format!(".word 0x{:08X}", inst.word),
        },
    }
}

fn mnemonic(op: Op) -> &'static str {
    match op {
        Op::Sll => "sll",
        Op::Srl => "srl",
        Op::Sra => "sra",
        Op::Sllv => "sllv",
        Op::Srlv => "srlv",
        Op::Srav => "srav",
        Op::Jr => "jr",
        Op::Jalr => "jalr",
        Op::Syscall => "syscall",
        Op::Break => "break",
        Op::Mfhi => "mfhi",
        Op::Mthi => "mthi",
        Op::Mflo => "mflo",
        Op::Mtlo => "mtlo",
        Op::Mult => "mult",
        Op::Multu => "multu",
        Op::Div => "div",
        Op::Divu => "divu",
        Op::Add => "add",
        Op::Addu => "addu",
        Op::Sub => "sub",
        Op::Subu => "subu",
        Op::And => "and",
        Op::Or => "or",
        Op::Xor => "xor",
        Op::Nor => "nor",
        Op::Slt => "slt",
        Op::Sltu => "sltu",
        Op::Bltz => "bltz",
        Op::Bgez => "bgez",
        Op::Bltzal => "bltzal",
        Op::Bgezal => "bgezal",
        Op::J => "j",
        Op::Jal => "jal",
        Op::Beq => "beq",
        Op::Bne => "bne",
        Op::Blez => "blez",
        Op::Bgtz => "bgtz",
        Op::Addi => "addi",
        Op::Addiu => "addiu",
        Op::Slti => "slti",
        Op::Sltiu => "sltiu",
        Op::Andi => "andi",
        Op::Ori => "ori",
        Op::Xori => "xori",
        Op::Lui => "lui",
        Op::Mfc0 => "mfc0",
        Op::Mtc0 => "mtc0",
        Op::Rfe => "rfe",
        Op::Mfc2 => "mfc2",
        Op::Cfc2 => "cfc2",
        Op::Mtc2 => "mtc2",
        Op::Ctc2 => "ctc2",
        Op::Gte => "cop2",
        Op::Lb => "lb",
        Op::Lh => "lh",
        Op::Lwl => "lwl",
        Op::Lw => "lw",
        Op::Lbu => "lbu",
        Op::Lhu => "lhu",
        Op::Lwr => "lwr",
        Op::Sb => "sb",
        Op::Sh => "sh",
        Op::Swl => "swl",
        Op::Sw => "sw",
        Op::Swr => "swr",
        Op::Lwc2 => "lwc2",
        Op::Swc2 => "swc2",
        Op::Foreign => "?",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        for (word, address, text) in [
            (0x0000_0000, 0, "nop"),
            (0x8FA8_0010, 0, "lw $t0, 0x10($sp)"),
            (0x27BD_FFE8, 0, "addiu $sp, $sp, -0x18"),
            (0x3C02_BF80, 0, "lui $v0, 0xBF80"),
            (0x03E0_0008, 0, "jr $ra"),
            (0x0320_F809, 0, "jalr $t9"),
            (0x1440_0002, 0x8001_0000, "bnez $v0, 0x8001000C"),
            (0x0C00_4000, 0x8001_0000, "jal 0x80010000"),
            (0x4A28_0030, 0, "cop2 rtpt"),
            (0x4802_C800, 0, "mfc2 $v0, $25"),
            (0xC880_0000, 0, "lwc2 $0, 0($a0)"),
            (0x0064_100A, 0, "<movz>"),
            (0x0000_0001, 0, "<movf/movt>"),
            (0x4C00_0000, 0, "<coprocessor 3>"),
            (0xEC00_0000, 0, ".word 0xEC000000"),
            (0x0000_404D, 0, "break 0x101"),
        ] {
            assert_eq!(disassemble(Inst::decode(word), address), text, "{word:08X}");
        }
    }
}
