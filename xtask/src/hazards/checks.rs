//! The checks themselves. Each looks at one executed instruction and what can follow it.

use super::behind::{Near, Search, Searcher};
use super::decode::{Flow, Inst, Op};
use super::disasm::register;
use super::graph::{Exit, Graph, Step};
use super::image::Id;
use super::io::{self, Verdict};
use super::values::State;
use super::{Finding, Kind, Line, Report, gte};
use std::collections::{HashMap, HashSet};

/// What a caller may read right after a call (o32): results and everything the callee keeps.
const LIVE_AFTER_RETURN: u32 = 0b1100 | 0x00FF_0000 | 0x7000_0000;
/// What a callee may read right at its start: arguments, `$t9`, kept registers and `$ra`.
const LIVE_INTO_CALL: u32 = 0xF0 | 0x00FF_0000 | 1 << 25 | 0xF000_0000;
/// Runs every check.
pub fn run(graph: &Graph, report: &mut Report) {
    let mut checker = Checker {
        graph,
        report,
        seen: HashSet::new(),
        searcher: Searcher::new(graph),
        returns: HashMap::new(),
    };
    for id in 0..graph.image.insts.len() {
        if graph.is_code(id) {
            checker.count(id);
            checker.instruction(id);
        }
    }
    super::handler::check(&mut checker);
    graph.visit(|id, state| checker.memory(id, state));
}

pub(super) struct Checker<'c, 'i, 'a> {
    pub(super) graph: &'c Graph<'i, 'a>,
    pub(super) report: &'c mut Report,
    seen: HashSet<(Kind, Id, Option<Id>)>,
    searcher: Searcher<'c, 'i, 'a>,
    /// What callers do with a register that is loaded in the slot of a return: by function, by
    /// register and by whether it is loaded from memory.
    returns: HashMap<(Id, u32, bool), Uses>,
}

/// What is done right behind a load with the register that it loads: the first instruction of each
/// kind, and how many there are.
#[derive(Clone, Copy, Debug, Default)]
struct Uses {
    read: Option<(Id, usize)>,
    lost: Option<(Id, usize)>,
}

impl Uses {
    fn add(&mut self, more: Uses) {
        for (mine, more) in [(&mut self.read, more.read), (&mut self.lost, more.lost)] {
            *mine = match (*mine, more) {
                (Some((first, count)), Some((_, more))) => Some((first, count + more)),
                (mine, more) => mine.or(more),
            };
        }
    }
}

fn instructions(count: u32) -> String {
    match count {
        0 => "no instruction".into(),
        1 => "1 instruction".into(),
        more => format!("{more} instructions"),
    }
}

/// Says that an instruction is the first of several.
fn ways(count: usize) -> String {
    match count {
        0 | 1 => String::new(),
        _ => format!(" (the first of {count} that come so soon)"),
    }
}

