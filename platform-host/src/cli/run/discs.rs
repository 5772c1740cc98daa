//! The disc that is played: a world's folder or a sample as one, and what else a file may be.

use std::path::{Path, PathBuf};

use overworld_host::drive::ImageDrive;
use overworld_host::identify::{self, Kind};
use overworld_host::pads::Pads;
use overworld_host::world::{MANIFEST, World};
use overworld_host::{image, input};

use super::super::Failure;

/// What else can be done with a file that is no disc image.
pub(super) fn other_way(path: &Path) -> String {
    if path.file_name().is_some_and(|it| it == MANIFEST) && path.is_file() {
        return format!(
            "; it is a world's list of files: name its folder, {}",
            folder_of(path)
        );
    }
    known_way(path).to_owned()
}

/// The folder of a file, as it is named.
fn folder_of(path: &Path) -> String {
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
    folder.map_or_else(|| ".".to_owned(), |it| it.display().to_string())
}

/// What can be done with a file by what it holds.
fn known_way(path: &Path) -> &'static str {
    // Neither standard input nor a pipe, which are read only once.
    if !path.is_file() {
        return "";
    }
    match identify::file(path).map(|it| it.kind) {
        Ok(Kind::Wad) => {
            "; it is a level: make a world of it with overworld llama world, and play the folder"
        }
        Ok(Kind::Ff8) => {
            "; it is a battle model: look at it with overworld ff8 strip, or play it as the \"creature\" of a world"
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
            "; it is a part of a scene: a world's folder names such files, as overworld world new writes one"
        }
        Ok(Kind::Unknown) => match input::read(path, input::FILE) {
            Ok(data) if Pads::parse(&data).is_ok() => {
                "; it is a pad log: --replay plays what it holds"
            }
            Ok(data) if data.starts_with(b"GIF8") || data.starts_with(b"\x89PNG") => {
                "; it is a picture, which run writes and does not play"
            }
            _ => "",
        },
        _ => "",
    }
}

/// The disc of a world's folder, built in memory, and the files that it is built from.
pub(super) fn world_drive(folder: &Path) -> Result<(ImageDrive, Vec<PathBuf>), Failure> {
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
pub(super) fn sample_drive(
    place: &str,
    image: Result<Vec<u8>, String>,
) -> Result<ImageDrive, Failure> {
    let image = image.map_err(|error| Failure::of(place, error))?;
    ImageDrive::from_bytes(image)
        .ok_or_else(|| Failure::of(place, "NotRawImage: it was built without sectors"))
}
