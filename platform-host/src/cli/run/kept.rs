//! Files that a run writes: what exists with other content is left alone without `--force`.

use std::io;
use std::path::Path;

use overworld_host::{input, output};

use super::super::Failure;

/// A file that grows frame by frame and is written at its end.
pub struct Growing<'a> {
    path: &'a Path,
    force: bool,
    /// What the file holds already and must not lose.
    present: Option<Vec<u8>>,
}

impl<'a> Growing<'a> {
    /// Begin: the file can be written, or is there and only read.
    pub fn new(path: &'a Path, force: bool) -> Result<Self, Failure> {
        let read = || {
            output::check_target(path)?;
            match input::read(path, input::FILE) {
                Ok(bytes) => Ok(Some(bytes)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
                Err(error) => Err(error),
            }
        };
        let of = |error: io::Error| Failure::of(path.display(), error);
        let present = match force {
            true => None,
            false => read().map_err(of)?,
        };
        if present.is_none() {
            output::check_writable(path).map_err(of)?;
        }
        Ok(Self {
            path,
            force,
            present,
        })
    }

    /// That it could be made longer.
    pub fn grown<T>(&self, added: io::Result<T>) -> Result<(), Failure> {
        let failure = |error| Failure::of(self.path.display(), error);
        added.map(drop).map_err(failure)
    }

    /// Look at what was added from `before` on: a file of something else is told at the first frame that differs.
    pub fn goes_on(&self, written: &[u8], before: usize) -> Result<(), Failure> {
        let same = self
            .present
            .as_ref()
            .is_none_or(|present| present.get(before..written.len()) == written.get(before..));
        if same {
            Ok(())
        } else {
            Err(other_content(self.path))
        }
    }

    /// Write it.
    pub fn finish(&self, bytes: io::Result<Vec<u8>>) -> Result<(), Failure> {
        let kept = bytes.and_then(|bytes| keep(self.path, &bytes, self.force));
        kept_or_failure(self.path, kept)
    }
}

/// A picture in a folder of them.
pub fn picture(path: &Path, png: io::Result<Vec<u8>>, force: bool) -> Result<(), Failure> {
    kept_or_failure(path, png.and_then(|png| keep(path, &png, force)))
}

fn kept_or_failure(path: &Path, kept: io::Result<bool>) -> Result<(), Failure> {
    match kept {
        Ok(true) => Ok(()),
        Ok(false) => Err(other_content(path)),
        Err(error) => Err(Failure::of(path.display(), error)),
    }
}

/// Put `bytes` at `path`, unless it holds them already. `false` if it holds something else and
/// `force` is not set.
pub fn keep(path: &Path, bytes: &[u8], force: bool) -> io::Result<bool> {
    if !force {
        output::check_target(path)?;
        if !output::is_free_or_equal(path, bytes)? {
            return Ok(false);
        }
        if path.is_file() {
            return Ok(true);
        }
    }
    output::replace(path, bytes)?;
    Ok(true)
}

/// A file that exists and is not what would be written.
fn other_content(path: &Path) -> Failure {
    Failure::of(
        path.display(),
        "exists with other content; --force replaces it",
    )
}
