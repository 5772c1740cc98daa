//! The MAN sheet: its worked example, every error of its table, the writers, round trips.

use overworld_runtime::bytes::crc32;
use overworld_runtime::scene::man::camera::{self, CameraRegion};
use overworld_runtime::scene::man::encounter::{self, ALWAYS, Condition, Encounters, Formation};
use overworld_runtime::scene::man::motion::{self, Motion, MotionSource};
use overworld_runtime::scene::man::{
    ActorSource, Array, BeatSource, Error, FlagList, Location, Locations, MAX_SIZE, Man, Model,
    ObjectSource, Partition, Record, Source, coordinate, emit, flag_is_set, splice,
};
use proptest::prelude::*;

/// The sheet's synthetic example, section 5.
const EXAMPLE: [u8; 167] = include!("../../tests/battery/tables/man.rs");
/// Where its sections' bodies start.
const ENCOUNTERS: usize = 0x5B;

/// The example with some bytes changed.
fn with(changes: &[(usize, &[u8])]) -> Vec<u8> {
    let mut data = EXAMPLE.to_vec();
    for (at, bytes) in changes {
        data[*at..at + bytes.len()].copy_from_slice(bytes);
    }
    data
}

fn error(data: &[u8]) -> Error {
    Man::parse(data).expect_err("this must not parse")
}

fn written(source: &Source<'_>) -> Vec<u8> {
    let mut out = vec![0xEE; 1 << 16];
    let length = emit(source, &mut out).unwrap();
    out.truncate(length);
    out
}

// The worked example.

#[test]
fn the_example_is_the_sheets() {
    assert_eq!(crc32(&EXAMPLE), 0xD415_F2C7);
}

#[test]
fn header_of_the_example() {
    let man = Man::parse(&EXAMPLE).unwrap();
    assert_eq!(man.bytes(), EXAMPLE);
    assert_eq!(man.flags(), 0);
    assert!(!man.is_bulk_terrain() && !man.scene_flag());
    assert_eq!(
        man.floor(),
        [
            0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448, 480
        ]
    );
    assert_eq!(
        man.heights(),
        [
            0, -32, -64, -96, -128, -160, -192, -224, -256, -288, -320, -352, -384, -416, -448,
            -480
        ]
    );
    assert_eq!(Partition::ALL.map(|it| man.count(it)), [1, 2, 1]);
    assert_eq!(man.len(), 4);
    assert!(!man.is_empty());
}

#[test]
fn records_of_the_example() {
    let man = Man::parse(&EXAMPLE).unwrap();
    let table = [
        (0x37, 4, 0x21),
        (0x3C, 5, 0x21),
        (0x42, 7, 0x25),
        (0x4B, 12, 0x21),
    ];
    for (flat, (start, pc0, opcode)) in (0..).zip(table) {
        let script = man.record(flat).unwrap().script();
        assert_eq!(script.flat, flat);
        assert_eq!(script.offset, start, "start of record {flat}");
        assert_eq!(script.pc0, pc0, "pc0 of record {flat}");
        assert_eq!(script.first(), opcode, "opcode of record {flat}");
        assert_eq!(script.code()[0], opcode);
        assert_eq!(script.base[usize::from(pc0)], opcode);
    }
    assert_eq!(man.records().filter_map(Result::ok).count(), 4);

    let object = man.object(0).unwrap();
    assert_eq!(object.label, [0x82, 0x60]);
    assert_eq!(object.animation, 2);
    assert_eq!(object.script.code(), [0x21]);

    let entry = man.entry_script().unwrap();
    assert_eq!((entry.flat, entry.code()), (1, &[0x21][..]));
    assert!(!entry.has_prologue());
    assert!(man.actor(0).unwrap().is_parked());
    assert_eq!(man.actor(0).unwrap().position(), [16320, 16320]);

    let actors: Vec<_> = man.placements().map(Result::unwrap).collect();
    let [actor] = actors[..] else {
        panic!("one actor, not {}", actors.len())
    };
    assert_eq!(actor.index, 1);
    assert_eq!(actor.label, [0, 0]);
    assert_eq!(actor.look(), Model::Scene(3));
    assert_eq!(actor.look().pool_slot(), 8);
    assert_eq!(actor.animation, 1);
    assert_eq!(actor.tile, [0x9D, 0x16]);
    assert_eq!(actor.position(), [3840, 2880]);
    assert!(!actor.is_parked());
    assert!(actor.script.has_prologue());
    assert_eq!(actor.script.code(), [0x25, 0x21]);

    let beat = man.beat(0).unwrap();
    assert_eq!(beat.label, [0x82, 0x60, 0x82, 0x61]);
    assert_eq!(beat.c0, [0; 0]);
    assert!(beat.c1.iter().eq([0x225]));
    assert!(beat.c2.iter().eq([0x226]));
    assert_eq!((beat.c1.len(), beat.c2.len()), (1, 1));
    assert!(!beat.may_start(|_| false));
    assert!(beat.may_start(|flag| flag == 0x226));
    assert!(!beat.may_start(|flag| flag == 0x225));
    assert!(!beat.may_start(|_| true));
}

#[test]
fn sections_of_the_example() {
    let man = Man::parse(&EXAMPLE).unwrap();
    let starts = [0x58, 0x8B, 0x8F, 0x9C, 0xA0, 0xA4];
    let lengths = [48, 1, 10, 1, 1, 0];
    for (index, (start, length)) in starts.into_iter().zip(lengths).enumerate() {
        assert_eq!(man.section_start(index), Some(start));
        assert_eq!(man.section(index), &EXAMPLE[start + 3..start + 3 + length]);
    }
    assert_eq!(man.section(6), [0; 0]);
    assert_eq!(man.section_start(6), None);
    assert_eq!(man.name(), Ok(&b"Testville"[..]));
    assert_eq!(man.motion().unwrap().records().count(), 0);
    assert!(man.cameras().unwrap().is_empty());
    assert_eq!(man.open_section(), None);
    assert_eq!(man.after_sections(), [0; 0]);
    assert!(man.locations().is_none());
}

