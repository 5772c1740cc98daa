//! The MAP chunk: fifteen blocks that borrow from the payload (llama sheet, sections 3 and 7).
//!
//! [`Map::parse_lenient`] finds the blocks, which needs flags and vertex counts; [`Map::parse`] refuses what the
//! game could not load as well; [`Map::check`] lists all that is wrong. What is read can be written again bit
//! by bit ([`emit`]); [`build`] derives and checks; [`edit`] changes a chunk.

mod block;
mod cells;
mod check;
mod colour;
mod cursor;
pub mod edit;
mod error;
mod path;
mod record;
mod seen;
mod write;

pub use block::Block;
pub use cells::{Cells, NONE};
pub use colour::{Colours, Stored, TileColours};
pub use error::{Error, Finding, Gate, Warning};
pub use path::{Part, Path, Point};
pub use record::{Alternative, Fixed, Place, QUARTER, Region, Strat, Tile, Type, Waypoint, Zone};
pub use write::{PartSource, PathSource, Source, build, emit, size};

use super::fields::{Record, Table};
use super::flags::Flags;
use super::trak::Models;
use crate::bytes::{u16_at, u32_at};
use colour::{Stop, Walk};
use cursor::Cursor;
use path::Paths;

/// Entries of the region table.
pub const REGIONS: u32 = 32;
/// Slots that the engine has beyond poolExtra.
pub const SLOTS: u32 = 30;
/// Bytes of a slot in the game's memory.
pub const SLOT: u32 = 0x154;
/// As many slots as have a size of 32 bits.
pub const MOST_SLOTS: u64 = (u32::MAX / SLOT) as u64;
/// Bytes of a particle in the game's memory.
pub const PARTICLE: u32 = 0x48;
/// Bytes of each of a strat's own slots in the game's memory (section 3.10, offset 34).
pub const STRAT_SLOT: u32 = 16;
/// Particles where the chunk gives no number.
pub const PARTICLES: u32 = 200;

/// Where the blocks begin; behind the last, the end.
type Starts = [usize; 16];

/// A MAP chunk whose blocks are known to lie inside it and to fill it.
#[derive(Clone, Copy, Debug)]
pub struct Map<'a> {
    data: &'a [u8],
    flags: Flags,
    models: Models<'a>,
    width: u32,
    height: u32,
    starts: Starts,
}

impl<'a> Map<'a> {
    /// Read a chunk strictly: everything of [`Map::check`] that is an error, without the code; but what is derived
    /// (blocks 8 and 9) may differ from the tiles.
    ///
    /// # Errors
    /// Those of [`Map::parse_lenient`], and the first that [`Map::check`] finds.
    pub fn parse(data: &'a [u8], flags: Flags, models: Models<'a>) -> Result<Self, Error> {
        let map = Self::parse_lenient(data, flags, models)?;
        let mut first = None;
        map.check(None, &mut |finding| match finding {
            Finding::Error(Error::DerivedMismatch { .. }) | Finding::Warning(_) => {}
            Finding::Error(error) => first = first.or(Some(error)),
        });
        first.map_or(Ok(map), Err)
    }

