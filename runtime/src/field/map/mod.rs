//! The `.MAP` file of a scene: objects, walls and floor, attributes, triggers (field sheet,
//! section 3).
//!
//! | Offset | Length | Content | Access |
//! |---|---|---|---|
//! | `00000` | `4000` | 512 object records of 32 bytes | [`Map::object`] |
//! | `04000` | `4000` | walls and floor tiers, a byte a tile | [`Map::collision`] |
//! | `08000` | `8000` | attributes and object index, a word a tile | [`Map::cell`] |
//! | `10000` | `2000` | trigger block | [`Map::triggers`] |
//!
//! [`Map`] reads; [`MapMut`] is the same file in memory that scripts may write (they paint walls and
//! rewrite triggers, and the load refreshes the attributes). A scene's [`Patch`] is a second
//! trigger block; [`Combined`] asks both. [`emit`] and [`patch::emit`] write.
//!
//! Tiles are 128 units wide, columns go along X and rows along Z.

mod change;
mod error;
mod lint;
mod object;
mod paint;
pub mod patch;
mod tile;
pub mod trigger;
mod write;

pub use change::MapMut;
pub use error::Error;
pub use lint::Finding;
pub use object::{Object, flag};
pub use paint::{Paint, PaintError, Walls};
pub use patch::Patch;
pub use tile::{Cell, Collision, Tile};
pub use trigger::{Combined, Triggers};
pub use write::{Source, emit};

use crate::bytes::slice_at;

/// Bytes of the file: 36 sectors.
pub const SIZE: usize = 0x12000;
/// Bytes of the loader's read of 40 sectors, which ends in what follows the map on the disc.
pub const READ_SIZE: usize = 0x14000;
/// Number of object records.
pub const OBJECTS: u16 = 512;
/// Tiles along each axis.
pub const TILES: u8 = 128;
/// Bytes of the collision grid.
pub const COLLISION_SIZE: usize = 0x4000;
/// Number of cells of the attribute grid.
pub const CELLS: usize = 0x4000;

const COLLISION_AT: usize = 0x4000;
const CELLS_AT: usize = 0x8000;
const TRIGGERS_AT: usize = 0x10000;

/// A map file whose shape is known to be good. Every access is in range by construction.
#[derive(Clone, Copy, Debug)]
pub struct Map<'a> {
    data: &'a [u8; SIZE],
    tables: trigger::Tables,
}

impl<'a> Map<'a> {
    /// Read a map file (field sheet, section 3.7): exactly [`SIZE`] bytes and a chained trigger
    /// header, or a zero header on a map whose objects and walls are all zero.
    ///
    /// # Errors
    /// [`Error::Size`], [`Error::TriggerChain`], [`Error::ZeroHeaderOnField`].
    pub fn parse(data: &'a [u8]) -> Result<Self, Error> {
        let map: &[u8; SIZE] = data
            .try_into()
            .map_err(|_| Error::Size { len: data.len() })?;
        let tables = detect(map)?;
        Ok(Self { data: map, tables })
    }

    /// Read what the loader's read of 40 sectors brought: exactly [`READ_SIZE`] bytes, the map and
    /// its fallback trigger block, which is read as leniently as the game does (section 3.6).
    ///
    /// # Errors
    /// As [`Map::parse`].
    pub fn parse_read(data: &'a [u8]) -> Result<(Self, Triggers<'a>), Error> {
        let size = Error::Size { len: data.len() };
        if data.len() != READ_SIZE {
            return Err(size);
        }
        let (map, fallback) = data.split_at_checked(SIZE).ok_or(size)?;
        Ok((Self::parse(map)?, Triggers::lenient(fallback)))
    }

    /// Read a field buffer as the loader's other arm stages it (section 3.6): the map, the `.PCH` patch
    /// in one sector, then effect data, which is not looked at and may be absent.
    ///
    /// # Errors
    /// As [`Map::parse`]; [`Error::Size`] also when the patch is cut off.
    pub fn parse_staged(data: &'a [u8]) -> Result<(Self, Triggers<'a>), Error> {
        let size = Error::Size { len: data.len() };
        let (map, behind) = data.split_at_checked(SIZE).ok_or(size)?;
        let patch = behind.get(..patch::SIZE).ok_or(size)?;
        Ok((Self::parse(map)?, Triggers::lenient(patch)))
    }

