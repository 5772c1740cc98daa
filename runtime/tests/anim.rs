//! The ANM sheet's vectors: poses, blending, the clock, the bank and every error of its table.

use overworld_runtime::anim::legaia::{
    Bank, Banks, ClipEnd, ClipSource, Error, Playback, Pose, Source, blend_angle,
    blend_translation, emit, mode, part_gate, select,
};
use overworld_runtime::bytes::crc32;
use proptest::prelude::*;

fn pose(t: [i16; 3], r: [u16; 3]) -> Pose {
    Pose { t, r }
}

/// The sheet's synthetic bank.
const BANK: [u8; 84] = include!("../../tests/battery/tables/anm.rs");
/// Where its clips start.
const FIRST: usize = 0x0C;
const SECOND: usize = 0x24;

#[test]
fn poses_unpack() {
    let vectors = include!("../../tests/battery/tables/poses.rs");
    for (number, (bytes, [x, y, z], r)) in (1..).zip(vectors) {
        let expected = pose([x, y, z], r);
        assert_eq!(Pose::from_bytes(bytes), expected, "P{number}");
        let mut clean = bytes;
        clean[4] &= 0x0F;
        assert_eq!(expected.to_bytes(), clean, "P{number} packed");
    }
}

#[test]
fn poses_pack() {
    let vectors = [
        (
            pose([-541, 384, 0], [0, 0, 0]),
            [0xE3, 0x80, 0x1D, 0x00, 0x00, 0x00, 0x00, 0x00],
        ),
        (
            pose([2047, -2048, -1], [0xFF0, 0x010, 0x800]),
            [0xFF, 0x00, 0x87, 0xFF, 0x0F, 0xFF, 0x01, 0x80],
        ),
        (
            pose([100, -100, 56], [0x400, 0xC00, 0]),
            [0x64, 0x9C, 0xF0, 0x38, 0x00, 0x40, 0xC0, 0x00],
        ),
    ];
    for (pose, bytes) in vectors {
        assert!(pose.is_exact());
        assert_eq!(pose.to_bytes(), bytes);
        assert_eq!(Pose::from_bytes(bytes), pose);
    }
}

#[test]
fn inexact_poses_are_rounded() {
    let rough = pose([3000, -3000, 5], [0xFF8, 0x007, 0x1008]);
    assert!(!rough.is_exact());
    assert_eq!(rough.rounded(), pose([2047, -2048, 5], [0, 0, 0x010]));
    assert_eq!(Pose::from_bytes(rough.to_bytes()), rough.rounded());
}

#[test]
fn a_blended_pose() {
    let a = Pose::from_bytes([0x64, 0x9C, 0xF0, 0x38, 0x00, 0x40, 0xC0, 0x00]);
    let b = Pose::from_bytes([0x74, 0xAD, 0xF0, 0x28, 0x00, 0x48, 0xB8, 0xFF]);
    let table = [
        (0, pose([100, -100, 56], [0x400, 0xC00, 0x000])),
        (1, pose([101, -99, 55], [0x408, 0xBF8, 0xFFF])),
        (4, pose([104, -96, 52], [0x420, 0xBE0, 0xFFC])),
        (8, pose([108, -92, 48], [0x440, 0xBC0, 0xFF8])),
        (15, pose([115, -85, 41], [0x478, 0xB88, 0xFF1])),
    ];
    for (frac, expected) in table {
        assert_eq!(a.blend(&b, frac), expected, "{frac}");
    }
}

#[test]
fn translations_round_down() {
    let table = [
        (0, -1, [0, -1, -1, -1, -1]),
        (-1, 0, [-1, -1, -1, -1, -1]),
        (10, 11, [10, 10, 10, 10, 10]),
        (11, 10, [11, 10, 10, 10, 10]),
        (5, -6, [5, 4, 0, -1, -6]),
        (-2048, 2047, [-2048, -1793, -257, -1, 1791]),
    ];
    for (from, to, expected) in table {
        let found = [0, 1, 7, 8, 15].map(|frac| blend_translation(from, to, frac));
        assert_eq!(found, expected, "{from} to {to}");
    }
    // Far outside what can be stored, nothing overflows.
    assert_eq!(blend_translation(i16::MIN, i16::MAX, 15), 28_671);
}

