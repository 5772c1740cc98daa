//! Malformed files: section 12 and row A13, each with its own error.

use super::{a12, first, hex, section};
use overworld_runtime::anim::ff8::{
    Animations, Dat, Decoder, End, Error, FrameSource, Kind, MAX_ANIMATIONS, Pose, Progress,
    Skeleton, SkeletonSource, Speed, emit, emit_animations, emit_skeleton, encode,
};

/// The file of row A12 with some bytes changed.
pub fn changed(changes: &[(usize, &[u8])]) -> Vec<u8> {
    let mut file = a12();
    for (at, bytes) in changes {
        file[*at..at + bytes.len()].copy_from_slice(bytes);
    }
    file
}

#[test]
fn a13_cut_by_a_byte() {
    let file = a12();
    let error = Error::EndOffsetMismatch { end: 224, len: 223 };
    assert_eq!(Dat::parse(&file[..223]).err(), Some(error));
    assert_eq!(
        error.to_string(),
        "EndOffsetMismatch: expected the end offset 223, the file's size, found 224"
    );
    // More than the table says is a warning.
    let longer = [&file[..], &[0; 3]].concat();
    assert_eq!(Dat::parse(&longer).unwrap().end(), End::Longer(3));
}

#[test]
fn a13_a_parent_that_does_not_stand_before_its_bone() {
    let parent = |at: usize, parent: u16| {
        let file = changed(&[(at, &parent.to_le_bytes())]);
        Dat::parse(&file).unwrap().skeleton().err()
    };
    for own in [1, 2, 0xFFFE] {
        let error = Error::ParentOrder {
            bone: 1,
            parent: own,
        };
        assert_eq!(parent(0x54, own), Some(error));
    }
    assert_eq!(
        parent(0x24, 0),
        Some(Error::ParentOrder { bone: 0, parent: 0 })
    );
    // Two roots are worth a warning only.
    let file = changed(&[(0x54, &[0xFF, 0xFF])]);
    assert_eq!(Dat::parse(&file).unwrap().skeleton().unwrap().roots(), 2);
}

#[test]
fn a13_frame_counts() {
    let play = |count: u8| {
        let file = changed(&[(0xD0, &[count])]);
        let animations = Dat::parse(&file).unwrap().animations().unwrap();
        let mut decoder = Decoder::new(&animations.get(0).unwrap(), 2, Speed::Normal);
        let mut pose = Pose::<2>::START;
        loop {
            match decoder.call(&mut pose) {
                Ok(Progress::Frame(_)) => {}
                end => return (end, decoder.remaining_frames()),
            }
        }
    };
    assert_eq!(play(0), (Ok(Progress::Complete), 0));
    let (end, left) = play(0xFF);
    // Of 120 bits 94 are used; the 26 behind them, all zero, are a frame of 22 and too few for another location.
    let error = Error::EndOfStream {
        frame: 3,
        bone: None,
    };
    assert_eq!((end, left), (Err(error), 252));
}

#[test]
fn a13_animation_pointers() {
    let pointer = |pointer: u32| {
        let file = changed(&[(0xCC, &pointer.to_le_bytes())]);
        Dat::parse(&file).unwrap().animations().err()
    };
    for wrong in [0, 7, 24, 25, u32::MAX] {
        let error = Error::AnimationPointer {
            animation: 0,
            pointer: wrong,
        };
        assert_eq!(pointer(wrong), Some(error));
    }
    assert_eq!(pointer(23), None);
}

