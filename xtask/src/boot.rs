//! The demo on the emulated console, from source to picture.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result};
use overworld_tests::mednafen::Mednafen;
use overworld_tests::picture::Moment;

use crate::build::{self, Detail};
use crate::sample;
use crate::toolchain::setup::{self, Needs};
use crate::workspace::Workspace;

/// Build, run and picture one program; the status is the run's.
///
/// # Errors
/// Something is missing or does not build, or the emulator cannot be started.
pub fn run(
    workspace: &Workspace,
    name: &str,
    frame: Option<u64>,
    time_out: Duration,
) -> Result<ExitCode> {
    println!("==> looking for compiler, linker and emulator");
    let survey = setup::ensure(Needs::BOOT)?;
    println!("==> building the boot ROM and the program {name}");
    let names = ["bootrom".to_owned(), name.to_owned()];
    let images = build::images(workspace, &survey, &names, Detail::Line)?;
    let file = |name: &str| {
        let image = images.iter().find(|image| image.name == name);
        image
            .map(|image| image.file.clone())
            .with_context(|| format!("{name} was not built"))
    };
    let (rom, exe) = (file("bootrom")?, file(name)?);
    println!("==> writing the disc, with {name} as the program it boots");
    let disc = sample::write(workspace, &exe)?;
    println!("{}", workspace.short(&disc));

    println!(
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
    let report = emulator.run(|line| {
        if line.starts_with("@@") {
            println!("{line}");
        }
    })?;

    println!("==> {report}");
    match &report.picture {
        Some(picture) => {
            let file = workspace.image(&format!("{name}.png"));
            picture
                .write(&file)
                .with_context(|| format!("cannot write {}", file.display()))?;
            println!(
                "{}: the picture, {} by {}, {} colours",
                workspace.short(&file),
                picture.width,
                picture.height,
                picture.colours()
            );
        }
        None => println!("there is no picture"),
    }
    Ok(ExitCode::from(report.outcome.exit_code()))
}
