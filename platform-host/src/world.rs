//! A world: the sources that a disc is built from, in memory or in a folder.
//!
//! A folder holds the binary members and `world.json`, which names them.

mod manifest;
mod parts;
mod warnings;

pub use parts::Other;

use std::borrow::Cow;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use overworld_runtime::anim::legaia::{self, Bank, part_gate};
use overworld_runtime::disc::block::{Part, READ_SECTORS};
use overworld_runtime::disc::bundle::{self, AssetType};
use overworld_runtime::disc::{cdname, pack, prot};
use overworld_runtime::field::map;
use overworld_runtime::lzs;
use overworld_runtime::model::tmd::Tmd;
use overworld_runtime::model::{tim, tmd};
use overworld_runtime::platform::SECTOR;
use overworld_runtime::scene::CONSOLE_ASSETS;
use overworld_runtime::scene::man::Man;

use crate::fault::Fault;
use crate::image::{self, Tree};
use crate::{fault, input, json, psexe};

pub use manifest::MANIFEST;

/// Name of the boot file on the disc; some emulators insist on one of this shape.
pub const BOOT_FILE: &str = "SLUS_999.99";

/// Members of a bundle as they lie in memory.
type Decoded<'a> = Vec<(AssetType, Cow<'a, [u8]>)>;

/// Bytes of a field map: 36 sectors (disc sheet, section 6).
pub const MAP_BYTES: usize = map::SIZE;

/// Base of the scene's block: the first entry that has an extraction number.
const BASE: u32 = prot::raw_from_extraction(0);

/// Most bytes of a scene's name; the scene-change op carries no more.
pub const SCENE_NAME: usize = 8;

