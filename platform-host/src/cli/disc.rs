//! `overworld disc ...`

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use overworld_host::drive::{ImageDrive, Layout};
use overworld_host::world::World;
use overworld_host::{image, listing, output};
use overworld_runtime::bytes::crc32;
use overworld_runtime::disc::{cdname, iso, prot};
use overworld_runtime::platform::{Drive, SECTOR};
use serde_json::{Value, json};

use super::{Failure, Output};

#[derive(Subcommand)]
pub enum Disc {
    /// Build an image from a world's folder
    Build(Build),
    /// List the files of an image
    Ls(Image),
    /// Tell what an image holds: files, archive, scenes
    Info(Image),
}

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

#[derive(Args)]
pub struct Image {
    /// A .cue, a .bin or an .iso
    image: PathBuf,
}

impl Disc {
    pub fn execute(self, output: &Output) -> Result<(), Failure> {
        match self {
            Self::Build(build) => build.execute(output),
            Self::Ls(Image { image }) => list(&image, output),
            Self::Info(Image { image }) => info(&image, output),
        }
    }
}

impl Build {
    fn execute(self, out: &Output) -> Result<(), Failure> {
        let world = World::load(&self.world).map_err(|error| Failure(error.to_string()))?;
        let exe = match &self.exe {
            Some(path) => {
                Some(std::fs::read(path).map_err(|error| Failure::of(path.display(), error))?)
            }
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

fn open(path: &Path) -> Result<ImageDrive, Failure> {
    ImageDrive::open(path).map_err(|error| Failure(error.to_string()))
}

fn list(path: &Path, out: &Output) -> Result<(), Failure> {
    let mut drive = open(path)?;
    let files = listing::files(&mut drive).map_err(|error| Failure::of(path.display(), error))?;
    let width = files.iter().map(|file| file.path.len()).max().unwrap_or(0);
    for file in &files {
        let iso::Extent { lba, size } = file.extent;
        out.say(format_args!(
            "{:width$}  {size:>10} bytes  sector {lba}",
            file.path
        ))?;
    }
    out.document(&json!({ "files": files.iter().map(entry).collect::<Vec<_>>() }))
}

fn entry(file: &listing::Entry) -> Value {
    json!({ "path": file.path, "size": file.extent.size, "lba": file.extent.lba })
}

fn info(path: &Path, out: &Output) -> Result<(), Failure> {
    let mut drive = open(path)?;
    let fail = |error: &dyn std::fmt::Display| Failure::of(path.display(), error);
    let files = listing::files(&mut drive).map_err(|error| fail(&error))?;
    let sectors = drive.sectors();
    let layout = match drive.layout() {
        Layout::Raw => "Mode 2, 2352 bytes a sector",
        Layout::Bare => "2048 bytes a sector",
    };
    out.say(format_args!(
        "{}: {} sectors, {layout}",
        path.display(),
        sectors
    ))?;
    for file in &files {
        out.say(format_args!(
            "  {}  {} bytes at sector {}",
            file.path, file.extent.size, file.extent.lba
        ))?;
    }
    let mut read = |extent: iso::Extent, sectors: u32| {
        let mut data = vec![[0; SECTOR]; sectors.min(extent.sectors()) as usize];
        drive
            .read(extent.lba, &mut data)
            .map(|()| data)
            .map_err(|error| fail(&error))
    };
    let find = |name: &str| {
        files
            .iter()
            .find(|file| file.path == name)
            .map(|file| file.extent)
    };
    let mut archive = Value::Null;
    if let Some(extent) = find("/PROT.DAT") {
        let table = read(extent, prot::TOC_SECTORS)?;
        let toc = prot::Toc::parse(table.as_flattened(), extent.sectors())
            .map_err(|error| Failure::of(format_args!("{}: PROT.DAT", path.display()), error))?;
        let entries: Vec<Value> = toc
            .entries()
            .map(|it| json!({ "first": it.first, "sectors": it.sectors }))
            .collect();
        out.say(format_args!(
            "archive: {} raw entries, {} sectors",
            toc.len(),
            toc.archive_sectors()
        ))?;
        archive = json!({ "entries": entries, "sectors": toc.archive_sectors() });
    }
    let mut scenes = Vec::new();
    if let Some(extent) = find("/CDNAME.TXT") {
        let text = read(extent, 64)?;
        let text = text.as_flattened();
        let text = text.get(..extent.size as usize).unwrap_or(text);
        for define in cdname::defines(text) {
            let name = String::from_utf8_lossy(define.name);
            out.say(format_args!("scene: {name} at raw {}", define.raw))?;
            scenes.push(json!({ "name": name, "raw": define.raw }));
        }
    }
    out.document(&json!({
        "sectors": sectors,
        "layout": layout,
        "files": files.iter().map(entry).collect::<Vec<_>>(),
        "archive": archive,
        "scenes": scenes,
    }))
}
