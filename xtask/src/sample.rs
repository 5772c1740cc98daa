//! The sample disc, the sample town's and that of the sample creatures.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use overworld_host::sample;
use overworld_tests::artefacts;

use crate::workspace::{self, Workspace};

/// The program of the sample disc.
pub const DEMO: &str = "demo";
/// The program of the sample town's.
pub const TOWN: &str = "town";
/// The program of the sample creatures'.
pub const CREATURES: &str = "creatures";

/// The programs that have a disc of their own, and what people call it.
pub const DISCS: [(&str, &str); 3] = [
    (DEMO, "sample disc"),
    (TOWN, "sample town's disc"),
    (CREATURES, "sample creatures' disc"),
];

/// Write the disc with this PS-EXE as the program it boots; answers the `.cue`.
///
/// The demo's disc is the sample disc, those of town and creatures are theirs; another program gets a disc of its own
/// name, so that the tests never meet a sample disc that boots something else.
///
/// # Errors
/// The program cannot be read or the disc not be written.
pub fn write(workspace: &Workspace, name: &str, exe: &Path) -> Result<PathBuf> {
    let program = fs::read(exe).with_context(|| format!("cannot read {}", exe.display()))?;
    let disc = match name {
        TOWN => sample::town_image(Some(&program)).map_err(anyhow::Error::msg),
        CREATURES => sample::creatures_image(Some(&program)).map_err(anyhow::Error::msg),
        _ => sample::image(Some(&program)).map_err(anyhow::Error::from),
    };
    let disc = disc.with_context(|| format!("{}", exe.display()))?;
    let (cue, bin) = if name == DEMO {
        (
            artefacts::DISC_CUE.to_owned(),
            artefacts::DISC_BIN.to_owned(),
        )
    } else {
        (format!("{name}.cue"), format!("{name}-disc.bin"))
    };
    workspace::write(&workspace.image(&bin), &disc)?;
    let file = workspace.image(&cue);
    workspace::write(&file, sample::cue_text(&bin).as_bytes())?;
    Ok(file)
}
