//! Frames, walks, ambient streams and conversations, and what hostile scripts get.

#[path = "script/host.rs"]
mod host;

use host::Recorder;
use overworld_runtime::script::asm::{Name, assemble};
use overworld_runtime::script::context::{Context, Place, flag};
use overworld_runtime::script::dialog::{Buttons, Conversation, Phase};
use overworld_runtime::script::host::*;
use overworld_runtime::script::mover::{Curve, Mover};
use overworld_runtime::script::state::{Paint, Word};
use overworld_runtime::script::text::{NameKind, Page, Picker, TextBox, Token, Tokens};
use overworld_runtime::script::{Beat, Compat, FaultKind, Outcome, SliceEnd, Spawn, Vm};

fn asm(source: &str) -> &'static [u8] {
    let mut out = vec![0; source.len() + 16];
    let mut names = vec![Name::default(); 64];
    let len = assemble(source, &mut out, &mut names).unwrap_or_else(|error| panic!("{error}"));
    out.truncate(len);
    out.leak()
}

fn hex(text: &str) -> &'static [u8] {
    let digits = |it| u8::from_str_radix(it, 16).expect("hexadecimal");
    text.split_whitespace()
        .map(digits)
        .collect::<Vec<_>>()
        .leak()
}

/// A context parked on an instruction.
fn parked(code: &str, at: (i16, i16), heading: u16) -> Vm<'static, 3> {
    let mut vm = Vm::new(Compat::Retail);
    let saved = Some(Place {
        code: hex(code),
        pc: 0,
    });
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
        ("21", true),
        ("4C 61 00", true),
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
        x: 104,
        z: 40,
        ..Context::new(1, &[], 0)
    };
    vm.player = Some(1);
    assert_eq!(tick(&mut vm, 1), (0, 0, 0xC00, 0));
    vm.contexts[1].x = 105;
    assert_eq!(tick(&mut vm, 1), (4, 0, 0xC00, 0));
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
    // A negative duration is over at once, the longest there is is not.
    let mut vm = ambient("0D 02 FF FF 12 00", (0, 0), 0);
    assert_eq!(tick(&mut vm, 1), (0, 0, 0, 4));
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

