//! The checks themselves. Each looks at one executed instruction and what can follow it.

use super::decode::{Flow, Inst, Op};
use super::disasm::register;
use super::graph::{Exit, Graph, Step};
use super::image::Id;
use super::io::{self, Verdict};
use super::values::State;
use super::{Finding, Kind, Line, Report, gte};
use std::collections::HashSet;

/// What a caller may read right after a call (o32): results and everything the callee keeps.
const LIVE_AFTER_RETURN: u32 = 0b1100 | 0x00FF_0000 | 0x7000_0000;
/// What a callee may read right at its start: arguments, `$t9`, kept registers and `$ra`.
const LIVE_INTO_CALL: u32 = 0xF0 | 0x00FF_0000 | 1 << 25 | 0xF000_0000;
/// Instructions that must lie between a read of HI/LO and the next write (HAL sheet, 1.6).
const HILO_DISTANCE: u32 = 2;
/// Instructions that must lie between a transfer to the GTE and a command (GTE sheet, 4).
const COMMAND_DISTANCE: u32 = 2;
/// Instructions that must lie between a write of SR and a GTE instruction (GTE sheet, 4).
const STATUS_DISTANCE: u32 = 2;

/// Runs every check.
pub fn run(graph: &Graph, report: &mut Report) {
    let mut checker = Checker {
        graph,
        report,
        seen: HashSet::new(),
    };
    for id in 0..graph.image.insts.len() {
        if graph.is_code(id) {
            checker.count(id);
            checker.instruction(id);
        }
    }
    graph.visit(|id, state| checker.memory(id, state));
}

struct Checker<'c, 'i, 'a> {
    graph: &'c Graph<'i, 'a>,
    report: &'c mut Report,
    seen: HashSet<(Kind, Id, Option<Id>)>,
}

fn instructions(count: u32) -> String {
    match count {
        0 => "no instruction".into(),
        1 => "1 instruction".into(),
        more => format!("{more} instructions"),
    }
}

