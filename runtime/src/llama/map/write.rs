//! The writer (llama sheet, section 7).

use super::super::fields::Record;
use super::super::flags::Flags;
use super::super::stpc::Stpc;
use super::super::trak::Models;
use super::{
    Alternative, Block, Error, Fixed, Gate, Map, Point, REGIONS, Region, Strat, Tile, Waypoint,
    Zone,
};
use crate::bytes::{Full, Writer};

/// A part of a path to be written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartSource<'a> {
    /// Flags as stored.
    pub flags: u16,
    /// At most 65535 points.
    pub points: &'a [Point],
}

/// A path to be written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PathSource<'a> {
    /// Its parts.
    pub parts: &'a [PartSource<'a>],
}

/// A MAP chunk to be written.
#[derive(Clone, Copy, Debug, Default)]
pub struct Source<'a> {
    /// Which blocks there are.
    pub flags: Flags,
    /// Columns of the grid.
    pub width: u32,
    /// Rows of the grid.
    pub height: u32,
    /// Block 2.
    pub tiles: &'a [Tile],
    /// Block 3.
    pub pool: &'a [u32],
    /// Block 4.
    pub zones: &'a [Zone],
    /// Block 5.
    pub waypoints: &'a [Waypoint],
    /// Block 6.
    pub regions: [Region; REGIONS as usize],
    /// Block 7: `width * height` words.
    pub grid: &'a [u32],
    /// Blocks 8 and 9 as they were stored, one record a tile; `None` derives them from the tiles.
    pub derived: Option<(&'a [Fixed], &'a [u32])>,
    /// Block 10.
    pub alternatives: &'a [Alternative],
    /// Block 11, tile by tile.
    pub colours: &'a [u8],
    /// Block 12.
    pub strats: &'a [Strat],
    /// Slots for strats beyond 30.
    pub pool_extra: u32,
    /// Block 13.
    pub paths: &'a [PathSource<'a>],
    /// Block 14: there exactly where the flags ask for it.
    pub particles: Option<u32>,
    /// Block 15.
    pub tail: u16,
}

/// Bytes that a source takes.
#[must_use]
pub fn size(source: &Source<'_>) -> u64 {
    let table = |len: usize, bytes: usize| len as u64 * bytes as u64;
    let gate = |mask, bytes| if source.flags.has(mask) { bytes } else { 0 };
    let point = Point::bytes(source.flags.has(Flags::POINT_Y));
    let parts = source.paths.iter().flat_map(|path| path.parts);
    let points: u64 = parts.map(|part| 4 + table(part.points.len(), point)).sum();
    12 + table(source.tiles.len(), 2 * Tile::BYTES + 4)
        + 4
        + table(source.pool.len(), 4)
        + 4
        + table(source.zones.len(), Zone::BYTES)
        + 4
        + table(source.waypoints.len(), Waypoint::BYTES)
        + table(source.regions.len(), Region::BYTES)
        + table(source.grid.len(), 4)
        + gate(
            Flags::ALTERNATIVES,
            4 + table(source.alternatives.len(), Alternative::BYTES),
        )
        + source.colours.len() as u64
        + 8
        + table(source.strats.len(), Strat::BYTES)
        + gate(Flags::PATHS, 4 + table(source.paths.len(), 4) + points)
        + source.particles.map_or(0, |_| 4)
        + 2
}

/// Write a chunk as the source says, unchecked but for what has no form: with what [`Map`] tells, the bytes
/// are those that were read. The number of bytes.
///
/// # Errors
/// [`Error::GridSize`], [`Error::Gate`], [`Error::CountOverflow`], [`Error::OutputTooSmall`];
/// [`Error::TilePosition`] for a tile without fixed point when blocks 8 and 9 are derived;
/// [`Error::DerivedMismatch`] when as given they have not one record a tile.
pub fn emit(source: &Source<'_>, out: &mut [u8]) -> Result<usize, Error> {
    let room = out.len();
    let cells = u64::from(source.width) * u64::from(source.height);
    if cells == 0 || cells != source.grid.len() as u64 || u32::try_from(cells).is_err() {
        return Err(Error::GridSize {
            width: source.width,
            height: source.height,
            cells: Some(source.grid.len()),
        });
    }
    let excluded = |mask, block, used| {
        if used && !source.flags.has(mask) {
            let gate = Gate::Excluded;
            return Err(Error::Gate { block, gate });
        }
        Ok(())
    };
    let (alternatives, paths) = (&source.alternatives, &source.paths);
    excluded(
        Flags::ALTERNATIVES,
        Block::Alternatives,
        !alternatives.is_empty(),
    )?;
    excluded(Flags::PATHS, Block::Paths, !paths.is_empty())?;
    excluded(
        Flags::PARTICLES,
        Block::Particles,
        source.particles.is_some(),
    )?;
    if source.particles.is_none() && source.flags.has(Flags::PARTICLES) {
        return Err(Error::Gate {
            block: Block::Particles,
            gate: Gate::Missing,
        });
    }
    let parts = || paths.iter().flat_map(|path| path.parts);
    let is_high = |part: &PartSource<'_>| part.points.iter().any(|it| it.y != 0);
    if !source.flags.has(Flags::POINT_Y) && parts().any(is_high) {
        return Err(Error::Gate {
            block: Block::Paths,
            gate: Gate::Height,
        });
    }
    let mut out = Writer::new(out);
    match write(source, &mut out) {
        Ok(()) => Ok(out.finish()),
        Err(Stop::Full) => Err(Error::OutputTooSmall { room }),
        Err(Stop::Error(error)) => Err(error),
    }
}