#[test]
fn angles_take_the_short_way() {
    let table = [
        (0x010, 0xFF0, [0x010, 0x00E, 0x008, 0x000, 0xFF8, 0xFF2]),
        (0xFF0, 0x010, [0xFF0, 0xFF2, 0xFF8, 0x000, 0x008, 0x00E]),
        (0x000, 0x800, [0x000, 0x080, 0x200, 0x400, 0x600, 0x780]),
        (0x800, 0x000, [0x800, 0x880, 0xA00, 0xC00, 0xE00, 0xF80]),
        (0x400, 0xC00, [0x400, 0x480, 0x600, 0x800, 0xA00, 0xB80]),
        (0xC00, 0x400, [0xC00, 0xC80, 0xE00, 0x000, 0x200, 0x380]),
        (0x100, 0x8F0, [0x100, 0x17F, 0x2FC, 0x4F8, 0x6F4, 0x871]),
        (0x100, 0x910, [0x100, 0x081, 0xF04, 0xD08, 0xB0C, 0x98F]),
        (0xF00, 0x200, [0xF00, 0xF30, 0xFC0, 0x080, 0x140, 0x1D0]),
    ];
    for (from, to, expected) in table {
        let found = [0, 1, 4, 8, 12, 15].map(|frac| blend_angle(from, to, frac));
        assert_eq!(found, expected, "{from:03X} to {to:03X}");
    }
}

#[test]
fn the_synthetic_bank() {
    assert_eq!(crc32(&BANK), 0x68C9_A8A7);
    let bank = Bank::parse(&BANK).unwrap();
    assert_eq!(bank.len(), 2);
    assert_eq!(bank.lint(), Ok(()));
    let first = bank.clip(1).unwrap();
    assert_eq!((first.parts(), first.frames(), first.rate()), (1, 1, 1));
    assert!(!first.blend());
    assert_eq!(first.pose(0, 0), Some(Pose::default()));
    assert_eq!(first.pose(0, 1), None);
    assert_eq!(first.pose(1, 0), None);
    let second = bank.clip(2).unwrap();
    assert_eq!((second.parts(), second.frames(), second.rate()), (2, 2, 4));
    assert!(second.blend());
    assert_eq!(second.pose(0, 1), Some(pose([0, -32, 0], [0x100, 0, 0])));
    assert_eq!(second.pose(1, 0), Some(pose([0, 0, 0], [0, 0, 0xF00])));
    assert_eq!(
        second.pose(1, 1),
        Some(pose([0, -16, 8], [0x180, 0, 0xFF0]))
    );
    assert_eq!(second.span(), 32);
}

#[test]
fn wrap_and_hold_at_the_end() {
    let bank = Bank::parse(&BANK).unwrap();
    let clip = bank.clip(2).unwrap();
    let held = pose([0, -16, 8], [0x180, 0, 0xFF0]);
    let table = [
        (0, pose([0, -32, 0], [0x100, 0, 0x000]), None),
        (4, pose([0, -28, 2], [0x120, 0, 0xFFC]), None),
        (8, pose([0, -24, 4], [0x140, 0, 0xFF8]), None),
        (15, pose([0, -17, 7], [0x178, 0, 0xFF1]), None),
        (16, pose([0, -16, 8], [0x180, 0, 0xFF0]), None),
        (20, pose([0, -20, 6], [0x160, 0, 0xFF4]), Some(held)),
        (24, pose([0, -24, 4], [0x140, 0, 0xFF8]), Some(held)),
        (31, pose([0, -31, 0], [0x108, 0, 0xFFF]), Some(held)),
    ];
    for (cursor, wrap, hold) in table {
        let hold = hold.unwrap_or(wrap);
        assert_eq!(
            clip.pose_at(cursor, 1, ClipEnd::Wrap),
            Some(wrap),
            "{cursor}"
        );
        assert_eq!(
            clip.pose_at(cursor, 1, ClipEnd::Hold),
            Some(hold),
            "{cursor}"
        );
        let all: Vec<Pose> = clip.sample(cursor, ClipEnd::Wrap).poses().collect();
        assert_eq!(all.len(), 2);
        assert_eq!(all[1], wrap, "{cursor}");
        assert_eq!(Some(all[0]), clip.pose_at(cursor, 0, ClipEnd::Wrap));
        assert_eq!(clip.check_cursor(cursor), Ok(()));
    }
    assert_eq!(clip.pose_at(0, 2, ClipEnd::Wrap), None);
    // A cursor that no clock leaves behind shows the nearest frame.
    for (cursor, expected) in [
        (32, held),
        (i16::MAX, held),
        (-1, table[0].1),
        (i16::MIN, table[0].1),
    ] {
        assert_eq!(clip.pose_at(cursor, 1, ClipEnd::Wrap), Some(expected));
        assert_eq!(
            clip.check_cursor(cursor),
            Err(Error::BadCursor { cursor, frames: 2 })
        );
    }
}

