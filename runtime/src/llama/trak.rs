//! Models of tiles, chunk `TRAK` (llama sheet, section 5): all headers, then all data.

use core::fmt;

use super::fields::Fields;
use super::number::Float;
use crate::bytes::{Full, Writer, slice_at, u16_at, u32_at};

/// Bytes of a model's header.
pub const HEADER: usize = 0x84;
/// Bytes of a vertex: position and normal as `f32`.
pub const VERTEX: usize = 24;
/// Bytes of a face.
pub const FACE: usize = 28;
/// Bytes of a collision entry.
pub const COLLISION: usize = 32;

/// What is wrong with models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Error {
    /// Count, headers or data pass the end.
    ModelsTruncated {
        /// Offset in the chunk of what does not fit.
        offset: usize,
        /// Bytes that are needed there.
        need: u64,
    },
    /// Headers and data are not as long as the chunk.
    ModelsSize {
        /// Length by the headers.
        expected: u64,
        /// Length of the chunk.
        len: usize,
    },
    /// The writer's slice is full, or a count leaves its field.
    OutputTooSmall {
        /// Length of the slice.
        room: usize,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::ModelsTruncated { offset, need } => write!(
                f,
                "ModelsTruncated: offset {offset:#x}: expected {need} bytes of models, the chunk ends"
            ),
            Self::ModelsSize { expected, len } => write!(
                f,
                "ModelsSize: by its headers the chunk has {expected} bytes, found {len}"
            ),
            Self::OutputTooSmall { room } => {
                write!(f, "OutputTooSmall: {room} bytes do not hold the models")
            }
        }
    }
}

impl core::error::Error for Error {}

/// Number of vertices, faces and collision entries (floor, ceiling, wall).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Vertices.
    pub vertices: u16,
    /// Faces.
    pub faces: u16,
    /// Floor, ceiling and wall entries.
    pub collision: [u16; 3],
}

impl Counts {
    /// Of a header.
    pub(super) fn of(header: &[u8]) -> Self {
        let word = |at| u16_at(header, at).unwrap_or(0);
        Self {
            vertices: word(0x6C),
            faces: word(0x6E),
            collision: [word(0x78), word(0x7A), word(0x7C)],
        }
    }

    /// Collision entries of all kinds.
    pub(super) fn entries(self) -> usize {
        self.collision.iter().map(|&count| usize::from(count)).sum()
    }

    /// Bytes of the data: at most 10 MB.
    pub(super) fn bytes(self) -> usize {
        VERTEX * usize::from(self.vertices)
            + FACE * usize::from(self.faces)
            + COLLISION * self.entries()
    }
}

/// One model.
#[derive(Clone, Copy, Debug)]
pub struct Model<'a> {
    /// Its header: centre and eight corners as `f32`, counts, pointers.
    pub header: &'a [u8],
    /// Counts of the header.
    pub counts: Counts,
    /// Vertices, faces and collision entries.
    pub data: &'a [u8],
}

impl<'a> Model<'a> {
    /// The vertices: position and normal.
    pub fn vertices(&self) -> impl Iterator<Item = [Float; 6]> + use<'a> {
        let len = VERTEX * usize::from(self.counts.vertices);
        let data = self.data.get(..len).unwrap_or_default();
        data.chunks_exact(VERTEX)
            .map(|vertex| Fields(vertex).u32s().map(Float))
    }

    /// Whether it is a flat floor (section 2): every vertex lies at y = 0.25, and there is a floor to
    /// stand on.
    #[must_use]
    pub fn is_flat_floor(&self) -> bool {
        let flat = Float::from_fixed(1024);
        let [floor, ..] = self.counts.collision;
        self.counts.vertices > 0 && floor > 0 && self.vertices().all(|[_, y, ..]| y == flat)
    }
}

/// The models of a level.
#[derive(Clone, Copy, Debug)]
pub struct Trak<'a> {
    data: &'a [u8],
    count: u32,
}

impl<'a> Trak<'a> {
    /// Read a chunk; headers and data must be exactly as long as it.
    ///
    /// # Errors
    /// [`Error::ModelsTruncated`], [`Error::ModelsSize`].
    pub fn parse(data: &'a [u8]) -> Result<Self, Error> {
        let truncated = |offset, need| Error::ModelsTruncated { offset, need };
        let count = u32_at(data, 0).ok_or(truncated(0, 4))?;
        let headers = u64::from(count) * HEADER as u64;
        if headers > data.len() as u64 - 4 {
            return Err(truncated(4, headers));
        }
        let trak = Self { data, count };
        let bytes = trak
            .headers()
            .map(|header| Counts::of(header).bytes() as u64);
        let expected = 4 + headers + bytes.sum::<u64>();
        let len = data.len();
        if expected > len as u64 {
            let start = 4 + headers;
            return Err(truncated(start as usize, expected - start));
        }
        if expected < len as u64 {
            return Err(Error::ModelsSize { expected, len });
        }
        Ok(trak)
    }

