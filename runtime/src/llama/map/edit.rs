//! Edits of a chunk (llama sheet, section 7): each writes the changed chunk to `out` and answers the number of
//! bytes. Blocks stay parallel and in order, derived records are derived, all other bytes are copied. What is
//! written has been read again, so it can be the input of the next edit.
//!
//! Strats address tiles by their index: new tiles go to the end, and a deleted tile moves those behind it.

use super::super::fields::Record;
use super::super::number::Float;
use super::{Alternative, Block, Error, Fixed, Gate, MOST_SLOTS, Map, Place, Strat, Tile, colour};
use crate::bytes::{Full, Writer};

/// What a patch puts in.
enum Piece<'p> {
    Bytes(&'p [u8]),
    Words(&'p [u32]),
}

impl Piece<'_> {
    fn write(&self, out: &mut Writer<'_>) -> Result<(), Full> {
        match self {
            Self::Bytes(bytes) => out.bytes(bytes),
            Self::Words(words) => words.iter().try_for_each(|&word| out.u32(word)),
        }
    }
}

/// Bytes that are taken out at a place, and what comes in.
struct Patch<'p> {
    at: usize,
    out: usize,
    with: Piece<'p>,
}

impl<'p> Patch<'p> {
    /// Overwrite.
    fn over(at: usize, bytes: &'p [u8]) -> Self {
        Self {
            at,
            out: bytes.len(),
            with: Piece::Bytes(bytes),
        }
    }

    /// Insert.
    fn insert(at: usize, bytes: &'p [u8]) -> Self {
        Self {
            at,
            out: 0,
            with: Piece::Bytes(bytes),
        }
    }

    /// Delete.
    fn delete(at: usize, out: usize) -> Self {
        Self {
            at,
            out,
            with: Piece::Bytes(&[]),
        }
    }
}

/// Write the chunk with patches, which are in order and do not overlap; read what was written.
fn apply(map: &Map<'_>, patches: &[Patch<'_>], out: &mut [u8]) -> Result<usize, Error> {
    let data = map.bytes();
    let room = out.len();
    let mut writer = Writer::new(out);
    let mut write = || {
        let mut from = 0;
        for patch in patches {
            writer.bytes(data.get(from..patch.at).unwrap_or_default())?;
            patch.with.write(&mut writer)?;
            from = patch.at + patch.out;
        }
        writer.bytes(data.get(from..).unwrap_or_default())
    };
    write().map_err(|_: Full| Error::OutputTooSmall { room })?;
    let len = writer.finish();
    let written = out.get(..len).unwrap_or_default();
    Map::parse_lenient(written, map.flags(), map.models())?;
    Ok(len)
}

/// The bytes of a record.
fn bytes<R: Record, const N: usize>(record: &R) -> [u8; N] {
    let mut bytes = [0; N];
    // N is the record's size wherever this is called.
    let _ = record.write(&mut Writer::new(&mut bytes));
    bytes
}

/// A count after one more or one less, as it is stored.
fn changed(block: Block, count: usize, by: i64) -> Result<[u8; 4], Error> {
    let after = i64::try_from(count).unwrap_or(i64::MAX).saturating_add(by);
    let after = u32::try_from(after).map_err(|_| Error::CountOverflow {
        block,
        index: None,
        count: u32::MAX,
        offset: None,
    })?;
    Ok(after.to_le_bytes())
}

/// That a tile stands where tiles may.
fn placed(map: &Map<'_>, tile: &Tile, index: u32) -> Result<[u8; Fixed::BYTES], Error> {
    let position = Error::TilePosition { tile: index };
    let fixed = Fixed::of(tile).ok_or(position)?;
    let [_, _, z] = tile.at;
    let [col, row] = tile.cell().ok_or(position)?;
    if !matches!(tile.place(map.width(), map.height()), Place::Cell(_)) {
        return Err(Error::TileOutsideGrid {
            tile: index,
            col,
            row,
        });
    }
    if z.is_positive() {
        return Err(position);
    }
    Ok(bytes(&fixed))
}

