//! The scene's program.

use std::collections::BTreeSet;
use std::ops::Range;

use overworld_runtime::scene::man::{
    self, ActorSource, BeatSource, Encounters, Error, Location, Locations, Man, Motion,
    ObjectSource, Partition, Record, SECTIONS, Source, camera, encounter, motion,
};
use overworld_runtime::script::dis::{Labels, lines};

use super::{Choices, is_inside, take_u8};

/// Records that are looked at, so that a long table does not take long.
const MOST: u32 = 512;

/// `[u8 seed]`, then a decoded MAN.
///
/// Strict implies lenient and lets every access succeed; records, scripts and sections lie inside
/// the file; flat numbers and partitions agree; an edit changes its record and no other; file and
/// sections can be written again.
pub fn man(data: &[u8]) -> bool {
    let (seed, data) = take_u8(data);
    let mut choices = Choices::new(seed.into());
    // Section 0 alone is worth a look of its own: it has the most structure.
    let _ = encounters(data, &mut choices);
    motions(data, &mut choices);
    cameras(data, &mut choices);
    locations(data);
    let strict = Man::parse(data);
    let man = match (Man::parse_lenient(data), strict) {
        (Ok(man), _) => man,
        (Err(error), strict) => {
            assert_eq!(strict.err(), Some(error), "lenient takes what strict takes");
            return false;
        }
    };
    assert_eq!(man.bytes(), data);
    assert_eq!(man.heights().map(i16::wrapping_neg), man.floor());
    records(&man);
    if man.len() > MOST {
        return strict.is_ok();
    }
    let bad = man.records().find_map(Result::err);
    if strict.is_ok() {
        assert_eq!(bad, None, "a strict file has good records");
    }
    for index in 0..SECTIONS {
        let body = man.section(index);
        let start = man.section_start(index).expect("six sections");
        let [a, b, c] = [data[start], data[start + 1], data[start + 2]];
        let length = u32::from_le_bytes([a, b, c, 0]) as usize;
        assert_eq!(body, &data[start + 3..start + 3 + length]);
    }
    assert_eq!(man.section_start(SECTIONS), None);
    assert!(data.ends_with(man.after_sections()));
    let sections = [
        encounters(man.section(0), &mut choices),
        man.motion().map(|_| ()),
        man.name().map(|name| assert!(!name.contains(&0))),
        man.cameras().map(|_| ()),
    ];
    if strict.is_ok() {
        assert_eq!(sections, [Ok(()); 4]);
        assert!(man.section(5).is_empty());
    }
    motions(man.section(1), &mut choices);
    cameras(man.section(3), &mut choices);
    locations(man.after_sections());
    if bad.is_none() {
        edit(&man, &mut choices);
        if man.name().is_ok() {
            write_again(&man, strict.is_ok());
        }
    }
    strict.is_ok()
}

/// Numbers, ranges and headers of records.
fn records(man: &Man<'_>) {
    let counts = Partition::ALL.map(|partition| u32::from(man.count(partition)));
    assert_eq!(man.len(), counts.iter().sum::<u32>());
    assert_eq!(man.is_empty(), man.records().next().is_none());
    for flat in 0..man.len().min(MOST) {
        let (partition, index) = man.locate(flat).expect("below the count");
        assert_eq!(man.flat(partition, index), Ok(flat));
        let Ok(record) = man.record(flat) else {
            continue;
        };
        let script = record.script();
        assert_eq!((script.flat, record.partition()), (flat, partition));
        assert!(is_inside(script.base, man.bytes()));
        let end = script.offset + script.base.len();
        assert_eq!(&man.bytes()[script.offset..end], script.base);
        assert_eq!(script.code().first(), Some(&script.first()));
        assert!(script.base.ends_with(script.code()));
        let spawned = man.spawned_beat(flat);
        match record {
            Record::Object(record) => assert_eq!(man.object(index), Ok(record)),
            Record::Actor(record) => {
                assert_eq!(man.actor(index), Ok(record));
                assert!(record.position().iter().all(|at| (64..=16384).contains(at)));
                assert!(record.look().pool_slot() <= 0xEF + 5);
            }
            Record::Beat(record) => {
                assert_eq!(man.beat(index), Ok(record));
                assert_eq!(spawned, Ok(record));
                let free = record
                    .c2
                    .iter()
                    .all(|flag| record.c1.iter().all(|c| c != flag));
                let c2: Vec<u16> = record.c2.iter().collect();
                assert_eq!(record.may_start(|flag| c2.contains(&flag)), free);
            }
        }
        assert_eq!(spawned.is_ok(), partition == Partition::Beat);
    }
    let flat = man.len();
    assert_eq!(man.record(flat), Err(Error::NoSuchRecord { flat }));
    assert!(man.locate(flat).is_err());
    let entry = man.entry_script();
    if man.count(Partition::Actor) == 0 {
        assert_eq!(entry, Err(Error::NoEntryScript));
    } else {
        assert_eq!(entry.is_ok(), man.actor(0).is_ok());
    }
}

