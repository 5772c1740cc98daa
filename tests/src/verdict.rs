//! The tagged lines of a program's terminal, and what they say about a run.
//!
//! Every program of the project prints lines that start with `@@`; an emulator prints other
//! things among them. [`parse`] reads one line, [`Judge`] follows all of them.

use std::fmt;

/// Exit codes of everything that runs a target program.
pub mod exit {
    /// The program said that all is well.
    pub const PASS: u8 = 0;
    /// The program said that something is wrong.
    pub const FAIL: u8 = 1;
    /// The command line, or a file that it names, is wrong: nothing ran.
    pub const USAGE: u8 = 2;
    /// No verdict came in time.
    pub const TIME_OUT: u8 = 3;
    /// The program panicked or faulted, or the emulator died.
    pub const CRASH: u8 = 4;
    /// The emulator is not installed.
    pub const EMULATOR_MISSING: u8 = 5;
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// `@@END pass`, and nothing before it that speaks against it.
    Pass,
    /// `@@END fail`, or a failed test before `@@END pass`.
    Fail,
    /// No verdict came in time.
    TimeOut,
    /// A panic, a fault, or an emulator that ended by itself without a verdict.
    Crash,
    /// There is no such emulator on this machine.
    EmulatorMissing,
}

impl Outcome {
    /// The exit code of a program that reports this outcome: see [`exit`].
    #[must_use]
    pub const fn exit_code(self) -> u8 {
        match self {
            Self::Pass => exit::PASS,
            Self::Fail => exit::FAIL,
            Self::TimeOut => exit::TIME_OUT,
            Self::Crash => exit::CRASH,
            Self::EmulatorMissing => exit::EMULATOR_MISSING,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::TimeOut => "time-out",
            Self::Crash => "crash",
            Self::EmulatorMissing => "emulator missing",
        })
    }
}

/// The last word of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// `@@END pass`
    Pass,
    /// `@@END fail`
    Fail,
    /// `@@END crash`, and any other word.
    Crash,
}

