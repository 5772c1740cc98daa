//! Hazards in places that a scanner easily overlooks: behind unproven jumps, without symbols, across
//! the borders of functions and sections, in code that passes for data.

use super::elf::{NOTYPE, OBJECT};
use super::*;

/// A load and its reader, then a return.
const FAULT: [u32; 4] = [0x8FA8_0000, 0x0108_1021, RETURN, NOP];
/// The same with the `nop`.
const FINE: [u32; 5] = [0x8FA8_0000, NOP, 0x0108_1021, RETURN, NOP];
/// No instruction of any MIPS processor.
const JUNK: u32 = 0xEC00_0000;

fn build(elf: &Elf) -> Report {
    scan(&elf.build()).unwrap()
}

#[track_caller]
fn finds(report: &Report, kind: Kind, address: u32) {
    let found = report
        .findings
        .iter()
        .any(|finding| finding.kind == kind && finding.address == address);
    assert!(found, "{kind:?} at {address:08X}: {report}");
}

#[test]
fn an_odd_word_hides_nothing_in_a_function() {
    // Behind a jump that cannot be followed.
    let head = [jr(T0), NOP];
    let before = [&head[..], &[JUNK], &FAULT].concat();
    let behind = [&head[..], &FAULT, &[JUNK]].concat();
    for (words, fault, junk) in [(before, 3, 2), (behind, 2, 6)] {
        let report = function(&words);
        let mut expected = [(Kind::LoadDelay, fault), (Kind::NotMips1, junk)];
        expected.sort_by_key(|finding| finding.1);
        assert_eq!(findings(&report), expected, "{report}");
    }
    // An object's name makes it data, and the rest is still code.
    let words = [&head[..], &[JUNK], &FAULT].concat();
    let elf = Elf::new(TEXT)
        .code(".text", TEXT, &words)
        .symbol("probe", TEXT, 28, FUNC)
        .symbol("TABLE", TEXT + 8, 4, OBJECT);
    assert_eq!(findings(&build(&elf)), [(Kind::LoadDelay, 3)]);
    // A word that could be an address is an instruction: lb $at, 0($zero).
    let words = [
        bne(A0, ZERO, 4),
        NOP,
        jr(T0),
        NOP,
        TEXT,
        addu(V0, AT, AT),
        RETURN,
        NOP,
    ];
    hazard(&words, Kind::LoadDelay, 4, Some(5));
}

#[test]
fn an_odd_word_hides_nothing_behind_a_label() {
    let labelled = |tail: &[u32], label: u32| {
        let words = [&[RETURN, NOP][..], tail].concat();
        build(
            &Elf::new(TEXT)
                .code(".text", TEXT, &words)
                .symbol("probe", TEXT, 8, FUNC)
                .symbol("vector", TEXT + label, 0, NOTYPE),
        )
    };
    let report = labelled(&[&FAULT[..], &[JUNK]].concat(), 8);
    finds(&report, Kind::LoadDelay, TEXT + 8);
    // Junk before the label is nobody's.
    let report = labelled(&[&[JUNK][..], &FAULT].concat(), 12);
    assert_eq!(findings(&report), [(Kind::LoadDelay, 3)], "{report}");
    let report = labelled(&[&[JUNK][..], &FINE].concat(), 12);
    assert!(report.clean(), "{report}");
    // A labelled table of addresses in ROM is not taken for cache instructions.
    let rom = 0xBFC0_0000;
    let elf = Elf::new(rom)
        .code(".text", rom, &[RETURN, NOP, rom, rom + 4])
        .symbol("probe", rom, 8, FUNC)
        .symbol("table", rom + 8, 0, NOTYPE);
    assert!(build(&elf).clean());
}