/// The default bearing is that of the field sheet, not a compass point.
#[test]
fn hosts_know_bearings() {
    for (to, bearing) in [([3, 4], 0x1A3), ([-7, -7], 0xA00), ([0, 0], 0)] {
        assert_eq!(Absent.bearing([0, 0], to), bearing);
    }
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
    for code in ["", "21", "03 63", "FF"] {
        let mut vm = ambient(code, (0, 0), 0);
        tick(&mut vm, 1);
        assert_eq!(
            (vm.contexts[0].stream.len(), vm.counters.streams),
            (0, 1),
            "{code}"
        );
    }
    // Ops that never yield are capped, and go on in the next tick.
    let mut vm = ambient("07 09 00 07 0A 00 01", (0, 0), 0);
    // 256 ops are 85 rounds of three and one more.
    assert_eq!([0; 2].map(|_| tick(&mut vm, 1).3), [3, 6]);
    assert_eq!(vm.counters.streams, 0);
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

/// Rows of the whole: who runs in a frame, and what stops everybody.
#[test]
fn frames_serve_who_may_run() {
    let idle = asm("again: nop.f\njmp again");
    let mut vm = Vm::<4>::new(Compat::Retail);
    vm.contexts[0] = Context::new(9, idle, 0);
    vm.system = Some(0);
    vm.contexts[1] = Context {
        flags: flag::RUN,
        ..Context::new(1, idle, 0)
    };
    vm.contexts[2] = Context::new(2, idle, 0);
    vm.contexts[3] = Context {
        flags: flag::RUN | flag::DYING,
        ..Context::new(3, idle, 0)
    };
    let mut ran = Vec::new();
    vm.frame(&mut Absent, 256, |id, end| ran.push((id, end)));
    assert_eq!(ran, [(0, SliceEnd::FrameEnd), (1, SliceEnd::FrameEnd)]);
    assert!(!vm.contexts[3].live);
    vm.state.global = 0x400;
    vm.frame(&mut Absent, 256, |id, _| panic!("{id} ran"));
}

/// A walk begins in the frame of its instruction; the script goes on in the frame after its end.
#[test]
fn a_script_waits_for_its_walk() {
    let mut vm = Vm::<2>::new(Compat::Retail);
    let code = asm("glide 6, 1\nsset 1\nnop.f");
    vm.contexts[0] = Context {
        flags: flag::RUN,
        ..Context::new(1, code, 0)
    };
    // 32 units a frame for four frames.
    for x in [32, 64, 96, 128] {
        assert!(!vm.state.system.test(1));
        vm.frame(&mut Absent, 256, |_, _| {});
        assert_eq!(vm.contexts[0].x, x);
    }
    vm.frame(&mut Absent, 256, |_, _| {});
    assert!(vm.state.system.test(1));
}

/// Who walks another actor waits at the next instruction for it; an owner can let it go.
#[test]
fn a_caller_waits_for_the_actor_it_walks() {
    let mut vm = Vm::<2>::new(Compat::Retail);
    let code = asm("walk_to@0x46 3, 1, 0\nctst@0x46 10\ncset@0x46 0\nsset 1\nnop.f");
    vm.contexts[0] = Context {
        flags: flag::RUN,
        ..Context::new(1, code, 0)
    };
    vm.contexts[1] = Context {
        x: 192,
        z: 192,
        ..Context::new(0x46, &[], 0)
    };
    let mut ends = Vec::new();
    for _ in 0..9 {
        vm.frame(&mut Absent, 256, |_, end| ends.push(end));
    }
    assert_eq!(
        (vm.contexts[1].x, vm.contexts[1].flags & flag::HALT),
        (448, 0)
    );
    assert_eq!(ends[0], SliceEnd::Yielded);
    assert!(ends[1..].iter().all(|it| *it == SliceEnd::Parked));

    let code = asm("cset@0x46 10\ncclr@0x46 10\nmove_to@0x46 9, 9\nnop.f");
    vm.contexts[0] = Context {
        flags: flag::RUN,
        ..Context::new(1, code, 0)
    };
    vm.frame(&mut Absent, 256, |_, _| {});
    assert_eq!(vm.contexts[1].x, 9 * 128 + 64);
}

/// To walk the player parks the script that does it as well.
#[test]
fn walking_the_player_parks_the_caller() {
    let mut vm = Vm::<2>::new(Compat::Retail);
    vm.player = Some(1);
    vm.contexts[0] = Context {
        flags: flag::RUN,
        ..Context::new(1, asm("glide@player 6, 1\nnop.f"), 0)
    };
    vm.contexts[1] = Context::new(0x77, &[], 0);
    vm.step(&mut Absent, 0);
    assert!(vm.contexts[0].halted() && vm.contexts[1].halted());
}

#[test]
fn ramps_run_over_display_frames() {
    let mut vm = Vm::<1>::new(Compat::Retail);
    let code = asm("ramp.scale 1000, 4\nramp.f24 -7, 3\nnop.f\ndone: nop.f\njmp done");
    vm.contexts[0] = Context {
        flags: flag::RUN,
        ..Context::new(1, code, 0)
    };
    let mut seen = Vec::new();
    for _ in 0..5 {
        vm.frame(&mut Absent, 256, |_, _| {});
        seen.push((vm.contexts[0].scale, vm.contexts[0].f24));
    }
    // end + (start - end) * remaining / total, toward zero: -7 + 7*2/3 = -7 + 4.
    assert_eq!(
        seen,
        [(250, -3), (500, -5), (750, -7), (1000, -7), (1000, -7)]
    );
    assert!(vm.state.ramps.is_empty());
    // A full pool drops and counts.
    for _ in 0..70 {
        vm.contexts[0].pc = 0;
        vm.step(&mut Absent, 0);
    }
    assert_eq!((vm.state.ramps.len(), vm.state.ramps.dropped), (63, 7));
    // Ramps of a freed context go with it, also where the place is taken again at once.
    vm.remove(0);
    assert!(vm.state.ramps.is_empty());
    vm.insert(Context::new(2, &[], 0)).expect("room");
    vm.frame(&mut Absent, 256, |_, _| {});
    assert_eq!(vm.contexts[0].scale, 0);
}

#[test]
fn ramps_of_others_outlive_a_freed_context() {
    let mut vm = Vm::<2>::new(Compat::Retail);
    for place in 0..2 {
        vm.contexts[place] = Context::new(1, asm("ramp.scale 1000, 4"), 0);
        vm.step(&mut Absent, place as u8);
    }
    vm.remove(0);
    assert_eq!(vm.state.ramps.len(), 1);
    vm.frame(&mut Absent, 256, |_, _| {});
    assert_eq!(vm.contexts[1].scale, 250);
}

/// The system script answers to FB and to its flat id; a record with the number FB is another one (9.3).
#[test]
fn the_system_script_is_a_role() {
    let mut vm = Vm::<4>::new(Compat::Retail);
    let source = "nop.24\nface@system 6, 0\nnop.f\nagain: nop.f\njmp again";
    let system = Context::new(3, asm(source), 0);
    let (id, end) = vm.install_system(&mut Absent, system, 16).expect("room");
    assert_eq!((id, end), (0, Some(SliceEnd::FrameEnd)));
    assert_eq!(vm.contexts[0].heading, 0xC00);
    // Record 251 gets no slice of its own, and its FB is not itself.
    vm.contexts[1] = Context::new(0xFB, asm("lset@system 1\nlset@3 2"), 0);
    // So does record 248's F8.
    vm.contexts[2] = Context::new(0xF8, asm("lset@player 1"), 0);
    vm.contexts[3] = Context::new(4, &[], 0);
    vm.player = Some(3);
    let mut ran = Vec::new();
    vm.frame(&mut Absent, 256, |id, _| ran.push(id));
    assert_eq!(ran, [0]);
    for place in [1, 1, 2] {
        vm.step(&mut Absent, place);
    }
    let flags = vm.contexts.each_ref().map(|it| it.local_flags);
    assert_eq!(flags, [0b110, 0, 0, 0b10]);
    // Halted, it still is not waited for.
    vm.contexts[0].flags |= flag::HALT;
    vm.contexts[1].pc = 0;
    assert_eq!(vm.step(&mut Absent, 1), Outcome::Advance(3));
    vm.remove(0);
    assert_eq!((vm.system, vm.resolve(0xFB)), (None, None));
}

#[test]
fn timed_flags_tell_and_expire() {
    let mut vm = Vm::<1>::new(Compat::Retail);
    let code = asm("timed_flags 0x101, 0x102, 5, 3\nnop.f\ndone: nop.f\njmp done");
    vm.contexts[0] = Context {
        flags: flag::RUN,
        ..Context::new(1, code, 0)
    };
    let mut seen = Vec::new();
    for _ in 0..5 {
        vm.frame(&mut Absent, 256, |_, _| {});
        seen.push((vm.state.system.test(0x102), vm.state.system.test(0x101)));
    }
    assert_eq!(
        seen,
        [
            (false, false),
            (false, false),
            (true, false),
            (true, false),
            (true, true)
        ]
    );
}

/// The curves' examples in 7.18.
#[test]
fn the_camera_follows_its_curves() {
    for (curve, values) in [
        (1, [250, 500, 750]),
        (2, [437, 750, 937]),
        (3, [62, 250, 562]),
        (4, [125, 500, 875]),
        (0, [250, 500, 750]),
    ] {
        let seen = [25, 50, 75].map(|t| Curve::from(curve).at(0, 1000, t, 100));
        assert_eq!(seen, values, "curve {curve}");
    }
    for curve in [
        Curve::Linear,
        Curve::EaseOut,
        Curve::EaseIn,
        Curve::EaseInOut,
    ] {
        // The whole range, a glide of one frame, none at all.
        let at = |t, d| curve.at(i16::MIN, i16::MAX, t, d);
        assert_eq!(
            (at(0, 1), at(1, 1), at(0, 0)),
            (i16::MIN, i16::MAX, i16::MAX)
        );
        assert_eq!(curve.at(7, 7, 3, 9), 7);
        assert_eq!(at(0xFFFE, 0xFFFF).signum(), 1);
    }
    // V43, twice: at once, and over four frames of which two pass in a tick.
    let values = [0x34, 0x12, 0x78, 0x56];
    let event = |apply| CameraEvent::Configure {
        mask: 0x201,
        values: &values,
        apply,
        curve: 1,
    };
    let mut live = [1; 10];
    assert_eq!(Mover::configure(event(0), &mut live), None);
    assert_eq!(live, [4660, 1, 1, 1, 1, 1, 1, 1, 1, 22136]);
    let mut live = [0; 10];
    let mut mover = Mover::configure(event(4), &mut live).expect("a glide");
    assert!(!mover.tick(3, &mut live));
    assert_eq!((live[0], live[9]), (3495, 16602));
    assert!(mover.tick(3, &mut live));
    assert_eq!((live[0], live[1], live[9]), (4660, 0, 22136));
}

/// Beats start where their conditions hold, and a full pool is no fault (9.4, 9.5).
#[test]
fn beats_are_gated() {
    let mut vm = Vm::<2>::new(Compat::Retail);
    let code = asm("sset 0x225\nnop.f\ndone: nop.f\njmp done");
    let beat = |blocked: &'static [u16], needs: &'static [u16]| Beat {
        script_id: 9,
        code,
        pc0: 0,
        blocked_by: blocked.iter().copied(),
        needs: needs.iter().copied(),
    };
    assert_eq!(vm.spawn_beat(beat(&[], &[7])), Spawn::Blocked);
    assert_eq!(vm.spawn_beat(beat(&[0x225], &[])), Spawn::Started(0));
    vm.frame(&mut Absent, 256, |_, _| {});
    // The one-shot latch.
    assert_eq!(vm.spawn_beat(beat(&[0x225], &[])), Spawn::Blocked);
    assert_eq!(vm.spawn_beat(beat(&[], &[0x225])), Spawn::Started(1));
    assert_eq!(vm.spawn_beat(beat(&[], &[])), Spawn::Full);
    assert_eq!(vm.counters.dropped, 1);
}

/// Only a record that opens on a 24 or 25 runs while it is installed (3.3).
#[test]
fn prologues_are_gated() {
    let mut vm = Vm::<3>::new(Compat::Retail);
    for (source, end) in [
        (
            "nop.24\nface 6, 0\nnop.f\nface 4, 0\nnop.f",
            Some(SliceEnd::FrameEnd),
        ),
        ("nop.25\nface 6, 0\n.text \"Hi\"", Some(SliceEnd::Text)),
        ("nop.48\nface 6, 0\nnop.f", None),
    ] {
        let context = Context::new(5, asm(source), 0);
        let (id, ended) = vm.install(&mut Absent, context, 256).expect("room");
        assert_eq!(ended, end, "{source}");
        let heading = if end.is_some() { 0xC00 } else { 0 };
        assert_eq!(vm.contexts[usize::from(id)].heading, heading);
    }
    assert!(
        vm.install(&mut Absent, Context::new(5, &[], 0), 256)
            .is_none()
    );
}

#[test]
fn text_is_made_of_tokens() {
    let text = hex("41 20 7C 5E 2D C1 63 C5 45 CE 03 CF 07 FF 02 C6 00 E1 C1");
    let expected = [
        Token::Glyph(0x41),
        Token::Space,
        Token::NewLine,
        Token::Icon(0),
        Token::Name(NameKind::Character, 99),
        Token::Name(NameKind::Art, 0x45),
        Token::Icon(3),
        Token::Colour(7),
        Token::Colour(2),
        Token::Pair(0xC6, 0),
        Token::Glyph(0xE1),
    ];
    assert_eq!(Tokens::new(text).collect::<Vec<_>>(), expected);
}

#[test]
fn boxes_and_pickers_have_the_sheets_measures() {
    let mut text = TextBox::new();
    for line in [&b"One"[..], b"T", b""] {
        assert!(text.has_room());
        text.push(line);
    }
    assert!(!text.has_room());
    assert_eq!((text.height(), text.hand()), (42, (266, 148 + 45 - 19)));
    text.tick(false);
    assert_eq!(text.rows().map(|it| it.1).collect::<Vec<_>>(), [1, 0, 0]);
    text.tick(true);
    assert!(text.is_full());
    // Scrolled: the oldest row leaves for the new one.
    text.turn(Page::Scroll);
    text.push(b"New");
    let rows: Vec<_> = text.rows().collect();
    assert_eq!(rows, [(&b"T"[..], u16::MAX), (b"", u16::MAX), (b"New", 0)]);
    assert!(!text.is_full());

    // Entries are relative to their own place.
    let code = hex("21 28 10 00 20 00 FE FF 24 1F 41 00 1F 42 00 1F 43 05");
    let mut picker = Picker::read(code, 1).expect("a picker");
    assert_eq!(picker.labels(), [b"A", b"B", b"C"]);
    assert_eq!(picker.area(), (148 + 7, 56 - 15));
    assert_eq!(picker.target(), 2 + 0x10);
    picker.step(false);
    assert_eq!(
        (picker.cursor, picker.target(), picker.hand()),
        (2, 4, (32, 155 + 30))
    );
    picker.step(true);
    assert_eq!(picker.cursor, 0);
    // 2A stops at the ends.
    let mut picker = Picker::read(hex("2A 01 00 02 00 1F 00 1F 00"), 0).expect("a picker");
    picker.step(false);
    assert_eq!(picker.cursor, 0);
    picker.step(true);
    picker.step(true);
    assert_eq!(picker.cursor, 1);
    assert!(Picker::read(hex("29 01 00 02 00 03 00 04"), 0).is_none());
}

const TALK: &str = "
    face 2, 0
    .text \"Hello\"
    .text \"you\"
    nop.25                   ; a new page
    .text \"Stay?\"
    .pick yes, no
    .text \"Yes\"
    .text \"No\"
yes: sset 0x101
    nop.f
no: sset 0x102
    nop.f
";

/// Talk through a script, choosing an option; the frames it took.
fn talk(down: bool) -> (Vm<'static, 2>, usize) {
    let mut vm = Vm::<2>::new(Compat::Retail);
    vm.contexts[0] = Context {
        flags: flag::MOVING,
        heading: 0x321,
        ..Context::new(7, asm(TALK), 0)
    };
    vm.contexts[1] = Context {
        z: 100,
        ..Context::new(1, &[], 0)
    };
    vm.player = Some(1);
    let mut talk = Conversation::begin(&mut vm, 0);
    assert_eq!(vm.contexts[1].flags, flag::LOCKED);
    let mut frames = 0;
    let mut pages = Vec::new();
    while talk.phase() != Phase::Over && frames < 200 {
        let full = talk.text().is_some_and(TextBox::is_full);
        let picks = talk.phase() == Phase::Picks;
        if full && !picks {
            let rows = talk
                .text()
                .expect("a box")
                .rows()
                .map(|it| it.0)
                .collect::<Vec<_>>();
            pages.push(rows.concat());
        }
        let moved = talk.picker().is_some_and(|it| it.cursor == 1) || !down;
        let buttons = Buttons {
            confirm: if picks { moved } else { full },
            down: picks && !moved,
            ..Buttons::default()
        };
        talk.tick(&mut vm, &mut Absent, buttons, 256);
        // The scheduler leaves the actor to its conversation.
        vm.frame(&mut Absent, 256, |id, _| panic!("{id} ran"));
        frames += 1;
    }
    assert_eq!(talk.fault(), None);
    assert_eq!(pages, [&b"Helloyou"[..], b"Stay?"]);
    (vm, frames)
}

#[test]
fn conversations_show_ask_and_release() {
    for (down, flags) in [(false, [true, false]), (true, [false, true])] {
        let (vm, frames) = talk(down);
        assert_eq!([0x101, 0x102].map(|it| vm.state.system.test(it)), flags);
        let actor = vm.contexts[0];
        assert_eq!(
            (actor.heading, actor.flags, actor.touch_count),
            (0x321, flag::MOVING, 0)
        );
        assert_eq!(vm.contexts[1].flags, 0);
        // One slice, eight glyphs, confirm; one slice, five glyphs, confirm; the picker; one slice.
        assert_eq!(frames, 1 + 8 + 1 + 1 + 5 + 1 + 1 + usize::from(down) + 1);
    }
}

/// Conversations of scripts that end in the middle, or never get anywhere.
#[test]
fn conversations_survive_damaged_scripts() {
    for (code, fault) in [
        ("1F 41", Some("PcRange")),
        ("1F 41 00 27 01", Some("Truncated")),
        ("1F 41 00 27 F0 FF F0 FF", Some("PcRange")),
        ("00 00", Some("PcRange")),
        ("9F 05 21", None),
        ("27", Some("Unknown")),
        ("23 01", Some("Truncated")),
        ("1F 41 00 24 21", None),
        ("1F 41 00 4C FE 01 21", None),
        ("1F 41 00 CC FF A1 01 21", None),
    ] {
        let mut vm = Vm::<1>::new(Compat::Retail);
        vm.contexts[0] = Context::new(7, hex(code), 0);
        let mut talk = Conversation::begin(&mut vm, 0);
        let buttons = Buttons {
            confirm: true,
            held: true,
            ..Buttons::default()
        };
        for _ in 0..50 {
            talk.tick(&mut vm, &mut Absent, buttons, 256);
        }
        assert_eq!(talk.phase(), Phase::Over, "{code}");
        assert_eq!(talk.fault().map(|it| it.kind.name()), fault, "{code}");
    }
}

/// Control bytes up to the last address: the program counter goes no further.
#[test]
fn conversations_end_at_the_last_address() {
    for control in [0x24, 0x25, 0x48] {
        for len in [0x1_0000, 0x1_0004] {
            let mut code = vec![control; len];
            code[..3].copy_from_slice(&[0x1F, 0x41, 0]);
            let mut vm = Vm::<1>::new(Compat::Retail);
            vm.contexts[0] = Context::new(7, &code, 0);
            let mut talk = Conversation::begin(&mut vm, 0);
            let buttons = Buttons {
                confirm: true,
                held: true,
                ..Buttons::default()
            };
            for _ in 0..4 {
                talk.tick(&mut vm, &mut Absent, buttons, 256);
            }
            assert_eq!(talk.phase(), Phase::Over);
            let fault = talk.fault().expect("a fault");
            assert_eq!((fault.kind.name(), fault.pc), ("PcRange", 0xFFFF));
        }
    }
}

/// `4C E0`: 0 is a flag of the dialogue, not a number of lines.
#[test]
fn the_line_count_survives_the_dialogue_flag() {
    let mut vm = Vm::<1>::new(Compat::Retail);
    vm.contexts[0] = Context::new(7, hex("4C E0 03 4C E0 00 4C E0 63 4C E0 66"), 0);
    let mut host = Recorder::default();
    let lines = [0; 4].map(|_| {
        vm.step(&mut host, 0);
        vm.state.word(Word::Lines)
    });
    assert_eq!(lines, [3, 3, 99, 99]);
    assert_eq!((vm.state.word(Word::Picker), host.heard.len()), (2, 4));
}

/// A host with a crawl that runs, and with the gate of two words up.
struct Busy(bool);

impl Queries for Busy {
    fn crawl_running(&self) -> bool {
        self.0
    }
    fn words_gated(&self) -> bool {
        self.0
    }
}
impl Actors for Busy {}
impl Camera for Busy {}
impl Video for Busy {}
impl Audio for Busy {}
impl Texts for Busy {}
impl Flow for Busy {}
impl Items for Busy {}
impl Walls for Busy {}

#[test]
fn a_crawl_delays_the_next_one_and_the_scene_change() {
    for (source, next) in [("3F 01 00 01 61 02 03 04", 8), ("4C 80 01 1F 41 00 21", 6)] {
        let mut vm = Vm::<1>::new(Compat::Retail);
        vm.player = Some(0);
        vm.contexts[0] = Context::new(7, hex(source), 0);
        for _ in 0..2 {
            assert_eq!(vm.slice(&mut Busy(true), 0, 16), SliceEnd::Parked);
            assert_eq!((vm.contexts[0].pc, vm.contexts[0].flags), (0, 0));
        }
        assert_eq!(
            vm.step(&mut Busy(false), 0),
            Outcome::Advance(next),
            "{source}"
        );
    }
}

/// The gate of `4C 46` and `47` clears both words, with and without ticks.
#[test]
fn a_gate_clears_two_words() {
    for code in [
        "4C 46 05 00 00 00",
        "4C 47 05 00 00 00",
        "4C 46 05 00 09 00",
        "4C 47 05 00 09 00",
    ] {
        let mut vm = Vm::<1>::new(Compat::Retail);
        vm.contexts[0] = Context::new(7, hex(code), 0);
        let words = [Word::B92C, Word::B930];
        words.iter().for_each(|&it| vm.state.set_word(it, 7));
        assert_eq!(vm.step(&mut Busy(true), 0), Outcome::Advance(6));
        assert_eq!(words.map(|it| vm.state.word(it)), [0, 0], "{code}");
        assert!(vm.state.ramps.is_empty());
    }
}

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
    // Jumps wrap, then the range is checked.
    let (outcome, mut vm) = run("26 F0 FF", |_| {});
    assert_eq!(outcome, Outcome::Advance(0xFFF1));
    assert_eq!(name(vm.step(&mut Absent, 0)), "PcRange");
    // Onto an operand: legal.
    let (outcome, mut vm) = run("26 00 00 21", |_| {});
    assert_eq!(outcome, Outcome::Advance(1));
    assert_eq!(vm.step(&mut Absent, 0), Outcome::Text);
    // A menu without a length opens, and is cleared when it is left.
    use overworld_runtime::script::state::Resume;
    let (outcome, vm) = run("49 0A", |_| {});
    assert_eq!((outcome, vm.state.resume), (Outcome::Park, Resume::Armed));
    let (outcome, vm) = run("49 0A", |vm| vm.state.resume = Resume::Done);
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

/// A host whose answers look random.
struct Noise(u32);

impl Queries for Noise {
    fn vsync_delta(&self) -> u8 {
        1 + (self.0 & 3) as u8
    }
    fn rand(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        self.0 >> 7
    }
    fn sound_busy(&self, _: u16, _: u16) -> bool {
        self.0 & 4 != 0
    }
    fn scene_busy(&self) -> bool {
        self.0 & 0x20 != 0
    }
    fn in_box(&self, _: ContextId, _: [i16; 4]) -> bool {
        self.0 & 0x40 != 0
    }
    fn floor_height(&self, x: i16, z: i16) -> Option<i16> {
        (self.0 & 0x80 != 0).then(|| x.wrapping_add(z))
    }
}

impl Actors for Noise {}
impl Camera for Noise {}
impl Video for Noise {}
impl Audio for Noise {}
impl Texts for Noise {}
impl Flow for Noise {}
impl Items for Noise {}
impl Walls for Noise {
    fn paint(&mut self, paint: Paint) {
        // Grids of any size.
        let mut grid = [0xA5; 700];
        let len = (self.0 % 700) as usize;
        paint.apply(&mut grid[..len]);
        assert!(grid.iter().all(|it| it & 0xF == 5));
    }
}

/// One program: three frames of it, and a conversation with it, in a small world.
fn survive(code: &'static [u8], compat: Compat, seed: u32) {
    let mut vm = Vm::<4>::new(compat);
    let mut host = Noise(seed);
    for (place, id) in [0xFB, 0x21, 0x46].into_iter().enumerate() {
        let saved = Some(Place { code, pc: 0 }).filter(|_| seed & 8 != 0);
        vm.contexts[place] = Context {
            flags: flag::RUN | if seed & 16 != 0 { flag::MIRROR } else { 0 },
            saved,
            stream: code,
            enable: 1,
            ..Context::new(id, code, 0)
        };
    }
    (vm.player, vm.system) = (Some(2), Some(0));
    let steps = 16;
    for _ in 0..3 {
        vm.frame(&mut host, steps, |_, end| {
            if let SliceEnd::Fault(fault) = end {
                assert!(!fault.to_string().is_empty());
            }
        });
    }
    let mut talk = Conversation::begin(&mut vm, 1);
    for _ in 0..3 {
        let buttons = Buttons {
            confirm: true,
            held: true,
            up: seed & 1 != 0,
            down: seed & 2 != 0,
        };
        talk.tick(&mut vm, &mut host, buttons, steps);
    }
}

/// Slices take a shorter way for simple instructions: each step is as `step` does it.
#[test]
fn slices_do_what_steps_do() {
    let opcodes: Vec<u8> = (0x21..=0x7F).chain([0xA1, 0xA6, 0xD2, 0xF2]).collect();
    let mut noise = Noise(99);
    let mut simple = 0;
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
        let mut seen = Vec::new();
        let end = one.slice_with(&mut Absent, 0, 20, |pc, outcome| seen.push((pc, outcome)));
        for (pc, outcome) in seen {
            assert_eq!(other.contexts[0].pc, pc);
            assert_eq!(other.step(&mut Absent, 0), outcome, "{code:02X?}");
            simple += 1;
        }
        assert_eq!(one.contexts, other.contexts, "{code:02X?}");
        assert_eq!(one.state, other.state, "{code:02X?}");
        assert!(!matches!(end, SliceEnd::Halted));
    }
    assert!(simple > 20_000);
}

