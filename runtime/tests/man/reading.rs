//! What the readers make of files that are well.

use super::common::{EXAMPLE, with, written};
use overworld_runtime::scene::man::camera::{self, CameraRegion};
use overworld_runtime::scene::man::encounter::Encounters;
use overworld_runtime::scene::man::motion::{self, Motion, MotionSource};
use overworld_runtime::scene::man::{
    BeatSource, Error, FlagList, Location, Locations, Man, Model, Partition, Source, coordinate,
    flag_is_set,
};

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
