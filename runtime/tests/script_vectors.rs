//! The worked vectors of the field VM sheet, section 15, each under the reading that it names.

#[path = "script/host.rs"]
mod host;
#[path = "script/rows.rs"]
mod rows;

use host::Recorder;
use overworld_runtime::script::context::{Context, Place};
use overworld_runtime::script::state::{Character, Resume};
use overworld_runtime::script::{Compat, FaultKind, Outcome, PLAYER, SYSTEM, SliceEnd, Vm};
use rows::{difference, hex, outcome_text, shared};

/// The battery plays the same rows on every machine.
///
/// Number | bytes | pc | state | port's result | effects | retail result and effects, `=` as the port's.
const ROWS: &str = include_str!("../../tests/battery/tables/script_steps.txt");

/// Number | bytes | state | the port's ends of slices and effects | the console's, `=` as the port's.
const SLICES: &str = include_str!("../../tests/battery/tables/script_slices.txt");

/// Run a row under a reading and compare.
fn check(
    name: &str,
    code: &[u8],
    pc: u16,
    setup: &str,
    compat: Compat,
    result: &str,
    effects: &str,
) {
    let what = format!("{name} under {compat:?}");
    let mut vm = Vm::<3>::new(compat);
    let mut host = Recorder {
        id: 0x2A,
        ..Recorder::default()
    };
    // Place 0 runs the script; an extended instruction works on place 1.
    let extended = code.get(usize::from(pc)).is_some_and(|it| it & 0x80 != 0);
    vm.contexts[0] = Context::new(0x2A, code, pc);
    let on = usize::from(extended);
    if extended {
        let id = code[usize::from(pc) + 1];
        if !setup.contains("nobody") {
            let number = if id == PLAYER { 0x77 } else { id };
            vm.contexts[1] = Context::new(number.into(), &[], 0);
        }
        if id == PLAYER {
            (vm.player, host.player) = (Some(1), Some(1));
        }
        vm.system = (id == SYSTEM && !setup.contains("nobody")).then_some(1);
    }
    if name == "V75" {
        vm.contexts[2] = Context {
            x: 11,
            y: 22,
            z: 33,
            heading: 44,
            ..Context::new(0x2C, &[], 0)
        };
    }
    for token in setup.split("; ") {
        let target = &mut vm.contexts[on];
        let (key, value) = token.split_once('=').unwrap_or((token, "0"));
        let hex = u32::from_str_radix(value, 16).unwrap_or(0);
        let number = value.parse::<i32>().unwrap_or(0);
        match key {
            "-" | "nobody" | "slot idle" | "acquire fails" | "host: inside" => {}
            "flags" => target.flags = hex,
            "local" => target.local_flags = hex as u16,
            "heading" => target.heading = hex as u16,
            "tint" => target.tint_ctrl = hex,
            "halted" => target.flags = 0x400,
            "accum" => target.wait_accum = number as i16,
            "x" => target.x = number as i16,
            "y" => target.y = number as i16,
            "z" => target.z = number as i16,
            "id" => {}
            "acquire ok" => target.saved = Some(Place::new(code, 0)),
            "host busy" => host.busy = true,
            "region mask" => host.region = hex,
            "pad" => host.pad = hex as u16,
            "dt" => host.dt = number as u8,
            "rand" => host.rand = hex,
            "dialog busy" => host.dialog = true,
            "host: outside" => host.inside = false,
            "type live" => host.type_live = true,
            "blank grid" => host.grid.fill(0),
            "slot armed" => vm.state.resume = Resume::Armed,
            "slot done" => vm.state.resume = Resume::Done,
            "gold" => vm.state.gold = number,
            "coins" => vm.state.coins = number,
            "alt rule" => vm.state.global = 0x2_0000,
            "global bit 24" => vm.state.global = 0x100_0000,
            "HP" => {
                let (hp, max_hp) = (40, 100);
                vm.state.characters[0] = Character {
                    hp,
                    max_hp,
                    ..Character::default()
                };
            }
            flag => {
                let flag = flag
                    .strip_prefix("flag ")
                    .and_then(|it| it.strip_suffix(" set"));
                let flag = flag.unwrap_or_else(|| panic!("{what}: no state {token}"));
                vm.state
                    .system
                    .set(u16::from_str_radix(flag, 16).expect("a flag"));
            }
        }
    }
    host.acquires = !setup.contains("fails");
    let (before, slot, system) = (vm.contexts[on], vm.state.resume, vm.state.system);
    let outcome = vm.step(&mut host, 0);
    let now = vm.contexts[0].pc;
    if let Outcome::Fault(fault) = outcome {
        assert_eq!((fault.script_id, fault.pc), (0x2A, pc), "{what}");
    }
    let outcome = outcome_text(outcome, now);
    assert_eq!(outcome, result, "{what}");
    let told: u16 = outcome
        .rsplit(' ')
        .next()
        .expect("a word")
        .parse()
        .expect("a PC");
    assert_eq!(now, told, "{what}");
    let mut seen = difference(&before, &vm.contexts[on]);
    seen.extend(shared(&vm.state, slot));
    if vm.counters.unresolved != 0 {
        seen.push("unresolved".into());
    }
    seen.extend(host.heard);
    if vm.state.system != system {
        let flags = (0..0x1000)
            .filter(|&it| vm.state.system.test(it))
            .collect::<Vec<u16>>();
        // Flag 0E is set by `3E`, beside what the row tells.
        let flags: Vec<String> = flags
            .iter()
            .filter(|it| **it != 0x0E)
            .map(|it| format!("flag {it:03X}"))
            .collect();
        if flags.is_empty() && !name.starts_with("V29") && !name.starts_with("V30") {
            seen.push("no flags".into());
        }
        seen.extend(flags);
    }
    let mut expected: Vec<&str> = effects.split("; ").filter(|it| *it != "-").collect();
    if compat == Compat::Retail {
        // The machine knows by itself who can be acquired.
        expected.retain(|it| !it.starts_with("acquire?"));
    }
    expected.sort_unstable();
    seen.sort_unstable();
    assert_eq!(seen, expected, "{what}");
}

