//! What the boot ROM starts and what it refuses, on the emulated PlayStation.

mod common;

use std::fs;
use std::path::Path;

use overworld_host::image;
use overworld_runtime::bytes::u32_at;
use overworld_tests::artefacts::{BOOT_ROM, FAULTS, REORDERED};
use overworld_tests::emulator::Report;
use overworld_tests::mednafen::Mednafen;
use overworld_tests::verdict::Outcome;

use common::{TIME_OUT, images, installed, turn};

/// Where a PS-EXE has the base of its stack pointer, and the offset after it.
const STACK: usize = 0x30;

/// Boot a disc with this line in SYSTEM.CNF and this stack pointer in the program's header.
fn boot(line: &str, stack: u32) -> Option<Report> {
    let [rom, exe] = images([BOOT_ROM, FAULTS])?;
    let mut program = fs::read(exe).unwrap();
    program[STACK..STACK + 4].copy_from_slice(&stack.to_le_bytes());
    program[STACK + 4..STACK + 8].fill(0);
    boot_disc(&rom, program, line)
}

/// Boot a disc with this program and this line in SYSTEM.CNF.
fn boot_disc(rom: &Path, program: Vec<u8>, line: &str) -> Option<Report> {
    let mut tree = image::Tree::new();
    let config = format!("BOOT = cdrom:\\SLUS_999.99;1\r\n{line}\r\n");
    tree.file("SYSTEM.CNF", config.into_bytes()).unwrap();
    tree.file("SLUS_999.99", program).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let cue = folder.path().join("disc.cue");
    fs::write(folder.path().join("disc.bin"), image::build(&tree).unwrap()).unwrap();
    fs::write(&cue, image::cue_text("disc.bin")).unwrap();
    let run = Mednafen::new(rom).disc(cue).time_out(TIME_OUT);
    installed(run.run(|_| {}).unwrap())
}

#[test]
fn a_stack_that_is_none_is_refused_with_an_end_mark() {
    let _turn = turn();
    // In the ROM, in the kernel's memory, misaligned, beyond memory.
    for stack in ["BFC08000", "8000FF00", "801FFF02", "80300000"] {
        let Some(report) = boot(&format!("STACK = {stack}"), 0x801F_FFF0) else {
            return;
        };
        let said = format!("@@ROM SYSTEM.CNF: line 2: STACK is {stack}, expected ");
        refused(&report, &said);

        let Some(report) = boot("TCB = 4", u32::from_str_radix(stack, 16).unwrap()) else {
            return;
        };
        let said = format!("@@ROM SLUS_999.99;1: stack pointer {stack} at 30h and 34h: expected ");
        refused(&report, &said);
    }
}

fn refused(report: &Report, said: &str) {
    assert_eq!(report.outcome, Outcome::Crash, "{report}");
    let found = report.lines.iter().any(|line| line.starts_with(said));
    assert!(found, "no line {said}: {report}");
    assert_eq!(
        report.lines.last().map(String::as_str),
        Some("@@END crash"),
        "{report}"
    );
    assert!(
        !report
            .lines
            .iter()
            .any(|line| line.starts_with("@@ROM load"))
    );
}

#[test]
fn a_stack_of_system_cnf_stands_in_for_a_bad_one() {
    let _turn = turn();
    let Some(report) = boot("STACK = 801FFF00", 0xBFC0_8000) else {
        return;
    };
    assert_eq!(report.outcome, Outcome::Pass, "{report}");
}

/// From the disc by our ROM, and side-loaded by the emulator.
#[test]
fn a_program_with_its_sections_in_another_order_boots() {
    let _turn = turn();
    let Some([rom, exe]) = images([BOOT_ROM, REORDERED]) else {
        return;
    };
    let program = fs::read(&exe).unwrap();
    // Entry, and the address and size of what is loaded: zeroed data, behind which all else lies.
    let word = |at| u32_at(&program, at).unwrap();
    let (entry, load, size) = (word(0x10), word(0x18), word(0x1C));
    assert!(program[0x800..0x1800].iter().all(|byte| *byte == 0));
    assert!((load + 0x1800..load + size - 0x1000).contains(&entry));
    let side_loaded = Mednafen::new(&rom).exe(&exe).time_out(TIME_OUT);
    for report in [
        boot_disc(&rom, program.clone(), ""),
        installed(side_loaded.run(|_| {}).unwrap()),
    ] {
        let Some(report) = report else { return };
        assert_eq!(report.outcome, Outcome::Pass, "{report}");
        let said = report
            .lines
            .iter()
            .any(|line| line.contains("zeroed data at 8001"));
        assert!(said, "{report}");
    }
}

/// A PS-EXE of these instructions, which begins with the first one.
fn tiny(words: &[u32]) -> Vec<u8> {
    let mut program = vec![0; 0x1000];
    program[..8].copy_from_slice(b"PS-X EXE");
    let fields = [(0x10, 0x8001_0000_u32), (0x18, 0x8001_0000), (0x1C, 0x800)];
    let code = (0x800..).step_by(4).zip(words.iter().copied());
    for (at, word) in fields.into_iter().chain(code) {
        program[at..at + 4].copy_from_slice(&word.to_le_bytes());
    }
    program
}

#[test]
fn a_program_that_returns_is_told_of_even_without_a_stack() {
    let _turn = turn();
    let Some([rom]) = images([BOOT_ROM]) else {
        return;
    };
    const RETURN: u32 = 0x03E0_0008;
    // In the delay slot: nothing, and `move $sp, $zero`.
    for slot in [0, 0x0000_E821] {
        let Some(report) = boot_disc(&rom, tiny(&[RETURN, slot]), "") else {
            return;
        };
        assert_eq!(report.outcome, Outcome::Crash, "{report}");
        let said = "the program gave up after: @@ROM the program returned";
        assert_eq!(report.reason, said, "{report}");
    }
}

#[test]
fn a_call_of_a_null_pointer_is_a_fault() {
    let _turn = turn();
    let Some([rom]) = images([BOOT_ROM]) else {
        return;
    };
    // `jalr $zero`, and one through a null pointer to a struct.
    for words in [&[0x0000_F809, 0][..], &[0x2402_0010, 0x0040_F809, 0]] {
        let Some(report) = boot_disc(&rom, tiny(words), "") else {
            return;
        };
        assert_eq!(report.outcome, Outcome::Crash, "{report}");
        assert!(
            report.reason.starts_with("fault: cause=break epc=000000"),
            "{report}"
        );
        let back = format!(" ra={:08X} ", 0x8001_0000 + 4 * words.len());
        assert!(report.reason.contains(&back), "{report}");
    }
}
