//! The ambient stream VM (motion sheet, section 3).

use overworld_runtime::script::context::{Context, flag};
use overworld_runtime::script::dialog::{Buttons, Conversation, Phase};
use overworld_runtime::script::host::Absent;
use overworld_runtime::script::task::Task;
use overworld_runtime::script::{Compat, FaultKind, SliceEnd, Vm};

use crate::host::Recorder;
use crate::rows::difference;
use crate::source::{asm, hex};

/// An ambient stream with one variant that always matches.
pub fn ambient(code: &str, at: (i16, i16), heading: u16) -> Vm<'static, 3> {
    let mut vm = Vm::new(Compat::Retail);
    let stream = hex(&format!("FF FF 00 00 {code}"));
    let (x, z) = at;
    vm.contexts[0] = Context {
        stream,
        enable: 1,
        x,
        z,
        heading,
        ..Context::new(0x46, &[], 0)
    };
    vm
}

fn tick(vm: &mut Vm<'_, 3>, dt: u8) -> (i16, i16, u16, u16) {
    let mut host = Recorder {
        dt,
        ..Recorder::default()
    };
    vm.frame(&mut host, 256, |_, _| {});
    let it = vm.contexts[0];
    (it.x, it.z, it.heading, it.stream_pc)
}

/// Ambient steps do not come to nothing at the slow end of the ladder.
#[test]
fn slow_streams_move() {
    for bits in 5..16 {
        let mut vm = ambient(&format!("03 6{bits:X} 01 01"), (0, 0), 0);
        assert_eq!(tick(&mut vm, 1).0, 1, "{bits}");
        vm.contexts[0].x = 0;
        vm.field.step_floor = false;
        assert_eq!(tick(&mut vm, 1).0, i16::from(bits == 5), "{bits}");
    }
    // A wander of bits 6, facing its way: rand 6 is X+.
    let mut vm = ambient("18 01 81 84 04 01", (0x100, 0x100), 0xC00);
    let mut host = Recorder {
        rand: 6,
        ..Recorder::default()
    };
    vm.frame(&mut host, 256, |_, _| {});
    assert_eq!(vm.contexts[0].x, 0x101);
}

/// Where the floor of 1 hastens a step, it is over sooner: the way stays what the op says, a tile or the half of one, and a
/// wander does not leave its box. By the bare formula nobody gets anywhere.
#[test]
fn slow_streams_go_no_farther() {
    let way = |code: &str, at: (i16, i16), floor: bool| {
        let mut vm = ambient(code, at, 0xC00);
        vm.field.step_floor = floor;
        let mut host = Recorder {
            rand: 6,
            ..Recorder::default()
        };
        for ticks in 1..=300 {
            vm.frame(&mut host, 256, |_, _| {});
            let it = vm.contexts[0];
            if it.stream_pc != 0 {
                return (ticks, it.x - at.0);
            }
        }
        panic!("{code} does not end");
    };
    for bits in [5, 6, 9, 15] {
        let step = format!("03 6{bits:X} 01 05 FF");
        assert_eq!(way(&step, (0, 0), true), (128, 128), "{bits}");
        let half = format!("20 6{bits:X} 01 05 FF");
        assert_eq!(way(&half, (0, 0), true), (64, 64), "{bits}");
    }
    assert_eq!(way("03 66 01 05 FF", (0, 0), false), (255, 0));
    // Bits 6: the segment of 64 units, behind which a draw of 6 retires the op. One from 101h would end beyond 140h.
    assert_eq!(way("18 01 81 82 04 05 FF", (0x100, 0x100), true), (64, 64));
    assert_eq!(way("18 01 81 82 04 05 FF", (0x101, 0x100), true), (1, 0));
}

