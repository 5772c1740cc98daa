//! Patches, stager tables, the writer and the errors' words.

use super::common::{PATCH, WALK_ON, patch_bytes, tile};
use overworld_runtime::field::map::patch::{self, Patch};
use overworld_runtime::field::map::trigger::{self, Kind, Region, Script};
use overworld_runtime::field::map::{Error, Object, SIZE, Source, Triggers, emit};
use overworld_runtime::field::stager::{self, Stager};

#[test]
fn the_worked_patch() {
    let mut out = vec![0xEE; 2048];
    assert_eq!(patch::emit(&[WALK_ON], &mut out), Ok(2048));
    assert_eq!(out, patch_bytes());
    let read = Patch::parse(&out).unwrap();
    assert!(read.is_retail_shaped());
    assert!(read.triggers().scripts().eq([WALK_ON]));
    assert_eq!(read.triggers().script(tile(29, 91)), Some(WALK_ON));
    // The game's reader sees the same.
    let lenient = Triggers::lenient(&out);
    assert!(lenient.scripts().eq([WALK_ON]));
    assert_eq!(lenient.count(Kind::Teleport), 0);
    // And the words of section 6 for any n: E = 4n + 22.
    for n in [0_u16, 1, 192, 505] {
        let scripts = vec![WALK_ON; n.into()];
        patch::emit(&scripts, &mut out).unwrap();
        let end = 4 * n + 22;
        let words = [end + 4, 0x12, 0, 0x14, n, end, 0, end + 2, 0];
        let header: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        assert_eq!(out[..18], header);
        assert!(Patch::parse(&out).unwrap().triggers().scripts().eq(scripts));
    }
}

#[test]
fn bad_patches() {
    assert_eq!(
        Patch::parse(&PATCH).err(),
        Some(patch::Error::Size { len: 24 })
    );
    let bad = |at: usize, value| {
        let mut data = patch_bytes();
        data[at] = value;
        (
            Patch::parse(&data).err(),
            Triggers::lenient(&data).count(Kind::Script),
        )
    };
    let block = |kind| Some(patch::Error::BadTriggerBlock { kind });
    // Each kind's offset, a count that is too large or negative, the end.
    assert_eq!(bad(0x02, 0x13), (block(0), 1));
    assert_eq!(bad(0x06, 0x15).0, block(1));
    assert_eq!(bad(0x0A, 0x1B), (block(2), 1));
    assert_eq!(bad(0x0E, 0x1D), (block(3), 1));
    assert_eq!(bad(0x09, 0x02), (block(1), 507));
    assert_eq!(bad(0x09, 0xFF), (block(1), 0));
    assert_eq!(bad(0x07, 0xFF), (block(1), 0));
    assert_eq!(bad(0x00, 0x1F), (block(3), 1));
    // An absent patch is zero throughout.
    assert!(Patch::parse(&[0; 2048]).unwrap().triggers().is_empty());
    let mut stray = [0; 2048];
    stray[2047] = 1;
    assert_eq!(Patch::parse(&stray).err(), block(0));
    // A well-formed block of other kinds is not as in retail.
    let mut other = vec![0; 2048];
    let source = trigger::Source {
        regions: &[Region::default()],
        ..trigger::Source::default()
    };
    trigger::emit(&source, &mut other).unwrap();
    assert!(!Patch::parse(&other).unwrap().is_retail_shaped());
    let bind = Script { gate: 0, ..WALK_ON };
    patch::emit(&[bind], &mut other).unwrap();
    assert!(!Patch::parse(&other).unwrap().is_retail_shaped());

    let many = [WALK_ON; 506];
    let count = 506;
    let full = Err(patch::Error::TooManyScripts { count });
    assert_eq!(patch::emit(&many, &mut [0; 4096]), full);
    let room = 2047;
    let small = Err(patch::Error::OutputTooSmall { room });
    assert_eq!(patch::emit(&[WALK_ON], &mut [0; 2047]), small);
}

#[test]
fn what_the_writer_refuses() {
    let mut out = vec![0; SIZE];
    let objects = vec![Object::default(); 513];
    let source = Source {
        objects: &objects,
        ..Source::default()
    };
    assert_eq!(
        emit(&source, &mut out),
        Err(Error::TooManyObjects { count: 513 })
    );
    let source = Source {
        collision: &[0; 100],
        ..Source::default()
    };
    assert_eq!(emit(&source, &mut out), Err(Error::GridSize { len: 100 }));
    let source = Source {
        cells: &[0; 1],
        ..Source::default()
    };
    assert_eq!(emit(&source, &mut out), Err(Error::GridSize { len: 1 }));
    let room = SIZE - 1;
    let small = Err(Error::OutputTooSmall { room });
    assert_eq!(emit(&Source::default(), &mut out[..room]), small);
    let regions = vec![Region::default(); 0x10000];
    for (count, kind) in [(1021, 3), (0x10000, 3)] {
        let triggers = trigger::Source {
            regions: &regions[..count],
            ..trigger::Source::default()
        };
        let source = Source {
            triggers,
            ..Source::default()
        };
        assert_eq!(
            emit(&source, &mut out),
            Err(Error::TriggersTooLong { kind })
        );
    }
    let room = 0x19;
    let small = Err(Error::OutputTooSmall { room });
    assert_eq!(
        trigger::emit(&trigger::Source::default(), &mut out[..room]),
        small
    );
    assert_eq!(
        trigger::emit(&trigger::Source::default(), &mut out[..0x1A]),
        Ok(0x1A)
    );
}

