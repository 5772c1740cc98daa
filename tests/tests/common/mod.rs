//! What the tests of the emulated machines share.
#![allow(dead_code, unused_imports)]

pub mod fake;
pub mod played;
pub mod screen;

use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

pub use overworld_tests::artefacts::{images, skip};
use overworld_tests::emulator::Report;
use overworld_tests::verdict::Outcome;

/// How long a program may take on an emulator, on a slow machine.
pub const TIME_OUT: Duration = Duration::from_secs(90);

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
