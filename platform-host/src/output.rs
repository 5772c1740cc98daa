//! Output files: they appear whole or not at all.
//!
//! A file is written under a name of its own beside its place and then renamed. Its owner keeps it
//! locked meanwhile; so one that is not locked was left behind by a program that died, and the next
//! one that writes into the folder removes it.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tempfile::{NamedTempFile, TempDir};

use crate::signals;

/// How names of files and folders that are not finished begin and end.
pub const PREFIX: &str = ".overworld-";
const FILE: &str = ".part";
const FOLDER: &str = ".parts";

/// Bytes between two looks at the signals.
const STEP: usize = 1 << 20;

/// Write `bytes` to a temporary file beside `path`, then rename it over `path`.
///
/// A new file gets the usual mode, `0666` without the bits of the umask; one that is replaced keeps
/// its mode.
///
/// # Errors
/// Those of the file system, and `path` is a device, a pipe, a link or a folder; it is then
/// unchanged. A signal stops it too.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace_all(&[(path, bytes)]).map_err(|(_, error)| error)
}

/// As [`replace`] for several files: all are written before the first one is renamed.
///
/// # Errors
/// As [`replace`], with the index of the file. Nothing is changed then, unless the file system
/// refuses one of the last steps, the renaming.
pub fn replace_all(
    files: &[(impl AsRef<Path>, impl AsRef<[u8]>)],
) -> Result<(), (usize, io::Error)> {
    let _guard = signals::Guard::new();
    for (index, (path, _)) in files.iter().enumerate() {
        check_target(path.as_ref()).map_err(|error| (index, error))?;
    }
    let mut staged = Vec::with_capacity(files.len());
    for (index, (path, bytes)) in files.iter().enumerate() {
        let path = path.as_ref();
        let file = stage(path, bytes.as_ref()).map_err(|error| (index, error))?;
        staged.push((index, path, file));
    }
    for (index, path, file) in staged {
        file.persist(path).map_err(|error| (index, error.error))?;
    }
    Ok(())
}

/// Whether a file can be put at `path`: it names a file, and what is there is one.
///
/// # Errors
/// It does not, or there is a device, a pipe, a link or a folder.
pub fn check_target(path: &Path) -> io::Result<()> {
    let ends_open = path
        .as_os_str()
        .as_encoded_bytes()
        .last()
        .is_some_and(|&byte| std::path::is_separator(byte.into()));
    if ends_open || path.file_name().is_none() {
        return Err(io::Error::new(
            io::ErrorKind::IsADirectory,
            "is the name of a folder; a file is to be written",
        ));
    }
    // A rename would put a file in the place of a device, a pipe or a link.
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => Err(io::Error::new(
            io::ErrorKind::IsADirectory,
            "is a folder; a file is to be written",
        )),
        Ok(found) if found.is_symlink() => Err(io::Error::new(
            io::ErrorKind::AlreadyExists,
            "is a symbolic link, in whose place no file is put; name the file that it leads to",
        )),
        Ok(found) if !found.is_file() => Err(io::Error::new(
            io::ErrorKind::AlreadyExists,
            "exists and is no regular file",
        )),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(about_folder(folder(path), &error)),
        Ok(_) => Ok(()),
    }
}

/// Whether a file could be put at `path` now: as [`check_target`], and its folder takes new files. Nothing is left
/// behind.
///
/// # Errors
/// Those of [`replace`].
pub fn check_writable(path: &Path) -> io::Result<()> {
    let _guard = signals::Guard::new();
    check_target(path)?;
    stage(path, &[]).map(drop)
}

/// Where `path` lies, so that two names of one file compare as equal: without links as far as it
/// exists, else by the names on the way, of which `..` takes one back.
#[must_use]
pub fn place(path: &Path) -> PathBuf {
    if let Ok(place) = fs::canonicalize(path) {
        return place;
    }
    let Ok(whole) = std::path::absolute(path) else {
        return path.to_owned();
    };
    let mut place = PathBuf::new();
    for part in whole.components() {
        match part {
            Component::CurDir => {}
            // What does not exist is no link, and of what does the links are gone.
            Component::ParentDir => {
                place.pop();
            }
            _ => {
                place.push(part);
                place = fs::canonicalize(&place).unwrap_or(place);
            }
        }
    }
    place
}

