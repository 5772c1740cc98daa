//! The map in memory that may be written.

use super::super::compat::{Compat, FallbackMarks};
use super::trigger::{self, Kind, Script, Tables, Triggers};
use super::{
    CELLS, CELLS_AT, COLLISION_AT, COLLISION_SIZE, Cell, Collision, Error, Map, OBJECTS, Object,
    Paint, SIZE, TRIGGERS_AT, Tile, detect, flag,
};

/// A map file that is changed in place: by scripts (walls, triggers), by the refresh after the load,
/// or by a builder.
#[derive(Debug)]
pub struct MapMut<'a> {
    data: &'a mut [u8; SIZE],
    /// Where the trigger tables lie; no change moves them.
    tables: Tables,
}

impl<'a> MapMut<'a> {
    /// Read a map file as [`Map::parse`] does, to change it later.
    ///
    /// # Errors
    /// As [`Map::parse`].
    pub fn parse(data: &'a mut [u8]) -> Result<Self, Error> {
        let len = data.len();
        let data: &mut [u8; SIZE] = data.try_into().map_err(|_| Error::Size { len })?;
        let tables = detect(data)?;
        Ok(Self { data, tables })
    }

    /// Write an empty map with these triggers to `out`, which has exactly [`SIZE`] bytes, to be filled
    /// in place. An empty map too gets a chained header (section 3.9, rule 4).
    ///
    /// # Errors
    /// [`Error::Size`], [`Error::TriggersTooLong`].
    pub fn create(out: &'a mut [u8], triggers: &trigger::Source<'_>) -> Result<Self, Error> {
        let len = out.len();
        let data: &mut [u8; SIZE] = out.try_into().map_err(|_| Error::Size { len })?;
        data.fill(0);
        trigger::emit(triggers, data.get_mut(TRIGGERS_AT..).unwrap_or_default())?;
        let tables = detect(data)?;
        Ok(Self { data, tables })
    }

    /// Take over another map, all of it: as it lies on the disc, when a scene is entered anew.
    pub fn restore(&mut self, map: &Map<'_>) {
        *self.data = *map.bytes();
        self.tables = map.tables;
    }

