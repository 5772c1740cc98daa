//! Every form of every instruction: its bytes, where the sheets' lengths lead it, and what it does (field VM
//! sheet, sections 6 and 7; menu-control sheet, section 1). Rows hold under the retail reading.

#[path = "script/host.rs"]
mod host;
#[path = "script/rows.rs"]
mod rows;

use host::Recorder;
use overworld_runtime::script::context::{Context, Place, flag};
use overworld_runtime::script::decode::decode;
use overworld_runtime::script::host::Search;
use overworld_runtime::script::state::{Character, Resume, Word};
use overworld_runtime::script::table::{FORMS, Form};
use overworld_runtime::script::{Compat, PLAYER, Vm};
use rows::{difference, hex, outcome_text};

/// Bytes | state | outcome | effects.
const ROWS: &str = include_str!("script/forms.txt");

const WORDS: [Word; 24] = [
    Word::B92C,
    Word::B930,
    Word::Bcac,
    Word::SceneY,
    Word::Bcd0,
    Word::Bcd4,
    Word::Bcd8,
    Word::B910,
    Word::B7B0,
    Word::B6ac,
    Word::Ba66,
    Word::SceneCtrl,
    Word::CardY,
    Word::Lines,
    Word::Picker,
    Word::Tint2,
    Word::A88,
    Word::B88,
    Word::C88,
    Word::A8a,
    Word::B8a,
    Word::C8a,
    Word::D8a,
    Word::Clock,
];

/// The state that scripts share, as far as it is not zero.
fn shared(vm: &Vm<'_, 4>) -> Vec<String> {
    let state = &vm.state;
    let mut seen = Vec::new();
    let numbers = [
        ("global", i64::from(state.global)),
        ("gold", state.gold.into()),
        ("coins", state.coins.into()),
        ("leader", state.leader.into()),
        ("view", state.view.into()),
        ("ramps", state.ramps.len() as i64),
        ("slot 0", state.slot(0).into()),
        ("slot 2", state.slot(2).into()),
        ("input_lock", state.input_lock.into()),
    ];
    for (name, value) in numbers.into_iter().filter(|it| it.1 != 0) {
        seen.push(format!("{name}: {value}"));
    }
    for word in WORDS.into_iter().filter(|&it| state.word(it) != 0) {
        seen.push(format!("{word:?}: {}", state.word(word)));
    }
    if state.member_count != 0 {
        seen.push(format!("party: {:?}", state.party()));
    }
    if state.scene_reg != [0; 3] {
        seen.push(format!("scene_reg: {:?}", state.scene_reg));
    }
    if state.floor != [0; 16] {
        seen.push(format!("floor: {:?}", state.floor));
    }
    if let Some(timed) = state.timed {
        seen.push(format!("{timed:?}"));
    }
    if state.resume != Resume::Idle {
        seen.push(format!("{:?}", state.resume));
    }
    let points = state.characters[0];
    if points != Character::default() {
        seen.push(format!("HP {} MP {}", points.hp, points.mp));
    }
    seen.extend(
        (0..0x1000)
            .filter(|&it| state.system.test(it))
            .map(|it| format!("flag {it:03X}")),
    );
    seen
}

/// An instruction on another context.
fn extended(code: &[u8], id: u8) -> Vec<u8> {
    [&[code[0] | 0x80, id], &code[1..]].concat()
}

/// Bytes, state, outcome and effects of each row. `on player`: in the extended form.
fn rows() -> impl Iterator<Item = (Vec<u8>, &'static str, &'static str, &'static str)> {
    ROWS.lines().map(|row| {
        let cells: Vec<&str> = row.split(" | ").collect();
        let [code, setup, outcome, effects] = cells[..] else {
            panic!("{row}");
        };
        let code = hex(code);
        match setup {
            "on player" => (extended(&code, PLAYER), setup, outcome, effects),
            _ => (code, setup, outcome, effects),
        }
    })
}

/// Number of the context whose script it is, and of another one.
const OWN: u8 = 0x2A;
const OTHER: u8 = 0x5A;

/// Outcome and effects of an instruction on its own context.
fn run(code: &[u8], setup: &str, compat: Compat) -> (String, String) {
    run_on(0, code, setup, compat)
}

