//! The WAD container (llama sheet, section 1): a size, then chunks back to back up to `END `.

use core::fmt;

use crate::bytes::{Full, Writer, slice_at, u32_at};

/// The four characters of a chunk. The first one is the most significant byte, so they stand on
/// disk in reverse.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Tag(pub u32);

impl Tag {
    /// First chunk of every file.
    pub const INFO: Self = Self::new(b"INFO");
    /// Version.
    pub const VERS: Self = Self::new(b"VERS");
    /// Feature flags.
    pub const WFPC: Self = Self::new(b"WFPC");
    /// Models of tiles.
    pub const TRAK: Self = Self::new(b"TRAK");
    /// Models, animations and code of strats.
    pub const STPC: Self = Self::new(b"STPC");
    /// The level.
    pub const MAP: Self = Self::new(b"MAP ");
    /// Lights.
    pub const LGHT: Self = Self::new(b"LGHT");
    /// Two words about lights.
    pub const LNFO: Self = Self::new(b"LNFO");
    /// The level's name.
    pub const NAME: Self = Self::new(b"NAME");
    /// Textures and materials.
    pub const TEXT: Self = Self::new(b"TEXT");
    /// Glyphs.
    pub const FONT: Self = Self::new(b"FONT");
    /// Sprites.
    pub const SPRT: Self = Self::new(b"SPRT");
    /// Language texts.
    pub const LGPC: Self = Self::new(b"LGPC");
    /// Sound references.
    pub const SRPC: Self = Self::new(b"SRPC");
    /// The end.
    pub const END: Self = Self::new(b"END ");

    /// All tags that levels use, in the usual order, without `END `.
    pub const KNOWN: [Self; 17] = [
        Self::INFO,
        Self::VERS,
        Self::WFPC,
        Self::TEXT,
        Self::FONT,
        Self::SPRT,
        Self::NAME,
        Self::new(b"SMPC"),
        Self::new(b"AMPC"),
        Self::SRPC,
        Self::TRAK,
        Self::STPC,
        Self::MAP,
        Self::LGHT,
        Self::LNFO,
        Self::LGPC,
        Self::new(b"RIMG"),
    ];

    /// From the characters as they are read.
    #[must_use]
    pub const fn new(text: &[u8; 4]) -> Self {
        Self(u32::from_be_bytes(*text))
    }

    /// The characters as they are read.
    #[must_use]
    pub const fn text(self) -> [u8; 4] {
        self.0.to_be_bytes()
    }

    /// Place among [`Tag::KNOWN`].
    fn known(self) -> Option<usize> {
        Self::KNOWN.iter().position(|&known| known == self)
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.text().escape_ascii())
    }
}

impl fmt::Debug for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tag({self})")
    }
}

/// What is wrong with a container (llama sheet, section 10).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Error {
    /// The file's first words, a chunk's header or its payload pass the end.
    WadTruncated {
        /// Offset of the header.
        offset: usize,
        /// The chunk's tag, as far as there is one.
        tag: Option<Tag>,
    },
    /// The first chunk is not `INFO`.
    NotAWad {
        /// What stands there.
        tag: Tag,
    },
    /// The file ends behind a chunk that is not `END `.
    MissingEnd {
        /// Length of the file.
        offset: usize,
    },
    /// A known chunk stands there twice.
    DuplicateChunk {
        /// Offset of the second header.
        offset: usize,
        /// Its tag.
        tag: Tag,
    },
    /// A chunk that is to be replaced is not there.
    NoSuchChunk {
        /// Its tag.
        tag: Tag,
    },
    /// The writer's slice is full, or a size leaves 32 bits.
    OutputTooSmall {
        /// Length of the slice.
        room: usize,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::WadTruncated { offset, tag } => {
                write!(f, "WadTruncated: offset {offset:#x}: ")?;
                match tag {
                    Some(tag) => write!(f, "the chunk \"{tag}\" passes the end of the file"),
                    None => write!(f, "expected a chunk's tag and size, the file ends"),
                }
            }
            Self::NotAWad { tag } => write!(
                f,
                "NotAWad: offset 0x4: expected the tag \"INFO\", found \"{tag}\""
            ),
            Self::MissingEnd { offset } => write!(
                f,
                "MissingEnd: offset {offset:#x}: expected the chunk \"END \", the file ends"
            ),
            Self::DuplicateChunk { offset, tag } => write!(
                f,
                "DuplicateChunk: offset {offset:#x}: the chunk \"{tag}\" stands there a second time"
            ),
            Self::NoSuchChunk { tag } => {
                write!(f, "NoSuchChunk: there is no chunk \"{tag}\"")
            }
            Self::OutputTooSmall { room } => {
                write!(f, "OutputTooSmall: {room} bytes do not hold the file")
            }
        }
    }
}