#[test]
fn any_number_of_pieces_is_seen() {
    // Each piece ends in a trap or a jump; the fault stands in the last one.
    for end in [&[0x0000_000D][..], &[RETURN, NOP], &[JUNK]] {
        let mut words = vec![jr(T0), NOP];
        for _ in 0..40 {
            words.extend(end);
            words.push(NOP);
        }
        let fault = words.len() as u32;
        words.extend(FAULT);
        finds(&function(&words), Kind::LoadDelay, TEXT + 4 * fault);
    }
}

#[test]
fn without_symbols_everything_is_code() {
    // In what the entry leads to.
    let elf = Elf::new(TEXT).code(".text", TEXT, &FAULT);
    let report = build(&elf);
    assert_eq!(findings(&report), [(Kind::LoadDelay, 0)]);
    let said = |report: &Report| {
        let mut notes = report.notes.iter();
        notes.any(|note| note.kind == Kind::File && note.sentence.contains("no function symbols"))
    };
    assert!(said(&report), "{report}");
    // In what nothing leads to, with and without an odd word.
    for extra in [&[][..], &[JUNK]] {
        let words = [&[RETURN, NOP][..], extra, &FAULT].concat();
        let report = build(&Elf::new(TEXT).code(".text", TEXT, &words));
        finds(&report, Kind::LoadDelay, TEXT + 8 + 4 * extra.len() as u32);
        assert_eq!(report.findings.len(), 1 + extra.len(), "{report}");
    }
    // A label is no function symbol, and an entry elsewhere changes nothing.
    let elf = Elf::new(0)
        .code(".text", TEXT, &[&[RETURN, NOP][..], &FAULT].concat())
        .symbol("start", TEXT, 0, NOTYPE);
    let report = build(&elf);
    finds(&report, Kind::LoadDelay, TEXT + 8);
    assert!(said(&report));
    // Sound code stays sound, and that is said of code that was looked at.
    let words = [&FINE[..], &FINE].concat();
    let report = build(&Elf::new(TEXT).code(".text", TEXT, &words));
    assert!(report.clean() && said(&report), "{report}");
    assert_eq!(report.statistics.instructions, words.len());
}

#[test]
fn without_symbols_returns_are_followed_too() {
    // A register that no caller may count on, read right behind the call.
    let words = |between: &[u32]| {
        let tail = [addu(V0, T0, T0), RETURN, NOP];
        let callee = TEXT + 8 + 4 * (between.len() + tail.len()) as u32;
        [
            &[jal(callee), NOP][..],
            between,
            &tail,
            &[RETURN, lw(T0, 0, A0)],
        ]
        .concat()
    };
    let report = build(&Elf::new(TEXT).code(".text", TEXT, &words(&[])));
    assert_eq!(findings(&report), [(Kind::LoadInSlot, 6)], "{report}");
    let report = build(&Elf::new(TEXT).code(".text", TEXT, &words(&[NOP])));
    assert!(report.clean(), "{report}");
}

#[test]
fn a_section_without_symbols_is_code() {
    let fast = 0x8003_0000;
    let with = |words: &[u32]| {
        build(
            &Elf::new(TEXT)
                .code(".text", TEXT, &[RETURN, NOP])
                .symbol("probe", TEXT, 8, FUNC)
                .code(".ramfunc", fast, words),
        )
    };
    let report = with(&FAULT);
    finds(&report, Kind::LoadDelay, fast);
    assert!(report.notes.iter().any(|note| note.kind == Kind::File));
    assert!(with(&FINE).clean());
}

#[test]
fn a_hazard_across_two_sections() {
    let at = |second| {
        build(
            &Elf::new(TEXT)
                .code(".one", TEXT, &[NOP, lw(T0, 0, SP)])
                .symbol("one", TEXT, 8, FUNC)
                .code(".two", second, &[addu(V0, T0, T0), RETURN, NOP])
                .symbol("two", second, 12, FUNC),
        )
    };
    let report = at(TEXT + 8);
    assert_eq!(findings(&report), [(Kind::LoadDelay, 1)], "{report}");
    assert!(report.notes.is_empty(), "{report}");
    let apart = at(TEXT + 12);
    assert_eq!(notes(&apart), [(Kind::RunsOff, 1)]);
    // The slot may stand in the next section as well.
    let elf = Elf::new(TEXT)
        .code(".one", TEXT, &[NOP, RETURN])
        .symbol("one", TEXT, 8, FUNC)
        .code(".two", TEXT + 8, &[RTPS, RETURN, NOP])
        .symbol("two", TEXT + 8, 12, FUNC);
    assert_eq!(findings(&build(&elf)), [(Kind::GteCommandInSlot, 2)]);
}

