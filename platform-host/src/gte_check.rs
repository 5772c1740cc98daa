//! The software GTE against files of recorded or computed cases, told apart by their magic.
//!
//! The layouts are those of `tests/data/gte/README.md`: `HWG1`, `GEV1`, `GER1` and `GED1`.

use std::fmt;

use overworld_runtime::gte::division::divide;
use overworld_runtime::gte::{Registers, software::Gte};

/// The most differences that are described.
const DESCRIBED: usize = 10;

/// What a file's cases came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Cases in the file.
    pub cases: u32,
    /// Cases that came out differently.
    pub differ: u32,
    /// The first of them.
    pub examples: Vec<String>,
}

/// Why a file is none of the four.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The first four bytes are none of the magics.
    BadMagic {
        /// What is there.
        found: Vec<u8>,
    },
    /// A word of the header is not what the layout says.
    BadHeader {
        /// Byte offset of the word.
        offset: usize,
        /// What it should be.
        expected: u32,
        /// What it is.
        found: u32,
    },
    /// The length is not that of the header's count.
    BadLength {
        /// What it should be.
        expected: u64,
        /// What it is.
        found: u64,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadMagic { found } => write!(
                f,
                "BadMagic at offset 0x0: expected HWG1, GEV1, GER1 or GED1, found \"{}\"",
                found.escape_ascii()
            ),
            Self::BadHeader {
                offset,
                expected,
                found,
            } => write!(
                f,
                "BadHeader at offset {offset:#x}: expected {expected}, found {found}"
            ),
            Self::BadLength { expected, found } => write!(
                f,
                "BadLength at offset {:#x}: expected {expected} bytes by the header's count, found \
                 {found}",
                expected.min(found)
            ),
        }
    }
}

impl std::error::Error for Error {}

/// Registers that `GEV1` writes, in its order.
const INPUTS: [std::ops::RangeInclusive<u8>; 4] = [0..=14, 16..=27, 30..=30, 32..=63];

/// Registers that `GEV1` lists as results, in its order.
const OUTPUTS: [u8; 20] = [
    7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 18, 19, 20, 21, 22, 24, 25, 26, 27, 63,
];

/// Takes the result of each case: nothing, or what differs.
type Tell<'a> = dyn FnMut(Result<(), String>) + 'a;

