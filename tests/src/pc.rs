//! This machine as a machine of the battery: the software geometry engine, nanoseconds.

use std::fmt;
use std::time::{Duration, Instant};

use overworld_battery::{Machine, run_filtered};
use overworld_runtime::gte::software::Gte;

use crate::emulator::Report;
use crate::verdict::{Judge, Outcome};

/// The PC, with what is to be done with each line.
pub struct Pc<F> {
    gte: Gte,
    on_line: F,
}

impl<F: FnMut(&str)> Pc<F> {
    /// A PC that hands each line to `on_line`.
    pub fn new(on_line: F) -> Self {
        Self {
            gte: Gte::new(),
            on_line,
        }
    }
}

impl<F: FnMut(&str)> Machine for Pc<F> {
    type Gte = Gte;
    const NAME: &'static str = "PC";
    const UNIT: &'static str = "ns";

    fn gte(&mut self) -> &mut Gte {
        &mut self.gte
    }

    fn line(&mut self, text: fmt::Arguments<'_>) {
        (self.on_line)(&text.to_string());
    }

    fn measure(&mut self, work: &mut dyn FnMut(&mut Gte)) -> u32 {
        let began = Instant::now();
        work(&mut self.gte);
        u32::try_from(began.elapsed().as_nanos()).unwrap_or(u32::MAX)
    }
}

/// Run the battery, or the part whose names contain `filter`, and judge it as any other machine.
pub fn run(filter: &str, mut on_line: impl FnMut(&str)) -> Report {
    let began = Instant::now();
    let mut judge = Judge::default();
    let mut lines = Vec::new();
    let mut pc = Pc::new(|line: &str| {
        judge.line(line);
        lines.push(line.to_owned());
        on_line(line);
    });
    run_filtered(&mut pc, filter);
    let (outcome, reason) = judge
        .outcome()
        .unwrap_or((Outcome::Crash, "the battery has no last line".to_owned()));
    Report {
        outcome,
        reason,
        told: true,
        lines,
        elapsed: began.elapsed().max(Duration::from_nanos(1)),
        ..Report::missing(String::new())
    }
}
