//! Which word is executed after which: reachability, jump tables, callers.

mod callers;
mod constants;
mod leftovers;
mod tables;

use super::decode::{Flow, Op, RA};
use super::image::{Id, Image};
use super::values::State;
use callers::Callers;
use std::collections::{HashMap, HashSet};

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
    /// A jump or branch to an address outside of the code, or a call into the image's data.
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
    /// Words that are data: objects by the symbol table, and jump tables that were read.
    pub data: Vec<bool>,
    states: HashMap<Id, State>,
    /// Register jumps and calls whose targets are proven.
    resolved: HashMap<Id, Targets>,
    /// Entries of jump tables that are no code addresses: by jump, the entry's address, its index
    /// and what stands there.
    odd_entries: HashMap<Id, Vec<(u32, usize, u32)>>,
    callers: Callers,
    /// Words whose addresses stand in the data or are made by instructions.
    pointers: HashSet<Id>,
    /// Words that are executed although the symbol table calls them an object.
    pub executed_objects: Vec<Id>,
    /// Runs of words that were taken for data: first, end.
    pub data_runs: Vec<(Id, Id)>,
}

impl<'i, 'a> Graph<'i, 'a> {
    /// Follows the code from the entry point and all functions until nothing new is found.
    pub fn build(image: &'i Image<'a>) -> Self {
        let mut graph = Graph {
            image,
            reached: vec![0; image.insts.len()],
            data: image.is_data.clone(),
            states: HashMap::new(),
            resolved: HashMap::new(),
            odd_entries: HashMap::new(),
            callers: Callers::default(),
            pointers: HashSet::new(),
            executed_objects: Vec::new(),
            data_runs: Vec::new(),
        };
        let mut roots: Vec<Id> = image.functions.iter().map(|&(start, _)| start).collect();
        roots.extend(image.entry);
        graph.explore(&roots, 0);
        graph.explore_leftovers();
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
        id.filter(|&id| !self.data[id])
    }

    /// Adds roots and everything that is reached from them, then propagates constants and resolves
    /// register jumps, until nothing changes.
    fn explore(&mut self, roots: &[Id], mark: u8) {
        let mut pending: Vec<Id> = Vec::new();
        for &root in roots {
            self.states.insert(root, State::unknown());
            pending.push(root);
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

    /// Marks what is reached. What is executed for certain is code, whatever the symbol table says;
    /// a guess stops where data begins.
    fn reach(&mut self, pending: &mut Vec<Id>, mark: u8) {
        let mut next = Vec::new();
        while let Some(id) = pending.pop() {
            let known = self.reached[id];
            if known & PLAIN != 0 && (known & GUESS == 0 || mark == GUESS) {
                continue;
            }
            if !self.release(id, mark) {
                continue;
            }
            self.reached[id] = self.marked(id, mark) | PLAIN;
            let inst = self.image.insts[id];
            let flow = inst.flow();
            if !flow.has_slot() {
                if flow == Flow::Next {
                    let next = self.image.next(id);
                    // A call of the kernel may never come back.
                    let next = match inst.op {
                        Op::Syscall | Op::Break => self.code(next),
                        _ => next,
                    };
                    pending.extend(next);
                }
                continue;
            }
            if let Some(slot) = self.image.next(id)
                && self.release(slot, mark)
            {
                self.reached[slot] = self.marked(slot, mark) | SLOT;
            }
            next.clear();
            self.after_slot(id, &mut next);
            next.extend(self.return_point(id));
            pending.append(&mut next);
        }
    }

    /// A word is executed: is it code now?
    fn release(&mut self, id: Id, mark: u8) -> bool {
        if self.data[id] && mark != GUESS {
            self.data[id] = false;
            self.executed_objects.push(id);
        }
        !self.data[id]
    }

    /// The marks of a word that is reached once more: one certain way makes it certain.
    fn marked(&self, id: Id, mark: u8) -> u8 {
        let known = self.reached[id];
        match known & (PLAIN | SLOT) {
            0 => known | mark,
            _ if mark == GUESS => known,
            _ => known & !GUESS,
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
            // Behind a function that runs on into the next one, code goes on.
            Some((_, end)) if back >= end && self.image.function_of(back).is_none() => None,
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
                    match image.next(id).and_then(|slot| image.next(slot)) {
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
            None if link && !self.image.holds(target) => Some(Exit::Call),
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
                let open = match self.resolved.get(&id) {
                    Some(targets) => targets.exit == Some(Exit::Unknown),
                    None => true,
                };
                self.is_plain(id)
                    && slot.is_some_and(|slot| !slot.is_nop() && slot.op != Op::Rfe)
                    && inst.flow() == Flow::Register { link: false }
                    && inst.rs() != RA
                    && open
            })
            .collect()
    }

    /// Entries of jump tables that are no code addresses: the jump, the entry's address, its index
    /// and what stands there.
    pub fn odd_entries(&self) -> Vec<(Id, u32, usize, u32)> {
        let mut odd: Vec<(Id, u32, usize, u32)> = self
            .odd_entries
            .iter()
            .flat_map(|(&id, entries)| {
                entries
                    .iter()
                    .map(move |&(address, index, word)| (id, address, index, word))
            })
            .collect();
        odd.sort_unstable();
        odd
    }
}
