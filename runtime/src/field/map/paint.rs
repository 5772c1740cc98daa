//! Wall paint: how scripts change walls after the load (field sheet, section 10.1).

use super::{COLLISION_SIZE, Tile};
use core::ops::Range;

/// What a paint does to each byte; floor tiers stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walls {
    /// Sub 0: no wall.
    Clear,
    /// Sub 1: all four walls.
    Block,
    /// Sub 2: take these walls (four bits) away.
    Remove(u8),
    /// Sub 3: add these walls (four bits).
    Add(u8),
}

impl Walls {
    /// The new collision byte.
    #[must_use]
    pub const fn apply(self, byte: u8) -> u8 {
        match self {
            Self::Clear => byte & 0x0F,
            Self::Block => byte | 0xF0,
            Self::Remove(mask) => byte & !(mask << 4),
            Self::Add(mask) => byte | mask << 4,
        }
    }
}

/// A rectangle of wall paint, with the corners as the script states them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paint {
    /// First column.
    pub col0: u8,
    /// First row, less one.
    pub row0: u8,
    /// Last column.
    pub col1: u8,
    /// Last row, less one.
    pub row1: u8,
    /// What is done.
    pub walls: Walls,
}

impl Paint {
    /// The painted columns.
    #[must_use]
    pub const fn columns(&self) -> Range<u16> {
        self.col0 as u16..self.col1 as u16 + 1
    }

    /// The painted rows: one further than the script says.
    #[must_use]
    pub const fn rows(&self) -> Range<u16> {
        self.row0 as u16 + 1..self.row1 as u16 + 2
    }

    /// Paint a collision grid. What lies off the grid is passed over; an inverted rectangle paints
    /// nothing.
    pub fn apply(&self, grid: &mut [u8; COLLISION_SIZE]) {
        for row in self.rows() {
            for col in self.columns() {
                if let Some(tile) = Tile::at(i32::from(col), i32::from(row)) {
                    let byte = &mut grid[tile.index()];
                    *byte = self.walls.apply(*byte);
                }
            }
        }
    }
}
