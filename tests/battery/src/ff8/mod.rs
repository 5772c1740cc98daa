//! Battle models: the worked streams and poses of the FF8 sheet, and the decoder's pace.

mod models;
mod pace;

use core::marker::PhantomData;

use overworld_runtime::anim::ff8::{
    Animations, BitReader, Decoder, Error, FrameSource, Pose, Progress, Speed, encode,
};
use overworld_runtime::gte::Geometry;

use crate::check::{Check, List, bytes, same};
pub(crate) use pace::{bench_channel, bench_matrices};

pub(crate) struct Tests<G>(PhantomData<G>);

impl<G: Geometry + 'static> Tests<G> {
    pub(crate) const ALL: List<G> = &[
        ("ff8/fields", fields),
        ("ff8/streams", streams),
        ("ff8/scales", scales),
        ("ff8/slow", slow),
        ("ff8/ends", ends),
        ("ff8/encode", encoder),
        ("ff8/poses", models::poses::<G>),
        ("ff8/model", models::model::<G>),
        ("ff8/refusals", models::refusals),
    ];
}

/// Rows 10.1: a kind (location, rotation, scale), its value, its bytes, its bits.
const FIELDS: [(u8, i16, [u8; 3], u8); 38] = include!("../../tables/ff8_fields.rs");

/// All fields of 10.1 behind 0 to 33 other bits.
fn fields<G>(_: &mut G) -> Check {
    for (row, (kind, value, field, bits)) in (1_u32..).zip(FIELDS) {
        let [a, b, c] = field;
        let field = u64::from(u32::from_le_bytes([a, b, c, 0]));
        for lead in 0..34_u32 {
            let data = (field << lead | ((1 << lead) - 1)).to_le_bytes();
            let length = (lead + u32::from(bits)).div_ceil(8) as usize;
            let data = data.get(..length).unwrap_or_default();
            let mut reader = BitReader::new(data, (lead / 8) as usize, (lead % 8) as u8);
            let found = match kind {
                0 => reader.location(),
                1 => reader.rotation(),
                _ => reader.scale(),
            };
            same!(found, Some(value), "row {row} behind {lead} bits");
            let end = lead + u32::from(bits);
            same!(
                reader.position(),
                ((end / 8) as usize, (end % 8) as u8),
                "row {row}, end"
            );
        }
    }
    Ok(())
}

const A3: [u8; 24] = [
    0x03, 0x92, 0x11, 0x67, 0x9E, 0x03, 0xD0, 0x01, 0x78, 0x05, 0x13, 0x3B, 0x30, 0x94, 0x13, 0xFC,
    0xF9, 0xE8, 0x03, 0x7E, 0x41, 0xD9, 0x27, 0x18,
];
const A4: [u8; 30] = [
    0x04, 0x60, 0x00, 0x7F, 0x00, 0x07, 0x10, 0x00, 0x88, 0x38, 0x05, 0x20, 0x80, 0xBF, 0x00, 0x04,
    0x00, 0x44, 0x98, 0x02, 0x00, 0x88, 0x38, 0x85, 0x4C, 0x00, 0x09, 0xFF, 0xB1, 0x1C,
];
const A6: [u8; 29] = [
    0x03, 0xFF, 0xFF, 0x81, 0x01, 0x00, 0xFD, 0xFF, 0x1C, 0x00, 0xFF, 0xFF, 0x03, 0x03, 0x00, 0xFA,
    0xFF, 0x39, 0x00, 0xFE, 0xFF, 0x07, 0x06, 0x00, 0xF4, 0xFF, 0x73, 0x00, 0x04,
];
const A7: [u8; 10] = [0x01, 0x03, 0x00, 0x18, 0xA0, 0xDF, 0x01, 0x40, 0x03, 0x00];

