//! The way of a scene from the disc into memory and VRAM.

use super::man::Man;
use super::unpack::{Unpacked, Unpacker};
use super::{Asset, LoadError, Name, Scene};
use crate::anim::legaia::{Bank, part_gate};
use crate::disc::block::{Block, Part, READ_SECTORS};
use crate::disc::bundle::{AssetType, MAX_MEMBERS, Table, is_placeholder};
use crate::disc::cdname;
use crate::disc::iso::{self, Extent};
use crate::disc::pack::Pack;
use crate::disc::prot::{TOC_SECTORS, Toc};
use crate::model::tim::{Tim, UploadError};
use crate::model::tmd::Tmd;
use crate::platform::{Drive, SECTOR, Screen, Sector};

/// The archive.
const ARCHIVE: &str = "PROT.DAT";

/// The names of its entries.
const NAMES: &str = "CDNAME.TXT";

/// What messages call it.
const BUNDLE_NAME: &str = "the scene's bundle";

/// Sectors of the longest bundle that is read: 512 KiB, above all that are known (disc sheet,
/// section 5).
pub const LONGEST_BUNDLE: u32 = 256;

/// Bytes that the console's programs of this project have for the decoded members of a scene: a scene of more plays
/// on a PC only.
pub const CONSOLE_ASSETS: usize = 512 * 1024;

/// List of a scene's assets.
pub(super) type Assets = heapless::Vec<Asset, { MAX_MEMBERS as usize }>;

/// The memory a scene is loaded into.
#[derive(Debug)]
pub struct Memory<'s, 'a> {
    /// Staging for what is read: at least 3 sectors. The more there are, the longer unpacking may
    /// fall behind the drive before the drive has to read a sector again; with 8 it hardly
    /// ever has to. Free again after [`load`].
    pub sectors: &'s mut [Sector],
    /// The decoded members, one after the other, each at a multiple of four bytes from the
    /// start. Begin at a multiple of four where the screen uploads by DMA.
    pub assets: &'a mut [u8],
}

type Failure<D, S> = LoadError<<D as Drive>::Error, <S as Screen>::Error>;

/// Which scene of a disc to load, by its name in `CDNAME.TXT`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which<'n> {
    /// This one.
    Named(&'n str),
    /// The only one that the disc has; if it has several, this one.
    OnlyOr(&'n str),
}

/// Load a scene.
///
/// Finds `PROT.DAT` and `CDNAME.TXT` in the root directory, reads the archive's table of
/// contents and the scene's bundle (raw entry N + 3), unpacks every member, sends textures to
/// VRAM, checks meshes and animation bank, and checks that every clip fits the first model, which is
/// capped if it is a party mesh ([`Tmd::driven_by`]).
///
/// As lenient as the game is: a member of a pack that is no TIM or TMD is passed over and keeps its
/// number, meshes and banks are read leniently, and a [placeholder](is_placeholder) is nothing.
///
/// # Errors
/// See [`LoadError`].
pub fn load<'a, D: Drive, S: Screen>(
    drive: &mut D,
    screen: &mut S,
    which: Which<'_>,
    memory: Memory<'_, 'a>,
) -> Result<Scene<'a>, Failure<D, S>> {
    let Memory { sectors, assets } = memory;
    let (name, bundle) = entry::<D, S>(drive, which, Part::Bundle, sectors)?;
    if bundle.sectors > LONGEST_BUNDLE {
        return Err(LoadError::BundleTooLong {
            raw: bundle.raw,
            sectors: bundle.sectors,
            most: LONGEST_BUNDLE,
        });
    }
    let members = bundle.unpack::<D, S>(drive, sectors, assets)?;

    let mut loader = Loader {
        screen,
        assets: Assets::new(),
        meshes: None,
        bank: None,
        man: None,
    };
    for member in members.finish() {
        loader.member(&member?)?;
    }
    let (tmd, meshes) = loader
        .meshes
        .ok_or(LoadError::AssetMissing { ty: AssetType::Tmd })?;
    let man = loader.man;
    let bank = loader.bank.ok_or(LoadError::AssetMissing {
        ty: AssetType::Move,
    })?;
    let tmd = tmd.driven_by(&bank);
    for (number, clip) in (1..).zip(bank.clips()) {
        part_gate(&clip, tmd.len()).map_err(|_| LoadError::PartMismatch {
            clip: number,
            parts: clip.parts(),
            objects: tmd.len(),
        })?;
    }
    Ok(Scene::new(name, loader.assets, (tmd, meshes), bank, man))
}

/// What the game's one read of a scene's map brings: the map and what lies behind it.
pub type MapRead = [Sector; READ_SECTORS as usize];

