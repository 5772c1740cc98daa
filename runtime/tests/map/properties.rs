//! Round trips, and files that are damaged.

use super::common::{chained, map_with, tile};
use overworld_runtime::field::map::patch::{self, Patch};
use overworld_runtime::field::map::trigger::{self, Elevation, Kind, Region, Script, Teleport};
use overworld_runtime::field::map::{
    CELLS, COLLISION_SIZE, Map, MapMut, OBJECTS, Object, SIZE, Source, Triggers, emit,
};
use overworld_runtime::field::stager::{self, Stager};
use proptest::prelude::*;

fn fours(len: usize) -> impl Strategy<Value = Vec<[u8; 4]>> {
    prop::collection::vec(any::<[u8; 4]>(), 0..len)
}

/// Everything that a reader can be asked.
fn visit(triggers: &Triggers<'_>) {
    let counts = Kind::ALL.map(|kind| usize::from(triggers.count(kind)));
    let found = [
        triggers.teleports().count(),
        triggers.scripts().count(),
        triggers.elevations().count(),
        triggers.regions().count(),
    ];
    assert_eq!(found, counts);
    for it in [tile(0, 0), tile(127, 127), tile(3, 4)] {
        let _ = (
            triggers.teleport(it),
            triggers.script(it),
            triggers.elevation(it),
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn objects_keep_every_bit(bytes in any::<[u8; 32]>(), col in 0..128_u8, row in 0..128_u8) {
        let object = Object::from_bytes(bytes);
        prop_assert_eq!(object.to_bytes(), bytes);
        let _ = (object.position(tile(col, row)), object.footprint(), object.anchor_tile(tile(col, row)));
    }

    #[test]
    fn what_is_written_reads_back(
        objects in prop::collection::vec(any::<[u8; 32]>(), 0..512),
        seed in any::<u32>(),
        kinds in (fours(90), fours(90), fours(90), prop::collection::vec(any::<[u8; 8]>(), 0..40)),
    ) {
        let objects: Vec<_> = objects.into_iter().map(Object::from_bytes).collect();
        let noise = |n: usize| (seed.wrapping_mul(2_654_435_761).wrapping_mul(n as u32 | 1) >> 9) as u16;
        let collision: Vec<u8> = (0..COLLISION_SIZE).map(|n| noise(n) as u8).collect();
        let cells: Vec<u16> = (0..CELLS).map(noise).collect();
        let (teleports, scripts, elevations, regions) = kinds;
        let teleports: Vec<_> = teleports.into_iter().map(Teleport::from_bytes).collect();
        let scripts: Vec<_> = scripts.into_iter().map(Script::from_bytes).collect();
        let elevations: Vec<_> = elevations.into_iter().map(Elevation::from_bytes).collect();
        let regions: Vec<_> = regions.into_iter().map(Region::from_bytes).collect();
        let source = Source {
            objects: &objects,
            collision: &collision,
            cells: &cells,
            triggers: trigger::Source {
                teleports: &teleports,
                scripts: &scripts,
                elevations: &elevations,
                regions: &regions,
            },
        };
        let mut out = vec![0xEE; SIZE];
        emit(&source, &mut out).unwrap();
        let map = Map::parse(&out).unwrap();
        prop_assert!(map.objects().take(objects.len()).eq(objects.iter().copied()));
        prop_assert!(map.objects().skip(objects.len()).all(|it| it == Object::default()));
        prop_assert_eq!(map.objects().count(), usize::from(OBJECTS));
        prop_assert_eq!(map.collision_grid(), &collision);
        prop_assert!(map.cells().map(|(_, cell)| cell.0).eq(cells.iter().copied()));
        let triggers = map.triggers();
        prop_assert!(triggers.teleports().eq(teleports.iter().copied()));
        prop_assert!(triggers.scripts().eq(scripts.iter().copied()));
        prop_assert!(triggers.elevations().eq(elevations.iter().copied()));
        prop_assert!(triggers.regions().eq(regions.iter().copied()));
        visit(&triggers);
        // The game's reader sees the same in a well-formed block.
        let lenient = Triggers::lenient(&out[0x10000..]);
        prop_assert!(lenient.scripts().eq(scripts.iter().copied()));
        prop_assert!(lenient.regions().eq(regions.iter().copied()));
        let _ = (map.placed().count(), map.lint());
        MapMut::parse(&mut out).unwrap().refresh();
        prop_assert!(Map::parse(&out).is_ok());
    }

    #[test]
    fn patches_read_back(scripts in fours(505)) {
        let scripts: Vec<_> = scripts.into_iter().map(Script::from_bytes).collect();
        let mut out = vec![0xEE; 3000];
        prop_assert_eq!(patch::emit(&scripts, &mut out), Ok(2048));
        prop_assert!(out[2048..].iter().all(|&byte| byte == 0xEE));
        let patch = Patch::parse(&out[..2048]).unwrap();
        prop_assert!(patch.triggers().scripts().eq(scripts));
    }

    #[test]
    fn stagers_read_back(records in prop::collection::vec(prop::collection::vec(any::<u16>(), 2..9), 0..20)) {
        let records: Vec<Vec<u8>> = records
            .iter()
            .map(|words| words.iter().flat_map(|word| word.to_le_bytes()).collect())
            .collect();
        let slices: Vec<&[u8]> = records.iter().map(|it| &it[..]).collect();
        let mut out = vec![0; 0x1000];
        let length = stager::emit(&slices, &mut out).unwrap();
        let table = Stager::parse(&out[..length]).unwrap();
        prop_assert!(table.records().map(|it| it.bytes).eq(slices));
    }

    #[test]
    fn arbitrary_blocks_never_panic(block in prop::collection::vec(any::<u8>(), 0..300), small in any::<bool>()) {
        let mut block = block;
        if small {
            // Small words find their way into the block more often.
            for at in (1..block.len().min(18)).step_by(2) {
                block[at] &= 0x80;
            }
        }
        visit(&Triggers::lenient(&block));
        if let Ok(triggers) = Triggers::parse(&block) {
            visit(&triggers);
        }
        let _ = Stager::parse(&block).map(|it| it.records().map(|it| it.words().count()).sum::<usize>());
    }

    #[test]
    fn damaged_maps_never_panic(damage in prop::collection::vec((0x10000..0x10040_usize, any::<u8>()), 1..4), noise in any::<u64>()) {
        let mut data = map_with(&chained([2, 3, 1, 2]));
        let mut noise = noise | 1;
        for byte in &mut data[..0x10000] {
            noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            *byte = (noise >> 56) as u8;
        }
        for (at, value) in damage {
            data[at] = value;
        }
        if let Ok(map) = Map::parse(&data) {
            visit(&map.triggers());
            let _ = (map.placed().count(), map.lint());
            let fallback = data[..0x800].to_vec();
            let mut map = MapMut::parse(&mut data).unwrap();
            map.refresh();
            map.mark_fallback(&Triggers::lenient(&fallback));
            prop_assert!(Map::parse(&data).is_ok());
        }
    }
}