/// Run `work` on a section whose one animation is `stream`.
fn with_section<T>(stream: &[u8], work: impl FnOnce(&[u8]) -> T) -> Option<T> {
    let mut room = [0; 64];
    let (table, rest) = room.split_first_chunk_mut()?;
    *table = [1, 0, 0, 0, 8, 0, 0, 0];
    rest.get_mut(..stream.len())?.copy_from_slice(stream);
    Some(work(room.get(..8 + stream.len())?))
}

type Row = ([i16; 3], [i16; 3], u32);

/// A stream of one bone: root, rotation and position after each call.
fn play(name: &str, stream: &[u8], speed: Speed, rows: &[Row]) -> Check {
    let played = with_section(stream, |data| {
        let animations = Animations::parse(data).and_then(|it| it.get(0));
        let Ok(animation) = animations else {
            return Err(crate::check::reason(format_args!("{name}: no animation")));
        };
        let mut decoder = Decoder::new(&animation, 1, speed);
        let mut pose = Pose::<1>::START;
        for (call, (root, rotation, at)) in rows.iter().enumerate() {
            let progress = decoder.call(&mut pose);
            same!(progress.is_ok(), true, "{name}, call {call}");
            same!(
                (pose.root, pose.rotation),
                (*root, [*rotation]),
                "{name}, call {call}"
            );
            let (byte, bit) = decoder.position();
            same!(
                (byte - 8) * 8 + u32::from(bit),
                *at,
                "{name}, call {call}, position"
            );
        }
        same!(
            decoder.call(&mut pose),
            Ok(Progress::Complete),
            "{name}, end"
        );
        Ok(())
    });
    fitted(played)
}

/// What came of a stream that had to fit a section.
fn fitted(result: Option<Check>) -> Check {
    result.unwrap_or_else(|| Err(crate::check::reason(format_args!("no room for the stream"))))
}

/// A1 to A3 and A5 to A7.
fn streams<G>(_: &mut G) -> Check {
    play("A1", &[1, 0, 0, 0], Speed::Normal, &[([0; 3], [0; 3], 27)])?;
    let a2 = [0x01, 0x04, 0x33, 0x59, 0x08];
    play("A2", &a2, Speed::Normal, &[([1, -2, 3], [3, -4, 0], 37)])?;
    let rows = [
        ([100, -200, 30], [1024, -1024, 5], 78),
        ([103, -240, 30], [1000, -1024, 5], 111),
        ([-400, -241, 1030], [2047, -1021, -1000], 189),
    ];
    play("A3", &A3, Speed::Normal, &rows)?;
    let a5 = [
        0x03, 0x00, 0x00, 0x87, 0x3E, 0x00, 0x00, 0x0E, 0x7D, 0x00, 0x00, 0x1C, 0xFA, 0x00,
    ];
    let rows = [
        ([0; 3], [2000, 0, 0], 41),
        ([0; 3], [4000, 0, 0], 74),
        ([0; 3], [6000, 0, 0], 107),
    ];
    play("A5", &a5, Speed::Normal, &rows)?;
    let rows = [
        ([32767, 0, -32768], [2047, 0, -2048], 81),
        ([-2, 0, 0], [4094, 0, -4096], 154),
        ([32765, 0, -32768], [6141, 0, -6144], 227),
    ];
    play("A6", &A6, Speed::Normal, &rows)?;
    play("A7", &A7, Speed::Normal, &[([0, 1, -1], [0, 0, 1], 73)])
}