/// What cannot be made into a world or a disc.
#[derive(Debug)]
pub enum Error {
    /// A file cannot be read or written.
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A file that the manifest names cannot be read.
    Member {
        /// The manifest.
        path: PathBuf,
        /// The key that names it.
        key: &'static str,
        /// The name.
        name: String,
        /// What the system says.
        error: io::Error,
    },
    /// The folder holds other files already.
    NotEmpty {
        /// The file in the way.
        path: PathBuf,
    },
    /// `world.json` is not a manifest.
    Manifest {
        /// The manifest.
        path: PathBuf,
        /// What is wrong, with line and column.
        error: json::Error,
    },
    /// A field map cannot be used.
    Map {
        /// Its name.
        name: String,
        /// What is wrong.
        error: map::Error,
    },
    /// A list of the manifest is empty; the scene would have nothing to show.
    NoMembers {
        /// Which list.
        list: &'static str,
        /// What it must name.
        what: &'static str,
    },
    /// The files of a list take more than a member of the bundle may have.
    SizeLimit {
        /// The manifest.
        path: PathBuf,
        /// Which list.
        list: &'static str,
        /// The file that is too much.
        name: String,
    },
    /// The scene's name is not 1 to 8 of a-z, 0-9 and _.
    BadName {
        /// The name.
        name: String,
    },
    /// A texture cannot be used.
    Texture {
        /// Its name.
        name: String,
        /// What is wrong.
        error: tim::Error,
    },
    /// A mesh cannot be used.
    Model {
        /// Its name.
        name: String,
        /// What is wrong.
        error: tmd::Error,
    },
    /// A bank cannot be used, or belongs to another model.
    Bank {
        /// Its name.
        name: String,
        /// What is wrong.
        error: legaia::Error,
    },
    /// A file that a key names cannot be used.
    Part {
        /// The key of the manifest.
        key: &'static str,
        /// Its name.
        name: String,
        /// What is wrong.
        fault: Fault,
    },
    /// Textures or meshes do not make a pack.
    Pack(pack::Error),
    /// The members do not make a bundle.
    Bundle(bundle::Error),
    /// The archive's table cannot be written.
    Archive(prot::Error),
    /// CDNAME.TXT cannot be written.
    Names(cdname::Error),
    /// The boot file is no PS-EXE.
    Exe(psexe::Error),
    /// The files do not make a disc.
    Image(image::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { path, error } => write!(f, "{}: {error}", path.display()),
            Self::Member {
                path, key, name, ..
            } if name.is_empty() => write!(
                f,
                "{}: \"{key}\": expected the name of a file, found an empty text",
                path.display()
            ),
            Self::Member {
                path,
                key,
                name,
                error,
            } => write!(f, "{}: \"{key}\": {name}: {error}", path.display()),
            Self::NotEmpty { path } => write!(
                f,
                "{}: exists already with other content; name a new folder, or use --force",
                path.display()
            ),
            Self::Manifest { path, error } => write!(f, "{}: {error}", path.display()),
            Self::Map {
                name,
                error: map::Error::Size { len },
            } => write!(
                f,
                "{MANIFEST}: \"map\": {name}: Size: expected a map of {MAP_BYTES} bytes, found {len}"
            ),
            Self::Map { name, error } => {
                write!(f, "{MANIFEST}: \"map\": {name}: {}", fault::map(error))
            }
            Self::NoMembers { list, what } => write!(
                f,
                "{MANIFEST}: NoMembers: expected at least one {what} in \"{list}\", found an empty list"
            ),
            Self::SizeLimit { path, list, name } => write!(
                f,
                "{}: SizeLimit: with \"{}\" the files of \"{list}\" take more than the {} bytes \
                 that a member may have",
                path.display(),
                name.escape_debug(),
                input::MEMBER
            ),
            Self::BadName { name } => write!(
                f,
                "{MANIFEST}: BadName: expected a scene name of 1 to {SCENE_NAME} of a-z, 0-9 and _, found \"{}\"",
                name.escape_debug()
            ),
            Self::Texture { name, error } => {
                write!(f, "{MANIFEST}: \"textures\": {name}: {}", fault::tim(error))
            }
            Self::Model { name, error } => {
                write!(f, "{MANIFEST}: \"models\": {name}: {}", fault::tmd(error))
            }
            Self::Bank { name, error } => write!(f, "{MANIFEST}: \"bank\": {name}: {error}"),
            Self::Part { key, name, fault } => write!(f, "{MANIFEST}: \"{key}\": {name}: {fault}"),
            Self::Pack(error) => error.fmt(f),
            Self::Bundle(error) => error.fmt(f),
            Self::Archive(error) => error.fmt(f),
            Self::Names(error) => error.fmt(f),
            Self::Exe(error) => write!(f, "boot file: {error}"),
            Self::Image(error) => error.fmt(f),
        }
    }
}

impl Error {
    /// The message for a world of this folder: what is wrong with the manifest begins with its path, as it
    /// does where the manifest cannot be read.
    #[must_use]
    pub fn within(&self, folder: &Path) -> String {
        let text = self.to_string();
        match text.strip_prefix(MANIFEST) {
            Some(rest) => format!("{}{rest}", folder.join(MANIFEST).display()),
            None => format!("{}: {text}", folder.display()),
        }
    }
}

impl std::error::Error for Error {}

macro_rules! from {
    ($($error:ty => $variant:ident),* $(,)?) => {
        $(impl From<$error> for Error {
            fn from(error: $error) -> Self {
                Self::$variant(error)
            }
        })*
    };
}

from! {
    pack::Error => Pack,
    bundle::Error => Bundle,
    prot::Error => Archive,
    cdname::Error => Names,
    psexe::Error => Exe,
    image::Error => Image,
}

/// For the writers of the sample, which have no names to tell.
macro_rules! from_unnamed {
    ($($error:ty => $variant:ident),* $(,)?) => {
        $(impl From<$error> for Error {
            fn from(error: $error) -> Self {
                Self::$variant { name: "sample".to_owned(), error }
            }
        })*
    };
}

from_unnamed! {
    tim::Error => Texture,
    tmd::Error => Model,
    legaia::Error => Bank,
}

/// A file of a world: its name and its bytes.
pub type Member = (String, Vec<u8>);