/// Outcome and effects of an instruction on the context in place 0, whose script it is, or in place 3.
fn run_on(on: usize, code: &[u8], setup: &str, compat: Compat) -> (String, String) {
    let mut vm = Vm::<4>::new(compat);
    let mut host = Recorder {
        id: 0x2A,
        all: true,
        player: Some(1),
        on: Some(if setup == "on player" { 1 } else { on as u8 }),
        ..Recorder::default()
    };
    vm.contexts[3] = Context::new(OTHER.into(), &[], 0);
    vm.contexts[0] = Context::new(OWN.into(), code, 0);
    vm.contexts[on].saved = Some(Place::new(code, 0));
    vm.contexts[1] = Context {
        x: 100,
        y: -20,
        z: 300,
        heading: 0x600,
        ..Context::new(0x77, &[], 0)
    };
    vm.contexts[2] = Context {
        x: 11,
        y: 22,
        z: 33,
        heading: 0x44,
        ..Context::new(0x46, &[], 0)
    };
    vm.player = Some(1);
    for token in setup.split("; ") {
        let context = &mut vm.contexts[on];
        let (key, value) = token.split_once('=').unwrap_or((token, "0"));
        let hex = u32::from_str_radix(value, 16).unwrap_or(0);
        let number = value.parse::<i32>().unwrap_or(0);
        match key {
            "-" | "idle" | "on player" => {}
            "unwilling" => host.acquires = false,
            "never parked" => context.saved = None,
            "local" => context.local_flags = hex as u16,
            "flags" => context.flags = hex,
            "mirror" => context.flags = flag::MIRROR,
            "tint" => context.tint_ctrl = hex,
            "heading" => context.heading = number as u16,
            "face" => (context.face, context.face_lerp) = (5, 6),
            "all locked" => {
                for context in &mut vm.contexts {
                    context.flags |= flag::LOCKED;
                }
            }
            "f68" => context.f68 = number as i16,
            "move" => context.move_id = number as i16,
            "x" => context.x = number as i16,
            "y" => context.y = number as i16,
            "z" => context.z = number as i16,
            "global" => vm.state.global = hex,
            "gold" => vm.state.gold = number,
            "coins" => vm.state.coins = number,
            "clock" => vm.state.clock = number as u32,
            "slot" => [0, 2].into_iter().for_each(|it| vm.state.set_slot(it, 7)),
            "odd slots" => [(1, 6), (3, 8)]
                .into_iter()
                .for_each(|(slot, it)| vm.state.set_slot(slot, it)),
            "slot 1" => vm.state.set_slot(1, number as i16),
            "armed" => vm.state.resume = Resume::Armed,
            "done" => vm.state.resume = Resume::Done,
            "HP" => {
                vm.state.characters[0] = Character {
                    hp: 50,
                    max_hp: 100,
                    mp: 8,
                    max_mp: 16,
                    level: 8,
                };
            }
            "region" => host.region = hex,
            "pad" => host.pad = hex as u16,
            "rand" => host.rand = hex,
            "busy" => host.busy = true,
            "dialog" => host.dialog = true,
            "camera" => host.camera = true,
            "unsettled" => host.settled = false,
            "type" => host.type_live = true,
            "outside" => host.inside = false,
            "found" => host.found = true,
            "marker" => host.search = Search::Found,
            "another" => host.search = Search::Other,
            "floor" => host.floor = Some(-99),
            "blank grid" => host.grid.fill(0),
            token => match token.split_once(' ') {
                Some(("member", id)) => {
                    vm.state.add_member(id.parse().expect("a member"));
                    vm.state.characters[0].max_hp = 9;
                }
                Some(("flag", rest)) => {
                    let number = rest.strip_suffix(" set").expect("a flag");
                    vm.state
                        .system
                        .set(u16::from_str_radix(number, 16).expect("a flag"));
                }
                _ => panic!("no state {token}"),
            },
        }
    }
    let before = vm.contexts;
    let was = shared(&vm);
    let outcome = vm.step(&mut host, 0);
    let outcome = outcome_text(outcome, vm.contexts[0].pc);
    let mut seen = Vec::new();
    let [own, other] = if on == 0 {
        ["", "other "]
    } else {
        ["caller ", ""]
    };
    for (name, (before, after)) in [own, "player ", "46 ", other]
        .into_iter()
        .zip(before.iter().zip(&vm.contexts))
    {
        let changed = difference(before, after).into_iter();
        seen.extend(changed.map(|it| format!("{name}{it}")));
    }
    let now = shared(&vm);
    seen.extend(
        was.iter()
            .filter(|it| !now.contains(it))
            .map(|it| format!("no {it}")),
    );
    seen.extend(now.into_iter().filter(|it| !was.contains(it)));
    seen.extend(host.heard);
    if seen.is_empty() {
        seen.push("-".into());
    }
    (outcome, seen.join("; "))
}

