//! What hostile scripts get: section 13, rings, floods, and every short program (pitfall P16).

#[path = "script/host.rs"]
mod host;
#[path = "script/source.rs"]
mod source;
#[path = "script/survive.rs"]
mod survive;

use host::Recorder;
use overworld_runtime::script::context::{Context, Place, flag};
use overworld_runtime::script::host::*;
use overworld_runtime::script::state::{Paint, Resume};
use overworld_runtime::script::task::Task;
use overworld_runtime::script::{Beat, Compat, FaultKind, Outcome, SliceEnd, Vm};
use source::{asm, hex};
use survive::Noise;

/// Section 13, row by row where a row is not among the vectors.
#[test]
fn malformed_situations() {
    let run = |code: &str, state: fn(&mut Vm<'static, 2>)| {
        let mut vm = Vm::<2>::new(Compat::Retail);
        vm.contexts[0] = Context::new(5, hex(code), 0);
        state(&mut vm);
        let outcome = vm.step(&mut Absent, 0);
        (outcome, vm)
    };
    let name = |outcome| match outcome {
        Outcome::Fault(fault) => fault.kind.name(),
        other => panic!("{other:?}"),
    };
    // Truncated without side effect.
    let (outcome, vm) = run("A3", |_| {});
    assert_eq!((name(outcome), vm.counters.truncated), ("Truncated", 1));
    let (outcome, vm) = run("45 02 01 00 00 12", |_| {});
    assert_eq!((name(outcome), vm.contexts[0].pc), ("Truncated", 0));
    // Unresolved targets: skipped whole, payload and pages too.
    for (code, next) in [
        ("A1 99", 2),
        (
            "B4 99 10 01 02 03 00 01 00 02 00 00 00 00 40 02 AA BB 21",
            18,
        ),
        ("CC 99 80 01 1F 41 00 21", 7),
        ("C9 99 03 01", 4),
    ] {
        let (outcome, vm) = run(code, |_| {});
        assert_eq!(
            (outcome, vm.counters.unresolved),
            (Outcome::Advance(next), 1),
            "{code}"
        );
    }
    let (outcome, _) = run("A7 99", |_| {});
    assert_eq!(name(outcome), "Unknown");
    // Bits, slots and indices that do not exist.
    let (outcome, vm) = run("2B 1F", |_| {});
    assert_eq!(
        (outcome, vm.contexts[0].local_flags),
        (Outcome::Advance(2), 0)
    );
    assert_eq!(
        run("2D 1F", |vm| vm.contexts[0].local_flags = 0xFFFF).0,
        Outcome::Park
    );
    let (outcome, vm) = run("4C CA 40 34 12", |_| {});
    assert_eq!((outcome, vm.state.slots), (Outcome::Advance(5), [0; 64]));
    let (outcome, vm) = run("38 09 00", |vm| vm.contexts[0].heading = 77);
    assert_eq!((outcome, vm.contexts[0].heading), (Outcome::Advance(3), 77));
    // A party of four is full, an empty one stays empty.
    let full = |vm: &mut Vm<'static, 2>| (1..5).for_each(|it| vm.state.add_member(it));
    let (_, vm) = run("3C 09", full);
    assert_eq!(vm.state.party(), [1, 2, 3, 4]);
    let (_, vm) = run("3D 01", full);
    assert_eq!((vm.state.party(), vm.state.leader), (&[2, 3, 4][..], 2));
    assert_eq!(run("3D 01", |_| {}).1.state.member_count, 0);
    // Names that are no labels.
    for code in [
        "3F 00 00 00 01 02 03",
        "3F 00 00 09 61 61 61 61 61 61 61 61 61 01 02 03",
        "3F 00 00 01 41 01 02 03",
    ] {
        let (outcome, vm) = run(code, |_| {});
        assert_eq!(outcome, Outcome::Advance(code.split(' ').count() as u16));
        assert_eq!(vm.counters.bad_names, 1, "{code}");
    }
    // The end of the record ends a packet; then the PC is out of range.
    let (outcome, mut vm) = run("4C E1 41", |_| {});
    assert_eq!(outcome, Outcome::Advance(4));
    assert_eq!(name(vm.step(&mut Absent, 0)), "PcRange");
    for (code, next) in [
        ("4C 80 01 1F 41", 6),
        // The first page ends, the second does not.
        ("4C 80 02 1F 41 00 1F 42", 9),
        ("49 00 00 01 05 41", 7),
    ] {
        let (outcome, mut vm) = run(code, |vm| {
            (vm.player, vm.state.resume) = (Some(0), Resume::Done);
        });
        assert_eq!(outcome, Outcome::Advance(next), "{code}");
        vm.contexts[0].flags = 0;
        assert_eq!(name(vm.step(&mut Absent, 0)), "PcRange", "{code}");
    }
    // System flags of the extended form are counted: which byte tells their number is not settled.
    for (code, next) in [
        ("D2 05 25", 3),
        ("E2 05 25", 3),
        ("F2 05 25 10 00", 5),
        ("B1 05 03", 3),
    ] {
        let (outcome, vm) = run(code, |_| {});
        assert_eq!(outcome, Outcome::Advance(next), "{code}");
        let counted = u32::from(code != "B1 05 03");
        assert_eq!(vm.counters.extended_flags, counted, "{code}");
    }
    // Jumps wrap, then the range is checked.
    let (outcome, mut vm) = run("26 F0 FF", |_| {});
    assert_eq!(outcome, Outcome::Advance(0xFFF1));
    assert_eq!(name(vm.step(&mut Absent, 0)), "PcRange");
    // Onto an operand: legal.
    let (outcome, mut vm) = run("26 00 00 21", |_| {});
    assert_eq!(outcome, Outcome::Advance(1));
    assert_eq!(vm.step(&mut Absent, 0), Outcome::Text);
    // A menu without a length opens, and is cleared when it is left.
    let (outcome, vm) = run("49 0A", |_| {});
    assert_eq!((outcome, vm.state.resume), (Outcome::Park, Resume::Armed));
    let (outcome, vm) = run("49 0A", |vm| vm.state.resume = Resume::Done);
    assert_eq!((name(outcome), vm.state.resume), ("Unknown", Resume::Idle));
    // So does one of another context, if it is there and not halted.
    let other = |vm: &mut Vm<'static, 2>| vm.contexts[1] = Context::new(0x46, &[], 0);
    let (outcome, vm) = run("C9 46 0B", other);
    assert_eq!((outcome, vm.state.resume), (Outcome::Park, Resume::Armed));
    let (outcome, vm) = run("C9 46 0B", |vm| {
        vm.contexts[1] = Context {
            flags: flag::HALT,
            ..Context::new(0x46, &[], 0)
        };
    });
    assert_eq!((outcome, vm.state.resume), (Outcome::Park, Resume::Idle));
    let (outcome, vm) = run("C9 46 0B", |_| {});
    assert_eq!((name(outcome), vm.state.resume), ("Unknown", Resume::Idle));
    assert_eq!(name(run("49 0E", |_| {}).0), "Unknown");
    // A place that the pool does not have.
    let mut vm = Vm::<1>::new(Compat::Retail);
    let fault = vm.step(&mut Absent, 9);
    assert!(matches!(fault, Outcome::Fault(it) if it.kind == FaultKind::NoContext(9)));
    // Faults say what and where.
    let Outcome::Fault(fault) = run("34", |_| {}).0 else {
        panic!("one byte")
    };
    let text = "Truncated in script 05 at offset 0x0000: the instruction needs 2 bytes, the record has 1 more";
    assert_eq!(fault.to_string(), text);
}

