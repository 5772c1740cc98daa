//! The walls of a world's picture: each sub-cell that bars the way, as a block on its ground.

use super::World;
use super::sight::{SIDE, Sight};
use super::tiles::{Beside, Pen, command, is_void, vertex};
use crate::field::Ground;
use crate::field::map::Map;
use crate::fixed::Vector;
use crate::gpu::Full;
use crate::gpu::packet::rgb;
use crate::gte::{Geometry, RawVertex};

/// How high a wall is drawn.
pub(super) const WALL: i32 = 96;
/// A byte whose four sub-cells bar the way.
const WHOLE: u8 = 0xF0;

/// Blocks: a ground and its grid, row by row.
struct Blocks<'w> {
    ground: Ground<'w>,
    grid: &'w [u8],
    /// Says where nothing is, not even a wall.
    map: Option<Map<'w>>,
}

impl Blocks<'_> {
    /// The byte that has the sub-cells of a tile of ground: it lies a row farther (field sheet, section 4.1).
    fn byte(&self, col: i32, row: i32) -> u8 {
        let side = SIDE as i32;
        if !(0..side).contains(&col) || !(0..side - 1).contains(&row) {
            return 0;
        }
        let at = (side * (row + 1) + col) as usize;
        let byte = self.grid.get(at).copied().unwrap_or(0);
        if byte & WHOLE == WHOLE && is_void(self.map.as_ref(), col as usize, row as usize) {
            return 0;
        }
        byte
    }

    /// Down to where a side of a block is seen between its ends: to the lowest top where it looks to blocks, else to
    /// the floor, wherever that is; `None` where blocks are as high as this one.
    fn foot(&self, top: i32, [from, to]: [[i32; 2]; 2], toward: [i32; 2]) -> Option<i32> {
        // From the ends to the middles of the sub-cells behind the side, which lie in one tile.
        let behind = |end: [i32; 2], other: [i32; 2]| {
            let along = |axis: usize| {
                let at = |it: [i32; 2]| it.get(axis).copied().unwrap_or(0);
                at(end) + 32 * ((at(other) - at(end)).signum() + at(toward))
            };
            [along(0), along(1)]
        };
        let (place @ [x, z], other) = (behind(from, to), behind(to, from));
        let byte = self.byte(x >> 7, z >> 7);
        if byte & WHOLE == 0 {
            return Some(i32::MAX);
        }
        // Heights grow downward.
        let lowest = if byte & WHOLE == WHOLE {
            self.ground.floor(x & !127 | 64, z & !127 | 64)
        } else {
            let bars = |[x, z]: [i32; 2]| byte >> (4 | z >> 5 & 2 | x >> 6 & 1) & 1 != 0;
            if !(bars(place) && bars(other)) {
                return Some(i32::MAX);
            }
            let [a, b] = [place, other].map(|[x, z]| self.ground.floor(x, z));
            a.max(b)
        } - WALL;
        (lowest > top).then_some(lowest)
    }

    /// The floor at an end of a side, mostly a corner of a tile.
    fn floor(&self, x: i32, z: i32) -> i32 {
        if (x | z) & 127 == 0 {
            self.ground.corner(x >> 7, z >> 7)
        } else {
            self.ground.floor(x, z)
        }
    }
}

