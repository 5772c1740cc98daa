//! Whole animations: rows A1 to A9.

use super::{first, hex, section};
use overworld_runtime::anim::ff8::{
    Animations, BitWriter, Decoder, Error, Event, Events, FrameSource, Pose, Progress, Speed,
    emit_animations, encode, replay,
};

pub const A1: &str = "01 00 00 00";
pub const A2: &str = "01 04 33 59 08";
pub const A3: &str = "03 92 11 67 9E 03 D0 01 78 05 13 3B 30 94 13 FC F9 E8 03 7E 41 D9 27 18";
pub const A4: &str = "04 60 00 7F 00 07 10 00 88 38 05 20 80 BF 00 04 00 44 98 02 00 88 38 85 4C 00 09 \
                      FF B1 1C";
pub const A5: &str = "03 00 00 87 3E 00 00 0E 7D 00 00 1C FA 00";
pub const A6: &str = "03 FF FF 81 01 00 FD FF 1C 00 FF FF 03 03 00 FA FF 39 00 FE FF 07 06 00 F4 FF \
                      73 00 04";
pub const A7: &str = "01 03 00 18 A0 DF 01 40 03 00";
pub const A9: &str =
    "02 00 00 00 0C 00 00 00 10 00 00 00 01 00 00 09 02 15 00 A0 9C 04 00 1C E7 01 00 00";

/// A frame as the rows give it: root, rotations, scales if the mode bit is set, position.
struct Frame<const N: usize> {
    root: [i16; 3],
    rotation: [[i16; 3]; N],
    scale: Option<[[i16; 3]; N]>,
    at: usize,
}

/// Decode it frame by frame, and write it again: by what stands there, and in the smallest form.
fn check<const N: usize>(row: &str, frames: &[Frame<N>], canonical: bool) {
    let bytes = hex(row);
    let data = section(&bytes);
    let animation = first(&data);
    assert_eq!(usize::from(animation.frames()), frames.len());
    let mut pose = Pose::<N>::START;
    let mut decoder = Decoder::new(&animation, N as u8, Speed::Normal);
    for (number, frame) in (0..).zip(frames) {
        assert_eq!(
            usize::from(decoder.remaining_frames()),
            frames.len() - usize::from(number)
        );
        assert_eq!(decoder.call(&mut pose), Ok(Progress::Frame(number)));
        assert_eq!(pose.root, frame.root, "frame {number}");
        assert_eq!(pose.rotation, frame.rotation, "frame {number}");
        assert_eq!(pose.scaled, frame.scale.is_some(), "frame {number}");
        if let Some(scale) = frame.scale {
            assert_eq!(pose.scale, scale, "frame {number}");
        }
        let (byte, bit) = decoder.position();
        assert_eq!(
            (byte as usize - 8) * 8 + usize::from(bit),
            frame.at,
            "frame {number}"
        );
    }
    let last = pose;
    assert_eq!(decoder.call(&mut pose), Ok(Progress::Complete));
    assert_eq!(pose, last);

    let mut events = Events::new(&animation, N as u8);
    let list: Vec<Event> = events.by_ref().map(Result::unwrap).collect();
    let end = events.position();
    assert_eq!((end.0 as u32, end.1), decoder.position());
    let mut out = vec![0; bytes.len() - 1];
    let mut writer = BitWriter::new(&mut out);
    replay(list, &mut writer).unwrap();
    assert_eq!(writer.position() + 8, frames.last().unwrap().at);
    assert_eq!(out, bytes[1..]);

    let sources: Vec<_> = frames
        .iter()
        .map(|it| FrameSource {
            root: it.root,
            rotation: &it.rotation,
            scale: it.scale.as_ref().map(|it| &it[..]),
        })
        .collect();
    let mut out = vec![0; 2 * bytes.len()];
    let length = encode(&sources, N as u8, &mut out).unwrap();
    assert_eq!(
        out[..length] == bytes[..],
        canonical,
        "{:02X?}",
        &out[..length]
    );
    let again = section(&out[..length]);
    let mut decoder = Decoder::new(&first(&again), N as u8, Speed::Normal);
    let mut pose = Pose::<N>::START;
    for frame in frames {
        decoder.step(&mut pose).unwrap();
        assert_eq!((pose.root, pose.rotation), (frame.root, frame.rotation));
        assert_eq!(pose.scaled, frame.scale.is_some());
    }
}

