//! The ground of a scene: the map with everything that reads it, and the height of the floor (field
//! sheet, section 9).

use core::fmt;

use super::map::trigger::{Combined, Kind, Teleport};
use super::map::{CELLS, COLLISION_SIZE, Cell, Map, Tile, Triggers};
use super::wall::Walls;

/// Heights of the sixteen tiers where no MAN gives them: the visible symptom is a floor at zero.
pub const NO_HEIGHTS: [i16; 16] = [0; 16];

/// The scene has no height table: no MAN gives one (section 18). To be told once, when the scene is
/// entered; the map is there all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct NoHeightTable;

impl fmt::Display for NoHeightTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no height table: every floor is at 0")
    }
}

impl core::error::Error for NoHeightTable {}

/// The heights to stand on, and what to report where there are none.
#[must_use]
pub fn heights(table: Option<[i16; 16]>) -> ([i16; 16], Option<NoHeightTable>) {
    match table {
        Some(table) => (table, None),
        None => (NO_HEIGHTS, Some(NoHeightTable)),
    }
}

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

    /// The same ground with these triggers. Without attributes their marks are worked out from the
    /// tables, as a scene's load would set them (section 3.8).
    #[must_use]
    pub const fn with_triggers(self, map: Triggers<'a>, fallback: Triggers<'a>) -> Self {
        Self {
            triggers: Combined {
                map,
                patch: fallback,
            },
            ..self
        }
    }

    /// The same ground with other walls and tiers: where the map lies in memory that cannot be
    /// painted, and its collision grid has a copy that can (section 17).
    #[must_use]
    pub const fn with_walls(self, collision: &'a [u8; COLLISION_SIZE]) -> Self {
        Self { collision, ..self }
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
        match self.cells {
            Some(cells) => Cell(u16::from_le_bytes([cells[at], cells[at + 1]])),
            None => self.marks(tile),
        }
    }

    /// The marks of a tile's triggers, from the tables.
    #[cold]
    fn marks(&self, tile: Tile) -> Cell {
        let Combined { map, patch } = &self.triggers;
        let mark = |found: bool, bit: u16| if found { bit } else { 0 };
        let scripts = map.script(tile).or_else(|| patch.script(tile));
        Cell(
            mark(map.teleport(tile).is_some(), Cell::TELEPORT)
                | mark(scripts.is_some(), Cell::SCRIPT)
                | mark(map.elevation(tile).is_some(), Cell::ELEVATION),
        )
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
        let elevated = self.elevates(at, col, row);
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

    /// [`Ground::floor`] at the first corner of a tile, `128 * col` and `128 * row`, where there is nothing to
    /// interpolate.
    #[inline]
    #[must_use]
    pub fn corner(&self, col: i32, row: i32) -> i32 {
        if col as u32 >= 127 || row as u32 >= 127 {
            return 0;
        }
        let at = (row << 7 | col) as usize & 0x3FFF;
        if self.elevates(at, col, row) {
            return self.floor(col << 7, row << 7);
        }
        self.height(self.collision[at]).into()
    }

    /// Whether a tile has an elevation record; `at` is its place in the grid.
    #[inline(always)]
    fn elevates(&self, at: usize, col: i32, row: i32) -> bool {
        const HIGH: u8 = (Cell::ELEVATION >> 8) as u8;
        match self.cells {
            Some(cells) => cells[2 * (at & 0x3FFF) + 1] & HIGH != 0,
            None => self.is_elevated(col, row),
        }
    }

    /// Whether the map's own block has an elevation record for a tile.
    #[inline]
    fn is_elevated(&self, col: i32, row: i32) -> bool {
        let map = &self.triggers.map;
        map.count(Kind::Elevation) != 0
            && Tile::at(col, row).is_some_and(|tile| map.elevation(tile).is_some())
    }

    /// Height of the ground under terrain and decoration meshes of a tile: the mean of its four corners,
    /// rounded down (section 12.1). 0 where [`Ground::floor`] is.
    #[must_use]
    pub fn mean(&self, tile: Tile) -> i32 {
        if tile.col() >= 127 || tile.row() >= 127 {
            return 0;
        }
        let corner = |offset: usize| {
            let byte = self.collision[(tile.index() + offset) & 0x3FFF];
            i32::from(self.height(byte))
        };
        (corner(0) + corner(1) + corner(0x80) + corner(0x81)) >> 2
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
