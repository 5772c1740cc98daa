//! A whole level: container, flags, models, code and map (llama sheet, sections 1 and 5).

use core::fmt;

use super::chunks;
use super::flags::Flags;
use super::map::{self, Finding, Map};
use super::stpc::Stpc;
use super::trak::{self, Models, Trak};
use super::wad::{self, Chunk, Tag, Wad};
use crate::bytes::u32_at;

/// Why a file is no level (llama sheet, section 10).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum LevelError {
    /// The container.
    Wad(wad::Error),
    /// A chunk without which MAP cannot be read is missing, has not its size, or stands behind MAP.
    MissingDependency {
        /// Which chunk.
        tag: Tag,
        /// Offset of its header, if it is there.
        offset: Option<usize>,
    },
    /// The models of tiles; offsets count in the chunk, whose payload begins at the second value.
    Models(trak::Error, usize),
    /// The map.
    Map {
        /// What is wrong; offsets count in the chunk.
        error: map::Error,
        /// Where its payload begins in the file.
        start: usize,
        /// The flags it was read with.
        flags: Flags,
        /// The flag whose change alone would make it readable.
        suggested: Option<u32>,
    },
}

impl fmt::Display for LevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Wad(error) => error.fmt(f),
            Self::MissingDependency { tag, offset } => {
                write!(f, "MissingDependency: ")?;
                match offset {
                    None => write!(f, "there is no chunk \"{tag}\""),
                    Some(offset) => write!(
                        f,
                        "offset {offset:#x}: the chunk \"{tag}\" has a wrong size or stands behind MAP"
                    ),
                }
            }
            Self::Models(error, start) => write!(f, "{error} (TRAK, from offset {start:#x} on)"),
            Self::Map {
                error,
                start,
                flags,
                suggested,
            } => {
                write!(f, "{error} (MAP, from offset {start:#x} on; flags {flags}")?;
                if let Some(mask) = suggested {
                    let change = if flags.has(mask) { "without" } else { "with" };
                    write!(f, "; {change} {mask:#x} it can be read")?;
                }
                write!(f, ")")
            }
        }
    }
}

impl core::error::Error for LevelError {}

/// What is worth a look outside MAP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Note {
    /// The size word in front is wrong, which the game ignores.
    Size {
        /// What it says.
        found: u32,
        /// What would be right.
        expected: u64,
    },
    /// Bytes behind `END `.
    After {
        /// How many.
        bytes: usize,
    },
    /// The models in front of the code cannot be walked: offsets into the code are compared with the chunk's
    /// size alone.
    Code(trak::Error),
    /// Another chunk is not what the sheet says.
    Chunk(chunks::Error),
    /// A chunk stands behind one that takes something from it as it is loaded (section 1): flags or materials. The blocks
    /// of MAP are found all the same, but the game does not load such a level as it is meant.
    Order {
        /// Which chunk.
        tag: Tag,
        /// Offset of its header.
        offset: usize,
        /// The chunk that needs it.
        user: Tag,
        /// Offset of that one's header.
        needed: usize,
    },
}

/// Chunks, each with one that it must stand in front of (section 1). Those in front of MAP are looked at as a level is
/// read.
const ORDER: [[Tag; 2]; 4] = [
    [Tag::WFPC, Tag::STPC],
    [Tag::WFPC, Tag::SPRT],
    [Tag::TEXT, Tag::TRAK],
    [Tag::TEXT, Tag::STPC],
];

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size { found, expected } => write!(
                f,
                "Size: the word in front says {found}, expected {expected}; the game ignores it"
            ),
            Self::After { bytes } => write!(f, "After: {bytes} bytes behind END"),
            Self::Code(error) => write!(f, "Code: STPC: {error}"),
            Self::Chunk(error) => error.fmt(f),
            Self::Order {
                tag,
                offset,
                user,
                needed,
            } => write!(
                f,
                "MissingDependency: offset {offset:#x}: chunk \"{tag}\": expected it before {user}, which is at offset \
                 {needed:#x}"
            ),
        }
    }
}

