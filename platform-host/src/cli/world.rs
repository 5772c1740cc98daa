//! `overworld world ...`

use std::path::PathBuf;

use clap::{Args, Subcommand};
use overworld_host::sample;
use serde_json::json;

use super::{Failure, Output};

#[derive(Subcommand)]
pub enum World {
    /// Write the sources of the sample world into a folder
    New(New),
}

#[derive(Args)]
pub struct New {
    /// The folder; it is made if it does not exist
    dir: PathBuf,
    /// Replace files that exist with other content
    #[arg(long)]
    force: bool,
}

impl World {
    pub fn execute(self, output: &Output) -> Result<(), Failure> {
        let Self::New(New { dir, force }) = self;
        let world = sample::world().map_err(|error| Failure(error.to_string()))?;
        let files = world
            .save(&dir, force)
            .map_err(|error| Failure(error.to_string()))?;
        for file in &files {
            output.say(format_args!("wrote {}", file.display()))?;
        }
        let names: Vec<String> = files
            .iter()
            .map(|file| file.display().to_string())
            .collect();
        output.document(&json!({ "files": names }))
    }
}
