//! The LZS sheet's vectors, the pitfalls of such codecs, and round trips against an independent
//! decoder that keeps the ring which the library does without.

mod streams;

use overworld_runtime::bytes::crc32;
use overworld_runtime::lzs::{
    Error, Scratch, Section, bound, decode, decode_section, decode_sized, decode_strict, encode,
    encode_literal, pairs, uncounted,
};
use proptest::prelude::*;
use streams::{VECTORS, Vector, hand_made, hex, pack};

/// The sheet's normative decoder, byte by byte with its ring. `Err` is the output length at which
/// the source ended.
fn ring_decode(source: &[u8], want: usize) -> Result<(Vec<u8>, usize), usize> {
    let mut ring = [0u8; 4096];
    let mut w = 0xFEE;
    let mut out = Vec::new();
    let mut at = 0;
    let mut control = 0;
    let mut left = 0;
    while out.len() < want {
        if left == 0 {
            control = *source.get(at).ok_or(out.len())?;
            at += 1;
            left = 8;
        }
        let flag = control & 1;
        control >>= 1;
        left -= 1;
        if flag == 1 {
            let value = *source.get(at).ok_or(out.len())?;
            at += 1;
            out.push(value);
            ring[w] = value;
            w = (w + 1) % 4096;
        } else {
            let b0 = *source.get(at).ok_or(out.len())?;
            let b1 = *source.get(at + 1).ok_or(out.len())?;
            at += 2;
            let base = usize::from(b0) + usize::from(b1 >> 4) * 256;
            for k in 0..usize::from(b1 & 15) + 3 {
                let value = ring[(base + k) % 4096];
                out.push(value);
                ring[w] = value;
                w = (w + 1) % 4096;
                if out.len() == want {
                    break;
                }
            }
        }
    }
    Ok((out, at))
}

/// Decode into a slice inside a larger one, so that a write outside it would be seen.
fn guarded(source: &[u8], want: usize) -> Result<(Vec<u8>, usize), Error> {
    let mut room = vec![0xA5; want + 64];
    let result = decode(source, &mut room[32..32 + want]);
    assert!(room[..32].iter().all(|&b| b == 0xA5), "wrote before");
    assert!(room[32 + want..].iter().all(|&b| b == 0xA5), "wrote after");
    result.map(|consumed| (room[32..32 + want].to_vec(), consumed))
}

#[test]
fn the_sheets_vectors_decode() {
    let good = VECTORS.iter().filter_map(|it| Some((it, it.result.ok()?)));
    let mut count = 0;
    for (vector, (expected, consumed)) in good {
        let Vector { name, source, .. } = vector;
        let expected = Ok((expected.to_vec(), consumed));
        assert_eq!(guarded(source, vector.want), expected, "{name}");
        // The oracle of the property tests below has to pass them too.
        let ring = ring_decode(source, vector.want);
        assert_eq!(ring.ok(), expected.ok(), "{name} (ring)");
        count += 1;
    }
    assert_eq!(count, 14);
}

fn l1() -> Vec<u8> {
    let mut source = Vec::new();
    for group in 0..512 {
        source.push(0xFF);
        source.extend((group * 8..group * 8 + 8).map(|k: u32| (31 * k + 7) as u8));
    }
    source.extend(hex("00 EE FF EF FF 23 10"));
    source
}

#[test]
fn a_full_turn_of_the_ring() {
    let source = l1();
    assert_eq!(source.len(), 4615);
    assert_eq!(crc32(&source), 0x949A_B6E5);
    let (out, consumed) = guarded(&source, 4135).unwrap();
    assert_eq!(consumed, 4615);
    assert_eq!(crc32(&out), 0xD1D1_C1A3);
    let tail = "07 26 45 64 83 A2 C1 E0 FF 1E 3D 5C 7B 9A B9 D8 F7 16 26 45 64 83 A2 C1 E0 FF 1E \
                3D 5C 7B 9A B9 D8 F7 16 26 72 91 B0";
    assert_eq!(out[4096..], hex(tail));
}

#[test]
fn the_sheets_failing_vectors_fail() {
    let bad = VECTORS.iter().filter_map(|it| Some((it, it.result.err()?)));
    let mut count = 0;
    for (vector, error) in bad {
        let found = guarded(vector.source, vector.want);
        assert_eq!(found, Err(error), "{}", vector.name);
        count += 1;
    }
    assert_eq!(count, 5);
}