/// Polygons of people for which a picture's list has room on the console beside ground and walls: half of them are
/// turned away, and the others take about ten words each.
const CROWD: u64 = 4000;

/// One scene and what it needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct World {
    /// Name of the scene in CDNAME.TXT.
    pub scene: String,
    /// TIM files; they become the TIM_LIST member.
    pub textures: Vec<Member>,
    /// TMD files; they become the TMD member.
    pub models: Vec<Member>,
    /// The animation bank; it belongs to the first model.
    pub bank: Member,
    /// The field map.
    pub map: Member,
    /// The scene's script, decoded; it becomes the MAN member.
    pub man: Option<Member>,
    /// The trigger patch behind the map (`.PCH`); one without records stands in for none.
    pub patch: Option<Member>,
    /// The stager table behind the patch; one without records stands in for none.
    pub stager: Option<Member>,
    /// Further members of the bundle.
    pub others: Vec<Other>,
    /// A battle model of FF8 that is shown beside the scene's model; an entry of its own behind the bundle.
    pub creature: Option<Member>,
}

impl World {
    /// All files but the manifest, in its order, each with the key that names it.
    pub fn parts(&self) -> impl Iterator<Item = (&'static str, &Member)> {
        let textures = self.textures.iter().map(|it| ("textures", it));
        textures
            .chain(self.models.iter().map(|it| ("models", it)))
            .chain([("bank", &self.bank), ("map", &self.map)])
            .chain(self.man.iter().map(|it| ("man", it)))
            .chain(self.patch.iter().map(|it| ("patch", it)))
            .chain(self.stager.iter().map(|it| ("stager", it)))
            .chain(self.others.iter().map(|it| ("members", &it.file)))
            .chain(self.creature.iter().map(|it| ("creature", it)))
    }

    /// All files but the manifest, in its order.
    pub fn members(&self) -> impl Iterator<Item = &Member> {
        self.parts().map(|(_, member)| member)
    }

    /// Check every member with the runtime's readers, and that clips fit the first model.
    ///
    /// # Errors
    /// The first fault found.
    pub fn check(&self) -> Result<(), Error> {
        let name = self.scene.as_bytes();
        let allowed =
            |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'_';
        if name.is_empty() || name.len() > SCENE_NAME || !name.iter().all(allowed) {
            return Err(Error::BadName {
                name: self.scene.clone(),
            });
        }
        for (list, what, members) in [
            ("textures", "TIM file", &self.textures),
            ("models", "TMD file", &self.models),
        ] {
            if members.is_empty() {
                return Err(Error::NoMembers { list, what });
            }
        }
        map::Map::parse(&self.map.1).map_err(|error| Error::Map {
            name: self.map.0.clone(),
            error,
        })?;
        for (name, data) in &self.textures {
            let bad = |error| Error::Texture {
                name: name.clone(),
                error,
            };
            tim::Tim::parse(data).map_err(bad)?.palette().map_err(bad)?;
        }
        for (name, data) in &self.models {
            tmd::Tmd::parse(data).map_err(|error| Error::Model {
                name: name.clone(),
                error,
            })?;
            if let Some(fault) = fault::misaligned(data) {
                let (key, name) = ("models", name.clone());
                return Err(Error::Part { key, name, fault });
            }
        }
        let bad = |error| Error::Bank {
            name: self.bank.0.clone(),
            error,
        };
        let bank = Bank::parse(&self.bank.1).map_err(bad)?;
        if let Some(model) = self
            .models
            .first()
            .and_then(|(_, data)| tmd::Tmd::parse(data).ok())
        {
            let model = model.driven_by(&bank);
            for clip in bank.clips() {
                part_gate(&clip, model.len()).map_err(bad)?;
            }
        }
        self.check_parts()
    }

