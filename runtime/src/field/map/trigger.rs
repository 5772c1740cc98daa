//! The trigger block: four tables of records that name tiles (field sheet, section 3.5).
//!
//! A header of nine words (end, then offset and count of each kind), then the four bodies in order,
//! each followed by a gap of two bytes. Offsets are relative to the block.

use super::{Error, Tile};
use crate::bytes::{i16_at, u16_at};

mod index;
mod write;

pub use index::Index;
pub use write::{Source, emit};

/// Bytes of the header.
pub const HEADER: usize = 0x12;
/// The most bytes a block may have: those of the map's.
pub const LIMIT: usize = 0x2000;
/// Bytes after each body.
const GAP: usize = 2;

/// The four kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// Teleport within the scene: [`Teleport`].
    Teleport = 0,
    /// Script: [`Script`].
    Script = 1,
    /// Floor override: [`Elevation`].
    Elevation = 2,
    /// Region box: [`Region`].
    Region = 3,
}

impl Kind {
    /// All kinds in order.
    pub const ALL: [Self; 4] = [Self::Teleport, Self::Script, Self::Elevation, Self::Region];

    /// Bytes of a record.
    #[must_use]
    pub const fn stride(self) -> usize {
        match self {
            Self::Teleport | Self::Script | Self::Elevation => 4,
            Self::Region => 8,
        }
    }
}

/// Kind 0: crossing the tile moves the player within the scene.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Teleport {
    /// Column and row.
    pub tile: [u8; 2],
    /// Where to, in half tiles along X and Z.
    pub destination: [u8; 2],
}

impl Teleport {
    /// From the bytes of a record.
    #[must_use]
    pub const fn from_bytes([col, row, x, z]: [u8; 4]) -> Self {
        Self {
            tile: [col, row],
            destination: [x, z],
        }
    }

    /// The bytes of the record.
    #[must_use]
    pub const fn to_bytes(self) -> [u8; 4] {
        let ([col, row], [x, z]) = (self.tile, self.destination);
        [col, row, x, z]
    }

    /// World X and Z where the player lands (section 10.4): 64 to 16384.
    #[must_use]
    pub fn landing(self) -> [i32; 2] {
        let [x, z] = self.destination.map(i32::from);
        [x * 64 + 64, (z + 1) * 64]
    }

    /// The tile that is asked for a script on arrival. For odd destinations it is not the one in which
    /// [`Teleport::landing`] lies by the plain mapping, but always the one that the dispatch takes it for
    /// with the sheet's bias.
    #[must_use]
    pub fn query_tile(self) -> Option<Tile> {
        let [x, z] = self.destination;
        Tile::new(x >> 1, z >> 1)
    }
}

/// Kind 1: the tile names a script record of the scene's MAN.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// Column and row.
    pub tile: [u8; 2],
    /// The record: of partition 2 when walked on, flat when it binds an object.
    pub record: u8,
    /// [`Script::WALK_ON`] or [`Script::BIND`].
    pub gate: u8,
}

impl Script {
    /// Gate 0: binds the object whose anchor this tile is to its script.
    pub const BIND: u8 = 0;
    /// Gate 1: walking on the tile spawns the script.
    pub const WALK_ON: u8 = 1;

    /// From the bytes of a record.
    #[must_use]
    pub const fn from_bytes([col, row, record, gate]: [u8; 4]) -> Self {
        Self {
            tile: [col, row],
            record,
            gate,
        }
    }

    /// The bytes of the record.
    #[must_use]
    pub const fn to_bytes(self) -> [u8; 4] {
        let [col, row] = self.tile;
        [col, row, self.record, self.gate]
    }
}

/// Kind 2: the floor of the tile is the mean of its corners plus this (section 9.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Elevation {
    /// Column and row.
    pub tile: [u8; 2],
    /// In steps of -32 units, for the whole tile.
    pub coarse: i8,
    /// Two bits a quadrant, in steps of -16 units: bits 0-1 (even X, even Z), 2-3 (odd X), 4-5 (odd
    /// Z), 6-7 (both odd).
    pub quads: u8,
}

impl Elevation {
    /// From the bytes of a record.
    #[must_use]
    pub const fn from_bytes([col, row, coarse, quads]: [u8; 4]) -> Self {
        Self {
            tile: [col, row],
            coarse: coarse as i8,
            quads,
        }
    }

    /// The bytes of the record.
    #[must_use]
    pub const fn to_bytes(self) -> [u8; 4] {
        let [col, row] = self.tile;
        [col, row, self.coarse as u8, self.quads]
    }

    /// What is added to the mean of the corners at a world position in the tile: -4112 to 4096;
    /// negative is up.
    #[must_use]
    pub const fn offset(self, x: i32, z: i32) -> i32 {
        let shift = ((x >> 6) & 1) * 2 + ((z >> 6) & 1) * 4;
        self.coarse as i32 * -32 + ((self.quads >> shift) & 3) as i32 * -16
    }
}

