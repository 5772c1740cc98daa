//! Words that nothing was seen to lead to: parts of functions behind jumps that could not be
//! resolved, hand-written code known by label only, padding, and data.

use super::super::decode::{Flow, Op};
use super::super::image::Id;
use super::{GUESS, Graph};

/// After so many rounds every word that is left counts as the start of something.
const ROUNDS: usize = 64;

/// What a run of words that nothing leads to is.
enum Run {
    /// Code: a function, a label or a pointer says so, or there are no names to go by.
    Sure,
    /// Perhaps code.
    Guess,
    Data,
}

impl Graph<'_, '_> {
    /// Explores what is left over: first what certainly is code, then what may be.
    pub(super) fn explore_leftovers(&mut self) {
        for mark in [0, GUESS] {
            for round in 0.. {
                if mark == 0 {
                    self.find_pointers();
                }
                let roots = self.leftovers(mark, round >= ROUNDS);
                if roots.is_empty() {
                    break;
                }
                self.explore(&roots, mark);
            }
        }
    }

    /// Where exploring must begin to cover what is left. Remembers the runs that are data.
    fn leftovers(&mut self, mark: u8, every_word: bool) -> Vec<Id> {
        let image = self.image;
        let mut roots = Vec::new();
        self.data_runs.clear();
        let mut id = 0;
        while id < image.insts.len() {
            if self.is_code(id) || self.data[id] {
                id += 1;
                continue;
            }
            let first = id;
            let stop = match image.function_of(first) {
                Some((_, end)) => end,
                None => image.region_end(first),
            };
            while id < stop && !self.is_code(id) && !self.data[id] {
                id += 1;
            }
            id = id.max(first + 1);
            for (first, end, run) in self.classify(first, id) {
                match run {
                    Run::Data => self.data_runs.push((first, end)),
                    Run::Guess if mark == 0 => {}
                    _ if every_word => roots.extend(first..end),
                    _ => self.roots(first, end, &mut roots),
                }
            }
        }
        roots
    }

    fn all_nops(&self, first: Id, end: Id) -> bool {
        self.image.insts[first..end]
            .iter()
            .all(|inst| inst.is_nop())
    }

    fn foreign(&self, first: Id, end: Id) -> bool {
        let run = &self.image.insts[first..end];
        run.iter().any(|inst| inst.op == Op::Foreign)
    }

    fn all_addresses(&self, first: Id, end: Id) -> bool {
        self.image.insts[first..end]
            .iter()
            .filter(|inst| !inst.is_nop())
            .all(|inst| inst.word & 3 == 0 && self.image.holds(inst.word))
    }

    /// Does the run look like data: not all instructions, or nothing but addresses?
    fn looks_like_data(&self, first: Id, end: Id) -> bool {
        self.foreign(first, end) || self.all_addresses(first, end)
    }

    fn classify(&self, first: Id, end: Id) -> Vec<(Id, Id, Run)> {
        let image = self.image;
        if self.all_nops(first, end) {
            return Vec::new();
        }
        let data = self.looks_like_data(first, end);
        if image.function_of(first).is_some() || !image.region(first).functions {
            // Without names code cannot be told from data. Data in a function has a name of its
            // own, or is code to all who read the symbols.
            return vec![(first, end, Run::Sure)];
        }
        let pointed = || (first..end).find(|id| self.pointers.contains(id));
        match image.first_label(first, end) {
            Some(_) if !data => vec![(first, end, Run::Sure)],
            // A table of addresses in ROM is no run of cache instructions.
            Some(label) if self.foreign(label, end) && self.all_addresses(label, end) => {
                vec![(first, end, Run::Data)]
            }
            Some(label) => {
                let mut parts = Vec::new();
                if first < label && !self.all_nops(first, label) {
                    let before = match self.looks_like_data(first, label) {
                        true => Run::Data,
                        false => Run::Sure,
                    };
                    parts.push((first, label, before));
                }
                if !self.all_nops(label, end) {
                    parts.push((label, end, Run::Sure));
                }
                parts
            }
            None if data => vec![(first, end, Run::Data)],
            None => match pointed() {
                Some(start) if !self.all_nops(start, end) => {
                    let mut parts = vec![(start, end, Run::Sure)];
                    if first < start && !self.all_nops(first, start) {
                        parts.push((first, start, Run::Guess));
                    }
                    parts
                }
                _ => vec![(first, end, Run::Guess)],
            },
        }
    }

    /// The first word and, behind whatever never falls through, the next one that is not padding.
    fn roots(&self, first: Id, end: Id, roots: &mut Vec<Id>) {
        let mut at = first;
        let mut begins = true;
        while at < end {
            let inst = self.image.insts[at];
            if begins && inst.is_nop() {
                at += 1;
                continue;
            }
            if begins {
                roots.push(at);
            }
            let flow = inst.flow();
            begins = match flow {
                Flow::Next => false,
                Flow::Stop => true,
                Flow::Branch {
                    falls, link: false, ..
                } => !falls,
                _ => self.return_point(at).is_none(),
            };
            at += if flow.has_slot() { 2 } else { 1 };
        }
    }
}
