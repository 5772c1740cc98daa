//! A conversation: the dialogue state machine that shares the PC with the script (section 11).

use super::context::flag;
use super::decode::DecodeError;
use super::fault::{Fault, FaultKind, Outcome, SliceEnd};
use super::host::{ContextId, Host};
use super::schedule::SUPPRESSED;
use super::text::{Page, Picker, TextBox, line_at};
use super::vm::Vm;
use crate::bytes::u8_at;

/// Buttons of one frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Buttons {
    /// Confirm went down.
    pub confirm: bool,
    /// Confirm is down: text comes at once.
    pub held: bool,
    /// Up went down.
    pub up: bool,
    /// Down went down.
    pub down: bool,
}

/// Where a conversation stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The script runs or waits.
    Runs,
    /// Text is shown.
    Shows,
    /// A picker is open.
    Picks,
    /// It is over; the actor has been released.
    Over,
}

/// A conversation with one actor.
#[derive(Clone, Debug)]
pub struct Conversation<'c> {
    pub(super) id: ContextId,
    pub(super) phase: Phase,
    pub(super) text: TextBox<'c>,
    pub(super) picker: Option<Picker<'c>>,
    /// What ended it early, or took too long.
    pub(super) fault: Option<Fault>,
    pub(super) why: Why,
}

/// What began a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Why {
    /// The button.
    Button,
    /// Contact: the script is resumed, and not every instruction of it may run.
    Contact,
    /// Nobody was touched: with the text it is over, and the script goes on by itself.
    Overheard,
}

impl<'c> Conversation<'c> {
    /// Engage the actor in place `id`, which the button has touched: the player is locked, the actor
    /// remembers its heading.
    pub fn begin<const N: usize>(vm: &mut Vm<'c, N>, id: ContextId) -> Self {
        Self::touched(vm, id, Why::Button)
    }

    /// The same with what the player has walked into. The script goes on from where it is parked, and the
    /// touch is over before an instruction that contact does not run: the record's last one, or the way
    /// into a minigame ([`crate::field::compat::ContactEffect`] of [`Vm::field`]; field sheet, section
    /// 11.2).
    pub fn begin_by_contact<const N: usize>(vm: &mut Vm<'c, N>, id: ContextId) -> Self {
        Self::touched(vm, id, Why::Contact)
    }

    fn touched<const N: usize>(vm: &mut Vm<'c, N>, id: ContextId, why: Why) -> Self {
        let context = vm.at(id);
        context.flags |= flag::RUN;
        context.touch_count = context.touch_count.saturating_add(1);
        context.saved_heading = context.heading;
        context.sm_state = 0;
        vm.engage(id, true);
        if let Some(player) = vm.player {
            vm.at(player).flags |= flag::LOCKED;
        }
        vm.mailbox = Some(id);
        let (text, picker) = (TextBox::new(), None);
        Self {
            id,
            phase: Phase::Runs,
            text,
            picker,
            fault: None,
            why,
        }
    }

    /// The text that the script in place `id` has come to by itself, as a beat's or the entry script's
    /// ([`SliceEnd::Text`] of a frame): its box opens, and the script gets no slice before it is read. Nobody is
    /// locked or turned back; that is the script's own.
    pub fn overhear<H: Host, const N: usize>(vm: &mut Vm<'c, N>, host: &H, id: ContextId) -> Self {
        vm.engage(id, true);
        let mut talk = Self {
            id,
            phase: Phase::Runs,
            text: TextBox::new(),
            picker: None,
            fault: None,
            why: Why::Overheard,
        };
        talk.open(vm, host);
        talk
    }

    /// Where it stands.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// The last fault: the one that ended it, or the budget of a slice that was too long, after which it
    /// went on.
    #[must_use]
    pub const fn fault(&self) -> Option<Fault> {
        self.fault
    }