#[test]
fn without_blending_the_fraction_does_not_matter() {
    let mut data = BANK;
    data[SECOND + 1] = 0;
    let bank = Bank::parse(&data).unwrap();
    let clip = bank.clip(2).unwrap();
    for cursor in 0..16 {
        assert_eq!(clip.pose_at(cursor, 1, ClipEnd::Wrap), clip.pose(0, 1));
    }
    for cursor in 16..32 {
        assert_eq!(clip.pose_at(cursor, 1, ClipEnd::Wrap), clip.pose(1, 1));
    }
}

/// A bank with one clip of one part.
fn one_clip(frames: u16, blend: bool, rate: u8) -> Vec<u8> {
    let poses = vec![Pose::default(); usize::from(frames)];
    let clip = ClipSource {
        parts: 1,
        frames,
        blend,
        rate,
        extra: 0,
        poses: &poses,
    };
    let mut out = vec![0; 64 + 8 * poses.len()];
    let len = emit(&[clip], &mut out).unwrap();
    out.truncate(len);
    out
}

/// Cursor after each tick; a trailing `E` says that the end latch was set.
fn run(playback: &mut Playback, data: &[u8], dt: u8, expected: &str, case: &str) {
    let bank = Bank::parse(data).unwrap();
    let found: Vec<String> = expected
        .split_whitespace()
        .map(|_| {
            let clip = playback.tick(&bank, dt).unwrap();
            assert!(clip.is_some());
            let latch = if playback.mode & mode::END != 0 {
                "E"
            } else {
                ""
            };
            format!("{}{latch}", playback.cursor)
        })
        .collect();
    assert_eq!(found.join(" "), expected, "{case}");
}

struct Case {
    name: &'static str,
    cursor: i16,
    mode: u16,
    speed: i16,
    frames: u16,
    /// Rate of a blended clip; `None`: no blending.
    rate: Option<u8>,
    dt: u8,
    cursors: &'static str,
    last: Option<u16>,
}

#[test]
fn the_clock_follows_the_sheet() {
    let base = Case {
        name: "loop",
        cursor: 0,
        mode: 0x0015,
        speed: 8,
        frames: 3,
        rate: None,
        dt: 1,
        cursors: "8 16 24 32 40 0E 8 16",
        last: Some(0x0015),
    };
    let cases = [
        Case {
            name: "clamp",
            mode: 0x001D,
            speed: 16,
            cursors: "16 32 47E 47E 47E",
            last: Some(0x011D),
            ..base
        },
        Case {
            name: "reverse clamp",
            cursor: 47,
            mode: 0x009D,
            speed: 16,
            cursors: "31 15 0E 0E 0E",
            last: Some(0x019D),
            ..base
        },
        Case {
            name: "reverse loop",
            mode: 0x0095,
            cursors: "40E 32 24 16 8 0 40E 32",
            last: Some(0x0095),
            ..base
        },
        Case {
            name: "hold",
            cursor: 20,
            mode: 0x0017,
            cursors: "20 20",
            last: Some(0x0017),
            ..base
        },
        Case {
            name: "blend rate 4",
            rate: Some(4),
            cursors: "4 8 12 16 20 24 28 32 36 40 44 0E 4",
            ..base
        },
        Case {
            name: "blend rate 4, speed 7",
            speed: 7,
            rate: Some(4),
            cursors: "4 8 12",
            last: None,
            ..base
        },
        Case {
            name: "blend rate 2",
            rate: Some(2),
            cursors: "8 16 24",
            last: None,
            ..base
        },
        Case {
            name: "blend rate 1",
            rate: Some(1),
            cursors: "16 32 0E 16",
            ..base
        },
        Case {
            name: "dt = 2",
            dt: 2,
            cursors: "16 32 0E 16 32",
            ..base
        },
        Case {
            name: "restart in reverse",
            cursor: 5,
            mode: 0x0295,
            cursors: "24 16 8 0 40E",
            last: Some(0x0195),
            ..base
        },
        Case {
            name: "one frame, loop",
            frames: 1,
            cursors: "8 0E 8 0E",
            last: None,
            ..base
        },
        // A reverse loop that lands on -1 restarts at 0.
        Case {
            name: "reverse onto -1",
            cursor: 7,
            mode: 0x0095,
            cursors: "0E 40E",
            last: None,
            ..base
        },
        base,
    ];
    for case in cases {
        let data = one_clip(case.frames, case.rate.is_some(), case.rate.unwrap_or(2));
        let mut playback = Playback {
            number: 1,
            bound: 1,
            cursor: case.cursor,
            speed: case.speed,
            mode: case.mode,
        };
        run(&mut playback, &data, case.dt, case.cursors, case.name);
        if let Some(last) = case.last {
            assert_eq!(playback.mode, last, "{}", case.name);
        }
    }
}

