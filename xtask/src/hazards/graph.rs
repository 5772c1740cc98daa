//! Which word is executed after which: reachability, jump tables, callers.

use super::decode::{Flow, Op, RA};
use super::image::{Id, Image};
use super::values::{State, Value};
use std::collections::{BTreeMap, HashMap, VecDeque};

/// A table longer than this is not believed.
const TABLE_LIMIT: usize = 4096;

/// Executed as an ordinary instruction.
const PLAIN: u8 = 1;
/// Executed as the delay slot of the word before it.
const SLOT: u8 = 2;
/// A guess: never reached from a known place and in no named function.
const GUESS: u8 = 4;

/// One executed instruction: the word and, if it stands in a delay slot, whose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// The instruction.
    pub id: Id,
    /// Is it executed as the delay slot of the word before it?
    pub slot: bool,
}

/// A successor that is not a known word of the image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Exit {
    /// `jr $ra`: back to the callers.
    Return,
    /// `jr` to a place that could not be found out.
    Unknown,
    /// A jump or branch to an address outside of the image.
    Outside(u32),
    /// A call of something that could not be found out, or lies outside.
    Call,
    /// The section or the known code ends.
    End,
}

/// Where the words of one delay slot lead.
#[derive(Clone, Debug, Default)]
struct Targets {
    known: Vec<Id>,
    exit: Option<Exit>,
}

/// Does the transfer leave a return address?
fn links(flow: Flow) -> bool {
    match flow {
        Flow::Branch { link, .. } | Flow::Jump { link } | Flow::Register { link } => link,
        Flow::Next | Flow::Stop => false,
    }
}

/// The program's control flow.
pub struct Graph<'i, 'a> {
    /// The words.
    pub image: &'i Image<'a>,
    reached: Vec<u8>,
    states: HashMap<Id, State>,
    /// Register jumps and calls whose targets are proven.
    resolved: HashMap<Id, Targets>,
    /// Return points by the start of the called function.
    callers: HashMap<Id, Vec<Id>>,
    /// Runs of words that were taken for data: first, end.
    pub data_runs: Vec<(Id, Id)>,
}

impl<'i, 'a> Graph<'i, 'a> {
    /// Follows the code from the entry point and all functions until nothing new is found.
    pub fn build(image: &'i Image<'a>) -> Self {
        let mut graph = Graph {
            image,
            reached: vec![0; image.insts.len()],
            states: HashMap::new(),
            resolved: HashMap::new(),
            callers: HashMap::new(),
            data_runs: Vec::new(),
        };
        let mut roots: Vec<Id> = image.functions.iter().map(|&(start, _)| start).collect();
        roots.extend(image.entry);
        graph.explore(&roots, 0);
        // Words that nothing was seen to lead to: parts of functions behind jumps that could not be
        // resolved, hand-written code known by label only, padding, and data.
        for _ in 0..16 {
            let (sure, guesses) = graph.leftovers();
            if sure.is_empty() && guesses.is_empty() {
                break;
            }
            graph.explore(&sure, 0);
            graph.explore(&guesses, GUESS);
        }
        graph.find_callers();
        graph
    }

    /// Is the word executed in its own right, not only as a delay slot?
    pub fn is_plain(&self, id: Id) -> bool {
        self.reached[id] & PLAIN != 0
    }

    /// Is the word executed as a delay slot?
    pub fn is_slot(&self, id: Id) -> bool {
        self.reached[id] & SLOT != 0
    }

    /// Can the word be reached otherwise than from the word before it?
    pub fn is_entered(&self, id: Id) -> bool {
        self.states.contains_key(&id)
    }

    /// Is the word only supposed to be code?
    pub fn is_guess(&self, id: Id) -> bool {
        self.reached[id] & GUESS != 0
    }

    /// Is the word code at all?
    pub fn is_code(&self, id: Id) -> bool {
        self.reached[id] & (PLAIN | SLOT) != 0
    }

    fn code(&self, id: Option<Id>) -> Option<Id> {
        id.filter(|&id| !self.image.is_data[id])
    }

