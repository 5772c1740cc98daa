//! Models, animations and code of strats, chunk `STPC`, and the names of types in the code (llama sheet,
//! sections 5 and 6).
//!
//! The sheet gives the models to the byte, of animations only their number, and of the code what names
//! need. So where the code begins is known exactly for levels without animations and extra groups; for
//! others, where it begins at the earliest.

use core::fmt;

use super::flags::Flags;
use super::trak::{self, Counts, Error};
use crate::bytes::{Full, Writer, i32_at, slice_at, u16_at, u32_at};

/// Bytes of a model's header.
pub const HEADER: usize = 0x8C;
/// Bytes of an animation's header.
pub const ANIMATION: usize = 0x20;
/// Words of code that are searched for a name.
const SEARCH: usize = 64;
/// Bytes of a name at most, without its end.
const LONGEST: usize = 63;

/// Names of the player's types, the usual one first (section 6).
pub const PLAYERS: [&str; 4] = [
    "Llama",
    "KuscoAndPachaTogetherOnATree",
    "RollerCoaster",
    "LlamaChase",
];
/// Names of the types of exits, the usual one first (section 6).
pub const EXITS: [&str; 3] = ["LevelDoor", "VillageEndDoor", "EndGameDoor"];

/// Opcodes that names and spawn stubs are made of.
mod op {
    pub const NAME: u32 = 0xD4;
    pub const TEXT: u32 = 0xEA;
    pub const TARGET: u32 = 0xB2;
    pub const SPAWN: u32 = 0xE0;
    /// As [`SPAWN`], so many words that are no code follow it.
    pub const SPAWN_LIKE: u32 = 0x94;
    pub const INLINE: usize = 6;
}

/// The type of a strat, as its code names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name<'a> {
    /// The code names itself.
    Own(&'a str),
    /// A stub that spawns what has this name.
    Spawn(&'a str),
    /// No name within reach; the code offset.
    Unknown(u32),
}

impl<'a> Name<'a> {
    /// The name, of a stub that of its target.
    #[must_use]
    pub const fn text(&self) -> Option<&'a str> {
        match self {
            Self::Own(name) | Self::Spawn(name) => Some(name),
            Self::Unknown(_) => None,
        }
    }
}

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Own(name) => f.write_str(name),
            Self::Spawn(name) => write!(f, "{name}(spawn)"),
            Self::Unknown(code) => write!(f, "?{code:X}"),
        }
    }
}

/// One model with bones.
#[derive(Clone, Copy, Debug)]
pub struct Model<'a> {
    /// Offset in the chunk.
    pub offset: usize,
    /// Its header.
    pub header: &'a [u8],
    /// Counts of the header.
    pub counts: Counts,
    /// Number of bones.
    pub bones: u16,
    /// Bones, vertices, faces and collision entries.
    pub data: &'a [u8],
}

/// The chunk.
#[derive(Clone, Copy, Debug)]
pub struct Stpc<'a> {
    data: &'a [u8],
    models: u32,
    animations: u32,
    code: usize,
    exact: bool,
}

impl<'a> Stpc<'a> {
    /// Read a chunk: walk its models.
    ///
    /// # Errors
    /// [`Error::ModelsTruncated`].
    pub fn parse(data: &'a [u8], flags: Flags) -> Result<Self, Error> {
        let truncated = |offset, need| Error::ModelsTruncated { offset, need };
        let models = u32_at(data, 0).ok_or(truncated(0, 4))?;
        let mut stpc = Self {
            data,
            models,
            animations: 0,
            code: 4,
            exact: false,
        };
        // Each turn takes at least a header's bytes.
        for _ in 0..models {
            let model = stpc.model(stpc.code)?;
            stpc.code += HEADER + model.data.len();
        }
        stpc.animations = u32_at(data, stpc.code).ok_or(truncated(stpc.code, 4))?;
        stpc.code += 4;
        let headers = u64::from(stpc.animations) * ANIMATION as u64;
        if headers > (data.len() - stpc.code) as u64 {
            return Err(truncated(stpc.code, headers));
        }
        stpc.code += headers as usize;
        stpc.exact = stpc.animations == 0 && !flags.has(Flags::GROUPS);
        Ok(stpc)
    }

