//! The streaming decoders: wherever input and output are cut, they do what the whole-slice
//! decoder does; and they work while a drive reads on.

mod streams;

use overworld_runtime::lzs::{
    Decoder, Error, Parse, Progress, Scratch, Step, Window, WindowDecoder, bound, decode,
    decode_strict, encode_literal, encode_with, measure, most,
};
use overworld_runtime::platform::{Drive, SECTOR, Sector};
use proptest::prelude::*;
use streams::{VECTORS, Vector, hand_made, hex, pack};

fn whole(source: &[u8], want: usize) -> Result<(Vec<u8>, usize), Error> {
    let mut out = vec![0xA5; want];
    decode(source, &mut out).map(|consumed| (out, consumed))
}

/// Sizes of pieces, taken round and round.
struct Cuts<'a> {
    sizes: &'a [usize],
    next: usize,
}

impl Cuts<'_> {
    fn next(&mut self) -> usize {
        let size = self.sizes[self.next % self.sizes.len()];
        self.next += 1;
        size
    }
}

/// Decode in place: input and output grow by the sizes given. Guard bytes lie behind the output.
fn in_place(
    source: &[u8],
    want: usize,
    inputs: &[usize],
    outputs: &[usize],
) -> Result<(Vec<u8>, usize), Error> {
    let mut room = vec![0xA5; want + 64];
    let mut decoder = Decoder::new(want);
    let (mut inputs, mut outputs) = (
        Cuts {
            sizes: inputs,
            next: 0,
        },
        Cuts {
            sizes: outputs,
            next: 0,
        },
    );
    let (mut at, mut end, mut open) = (0, 0, 0);
    loop {
        end = (end + inputs.next()).min(source.len());
        open = (open + outputs.next()).min(want + 64);
        let before = decoder.written();
        let progress = decoder.push(&source[at..end], &mut room[..open])?;
        at += progress.consumed;
        assert_eq!(decoder.written(), before + progress.produced);
        assert_eq!(progress.done, decoder.written() == want);
        assert_eq!(progress.done, decoder.is_done());
        // Input is left over only if the output is full.
        assert!(at == end || decoder.written() == open.min(want), "lazy");
        // The next bytes are beyond the room, or beyond the wanted size.
        let guard = room[open.min(want)..].iter().take(64);
        assert!(guard.copied().all(|byte| byte == 0xA5), "outside");
        if progress.done || at == source.len() && open >= want {
            decoder.finish()?;
            room.truncate(want);
            return Ok((room, at));
        }
    }
}

/// Decode in pieces that are taken away.
fn in_pieces(
    source: &[u8],
    want: usize,
    inputs: &[usize],
    outputs: &[usize],
) -> Result<(Vec<u8>, usize), Error> {
    let mut window = Window::new();
    // Rubbish of an earlier use.
    let mut rubbish = WindowDecoder::new(300, &mut window);
    rubbish.push(
        &[0xFF, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0xEE, 0xFF],
        &mut [0; 300],
    );
    let mut decoder = WindowDecoder::new(want, &mut window);
    let (mut inputs, mut outputs) = (
        Cuts {
            sizes: inputs,
            next: 0,
        },
        Cuts {
            sizes: outputs,
            next: 0,
        },
    );
    let mut out = Vec::new();
    let (mut at, mut end) = (0, 0);
    loop {
        end = (end + inputs.next()).min(source.len());
        let size = outputs.next();
        let mut piece = vec![0xA5; size + 8];
        let progress = decoder.push(&source[at..end], &mut piece[..size]);
        assert!(piece[progress.produced..].iter().all(|&b| b == 0xA5));
        out.extend(&piece[..progress.produced]);
        at += progress.consumed;
        assert_eq!(decoder.written(), out.len());
        assert_eq!(progress.done, out.len() == want);
        if progress.done || at == source.len() && progress.produced < size {
            decoder.finish()?;
            return Ok((out, at));
        }
    }
}

/// Both streaming forms do what the whole-slice form does.
fn same_as_whole(source: &[u8], want: usize, inputs: &[usize], outputs: &[usize]) {
    let expected = whole(source, want);
    assert_eq!(
        in_place(source, want, inputs, outputs),
        expected,
        "in place {inputs:?} {outputs:?}"
    );
    assert_eq!(
        in_pieces(source, want, inputs, outputs),
        expected,
        "in pieces {inputs:?} {outputs:?}"
    );
    assert_eq!(
        measure(source, want),
        expected.map(|(_, consumed)| consumed)
    );
}

