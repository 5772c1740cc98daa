//! The lists of tiles by cell, as the loader makes them (llama sheet, section 3.2).

use super::{Error, Map, Place};

/// No tile.
pub const NONE: u32 = u32::MAX;

/// For each cell a list of its tiles, the newest first, in memory of the caller's.
#[derive(Debug)]
pub struct Cells<'m> {
    heads: &'m [u32],
    next: &'m [u32],
}

impl<'m> Cells<'m> {
    /// Link the tiles of a map in order, each in front of its cell's list. `heads` holds a word a cell, `next` one a
    /// tile; longer slices are fine. Tiles that fall into no cell of their own are linked nowhere; where the engine
    /// would put them [`super::Tile::place`] says.
    ///
    /// # Errors
    /// [`Error::OutputTooSmall`] with the length of the slice that is too short.
    pub fn link(map: &Map<'_>, heads: &'m mut [u32], next: &'m mut [u32]) -> Result<Self, Error> {
        let (width, height) = (map.width(), map.height());
        let tiles = map.tiles();
        let room = heads.len();
        let heads = heads.get_mut(..map.grid().len());
        let heads = heads.ok_or(Error::OutputTooSmall { room })?;
        let room = next.len();
        let next = next.get_mut(..tiles.len());
        let next = next.ok_or(Error::OutputTooSmall { room })?;
        heads.fill(NONE);
        for ((tile, next), index) in tiles.iter().zip(next.iter_mut()).zip(0..) {
            *next = NONE;
            if let Place::Cell(cell) = tile.place(width, height)
                && let Some(head) = heads.get_mut(cell)
            {
                *next = core::mem::replace(head, index);
            }
        }
        Ok(Self { heads, next })
    }

    /// The tiles of a cell, the newest first.
    pub fn of(&self, cell: usize) -> impl Iterator<Item = u32> + '_ {
        let mut at = self.heads.get(cell).copied().unwrap_or(NONE);
        core::iter::from_fn(move || {
            // Each link leads to an older tile, so this ends.
            let next = *self.next.get(at as usize)?;
            Some(core::mem::replace(&mut at, next))
        })
    }
}
