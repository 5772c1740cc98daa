//! What the tests of the emulated machines share.
#![allow(dead_code)]

pub mod fake;
pub mod played;
pub mod screen;

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use overworld_tests::artefacts;
use overworld_tests::emulator::Report;
use overworld_tests::verdict::Outcome;

/// How long a program may take on an emulator, on a slow machine.
pub const TIME_OUT: Duration = Duration::from_secs(90);

/// Paths of built images, or `None` after a line that says why the test is skipped.
///
/// With `OVERWORLD_REQUIRE=1` nothing is skipped: a missing image is a failure.
pub fn images<const N: usize>(names: [&str; N]) -> Option<[PathBuf; N]> {
    let mut paths = Vec::new();
    for name in names {
        match artefacts::find(name) {
            Ok(path) => paths.push(path),
            Err(why) => return skip(&why),
        }
    }
    paths.try_into().ok()
}

/// Say why a test is skipped, or fail if it must not be.
pub fn skip<T>(why: &str) -> Option<T> {
    assert!(!artefacts::required(), "{why}");
    // Not `eprintln!`, which a test that passes does not show.
    let _ = writeln!(std::io::stderr(), "skipped: {why}");
    None
}

/// The report, or `None` if the emulator is not installed.
pub fn installed(report: Report) -> Option<Report> {
    if report.outcome == Outcome::EmulatorMissing {
        return skip(&report.reason);
    }
    Some(report)
}

/// One emulator at a time in a test program: the tests measure emulated time, and a machine
/// with two cores has other work.
pub fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Send a process a signal; whether it was there. The shell's own command: not every machine has a program for it.
pub fn kill(signal: &str, process: &str) -> bool {
    let command = format!("kill {signal} {process}");
    let shell = std::process::Command::new("sh")
        .args(["-c", &command])
        .status();
    shell.unwrap().success()
}
