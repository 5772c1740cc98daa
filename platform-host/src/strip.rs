//! Frames of a battle model's animation side by side in one picture, drawn by the software GPU.

use overworld_runtime::anim::ff8::{
    BoneMatrices, Coloured, Face, Geometry, GroupSource, ObjectSource, Skeleton, Texture,
    emit_geometry, matrices,
};
use overworld_runtime::fixed::{Matrix, SVector, Vector};
use overworld_runtime::gpu::{Blend, Depth, DisplayList, page};
use overworld_runtime::gte::Geometry as _;
use overworld_runtime::gte::software::Gte;
use overworld_runtime::model::draw::Options;
use overworld_runtime::model::ff8::{Point, draw};
use overworld_runtime::model::pose::Transform;
use overworld_runtime::model::tim::Tim;
use overworld_runtime::platform::Screen;

use crate::ff8::AnyPose;
use crate::gpu::{Gpu, Picture};
use crate::play::BACKGROUND;

/// Width and height of a frame's picture.
pub const CELL: u16 = 128;
/// Frames in a row; more of them begin another.
pub const COLUMNS: usize = 16;

/// Faces at most in all frames together: each may fill its cell.
const MOST_FACES: usize = 1 << 19;

/// Entries of the ordering table.
const BUCKETS: usize = 1024;
/// Words of a packet and its tag at the most.
const PACKET: usize = 10;
/// How far off the model is, in its own lengths, and what that makes of a length on the screen.
const DISTANCE: i32 = 4096;
const H: u16 = 768;
/// What the model's ball becomes on the screen, in pixels.
const RADIUS: i64 = 58;

/// How the model is looked at: from its front, a little from the side and from above; 4096 a turn.
const PITCH: u16 = 200;
const YAW: u16 = 320;

/// Where a white texture lies for models that come without one.
const WHITE_AT: (u16, u16) = (640, 0);

/// Draw each of these poses, all of them with one view that holds every one.
///
/// With a texture its texels are used; without one the faces are grey, by the light that falls on them in the first
/// pose, and opaque.
///
/// # Errors
/// A texture that cannot be uploaded; a model that cannot be drawn, or has too many faces in all frames together.
pub fn strip(
    skeleton: &Skeleton<'_>,
    mesh: &Geometry<'_>,
    poses: &[AnyPose],
    texture: Option<&Tim<'_>>,
) -> Result<Picture, String> {
    let faces: usize = mesh.objects().map(|it| it.faces().count()).sum();
    let all = faces.saturating_mul(poses.len());
    if all > MOST_FACES {
        return Err(format!(
            "TooMuch: expected at most {MOST_FACES} faces in all frames together, found {all}; --every draws fewer"
        ));
    }
    let mut gpu = Gpu::new(CELL, CELL, BACKGROUND);
    let mut gte = Gte::new();
    let clay = match texture {
        Some(tim) => {
            tim.upload(&mut gpu).map_err(|error| error.to_string())?;
            None
        }
        None => {
            let (x, y) = WHITE_AT;
            let white = [0x7FFF_u16.to_le_bytes(); 256 * 256];
            let sent = gpu.upload(x, y, 256, 256, white.as_flattened());
            sent.map_err(|error| error.to_string())?;
            Some(clay(&mut gte, skeleton, mesh, poses.first())?)
        }
    };
    let mesh = match &clay {
        Some(bytes) => Geometry::parse(bytes, skeleton.len()).map_err(|error| error.to_string())?,
        None => *mesh,
    };
    let view = view(&mut gte, skeleton, &mesh, poses)?;
    let mut words = vec![0; BUCKETS + PACKET * (faces + 1)];
    let mut list = DisplayList::new(&mut words, BUCKETS);
    let mut points = vec![Point::default(); mesh.most_vertices()];
    let mut out = Canvas::new(poses.len());
    let centre = i32::from(CELL / 2) << 16;
    gte.set_screen(centre, centre, H);
    for (number, pose) in poses.iter().enumerate() {
        let mut room = [BoneMatrices::default(); 255];
        let bones = matrices(&mut gte, skeleton, pose, &mut room);
        let bones = bones.map_err(|error| error.to_string())?;
        let options = Options::for_buckets(BUCKETS);
        list.begin(&mut gpu);
        draw(
            &mut gte,
            &mut list,
            &mesh,
            bones,
            &view,
            &mut points,
            &options,
        )
        .map_err(|error| error.to_string())?;
        let last = list.push(list.head(), &[options.draw_mode()]);
        last.map_err(|error| error.to_string())?;
        let drawn = gpu.draw(list.words(), list.head());
        drawn
            .and_then(|()| gpu.present())
            .map_err(|error| error.to_string())?;
        out.put(number, &gpu.displayed());
    }
    Ok(out.0)
}

