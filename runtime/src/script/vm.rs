//! The field VM: one step, one slice (sections 1 to 3).

use core::fmt;

use super::compat::Compat;
use super::context::{Context, Place, flag};
use super::decode::{DecodeError, Instr, PLAYER, SYSTEM, decode, pages_len};
use super::host::{ContextId, Host};
use super::simple::{Stop, run};
use super::state::State;
use super::task::still;
use crate::bytes::{u8_at, u16_at};

/// What is wrong with a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum FaultKind {
    /// There is no whole instruction at the PC.
    Decode(DecodeError),
    /// A slice used up its steps.
    Budget(u16),
    /// No context has this place in the pool.
    NoContext(ContextId),
}

impl FaultKind {
    /// The sheet's name of it (section 13).
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Decode(error) => error.name(),
            Self::Budget(_) => "Budget",
            Self::NoContext(_) => "NoContext",
        }
    }
}

/// A fault and where the script stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Fault {
    /// What is wrong.
    pub kind: FaultKind,
    /// Id of the context.
    pub script_id: u16,
    /// Its program counter, which has not moved.
    pub pc: u16,
    /// It is the ambient stream's: the counter is from the first op of the variant.
    pub in_stream: bool,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} in {}script {:02X} at offset {:#06x}: ",
            self.kind.name(),
            if self.in_stream { "the stream of " } else { "" },
            self.script_id,
            self.pc
        )?;
        match self.kind {
            FaultKind::Decode(error) => write!(f, "{error}"),
            FaultKind::Budget(ops) if self.in_stream => {
                write!(f, "{ops} ops did not end the tick")
            }
            FaultKind::Budget(steps) => write!(f, "{steps} steps did not end the slice"),
            FaultKind::NoContext(id) => write!(f, "the pool has no place {id}"),
        }
    }
}

impl core::error::Error for Fault {}

/// Result of one step (1.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The PC is there now.
    Advance(u16),
    /// Wait; the same instruction runs again.
    Park,
    /// The PC is there now, and the frame is over.
    ParkAt(u16),
    /// The PC is there now, and a context was handed to the walk kernel.
    Yield(u16),
    /// Text stands at the PC.
    Text,
    /// Nothing was done.
    Fault(Fault),
}

/// Why a slice ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SliceEnd {
    /// End of the frame.
    FrameEnd,
    /// An instruction waits.
    Parked,
    /// A context was handed over.
    Yielded,
    /// Text is next: the dialogue's turn.
    Text,
    /// The scene or the mode is about to change.
    Left,
    /// The context is halted, or the one that it has sent walking is: it got no slice.
    Halted,
    /// A fault; after one out of the record's range the context has stopped.
    Fault(Fault),
}

/// Diagnostics; none of them changes what scripts do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Extended instructions whose target is not there.
    pub unresolved: u32,
    /// Places without an instruction that were met, each time.
    pub unknown: u32,
    /// Truncated instructions that were met, each time.
    pub truncated: u32,
    /// Contexts that left their record.
    pub out_of_range: u32,
    /// Slices that used up their steps.
    pub overruns: u32,
    /// Contexts dropped because the pool was full.
    pub dropped: u32,
    /// Scene changes to what is no label.
    pub bad_names: u32,
    /// Ambient streams that were stopped.
    pub streams: u32,
    /// Op `44` with a number of no beat.
    pub no_beats: u32,
    /// System flags of the extended form, whose number is not settled (section 2).
    pub extended_flags: u32,
}

impl Counters {
    pub(super) fn add(counter: &mut u32) {
        *counter = counter.saturating_add(1);
    }
}

/// Places of contexts in conversations, and how many they are.
#[derive(Clone, Debug)]
pub(super) struct Engaged {
    pub(super) places: [u32; 8],
    count: u16,
}

impl Engaged {
    const NOBODY: Self = Self {
        places: [0; 8],
        count: 0,
    };

    #[inline]
    pub(super) fn has(&self, id: ContextId) -> bool {
        let word = self.places.get(usize::from(id >> 5));
        self.count != 0 && word.is_some_and(|it| it >> (id & 31) & 1 != 0)
    }