#[test]
fn script_operations_on_the_clock() {
    let data = one_clip(3, false, 2);
    let start = Playback {
        number: 1,
        bound: 1,
        cursor: 20,
        speed: 8,
        mode: 0x0015,
    };
    let mut reset = start;
    reset.reset_and_hold();
    run(&mut reset, &data, 1, "0 0", "reset and hold");
    assert_eq!(reset.mode, 0x001F);
    let mut end = start;
    end.end_and_hold();
    run(&mut end, &data, 1, "32 32", "end and hold");
    assert_eq!(end.mode, 0x009F);

    let mut playback = start;
    playback.set_speed(40);
    assert_eq!(playback.speed, 20);
    playback.set_speed(1);
    assert_eq!(playback.speed, 1);
    playback.set_bit(3);
    assert_eq!(playback.mode, 0x001D);
    assert!(playback.bit(3) && !playback.bit(8));
    playback.clear_bit(4);
    assert_eq!(playback.mode, 0x000D);
    playback.set_bit(16);
    assert!(!playback.bit(16));
    assert_eq!(playback.mode, 0x000D);
}

#[test]
fn a_door_opens_and_shuts() {
    let data = one_clip(30, false, 2);
    let mut opening: Vec<String> = (1..30).map(|tick| format!("{}", 16 * tick)).collect();
    opening.extend(["479E".into(), "479E".into()]);
    let mut door = Playback {
        number: 1,
        bound: 1,
        cursor: 0,
        speed: 16,
        mode: 0x001D,
    };
    run(&mut door, &data, 1, &opening.join(" "), "open");
    assert_eq!((door.mode, door.cursor), (0x011D, 479));
    door.mode = 0x009D;
    let mut shutting: Vec<String> = (0..29).map(|tick| format!("{}", 463 - 16 * tick)).collect();
    shutting.extend(["0E".into(), "0E".into()]);
    run(&mut door, &data, 1, &shutting.join(" "), "shut");
    assert_eq!((door.mode, door.cursor), (0x019D, 0));
}

#[test]
fn binding_a_clip() {
    let bank = Bank::parse(&BANK).unwrap();
    let mut playback = Playback::new(0);
    assert_eq!((playback.speed, playback.mode), (8, 0x0015));
    assert_eq!(playback.tick(&bank, 1), Ok(None));
    playback.set_clip(2);
    playback.cursor = 13;
    let clip = playback.tick(&bank, 1).unwrap().unwrap();
    assert_eq!(clip.parts(), 2);
    // The cursor started over, and the first step is ceil(16 / 4).
    assert_eq!((playback.bound, playback.cursor), (2, 4));
    // The same number again, but forced.
    playback.set_clip(2);
    playback.tick(&bank, 1).unwrap();
    assert_eq!(playback.cursor, 4);
    playback.number = 3;
    let before = playback;
    assert_eq!(
        playback.tick(&bank, 1),
        Err(Error::NoSuchClip { number: 3 })
    );
    assert_eq!(playback, before);
    playback.number = -5;
    assert_eq!(playback.tick(&bank, 1), Ok(None));
}