    /// The box to draw.
    #[must_use]
    pub const fn text(&self) -> Option<&TextBox<'c>> {
        match self.phase {
            Phase::Shows | Phase::Picks => Some(&self.text),
            Phase::Runs | Phase::Over => None,
        }
    }

    /// The picker to draw.
    #[must_use]
    pub const fn picker(&self) -> Option<&Picker<'c>> {
        self.picker.as_ref()
    }

    /// One tick, of as many display frames as the host says: a slice of the script, or the next glyphs. While
    /// bit 10 of the global bank holds all actors (3.1), nothing.
    pub fn tick<H: Host, const N: usize>(
        &mut self,
        vm: &mut Vm<'c, N>,
        host: &mut H,
        buttons: Buttons,
        budget: u16,
    ) -> Phase {
        let (id, why) = (self.id, self.why);
        self.pass(vm, host, buttons, |vm, host| match why {
            Why::Contact => vm.slice_by_contact(host, id, budget, &mut |_, _| {}),
            Why::Button | Why::Overheard => Some(vm.slice(host, id, budget)),
        })
    }

    /// [`Conversation::tick`] step by step; `seen` hears of each: where it stood, and its outcome.
    pub fn tick_with<H: Host, const N: usize>(
        &mut self,
        vm: &mut Vm<'c, N>,
        host: &mut H,
        buttons: Buttons,
        budget: u16,
        mut seen: impl FnMut(u16, Outcome),
    ) -> Phase {
        let (id, why) = (self.id, self.why);
        self.pass(vm, host, buttons, |vm, host| match why {
            Why::Contact => vm.slice_by_contact(host, id, budget, &mut seen),
            Why::Button | Why::Overheard => Some(vm.slice_with(host, id, budget, &mut seen)),
        })
    }

    /// A tick whose slice, if it comes to one, is `slice`: `None` where contact lets the script go no further.
    fn pass<H: Host, const N: usize>(
        &mut self,
        vm: &mut Vm<'c, N>,
        host: &mut H,
        buttons: Buttons,
        slice: impl FnOnce(&mut Vm<'c, N>, &mut H) -> Option<SliceEnd>,
    ) -> Phase {
        // The dialogue machine is part of the actor's turn (field sheet, section 14).
        if vm.state.global & SUPPRESSED != 0 {
            return self.phase;
        }
        match self.phase {
            Phase::Runs => match slice(vm, host) {
                Some(end) => self.ran(vm, host, end),
                None => self.end(vm),
            },
            Phase::Shows => {
                if self.text.is_full() && buttons.confirm {
                    if !self.text.go_on() {
                        self.after_text(vm, host);
                    }
                } else {
                    self.text.tick(buttons.held, host.vsync_delta());
                }
            }
            Phase::Picks => self.pick(vm, host, buttons),
            Phase::Over => {}
        }
        self.phase
    }

    /// State 0, behind its slice.
    fn ran<H: Host, const N: usize>(&mut self, vm: &mut Vm<'c, N>, host: &H, end: SliceEnd) {
        match end {
            // Of the instructions that end a frame, only `21` ends a conversation.
            SliceEnd::FrameEnd => {
                let context = vm.at(self.id);
                let last = usize::from(context.pc.wrapping_sub(1));
                if u8_at(context.code(), last) == Some(0x21) {
                    self.end(vm);
                }
            }
            SliceEnd::Text => self.open(vm, host),
            SliceEnd::Left => self.end(vm),
            SliceEnd::Fault(fault) => {
                self.fault = Some(fault);
                // A slice that was too long goes on; anything else would never end.
                if !matches!(fault.kind, FaultKind::Budget(_)) {
                    self.end(vm);
                }
            }
            SliceEnd::Parked | SliceEnd::Yielded | SliceEnd::Halted => {}
        }
    }

    /// State 1: up to three lines that follow each other share the box. Where the lines of a string are too many beside
    /// those before it, it gets the next box; if they are too many for any, the others follow when these are read.
    fn open<H: Host, const N: usize>(&mut self, vm: &mut Vm<'c, N>, host: &H) {
        let player = vm.player.map(|it| *vm.at(it));
        let context = vm.at(self.id);
        if context.flags & 0x42_0000 == flag::MOVING
            && let Some(player) = player
        {
            context.heading = host.bearing([player.x, player.z], [context.x, context.z]);
        }
        context.sm_state = 1;
        if !self.text.has_room() {
            self.text.turn(Page::Clear);
        }
        let mut first = true;
        while self.text.has_room()
            && (first || u8_at(context.code(), usize::from(context.pc)) == Some(0x1F))
        {
            let Some((line, next)) = line_at(context.code(), context.pc) else {
                break;
            };
            if !self.text.push(line) {
                if !first {
                    break;
                }
                self.text.turn(Page::Clear);
                self.text.push(line);
            }
            context.pc = next;
            first = false;
        }
        self.phase = Phase::Shows;
    }

    /// State 2: control bytes up to one that is none.
    fn after_text<H: Host, const N: usize>(&mut self, vm: &mut Vm<'c, N>, host: &H) {
        let context = vm.at(self.id);
        context.sm_state = 2;
        let code = context.code();
        let mut page = Page::Clear;
        let mut pc = context.pc;
        loop {
            let at = usize::from(pc);
            let len = match (u8_at(code, at).map(|it| it & 0x7F), u8_at(code, at + 1)) {
                (Some(0x24), _) => {
                    page = Page::Scroll;
                    1
                }
                (Some(0x25), _) => {
                    page = Page::Clear;
                    1
                }
                (Some(0x48), _) => {
                    page = Page::Fresh;
                    1
                }
                (Some(0x4C), Some(0xFF)) => {
                    page = Page::Clear;
                    2
                }
                (Some(0x4C), Some(0xFE)) => 3,
                (Some(0x27..=0x2A), _) => {
                    self.picker = Picker::read(code, pc);
                    context.pc = pc;
                    if self.picker.is_some() {
                        self.phase = Phase::Picks;
                    } else {
                        let found = code.len().saturating_sub(at);
                        let kind = FaultKind::Decode(DecodeError::Truncated {
                            need: found + 1,
                            found,
                        });
                        self.fault = Some(Fault {
                            kind,
                            script_id: context.script_id,
                            pc,
                            in_stream: false,
                        });
                        self.end(vm);
                    }
                    return;
                }
                _ => break,
            };
            match pc.checked_add(len) {
                Some(next) => pc = next,
                // Past the last address a program counter has.
                None => {
                    context.pc = pc;
                    self.fault = Some(Fault {
                        kind: FaultKind::Decode(DecodeError::PcRange { len: code.len() }),
                        script_id: context.script_id,
                        pc,
                        in_stream: false,
                    });
                    return self.end(vm);
                }
            }
        }
        context.pc = pc;
        context.sm_state = 0;
        self.text.turn(page);
        self.go_on(vm, host);
    }

    /// Back to state 0. Where text stands at the PC the box stays: a slice could do nothing but say so, and would
    /// take a tick for it. Text that was overheard is over where no more of it follows.
    fn go_on<H: Host, const N: usize>(&mut self, vm: &mut Vm<'c, N>, host: &H) {
        self.phase = Phase::Runs;
        let context = vm.at(self.id);
        let next = u8_at(context.code(), usize::from(context.pc));
        if next.is_some_and(|it| it & 0x7F < 0x20) {
            // Who is parked by another waits for that first.
            if vm.refusal(self.id).is_none() {
                self.open(vm, host);
            }
        } else if self.why == Why::Overheard {
            self.end(vm);
        }
    }

    fn pick<H: Host, const N: usize>(&mut self, vm: &mut Vm<'c, N>, host: &H, buttons: Buttons) {
        let Some(picker) = &mut self.picker else {
            return;
        };
        if buttons.up != buttons.down {
            picker.step(buttons.down);
        }
        if buttons.confirm {
            let context = vm.at(self.id);
            context.pc = picker.target();
            context.sm_state = 0;
            self.picker = None;
            self.text.turn(Page::Clear);
            self.go_on(vm, host);
        }
    }

    /// Release the actor, and the player if nobody else holds it.
    fn end<const N: usize>(&mut self, vm: &mut Vm<'c, N>) {
        self.phase = Phase::Over;
        self.picker = None;
        if self.why == Why::Overheard {
            vm.at(self.id).sm_state = 0;
            return vm.engage(self.id, false);
        }
        let context = vm.at(self.id);
        context.flags &= !flag::RUN;
        if context.flags & flag::MOVING != 0 {
            context.heading = context.saved_heading;
        }
        context.touch_count = 0;
        context.sm_state = 0;
        vm.engage(self.id, false);
        let held = vm.contexts.iter().any(|it| it.live && it.touch_count != 0);
        if let Some(player) = vm.player.filter(|_| !held) {
            vm.at(player).flags &= !flag::LOCKED;
        }
    }
}
