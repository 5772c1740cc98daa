//! Recorded and computed cases, all of them run and the differences counted. The build script packs
//! them out of `tests/data/gte`, and describes the layouts.

use overworld_runtime::bytes::{Crc32, u16_at, u32_at};
use overworld_runtime::gte::Registers;
use overworld_runtime::gte::software::Gte as Software;

use super::registers::{DERIVED, INPUTS};
use super::zero;
use crate::check::{Check, Count, Told, reason, same_hex, words};

/// Names of the console's groups of fifty.
pub(crate) static CONSOLE: [&str; 23] = [
    "gte/console-rtps",
    "gte/console-nclip",
    "gte/console-op",
    "gte/console-dpcs",
    "gte/console-intpl",
    "gte/console-mvmva",
    "gte/console-ncds",
    "gte/console-cdp",
    "gte/console-ncdt",
    "gte/console-nccs",
    "gte/console-cc",
    "gte/console-ncs",
    "gte/console-nct",
    "gte/console-sqr",
    "gte/console-dcpl",
    "gte/console-dpct",
    "gte/console-avsz3",
    "gte/console-avsz4",
    "gte/console-rtpt",
    "gte/console-gpf",
    "gte/console-gpl",
    "gte/console-ncct",
    "gte/console-registers",
];

/// Names of the pieces of [`COMPUTED`].
pub(crate) static VECTORS: [&str; 5] = [
    "gte/vectors-1",
    "gte/vectors-2",
    "gte/vectors-3",
    "gte/vectors-4",
    "gte/vectors-5",
];

/// What a console read back in 1,150 cases.
static LOG: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/console.bin"));
const FILES: usize = 100;
const NO_COMMAND: u32 = 0xFFFF_FFFF;

/// Cases on which three models agree: 2,000 of them, 200 on a microcontroller.
static COMPUTED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/vectors.bin"));
/// Words of a group: what is written, then four times a command and a check sum.
const GROUP: usize = INPUTS.len() + 4 * 2;
const GROUPS: usize = COMPUTED.len() / (4 * GROUP);
const _: () = assert!(GROUPS * GROUP * 4 == COMPUTED.len() && GROUPS.is_multiple_of(VECTORS.len()));

/// Quotients that use every entry of the reciprocal table: 9,309 of them, a quarter on a
/// microcontroller. How many there are stands in front.
static DIVISION: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/division.bin"));
static QUOTIENTS: &[u8] = DIVISION.split_at(4).1;
/// Bytes of a block of eight.
const BLOCK: usize = 8 * 6 + 2;
const RECORDS: u32 = match DIVISION.first_chunk() {
    Some(count) => u32::from_le_bytes(*count),
    None => 0,
};
const _: () = assert!(QUOTIENTS.len() == BLOCK * (RECORDS as usize).div_ceil(8));

/// One word of a data file; none is too short, or its test would not compile.
fn word(data: &[u8], index: usize) -> u32 {
    u32_at(data, 4 * index).unwrap_or(0xBAD0_DA7A)
}

fn checksum(values: &[u32]) -> u32 {
    let mut crc = Crc32::new();
    for value in values {
        crc.update(&value.to_le_bytes());
    }
    crc.finish()
}

/// All registers; those of the `left_out` count as 0.
fn read_all<G: Registers>(gte: &mut G, left_out: &[u8]) -> [u32; 64] {
    let mut values = [0; 64];
    for (value, register) in values.iter_mut().zip(0..) {
        if !left_out.contains(&register) {
            *value = gte.read(register);
        }
    }
    values
}

/// Compare what a case left, `found`, with its check sum. The data hold no registers: if what the
/// software model leaves has the check sum, it tells which register is wrong.
fn judge(
    found: &[u32],
    model: impl FnOnce() -> [u32; 64],
    sum: impl Fn(&[u32]) -> u32,
    case: Case,
) -> Check {
    let Case {
        number,
        command,
        expected,
    } = case;
    if sum(found) == expected {
        return Ok(());
    }
    let model = model();
    if sum(&model) == expected {
        words(format_args!("case {number}, {command:08X}"), found, &model)?;
    }
    same_hex!(
        sum(found),
        expected,
        "case {number}, {command:08X}: crc32 of the registers"
    );
    Ok(())
}