    /// The whole file.
    #[must_use]
    pub const fn bytes(&self) -> &'a [u8; SIZE] {
        self.data
    }

    /// The object record of `index`, of which nine bits count.
    #[must_use]
    pub fn object(&self, index: u16) -> Object {
        let at = usize::from(index & (OBJECTS - 1)) * Object::BYTES;
        let bytes = self.data.get(at..).and_then(<[u8]>::first_chunk);
        bytes.map_or(Object::default(), |bytes| Object::from_bytes(*bytes))
    }

    /// [`Object::flags`] of the record of `index`, of which nine bits count: alone, for the sweeps over all tiles.
    #[inline]
    pub(super) fn object_flags(&self, index: u16) -> u16 {
        let at = usize::from(index & (OBJECTS - 1)) * Object::BYTES + Object::FLAGS_AT;
        u16::from_le_bytes([self.data[at], self.data[at + 1]])
    }

    /// All object records, from 0 on.
    pub fn objects(&self) -> impl Iterator<Item = Object> + 'a {
        let map = *self;
        (0..OBJECTS).map(move |index| map.object(index))
    }

    /// Walls and floor tier of a tile.
    #[inline]
    #[must_use]
    pub fn collision(&self, tile: Tile) -> Collision {
        Collision(self.data[COLLISION_AT + tile.index()])
    }

    /// The collision grid, row by row.
    #[must_use]
    pub fn collision_grid(&self) -> &'a [u8] {
        slice_at(self.data, COLLISION_AT, COLLISION_SIZE).unwrap_or_default()
    }

    /// The collision grid in its size.
    #[inline]
    pub(super) fn collision_bytes(&self) -> &'a [u8; COLLISION_SIZE] {
        let grid = self.data.get(COLLISION_AT..).and_then(<[u8]>::first_chunk);
        // It is always there; nothing may panic, and no ground is no open ground.
        grid.unwrap_or(&[0xFF; COLLISION_SIZE])
    }

    /// The attribute grid: a little-endian word a tile.
    #[inline]
    pub(super) fn cell_bytes(&self) -> Option<&'a [u8; 2 * CELLS]> {
        self.data.get(CELLS_AT..)?.first_chunk()
    }

    /// Attributes and object index of a tile.
    #[inline]
    #[must_use]
    pub fn cell(&self, tile: Tile) -> Cell {
        let at = CELLS_AT + 2 * tile.index();
        Cell(u16::from_le_bytes([self.data[at], self.data[at + 1]]))
    }

    /// Whether nothing is there: the tile is walled all over, and its cell names a record other than the empty
    /// slot that is neither ground nor drawn nor placed. A tile's walls stand in the byte of the next row
    /// (section 4.1). A cell of the empty slot says nothing, so most maps have no such tile.
    #[inline]
    #[must_use]
    pub fn is_void(&self, tile: Tile) -> bool {
        const SOMETHING: u16 = flag::GROUND | flag::DRAWN | flag::PLACED;
        let object = self.cell(tile).object();
        let walls = COLLISION_AT + ((tile.index() + usize::from(TILES)) & (COLLISION_SIZE - 1));
        object != 0 && self.data[walls] >> 4 == 0xF && self.object_flags(object) & SOMETHING == 0
    }

    /// All cells, row by row.
    pub fn cells(&self) -> impl Iterator<Item = (Tile, Cell)> + 'a {
        let map = *self;
        Tile::all().map(move |tile| (tile, map.cell(tile)))
    }

    /// The trigger block.
    #[must_use]
    pub fn triggers(&self) -> Triggers<'a> {
        Triggers::view(trigger_block(self.data), self.tables)
    }

    /// What the cells place: each object with [`flag::PLACED`] whose anchor lies on the grid, tile by
    /// tile in row order. A record that several cells name stands there several times.
    pub fn placed(&self) -> impl Iterator<Item = Placed> + 'a {
        let map = *self;
        Tile::all().filter_map(move |tile| map.placed_on(tile))
    }

    /// The object that the cell of this tile places.
    #[must_use]
    pub fn placed_on(&self, tile: Tile) -> Option<Placed> {
        let index = self.cell(tile).object();
        // Most tiles place nothing, and of their records no more is read.
        if self.object_flags(index) & flag::PLACED == 0 {
            return None;
        }
        let object = self.object(index);
        let anchor = object.anchor_tile(tile)?;
        Some(Placed {
            tile,
            index,
            object,
            anchor,
        })
    }
}

/// An object that a cell places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The tile whose cell names it.
    pub tile: Tile,
    /// Its record, below [`OBJECTS`].
    pub index: u16,
    /// The record itself.
    pub object: Object,
    /// The tile that its trigger must lie on.
    pub anchor: Tile,
}

/// The bytes of the trigger block.
fn trigger_block(data: &[u8; SIZE]) -> &[u8] {
    data.get(TRIGGERS_AT..).unwrap_or_default()
}

/// The detection rule of section 3.7.
fn detect(data: &[u8; SIZE]) -> Result<trigger::Tables, Error> {
    let block = trigger_block(data);
    if slice_at(block, 0, trigger::HEADER).is_some_and(all_zero) {
        // Objects and walls are the first two regions; what else is in the file does not count.
        let field = data.get(..CELLS_AT).unwrap_or_default();
        return match field.iter().position(|&byte| byte != 0) {
            Some(offset) => Err(Error::ZeroHeaderOnField { offset }),
            None => Ok(trigger::Tables::default()),
        };
    }
    let tables = trigger::chain(block);
    tables.map_err(|fault| Error::TriggerChain { at: fault.at })
}

fn all_zero(bytes: &[u8]) -> bool {
    bytes.iter().all(|&byte| byte == 0)
}
