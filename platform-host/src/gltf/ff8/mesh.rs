//! Faces with their skin (FF8 sheet, section 3).

use std::collections::{BTreeMap, HashMap};

use gltf_json::accessor::{ComponentType, Type};
use gltf_json::material::{PbrMetallicRoughness, StrengthFactor};
use gltf_json::mesh::{Mode, Primitive, Semantic};
use gltf_json::validation::Checked::Valid;
use gltf_json::{Accessor, Index, Material, Mesh, Node, Skin, buffer};
use overworld_runtime::anim::ff8::{Coloured, Face, Geometry, Skeleton};

use super::super::File;
use super::turn::{Placed, placed, single};
use super::{Local, Nodes};

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

/// The mesh, called `name`, a primitive for each texture page and CLUT, and its skin; the number of triangles.
pub(super) fn mesh(
    file: &mut File,
    name: &str,
    geometry: &Geometry<'_>,
    skeleton: &Skeleton<'_>,
    rest: &[Local],
    nodes: &Nodes,
) -> usize {
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
        return 0;
    }
    let mut count = 0;
    let mut primitives = Vec::new();
    for ((page, clut), corners) in &materials {
        count += corners.indices.len() / 3;
        let material = file.root.push(Material {
            name: Some(format!("page {page:04X} clut {clut:04X}")),
            // Plain: what is not said is metal all over.
            pbr_metallic_roughness: PbrMetallicRoughness {
                metallic_factor: StrengthFactor(0.0),
                roughness_factor: StrengthFactor(1.0),
                ..PbrMetallicRoughness::default()
            },
            ..Material::default()
        });
        primitives.push(primitive(file, corners, material));
    }
    let mesh = file.root.push(Mesh {
        extensions: None,
        extras: Default::default(),
        name: Some(name.to_owned()),
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
    count
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
