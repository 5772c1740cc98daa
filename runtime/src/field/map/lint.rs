//! What the file's shape allows and the game does not like.

mod ground;
mod placed;

use super::trigger::Kind;
use super::{Cell, Map, Object, Tile, flag};
use core::fmt;
use core::ops::ControlFlow;

/// Something in a well-formed map that a builder should not write (field sheet, section 3.9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// Object record 0, the empty slot, is not all zero (rule 2).
    RecordZero,
    /// The anchor of a placed object is off the grid: the object will not exist (rule 3).
    AnchorOffGrid {
        /// The cell that places it.
        tile: Tile,
        /// Its record.
        object: u16,
    },
    /// A trigger of kind 0 to 2 names a tile off the grid: it never fires, and the game's refresh
    /// writes outside of the grid.
    TileOffGrid {
        /// The kind.
        kind: u8,
        /// The record in its table.
        index: u16,
    },
    /// The tile of a trigger of kind 0 to 2 lacks its bit in the attribute grid: dead for a consumer
    /// that does not refresh the grid (rules 8 and 9).
    Unmarked {
        /// The kind.
        kind: u8,
        /// The record in its table.
        index: u16,
    },
    /// A ground object has a countdown of 0: the refresh takes its ground bit (rule 13).
    GroundEnds {
        /// Its record.
        object: u16,
    },
    /// The gate of a script trigger is neither 0 nor 1.
    Gate {
        /// The record in its table.
        index: u16,
        /// The gate found.
        gate: u8,
    },
    /// A region of type 0 or 1 lists the smaller Z first: its box will be empty (rule 11).
    RegionOrder {
        /// The record in its table.
        index: u16,
    },
    /// A record of 1 to 3 is placed: these are the meshes of the party, which the scene's pack lacks
    /// (rule 2).
    Reserved {
        /// The cell that places it.
        tile: Tile,
        /// Its record.
        object: u16,
    },
    /// The walls of row 0, which only positions at the far end of Z reach, are neither all clear nor
    /// all solid (rule 6).
    RowZero {
        /// The first column that differs from column 0, or is itself half a wall.
        col: u8,
    },
    /// The tier of a tile is that of none of its eight neighbours: its floor is flat nowhere, not even
    /// along one axis (rule 7). Tiles of elevation triggers take the mean of four and may be so.
    LoneTier {
        /// The tile.
        tile: Tile,
    },
    /// From the tile of a walk-on or teleport, or from where a teleport lands, open ground leads to where
    /// the game's probes leave the grid (rule 10).
    OpenEdge {
        /// A tile of that edge.
        tile: Tile,
    },
    /// An object without a script trigger on its anchor stands in column or row 127, which the default region
    /// box leaves out (rule 11).
    UnboundAtEdge {
        /// The cell that places it.
        tile: Tile,
        /// Its record.
        object: u16,
    },
    /// A teleport lands where the dispatch finds the tile of a teleport, which nothing keeps from firing (rule
    /// 12). It is the tile of half the destination, also where that is odd.
    LandingFires {
        /// The teleport that lands.
        index: u16,
        /// The one whose tile it is.
        other: u16,
    },
    /// A teleport lands in the contact box of an object that a trigger binds to a script (rule 12).
    LandingTouches {
        /// The teleport.
        index: u16,
        /// The object's record.
        object: u16,
    },
    /// More objects lie within 384 units of a spot than the game's table of candidates holds (rule
    /// 14). Spots 64 units apart are looked at.
    Crowd {
        /// World X and Z of the spot with the most of them.
        at: [u16; 2],
        /// How many.
        objects: u16,
    },
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::RecordZero => f.write_str("object record 0 is not empty"),
            Self::AnchorOffGrid { tile, object } => write!(
                f,
                "the anchor of object {object} on tile ({}, {}) is off the grid",
                tile.col(),
                tile.row()
            ),
            Self::TileOffGrid { kind, index } => {
                write!(
                    f,
                    "trigger {index} of kind {kind} names a tile off the grid"
                )
            }
            Self::Unmarked { kind, index } => write!(
                f,
                "the tile of trigger {index} of kind {kind} is not marked in the attribute grid"
            ),
            Self::GroundEnds { object } => {
                write!(f, "ground object {object} has a countdown of 0")
            }
            Self::Gate { index, gate } => {
                write!(f, "script trigger {index} has gate {gate}, not 0 or 1")
            }
            Self::RegionOrder { index } => {
                write!(f, "region {index} must list the larger Z first")
            }
            Self::Reserved { tile, object } => write!(
                f,
                "object {object}, which has no mesh in the scene's pack, is placed on tile ({}, {})",
                tile.col(),
                tile.row()
            ),
            Self::RowZero { col } => write!(
                f,
                "the walls of row 0 must be all clear or all solid: column {col} differs"
            ),
            Self::LoneTier { tile } => write!(
                f,
                "the floor tier of tile ({}, {}) is that of no neighbour",
                tile.col(),
                tile.row()
            ),
            Self::OpenEdge { tile } => write!(
                f,
                "no wall ring: the player can walk to tile ({}, {}) at the edge of the grid",
                tile.col(),
                tile.row()
            ),
            Self::UnboundAtEdge { tile, object } => write!(
                f,
                "object {object} on tile ({}, {}) has no script and stands outside of the default \
                 region",
                tile.col(),
                tile.row()
            ),
            Self::LandingFires { index, other } => {
                write!(f, "teleport {index} lands on the tile of teleport {other}")
            }
            Self::LandingTouches { index, object } => write!(
                f,
                "teleport {index} lands inside the contact box of object {object}"
            ),
            Self::Crowd {
                at: [x, z],
                objects,
            } => write!(
                f,
                "{objects} objects lie within 384 units of ({x}, {z}), the game looks at 32"
            ),
        }
    }
}

