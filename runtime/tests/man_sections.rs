//! Round trips of the MAN's sections (MAN sheet, section 3): each by itself, and all of them in one
//! file.

use overworld_runtime::scene::man::camera::{self, CameraRegion, Cameras};
use overworld_runtime::scene::man::encounter::{
    self, Condition, Encounters, Formation, MAX_MONSTERS, Region,
};
use overworld_runtime::scene::man::motion::{self, DEFAULT, Motion, MotionSource};
use overworld_runtime::scene::man::{Location, Locations, Man, Source, emit};
use proptest::prelude::*;

fn bytes(most: usize) -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..=most)
}

/// Bytes from a writer.
fn written<E: std::fmt::Debug>(write: impl FnOnce(&mut [u8]) -> Result<usize, E>) -> Vec<u8> {
    let mut out = vec![0xEE; 1 << 14];
    let length = write(&mut out).unwrap();
    out.truncate(length);
    out
}

/// Scripted, reserved, monsters.
type Group = (u8, [u8; 2], Vec<u8>);

/// Section 0.
#[derive(Clone, Debug)]
struct Fights {
    strides: [u8; 3],
    groups: Vec<Group>,
    conditions: Vec<Condition>,
    regions: Vec<Region>,
}

impl Fights {
    fn formations(&self) -> Vec<Formation<'_>> {
        let groups = self.groups.iter();
        groups
            .map(|(scripted, reserved, monsters)| Formation {
                scripted: *scripted,
                reserved: *reserved,
                monsters,
            })
            .collect()
    }

    fn write(&self) -> Vec<u8> {
        let formations = self.formations();
        let source = encounter::Source {
            strides: self.strides,
            formations: &formations,
            conditions: &self.conditions,
            regions: &self.regions,
        };
        written(|out| encounter::emit(&source, out))
    }

    fn is_in(&self, section: &Encounters<'_>) -> bool {
        section.strides() == self.strides
            && section.formations().eq(self.formations())
            && section.conditions().eq(self.conditions.iter().copied())
            && section.regions().eq(self.regions.iter().copied())
    }
}

fn fights() -> impl Strategy<Value = Fights> {
    let group = (any::<u8>(), any::<[u8; 2]>(), bytes(MAX_MONSTERS));
    let condition = (any::<u16>(), any::<u8>());
    let region = (any::<[u8; 8]>(), any::<u8>());
    (
        (8..12_u8, 4..7_u8, 8..12_u8),
        prop::collection::vec(group, 0..7),
        prop::collection::vec(condition, 0..5),
        prop::collection::vec(region, 0..7),
    )
        .prop_map(
            |((formation, condition, region), groups, conditions, regions)| {
                let strides = [formation, condition, region];
                let number = groups.len() as u8;
                let regions: Vec<Region> = regions
                    .into_iter()
                    .map(
                        |([x0, y0, x1, y1, rate, unknown, first, count], backdrop)| {
                            let first = first % (number + 1);
                            Region {
                                min: [x0, y0],
                                max: [x1, y1],
                                rate,
                                unknown,
                                first,
                                count: count % (number - first + 1),
                                // A row of eight bytes has no room for it.
                                backdrop: if region > 8 { backdrop } else { 0 },
                            }
                        },
                    )
                    .collect();
                let mut left = regions.len() as i16;
                let conditions = conditions
                    .into_iter()
                    .map(|(flag, owned)| {
                        let owned = i16::from(owned) % (left + 1);
                        left -= owned;
                        Condition { flag, owned }
                    })
                    .collect();
                Fights {
                    strides,
                    groups,
                    conditions,
                    regions,
                }
            },
        )
}

/// A record of section 1: pairs of actor and enable byte, variants of selector and code.
type Mover = (Vec<[u8; 2]>, Vec<(u16, Vec<u8>)>);

/// Section 1. Only the last variant of a stream may be the one that always runs.
fn movers() -> impl Strategy<Value = Vec<Mover>> {
    let pairs = prop::collection::vec(any::<[u8; 2]>(), 1..5);
    let variants = prop::collection::vec((0..DEFAULT, bytes(9)), 0..4);
    let last = prop::option::of(bytes(9));
    let mover = (pairs, variants, last).prop_map(|(pairs, mut variants, last)| {
        variants.extend(last.map(|code| (DEFAULT, code)));
        (pairs, variants)
    });
    prop::collection::vec(mover, 0..6)
}

fn write_movers(movers: &[Mover]) -> Vec<u8> {
    let streams: Vec<Vec<u8>> = movers
        .iter()
        .map(|(_, variants)| {
            let variants: Vec<_> = variants.iter().map(|it| (it.0, &it.1[..])).collect();
            written(|out| motion::emit_stream(&variants, out))
        })
        .collect();
    let records: Vec<_> = movers
        .iter()
        .zip(&streams)
        .map(|((pairs, _), stream)| MotionSource { pairs, stream })
        .collect();
    written(|out| motion::emit(&records, out))
}