#[test]
fn the_end_rule_follows_the_clamp_bit_unless_told_otherwise() {
    let mut playback = Playback::new(1);
    assert_eq!(playback.end(), ClipEnd::Wrap);
    playback.mode |= mode::CLAMP;
    assert_eq!(playback.end(), ClipEnd::Hold);
    assert_eq!(ClipEnd::of(playback.mode, mode::HOLD), ClipEnd::Wrap);
    assert_eq!(ClipEnd::of(mode::HOLD, mode::HOLD), ClipEnd::Hold);
}

#[test]
fn clip_numbers_are_one_based() {
    let bank = Bank::parse(&BANK).unwrap();
    for number in [0, -1, i16::MIN, 3, i16::MAX] {
        assert_eq!(bank.clip(number).unwrap_err(), Error::NoSuchClip { number });
    }
    assert_eq!(bank.clips().count(), 2);
}

#[test]
fn parts_must_be_objects() {
    let bank = Bank::parse(&BANK).unwrap();
    let clip = bank.clip(2).unwrap();
    assert_eq!(part_gate(&clip, 2), Ok(()));
    for objects in [0, 1, 3, 258] {
        assert_eq!(
            part_gate(&clip, objects),
            Err(Error::PartMismatch { parts: 2, objects })
        );
    }
}

#[test]
fn numbers_choose_a_bank() {
    let party = 0x0100_0000;
    let cases = [
        (0, 1, Some((Source::Scene, 1))),
        (0, 0x3FF, Some((Source::Scene, 0x3FF))),
        (0, 0x400, None),
        (0, 0x401, Some((Source::Move2, 1))),
        (0, 0x7FF, Some((Source::Move2, 0x3FF))),
        (party, 9, Some((Source::Party, 9))),
        (party | 0x1000, 0x401, Some((Source::Party, 1))),
        (party, 0, None),
        (0, -1, None),
        (0x1000, 1, Some((Source::Scene, 1))),
    ];
    for (flags, number, expected) in cases {
        assert_eq!(select(flags, number), expected, "{flags:X} {number:X}");
    }
    let scene = Bank::parse(&BANK).unwrap();
    let one = one_clip(5, false, 1);
    let banks = Banks {
        party: None,
        move2: Bank::parse(&one).ok(),
        scene: Some(scene),
    };
    assert_eq!(banks.clip(0, 2).unwrap().parts(), 2);
    assert_eq!(banks.clip(0, 0x401).unwrap().frames(), 5);
    for (flags, number) in [(party, 1), (0, 3), (0, 0x402)] {
        assert_eq!(
            banks.clip(flags, number).unwrap_err(),
            Error::NoSuchClip { number }
        );
    }
}

#[test]
fn malformed_banks_are_refused() {
    let changed = |at: usize, bytes: &[u8]| {
        let mut data = BANK.to_vec();
        data[at..at + bytes.len()].copy_from_slice(bytes);
        data
    };
    let cases: Vec<(Vec<u8>, Error)> = vec![
        (vec![], Error::Truncated { need: 4, len: 0 }),
        (BANK[..3].to_vec(), Error::Truncated { need: 4, len: 3 }),
        (BANK[..11].to_vec(), Error::Truncated { need: 12, len: 11 }),
        (changed(0, &[0]), Error::BadCount { count: 0 }),
        (changed(0, &[1, 1]), Error::BadCount { count: 257 }),
        (changed(4, &[11]), Error::BadClipOffset { index: 0 }),
        (changed(8, &[0x0C]), Error::BadClipOffset { index: 1 }),
        (changed(8, &[84]), Error::BadClipOffset { index: 1 }),
        (
            changed(8, &[0xFF, 0xFF, 0xFF, 0xFF]),
            Error::BadClipOffset { index: 1 },
        ),
        (changed(8, &[0x0C + 15]), Error::ClipTooSmall { index: 0 }),
        (
            changed(FIRST + 4, &[0x0D]),
            Error::BadMarker {
                index: 0,
                found: 0x080D,
            },
        ),
        (changed(FIRST, &[0]), Error::EmptyClip { index: 0 }),
        (changed(SECOND + 2, &[0]), Error::EmptyClip { index: 1 }),
        (
            changed(SECOND + 2, &[0x00, 0x08]),
            Error::ClipTooLong { index: 1 },
        ),
        (
            changed(SECOND, &[0xFF, 1, 0xFF, 0x07]),
            Error::ClipTruncated { index: 1 },
        ),
        (changed(SECOND + 2, &[3]), Error::ClipTruncated { index: 1 }),
        (changed(SECOND + 6, &[0]), Error::BadRate { index: 1 }),
    ];
    for (data, error) in cases {
        assert_eq!(Bank::parse(&data).unwrap_err(), error);
        assert_eq!(Bank::parse_lenient(&data).unwrap_err(), error);
    }
    let strict_only = [
        (changed(SECOND + 2, &[1]), Error::ClipOversized { index: 1 }),
        (changed(83, &[1]), Error::BadTrailer { index: 1 }),
        (
            [&BANK[..], &[0]].concat(),
            Error::ClipOversized { index: 1 },
        ),
    ];
    for (data, error) in strict_only {
        assert_eq!(Bank::parse(&data).unwrap_err(), error);
        let bank = Bank::parse_lenient(&data).unwrap();
        assert_eq!(bank.clip(2).unwrap().parts(), 2);
    }
    // The nibble that is never read: accepted, but a writer may ask.
    let data = changed(SECOND + 8 + 2 * 8 + 4, &[0x50]);
    let bank = Bank::parse(&data).unwrap();
    assert_eq!(bank.lint(), Err(Error::ReservedBits { index: 1, pose: 2 }));
    assert_eq!(
        bank.clip(2).unwrap().pose(1, 0),
        Bank::parse(&BANK).unwrap().clip(2).unwrap().pose(1, 0)
    );
}