#[test]
fn section_tables() {
    let file = a12();
    let truncated = |need, len| Some(Error::Truncated { need, len });
    assert_eq!(Dat::parse(&[]).err(), truncated(4, 0));
    assert_eq!(Dat::parse(&file[..3]).err(), truncated(4, 3));
    assert_eq!(Dat::parse(&file[..19]).err(), truncated(20, 19));
    for count in [0, 65, u32::MAX] {
        let file = changed(&[(0, &count.to_le_bytes())]);
        let error = Error::BadSectionCount { count };
        assert_eq!(Dat::parse(&file).err(), Some(error));
    }
    for (section, offset) in [
        (1, 19),
        (1, 0),
        (2, 0x13),
        (2, 0xE1),
        (3, 0x83),
        (3, u32::MAX),
    ] {
        let at = 4 * usize::from(section);
        let file = changed(&[(at, &offset.to_le_bytes())]);
        let error = Error::BadSectionTable { section, offset };
        assert_eq!(Dat::parse(&file).err(), Some(error));
    }
    let end = |end: u32| Dat::parse(&changed(&[(16, &end.to_le_bytes())])).err();
    let mismatch = |end| Some(Error::EndOffsetMismatch { end, len: 224 });
    assert_eq!(end(225), mismatch(225));
    assert_eq!(end(u32::MAX), mismatch(u32::MAX));
    let behind = Error::BadSectionTable {
        section: 3,
        offset: 0xC8,
    };
    assert_eq!(end(0xC7), Some(behind));
}

#[test]
fn kinds_without_a_model() {
    for (sections, kind) in [
        (1, Kind::Unknown),
        (2, Kind::Statistics),
        (3, Kind::PoseOnly),
        (5, Kind::ReducedWeapon),
        (7, Kind::Character),
        (8, Kind::Weapon),
        (9, Kind::Unknown),
        (10, Kind::Body),
        (11, Kind::Monster),
    ] {
        let a12 = a12();
        let parts = Dat::parse(&a12).unwrap();
        let mut list: Vec<&[u8]> = (1..=3).map(|it| parts.section(it).unwrap()).collect();
        list.resize(usize::from(sections), &[]);
        let mut file = vec![0; 512];
        let length = emit(&list, &mut file).unwrap();
        let dat = Dat::parse(&file[..length]).unwrap();
        assert_eq!(dat.kind(), kind);
        let none = (!kind.is_animated()).then_some(Error::NoAnimation { sections });
        assert_eq!(dat.skeleton().err(), none);
        assert_eq!(dat.geometry(2).err(), none);
        assert_eq!(dat.animations().err(), none);
        assert_eq!(dat.section(0), None);
        assert_eq!(dat.section(sections + 1), None);
    }
}

#[test]
fn skeletons() {
    let a12 = a12();
    let data = Dat::parse(&a12).unwrap().section(1).unwrap();
    let short = |need, len| Some(Error::SkeletonTruncated { need, len });
    assert_eq!(Skeleton::parse(&data[..15]).err(), short(16, 15));
    assert_eq!(Skeleton::parse(&data[..111]).err(), short(112, 111));
    assert_eq!(Skeleton::parse(&[0; 16]).err(), Some(Error::NoBones));
    // The flag is not part of the number.
    let file = changed(&[(0x15, &[1])]);
    let skeleton = Dat::parse(&file).unwrap().skeleton().unwrap();
    assert_eq!((skeleton.len(), skeleton.scale_flag()), (2, 1));
}

#[test]
fn animation_tables() {
    let table = |data: &[u8]| Animations::parse(data).err();
    let error = |count, len| Some(Error::AnimationTable { count, len });
    assert_eq!(table(&[]), error(0, 0));
    assert_eq!(table(&[1, 0, 0]), error(0, 3));
    assert_eq!(table(&[1, 0, 0, 0, 8, 0, 0]), error(1, 7));
    for count in [0x3FFF_FFFF_u32, 0x4000_0000, u32::MAX] {
        assert_eq!(table(&count.to_le_bytes()), error(count, 4));
    }
    let none = Animations::parse(&[0; 4]).unwrap();
    let missing = Error::NoSuchAnimation {
        animation: 0,
        count: 0,
    };
    assert_eq!(none.get(0).err(), Some(missing));
    let data = section(&hex("01 00 00 00"));
    let missing = Error::NoSuchAnimation {
        animation: 1,
        count: 1,
    };
    assert_eq!(
        Animations::parse(&data).unwrap().get(1).err(),
        Some(missing)
    );
}

