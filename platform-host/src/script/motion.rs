//! What moves actors, alone: a walk, or an ambient stream.

use overworld_runtime::script::context::{Context, Place, flag};
use overworld_runtime::script::decode::DecodeError;
use overworld_runtime::script::task::Task;
use overworld_runtime::script::{Fault, FaultKind, SliceEnd, Vm};

use super::report::{Of, Pose, Report, Step, Word};
use super::scenario::{Interpreter, Length};
use super::{Absent, BUDGET, Error, Scenario, bad, final_state};

/// The byte at the beginning of a motion that is no op of a walk, if the walk kernel gets it.
///
/// The kernel's default arm is done with it at once (motion sheet, section 2 and vector M4), which looks
/// like a walk that came to its end: a record of a field script is the usual reason.
#[must_use]
pub fn no_walk(scenario: &Scenario) -> Option<u8> {
    let &first = scenario.walk()?.first()?;
    let known = matches!(first & 0x7F, 0x37 | 0x38 | 0x41 | 0x43 | 0x47 | 0x4C);
    (!known).then_some(first)
}

/// That the record ends within the walk at the scenario's place, or before it, if the walk kernel gets it.
///
/// The kernel itself would be done with it: a machine hands it whole instructions only. Of what others end
/// it reads no operands (motion sheet, section 2 and vector M3).
#[must_use]
pub fn cut_walk(scenario: &Scenario) -> Option<Fault> {
    let code = scenario.walk()?;
    let found = code.len();
    let error = match *code {
        [] => DecodeError::PcRange {
            len: scenario.code.len(),
        },
        [first, ..] => {
            let header = 1 + usize::from(first >> 7);
            let need = match (first & 0x7F, code.get(header)) {
                (0x37 | 0x38 | 0x41, _) => header + 2,
                (0x47, _) => header + 3,
                (0x4C, Some(0x85 | 0x8E | 0x8F)) => header + 4,
                (0x4C, _) => header + 1,
                (0x43, _) => header,
                _ => return None,
            };
            if found >= need {
                return None;
            }
            DecodeError::Truncated { need, found }
        }
    };
    Some(Fault {
        kind: FaultKind::Decode(error),
        script_id: scenario.context.script_id,
        pc: scenario.pc,
        in_stream: false,
    })
}

/// Run a walk or an ambient stream; steps are ticks.
///
/// # Errors
/// [`Error`]: neither interpreter takes the first byte.
pub fn motion(scenario: &Scenario) -> Result<Report<'_>, Error> {
    let first = scenario.code.get(usize::from(scenario.pc)).copied();
    let interpreter = match (scenario.interpreter, first.map(|it| it & 0x7F)) {
        (Some(interpreter), _) => interpreter,
        (None, Some(0x01..=0x20)) => Interpreter::Ambient,
        (None, Some(0x21..)) => Interpreter::Walk,
        (None, _) => {
            return bad(
                "\"code\": expected an instruction of a walk or an ambient stream at \"pc\"",
            );
        }
    };
    let (Length::Steps(count) | Length::Slices(count) | Length::Frames(count)) = scenario.length;
    let mut host = Absent(scenario.delta);
    let mut vm = scenario.machine();
    let from = scenario.pc;
    if let Some(fault) = cut_walk(scenario) {
        // Nothing is done, as by a step of a script.
        let step = Step {
            pc: from,
            next: from,
            result: Word::Fault(fault.kind.name()),
            of: Of::Walk(Pose::of(&vm.contexts[0])),
        };
        return Ok(Report {
            code: &scenario.code,
            steps: vec![step; count.min(1) as usize],
            slices: None,
            talk: None,
            begin: final_state(&vm, from),
            end: final_state(&vm, from),
        });
    }
    // A stream begins with its variants: one that always matches.
    let code = scenario.code.get(usize::from(from)..).unwrap_or_default();
    let stream = [&[0xFF, 0xFF, 0, 0], code].concat();
    let walks = interpreter == Interpreter::Walk;
    let context = &mut vm.contexts[0];
    // The interpreters run alone.
    let record = std::mem::take(&mut context.task).code();
    if walks {
        context.flags |= flag::HALT;
        context.saved = Some(Place::new(record, from));
    }
    let mut vm = if walks {
        vm
    } else {
        let mut own: Box<Vm<'_, 1>> = Box::new(Vm::new(scenario.compat));
        own.state = vm.state;
        (own.player, own.system) = (vm.player, vm.system);
        own.contexts[0] = Context {
            stream: &stream,
            // It is under way: where it stands is not forgotten for a change of variant.
            stream_variant: Some(0xFFF),
            enable: 1,
            task: Task::NONE,
            saved: None,
            ..vm.contexts[0]
        };
        own
    };
    // A walk stays at its instruction.
    let place = |it: &Context<'_>| from.wrapping_add(if walks { 0 } else { it.stream_pc });
    let begin = final_state(&vm, from);
    let mut steps = Vec::new();
    for _ in 0..count {
        let at = place(&vm.contexts[0]);
        let mut fault = None;
        vm.frame(&mut host, BUDGET, |_, end| {
            if let SliceEnd::Fault(it) = end {
                fault = Some(it);
            }
        });
        let context = &vm.contexts[0];
        // A walk that is over lets its script go on.
        let over = if walks {
            !context.halted()
        } else {
            context.stream.is_empty()
        };
        let result = match fault {
            Some(fault) => Word::Fault(fault.kind.name()),
            None if over => Word::Fine("advance"),
            None => Word::Fine("yield"),
        };
        let pose = Pose::of(context);
        steps.push(Step {
            pc: at,
            next: place(context),
            result,
            of: if walks {
                Of::Walk(pose)
            } else {
                Of::Ambient(pose)
            },
        });
        if over {
            break;
        }
    }
    let pc = place(&vm.contexts[0]);
    Ok(Report {
        code: &scenario.code,
        steps,
        slices: None,
        talk: None,
        begin,
        end: final_state(&vm, pc),
    })
}
