//! FF8 battle models as glTF (FF8 sheet, sections 3, 8 and 13).
//!
//! A bone of the game scales all that hangs on it and yet does not shear its children, which a node of glTF
//! would. So each bone is two nodes: one that turns and carries the children, `bone N`, and one below it that
//! scales, `bone N skin`, which is the joint. The children of a scaled bone come nearer to it by their
//! translation. Without rounding, that is the game's own pose.

use std::collections::{BTreeMap, HashMap};

use gltf_json::accessor::{ComponentType, Type};
use gltf_json::animation::{Channel, Interpolation, Property, Sampler, Target};
use gltf_json::mesh::{Mode, Primitive, Semantic};
use gltf_json::scene::UnitQuaternion;
use gltf_json::validation::Checked::Valid;
use gltf_json::{Accessor, Index, Material, Mesh, Node, Root, Scene, Skin, buffer};
use overworld_runtime::anim::ff8::{Animation, Coloured, Dat, Face, Skeleton};

use super::File;
use crate::ff8::{AnyPose, Trouble, fits, poses, survey};

/// Frames a second of the game's battles.
pub const RATE: f32 = 15.0;
/// Vertex units of a metre of the file: people are about two metres tall.
pub const METRE: f64 = 1024.0;
/// The model hangs head down, as everything does whose Y points to the ground: half a turn about X.
const UPRIGHT: [f64; 4] = [1.0, 0.0, 0.0, 0.0];

type Quaternion = [f64; 4];

/// What came of an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// The file.
    pub glb: Vec<u8>,
    /// Animations in it.
    pub animations: usize,
    /// Faces in it, those that the model hides left out; quads are two triangles.
    pub triangles: usize,
}

/// One bone of one frame, relative to its parent; `scale` to nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Local {
    translation: [f64; 3],
    rotation: Quaternion,
    scale: [f64; 3],
}

/// Write a model with all its animations, or only the `chosen` one: the others may then be as they like.
///
/// # Errors
/// As [`survey`]; an animation that is not there.
pub fn export(dat: &Dat<'_>, chosen: Option<u32>) -> Result<Exported, Trouble> {
    if chosen.is_none() {
        survey(dat)?;
    }
    fits(dat, chosen)?;
    let skeleton = dat.skeleton()?;
    let bones = skeleton.len();
    let animations = dat.animations()?;
    if let Some(number) = chosen {
        animations.get(number)?;
    }
    let frames = |number: u32, animation: &Animation<'_>| {
        poses(animation, bones).map_err(|it| Trouble::Animation(number, it))
    };
    let played = || {
        let all = (0..).zip(animations.iter());
        all.filter(|(number, it)| chosen.is_none_or(|it| it == *number) && it.frames() > 0)
    };
    // The model stands as in its first frame, but unscaled.
    let mut rest = AnyPose::START;
    if let Some((number, animation)) = played().next() {
        rest = *frames(number, &animation)?.first().unwrap_or(&rest);
    }
    rest.scaled = false;
    let rest = locals(&skeleton, &rest);

    let mut file = File::default();
    let nodes = nodes(&mut file.root, &skeleton, &rest);
    let triangles = mesh(&mut file, dat, &skeleton, &rest, &nodes)?;
    for (number, animation) in played() {
        // One at a time: poses take much more room than what is written of them.
        let frames = frames(number, &animation)?;
        animate(&mut file, number, &frames, &skeleton, &rest, &nodes);
    }
    let count = file.root.animations.len();
    Ok(Exported {
        glb: file.finish(),
        animations: count,
        triangles,
    })
}

/// The nodes of the bones: what turns, what scales.
struct Nodes {
    turns: Vec<Index<Node>>,
    scales: Vec<Index<Node>>,
    model: Index<Node>,
}

fn nodes(root: &mut Root, skeleton: &Skeleton<'_>, rest: &[Local]) -> Nodes {
    let model = root.push(Node {
        name: Some("model".to_owned()),
        rotation: Some(quaternion(UPRIGHT)),
        scale: Some([(1.0 / METRE) as f32; 3]),
        ..Node::default()
    });
    let (mut turns, mut scales, mut roots) = (Vec::new(), Vec::new(), Vec::new());
    for (number, (bone, local)) in skeleton.bones().zip(rest).enumerate() {
        let skin = root.push(Node {
            name: Some(format!("bone {number} skin")),
            scale: Some(single(local.scale)),
            ..Node::default()
        });
        let turn = root.push(Node {
            name: Some(format!("bone {number}")),
            translation: Some(single(local.translation)),
            rotation: Some(quaternion(local.rotation)),
            children: Some(vec![skin]),
            ..Node::default()
        });
        let parent = bone.parent.and_then(|it| turns.get(usize::from(it)));
        match parent {
            Some(parent) => {
                let parent: &Index<Node> = parent;
                root.nodes[parent.value()]
                    .children
                    .get_or_insert_default()
                    .push(turn);
            }
            None => roots.push(turn),
        }
        turns.push(turn);
        scales.push(skin);
    }
    root.nodes[model.value()].children = Some(roots).filter(|it| !it.is_empty());
    let scene = root.push(Scene {
        extensions: None,
        extras: Default::default(),
        name: None,
        nodes: vec![model],
    });
    root.scene = Some(scene);
    Nodes {
        turns,
        scales,
        model,
    }
}