fn read_movers(motion: &Motion<'_>) -> Vec<Mover> {
    let mover = |record: motion::MotionRecord<'_>| {
        let pairs = record.pairs().map(|(actor, enable)| [actor, enable]);
        let mut variants: Vec<(u16, Vec<u8>)> = record
            .variants()
            .map(|it| (it.selector, it.code.to_vec()))
            .collect();
        // Code goes on to the end of the stream: cut it where the next variant begins.
        for n in 1..variants.len() {
            let behind = variants[n].1.len() + 4;
            let code = &mut variants[n - 1].1;
            code.truncate(code.len() - behind);
        }
        (pairs.collect(), variants)
    };
    motion.records().map(mover).collect()
}

prop_compose! {
    fn region()(
        kind in any::<u8>(),
        min in any::<[u8; 2]>(),
        max in any::<[u8; 2]>(),
        preset in any::<[u8; 13]>(),
    ) -> CameraRegion {
        CameraRegion { kind, min, max, preset }
    }
}

prop_compose! {
    fn location()(
        region in any::<u8>(),
        at in any::<[u8; 2]>(),
        flag in any::<u16>(),
        name in any::<[u8; 24]>(),
    ) -> Location {
        Location { region, at, flag, name }
    }
}

fn regions() -> impl Strategy<Value = Vec<CameraRegion>> {
    prop::collection::vec(region(), 0..6)
}

fn locations() -> impl Strategy<Value = Vec<Location>> {
    prop::collection::vec(location(), 0..6)
}

proptest! {
    #[test]
    fn encounters(fights in fights()) {
        let body = fights.write();
        prop_assert!(fights.is_in(&Encounters::parse(&body).unwrap()));
        let rows = [fights.groups.len(), fights.conditions.len(), fights.regions.len()];
        let lengths = rows.iter().zip(fights.strides).map(|(n, stride)| n * usize::from(stride));
        prop_assert_eq!(body.len(), 6 + lengths.sum::<usize>());
        for len in 0..body.len() {
            prop_assert!(Encounters::parse(&body[..len]).is_err(), "{}", len);
        }
    }

    #[test]
    fn motions(movers in movers()) {
        let body = write_movers(&movers);
        let motion = Motion::parse(&body).unwrap();
        prop_assert_eq!(&read_movers(&motion), &movers);
        prop_assert!(Motion::lenient(&body).records().eq(motion.records()));
        for len in 0..body.len() {
            prop_assert!(Motion::parse(&body[..len]).is_err(), "{}", len);
        }
    }

    #[test]
    fn cameras(regions in regions()) {
        let body = written(|out| camera::emit(&regions, out));
        prop_assert_eq!(body.len(), 1 + 18 * regions.len());
        let cameras = Cameras::parse(&body).unwrap();
        prop_assert_eq!((cameras.len(), cameras.is_empty()), (regions.len(), regions.is_empty()));
        prop_assert!(cameras.iter().eq(regions));
    }

    #[test]
    fn places(places in locations()) {
        let body = written(|out| Locations::emit(&places, out));
        prop_assert_eq!(body.len(), 1 + 32 * places.len());
        let table = Locations::parse(&body).unwrap();
        prop_assert_eq!((table.len(), table.is_empty()), (places.len(), places.is_empty()));
        prop_assert!(table.iter().eq(places.iter().copied()));
        for place in &places {
            let name = place.name();
            prop_assert!(place.name.starts_with(name) && !name.contains(&0));
        }
        prop_assert!(Locations::parse(&body[..body.len() - 1]).is_none());
    }

    /// A file of these sections gives them back, each where it belongs.
    #[test]
    fn whole_files(
        fights in fights(),
        movers in movers(),
        name in prop::collection::vec(1..=255_u8, 0..9),
        regions in regions(),
        open in bytes(9),
        places in prop::option::of(locations()),
    ) {
        let table = places.as_ref().map(|it| written(|out| Locations::emit(it, out)));
        let source = Source {
            flags: 0,
            floor: [0; 16],
            objects: &[],
            actors: &[],
            beats: &[],
            encounters: &fights.write(),
            motion: &write_movers(&movers),
            name: &name,
            cameras: &written(|out| camera::emit(&regions, out)),
            open: &open,
            after: table.as_deref().unwrap_or_default(),
        };
        let data = written(|out| emit(&source, out));
        let man = Man::parse(&data).unwrap();
        prop_assert!(fights.is_in(&man.encounters().unwrap()));
        prop_assert_eq!(read_movers(&man.motion().unwrap()), movers);
        prop_assert_eq!(man.name().unwrap(), &name[..]);
        prop_assert!(man.cameras().unwrap().iter().eq(regions));
        prop_assert_eq!(man.section(4), &open[..]);
        let found: Option<Vec<_>> = man.locations().map(|it| it.iter().collect());
        prop_assert_eq!(found, places);
    }
}
