//! Floor and walls of a world's picture: tiles in squares, walls as blocks, as plain polygons.
//!
//! The game's own ground is meshes and an atlas of textures; this is what can be seen of any map. Where a map has
//! nothing ([`Map::is_void`](crate::field::map::Map::is_void)), nothing is drawn. A row of
//! corners is projected at once, and what lies beside the picture gets no packet: it costs the GPU as much as what
//! can be seen.

use super::World;
use crate::field::Ground;
use crate::field::map::Tile;
use crate::fixed::cos;
use crate::gpu::packet::{Style, rgb};
use crate::gpu::{Full, Tail, layout};
use crate::gte::{Geometry, RawVertex};
use crate::scene::Camera;

/// Tiles that are drawn about the player: the game's camera window, and what lies behind it on the screen.
const COLUMNS: usize = 16;
/// The same along Z, before and behind it.
const BEFORE: i32 = 5;
pub(super) const BEHIND: i32 = 11;
/// Rows of tiles.
const ROWS: usize = (BEFORE + BEHIND) as usize;
/// For each row of the window the tiles where nothing is: a bit each, the first column lowest.
type Voids = [u32; ROWS];
/// Corners of a row of tiles.
const CORNERS: usize = COLUMNS + 1;
/// Tiles of a side of the map.
const SIDE: i32 = 128;
/// How high a wall is drawn.
const WALL: i32 = 96;
/// Depths below this are not drawn: the engine's quotient ends at H / 2.
const NEAR: u32 = 0x400;
/// Words of a flat quad's packet, with its tag.
const QUAD: usize = 6;

/// Position and depth of a corner on the screen, as [`Geometry::project_all`] has them.
type Corner = [u32; 2];

/// A vertex, of which all but the height lies on the map.
const fn vertex(x: i32, y: i32, z: i32) -> RawVertex {
    let y = if y < i16::MIN as i32 {
        i16::MIN
    } else if y > i16::MAX as i32 {
        i16::MAX
    } else {
        y as i16
    };
    [(x as u16 as u32) | (y as u16 as u32) << 16, z as u32]
}

/// On which sides of the picture positions lie: those of several corners joined tell whether a polygon can be seen.
#[derive(Clone, Copy)]
struct Beside {
    /// In the signs of both halves: left, above.
    low: u32,
    /// Right, below.
    high: u32,
}

impl Beside {
    /// Both signs of a position.
    const SIGNS: u32 = 0x8000_8000;
    /// What makes positions beyond the right and the lower edge negative. A carry out of x can make y one larger.
    const EDGES: u32 = (0x8000 - layout::DRAWN as u32 - 1) << 16 | (0x8000 - layout::WIDTH as u32);

    const fn of(position: u32) -> Self {
        Self {
            low: position,
            high: position.wrapping_add(Self::EDGES),
        }
    }

    /// Of both.
    const fn and(self, other: Self) -> Self {
        Self {
            low: self.low & other.low,
            high: self.high & other.high,
        }
    }

    /// Whether all of them lie beyond one edge, so that nothing between them is in the picture.
    const fn is_out(self) -> bool {
        (self.low | self.high) & Self::SIGNS != 0
    }
}

/// A colour, lightened or darkened.
fn shade([r, g, b]: [u8; 3], by: i32) -> u32 {
    let part = |value: u8| (i32::from(value) + by).clamp(0, 255) as u8;
    rgb(part(r), part(g), part(b))
}

/// Colours of the floor: lighter where it is higher, one for each kind of square.
fn grass(height: i32) -> [u32; 2] {
    let light = (-height / 8).clamp(-40, 40);
    [light, light + 10].map(|light| command(shade([74, 112, 62], light)))
}

/// First word of a flat quad.
const fn command(colour: u32) -> u32 {
    colour | (Style::OPAQUE.command_byte(0x28) as u32) << 24
}

/// What takes the polygons.
pub(super) struct Pen<'g, 'l, G> {
    pub gte: &'g mut G,
    pub list: Tail<'l>,
    /// How often a depth is halved to get a bucket.
    pub shift: u8,
}

/// A polygon of four positions, 0 1 / 2 3, in front of what is in its bucket.
#[inline(always)]
fn quad(list: &mut Tail<'_>, command: u32, corners: [u32; 4], bucket: usize) -> Result<(), Full> {
    let [a, b, c, d] = corners;
    if let Some(packet) = list.packet::<QUAD>() {
        // The tag comes with the link.
        let [_, body @ ..] = packet;
        *body = [command, a, b, c, d];
        if list.link::<QUAD>(bucket) {
            return Ok(());
        }
    }
    Err(Full {
        needed: QUAD,
        free: list.left(),
    })
}

