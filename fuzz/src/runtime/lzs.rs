//! LZS streams: decoders against each other and against a ring, encoders against the decoders.

use overworld_runtime::lzs::{
    self, Decoder, Error, MIN_MATCH, Parse, Progress, RING, START, Scratch, Step, Window,
    WindowDecoder,
};

use super::{Choices, take_u8, take_u16};

/// What a decode comes to: bytes used, or the error.
type Outcome = Result<usize, Error>;

/// The decoder as the sheet describes it, with its ring; also the bytes of the last token past the
/// end.
fn ring(source: &[u8], want: usize) -> (Vec<u8>, Outcome, usize) {
    let mut cells = [0_u8; RING];
    let mut at = START;
    let mut out: Vec<u8> = Vec::new();
    let mut bytes = source.iter().copied();
    let mut over = 0;
    while out.len() < want {
        let Some(control) = bytes.next() else {
            let out_len = out.len();
            return (out, Err(Error::TruncatedControl { out: out_len, want }), 0);
        };
        for bit in 0..8 {
            if out.len() == want {
                break;
            }
            if control >> bit & 1 == 1 {
                let Some(byte) = bytes.next() else {
                    let out_len = out.len();
                    return (out, Err(Error::TruncatedLiteral { out: out_len, want }), 0);
                };
                out.push(byte);
                cells[at] = byte;
                at = (at + 1) % RING;
            } else {
                let (Some(low), Some(high)) = (bytes.next(), bytes.next()) else {
                    let out_len = out.len();
                    return (out, Err(Error::TruncatedBackref { out: out_len, want }), 0);
                };
                let from = usize::from(low) | usize::from(high & 0xF0) << 4;
                for k in 0..usize::from(high & 0x0F) + MIN_MATCH {
                    if out.len() == want {
                        over += 1;
                        continue;
                    }
                    let byte = cells[(from + k) % RING];
                    out.push(byte);
                    cells[at] = byte;
                    at = (at + 1) % RING;
                }
            }
        }
    }
    (out, Ok(source.len() - bytes.len()), over)
}

/// Feed the streaming decoder, whose output stays, in pieces.
fn kept(source: &[u8], want: usize, choices: &mut Choices) -> (Vec<u8>, Outcome, usize) {
    let mut out = vec![0xA5; want];
    let mut decoder = Decoder::new(want);
    let mut used = 0;
    let mut room = 0;
    let mut idle = 0;
    while !decoder.is_done() {
        // Mostly short pieces, now and then all there is.
        let most = [1, 2, 7, 40, usize::MAX][choices.below(5)];
        let piece = source.len() - used;
        let piece = &source[used..used + piece.min(choices.below(most).saturating_add(1))];
        room = (room + choices.below(40)).clamp(decoder.written(), want);
        let before = decoder.written();
        let progress = decoder.push(piece, &mut out[..room]).expect("room grows");
        steps(&progress, piece, room - before);
        assert_eq!(decoder.written(), before + progress.produced);
        assert_eq!(progress.done, decoder.is_done());
        used += progress.consumed;
        if progress.consumed == 0 && progress.produced == 0 && room == want {
            idle += 1;
            if used == source.len() || idle > 64 {
                break;
            }
        } else {
            idle = 0;
        }
    }
    let outcome = decoder.finish().map(|()| used);
    let over = match decoder.finish_strict() {
        Err(Error::SizeSplitsToken { over }) => over,
        _ => 0,
    };
    if decoder.is_done() {
        let more = decoder.push(source, &mut out).expect("room is the same");
        assert_eq!((more.consumed, more.produced), (0, 0), "done is done");
    }
    out.truncate(decoder.written());
    (out, outcome, over)
}