    fn set(&mut self, id: ContextId, on: bool) {
        if let Some(word) = self.places.get_mut(usize::from(id >> 5)) {
            *word = *word & !(1 << (id & 31)) | u32::from(on) << (id & 31);
        }
        self.count = self.places.iter().map(|it| it.count_ones() as u16).sum();
    }
}

/// Scripts, their contexts and what they share; `N` places, 255 at most are used.
#[derive(Clone, Debug)]
pub struct Vm<'c, const N: usize> {
    /// The pool of contexts.
    pub contexts: [Context<'c>; N],
    /// What scripts share.
    pub state: State,
    /// Which reading of the sheet is played.
    pub compat: Compat,
    /// Readings of the field sheet that walks and ambient streams share with the field: whether the
    /// step ladder has a floor.
    pub field: crate::field::Compat,
    /// Place of the player, whom [`PLAYER`] means.
    pub player: Option<ContextId>,
    /// Place of the system script, which [`SYSTEM`] means. It runs each frame.
    pub system: Option<ContextId>,
    /// Diagnostics.
    pub counters: Counters,
    /// Flat numbers of the scene's beats; op `44` names nothing else. `None`: any number is handed on.
    pub beats: Option<core::ops::Range<u32>>,
    /// The actor that was touched; ends an ambient wait.
    pub mailbox: Option<ContextId>,
    /// Who is in a conversation.
    pub(super) engaged: Engaged,
    /// Stands in for places that do not exist.
    pub(super) spare: Context<'c>,
    /// The last step handed its own context over.
    pub(super) handed: bool,
    /// The last step asked for another scene or mode.
    pub(super) leaving: bool,
}

impl<'c, const N: usize> Vm<'c, N> {
    /// No contexts, everything zero.
    #[must_use]
    pub const fn new(compat: Compat) -> Self {
        Self {
            contexts: [Context::EMPTY; N],
            state: State::EMPTY,
            compat,
            field: crate::field::Compat::SHEET,
            player: None,
            system: None,
            counters: Counters {
                unresolved: 0,
                unknown: 0,
                truncated: 0,
                out_of_range: 0,
                overruns: 0,
                dropped: 0,
                bad_names: 0,
                streams: 0,
                no_beats: 0,
                extended_flags: 0,
            },
            beats: None,
            mailbox: None,
            engaged: Engaged::NOBODY,
            spare: Context::EMPTY,
            handed: false,
            leaving: false,
        }
    }

