//! Broken and hostile files: an error or a report, never a panic.

use super::*;
use crate::hazards::Error;

fn sample() -> Vec<u8> {
    Elf::new(TEXT)
        .code(
            ".text",
            TEXT,
            &[lui(T0, 0x8002), jr(T0), lw(V0, 0, SP), RETURN, NOP],
        )
        .symbol("probe", TEXT, 20, FUNC)
        .constants(".rodata", 0x8002_0000, &[TEXT, TEXT + 4])
        .build()
}

#[test]
fn every_truncation_is_survived() {
    let file = sample();
    assert!(scan(&file).is_ok());
    for length in 0..file.len() {
        if let Err(error) = scan(&file[..length]) {
            assert!(!error.to_string().is_empty());
        }
    }
    assert!(scan(&[]).is_err());
    assert!(scan(&file[..51]).is_err());
}

#[test]
fn every_byte_may_be_wrong() {
    let file = sample();
    for at in 0..file.len() {
        for value in [0, 1, 0x7F, 0x80, 0xFF] {
            let mut broken = file.clone();
            broken[at] = value;
            let _ = scan(&broken);
        }
    }
}

#[test]
fn words_of_any_kind_are_survived() {
    // A simple generator fills the code with every sort of word.
    let mut state = 0x1234_5678u32;
    for _ in 0..200 {
        let words: Vec<u32> = (0..128)
            .map(|_| {
                state ^= state << 13;
                state ^= state >> 17;
                state ^= state << 5;
                // Mostly small offsets, so that branches stay inside.
                if state & 7 == 0 {
                    state
                } else {
                    state & 0xFFFF_003F
                }
            })
            .collect();
        let report = function(&words);
        assert!(report.statistics.instructions <= words.len());
        let _ = report.to_string();
    }
}

#[test]
fn errors_name_the_part() {
    let mut other = sample();
    other[18] = 40; // ARM
    assert_eq!(scan(&other).unwrap_err(), Error::Machine { found: 40 });

    let mut object = sample();
    object[16] = 1;
    assert_eq!(scan(&object).unwrap_err(), Error::NotLinked);

    let mut big = sample();
    big[5] = 2;
    // The header is then read the other way round.
    assert!(scan(&big).is_err());

    let table = u32::from_le_bytes(sample()[32..36].try_into().unwrap()) as usize;
    // Section 1 (.text): offset beyond the end of the file.
    let mut outside = sample();
    outside[table + 40 + 16..table + 40 + 20].copy_from_slice(&0x0010_0000u32.to_le_bytes());
    let error = scan(&outside).unwrap_err();
    assert!(
        matches!(&error, Error::Section { name, offset: 0x0010_0000, size: 20, .. } if name == ".text")
    );
    assert!(error.to_string().contains(".text") && error.to_string().contains("0x100000"));

    let mut odd = sample();
    odd[table + 40 + 12] = 2;
    assert_eq!(
        scan(&odd).unwrap_err(),
        Error::Address {
            name: ".text".into(),
            address: TEXT + 2
        }
    );

    let none = Elf::new(TEXT).constants(".rodata", TEXT, &[0]).build();
    assert_eq!(scan(&none).unwrap_err(), Error::NoCode);

    let twice = Elf::new(TEXT)
        .code(".one", TEXT, &[RETURN, NOP])
        .code(".two", TEXT + 4, &[RETURN, NOP])
        .build();
    assert_eq!(
        scan(&twice).unwrap_err(),
        Error::Overlap {
            name: ".two".into(),
            address: TEXT + 4
        }
    );
    let high = Elf::new(TEXT)
        .code(".top", 0xFFFF_FFFC, &[RETURN, NOP])
        .build();
    assert!(matches!(scan(&high).unwrap_err(), Error::Address { .. }));
}

#[test]
fn a_later_architecture_in_the_header_is_noted() {
    let file = Elf::new(TEXT)
        .code(".text", TEXT, &[RETURN, NOP])
        .symbol("probe", TEXT, 8, FUNC)
        .flags(0x5000_1000)
        .build();
    let report = scan(&file).unwrap();
    assert_eq!(report.notes[0].kind, Kind::File);
    assert!(report.clean());
}

#[test]
fn half_a_mebibyte_is_quick() {
    // A full ROM of small functions with branches, loads and a call.
    let body = [
        lui(T0, 0xBF80),
        lw(V0, 0x1070, T0),
        NOP,
        bne(V0, ZERO, 3),
        NOP,
        jal(TEXT),
        NOP,
        NOP, //
        RETURN,
        NOP,
    ];
    let count = (512 << 10) / (4 * body.len());
    let mut elf = Elf::new(TEXT).code(".text", TEXT, &body.repeat(count));
    for index in 0..count as u32 {
        elf = elf.symbol("f", TEXT + index * 40, 40, FUNC);
    }
    let file = elf.build();
    let begun = std::time::Instant::now();
    let report = scan(&file).unwrap();
    assert!(report.clean(), "{report}");
    assert_eq!(report.statistics.instructions, count * body.len());
    // Far above what it takes, far below what a quadratic step would cost.
    assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
}
