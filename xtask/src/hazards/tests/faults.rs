//! One planted fault each, and its correct twin.

use super::*;

#[test]
fn load_and_reader_in_a_row() {
    // Every kind of load.
    for op in [32, 33, 35, 36, 37, 34, 38] {
        let load = i(op, SP, T0, 4);
        hazard(
            &[load, addu(V0, T0, T0), RETURN, NOP],
            Kind::LoadDelay,
            0,
            Some(1),
        );
        clean(&[load, NOP, addu(V0, T0, T0), RETURN, NOP]);
    }
    hazard(
        &[cop(0, 0, T0, 12), addu(V0, T0, T0), RETURN, NOP],
        Kind::LoadDelay,
        0,
        Some(1),
    );
    clean(&[cop(0, 0, T0, 12), NOP, addu(V0, T0, T0), RETURN, NOP]);
}

#[test]
fn every_way_to_read_is_a_read() {
    let load = lw(T0, 4, SP);
    for reader in [
        sw(T0, 0, SP),            // stored value
        sw(V0, 0, T0),            // base of a store
        lw(V0, 0, T0),            // base of a load
        addiu(V0, T0, 1),         // immediate
        r(0, 0, T0, V0) | 3 << 6, // shift
        r(4, T0, A0, V0),         // shift by
        r(24, A0, T0, 0),         // mult
        r(17, T0, 0, 0),          // mthi
        cop(0, 4, T0, 12),        // mtc0
        cop(2, 4, T0, 0),         // mtc2
        cop(2, 6, T0, 0),         // ctc2
        i(50, T0, 3, 0),          // base of lwc2
        i(58, T0, 3, 0),          // base of swc2
        i(42, SP, T0, 0),         // swl
    ] {
        hazard(&[load, reader, RETURN, NOP], Kind::LoadDelay, 0, Some(1));
        clean(&[load, NOP, reader, RETURN, NOP]);
    }
    // A branch reads its operands, a return its address.
    hazard(
        &[load, bne(T0, ZERO, 2), NOP, NOP, RETURN, NOP],
        Kind::LoadDelay,
        0,
        Some(1),
    );
    hazard(&[lw(31, 4, SP), RETURN, NOP], Kind::LoadDelay, 0, Some(1));
    clean(&[lw(31, 4, SP), addiu(SP, SP, 8), RETURN, NOP]);
    // Register zero never arrives late.
    clean(&[lw(ZERO, 4, SP), addu(V0, ZERO, ZERO), RETURN, NOP]);
}

#[test]
fn unaligned_pairs_forward_their_register() {
    let (lwl, lwr) = (i(34, A0, V0, 3), i(38, A0, V0, 0));
    clean(&[lwl, lwr, NOP, addu(V1, V0, V0), RETURN, NOP]);
    clean(&[lwr, lwl, NOP, RETURN, NOP]);
    clean(&[lw(V0, 0, A0), lwl, NOP, RETURN, NOP]);
    assert!(function(&[lwl, lwr, RETURN, NOP]).notes.is_empty());
    // The base is not forwarded, and a coprocessor read is no load.
    hazard(
        &[lw(A0, 0, SP), lwl, RETURN, NOP],
        Kind::LoadDelay,
        0,
        Some(1),
    );
    hazard(
        &[cop(2, 0, V0, 9), lwl, NOP, RETURN, NOP],
        Kind::GteReadDelay,
        0,
        Some(1),
    );
    hazard(
        &[lwl, lwr, addu(V1, V0, V0), RETURN, NOP],
        Kind::LoadDelay,
        1,
        Some(2),
    );
}

