//! The vectors of the LZS sheet.

use core::marker::PhantomData;

use overworld_runtime::bytes::crc32;
use overworld_runtime::lzs::{self, Error, Scratch, bound, decode, encode};

use crate::check::{Check, List, bytes, reason, same, same_hex};

/// A stream, and what it decodes to.
pub(crate) struct Vector {
    pub(crate) name: &'static str,
    source: &'static [u8],
    want: usize,
    /// The bytes and how many were read, or why not.
    result: Result<(&'static [u8], usize), Error>,
}

impl Vector {
    pub(crate) fn check(&self) -> Check {
        let mut room = [0xA5_u8; 32];
        let (out, behind) = room
            .split_at_mut_checked(self.want)
            .ok_or_else(|| reason(format_args!("the test has too little room")))?;
        let found = decode(self.source, out);
        same!(found, self.result.map(|(_, consumed)| consumed), "result");
        if let Ok((expected, _)) = self.result {
            bytes(format_args!("output"), out, expected)?;
        }
        for (at, byte) in behind.iter().enumerate() {
            same_hex!(*byte, 0xA5, "byte {at} behind the output");
        }
        // Cut anywhere, the stream must give an error.
        if let Ok((_, consumed)) = self.result {
            for len in 0..consumed {
                let cut = self.source.get(..len).unwrap_or_default();
                let cut_short = decode(cut, out);
                if cut_short.is_ok() {
                    return Err(reason(format_args!(
                        "cut to {len} bytes: expected an error, found {cut_short:?}"
                    )));
                }
            }
        }
        Ok(())
    }
}

const fn good(
    name: &'static str,
    source: &'static [u8],
    out: &'static [u8],
    consumed: usize,
) -> Vector {
    Vector {
        name,
        source,
        want: out.len(),
        result: Ok((out, consumed)),
    }
}

const fn bad(name: &'static str, source: &'static [u8], want: usize, error: Error) -> Vector {
    Vector {
        name,
        source,
        want,
        result: Err(error),
    }
}

const EIGHT: [u8; 9] = [0xFF, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48];

#[rustfmt::skip]
pub(crate) static VECTORS: [Vector; 19] = [
    good("lzs/V1", &EIGHT, b"ABCDEFGH", 9),
    good("lzs/V2", &[0x00, 0xEE, 0xF0], &[0; 3], 3),
    good("lzs/V3", &[0x01, 0x41, 0xEE, 0xFF], &[0x41; 19], 4),
    good("lzs/V4", &[0x07, 0x41, 0x42, 0x43, 0xEE, 0xF6], b"ABCABCABCABC", 6),
    good("lzs/V5", &[0x01, 0x58, 0xED, 0xF1], &[0x58, 0, 0x58, 0, 0x58], 4),
    good(
        "lzs/V6",
        &[
            0xFF, 1, 2, 3, 4, 5, 6, 7, 8, 0xFF, 9, 10, 11, 12, 13, 14, 15, 16,
            0x03, 0x11, 0x12, 0xFE, 0xF1,
        ],
        &[
            1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18,
            0x11, 0x12, 0x11, 0x12,
        ],
        23,
    ),
    good("lzs/V7", &[0x01, 0xAA, 0xF0, 0xF2], &[0xAA, 0, 0, 0, 0, 0], 4),
    good("lzs/V8", &[0x01, 0x41, 0xEE, 0xFF], &[0x41; 5], 4),
    good("lzs/V9", &[0xFF, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0xDE, 0xAD], b"ABCDEFGH", 9),
    good("lzs/V10", &[0x00, 0xEE, 0xFF, 0xFF, 0xF0], &[0; 20], 5),
    good("lzs/V11", &[0xFF, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x01, 0x49], b"ABCDEFGHI", 11),
    good("lzs/V12", &[], &[], 0),
    good("lzs/V13", &[0x0B, 0x50, 0x51, 0xEE, 0xF1, 0x52, 0xF0, 0xF0], b"PQPQPQRPQP", 8),
    good("lzs/V14", &[0x00, 0x23, 0xA0], &[0; 3], 3),
    bad("lzs/E1", &[], 16, Error::TruncatedControl { out: 0, want: 16 }),
    bad("lzs/E2", &[0x00, 0xEE], 8, Error::TruncatedBackref { out: 0, want: 8 }),
    bad("lzs/E3", &[0x01], 4, Error::TruncatedLiteral { out: 0, want: 4 }),
    bad("lzs/E4", &EIGHT, 10, Error::TruncatedControl { out: 8, want: 10 }),
    bad("lzs/E5", &[0xFF, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x00, 0x41], 9, Error::TruncatedBackref { out: 8, want: 9 }),
];

pub(crate) struct Tests<G>(PhantomData<G>);

impl<G: 'static> Tests<G> {
    pub(crate) const ALL: List<G> = &[
        ("lzs/L1", ring_turn),
        ("lzs/encode", encode_and_back),
        ("lzs/encode-room", encode_without_room),
    ];
}

