//! Walls: from a position to a bit of the collision grid (field sheet, sections 4.1 and 5.1).
//!
//! Byte `(col, row)` of the grid covers `128 col < x <= 128 col + 128` and
//! `128 row - 128 <= z < 128 row`: the wall mapping is not that of the floor. Both axes wrap at the
//! grid's far edge; a negative coordinate is a wall.

use super::map::{COLLISION_SIZE, Map, Tile};
use super::units::{Direction, Point};

/// The walls of a map: its collision grid.
#[derive(Clone, Copy, Debug)]
pub struct Walls<'a>(&'a [u8; COLLISION_SIZE]);

/// Where the wall bit of a position lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WallBit {
    /// Whose byte.
    pub tile: Tile,
    /// Which of its four walls: 0 even X, even Z; 1 odd X; 2 odd Z; 3 both odd.
    pub bit: u8,
}

impl WallBit {
    /// The wall bit of a position; `None` for negative coordinates. What lies past a coordinate's
    /// range counts as its end.
    #[must_use]
    pub fn of(x: i32, z: i32) -> Option<Self> {
        let (x, z) = (x.min(i16::MAX.into()), z.min(i16::MAX.into()));
        if x < 0 || z < 0 {
            return None;
        }
        let zc = (z >> 6) + 2;
        let xc = ((x + 63) >> 6) - 1;
        // Toward zero: x = 0 lies in an odd sub-cell of column 0.
        let (col, row) = ((xc / 2) & 0x7F, (zc / 2) & 0x7F);
        Some(Self {
            tile: Tile::at(col, row)?,
            bit: ((zc & 1) * 2 + (xc & 1)) as u8,
        })
    }
}

/// Positions from here to [`NEAR`] + [`SPAN`] have all probe points inside the range where nothing
/// saturates and no coordinate is below 1.
const NEAR: i32 = 64;
const SPAN: u32 = 0x7F00;

/// The three points that a step looks at, as offsets from the player along X and Z: 48 units ahead to
/// Z- and X+, 47 to Z+ and X-.
const AHEAD: [[(i32, i32); 3]; 4] = [
    [(-16, -48), (0, -48), (16, -48)],
    [(-47, 16), (-47, 0), (-47, -16)],
    [(-16, 47), (0, 47), (16, 47)],
    [(48, 16), (48, 0), (48, -16)],
];

impl<'a> Walls<'a> {
    /// The walls of a collision grid, row by row.
    #[must_use]
    pub const fn new(grid: &'a [u8; COLLISION_SIZE]) -> Self {
        Self(grid)
    }

    /// Whether this position is a wall.
    #[inline]
    #[must_use]
    pub fn at(self, x: i32, z: i32) -> bool {
        if (x.wrapping_sub(1) as u32) < 0x7FFF && (z as u32) < 0x8000 {
            self.inside(x, z)
        } else {
            self.beyond(x, z)
        }
    }

    /// [`Walls::at`] for `0 < x` and `0 <= z`.
    #[inline(always)]
    fn inside(self, x: i32, z: i32) -> bool {
        // ((x + 63) >> 6) - 1 is (x - 1) >> 6; the two that are added to the row are 128 units.
        let x = x - 1;
        let index = ((z + 0x80) & 0x3F80 | x >> 7 & 0x7F) as usize;
        let bit = 4 | z >> 5 & 2 | x >> 6 & 1;
        self.0[index] >> bit & 1 != 0
    }

    #[cold]
    #[inline(never)]
    fn beyond(self, x: i32, z: i32) -> bool {
        WallBit::of(x, z)
            .is_none_or(|WallBit { tile, bit }| self.0[tile.index()] >> (4 | bit) & 1 != 0)
    }

    /// Whether one of the three points that a step from here looks at is a wall.
    ///
    /// The points lie on a line of 32 units, half a sub-cell, so the one in the middle shares its
    /// sub-cell with one of the others and need not be read.
    #[inline]
    #[must_use]
    pub fn ahead(self, from: Point, direction: Direction) -> bool {
        let (x, z) = (i32::from(from.x), i32::from(from.z));
        if ((x - NEAR) as u32) >= SPAN || ((z - NEAR) as u32) >= SPAN {
            return self.ahead_at_edge(from, direction);
        }
        match direction {
            Direction::ZMinus => self.along_x(x, z - 48),
            Direction::XMinus => self.along_z(x - 47, z),
            Direction::ZPlus => self.along_x(x, z + 47),
            Direction::XPlus => self.along_z(x + 48, z),
        }
    }

    /// Whether all steps from here, up to so many units along each axis, look where [`Walls::along_x`] and
    /// [`Walls::along_z`] may be asked.
    #[inline]
    pub(super) fn is_far_from_edges(from: Point, reach: u32) -> bool {
        let inside = |at: i16| {
            let least = at as i32 - NEAR;
            least >= reach as i32 && least as u32 + reach < SPAN
        };
        reach < SPAN && inside(from.x) && inside(from.z)
    }

    /// Whether one of the three points of a step along Z is a wall: the middle one is this, and far from the edges.
    #[inline(always)]
    pub(super) fn along_x(self, x: i32, z: i32) -> bool {
        self.inside(x - 16, z) | self.inside(x + 16, z)
    }

    /// The same for a step along X.
    #[inline(always)]
    pub(super) fn along_z(self, x: i32, z: i32) -> bool {
        self.inside(x, z - 16) | self.inside(x, z + 16)
    }

    #[cold]
    #[inline(never)]
    fn ahead_at_edge(self, from: Point, direction: Direction) -> bool {
        let (x, z) = (i32::from(from.x), i32::from(from.z));
        let [a, b, c] = AHEAD[direction as usize];
        [a, b, c]
            .into_iter()
            .any(|(dx, dz)| self.at(x + dx, z + dz))
    }
}

impl<'a> Map<'a> {
    /// The walls.
    #[inline]
    #[must_use]
    pub fn walls(&self) -> Walls<'a> {
        Walls::new(self.collision_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The short ways against the definition, on all sides of every border.
    #[test]
    fn the_short_way_is_the_long_way() {
        let mut grid = [0_u8; COLLISION_SIZE];
        let mut seed = 1_u32;
        for byte in &mut grid {
            seed = seed.wrapping_mul(0x41C6_4E6D).wrapping_add(0x3039);
            *byte = (seed >> 16) as u8;
        }
        let walls = Walls::new(&grid);
        let edges = [-32768, -1, 0, 16, 48, 64, 16256, 16384, 32767 - 0x80, 32767];
        let near = |edge: i32| (edge - 49..edge + 50).step_by(7);
        for x in edges.into_iter().flat_map(near) {
            for z in edges.into_iter().flat_map(near) {
                assert_eq!(walls.at(x, z), walls.beyond(x, z), "({x}, {z})");
                let (Ok(sx), Ok(sz)) = (i16::try_from(x), i16::try_from(z)) else {
                    continue;
                };
                for direction in Direction::ALL {
                    let from = Point::new(sx, sz);
                    let all = walls.ahead_at_edge(from, direction);
                    assert_eq!(walls.ahead(from, direction), all, "{from:?} {direction:?}");
                }
            }
        }
    }
}