#[test]
fn every_prefix_of_a_bank_is_an_error() {
    for len in 0..BANK.len() {
        assert!(Bank::parse(&BANK[..len]).is_err(), "{len}");
        assert!(Bank::parse_lenient(&BANK[..len]).is_err(), "{len}");
    }
}

#[test]
fn the_writer_makes_the_synthetic_bank() {
    let none = [Pose::default()];
    let moving = [
        Pose::default(),
        pose([0, -32, 0], [0x100, 0, 0]),
        pose([0, 0, 0], [0, 0, 0xF00]),
        pose([0, -16, 8], [0x180, 0, 0xFF0]),
    ];
    let first = ClipSource {
        parts: 1,
        frames: 1,
        blend: false,
        rate: 1,
        extra: 0,
        poses: &none,
    };
    let second = ClipSource {
        parts: 2,
        frames: 2,
        blend: true,
        rate: 4,
        extra: 0,
        poses: &moving,
    };
    let mut out = [0xEE; 100];
    assert_eq!(emit(&[first, second], &mut out), Ok(84));
    assert_eq!(out[..84], BANK);

    let mut out = [0; 83];
    assert_eq!(
        emit(&[first, second], &mut out),
        Err(Error::OutputTooSmall { room: 83 })
    );
    let refused = [
        (
            ClipSource { parts: 0, ..second },
            Error::EmptyClip { index: 0 },
        ),
        (
            ClipSource {
                frames: 0,
                ..second
            },
            Error::EmptyClip { index: 0 },
        ),
        (
            ClipSource {
                frames: 2048,
                ..second
            },
            Error::ClipTooLong { index: 0 },
        ),
        (
            ClipSource { rate: 0, ..second },
            Error::BadRate { index: 0 },
        ),
        (
            ClipSource {
                frames: 3,
                ..second
            },
            Error::PoseCount { index: 0 },
        ),
        (
            ClipSource {
                poses: &[pose([0, 2048, 0], [0; 3])],
                ..first
            },
            Error::InexactPose { index: 0, pose: 0 },
        ),
    ];
    for (clip, error) in refused {
        assert_eq!(emit(&[clip], &mut [0; 200]), Err(error));
    }
    assert_eq!(emit(&[], &mut [0; 9]), Err(Error::BadCount { count: 0 }));
}

/// A clip of the inventory: parts, frames, rate, blending.
type Shape = (u8, u16, u8, bool);

