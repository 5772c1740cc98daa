//! The sample disc.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use overworld_host::sample;
use overworld_tests::artefacts;

use crate::workspace::{self, Workspace};

/// Write the disc with this PS-EXE as the program it boots; answers the `.cue`.
///
/// # Errors
/// The program cannot be read or the disc not be written.
pub fn write(workspace: &Workspace, exe: &Path) -> Result<PathBuf> {
    let program = fs::read(exe).with_context(|| format!("cannot read {}", exe.display()))?;
    let bin = sample::image(Some(&program)).with_context(|| format!("{}", exe.display()))?;
    workspace::write(&workspace.image(artefacts::DISC_BIN), &bin)?;
    let cue = workspace.image(artefacts::DISC_CUE);
    workspace::write(&cue, sample::cue_text(artefacts::DISC_BIN).as_bytes())?;
    Ok(cue)
}
