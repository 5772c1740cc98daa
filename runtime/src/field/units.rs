//! Units, directions and headings (field sheet, section 1).
//!
//! A tile is 128 units wide, a sub-cell 64. World Y grows downward. Angles are 4096 a turn, and a
//! heading is one in the retail space: 0 looks to Z-, 400h to X-, 800h to Z+, C00h to X+.

use crate::fixed::Angle;

/// Units of a tile along X and Z.
pub const TILE: i32 = 128;
/// Units of a sub-cell, of which a tile has four.
pub const SUB_CELL: i32 = 64;
/// Units of one step of the step loop.
pub const STEP: i32 = 2;
/// The compass entries of the heading table: 200h apart.
pub const COMPASS: Angle = 0x200;

/// A direction of a step, numbered as the probe tables are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Direction {
    /// Toward smaller Z.
    ZMinus = 0,
    /// Toward smaller X.
    XMinus = 1,
    /// Toward larger Z.
    ZPlus = 2,
    /// Toward larger X.
    XPlus = 3,
}

impl Direction {
    /// All of them, in the order of the tables.
    pub const ALL: [Self; 4] = [Self::ZMinus, Self::XMinus, Self::ZPlus, Self::XPlus];
}

/// A place on the ground, X and Z.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Point {
    /// Along the columns.
    pub x: i16,
    /// Along the rows.
    pub z: i16,
}

impl Point {
    /// A place.
    #[must_use]
    pub const fn new(x: i16, z: i16) -> Self {
        Self { x, z }
    }

    /// The place of wider numbers, each brought into the range of a coordinate.
    #[must_use]
    pub fn saturating(x: i32, z: i32) -> Self {
        Self::new(saturate(x), saturate(z))
    }
}

/// The nearest coordinate.
#[inline]
#[must_use]
pub(crate) fn saturate(value: i32) -> i16 {
    value.clamp(i16::MIN.into(), i16::MAX.into()) as i16
}

/// Column and row that the trigger dispatch takes a position in world units for (section 10.2), on the grid
/// or off it: half a tile behind those of the plain mapping with the sheet's bias,
/// [`super::Compat::trigger_bias`].
///
/// ```
/// use overworld_runtime::field::units::dispatch_tile;
/// assert_eq!(dispatch_tile(3330, 5952, 0x40), [25, 46]);
/// assert_eq!(dispatch_tile(3330, 5952, 0), [26, 46]);
/// ```
#[inline]
#[must_use]
pub const fn dispatch_tile(x: i32, z: i32, bias: i16) -> [i32; 2] {
    let bias = bias as i32;
    [x.saturating_sub(bias) >> 7, z.saturating_sub(bias) >> 7]
}

/// World coordinate of a tile byte of scripts and records, along either axis: bits 0 to 6 are the tile,
/// bit 7 asks for its far edge instead of its centre (section 10.5). 64 to 16384.
///
/// ```
/// use overworld_runtime::field::units::coordinate;
/// assert_eq!([25, 45, 0xFF].map(coordinate), [3264, 5824, 16384]);
/// ```
#[must_use]
pub const fn coordinate(byte: u8) -> i16 {
    let within = if byte & 0x80 != 0 { 128 } else { 64 };
    (byte & 0x7F) as i16 * 128 + within
}

/// The entry of the heading table, of which four bits count; `None` for its upper half, which holds no
/// directions.
#[must_use]
pub const fn table_heading(index: u8) -> Option<Angle> {
    match index & 0xF {
        8.. => None,
        index => Some(index as Angle * COMPASS),
    }
}

/// Vertical blanks that a game tick counts (section 2): those that it took, at most 4, and at least the
/// floor of its mode, 2 in fields and 3 on the overworld. [`super::Input::scalar`] of a host that
/// keeps the game's pace.
#[must_use]
pub const fn tick_scalar(taken: u8, overworld: bool) -> u8 {
    let floor = if overworld { 3 } else { 2 };
    match taken {
        4.. => 4,
        taken if taken > floor => taken,
        _ => floor,
    }
}

/// The heading of the other space: 0 looks to Z+, 400h to X+. Its own inverse.
///
/// ```
/// assert_eq!(overworld_runtime::field::units::engine_heading(0x800), 0);
/// ```
#[must_use]
pub const fn engine_heading(heading: Angle) -> Angle {
    heading.wrapping_add(0x800) & 0xFFF
}
