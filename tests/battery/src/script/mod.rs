//! A cut of the field VM and motion sheets' vectors, and what scripts cost.

use core::hint::black_box;
use core::marker::PhantomData;

use overworld_runtime::script::context::{Context, Place, flag};
use overworld_runtime::script::dis::Line;
use overworld_runtime::script::host::Absent;
use overworld_runtime::script::state::Paint;
use overworld_runtime::script::{Compat, Outcome, SliceEnd, Vm};

use crate::Machine;
use crate::bench::per_call;
use crate::check::{Check, List, reason, same};

pub(crate) struct Tests<G>(PhantomData<G>);

impl<G: 'static> Tests<G> {
    pub(crate) const ALL: List<G> = &[
        ("script/steps", steps),
        ("script/faults", faults),
        ("script/slices", slices),
        ("script/seat", seat),
        ("script/text", text),
        ("script/paint", paint_rows),
        ("script/walk", walk),
        ("script/ambient", ambient),
    ];
}

/// One size for all tests, so that the machine is in an image once.
const PLACES: usize = 40;

/// A machine with one context.
fn machine(code: &[u8]) -> Vm<'_, PLACES> {
    let mut vm = Vm::new(Compat::Retail);
    vm.insert(Context {
        flags: flag::RUN,
        ..Context::new(5, code, 0)
    });
    vm
}

fn context<'v, 'c>(vm: &'v Vm<'c, PLACES>) -> &'v Context<'c> {
    let [context, ..] = &vm.contexts;
    context
}

/// Name, bytes, PC behind the step.
const STEPS: [(&str, &[u8], u16); 14] = [
    ("V01", &[0x21], 1),
    ("V09", &[0x26, 0x10, 0x00], 17),
    ("V31b", &[0x3F, 3, 0, 2, 0x82, 0x54, 0x1D, 0x5B, 4], 9),
    ("V36", &[0x42, 0x01, 0x0C, 0x20, 0x00], 35),
    ("V43", &[0x45, 2, 1, 0x58, 2, 0x34, 0x12, 0x78, 0x56], 9),
    ("V54", &[0x4B, 1, 3, 0x11, 0x22, 0x33, 0x44], 7),
    ("V58", &[0x4C, 0x43, 0x20, 0, 0, 0], 6),
    ("V74", &[0x4C, 0xE1, 0x48, 0x69, 0xC1, 5, 0x21, 0, 0x21], 8),
    ("V84", &[0x4E, 0, 0xC0, 0, 0, 0x10, 0], 7),
    ("V91b", &[0x7F, 0x25, 0x10, 0], 4),
    ("V109", &[0x4C, 0x9F], 2),
    ("V112", &[0x4C, 0xEB, 0x46, 0x10, 0], 19),
    (
        "V118",
        &[0x4C, 0x45, 1, 0x10, 0, 0x20, 0, 0x30, 0, 8, 0],
        11,
    ),
    ("unresolved", &[0xA3, 0x46, 0x10, 0x10], 4),
];

fn steps<G>(_: &mut G) -> Check {
    for (name, code, next) in STEPS {
        let mut vm = machine(code);
        same!(vm.step(&mut Absent, 0), Outcome::Advance(next), "{name}");
    }
    Ok(())
}

fn faults<G>(_: &mut G) -> Check {
    const FAULTS: [(&str, &[u8], &str); 6] = [
        ("V37", &[0x42, 2, 0, 0x20, 0], "Unknown"),
        ("V92", &[0x27, 0], "Unknown"),
        ("V94", &[0x23, 1], "Truncated"),
        ("V95", &[], "PcRange"),
        ("V120", &[0x40, 0xFF, 1], "Truncated"),
        ("prefix", &[0xA3], "Truncated"),
    ];
    for (name, code, kind) in FAULTS {
        let mut vm = machine(code);
        let Outcome::Fault(fault) = vm.step(&mut Absent, 0) else {
            return Err(reason(format_args!("{name}: expected {kind}")));
        };
        same!(fault.kind.name(), kind, "{name}");
    }
    Ok(())
}

