//! The toad's faces: a body whose rings belong to three bones, and what hangs on it.

use overworld_runtime::anim::ff8::{
    BoneMatrices, Coloured, Dat, Face, GroupSource, ObjectSource, Texture, emit_geometry, matrices,
};
use overworld_runtime::fixed::{cos, sin};
use overworld_runtime::gpu::packet::uv;
use overworld_runtime::gpu::{Blend, Depth, clut, page};
use overworld_runtime::gte::software::Gte;

use super::super::mesh::{Point, cross, dot, minus, q12, shade};
use super::{BONES, PALETTE_AT, SIZE, TEXTURE_AT, art, bone};
use crate::ff8::{self, Source};

/// Sides of the body.
const SIDES: u16 = 14;
/// Sides of eyes, throat and limbs.
const FEW: u16 = 8;

/// Commands of the GPU in the colour words: a textured triangle and quad, and what makes them semi-transparent.
const TRIANGLE: u8 = 0x24;
const QUAD: u8 = 0x2C;
const CLEAR: u8 = 0x02;

/// Rings of the body from the seat to the crown: height above the ground, half width, half depth, how far it lies
/// behind the axis, and the bone.
const RINGS: [(i16, [f64; 3], u8); 8] = [
    (0, [205.0, 195.0, 45.0], bone::BODY),
    (50, [275.0, 262.0, 42.0], bone::BODY),
    (140, [302.0, 284.0, 22.0], bone::BODY),
    (240, [286.0, 258.0, -10.0], bone::CHEST),
    (320, [256.0, 228.0, -38.0], bone::CHEST),
    (400, [244.0, 212.0, -66.0], bone::HEAD),
    (462, [206.0, 176.0, -70.0], bone::HEAD),
    (508, [118.0, 100.0, -62.0], bone::HEAD),
];

/// A place in vertex units.
fn sized(at: Point) -> Point {
    at.map(|it| it * f64::from(SIZE[0]) / f64::from(SIZE[1]))
}

/// A place in the space of a bone, in the units of [`RINGS`], and the texel there.
#[derive(Clone, Copy)]
struct Corner {
    bone: u8,
    at: Point,
    uv: u16,
}

/// How a face is coloured.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Paint {
    /// As its texels: their light is painted.
    Plain,
    /// By a flat light.
    Lit,
    /// By a flat light, and what lies behind is seen.
    Clear,
}

/// An object that is being made.
struct Shape<'a> {
    /// The bones of the toad at rest.
    rest: &'a [BoneMatrices],
    vertices: Vec<(u8, [i16; 3])>,
    faces: Vec<Face>,
}

/// Section 2.
///
/// # Errors
/// What the writers refuse.
pub fn geometry(skeleton: &Source) -> Result<Vec<u8>, String> {
    let words = |error: overworld_runtime::anim::ff8::Error| error.to_string();
    let file = skeleton.model()?;
    let dat = Dat::parse(&file).map_err(words)?;
    let bones = dat.skeleton().map_err(words)?;
    let animation = dat.animations().and_then(|it| it.get(super::IDLE));
    let pose = ff8::pose(&animation.map_err(words)?, bones.len(), 0).map_err(words)?;
    let pose = pose.ok_or("the toad has no frame to be modelled in")?;
    let mut room = [BoneMatrices::default(); bone::COUNT];
    let rest = matrices(&mut Gte::new(), &bones, &pose, &mut room).map_err(words)?;

    let shapes = [body(rest), limbs(rest)].map(Shape::sorted);
    let groups = shapes.each_ref().map(|(vertices, _)| {
        let groups = (0..).zip(vertices).filter(|(_, it)| !it.is_empty());
        let groups = groups.map(|(bone, vertices)| GroupSource { bone, vertices });
        groups.collect::<Vec<_>>()
    });
    let objects: Vec<_> = shapes
        .iter()
        .zip(&groups)
        .map(|((_, faces), groups)| ObjectSource { groups, faces })
        .collect();
    let mut out = vec![0; 64 * 1024];
    let length = emit_geometry(&objects, bones.len(), &mut out).map_err(words)?;
    out.truncate(length);
    Ok(out)
}

impl<'a> Shape<'a> {
    const fn new(rest: &'a [BoneMatrices]) -> Self {
        Self {
            rest,
            vertices: Vec::new(),
            faces: Vec::new(),
        }
    }