#[test]
fn steps() {
    let mut rows = 0;
    for row in ROWS.lines() {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let [name, code, pc, setup, port, port_effects, ref retail @ ..] = cells[..] else {
            panic!("{row}");
        };
        let code = hex(code);
        let pc = pc.parse().expect("a PC");
        if port != "-" {
            check(name, &code, pc, setup, Compat::Port, port, port_effects);
        }
        match *retail {
            ["="] => check(name, &code, pc, setup, Compat::Retail, port, port_effects),
            [result, effects] => check(name, &code, pc, setup, Compat::Retail, result, effects),
            _ => panic!("{row}"),
        }
        rows += 1;
    }
    assert_eq!(rows, 135);
}

/// V90 and V121 under both readings: where the port hands number 8225h on, the machine has 225h (decision 68), and
/// counts that it met such an instruction.
#[test]
fn numbers_of_extended_flags_have_twelve_bits() {
    for compat in [Compat::Retail, Compat::Port] {
        let set = hex("D2 46 25");
        let mut vm = Vm::<2>::new(compat);
        vm.contexts[0] = Context::new(0x2A, &set, 0);
        vm.contexts[1] = Context::new(0x46, &[], 0);
        vm.step(&mut Recorder::default(), 0);
        let flags: Vec<u16> = (0..=u16::MAX)
            .filter(|&it| vm.state.system.test(it))
            .collect();
        assert_eq!(flags.len(), 16, "{compat:?}");
        assert!(flags.iter().all(|it| it & 0xFFF == 0x225), "{compat:?}");
        assert_eq!(vm.counters.extended_flags, 1, "{compat:?}");
        let bits: u32 = vm.state.system.0.iter().map(|it| it.count_ones()).sum();
        assert_eq!((bits, vm.state.system.0[0x44]), (1, 4), "{compat:?}");
    }
}