    /// The map as it is now.
    #[must_use]
    pub const fn map(&self) -> Map<'_> {
        Map {
            data: self.data,
            tables: self.tables,
        }
    }

    /// Set walls and floor tier of a tile.
    #[inline]
    pub fn set_collision(&mut self, tile: Tile, collision: Collision) {
        self.data[COLLISION_AT + tile.index()] = collision.0;
    }

    /// Set attributes and object index of a tile.
    #[inline]
    pub fn set_cell(&mut self, tile: Tile, cell: Cell) {
        let at = CELLS_AT + 2 * tile.index();
        let [low, high] = cell.0.to_le_bytes();
        self.data[at] = low;
        self.data[at + 1] = high;
    }

    /// Set bits of a tile's attributes.
    #[inline]
    fn mark(&mut self, tile: Tile, bits: u16) {
        let Cell(word) = self.map().cell(tile);
        self.set_cell(tile, Cell(word | bits));
    }

    /// Set the object record of `index`, of which nine bits count.
    pub fn set_object(&mut self, index: u16, object: &Object) {
        let at = usize::from(index & (OBJECTS - 1)) * Object::BYTES;
        if let Some(place) = self.data.get_mut(at..).and_then(<[u8]>::first_chunk_mut) {
            *place = object.to_bytes();
        }
    }

    /// Set record and gate of script trigger `index` of the map's own block, as a script op does.
    /// Whether there is such a trigger.
    pub fn set_script(&mut self, index: u16, record: u8, gate: u8) -> bool {
        let place = self
            .tables
            .record(Kind::Script, index)
            .and_then(|at| self.data.get_mut(TRIGGERS_AT + at + 2..))
            .and_then(<[u8]>::first_chunk_mut::<2>);
        let found = place.is_some();
        if let Some(place) = place {
            *place = [record, gate];
        }
        found
    }

    /// Bind the tiles of a rectangle to another record, as script op `4C 83` does: the first script trigger of
    /// each tile names `record` and has gate [`trigger::Script::BIND`]. `[x0, z0, x1, z1]`, corners
    /// included. Of the map's own block only: whoever has a block behind it reads it.
    pub fn bind_tiles(&mut self, [x0, z0, x1, z1]: [u8; 4], record: u8) {
        let mut seen = [0_u32; CELLS / 32];
        for index in 0..self.map().triggers().count(Kind::Script) {
            let place = self
                .tables
                .record(Kind::Script, index)
                .and_then(|at| self.data.get_mut(TRIGGERS_AT + at..)?.first_chunk_mut());
            let Some([col, row, to, gate]) = place else {
                break;
            };
            let inside = (x0..=x1).contains(col) && (z0..=z1).contains(row);
            let Some(tile) = Tile::new(*col, *row).filter(|_| inside) else {
                continue;
            };
            if let Some(word) = seen.get_mut(tile.index() / 32) {
                let bit = 1 << (tile.index() % 32);
                if *word & bit == 0 {
                    (*to, *gate) = (record, trigger::Script::BIND);
                }
                *word |= bit;
            }
        }
    }

    /// The collision grid, row by row. Never `None`: the type says it because nothing here may panic.
    #[must_use]
    pub fn collision_grid(&mut self) -> Option<&mut [u8; COLLISION_SIZE]> {
        self.data.get_mut(COLLISION_AT..)?.first_chunk_mut()
    }

    /// Change walls.
    pub fn paint(&mut self, paint: &Paint) {
        if let Some(grid) = self.collision_grid() {
            paint.apply(grid);
        }
    }

    /// The grid refresh that the game runs after the load (section 3.8): objects whose countdown is
    /// 0 are no ground, cells copy two flags of their objects, and the tiles of the map's own triggers
    /// are marked. Tiles off the grid are passed over (the game writes outside).
    pub fn refresh(&mut self) {
        for index in 0..OBJECTS {
            let mut object = self.map().object(index);
            if object.palette == 0 && object.flags & flag::GROUND != 0 {
                object.flags &= !flag::GROUND;
                self.set_object(index, &object);
            }
        }
        for tile in Tile::all() {
            let cell = self.map().cell(tile);
            let flags = self.map().object_flags(cell.object());
            let copy = |bit, to| if flags & bit != 0 { to } else { 0 };
            let ground = copy(flag::GROUND, Cell::GROUND);
            let drawn = copy(flag::DRAWN, Cell::DRAWN);
            let rest = cell.0 & !(Cell::GROUND | Cell::DRAWN);
            self.set_cell(tile, Cell(rest | ground | drawn));
        }
        for (kind, bit) in [
            (Kind::Teleport, Cell::TELEPORT),
            (Kind::Script, Cell::SCRIPT),
            (Kind::Elevation, Cell::ELEVATION),
        ] {
            for index in 0..self.map().triggers().count(kind) {
                let record = self
                    .tables
                    .record(kind, index)
                    .and_then(|at| self.data.get(TRIGGERS_AT + at..)?.first_chunk::<2>());
                if let Some(tile) = record.and_then(|&[col, row]| Tile::new(col, row)) {
                    self.mark(tile, bit);
                }
            }
        }
    }

    /// Mark the tiles of the fallback block's script triggers, whatever their gate, as the scene's
    /// entry does after [`MapMut::refresh`].
    pub fn mark_fallback(&mut self, fallback: &Triggers<'_>) {
        self.mark_fallback_by(fallback, &Compat::SHEET);
    }

    /// [`MapMut::mark_fallback`] by other readings: [`Compat::fallback_marks`].
    pub fn mark_fallback_by(&mut self, fallback: &Triggers<'_>, compat: &Compat) {
        let all = compat.fallback_marks == FallbackMarks::All;
        let marking = |script: &Script| all || script.gate == Script::BIND;
        for script in fallback.scripts().filter(marking) {
            let [col, row] = script.tile;
            if let Some(tile) = Tile::new(col, row) {
                self.mark(tile, Cell::SCRIPT);
            }
        }
    }
}