/// Feed the streaming decoder, whose output is taken away, in pieces.
fn taken(source: &[u8], want: usize, choices: &mut Choices) -> (Vec<u8>, Outcome) {
    let mut window = Window::new();
    // A window that was used before must not matter.
    let _ = WindowDecoder::new(64, &mut window).push(&[0xFF; 72], &mut [0; 64]);
    let mut decoder = WindowDecoder::new(want, &mut window);
    let mut out = Vec::new();
    let mut used = 0;
    let mut buffer = [0_u8; 6000];
    loop {
        let most = [1, 3, 20, 5000][choices.below(4)];
        let input = &source[used..];
        let input = &input[..input.len().min(choices.below(most) + 1)];
        let most = [1, 5, 100, 6000][choices.below(4)];
        let room = choices.below(most) + 1;
        buffer[..room].fill(0x5A);
        let progress = decoder.push(input, &mut buffer[..room]);
        steps(&progress, input, room.min(want - out.len()));
        out.extend_from_slice(&buffer[..progress.produced]);
        assert_eq!(decoder.written(), out.len());
        used += progress.consumed;
        if progress.done || (progress.produced == 0 && used == source.len()) {
            break;
        }
    }
    (out, decoder.finish().map(|()| used))
}

/// What holds for each call of a streaming decoder.
fn steps(progress: &Progress, input: &[u8], room: usize) {
    assert!(progress.consumed <= input.len());
    assert!(progress.produced <= room);
    if progress.consumed < input.len() {
        assert_eq!(
            progress.produced, room,
            "input is left only for want of room"
        );
    }
}

/// `[u16 wanted size, of which 14 bits count][u8 seed of the pieces]`, then a stream.
///
/// The whole-slice decoder, both streaming decoders and the ring give the same bytes, use the same
/// input and fail alike; nothing outside of the wanted size is written; the size estimates hold.
pub fn decode(data: &[u8]) -> bool {
    let (want, rest) = take_u16(data);
    let (seed, source) = take_u8(rest);
    let want = usize::from(want & 0x3FFF);
    let (expected, outcome, over) = ring(source, want);

    let mut out = vec![0xC3; want + 8];
    let found = lzs::decode_sized(source, want, &mut out);
    assert_eq!(found, outcome);
    assert_eq!(
        out[want..],
        [0xC3; 8],
        "bytes behind the output are left alone"
    );
    assert_eq!(lzs::measure(source, want), outcome);
    if outcome.is_ok() {
        assert_eq!(out[..want], expected);
        assert!(lzs::most(source.len()) >= want);
    }
    let strict = lzs::decode_strict(source, &mut out[..want]);
    match over {
        0 => assert_eq!(strict, outcome),
        over => assert_eq!(strict, Err(Error::SizeSplitsToken { over })),
    }
    let room = want.saturating_sub(1);
    if want > 0 {
        let small = lzs::decode_sized(source, want, &mut out[..room]);
        assert_eq!(small, Err(Error::OutputTooSmall { want, room }));
    }
    // The most that a stream holds is more than a lie can ask for: refused without work.
    let lie = lzs::most(source.len()) + 1;
    assert!(lzs::measure(source, lie).is_err());

    let mut choices = Choices::new(seed.into());
    let (bytes, streamed, split) = kept(source, want, &mut choices);
    assert_eq!(
        bytes, expected,
        "the streaming decoder keeps the same bytes"
    );
    assert_eq!((streamed, split), (outcome, over));
    let (bytes, streamed) = taken(source, want, &mut choices);
    assert_eq!(bytes, expected, "the window decoder gives the same bytes");
    assert_eq!(streamed, outcome);
    outcome.is_ok()
}

