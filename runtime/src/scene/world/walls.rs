//! The walls of a world's picture: each sub-cell that bars the way, as a block on its ground.

use super::World;
use super::order::{Drawn, Stands};
use super::sight::{SIDE, Sight};
use super::tiles::{Beside, Corner, NEAR, Pen, QUAD, command, is_void, quad, vertex};
use crate::field::Ground;
use crate::field::map::Map;
use crate::fixed::Vector;
use crate::gpu::packet::rgb;
use crate::gte::{Geometry, RawVertex};
use crate::model::pose::Transform;

/// How high a wall is drawn.
pub(super) const WALL: i32 = 96;
/// A byte whose four sub-cells bar the way.
pub(super) const WHOLE: u8 = 0xF0;
/// Most words of the walls of a tile: four blocks with a top and three sides.
const TILE: usize = 4 * 4 * QUAD;

/// Blocks: a ground and its grid, row by row.
struct Blocks<'w> {
    ground: Ground<'w>,
    grid: &'w [u8],
    /// Says where nothing is, not even a wall.
    map: Option<Map<'w>>,
}

/// What stands on a tile or on a sub-cell.
struct Block {
    /// Its least X and Z.
    at: [i32; 2],
    /// How far it reaches from there: 128 or 64.
    size: i32,
    /// The floor at its corners: X- Z-, X+ Z-, X- Z+, X+ Z+.
    floors: [i32; 4],
    /// The byte of its tile.
    byte: u8,
    /// Which sub-cell of the tile it is; no matter if it is all of it.
    bit: usize,
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

    /// The floor at a corner of a tile. Once in the image, for in five places it made the walls' loop longer than the
    /// console's instruction cache.
    #[inline(never)]
    fn corner(&self, col: i32, row: i32) -> i32 {
        self.ground.corner(col, row)
    }

    /// The floor at the corners of a tile; those at X- are known if the tile at X- is.
    fn corners(&self, col: i32, row: i32, before: Option<[i32; 4]>) -> [i32; 4] {
        let [a, c] = match before {
            Some([_, b, _, d]) => [b, d],
            None => [self.corner(col, row), self.corner(col, row + 1)],
        };
        [
            a,
            self.corner(col + 1, row),
            c,
            self.corner(col + 1, row + 1),
        ]
    }

    /// Whether blocks stand all along behind a side of a block, so that it is not seen: those share its edge.
    #[inline(never)]
    fn hides(&self, block: &Block, side: &Side) -> bool {
        let Block {
            at: [x, z],
            byte,
            bit,
            ..
        } = *block;
        let Side {
            toward: [dx, dz],
            facing,
            ..
        } = *side;
        let whole = block.size == 128;
        // In the tile beside this one those count that face the side, or the one that does; a sub-cell that is itself
        // on that edge of its tile has it there, another one in its own.
        let bits = if whole {
            facing
        } else {
            1 << (bit ^ side.other)
        };
        let beyond = whole || facing >> bit & 1 == 0;
        let byte = if beyond {
            self.byte((x >> 7) + dx, (z >> 7) + dz)
        } else {
            byte
        };
        byte >> 4 & bits == bits
    }
}

/// The floor at the corners of a quarter of a tile: half-way between those of the tile.
#[inline(never)]
fn quarter(corners: &[i32; 4], bit: usize) -> [i32; 4] {
    core::array::from_fn(|corner| {
        // In halves of the tile.
        let [i, j] = [(bit & 1) + (corner & 1), (bit >> 1) + (corner >> 1)];
        let at = |i: usize, j: usize| {
            let corner = (i >> 1) | (j >> 1) << 1;
            corners.get(corner & 3).copied().unwrap_or_default()
        };
        (at(i, j) + at(i + 1, j) + at(i, j + 1) + at(i + 1, j + 1)) >> 2
    })
}

impl<const N: usize> World<'_, N> {
    /// The walls that are seen, what is near first, until half of the list is full. `drawn` is told which they are.
    #[inline(never)]
    pub(super) fn walls<G: Geometry>(
        &self,
        pen: &mut Pen<'_, '_, G>,
        sight: &Sight,
        view: &Transform,
        eye: &Vector,
        drawn: &mut Drawn,
    ) {
        let blocks = Blocks {
            ground: self.ground(),
            grid: self.stage.map.grid(),
            map: self.stage.map.map(),
        };
        let least = pen.list.left() / 2;
        let [begin, end] = sight.rows();
        let back = view.rotation.m[2][2] < 0;
        for step in begin..end {
            let row = if back { end - 1 - (step - begin) } else { step };
            let [first, last] = sight.columns(row);
            // Of the last row there is no byte.
            let at = SIDE * (row + 1);
            let bytes = blocks.grid.get(at + first..at + last).unwrap_or_default();
            // The corners of the tile before, if that has walls.
            let mut before = None;
            for (&byte, col) in bytes.iter().zip(first as i32..) {
                let row = row as i32;
                let whole = byte >= WHOLE;
                if byte < 0x10 || whole && blocks.byte(col, row) == 0 {
                    before = None;
                    continue;
                }
                if pen.list.left() < least + TILE {
                    return;
                }
                let floors = blocks.corners(col, row, before);
                before = Some(floors);
                let mut block = Block {
                    at: [128 * col, 128 * row],
                    size: 128,
                    floors,
                    byte,
                    bit: 0,
                };
                // All of the tile, or sub-cell by sub-cell.
                let mut bits = if whole { 1 } else { byte >> 4 };
                while bits != 0 {
                    if !whole {
                        let bit = bits.trailing_zeros();
                        let [x, z] = [128 * col, 128 * row];
                        block.at = [x + 64 * (bit & 1) as i32, z + 64 * (bit >> 1) as i32];
                        block.size = 64;
                        block.floors = quarter(&floors, bit as usize);
                        block.bit = bit as usize;
                    }
                    bits &= bits - 1;
                    draw(pen, &blocks, &block, eye, drawn);
                }
            }
        }
    }
}