impl Map<'_> {
    /// Look for what is dead or lost in the game, whatever the author meant: the first finding in the
    /// order of [`Finding`], up to [`Finding::RegionOrder`]. [`Map::findings`] has those on taste and
    /// play, too, which maps that others made need not follow.
    ///
    /// # Errors
    /// The finding.
    pub fn lint(&self) -> Result<(), Finding> {
        let mut first = None;
        for check in [Self::check_records, Self::check_tiles, Self::check_tables] {
            let found = check(self, &mut |finding| {
                first = Some(finding);
                ControlFlow::Break(())
            });
            if found.is_break() {
                break;
            }
        }
        first.map_or(Ok(()), Err)
    }

    /// Show what a builder should not write to `visit` until it breaks off, in the order of
    /// [`Finding`]; what it broke off with.
    ///
    /// Of [`Finding::RowZero`], [`Finding::OpenEdge`] and [`Finding::Crowd`] there is one at most. The
    /// work is some millions of steps; it takes 17 KiB of stack.
    pub fn findings<B>(&self, mut visit: impl FnMut(Finding) -> ControlFlow<B>) -> Option<B> {
        let visit: &mut dyn FnMut(Finding) -> ControlFlow<B> = &mut visit;
        let checks = [
            Self::check_records,
            Self::check_tiles,
            Self::check_tables,
            Self::check_reserved,
            Self::check_ground,
            Self::check_placed,
        ];
        checks
            .into_iter()
            .find_map(|check| check(self, visit).break_value())
    }

    /// Rules 2 and 3.
    fn check_records<B>(&self, visit: &mut dyn FnMut(Finding) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.object(0) != Object::default() {
            visit(Finding::RecordZero)?;
        }
        for (tile, cell) in self.cells() {
            let (object, record) = (cell.object(), self.object(cell.object()));
            if record.flags & flag::PLACED != 0 && record.anchor_tile(tile).is_none() {
                visit(Finding::AnchorOffGrid { tile, object })?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Kind, number, tile and bit of every trigger of kind 0 to 2.
    fn trigger_tiles(&self) -> impl Iterator<Item = (Kind, u16, [u8; 2], u16)> {
        let triggers = self.triggers();
        let teleports = (0..).zip(triggers.teleports());
        let scripts = (0..).zip(triggers.scripts());
        let elevations = (0..).zip(triggers.elevations());
        teleports
            .map(|(index, it)| (Kind::Teleport, index, it.tile, Cell::TELEPORT))
            .chain(scripts.map(|(index, it)| (Kind::Script, index, it.tile, Cell::SCRIPT)))
            .chain(elevations.map(|(index, it)| (Kind::Elevation, index, it.tile, Cell::ELEVATION)))
    }

    /// Rules 8 and 9.
    fn check_tiles<B>(&self, visit: &mut dyn FnMut(Finding) -> ControlFlow<B>) -> ControlFlow<B> {
        for (kind, index, [col, row], _) in self.trigger_tiles() {
            if Tile::new(col, row).is_none() {
                let kind = kind as u8;
                visit(Finding::TileOffGrid { kind, index })?;
            }
        }
        for (kind, index, [col, row], bit) in self.trigger_tiles() {
            if Tile::new(col, row).is_some_and(|tile| !self.cell(tile).has(bit)) {
                let kind = kind as u8;
                visit(Finding::Unmarked { kind, index })?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Rules 11 and 13.
    fn check_tables<B>(&self, visit: &mut dyn FnMut(Finding) -> ControlFlow<B>) -> ControlFlow<B> {
        let triggers = self.triggers();
        for (object, record) in (0..).zip(self.objects()) {
            if record.flags & flag::GROUND != 0 && record.palette == 0 {
                visit(Finding::GroundEnds { object })?;
            }
        }
        for (index, it) in (0..).zip(triggers.scripts()) {
            if it.gate > 1 {
                let gate = it.gate;
                visit(Finding::Gate { index, gate })?;
            }
        }
        for (index, it) in (0..).zip(triggers.regions()) {
            let [_, z0, _, z1] = it.corners;
            if it.ty <= 1 && z0 < z1 {
                visit(Finding::RegionOrder { index })?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Rule 2, the second part.
    fn check_reserved<B>(
        &self,
        visit: &mut dyn FnMut(Finding) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for (tile, cell) in self.cells() {
            let object = cell.object();
            if (1..=3).contains(&object) && self.object(object).flags & flag::PLACED != 0 {
                visit(Finding::Reserved { tile, object })?;
            }
        }
        ControlFlow::Continue(())
    }
}
