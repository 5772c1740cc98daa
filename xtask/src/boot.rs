//! A program of ours or a disc on the emulated console, from source to picture.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use overworld_host::drive::ImageDrive;
use overworld_host::identify::count;
use overworld_tests::emulator::Report;
use overworld_tests::faults::{self, Fault};
use overworld_tests::mednafen::Mednafen;
use overworld_tests::picture::Moment;
use overworld_tests::verdict::{Outcome, exit};
use overworld_tests::{complain, say};

use crate::build::{self, Detail};
use crate::sample;
use crate::toolchain::setup::{self, Needs};
use crate::usage::Usage;
use crate::workspace::{self, Workspace};

/// What to boot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Program<'a> {
    name: &'a str,
    fault: Option<Fault>,
}

/// The program that goes wrong on purpose.
const FAULTS: &str = "faults";

impl<'a> Program<'a> {
    /// The program `name`; `fault` is what [`FAULTS`] shall do wrong.
    ///
    /// # Errors
    /// [`Usage`]: there is no such fault, or the program has none to choose.
    pub fn new(name: &'a str, fault: Option<&str>) -> Result<Self> {
        let Some(word) = fault else {
            return Ok(Self { name, fault: None });
        };
        if name != FAULTS {
            bail!(Usage(format!(
                "--fault goes with --exe {FAULTS}: {name} does nothing wrong on purpose"
            )));
        }
        let fault = faults::FAULTS.into_iter().find(|fault| fault.word == word);
        match fault {
            Some(fault) => Ok(Self {
                name,
                fault: Some(fault),
            }),
            None => bail!(Usage(format!(
                "there is no fault \"{word}\"; there are {}",
                faults::FAULTS.map(|fault| fault.word).join(", ")
            ))),
        }
    }

    /// The name of its picture and of its disc.
    fn title(&self) -> String {
        match self.fault {
            Some(fault) => format!("{}-{}", self.name, fault.word),
            None => self.name.to_owned(),
        }
    }

    /// The PS-EXE to put on the disc: the one that was built, or a copy with the fault chosen.
    fn image(&self, workspace: &Workspace, built: &Path) -> Result<PathBuf> {
        let Some(fault) = self.fault else {
            return Ok(built.to_owned());
        };
        let exe = fs::read(built).with_context(|| format!("cannot read {}", built.display()))?;
        let exe = fault
            .image(&exe)
            .with_context(|| format!("{} has no place for a choice", built.display()))?;
        let file = workspace.image(&format!("{}.exe", self.title()));
        workspace::write(&file, &exe)?;
        Ok(file)
    }
}

/// What the console starts from.
#[derive(Clone, Copy, Debug)]
pub enum Source<'a> {
    /// A program of ours, on the sample disc.
    Program(Program<'a>),
    /// The cue sheet of a disc that is there already.
    Disc(&'a Path),
}

impl Source<'_> {
    /// Before anything is built: whether it can be booted.
    ///
    /// # Errors
    /// [`Usage`]: there is no such program, or no such disc.
    fn check(&self, workspace: &Workspace) -> Result<()> {
        match self {
            Self::Program(program) => build::check_bootable(workspace, program.name),
            Self::Disc(sheet) => {
                // The emulator's own words about a sheet are hard to find.
                match ImageDrive::open(sheet) {
                    Ok(_) => Ok(()),
                    Err(error) => bail!(Usage(error.to_string())),
                }
            }
        }
    }

    /// The name of its picture.
    fn title(&self) -> String {
        match self {
            Self::Program(program) => program.title(),
            Self::Disc(_) => "disc".to_owned(),
        }
    }
}

/// Build, run and picture; the status is the run's.
///
/// # Errors
/// Something is missing or does not build, or the emulator cannot be started.
pub fn run(
    workspace: &Workspace,
    source: &Source<'_>,
    frame: Option<u64>,
    time_out: Duration,
) -> Result<ExitCode> {
    source.check(workspace)?;
    say!("==> looking for compiler, linker and emulator");
    let survey = setup::ensure(Needs::BOOT)?;
    let mut names = vec![build::ROM.to_owned()];
    match source {
        Source::Program(Program { name, .. }) => {
            say!("==> building the boot ROM and the program {name}");
            names.push((*name).to_owned());
        }
        Source::Disc(_) => say!("==> building the boot ROM"),
    }
    let images = build::images(workspace, &survey, &names, Detail::Line)?;
    images.complete()?;
    let file = |name: &str| {
        let image = images.done.iter().find(|image| image.name == name);
        image
            .map(|image| image.file.clone())
            .with_context(|| format!("{name} was not built"))
    };
    let rom = file(build::ROM)?;
    let title = source.title();
    let disc = match source {
        Source::Program(program) => {
            let exe = program.image(workspace, &file(program.name)?)?;
            say!("==> writing the disc, with {title} as the program it boots");
            sample::write(workspace, &title, &exe)?
        }
        Source::Disc(sheet) => sheet
            .canonicalize()
            .with_context(|| sheet.display().to_string())?,
    };
    say!("{}", workspace.short(&disc));

    say!(
        "==> starting the emulated PlayStation, for at most {} s",
        time_out.as_secs()
    );
    let mut emulator = Mednafen::new(rom)
        .disc(disc)
        .picture(frame.map_or(Moment::Last, Moment::Frame))
        .time_out(time_out);
    if let Some(program) = survey.mednafen.path() {
        emulator = emulator.program(program);
    }
    let file = workspace.image(&format!("{title}.png"));
    // A picture of an earlier run must not pass for one of this run.
    match fs::remove_file(&file) {
        // Another run beside this one may just have done it.
        Err(error) if error.kind() != ErrorKind::NotFound => {
            return Err(error).with_context(|| format!("cannot remove {}", file.display()));
        }
        _ => {}
    }
    let report = emulator.run(|line| {
        if line.starts_with("@@") {
            say!("{line}");
        }
        if let Some(speed) = speed(line) {
            say!("==> {speed}");
        }
    })?;

    // The program's lines have just gone by.
    for line in report.emulator_lines() {
        say!("  | {line}");
    }
    if report.pictures.is_empty() {
        say!("there is no picture");
    }
    say!("==> {}", report.summary());
    if let (Source::Disc(_), Some(hint)) = (source, hint(&report)) {
        complain!("xtask: {hint}");
    }
    // A fault may hang on purpose.
    let may_hang = matches!(source, Source::Program(program) if program.fault.is_some());
    if let (false, Some(advice)) = (may_hang, patience(report.outcome)) {
        complain!("xtask: {advice}");
    }
    let mut status = report.outcome.exit_code();
    if let Source::Program(Program {
        fault: Some(fault), ..
    }) = source
    {
        match fault.check(&report) {
            Ok(()) => say!(
                "==> this is how the fault {} must end; exit status {status}, as for any program that ends so",
                fault.word
            ),
            Err(_) => {
                complain!("xtask: this is not how the fault {} must end", fault.word);
                // A fault that passes by mistake is a failure.
                status = status.max(exit::FAIL);
            }
        }
    }
    if let Some(picture) = report.pictures.first() {
        workspace::write(&file, &picture.encode()?)?;
        say!(
            "{}: the picture, {} by {}, {}",
            workspace.short(&file),
            picture.width,
            picture.height,
            count(picture.colours(), "colour")
        );
    }
    Ok(ExitCode::from(status))
}

