//! The smaller chunks, as far as the sheet knows them (llama sheet, section 9).

use core::fmt;

use super::fields::{Fields, Record, Table};
use super::flags::Flags;
use super::light;
use super::wad::{Chunk, Tag};
use crate::bytes::{Full, Writer, slice_at, u32_at};

/// A chunk is not what the sheet says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Error {
    /// It ends too early.
    ChunkTruncated {
        /// Which.
        tag: Tag,
        /// Offset in the chunk of what does not fit.
        offset: usize,
    },
    /// It goes on behind its end.
    ChunkTrailing {
        /// Which.
        tag: Tag,
        /// Where its end should be, in the chunk.
        offset: usize,
        /// Bytes behind it.
        bytes: usize,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ChunkTruncated { tag, offset } => write!(
                f,
                "ChunkTruncated: the chunk \"{tag}\" ends inside what begins at its offset {offset:#x}"
            ),
            Self::ChunkTrailing { tag, offset, bytes } => write!(
                f,
                "ChunkTrailing: the chunk \"{tag}\" should end at its offset {offset:#x}, {bytes} bytes follow"
            ),
        }
    }
}

impl core::error::Error for Error {}

/// Walks a chunk.
struct Walk<'a> {
    tag: Tag,
    data: &'a [u8],
    at: usize,
}

impl<'a> Walk<'a> {
    fn take(&mut self, count: u32, size: usize) -> Result<&'a [u8], Error> {
        let len = (count as usize).checked_mul(size);
        let bytes = len.and_then(|len| slice_at(self.data, self.at, len));
        let bytes = bytes.ok_or(Error::ChunkTruncated {
            tag: self.tag,
            offset: self.at,
        })?;
        self.at += bytes.len();
        Ok(bytes)
    }

    fn word(&mut self) -> Result<u32, Error> {
        self.take(1, 4).map(u32::read)
    }

    fn end(&self) -> Result<(), Error> {
        match self.data.len() - self.at {
            0 => Ok(()),
            bytes => Err(Error::ChunkTrailing {
                tag: self.tag,
                offset: self.at,
                bytes,
            }),
        }
    }
}

/// Look at a chunk's shape. Chunks that MAP needs, sound banks and unknown ones are not looked at.
///
/// # Errors
/// See [`Error`].
pub fn check(chunk: &Chunk<'_>, flags: Flags) -> Result<(), Error> {
    let mut walk = Walk {
        tag: chunk.tag,
        data: chunk.data,
        at: 0,
    };
    match chunk.tag {
        Tag::INFO | Tag::VERS => {
            walk.word()?;
        }
        Tag::LNFO => {
            walk.take(2, 4)?;
        }
        Tag::FONT => {
            walk.take(256, Glyph::BYTES)?;
        }
        Tag::NAME => {
            // Ends with the name.
            return walk.word().map(|_| ());
        }
        Tag::SRPC => {
            let count = walk.word()?;
            // What follows the list is not known.
            return walk.take(count, Sound::BYTES).map(|_| ());
        }
        Tag::SPRT => {
            walk.word()?;
            if flags.has(Flags::SPRITES) {
                let count = walk.word()?;
                walk.take(count, 4)?;
            }
        }
        Tag::TEXT => {
            walk.word()?;
            let textures = walk.word()?;
            for _ in 0..textures {
                let head: Table<'_, u32> = Table::new(walk.take(4, 4)?);
                walk.take(head.get(3).unwrap_or(0), 1)?;
            }
            let materials = walk.word()?;
            walk.take(materials, Material::BYTES)?;
        }
        Tag::LGPC => {
            let texts = Texts::parse(chunk.data)?;
            walk.at = texts.end;
        }
        Tag::LGHT => {
            let truncated = |offset| Error::ChunkTruncated {
                tag: chunk.tag,
                offset,
            };
            let (_, lights) = light::lights(chunk.data).ok_or(truncated(0))?;
            walk.at = 4;
            for light in lights {
                walk.at += light.map_err(truncated)?.bytes();
            }
        }
        _ => return Ok(()),
    }
    walk.end()
}

