use overworld_runtime::anim::ff8::{BoneMatrices, Dat, Geometry, Pose, matrices};
use overworld_runtime::bytes::crc32;
use overworld_runtime::fixed::SVector;
use overworld_runtime::gte::software::Gte;
use overworld_runtime::model::tim::Tim;
use overworld_runtime::scene::creatures::Creature;

use super::*;
use crate::ff8::{self, AnyPose};
use crate::gpu::Picture;
use crate::strip::{CELL, strip};

fn poses(file: &[u8], animation: u32) -> Vec<AnyPose> {
    let dat = Dat::parse(file).unwrap();
    let animation = dat.animations().unwrap().get(animation).unwrap();
    ff8::poses(&animation, bone::COUNT as u8).unwrap()
}

/// Where every vertex is, in the units of a field: bone and place.
fn vertices(file: &[u8], pose: &AnyPose) -> Vec<(u8, [i32; 3])> {
    let dat = Dat::parse(file).unwrap();
    let skeleton = dat.skeleton().unwrap();
    let mesh = dat.geometry(skeleton.len()).unwrap();
    let mut room = [BoneMatrices::default(); bone::COUNT];
    let bones = matrices(&mut Gte::new(), &skeleton, pose, &mut room).unwrap();
    let mut all = Vec::new();
    for group in mesh.objects().flat_map(|it| it.groups()) {
        let skin = bones[usize::from(group.bone)].skin;
        for [x, y, z] in group.vertices() {
            let v = skin.rotation.transform(&SVector::new(x, y, z));
            let t = skin.translation;
            all.push((group.bone, [v.x + t.x, v.y + t.y, v.z + t.z]));
        }
    }
    all
}

/// Least and most of one component over the vertices of some bones.
fn range(vertices: &[(u8, [i32; 3])], axis: usize, of: impl Fn(u8) -> bool) -> (i32, i32) {
    let found = vertices.iter().filter(|it| of(it.0)).map(|it| it.1[axis]);
    (found.clone().min().unwrap(), found.max().unwrap())
}

const Y: usize = 1;

#[test]
fn the_model_is_sound_and_the_same_everywhere() {
    let file = model().unwrap();
    let dat = Dat::parse(&file).unwrap();
    let (surveys, notes) = ff8::survey(&dat).unwrap();
    assert_eq!(notes, []);
    assert_eq!(surveys.len(), 2);
    for survey in surveys {
        // Every frame scales, and no value stands in a longer form than it needs.
        assert_eq!(survey.scaled, usize::from(survey.frames));
        assert_eq!(survey.bits, survey.shortest);
        assert!(survey.slow);
    }
    let summary = Creature::new(&file).unwrap().summary();
    assert_eq!((summary.bones, summary.animations), (18, 2));
    assert_eq!(
        (summary.size as usize, summary.crc32),
        (file.len(), crc32(&file))
    );
    assert_eq!(file, model().unwrap());
    // A change here is one of the sample or of the writers; say which when you change it.
    assert_eq!(
        (crc32(&file), crc32(&texture().unwrap())),
        (0xBECB_15B5, 0x16BA_58AA)
    );
}