/// What each bone does against its parent.
fn locals(skeleton: &Skeleton<'_>, pose: &AnyPose) -> Vec<Local> {
    let model = f64::from(skeleton.scale()) / 4096.0;
    let mut factors: Vec<[f64; 3]> = Vec::new();
    let mut lengths = Vec::new();
    let mut out = Vec::new();
    for (number, bone) in skeleton.bones().enumerate() {
        let own = match pose.scaled {
            true => pose.scale[number].map(|it| f64::from(it) / 1024.0),
            false => [1.0; 3],
        };
        let parent = bone.parent.map(usize::from).filter(|it| *it < number);
        let (factor, translation) = match parent {
            // One unit of the root is sixteen of a vertex.
            None => (own, pose.root.map(|it| 16.0 * model * f64::from(it))),
            Some(parent) => {
                let before: [f64; 3] = factors[parent];
                let factor = std::array::from_fn(|axis| before[axis] * own[axis]);
                let length: f64 = lengths[parent];
                (factor, [0.0, 0.0, length * before[2] * model])
            }
        };
        out.push(Local {
            translation,
            rotation: turn(pose.rotation[number].map(|it| f64::from(it & 0xFFF))),
            scale: factor.map(|it| it * model),
        });
        factors.push(factor);
        lengths.push(f64::from(bone.length));
    }
    out
}

/// About Y, then X, then Z: `Ry(b) Rx(a) Rz(c)` (section 8.1). 4096 is a turn.
fn turn([a, b, c]: [f64; 3]) -> Quaternion {
    let half = |angle: f64| (angle * std::f64::consts::PI / 4096.0).sin_cos();
    let ((sa, ca), (sb, cb), (sc, cc)) = (half(a), half(b), half(c));
    let x = [sa, 0.0, 0.0, ca];
    let y = [0.0, sb, 0.0, cb];
    let z = [0.0, 0.0, sc, cc];
    multiply(multiply(y, x), z)
}

