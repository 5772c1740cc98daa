//! Builds the programs of all machines and turns them into images in `target/overworld/`.

use std::fs;
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::thread;

use anyhow::{Context, Error, Result, anyhow, bail};
use overworld_tests::{complain, out, say};

use crate::cargo::{self, CORTEX_M3, Program};
use crate::hazards;
use crate::pack::{self, Kind};
use crate::size::{self, Report};
use crate::toolchain::{CONSOLE, Survey};
use crate::usage::Usage;
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

/// The boot ROM's program: no program that a disc could boot.
pub const ROM: &str = "bootrom";

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
                bail!(Usage(format!(
                    "there is no program \"{name}\"; there are {}",
                    [console, firmware].concat().join(", ")
                )));
            }
        }
        let wanted = |name: &String| only.is_empty() || only.contains(name);
        let filter = |names: Vec<String>| names.into_iter().filter(wanted).collect();
        Ok(Self {
            console: filter(console),
            firmware: filter(firmware),
        })
    }

    /// The programs that a disc can boot.
    fn bootable(&self) -> impl Iterator<Item = &str> {
        let names = self.console.iter().map(String::as_str);
        names.filter(|name| *name != ROM)
    }

    fn check_bootable(&self, name: &str) -> Result<()> {
        if self.bootable().any(|other| other == name) {
            return Ok(());
        }
        let known = self.console.iter().chain(&self.firmware);
        let what = match known.into_iter().any(|other| other == name) {
            true => format!("{name} is no program of the console that a disc could boot"),
            false => format!("there is no program \"{name}\""),
        };
        let names: Vec<&str> = self.bootable().collect();
        bail!(Usage(format!("{what}; there are {}", names.join(", "))))
    }
}

/// Refuse a program that no disc can boot, before anything is built.
///
/// # Errors
/// [`Usage`], with the names of those that can.
pub fn check_bootable(workspace: &Workspace, name: &str) -> Result<()> {
    Choice::new(workspace, &[])?.check_bootable(name)
}

/// What came of a build.
#[derive(Debug, Default)]
pub struct Images {
    /// The finished images.
    pub done: Vec<Image>,
    /// The programs without one, and why.
    pub failed: Vec<(String, Error)>,
}

impl Images {
    /// The names of the programs without an image.
    fn names(&self) -> String {
        let names: Vec<&str> = self.failed.iter().map(|(name, _)| name.as_str()).collect();
        names.join(", ")
    }

    /// Nothing failed.
    ///
    /// # Errors
    /// How many images failed, and which.
    pub fn complete(&self) -> Result<()> {
        if self.failed.is_empty() {
            return Ok(());
        }
        let all = self.done.len() + self.failed.len();
        bail!(
            "{} of {all} images failed: {}",
            self.failed.len(),
            self.names()
        )
    }

    /// Take in what came of one program, and say it.
    fn add(&mut self, workspace: &Workspace, name: &str, result: Result<Image>, detail: Detail) {
        match result {
            Ok(image) => {
                image.report(workspace, detail);
                self.done.push(image);
            }
            Err(error) => {
                complain!("xtask: {error:#}");
                self.failed.push((name.to_owned(), error));
            }
        }
    }
}

impl Image {
    fn report(&self, workspace: &Workspace, detail: Detail) {
        let place = workspace.short(&self.file);
        match detail {
            Detail::Full => out::text(format_args!("{place}\n{}", self.size)),
            Detail::Line => {
                let Report {
                    text,
                    rodata,
                    data,
                    bss,
                    ..
                } = self.size;
                say!("{place}: text {text}, constants {rodata}, data {data}, zeroed {bss}");
            }
        }
    }
}

/// Build programs; all of them when `only` is empty. One that fails does not keep the others back,
/// and the old image of one that fails stays where it is.
///
/// # Errors
/// There is no such program, nothing can be linked where it is to lie, or cargo does not run at all.
pub fn images(
    workspace: &Workspace,
    survey: &Survey,
    only: &[String],
    detail: Detail,
) -> Result<Images> {
    let choice = Choice::new(workspace, only)?;
    workspace.check()?;
    let mut images = Images::default();
    type Finish = fn(&Workspace, &Program) -> Result<Image>;
    let machines: [(&str, &str, &[String], Finish); 2] = [
        (CONSOLE, CONSOLE_PACKAGE, &choice.console, console),
        (CORTEX_M3, FIRMWARE_PACKAGE, &choice.firmware, firmware),
    ];
    // Each machine has a profile of its own and with it a folder that its cargo locks, so that the two do
    // not wait for each other; the last step of a program, link-time optimisation, uses one core only.
    let compiled = thread::scope(|scope| {
        let chosen = machines.iter().filter(|(_, _, names, _)| !names.is_empty());
        let threads: Vec<_> = chosen
            .map(|(target, package, names, finish)| {
                let job = move || compile(workspace, survey, target, package, names);
                (package, names, finish, scope.spawn(job))
            })
            .collect();
        let join = threads.into_iter();
        join.map(|(package, names, finish, thread)| {
            let result = thread.join().unwrap_or_else(|panic| resume_unwind(panic));
            (package, names, finish, result)
        })
        .collect::<Vec<_>>()
    });
    for (package, names, finish, result) in compiled {
        let (built, status) = result?;
        let mut fault = status.err();
        for name in *names {
            let result = match built.iter().find(|program| program.name == *name) {
                Some(program) => finish(workspace, program),
                None => Err(fault.take().unwrap_or_else(|| anyhow!("see above")))
                    .with_context(|| format!("{name} does not build")),
            };
            images.add(workspace, name, result, detail);
        }
        if let Some(error) = fault {
            // All programs are there, and cargo failed all the same.
            images.add(workspace, package, Err(error), detail);
        }
    }
    Ok(images)
}