#[test]
fn the_sheets_vectors_at_every_cut() {
    for &Vector { want, source, .. } in &VECTORS {
        for input in 1..=source.len().max(1) {
            for output in 1..=want.max(1) {
                same_as_whole(source, want, &[input], &[output]);
                // The second piece is the rest.
                same_as_whole(source, want, &[input, 100], &[output, 100]);
                same_as_whole(source, want, &[0, input], &[output, 0, 0]);
            }
        }
    }
}

#[test]
fn failing_vectors_name_the_place() {
    let bad = VECTORS.iter().filter_map(|it| Some((it, it.result.err()?)));
    let mut count = 0;
    for (vector, error) in bad {
        for cut in 0..12 {
            let mut out = vec![0; vector.want];
            let mut decoder = Decoder::new(vector.want);
            let (a, b) = vector.source.split_at(cut.min(vector.source.len()));
            decoder.push(a, &mut out).unwrap();
            decoder.push(b, &mut out).unwrap();
            assert_eq!(decoder.finish(), Err(error), "{} {cut}", vector.name);
        }
        count += 1;
    }
    assert_eq!(count, 5);
}

/// The nine hand-made streams of the pitfall list, cut at every byte, in both forms.
#[test]
fn hand_made_streams_at_every_cut() {
    for (name, source, expected, consumed) in hand_made() {
        let want = expected.len();
        // Two pieces of input at every cut near the tokens that matter.
        let cuts = (0..=consumed).filter(|&cut| cut < 12 || cut + 12 > consumed);
        for cut in cuts {
            for open in [0, 1, want / 2, want.saturating_sub(3), want] {
                let (first, second) = ([cut, source.len()], [open, want + 9]);
                let result = Ok((expected.clone(), consumed));
                assert_eq!(
                    in_place(&source, want, &first, &second),
                    result,
                    "{name} {cut}"
                );
                assert_eq!(
                    in_pieces(&source, want, &first, &second),
                    result,
                    "{name} {cut}"
                );
            }
            // What is missing is missing, however it comes.
            if cut < consumed {
                let error = whole(&source[..cut], want).expect_err(name);
                for size in [1, 7, 5000] {
                    let pieces = in_place(&source[..cut], want, &[size], &[want]);
                    assert_eq!(pieces, Err(error), "{name} {cut}");
                    let pieces = in_pieces(&source[..cut], want, &[size], &[4096]);
                    assert_eq!(pieces, Err(error), "{name} {cut}");
                }
            }
        }
    }
}

#[test]
fn sizes_around_the_limits_of_match_ring_and_window() {
    for size in [0, 1, 17, 18, 19, 4095, 4096, 4097, 8191, 8192, 8193, 12_300] {
        let period = |period: usize| (0..size).map(|k| (k % period * 7) as u8).collect();
        let inputs: [Vec<u8>; 4] = [
            vec![0; size],
            period(3),
            period(251),
            (0..size as u32)
                .map(|k| (k.wrapping_mul(0x9E37_79B1) >> 13) as u8)
                .collect(),
        ];
        for input in inputs {
            let source = pack(&input);
            for (inputs, outputs) in [
                (&[2048][..], &[2048][..]),
                (&[1], &[30_000]),
                (&[30_000], &[1]),
                (&[30_000], &[4096]),
                (&[19, 2], &[4097, 17, 18]),
            ] {
                assert_eq!(whole(&source, size), Ok((input.clone(), source.len())));
                // Byte by byte is slow; beyond the ring and the window it need not be all of it.
                if size > 9000 && (inputs[0] == 1 || outputs[0] == 1) {
                    continue;
                }
                same_as_whole(&source, size, inputs, outputs);
            }
        }
    }
}

#[test]
fn a_destination_that_shrinks_is_refused() {
    let mut out = [0; 8];
    let mut decoder = Decoder::new(8);
    decoder.push(&[0xFF, 1, 2, 3], &mut out).unwrap();
    assert_eq!(
        decoder.push(&[4], &mut out[..2]),
        Err(Error::OutputTooSmall { want: 3, room: 2 })
    );
    // Nothing is lost.
    let progress = decoder.push(&[4, 5, 6, 7, 8], &mut out).unwrap();
    assert_eq!(
        progress,
        Progress {
            consumed: 5,
            produced: 5,
            done: true
        }
    );
    assert_eq!(out, [1, 2, 3, 4, 5, 6, 7, 8]);
}