impl Checker<'_, '_, '_> {
    fn inst(&self, id: Id) -> Inst {
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

    fn add(&mut self, kind: Kind, first: Id, second: Option<Id>, sentence: String) {
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
                self.hilo(step);
                self.transfer(step);
                self.command(step);
                self.status(step);
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
        let mut next = Vec::new();
        let exit = self.graph.successors(step, &mut next);
        if matches!(exit, Some(Exit::Return)) {
            let sites = self.graph.return_sites(step.id);
            next.extend(sites.map(|id| Step { id, slot: false }));
        }
        let name = register(target);
        let kind = match () {
            () if inst.reads_gte_into_cpu() => Kind::GteReadDelay,
            () if step.slot => Kind::LoadInSlot,
            () => Kind::LoadDelay,
        };
        for follower in next {
            let reader = self.inst(follower.id);
            let merged = reader.merges() == Some(target) && !inst.is_memory_load();
            if reader.reads() >> target & 1 != 0 || merged {
                let sentence = if step.slot {
                    format!(
                        "{name} is loaded in the delay slot of the transfer at {} and read by the \
                         next executed instruction at {}, which still sees the old value",
                        self.at(step.id - 1),
                        self.at(follower.id)
                    )
                } else {
                    format!(
                        "{name} arrives one instruction late: the next executed instruction reads \
                         the old value"
                    )
                };
                self.add(kind, step.id, Some(follower.id), sentence);
            } else if reader.writes() >> target & 1 != 0 && reader.merges() != Some(target) {
                let sentence = if reader.delayed() == Some(target) {
                    format!("two loads of {name} in a row: the first one is lost")
                } else {
                    format!("the next instruction overwrites {name}: the load is lost")
                };
                self.add(Kind::LoadLost, step.id, Some(follower.id), sentence);
            }
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

    /// Walks every path of at most `depth` instructions behind `start`. `visit` gets the step and
    /// the number of instructions between; it returns false to end that path. The answer is whether
    /// some path leaves what is known before its end.
    fn walk(
        &mut self,
        start: Step,
        depth: u32,
        visit: &mut dyn FnMut(&mut Self, Step, u32) -> bool,
    ) -> bool {
        let mut paths = vec![(start, 0)];
        let mut seen = HashSet::new();
        let mut next = Vec::new();
        let mut open = false;
        while let Some((step, between)) = paths.pop() {
            let exit = self.graph.successors(step, &mut next);
            open |= match exit {
                Some(Exit::Return) => !self.graph.has_callers(step.id),
                Some(Exit::Unknown | Exit::Outside(_) | Exit::Call) => true,
                Some(Exit::End) | None => false,
            };
            if exit == Some(Exit::Return) {
                let sites = self.graph.return_sites(step.id);
                next.extend(sites.map(|id| Step { id, slot: false }));
            }
            for &follower in &next {
                if seen.insert((follower, between))
                    && visit(self, follower, between)
                    && between + 1 < depth
                {
                    paths.push((follower, between + 1));
                }
            }
        }
        open
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

    fn hilo(&mut self, step: Step) {
        let inst = self.inst(step.id);
        if !inst.reads_hilo() {
            return;
        }
        let open = self.walk(step, HILO_DISTANCE, &mut |checker, follower, between| {
            let writer = checker.inst(follower.id);
            if writer.writes() & inst.reads() == 0 {
                return true;
            }
            checker.add(
                Kind::HiLo,
                step.id,
                Some(follower.id),
                format!(
                    "{} between this read and the next write of HI/LO at {}, where two must lie: \
                     the value read is not defined",
                    instructions(between),
                    checker.at(follower.id)
                ),
            );
            false
        });
        if open {
            self.open(step, "HI or LO is read");
        }
    }

    fn transfer(&mut self, step: Step) {
        let Some(from) = gte::written(self.inst(step.id)) else {
            return;
        };
        let affected = gte::affected(from);
        let depth = if from == gte::IRGB {
            3
        } else {
            COMMAND_DISTANCE
        };
        let open = self.walk(step, depth, &mut |checker, follower, between| {
            let inst = checker.inst(follower.id);
            if inst.op == Op::Gte {
                if between < COMMAND_DISTANCE {
                    let used = gte::inputs(inst.word) & affected != 0;
                    let (kind, end) = match used {
                        true => (Kind::GteWriteCommand, "where two must lie"),
                        false => (
                            Kind::GteWriteUnused,
                            "but the command does not use that register",
                        ),
                    };
                    checker.add(
                        kind,
                        step.id,
                        Some(follower.id),
                        format!(
                            "{} between the write of {} and the command at {}, {end}",
                            instructions(between),
                            gte::name(from),
                            checker.at(follower.id)
                        ),
                    );
                }
                // Whatever comes behind the command waits for it.
                return false;
            }
            if let Some(to) = gte::read(inst) {
                let needed = gte::distance_to_read(from, to);
                if affected >> to & 1 != 0 && between < needed {
                    checker.add(
                        Kind::GteWriteRead,
                        step.id,
                        Some(follower.id),
                        format!(
                            "{} between the write of {} and the read of {} at {}, where {needed} \
                             must lie",
                            instructions(between),
                            gte::name(from),
                            gte::name(to),
                            checker.at(follower.id)
                        ),
                    );
                }
            }
            true
        });
        if open {
            self.open(step, "a register of the GTE is written");
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

    fn status(&mut self, step: Step) {
        let inst = self.inst(step.id);
        if inst.op != Op::Mtc0 || inst.rd() != 12 {
            return;
        }
        let open = self.walk(step, STATUS_DISTANCE, &mut |checker, follower, between| {
            let inst = checker.inst(follower.id);
            let uses_gte = matches!(
                inst.op,
                Op::Gte | Op::Mfc2 | Op::Cfc2 | Op::Mtc2 | Op::Ctc2 | Op::Lwc2 | Op::Swc2
            );
            if uses_gte {
                checker.add(
                    Kind::StatusBeforeGte,
                    step.id,
                    Some(follower.id),
                    format!(
                        "{} between this write of SR and the GTE instruction at {}, where two must \
                         lie: the GTE may still be off",
                        instructions(between),
                        checker.at(follower.id)
                    ),
                );
            }
            !uses_gte
        });
        if open {
            self.open(step, "SR is written");
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