/// S1, S9, S10.
fn slices<G>(_: &mut G) -> Check {
    let mut idle = machine(&[0x21, 0x21, 0x26, 0xFE, 0xFF]);
    for pc in [1, 2, 2, 2] {
        same!(idle.slice(&mut Absent, 0, 256), SliceEnd::FrameEnd, "S1");
        same!(context(&idle).pc, pc, "S1");
    }
    let mut spin = machine(&[0x48, 0x26, 0xFE, 0xFF]);
    let end = spin.slice(&mut Absent, 0, 256);
    same!(
        matches!(end, SliceEnd::Fault(it) if it.kind.name() == "Budget"),
        true,
        "S9"
    );
    let mut park = machine(&[0x26, 0xFF, 0xFF]);
    same!(park.slice(&mut Absent, 0, 256), SliceEnd::Parked, "S10");
    Ok(())
}

/// S3.
fn seat<G>(_: &mut G) -> Check {
    let code = [
        0x25, 0x72, 0x25, 8, 0, 0x4C, 0x51, 0x11, 0x1D, 6, 0x3C, 0x21, 0x1F, 0x41, 0,
    ];
    let mut vm = machine(&code);
    same!(
        vm.slice(&mut Absent, 0, 256),
        SliceEnd::FrameEnd,
        "first frame"
    );
    let it = context(&vm);
    same!(
        (it.x, it.z, it.heading, it.move_id, it.pc),
        (2240, 3776, 0xC00, 60, 12),
        "seat"
    );
    same!(
        vm.slice(&mut Absent, 0, 256),
        SliceEnd::Text,
        "second frame"
    );
    Ok(())
}

/// A crash screen can show where a script stands.
fn text<G>(_: &mut G) -> Check {
    let line = Line::read(&[0xA3, 0xF8, 0x7F, 0x7F], 0);
    let shown = line.map(|it| reason(format_args!("{it}")));
    same!(shown.as_deref(), Some("move_to@player 127, 127"), "V06");
    Ok(())
}

/// S8: the rows lie one further than encoded.
fn paint_rows<G>(_: &mut G) -> Check {
    let mut grid = [0x5A; 4 * 128];
    Paint {
        kind: 1,
        columns: (2, 3),
        rows: (1, 1),
        mask: 0,
    }
    .apply(&mut grid);
    for (at, &cell) in grid.iter().enumerate() {
        let inside = at / 128 == 2 && (2..=3).contains(&(at % 128));
        same!(cell, if inside { 0xFA } else { 0x5A }, "cell {at}");
    }
    Ok(())
}

/// D1.
fn walk<G>(_: &mut G) -> Check {
    let code = [0x37, 0x41, 0x82];
    let mut vm = machine(&[]);
    let [it, ..] = &mut vm.contexts;
    (it.flags, it.saved) = (flag::HALT, Some(Place::new(&code, 0)));
    let mut frames = 0;
    while context(&vm).halted() && frames < 100 {
        vm.walk(&mut Absent, 0);
        frames += 1;
    }
    same!(
        (frames, context(&vm).x, context(&vm).z),
        (32, -256, -256),
        "D1"
    );
    Ok(())
}

/// A1.
fn ambient<G>(_: &mut G) -> Check {
    let mut vm = machine(&[]);
    let [it, ..] = &mut vm.contexts;
    (it.stream, it.enable) = (&[0xFF, 0xFF, 0, 0, 3, 0x63, 1, 1], 1);
    for step in 1..=32 {
        vm.ambient(&mut Absent, 0);
        same!(
            (context(&vm).x, context(&vm).heading),
            (4 * step, 0xC00),
            "A1"
        );
    }
    same!(context(&vm).stream_pc, 3, "A1");
    Ok(())
}

/// Instructions of one slice that is measured.
const RUN: usize = 64;

/// Flags set and cleared.
pub(crate) fn simple<M: Machine>(machine_: &mut M) -> u32 {
    let mut code = [0x21; 2 * RUN + 1];
    for (pair, n) in code.chunks_exact_mut(2).zip(0_u8..) {
        pair.copy_from_slice(&[0x2B + (n & 1), n & 7]);
    }
    slice(machine_, &code) / RUN as u32
}

/// Tests of a flag that is set: each jumps to the next.
pub(crate) fn test_jump<M: Machine>(machine_: &mut M) -> u32 {
    let mut code = [0x21; 4 * RUN + 1];
    for test in code.chunks_exact_mut(4) {
        test.copy_from_slice(&[0x72, 0x25, 2, 0]);
    }
    slice(machine_, &code) / RUN as u32
}

/// A slice of a script that waits for a flag.
pub(crate) fn parked<M: Machine>(machine_: &mut M) -> u32 {
    slice(machine_, &[0x2D, 0x08, 0x21])
}

