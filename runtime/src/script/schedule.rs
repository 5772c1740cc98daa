//! One frame of all contexts; installing and spawning (sections 3, 9.4 and 10).

use core::ops::Range;

use super::ambient::first;
use super::context::{Context, flag};
use super::fault::{Counters, SliceEnd};
use super::host::{ContextId, Host};
use super::simple::Stop;
use super::state::{Resume, Target};
use super::task::still;
use super::vm::Vm;
use super::walk::stride;
use crate::bytes::u8_at;
use crate::field::compat::AmbientEnable;

/// Bit of the global bank that suppresses every actor's turn, conversations included (3.1).
pub(super) const SUPPRESSED: u32 = 0x400;
/// No place of the pool, which has 255 at most.
const OTHERS: ContextId = u8::MAX;

/// A record of partition 2 that is to be run.
#[derive(Clone, Copy, Debug)]
pub struct Beat<'c, C1, C2> {
    /// Its flat number, which becomes the context's id.
    pub script_id: u16,
    /// The record, header included.
    pub code: &'c [u8],
    /// Its first instruction.
    pub pc0: u16,
    /// Flags that forbid it (C1).
    pub blocked_by: C1,
    /// Flags that it needs (C2).
    pub needs: C2,
}

/// What became of a beat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spawn {
    /// Its conditions do not hold.
    Blocked,
    /// The pool is full.
    Full,
    /// It runs in this place from the next walk on.
    Started(ContextId),
}

impl<'c, const N: usize> Vm<'c, N> {
    /// Put a context into the first free place; `None`, and counted, when there is none.
    pub fn insert(&mut self, context: Context<'c>) -> Option<ContextId> {
        let free = Self::ids()
            .zip(&mut self.contexts)
            .find(|(_, place)| !place.live);
        match free {
            Some((id, place)) => {
                *place = Context {
                    live: true,
                    ..context
                };
                Some(id)
            }
            None => {
                Counters::add(&mut self.counters.dropped);
                None
            }
        }
    }

    /// Install a context at scene load, and run its prologue if its first opcode marks one: the system
    /// script ([`Vm::install_system`]), a placement or an object (3.3, 10).
    ///
    /// Answers its place and how the prologue ended.
    pub fn install<H: Host>(
        &mut self,
        host: &mut H,
        context: Context<'c>,
        budget: u16,
    ) -> Option<(ContextId, Option<SliceEnd>)> {
        let id = self.insert(context)?;
        Some((id, self.prologue(host, id, budget)))
    }

    /// [`Vm::install`] for the system script: it runs each frame from then on, and answers to
    /// [`SYSTEM`](super::SYSTEM) beside its own flat id (9.3).
    pub fn install_system<H: Host>(
        &mut self,
        host: &mut H,
        context: Context<'c>,
        budget: u16,
    ) -> Option<(ContextId, Option<SliceEnd>)> {
        let id = self.insert(context)?;
        self.system = Some(id);
        Some((id, self.prologue(host, id, budget)))
    }

    /// The prologue of a context that has entered the pool, if its first opcode marks one; how it ended
    /// (3.3). [`Vm::install`] does both.
    pub fn prologue<H: Host>(
        &mut self,
        host: &mut H,
        id: ContextId,
        budget: u16,
    ) -> Option<SliceEnd> {
        let context = self.at(id);
        let first = u8_at(context.code(), usize::from(context.pc));
        matches!(first, Some(0x24 | 0x25)).then(|| self.slice(host, id, budget))
    }

