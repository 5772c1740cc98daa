//! `overworld disc build`

use std::path::PathBuf;

use clap::Args;
use overworld_host::identify::count;
use overworld_host::world::{BOOT_FILE, Error, World};
use overworld_host::{image, input, output, text};
use overworld_runtime::bytes::crc32;
use serde_json::json;

use crate::cli::{Failure, Output, files};

#[derive(Args)]
pub struct Build {
    /// Folder with a world.json (see `overworld world new`)
    world: PathBuf,
    /// The cue sheet to write; the image goes beside it as .bin
    #[arg(short, long, value_name = "OUT.cue")]
    output: PathBuf,
    /// PS-EXE to boot; without one a console cannot boot the disc
    #[arg(long, value_name = "FILE")]
    exe: Option<PathBuf>,
    /// Replace files that exist with other content
    #[arg(long)]
    force: bool,
}

impl Build {
    pub fn execute(self, out: &Output) -> Result<(), Failure> {
        let (bin_path, name) = self.targets()?;
        let world = World::load(&self.world).map_err(|error| Failure::new(error.to_string()))?;
        let exe = match &self.exe {
            Some(path) => Some(
                input::read(path, input::EXE)
                    .map_err(|error| Failure::of(path.display(), error))?,
            ),
            None => None,
        };
        let sources = world.members().map(|(name, _)| self.world.join(name));
        for source in sources.chain(self.exe.clone()) {
            for target in [&bin_path, &self.output] {
                if files::is_same(target, &source) {
                    return Err(files::in_place(target));
                }
            }
        }
        let tree = world
            .tree(exe.as_deref())
            .map_err(|error| match (&error, &self.exe) {
                (Error::Exe(_), Some(exe)) => Failure::of(exe.display(), error),
                _ => Failure::new(error.within(&self.world)),
            })?;
        let bin = image::build(&tree).map_err(|error| Failure::of(self.world.display(), error))?;
        let cue = image::cue_text(&name);
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
        output::replace_all(&files).map_err(|(index, error)| {
            let path = files.get(index).map_or(&self.output, |(path, _)| path);
            Failure::of(path.display(), error)
        })?;
        let sectors = bin.len() / overworld_runtime::disc::sector::RAW;
        out.say(format_args!(
            "wrote {} and {}: {}",
            self.output.display(),
            bin_path.display(),
            count(sectors, "sector")
        ))?;
        if exe.is_none() {
            out.say(format_args!(
                "note: a console cannot boot this disc: SYSTEM.CNF names {BOOT_FILE}, which only --exe \
                 puts on it"
            ))?;
        }
        out.document(&json!({
            "cue": self.output.display().to_string(),
            "bin": bin_path.display().to_string(),
            "sectors": sectors,
            "bootable": exe.is_some(),
            "crc": format!("{:08X}", crc32(&bin)),
        }))
    }

    /// The image's path and its name in the sheet, when files can be put there and at the sheet's.
    fn targets(&self) -> Result<(PathBuf, String), Failure> {
        let sheet = &self.output;
        let ends_well = sheet
            .extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case("cue"));
        if !ends_well {
            return Err(Failure::usage(format!(
                "{}: expected the name of a cue sheet, such as game.cue",
                sheet.display()
            )));
        }
        let image = sheet.with_extension("bin");
        let name = image.file_name().and_then(|name| name.to_str());
        // What a sheet cannot say, and what would come back as something else.
        let name = name.filter(|name| !name.contains('"') && !name.contains(text::is_active));
        let Some(name) = name.map(str::to_owned) else {
            return Err(Failure::of(
                image.display(),
                "a cue sheet cannot hold this file name",
            ));
        };
        for path in [&image, sheet] {
            output::check_target(path).map_err(|error| Failure::of(path.display(), error))?;
        }
        Ok((image, name))
    }
}