#[test]
fn functions_that_run_on_into_the_next() {
    let two = |first: &[u32], second: &[u32]| {
        let (one, two) = (4 * first.len() as u32, 4 * second.len() as u32);
        build(
            &Elf::new(TEXT)
                .code(".text", TEXT, &[first, second].concat())
                .symbol("one", TEXT, one, FUNC)
                .symbol("two", TEXT + one, two, FUNC),
        )
    };
    let report = two(&[lw(T0, 0, SP)], &FAULT[1..]);
    assert_eq!(findings(&report), [(Kind::LoadDelay, 0)], "{report}");
    // A call at the very end comes back into the next function: $t0 is loaded in the callee's slot.
    let callee = TEXT + 20;
    let tail = [addu(V0, T0, T0), RETURN, NOP, RETURN, lw(T0, 0, A0)];
    let report = two(&[jal(callee), NOP], &tail);
    assert_eq!(findings(&report), [(Kind::LoadInSlot, 6)], "{report}");
    // A caller of the first one gets the second one's return.
    let first = [jal(TEXT + 20), NOP, MULT, RETURN, NOP, NOP];
    let elf = Elf::new(TEXT)
        .code(".text", TEXT, &[&first[..], &[RETURN, MFLO_V0]].concat())
        .symbol("caller", TEXT, 20, FUNC)
        .symbol("one", TEXT + 20, 4, FUNC)
        .symbol("two", TEXT + 24, 8, FUNC);
    assert_eq!(findings(&build(&elf)), [(Kind::HiLo, 7)]);
}

#[test]
fn a_call_by_pointer_comes_back_too() {
    // The callee's address stands in the data; who calls it is not known by name.
    let words = [jalr(T0), NOP, MULT, RETURN, NOP, RETURN, MFLO_V0];
    let with = |data: u32| {
        build(
            &Elf::new(TEXT)
                .code(".text", TEXT, &words)
                .symbol("caller", TEXT, 20, FUNC)
                .symbol("callee", TEXT + 20, 8, FUNC)
                .constants(".rodata", 0x8002_0000, &[data]),
        )
    };
    assert_eq!(findings(&with(TEXT + 20)), [(Kind::HiLo, 6)]);
    let report = with(0);
    assert!(report.clean(), "{report}");
    assert_eq!(notes(&report), [(Kind::Unproven, 6)]);
}

#[test]
fn a_call_by_pointer_may_meet_every_function_whose_address_is_taken() {
    let mtc2 = cop(2, 4, V0, 0);
    let mtc0 = cop(0, 4, V0, 12);
    for (kind, first, second) in [
        (Kind::HiLo, MFLO_V0, MULT),
        (Kind::GteWriteCommand, mtc2, RTPS),
        (Kind::StatusBeforeGte, mtc0, RTPS),
    ] {
        // A call and a jump.
        for transfer in [jalr(T0), jr(T0)] {
            for between in 0..=2 {
                let mut words = vec![transfer, first, NOP, NOP, RETURN, NOP];
                words.extend([NOP, NOP, NOP, second, RETURN, NOP]);
                let with = |data: u32| {
                    build(
                        &Elf::new(TEXT)
                            .code(".text", TEXT, &words)
                            .symbol("caller", TEXT, 24, FUNC)
                            .symbol("callee", TEXT + 36 - 4 * between, 12 + 4 * between, FUNC)
                            .constants(".rodata", 0x8002_0000, &[data]),
                    )
                };
                let report = with(TEXT + 36 - 4 * between);
                let expected = [(kind, 1)];
                let expected = if between < 2 { &expected[..] } else { &[] };
                assert_eq!(findings(&report), expected, "{report}");
                // Code that nobody points at is not met; what is, nobody knows.
                let report = with(0);
                assert!(report.clean(), "{report}");
                assert!(notes(&report).contains(&(Kind::Unproven, 1)), "{report}");
            }
        }
    }
}