/// Write `NAME`: its word, and the name with a zero behind it; the number of bytes. `None` when they do not fit, and for a
/// name with a zero in it.
#[must_use]
pub fn emit_name(word: u32, name: &[u8], out: &mut [u8]) -> Option<usize> {
    if name.contains(&0) {
        return None;
    }
    let mut out = Writer::new(out);
    out.u32(word).ok()?;
    out.bytes(name).ok()?;
    out.u8(0).ok()?;
    Some(out.finish())
}

/// Write `SPRT`: its base of materials, and the list that the flags ask for; the number of bytes. `None` when they do not
/// fit, and for a list that the flags exclude or lack.
#[must_use]
pub fn emit_sprites(
    base: u32,
    list: Option<&[u32]>,
    flags: Flags,
    out: &mut [u8],
) -> Option<usize> {
    if list.is_some() != flags.has(Flags::SPRITES) {
        return None;
    }
    let mut out = Writer::new(out);
    out.u32(base).ok()?;
    if let Some(list) = list {
        out.u32(u32::try_from(list.len()).ok()?).ok()?;
        list.iter().try_for_each(|&it| out.u32(it)).ok()?;
    }
    Some(out.finish())
}

/// A texture of `TEXT` to be written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Texture<'a> {
    /// Flags.
    pub flags: u32,
    /// Width and height.
    pub size: [u32; 2],
    /// Its packed bytes.
    pub data: &'a [u8],
}

/// Write `TEXT`; the number of bytes. `None` when they do not fit, or 32 bits do not count them.
#[must_use]
pub fn emit_materials(
    textures: &[Texture<'_>],
    materials: &[Material],
    out: &mut [u8],
) -> Option<usize> {
    let count = |len: usize| u32::try_from(len).ok();
    let mut out = Writer::new(out);
    out.u32(0).ok()?;
    out.u32(count(textures.len())?).ok()?;
    for texture in textures {
        let [width, height] = texture.size;
        for word in [texture.flags, width, height, count(texture.data.len())?] {
            out.u32(word).ok()?;
        }
        out.bytes(texture.data).ok()?;
    }
    out.u32(count(materials.len())?).ok()?;
    materials
        .iter()
        .try_for_each(|it| it.write(&mut out))
        .ok()?;
    Some(out.finish())
}

/// The name in `NAME`: what follows its word, up to the first zero.
#[must_use]
pub fn name(data: &[u8]) -> Option<&[u8]> {
    data.get(4..)?.split(|&byte| byte == 0).next()
}

/// The two words of `LNFO`, such as 55 and 2.
#[must_use]
pub fn light_info(data: &[u8]) -> Option<[u32; 2]> {
    Some([u32_at(data, 0)?, u32_at(data, 4)?])
}

/// A glyph of `FONT`: the corners of its rectangle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Glyph(pub [u16; 4]);

impl Record for Glyph {
    const BYTES: usize = 8;

    fn read(bytes: &[u8]) -> Self {
        Self(Fields(bytes).u16s())
    }

    fn write(&self, out: &mut Writer<'_>) -> Result<(), Full> {
        self.0.iter().try_for_each(|&it| out.u16(it))
    }
}

/// An entry of `SRPC`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sound {
    /// Meaning open.
    pub first: u32,
    /// See [`Sound::hertz`].
    pub rate: u16,
    /// Meaning open.
    pub second: u16,
    /// Where its samples begin.
    pub offset: u32,
    /// Their bytes.
    pub size: u32,
}

impl Sound {
    /// Samples a second, rounded down.
    #[must_use]
    pub const fn hertz(&self) -> u32 {
        // At most 2^32 / 1.48.
        (self.rate as u64 * 44_100 / 4096) as u32
    }
}

