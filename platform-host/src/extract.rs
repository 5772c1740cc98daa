//! Files out of an image into a folder: all of them whole, or none.
//!
//! Everything is read into a folder of its own inside the target first; only when the last byte is
//! there the files are moved to their places. Names come from the disc, so they are not trusted.

use std::collections::HashSet;
use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use overworld_runtime::disc::iso::{self, Extent};
use overworld_runtime::disc::sector::{self, Contents, RAW};
use overworld_runtime::platform::{Drive, SECTOR};

use crate::drive::{self, ImageDrive, Layout};
use crate::listing::{self, Entry};
use crate::{output, signals};

/// Why nothing was extracted.
#[derive(Debug)]
pub enum Error {
    /// A name that cannot be a file's, or would leave the folder.
    BadName {
        /// The path on the disc.
        path: String,
    },
    /// A file does not lie in one piece.
    InPieces {
        /// The path on the disc.
        path: String,
        /// [`iso::Error::Interleaved`] or [`iso::Error::MultiExtent`].
        error: iso::Error<drive::Error>,
    },
    /// Two files of the disc would be the same file of the folder.
    SameName {
        /// The path on the disc.
        path: String,
        /// The other one.
        other: String,
    },
    /// The files take more sectors than the image has, so they share most of them.
    SizeLimit {
        /// The path on the disc of the first one that is too much.
        path: String,
        /// Sectors of the image.
        sectors: u32,
    },
    /// A file of the disc would take the place of the image or of its sheet.
    Input {
        /// The file in the way.
        path: PathBuf,
    },
    /// A file exists with other content.
    Exists {
        /// The file in the way.
        path: PathBuf,
    },
    /// What is in a file's place is none, and nothing is put in the place of such.
    NotAFile {
        /// What is in the way.
        path: PathBuf,
        /// What it is, as [`output::check_target`] says.
        error: io::Error,
    },
    /// A folder on the way is a symbolic link or a file.
    NotAFolder {
        /// What is in the way.
        path: PathBuf,
    },
    /// The image cannot be read.
    Drive {
        /// The path on the disc.
        path: String,
        /// Why.
        error: drive::Error,
    },
    /// The folder cannot be written.
    Io {
        /// Where.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadName { path } => write!(
                f,
                "BadName: \"{}\" on the disc cannot be the name of a file here",
                path.escape_debug()
            ),
            Self::InPieces { path, error } => write!(f, "{path}: {error}"),
            Self::SameName { path, other } => write!(
                f,
                "SameName: \"{path}\" and \"{other}\" on the disc would be one file here"
            ),
            Self::SizeLimit { path, sectors } => write!(
                f,
                "SizeLimit: {path} and the files before it take more than the {sectors} sectors of \
                 the image: their records share sectors; extract fewer of them at a time"
            ),
            Self::Input { path } => write!(
                f,
                "{}: is the input; nothing is overwritten in place",
                path.display()
            ),
            Self::Exists { path } => write!(
                f,
                "{}: exists already with other content; name a new folder, or use --force",
                path.display()
            ),
            Self::NotAFolder { path } => write!(
                f,
                "{}: a link or a file, where a folder is needed; nothing is written through it",
                path.display()
            ),
            Self::Drive { path, error } => write!(f, "{path}: {error}"),
            Self::Io { path, error } | Self::NotAFile { path, error } => {
                write!(f, "{}: {error}", path.display())
            }
        }
    }
}

impl std::error::Error for Error {}

/// A file that was extracted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extracted {
    /// Its path on the disc.
    pub path: String,
    /// The file.
    pub file: PathBuf,
    /// Its bytes.
    pub bytes: u64,
    /// Whether it holds whole raw sectors of 2352 bytes, because some of them are Form 2 (audio or
    /// video), whose payload is longer than the directory counts.
    pub raw: bool,
}

/// The components of a path on the disc, if each can be a file's name anywhere.
fn components(path: &str) -> Option<Vec<&str>> {
    let parts: Vec<&str> = path.strip_prefix('/').unwrap_or(path).split('/').collect();
    let fine = |part: &&str| {
        let stem = part.split('.').next().unwrap_or_default();
        let reserved = ["CON", "PRN", "AUX", "NUL"];
        let numbered = ["COM", "LPT"];
        !part.is_empty()
            && part.len() <= 255
            && !matches!(*part, "." | "..")
            && !part.ends_with(['.', ' '])
            && !part.starts_with(output::PREFIX)
            && part
                .chars()
                .all(|c| !c.is_control() && !"/\\:*?\"<>|\u{FFFD}".contains(c))
            && !reserved.iter().any(|it| stem.eq_ignore_ascii_case(it))
            && !(stem.len() == 4
                && stem
                    .get(..3)
                    .is_some_and(|it| numbered.iter().any(|name| name.eq_ignore_ascii_case(it)))
                && stem.ends_with(|c: char| c.is_ascii_digit()))
    };
    parts.iter().all(fine).then_some(parts)
}

