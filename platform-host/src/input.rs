//! Input files: regular ones, of a size that the format can have; a stream has the same limits.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Bytes of a cue sheet at the most.
pub const CUE: u64 = 64 << 10;
/// Bytes of a PS-EXE at the most: its header, and all of the console's memory.
pub const EXE: u64 = (2 << 20) + 0x800;
/// Bytes of a member of a world at the most: those of a decoded member (disc sheet, section 9).
pub const MEMBER: u64 = 4 << 20;
/// Bytes of a file of a scene at the most: more than the table of a bundle can say of a member (24 bits).
pub const PART: u64 = 16 << 20;
/// Bytes of any other file that is read whole: documents, levels, cases, what an LZS stream lies in.
pub const FILE: u64 = 1 << 30;

/// Open a regular file.
///
/// # Errors
/// Those of the file system; a device, a pipe or a folder is refused, since reading it may never end.
pub fn open(path: &Path) -> io::Result<File> {
    // Looked at first: to open a pipe may wait for ever.
    if !path.metadata()?.is_file() {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "is no regular file",
        ));
    }
    File::open(path)
}

/// Read a regular file of at most `limit` bytes.
///
/// # Errors
/// As [`open`], and the file is longer.
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    let length = file.metadata()?.len();
    read_sized(file, length, limit)
}

/// As [`read_all`] of what has `length` bytes, as far as that is known before it is read.
fn read_sized(from: impl Read, length: u64, limit: u64) -> io::Result<Vec<u8>> {
    if length > limit {
        return Err(too_long(limit));
    }
    read_all(from, limit)
}

/// Read a stream of at most `limit` bytes to its end.
///
/// # Errors
/// Those of the stream, and it is longer.
pub fn read_all(from: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut data = Vec::new();
    from.take(limit.saturating_add(1)).read_to_end(&mut data)?;
    if data.len() as u64 > limit {
        return Err(too_long(limit));
    }
    Ok(data)
}

/// The error of [`read`] for a file of more than `limit` bytes.
#[must_use]
pub fn too_long(limit: u64) -> io::Error {
    io::Error::new(
        io::ErrorKind::FileTooLarge,
        format!("is longer than the {limit} bytes that such a file may have"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_of_a_fair_size_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("in.bin");
        std::fs::write(&path, [7; 100]).unwrap();
        assert_eq!(read(&path, 100).unwrap(), [7; 100]);
        let long = read(&path, 99).unwrap_err();
        assert!(long.to_string().contains("99 bytes"), "{long}");
        assert!(read(folder.path(), 100).is_err());
        assert!(read(&folder.path().join("none"), 100).is_err());
        #[cfg(unix)]
        assert!(read(Path::new("/dev/zero"), 100).is_err());
        // What is told to be too long is not read.
        struct Unread;
        impl Read for Unread {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                panic!("was read")
            }
        }
        let long = read_sized(Unread, 100, 99).unwrap_err();
        assert!(long.to_string().contains("99 bytes"), "{long}");
        assert_eq!(read_all(&[7; 100][..], 100).unwrap(), [7; 100]);
        let long = read_all(io::repeat(0), 99).unwrap_err();
        assert!(long.to_string().contains("99 bytes"), "{long}");
    }
}
