//! An emulated microcontroller board: QEMU's `mps2-an385` (Cortex-M3) with semihosting.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use crate::emulator::{self, Error, Limits, Report, need};
use crate::process;

/// Environment variable with the path of the emulator.
pub const PROGRAM_VARIABLE: &str = "OVERWORLD_QEMU_ARM";

/// Where it is looked for besides `PATH`.
pub const FOLDERS: [&str; 1] = ["/usr/local/bin"];

/// The board, without screen and ports, and virtual time that goes with the instructions.
#[rustfmt::skip]
pub const ARGUMENTS: [&str; 9] = [
    "-M", "mps2-an385", "-nographic", "-monitor", "none", "-serial", "none", "-icount", "shift=7",
];

/// A run on the emulated board, to be described and then started.
///
/// The virtual clock advances 128 ns an instruction (`-icount shift=7`), so that the board's
/// timer counts instructions and every run counts the same.
#[derive(Clone, Debug)]
pub struct Qemu {
    program: Option<PathBuf>,
    elf: PathBuf,
    argument: Option<String>,
    limits: Limits,
}

impl Qemu {
    /// With this firmware (an ELF file).
    #[must_use]
    pub fn new(elf: impl Into<PathBuf>) -> Self {
        Self {
            program: None,
            elf: elf.into(),
            argument: None,
            limits: Limits::default(),
        }
    }

    /// Use this emulator instead of the one in `OVERWORLD_QEMU_ARM` or in `PATH`.
    #[must_use]
    pub fn program(mut self, path: impl Into<PathBuf>) -> Self {
        self.program = Some(path.into());
        self
    }

    /// Hand the firmware an argument: a part of a test's name, or a way to go wrong.
    #[must_use]
    pub fn argument(mut self, argument: impl Into<String>) -> Self {
        self.argument = Some(argument.into());
        self
    }

    /// End after this time.
    #[must_use]
    pub fn time_out(mut self, time: Duration) -> Self {
        self.limits.time_out = time;
        self
    }

    /// All limits at once.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Run to the verdict, the time-out or the emulator's end. `on_line` sees every line as it
    /// comes.
    ///
    /// # Errors
    /// The firmware is missing, or the operating system refuses something. A missing emulator
    /// is an outcome, not an error.
    pub fn run(&self, mut on_line: impl FnMut(&str)) -> Result<Report, Error> {
        let elf = need("firmware", &self.elf)?;
        let Some(program) = program(self.program.as_deref()) else {
            return Ok(Report::missing(
                "no `qemu-system-arm` in PATH; install it (Debian: apt-get install \
                 qemu-system-arm), or set OVERWORLD_QEMU_ARM to its path"
                    .to_owned(),
            ));
        };
        let mut command = process::command(&program, true);
        command
            .stdin(Stdio::null())
            .args(ARGUMENTS)
            .arg("-semihosting-config")
            .arg(semihosting(self.argument.as_deref()))
            .arg("-kernel")
            .arg(elf);
        let report = emulator::watch(command, &self.limits, &mut on_line);
        process::take_interrupt();
        report
    }
}

/// The first argument is the program's name, as everywhere.
fn semihosting(argument: Option<&str>) -> String {
    let mut text = "enable=on,target=native".to_owned();
    if let Some(argument) = argument {
        // A comma would end the value; doubled it stands for itself.
        text += ",arg=firmware,arg=";
        text += &argument.replace(',', ",,");
    }
    text
}

/// The emulator that a run without [`Qemu::program`] starts.
#[must_use]
pub fn program(given: Option<&Path>) -> Option<PathBuf> {
    process::chosen(given, PROGRAM_VARIABLE, "qemu-system-arm", &FOLDERS)
}
