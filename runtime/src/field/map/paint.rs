//! Wall paint: how scripts change walls after the load (field sheet, section 10.1).

use super::{COLLISION_SIZE, Tile};
use core::fmt;
use core::ops::Range;

/// Why an op is no wall paint (section 18).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum PaintError {
    /// The script ends inside the op.
    Truncated {
        /// Bytes that the op has.
        need: u8,
        /// Bytes there are.
        len: usize,
    },
    /// Another op, or a sub without a known effect or length.
    UnknownOp {
        /// The first two bytes.
        op: [u8; 2],
    },
}

impl fmt::Display for PaintError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Truncated { need, len } => {
                write!(f, "wall paint: {len} bytes left, the op has {need}")
            }
            Self::UnknownOp { op: [op, sub] } => {
                write!(f, "wall paint: op {op:02X} {sub:02X} is none")
            }
        }
    }
}

impl core::error::Error for PaintError {}

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
    /// Read the script op `4C 7s`, s from 0 to 3, at the start of `code`: the paint and the length of
    /// the op, 6 bytes or 7 with a mask.
    ///
    /// # Errors
    /// [`PaintError::UnknownOp`], [`PaintError::Truncated`].
    pub fn decode(code: &[u8]) -> Result<(Self, usize), PaintError> {
        let truncated = |need| PaintError::Truncated {
            need,
            len: code.len(),
        };
        let &[op, sub, ..] = code else {
            return Err(truncated(2));
        };
        if op != 0x4C || !(0x70..0x74).contains(&sub) {
            return Err(PaintError::UnknownOp { op: [op, sub] });
        }
        let need = if sub < 0x72 { 6 } else { 7 };
        let (walls, &[_, _, col0, row0, col1, row1, ..]) = (
            match (sub, code.get(6)) {
                (0x70, _) => Walls::Clear,
                (0x71, _) => Walls::Block,
                (0x72, Some(&mask)) => Walls::Remove(mask),
                (_, Some(&mask)) => Walls::Add(mask),
                (_, None) => return Err(truncated(need)),
            },
            code,
        ) else {
            return Err(truncated(need));
        };
        let paint = Self {
            col0,
            row0,
            col1,
            row1,
            walls,
        };
        Ok((paint, need.into()))
    }

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
