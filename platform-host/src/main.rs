//! The `overworld` command-line tool.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    match cli::Cli::read() {
        Ok(cli) => cli.execute(),
        Err(status) => status,
    }
}
