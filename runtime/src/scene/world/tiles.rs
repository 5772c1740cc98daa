//! The floor of a world's picture: tiles in squares, as plain polygons.
//!
//! The game's own ground is meshes and an atlas of textures; this is what can be seen of any map. Where a map has
//! nothing ([`Map::is_void`]), nothing is drawn. A row of corners is projected at once, and what lies beside the
//! picture gets no packet: it costs the GPU as much as what can be seen.

use super::World;
use super::sight::{SIDE, Sight};
use super::walls::WHOLE;
use crate::field::Ground;
use crate::field::map::trigger::Teleport;
use crate::field::map::{Map, Tile};
use crate::fixed::Vector;
use crate::gpu::packet::{Style, rgb};
use crate::gpu::{Full, Tail, layout};
use crate::gte::{Geometry, RawVertex};
use crate::model::pose::Transform;

/// Corners of a row of tiles.
const CORNERS: usize = SIDE + 1;
/// Depths below this are not drawn: the engine's quotient ends at H / 2.
pub(super) const NEAR: u32 = 0x400;
/// Words of a flat quad's packet, with its tag.
pub(super) const QUAD: usize = 6;
/// Words of the mat of a doorway.
const MAT: usize = 2 * QUAD;
/// How far the mat of a doorway ends from the edges of its tile.
const RIM: i32 = 10;

/// Position and depth of a corner on the screen, as [`Geometry::project_all`] has them.
pub(super) type Corner = [u32; 2];