#[test]
fn what_lies_behind_the_wanted_size_is_left_alone() {
    let mut out = [0xA5; 64];
    let mut decoder = Decoder::new(5);
    let progress = decoder.push(&hex("01 41 EE FF 99 99"), &mut out).unwrap();
    assert_eq!((progress.consumed, progress.done), (4, true));
    assert_eq!(out[..5], [0x41; 5]);
    assert_eq!(out[5..], [0xA5; 59]);
    assert_eq!(decoder.finish(), Ok(()));
    assert_eq!(
        decoder.finish_strict(),
        Err(Error::SizeSplitsToken { over: 14 })
    );
    // When all is done, nothing more is consumed.
    let more = decoder.push(&[1, 2, 3], &mut out).unwrap();
    assert_eq!((more.consumed, more.produced, more.done), (0, 0, true));
}

/// The most that `len` bytes can decode to, by trying: the best of ending a group here or going
/// on with either kind of token.
fn most_by_search(len: usize) -> usize {
    // best[bytes][tokens left in the group]
    let mut best = vec![[0usize; 9]; len + 1];
    for bytes in 1..=len {
        for left in 0..9 {
            best[bytes][left] = if left == 0 {
                best[bytes - 1][8]
            } else {
                let literal = 1 + best[bytes - 1][left - 1];
                let reference = bytes
                    .checked_sub(2)
                    .map_or(0, |rest| 18 + best[rest][left - 1]);
                literal.max(reference)
            };
        }
    }
    best[len][0]
}

#[test]
fn a_size_beyond_the_inputs_reach_costs_nothing() {
    for len in 0..200 {
        assert_eq!(most(len), most_by_search(len), "{len}");
        // All matches of the longest kind; a last single byte is a literal.
        let mut source = vec![0xFF; len];
        for group in source.chunks_mut(17) {
            let odd = group.len() % 2 == 0;
            let tokens = group.len().saturating_sub(1) / 2;
            group[0] = if odd { 1 << tokens } else { 0 };
        }
        let mut out = vec![0; most(len)];
        assert!(decode(&source, &mut out).is_ok(), "{len}");
        // One more is refused, with the error of the decoder, and nothing is written.
        let mut out = vec![0xA5; most(len) + 1];
        let error = decode(&source, &mut out).expect_err("too much");
        assert_eq!(measure(&source, most(len) + 1), Err(error));
        assert!(out.iter().all(|&byte| byte == 0xA5));
    }
    // A declared size of everything there is: no memory, and at once. 64 zeros are three groups of
    // eight matches of three bytes, then six more matches.
    let source = [0x00; 64];
    let want = usize::MAX;
    assert_eq!(
        measure(&source, want),
        Err(Error::TruncatedBackref { out: 90, want })
    );
    let mut decoder = Decoder::new(want);
    let mut little = [0; 16];
    let progress = decoder.push(&source, &mut little).unwrap();
    assert_eq!((progress.produced, progress.done), (16, false));
    let mut window = Window::new();
    let mut decoder = WindowDecoder::new(want, &mut window);
    let progress = decoder.push(&source, &mut little);
    assert_eq!((progress.produced, progress.done), (16, false));
}

#[test]
fn parses_never_lose_to_simpler_ones() {
    let texts: [Vec<u8>; 5] = [
        b"abc.bcdefgh.abcdefgh".repeat(9),
        vec![0; 5000],
        (0..9000u32).map(|k| (k * k / 11) as u8).collect(),
        (0..9000u32).map(|k| (k / 5 % 13) as u8).collect(),
        noise(6000).map(|value| b'a' + value % 3).collect(),
    ];
    for (n, input) in texts.iter().enumerate() {
        let [greedy, lazy, optimal] = parses(input);
        assert!(
            optimal <= greedy && optimal <= lazy,
            "{n}: {greedy} {lazy} {optimal}"
        );
        assert!(greedy <= bound(input.len()) && lazy <= bound(input.len()));
        // Three letters at random: matches everywhere, and a choice between them.
        assert!(
            n < 4 || optimal < greedy.min(lazy),
            "{greedy} {lazy} {optimal}"
        );
    }
}