    /// Run a beat as a context of its own if its conditions hold (9.4).
    pub fn spawn_beat<C1, C2>(&mut self, beat: Beat<'c, C1, C2>) -> Spawn
    where
        C1: IntoIterator<Item = u16>,
        C2: IntoIterator<Item = u16>,
    {
        let system = &self.state.system;
        let blocked = beat.blocked_by.into_iter().any(|it| system.test(it));
        if blocked || !beat.needs.into_iter().all(|it| system.test(it)) {
            return Spawn::Blocked;
        }
        let mut context = Context::new(beat.script_id, beat.code, beat.pc0);
        context.flags = flag::RUN;
        self.insert(context).map_or(Spawn::Full, Spawn::Started)
    }

    /// One frame: each context's slice, walk and ambient stream, then ramps and timed flags. No slice
    /// takes more than `budget` steps. `report` hears how slices end, and what is wrong with streams.
    ///
    /// A context in a conversation ([`Vm::is_engaged`]) gets its slices from there, and as long as
    /// there is one, or a menu is open (`49`), ambient streams rest. While bit 10 of the global bank is set, nobody has a turn: each
    /// actor's own handler asks it (3.1), so who sets it ends the turns of those behind.
    #[inline(never)]
    pub fn frame<H: Host>(
        &mut self,
        host: &mut H,
        budget: u16,
        mut report: impl FnMut(ContextId, SliceEnd),
    ) {
        let dt = host.vsync_delta();
        if self.state.global & SUPPRESSED == 0 {
            self.actors(host, budget, dt, &mut report);
        }
        self.pass(dt.into());
    }

    /// The turn of each context. What most of them come to in most frames is done by a loop without
    /// anything else in it; the long way is for all others.
    #[inline(always)]
    fn actors<H: Host>(
        &mut self,
        host: &mut H,
        budget: u16,
        dt: u8,
        report: &mut impl FnMut(ContextId, SliceEnd),
    ) {
        let limit = N.min(255);
        // Neither conversations nor roles change before the frame is over, apart from a removal; a menu opens behind
        // it.
        let modal = self.is_modal() || self.state.resume == Resume::Armed;
        let short = budget >= 2
            && !modal
            && !self.compat.halted_runs()
            && self.field.ambient == AmbientEnable::Stream;
        if !short {
            return self.one_by_one(host, budget, modal, report);
        }
        // Those with a role go the long way.
        let [a, b] = [self.system, self.player].map(|it| it.map_or(limit, usize::from).min(limit));
        let mut from = 0;
        for to in [a.min(b), a.max(b), limit] {
            if self.crowd(host, from..to, budget, dt, report) {
                return;
            }
            if from <= to && to < limit {
                self.actor(host, to as ContextId, budget, false, report);
                if self.state.global & SUPPRESSED != 0 {
                    return;
                }
            }
            from = from.max(to + 1);
        }
    }

    /// The long way for everybody.
    #[cold]
    #[inline(never)]
    fn one_by_one<H: Host>(
        &mut self,
        host: &mut H,
        budget: u16,
        modal: bool,
        report: &mut impl FnMut(ContextId, SliceEnd),
    ) {
        for id in Self::ids() {
            if self.state.global & SUPPRESSED != 0 {
                return;
            }
            self.actor(host, id, budget, modal, report);
        }
    }

    /// The turns of contexts without a role; whether one of them has suppressed all others. Only what goes the
    /// long way, and a stream, can do that.
    #[inline(always)]
    fn crowd<H: Host>(
        &mut self,
        host: &mut H,
        places: Range<usize>,
        budget: u16,
        dt: u8,
        report: &mut impl FnMut(ContextId, SliceEnd),
    ) -> bool {
        let mut around = self.around(OTHERS, dt);
        'places: for at in places.start..places.end.min(N) {
            let Some(context) = self.contexts.get_mut(at) else {
                break;
            };
            let (id, flags) = (at as ContextId, context.flags);
            let long = 'turn: {
                if flags & flag::DYING != 0 {
                    break 'turn true;
                }
                if flags & flag::MIRROR != 0 {
                    break 'turn true;
                }
                // Whether the place is taken is asked where it has something to do: free ones have not.
                if flags & flag::HALT != 0 {
                    if !context.live {
                        continue 'places;
                    }
                    if stride(context, dt, &self.field) {
                        self.walk_on(host, id);
                    }
                } else if flags & flag::RUN != 0 && !context.task.is_nothing() {
                    if !context.live {
                        continue 'places;
                    }
                    match still(&self.state, context, dt, 0) {
                        Some(Stop::Parked) => report(id, SliceEnd::Parked),
                        Some(_) => report(id, SliceEnd::FrameEnd),
                        None => break 'turn true,
                    }
                }
                let Some(context) = self.contexts.get_mut(at) else {
                    break 'places;
                };
                if context.stream.is_empty() || !context.live {
                    continue 'places;
                }
                let Some(ops) = first(context, id, &self.state.system, &around) else {
                    continue 'places;
                };
                if let Some(fault) = self.ambient_on(host, id, ops) {
                    report(id, SliceEnd::Fault(fault));
                }
                false
            };
            if long {
                self.actor(host, id, budget, false, report);
            }
            if self.state.global & SUPPRESSED != 0 {
                return true;
            }
            // The player, or who was touched, may be another.
            around = self.around(OTHERS, dt);
        }
        false
    }

    /// Let `dt` display frames pass for the clock, ramps and timed flags. In most frames there is none of the
    /// latter two: nobody is called for that.
    #[inline(always)]
    fn pass(&mut self, dt: u16) {
        self.state.clock = self.state.clock.wrapping_add(dt.into());
        if self.state.ramps.used() != 0 || self.state.timed.is_some() {
            self.tick(dt);
        }
    }

    /// Let `dt` display frames pass for ramps and timed flags.
    #[inline(never)]
    fn tick(&mut self, dt: u16) {
        self.tick_ramps(dt);
        self.state.tick_timed(dt);
    }

    /// A context's turn in a frame: slice, walk and ambient stream, or its end. `modal`: the frame began with
    /// a conversation or a menu.
    #[inline(never)]
    fn actor<H: Host>(
        &mut self,
        host: &mut H,
        id: ContextId,
        budget: u16,
        modal: bool,
        report: &mut impl FnMut(ContextId, SliceEnd),
    ) {
        let context = self.at(id);
        let (live, mut flags) = (context.live, context.flags);
        if !live {
            return;
        }
        if flags & flag::DYING != 0 {
            return self.remove(id);
        }
        let halted = flags & flag::HALT != 0 && !self.compat.halted_runs();
        let runs = (flags & flag::RUN != 0 || self.is_system(id)) && !halted;
        if runs && !self.at(id).code().is_empty() && !self.engaged.has(id) {
            match self.slice(host, id, budget) {
                // Nothing new.
                SliceEnd::Halted => {}
                end => report(id, end),
            }
            flags = self.at(id).flags;
        }
        if flags & flag::HALT != 0 {
            self.walk(host, id);
        }
        if !modal
            && !self.at(id).stream.is_empty()
            && let Some(fault) = self.ambient(host, id)
        {
            report(id, SliceEnd::Fault(fault));
        }
        if flags & flag::MIRROR != 0 {
            // Whatever has moved it this frame.
            self.at(id).mirror();
        }
    }

    /// Free a place. The changes under way of its fields end; if it was the player's or the system
    /// script's, there is none any more.
    #[cold]
    #[inline(never)]
    pub fn remove(&mut self, id: ContextId) {
        // Nobody waits for it any longer.
        self.release(id);
        self.engage(id, false);
        *self.at(id) = Context::EMPTY;
        self.state.ramps.forget(id);
        for role in [&mut self.player, &mut self.system] {
            if *role == Some(id) {
                *role = None;
            }
        }
    }

    /// Let `dt` display frames pass for the linear changes.
    fn tick_ramps(&mut self, dt: u16) {
        for index in 0..self.state.ramps.used() {
            let Some((target, value)) = self.state.ramps.advance(index, dt) else {
                continue;
            };
            match target {
                Target::Word(word) => self.state.set_word(word, value),
                Target::Context(id, field) => {
                    let context = self.at(id);
                    if context.live && context.flags & flag::DYING == 0 {
                        context.set_field(field, value);
                    } else {
                        self.state.ramps.free(index);
                    }
                }
            }
        }
        self.state.ramps.trim();
    }
}
