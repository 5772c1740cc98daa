//! Whatever lies on the disc: no panic, no endless frame, the same every time, and nobody is held by a talk that
//! is over.

use crate::common::{Beat, Plan, thing};
use overworld_runtime::anim::legaia::Banks;
use overworld_runtime::field;
use overworld_runtime::field::map::trigger::{Region, Script, Source, Teleport};
use overworld_runtime::field::map::{MapMut, SIZE, Triggers};
use overworld_runtime::field::units::Point;
use overworld_runtime::scene::man::Man;
use overworld_runtime::scene::world::{Arrival, Fight, Frame, Game, Outcome, Scenery, Soil, World};
use overworld_runtime::script::Compat;
use overworld_runtime::script::host::*;
use overworld_runtime::script::state::Resume;
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
            // A way out, a menu, tear-down of whoever there is, tweens and walks of others.
            &[0x3F, 1, 0, 1, b'a', 20, 20, 6],
            &[0x49, 3, 1],
            &[0x44, 5],
            &[0x4C, 0xD2, 3],
            &[0xB1, 0xFB, 3],
            &[0xB1, 3, 3],
            &[0xB2, 2, 10],
            &[0xB2, 0xF8, 10],
            &[0xC3, 2, 9, 0, 12, 0, 0, 0, 12, 9, 0],
            &[0xC3, 0xFB, 9, 0, 12, 0, 0, 0, 12, 9, 0],
            &[0xC3, 2, 1, 22, 20, 80],
            &[0xC3, 0xFB, 0, 22, 20, 80],
            &[0xC7, 0xF8, 22, 20, 0],
            &[0xB7, 2, 0x41, 0x82],
            &[0x4C, 0x9E, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32],
        ]),
    ];
    vec(op, 1..40).prop_map(|ops| ops.concat())
}

/// What becomes of the world before a leg of its way.
#[derive(Clone, Copy, Debug)]
pub enum Turn {
    /// Nothing.
    On,
    /// It is entered again.
    Again,
    /// Another one, of the same files, takes over what outlives it.
    Carried,
}

/// A leg: what becomes of the world, the vertical blanks of a frame, the budget of a slice, and a log of the
/// pad: what is held for how many frames.
#[derive(Clone, Debug)]
pub struct Leg {
    pub turn: Turn,
    pub scalar: u8,
    pub budget: u16,
    pub log: Vec<(u16, u8)>,
}

fn legs() -> impl Strategy<Value = Vec<Leg>> {
    let turn = prop::sample::select(&[Turn::On, Turn::Again, Turn::Carried][..]);
    let budget = prop_oneof![4 => Just(256), 1 => 0..4_u16];
    let leg = (turn, any::<u8>(), budget, pad_log());
    let leg = leg.prop_map(|(turn, scalar, budget, log)| Leg {
        turn,
        scalar,
        budget,
        log,
    });
    vec(leg, 1..4)
}

