//! What is on a disc.

use std::fmt;
use std::ops::ControlFlow;

use overworld_runtime::disc::cdname;
use overworld_runtime::disc::iso::{self, Extent, Form};
use overworld_runtime::platform::{Drive, SECTOR};

mod bounds;

pub use bounds::{Bounds, DEPTH, ENTRIES, Excess, PATH_BYTES, beyond};

/// Sectors of `/CDNAME.TXT` that are read.
const NAME_SECTORS: u32 = 64;

/// One file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its path from the root, with a leading slash, without the version.
    pub path: String,
    /// Where it lies.
    pub extent: Extent,
    /// Whether that is all of it.
    pub form: Form,
}

impl Entry {
    /// Where it lies, if that is all of it.
    ///
    /// # Errors
    /// [`iso::Error::Interleaved`], [`iso::Error::MultiExtent`].
    pub const fn whole<E>(&self) -> Result<Extent, iso::Error<E>> {
        self.form.whole(self.extent)
    }
}

/// Why a disc has no list of files (disc sheet, section 9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error<E> {
    /// The volume or a directory cannot be read.
    Iso(iso::Error<E>),
    /// `DirTooLarge`: the directories together are more than a disc can have.
    DirTooLarge {
        /// First sector of the directory at which that was found.
        lba: u32,
        /// What is too much.
        excess: Excess,
    },
}

impl<E: fmt::Display> fmt::Display for Error<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Iso(error) => error.fmt(f),
            Self::DirTooLarge { lba, excess } => {
                write!(f, "DirTooLarge: the directory at sector {lba}: {excess}")
            }
        }
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for Error<E> {}

impl<E> From<iso::Error<E>> for Error<E> {
    fn from(error: iso::Error<E>) -> Self {
        Self::Iso(error)
    }
}

/// All files of the disc, directory by directory, in the order of their records; one in several
/// sections has an entry for each. [`Entry::form`] tells of those that are not in one piece.
///
/// # Errors
/// See [`Error`].
pub fn files<D: Drive>(drive: &mut D) -> Result<Vec<Entry>, Error<D::Error>> {
    let mut scratch = [0; SECTOR];
    let volume = iso::primary(drive, &mut scratch)?;
    let mut out = Vec::new();
    let mut open = vec![(String::new(), volume.root, 0)];
    let mut bounds = Bounds::default();
    while let Some((prefix, directory, depth)) = open.pop() {
        let too_large = |excess| Error::DirTooLarge {
            lba: directory.lba,
            excess,
        };
        bounds.directory(directory, depth).map_err(too_large)?;
        let mut below: Vec<(String, Extent, usize)> = Vec::new();
        let end = iso::walk(drive, &volume, directory, &mut scratch, |record| {
            if !matches!(record.name, [0] | [1]) {
                let name = String::from_utf8_lossy(record.plain_name());
                let path = format!("{prefix}/{name}");
                if let Err(excess) = bounds.entry(&path) {
                    return ControlFlow::Break(too_large(excess));
                }
                if record.directory {
                    match record.whole() {
                        Ok(extent) => below.push((path, extent, depth + 1)),
                        Err(error) => return ControlFlow::Break(Error::Iso(error)),
                    }
                } else {
                    out.push(Entry {
                        path,
                        extent: record.extent,
                        form: record.form,
                    });
                }
            }
            ControlFlow::Continue(())
        })?;
        if let Some(error) = end {
            return Err(error);
        }
        // The first directory is the next one to be looked at.
        open.extend(below.into_iter().rev());
    }
    Ok(out)
}