/// Append a tile. `colours` are those of its model, then those of its alternative, for as many frames as they say
/// themselves; with an alternative, `tile.alternative` becomes 1 if it is 0.
///
/// # Errors
/// [`Error::TilePosition`], [`Error::TileOutsideGrid`]; [`Error::ModelIndex`]; [`Error::ColourLength`];
/// [`Error::Gate`] for an alternative that the flags exclude; [`Error::AltCount`] when the tile says it has one
/// and none is given; [`Error::OutputTooSmall`].
pub fn add_tile(
    map: &Map<'_>,
    tile: &Tile,
    alternative: Option<&Alternative>,
    colours: &[u8],
    out: &mut [u8],
) -> Result<usize, Error> {
    let index = map.tiles().len();
    let mut tile = *tile;
    if alternative.is_some() {
        if !map.flags().has(super::Flags::ALTERNATIVES) {
            return Err(Error::Gate {
                block: Block::Alternatives,
                gate: Gate::Excluded,
            });
        }
        tile.alternative = tile.alternative.max(1);
    } else if tile.alternative != 0 {
        return Err(Error::AltCount {
            count: 0,
            tiles: 1,
            offset: None,
        });
    }
    let fixed = placed(map, &tile, index as u32)?;
    let models = map.models();
    let known = |block, index: usize, model| {
        models.vertices(model).ok_or(Error::ModelIndex {
            block,
            index: index as u32,
            model,
            normal: false,
            offset: None,
        })
    };
    let base = known(Block::Models, index, tile.model)?;
    let other = match alternative {
        Some(it) => Some(known(
            Block::Alternatives,
            map.alternatives().len(),
            it.model,
        )?),
        None => None,
    };
    let need = colour::length(colours, base, other);
    if need != colours.len() as u64 {
        return Err(Error::ColourLength {
            len: colours.len(),
            need,
        });
    }
    let end = |block| map.span(block).end;
    let count = changed(Block::Tiles, index, 1)?;
    let record: [u8; Tile::BYTES] = bytes(&tile);
    let number = tile.model.to_le_bytes();
    let entry: [u8; Alternative::BYTES] = alternative.map(bytes).unwrap_or_default();
    let entries = changed(Block::Alternatives, map.alternatives().len(), 1)?;
    let (entries, entry): (&[u8], &[u8]) = match alternative {
        Some(_) => (&entries, &entry),
        None => (&[], &[]),
    };
    apply(
        map,
        &[
            Patch::over(0, &count),
            Patch::insert(end(Block::Tiles), &record),
            Patch::insert(end(Block::Fixed), &fixed),
            Patch::insert(end(Block::Models), &number),
            Patch::over(map.span(Block::Alternatives).start, entries),
            Patch::insert(end(Block::Alternatives), entry),
            Patch::insert(end(Block::Colours), colours),
        ],
        out,
    )
}

/// The tile of an index.
fn tile(map: &Map<'_>, index: u32) -> Result<Tile, Error> {
    let none = Error::NoSuchRecord {
        block: Block::Tiles,
        index,
    };
    map.tiles().get(index as usize).ok_or(none)
}

/// Move and turn a tile.
///
/// # Errors
/// [`Error::NoSuchRecord`], [`Error::TilePosition`], [`Error::TileOutsideGrid`], [`Error::OutputTooSmall`].
pub fn move_tile(
    map: &Map<'_>,
    index: u32,
    at: [Float; 3],
    angle: u32,
    out: &mut [u8],
) -> Result<usize, Error> {
    let tile = Tile {
        at,
        angle,
        ..tile(map, index)?
    };
    let fixed = placed(map, &tile, index)?;
    let record: [u8; Tile::BYTES] = bytes(&tile);
    let place = |block, size| map.span(block).start + size * index as usize;
    let patches = [
        Patch::over(place(Block::Tiles, Tile::BYTES), &record),
        Patch::over(place(Block::Fixed, Fixed::BYTES), &fixed),
    ];
    apply(map, &patches, out)
}

