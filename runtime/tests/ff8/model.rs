//! Posed models: rows A10 to A12, the writers of their sections, and drawing.

use super::a12;
use overworld_runtime::anim::ff8::{
    self, BoneMatrices, Coloured, Dat, Decoder, End, Face, Geometry, GroupSource, Kind,
    ObjectSource, Pose, Skeleton, SkeletonSource, Speed, Texture, emit_skeleton, matrices,
};
use overworld_runtime::fixed::{Matrix, SVector, Vector};
use overworld_runtime::gpu::DisplayList;
use overworld_runtime::gte::Geometry as _;
use overworld_runtime::gte::software::Gte;
use overworld_runtime::model::draw::{Options, Stats};
use overworld_runtime::model::ff8::{Error, Point, draw};
use overworld_runtime::model::pose::Transform;
use overworld_runtime::platform::NoScreen;

fn skeleton(scale: i16, bones: &[(Option<u8>, i16)]) -> Vec<u8> {
    let mut out = vec![0xFF; 16 + 48 * bones.len()];
    let source = SkeletonSource { scale, bones };
    assert_eq!(emit_skeleton(&source, &mut out), Ok(out.len()));
    out
}

type Row = ([i32; 3], [[i16; 3]; 3]);

fn rows(bones: &[BoneMatrices]) -> Vec<Row> {
    let row = |it: &BoneMatrices| {
        let Vector { x, y, z } = it.skin.translation;
        ([x, y, z], it.skin.rotation.m)
    };
    bones.iter().map(row).collect()
}

#[test]
fn a10_both_paths() {
    let data = skeleton(4096, &[(None, 100), (Some(0), 200), (Some(1), 50)]);
    let skeleton = Skeleton::parse(&data).unwrap();
    let mut pose = Pose::<3> {
        root: [16, -32, 64],
        rotation: [[0, 1024, 0], [512, 0, 0], [0, 0, 1024]],
        scale: [[1024, 1024, 512], [1024, 2048, 1024], [512, 1024, 1024]],
        scaled: false,
    };
    let mut gte = Gte::new();
    let mut out = [BoneMatrices::default(); 5];
    let bones = matrices(&mut gte, &skeleton, &pose, &mut out).unwrap();
    assert_eq!(
        rows(bones),
        [
            (
                [256, -512, 1024],
                [[0, 0, 4096], [0, 4096, 0], [-4096, 0, 0]]
            ),
            (
                [356, -512, 1024],
                [[0, 2896, 2896], [0, 2896, -2896], [-4096, 0, 0]]
            ),
            (
                [497, -654, 1024],
                [[2896, 0, 2896], [2896, 0, -2896], [0, 4096, 0]]
            ),
        ]
    );
    pose.scaled = true;
    let bones = matrices(&mut gte, &skeleton, &pose, &mut out).unwrap();
    assert_eq!(
        rows(bones),
        [
            (
                [256, -512, 1024],
                [[0, 0, 2048], [0, 4096, 0], [-4096, 0, 0]]
            ),
            (
                [306, -512, 1024],
                [[0, 5792, 1448], [0, 5792, -1448], [-4096, 0, 0]]
            ),
            (
                [376, -583, 1024],
                [[1448, 0, 1448], [1448, 0, -1448], [0, 8192, 0]]
            ),
        ]
    );
    let factors: Vec<_> = bones.iter().map(|it| it.factors).collect();
    assert_eq!(
        factors,
        [[1024, 1024, 512], [1024, 2048, 512], [512, 2048, 512]]
    );
}

#[test]
fn a11_the_models_scale() {
    let data = skeleton(189, &[(None, 100), (Some(0), 80)]);
    let skeleton = Skeleton::parse(&data).unwrap();
    let pose = Pose::<2> {
        root: [16, -32, 64],
        rotation: [[0, 1024, 0], [512, 0, 0]],
        ..Pose::START
    };
    let mut out = [BoneMatrices::default(); 2];
    let bones = matrices(&mut Gte::new(), &skeleton, &pose, &mut out).unwrap();
    assert_eq!(
        rows(bones),
        [
            ([11, -24, 47], [[0, 0, 189], [0, 189, 0], [-189, 0, 0]]),
            ([15, -24, 47], [[0, 133, 133], [0, 133, -134], [-189, 0, 0]]),
        ]
    );
}