fn noise(len: usize) -> impl Iterator<Item = u8> {
    let mut state = 0x2545_F491_u32;
    (0..len).map(move |_| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        (state >> 9) as u8
    })
}

/// On random strings of a small alphabet no stream is shorter: the reference tries every token at
/// every place.
#[test]
fn the_optimal_parse_is_optimal() {
    /// Cheapest stream for `input[i..]` when `phase` tokens are in the open group, by trying
    /// every token that is right.
    fn cheapest(input: &[u8], i: usize, phase: usize, memo: &mut [Vec<Option<usize>>]) -> usize {
        if i == input.len() {
            return 0;
        }
        if let Some(known) = memo[i][phase] {
            return known;
        }
        let open = usize::from(phase == 0);
        let next = (phase + 1) % 8;
        let mut best = 1 + open + cheapest(input, i + 1, next, memo);
        for distance in 1..=i + 18 {
            let cell = |k: usize| (i + k).checked_sub(distance).map_or(0, |from| input[from]);
            let len = (0..18.min(input.len() - i))
                .take_while(|&k| cell(k) == input[i + k])
                .count();
            for len in 3..=len {
                best = best.min(2 + open + cheapest(input, i + len, next, memo));
            }
        }
        memo[i][phase] = Some(best);
        best
    }
    let mut values = noise(100_000);
    for round in 0..300 {
        let letters = 2 + round % 3;
        let input: Vec<u8> = values
            .by_ref()
            .take(40 + round % 40)
            .map(|value| b'a' + value % letters as u8)
            .collect();
        let mut memo = vec![vec![None; 8]; input.len()];
        let least = cheapest(&input, 0, 0, &mut memo);
        let [_, _, optimal] = parses(&input);
        assert_eq!(optimal, least, "{}", String::from_utf8_lossy(&input));
    }
}

#[test]
fn the_optimal_parse_needs_a_step_for_each_byte() {
    let mut steps = [Step::NEW; 7];
    let mut out = [0; 32];
    assert_eq!(
        encode_with(
            Parse::Optimal(&mut steps),
            b"12345678",
            &mut out,
            &mut Scratch::new()
        ),
        Err(Error::ScratchTooSmall { want: 8, room: 7 })
    );
}

/// Lengths of the streams of the three parses, each of which is decoded again.
fn parses(input: &[u8]) -> [usize; 3] {
    let mut scratch = Scratch::new();
    let mut steps = vec![Step::NEW; input.len()];
    let mut out = vec![0; bound(input.len())];
    let mut back = vec![0; input.len()];
    ["greedy", "lazy", "optimal"].map(|name| {
        let parse = match name {
            "greedy" => Parse::Greedy,
            "lazy" => Parse::Lazy,
            _ => Parse::Optimal(&mut steps),
        };
        let len = encode_with(parse, input, &mut out, &mut scratch).unwrap();
        back.fill(0xA5);
        assert_eq!(decode_strict(&out[..len], &mut back), Ok(len), "{name}");
        assert!(back == input, "{name}");
        len
    })
}

/// A drive on a clock: a sector is ready every [`PERIOD`], whether or not anybody waits, and is
/// lost when the next one comes.
struct Clocked<'a> {
    data: &'a [u8],
    now: u64,
    /// When the run began; the sector delivered next.
    started: u64,
    next: u64,
}

/// Time to read a sector; what comes between two calls may take less, or a sector is lost.
const PERIOD: u64 = 1000;

