//! Command line: what can be called, how results and failures are printed.

mod disc;
mod run;
mod terminal;
mod world;

use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Field engine of PS1-era role-playing games: plays worlds, builds and reads their discs.
///
/// With no arguments the sample world is played.
#[derive(Parser)]
#[command(
    name = "overworld",
    version,
    after_help = "Exit status: 0 fine, 1 bad input or a failed check, 2 wrong command line."
)]
pub struct Cli {
    /// Print one JSON document and nothing else on standard output
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Play a world on the PC
    Run(run::Run),
    /// Build and read disc images
    #[command(subcommand)]
    Disc(disc::Disc),
    /// Write the sources of worlds
    #[command(subcommand)]
    World(world::World),
}

/// Why a command failed: one sentence for people.
#[derive(Debug)]
struct Failure(String);

impl Failure {
    /// A failure about something with a name.
    fn of(name: impl Display, error: impl Display) -> Self {
        Self(format!("{name}: {error}"))
    }
}

/// Standard output, whose reader may leave early.
struct Output {
    json: bool,
}

impl Output {
    /// One line for people; nothing in JSON mode.
    fn say(&self, text: impl Display) -> Result<(), Failure> {
        if self.json { Ok(()) } else { line(text) }
    }

    /// The JSON document; nothing otherwise.
    fn document(&self, value: &serde_json::Value) -> Result<(), Failure> {
        if self.json { line(value) } else { Ok(()) }
    }
}

/// Print a line. A reader that has gone away ends the program, quietly and well.
fn line(text: impl Display) -> Result<(), Failure> {
    match writeln!(io::stdout(), "{text}") {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => std::process::exit(0),
        Err(error) => Err(Failure::of("standard output", error)),
    }
}

impl Cli {
    /// Do it.
    pub fn execute(self) -> ExitCode {
        let output = Output { json: self.json };
        let command = self
            .command
            .unwrap_or_else(|| Command::Run(run::Run::default()));
        let result = match command {
            Command::Run(command) => command.execute(&output),
            Command::Disc(command) => command.execute(&output),
            Command::World(command) => command.execute(&output),
        };
        match result {
            Ok(()) => ExitCode::SUCCESS,
            Err(Failure(text)) => {
                // Standard error may be closed; the status still tells.
                let _ = writeln!(io::stderr(), "overworld: {text}");
                ExitCode::FAILURE
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }
}