#[test]
fn more_bones_than_the_pose_has() {
    let data = section(&hex("01 00 00 00"));
    let mut decoder = Decoder::new(&first(&data), 2, Speed::Normal);
    let error = Error::TooManyBones { bones: 2, room: 1 };
    assert_eq!(decoder.call(&mut Pose::<1>::default()), Err(error));
    assert_eq!(decoder.step_half(&mut Pose::<1>::default()), Err(error));
    assert_eq!(decoder.position(), (9, 0));
}

#[test]
fn what_the_writers_refuse() {
    let rotation = [[0; 3]; 2];
    let frame = FrameSource {
        root: [0; 3],
        rotation: &rotation,
        scale: None,
    };
    let mut out = [0; 2048];
    let count = |frames| Err(Error::FrameCountRange { frames });
    assert_eq!(encode(&[], 2, &mut out), count(0));
    assert_eq!(encode(&vec![frame; 256], 2, &mut out), count(256));
    assert!(encode(&vec![frame; 255], 2, &mut out).is_ok());

    let bones = |frame, bones| {
        Err(Error::BoneCountMismatch {
            frame,
            bones,
            expected: 2,
        })
    };
    let short = FrameSource {
        rotation: &rotation[..1],
        ..frame
    };
    assert_eq!(encode(&[frame, short], 2, &mut out), bones(1, 1));
    let scale = [[1024; 3]; 3];
    let long = FrameSource {
        scale: Some(&scale),
        ..frame
    };
    assert_eq!(encode(&[long], 2, &mut out), bones(0, 3));

    let scale = [[1024; 3], [0, 0, -31745]];
    let low = FrameSource {
        scale: Some(&scale),
        ..frame
    };
    let range = Error::ValueRange {
        frame: 1,
        bone: 1,
        scale: -31745,
    };
    assert_eq!(encode(&[frame, low], 2, &mut out), Err(range));

    for room in 0..4 {
        let small = Err(Error::OutputTooSmall { room });
        assert_eq!(encode(&[frame], 2, &mut out[..room]), small, "{room}");
    }
    assert_eq!(encode(&[frame], 2, &mut out[..4]), Ok(4));
    let section = |out: &mut [u8]| emit_animations(1, out, |_, out| encode(&[frame], 2, out));
    for room in 0..16 {
        assert!(section(&mut out[..room]).is_err(), "{room}");
    }
    assert_eq!(section(&mut out[..16]), Ok(16));
    let count = MAX_ANIMATIONS + 1;
    let many = emit_animations(count, &mut out, |_, _| unreachable!());
    assert_eq!(many, Err(Error::AnimationTable { count, len: 2048 }));
    // As many as the reader takes are a question of room.
    let fewer = emit_animations(0x1_0001, &mut out, |_, _| unreachable!());
    assert_eq!(fewer, Err(Error::OutputTooSmall { room: 2048 }));

    let skeleton = |bones: &[(Option<u8>, i16)], out: &mut [u8]| {
        emit_skeleton(&SkeletonSource { scale: 1, bones }, out)
    };
    let mut big = vec![0; 16 + 48 * 256];
    assert_eq!(skeleton(&[], &mut big), Err(Error::NoBones));
    assert!(skeleton(&[(None, 0); 255], &mut big).is_ok());
    for bones in [256, 300] {
        let error = Error::TooManyBones { bones, room: 255 };
        assert_eq!(skeleton(&vec![(None, 0); bones], &mut big), Err(error));
    }
    let order = Error::ParentOrder { bone: 0, parent: 0 };
    assert_eq!(skeleton(&[(Some(0), 0)], &mut big), Err(order));
    let small = Error::OutputTooSmall { room: 63 };
    assert_eq!(skeleton(&[(None, 0)], &mut big[..63]), Err(small));

    let count = |count| Err(Error::BadSectionCount { count });
    assert_eq!(emit(&[], &mut out), count(0));
    assert_eq!(emit(&[&[][..]; 65], &mut out), count(65));
    assert!(emit(&[&[][..]; 64], &mut out).is_ok());
    let small = Error::OutputTooSmall { room: 15 };
    assert_eq!(emit(&[&[1, 2, 3]], &mut out[..15]), Err(small));
}
