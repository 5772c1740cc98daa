//! Who was parked goes on: when an arc or a presentation is over, by the host's word (sections 7.15 and 7.16).

use super::context::Place;
use super::host::ContextId;
use super::vm::Vm;

/// Whether an instruction is one that an arc's host ends.
fn is_arc(place: &Place<'_>) -> bool {
    place.opcode() == Some(0x43)
}

impl<const N: usize> Vm<'_, N> {
    /// Let the context in place `id` go: what a host calls at the end of a crawl or a fade (7.15;
    /// menu-control sheet, sections 6 and 9), or of an arc that it knows to be the last thing the context was
    /// parked for. HALT clears there and on the scripts that were parked along with it, as those are that park
    /// the player (7.16).
    #[inline(never)]
    pub fn release(&mut self, id: ContextId) {
        self.at(id).let_go();
        self.release_along(id, |_| true);
        self.awaited(id);
    }

    /// Nobody waits for the context in place `id` any longer.
    fn awaited(&mut self, id: ContextId) {
        for context in &mut self.contexts {
            if context.awaits() == Some(id) {
                context.task.wait_for(None);
            }
        }
    }

    /// Let go who is parked along with the context in place `id` by one of some instructions.
    fn release_along(&mut self, id: ContextId, which: impl Fn(&Place<'_>) -> bool) {
        for context in &mut self.contexts {
            let place = context.saved.filter(|it| it.along() == Some(id));
            if context.halted() && place.is_some_and(|it| which(&it)) {
                context.let_go();
            }
        }
    }

    /// The arc of the context in place `id` is over (7.15): it goes on if it is still parked for an arc, since an
    /// owner may have let it go before and sent it walking. The script that has begun the arc was parked along with
    /// the player, and goes on whatever has become of that one.
    pub fn end_arc(&mut self, id: ContextId) {
        if self.at(id).saved.is_some_and(|it| is_arc(&it)) {
            self.at(id).let_go();
            self.awaited(id);
        }
        self.release_along(id, is_arc);
    }

    /// Another arc of the context in place `id` has taken the place of one that was under way: the scripts that
    /// have begun earlier ones than what it is parked for now go on.
    pub fn drop_arc(&mut self, id: ContextId) {
        let now = self.at(id).saved;
        self.release_along(id, |it| {
            is_arc(it) && !now.is_some_and(|now| it.is_at(&now))
        });
    }
}
