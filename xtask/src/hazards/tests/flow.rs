//! Constants, jump tables, data among code, regions.

use super::elf::{NOTYPE, OBJECT};
use super::*;

/// `lui $t0, 0xBF80` and a store of the given opcode at an offset.
fn store(op: u32, offset: u32) -> Vec<u32> {
    vec![lui(T0, 0xBF80), i(op, T0, ZERO, offset), RETURN, NOP]
}

const SB: u32 = 40;
const SH: u32 = 41;
const SW: u32 = 43;

#[test]
fn io_widths() {
    for (op, offset) in [
        (SH, 0x1070),
        (SB, 0x1074),
        (SH, 0x10A8),
        (SB, 0x1810),
        (SH, 0x1814),
        (SH, 0x1000),
        (SB, 0x1100),
        (SW, 0x1800),
        (SH, 0x1801 & !1),
        (SW, 0x1D88),
        (SW, 0x1048),
        (42, 0x1070), // swl
    ] {
        hazard(&store(op, offset), Kind::IoWidth, 1, None);
    }
    for (op, offset) in [
        (SW, 0x1070),
        (SW, 0x10A8),
        (SW, 0x1810),
        (SH, 0x1100),
        (SW, 0x1104),
        (SB, 0x1803),
        (SH, 0x1DAA),
        (SH, 0x104A),
        (SB, 0x1040),
    ] {
        let report = function(&store(op, offset));
        assert!(report.clean() && report.notes.is_empty(), "{report}");
    }
}

/// What works but looks like a mistake is noted and keeps no image back.
#[test]
fn io_stores_in_doubt() {
    for (op, offset) in [
        (SW, 0x1040), // four bytes into a pad's data register
        (SH, 0x1044), // a status that is read-only
        (SW, 0x1900), // between the MDEC and the SPU: no register
    ] {
        let report = function(&store(op, offset));
        assert!(report.clean(), "{report}");
        assert_eq!(notes(&report), [(Kind::IoDoubt, 1)], "{offset:X}: {report}");
    }
}

#[test]
fn addresses_are_followed_through_arithmetic_and_branches() {
    // lui + ori + addu, in another block than the store.
    let words = [
        lui(T0, 0xBF80),
        i(13, T0, T0, 0x1000),
        addiu(T1, ZERO, 0x70),
        beq(A0, ZERO, 3), //
        addu(V0, T0, T1),
        NOP,
        NOP,
        NOP,
        i(SH, V0, ZERO, 0),
        RETURN,
        NOP,
    ];
    hazard(&words, Kind::IoWidth, 8, None);
    // A loop that moves the pointer on: not provable, so nothing is said.
    let moving = [
        lui(T0, 0xBF80),
        i(SH, T0, ZERO, 0x1070),
        bne(A0, ZERO, -2),
        addiu(T0, T0, 4),
        RETURN,
        NOP,
    ];
    clean(&moving);
    // A call forgets $t0 but not $s0.
    let after_call = |register| {
        vec![
            lui(register, 0xBF80),
            jal(TEXT + 24),
            NOP,
            i(SH, register, ZERO, 0x1070),
            RETURN,
            NOP, //
            RETURN,
            NOP,
        ]
    };
    clean(&after_call(T0));
    hazard(&after_call(S0), Kind::IoWidth, 3, None);
    // In a delay slot.
    hazard(
        &[lui(T0, 0xBF80), RETURN, i(SH, T0, ZERO, 0x1070)],
        Kind::IoWidth,
        2,
        None,
    );
    // Two ways with two values.
    let two = [
        beq(A0, ZERO, 3),
        lui(T0, 0xBF80),
        lui(T0, 0x8002),
        NOP,
        i(SH, T0, ZERO, 0x1070),
        RETURN,
        NOP,
    ];
    clean(&two);
}