fn multiply([ax, ay, az, aw]: Quaternion, [bx, by, bz, bw]: Quaternion) -> Quaternion {
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

/// A vector, turned.
fn rotate(q: Quaternion, [x, y, z]: [f64; 3]) -> [f64; 3] {
    let [i, j, k, _] = q;
    let inverse = [-i, -j, -k, q[3]];
    let [x, y, z, _] = multiply(multiply(q, [x, y, z, 0.0]), inverse);
    [x, y, z]
}

/// From a bone's space to that of the file: turned, scaled, moved.
#[derive(Clone, Copy, Debug)]
struct Placed {
    rotation: Quaternion,
    scale: [f64; 3],
    at: [f64; 3],
}

impl Placed {
    fn point(&self, v: [f64; 3]) -> [f64; 3] {
        let scaled = std::array::from_fn(|axis| v[axis] * self.scale[axis]);
        let turned = rotate(self.rotation, scaled);
        std::array::from_fn(|axis| turned[axis] + self.at[axis])
    }

    /// The inverse as columns; nothing where a scale is 0.
    fn inverse(&self) -> Option<[f32; 16]> {
        if self.scale.contains(&0.0) {
            return None;
        }
        let [i, j, k, w] = self.rotation;
        let back = [-i, -j, -k, w];
        let shrink = |v: [f64; 3]| -> [f64; 3] { std::array::from_fn(|it| v[it] / self.scale[it]) };
        let mut out = [0.0; 16];
        for axis in 0..3 {
            let mut unit = [0.0; 3];
            unit[axis] = 1.0;
            out[4 * axis..4 * axis + 3].copy_from_slice(&single(shrink(rotate(back, unit))));
        }
        let at = shrink(rotate(back, self.at.map(|it| -it)));
        out[12..15].copy_from_slice(&single(at));
        out[15] = 1.0;
        Some(out)
    }
}

/// Where the bones are, in the file's own space.
fn placed(skeleton: &Skeleton<'_>, locals: &[Local]) -> Vec<Placed> {
    let mut out: Vec<Placed> = Vec::new();
    for (bone, local) in skeleton.bones().zip(locals) {
        let parent = bone.parent.and_then(|it| out.get(usize::from(it)));
        let (before, at) = match parent {
            Some(parent) => (parent.rotation, parent.at),
            None => (UPRIGHT, [0.0; 3]),
        };
        let moved = rotate(before, local.translation.map(|it| it / METRE));
        out.push(Placed {
            rotation: multiply(before, local.rotation),
            scale: local.scale.map(|it| it / METRE),
            at: std::array::from_fn(|axis| at[axis] + moved[axis]),
        });
    }
    out
}

/// Corners of one material.
#[derive(Default)]
struct Corners {
    known: HashMap<(usize, u16, u16, u32), u32>,
    position: Vec<[f32; 3]>,
    joint: Vec<[u8; 4]>,
    uv: Vec<[f32; 2]>,
    colour: Vec<[f32; 3]>,
    indices: Vec<u32>,
}

/// The mesh, a primitive for each texture page and CLUT, and its skin; the number of triangles.
fn mesh(
    file: &mut File,
    dat: &Dat<'_>,
    skeleton: &Skeleton<'_>,
    rest: &[Local],
    nodes: &Nodes,
) -> Result<usize, Trouble> {
    let geometry = dat.geometry(skeleton.len())?;
    let bones = placed(skeleton, rest);
    let inverses: Vec<Option<[f32; 16]>> = bones.iter().map(Placed::inverse).collect();
    let mut materials: BTreeMap<(u16, u16), Corners> = BTreeMap::new();
    for (number, object) in geometry.objects().enumerate() {
        let vertices: Vec<(u8, [f64; 3])> = object
            .groups()
            .flat_map(|group| {
                group
                    .vertices()
                    .map(move |it| (group.bone, it.map(f64::from)))
            })
            .collect();
        for face in object.faces().filter(|it| !it.hidden) {
            let corners = materials
                .entry((face.texture.page, face.texture.clut))
                .or_default();
            for &corner in triangles(&face) {
                let vertex = face.vertices[corner];
                let Coloured(colour) = face.colour.unwrap_or(Coloured(0x0080_8080));
                let uv = face.texture.uv[corner];
                let (bone, v) = vertices[usize::from(vertex)];
                let next = corners.position.len() as u32;
                let key = (number, vertex, uv, colour & 0x00FF_FFFF);
                let index = *corners.known.entry(key).or_insert(next);
                corners.indices.push(index);
                if index != next {
                    continue;
                }
                // Where there is no way back the vertex stays in its bone's space.
                let posed = match inverses[usize::from(bone)] {
                    Some(_) => bones[usize::from(bone)].point(v),
                    None => v,
                };
                corners.position.push(single(posed));
                corners.joint.push([bone, 0, 0, 0]);
                let [u, v] = uv.to_le_bytes().map(|it| (f32::from(it) + 0.5) / 256.0);
                corners.uv.push([u, v]);
                let [red, green, blue, _] = colour.to_le_bytes();
                let part = |it: u8| (f32::from(it) / 128.0).min(1.0);
                corners.colour.push([red, green, blue].map(part));
            }
        }
    }
    if materials.is_empty() {
        return Ok(0);
    }
    let mut count = 0;
    let mut primitives = Vec::new();
    for ((page, clut), corners) in &materials {
        count += corners.indices.len() / 3;
        let material = file.root.push(Material {
            name: Some(format!("page {page:04X} clut {clut:04X}")),
            ..Material::default()
        });
        primitives.push(primitive(file, corners, material));
    }
    let mesh = file.root.push(Mesh {
        extensions: None,
        extras: Default::default(),
        name: Some("model".to_owned()),
        primitives,
        weights: None,
    });
    const NONE: [f32; 16] = [
        1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0,
    ];
    let inverses: Vec<[f32; 16]> = inverses.iter().map(|it| it.unwrap_or(NONE)).collect();
    let matrices = file.floats(&inverses, Type::Mat4, None, false);
    let skin = file.root.push(Skin {
        extensions: None,
        extras: Default::default(),
        inverse_bind_matrices: Some(matrices),
        joints: nodes.scales.clone(),
        name: None,
        skeleton: Some(nodes.model),
    });
    let node = file.root.push(Node {
        name: Some("mesh".to_owned()),
        mesh: Some(mesh),
        skin: Some(skin),
        ..Node::default()
    });
    for scene in &mut file.root.scenes {
        scene.nodes.push(node);
    }
    Ok(count)
}

/// The corners of a face's triangles, counter-clockwise as glTF wants them: A, B, C and B, D, C of the
/// model, clockwise, turned round.
fn triangles(face: &Face) -> &'static [usize] {
    match face.corners {
        4 => &[0, 2, 1, 1, 2, 3],
        _ => &[0, 2, 1],
    }
}