fn plain<const N: usize>(root: [i16; 3], rotation: [[i16; 3]; N], at: usize) -> Frame<N> {
    Frame {
        root,
        rotation,
        scale: None,
        at,
    }
}

#[test]
fn a1_all_zero() {
    check(A1, &[plain([0; 3], [[0; 3]], 27)], true);
}

#[test]
fn a2_one_frame() {
    check(A2, &[plain([1, -2, 3], [[3, -4, 0]], 37)], true);
}

#[test]
fn a2_cut_by_a_byte_ends_early_and_leaves_the_pose() {
    let bytes = hex(A2);
    for cut in 1..bytes.len() {
        let data = section(&bytes[..cut]);
        let animation = first(&data);
        let mut decoder = Decoder::new(&animation, 1, Speed::Normal);
        let mut pose = Pose::<1> {
            root: [7, 8, 9],
            scaled: true,
            rotation: [[1, 2, 3]],
            scale: [[4, 5, 6]],
        };
        let before = pose;
        let at = decoder.position();
        // 16 bits of locations and mode, then the bone.
        let bone = (cut >= 3).then_some(0);
        let error = Error::EndOfStream { frame: 0, bone };
        assert_eq!(decoder.step(&mut pose), Err(error), "{cut}");
        assert_eq!(decoder.step_half(&mut pose), Err(error), "{cut}");
        assert_eq!((pose, decoder.position()), (before, at));
        let last = Events::new(&animation, 1).last();
        assert_eq!(last, Some(Err(error)), "{cut}");
    }
}

#[test]
fn a3_three_frames() {
    let frames = [
        plain([100, -200, 30], [[1024, -1024, 5]], 78),
        plain([103, -240, 30], [[1000, -1024, 5]], 111),
        plain([-400, -241, 1030], [[2047, -1021, -1000]], 189),
    ];
    check(A3, &frames, true);
}

#[test]
fn a4_an_absent_scale_is_reset() {
    let frame = |z, bones, scale, at| Frame {
        root: [0, -512, z],
        rotation: bones,
        scale,
        at,
    };
    let frames = [
        frame(0, [[0, 0, 0], [512, 0, 0]], None, 57),
        frame(
            4,
            [[10, 0, 0], [512, 0, 0]],
            Some([[1024; 3], [512, 1024, 2048]]),
            128,
        ),
        frame(8, [[20, 0, 0], [512, 0, 0]], None, 161),
        frame(
            12,
            [[30, 0, 0], [512, 0, -7]],
            Some([[1100, 900, 1024], [1024; 3]]),
            240,
        ),
    ];
    check(A4, &frames, true);
}

#[test]
fn a5_authored_rotations_modulo_a_turn() {
    let turn = |x, at| plain([0; 3], [[x, 0, 0]], at);
    check(A5, &[turn(2000, 41), turn(4000, 74), turn(6000, 107)], true);
    // 1904 is what the author wrote for 6000.
    let rotations = [2000, 4000, 1904].map(|x| [[x, 0, 0]]);
    let frames = rotations.each_ref().map(|rotation| FrameSource {
        root: [0; 3],
        rotation,
        scale: None,
    });
    let mut out = [0; 64];
    let length = encode(&frames, 1, &mut out).unwrap();
    assert_eq!(out[..length], hex(A5));
}

#[test]
fn a6_sums_wrap() {
    let frames = [
        plain([32767, 0, -32768], [[2047, 0, -2048]], 81),
        plain([-2, 0, 0], [[4094, 0, -4096]], 154),
        plain([32765, 0, -32768], [[6141, 0, -6144]], 227),
    ];
    check(A6, &frames, true);
}

#[test]
fn a7_not_the_smallest_form() {
    check(A7, &[plain([0, 1, -1], [[0, 0, 1]], 73)], false);
    let rotation = [[0, 0, 1]];
    let frame = FrameSource {
        root: [0, 1, -1],
        rotation: &rotation,
        scale: None,
    };
    let mut out = [0; 8];
    // 24 bits, and the frame count.
    assert_eq!(encode(&[frame], 1, &mut out), Ok(4));
}

