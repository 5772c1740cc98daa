//! The disc that is played: a world's folder or a sample as one, and what else a file may be.

use std::path::{Path, PathBuf};

use overworld_host::drive::{ImageDrive, OpenError};
use overworld_host::identify::{self, Kind};
use overworld_host::pads::Pads;
use overworld_host::world::{MANIFEST, World};
use overworld_host::{image, input, sample};

use super::super::{Failure, files};
use super::Run;

impl Run {
    /// The disc that is played, the files that it is read or built from, and what it is called.
    pub(super) fn disc(&self) -> Result<(ImageDrive, Vec<PathBuf>, String), Failure> {
        let Some(path) = &self.world else {
            let (place, image) = if self.town {
                ("sample town", sample::town_image(None))
            } else if self.creatures {
                ("sample creatures", sample::creatures_image(None))
            } else {
                let image = sample::image(None).map_err(|error| error.to_string());
                ("sample disc", image)
            };
            return Ok((sample_drive(place, image)?, Vec::new(), place.to_owned()));
        };
        if files::is_stream(path) {
            return Err(files::no_image_stream());
        }
        let (drive, inputs) = if path.is_dir() {
            world_drive(path)?
        } else {
            let drive = ImageDrive::open(path).map_err(|error| no_image(path, &error))?;
            let inputs = drive.files().to_vec();
            (drive, inputs)
        };
        Ok((drive, inputs, path.display().to_string()))
    }
}

/// Why a file is not played. Of one that the tool knows it tells what it is and what can be done with it: that its
/// length is not that of a disc image says nothing then.
fn no_image(path: &Path, error: &OpenError) -> Failure {
    let known = if path.file_name().is_some_and(|it| it == MANIFEST) && path.is_file() {
        let folder = folder_of(path);
        Some(format!(
            "a world's list of files; name its folder, {folder}"
        ))
    } else {
        known_way(path).map(str::to_owned)
    };
    match known {
        None => Failure::new(error.to_string()),
        Some(known) => {
            let name = match error {
                OpenError::NotRawImage { .. } => "NotRawImage: ",
                _ => "",
            };
            Failure::of(
                path.display(),
                format_args!("{name}expected a disc image or a world's folder, found {known}"),
            )
        }
    }
}

/// The folder of a file, as it is named.
fn folder_of(path: &Path) -> String {
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
    folder.map_or_else(|| ".".to_owned(), |it| it.display().to_string())
}

/// What a file is by what it holds, and what can be done with it.
fn known_way(path: &Path) -> Option<&'static str> {
    // Neither standard input nor a pipe, which are read only once.
    if !path.is_file() {
        return None;
    }
    let known = match identify::file(path).map(|it| it.kind) {
        Ok(Kind::Wad) => {
            "a level; make a world of it with overworld llama world, and play the folder"
        }
        Ok(Kind::Ff8) => {
            "a battle model; look at it with overworld ff8 strip, or play it as the \"creature\" of a world"
        }
        Ok(
            Kind::Map
            | Kind::Man
            | Kind::Bundle
            | Kind::Bank
            | Kind::Tmd
            | Kind::Tim
            | Kind::TimPack,
        ) => {
            "a part of a scene; a world's folder names such files, as overworld world new writes one"
        }
        Ok(Kind::Unknown) => match input::read(path, input::FILE) {
            Ok(data) if Pads::parse(&data).is_ok() => "a pad log; --replay plays what it holds",
            Ok(data) if data.starts_with(b"GIF8") || data.starts_with(b"\x89PNG") => {
                "a picture, which run writes and does not play"
            }
            _ => return None,
        },
        _ => return None,
    };
    Some(known)
}

/// The disc of a world's folder, built in memory, and the files that it is built from.
fn world_drive(folder: &Path) -> Result<(ImageDrive, Vec<PathBuf>), Failure> {
    if !folder.join(MANIFEST).exists() {
        return Err(Failure::of(
            folder.display(),
            format_args!(
                "expected a disc image or a world's folder, found a folder without {MANIFEST}"
            ),
        ));
    }
    let place = folder.display();
    let world = World::load(folder).map_err(|error| Failure::new(error.to_string()))?;
    let tree = world.tree(None);
    let tree = tree.map_err(|error| Failure::new(error.within(folder)))?;
    let image = image::build(&tree).map_err(|error| Failure::of(&place, error))?;
    let drive = ImageDrive::from_bytes(image)
        .ok_or_else(|| Failure::of(&place, "NotRawImage: the disc was built without sectors"))?;
    let members = world.members().map(|(name, _)| folder.join(name));
    Ok((drive, members.chain([folder.join(MANIFEST)]).collect()))
}

/// A disc of the project's own, built in memory.
fn sample_drive(place: &str, image: Result<Vec<u8>, String>) -> Result<ImageDrive, Failure> {
    let image = image.map_err(|error| Failure::of(place, error))?;
    ImageDrive::from_bytes(image)
        .ok_or_else(|| Failure::of(place, "NotRawImage: it was built without sectors"))
}
