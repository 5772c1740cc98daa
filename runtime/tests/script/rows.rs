//! What tables of scripts and their results are made of.
#![allow(dead_code, reason = "each test binary uses a part of it")]

#[path = "../../../tests/battery/src/script/words.rs"]
mod words;

use overworld_runtime::script::Outcome;
use overworld_runtime::script::context::Context;
use overworld_runtime::script::state::{Resume, State};

/// The bytes of digits.
pub fn hex(text: &str) -> Vec<u8> {
    let digits = |it| u8::from_str_radix(it, 16).expect("hexadecimal");
    text.split_whitespace().map(digits).collect()
}

/// A step's outcome in the words of the rows; the PC is `now`.
pub fn outcome_text(outcome: Outcome, now: u16) -> String {
    match outcome {
        Outcome::Advance(to) => format!("advance {to}"),
        Outcome::Park => format!("park {now}"),
        Outcome::ParkAt(to) => format!("frame end {to}"),
        Outcome::Yield(to) => format!("yield {to}"),
        Outcome::Text => format!("text {now}"),
        Outcome::Fault(fault) => format!("fault:{} {now}", fault.kind.name()),
    }
}

/// The fields in which a context differs, in the words of the sheet.
pub fn difference(before: &Context<'_>, after: &Context<'_>) -> Vec<String> {
    let mut seen = Vec::new();
    words::difference(before, after, |text| seen.push(text.to_string()));
    seen
}

/// What the shared state shows but its flags; the resume slot was this before.
pub fn shared(state: &State, resume: Resume) -> Vec<String> {
    let mut seen = Vec::new();
    words::shared(state, resume, |text| seen.push(text.to_string()));
    seen
}
