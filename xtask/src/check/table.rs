//! What was checked, on which machine, with which result.

use std::fmt;
use std::time::{Duration, Instant};

use anyhow::Result;

/// One line of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// What was checked.
    pub what: String,
    /// Where it ran.
    pub machine: String,
    /// Checks that went well.
    pub passed: usize,
    /// Checks that did not.
    pub failed: usize,
    /// What costs are counted in there; empty where nothing was measured.
    pub unit: String,
    /// How long it took.
    pub time: Duration,
    /// Why it failed, in a few words.
    pub reason: String,
}

impl Row {
    /// The line of a check that either holds or does not.
    pub fn of(what: &str, machine: &str, began: Instant, result: &Result<()>) -> Self {
        Self {
            what: what.to_owned(),
            machine: machine.to_owned(),
            passed: usize::from(result.is_ok()),
            failed: usize::from(result.is_err()),
            unit: String::new(),
            time: began.elapsed(),
            reason: result
                .as_ref()
                .err()
                .map_or_else(String::new, |error| format!("{error:#}")),
        }
    }
}

/// All lines.
#[derive(Clone, Debug, Default)]
pub struct Table {
    rows: Vec<Row>,
}

impl Table {
    /// Add a line.
    pub fn add(&mut self, row: Row) {
        self.rows.push(row);
    }

    /// Sums of the checks that passed and failed.
    pub fn counts(&self) -> (usize, usize) {
        self.rows.iter().fold((0, 0), |(passed, failed), row| {
            (passed + row.passed, failed + row.failed)
        })
    }

    /// Everything passed, and there was something.
    pub fn good(&self) -> bool {
        let (passed, failed) = self.counts();
        passed > 0 && failed == 0
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = |of: fn(&Row) -> &str, head: &str| {
            let longest = self
                .rows
                .iter()
                .map(|row| of(row).chars().count())
                .max()
                .unwrap_or(0);
            longest.max(head.len())
        };
        let what = width(|row| &row.what, "check");
        let machine = width(|row| &row.machine, "machine");
        let unit = width(|row| &row.unit, "costs in");
        writeln!(
            f,
            "{:<what$}  {:<machine$}  {:>6}  {:>6}  {:<unit$}  {:>7}",
            "check", "machine", "passed", "failed", "costs in", "time"
        )?;
        for row in &self.rows {
            let cost = if row.unit.is_empty() { "-" } else { &row.unit };
            let seconds = row.time.as_secs_f32();
            write!(
                f,
                "{:<what$}  {:<machine$}  {:>6}  {:>6}  {cost:<unit$}  {seconds:>5.1} s",
                row.what, row.machine, row.passed, row.failed
            )?;
            if row.failed > 0 && !row.reason.is_empty() {
                write!(f, "  {}", row.reason)?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// The sums in one of the lines with which a test program of Rust ends:
/// `test result: ok. 12 passed; 0 failed; 1 ignored; …`.
pub fn result_line(line: &str) -> Option<(usize, usize)> {
    let rest = line.trim().strip_prefix("test result: ")?;
    let count = |word: &str| {
        let part = rest
            .split([';', '.'])
            .find(|part| part.trim().ends_with(word))?;
        part.trim().strip_suffix(word)?.trim().parse().ok()
    };
    Some((count("passed")?, count("failed")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(what: &str, passed: usize, failed: usize) -> Row {
        Row {
            what: what.to_owned(),
            machine: "PC".to_owned(),
            passed,
            failed,
            unit: String::new(),
            time: Duration::from_millis(1250),
            reason: "because".to_owned(),
        }
    }

    #[test]
    fn sums_and_reasons_are_shown() {
        let mut table = Table::default();
        assert!(!table.good(), "nothing ran");
        table.add(row("units", 12, 0));
        assert!(table.good());
        table.add(row("format", 0, 1));
        assert!(!table.good());
        assert_eq!(table.counts(), (12, 1));
        let text = table.to_string();
        assert_eq!(text.lines().count(), 3);
        assert!(
            text.lines()
                .next_back()
                .is_some_and(|line| line.ends_with("1.2 s  because")),
            "{text}"
        );
        assert_eq!(text.matches("because").count(), 1);
    }

    #[test]
    fn result_lines_of_test_programs_are_read() {
        let line = "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.02s";
        assert_eq!(result_line(line), Some((12, 0)));
        let line = "test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 10.9s";
        assert_eq!(result_line(line), Some((3, 2)));
        assert_eq!(result_line("test lzs::passed ... ok"), None);
        assert_eq!(result_line("test result: gibberish"), None);
    }
}
