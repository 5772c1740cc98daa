//! What a run did, for tables and documents.

use std::fmt;

use overworld_runtime::script::context::{Context, flag};
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
    pub(super) talk: Option<Vec<Seen>>,
    pub(super) begin: Value,
    pub(super) end: Value,
}

/// What is seen of a conversation, from a frame on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The frame.
    pub frame: u32,
    /// `runs`, `shows`, `picks` or `over`.
    pub phase: &'static str,
    /// Rows of the box, as an assembler's source has texts.
    pub rows: Vec<String>,
    /// Whether all of the rows is there and waits for the button.
    pub full: bool,
    /// Answers of the picker, and the number of the one under the hand, from 0.
    pub picker: Option<(Vec<String>, u8)>,
    /// What went wrong.
    pub fault: Option<String>,
}

impl Seen {
    /// Whether the same is seen as in another frame.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let (a, b) = (self, other);
        (a.phase, &a.rows, a.full, &a.picker, &a.fault)
            == (b.phase, &b.rows, b.full, &b.picker, &b.fault)
    }

    /// Bytes of the texts that it repeats.
    pub(super) fn len(&self) -> usize {
        let answers = self.picker.iter().flat_map(|it| &it.0);
        self.rows.iter().chain(answers).map(String::len).sum()
    }

    /// A document of it.
    #[must_use]
    pub fn document(&self) -> Value {
        let mut value = json!({ "frame": self.frame, "phase": self.phase });
        if !self.rows.is_empty() {
            value["rows"] = json!(self.rows);
            value["full"] = self.full.into();
        }
        if let Some((answers, cursor)) = &self.picker {
            value["answers"] = json!(answers);
            value["cursor"] = (*cursor).into();
        }
        if let Some(fault) = &self.fault {
            value["fault"] = json!(fault);
        }
        value
    }
}

/// A line for people.
impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:5}  {}", self.frame, self.phase)?;
        let mut mark = "  ";
        for row in &self.rows {
            write!(f, "{mark}{row}")?;
            mark = " | ";
        }
        if let Some((answers, cursor)) = &self.picker {
            for (number, answer) in (0..).zip(answers) {
                let hand = if number == *cursor { " > " } else { "   " };
                write!(f, "{hand}{answer}")?;
            }
        } else if self.full {
            f.write_str(" (waits)")?;
        }
        match &self.fault {
            Some(fault) => write!(f, "  {fault}"),
            None => Ok(()),
        }
    }
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
    Frame(u32),
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

    /// What the run changed, a line each: the place of a value in [`Report::end`], what it was and what it is.
    #[must_use]
    pub fn changes(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for part in ["context", "flags"] {
            let Some(fields) = self.end[part].as_object() else {
                continue;
            };
            for (key, now) in fields {
                let before = &self.begin[part][key];
                // That of the context is the whole's.
                let is_told = key == "pc" && *now == self.end["pc"];
                if before != now && !is_told {
                    lines.push(format!("{part}.{key}: {now}, was {before}"));
                }
            }
        }
        lines
    }

    /// Where a conversation began that was over before anything was said.
    #[must_use]
    pub fn silent(&self) -> Option<u64> {
        let is_over = |it: &Seen| it.phase == "over" && it.fault.is_none();
        let is_silent = |it: &Seen| it.rows.is_empty() && it.picker.is_none();
        let talk = self.talk.as_ref()?;
        let silent = talk.last().is_some_and(is_over) && talk.iter().all(is_silent);
        self.begin["pc"].as_u64().filter(|_| silent)
    }

    /// Whether steps or slices have left the context parked for what only frames carry on: a walk, a turn, an arc.
    #[must_use]
    pub fn is_left_parked(&self) -> bool {
        let flags = |state: &Value| state["context"]["flags"].as_u64().unwrap_or(0);
        let began = flags(&self.end) & !flags(&self.begin);
        let is_script = |it: &Step| matches!(it.of, Of::Script | Of::Slice(_));
        began & u64::from(flag::HALT) != 0 && self.steps.iter().all(is_script)
    }

    /// How each slice ended, of a scenario that has slices.
    pub fn slices(&self) -> Option<impl Iterator<Item = Value> + '_> {
        let ends = self.slices.as_ref()?.iter();
        Some(ends.map(|end| match end {
            SliceEnd::Fault(fault) => Word::Fault(fault.kind.name()).to_string().into(),
            end => format!("{end:?}").to_lowercase().into(),
        }))
    }

    /// What was seen of the conversation, whenever it changed, of a scenario that has frames.
    #[must_use]
    pub fn talk(&self) -> Option<&[Seen]> {
        self.talk.as_deref()
    }

    /// The steps, or ticks of a motion.
    pub fn steps(&self) -> impl Iterator<Item = Value> + '_ {
        self.steps.iter().map(|step| self.step(step))
    }

    fn step(&self, step: &Step) -> Value {
        let (op, text) = match step.of {
            Of::Script | Of::Slice(_) | Of::Frame(_) => line(self.code, step.pc),
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
            Of::Frame(number) => value["frame"] = number.into(),
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