#[test]
fn a8_slow() {
    let data = section(&hex(A3));
    let mut decoder = Decoder::new(&first(&data), 1, Speed::Slow);
    assert_eq!(decoder.calls(), 5);
    let mut pose = Pose::<1>::START;
    let rows = [
        ([100, -200, 30], [1024, -1024, 5], 0),
        ([101, -220, 30], [1012, -1024, 5], 1),
        ([102, -240, 30], [1000, -1024, 5], 1),
        ([-149, -240, 530], [1523, -1023, -497], 2),
        ([-400, -240, 1030], [2046, -1022, -999], 2),
    ];
    for (root, rotation, frame) in rows {
        assert_eq!(decoder.call(&mut pose), Ok(Progress::Frame(frame)));
        assert_eq!((pose.root, pose.rotation), (root, [rotation]));
    }
    assert_eq!(decoder.call(&mut pose), Ok(Progress::Complete));
    // The odd units are back with the next start.
    decoder.rewind(&mut pose);
    assert_eq!(pose, Pose::START);
    assert_eq!(decoder.call(&mut pose), Ok(Progress::Frame(0)));
    assert_eq!((pose.root, pose.rotation), (rows[0].0, [rows[0].1]));
}

#[test]
fn fast_is_two_frames_a_call() {
    let data = section(&hex(A3));
    let mut decoder = Decoder::new(&first(&data), 1, Speed::Fast);
    assert_eq!(decoder.calls(), 2);
    let mut pose = Pose::<1>::START;
    assert_eq!(decoder.call(&mut pose), Ok(Progress::Frame(1)));
    assert_eq!(pose.rotation, [[1000, -1024, 5]]);
    assert_eq!(decoder.call(&mut pose), Ok(Progress::Frame(2)));
    assert_eq!(pose.root, [-400, -241, 1030]);
    assert_eq!(decoder.call(&mut pose), Ok(Progress::Complete));
}

#[test]
fn a9_two_animations() {
    let data = hex(A9);
    let animations = Animations::parse(&data).unwrap();
    assert_eq!(animations.len(), 2);
    let play = |number| {
        let animation = animations.get(number).unwrap();
        let mut decoder = Decoder::new(&animation, 1, Speed::Normal);
        let mut pose = Pose::<1>::START;
        let mut frames = Vec::new();
        while decoder.call(&mut pose) != Ok(Progress::Complete) {
            frames.push((pose.root, pose.rotation[0]));
        }
        frames
    };
    assert_eq!(play(0), [([0; 3], [1, 0, 0])]);
    assert_eq!(
        play(1),
        [([5, 0, 0], [0, 0, -100]), ([6, 0, 0], [0, 0, -300])]
    );
    let starts: Vec<_> = animations
        .iter()
        .map(|it| (it.start(), animations.limit(&it)))
        .collect();
    assert_eq!(starts, [(12, 16), (16, 28)]);

    let rotations = [[[1, 0, 0]], [[0, 0, -100]], [[0, 0, -300]]];
    let frame = |x, rotation: usize| FrameSource {
        root: [x, 0, 0],
        rotation: &rotations[rotation],
        scale: None,
    };
    let mut out = [0xFF; 64];
    let length = emit_animations(2, &mut out, |number, out| match number {
        0 => encode(&[frame(0, 0)], 1, out),
        _ => encode(&[frame(5, 1), frame(6, 2)], 1, out),
    });
    assert_eq!(length, Ok(data.len()));
    assert_eq!(out[..data.len()], data);
}

/// 6.2: the calls of a slowed animation are counted in 8 bits.
#[test]
fn long_animations_end_early_when_slowed() {
    for (frames, calls) in [
        (1, 1),
        (2, 3),
        (128, 255),
        (129, 1),
        (137, 17),
        (140, 23),
        (0, 0),
    ] {
        let mut bytes = vec![frames];
        bytes.resize(1 + 3 * 255, 0);
        let data = section(&bytes);
        let mut decoder = Decoder::new(&first(&data), 1, Speed::Slow);
        assert_eq!(decoder.calls(), calls);
        let mut pose = Pose::<1>::START;
        let mut made = 0;
        while decoder.call(&mut pose) != Ok(Progress::Complete) {
            made += 1;
        }
        assert_eq!(made, calls, "{frames}");
    }
}

