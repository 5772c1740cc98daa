//! Every hazard is planted by hand and must be seen; the same code with its `nop`s must be clean.

mod elf;
mod faults;
mod files;
mod flow;
mod handler;
mod hidden;
mod machine;
mod mending;
mod returns;
mod tables;

use super::{Kind, Report, scan};
use elf::{Elf, FUNC};

/// Where the code of most tests begins.
const TEXT: u32 = 0x8001_0000;
const NOP: u32 = 0;
/// `jr $ra`.
const RETURN: u32 = 0x03E0_0008;

const ZERO: u32 = 0;
const AT: u32 = 1;
const V0: u32 = 2;
const V1: u32 = 3;
const A0: u32 = 4;
const A1: u32 = 5;
const T0: u32 = 8;
const T1: u32 = 9;
const S0: u32 = 16;
const SP: u32 = 29;

/// An instruction with an immediate: opcode, rs, rt, immediate.
fn i(op: u32, rs: u32, rt: u32, immediate: u32) -> u32 {
    op << 26 | rs << 21 | rt << 16 | immediate & 0xFFFF
}

/// A three-register instruction: function, rs, rt, rd.
fn r(function: u32, rs: u32, rt: u32, rd: u32) -> u32 {
    rs << 21 | rt << 16 | rd << 11 | function
}

fn lw(rt: u32, offset: u32, base: u32) -> u32 {
    i(35, base, rt, offset)
}

fn sw(rt: u32, offset: u32, base: u32) -> u32 {
    i(43, base, rt, offset)
}

fn lui(rt: u32, immediate: u32) -> u32 {
    i(15, 0, rt, immediate)
}

fn addiu(rt: u32, rs: u32, immediate: u32) -> u32 {
    i(9, rs, rt, immediate)
}

fn addu(rd: u32, rs: u32, rt: u32) -> u32 {
    r(33, rs, rt, rd)
}

/// A branch over `words` words, counted from the delay slot.
fn beq(rs: u32, rt: u32, words: i16) -> u32 {
    i(4, rs, rt, words as u16 as u32)
}

fn bne(rs: u32, rt: u32, words: i16) -> u32 {
    i(5, rs, rt, words as u16 as u32)
}

fn j(target: u32) -> u32 {
    2 << 26 | target >> 2 & 0x03FF_FFFF
}

fn jal(target: u32) -> u32 {
    3 << 26 | target >> 2 & 0x03FF_FFFF
}

fn jr(rs: u32) -> u32 {
    rs << 21 | 8
}

fn jalr(rs: u32) -> u32 {
    rs << 21 | 31 << 11 | 9
}

/// Coprocessor moves: 0 mf, 2 cf, 4 mt, 6 ct.
fn cop(number: u32, what: u32, rt: u32, register: u32) -> u32 {
    (16 + number) << 26 | what << 21 | rt << 16 | register << 11
}

const RTPS: u32 = 0x4A18_0001;
const RTPT: u32 = 0x4A28_0030;
const NCLIP: u32 = 0x4B40_0006;
const MULT: u32 = 0x0085_0018;
const MULTU: u32 = 0x0085_0019;
const DIVU: u32 = 0x0085_001B;
const MFLO_V0: u32 = 0x0000_1012;
const MFHI_V0: u32 = 0x0000_1010;
const MTLO_A0: u32 = 0x0080_0013;
const MTHI_A0: u32 = 0x0080_0011;

/// One function from the words, entered at its start.
fn function(words: &[u32]) -> Report {
    let elf = Elf::new(TEXT)
        .code(".text", TEXT, words)
        .symbol("probe", TEXT, 4 * words.len() as u32, FUNC)
        .build();
    scan(&elf).expect("the file is sound")
}

/// Kinds and addresses (as words from the start) of all findings.
fn findings(report: &Report) -> Vec<(Kind, u32)> {
    report
        .findings
        .iter()
        .map(|finding| (finding.kind, (finding.address - TEXT) / 4))
        .collect()
}

fn notes(report: &Report) -> Vec<(Kind, u32)> {
    report
        .notes
        .iter()
        .map(|note| (note.kind, note.address.wrapping_sub(TEXT) / 4))
        .collect()
}

/// The words form a clean function.
#[track_caller]
fn clean(words: &[u32]) {
    let report = function(words);
    assert!(report.clean(), "{report}");
}

/// The words contain exactly this hazard: its kind, the word that causes it, the other word.
#[track_caller]
fn hazard(words: &[u32], kind: Kind, first: u32, second: Option<u32>) {
    let report = function(words);
    assert_eq!(findings(&report), [(kind, first)], "{report}");
    let finding = &report.findings[0];
    assert_eq!(finding.first.word, words[first as usize]);
    assert_eq!(
        finding
            .second
            .as_ref()
            .map(|line| (line.address - TEXT) / 4),
        second,
        "{report}"
    );
    assert_eq!(finding.symbol, Some(("probe".into(), 4 * first)));
    assert!(report.to_string().contains(kind.name()));
}