/// Write a chunk, blocks 8 and 9 derived whatever the source holds, and refuse what breaks an invariant; the
/// number of bytes. After an error the contents of `out` mean nothing.
///
/// # Errors
/// Those of [`emit`], of [`Map::parse_lenient`] about what would be written, and the first of [`Map::check`].
pub fn build(
    source: &Source<'_>,
    models: Models<'_>,
    code: Option<&Stpc<'_>>,
    out: &mut [u8],
) -> Result<usize, Error> {
    let derived = Source {
        derived: None,
        ..*source
    };
    let len = emit(&derived, out)?;
    let written = out.get(..len).unwrap_or_default();
    Map::parse_lenient(written, source.flags, models)?.verify(code)?;
    Ok(len)
}

enum Stop {
    Full,
    Error(Error),
}

impl From<Full> for Stop {
    fn from(_: Full) -> Self {
        Self::Full
    }
}

fn count(block: Block, len: usize) -> Result<u32, Stop> {
    let overflow = Error::CountOverflow {
        block,
        index: None,
        count: u32::MAX,
        offset: None,
    };
    u32::try_from(len).map_err(|_| Stop::Error(overflow))
}

fn records<R: Record>(records: &[R], out: &mut Writer<'_>) -> Result<(), Stop> {
    records.iter().try_for_each(|it| it.write(out))?;
    Ok(())
}

fn counted<R: Record>(block: Block, table: &[R], out: &mut Writer<'_>) -> Result<(), Stop> {
    out.u32(count(block, table.len())?)?;
    records(table, out)
}

fn write(source: &Source<'_>, out: &mut Writer<'_>) -> Result<(), Stop> {
    out.u32(count(Block::Tiles, source.tiles.len())?)?;
    out.u32(source.width)?;
    out.u32(source.height)?;
    records(source.tiles, out)?;
    counted(Block::Pool, source.pool, out)?;
    counted(Block::Zones, source.zones, out)?;
    counted(Block::Waypoints, source.waypoints, out)?;
    records(&source.regions, out)?;
    records(source.grid, out)?;
    match source.derived {
        Some((fixed, models)) => {
            let tiles = source.tiles.len();
            for (block, len) in [(Block::Fixed, fixed.len()), (Block::Models, models.len())] {
                if len != tiles {
                    let tile = len.min(tiles) as u32;
                    return Err(Stop::Error(Error::DerivedMismatch { block, tile }));
                }
            }
            records(fixed, out)?;
            records(models, out)?;
        }
        None => {
            for (it, tile) in source.tiles.iter().zip(0..) {
                let error = Stop::Error(Error::TilePosition { tile });
                Fixed::of(it).ok_or(error)?.write(out)?;
            }
            for tile in source.tiles {
                out.u32(tile.model)?;
            }
        }
    }
    if source.flags.has(Flags::ALTERNATIVES) {
        counted(Block::Alternatives, source.alternatives, out)?;
    }
    out.bytes(source.colours)?;
    out.u32(count(Block::Strats, source.strats.len())?)?;
    out.u32(source.pool_extra)?;
    records(source.strats, out)?;
    if source.flags.has(Flags::PATHS) {
        paths(source, out)?;
    }
    if let Some(particles) = source.particles {
        out.u32(particles)?;
    }
    out.u16(source.tail)?;
    Ok(())
}

fn paths(source: &Source<'_>, out: &mut Writer<'_>) -> Result<(), Stop> {
    let height = source.flags.has(Flags::POINT_Y);
    out.u32(count(Block::Paths, source.paths.len())?)?;
    for path in source.paths {
        out.u32(count(Block::Paths, path.parts.len())?)?;
        for part in path.parts {
            let points = u16::try_from(part.points.len()).map_err(|_| {
                let count = u32::try_from(part.points.len()).unwrap_or(u32::MAX);
                Stop::Error(Error::CountOverflow {
                    block: Block::Paths,
                    index: None,
                    count,
                    offset: None,
                })
            })?;
            out.u16(points)?;
            out.u16(part.flags)?;
            for point in part.points {
                point.write(height, out)?;
            }
        }
    }
    Ok(())
}