/// Extract `files` of an image into `folder`, which is made if it does not exist. `progress` is
/// told how many of all steps are done: a sector that is copied is one, a file that is moved to its
/// place another.
///
/// Files that exist with the same content are no conflict; with `force` others are replaced.
///
/// # Errors
/// See [`Error`]; nothing was changed then, but for an error of the file system in the last step,
/// the moving.
pub fn extract(
    drive: &mut ImageDrive,
    files: &[Entry],
    folder: &Path,
    force: bool,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Vec<Extracted>, Error> {
    let plan = plan(files, folder)?;
    let inputs: Vec<PathBuf> = drive.files().iter().map(|it| output::place(it)).collect();
    // Those that do not exist are no inputs.
    let is_input = |it: &&PathBuf| fs::canonicalize(it).is_ok_and(|it| inputs.contains(&it));
    if let Some(path) = plan.iter().find(is_input) {
        return Err(Error::Input { path: path.clone() });
    }
    let limit = drive.sectors();
    if let Some(index) = listing::beyond(files.iter().map(|it| it.extent), limit) {
        let path = files.get(index).map(|it| it.path.clone());
        return Err(Error::SizeLimit {
            path: path.unwrap_or_default(),
            sectors: limit,
        });
    }
    let sectors: u64 = files.iter().map(|it| u64::from(it.extent.sectors())).sum();
    let total = sectors + files.len() as u64;
    let io = |path: &Path| {
        let path = path.to_owned();
        move |error| Error::Io { path, error }
    };
    // A signal waits until the stage is gone.
    let _guard = signals::Guard::new();
    let (made, stage) = output::Stage::in_new(folder).map_err(io(folder))?;
    let mut done = 0;
    let mut staged = Vec::new();
    for (number, (entry, target)) in files.iter().zip(&plan).enumerate() {
        let temporary = stage.path().join(number.to_string());
        let (bytes, raw) = copy(drive, entry, &temporary, target, &mut |sectors| {
            progress(done + u64::from(sectors), total);
        })?;
        done += u64::from(entry.extent.sectors());
        staged.push((temporary, target, entry, bytes, raw));
    }
    progress(done, total);
    if !force {
        for (temporary, target, ..) in &staged {
            signals::check().map_err(io(folder))?;
            if !is_free(temporary, target).map_err(io(target))? {
                return Err(Error::Exists {
                    path: target.to_path_buf(),
                });
            }
        }
    }
    signals::check().map_err(io(folder))?;
    let mut out = Vec::new();
    for (temporary, target, entry, bytes, raw) in staged {
        let parent = target.parent().unwrap_or(folder);
        fs::create_dir_all(parent).map_err(io(parent))?;
        output::keep_mode(&temporary, target).map_err(io(target))?;
        fs::rename(&temporary, target).map_err(io(target))?;
        out.push(Extracted {
            path: entry.path.clone(),
            file: target.clone(),
            bytes,
            raw,
        });
        done += 1;
        progress(done, total);
    }
    made.keep();
    Ok(out)
}

/// The path of a file as people write it: ISO9660 has a dot in every name, `FILE.;1` in one without an
/// extension, and the programs that make discs of files add it.
#[must_use]
pub fn without_dot(path: &str) -> &str {
    match path.strip_suffix('.') {
        Some(rest) if !rest.ends_with(['.', '/']) => rest,
        _ => path,
    }
}

/// Where each file goes; nothing is touched yet.
fn plan(files: &[Entry], folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut targets: Vec<PathBuf> = Vec::new();
    let mut taken = std::collections::BTreeMap::new();
    // Folders of the disc that were looked at here.
    let mut folders = HashSet::new();
    for entry in files {
        let bad = || Error::BadName {
            path: entry.path.clone(),
        };
        if let Err(error) = entry.whole() {
            let path = entry.path.clone();
            return Err(Error::InPieces { path, error });
        }
        let path = without_dot(&entry.path);
        let parts = components(path).ok_or_else(bad)?;
        // Some file systems do not tell upper from lower case.
        let key = path.to_uppercase();
        if let Some(other) = taken.insert(key, &entry.path) {
            return Err(Error::SameName {
                path: entry.path.clone(),
                other: other.clone(),
            });
        }
        let mut target = folder.to_owned();
        let (last, parents) = parts.split_last().ok_or_else(bad)?;
        let mut length = usize::from(entry.path.starts_with('/'));
        for part in parents {
            target.push(part);
            length += part.len();
            let known = !folders.insert(entry.path.get(..length).unwrap_or(&entry.path));
            length += 1;
            if known {
                continue;
            }
            match fs::symlink_metadata(&target) {
                Ok(found) if !found.is_dir() => {
                    return Err(Error::NotAFolder { path: target });
                }
                _ => {}
            }
        }
        target.push(last);
        if fs::symlink_metadata(&target).is_ok_and(|found| !found.is_file()) {
            // With --force, too.
            return Err(match output::check_target(&target) {
                Err(error) => Error::NotAFile {
                    path: target,
                    error,
                },
                Ok(()) => Error::Exists { path: target },
            });
        }
        targets.push(target);
    }
    // A file where another one needs a folder.
    for entry in files {
        if folders.contains(without_dot(&entry.path)) {
            return Err(Error::BadName {
                path: entry.path.clone(),
            });
        }
    }
    Ok(targets)
}

/// Whether moving `from` to `to` loses nothing.
fn is_free(from: &Path, to: &Path) -> io::Result<bool> {
    match fs::metadata(to) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(error) => Err(error),
        Ok(found) if found.len() != fs::metadata(from)?.len() => Ok(false),
        Ok(_) => output::is_free_or_equal(to, &fs::read(from)?),
    }
}