    /// A chunk whose models are not looked at: all of it may be code.
    #[must_use]
    pub const fn raw(data: &'a [u8]) -> Self {
        Self {
            data,
            models: 0,
            animations: 0,
            code: 0,
            exact: false,
        }
    }

    fn model(&self, offset: usize) -> Result<Model<'a>, Error> {
        let truncated = |offset, need| Error::ModelsTruncated {
            offset,
            need: need as u64,
        };
        let header = slice_at(self.data, offset, HEADER).ok_or(truncated(offset, HEADER))?;
        let counts = Counts::of(header);
        let bones = u16_at(header, 0x86).unwrap_or(0);
        let need = 2 * usize::from(bones) + counts.bytes();
        let start = offset + HEADER;
        let data = slice_at(self.data, start, need).ok_or(truncated(start, need))?;
        Ok(Model {
            offset,
            header,
            counts,
            bones,
            data,
        })
    }

    /// The whole chunk, in which code offsets count.
    #[must_use]
    pub const fn bytes(&self) -> &'a [u8] {
        self.data
    }

    /// All models in order.
    pub fn models(&self) -> impl Iterator<Item = Model<'a>> + use<'a> {
        let stpc = *self;
        let mut offset = 4;
        (0..stpc.models).map_while(move |_| {
            let model = stpc.model(offset).ok()?;
            offset += HEADER + model.data.len();
            Some(model)
        })
    }

    /// Number of animations.
    #[must_use]
    pub const fn animations(&self) -> u32 {
        self.animations
    }

    /// Where the code begins: exactly, or, when the second value is `false`, at the earliest.
    #[must_use]
    pub const fn code(&self) -> (usize, bool) {
        (self.code, self.exact)
    }

    /// Whether code can stand at this offset: an even one, which need not be a multiple of four.
    #[must_use]
    pub fn is_code(&self, offset: u32) -> bool {
        let offset = offset as usize;
        offset.is_multiple_of(2) && offset >= self.code && offset < self.data.len()
    }

    /// The type whose code begins at this offset: the first name or spawn stub within 64 words. At most
    /// one stub is followed.
    #[must_use]
    pub fn name(&self, code: u32) -> Name<'a> {
        match self.resolve(code) {
            Some(Found::Name(name)) => Name::Own(name),
            Some(Found::Stub(target)) => match self.resolve(target) {
                Some(Found::Name(name)) => Name::Spawn(name),
                _ => Name::Unknown(code),
            },
            None => Name::Unknown(code),
        }
    }

    /// What stands among the words that a spawn reads is no code, and is not looked at.
    fn resolve(&self, code: u32) -> Option<Found<'a>> {
        let mut at = code as usize;
        let end = at.saturating_add(4 * SEARCH);
        while at < end {
            let word = u32_at(self.data, at)?;
            let second = u32_at(self.data, at.checked_add(4)?);
            let third = u32_at(self.data, at.checked_add(8)?);
            match (word, second, third) {
                (op::NAME, Some(op::TEXT), Some(_)) => {
                    return self.text(at).map(Found::Name);
                }
                (op::TARGET, Some(target), Some(spawn)) if spawn & 0xFFFF == op::SPAWN => {
                    return Some(Found::Stub(target));
                }
                _ => at = at.saturating_add(4 * (1 + inline(word))),
            }
        }
        None
    }

    /// The text that the three words at `at` point to.
    fn text(&self, at: usize) -> Option<&'a str> {
        let relative = i32_at(self.data, at.checked_add(8)?)?;
        let behind = i64::try_from(at).ok()? + 12;
        let start = usize::try_from(behind + i64::from(relative)).ok()?;
        let text = self.data.get(start..)?;
        let text = text.get(..LONGEST + 1).unwrap_or(text);
        let end = text.iter().position(|&byte| byte == 0)?;
        let text = text.get(..end)?;
        let printable = |byte: &u8| (b' '..=b'~').contains(byte);
        if text.is_empty() || !text.iter().all(printable) {
            return None;
        }
        core::str::from_utf8(text).ok()
    }

    /// All names in the code, placed or not, each with the offset of its first word, in order. They are looked
    /// for at every second byte.
    pub fn names(&self) -> impl Iterator<Item = (u32, &'a str)> + use<'a> {
        let stpc = *self;
        let mut at = stpc.code & !1;
        core::iter::from_fn(move || {
            loop {
                let (here, word) = (at, u32_at(stpc.data, at)?);
                at += 2;
                if word == op::NAME
                    && u32_at(stpc.data, here + 4) == Some(op::TEXT)
                    && let Some(name) = stpc.text(here)
                {
                    return Some((u32::try_from(here).ok()?, name));
                }
            }
        })
    }
}

