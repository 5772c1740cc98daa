//! A posed battle model through the geometry engine into a display list (FF8 sheet, sections 3 and 8).

use core::fmt;

use super::draw::{Options, Stats, is_oversize, is_wide};
use super::pose::Transform;
use crate::anim::ff8::{BoneMatrices, Geometry as Mesh, HIDDEN, INDEX, Object};
use crate::fixed::{SVector, Vector};
use crate::gpu::packet::Style;
use crate::gpu::{DisplayList, Full, Tail};
use crate::gte::Geometry;

/// The neutral colour of textured faces.
const NEUTRAL: u32 = 0x0080_8080;

/// A projected vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Point {
    /// Screen position: x in the low half, y in the high half.
    pub sxy: u32,
    /// Depth, 0 to 65535; 0 is behind the camera.
    pub depth: u16,
}

/// Why a model was not, or not wholly, drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Error {
    /// A vertex belongs to a bone without a matrix.
    TooFewBones {
        /// The bone.
        bone: u8,
        /// Matrices there are.
        bones: usize,
    },
    /// An object has more vertices than there is memory for.
    TooManyVertices {
        /// Its vertices.
        vertices: usize,
        /// What there is room for.
        room: usize,
    },
    /// The display list has no room left; what fitted is in it.
    Full(Full),
}

impl From<Full> for Error {
    fn from(full: Full) -> Self {
        Self::Full(full)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFewBones { bone, bones } => {
                write!(
                    f,
                    "TooFewBones: vertices of bone {bone}, but {bones} matrices"
                )
            }
            Self::TooManyVertices { vertices, room } => write!(
                f,
                "TooManyVertices: an object of {vertices} vertices, there is room for {room}"
            ),
            Self::Full(full) => full.fmt(f),
        }
    }
}

impl core::error::Error for Error {}

/// `view` after `bone`: from the bone's space to that of the camera.
///
/// Leaves `view` in the engine. Positions are worked out with 32 bits, which the engine has not.
#[must_use]
pub fn compose<G: Geometry>(gte: &mut G, view: &Transform, bone: &Transform) -> Transform {
    view.load(gte);
    let rotation = gte.multiply(&bone.rotation);
    let Vector { x, y, z } = bone.translation;
    let turned = view.rotation.m.map(|[a, b, c]| {
        let sum =
            i64::from(a) * i64::from(x) + i64::from(b) * i64::from(y) + i64::from(c) * i64::from(z);
        (sum >> 12) as i32
    });
    let [x, y, z] = turned;
    Transform {
        rotation,
        translation: view.translation.wrapping_add(Vector { x, y, z }),
    }
}

/// Draw all objects of a model whose bones were posed by
/// [`matrices`](crate::anim::ff8::matrices()), seen through `view`. `points` needs room for the vertices of the
/// largest object ([`Mesh::most_vertices`]).
///
/// The screen (`set_screen`) must be set. Rotation and translation of the engine are changed. Of the options those
/// on depths and sides count: there is no light and no depth cue.
///
/// # Errors
/// [`Error::TooFewBones`] and [`Error::TooManyVertices`] before the object in question is drawn;
/// [`Error::Full`].
pub fn draw<G: Geometry>(
    gte: &mut G,
    list: &mut DisplayList<'_>,
    mesh: &Mesh<'_>,
    bones: &[BoneMatrices],
    view: &Transform,
    points: &mut [Point],
    options: &Options,
) -> Result<Stats, Error> {
    let mut stats = Stats::default();
    for object in mesh.objects() {
        let room = points.len();
        let vertices = object.len();
        let points = points
            .get_mut(..vertices)
            .ok_or(Error::TooManyVertices { vertices, room })?;
        let mut places = points.iter_mut();
        for group in object.groups() {
            let missing = Error::TooFewBones {
                bone: group.bone,
                bones: bones.len(),
            };
            let bone = bones.get(usize::from(group.bone)).ok_or(missing)?;
            compose(gte, view, &bone.skin).load(gte);
            for ([x, y, z], place) in group.vertices().zip(&mut places) {
                let point = gte.project(&SVector::new(x, y, z));
                *place = Point {
                    sxy: point.sxy,
                    depth: gte.depth(),
                };
            }
        }
        let mut pass = Pass {
            list: list.tail(),
            points,
            options,
            stats,
        };
        let result = pass.object(&object);
        let left = pass.list.left();
        stats = pass.stats;
        list.set_left(left);
        result?;
    }
    Ok(stats)
}

/// The faces of an object on their way into a list.
struct Pass<'p, 'l> {
    list: Tail<'l>,
    /// The projected vertices.
    points: &'p [Point],
    options: &'p Options,
    stats: Stats,
}