#[test]
fn encounters_of_the_example() {
    let man = Man::parse(&EXAMPLE).unwrap();
    let encounters = man.encounters().unwrap();
    assert_eq!(encounters.strides(), [8, 4, 9]);
    assert_eq!(encounters.counts(), [2, 2, 2]);
    let formations: Vec<_> = encounters.formations().collect();
    assert_eq!(
        formations,
        [
            Formation {
                scripted: 0,
                reserved: [0, 0],
                monsters: &[5]
            },
            Formation {
                scripted: 1,
                reserved: [0, 0],
                monsters: &[6, 7]
            },
        ]
    );
    assert!(!formations[0].is_scripted() && formations[1].is_scripted());
    // A row pointer is the body + 4 + row * stride.
    assert_eq!(encounters.formation_offset(1), Some(4 + 8));
    assert_eq!(encounters.formation_offset(2), None);
    let conditions: Vec<_> = encounters.conditions().collect();
    let condition = |flag, owned| Condition { flag, owned };
    assert_eq!(conditions, [condition(0x142, 1), condition(ALWAYS, 1)]);
    assert!(encounters.is_retail_shaped());

    let whole = encounters.region(0).unwrap();
    assert_eq!(
        (whole.min, whole.max, whole.rate),
        ([0, 0], [0x7F, 0x7F], 0)
    );
    let patch = encounters.region(1).unwrap();
    assert_eq!((patch.min, patch.max, patch.rate), ([10, 10], [20, 20], 6));
    assert_eq!((patch.formations(), patch.stage()), (0..1, 0));
    assert_eq!(encounters.region(2), None);

    // With flag 142h set the live group is region 0 (silent); clear, region 1.
    assert_eq!(encounters.live(|flag| flag == 0x142), Some(0..1));
    assert_eq!(encounters.live(|_| false), Some(1..2));
    assert_eq!(encounters.find([15, 15], |_| true), Some((0, whole)));
    assert_eq!(encounters.find([15, 15], |_| false), Some((1, patch)));
    for (tile, inside) in [
        ([10, 10], true),
        ([20, 20], true),
        ([9, 10], false),
        ([10, 21], false),
    ] {
        assert_eq!(encounters.find(tile, |_| false).is_some(), inside);
    }
}

#[test]
fn the_writers_make_the_example() {
    let mut section = [0xEE; 48];
    let encounters = encounter::Source {
        strides: encounter::STRIDES,
        formations: &[
            Formation {
                scripted: 0,
                reserved: [0, 0],
                monsters: &[5],
            },
            Formation {
                scripted: 1,
                reserved: [0, 0],
                monsters: &[6, 7],
            },
        ],
        conditions: &[
            Condition {
                flag: 0x142,
                owned: 1,
            },
            Condition {
                flag: ALWAYS,
                owned: 1,
            },
        ],
        regions: &[
            encounter::Region {
                max: [0x7F, 0x7F],
                ..encounter::Region::default()
            },
            encounter::Region {
                min: [10, 10],
                max: [20, 20],
                rate: 6,
                count: 1,
                ..encounter::Region::default()
            },
        ],
    };
    assert_eq!(encounter::emit(&encounters, &mut section), Ok(48));
    let mut motion = [0xEE; 1];
    assert_eq!(motion::emit(&[], &mut motion), Ok(1));
    let mut cameras = [0xEE; 1];
    assert_eq!(camera::emit(&[], &mut cameras), Ok(1));
    let source = Source {
        flags: 0,
        floor: std::array::from_fn(|tier| 32 * tier as i16),
        objects: &[ObjectSource {
            label: &[0x82, 0x60],
            animation: 2,
            script: &[0x21],
        }],
        actors: &[
            ActorSource {
                label: &[],
                model: 0,
                animation: 0,
                tile: [0x7F, 0x7F],
                script: &[0x21],
            },
            ActorSource {
                label: &[0, 0],
                model: 3,
                animation: 1,
                tile: [0x9D, 0x16],
                script: &[0x25, 0x21],
            },
        ],
        beats: &[BeatSource {
            label: &[0x82, 0x60, 0x82, 0x61],
            c0: &[],
            c1: FlagList::from(&[0x225][..]),
            c2: FlagList::from(&[0x226][..]),
            script: &[0x21],
        }],
        encounters: &section,
        motion: &motion,
        name: b"Testville",
        cameras: &cameras,
        open: &[0],
        after: &[],
    };
    let out = written(&source);
    assert_eq!(out, EXAMPLE);
    assert_eq!(crc32(&out), 0xD415_F2C7);
    // Every shorter slice is refused.
    for room in 0..EXAMPLE.len() {
        let mut out = vec![0; room];
        assert_eq!(emit(&source, &mut out), Err(Error::OutputTooSmall { room }));
    }
}

// What the sheet says beside the example.

#[test]
fn flat_numbers() {
    let man = Man::parse(&EXAMPLE).unwrap();
    let flat = [
        (Partition::Object, 0),
        (Partition::Actor, 0),
        (Partition::Actor, 1),
        (Partition::Beat, 0),
    ];
    for (number, (partition, index)) in (0..).zip(flat) {
        assert_eq!(man.flat(partition, index), Ok(number));
        assert_eq!(man.locate(number), Ok((partition, index)));
        assert_eq!(man.record(number).unwrap().partition(), partition);
    }
    // Op 44 names beats by the flat number.
    assert_eq!(man.spawned_beat(3), man.beat(0));
    assert_eq!(man.spawned_beat(2), Err(Error::NoSuchRecord { flat: 2 }));
}