/// Section 13 over frames: what parks for ever, what stops, and that nobody else is held up by it.
#[test]
fn malformed_scripts_hold_up_nobody_else() {
    let mut vm = Vm::<4>::new(Compat::Retail);
    // No instruction of the machine; the end of the record; a turn to no direction; and one that counts frames.
    let codes = [
        hex("27 00"),
        hex("48"),
        hex("38 09 12 52 01 21 26 FE FF"),
        hex("4C CB 05 01 00 21 26 F9 FF"),
    ];
    for (place, code) in codes.into_iter().enumerate() {
        vm.contexts[place] = Context {
            flags: flag::RUN,
            heading: 77,
            saved: Some(Place::new(code, 0)),
            ..Context::new(place as u16 + 0x40, code, 0)
        };
    }
    for frame in 1..=3 {
        let mut faults = Vec::new();
        vm.frame(&mut Absent, 64, |id, end| {
            if let SliceEnd::Fault(fault) = end {
                faults.push((id, fault.kind.name(), fault.script_id, fault.pc));
            }
        });
        assert_eq!(
            faults,
            [(0, "Unknown", 0x40, 0), (1, "PcRange", 0x41, 1)],
            "{frame}"
        );
        assert_eq!((vm.counters.unknown, vm.counters.out_of_range), (frame, 1));
        assert_eq!(vm.state.slots[5], frame as i16);
    }
    // The kernel was done at once, and did not turn.
    assert!(vm.state.system.test(0x201) && !vm.contexts[2].halted());
    assert_eq!(vm.contexts[2].heading, 77);
    // Reset, a script that had stopped runs again.
    vm.contexts[1].task = Task::new(hex("52 02 21"));
    vm.contexts[1].pc = 0;
    vm.frame(&mut Absent, 64, |_, _| {});
    assert!(vm.state.system.test(0x202));
    // A jump into the header of a record is as good as any: 3 bytes, then one back to them.
    let mut vm = Vm::<1>::new(Compat::Retail);
    vm.contexts[0] = Context::new(5, hex("52 03 21 26 FC FF"), 3);
    assert_eq!(vm.slice(&mut Absent, 0, 64), SliceEnd::FrameEnd);
    assert!(vm.state.system.test(0x203) && vm.contexts[0].pc == 3);
}

