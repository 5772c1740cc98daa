//! What can be wrong with a MAP chunk (llama sheet, sections 7 and 10).

use core::fmt;

use super::{Block, MOST_SLOTS, PARTICLE, SLOT, STRAT_SLOT};

/// A broken invariant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Error {
    /// A block passes the end of the chunk. A wrong gate in the flags shows itself so, late.
    Truncated {
        /// Which block.
        block: Block,
        /// Offset in the chunk of the first part that does not fit.
        offset: usize,
        /// Bytes of that part.
        need: u64,
        /// Number of that part in its block; in block 11 the tile.
        item: u32,
    },
    /// Bytes behind the last block.
    TrailingBytes {
        /// Where the last block ends.
        offset: usize,
        /// How many.
        bytes: usize,
    },
    /// A grid without columns or rows, or with more cells than 32 bits count.
    GridSize {
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
        /// Cells of a grid that is to be written; `None` as it is read.
        cells: Option<usize>,
    },
    /// A count whose records could stand in no chunk, or whose memory the loader's 32 bits do not count: particles of
    /// block 14, slots of a strat.
    CountOverflow {
        /// Which block.
        block: Block,
        /// The record whose count it is; `None`: the block's own.
        index: Option<u32>,
        /// The count.
        count: u32,
        /// Where in the chunk the count stands that ended the reading; `None` of what was read, or is to be written.
        offset: Option<usize>,
    },
    /// A coordinate is no number, lies too far away, or z is positive.
    TilePosition {
        /// Which tile.
        tile: u32,
    },
    /// A tile falls outside the grid: into foreign memory, or into another row.
    TileOutsideGrid {
        /// Which tile.
        tile: u32,
        /// Its column; far away the last of 32 bits.
        col: i32,
        /// Its row.
        row: i32,
    },
    /// A model that the level does not have.
    ModelIndex {
        /// Block 2, 9 or 10.
        block: Block,
        /// Which record.
        index: u32,
        /// The model.
        model: u32,
        /// Of block 10: whether it is the entry's normal model, not its alternative.
        normal: bool,
        /// Where in the chunk the number stands that ended the reading; `None` of what was read, or is to be written.
        offset: Option<usize>,
    },
    /// Block 10 has not as many entries as there are tiles with an alternative.
    AltCount {
        /// Its count.
        count: u32,
        /// Tiles that have one.
        tiles: u32,
        /// Where in the chunk its count stands, as it is read; `None` of what is to be written.
        offset: Option<usize>,
    },
    /// A cell names a region above 31.
    RegionIndex {
        /// Which cell.
        cell: u32,
        /// The region.
        region: u32,
    },
    /// The last waypoint goes on behind the table.
    OpenChain {
        /// Its number.
        waypoint: u32,
    },
    /// A strat begins at a waypoint that is not there.
    WaypointIndex {
        /// Which strat.
        strat: u32,
        /// The waypoint.
        waypoint: i32,
    },
    /// Parameters of a strat lie outside the pool.
    ParamRange {
        /// Which strat.
        strat: u32,
        /// Pool index of the first.
        index: i32,
        /// How many.
        count: u32,
    },
    /// A strat's code lies outside the code or at an odd offset, or the background of a zone lies outside the chunk.
    CodeOffset {
        /// [`Block::Strats`] or [`Block::Zones`].
        block: Block,
        /// Which record.
        index: u32,
        /// The offset.
        code: u32,
    },
    /// The engine has fewer slots than strats are created at the start, or so many that their bytes leave its 32 bits:
    /// a poolExtra of -30 is none at all.
    PoolTooSmall {
        /// Slots: poolExtra + 30, in 64 bits.
        slots: u64,
        /// Strats that are created.
        created: u32,
    },
    /// What is derived from a tile does not match it.
    DerivedMismatch {
        /// Block 8 or 9.
        block: Block,
        /// Which tile.
        tile: u32,
    },
    /// What is to be written is not what the flags say: nothing of it may be lost, or made up.
    Gate {
        /// Which block.
        block: Block,
        /// What the flags and the block say.
        gate: Gate,
    },
    /// An edit names a record that is not there.
    NoSuchRecord {
        /// Of which block.
        block: Block,
        /// Its number.
        index: u32,
    },
    /// Colours for a tile are not as long as its model and their frames ask for.
    ColourLength {
        /// Bytes that were given.
        len: usize,
        /// Bytes that are asked for.
        need: u64,
    },
    /// The writer's slice is full.
    OutputTooSmall {
        /// Length of the slice.
        room: usize,
    },
}