#[test]
fn segments_of_the_io_page() {
    for base in [0x1F80, 0x9F80] {
        let report = function(&[lui(T0, base), sw(ZERO, 0x1070, T0), RETURN, NOP]);
        assert!(report.clean());
        assert_eq!(notes(&report), [(Kind::IoCached, 1)]);
        // The width counts there as well.
        let report = function(&[lui(T0, base), i(SH, T0, ZERO, 0x1070), RETURN, NOP]);
        assert_eq!(findings(&report), [(Kind::IoWidth, 1)]);
    }
    // Cache control lies in KSEG2: right as it is.
    let bcc = [lui(T0, 0xFFFE), sw(ZERO, 0x130, T0), RETURN, NOP];
    assert!(function(&bcc).notes.is_empty());
    clean(&bcc);
    // Scratchpad: KUSEG and KSEG0 only.
    clean(&[lui(T0, 0x1F80), sw(ZERO, 0, T0), RETURN, NOP]);
    hazard(
        &[lui(T0, 0xBF80), sw(ZERO, 0x3FC, T0), RETURN, NOP],
        Kind::ScratchpadUncached,
        1,
        None,
    );
}

#[test]
fn misaligned_constants() {
    hazard(
        &[lui(T0, 0xBF80), sw(ZERO, 0x104A, T0), RETURN, NOP],
        Kind::Misaligned,
        1,
        None,
    );
    hazard(
        &[lui(T0, 0x8002), lw(V0, 2, T0), RETURN, NOP],
        Kind::Misaligned,
        1,
        None,
    );
    hazard(
        &[lui(T0, 0x8002), i(33, T0, V0, 1), RETURN, NOP],
        Kind::Misaligned,
        1,
        None,
    );
    hazard(
        &[lui(T0, 0x8002), i(50, T0, 0, 2), RETURN, NOP],
        Kind::Misaligned,
        1,
        None,
    );
    clean(&[lui(T0, 0x8002), i(32, T0, V0, 1), RETURN, NOP]);
    clean(&[lui(T0, 0x8002), i(34, T0, V0, 2), RETURN, NOP]);
}

/// A switch over a table in `.rodata`; `slot` stands in the delay slot of the jump, `second` at the
/// second target.
fn switch(slot: u32, second: u32, table: &[u32]) -> Report {
    let words = [
        r(0, 0, A0, AT) | 2 << 6, // sll $at, $a0, 2
        lui(V0, 0x8002),
        addu(AT, AT, V0),
        lw(AT, 0x10, AT),
        NOP,
        jr(AT),
        slot,
        NOP, // 7: first target
        RETURN,
        NOP,
        second, // 10: second target
        RETURN,
        NOP,
    ];
    let elf = Elf::new(TEXT)
        .code(".text", TEXT, &words)
        .symbol("probe", TEXT, 52, FUNC)
        .constants(".rodata", 0x8002_0010, table)
        .build();
    scan(&elf).unwrap()
}

#[test]
fn jump_tables_lead_to_every_target() {
    let table = [TEXT + 28, TEXT + 40, 0x1234_5678];
    let load = lw(T0, 0, SP);
    let report = switch(load, addu(V0, T0, T0), &table);
    assert_eq!(findings(&report), [(Kind::LoadInSlot, 6)], "{report}");
    assert_eq!(
        report.findings[0].second.as_ref().unwrap().address,
        TEXT + 40
    );
    let report = switch(load, NOP, &table);
    assert!(report.clean() && report.notes.is_empty(), "{report}");
    // A table that cannot be believed proves nothing.
    let report = switch(load, NOP, &[0x1234_5678]);
    assert_eq!(findings(&report), [(Kind::LoadInSlot, 6)]);
    assert_eq!(notes(&report), [(Kind::UnresolvedJump, 5)]);
}

#[test]
fn calls_through_constant_addresses_are_followed() {
    // lui/addiu/jalr to a callee that reads $a0 at once.
    let words = [
        lui(T0, 0x8001),
        addiu(T0, T0, 0x20),
        jalr(T0),
        lw(A0, 0, SP),
        NOP,
        RETURN,
        NOP,
        NOP, //
        addu(V0, A0, A0),
        RETURN,
        NOP,
    ];
    hazard(&words, Kind::LoadInSlot, 3, Some(8));
}