/// Row 29 of the field sheet's table: a stream is enough, or flag 80h is needed besides.
#[test]
fn what_enables_a_stream_is_a_reading() {
    use overworld_runtime::field::actor::flag::AMBIENT;
    use overworld_runtime::field::compat::AmbientEnable;
    for (reading, flags, moves) in [
        (AmbientEnable::Stream, 0, 1),
        (AmbientEnable::Flag, 0, 0),
        (AmbientEnable::Flag, AMBIENT, 1),
    ] {
        let mut vm = ambient("03 65 01 01", (0, 0), 0);
        vm.field.ambient = reading;
        vm.contexts[0].flags |= flags;
        assert_eq!(tick(&mut vm, 1).0, moves, "{reading:?} {flags:X}");
    }
}

/// A wander looks for the player at the three points of its cardinal: 64 or 63 ahead, 32 to each side.
#[test]
fn wanders_see_the_player_beside_their_way() {
    // Direction drawn, ahead of the walker, and its lateral axis.
    for (rand, (x, z)) in [(0, (0, -64)), (2, (-63, 0)), (4, (0, 63)), (6, (64, 0))] {
        for (side, stops) in [
            (71, true),
            (72, false),
            (-71, true),
            (-72, false),
            (0, true),
        ] {
            for far in [39, 40] {
                let mut vm = ambient("18 00 00 20 20 01", (0x800, 0x800), rand * 0x200);
                let (dx, dz) = (i16::signum(x), i16::signum(z));
                vm.contexts[1] = Context {
                    x: 0x800 + x + far * dx + side * dz.abs(),
                    z: 0x800 + z + far * dz + side * dx.abs(),
                    ..Context::new(1, &[], 0)
                };
                vm.player = Some(1);
                let mut host = Recorder {
                    rand: rand.into(),
                    ..Recorder::default()
                };
                vm.frame(&mut host, 256, |_, _| {});
                let it = vm.contexts[0];
                let moved = (it.x, it.z) != (0x800, 0x800);
                assert_eq!(moved, !stops || far == 40, "{rand}, {side}, {far}");
            }
        }
    }
}

/// A seat by script ends the wander that is under way: the next tick is a first one.
#[test]
fn a_seat_begins_the_wander_anew() {
    let mut vm = ambient("18 01 01 04 04 05 FF", (0x100, 0x100), 0xC00);
    let mut host = Recorder {
        rand: 6,
        ..Recorder::default()
    };
    vm.frame(&mut host, 256, |_, _| {});
    assert_eq!((vm.contexts[0].x, vm.contexts[0].stream_pc), (0x120, 0));
    vm.contexts[0].task = Task::new(hex("23 40 40"));
    vm.step(&mut Absent, 0);
    assert_eq!(
        (vm.contexts[0].wander, vm.contexts[0].amb_cursor),
        ((0, 0), 0)
    );
    // Outside of its box, it retires.
    vm.frame(&mut host, 256, |_, _| {});
    assert_eq!((vm.contexts[0].x, vm.contexts[0].stream_pc), (0x2040, 5));
}

#[test]
fn a1_step() {
    let mut vm = ambient("03 63 01 01", (0, 0), 0);
    for step in 1..=32 {
        let pc = if step == 32 { 3 } else { 0 };
        assert_eq!(tick(&mut vm, 1), (4 * step, 0, 0xC00, pc));
    }
    // A player in the way stops it where it is.
    let mut vm = ambient("03 63 01 01", (0, 0), 0);
    vm.contexts[1] = Context {
        x: 103,
        z: 39,
        ..Context::new(1, &[], 0)
    };
    vm.player = Some(1);
    assert_eq!(tick(&mut vm, 1), (0, 0, 0xC00, 0));
    // The edges of its box are outside.
    for (x, z) in [(104, 39), (103, 40)] {
        let mut free = vm.clone();
        (free.contexts[1].x, free.contexts[1].z) = (x, z);
        assert_eq!(tick(&mut free, 1), (4, 0, 0xC00, 0));
    }
}

