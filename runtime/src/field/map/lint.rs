//! What the file's shape allows and the game does not like.

use super::trigger::Kind;
use super::{Cell, Map, Object, Tile, flag};
use core::fmt;

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
        }
    }
}

impl Map<'_> {
    /// Look for what a builder should not write: the first finding in the order of [`Finding`].
    ///
    /// # Errors
    /// The finding.
    pub fn lint(&self) -> Result<(), Finding> {
        if self.object(0) != Object::default() {
            return Err(Finding::RecordZero);
        }
        for (tile, cell) in self.cells() {
            let object = self.object(cell.object());
            if object.flags & flag::PLACED != 0 && object.anchor_tile(tile).is_none() {
                return Err(Finding::AnchorOffGrid {
                    tile,
                    object: cell.object(),
                });
            }
        }
        let triggers = self.triggers();
        let mut unmarked = None;
        let mut check = |kind: Kind, index, tile: [u8; 2], bit| {
            let [col, row] = tile;
            let kind = kind as u8;
            match Tile::new(col, row) {
                None => return Err(Finding::TileOffGrid { kind, index }),
                Some(tile) if !self.cell(tile).has(bit) => {
                    unmarked = unmarked.or(Some(Finding::Unmarked { kind, index }));
                }
                Some(_) => {}
            }
            Ok(())
        };
        for (index, it) in (0..).zip(triggers.teleports()) {
            check(Kind::Teleport, index, it.tile, Cell::TELEPORT)?;
        }
        for (index, it) in (0..).zip(triggers.scripts()) {
            check(Kind::Script, index, it.tile, Cell::SCRIPT)?;
        }
        for (index, it) in (0..).zip(triggers.elevations()) {
            check(Kind::Elevation, index, it.tile, Cell::ELEVATION)?;
        }
        if let Some(finding) = unmarked {
            return Err(finding);
        }
        for (index, object) in (0..).zip(self.objects()) {
            if object.flags & flag::GROUND != 0 && object.palette == 0 {
                return Err(Finding::GroundEnds { object: index });
            }
        }
        for (index, it) in (0..).zip(triggers.scripts()) {
            if it.gate > 1 {
                let gate = it.gate;
                return Err(Finding::Gate { index, gate });
            }
        }
        for (index, it) in (0..).zip(triggers.regions()) {
            let [_, z0, _, z1] = it.corners;
            if it.ty <= 1 && z0 < z1 {
                return Err(Finding::RegionOrder { index });
            }
        }
        Ok(())
    }
}
