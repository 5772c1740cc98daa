//! Animation banks.

use overworld_runtime::anim::legaia::{
    self, Bank, ClipEnd, ClipSource, Error, Playback, Pose, part_gate,
};

use super::{Choices, is_inside, take_u8};

/// `[u8 seed]`, then a decoded bank.
///
/// Strict implies lenient; clips hold as many poses as they say; every cursor shows every part; the
/// clock stays in the clip; a bank can be written again from its poses.
pub fn bank(data: &[u8]) -> bool {
    let (seed, data) = take_u8(data);
    let strict = Bank::parse(data);
    let Ok(bank) = Bank::parse_lenient(data) else {
        assert!(strict.is_err(), "lenient takes what strict takes");
        return false;
    };
    assert_eq!(bank.clips().count(), usize::from(bank.len()));
    assert!(4 + 20 * usize::from(bank.len()) <= data.len());
    for number in [i16::MIN, -2, -1, 0, bank.len() as i16 + 1, i16::MAX] {
        assert_eq!(bank.clip(number), Err(Error::NoSuchClip { number }));
    }
    let mut choices = Choices::new(seed.into());
    let mut total = 0;
    let mut stored: Vec<Vec<Pose>> = Vec::new();
    for (number, clip) in (1..).zip(bank.clips()) {
        assert_eq!(bank.clip(number), Ok(clip));
        let (parts, frames) = (clip.parts(), clip.frames());
        assert!(parts > 0 && frames > 0);
        assert!(part_gate(&clip, parts.into()).is_ok());
        assert!(part_gate(&clip, usize::from(parts) + 1).is_err());
        let mut poses = Vec::new();
        for frame in 0..frames {
            for part in 0..parts {
                let pose = clip.pose(frame, part).expect("inside the clip");
                assert!(pose.is_exact());
                poses.push(pose);
            }
            assert_eq!(clip.pose(frame, parts), None);
        }
        assert_eq!(clip.pose(frames, 0), None);
        total += poses.len();
        assert!(total * Pose::BYTES <= data.len(), "no pose is there twice");

        let random = choices.below(0x1_0000) as u16 as i16;
        let inside = choices.below(clip.span() as usize) as i16;
        for cursor in [i16::MIN, -1, 0, inside, clip.span() - 1, i16::MAX, random] {
            for end in [ClipEnd::Wrap, ClipEnd::Hold] {
                let shown: Vec<_> = clip.sample(cursor, end).poses().collect();
                assert_eq!(shown.len(), usize::from(parts));
                for (part, pose) in (0..).zip(&shown) {
                    assert_eq!(clip.pose_at(cursor, part, end), Some(*pose));
                    assert!(pose.t.iter().all(|t| (-2048..=2047).contains(t)));
                    assert!(pose.r.iter().all(|&r| r < 0x1000));
                }
                if clip.check_cursor(cursor).is_ok() && (cursor & 15 == 0 || !clip.blend()) {
                    let frame = usize::from(cursor as u16 >> 4);
                    let at = frame * usize::from(parts);
                    assert_eq!(shown, poses[at..at + usize::from(parts)]);
                }
            }
        }
        play(&bank, number, &mut choices);
        stored.push(poses);
    }
    if strict.is_ok() {
        assert!(is_inside(data, data));
        write_again(&bank, &stored, data);
    }
    strict.is_ok()
}

/// Let the clock run.
fn play(bank: &Bank<'_>, number: i16, choices: &mut Choices) {
    let mut playback = Playback::new(number);
    for _ in 0..12 {
        match choices.below(8) {
            0 => playback.mode = choices.below(0x1_0000) as u16,
            1 => playback.speed = choices.below(0x1_0000) as u16 as i16,
            2 => playback.set_speed(choices.below(0x1_0000) as u16 as i16),
            3 => playback.set_bit(choices.below(20) as u8),
            4 => playback.clear_bit(choices.below(20) as u8),
            5 => playback.reset_and_hold(),
            6 => playback.set_clip(number),
            _ => {}
        }
        let before = playback;
        let dt = choices.below(6) as u8;
        let clip = playback.tick(bank, dt);
        let clip = clip.expect("the clip exists").expect("one is asked for");
        let (span, speed) = (i32::from(clip.span()), i32::from(before.speed).abs());
        // A step that is longer than the clip may leave it; the draw clamps.
        if speed * 2 * i32::from(dt) < span {
            let cursor = i32::from(playback.cursor);
            assert!(
                (0..span).contains(&cursor) || !in_clip(&before, span),
                "{before:?} came to {playback:?} in a clip of {span}"
            );
        }
        let shown = clip.sample(playback.cursor, playback.end()).poses().count();
        assert_eq!(shown, usize::from(clip.parts()));
    }
    playback.number = bank.len() as i16 + 1;
    let before = playback;
    assert!(playback.tick(bank, 1).is_err());
    assert_eq!(playback, before, "a missing clip changes nothing");
    playback.number = 0;
    assert_eq!(playback.tick(bank, 1), Ok(None));
}

/// Whether the cursor is in the clip when the tick begins to move it.
fn in_clip(playback: &Playback, span: i32) -> bool {
    playback.bound != playback.number || (0..span).contains(&i32::from(playback.cursor))
}

/// Write the bank from its poses; what comes back is the same.
fn write_again(bank: &Bank<'_>, stored: &[Vec<Pose>], data: &[u8]) {
    let clips: Vec<_> = bank
        .clips()
        .zip(stored)
        .map(|(clip, poses)| ClipSource {
            parts: clip.parts(),
            frames: clip.frames(),
            blend: clip.blend(),
            rate: clip.rate(),
            extra: clip.extra(),
            poses,
        })
        .collect();
    let mut out = vec![0xEE; data.len()];
    let length = legaia::emit(&clips, &mut out).expect("never longer than it was");
    let out = &out[..length];
    let again = Bank::parse(out).expect("just written");
    assert_eq!(again.len(), bank.len());
    assert_eq!(again.lint(), Ok(()));
    for ((one, other), poses) in bank.clips().zip(again.clips()).zip(stored) {
        let head = |clip: &legaia::Clip<'_>| {
            let numbers = (clip.parts(), clip.frames(), clip.rate(), clip.extra());
            (numbers, clip.blend())
        };
        assert_eq!(head(&one), head(&other));
        let mut read = poses.iter();
        for frame in 0..other.frames() {
            for part in 0..other.parts() {
                assert_eq!(other.pose(frame, part).as_ref(), read.next());
            }
        }
    }
}
