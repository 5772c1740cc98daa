//! Frames, roles, ramps, the camera, beats and prologues of the field VM.

#[path = "script/host.rs"]
mod host;
#[path = "script/source.rs"]
mod source;

use host::Recorder;
use overworld_runtime::script::context::{Context, Place, flag};
use overworld_runtime::script::host::*;
use overworld_runtime::script::mover::{Curve, Mover};
use overworld_runtime::script::state::Word;
use overworld_runtime::script::task::Task;
use overworld_runtime::script::{Beat, Compat, Outcome, SliceEnd, Spawn, Vm};
use source::{asm, hex};

/// The default bearing is that of the field sheet, not a compass point.
#[test]
fn hosts_know_bearings() {
    for (to, bearing) in [([3, 4], 0x1A3), ([-7, -7], 0xA00), ([0, 0], 0)] {
        assert_eq!(Absent.bearing([0, 0], to), bearing);
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

/// Global bit 10 is asked by each actor's own handler (3.1): who sets it ends the turns of those behind, and all turns of
/// later frames.
#[test]
fn whoever_sets_bit_10_suppresses_those_behind() {
    let set = asm("gset 10\nlset 1\nnop.f\nlset 2\nend: nop.f\njmp end");
    let other = asm("lset 1\nglide 6, 1\nend: nop.f\njmp end");
    // An ambient stream that sets it (`10`), and waits.
    let stream = hex("FF FF 00 00 10 3A 05 09 01");
    for (budget, setter, by_stream) in [
        (256, 0, false),
        (256, 1, false),
        (256, 2, false),
        (256, 3, false),
        (256, 1, true),
        (256, 3, true),
        // The long way for everybody.
        (1, 1, true),
    ] {
        let mut vm = Vm::<5>::new(Compat::Retail);
        for place in 0..5 {
            let code = if place == setter && !by_stream {
                set
            } else {
                other
            };
            vm.contexts[place] = Context {
                flags: flag::RUN,
                ..Context::new(place as u16 + 1, code, 0)
            };
        }
        (vm.system, vm.player) = (Some(0), Some(2));
        if by_stream {
            (vm.contexts[setter].stream, vm.contexts[setter].enable) = (stream, 1);
        }
        let case = (budget, setter, by_stream);
        let mut ran = Vec::new();
        vm.frame(&mut Absent, budget, |id, _| ran.push(usize::from(id)));
        assert_ne!(vm.state.global & 0x400, 0, "{case:?}");
        assert_eq!(ran, (0..=setter).collect::<Vec<_>>(), "{case:?}");
        for (place, it) in vm.contexts.iter().enumerate() {
            let turn = place <= setter;
            assert_eq!(it.local_flags, if turn { 2 } else { 0 }, "{case:?}");
        }
        let before = vm.contexts;
        vm.frame(&mut Absent, 256, |id, _| panic!("{id} ran"));
        assert_eq!(vm.contexts, before, "{case:?}");
        vm.state.global = 0;
        ran.clear();
        vm.frame(&mut Absent, 256, |id, _| ran.push(usize::from(id)));
        assert!(!ran.is_empty());
    }
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

/// Who walks another actor does not go on before it has arrived, whatever comes next (7.9); an owner can
/// let it go.
#[test]
fn a_caller_waits_for_the_actor_it_walks() {
    for (walk, frames) in [
        ("walk_to@0x46 3, 1, 0", 8),
        ("glide@0x46 6, 2", 8),
        ("glide_half@0x46 6, 4", 16),
    ] {
        let mut vm = Vm::<2>::new(Compat::Retail);
        let code = asm(&format!("{walk}\nsset 1\nnop.f\nend: nop.f\njmp end"));
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
        for frame in 0..frames {
            vm.frame(&mut Absent, 256, |_, end| ends.push(end));
            assert!(!vm.state.system.test(1), "{walk}, frame {frame}");
            assert_eq!(
                vm.slice(&mut Absent, 0, 256),
                if frame + 1 == frames {
                    SliceEnd::FrameEnd
                } else {
                    SliceEnd::Halted
                }
            );
        }
        assert!(vm.state.system.test(1));
        assert_eq!(vm.contexts[1].x, 448);
        assert_eq!(ends, [SliceEnd::Yielded]);
    }
    let mut vm = Vm::<2>::new(Compat::Retail);
    let code = asm("cset@0x46 10\ncclr@0x46 10\nmove_to@0x46 9, 9\nnop.f");
    vm.contexts[0] = Context {
        flags: flag::RUN,
        ..Context::new(1, code, 0)
    };
    vm.contexts[1] = Context::new(0x46, &[], 0);
    vm.frame(&mut Absent, 256, |_, _| {});
    assert_eq!(vm.contexts[1].x, 9 * 128 + 64);
    // One that is removed, or let go by a third, is not waited for any longer.
    for remove in [false, true] {
        let mut vm = Vm::<2>::new(Compat::Retail);
        let code = asm("walk_to@0x46 99, 99, 7\nsset 1\nnop.f");
        vm.contexts[0] = Context {
            flags: flag::RUN,
            ..Context::new(1, code, 0)
        };
        vm.contexts[1] = Context::new(0x46, &[], 0);
        vm.frame(&mut Absent, 256, |_, _| {});
        if remove {
            vm.remove(1);
            // Somebody else takes the place, halted.
            let next = Context {
                flags: flag::HALT,
                ..Context::new(9, &[], 0)
            };
            assert_eq!(vm.insert(next), Some(1));
        } else {
            vm.contexts[1].flags &= !flag::HALT;
        }
        vm.frame(&mut Absent, 256, |_, _| {});
        assert!(vm.state.system.test(1), "{remove}");
    }
}

/// Who is let go and parked anew before the waiting script has its turn is waited for no longer: the walk that it waits
/// for is over.
#[test]
fn the_next_walk_of_another_is_not_waited_for() {
    for (again, number) in [
        ("walk_to@0x46 99, 1, 7", 0x201),
        ("glide@0x46 4, 63", 0x201),
    ] {
        let mut vm = Vm::<3>::new(Compat::Retail);
        let waits = asm("walk_to@0x46 99, 99, 7\nsset 0x201\nend: nop.f\njmp end");
        let owner = asm(&format!(
            "nop.f\ncclr@0x46 10\n{again}\nend: nop.f\njmp end"
        ));
        // The owner's turn comes first.
        for (place, code) in [(0, owner), (1, waits)] {
            vm.contexts[place] = Context {
                flags: flag::RUN,
                ..Context::new(place as u16, code, 0)
            };
        }
        vm.contexts[2] = Context::new(0x46, &[], 0);
        vm.frame(&mut Absent, 256, |_, _| {});
        assert_eq!(vm.contexts[1].awaits(), Some(2));
        assert!(!vm.state.system.test(number));
        vm.frame(&mut Absent, 256, |_, _| {});
        assert!(
            vm.contexts[2].halted() && vm.state.system.test(number),
            "{again}"
        );
        // The owner waits for its own.
        assert_eq!(vm.contexts[0].awaits(), Some(2));
    }
}

/// To turn another actor is no hand-off: the slice goes on (3.2). To turn oneself, or the player, is.
#[test]
fn only_the_own_turn_ends_the_slice() {
    for (source, end, set) in [
        ("face@0x46 2, 9\nsset 1\nnop.f", SliceEnd::FrameEnd, true),
        ("face 2, 9\nsset 1\nnop.f", SliceEnd::Yielded, false),
        ("face@player 2, 9\nsset 1\nnop.f", SliceEnd::Yielded, false),
    ] {
        let mut vm = Vm::<3>::new(Compat::Retail);
        let code = asm(source);
        let saved = Some(Place::new(code, 0));
        for (place, id) in [1, 0x46, 0x77].into_iter().enumerate() {
            vm.contexts[place] = Context {
                flags: flag::RUN,
                saved,
                ..Context::new(id, code, 0)
            };
        }
        vm.player = Some(2);
        assert_eq!(vm.slice(&mut Absent, 0, 256), end, "{source}");
        assert_eq!(vm.state.system.test(1), set, "{source}");
    }
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

/// An arc, a crawl and a colour change of the player's park the script that begins them; whoever ends
/// them lets both go (7.15, 7.16; menu-control sheet, 6 and 9).
#[test]
fn what_parks_the_player_is_released_with_its_script() {
    for code in [
        "C3 F8 00 5E E2 50 52 01 21",
        "C3 F8 0B 5E E2 00 00 00 00 00 52 01 21",
        "CC F8 80 01 1F 41 42 00 52 01 21",
        "CC F8 61 00 00 00 00 00 00 00 00 00 00 00 00 00 00 52 01 21",
    ] {
        for compat in [Compat::Retail, Compat::Port] {
            let mut vm = Vm::<3>::new(compat);
            vm.player = Some(1);
            vm.contexts[0] = Context {
                flags: flag::RUN,
                ..Context::new(1, hex(code), 0)
            };
            vm.contexts[1] = Context {
                flags: flag::SPECIAL_MODEL,
                ..Context::new(0x77, &[], 0)
            };
            // Halted on its own, by an owner: not theirs to let go.
            vm.contexts[2] = Context {
                flags: flag::HALT,
                ..Context::new(5, &[], 0)
            };
            vm.frame(&mut Absent, 1, |_, _| {});
            assert!(vm.contexts.iter().all(Context::halted), "{code}");
            if compat == Compat::Retail {
                for _ in 0..3 {
                    vm.frame(&mut Absent, 256, |id, _| panic!("{id} ran"));
                }
            }
            vm.release(1);
            let halted = vm.contexts.each_ref().map(|it| it.halted());
            assert_eq!(halted, [false, false, true], "{code}");
            if compat == Compat::Retail {
                vm.frame(&mut Absent, 256, |_, _| {});
                assert!(vm.state.system.test(0x201), "{code}");
            }
        }
    }
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

/// `4C 81` over time: three bytes, each on its own way (motion sheet, section 4).
#[test]
fn colours_change_byte_by_byte() {
    let mut vm = Vm::<1>::new(Compat::Retail);
    let code = asm("tint_ctrl 0x00FF40, 7, 4\nnop.f\nend: nop.f\njmp end");
    vm.contexts[0] = Context {
        flags: flag::RUN,
        tint_ctrl: 0xAA80_0100,
        ..Context::new(1, code, 0)
    };
    let seen = [0; 4].map(|_| {
        vm.frame(&mut Absent, 256, |_, _| {});
        vm.contexts[0].tint_ctrl
    });
    assert_eq!(seen, [0xAA60_4110, 0xAA40_8020, 0xAA20_C030, 0xAA00_FF40]);
    assert_eq!(vm.contexts[0].tint_amt, 7);
}

/// While its flag is set, world Y is what the mirror says, whoever writes Y (section 4).
#[test]
fn y_follows_its_mirror_every_frame() {
    let mut vm = Vm::<1>::new(Compat::Retail);
    let code = asm("mirror.set 64\nramp.y_mirror 80, 4\nnop.f\nend: nop.f\njmp end");
    vm.contexts[0] = Context {
        flags: flag::RUN,
        ..Context::new(1, code, 0)
    };
    let seen = [0; 4].map(|_| {
        vm.contexts[0].y = 5;
        vm.frame(&mut Absent, 256, |_, _| {});
        vm.contexts[0].y
    });
    assert_eq!(seen, [-68, -72, -76, -80]);
    // A tween of the host's is overruled in the same frame, one without the flag is not.
    vm.contexts[0].y = 5;
    vm.frame(&mut Absent, 256, |_, _| {});
    assert_eq!(vm.contexts[0].y, -80);
    vm.contexts[0].flags &= !flag::MIRROR;
    vm.contexts[0].y = 5;
    vm.frame(&mut Absent, 256, |_, _| {});
    assert_eq!(vm.contexts[0].y, 5);
}

/// `43 07` names a slot and turns it over its frames; `43 08` clears it (7.15).
#[test]
fn faces_turn_and_are_cleared() {
    let mut vm = Vm::<1>::new(Compat::Retail);
    let source = "actor.face_slot 3, 1, 2, 3, 4, 5, 4\nnop.f\nnop.f\nactor.face_clear\nnop.f";
    vm.contexts[0] = Context {
        flags: flag::RUN,
        ..Context::new(1, asm(source), 0)
    };
    let mut seen = Vec::new();
    for _ in 0..2 {
        vm.frame(&mut Absent, 256, |_, _| {});
        seen.push((vm.contexts[0].face, vm.contexts[0].face_lerp));
    }
    assert_eq!(seen, [(3, 0x400), (3, 0x800)]);
    vm.slice(&mut Absent, 0, 256);
    assert_eq!((vm.contexts[0].face, vm.contexts[0].face_lerp), (0, 0));
    // Without frames, and with fewer than none, at once.
    for ticks in ["0", "-3"] {
        let source = format!("actor.face_slot 9, 1, 2, 3, 4, 5, {ticks}");
        vm.contexts[0] = Context::new(1, asm(&source), 0);
        vm.step(&mut Absent, 0);
        assert_eq!((vm.contexts[0].face, vm.contexts[0].face_lerp), (9, 0x1000));
    }
}

/// `4C 4D` takes its share of the player's level; `4C E4` asks about the context's place.
#[test]
fn hosts_are_asked_for_the_level_and_about_the_place() {
    let mut vm = Vm::<1>::new(Compat::Retail);
    vm.contexts[0] = Context::new(1, asm("ramp.audio 1000, 0\nramp.audio -1000, 0"), 0);
    let mut host = Recorder {
        level: 2048,
        ..Recorder::default()
    };
    let seen = [0; 2].map(|_| {
        vm.step(&mut host, 0);
        vm.state.word(Word::B910)
    });
    assert_eq!(seen, [500, -500]);
    vm.contexts[0] = Context {
        x: 3000,
        z: -7,
        ..Context::new(1, hex("4C E4 10 10 20 20 05 00"), 0)
    };
    host.place = [3000, -7];
    assert_eq!(vm.step(&mut host, 0), Outcome::Advance(8));
    // A corner's byte 0 is coordinate 0, not the middle of its tile (7.1).
    vm.contexts[0].task = Task::new(hex("4C E4 00 01 80 00 05 00"));
    vm.contexts[0].pc = 0;
    host.corners = [0, 192, 128, 0];
    assert_eq!(vm.step(&mut host, 0), Outcome::Advance(8));
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

/// Op `44` names beats only (section 13); without a scene, any number is handed on.
#[test]
fn only_beats_are_spawned_by_number() {
    for (beats, heard, refused) in [(None, 4, 0), (Some(5..7), 2, 2)] {
        let mut vm = Vm::<1>::new(Compat::Retail);
        vm.beats = beats;
        vm.contexts[0] = Context::new(1, hex("44 04 44 05 44 06 44 07"), 0);
        let mut host = Recorder::default();
        let next = [0; 4].map(|_| vm.step(&mut host, 0));
        assert_eq!(next, [2, 4, 6, 8].map(Outcome::Advance));
        assert_eq!((host.heard.len(), vm.counters.no_beats), (heard, refused));
    }
}

/// A host with a live effect for every context.
struct Effects;

impl Queries for Effects {
    fn effect_live(&self, _: ContextId) -> bool {
        true
    }
}
impl Actors for Effects {}
impl Camera for Effects {}
impl Video for Effects {}
impl Audio for Effects {}
impl Texts for Effects {}
impl Flow for Effects {}
impl Items for Effects {}
impl Walls for Effects {}

/// `34 2n` that finds its actor: the port stays where it is.
#[test]
fn captures_wait_under_port_only() {
    for (compat, found, absent) in [
        (Compat::Retail, Outcome::Advance(2), Outcome::Advance(2)),
        (Compat::Port, Outcome::Yield(0), Outcome::Advance(2)),
    ] {
        let mut vm = Vm::<1>::new(compat);
        vm.contexts[0] = Context::new(1, hex("34 20 40 02 AA BB"), 0);
        assert_eq!(vm.step(&mut Effects, 0), found);
        vm.contexts[0].pc = 0;
        assert_eq!(vm.step(&mut Absent, 0), absent);
    }
}

/// Under the port a frame gives halted contexts their slices, as its runner does.
#[test]
fn halted_contexts_run_under_port() {
    for (compat, runs) in [(Compat::Retail, false), (Compat::Port, true)] {
        let mut vm = Vm::<1>::new(compat);
        vm.contexts[0] = Context {
            flags: flag::RUN | flag::HALT,
            ..Context::new(1, asm("sset 1\nnop.f"), 0)
        };
        vm.frame(&mut Absent, 256, |_, _| {});
        assert_eq!(vm.state.system.test(1), runs);
    }
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
