//! The ISO9660 walk of the disc sheet, over a volume that is made sector by sector as it is read.

use core::fmt;
use core::marker::PhantomData;

use overworld_runtime::bytes::Writer;
use overworld_runtime::disc::iso::{
    self, DIRECTORY_LIMIT, Error, Extent, VOLUME_LBA, Volume, find,
};
use overworld_runtime::platform::{Drive, SECTOR, Sector};

use crate::check::{Check, List, same};

pub(crate) struct Tests<G>(PhantomData<G>);

impl<G: 'static> Tests<G> {
    pub(crate) const ALL: List<G> = &[("disc/volume", volume), ("disc/volume-refusals", refusals)];
}

const ROOT: u32 = 22;
const INNER: u32 = 23;
const BLOCKS: u32 = 60;

/// A change of one byte.
#[derive(Clone, Copy)]
struct Change {
    lba: u32,
    at: usize,
    value: u8,
}

/// A drive that makes what it reads.
struct Maker {
    change: Option<Change>,
    next: u32,
    left: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct OffDisc(u32);

impl fmt::Display for OffDisc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// Records of a directory, behind self and parent: the file `F` at the end of the volume or of the
/// directory, `D` and the large directory `L`.
fn directory(out: &mut Sector, own: u32, entries: &[(&[u8], Extent, bool)]) -> Option<()> {
    out.fill(0);
    let mut out = Writer::new(out);
    let here = |lba| Extent {
        lba,
        size: SECTOR as u32,
    };
    iso::record(&mut out, &[0], here(own), true).ok()?;
    iso::record(&mut out, &[1], here(ROOT), true).ok()?;
    for &(name, extent, directory) in entries {
        iso::record(&mut out, name, extent, directory).ok()?;
    }
    Some(())
}

const fn extent(lba: u32, size: u32) -> Extent {
    Extent { lba, size }
}

const FILE: Extent = extent(BLOCKS - 1, SECTOR as u32);
const LARGE: Extent = extent(24, DIRECTORY_LIMIT + 1);

impl Maker {
    fn make(lba: u32, out: &mut Sector) -> Option<()> {
        match lba {
            VOLUME_LBA => Volume {
                system: "PLAYSTATION",
                name: "BATTERY",
                blocks: BLOCKS,
                path_table_le: 18,
                path_table_be: 20,
                path_table_size: 10,
                root: extent(ROOT, SECTOR as u32),
            }
            .emit(out)
            .ok(),
            ROOT => directory(
                out,
                ROOT,
                &[
                    (b"D", extent(INNER, SECTOR as u32), true),
                    (b"L", LARGE, true),
                    (b"PROT.DAT;1", FILE, false),
                ],
            ),
            INNER => directory(out, INNER, &[(b"F;1", extent(30, 7), false)]),
            _ => None,
        }
    }
}

impl Drive for Maker {
    type Error = OffDisc;

    fn start(&mut self, lba: u32, sectors: u32) -> Result<(), OffDisc> {
        (self.next, self.left) = (lba, sectors);
        Ok(())
    }

    fn sector(&mut self, out: &mut Sector) -> Result<(), OffDisc> {
        let lba = self.next;
        self.left = self.left.checked_sub(1).ok_or(OffDisc(lba))?;
        Self::make(lba, out).ok_or(OffDisc(lba))?;
        if let Some(change) = self.change.filter(|it| it.lba == lba)
            && let Some(byte) = out.get_mut(change.at)
        {
            *byte = change.value;
        }
        self.next += 1;
        Ok(())
    }

    fn stop(&mut self) -> Result<(), OffDisc> {
        self.left = 0;
        Ok(())
    }
}

fn look(path: &str, change: Option<Change>) -> Result<Extent, Error<OffDisc>> {
    let (next, left) = (0, 0);
    let mut drive = Maker { change, next, left };
    find(&mut drive, path, &mut [0; SECTOR])
}

fn volume<G>(_: &mut G) -> Check {
    for (path, found) in [
        ("PROT.DAT", Ok(FILE)),
        ("\\PROT.DAT;1", Ok(FILE)),
        ("D/F", Ok(extent(30, 7))),
        ("PROT", Err(Error::NotFound { part: 0 })),
        ("prot.dat", Err(Error::NotFound { part: 0 })),
        ("D", Err(Error::NotFound { part: 0 })),
        ("D/G", Err(Error::NotFound { part: 1 })),
        ("PROT.DAT/F", Err(Error::NotFound { part: 0 })),
    ] {
        same!(look(path, None), found, "{path}");
    }
    Ok(())
}

/// Where the records of the root directory begin: self, parent, `D`, `L`, `PROT.DAT`.
const RECORDS: [usize; 5] = [0, 48, 96, 144, 192];

fn refusals<G>(_: &mut G) -> Check {
    let (lba, size) = (LARGE.lba, LARGE.size);
    let large = Err(Error::DirTooLarge { lba, size });
    same!(look("L/F", None), large, "a large directory");
    let [_, parent, inner, _, file] = RECORDS;
    let bad = |offset: usize| Error::BadDirRecord {
        lba: ROOT,
        offset: offset as u32,
    };
    for (lba, at, value, error) in [
        (VOLUME_LBA, 0, 2, Error::NoVolume),
        (VOLUME_LBA, 5, b'2', Error::NoVolume),
        // Shorter than a record; a name of no byte, or of more than the record has.
        (ROOT, parent, 33, bad(parent)),
        (ROOT, inner + 32, 0, bad(inner)),
        (ROOT, inner + 32, 20, bad(inner)),
        // A byte behind the end of the volume.
        (
            ROOT,
            file + 10,
            1,
            Error::ExtentOutOfRange {
                lba: FILE.lba,
                size: FILE.size + 1,
            },
        ),
    ] {
        let change = Some(Change { lba, at, value });
        let found = look("PROT.DAT", change);
        same!(found, Err(error), "{value} at {at} of sector {lba}");
    }
    Ok(())
}