/// Why nothing can be made in `folder`, without the temporary name that was tried.
fn about_folder(folder: &Path, error: &io::Error) -> io::Error {
    let folder_exists = folder.is_dir();
    let folder = folder.display();
    let kind = error.kind();
    let text = match kind {
        // As some folders say that belong to the system.
        io::ErrorKind::NotFound if folder_exists => {
            format!("nothing can be made in the folder {folder}")
        }
        io::ErrorKind::NotFound => format!("the folder {folder} does not exist"),
        io::ErrorKind::NotADirectory => format!("{folder} is no folder"),
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            format!("the folder {folder} cannot be written to: {kind}")
        }
        _ => format!("nothing can be written into the folder {folder}: {kind}"),
    };
    io::Error::new(kind, text)
}

/// The folder of a file.
fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// A finished temporary file beside `path`, with the mode that `path` shall have.
fn stage(path: &Path, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let folder = folder(path);
    sweep_once(folder);
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(FILE);
    let kept = kept_mode(path);
    #[cfg(unix)]
    if kept.is_none() {
        use std::os::unix::fs::PermissionsExt;
        // The system takes the bits of the umask away; without this it is a private file.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = loop {
        let made = builder.tempfile_in(folder);
        let file = made.map_err(|error| about_folder(folder, &error))?;
        if hold(file.as_file(), file.path()) {
            break file;
        }
    };
    for part in bytes.chunks(STEP) {
        signals::check()?;
        // Not through `file`: its errors would tell the temporary name.
        file.as_file_mut().write_all(part)?;
    }
    if let Some(mode) = kept {
        file.as_file().set_permissions(mode)?;
    }
    signals::check()?;
    Ok(file)
}

/// The mode that a file at `path` keeps when it is replaced.
fn kept_mode(path: &Path) -> Option<fs::Permissions> {
    let found = fs::symlink_metadata(path).ok()?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Whoever may run as the owner of the old content need not run as that of the new one.
        let mode = found.permissions().mode() & 0o777;
        found.is_file().then(|| fs::Permissions::from_mode(mode))
    }
    #[cfg(not(unix))]
    {
        let _ = found;
        None
    }
}

/// Give `from`, which will be renamed to `to`, the mode of the file that it replaces.
///
/// # Errors
/// Those of the file system.
pub fn keep_mode(from: &Path, to: &Path) -> io::Result<()> {
    kept_mode(to).map_or(Ok(()), |mode| fs::set_permissions(from, mode))
}

/// Lock what was just made. `false` if [`sweep`] of another program was faster and took it away.
fn hold(file: &File, path: &Path) -> bool {
    // Where nothing can be locked, nothing is swept.
    file.lock().is_err() || path.symlink_metadata().is_ok()
}

/// Open and lock a folder that was just made; without a lock on systems that cannot open a folder.
///
/// # Errors
/// `NotFound` if [`sweep`] of another program was faster and took it away; those of the file system.
fn hold_folder(path: &Path) -> io::Result<Option<File>> {
    match File::open(path) {
        Ok(lock) if hold(&lock, path) => Ok(Some(lock)),
        Ok(_) => Err(io::ErrorKind::NotFound.into()),
        // What this program may not open, no other one of this user's sweeps.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(None),
        Err(error) if cfg!(unix) || error.kind() == io::ErrorKind::NotFound => Err(error),
        Err(_) => Ok(None),
    }
}

/// A folder for results. When this is dropped, the folders that were made for it are removed again
/// as far as they are empty.
#[derive(Debug)]
pub struct Folder {
    /// Outermost first.
    made: Vec<PathBuf>,
}

