//! The owl's mesh: body, left wing, right wing. Y points down, the front looks to -Z, units are
//! those of a field. Lighting is baked into the colours.

use overworld_runtime::fixed::{SVector, cos, sin};
use overworld_runtime::gpu::{Blend, Depth, Style, clut, page};
use overworld_runtime::model::tmd::{self, GroupSource, Kind, ObjectSource, Primitive};

use super::art::{self, BODY_ROWS, SIZE, WING_COLUMNS};
use super::{PALETTE_AT, TEXTURE_AT};

pub(super) type Point = [f64; 3];

/// Where the light comes from (towards it), not normalised.
const LIGHT: Point = [-0.55, -0.8, -0.75];

/// Sides of the body.
const SIDES: u16 = 12;

/// Profile of the body from crown to bottom: height, half width, half depth, shift in z, texture
/// row.
const PROFILE: [[f64; 5]; 8] = [
    [-452.0, 52.0, 46.0, 4.0, 3.0],
    [-420.0, 104.0, 92.0, 2.0, 12.0],
    [-360.0, 134.0, 116.0, -4.0, 28.0],
    [-290.0, 128.0, 112.0, -4.0, 44.0],
    [-258.0, 112.0, 102.0, 0.0, 52.0],
    [-170.0, 146.0, 128.0, -6.0, 68.0],
    [-70.0, 124.0, 112.0, -2.0, 86.0],
    [-22.0, 66.0, 60.0, 4.0, 94.0],
];

/// The TMD file of an owl this many eighths of its size.
pub fn tmd(eighths: i16) -> Result<Vec<u8>, tmd::Error> {
    emit(&owl(eighths))
}

/// Body and wings, this many eighths of their size.
fn owl(eighths: i16) -> [Mesh; 3] {
    let mut meshes = [body(), wing(-1.0), wing(1.0)];
    for vertex in meshes.iter_mut().flat_map(|it| &mut it.vertices) {
        for part in [&mut vertex.x, &mut vertex.y, &mut vertex.z] {
            *part = *part * eighths / 8;
        }
    }
    meshes
}

/// The TMD file of somebody else of the same kind: with the next palette, and its colours in what has no texture.
pub fn other(eighths: i16) -> Result<Vec<u8>, tmd::Error> {
    let mut meshes = owl(eighths);
    let primitives = meshes.iter_mut().flat_map(|it| &mut it.primitives);
    for (kind, primitives) in primitives {
        for primitive in primitives {
            primitive.clut = clut(PALETTE_AT.0 + 16, PALETTE_AT.1);
            if kind.layout().texture.is_none() {
                for colour in &mut primitive.colours {
                    let [r, g, b, command] = colour.to_le_bytes();
                    let [r, g, b] = art::other([r, g, b]);
                    *colour = u32::from_le_bytes([r, g, b, command]);
                }
            }
        }
    }
    emit(&meshes)
}

/// Where the leaves of the house's door hang: half the door's width from the middle, and in front of the wall.
pub(super) const HINGE: [i16; 3] = [22, 0, -76];

/// The TMD file of a house: walls and a roof, and the two leaves of a door that looks to -Z, each about its hinge.
pub fn house() -> Result<Vec<u8>, tmd::Error> {
    let mut mesh = Mesh::default();
    let (half, eaves, ridge) = (72.0, -120.0, -210.0);
    let (wide, lintel) = (f64::from(HINGE[0]), -76.0);
    let flat = |at: Point, colour| Corner {
        at,
        uv: (0, 0),
        colour,
    };
    let middle = [0.0, -80.0, 0.0];
    let corners = [[-half, -half], [half, -half], [half, half], [-half, half]];
    for (number, &[x, z]) in corners.iter().enumerate() {
        let [next_x, next_z] = corners[(number + 1) % 4];
        let outward = [(x + next_x) / 2.0, 0.0, (z + next_z) / 2.0];
        let wall = shade(outward, [222, 206, 170]);
        // Left, right, top and bottom of each piece; the first wall is left open where the door is.
        let whole = [x, next_x, eaves, 0.0];
        let around = [
            [x, -wide, eaves, 0.0],
            [wide, next_x, eaves, 0.0],
            [-wide, wide, eaves, lintel],
        ];
        let pieces = if number == 0 { &around[..] } else { &[whole] };
        for &[left, right, top, bottom] in pieces {
            let faces = [
                [left, top, z],
                [right, top, next_z],
                [left, bottom, z],
                [right, bottom, next_z],
            ];
            mesh.face(
                Kind::F4,
                &faces.map(|at| flat(at, wall)),
                Side::AwayFrom(middle),
            );
        }
        let roof = shade(plus(outward, [0.0, -90.0, 0.0]), [176, 72, 58]);
        let over = 1.2;
        let faces = [
            [0.0, ridge, 0.0],
            [over * x, eaves, over * z],
            [over * next_x, eaves, over * next_z],
        ];
        mesh.face(
            Kind::F3,
            &faces.map(|at| flat(at, roof)),
            Side::AwayFrom(middle),
        );
    }
    let across = |left: f64, right: f64, z, colour| {
        let corners = [[left, lintel], [right, lintel], [left, 0.0], [right, 0.0]];
        corners.map(|[x, y]| flat([x, y, z], colour))
    };
    // The dark behind the leaves, far enough for them to be drawn later.
    let dark = across(-wide, wide, 14.0 - half, [34, 26, 30]);
    mesh.face(Kind::F4, &dark, Side::AwayFrom(middle));
    // The left leaf reaches to the right, and the right one to the left.
    let leaf = |side: f64, colour| {
        let mut leaf = Mesh::default();
        leaf.face(
            Kind::F4,
            &across(0.0, -side * wide, 0.0, colour),
            Side::Both,
        );
        leaf
    };
    emit(&[mesh, leaf(-1.0, [92, 58, 42]), leaf(1.0, [84, 52, 38])])
}