    /// Where a place of a bone is when the toad is at rest, in the space of the model.
    fn at_rest(&self, bone: u8, [x, y, z]: Point) -> Point {
        let Some(bone) = self.rest.get(usize::from(bone)) else {
            return [x, y, z];
        };
        let [x, y, z] = sized([x, y, z]);
        let t = bone.skin.translation;
        let sum = |[a, b, c]: [i16; 3], t: i32| q12(a) * x + q12(b) * y + q12(c) * z + f64::from(t);
        let [p, q, r] = bone.skin.rotation.m;
        [sum(p, t.x), sum(q, t.y), sum(r, t.z)]
    }

    fn vertex(&mut self, corner: &Corner) -> u16 {
        let vertex = (corner.bone, sized(corner.at).map(|it| it.round() as i16));
        let known = self.vertices.iter().position(|it| *it == vertex);
        let number = known.unwrap_or_else(|| {
            self.vertices.push(vertex);
            self.vertices.len() - 1
        });
        // A model of this size stays far below the format's 4096.
        number as u16
    }

    /// A face of three corners, or of four in the order 0 1 / 2 3, that is seen from where `inside`, a place of a
    /// bone, is behind it.
    fn face(&mut self, corners: &[Corner], inside: (u8, Point), paint: Paint, bias: i8) {
        let places: Vec<Point> = corners
            .iter()
            .map(|it| self.at_rest(it.bone, it.at))
            .collect();
        let inside = self.at_rest(inside.0, inside.1);
        let [a, b, c] = [places[0], places[1], places[2]];
        // Clockwise on the screen means that this product points away from the viewer.
        let product = cross(minus(b, a), minus(c, a));
        let turned = dot(product, minus(inside, a)) < 0.0;
        let order: &[usize] = match (corners.len(), turned) {
            (3, false) => &[0, 1, 2],
            (3, true) => &[0, 2, 1],
            (_, false) => &[0, 1, 2, 3],
            (_, true) => &[1, 0, 3, 2],
        };
        let outwards = product.map(|it| if turned { it } else { -it });
        let command = if corners.len() == 3 { TRIANGLE } else { QUAD };
        let coloured = |command: u8| {
            let [r, g, b] = shade(outwards, [208; 3]);
            Some(Coloured(u32::from_le_bytes([r, g, b, command])))
        };
        let mut face = Face {
            vertices: [0; 4],
            corners: corners.len() as u8,
            bias,
            hidden: false,
            texture: Texture {
                clut: clut(PALETTE_AT.0, PALETTE_AT.1),
                page: page(TEXTURE_AT.0, TEXTURE_AT.1, Blend::Average, Depth::Eight),
                uv: [0; 4],
            },
            colour: match paint {
                Paint::Plain => None,
                Paint::Lit => coloured(command),
                Paint::Clear => coloured(command | CLEAR),
            },
        };
        for (place, &number) in order.iter().enumerate() {
            face.vertices[place] = self.vertex(&corners[number]);
            face.texture.uv[place] = corners[number].uv;
        }
        self.faces.push(face);
    }

    /// Rings, each closed by a corner that repeats its first one, joined by quads.
    fn tube(&mut self, rings: &[Vec<Corner>], inside: (u8, Point), paint: Paint, bias: i8) {
        for pair in rings.windows(2) {
            let [upper, lower] = pair else { continue };
            for (a, b) in upper.windows(2).zip(lower.windows(2)) {
                self.face(&[a[0], a[1], b[0], b[1]], inside, paint, bias);
            }
        }
    }

    /// A ring, closed as for [`Shape::tube`], filled up to a point.
    fn cap(&mut self, tip: Corner, ring: &[Corner], inside: (u8, Point), paint: Paint, bias: i8) {
        for pair in ring.windows(2) {
            self.face(&[tip, pair[0], pair[1]], inside, paint, bias);
        }
    }

    /// Vertices by bone, and the faces with their numbers in that order.
    fn sorted(self) -> (Vec<Vec<[i16; 3]>>, Vec<Face>) {
        let of = |bone| {
            self.vertices
                .iter()
                .enumerate()
                .filter(move |it| it.1.0 == bone)
        };
        let order: Vec<usize> = (0..bone::COUNT as u8)
            .flat_map(|bone| of(bone).map(|(old, _)| old))
            .collect();
        let mut numbers = vec![0; order.len()];
        for (new, &old) in (0..).zip(&order) {
            numbers[old] = new;
        }
        let mut faces = self.faces;
        for face in &mut faces {
            for vertex in face.vertices.iter_mut().take(face.corners.into()) {
                *vertex = numbers[usize::from(*vertex)];
            }
        }
        let vertices = (0..bone::COUNT as u8).map(|bone| {
            self.vertices
                .iter()
                .filter(|it| it.0 == bone)
                .map(|it| it.1)
                .collect()
        });
        (vertices.collect(), faces)
    }
}

