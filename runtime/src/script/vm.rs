//! The field VM: contexts in their places, and one step (sections 1 and 2).

use super::compat::Compat;
use super::context::{Context, flag};
use super::decode::{DecodeError, Instr, PLAYER, SYSTEM, decode, pages_len};
use super::fault::{Counters, Fault, FaultKind, Outcome};
use super::host::{ContextId, Host};
use super::state::State;
use super::step::{Step, payload};
use crate::bytes::u8_at;

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
        let task = context.task;
        let there = self.at(other);
        let waits = other != id && there.live && there.halted();
        // Let go and parked anew before this one's turn: that is not what it waits for.
        let waits = waits && task.awaits_parking(there.parking());
        if !waits {
            self.at(id).task.go_on();
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
}
