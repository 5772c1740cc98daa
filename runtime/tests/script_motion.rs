//! The walk kernel and ambient streams (motion sheet).

#[path = "script/host.rs"]
mod host;
#[path = "script/source.rs"]
mod source;

use host::Recorder;
use overworld_runtime::script::context::{Context, Place, flag};
use overworld_runtime::script::dialog::{Buttons, Conversation, Phase};
use overworld_runtime::script::host::Absent;
use overworld_runtime::script::task::Task;
use overworld_runtime::script::{Compat, FaultKind, SliceEnd, Vm};
use source::{asm, hex};

/// A context parked on an instruction.
fn parked(code: &str, at: (i16, i16), heading: u16) -> Vm<'static, 3> {
    let mut vm = Vm::new(Compat::Retail);
    let saved = Some(Place::new(hex(code), 0));
    let (x, z) = at;
    vm.contexts[0] = Context {
        flags: flag::HALT,
        saved,
        x,
        z,
        heading,
        ..Context::new(0x46, &[], 0)
    };
    vm
}

/// X, Z and heading after each frame until the kernel lets go, that one included.
fn walk(vm: &mut Vm<'_, 3>, dt: u8) -> Vec<(i16, i16, u16)> {
    let mut host = Recorder {
        dt,
        ..Recorder::default()
    };
    let mut seen = Vec::new();
    while vm.contexts[0].halted() && seen.len() < 5000 {
        vm.walk(&mut host, 0);
        let it = vm.contexts[0];
        seen.push((it.x, it.z, it.heading));
    }
    seen
}

/// M1: the larger axis first, then both; 8 units a frame are bits 2.
#[test]
fn m1_walk_to() {
    // Tile (1, 1) is (192, 192): 24 and 8 units away.
    let mut vm = parked("47 01 01 02", (168, 184), 5);
    let expected = [(176, 184, 0xC00), (184, 184, 0xC00), (192, 192, 0xA00)];
    assert_eq!(walk(&mut vm, 1), expected);
    assert_eq!(vm.contexts[0].wait_accum, 0);
    // The example of 2.2, from 8 units short of (2240, 3520): 4 a frame at bits 3, mode 3 as the default.
    let mut vm = parked("C7 46 11 1B 33", (2240, 3512), 0x800);
    assert_eq!(walk(&mut vm, 1), [(2240, 3516, 0x800), (2240, 3520, 0x800)]);
    // Already there: done at once, heading kept.
    let mut vm = parked("47 01 01 02", (192, 192), 77);
    assert_eq!(walk(&mut vm, 1), [(192, 192, 77)]);
    // A tick of two display frames walks twice as far.
    let mut vm = parked("47 01 01 02", (160, 192), 0);
    assert_eq!(walk(&mut vm, 2), [(176, 192, 0xC00), (192, 192, 0xC00)]);
}

/// M3: an arc is its host's; M4: what is no walk is done; a fresh context waits for its owner.
#[test]
fn m3_and_m4() {
    let mut host = Recorder::default();
    for (code, done) in [
        ("43 00 01 02 03", false),
        // M3's one byte: the kernel does not read the operands of what others end.
        ("43", false),
        ("C3 46", false),
        ("21", true),
        ("4C 61 00", false),
        ("4C 85 00 00", true),
        ("4C", true),
        ("47 01 01", true),
        ("", true),
        ("4C 80 01", false),
        ("22 01", true),
    ] {
        let mut vm = parked(code, (1, 2), 3);
        let before = vm.contexts[0];
        vm.walk(&mut host, 0);
        assert_eq!(vm.contexts[0].halted(), !done, "{code}");
        let after = Context {
            flags: before.flags,
            ..vm.contexts[0]
        };
        assert_eq!(after, before);
    }
    let mut vm = parked("", (0, 0), 0);
    vm.contexts[0].saved = None;
    vm.walk(&mut host, 0);
    assert!(vm.contexts[0].halted());
}

#[test]
fn m5_and_m6_turns() {
    let headings = |code, heading, dt| -> Vec<u16> {
        walk(&mut parked(code, (0, 0), heading), dt)
            .into_iter()
            .map(|it| it.2)
            .collect()
    };
    // M5 in the retail heading space: from Z+ to X+.
    assert_eq!(headings("38 06 04", 0x800, 1), [0x900, 0xA00, 0xB00, 0xC00]);
    // M6: the port's LUT entry 0x400 is retail's index 2. Raw, unmasked, until the snap.
    assert_eq!(headings("38 82 04", 0xF00, 2), [0x1180, 0x400]);
    // Decreasing, and below zero.
    assert_eq!(headings("38 06 82", 0x200, 1), [0xFF00, 0xC00]);
    // An index of no direction leaves the heading.
    assert_eq!(headings("38 09 04", 0x123, 1), [0x123]);
    // The shortest way down.
    assert_eq!(headings("38 80 02", 0x200, 1), [0x100, 0x000]);
}