#[test]
fn hand_made_streams() {
    let cases = hand_made();
    assert_eq!(cases.len(), 9);
    for (name, source, expected, consumed) in cases {
        assert_eq!(
            guarded(&source, expected.len()),
            Ok((expected.clone(), consumed)),
            "{name}"
        );
        // Cut at every byte that is needed, the stream ends early, never wrongly.
        for cut in 0..consumed {
            let error = guarded(&source[..cut], expected.len()).expect_err(name);
            let decoded = ring_decode(&source[..cut], expected.len()).expect_err(name);
            let (Error::TruncatedControl { out, want }
            | Error::TruncatedLiteral { out, want }
            | Error::TruncatedBackref { out, want }) = error
            else {
                panic!("{name} cut at {cut}: {error:?}");
            };
            assert_eq!((out, want), (decoded, expected.len()), "{name} at {cut}");
        }
    }
}

#[test]
fn sizes_around_the_limits_of_a_match_and_of_the_ring() {
    for size in [0, 1, 2, 3, 17, 18, 19, 4077, 4078, 4095, 4096, 4097, 70_000] {
        let patterns: [(&str, Vec<u8>); 5] = [
            ("zeros", vec![0; size]),
            ("fill", vec![0x5A; size]),
            ("period 3", (0..size).map(|k| (k % 3) as u8).collect()),
            (
                "period 4096",
                (0..size)
                    .map(|k| ((k % 4096) * (k % 4096) / 7) as u8)
                    .collect(),
            ),
            (
                "noise",
                (0..size as u32)
                    .map(|k| (k.wrapping_mul(0x9E37_79B1) >> 13) as u8)
                    .collect(),
            ),
        ];
        for (name, input) in patterns {
            let packed = pack(&input);
            assert!(packed.len() <= bound(size), "{name} {size}");
            let mut out = vec![0xEE; size];
            assert_eq!(
                decode_strict(&packed, &mut out),
                Ok(packed.len()),
                "{name} {size}"
            );
            assert_eq!(out, input, "{name} {size}");
            assert_eq!(
                ring_decode(&packed, size),
                Ok((input, packed.len())),
                "{name} {size}"
            );
            for cut in (0..packed.len()).step_by(1 + packed.len() / 300) {
                assert!(
                    guarded(&packed[..cut], size).is_err(),
                    "{name} {size} {cut}"
                );
            }
        }
    }
}

#[test]
fn the_encoder_uses_zero_cells_and_the_farthest_distance() {
    // Zeros before there is any history: one reference, no literal.
    assert_eq!(pack(&[0; 18]).len(), 3);
    // 4096 distinct-enough bytes and their repetition: only distance 4096 reaches the source.
    let block: Vec<u8> = (0..4096u32)
        .map(|k| (k.wrapping_mul(k).wrapping_mul(0x9E37_79B1) >> 19) as u8)
        .collect();
    let once = pack(&block).len();
    let twice = pack(&[&block[..], &block[..]].concat()).len();
    let references = 4096_usize.div_ceil(18);
    assert!(
        twice - once <= references * 2 + references / 8 + 8,
        "{once} {twice}"
    );
}

#[test]
fn the_encoder_looks_one_byte_ahead() {
    // The last eight bytes: greedy takes "abc" and then "defgh", lazy 'a' and then "bcdefgh".
    let input = b"abc.bcdefgh.abcdefgh";
    let greedy = 12 + 2 + 2 + 2; // literals, two references, two control bytes
    let lazy = 12 + 1 + 2 + 2; // literals, 'a', one reference, two control bytes
    assert_eq!(pack(input).len(), lazy);
    assert!(lazy < greedy);
}

#[test]
fn what_the_scratch_held_does_not_matter() {
    let first: Vec<u8> = (0..9000u32).map(|k| (k * k / 11) as u8).collect();
    let second: Vec<u8> = (0..9000u32).map(|k| (k / 5 % 13) as u8).collect();
    let mut used = Scratch::new();
    let mut out = vec![0; bound(9000)];
    encode(&first, &mut out, &mut used).unwrap();
    let written = encode(&second, &mut out, &mut used).unwrap();
    assert_eq!(out[..written], pack(&second));
}

#[test]
fn a_full_output_is_an_error_and_stays_inside() {
    let input = b"no room for all of this";
    let packed = pack(input);
    for room in 0..packed.len() {
        let mut out = vec![0; room];
        assert!(matches!(
            encode(input, &mut out, &mut Scratch::new()),
            Err(Error::OutputTooSmall { want, room: found }) if found == room && want > room
        ));
    }
}