#[test]
fn the_status_word_and_extreme_heights() {
    let data = with(&[(0, &[0x00, 0x05]), (2, &[0x00, 0x80, 0xFF, 0x7F])]);
    let man = Man::parse(&data).unwrap();
    assert_eq!(man.flags(), 0x0500);
    assert!(man.is_bulk_terrain() && man.scene_flag());
    assert_eq!(man.floor()[..2], [-32768, 32767]);
    assert_eq!(man.heights()[..2], [-32768, -32767]);
}

#[test]
fn coordinates_of_tile_bytes() {
    for (byte, world) in [
        (0x00, 64),
        (0x80, 128),
        (0x7F, 16320),
        (0xFF, 16384),
        (0x1D, 3776),
    ] {
        assert_eq!(coordinate(byte), world);
    }
}

#[test]
fn models() {
    for (byte, model, slot) in [
        (0x00, Model::Scene(0), 5),
        (0xEF, Model::Scene(0xEF), 0xF4),
        (0xF0, Model::Resident(0), 0),
        (0xF3, Model::Resident(3), 3),
        (0xFF, Model::Resident(15), 15),
    ] {
        assert_eq!(Model::from_byte(byte), model);
        assert_eq!(model.pool_slot(), slot);
    }
}

#[test]
fn system_flags_count_from_the_high_bit() {
    // Flag f is bit 80h >> (f & 7) of byte f >> 3.
    let mut bank = [0; 0x80];
    bank[0x225 >> 3] = 0x80 >> (0x225 & 7);
    assert_eq!((0x225 >> 3, bank[0x44]), (0x44, 0x04));
    let set: Vec<u16> = (0..=u16::MAX).filter(|&f| flag_is_set(&bank, f)).collect();
    assert_eq!(set, [0x225]);
}

#[test]
fn a_beat_without_conditions_always_starts() {
    let source = Source {
        beats: &[BeatSource {
            label: &[],
            c0: &[1, 2, 3],
            c1: FlagList::default(),
            c2: FlagList::default(),
            script: &[0x26, 0xFF, 0xFF],
        }],
        encounters: &[8, 4, 9, 0, 0, 0],
        motion: &[0],
        cameras: &[0],
        ..Source::default()
    };
    let data = written(&source);
    let man = Man::parse(&data).unwrap();
    let beat = man.beat(0).unwrap();
    assert_eq!(beat.c0, [1, 2, 3]);
    assert!(beat.may_start(|_| true) && beat.may_start(|_| false));
    // The script parks in a jump to itself; pc0 = 1 + (1 + 3) + 1 + 1.
    assert_eq!(beat.script.pc0, 7);
    // No partition 1, no entry script, and that is fine.
    assert_eq!(man.entry_script(), Err(Error::NoEntryScript));
    assert_eq!(man.placements().count(), 0);
    // An empty encounter section never has a live group.
    assert_eq!(man.encounters().unwrap().live(|_| true), None);
}

#[test]
fn records_may_come_in_any_order() {
    // The example's table and partitions, records laid out last first.
    let order = [3, 2, 1, 0];
    let records = [
        &EXAMPLE[0x37..0x3C],
        &EXAMPLE[0x3C..0x42],
        &EXAMPLE[0x42..0x4B],
        &EXAMPLE[0x4B..0x58],
    ];
    let mut data = EXAMPLE[..0x37].to_vec();
    for flat in order {
        let start = data.len() - 0x37;
        data[0x2B + 3 * flat] = start as u8;
        data.extend_from_slice(records[flat]);
    }
    data.extend_from_slice(&EXAMPLE[0x58..]);
    let man = Man::parse(&data).unwrap();
    for (flat, record) in (0..).zip(records) {
        assert_eq!(man.record(flat).unwrap().script().base, record);
    }
    assert_eq!(man.beat(0).unwrap().label, [0x82, 0x60, 0x82, 0x61]);
}

#[test]
fn records_may_share_their_bytes() {
    // Actor 1 names the same bytes as the entry script; both end where the beat starts.
    let data = with(&[(0x2B + 6, &[5]), (0x2B + 9, &[20])]);
    let man = Man::parse(&data).unwrap();
    assert_eq!(
        man.record(1).unwrap().script().base,
        man.record(2).unwrap().script().base
    );
    assert_eq!(man.record(2).unwrap().script().base.len(), 15);
}

#[test]
fn kingdoms_have_locations_behind_the_sections() {
    let location = Location {
        region: 2,
        at: [10, 20],
        flag: 0x321,
        name: *b"Drake Castle\0\0\0\0\0\0\0\0\0\0\0\0",
    };
    let mut table = [0xEE; 33];
    assert_eq!(Locations::emit(&[location], &mut table), Ok(33));
    assert_eq!(table[..9], [1, 2, 10, 20, 0x21, 0x03, 0, 0, 0]);
    let data = [&EXAMPLE[..], &table].concat();
    let man = Man::parse(&data).unwrap();
    let locations = man.locations().unwrap();
    assert_eq!(locations.len(), 1);
    let found = locations.iter().next().unwrap();
    assert_eq!(found, location);
    assert_eq!(found.name(), b"Drake Castle");
    assert_eq!(found.position(), [1280, 2560]);
    // A table that passes the end is none.
    assert!(Man::parse(&data[..199]).unwrap().locations().is_none());
}

