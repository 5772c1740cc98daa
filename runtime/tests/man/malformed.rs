//! Every error of the sheet's table.

use super::common::{ENCOUNTERS, EXAMPLE, error, with};
use overworld_runtime::scene::man::encounter::Encounters;
use overworld_runtime::scene::man::motion::Motion;
use overworld_runtime::scene::man::{Array, Error, Man, camera};

#[test]
fn truncated() {
    for len in 0..0x2B {
        assert_eq!(error(&EXAMPLE[..len]), Error::Truncated { len });
    }
}

#[test]
fn negative_count() {
    for partition in 0..3 {
        let data = with(&[(0x22 + 2 * usize::from(partition), &[0xFF, 0xFF])]);
        assert_eq!(error(&data), Error::NegativeCount { partition });
    }
}

#[test]
fn record_table_out_of_range() {
    let (need, len) = (0x2B + 3 * (0x7FFF + 3), EXAMPLE.len());
    let data = with(&[(0x22, &[0xFF, 0x7F])]);
    assert_eq!(error(&data), Error::RecordTableOutOfRange { need, len });
    let cut = &EXAMPLE[..0x36];
    let (need, len) = (0x37, 0x36);
    assert_eq!(error(cut), Error::RecordTableOutOfRange { need, len });
}

#[test]
fn record_out_of_range() {
    // Section 0 is at 21h of the data region; record 3 is the last, so that the table still ascends.
    for start in [[0x21, 0, 0], [0xFF, 0xFF, 0xFF]] {
        let data = with(&[(0x34, &start)]);
        assert_eq!(error(&data), Error::RecordOutOfRange { flat: 3 });
        let man = Man::parse_lenient(&data).unwrap();
        assert_eq!(man.beat(0), Err(Error::RecordOutOfRange { flat: 3 }));
        assert!(man.object(0).is_ok());
        // And when it does not.
        let data = with(&[(0x2B, &start)]);
        assert_eq!(error(&data), Error::RecordOutOfRange { flat: 0 });
    }
}

#[test]
fn record_header_overrun() {
    // Each count byte in turn: n, N, name_len, C0, C1, C2.
    let counts = [
        (0x37, 0),
        (0x3C, 1),
        (0x42, 2),
        (0x4B, 3),
        (0x50, 3),
        (0x51, 3),
        (0x54, 3),
    ];
    for (at, flat) in counts {
        for count in [4, 0x7F, 0xFF] {
            let data = with(&[(at, &[count])]);
            assert_eq!(error(&data), Error::RecordHeaderOverrun { flat }, "{at:#X}");
            let man = Man::parse_lenient(&data).unwrap();
            assert_eq!(man.record(flat), Err(Error::RecordHeaderOverrun { flat }));
            assert_eq!(man.records().filter(Result::is_ok).count(), 3);
        }
    }
}

#[test]
fn the_first_bad_record_is_named() {
    // The table does not ascend, and three records are bad: 0 has no room for its header, 1, which lies
    // behind 2, has a label that is too long, and 3 starts past section 0.
    let mut data = with(&[(0x2B + 3, &[11]), (0x2B + 6, &[5]), (0x2B + 9, &[0x21])]);
    data[0x3C..0x42].copy_from_slice(&[0, 3, 1, 0x9D, 0x16, 0x25]);
    data[0x2B] = 4;
    data[0x42] = 0xFF;
    let man = Man::parse_lenient(&data).unwrap();
    let errors: Vec<_> = man.records().filter_map(Result::err).collect();
    assert_eq!(
        errors,
        [
            Error::RecordHeaderOverrun { flat: 0 },
            Error::RecordHeaderOverrun { flat: 1 },
            Error::RecordOutOfRange { flat: 3 },
        ]
    );
    assert_eq!(error(&data), Error::RecordHeaderOverrun { flat: 0 });
    data[0x2B] = 0;
    assert_eq!(error(&data), Error::RecordHeaderOverrun { flat: 1 });
    data[0x42] = 0;
    assert_eq!(error(&data), Error::RecordOutOfRange { flat: 3 });
}