/// Rectangles of walls beyond the grid are clipped, inverted ones paint nothing (menu-control sheet, 5).
#[test]
fn paints_stay_inside_of_the_grid() {
    // Columns, rows as encoded; the cells painted: columns, and rows which lie one further.
    let rows = [
        ((126, 0xFF), (3, 3), 126..128, 4..5),
        ((0x80, 0xFF), (3, 3), 0..0, 0..0),
        ((5, 5), (126, 0xFF), 5..6, 127..128),
        ((5, 5), (127, 0xFF), 0..0, 0..0),
        ((6, 5), (3, 9), 0..0, 0..0),
        ((5, 6), (9, 3), 0..0, 0..0),
        ((0, 0xFF), (0, 0xFF), 0..128, 1..128),
    ];
    for (columns, rows, inside, lines) in rows {
        for (kind, painted) in [(0, 0x05), (1, 0xF5), (2, 0xA5 & !0x20), (3, 0xF5)] {
            let mask = if kind == 2 { 2 } else { 5 };
            let paint = Paint {
                kind,
                columns,
                rows,
                mask,
            };
            let mut grid = vec![0xA5; 128 * 128];
            paint.apply(&mut grid);
            for (at, &cell) in grid.iter().enumerate() {
                let hit = inside.contains(&(at % 128)) && lines.contains(&(at / 128));
                let expected = if hit { painted } else { 0xA5 };
                assert_eq!(cell, expected, "{paint:?}, cell {at}");
            }
        }
    }
}

/// Contexts that walk each other in a ring: all end up parked, none is lost, and an owner frees them.
#[test]
fn rings_of_contexts_end() {
    let mut vm = Vm::<3>::new(Compat::Retail);
    for (index, source) in [
        "walk_to@2 1, 1, 0",
        "walk_to@3 1, 1, 0",
        "walk_to@1 1, 1, 0",
    ]
    .iter()
    .enumerate()
    {
        let code = asm(&format!("again: {source}\njmp again"));
        vm.contexts[index] = Context {
            flags: flag::RUN,
            ..Context::new(index as u16 + 1, code, 0)
        };
    }
    let mut slices = 0;
    for _ in 0..200 {
        vm.frame(&mut Absent, 64, |_, end| {
            assert!(!matches!(end, SliceEnd::Fault(_)), "{end:?}");
            slices += 1;
        });
    }
    assert!(slices > 100);
    assert!(vm.contexts.iter().all(|it| (it.x, it.z) == (192, 192)));
}

/// A record that spawns itself each frame fills the pool and no more.
#[test]
fn spawns_that_spawn_end() {
    let mut vm = Vm::<8>::new(Compat::Retail);
    let code = asm("again: spawn_record 9\nnop.f\njmp again");
    let none = || core::iter::empty::<u16>();
    let spawn = |vm: &mut Vm<'static, 8>| {
        vm.spawn_beat(Beat {
            script_id: 9,
            code,
            pc0: 0,
            blocked_by: none(),
            needs: none(),
        })
    };
    spawn(&mut vm);
    for _ in 0..20 {
        let mut host = Recorder::default();
        vm.frame(&mut host, 64, |_, _| {});
        for _ in host.heard {
            spawn(&mut vm);
        }
    }
    assert!(vm.contexts.iter().all(|it| it.live));
    assert!(vm.counters.dropped > 8);
}