impl Drive for Clocked<'_> {
    type Error = &'static str;

    fn start(&mut self, lba: u32, _: u32) -> Result<(), Self::Error> {
        (self.started, self.next) = (self.now, u64::from(lba));
        Ok(())
    }

    fn sector(&mut self, out: &mut Sector) -> Result<(), Self::Error> {
        let ready = self.started + (self.next + 1) * PERIOD;
        if self.now >= ready + PERIOD {
            return Err("the sector was overwritten by the next one");
        }
        self.now = self.now.max(ready);
        let at = self.next as usize * SECTOR;
        let data = self.data.get(at..at + SECTOR).ok_or("behind the end")?;
        out.copy_from_slice(data);
        self.next += 1;
        Ok(())
    }

    fn stop(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// How a loader uses it: one sector of staging, and each is decoded while the drive reads on.
fn load<D: Drive>(
    drive: &mut D,
    sectors: u32,
    out: &mut [u8],
    mut work: impl FnMut(&mut D, Progress),
) -> Result<usize, D::Error> {
    let mut staging: Sector = [0; SECTOR];
    let mut decoder = Decoder::new(out.len());
    let mut consumed = 0;
    drive.start(0, sectors)?;
    for _ in 0..sectors {
        drive.sector(&mut staging)?;
        let progress = decoder.push(&staging, out).expect("the same output");
        consumed += progress.consumed;
        work(drive, progress);
        if progress.done {
            break;
        }
    }
    drive.stop()?;
    decoder.finish().expect("a whole stream");
    Ok(consumed)
}

#[test]
fn decoding_hides_behind_the_transfer() {
    let text: Vec<u8> = (0..40_000u32)
        .map(|k| ((k / 3).wrapping_mul(k / 3) >> 4) as u8)
        .collect();
    let stream = pack(&text);
    let sectors = stream.len().div_ceil(SECTOR);
    assert!(sectors >= 4);
    let mut image = stream.clone();
    image.resize(sectors * SECTOR, 0x77);
    let mut drive = Clocked {
        data: &image,
        now: 0,
        started: 0,
        next: 0,
    };
    let mut out = vec![0; text.len()];
    // Decoding a sector takes nine tenths of its transfer.
    let consumed = load(&mut drive, sectors as u32, &mut out, |drive, progress| {
        assert!(progress.produced > 0);
        drive.now += PERIOD * 9 / 10;
    });
    assert_eq!(consumed, Ok(stream.len()));
    assert_eq!(out, text);
    // Only the last sector's decoding comes on top of the transfer.
    assert_eq!(drive.now, sectors as u64 * PERIOD + PERIOD * 9 / 10);
}

#[test]
fn decoding_that_is_too_slow_for_the_drive_is_seen() {
    let noise: Vec<u8> = (0..9000u32).map(|k| ((k * k) >> 5) as u8).collect();
    let mut image = vec![0; bound(noise.len())];
    encode_literal(&noise, &mut image).unwrap();
    image.resize(image.len().next_multiple_of(SECTOR), 0);
    let mut drive = Clocked {
        data: &image,
        now: 0,
        started: 0,
        next: 0,
    };
    let sectors = (image.len() / SECTOR) as u32;
    let result = load(&mut drive, sectors, &mut [0; 9000], |drive, _| {
        drive.now += PERIOD * 3;
    });
    assert_eq!(result, Err("the sector was overwritten by the next one"));
}

/// Bytes with repetitions, runs and zeros in them.
fn texture() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..40),
        (any::<u8>(), 0usize..60).prop_map(|(value, len)| vec![value; len]),
        (0usize..5000).prop_map(|len| vec![0; len]),
        (prop::collection::vec(any::<u8>(), 1..30), 0usize..300)
            .prop_map(|(unit, times)| unit.repeat(times)),
        prop::collection::vec(0u8..3, 0..400),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

/// A few sizes of pieces of which at least one is not zero.
fn cuts() -> impl Strategy<Value = Vec<usize>> {
    let size = prop_oneof![0usize..4, 0usize..40, 0usize..5000];
    (prop::collection::vec(size, 0..6), 1usize..3000).prop_map(|(mut sizes, last)| {
        sizes.push(last);
        sizes
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn streams_decode_alike_however_they_are_cut(
        input in texture(),
        inputs in cuts(),
        outputs in cuts(),
    ) {
        let source = pack(&input);
        same_as_whole(&source, input.len(), &inputs, &outputs);
    }

    #[test]
    fn any_bytes_decode_alike_however_they_are_cut(
        source in prop::collection::vec(any::<u8>(), 0..900),
        want in 0usize..9000,
        inputs in cuts(),
        outputs in cuts(),
    ) {
        same_as_whole(&source, want, &inputs, &outputs);
    }

    #[test]
    fn no_parse_is_longer_than_the_bound_and_optimal_is_shortest(input in texture()) {
        let [greedy, lazy, optimal] = parses(&input);
        prop_assert!(greedy <= bound(input.len()));
        prop_assert!(lazy <= bound(input.len()));
        prop_assert!(optimal <= greedy.min(lazy), "{} {} {}", greedy, lazy, optimal);
    }
}