    /// Find the blocks of a chunk. Looks at counts, at the models of tiles and alternatives, and at the frame
    /// counts of colours, without which the blocks cannot be found.
    ///
    /// # Errors
    /// [`Error::GridSize`], [`Error::CountOverflow`], [`Error::Truncated`], [`Error::AltCount`],
    /// [`Error::ModelIndex`], [`Error::TrailingBytes`].
    pub fn parse_lenient(data: &'a [u8], flags: Flags, models: Models<'a>) -> Result<Self, Error> {
        let mut cursor = Cursor {
            data,
            at: 0,
            starts: [0; 16],
            next: 0,
        };
        cursor.begin();
        let header: Table<'_, u32> = Table::new(cursor.records(Block::Header, 3, 4)?);
        let word = |index| header.get(index).unwrap_or(0);
        let (tiles, width, height) = (word(0), word(1), word(2));
        let cells = width.checked_mul(height).filter(|&cells| cells != 0);
        let cells = cells.ok_or(Error::GridSize {
            width,
            height,
            cells: None,
        })?;
        let placed = cursor.plain::<Tile>(Block::Tiles, tiles)?;
        cursor.counted::<u32>(Block::Pool)?;
        cursor.counted::<Zone>(Block::Zones)?;
        cursor.counted::<Waypoint>(Block::Waypoints)?;
        cursor.plain::<Region>(Block::Regions, REGIONS)?;
        cursor.plain::<u32>(Block::Grid, cells)?;
        cursor.plain::<Fixed>(Block::Fixed, tiles)?;
        let numbers_at = cursor.at;
        let numbers = cursor.plain::<u32>(Block::Models, tiles)?;
        let alternatives_at = cursor.at;
        cursor.begin();
        let mut alternatives = None;
        if flags.has(Flags::ALTERNATIVES) {
            let count = cursor.word(Block::Alternatives)?;
            let tiles = placed.iter().filter(|it| it.alternative != 0).count() as u32;
            if count != tiles {
                return Err(Error::AltCount {
                    count,
                    tiles,
                    offset: Some(cursor.at.saturating_sub(4)),
                });
            }
            let records = cursor.records(Block::Alternatives, count, Alternative::BYTES)?;
            alternatives = Some(Table::new(records));
        }
        cursor.begin();
        cursor.at += colours(Walk {
            models,
            tiles: placed,
            numbers,
            alternatives,
            data: data.get(cursor.at..).unwrap_or_default(),
            at: 0,
            tile: 0,
            alternative: 0,
        })
        .map_err(|error| match error {
            Error::Truncated {
                block,
                offset,
                need,
                item,
            } => Error::Truncated {
                block,
                offset: cursor.at + offset,
                need,
                item,
            },
            Error::ModelIndex {
                block,
                index,
                model,
                normal,
                ..
            } => {
                // Behind a record's position and normal model, and the count in front of the first.
                let (start, size, within) = match block {
                    Block::Alternatives => (alternatives_at, Alternative::BYTES, 4 + 16),
                    _ => (numbers_at, 4, 0),
                };
                Error::ModelIndex {
                    block,
                    index,
                    model,
                    normal,
                    offset: Some(start + size * index as usize + within),
                }
            }
            error => error,
        })?;
        cursor.begin();
        let strats = cursor.word(Block::Strats)?;
        cursor.word(Block::Strats)?;
        cursor.records(Block::Strats, strats, Strat::BYTES)?;
        cursor.begin();
        if flags.has(Flags::PATHS) {
            let count = cursor.word(Block::Paths)?;
            let mut paths = Paths {
                data: data.get(cursor.at..).unwrap_or_default(),
                left: count,
                height: flags.has(Flags::POINT_Y),
            };
            loop {
                cursor.at = data.len() - paths.data.len();
                let item = count - paths.left;
                match paths.step() {
                    Ok(Some(_)) => {}
                    Ok(None) => break,
                    Err((at, need)) => {
                        return Err(Error::Truncated {
                            block: Block::Paths,
                            offset: cursor.at + at,
                            need,
                            item,
                        });
                    }
                }
            }
        }
        cursor.begin();
        if flags.has(Flags::PARTICLES) {
            cursor.word(Block::Particles)?;
        }
        cursor.begin();
        cursor.records(Block::Tail, 1, 2)?;
        let offset = cursor.at;
        cursor.begin();
        match data.len() - offset {
            0 => Ok(Self {
                data,
                flags,
                models,
                width,
                height,
                starts: cursor.starts,
            }),
            bytes => Err(Error::TrailingBytes { offset, bytes }),
        }
    }

    /// The gate of the flags whose change alone makes a chunk readable that is not: a guess at what is wrong
    /// with the flags.
    #[must_use]
    pub fn suggest(data: &[u8], flags: Flags, models: Models<'_>) -> Option<u32> {
        let reads = |gate: &u32| Map::parse_lenient(data, Flags(flags.0 ^ gate), models).is_ok();
        Flags::GATES.into_iter().find(reads)
    }

