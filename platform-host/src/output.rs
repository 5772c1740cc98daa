//! Output files: they appear whole or not at all.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// Write `bytes` to a temporary file beside `path`, then rename it over `path`.
///
/// # Errors
/// Those of the file system, and `path` is a device, a pipe, a link or a folder; it is then
/// unchanged.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // A rename would put a file in the place of a device, a pipe or a link.
    if fs::symlink_metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err(io::Error::new(
            io::ErrorKind::AlreadyExists,
            "exists and is no regular file",
        ));
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut file = tempfile::Builder::new()
        .prefix(".overworld-")
        .tempfile_in(folder)?;
    file.write_all(bytes)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Temporary files are private; an output file is an ordinary one.
        file.as_file()
            .set_permissions(fs::Permissions::from_mode(0o644))?;
    }
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Whether `path` is absent or holds exactly `bytes`, so that writing `bytes` loses nothing.
///
/// # Errors
/// `path` exists and cannot be read.
pub fn is_free_or_equal(path: &Path, bytes: &[u8]) -> io::Result<bool> {
    match fs::read(path) {
        Ok(found) => Ok(found == bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.bin");
        assert!(is_free_or_equal(&path, b"one").unwrap());
        replace(&path, b"one").unwrap();
        assert!(is_free_or_equal(&path, b"one").unwrap());
        assert!(!is_free_or_equal(&path, b"two").unwrap());
        replace(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(
            fs::read_dir(folder.path()).unwrap().count(),
            1,
            "no temporary file is left"
        );
        assert!(replace(&folder.path().join("none/out.bin"), b"x").is_err());
        assert!(
            replace(folder.path(), b"x").is_err(),
            "a folder is no output file"
        );
    }
}