    /// What the bundle's members are, decoded, in the order of types.
    fn decoded(&self) -> Result<Decoded<'_>, Error> {
        let pack = |members: &[Member]| {
            let bodies: Vec<&[u8]> = members.iter().map(|(_, data)| data.as_slice()).collect();
            let room = bodies.iter().map(|body| body.len() + 8).sum::<usize>() + 4;
            let mut out = vec![0; room];
            let length = pack::emit(&bodies, &mut out)?;
            out.truncate(length);
            Ok::<_, Error>(Cow::Owned(out))
        };
        let mut members = vec![
            (AssetType::TimList, pack(&self.textures)?),
            (AssetType::Tmd, pack(&self.models)?),
            (AssetType::Move, Cow::from(&self.bank.1)),
        ];
        members.extend(self.man.iter().map(|it| (AssetType::Man, Cow::from(&it.1))));
        members.extend(self.others.iter().map(|it| (it.ty, Cow::from(&it.file.1))));
        members.sort_by_key(|(ty, _)| ty.byte());
        Ok(members)
    }

    /// Why the console's programs cannot load the scene, though the PC can: its members take more than
    /// [`CONSOLE_ASSETS`]. Empty also for members that [`World::check`] refuses.
    #[must_use]
    pub fn too_large(&self) -> Option<String> {
        let lengths = self.decoded().ok()?.into_iter();
        let bytes: usize = lengths.map(|(_, it)| it.len().next_multiple_of(4)).sum();
        (bytes > CONSOLE_ASSETS).then(|| {
            format!(
                "the bundle's members take {bytes} bytes, unpacked: expected at most {CONSOLE_ASSETS}, which the \
                 console's programs have; it plays on a PC only"
            )
        })
    }

    /// That people are left out of a picture if too many are in view at once: they have more polygons together than a
    /// console's list has room for. Empty also for members that [`World::check`] refuses.
    #[must_use]
    pub fn crowd(&self) -> Option<String> {
        let man = Man::parse(&self.man.as_ref()?.1).ok()?;
        let polygons = |model: usize| -> u64 {
            let model = self.models.get(model);
            let mesh = model.and_then(|it| Tmd::parse(&it.1).ok());
            mesh.map_or(0, |mesh| {
                mesh.objects().map(|it| u64::from(it.count())).sum()
            })
        };
        let people: Vec<usize> = man
            .placements()
            .filter_map(|it| Some(usize::from(it.ok()?.model)))
            .collect();
        // And the player's.
        let all = polygons(0) + people.iter().map(|&model| polygons(model)).sum::<u64>();
        (all > CROWD).then(|| {
            format!(
                "the player and {} people have {all} polygons together, a picture of the console has room for about \
                 {CROWD}: of more in view at once the nearest are drawn",
                people.len()
            )
        })
    }

    /// The scene's bundle: TIM_LIST, TMD, MOVE, and what else the world has, in the order of types
    /// (disc sheet, section 8), each the shortest LZS stream there is. Nothing is checked.
    ///
    /// # Errors
    /// [`Error::Pack`], [`Error::Bundle`].
    pub fn bundle(&self) -> Result<Vec<u8>, Error> {
        let members = self.decoded()?;
        let mut scratch = Box::new(lzs::Scratch::new());
        let streams = (0..)
            .zip(&members)
            .map(|(index, (_, data))| {
                let mut steps = vec![lzs::Step::NEW; data.len()];
                let mut stream = vec![0; lzs::bound(data.len())];
                let parse = lzs::Parse::Optimal(&mut steps);
                let length = lzs::encode_with(parse, data, &mut stream, &mut scratch)
                    .map_err(|_| bundle::Error::OutputTooSmall { index })?;
                stream.truncate(length);
                Ok::<_, Error>(stream)
            })
            .collect::<Result<Vec<_>, _>>()?;
        let packed: Vec<_> = members
            .iter()
            .zip(&streams)
            .map(|((ty, data), stream)| bundle::Packed {
                ty: *ty,
                size: u32::try_from(data.len()).unwrap_or(u32::MAX),
                stream,
            })
            .collect();
        // Head, descriptors and what aligns each stream.
        let room = streams.iter().map(|it| it.len() + 8 + 3).sum::<usize>() + 8;
        let mut out = vec![0; room];
        let length = bundle::emit(&packed, &mut out)?;
        out.truncate(length);
        Ok(out)
    }

    /// PROT.DAT with this scene at raw entry 2, behind the two that the system uses (disc sheet, section 8).
    ///
    /// # Errors
    /// As [`World::bundle`], and [`Error::Archive`].
    pub fn archive(&self) -> Result<Vec<u8>, Error> {
        self.archive_of(&self.bundle()?)
    }

    /// PROT.DAT with these bytes as the scene's bundle, whatever they are.
    ///
    /// # Errors
    /// [`Error::Archive`].
    pub fn archive_of(&self, bundle: &[u8]) -> Result<Vec<u8>, Error> {
        let (no_patch, zeros) = (patch_table(), [0; SECTOR]);
        let patch = self.patch.as_ref().map_or(&no_patch[..], |it| &it.1);
        let stager = self.stager.as_ref().map_or(&zeros[..], |it| &it.1);
        let mut entries: Vec<&[u8]> = vec![&zeros; BASE as usize];
        entries.extend(Part::ALL.map(|part| match part {
            Part::Map => self.map.1.as_slice(),
            Part::Patch => patch,
            Part::Stager => stager,
            Part::Bundle => bundle,
        }));
        entries.extend(self.creature.iter().map(|it| &it.1[..]));
        let sizes = |entries: &[&[u8]]| -> Vec<u32> {
            entries
                .iter()
                .map(|it| it.len().div_ceil(SECTOR) as u32)
                .collect()
        };
        // The scene loader reads on from the map's start: those sectors must exist.
        let behind: u32 = sizes(&entries)[BASE as usize..].iter().sum();
        let filler = vec![0; READ_SECTORS.saturating_sub(behind) as usize * SECTOR];
        if !filler.is_empty() {
            entries.push(&filler);
        }
        let mut out = vec![0; prot::TOC_BYTES];
        prot::emit(&sizes(&entries), &mut out)?;
        for entry in entries {
            out.extend_from_slice(entry);
            out.resize(out.len().next_multiple_of(SECTOR), 0);
        }
        Ok(out)
    }

    /// All files of the disc; `exe` is the boot file, checked. The world is checked too.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn tree(&self, exe: Option<&[u8]>) -> Result<Tree, Error> {
        self.check()?;
        self.tree_of(self.archive()?, exe)
    }

    /// The files of the disc around this PROT.DAT, whatever it holds.
    ///
    /// # Errors
    /// [`Error::Names`], [`Error::Exe`], [`Error::Image`].
    pub fn tree_of(&self, archive: Vec<u8>, exe: Option<&[u8]>) -> Result<Tree, Error> {
        let mut names = vec![0; cdname::FILE_LIMIT];
        let mut builder = cdname::Builder::new(&mut names);
        builder.define(&self.scene, BASE)?;
        let length = builder.finish();
        names.truncate(length);
        let mut tree = Tree::new();
        tree.file("CDNAME.TXT", names)?;
        tree.file("PROT.DAT", archive)?;
        let boot = format!(
            "BOOT = cdrom:\\{BOOT_FILE};1\r\nTCB = 4\r\nEVENT = 10\r\nSTACK = 801FFF00\r\n"
        );
        tree.file("SYSTEM.CNF", boot.into_bytes())?;
        if let Some(exe) = exe {
            psexe::parse(exe)?;
            tree.file(BOOT_FILE, exe.to_vec())?;
        }
        Ok(tree)
    }
}

/// A trigger patch without records (disc sheet, section 6).
fn patch_table() -> Vec<u8> {
    let mut out = vec![0; map::patch::SIZE];
    // The room is right, so it cannot fail.
    let written = map::patch::emit(&[], &mut out);
    debug_assert_eq!(written, Ok(out.len()));
    out
}

#[cfg(test)]
mod tests;