impl core::error::Error for Error {}

/// One chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk<'a> {
    /// Its tag.
    pub tag: Tag,
    /// Offset of its header in the file.
    pub offset: usize,
    /// Its payload.
    pub data: &'a [u8],
}

/// A container whose chunks are known to lead to `END `.
#[derive(Clone, Copy, Debug)]
pub struct Wad<'a> {
    data: &'a [u8],
    /// Offset of the header of `END `.
    end: usize,
    /// For each known tag the offset of its header; 0 when it is not there.
    known: [usize; Tag::KNOWN.len()],
}

/// Bytes of a chunk's header.
const HEADER: usize = 8;

impl<'a> Wad<'a> {
    /// Read a file: walk the chunks to `END `, whose own size does not count.
    ///
    /// # Errors
    /// [`Error::WadTruncated`], [`Error::NotAWad`], [`Error::MissingEnd`],
    /// [`Error::DuplicateChunk`].
    pub fn parse(data: &'a [u8]) -> Result<Self, Error> {
        let mut wad = Self {
            data,
            end: 0,
            known: [0; Tag::KNOWN.len()],
        };
        if data.len() < 4 {
            return Err(Error::WadTruncated {
                offset: 0,
                tag: None,
            });
        }
        let mut offset = 4;
        while offset < data.len() {
            let chunk = wad.chunk(offset)?;
            if offset == 4 && chunk.tag != Tag::INFO {
                return Err(Error::NotAWad { tag: chunk.tag });
            }
            if chunk.tag == Tag::END {
                wad.end = offset;
                return Ok(wad);
            }
            if let Some(place) = chunk.tag.known().and_then(|at| wad.known.get_mut(at)) {
                if *place != 0 {
                    let tag = chunk.tag;
                    return Err(Error::DuplicateChunk { offset, tag });
                }
                *place = offset;
            }
            // Inside the file.
            offset += HEADER + chunk.data.len();
        }
        Err(Error::MissingEnd { offset })
    }