#[test]
fn all_kinds_of_faces_are_used_and_textures_lie_where_the_texture_is() {
    let file = model().unwrap();
    let dat = Dat::parse(&file).unwrap();
    let mesh = dat.geometry(bone::COUNT as u8).unwrap();
    let bytes = texture().unwrap();
    let tim = Tim::parse(&bytes).unwrap();
    assert_eq!((tim.width(), tim.image.h), (128, 128));
    let clut = tim.clut.unwrap();
    let mut kinds = [0; 4];
    let mut clear = 0;
    for face in mesh.objects().flat_map(|it| it.faces().collect::<Vec<_>>()) {
        kinds[usize::from(face.corners == 4) + 2 * usize::from(face.colour.is_some())] += 1;
        clear += usize::from(face.colour.is_some_and(|it| it.0 >> 25 & 1 == 1));
        let page = face.texture.page;
        assert_eq!((page & 15) * 64, tim.image.x);
        assert_eq!(page >> 7 & 3, 1, "8 bits a texel");
        assert_eq!((face.texture.clut & 63) * 16, clut.x);
        assert_eq!(face.texture.clut >> 6, clut.y);
        let corners = face.texture.uv.iter().take(face.corners.into());
        assert!(corners.clone().all(|it| it & 0xFF < 128 && it >> 8 < 128));
    }
    assert!(kinds.iter().all(|it| *it > 0), "{kinds:?}");
    assert!(clear > 20, "{clear} faces of the throat are seen through");
    // Where texels are seen through, and only there, the palette says so; none of them is a hole.
    for &index in tim.image.data {
        let colour = &clut.data[2 * usize::from(index)..][..2];
        assert_eq!(colour[1] & 0x80 != 0, index >> 4 == 9, "{index}");
        assert_ne!(colour, [0, 0], "{index}");
    }
}

/// The hull of the body is closed, and so is everything that hangs on it: each edge runs once in each direction.
#[test]
fn every_hull_is_closed() {
    let file = model().unwrap();
    let dat = Dat::parse(&file).unwrap();
    let mesh = dat.geometry(bone::COUNT as u8).unwrap();
    for object in mesh.objects() {
        let mut edges = std::collections::HashMap::new();
        for face in object.faces() {
            let [a, b, c, d] = face.vertices;
            let mut triangles = vec![[a, b, c]];
            if face.corners == 4 {
                triangles.push([b, d, c]);
            }
            for [a, b, c] in triangles {
                for (from, to) in [(a, b), (b, c), (c, a)] {
                    *edges.entry((from.min(to), from.max(to))).or_insert(0) +=
                        if from < to { 1 } else { -1 };
                }
            }
        }
        assert!(
            edges.values().all(|sum| *sum == 0),
            "an edge has no partner"
        );
    }
}

#[test]
fn squashing_is_inherited_and_keeps_the_feet_on_the_ground() {
    let file = model().unwrap();
    let hop = poses(&file, HOP);
    let body = |bone: u8| (bone::BODY..=bone::EYES[1]).contains(&bone);
    let height = |frame: usize| {
        let (top, bottom) = range(&vertices(&file, &hop[frame]), Y, body);
        bottom - top
    };
    let heights: Vec<i32> = (0..hop.len()).map(height).collect();
    let (least, most) = (heights.iter().min().unwrap(), heights.iter().max().unwrap());
    // Y points down. At rest it is about 430 high.
    assert!((400..470).contains(&heights[0]), "{heights:?}");
    assert!(
        *least < heights[0] * 2 / 3 && *most > heights[0] * 6 / 5,
        "{heights:?}"
    );
    // The eyes have a scale of 1.0 along X of their own and are wider all the same.
    let eyes = |frame: usize| {
        let (left, right) = range(&vertices(&file, &hop[frame]), 0, |it| {
            bone::EYES.contains(&it)
        });
        right - left
    };
    assert_eq!(hop[6].scale[usize::from(bone::EYES[0])][0], 1024);
    assert!(eyes(6) * 10 > eyes(0) * 11, "{} and {}", eyes(6), eyes(0));

    // Nothing sinks into the ground (the arms are thick when they are squashed), and when it does not hop, the feet are on it.
    for (number, pose) in poses(&file, IDLE).iter().chain(&hop).enumerate() {
        let (_, bottom) = range(&vertices(&file, pose), Y, |_| true);
        assert!(bottom < 24, "frame {number}: {bottom} below the ground");
        if pose.root[1] == 0 {
            assert!(bottom > -24, "frame {number}: {bottom} above the ground");
        }
    }
    let top = hop.iter().map(|it| it.root[1]).min().unwrap();
    assert!(i32::from(top) * 8 < -300, "it hops {top}");
}

