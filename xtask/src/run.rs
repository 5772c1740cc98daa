//! Runs a linked program on the emulator of its machine: what `cargo run --target ...` starts for the
//! console (`.cargo/config.toml`). Nothing reaches it that is not free of hazards.

use std::path::Path;
use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use overworld_tests::artefacts;
use overworld_tests::emulator::Report;
use overworld_tests::mednafen::Mednafen;
use overworld_tests::{complain, say};

use crate::boot::patience;
use crate::build::{self, Packed};
use crate::pack::Kind;
use crate::toolchain::setup::{self, Needs};
use crate::usage::Usage;
use crate::workspace::{self, Workspace};

/// Mend, check, pack and run a linked program of the console, with the sample disc in the drive if there
/// is one. Its lines are printed.
///
/// # Errors
/// [`Usage`]: it is no such program, or there is no boot ROM yet. The program has hazards, or the
/// emulator is missing.
pub fn run(workspace: &Workspace, elf: &Path, time_out: Duration) -> Result<Report> {
    let linked = workspace::read_elf(elf).map_err(|error| anyhow!(Usage(format!("{error:#}"))))?;
    let name = elf.file_stem().unwrap_or_default().to_string_lossy();
    let Packed { image, kind, .. } = build::pack(&name, &linked)?;
    if kind == Kind::Rom {
        bail!(Usage(format!(
            "{name} is a boot ROM, which runs under every program; `cargo xtask boot` shows it"
        )));
    }
    let rom = artefacts::find(artefacts::BOOT_ROM)
        .map_err(|why| anyhow!(Usage(format!("{why} --only {}", build::ROM))))?;
    let survey = setup::ensure(Needs::BOOT)?;
    let mut emulator = Mednafen::new(rom).image(image).time_out(time_out);
    let disc = workspace.image(artefacts::DISC_CUE);
    if disc.is_file() {
        emulator = emulator.disc(disc);
    }
    if let Some(program) = survey.mednafen.path() {
        emulator = emulator.program(program);
    }
    let report = emulator.run(|line| {
        if line.starts_with("@@") {
            say!("{line}");
        }
    })?;
    for line in report.emulator_lines() {
        say!("  | {line}");
    }
    say!("==> {}", report.summary());
    if let Some(advice) = patience(report.outcome) {
        complain!("xtask: {advice}");
    }
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toolchain::setup::Missing;
    use overworld_tests::verdict::Outcome;

    #[test]
    fn a_linked_program_runs_and_a_rom_does_not() {
        let workspace = Workspace::find().unwrap();
        let time_out = Duration::from_secs(60);
        let images = artefacts::images(["reordered.elf", "bootrom.elf", artefacts::BOOT_ROM]);
        let Some([elf, rom, _]) = images else {
            return;
        };
        let error = run(&workspace, &rom, time_out).unwrap_err();
        assert!(error.is::<Usage>(), "{error:#}");
        let none = run(&workspace, Path::new("none.elf"), time_out).unwrap_err();
        assert!(none.is::<Usage>(), "{none:#}");
        match run(&workspace, &elf, time_out) {
            Ok(report) => assert_eq!(report.outcome, Outcome::Pass, "{report}"),
            Err(error) => {
                let missing = error.downcast_ref::<Missing>();
                assert!(missing.is_some_and(Missing::only_emulators), "{error:#}");
                let _: Option<()> = artefacts::skip(&format!("{error:#}"));
            }
        }
    }

    /// The console's runner is this one; the microcontroller's is QEMU as the tests start it.
    #[test]
    fn cargo_knows_both_runners() {
        let root = Workspace::find().unwrap().root;
        let config = std::fs::read_to_string(root.join(".cargo/config.toml")).unwrap();
        let of = |target: &str| {
            let section = config.split(&format!("[target.{target}]\n")).nth(1);
            let line = section.and_then(|section| section.lines().next());
            line.unwrap_or_default().to_owned()
        };
        assert_eq!(
            of(crate::toolchain::CONSOLE),
            r#"runner = ["cargo", "run", "--quiet", "--package", "xtask", "--", "run"]"#
        );
        let qemu = of(crate::cargo::CORTEX_M3);
        for word in overworld_tests::qemu::ARGUMENTS {
            assert!(qemu.contains(&format!("\"{word}\"")), "{word}: {qemu}");
        }
        assert!(qemu.ends_with("\"-kernel\"]"), "{qemu}");
    }
}