    /// The chunk whose header is at `offset`; of `END ` no payload is looked at.
    fn chunk(&self, offset: usize) -> Result<Chunk<'a>, Error> {
        let tag = u32_at(self.data, offset).map(Tag);
        let truncated = Error::WadTruncated { offset, tag };
        let (Some(tag), Some(size)) = (tag, u32_at(self.data, offset.saturating_add(4))) else {
            return Err(truncated);
        };
        let size = if tag == Tag::END { 0 } else { size as usize };
        let data = slice_at(self.data, offset.saturating_add(HEADER), size).ok_or(truncated)?;
        Ok(Chunk { tag, offset, data })
    }

    /// The whole file.
    #[must_use]
    pub const fn bytes(&self) -> &'a [u8] {
        self.data
    }

    /// All chunks in order, without `END `.
    pub fn chunks(&self) -> impl Iterator<Item = Chunk<'a>> + use<'a> {
        let wad = *self;
        let mut offset = 4;
        core::iter::from_fn(move || {
            let chunk = wad.chunk(offset).ok()?;
            if offset >= wad.end {
                return None;
            }
            offset += HEADER + chunk.data.len();
            Some(chunk)
        })
    }

    /// The chunk with a tag; of unknown tags the first one.
    #[must_use]
    pub fn find(&self, tag: Tag) -> Option<Chunk<'a>> {
        match tag.known() {
            Some(place) => {
                let offset = *self.known.get(place)?;
                (offset != 0).then(|| self.chunk(offset).ok()).flatten()
            }
            None => self.chunks().find(|chunk| chunk.tag == tag),
        }
    }

    /// The size word, which the game ignores: the size of the file without the word, if it is right.
    #[must_use]
    pub fn stated(&self) -> u32 {
        u32_at(self.data, 0).unwrap_or(0)
    }

    /// Whether the size word is right.
    #[must_use]
    pub fn is_stated_right(&self) -> bool {
        u64::from(self.stated()) + 4 == self.data.len() as u64
    }

    /// What follows `END `; nothing in a proper file.
    #[must_use]
    pub fn after(&self) -> &'a [u8] {
        self.data.get(self.end + HEADER..).unwrap_or_default()
    }

    /// Write the file with another payload for a chunk; the number of bytes. All other bytes are copied,
    /// and the size word is worked out anew only if the payload's size changes.
    ///
    /// # Errors
    /// [`Error::NoSuchChunk`], [`Error::OutputTooSmall`].
    pub fn replace(&self, tag: Tag, payload: &[u8], out: &mut [u8]) -> Result<usize, Error> {
        let old = self.find(tag).ok_or(Error::NoSuchChunk { tag })?;
        let room = out.len();
        let too_small = Error::OutputTooSmall { room };
        let start = old.offset + HEADER;
        let size = (self.data.len() - old.data.len()).saturating_add(payload.len());
        let stated = match (payload.len() == old.data.len(), size) {
            (true, _) => self.stated(),
            (false, _) => u32::try_from(size - 4).map_err(|_| too_small)?,
        };
        let mut out = Writer::new(out);
        let mut write = || {
            out.u32(stated)?;
            out.bytes(self.data.get(4..start - 4).unwrap_or_default())?;
            // Not larger than the file, whose size fits.
            out.u32(payload.len() as u32)?;
            out.bytes(payload)?;
            let rest = start + old.data.len();
            out.bytes(self.data.get(rest..).unwrap_or_default())
        };
        write().map_err(|_: Full| too_small)?;
        Ok(out.finish())
    }
}

/// Write a container of chunks, given without `END `; the number of bytes.
///
/// # Errors
/// [`Error::NotAWad`] when the first chunk is not `INFO`; [`Error::DuplicateChunk`];
/// [`Error::OutputTooSmall`].
pub fn emit(chunks: &[(Tag, &[u8])], out: &mut [u8]) -> Result<usize, Error> {
    let room = out.len();
    let too_small = Error::OutputTooSmall { room };
    let mut out = Writer::new(out);
    out.u32(0).map_err(|_| too_small)?;
    let first = chunks.first().map_or(Tag::END, |chunk| chunk.0);
    if first != Tag::INFO {
        return Err(Error::NotAWad { tag: first });
    }
    let mut seen = [false; Tag::KNOWN.len()];
    for &(tag, data) in chunks {
        let offset = out.position();
        if let Some(seen) = tag.known().and_then(|at| seen.get_mut(at))
            && core::mem::replace(seen, true)
        {
            return Err(Error::DuplicateChunk { offset, tag });
        }
        let size = u32::try_from(data.len()).map_err(|_| too_small)?;
        let mut write = || {
            out.u32(tag.0)?;
            out.u32(size)?;
            out.bytes(data)
        };
        write().map_err(|_: Full| too_small)?;
    }
    out.u32(Tag::END.0).map_err(|_| too_small)?;
    out.u32(0).map_err(|_| too_small)?;
    let stated = u32::try_from(out.position() - 4).map_err(|_| too_small)?;
    out.patch_u32(0, stated).map_err(|_| too_small)?;
    Ok(out.finish())
}