#[test]
fn camera_regions() {
    let region = |kind, min, max, first| CameraRegion {
        kind,
        min,
        max,
        preset: std::array::from_fn(|at| first + at as u8),
    };
    let regions = [
        region(1, [2, 3], [4, 5], 100),
        region(2, [0, 0], [127, 127], 7),
    ];
    let mut body = [0xEE; 37];
    assert_eq!(camera::emit(&regions, &mut body), Ok(37));
    assert_eq!(body[..8], [2, 1, 2, 3, 4, 5, 100, 101]);
    assert_eq!(body[19..25], [2, 0, 0, 127, 127, 7]);
    let cameras = camera::Cameras::parse(&body).unwrap();
    assert!(cameras.iter().eq(regions));
    // (pos - 64) >> 7: tile 2 begins at 320, tile 4 ends at 703.
    assert_eq!(camera::query_tile(320, 319), [2, 1]);
    assert_eq!(camera::query_tile(0, 63), [-1, -1]);
    for (x, z, first) in [
        (320, 448, true),
        (319, 448, false),
        (703, 831, true),
        (704, 831, false),
        (703, 832, false),
    ] {
        let expected = usize::from(!first);
        assert_eq!(cameras.find(x, z), Some(regions[expected]), "({x}, {z})");
    }
    assert_eq!(cameras.find(0, 0), None);
}

#[test]
fn motion_records_and_variants() {
    let mut stream = [0xEE; 64];
    let length = motion::emit_stream(
        &[
            (0x142, &[0x05, 0x10]),
            (0x1143, &[0x01]),
            (motion::DEFAULT, &[0x03, 1, 2, 0x01]),
        ],
        &mut stream,
    )
    .unwrap();
    #[rustfmt::skip]
    assert_eq!(stream[..length], [
        0x42, 0x01, 0x06, 0x00, 0x05, 0x10,
        0x43, 0x11, 0x05, 0x00, 0x01,
        0xFF, 0xFF, 0x00, 0x00, 0x03, 1, 2, 0x01,
    ]);
    let mut body = [0xEE; 64];
    let records = [
        MotionSource {
            pairs: &[[7, 1], [motion::PLAYER, 0]],
            stream: &stream[..length],
        },
        MotionSource {
            pairs: &[[7, 0]],
            stream: &[],
        },
    ];
    let length = motion::emit(&records, &mut body).unwrap();
    assert_eq!(body[..7], [2, 26, 0, 7, 1, 0xF8, 0]);
    assert_eq!(body[26..length], [1, 5, 0, 7, 0, 0]);
    let table = Motion::parse(&body[..length]).unwrap();
    let offsets: Vec<_> = table.records().map(|it| it.offset).collect();
    assert_eq!(offsets, [0, 26]);
    let (record, enable) = table.find(7).unwrap();
    assert_eq!((record.offset, enable), (0, 1));
    assert_eq!(table.find(motion::PLAYER).unwrap().1, 0);
    assert!(table.find(8).is_none());
    let code = |set: &dyn Fn(u16) -> bool| record.select(set).map(|it| it.code[0]);
    assert_eq!(code(&|flag| flag == 0x142), Some(0x05));
    // Only twelve bits of a selector are the flag.
    assert_eq!(code(&|flag| flag == 0x143), Some(0x01));
    assert_eq!(code(&|_| false), Some(0x03));
    let (second, _) = Motion::parse(&[1, 5, 0, 7, 0, 0]).unwrap().find(7).unwrap();
    assert_eq!(second.select(|_| true), None);
}

#[test]
fn the_games_motion_walk_stops_where_it_must() {
    // A delta of 0 ends the chain after its record.
    let body = [1, 0, 0, 7, 1, 0xFF, 0xFF, 0, 0, 0x21, 9];
    assert_eq!(
        Motion::parse(&body).err(),
        Some(Error::BadMotionTable { offset: 0 })
    );
    let records: Vec<_> = Motion::lenient(&body).records().collect();
    assert_eq!(records.len(), 1);
    assert_eq!(records[0].select(|_| false).unwrap().code, [0x21, 9]);
    // A negative one too; one past the end leaves a short stream; a cut record is none.
    assert_eq!(Motion::lenient(&[1, 0xFF, 0xFF, 7, 1]).records().count(), 1);
    assert_eq!(Motion::lenient(&[1, 0xFF, 0x7F, 7, 1]).records().count(), 1);
    assert_eq!(Motion::lenient(&[1, 0xFF, 0x7F, 7]).records().count(), 0);
    assert_eq!(Motion::lenient(&[]).records().count(), 0);
    // Variant chains that do not move on end.
    let stuck = [1, 9, 0, 7, 1, 0x42, 0x01, 0x00, 0x00, 0];
    let table = Motion::parse(&stuck).unwrap();
    assert_eq!(table.find(7).unwrap().0.variants().count(), 1);
}

#[test]
fn rows_may_be_longer_than_what_is_known() {
    let body = [
        10, 6, 10, 1, 0, 9, 8, 1, 77, 1, 2, 3, 4, 5, 1, 0xFF, 0xFF, 1, 0, 0xAA, 0xBB, 1, 1, 2, 3,
        4, 24, 99, 0, 1, 0xE5, 0xCC,
    ];
    let encounters = Encounters::parse(&body).unwrap();
    let formation = encounters.formation(0).unwrap();
    assert_eq!(
        (formation.reserved, formation.monsters),
        ([9, 8], &[77][..])
    );
    let region = encounters.region(0).unwrap();
    assert_eq!(
        (region.unknown, region.backdrop, region.stage()),
        (99, 0xE5, 5)
    );
    // Rows of eight bytes have no stage.
    let short = [8, 4, 8, 0, 0, 1, 1, 2, 3, 4, 5, 6, 0, 0];
    assert_eq!(
        Encounters::parse(&short)
            .unwrap()
            .region(0)
            .unwrap()
            .stage(),
        0
    );
}