impl Folder {
    /// Make what is missing of `path`.
    ///
    /// # Errors
    /// Those of the file system; nothing is left behind then.
    pub fn make(path: &Path) -> io::Result<Self> {
        let mut this = Self { made: Vec::new() };
        let mut missing = Vec::new();
        let named = |it: &&Path| !it.as_os_str().is_empty();
        for part in path.ancestors().filter(named) {
            match fs::create_dir(part) {
                Ok(()) => {
                    this.made.push(part.to_owned());
                    break;
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => missing.push(part),
                Err(_) if part.is_dir() => break,
                Err(error) => return Err(error),
            }
        }
        for part in missing.into_iter().rev() {
            match fs::create_dir(part) {
                Ok(()) => this.made.push(part.to_owned()),
                Err(_) if part.is_dir() => {}
                Err(error) => return Err(error),
            }
        }
        Ok(this)
    }

    /// All went well: the folder stays even if it is empty.
    pub fn keep(mut self) {
        self.made.clear();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        for folder in self.made.iter().rev() {
            // Only if it is empty.
            if fs::remove_dir(folder).is_err() {
                break;
            }
        }
    }
}

/// How often [`enter`] makes a folder that vanishes.
const TRIES: u32 = 16;

/// Make `folder` and put the first thing into it.
fn enter<T>(
    folder: &Path,
    mut first: impl FnMut(&Path) -> io::Result<T>,
) -> io::Result<(Folder, T)> {
    let mut tries = 1;
    loop {
        let made = Folder::make(folder);
        match made.and_then(|made| first(folder).map(|it| (made, it))) {
            // Another program had made it, and removed it when it gave up: while it was empty.
            Err(error) if error.kind() == io::ErrorKind::NotFound && tries < TRIES => tries += 1,
            result => return result,
        }
    }
}

/// A folder for unfinished files that is removed with all it holds when this is dropped.
#[derive(Debug)]
pub struct Stage {
    folder: TempDir,
    /// Keeps the lock.
    _lock: Option<File>,
}

impl Stage {
    /// A new one inside of `folder`.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn new(folder: &Path) -> io::Result<Self> {
        sweep_once(folder);
        loop {
            let made = tempfile::Builder::new()
                .prefix(PREFIX)
                .suffix(FOLDER)
                .tempdir_in(folder)
                .map_err(|error| about_folder(folder, &error))?;
            match hold_folder(made.path()) {
                Ok(lock) => {
                    return Ok(Self {
                        folder: made,
                        _lock: lock,
                    });
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// As [`Stage::new`] in a folder that is made if it does not exist.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn in_new(folder: &Path) -> io::Result<(Folder, Self)> {
        enter(folder, Self::new)
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// [`sweep`], once for each folder: whoever writes many files need not look for leftovers each time.
fn sweep_once(folder: &Path) {
    static SWEPT: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let mut swept = SWEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if swept.insert(folder.to_owned()) {
        sweep(folder);
    }
}

/// Remove what programs that died left in `folder`. Whatever cannot be looked at, is locked or
/// cannot be removed stays.
fn sweep(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some((is_folder, path)) = name
            .to_str()
            .and_then(is_unfinished)
            .zip(Some(entry.path()))
        else {
            continue;
        };
        // Neither links nor devices are ever ours.
        let fits = entry.file_type().is_ok_and(|kind| {
            if is_folder {
                kind.is_dir()
            } else {
                kind.is_file()
            }
        });
        let Some(file) = fits.then(|| File::open(&path).ok()).flatten() else {
            continue;
        };
        // Held until it is gone: its owner may be about to lock it.
        if file.try_lock().is_ok() {
            let _ = if is_folder {
                fs::remove_dir_all(&path)
            } else {
                fs::remove_file(&path)
            };
        }
    }
}

/// Whether a name is that of an unfinished file (`false`) or folder (`true`) of ours.
fn is_unfinished(name: &str) -> Option<bool> {
    let random = name.strip_prefix(PREFIX)?;
    let (random, is_folder) = match random.strip_suffix(FILE) {
        Some(random) => (random, false),
        None => (random.strip_suffix(FOLDER)?, true),
    };
    let ours = random.len() == 6 && random.bytes().all(|byte| byte.is_ascii_alphanumeric());
    ours.then_some(is_folder)
}

/// Whether `path` is absent or holds exactly `bytes`, so that writing `bytes` loses nothing.
///
/// # Errors
/// `path` exists and cannot be read.
pub fn is_free_or_equal(path: &Path, bytes: &[u8]) -> io::Result<bool> {
    // A longer file is not read; a pipe or a device neither, since that may never end.
    match fs::metadata(path) {
        Ok(found) if found.is_file() && found.len() != bytes.len() as u64 => return Ok(false),
        Ok(found) if !found.is_file() => check_target(path)?,
        _ => {}
    }
    match fs::read(path) {
        Ok(found) => Ok(found == bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests;
