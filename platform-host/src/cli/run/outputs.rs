//! Where `overworld run` writes: never over what it plays, and each output to a file of its own.

use std::path::{Path, PathBuf};

use overworld_host::output;

use super::{PICTURE, Run};
use crate::cli::{Failure, files};

impl Run {
    /// That no output is an input, and no two are one file. A picture is `kept` if nothing else is
    /// asked for.
    pub(super) fn check_outputs(
        &self,
        inputs: &[PathBuf],
        frames: u32,
        kept: bool,
    ) -> Result<(), Failure> {
        let stream = |it: &&PathBuf| !files::is_stream(it);
        let mut outputs: Vec<&Path> = Vec::new();
        outputs.extend(self.hashes.as_ref().filter(stream).map(PathBuf::as_path));
        outputs.extend(self.gif.as_deref());
        outputs.extend(self.record.as_deref());
        // Without --force what is there is left alone.
        let asked = self.hashes.is_some() || self.gif.is_some() || self.png.is_some();
        if kept && self.force && !asked {
            outputs.push(Path::new(PICTURE));
        }
        let folder = self.png.as_deref().map(output::place);
        let is_picture = |place: &Path| {
            let name = place.file_name().and_then(|it| it.to_str());
            folder.is_some()
                && place.parent() == folder.as_deref()
                && number(name).is_some_and(|it| it < frames)
        };
        let places: Vec<PathBuf> = outputs.iter().map(|it| output::place(it)).collect();
        for input in inputs {
            let place = output::place(input);
            let same = outputs.iter().zip(&places).find(|(_, it)| **it == place);
            if let Some((path, _)) = same {
                return Err(files::in_place(path));
            }
            if is_picture(&place) {
                return Err(files::in_place(input));
            }
        }
        for (index, (path, place)) in outputs.iter().zip(&places).enumerate() {
            if places.iter().take(index).any(|it| it == place)
                || is_picture(place)
                || Some(place) == folder.as_ref()
            {
                return Err(Failure::usage(format!(
                    "{}: two outputs would be this one file",
                    path.display()
                )));
            }
        }
        Ok(())
    }
}

/// How many pictures of frames that were not played lie in a folder: those of a longer play before.
pub(super) fn beyond(folder: &Path, frames: u32) -> usize {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.map(|it| it.file_name());
    names
        .filter(|name| number(name.to_str()).is_some_and(|it| it >= frames))
        .count()
}

/// The frame whose picture has this name.
fn number(name: Option<&str>) -> Option<u32> {
    let number = name?.strip_prefix("frame")?.strip_suffix(".png")?;
    let number = number.parse().ok()?;
    (name == Some(&picture(number))).then_some(number)
}

/// Name of a frame's picture in the folder of `--png`.
pub(super) fn picture(frame: u32) -> String {
    format!("frame{frame:05}.png")
}