#[test]
fn objects_in_the_code_are_left_out() {
    // Data that would be a hazard if it were code.
    let words = [RETURN, NOP, lw(T0, 0, SP), addu(V0, T0, T0), 0xEC00_0000];
    let elf = Elf::new(TEXT)
        .code(".text", TEXT, &words)
        .symbol("probe", TEXT, 8, FUNC)
        .symbol("TABLE", TEXT + 8, 12, OBJECT)
        .build();
    let report = scan(&elf).unwrap();
    assert!(report.clean() && report.notes.is_empty(), "{report}");
    assert_eq!(report.statistics.data_words, 3);
    assert_eq!(report.statistics.instructions, 2);
}

#[test]
fn words_nobody_names() {
    let build = |tail: &[u32]| {
        let words = [&[RETURN, NOP][..], tail].concat();
        let elf = Elf::new(TEXT)
            .code(".text", TEXT, &words)
            .symbol("probe", TEXT, 8, FUNC)
            .build();
        scan(&elf).unwrap()
    };
    // A table of addresses decodes as loads; it is data.
    let table = build(&[TEXT, TEXT + 4, TEXT]);
    assert!(table.clean());
    assert_eq!(notes(&table), [(Kind::DataInCode, 2)]);
    assert_eq!(table.statistics.data_words, 3);
    // Not all of it decodes: data.
    let junk = build(&[lw(T0, 0, SP), addu(V0, T0, T0), 0xEC00_0000]);
    assert!(junk.clean());
    assert_eq!(notes(&junk), [(Kind::DataInCode, 2)]);
    // It may be code: the hazard is a note, not silence.
    let maybe = build(&[lw(T0, 0, SP), addu(V0, T0, T0), RETURN, NOP]);
    assert!(maybe.clean());
    assert_eq!(notes(&maybe), [(Kind::LoadDelay, 2)]);
    // Padding.
    assert!(build(&[NOP; 6]).notes.is_empty());
}

#[test]
fn labels_make_code() {
    // Hand-written code that only a label names, after a return.
    let words = [RETURN, NOP, lw(T0, 0, SP), addu(V0, T0, T0), RETURN, NOP];
    let elf = Elf::new(TEXT)
        .code(".text", TEXT, &words)
        .symbol("probe", TEXT, 8, FUNC)
        .symbol("vector", TEXT + 8, 0, NOTYPE)
        .build();
    let report = scan(&elf).unwrap();
    assert_eq!(findings(&report), [(Kind::LoadDelay, 2)]);
    assert_eq!(report.findings[0].symbol, Some(("vector".into(), 0)));
}

#[test]
fn a_call_that_does_not_return_ends_a_function() {
    // The word behind the slot belongs to the next object, not to the function.
    let words = [
        jal(TEXT + 16),
        NOP,
        0xEC00_0000,
        0xEC00_0000,
        beq(ZERO, ZERO, -1),
        NOP,
    ];
    let elf = Elf::new(TEXT)
        .code(".text", TEXT, &words)
        .symbol("probe", TEXT, 8, FUNC)
        .symbol("halt", TEXT + 16, 8, FUNC)
        .build();
    let report = scan(&elf).unwrap();
    assert!(report.clean(), "{report}");
    assert_eq!(notes(&report), [(Kind::DataInCode, 2)]);
}

#[test]
fn code_in_rom_and_several_sections() {
    let rom = 0xBFC0_0000;
    let elf = Elf::new(rom)
        .code(".boot", rom, &[j(0xBFC0_69A0), lw(T0, 0, SP)])
        .symbol("_start", rom, 8, FUNC)
        .code(".text", 0xBFC0_69A0, &[addu(V0, T0, T0), RETURN, NOP])
        .symbol("_RNvC4demo4main", 0xBFC0_69A0, 12, FUNC)
        .variables(".data", 0x8001_0000, &[1, 2])
        .build();
    let report = scan(&elf).unwrap();
    assert_eq!(report.findings.len(), 1, "{report}");
    let finding = &report.findings[0];
    assert_eq!((finding.kind, finding.address), (Kind::LoadInSlot, rom + 4));
    assert_eq!(finding.section, ".boot");
    assert_eq!(finding.second.as_ref().unwrap().address, 0xBFC0_69A0);
    assert_eq!(finding.symbol, Some(("_start".into(), 4)));
}