#[test]
fn a_pointer_makes_code() {
    // Unnamed code, as of functions whose local symbols were stripped: its address is in the data,
    // or made by instructions.
    let with = |head: &[u32], data: u32, tail: &[u32]| {
        let words = [head, tail].concat();
        build(
            &Elf::new(TEXT)
                .code(".text", TEXT, &words)
                .symbol("probe", TEXT, 4 * head.len() as u32, FUNC)
                .constants(".rodata", 0x8002_0000, &[data]),
        )
    };
    let plain = [RETURN, NOP];
    let report = with(&plain, TEXT + 8, &FAULT);
    assert_eq!(findings(&report), [(Kind::LoadDelay, 2)], "{report}");
    let maker = [lui(V0, TEXT >> 16), addiu(V0, V0, 16), RETURN, NOP];
    let report = with(&maker, 0, &FAULT);
    assert_eq!(findings(&report), [(Kind::LoadDelay, 4)], "{report}");
    // Without a pointer nobody knows; the last line says so.
    let report = with(&plain, 0, &FAULT);
    assert!(report.clean());
    let last = report.to_string();
    assert!(
        last.ends_with("no hazards in what is known to be code; 1 in words that may be code"),
        "{last}"
    );
    // A number is no pointer.
    assert!(with(&plain, (TEXT + 8) & 0x1FFF_FFFF, &FAULT).clean());
}

#[test]
fn what_is_executed_is_no_object() {
    let words = [j(TEXT + 12), NOP, NOP, FAULT[0], FAULT[1], RETURN, NOP];
    let elf = |words: &[u32], object: u32| {
        Elf::new(TEXT)
            .code(".text", TEXT, words)
            .symbol("probe", TEXT, 12, FUNC)
            .symbol(
                "BLOB",
                TEXT + object,
                4 * words.len() as u32 - object,
                OBJECT,
            )
    };
    let report = build(&elf(&words, 12));
    assert_eq!(findings(&report), [(Kind::LoadDelay, 3)], "{report}");
    assert!(
        report
            .notes
            .iter()
            .any(|note| note.sentence.contains("an object"))
    );
    // By running into it.
    let runs = [NOP, NOP, FAULT[0], FAULT[1], RETURN, NOP];
    let report = build(&elf(&runs, 12));
    assert_eq!(findings(&report), [(Kind::LoadDelay, 2)], "{report}");
    // A call of the kernel may be the last thing that is done: what follows stays data.
    let exit = [NOP, NOP, 0x0000_000C, FAULT[0], FAULT[1], JUNK];
    assert!(build(&elf(&exit, 12)).clean());
}

#[test]
fn functions_among_the_data() {
    let data = 0x8002_0000;
    let words = |tail: &[u32]| [&[JUNK, 5][..], tail, &[JUNK]].concat();
    let elf = |tail: &[u32]| {
        Elf::new(TEXT)
            .code(".text", TEXT, &[RETURN, NOP])
            .symbol("probe", TEXT, 8, FUNC)
            .variables(".data", data, &words(tail))
    };
    // With a symbol it is scanned, and nothing else of the section is.
    let named =
        |tail: &[u32]| build(&elf(tail).symbol("fast", data + 8, 4 * tail.len() as u32, FUNC));
    let report = named(&FAULT);
    assert_eq!(report.findings.len(), 1, "{report}");
    finds(&report, Kind::LoadDelay, data + 8);
    assert!(named(&FINE).clean());
    // Without one, a call there is a finding.
    let mut code = vec![jal(data + 8), NOP, RETURN, NOP];
    let call = |code: &[u32]| {
        build(
            &Elf::new(TEXT)
                .code(".text", TEXT, code)
                .symbol("probe", TEXT, 16, FUNC)
                .variables(".data", data, &words(&FINE)),
        )
    };
    assert_eq!(findings(&call(&code)), [(Kind::IntoData, 0)]);
    code[0] = j(data + 8);
    assert_eq!(findings(&call(&code)), [(Kind::IntoData, 0)]);
    // Outside of the image lies the BIOS, or another program.
    code[0] = jal(0x8003_0000);
    assert!(call(&code).clean());
}

