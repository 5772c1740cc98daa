//! Battle models.

use overworld_runtime::anim::ff8::{
    Animations, BitReader, BitWriter, BoneMatrices, Dat, Decoder, Error, Event, Events,
    FrameSource, Geometry, GroupSource, ObjectSource, Pose, Progress, Skeleton, Speed,
    emit_geometry, encode, matrices, replay,
};
use overworld_runtime::gte::software::Gte;

use super::{Choices, take_u8};

/// Bones of the poses.
const BONES: usize = 255;
/// Animations that are played of one model: a small file may name many.
const PLAYED: usize = 16;

/// `[u8 bones][u8 speed]`, then an animation: frame count and stream.
///
/// The decoder walks as the list of fields does; a failed call leaves pose and position; the calls are as many as the
/// speed says; fields give their bits back; what was decoded can be encoded and shows the same, in no more bits.
pub fn stream(data: &[u8]) -> bool {
    let (bones, data) = take_u8(data);
    let (speed, data) = take_u8(data);
    let section = [&[1, 0, 0, 0, 8, 0, 0, 0], data].concat();
    let Ok(animation) = Animations::parse(&section).and_then(|it| it.get(0)) else {
        assert!(data.is_empty());
        return false;
    };
    let mut events = Events::new(&animation, bones);
    let mut fields = Vec::new();
    let mut fault = None;
    for event in events.by_ref() {
        match event {
            Ok(event) => fields.push(event),
            Err(error) => {
                assert_eq!(fault, None, "one error is the end");
                fault = Some(error);
            }
        }
    }
    let (byte, bit) = events.position();
    assert!(byte <= section.len());
    let mut out = vec![0; section.len() + 8];
    let mut writer = BitWriter::new(&mut out);
    replay(fields.iter().copied(), &mut writer).expect("no more bits than were read");
    if fault.is_none() {
        assert_eq!(writer.position(), 8 * (byte - 9) + usize::from(bit));
    }
    for at in 0..writer.position() {
        let bit = |data: &[u8], at: usize| data[at / 8] >> (at % 8) & 1;
        assert_eq!(bit(&out, at), bit(&section[9..], at), "bit {at}");
    }
    let speed = [Speed::Normal, Speed::Fast, Speed::Slow][usize::from(speed) % 3];
    let shown = play(&mut Decoder::new(&animation, bones, speed), fault);
    if speed == Speed::Normal && fault.is_none() && !shown.is_empty() {
        write_again(&shown, bones, writer_bits(&fields));
    }
    fault.is_none() && animation.frames() > 0
}

/// Bits of these fields.
fn writer_bits(fields: &[Event]) -> usize {
    let mut out = vec![0; 4 * fields.len()];
    let mut writer = BitWriter::new(&mut out);
    replay(fields.iter().copied(), &mut writer).expect("fits");
    writer.position()
}

/// Call until there is an end; the poses.
fn play(decoder: &mut Decoder<'_>, fault: Option<Error>) -> Vec<Pose<BONES>> {
    let mut pose = Pose::<BONES>::START;
    let mut shown = Vec::new();
    let mut calls = 0_u32;
    loop {
        let before = (pose, decoder.position());
        match decoder.call(&mut pose) {
            Ok(Progress::Frame(_)) => shown.push(pose),
            Ok(Progress::Complete) => {
                assert_eq!(pose, before.0);
                assert_eq!(calls, u32::from(decoder.calls()));
                return shown;
            }
            Err(error) => {
                assert_eq!(Some(error), fault, "the same place as the list of fields");
                // Again: the frame before the one that is cut is there.
                let before = (pose, decoder.position());
                assert_eq!(decoder.step(&mut pose), Err(error));
                assert_eq!((pose, decoder.position()), before);
                return shown;
            }
        }
        calls += 1;
        assert!(calls <= 255);
    }
}

/// The shortest stream that shows these poses.
fn write_again(poses: &[Pose<BONES>], bones: u8, bits: usize) {
    let count = usize::from(bones);
    let frames: Vec<_> = poses
        .iter()
        .map(|it| FrameSource {
            root: it.root,
            rotation: &it.rotation[..count],
            scale: it.scaled.then_some(&it.scale[..count]),
        })
        .collect();
    let mut out = vec![0; 1 + bits.div_ceil(8)];
    match encode(&frames, bones, &mut out) {
        Ok(length) => out.truncate(length),
        // A scale that wrapped at 16 bits has no other form.
        Err(Error::ValueRange { .. }) => return,
        Err(error) => panic!("{error}: longer than what was read"),
    }
    let section = [&[1, 0, 0, 0, 8, 0, 0, 0], &out[..]].concat();
    let animation = Animations::parse(&section)
        .and_then(|it| it.get(0))
        .expect("written");
    let mut decoder = Decoder::new(&animation, bones, Speed::Normal);
    let mut pose = Pose::<BONES>::START;
    for wanted in poses {
        assert!(matches!(decoder.step(&mut pose), Ok(Progress::Frame(_))));
        assert_eq!(pose.root, wanted.root);
        let turns = pose
            .rotation
            .as_flattened()
            .iter()
            .zip(wanted.rotation.as_flattened());
        assert!(turns.take(3 * count).all(|(a, b)| (a ^ b) & 0xFFF == 0));
        let flat = |pose: &Pose<BONES>| match pose.scaled {
            true => pose.scale[..count].to_vec(),
            false => vec![[1024; 3]; count],
        };
        assert_eq!(flat(&pose), flat(wanted));
    }
}

