//! Who calls whom, and where a return goes.

use super::super::decode::Flow;
use super::super::image::Id;
use super::super::values::Value;
use super::{Exit, Graph, links};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Stands for all code that lies in no function.
const NOWHERE: Id = Id::MAX;
/// Where pointers to code lie: below are physical addresses, which plain numbers look like.
pub(super) const POINTERS: u32 = 0x8000_0000;

/// Return points of calls.
#[derive(Debug, Default)]
pub struct Callers {
    /// By the start of the called function.
    direct: HashMap<Id, Vec<Id>>,
    /// Of calls whose target is not known.
    indirect: Vec<Id>,
}

impl Graph<'_, '_> {
    /// The function around `id`; all code that lies in none counts as one.
    pub fn owner(&self, id: Id) -> Id {
        self.image
            .function_of(id)
            .map_or(NOWHERE, |(start, _)| start)
    }

    /// Places that callers of the function `owner` return to: those that name it, and, if its
    /// address is taken somewhere, all calls through a pointer.
    pub fn return_sites(&self, owner: Id) -> impl Iterator<Item = Id> {
        let by_pointer = owner == NOWHERE || self.pointers.contains(&owner);
        let indirect = match by_pointer {
            true => self.callers.indirect.as_slice(),
            false => &[],
        };
        self.direct_sites(owner).iter().chain(indirect).copied()
    }

    /// Does any call name the function around `id`?
    pub fn has_callers(&self, id: Id) -> bool {
        !self.direct_sites(self.owner(id)).is_empty()
    }

    /// The functions whose addresses are taken, by place: a call or jump through a pointer may lead
    /// to each. Without names that is any code whose address is taken.
    pub fn pointed(&self) -> Vec<Id> {
        let starts = |id: Id| {
            let function = self.image.function_of(id);
            function.is_none_or(|(start, _)| start == id)
        };
        let mut pointed: Vec<Id> = self
            .pointers
            .iter()
            .copied()
            .filter(|&id| self.is_plain(id) && !self.is_guess(id) && starts(id))
            .collect();
        pointed.sort_unstable();
        pointed
    }

    fn direct_sites(&self, owner: Id) -> &[Id] {
        self.callers.direct.get(&owner).map_or(&[], Vec::as_slice)
    }

    /// Code whose address stands in the data or is made by an instruction.
    pub(super) fn find_pointers(&mut self) {
        let image = self.image;
        let mut found: HashSet<Id> = image
            .data_words()
            .filter(|&word| word >= POINTERS)
            .filter_map(|word| image.id_of(word))
            .collect();
        self.visit(|id, state| {
            let inst = image.insts[id];
            let written = inst.writes() as u32;
            if written == 0 || inst.flow() != Flow::Next {
                return;
            }
            let mut after = state.clone();
            after.step(inst, image);
            if let Value::Known(value) = after.get(written.trailing_zeros())
                && value >= POINTERS
            {
                found.extend(image.id_of(value));
            }
        });
        self.pointers = found;
    }

    pub(super) fn find_callers(&mut self) {
        let mut callers: HashMap<Id, Vec<Id>> = HashMap::new();
        let mut tails: BTreeMap<Id, Vec<Id>> = BTreeMap::new();
        let mut indirect = Vec::new();
        let mut out = Vec::new();
        for id in 0..self.image.insts.len() {
            if !self.is_plain(id) {
                continue;
            }
            let flow = self.image.insts[id].flow();
            let own = self.owner(id);
            out.clear();
            let back = self.return_point(id);
            match flow {
                Flow::Stop => continue,
                // A function that runs on into the next one returns from there.
                Flow::Next => out.extend(self.code(self.image.next(id))),
                _ => {
                    let exit = self.after_slot(id, &mut out);
                    if matches!(exit, Some(Exit::Call | Exit::Unknown)) {
                        indirect.extend(back);
                    }
                }
            }
            for target in &out {
                let callee = self.owner(*target);
                if let Some(back) = back.filter(|_| links(flow)) {
                    callers.entry(callee).or_default().push(back);
                } else if own != callee {
                    // A tail call: whoever called this function gets the callee's return.
                    tails.entry(callee).or_default().push(own);
                }
            }
        }
        for sources in tails.values_mut() {
            sources.sort_unstable();
            sources.dedup();
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
        self.callers = Callers {
            direct: callers,
            indirect,
        };
    }
}