#[test]
fn a2_turn() {
    let mut vm = ambient("04 06 04 01", (0, 0), 0);
    for heading in [0x300, 0x600, 0x900, 0xC00] {
        assert_eq!(tick(&mut vm, 1), (0, 0, heading, 0));
    }
    // The snap, the restart and the first part of the next turn share a tick.
    assert_eq!(tick(&mut vm, 1), (0, 0, 0xC00, 0));
    assert_eq!(vm.contexts[0].amb_cursor, 1);
}

#[test]
fn a3_wait() {
    let mut vm = ambient("05 03 01", (0, 0), 0);
    assert_eq!([0; 3].map(|_| tick(&mut vm, 2).3), [0, 2, 0]);
    // The longest one ends, whatever the tick: its byte does not go round.
    for dt in 1..=4 {
        let mut vm = ambient("05 FF 05 FF 01", (0, 0), 0);
        let ticks = (1..400).find(|_| tick(&mut vm, dt).3 == 2);
        assert_eq!(ticks, Some(255_u16.div_ceil(dt.into())), "{dt}");
    }
    // A touch ends it, once, while a default move is set.
    let mut vm = ambient("17 05 06 05 20 05 20 01", (0, 0), 0);
    vm.mailbox = Some(0);
    assert_eq!([0; 2].map(|_| tick(&mut vm, 1).3), [5, 5]);
}

#[test]
fn a4_and_wander() {
    let mut vm = ambient("18 01 01 02 02 01", (0, 0), 0);
    assert_eq!(tick(&mut vm, 1), (0, 0, 0, 5));
    // rand 6 is X+: turned by 0x100 a tick at bits 2, then 8 units a tick for 8 ticks.
    let mut vm = ambient("18 01 81 04 04 01", (0x100, 0x100), 0xB00);
    // bits: only the second byte's bit 7 is set, which is worth 4.
    let mut host = Recorder {
        rand: 6,
        ..Recorder::default()
    };
    let mut places = Vec::new();
    for _ in 0..200 {
        vm.frame(&mut host, 256, |_, _| {});
        places.push((vm.contexts[0].x, vm.contexts[0].heading));
        if vm.contexts[0].stream_pc != 0 {
            break;
        }
    }
    // 0x1000 >> 6 = 0x40 a tick: four ticks of turning, then 2 units a tick for 32 ticks.
    assert_eq!(places[3], (0x100, 0xC00));
    assert_eq!(places.len(), 4 + 32);
    assert_eq!(places.last(), Some(&(0x140, 0xC00)));
}

#[test]
fn a5_and_a6() {
    let mut vm = ambient("19 23 01 01", (100, 100), 0x800);
    assert_eq!(tick(&mut vm, 1), (96, 100, 0x800, 0));
    assert_eq!(tick(&mut vm, 1), (92, 100, 0x800, 0));
    let mut vm = ambient("0D 02 08 00 12 00", (0, 0), 0);
    for heading in [0x100, 0x200, 0x300, 0x400] {
        assert_eq!(tick(&mut vm, 2), (0, 0, heading, 0));
    }
    assert_eq!(tick(&mut vm, 2), (0, 0, 0x400, 4));
    // Downwards the start is unwrapped.
    let mut vm = ambient("0D 82 04 00 12 00", (0, 0), 0);
    assert_eq!(tick(&mut vm, 1).2, 0x1000 - 0x300);
    // Without frames, or fewer than none, it is over at once, at its end; the longest there is is not.
    for code in ["0D 02 FF FF 12 00", "0D 02 00 00 12 00"] {
        let mut vm = ambient(code, (0, 0), 0);
        assert_eq!(tick(&mut vm, 1), (0, 0, 0x400, 4), "{code}");
    }
    let mut vm = ambient("0D 02 FF 7F 12 00", (0, 0), 0);
    assert_eq!(tick(&mut vm, 1).3, 0);
}

