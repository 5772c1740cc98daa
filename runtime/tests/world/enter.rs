//! Entry: the order of the sheet (field sheet, section 10.1), seats (10.7), both sweeps (12.1).

use crate::common::{Plan, START, bind, thing};
use overworld_runtime::field::Compat;
use overworld_runtime::field::actor::flag;
use overworld_runtime::field::cold::Search;
use overworld_runtime::field::compat::FallbackMarks;
use overworld_runtime::field::map::Object;
use overworld_runtime::field::map::trigger::Source;
use overworld_runtime::field::units::Point;
use overworld_runtime::scene::world::{Arrival, Change, Entered, Passage};
use overworld_runtime::scene::{Camera, Name};
use overworld_runtime::script::host::Absent;
use overworld_runtime::script::task::Task;

const COLD: Point = Point::new(2624, 2624);

fn enter(
    plan: &Plan<'_>,
    arrival: Arrival,
) -> (
    Box<overworld_runtime::scene::world::World<'static, 16>>,
    Entered,
) {
    let mut world = plan.world::<16>();
    let entered = world.enter(arrival, &mut Absent);
    (world, entered)
}

/// A cold player stands on (2624, 2624), at height 0, and settles; a warped one exactly where the way led, on
/// the floor there; a recentred one in the middle of the window (vectors K1 to K4 have the seat itself).
#[test]
fn the_seats_of_the_three_arrivals() {
    let plan = Plan {
        floor: [100; 16],
        ..Plan::default()
    };
    let anchor = Point::new(256, 512);
    let (world, entered) = enter(&plan, Arrival::New { anchor });
    let player = &world.field.player;
    assert_eq!((player.point(), player.y), (COLD, 0));
    assert_eq!((entered.tile, entered.no_heights), ([20, 20], None));
    let arrival = Arrival::Warp {
        at: Point::new(2628, 3008),
        heading: 0xC00,
    };
    let (mut world, entered) = enter(&plan, arrival);
    let player = world.field.player;
    assert_eq!((player.x, player.y, player.z), (2628, -100, 3008));
    assert_eq!(
        (player.heading(), player.speed, player.rate),
        (0xC00, 0x1000, 8)
    );
    assert_eq!(entered.tile, [20, 23]);
    let arrival = Arrival::Recentre { origin: [16, 32] };
    world.enter(arrival, &mut Absent);
    assert_eq!(world.field.player.point(), Point::new(2880, 5184));
}

/// Section 10.5: a door's tile is taken exactly, the heading out of three bits.
#[test]
fn a_passage_leads_to_its_own_tile() {
    let passage = Passage {
        index: 3,
        name: Name::new("town0c"),
        entry: [25, 45],
        direction: 0xFC,
    };
    let arrival = Arrival::through(&passage, &Compat::SHEET);
    let at = Point::new(3264, 5824);
    assert_eq!(arrival, Arrival::Warp { at, heading: 0x800 });
    // Even though it is a wall.
    let plan = Plan {
        walls: &[[25, 45], [25, 46]],
        ..Plan::default()
    };
    let (world, _) = enter(&plan, arrival);
    assert_eq!(world.field.player.point(), at);
    assert_eq!(world.field.player.heading(), 0x800);
}

/// Objects with a script trigger on their anchor come from the sweep of the start, the others from that of the
/// window: one each. Malformed binds stand there without a script.
#[test]
fn each_object_has_one_spawner() {
    let plan = Plan {
        objects: &["cset 30\nidle: nop.f\njmp idle"],
        triggers: Source {
            scripts: &[bind([30, 30], 0), bind([32, 30], 99)],
            ..Source::default()
        },
        placed: &[
            (5, [30, 30], thing()),
            (6, [32, 30], thing()),
            (7, [40, 40], thing()),
            // Its anchor lies off the grid.
            (
                8,
                [0, 9],
                Object {
                    anchor: [-1, 0],
                    ..thing()
                },
            ),
        ],
        ..Plan::default()
    };
    let play = plan.play();
    let Entered {
        objects, window, ..
    } = play.entered;
    assert_eq!(
        (objects.spawned, objects.unbound, window.spawned),
        (2, 1, 1)
    );
    let field = &play.world.field;
    let found: Vec<_> = field
        .actors
        .iter()
        .map(|(_, it)| (it.object, it.script))
        .collect();
    assert_eq!(found, [(5, 0), (6, 0xFFFF), (7, 0xFFFF)]);
    assert_eq!(play.entered.scripts.contexts, 2);
}