/// Kind 3: a box of tiles (section 10.6).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Region {
    /// `x0, z0, x1, z1`: two corners, in any order.
    pub corners: [u8; 4],
    /// Type; 0 and 1 are boxes of the window sweep, the rest bits of a mask.
    pub ty: u8,
    /// Three bytes that are 0 in all known maps.
    pub extra: [u8; 3],
}

impl Region {
    /// From the bytes of a record.
    #[must_use]
    pub const fn from_bytes([x0, z0, x1, z1, ty, a, b, c]: [u8; 8]) -> Self {
        Self {
            corners: [x0, z0, x1, z1],
            ty,
            extra: [a, b, c],
        }
    }

    /// The bytes of the record.
    #[must_use]
    pub const fn to_bytes(self) -> [u8; 8] {
        let ([x0, z0, x1, z1], [a, b, c]) = (self.corners, self.extra);
        [x0, z0, x1, z1, self.ty, a, b, c]
    }

    /// Whether the tile lies in the box: the larger edges are outside; a box without width grows by
    /// two columns to the right, one without depth by two rows to the front.
    #[must_use]
    pub fn contains(self, tile: Tile) -> bool {
        let [x0, z0, x1, z1] = self.corners.map(i16::from);
        let (x_min, mut x_max) = (x0.min(x1), x0.max(x1));
        let (mut z_min, z_max) = (z0.min(z1), z0.max(z1));
        if x_min == x_max {
            x_max += 2;
        }
        if z_min == z_max {
            z_min -= 2;
        }
        (x_min..x_max).contains(&i16::from(tile.col()))
            && (z_min..z_max).contains(&i16::from(tile.row()))
    }

    /// The bit of this type in the mask of live regions.
    #[must_use]
    pub const fn mask(self) -> u32 {
        1 << (self.ty & 31)
    }
}

/// Where the records of one kind lie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Table {
    start: u16,
    count: u16,
}

/// Where the records of all kinds lie; kept by whoever owns the bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tables([Table; 4]);

impl Tables {
    /// Byte offset of a record in the block; `None` past the last.
    pub(super) fn record(&self, kind: Kind, index: u16) -> Option<usize> {
        let table = self.table(kind);
        (index < table.count).then(|| usize::from(table.start) + usize::from(index) * kind.stride())
    }

    fn table(&self, kind: Kind) -> Table {
        self.0[kind as usize & 3]
    }
}

/// The word of a header that breaks the chain, and the kind that it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) at: u16,
    pub(super) kind: u8,
}

/// Check the chain of a block and find its tables (section 3.7). The block ends at its last byte,
/// at the latest at [`LIMIT`].
pub(super) fn chain(block: &[u8]) -> Result<Tables, Fault> {
    let limit = block.len().min(LIMIT);
    let mut tables = Tables::default();
    let mut cursor = HEADER;
    for (kind, table) in Kind::ALL.into_iter().zip(&mut tables.0) {
        let at = 2 + 4 * kind as u16;
        let kind_at = |at| Fault {
            at,
            kind: kind as u8,
        };
        let start = u16_at(block, at.into()).ok_or(kind_at(at))?;
        if usize::from(start) != cursor {
            return Err(kind_at(at));
        }
        let count = u16_at(block, usize::from(at) + 2).ok_or(kind_at(at + 2))?;
        // At most 12h + 65535 * 8 + 2 before the check.
        cursor += usize::from(count) * kind.stride() + GAP;
        if cursor > limit {
            return Err(kind_at(at + 2));
        }
        *table = Table { start, count };
    }
    if u16_at(block, 0).map(usize::from) != Some(cursor) {
        return Err(Fault {
            at: 0,
            kind: Kind::Region as u8,
        });
    }
    Ok(tables)
}

/// A trigger block.
#[derive(Clone, Copy, Debug)]
pub struct Triggers<'a> {
    block: &'a [u8],
    tables: Tables,
}

impl Triggers<'_> {
    /// A block without records.
    pub const EMPTY: Self = Self {
        block: &[],
        tables: Tables([Table { start: 0, count: 0 }; 4]),
    };
}

impl<'a> Triggers<'a> {
    /// Read a block strictly: its header must chain, and every body lie inside. What follows the
    /// last body is not looked at.
    ///
    /// # Errors
    /// [`Error::TriggerChain`].
    pub fn parse(block: &'a [u8]) -> Result<Self, Error> {
        match chain(block) {
            Ok(tables) => Ok(Self { block, tables }),
            Err(fault) => Err(Error::TriggerChain { at: fault.at }),
        }
    }