/// A vertex, of which all but the height lies on the map.
pub(super) const fn vertex(x: i32, y: i32, z: i32) -> RawVertex {
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
pub(super) struct Beside {
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

    /// Of no position: beyond every edge.
    pub const ALL: Self = Self {
        low: Self::SIGNS,
        high: Self::SIGNS,
    };

    pub const fn of(position: u32) -> Self {
        Self {
            low: position,
            high: position.wrapping_add(Self::EDGES),
        }
    }

    /// Of both.
    pub const fn and(self, other: Self) -> Self {
        Self {
            low: self.low & other.low,
            high: self.high & other.high,
        }
    }

    /// Whether all of them lie beyond one edge, so that nothing between them is in the picture.
    pub const fn is_out(self) -> bool {
        (self.low | self.high) & Self::SIGNS != 0
    }
}

/// A colour, lightened or darkened.
fn shade([r, g, b]: [u8; 3], by: i32) -> u32 {
    let part = |value: u8| (i32::from(value) + by).clamp(0, 255) as u8;
    rgb(part(r), part(g), part(b))
}

/// Colours of the floor, one for each kind of square: lighter where it is higher, and where it rises away from the
/// light, which comes from X- and Z-. `fall` is how far it falls from the corner there to the one at X+ and Z+.
fn grass(height: i32, fall: i32) -> [u32; 2] {
    let light = (-height / 4).clamp(-40, 40) - (fall * 3 / 4).clamp(-40, 40);
    [light, light + 10].map(|light| command(shade([74, 112, 62], light)))
}

/// First word of a flat quad.
pub(super) const fn command(colour: u32) -> u32 {
    colour | (Style::OPAQUE.command_byte(0x28) as u32) << 24
}

/// What takes the polygons.
pub(super) struct Pen<'g, 'l, G> {
    pub gte: &'g mut G,
    pub list: Tail<'l>,
    /// How often a depth is halved to get a bucket.
    pub shift: u8,
}

/// A polygon of four positions, 0 1 / 2 3, in front of what is in its bucket; the caller has seen to the room.
#[inline(always)]
pub(super) fn quad(list: &mut Tail<'_>, command: u32, corners: [u32; 4], bucket: usize) {
    let [a, b, c, d] = corners;
    if let Some(packet) = list.packet::<QUAD>() {
        // The tag comes with the link.
        let [_, body @ ..] = packet;
        *body = [command, a, b, c, d];
        let _: bool = list.link::<QUAD>(bucket);
    }
}

/// Where the eye of a view is, in world units; near enough to tell which sides of things it sees.
pub(super) fn eye(view: &Transform, scale: i16) -> Vector {
    let Vector { x, y, z } = view.translation;
    // The view's rotation is the scale times one whose inverse is its transpose: in 1/64 of a unit.
    let part = |column: usize| {
        let from = |row: usize| {
            let row = view.rotation.m.get(row);
            i64::from(row.and_then(|row| row.get(column)).copied().unwrap_or(0))
        };
        let sum = from(0) * i64::from(x) + from(1) * i64::from(y) + from(2) * i64::from(z);
        let square = (i32::from(scale) * i32::from(scale)) >> 18;
        let sum = (-sum >> 12).clamp(-(1 << 24), 1 << 24) as i32;
        64 * sum / square.max(1)
    };
    Vector::new(part(0), part(1), part(2))
}

/// A row of corners, from some column on.
#[derive(Clone, Copy)]
struct Edge {
    corners: [Corner; CORNERS],
    heights: [i16; CORNERS],
    /// The column of the first.
    from: i32,
    /// No corner is too near.
    far: bool,
}

impl Edge {
    const NONE: Self = Self {
        corners: [[0; 2]; CORNERS],
        heights: [0; CORNERS],
        from: 0,
        far: false,
    };

    /// Put the corners of a row here, from a column to before another one: before a smaller one, if that is the way.
    #[inline(never)]
    fn project<G: Geometry>(
        &mut self,
        gte: &mut G,
        ground: &Ground<'_>,
        row: usize,
        [from, end]: [i32; 2],
        scratch: &mut [RawVertex; CORNERS],
    ) {
        self.from = from;
        let step = (end - from).signum();
        let count = (end - from).unsigned_abs() as usize;
        let heights = self.heights.get_mut(..count).unwrap_or_default();
        ground.profile([from, row as i32], step, heights);
        let (z, mut x) = (128 * row as u32, (128 * from) as u32);
        for (to, height) in scratch.iter_mut().zip(&*heights) {
            *to = [x & 0xFFFF | (*height as u32) << 16, z];
            x = x.wrapping_add((128 * step) as u32);
        }
        gte.project_all(scratch.get(..count).unwrap_or_default(), &mut self.corners);
        // Negative when a depth is less.
        let mut near = 0;
        for &[_, depth] in self.corners.iter().take(count) {
            near |= depth.wrapping_sub(NEAR);
        }
        self.far = near as i32 >= 0;
    }

    /// So many corners from a column on, and their heights.
    #[inline(always)]
    fn cut(&self, from: i32, count: usize) -> (&[Corner], &[i16]) {
        let at = (from - self.from).unsigned_abs() as usize;
        let at = at..at.saturating_add(count);
        let corners = self.corners.get(at.clone()).unwrap_or_default();
        (corners, self.heights.get(at).unwrap_or_default())
    }
}

impl<const N: usize> World<'_, N> {
    /// The floor that is seen: squares, behind everything; and the doorways' mats on it.
    ///
    /// # Errors
    /// [`Full`]; not if there were [`QUAD`] words for each tile.
    #[inline(never)]
    pub(super) fn floor<G: Geometry>(
        &self,
        pen: &mut Pen<'_, '_, G>,
        sight: &Sight,
        view: &Transform,
    ) -> Result<(), Full> {
        // The later one is drawn first: mats before squares, what is near before what is far.
        self.mats(pen, sight);
        let [ahead_x, _, ahead_z] = view.rotation.m[2];
        let [begin, end] = sight.rows();
        let (first, last, step) = if ahead_z < 0 {
            (end, begin, usize::MAX)
        } else {
            (begin, end, 1)
        };
        // The columns in the order in which they are looked at.
        let back = ahead_x < 0;
        let order = |[first, end]: [usize; 2]| {
            let (first, end) = (first as i32, end as i32);
            if back {
                [end - 1, first - 1]
            } else {
                [first, end]
            }
        };
        let ground = self.ground();
        let map = self.stage.map.map();
        let (map, grid) = (map.as_ref(), self.stage.map.grid());
        let (mut one, mut other) = (Edge::NONE, Edge::NONE);
        let (mut before, mut edge) = (&mut one, &mut other);
        let mut scratch = [[0; 2]; CORNERS];
        let mut row = first;
        let columns = order(sight.corners(row));
        edge.project(pen.gte, &ground, row, columns, &mut scratch);
        while row != last {
            core::mem::swap(&mut before, &mut edge);
            let next = row.wrapping_add(step);
            let columns = order(sight.corners(next));
            edge.project(pen.gte, &ground, next, columns, &mut scratch);
            let tiles = row.min(next);
            // Seen from X+, what lies at the smaller Z is on the other side.
            let sides = if (row < next) == back {
                [&*edge, before]
            } else {
                [&*before, edge]
            };
            let [first, end] = sight.columns(tiles);
            let count = end.saturating_sub(first);
            let tile = |at: usize| if back { end - 1 - at } else { first + at };
            // Nothing is only where walls are all about a tile, in the grid's next row: to look there first is quick.
            let start = SIDE * (tiles + 1) + first;
            let walls = grid.get(start..start + count).unwrap_or_default();
            let is_void = |at: usize| {
                let byte = walls.get(at - first).copied().unwrap_or(WHOLE);
                byte >= WHOLE && is_void(map, at, tiles)
            };
            // Runs of tiles, each up to one that is nothing or to the end.
            let mut at = 0;
            for here in 0..=count {
                if here < count && !is_void(tile(here)) {
                    continue;
                }
                if here > at {
                    let from = if back { end - at } else { first + at } as i32;
                    let odd = tiles ^ tile(at);
                    squares(&mut pen.list, sides, (from, here - at), odd, back)?;
                }
                at = here + 1;
            }
            row = next;
        }
        Ok(())
    }

    /// A mat for each doorway within the scene that is seen, where the player has to step for it; as many as half of
    /// the list has room for.
    #[inline(never)]
    fn mats<G: Geometry>(&self, pen: &mut Pen<'_, '_, G>, sight: &Sight) {
        if self.stage.overworld {
            return;
        }
        let least = pen.list.left() / 2 + MAT;
        let ground = self.ground();
        let triggers = ground.triggers();
        let bias = i32::from(self.field.settings.compat.trigger_bias);
        for Teleport { tile, .. } in triggers.map.teleports().chain(triggers.patch.teleports()) {
            let [x, z] = tile.map(|tile| 128 * i32::from(tile) + bias);
            if pen.list.left() >= least && sight.has([x, x + 127], [z, z + 127]) {
                mat(pen, &ground, [x, z]);
            }
        }
    }
}

