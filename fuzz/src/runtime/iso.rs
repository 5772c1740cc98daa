//! The ISO9660 walk over a disc made of the input.

use core::fmt;
use core::ops::ControlFlow;

use overworld_runtime::bytes::Writer;
use overworld_runtime::disc::iso::{
    self, DIRECTORY_LIMIT, Error, Extent, Form, Primary, VOLUME_LBA,
};
use overworld_runtime::platform::{Drive, SECTOR, Sector};

use super::take_u8;

/// The disc ends, or the run does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct NoSector(u32);

impl fmt::Display for NoSector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no sector {}", self.0)
    }
}

/// A disc from [`VOLUME_LBA`] on: each `step` bytes are the beginning of a sector, the rest of it is
/// zero.
struct Disc<'a> {
    data: &'a [u8],
    step: usize,
    run: Option<(u32, u32)>,
    reads: u32,
}

impl Drive for Disc<'_> {
    type Error = NoSector;

    fn start(&mut self, lba: u32, sectors: u32) -> Result<(), NoSector> {
        self.run = Some((lba, sectors));
        Ok(())
    }

    fn sector(&mut self, out: &mut Sector) -> Result<(), NoSector> {
        let (lba, left) = self.run.filter(|run| run.1 > 0).ok_or(NoSector(0))?;
        self.run = Some((lba.wrapping_add(1), left - 1));
        self.reads += 1;
        let index = lba.checked_sub(VOLUME_LBA).ok_or(NoSector(lba))? as usize;
        let at = index.checked_mul(self.step).ok_or(NoSector(lba))?;
        let rest = self.data.get(at..).filter(|rest| !rest.is_empty());
        let rest = rest.ok_or(NoSector(lba))?;
        let part = &rest[..rest.len().min(self.step)];
        out.fill(0);
        out[..part.len()].copy_from_slice(part);
        Ok(())
    }

    fn stop(&mut self) -> Result<(), NoSector> {
        self.run = None;
        Ok(())
    }
}

/// One record, as the walk shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    name: Vec<u8>,
    extent: Extent,
    directory: bool,
    form: Form,
}

