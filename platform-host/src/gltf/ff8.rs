//! FF8 battle models as glTF (FF8 sheet, sections 3, 8 and 13).
//!
//! A bone of the game scales all that hangs on it and yet does not shear its children, which a node of glTF
//! would. So each bone is two nodes: one that turns and carries the children, `bone N`, and one below it that
//! scales, `bone N skin`, which is the joint. The children of a scaled bone come nearer to it by their
//! translation. Without rounding, that is the game's own pose.

mod mesh;
mod turn;

use gltf_json::accessor::Type;
use gltf_json::animation::{Channel, Interpolation, Property, Sampler, Target};
use gltf_json::validation::Checked::Valid;
use gltf_json::{Accessor, Index, Node, Root, Scene};
use overworld_runtime::anim::ff8::{Animation, Dat, Geometry, Skeleton};

use super::File;
use crate::ff8::{AnyPose, Trouble, bones, fits, poses, survey};
use turn::{Quaternion, UPRIGHT, quaternion, single, turn};

/// Frames a second of the game's battles.
pub const RATE: f32 = 15.0;
/// Vertex units of a metre of the file: people are about two metres tall.
pub const METRE: f64 = 1024.0;
/// What came of an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// The file.
    pub glb: Vec<u8>,
    /// Animations in it.
    pub animations: usize,
    /// Faces in it, those that the model hides left out; quads are two triangles.
    pub triangles: usize,
    /// The faces are those of drawn bones, since the model shows none of its own.
    pub bones: bool,
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
    let drawn;
    let mut geometry = dat.geometry(bones)?;
    let is_bare = !bones::shows(&geometry);
    if is_bare {
        drawn = bones::geometry(&skeleton)?;
        geometry = Geometry::parse(&drawn, bones)?;
    }
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
    let name = if is_bare { "bones" } else { "model" };
    let triangles = mesh::mesh(&mut file, name, &geometry, &skeleton, &rest, &nodes);
    for (number, animation) in played() {
        // One at a time: poses take much more room than what is written of them.
        let frames = frames(number, &animation)?;
        animate(&mut file, number, &frames, &skeleton, &rest, &nodes);
    }
    let count = file.root.animations.len();
    Ok(Exported {
        glb: file.finish(),
        animations: count,
        bones: is_bare,
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