/// A TMD file of these objects.
fn emit(meshes: &[Mesh]) -> Result<Vec<u8>, tmd::Error> {
    let groups: Vec<_> = meshes.iter().map(Mesh::groups).collect();
    let objects: Vec<ObjectSource<'_>> = meshes
        .iter()
        .zip(&groups)
        .map(|(mesh, groups)| ObjectSource {
            vertices: &mesh.vertices,
            normals: &[],
            groups,
        })
        .collect();
    let mut file = vec![0; 128 * 1024];
    let length = tmd::emit(&objects, &mut file)?;
    file.truncate(length);
    Ok(file)
}

/// Vertices and primitives of one object.
#[derive(Default)]
struct Mesh {
    vertices: Vec<SVector>,
    /// In the order in which the kinds first came.
    primitives: Vec<(Kind, Vec<Primitive>)>,
}

/// A corner of a face.
#[derive(Clone, Copy)]
struct Corner {
    at: Point,
    /// Texture coordinate; ignored by untextured faces.
    uv: (i32, i32),
    colour: [u8; 3],
}

/// Which side of a face is seen.
#[derive(Clone, Copy)]
enum Side {
    /// The one turned away from this point.
    AwayFrom(Point),
    /// Both; the face is stored twice.
    Both,
}

impl Mesh {
    fn groups(&self) -> Vec<GroupSource<'_>> {
        self.primitives
            .iter()
            .map(|(kind, primitives)| GroupSource {
                kind: *kind,
                style: Style::OPAQUE,
                primitives,
            })
            .collect()
    }

    fn vertex(&mut self, at: Point) -> u16 {
        let [x, y, z] = at.map(|component| component.round() as i16);
        let vertex = SVector::new(x, y, z);
        let number = self
            .vertices
            .iter()
            .position(|&known| known == vertex)
            .unwrap_or_else(|| {
                self.vertices.push(vertex);
                self.vertices.len() - 1
            });
        // A model of this size stays far below the format's 4096.
        number as u16
    }

    /// A face of three corners or of four in the order 0 1 / 2 3, in the winding that shows `side`.
    fn face(&mut self, kind: Kind, corners: &[Corner], side: Side) {
        let [a, b, c] = [corners[0].at, corners[1].at, corners[2].at];
        // Clockwise on the screen means that this product points away from the viewer.
        let product = cross(minus(b, a), minus(c, a));
        match side {
            Side::AwayFrom(inside) => {
                let shown = dot(product, minus(inside, a)) > 0.0;
                self.push(kind, corners, !shown);
            }
            Side::Both => {
                self.push(kind, corners, false);
                self.push(kind, corners, true);
            }
        }
    }

    fn push(&mut self, kind: Kind, corners: &[Corner], turned: bool) {
        let order: &[usize] = match (corners.len(), turned) {
            (3, false) => &[0, 1, 2],
            (3, true) => &[0, 2, 1],
            (_, false) => &[0, 1, 2, 3],
            (_, true) => &[1, 0, 3, 2],
        };
        let mut primitive = Primitive {
            clut: clut(PALETTE_AT.0, PALETTE_AT.1),
            page: page(TEXTURE_AT.0, TEXTURE_AT.1, Blend::Average, Depth::Four),
            ..Primitive::default()
        };
        for (place, &number) in order.iter().enumerate() {
            let corner = corners[number];
            primitive.vertices[place] = self.vertex(corner.at);
            let last = SIZE - 1;
            primitive.uv[place] = (corner.uv.0.min(last) | corner.uv.1.min(last) << 8) as u16;
            let [r, g, b] = corner.colour;
            primitive.colours[place] = u32::from_le_bytes([r, g, b, 0]);
        }
        // The code byte of the first colour is the GP0 command.
        primitive.colours[0] |= u32::from(kind.layout().command) << 24;
        match self.primitives.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, group)) => group.push(primitive),
            None => self.primitives.push((kind, vec![primitive])),
        }
    }

    /// A closed shape of rings, coloured corner by corner.
    fn tube(&mut self, rings: &[Vec<Point>], colour: [u8; 3]) {
        let centre = |ring: &[Point]| {
            let sum = ring.iter().fold([0.0; 3], |sum, &point| plus(sum, point));
            sum.map(|component| component / ring.len() as f64)
        };
        for pair in rings.windows(2) {
            let [upper, lower] = pair else { continue };
            let middle = times(plus(centre(upper), centre(lower)), 0.5);
            for side in 0..upper.len() {
                let next = (side + 1) % upper.len();
                let corners =
                    [upper[side], upper[next], lower[side], lower[next]].map(|at| Corner {
                        at,
                        uv: (0, 0),
                        colour: paint(minus(at, middle), colour),
                    });
                self.face(Kind::G4, &corners, Side::AwayFrom(middle));
            }
        }
    }
}

