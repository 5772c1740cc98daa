//! What the writers make, and what they refuse.

use super::common::EXAMPLE;
use overworld_runtime::scene::man::camera::{self, CameraRegion};
use overworld_runtime::scene::man::encounter::{self, Condition, Formation};
use overworld_runtime::scene::man::motion::{self, MotionSource};
use overworld_runtime::scene::man::{
    Array, BeatSource, Error, Location, Locations, MAX_SIZE, Man, ObjectSource, Source, emit,
    splice,
};

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