impl Pass<'_, '_> {
    /// All faces of an object.
    fn object(&mut self, object: &Object<'_>) -> Result<(), Full> {
        let [triangles, quads, coloured_triangles, coloured_quads] = object.records_by_kind();
        self.faces::<16, 8, false, false>(triangles)?;
        self.faces::<20, 10, true, false>(quads)?;
        self.faces::<20, 8, false, true>(coloured_triangles)?;
        self.faces::<24, 10, true, true>(coloured_quads)
    }

    /// The faces of one kind: records of `S` bytes that become packets of `P` words, with the tag.
    ///
    /// A loop for each kind, which reads whole words of a record and writes its packet where it stays. What is not
    /// drawn leaves its packet unlinked; the next one takes the place.
    #[inline(never)]
    fn faces<const S: usize, const P: usize, const QUAD: bool, const COLOURED: bool>(
        &mut self,
        records: &[u8],
    ) -> Result<(), Full> {
        let Self {
            points,
            options,
            stats,
            ..
        } = self;
        let points = *points;
        let (zsf, command) = if QUAD {
            (options.zsf4, 0x2C00_0000)
        } else {
            (options.zsf3, 0x2400_0000)
        };
        // By a negative factor everything is behind the camera.
        let near = if zsf < 0 {
            u32::MAX
        } else {
            options.near.into()
        };
        let zsf = u32::from(zsf.unsigned_abs());
        let two_sided = options.two_sided;
        let last = self.list.buckets().saturating_sub(1);
        let mut rest = records;
        while let Some((record, after)) = rest.split_first_chunk::<S>() {
            rest = after;
            let word = |n: usize| match record.get(4 * n..).and_then(|it| it.first_chunk()) {
                Some(bytes) => u32::from_le_bytes(*bytes),
                None => 0,
            };
            let (first, second, third, fourth) = (word(0), word(1), word(2), word(3));
            let at = |index: u32| points.get((index & u32::from(INDEX)) as usize);
            let (Some(p), Some(q), Some(r)) = (at(first), at(first >> 16), at(second)) else {
                // Not of a geometry that was read: all its vertices are there.
                stats.near += 1;
                continue;
            };
            // A triangle's fourth corner is its third.
            let s = if QUAD {
                at(second >> 16).unwrap_or(r)
            } else {
                r
            };
            let turned =
                || area([p.sxy, q.sxy, r.sxy]) <= 0 && !(QUAD && area([q.sxy, s.sxy, r.sxy]) > 0);
            if fourth >> 16 & u32::from(HIDDEN) != 0 || (!two_sided && turned()) {
                stats.culled += 1;
                continue;
            }
            let depths = [p, q, r, s].map(|it| u32::from(it.depth));
            let [a, b, c, d] = depths;
            let sum = a + b + c + if QUAD { d } else { 0 };
            let depth = ((u64::from(sum) * u64::from(zsf)) >> 12) as u32;
            // A corner behind the camera has no place on the screen.
            if depth < near || depths.contains(&0) {
                stats.near += 1;
                continue;
            }
            let xy = [p.sxy, q.sxy, r.sxy, s.sxy];
            if is_wide(xy) && is_oversize(&xy) {
                stats.oversize += 1;
                continue;
            }
            // The bias is stored with 8 added.
            let bucket = (depth + (first >> 12 & 15)).saturating_sub(8) as usize;
            let free = self.list.left();
            let full = Full { needed: P, free };
            let packet = self.list.packet::<P>().ok_or(full)?;
            let colour = if COLOURED { word(S / 4 - 1) } else { NEUTRAL };
            let style = Style::from_command((colour >> 24) as u8);
            let command = command | u32::from(style.command_byte(0)) << 24;
            let [_, body @ ..] = packet.as_mut_slice() else {
                return Err(full);
            };
            let (u, v) = if QUAD {
                let last = word(4);
                (last & 0xFFFF, last >> 16)
            } else {
                (second >> 16, 0)
            };
            let words = [
                command | colour & 0x00FF_FFFF,
                p.sxy,
                third,
                q.sxy,
                fourth,
                r.sxy,
                u,
                s.sxy,
                v,
            ];
            for (place, word) in body.iter_mut().zip(words) {
                *place = word;
            }
            if !self.list.link::<P>(bucket.min(last)) {
                return Err(full);
            }
            stats.drawn += 1;
        }
        Ok(())
    }
}

/// Twice the signed area of three screen positions, positive when they run clockwise (y down): NCLIP. The engine keeps
/// positions within -1024 to 1023, so that nothing overflows.
#[inline(always)]
fn area(xy: [u32; 3]) -> i32 {
    let [[ax, ay], [bx, by], [cx, cy]] =
        xy.map(|it| [i32::from(it as i16), i32::from((it >> 16) as i16)]);
    let (bx, by, cx, cy) = (bx - ax, by - ay, cx - ax, cy - ay);
    bx.wrapping_mul(cy).wrapping_sub(cx.wrapping_mul(by))
}
