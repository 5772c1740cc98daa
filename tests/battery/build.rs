//! Packs the geometry engine's recorded and computed cases for the battery, out of
//! `tests/data/gte` (whose README says where they come from and how they lie there).
//!
//! What a case left in the registers is kept as one CRC-32, so that 2,000 cases take 136 KB. The
//! layouts are those that `src/gte/cases.rs` reads; all words are little-endian.

#[path = "src/gte/registers.rs"]
mod registers;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs};

use overworld_runtime::bytes::Crc32;
use registers::{DERIVED, INPUTS, stored};

/// Groups of four computed cases that the battery runs.
const GROUPS: usize = 500;
/// The same on a microcontroller, whose flash is small.
const FEW_GROUPS: usize = 50;
/// Of so many quotients one is run there.
const FEW_QUOTIENTS: usize = 4;

/// Registers that a computed case lists as results, in its order; all others stay as they were.
const OUTPUTS: [u8; 20] = [
    7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 18, 19, 20, 21, 22, 24, 25, 26, 27, 63,
];

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=src/gte/registers.rs");
    let variable = |name: &str| env::var(name).unwrap_or_default();
    let out = PathBuf::from(variable("OUT_DIR"));
    let small =
        variable("CARGO_CFG_TARGET_OS") == "none" && variable("CARGO_CFG_TARGET_ARCH") == "arm";
    let groups = if small { FEW_GROUPS } else { GROUPS };
    let write = |name: &str, words: Vec<u8>| {
        fs::write(out.join(name), words).unwrap_or_else(|error| panic!("{name}: {error}"));
    };
    write("console.bin", console(&load("hw1150.bin", b"HWG1")));
    write(
        "vectors.bin",
        vectors(&load("vectors.bin", b"GEV1"), groups),
    );
    let step = if small { FEW_QUOTIENTS } else { 1 };
    write(
        "division.bin",
        division(&load("division.bin", b"GED1"), step),
    );
}

/// The words after the header.
fn load(name: &str, magic: &[u8; 4]) -> Vec<u32> {
    let home = env!("CARGO_MANIFEST_DIR");
    let path = Path::new(home).join("../data/gte").join(name);
    println!("cargo:rerun-if-changed={}", path.display());
    let data = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert_eq!(data.get(..4), Some(&magic[..]), "{name}");
    let words = data.chunks_exact(4).skip(4);
    words
        .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
        .collect()
}

fn bytes(words: impl IntoIterator<Item = u32>) -> Vec<u8> {
    words.into_iter().flat_map(u32::to_le_bytes).collect()
}

fn checksum(words: impl IntoIterator<Item = u32>) -> u32 {
    let mut crc = Crc32::new();
    crc.update(&bytes(words));
    crc.finish()
}

/// 100 register files of 64 words: the first 50 are those of the first 22 groups of 50 cases, the
/// others those of the last group. Then for each case the instruction word (`FFFFFFFF` = none) and
/// the CRC-32 of the 64 words that the console read back.
fn console(words: &[u32]) -> Vec<u8> {
    let cases: Vec<&[u32]> = words.chunks_exact(129).collect();
    assert_eq!(cases.len(), 23 * 50);
    let mut out = Vec::new();
    for case in cases[..50].iter().chain(&cases[22 * 50..]) {
        out.extend(&case[1..65]);
    }
    for (n, case) in cases.iter().enumerate() {
        let file = if n < 22 * 50 { n % 50 } else { 50 + n % 50 };
        assert_eq!(
            case[1..65],
            out[64 * file..][..64],
            "register file of case {n}"
        );
    }
    for case in cases {
        let word = if case[0] == u32::MAX {
            u32::MAX
        } else {
            0x4A00_0000 | case[0]
        };
        out.extend([word, checksum(case[65..].iter().copied())]);
    }
    bytes(out)
}