#[test]
fn load_in_the_slot_of_a_conditional_branch() {
    let load = lw(T0, 0, SP);
    let use_it = addu(V0, T0, T0);
    // Taken way only.
    let taken = [
        bne(A0, ZERO, 4),
        load,
        NOP,
        RETURN,
        NOP,
        use_it,
        RETURN,
        NOP,
    ];
    hazard(&taken, Kind::LoadInSlot, 1, Some(5));
    // Fall-through way only.
    let falls = [
        bne(A0, ZERO, 4),
        load,
        use_it,
        RETURN,
        NOP,
        NOP,
        RETURN,
        NOP,
    ];
    hazard(&falls, Kind::LoadInSlot, 1, Some(2));
    // Neither.
    clean(&[
        bne(A0, ZERO, 4),
        load,
        NOP,
        RETURN,
        NOP,
        NOP,
        use_it,
        RETURN,
        NOP,
    ]);
    // Both: two findings.
    let both = function(&[
        bne(A0, ZERO, 4),
        load,
        use_it,
        RETURN,
        NOP,
        use_it,
        RETURN,
        NOP,
    ]);
    assert_eq!(
        findings(&both),
        [(Kind::LoadInSlot, 1), (Kind::LoadInSlot, 1)]
    );
    // An unconditional branch has no fall-through; what stands there is not executed next.
    clean(&[beq(ZERO, ZERO, 3), load, use_it, NOP, NOP, RETURN, NOP]);
    // And one that is never taken has no target.
    clean(&[bne(A0, A0, 4), load, NOP, RETURN, NOP, use_it, RETURN, NOP]);
}

#[test]
fn load_in_the_slot_of_a_jump_or_call() {
    let load = lw(A0, 0, SP);
    let callee = |first| {
        // 0: caller, 6: callee
        vec![
            jal(TEXT + 24),
            load,
            NOP,
            NOP,
            RETURN,
            NOP, //
            first,
            RETURN,
            NOP,
        ]
    };
    hazard(&callee(addu(V0, A0, A0)), Kind::LoadInSlot, 1, Some(6));
    clean(&callee(NOP));
    // What stands behind the call is not executed next.
    clean(&[
        jal(TEXT + 24),
        load,
        addu(V0, A0, A0),
        NOP,
        RETURN,
        NOP, //
        NOP,
        RETURN,
        NOP,
    ]);
    // bal, which is bgezal $zero.
    hazard(
        &[
            i(1, 0, 17, 5),
            load,
            NOP,
            NOP,
            RETURN,
            NOP,
            addu(V0, A0, A0),
            RETURN,
            NOP,
        ],
        Kind::LoadInSlot,
        1,
        Some(6),
    );
    hazard(
        &[j(TEXT + 16), load, NOP, NOP, addu(V0, A0, A0), RETURN, NOP],
        Kind::LoadInSlot,
        1,
        Some(4),
    );
    // Through another view of the same memory: A0010010h is the same word.
    let uncached = [
        lui(T0, 0xA001),
        i(13, T0, T0, 0x18),
        jr(T0),
        load,
        NOP,
        NOP, //
        addu(V0, A0, A0),
        RETURN,
        NOP,
    ];
    hazard(&uncached, Kind::LoadInSlot, 3, Some(6));
}

#[test]
fn load_in_the_slot_of_a_return() {
    for live in [V0, V1, S0, 23, 28, SP, 30] {
        hazard(&[RETURN, lw(live, 0, A0)], Kind::LoadInSlot, 1, Some(0));
    }
    // Nobody may rely on these after a return.
    for dead in [A0, T0, 15, 24, 25] {
        clean(&[RETURN, lw(dead, 0, SP)]);
    }
    hazard(&[RETURN, cop(2, 0, V0, 24)], Kind::GteReadDelay, 1, Some(0));
    clean(&[cop(2, 0, V0, 24), RETURN, NOP]);
    clean(&[RETURN, addiu(SP, SP, 16)]);
}

#[test]
fn load_before_the_unknown() {
    // jr $t0, nothing known about $t0.
    hazard(&[jr(T0), lw(T1, 0, SP)], Kind::LoadInSlot, 1, Some(0));
    clean(&[lw(T1, 0, SP), jr(T0), NOP]);
    // A call by pointer: arguments are alive, results and temporaries are not.
    let call = |register| vec![jalr(T0), lw(register, 0, SP), NOP, RETURN, NOP];
    hazard(&call(A0), Kind::LoadInSlot, 1, Some(0));
    hazard(&call(S0), Kind::LoadInSlot, 1, Some(0));
    clean(&call(V0));
    clean(&call(T1));
    // Out of the image: a BIOS call with its number loaded in the slot.
    let bios = [addiu(T0, ZERO, 0xA0), jr(T0), lw(T1, 0, SP)];
    hazard(&bios, Kind::LoadInSlot, 2, Some(1));
    clean(&[addiu(T0, ZERO, 0xA0), jr(T0), addiu(T1, ZERO, 0x3C)]);
}

