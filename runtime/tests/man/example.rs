//! The sheet's worked example, read and written.

use super::common::{EXAMPLE, written};
use overworld_runtime::bytes::crc32;
use overworld_runtime::scene::man::encounter::{self, ALWAYS, Condition, Formation};
use overworld_runtime::scene::man::{
    ActorSource, BeatSource, Error, FlagList, Man, Model, ObjectSource, Partition, Source, camera,
    emit, motion,
};

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
