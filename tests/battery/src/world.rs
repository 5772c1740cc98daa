//! A cut of a scene that is played: scripts, a talk, a fight, a painted wall and a way out, and a pad log whose
//! state is the same on all machines. It stands on walls alone, which a microcontroller has room for.

use core::hint::black_box;
use core::marker::PhantomData;

use overworld_runtime::anim::legaia::Banks;
use overworld_runtime::bytes::Crc32;
use overworld_runtime::field::actor::flag;
use overworld_runtime::field::map::{COLLISION_SIZE, Triggers};
use overworld_runtime::field::units::Point;
use overworld_runtime::field::{Compat, pad};
use overworld_runtime::gpu::DisplayList;
use overworld_runtime::gte::Geometry;
use overworld_runtime::gte::software::Gte as Software;
use overworld_runtime::scene::man::{self, ActorSource, BeatSource, FlagList, Man, encounter};
use overworld_runtime::scene::world::Meshes;
use overworld_runtime::scene::world::{Arrival, Change, Scenery, Soil, World};
use overworld_runtime::script::host::Absent;

use crate::Machine;
use crate::bench::per_call;
use crate::check::{Check, List, reason, same};
use crate::display::At;

pub(crate) struct Tests<G>(PhantomData<G>);

impl<G: Geometry + 'static> Tests<G> {
    pub(crate) const ALL: List<G> = &[
        ("world/scene", scene),
        ("world/log", log),
        ("world/ground", ground),
    ];
}

/// Places for scripts: player, entry script, one person, one beat.
const PLACES: usize = 4;
const INTERACT: u16 = 0x0020;

/// A mark; a wall on column 22; an idle loop in which a flag starts the beat.
const ENTRY: &[u8] = &[
    0x24, 0x4C, 0x71, 22, 0, 22, 40, 0x21, // the prologue
    0x21, 0x4C, 0xC5, 0x01, 0x02, 0x44, 2, // wait for flag 201h, then the beat
    0x21, 0x26, 0xFE, 0xFF,
];
/// A seat; a line, a flag, a fight; from the beginning.
const PERSON: &[u8] = &[
    0x25, 0x4C, 0x51, 20, 19, 4, 0, 0x21, // the prologue
    0x1F, b'H', b'i', 0, 0x52, 0x01, 0x3E, 0xFF, 1, 0x21, 0x26, 0xF5, 0xFF,
];
/// Its own flag is set, the wall is cleared, three frames pass, the player is led a tile, and out.
const BEAT: &[u8] = &[
    0x52, 0x02, 0x4C, 0x70, 22, 0, 22, 40, 0x4A, 3, 0, 0xB7, 0xF8, 6, 1, 0x3F, 7, 0, 2, b'o', b'n',
    9, 0x8A, 6, 0x21, 0x26, 0xFE, 0xFF,
];

/// The scene's program, with so many units from tier to tier.
fn program(tier: i16, out: &mut [u8]) -> Result<usize, man::Error> {
    let mut encounters = [0; 16];
    let none = encounter::Source {
        strides: encounter::STRIDES,
        formations: &[],
        conditions: &[],
        regions: &[],
    };
    let len = encounter::emit(&none, &mut encounters)?;
    let actor = |tile, script| ActorSource {
        label: &[],
        model: 1,
        animation: 0,
        tile,
        script,
    };
    let source = man::Source {
        floor: core::array::from_fn(|n| tier * n as i16),
        // Flat numbers: the entry script is 0, the person 1, the beat 2.
        actors: &[actor([0x7F, 0x7F], ENTRY), actor([9, 9], PERSON)],
        beats: &[BeatSource {
            label: &[],
            c0: &[],
            c1: FlagList::from(&[0x202][..]),
            c2: FlagList::from(&[0x201][..]),
            script: BEAT,
        }],
        encounters: encounters.get(..len).unwrap_or_default(),
        motion: &[0],
        name: b"Cut",
        cameras: &[0],
        ..man::Source::default()
    };
    man::emit(&source, out)
}

/// Behind the person, who looks the other way.
const ARRIVAL: Arrival = Arrival::Warp {
    at: Point::new(2624, 2612),
    heading: 0,
};

