//! Banks: read, chosen, refused, written.

use super::common::{BANK, FIRST, SECOND, one_clip, pose};
use overworld_runtime::anim::legaia::{
    Bank, Banks, ClipSource, Error, Pose, Source, emit, part_gate, select,
};
use overworld_runtime::bytes::crc32;

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