/// One case, for what is said about it.
struct Case {
    number: usize,
    command: u32,
    expected: u32,
}

/// Fifty cases of the console's log: all registers are written in ascending order, the command runs,
/// all are read.
pub(crate) fn console<G: Registers>(gte: &mut G, group: usize) -> Told {
    fn run<G: Registers>(gte: &mut G, file: usize, command: u32) -> [u32; 64] {
        for register in 0..64u8 {
            gte.write(register, word(LOG, 64 * file + usize::from(register)));
        }
        if command != NO_COMMAND {
            gte.command(command);
        }
        read_all(gte, &[])
    }
    let mut count = Count::default();
    for number in 0..50 {
        let file = if group == 22 { 50 + number } else { number };
        let at = 64 * FILES + 2 * (50 * group + number);
        let (command, expected) = (word(LOG, at), word(LOG, at + 1));
        let found = run(gte, file, command);
        let model = || run(&mut Software::new(), file, command);
        count.add(judge(
            &found,
            model,
            checksum,
            Case {
                number,
                command,
                expected,
            },
        ));
    }
    count.told(50)
}

/// One piece of the computed cases. Each begins with the same registers as the other three of its
/// group; those that a command does not change must be as they were.
pub(crate) fn vectors<G: Registers>(gte: &mut G, piece: usize) -> Told {
    fn run<G: Registers>(gte: &mut G, first: usize, command: u32) -> [u32; 64] {
        for (n, register) in INPUTS.into_iter().enumerate() {
            gte.write(register, word(COMPUTED, first + n));
        }
        gte.command(command);
        read_all(gte, &DERIVED)
    }
    /// The check sum leaves the derived registers out altogether.
    fn sum(values: &[u32]) -> u32 {
        let mut crc = Crc32::new();
        for (value, register) in values.iter().zip(0..) {
            if !DERIVED.contains(&register) {
                crc.update(&value.to_le_bytes());
            }
        }
        crc.finish()
    }
    const PIECE: usize = GROUPS / VECTORS.len();
    let mut count = Count::default();
    for group in PIECE * piece..PIECE * (piece + 1) {
        let first = GROUP * group;
        for case in 0..4 {
            let at = first + INPUTS.len() + 2 * case;
            let (command, expected) = (word(COMPUTED, at), word(COMPUTED, at + 1));
            let found = run(gte, first, command);
            let model = || run(&mut Software::new(), first, command);
            let number = 4 * group + case;
            count.add(judge(
                &found,
                model,
                sum,
                Case {
                    number,
                    command,
                    expected,
                },
            ));
        }
    }
    count.told(4 * PIECE as u32)
}

/// The recipe of the GTE sheet, 3.4: with no rotation and TRZ = z, RTPS with sf = 1 leaves H / z in
/// MAC0, and the overflow of the division in bit 17 of FLAG.
pub(crate) fn division<G: Registers>(gte: &mut G, _: usize) -> Told {
    const RTPS: u32 = 0x4A18_0001;
    zero(gte);
    gte.write(59, 1); // DQA
    let mut count = Count::default();
    for (number, block) in (0..RECORDS).zip(
        (0..QUOTIENTS.len())
            .step_by(BLOCK)
            .flat_map(|block| [block; 8]),
    ) {
        let n = number as usize % 8;
        let half = |at: usize| u32::from(u16_at(QUOTIENTS, block + at).unwrap_or(0));
        let [h, z, low] = [half(6 * n), half(6 * n + 2), half(6 * n + 4)];
        let bits = half(8 * 6) >> n;
        let expected = (low | (bits & 1) << 16, bits >> 8 & 1);
        gte.write(58, h);
        gte.write(39, z);
        gte.command(RTPS);
        let found = (gte.read(24), gte.read(63) >> 17 & 1);
        count.add(if found == expected {
            Ok(())
        } else {
            Err(reason(format_args!(
                "{h:X} / {z:X}: expected {expected:X?}, found {found:X?}"
            )))
        });
    }
    count.told(RECORDS)
}

