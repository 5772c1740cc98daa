//! Streaming chunks: `DATA_FIELD` entries (disc sheet, section 7, "Streaming chunks").
//!
//! `[u32 type << 24 | size][size bytes]`, the next header at `pos + 4 + (size & !3)`; a size of 0
//! ends the stream. Chunks are never compressed.

use crate::bytes::{Writer, u32_at};
use core::fmt;

/// What is wrong with a stream of chunks (disc sheet, section 9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Error {
    /// A chunk passes the end of the entry, or the entry ends without a terminator. Some retail
    /// entries do; a tolerant reader takes it as the end.
    TruncatedChunk {
        /// Byte offset of the header.
        offset: usize,
    },
    /// The writer cannot store this chunk: empty, above 24 bits, or not whole words.
    BadSize {
        /// Byte offset of the header.
        offset: usize,
    },
    /// The writer's slice is full.
    OutputTooSmall {
        /// Byte offset of the header.
        offset: usize,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::TruncatedChunk { offset } => {
                write!(
                    f,
                    "TruncatedChunk: the chunk at offset {offset:#X} passes the end of its entry"
                )
            }
            Self::BadSize { offset } => write!(
                f,
                "BadSize: offset {offset:#X}: expected whole words, not 0, below 16 MiB"
            ),
            Self::OutputTooSmall { offset } => {
                write!(
                    f,
                    "OutputTooSmall: no room for the chunk at offset {offset:#X}"
                )
            }
        }
    }
}

impl core::error::Error for Error {}

/// One chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk<'a> {
    /// The type byte.
    pub ty: u8,
    /// Its bytes.
    pub data: &'a [u8],
}

/// Walks the chunks of an entry; ends after the terminator or the first error.
#[derive(Clone, Debug)]
pub struct Chunks<'a> {
    data: &'a [u8],
    at: Option<usize>,
}

impl<'a> Chunks<'a> {
    /// Start at the first byte of `data`.
    #[must_use]
    pub const fn new(data: &'a [u8]) -> Self {
        Self { data, at: Some(0) }
    }
}

impl<'a> Iterator for Chunks<'a> {
    type Item = Result<Chunk<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let offset = self.at.take()?;
        let truncated = Some(Err(Error::TruncatedChunk { offset }));
        let Some(header) = u32_at(self.data, offset) else {
            return truncated;
        };
        let size = (header & 0x00FF_FFFF) as usize;
        if size == 0 {
            return None;
        }
        let body = self.data.get(offset + 4..).unwrap_or_default();
        let Some(data) = body.get(..size) else {
            return truncated;
        };
        self.at = Some(offset + 4 + (size & !3));
        Some(Ok(Chunk {
            ty: (header >> 24) as u8,
            data,
        }))
    }
}

/// Write chunks and the terminator; the number of bytes.
///
/// Sizes must be multiples of 4: the next header is found by rounding down, so it would lie inside
/// any other chunk.
///
/// # Errors
/// [`Error::BadSize`], [`Error::OutputTooSmall`].
pub fn emit(chunks: &[Chunk<'_>], out: &mut [u8]) -> Result<usize, Error> {
    let mut out = Writer::new(out);
    for chunk in chunks {
        let offset = out.position();
        let size = u32::try_from(chunk.data.len())
            .ok()
            .filter(|&size| size != 0 && size % 4 == 0 && size < 1 << 24)
            .ok_or(Error::BadSize { offset })?;
        let full = |_| Error::OutputTooSmall { offset };
        out.u32(u32::from(chunk.ty) << 24 | size).map_err(full)?;
        out.bytes(chunk.data).map_err(full)?;
    }
    let offset = out.position();
    out.u32(0).map_err(|_| Error::OutputTooSmall { offset })?;
    Ok(out.finish())
}
