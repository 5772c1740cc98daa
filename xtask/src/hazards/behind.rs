//! What is executed within a few instructions behind another one.
//!
//! Through a return or a call by pointer there are many ways. What lies behind those is the same for
//! all instructions that look for the same, so it is found out once.

use super::Kind;
use super::decode::{HI, Inst, LO, Op};
use super::graph::{Exit, Graph, Step};
use super::gte;
use super::image::Id;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Instructions that must lie between a read of HI/LO and the next write (HAL sheet, 1.6).
const HILO_DISTANCE: u32 = 2;
/// Instructions that must lie between a transfer to the GTE and a command (GTE sheet, 4).
const COMMAND_DISTANCE: u32 = 2;
/// Instructions that must lie between a write of SR and a GTE instruction (GTE sheet, 4).
const STATUS_DISTANCE: u32 = 2;

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Search {
    /// A write of HI or LO, of those that are in this mask of registers.
    HiLo(u64),
    /// What must not come too soon behind a write of this register of the GTE.
    Transfer(u32),
    /// An instruction of the GTE, behind a write of SR.
    Status,
}

impl Search {
    /// What the instruction starts, if it is the first half of a hazard.
    pub fn of(inst: Inst) -> Option<Self> {
        if inst.reads_hilo() {
            return Some(Search::HiLo(inst.reads() & (HI | LO)));
        }
        if inst.op == Op::Mtc0 && inst.rd() == 12 {
            return Some(Search::Status);
        }
        gte::written(inst).map(Search::Transfer)
    }

    /// How many instructions behind the first one can matter.
    fn depth(self) -> u32 {
        match self {
            Search::HiLo(_) => HILO_DISTANCE,
            Search::Transfer(gte::IRGB) => 3,
            Search::Transfer(_) => COMMAND_DISTANCE,
            Search::Status => STATUS_DISTANCE,
        }
    }

    /// What the instruction with so many `between` is, if it is too near, and whether to look
    /// behind it.
    fn judge(self, inst: Inst, between: u32) -> (Option<Kind>, bool) {
        match self {
            Search::HiLo(mask) => match inst.writes() & mask {
                0 => (None, true),
                _ => (Some(Kind::HiLo), false),
            },
            Search::Status => match inst.op {
                Op::Gte | Op::Mfc2 | Op::Cfc2 | Op::Mtc2 | Op::Ctc2 | Op::Lwc2 | Op::Swc2 => {
                    (Some(Kind::StatusBeforeGte), false)
                }
                _ => (None, true),
            },
            Search::Transfer(from) => {
                let affected = gte::affected(from);
                if inst.op == Op::Gte {
                    let kind = match gte::inputs(inst.word) & affected != 0 {
                        true => Kind::GteWriteCommand,
                        false => Kind::GteWriteUnused,
                    };
                    // Whatever comes behind the command waits for it.
                    return ((between < COMMAND_DISTANCE).then_some(kind), false);
                }
                let near = gte::read(inst).is_some_and(|to| {
                    affected >> to & 1 != 0 && between < gte::distance_to_read(from, to)
                });
                (near.then_some(Kind::GteWriteRead), true)
            }
        }
    }
}

/// Instructions that are too near, all of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Near {
    /// The nearest one; of several the one at the lowest address.
    pub first: Id,
    /// Instructions between.
    pub between: u32,
    /// Ways that lead to one.
    pub ways: usize,
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Behind {
    /// What is too near.
    pub near: BTreeMap<Kind, Near>,
    /// Some way leaves what is known before its end.
    pub open: bool,
}

impl Behind {
    fn add(&mut self, kind: Kind, near: Near) {
        let known = self.near.entry(kind).or_insert(Near { ways: 0, ..near });
        if (near.between, near.first) < (known.between, known.first) {
            (known.between, known.first) = (near.between, near.first);
        }
        known.ways += near.ways;
    }
}

/// Many places to which control can go from one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Crowd {
    /// Those that the callers of a function go on at.
    Returns(Id),
    /// The functions whose addresses are taken.
    Pointers,
}

/// Searches, and remembers what lies behind crowds.
pub struct Searcher<'c, 'i, 'a> {
    graph: &'c Graph<'i, 'a>,
    known: HashMap<(Crowd, Search, u32), Behind>,
}

/// Where a search has come to: a step, and the instructions between the start and what follows it.
type Path = (Step, u32);

impl<'c, 'i, 'a> Searcher<'c, 'i, 'a> {
    /// Nothing is known yet.
    pub fn new(graph: &'c Graph<'i, 'a>) -> Self {
        Searcher {
            graph,
            known: HashMap::new(),
        }
    }

    /// Follows every way behind `start` as far as the search matters.
    pub fn behind(&mut self, start: Step, search: Search) -> Behind {
        let mut found = Behind::default();
        self.follow(vec![(start, 0)], search, &mut HashSet::new(), &mut found);
        found
    }

    fn follow(
        &mut self,
        mut paths: Vec<Path>,
        search: Search,
        seen: &mut HashSet<Path>,
        found: &mut Behind,
    ) {
        let graph = self.graph;
        let mut next = Vec::new();
        while let Some((step, between)) = paths.pop() {
            let exit = graph.successors(step, &mut next);
            for &follower in &next {
                self.meet(follower, between, search, seen, &mut paths, found);
            }
            let crowd = match exit {
                Some(Exit::Return) => {
                    found.open |= !graph.has_callers(step.id);
                    Some(Crowd::Returns(graph.owner(step.id)))
                }
                Some(Exit::Call | Exit::Unknown) => {
                    found.open = true;
                    Some(Crowd::Pointers)
                }
                Some(Exit::Outside(_)) => {
                    found.open = true;
                    None
                }
                Some(Exit::End) | None => None,
            };
            if let Some(crowd) = crowd {
                let more = self.crowd(crowd, between, search);
                found.open |= more.open;
                for (kind, near) in more.near {
                    found.add(kind, near);
                }
            }
        }
    }

    fn meet(
        &self,
        follower: Step,
        between: u32,
        search: Search,
        seen: &mut HashSet<Path>,
        paths: &mut Vec<Path>,
        found: &mut Behind,
    ) {
        if !seen.insert((follower, between)) {
            return;
        }
        let (kind, on) = search.judge(self.graph.image.insts[follower.id], between);
        if let Some(kind) = kind {
            let near = Near {
                first: follower.id,
                between,
                ways: 1,
            };
            found.add(kind, near);
        }
        if on && between + 1 < search.depth() {
            paths.push((follower, between + 1));
        }
    }

    /// What lies behind a crowd whose places have so many instructions between them and the start.
    fn crowd(&mut self, crowd: Crowd, between: u32, search: Search) -> Behind {
        if let Some(known) = self.known.get(&(crowd, search, between)) {
            return known.clone();
        }
        let graph = self.graph;
        let places: Vec<Id> = match crowd {
            Crowd::Returns(owner) => graph.return_sites(owner).collect(),
            Crowd::Pointers => graph.pointed(),
        };
        let mut found = Behind::default();
        let mut seen = HashSet::new();
        let mut paths = Vec::new();
        for id in places {
            let place = Step { id, slot: false };
            self.meet(place, between, search, &mut seen, &mut paths, &mut found);
        }
        // Each of these is one instruction further, so this comes to an end.
        self.follow(paths, search, &mut seen, &mut found);
        self.known.insert((crowd, search, between), found.clone());
        found
    }
}