/// A side of a block.
struct Side {
    colour: u32,
    /// Its upper corners, from its left to its right as one looks at it. The lower ones are four more.
    corners: [u8; 2],
    /// Where it looks to, in tiles.
    toward: [i32; 2],
    /// The sub-cells of the tile there that face it.
    facing: u8,
    /// In which bit the number of a sub-cell differs from that of its neighbour there.
    other: usize,
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
        facing: 0b1100,
        other: 2,
    },
    Side {
        colour: FLANK,
        corners: [2, 0],
        toward: [-1, 0],
        facing: 0b1010,
        other: 1,
    },
    Side {
        colour: FLANK,
        corners: [1, 3],
        toward: [1, 0],
        facing: 0b0101,
        other: 1,
    },
    Side {
        colour: command(rgb(88, 76, 64)),
        corners: [3, 2],
        toward: [0, 1],
        facing: 0b0011,
        other: 2,
    },
];

/// A block: its top, and of its sides those that look to the eye and are not hidden by another block. If it is in the
/// picture, `drawn` is told.
///
/// Its top is as high above the floor at each corner, so that blocks side by side have their edge in common, whatever
/// the floor does; a step between them would leave specks of what is behind. All that is seen of it lies in the bucket
/// of its middle, as which it is in front of somebody or behind (`order.rs`). A polygon of which a corner is too near is
/// left out.
#[inline(never)]
fn draw<G: Geometry>(
    pen: &mut Pen<'_, '_, G>,
    blocks: &Blocks<'_>,
    block: &Block,
    eye: &Vector,
    drawn: &mut Drawn,
) {
    let &Block {
        at: [x, z],
        size,
        ref floors,
        ..
    } = block;
    // X- Z-, X+ Z-, X- Z+, X+ Z+; above and below.
    let mut vertices: [RawVertex; 8] = [[0; 2]; 8];
    let (upper, lower) = vertices.split_at_mut(4);
    let mut lowest = i32::MIN;
    for (corner, ((upper, lower), &floor)) in upper.iter_mut().zip(lower).zip(floors).enumerate() {
        let x = if corner & 1 != 0 { x + size } else { x };
        let z = if corner & 2 != 0 { z + size } else { z };
        (*upper, *lower) = (vertex(x, floor - WALL, z), vertex(x, floor, z));
        lowest = lowest.max(floor);
    }
    let mut corners = [[0; 2]; 8];
    pen.gte.project_all(&vertices, &mut corners);
    let (mut beside, mut sum, mut near) = (Beside::ALL, 0, 0);
    for &[position, depth] in &corners {
        beside = beside.and(Beside::of(position));
        sum += depth;
        // Negative when a depth is less.
        near |= depth.wrapping_sub(NEAR);
    }
    if beside.is_out() {
        return;
    }
    // Depths fill the table, or end before it.
    let bucket = (sum / 8) as usize >> pen.shift;
    let bucket = bucket.min(pen.list.buckets().saturating_sub(1));
    let far = near as i32 >= 0;
    if eye.y < lowest - WALL {
        pen.side(TOP, &corners, [2, 3, 0, 1], (bucket, far));
    }
    // How far the eye is beyond each side, in their order.
    let beyond = [z - eye.z, x - eye.x, eye.x - x - size, eye.z - z - size];
    for (side, beyond) in SIDES.iter().zip(beyond) {
        if beyond > 0 && !blocks.hides(block, side) {
            let [left, right] = side.corners;
            let of_it = [left, right, left + 4, right + 4];
            pen.side(side.colour, &corners, of_it, (bucket, far));
        }
    }
    // The nearest are told of; more are seldom there.
    let _: Result<(), _> = drawn.push(Stands {
        at: [x as i16, z as i16],
        size: size as u16,
        bucket: bucket as u16,
    });
}

impl<G> Pen<'_, '_, G> {
    /// A polygon of a block, in a bucket. Unless all corners are `far`, it is left out if one of its own is too near.
    #[inline(never)]
    fn side(
        &mut self,
        command: u32,
        corners: &[Corner; 8],
        of_it: [u8; 4],
        (bucket, far): (usize, bool),
    ) {
        let corner = |at: u8| corners[usize::from(at & 7)];
        if far || of_it.iter().all(|&at| corner(at)[1] >= NEAR) {
            let positions = of_it.map(|at| corner(at)[0]);
            quad(&mut self.list, command, positions, bucket);
        }
    }
}