/// Delete a tile with its alternative and colours. Those behind it get an index less by one.
///
/// # Errors
/// [`Error::NoSuchRecord`], [`Error::OutputTooSmall`].
pub fn delete_tile(map: &Map<'_>, index: u32, out: &mut [u8]) -> Result<usize, Error> {
    let gone = tile(map, index)?;
    let at = index as usize;
    let count = changed(Block::Tiles, map.tiles().len(), -1)?;
    let colours = map.colours().nth(at);
    let (offset, len) = colours.map_or((0, 0), |it| (it.offset, it.bytes()));
    let place = |block, size| map.span(block).start + size * at;
    let alternatives = map.span(Block::Alternatives);
    let entries = changed(Block::Alternatives, map.alternatives().len().max(1), -1)?;
    let before = map.tiles().iter().take(at);
    let before = before.filter(|it| it.alternative != 0).count();
    let (entries, entry): (&[u8], usize) =
        if gone.alternative != 0 && !map.alternatives().is_empty() {
            (&entries, Alternative::BYTES)
        } else {
            (&[], 0)
        };
    // Without an entry to delete, the place must not pass what follows.
    let entry_at = match entry {
        0 => alternatives.end,
        _ => alternatives.start + 4 + Alternative::BYTES * before,
    };
    apply(
        map,
        &[
            Patch::over(0, &count),
            Patch::delete(place(Block::Tiles, Tile::BYTES), Tile::BYTES),
            Patch::delete(place(Block::Fixed, Fixed::BYTES), Fixed::BYTES),
            Patch::delete(place(Block::Models, 4), 4),
            Patch::over(alternatives.start, entries),
            Patch::delete(entry_at, entry),
            Patch::delete(map.span(Block::Colours).start + offset, len),
        ],
        out,
    )
}

/// The strat of an index, and where it lies.
fn strat(map: &Map<'_>, index: u32) -> Result<(Strat, usize), Error> {
    let none = Error::NoSuchRecord {
        block: Block::Strats,
        index,
    };
    let strat = map.strats().get(index as usize).ok_or(none)?;
    let at = map.span(Block::Strats).start + 8 + Strat::BYTES * index as usize;
    Ok((strat, at))
}

/// The poolExtra of so many more strats, as it is stored, if the engine has that many slots.
fn raised(map: &Map<'_>, by: u32) -> Result<[u8; 4], Error> {
    let slots = map.slots() + u64::from(by);
    let after = map.pool_extra().checked_add(by);
    let after = after.filter(|_| slots <= MOST_SLOTS);
    let created = || map.strats().iter().filter(Strat::is_created).count() as u32;
    let too_many = || Error::PoolTooSmall {
        slots,
        created: created(),
    };
    Ok(after.ok_or_else(too_many)?.to_le_bytes())
}

/// Append a strat with its parameters, which go to the end of the pool, and raise poolExtra by one. Constants are
/// those of another strat of its type; the fields about parameters do not count.
///
/// # Errors
/// [`Error::WaypointIndex`], [`Error::CountOverflow`], [`Error::OutputTooSmall`]; [`Error::PoolTooSmall`] when the
/// engine has no memory for one more.
pub fn add_strat(
    map: &Map<'_>,
    new: &Strat,
    parameters: &[u32],
    out: &mut [u8],
) -> Result<usize, Error> {
    let index = map.strats().len();
    let (pool, count) = appended(map, parameters)?;
    let new = Strat {
        parameters: count,
        pool,
        ..*new
    };
    let there = usize::try_from(new.waypoint).is_ok_and(|it| it < map.waypoints().len());
    if new.waypoint != -1 && !there {
        return Err(Error::WaypointIndex {
            strat: index as u32,
            waypoint: new.waypoint,
        });
    }
    let record: [u8; Strat::BYTES] = bytes(&new);
    let strats = map.span(Block::Strats);
    let words = changed(Block::Pool, map.pool().len(), parameters.len() as i64)?;
    apply(
        map,
        &[
            Patch::over(map.span(Block::Pool).start, &words),
            Patch {
                at: map.span(Block::Pool).end,
                out: 0,
                with: Piece::Words(parameters),
            },
            Patch::over(strats.start, &changed(Block::Strats, index, 1)?),
            Patch::over(strats.start + 4, &raised(map, 1)?),
            Patch::insert(strats.end, &record),
        ],
        out,
    )
}