/// GPL with sf = 1 at a sum of exactly 2^43 - 1. Whether that sets flag 30 is not settled (GTE sheet,
/// 3.6), so it is told, not judged; the sum itself, and the flag one unit above, are.
pub(crate) fn gpl_limit<G: Registers>(gte: &mut G, _: usize) -> Told {
    const GPL: u32 = 0x4BA8_003E;
    let mut run = |ir0: u32, ir1: u32| {
        zero(gte);
        for (register, value) in [(25, 0x7FFF_FFFF), (8, ir0), (9, ir1)] {
            gte.write(register, value);
        }
        gte.command(GPL);
        (gte.read(25), gte.read(63))
    };
    // 7FFFFFFFh << 12, and 3 * 555h = FFFh or 4 * 400h = 1000h.
    let (mac1, flag) = run(3, 0x555);
    same_hex!(mac1, 0x7FFF_FFFF, "MAC1 at the limit");
    let (above, flag_above) = run(4, 0x400);
    same_hex!(above, 0x8000_0000, "MAC1 above the limit");
    same_hex!(flag_above >> 30 & 1, 1, "flag 30 above the limit");
    let set = if flag >> 30 & 1 == 0 { "clear" } else { "set" };
    Ok(reason(format_args!("at 2^43 - 1 flag 30 is {set}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The software model with one bit of one register stuck at 0.
    struct Stuck(Software, u8, u32);

    impl Registers for Stuck {
        fn write(&mut self, register: u8, value: u32) {
            self.0.write(register, value);
        }

        fn read(&mut self, register: u8) -> u32 {
            let stuck = if register == self.1 { 1 << self.2 } else { 0 };
            self.0.read(register) & !stuck
        }

        fn command(&mut self, word: u32) {
            self.0.command(word);
        }
    }

    /// "`n` of `m` differ" as numbers, and the whole text.
    fn differ(told: Told) -> (u32, std::string::String) {
        let text = std::string::ToString::to_string(&told.expect_err("a fault is seen"));
        let number = text.split(' ').next().and_then(|word| word.parse().ok());
        (number.expect("a number"), text)
    }

    #[test]
    fn all_differences_are_counted_and_the_first_is_named() {
        let mut chip = Stuck(Software::new(), 63, 17);
        let overflows = QUOTIENTS
            .chunks_exact(BLOCK)
            .map(|block| block[BLOCK - 1].count_ones());
        // The last block is filled up with copies of its last record.
        let copies = 8 - RECORDS % 8;
        let last = u32::from(QUOTIENTS[QUOTIENTS.len() - 1] >> 7) * copies;
        let (found, text) = differ(division(&mut chip, 0));
        assert_eq!(found, overflows.sum::<u32>() - last, "{text}");
        assert!(text.contains(" of 9309 differ, the first: "), "{text}");

        let (mut console_sum, mut vectors_sum) = (0, 0);
        for group in [0, 18] {
            let (found, text) = differ(console(&mut chip, group));
            assert!(text.contains(": word 63: "), "{text}");
            console_sum += found;
        }
        for piece in 0..VECTORS.len() {
            let (found, text) = differ(vectors(&mut chip, piece));
            assert!(text.contains(": word 63: "), "{text}");
            vectors_sum += found;
        }
        assert!(
            console_sum > 2 && vectors_sum > 50,
            "{console_sum} {vectors_sum}"
        );
        assert!(console(&mut Software::new(), 0).is_ok());
    }

    #[test]
    fn a_case_that_is_missing_is_no_success() {
        let mut count = Count::default();
        count.add(Ok(()));
        assert!(count.told(2).is_err());
    }
}
