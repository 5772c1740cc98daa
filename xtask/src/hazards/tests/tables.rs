//! Jump tables: how long they are, and what stands in them.

use super::elf::OBJECT;
use super::*;

/// The part that is the same in all switches: table at 80020010h, index in `$a0`, a load of `$t0` in the
/// slot of the jump.
const LOOK_UP: [u32; 7] = [
    4 << 16 | 1 << 11 | 2 << 6, // sll $at, $a0, 2
    0x3C02_8002,                // lui $v0, 0x8002
    0x0022_0821,                // addu $at, $at, $v0
    0x8C21_0010,                // lw $at, 0x10($at)
    NOP,
    0x0020_0008, // jr $at
    0x8FA8_0000, // lw $t0, 0($sp)
];

const TABLE: u32 = 0x8002_0010;

/// A program: a check of the index, the look-up, a harmless target, a target that reads `$t0` at once.
struct Switch {
    words: Vec<u32>,
    /// Indices of the jump's slot and of the two targets.
    slot: u32,
    fine: u32,
    bad: u32,
}

impl Switch {
    fn new(check: &[u32]) -> Self {
        let ends = [NOP, RETURN, NOP, addu(V0, T0, T0), RETURN, NOP];
        let fine = (check.len() + LOOK_UP.len()) as u32;
        Switch {
            words: [check, &LOOK_UP, &ends].concat(),
            slot: fine - 1,
            fine,
            bad: fine + 3,
        }
    }

    fn fine(&self) -> u32 {
        TEXT + 4 * self.fine
    }

    fn bad(&self) -> u32 {
        TEXT + 4 * self.bad
    }

    fn code(&self) -> Elf {
        Elf::new(TEXT).code(".text", TEXT, &self.words).symbol(
            "probe",
            TEXT,
            4 * self.words.len() as u32,
            FUNC,
        )
    }

    fn with(&self, table: &[u32]) -> Report {
        scan(&self.code().constants(".rodata", TABLE, table).build()).unwrap()
    }

    /// Does the report say that the bad target reads too early?
    #[track_caller]
    fn sees_bad(&self, report: &Report) {
        let at = report.findings.iter().any(|finding| {
            finding.kind == Kind::LoadInSlot
                && finding.address == TEXT + 4 * self.slot
                && finding.second.as_ref().map(|line| line.address) == Some(self.bad())
        });
        assert!(at, "{report}");
    }
}

/// `beq $at, $zero` or `bne` over the look-up to the harmless end.
fn out(branch: fn(u32, u32, i16) -> u32) -> u32 {
    branch(AT, ZERO, LOOK_UP.len() as i16 + 1)
}

/// Ways to make sure that `$a0` is below three.
fn checks() -> Vec<Vec<u32>> {
    let below = i(11, A0, AT, 3); // sltiu $at, $a0, 3
    vec![
        vec![below, out(beq), NOP],
        vec![below, i(14, AT, AT, 1), out(bne), NOP], // xori $at, $at, 1
        // 2 < $a0
        vec![addiu(V1, ZERO, 2), r(43, V1, A0, AT), out(bne), NOP],
        // $a0 < 3
        vec![addiu(V1, ZERO, 3), r(43, A0, V1, AT), out(beq), NOP],
        // The branch goes to the look-up.
        vec![below, bne(AT, ZERO, 3), NOP, RETURN, NOP],
    ]
}

#[test]
fn a_checked_index_says_how_long_the_table_is() {
    for check in checks() {
        let switch = Switch::new(&check);
        let (fine, bad) = (switch.fine(), switch.bad());
        // What stands behind the table does not belong to it.
        let report = switch.with(&[fine, fine, fine, bad]);
        assert!(report.clean() && report.notes.is_empty(), "{report}");
        switch.sees_bad(&switch.with(&[fine, fine, bad]));
        // An entry that is no address does not end it.
        let report = switch.with(&[fine, 0x1234_5678, bad]);
        switch.sees_bad(&report);
        let odd = |note: &&crate::hazards::Finding| note.kind == Kind::UnresolvedJump;
        let note =
            report.notes.iter().filter(odd).find(|note| {
                note.sentence.contains("entry 1") && note.sentence.contains("12345678")
            });
        assert!(note.is_some(), "{report}");
        // Nor is the jump resolved then: the load is a hazard whatever the other entries are.
        let report = switch.with(&[fine, 0x1234_5678, fine]);
        assert_eq!(
            findings(&report),
            [(Kind::LoadInSlot, switch.slot)],
            "{report}"
        );
        // A table that is cut off.
        assert!(!switch.with(&[fine, fine]).clean());
    }
}