/// The picture that is made.
struct Canvas(Picture);

impl Canvas {
    /// Room for so many cells, in the background's colour.
    fn new(cells: usize) -> Self {
        let (width, height) = (cells.clamp(1, COLUMNS), cells.div_ceil(COLUMNS).max(1));
        let (width, height) = (width * usize::from(CELL), height * usize::from(CELL));
        let pixel = BACKGROUND.map(|it| it & 0xF8 | it >> 5);
        Self(Picture {
            width,
            height,
            rgb: pixel.repeat(width * height),
        })
    }

    fn put(&mut self, cell: usize, picture: &Picture) {
        let side = usize::from(CELL);
        let (x, y) = (cell % COLUMNS * side, cell / COLUMNS * side);
        for (row, line) in picture.rgb.chunks_exact(3 * side).enumerate() {
            let at = 3 * ((y + row) * self.0.width + x);
            if let Some(place) = self.0.rgb.get_mut(at..at + line.len()) {
                place.copy_from_slice(line);
            }
        }
    }
}

/// Where every vertex is in a pose, object by object, in the model's space.
fn posed(
    gte: &mut Gte,
    skeleton: &Skeleton<'_>,
    mesh: &Geometry<'_>,
    pose: &AnyPose,
) -> Result<Vec<Vec<[i64; 3]>>, String> {
    let mut room = [BoneMatrices::default(); 255];
    let bones = matrices(gte, skeleton, pose, &mut room).map_err(|error| error.to_string())?;
    let place = |bone: u8, [x, y, z]: [i16; 3]| {
        let skin = bones.get(usize::from(bone)).map(|it| it.skin);
        let skin = skin.unwrap_or_default();
        let v = skin.rotation.transform(&SVector::new(x, y, z));
        let t = skin.translation;
        [v.x, v.y, v.z]
            .into_iter()
            .zip([t.x, t.y, t.z])
            .map(|(v, t)| i64::from(v) + i64::from(t))
    };
    let objects = mesh.objects().map(|object| {
        let groups = object.groups();
        let vertices = groups.flat_map(|group| group.vertices().map(move |v| (group.bone, v)));
        vertices
            .map(|(bone, v)| {
                let mut at = [0; 3];
                for (to, from) in at.iter_mut().zip(place(bone, v)) {
                    *to = from;
                }
                at
            })
            .collect()
    });
    Ok(objects.collect())
}

/// A view in which all poses have room.
fn view(
    gte: &mut Gte,
    skeleton: &Skeleton<'_>,
    mesh: &Geometry<'_>,
    poses: &[AnyPose],
) -> Result<Transform, String> {
    let mut range = [[i64::MAX, i64::MIN]; 3];
    for pose in poses {
        for corner in posed(gte, skeleton, mesh, pose)?.into_iter().flatten() {
            for (range, at) in range.iter_mut().zip(corner) {
                *range = [range[0].min(at), range[1].max(at)];
            }
        }
    }
    // Without a vertex there is nothing to be seen.
    let range = range.map(|[low, high]| if low > high { [0, 0] } else { [low, high] });
    let middle = range.map(|[low, high]| (low + high) / 2);
    let reach = range.map(|[low, high]| ((high - low) / 2 + 1).pow(2));
    let radius = reach.into_iter().sum::<i64>().isqrt().max(1);
    // On the screen: radius * scale / 4096 * H / distance.
    let scale = RADIUS * i64::from(DISTANCE) * 4096 / (radius * i64::from(H));
    let scale = scale.clamp(1, i16::MAX.into()) as i16;
    let turn = Matrix::rotation_x(PITCH).multiply(&Matrix::rotation_y(YAW));
    let rotation = Matrix::scale(scale).multiply(&turn);
    let shift = rotation.m.map(|row| {
        let sum: i64 = row
            .iter()
            .zip(middle)
            .map(|(cell, at)| i64::from(*cell) * at)
            .sum();
        -(sum >> 12) as i32
    });
    let [x, y, z] = shift;
    Ok(Transform {
        rotation,
        translation: Vector::new(x, y, z + DISTANCE),
    })
}