/// Streams rest while anybody is in a conversation (3.1).
#[test]
fn streams_rest_during_a_conversation() {
    let mut vm = ambient("03 63 01 01", (0, 0), 0);
    vm.contexts[1] = Context::new(7, asm("nop.f"), 0);
    let mut talk = Conversation::begin(&mut vm, 1);
    assert_eq!(tick(&mut vm, 1), (0, 0, 0, 0));
    talk.tick(&mut vm, &mut Absent, Buttons::default(), 16);
    assert_eq!(talk.phase(), Phase::Over);
    assert_eq!(tick(&mut vm, 1), (4, 0, 0xC00, 0));
}

/// A change of model ends the animation, from a script and from a stream.
#[test]
fn a_model_change_ends_the_animation() {
    let mut vm = ambient("0E 05 00 12 00", (0, 0), 0);
    vm.contexts[0].flags = flag::ANIMATING;
    tick(&mut vm, 1);
    assert_eq!((vm.contexts[0].flags, vm.contexts[0].model), (0, 5));
    vm.contexts[0] = Context {
        flags: flag::ANIMATING | flag::MOVING,
        ..Context::new(1, hex("4C 50 06 00"), 0)
    };
    vm.step(&mut Absent, 0);
    assert_eq!(
        (vm.contexts[0].flags, vm.contexts[0].model),
        (flag::MOVING, 6)
    );
}

/// The variant whose flag is set runs, from its start, within the tick after the change.
#[test]
fn variants_follow_flags() {
    let mut vm = ambient("", (0, 0), 0);
    vm.contexts[0].stream = hex("05 00 08 00 0F 01 01 12 FF FF 00 00 0F 02 02 12 00");
    assert_eq!(tick(&mut vm, 1).0, 320);
    vm.state.system.set(5);
    vm.contexts[0].default_move = 9;
    assert_eq!(tick(&mut vm, 1), (192, 192, 0, 3));
    assert_eq!(vm.contexts[0].default_move, 0x8C);
    vm.contexts[0].enable = 0;
    vm.state.system.clear(5);
    assert_eq!(tick(&mut vm, 1).0, 192);
}

#[test]
fn hostile_streams_stop() {
    for (code, kind) in [
        ("", "PcRange"),
        ("21", "Unknown"),
        ("03 63", "Truncated"),
        ("FF", "Unknown"),
        ("0F 01 01 0D 02", "Truncated"),
    ] {
        let mut vm = ambient(code, (0, 0), 0);
        // Whoever runs the frame hears what is wrong, and where.
        let mut heard = Vec::new();
        vm.frame(&mut Absent, 256, |id, end| heard.push((id, end)));
        let [(0, SliceEnd::Fault(fault))] = heard[..] else {
            panic!("{code}: {heard:?}");
        };
        let pc = if code.starts_with("0F") { 3 } else { 0 };
        assert_eq!((fault.kind.name(), fault.script_id), (kind, 0x46), "{code}");
        assert_eq!((fault.pc, fault.in_stream), (pc, true), "{code}");
        assert!(fault.to_string().contains("in the stream of script 46"));
        assert_eq!(
            (vm.contexts[0].stream.len(), vm.counters.streams),
            (0, 1),
            "{code}"
        );
    }
    // Ops that never yield are capped, and go on in the next tick.
    let mut vm = ambient("07 09 00 07 0A 00 01", (0, 0), 0);
    // 256 ops are 85 rounds of three and one more.
    let mut faults = Vec::new();
    let places = [0; 2].map(|_| {
        vm.frame(&mut Absent, 256, |_, end| faults.push(end));
        vm.contexts[0].stream_pc
    });
    assert_eq!(places, [3, 6]);
    assert_eq!((vm.counters.streams, vm.counters.overruns), (0, 2));
    for (end, pc) in faults.into_iter().zip(places) {
        let SliceEnd::Fault(fault) = end else {
            panic!("{end:?}");
        };
        assert_eq!((fault.kind, fault.pc), (FaultKind::Budget(256), pc));
        assert!(fault.to_string().ends_with("256 ops did not end the tick"));
    }
    // Headers that go nowhere.
    let mut vm = ambient("", (0, 0), 0);
    for stream in [
        "05 00 00 00 01",
        "05 00 FF FF 01",
        "05 00 01 00 01",
        "05",
        "",
    ] {
        vm.contexts[0].stream = hex(stream);
        tick(&mut vm, 1);
    }
}