/// Index and count of parameters that are put behind the pool.
fn appended(map: &Map<'_>, parameters: &[u32]) -> Result<(i32, u32), Error> {
    if parameters.is_empty() {
        return Ok((-1, 0));
    }
    let overflow = Error::CountOverflow {
        block: Block::Pool,
        index: None,
        count: u32::MAX,
        offset: None,
    };
    let index = i32::try_from(map.pool().len()).map_err(|_| overflow)?;
    let count = u32::try_from(parameters.len()).map_err(|_| overflow)?;
    Ok((index, count))
}

/// Move and turn a strat.
///
/// # Errors
/// [`Error::NoSuchRecord`], [`Error::OutputTooSmall`].
pub fn move_strat(
    map: &Map<'_>,
    index: u32,
    at: [i32; 3],
    angles: [u16; 3],
    out: &mut [u8],
) -> Result<usize, Error> {
    let (strat, place) = strat(map, index)?;
    let record: [u8; Strat::BYTES] = bytes(&Strat {
        at,
        angles,
        ..strat
    });
    apply(map, &[Patch::over(place, &record)], out)
}

/// Delete a strat. Its parameters stay in the pool, which others may share, and poolExtra stays.
///
/// # Errors
/// [`Error::NoSuchRecord`], [`Error::OutputTooSmall`].
pub fn delete_strat(map: &Map<'_>, index: u32, out: &mut [u8]) -> Result<usize, Error> {
    let (_, place) = strat(map, index)?;
    let count = changed(Block::Strats, map.strats().len(), -1)?;
    let patches = [
        Patch::over(map.span(Block::Strats).start, &count),
        Patch::delete(place, Strat::BYTES),
    ];
    apply(map, &patches, out)
}

/// Give a strat other parameters: where the old ones lie, if there are as many and nobody shares them, and
/// behind the pool otherwise.
///
/// # Errors
/// [`Error::NoSuchRecord`], [`Error::CountOverflow`], [`Error::OutputTooSmall`].
pub fn set_parameters(
    map: &Map<'_>,
    index: u32,
    parameters: &[u32],
    out: &mut [u8],
) -> Result<usize, Error> {
    let (strat, place) = strat(map, index)?;
    let pool = map.span(Block::Pool);
    let range = |it: &Strat| {
        (
            i64::from(it.pool),
            i64::from(it.pool) + i64::from(it.parameters),
        )
    };
    let (start, end) = range(&strat);
    let shared = map.strats().iter().zip(0_u32..).any(|(it, other)| {
        let (first, last) = range(&it);
        other != index && it.parameters != 0 && first < end && start < last
    });
    let same = u64::from(strat.parameters) == parameters.len() as u64;
    let inside = start >= 0 && end <= map.pool().len() as i64;
    if same && !shared && inside && !parameters.is_empty() {
        let patch = Patch {
            // Inside the pool.
            at: pool.start + 4 + 4 * start as usize,
            out: 4 * parameters.len(),
            with: Piece::Words(parameters),
        };
        return apply(map, &[patch], out);
    }
    let (first, count) = appended(map, parameters)?;
    let record: [u8; Strat::BYTES] = bytes(&Strat {
        parameters: count,
        pool: first,
        ..strat
    });
    let words = changed(Block::Pool, map.pool().len(), parameters.len() as i64)?;
    let patches = [
        Patch::over(pool.start, &words),
        Patch {
            at: pool.end,
            out: 0,
            with: Piece::Words(parameters),
        },
        Patch::over(place, &record),
    ];
    apply(map, &patches, out)
}

/// Raise poolExtra: once for each strat that is to live at the same time as the others.
///
/// # Errors
/// [`Error::PoolTooSmall`] for more slots than the engine's memory counts, [`Error::OutputTooSmall`].
pub fn raise_pool(map: &Map<'_>, by: u32, out: &mut [u8]) -> Result<usize, Error> {
    let extra = raised(map, by)?;
    let place = map.span(Block::Strats).start + 4;
    apply(map, &[Patch::over(place, &extra)], out)
}
