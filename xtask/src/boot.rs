//! The demo on the emulated console, from source to picture.

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail};
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
    if images
        .iter()
        .any(|image| image.name == name && !is_program(&image.file))
    {
        bail!("{name} is no program of the console that a disc could boot");
    }
    let file = |name: &str| {
        let image = images.iter().find(|image| image.name == name);
        image
            .map(|image| image.file.clone())
            .with_context(|| format!("{name} was not built"))
    };
    let (rom, exe) = (file("bootrom")?, file(name)?);
    println!("==> writing the disc, with {name} as the program it boots");
    let disc = sample::write(workspace, name, &exe)?;
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
    let file = workspace.image(&format!("{name}.png"));
    // A picture of an earlier run must not pass for one of this run.
    if file.exists() {
        fs::remove_file(&file).with_context(|| format!("cannot remove {}", file.display()))?;
    }
    let report = emulator.run(|line| {
        if line.starts_with("@@") {
            println!("{line}");
        }
        if let Some(speed) = speed(line) {
            println!("==> {speed}");
        }
    })?;

    println!("==> {report}");
    match &report.picture {
        Some(picture) => {
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

/// Whether an image is what a disc boots.
fn is_program(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "exe")
}

/// What `@@FRAMES 300 vblanks 301 cycles 272556 hash 58061796` means to a person.
fn speed(line: &str) -> Option<String> {
    // NTSC, progressive (HAL sheet, section 5.1), and the cycles between two vertical blanks there.
    const RATE: f64 = 59.826;
    const FIELD: f64 = 33_868_800.0 / RATE;

    let words: Vec<&str> = line.strip_prefix("@@FRAMES ")?.split_whitespace().collect();
    let number = |name: &str| {
        let at = words.iter().position(|word| *word == name)?;
        words.get(at + 1)?.parse::<f64>().ok()
    };
    let (frames, vblanks, cycles) = (
        words.first()?.parse::<f64>().ok()?,
        number("vblanks")?,
        number("cycles")?,
    );
    Some(format!(
        "{:.1} frames a second; a frame's work takes {:.0} % of the time between two pictures",
        frames * RATE / vblanks.max(1.0),
        100.0 * cycles / FIELD
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_put_into_words() {
        let said = speed("@@FRAMES 300 vblanks 600 cycles 283060 hash 58061796").unwrap();
        assert!(said.starts_with("29.9 frames a second"), "{said}");
        assert!(said.contains(" 50 %"), "{said}");
        assert_eq!(speed("@@FRAMES many"), None);
        assert_eq!(speed("@@END pass"), None);
    }
}
