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

    /// Whether blocks stand all along behind a side with these ends, so that it is not seen: those share its edge.
    fn hides(&self, [from, to]: [[i32; 2]; 2], toward: [i32; 2]) -> bool {
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
        let bars = |[x, z]: [i32; 2]| byte >> (4 | z >> 5 & 2 | x >> 6 & 1) & 1 != 0;
        bars(place) && bars(other)
    }

    /// The floor at a corner of a sub-cell as it is drawn: in the middle of the tiles' corners about it.
    fn floor(&self, x: i32, z: i32) -> i32 {
        let (col, row) = (x >> 7, z >> 7);
        let corner = |col, row| self.ground.corner(col, row);
        if (x | z) & 127 == 0 {
            return corner(col, row);
        }
        let (next, beyond) = ((x + 64) >> 7, (z + 64) >> 7);
        let along = |row| corner(col, row) + corner(next, row);
        (along(row) + along(beyond)) >> 2
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
///
/// Its top is as high above the floor at each corner, so that blocks side by side have their edge in common, whatever
/// the floor does; a step between them would leave specks of what is behind. All that is seen of it lies in the bucket
/// of its middle: what stands in front of it or behind it is about half its width away from that, whereas of its
/// polygons each by itself the nearest would hide parts of who stands before them.
#[inline(never)]
fn block<G: Geometry>(
    pen: &mut Pen<'_, '_, G>,
    blocks: &Blocks<'_>,
    [x, z]: [i32; 2],
    size: i32,
    eye: &Vector,
) -> Result<(), Full> {
    // X- Z-, X+ Z-, X- Z+, X+ Z+; above and below.
    let place = |corner: usize| {
        let along = |bit: usize| if corner >> bit & 1 != 0 { size } else { 0 };
        [x + along(0), z + along(1)]
    };
    let floors: [i32; 4] = core::array::from_fn(|corner| {
        let [x, z] = place(corner);
        blocks.floor(x, z)
    });
    let vertices: [RawVertex; 8] = core::array::from_fn(|corner| {
        let [x, z] = place(corner);
        let floor = floors.get(corner & 3).copied().unwrap_or_default();
        vertex(x, if corner < 4 { floor - WALL } else { floor }, z)
    });
    let mut corners = [[0; 2]; 8];
    pen.gte.project_all(&vertices, &mut corners);
    let (mut beside, mut sum) = (Beside::ALL, 0);
    for &[position, depth] in &corners {
        beside = beside.and(Beside::of(position));
        sum += depth;
    }
    if beside.is_out() {
        return Ok(());
    }
    let depth = sum / 8;
    let lowest = floors.into_iter().fold(i32::MIN, i32::max);
    if eye.y < lowest - WALL {
        let [a, b, c, d, ..] = corners;
        pen.side(TOP, [c, d, a, b], depth)?;
    }
    // How far the eye is beyond each side, in their order.
    let beyond = [z - eye.z, x - eye.x, eye.x - x - size, eye.z - z - size];
    for (side, beyond) in SIDES.iter().zip(beyond) {
        if beyond <= 0 {
            continue;
        }
        let [left, right] = side.corners;
        if blocks.hides([place(left), place(right)], side.toward) {
            continue;
        }
        let corner = |at: usize| corners.get(at).copied().unwrap_or_default();
        let of_it = [left, right, left + 4, right + 4].map(corner);
        pen.side(side.colour, of_it, depth)?;
    }
    Ok(())
}