/// P16: all programs of one to three bytes.
#[test]
fn all_short_programs_are_survived() {
    // Each is the start of one buffer; nothing is allocated for any of them.
    let mut programs: Vec<u8> = Vec::new();
    // In a debug build a sample of the third byte: the sub-ops' boundaries and every text class.
    let all: Vec<u8> = (0..=255).collect();
    let third = if cfg!(debug_assertions) {
        vec![0, 0x1F, 0x21, 0x7F, 0x80, 0xFF]
    } else {
        all
    };
    for a in 0..=255 {
        for b in 0..=255 {
            for &c in &third {
                programs.extend([a, b, c]);
            }
        }
    }
    let programs: &'static [u8] = programs.leak();
    for (index, code) in programs.chunks(3).enumerate() {
        survive(code, Compat::Retail, index as u32);
        if index % third.len() == 0 {
            survive(&code[..2], Compat::Retail, index as u32);
            survive(&code[..2], Compat::Port, index as u32);
            survive(&code[..1], Compat::Retail, index as u32);
        }
    }
    survive(&[], Compat::Retail, 0);
}

/// P16: random programs of 4 to 16 bytes, a million in release builds.
#[test]
fn random_programs_are_survived() {
    let count = if cfg!(debug_assertions) {
        50_000
    } else {
        1_000_000
    };
    let mut state = 0x1234_5678_u32;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    };
    let bytes: &'static [u8] = (0..count + 16)
        .map(|_| (next() >> 11) as u8)
        .collect::<Vec<_>>()
        .leak();
    for index in 0..count {
        let seed = next();
        let len = 4 + (seed % 13) as usize;
        let compat = if seed & 0x100 != 0 {
            Compat::Port
        } else {
            Compat::Retail
        };
        survive(&bytes[index..index + len], compat, seed);
    }
}