/// Enter the scene behind the person, and do something there.
fn played(work: impl FnOnce(&mut World<'_, PLACES>) -> Check) -> Check {
    played_on(&mut [0; COLLISION_SIZE], 0, work)
}

/// The same on these walls and tiers.
fn played_on(
    grid: &mut [u8; COLLISION_SIZE],
    tier: i16,
    work: impl FnOnce(&mut World<'_, PLACES>) -> Check,
) -> Check {
    let mut bytes = [0; 512];
    let len = program(tier, &mut bytes).map_err(|error| reason(format_args!("{error}")))?;
    let man = Man::parse(bytes.get(..len).unwrap_or_default());
    let man = man.map_err(|error| reason(format_args!("{error}")))?;
    let mut world = World::new(Scenery {
        map: Soil::Bare(grid),
        patch: Triggers::EMPTY,
        man: Some(man),
        banks: Banks::default(),
        overworld: false,
    });
    let entered = world.enter(ARRIVAL, &mut Absent);
    same!(entered.scripts.contexts, 2, "contexts");
    work(&mut world)
}

fn scene<G>(_: &mut G) -> Check {
    played(|world| {
        let frame = |world: &mut World<'_, PLACES>, held| world.frame(held, &mut Absent);
        // The painted wall lies behind 2816; at 2768 the feelers, 48 long, do not reach it yet.
        for _ in 0..30 {
            frame(world, pad::X_PLUS);
        }
        same!(world.field.player.x, 2770, "at the wall");
        for _ in 0..10 {
            frame(world, pad::X_MINUS);
        }
        world.field.player.set_heading(0);
        frame(world, INTERACT);
        same!(world.talk().is_some(), true, "a talk");
        same!(world.field.player.has(flag::LOCKED), true, "locked");
        let mut frames = 0;
        while world.talk().is_some() || world.fight().is_some() {
            frame(world, if frames % 2 == 0 { INTERACT } else { 0 });
            frames += 1;
            same!(frames < 100, true, "it ends");
        }
        same!(world.field.player.has(flag::LOCKED), false, "free");
        same!(
            world.vm.state.system.test(0x201),
            true,
            "the flag of the talk"
        );
        let mut frames = 0;
        let change = loop {
            if let Some(change) = frame(world, 0).change {
                break change;
            }
            frames += 1;
            same!(frames < 100, true, "the beat leads out");
        };
        let Change::Scene(passage) = change else {
            return Err(reason(format_args!("{change:?}")));
        };
        let arrival = passage.arrival(&Compat::SHEET);
        same!(passage.name.as_str(), "on", "where to");
        same!(
            (arrival.at, arrival.heading),
            (Point::new(1216, 1408), 0xC00),
            "the arrival"
        );
        Ok(())
    })
}

/// What the log comes to: found on the PC, and the same everywhere.
const STATE: u32 = 0x7029_C72E;

fn log<G>(_: &mut G) -> Check {
    played(|world| {
        let mut random = 1_u32;
        for _ in 0..1500 {
            random = random.wrapping_mul(0x41C6_4E6D).wrapping_add(0x3039);
            // Directions and the button, six frames each.
            let held = (random >> 16) as u16 & 0xF020;
            for _ in 0..6 {
                // The way out leads in again, until the beat's own flag forbids it.
                if world.frame(held, &mut Absent).change.is_some() {
                    world.enter(ARRIVAL, &mut Absent);
                }
            }
        }
        let state = world.state_hash();
        if state == STATE {
            return Ok(());
        }
        Err(reason(format_args!("state {state:08X}")))
    })
}

/// Entries of the ground's ordering table, and words of its list.
const BUCKETS: usize = 64;
const LIST: usize = 2560;

/// A hill, a wall across the picture and one along it, and a wall of half tiles, about where the player stands.
fn town(grid: &mut [u8; COLLISION_SIZE]) {
    for (byte, at) in grid.iter_mut().zip(0_u32..) {
        let (col, row) = (at & 127, at >> 7);
        let hill = (22..26).contains(&col) && (21..25).contains(&row);
        let walls = match (col, row) {
            (15..=24, 26) | (16, 18..=26) => 0xF0,
            (18..=20, 23) => 0x30,
            _ => 0,
        };
        *byte = walls | if hill { col as u8 & 3 } else { 0 };
    }
}

/// Compose a picture of the town's ground; how many of the list's words are used.
fn composed<G: Geometry>(
    gte: &mut G,
    world: &World<'_, PLACES>,
    list: &mut DisplayList<'_>,
) -> Result<usize, crate::check::Reason> {
    list.begin(&mut At(0x8010_0000));
    let drawn = world.compose(gte, list, &Meshes::default());
    drawn.map_err(|error| reason(format_args!("{error}")))?;
    Ok(list.words().len() - list.free())
}

/// Floor and walls: a list that holds both, and on every machine the software model's.
fn ground<G: Geometry>(gte: &mut G) -> Check {
    let mut grid = [0; COLLISION_SIZE];
    town(&mut grid);
    played_on(&mut grid, 24, |world| {
        world.frame(0, &mut Absent);
        let mut words = [0; LIST];
        let crc = |used: usize, list: &DisplayList<'_>| {
            let mut crc = Crc32::new();
            for word in list.words().iter().take(used) {
                crc.update(&word.to_le_bytes());
            }
            crc.finish()
        };
        let mut list = DisplayList::new(&mut words, BUCKETS);
        let used = composed(gte, world, &mut list)?;
        let found = (used, crc(used, &list));
        let used = composed(&mut Software::new(), world, &mut list)?;
        same!(found, (used, crc(used, &list)), "words, and their sum");
        // Six a polygon: more than the floor alone, less than all there is.
        let polygons = (used - BUCKETS) / 6;
        same!((100..=380).contains(&polygons), true, "{polygons} polygons");
        Ok(())
    })
}

/// What the picture of a window of ground costs, without actors.
pub(crate) fn bench_ground<M: Machine>(machine: &mut M) -> u32 {
    let mut grid = [0; COLLISION_SIZE];
    town(&mut grid);
    let mut cost = u32::MAX;
    let played = played_on(&mut grid, 24, |world| {
        world.frame(0, &mut Absent);
        let mut words = [0; LIST];
        let mut list = DisplayList::new(&mut words, BUCKETS);
        composed(machine.gte(), world, &mut list)?;
        cost = per_call(machine, 2, |gte, _| {
            _ = composed(gte, black_box(world), &mut list);
        });
        Ok(())
    });
    if played.is_ok() { cost } else { u32::MAX }
}
