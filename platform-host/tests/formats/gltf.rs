//! `ff8 gltf`: what another program would see in the file.

use super::common::{Place, text};
use super::vectors;
use gltf::animation::util::ReadOutputs;
use gltf::{Gltf, Node};
use overworld_host::ff8::{AnyPose, Source, SourceBone, SourceFrame, SourcePose, poses};
use overworld_host::gltf::ff8::{METRE, RATE, export};
use overworld_runtime::anim::ff8::{BoneMatrices, Dat, matrices};
use overworld_runtime::gte::software::Gte;

type Matrix = [[f32; 4]; 4];
const ONE: Matrix = [
    [1.0, 0.0, 0.0, 0.0],
    [0.0, 1.0, 0.0, 0.0],
    [0.0, 0.0, 1.0, 0.0],
    [0.0, 0.0, 0.0, 1.0],
];

/// Columns, as glTF has them.
fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let cell = |col: usize, row: usize| (0..4).map(|it| a[it][row] * b[col][it]).sum();
    std::array::from_fn(|col| std::array::from_fn(|row| cell(col, row)))
}

fn point(m: &Matrix, [x, y, z]: [f32; 3]) -> [f32; 3] {
    std::array::from_fn(|row| m[0][row] * x + m[1][row] * y + m[2][row] * z + m[3][row])
}

/// A file, read as a stranger would.
struct Read {
    gltf: Gltf,
}

impl Read {
    fn new(glb: &[u8]) -> Self {
        let gltf = Gltf::from_slice(glb).unwrap();
        Self { gltf }
    }

    fn data<'a>(&'a self, _: gltf::Buffer<'_>) -> Option<&'a [u8]> {
        self.gltf.blob.as_deref()
    }

    /// The node transforms of a moment: those of the file, and over them those of a clip's frame.
    fn globals(&self, clip: Option<(&str, usize)>) -> Vec<Matrix> {
        let mut parts: Vec<_> = self
            .gltf
            .nodes()
            .map(|it| it.transform().decomposed())
            .collect();
        if let Some((name, frame)) = clip {
            let animation = self
                .gltf
                .animations()
                .find(|it| it.name() == Some(name))
                .unwrap();
            for channel in animation.channels() {
                let reader = channel.reader(|it| self.data(it));
                let times: Vec<f32> = reader.read_inputs().unwrap().collect();
                assert!((times[frame] - frame as f32 / RATE).abs() < 1e-6);
                let part = &mut parts[channel.target().node().index()];
                match reader.read_outputs().unwrap() {
                    ReadOutputs::Translations(mut it) => part.0 = it.nth(frame).unwrap(),
                    ReadOutputs::Rotations(it) => part.1 = it.into_f32().nth(frame).unwrap(),
                    ReadOutputs::Scales(mut it) => part.2 = it.nth(frame).unwrap(),
                    ReadOutputs::MorphTargetWeights(_) => panic!("a morph"),
                }
            }
        }
        let mut globals = vec![ONE; parts.len()];
        fn walk(
            node: &Node<'_>,
            above: &Matrix,
            parts: &[([f32; 3], [f32; 4], [f32; 3])],
            out: &mut [Matrix],
        ) {
            let (translation, rotation, scale) = parts[node.index()];
            let own = gltf::scene::Transform::Decomposed {
                translation,
                rotation,
                scale,
            };
            out[node.index()] = product(above, &own.matrix());
            for child in node.children() {
                walk(&child, &out[node.index()].clone(), parts, out);
            }
        }
        for node in self.gltf.default_scene().unwrap().nodes() {
            walk(&node, &ONE, &parts, &mut globals);
        }
        globals
    }

    /// The corners of all triangles as the skin places them.
    fn corners(&self, clip: Option<(&str, usize)>) -> Vec<[f32; 3]> {
        let globals = self.globals(clip);
        let skin = self.gltf.skins().next().unwrap();
        let inverses = skin
            .reader(|it| self.data(it))
            .read_inverse_bind_matrices()
            .unwrap();
        let joints: Vec<Matrix> = skin
            .joints()
            .zip(inverses)
            .map(|(node, inverse)| product(&globals[node.index()], &inverse))
            .collect();
        let mut out = Vec::new();
        for primitive in self.gltf.meshes().next().unwrap().primitives() {
            let reader = primitive.reader(|it| self.data(it));
            let positions: Vec<_> = reader.read_positions().unwrap().collect();
            let bones: Vec<_> = reader.read_joints(0).unwrap().into_u16().collect();
            for index in reader.read_indices().unwrap().into_u32() {
                let joint = &joints[usize::from(bones[index as usize][0])];
                out.push(point(joint, positions[index as usize]));
            }
        }
        out
    }
}

