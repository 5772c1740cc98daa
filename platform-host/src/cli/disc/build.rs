//! `overworld disc build`

use std::path::PathBuf;

use clap::Args;
use overworld_host::world::World;
use overworld_host::{image, input, output};
use overworld_runtime::bytes::crc32;
use serde_json::json;

use crate::cli::{Failure, Output};

#[derive(Args)]
pub struct Build {
    /// Folder with a world.json (see `overworld world new`)
    world: PathBuf,
    /// The cue sheet to write; the image goes beside it as .bin
    #[arg(short, long, value_name = "OUT.cue")]
    output: PathBuf,
    /// PS-EXE to boot
    #[arg(long, value_name = "FILE")]
    exe: Option<PathBuf>,
    /// Replace files that exist with other content
    #[arg(long)]
    force: bool,
}

impl Build {
    pub fn execute(self, out: &Output) -> Result<(), Failure> {
        let world = World::load(&self.world).map_err(|error| Failure::new(error.to_string()))?;
        let exe = match &self.exe {
            Some(path) => Some(
                input::read(path, input::EXE)
                    .map_err(|error| Failure::of(path.display(), error))?,
            ),
            None => None,
        };
        let place = self.exe.as_deref().unwrap_or(&self.world);
        let tree = world
            .tree(exe.as_deref())
            .map_err(|error| Failure::of(place.display(), error))?;
        let bin = image::build(&tree).map_err(|error| Failure::of(self.world.display(), error))?;
        let bin_path = self.output.with_extension("bin");
        if bin_path == self.output {
            return Err(Failure::of(
                self.output.display(),
                "expected the name of a cue sheet, such as game.cue",
            ));
        }
        let name = bin_path.file_name().and_then(|name| name.to_str());
        let Some(name) = name.filter(|name| !name.contains(['"', '\r', '\n'])) else {
            return Err(Failure::of(
                bin_path.display(),
                "a cue sheet cannot hold this file name",
            ));
        };
        let cue = image::cue_text(name);
        let files = [(&bin_path, bin.as_slice()), (&self.output, cue.as_bytes())];
        for (path, bytes) in files {
            let io = |error| Failure::of(path.display(), error);
            if !self.force && !output::is_free_or_equal(path, bytes).map_err(io)? {
                return Err(Failure::of(
                    path.display(),
                    "exists already with other content; choose another name, or use --force",
                ));
            }
        }
        for (path, bytes) in files {
            output::replace(path, bytes).map_err(|error| Failure::of(path.display(), error))?;
        }
        let sectors = bin.len() / overworld_runtime::disc::sector::RAW;
        out.say(format_args!(
            "wrote {} and {}: {sectors} sectors",
            self.output.display(),
            bin_path.display()
        ))?;
        out.document(&json!({
            "cue": self.output.display().to_string(),
            "bin": bin_path.display().to_string(),
            "sectors": sectors,
            "crc": format!("{:08X}", crc32(&bin)),
        }))
    }
}