#[test]
fn every_form_does_what_the_sheets_say() {
    let mut met = vec![false; FORMS.len()];
    let mut wrong = Vec::new();
    for (code, setup, outcome, effects) in rows() {
        let (seen, did) = run(&code, setup, Compat::Retail);
        if (seen.as_str(), did.as_str()) != (outcome, effects) {
            wrong.push(format!("{code:02X?} | {setup} | {seen} | {did}"));
        }
        // The first form that covers the sub-op.
        let header = 1 + usize::from(code[0] >> 7);
        let form = FORMS.iter().position(|it| {
            let sub = it.sub_at().and_then(|at| code.get(header + at));
            (it.opcode..=it.last).contains(&(code[0] & 0x7F))
                && sub.is_none_or(|sub| (it.low..=it.high).contains(sub))
        });
        if let Some(form) = form {
            met[form] = true;
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    let missed = FORMS.iter().zip(met).filter(|(_, met)| !met);
    let missed: Vec<_> = missed.map(|(form, _)| form.name).collect();
    assert_eq!(missed, [""; 0]);
}

/// An outcome as the rows write it, so many bytes further on where it has gone on.
fn shifted(outcome: &str, by: u16) -> String {
    match outcome.rsplit_once(' ') {
        Some((word @ ("advance" | "yield" | "frame end"), to)) => {
            let to: u16 = to.parse().expect("a PC");
            format!("{word} {}", to + by)
        }
        _ => outcome.to_owned(),
    }
}

/// The extended form is a byte longer, every offset in it one larger, jumps included, and on the own
/// context it does the same (sections 1 and 1.2).
#[test]
fn extended_forms_are_one_byte_longer() {
    let mut count = 0;
    for (code, setup, outcome, effects) in rows().filter(|it| it.1 != "on player") {
        let longer = extended(&code, OWN);
        let (seen, did) = run(&longer, setup, Compat::Retail);
        // The menu is shown the instruction as it stands.
        let effects = effects.replace("bytes: [73, ", "bytes: [201, 42, ");
        assert_eq!(seen, shifted(outcome, 1), "{longer:02X?} | {setup}");
        assert_eq!(did, effects, "{longer:02X?} | {setup}");
        count += 1;
    }
    assert!(count > 400);
}

/// On another context an instruction does there what it does on its own, and hosts hear of that one; the
/// script's own context stays as it is (section 2).
#[test]
fn extended_forms_work_on_their_target() {
    for (code, setup, outcome, effects) in rows().filter(|it| it.1 != "on player") {
        let longer = extended(&code, OTHER);
        let (seen, did) = run_on(3, &longer, setup, Compat::Retail);
        let effects = effects.replace("bytes: [73, ", "bytes: [201, 90, ");
        // To turn another actor is no hand-off (3.2).
        let outcome = match code[0] {
            0x38 => outcome.replace("yield", "advance"),
            _ => outcome.to_owned(),
        };
        assert_eq!(seen, shifted(&outcome, 1), "{longer:02X?} | {setup}");
        assert_eq!(did, effects, "{longer:02X?} | {setup}");
    }
}

/// For nobody an instruction does nothing, and is skipped with the data behind it (section 13).
#[test]
fn nobody_is_skipped() {
    for (code, setup, plain, _) in rows().filter(|it| it.1 != "on player") {
        let longer = extended(&code, 0x99);
        let (seen, did) = run(&longer, setup, Compat::Retail);
        let expected = match decode(&code, 0, Compat::Retail) {
            // Data blocks and pages: all of the row's bytes.
            Ok(_) if matches!(code[..], [0x34, 0x10..=0x1F, ..] | [0x4C, 0x80, 1, ..]) => {
                format!("advance {}", code.len() + 1)
            }
            Ok(instr) => format!("advance {}", instr.len + 1),
            Err(_) => "fault:Unknown 0".to_owned(),
        };
        assert_eq!((seen, did.as_str()), (expected, "-"), "{code:02X?} {plain}");
    }
}

/// Cut at any byte, an instruction is a fault without a side effect (section 13). Only the end of a packet
/// may be that of the record.
#[test]
fn cut_instructions_do_nothing() {
    let mut cuts = 0;
    for (code, setup, ..) in rows() {
        let Ok(instr) = decode(&code, 0, Compat::Retail) else {
            continue;
        };
        if instr.form.layout.ends_with('P') {
            continue;
        }
        for cut in 1..instr.len {
            let (seen, did) = run(&code[..cut], setup, Compat::Retail);
            let expected = ("fault:Truncated 0", "-");
            assert_eq!((&*seen, &*did), expected, "{:02X?} | {setup}", &code[..cut]);
            cuts += 1;
        }
    }
    assert!(cuts > 1000);
}

/// Section 14 and the remarks on the port beside the tables, as far as they are not among the worked vectors:
/// bytes | state | outcome of retail | of port.
const READINGS: &str = "\
35 05 00 09 | unsettled | park 0 | advance 4
35 05 00 0A | unsettled | park 0 | advance 4
43 0A 01 02 03 04 05 06 07 21 | - | advance 9 | yield 8455
43 0B 01 02 03 04 05 06 07 21 | never parked; unwilling | park 0 | advance 9
43 01 01 02 03 21 | never parked; unwilling | park 0 | advance 5
4A 00 80 | - | advance 3 | park 0
4C 31 | - | advance 2 | yield 2
4C 37 | - | advance 2 | yield 2
4C 45 01 02 00 03 00 04 00 00 00 | - | advance 11 | advance 11
4C 49 10 00 00 00 | - | advance 6 | advance 6
4C 49 10 00 04 00 | - | advance 6 | yield 0
4C 43 20 00 05 00 | - | advance 6 | advance 6
4C 44 20 00 00 00 | - | advance 6 | advance 6
4C 87 | - | advance 2 | park 0
4C 8C 10 00 | - | advance 18 | advance 16
4C 8D 01 02 10 00 | marker | advance 20 | advance 16
4C A0 03 10 00 | flags=8 | advance 19 | advance 16
4C A2 03 10 00 | global=8 | advance 19 | advance 16
4C C6 07 00 | flag 007 set | park 0 | advance 4
4C CD | camera | park 0 | park 0
4C D1 10 00 | camera | advance 18 | advance 16
4C D2 99 | - | advance 3 | park 0
4C D7 | - | advance 2 | park 0
4C DC 05 10 00 | found | advance 19 | advance 16
4C DE 05 10 00 | found | advance 19 | advance 16
4C EA | - | advance 2 | park 0
79 07 10 00 | - | advance 4 | fault:Unknown 0
";

#[test]
fn readings_differ_where_the_sheet_says() {
    for row in READINGS.lines() {
        let cells: Vec<&str> = row.split(" | ").collect();
        let [code, setup, retail, port] = cells[..] else {
            panic!("{row}");
        };
        let code = hex(code);
        let seen = [Compat::Retail, Compat::Port].map(|compat| run(&code, setup, compat).0);
        assert_eq!(seen, [retail, port], "{row}");
    }
    // Who the player is: by identity, or by a flag (section 4); whom a warp unlocks (7.12).
    for (code, setup, retail, port) in [
        (
            "22 05",
            "flags=1000000",
            "move_substate: 1; move_id: 5; f5e: 65534; exec_move(5)",
            "move_id: 5; f5e: 65534; exec_move(5)",
        ),
        (
            "3E 66 00 00 00 00",
            "all locked",
            "player flags: 0; flag 00E; minigame_door_warp(2)",
            "flags: 0; flag 00E; minigame_door_warp(2)",
        ),
    ] {
        let code = hex(code);
        let seen = [Compat::Retail, Compat::Port].map(|compat| run(&code, setup, compat).1);
        assert_eq!(seen, [retail, port], "{code:02X?}");
    }
}

/// The operands of a form in the words of `docs/scripts.md`.
fn operands(form: &Form) -> String {
    let written = |letter: &char| *letter != '*' || form.sub_is_operand();
    let words = form.layout.chars().filter(written).map(|it| match it {
        '*' => "sub",
        'b' => "byte",
        'i' => "id",
        's' => "int",
        'w' => "word",
        'm' => "u24",
        'M' => "int24",
        'd' => "u32",
        'j' => "label",
        'F' => "flag",
        'D' => "[bytes]",
        'N' => "\"name\"",
        'K' => "clip, keyframes…",
        'C' => "ints…",
        'P' => "\"text\"",
        other => panic!("{}: a letter of no word: {other}", form.name),
    });
    words.collect::<Vec<_>>().join(", ")
}

/// The page for authors lists the operands of every mnemonic, as the assembler reads them.
#[test]
fn the_page_has_all_operands() {
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for form in FORMS {
        let (operands, name) = (operands(form), format!("`{}`", form.name));
        match groups.iter_mut().find(|it| it.0 == operands) {
            Some((_, names)) if names.contains(&name) => {}
            Some((_, names)) => names.push(name),
            None => groups.push((operands, vec![name])),
        }
    }
    groups.sort_by_key(|(operands, _)| (operands.split(", ").count(), operands.clone()));
    let mut list = String::from("| Operands | Instructions |\n|---|---|\n");
    for (operands, names) in groups {
        let operands = match &operands[..] {
            "" => "none".into(),
            operands => format!("`{operands}`"),
        };
        list += &format!("| {operands} | {} |\n", names.join(" "));
    }
    let page = include_str!("../../docs/scripts.md").replace("\r\n", "\n");
    assert!(page.contains(&list), "the page needs this list:\n\n{list}");
}