#[test]
fn unused_flags_are_zero() {
    // Nine literals: the second control byte has one flag.
    let mut out = [0; 16];
    let written = encode_literal(b"ABCDEFGHI", &mut out).unwrap();
    assert_eq!(out[..written], hex("FF 41 42 43 44 45 46 47 48 01 49"));
    assert_eq!(written, bound(9));
}

/// The sheet's last row: flags after the last token mean nothing.
#[test]
fn unused_flags_are_accepted() {
    assert_eq!(guarded(&hex("FF 41"), 1), Ok((vec![0x41], 2)));
    assert_eq!(guarded(&hex("FE EE F0"), 3), Ok((vec![0; 3], 3)));
    let mut out = [0];
    assert_eq!(decode_strict(&hex("FF 41"), &mut out), Ok(2));
}

#[test]
fn strict_decoding_refuses_a_split_token() {
    let source = hex("01 41 EE FF");
    let mut out = [0; 19];
    assert_eq!(decode_strict(&source, &mut out), Ok(4));
    assert_eq!(
        decode_strict(&source, &mut out[..5]),
        Err(Error::SizeSplitsToken { over: 14 })
    );
}

#[test]
fn a_short_destination_is_refused_before_decoding() {
    let mut out = [0xA5; 7];
    assert_eq!(
        decode_sized(&hex("FF 41 42 43 44 45 46 47 48"), 8, &mut out),
        Err(Error::OutputTooSmall { want: 8, room: 7 })
    );
    assert_eq!(out, [0xA5; 7]);
}

#[test]
fn sections_of_a_container() {
    // Two sections: "AB" (type 2) at 24, three zeros (type 5) at 28.
    let container = hex(
        "02 00 00 00 00 00 00 00  02 00 00 02 18 00 00 00  03 00 00 05 1C 00 00 00 \
         03 41 42 00  00 EE F0",
    );
    let sections: Vec<_> = pairs(&container).collect();
    let first = Section {
        ty: 2,
        size: 2,
        offset: 24,
        end: 28,
    };
    let second = Section {
        ty: 5,
        size: 3,
        offset: 28,
        end: 31,
    };
    assert_eq!(sections, [Ok(first), Ok(second)]);
    let mut out = [0xA5; 8];
    assert_eq!(decode_section(&container, first, 100, &mut out), Ok(2));
    assert_eq!(out[..3], [0x41, 0x42, 0xA5]);
    assert_eq!(decode_section(&container, second, 100, &mut out), Ok(3));
    assert_eq!(out[..4], [0, 0, 0, 0xA5]);

    assert_eq!(
        decode_section(&container, second, 2, &mut out),
        Err(Error::SizeLimit { size: 3, limit: 2 })
    );
    assert_eq!(
        decode_section(&container, second, 9, &mut out[..2]),
        Err(Error::OutputTooSmall { want: 3, room: 2 })
    );
    let outside = Section {
        offset: 31,
        ..second
    };
    assert_eq!(
        decode_section(&container, outside, 9, &mut out),
        Err(Error::BadOffset { offset: 31 })
    );
    // One byte more than the first section holds: it runs into the second.
    let greedy = Section { size: 5, ..first };
    assert_eq!(
        decode_section(&container, greedy, 9, &mut out),
        Err(Error::SectionOverrun { offset: 24, gap: 4 })
    );

    let mut inside = container.clone();
    inside[12] = 0x17;
    assert_eq!(
        pairs(&inside).next(),
        Some(Err(Error::BadOffset { offset: 0x17 }))
    );
    let mut backwards = container.clone();
    backwards[20] = 0x18;
    assert_eq!(
        pairs(&backwards).nth(1),
        Some(Err(Error::BadOffsetOrder { offset: 0x18 }))
    );
    let mut long = container;
    long[0] = 4;
    assert_eq!(pairs(&long).count(), 0);
    long[3] = 0xFF;
    assert_eq!(pairs(&long).count(), 0);
}