/// How far a bone of the spine lies above the ground.
fn base(bone: u8) -> i16 {
    (bone::BODY..bone).map(|it| BONES[usize::from(it)].1).sum()
}

fn body(rest: &[BoneMatrices]) -> Shape<'_> {
    let mut shape = Shape::new(rest);
    let ring = |&(height, [wide, deep, back], bone): &(i16, Point, u8)| -> Vec<Corner> {
        let row = (i32::from(art::BODY_ROWS) - 1) * i32::from(508 - height) / 508;
        (0..=SIDES)
            .map(|side| {
                // From the middle of the back around to it again: the front is in the middle of the texture.
                let angle = (u32::from(side) * 4096 / u32::from(SIDES)) as u16;
                let (x, y) = (-q12(sin(angle)), q12(cos(angle)));
                let column = (u32::from(side) * 128 / u32::from(SIDES)).min(127);
                Corner {
                    bone,
                    at: [x * wide, y * deep + back, f64::from(height - base(bone))],
                    uv: uv(column as u8, row.max(4) as u8),
                }
            })
            .collect()
    };
    let rings: Vec<_> = RINGS.iter().map(ring).collect();
    let middle = (bone::BODY, [0.0, -10.0, 200.0]);
    shape.tube(&rings, middle, Paint::Plain, 0);
    let tips = [
        (
            rings.first(),
            bone::BODY,
            [0.0, 45.0, -4.0],
            art::BODY_ROWS - 1,
        ),
        (rings.last(), bone::HEAD, [0.0, -58.0, 144.0], 0),
    ];
    for (ring, bone, at, row) in tips {
        let Some(ring) = ring else { continue };
        for pair in ring.windows(2) {
            let column = (pair[0].uv & 0xFF) as u8;
            let tip = Corner {
                bone,
                at,
                uv: uv(column, row),
            };
            shape.face(&[tip, pair[0], pair[1]], middle, Paint::Plain, 0);
        }
    }
    shape
}

/// A ball that looks `along` an axis of its bone; the texture is unrolled from its foremost point.
fn ball(
    shape: &mut Shape<'_>,
    bone: u8,
    middle: Point,
    radius: f64,
    along: Front,
    texture: (u8, u8),
    paint: Paint,
) {
    // Nearer than the body's faces, from which it rises.
    let bias = -2;
    let corner = |away: u16, around: u16| {
        let (near, far) = (q12(cos(away)), q12(sin(away)));
        let turn = (u32::from(around) * 4096 / u32::from(FEW)) as u16;
        let (right, up) = (far * q12(cos(turn)), far * q12(sin(turn)));
        let offset = match along {
            Front::Back => [right, -near, up],
            Front::Z => [right, up, near],
        };
        let column = (u32::from(around) * 64 / u32::from(FEW)).min(63) as u8;
        let row = (away / 64).min(31) as u8;
        Corner {
            bone,
            at: [0, 1, 2].map(|it| middle[it] + radius * offset[it]),
            uv: uv(texture.0 + column, texture.1 + row),
        }
    };
    const STEPS: [u16; 4] = [440, 880, 1320, 1720];
    let rings: Vec<Vec<Corner>> = STEPS
        .iter()
        .map(|&away| (0..=FEW).map(|around| corner(away, around)).collect())
        .collect();
    let inside = (bone, middle);
    shape.tube(&rings, inside, paint, bias);
    for (ring, away) in [(rings.first(), 0), (rings.last(), 2048)] {
        for (around, pair) in (0..).zip(ring.map_or(&[][..], |it| it).windows(2)) {
            shape.face(
                &[corner(away, around), pair[0], pair[1]],
                inside,
                paint,
                bias,
            );
        }
    }
}

/// Which way a ball looks.
#[derive(Clone, Copy)]
enum Front {
    /// Against Y, which points backwards where Z points up.
    Back,
    /// Along Z.
    Z,
}

