//! The field VM and motion sheets' rows, and what scripts cost.

mod heard;
mod host;
mod motion;
mod mover;
mod rows;
mod words;

use core::hint::black_box;
use core::marker::PhantomData;

use overworld_runtime::script::context::{Context, flag};
use overworld_runtime::script::dialog::{Buttons, Conversation, Phase};
use overworld_runtime::script::dis::Line;
use overworld_runtime::script::host::Absent;
use overworld_runtime::script::state::Paint;
use overworld_runtime::script::text::{NameKind, Token, Tokens};
use overworld_runtime::script::{Compat, SliceEnd, Vm};

use crate::Machine;
use crate::bench::per_call;
use crate::check::{Check, List, reason, same};
use host::Recorder;

pub(crate) struct Tests<G>(PhantomData<G>);

impl<G: 'static> Tests<G> {
    pub(crate) const ALL: List<G> = &[
        ("script/steps", rows::steps),
        ("script/cuts", rows::cuts),
        ("script/slices", rows::slices),
        ("script/paint", rows::paint),
        ("script/text", text),
        ("script/tokens", tokens),
        ("script/picker", picker),
        ("script/walk", motion::walks),
        ("script/ambient", motion::streams),
        ("script/ramp", motion::ramp),
        ("script/halts", motion::halts),
        ("script/released", motion::released),
        ("script/mover", mover::curves),
    ];
}

/// One size for all tests, so that the machine is in an image once.
const PLACES: usize = 40;

/// A machine with one context.
fn machine(code: &[u8]) -> Vm<'_, PLACES> {
    machine_under(code, Compat::Retail)
}

fn machine_under(code: &[u8], compat: Compat) -> Vm<'_, PLACES> {
    let mut vm = Vm::new(compat);
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

/// A crash screen can show where a script stands.
fn text<G>(_: &mut G) -> Check {
    let line = Line::read(&[0xA3, 0xF8, 0x7F, 0x7F], 0);
    let shown = line.map(|it| reason(format_args!("{it}")));
    same!(shown.as_deref(), Some("move_to@player 127, 127"), "V06");
    Ok(())
}

/// The bytes of 11.1 as tokens, of which each kind is among them.
fn tokens<G>(_: &mut G) -> Check {
    const TEXT: &[u8] = &[
        0x41, 0x20, 0x7C, 0x5E, 0x2D, 0xC1, 99, 0xC2, 1, 0xC3, 2, 0xC4, 3, 0xC5, 0x45, 0xC7, 4,
        0xCE, 3, 0xCF, 7, 0xFF, 2, 0xC6, 0, 0xCD, 0x1E, 0xE1, 0xC1,
    ];
    const TOKENS: [Token; 16] = [
        Token::Glyph(0x41),
        Token::Space,
        Token::NewLine,
        Token::Icon(0),
        Token::Name(NameKind::Character, 99),
        Token::Name(NameKind::Item, 1),
        Token::Name(NameKind::Magic, 2),
        Token::Name(NameKind::Item, 3),
        Token::Name(NameKind::Art, 0x45),
        Token::Name(NameKind::Place, 4),
        Token::Icon(3),
        Token::Colour(7),
        Token::Colour(2),
        Token::Pair(0xC6, 0),
        Token::Pair(0xCD, 0x1E),
        Token::Glyph(0xE1),
    ];
    let mut found = Tokens::new(TEXT);
    for (at, token) in TOKENS.into_iter().enumerate() {
        same!(found.next(), Some(token), "token {at}");
    }
    // The last byte lacks its operand: it ends the text.
    same!(found.next(), None, "the end");
    Ok(())
}

/// A picker in a conversation: the second of three choices is taken, by the pad.
fn picker<G>(_: &mut G) -> Check {
    const CODE: &[u8] = &[
        0x1F, b'?', 0, 0x28, 0x10, 0, 0x11, 0, 0x12, 0, 0x1F, b'A', 0, 0x1F, b'B', 0, 0x1F, b'C',
        0, 0x21, 0x52, 0, 0x21, 0x52, 1, 0x21, 0x52, 2, 0x21,
    ];
    let mut vm = machine(CODE);
    let mut host = Recorder::new(None);
    let mut talk = Conversation::begin(&mut vm, 0);
    let mut moved = false;
    for tick in 0..64 {
        if talk.phase() == Phase::Over {
            break;
        }
        let down = talk.picker().is_some() && !moved;
        moved |= down;
        let buttons = Buttons {
            confirm: !down && tick % 2 == 1,
            down,
            ..Buttons::default()
        };
        talk.tick(&mut vm, &mut host, buttons, 16);
    }
    same!(talk.phase() == Phase::Over, true, "the end");
    let set = [0x200, 0x201, 0x202].map(|it| vm.state.system.test(it));
    same!(set, [false, true, false], "the choice");
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

/// A slice of a script that waits for a flag: a failed test.
pub(crate) fn test_parked<M: Machine>(machine_: &mut M) -> u32 {
    slice(machine_, &[0x2D, 0x08, 0x21])
}

/// A slice of a script that waits for time to pass: a poll of `4A`.
pub(crate) fn wait_parked<M: Machine>(machine_: &mut M) -> u32 {
    slice(machine_, &[0x4A, 0xFF, 0x7F, 0x21])
}

/// The cost of one slice from the start of `code`. Of 64 in a row: what the first one waits for its lines of the
/// console's cache depends on what else lies on them, and comes to a sixth of a parked slice where only 16 share it.
fn slice<M: Machine>(machine_: &mut M, code: &[u8]) -> u32 {
    let mut vm = machine(code);
    vm.state.system.set(0x225);
    per_call(machine_, 64, |_, _| {
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
