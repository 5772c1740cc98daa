//! Everything that must hold, on every machine, in one table.

mod beside;
mod names;
pub mod table;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::panic::resume_unwind;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use overworld_tests::artefacts;
use overworld_tests::emulator::Report;
use overworld_tests::mednafen::Mednafen;
use overworld_tests::qemu::Qemu;
use overworld_tests::summary::{Machine, Summary};
use overworld_tests::verdict::{Judge, Outcome};
use overworld_tests::{complain, out, say};

use crate::build::{self, Detail, FIRMWARE_PACKAGE, Image};
use crate::cargo;
use crate::sample;
use crate::toolchain::Survey;
use crate::toolchain::setup::{self, Needs};
use crate::workspace::Workspace;
use table::{Row, Table, result_line};

/// How long one program may run on an emulator.
const TIME_OUT: Duration = Duration::from_secs(120);

/// Names of machines in the table.
const PC: &str = "PC";
const PLAYSTATION: &str = "PlayStation (mednafen)";
const MICROCONTROLLER: &str = "Cortex-M3 (QEMU)";

/// The checks so far.
struct Checks<'a> {
    workspace: &'a Workspace,
    survey: Survey,
    table: Table,
    images: BTreeMap<String, Image>,
}

/// Run everything; `quick` leaves out lints, formatting, builds that no test runs and the run of all short
/// scripts.
///
/// # Errors
/// Something is missing and cannot be installed. Failed checks are no error but status 1.
pub fn run(workspace: &Workspace, quick: bool) -> Result<ExitCode> {
    let began = Instant::now();
    heading("set-up");
    let survey = setup::ensure(if quick {
        Needs {
            clippy: false,
            ..Needs::ALL
        }
    } else {
        Needs::ALL
    })?;
    out::text(format_args!("{}", setup::describe(&survey)));
    let mut checks = Checks {
        workspace,
        survey,
        table: Table::default(),
        images: BTreeMap::new(),
    };
    checks.build();
    let survey = &checks.survey.clone();
    let (built, wait) = mpsc::channel();
    let done = thread::scope(|scope| {
        let beside = move || {
            // Compiling keeps all cores busy, and what the PC's clippy compiles waits for it anyway.
            let _ = wait.recv();
            beside::run(workspace, survey)
        };
        let beside = (!quick).then(|| scope.spawn(beside));
        // The sender is dropped with the call, so the thread goes on even where no test was built.
        checks.unit_tests(built);
        beside.map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
    });
    checks.beside(done.unwrap_or_default());
    // Nothing runs beside them: the PC's costs are times.
    let summary = checks.batteries();
    if !quick {
        checks.names(&summary);
    }

    let (passed, failed) = checks.table.counts();
    heading("summary");
    out::text(format_args!("{}", checks.table));
    say!("took {:.0} s", began.elapsed().as_secs_f32());
    say!("{passed} passed, {failed} failed");
    Ok(if checks.table.good() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn heading(text: &str) {
    say!("==> {text}");
}

impl Checks<'_> {
    fn add(
        &mut self,
        (what, machine): (&str, &str),
        (passed, failed): (usize, usize),
        began: Instant,
        reason: impl ToString,
    ) {
        self.table.add(Row {
            what: what.to_owned(),
            machine: machine.to_owned(),
            passed,
            failed,
            unit: String::new(),
            time: began.elapsed(),
            reason: reason.to_string(),
        });
    }

    /// Add a line, and say why the check failed if it did.
    fn row(&mut self, row: Row) {
        if row.failed > 0 {
            complain!("xtask: {}", row.reason);
        }
        self.table.add(row);
    }

    /// Add a check that either holds or does not.
    fn verdict(&mut self, what: &str, machine: &str, began: Instant, result: Result<()>) {
        self.row(Row::of(what, machine, began, &result));
    }

    fn image(&self, name: &str) -> Result<&Path> {
        let image = self
            .images
            .get(name)
            .ok_or_else(|| anyhow!("{name} was not built"))?;
        Ok(&image.file)
    }

    fn build(&mut self) {
        heading("building the images, checking each for instruction hazards");
        let began = Instant::now();
        let what = ("images, free of hazards", "PlayStation, Cortex-M3");
        match build::images(self.workspace, &self.survey, &[], Detail::Line) {
            Ok(images) => {
                let reason = images.complete().err().map(|error| error.to_string());
                let counts = (images.done.len(), images.failed.len());
                self.add(what, counts, began, reason.unwrap_or_default());
                let named = images.done.into_iter();
                self.images = named.map(|image| (image.name.clone(), image)).collect();
            }
            Err(error) => return self.verdict(what.0, what.1, began, Err(error)),
        }
        for (name, what) in sample::DISCS {
            let began = Instant::now();
            let disc = self
                .image(name)
                .and_then(|program| sample::write(self.workspace, name, program));
            self.verdict(what, PC, began, disc.map(|_| ()));
        }
    }

    /// Run the PC's tests, and say so to `built` when all are built.
    fn unit_tests(&mut self, built: Sender<()>) {
        heading("unit, property and integration tests");
        let began = Instant::now();
        let mut command = cargo::host(
            self.workspace,
            &[
                "test",
                "--workspace",
                "--exclude",
                FIRMWARE_PACKAGE,
                "--no-fail-fast",
            ],
        );
        // The tests of the emulator runner use the images; here they must not be skipped.
        command.env(artefacts::FOLDER_VARIABLE, self.workspace.images());
        command.env(artefacts::REQUIRE_VARIABLE, "1");
        let mut counts = (0, 0);
        let status = cargo::follow(&mut command, |line| {
            // Cargo itself prints nothing here: this is the first test program's line.
            let _ = built.send(());
            if let Some((passed, failed)) = result_line(&cargo::uncoloured(line)) {
                counts = (counts.0 + passed, counts.1 + failed);
            }
            true
        });
        let reason = match status {
            Ok(status) if status.success() => String::new(),
            Ok(status) => {
                // A test program that does not build or dies has no result line.
                if counts.1 == 0 {
                    counts.1 = 1;
                }
                format!("cargo test ended with {status}")
            }
            Err(error) => {
                counts.1 += 1;
                format!("{error:#}")
            }
        };
        self.add(("unit, property, integration", PC), counts, began, reason);
    }

    fn batteries(&mut self) -> Summary {
        let mut summary = Summary::default();
        heading("battery on the PC");
        let report = pc_battery(self.workspace);
        self.battery(&mut summary, PC, report);
        heading("battery on the emulated PlayStation");
        let report = self.image("battery").and_then(|exe| self.console(exe));
        self.battery(&mut summary, PLAYSTATION, report);
        heading("battery on the emulated Cortex-M3");
        let report = self.image("cortex-m3").and_then(|elf| {
            let mut qemu = Qemu::new(elf).time_out(TIME_OUT);
            if let Some(program) = self.survey.qemu.path() {
                qemu = qemu.program(program);
            }
            Ok(qemu.run(show)?)
        });
        self.battery(&mut summary, MICROCONTROLLER, report);
        heading("batteries side by side");
        out::text(format_args!("{summary}"));
        let began = Instant::now();
        let uneven = summary.uneven();
        let ran = summary.machines().len();
        let result = if ran < 3 {
            Err(anyhow!("only {ran} of the three machines ran it"))
        } else if uneven.is_empty() {
            Ok(())
        } else {
            Err(anyhow!("not every machine ran {}", uneven.join(", ")))
        };
        self.verdict(
            "every battery has the same tests",
            "all three",
            began,
            result,
        );
        summary
    }

    /// What is measured on the console is measured under the same name on the PC.
    fn names(&mut self, summary: &Summary) {
        heading("names of the benchmarks");
        let began = Instant::now();
        let machines = summary.machines().iter();
        let benches = machines.flat_map(|machine| &machine.benches);
        let battery: Vec<&str> = benches.map(|(name, _, _)| name.as_str()).collect();
        let result = names::compare(self.workspace, &battery);
        self.verdict("benchmarks have the same names", PC, began, result);
    }

    fn battery(&mut self, summary: &mut Summary, name: &str, report: Result<Report>) {
        let began = Instant::now();
        let report = match report {
            Ok(report) => report,
            Err(error) => return self.verdict("battery", name, began, Err(error)),
        };
        let machine = Machine::new(name, &report);
        let (passed, mut failed) = machine.counts();
        if machine.outcome != Outcome::Pass {
            say!("{report}");
            failed = failed.max(1);
        }
        self.table.add(Row {
            what: "battery".to_owned(),
            machine: name.to_owned(),
            passed,
            failed,
            unit: machine.unit.clone(),
            time: report.elapsed,
            reason: format!("{}: {}", machine.outcome, machine.reason),
        });
        summary.add(name, &report);
    }

    /// Run a PS-EXE on the emulated console, the sample disc in the drive.
    fn console(&self, exe: &Path) -> Result<Report> {
        let mut emulator = Mednafen::new(self.image("bootrom")?)
            .exe(exe)
            .disc(self.workspace.image(artefacts::DISC_CUE))
            .time_out(TIME_OUT);
        if let Some(program) = self.survey.mednafen.path() {
            emulator = emulator.program(program);
        }
        Ok(emulator.run(show)?)
    }

    /// What was checked meanwhile.
    fn beside(&mut self, done: Vec<beside::Done>) {
        if !done.is_empty() {
            heading(
                "checked meanwhile: formatting, lints, short scripts, further microcontrollers",
            );
        }
        for beside::Done { row, messages } in done {
            say!("{}, {}", row.what, row.machine);
            let _ = std::io::stderr().lock().write_all(&messages);
            self.row(row);
        }
    }
}

/// Print a program's own lines.
fn show(line: &str) {
    if line.starts_with("@@") {
        say!("{line}");
    }
}

/// How cargo is told to run a program of the tests. All have the same dependencies, which are built once.
const fn optimised(program: &str) -> [&str; 6] {
    let package = "overworld-tests";
    ["run", "--release", "--package", package, "--bin", program]
}

/// The battery on this machine, optimised: its costs are times.
fn pc_battery(workspace: &Workspace) -> Result<Report> {
    let mut command: Command = cargo::host(workspace, &optimised("battery-pc"));
    let (mut judge, mut lines) = (Judge::default(), Vec::new());
    let mut began = Instant::now();
    let status = cargo::follow(&mut command, |line| {
        // The time before the first line is the compiler's.
        if lines.is_empty() {
            began = Instant::now();
        }
        judge.line(line);
        lines.push(line.to_owned());
        line.starts_with("@@")
    })?;
    let died = || {
        (
            Outcome::Crash,
            format!("it ended ({status}) without a verdict"),
        )
    };
    let (outcome, reason) = judge.outcome().unwrap_or_else(died);
    Ok(Report {
        outcome,
        reason,
        lines,
        elapsed: began.elapsed(),
        ..Report::missing(String::new())
    })
}
