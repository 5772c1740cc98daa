//! What every program has to keep, whatever its bytes are (pitfall P16).

use std::fmt::{self, Write};

use overworld_runtime::script::context::{Context, Place, flag};
use overworld_runtime::script::dialog::{Buttons, Conversation};
use overworld_runtime::script::host::*;
use overworld_runtime::script::state::Paint;
use overworld_runtime::script::{Compat, Outcome, SliceEnd, Vm};

/// A host whose answers look random.
pub struct Noise(pub u32);

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
    fn in_box(&self, _: ContextId, _: [i16; 2], _: [i16; 4]) -> bool {
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

/// Says on which program a test died.
struct Told<'a>(&'a [u8], Compat);

impl Drop for Told<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the program is {:02X?}, under {:?}", self.0, self.1);
        }
    }
}

/// Room for a message, as the console's crash screen has it; what has none is left out.
struct Message([u8; 160], usize);

impl Write for Message {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for (to, &byte) in self.0[self.1..].iter_mut().zip(text.as_bytes()) {
            *to = byte;
            self.1 += 1;
        }
        Ok(())
    }
}

/// One program: three frames of it, and a conversation with it, in a small world.
fn survive(code: &[u8], compat: Compat, seed: u32) {
    let _told = Told(code, compat);
    let mut vm = Vm::<4>::new(compat);
    let mut host = Noise(seed);
    for (place, id) in [0xFB, 0x21, 0x46].into_iter().enumerate() {
        let saved = Some(Place::new(code, 0)).filter(|_| seed & 8 != 0);
        vm.contexts[place] = Context {
            flags: flag::RUN | if seed & 16 != 0 { flag::MIRROR } else { 0 },
            saved,
            stream: code,
            enable: 1,
            ..Context::new(id, code, 0)
        };
    }
    (vm.player, vm.system) = (Some(2), Some(0));
    let budget = 16;
    // The same faults come each frame, and their messages were most of the time.
    for frame in 0..3 {
        let mut faults = [None; 4];
        vm.frame(&mut host, budget, |id, end| {
            if let SliceEnd::Fault(fault) = end {
                if frame == 0 {
                    let mut message = Message([0; 160], 0);
                    assert!(write!(message, "{fault}").is_ok() && message.1 > 0);
                }
                if !fault.in_stream {
                    faults[usize::from(id)] = Some(fault);
                }
            }
        });
        for (fault, context) in faults.into_iter().zip(&vm.contexts) {
            if let Some(fault) = fault {
                assert_eq!((fault.script_id, fault.pc), (context.script_id, context.pc));
            }
        }
    }
    // Step by step: no more steps than the budget, and each stood inside of the record, or ended the slice
    // with an error.
    let mut seen = Vec::with_capacity(budget.into());
    for id in 0..3 {
        seen.clear();
        let end = vm.slice_with(&mut host, id, budget, |pc, outcome| {
            seen.push((pc, outcome))
        });
        assert!(seen.len() <= usize::from(budget));
        for &(pc, outcome) in &seen {
            let inside = usize::from(pc) < code.len();
            assert!(
                inside || matches!(outcome, Outcome::Fault(_)),
                "{code:02X?}"
            );
        }
        if seen.len() == usize::from(budget) {
            assert!(!matches!(end, SliceEnd::Halted));
        }
        let context = &vm.contexts[usize::from(id)];
        let inside = usize::from(context.pc) < code.len();
        let stopped = context.stopped().is_some() || matches!(end, SliceEnd::Fault(_));
        if !inside && !stopped {
            let next = vm.clone().slice(&mut host, id, budget);
            let ends = matches!(next, SliceEnd::Halted | SliceEnd::Fault(_));
            assert!(ends, "{code:02X?}");
        }
    }
    let mut talk = Conversation::begin(&mut vm, 1);
    for _ in 0..3 {
        let buttons = Buttons {
            confirm: true,
            held: true,
            up: seed & 1 != 0,
            down: seed & 2 != 0,
        };
        talk.tick(&mut vm, &mut host, buttons, budget);
    }
}

/// A program under both readings.
fn under_both(code: &[u8], seed: u32) {
    for compat in [Compat::Retail, Compat::Port] {
        survive(code, compat, seed);
    }
}

/// The empty program, that of the byte `first`, those of it and any other byte, and those that go on with one
/// of `third`: how many.
pub fn short(first: u8, third: &[u8]) -> u32 {
    let mut count = 0;
    let mut play = |code: &[u8]| {
        let number = code.iter().fold(1, |it, &byte| it << 8 | u32::from(byte));
        // The state around a program is not to follow its last byte.
        under_both(code, number.wrapping_mul(0x9E37_79B1) >> 7);
        count += 1;
    };
    play(&[]);
    play(&[first]);
    for second in 0..=255 {
        play(&[first, second]);
        for &third in third {
            play(&[first, second, third]);
        }
    }
    count
}

/// `count` programs of 4 to 16 bytes that look random; `state` tells which, and is not 0.
pub fn random(mut state: u32, count: u32) {
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    };
    for _ in 0..count {
        let code: [u8; 16] = std::array::from_fn(|_| (next() >> 11) as u8);
        let seed = next();
        under_both(&code[..4 + (seed >> 8) as usize % 13], seed);
    }
}
