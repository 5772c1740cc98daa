//! Whatever lies on the disc: no panic, no endless frame, the same every time, and nobody is held by a talk that
//! is over.

use crate::common::{Beat, Plan, thing};
use overworld_runtime::anim::legaia::Banks;
use overworld_runtime::field::map::trigger::{Region, Script, Source, Teleport};
use overworld_runtime::field::map::{MapMut, SIZE, Triggers};
use overworld_runtime::field::units::Point;
use overworld_runtime::scene::man::Man;
use overworld_runtime::scene::world::{Arrival, Scenery, Soil, World};
use overworld_runtime::script::host::Absent;
use proptest::collection::vec;
use proptest::prelude::*;

/// Bytes of scripts: instructions with a meaning for the world, and anything.
fn code() -> impl Strategy<Value = Vec<u8>> {
    let any_op = any::<u8>().prop_map(|it| vec![it]);
    let pick = |ops: &'static [&'static [u8]]| prop::sample::select(ops).prop_map(<[u8]>::to_vec);
    let op = prop_oneof![
        2 => any_op,
        3 => pick(&[
            &[0x21],
            &[0x25],
            &[0x26, 0xFE, 0xFF],
            &[0x26, 0xFF, 0xFF],
            &[0x1F, b'a', 0x00],
            &[0x27, 0x04, 0x00, 0x02, 0x00],
            &[0x31, 3],
            &[0x31, 8],
            &[0xB1, 2, 3],
            &[0xB1, 1, 8],
            &[0xA3, 0xF8, 20, 20],
            &[0xC7, 2, 20, 21, 0],
            &[0x44, 4],
            &[0x4C, 0xD2, 2],
            &[0x4C, 0xC3],
            &[0x4C, 0x83, 0, 0, 127, 127, 1],
            &[0x4C, 0x71, 0, 0, 255, 255],
            &[0x4C, 0x70, 19, 18, 22, 22],
            &[0x4C, 0x30],
            &[0x4C, 0x31],
            &[0xC3, 0xF8, 0, 22, 20, 80],
            &[0x43, 9, 0, 1, 0, 2, 0, 3, 4, 0],
            &[0x45, 0x03, 0xFF, 10, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
            &[0x3E, 0xFF, 1],
            &[0x4A, 2, 0],
            &[0x48, 0x26, 0xFE, 0xFF],
            &[0x4C, 0x38],
        ]),
    ];
    vec(op, 1..40).prop_map(|ops| ops.concat())
}

/// A log of the pad: what is held for how many frames.
fn pad_log() -> impl Strategy<Value = Vec<(u16, u8)>> {
    let held = prop_oneof![
        prop::sample::select(&[0x1000_u16, 0x2000, 0x4000, 0x8000, 0x3000, 0x0020, 0x4020][..]),
        any::<u16>(),
    ];
    vec((held, 1..12_u8), 1..24)
}

fn tile() -> impl Strategy<Value = [u8; 2]> {
    prop_oneof![3 => [17..24_u8, 17..24_u8], 1 => any::<[u8; 2]>()]
}

fn triggers() -> impl Strategy<Value = (Vec<Teleport>, Vec<Script>, Vec<Region>)> {
    (
        vec((tile(), any::<[u8; 2]>()), 0..4).prop_map(|it| {
            let teleport = |(tile, destination)| Teleport { tile, destination };
            it.into_iter().map(teleport).collect()
        }),
        vec((tile(), 0..8_u8, 0..3_u8), 0..12).prop_map(|it| {
            let script = |(tile, record, gate)| Script { tile, record, gate };
            it.into_iter().map(script).collect()
        }),
        vec((any::<[u8; 4]>(), 0..6_u8), 0..6).prop_map(|it| {
            let region = |(corners, ty)| Region {
                corners,
                ty,
                extra: [0; 3],
            };
            it.into_iter().map(region).collect()
        }),
    )
}

/// Everything that a scene is played from.
#[derive(Clone, Debug)]
struct Scene {
    codes: Vec<Vec<u8>>,
    triggers: (Vec<Teleport>, Vec<Script>, Vec<Region>),
    /// Bytes of the MAN that are put elsewhere.
    damage: Vec<(u16, u8)>,
    /// Bytes of the map.
    holes: Vec<(u32, u8)>,
    log: Vec<(u16, u8)>,
    at: [i16; 2],
    scalar: u8,
    overworld: bool,
}

fn scene() -> impl Strategy<Value = Scene> {
    let place = prop_oneof![3 => Just([2624, 2624]), 1 => any::<[i16; 2]>()];
    (
        vec(code(), 6),
        triggers(),
        vec(any::<(u16, u8)>(), 0..6),
        vec(any::<(u32, u8)>(), 0..40),
        pad_log(),
        (place, any::<u8>(), any::<bool>()),
    )
        .prop_map(
            |(codes, triggers, damage, holes, log, (at, scalar, overworld))| Scene {
                codes,
                triggers,
                damage,
                holes,
                log,
                at,
                scalar,
                overworld,
            },
        )
}

/// Play it; the hash at the end.
fn play(scene: &Scene) -> u32 {
    let text: Vec<String> = scene
        .codes
        .iter()
        .map(|code| code.iter().map(|it| format!(".byte {it}\n")).collect())
        .collect();
    let [object, entry, one, two, beat, other] = &text[..] else {
        panic!("six scripts");
    };
    let (teleports, scripts, regions) = &scene.triggers;
    let plan = Plan {
        objects: &[object],
        entry,
        people: &[([20, 19], one), ([21, 21], two)],
        beats: &[
            Beat {
                c1: &[0x300],
                c2: &[],
                script: beat,
            },
            Beat {
                c1: &[],
                c2: &[],
                script: other,
            },
        ],
        triggers: Source {
            teleports,
            scripts,
            regions,
            ..Source::default()
        },
        placed: &[(5, [19, 20], thing()), (6, [22, 20], thing())],
        ..Plan::default()
    };
    let mut man = plan.man();
    for &(at, byte) in &scene.damage {
        let at = usize::from(at) % man.len();
        man[at] = byte;
    }
    let mut map = plan.map();
    for &(at, byte) in &scene.holes {
        // Anywhere but in the header, whose chain is checked.
        map[at as usize % (SIZE - 0x2000)] = byte;
    }
    let mut world = Box::new(World::<8>::new(Scenery {
        map: Soil::Map(MapMut::parse(&mut map).unwrap()),
        patch: Triggers::EMPTY,
        man: Man::parse_lenient(&man).ok(),
        banks: Banks::default(),
        overworld: scene.overworld,
    }));
    world.settings.scalar = scene.scalar;
    world.settings.budget = 256;
    let [x, z] = scene.at;
    let arrival = Arrival::Warp {
        at: Point::new(x, z),
        heading: 0,
    };
    world.enter(arrival, &mut Absent);
    for &(held, frames) in &scene.log {
        for frame in 0..frames {
            // The button comes and goes.
            let held = if frame % 2 == 0 { held } else { held & 0xF000 };
            world.frame(held, &mut Absent);
            if world.talk().is_none() {
                assert_eq!(world.field.engaged(), 0, "held by nobody");
            }
        }
    }
    world.state_hash()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 60 } else { 2000 }))]

    #[test]
    fn hostile_scenes_play(scene in scene()) {
        prop_assert_eq!(play(&scene), play(&scene));
    }
}
