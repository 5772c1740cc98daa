//! What keeps the work of following directories bounded, whatever the disc holds.

use std::collections::BTreeMap;
use std::fmt;

use overworld_runtime::disc::iso::{DIRECTORY_LIMIT, Extent};
use overworld_runtime::platform::SECTOR;

/// Directories below directories that are followed; a valid disc has at most eight levels.
pub const DEPTH: usize = 16;

/// Entries of all directories together. The longest disc has fewer sectors, and each file that is
/// not empty takes one.
pub const ENTRIES: usize = 1 << 19;

/// Bytes of the paths of all entries together. ISO9660 allows 255 for one; on discs of the time an
/// average of 128 is far off.
pub const PATH_BYTES: usize = 64 << 20;

/// What no honest disc has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Excess {
    /// The directory was there already: it contains itself, or stands in two places.
    Again,
    /// It shares sectors with another one.
    Shared {
        /// First sector of the other one.
        lba: u32,
    },
    /// It lies more than [`DEPTH`] levels below the root.
    Depth,
    /// There are more than [`ENTRIES`] entries.
    Entries,
    /// The paths have more than [`PATH_BYTES`] bytes.
    Paths,
}

impl fmt::Display for Excess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Again => f.write_str("the directory contains itself, or stands in two places"),
            Self::Shared { lba } => {
                write!(f, "it shares sectors with the directory at sector {lba}")
            }
            Self::Depth => write!(f, "it lies more than {DEPTH} levels deep"),
            Self::Entries => write!(f, "all directories have more than {ENTRIES} entries"),
            Self::Paths => write!(f, "all paths have more than {PATH_BYTES} bytes"),
        }
    }
}

/// The index of the first of `files` that takes, with all before it, more sectors than the image
/// has.
///
/// Two files may share sectors, but a small image whose records all name the same extent would
/// fill a disk.
pub fn beyond(files: impl IntoIterator<Item = Extent>, sectors: u32) -> Option<usize> {
    let mut sum = 0_u64;
    files.into_iter().position(|extent| {
        sum = sum.saturating_add(extent.sectors().into());
        sum > sectors.into()
    })
}

/// What was found so far.
///
/// Each sector belongs to one directory at the most. So all directories have fewer bytes than the
/// disc: those that overlapped would multiply the entries by 32 on every level, and those that stood
/// in several places without an end.
#[derive(Debug, Default)]
pub struct Bounds {
    /// Directories by their first sectors, and where they end.
    taken: BTreeMap<u32, u32>,
    entries: usize,
    bytes: usize,
}

impl Bounds {
    /// A directory `depth` levels below the root is to be read.
    pub fn directory(&mut self, extent: Extent, depth: usize) -> Result<(), Excess> {
        if depth > DEPTH {
            return Err(Excess::Depth);
        }
        if self.taken.contains_key(&extent.lba) {
            return Err(Excess::Again);
        }
        // Of a longer one nothing is read. An empty one has no records, but its place.
        let sectors = extent.sectors().clamp(1, DIRECTORY_LIMIT / SECTOR as u32);
        let end = extent.lba.saturating_add(sectors);
        // Those before do not overlap, so the last of them ends last.
        if let Some((&lba, &other)) = self.taken.range(..end).next_back()
            && other > extent.lba
        {
            return Err(Excess::Shared { lba });
        }
        self.taken.insert(extent.lba, end);
        Ok(())
    }

    /// An entry with this path was found.
    pub fn entry(&mut self, path: &str) -> Result<(), Excess> {
        self.entries += 1;
        self.bytes += path.len();
        if self.entries > ENTRIES {
            return Err(Excess::Entries);
        }
        if self.bytes > PATH_BYTES {
            return Err(Excess::Paths);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sector_belongs_to_one_directory() {
        let extent = |lba, sectors: u32| Extent {
            lba,
            size: sectors * SECTOR as u32,
        };
        let mut bounds = Bounds::default();
        assert_eq!(bounds.directory(extent(100, 4), 0), Ok(()));
        assert_eq!(bounds.directory(extent(110, 1), DEPTH), Ok(()));
        for (lba, sectors, excess) in [
            (100, 4, Excess::Again),
            (100, 1, Excess::Again),
            (100, 0, Excess::Again),
            (100, 32, Excess::Again),
            (101, 1, Excess::Shared { lba: 100 }),
            (103, 2, Excess::Shared { lba: 100 }),
            (99, 2, Excess::Shared { lba: 100 }),
            (109, 2, Excess::Shared { lba: 110 }),
            (90, 32, Excess::Shared { lba: 110 }),
        ] {
            assert_eq!(
                bounds.directory(extent(lba, sectors), 1),
                Err(excess),
                "{lba} {sectors}"
            );
        }
        assert_eq!(
            bounds.directory(extent(0, 1), DEPTH + 1),
            Err(Excess::Depth)
        );
        assert_eq!(bounds.directory(extent(104, 6), 1), Ok(()));
        assert_eq!(bounds.directory(extent(99, 1), 1), Ok(()));
        // So much is not read, and no sum overflows.
        let long = Extent {
            lba: 200,
            size: u32::MAX,
        };
        assert_eq!(bounds.directory(long, 1), Ok(()));
        assert_eq!(bounds.directory(extent(232, 1), 1), Ok(()));
        assert_eq!(bounds.directory(extent(u32::MAX, 9), 1), Ok(()));
        assert_eq!(bounds.directory(extent(u32::MAX, 9), 1), Err(Excess::Again));
    }

    #[test]
    fn files_together_are_no_longer_than_the_image() {
        let extent = |size| Extent { lba: 20, size };
        let all = [extent(2048 * 3), extent(0), extent(1), extent(2049)];
        assert_eq!(beyond(all, 6), None);
        assert_eq!(beyond(all, 5), Some(3));
        assert_eq!(beyond(all, 3), Some(2));
        assert_eq!(beyond(all, 2), Some(0));
        assert_eq!(beyond([extent(u32::MAX); 9000], u32::MAX), Some(2047));
        assert_eq!(beyond([], 0), None);
    }

    #[test]
    fn entries_and_paths_are_counted() {
        let mut bounds = Bounds::default();
        for _ in 0..ENTRIES {
            assert_eq!(bounds.entry("/A"), Ok(()));
        }
        assert_eq!(bounds.entry("/A"), Err(Excess::Entries));
        let mut bounds = Bounds::default();
        let path = "x".repeat(1 << 20);
        for _ in 0..PATH_BYTES >> 20 {
            assert_eq!(bounds.entry(&path), Ok(()));
        }
        assert_eq!(bounds.entry("/"), Err(Excess::Paths));
    }
}
