//! The short ways of a frame: what a script waits for, walks and ambient steps must come out as on the long
//! way, which reads everything anew.

#[path = "script/host.rs"]
mod host;

use host::Recorder;
use overworld_runtime::field::actor::flag::AMBIENT;
use overworld_runtime::field::compat::AmbientEnable;
use overworld_runtime::field::glide::{FULL, ladder};
use overworld_runtime::script::context::{Context, Place, flag};
use overworld_runtime::script::dialog::Conversation;
use overworld_runtime::script::host::Absent;
use overworld_runtime::script::task::Task;
use overworld_runtime::script::{Compat, SliceEnd, Vm};

/// Numbers without a pattern.
struct Noise(u32);

impl Noise {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as usize % limit
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

/// Waits, tests, jumps and what sets their bits.
const PIECES: [&[u8]; 24] = [
    &[0x21],
    &[0x21, 0x26, 0xFE, 0xFF],
    &[0x21, 0x21, 0x26, 0xFE, 0xFF],
    &[0x21, 0x21, 0x26, 0xFD, 0xFF],
    &[0x26, 0xFF, 0xFF],
    &[0x26, 0x02, 0x00],
    &[0x26, 0xFE, 0xFF],
    &[0x26, 0xFF],
    &[0x2D, 0x03],
    &[0x2D, 0x1F],
    &[0x30, 0x23],
    &[0x33, 0x14],
    &[0x33, 0x08],
    &[0x4A, 0x05, 0x00],
    &[0x4A, 0x00, 0x00],
    &[0x4A, 0xFE, 0x0F],
    &[0x4A, 0xFF, 0x0F],
    &[0x4A, 0x00, 0x10],
    &[0x4A, 0x88, 0x13],
    &[0x4A, 0xFF, 0x7F],
    &[0x4A, 0x00, 0x80],
    &[0x4A, 0x05],
    &[0x2B, 0x03],
    &[0x2C, 0x03],
];

/// Frames that a wait has lasted: none, the ends of the number, and what is near to a piece's operand.
const WAITED: [i16; 10] = [
    0,
    -3,
    i16::MAX,
    i16::MIN,
    0xFFC,
    0xFFE,
    0xFFF,
    0x1000,
    5_000 - 2,
    5_000,
];

#[test]
fn scripts_that_wait_do_what_steps_do() {
    let mut noise = Noise(7);
    let mut ends = [0; 3];
    for _ in 0..4_000 {
        let codes = [(); 2].map(|()| {
            let pieces = [(); 3].map(|()| noise.pick(&PIECES));
            pieces.concat()
        });
        let mut one = Vm::<1>::new(Compat::Retail);
        one.contexts[0] = Context::new(0x46, &codes[0], 0);
        for _ in 0..12 {
            let it = &mut one.contexts[0];
            match noise.below(10) {
                0 => it.local_flags ^= 8,
                1 => it.flags ^= noise.pick(&[1 << 0x14, flag::HALT, flag::RUN]),
                2 => it.pc = noise.below(6) as u16,
                3 => it.wait_accum = noise.pick(&WAITED),
                4 => it.task = Task::new(&codes[noise.below(2)]),
                5 => one.state.global ^= 8,
                6 => one.compat = noise.pick(&[Compat::Retail, Compat::Port]),
                _ => {}
            }
            let mut host = Recorder {
                dt: noise.pick(&[1, 2, 4]),
                ..Recorder::default()
            };
            let budget = noise.pick(&[20, 20, 20, 2, 1]);
            let mut other = one.clone();
            let end = one.slice(&mut host, 0, budget);
            let traced = other.slice_with(&mut host, 0, budget, |_, _| {});
            assert_eq!(end, traced, "{codes:02X?}");
            assert_eq!(one.contexts, other.contexts, "{codes:02X?}");
            assert_eq!(one.state, other.state);
            assert_eq!(one.counters, other.counters);
            match end {
                SliceEnd::Parked => ends[0] += 1,
                SliceEnd::FrameEnd => ends[1] += 1,
                _ => ends[2] += 1,
            }
        }
    }
    assert!(ends.iter().all(|&it| it > 2_000), "{ends:?}");
}

/// However long a wait is, it ends in its frame: a long one is remembered as a shorter one, and looked at again
/// from then on. Of 8000h and more frames the one reading makes a wait without end.
#[test]
fn long_waits_end_in_their_frame() {
    for compat in [Compat::Retail, Compat::Port] {
        for frames in [1_u16, 0xFFE, 0xFFF, 0x1000, 5_000, 0x7FFE, 0x8000] {
            let [low, high] = frames.to_le_bytes();
            let code = [0x4A, low, high, 0x21];
            let mut vm = Vm::<1>::new(compat);
            vm.contexts[0] = Context::new(1, &code, 0);
            let slice = |_: &u32| vm.slice(&mut Absent, 0, 256) == SliceEnd::Parked;
            let waited = (0..40_000).take_while(slice).count();
            let expected = match (frames, compat) {
                (0x8000, Compat::Retail) => 0,
                (0x8000, Compat::Port) => 40_000,
                _ => usize::from(frames) - 1,
            };
            assert_eq!(waited, expected, "{frames} under {compat:?}");
        }
    }
}

/// What a script was last seen waiting for does not count while it awaits another.
#[test]
fn whoever_awaits_another_is_not_parked() {
    // walk@46; B: ltst 8; lclr 8; jmp to the walk.
    let code = [0xB7, 0x46, 0x41, 0x82, 0x2D, 8, 0x2C, 8, 0x26, 0xF7, 0xFF];
    let mut vm = Vm::<2>::new(Compat::Retail);
    vm.contexts[0] = Context::new(1, &code, 0);
    vm.contexts[1] = Context::new(0x46, &[], 0);
    let mut host = Recorder::default();
    let mut slice = |vm: &mut Vm<'_, 2>| vm.slice(&mut host, 0, 256);
    assert_eq!(slice(&mut vm), SliceEnd::Yielded);
    assert_eq!(slice(&mut vm), SliceEnd::Halted);
    vm.contexts[1].flags &= !flag::HALT;
    for _ in 0..3 {
        assert_eq!(slice(&mut vm), SliceEnd::Parked);
    }
    vm.contexts[0].local_flags = 0x100;
    assert_eq!(slice(&mut vm), SliceEnd::Yielded);
    assert_eq!((vm.contexts[0].pc, vm.contexts[0].awaits()), (4, Some(1)));
    assert_eq!(slice(&mut vm), SliceEnd::Halted);
}

/// Records of those who walk, wait, speak, turn and fail.
const SCRIPTS: [&[u8]; 10] = [
    &[],
    &[0x21, 0x26, 0xFE, 0xFF],
    &[0x2D, 8, 0x21],
    &[0x4A, 9, 0, 0x26, 0xFC, 0xFF],
    &[0x47, 10, 10, 1, 0x47, 0x94, 11, 0, 0x26, 0xF7, 0xFF],
    &[
        0x37, 0x41, 0x82, 0x41, 0x85, 0x43, 0x38, 0x83, 0x85, 0x26, 0xF6, 0xFF,
    ],
    &[0xC7, 0x23, 12, 12, 2, 0x21, 0x26, 0xF9, 0xFF],
    &[0x4C, 0x8F, 6, 0, 0x24, 0x21, 0x26, 0xF9, 0xFF],
    &[0x21, 0x1F, 0x41, 0],
    &[0x21, 0x21, 0x27, 0],
];

/// Streams of steps, turns, waits, wanders, one that ends in a wait, and one that is no stream.
const STREAMS: [&[u8]; 9] = [
    &[],
    &[
        0xFF, 0xFF, 0, 0, 3, 0x63, 1, 0x23, 0x25, 1, 0x19, 0x42, 1, 1,
    ],
    &[0xFF, 0xFF, 0, 0, 0x20, 0x05, 2, 4, 0x82, 3, 4, 3, 0, 1],
    &[0xFF, 0xFF, 0, 0, 4, 3, 9, 5, 4, 1],
    &[0xFF, 0xFF, 0, 0, 0x18, 1, 1, 4, 4, 1],
    &[
        0x25, 0x02, 9, 0, 3, 0x63, 1, 1, 0, 0xFF, 0xFF, 0, 0, 3, 0x26, 1, 1,
    ],
    &[0xFF, 0xFF, 0, 0, 0x10, 0x25, 0x0F, 2, 2, 5, 6],
    &[0xFF, 0xFF, 0],
    &[0xFF, 0xFF, 0, 0, 0xEE, 0, 0],
];

/// A machine and everything that its frames have said.
struct Side {
    vm: Box<Vm<'static, 12>>,
    host: Recorder,
    said: Vec<(u8, SliceEnd)>,
}

impl Side {
    fn frame(&mut self) {
        let said = &mut self.said;
        self.vm
            .frame(&mut self.host, 64, |id, end| said.push((id, end)));
    }
}

/// Where a flag has to enable streams, every context goes the long way; with that flag set nothing else
/// differs.
#[test]
fn frames_are_the_same_on_the_short_and_the_long_way() {
    let mut noise = Noise(11);
    let mut said = 0;
    for round in 0..300_u32 {
        let mut vm = Box::new(Vm::<12>::new(Compat::Retail));
        for (n, it) in vm.contexts.iter_mut().enumerate() {
            let flags = noise.pick(&[
                0,
                flag::RUN,
                flag::RUN,
                flag::RUN | flag::MIRROR,
                flag::HALT,
            ]);
            let parked = noise.pick(&SCRIPTS);
            *it = Context {
                live: noise.below(8) != 0,
                flags: flags | AMBIENT,
                saved: Some(Place::new(parked, 0)).filter(|_| noise.below(2) == 0),
                x: 0x500 + noise.below(0x100) as i16,
                z: 0x500 + noise.below(0x100) as i16,
                stream: noise.pick(&STREAMS),
                enable: noise.pick(&[1, 1, 1, 0]),
                ..Context::new(0x20 + n as u16, noise.pick(&SCRIPTS), 0)
            };
        }
        vm.system = noise.pick(&[None, Some(0), Some(5), Some(11)]);
        vm.player = noise.pick(&[None, Some(0), Some(3), Some(5), Some(11), Some(77)]);
        vm.field.step_floor = round % 3 != 0;
        vm.field.glide_frames = round % 5 != 0;
        let mut sides = [AmbientEnable::Stream, AmbientEnable::Flag].map(|ambient| {
            let mut vm = vm.clone();
            vm.field.ambient = ambient;
            let host = Recorder {
                all: true,
                dt: noise.0 as u8 & 3 | 1,
                rand: round,
                ..Recorder::default()
            };
            Side {
                vm,
                host,
                said: Vec::new(),
            }
        });
        for _ in 0..40 {
            let (what, whom) = (noise.below(12), noise.below(12));
            for Side { vm, .. } in &mut sides {
                match what {
                    0 => vm.mailbox = Some(whom as u8),
                    1 => vm.contexts[whom].local_flags ^= 0x100,
                    2 => vm.contexts[whom].flags ^= flag::RUN,
                    3 => vm.contexts[whom].default_move = 1,
                    4 => vm.state.system.set(0x225),
                    5 if whom == 1 => vm.contexts[whom].flags |= flag::DYING,
                    6 => vm.contexts[whom].flags &= !flag::HALT,
                    _ => {}
                }
            }
            sides.iter_mut().for_each(Side::frame);
            let [short, long] = &sides;
            assert_eq!(short.said, long.said, "round {round}");
            assert_eq!(short.vm.contexts, long.vm.contexts, "round {round}");
            assert_eq!(short.vm.state, long.vm.state);
            assert_eq!(short.vm.counters, long.vm.counters);
            assert_eq!(short.vm.mailbox, long.vm.mailbox);
            assert_eq!(short.host.heard, long.host.heard);
        }
        said += sides[0].said.len();
    }
    assert!(said > 20_000, "{said}");
}

/// A place that is not taken has no turn, whatever stands in it.
#[test]
fn free_places_have_no_turn() {
    let walk: &[u8] = &[0x47, 10, 10, 1];
    let step: &[u8] = &[0xFF, 0xFF, 0, 0, 3, 0x63, 1, 1];
    let of = |flags, code, stream| Context {
        flags,
        saved: Some(Place::new(walk, 0)),
        stream,
        enable: 1,
        ..Context::new(7, code, 0)
    };
    let idle: &[u8] = &[0x21, 0x26, 0xFE, 0xFF];
    for (context, moves) in [
        (of(flag::HALT, &[], &[]), true),
        (of(flag::HALT | flag::RUN, idle, &[]), true),
        (of(0, &[], step), true),
        (of(flag::RUN, &[], step), true),
        (of(flag::RUN, &[0x22, 5, 0x21], &[]), true),
        (of(flag::RUN, &[0x4A, 9, 0], &[]), true),
        (of(flag::MIRROR, &[], step), true),
        (of(flag::RUN, &[], &[]), false),
    ] {
        for live in [true, false] {
            let mut vm = Vm::<3>::new(Compat::Retail);
            vm.contexts[1] = Context { live, ..context };
            let before = vm.contexts;
            vm.frame(&mut Absent, 16, |id, end| assert!(live, "{id}: {end:?}"));
            assert_eq!(vm.contexts != before, live && moves, "{context:?}");
        }
    }
}

/// The frame in which somebody who speaks is torn down is still the conversation's: streams rest.
#[test]
fn a_frame_that_begins_with_a_conversation_keeps_it() {
    let mut vm = Vm::<2>::new(Compat::Retail);
    for (it, id) in vm.contexts.iter_mut().zip([1, 2]) {
        *it = Context {
            stream: STREAMS[1],
            enable: 1,
            ..Context::new(id, &[], 0)
        };
    }
    Conversation::begin(&mut vm, 0);
    vm.contexts[0].flags |= flag::DYING;
    let mut xs = [0; 2];
    for x in &mut xs {
        vm.frame(&mut Recorder::default(), 64, |_, _| {});
        *x = vm.contexts[1].x;
    }
    assert_eq!((xs, vm.contexts[0].live), ([0, 4], false));
}

/// A step of a stream is the ladder's for one vertical blank, in all sixteen directions.
#[test]
fn steps_of_streams_are_the_ladders() {
    const X: [i32; 16] = [0, -1, -1, -1, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0];
    for floor in [true, false] {
        for bits in 0..16_u8 {
            for (index, sign) in X.into_iter().enumerate() {
                let stream = [0xFF, 0xFF, 0, 0, 0x19, (index as u8) << 4 | bits, 0x3F, 1];
                let mut vm = Vm::<1>::new(Compat::Retail);
                vm.field.step_floor = floor;
                vm.contexts[0] = Context {
                    x: 100,
                    stream: &stream,
                    enable: 1,
                    ..Context::new(1, &[], 0)
                };
                vm.frame(&mut Recorder::default(), 64, |_, _| {});
                let step = ladder(FULL, bits, 1, &vm.field);
                let at = i32::from(vm.contexts[0].x);
                assert_eq!(at, 100 + sign * step, "{index} {bits}");
            }
        }
    }
}