/// `[u8 seed]`, then a battle model.
///
/// Sections lie in the file and follow each other; bones hang on those before them and get matrices in any pose;
/// faces name vertices that are there and can be written again; animations begin behind their table; the bit reader is exact anywhere.
pub fn model(data: &[u8]) -> bool {
    let (seed, data) = take_u8(data);
    let mut choices = Choices::new(seed.into());
    bits(data, &mut choices);
    let Ok(dat) = Dat::parse(data) else {
        return false;
    };
    let mut end = 8 + 4 * usize::from(dat.len());
    for section in 1..=dat.len() {
        let start = dat.start(section).expect("a section");
        assert!(start >= end);
        end = start + dat.section(section).expect("a section").len();
        assert!(end <= data.len());
    }
    assert_eq!((dat.section(0), dat.section(dat.len() + 1)), (None, None));
    let Ok(skeleton) = dat.skeleton() else {
        return false;
    };
    pose(&skeleton, &mut choices);
    let mesh = dat.geometry(skeleton.len());
    if let Ok(mesh) = &mesh {
        faces(mesh, skeleton.len());
    }
    let Ok(animations) = dat.animations() else {
        return false;
    };
    let mut good = mesh.is_ok();
    for animation in animations.iter().take(PLAYED) {
        assert!(animation.start() >= 4 + 4 * animations.len() as usize);
        assert!(animations.limit(&animation) > animation.start());
        let mut decoder = Decoder::new(&animation, skeleton.len(), Speed::Normal);
        let mut pose = Pose::<BONES>::START;
        good &= loop {
            match decoder.step(&mut pose) {
                Ok(Progress::Frame(_)) => {}
                end => break end.is_ok(),
            }
        };
    }
    good
}

/// Read bits anywhere, compared with the sheet's way.
fn bits(data: &[u8], choices: &mut Choices) {
    let mut at = choices.below(8 * data.len() + 1);
    let mut reader = BitReader::new(data, at / 8, (at % 8) as u8);
    for _ in 0..40 {
        let count = 1 + choices.below(18) as u32;
        let mut wanted = Some(0);
        for n in 0..count as usize {
            let bit = data
                .get((at + n) / 8)
                .map(|it| u32::from(it >> ((at + n) % 8) & 1));
            wanted = wanted.zip(bit).map(|(sum, bit)| sum | bit << n);
        }
        assert_eq!(reader.bits(count), wanted);
        if wanted.is_none() {
            break;
        }
        at += count as usize;
        assert_eq!(reader.position(), (at / 8, (at % 8) as u8));
    }
}

fn pose(skeleton: &Skeleton<'_>, choices: &mut Choices) {
    let mut pose = Pose::<BONES>::START;
    pose.scaled = choices.below(2) == 0;
    let mut numbers = || choices.below(0x1_0000) as u16 as i16;
    pose.root = [numbers(), numbers(), numbers()];
    for (rotation, scale) in pose.rotation.iter_mut().zip(&mut pose.scale) {
        *rotation = [numbers(), numbers(), numbers()];
        *scale = [numbers(), numbers(), numbers()];
    }
    for (number, bone) in skeleton.bones().enumerate() {
        assert!(bone.parent.is_none_or(|it| usize::from(it) < number));
    }
    let mut out = [BoneMatrices::default(); BONES];
    let made = matrices(&mut Gte::new(), skeleton, &pose, &mut out).expect("room for all");
    assert_eq!(made.len(), usize::from(skeleton.len()));
}

fn faces(mesh: &Geometry<'_>, bones: u8) {
    for object in mesh.objects() {
        let vertices: usize = object.groups().map(|it| it.vertices().count()).sum();
        assert_eq!(vertices, object.len());
        assert!(object.groups().all(|it| it.bone < bones));
        for face in object.faces() {
            let corners = usize::from(face.corners);
            assert!(
                face.vertices[..corners]
                    .iter()
                    .all(|it| usize::from(*it) < vertices)
            );
            assert!((-8..8).contains(&face.bias));
        }
    }
    let mut warnings = 0;
    mesh.warnings(|_| warnings += 1);
    write_faces(mesh, bones);
}

/// Write what was read: the same is read again. What follows behind faces and tables is left out, so it is no longer.
fn write_faces(mesh: &Geometry<'_>, bones: u8) {
    let parts: Vec<_> = mesh
        .objects()
        .map(|object| {
            let groups = object.groups();
            let groups = groups.map(|it| (it.bone, it.vertices().collect::<Vec<_>>()));
            (
                groups.collect::<Vec<_>>(),
                object.faces().collect::<Vec<_>>(),
            )
        })
        .collect();
    let groups: Vec<Vec<_>> = parts
        .iter()
        .map(|(groups, _)| {
            let groups = groups.iter();
            groups
                .map(|(bone, vertices)| GroupSource {
                    bone: *bone,
                    vertices,
                })
                .collect()
        })
        .collect();
    let objects: Vec<_> = parts
        .iter()
        .zip(&groups)
        .map(|((_, faces), groups)| ObjectSource { groups, faces })
        .collect();
    // A word at the end, and what aligns each object.
    let size: usize = mesh
        .objects()
        .map(|it| 24 + 6 * it.len() + 4 * it.groups().count() + 24 * it.faces().count())
        .sum();
    let mut out = vec![0; 8 + size];
    let length = emit_geometry(&objects, bones, &mut out).expect("it was read");
    let again = Geometry::parse(&out[..length], bones).expect("it was written");
    for (object, (groups, faces)) in again.objects().zip(&parts) {
        let found = object.groups().map(|it| (it.bone, it.vertices().collect()));
        assert_eq!(found.collect::<Vec<_>>(), *groups);
        assert_eq!(object.faces().collect::<Vec<_>>(), *faces);
    }
}