/// One context with flag 0x100, and how its slices end, frame by frame.
struct Script {
    vm: Vm<'static, 2>,
    host: Recorder,
}

impl Script {
    fn new(code: &str) -> Self {
        Self::under(code, Compat::Retail)
    }

    fn under(code: &str, compat: Compat) -> Self {
        let code: &'static [u8] = hex(code).leak();
        let mut vm = Vm::new(compat);
        vm.contexts[0] = Context {
            flags: 0x100,
            ..Context::new(5, code, 0)
        };
        Self {
            vm,
            host: Recorder::default(),
        }
    }

    /// The end of the slice and the PC behind it.
    fn slice(&mut self) -> (SliceEnd, u16) {
        let end = self.vm.slice(&mut self.host, 0, 256);
        (end, self.vm.contexts[0].pc)
    }
}

#[test]
fn s1_idle() {
    let mut it = Script::new("21 21 26 FE FF");
    assert_eq!(
        [0; 4].map(|_| it.slice()),
        [1, 2, 2, 2].map(|pc| (SliceEnd::FrameEnd, pc))
    );
}

#[test]
fn s2_wait() {
    let mut it = Script::new("24 52 25 4A 02 00 21 26 FE FF");
    assert_eq!(it.slice(), (SliceEnd::Parked, 3));
    assert!(it.vm.state.system.test(0x225));
    assert_eq!(it.slice(), (SliceEnd::FrameEnd, 7));
    assert_eq!(it.slice(), (SliceEnd::FrameEnd, 7));
}

#[test]
fn s3_and_s4_prologue() {
    let mut it = Script::new("25 72 25 08 00 4C 51 11 1D 06 3C 21 1F 41 00");
    assert_eq!(it.slice(), (SliceEnd::FrameEnd, 12));
    let seated = it.vm.contexts[0];
    assert_eq!(
        (seated.x, seated.z, seated.heading, seated.move_id),
        (2240, 3776, 0xC00, 60)
    );
    assert_eq!(it.slice(), (SliceEnd::Text, 12));

    let mut it = Script::new("25 72 25 09 00 4C 51 11 1D 06 3C 21 4C 51 7F 7F 00 00 21");
    it.vm.state.system.set(0x225);
    assert_eq!(it.slice(), (SliceEnd::FrameEnd, 19));
    assert_eq!((it.vm.contexts[0].x, it.vm.contexts[0].z), (16320, 16320));
    for _ in 0..2 {
        let (SliceEnd::Fault(fault), 19) = it.slice() else {
            panic!("the record is over");
        };
        assert_eq!(
            (fault.kind.name(), fault.script_id, fault.pc),
            ("PcRange", 5, 19)
        );
    }
    assert_eq!(it.vm.counters.out_of_range, 1);
}

#[test]
fn s5_to_s8() {
    let mut it = Script::new("2C 08 2D 08 21");
    it.vm.contexts[0].local_flags = 0x100;
    assert_eq!(it.slice(), (SliceEnd::Parked, 2));
    assert_eq!(it.slice(), (SliceEnd::Parked, 2));
    it.vm.contexts[0].local_flags = 0x100;
    assert_eq!(it.slice(), (SliceEnd::FrameEnd, 5));

    let mut it = Script::new("22 05 1F 48 69 00");
    assert_eq!([0; 2].map(|_| it.slice()), [(SliceEnd::Text, 2); 2]);

    let mut it = Script::new("37 41 82 50 10 21");
    assert_eq!(it.slice(), (SliceEnd::Yielded, 3));
    let walker = it.vm.contexts[0];
    assert!(walker.halted());
    assert_eq!(walker.saved.map(|it| it.pc()), Some(0));
    assert_eq!(it.slice(), (SliceEnd::Halted, 3));
    it.vm.contexts[0].flags &= !0x400;
    assert_eq!(it.slice(), (SliceEnd::FrameEnd, 6));

    let mut it = Script::new("4C 70 10 10 10 10 4C 71 11 11 11 11 23 2A 70 21");
    assert_eq!(it.slice(), (SliceEnd::FrameEnd, 16));
    assert_eq!((it.vm.contexts[0].x, it.vm.contexts[0].z), (5440, 14400));
    for (at, cell) in it.host.grid.iter().enumerate() {
        let expected = match (at % 128, at / 128) {
            (16, 17) => 0x0A,
            (17, 18) => 0xFA,
            _ => 0x5A,
        };
        assert_eq!(*cell, expected, "cell {at}");
    }
}

