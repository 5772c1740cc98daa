//! The clock of a playback.

use super::common::{BANK, one_clip};
use overworld_runtime::anim::legaia::{Bank, ClipEnd, Error, Playback, mode};

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

/// A row of the sheet, as the battery has it.
type Sequence = (
    &'static str,
    (i16, u16, i16),
    u16,
    Option<u8>,
    u8,
    &'static [i16],
    u16,
);

#[test]
fn the_clock_follows_the_sheet() {
    let rows: [Sequence; 15] = include!("../../../tests/battery/tables/anm_clock.rs");
    for (name, (cursor, mode, speed), frames, rate, dt, cursors, last) in rows {
        let data = one_clip(frames, rate.is_some(), rate.unwrap_or(2));
        let mut playback = Playback {
            number: 1,
            bound: 1,
            cursor,
            speed,
            mode,
        };
        let expected = cursors.iter().map(|it| match it & 0x4000 {
            0 => it.to_string(),
            end => format!("{}E", it - end),
        });
        let expected: Vec<String> = expected.collect();
        run(&mut playback, &data, dt, &expected.join(" "), name);
        assert_eq!(playback.mode, last, "{name}");
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
