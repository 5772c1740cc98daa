//! Round trips, and banks that are damaged.

use super::common::{BANK, pose};
use overworld_runtime::anim::legaia::{Bank, ClipSource, Playback, Pose, emit};
use proptest::prelude::*;

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
