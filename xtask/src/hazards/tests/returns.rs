//! Hazards that go through a return: from the callee's last slot to what follows the call.

use super::*;

/// Functions one behind the other from [`TEXT`] on, with their symbols.
fn functions(parts: &[Vec<u32>]) -> Report {
    let mut elf = Elf::new(TEXT).code(".text", TEXT, &parts.concat());
    let mut at = TEXT;
    for (number, part) in parts.iter().enumerate() {
        let size = 4 * part.len() as u32;
        elf = elf.symbol(&format!("f{number}"), at, size, FUNC);
        at += size;
    }
    scan(&elf.build()).unwrap()
}

fn has(report: &Report, kind: Kind) -> bool {
    report.findings.iter().any(|finding| finding.kind == kind)
}

#[test]
fn a_load_in_a_return_slot_meets_the_caller_in_any_register() {
    for register in [T0, A0, A1, AT, 25, V0, S0] {
        let callee = vec![RETURN, lw(register, 0, A0)];
        let caller = |between: &[u32]| {
            let read = [addu(V1, register, ZERO), RETURN, NOP];
            let head = [jal(TEXT), NOP];
            [&head[..], between, &read[..]].concat()
        };
        let report = functions(&[callee.clone(), caller(&[])]);
        assert!(has(&report, Kind::LoadInSlot), "register {register}");
        // With one instruction between, a register that no caller may count on is no hazard.
        if [T0, A0, A1, AT, 25].contains(&register) {
            let report = functions(&[callee, caller(&[NOP])]);
            assert!(
                !has(&report, Kind::LoadInSlot),
                "register {register}: {report}"
            );
        }
    }
}

#[test]
fn every_caller_counts() {
    const CALLERS: usize = 700;
    for bad in [0, CALLERS - 1] {
        let mut parts = vec![vec![RETURN, MFLO_V0]];
        for caller in 0..CALLERS {
            let behind = if caller == bad { MULT } else { NOP };
            parts.push(vec![jal(TEXT), NOP, behind, NOP, NOP, RETURN, NOP]);
        }
        assert!(has(&functions(&parts), Kind::HiLo), "caller {bad}");
    }
}

#[test]
fn a_return_goes_through_any_number_of_tail_calls() {
    for chain in 0..9u32 {
        let mut parts = vec![vec![jal(TEXT + 20), NOP, MULT, RETURN, NOP]];
        for link in 0..chain {
            parts.push(vec![j(TEXT + 20 + 8 * (link + 1)), NOP]);
        }
        parts.push(vec![RETURN, MFLO_V0]);
        for _ in 0..3 {
            assert!(has(&functions(&parts), Kind::HiLo), "chain of {chain}");
        }
    }
}

#[test]
fn each_place_is_reported_once_however_many_callers_there_are() {
    // Without symbols every return may go to every call.
    const CALLS: usize = 300;
    for (kind, first, second) in [
        (Kind::LoadInSlot, lw(T0, 0, A0), addu(V1, T0, ZERO)),
        (Kind::LoadLost, lw(T0, 0, A0), addu(T0, A0, ZERO)),
        (Kind::HiLo, MFLO_V0, MULT),
    ] {
        let part = [jal(TEXT), NOP, second, NOP, NOP, RETURN, first];
        let elf = Elf::new(TEXT).code(".text", TEXT, &part.repeat(CALLS));
        let report = scan(&elf.build()).unwrap();
        let all = report.findings.iter().chain(&report.notes);
        let found: Vec<_> = all.filter(|finding| finding.kind == kind).collect();
        assert_eq!(found.len(), CALLS, "{kind:?}");
        for (number, finding) in (0..).zip(found) {
            assert_eq!(finding.address, TEXT + 28 * number + 24);
            let second = finding.second.as_ref().unwrap();
            assert_eq!(second.address, TEXT + 8, "the first call");
            let said = &finding.sentence;
            assert!(said.contains("the first of 300"), "{said}");
        }
    }
}