/// Section 0.
fn encounters(body: &[u8], choices: &mut Choices) -> Result<(), Error> {
    let section = Encounters::parse(body)?;
    let formations: Vec<_> = section.formations().collect();
    let conditions: Vec<_> = section.conditions().collect();
    let regions: Vec<_> = section.regions().collect();
    let counts = [formations.len(), conditions.len(), regions.len()];
    assert_eq!(section.counts().map(usize::from), counts);
    for (row, formation) in (0..).zip(&formations) {
        assert!(is_inside(formation.monsters, body));
        let at = section.formation_offset(row).expect("counted");
        assert_eq!(
            body[at + 4..][..formation.monsters.len()],
            *formation.monsters
        );
    }
    for region in &regions {
        assert!(
            region
                .formations()
                .all(|row| usize::from(row) < formations.len())
        );
        assert!(region.stage() < 32);
    }
    let flag = conditions.first().map_or(0, |it| it.flag);
    for set in [false, true] {
        let live = section.live(|it| set && it == flag);
        if let Some(live) = live.clone() {
            assert!(live.start <= live.end && usize::from(live.end) <= regions.len());
        }
        let tile = [choices.below(128) as u8, choices.below(128) as u8];
        if let Some((index, region)) = section.find(tile, |it| set && it == flag) {
            assert!(live.is_some_and(|live| live.contains(&index)));
            assert!(region.contains(tile) && section.region(index) == Some(region));
        }
    }
    let _ = section.is_retail_shaped();
    let mut out = vec![0xEE; body.len()];
    let source = encounter::Source {
        strides: section.strides(),
        formations: &formations,
        conditions: &conditions,
        regions: &regions,
    };
    let length = encounter::emit(&source, &mut out).expect("never longer than it was");
    let again = Encounters::parse(&out[..length]).expect("just written");
    assert_eq!(again.strides(), section.strides());
    assert!(again.formations().eq(formations));
    assert!(again.conditions().eq(conditions));
    assert!(again.regions().eq(regions));
    Ok(())
}

/// Section 1.
fn motions(body: &[u8], choices: &mut Choices) {
    let lenient = Motion::lenient(body);
    let records: Vec<_> = lenient.records().collect();
    assert!(records.len() <= body.len());
    let set = choices.below(0x1000) as u16;
    for record in records.iter().take(64) {
        assert!(is_inside(record.stream, body));
        let variants: Vec<_> = record.variants().take(256).collect();
        assert!(
            variants.len() <= record.stream.len() / 4 + record.stream.len() % 4 + 4
                || variants.len() <= record.stream.len()
        );
        assert!(variants.iter().all(|it| is_inside(it.code, body)));
        let chosen = record.select(|flag| flag == set);
        if let Some(chosen) = chosen {
            assert!(chosen.selector == motion::DEFAULT || chosen.selector & motion::FLAG == set);
        }
        for (actor, _) in record.pairs() {
            let (first, _) = lenient.find(actor).expect("at least this one");
            assert!(first.offset <= record.offset);
        }
    }
    let Ok(strict) = Motion::parse(body) else {
        return;
    };
    assert!(strict.records().eq(records.iter().copied()));
    let pairs: Vec<Vec<[u8; 2]>> = records
        .iter()
        .map(|record| {
            record
                .pairs()
                .map(|(actor, enable)| [actor, enable])
                .collect()
        })
        .collect();
    let sources: Vec<_> = records
        .iter()
        .zip(&pairs)
        .map(|(record, pairs)| motion::MotionSource {
            pairs,
            stream: record.stream,
        })
        .collect();
    let mut out = vec![0xEE; body.len()];
    let length = motion::emit(&sources, &mut out).expect("never longer than it was");
    assert_eq!(out[..length], body[..length], "records have no gaps");
}

