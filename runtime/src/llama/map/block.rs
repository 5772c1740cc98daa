//! The blocks of a MAP chunk (llama sheet, section 3).

use core::fmt;

/// The fifteen blocks, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Block {
    /// Counts of tiles, columns and rows.
    Header = 1,
    /// Tiles.
    Tiles,
    /// Parameters of strats.
    Pool,
    /// Zones.
    Zones,
    /// Waypoints.
    Waypoints,
    /// Region table.
    Regions,
    /// Region of each cell.
    Grid,
    /// Tiles in fixed point.
    Fixed,
    /// Models of tiles.
    Models,
    /// Alternative models.
    Alternatives,
    /// Vertex colours.
    Colours,
    /// Strats.
    Strats,
    /// Paths.
    Paths,
    /// Size of the particle buffer.
    Particles,
    /// The last word.
    Tail,
}

impl Block {
    /// All blocks in order.
    pub const ALL: [Self; 15] = [
        Self::Header,
        Self::Tiles,
        Self::Pool,
        Self::Zones,
        Self::Waypoints,
        Self::Regions,
        Self::Grid,
        Self::Fixed,
        Self::Models,
        Self::Alternatives,
        Self::Colours,
        Self::Strats,
        Self::Paths,
        Self::Particles,
        Self::Tail,
    ];

    /// Number in the sheet, 1 to 15.
    #[must_use]
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// Name for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Header => "header",
            Self::Tiles => "tiles",
            Self::Pool => "pool",
            Self::Zones => "zones",
            Self::Waypoints => "waypoints",
            Self::Regions => "regions",
            Self::Grid => "grid",
            Self::Fixed => "tiles, fixed",
            Self::Models => "tile models",
            Self::Alternatives => "alternatives",
            Self::Colours => "colours",
            Self::Strats => "strats",
            Self::Paths => "paths",
            Self::Particles => "particles",
            Self::Tail => "tail",
        }
    }
}

impl fmt::Display for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "block {} ({})", self.number(), self.name())
    }
}