/// Cells of a view's matrix with the field's scale, 6.0, times those of any bone fit 16 bits: nothing is cut.
#[test]
fn no_pose_is_too_large_for_a_fields_view() {
    let file = model().unwrap();
    let dat = Dat::parse(&file).unwrap();
    let skeleton = dat.skeleton().unwrap();
    for pose in poses(&file, IDLE).iter().chain(&poses(&file, HOP)) {
        let mut room = [BoneMatrices::default(); bone::COUNT];
        for bone in matrices(&mut Gte::new(), &skeleton, pose, &mut room).unwrap() {
            for column in 0..3 {
                let cells = bone.skin.rotation.m.map(|row| i64::from(row[column]));
                let length = cells.iter().map(|it| it * it).sum::<i64>().isqrt();
                assert!(6 * length <= i16::MAX.into(), "{length} in {pose:?}");
            }
        }
    }
}

/// Pixels of a cell that are not background.
fn covered(picture: &Picture, cell: usize) -> Vec<bool> {
    let side = usize::from(CELL);
    let background = picture.pixel(0, 0);
    (0..side * side)
        .map(|it| picture.pixel(cell * side + it % side, it / side) != background)
        .collect()
}

#[test]
fn a_strip_shows_the_squash() {
    let file = model().unwrap();
    let dat = Dat::parse(&file).unwrap();
    let skeleton = dat.skeleton().unwrap();
    let mesh: Geometry<'_> = dat.geometry(skeleton.len()).unwrap();
    let bytes = texture().unwrap();
    let tim = Tim::parse(&bytes).unwrap();
    let hop = poses(&file, HOP);
    let chosen = [hop[0], hop[6], hop[10]];
    let textured = strip(&skeleton, &mesh, &chosen, Some(&tim)).unwrap();
    let side = usize::from(CELL);
    assert_eq!((textured.width, textured.height), (3 * side, side));
    // Rows and columns that something is in, by cell.
    let extent = |cell: usize| {
        let covered = covered(&textured, cell);
        let rows = covered.chunks(side).filter(|it| it.contains(&true)).count();
        let columns = (0..side).filter(|x| covered.iter().skip(*x).step_by(side).any(|it| *it));
        (columns.count(), rows)
    };
    let [rest, crouched, stretched] = [0, 1, 2].map(extent);
    assert!(rest.1 > 30 && rest.0 > 30, "{rest:?}");
    assert!(crouched.1 * 4 < rest.1 * 3, "{crouched:?} {rest:?}");
    assert!(
        stretched.1 > rest.1 && stretched.0 < rest.0 * 5 / 4,
        "{stretched:?} {rest:?}"
    );

    // Without a texture the same pixels are covered, in greys.
    let clay = strip(&skeleton, &mesh, &chosen, None).unwrap();
    let pixels = |cell| {
        covered(&clay, cell)
            .iter()
            .zip(covered(&textured, cell))
            .filter(|(a, b)| **a != *b)
            .count()
    };
    assert_eq!([0, 1, 2].map(pixels), [0; 3]);
    let mut greys = std::collections::BTreeSet::new();
    let background = clay.pixel(0, 0);
    for pixel in (0..side * side).map(|it| clay.pixel(it % side, it / side)) {
        if pixel != background {
            let [r, g, b] = pixel.unwrap();
            assert!(r == g && g == b, "{pixel:?}");
            greys.insert(r);
        }
    }
    assert!(greys.len() > 8, "{greys:?}");
}

/// More frames than a row holds begin another one; a model without faces gives an empty picture.
#[test]
fn strips_wrap_and_may_be_empty() {
    let file = skeleton().model().unwrap();
    let dat = Dat::parse(&file).unwrap();
    let skeleton = dat.skeleton().unwrap();
    let mesh = dat.geometry(skeleton.len()).unwrap();
    let poses = vec![Pose::START; 17];
    let picture = strip(&skeleton, &mesh, &poses, None).unwrap();
    assert_eq!((picture.width, picture.height), (16 * 128, 256));
    assert!(picture.rgb.chunks(3).all(|it| *it == picture.rgb[..3]));
}