/// How flags and a block that is to be written differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Gate {
    /// The block is given, and the flags exclude it.
    Excluded,
    /// The flags ask for the block, and it is not given.
    Missing,
    /// A point of a path has a height, and the flags exclude it.
    Height,
}

/// Where in the chunk something is wrong, in front of what.
struct At(Option<usize>);

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .map_or(Ok(()), |offset| write!(f, "offset {offset:#x}: "))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Truncated {
                block,
                offset,
                need,
                item,
            } => {
                let what = match block {
                    Block::Colours => "tile",
                    _ => "record",
                };
                write!(
                    f,
                    "Truncated: offset {offset:#x}, {block}, {what} {item}: expected {need} bytes, the chunk ends"
                )
            }
            Self::TrailingBytes { offset, bytes } => write!(
                f,
                "TrailingBytes: offset {offset:#x}: expected the end of the chunk, found {bytes} more bytes"
            ),
            Self::GridSize {
                width,
                height,
                cells,
            } => match cells {
                Some(cells) => write!(
                    f,
                    "GridSize: expected a cell for each of {width} columns and {height} rows, found {cells}"
                ),
                None => write!(
                    f,
                    "GridSize: expected a column, a row and fewer than 2^32 cells, found {width} columns and \
                         {height} rows"
                ),
            },
            Self::CountOverflow {
                block,
                index,
                count,
                offset,
            } => {
                write!(f, "CountOverflow: {}{block}", At(offset))?;
                match (block, index) {
                    (_, Some(index)) => write!(
                        f,
                        ", record {index}: {count} slots of {STRAT_SLOT} bytes leave 32 bits"
                    ),
                    (Block::Particles, _) => {
                        write!(f, ": {count} particles of {PARTICLE} bytes leave 32 bits")
                    }
                    _ => write!(f, ": no chunk holds {count} records"),
                }
            }
            Self::TilePosition { tile } => write!(
                f,
                "TilePosition: tile {tile}: expected numbers in range and z of 0 or less"
            ),
            Self::TileOutsideGrid { tile, col, row } => write!(
                f,
                "TileOutsideGrid: tile {tile}: column {col}, row {row} is not in the grid"
            ),
            Self::ModelIndex {
                block,
                index,
                model,
                normal,
                offset,
            } => write!(
                f,
                "ModelIndex: {}{block}, record {index}{}: there is no model {model}",
                At(offset),
                if normal { ", its normal model" } else { "" }
            ),
            Self::AltCount {
                count,
                tiles,
                offset,
            } => write!(
                f,
                "AltCount: {}expected an alternative for each of {tiles} tiles, found {count}",
                At(offset)
            ),
            Self::RegionIndex { cell, region } => write!(
                f,
                "RegionIndex: cell {cell}: expected a region below 32, found {region}"
            ),
            Self::OpenChain { waypoint } => write!(
                f,
                "OpenChain: waypoint {waypoint}: expected the end of a chain in the last record"
            ),
            Self::WaypointIndex { strat, waypoint } => write!(
                f,
                "WaypointIndex: strat {strat}: there is no waypoint {waypoint}"
            ),
            Self::ParamRange {
                strat,
                index,
                count,
            } => write!(
                f,
                "ParamRange: strat {strat}: {count} parameters at {index} are not in the pool"
            ),
            Self::CodeOffset { block, index, code } => write!(
                f,
                "CodeOffset: {block}, record {index}: offset {code:#x} is not in the code"
            ),
            Self::PoolTooSmall { slots, created } => {
                write!(
                    f,
                    "PoolTooSmall: {created} strats are created at the start, "
                )?;
                if slots > MOST_SLOTS {
                    write!(
                        f,
                        "expected at most {MOST_SLOTS} slots of {SLOT} bytes, which 32 bits count, found {slots}"
                    )
                } else {
                    write!(f, "there are {slots} slots")
                }
            }
            Self::DerivedMismatch { block, tile } => write!(
                f,
                "DerivedMismatch: {block} does not match tile {tile} of block 2"
            ),
            Self::Gate { block, gate } => match gate {
                Gate::Excluded => write!(f, "Gate: the flags exclude {block}"),
                Gate::Missing => write!(f, "Gate: the flags ask for {block}, which is not given"),
                Gate::Height => write!(
                    f,
                    "Gate: {block}: the flags exclude heights of points, expected 0 or none"
                ),
            },
            Self::NoSuchRecord { block, index } => {
                write!(f, "NoSuchRecord: {block} has no record {index}")
            }
            Self::ColourLength { len, need } => {
                write!(
                    f,
                    "ColourLength: expected {need} bytes of colours, found {len}"
                )
            }
            Self::OutputTooSmall { room } => {
                write!(f, "OutputTooSmall: {room} bytes do not hold the chunk")
            }
        }
    }
}

