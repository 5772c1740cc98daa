//! The ground of a scene: the map with everything that reads it, and the height of the floor (field
//! sheet, section 9).

use super::map::trigger::{Combined, Teleport};
use super::map::{CELLS_AT, COLLISION_AT, Cell, Map, Tile, Triggers};
use super::wall::Walls;

/// Heights of the sixteen tiers where no MAN gives them: the visible symptom is a floor at zero.
pub const NO_HEIGHTS: [i16; 16] = [0; 16];

/// What a scene stands on.
#[derive(Clone, Copy, Debug)]
pub struct Ground<'a> {
    map: Map<'a>,
    fallback: Triggers<'a>,
    heights: &'a [i16; 16],
}

impl<'a> Ground<'a> {
    /// A map, the trigger block behind it ([`Triggers::EMPTY`] for none), and the height of each tier
    /// as the scene uses it: the MAN's table negated, or [`NO_HEIGHTS`].
    #[must_use]
    pub const fn new(map: Map<'a>, fallback: Triggers<'a>, heights: &'a [i16; 16]) -> Self {
        Self {
            map,
            fallback,
            heights,
        }
    }

    /// The map.
    #[inline]
    #[must_use]
    pub const fn map(&self) -> &Map<'a> {
        &self.map
    }

    /// The walls.
    #[inline]
    #[must_use]
    pub const fn walls(&self) -> Walls<'a> {
        self.map.walls()
    }

    /// The triggers of both blocks.
    #[must_use]
    pub fn triggers(&self) -> Combined<'a> {
        Combined {
            map: self.map.triggers(),
            patch: self.fallback,
        }
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
        let data = self.map.bytes();
        let at = (row << 7 | col) as usize;
        // The masks change nothing; they show the range to the compiler.
        let corner = |offset: usize| data[COLLISION_AT + ((at + offset) & 0x3FFF)];
        let [a, b, c, d] = [corner(0), corner(1), corner(0x80), corner(0x81)];
        let elevated = data[CELLS_AT + 2 * (at & 0x3FFF) + 1] & (Cell::ELEVATION >> 8) as u8 != 0;
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
        let record = tile.and_then(|tile| self.triggers().elevation(tile));
        record.map_or(0, |record| record.offset(x, z))
    }

    /// Whether the tile of a position slows down, by the plain mapping.
    #[must_use]
    pub fn is_slow(&self, x: i32, z: i32) -> bool {
        Tile::containing(x, z).is_some_and(|tile| self.map.cell(tile).has(Cell::SLOW))
    }

    /// The place where a teleport within the scene leads: X, floor and Z (section 10.4).
    #[must_use]
    pub fn landing(&self, teleport: Teleport) -> [i32; 3] {
        let [x, z] = teleport.landing();
        [x, self.floor(x, z), z]
    }
}
