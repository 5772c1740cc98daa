//! The worked examples of the ANM sheet.

use core::marker::PhantomData;

use overworld_runtime::anim::legaia::{
    Bank, ClipEnd, ClipSource, Error, Playback, Pose, blend_angle, blend_translation, emit,
    part_gate,
};
use overworld_runtime::bytes::crc32;

use crate::bench;
use crate::check::{Check, List, bytes, same, same_hex};
use crate::gte::broken;

pub(crate) struct Tests<G>(PhantomData<G>);

impl<G: 'static> Tests<G> {
    pub(crate) const ALL: List<G> = &[
        ("anim/poses", poses),
        ("anim/pack", pack),
        ("anim/blend", blend),
        ("anim/blend-translation", translations),
        ("anim/blend-angle", angles),
        ("anim/cursor", cursors),
        ("anim/door", door),
        ("anim/anywhere", anywhere),
        ("anim/bank", bank),
        ("anim/bank-refusals", refusals),
        ("anim/bank-writer", writer),
    ];
}

/// x, y, z, rx, ry, rz
type Six = (i16, i16, i16, u16, u16, u16);

const fn pose((x, y, z, rx, ry, rz): Six) -> Pose {
    Pose {
        t: [x, y, z],
        r: [rx, ry, rz],
    }
}

/// P1 to P9.
fn poses<G>(_: &mut G) -> Check {
    const CASES: [([u8; 8], [i16; 3], [u16; 3]); 9] = include!("../tables/poses.rs");
    for (n, (packed, t, r)) in (1..).zip(CASES) {
        same!(Pose::from_bytes(packed), Pose { t, r }, "P{n}");
    }
    Ok(())
}

/// The three encoding examples.
fn pack<G>(_: &mut G) -> Check {
    const CASES: [(Six, [u8; 8]); 3] = include!("../tables/poses_packed.rs");
    for (six, packed) in CASES {
        bytes(format_args!("{six:?}"), &pose(six).to_bytes(), &packed)?;
        same!(Pose::from_bytes(packed), pose(six), "back");
    }
    Ok(())
}

/// The table of A blended with B.
fn blend<G>(_: &mut G) -> Check {
    let a = Pose::from_bytes([0x64, 0x9C, 0xF0, 0x38, 0x00, 0x40, 0xC0, 0x00]);
    let b = Pose::from_bytes([0x74, 0xAD, 0xF0, 0x28, 0x00, 0x48, 0xB8, 0xFF]);
    for (frac, six) in include!("../tables/anm_blends.rs") {
        same!(a.blend(&b, frac), pose(six), "fraction {frac}");
    }
    Ok(())
}

/// Rounding toward minus infinity.
fn translations<G>(_: &mut G) -> Check {
    for (from, to, values) in include!("../tables/anm_translations.rs") {
        for (frac, value) in [0, 1, 7, 8, 15].into_iter().zip(values) {
            let found = blend_translation(from, to, frac);
            same!(found, value, "{from} to {to}, fraction {frac}");
        }
    }
    Ok(())
}

/// The shorter way round, half turns forward.
fn angles<G>(_: &mut G) -> Check {
    for (from, to, values) in include!("../tables/anm_angles.rs") {
        for (frac, value) in [0, 1, 4, 8, 12, 15].into_iter().zip(values) {
            let found = blend_angle(from, to, frac);
            same_hex!(found, value, "{from:03X} to {to:03X}, fraction {frac}");
        }
    }
    Ok(())
}

/// A cursor that reached an end in this tick.
const END: i16 = 0x4000;

/// A bank of one clip of one part, all poses zero: the clock needs no more.
fn clock_bank(frames: u16, blend: bool, rate: u8, room: &mut [u8; 300]) -> Result<Bank<'_>, Error> {
    let poses = [Pose::default(); 30];
    let clip = ClipSource {
        parts: 1,
        frames,
        blend,
        rate,
        extra: 0,
        poses: poses.get(..usize::from(frames)).unwrap_or_default(),
    };
    let len = emit(&[clip], room)?;
    Bank::parse(room.get(..len).unwrap_or_default())
}

/// A row of cursor sequences.
type Sequence = (
    &'static str,
    (i16, u16, i16),
    u16,
    Option<u8>,
    u8,
    &'static [i16],
    u16,
);

fn cursors<G>(_: &mut G) -> Check {
    const CASES: [Sequence; 15] = include!("../tables/anm_clock.rs");
    for &(name, (cursor, mode, speed), frames, rate, dt, cursors, last_mode) in &CASES {
        let mut room = [0; 300];
        let bank = clock_bank(frames, rate.is_some(), rate.unwrap_or(1), &mut room)
            .map_err(|_| broken(name))?;
        let mut playback = Playback {
            number: 1,
            bound: 1,
            cursor,
            speed,
            mode,
        };
        for (tick, &expected) in (1..).zip(cursors) {
            let clip = playback.tick(&bank, dt);
            same!(clip.is_ok(), true, "{name}, tick {tick}: clip");
            let end = if playback.mode & 0x100 != 0 { END } else { 0 };
            let found = playback.cursor + end;
            same!(found, expected, "{name}, tick {tick} (+{END} at an end)");
        }
        same_hex!(playback.mode, last_mode, "{name}: mode");
    }
    Ok(())
}