/// A4: scales are absolute, an absent one is 1.0.
fn scales<G>(_: &mut G) -> Check {
    let played = with_section(&A4, |data| {
        let Ok(animation) = Animations::parse(data).and_then(|it| it.get(0)) else {
            return Err(crate::check::reason(format_args!("A4: no animation")));
        };
        let mut decoder = Decoder::new(&animation, 2, Speed::Normal);
        let mut pose = Pose::<2>::START;
        let one = [1024; 3];
        let rows = [
            (0, false, 0, [0; 3], [one, one]),
            (4, true, 10, [0; 3], [one, [512, 1024, 2048]]),
            (8, false, 20, [0; 3], [one, [512, 1024, 2048]]),
            (12, true, 30, [0, 0, -7], [[1100, 900, 1024], one]),
        ];
        for (frame, (z, scaled, x, more, scale)) in rows.iter().enumerate() {
            same!(decoder.call(&mut pose).is_ok(), true, "frame {frame}");
            same!(pose.root, [0, -512, *z], "frame {frame}, root");
            same!(pose.scaled, *scaled, "frame {frame}, mode");
            let [_, _, c] = *more;
            same!(
                pose.rotation,
                [[*x, 0, 0], [512, 0, c]],
                "frame {frame}, rotation"
            );
            same!(pose.scale, *scale, "frame {frame}, scale");
        }
        Ok(())
    });
    fitted(played)
}

/// A8.
fn slow<G>(_: &mut G) -> Check {
    let rows = [
        ([100, -200, 30], [1024, -1024, 5], 78),
        ([101, -220, 30], [1012, -1024, 5], 78),
        ([102, -240, 30], [1000, -1024, 5], 111),
        ([-149, -240, 530], [1523, -1023, -497], 111),
        ([-400, -240, 1030], [2046, -1022, -999], 189),
    ];
    play("A8", &A3, Speed::Slow, &rows)
}

/// Every stream cut by a byte ends in its last frame, and the pose stays as it was before that.
fn ends<G>(_: &mut G) -> Check {
    for (number, stream) in [&A3[..], &A6, &A7].into_iter().enumerate() {
        let cut = stream.split_last().map_or(stream, |it| it.1);
        let ended = with_section(cut, |data| {
            let Ok(animation) = Animations::parse(data).and_then(|it| it.get(0)) else {
                return Err(crate::check::reason(format_args!("{number}: no animation")));
            };
            let mut decoder = Decoder::new(&animation, 1, Speed::Normal);
            let mut pose = Pose::<1>::START;
            for _ in 1..animation.frames() {
                same!(decoder.call(&mut pose).is_ok(), true, "stream {number}");
            }
            let before = pose;
            let frame = animation.frames() - 1;
            let bone = Some(0);
            same!(
                decoder.call(&mut pose),
                Err(Error::EndOfStream { frame, bone }),
                "stream {number}"
            );
            same!(pose, before, "stream {number}, pose");
            Ok(())
        });
        fitted(ended)?;
    }
    Ok(())
}

/// The frames of A3 and A6 give their bytes.
fn encoder<G>(_: &mut G) -> Check {
    let frame = |(root, rotation): &'static ([i16; 3], [[i16; 3]; 1])| FrameSource {
        root: *root,
        rotation,
        scale: None,
    };
    static A3_FRAMES: [([i16; 3], [[i16; 3]; 1]); 3] = [
        ([100, -200, 30], [[1024, -1024, 5]]),
        ([103, -240, 30], [[1000, -1024, 5]]),
        ([-400, -241, 1030], [[2047, -1021, -1000]]),
    ];
    static A6_FRAMES: [([i16; 3], [[i16; 3]; 1]); 3] = [
        ([32767, 0, -32768], [[2047, 0, -2048]]),
        ([-2, 0, 0], [[4094, 0, -4096]]),
        ([32765, 0, -32768], [[6141, 0, -6144]]),
    ];
    for (name, frames, stream) in [("A3", &A3_FRAMES, &A3[..]), ("A6", &A6_FRAMES, &A6[..])] {
        let mut out = [0xFF; 32];
        let frames = frames.each_ref().map(frame);
        let length = encode(&frames, 1, &mut out);
        same!(length, Ok(stream.len()), "{name}");
        bytes(
            format_args!("{name}"),
            out.get(..stream.len()).unwrap_or_default(),
            stream,
        )?;
    }
    Ok(())
}