/// Whether a map has nothing at a tile of ground. Asked where walls are, and not often: loops are short without it.
#[cold]
#[inline(never)]
pub(super) fn is_void(map: Option<&Map<'_>>, col: usize, row: usize) -> bool {
    let tile = Tile::at(col as i32, row as i32);
    map.zip(tile).is_some_and(|(map, tile)| map.is_void(tile))
}

/// The mat of a doorway whose tile begins here, in the plane of its corners.
#[cold]
fn mat<G: Geometry>(pen: &mut Pen<'_, '_, G>, ground: &Ground<'_>, [x, z]: [i32; 2]) {
    const INNER: u32 = command(rgb(178, 120, 66));
    const RIM_OF_IT: u32 = command(rgb(96, 58, 40));
    for (from, colour) in [(2 * RIM, INNER), (RIM, RIM_OF_IT)] {
        let to = 128 - from;
        let places = [[from, to], [to, to], [from, from], [to, from]];
        let vertices = places.map(|[dx, dz]| {
            let (x, z) = (x + dx, z + dz);
            vertex(x, ground.floor(x, z), z)
        });
        let mut corners = [[0; 2]; 4];
        pen.gte.project_all(&vertices, &mut corners);
        if corners.iter().all(|&[_, depth]| depth >= NEAR) {
            let bucket = pen.list.buckets().saturating_sub(1);
            let corners = corners.map(|[position, _]| position);
            quad(&mut pen.list, colour, corners, bucket);
        }
    }
}

/// So many tiles side by side from a column of corners on, the first one `odd` or even, between their corners at
/// the smaller and at the larger Z; `back`: toward X-, and the Z the other way round, so that a tile has the same
/// diagonal from all sides.
#[inline(never)]
fn squares(
    list: &mut Tail<'_>,
    [low, high]: [&Edge; 2],
    (from, count): (i32, usize),
    mut odd: usize,
    back: bool,
) -> Result<(), Full> {
    let far = low.far && high.far;
    let bucket = list.buckets().saturating_sub(1);
    let left = list.left();
    let Some(mut row) = list.row::<QUAD>(bucket, count) else {
        return Err(Full {
            needed: QUAD * count,
            free: left,
        });
    };
    // Neighbours mostly have one height.
    let (mut lit, mut colours) = ((0, 0), grass(0, 0));
    let (low, heights) = low.cut(from, count + 1);
    let (high, beyond) = high.cut(from, count + 1);
    let mut corners = low.iter().zip(high).zip(heights).zip(beyond);
    let Some(((&[mut a, near], &[mut c, other]), mut height)) = corners.next().map(|it| it.0)
    else {
        return Ok(());
    };
    let is_near = |one: u32, other: u32| one < NEAR || other < NEAR;
    let mut near = is_near(near, other);
    let mut side = Beside::of(a).and(Beside::of(c));
    for (((&[b, depth], &[d, other]), next), beyond) in corners {
        let beside = Beside::of(b).and(Beside::of(d));
        let mut is_drawn = !side.and(beside).is_out();
        if !far {
            let now = is_near(depth, other);
            is_drawn &= !(near | now);
            near = now;
        }
        if is_drawn {
            // The corners at X- Z- and at X+ Z+.
            let now = if back {
                (*beyond, *height)
            } else {
                (*height, *beyond)
            };
            if now != lit {
                lit = now;
                colours = grass(now.0.into(), i32::from(now.1) - i32::from(now.0));
            }
            let colour = if odd & 1 == 0 { colours[0] } else { colours[1] };
            row.push([0, colour, c, d, a, b]);
        }
        (a, c, side, height) = (b, d, beside, next);
        odd ^= 1;
    }
    let left = row.left();
    list.end::<QUAD>(bucket, left);
    Ok(())
}