// Every row of the sheet's table of errors.

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
fn too_large() {
    let script = vec![0x21; 1 << 20];
    let object = ObjectSource {
        label: &[],
        animation: 0,
        script: &script,
    };
    let objects = [object; 16];
    let source = Source {
        objects: &objects,
        ..Source::default()
    };
    let size = 0x2B + 16 * (3 + 2 + (1 << 20)) + 6 * 3 + 1;
    assert_eq!(emit(&source, &mut []), Err(Error::TooLarge { size }));
    // The largest one there is: 16 MiB - 1.
    let rest = &script[..script.len() - (size - MAX_SIZE)];
    let mut objects = objects;
    objects[15].script = rest;
    let source = Source {
        objects: &objects,
        ..Source::default()
    };
    let mut out = vec![0; MAX_SIZE + 1];
    assert_eq!(emit(&source, &mut out), Ok(MAX_SIZE));
    let man = Man::parse_lenient(&out[..MAX_SIZE]).unwrap();
    assert_eq!(man.object(15).unwrap().script.code(), rest);
    assert_eq!(man.object(14).unwrap().script.code(), script);
}

#[test]
fn what_the_writers_refuse() {
    let object = |label, script| ObjectSource {
        label,
        animation: 0,
        script,
    };
    let objects = |objects: &[ObjectSource<'_>]| {
        let source = Source {
            objects,
            ..Source::default()
        };
        emit(&source, &mut [0; 2000]).err()
    };
    let bad = Some(Error::BadHeader { flat: 1 });
    let good = object(&[], &[0x21]);
    assert_eq!(objects(&[good, object(&[1], &[0x21])]), bad);
    assert_eq!(objects(&[good, object(&[1; 512], &[0x21])]), bad);
    assert_eq!(objects(&[good, object(&[1; 510], &[0x21])]), None);
    assert_eq!(
        objects(&[object(&[], &[])]),
        Some(Error::EmptyScript { flat: 0 })
    );
    let many = vec![good; 0x8000];
    assert_eq!(objects(&many), Some(Error::TooManyRecords { partition: 0 }));

    let words = [7; 256];
    let beats = |c0: &[u8], c1: &[u16], c2: &[u16]| {
        let beat = BeatSource {
            label: &[],
            c0,
            c1: c1.into(),
            c2: c2.into(),
            script: &[0x21],
        };
        let source = Source {
            beats: &[beat],
            ..Source::default()
        };
        emit(&source, &mut [0; 4000]).err()
    };
    let bad = Some(Error::BadHeader { flat: 0 });
    assert_eq!(beats(&[0; 256], &[], &[]), bad);
    assert_eq!(beats(&[], &words, &[]), bad);
    assert_eq!(beats(&[], &[], &words), bad);
    assert_eq!(beats(&[0; 255], &words[..255], &words[..255]), None);

    let source = Source {
        name: b"a\0b",
        ..Source::default()
    };
    assert_eq!(emit(&source, &mut [0; 100]), Err(Error::BadName));

    let encounters = |strides, monsters: &[u8], conditions: &[Condition], regions: &[_]| {
        let source = encounter::Source {
            strides,
            formations: &[Formation {
                scripted: 0,
                reserved: [0, 0],
                monsters,
            }],
            conditions,
            regions,
        };
        encounter::emit(&source, &mut [0; 4000]).err()
    };
    let region = encounter::Region::default();
    let formation = Some(Error::BadFormation { row: 0 });
    assert_eq!(encounters([8, 4, 9], &[1, 2, 3, 4], &[], &[region]), None);
    assert_eq!(encounters([9, 4, 9], &[1, 2, 3, 4, 5], &[], &[]), formation);
    assert_eq!(encounters([7, 4, 9], &[1, 2, 3, 4], &[], &[]), formation);
    assert_eq!(encounters([3, 4, 9], &[], &[], &[]), formation);
    let owned = |owned| [Condition { flag: 0, owned }];
    let conditions = Some(Error::BadConditions { index: 0 });
    assert_eq!(
        encounters([8, 4, 9], &[], &owned(-1), &[region]),
        conditions
    );
    assert_eq!(encounters([8, 4, 9], &[], &owned(2), &[region]), conditions);
    let array = Array::Conditions;
    let stride = Some(Error::BadStride { array });
    assert_eq!(encounters([8, 3, 9], &[], &owned(0), &[]), stride);
    let array = Array::Regions;
    assert_eq!(
        encounters([8, 4, 7], &[], &[], &[region]),
        Some(Error::BadStride { array })
    );
    let lost = encounter::Region { count: 2, ..region };
    let bad = Some(Error::BadRegion { index: 1 });
    assert_eq!(encounters([8, 4, 9], &[], &[], &[region, lost]), bad);
    let staged = encounter::Region {
        backdrop: 3,
        ..region
    };
    assert_eq!(encounters([8, 4, 8], &[], &[], &[region]), None);
    let bad = Some(Error::BadRow { index: 1 });
    assert_eq!(encounters([8, 4, 8], &[], &[], &[region, staged]), bad);
    let many = Some(Error::BadRow { index: 255 });
    assert_eq!(encounters([8, 4, 8], &[], &[], &[region; 256]), many);
    assert_eq!(encounters([8, 4, 8], &[], &[], &[region; 255]), None);

    let motion = |pairs: &[[u8; 2]], length: usize| {
        let stream = vec![0; length];
        let record = MotionSource {
            pairs,
            stream: &stream,
        };
        motion::emit(&[record], &mut [0; 33000]).err()
    };
    let bad = Some(Error::BadRow { index: 0 });
    assert_eq!(motion(&[], 4), bad);
    assert_eq!(motion(&[[0, 0]; 256], 4), bad);
    assert_eq!(motion(&[[0, 0]; 255], 32767 - 513), None);
    assert_eq!(motion(&[[0, 0]; 255], 32767 - 512), bad);
    let stream = [(motion::DEFAULT, &[1][..]), (3, &[1][..])];
    assert_eq!(
        motion::emit_stream(&stream, &mut [0; 90]),
        Err(Error::BadRow { index: 0 })
    );
    assert!(camera::emit(&[CameraRegion::default(); 256], &mut [0; 9000]).is_err());
    assert!(Locations::emit(&[Location::default(); 256], &mut [0; 9000]).is_err());
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

// Resizing a record (section 4).

#[test]
fn splicing_moves_what_is_behind() {
    let man = Man::parse(&EXAMPLE).unwrap();
    let mut out = [0xEE; 200];
    // Three bytes into the actor's script, between its two ops.
    let length = splice(&man, 2, 8..8, &[0xAA, 0xBB, 0xCC], &mut out).unwrap();
    assert_eq!(length, 170);
    let edited = Man::parse(&out[..length]).unwrap();
    assert_eq!(
        edited.actor(1).unwrap().script.code(),
        [0x25, 0xAA, 0xBB, 0xCC, 0x21]
    );
    for flat in [0, 1, 3] {
        let (old, new) = (man.record(flat).unwrap(), edited.record(flat).unwrap());
        assert_eq!(old.script().base, new.script().base);
    }
    assert_eq!(edited.section_start(0), Some(0x5B));
    assert_eq!(
        out[0x28..0x37],
        [0x24, 0, 0, 0, 0, 0, 5, 0, 0, 11, 0, 0, 23, 0, 0]
    );
    assert!((0..6).all(|index| man.section(index) == edited.section(index)));
    // And back again.
    let mut back = [0xEE; 200];
    let length = splice(&edited, 2, 8..11, &[], &mut back).unwrap();
    assert_eq!(back[..length], EXAMPLE);
    // At the end of a record the next one moves, the record itself grows.
    let length = splice(&man, 0, 5..5, &[1], &mut out).unwrap();
    let edited = Man::parse(&out[..length]).unwrap();
    assert_eq!(edited.object(0).unwrap().script.code(), [0x21, 1]);
    assert_eq!(edited.entry_script().unwrap().offset, 0x3D);
}

#[test]
fn what_splicing_refuses() {
    let man = Man::parse(&EXAMPLE).unwrap();
    let mut out = [0; 200];
    let mut splice = |flat, range, with: &[u8]| splice(&man, flat, range, with, &mut out).err();
    let range = Some(Error::EditOutOfRange { flat: 2 });
    assert_eq!(splice(2, 6..8, &[1]), range);
    assert_eq!(splice(2, 8..10, &[1]), range);
    #[expect(clippy::reversed_empty_ranges, reason = "what it is about")]
    let reversed = 8..7;
    assert_eq!(splice(2, reversed, &[1]), range);
    assert_eq!(splice(2, 7..9, &[]), Some(Error::EmptyScript { flat: 2 }));
    assert_eq!(splice(4, 0..0, &[]), Some(Error::NoSuchRecord { flat: 4 }));
    let small = Some(Error::OutputTooSmall { room: 200 });
    assert_eq!(splice(2, 7..7, &[0; 34]), small);
    assert_eq!(splice(2, 7..7, &[0; 33]), None);
    let huge = vec![0; MAX_SIZE];
    let size = MAX_SIZE + 167;
    assert_eq!(splice(2, 7..7, &huge), Some(Error::TooLarge { size }));
}

/// A MAN with this table of one partition; the data region holds zeros, and `counts` at their places.
fn tabled(starts: &[u32], counts: &[(u16, u8)], partition: usize, limit: u32) -> Vec<u8> {
    let mut data = EXAMPLE[..0x22].to_vec();
    let mut numbers = [0; 3];
    numbers[partition] = starts.len() as u16;
    data.extend(numbers.iter().flat_map(|it| it.to_le_bytes()));
    data.extend_from_slice(&limit.to_le_bytes()[..3]);
    for start in starts {
        data.extend_from_slice(&start.to_le_bytes()[..3]);
    }
    let region = data.len();
    data.resize(region + limit as usize, 0);
    for &(at, value) in counts {
        if let Some(byte) = data[region..].get_mut(usize::from(at)) {
            *byte = value;
        }
    }
    data.extend_from_slice(&EXAMPLE[0x58..]);
    data
}

/// `len` starts in no order, some of them more than once.
fn mixed(len: u32, limit: u32) -> Vec<u32> {
    (0..len)
        .map(|n| n.wrapping_mul(0x9E37_79B1) % limit / 3 * 3)
        .collect()
}

#[test]
fn records_of_a_mixed_table_are_those_of_the_single_accesses() {
    for len in [1, 2, 1023, 1024, 1025, 2100] {
        for limit in [5000, 60_000_u32]
            .into_iter()
            .take(if len > 1000 { 1 } else { 2 })
        {
            let data = tabled(&mixed(len, limit + 100), &[(7, 3), (900, 255)], 0, limit);
            let man = Man::parse_lenient(&data).unwrap();
            let single = (0..len).map(|flat| man.record(flat));
            assert!(man.records().eq(single), "{len} {limit}");
            let data = tabled(&mixed(len, limit), &[], 1, limit);
            let man = Man::parse_lenient(&data).unwrap();
            let single = (1..len as u16).map(|index| man.actor(index));
            assert!(man.placements().eq(single), "{len} {limit}");
        }
    }
}

#[test]
fn records_of_a_long_mixed_table_do_not_cost_a_walk_each() {
    const LEN: u32 = 0x7FFF;
    let data = tabled(&mixed(LEN, 0x40_0000), &[], 0, 0x40_0000);
    let man = Man::parse_lenient(&data).unwrap();
    let before = std::time::Instant::now();
    let single = (0..LEN).step_by(LEN as usize / 64);
    let found = single.map(|flat| usize::from(man.record(flat).is_ok()));
    let (walks, _) = (found.len() as u32, found.sum::<usize>());
    let walk = before.elapsed() / walks;
    let before = std::time::Instant::now();
    assert_eq!(man.records().count(), LEN as usize);
    let all = before.elapsed();
    // A 1,000th to be expected; the tenth allows for a machine that is busy with other things.
    assert!(all < walk * (LEN / 10), "{all:?}, a walk takes {walk:?}");
}

// Properties.

/// Everything that a reader can be asked, to see that nothing panics and everything ends.
fn visit(man: &Man<'_>) -> usize {
    let mut found = 0;
    // A table that does not ascend makes each record cost a walk over it.
    for flat in 0..man.len().min(200) {
        if let Ok(record) = man.record(flat) {
            let script = record.script();
            assert!(usize::from(script.pc0) < script.base.len());
            assert_eq!(
                man.bytes()[script.offset..][..script.base.len()],
                *script.base
            );
            found += script.code().len();
            if let Record::Beat(beat) = record {
                found += usize::from(beat.may_start(|flag| flag & 1 != 0));
            }
        }
    }
    if let Ok(encounters) = man.encounters() {
        found += encounters.formations().count() + encounters.regions().count();
        found += usize::from(encounters.find([3, 4], |flag| flag & 1 != 0).is_some());
        found += usize::from(encounters.is_retail_shaped());
    }
    for record in Motion::lenient(man.section(1)).records() {
        found += record.pairs().count() + record.variants().count();
        found += usize::from(record.select(|flag| flag & 1 != 0).is_some());
    }
    found += man.name().map_or(0, <[u8]>::len);
    found += man.cameras().map_or(0, |it| it.iter().count());
    found += man.locations().map_or(0, |it| it.iter().count());
    found + man.open_section().map_or(0, <[u8]>::len) + man.placements().take(50).count()
}

prop_compose! {
    fn label()(label in prop::collection::vec(any::<u8>(), 0..6)) -> Vec<u8> {
        let mut label = label;
        label.truncate(label.len() / 2 * 2);
        label
    }
}

fn script() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 1..20)
}