/// Read the map of the scene called `name`, and behind it its trigger patch: 40 sectors from the map's start
/// on (field sheet, section 3.6). [`super::world::Scenery`] takes them apart.
///
/// `sectors` is staging, 3 sectors at least.
///
/// # Errors
/// Those of [`load`] that have to do with the disc, its names and its archive.
pub fn read_map<D: Drive, S: Screen>(
    drive: &mut D,
    name: &str,
    sectors: &mut [Sector],
    out: &mut MapRead,
) -> Result<(), Failure<D, S>> {
    let (_, map) = entry::<D, S>(drive, Which::Named(name), Part::Map, sectors)?;
    // The archive's end is no limit here: the game reads as much whatever the entry's length is.
    read::<D, S>(drive, "the scene's map", map.lba, READ_SECTORS, out).map(|_| ())
}

/// The scene's name, and where one of its parts lies.
fn entry<D: Drive, S: Screen>(
    drive: &mut D,
    which: Which<'_>,
    part: Part,
    sectors: &mut [Sector],
) -> Result<(Name, Run), Failure<D, S>> {
    let [archive, names] = find::<D, S>(drive, sectors)?;
    let (name, block) = lookup::<D, S>(drive, names, which, sectors)?;
    // Of a name that is no scene's, the part's place belongs to the next name.
    let raw = block.part(part).ok_or(LoadError::NoPart {
        name,
        part,
        base: block.base(),
        end: block.end(),
    })?;
    let what = "the table of contents of PROT.DAT";
    let table = read::<D, S>(drive, what, archive.lba, TOC_SECTORS, sectors)?;
    let toc = Toc::parse(table, archive.sectors()).map_err(LoadError::Toc)?;
    let entry = toc.entry(raw).map_err(LoadError::Toc)?;
    let run = Run {
        raw,
        // The table ends inside the archive, so the sum is a place on the disc.
        lba: archive.lba.saturating_add(entry.first),
        sectors: entry.sectors,
    };
    Ok((name, run))
}

/// Read the entry right behind the bundle of the scene called `name`, the first of its block's "further data" (disc
/// sheet, section 5), whatever it holds. `None`: the block ends before it, or it is longer than `out`.
///
/// `sectors` is staging, 3 sectors at least.
///
/// # Errors
/// Those of [`load`] that have to do with the disc, its names and its archive.
pub fn read_further<'m, D: Drive, S: Screen>(
    drive: &mut D,
    name: &str,
    sectors: &mut [Sector],
    out: &'m mut [Sector],
) -> Result<Option<&'m [u8]>, Failure<D, S>> {
    let [archive, names] = find::<D, S>(drive, sectors)?;
    let (_, block) = lookup::<D, S>(drive, names, Which::Named(name), sectors)?;
    let what = "the table of contents of PROT.DAT";
    let table = read::<D, S>(drive, what, archive.lba, TOC_SECTORS, sectors)?;
    let toc = Toc::parse(table, archive.sectors()).map_err(LoadError::Toc)?;
    let Some(raw) = block.within(toc.len()).later().next() else {
        return Ok(None);
    };
    let entry = toc.entry(raw).map_err(LoadError::Toc)?;
    if entry.sectors as usize > out.len() {
        return Ok(None);
    }
    let lba = archive.lba.saturating_add(entry.first);
    let what = "the entry behind the scene's bundle";
    read::<D, S>(drive, what, lba, entry.sectors, out).map(Some)
}