/// Ops of 3.2 that end no tick, or end it when they are done. Bytes, behind which a wait follows that does not
/// end | state | place in the stream after a tick | effects.
const OPS: &str = "\
02 05 06 | - | 3 | move_id: 5; Ambient { op: 2, operands: [5, 6] }
06 81 82 83 04 | - | 5 | unknown
07 25 02 | - | 3 | flag 225
07 25 F2 | - | 3 | flag 225
08 25 02 | flag 225 | 3 | no flag 225
08 24 02 | flag 225 | 3 | -
09 05 06 | - | 3 | Ambient { op: 9, operands: [5, 6] }
0A 05 06 | - | 3 | move_id: 5; flags: 16777216; Ambient { op: 10, operands: [5, 6] }
0B 05 06 | flags=1000001 | 3 | move_id: 5; flags: 1; Ambient { op: 11, operands: [5, 6] }
0C 01 02 03 04 05 06 07 | - | 8 | Ambient { op: 12, operands: [1, 2, 3, 4, 5, 6, 7] }
0E F2 00 | - | 3 | model: 242; SetModel(242)
0F 81 02 | - | 3 | world_x: 256; world_z: 320; move_to(256,320,player=false)
10 02 | - | 2 | flags: 4
10 12 | - | 2 | flags: 262144
10 2F | - | 2 | local_flags: 32768
10 32 | - | 2 | global: 4
11 02 | full | 2 | flags: 4294966259
11 12 | full | 2 | flags: 4294704119
11 2F | full | 2 | local_flags: 32767
11 32 | full | 2 | global: 4294966267
12 02 | flags=4 | 2 | -
12 02 | flags=40000 | 0 | -
12 12 | flags=40000 | 2 | -
12 12 | flags=4 | 0 | -
12 22 | local=4 | 2 | -
12 22 | flags=40004 | 0 | -
12 32 | global=4 | 2 | -
12 32 | local=4 | 0 | -
13 01 00 02 00 03 00 04 00 05 00 06 00 | - | 13 | VramMove { from: [1, 2], size: [3, 4], to: [5, 6] }
14 00 08 00 00 | - | 5 | scale: 2048
14 00 08 04 00 | - | 5 | scale: 512; ramp
15 FE FF 00 00 | - | 5 | f24: -2
15 F8 FF 04 00 | - | 5 | f24: -2; ramp
16 07 00 00 00 | - | 5 | f28: 7
16 08 00 01 00 | - | 5 | f28: 8
17 03 04 | - | 3 | default 3; Ambient { op: 23, operands: [3, 4] }
";

#[test]
fn ops_do_what_the_sheet_says() {
    for row in OPS.lines() {
        let cells: Vec<&str> = row.split(" | ").collect();
        let [code, setup, place, effects] = cells[..] else {
            panic!("{row}");
        };
        // A flag that none of the rows sets.
        let rest = if setup == "full" { "05 09" } else { "12 1F" };
        let mut vm = ambient(&format!("{code} {rest}"), (0, 0), 0);
        let mut host = Recorder {
            all: true,
            on: Some(0),
            ..Recorder::default()
        };
        let context = &mut vm.contexts[0];
        let (key, value) = setup.split_once('=').unwrap_or((setup, "0"));
        let value = u32::from_str_radix(value, 16).expect("hexadecimal");
        match key {
            "-" => {}
            "flags" => context.flags = value,
            "local" => context.local_flags = value as u16,
            "global" => vm.state.global = value,
            // All but what keeps a context from its tick.
            "full" => {
                (context.flags, context.local_flags) = (!flag::DYING & !flag::HALT, 0xFFFF);
                vm.state.global = !0x400;
            }
            "flag 225" => vm.state.system.set(0x225),
            _ => panic!("{row}"),
        }
        let (before, global) = (vm.contexts[0], vm.state.global);
        let flagged = vm.state.system.test(0x225);
        vm.frame(&mut host, 256, |_, end| panic!("{row}: {end:?}"));
        let mut seen = difference(&before, &vm.contexts[0]);
        if vm.state.global != global {
            seen.push(format!("global: {}", vm.state.global));
        }
        if vm.state.system.test(0x225) != flagged {
            seen.push(format!("{}flag 225", if flagged { "no " } else { "" }));
        }
        if vm.counters.unknown != 0 {
            seen.push("unknown".into());
        }
        if !vm.state.ramps.is_empty() {
            seen.push("ramp".into());
        }
        if vm.contexts[0].default_move != 0x8C {
            seen.push(format!("default {}", vm.contexts[0].default_move));
        }
        seen.extend(host.heard);
        if seen.is_empty() {
            seen.push("-".into());
        }
        assert_eq!(seen.join("; "), effects, "{row}");
        assert_eq!(vm.contexts[0].stream_pc.to_string(), place, "{row}");
    }
}