fn body() -> Mesh {
    let mut mesh = Mesh::default();
    let rings: Vec<Vec<Corner>> = (0..PROFILE.len()).map(ring).collect();
    let middle = [0.0, -230.0, 0.0];
    for pair in rings.windows(2) {
        let [upper, lower] = pair else { continue };
        for side in 0..usize::from(SIDES) {
            let corners = [upper[side], upper[side + 1], lower[side], lower[side + 1]];
            let height = (corners[0].at[1] + corners[2].at[1]) / 2.0;
            mesh.face(Kind::Gt4, &corners, Side::AwayFrom([0.0, height, 0.0]));
        }
    }
    for (number, tip) in [
        (0, [0.0, -462.0, 6.0]),
        (PROFILE.len() - 1, [0.0, -12.0, 6.0]),
    ] {
        let row = if number == 0 { 0 } else { BODY_ROWS - 1 };
        for side in 0..usize::from(SIDES) {
            let (a, b) = (rings[number][side], rings[number][side + 1]);
            let up = [0.0, if number == 0 { -1.0 } else { 1.0 }, 0.0];
            let tip = Corner {
                at: tip,
                uv: ((a.uv.0 + b.uv.0) / 2, row),
                colour: shade(up, [255; 3]),
            };
            mesh.face(Kind::Gt3, &[tip, a, b], Side::AwayFrom(middle));
        }
    }
    beak(&mut mesh);
    for side in [-1.0, 1.0] {
        tuft(&mut mesh, side);
        foot(&mut mesh, side);
    }
    tail(&mut mesh);
    key(&mut mesh);
    mesh
}

/// Corners around the body at one height of the profile, the seam at the back doubled.
fn ring(number: usize) -> Vec<Corner> {
    let [y, half_width, half_depth, shift, row] = PROFILE[number];
    let above = PROFILE[number.saturating_sub(1)];
    let below = PROFILE[(number + 1).min(PROFILE.len() - 1)];
    // Rising outwards means that the surface looks down.
    let lean = (above[1] - below[1]) / (below[0] - above[0]);
    (0..=SIDES)
        .map(|side| {
            // Half a turn back, then once around: the front is in the middle of the texture.
            let angle = (u32::from(side) * 4096 / u32::from(SIDES) + 2048) as u16;
            let (x, z) = (q12(sin(angle)), -q12(cos(angle)));
            let normal = [x, -lean * 0.9, z];
            Corner {
                at: [x * half_width, y, z * half_depth + shift],
                uv: (i32::from(side) * SIZE / i32::from(SIDES), row as i32),
                colour: shade(normal, [255; 3]),
            }
        })
        .collect()
}