#[test]
fn a_check_of_something_else_says_nothing() {
    let below = i(11, A0, AT, 1);
    for check in [
        // The register changes after the check, also in the branch's slot.
        vec![below, out(beq), NOP, addiu(A0, A0, 1)],
        vec![below, out(beq), addiu(A0, A0, 1)],
        // Another register, or the wrong way.
        vec![i(11, A1, AT, 1), out(beq), NOP],
        vec![below, out(bne), NOP],
        // Signed.
        vec![i(10, A0, AT, 1), out(beq), NOP],
    ] {
        let switch = Switch::new(&check);
        switch.sees_bad(&switch.with(&[switch.fine(), switch.fine(), switch.bad()]));
    }
}

#[test]
fn without_a_check_a_table_goes_on_behind_odd_words() {
    let switch = Switch::new(&[]);
    let (fine, bad) = (switch.fine(), switch.bad());
    switch.sees_bad(&switch.with(&[fine, 0x1234_5678, bad]));
    switch.sees_bad(&switch.with(&[0, 0, bad]));
    // Words that are never followed by a target end it.
    let report = switch.with(&[fine, 0x1234_5678, 0]);
    assert!(report.clean() && report.notes.is_empty(), "{report}");
}

#[test]
fn a_mask_says_how_long_the_table_is() {
    let switch = Switch::new(&[i(12, A0, A0, 1)]); // andi $a0, $a0, 1
    let (fine, bad) = (switch.fine(), switch.bad());
    switch.sees_bad(&switch.with(&[fine, bad]));
    let report = switch.with(&[fine, fine, bad]);
    assert!(report.clean() && report.notes.is_empty(), "{report}");
}

#[test]
fn an_index_that_was_moved_first_is_checked_too() {
    let below = i(11, A0, AT, 3);
    let switch = Switch::new(&[addiu(A0, A0, 0xFFFB), below, out(beq), NOP]);
    let (fine, bad) = (switch.fine(), switch.bad());
    switch.sees_bad(&switch.with(&[fine, fine, bad]));
    let report = switch.with(&[fine, fine, fine, bad]);
    assert!(report.clean() && report.notes.is_empty(), "{report}");
}

/// First halves of hazards and what must not follow at once.
const PAIRS: [(Kind, u32, u32); 4] = [
    (Kind::HiLo, MFLO_V0, MULT),
    (Kind::LoadInSlot, 0x8C82_0000, 0x0042_1021), // lw $v0, 0($a0); addu $v0, $v0, $v0
    (Kind::GteWriteCommand, 0x4882_0000, RTPS),   // mtc2 $v0, 0
    (Kind::StatusBeforeGte, 0x4082_6000, RTPS),   // mtc0 $v0, 12
];

#[test]
fn an_entry_may_be_another_function() {
    let masks: [&[u32]; 2] = [&[i(12, A0, A0, 1)], &[]];
    for ((kind, first, second), mask) in PAIRS.into_iter().flat_map(|pair| masks.map(|m| (pair, m)))
    {
        let mut words = [mask, &LOOK_UP, &[NOP, RETURN, NOP]].concat();
        let slot = mask.len() + LOOK_UP.len() - 1;
        words[slot] = first;
        let label = TEXT + 4 * (slot as u32 + 1);
        let size = 4 * words.len() as u32;
        let other = TEXT + size;
        words.extend([second, NOP, RETURN, NOP]);
        let with = |table: &[u32]| {
            let elf = Elf::new(TEXT)
                .code(".text", TEXT, &words)
                .symbol("probe", TEXT, size, FUNC)
                .symbol("other", other, 16, FUNC)
                .constants(".rodata", TABLE, table);
            scan(&elf.build()).unwrap()
        };
        for table in [[label, other], [other, label], [other, other]] {
            let report = with(&table);
            let found = findings(&report);
            assert_eq!(found, [(kind, slot as u32)], "{table:08X?}: {report}");
            // Without the mask the end of the table is not known either.
            let mut notes = report.notes.iter();
            let unresolved = notes.any(|note| note.kind == Kind::UnresolvedJump);
            assert_eq!(unresolved, mask.is_empty(), "{table:08X?}: {report}");
        }
        let report = with(&[label, label]);
        assert!(report.clean() && report.notes.is_empty(), "{report}");
    }
}