fn pad_log() -> impl Strategy<Value = Vec<(u16, u8)>> {
    let held = prop_oneof![
        prop::sample::select(&[0x1000_u16, 0x2000, 0x4000, 0x8000, 0x3000, 0x0020, 0x4020][..]),
        Just(0xFFFF),
        any::<u16>(),
    ];
    vec((held, 1..12_u8), 1..12)
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
        // Mostly beats that there are, so that tiles start many.
        vec(
            (
                tile(),
                prop_oneof![3 => 0..2_u8, 1 => 0..8_u8],
                prop_oneof![2 => Just(1_u8), 1 => 0..3_u8],
            ),
            0..24,
        )
        .prop_map(|it| {
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
pub struct Scene {
    codes: Vec<Vec<u8>>,
    triggers: (Vec<Teleport>, Vec<Script>, Vec<Region>),
    /// Bytes of the MAN that are put elsewhere.
    damage: Vec<(u16, u8)>,
    /// Bytes of the map.
    holes: Vec<(u32, u8)>,
    pub legs: Vec<Leg>,
    pub at: [i16; 2],
    pub overworld: bool,
    /// How long a fight or a menu lasts, in frames.
    patience: u8,
    /// The other readings, of the scripts and of the field.
    others: [bool; 2],
}

pub fn scene() -> impl Strategy<Value = Scene> {
    let place = prop_oneof![3 => Just([2624, 2624]), 1 => any::<[i16; 2]>()];
    (
        vec(code(), 6),
        triggers(),
        vec(any::<(u16, u8)>(), 0..6),
        vec(any::<(u32, u8)>(), 0..40),
        legs(),
        (place, any::<bool>(), 0..4_u8, any::<[bool; 2]>()),
    )
        .prop_map(
            |(codes, triggers, damage, holes, legs, (at, overworld, patience, others))| Scene {
                codes,
                triggers,
                damage,
                holes,
                legs,
                at,
                overworld,
                patience,
                others,
            },
        )
}

/// A game whose fights last.
pub struct Slow {
    patience: u8,
    waited: u8,
}

impl Slow {
    pub const fn new(patience: u8) -> Self {
        let waited = 0;
        Self { patience, waited }
    }
}

impl Queries for Slow {}
impl Actors for Slow {}
impl Camera for Slow {}
impl Video for Slow {}
impl Audio for Slow {}
impl Texts for Slow {}
impl Items for Slow {}
impl Flow for Slow {}
impl Walls for Slow {}
impl Game for Slow {
    fn fight(&mut self, _: &Fight) -> Option<Outcome> {
        self.waited += 1;
        (self.waited > self.patience).then(|| {
            self.waited = 0;
            Outcome::Won
        })
    }
}

/// What holds between two frames, whatever came before.
fn check<const N: usize>(world: &World<'_, N>) {
    if world.talk().is_none() {
        assert_eq!(world.field.engaged(), 0, "held by nobody");
    }
    assert_eq!(world.vm.player, (N > 0).then_some(0), "the player stays");
    for (id, actor) in world.field.actors.iter() {
        if let Some(context) = world.script_of(id) {
            assert!(context.live && context.script_id == actor.script);
            let place = (context.x, context.y, context.z, context.heading);
            // The field has torn down nobody's context behind the scripts' back.
            let own = (actor.x, actor.y, actor.z, actor.heading());
            assert_eq!(place, own, "one state");
        }
    }
}

/// The program and the map.
pub fn files(scene: &Scene) -> [Vec<u8>; 2] {
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
    [man, map]
}

/// Play it in a world with room for so many scripts; the hash at the end.
fn play<const N: usize>(scene: &Scene) -> u32 {
    let [man, map] = files(scene);
    // Scripts write to it: each world has its own.
    let mut maps = vec![map; scene.legs.len()];
    let mut maps = maps.iter_mut();
    let mut fresh = || {
        Box::new(World::<N>::new(Scenery {
            map: Soil::Map(MapMut::parse(maps.next().unwrap()).unwrap()),
            patch: Triggers::EMPTY,
            man: Man::parse_lenient(&man).ok(),
            banks: Banks::default(),
            overworld: scene.overworld,
        }))
    };
    let mut game = Slow::new(scene.patience);
    let [x, z] = scene.at;
    let arrival = Arrival::Warp {
        at: Point::new(x, z),
        heading: 0,
    };
    let mut world: Option<Box<World<'_, N>>> = None;
    for leg in &scene.legs {
        let enters = world.is_none() || !matches!(leg.turn, Turn::On);
        let mut here = match (world.take(), leg.turn) {
            (None, _) => fresh(),
            (Some(world), Turn::Carried) => Box::new(fresh().with(&world.leave())),
            (Some(world), _) => world,
        };
        let [port, other] = scene.others;
        here.vm.compat = if port { Compat::Port } else { Compat::Retail };
        if other {
            here.field.settings.compat = field::Compat::OTHER;
        }
        here.settings.scalar = leg.scalar;
        here.settings.budget = leg.budget;
        if enters {
            here.enter(arrival, &mut game);
            assert!(here.talk().is_none() && !here.field.is_hopping());
            assert!(here.field.engaged() == 0);
        }
        for &(held, frames) in &leg.log {
            for frame in 0..frames {
                // The button comes and goes.
                let held = if frame % 2 == 0 { held } else { held & 0xF000 };
                let left = here.change();
                here.frame(held, &mut game);
                if left.is_some() {
                    // Only what is held is heard.
                    let hash = here.state_hash();
                    here.frame(held, &mut game);
                    assert_eq!((here.change(), here.state_hash()), (left, hash), "moved");
                }
                check(&here);
                let resume = &mut here.vm.state.resume;
                if *resume == Resume::Armed && frame % (scene.patience + 1) == 0 {
                    *resume = Resume::Done;
                }
            }
        }
        world = Some(here);
    }
    world.map_or(0, |it| it.state_hash())
}

fn twice<const N: usize>(scene: &Scene) -> Result<(), TestCaseError> {
    prop_assert_eq!(play::<N>(scene), play::<N>(scene));
    Ok(())
}

/// What a player sees of a frame: what it told, who is where, and what is said.
fn seen<const N: usize>(
    world: &World<'_, N>,
    told: &Frame,
) -> impl PartialEq + std::fmt::Debug + use<N> {
    let player = core::iter::once(&world.field.player);
    let actors = world.field.actors.iter().map(|(_, it)| it);
    let actors: Vec<_> = player.chain(actors).copied().collect();
    let text = world.talk().and_then(|it| it.text());
    let rows: Vec<_> = text.into_iter().flat_map(|it| it.rows()).collect();
    let rows: Vec<_> = rows.iter().map(|it| (it.0.to_vec(), it.1)).collect();
    (*told, actors, rows, world.camera(), world.vm.state)
}

/// Play a log, hear the sum, play on for so many frames, and hear what is seen of them.
fn after(
    scene: &Scene,
    [man, map]: &[Vec<u8>; 2],
    prefix: &[u16],
    frames: usize,
) -> (u32, Vec<impl PartialEq + std::fmt::Debug + use<>>) {
    let mut map = map.clone();
    let mut world = Box::new(World::<8>::new(Scenery {
        map: Soil::Map(MapMut::parse(&mut map).unwrap()),
        patch: Triggers::EMPTY,
        man: Man::parse_lenient(man).ok(),
        banks: Banks::default(),
        overworld: scene.overworld,
    }));
    let mut game = Slow::new(0);
    let [x, z] = scene.at;
    let at = Point::new(x, z);
    world.enter(Arrival::Warp { at, heading: 0 }, &mut game);
    for &held in prefix {
        world.frame(held, &mut game);
    }
    let hash = world.state_hash();
    let log = scene.legs.iter().flat_map(|leg| &leg.log);
    let log = log.flat_map(|&(held, frames)| (0..frames).map(move |_| held));
    let trace = log.take(frames).map(|held| {
        let told = world.frame(held, &mut game);
        seen(&world, &told)
    });
    (hash, trace.collect())
}

/// Short logs that mostly end in the same: what was heard before is what they differ in.
fn prefixes() -> impl Strategy<Value = Vec<Vec<u16>>> {
    let held = prop::sample::select(&[0, 0x20, 0x1000, 0x2000, 0x4000, 0x8000, 0x0F00][..]);
    let last = prop_oneof![8 => Just(0), 1 => Just(0x20)];
    let log = (vec(held, 4), last).prop_map(|(mut log, last)| {
        log.push(last);
        log
    });
    vec(log, 12)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 60 } else { 2000 }))]

    #[test]
    fn hostile_scenes_play(scene in scene(), room in 0..6_u8) {
        match room {
            0 => twice::<0>(&scene)?,
            1 => twice::<1>(&scene)?,
            2 => twice::<3>(&scene)?,
            3 => twice::<5>(&scene)?,
            _ => twice::<8>(&scene)?,
        }
    }
}

proptest! {
    // A case is some dozen plays.
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 10 } else { 500 }))]

    /// Worlds with the same sum go on in the same way, however they came to it.
    #[test]
    fn equal_sums_go_on_equally(scene in scene(), prefixes in prefixes()) {
        let files = files(&scene);
        let mut ends = std::collections::BTreeMap::new();
        for prefix in &prefixes {
            let (hash, _) = after(&scene, &files, prefix, 0);
            if let Some(before) = ends.insert(hash, prefix) {
                let [one, other] = [before, prefix].map(|it| after(&scene, &files, it, 40).1);
                // What they are would fill pages.
                prop_assert!(one == other, "{before:X?} and {prefix:X?}");
            }
        }
    }
}