/// A layout: what its header says, words of a record, cases of a record, and how to run one.
struct Shape {
    /// The third word of the header.
    third: u32,
    words: usize,
    cases: u32,
    run: fn(&[u32], &mut Tell<'_>),
}

/// Run all cases of a file.
///
/// # Errors
/// See [`Error`].
pub fn check(data: &[u8]) -> Result<Outcome, Error> {
    let magic = data.get(..4).unwrap_or(data);
    let shape = match magic {
        b"HWG1" => Shape {
            third: 129,
            words: 129,
            cases: 1,
            run: recorded,
        },
        b"GEV1" => Shape {
            third: 4,
            words: 144,
            cases: 4,
            run: computed,
        },
        b"GER1" => Shape {
            third: 8,
            words: 80,
            cases: 1,
            run: transfers,
        },
        b"GED1" => Shape {
            third: 3,
            words: 3,
            cases: 1,
            run: quotient,
        },
        _ => {
            return Err(Error::BadMagic {
                found: magic.to_vec(),
            });
        }
    };
    let words: Vec<u32> = data
        .chunks_exact(4)
        .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
        .collect();
    let [_, count, third, zero] = *words.first_chunk().ok_or(Error::BadLength {
        expected: 16,
        found: data.len() as u64,
    })?;
    for (offset, expected, found) in [(8, shape.third, third), (12, 0, zero)] {
        if expected != found {
            return Err(Error::BadHeader {
                offset,
                expected,
                found,
            });
        }
    }
    let expected = 16 + u64::from(count) * shape.words as u64 * 4;
    if data.len() as u64 != expected {
        return Err(Error::BadLength {
            expected,
            found: data.len() as u64,
        });
    }
    let mut outcome = Outcome::default();
    let records = words.get(4..).unwrap_or_default();
    for (number, record) in records.chunks_exact(shape.words).enumerate() {
        (shape.run)(record, &mut |result| {
            outcome.cases += 1;
            if let Err(text) = result {
                outcome.differ += 1;
                if outcome.examples.len() < DESCRIBED {
                    let at = 16 + number * shape.words * 4;
                    outcome
                        .examples
                        .push(format!("record {number} at offset {at:#x}: {text}"));
                }
            }
        });
    }
    debug_assert_eq!(outcome.cases, count * shape.cases);
    Ok(outcome)
}

/// The first register that does not hold what it should.
fn compare(gte: &mut Gte, expected: impl Iterator<Item = (u8, u32)>) -> Result<(), String> {
    for (register, expected) in expected {
        let found = gte.read(register);
        if found != expected {
            return Err(format!(
                "expected {expected:08X} in register {register}, found {found:08X}"
            ));
        }
    }
    Ok(())
}

/// Prefix a difference with the command.
fn after(command: u32, result: Result<(), String>) -> Result<(), String> {
    result.map_err(|text| format!("command {command:08X}: {text}"))
}

fn recorded(record: &[u32], report: &mut Tell<'_>) {
    let (Some(&command), Some(input), Some(output)) =
        (record.first(), record.get(1..65), record.get(65..))
    else {
        return;
    };
    let mut gte = Gte::new();
    for (register, &value) in (0..).zip(input) {
        gte.write(register, value);
    }
    if command != u32::MAX {
        gte.command(0x4A00_0000 | command);
    }
    report(after(
        command,
        compare(&mut gte, (0..).zip(output.iter().copied())),
    ));
}

fn computed(record: &[u32], report: &mut Tell<'_>) {
    let Some((input, cases)) = record.split_at_checked(60) else {
        return;
    };
    let mut start = Gte::new();
    for (register, &value) in INPUTS.into_iter().flatten().zip(input) {
        start.write(register, value);
    }
    for case in cases.chunks_exact(21) {
        let Some((&command, results)) = case.split_first() else {
            return;
        };
        let mut gte = start.clone();
        gte.command(command);
        let listed = OUTPUTS.into_iter().zip(results.iter().copied());
        // What is not listed stays as it was, but for the mirrors 15, 28 and 29.
        let others = (0..64).filter(|it| !OUTPUTS.contains(it) && ![15, 28, 29].contains(it));
        let others: Vec<_> = others.map(|it| (it, start.read(it))).collect();
        let mirror = [(15, gte.read(14))];
        let all = listed.chain(others).chain(mirror);
        report(after(command, compare(&mut gte, all)));
    }
}

fn transfers(record: &[u32], report: &mut Tell<'_>) {
    let Some((writes, values)) = record.split_at_checked(16) else {
        return;
    };
    let mut gte = Gte::new();
    for register in 0..64 {
        gte.write(register, 0);
    }
    for write in writes.chunks_exact(2) {
        gte.write(write[0] as u8 & 63, write[1]);
    }
    report(compare(&mut gte, (0..).zip(values.iter().copied())));
}

fn quotient(record: &[u32], report: &mut Tell<'_>) {
    let &[h, z, expected] = record else { return };
    let (quotient, overflow) = divide(h as u16, z as u16);
    let found = quotient | u32::from(overflow) << 31;
    report(if found == expected {
        Ok(())
    } else {
        Err(format!(
            "{h:X} / {z:X}: expected {expected:08X}, found {found:08X}"
        ))
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str) -> Vec<u8> {
        let path = format!("{}/../tests/data/gte/{name}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    #[test]
    fn every_result_of_every_layout_is_compared() {
        // One bit of the last result of the last record.
        for (name, cases) in [
            ("hw1150.bin", 1150),
            ("regio.bin", 1500),
            ("division.bin", 9309),
        ] {
            let mut data = file(name);
            let good = check(&data).unwrap();
            assert_eq!((good.cases, good.differ), (cases, 0), "{name}");
            let at = data.len() - 4;
            data[at] ^= 1;
            let bad = check(&data).unwrap();
            assert_eq!((bad.cases, bad.differ), (cases, 1), "{name}");
            let last = format!("record {} at offset", cases - 1);
            assert!(bad.examples[0].starts_with(&last), "{:?}", bad.examples);
        }
    }

    #[test]
    fn what_is_no_case_file_is_refused() {
        assert!(matches!(check(b""), Err(Error::BadMagic { .. })));
        assert!(matches!(check(b"RIFF"), Err(Error::BadMagic { .. })));
        assert!(matches!(check(b"GED1"), Err(Error::BadLength { .. })));
        let mut data = file("division.bin");
        data.pop();
        assert!(matches!(check(&data), Err(Error::BadLength { .. })));
        let mut data = file("division.bin");
        data[8] = 4;
        assert_eq!(
            check(&data),
            Err(Error::BadHeader {
                offset: 8,
                expected: 3,
                found: 4
            })
        );
        // A count that no file could hold.
        let mut data = b"GEV1\xFF\xFF\xFF\xFF".to_vec();
        data.extend([4, 0, 0, 0, 0, 0, 0, 0]);
        assert!(matches!(check(&data), Err(Error::BadLength { .. })));
    }
}