/// The cost of one slice from the start of `code`.
fn slice<M: Machine>(machine_: &mut M, code: &[u8]) -> u32 {
    let mut vm = machine(code);
    vm.state.system.set(0x225);
    per_call(machine_, 16, |_, _| {
        let [it, ..] = &mut vm.contexts;
        it.pc = 0;
        // As a caller does: only the kind of the end counts.
        black_box(matches!(vm.slice(&mut Absent, 0, 256), SliceEnd::Parked));
    })
}

/// A small rectangle of walls.
pub(crate) fn paint<M: Machine>(machine_: &mut M) -> u32 {
    let mut grid = [0; 8 * 128];
    per_call(machine_, 16, |_, n| {
        let paint = Paint {
            kind: (n & 3) as u8,
            columns: (10, 12),
            rows: (2, 4),
            mask: 5,
        };
        paint.apply(black_box(&mut grid));
    })
}

/// What the contexts of a measured frame do.
#[derive(Clone, Copy)]
enum Kind {
    /// `21` and back.
    Idle,
    /// A test of a local flag that fails.
    Test,
    /// A `4A` that lasts.
    Wait,
    /// A walk between two tiles, bits 3.
    Walker,
    /// Ambient steps to and fro.
    Ambient,
    /// No script, no stream.
    Empty,
}

impl Kind {
    /// The context of number `n`.
    fn context(self, n: u16) -> Context<'static> {
        const IDLE: &[u8] = &[0x21, 0x26, 0xFE, 0xFF];
        const TEST: &[u8] = &[0x2D, 0x08, 0x21];
        const WAIT: &[u8] = &[0x4A, 0xFF, 0x7F, 0x26, 0xFC, 0xFF];
        const WALK: &[u8] = &[0x47, 10, 10, 3, 0x47, 20, 10, 3, 0x26, 0xF7, 0xFF];
        const AMBIENT: &[u8] = &[0xFF, 0xFF, 0, 0, 3, 0x63, 8, 3, 0x23, 8, 1];
        let code = match self {
            Self::Idle => IDLE,
            Self::Test => TEST,
            Self::Wait => WAIT,
            Self::Walker => WALK,
            Self::Ambient | Self::Empty => &[],
        };
        let mut context = Context {
            flags: flag::RUN,
            ..Context::new(n, code, 0)
        };
        if let Self::Ambient = self {
            (context.stream, context.enable) = (AMBIENT, 1);
        }
        context
    }
}

/// The cost of a frame of forty contexts.
fn frame<M: Machine>(machine_: &mut M, kind: impl Fn(u16) -> Kind) -> u32 {
    let mut vm = Vm::<PLACES>::new(Compat::Retail);
    for (place, n) in vm.contexts.iter_mut().zip(0_u16..) {
        *place = kind(n).context(n);
    }
    vm.system = Some(0);
    let cost = per_call(machine_, 16, |_, _| {
        vm.frame(&mut Absent, 256, |id, end| {
            // What a game does: it looks for faults.
            if let SliceEnd::Fault(_) = end {
                black_box(id);
            }
        });
    });
    black_box(&vm);
    cost
}

/// A town: a system script, ten walkers, ten ambient actors, the others idle or waiting.
pub(crate) fn town<M: Machine>(machine_: &mut M) -> u32 {
    frame(machine_, |n| match n {
        0 | 31.. => Kind::Idle,
        1..=10 => Kind::Walker,
        11..=20 => Kind::Ambient,
        _ => Kind::Test,
    })
}

/// Forty contexts in idle loops.
pub(crate) fn idle<M: Machine>(machine_: &mut M) -> u32 {
    frame(machine_, |_| Kind::Idle)
}

/// Forty contexts that wait.
pub(crate) fn wait<M: Machine>(machine_: &mut M) -> u32 {
    frame(machine_, |_| Kind::Wait)
}

/// Forty walkers.
pub(crate) fn walker<M: Machine>(machine_: &mut M) -> u32 {
    frame(machine_, |_| Kind::Walker)
}

/// Forty ambient actors.
pub(crate) fn ambient_actor<M: Machine>(machine_: &mut M) -> u32 {
    frame(machine_, |_| Kind::Ambient)
}

/// Forty contexts with nothing to do.
pub(crate) fn empty<M: Machine>(machine_: &mut M) -> u32 {
    frame(machine_, |_| Kind::Empty)
}
