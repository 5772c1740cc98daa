//! What a run did, for tables and documents.

use std::fmt;

use overworld_runtime::script::context::Context;
use overworld_runtime::script::dis::Line;
use overworld_runtime::script::{Outcome, SliceEnd};
use serde_json::{Value, json};

/// Mnemonic and text of the line at `pc`.
fn line(code: &[u8], pc: u16) -> (String, String) {
    let text = Line::read(code, usize::from(pc)).map_or_else(String::new, |it| it.to_string());
    let name = text.split([' ', '@']).next().unwrap_or("").to_owned();
    (name, text)
}

/// What a scenario did. Steps are kept small and put into words when they are asked for, since there may be
/// a million of them.
#[derive(Clone, Debug)]
pub struct Report<'s> {
    pub(super) code: &'s [u8],
    pub(super) steps: Vec<Step>,
    pub(super) slices: Option<Vec<SliceEnd>>,
    pub(super) end: Value,
}

/// A step, or a tick of a motion.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) pc: u16,
    pub(super) next: u16,
    pub(super) result: Word,
    pub(super) of: Of,
}

/// What a step belongs to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Of {
    Script,
    Slice(u32),
    Walk(Pose),
    Ambient(Pose),
}

/// Where a tick of a motion leaves the context.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pose {
    pub(super) x: i16,
    pub(super) y: i16,
    pub(super) z: i16,
    pub(super) heading: u16,
}

impl Pose {
    pub(super) fn of(context: &Context<'_>) -> Self {
        Self {
            x: context.x,
            y: context.y,
            z: context.z,
            heading: context.heading,
        }
    }
}

/// A result's word, with that of the fault.
#[derive(Clone, Copy, Debug)]
pub(super) enum Word {
    Fine(&'static str),
    Fault(&'static str),
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fine(word) => f.write_str(word),
            Self::Fault(name) => write!(f, "fault:{name}"),
        }
    }
}

impl Report<'_> {
    /// The state behind the last step.
    #[must_use]
    pub fn end(&self) -> &Value {
        &self.end
    }

    /// How each slice ended, of a scenario that has slices.
    pub fn slices(&self) -> Option<impl Iterator<Item = Value> + '_> {
        let ends = self.slices.as_ref()?.iter();
        Some(ends.map(|end| match end {
            SliceEnd::Fault(fault) => Word::Fault(fault.kind.name()).to_string().into(),
            end => format!("{end:?}").to_lowercase().into(),
        }))
    }

    /// The steps, or ticks of a motion.
    pub fn steps(&self) -> impl Iterator<Item = Value> + '_ {
        self.steps.iter().map(|step| self.step(step))
    }

    fn step(&self, step: &Step) -> Value {
        let (op, text) = match step.of {
            Of::Script | Of::Slice(_) => line(self.code, step.pc),
            // A walk stays at its instruction.
            Of::Walk(_) => line(self.code, step.next),
            Of::Ambient(_) => {
                let byte = self.code.get(usize::from(step.pc)).copied().unwrap_or(0);
                (format!("{byte:02X}"), format!("{byte:02X}"))
            }
        };
        let mut value = json!({
            "pc": step.pc, "next": step.next, "op": op, "text": text,
            "result": step.result.to_string(),
        });
        match step.of {
            Of::Script => {}
            Of::Slice(number) => value["slice"] = number.into(),
            Of::Walk(pose) | Of::Ambient(pose) => {
                value["x"] = pose.x.into();
                value["y"] = pose.y.into();
                value["z"] = pose.z.into();
                value["heading"] = pose.heading.into();
            }
        }
        value
    }
}

/// What a step of a script came to.
pub(super) fn step(pc: u16, outcome: Outcome, of: Of) -> Step {
    let (result, next) = match outcome {
        Outcome::Advance(next) => (Word::Fine("advance"), next),
        Outcome::Park => (Word::Fine("park"), pc),
        Outcome::ParkAt(next) => (Word::Fine("park_at"), next),
        Outcome::Yield(next) => (Word::Fine("yield"), next),
        Outcome::Text => (Word::Fine("text"), pc),
        Outcome::Fault(fault) => (Word::Fault(fault.kind.name()), pc),
    };
    Step {
        pc,
        next,
        result,
        of,
    }
}
