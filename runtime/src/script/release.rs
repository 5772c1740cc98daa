//! Who was parked goes on: when an arc or a presentation is over, by the host's word (sections 7.15 and 7.16).

use super::context::{Hold, Place};
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
        self.release_along(id, |_, _| true);
        self.awaited(id);
    }

    /// Nobody waits for the context in place `id` any longer.
    fn awaited(&mut self, id: ContextId) {
        for context in &mut self.contexts {
            if context.awaits() == Some(id) {
                context.task.go_on();
            }
        }
    }

    /// Let go who is parked along with the context in place `id` by some of its parkings, of which the number is
    /// told.
    fn release_along(&mut self, id: ContextId, which: impl Fn(&Place<'_>, u16) -> bool) {
        for context in &mut self.contexts {
            let along = |it: &Place<'_>| it.along().filter(|with| with.of == id);
            let ends = |it: Place<'_>| along(&it).is_some_and(|with| which(&it, with.number));
            if context.halted() && context.saved.is_some_and(ends) {
                context.let_go();
            }
        }
    }

    /// An arc is over (7.15), or another one has taken its place: the context that it has parked goes on if it is still
    /// parked for that, since an owner may have let it go before and sent it walking or flying. The script that has
    /// begun the arc was parked along with the player, and goes on whatever has become of that one.
    pub fn end_arc(&mut self, hold: Hold) {
        self.end_arcs(hold.of, |number| number == hold.number);
    }

    /// [`Vm::end_arc`] for all arcs of the context in place `id` of some numbers.
    pub fn end_arcs(&mut self, id: ContextId, over: impl Fn(u16) -> bool) {
        let context = self.at(id);
        let parking = context.parking();
        if context.saved.is_some_and(|it| is_arc(&it)) && over(parking) {
            context.let_go();
            self.awaited(id);
        }
        self.release_along(id, |it, number| is_arc(it) && over(number));
    }
}