#[test]
fn every_bone_needs_a_place() {
    let data = skeleton(4096, &[(None, 0), (Some(0), 0), (Some(0), 0)]);
    let skeleton = Skeleton::parse(&data).unwrap();
    let mut gte = Gte::new();
    let marked = BoneMatrices {
        factors: [7; 3],
        ..BoneMatrices::default()
    };
    let mut out = [marked; 2];
    let error = |room| Some(ff8::Error::TooManyBones { bones: 3, room });
    let wide = matrices(&mut gte, &skeleton, &Pose::<3>::START, &mut out);
    assert_eq!(wide.err(), error(2));
    let mut wide = [marked; 3];
    let small = matrices(&mut gte, &skeleton, &Pose::<1>::START, &mut wide);
    assert_eq!(small.err(), error(1));
    assert_eq!(out, [marked; 2]);
}

#[test]
fn a12_a_whole_file() {
    let file = a12();
    assert_eq!(file.len(), 224);
    assert_eq!(overworld_runtime::bytes::crc32(&file), 0xEC54_DF9D);
    let dat = Dat::parse(&file).unwrap();
    assert_eq!((dat.kind(), dat.end()), (Kind::PoseOnly, End::Exact));
    let skeleton = dat.skeleton().unwrap();
    assert_eq!(
        (skeleton.len(), skeleton.scale(), skeleton.roots()),
        (2, 4096, 1)
    );
    let mesh = dat.geometry(skeleton.len()).unwrap();
    mesh.warnings(|it| panic!("{it:?}"));
    let animations = dat.animations().unwrap();
    assert_eq!(
        (mesh.len(), mesh.most_vertices(), animations.len()),
        (1, 3, 1)
    );

    let animation = animations.get(0).unwrap();
    let mut decoder = Decoder::new(&animation, 2, Speed::Normal);
    let mut pose = Pose::<2>::START;
    let mut gte = Gte::new();
    let mut out = [BoneMatrices::default(); 2];
    let mut posed = |pose: &Pose<2>| {
        let bones = matrices(&mut gte, &skeleton, pose, &mut out).unwrap();
        let object = mesh.object(0).unwrap();
        let mut vertices = Vec::new();
        for group in object.groups() {
            bones[usize::from(group.bone)].skin.load(&mut gte);
            for [x, y, z] in group.vertices() {
                let Vector { x, y, z } = gte.transform(&SVector::new(x, y, z));
                vertices.push([x, y, z]);
            }
        }
        (rows(bones)[1].0, vertices)
    };
    decoder.call(&mut pose).unwrap();
    assert_eq!(
        (pose.rotation, pose.scaled),
        ([[0, 1024, 0], [0; 3]], false)
    );
    assert_eq!(posed(&pose).1, [[0, 0, 0], [0, 0, -40], [100, -40, 0]]);
    decoder.call(&mut pose).unwrap();
    assert_eq!((pose.root, pose.scaled), ([0, -1, 2], true));
    assert_eq!(pose.scale[0], [1024, 1024, 1536]);
    let (place, vertices) = posed(&pose);
    assert_eq!(place, [150, -16, 32]);
    assert_eq!(vertices, [[0, -16, 32], [0, -16, -8], [121, -45, 32]]);
    // 94 bits.
    assert_eq!(decoder.position(), (8 + 1 + 94 / 8, 94 % 8));

    // The container as its writer makes it.
    let sections: Vec<&[u8]> = (1..=3).map(|it| dat.section(it).unwrap()).collect();
    let mut again = vec![0; 224];
    assert_eq!(ff8::emit(&sections, &mut again), Ok(224));
    assert_eq!(again, file);
}