/// 7: a copy of decoder, root and rotations is all that it takes to go on.
#[test]
fn a_checkpoint_goes_on() {
    let data = section(&hex(A4));
    let mut decoder = Decoder::new(&first(&data), 2, Speed::Normal);
    let mut pose = Pose::<2>::START;
    decoder.call(&mut pose).unwrap();
    decoder.call(&mut pose).unwrap();
    let mut other = decoder;
    let mut copy = Pose::<2> {
        root: pose.root,
        rotation: pose.rotation,
        ..Pose::START
    };
    for _ in 0..2 {
        decoder.call(&mut pose).unwrap();
        other.call(&mut copy).unwrap();
    }
    assert_eq!(pose, copy);
}

/// As many bones as a byte can count, played and written.
#[test]
fn as_many_bones_as_there_can_be() {
    let rotation = [[-2048; 3]; 255];
    let scale = [[1025; 3]; 255];
    let frame = |scaled: bool| FrameSource {
        root: [0; 3],
        rotation: &rotation,
        scale: scaled.then_some(&scale[..]),
    };
    let mut out = vec![0; 8192];
    let length = encode(&[frame(true), frame(false)], 255, &mut out).unwrap();
    let data = section(&out[..length]);
    for speed in [Speed::Normal, Speed::Slow] {
        let mut decoder = Decoder::new(&first(&data), 255, speed);
        let mut pose = Pose::<255>::START;
        while decoder.call(&mut pose) != Ok(Progress::Complete) {}
        assert_eq!((pose.rotation, pose.scale), (rotation, scale));
    }
    assert_eq!(Events::new(&first(&data), 255).count(), 2 * 4 + 255 * 9);
    let cut = section(&out[..length - 1]);
    let mut decoder = Decoder::new(&first(&cut), 255, Speed::Fast);
    // The last byte has the last five fields.
    let error = Error::EndOfStream {
        frame: 1,
        bone: Some(253),
    };
    assert_eq!(decoder.call(&mut Pose::<255>::default()), Err(error));
}

/// docs/models.md tells the sizes, and the sheet (section 7) expects 14 + 12 bytes a bone beside the slices.
#[test]
fn the_state_is_small() {
    assert_eq!(size_of::<Pose<64>>(), 8 + 12 * 64);
    assert_eq!(size_of::<Decoder<'_>>(), 16 + 2 * size_of::<usize>());
}

/// A frame whose first half was added gets its second half from a step, as from another half, and not the whole again.
#[test]
fn a_step_completes_a_half() {
    let data = section(&hex(A3));
    let animation = first(&data);
    let mut pose = Pose::<1>::START;
    let mut decoder = Decoder::new(&animation, 1, Speed::Normal);
    let place = |decoder: &Decoder<'_>| {
        let (byte, bit) = decoder.position();
        (byte as usize - 8) * 8 + usize::from(bit)
    };
    assert_eq!(decoder.step(&mut pose), Ok(Progress::Frame(0)));
    assert_eq!(decoder.step_half(&mut pose), Ok(Progress::Frame(1)));
    assert_eq!((pose.root, place(&decoder)), ([101, -220, 30], 78));
    // As the third state of row A8.
    assert_eq!(decoder.step(&mut pose), Ok(Progress::Frame(1)));
    assert_eq!(pose.root, [102, -240, 30]);
    assert_eq!(pose.rotation, [[1000, -1024, 5]]);
    assert_eq!((place(&decoder), decoder.remaining_frames()), (111, 1));
    // Then a whole one again: -503, -1 and 1000.
    assert_eq!(decoder.step(&mut pose), Ok(Progress::Frame(2)));
    assert_eq!(pose.root, [-401, -241, 1030]);
    assert_eq!(decoder.step(&mut pose), Ok(Progress::Complete));
}

/// A call of FAST whose second frame is cut short leaves the first one; called again, it fails there again.
#[test]
fn fast_keeps_the_first_frame_of_a_call_that_fails() {
    let whole = hex(A3);
    // The second frame ends at bit 111.
    for length in 10..14 {
        let data = section(&whole[..length]);
        let animation = first(&data);
        let mut pose = Pose::<1>::START;
        let mut decoder = Decoder::new(&animation, 1, Speed::Fast);
        let first = Pose {
            root: [100, -200, 30],
            rotation: [[1024, -1024, 5]],
            ..Pose::<1>::START
        };
        for _ in 0..3 {
            let error = decoder.call(&mut pose).unwrap_err();
            assert!(matches!(error, Error::EndOfStream { frame: 1, .. }));
            assert_eq!((pose, decoder.position()), (first, (8 + 9, 6)));
            assert_eq!(decoder.remaining_frames(), 2);
        }
    }
}