/// Any bytes, to be packed.
///
/// Every parse gives a stream within the bound that unpacks to the input and ends on a token;
/// optimal is never longer than the others; what the scratch held does not matter; a slice that is a
/// byte too short is refused.
pub fn encode(data: &[u8]) -> bool {
    let data = &data[..data.len().min(1 << 16)];
    let bound = lzs::bound(data.len());
    let mut scratch = Scratch::new();
    let mut steps = vec![Step::NEW; data.len()];
    let mut out = vec![0; bound];
    let mut back = vec![0; data.len()];
    let mut sizes = [0; 3];
    for (parse, size) in sizes.iter_mut().enumerate() {
        let mut run = |out: &mut [u8]| {
            let parse = match parse {
                0 => Parse::Greedy,
                1 => Parse::Lazy,
                _ => Parse::Optimal(&mut steps),
            };
            lzs::encode_with(parse, data, out, &mut scratch)
        };
        *size = run(&mut out).expect("the bound is enough");
        assert!(*size <= bound);
        assert!(lzs::most(*size) >= data.len());
        back.fill(0x5A);
        assert_eq!(lzs::decode_strict(&out[..*size], &mut back), Ok(*size));
        assert_eq!(back, data);
        let first = out[..*size].to_vec();
        assert_eq!(run(&mut out), Ok(*size), "a used scratch changes nothing");
        assert_eq!(out[..*size], first);
        if let Some(room) = size.checked_sub(1) {
            let short = run(&mut out[..room]);
            assert!(matches!(short, Err(Error::OutputTooSmall { .. })));
        }
    }
    let [greedy, lazy, optimal] = sizes;
    assert!(optimal <= greedy.min(lazy), "{optimal}, {greedy}, {lazy}");
    assert_eq!(lzs::encode(data, &mut out, &mut scratch), Ok(lazy));
    assert_eq!(lzs::encode_literal(data, &mut out), Ok(bound));
    assert_eq!(lzs::decode_strict(&out, &mut back), Ok(bound));
    assert_eq!(back, data);
    if let Some(room) = data.len().checked_sub(1) {
        let few = Parse::Optimal(&mut steps[..room]);
        let want = data.len();
        let refused = lzs::encode_with(few, data, &mut out, &mut scratch);
        assert_eq!(refused, Err(Error::ScratchTooSmall { want, room }));
    }
    true
}

/// The sections of a container that does not count them: they follow each other, to the end, behind a
/// table that ends before the first; where the counted form is good too, both agree.
fn uncounted(data: &[u8]) {
    let sections: Vec<_> = lzs::uncounted(data).collect();
    let table = 8 + 8 * sections.len();
    let mut last = None;
    for section in &sections {
        assert!(section.size > 0 && section.size < 1 << 24);
        assert!(section.offset as usize >= table && section.offset < section.end);
        assert!(last.is_none_or(|end| end == section.offset), "no gap");
        last = Some(section.end);
    }
    assert!(last.is_none_or(|end| end as usize == data.len()));
    let counted: Result<Vec<_>, _> = lzs::pairs(data).collect();
    if let Ok(counted) = counted
        && counted.len() == sections.len()
    {
        assert_eq!(counted, sections);
    }
}

/// A container whose header counts its pairs, or does not.
///
/// Sections lie inside behind the table and ascend; one that decodes uses no byte of the next, and
/// one that is refused leaves the rest of the output alone.
pub fn section(data: &[u8]) -> bool {
    const LIMIT: u32 = 1 << 16;
    uncounted(data);
    let mut good = 0_usize;
    let mut last = None;
    let mut out = vec![0; LIMIT as usize + 1];
    for (index, section) in lzs::pairs(data).enumerate() {
        assert!(8 + 8 * (index + 1) <= data.len(), "pairs are inside");
        let Ok(section) = section else {
            last = None;
            continue;
        };
        assert!((8..data.len()).contains(&(section.offset as usize)));
        assert!(section.offset <= section.end && section.end as usize <= data.len());
        assert!(last.is_none_or(|last| last < section.offset));
        last = Some(section.offset);
        // Many pairs may name the same bytes: bound the work of the test itself.
        if index >= 16 {
            continue;
        }
        let size = section.size as usize;
        match lzs::decode_section(data, section, LIMIT, &mut out) {
            Ok(written) => {
                assert_eq!(written, size);
                let gap = &data[section.offset as usize..section.end as usize];
                let expected = out[..size].to_vec();
                assert!(
                    lzs::decode(gap, &mut out[..size]).is_ok(),
                    "the gap is enough"
                );
                assert_eq!(out[..size], expected);
                good += 1;
            }
            Err(Error::SizeLimit { size, limit }) => {
                assert_eq!((size, limit), (section.size, LIMIT));
                assert!(size > limit);
            }
            Err(Error::SectionOverrun { offset, gap }) => {
                let end = offset as usize + gap;
                assert_eq!((offset, end), (section.offset, section.end as usize));
                assert!(lzs::measure(&data[offset as usize..end], size).is_err());
            }
            Err(_) => assert!(lzs::measure(&data[section.offset as usize..], size).is_err()),
        }
    }
    good > 0
}
