//! Constants and index bounds, carried along the control flow to their fixed point.

use super::super::decode::Flow;
use super::super::image::Id;
use super::super::values::State;
use super::{Graph, links};
use std::collections::VecDeque;

impl Graph<'_, '_> {
    /// Runs the constants to their fixed point over everything that is reached.
    pub(super) fn propagate(&mut self) {
        let mut queue: VecDeque<Id> = self.leaders().into();
        let mut out = Vec::new();
        while let Some(leader) = queue.pop_front() {
            let Some(mut state) = self.states.get(&leader).cloned() else {
                continue;
            };
            let mut id = leader;
            loop {
                let inst = self.image.insts[id];
                let flow = inst.flow();
                if flow == Flow::Stop {
                    break;
                }
                let next = self.code(self.image.next(id));
                if flow == Flow::Next {
                    state.step(inst, self.image);
                    match next {
                        Some(next) if self.states.contains_key(&next) => {
                            self.join(next, &state, &mut queue);
                            break;
                        }
                        Some(next) => id = next,
                        None => break,
                    }
                    continue;
                }
                // What the branch says holds before its slot is executed.
                let after = |taken| {
                    let mut state = state.clone();
                    state.branch(inst, taken);
                    state.step(inst, self.image);
                    if let Some(slot) = next {
                        state.step(self.image.insts[slot], self.image);
                    }
                    state
                };
                out.clear();
                self.after_slot(id, &mut out);
                let back = self.return_point(id);
                let fall = self.fall_through(id);
                if links(flow) {
                    // Arguments of a call are not followed: other callers may be unknown.
                    let unknown = State::unknown();
                    for &target in &out {
                        if Some(target) != fall {
                            self.join(target, &unknown, &mut queue);
                        }
                    }
                    let mut state = after(false);
                    if let Some(fall) = fall {
                        self.join(fall, &state, &mut queue);
                    }
                    if let Some(back) = back {
                        state.call();
                        self.join(back, &state, &mut queue);
                    }
                } else {
                    let (taken, falls) = (after(true), after(false));
                    for &target in &out {
                        if Some(target) != fall {
                            self.join(target, &taken, &mut queue);
                        }
                    }
                    if let Some(fall) = fall {
                        // A branch to the word behind its slot goes there both ways.
                        self.join(fall, &falls, &mut queue);
                        if self.branches_to(id, fall) {
                            self.join(fall, &taken, &mut queue);
                        }
                    }
                }
                break;
            }
        }
    }

    /// The not-taken way of a conditional branch.
    fn fall_through(&self, id: Id) -> Option<Id> {
        match self.image.insts[id].flow() {
            Flow::Branch { falls: true, .. } => self.image.next(self.image.next(id)?),
            _ => None,
        }
    }

    fn branches_to(&self, id: Id, target: Id) -> bool {
        let inst = self.image.insts[id];
        self.image.id_of(inst.target(self.image.address_of(id))) == Some(target)
    }

    fn join(&mut self, id: Id, state: &State, queue: &mut VecDeque<Id>) {
        if self.data[id] {
            return;
        }
        match self.states.get_mut(&id) {
            Some(known) => {
                if known.meet(state) {
                    queue.push_back(id);
                }
            }
            None => {
                self.states.insert(id, state.clone());
                queue.push_back(id);
                // A block that used to run through this word ends here now; it has to be seen
                // again so that its own state arrives too.
                let mut before = id;
                while let Some(previous) = before.checked_sub(1) {
                    if !self.is_plain(previous) || self.image.insts[previous].flow() != Flow::Next {
                        break;
                    }
                    before = previous;
                    if self.states.contains_key(&before) {
                        queue.push_back(before);
                        break;
                    }
                }
            }
        }
    }

    /// First words of basic blocks, in order.
    pub fn leaders(&self) -> Vec<Id> {
        let mut leaders: Vec<Id> = self.states.keys().copied().collect();
        leaders.sort_unstable();
        leaders
    }

    /// Calls `visit` for every reached instruction with what is known before it.
    pub fn visit(&self, mut visit: impl FnMut(Id, &State)) {
        for leader in self.leaders() {
            let Some(mut state) = self.states.get(&leader).cloned() else {
                continue;
            };
            let mut id = leader;
            loop {
                let inst = self.image.insts[id];
                visit(id, &state);
                state.step(inst, self.image);
                let Some(next) = self.code(self.image.next(id)) else {
                    break;
                };
                match inst.flow() {
                    Flow::Next if !self.states.contains_key(&next) => id = next,
                    Flow::Next | Flow::Stop => break,
                    _ => {
                        visit(next, &state);
                        break;
                    }
                }
            }
        }
    }
}