/// Copy one file of the disc to `temporary`, which errors call by the name of `target`; its bytes,
/// and whether it was copied raw.
fn copy(
    drive: &mut ImageDrive,
    entry: &Entry,
    temporary: &Path,
    target: &Path,
    progress: &mut dyn FnMut(u32),
) -> Result<(u64, bool), Error> {
    let io = |error| Error::Io {
        path: target.to_owned(),
        error,
    };
    let bad = |error| Error::Drive {
        path: entry.path.clone(),
        error,
    };
    let Extent { lba, size } = entry.extent;
    let sectors = entry.extent.sectors();
    // An extent that leaves the image is found before anything is written.
    drive.start(lba, sectors).map_err(bad)?;
    drive.stop().map_err(bad)?;
    let raw = drive.layout() == Layout::Raw && has_form2(drive, entry.extent).map_err(bad)?;
    let mut out = io::BufWriter::new(fs::File::create_new(temporary).map_err(io)?);
    let mut left = size as usize;
    let mut written = 0;
    for index in 0..sectors {
        signals::check().map_err(io)?;
        let mut whole = [0; RAW];
        let mut user = [0; SECTOR];
        let bytes = if raw {
            checked(drive, lba + index, &mut whole).map_err(bad)?;
            &whole[..]
        } else {
            drive
                .read(lba + index, std::slice::from_mut(&mut user))
                .map_err(bad)?;
            &user[..left.min(SECTOR)]
        };
        out.write_all(bytes).map_err(io)?;
        written += bytes.len() as u64;
        left = left.saturating_sub(SECTOR);
        progress(index + 1);
    }
    out.into_inner().map_err(|error| io(error.into_error()))?;
    Ok((written, raw))
}

/// A raw sector of either form, with everything checked.
fn checked(drive: &mut ImageDrive, lba: u32, out: &mut sector::Raw) -> Result<(), drive::Error> {
    drive.raw(lba, out)?;
    match sector::inspect(out) {
        Ok((found, _)) if found == lba => Ok(()),
        Ok((found, _)) => Err(drive::Error::WrongAddress { lba, found }),
        Err(error) => Err(drive::Error::Sector { lba, error }),
    }
}