#[test]
fn stager_tables() {
    let records: [&[u8]; 3] = [
        &[0xFF, 0xFF, 1, 0],
        &[5, 0, 2, 0, 0x34, 0x12, 0xFF, 0x7F],
        &[0, 0, 0, 0, 9, 0],
    ];
    let mut out = vec![0xEE; 0x800];
    let length = stager::emit(&records, &mut out).unwrap();
    assert_eq!(out[..8], [3, 0, 8, 0, 12, 0, 20, 0]);
    assert_eq!(length, 26);
    let table = Stager::parse(&out[..length]).unwrap();
    assert_eq!((table.len(), table.is_empty()), (3, false));
    for (record, expected) in table.records().zip(records) {
        assert_eq!(record.bytes, expected);
    }
    let models: Vec<_> = table.records().map(|it| it.model()).collect();
    assert_eq!(models, [None, Some(5), Some(0)]);
    let second = table.record(1).unwrap();
    assert_eq!(second.flags(), 2);
    assert!(second.words().eq([0x1234, 0x7FFF]));
    assert!(table.record(3).is_none());
    // Padded to a sector the last record grows by zeros; a sector of zeros is an empty table.
    out[length..].fill(0);
    let padded = Stager::parse(&out).unwrap();
    assert_eq!(padded.record(2).unwrap().bytes.len(), 0x800 - 20);
    assert!(Stager::parse(&[0; 0x800]).unwrap().is_empty());
}

#[test]
fn bad_stager_tables() {
    let bad = |data: &[u8]| Stager::parse(data).err();
    assert_eq!(
        bad(&[1]),
        Some(stager::Error::Truncated { need: 2, len: 1 })
    );
    assert_eq!(
        bad(&[2, 0, 6, 0]),
        Some(stager::Error::Truncated { need: 6, len: 4 })
    );
    // Not behind the table, odd, not ascending, past the end.
    let offset = |index| Some(stager::Error::BadOffset { index });
    assert_eq!(bad(&[1, 0, 6, 0, 0, 0, 0, 0, 0, 0]), offset(0));
    assert_eq!(
        bad(&[2, 0, 6, 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        offset(1)
    );
    assert_eq!(bad(&[2, 0, 6, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0]), offset(1));
    assert_eq!(bad(&[2, 0, 6, 0, 10, 0, 0, 0, 0, 0]), offset(1));
    let record = |index| Some(stager::Error::BadRecord { index });
    assert_eq!(bad(&[2, 0, 6, 0, 8, 0, 0, 0, 0, 0, 0, 0]), record(0));
    assert_eq!(bad(&[1, 0, 4, 0, 0, 0]), record(0));
    assert_eq!(bad(&[1, 0, 4, 0, 0, 0, 0, 0]), None);

    assert_eq!(stager::emit(&[&[0; 3]], &mut [0; 99]).err(), record(0));
    assert_eq!(
        stager::emit(&[&[0; 4], &[0; 5]], &mut [0; 99]).err(),
        record(1)
    );
    let large: &[u8] = &[0; 0x8000];
    let reach = stager::Error::TooLarge { index: 2 };
    assert_eq!(stager::emit(&[large; 3], &mut [0; 99]), Err(reach));
    let small = stager::Error::OutputTooSmall { room: 7 };
    assert_eq!(stager::emit(&[&[0; 4]], &mut [0; 7]), Err(small));
    // As many records as the count can say do not fit the offsets' reach, but end in an error.
    let many = vec![&[0_u8; 4][..]; 0x10000];
    assert!(stager::emit(&many[..0xFFFF], &mut [0; 9]).is_err());
    assert!(stager::emit(&many, &mut [0; 9]).is_err());
}

#[test]
fn every_error_says_what_it_is() {
    let errors: [(&dyn std::fmt::Display, _); 5] = [
        (
            &Error::Size { len: 5 },
            "map: 5 bytes, it must have 73728 (or 81920 with what follows it)",
        ),
        (
            &Error::TriggerChain { at: 10 },
            "map: the trigger header does not chain at its word 0x0A",
        ),
        (
            &Error::ZeroHeaderOnField { offset: 0x4000 },
            "map: the trigger header is zero, but there is a field at offset 0x04000",
        ),
        (
            &patch::Error::BadTriggerBlock { kind: 2 },
            "patch: the trigger header does not chain at kind 2",
        ),
        (
            &stager::Error::BadOffset { index: 3 },
            "stager table: bad offset of record 3",
        ),
    ];
    for (error, text) in errors {
        assert_eq!(error.to_string(), text);
    }
}