impl<G> Pen<'_, '_, G> {
    /// A polygon of a block, in the bucket of its mean depth. One of which a corner is too near is left out.
    #[inline(always)]
    fn side(&mut self, command: u32, corners: [Corner; 4]) -> Result<(), Full> {
        if corners.iter().any(|&[_, depth]| depth < NEAR) {
            return Ok(());
        }
        let sum: u32 = corners.iter().map(|&[_, depth]| depth).sum();
        let bucket = (sum / 4) as usize >> self.shift;
        // Depths fill the table, or end before it.
        let bucket = bucket.min(self.list.buckets().saturating_sub(1));
        let corners = corners.map(|[position, _]| position);
        quad(&mut self.list, command, corners, bucket)
    }
}

/// What is drawn of the map: tiles from the first to before the last.
struct Window {
    columns: [i32; 2],
    rows: [i32; 2],
}

impl Window {
    /// About a position.
    fn about(x: i16, z: i16) -> Self {
        let (col, row) = (i32::from(x) >> 7, i32::from(z) >> 7);
        let half = COLUMNS as i32 / 2;
        let within = |tiles: [i32; 2]| tiles.map(|tile| tile.clamp(0, SIDE));
        Self {
            columns: within([col - half, col + half]),
            rows: within([row - BEFORE, row + BEHIND]),
        }
    }

    /// How many columns there are, at most [`COLUMNS`].
    fn width(&self) -> usize {
        let [first, end] = self.columns;
        ((end - first).max(0) as usize).min(COLUMNS)
    }
}

/// A row of corners.
#[derive(Clone, Copy)]
struct Edge {
    corners: [Corner; CORNERS],
    heights: [i32; CORNERS],
    /// No corner is too near.
    far: bool,
}

impl Edge {
    const NONE: Self = Self {
        corners: [[0; 2]; CORNERS],
        heights: [0; CORNERS],
        far: false,
    };

    /// Put the corners of a row here, from column `first` on.
    fn project<G: Geometry>(
        &mut self,
        gte: &mut G,
        ground: &Ground<'_>,
        [first, row]: [i32; 2],
        count: usize,
    ) {
        let mut vertices = [[0; 2]; CORNERS];
        for ((to, height), col) in vertices.iter_mut().zip(&mut self.heights).zip(first..) {
            *height = ground.corner(col, row);
            *to = vertex(128 * col, *height, 128 * row);
        }
        let vertices = vertices.get(..count).unwrap_or_default();
        gte.project_all(vertices, &mut self.corners);
        // Negative when a depth is less.
        let corners = self.corners.iter().take(count);
        let near = corners.fold(0, |near, &[_, depth]| near | depth.wrapping_sub(NEAR));
        self.far = near as i32 >= 0;
    }
}

impl<const N: usize> World<'_, N> {
    /// Walls, then floor.
    pub(super) fn draw_map<G: Geometry>(
        &self,
        pen: &mut Pen<'_, '_, G>,
        camera: &Camera,
    ) -> Result<(), Full> {
        let player = &self.field.player;
        let window = Window::about(player.x, player.z);
        let voids = self.walls(pen, &window)?;
        self.floor(pen, &window, camera.yaw, &voids)
    }

    /// The floor of the window: squares, behind everything.
    fn floor<G: Geometry>(
        &self,
        pen: &mut Pen<'_, '_, G>,
        window: &Window,
        yaw: u16,
        voids: &Voids,
    ) -> Result<(), Full> {
        let ground = self.ground();
        let [first, _] = window.columns;
        let [begin, end] = window.rows;
        let count = window.width() + 1;
        // The later one is drawn first, so what is near comes first.
        let ahead = cos(yaw) >= 0;
        let (mut one, mut other) = (Edge::NONE, Edge::NONE);
        let (mut before, mut edge) = (&mut one, &mut other);
        for step in 0..=end - begin {
            let row = if ahead { begin + step } else { end - step };
            core::mem::swap(&mut before, &mut edge);
            edge.project(pen.gte, &ground, [first, row], count);
            if step != 0 {
                // The tiles between the two edges are those of the row at the smaller Z.
                let (tiles, heights) = if ahead {
                    (row - 1, &before.heights)
                } else {
                    (row, &edge.heights)
                };
                let voids = voids.get((tiles - begin) as usize).copied().unwrap_or(0);
                // In registers, as a part of the pen it is not.
                let mut list = pen.list.take();
                let odd = first ^ tiles;
                let drawn = squares(&mut list, [before, edge], heights, odd, voids, count);
                pen.list = list;
                drawn?;
            }
        }
        Ok(())
    }

    /// The walls of the window, each sub-cell where it bars the way: half a tile beside its byte's tile
    /// (field sheet, section 4.1). And where nothing is, which only a tile with walls all over may be.
    fn walls<G: Geometry>(&self, pen: &mut Pen<'_, '_, G>, window: &Window) -> Result<Voids, Full> {
        let ground = self.ground();
        let grid = self.stage.map.grid();
        let map = self.stage.map.map();
        let is_void = |col, row| match (&map, Tile::at(col, row)) {
            (Some(map), Some(tile)) => map.is_void(tile),
            _ => false,
        };
        let [first, _] = window.columns;
        let [begin, end] = window.rows;
        let mut voids = [0; ROWS];
        // A byte bars half a row before its own: one row more can be seen.
        for row in begin..(end + 1).min(SIDE) {
            let mut line = 0;
            let at = (SIDE * row + first) as usize;
            let bytes = grid.get(at..at + window.width()).unwrap_or_default();
            for (byte, col) in bytes.iter().zip(first..) {
                let walls = byte >> 4;
                if walls == 0 {
                    continue;
                }
                let (x, z) = (128 * col, 128 * row - 128);
                if walls == 0xF {
                    if is_void(col, row - 1) {
                        line |= 1 << (col - first);
                    } else {
                        block(pen, &ground, [x, z], 128)?;
                    }
                    continue;
                }
                for bit in 0..4 {
                    if walls >> bit & 1 != 0 {
                        block(pen, &ground, [x + 64 * (bit & 1), z + 64 * (bit >> 1)], 64)?;
                    }
                }
            }
            // Of the window's rows; the byte's row is one further on.
            if let Some(voids) = voids.get_mut((row - 1 - begin) as usize) {
                *voids = line;
            }
        }
        // The bytes of the last row stand in the first one.
        if end == SIDE
            && let Some(voids) = voids.get_mut((SIDE - 1 - begin) as usize)
        {
            for bit in 0..window.width() as i32 {
                *voids |= u32::from(is_void(first + bit, SIDE - 1)) << bit;
            }
        }
        Ok(voids)
    }
}