#[test]
fn jumps_to_odd_addresses() {
    let words = |low| {
        vec![
            lui(T0, 0x8001),
            i(13, T0, T0, low),
            jr(T0),
            NOP,
            RETURN,
            NOP,
        ]
    };
    hazard(&words(0x12), Kind::Misaligned, 2, None);
    clean(&words(0x10));
}

#[test]
fn calls_that_depend() {
    // bgezal and bltzal with a load in the slot: callee, and the word behind when not taken.
    for kind in [16, 17] {
        let words = |behind, callee| {
            vec![
                i(1, A0, kind, 5),
                lw(T0, 0, SP),
                behind,
                NOP,
                RETURN,
                NOP, //
                callee,
                RETURN,
                NOP,
            ]
        };
        let read = addu(V0, T0, T0);
        hazard(&words(NOP, read), Kind::LoadInSlot, 1, Some(6));
        hazard(&words(read, NOP), Kind::LoadInSlot, 1, Some(2));
        clean(&words(NOP, NOP));
    }
}

#[test]
fn remarks_about_the_file() {
    let has = |elf: &Elf, text: &str| {
        let report = build(elf);
        let mut notes = report.notes.iter();
        notes.any(|note| note.kind == Kind::File && note.sentence.contains(text))
    };
    let elf = |entry| {
        Elf::new(entry)
            .code(".text", TEXT, &[RETURN, NOP])
            .symbol("probe", TEXT, 8, FUNC)
    };
    assert!(has(&elf(0x1234), "the entry point 00001234"));
    assert!(!has(&elf(TEXT), "the entry point"));
    assert!(has(
        &elf(TEXT).empty_code(".overlay", 0x8004_0000),
        ".overlay"
    ));
    let odd = elf(TEXT).symbol("compressed", TEXT + 1, 4, FUNC);
    assert!(has(&odd, "compressed begins at an odd address"));
}

#[test]
fn an_object_does_not_hide_a_function() {
    // One that begins at the function, before it, or has no size; nothing leads to the function.
    let words = [&[RETURN, NOP, JUNK][..], &FAULT].concat();
    for (start, size) in [(12, 16), (8, 20), (8, 0x7FFF_FFFF), (8, 0)] {
        let elf = Elf::new(TEXT)
            .code(".text", TEXT, &words)
            .symbol("probe", TEXT, 8, FUNC)
            .symbol("hidden", TEXT + 12, 16, FUNC)
            .symbol("BLOB", TEXT + start, size, OBJECT);
        let report = build(&elf);
        assert_eq!(findings(&report), [(Kind::LoadDelay, 3)], "{report}");
        let mut notes = report.notes.iter();
        let said = notes.any(|note| note.sentence.contains("a part of an object"));
        assert_eq!(said, size > 0, "{report}");
    }
    // Inside of a function an object is data.
    let words = [RETURN, NOP, FAULT[0], FAULT[1]];
    let elf = Elf::new(TEXT)
        .code(".text", TEXT, &words)
        .symbol("probe", TEXT, 16, FUNC)
        .symbol("TABLE", TEXT + 8, 8, OBJECT);
    assert!(build(&elf).clean());
}
