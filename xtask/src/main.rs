//! `cargo xtask`: sets up, builds, boots and tests Overworld.
//!
//! * [`toolchain`]: which compiler, linker and emulators there are, and how to get the rest.
//! * [`cargo`]: the environment of the cargos that build for other machines.
//! * [`build`], [`hazards`], [`pack`], [`size`]: from source to a checked and measured image.
//! * [`boot`]: the demo on the emulated console.
//! * [`check`]: everything that must hold, in one table.

mod boot;
mod build;
mod cargo;
mod check;
mod hazards;
mod pack;
mod run;
mod sample;
mod size;
mod toolchain;
mod usage;
mod workspace;

#[cfg(test)]
mod handmade;

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::{Args, Parser, Subcommand};

use build::Detail;
use overworld_tests::{complain, faults, out, say};
use overworld_tests::{emulator, verdict::exit};
use toolchain::probe::{Machine, System};
use toolchain::setup::{self, Needs};
use usage::Usage;
use workspace::Workspace;

/// Sets up, builds, boots and tests Overworld.
///
/// Finished images lie in the workspace's `target/overworld/`, wherever cargo's target folder is, or
/// in the folder that OVERWORLD_ARTEFACTS names. Every command installs what it lacks on Debian as
/// root, and says which commands do it elsewhere.
///
/// Exit status: 0 all is well, 1 something failed or the frame of the picture does not exist, 2 the
/// command line is wrong, and from `boot` and `run` also 3 no verdict in time, 4 the program crashed, 5 the
/// emulator is missing.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Find compiler, linker and emulators; install what is missing.
    Setup,
    /// Build the programs of the console and the microcontroller, check and pack them.
    Build(Build),
    /// Build the demo and its disc, run it on the emulated console, take a picture; or boot a disc of
    /// your own.
    Boot(Boot),
    /// Run a linked program of the console on its emulator: what `cargo run --target mipsel-sony-psx` calls.
    Run(Run),
    /// Run every test and every check, and sum them up in one table.
    Test(Test),
    /// Search linked console programs for instruction hazards.
    Hazards(Files),
    /// Measure linked programs: sections, largest symbols, instruction cache.
    Size(Size),
}

#[derive(Args)]
struct Build {
    /// Build these programs only (by the name of the binary, such as `demo`).
    #[arg(long, value_name = "NAME", num_args = 1..)]
    only: Vec<String>,
}

#[derive(Args)]
struct Boot {
    /// Put this program on the disc instead of the demo.
    #[arg(long, value_name = "NAME", default_value = "demo")]
    exe: String,
    /// Boot this disc (a .cue file), with whatever program it has, instead of writing one.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["exe", "fault"])]
    disc: Option<PathBuf>,
    /// What the program `faults` does wrong; without it, it tests what lies below every program.
    ///
    /// The exit status tells how the program ended, here as for every program: 4 after a crash, 1 after
    /// `exit`, 3 after `hang`, also when the line "this is how the fault ... must end" says that it was
    /// meant so. A fault that does not end as it must never gives 0.
    #[arg(long, value_name = "FAULT", value_parser = faults::FAULTS.map(|fault| fault.word))]
    fault: Option<String>,
    /// Take the picture of this frame, counted from power-on, instead of the last one.
    #[arg(long, value_name = "N")]
    frame: Option<u64>,
    /// Give up after so many seconds.
    #[arg(long, value_name = "S", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    time_out: u64,
}

#[derive(Args)]
struct Run {
    /// The linked ELF file, such as `target/overworld/demo.elf`.
    #[arg(value_name = "IMAGE.elf")]
    file: PathBuf,
    /// Give up after so many seconds.
    #[arg(long, value_name = "S", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    time_out: u64,
}

#[derive(Args)]
struct Test {
    /// Tests alone: no lints, no formatting, no builds for further microcontrollers, and only a sample of the short scripts.
    #[arg(long)]
    quick: bool,
}

#[derive(Args)]
struct Files {
    /// Linked ELF files, such as `target/overworld/demo.elf`.
    #[arg(value_name = "IMAGE.elf", required = true)]
    files: Vec<PathBuf>,
}

#[derive(Args)]
struct Size {
    #[command(flatten)]
    files: Files,
    /// Count functions whose name contains this text as hot, instead of the usual ones.
    #[arg(long, value_name = "TEXT")]
    hot: Vec<String>,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(&cli.command) {
        Ok(code) => code,
        Err(error) => {
            complain!("xtask: {error:#}");
            ExitCode::from(status(&error))
        }
    }
}

/// The exit status for an error (see [`exit`]).
fn status(error: &anyhow::Error) -> u8 {
    if error.is::<Usage>() {
        return exit::USAGE;
    }
    if let Some(error) = error.downcast_ref::<emulator::Error>() {
        return error.exit_code();
    }
    match error.downcast_ref::<setup::Missing>() {
        Some(missing) if missing.only_emulators() => exit::EMULATOR_MISSING,
        _ => exit::FAIL,
    }
}