    /// Adds roots and everything that is reached from them, then propagates constants and resolves
    /// register jumps, until nothing changes.
    fn explore(&mut self, roots: &[Id], mark: u8) {
        let mut pending: Vec<Id> = Vec::new();
        for &root in roots {
            if !self.image.is_data[root] {
                self.states.insert(root, State::unknown());
                pending.push(root);
            }
        }
        for _ in 0..64 {
            self.reach(&mut pending, mark);
            self.propagate();
            pending = self.resolve();
            if pending.is_empty() {
                break;
            }
        }
    }

    fn reach(&mut self, pending: &mut Vec<Id>, mark: u8) {
        let mut next = Vec::new();
        while let Some(id) = pending.pop() {
            if self.reached[id] & PLAIN != 0 {
                continue;
            }
            self.reached[id] |= PLAIN;
            if self.reached[id] & SLOT == 0 {
                self.reached[id] |= mark;
            }
            let flow = self.image.insts[id].flow();
            if !flow.has_slot() {
                if flow == Flow::Next {
                    pending.extend(self.code(self.image.next(id)));
                }
                continue;
            }
            if let Some(slot) = self.code(self.image.next(id)) {
                if self.reached[slot] & (PLAIN | SLOT) == 0 {
                    self.reached[slot] |= mark;
                }
                self.reached[slot] |= SLOT;
            }
            next.clear();
            self.after_slot(id, &mut next);
            next.extend(self.return_point(id));
            pending.extend(next.iter().copied().filter(|&id| !self.image.is_data[id]));
        }
    }

    /// Where a call comes back to: the word behind its delay slot, unless the function ends there
    /// (then the callee does not return).
    pub fn return_point(&self, id: Id) -> Option<Id> {
        if !links(self.image.insts[id].flow()) {
            return None;
        }
        let back = self.code(self.image.next(self.image.next(id)?))?;
        match self.image.function_of(id) {
            Some((_, end)) if back >= end => None,
            _ => Some(back),
        }
    }

    /// Words executed directly after the delay slot of the transfer at `id`. For a call this is
    /// the callee, not the return point.
    fn after_slot(&self, id: Id, out: &mut Vec<Id>) -> Option<Exit> {
        let image = self.image;
        let inst = image.insts[id];
        let address = image.address_of(id);
        match inst.flow() {
            Flow::Branch { taken, falls, link } => {
                let mut exit = None;
                if taken {
                    exit = self.lands(inst.target(address), link, out);
                }
                if falls {
                    let next = image.next(id).and_then(|slot| image.next(slot));
                    match self.code(next) {
                        Some(next) => out.push(next),
                        None => exit = exit.or(Some(Exit::End)),
                    }
                }
                exit
            }
            Flow::Jump { link } => self.lands(inst.target(address), link, out),
            Flow::Register { link } => match self.resolved.get(&id) {
                Some(targets) => {
                    out.extend_from_slice(&targets.known);
                    targets.exit
                }
                None if link => Some(Exit::Call),
                None if inst.rs() == RA => Some(Exit::Return),
                None => Some(Exit::Unknown),
            },
            Flow::Next | Flow::Stop => None,
        }
    }

    fn lands(&self, target: u32, link: bool, out: &mut Vec<Id>) -> Option<Exit> {
        match self.image.id_of(target) {
            Some(id) => {
                out.push(id);
                None
            }
            None if link => Some(Exit::Call),
            None => Some(Exit::Outside(target)),
        }
    }

    /// Instructions that can be executed directly after `step`.
    pub fn successors(&self, step: Step, out: &mut Vec<Step>) -> Option<Exit> {
        out.clear();
        let image = self.image;
        let plain = |id| Step { id, slot: false };
        if step.slot {
            if image.insts[step.id].flow().has_slot() {
                // A transfer in a delay slot: undefined, and a finding of its own.
                return None;
            }
            let mut targets = Vec::new();
            let exit = self.after_slot(step.id.checked_sub(1)?, &mut targets);
            out.extend(targets.into_iter().map(plain));
            return exit;
        }
        match image.insts[step.id].flow() {
            Flow::Stop => None,
            flow => match self.code(image.next(step.id)) {
                Some(id) => {
                    out.push(Step {
                        id,
                        slot: flow.has_slot(),
                    });
                    None
                }
                None => Some(Exit::End),
            },
        }
    }

