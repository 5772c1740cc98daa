//! Scenarios of `vm run` and `motion run`: a script, its context, and what each step did.

use std::fmt;

use overworld_runtime::script::context::Context;
use overworld_runtime::script::host::{
    Actors, Audio, Camera, Flow, Items, Queries, Texts, Video, Walls,
};
use overworld_runtime::script::{Outcome, Vm};
use serde_json::{Map, Value, json};

use report::{Of, step};
use scenario::{FIELDS, Length};

mod long;
mod motion;
mod report;
mod scenario;
mod source;
mod talk;
mod width;

pub use long::long_records;
pub use motion::{cut_walk, motion, no_walk};
pub use report::{Report, Seen};
pub use scenario::Scenario;
pub(crate) use source::Source;
pub use source::{RECORD, assembled, is_digits, is_printable_record, is_scenario};
pub use width::wide_texts;

/// Steps, slices or ticks at most.
const MOST: u64 = 1_000_000;
/// Steps of one slice at most.
const BUDGET: u16 = 1024;

/// What is wrong with a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(String);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

fn bad<T>(text: impl Into<String>) -> Result<T, Error> {
    Err(Error(text.into()))
}

/// Bytes as digits, without blanks.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}

/// Bytes as digits, with a blank between two bytes.
#[must_use]
pub fn hex_pairs(bytes: &[u8]) -> String {
    let pairs: Vec<_> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
    pairs.join(" ")
}

/// All fields of a context.
fn fields(context: &Context<'_>) -> Value {
    let fields = FIELDS.iter();
    let mut map: Map<String, Value> = fields
        .map(|(name, get, _)| ((*name).to_owned(), get(context).into()))
        .collect();
    map.insert("pc".into(), context.pc.into());
    map.insert("cursor".into(), context.stream_pc.into());
    map.insert("saved_pc".into(), context.saved.map(|it| it.pc()).into());
    Value::Object(map)
}

fn final_state(vm: &Vm<'_, 1>, pc: u16) -> Value {
    let flags: Vec<u16> = (0..0x1000).filter(|&it| vm.state.system.test(it)).collect();
    json!({
        "pc": pc,
        "context": fields(&vm.contexts[0]),
        "flags": { "system": flags, "global": vm.state.global },
    })
}

/// A host that answers "absent" to all but the number of display frames.
struct Absent(u8);

impl Queries for Absent {
    fn vsync_delta(&self) -> u8 {
        self.0
    }
}
impl Actors for Absent {}
impl Camera for Absent {}
impl Video for Absent {}
impl Audio for Absent {}
impl Texts for Absent {}
impl Flow for Absent {}
impl Items for Absent {}
impl Walls for Absent {}

/// Run a script.
///
/// # Errors
/// [`Error`]: the slices have more steps than a scenario may have.
pub fn run(scenario: &Scenario) -> Result<Report<'_>, Error> {
    let mut vm = scenario.machine();
    let begin = final_state(&vm, scenario.pc);
    let mut host = Absent(scenario.delta);
    let mut steps = Vec::new();
    let mut slices = None;
    let mut talk = None;
    match scenario.length {
        Length::Steps(count) => {
            for _ in 0..count {
                let pc = vm.contexts[0].pc;
                let outcome = vm.step(&mut host, 0);
                steps.push(step(pc, outcome, Of::Script));
                // Nothing that a further step could do differently.
                if matches!(outcome, Outcome::Text | Outcome::Fault(_)) {
                    break;
                }
            }
        }
        Length::Slices(count) => {
            let ends = slices.insert(Vec::new());
            for number in 0..count {
                let of = Of::Slice(number as u32);
                let end = vm.slice_with(&mut host, 0, BUDGET, |pc, outcome| {
                    steps.push(step(pc, outcome, of));
                });
                ends.push(end);
                if steps.len() as u64 > MOST {
                    return bad(format!("\"slices\": they have more than {MOST} steps"));
                }
            }
        }
        Length::Frames(count) => {
            let seen = talk::play(scenario, &mut vm, &mut host, count, &mut steps)?;
            talk = Some(seen);
        }
    }
    let pc = vm.contexts[0].pc;
    Ok(Report {
        code: &scenario.code,
        steps,
        slices,
        talk,
        begin,
        end: final_state(&vm, pc),
    })
}