#[test]
fn lost_loads_are_notes() {
    let two = function(&[lw(T0, 0, SP), lw(T0, 4, SP), NOP, RETURN, NOP]);
    assert!(two.clean());
    assert_eq!(notes(&two), [(Kind::LoadLost, 0)]);
    let lost = function(&[lw(T0, 0, SP), addiu(T0, SP, 4), NOP, RETURN, NOP]);
    assert!(lost.clean());
    assert_eq!(notes(&lost), [(Kind::LoadLost, 0)]);
    assert!(two.notes[0].sentence.contains("two loads"));
    assert!(
        function(&[lw(T0, 0, SP), NOP, lw(T0, 4, SP), RETURN, NOP])
            .notes
            .is_empty()
    );
}

#[test]
fn gte_read_needs_one_instruction() {
    for what in [0, 2] {
        let read = cop(2, what, V0, 14);
        hazard(
            &[read, sw(V0, 0, A0), RETURN, NOP],
            Kind::GteReadDelay,
            0,
            Some(1),
        );
        clean(&[read, NOP, sw(V0, 0, A0), RETURN, NOP]);
    }
    // swc2 needs nothing.
    clean(&[RTPS, i(58, A0, 14, 0), RETURN, NOP]);
}

#[test]
fn gte_write_needs_two_before_a_command() {
    let writes = [
        cop(2, 4, T0, 0), // mtc2, VXY0
        cop(2, 6, T0, 3), // ctc2, RT31 RT32
        i(50, A0, 1, 4),  // lwc2, VZ0
    ];
    for write in writes {
        hazard(
            &[write, RTPS, RETURN, NOP],
            Kind::GteWriteCommand,
            0,
            Some(1),
        );
        hazard(
            &[write, NOP, RTPS, RETURN, NOP],
            Kind::GteWriteCommand,
            0,
            Some(2),
        );
        clean(&[write, NOP, NOP, RTPS, RETURN, NOP]);
    }
    let report = function(&[cop(2, 4, T0, 0), NOP, RTPS, RETURN, NOP]);
    assert!(
        report.findings[0]
            .sentence
            .starts_with("1 instruction between"),
        "{report}"
    );
    let report = function(&[cop(2, 4, T0, 0), RTPS, RETURN, NOP]);
    assert!(
        report.findings[0]
            .sentence
            .starts_with("no instruction between"),
        "{report}"
    );

    // A register the command does not use is a note: VXY1 is no input of RTPS but one of RTPT.
    let unused = function(&[cop(2, 4, T0, 2), RTPS, RETURN, NOP]);
    assert!(unused.clean());
    assert_eq!(notes(&unused), [(Kind::GteWriteUnused, 0)]);
    hazard(
        &[cop(2, 4, T0, 2), RTPT, RETURN, NOP],
        Kind::GteWriteCommand,
        0,
        Some(1),
    );
    // The queue register writes SXY0..2, which NCLIP uses.
    hazard(
        &[cop(2, 4, T0, 15), NCLIP, RETURN, NOP],
        Kind::GteWriteCommand,
        0,
        Some(1),
    );
}

/// Such a command does something on the chip, but nobody has written down what.
#[test]
fn gte_commands_with_undefined_numbers() {
    for number in [0x00, 0x02, 0x3C] {
        let report = function(&[0x4A00_0000 | number, NOP, RETURN, NOP]);
        assert!(report.clean(), "{report}");
        assert_eq!(notes(&report), [(Kind::UndefinedGteCommand, 0)], "{report}");
        let said = format!("GTE command number {number:02X}h is not defined");
        assert!(report.to_string().contains(&said), "{report}");
    }
    clean(&[RTPS, NOP, RETURN, NOP]);
}

#[test]
fn gte_write_reaches_a_command_through_a_branch() {
    let write = cop(2, 4, T0, 0);
    // Write, branch, slot, command: two between.
    clean(&[write, beq(ZERO, ZERO, 1), NOP, RTPS, RETURN, NOP]);
    // Write in the slot: none between.
    hazard(
        &[beq(A0, ZERO, 4), write, NOP, NOP, NOP, RTPS, RETURN, NOP],
        Kind::GteWriteCommand,
        1,
        Some(5),
    );
    // Write in the slot of a return, command right behind the call.
    let across = [
        jal(TEXT + 24),
        NOP,
        RTPS,
        RETURN,
        NOP,
        NOP, //
        RETURN,
        cop(2, 6, A0, 0),
    ];
    let report = {
        let elf = Elf::new(TEXT)
            .code(".text", TEXT, &across)
            .symbol("caller", TEXT, 24, FUNC)
            .symbol("callee", TEXT + 24, 8, FUNC)
            .build();
        scan(&elf).unwrap()
    };
    assert_eq!(findings(&report), [(Kind::GteWriteCommand, 7)], "{report}");
}

