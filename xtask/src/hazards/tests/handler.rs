//! GTE instructions that the exception handler reaches.

use super::*;

/// `eret` of this machine: `jr $k0` with `rfe` in its slot.
const BACK: [u32; 2] = [26 << 21 | 8, 0x4200_0010];

/// A program whose handler is `handler`, entered by nobody else; behind it a function at word 16 that
/// the handler may call or not, and a main program that uses the GTE.
fn program(name: &str, handler: &[u32], callee: &[u32]) -> Report {
    let mut words = handler.to_vec();
    words.resize(16, NOP);
    words.extend(callee);
    words.resize(32, NOP);
    words.extend([RTPS, NOP, RETURN, NOP]);
    let elf = Elf::new(TEXT + 128)
        .code(".text", TEXT, &words)
        .symbol(name, TEXT, 4 * handler.len() as u32, FUNC)
        .symbol("callee", TEXT + 64, 4 * callee.len() as u32, FUNC)
        .symbol("main", TEXT + 128, 16, FUNC);
    scan(&elf.build()).unwrap()
}

const NAME: &str = "overworld_exception";

#[test]
fn every_gte_instruction_in_the_handler_is_found() {
    for planted in [
        RTPS,
        cop(2, 0, T0, 24), // mfc2
        cop(2, 2, T0, 31), // cfc2
        cop(2, 4, T0, 6),  // mtc2
        cop(2, 6, T0, 5),  // ctc2
        i(50, A0, 0, 0),   // lwc2
        i(58, A0, 14, 0),  // swc2
    ] {
        let handler = [&[planted, NOP, NOP, NOP][..], &BACK].concat();
        let report = program(NAME, &handler, &[RETURN, NOP]);
        assert_eq!(findings(&report), [(Kind::GteInHandler, 0)], "{report}");
        assert_eq!(report.statistics.handler, 6);
        // The same code under another name is a program's.
        let report = program("other", &handler, &[RETURN, NOP]);
        assert!(report.clean(), "{report}");
        assert_eq!(report.statistics.handler, 0);
    }
}

#[test]
fn calls_tail_calls_and_what_follows_them_are_followed() {
    let callee = [RTPS, NOP, RETURN, NOP];
    let calls = [&[jal(TEXT + 64), NOP][..], &BACK].concat();
    let report = program(NAME, &calls, &callee);
    assert_eq!(findings(&report), [(Kind::GteInHandler, 16)], "{report}");
    assert_eq!(report.findings[0].symbol, Some(("callee".into(), 0)));

    let report = program(NAME, &[j(TEXT + 64), NOP], &callee);
    assert_eq!(findings(&report), [(Kind::GteInHandler, 16)], "{report}");

    // Behind a call, also behind one through a pointer.
    for call in [jal(TEXT + 64), jalr(T0)] {
        let handler = [&[call, NOP, RTPS, NOP][..], &BACK].concat();
        let report = program(NAME, &handler, &[RETURN, NOP]);
        assert_eq!(findings(&report), [(Kind::GteInHandler, 2)], "{report}");
    }

    // On one of two ways.
    let handler = [&[beq(A0, ZERO, 3), NOP, RTPS, NOP][..], &BACK].concat();
    let report = program(NAME, &handler, &[RETURN, NOP]);
    assert_eq!(findings(&report), [(Kind::GteInHandler, 2)], "{report}");
}

#[test]
fn what_the_handler_does_not_reach_is_nobodys_business() {
    let handler = [&[addiu(V0, V0, 1)][..], &BACK].concat();
    let report = program(NAME, &handler, &[RTPS, NOP, RETURN, NOP]);
    assert!(report.clean(), "{report}");
    assert_eq!(report.statistics.handler, 3);

    // The call at its end does not come back; behind it lies another function.
    let parts = [
        vec![jal(TEXT + 16), NOP],
        vec![RTPS, NOP],
        vec![beq(ZERO, ZERO, -1), NOP],
    ];
    let elf = Elf::new(TEXT)
        .code(".text", TEXT, &parts.concat())
        .symbol(NAME, TEXT, 8, FUNC)
        .symbol("other", TEXT + 8, 8, FUNC)
        .symbol("for_ever", TEXT + 16, 8, FUNC);
    let report = scan(&elf.build()).unwrap();
    assert!(report.clean(), "{report}");
    assert_eq!(report.statistics.handler, 4);
}