type Object = (Vec<u8>, u8, Vec<u8>);
type Actor = (Vec<u8>, u8, u8, [u8; 2], Vec<u8>);
type Beat = (Vec<u8>, Vec<u8>, Vec<u16>, Vec<u16>, Vec<u8>);

#[derive(Clone, Debug)]
struct World {
    flags: u16,
    floor: [i16; 16],
    objects: Vec<Object>,
    actors: Vec<Actor>,
    beats: Vec<Beat>,
    name: Vec<u8>,
    open: Vec<u8>,
    after: Vec<u8>,
}

fn world() -> impl Strategy<Value = World> {
    let bytes = |len| prop::collection::vec(any::<u8>(), 0..len);
    let words = || prop::collection::vec(any::<u16>(), 0..4);
    let objects = prop::collection::vec((label(), any::<u8>(), script()), 0..5);
    let actor = (
        label(),
        any::<u8>(),
        any::<u8>(),
        any::<[u8; 2]>(),
        script(),
    );
    let beat = (label(), bytes(4), words(), words(), script());
    let records = (
        objects,
        prop::collection::vec(actor, 0..5),
        prop::collection::vec(beat, 0..5),
    );
    let name = prop::collection::vec(1..=255_u8, 0..9);
    let rest = (name, bytes(9), bytes(40));
    (any::<u16>(), any::<[i16; 16]>(), records, rest).prop_map(|(flags, floor, records, rest)| {
        let (objects, actors, beats) = records;
        let (name, open, after) = rest;
        World {
            flags,
            floor,
            objects,
            actors,
            beats,
            name,
            open,
            after,
        }
    })
}