/// Draw the file's model from a place in front of it.
fn drawn(file: &[u8], view: &Transform, options: &Options) -> (Stats, Vec<u32>) {
    let dat = Dat::parse(file).unwrap();
    let skeleton = dat.skeleton().unwrap();
    let mesh = dat.geometry(skeleton.len()).unwrap();
    let mut gte = Gte::new();
    gte.set_screen(160 << 16, 120 << 16, 256);
    let mut out = [BoneMatrices::default(); 2];
    let bones = matrices(&mut gte, &skeleton, &Pose::<2>::START, &mut out).unwrap();
    let mut words = [0; 128];
    let mut list = DisplayList::new(&mut words, 64);
    list.begin(&mut NoScreen);
    let mut points = [Point::default(); 3];
    let stats = draw(
        &mut gte,
        &mut list,
        &mesh,
        bones,
        view,
        &mut points,
        options,
    )
    .unwrap();
    let used = list.words().len() - list.free();
    (stats, words[64..used].to_vec())
}

#[test]
fn a_face_becomes_a_packet() {
    let file = a12();
    let options = Options {
        two_sided: true,
        ..Options::for_buckets(64)
    };
    let view = Transform {
        rotation: Matrix::IDENTITY,
        translation: Vector::new(0, 0, 1024),
    };
    // At rest: (0, 0, 0), (40, 0, 0), (0, -40, 100): the third one is of bone 1, which lies 100 further on.
    let (stats, packet) = drawn(&file, &view, &options);
    assert_eq!((stats.drawn, stats.total()), (1, 1));
    let xy = |x: u32, y: u32| x | y << 16;
    assert_eq!(packet.len(), 8);
    assert_eq!(
        packet[1..],
        [
            0x2480_8080,
            xy(160, 120),
            0,
            xy(170, 120),
            0x001F,
            xy(160, 110),
            0x1F00
        ]
    );
}

#[test]
fn faces_that_are_not_drawn() {
    let file = a12();
    let view = |z| Transform {
        rotation: Matrix::IDENTITY,
        translation: Vector::new(0, 0, z),
    };
    let options = Options::for_buckets(64);
    let two_sided = Options {
        two_sided: true,
        ..options
    };
    let count = |stats: Stats| [stats.drawn, stats.culled, stats.near, stats.oversize];
    let one = count(drawn(&file, &view(1024), &options).0);
    // From behind it is the other side.
    let behind = Transform {
        rotation: Matrix::euler(0, 2048, 0),
        translation: Vector::new(0, 0, 1024),
    };
    let other = count(drawn(&file, &behind, &options).0);
    assert_eq!([one[0] + other[0], one[1] + other[1]], [1, 1]);
    assert_eq!(count(drawn(&file, &view(-500), &two_sided).0), [0, 0, 1, 0]);
    // The bits that hide it.
    let mut hidden = file.clone();
    // The face stands at B4h.
    hidden[0xB4 + 15] = 0x02;
    assert_eq!(
        count(drawn(&hidden, &view(1024), &two_sided).0),
        [0, 1, 0, 0]
    );
}

#[test]
fn what_drawing_refuses() {
    let file = a12();
    let dat = Dat::parse(&file).unwrap();
    let mesh = dat.geometry(2).unwrap();
    let mut gte = Gte::new();
    let view = Transform::default();
    let options = Options::for_buckets(8);
    let bones = [BoneMatrices::default(); 2];
    let mut words = [0; 8];
    let mut list = DisplayList::new(&mut words, 8);
    let mut points = [Point::default(); 2];
    let error = draw(
        &mut gte,
        &mut list,
        &mesh,
        &bones,
        &view,
        &mut points,
        &options,
    );
    let room = Error::TooManyVertices {
        vertices: 3,
        room: 2,
    };
    assert_eq!(error, Err(room));
    let mut points = [Point::default(); 3];
    let error = draw(
        &mut gte,
        &mut list,
        &mesh,
        &bones[..1],
        &view,
        &mut points,
        &options,
    );
    assert_eq!(error, Err(Error::TooFewBones { bone: 1, bones: 1 }));
}

