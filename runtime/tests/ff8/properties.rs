//! Round trips and hostile bytes.

use super::{first, section};
use overworld_runtime::anim::ff8::{
    BitWriter, BoneMatrices, Coloured, Dat, Decoder, Event, Events, Face, FrameSource, Geometry,
    GroupSource, ObjectSource, Pose, Progress, Skeleton, Speed, Texture, emit_geometry, encode,
    matrices, replay,
};
use overworld_runtime::gte::software::Gte;
use proptest::collection::vec;
use proptest::prelude::*;

const BONES: usize = 5;

type Frame = ([i16; 3], [[i16; 3]; BONES], Option<[[i16; 3]; BONES]>);

fn frames() -> impl Strategy<Value = Vec<Frame>> {
    let near = -40_i16..40;
    let number = || prop_oneof![near.clone(), any::<i16>()];
    let scale = prop_oneof![3 => Just(1024_i16), 1 => 700_i16..1300, 1 => -31744_i16..];
    let scales = proptest::array::uniform5(proptest::array::uniform3(scale));
    let frame = (
        proptest::array::uniform3(number()),
        proptest::array::uniform5(proptest::array::uniform3(number())),
        proptest::option::of(scales),
    );
    vec(frame, 1..8)
}

/// The fields of a stream of `frames` frames, each in a form of its own.
fn events() -> impl Strategy<Value = (u8, Vec<Event>)> {
    let location = (0_u8..4, any::<i16>()).prop_map(|(ty, value)| Event::Location {
        ty,
        value: value >> [13, 10, 7, 0][usize::from(ty)],
    });
    let rotation = proptest::option::of((0_u8..4, any::<i16>())).prop_map(|it| {
        Event::Rotation(it.map(|(ty, value)| (ty, value >> [13, 10, 8, 4][usize::from(ty)])))
    });
    let scale = proptest::option::of(any::<i16>()).prop_map(Event::Scale);
    let bone = (vec(rotation, 3), vec(scale, 3));
    let frame = (vec(location, 3), any::<bool>(), vec(bone, BONES)).prop_map(
        |(mut fields, scaled, bones)| {
            fields.push(Event::Mode(scaled));
            for (rotation, scale) in bones {
                fields.extend(rotation);
                fields.extend(scale.into_iter().filter(|_| scaled));
            }
            fields
        },
    );
    vec(frame, 0..8).prop_map(|frames| (frames.len() as u8, frames.concat()))
}

/// An object: bones with their vertices, one at least, and faces between them.
type Shape = (Vec<(u8, Vec<[i16; 3]>)>, Vec<Face>);

fn shape() -> impl Strategy<Value = Shape> {
    let corner = proptest::array::uniform3(any::<i16>());
    let groups = vec((0..BONES as u8, vec(corner, 1..9)), 1..5);
    let number = proptest::array::uniform4(any::<proptest::sample::Index>());
    let texture = (
        any::<u16>(),
        0_u16..0x200,
        proptest::array::uniform4(any::<u16>()),
    );
    let colour = proptest::option::of(any::<u32>());
    let face = (number, 3_u8..5, -8_i8..8, any::<bool>(), texture, colour);
    (groups, vec(face, 0..20)).prop_map(|(groups, faces)| {
        let vertices: usize = groups.iter().map(|(_, it)| it.len()).sum();
        let faces = faces.into_iter();
        let faces = faces.map(
            |(number, corners, bias, hidden, (clut, page, mut uv), colour)| {
                let mut vertices = number.map(|it| it.index(vertices) as u16);
                if corners == 3 {
                    (vertices[3], uv[3]) = (0, 0);
                }
                Face {
                    vertices,
                    corners,
                    bias,
                    hidden,
                    texture: Texture { clut, page, uv },
                    colour: colour.map(Coloured),
                }
            },
        );
        (groups, faces.collect())
    })
}

