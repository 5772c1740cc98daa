//! The ground of a scene: the map with everything that reads it, and the height of the floor (field
//! sheet, section 9).

use super::map::trigger::{Combined, Teleport};
use super::map::{CELLS, COLLISION_SIZE, Cell, Map, Tile, Triggers};
use super::wall::Walls;

/// Heights of the sixteen tiers where no MAN gives them: the visible symptom is a floor at zero.
pub const NO_HEIGHTS: [i16; 16] = [0; 16];

/// What a scene stands on.
#[derive(Clone, Copy, Debug)]
pub struct Ground<'a> {
    collision: &'a [u8; COLLISION_SIZE],
    cells: Option<&'a [u8; 2 * CELLS]>,
    triggers: Combined<'a>,
    heights: &'a [i16; 16],
}

impl<'a> Ground<'a> {
    /// A map, the trigger block behind it ([`Triggers::EMPTY`] for none), and the height of each tier
    /// as the scene uses it: the MAN's table negated, or [`NO_HEIGHTS`].
    #[must_use]
    pub fn new(map: Map<'a>, fallback: Triggers<'a>, heights: &'a [i16; 16]) -> Self {
        Self {
            collision: map.collision_bytes(),
            cells: map.cell_bytes(),
            triggers: Combined {
                map: map.triggers(),
                patch: fallback,
            },
            heights,
        }
    }

    /// Walls and tiers alone, for machines that have no room for a whole map: no attributes, no
    /// triggers.
    #[must_use]
    pub const fn bare(collision: &'a [u8; COLLISION_SIZE], heights: &'a [i16; 16]) -> Self {
        Self {
            collision,
            cells: None,
            triggers: Combined {
                map: Triggers::EMPTY,
                patch: Triggers::EMPTY,
            },
            heights,
        }
    }

    /// The walls.
    #[inline]
    #[must_use]
    pub const fn walls(&self) -> Walls<'a> {
        Walls::new(self.collision)
    }

    /// Attributes and object index of a tile.
    #[inline]
    #[must_use]
    pub fn cell(&self, tile: Tile) -> Cell {
        let at = 2 * tile.index();
        self.cells.map_or(Cell(0), |cells| {
            Cell(u16::from_le_bytes([cells[at], cells[at + 1]]))
        })
    }

    /// The triggers of both blocks.
    #[must_use]
    pub const fn triggers(&self) -> &Combined<'a> {
        &self.triggers
    }

    /// Height of a tier, of which four bits count.
    #[inline]
    #[must_use]
    pub const fn height(&self, tier: u8) -> i16 {
        self.heights[(tier & 0x0F) as usize]
    }

    /// Height of the floor at a position: negative is up. 0 off the grid and on its last column and
    /// row, which have no neighbours.
    ///
    /// Tiles without an elevation record are bilinear between the tiers of their four corners, rounded
    /// toward zero; the others are the mean of the corners, rounded down, and the record's steps.
    /// -36880 to 36863.
    #[must_use]
    pub fn floor(&self, x: i32, z: i32) -> i32 {
        let (col, row) = (x >> 7, z >> 7);
        if col as u32 >= 127 || row as u32 >= 127 {
            return 0;
        }
        let at = (row << 7 | col) as usize;
        // The masks change nothing; they show the range to the compiler.
        let corner = |offset: usize| self.collision[(at + offset) & 0x3FFF];
        let [a, b, c, d] = [corner(0), corner(1), corner(0x80), corner(0x81)];
        const HIGH: u8 = (Cell::ELEVATION >> 8) as u8;
        let elevated = self
            .cells
            .is_some_and(|cells| cells[2 * (at & 0x3FFF) + 1] & HIGH != 0);
        if !elevated && ((a ^ b) | (a ^ c) | (a ^ d)) & 0x0F == 0 {
            return self.height(a).into();
        }
        let [a, b, c, d] = [a, b, c, d].map(|corner| i32::from(self.height(corner)));
        if elevated {
            return ((a + b + c + d) >> 2) + self.step(col, row, x, z);
        }
        let (wx, wz) = (x & 127, z & 127);
        let near = a * 128 + (b - a) * wx;
        let far = c * 128 + (d - c) * wx;
        // At most 2^15 * 2^14 in magnitude.
        let sum = near * 128 + (far - near) * wz;
        if sum < 0 {
            (sum + 0x3FFF) >> 14
        } else {
            sum >> 14
        }
    }

    /// What the elevation record of a tile adds, if it has one.
    fn step(&self, col: i32, row: i32, x: i32, z: i32) -> i32 {
        let tile = Tile::at(col, row);
        let record = tile.and_then(|tile| self.triggers.elevation(tile));
        record.map_or(0, |record| record.offset(x, z))
    }

    /// Whether the tile of a position slows down, by the plain mapping.
    #[must_use]
    pub fn is_slow(&self, x: i32, z: i32) -> bool {
        Tile::containing(x, z).is_some_and(|tile| self.cell(tile).has(Cell::SLOW))
    }

    /// The place where a teleport within the scene leads: X, floor and Z (section 10.4).
    #[must_use]
    pub fn landing(&self, teleport: Teleport) -> [i32; 3] {
        let [x, z] = teleport.landing();
        [x, self.floor(x, z), z]
    }
}