/// A triangle and a quad without and with a colour, each with a bias, and a quad whose first half is a line.
#[test]
fn every_kind_of_face_has_its_packet_and_bucket() {
    let data = skeleton(4096, &[(None, 0)]);
    let skeleton = Skeleton::parse(&data).unwrap();
    let corners = [[0, 0, 0], [40, 0, 0], [0, 40, 0], [40, 40, 0]];
    let face = |vertices: [u16; 4], corners, bias, colour: Option<u32>| Face {
        vertices,
        corners,
        bias,
        hidden: false,
        texture: Texture {
            clut: 0x7831,
            page: 0x0095,
            uv: [
                0x0201,
                0x0403,
                0x0605,
                if corners == 4 { 0x0807 } else { 0 },
            ],
        },
        colour: colour.map(Coloured),
    };
    let faces = [
        face([0, 1, 2, 0], 3, 0, None),
        face([0, 1, 2, 3], 4, 3, None),
        face([0, 1, 2, 0], 3, -4, Some(0x2544_5566)),
        face([0, 1, 2, 3], 4, -8, Some(0x2E11_2233)),
        face([0, 0, 2, 3], 4, 7, None),
        // Turned away, both halves of it.
        face([1, 0, 3, 2], 4, 0, None),
    ];
    let object = ObjectSource {
        groups: &[GroupSource {
            bone: 0,
            vertices: &corners,
        }],
        faces: &faces,
    };
    let mut bytes = [0; 512];
    let length = ff8::emit_geometry(&[object], 1, &mut bytes).unwrap();
    let mesh = Geometry::parse(&bytes[..length], 1).unwrap();
    let mut gte = Gte::new();
    gte.set_screen(160 << 16, 120 << 16, 256);
    let mut out = [BoneMatrices::default(); 1];
    let bones = matrices(&mut gte, &skeleton, &Pose::<1>::START, &mut out).unwrap();
    let mut words = [0; 1024 + 64];
    let mut list = DisplayList::new(&mut words, 1024);
    list.begin(&mut NoScreen);
    let view = Transform {
        rotation: Matrix::IDENTITY,
        translation: Vector::new(0, 0, 1024),
    };
    let options = Options::for_buckets(1024);
    let mut points = [Point::default(); 4];
    let stats = draw(
        &mut gte,
        &mut list,
        &mesh,
        bones,
        &view,
        &mut points,
        &options,
    )
    .unwrap();
    assert_eq!((stats.drawn, stats.culled, stats.total()), (5, 1, 6));

    let (a, b, c, d) = (0x78_00A0, 0x78_00AA, 0x82_00A0, 0x82_00AA);
    let (first, second) = (0x7831_0201, 0x0095_0403);
    // Depth 1024: three corners at 21 of 4096 and four at 16; and the bias.
    let expected: [(usize, Vec<u32>); 5] = [
        (
            23,
            vec![0x2C80_8080, a, first, a, second, c, 0x0605, d, 0x0807],
        ),
        (
            19,
            vec![0x2C80_8080, a, first, b, second, c, 0x0605, d, 0x0807],
        ),
        (15, vec![0x2480_8080, a, first, b, second, c, 0x0605]),
        (11, vec![0x2544_5566, a, first, b, second, c, 0x0605]),
        (
            8,
            vec![0x2E11_2233, a, first, b, second, c, 0x0605, d, 0x0807],
        ),
    ];
    for (bucket, packet) in expected {
        let at = (list.words()[bucket] & 0x00FF_FFFF) as usize / 4;
        let tag = list.words()[at];
        assert_eq!((tag >> 24) as usize, packet.len(), "bucket {bucket}");
        assert_eq!(
            list.words()[at + 1..][..packet.len()],
            packet,
            "bucket {bucket}"
        );
        // One packet, then on to the next bucket.
        assert_eq!(
            tag & 0x00FF_FFFF,
            4 * (bucket as u32 - 1),
            "bucket {bucket}"
        );
    }
}