/// A bank at each place beside a word boundary: some machines read it there in another way. Every part of
/// every moment is what the two stored poses give component by component.
fn anywhere<G>(_: &mut G) -> Check {
    const MOMENTS: usize = 144;
    let mut packed = [0; bench::BANK];
    let bank = bench::bank(&mut packed).ok_or_else(|| broken("bank"))?;
    let clip = bank.clip(1).map_err(|_| broken("clip"))?;
    let (frames, span) = (clip.frames(), clip.span());
    let moment = |n: i16| (7 * n % span, (n % 3) as u8);
    let mut expected = [Pose::default(); MOMENTS];
    for (expected, n) in expected.iter_mut().zip(0..) {
        let (cursor, part) = moment(n);
        let frame = cursor as u16 / 16;
        let from = clip.pose(frame, part).ok_or_else(|| broken("pose"))?;
        let to = clip.pose((frame + 1) % frames, part);
        *expected = from.blend(&to.ok_or_else(|| broken("pose"))?, cursor as u8);
    }
    for over in 0..4 {
        let mut room = [0; bench::BANK + 8];
        let start = room.as_ptr().align_offset(4) + over;
        let place = room.get_mut(start..start + bench::BANK);
        let place = place.ok_or_else(|| broken("room"))?;
        place.copy_from_slice(&packed);
        let bank = Bank::parse(place).map_err(|_| broken("bank beside a boundary"))?;
        let clip = bank.clip(1).map_err(|_| broken("clip"))?;
        for (&expected, n) in expected.iter().zip(0..) {
            let (cursor, part) = moment(n);
            let at = clip.pose_at(cursor, part, ClipEnd::Wrap);
            same!(at, Some(expected), "{over} over, {cursor}, part {part}");
            let mut all = clip.sample(cursor, ClipEnd::Wrap).poses();
            let at = all.nth(part.into());
            same!(at, Some(expected), "{over} over, {cursor}, {part} of all");
        }
    }
    Ok(())
}

/// A door that opens and shuts: 30 ticks each way, and the words seen in a running game.
fn door<G>(_: &mut G) -> Check {
    let mut room = [0; 300];
    let bank = clock_bank(30, false, 1, &mut room).map_err(|_| broken("door bank"))?;
    let mut playback = Playback {
        number: 1,
        bound: 1,
        cursor: 0,
        speed: 16,
        mode: 0x1D,
    };
    for tick in 1..=32 {
        let _ = playback.tick(&bank, 1);
        let expected = if tick < 30 { 16 * tick } else { 479 };
        same!(playback.cursor, expected, "opening, tick {tick}");
        same!(playback.mode & 0x100 != 0, tick >= 30, "end, tick {tick}");
    }
    same_hex!(playback.mode, 0x11D, "mode of the open door");
    playback.mode = 0x9D;
    for tick in 1..=32 {
        let _ = playback.tick(&bank, 1);
        let expected = if tick < 30 { 479 - 16 * tick } else { 0 };
        same!(playback.cursor, expected, "shutting, tick {tick}");
    }
    same_hex!(playback.mode, 0x19D, "mode of the shut door");
    Ok(())
}

/// The complete synthetic bank of the sheet.
pub(crate) static BANK: [u8; 84] = include!("../tables/anm.rs");

/// Its header, and clip 2, part 1 over the cursor.
fn bank<G>(_: &mut G) -> Check {
    same_hex!(crc32(&BANK), 0x68C9_A8A7, "crc32 of the bank");
    let bank = Bank::parse(&BANK).map_err(|_| broken("the sheet's bank is refused"))?;
    same!(bank.len(), 2, "clips");
    let one = bank.clip(1).map_err(|_| broken("clip 1"))?;
    same!((one.parts(), one.frames()), (1, 1), "clip 1");
    same!((one.blend(), one.rate()), (false, 1), "clip 1");
    let two = bank.clip(2).map_err(|_| broken("clip 2"))?;
    same!((two.parts(), two.frames()), (2, 2), "clip 2");
    same!((two.blend(), two.rate()), (true, 4), "clip 2");
    same!(
        two.pose(0, 1),
        Some(pose((0, -32, 0, 0x100, 0, 0))),
        "frame 0, part 1"
    );
    same!(
        two.pose(1, 0),
        Some(pose((0, 0, 0, 0, 0, 0xF00))),
        "frame 1, part 0"
    );
    for (cursor, wrapped, held) in include!("../tables/anm_cursors.rs") {
        let held = held.unwrap_or(wrapped);
        for (end, six) in [(ClipEnd::Wrap, wrapped), (ClipEnd::Hold, held)] {
            let found = two.pose_at(cursor, 1, end);
            same!(found, Some(pose(six)), "cursor {cursor}, {end:?}");
        }
    }
    Ok(())
}