    /// The context in a place.
    #[inline]
    pub(super) fn at(&mut self, id: ContextId) -> &mut Context<'c> {
        match self.contexts.get_mut(usize::from(id)) {
            Some(context) => context,
            None => &mut self.spare,
        }
    }

    /// What scripts share, and the context in a place.
    #[inline]
    pub(super) fn state_and(&mut self, id: ContextId) -> (&mut State, &mut Context<'c>) {
        let context = match self.contexts.get_mut(usize::from(id)) {
            Some(context) => context,
            None => &mut self.spare,
        };
        (&mut self.state, context)
    }

    /// Whether a conversation gives the context in a place its slices.
    #[inline]
    #[must_use]
    pub fn is_engaged(&self, id: ContextId) -> bool {
        self.engaged.has(id)
    }

    /// Whether there is a conversation.
    #[inline]
    pub(super) fn is_modal(&self) -> bool {
        self.engaged.count != 0
    }

    /// Begin or end a conversation's hold of a context.
    pub(super) fn engage(&mut self, id: ContextId, on: bool) {
        self.engaged.set(id, on);
    }

    /// The places of the pool, as ids.
    pub(super) fn ids() -> core::ops::Range<u8> {
        0..N.min(255) as u8
    }

    /// The context that a target id means (section 2).
    #[must_use]
    pub fn resolve(&self, id: u8) -> Option<ContextId> {
        match id {
            PLAYER => return self.player,
            SYSTEM => return self.system,
            _ => {}
        }
        let mut places = Self::ids().zip(&self.contexts);
        places
            .find(|(_, it)| it.live && it.flags & flag::DYING == 0 && it.script_id == u16::from(id))
            .map(|(place, _)| place)
    }

    /// The context that an extended instruction in the script of place `id` works on: that one itself
    /// under its own number. The two names win over records with these numbers (9.3).
    #[inline]
    pub(super) fn target(&self, id: ContextId, name: u8) -> Option<ContextId> {
        let own = self.contexts.get(usize::from(id)).map(|it| it.script_id);
        if own == Some(u16::from(name)) && !matches!(name, PLAYER | SYSTEM) {
            return Some(id);
        }
        self.resolve(name)
    }

    /// Whether a context is the system script's.
    #[inline]
    #[must_use]
    pub fn is_system(&self, id: ContextId) -> bool {
        self.system == Some(id)
    }

    /// Whether a context is the player.
    #[inline]
    #[must_use]
    pub fn is_player(&self, id: ContextId) -> bool {
        if self.compat.player_by_flag() {
            let context = self.contexts.get(usize::from(id));
            return context.is_some_and(|it| it.flags & flag::SPECIAL_MODEL != 0);
        }
        self.player == Some(id)
    }

    /// Whether the context in a place may not go on: it is halted, or the one that it awaits is.
    pub(super) fn waits_for_another(&mut self, id: ContextId) -> bool {
        let context = self.at(id);
        if context.halted() {
            return true;
        }
        let Some(other) = context.awaits() else {
            return false;
        };
        let waits = other != id && self.at(other).live && self.at(other).halted();
        if !waits {
            self.at(id).task.wait_for(None);
        }
        waits
    }

    #[cold]
    #[inline(never)]
    pub(super) fn fault(&mut self, id: ContextId, kind: FaultKind) -> Fault {
        let context = self.at(id);
        let fault = Fault {
            kind,
            script_id: context.script_id,
            pc: context.pc,
            in_stream: false,
        };
        let counters = &mut self.counters;
        match kind {
            FaultKind::Decode(DecodeError::PcRange { .. }) => {
                Counters::add(&mut counters.out_of_range);
                self.at(id).task.stop(fault);
            }
            FaultKind::Decode(DecodeError::Truncated { .. }) => {
                Counters::add(&mut counters.truncated)
            }
            FaultKind::Decode(_) => Counters::add(&mut counters.unknown),
            FaultKind::Budget(_) => Counters::add(&mut counters.overruns),
            FaultKind::NoContext(_) => {}
        }
        fault
    }

    /// Execute the instruction at the PC of the context in place `id`, and move its PC.
    pub fn step<H: Host>(&mut self, host: &mut H, id: ContextId) -> Outcome {
        let Some(context) = self.contexts.get(usize::from(id)) else {
            return Outcome::Fault(self.fault(id, FaultKind::NoContext(id)));
        };
        let (code, pc) = (context.code(), context.pc);
        self.handed = false;
        self.leaving = false;
        let instr = match decode(code, usize::from(pc), self.compat) {
            Ok(instr) => instr,
            Err(DecodeError::Text) => return Outcome::Text,
            // A menu of no known length can open and close all the same.
            Err(error)
                if code
                    .get(usize::from(pc))
                    .is_some_and(|it| it & 0x7F == 0x49) =>
            {
                return match self.menu_without_length(host, id) {
                    Some(outcome) => outcome,
                    None => Outcome::Fault(self.fault(id, FaultKind::Decode(error))),
                };
            }
            Err(error) => return Outcome::Fault(self.fault(id, FaultKind::Decode(error))),
        };
        let mut target = id;
        if let Some(name) = instr.target {
            match self.target(id, name) {
                Some(place) => target = place,
                None => {
                    Counters::add(&mut self.counters.unresolved);
                    let next = pc.wrapping_add(self.whole_length(&instr, code, pc) as u16);
                    self.at(id).pc = next;
                    return Outcome::Advance(next);
                }
            }
            let operand = u8_at(instr.operands, 0).unwrap_or(0);
            let releases = instr.opcode == 0x32 && operand & 0x1F == 10;
            if self.at(target).halted() && !releases && !self.is_system(target) {
                return Outcome::Park;
            }
        }
        let outcome = Step {
            vm: self,
            host,
            instr,
            caller: id,
            ctx: target,
            pc,
            code,
        }
        .execute();
        match outcome {
            Outcome::Advance(next) | Outcome::ParkAt(next) | Outcome::Yield(next) => {
                self.at(id).pc = next;
            }
            Outcome::Park | Outcome::Text | Outcome::Fault(_) => {}
        }
        outcome
    }

    /// Length of an instruction with the data that it skips behind itself.
    pub(super) fn whole_length(&self, instr: &Instr<'_>, code: &[u8], pc: u16) -> usize {
        let behind = code.get(usize::from(pc) + instr.len..).unwrap_or_default();
        let sub = u8_at(instr.operands, 0).unwrap_or(0);
        let block = match (instr.opcode, sub) {
            (0x34, 0x10..=0x1F) => payload(behind).map(|it| it.len() + 2),
            (0x4C, 0x80) if !self.compat.crawl_keeps_pages() => {
                pages_len(behind, u8_at(instr.operands, 1).unwrap_or(0))
            }
            _ => None,
        };
        instr.len + block.unwrap_or(0)
    }

    /// Run the context in place `id` until something of 3.2 ends its slice, `budget` steps at most.
    ///
    /// A budget of at least 256 is larger than that of any authored slice.
    #[inline]
    pub fn slice<H: Host>(&mut self, host: &mut H, id: ContextId, budget: u16) -> SliceEnd {
        let dt = host.vsync_delta();
        let (state, context) = self.state_and(id);
        if budget >= 2 {
            match still(state, context, dt, flag::HALT) {
                Some(Stop::Parked) => return SliceEnd::Parked,
                Some(_) => return SliceEnd::FrameEnd,
                None => {}
            }
        }
        self.turn(host, id, budget)
    }

    /// A slice in which something happens, or none.
    #[inline(never)]
    pub(super) fn turn<H: Host>(&mut self, host: &mut H, id: ContextId, budget: u16) -> SliceEnd {
        match self.refusal(id) {
            None => self.slice_from(host, id, budget),
            Some(end) => end,
        }
    }

    /// A slice of a context that may run.
    fn slice_from<H: Host>(&mut self, host: &mut H, id: ContextId, budget: u16) -> SliceEnd {
        let (compat, dt) = (self.compat, host.vsync_delta());
        let (state, context) = self.state_and(id);
        match run(state, context, dt, compat, budget) {
            (Stop::Frame, _) => SliceEnd::FrameEnd,
            (Stop::Parked, _) => SliceEnd::Parked,
            (Stop::Text, _) => SliceEnd::Text,
            (Stop::Other, left) => self.slice_on(host, id, budget, left),
        }
    }

    /// Go on with a slice of `budget` steps, of which some are `left`, whose next one is not simple.
    #[inline(never)]
    fn slice_on<H: Host>(
        &mut self,
        host: &mut H,
        id: ContextId,
        budget: u16,
        mut left: u16,
    ) -> SliceEnd {
        while let Some(less) = left.checked_sub(1) {
            if let Some(end) = self.slice_step(host, id, &mut |_, _| {}) {
                return end;
            }
            let (compat, dt) = (self.compat, host.vsync_delta());
            let (state, context) = self.state_and(id);
            let stop;
            (stop, left) = run(state, context, dt, compat, less);
            match stop {
                Stop::Frame => return SliceEnd::FrameEnd,
                Stop::Parked => return SliceEnd::Parked,
                Stop::Text => return SliceEnd::Text,
                Stop::Other => {}
            }
        }
        SliceEnd::Fault(self.fault(id, FaultKind::Budget(budget)))
    }

    /// One step of a slice; what ends the slice behind it.
    #[inline]
    pub(super) fn slice_step<H: Host>(
        &mut self,
        host: &mut H,
        id: ContextId,
        seen: &mut impl FnMut(u16, Outcome),
    ) -> Option<SliceEnd> {
        let context = self.at(id);
        let (code, pc) = (context.code(), context.pc);
        let outcome = self.step(host, id);
        seen(pc, outcome);
        let next = match outcome {
            Outcome::Advance(next) => next,
            Outcome::Park => return Some(SliceEnd::Parked),
            Outcome::ParkAt(_) => return Some(SliceEnd::FrameEnd),
            Outcome::Yield(_) => return Some(SliceEnd::Yielded),
            Outcome::Text => return Some(SliceEnd::Text),
            Outcome::Fault(fault) => return Some(SliceEnd::Fault(fault)),
        };
        if self.leaving {
            return Some(SliceEnd::Left);
        }
        if u8_at(code, usize::from(pc)) == Some(0x21) {
            return Some(SliceEnd::FrameEnd);
        }
        if self.handed {
            return Some(SliceEnd::Yielded);
        }
        if next == pc {
            return Some(SliceEnd::Parked);
        }
        let text = u8_at(code, usize::from(next)).is_some_and(|it| it & 0x7F < 0x20);
        text.then_some(SliceEnd::Text)
    }

    /// [`Vm::slice`] step by step; `seen` hears of each: where it stood, and its outcome.
    pub fn slice_with<H: Host>(
        &mut self,
        host: &mut H,
        id: ContextId,
        budget: u16,
        mut seen: impl FnMut(u16, Outcome),
    ) -> SliceEnd {
        if let Some(end) = self.refusal(id) {
            return end;
        }
        for _ in 0..budget {
            if let Some(end) = self.slice_step(host, id, &mut seen) {
                return end;
            }
        }
        SliceEnd::Fault(self.fault(id, FaultKind::Budget(budget)))
    }

    /// Why a context gets no slice.
    #[inline]
    pub(super) fn refusal(&mut self, id: ContextId) -> Option<SliceEnd> {
        let context = self.contexts.get(usize::from(id))?;
        if context.stopped().is_none() && context.awaits().is_none() && !context.halted() {
            return None;
        }
        self.refused(id)
    }

    #[cold]
    #[inline(never)]
    fn refused(&mut self, id: ContextId) -> Option<SliceEnd> {
        if let Some(fault) = self.at(id).stopped() {
            return Some(SliceEnd::Fault(fault));
        }
        let waits = !self.compat.halted_runs() && self.waits_for_another(id);
        waits.then_some(SliceEnd::Halted)
    }
}

