//! The ground of a scene: the map with everything that reads it, and the height of the floor (field
//! sheet, section 9).

use core::fmt;

use super::map::trigger::{Combined, Elevation, Index, Kind, Teleport};
use super::map::{CELLS, COLLISION_SIZE, Cell, Map, Tile, Triggers};
use super::units::saturate;
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

/// Whether the tile at this place in the grid has the mark of an elevation record.
#[inline(always)]
const fn is_marked(cells: &[u8; 2 * CELLS], at: usize) -> bool {
    const HIGH: u8 = (Cell::ELEVATION >> 8) as u8;
    cells[2 * (at & 0x3FFF) + 1] & HIGH != 0
}

/// What a scene stands on.
#[derive(Clone, Copy, Debug)]
pub struct Ground<'a> {
    collision: &'a [u8; COLLISION_SIZE],
    cells: Option<&'a [u8; 2 * CELLS]>,
    triggers: Combined<'a>,
    heights: &'a [i16; 16],
    index: Option<&'a Index>,
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
            index: None,
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
            index: None,
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
            index: None,
            ..self
        }
    }

    /// The same ground with other walls and tiers: where the map lies in memory that cannot be
    /// painted, and its collision grid has a copy that can (section 17).
    #[must_use]
    pub const fn with_walls(self, collision: &'a [u8; COLLISION_SIZE]) -> Self {
        Self { collision, ..self }
    }

    /// The same ground, whose elevation records are found by an index of them: it is [`Index::of`] the same
    /// [`Ground::triggers`], or heights are those of other records.
    #[must_use]
    pub fn with_index(self, index: &'a Index) -> Self {
        Self {
            index: index.is_whole().then_some(index),
            ..self
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
        match self.sample(x, z) {
            Some(height) => height,
            None => self.search(x, z),
        }
    }

    /// [`Ground::floor`] as a part of whoever asks for many; `None` where records have to be searched one by one, which
    /// [`Ground::search`] does.
    #[inline(always)]
    pub(super) fn sample(&self, x: i32, z: i32) -> Option<i32> {
        let (col, row) = (x >> 7, z >> 7);
        if col as u32 >= 127 || row as u32 >= 127 {
            return Some(0);
        }
        let at = (row << 7 | col) as usize;
        let corners = self.corners(at);
        let elevated = match self.cells {
            Some(cells) => is_marked(cells, at),
            None if self.triggers.map.count(Kind::Elevation) == 0 => false,
            None => return None,
        };
        Some(if elevated {
            let record = self.index?.elevation(at & 0x3FFF);
            self.raised(corners, record, x, z)
        } else {
            self.slope(corners, x, z)
        })
    }

    /// [`Ground::floor`] where there is no index, and maybe not even a mark.
    #[cold]
    #[inline(never)]
    pub(super) fn search(&self, x: i32, z: i32) -> i32 {
        let (col, row) = (x >> 7, z >> 7);
        if col as u32 >= 127 || row as u32 >= 127 {
            return 0;
        }
        let at = (row << 7 | col) as usize;
        let corners = self.corners(at);
        if self.elevates(at, col, row) {
            let tile = Tile::at(col, row);
            let record = tile.and_then(|tile| self.triggers.elevation(tile));
            self.raised(corners, record, x, z)
        } else {
            self.slope(corners, x, z)
        }
    }

    /// The bytes of a tile and of its neighbours: along X, along Z, along both.
    #[inline(always)]
    fn corners(&self, at: usize) -> [u32; 4] {
        // The mask changes nothing; it shows the range to the compiler.
        [0, 1, 0x80, 0x81].map(|offset| self.collision[(at + offset) & 0x3FFF].into())
    }

    /// The floor of a tile with the mark of an elevation record.
    #[inline(always)]
    fn raised(&self, corners: [u32; 4], record: Option<Elevation>, x: i32, z: i32) -> i32 {
        let [a, b, c, d] = corners.map(|corner| i32::from(self.height(corner as u8)));
        ((a + b + c + d) >> 2) + record.map_or(0, |record| record.offset(x, z))
    }

    /// The floor of a tile without.
    #[inline(always)]
    fn slope(&self, [a, b, c, d]: [u32; 4], x: i32, z: i32) -> i32 {
        if ((a ^ b) | (a ^ c) | (a ^ d)) & 0x0F == 0 {
            return self.height(a as u8).into();
        }
        let [a, b, c, d] = [a, b, c, d].map(|corner| i32::from(self.height(corner as u8)));
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
        const HIGH: u8 = (Cell::ELEVATION >> 8) as u8;
        let at = (row << 7 | col) as usize & 0x3FFF;
        // Records are looked for out of line: rows of corners are looked up in loops that have to be short.
        let is_plain = match self.cells {
            Some(cells) => cells[2 * at + 1] & HIGH == 0,
            None => self.triggers.map.count(Kind::Elevation) == 0,
        };
        if is_plain {
            return self.height(self.collision[at]).into();
        }
        self.floor(col << 7, row << 7)
    }

    /// [`Ground::corner`] of corners in a row, cut to 16 bits: the first in column `col`, each further one `step`
    /// columns on.
    #[inline(never)]
    pub fn profile(&self, [mut col, row]: [i32; 2], step: i32, to: &mut [i16]) {
        const HIGH: u8 = (Cell::ELEVATION >> 8) as u8;
        let cells = self.cells.filter(|_| (row as u32) < 127);
        for to in to {
            let at = (row << 7 | col) as usize & 0x3FFF;
            let is_plain = cells.is_some_and(|cells| cells[2 * at + 1] & HIGH == 0);
            *to = if is_plain && (col as u32) < 127 {
                self.height(self.collision[at])
            } else {
                self.corner_apart(col, row)
            };
            col += step;
        }
    }

    /// [`Ground::corner`], cut to 16 bits; out of the loops that must be short.
    #[inline(never)]
    fn corner_apart(&self, col: i32, row: i32) -> i16 {
        saturate(self.corner(col, row))
    }

    /// Whether a tile has an elevation record; `at` is its place in the grid. Without marks the map's own block is
    /// searched.
    #[inline(always)]
    fn elevates(&self, at: usize, col: i32, row: i32) -> bool {
        let map = &self.triggers.map;
        match self.cells {
            Some(cells) => is_marked(cells, at),
            None if map.count(Kind::Elevation) == 0 => false,
            None => Tile::at(col, row).is_some_and(|tile| map.elevation(tile).is_some()),
        }
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