/// The squares between two rows of corners, the first of which is `odd` or even; none of `voids`.
#[inline(always)]
fn squares(
    list: &mut Tail<'_>,
    [before, edge]: [&Edge; 2],
    heights: &[i32; CORNERS],
    odd: i32,
    mut voids: u32,
    count: usize,
) -> Result<(), Full> {
    let far = before.far && edge.far;
    // Neighbours mostly have one height.
    let (mut lit, mut colours) = (0, grass(0));
    let mut odd = odd as usize & 1;
    let bucket = list.buckets().saturating_sub(1);
    let corners = before.corners.iter().zip(&edge.corners).zip(heights);
    let mut corners = corners.take(count);
    let Some(((a, c), height)) = corners.next() else {
        return Ok(());
    };
    let (mut a, mut c, mut height) = (a, c, *height);
    let mut left = Beside::of(a[0]).and(Beside::of(c[0]));
    for ((b, d), &next) in corners {
        let right = Beside::of(b[0]).and(Beside::of(d[0]));
        let near = !far && [a, b, c, d].iter().any(|it| it[1] < NEAR);
        if !near && voids & 1 == 0 && !left.and(right).is_out() {
            if height != lit {
                (lit, colours) = (height, grass(height));
            }
            let colour = if odd == 0 { colours[0] } else { colours[1] };
            quad(list, colour, [c[0], d[0], a[0], b[0]], bucket)?;
        }
        (a, c, height, left) = (b, d, next, right);
        voids >>= 1;
        odd ^= 1;
    }
    Ok(())
}

/// A wall: its top, and the three sides that a view towards Z+ sees.
#[inline(never)]
fn block<G: Geometry>(
    pen: &mut Pen<'_, '_, G>,
    ground: &Ground<'_>,
    [x, z]: [i32; 2],
    size: i32,
) -> Result<(), Full> {
    const TOP: u32 = command(rgb(168, 150, 122));
    const FRONT: u32 = command(rgb(128, 110, 88));
    const FLANK: u32 = command(rgb(104, 90, 74));
    let floor = ground.floor(x + size / 2, z + size / 2);
    let top = floor - WALL;
    let (right, behind) = (x + size, z + size);
    let vertices = [
        vertex(x, top, z),
        vertex(right, top, z),
        vertex(x, top, behind),
        vertex(right, top, behind),
        vertex(x, floor, z),
        vertex(right, floor, z),
        vertex(x, floor, behind),
        vertex(right, floor, behind),
    ];
    let mut corners = [[0; 2]; 8];
    pen.gte.project_all(&vertices, &mut corners);
    let beside = corners.map(|[position, _]| Beside::of(position));
    if beside
        .into_iter()
        .reduce(Beside::and)
        .is_some_and(Beside::is_out)
    {
        return Ok(());
    }
    let [a, b, c, d, e, f, g, h] = corners;
    pen.side(TOP, [c, d, a, b])?;
    pen.side(FRONT, [a, b, e, f])?;
    pen.side(FLANK, [c, a, g, e])?;
    pen.side(FLANK, [b, d, f, h])
}