/// One line of the terminal, read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// `@@ text`: for people.
    Text(&'a str),
    /// `@@ASSET index type tt size n crc xxxxxxxx`, without the tag.
    Asset(&'a str),
    /// `@@FRAMES ...`, without the tag.
    Frames(&'a str),
    /// `@@BATTERY machine unit`
    Battery {
        /// Name of the machine.
        machine: &'a str,
        /// What costs are counted in.
        unit: &'a str,
    },
    /// `@@TEST name ok cost`, perhaps with a remark behind it, or `@@TEST name FAIL reason`
    Test {
        /// Name of the test.
        name: &'a str,
        /// Its cost, or why it failed. A cost that the machine cannot measure is `None`.
        result: Result<Option<u64>, &'a str>,
    },
    /// `@@BENCH name cost per`
    Bench {
        /// Name of the benchmark.
        name: &'a str,
        /// Its cost; `None` when the machine cannot measure it.
        cost: Option<u64>,
        /// What was counted, for example "per call".
        per: &'a str,
    },
    /// `@@PANIC message`
    Panic(&'a str),
    /// `@@FAULT cause=... epc=...`
    Fault(&'a str),
    /// `@@END word`
    End(End),
    /// A tag that is none of these, or one whose rest cannot be read.
    Unknown(&'a str),
    /// A line without tag: the emulator's own.
    Noise(&'a str),
}

/// Read one line. White space at its end does not count.
#[must_use]
pub fn parse(line: &str) -> Line<'_> {
    let line = line.trim_end();
    let Some(tagged) = line.strip_prefix("@@") else {
        return Line::Noise(line);
    };
    let (tag, rest) = cut(tagged);
    match tag {
        "" => Line::Text(rest),
        "ASSET" => Line::Asset(rest),
        "FRAMES" => Line::Frames(rest),
        "BATTERY" => {
            let (machine, unit) = cut(rest);
            Line::Battery { machine, unit }
        }
        "TEST" => test(rest).unwrap_or(Line::Unknown(line)),
        "BENCH" => {
            let (name, rest) = cut(rest);
            let (cost, per) = cut(rest);
            match number(cost) {
                Some(cost) => Line::Bench { name, cost, per },
                None => Line::Unknown(line),
            }
        }
        "PANIC" => Line::Panic(rest),
        "FAULT" => Line::Fault(rest),
        "END" => Line::End(match rest {
            "pass" => End::Pass,
            "fail" => End::Fail,
            _ => End::Crash,
        }),
        _ => Line::Unknown(line),
    }
}

fn test(rest: &str) -> Option<Line<'_>> {
    let (name, rest) = cut(rest);
    let (word, rest) = cut(rest);
    let result = match word {
        "ok" => Ok(number(cut(rest).0)?),
        "FAIL" => Err(rest),
        _ => return None,
    };
    Some(Line::Test { name, result })
}

/// The first word, and the rest without the space between.
fn cut(text: &str) -> (&str, &str) {
    text.split_once(' ').unwrap_or((text, ""))
}

/// A cost: a number, or `-` for "cannot be measured here". `None`: neither.
#[expect(
    clippy::option_option,
    reason = "`-` and garbage are different answers"
)]
fn number(text: &str) -> Option<Option<u64>> {
    if text == "-" {
        return Some(None);
    }
    text.parse().ok().map(Some)
}

/// Follows the lines of one run.
#[derive(Clone, Debug, Default)]
pub struct Judge {
    end: Option<End>,
    crash: Option<String>,
    failed: Option<String>,
    starts: u32,
    text: Option<String>,
    last: Option<String>,
}

impl Judge {
    /// Take the next line.
    pub fn line(&mut self, line: &str) {
        let parsed = parse(line);
        if !matches!(parsed, Line::Noise(_) | Line::End(_)) {
            self.last = Some(line.trim_end().to_owned());
        }
        match parsed {
            Line::Panic(what) => {
                self.crash.get_or_insert_with(|| format!("panic: {what}"));
            }
            Line::Fault(what) => {
                self.crash.get_or_insert_with(|| format!("fault: {what}"));
            }
            Line::Test {
                name,
                result: Err(why),
            } => {
                self.failed.get_or_insert_with(|| format!("{name}: {why}"));
            }
            Line::Unknown(what) if what.starts_with("@@TEST") => {
                self.failed
                    .get_or_insert_with(|| format!("unreadable line: {what}"));
            }
            Line::Battery { .. } => self.starts += 1,
            Line::Text(text) => self.text = Some(text.to_owned()),
            Line::End(end) => {
                self.end.get_or_insert(end);
            }
            _ => {}
        }
    }

    /// A panic or a fault was seen: only register lines and `@@END` can follow.
    #[must_use]
    pub fn crashed(&self) -> bool {
        self.crash.is_some()
    }

    /// `@@END` was seen: nothing more will come.
    #[must_use]
    pub fn ended(&self) -> bool {
        self.end.is_some()
    }

    /// How often a battery began after the first time: the target restarts.
    #[must_use]
    pub fn restarts(&self) -> u32 {
        self.starts.saturating_sub(1)
    }

    /// The outcome so far and the reason in words; `None` while there is no verdict.
    #[must_use]
    pub fn outcome(&self) -> Option<(Outcome, String)> {
        if let Some(what) = &self.crash {
            return Some((Outcome::Crash, what.clone()));
        }
        let end = self.end?;
        let last = || self.text.clone().unwrap_or_default();
        Some(match (end, &self.failed) {
            // What went wrong stands in the line before.
            (End::Crash, _) => match &self.last {
                Some(last) => (Outcome::Crash, format!("the program gave up after: {last}")),
                None => (
                    Outcome::Crash,
                    "the program gave up without a word".to_owned(),
                ),
            },
            (_, Some(what)) => (Outcome::Fail, what.clone()),
            (End::Fail, None) => (Outcome::Fail, last()),
            (End::Pass, None) => (Outcome::Pass, String::new()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crash_without_a_report_repeats_the_line_before() {
        let mut judge = Judge::default();
        judge.line("@@ROM boot SLUS_999.99;1");
        judge.line("@@ROM SLUS_999.99;1: not on the disc\r");
        judge.line("[MEM] the emulator's own");
        judge.line("@@END crash");
        let reason = "the program gave up after: @@ROM SLUS_999.99;1: not on the disc";
        assert_eq!(judge.outcome(), Some((Outcome::Crash, reason.to_owned())));
        let mut silent = Judge::default();
        silent.line("@@END crash");
        let reason = "the program gave up without a word";
        assert_eq!(silent.outcome(), Some((Outcome::Crash, reason.to_owned())));
    }

    #[test]
    fn every_tag_is_read() {
        assert_eq!(parse("@@ hello there\r"), Line::Text("hello there"));
        assert_eq!(
            parse("@@ASSET 0 type 01 size 4640 crc DEADBEEF"),
            Line::Asset("0 type 01 size 4640 crc DEADBEEF")
        );
        assert_eq!(
            parse("@@BATTERY PlayStation cycles"),
            Line::Battery {
                machine: "PlayStation",
                unit: "cycles"
            }
        );
        assert_eq!(
            parse("@@TEST lzs/V1 ok 1234"),
            Line::Test {
                name: "lzs/V1",
                result: Ok(Some(1234))
            }
        );
        assert_eq!(
            parse("@@TEST gte/division ok 7 0 of 9309 differ"),
            Line::Test {
                name: "gte/division",
                result: Ok(Some(7))
            }
        );
        assert_eq!(
            parse("@@TEST lzs/V1 ok 7x 8"),
            Line::Unknown("@@TEST lzs/V1 ok 7x 8")
        );
        assert_eq!(
            parse("@@TEST lzs/V1 ok -"),
            Line::Test {
                name: "lzs/V1",
                result: Ok(None)
            }
        );
        assert_eq!(
            parse("@@TEST lzs/V1 FAIL byte 3: expected 41, found 00"),
            Line::Test {
                name: "lzs/V1",
                result: Err("byte 3: expected 41, found 00")
            }
        );
        assert_eq!(
            parse("@@BENCH gte/rtpt 23 per call"),
            Line::Bench {
                name: "gte/rtpt",
                cost: Some(23),
                per: "per call"
            }
        );
        assert_eq!(parse("@@END pass"), Line::End(End::Pass));
        assert_eq!(parse("@@END perhaps"), Line::End(End::Crash));
        assert_eq!(parse("@@TEST x"), Line::Unknown("@@TEST x"));
        assert_eq!(parse("@@BENCH x y z"), Line::Unknown("@@BENCH x y z"));
        assert_eq!(parse(" @@END pass"), Line::Noise(" @@END pass"));
    }

    fn judged(lines: &[&str]) -> Option<Outcome> {
        let mut judge = Judge::default();
        for line in lines {
            judge.line(line);
        }
        judge.outcome().map(|(outcome, _)| outcome)
    }

    #[test]
    fn the_worst_line_decides() {
        assert_eq!(
            judged(&["@@TEST a ok 1", "@@END pass"]),
            Some(Outcome::Pass)
        );
        assert_eq!(judged(&["@@END fail"]), Some(Outcome::Fail));
        assert_eq!(
            judged(&["@@TEST a FAIL no", "@@END pass"]),
            Some(Outcome::Fail)
        );
        assert_eq!(judged(&["@@TEST a", "@@END pass"]), Some(Outcome::Fail));
        assert_eq!(
            judged(&["@@PANIC at x.rs:1", "@@END pass"]),
            Some(Outcome::Crash)
        );
        assert_eq!(judged(&["@@FAULT cause=AdEL"]), Some(Outcome::Crash));
        assert_eq!(judged(&["@@END crash"]), Some(Outcome::Crash));
        assert_eq!(judged(&["@@END pass", "@@END fail"]), Some(Outcome::Pass));
        assert_eq!(judged(&["@@ still at it"]), None);
    }

    #[test]
    fn exit_codes_are_distinct() {
        let codes = [
            Outcome::Pass,
            Outcome::Fail,
            Outcome::TimeOut,
            Outcome::Crash,
            Outcome::EmulatorMissing,
        ]
        .map(Outcome::exit_code);
        assert_eq!(codes, [0, 1, 3, 4, 5]);
    }
}