proptest! {
    /// Faces come back by kind, those of one kind in their order, and there is nothing to warn of.
    #[test]
    fn geometry_that_was_written_is_read(shapes in vec(shape(), 0..4)) {
        let groups: Vec<Vec<_>> = shapes.iter().map(|(groups, _)| {
            let groups = groups.iter();
            groups.map(|(bone, vertices)| GroupSource { bone: *bone, vertices }).collect()
        }).collect();
        let objects: Vec<_> = shapes.iter().zip(&groups)
            .map(|((_, faces), groups)| ObjectSource { groups, faces })
            .collect();
        let mut out = vec![0; 1 << 14];
        let length = emit_geometry(&objects, BONES as u8, &mut out).unwrap();
        prop_assert_eq!(length % 4, 0);
        prop_assert!(emit_geometry(&objects, BONES as u8, &mut vec![0; length - 1]).is_err());
        let read = Geometry::parse(&out[..length], BONES as u8).unwrap();
        prop_assert_eq!(read.len() as usize, shapes.len());
        for (object, (groups, faces)) in read.objects().zip(&shapes) {
            let found: Vec<_> = object.groups().map(|it| (it.bone, it.vertices().collect())).collect();
            prop_assert_eq!(&found, groups);
            let mut wanted = faces.clone();
            wanted.sort_by_key(|it| (it.colour.is_some(), it.corners));
            prop_assert_eq!(object.faces().collect::<Vec<_>>(), wanted);
        }
        let mut warnings = 0;
        read.warnings(|_| warnings += 1);
        prop_assert_eq!(warnings, 0);
    }

    #[test]
    fn what_was_encoded_is_decoded(frames in frames()) {
        let sources: Vec<_> = frames.iter().map(|(root, rotation, scale)| FrameSource {
            root: *root,
            rotation,
            scale: scale.as_ref().map(|it| &it[..]),
        }).collect();
        let mut out = vec![0; 4096];
        let length = encode(&sources, BONES as u8, &mut out).unwrap();
        let data = section(&out[..length]);
        let mut decoder = Decoder::new(&first(&data), BONES as u8, Speed::Normal);
        let mut pose = Pose::<BONES>::START;
        let mut poses = Vec::new();
        for (number, (root, rotation, scale)) in (0..).zip(&frames) {
            prop_assert_eq!(decoder.call(&mut pose), Ok(Progress::Frame(number)));
            prop_assert_eq!(&pose.root, root);
            for (decoded, wanted) in pose.rotation.as_flattened().iter().zip(rotation.as_flattened()) {
                prop_assert_eq!(decoded & 0xFFF, wanted & 0xFFF);
            }
            let scale = scale.filter(|it| it.as_flattened().iter().any(|it| *it != 1024));
            prop_assert_eq!(pose.scaled, scale.is_some());
            if let Some(scale) = scale {
                prop_assert_eq!(pose.scale, scale);
            }
            poses.push(pose);
        }
        prop_assert_eq!(decoder.call(&mut pose), Ok(Progress::Complete));
        // The stream ends in the last byte.
        let (byte, bit) = decoder.position();
        prop_assert_eq!(byte as usize + usize::from(bit != 0), data.len());

        // What was decoded is encoded to the same bytes: there is one smallest form.
        let sources: Vec<_> = poses.iter().map(|it| FrameSource {
            root: it.root,
            rotation: &it.rotation,
            scale: it.scaled.then_some(&it.scale[..]),
        }).collect();
        let mut again = vec![0; 4096];
        let same = encode(&sources, BONES as u8, &mut again).unwrap();
        prop_assert_eq!(&again[..same], &out[..length]);
    }

    #[test]
    fn a_replay_gives_the_bytes_back((frames, fields) in events()) {
        let mut out = vec![0; 8192];
        out[0] = frames;
        let mut writer = BitWriter::new(&mut out[1..]);
        replay(fields.iter().copied(), &mut writer).unwrap();
        let length = 1 + writer.bytes();
        let data = section(&out[..length]);
        let mut read = Events::new(&first(&data), BONES as u8);
        let list: Vec<_> = read.by_ref().map(Result::unwrap).collect();
        prop_assert_eq!(&list, &fields);

        // The decoder walks the same way.
        let mut decoder = Decoder::new(&first(&data), BONES as u8, Speed::Normal);
        let mut pose = Pose::<BONES>::START;
        while decoder.step(&mut pose).unwrap() != Progress::Complete {}
        let (byte, bit) = decoder.position();
        prop_assert_eq!((byte as usize, bit), read.position());
    }

    #[test]
    fn slow_ends_where_halves_say((frames, fields) in events()) {
        let mut out = vec![0; 8192];
        out[0] = frames;
        let mut writer = BitWriter::new(&mut out[1..]);
        replay(fields.iter().copied(), &mut writer).unwrap();
        let data = section(&out);
        let mut decoder = Decoder::new(&first(&data), BONES as u8, Speed::Slow);
        let mut pose = Pose::<BONES>::START;
        let mut calls = 0;
        while decoder.call(&mut pose).unwrap() != Progress::Complete {
            calls += 1;
        }
        prop_assert_eq!(calls, (2 * i32::from(frames) - 1).max(0));
        prop_assert_eq!(decoder.remaining_frames(), 0);
        // The sums of the first frame, and twice the halves of the others.
        let mut sums = [0_i16; 3];
        let locations = fields.iter().filter_map(|it| match it {
            Event::Location { value, .. } => Some(*value),
            _ => None,
        });
        for (n, value) in locations.enumerate() {
            let change = if n < 3 { value } else { (value / 2).wrapping_mul(2) };
            sums[n % 3] = sums[n % 3].wrapping_add(change);
        }
        prop_assert_eq!(pose.root, sums);
    }

    #[test]
    fn hostile_streams_do_no_harm(data in vec(any::<u8>(), 0..400), bones in 0_u8..8) {
        let stream = section(&[&[20][..], &data].concat());
        let mut pose = Pose::<8>::START;
        for speed in [Speed::Normal, Speed::Fast, Speed::Slow] {
            let mut decoder = Decoder::new(&first(&stream), bones, speed);
            let mut calls = 0;
            loop {
                let before = (pose, decoder.position());
                match decoder.call(&mut pose) {
                    Ok(Progress::Frame(_)) => calls += 1,
                    Ok(Progress::Complete) => break,
                    Err(error) => {
                        let after = (pose, decoder.position());
                        // Of the two frames of a call the first may be there.
                        prop_assert!(after == before || speed == Speed::Fast);
                        prop_assert_eq!(decoder.call(&mut pose), Err(error));
                        prop_assert_eq!((pose, decoder.position()), after);
                        break;
                    }
                }
                prop_assert!(calls <= 39);
            }
        }
        let mut events = Events::new(&first(&stream), bones);
        prop_assert!(events.by_ref().count() <= 20 * (4 + 9 * 8));
    }

    /// All corners of the number range, in a chain of bones: nothing overflows.
    #[test]
    fn any_pose_has_matrices(
        root in proptest::array::uniform3(any::<i16>()),
        rotation in proptest::array::uniform5(proptest::array::uniform3(any::<i16>())),
        scale in proptest::array::uniform5(proptest::array::uniform3(any::<i16>())),
        model in any::<i16>(), length in any::<i16>(), scaled in any::<bool>(),
    ) {
        let mut data = vec![0; 16 + 48 * BONES];
        data[0] = BONES as u8;
        data[2..4].copy_from_slice(&model.to_le_bytes());
        for bone in 0..BONES {
            let at = 16 + 48 * bone;
            data[at..at + 2].copy_from_slice(&(bone as u16).wrapping_sub(1).to_le_bytes());
            data[at + 2..at + 4].copy_from_slice(&length.to_le_bytes());
        }
        let skeleton = Skeleton::parse(&data).unwrap();
        let pose = Pose::<BONES> { root, scaled, rotation, scale };
        let mut out = [BoneMatrices::default(); BONES];
        let bones = matrices(&mut Gte::new(), &skeleton, &pose, &mut out).unwrap();
        prop_assert_eq!(bones.len(), BONES);
    }
}