/// A balloon's text may be as long as a record, and be read a thousand times in a slice: it counts as its length.
#[test]
fn long_texts_take_their_part_of_the_budget() {
    let mut code = vec![0x4C, 0xE1];
    code.resize(60_002, b'a');
    // The end of the text, and back to the beginning.
    code.extend([0, 0x26]);
    code.extend((0x1_0000 - 60_004_u32).to_le_bytes()[..2].to_vec());
    let mut vm = Vm::<1>::new(Compat::Retail);
    vm.contexts[0] = Context::new(5, &code, 0);
    let mut other = vm.clone();
    let mut balloons = 0;
    let end = vm.slice_with(&mut Absent, 0, 1024, |pc, _| balloons += u32::from(pc == 0));
    let SliceEnd::Fault(fault) = end else {
        panic!("{end:?}")
    };
    assert_eq!((fault.kind, balloons), (FaultKind::Budget(1024), 5));
    assert_eq!(other.slice(&mut Absent, 0, 1024), end);
    assert_eq!(other.contexts, vm.contexts);
    // With one in mid-slice the next frame goes on.
    assert!([0, 60_003].contains(&vm.contexts[0].pc));
}

/// A jump of `4C` costs a step, however far it goes.
#[test]
fn far_jumps_are_no_texts() {
    let source = "near: jabsent 0x33, far\n nop.f\n".to_owned()
        + &"nop.24\n".repeat(30_000)
        + "far: jmp near\n";
    let mut vm = Vm::<1>::new(Compat::Retail);
    vm.contexts[0] = Context::new(5, asm(&source), 0);
    let mut other = vm.clone();
    let mut jumps = 0;
    let end = vm.slice_with(&mut Absent, 0, 1024, |pc, _| jumps += u32::from(pc == 0));
    let SliceEnd::Fault(fault) = end else {
        panic!("{end:?}")
    };
    assert_eq!((fault.kind, jumps), (FaultKind::Budget(1024), 512));
    assert_eq!(other.slice(&mut Absent, 0, 1024), end);
}

/// Slices take a shorter way for simple instructions: each step is as `step` does it.
#[test]
fn slices_do_what_steps_do() {
    let opcodes: Vec<u8> = (0x21..=0x7F).chain([0xA1, 0xA6, 0xD2, 0xF2]).collect();
    let mut noise = Noise(99);
    let mut steps = 0;
    for round in 0..20_000 {
        let mut code = Vec::new();
        while code.len() < 12 {
            // Mostly simple ones, with operands that reach into the record.
            let opcode = opcodes[noise.rand() as usize % opcodes.len()];
            code.extend([opcode, noise.rand() as u8 & 0x1F, noise.rand() as u8 & 7]);
            code.truncate(12 - round % 3);
            if code.len() >= 10 {
                break;
            }
        }
        let compat = if round & 1 == 0 {
            Compat::Retail
        } else {
            Compat::Port
        };
        let mut one = Vm::<1>::new(compat);
        one.contexts[0] = Context {
            local_flags: 0x5A5A,
            ..Context::new(0x46, &code, 0)
        };
        one.state.system.0.fill(0x33);
        let mut other = one.clone();
        let end = one.slice(&mut Absent, 0, 20);
        let traced = other.slice_with(&mut Absent, 0, 20, |_, _| steps += 1);
        assert_eq!(end, traced, "{code:02X?}");
        assert_eq!(one.contexts, other.contexts, "{code:02X?}");
        assert_eq!(one.state, other.state, "{code:02X?}");
    }
    assert!(steps > 20_000);
}

/// P16: all programs of up to three bytes under both readings. A debug build, which notices overflows, takes a
/// sample of the third byte; `tests/src/bin/programs.rs` plays all of them wherever all checks run.
#[test]
fn all_short_programs_are_survived() {
    let all: Vec<u8> = (0..=255).collect();
    let third = if cfg!(debug_assertions) {
        &[0, 0x21, 0xFF][..]
    } else {
        &all
    };
    let programs: u32 = all.iter().map(|&it| survive::short(it, third)).sum();
    // The empty one is tried once for each first byte.
    assert_eq!(programs, 256 * (2 + 256 * (1 + third.len() as u32)));
}

/// P16: random programs of 4 to 16 bytes under both readings, a million in release builds.
#[test]
fn random_programs_are_survived() {
    let count = if cfg!(debug_assertions) {
        25_000
    } else {
        1_000_000
    };
    survive::random(0x1234_5678, count);
}
