//! `overworld world ...`

use std::path::PathBuf;

use clap::{Args, Subcommand};
use overworld_host::world::{BOOT_FILE, World as Sources};
use overworld_host::{identify, image, sample, script};
use overworld_runtime::disc::sector::RAW;
use serde_json::json;

use super::{Failure, Output};

#[derive(Subcommand)]
pub enum World {
    /// Write the sources of the sample world into a folder
    ///
    /// world.json names them. Five keys are required: "scene", a name of 1 to 8 of a-z, 0-9 and _;
    /// "textures" and "models", lists of at least one TIM and one TMD file; "bank", an animation bank
    /// whose clips have as many parts as the first model has objects; "map", a field map of 73728
    /// bytes. The first model is played with the bank's clips. Optional are "man", "patch", "stager",
    /// "members" and "creature", most of which the remark "//" shows. docs/tool.md has the rest.
    New(New),
    /// Check a world's sources, and that a disc can be built from them
    Check(Check),
}

#[derive(Args)]
pub struct New {
    /// The folder; it is made if it does not exist
    dir: PathBuf,
    /// Write the sample town, which is walked about in
    #[arg(long)]
    town: bool,
    /// Write the sample creatures, an owl of one game's format and a toad of another's
    #[arg(long, conflicts_with = "town")]
    creatures: bool,
    /// Replace files that exist with other content
    #[arg(long)]
    force: bool,
}

#[derive(Args)]
pub struct Check {
    /// Folder with a world.json
    dir: PathBuf,
}

impl World {
    pub fn execute(self, output: &Output) -> Result<(), Failure> {
        match self {
            Self::New(new) => new.execute(output),
            Self::Check(check) => check.execute(output),
        }
    }
}

impl New {
    fn execute(self, output: &Output) -> Result<(), Failure> {
        let world = if self.town {
            sample::town().map_err(Failure::new)?
        } else if self.creatures {
            sample::creatures().map_err(Failure::new)?
        } else {
            sample::world().map_err(|error| Failure::new(error.to_string()))?
        };
        let files = world
            .save(&self.dir, self.force)
            .map_err(|error| Failure::new(error.to_string()))?;
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

impl Check {
    fn execute(self, output: &Output) -> Result<(), Failure> {
        let world = match Sources::load(&self.dir) {
            Ok(world) => world,
            Err(error) => {
                let error = error.to_string();
                output.document(&json!({
                    "ok": false,
                    "scene": null,
                    "members": [],
                    "notes": [],
                    "sectors": 0,
                    "error": error,
                }))?;
                return Err(Failure::new(error));
            }
        };
        let mut members = Vec::new();
        for (key, (name, data)) in world.parts() {
            let verdict = identify::bytes(data);
            output.say(format_args!(
                "{name}: {} bytes, {}: {}",
                data.len(),
                verdict.kind,
                verdict.evidence
            ))?;
            members.push(json!({
                "key": key,
                "file": name,
                "bytes": data.len(),
                "kind": verdict.kind.name(),
                "evidence": verdict.evidence,
            }));
        }
        let mut notes = self.outside(&world);
        for warning in world.warnings() {
            notes.push(format!("{}: {warning}", world.map.0));
        }
        if let (Some((name, _)), Some(unseen)) = (&world.creature, world.unseen()) {
            notes.push(format!("{name}: {unseen}"));
        }
        notes.extend(
            world
                .too_large()
                .map(|why| format!("{}: {why}", world.scene)),
        );
        notes.extend(world.crowd().map(|why| format!("{}: {why}", world.scene)));
        if let Some((name, data)) = &world.man {
            let long = script::long_records(data).into_iter();
            let told = long.chain(script::wide_texts(data));
            notes.extend(told.map(|note| format!("{name}: {note}")));
        }
        for note in &notes {
            output.say(format_args!("note: {note}"))?;
        }
        // All members, then everything that only shows when the disc is laid out.
        let checked = world.tree(None).and_then(|tree| Ok(image::build(&tree)?));
        let error = checked.as_ref().err();
        let sectors = checked.as_ref().map_or(0, |image| image.len() / RAW);
        if error.is_none() {
            output.say(format_args!(
                "scene \"{}\": fine, a disc of {}; a console cannot boot it yet: disc build --exe adds the program, \
                 {BOOT_FILE}",
                world.scene,
                identify::count(sectors, "sector")
            ))?;
        }
        output.document(&json!({
            "ok": error.is_none(),
            "scene": world.scene,
            "members": members,
            "notes": notes,
            "sectors": sectors,
            "error": error.map(ToString::to_string),
        }))?;
        match error {
            None => Ok(()),
            Some(error) => Err(Failure::new(error.within(&self.dir))),
        }
    }

    /// Members that are not in the world's folder: whoever takes the folder along loses them.
    fn outside(&self, world: &Sources) -> Vec<String> {
        let Ok(folder) = self.dir.canonicalize() else {
            return Vec::new();
        };
        let is_outside = |name: &str| {
            let path = self.dir.join(name).canonicalize();
            path.is_ok_and(|path| !path.starts_with(&folder))
        };
        let names = world.members().map(|(name, _)| name);
        names
            .filter(|name| is_outside(name))
            .map(|name| format!("{name}: lies outside of the world's folder"))
            .collect()
    }
}