/// Section 3.
fn cameras(body: &[u8], choices: &mut Choices) {
    let Ok(cameras) = camera::Cameras::parse(body) else {
        return;
    };
    let regions: Vec<_> = cameras.iter().collect();
    assert_eq!(regions.len(), cameras.len());
    let (x, z) = (choices.below(16384) as i32, choices.below(16384) as i32);
    let first = regions
        .iter()
        .find(|it| it.contains(camera::query_tile(x, z)));
    assert_eq!(cameras.find(x, z).as_ref(), first);
    let mut out = vec![0xEE; 1 + camera::CameraRegion::BYTES * regions.len()];
    assert_eq!(camera::emit(&regions, &mut out), Ok(out.len()));
    assert_eq!(out, body[..out.len()]);
}

/// The table behind the sections.
fn locations(bytes: &[u8]) {
    let Some(table) = Locations::parse(bytes) else {
        return;
    };
    let places: Vec<_> = table.iter().collect();
    assert_eq!(
        (places.len(), places.is_empty()),
        (table.len(), table.is_empty())
    );
    for place in &places {
        assert!(place.name().len() <= place.name.len());
        assert!(
            place
                .position()
                .iter()
                .all(|at| (0..=255 * 128).contains(at))
        );
    }
    let mut out = vec![0xEE; 1 + Location::BYTES * places.len()];
    assert_eq!(Locations::emit(&places, &mut out), Ok(out.len()));
    let again = Locations::parse(&out).expect("just written");
    assert!(again.iter().eq(places));
}

/// Replace a part of one script.
fn edit(man: &Man<'_>, choices: &mut Choices) {
    let Some(last) = man.len().checked_sub(1) else {
        return;
    };
    let flat = choices.below(last as usize + 1) as u32;
    let Ok(Record::Object(_) | Record::Actor(_) | Record::Beat(_)) = man.record(flat) else {
        return;
    };
    let script = man.record(flat).expect("just read").script();
    let pc0 = usize::from(script.pc0);
    let start = pc0 + choices.below(script.code().len() + 1);
    let end = start + choices.below(script.base.len() - start + 1);
    let old = &script.base[start..end];
    let mut out = vec![0xEE; man.bytes().len() + 40];

    let length = man::splice(man, flat, start..end, old, &mut out).expect("the same length");
    assert_eq!(&out[..length], man.bytes(), "the same bytes change nothing");

    let new = [0x21; 40];
    let new = &new[..choices.below(41)];
    let outcome = man::splice(man, flat, start..end, new, &mut out);
    if new.is_empty() && old.len() == script.code().len() {
        assert_eq!(outcome, Err(Error::EmptyScript { flat }));
        return;
    }
    let length = outcome.expect("small enough");
    let edited = Man::parse_lenient(&out[..length]).expect("still a MAN");
    let expected = [&script.base[..start], new, &script.base[end..]].concat();
    let expected = expected.as_slice();
    for other in 0..man.len() {
        let before = man.record(other).expect("all are good").script();
        if other != flat && before.offset == script.offset {
            // The same bytes with another header: the edit may well have cut it.
            continue;
        }
        let after = edited.record(other).expect("still good").script();
        let base = if other == flat { expected } else { before.base };
        assert_eq!((after.base, after.pc0), (base, before.pc0));
    }
    for index in 0..SECTIONS {
        assert_eq!(edited.section(index), man.section(index));
    }
    resized(man, flat, start..end, new);
    let header = man::splice(man, flat, 0..pc0, new, &mut out);
    assert_eq!(header, Err(Error::EditOutOfRange { flat }));
    let past = man::splice(man, flat, pc0..script.base.len() + 1, new, &mut out);
    assert_eq!(past, Err(Error::EditOutOfRange { flat }));
}