/// A whole file with a few bytes changed, most of them in its tables: whatever can still be read keeps its promises. Each
/// reader takes some of the mutants and refuses others.
#[test]
fn mutants_do_no_harm() {
    let file = super::a12();
    let mut seed = 0x2545_F491_4F6C_DD1D_u64;
    let mut draw = |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed as usize % below
    };
    // Taken and refused: the file, its skeleton, its geometry, its animations.
    let mut counts = [[0; 2]; 4];
    for _ in 0..20_000 {
        let mut data = file.clone();
        for _ in 0..1 + draw(3) {
            let at = draw(data.len());
            data[at] = match draw(4) {
                0 => draw(256) as u8,
                1 => 0xFF,
                2 => data[at] ^ 1 << draw(8),
                _ => data[at].wrapping_add(1),
            };
        }
        data.truncate(data.len() - if draw(8) == 0 { draw(64) } else { 0 });
        let parsed = Dat::parse(&data);
        counts[0][usize::from(parsed.is_err())] += 1;
        let Ok(dat) = parsed else { continue };
        let skeleton = dat.skeleton();
        counts[1][usize::from(skeleton.is_err())] += 1;
        let bones = skeleton.map_or(2, |it| it.len());
        if let Ok(skeleton) = skeleton {
            let mut out = [BoneMatrices::default(); 255];
            let scale = [[i16::MIN; 3]; 255];
            let pose = Pose::<255> {
                scaled: true,
                scale,
                ..Pose::START
            };
            let made = matrices(&mut Gte::new(), &skeleton, &pose, &mut out).map(|it| it.len());
            assert_eq!(made.ok(), Some(usize::from(bones)));
        }
        let mesh = dat.geometry(bones);
        counts[2][usize::from(mesh.is_err())] += 1;
        for object in mesh.iter().flat_map(Geometry::objects) {
            let vertices: usize = object.groups().map(|it| it.vertices().count()).sum();
            assert_eq!(vertices, object.len());
            for face in object.faces() {
                let corners = &face.vertices[..usize::from(face.corners)];
                assert!(corners.iter().all(|it| usize::from(*it) < object.len()));
            }
        }
        if let Ok(mesh) = mesh {
            mesh.warnings(|_| ());
        }
        let animations = dat.animations();
        counts[3][usize::from(animations.is_err())] += 1;
        let Ok(animations) = animations else { continue };
        for animation in animations.iter() {
            assert!(animations.limit(&animation) > animation.start());
            let mut decoder = Decoder::new(&animation, bones, Speed::Normal);
            let mut pose = Pose::<255>::START;
            let mut frames = 0;
            while let Ok(Progress::Frame(_)) = decoder.call(&mut pose) {
                frames += 1;
            }
            assert!(frames <= animation.frames());
        }
    }
    for [taken, refused] in counts {
        assert!(taken > 1000 && refused > 20, "{counts:?}");
    }
}
