//! The wall-slide resolver (field sheet, section 6.4): who walks straight into a wall skids to the
//! side that is open.

use super::pad::{DIRECTIONS, NO_CLIP, X_MINUS, X_PLUS, Z_MINUS, Z_PLUS};
use super::units::Point;
use super::wall::Walls;

/// How far ahead the resolver looks.
const AHEAD: i32 = 62;
/// Half the width of the body.
const BODY: i32 = 33;
/// The side steps that are weighed against each other.
const SWEEP: [i32; 7] = [-96, -64, -32, 0, 32, 64, 96];

/// One direction: its mask, where it looks, and the bits for an open smaller or larger side.
struct Row {
    mask: u16,
    dx: i32,
    dz: i32,
    less: u16,
    more: u16,
}

const ROWS: [Row; 4] = [
    Row {
        mask: Z_MINUS,
        dx: 0,
        dz: -AHEAD,
        less: X_MINUS,
        more: X_PLUS,
    },
    Row {
        mask: X_MINUS,
        dx: -AHEAD,
        dz: 0,
        less: Z_MINUS,
        more: Z_PLUS,
    },
    Row {
        mask: Z_PLUS,
        dx: 0,
        dz: AHEAD,
        less: X_MINUS,
        more: X_PLUS,
    },
    Row {
        mask: X_PLUS,
        dx: AHEAD,
        dz: 0,
        less: Z_MINUS,
        more: Z_PLUS,
    },
];

/// The mask to walk by: each direction of `mask`, and for one that a wall blocks the side that is
/// open. A plain diagonal stays as it is, its axes stop on their own; with [`NO_CLIP`] held everything
/// stays. Only walls count, never actors.
#[must_use]
pub fn resolve(mask: u16, from: Point, walls: Walls<'_>) -> u16 {
    let directions = mask & DIRECTIONS;
    // The four diagonals of the ring.
    if mask & NO_CLIP != 0 || matches!(directions, 0x9000 | 0xC000 | 0x3000 | 0x6000) {
        return mask;
    }
    let mut out = 0;
    for row in &ROWS {
        if directions & row.mask != 0 {
            out |= row.mask | side(row, from, walls);
        }
    }
    out
}

/// The bit of the open side, if the way of `row` is blocked and one side is more open.
#[inline]
fn side(row: &Row, from: Point, walls: Walls<'_>) -> u16 {
    let (x, z) = (i32::from(from.x) + row.dx, i32::from(from.z) + row.dz);
    let along_x = row.dx == 0;
    let wall = |side: i32| {
        if along_x {
            walls.at(x + side, z)
        } else {
            walls.at(x, z + side)
        }
    };
    if !(wall(BODY) || wall(-BODY) || wall(0)) {
        return 0;
    }
    let mut sum = 0;
    for side in SWEEP {
        if !wall(side) {
            sum += side;
        }
    }
    match sum {
        ..0 => row.less,
        0 => 0,
        1.. => row.more,
    }
}