/// Whether one of the sectors is Form 2. Damaged ones are found while copying.
fn has_form2(drive: &mut ImageDrive, extent: Extent) -> Result<bool, drive::Error> {
    let mut raw = [0; RAW];
    for index in 0..extent.sectors() {
        drive.raw(extent.lba + index, &mut raw)?;
        if matches!(sector::inspect(&raw), Ok((_, Contents::Form2(_)))) {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::{self, Tree};

    fn entry(path: &str) -> Entry {
        Entry {
            path: path.to_owned(),
            extent: Extent { lba: 0, size: 0 },
            form: iso::Form::Whole,
        }
    }

    #[test]
    fn names_that_play_tricks_are_refused() {
        for path in [
            "/../A",
            "/A/../B",
            "/.",
            "/..",
            "/",
            "//A",
            "/A//B",
            "/C:A",
            "/A\\B",
            "/A\0",
            "/A\n",
            "/CON",
            "/nul.TXT",
            "/COM1.X",
            "/A..",
            "/A./B",
            "/A ",
            "/A\u{FFFD}",
            "/.overworld-x",
        ] {
            let folder = Path::new("f");
            assert!(
                matches!(plan(&[entry(path)], folder), Err(Error::BadName { .. })),
                "{path:?}"
            );
        }
        for path in ["/A", "/A.B", "/DIR/SLUS_999.99", "/COMB.X", "/...A"] {
            let target = plan(&[entry(path)], Path::new("f")).unwrap();
            assert_eq!(target, [Path::new("f").join(&path[1..])], "{path}");
        }
        // The dot of a name without an extension.
        let target = plan(&[entry("/DIR/FILE.")], Path::new("f")).unwrap();
        assert_eq!(target, [Path::new("f/DIR/FILE")]);
        let same = plan(&[entry("/A."), entry("/A")], Path::new("f"));
        assert!(matches!(same, Err(Error::SameName { .. })));
        let below = plan(&[entry("/A."), entry("/A/B")], Path::new("f"));
        assert!(matches!(below, Err(Error::BadName { .. })));
        let same = plan(&[entry("/A"), entry("/a")], Path::new("f"));
        assert!(matches!(same, Err(Error::SameName { .. })));
        let below = plan(&[entry("/A"), entry("/A/B")], Path::new("f"));
        assert!(matches!(below, Err(Error::BadName { .. })));
    }

    fn disc() -> ImageDrive {
        let mut tree = Tree::new();
        tree.file("A.DAT", vec![7; 5000]).unwrap();
        tree.file("MOV/B.DAT", b"b".to_vec()).unwrap();
        tree.file("EMPTY", Vec::new()).unwrap();
        ImageDrive::from_bytes(image::build(&tree).unwrap()).unwrap()
    }

    fn run(drive: &mut ImageDrive, folder: &Path, force: bool) -> Result<Vec<Extracted>, Error> {
        let files = listing::files(drive).unwrap();
        let mut last = (0, 0);
        let result = extract(drive, &files, folder, force, &mut |done, total| {
            assert!(done >= last.0 && done <= total, "{last:?} {done} {total}");
            last = (done, total);
        });
        if result.is_ok() {
            assert_eq!(last.0, last.1, "the progress reaches its end");
        }
        result
    }

    #[test]
    fn many_files_are_planned_in_time() {
        let files: Vec<Entry> = (0..40_000)
            .map(|it| entry(&format!("/FOLDER{:03}/F{it:07}.DAT", it / 1000)))
            .collect();
        let began = std::time::Instant::now();
        let targets = plan(&files, Path::new("f")).unwrap();
        // Every one against every other one takes minutes.
        assert!(began.elapsed().as_secs() < 60, "{:?}", began.elapsed());
        assert_eq!(targets.len(), files.len());
        assert_eq!(targets[39_999], Path::new("f/FOLDER039/F0039999.DAT"));
        // A file in the place of a folder is found wherever it stands.
        for path in ["/FOLDER010", "/FOLDER010/F0010000.DAT/X"] {
            let all = [&files[..], &[entry(path)]].concat();
            assert!(matches!(
                plan(&all, Path::new("f")),
                Err(Error::BadName { .. })
            ));
        }
    }

    #[test]
    fn all_files_come_out_and_none_is_overwritten() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("new/out");
        let out = run(&mut disc(), &folder, false).unwrap();
        assert_eq!(out.len(), 3);
        assert_eq!(fs::read(folder.join("A.DAT")).unwrap(), vec![7; 5000]);
        assert_eq!(fs::read(folder.join("MOV/B.DAT")).unwrap(), b"b");
        assert_eq!(fs::read(folder.join("EMPTY")).unwrap(), b"");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 3, "nothing is left");
        run(&mut disc(), &folder, false).unwrap();
        fs::write(folder.join("EMPTY"), b"mine").unwrap();
        fs::remove_file(folder.join("A.DAT")).unwrap();
        let error = run(&mut disc(), &folder, false).unwrap_err();
        assert!(matches!(&error, Error::Exists { path } if path.ends_with("EMPTY")));
        assert!(!folder.join("A.DAT").exists(), "nothing was written");
        assert_eq!(fs::read(folder.join("EMPTY")).unwrap(), b"mine");
        run(&mut disc(), &folder, true).unwrap();
        assert_eq!(fs::read(folder.join("EMPTY")).unwrap(), b"");
    }

    #[test]
    fn a_damaged_sector_leaves_nothing() {
        let mut tree = Tree::new();
        tree.file("A.DAT", vec![7; 5000]).unwrap();
        tree.file("B.DAT", vec![8; 5000]).unwrap();
        let mut image = image::build(&tree).unwrap();
        // B.DAT follows A.DAT, which takes sectors 23 to 25.
        image[27 * RAW + 1000] ^= 1;
        let mut drive = ImageDrive::from_bytes(image).unwrap();
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("new/out");
        let error = run(&mut drive, &folder, false).unwrap_err();
        assert!(error.to_string().starts_with("/B.DAT: BadEdc"), "{error}");
        assert!(!place.path().join("new").exists());
    }

    #[cfg(unix)]
    #[test]
    fn nothing_is_written_through_a_link() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("out");
        let other = place.path().join("other");
        fs::create_dir_all(&folder).unwrap();
        fs::create_dir_all(&other).unwrap();
        std::os::unix::fs::symlink(&other, folder.join("MOV")).unwrap();
        let error = run(&mut disc(), &folder, true).unwrap_err();
        assert!(matches!(&error, Error::NotAFolder { path } if path.ends_with("MOV")));
        assert_eq!(fs::read_dir(&other).unwrap().count(), 0);
    }

    /// The disc of `A` and `B` of 5000 bytes each, with the records of both changed.
    fn changed(change: impl Fn(&mut [u8], &mut [u8])) -> ImageDrive {
        let mut tree = Tree::new();
        tree.file("A.DAT", vec![7; 5000]).unwrap();
        tree.file("B.DAT", vec![8; 5000]).unwrap();
        let mut image = image::build(&tree).unwrap();
        let root: &mut [u8; RAW] = (&mut image[22 * RAW..][..RAW]).try_into().unwrap();
        // Behind the directory itself and its parent, 48 bytes each.
        let (a, b) = root[24 + 96..].split_at_mut(iso::record_len(7));
        assert_eq!((&a[33..38], &b[33..38]), (&b"A.DAT"[..], &b"B.DAT"[..]));
        change(a, b);
        sector::seal(root);
        ImageDrive::from_bytes(image).unwrap()
    }

    #[test]
    fn extended_attributes_are_left_out() {
        let mut drive = changed(|a, _| {
            a[1] = 2;
            a[10..14].copy_from_slice(&4000_u32.to_le_bytes());
        });
        let place = tempfile::tempdir().unwrap();
        run(&mut drive, place.path(), false).unwrap();
        let out = fs::read(place.path().join("A.DAT")).unwrap();
        // The third sector of A, and the first one of B.
        let expected = [&[7; 904][..], &[0; 1144], &[8; 1952]].concat();
        assert_eq!(out, expected);
    }

    #[test]
    fn files_in_pieces_are_refused_and_said_to_be() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("out");
        let mut drive = changed(|_, b| (b[26], b[27]) = (1, 2));
        let error = run(&mut drive, &folder, false).unwrap_err();
        assert_eq!(
            error.to_string(),
            "/B.DAT: Interleaved: expected the sectors behind 26 in one piece, found units of 1 \
             with gaps of 2"
        );
        let mut drive = changed(|a, b| (a[25], b[33]) = (0x80, b'A'));
        let error = run(&mut drive, &folder, false).unwrap_err();
        assert_eq!(
            error.to_string(),
            "/A.DAT: MultiExtent: expected one section, found more of them behind the 5000 bytes \
             at sector 23"
        );
        assert!(!folder.exists());
        // The others can be had.
        let mut drive = changed(|_, b| b[27] = 1);
        let files = listing::files(&mut drive).unwrap();
        extract(&mut drive, &files[..1], &folder, false, &mut |_, _| {}).unwrap();
        assert_eq!(fs::read(folder.join("A.DAT")).unwrap(), vec![7; 5000]);
    }

    #[test]
    fn form_2_sectors_come_out_raw() {
        let mut tree = Tree::new();
        tree.file("A.STR", vec![7; 4096]).unwrap();
        let mut image = image::build(&tree).unwrap();
        let mut form2 = [0; RAW];
        sector::build_form2(24, 0x44, &[9; sector::FORM2], &mut form2).unwrap();
        image[24 * RAW..25 * RAW].copy_from_slice(&form2);
        let expected = image[23 * RAW..25 * RAW].to_vec();
        let mut drive = ImageDrive::from_bytes(image).unwrap();
        let place = tempfile::tempdir().unwrap();
        let out = run(&mut drive, place.path(), false).unwrap();
        assert_eq!((out[0].bytes, out[0].raw), (4704, true));
        assert_eq!(fs::read(place.path().join("A.STR")).unwrap(), expected);
    }
}