impl<const N: usize> World<'_, N> {
    /// The walls that are seen.
    pub(super) fn walls<G: Geometry>(
        &self,
        pen: &mut Pen<'_, '_, G>,
        sight: &Sight,
        eye: &Vector,
    ) -> Result<(), Full> {
        let blocks = Blocks {
            ground: self.ground(),
            grid: self.stage.map.grid(),
            map: self.stage.map.map(),
        };
        let [begin, end] = sight.rows();
        for row in begin..end {
            let [first, last] = sight.columns(row);
            // Of the last row there is no byte.
            let at = SIDE * (row + 1);
            let bytes = blocks.grid.get(at + first..at + last).unwrap_or_default();
            for (byte, col) in bytes.iter().zip(first as i32..) {
                let walls = byte >> 4;
                if walls == 0 {
                    continue;
                }
                let (x, z) = (128 * col, 128 * row as i32);
                if walls == 0xF {
                    if blocks.byte(col, row as i32) == 0 {
                        continue;
                    }
                    block(pen, &blocks, [x, z], 128, eye)?;
                    continue;
                }
                for bit in 0..4 {
                    if walls >> bit & 1 != 0 {
                        let at = [x + 64 * (bit & 1), z + 64 * (bit >> 1)];
                        block(pen, &blocks, at, 64, eye)?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// A side of a block.
struct Side {
    colour: u32,
    /// Its upper corners, from its left to its right as one looks at it. The lower ones are four more.
    corners: [usize; 2],
    /// Where it looks to.
    toward: [i32; 2],
}

/// Colour of a block's top.
const TOP: u32 = command(rgb(168, 150, 122));
/// Colour of the sides toward X- and X+.
const FLANK: u32 = command(rgb(104, 90, 74));
/// The sides of a block.
static SIDES: [Side; 4] = [
    Side {
        colour: command(rgb(128, 110, 88)),
        corners: [0, 1],
        toward: [0, -1],
    },
    Side {
        colour: FLANK,
        corners: [2, 0],
        toward: [-1, 0],
    },
    Side {
        colour: FLANK,
        corners: [1, 3],
        toward: [1, 0],
    },
    Side {
        colour: command(rgb(88, 76, 64)),
        corners: [3, 2],
        toward: [0, 1],
    },
];

/// A block: its top, and of its sides those that look to the eye and are not hidden by another block.
#[inline(never)]
fn block<G: Geometry>(
    pen: &mut Pen<'_, '_, G>,
    blocks: &Blocks<'_>,
    [x, z]: [i32; 2],
    size: i32,
    eye: &Vector,
) -> Result<(), Full> {
    let top = blocks.ground.floor(x + size / 2, z + size / 2) - WALL;
    // X- Z-, X+ Z-, X- Z+, X+ Z+; above and below.
    let place = |corner: usize| {
        let along = |bit: usize| if corner >> bit & 1 != 0 { size } else { 0 };
        [x + along(0), z + along(1)]
    };
    // A floor that rises above the block hides its sides.
    let floors: [i32; 4] = core::array::from_fn(|corner| {
        let [x, z] = place(corner);
        blocks.floor(x, z).max(top)
    });
    let vertices: [RawVertex; 8] = core::array::from_fn(|corner| {
        let [x, z] = place(corner);
        let floor = floors.get(corner.wrapping_sub(4)).copied();
        vertex(x, floor.unwrap_or(top), z)
    });
    let mut corners = [[0; 2]; 8];
    pen.gte.project_all(&vertices, &mut corners);
    let mut beside = Beside::ALL;
    for &[position, _] in &corners {
        beside = beside.and(Beside::of(position));
    }
    if beside.is_out() {
        return Ok(());
    }
    if eye.y < top {
        let [a, b, c, d, ..] = corners;
        pen.side(TOP, [c, d, a, b])?;
    }
    // How far the eye is beyond each side, in their order.
    let beyond = [z - eye.z, x - eye.x, eye.x - x - size, eye.z - z - size];
    for (side, beyond) in SIDES.iter().zip(beyond) {
        if beyond <= 0 {
            continue;
        }
        let [left, right] = side.corners;
        let ends = [place(left), place(right)];
        let Some(foot) = blocks.foot(top, ends, side.toward) else {
            continue;
        };
        let corner = |at: usize| corners.get(at).copied().unwrap_or_default();
        let upper = [corner(left), corner(right)];
        let mut lower = [corner(left + 4), corner(right + 4)];
        if foot != i32::MAX {
            let foot = |end: usize| foot.min(floors.get(end).copied().unwrap_or(foot));
            let [[x, z], [to_x, to_z]] = ends;
            let feet = [vertex(x, foot(left), z), vertex(to_x, foot(right), to_z)];
            pen.gte.project_all(&feet, &mut lower);
        }
        pen.side(side.colour, [upper[0], upper[1], lower[0], lower[1]])?;
    }
    Ok(())
}
