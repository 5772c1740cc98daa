//! Run the battery on this machine and print its lines.
//!
//! `cargo run -p overworld-tests --bin battery-pc [part of a test's name]`

use std::process::ExitCode;

use overworld_tests::{complain, pc, say};

fn main() -> ExitCode {
    let filter = std::env::args().nth(1).unwrap_or_default();
    let report = pc::run(&filter, |line| say!("{line}"));
    if !report.reason.is_empty() {
        complain!("{}", report.reason);
    }
    report.outcome.exit_code().into()
}