    /// Jumps (not returns, not calls) whose targets are not proven and whose delay slot does
    /// something that matters there. `rfe` is the return from an exception.
    pub fn unresolved(&self) -> Vec<Id> {
        (0..self.image.insts.len())
            .filter(|&id| {
                let inst = self.image.insts[id];
                let slot = self.image.next(id).map(|slot| self.image.insts[slot]);
                self.is_plain(id)
                    && slot.is_some_and(|slot| !slot.is_nop() && slot.op != Op::Rfe)
                    && inst.flow() == Flow::Register { link: false }
                    && inst.rs() != RA
                    && !self.resolved.contains_key(&id)
            })
            .collect()
    }

    /// Places that callers of the function around `id` return to, as far as calls name it.
    pub fn return_sites(&self, id: Id) -> &[Id] {
        self.image
            .function_of(id)
            .and_then(|(start, _)| self.callers.get(&start))
            .map_or(&[], Vec::as_slice)
    }

    fn find_callers(&mut self) {
        let mut callers: HashMap<Id, Vec<Id>> = HashMap::new();
        let mut tails: BTreeMap<Id, Vec<Id>> = BTreeMap::new();
        let mut out = Vec::new();
        for id in 0..self.image.insts.len() {
            let flow = self.image.insts[id].flow();
            if !self.is_plain(id) || !flow.has_slot() {
                continue;
            }
            out.clear();
            self.after_slot(id, &mut out);
            let own = self.image.function_of(id).map(|(start, _)| start);
            let back = self.return_point(id);
            for target in &out {
                let Some((callee, _)) = self.image.function_of(*target) else {
                    continue;
                };
                if let Some(back) = back {
                    callers.entry(callee).or_default().push(back);
                } else if own != Some(callee) {
                    // A tail call: whoever called this function gets the callee's return.
                    tails.entry(callee).or_default().extend(own);
                }
            }
        }
        // Until nothing changes: a return point goes through any number of tail calls.
        loop {
            let mut grown = false;
            for (callee, sources) in &tails {
                let more: Vec<Id> = sources
                    .iter()
                    .filter_map(|source| callers.get(source))
                    .flatten()
                    .copied()
                    .collect();
                let sites = callers.entry(*callee).or_default();
                sites.sort_unstable();
                sites.dedup();
                let before = sites.len();
                sites.extend(more);
                sites.sort_unstable();
                sites.dedup();
                grown |= sites.len() > before;
            }
            if !grown {
                break;
            }
        }
        self.callers = callers;
    }