#[test]
fn a_table_in_variables_may_change() {
    let switch = Switch::new(&checks()[0]);
    let fine = switch.fine();
    let build = |elf: Elf| scan(&elf.build()).unwrap();
    let table = [fine, fine, fine];
    assert!(build(switch.code().constants(".rodata", TABLE, &table)).clean());
    let report = build(switch.code().variables(".data", TABLE, &table));
    assert_eq!(
        findings(&report),
        [(Kind::LoadInSlot, switch.slot)],
        "{report}"
    );
    switch.sees_bad(&build(switch.code().variables(
        ".data",
        TABLE,
        &[fine, fine, switch.bad()],
    )));
}

#[test]
fn a_table_in_rom_stays() {
    // A linker that merges .got into .rodata calls that writable; ROM is ROM.
    let mut switch = Switch::new(&checks()[0]);
    let check = switch.fine as usize - LOOK_UP.len();
    switch.words[check + 1] = lui(V0, 0xBFC1);
    let fine = switch.fine();
    let elf = switch.code().variables(".rodata", 0xBFC1_0010, &[fine; 3]);
    let report = scan(&elf.build()).unwrap();
    assert!(report.clean() && report.notes.is_empty(), "{report}");
}

#[test]
fn a_table_among_the_code_is_no_code() {
    // In the function itself, behind its last return; no object symbol.
    let mut switch = Switch::new(&checks()[0]);
    let table = TEXT + 4 * switch.words.len() as u32;
    let check = switch.fine as usize - LOOK_UP.len();
    switch.words[check + 1] = lui(V0, table >> 16);
    switch.words[check + 3] = lw(AT, table & 0xFFFF, AT);
    let (fine, bad) = (switch.fine(), switch.bad());
    switch.words.extend([fine, fine, fine]);
    let report = scan(&switch.code().build()).unwrap();
    assert!(report.clean() && report.notes.is_empty(), "{report}");
    assert_eq!(report.statistics.data_words, 3);
    *switch.words.last_mut().unwrap() = bad;
    switch.sees_bad(&scan(&switch.code().build()).unwrap());
}

#[test]
fn two_lengths_are_no_length() {
    // Two ways to the look-up with different checks: the longer one counts.
    let check = [
        beq(A1, ZERO, 5),
        NOP,
        i(11, A0, AT, 3),
        bne(AT, ZERO, 6), // to the look-up
        NOP,
        RETURN,
        NOP, // 6: the other check
        i(11, A0, AT, 1),
        out(beq),
        NOP,
    ];
    let switch = Switch::new(&check);
    let (fine, bad) = (switch.fine(), switch.bad());
    switch.sees_bad(&switch.with(&[fine, fine, bad]));
    let report = switch.with(&[fine, fine, fine, bad]);
    assert!(report.clean(), "{report}");
}

#[test]
fn an_object_is_no_target() {
    let switch = Switch::new(&checks()[0]);
    let end = TEXT + 4 * switch.words.len() as u32;
    let mut words = switch.words.clone();
    words.push(0x1111_1111);
    let elf = Elf::new(TEXT)
        .code(".text", TEXT, &words)
        .symbol("probe", TEXT, end - TEXT, FUNC)
        .symbol("DATA", end, 4, OBJECT)
        .constants(".rodata", TABLE, &[switch.fine(), end, switch.fine()]);
    assert_eq!(
        findings(&scan(&elf.build()).unwrap()),
        [(Kind::LoadInSlot, switch.slot)]
    );
}