/// Write the world.
fn emit_world(world: &World) -> Vec<u8> {
    let objects: Vec<_> = world
        .objects
        .iter()
        .map(|(label, animation, script)| ObjectSource {
            label,
            animation: *animation,
            script,
        })
        .collect();
    let actors: Vec<_> = world
        .actors
        .iter()
        .map(|(label, model, animation, tile, script)| ActorSource {
            label,
            model: *model,
            animation: *animation,
            tile: *tile,
            script,
        })
        .collect();
    let beats: Vec<_> = world
        .beats
        .iter()
        .map(|(label, c0, c1, c2, script)| BeatSource {
            label,
            c0,
            c1: c1[..].into(),
            c2: c2[..].into(),
            script,
        })
        .collect();
    written(&Source {
        flags: world.flags,
        floor: world.floor,
        objects: &objects,
        actors: &actors,
        beats: &beats,
        encounters: &EXAMPLE[ENCOUNTERS..ENCOUNTERS + 48],
        motion: &[1, 5, 0, 7, 1, 0],
        name: &world.name,
        cameras: &[0],
        open: &world.open,
        after: &world.after,
    })
}

/// Read it back.
fn read_world(man: &Man<'_>) -> World {
    let range = |partition| 0..man.count(partition);
    World {
        flags: man.flags(),
        floor: man.floor(),
        objects: range(Partition::Object)
            .map(|index| man.object(index).unwrap())
            .map(|it| (it.label.to_vec(), it.animation, it.script.code().to_vec()))
            .collect(),
        actors: range(Partition::Actor)
            .map(|index| man.actor(index).unwrap())
            .map(|it| {
                let script = it.script.code().to_vec();
                (it.label.to_vec(), it.model, it.animation, it.tile, script)
            })
            .collect(),
        beats: range(Partition::Beat)
            .map(|index| man.beat(index).unwrap())
            .map(|it| {
                let lists = (it.c1.iter().collect(), it.c2.iter().collect());
                let script = it.script.code().to_vec();
                (it.label.to_vec(), it.c0.to_vec(), lists.0, lists.1, script)
            })
            .collect(),
        name: man.name().unwrap().to_vec(),
        open: man.section(4).to_vec(),
        after: man.after_sections().to_vec(),
    }
}