    /// Runs the constants to their fixed point over everything that is reached.
    fn propagate(&mut self) {
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
                state.step(inst, self.image);
                let next = self.code(self.image.next(id));
                if flow == Flow::Next {
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
                if let Some(slot) = next {
                    state.step(self.image.insts[slot], self.image);
                }
                out.clear();
                self.after_slot(id, &mut out);
                let back = self.return_point(id);
                if links(flow) {
                    // Arguments of a call are not followed: other callers may be unknown.
                    let unknown = State::unknown();
                    for &target in &out {
                        if Some(target) != self.fall_through(id) {
                            self.join(target, &unknown, &mut queue);
                        }
                    }
                    if let Some(fall) = self.fall_through(id) {
                        self.join(fall, &state, &mut queue);
                    }
                    if let Some(back) = back {
                        state.call();
                        self.join(back, &state, &mut queue);
                    }
                } else {
                    for &target in &out {
                        self.join(target, &state, &mut queue);
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

    fn join(&mut self, id: Id, state: &State, queue: &mut VecDeque<Id>) {
        if self.image.is_data[id] {
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
                    if !self.is_plain(previous)
                        || self.image.insts[previous].flow() != Flow::Next
                        || self.image.region(previous).first > previous
                    {
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

    /// Resolves register jumps by what is known at each. Returns words that are new.
    fn resolve(&mut self) -> Vec<Id> {
        let mut jumps: BTreeMap<Id, Value> = BTreeMap::new();
        self.visit(|id, state| {
            let inst = self.image.insts[id];
            if matches!(inst.flow(), Flow::Register { .. }) {
                let value = state.get(inst.rs());
                if matches!(value, Value::Known(_) | Value::Element(_)) {
                    jumps.insert(id, value);
                }
            }
        });
        // A table ends where the next one begins.
        let mut tables: Vec<u32> = jumps
            .values()
            .filter_map(|value| match value {
                Value::Element(table) => Some(*table),
                _ => None,
            })
            .collect();
        tables.sort_unstable();
        tables.dedup();

        let mut fresh = Vec::new();
        for (id, value) in jumps {
            let link = matches!(self.image.insts[id].flow(), Flow::Register { link: true });
            let mut targets = Targets::default();
            match value {
                Value::Known(address) => {
                    targets.exit = self.lands(address, link, &mut targets.known);
                }
                Value::Element(table) if !link => {
                    let after = tables.partition_point(|&start| start <= table);
                    let limit = tables.get(after).map_or(TABLE_LIMIT, |&next| {
                        ((next - table) as usize / 4).min(TABLE_LIMIT)
                    });
                    targets.known = self.table(id, table, limit);
                    if targets.known.is_empty() {
                        continue;
                    }
                }
                _ => continue,
            }
            fresh.extend(
                targets
                    .known
                    .iter()
                    .copied()
                    .filter(|&id| !self.is_plain(id) && !self.image.is_data[id]),
            );
            self.resolved.insert(id, targets);
        }
        fresh
    }

    /// Reads a jump table: words that point into the function of the jump at `id`.
    fn table(&self, id: Id, table: u32, limit: usize) -> Vec<Id> {
        let function = self.image.function_of(id);
        let mut targets = Vec::new();
        for index in 0..limit {
            let address = table.wrapping_add((index as u32) << 2);
            let target = self
                .image
                .word(address, false)
                .and_then(|word| self.image.id_of(word))
                .filter(|&target| match function {
                    Some((start, end)) => (start..end).contains(&target),
                    None => self.image.region(id).first == self.image.region(target).first,
                });
            match target {
                Some(target) => targets.push(target),
                None => break,
            }
        }
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    /// Starts of runs of words that nothing leads to: those that certainly are code, and those
    /// that may be. Remembers the runs that are data.
    fn leftovers(&mut self) -> (Vec<Id>, Vec<Id>) {
        let image = self.image;
        let (mut sure, mut guesses) = (Vec::new(), Vec::new());
        self.data_runs.clear();
        let mut id = 0;
        while id < image.insts.len() {
            if self.is_code(id) || image.is_data[id] {
                id += 1;
                continue;
            }
            let first = id;
            let stop = match image.function_of(first) {
                Some((_, end)) => end,
                None => image.region_end(first),
            };
            while id < stop && !self.is_code(id) && !image.is_data[id] {
                id += 1;
            }
            id = id.max(first + 1);
            let run = &image.insts[first..id];
            if run.iter().all(|inst| inst.is_nop()) {
                continue;
            }
            let foreign = run.iter().any(|inst| inst.op == Op::Foreign);
            let addresses = run
                .iter()
                .filter(|inst| !inst.is_nop())
                .all(|inst| inst.word & 3 == 0 && image.holds(inst.word));
            if foreign || addresses {
                self.data_runs.push((first, id));
                continue;
            }
            let roots = if image.function_of(first).is_some() || image.is_labelled(first, id) {
                &mut sure
            } else {
                &mut guesses
            };
            roots.push(first);
            // Behind a transfer that never falls through, the next piece of code begins.
            for place in first..id {
                let ends = matches!(
                    image.insts[place].flow(),
                    Flow::Branch {
                        falls: false,
                        link: false,
                        ..
                    } | Flow::Jump { link: false }
                        | Flow::Register { link: false }
                );
                if ends && place + 2 < id && !image.insts[place + 2].is_nop() {
                    roots.push(place + 2);
                }
            }
        }
        (sure, guesses)
    }
}
