//! Round trips, and files that are damaged.

use super::common::{ENCOUNTERS, EXAMPLE, tabled, written};
use overworld_runtime::scene::man::encounter::Encounters;
use overworld_runtime::scene::man::motion::Motion;
use overworld_runtime::scene::man::{
    ActorSource, BeatSource, Error, Man, ObjectSource, Partition, Record, Source, splice,
};
use proptest::prelude::*;

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