/// What to do about a disc of one's own that the boot ROM could not start from.
fn hint(report: &Report) -> Option<&'static str> {
    let missing = |line: &String| line.starts_with("@@ROM ") && line.ends_with(": not on the disc");
    report.lines.iter().any(missing).then_some(
        "the disc lacks the program it is to boot; put one on it with `cargo run -- disc build WORLD -o OUT.cue --exe target/overworld/demo.exe`",
    )
}

/// What to do about a run without a verdict: the limit is one of the clock on the wall.
pub fn patience(outcome: Outcome) -> Option<&'static str> {
    (outcome == Outcome::TimeOut).then_some(
        "a program that goes on may only need more time, on a busy machine above all: --time-out S",
    )
}

/// What `@@FRAMES 300 pictures 150 vblanks 301 cycles 272556 hash 58061796` means to a person.
fn speed(line: &str) -> Option<String> {
    // NTSC, progressive (HAL sheet, section 5.1), and the cycles between two vertical blanks there.
    const RATE: f64 = 59.826;
    const FIELD: f64 = 33_868_800.0 / RATE;

    let words: Vec<&str> = line.strip_prefix("@@FRAMES ")?.split_whitespace().collect();
    let number = |name: &str| {
        let at = words.iter().position(|word| *word == name)?;
        words.get(at + 1)?.parse::<f64>().ok()
    };
    let frames = words.first()?.parse::<f64>().ok()?;
    let (pictures, vblanks, cycles) = (number("pictures")?, number("vblanks")?, number("cycles")?);
    let rate = |count: f64| count * RATE / vblanks.max(1.0);
    let shown = match frames == pictures {
        true => String::new(),
        false => format!(", of which {:.1} are shown", rate(pictures)),
    };
    Some(format!(
        "{:.1} frames a second{shown}; the work of a picture takes {:.0} % of the time between two vertical blanks",
        rate(frames),
        100.0 * cycles / FIELD
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_chosen_for_the_program_that_has_some() {
        let plain = Program::new("demo", None).unwrap();
        assert_eq!(plain.title(), "demo");
        let fault = Program::new("faults", Some("panic")).unwrap();
        assert_eq!(fault.title(), "faults-panic");
        for (name, fault, said) in [
            ("demo", "panic", "--exe faults"),
            (
                "faults",
                "panick",
                "there are none, unknown-call, exit, panic,",
            ),
        ] {
            let error = Program::new(name, Some(fault)).unwrap_err();
            assert!(
                error.is::<Usage>() && error.to_string().contains(said),
                "{error}"
            );
        }
    }

    #[test]
    fn a_disc_without_its_program_gets_advice() {
        let mut report = Report::missing(String::new());
        report.lines = vec!["@@ROM boot SLUS_999.99;1".to_owned()];
        assert_eq!(hint(&report), None);
        let line = "@@ROM SLUS_999.99;1: not on the disc".to_owned();
        report.lines.push(line);
        assert!(hint(&report).unwrap().contains("--exe"));
    }

    #[test]
    fn a_time_out_gets_advice() {
        assert!(patience(Outcome::TimeOut).unwrap().contains("--time-out"));
        for outcome in [Outcome::Pass, Outcome::Fail, Outcome::Crash] {
            assert_eq!(patience(outcome), None);
        }
    }

    #[test]
    fn frames_are_put_into_words() {
        let said =
            speed("@@FRAMES 300 pictures 300 vblanks 600 cycles 283060 hash 58061796").unwrap();
        assert!(said.starts_with("29.9 frames a second"), "{said}");
        assert!(said.contains(" 50 %"), "{said}");
        let said = speed("@@FRAMES 300 pictures 150 vblanks 300 cycles 9 hash 58061796").unwrap();
        let both = "59.8 frames a second, of which 29.9 are shown;";
        assert!(said.starts_with(both), "{said}");
        assert_eq!(speed("@@FRAMES many"), None);
        assert_eq!(speed("@@END pass"), None);
    }
}
