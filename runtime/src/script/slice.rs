//! A slice: steps up to what ends it (section 3.2).

use super::context::flag;
use super::decode::decode;
use super::fault::{FaultKind, Outcome, SliceEnd};
use super::host::{ContextId, Host};
use super::simple::{Stop, run};
use super::task::still;
use super::vm::Vm;
use crate::bytes::u8_at;

impl<const N: usize> Vm<'_, N> {
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
        while let Some(mut less) = left.checked_sub(1) {
            if let Some(end) = self.slice_step(host, id, &mut less, &mut |_, _| {}) {
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

    /// One step of a slice, behind which so many are `left`; what ends the slice behind it. One with a text, which
    /// may be as long as a record, takes as many more as it has pieces of 256 bytes; a jump takes none, however far.
    #[inline]
    pub(super) fn slice_step<H: Host>(
        &mut self,
        host: &mut H,
        id: ContextId,
        left: &mut u16,
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
        if next.saturating_sub(pc) >= 256
            && u8_at(code, usize::from(pc)).is_some_and(|it| it & 0x7F == 0x4C)
        {
            let text = decode(code, usize::from(pc), self.compat).map_or(0, |it| it.len >> 8);
            *left = left.saturating_sub(text as u16);
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
        let mut left = budget;
        while let Some(less) = left.checked_sub(1) {
            left = less;
            if let Some(end) = self.slice_step(host, id, &mut left, &mut seen) {
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