/// What must be refused: clip 0, foreign clips, another number of parts, a cut at any byte.
fn refusals<G>(_: &mut G) -> Check {
    let bank = Bank::parse(&BANK).map_err(|_| broken("the sheet's bank is refused"))?;
    for number in [0, -1, 3, i16::MAX, i16::MIN] {
        let found = bank.clip(number).err();
        same!(found, Some(Error::NoSuchClip { number }), "clip {number}");
    }
    let two = bank.clip(2).map_err(|_| broken("clip 2"))?;
    same!(part_gate(&two, 2), Ok(()), "two parts, two objects");
    let mismatch = Error::PartMismatch {
        parts: 2,
        objects: 3,
    };
    same!(
        part_gate(&two, 3),
        Err(mismatch),
        "two parts, three objects"
    );
    same!(two.pose(2, 0), None, "frame behind the last");
    same!(two.pose(0, 2), None, "part behind the last");
    for len in 0..BANK.len() {
        let cut = BANK.get(..len).unwrap_or_default();
        same!(Bank::parse(cut).is_err(), true, "cut to {len}: refused");
    }
    let mut bad = BANK;
    // Cut inside the table; a first clip of 15 bytes.
    for (len, need) in [(3, 4), (11, 12)] {
        let found = Bank::parse(BANK.get(..len).unwrap_or_default()).err();
        same!(found, Some(Error::Truncated { need, len }), "{len} bytes");
    }
    for (at, value, error) in [
        (0, 0, Error::BadCount { count: 0 }),
        (8, 0x0C + 15, Error::ClipTooSmall { index: 0 }),
        (38, 3, Error::ClipTruncated { index: 1 }),
        (38, 1, Error::ClipOversized { index: 1 }),
        (39, 8, Error::ClipTooLong { index: 1 }),
        (4, 8, Error::BadClipOffset { index: 0 }),
        (8, 0x0C, Error::BadClipOffset { index: 1 }),
        (
            16,
            0x0D,
            Error::BadMarker {
                index: 0,
                found: 0x080D,
            },
        ),
        (36, 0, Error::EmptyClip { index: 1 }),
        (42, 0, Error::BadRate { index: 1 }),
        (83, 1, Error::BadTrailer { index: 1 }),
    ] {
        let old = bad.get(at).copied().unwrap_or(0);
        if let Some(byte) = bad.get_mut(at) {
            *byte = value;
        }
        same!(Bank::parse(&bad).err(), Some(error), "byte {at} = {value}");
        let lenient = matches!(
            error,
            Error::ClipOversized { .. } | Error::BadTrailer { .. }
        );
        let found = Bank::parse_lenient(&bad).is_ok();
        same!(found, lenient, "byte {at} = {value}, leniently");
        if let Some(byte) = bad.get_mut(at) {
            *byte = old;
        }
    }
    // The nibble that is never read: accepted, found by the lint.
    same!(bank.lint(), Ok(()), "lint");
    if let Some(byte) = bad.get_mut(36 + 8 + 2 * 8 + 4) {
        *byte = 0x50;
    }
    let reserved = Error::ReservedBits { index: 1, pose: 2 };
    let odd = Bank::parse(&bad).map(|it| it.lint());
    same!(odd, Ok(Err(reserved)), "lint of the nibble");
    for cursor in [-1, 32, i16::MAX] {
        let outside = Err(Error::BadCursor { cursor, frames: 2 });
        same!(two.check_cursor(cursor), outside, "cursor {cursor}");
    }
    same!(two.check_cursor(31), Ok(()), "the last cursor");
    Ok(())
}

/// The writer makes the sheet's bank, byte for byte.
fn writer<G>(_: &mut G) -> Check {
    let still = [Pose::default()];
    let moving = [
        Pose::default(),
        pose((0, -32, 0, 0x100, 0, 0)),
        pose((0, 0, 0, 0, 0, 0xF00)),
        pose((0, -16, 8, 0x180, 0, 0xFF0)),
    ];
    let clips = [
        ClipSource {
            parts: 1,
            frames: 1,
            blend: false,
            rate: 1,
            extra: 0,
            poses: &still,
        },
        ClipSource {
            parts: 2,
            frames: 2,
            blend: true,
            rate: 4,
            extra: 0,
            poses: &moving,
        },
    ];
    let mut out = [0xA5; 84];
    same!(emit(&clips, &mut out), Ok(84), "length");
    bytes(format_args!("bank"), &out, &BANK)?;
    let mut short = [0; 83];
    let full = Err(Error::OutputTooSmall { room: 83 });
    same!(emit(&clips, &mut short), full, "one byte too few");
    Ok(())
}
