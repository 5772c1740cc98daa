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

    let error = scan(&big).unwrap_err().to_string();
    assert!(error.contains("expected MIPS (8)"), "{error}");
    big[18..20].copy_from_slice(&[0, 8]);
    assert_eq!(scan(&big).unwrap_err(), Error::ByteOrder);

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

#[test]
fn what_is_no_program_of_the_console_is_said_plainly() {
    let says = |file: &[u8], words: &[&str]| {
        let error = scan(file).unwrap_err().to_string();
        for word in words {
            assert!(error.contains(word), "{word}: {error}");
        }
    };
    says(b"", &["expected an ELF file", "an empty file"]);
    says(
        b"#!/bin/sh",
        &["expected", "7F 45 4C 46", "found 23 21 2F 62"],
    );
    says(b"PS-X EXE\0\0", &["PS-EXE", "expected the ELF"]);
    says(
        &sample()[..40],
        &["expected", "52 bytes", "found a file of 40 bytes"],
    );
    for (machine, name) in [
        (40, "ARM (40)"),
        (62, "x86-64 (62)"),
        (999, "unknown (999)"),
    ] {
        let mut other = sample();
        other[18..20].copy_from_slice(&u16::to_le_bytes(machine));
        other[4] = 2; // whatever the class: the machine matters more
        says(&other, &["expected MIPS (8)", name]);
    }
    let mut wide = sample();
    wide[4] = 2;
    says(&wide, &["expected 32-bit (1)", "found 64-bit (2)"]);
    let mut order = sample();
    order[5] = 7;
    says(&order, &["offset 5", "expected 1", "found 7"]);
}

#[test]
fn a_file_that_fails_does_not_hide_the_others() {
    let folder = std::env::temp_dir().join(format!("overworld-hazards-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };
    let build = |words: &[u32]| {
        Elf::new(TEXT)
            .code(".text", TEXT, words)
            .symbol("probe", TEXT, 4 * words.len() as u32, FUNC)
            .build()
    };
    let good = build(&[RETURN, NOP]);
    let mut arm = good.clone();
    arm[18] = 40;
    let files = [
        write("arm.elf", &arm),
        folder.join("missing.elf"),
        write(
            "bad.elf",
            &build(&[lw(T0, 0, SP), addu(V0, T0, T0), RETURN, NOP]),
        ),
        write("good.elf", &good),
    ];
    let run = |files: &[std::path::PathBuf]| {
        let (mut out, mut complaints) = (Vec::new(), Vec::new());
        let clean = crate::hazards::scan_files(files, &mut out, &mut complaints).unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (clean, text(out), text(complaints))
    };
    let (clean, out, complaints) = run(&files);
    assert!(!clean);
    for part in [
        "arm.elf was not scanned",
        "expected MIPS (8), found ARM (40)",
    ] {
        assert!(complaints.contains(part), "{complaints}");
    }
    assert!(
        complaints.contains("missing.elf") && complaints.contains("2 of 4"),
        "{complaints}"
    );
    assert!(out.contains("bad.elf") && out.contains("1 hazard"), "{out}");
    assert!(
        out.contains("good.elf") && out.contains("no hazards"),
        "{out}"
    );
    // Each of the three faults alone spoils the outcome; the good file does not.
    for file in &files[..3] {
        assert!(!run(&[file.clone(), files[3].clone()]).0);
    }
    let (clean, _, complaints) = run(&files[3..]);
    assert!(clean && complaints.is_empty());
    #[cfg(unix)]
    {
        let (clean, _, complaints) = run(&["/dev/null".into()]);
        assert!(
            !clean && complaints.contains("is no regular file"),
            "{complaints}"
        );
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
