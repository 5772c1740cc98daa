//! Tiles and what the two grids say about them.

use super::TILES;

/// A tile of the grid: column and row, both 0..127.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tile {
    // In this order, so that tiles sort row by row.
    row: u8,
    col: u8,
}

impl Tile {
    /// The tile of this column (along X) and row (along Z); `None` off the grid.
    #[must_use]
    pub const fn new(col: u8, row: u8) -> Option<Self> {
        if col < TILES && row < TILES {
            Some(Self { row, col })
        } else {
            None
        }
    }

    /// The tile of wider numbers; `None` off the grid.
    #[must_use]
    pub fn at(col: i32, row: i32) -> Option<Self> {
        Self::new(u8::try_from(col).ok()?, u8::try_from(row).ok()?)
    }

    /// The tile that a position in world units lies in, by the plain mapping: 128 units a tile from
    /// 0 on (field sheet, section 4.2). `None` off the grid.
    #[must_use]
    pub fn containing(x: i32, z: i32) -> Option<Self> {
        Self::at(x >> 7, z >> 7)
    }

    /// Column, along X: 0..127.
    #[must_use]
    pub const fn col(self) -> u8 {
        self.col
    }

    /// Row, along Z: 0..127.
    #[must_use]
    pub const fn row(self) -> u8 {
        self.row
    }

    /// Column and row as trigger records store them.
    #[must_use]
    pub const fn to_bytes(self) -> [u8; 2] {
        [self.col, self.row]
    }

    /// All tiles, row by row.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..TILES).flat_map(|row| (0..TILES).map(move |col| Self { row, col }))
    }

    /// Place in a grid of 128 rows of 128 cells: below 4000h.
    #[inline]
    pub(in crate::field) const fn index(self) -> usize {
        // The masks change nothing; they show the range to the compiler.
        ((self.row & 0x7F) as usize) << 7 | (self.col & 0x7F) as usize
    }
}

/// A byte of the collision grid (field sheet, section 3.2): four walls and the floor tier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Collision(pub u8);

impl Collision {
    /// From walls (bit 0: even X, even Z; 1: odd X, even Z; 2: even X, odd Z; 3: both odd) and a
    /// tier; four bits of each count.
    #[must_use]
    pub const fn new(walls: u8, tier: u8) -> Self {
        Self(walls << 4 | tier & 0x0F)
    }

    /// The four wall bits, one a sub-cell of 64 units. Walls are looked up by the biased mapping of
    /// section 4.1, not by the tile that a position lies in.
    #[must_use]
    pub const fn walls(self) -> u8 {
        self.0 >> 4
    }

    /// Floor tier, 0..15: an index into the height table of the scene's MAN.
    #[must_use]
    pub const fn tier(self) -> u8 {
        self.0 & 0x0F
    }
}

/// A word of the attribute grid (field sheet, section 3.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cell(pub u16);

impl Cell {
    /// The bits of the object index.
    pub const OBJECT: u16 = 0x01FF;
    /// A teleport (kind 0) names this tile.
    pub const TELEPORT: u16 = 0x0200;
    /// A script trigger (kind 1) names this tile; on an object's anchor it means that the object
    /// belongs to the first sweep.
    pub const SCRIPT: u16 = 0x0400;
    /// An elevation record (kind 2) names this tile.
    pub const ELEVATION: u16 = 0x0800;
    /// Copy of [`super::flag::GROUND`] of the object.
    pub const GROUND: u16 = 0x1000;
    /// Copy of [`super::flag::DRAWN`] of the object.
    pub const DRAWN: u16 = 0x2000;
    /// Ground that slows down. That it is this word is the sheet's reading, not certain.
    pub const SLOW: u16 = 0x4000;

    /// Object record, 0..511; 0 is the empty slot.
    #[must_use]
    pub const fn object(self) -> u16 {
        self.0 & Self::OBJECT
    }

    /// Whether any of these bits is set.
    #[must_use]
    pub const fn has(self, bits: u16) -> bool {
        self.0 & bits != 0
    }

    /// Whether the trigger dispatch looks at this tile at all: [`Cell::TELEPORT`] or
    /// [`Cell::SCRIPT`].
    #[must_use]
    pub const fn may_trigger(self) -> bool {
        self.has(Self::TELEPORT | Self::SCRIPT)
    }
}