/// Swap records in the layout, keeping the table's meaning: the record at flat number `n` keeps its
/// bytes, but they lie where `order` puts them.
fn shuffled(data: &[u8], order: &[usize]) -> Vec<u8> {
    let man = Man::parse(data).unwrap();
    let region = 0x2B + 3 * order.len();
    let mut out = data[..region].to_vec();
    for &flat in order {
        let start = (out.len() - region) as u32;
        out[0x2B + 3 * flat..][..3].copy_from_slice(&start.to_le_bytes()[..3]);
        out.extend_from_slice(man.record(flat as u32).unwrap().script().base);
    }
    out.extend_from_slice(&data[man.section_start(0).unwrap()..]);
    out
}

proptest! {
    #[test]
    fn what_is_written_reads_back(world in world()) {
        let data = emit_world(&world);
        let man = Man::parse(&data).unwrap();
        let back = read_world(&man);
        prop_assert_eq!(format!("{back:?}"), format!("{world:?}"));
        prop_assert_eq!(emit_world(&back), data);
    }

    #[test]
    fn the_order_of_records_does_not_matter(world in world(), seed in any::<u64>()) {
        let data = emit_world(&world);
        let count = world.objects.len() + world.actors.len() + world.beats.len();
        let mut order: Vec<_> = (0..count).collect();
        let mut seed = seed | 1;
        for last in (1..count).rev() {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            order.swap(last, (seed >> 33) as usize % (last + 1));
        }
        let mixed = shuffled(&data, &order);
        let man = Man::parse(&mixed).unwrap();
        prop_assert_eq!(format!("{:?}", read_world(&man)), format!("{world:?}"));
    }

    /// The strict check of a table that does not ascend must find what the accesses find, first of all
    /// the first record.
    #[test]
    fn the_quick_check_of_mixed_tables_is_right(
        starts in prop::collection::vec(0..40_000_u32, 1..60),
        counts in prop::collection::vec((any::<u16>(), any::<u8>()), 0..200),
        partition in 0..3_usize,
        limit in 1..40_000_u32,
    ) {
        let data = tabled(&starts, &counts, partition, limit);
        let man = Man::parse_lenient(&data).unwrap();
        let first = man.records().find_map(Result::err);
        prop_assert_eq!(Man::parse(&data).err(), first);
    }

    #[test]
    fn splices_keep_everything_else(world in world(), pick in any::<u32>(), cut in any::<(u8, u8)>(), with in prop::collection::vec(any::<u8>(), 0..9)) {
        let data = emit_world(&world);
        let man = Man::parse(&data).unwrap();
        prop_assume!(!man.is_empty());
        let flat = pick % man.len();
        let script = man.record(flat).unwrap().script();
        let (pc0, len) = (usize::from(script.pc0), script.base.len());
        let start = pc0 + usize::from(cut.0) % (len - pc0 + 1);
        let end = start + usize::from(cut.1) % (len - start + 1);
        let mut out = vec![0; data.len() + 10];
        let spliced = splice(&man, flat, start..end, &with, &mut out);
        if end - start == len - pc0 && with.is_empty() {
            prop_assert_eq!(spliced, Err(Error::EmptyScript { flat }));
            return Ok(());
        }
        let length = spliced.unwrap();
        let edited = Man::parse(&out[..length]).unwrap();
        for other in 0..man.len() {
            let base = edited.record(other).unwrap().script().base;
            let mut expected = man.record(other).unwrap().script().base.to_vec();
            if other == flat {
                expected.splice(start..end, with.iter().copied());
            }
            prop_assert_eq!(base, expected);
        }
        for index in 0..6 {
            prop_assert_eq!(edited.section(index), man.section(index));
        }
        prop_assert_eq!(edited.after_sections(), man.after_sections());
    }

    #[test]
    fn arbitrary_bytes_never_panic(data in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = Man::parse(&data);
        if let Ok(man) = Man::parse_lenient(&data) {
            visit(&man);
        }
        let _ = Encounters::parse(&data);
        let _ = Motion::parse(&data);
    }

    #[test]
    fn damaged_files_never_panic(world in world(), damage in prop::collection::vec((any::<u16>(), any::<u8>()), 1..6), cut in any::<u16>()) {
        let mut data = emit_world(&world);
        for (at, value) in damage {
            let at = usize::from(at) % data.len();
            data[at] = value;
        }
        data.truncate(data.len() - usize::from(cut) % data.len().min(20));
        if let Ok(man) = Man::parse_lenient(&data) {
            visit(&man);
        }
        if let Ok(man) = Man::parse(&data) {
            // What the strict reader accepts has nothing wrong in it.
            prop_assert!(man.records().all(|it| it.is_ok()));
            prop_assert!(man.encounters().is_ok() && man.motion().is_ok() && man.name().is_ok());
            prop_assert!(man.cameras().is_ok());
        }
    }
}

#[test]
fn a_table_with_the_most_records_in_falling_order_is_read() {
    // Looking for each end in the whole table would take many minutes in a debug build.
    let count = 3 * 0x7FFF_u32;
    let region = 0x2B + 3 * count as usize;
    let limit = 1_u32 << 20;
    let mut data = vec![0; 0x22];
    for _ in 0..3 {
        data.extend_from_slice(&[0xFF, 0x7F]);
    }
    data.extend_from_slice(&limit.to_le_bytes()[..3]);
    let step = limit / count;
    for index in (0..count).rev() {
        data.extend_from_slice(&(index * step).to_le_bytes()[..3]);
    }
    data.resize(region + limit as usize, 0);
    data.extend_from_slice(&EXAMPLE[0x58..]);
    let man = Man::parse(&data).expect("order does not matter");
    assert_eq!(man.records().count(), count as usize);
}