/// The bytes of a `40` block at the start of `behind`, as far as the record has them.
fn payload(behind: &[u8]) -> Option<&[u8]> {
    let [0x40, count, bytes @ ..] = behind else {
        return None;
    };
    Some(bytes.get(..usize::from(*count)).unwrap_or(bytes))
}

/// One instruction being executed on a context.
pub(super) struct Step<'v, 'c, H, const N: usize> {
    pub vm: &'v mut Vm<'c, N>,
    pub host: &'v mut H,
    pub instr: Instr<'c>,
    /// Place of the context whose script it is.
    pub caller: ContextId,
    /// Place of the context it works on.
    pub ctx: ContextId,
    pub pc: u16,
    pub code: &'c [u8],
}

impl<'c, H: Host, const N: usize> Step<'_, 'c, H, N> {
    /// Operand byte.
    #[inline]
    pub fn b(&self, at: usize) -> u8 {
        u8_at(self.instr.operands, at).unwrap_or(0)
    }

    /// Operand halfword.
    #[inline]
    pub fn w(&self, at: usize) -> u16 {
        u16_at(self.instr.operands, at).unwrap_or(0)
    }

    /// Signed operand halfword.
    #[inline]
    pub fn s(&self, at: usize) -> i16 {
        self.w(at) as i16
    }

    /// 24-bit operand.
    pub fn m(&self, at: usize) -> u32 {
        u32::from(self.w(at)) | u32::from(self.b(at + 2)) << 16
    }

    /// Signed 24-bit operand.
    pub fn signed24(&self, at: usize) -> i32 {
        (self.m(at) << 8) as i32 >> 8
    }

    /// Operand bytes from `at` on.
    pub fn from(&self, at: usize) -> &'c [u8] {
        self.instr.operands.get(at..).unwrap_or_default()
    }

    /// The record behind the instruction.
    pub fn behind(&self) -> &'c [u8] {
        self.code
            .get(usize::from(self.pc) + self.instr.len..)
            .unwrap_or_default()
    }

    /// The data block behind the instruction.
    pub fn payload(&self) -> Option<&'c [u8]> {
        payload(self.behind())
    }

    /// The context it works on.
    #[inline]
    pub fn c(&mut self) -> &mut Context<'c> {
        self.vm.at(self.ctx)
    }

    /// Whether that is the player.
    #[inline]
    pub fn is_player(&self) -> bool {
        self.vm.is_player(self.ctx)
    }

    /// The address behind the instruction.
    #[inline]
    pub fn next(&self) -> u16 {
        self.pc.wrapping_add(self.instr.len as u16)
    }

    /// Go on behind the instruction.
    #[inline]
    pub fn advance(&self) -> Outcome {
        Outcome::Advance(self.next())
    }

    /// Jump by rule R: the displacement stands `at` bytes behind the first operand (1.2).
    #[inline]
    pub fn jump(&self, at: usize) -> Outcome {
        let address = self.pc.wrapping_add((self.instr.header() + at) as u16);
        Outcome::Advance(address.wrapping_add(self.w(at)))
    }

    /// A jump of those that the port reads as absolute.
    pub fn inferred_jump(&self, at: usize) -> Outcome {
        if self.vm.compat.absolute_jumps() {
            Outcome::Advance(self.w(at))
        } else {
            self.jump(at)
        }
    }

    /// Jump if `condition`, else go on.
    #[inline]
    pub fn jump_if(&self, condition: bool, at: usize) -> Outcome {
        if condition {
            self.jump(at)
        } else {
            self.advance()
        }
    }

    /// [`Step::jump_if`] for [`Step::inferred_jump`].
    pub fn inferred_jump_if(&self, condition: bool, at: usize) -> Outcome {
        if condition {
            self.inferred_jump(at)
        } else {
            self.advance()
        }
    }

    /// Go on if `condition`, else wait.
    #[inline]
    pub fn park_unless(&self, condition: bool) -> Outcome {
        if condition {
            self.advance()
        } else {
            Outcome::Park
        }
    }

    /// Park the context for the walk kernel, and a script that parks the player along with it (7.9).
    pub fn halt(&mut self) {
        let place = Place::new(self.code, self.pc);
        let (ctx, caller) = (self.ctx, self.caller);
        let both = self.parks_both() && ctx != caller;
        self.vm.at(ctx).park(place);
        if both {
            self.vm.at(caller).park(place.along_with(ctx));
        }
        if both || ctx == caller {
            self.vm.handed = !self.vm.compat.halted_runs();
        }
    }

    /// [`Step::halt`] for a walk: the script waits for the one that it walks (7.9).
    pub fn halt_walk(&mut self) {
        self.halt();
        if !self.parks_both() && !self.vm.compat.halted_runs() {
            self.vm.at(self.caller).task.wait_for(Some(self.ctx));
        }
    }

    /// Whether the running context is parked when the instruction's context is: it is the same, or that
    /// one is the player.
    pub fn parks_both(&self) -> bool {
        self.ctx == self.caller || self.is_player()
    }

    /// Halt-acquire (7.16); `name` tells a port's host which instruction asks.
    pub fn acquire(&mut self, name: u8) -> bool {
        let free = if self.vm.compat.host_acquires() {
            self.host.acquire(self.ctx, name)
        } else {
            let is_player = self.is_player();
            let context = self.vm.at(self.ctx);
            (context.saved.is_some() || is_player) && (!context.halted() || self.host.scene_busy())
        };
        if free {
            self.halt();
        }
        free
    }

    /// Floor height at the context into its Y, unless Y is mirrored.
    pub fn settle(&mut self, id: ContextId) {
        let context = self.vm.at(id);
        if context.flags & flag::MIRROR == 0
            && let Some(height) = self.host.floor_height(context.x, context.z)
        {
            context.y = height;
        }
    }
}