/// The usable lines of `/CDNAME.TXT` in the order of the file, each with its name and first raw
/// index; names that are no UTF-8 have replacement characters. Empty without such a file; of a long
/// file the first 128 KiB are read.
///
/// # Errors
/// See [`iso::Error`].
pub fn names<D: Drive>(drive: &mut D) -> Result<Vec<(String, u32)>, iso::Error<D::Error>> {
    let mut scratch = [0; SECTOR];
    let extent = match iso::find(drive, "CDNAME.TXT", &mut scratch) {
        Ok(extent) => extent,
        Err(iso::Error::NotFound { .. }) => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut data = vec![[0; SECTOR]; extent.sectors().min(NAME_SECTORS) as usize];
    drive
        .read(extent.lba, &mut data)
        .map_err(iso::Error::Drive)?;
    let text = data.as_flattened();
    let text = text.get(..extent.size as usize).unwrap_or(text);
    let name = |it: cdname::Define<'_>| (String::from_utf8_lossy(it.name).into_owned(), it.raw);
    Ok(cdname::defines(text).map(name).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drive::ImageDrive;
    use crate::image::{self, Tree};

    #[test]
    fn all_files_are_listed_with_their_paths() {
        let mut tree = Tree::new();
        for path in ["B.DAT", "MOV/A.STR", "MOV/DEEP/C.STR", "XA/D.XA"] {
            tree.file(path, path.as_bytes().repeat(300)).unwrap();
        }
        tree.directory("EMPTY").unwrap();
        let image = image::build(&tree).unwrap();
        let mut drive = ImageDrive::from_bytes(image).unwrap();
        let found = files(&mut drive).unwrap();
        let paths: Vec<&str> = found.iter().map(|it| it.path.as_str()).collect();
        assert_eq!(
            paths,
            ["/B.DAT", "/MOV/A.STR", "/MOV/DEEP/C.STR", "/XA/D.XA"]
        );
        for entry in &found {
            let name = &entry.path[1..];
            assert_eq!(entry.extent.size as usize, name.len() * 300);
            let mut sector = [[0; SECTOR]];
            drive.read(entry.extent.lba, &mut sector).unwrap();
            assert!(sector[0].starts_with(name.as_bytes()));
        }
    }

    #[test]
    fn a_directory_that_contains_itself_is_an_error() {
        let mut tree = Tree::new();
        tree.directory("LOOP").unwrap();
        let image = image::build(&tree).unwrap();
        let mut drive = ImageDrive::from_bytes(image.clone()).unwrap();
        assert_eq!(files(&mut drive).unwrap(), []);
        // Root is at 22: let its record of LOOP point at the root.
        let raw = &image[22 * 2352..23 * 2352];
        let mut data: [u8; 2048] = raw[24..2072].try_into().unwrap();
        let at = 96;
        assert_eq!(&data[at + 33..at + 37], b"LOOP");
        data[at + 2] = 22;
        let mut sector = [0; 2352];
        overworld_runtime::disc::sector::build(22, 0x89, &data, &mut sector).unwrap();
        let mut image = image;
        image[22 * 2352..23 * 2352].copy_from_slice(&sector);
        let mut drive = ImageDrive::from_bytes(image).unwrap();
        let error = files(&mut drive).unwrap_err();
        assert_eq!(
            error,
            Error::DirTooLarge {
                lba: 22,
                excess: Excess::Again
            }
        );
        assert_eq!(
            error.to_string(),
            "DirTooLarge: the directory at sector 22: the directory contains itself, or stands in \
             two places"
        );
    }

    #[test]
    fn directories_that_overlap_are_an_error() {
        let mut tree = Tree::new();
        for number in 0..60 {
            tree.file(&format!("A/F{number:07}.DAT"), vec![]).unwrap();
        }
        tree.directory("B").unwrap();
        let mut image = image::build(&tree).unwrap();
        let mut drive = ImageDrive::from_bytes(image.clone()).unwrap();
        assert_eq!(files(&mut drive).unwrap().len(), 60);
        // Root is at 22, A at 23 and 24, B at 25: let B begin in the second sector of A.
        let raw: &mut [u8; 2352] = (&mut image[22 * 2352..][..2352]).try_into().unwrap();
        let record = &mut raw[24 + 96 + 48..];
        assert_eq!((record[2], record[33]), (25, b'B'));
        record[2] = 24;
        overworld_runtime::disc::sector::seal(raw);
        let mut drive = ImageDrive::from_bytes(image).unwrap();
        assert_eq!(
            files(&mut drive),
            Err(Error::DirTooLarge {
                lba: 24,
                excess: Excess::Shared { lba: 23 }
            })
        );
    }
}