#[test]
fn gte_write_needs_two_before_a_read() {
    let write = cop(2, 4, T0, 8);
    let read = cop(2, 0, V0, 8);
    let tail = [NOP, RETURN, NOP];
    let with = |nops: usize, write: u32, read: u32| {
        [&[write][..], &vec![NOP; nops], &[read], &tail].concat()
    };
    hazard(&with(0, write, read), Kind::GteWriteRead, 0, Some(1));
    hazard(&with(1, write, read), Kind::GteWriteRead, 0, Some(2));
    clean(&with(2, write, read));
    // Another register.
    clean(&with(0, write, cop(2, 0, V0, 9)));
    // Data register 8 is not control register 8.
    clean(&with(0, write, cop(2, 2, V0, 8)));
    hazard(
        &with(1, cop(2, 6, T0, 8), cop(2, 2, V0, 8)),
        Kind::GteWriteRead,
        0,
        Some(2),
    );
    // LZCS and LZCR.
    hazard(
        &with(1, cop(2, 4, T0, 30), cop(2, 0, V0, 31)),
        Kind::GteWriteRead,
        0,
        Some(2),
    );
    clean(&with(2, cop(2, 4, T0, 30), cop(2, 0, V0, 31)));
    // IRGB: three before IR1, two before IR3.
    hazard(
        &with(2, cop(2, 4, T0, 28), cop(2, 0, V0, 9)),
        Kind::GteWriteRead,
        0,
        Some(3),
    );
    clean(&with(3, cop(2, 4, T0, 28), cop(2, 0, V0, 9)));
    clean(&with(2, cop(2, 4, T0, 28), cop(2, 0, V0, 11)));
}

#[test]
fn delay_slots_hold_no_commands_and_no_branches() {
    for command in [RTPS, RTPT, NCLIP, 0x4BFF_FFFF] {
        let report = function(&[beq(A0, ZERO, 1), command, RETURN, NOP]);
        assert_eq!(findings(&report), [(Kind::GteCommandInSlot, 1)]);
        clean(&[command, beq(A0, ZERO, 1), NOP, RETURN, NOP]);
    }
    for transfer in [beq(A0, ZERO, 1), j(TEXT), jal(TEXT), RETURN, i(1, A0, 0, 1)] {
        hazard(
            &[bne(A0, ZERO, 1), transfer, RETURN, NOP],
            Kind::BranchInSlot,
            1,
            Some(0),
        );
    }
    // A transfer as the last word has no slot at all.
    hazard(&[NOP, RETURN], Kind::BranchInSlot, 1, None);
}

#[test]
fn hilo_rests_two_instructions() {
    let writers = [MULT, MULTU, DIVU, r(26, A0, A1, 0)];
    for writer in writers {
        for read in [MFLO_V0, MFHI_V0] {
            hazard(&[MULT, read, writer, RETURN, NOP], Kind::HiLo, 1, Some(2));
            hazard(
                &[MULT, read, NOP, writer, RETURN, NOP],
                Kind::HiLo,
                1,
                Some(3),
            );
            clean(&[MULT, read, NOP, NOP, writer, RETURN, NOP]);
        }
    }
    // mthi changes HI only, mtlo LO only.
    hazard(&[MFLO_V0, MTLO_A0, RETURN, NOP], Kind::HiLo, 0, Some(1));
    hazard(
        &[MFHI_V0, NOP, MTHI_A0, RETURN, NOP],
        Kind::HiLo,
        0,
        Some(2),
    );
    clean(&[MFLO_V0, MTHI_A0, RETURN, NOP]);
    clean(&[MFHI_V0, MTLO_A0, RETURN, NOP]);
    // Across a call: jal and its slot lie between.
    clean(&[
        MFLO_V0,
        jal(TEXT + 24),
        NOP,
        NOP,
        RETURN,
        NOP,
        MULT,
        RETURN,
        NOP,
    ]);
    // In the slot nothing does.
    hazard(
        &[
            jal(TEXT + 24),
            MFLO_V0,
            NOP,
            NOP,
            RETURN,
            NOP,
            MULT,
            RETURN,
            NOP,
        ],
        Kind::HiLo,
        1,
        Some(6),
    );
    let report = function(&[MFLO_V0, NOP, MULT, RETURN, NOP]);
    assert!(
        report.findings[0]
            .sentence
            .starts_with("1 instruction between"),
        "{report}"
    );
}