fn run(command: &Command) -> Result<ExitCode> {
    let workspace = Workspace::find()?;
    match command {
        Command::Setup => {
            let survey = setup::ensure(Needs::ALL)?;
            say!(
                "{}:\n{}\n{}",
                Machine.os().name,
                setup::describe(&survey).trim_end(),
                setup::closing(&survey)
            );
        }
        Command::Build(arguments) => {
            let survey = setup::ensure(Needs::BUILD)?;
            let images = build::images(&workspace, &survey, &arguments.only, Detail::Full)?;
            for (name, what) in sample::DISCS {
                if let Some(image) = images.done.iter().find(|image| image.name == name) {
                    let disc = sample::write(&workspace, name, &image.file)?;
                    say!("{}: the {what}", workspace.short(&disc));
                }
            }
            images.complete()?;
        }
        Command::Boot(arguments) => {
            let time_out = Duration::from_secs(arguments.time_out);
            let source = match &arguments.disc {
                Some(sheet) => boot::Source::Disc(sheet),
                None => boot::Source::Program(boot::Program::new(
                    &arguments.exe,
                    arguments.fault.as_deref(),
                )?),
            };
            return boot::run(&workspace, &source, arguments.frame, time_out);
        }
        Command::Run(arguments) => {
            let time_out = Duration::from_secs(arguments.time_out);
            let report = run::run(&workspace, &arguments.file, time_out)?;
            return Ok(ExitCode::from(report.outcome.exit_code()));
        }
        Command::Test(arguments) => return check::run(&workspace, arguments.quick),
        Command::Hazards(arguments) => return hazards(&arguments.files),
        Command::Size(arguments) => size(&arguments.files.files, &arguments.hot)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn hazards(files: &[PathBuf]) -> Result<ExitCode> {
    let clean = hazards::scan_files(files, &mut out::Listener, &mut io::stderr())?;
    Ok(if clean {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn size(files: &[PathBuf], hot: &[String]) -> Result<()> {
    let named: Vec<&str> = hot.iter().map(String::as_str).collect();
    let hot = if named.is_empty() {
        &size::HOT[..]
    } else {
        &named[..]
    };
    let mut reports = Vec::new();
    for file in files {
        let report = size::Report::of(&workspace::read_elf(file)?, hot)
            .with_context(|| file.display().to_string())?;
        reports.push(report);
    }
    for text in named {
        check_hot(text, &reports)?;
    }
    for (file, report) in files.iter().zip(&reports) {
        out::text(format_args!("{}\n{report}", file.display()));
    }
    Ok(())
}

/// Refuse a text for which no function is hot.
fn check_hot(text: &str, reports: &[size::Report]) -> Result<()> {
    let mut hot = reports.iter().flat_map(|report| &report.hot);
    if hot.any(|symbol| symbol.name.contains(text)) {
        return Ok(());
    }
    if !reports.iter().any(|report| report.console) {
        bail!(
            "--hot {text}: there are no hot functions, since only the console has the instruction cache that they share"
        );
    }
    let mut near: Vec<&str> = Vec::new();
    for name in reports.iter().flat_map(|report| report.near(text)) {
        if !near.contains(&name) {
            near.push(name);
        }
    }
    match near.is_empty() {
        true => bail!("--hot {text}: no function has this in its name, and none comes near"),
        false => bail!(
            "--hot {text}: no function has this in its name; near it are\n    {}",
            near.join("\n    ")
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use overworld_tests::mednafen::Mednafen;
    use std::path::Path;

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }

    #[test]
    fn the_status_tells_wrong_files_from_failures() {
        let workspace = Workspace::find().unwrap();
        let sheet = Path::new("/nonexistent/none.cue");
        let source = boot::Source::Disc(sheet);
        let error = boot::run(&workspace, &source, None, Duration::ZERO).unwrap_err();
        assert_eq!(status(&error), exit::USAGE, "{error}");
        assert!(error.to_string().contains("none.cue"), "{error}");
        let error = Mednafen::new("/nonexistent/rom.bin").run(|_| {});
        let error = anyhow::Error::from(error.unwrap_err()).context("booting");
        assert_eq!(status(&error), exit::USAGE);
        let refused = emulator::Error::Io {
            what: "start the emulator",
            error: io::ErrorKind::PermissionDenied.into(),
        };
        let refused = anyhow::Error::from(refused);
        assert_eq!(
            format!("{refused:#}").matches("permission denied").count(),
            1
        );
        assert_eq!(status(&refused), exit::FAIL);
        assert_eq!(status(&anyhow::anyhow!("something else")), exit::FAIL);
    }

    #[test]
    #[cfg(unix)]
    fn a_file_that_cannot_be_measured_is_named_with_the_reason() {
        let error = |file: &str| format!("{:#}", size(&[file.into()], &[]).unwrap_err());
        // As endless as /dev/zero for one who asks what kind of file it is.
        let device = error("/dev/null");
        assert!(
            device.contains("/dev/null") && device.contains("is no regular file"),
            "{device}"
        );
        let text = error(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
        assert!(
            text.contains("Cargo.toml") && text.contains("expected an ELF file"),
            "{text}"
        );
    }

    #[test]
    fn a_text_without_a_hot_function_is_refused() {
        let symbol = |name: &str| size::Symbol {
            name: name.to_owned(),
            address: 0x8001_0000,
            size: 16,
            code: true,
        };
        let report = size::Report {
            symbols: vec![symbol("overworld::lzs::decode"), symbol("memcpy")],
            hot: vec![symbol("memcpy")],
            console: true,
            ..size::Report::default()
        };
        let firmware = size::Report {
            symbols: vec![symbol("memcpy")],
            ..size::Report::default()
        };
        let both = [firmware.clone(), report];
        assert!(check_hot("memcpy", &both).is_ok());
        let error = |text, reports| check_hot(text, reports).unwrap_err().to_string();
        let near = error("lzs::encode", &both);
        assert!(
            near.ends_with("near it are\n    overworld::lzs::decode"),
            "{near}"
        );
        assert!(error("xyzzy", &both).ends_with("none comes near"));
        assert!(error("memcpy", &[firmware]).contains("only the console"));
    }

    #[test]
    fn programs_can_be_listed_after_one_only() {
        let cli = Cli::parse_from(["cargo xtask", "build", "--only", "demo", "bootrom"]);
        let Command::Build(build) = cli.command else {
            panic!("not a build")
        };
        assert_eq!(build.only, ["demo", "bootrom"]);
    }
}
