//! The vectors of the LZS sheet.

use core::marker::PhantomData;

use overworld_runtime::bytes::crc32;
use overworld_runtime::lzs::{
    self, Decoder, Error, Parse, Scratch, Section, Step, Window, WindowDecoder, bound, decode,
    encode, encode_with,
};

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
        // In two pieces, wherever the cut is, the streaming decoder does the same.
        for cut in 0..=self.source.len() {
            self.in_two_pieces(cut)?;
        }
        Ok(())
    }

    /// Input and output stop at `cut` and go on.
    fn in_two_pieces(&self, cut: usize) -> Check {
        let mut room = [0xA5_u8; 32];
        let out = room.get_mut(..self.want).unwrap_or_default();
        let mut decoder = Decoder::new(self.want);
        let mut consumed = 0;
        for (end, open) in [(cut, cut.min(self.want)), (self.source.len(), self.want)] {
            let input = self.source.get(consumed..end).unwrap_or_default();
            let output = out.get_mut(..open).unwrap_or_default();
            let progress = decoder
                .push(input, output)
                .map_err(|error| reason(format_args!("cut at {cut}: {error}")))?;
            consumed += progress.consumed;
        }
        let found = decoder.finish().map(|()| consumed);
        same!(
            found,
            self.result.map(|(_, consumed)| consumed),
            "cut at {cut}"
        );
        if let Ok((expected, _)) = self.result {
            bytes(format_args!("output, cut at {cut}"), out, expected)?;
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

pub(crate) static VECTORS: [Vector; 19] = include!("../tables/lzs.rs");

pub(crate) struct Tests<G>(PhantomData<G>);

impl<G: 'static> Tests<G> {
    pub(crate) const ALL: List<G> = &[
        ("lzs/L1", ring_turn),
        ("lzs/random", random),
        ("lzs/window", window),
        ("lzs/encode", encode_and_back),
        ("lzs/encode-parses", parses),
        ("lzs/encode-room", encode_without_room),
        ("lzs/lenience", lenience),
        ("lzs/sections", sections),
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

/// Streams of random tokens, near and far: whole, cut in two, and through the sheet's ring.
fn random<G>(_: &mut G) -> Check {
    let mut noise = 0x2545_F491_u32;
    let mut below = |limit: u32| {
        noise ^= noise << 13;
        noise ^= noise >> 17;
        noise ^= noise << 5;
        (noise >> 8) % limit
    };
    let (mut source, mut out, mut again) = ([0; 300], [0; 1500], [0; 1500]);
    for round in 0..24_u32 {
        // In a random control byte half of the tokens are literals; thin them out in turn.
        for group in source.chunks_mut(13) {
            for byte in group.iter_mut() {
                *byte = below(256) as u8;
            }
            if let (Some(control), 1) = (group.first_mut(), round % 2) {
                *control &= below(256) as u8;
            }
        }
        let want = 1 + below(1500) as usize;
        let place = out.get_mut(..want).unwrap_or_default();
        let whole = decode(&source, place);
        let mut ring = [0_u8; lzs::RING];
        let mut w = lzs::START;
        let mut written = 0;
        let mut at = 0;
        let byte = |at: usize| source.get(at).copied();
        // The sheet's normative decoder; what it writes must be what stands in `out`.
        let mut flags = 1_u32;
        let consumed = 'stream: loop {
            if written == want {
                break Some(at);
            }
            if flags == 1 {
                let Some(control) = byte(at) else { break None };
                flags = u32::from(control) | 0x100;
                at += 1;
            }
            let literal = flags & 1 != 0;
            flags >>= 1;
            let (base, len, used) = match (literal, byte(at), byte(at + 1)) {
                (true, Some(_), _) => (0, 1, 1),
                (false, Some(low), Some(high)) => {
                    let base = usize::from(low) | usize::from(high & 0xF0) << 4;
                    (base, usize::from(high & 0x0F) + 3, 2)
                }
                _ => break None,
            };
            for k in 0..len {
                let value = match literal {
                    true => byte(at),
                    false => ring.get((base + k) % lzs::RING).copied(),
                };
                let value = value.unwrap_or(0);
                if let Some(cell) = ring.get_mut(w) {
                    *cell = value;
                }
                w = (w + 1) % lzs::RING;
                if whole.is_ok() {
                    let found = place.get(written).copied().unwrap_or(0);
                    same_hex!(found, value, "round {round}: byte {written}");
                }
                written += 1;
                if written == want {
                    break 'stream Some(at + used);
                }
            }
            at += used;
        };
        same!(whole.ok(), consumed, "round {round}: consumed");
        let cut = below(300) as usize;
        let (first, second) = source.split_at_checked(cut).unwrap_or_default();
        let mut decoder = Decoder::new(want);
        for piece in [first, second] {
            _ = decoder.push(piece, &mut again);
        }
        same!(
            decoder.finish().err(),
            whole.err(),
            "round {round}: cut at {cut}"
        );
        if whole.is_ok() {
            let found = again.get(..want).unwrap_or_default();
            bytes(format_args!("round {round}: cut at {cut}"), found, place)?;
        }
    }
    Ok(())
}

/// The streaming form with its output taken away: two turns of the window in small pieces.
fn window<G>(_: &mut G) -> Check {
    // Literals 1..=8, then matches of 18 bytes at distance 8.
    const WANT: usize = 9000;
    let mut cells = Window::new();
    let mut decoder = WindowDecoder::new(WANT, &mut cells);
    let mut piece = [0; 50];
    let mut written = 0_usize;
    let mut matches = 0_usize;
    let mut token;
    let mut input = [0xFF, 1, 2, 3, 4, 5, 6, 7, 8].as_slice();
    while !decoder.is_done() {
        let progress = decoder.push(input, &mut piece);
        for value in piece.iter().take(progress.produced) {
            same!(*value, (written % 8 + 1) as u8, "byte {written}");
            written += 1;
        }
        input = input.get(progress.consumed..).unwrap_or_default();
        if input.is_empty() && progress.produced < piece.len() {
            // The next match; every eighth has its control byte before it.
            let base = (lzs::START + decoder.written() - 8) % lzs::RING;
            token = [0, base as u8, (base >> 4 & 0xF0) as u8 | 0x0F];
            let control = usize::from(!matches.is_multiple_of(8));
            input = token.get(control..).unwrap_or_default();
            matches += 1;
        }
    }
    same!(written, WANT, "bytes");
    Ok(())
}

/// Every parse is undone by the decoder; the optimal one is never the longest.
fn parses<G>(_: &mut G) -> Check {
    let mut scratch = Scratch::new();
    let mut steps = [Step::NEW; 96];
    let (mut input, mut packed, mut back) = ([0; 96], [0; bound(96)], [0; 96]);
    let mut noise = 0x1234_5678_u32;
    for byte in &mut input {
        noise ^= noise << 13;
        noise ^= noise >> 17;
        noise ^= noise << 5;
        *byte = b'a' + (noise >> 9 & 1) as u8;
    }
    let mut lens = [0; 3];
    for (kind, place) in lens.iter_mut().enumerate() {
        let parse = match kind {
            0 => Parse::Greedy,
            1 => Parse::Lazy,
            _ => Parse::Optimal(&mut steps),
        };
        let len = encode_with(parse, &input, &mut packed, &mut scratch)
            .map_err(|error| reason(format_args!("parse {kind}: {error}")))?;
        let stream = packed.get(..len).unwrap_or_default();
        back.fill(0);
        same!(
            lzs::decode_strict(stream, &mut back),
            Ok(len),
            "parse {kind}"
        );
        bytes(format_args!("parse {kind}"), &back, &input)?;
        *place = len;
    }
    let [greedy, lazy, optimal] = lens;
    if optimal > greedy || optimal > lazy || greedy > 50 {
        return Err(reason(format_args!(
            "greedy {greedy}, lazy {lazy}, optimal {optimal}"
        )));
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

/// What is accepted and what only a check for encoders refuses.
fn lenience<G>(_: &mut G) -> Check {
    // Flags of tokens that the size does not want.
    let mut out = [0; 1];
    same!(decode(&[0xFF, 0x41], &mut out), Ok(2), "unused flags");
    same!(out, [0x41], "its byte");
    // V8: the size cuts the copy.
    let stream = [0x01, 0x41, 0xEE, 0xFF];
    let mut out = [0; 19];
    same!(lzs::decode_strict(&stream, &mut out), Ok(4), "whole");
    let five = out.get_mut(..5).unwrap_or_default();
    same!(decode(&stream, five), Ok(4), "cut");
    let split = Err(Error::SizeSplitsToken { over: 14 });
    same!(lzs::decode_strict(&stream, five), split, "cut, strictly");
    let small = Err(Error::OutputTooSmall { want: 6, room: 5 });
    same!(lzs::decode_sized(&stream, 6, five), small, "no room");
    Ok(())
}

/// A container of two sections, with and without a count, and what is refused.
fn sections<G>(_: &mut G) -> Check {
    const CONTAINER: [u8; 31] = [
        2, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 2, 24, 0, 0, 0, 3, 0, 0, 5, 28, 0, 0, 0, //
        0x03, 0x41, 0x42, 0x00, 0x00, 0xEE, 0xF0,
    ];
    let section = |ty, size, offset, end| Section {
        ty,
        size,
        offset,
        end,
    };
    let both = [section(2, 2, 24, 28), section(5, 3, 28, 31)];
    same!(lzs::pairs(&CONTAINER).eq(both.map(Ok)), true, "counted");
    same!(lzs::uncounted(&CONTAINER).eq(both), true, "uncounted");
    let [first, second] = both;
    let mut out = [0xA5; 8];
    for (section, limit, result) in [
        (first, 2, Ok(2)),
        (second, 3, Ok(3)),
        (second, 2, Err(Error::SizeLimit { size: 3, limit: 2 })),
        (
            section(5, 9, 28, 31),
            9,
            Err(Error::OutputTooSmall { want: 9, room: 8 }),
        ),
        (
            section(5, 3, 31, 31),
            9,
            Err(Error::BadOffset { offset: 31 }),
        ),
        // It runs into the second.
        (
            section(2, 5, 24, 28),
            9,
            Err(Error::SectionOverrun { offset: 24, gap: 4 }),
        ),
    ] {
        let found = lzs::decode_section(&CONTAINER, section, limit, &mut out);
        same!(found, result, "{section:?}");
    }
    for (at, value, error) in [
        (12, 23, Error::BadOffset { offset: 23 }),
        (12, 31, Error::BadOffset { offset: 31 }),
        (20, 24, Error::BadOffsetOrder { offset: 24 }),
    ] {
        let mut data = CONTAINER;
        if let Some(byte) = data.get_mut(at) {
            *byte = value;
        }
        let found = lzs::pairs(&data).find_map(Result::err);
        same!(found, Some(error), "offset {value} at {at}");
    }
    Ok(())
}
