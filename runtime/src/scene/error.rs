//! Everything that can keep a scene from the screen, each with its own sentence.

use core::fmt;

use crate::anim::legaia;
use crate::disc::block::Part;
use crate::disc::bundle::AssetType;
use crate::disc::{bundle, iso, pack, prot};
use crate::lzs;
use crate::model::{draw, tim, tmd};

/// A short name kept in an error: cut after 16 bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Name {
    bytes: [u8; 16],
    len: u8,
}

impl Name {
    /// The first 16 bytes of `name`, cut at a character boundary.
    #[must_use]
    pub fn new(name: &str) -> Self {
        let len = (0..=16)
            .rev()
            .find(|&n| name.is_char_boundary(n))
            .unwrap_or(0);
        let mut bytes = [0; 16];
        for (to, from) in bytes.iter_mut().zip(name.bytes().take(len)) {
            *to = from;
        }
        Self {
            bytes,
            len: len.min(name.len()) as u8,
        }
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        let bytes = self.bytes.get(..usize::from(self.len)).unwrap_or_default();
        core::str::from_utf8(bytes).unwrap_or_default()
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

#[cfg(feature = "defmt")]
impl defmt::Format for Name {
    fn format(&self, f: defmt::Formatter<'_>) {
        defmt::write!(f, "{=str}", self.as_str());
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Why a scene was not loaded: `D` is the drive's error, `S` the screen's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum LoadError<D, S> {
    /// The disc could not be read.
    Drive {
        /// What was to be read.
        what: &'static str,
        /// First logical block of the run.
        lba: u32,
        /// What the drive says.
        error: D,
    },
    /// A file is not in the root directory of the disc.
    FileMissing {
        /// Its name.
        name: &'static str,
    },
    /// The file system is damaged.
    Volume {
        /// The file looked for.
        name: &'static str,
        /// What is wrong.
        error: iso::Error<D>,
    },
    /// `CDNAME.TXT` is longer than the 4095 bytes the console reads.
    NameTableTooLong {
        /// Its size in bytes.
        size: u32,
    },
    /// `CDNAME.TXT` has no line for the scene.
    NoSuchScene {
        /// The scene asked for.
        name: Name,
    },
    /// The next name begins before a part of the scene: it is no name of a scene.
    NoPart {
        /// The scene asked for.
        name: Name,
        /// What was to be read.
        part: Part,
        /// The first entry that its name covers, a raw index.
        base: u32,
        /// The one behind the last.
        end: u32,
    },
    /// The table of contents of `PROT.DAT` is damaged or lacks the scene's entry.
    Toc(prot::Error),
    /// The staging memory is too small.
    StagingTooSmall {
        /// What it is needed for.
        what: &'static str,
        /// Sectors needed.
        needed: u32,
        /// Sectors there are.
        available: usize,
    },
    /// The scene's bundle is longer than any that is known.
    BundleTooLong {
        /// Raw index of the entry.
        raw: u32,
        /// Its length in sectors.
        sectors: u32,
        /// The most that is read.
        most: u32,
    },
    /// The descriptor table of the scene's bundle is damaged.
    Bundle {
        /// Raw index of the entry.
        raw: u32,
        /// What is wrong.
        error: bundle::Error,
    },
    /// The memory for decoded assets is too small.
    AssetsTooSmall {
        /// Bytes needed for all members.
        needed: usize,
        /// Bytes there are.
        available: usize,
    },
    /// A member does not unpack.
    Member {
        /// Its place in the bundle.
        index: u8,
        /// What it should be.
        ty: AssetType,
        /// What is wrong.
        error: lzs::Error,
    },
    /// A member that should be a pack is none.
    Pack {
        /// Its place in the bundle.
        index: u8,
        /// What it should be.
        ty: AssetType,
        /// What is wrong.
        error: pack::Error,
    },
    /// A texture is damaged or has no place in VRAM.
    Texture {
        /// Place of the list in the bundle.
        index: u8,
        /// Number in the list.
        number: u32,
        /// What is wrong.
        error: tim::Error,
    },
    /// A texture could not be sent to VRAM.
    Upload {
        /// Place of the list in the bundle.
        index: u8,
        /// Number in the list.
        number: u32,
        /// What the screen says.
        error: S,
    },
    /// A mesh is damaged.
    Mesh {
        /// Place of the pack in the bundle.
        index: u8,
        /// Number in the pack.
        number: u32,
        /// What is wrong.
        error: tmd::Error,
    },
    /// The animation bank is damaged.
    Bank {
        /// Its place in the bundle.
        index: u8,
        /// What is wrong.
        error: legaia::Error,
    },
    /// The scene's program is damaged.
    Man {
        /// Its place in the bundle.
        index: u8,
        /// What is wrong.
        error: super::man::Error,
    },
    /// The bundle lacks something the scene needs.
    AssetMissing {
        /// What it lacks.
        ty: AssetType,
    },
    /// A clip does not belong to the model: the part gate.
    PartMismatch {
        /// Number of the clip, from 1.
        clip: i16,
        /// Parts of the clip.
        parts: u8,
        /// Objects of the model.
        objects: usize,
    },
}

impl<D: fmt::Display, S: fmt::Display> fmt::Display for LoadError<D, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Drive { what, lba, error } => {
                write!(f, "cannot read {what} at sector {lba}: {error}")
            }
            Self::FileMissing { name } => {
                write!(f, "{name} is not on the disc: is this the right image?")
            }
            Self::Volume { name, error } => {
                write!(
                    f,
                    "cannot find {name}: the disc's file system is damaged: {error}"
                )
            }
            Self::NameTableTooLong { size } => {
                write!(f, "CDNAME.TXT has {size} bytes; at most 4095 are allowed")
            }
            Self::NoSuchScene { name } => write!(f, "CDNAME.TXT defines no scene \"{name}\""),
            Self::NoPart {
                name,
                part,
                base,
                end,
            } => write!(
                f,
                "\"{name}\" is no scene: raw entries {base} to {} end before its {part}, which would \
                 be entry {}",
                end.saturating_sub(1),
                base.saturating_add(part.position())
            ),
            Self::Toc(error) => write!(f, "PROT.DAT: {error}"),
            Self::StagingTooSmall {
                what,
                needed,
                available,
            } => write!(
                f,
                "the staging memory is too small for {what}: {needed} sectors needed, {available} \
                 available"
            ),
            Self::BundleTooLong { raw, sectors, most } => write!(
                f,
                "the scene's bundle (PROT.DAT, raw entry {raw}) has {sectors} sectors; at most \
                 {most} are read"
            ),
            Self::Bundle { raw, error } => {
                write!(f, "the scene's bundle (PROT.DAT, raw entry {raw}): {error}")
            }
            Self::AssetsTooSmall { needed, available } => write!(
                f,
                "the asset memory is too small: {needed} bytes needed, {available} available"
            ),
            Self::Member { index, ty, error } => {
                write!(f, "bundle member {index} ({ty}) does not unpack: {error}")
            }
            Self::Pack { index, ty, error } => write!(f, "bundle member {index} ({ty}): {error}"),
            Self::Texture {
                index,
                number,
                error,
            } => {
                write!(f, "texture {number} of bundle member {index}: {error}")
            }
            Self::Upload {
                index,
                number,
                error,
            } => write!(
                f,
                "texture {number} of bundle member {index} did not reach VRAM: {error}"
            ),
            Self::Mesh {
                index,
                number,
                error,
            } => {
                write!(f, "mesh {number} of bundle member {index}: {error}")
            }
            Self::Bank { index, error } => {
                write!(f, "animation bank (bundle member {index}): {error}")
            }
            Self::Man { index, error } => {
                write!(f, "program of the scene (bundle member {index}): {error}")
            }
            Self::AssetMissing { ty } => write!(f, "the scene's bundle has no usable {ty}"),
            Self::PartMismatch {
                clip,
                parts,
                objects,
            } => write!(
                f,
                "clip {clip} moves {parts} parts but the model has {objects} objects: bank and \
                 mesh do not belong together"
            ),
        }
    }
}

impl<D, S> core::error::Error for LoadError<D, S>
where
    D: fmt::Debug + fmt::Display,
    S: fmt::Debug + fmt::Display,
{
}

/// Why a frame was not drawn: `S` is the screen's error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum DrawError<S> {
    /// The display list is too small, or clip and model do not match.
    Model(draw::Error),
    /// The GPU did not draw the list.
    Screen(S),
}

impl<S: fmt::Display> fmt::Display for DrawError<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Model(error) => write!(f, "cannot draw the model: {error}"),
            Self::Screen(error) => write!(f, "the GPU did not draw the frame: {error}"),
        }
    }
}

impl<S: fmt::Debug + fmt::Display> core::error::Error for DrawError<S> {}