fn beak(mesh: &mut Mesh) {
    let tip = [0.0, -296.0, -162.0];
    let around = [
        [0.0, -348.0, -116.0],
        [26.0, -318.0, -112.0],
        [0.0, -292.0, -114.0],
        [-26.0, -318.0, -112.0],
    ];
    let inside = [0.0, -318.0, -118.0];
    for side in 0..4 {
        let corners = [tip, around[side], around[(side + 1) % 4]].map(|at| Corner {
            at,
            uv: (0, 0),
            colour: paint(
                minus(at, [0.0, -308.0, -100.0]),
                if at == tip {
                    [255, 190, 60]
                } else {
                    [240, 140, 40]
                },
            ),
        });
        mesh.face(Kind::G3, &corners, Side::AwayFrom(inside));
    }
}

/// A feathered ear.
fn tuft(mesh: &mut Mesh, side: f64) {
    let tip = [side * 138.0, -520.0, 20.0];
    let foot = [
        [side * 44.0, -440.0, -44.0],
        [side * 116.0, -396.0, -34.0],
        [side * 104.0, -400.0, 46.0],
        [side * 40.0, -446.0, 40.0],
    ];
    let inside = [side * 78.0, -415.0, 0.0];
    for edge in 0..4 {
        let corners = [tip, foot[edge], foot[(edge + 1) % 4]].map(|at| Corner {
            at,
            uv: (0, 0),
            colour: paint(
                minus(at, inside),
                if at == tip {
                    [255, 214, 110]
                } else {
                    [72, 100, 176]
                },
            ),
        });
        mesh.face(Kind::G3, &corners, Side::AwayFrom(inside));
    }
}

/// Three toes.
fn foot(mesh: &mut Mesh, side: f64) {
    for toe in [-1.0, 0.0, 1.0] {
        let root = [side * 56.0, -20.0, -34.0];
        let end = [side * 56.0 + toe * 34.0, 0.0, -106.0 + toe * toe * 14.0];
        let across = [11.0, 0.0, toe * 4.0];
        let square = |middle: Point, size: f64, rise: f64| {
            vec![
                plus(middle, times(across, size)),
                plus(middle, [0.0, -rise, 0.0]),
                minus(middle, times(across, size)),
                plus(middle, [0.0, rise * 0.3, 0.0]),
            ]
        };
        mesh.tube(
            &[square(root, 1.0, 16.0), square(end, 0.9, 14.0)],
            [236, 150, 60],
        );
        let claw = plus(end, [toe * 8.0, 4.0, -26.0]);
        for (a, b) in [(0, 1), (1, 2), (2, 0)] {
            let base = square(end, 0.9, 14.0);
            let corners = [claw, base[a], base[b]].map(|at| Corner {
                at,
                uv: (0, 0),
                colour: paint(minus(at, end), [110, 80, 74]),
            });
            mesh.face(Kind::G3, &corners, Side::AwayFrom(end));
        }
    }
}

/// Three flat feathers at the back.
fn tail(mesh: &mut Mesh) {
    let columns = (WING_COLUMNS, SIZE - 1);
    let rows = (BODY_ROWS, SIZE - 1);
    for feather in [-1.0, 1.0, 0.0] {
        let root = [feather * 36.0, -92.0 - feather * feather * 6.0, 92.0];
        let end = [feather * 92.0, -16.0 - feather * feather * 14.0, 236.0];
        let across = [34.0, feather * 10.0, -feather * 20.0];
        let colour = shade([0.0, -0.8, 0.5], [235; 3]);
        let corner = |at, u, v| Corner {
            at,
            uv: (u, v),
            colour,
        };
        let corners = [
            corner(minus(root, times(across, 0.8)), columns.0, rows.0),
            corner(plus(root, times(across, 0.8)), columns.1, rows.0),
            corner(minus(end, across), columns.0, rows.1),
            corner(plus(end, across), columns.1, rows.1),
        ];
        mesh.face(Kind::Ft4, &corners, Side::Both);
    }
}

/// The key of the clockwork, in the back.
fn key(mesh: &mut Mesh) {
    let ring = |z: f64, size: f64| {
        vec![
            [0.0, -200.0 - size, z],
            [size, -200.0, z],
            [0.0, -200.0 + size, z],
            [-size, -200.0, z],
        ]
    };
    mesh.tube(&[ring(100.0, 12.0), ring(176.0, 10.0)], [214, 180, 92]);
    for side in [-1.0, 1.0] {
        let middle = [side * 46.0, -200.0, 184.0];
        let face = |z: f64, size: f64| {
            [
                [-0.5, -1.0],
                [0.5, -1.0],
                [1.0, -0.5],
                [1.0, 0.5],
                [0.5, 1.0],
                [-0.5, 1.0],
                [-1.0, 0.5],
                [-1.0, -0.5],
            ]
            .map(|[x, y]| [middle[0] + x * size, middle[1] + y * size, z])
            .to_vec()
        };
        mesh.tube(
            &[
                face(172.0, 22.0),
                face(174.0, 46.0),
                face(194.0, 46.0),
                face(196.0, 22.0),
                face(172.0, 22.0),
            ],
            [232, 190, 84],
        );
    }
}