/// Literal number `k` of L1.
const fn literal(k: usize) -> u8 {
    (31 * k + 7) as u8
}

/// L1: a full turn of the ring, then distances 4096, 17 and 3823.
fn ring_turn<G>(_: &mut G) -> Check {
    const LAST: [u8; 39] = [
        0x07, 0x26, 0x45, 0x64, 0x83, 0xA2, 0xC1, 0xE0, 0xFF, 0x1E, 0x3D, 0x5C, 0x7B, 0x9A, 0xB9,
        0xD8, 0xF7, 0x16, 0x26, 0x45, 0x64, 0x83, 0xA2, 0xC1, 0xE0, 0xFF, 0x1E, 0x3D, 0x5C, 0x7B,
        0x9A, 0xB9, 0xD8, 0xF7, 0x16, 0x26, 0x72, 0x91, 0xB0,
    ];
    let mut source = [0; 4615];
    for (group, nine) in source.chunks_exact_mut(9).take(512).enumerate() {
        if let Some((control, literals)) = nine.split_first_mut() {
            *control = 0xFF;
            for (k, byte) in literals.iter_mut().enumerate() {
                *byte = literal(8 * group + k);
            }
        }
    }
    if let Some(end) = source.last_chunk_mut::<7>() {
        *end = [0x00, 0xEE, 0xFF, 0xEF, 0xFF, 0x23, 0x10];
    }
    same_hex!(crc32(&source), 0x949A_B6E5, "crc32 of the stream");
    let mut out = [0; 4135];
    same!(decode(&source, &mut out), Ok(4615), "result");
    bytes(
        format_args!("the last 39"),
        out.last_chunk::<39>().map_or(&[], |last| &last[..]),
        &LAST,
    )?;
    same_hex!(crc32(&out), 0xD1D1_C1A3, "crc32 of the output");
    Ok(())
}

/// Whatever the encoder makes, the decoder undoes: sizes around the limits of a group and of a
/// match, content from a run to noise.
fn encode_and_back<G>(_: &mut G) -> Check {
    const SIZES: [usize; 8] = [0, 1, 2, 3, 17, 18, 19, 700];
    let mut scratch = Scratch::new();
    let (mut input, mut packed, mut back) = ([0; 700], [0; 800], [0; 700]);
    for kind in 0..4u8 {
        let mut noise = 0x1234_5678_u32;
        for (at, byte) in input.iter_mut().enumerate() {
            noise ^= noise << 13;
            noise ^= noise >> 17;
            noise ^= noise << 5;
            *byte = match kind {
                0 => 0,
                1 => 0x77,
                2 => (at % 21) as u8,
                _ => noise as u8,
            };
        }
        for size in SIZES {
            let from = input.get(..size).unwrap_or_default();
            let packed_len = encode(from, &mut packed, &mut scratch)
                .map_err(|error| reason(format_args!("kind {kind} size {size}: {error}")))?;
            if packed_len > bound(size) {
                return Err(reason(format_args!(
                    "kind {kind} size {size}: {packed_len} bytes, bound {}",
                    bound(size)
                )));
            }
            if kind < 3 && size == 700 && packed_len > 200 {
                return Err(reason(format_args!(
                    "kind {kind}: 700 regular bytes became {packed_len}"
                )));
            }
            let to = back.get_mut(..size).unwrap_or_default();
            let stream = packed.get(..packed_len).unwrap_or_default();
            let read = lzs::decode_strict(stream, to);
            same!(read, Ok(packed_len), "kind {kind} size {size}");
            bytes(format_args!("kind {kind} size {size}"), to, from)?;
        }
    }
    Ok(())
}

/// Too little room is an error that names what is needed.
fn encode_without_room<G>(_: &mut G) -> Check {
    let mut scratch = Scratch::new();
    let mut out = [0; 4];
    let found = encode(b"no pattern", &mut out, &mut scratch);
    match found {
        Err(Error::OutputTooSmall { room: 4, want }) if want > 4 => Ok(()),
        other => Err(reason(format_args!(
            "expected OutputTooSmall with room 4, found {other:?}"
        ))),
    }
}
