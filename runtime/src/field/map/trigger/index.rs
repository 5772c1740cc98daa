//! The elevation records of a scene, to be found by their tile.

use super::{Combined, Elevation};
use crate::field::map::Tile;

/// Places of the table.
const PLACES: usize = 512;
/// Tiles that it takes: with more, a search would pass too many places that are taken. The field sheet's example of a
/// full map has 235 records.
const ROOM: usize = 384;
/// The bit of a place that is taken. Below it the tile's place in the grid from bit 16 on, then two bytes of the record.
const TAKEN: u32 = 1 << 31;

/// An index of the elevation records of both blocks: 2 KiB, in which a tile is found at its place or soon behind it.
/// Scripts rewrite no elevation record, so it is made once, when a scene is entered.
///
/// A scene whose records name more than 384 tiles has none; its records are searched one by one.
#[derive(Clone, Debug)]
pub struct Index {
    places: [u32; PLACES],
    /// There are too many.
    full: bool,
}

/// Where the search for a tile begins. Tiles that lie together have different places.
#[inline(always)]
const fn home(at: usize) -> usize {
    let (col, row) = (at & 0x7F, at >> 7);
    (37 * row + col) % PLACES
}

impl Index {
    /// The index of no record.
    pub const EMPTY: Self = Self {
        places: [0; PLACES],
        full: false,
    };

    /// The index of the records of two blocks.
    #[must_use]
    pub fn of(triggers: &Combined<'_>) -> Self {
        let mut index = Self::EMPTY;
        index.fill(triggers);
        index
    }

    /// Index the records of two blocks instead of what was there: of each tile the first, those of the map before those
    /// of the patch.
    pub fn fill(&mut self, triggers: &Combined<'_>) {
        *self = Self::EMPTY;
        let mut left = ROOM;
        for record in triggers.map.elevations().chain(triggers.patch.elevations()) {
            let [col, row, coarse, quads] = record.to_bytes();
            let Some(at) = Tile::new(col, row).map(Tile::index) else {
                continue;
            };
            let Some(place) = self.find(at) else {
                continue;
            };
            if left == 0 {
                self.full = true;
                break;
            }
            left -= 1;
            let record = u32::from(u16::from_be_bytes([coarse, quads]));
            self.places[place] = TAKEN | (at as u32) << 16 | record;
        }
    }

    /// The free place for a tile that has none yet.
    fn find(&self, at: usize) -> Option<usize> {
        let mut place = home(at);
        // At least a quarter of the places are free.
        loop {
            let word = self.places[place];
            if word & TAKEN == 0 {
                return Some(place);
            }
            if word >> 16 == (TAKEN >> 16) | at as u32 {
                return None;
            }
            place = (place + 1) % PLACES;
        }
    }

    /// Whether it has all records; one that has not is not asked.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        !self.full
    }

    /// The first record of the tile at this place in the grid, below 4000h. Only of a whole one.
    #[inline(always)]
    pub(in crate::field) fn elevation(&self, at: usize) -> Option<Elevation> {
        let key = (TAKEN >> 16) | at as u32;
        let mut place = home(at);
        loop {
            let word = self.places[place];
            if word >> 16 == key {
                let [coarse, quads] = (word as u16).to_be_bytes();
                let tile = [(at & 0x7F) as u8, (at >> 7) as u8];
                return Some(Elevation {
                    tile,
                    coarse: coarse as i8,
                    quads,
                });
            }
            if word == 0 {
                return None;
            }
            place = (place + 1) % PLACES;
        }
    }
}