/// The uncounted form: what ends the table (sheet, "Container forms").
#[test]
fn sections_without_a_count() {
    // Two words that count nothing, then three pairs; "AB", three zeros, "C".
    let container = hex(
        "FF 00 00 00 34 12 00 00  02 00 00 02 20 00 00 00  03 00 00 05 24 00 00 00 \
         01 00 00 07 27 00 00 00  03 41 42 00  00 EE F0  01 43",
    );
    let section = |ty, size, offset, end| Section {
        ty,
        size,
        offset,
        end,
    };
    let three = [
        section(2, 2, 32, 36),
        section(5, 3, 36, 39),
        section(7, 1, 39, 41),
    ];
    assert_eq!(uncounted(&container).collect::<Vec<_>>(), three);
    let mut out = [0; 4];
    for (section, expected) in three.into_iter().zip([&b"AB"[..], &[0; 3], b"C"]) {
        let length = decode_section(&container, section, 4, &mut out).unwrap();
        assert_eq!(&out[..length], expected);
    }
    // Size 0, whatever the type; offset 0, past the end, not above its predecessor: the table ends
    // before the pair, and the section before it goes on to the end.
    for (at, change) in [
        (16, &[0, 0, 0, 9][..]),
        (20, &[0]),
        (20, &[41]),
        (20, &[0, 0, 0, 1]),
        (20, &[32]),
        (20, &[31]),
    ] {
        let mut ended = container.clone();
        ended[at..at + change.len()].copy_from_slice(change);
        let found: Vec<_> = uncounted(&ended).collect();
        assert_eq!(found, [section(2, 2, 32, 41)], "{change:02X?} at {at}");
    }
    // The first section begins where the table of two pairs ends.
    let mut early = container.clone();
    early[12] = 24;
    let found: Vec<_> = uncounted(&early).collect();
    assert_eq!(found, [section(2, 2, 24, 36), section(5, 3, 36, 41)]);
    // No pair fits before the first section, or there is none.
    for first in [0, 8, 15, 41, 0xFF] {
        let mut none = container.clone();
        none[12] = first;
        assert_eq!(uncounted(&none).count(), 0, "{first}");
    }
    for len in 0..16 {
        assert_eq!(uncounted(&container[..len]).count(), 0, "{len}");
    }
}

/// Bytes with repetitions, runs and zeros in them.
fn texture() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..40),
        (any::<u8>(), 0usize..60).prop_map(|(value, len)| vec![value; len]),
        (0usize..5000).prop_map(|len| vec![0; len]),
        (prop::collection::vec(any::<u8>(), 1..9), 0usize..40)
            .prop_map(|(unit, times)| unit.repeat(times)),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn round_trip(input in texture()) {
        let packed = pack(&input);
        prop_assert!(packed.len() <= bound(input.len()));
        let mut out = vec![0xEE; input.len()];
        prop_assert_eq!(decode_strict(&packed, &mut out), Ok(packed.len()));
        prop_assert_eq!(&out, &input);
        prop_assert_eq!(ring_decode(&packed, input.len()), Ok((input, packed.len())));
    }

    #[test]
    fn far_repetitions_round_trip(unit in prop::collection::vec(any::<u8>(), 4000..4200)) {
        let input = unit.repeat(3);
        let packed = pack(&input);
        prop_assert_eq!(ring_decode(&packed, input.len()), Ok((input, packed.len())));
    }

    #[test]
    fn any_bytes_decode_as_the_ring_decoder_does(
        source in prop::collection::vec(any::<u8>(), 0..700),
        want in 0usize..6000,
    ) {
        match (guarded(&source, want), ring_decode(&source, want)) {
            (Ok(ours), Ok(oracle)) => prop_assert_eq!(ours, oracle),
            (
                Err(Error::TruncatedControl { out, .. }
                    | Error::TruncatedLiteral { out, .. }
                    | Error::TruncatedBackref { out, .. }),
                Err(oracle),
            ) => prop_assert_eq!(out, oracle),
            other => prop_assert!(false, "{other:?}"),
        }
    }

    #[test]
    fn mostly_references_decode_as_the_ring_decoder_does(
        tokens in prop::collection::vec((0u8..8, any::<[u8; 2]>()), 0..900),
    ) {
        let mut source = Vec::new();
        for group in tokens.chunks(8) {
            let control = group.iter().rev().fold(0, |c, t| c << 1 | u8::from(t.0 == 0));
            source.push(control);
            for &(kind, bytes) in group {
                source.extend(&bytes[..if kind == 0 { 1 } else { 2 }]);
            }
        }
        // As much as the stream holds, then one byte more.
        let most = ring_decode(&source, usize::MAX).unwrap_err();
        prop_assert_eq!(guarded(&source, most).ok(), ring_decode(&source, most).ok());
        prop_assert!(guarded(&source, most + 1).is_err());
    }
}
