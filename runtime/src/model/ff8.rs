//! A posed battle model through the geometry engine into a display list (FF8 sheet, sections 3 and 8).

use core::fmt;

use super::draw::{Options, Stats};
use super::pose::Transform;
use crate::anim::ff8::{BoneMatrices, Coloured, Face, Geometry as Mesh};
use crate::fixed::{SVector, Vector};
use crate::gpu::packet::{self, Style};
use crate::gpu::{DisplayList, Full};
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
        for face in object.faces() {
            draw_face(list, &face, points, options, &mut stats)?;
        }
    }
    Ok(stats)
}

/// One face between projected vertices.
fn draw_face(
    list: &mut DisplayList<'_>,
    face: &Face,
    points: &[Point],
    options: &Options,
    stats: &mut Stats,
) -> Result<(), Full> {
    let quad = face.corners == 4;
    // A triangle's fourth corner is its third.
    let [a, b, c, d] = face.vertices;
    let corners = [a, b, c, if quad { d } else { c }];
    let corners = corners.map(|it| points.get(usize::from(it)).copied().unwrap_or_default());
    let xy = corners.map(|it| it.sxy);
    let [p, q, r, s] = xy;
    let turned = area([p, q, r]) <= 0 && !(quad && area([q, s, r]) > 0);
    if face.hidden || (turned && !options.two_sided) {
        stats.culled += 1;
        return Ok(());
    }
    let depths = corners.map(|it| i64::from(it.depth));
    let depth = if quad {
        depths.iter().sum::<i64>() * i64::from(options.zsf4)
    } else {
        depths.iter().take(3).sum::<i64>() * i64::from(options.zsf3)
    } >> 12;
    // A corner behind the camera has no place on the screen.
    if depth < i64::from(options.near) || depths.contains(&0) {
        stats.near += 1;
        return Ok(());
    }
    if super::draw::is_oversize(&xy) {
        stats.oversize += 1;
        return Ok(());
    }
    let bucket = (depth + i64::from(face.bias)).max(0) as usize;
    let Coloured(word) = face.colour.unwrap_or(Coloured(NEUTRAL));
    let style = Style::from_command((word >> 24) as u8);
    let [t, u, v, w] = face.texture.uv;
    let (clut, page) = (face.texture.clut, face.texture.page);
    if quad {
        let uv = [t, u, v, w];
        let packet = packet::ft4(style, word, xy, &packet::Texture { clut, page, uv });
        list.push(bucket, &packet)?;
    } else {
        let uv = [t, u, v];
        let packet = packet::ft3(style, word, [p, q, r], &packet::Texture { clut, page, uv });
        list.push(bucket, &packet)?;
    }
    stats.drawn += 1;
    Ok(())
}

/// Twice the signed area of three screen positions, positive when they run clockwise (y down): NCLIP.
fn area(xy: [u32; 3]) -> i32 {
    let [[ax, ay], [bx, by], [cx, cy]] =
        xy.map(|it| [i32::from(it as i16), i32::from((it >> 16) as i16)]);
    ax * by + bx * cy + cx * ay - ax * cy - bx * ay - cx * by
}