/// 3.3: `20` is half as long as `19`, `03` alone turns; a budget is a byte at most.
#[test]
fn steps_have_their_lengths() {
    for (code, ticks, x, heading) in [
        ("03 63 01 01", 32, 128, 0xC00),
        ("19 63 01 01", 32, 128, 0x123),
        ("20 63 01 01", 16, 64, 0x123),
        // The two high bits of the length mean nothing.
        ("19 63 C1 01", 32, 128, 0x123),
        // No length, and none after halving: a step all the same.
        ("03 60 00 01", 1, 32, 0xC00),
        ("20 63 00 01", 1, 4, 0x123),
        // 32 * 63 ticks, and 128 * 63.
        ("19 63 3F 01", 255, 255 * 4, 0x123),
        ("20 65 3F 01", 255, 255, 0x123),
    ] {
        let mut vm = ambient(code, (0, 0), 0x123);
        for passed in 1..=ticks {
            assert_eq!(vm.contexts[0].stream_pc, 0, "{code}, {passed}");
            // Two display frames a tick are no two steps.
            tick(&mut vm, 2);
        }
        let it = vm.contexts[0];
        assert_eq!((it.stream_pc, it.amb_cursor), (3, 0), "{code}");
        assert_eq!((it.x, it.z, it.heading), (x, 0, heading), "{code}");
    }
    // The player is in the way of all three.
    for code in ["03 63 01 01", "19 63 01 01", "20 63 01 01"] {
        let mut vm = ambient(code, (0, 0), 0xC00);
        vm.contexts[1] = Context {
            x: 64,
            ..Context::new(1, &[], 0)
        };
        vm.player = Some(1);
        assert_eq!(
            [0; 3].map(|_| tick(&mut vm, 1)),
            [(0, 0, 0xC00, 0); 3],
            "{code}"
        );
        assert_eq!(vm.contexts[0].amb_cursor, 0);
    }
}

/// 3.4: `04` goes down with bit 7, never the shortest way, and takes a frame a tick, whatever its display
/// frames.
#[test]
fn turns_go_their_way() {
    for (code, heading, seen) in [
        ("04 86 04 12 1F", 0, [0xFF00, 0xFE00, 0xFD00, 0xFC00, 0xC00]),
        (
            "04 06 04 12 1F",
            0xE00,
            [0x1180, 0x1500, 0x1880, 0x1C00, 0xC00],
        ),
        // Bits 3 to 6 mean nothing.
        ("04 7A 04 12 1F", 0, [0x100, 0x200, 0x300, 0x400, 0x400]),
        ("04 02 80 12 1F", 0, [0x400; 5]),
    ] {
        let mut vm = ambient(code, (0, 0), heading);
        let headings = [0; 5].map(|_| tick(&mut vm, 3).2);
        assert_eq!(headings, seen, "{code}");
        assert_eq!(vm.contexts[0].stream_pc, 3, "{code}");
    }
}