#[test]
fn empty_script() {
    // The entry script's name grows until its header ends with the record ...
    let data = with(&[(0x3C, &[0, 0, 0, 0, 0]), (0x2B + 6, &[10])]);
    assert_eq!(error(&data), Error::EmptyScript { flat: 1 });
    // ... and the beat's, by a byte of C0.
    let data = with(&[(0x50, &[1])]);
    let found = Man::parse_lenient(&data).unwrap().beat(0);
    assert!(matches!(found, Err(Error::RecordHeaderOverrun { flat: 3 })));
    let data = with(&[(0x50, &[1, 0xAA, 1, 0x25, 0x02, 1, 0x26, 0x02])]);
    assert_eq!(error(&data), Error::EmptyScript { flat: 3 });
}

#[test]
fn section_out_of_range() {
    let starts = [0x58, 0x8B, 0x8F, 0x9C, 0xA0, 0xA4];
    for (index, start) in (0..).zip(starts) {
        let data = with(&[(start, &[0xFF, 0xFF, 0xFF])]);
        assert_eq!(error(&data), Error::SectionOutOfRange { index });
        // The length word itself.
        for cut in 0..3 {
            assert_eq!(
                error(&EXAMPLE[..start + cut]),
                Error::SectionOutOfRange { index }
            );
        }
    }
    let data = with(&[(0x28, &[0xFF, 0xFF, 0xFF])]);
    assert_eq!(error(&data), Error::SectionOutOfRange { index: 0 });
}

#[test]
fn missing_terminator() {
    let mut data = with(&[(0xA4, &[2, 0, 0])]);
    data.extend_from_slice(&[1, 2, 3]);
    assert_eq!(error(&data), Error::MissingTerminator { len: 2 });
    let man = Man::parse_lenient(&data).unwrap();
    assert_eq!(
        (man.section(5), man.after_sections()),
        (&[1, 2][..], &[3][..])
    );
}

#[test]
fn encounter_overrun() {
    for (at, value, array) in [
        (ENCOUNTERS, 0xFF, Array::Formations),
        (ENCOUNTERS + 3, 0xFF, Array::Formations),
        (ENCOUNTERS + 1, 0xFF, Array::Conditions),
        (ENCOUNTERS + 20, 0xFF, Array::Conditions),
        (ENCOUNTERS + 2, 0xFF, Array::Regions),
        (ENCOUNTERS + 29, 0xFF, Array::Regions),
    ] {
        let data = with(&[(at, &[value])]);
        assert_eq!(error(&data), Error::EncounterOverrun { array });
    }
    let body = &EXAMPLE[ENCOUNTERS..ENCOUNTERS + 48];
    for len in 0..48 {
        let array = match len {
            0..20 => Array::Formations,
            20..29 => Array::Conditions,
            _ => Array::Regions,
        };
        let found = Encounters::parse(&body[..len]).err();
        assert_eq!(found, Some(Error::EncounterOverrun { array }), "{len}");
    }
}

#[test]
fn bad_formation() {
    // Five monsters.
    let data = with(&[(ENCOUNTERS + 15, &[5])]);
    assert_eq!(error(&data), Error::BadFormation { row: 1 });
    // Five monsters in a row with room for them.
    let wide = [9, 4, 9, 1, 0, 0, 0, 5, 1, 2, 3, 4, 5, 0, 0];
    assert_eq!(
        Encounters::parse(&wide).err(),
        Some(Error::BadFormation { row: 0 })
    );
    // Two monsters in a row with room for one, and a row without a count.
    let narrow = [5, 4, 9, 2, 0, 0, 0, 1, 1, 0, 0, 0, 2, 1, 0, 0];
    assert_eq!(
        Encounters::parse(&narrow).err(),
        Some(Error::BadFormation { row: 1 })
    );
    let short = [3, 4, 9, 1, 0, 0, 0, 0, 0];
    assert_eq!(
        Encounters::parse(&short).err(),
        Some(Error::BadFormation { row: 0 })
    );
}

#[test]
fn bad_stride() {
    let conditions = [8, 3, 9, 0, 1, 0xFF, 0xFF, 0, 0];
    let array = Array::Conditions;
    assert_eq!(
        Encounters::parse(&conditions).err(),
        Some(Error::BadStride { array })
    );
    let regions = [8, 4, 7, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0];
    let array = Array::Regions;
    assert_eq!(
        Encounters::parse(&regions).err(),
        Some(Error::BadStride { array })
    );
    // Without rows the strides do not matter.
    assert!(Encounters::parse(&[0, 0, 0, 0, 0, 0]).is_ok());
}