/// Where [`ARCHIVE`] and [`NAMES`] lie.
fn find<D: Drive, S: Screen>(
    drive: &mut D,
    sectors: &mut [Sector],
) -> Result<[Extent; 2], Failure<D, S>> {
    let scratch = sectors.first_mut().ok_or(LoadError::StagingTooSmall {
        what: "the directory",
        needed: TOC_SECTORS,
        available: 0,
    })?;
    let mut drive = Noted {
        drive,
        lba: iso::VOLUME_LBA,
    };
    let found = iso::find_in_root(&mut drive, [ARCHIVE, NAMES], scratch);
    let lba = drive.lba;
    let failure = |name, error| match error {
        iso::Error::Drive(error) => LoadError::Drive {
            what: "the directory of the disc",
            lba,
            error,
        },
        iso::Error::NotFound { .. } => LoadError::FileMissing { name },
        error => LoadError::Volume { name, error },
    };
    // Without a directory nothing is found, and the archive is asked for first.
    let [archive, names] = found.map_err(|error| failure(ARCHIVE, error))?;
    Ok([
        archive.map_err(|error| failure(ARCHIVE, error))?,
        names.map_err(|error| failure(NAMES, error))?,
    ])
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

/// The scene's name, and the entries that the name table gives it.
fn lookup<D: Drive, S: Screen>(
    drive: &mut D,
    table: Extent,
    which: Which<'_>,
    sectors: &mut [Sector],
) -> Result<(Name, Block), Failure<D, S>> {
    if table.size as usize >= cdname::FILE_LIMIT {
        return Err(LoadError::NameTableTooLong { size: table.size });
    }
    let text = read::<D, S>(drive, NAMES, table.lba, table.sectors(), sectors)?;
    let text = text.get(..table.size as usize).unwrap_or(text);
    let only = match which {
        Which::Named(_) => None,
        Which::OnlyOr(_) => cdname::only(text).and_then(|name| core::str::from_utf8(name).ok()),
    };
    let (Which::Named(name) | Which::OnlyOr(name)) = which;
    let name = only.unwrap_or(name);
    let short = Name::new(name);
    match Block::find(text, name) {
        Some(block) => Ok((short, block)),
        None => Err(LoadError::NoSuchScene { name: short }),
    }
}

/// Where an entry of the archive lies.
struct Run {
    /// Its raw index.
    raw: u32,
    /// First logical block.
    lba: u32,
    /// Length.
    sectors: u32,
}

impl Run {
    /// Read it as a bundle and unpack that to `assets` meanwhile; `ring` is used round and round.
    ///
    /// All of it is read, whatever is wrong with its contents: a fault of the disc is told first,
    /// for it explains the other.
    fn unpack<'a, D: Drive, S: Screen>(
        &self,
        drive: &mut D,
        ring: &mut [Sector],
        assets: &'a mut [u8],
    ) -> Result<Unpacker<'a>, Failure<D, S>> {
        let Self { raw, lba, sectors } = *self;
        let what = BUNDLE_NAME;
        let fault = |error| LoadError::Drive { what, lba, error };
        let available = ring.len();
        let no_staging = LoadError::StagingTooSmall {
            what,
            needed: 1,
            available,
        };
        drive.start(lba, sectors).map_err(fault)?;
        let first = ring.first_mut().ok_or(no_staging)?;
        drive.sector(first).map_err(fault)?;
        let unpacker = Table::parse(first, sectors.saturating_mul(SECTOR as u32))
            .map_err(|error| LoadError::Bundle { raw, error })
            .and_then(|table| Unpacker::new(&table, assets));
        let (mut unpacker, failure) = match unpacker {
            Ok(unpacker) => (unpacker, None),
            Err(failure) => (Unpacker::default(), Some(failure)),
        };
        let mut taken: u32 = 1;
        loop {
            let kept = unpacker.needs().map_or(0, |n| taken.saturating_sub(n));
            let room = (kept as usize) < available;
            // Work is for the time in which the drive has nothing to give.
            let wanted = taken < sectors && room;
            let ready = wanted && drive.ready();
            if !ready && unpacker.step(ring, taken) {
                continue;
            }
            if !wanted {
                break;
            }
            let place = (taken as usize).checked_rem(available);
            if let Some(place) = place.and_then(|place| ring.get_mut(place)) {
                drive.sector(place).map_err(fault)?;
            }
            taken += 1;
        }
        drive.stop().map_err(fault)?;
        failure.map_or(Ok(unpacker), Err)
    }
}

/// What is gathered from the members.
struct Loader<'a, 's, S> {
    screen: &'s mut S,
    assets: Assets,
    /// The first mesh, and the pack that it is of.
    meshes: Option<(Tmd<'a>, Pack<'a>)>,
    bank: Option<Bank<'a>>,
    man: Option<Man<'a>>,
}

impl<'a, S: Screen> Loader<'a, '_, S> {
    /// Take in one member.
    fn member<D>(&mut self, member: &Unpacked<'a>) -> Result<(), LoadError<D, S::Error>> {
        let (Asset { index, ty, .. }, data) = (member.asset, member.data);
        // The list holds as many as a bundle may have members.
        _ = self.assets.push(member.asset);
        if is_placeholder(data) {
            return Ok(());
        }
        let pack = || Pack::parse(data).map_err(|error| LoadError::Pack { index, ty, error });
        match ty {
            AssetType::Tim => self.texture(index, 0, data)?,
            AssetType::TimList => {
                for (number, body) in (0..).zip(pack()?.iter()) {
                    self.texture(index, number, body)?;
                }
            }
            AssetType::Tmd => self.meshes(index, pack()?)?,
            AssetType::Move => {
                // Some clips of the game are longer than their frames (ANM sheet, "Clip").
                let bank = Bank::parse_lenient(data);
                let bank = bank.map_err(|error| LoadError::Bank { index, error })?;
                self.bank.get_or_insert(bank);
            }
            AssetType::Man => {
                let man = Man::parse_lenient(data);
                let man = man.map_err(|error| LoadError::Man { index, error })?;
                self.man.get_or_insert(man);
            }
            _ => {}
        }
        Ok(())
    }

    /// Check the meshes of a pack. What is no TMD keeps its slot and is passed over (disc sheet,
    /// section 7); records may be longer than needed (TMD/TIM sheet, section 6).
    fn meshes<D>(&mut self, index: u8, pack: Pack<'a>) -> Result<(), LoadError<D, S::Error>> {
        for (number, body) in (0..).zip(pack.iter()) {
            if !Tmd::is_tmd(body) {
                continue;
            }
            let tmd = Tmd::parse_lenient(body).map_err(|error| LoadError::Mesh {
                index,
                number,
                error,
            })?;
            self.meshes.get_or_insert((tmd, pack));
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
