//! `overworld disc ...`

mod build;
mod extract;
mod info;
mod verify;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use overworld_host::drive::{ImageDrive, OpenError};

use super::{Failure, Output, files};

#[derive(Subcommand)]
pub enum Disc {
    /// Build an image from a world's folder
    Build(build::Build),
    /// List the files of an image
    Ls(Image),
    /// Tell what an image holds: files, archive, scenes
    Info(Image),
    /// Copy files out of an image: all of them whole, or none
    ///
    /// A file with Form 2 sectors (audio, video) comes out as raw sectors of 2352 bytes, since its
    /// payload is longer than the directory says.
    Extract(extract::Extract),
    /// Check every sector, the volume, the archive and its scenes
    ///
    /// Looks at EDC and ECC of every sector, the ISO9660 structure, the tiling of PROT.DAT, the
    /// blocks of all scenes, and unpacks and reads every member of their bundles. Status 1 for
    /// anything malformed; notes are no faults.
    Verify(Image),
}

#[derive(Args)]
pub struct Image {
    /// A .cue (its first track), a .bin or an .iso
    image: PathBuf,
}

impl Disc {
    pub fn execute(self, output: &Output) -> Result<(), Failure> {
        match self {
            Self::Build(build) => build.execute(output),
            Self::Ls(Image { image }) => info::list(&image, output),
            Self::Info(Image { image }) => info::info(&image, output),
            Self::Extract(extract) => extract.execute(output),
            Self::Verify(Image { image }) => verify::verify(&image, output),
        }
    }
}

fn open(path: &Path) -> Result<ImageDrive, Failure> {
    check_file(path)?;
    ImageDrive::open(path).map_err(|error| Failure::new(error.to_string()))
}

/// The image for whoever looks for damage, or why it is none.
fn open_damaged(path: &Path) -> Result<Result<ImageDrive, OpenError>, Failure> {
    check_file(path)?;
    Ok(ImageDrive::open_damaged(path))
}

/// That an image is a file: sectors are read where they lie.
fn check_file(path: &Path) -> Result<(), Failure> {
    if files::is_stream(path) {
        return Err(files::no_image_stream());
    }
    Ok(())
}
