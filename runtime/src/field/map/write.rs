//! The writer.

use super::{
    CELLS, COLLISION_SIZE, Cell, Collision, Error, MapMut, OBJECTS, Object, SIZE, Tile, trigger,
};

/// A map to be written.
#[derive(Clone, Copy, Debug, Default)]
pub struct Source<'a> {
    /// Object records from 0 on, at most [`OBJECTS`]; the rest is zero.
    pub objects: &'a [Object],
    /// Walls and floor, row by row: [`COLLISION_SIZE`] bytes, or empty for all zero.
    pub collision: &'a [u8],
    /// Attributes, row by row: [`CELLS`] words, or empty for all zero.
    pub cells: &'a [u16],
    /// The trigger tables.
    pub triggers: trigger::Source<'a>,
}

/// Write a map to the start of `out`; the number of bytes, [`SIZE`]. What is written,
/// [`super::Map::parse`] accepts; whether the game would like it, [`super::Map::lint`] says.
///
/// # Errors
/// [`Error::OutputTooSmall`], [`Error::TooManyObjects`], [`Error::GridSize`],
/// [`Error::TriggersTooLong`].
pub fn emit(source: &Source<'_>, out: &mut [u8]) -> Result<usize, Error> {
    let room = out.len();
    let out = out.get_mut(..SIZE).ok_or(Error::OutputTooSmall { room })?;
    let count = source.objects.len();
    if count > usize::from(OBJECTS) {
        return Err(Error::TooManyObjects { count });
    }
    grid(source.collision.len(), COLLISION_SIZE)?;
    grid(source.cells.len(), CELLS)?;
    let mut map = MapMut::create(out, &source.triggers)?;
    for (index, object) in (0..OBJECTS).zip(source.objects) {
        map.set_object(index, object);
    }
    for (tile, &byte) in Tile::all().zip(source.collision) {
        map.set_collision(tile, Collision(byte));
    }
    for (tile, &word) in Tile::all().zip(source.cells) {
        map.set_cell(tile, Cell(word));
    }
    Ok(SIZE)
}

fn grid(len: usize, whole: usize) -> Result<(), Error> {
    if len == 0 || len == whole {
        Ok(())
    } else {
        Err(Error::GridSize { len })
    }
}
