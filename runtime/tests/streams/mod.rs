//! Streams that the tests of all decoders share.

use overworld_runtime::lzs::{Error, Scratch, bound, encode, encode_literal};

/// Bytes written in hexadecimal.
pub fn hex(text: &str) -> Vec<u8> {
    text.split_whitespace()
        .map(|byte| u8::from_str_radix(byte, 16).unwrap())
        .collect()
}

/// As the encoder does it when nothing else is said.
pub fn pack(input: &[u8]) -> Vec<u8> {
    let mut out = vec![0; bound(input.len())];
    let written = encode(input, &mut out, &mut Scratch::new()).unwrap();
    out.truncate(written);
    out
}

/// One of the sheet's vectors.
pub struct Vector {
    pub name: &'static str,
    pub source: &'static [u8],
    pub want: usize,
    /// Output and bytes read, or why not.
    pub result: Result<(&'static [u8], usize), Error>,
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

/// V1 to V14 and E1 to E5; the battery runs the same table.
pub static VECTORS: [Vector; 19] = include!("../../../tests/battery/tables/lzs.rs");

/// Name, stream, output and bytes read of a stream made by hand.
pub type HandMade = (&'static str, Vec<u8>, Vec<u8>, usize);

/// Nine streams made by hand around the places where such decoders went wrong.
pub fn hand_made() -> [HandMade; 9] {
    let literals: Vec<u8> = (0..4096u32).map(|k| (k * 5 + 3) as u8).collect();
    let mut turn = vec![0; bound(4096)];
    encode_literal(&literals, &mut turn).unwrap();
    let with = |tail: &str| [turn.clone(), hex(tail)].concat();
    let then = |tail: &[u8]| [&literals[..], tail].concat();
    [
        // The output ends in the middle of a match.
        ("cut match", hex("03 61 62 EE FF"), b"ababababa".to_vec(), 5),
        // Nothing wanted, something there.
        ("zero length", hex("FF 01 02"), vec![], 0),
        // A control byte is the last byte, and not needed.
        (
            "control at end",
            hex("FF 00 01 02 03 04 05 06 07 FF"),
            (0..8).collect(),
            9,
        ),
        // Not yet written: the cell under the cursor and those after it are zero. The literals lie
        // at FEE..FF0, the reference reads FF5..FFF.
        (
            "unwritten window",
            hex("07 11 22 33 F5 F8"),
            hex("11 22 33 00 00 00 00 00 00 00 00 00 00 00"),
            6,
        ),
        // The source begins before the output and runs into it: base FEC, two zeros, then data.
        (
            "straddling the start",
            hex("03 0A 0B EC F7"),
            hex("0A 0B 00 00 0A 0B 00 00 0A 0B 00 00"),
            5,
        ),
        // Distance 1: a fill of the longest length, twice.
        (
            "distance 1",
            hex("01 7E EE FF 00 00"),
            [0x7E; 22].to_vec(),
            6,
        ),
        // Distance 4096 in a full ring: base is the write position, the oldest byte comes back.
        (
            "distance 4096",
            with("00 EE FF"),
            then(&literals[..18]),
            4611,
        ),
        // Distance 4096 in an empty ring: zeros.
        ("distance 4096, empty", hex("00 EE FF"), vec![0; 18], 3),
        // The source crosses the end of the ring: base FFD reads FFD, FFE, FFF, 000, 001, which
        // hold output bytes 15..20.
        (
            "source wraps",
            with("00 FD F2"),
            then(&literals[15..20]),
            4611,
        ),
    ]
}