/// The same corners by the core's integers: the file's space is upright, a metre is so many units.
fn expected(dat: &Dat<'_>, pose: &AnyPose) -> Vec<[f32; 3]> {
    let skeleton = dat.skeleton().unwrap();
    let mut room = [BoneMatrices::default(); 255];
    let bones = matrices(&mut Gte::new(), &skeleton, pose, &mut room).unwrap();
    let geometry = dat.geometry(skeleton.len()).unwrap();
    let mut out = Vec::new();
    for object in geometry.objects() {
        let vertices: Vec<[f32; 3]> = object
            .groups()
            .flat_map(|group| group.vertices().map(move |it| (group.bone, it)))
            .map(|(bone, v)| {
                let skin = &bones[usize::from(bone)].skin;
                let row = |row: [i16; 3], at: i32| {
                    let sum: i64 = row
                        .iter()
                        .zip(v)
                        .map(|(a, b)| i64::from(*a) * i64::from(b))
                        .sum();
                    sum as f64 / 4096.0 + f64::from(at)
                };
                let [a, b, c] = skin.rotation.m;
                let at = skin.translation;
                let [x, y, z] = [row(a, at.x), row(b, at.y), row(c, at.z)];
                [x, -y, -z].map(|it| (it / METRE) as f32)
            })
            .collect();
        for face in object.faces() {
            let [a, b, c, _] = face.vertices.map(|it| vertices[usize::from(it)]);
            out.extend([a, c, b]);
        }
    }
    out
}

fn near(found: &[[f32; 3]], expected: &[[f32; 3]], units: f64, what: &str) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.as_flattened().iter().zip(expected.as_flattened()) {
        let off = f64::from((found - expected).abs()) * METRE;
        assert!(
            off <= units,
            "{what}: {found} for {expected}, {off} units off"
        );
    }
}

/// The sheet's model (A12): one frame turned, one with a scale on the root.
#[test]
fn the_sheets_model_stands_where_the_core_puts_it() {
    let bytes = vectors::ff8_model();
    let dat = Dat::parse(&bytes).unwrap();
    let made = export(&dat, None).unwrap();
    assert_eq!((made.animations, made.triangles), (1, 1));
    let read = Read::new(&made.glb);
    let frames = poses(&dat.animations().unwrap().get(0).unwrap(), 2).unwrap();
    for (number, pose) in frames.iter().enumerate() {
        let found = read.corners(Some(("animation 0", number)));
        near(
            &found,
            &expected(&dat, pose),
            2.0,
            &format!("frame {number}"),
        );
    }
    // Without a clip, and for programs without skins, it stands as in its first frame.
    near(
        &read.corners(None),
        &expected(&dat, &frames[0]),
        2.0,
        "at rest",
    );
    let mesh = read.gltf.meshes().next().unwrap();
    let reader = mesh.primitives().next().unwrap();
    let reader = reader.reader(|it| read.data(it));
    let plain: Vec<_> = reader.read_positions().unwrap().collect();
    let index: Vec<u32> = reader.read_indices().unwrap().into_u32().collect();
    let plain: Vec<_> = index.iter().map(|it| plain[*it as usize]).collect();
    near(&plain, &expected(&dat, &frames[0]), 2.0, "as it is");
}