/// What is at right angles to a face: away from the viewer who sees it, whose corners go round clockwise.
pub(crate) fn inwards([a, b, c]: [[f64; 3]; 3]) -> [f64; 3] {
    let minus = |p: [f64; 3], q: [f64; 3]| [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
    let (u, v) = (minus(b, a), minus(c, a));
    [
        u[1] * v[2] - u[2] * v[1],
        u[2] * v[0] - u[0] * v[2],
        u[0] * v[1] - u[1] * v[0],
    ]
}

/// The geometry with all faces grey, lit from the upper left in front as the first pose has them.
fn clay(
    gte: &mut Gte,
    skeleton: &Skeleton<'_>,
    mesh: &Geometry<'_>,
    pose: Option<&AnyPose>,
) -> Result<Vec<u8>, String> {
    let at = match pose {
        Some(pose) => posed(gte, skeleton, mesh, pose)?,
        None => Vec::new(),
    };
    let (x, y) = WHITE_AT;
    let texture = Texture {
        clut: 0,
        page: page(x, y, Blend::Average, Depth::Fifteen),
        uv: [0; 4],
    };
    let grey = |object: usize, face: &Face| {
        let place = |corner: usize| {
            let vertex = usize::from(face.vertices[corner]);
            let at = at.get(object).and_then(|it| it.get(vertex));
            at.copied().unwrap_or_default().map(|it| it as f64)
        };
        let inwards = inwards([0, 1, 2].map(place));
        let length = inwards
            .iter()
            .map(|it| it * it)
            .sum::<f64>()
            .sqrt()
            .max(1.0);
        let light = 0.5 * inwards[0] + 0.65 * inwards[1] + 0.57 * inwards[2];
        let grey = (76.0 + 46.0 * light / length) as u8;
        let command = if face.corners == 4 { 0x2C } else { 0x24 };
        Some(Coloured(u32::from_le_bytes([grey, grey, grey, command])))
    };
    let objects: Vec<_> = mesh.objects().collect();
    let groups: Vec<Vec<_>> = objects
        .iter()
        .map(|it| {
            it.groups()
                .map(|it| (it.bone, it.vertices().collect::<Vec<_>>()))
                .collect()
        })
        .collect();
    let groups: Vec<Vec<_>> = groups
        .iter()
        .map(|it| {
            it.iter()
                .map(|(bone, vertices)| GroupSource {
                    bone: *bone,
                    vertices,
                })
                .collect()
        })
        .collect();
    let faces: Vec<Vec<Face>> = objects
        .iter()
        .enumerate()
        .map(|(number, object)| {
            let faces = object.faces();
            faces
                .map(|face| Face {
                    texture,
                    colour: grey(number, &face),
                    ..face
                })
                .collect()
        })
        .collect();
    let sources: Vec<_> = groups
        .iter()
        .zip(&faces)
        .map(|(groups, faces)| ObjectSource { groups, faces })
        .collect();
    // Groups, vertices and faces take as many bytes as before, but for a word a face.
    let count: usize = faces.iter().map(Vec::len).sum();
    let vertices: usize = objects.iter().map(|it| it.len()).sum();
    let heads: usize = groups.iter().map(|it| 24 + 4 * it.len()).sum();
    let mut out = vec![0; 8 + heads + 6 * vertices + 24 * count];
    let length = emit_geometry(&sources, skeleton.len(), &mut out);
    out.truncate(length.map_err(|error| error.to_string())?);
    Ok(out)
}