#[test]
fn s9_and_s10_spins() {
    let mut it = Script::new("48 26 FE FF");
    for round in 1..=2 {
        let (SliceEnd::Fault(fault), pc) = it.slice() else {
            panic!("it never ends by itself");
        };
        assert_eq!(
            (fault.kind, fault.script_id, fault.pc),
            (FaultKind::Budget(256), 5, pc)
        );
        assert_eq!(it.vm.counters.overruns, round);
    }
    let mut it = Script::new("26 FF FF");
    assert_eq!([0; 2].map(|_| it.slice()), [(SliceEnd::Parked, 0); 2]);
}

/// Unverified row 2: after `31 0A` the slice goes on, and none follows.
#[test]
fn a_script_that_halts_itself_gets_no_further_slice() {
    let mut it = Script::new("31 0A 52 01 21 52 02 21");
    assert_eq!(it.slice(), (SliceEnd::FrameEnd, 5));
    assert_eq!(it.slice(), (SliceEnd::Halted, 5));
    assert!(!it.vm.state.system.test(0x202));
}

/// S1 to S10 under both readings, with the context, the shared state and what the host hears: the rows that the
/// battery plays on every machine. All but S7 end alike; there the port's runner goes on behind a hand-off.
#[test]
fn slices_under_both_readings() {
    let mut rows = 0;
    for row in SLICES.lines() {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let [name, code, setup, port, port_effects, ref retail @ ..] = cells[..] else {
            panic!("{row}");
        };
        let retail = match *retail {
            ["="] => (port, port_effects),
            [ends, effects] => (ends, effects),
            _ => panic!("{row}"),
        };
        for (compat, (ends, effects)) in [
            (Compat::Port, (port, port_effects)),
            (Compat::Retail, retail),
        ] {
            let what = format!("{name} under {compat:?}");
            let mut it = Script::under(code, compat);
            match setup {
                "-" => {}
                "local=0100" => it.vm.contexts[0].local_flags = 0x100,
                "flag 225 set" => it.vm.state.system.set(0x225),
                _ => panic!("{row}"),
            }
            let (before, system) = (it.vm.contexts[0], it.vm.state.system);
            let seen: Vec<String> = ends
                .split(", ")
                .map(|_| {
                    let (end, pc) = it.slice();
                    let end = match end {
                        SliceEnd::FrameEnd => "frame",
                        SliceEnd::Parked => "parked",
                        SliceEnd::Yielded => "yielded",
                        SliceEnd::Text => "text",
                        SliceEnd::Left => "left",
                        SliceEnd::Halted => "halted",
                        SliceEnd::Fault(fault) => {
                            assert_eq!((fault.script_id, fault.pc), (5, pc), "{what}");
                            return format!("fault:{} {pc}", fault.kind.name());
                        }
                    };
                    format!("{end} {pc}")
                })
                .collect();
            assert_eq!(seen.join(", "), ends, "{what}");
            let mut seen = difference(&before, &it.vm.contexts[0]);
            seen.extend(it.host.heard);
            let flags =
                (0..0x1000).filter(|&flag| it.vm.state.system.test(flag) && !system.test(flag));
            seen.extend(flags.map(|flag| format!("flag {flag:03X}")));
            let mut expected: Vec<&str> = effects.split("; ").filter(|it| *it != "-").collect();
            seen.sort_unstable();
            expected.sort_unstable();
            assert_eq!(seen, expected, "{what}");
        }
        rows += 1;
    }
    assert_eq!(rows, 11);
}