#[test]
fn bad_conditions() {
    let data = with(&[(ENCOUNTERS + 23, &[0xFF, 0xFF])]);
    assert_eq!(error(&data), Error::BadConditions { index: 0 });
    let data = with(&[(ENCOUNTERS + 27, &[2])]);
    assert_eq!(error(&data), Error::BadConditions { index: 1 });
}

#[test]
fn bad_region() {
    // First formation 2 of 2, then one formation too many.
    let data = with(&[(ENCOUNTERS + 45, &[2])]);
    assert_eq!(error(&data), Error::BadRegion { index: 1 });
    let data = with(&[(ENCOUNTERS + 45, &[0xFF, 0xFF])]);
    assert_eq!(error(&data), Error::BadRegion { index: 1 });
    let data = with(&[(ENCOUNTERS + 36, &[0, 3])]);
    assert_eq!(error(&data), Error::BadRegion { index: 0 });
}

#[test]
fn bad_name() {
    let data = with(&[(0x9B, b"x")]);
    assert_eq!(error(&data), Error::BadName);
    assert_eq!(
        Man::parse_lenient(&data).unwrap().name(),
        Err(Error::BadName)
    );
}

#[test]
fn bad_motion_table() {
    let bad = |body: &[u8]| Motion::parse(body).err();
    let at = |offset| Some(Error::BadMotionTable { offset });
    // No terminator; a delta of 0, below 0, into its own header, past the end.
    assert_eq!(bad(&[]), at(0));
    assert_eq!(bad(&[1, 0, 0, 7, 1, 0]), at(0));
    assert_eq!(bad(&[1, 0xFF, 0xFF, 7, 1, 0]), at(0));
    assert_eq!(bad(&[1, 4, 0, 7, 1, 0]), at(0));
    assert_eq!(bad(&[1, 6, 0, 7, 1, 0]), at(0));
    assert_eq!(bad(&[1, 5, 0, 7, 1]), at(0));
    assert_eq!(bad(&[1, 5, 0, 7, 1, 1, 5, 0, 7, 1]), at(5));
    assert_eq!(bad(&[1, 5]), at(0));
    assert_eq!(bad(&[1, 5, 0, 7, 1, 0]), None);
    let data = with(&[(0x8E, &[1])]);
    assert_eq!(error(&data), Error::BadMotionTable { offset: 0 });
}

#[test]
fn bad_camera_table() {
    let data = with(&[(0x9F, &[1])]);
    assert_eq!(error(&data), Error::BadCameraTable { count: 1, len: 1 });
    let mut body = [0; 37];
    body[0] = 2;
    assert!(camera::Cameras::parse(&body).is_ok());
    let found = camera::Cameras::parse(&body[..36]).err();
    assert_eq!(found, Some(Error::BadCameraTable { count: 2, len: 36 }));
    assert!(camera::Cameras::parse(&[]).is_err());
}

#[test]
fn no_such_record() {
    let man = Man::parse(&EXAMPLE).unwrap();
    for flat in [4, 5, 0xFFFF, u32::MAX] {
        assert_eq!(man.record(flat), Err(Error::NoSuchRecord { flat }));
        assert_eq!(man.locate(flat), Err(Error::NoSuchRecord { flat }));
    }
    assert_eq!(man.object(1), Err(Error::NoSuchRecord { flat: 1 }));
    assert_eq!(man.actor(2), Err(Error::NoSuchRecord { flat: 3 }));
    assert_eq!(man.beat(1), Err(Error::NoSuchRecord { flat: 4 }));
}

#[test]
fn every_error_says_what_it_is() {
    let errors = [
        (
            Error::Truncated { len: 3 },
            "MAN: 3 bytes, shorter than its header",
        ),
        (Error::NoEntryScript, "MAN: no entry script"),
        (
            Error::EncounterOverrun {
                array: Array::Regions,
            },
            "MAN: the regions pass the end of the encounter section",
        ),
        (Error::NoSuchRecord { flat: 9 }, "MAN: no such record: 9"),
        (
            Error::BadMotionTable { offset: 26 },
            "MAN: motion record at offset 0x1A leads nowhere",
        ),
    ];
    for (error, text) in errors {
        assert_eq!(error.to_string(), text);
    }
}
