//! Where things lie, and how files appear whole or not at all.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use overworld_host::{input, output};
use overworld_tests::artefacts;

/// The folders of the project.
#[derive(Clone, Debug)]
pub struct Workspace {
    /// The root: where the workspace's `Cargo.toml` stands.
    pub root: PathBuf,
    /// Cargo's target folder for programs of the PC.
    pub target: PathBuf,
    /// The folder of finished images. It is the one in which the tests look for them, and it does not
    /// follow cargo's.
    images: PathBuf,
}

impl Workspace {
    /// The workspace that this program was built from.
    ///
    /// # Errors
    /// The current folder is gone.
    pub fn find() -> Result<Self> {
        // Cargo sets the variable when it runs us; the place at compile time helps when we are
        // started directly.
        let own = env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let root = own.parent().unwrap_or(&own).to_owned();
        let here = env::current_dir().context("the current folder is not readable")?;
        let target = env::var_os("CARGO_TARGET_DIR").filter(|dir| !dir.is_empty());
        let target = target.map(|dir| here.join(dir));
        let images = env::var_os(artefacts::FOLDER_VARIABLE);
        Ok(Self::at(root, target, images.as_deref()))
    }

    /// The workspace at `root`; the environment names the folders, or does not.
    fn at(root: PathBuf, target: Option<PathBuf>, images: Option<&OsStr>) -> Self {
        Self {
            target: target.unwrap_or_else(|| root.join("target")),
            images: artefacts::folder_of(&root, images),
            root,
        }
    }

    /// Cargo's target folder for consoles and microcontrollers. It is a second one, so that the
    /// two compilers do not wait for each other's lock or throw away each other's notes.
    pub fn cross(&self) -> PathBuf {
        self.target.join("cross")
    }

    /// Refuse a folder into which LLVM's linker cannot write, before anything is built: it puts other
    /// characters in the place of every `%` of a path, and then misses the folder.
    ///
    /// # Errors
    /// There is a `%` in the path of [`cross`](Self::cross).
    pub fn check(&self) -> Result<()> {
        let folder = self.cross();
        if folder.as_os_str().as_encoded_bytes().contains(&b'%') {
            bail!(
                "LLVM's linker cannot write into {}: it puts other characters in the place of `%`; name another folder with CARGO_TARGET_DIR, or move the checkout",
                folder.display()
            );
        }
        Ok(())
    }

    /// The folder of finished images.
    pub fn images(&self) -> &Path {
        &self.images
    }

    /// A finished image.
    pub fn image(&self, name: &str) -> PathBuf {
        self.images.join(name)
    }

    /// A path as a person in the workspace would type it.
    pub fn short<'a>(&self, path: &'a Path) -> std::path::Display<'a> {
        let here = env::current_dir().unwrap_or_else(|_| self.root.clone());
        path.strip_prefix(here).unwrap_or(path).display()
    }
}

/// Bytes of a linked program at the most, with all that is there for a debugger.
pub const ELF: u64 = 64 << 20;

/// Read a linked program.
///
/// # Errors
/// The file cannot be read, is no regular file (reading a device or a pipe may never end), or is
/// longer than [`ELF`].
pub fn read_elf(path: &Path) -> Result<Vec<u8>> {
    input::read(path, ELF).with_context(|| format!("cannot read {}", path.display()))
}

/// Write a file so that nobody ever sees a part of it.
///
/// # Errors
/// The folder cannot be made or the file not be written.
pub fn write(path: &Path, content: &[u8]) -> Result<()> {
    let about = || format!("cannot write {}", path.display());
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).with_context(about)?;
    output::replace(path, content).with_context(about)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tests_look_where_the_images_are_written() {
        let found = Workspace::find().unwrap();
        let images = found.images().to_owned();
        assert_eq!(images, artefacts::folder());
        // Whatever cargo's target folder is.
        let chosen = env::var_os(artefacts::FOLDER_VARIABLE);
        let at = |target: &str| {
            Workspace::at(found.root.clone(), Some(target.into()), chosen.as_deref())
        };
        let moved = at("/elsewhere");
        assert_eq!(moved.images(), images);
        assert_eq!(moved.cross(), Path::new("/elsewhere/cross"));
        let own = Workspace::at("/w".into(), None, None);
        assert_eq!(own.images(), Path::new("/w/target/overworld"));
        assert_eq!(own.cross(), Path::new("/w/target/cross"));
    }

    #[test]
    fn a_path_that_the_linker_cannot_write_to_is_refused() {
        let at = |root: &str, target: Option<&str>| {
            Workspace::at(root.into(), target.map(PathBuf::from), None).check()
        };
        assert!(at("/w/a \"b\"", None).is_ok());
        let error = at("/w/100%", None).unwrap_err().to_string();
        assert!(
            error.contains("/w/100%/target/cross") && error.contains("CARGO_TARGET_DIR"),
            "{error}"
        );
        assert!(at("/w/100%", Some("/t")).is_ok());
        assert!(at("/w", Some("/%s")).is_err());
    }

    #[test]
    fn a_file_is_replaced_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b.bin");
        write(&path, b"one").unwrap();
        write(&path, b"two").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        assert_eq!(
            std::fs::read_dir(path.parent().unwrap()).unwrap().count(),
            1
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_file_has_the_mode_that_the_umask_leaves_or_keeps_its_own() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (path, usual) = (folder.path().join("b.bin"), folder.path().join("usual"));
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode();
        write(&path, b"one").unwrap();
        std::fs::write(&usual, b"one").unwrap();
        assert_eq!(mode(&path), mode(&usual));
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
        write(&path, b"two").unwrap();
        assert_eq!(mode(&path) & 0o777, 0o600);
    }

    #[test]
    fn a_program_is_a_regular_file_of_a_fair_size() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.elf");
        let error = |path: &Path| format!("{:#}", read_elf(path).unwrap_err());
        // Not a byte of it is on the disk.
        let file = std::fs::File::create(&path).unwrap();
        file.set_len(ELF + 1).unwrap();
        let long = error(&path);
        assert!(
            long.contains("a.elf") && long.contains(&format!("{ELF} bytes")),
            "{long}"
        );
        file.set_len(3).unwrap();
        assert_eq!(read_elf(&path).unwrap(), [0; 3]);
        let other = error(folder.path());
        assert!(other.contains("is no regular file"), "{other}");
    }

    #[test]
    fn a_failed_write_names_the_file() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("file"), b"").unwrap();
        let error = write(&folder.path().join("file/inside"), b"x").unwrap_err();
        assert!(error.to_string().contains("file/inside"), "{error}");
    }
}