#[test]
fn names_are_demangled() {
    let words = [lw(T0, 0, SP), addu(V0, T0, T0), RETURN, NOP];
    let elf = Elf::new(TEXT)
        .code(".text", TEXT, &words)
        .symbol("_ZN4demo4main17h0123456789abcdefE", TEXT, 16, FUNC)
        .build();
    let report = scan(&elf).unwrap();
    assert_eq!(report.findings[0].symbol, Some(("demo::main".into(), 0)));
    assert!(report.to_string().contains("lw $t0, 0($sp)"), "{report}");
}

#[test]
fn counts() {
    let words = [
        lw(T0, 0, SP),
        beq(A0, ZERO, 2),
        addiu(V0, ZERO, 1),
        RTPS,
        RETURN,
        NOP,
    ];
    let report = function(&words);
    let statistics = report.statistics;
    assert_eq!(statistics.instructions, 6);
    assert_eq!(statistics.transfers, 2);
    assert_eq!((statistics.slots_filled, statistics.slots_nop), (1, 1));
    assert_eq!(statistics.loads, 1);
    assert_eq!(statistics.gte_commands, 1);
    assert!(report.to_string().ends_with("no hazards"));
}

#[test]
fn branches_on_register_zero_have_one_way() {
    let load = lw(T0, 0, SP);
    let use_it = addu(V0, T0, T0);
    // blez $zero and bgez $zero always go; bgtz $zero and bltz $zero never do.
    for always in [i(6, 0, 0, 3), i(1, 0, 1, 3)] {
        clean(&[always, load, use_it, NOP, NOP, RETURN, NOP]);
    }
    for never in [i(7, 0, 0, 4), i(1, 0, 0, 4)] {
        clean(&[never, load, NOP, RETURN, NOP, use_it, RETURN, NOP]);
    }
}

#[test]
fn a_conditional_call_that_is_not_taken_keeps_what_is_known() {
    // bltzal $a0 over a store at an address in $t0: not taken, $t0 is known; taken, the callee may
    // have changed it, and both ways meet at the word behind the slot.
    let words = |register| {
        vec![
            lui(register, 0xBF80),
            i(1, A0, 16, 5),
            NOP,
            i(SH, register, ZERO, 0x1070),
            RETURN,
            NOP, //
            NOP,
            RETURN,
            NOP,
        ]
    };
    clean(&words(T0));
    hazard(&words(S0), Kind::IoWidth, 3, None);
}

#[test]
fn a_table_ends_where_the_next_begins() {
    // Two switches, their tables in a row; the second one's only target reads $t0 at once. The first
    // jump has a load in its slot and never gets there.
    let head = |offset| {
        [
            r(0, 0, A0, AT) | 2 << 6,
            lui(V0, 0x8002),
            addu(AT, AT, V0),
            lw(AT, offset, AT),
            NOP,
            jr(AT),
        ]
    };
    let words = [
        &head(0x10)[..],
        &[lw(T0, 0, SP)],
        &head(0x14),
        &[NOP],                           // 0..=6, 7..=13
        &[addu(V0, T0, T0), RETURN, NOP], // 14
    ]
    .concat();
    let elf = Elf::new(TEXT)
        .code(".text", TEXT, &words)
        .symbol("probe", TEXT, 68, FUNC)
        .constants(".rodata", 0x8002_0010, &[TEXT + 28, TEXT + 56])
        .build();
    let report = scan(&elf).unwrap();
    assert!(report.clean() && report.notes.is_empty(), "{report}");
}