/// Words behind an instruction that are its own.
const fn inline(word: u32) -> usize {
    match word & 0xFFFF {
        op::TARGET => 1,
        op::SPAWN | op::SPAWN_LIKE => op::INLINE,
        _ => 0,
    }
}

/// A model to be written.
#[derive(Clone, Copy, Debug)]
pub struct ModelSource<'a> {
    /// The header, whose counts are replaced by what follows.
    pub header: [u8; HEADER],
    /// Whole bones, two bytes each.
    pub bones: &'a [u8],
    /// Whole vertices.
    pub vertices: &'a [u8],
    /// Whole faces.
    pub faces: &'a [u8],
    /// Whole floor, ceiling and wall entries.
    pub collision: [&'a [u8]; 3],
}

/// Write a chunk: models, then animations and what follows them as bytes, of which the number of animations is told; the
/// number of bytes. Offsets in the code count from the chunk's start: [`size`] tells where it will begin.
///
/// # Errors
/// [`Error::OutputTooSmall`], also for counts above 65535; [`Error::ModelsSize`] for halves of records, and for fewer
/// bytes than the animations' headers have.
pub fn emit(
    models: &[ModelSource<'_>],
    animations: u32,
    rest: &[u8],
    out: &mut [u8],
) -> Result<usize, Error> {
    let room = out.len();
    let too_small = Error::OutputTooSmall { room };
    let full = |_: Full| too_small;
    let headers = u64::from(animations) * ANIMATION as u64;
    if headers > rest.len() as u64 {
        return Err(Error::ModelsSize {
            expected: headers,
            len: rest.len(),
        });
    }
    let mut out = Writer::new(out);
    let count = u32::try_from(models.len()).map_err(|_| too_small)?;
    out.u32(count).map_err(full)?;
    for model in models {
        let plain = trak::ModelSource {
            header: *model.header.first_chunk().unwrap_or(&[0; trak::HEADER]),
            vertices: model.vertices,
            faces: model.faces,
            collision: model.collision,
        };
        plain.header(&mut out, too_small)?;
        out.bytes(&model.header[0x84..0x86]).map_err(full)?;
        let bones = trak::records(model.bones, 2, too_small)?;
        out.u16(bones).map_err(full)?;
        out.bytes(&model.header[0x88..]).map_err(full)?;
        out.bytes(model.bones).map_err(full)?;
        plain.data(&mut out).map_err(full)?;
    }
    out.u32(animations).map_err(full)?;
    out.bytes(rest).map_err(full)?;
    Ok(out.finish())
}

/// Bytes in front of the animations of a chunk with these models.
#[must_use]
pub fn size(models: &[ModelSource<'_>]) -> usize {
    let of = |model: &ModelSource<'_>| {
        let parts = [model.bones, model.vertices, model.faces];
        let parts = parts.iter().chain(&model.collision);
        HEADER + parts.map(|it| it.len()).sum::<usize>()
    };
    8 + models.iter().map(of).sum::<usize>()
}

/// The three words at `at` that name what begins there: its text stands at `text`, with a zero behind it.
#[must_use]
pub const fn name_words(at: u32, text: u32) -> [u32; 3] {
    [op::NAME, op::TEXT, text.wrapping_sub(at).wrapping_sub(12)]
}

/// The words of a stub that spawns what begins at `target`, with the six that the spawn reads.
#[must_use]
pub const fn spawn_words(target: u32, reads: [u32; op::INLINE]) -> [u32; 9] {
    let [a, b, c, d, e, f] = reads;
    [op::TARGET, target, op::SPAWN, a, b, c, d, e, f]
}

/// What a search for a name ends at.
enum Found<'a> {
    Name(&'a str),
    Stub(u32),
}