/// Rings about a bone's Z: place along it, radius, shift along Y.
fn limb(shape: &mut Shape<'_>, bone: u8, stations: &[[f64; 3]]) {
    let ring = |(number, &[along, radius, shift]): (u8, &[f64; 3])| -> Vec<Corner> {
        (0..=FEW)
            .map(|side| {
                let angle = (u32::from(side) * 4096 / u32::from(FEW)) as u16;
                let column = (u32::from(side) * 64 / u32::from(FEW)).min(63) as u8;
                Corner {
                    bone,
                    at: [
                        radius * q12(cos(angle)),
                        radius * q12(sin(angle)) + shift,
                        along,
                    ],
                    uv: uv(art::LIMB.0 + column, art::LIMB.1 + 3 * number),
                }
            })
            .collect()
    };
    let rings: Vec<_> = (0..).zip(stations).map(ring).collect();
    let [Some(first), Some(last)] = [stations.first(), stations.last()] else {
        return;
    };
    let inside = (
        bone,
        [0.0, (first[2] + last[2]) / 2.0, (first[0] + last[0]) / 2.0],
    );
    shape.tube(&rings, inside, Paint::Lit, 0);
    for (station, ring) in [(first, rings.first()), (last, rings.last())] {
        let tip = Corner {
            bone,
            at: [0.0, station[2], station[0]],
            uv: uv(art::LIMB.0 + 32, art::LIMB.1 + 8),
        };
        shape.cap(tip, ring.map_or(&[], |it| it), inside, Paint::Lit, 0);
    }
}

/// A foot with three toes and a web between them, so many tenths of its size; Z points up, the ground is `below`.
fn foot(shape: &mut Shape<'_>, bone: u8, tenths: f64, below: f64) {
    const RIM: [[f64; 2]; 9] = [
        [0.0, 62.0],
        [52.0, 26.0],
        [112.0, -96.0],
        [48.0, -70.0],
        [0.0, -140.0],
        [-48.0, -70.0],
        [-112.0, -96.0],
        [-52.0, 26.0],
        [0.0, 62.0],
    ];
    let rim: Vec<Corner> = RIM
        .iter()
        .map(|[x, y]| Corner {
            bone,
            at: [x * tenths / 10.0, y * tenths / 10.0, -below],
            uv: uv(
                (f64::from(art::TOE.0) + 32.0 + x / 4.0) as u8,
                art::TOE.1 + 12,
            ),
        })
        .collect();
    let tip = |height: f64| Corner {
        bone,
        at: [0.0, -8.0, height],
        uv: uv(art::TOE.0 + 32, art::TOE.1 + 2),
    };
    let inside = (bone, [0.0, -8.0, -below + 2.0]);
    shape.cap(tip(38.0 * tenths / 10.0), &rim, inside, Paint::Lit, 0);
    shape.cap(tip(-below - 1.0), &rim, inside, Paint::Lit, 0);
}

fn limbs(rest: &[BoneMatrices]) -> Shape<'_> {
    let mut shape = Shape::new(rest);
    for (bone, side) in bone::EYES.into_iter().zip([-1.0, 1.0]) {
        ball(
            &mut shape,
            bone,
            [side * 128.0, -92.0, 0.0],
            82.0,
            Front::Back,
            art::EYE,
            Paint::Plain,
        );
    }
    ball(
        &mut shape,
        bone::SAC,
        [0.0; 3],
        92.0,
        Front::Z,
        art::SAC,
        Paint::Clear,
    );
    for arm in bone::ARMS {
        limb(
            &mut shape,
            arm,
            &[
                [150.0, 58.0, 0.0],
                [230.0, 50.0, 0.0],
                [300.0, 36.0, 0.0],
                [348.0, 30.0, 0.0],
            ],
        );
        foot(&mut shape, arm + 1, 8.0, 14.0);
    }
    for thigh in bone::THIGHS {
        limb(
            &mut shape,
            thigh,
            &[
                [120.0, 76.0, 0.0],
                [185.0, 104.0, 0.0],
                [250.0, 92.0, 0.0],
                [316.0, 52.0, 0.0],
            ],
        );
        limb(
            &mut shape,
            thigh + 1,
            &[
                [-20.0, 50.0, 0.0],
                [60.0, 56.0, 0.0],
                [150.0, 40.0, 0.0],
                [222.0, 32.0, 0.0],
            ],
        );
        foot(&mut shape, thigh + 2, 11.0, 20.0);
    }
    shape
}