/// Step 9 runs the entry script's slice and the prologues, in this order, with map and people there; step 11
/// seats the player after all of them.
#[test]
fn scripts_run_before_the_player_is_seated() {
    let plan = Plan {
        entry: "nop.24
                wall.fill 20, 30, 22, 30
                move_to@player 5, 5
                sset 0x100
                cset@2 30
                nop.f
          idle: nop.f
                jmp idle",
        // Who is there when the entry script runs; and it sees the flag.
        objects: &["nop.25
                    stst 0x100, seen
                    jmp done
              seen: sset 0x101
              done: nop.f
              idle: nop.f
                    jmp idle"],
        people: &[(
            [10, 10],
            "nop.25\nseat 8, 9, 4, 1\nnop.f\nidle: nop.f\njmp idle",
        )],
        triggers: Source {
            scripts: &[bind([30, 30], 0)],
            ..Source::default()
        },
        placed: &[(5, [30, 30], thing())],
        ..Plan::default()
    };
    let play = plan.play();
    let world = &play.world;
    let grid = |col: usize, row: usize| {
        let tile = overworld_runtime::field::map::Tile::new(col as u8, row as u8).unwrap();
        let [x, z] = [col, row].map(|it| it as i32 * 128);
        (tile, world.ground().walls().at(x + 64, z - 64))
    };
    // Rows carry an extra one.
    for (col, wall) in [(19, false), (20, true), (22, true), (23, false)] {
        assert_eq!(grid(col, 31).1, wall, "{col}");
    }
    assert_eq!(play.game.paints.len(), 1);
    assert_eq!(play.at(), START);
    assert!(play.flag(0x101));
    let (id, villager) = world
        .field
        .actors
        .iter()
        .find(|it| it.1.script == 2)
        .unwrap();
    assert_eq!(
        (villager.x, villager.z, villager.heading()),
        (1088, 1216, 0x800)
    );
    // The flag that the entry script has set, and its own class.
    assert!(villager.has(flag::INTERACT) && villager.has(flag::MOVING));
    assert_eq!(world.script_of(id).unwrap().script_id, 2);
    assert_eq!(play.entered.fault, None);
}

/// Section 14's pin: the villagers on (29, 22) and (30, 22), seated with indices 6 and 2, face each other.
#[test]
fn the_villagers_face_each_other() {
    let plan = Plan {
        people: &[
            (
                [29, 22],
                "nop.25\nseat 29, 22, 6, 1\nnop.f\nidle: nop.f\njmp idle",
            ),
            (
                [30, 22],
                "nop.25\nseat 30, 22, 2, 1\nnop.f\nidle: nop.f\njmp idle",
            ),
        ],
        ..Plan::default()
    };
    let play = plan.play();
    let seen: Vec<_> = play.world.field.actors.iter().collect();
    let found: Vec<_> = seen
        .iter()
        .map(|(_, it)| (it.x, it.z, it.heading()))
        .collect();
    let z = 22 * 128 + 64;
    assert_eq!(found, [(3776, z, 0xC00), (3904, z, 0x400)]);
}

/// Section 10.7, the reference engine's rule: where the seat of a new game is a wall there may be room elsewhere, on
/// the floor there.
#[test]
fn a_walled_seat_is_left() {
    // A room of eight tiles by six, far from the seat, and a wall around everything that is not in it.
    let mut walls = Vec::new();
    let inside = |col: u8, row: u8| (40..48).contains(&col) && (61..67).contains(&row);
    for row in 0..128 {
        walls.extend(
            (0..128)
                .filter(|&col| !inside(col, row))
                .map(|col| [col, row]),
        );
    }
    let plan = Plan {
        walls: &walls,
        floor: [100; 16],
        ..Plan::default()
    };
    let anchor = Point::new(0, 0);
    let (mut world, _) = enter(&plan, Arrival::New { anchor });
    assert_eq!(world.field.player.point(), COLD);
    let mut search = Box::new(Search::new());
    let at = world.make_room(&mut search).unwrap();
    // Rows of walls stand a tile later: sub-cells 80 to 95 and 120 to 131, the middle of both.
    assert_eq!(at, Point::new(87 * 64 + 32, 125 * 64 + 32));
    let player = world.field.player;
    assert_eq!((player.point(), player.y), (at, -100));
    world.frame(0x2000, &mut Absent);
    assert_eq!(world.field.player.x, at.x + 8);
    // Whoever stands in the open stays, and where all is wall there is nowhere to go.
    assert_eq!(world.make_room(&mut search), None);
    walls.extend((0..128).flat_map(|row| (0..128).map(move |col| [col, row])));
    let plan = Plan {
        walls: &walls,
        ..Plan::default()
    };
    let (mut world, _) = enter(&plan, Arrival::New { anchor });
    assert_eq!(world.make_room(&mut search), None);
    assert_eq!(world.field.player.point(), COLD);
}

/// Mirror bits of section 3.8, and the fallback block's tiles: a trigger there fires.
#[test]
fn the_grid_is_refreshed_and_the_patch_marked() {
    let mut block = vec![0; 0x800];
    let source = Source {
        scripts: &[crate::common::walk_on([21, 20], 0)],
        ..Source::default()
    };
    let len = overworld_runtime::field::map::trigger::emit(&source, &mut block).unwrap();
    block.truncate(len.max(0x12));
    let plan = Plan {
        beats: &[crate::common::Beat {
            c1: &[],
            c2: &[],
            script: "sset 0x300\nidle: nop.f\njmp idle",
        }],
        patch: &block,
        ..Plan::default()
    };
    let at = Point::new(21 * 128 + 64, START.z);
    let mut play = plan.play_from(at);
    assert_eq!(play.frame(0).started, 1);
    assert!(play.flag(0x300));
    // By the other reading (row 15) only a trigger of gate 0 marks its tile.
    let mut world = plan.world::<16>();
    world.field.settings.compat.fallback_marks = FallbackMarks::GateZero;
    world.enter(Arrival::Warp { at, heading: 0 }, &mut Absent);
    assert_eq!(world.frame(0, &mut Absent).started, 0);
}

/// What goes on in a scene ends with it.
#[test]
fn an_entry_begins_anew() {
    let plan = Plan {
        entry: "nop.24\ninput.lock\ngset 10\nnop.f\nidle: nop.f\njmp idle",
        ..Plan::default()
    };
    let mut play = plan.play();
    play.world.field.player.flags |= flag::LOCKED;
    play.frames(0x2000, 3);
    assert_eq!(play.at(), START);
    let again = Arrival::Warp {
        at: START,
        heading: 0,
    };
    play.world.vm.contexts[1].task = Task::NONE;
    play.world.enter(again, &mut Absent);
    assert_eq!(play.world.change(), None::<Change>);
    assert!(!play.world.field.player.has(flag::LOCKED));
}

/// Without a MAN the floor lies at 0 and nobody is there, but the player walks.
#[test]
fn a_scene_without_a_program() {
    use overworld_runtime::field::map::{MapMut, Triggers};
    use overworld_runtime::scene::world::{Scenery, Soil, World};
    let mut bytes = Plan::default().map();
    let mut world = World::<4>::new(Scenery {
        map: Soil::Map(MapMut::parse(&mut bytes).unwrap()),
        patch: Triggers::EMPTY,
        man: None,
        banks: Default::default(),
        overworld: true,
    });
    let arrival = Arrival::Warp {
        at: START,
        heading: 0,
    };
    let entered = world.enter(arrival, &mut Absent);
    assert_eq!(entered.scripts.contexts, 0);
    // Section 18: said once.
    let told = entered.no_heights.unwrap().to_string();
    assert_eq!(told, "no height table: every floor is at 0");
    assert_eq!(world.enter(arrival, &mut Absent).no_heights, None);
    world.frame(0x2000, &mut Absent);
    assert_eq!(world.field.player.x, START.x + 8);
    let camera = world.camera();
    assert_eq!((camera.focus.x, camera.focus.z), (START.x + 8, START.z));
    assert_eq!(camera.pitch, Camera::OVERWORLD.pitch);
}

/// A text that is open when the scene is left holds nobody back in the next one.
#[test]
fn an_entry_ends_what_is_said() {
    let plan = Plan {
        entry: "nop.24\nnop.f\n.text \"Wait.\"\nsset 0x300\nidle: nop.f\njmp idle",
        ..Plan::default()
    };
    let mut play = plan.play();
    play.frames(0, 2);
    assert!(play.world.talk().is_some() && play.world.vm.is_engaged(1));
    let again = Arrival::Warp {
        at: START,
        heading: 0,
    };
    play.world.enter(again, &mut Absent);
    assert!(play.world.talk().is_none() && !play.world.vm.is_engaged(1));
    assert_eq!(play.read(), [""; 0]);
    play.frames(0, 2);
    assert_eq!(play.read(), ["Wait."]);
    play.frames(0, 1);
    assert!(play.flag(0x300));
}

/// Step 9 decodes the MAN: heights that a script has rewritten (`4C 9E`) do not outlive the scene.
#[test]
fn an_entry_reads_the_heights_anew() {
    let heights = ["100"; 16].join(", ");
    let entry = format!("nop.24\nnop.f\nfloor.table {heights}\nidle: nop.f\njmp idle");
    let plan = Plan {
        entry: &entry,
        floor: [32; 16],
        ..Plan::default()
    };
    let mut play = plan.play();
    assert_eq!(play.world.field.player.y, -32);
    play.frames(0, 20);
    assert_eq!(play.world.field.player.y, -100);
    let again = Arrival::Warp {
        at: START,
        heading: 0,
    };
    play.world.enter(again, &mut Absent);
    assert_eq!(play.world.field.player.y, -32);
}

/// Step 9 gives the player its speed and rate, then runs the scripts; step 11, the seat, comes behind them and
/// leaves alone what they have written.
#[test]
fn a_prologue_may_slow_the_player() {
    let plan = Plan {
        entry: "nop.24\nramp.scale@player 0x0C00, 0\nramp.pace@player 6, 0\nnop.f\nidle: nop.f\njmp idle",
        ..Plan::default()
    };
    let mut play = plan.play();
    let player = &play.world.field.player;
    assert_eq!((player.speed, player.rate), (0x0C00, 3));
    play.frames(0x2000, 1);
    assert_eq!(play.at().x, START.x + 6);
    // The next entry begins with the plain ones.
    let mut next = Plan::default().world::<16>();
    *next = next.with(&play.world.leave());
    let again = Arrival::Warp {
        at: START,
        heading: 0,
    };
    next.enter(again, &mut Absent);
    let player = &next.field.player;
    assert_eq!((player.speed, player.rate), (0x1000, 8));
}

/// `4C 3A` in a prologue reads the arrival of this entry, not of the one before.
#[test]
fn the_arrival_is_known_to_the_prologues() {
    let plan = Plan {
        entry: "nop.24\nplayer.arrival\nnop.f\nidle: nop.f\njmp idle",
        ..Plan::default()
    };
    let arrival = Arrival::Warp {
        at: START,
        heading: 0xC00,
    };
    let (mut world, _) = enter(&plan, arrival);
    assert_eq!(world.field.player.heading(), 0xC00);
    // Nobody says where to look: the player goes on looking there.
    world.field.player.set_heading(0x400);
    world.enter(Arrival::Recentre { origin: [16, 32] }, &mut Absent);
    assert_eq!(world.field.player.heading(), 0x400);
}

/// A prologue hears the time of a frame and the pad as a frame's scripts do, whichever way the pad came here.
#[test]
fn prologues_know_time_and_pad() {
    let plan = Plan {
        entry: "nop.24
                wait 2
                sset 0x300
                jpad 8, pressed
                nop.f
       pressed: sset 0x301
          idle: nop.f
                jmp idle",
        ..Plan::default()
    };
    let arrival = Arrival::Warp {
        at: START,
        heading: 0,
    };
    let mut play = Plan::default().play();
    play.world.settings.scalar = 2;
    play.frames(0x0020, 1);
    let mut next = plan.world::<16>();
    *next = next.with(&play.world.leave());
    next.enter(arrival, &mut Absent);
    let flags = [0x300, 0x301].map(|it| next.vm.state.system.test(it));
    assert_eq!(flags, [true, true]);
}
