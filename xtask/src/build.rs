//! Builds the programs of all machines and turns them into images in `target/overworld/`.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::cargo::{self, CORTEX_M3, Program};
use crate::hazards;
use crate::pack::{self, Kind};
use crate::size::{self, Report};
use crate::toolchain::{CONSOLE, Survey};
use crate::workspace::{self, Workspace};

/// The package with the console's programs.
pub const CONSOLE_PACKAGE: &str = "overworld-psx";
/// The package with the microcontroller's program.
pub const FIRMWARE_PACKAGE: &str = "overworld-cortex-m3";

/// A finished image.
#[derive(Clone, Debug)]
pub struct Image {
    /// The name of the program.
    pub name: String,
    /// What the machine takes: a PS-EXE, a ROM image, or the ELF of a firmware.
    pub file: PathBuf,
    /// What it costs.
    pub size: Report,
}

/// How much to say about the images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// One line each.
    Line,
    /// The whole size report.
    Full,
}

/// Which programs to build.
struct Choice {
    console: Vec<String>,
    firmware: Vec<String>,
}

impl Choice {
    /// All programs, or those in `only`.
    fn new(workspace: &Workspace, only: &[String]) -> Result<Self> {
        let console = cargo::binaries(workspace, CONSOLE_PACKAGE)?;
        let firmware = cargo::binaries(workspace, FIRMWARE_PACKAGE)?;
        Self::among(console, firmware, only)
    }

    fn among(console: Vec<String>, firmware: Vec<String>, only: &[String]) -> Result<Self> {
        for name in only {
            if !console.contains(name) && !firmware.contains(name) {
                bail!(
                    "there is no program \"{name}\"; there are {}",
                    [console, firmware].concat().join(", ")
                );
            }
        }
        let wanted = |name: &String| only.is_empty() || only.contains(name);
        let filter = |names: Vec<String>| names.into_iter().filter(wanted).collect();
        Ok(Self {
            console: filter(console),
            firmware: filter(firmware),
        })
    }
}

/// Build programs; all of them when `only` is empty.
///
/// # Errors
/// A build fails, an image has instruction hazards or cannot be packed.
pub fn images(
    workspace: &Workspace,
    survey: &Survey,
    only: &[String],
    detail: Detail,
) -> Result<Vec<Image>> {
    let choice = Choice::new(workspace, only)?;
    let mut images = Vec::new();
    if !choice.console.is_empty() {
        for program in compile(workspace, survey, CONSOLE, CONSOLE_PACKAGE, &choice.console)? {
            images.push(console(workspace, &program)?);
        }
    }
    if !choice.firmware.is_empty() {
        for program in compile(
            workspace,
            survey,
            CORTEX_M3,
            FIRMWARE_PACKAGE,
            &choice.firmware,
        )? {
            images.push(firmware(workspace, &program)?);
        }
    }
    for image in &images {
        let place = workspace.short(&image.file);
        match detail {
            Detail::Full => print!("{place}\n{}", image.size),
            Detail::Line => {
                let Report {
                    text,
                    rodata,
                    data,
                    bss,
                    ..
                } = image.size;
                println!("{place}: text {text}, constants {rodata}, data {data}, zeroed {bss}");
            }
        }
    }
    Ok(images)
}

fn compile(
    workspace: &Workspace,
    survey: &Survey,
    target: &str,
    package: &str,
    programs: &[String],
) -> Result<Vec<Program>> {
    let profile = if target == CONSOLE {
        "console"
    } else {
        "firmware"
    };
    let mut arguments = vec!["build", "--package", package, "--profile", profile];
    for name in programs {
        arguments.extend(["--bin", name]);
    }
    let mut built = cargo::build(cargo::cross(workspace, survey, target, &arguments)?)
        .with_context(|| format!("the programs of {package} do not build"))?;
    built.retain(|program| programs.contains(&program.name));
    built.sort_by(|a, b| a.name.cmp(&b.name));
    if built.len() != programs.len() {
        bail!(
            "cargo built {} of the {} programs of {package}",
            built.len(),
            programs.len()
        );
    }
    Ok(built)
}

/// Check and pack one program of the console.
fn console(workspace: &Workspace, program: &Program) -> Result<Image> {
    let name = &program.name;
    let repair = hazards::repair(&read(program)?)
        .with_context(|| format!("{name} cannot be searched for hazards"))?;
    if repair.moved > 0 {
        println!(
            "{name}: {} sequences mended that the compiler left too tight; {} of {} spare words used",
            repair.moved, repair.used, repair.room
        );
    }
    let elf = repair.elf;
    let found =
        hazards::scan(&elf).with_context(|| format!("{name} cannot be searched for hazards"))?;
    let accidents = found
        .findings
        .iter()
        .filter(|finding| !on_purpose(name, finding.kind))
        .count();
    if accidents > 0 {
        eprintln!("{found}");
        bail!(
            "{name} has {accidents} instruction hazards, which a console does not forgive; the image is not written"
        );
    }
    let packed = match pack::kind(&elf) {
        Ok(Kind::Rom) => pack::rom(&elf).map(|rom| (rom, "bin")),
        Ok(Kind::Exe) => pack::exe(&elf).map(|exe| (exe, "exe")),
        Err(error) => Err(error),
    };
    let (image, extension) = packed.with_context(|| format!("{name} cannot be packed"))?;
    let file = workspace.image(&format!("{name}.{extension}"));
    workspace::write(&file, &image)?;
    finish(workspace, name, &elf, file)
}

/// Whether a program is meant to have hazards of this kind: the one that shows what happens then.
fn on_purpose(name: &str, kind: hazards::Kind) -> bool {
    name == "faults" && matches!(kind, hazards::Kind::Misaligned | hazards::Kind::NotMips1)
}

fn firmware(workspace: &Workspace, program: &Program) -> Result<Image> {
    let file = workspace.image(&format!("{}.elf", program.name));
    finish(workspace, &program.name, &read(program)?, file)
}

fn finish(workspace: &Workspace, name: &str, elf: &[u8], file: PathBuf) -> Result<Image> {
    // The ELF goes along: it has the symbols.
    workspace::write(&workspace.image(&format!("{name}.elf")), elf)?;
    let size = Report::of(elf, &size::HOT).with_context(|| format!("{name} cannot be measured"))?;
    Ok(Image {
        name: name.to_owned(),
        file,
        size,
    })
}

fn read(program: &Program) -> Result<Vec<u8>> {
    fs::read(&program.elf).with_context(|| format!("cannot read {}", program.elf.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_chosen_by_name() {
        let names = |list: &[&str]| {
            list.iter()
                .map(|name| (*name).to_owned())
                .collect::<Vec<_>>()
        };
        let choose = |only: &[&str]| {
            Choice::among(
                names(&["demo", "bootrom"]),
                names(&["cortex-m3"]),
                &names(only),
            )
        };
        let all = choose(&[]).unwrap();
        assert_eq!(
            (all.console, all.firmware),
            (names(&["demo", "bootrom"]), names(&["cortex-m3"]))
        );
        let some = choose(&["demo"]).unwrap();
        assert_eq!(
            (some.console, some.firmware),
            (names(&["demo"]), names(&[]))
        );
        let error = choose(&["dem"]).err().unwrap().to_string();
        assert_eq!(
            error,
            "there is no program \"dem\"; there are demo, bootrom, cortex-m3"
        );
    }
}