    /// The whole payload.
    #[must_use]
    pub const fn bytes(&self) -> &'a [u8] {
        self.data
    }

    /// The flags it was read with.
    #[must_use]
    pub const fn flags(&self) -> Flags {
        self.flags
    }

    /// The models it was read with.
    #[must_use]
    pub const fn models(&self) -> Models<'a> {
        self.models
    }

    /// Columns of the grid, at least 1.
    #[must_use]
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// Rows of the grid, at least 1.
    #[must_use]
    pub const fn height(&self) -> u32 {
        self.height
    }

    /// Where a block begins and ends; both the same for a block that the flags exclude.
    #[must_use]
    pub fn span(&self, block: Block) -> core::ops::Range<usize> {
        let index = usize::from(block.number());
        let at = |index: usize| self.starts.get(index).copied().unwrap_or(0);
        at(index - 1)..at(index)
    }

    /// Bytes of a block.
    #[must_use]
    pub fn block(&self, block: Block) -> &'a [u8] {
        self.data.get(self.span(block)).unwrap_or_default()
    }

    /// Records of a block behind a head of so many bytes.
    fn table<R: Record>(&self, block: Block, head: usize) -> Table<'a, R> {
        Table::new(self.block(block).get(head..).unwrap_or_default())
    }

    /// Block 2.
    #[must_use]
    pub fn tiles(&self) -> Table<'a, Tile> {
        self.table(Block::Tiles, 0)
    }

    /// Block 3: parameters.
    #[must_use]
    pub fn pool(&self) -> Table<'a, u32> {
        self.table(Block::Pool, 4)
    }

    /// Block 4.
    #[must_use]
    pub fn zones(&self) -> Table<'a, Zone> {
        self.table(Block::Zones, 4)
    }

    /// Block 5.
    #[must_use]
    pub fn waypoints(&self) -> Table<'a, Waypoint> {
        self.table(Block::Waypoints, 4)
    }

    /// Block 6: 32 entries.
    #[must_use]
    pub fn regions(&self) -> Table<'a, Region> {
        self.table(Block::Regions, 0)
    }

    /// Block 7: a region for each cell, row by row.
    #[must_use]
    pub fn grid(&self) -> Table<'a, u32> {
        self.table(Block::Grid, 0)
    }

    /// Block 8.
    #[must_use]
    pub fn fixed(&self) -> Table<'a, Fixed> {
        self.table(Block::Fixed, 0)
    }

    /// Block 9: the model of each tile.
    #[must_use]
    pub fn numbers(&self) -> Table<'a, u32> {
        self.table(Block::Models, 0)
    }

    /// Block 10: for each tile that has one. Empty where the flags exclude it.
    #[must_use]
    pub fn alternatives(&self) -> Table<'a, Alternative> {
        self.table(Block::Alternatives, 4)
    }

    /// Block 11, tile by tile.
    pub fn colours(&self) -> impl Iterator<Item = TileColours<'a>> + use<'a> {
        let has = self.flags.has(Flags::ALTERNATIVES);
        Walk {
            models: self.models,
            tiles: self.tiles(),
            numbers: self.numbers(),
            alternatives: has.then(|| self.alternatives()),
            data: self.block(Block::Colours),
            at: 0,
            tile: 0,
            alternative: 0,
        }
    }

    /// Block 12.
    #[must_use]
    pub fn strats(&self) -> Table<'a, Strat> {
        self.table(Block::Strats, 8)
    }

    /// Slots for strats beyond 30.
    #[must_use]
    pub fn pool_extra(&self) -> u32 {
        u32_at(self.block(Block::Strats), 4).unwrap_or(0)
    }

    /// Slots for strats: poolExtra + 30, in 64 bits. Above [`MOST_SLOTS`] the engine has fewer: its sum and its size
    /// wrap.
    #[must_use]
    pub fn slots(&self) -> u64 {
        u64::from(self.pool_extra()) + u64::from(SLOTS)
    }

    /// Block 13. Empty where the flags exclude it.
    pub fn paths(&self) -> impl Iterator<Item = Path<'a>> + use<'a> {
        let block = self.block(Block::Paths);
        Paths {
            data: block.get(4..).unwrap_or_default(),
            left: u32_at(block, 0).unwrap_or(0),
            height: self.flags.has(Flags::POINT_Y),
        }
    }

    /// Block 14, where there is one; [`PARTICLES`] is what the game takes elsewhere.
    #[must_use]
    pub fn particles(&self) -> Option<u32> {
        u32_at(self.block(Block::Particles), 0)
    }

    /// Block 15, whose meaning is open.
    #[must_use]
    pub fn tail(&self) -> u16 {
        u16_at(self.block(Block::Tail), 0).unwrap_or(0)
    }

    /// Number of the last waypoint of the chain that goes through this one, which the game keeps for a strat that
    /// begins there.
    ///
    /// # Errors
    /// [`Error::NoSuchRecord`]; [`Error::OpenChain`] when the chain leaves the table.
    pub fn chain_end(&self, waypoint: u32) -> Result<u32, Error> {
        let table = self.waypoints();
        if table.get(waypoint as usize).is_none() {
            return Err(Error::NoSuchRecord {
                block: Block::Waypoints,
                index: waypoint,
            });
        }
        let chain = table.iter().zip(0..).skip(waypoint as usize);
        let mut last = chain.map(|(it, index)| (it.next, index));
        last.find(|(next, _)| *next == 0)
            .map(|(_, index)| index)
            .ok_or(Error::OpenChain {
                waypoint: table.len() as u32 - 1,
            })
    }

    /// The zone that the level starts in: the last one that says so.
    #[must_use]
    pub fn start_zone(&self) -> Option<u32> {
        let starts = |zone: Zone| zone.flags & Zone::START != 0;
        self.zones().iter().rposition(starts).map(|it| it as u32)
    }

    /// The block that a byte lies in.
    #[must_use]
    pub fn block_at(&self, offset: usize) -> Option<Block> {
        let holds = |block: &Block| self.span(*block).contains(&offset);
        Block::ALL.into_iter().find(holds)
    }
}

/// Length of block 11; offsets of errors count from its start.
fn colours(mut walk: Walk<'_>) -> Result<usize, Error> {
    loop {
        let (item, entry) = (walk.tile as u32, walk.alternative as u32);
        match walk.step() {
            Ok(Some(_)) => {}
            Ok(None) => return Ok(walk.at),
            Err(Stop::Truncated { offset, need }) => {
                return Err(Error::Truncated {
                    block: Block::Colours,
                    offset,
                    need,
                    item,
                });
            }
            Err(Stop::Model(model)) => {
                return Err(Error::ModelIndex {
                    block: Block::Models,
                    index: item,
                    model,
                    normal: false,
                    offset: None,
                });
            }
            Err(Stop::Alternative(model)) => {
                return Err(Error::ModelIndex {
                    block: Block::Alternatives,
                    index: entry,
                    model,
                    normal: false,
                    offset: None,
                });
            }
        }
    }
}
