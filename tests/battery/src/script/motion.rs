//! The rows of the motion sheet: walks, turns and ambient streams; ramps.

use overworld_runtime::script::context::{Context, Place, flag};
use overworld_runtime::script::{Outcome, SliceEnd, Vm};

use super::host::Recorder;
use super::{PLACES, context, machine};
use crate::check::{Check, same};

/// X, Z and heading.
type At = (i16, i16, u16);

/// A parked instruction, where it stands, and what comes of it.
type Walk = (&'static str, &'static [u8], At, u8, u32, At, At);

/// M and D rows: the walk kernel, tick by tick until it lets go.
#[inline(never)]
pub(super) fn walks<G>(_: &mut G) -> Check {
    const ROWS: [Walk; 12] = include!("../../tables/script_walks.rs");
    for (name, code, (x, z, heading), dt, ticks, first, last) in ROWS {
        let mut vm = machine(&[]);
        let [it, ..] = &mut vm.contexts;
        *it = Context {
            flags: flag::HALT,
            saved: Some(Place::new(code, 0)),
            x,
            z,
            heading,
            ..Context::new(0x46, &[], 0)
        };
        let mut host = Recorder::new(None);
        host.dt = dt;
        let mut passed = 0;
        while context(&vm).halted() && passed < 100 {
            vm.walk(&mut host, 0);
            passed += 1;
            if passed == 1 {
                same!(at(&vm), first, "{name}, first tick");
            }
        }
        // What waits for somebody else is still halted.
        same!(passed, if ticks == 0 { 100 } else { ticks }, "{name}");
        same!(context(&vm).halted(), ticks == 0, "{name}, at the end");
        same!(at(&vm), last, "{name}, last tick");
        same!(host.heard.left(), 0, "{name}, messages");
    }
    Ok(())
}

fn at(vm: &Vm<'_, PLACES>) -> At {
    let it = context(vm);
    (it.x, it.z, it.heading)
}

/// X, Z, heading and place in the stream.
type Stream = (i16, i16, u16, u16);

/// A stream, where its actor stands, and what comes of it.
type Ambient = (&'static str, &'static [u8], At, u8, u32, Stream, Stream);

/// A rows: ambient streams in whole frames.
#[inline(never)]
pub(super) fn streams<G>(_: &mut G) -> Check {
    const ROWS: [Ambient; 9] = include!("../../tables/script_streams.rs");
    for (name, stream, (x, z, heading), dt, ticks, first, last) in ROWS {
        let mut vm = machine(&[]);
        let [it, ..] = &mut vm.contexts;
        *it = Context {
            stream,
            enable: 1,
            x,
            z,
            heading,
            ..Context::new(0x46, &[], 0)
        };
        let mut host = Recorder::new(None);
        host.dt = dt;
        let mut now = (0, 0, 0, 0);
        for tick in 1..=ticks {
            vm.frame(&mut host, 256, |_, _| {});
            let it = context(&vm);
            now = (it.x, it.z, it.heading, it.stream_pc);
            if tick == 1 {
                same!(now, first, "{name}, first tick");
            }
        }
        same!(now, last, "{name}, last tick");
    }
    Ok(())
}

/// `4C 43` with 8 display frames: an eighth of the way each, wherever the script is meanwhile (section 4).
#[inline(never)]
pub(super) fn ramp<G>(_: &mut G) -> Check {
    const CODE: &[u8] = &[0x4C, 0x43, 0x20, 0, 8, 0, 0x21, 0x26, 0xFE, 0xFF];
    let mut vm = machine(CODE);
    let mut host = Recorder::new(None);
    let seen: [i16; 10] = core::array::from_fn(|_| {
        vm.frame(&mut host, 256, |_, _| {});
        context(&vm).f24
    });
    let began = seen.iter().position(|&it| it == 4);
    same!(began.is_some_and(|it| it < 2), true, "begins: {seen:?}");
    let rest = seen.get(began.unwrap_or(0)..).unwrap_or_default();
    let steps = rest.iter().zip((4..).step_by(4));
    for (tick, (found, expected)) in steps.enumerate() {
        same!(*found, expected.min(32), "tick {tick}");
    }
    same!(vm.state.ramps.len(), 0, "ramps at the end");
    Ok(())
}

/// A walk of a script from hand-over to its next instruction: `47`, then a flag; then `38`, which acquires its
/// actor where it can.
#[inline(never)]
pub(super) fn halts<G>(_: &mut G) -> Check {
    const CODE: &[u8] = &[0x47, 1, 1, 2, 0x52, 1, 0x38, 2, 2, 0x52, 2, 0x21];
    let mut vm = machine(CODE);
    let [it, ..] = &mut vm.contexts;
    (it.x, it.z) = (168, 184);
    let mut host = Recorder::new(None);
    let mut frames = 0;
    while !vm.state.system.test(0x202) && frames < 100 {
        vm.frame(&mut host, 256, |_, _| {});
        frames += 1;
        // The first flag is set only when the actor is there.
        let there = (context(&vm).x, context(&vm).z) == (192, 192);
        same!(
            vm.state.system.test(0x201) && !there,
            false,
            "frame {frames}"
        );
    }
    same!(vm.state.system.test(0x201), true, "behind the walk");
    same!(vm.state.system.test(0x202), true, "behind the turn");
    same!(
        (at(&vm), context(&vm).pc, context(&vm).halted()),
        ((192, 192, 0x400), 12, false),
        "at the end"
    );
    Ok(())
}

/// `31 0A` (unverified row 2 of section 15): who halts itself gets no slice from the next frame on, until an owner
/// releases it with `32 0A`.
#[inline(never)]
pub(super) fn released<G>(_: &mut G) -> Check {
    const CODE: &[u8] = &[0x31, 0x0A, 0x52, 1, 0x21, 0x52, 2, 0x21];
    const OWNER: &[u8] = &[0xB2, 5, 0x0A];
    let mut vm = machine(CODE);
    let mut host = Recorder::new(None);
    let flags = |vm: &Vm<'_, PLACES>| [0x201, 0x202].map(|it| vm.state.system.test(it));
    same!(
        vm.slice(&mut host, 0, 256),
        SliceEnd::FrameEnd,
        "its own slice"
    );
    same!(flags(&vm), [true, false], "to the end of the frame");
    for frame in 0..3 {
        same!(
            vm.slice(&mut host, 0, 256),
            SliceEnd::Halted,
            "frame {frame}"
        );
    }
    same!((flags(&vm), context(&vm).pc), ([true, false], 5), "halted");
    let [_, owner, ..] = &mut vm.contexts;
    *owner = Context::new(6, OWNER, 0);
    same!(vm.step(&mut host, 1), Outcome::Advance(3), "the owner");
    same!(vm.slice(&mut host, 0, 256), SliceEnd::FrameEnd, "released");
    same!(flags(&vm), [true, true], "behind it");
    Ok(())
}