#[test]
fn turns_toward_an_actor() {
    let mut vm = parked("4C 85 02 00 47", (0, 0), 0x400);
    vm.contexts[1] = Context {
        x: 0,
        z: -100,
        ..Context::new(0x47, &[], 0)
    };
    // Bearing of Z- is 0x800; plus 0x800 is retail heading 0.
    let headings: Vec<u16> = walk(&mut vm, 1).into_iter().map(|it| it.2).collect();
    assert_eq!(headings, [0x200, 0x000]);
    let mut gone = parked("4C 8F 02 00 99", (0, 0), 0x400);
    assert_eq!(walk(&mut gone, 1), [(0, 0, 0x400)]);
}

/// D1 and D2, and that the pace does not change the way.
#[test]
fn d1_and_d2_glides() {
    let mut vm = parked("37 41 82", (1000, 1000), 0x123);
    let seen = walk(&mut vm, 1);
    assert_eq!(seen.len(), 32);
    assert_eq!(seen[0], (992, 992, 0x123));
    assert_eq!(seen[31], (744, 744, 0x123));
    assert_eq!(walk(&mut parked("41 06 40", (5, 6), 0), 1), [(5, 6, 0)]);
    // 41 goes half as far; three display frames a tick end at the same place.
    for dt in [1, 3] {
        let seen = walk(&mut parked("41 06 43", (0, 0), 0), dt);
        assert_eq!(seen.last(), Some(&(192, 0, 0)), "{dt}");
    }
}

/// P7 to P13 of the field sheet: units of the first frame, walked by the machine under both readings of
/// the ladder. The axis walks multiply first, the walk to a tile takes the quotient first.
#[test]
fn p7_to_p13_walks() {
    use overworld_runtime::field::Compat as Readings;
    let first = |code: &str, dt, field| {
        let mut vm = parked(code, (0, 64), 0);
        vm.field = field;
        let mut host = Recorder {
            dt,
            ..Recorder::default()
        };
        vm.walk(&mut host, 0);
        i32::from(vm.contexts[0].x)
    };
    let bare = Readings {
        step_floor: false,
        ..Readings::SHEET
    };
    // The upstream port: always one vertical blank (row 35).
    let port = Readings {
        glide_frames: false,
        ..Readings::SHEET
    };
    // 37 and 41 along +X: the bits lie in bit 7 of the first operand and bits 6 and 7 of the second.
    for (number, opcode, bits, retail) in [
        (7, 0x37, 0, [32, 64]),
        (8, 0x37, 2, [8, 16]),
        (9, 0x37, 5, [1, 2]),
        (10, 0x37, 6, [0, 1]),
        (11, 0x41, 0, [16, 32]),
        (12, 0x41, 4, [1, 2]),
        (13, 0x41, 5, [0, 1]),
    ] {
        let [b0, b1] = [6 | (bits & 4) << 5, 5 | (bits & 3) << 6];
        let code = format!("{opcode:02X} {b0:02X} {b1:02X}");
        for (dt, units) in [1, 2].into_iter().zip(retail) {
            assert_eq!(first(&code, dt, bare), units, "P{number}");
            assert_eq!(first(&code, dt, Readings::SHEET), units.max(1), "P{number}");
            assert_eq!(first(&code, dt, port), retail[0].max(1), "P{number}");
        }
    }
    // 47 to tile (100, 0): two display frames are twice the quotient.
    for (bits, units, floored) in [(0, 64, 64), (5, 2, 2), (6, 0, 2), (7, 0, 2)] {
        let code = format!("47 64 00 {bits:02X}");
        assert_eq!(first(&code, 2, bare), units, "{bits}");
        assert_eq!(first(&code, 2, Readings::SHEET), floored, "{bits}");
        assert_eq!(first(&code, 2, port), floored / 2, "{bits}");
    }
}

/// The way of an axis walk does not depend on its pace nor on the tick, also where the ladder's floor
/// hastens it (2.1).
#[test]
fn the_way_of_a_glide_is_fixed() {
    for (opcode, way) in [(0x37, 3 * 0x80), (0x41, 3 * 0x40)] {
        for bits in 0..8 {
            let [b0, b1] = [6 | (bits & 4) << 5, 3 | (bits & 3) << 6];
            let code = format!("{opcode:02X} {b0:02X} {b1:02X}");
            for dt in 1..=4 {
                let seen = walk(&mut parked(&code, (0, 0), 0), dt);
                assert_eq!(seen.last(), Some(&(way, 0, 0)), "{code}, {dt}");
            }
        }
    }
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

/// An ambient stream with one variant that always matches.
fn ambient(code: &str, at: (i16, i16), heading: u16) -> Vm<'static, 3> {
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