/// Groups of 60 words to write to [`INPUTS`], and four times the instruction word and the CRC-32 of
/// all registers but the [`DERIVED`] ones, in ascending order.
fn vectors(words: &[u32], count: usize) -> Vec<u8> {
    let groups: Vec<&[u32]> = words.chunks_exact(144).collect();
    let mut out = Vec::new();
    for group in choose(&groups, count) {
        let (inputs, cases) = group.split_at(60);
        out.extend(inputs);
        for case in cases.chunks_exact(21) {
            let listed = |register| OUTPUTS.iter().position(|it| *it == register);
            let written = |register| inputs[INPUTS.iter().position(|it| *it == register).unwrap()];
            let left = (0..64)
                .filter(|register| !DERIVED.contains(register))
                .map(|register| match listed(register) {
                    Some(n) => case[1 + n],
                    None => stored(register, written(register)).unwrap(),
                });
            out.extend([case[0], checksum(left)]);
        }
    }
    bytes(out)
}

/// First the groups that show a command with new options or a new bit of FLAG, then, in even
/// steps, as many of the others as are wanted.
fn choose<'a>(groups: &[&'a [u32]], count: usize) -> Vec<&'a [u32]> {
    let shown = |group: &[u32]| -> BTreeSet<(u32, u32)> {
        let case = |case: &[u32]| {
            let word = case[0];
            // MVMVA has sf, mx, v, cv and lm, the others sf and lm.
            let options = if word & 63 == 0x12 {
                0xF_E400
            } else {
                0x8_0400
            };
            let flags = (12..32)
                .filter(|bit| case[20] >> bit & 1 != 0)
                .map(|bit| (u32::MAX, bit));
            flags
                .chain([(word & 63, word & options)])
                .collect::<Vec<_>>()
        };
        group[60..].chunks_exact(21).flat_map(case).collect()
    };
    let (mut seen, mut chosen, mut others) = (BTreeSet::new(), Vec::new(), Vec::new());
    for group in groups {
        let new = shown(group);
        if chosen.len() < count && !new.is_subset(&seen) {
            seen.extend(new);
            chosen.push(*group);
        } else {
            others.push(*group);
        }
    }
    // However small the cut: 22 commands and the 20 bits of FLAG.
    let commands: BTreeSet<u32> = seen.iter().map(|(what, _)| *what).collect();
    assert_eq!(commands.len(), 22 + 1, "commands of the cut");
    assert_eq!(
        seen.range((u32::MAX, 0)..).count(),
        20,
        "bits of FLAG of the cut"
    );
    if count == GROUPS {
        // And here every form of MVMVA, and every command with each sf and lm.
        assert_eq!(seen.len(), 256 + 21 * 4 + 20, "what the cut shows");
    }
    let more = count - chosen.len();
    let step = others.len() / more.max(1);
    chosen.extend(others.iter().step_by(step.max(1)).take(more));
    assert_eq!(chosen.len(), count);
    chosen
}

/// How many quotients there are, then blocks of eight: eight times H, SZ3 and the low half of the quotient, two bytes each;
/// a byte with bit 16 of each quotient, the first in bit 0; a byte with the overflow flags.
fn division(words: &[u32], step: usize) -> Vec<u8> {
    let records: Vec<&[u32]> = words.chunks_exact(3).step_by(step).collect();
    let mut out = bytes([records.len() as u32]);
    for block in records.chunks(8) {
        let (mut high, mut flags) = (0, 0);
        for n in 0..8 {
            // The last block is filled up with its last record.
            let record = block.get(n).unwrap_or(&block[block.len() - 1]);
            let [h, z, result] = [record[0], record[1], record[2]];
            assert!(h >> 16 == 0 && z >> 16 == 0 && result & 0x7FFE_0000 == 0);
            out.extend(
                [h, z, result]
                    .map(|it| (it as u16).to_le_bytes())
                    .as_flattened(),
            );
            high |= (result >> 16 & 1) << n;
            flags |= (result >> 31) << n;
        }
        out.extend([high as u8, flags as u8]);
    }
    out
}
