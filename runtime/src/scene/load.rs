//! The way of a scene from the disc into memory and VRAM.

use super::{Asset, LoadError, Name, Scene};
use crate::anim::legaia::{Bank, part_gate};
use crate::bytes::crc32;
use crate::disc::bundle::{AssetType, Bundle, MAX_MEMBERS, Member};
use crate::disc::cdname;
use crate::disc::iso::{self, Extent};
use crate::disc::pack::Pack;
use crate::disc::prot::{TOC_SECTORS, Toc};
use crate::model::tim::{Tim, UploadError};
use crate::model::tmd::Tmd;
use crate::platform::{Drive, Screen, Sector};

/// The archive.
const ARCHIVE: &str = "PROT.DAT";

/// The names of its entries.
const NAMES: &str = "CDNAME.TXT";

/// Where a scene's bundle stands, counted from the entry its name defines (disc sheet,
/// section 5).
const BUNDLE: u32 = 3;

/// List of a scene's assets.
pub(super) type Assets = heapless::Vec<Asset, { MAX_MEMBERS as usize }>;

/// The memory a scene is loaded into.
#[derive(Debug)]
pub struct Memory<'s, 'a> {
    /// Staging for what is read: at least 3 sectors and as many as the packed bundle has. Free
    /// again after [`load`].
    pub sectors: &'s mut [Sector],
    /// The decoded members, one after the other, each at a multiple of four bytes from the
    /// start. Begin at a multiple of four where the screen uploads by DMA.
    pub assets: &'a mut [u8],
}

type Failure<D, S> = LoadError<<D as Drive>::Error, <S as Screen>::Error>;

/// Load the scene that `CDNAME.TXT` calls `name`.
///
/// Finds `PROT.DAT` and `CDNAME.TXT` in the root directory, reads the archive's table of
/// contents and the scene's bundle (raw entry N + 3), unpacks every member, sends textures to
/// VRAM, checks meshes and animation bank, and checks that every clip fits the first model.
///
/// # Errors
/// See [`LoadError`].
pub fn load<'a, D: Drive, S: Screen>(
    drive: &mut D,
    screen: &mut S,
    name: &str,
    memory: Memory<'_, 'a>,
) -> Result<Scene<'a>, Failure<D, S>> {
    let Memory { sectors, assets } = memory;
    let archive = find::<D, S>(drive, ARCHIVE, sectors)?;
    let names = find::<D, S>(drive, NAMES, sectors)?;
    let block = lookup::<D, S>(drive, names, name, sectors)?;
    let raw = block.saturating_add(BUNDLE);

    let what = "the table of contents of PROT.DAT";
    let table = read::<D, S>(drive, what, archive.lba, TOC_SECTORS, sectors)?;
    let toc = Toc::parse(table, archive.sectors()).map_err(LoadError::Toc)?;
    let entry = toc.entry(raw).map_err(LoadError::Toc)?;

    // The table ends inside the archive, so the sum is a place on the disc.
    let lba = archive.lba.saturating_add(entry.first);
    let packed = read::<D, S>(drive, "the scene's bundle", lba, entry.sectors, sectors)?;
    let bundle = Bundle::parse(packed).map_err(|error| LoadError::Bundle { raw, error })?;

    let mut loader = Loader {
        screen,
        assets: Assets::new(),
        tmd: None,
        bank: None,
    };
    loader.members(&bundle, assets)?;
    let tmd = loader
        .tmd
        .ok_or(LoadError::AssetMissing { ty: AssetType::Tmd })?;
    let bank = loader.bank.ok_or(LoadError::AssetMissing {
        ty: AssetType::Move,
    })?;
    for (number, clip) in (1..).zip(bank.clips()) {
        part_gate(&clip, tmd.len()).map_err(|_| LoadError::PartMismatch {
            clip: number,
            parts: clip.parts(),
            objects: tmd.len(),
        })?;
    }
    Ok(Scene::new(loader.assets, tmd, bank))
}

/// Where a file of the root directory lies.
fn find<D: Drive, S: Screen>(
    drive: &mut D,
    name: &'static str,
    sectors: &mut [Sector],
) -> Result<Extent, Failure<D, S>> {
    let scratch = sectors.first_mut().ok_or(LoadError::StagingTooSmall {
        what: "the directory",
        needed: TOC_SECTORS,
        available: 0,
    })?;
    let mut drive = Noted {
        drive,
        lba: iso::VOLUME_LBA,
    };
    let found = iso::find(&mut drive, name, scratch);
    let lba = drive.lba;
    found.map_err(|error| match error {
        iso::Error::Drive(error) => LoadError::Drive {
            what: "the directory of the disc",
            lba,
            error,
        },
        iso::Error::NotFound { .. } => LoadError::FileMissing { name },
        error => LoadError::Volume { name, error },
    })
}

/// A drive that notes which run was started last: the walk through the directories does not tell
/// which of its reads failed.
struct Noted<'d, D> {
    drive: &'d mut D,
    /// First logical block of the run.
    lba: u32,
}