impl core::error::Error for Error {}

/// What the game plays, but hardly as it was meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Warning {
    /// A tile is turned by no quarter.
    Rotation {
        /// Which tile.
        tile: u32,
        /// Its angle.
        angle: u32,
    },
    /// An alternative has fewer frames of colour than its tile: the loader carries the larger number over, other
    /// readers do not.
    FrameCarry {
        /// Which tile.
        tile: u32,
        /// Frames of the tile.
        base: u8,
        /// Frames that the alternative's own colours say.
        own: u8,
    },
    /// The normal model of an entry of block 10 is not the model of its tile.
    AltNormal {
        /// Which entry.
        entry: u32,
        /// Which tile.
        tile: u32,
        /// The entry's normal model.
        normal: u32,
        /// The tile's model.
        model: u32,
    },
    /// Tiles say that they have an alternative, and the flags exclude block 10.
    AltCount {
        /// How many tiles.
        tiles: u32,
    },
    /// A strat has an index into the pool and no parameters.
    ParamRange {
        /// Which strat.
        strat: u32,
        /// The index.
        index: i32,
    },
    /// A word that is 0 in every level is not.
    Pad {
        /// Which strat.
        strat: u32,
    },
    /// An angle of a strat is a turn or more.
    Angles {
        /// Which strat.
        strat: u32,
        /// About x, y and z.
        angles: [u16; 3],
    },
    /// A strat's constants differ from those of the first strat with the same code.
    TypeMismatch {
        /// Which strat.
        strat: u32,
        /// The first one.
        first: u32,
    },
    /// The code of a strat, which is the first with it, tells no name and spawns nothing that has one: it may be no
    /// start of a strat.
    Unnamed {
        /// Which strat.
        strat: u32,
        /// The offset.
        code: u32,
    },
    /// Not exactly one zone is where the level starts.
    StartZones {
        /// How many are.
        count: u32,
    },
    /// More than one player.
    Players {
        /// How many.
        count: u32,
    },
    /// More than one exit.
    Exits {
        /// How many.
        count: u32,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Rotation { tile, angle } => write!(
                f,
                "Rotation: tile {tile}: expected a quarter turn (0, 1024, 2048, 3072), found {angle}"
            ),
            Self::FrameCarry { tile, base, own } => write!(
                f,
                "FrameCarry: tile {tile} has {base} frames of colour, its alternative {own}; the game reads {base}"
            ),
            Self::AltNormal {
                entry,
                tile,
                normal,
                model,
            } => write!(
                f,
                "AltNormal: alternative {entry}: expected the normal model {model}, which its tile {tile} has, found \
                 {normal}"
            ),
            Self::AltCount { tiles } => write!(
                f,
                "AltCount: {tiles} tiles have an alternative, which the flags exclude"
            ),
            Self::ParamRange { strat, index } => write!(
                f,
                "ParamRange: strat {strat}: no parameters, expected the index -1, found {index}"
            ),
            Self::Pad { strat } => {
                write!(
                    f,
                    "Pad: strat {strat}: expected 0 in the words at 50 and 56"
                )
            }
            Self::Angles {
                strat,
                angles: [x, y, z],
            } => write!(
                f,
                "Angles: strat {strat}: expected 0 to 4095 about each axis, found {x}, {y}, {z}"
            ),
            Self::TypeMismatch { strat, first } => write!(
                f,
                "TypeMismatch: strats {first} and {strat} have the same code and other constants"
            ),
            Self::Unnamed { strat, code } => write!(
                f,
                "Unnamed: strat {strat}: expected a name or a spawn stub in the code from {code:#x} on, found none"
            ),
            Self::StartZones { count } => {
                write!(f, "StartZones: expected one start zone, found {count}")
            }
            Self::Players { count } => write!(f, "Players: expected one player, found {count}"),
            Self::Exits { count } => write!(f, "Exits: expected one exit, found {count}"),
        }
    }
}

/// What a check finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Finding {
    /// An invariant is broken: the game crashes, reads foreign memory or shows things in wrong places.
    Error(Error),
    /// Worth a look.
    Warning(Warning),
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Error(error) => error.fmt(f),
            Self::Warning(warning) => warning.fmt(f),
        }
    }
}
