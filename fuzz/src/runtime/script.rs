//! Field scripts: the machine, its text form.

use overworld_runtime::script::asm::{Name, assemble};
use overworld_runtime::script::context::{Context, Place, flag};
use overworld_runtime::script::decode::decode;
use overworld_runtime::script::dialog::{Buttons, Conversation};
use overworld_runtime::script::dis::{Labels, Line, Style, disassemble, lines};
use overworld_runtime::script::host::{
    Actors, Audio, Camera, ContextId, Flow, FlowEvent, Items, Queries, TextEvent, Texts, Video,
    Walls,
};
use overworld_runtime::script::state::{Paint, Resume};
use overworld_runtime::script::task::Task;
use overworld_runtime::script::{Compat, SliceEnd, Vm};

use super::{Choices, is_inside, take_u8, take_u16};

/// Steps of a slice.
const BUDGET: u16 = 64;

/// A host whose answers are choices; it checks that payloads lie inside the script.
struct Noise<'c> {
    choices: Choices,
    code: &'c [u8],
    spawns: u32,
}

impl Queries for Noise<'_> {
    fn vsync_delta(&self) -> u8 {
        1 + self.code.len() as u8 % 4
    }
    fn rand(&mut self) -> u32 {
        self.choices.below(0x1_0000) as u32
    }
    fn acquire(&mut self, _: ContextId, _: u8) -> bool {
        self.choices.below(2) == 0
    }
    fn dialog_busy(&mut self, _: u8) -> bool {
        self.choices.below(2) == 0
    }
    fn record_search(&mut self, _: u8, _: bool) -> bool {
        self.choices.below(2) == 0
    }
    fn floor_height(&self, x: i16, z: i16) -> Option<i16> {
        Some(x ^ z)
    }
}
impl Actors for Noise<'_> {}
impl Camera for Noise<'_> {}
impl Video for Noise<'_> {}
impl Audio for Noise<'_> {}
impl Items for Noise<'_> {}
impl Texts for Noise<'_> {
    fn text(&mut self, _: ContextId, event: TextEvent<'_>) {
        match event {
            TextEvent::Balloon(bytes)
            | TextEvent::MenuOpen { bytes, .. }
            | TextEvent::Crawl { pages: bytes, .. } => assert!(is_inside(bytes, self.code)),
            TextEvent::Control { .. } => {}
        }
    }
}
impl Flow for Noise<'_> {
    fn flow(&mut self, _: ContextId, event: FlowEvent<'_>) {
        match event {
            FlowEvent::SpawnRecord(_) => self.spawns += 1,
            FlowEvent::SceneChange { name, .. } => assert!((1..=8).contains(&name.len())),
            _ => {}
        }
    }
}
impl Walls for Noise<'_> {
    fn paint(&mut self, paint: Paint) {
        let mut grid = [0x5A; 0x300];
        let len = self.choices.below(grid.len());
        paint.apply(&mut grid[..len]);
        assert!(grid.iter().all(|cell| cell & 0xF == 0xA));
        assert!(grid[len..].iter().all(|&cell| cell == 0x5A));
    }
}