/// A wing; `side` is -1 for the one at -X. Its origin is the shoulder.
fn wing(side: f64) -> Mesh {
    let mut mesh = Mesh::default();
    // Leading and trailing edge from shoulder to tip, and the texture column.
    let stations: [(Point, Point, i32); 5] = [
        ([-14.0, -34.0, -16.0], [-6.0, 104.0, 44.0], 0),
        ([92.0, -66.0, -30.0], [86.0, 128.0, 62.0], 24),
        ([190.0, -70.0, -26.0], [184.0, 128.0, 60.0], 48),
        ([276.0, -44.0, -8.0], [268.0, 110.0, 46.0], 72),
        ([340.0, -2.0, 16.0], [330.0, 78.0, 30.0], WING_COLUMNS - 1),
    ];
    let mirror = |[x, y, z]: Point| [side * x, y, z];
    let rows = (BODY_ROWS, SIZE - 1);
    let colour = |at: Point, front: bool| {
        let normal = if front {
            [at[0] / 900.0, -0.55, -0.85]
        } else {
            [0.0, 0.3, 0.8]
        };
        shade(normal, if front { [250; 3] } else { [190, 200, 235] })
    };
    for pair in stations.windows(2) {
        let [(a, b, u), (c, d, w)] = pair else {
            continue;
        };
        for front in [true, false] {
            let corner = |at: Point, uv| Corner {
                at: mirror(at),
                uv,
                colour: colour(mirror(at), front),
            };
            let corners = [
                corner(*a, (*u, rows.0)),
                corner(*c, (*w, rows.0)),
                corner(*b, (*u, rows.1)),
                corner(*d, (*w, rows.1)),
            ];
            let behind = if front { 1.0 } else { -1.0 };
            let inside = plus(corners[0].at, [0.0, 400.0 * behind, 800.0 * behind]);
            mesh.face(Kind::Gt4, &corners, Side::AwayFrom(inside));
        }
    }
    // The arm along the leading edge.
    let sizes = [26.0, 22.0, 19.0, 14.0, 5.0];
    let rings: Vec<Vec<Point>> = stations
        .iter()
        .zip(sizes)
        .map(|(&(lead, ..), size)| {
            [
                [0.0, -1.0, -0.4],
                [0.0, 0.1, -1.0],
                [0.0, 1.0, 0.3],
                [0.0, -0.1, 1.0],
            ]
            .map(|step| mirror(plus(lead, times(step, size))))
            .to_vec()
        })
        .collect();
    mesh.tube(&rings, [92, 128, 200]);
    mesh
}

/// The colour of an untextured surface: twice that of a texture, whose neutral value is 128.
fn paint(normal: Point, colour: [u8; 3]) -> [u8; 3] {
    shade(normal, colour).map(|component| component.saturating_mul(2))
}

/// What a texture is multiplied with under the light: ambient plus diffuse, 128 for the middle
/// tones.
pub(super) fn shade(normal: Point, colour: [u8; 3]) -> [u8; 3] {
    let length = (dot(normal, normal) * dot(LIGHT, LIGHT)).sqrt();
    let facing = if length > 0.0 {
        dot(normal, LIGHT) / length
    } else {
        0.0
    };
    // Warm light, cool shadow.
    let lit = facing.max(0.0);
    let dark = (-facing).max(0.0);
    let parts = [
        0.46 + 0.34 * lit - 0.14 * dark,
        0.46 + 0.31 * lit - 0.12 * dark,
        0.50 + 0.24 * lit - 0.06 * dark,
    ];
    let mut out = [0; 3];
    for (out, (part, component)) in out.iter_mut().zip(parts.iter().zip(colour)) {
        *out = (part * f64::from(component)).round().clamp(0.0, 255.0) as u8;
    }
    out
}

pub(super) fn q12(value: i16) -> f64 {
    f64::from(value) / 4096.0
}

fn plus(a: Point, b: Point) -> Point {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(super) fn minus(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn times(a: Point, factor: f64) -> Point {
    a.map(|component| component * factor)
}

pub(super) fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn cross(a: Point, b: Point) -> Point {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}
