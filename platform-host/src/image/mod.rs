//! Builder of disc images: Mode 2 Form 1 sectors of 2352 bytes with an ISO9660 volume
//! (disc sheet, sections 1 and 2; HAL sheet, section 6.6).
//!
//! The bytes depend on the tree alone: all dates are one constant, and files and directories are
//! laid out by name. The licence sectors stay empty.

mod volume;

use std::collections::BTreeMap;
use std::fmt;

use overworld_runtime::disc::{iso, sector};

/// Bytes of user data in a sector.
const SECTOR: usize = overworld_runtime::platform::SECTOR;

/// Sectors before the volume descriptor; all zero, no licence data.
pub const SYSTEM_AREA: u32 = 16;

/// Blank sectors after the last file, so that a drive can read ahead.
pub const TAIL: u32 = 150;

/// What cannot be put on a disc.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// A name is not upper case 8.3.
    BadName {
        /// The whole path.
        path: String,
    },
    /// The path is taken, or one of its directories is a file.
    Exists {
        /// The whole path.
        path: String,
    },
    /// A path has more than seven directories above the file.
    TooDeep {
        /// The whole path.
        path: String,
    },
    /// A directory's records take more than [`DIRECTORY_LIMIT`](iso::DIRECTORY_LIMIT) bytes, which
    /// no reader of ours would read.
    DirTooLarge {
        /// The directory's path; empty for the root.
        path: String,
        /// Bytes of its records.
        size: u64,
    },
    /// The path table has more than 65,535 directories.
    TooManyDirectories,
    /// The image would need addresses past minute 99.
    TooLarge {
        /// Sectors it would take.
        sectors: u64,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadName { path } => write!(
                f,
                "BadName: \"{path}\": expected names of A-Z, 0-9 and _, at most 8, a dot, at most 3"
            ),
            Self::Exists { path } => {
                write!(
                    f,
                    "Exists: \"{path}\" is on the disc already, or lies below a file"
                )
            }
            Self::TooDeep { path } => {
                write!(
                    f,
                    "TooDeep: \"{path}\" lies below more than seven directories"
                )
            }
            Self::DirTooLarge { path, size } => write!(
                f,
                "DirTooLarge: the records of \"/{path}\" take {size} bytes, at most {} are read: put \
                 files into more directories",
                iso::DIRECTORY_LIMIT
            ),
            Self::TooManyDirectories => f.write_str("TooManyDirectories: more than 65535"),
            Self::TooLarge { sectors } => {
                write!(
                    f,
                    "TooLarge: {sectors} sectors are more than the addresses of a CD can name"
                )
            }
        }
    }
}

impl std::error::Error for Error {}

/// What stands in a directory.
#[derive(Clone, Debug)]
enum Node {
    File(Vec<u8>),
    Directory(BTreeMap<String, Node>),
}

/// The files of a disc.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    root: BTreeMap<String, Node>,
}

impl Tree {
    /// An empty disc.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Add a file; `path` is like `PROT.DAT` or `MOV/INTRO.STR`, without a version. Missing
    /// directories are made.
    ///
    /// # Errors
    /// [`Error::BadName`], [`Error::Exists`], [`Error::TooDeep`].
    pub fn file(&mut self, path: &str, data: Vec<u8>) -> Result<(), Error> {
        let (folder, name) = self.place(path)?;
        folder.insert(name, Node::File(data));
        Ok(())
    }

    /// Add an empty directory.
    ///
    /// # Errors
    /// As [`Tree::file`].
    pub fn directory(&mut self, path: &str) -> Result<(), Error> {
        let (folder, name) = self.place(path)?;
        folder.insert(name, Node::Directory(BTreeMap::new()));
        Ok(())
    }

    fn place(&mut self, path: &str) -> Result<(&mut BTreeMap<String, Node>, String), Error> {
        let bad = || Error::BadName {
            path: path.to_owned(),
        };
        let mut names = path.split('/');
        let last = names.next_back().ok_or_else(bad)?;
        let mut folder = &mut self.root;
        for (depth, name) in names.enumerate() {
            // ISO9660 allows eight levels, the root being the first.
            if depth >= 7 {
                return Err(Error::TooDeep {
                    path: path.to_owned(),
                });
            }
            if !is_name(name) || name.contains('.') {
                return Err(bad());
            }
            let node = folder
                .entry(name.to_owned())
                .or_insert_with(|| Node::Directory(BTreeMap::new()));
            match node {
                Node::Directory(children) => folder = children,
                Node::File(_) => {
                    return Err(Error::Exists {
                        path: path.to_owned(),
                    });
                }
            }
        }
        if !is_name(last) {
            return Err(bad());
        }
        if folder.contains_key(last) {
            return Err(Error::Exists {
                path: path.to_owned(),
            });
        }
        Ok((folder, last.to_owned()))
    }
}

/// ISO9660 level 1 without the version: upper case 8.3.
fn is_name(name: &str) -> bool {
    let (stem, extension) = name.split_once('.').unwrap_or((name, "X"));
    let fine = |part: &str, most: usize| {
        (1..=most).contains(&part.len())
            && part
                .bytes()
                .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
    };
    fine(stem, 8) && fine(extension, 3)
}

/// Build the `.bin`: a whole number of sectors of 2352 bytes.
///
/// # Errors
/// [`Error::TooManyDirectories`], [`Error::DirTooLarge`], [`Error::TooLarge`].
pub fn build(tree: &Tree) -> Result<Vec<u8>, Error> {
    let volume = volume::Layout::new(&tree.root)?;
    let too_large = Error::TooLarge {
        sectors: u64::from(volume.sectors()),
    };
    let mut image = Vec::with_capacity(volume.sectors() as usize * sector::RAW);
    let mut lba = 0;
    let mut put = |data: &[u8; SECTOR], submode: u8| -> Result<(), Error> {
        let mut raw = [0; sector::RAW];
        sector::build(lba, submode, data, &mut raw).map_err(|_| too_large.clone())?;
        image.extend_from_slice(&raw);
        lba += 1;
        Ok(())
    };
    let blank = [0; SECTOR];
    for _ in 0..SYSTEM_AREA {
        put(&blank, sector::SUBMODE_DATA)?;
    }
    for (extent, last) in volume.extents() {
        let mut rest = extent;
        while !rest.is_empty() {
            let (now, later) = rest.split_at(rest.len().min(SECTOR));
            let mut data = blank;
            data[..now.len()].copy_from_slice(now);
            put(
                &data,
                if later.is_empty() {
                    last
                } else {
                    sector::SUBMODE_DATA
                },
            )?;
            rest = later;
        }
    }
    for _ in 0..TAIL {
        put(&blank, sector::SUBMODE_DATA)?;
    }
    Ok(image)
}

/// The `.cue` for a `.bin` of this file name.
#[must_use]
pub fn cue_text(bin_name: &str) -> String {
    format!("FILE \"{bin_name}\" BINARY\r\n  TRACK 01 MODE2/2352\r\n    INDEX 01 00:00:00\r\n")
}

#[cfg(test)]
mod tests;