    /// Number of models.
    #[must_use]
    pub const fn len(&self) -> u32 {
        self.count
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    fn headers(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let len = HEADER.saturating_mul(self.count as usize);
        let headers = slice_at(self.data, 4, len).unwrap_or_default();
        headers.chunks_exact(HEADER)
    }

    /// Number of vertices of a model; `None` without such a model.
    #[inline]
    #[must_use]
    pub fn vertices(&self, model: u32) -> Option<u32> {
        if model >= self.count {
            return None;
        }
        u16_at(self.data, 4 + HEADER * model as usize + 0x6C).map(u32::from)
    }

    /// All models in order.
    pub fn models(&self) -> impl Iterator<Item = Model<'a>> + use<'a> {
        let mut at = HEADER.saturating_mul(self.count as usize).saturating_add(4);
        let data = self.data;
        self.headers().map(move |header| {
            let counts = Counts::of(header);
            let data = slice_at(data, at, counts.bytes()).unwrap_or_default();
            at += data.len();
            Model {
                header,
                counts,
                data,
            }
        })
    }
}

/// A model to be written.
#[derive(Clone, Copy, Debug)]
pub struct ModelSource<'a> {
    /// The header, whose counts are replaced by what follows.
    pub header: [u8; HEADER],
    /// Whole vertices.
    pub vertices: &'a [u8],
    /// Whole faces.
    pub faces: &'a [u8],
    /// Whole floor, ceiling and wall entries.
    pub collision: [&'a [u8]; 3],
}

/// How many whole records of a size these bytes are.
pub(super) fn records(data: &[u8], size: usize, too_small: Error) -> Result<u16, Error> {
    if !data.len().is_multiple_of(size) {
        let len = data.len();
        let expected = (len - len % size) as u64;
        return Err(Error::ModelsSize { expected, len });
    }
    u16::try_from(data.len() / size).map_err(|_| too_small)
}

impl ModelSource<'_> {
    /// Write the header with the counts of what follows it.
    pub(super) fn header(&self, out: &mut Writer<'_>, too_small: Error) -> Result<(), Error> {
        let full = |_: Full| too_small;
        let count = |data, size| records(data, size, too_small);
        let mut header = Writer::new(out.claim(HEADER).map_err(full)?);
        header.bytes(&self.header[..0x6C]).map_err(full)?;
        header.u16(count(self.vertices, VERTEX)?).map_err(full)?;
        header.u16(count(self.faces, FACE)?).map_err(full)?;
        header.bytes(&self.header[0x70..0x78]).map_err(full)?;
        for entries in self.collision {
            header.u16(count(entries, COLLISION)?).map_err(full)?;
        }
        header.bytes(&self.header[0x7E..]).map_err(full)
    }

    /// Write what follows the headers.
    pub(super) fn data(&self, out: &mut Writer<'_>) -> Result<(), Full> {
        let [floor, ceiling, wall] = self.collision;
        let parts = [self.vertices, self.faces, floor, ceiling, wall];
        parts.iter().try_for_each(|part| out.bytes(part))
    }
}

/// Write a chunk; the number of bytes. Halves of vertices, faces and entries count as none and are refused.
///
/// # Errors
/// [`Error::OutputTooSmall`], also for counts above 65535; [`Error::ModelsSize`] for halves.
pub fn emit(models: &[ModelSource<'_>], out: &mut [u8]) -> Result<usize, Error> {
    let room = out.len();
    let too_small = Error::OutputTooSmall { room };
    let full = |_: Full| too_small;
    let mut out = Writer::new(out);
    let count = u32::try_from(models.len()).map_err(|_| too_small)?;
    out.u32(count).map_err(full)?;
    for model in models {
        model.header(&mut out, too_small)?;
    }
    for model in models {
        model.data(&mut out).map_err(full)?;
    }
    Ok(out.finish())
}

/// What MAP must know about the models: how many vertices each has.
#[derive(Clone, Copy, Debug)]
pub enum Models<'a> {
    /// As the level's models say.
    Trak(Trak<'a>),
    /// As this table says.
    Table(&'a [u32]),
}

impl Models<'_> {
    /// Number of vertices of a model; `None` without such a model.
    #[inline]
    #[must_use]
    pub fn vertices(&self, model: u32) -> Option<u32> {
        match self {
            Self::Trak(trak) => trak.vertices(model),
            Self::Table(table) => table.get(model as usize).copied(),
        }
    }

    /// Number of models.
    #[must_use]
    pub fn len(&self) -> u32 {
        match self {
            Self::Trak(trak) => trak.len(),
            Self::Table(table) => u32::try_from(table.len()).unwrap_or(u32::MAX),
        }
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