/// `[u8 seed][u8 state][u16 pc]`, then a record, which is also an ambient stream.
///
/// Bits of `state`: 0 system flags, 1 local and global banks, 2 slots and purse, 3 and 4 the menu slot, 5 one
/// context halted by its owner, 6 contexts parked for each other in a ring, 7 mirrored Y.
///
/// Slices stay within their budget, what the host is given lies inside the record, a fault names the
/// context and its PC, a stopped context stays stopped.
pub fn script(data: &[u8]) -> bool {
    let (seed, data) = take_u8(data);
    let (bits, data) = take_u8(data);
    let (pc, code) = take_u16(data);
    let mut host = Noise {
        choices: Choices::new(seed.into()),
        code,
        spawns: 0,
    };
    let compat = if seed & 1 == 0 {
        Compat::Retail
    } else {
        Compat::Port
    };
    let has = |bit: u8| bits >> bit & 1 != 0;
    let mut vm = Box::new(Vm::<4>::new(compat));
    for (place, id) in [0xFB, 0x20, 0x46].into_iter().enumerate() {
        let mut flags = 0x100;
        if has(5) && place == 1 || has(6) {
            flags |= flag::HALT;
        }
        if has(7) {
            flags |= flag::MIRROR;
        }
        // Each is parked on another instruction, as if its neighbour had parked it.
        let at = pc.wrapping_add(place as u16);
        vm.contexts[place] = Context {
            flags,
            saved: (seed & 2 != 0 || has(6)).then_some(Place::new(code, at)),
            task: Task::new(code).awaiting(has(6).then_some((place as u8 + 1) % 3)),
            local_flags: if has(1) { 0x5A5A } else { 0 },
            stream: code,
            enable: 1,
            ..Context::new(id, code, pc)
        };
    }
    (vm.player, vm.system) = (Some(2), Some(0));
    if has(0) {
        vm.state.system.0.fill(0x33 ^ seed);
    }
    if has(1) {
        // Not the bit that suppresses everybody.
        vm.state.global = 0x5A5A_5A5A & !0x400;
    }
    if has(2) {
        let slots = vm.state.slots.iter_mut().zip(0_i16..);
        slots.for_each(|(slot, n)| *slot = n.wrapping_mul(0x1357));
        (vm.state.gold, vm.state.coins) = (9_999_990, 5);
        [3, 1, 2].into_iter().for_each(|it| vm.state.add_member(it));
    }
    vm.state.resume = match (bits >> 3 & 3, seed & 4) {
        (0, 0) => Resume::Idle,
        (1, _) => Resume::Armed,
        _ => Resume::Done,
    };
    vm.beats = (seed & 8 != 0).then_some(4..9);
    let mut clean = true;
    for _ in 0..4 {
        let mut faults = Vec::new();
        vm.frame(&mut host, BUDGET, |id, end| {
            if let SliceEnd::Fault(fault) = end {
                // A record is seldom a stream as well.
                if !fault.in_stream {
                    clean = false;
                    faults.push((id, fault));
                }
            }
        });
        for (id, fault) in faults {
            let context = &vm.contexts[usize::from(id)];
            assert_eq!((fault.script_id, fault.pc), (context.script_id, context.pc));
            assert!(context.stopped().is_none_or(|it| it == fault));
        }
    }
    assert!(vm.state.ramps.len() <= 63);
    (0..4).for_each(|id| vm.release(id));
    let mut talk = Conversation::begin(&mut vm, 1);
    for _ in 0..8 {
        let buttons = Buttons {
            confirm: host.choices.below(2) == 0,
            held: true,
            up: false,
            down: host.choices.below(2) == 0,
        };
        talk.tick(&mut vm, &mut host, buttons, BUDGET);
    }
    clean
}

/// A record: its text assembles to the same bytes, and lines tile it.
pub fn script_text(data: &[u8]) -> bool {
    let mut labels = Box::new(Labels::none());
    let mut text = String::new();
    let style = Style {
        offsets: data.len() & 1 == 0,
    };
    disassemble(data, 0, style, &mut labels, &mut text).expect("strings do not fail");
    let back = bytes_of(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(back, data, "\n{text}");
    let mut at = 0;
    for line in lines(data, 0) {
        assert_eq!(line.at, at);
        assert!(is_inside(line.bytes, data));
        at += line.bytes.len();
    }
    assert_eq!(at, data.len());
    // And as a source: refused, or stable.
    if let Ok(source) = std::str::from_utf8(data)
        && let Ok(code) = bytes_of(source)
    {
        let mut text = String::new();
        disassemble(&code, 0, Style::default(), &mut labels, &mut text).expect("as before");
        assert_eq!(bytes_of(&text).as_deref(), Ok(&code[..]));
        if let Ok(instr) = decode(&code, 0, Compat::Retail) {
            assert!(Line::read(&code, 0).is_some_and(|it| it.bytes.len() <= instr.len));
        }
        return true;
    }
    false
}

fn bytes_of(source: &str) -> Result<Vec<u8>, String> {
    let mut out = vec![0; source.len() + 16];
    let mut names = vec![Name::default(); source.lines().count() + source.matches(':').count()];
    let length = assemble(source, &mut out, &mut names).map_err(|error| error.to_string())?;
    out.truncate(length);
    Ok(out)
}