impl Record for Sound {
    const BYTES: usize = 16;

    fn read(bytes: &[u8]) -> Self {
        let mut fields = Fields(bytes);
        Self {
            first: fields.u32(),
            rate: fields.u16(),
            second: fields.u16(),
            offset: fields.u32(),
            size: fields.u32(),
        }
    }

    fn write(&self, out: &mut Writer<'_>) -> Result<(), Full> {
        out.u32(self.first)?;
        out.u16(self.rate)?;
        out.u16(self.second)?;
        out.u32(self.offset)?;
        out.u32(self.size)
    }
}

/// A material of `TEXT`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Material {
    /// Flags.
    pub flags: u16,
    /// Texture.
    pub texture: u8,
    /// Meaning open.
    pub extra: u8,
    /// X from and to, y from and to.
    pub area: [u8; 4],
}

impl Record for Material {
    const BYTES: usize = 8;

    fn read(bytes: &[u8]) -> Self {
        let mut fields = Fields(bytes);
        Self {
            flags: fields.u16(),
            texture: fields.u8(),
            extra: fields.u8(),
            area: core::array::from_fn(|_| fields.u8()),
        }
    }

    fn write(&self, out: &mut Writer<'_>) -> Result<(), Full> {
        out.u16(self.flags)?;
        out.bytes(&[self.texture, self.extra])?;
        out.bytes(&self.area)
    }
}

/// `LGPC`: texts by row and column (language).
#[derive(Clone, Copy, Debug)]
pub struct Texts<'a> {
    /// Rows.
    pub rows: u64,
    /// Columns.
    pub columns: u32,
    sizes: Table<'a, u32>,
    blobs: &'a [u8],
    end: usize,
}

impl<'a> Texts<'a> {
    /// Read the chunk.
    ///
    /// # Errors
    /// [`Error::ChunkTruncated`].
    pub fn parse(data: &'a [u8]) -> Result<Self, Error> {
        let mut walk = Walk {
            tag: Tag::LGPC,
            data,
            at: 0,
        };
        let rows = u64::from(walk.word()?) + 1;
        let columns = walk.word()?;
        walk.word()?;
        let offset = walk.at;
        let tag = walk.tag;
        let count = u32::try_from(rows.saturating_mul(columns.into()));
        let count = count.map_err(|_| Error::ChunkTruncated { tag, offset })?;
        let sizes: Table<'a, u32> = Table::new(walk.take(count, 4)?);
        let blobs = data.get(walk.at..).unwrap_or_default();
        for size in sizes.iter() {
            walk.take(size, 1)?;
        }
        Ok(Self {
            rows,
            columns,
            sizes,
            blobs,
            end: walk.at,
        })
    }

    /// All texts in the order of the file: column by column.
    pub fn iter(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let mut rest = self.blobs;
        self.sizes.iter().map_while(move |size| {
            let (text, behind) = rest.split_at_checked(size as usize)?;
            rest = behind;
            Some(text)
        })
    }
}

/// Write `LGPC`: texts of so many rows, column by column; the number of bytes. `None` when they do not fit, for no row,
/// and for texts that are no whole columns.
#[must_use]
pub fn emit_texts(rows: u32, texts: &[&[u8]], out: &mut [u8]) -> Option<usize> {
    let count = u32::try_from(texts.len()).ok()?;
    let columns = count.checked_div(rows)?;
    if !count.is_multiple_of(rows) {
        return None;
    }
    let mut out = Writer::new(out);
    out.u32(rows - 1).ok()?;
    out.u32(columns).ok()?;
    // Not used.
    out.u32(0).ok()?;
    for text in texts {
        out.u32(u32::try_from(text.len()).ok()?).ok()?;
    }
    texts.iter().try_for_each(|text| out.bytes(text)).ok()?;
    Some(out.finish())
}
