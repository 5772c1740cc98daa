//! The `overworld` command-line tool.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    overworld_host::signals::install();
    match cli::Cli::read() {
        Ok(cli) => cli.execute(),
        Err(status) => status,
    }
}
