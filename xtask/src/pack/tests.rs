use super::*;
use crate::handmade::Elf;

/// Eight bytes of code: `jr $ra`, `nop`.
const CODE: [u8; 8] = [0x08, 0x00, 0xE0, 0x03, 0, 0, 0, 0];

fn word(file: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(file[at..at + 4].try_into().unwrap())
}

fn program() -> Elf {
    Elf::new(0x8001_0000).code(0x8001_0000, &CODE)
}

#[test]
fn every_header_field_is_right() {
    let elf = Elf::new(0x8001_0004)
        .code(0x8001_0000, &CODE)
        .data(0x8001_0010, &[1, 2, 3], 0x1000)
        .symbol("_gp", 0x8001_8000)
        .symbol("__stack_top", 0x801F_FF00)
        .symbol("__stack_size", 0x8000);
    let packed = exe(&elf.bytes()).unwrap();
    assert_eq!(&packed[..8], b"PS-X EXE");
    assert_eq!(packed.len(), 0x1000, "a header and one unit of 800h bytes");
    assert_eq!(packed[0x08..0x10], [0; 8]);
    assert_eq!(word(&packed, 0x10), 0x8001_0004, "pc");
    assert_eq!(word(&packed, 0x14), 0x8001_8000, "gp");
    assert_eq!(word(&packed, 0x18), 0x8001_0000, "load address");
    assert_eq!(
        word(&packed, 0x1C),
        0x800,
        "size: the file's less the header"
    );
    assert_eq!(packed[0x20..0x28], [0; 8]);
    assert_eq!(
        word(&packed, 0x28),
        0x8001_0800,
        "bss begins where the padding ends"
    );
    assert_eq!(word(&packed, 0x2C), 0x810, "bss: up to 80011010h");
    assert_eq!(word(&packed, 0x30), 0x801F_FF00, "sp");
    assert_eq!(word(&packed, 0x34), 0, "sp offset");
    assert_eq!(packed[0x38..0x4C], [0; 20]);
    assert_eq!(&packed[0x4C..0x4C + 10], b"Overworld:");
    assert_eq!(packed[0x800..0x808], CODE);
    assert_eq!(packed[0x808..0x810], [0; 8], "the gap");
    assert_eq!(packed[0x810..0x813], [1, 2, 3]);
    assert!(
        packed[0x813..].iter().all(|byte| *byte == 0),
        "zeroed data and padding"
    );
}

#[test]
fn sections_may_stand_in_any_order() {
    // Data, code, zeroed data below everything: the entry is in the middle of the body.
    let elf = Elf::new(0x8001_1000)
        .data(0x8001_2000, &[9; 4], 4)
        .code(0x8001_1000, &CODE)
        .data(0x8001_0000, &[], 0x100)
        .data(0x8001_0800, &[7; 4], 8);
    let packed = exe(&elf.bytes()).unwrap();
    assert_eq!(word(&packed, 0x10), 0x8001_1000);
    assert_eq!(word(&packed, 0x18), 0x8001_0000);
    assert_eq!(word(&packed, 0x1C), 0x2800);
    assert_eq!(packed.len(), 0x3000);
    assert_eq!(word(&packed, 0x2C), 0, "all zeroed data lie in the body");
    assert_eq!(packed[0x800..0x1000], [0; 0x800]);
    assert_eq!(packed[0x1000..0x1008], [7, 7, 7, 7, 0, 0, 0, 0]);
    assert_eq!(packed[0x1800..0x1808], CODE);
    assert_eq!(packed[0x2800..0x2804], [9; 4]);
}

#[test]
fn a_stack_pointer_is_never_zero() {
    let packed = exe(&program().bytes()).unwrap();
    assert_eq!(word(&packed, 0x30), 0x801F_FFF0);
    let zero = program().symbol("__stack_top", 0);
    assert_eq!(
        exe(&zero.bytes()),
        Err(Error::Stack {
            end: 0x8001_0800,
            bottom: 0,
            top: 0
        })
    );
}

#[test]
fn sizes_are_multiples_of_2048_on_every_border() {
    for (length, size) in [
        (4, 0x800),
        (0x800, 0x800),
        (0x804, 0x1000),
        (0x1000, 0x1000),
    ] {
        let elf = Elf::new(0x8001_0000).code(0x8001_0000, &vec![0; length]);
        let packed = exe(&elf.bytes()).unwrap();
        assert_eq!(word(&packed, 0x1C), size, "{length:#x}");
        assert_eq!(packed.len() as u32, 0x800 + size);
    }
}

#[test]
fn an_entry_outside_the_code_is_refused() {
    for entry in [0, 0x8001_0008, 0x8001_0002, 0x8000_FFFC, 0x8002_0000] {
        let elf = Elf::new(entry)
            .code(0x8001_0000, &CODE)
            .data(0x8002_0000, &[1; 8], 8);
        assert_eq!(
            exe(&elf.bytes()),
            Err(Error::Entry { found: entry }),
            "{entry:#x}"
        );
    }
}

#[test]
fn the_kernels_memory_and_what_is_no_memory_are_refused() {
    for (first, length) in [
        (0x8000_FF00, 0x200),
        (0x8000_0000, 4),
        (0x801F_FFFC, 8),
        (0x8020_0000, 4),
        (0xA001_0000, 4),
        (0x0001_0000, 4),
        (0xBFC0_0000, 4),
    ] {
        let elf = Elf::new(0x8010_0000)
            .code(0x8010_0000, &CODE)
            .data(first, &[1; 4], length);
        let Err(Error::Outside { segment, .. }) = exe(&elf.bytes()) else {
            panic!("{first:#x} must be refused")
        };
        assert_eq!(segment, first..first + length);
    }
    let around = program().data(0xFFFF_FFF0, &[1; 4], 0x20);
    assert!(matches!(exe(&around.bytes()), Err(Error::Kind(_))));
}

