//! The results of several machines side by side.

use std::fmt;
use std::time::Duration;

use crate::emulator::Report;
use crate::verdict::{Line, Outcome, parse};

/// What one machine said in a battery.
#[derive(Clone, Debug)]
pub struct Machine {
    /// The name under which the run was added.
    pub name: String,
    /// The machine's own name, from its `@@BATTERY` line; empty without one.
    pub machine: String,
    /// What its costs are counted in; empty without a `@@BATTERY` line.
    pub unit: String,
    /// How the run ended.
    pub outcome: Outcome,
    /// Why, in words; empty when it passed.
    pub reason: String,
    /// Name of each test, and why it failed.
    pub tests: Vec<(String, Result<Option<u64>, String>)>,
    /// Name, cost and what was counted of each benchmark.
    pub benches: Vec<(String, Option<u64>, String)>,
    /// How long the run took.
    pub elapsed: Duration,
}

impl Machine {
    /// Read the lines of a battery's run.
    ///
    /// A battery that says `pass` without one test is counted as failed.
    #[must_use]
    pub fn new(name: &str, report: &Report) -> Self {
        let mut this = Self {
            name: name.to_owned(),
            machine: String::new(),
            unit: String::new(),
            outcome: report.outcome,
            reason: report.reason.clone(),
            tests: Vec::new(),
            benches: Vec::new(),
            elapsed: report.elapsed,
        };
        for line in &report.lines {
            match parse(line) {
                Line::Battery { machine, unit } => {
                    this.machine = machine.to_owned();
                    this.unit = unit.to_owned();
                }
                Line::Test { name, result } => {
                    this.tests
                        .push((name.to_owned(), result.map_err(str::to_owned)));
                }
                Line::Bench { name, cost, per } => {
                    this.benches.push((name.to_owned(), cost, per.to_owned()));
                }
                _ => {}
            }
        }
        if this.outcome == Outcome::Pass && this.tests.is_empty() {
            this.outcome = Outcome::Fail;
            this.reason = "no test ran".to_owned();
        }
        this
    }

    /// Tests that passed, and tests that failed.
    #[must_use]
    pub fn counts(&self) -> (usize, usize) {
        let passed = self.tests.iter().filter(|(_, result)| result.is_ok());
        let passed = passed.count();
        (passed, self.tests.len() - passed)
    }
}

/// One summary of all machines.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    machines: Vec<Machine>,
}

impl Summary {
    /// Add the run of a battery on one machine.
    pub fn add(&mut self, name: &str, report: &Report) {
        self.machines.push(Machine::new(name, report));
    }

    /// All machines, in the order in which they were added.
    #[must_use]
    pub fn machines(&self) -> &[Machine] {
        &self.machines
    }

    /// The worst outcome; `None` when no machine ran.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        let weight = |outcome: &Outcome| match outcome {
            Outcome::Pass => 0,
            Outcome::EmulatorMissing => 1,
            Outcome::Fail => 2,
            Outcome::TimeOut => 3,
            Outcome::Crash => 4,
        };
        self.machines
            .iter()
            .map(|machine| machine.outcome)
            .max_by_key(weight)
    }

    /// Names that some machines that passed ran and others did not: every machine must run
    /// the same battery.
    #[must_use]
    pub fn uneven(&self) -> Vec<String> {
        let passed = || {
            self.machines
                .iter()
                .filter(|machine| machine.outcome == Outcome::Pass)
        };
        let has = |machine: &Machine, name: &String| {
            machine.tests.iter().any(|(other, _)| other == name)
                || machine.benches.iter().any(|(other, ..)| other == name)
        };
        let mut names: Vec<String> = Vec::new();
        for machine in passed() {
            let tests = machine.tests.iter().map(|(name, _)| name);
            let benches = machine.benches.iter().map(|(name, ..)| name);
            for name in tests.chain(benches) {
                if !names.contains(name) && !passed().all(|machine| has(machine, name)) {
                    names.push(name.clone());
                }
            }
        }
        names
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for machine in &self.machines {
            let (passed, failed) = machine.counts();
            write!(
                f,
                "{:<12} {:<17} {passed:>3} tests passed, {failed} failed, {:.1} s",
                machine.name,
                machine.outcome,
                machine.elapsed.as_secs_f32()
            )?;
            if !machine.reason.is_empty() {
                write!(f, ": {}", machine.reason)?;
            }
            writeln!(f)?;
            for (name, result) in &machine.tests {
                if let Err(why) = result {
                    writeln!(f, "  FAIL {name}: {why}")?;
                }
            }
        }
        let mut names: Vec<&str> = Vec::new();
        for machine in &self.machines {
            for (name, ..) in &machine.benches {
                if !names.contains(&name.as_str()) {
                    names.push(name);
                }
            }
        }
        if names.is_empty() {
            return Ok(());
        }
        write!(f, "\n{:<20}", "benchmark")?;
        for machine in &self.machines {
            let head = format!("{} [{}]", machine.name, machine.unit);
            write!(f, " {head:>26}")?;
        }
        writeln!(f)?;
        for name in names {
            write!(f, "{name:<20}")?;
            for machine in &self.machines {
                let cell = match machine.benches.iter().find(|(other, ..)| other == name) {
                    Some((_, Some(cost), per)) => format!("{cost} {per}"),
                    _ => "-".to_owned(),
                };
                write!(f, " {cell:>26}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(outcome: Outcome, lines: &[&str]) -> Report {
        Report {
            outcome,
            lines: lines.iter().map(|&line| line.to_owned()).collect(),
            ..Report::missing(String::new())
        }
    }

    #[test]
    fn machines_stand_side_by_side() {
        let mut summary = Summary::default();
        let a = ["@@BATTERY A ns", "@@TEST t ok 5", "@@BENCH b 7 per call"];
        let b = [
            "@@BATTERY B cycles",
            "@@TEST t FAIL so",
            "@@BENCH b - per call",
        ];
        summary.add("a", &report(Outcome::Pass, &a));
        summary.add("b", &report(Outcome::Fail, &b));
        summary.add("c", &report(Outcome::Pass, &[]));
        assert_eq!(summary.machines()[0].counts(), (1, 0));
        assert_eq!(summary.machines()[1].counts(), (0, 1));
        assert_eq!(summary.machines()[2].outcome, Outcome::Fail);
        assert_eq!(summary.outcome(), Some(Outcome::Fail));
        let text = summary.to_string();
        assert!(text.contains("FAIL t: so"), "{text}");
        assert!(
            text.contains("a [ns]") && text.contains("b [cycles]"),
            "{text}"
        );
        assert!(text.contains("7 per call"), "{text}");
    }

    #[test]
    fn a_machine_that_leaves_a_test_out_is_named() {
        let mut summary = Summary::default();
        summary.add(
            "a",
            &report(Outcome::Pass, &["@@TEST t ok 1", "@@TEST u ok 1"]),
        );
        summary.add("b", &report(Outcome::Pass, &["@@TEST t ok 1"]));
        assert_eq!(summary.uneven(), ["u"]);
    }
}