impl Checker<'_, '_, '_> {
    pub(super) fn inst(&self, id: Id) -> Inst {
        self.graph.image.insts[id]
    }

    fn at(&self, id: Id) -> String {
        format!("{:08X}", self.graph.image.address_of(id))
    }

    fn count(&mut self, id: Id) {
        let inst = self.inst(id);
        let statistics = &mut self.report.statistics;
        statistics.instructions += 1;
        if inst.flow().has_slot() {
            statistics.transfers += 1;
            match self.graph.image.next(id).map(|slot| self.inst(slot)) {
                Some(slot) if !slot.is_nop() => self.report.statistics.slots_filled += 1,
                _ => self.report.statistics.slots_nop += 1,
            }
        }
        let statistics = &mut self.report.statistics;
        if inst.is_memory_load() {
            statistics.loads += 1;
        }
        if inst.op == Op::Gte {
            statistics.gte_commands += 1;
        }
    }

    pub(super) fn add(&mut self, kind: Kind, first: Id, second: Option<Id>, sentence: String) {
        if !self.seen.insert((kind, first, second)) {
            return;
        }
        let image = self.graph.image;
        let line = |id| Line {
            address: image.address_of(id),
            word: image.insts[id].word,
            text: super::disasm::disassemble(image.insts[id], image.address_of(id)),
        };
        let finding = Finding {
            kind,
            address: image.address_of(first),
            section: image.region(first).name.clone(),
            symbol: image
                .name_of(first)
                .map(|(name, offset)| (name.to_string(), offset)),
            first: line(first),
            second: second.map(line),
            sentence,
        };
        if kind.is_note() || self.graph.is_guess(first) {
            self.report.notes.push(finding);
        } else {
            self.report.findings.push(finding);
        }
    }

    fn instruction(&mut self, id: Id) {
        let inst = self.inst(id);
        if inst.op == Op::Foreign {
            let what = super::decode::foreign_name(inst.word).map_or(
                "the word is no instruction at all (data needs a symbol of type object)"
                    .to_string(),
                |name| format!("this is {name}"),
            );
            self.add(
                Kind::NotMips1,
                id,
                None,
                format!("the console's CPU has no such instruction: {what}"),
            );
        }
        if inst.op == Op::Gte && gte::command_name(inst.word).is_none() {
            self.add(
                Kind::UndefinedGteCommand,
                id,
                None,
                format!(
                    "GTE command number {:02X}h is not defined",
                    inst.word & 0x3F
                ),
            );
        }
        for slot in [false, true] {
            let reached = match slot {
                false => self.graph.is_plain(id),
                true => self.graph.is_slot(id),
            };
            if reached {
                let step = Step { id, slot };
                self.delay_slot(step);
                self.load(step);
                self.distances(step);
                self.command(step);
            }
        }
    }

    /// What must not stand in a delay slot at all.
    fn delay_slot(&mut self, step: Step) {
        let inst = self.inst(step.id);
        if !step.slot {
            let mut out = Vec::new();
            let end = self.graph.successors(step, &mut out) == Some(Exit::End);
            if end && inst.flow() == Flow::Next {
                self.add(
                    Kind::RunsOff,
                    step.id,
                    None,
                    "execution can run past this word, where the code ends".into(),
                );
            }
            if inst.flow().has_slot() && out.is_empty() {
                self.add(
                    Kind::BranchInSlot,
                    step.id,
                    None,
                    "the delay slot of this transfer lies outside of the code".into(),
                );
            }
            return;
        }
        let transfer = step.id - 1;
        self.target(step, transfer);
        if inst.op == Op::Gte {
            self.add(
                Kind::GteCommandInSlot,
                step.id,
                Some(transfer),
                "a GTE command stands in a delay slot: an interrupt there cannot be repaired and \
                 the command may run twice"
                    .into(),
            );
        }
        if inst.flow().has_slot() {
            self.add(
                Kind::BranchInSlot,
                step.id,
                Some(transfer),
                "a branch or jump stands in the delay slot of another one".into(),
            );
        }
    }

    /// Where the transfer goes to, if that is known and no code.
    fn target(&mut self, slot: Step, transfer: Id) {
        let Some(Exit::Outside(address)) = self.graph.successors(slot, &mut Vec::new()) else {
            return;
        };
        if address % 4 != 0 {
            self.add(
                Kind::Misaligned,
                transfer,
                None,
                format!("jump to {address:08X}: the address is not aligned and traps"),
            );
        } else if self.graph.image.holds(address) {
            self.add(
                Kind::IntoData,
                transfer,
                None,
                format!(
                    "the target {address:08X} lies in a section that is not executable: what stands \
                     there was not judged as code"
                ),
            );
        }
    }

    fn load(&mut self, step: Step) {
        let inst = self.inst(step.id);
        let Some(target) = inst.delayed() else {
            return;
        };
        let memory = inst.is_memory_load();
        let mut next = Vec::new();
        let exit = self.graph.successors(step, &mut next);
        // The two ways of a branch are told apart, the entries of a table are not.
        let each = if next.len() > 2 { next.len() } else { 1 };
        let mut groups: Vec<Uses> = next
            .chunks(each)
            .map(|group| self.uses(group.iter().map(|step| step.id), target, memory))
            .collect();
        if matches!(exit, Some(Exit::Return)) {
            let owner = self.graph.owner(step.id);
            let known = self.returns.get(&(owner, target, memory)).copied();
            let behind =
                known.unwrap_or_else(|| self.uses(self.graph.return_sites(owner), target, memory));
            self.returns.insert((owner, target, memory), behind);
            groups.push(behind);
        }
        let name = register(target);
        let kind = match () {
            () if inst.reads_gte_into_cpu() => Kind::GteReadDelay,
            () if step.slot => Kind::LoadInSlot,
            () => Kind::LoadDelay,
        };
        for uses in &groups {
            if let Some((reader, count)) = uses.read {
                let sentence = if step.slot {
                    format!(
                        "{name} is loaded in the delay slot of the transfer at {} and read by the \
                         next executed instruction at {}{}, which still sees the old value",
                        self.at(step.id - 1),
                        self.at(reader),
                        ways(count)
                    )
                } else {
                    format!(
                        "{name} arrives one instruction late: the next executed instruction reads \
                         the old value"
                    )
                };
                self.add(kind, step.id, Some(reader), sentence);
            }
            if let Some((writer, count)) = uses.lost {
                let sentence = if self.inst(writer).delayed() == Some(target) {
                    format!(
                        "two loads of {name} in a row{}: the first one is lost",
                        ways(count)
                    )
                } else {
                    format!(
                        "the next instruction overwrites {name}{}: the load is lost",
                        ways(count)
                    )
                };
                self.add(Kind::LoadLost, step.id, Some(writer), sentence);
            }
        }
        if groups.iter().any(|uses| uses.read.is_some()) {
            return;
        }
        let live = |mask: u32| mask >> target & 1 != 0;
        let sentence = match exit {
            Some(Exit::Return) if live(LIVE_AFTER_RETURN) => format!(
                "{name} is loaded in the delay slot of a return: the caller's next instruction may \
                 read it one instruction too early"
            ),
            Some(Exit::Call) if live(LIVE_INTO_CALL) => format!(
                "{name} is loaded in the delay slot of a call to code that is not known here: its \
                 first instruction may read it too early"
            ),
            Some(Exit::Unknown) => format!(
                "{name} is loaded in the delay slot of a jump whose targets could not be proven: \
                 the first instruction there may read it too early"
            ),
            Some(Exit::Outside(address)) => format!(
                "{name} is loaded in the delay slot of a jump to {address:08X} outside of the \
                 image: the first instruction there may read it too early"
            ),
            _ => return,
        };
        let kind = match inst.reads_gte_into_cpu() {
            true => Kind::GteReadDelay,
            false => Kind::LoadInSlot,
        };
        self.add(kind, step.id, step.id.checked_sub(1), sentence);
    }

    /// What the instructions that follow a load do with its register.
    fn uses(&self, followers: impl Iterator<Item = Id>, target: u32, memory: bool) -> Uses {
        let mut uses = Uses::default();
        for id in followers {
            let inst = self.inst(id);
            let merged = inst.merges() == Some(target);
            let one = Some((id, 1));
            if inst.reads() >> target & 1 != 0 || merged && !memory {
                uses.add(Uses {
                    read: one,
                    lost: None,
                });
            } else if inst.writes() >> target & 1 != 0 && !merged {
                uses.add(Uses {
                    read: None,
                    lost: one,
                });
            }
        }
        uses
    }

    /// A walk left the known code before its end.
    fn open(&mut self, step: Step, what: &str) {
        self.add(
            Kind::Unproven,
            step.id,
            step.id.checked_sub(1),
            format!("{what} right before a jump or return to code that is not known here"),
        );
    }

    /// What must not come too soon behind a read of HI/LO and a write to the GTE or SR.
    fn distances(&mut self, step: Step) {
        let Some(search) = Search::of(self.inst(step.id)) else {
            return;
        };
        let behind = self.searcher.behind(step, search);
        for (kind, near) in behind.near {
            let sentence = self.too_near(search, kind, near);
            self.add(kind, step.id, Some(near.first), sentence);
        }
        if behind.open {
            let what = match search {
                Search::HiLo(_) => "HI or LO is read",
                Search::Transfer(_) => "a register of the GTE is written",
                Search::Status => "SR is written",
            };
            self.open(step, what);
        }
    }

    fn too_near(&self, search: Search, kind: Kind, near: Near) -> String {
        let (between, at, more) = (
            instructions(near.between),
            self.at(near.first),
            ways(near.ways),
        );
        match search {
            Search::HiLo(_) => format!(
                "{between} between this read and the next write of HI/LO at {at}{more}, where two \
                 must lie: the value read is not defined"
            ),
            Search::Status => format!(
                "{between} between this write of SR and the GTE instruction at {at}{more}, where \
                 two must lie: the GTE may still be off"
            ),
            Search::Transfer(from) => {
                let name = gte::name(from);
                match gte::read(self.inst(near.first)) {
                    Some(to) if kind == Kind::GteWriteRead => format!(
                        "{between} between the write of {name} and the read of {} at {at}{more}, \
                         where {} must lie",
                        gte::name(to),
                        gte::distance_to_read(from, to)
                    ),
                    _ => {
                        let end = match kind {
                            Kind::GteWriteUnused => "but the command does not use that register",
                            _ => "where two must lie",
                        };
                        format!(
                            "{between} between the write of {name} and the command at {at}{more}, \
                             {end}"
                        )
                    }
                }
            }
        }
    }

    /// Inputs that are overwritten while the command may still read them. Only the straight way is
    /// looked at.
    fn command(&mut self, step: Step) {
        let command = self.inst(step.id);
        if command.op != Op::Gte {
            return;
        }
        let mut at = step;
        let mut next = Vec::new();
        for between in 0..16 {
            let exit = self.graph.successors(at, &mut next);
            let (None, &[follower]) = (exit, next.as_slice()) else {
                return;
            };
            let inst = self.inst(follower.id);
            if inst.op == Op::Gte || gte::read(inst).is_some() {
                return; // these wait until the command is done
            }
            if let Some(to) = gte::written(inst) {
                let used = gte::inputs(command.word) & gte::affected(to) != 0;
                if used && between < gte::latched_after(command.word, to) {
                    self.add(
                        Kind::GteInputOverwritten,
                        step.id,
                        Some(follower.id),
                        format!(
                            "{} is overwritten with {} between, while the command may still read \
                             it (writes do not wait for a running command)",
                            gte::name(to),
                            instructions(between)
                        ),
                    );
                }
            }
            at = follower;
        }
    }

    /// Accesses at addresses that are known.
    fn memory(&mut self, id: Id, state: &State) {
        let inst = self.inst(id);
        let (Some(access), Some(address)) = (inst.access(), state.address(inst)) else {
            return;
        };
        let verb = if access.store {
            "store to"
        } else {
            "load from"
        };
        let bits = access.width * 8;
        if !access.partial && address % access.width != 0 {
            self.add(
                Kind::Misaligned,
                id,
                None,
                format!("{bits}-bit {verb} {address:08X}: the address is not aligned and traps"),
            );
            return;
        }
        if (0xBF80_0000..0xBF80_0400).contains(&address) {
            self.add(
                Kind::ScratchpadUncached,
                id,
                None,
                format!("{bits}-bit {verb} {address:08X}: KSEG1 has no scratchpad"),
            );
            return;
        }
        let physical = io::physical(address);
        let Some(device) = io::device(physical) else {
            return;
        };
        match io::judge_width(physical, access) {
            Some(Verdict::Fault(why)) => self.add(
                Kind::IoWidth,
                id,
                None,
                format!("{bits}-bit {verb} {device} at {address:08X}: {why}"),
            ),
            Some(Verdict::Doubt(why)) => self.add(
                Kind::IoDoubt,
                id,
                None,
                format!("{bits}-bit {verb} {device} at {address:08X}: {why}"),
            ),
            None => {}
        }
        if physical < 0xC000_0000 && !io::uncached(address) {
            self.add(
                Kind::IoCached,
                id,
                None,
                format!(
                    "{verb} {device} at {address:08X}: outside of KSEG1 a later load may overtake \
                     queued stores"
                ),
            );
        }
    }
}