/// The sheet's kingdom inventory: clips, bytes, poses.
const KINGDOMS: [(&str, &[Shape], usize, usize); 3] = [
    (
        "Drake",
        &[
            (10, 20, 1, false),
            (10, 20, 1, false),
            (10, 30, 1, false),
            (2, 30, 2, false),
            (2, 20, 2, false),
            (10, 30, 2, false),
            (10, 26, 2, false),
            (10, 30, 2, false),
            (10, 3, 2, false),
            (12, 30, 2, false),
            (12, 30, 2, false),
            (12, 10, 2, false),
            (10, 120, 2, false),
            (14, 15, 4, true),
            (2, 30, 2, false),
        ],
        32_304,
        4000,
    ),
    (
        "Sebucus",
        &[
            (10, 20, 1, false),
            (10, 20, 1, false),
            (10, 30, 1, false),
            (2, 30, 2, false),
            (10, 30, 2, false),
            (10, 26, 2, false),
            (10, 30, 2, false),
            (10, 3, 2, false),
            (11, 30, 4, true),
            (11, 15, 4, true),
            (1, 30, 2, false),
            (1, 15, 4, true),
            (12, 30, 2, false),
            (12, 30, 2, false),
            (12, 10, 2, false),
            (10, 30, 2, false),
        ],
        26_964,
        3330,
    ),
    (
        "Karisto",
        &[
            (10, 20, 1, false),
            (10, 20, 1, false),
            (10, 30, 1, false),
            (1, 15, 2, false),
            (14, 15, 4, true),
            (14, 15, 4, true),
            (11, 30, 4, true),
            (11, 15, 4, true),
            (1, 15, 4, true),
            (1, 30, 4, true),
            (10, 5, 2, true),
            (10, 15, 4, true),
            (12, 30, 2, false),
            (12, 30, 2, false),
            (12, 10, 2, false),
            (10, 30, 2, false),
        ],
        24_444,
        3015,
    ),
];

/// Banks of the three kingdoms' shapes have their sizes, to the byte, and every pose stands where the
/// size law puts it.
#[test]
fn the_kingdom_inventory() {
    for (name, shapes, bytes, total) in KINGDOMS {
        let numbered = |clip: usize, n: usize| {
            let t = [clip as i16, (n % 4096) as i16 - 2048, -(n as i16 / 7)];
            pose(t, [16 * (n as u16 & 0xFF), 0x800, 0xFF0])
        };
        let poses: Vec<Vec<Pose>> = (0..)
            .zip(shapes)
            .map(|(clip, &(parts, frames, ..))| {
                let poses = usize::from(parts) * usize::from(frames);
                (0..poses).map(|n| numbered(clip, n)).collect()
            })
            .collect();
        assert_eq!(poses.iter().map(Vec::len).sum::<usize>(), total, "{name}");
        let sources: Vec<_> = shapes
            .iter()
            .zip(&poses)
            .map(|(&(parts, frames, rate, blend), poses)| ClipSource {
                parts,
                frames,
                blend,
                rate,
                extra: 0,
                poses,
            })
            .collect();
        let mut out = vec![0xEE; 40_000];
        assert_eq!(emit(&sources, &mut out), Ok(bytes), "{name}");
        let bank = Bank::parse(&out[..bytes]).unwrap();
        assert_eq!(usize::from(bank.len()), shapes.len(), "{name}");
        // The first clip's header: 40h with 15 clips, 44h with 16.
        let first = u32::from_le_bytes(out[4..8].try_into().unwrap());
        assert_eq!(first as usize, 4 + 4 * shapes.len(), "{name}");
        for (clip, (found, shape)) in bank.clips().zip(shapes).enumerate() {
            let found_shape = (found.parts(), found.frames(), found.rate(), found.blend());
            assert_eq!(found_shape, *shape, "{name} {clip}");
            let (frame, part) = (found.frames() - 1, found.parts() - 1);
            let last = usize::from(shape.0) * usize::from(shape.1) - 1;
            assert_eq!(found.pose(frame, part), Some(numbered(clip, last)));
            assert_eq!(found.pose(0, 0), Some(numbered(clip, 0)));
        }
    }
}

/// Pitfall P15: the signs of the three 12-bit numbers from their own nibbles, packed by hand.
#[test]
fn signs_come_from_their_own_nibbles() {
    // X = -541 = DE3h, Y = 384 = 180h, Z = -1 = FFFh.
    let bytes = [0xE3, 0x80, 0x1D, 0xFF, 0x0F, 0, 0, 0];
    let expected = pose([-541, 384, -1], [0; 3]);
    assert_eq!(Pose::from_bytes(bytes), expected);
    assert_eq!(expected.to_bytes(), bytes);
}