/// The programs that compile, and whether all did.
fn compile(
    workspace: &Workspace,
    survey: &Survey,
    target: &str,
    package: &str,
    programs: &[String],
) -> Result<(Vec<Program>, Result<()>)> {
    let profile = if target == CONSOLE {
        "console"
    } else {
        "firmware"
    };
    let mut arguments = vec!["build", "--package", package, "--profile", profile];
    for name in programs {
        arguments.extend(["--bin", name]);
    }
    cargo::build(cargo::cross(workspace, survey, target, &arguments)?)
}

/// A program of the console that may run there.
pub struct Packed {
    /// The linked program, mended.
    pub elf: Vec<u8>,
    /// What a machine takes.
    pub image: Vec<u8>,
    /// Which of the two that is.
    pub kind: Kind,
}

/// Mend, check and pack a linked program of the console.
///
/// # Errors
/// It has hazards, or is nothing that can be packed.
pub fn pack(name: &str, linked: &[u8]) -> Result<Packed> {
    let repair = hazards::repair(linked)
        .with_context(|| format!("{name} cannot be searched for hazards"))?;
    if repair.moved > 0 {
        say!(
            "{name}: {} sequences mended that the compiler left too tight; {} of {} spare words used",
            repair.moved,
            repair.used,
            repair.room
        );
    }
    let elf = repair.elf;
    let found =
        hazards::scan(&elf).with_context(|| format!("{name} cannot be searched for hazards"))?;
    if !found.findings.is_empty() {
        complain!("{found}");
        bail!(
            "{name} has {} instruction hazards, which a console does not forgive; the image is not written",
            found.findings.len()
        );
    }
    if found.statistics.handler == 0 {
        bail!("{name} has no exception handler that could be searched for GTE instructions");
    }
    say!(
        "{name}: no instruction hazards in {} instructions",
        found.statistics.instructions
    );
    let kind = pack::kind(&elf);
    let packed = kind.and_then(|kind| match kind {
        Kind::Rom => pack::rom(&elf).map(|image| (image, kind)),
        Kind::Exe => pack::exe(&elf).map(|image| (image, kind)),
    });
    let (image, kind) = packed.with_context(|| format!("{name} cannot be packed"))?;
    Ok(Packed { elf, image, kind })
}

/// Check and pack one program of the console.
fn console(workspace: &Workspace, program: &Program) -> Result<Image> {
    let name = &program.name;
    let Packed { elf, image, kind } = pack(name, &read(program)?)?;
    let extension = match kind {
        Kind::Rom => "bin",
        Kind::Exe => "exe",
    };
    let file = workspace.image(&format!("{name}.{extension}"));
    workspace::write(&file, &image)?;
    finish(workspace, name, &elf, file)
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
        let refused = |name: &str| {
            let error = choose(&[]).unwrap().check_bootable(name).unwrap_err();
            assert!(error.is::<Usage>());
            error.to_string()
        };
        assert!(choose(&[]).unwrap().check_bootable("demo").is_ok());
        for other in [ROM, "cortex-m3"] {
            assert_eq!(
                refused(other),
                format!(
                    "{other} is no program of the console that a disc could boot; there are demo"
                )
            );
        }
        assert_eq!(
            refused("dem"),
            "there is no program \"dem\"; there are demo"
        );
        let error = choose(&["dem"]).err().unwrap().to_string();
        assert_eq!(
            error,
            "there is no program \"dem\"; there are demo, bootrom, cortex-m3"
        );
    }

    #[test]
    fn images_that_failed_are_named_at_the_end() {
        let workspace = Workspace::find().unwrap();
        let mut images = Images::default();
        let image = |name: &str| Image {
            name: name.to_owned(),
            file: PathBuf::from(name),
            size: Report::default(),
        };
        images.add(&workspace, "demo", Ok(image("demo")), Detail::Line);
        assert!(images.complete().is_ok());
        for name in ["battery", "faults"] {
            images.add(&workspace, name, Err(anyhow!("no")), Detail::Line);
        }
        assert_eq!(images.done.len(), 1);
        assert_eq!(
            images.complete().unwrap_err().to_string(),
            "2 of 3 images failed: battery, faults"
        );
    }
}