    /// Read a fallback block the way the game does, which never fails (section 18): a table whose
    /// offset or count is not above 0 is empty, one that passes the end of the block stops at its
    /// last whole record, and a block shorter than a header has no records.
    #[must_use]
    pub fn lenient(block: &'a [u8]) -> Self {
        let mut tables = Tables::default();
        if block.len() >= HEADER {
            for (kind, table) in Kind::ALL.into_iter().zip(&mut tables.0) {
                let at = 2 + 4 * kind as usize;
                let word = |at| i16_at(block, at).map_or(0, |word| word.max(0) as u16);
                let (start, count) = (word(at), word(at + 2));
                let whole = block.len().saturating_sub(start.into()) / kind.stride();
                let count = usize::from(count).min(whole) as u16;
                if start > 0 && count > 0 {
                    *table = Table { start, count };
                }
            }
        }
        Self { block, tables }
    }

    /// A block whose tables are known already.
    pub(super) const fn view(block: &'a [u8], tables: Tables) -> Self {
        Self { block, tables }
    }

    /// Number of records of a kind.
    #[must_use]
    pub fn count(&self, kind: Kind) -> u16 {
        self.tables.table(kind).count
    }

    /// Whether there is no record at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        Kind::ALL.into_iter().all(|kind| self.count(kind) == 0)
    }

    /// The records of a kind, each of its stride.
    fn records(&self, kind: Kind) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let table = self.tables.table(kind);
        let bytes = self.block.get(table.start.into()..).unwrap_or_default();
        bytes.chunks_exact(kind.stride()).take(table.count.into())
    }

    /// The records of a kind of four bytes.
    fn fours(&self, kind: Kind) -> impl Iterator<Item = [u8; 4]> + use<'a> {
        self.records(kind)
            .filter_map(|record| record.first_chunk().copied())
    }

    /// The first record of a kind that names this tile.
    fn find(&self, kind: Kind, tile: Tile) -> Option<[u8; 4]> {
        let [col, row] = tile.to_bytes();
        let table = self.tables.table(kind);
        let bytes = self.block.get(table.start.into()..).unwrap_or_default();
        let (records, _) = bytes.as_chunks();
        // Most records have another column: a byte of each is read.
        let mut records = records.iter().take(table.count.into());
        records
            .find(|record| record[0] == col && record[1] == row)
            .copied()
    }

    /// Kind 0, in order.
    pub fn teleports(&self) -> impl Iterator<Item = Teleport> + use<'a> {
        self.fours(Kind::Teleport).map(Teleport::from_bytes)
    }

    /// Kind 1, in order.
    pub fn scripts(&self) -> impl Iterator<Item = Script> + use<'a> {
        self.fours(Kind::Script).map(Script::from_bytes)
    }

    /// Kind 2, in order.
    pub fn elevations(&self) -> impl Iterator<Item = Elevation> + use<'a> {
        self.fours(Kind::Elevation).map(Elevation::from_bytes)
    }

    /// Kind 3, in order.
    pub fn regions(&self) -> impl Iterator<Item = Region> + use<'a> {
        self.records(Kind::Region)
            .filter_map(|record| Some(Region::from_bytes(*record.first_chunk()?)))
    }

    /// The first teleport on this tile.
    #[must_use]
    pub fn teleport(&self, tile: Tile) -> Option<Teleport> {
        self.find(Kind::Teleport, tile).map(Teleport::from_bytes)
    }

    /// The first script trigger on this tile, whatever its gate.
    #[must_use]
    pub fn script(&self, tile: Tile) -> Option<Script> {
        self.find(Kind::Script, tile).map(Script::from_bytes)
    }

    /// The first elevation record of this tile.
    #[must_use]
    pub fn elevation(&self, tile: Tile) -> Option<Elevation> {
        self.find(Kind::Elevation, tile).map(Elevation::from_bytes)
    }
}

/// The map's block and the fallback block behind it, asked in this order (section 3.5).
#[derive(Clone, Copy, Debug)]
pub struct Combined<'a> {
    /// The map's own block.
    pub map: Triggers<'a>,
    /// The `.PCH` patch, or whatever else lies behind the map.
    pub patch: Triggers<'a>,
}

impl Combined<'_> {
    /// The first teleport on this tile.
    #[must_use]
    pub fn teleport(&self, tile: Tile) -> Option<Teleport> {
        let map = self.map.teleport(tile);
        map.or_else(|| self.patch.teleport(tile))
    }

    /// The first script trigger on this tile, whatever its gate.
    #[must_use]
    pub fn script(&self, tile: Tile) -> Option<Script> {
        self.map.script(tile).or_else(|| self.patch.script(tile))
    }

    /// The first elevation record of this tile.
    #[must_use]
    pub fn elevation(&self, tile: Tile) -> Option<Elevation> {
        let map = self.map.elevation(tile);
        map.or_else(|| self.patch.elevation(tile))
    }
}