/// The same edit with the script's jumps: refused, or all that differs from a mere splice is
/// displacements of kept lines.
fn resized(man: &Man<'_>, flat: u32, range: Range<usize>, with: &[u8]) {
    let room = man.bytes().len() + with.len();
    let (mut one, mut other) = (vec![0xEE; room], vec![0xEE; room]);
    let mut labels = Box::new(Labels::none());
    let Ok(length) = man::resize(man, flat, range.clone(), with, &mut labels, &mut one) else {
        return;
    };
    let plain = man::splice(man, flat, range.clone(), with, &mut other);
    assert_eq!(plain, Ok(length));
    let script = man.record(flat).expect("just edited").script();
    let mut jumps = BTreeSet::new();
    for line in lines(script.base, usize::from(script.pc0)) {
        let ends = line.at + line.bytes.len();
        assert!(ends <= range.start || line.at >= range.start);
        let moved = |at: usize| {
            let behind = at >= range.end;
            at + if behind { with.len() } else { 0 } - if behind { range.len() } else { 0 }
        };
        let kept = line.at < range.start || line.at >= range.end;
        for (at, _) in line.jumps().filter(|_| kept) {
            let at = script.offset + moved(line.at) + at - line.at;
            jumps.extend([at, at + 1]);
        }
    }
    for (at, (one, other)) in one.iter().zip(&other).enumerate() {
        assert!(one == other || jumps.contains(&at), "byte {at}");
    }
}

/// Write the file from its parts; what comes back is the same.
fn write_again(man: &Man<'_>, strict: bool) {
    let mut objects: Vec<ObjectSource<'_>> = Vec::new();
    let mut actors: Vec<ActorSource<'_>> = Vec::new();
    let mut beats: Vec<BeatSource<'_>> = Vec::new();
    let mut size = man.bytes().len() + 1;
    for record in man.records() {
        let record = record.expect("all are good");
        size += record.script().base.len();
        match record {
            Record::Object(record) => objects.push(record.into()),
            Record::Actor(record) => actors.push(record.into()),
            Record::Beat(record) => beats.push(record.into()),
        }
    }
    let source = Source {
        flags: man.flags(),
        floor: man.floor(),
        objects: &objects,
        actors: &actors,
        beats: &beats,
        encounters: man.section(0),
        motion: man.section(1),
        name: man.name().expect("asked before"),
        cameras: man.section(3),
        open: man.section(4),
        after: man.after_sections(),
    };
    let mut out = vec![0xEE; size];
    let length = man::emit(&source, &mut out).expect("fits");
    let again = if strict {
        Man::parse(&out[..length]).expect("just written")
    } else {
        Man::parse_lenient(&out[..length]).expect("just written")
    };
    assert_eq!((again.flags(), again.floor()), (man.flags(), man.floor()));
    assert_eq!(again.len(), man.len());
    for (one, other) in man.records().zip(again.records()) {
        let (one, other) = (one.expect("good"), other.expect("just written"));
        assert_eq!(one.script().base, other.script().base);
        assert_eq!(one.partition(), other.partition());
    }
    for index in [0, 1, 3, 4] {
        assert_eq!(again.section(index), man.section(index));
    }
    assert_eq!(again.name(), man.name());
    assert_eq!(again.after_sections(), man.after_sections());
    assert_eq!(again.is_bulk_terrain(), man.is_bulk_terrain());
}