#[test]
fn foreign_instructions() {
    for (word, name) in [
        (0x5080_0001, "beql"),
        (0x0085_100A, "movz"),
        (0x7085_1002, "SPECIAL2"),
        (0xC082_0000, "ll"),
        (0x0080_01F4, "teq"),
        (0x4602_1000, "floating-point"),
        (0x6442_0001, "daddiu"),
        (0xEC00_0000, "no instruction at all"),
    ] {
        let report = function(&[NOP, word, RETURN, NOP]);
        assert_eq!(findings(&report), [(Kind::NotMips1, 1)], "{report}");
        assert!(report.findings[0].sentence.contains(name), "{report}");
    }
}

#[test]
fn status_rests_two_instructions_before_the_gte() {
    let write = cop(0, 4, T0, 12);
    for gte in [
        cop(2, 4, T0, 0),
        cop(2, 6, T0, 0),
        cop(2, 0, V0, 0),
        cop(2, 2, V0, 31),
        i(50, A0, 0, 0),
        i(58, A0, 0, 0),
        RTPS,
    ] {
        let tail = [NOP, NOP, RETURN, NOP];
        let with = |nops| [&[write][..], &vec![NOP; nops], &[gte], &tail].concat();
        hazard(&with(0), Kind::StatusBeforeGte, 0, Some(1));
        hazard(&with(1), Kind::StatusBeforeGte, 0, Some(2));
        let report = function(&with(2));
        assert!(report.clean() && report.notes.is_empty(), "{report}");
    }
    // Another register of coprocessor 0 is not SR.
    clean(&[cop(0, 4, T0, 13), RTPS, RETURN, NOP]);
    // On one way only: the branch and its slot are the two.
    let ways = |slot| [beq(A0, ZERO, 3), slot, NOP, RETURN, NOP, RTPS, RETURN, NOP];
    let report = function(&ways(write));
    assert_eq!(findings(&report), [(Kind::StatusBeforeGte, 1)], "{report}");
    clean(&[
        write,
        beq(A0, ZERO, 3),
        NOP,
        NOP,
        RETURN,
        NOP,
        RTPS,
        RETURN,
        NOP,
    ]);
    // Through a return: into the known caller.
    let words = [jal(TEXT + 20), NOP, RTPS, RETURN, NOP, RETURN, write];
    let report = function(&words);
    assert_eq!(findings(&report), [(Kind::StatusBeforeGte, 6)], "{report}");
    // And to callers that are not known: not silence.
    let report = function(&[RETURN, write]);
    assert_eq!(notes(&report), [(Kind::Unproven, 1)]);
}

#[test]
fn inputs_of_a_running_command_are_noted() {
    // RT31/RT32 rewritten one instruction after RTPS.
    let report = function(&[RTPS, NOP, cop(2, 6, T0, 3), RETURN, NOP]);
    assert!(report.clean());
    assert_eq!(notes(&report), [(Kind::GteInputOverwritten, 0)]);
    // A read waits for the command, so nothing runs any more.
    let waited = function(&[RTPS, cop(2, 0, V0, 14), cop(2, 6, T0, 3), RETURN, NOP]);
    assert!(waited.notes.is_empty(), "{waited}");
}

#[test]
fn distances_into_the_unknown_are_noted() {
    for word in [MFLO_V0, cop(2, 4, T0, 0)] {
        let report = function(&[RETURN, word]);
        assert!(report.clean());
        assert_eq!(notes(&report), [(Kind::Unproven, 1)]);
        // The return and its slot are two instructions.
        let before = function(&[word, RETURN, NOP]);
        assert!(before.clean() && before.notes.is_empty(), "{before}");
    }
}
