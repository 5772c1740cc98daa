//! Vertex colours, block 11 (llama sheet, section 3.9).

use super::super::fields::{Record, Table};
use super::super::trak::Models;
use super::record::{Alternative, Tile};

/// A colour as it is stored: three channels and a byte that counts frames.
pub type Stored = [u8; 4];

/// Colours of a model: one for each vertex and frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colours<'a> {
    /// The bytes: frame by frame, four a vertex.
    pub data: &'a [u8],
    /// Number of vertices.
    pub vertices: u32,
    /// Number of frames as the loader counts, at least 1. For an alternative no fewer than for its tile.
    pub frames: u8,
    /// The largest count among the colours of the first frame alone; 0 counts as 1.
    pub own: u8,
}

impl<'a> Colours<'a> {
    /// The colours of a frame as they are stored.
    pub fn frame(&self, frame: u8) -> impl Iterator<Item = Stored> + use<'a> {
        let len = 4 * self.vertices as usize;
        let data = if len == 0 {
            None
        } else {
            self.data.chunks_exact(len).nth(frame.into())
        };
        let words = data.unwrap_or_default().chunks_exact(4);
        words.map(|word| u32::read(word).to_le_bytes())
    }

    /// The colours of a frame as the engine draws them: channels are doubled up to 255. Their order, RGB or BGR,
    /// is open.
    pub fn drawn(&self, frame: u8) -> impl Iterator<Item = [u8; 3]> + use<'a> {
        let double = |channel: u8| channel.saturating_mul(2);
        self.frame(frame)
            .map(move |[a, b, c, _]| [a, b, c].map(double))
    }
}

/// Colours of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TileColours<'a> {
    /// Offset in the block.
    pub offset: usize,
    /// Those of its model.
    pub base: Colours<'a>,
    /// Those of its alternative.
    pub alternative: Option<Colours<'a>>,
}

impl TileColours<'_> {
    /// Bytes in the block.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.base.data.len() + self.alternative.map_or(0, |it| it.data.len())
    }
}

/// Largest frame count among colours. The count is a word's most significant byte, so the largest word has
/// it.
#[inline]
fn most(colours: &[u8]) -> u8 {
    let words = colours.chunks_exact(4).map(u32::read);
    (words.fold(0, u32::max) >> 24) as u8
}

/// Why the walk ends early.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stop {
    /// Colours pass the end: where, and what is needed.
    Truncated { offset: usize, need: u64 },
    /// A tile names a model that is not there.
    Model(u32),
    /// An alternative does.
    Alternative(u32),
}

/// The walk over block 11, tile by tile.
#[derive(Clone, Debug)]
pub(super) struct Walk<'a> {
    pub(super) models: Models<'a>,
    pub(super) tiles: Table<'a, Tile>,
    /// Block 9.
    pub(super) numbers: Table<'a, u32>,
    /// Block 10; `None` when the flags exclude it.
    pub(super) alternatives: Option<Table<'a, Alternative>>,
    /// From the block on.
    pub(super) data: &'a [u8],
    /// Offset in it.
    pub(super) at: usize,
    pub(super) tile: usize,
    pub(super) alternative: usize,
}

impl<'a> Walk<'a> {
    /// Take the colours of a model; at least `least` frames.
    fn take(&mut self, vertices: u32, least: u8) -> Result<Colours<'a>, Stop> {
        let rest = self.data.get(self.at..).unwrap_or_default();
        let offset = self.at;
        let fit = |frames: u8| {
            let need = 4 * u64::from(vertices) * u64::from(frames);
            let len = usize::try_from(need).ok();
            len.and_then(|len| rest.get(..len))
                .ok_or(Stop::Truncated { offset, need })
        };
        let own = most(fit(1)?).max(1);
        let frames = own.max(least);
        let data = fit(frames)?;
        self.at += data.len();
        Ok(Colours {
            data,
            vertices,
            frames,
            own,
        })
    }

    /// The next tile, `None` behind the last.
    pub(super) fn step(&mut self) -> Result<Option<TileColours<'a>>, Stop> {
        let (Some(tile), Some(model)) = (self.tiles.get(self.tile), self.numbers.get(self.tile))
        else {
            return Ok(None);
        };
        let offset = self.at;
        let vertices = self.models.vertices(model).ok_or(Stop::Model(model))?;
        let base = self.take(vertices, 1)?;
        let mut alternative = None;
        if let (Some(table), true) = (&self.alternatives, tile.alternative != 0) {
            // As many entries as such tiles: checked before.
            let entry = table.get(self.alternative).unwrap_or_default();
            let vertices = self.models.vertices(entry.model);
            let vertices = vertices.ok_or(Stop::Alternative(entry.model))?;
            self.alternative += 1;
            // The loader does not clear its maximum between the two.
            alternative = Some(self.take(vertices, base.frames)?);
        }
        self.tile += 1;
        Ok(Some(TileColours {
            offset,
            base,
            alternative,
        }))
    }
}

impl<'a> Iterator for Walk<'a> {
    type Item = TileColours<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        self.step().ok().flatten()
    }
}

/// Bytes that a tile's colours must have by what they say themselves: a model of `base` vertices, and an alternative
/// of `other`. As far as they are cut off, they say nothing, and the answer is longer than they are.
pub(super) fn length(colours: &[u8], base: u32, other: Option<u32>) -> u64 {
    let part = |from: u64, vertices: u32, least: u8| {
        let one = 4 * u64::from(vertices);
        let first = usize::try_from(from)
            .ok()
            .and_then(|from| colours.get(from..));
        let first = first.and_then(|rest| rest.get(..usize::try_from(one).ok()?));
        let frames = first.map_or(1, most).max(least);
        (one * u64::from(frames), frames)
    };
    let (len, frames) = part(0, base, 1);
    len + other.map_or(0, |other| part(len, other, frames).0)
}