/// A chain of bones with a vertex triangle each, turned and scaled by numbers out of a generator.
fn model(seed: u32) -> Source {
    let mut state = seed;
    let mut draw = |below: i32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        ((i64::from(state >> 8) * i64::from(below)) >> 24) as i32
    };
    let count = 2 + draw(6) as u8;
    let bones = (0..count).map(|it| SourceBone {
        parent: (it > 0).then(|| draw(it.into()) as u8),
        length: (draw(200) - 20) as i16,
        ..SourceBone::default()
    });
    let bones: Vec<_> = bones.collect();
    let frames = (0..4).map(|frame| SourceFrame {
        root: std::array::from_fn(|_| (draw(200) - 100) as i16),
        mode: 0,
        bones: (0..count)
            .map(|_| SourcePose {
                rot: std::array::from_fn(|_| i64::from(draw(4096))),
                scale: (frame > 1).then(|| std::array::from_fn(|_| 700 + draw(600) as i16)),
                ..SourcePose::default()
            })
            .collect(),
    });
    let frames: Vec<_> = frames.collect();
    // One object: for each bone a group of three vertices, and a triangle between them.
    let mut section: Vec<u8> = vec![1, 0, 0, 0, 8, 0, 0, 0];
    let mut half = |it: u16| section.extend(it.to_le_bytes());
    half(count.into());
    for bone in 0..u16::from(count) {
        half(bone);
        half(3);
        (0..9).for_each(|_| half((draw(400) - 200) as u16));
    }
    section.resize(section.len().next_multiple_of(4), 0);
    let mut half = |it: u16| section.extend(it.to_le_bytes());
    [count.into(), 0, 0, 0, 0, 0]
        .into_iter()
        .for_each(&mut half);
    for bone in 0..u16::from(count) {
        // A, B, C with the bias of none; texture coordinates, CLUT, page.
        let corners = [0x8000 | (3 * bone), 3 * bone + 1, 3 * bone + 2];
        corners.into_iter().for_each(&mut half);
        let texture = [0x0102, 0x0304, 0x7F00, 0x0506, 0x0010];
        texture.into_iter().for_each(&mut half);
    }
    section.extend((3 * u32::from(count)).to_le_bytes());
    Source {
        scale: 2048 + draw(4096) as i16,
        bones,
        animations: vec![frames.into()],
        geometry: Some(section.iter().map(|it| format!("{it:02X}")).collect()),
        flag: 0,
        header: None,
    }
}

/// Any skeleton, rotations and scales: what the file's nodes make of a corner is what the core makes of it,
/// but for rounding, which grows with the bones between a vertex and the root.
#[test]
fn other_models_stand_where_the_core_puts_them() {
    for seed in 0..40 {
        let bytes = model(seed).model().unwrap();
        let dat = Dat::parse(&bytes).unwrap();
        let bones = dat.skeleton().unwrap().len();
        let made = export(&dat, Some(0)).unwrap();
        assert_eq!(made.triangles, usize::from(bones));
        let read = Read::new(&made.glb);
        let animation = dat.animations().unwrap().get(0).unwrap();
        for (number, pose) in poses(&animation, bones).unwrap().iter().enumerate() {
            let found = read.corners(Some(("animation 0", number)));
            let what = format!("seed {seed}, frame {number}");
            near(&found, &expected(&dat, pose), 8.0, &what);
        }
    }
}

/// Texture coordinates, colours and materials.
#[test]
fn a_corner_has_its_texture() {
    let bytes = model(1).model().unwrap();
    let made = export(&Dat::parse(&bytes).unwrap(), None).unwrap();
    let read = Read::new(&made.glb);
    let mesh = read.gltf.meshes().next().unwrap();
    let primitive = mesh.primitives().next().unwrap();
    assert_eq!(primitive.material().name(), Some("page 0010 clut 7F00"));
    let plain = primitive.material().pbr_metallic_roughness();
    assert_eq!(
        (plain.metallic_factor(), plain.roughness_factor()),
        (0.0, 1.0)
    );
    let reader = primitive.reader(|it| read.data(it));
    let uv: Vec<_> = reader
        .read_tex_coords(0)
        .unwrap()
        .into_f32()
        .take(3)
        .collect();
    // The record has C, A, B; the file A, C, B. U is the low byte.
    let texel = |u: f32, v: f32| [(u + 0.5) / 256.0, (v + 0.5) / 256.0];
    assert_eq!(uv, [texel(4.0, 3.0), texel(2.0, 1.0), texel(6.0, 5.0)]);
    let colour = reader.read_colors(0).unwrap().into_rgb_f32().next();
    assert_eq!(colour, Some([1.0; 3]));
}

#[test]
fn ff8_gltf_writes_a_file_and_refuses_what_is_not_there() {
    let place = Place::new();
    place.write("a12.dat", &vectors::ff8_model());
    let document = place.document(&["ff8", "gltf", "a12.dat", "-o", "a12.glb"]);
    assert_eq!(
        (&document["bones"], &document["animations"]),
        (&2.into(), &1.into())
    );
    let written = std::fs::read(place.path("a12.glb")).unwrap();
    assert_eq!(document["output"], written.len());
    assert_eq!(Read::new(&written).gltf.nodes().len(), 6);
    let refused = place.overworld(["ff8", "gltf", "a12.dat", "--animation", "1", "-o", "b.glb"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(
        text(&refused.stderr).contains("animation"),
        "{}",
        text(&refused.stderr)
    );
    assert!(!place.path("b.glb").exists());
}