#[test]
fn what_overlaps_is_refused() {
    let elf = program().data(0x8001_0004, &[1; 4], 4);
    assert_eq!(
        exe(&elf.bytes()),
        Err(Error::Overlap {
            first: 0x8001_0000..0x8001_0008,
            second: 0x8001_0004..0x8001_0008
        })
    );
    // Zeroed data count, too.
    let elf = program()
        .data(0x8000_FF00 + 0x100 + 8, &[], 0x100)
        .data(0x8001_0100, &[1; 4], 4);
    assert!(matches!(exe(&elf.bytes()), Err(Error::Overlap { .. })));
}

#[test]
fn the_stack_keeps_its_room() {
    let elf = |bss: u32| {
        program()
            .data(0x8001_1000, &[], bss)
            .symbol("__stack_top", 0x801F_0000)
            .symbol("__stack_size", 0x4000)
    };
    let most = 0x801E_C000 - 0x8001_1000;
    assert!(exe(&elf(most).bytes()).is_ok());
    assert_eq!(
        exe(&elf(most + 4).bytes()),
        Err(Error::Stack {
            end: 0x801E_C004,
            bottom: 0x801E_C000,
            top: 0x801F_0000
        })
    );
    let above = program().symbol("__stack_top", 0x8020_0004);
    assert!(matches!(exe(&above.bytes()), Err(Error::Stack { .. })));
    // The file's padding is loaded as well.
    let padded = Elf::new(0x8001_0000)
        .code(0x8001_0000, &CODE)
        .symbol("__stack_size", 0x100);
    assert!(exe(&padded.symbol("__stack_top", 0x8001_0800).bytes()).is_err());
}

#[test]
fn other_files_are_refused() {
    for (file, said) in [
        (&b""[..], "expected an ELF file, found an empty file"),
        (b"PS-X EXE", "this is a PS-EXE; expected the ELF"),
        (
            b"MZ",
            "expected an ELF file (7F 45 4C 46 at offset 0), found 4D 5A",
        ),
    ] {
        let error = exe(file).unwrap_err();
        assert!(matches!(error, Error::File(_)));
        assert!(error.to_string().contains(said), "{error}");
        assert_eq!(kind(file), Err(error.clone()));
        assert_eq!(rom(file), Err(error));
    }
    let whole = program().bytes();
    for length in 0..whole.len() {
        assert!(exe(&whole[..length]).is_err(), "cut at {length}");
    }
    assert_eq!(
        exe(&Elf {
            machine: 40,
            ..program()
        }
        .bytes()),
        Err(Error::File(hazards::Error::Machine { found: 40 }))
    );
    assert!(matches!(
        exe(&Elf {
            kind: 3,
            ..program()
        }
        .bytes()),
        Err(Error::Kind(_))
    ));
    assert_eq!(exe(&Elf::new(0x8001_0000).bytes()), Err(Error::Empty));
    let zeroed = Elf::new(0x8001_0000).data(0x8001_0000, &[], 0x100);
    assert_eq!(exe(&zeroed.bytes()), Err(Error::Empty));
}

/// A ROM with code at reset and at the hook, and data stored behind it that live in RAM.
fn boot() -> Elf {
    let mut elf = Elf::new(ROM_FIRST)
        .code(ROM_FIRST, &CODE)
        .code(ROM_FIRST + ROM_HOOK as u32, &CODE)
        .data(0x8000_1000, &[5; 4], 4)
        .data(0x8000_2000, &[], 0x100);
    elf.segments[2].stored = 0xBFC0_7000;
    elf
}

#[test]
fn the_rom_is_512_kib_and_keeps_start_values() {
    let elf = boot().bytes();
    assert_eq!(kind(&elf), Ok(Kind::Rom));
    assert_eq!(kind(&program().bytes()), Ok(Kind::Exe));
    let rom = rom(&elf).unwrap();
    assert_eq!(rom.len(), 0x8_0000);
    assert_eq!(rom[..8], CODE);
    assert_eq!(rom[8..0x6990], [0xFF; 0x6988]);
    assert_eq!(rom[0x6990..0x6998], CODE);
    assert_eq!(rom[0x7000..0x7004], [5; 4]);
    assert!(rom[0x7004..].iter().all(|byte| *byte == 0xFF));
}

#[test]
fn a_rom_that_cannot_start_is_refused() {
    let without_hook = Elf::new(ROM_FIRST).code(ROM_FIRST, &CODE);
    assert_eq!(rom(&without_hook.bytes()), Err(Error::Hook));
    assert_eq!(
        rom(&Elf {
            entry: ROM_FIRST + 4,
            ..boot()
        }
        .bytes()),
        Err(Error::Reset {
            found: ROM_FIRST + 4
        })
    );
    let nothing_there = Elf::new(ROM_FIRST).code(ROM_FIRST + ROM_HOOK as u32, &CODE);
    assert_eq!(
        rom(&nothing_there.bytes()),
        Err(Error::Entry { found: ROM_FIRST })
    );
    let outside = boot().data(0xBFC7_FFFC, &[1; 8], 8);
    assert!(matches!(rom(&outside.bytes()), Err(Error::Outside { .. })));
    let mut stored_outside = boot();
    stored_outside.segments[2].stored = 0x8000_1000;
    assert!(matches!(
        rom(&stored_outside.bytes()),
        Err(Error::Outside { .. })
    ));
    let mut stored_twice = boot();
    stored_twice.segments[2].stored = ROM_FIRST + 4;
    assert!(matches!(
        rom(&stored_twice.bytes()),
        Err(Error::Overlap { .. })
    ));
}