impl<D: Drive> Drive for Noted<'_, D> {
    type Error = D::Error;

    fn start(&mut self, lba: u32, sectors: u32) -> Result<(), D::Error> {
        self.lba = lba;
        self.drive.start(lba, sectors)
    }

    fn sector(&mut self, out: &mut Sector) -> Result<(), D::Error> {
        self.drive.sector(out)
    }

    fn stop(&mut self) -> Result<(), D::Error> {
        self.drive.stop()
    }
}

/// Read a run of sectors into the beginning of the staging memory.
fn read<'m, D: Drive, S: Screen>(
    drive: &mut D,
    what: &'static str,
    lba: u32,
    count: u32,
    sectors: &'m mut [Sector],
) -> Result<&'m [u8], Failure<D, S>> {
    let available = sectors.len();
    let place = usize::try_from(count)
        .ok()
        .and_then(|count| sectors.get_mut(..count))
        .ok_or(LoadError::StagingTooSmall {
            what,
            needed: count,
            available,
        })?;
    drive
        .read(lba, place)
        .map_err(|error| LoadError::Drive { what, lba, error })?;
    Ok(place.as_flattened())
}

/// The raw index that the name table gives the scene.
fn lookup<D: Drive, S: Screen>(
    drive: &mut D,
    table: Extent,
    name: &str,
    sectors: &mut [Sector],
) -> Result<u32, Failure<D, S>> {
    if table.size as usize >= cdname::FILE_LIMIT {
        return Err(LoadError::NameTableTooLong { size: table.size });
    }
    let text = read::<D, S>(drive, NAMES, table.lba, table.sectors(), sectors)?;
    let text = text.get(..table.size as usize).unwrap_or(text);
    cdname::lookup(text, name).ok_or(LoadError::NoSuchScene {
        name: Name::new(name),
    })
}

/// What is gathered from the members.
struct Loader<'a, 's, S> {
    screen: &'s mut S,
    assets: Assets,
    tmd: Option<Tmd<'a>>,
    bank: Option<Bank<'a>>,
}

impl<'a, S: Screen> Loader<'a, '_, S> {
    /// Unpack all members that are not mere flags into `memory`, and take them in.
    fn members<D>(
        &mut self,
        bundle: &Bundle<'_>,
        memory: &'a mut [u8],
    ) -> Result<(), LoadError<D, S::Error>> {
        let loaded = || bundle.members().filter(|member| !member.ty.is_flag());
        // At most 32 members of at most 4 MiB: the sum fits 32 bits.
        let needed = loaded()
            .map(|member| (member.size as usize).next_multiple_of(4))
            .sum();
        let available = memory.len();
        if needed > available {
            return Err(LoadError::AssetsTooSmall { needed, available });
        }
        let mut rest = memory;
        for member in loaded() {
            let size = member.size as usize;
            let slot = size.next_multiple_of(4);
            let Some((place, after)) = core::mem::take(&mut rest).split_at_mut_checked(slot) else {
                return Err(LoadError::AssetsTooSmall { needed, available });
            };
            rest = after;
            self.member(&member, place.get_mut(..size).unwrap_or_default())?;
        }
        Ok(())
    }

    fn member<D>(
        &mut self,
        member: &Member<'_>,
        place: &'a mut [u8],
    ) -> Result<(), LoadError<D, S::Error>> {
        let Member {
            index, ty, size, ..
        } = *member;
        member
            .decode(place)
            .map_err(|error| LoadError::Member { index, ty, error })?;
        let data: &'a [u8] = place;
        // The list holds as many as a bundle may have members.
        _ = self.assets.push(Asset {
            index,
            ty,
            size,
            crc32: crc32(data),
        });
        let pack = || Pack::parse(data).map_err(|error| LoadError::Pack { index, ty, error });
        match ty {
            AssetType::Tim => self.texture(index, 0, data)?,
            AssetType::TimList => {
                for (number, body) in (0..).zip(pack()?.iter()) {
                    self.texture(index, number, body)?;
                }
            }
            AssetType::Tmd => {
                for (number, body) in (0..).zip(pack()?.iter()) {
                    let tmd = Tmd::parse(body).map_err(|error| LoadError::Mesh {
                        index,
                        number,
                        error,
                    })?;
                    self.tmd.get_or_insert(tmd);
                }
            }
            AssetType::Move => {
                let bank = Bank::parse(data).map_err(|error| LoadError::Bank { index, error })?;
                self.bank.get_or_insert(bank);
            }
            _ => {}
        }
        Ok(())
    }

    /// Send one texture to VRAM; what is no TIM is passed over (TMD/TIM sheet, section 4).
    fn texture<D>(
        &mut self,
        index: u8,
        number: u32,
        data: &[u8],
    ) -> Result<(), LoadError<D, S::Error>> {
        if !Tim::is_tim(data) {
            return Ok(());
        }
        let tim = Tim::parse(data).map_err(|error| LoadError::Texture {
            index,
            number,
            error,
        })?;
        tim.upload(self.screen).map_err(|error| match error {
            UploadError::Tim(error) => LoadError::Texture {
                index,
                number,
                error,
            },
            UploadError::Screen(error) => LoadError::Upload {
                index,
                number,
                error,
            },
        })
    }
}