/// The records of a directory, at most `most`.
fn list(
    disc: &mut Disc<'_>,
    volume: &Primary,
    directory: Extent,
    most: usize,
) -> Result<Vec<Entry>, Error<NoSector>> {
    let mut entries = Vec::new();
    let mut scratch = [0; SECTOR];
    iso::walk(disc, volume, directory, &mut scratch, |record| {
        entries.push(Entry {
            name: record.name.to_vec(),
            extent: record.extent,
            directory: record.directory,
            form: record.form,
        });
        if entries.len() < most {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    })?;
    Ok(entries)
}

/// `[u8: bit 7 whole sectors of 2048 bytes instead of 256, bits 0..4 length of the path][path]`, then
/// the disc from sector 16 on.
///
/// The walk reads no more than path and directory limit allow, ends every run, answers only extents
/// inside the volume; what it lists, `find` finds; what is listed can be written and listed again.
pub fn walk(data: &[u8]) -> bool {
    let (shape, rest) = take_u8(data);
    let length = usize::from(shape & 0x1F).min(rest.len());
    let (path, data) = rest.split_at(length);
    let path = String::from_utf8_lossy(path);
    let step = if shape & 0x80 != 0 { SECTOR } else { 256 };
    let mut disc = Disc {
        data,
        step,
        run: None,
        reads: 0,
    };
    let mut scratch = [0; SECTOR];

    let found = iso::find(&mut disc, &path, &mut scratch);
    let parts = path.split(['/', '\\']).filter(|it| !it.is_empty()).count();
    let most = 1 + parts as u32 * (DIRECTORY_LIMIT / SECTOR as u32);
    assert!(disc.reads <= most, "{} sectors for {path:?}", disc.reads);
    if !matches!(found, Err(Error::Drive(_))) {
        assert!(disc.run.is_none(), "the run is ended");
    }
    let Ok(volume) = iso::primary(&mut disc, &mut scratch) else {
        assert!(matches!(found, Err(Error::NoVolume | Error::Drive(_))));
        return false;
    };
    if let Ok(extent) = found {
        let end = u64::from(extent.lba) + u64::from(extent.sectors());
        assert!(end <= u64::from(volume.blocks));
    }

    let Ok(entries) = list(&mut disc, &volume, volume.root, 64) else {
        return false;
    };
    assert!(disc.run.is_none());
    for entry in &entries {
        assert!(!entry.name.is_empty());
        let plain: Vec<u8> = entry
            .name
            .iter()
            .copied()
            .take_while(|&b| b != b';')
            .collect();
        let Ok(name) = core::str::from_utf8(&plain) else {
            continue;
        };
        if name.is_empty() || name.contains(['/', '\\']) || entry.directory {
            continue;
        }
        let same = |it: &&Entry| {
            !it.directory && it.name.split(|&b| b == b';').next() == Some(plain.as_slice())
        };
        let first = entries.iter().find(same).expect("at least itself");
        let end = u64::from(first.extent.lba) + u64::from(first.extent.sectors());
        let inside = end <= u64::from(volume.blocks);
        let found = iso::find(&mut disc, name, &mut scratch);
        // A walk for several answers the same for each, and needs no more of the directory.
        let both = iso::find_in_root(&mut disc, [name, name], &mut scratch);
        assert_eq!(both, Ok([found, found]));
        match found {
            Ok(extent) => {
                assert!(extent == first.extent && inside && first.form == Form::Whole);
            }
            Err(Error::Interleaved { lba, unit, gap }) => {
                assert_eq!(lba, first.extent.lba);
                assert_eq!(Form::Interleaved { unit, gap }, first.form);
            }
            Err(Error::MultiExtent { lba, size }) => {
                assert_eq!(
                    (Extent { lba, size }, Form::Section),
                    (first.extent, first.form)
                );
            }
            Err(Error::ExtentOutOfRange { lba, size }) => {
                assert_eq!(Extent { lba, size }, first.extent);
                assert!(!inside);
            }
            Err(error) => panic!("{name:?}: {error:?}"),
        }
    }
    write_again(&entries);
    true
}

/// Write a volume whose root holds these entries, and list it.
fn write_again(entries: &[Entry]) {
    let entries: Vec<&Entry> = entries.iter().filter(|it| it.name.len() <= 207).collect();
    let mut sectors = vec![[0; SECTOR]];
    let mut used = 0;
    for entry in &entries {
        let length = iso::record_len(entry.name.len());
        if used + length > SECTOR {
            sectors.push([0; SECTOR]);
            used = 0;
        }
        let last = sectors.last_mut().expect("never empty");
        let mut out = Writer::new(&mut last[used..]);
        iso::record(&mut out, &entry.name, entry.extent, entry.directory).expect("fits");
        assert_eq!(out.position(), length);
        used += length;
    }
    let root = Extent {
        lba: VOLUME_LBA + 1,
        size: (sectors.len() * SECTOR) as u32,
    };
    let blocks = root.lba + root.sectors();
    let mut image = [[0; SECTOR]].to_vec();
    iso::Volume {
        system: "PLAYSTATION",
        name: "AGAIN",
        blocks,
        path_table_le: 0,
        path_table_be: 0,
        path_table_size: 0,
        root,
    }
    .emit(&mut image[0])
    .expect("a sector has room");
    image.extend_from_slice(&sectors);
    let mut disc = Disc {
        data: image.as_flattened(),
        step: SECTOR,
        run: None,
        reads: 0,
    };
    let mut scratch = [0; SECTOR];
    let volume = iso::primary(&mut disc, &mut scratch).expect("just written");
    assert_eq!(volume, Primary { root, blocks });
    let again = list(&mut disc, &volume, root, usize::MAX).expect("just written");
    // The writer has one form.
    let whole = entries.into_iter().map(|it| Entry {
        form: Form::Whole,
        ..it.clone()
    });
    assert!(again.into_iter().eq(whole), "what was written is listed");
}
