//! The folder that a run lives in, and what runs that were killed left behind.
//!
//! A folder is in use as long as somebody holds the lock on the file in it: this process, or the
//! emulator, which has the file as its standard input. The system drops the lock with the last of
//! them, whatever ended it.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// How the names begin; the process and a few random letters follow.
const PREFIX: &str = "overworld-run-";
/// How they begin before they are locked: nobody removes those.
const UNLOCKED: &str = "overworld-new-";
const LOCK: &str = "in-use";

/// A folder of our own, removed when the value is dropped.
#[derive(Debug)]
pub(crate) struct Home {
    path: PathBuf,
    lock: File,
}

impl Home {
    /// A new one among the system's temporary files; those that nobody uses any more are removed.
    pub(crate) fn new() -> io::Result<Self> {
        // Absolute: the emulator's current folder is inside.
        let folder = std::path::absolute(std::env::temp_dir())?;
        sweep(&folder);
        Self::inside(&folder)
    }

    fn inside(folder: &Path) -> io::Result<Self> {
        let fresh = tempfile::Builder::new()
            .prefix(UNLOCKED)
            .tempdir_in(folder)?;
        let lock = OpenOptions::new()
            .read(true)
            .write(true)
            .create_new(true)
            .open(fresh.path().join(LOCK))?;
        // Where the file system has no locks nobody gets one, and nothing is ever removed.
        let _ = lock.try_lock();
        let fresh_name = fresh.path().file_name().unwrap_or_default();
        let random = fresh_name.to_string_lossy();
        let random = random.trim_start_matches(UNLOCKED);
        let path = folder.join(format!("{PREFIX}{}-{random}", std::process::id()));
        fs::rename(fresh.path(), &path)?;
        // The old name is gone, and with it the value's purpose.
        let _ = fresh.keep();
        Ok(Self { path, lock })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// A standard input without a byte, which keeps the folder in use.
    pub(crate) fn stdin(&self) -> io::Result<Stdio> {
        self.lock.try_clone().map(Stdio::from)
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        // What cannot be removed now is removed by a later run.
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Remove our own folders in `folder` that nobody uses. What cannot be read or removed stays.
fn sweep(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let named = entry.file_name().to_string_lossy().starts_with(PREFIX);
        if named && let Some(_lock) = abandoned(&entry.path()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// The lock of a folder that is ours and that nobody uses.
fn abandoned(folder: &Path) -> Option<File> {
    let data = folder.symlink_metadata().ok()?;
    if !data.is_dir() || !ours(&data) {
        return None;
    }
    let file = folder.join(LOCK);
    if !file.symlink_metadata().ok()?.is_file() {
        return None;
    }
    let lock = OpenOptions::new().read(true).write(true).open(file).ok()?;
    lock.try_lock().ok()?;
    Some(lock)
}

#[cfg(unix)]
fn ours(data: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    data.uid() == rustix::process::geteuid().as_raw()
}

#[cfg(not(unix))]
fn ours(_: &fs::Metadata) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Home {
        /// What is left of it when the process is killed.
        fn abandon(mut self) {
            self.path = PathBuf::new();
        }
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
        let mut names: Vec<String> = entries
            .map(|entry| entry.file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_home_goes_with_its_value_and_has_its_owner_in_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::inside(folder.path()).unwrap();
        fs::write(home.path().join("file"), "x").unwrap();
        let [name] = &names(folder.path())[..] else {
            panic!("{:?}", names(folder.path()))
        };
        assert!(name.starts_with(&format!("{PREFIX}{}-", std::process::id())));
        drop(home);
        assert_eq!(names(folder.path()), [""; 0]);
    }

    #[test]
    fn only_what_nobody_uses_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let used = Home::inside(folder.path()).unwrap();
        // As a process leaves it that is killed.
        let killed = Home::inside(folder.path()).unwrap();
        let left = killed.path().to_owned();
        fs::create_dir(left.join("inside")).unwrap();
        fs::write(left.join("inside/recording"), "x").unwrap();
        killed.abandon();
        // Of an unknown owner, of a name that is not ours, no folder at all.
        fs::create_dir(at("overworld-run-Xy12Z")).unwrap();
        fs::create_dir(at("overworld-running")).unwrap();
        fs::write(at("overworld-running").join(LOCK), "").unwrap();
        fs::write(at("overworld-run-1-file"), "").unwrap();
        #[cfg(unix)]
        {
            fs::create_dir(at("elsewhere")).unwrap();
            fs::write(at("elsewhere").join(LOCK), "").unwrap();
            std::os::unix::fs::symlink(at("elsewhere"), at("overworld-run-1-link")).unwrap();
        }
        let mut expected = names(folder.path());
        sweep(folder.path());
        expected.retain(|name| !left.ends_with(name));
        assert_eq!(names(folder.path()), expected);
        assert!(used.path().join(LOCK).exists() && !left.exists());
        sweep(Path::new("/nowhere/at all"));
    }

    /// The emulator may outlive its runner for a moment.
    #[test]
    #[cfg(unix)]
    fn a_home_is_in_use_while_the_emulator_runs() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::inside(folder.path()).unwrap();
        let path = home.path().to_owned();
        let mut emulator = std::process::Command::new("sleep")
            .arg("1000")
            .stdin(home.stdin().unwrap())
            .spawn()
            .unwrap();
        // The runner dies: its own copy of the file is closed, and nothing is removed.
        home.abandon();
        sweep(folder.path());
        assert!(path.exists(), "the emulator still runs in it");
        emulator.kill().unwrap();
        emulator.wait().unwrap();
        sweep(folder.path());
        assert!(!path.exists());
    }
}