fn primitive(file: &mut File, corners: &Corners, material: Index<Material>) -> Primitive {
    const VERTICES: Option<buffer::Target> = Some(buffer::Target::ArrayBuffer);
    let position = file.floats(&corners.position, Type::Vec3, VERTICES, true);
    let uv = file.floats(&corners.uv, Type::Vec2, VERTICES, false);
    let colour = file.floats(&corners.colour, Type::Vec3, VERTICES, false);
    let weights = vec![[1.0, 0.0, 0.0, 0.0]; corners.position.len()];
    let weight = file.floats(&weights, Type::Vec4, VERTICES, false);
    let view = file.view(corners.joint.as_flattened(), VERTICES);
    let none = [None, None];
    let joint = file.accessor(
        view,
        corners.joint.len(),
        ComponentType::U8,
        Type::Vec4,
        none,
    );
    let bytes: Vec<u8> = corners
        .indices
        .iter()
        .flat_map(|it| it.to_le_bytes())
        .collect();
    let view = file.view(&bytes, Some(buffer::Target::ElementArrayBuffer));
    let none = [None, None];
    let kind = (ComponentType::U32, Type::Scalar);
    let indices = file.accessor(view, corners.indices.len(), kind.0, kind.1, none);
    let attributes: [(Semantic, Index<Accessor>); 5] = [
        (Semantic::Positions, position),
        (Semantic::TexCoords(0), uv),
        (Semantic::Colors(0), colour),
        (Semantic::Weights(0), weight),
        (Semantic::Joints(0), joint),
    ];
    Primitive {
        attributes: attributes
            .into_iter()
            .map(|(name, it)| (Valid(name), it))
            .collect(),
        extensions: None,
        extras: Default::default(),
        indices: Some(indices),
        material: Some(material),
        mode: Valid(Mode::Triangles),
        targets: None,
    }
}

/// One clip: all rotations, and translations and scales where they are not always those of the rest.
fn animate(
    file: &mut File,
    number: u32,
    frames: &[AnyPose],
    skeleton: &Skeleton<'_>,
    rest: &[Local],
    nodes: &Nodes,
) {
    let posed: Vec<Vec<Local>> = frames.iter().map(|it| locals(skeleton, it)).collect();
    let times: Vec<[f32; 1]> = (0..frames.len()).map(|it| [it as f32 / RATE]).collect();
    let input = file.floats(&times, Type::Scalar, None, true);
    let (mut channels, mut samplers) = (Vec::new(), Vec::new());
    let mut add = |output: Index<Accessor>, node: Index<Node>, path: Property| {
        let sampler = Index::push(
            &mut samplers,
            Sampler {
                extensions: None,
                extras: Default::default(),
                input,
                interpolation: Valid(Interpolation::Linear),
                output,
            },
        );
        channels.push(Channel {
            sampler,
            target: Target {
                extensions: None,
                extras: Default::default(),
                node,
                path: Valid(path),
            },
            extensions: None,
            extras: Default::default(),
        });
    };
    for (bone, rest) in rest.iter().enumerate() {
        let of = posed.iter().map(|frame| frame[bone]);
        let mut last = rest.rotation;
        let rotations: Vec<[f32; 4]> = of
            .clone()
            .map(|it| {
                // The shorter way round from the frame before.
                let dot: f64 = last.iter().zip(it.rotation).map(|(a, b)| a * b).sum();
                let sign = if dot < 0.0 { -1.0 } else { 1.0 };
                last = it.rotation.map(|it| sign * it);
                last.map(|it| it as f32)
            })
            .collect();
        let rotation = file.floats(&rotations, Type::Vec4, None, false);
        add(rotation, nodes.turns[bone], Property::Rotation);
        if of.clone().any(|it| it.translation != rest.translation) {
            let rows: Vec<[f32; 3]> = of.clone().map(|it| single(it.translation)).collect();
            let translation = file.floats(&rows, Type::Vec3, None, false);
            add(translation, nodes.turns[bone], Property::Translation);
        }
        if of.clone().any(|it| it.scale != rest.scale) {
            let rows: Vec<[f32; 3]> = of.map(|it| single(it.scale)).collect();
            let scale = file.floats(&rows, Type::Vec3, None, false);
            add(scale, nodes.scales[bone], Property::Scale);
        }
    }
    file.root.push(gltf_json::Animation {
        extensions: None,
        extras: Default::default(),
        channels,
        name: Some(format!("animation {number}")),
        samplers,
    });
}

fn single(v: [f64; 3]) -> [f32; 3] {
    v.map(|it| it as f32)
}

fn quaternion(q: Quaternion) -> UnitQuaternion {
    UnitQuaternion(q.map(|it| it as f32))
}