/// Bits 0, 2 and 4 have no known meaning; those from 0400h up belong to the morph envelope.
#[test]
fn the_clock_keeps_the_bits_of_others() {
    let data = one_clip(3, false, 2);
    let bank = Bank::parse(&data).unwrap();
    const OTHERS: u16 = 0xFC75;
    for own in [
        0,
        mode::HOLD,
        mode::CLAMP,
        mode::REVERSE,
        mode::END | mode::REVERSE | mode::CLAMP,
        mode::RESTART,
        mode::RESTART | mode::REVERSE,
    ] {
        for others in (0..16).map(|bit| 1 << bit & OTHERS).chain([0, OTHERS]) {
            let start = |mode| Playback {
                number: 1,
                bound: 1,
                cursor: 20,
                speed: 16,
                mode,
            };
            let (mut plain, mut marked) = (start(own), start(own | others));
            for _ in 0..5 {
                plain.tick(&bank, 1).unwrap();
                marked.tick(&bank, 1).unwrap();
                assert_eq!(marked.mode, plain.mode | others, "{own:04X} {others:04X}");
                assert_eq!(marked.cursor, plain.cursor, "{own:04X} {others:04X}");
            }
        }
    }
}

fn exact_pose() -> impl Strategy<Value = Pose> {
    (
        prop::array::uniform3(-2048i16..2048),
        prop::array::uniform3(0u16..256),
    )
        .prop_map(|(t, r)| pose(t, r.map(|r| r * 16)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn poses_round_trip(source in exact_pose()) {
        prop_assert!(source.is_exact());
        prop_assert_eq!(Pose::from_bytes(source.to_bytes()), source);
    }

    #[test]
    fn stored_bytes_round_trip(mut bytes in any::<[u8; 8]>()) {
        bytes[4] &= 0x0F;
        prop_assert_eq!(Pose::from_bytes(bytes).to_bytes(), bytes);
    }

    #[test]
    fn banks_round_trip(
        clips in prop::collection::vec(
            (1u8..5, 1u16..6, any::<bool>(), 1u8..5)
                .prop_flat_map(|(parts, frames, blend, rate)| {
                    let poses = usize::from(parts) * usize::from(frames);
                    (
                        Just((parts, frames, blend, rate)),
                        prop::collection::vec(exact_pose(), poses),
                    )
                }),
            1..6,
        ),
    ) {
        let sources: Vec<ClipSource> = clips
            .iter()
            .map(|(head, poses)| ClipSource {
                parts: head.0,
                frames: head.1,
                blend: head.2,
                rate: head.3,
                extra: 0,
                poses,
            })
            .collect();
        let mut out = vec![0xEE; 8192];
        let len = emit(&sources, &mut out).unwrap();
        let bank = Bank::parse(&out[..len]).unwrap();
        prop_assert_eq!(bank.lint(), Ok(()));
        prop_assert_eq!(usize::from(bank.len()), clips.len());
        for (clip, (head, poses)) in bank.clips().zip(&clips) {
            prop_assert_eq!((clip.parts(), clip.frames(), clip.blend(), clip.rate()), *head);
            for (index, expected) in poses.iter().enumerate() {
                let frame = (index / usize::from(head.0)) as u16;
                let part = (index % usize::from(head.0)) as u8;
                prop_assert_eq!(clip.pose(frame, part), Some(*expected));
            }
        }
    }

    /// Damaged banks are refused or read; nothing panics, and the clock stays defined.
    #[test]
    fn damage_never_panics(
        changes in prop::collection::vec((0usize..84, any::<u8>()), 0..6),
        len in 0usize..=84,
        playback in any::<(i16, i16, i16, i16, u16)>(),
        dt in any::<u8>(),
    ) {
        let mut data = BANK;
        for (at, value) in changes {
            data[at] = value;
        }
        let (number, bound, cursor, speed, mode) = playback;
        if let Ok(bank) = Bank::parse_lenient(&data[..len]) {
            let _ = bank.lint();
            for number in [number, 1, 2] {
                let mut playback = Playback { number, bound, cursor, speed, mode };
                for _ in 0..3 {
                    if let Ok(Some(clip)) = playback.tick(&bank, dt) {
                        let sample = clip.sample(playback.cursor, playback.end());
                        prop_assert_eq!(sample.poses().count(), usize::from(clip.parts()));
                    }
                }
            }
        }
    }
}