/// A level. The blocks of its map are found; whether they make sense [`Level::check`] says.
#[derive(Clone, Copy, Debug)]
pub struct Level<'a> {
    /// The container.
    pub wad: Wad<'a>,
    /// Feature flags.
    pub flags: Flags,
    /// Models of tiles.
    pub trak: Trak<'a>,
    /// Code and models of strats.
    pub stpc: Option<Stpc<'a>>,
    /// Why the models in front of the code cannot be walked.
    pub code_fault: Option<trak::Error>,
    /// The map.
    pub map: Map<'a>,
    /// Where the payload of MAP begins in the file.
    pub map_start: usize,
}

impl<'a> Level<'a> {
    /// Read a file.
    ///
    /// # Errors
    /// See [`LevelError`]. Only what is needed to find the blocks of MAP is an error.
    pub fn parse(data: &'a [u8]) -> Result<Self, LevelError> {
        let wad = Wad::parse(data).map_err(LevelError::Wad)?;
        let missing = |tag, chunk: Option<Chunk<'_>>| LevelError::MissingDependency {
            tag,
            offset: chunk.map(|it| it.offset),
        };
        let map = wad.find(Tag::MAP).ok_or(missing(Tag::MAP, None))?;
        let before = |tag| {
            let chunk = wad.find(tag);
            chunk
                .filter(|it| it.offset < map.offset)
                .ok_or(missing(tag, chunk))
        };
        let flags = before(Tag::WFPC)?;
        let word = u32_at(flags.data, 0).filter(|_| flags.data.len() == 4);
        let flags = Flags(word.ok_or(missing(Tag::WFPC, Some(flags)))?);
        let models = before(Tag::TRAK)?;
        let trak = Trak::parse(models.data)
            .map_err(|error| LevelError::Models(error, models.offset + 8))?;
        let (mut stpc, mut code_fault) = (None, None);
        if wad.find(Tag::STPC).is_some() {
            let code = before(Tag::STPC)?.data;
            stpc = Some(Stpc::parse(code, flags).unwrap_or_else(|error| {
                code_fault = Some(error);
                Stpc::raw(code)
            }));
        }
        let map_start = map.offset + 8;
        let models = Models::Trak(trak);
        let map = Map::parse_lenient(map.data, flags, models).map_err(|error| LevelError::Map {
            error,
            start: map_start,
            flags,
            suggested: Map::suggest(map.data, flags, models),
        })?;
        Ok(Self {
            wad,
            flags,
            trak,
            stpc,
            code_fault,
            map,
            map_start,
        })
    }

    /// Everything that is wrong with the map, and what is worth a look elsewhere; [`Note::Order`] is more than that.
    pub fn check(&self, tell: &mut dyn FnMut(Finding), note: &mut dyn FnMut(Note)) {
        if !self.wad.is_stated_right() {
            note(Note::Size {
                found: self.wad.stated(),
                expected: (self.wad.bytes().len() as u64).saturating_sub(4),
            });
        }
        match self.wad.after().len() {
            0 => {}
            bytes => note(Note::After { bytes }),
        }
        if let Some(error) = self.code_fault {
            note(Note::Code(error));
        }
        for [tag, user] in ORDER {
            if let (Some(chunk), Some(needs)) = (self.wad.find(tag), self.wad.find(user))
                && chunk.offset > needs.offset
            {
                note(Note::Order {
                    tag,
                    offset: chunk.offset,
                    user,
                    needed: needs.offset,
                });
            }
        }
        for chunk in self.wad.chunks() {
            if let Err(error) = chunks::check(&chunk, self.flags) {
                note(Note::Chunk(error));
            }
        }
        self.map.check(self.stpc.as_ref(), tell);
    }

    /// The level's name, as the chunk `NAME` has it.
    #[must_use]
    pub fn name(&self) -> Option<&'a [u8]> {
        chunks::name(self.wad.find(Tag::NAME)?.data)
    }
}
