//! The sample town plays: its scripts run out of a MAN made by the writer.

use overworld_host::sample::town::{GATE_OPEN, LEFT, man};
use overworld_runtime::scene::man::{Man, flag_is_set};
use overworld_runtime::scene::scripts::{Bound, Installed, install, spawn};
use overworld_runtime::script::context::{Context, flag};
use overworld_runtime::script::dialog::{Buttons, Conversation, Phase};
use overworld_runtime::script::host::*;
use overworld_runtime::script::state::Paint;
use overworld_runtime::script::text::TextBox;
use overworld_runtime::script::{Compat, SliceEnd, Spawn, Vm};

/// The map's grid, and where the game is told to go.
struct Game {
    grid: Vec<u8>,
    scene: Option<(String, [u8; 2])>,
}

impl Queries for Game {}
impl Actors for Game {}
impl Camera for Game {}
impl Video for Game {}
impl Audio for Game {}
impl Texts for Game {}
impl Items for Game {}
impl Flow for Game {
    fn flow(&mut self, _: ContextId, event: FlowEvent<'_>) {
        if let FlowEvent::SceneChange { name, entry, .. } = event {
            self.scene = Some((name.to_owned(), entry));
        }
    }
}
impl Walls for Game {
    fn paint(&mut self, paint: Paint) {
        paint.apply(&mut self.grid);
    }
}

const BUDGET: u16 = 256;
/// Places in the pool.
const PLAYER: u8 = 0;

type Town<'m> = (Box<Vm<'m, 8>>, Game);

/// Load the scene as a game does: the player's context first, the rest out of the MAN.
fn load<'m>(man: &Man<'m>, open: bool) -> Town<'m> {
    let mut vm = Box::new(Vm::<8>::new(Compat::Retail));
    let mut game = Game {
        grid: vec![0x02; 0x4000],
        scene: None,
    };
    if open {
        vm.state.system.set(GATE_OPEN);
    }
    assert_eq!(vm.insert(Context::new(0xFFFF, &[], 0)), Some(PLAYER));
    vm.player = Some(PLAYER);
    let door = Bound {
        record: 0,
        place: [2624, -64, 2560],
    };
    let mut ends = Vec::new();
    let done = install(&mut vm, &mut game, man, [door], BUDGET, |id, end| {
        ends.push((id, end))
    });
    let expected = Installed {
        contexts: 4,
        streams: 1,
        ..Installed::default()
    };
    assert_eq!(done, expected);
    // The entry script, the guard, the villager, the door.
    let prologues = [1, 2, 3, 4].map(|id| (id, SliceEnd::FrameEnd));
    assert_eq!(ends, prologues);
    (vm, game)
}

fn frame((vm, game): &mut Town<'_>) {
    vm.frame(game, BUDGET, |id, end| {
        assert!(!matches!(end, SliceEnd::Fault(_)), "{id}: {end:?}");
    });
}

/// Talk to the actor in a place, with the option that `down` chooses; what was said.
fn talk((vm, game): &mut Town<'_>, id: ContextId, down: bool) -> Vec<String> {
    let mut said = Vec::new();
    let mut talk = Conversation::begin(vm, id);
    for _ in 0..500 {
        let full = talk.text().is_some_and(TextBox::is_full);
        if full && talk.phase() == Phase::Shows {
            let rows = talk.text().unwrap().rows();
            said.extend(rows.map(|it| String::from_utf8(it.0.to_vec()).unwrap()));
        }
        let move_first = talk.picker().is_some_and(|it| down && it.cursor == 0);
        let buttons = Buttons {
            confirm: full && !move_first,
            down: move_first,
            ..Buttons::default()
        };
        if talk.tick(vm, game, buttons, BUDGET) == Phase::Over {
            assert_eq!(talk.fault(), None);
            return said;
        }
    }
    panic!("the conversation does not end");
}

#[test]
fn the_gate_is_painted_while_the_scene_loads() {
    let bytes = man().unwrap();
    let man = Man::parse(&bytes).unwrap();
    for open in [false, true] {
        let (vm, game) = load(&man, open);
        for column in 0..128 {
            let shut = (20..=22).contains(&column) && !open;
            let cell = game.grid[25 * 128 + column];
            assert_eq!(cell, if shut { 0xF2 } else { 0x02 }, "column {column}");
        }
        // The villager's prologue: tile (18, 22), facing Z-.
        let villager = vm.contexts[3];
        assert_eq!((villager.x, villager.z, villager.move_id), (2368, 2880, 2));
    }
}

/// What the records' headers and section 1 give: tile, mesh, clip, scale, stream.
#[test]
fn contexts_come_from_their_records() {
    let bytes = man().unwrap();
    let man = Man::parse(&bytes).unwrap();
    let (vm, _) = load(&man, false);
    let [_, entry, guard, villager, door, ..] = &vm.contexts;
    let seen = [entry, guard, villager, door].map(|it| (it.script_id, it.model, it.scale));
    // Pool slots lie five behind the meshes' numbers: the neighbours are mesh 2. The door's mesh is its object's.
    assert_eq!(
        seen,
        [
            (1, 0, 0x1000),
            (2, 7, 0x1000),
            (3, 7, 0x1000),
            (0, 0, 0x1000)
        ]
    );
    assert_eq!((door.x, door.y, door.z, door.move_id), (2624, -64, 2560, 3));
    assert_eq!(
        [entry, guard, door].map(|it| it.flags),
        [0, flag::MOVING, 0]
    );
    assert_eq!((vm.system, vm.beats.clone()), (Some(1), Some(4..5)));
    assert_eq!(vm.state.floor, man.heights());
    let streams = vm.contexts.each_ref().map(|it| it.stream.len());
    assert_eq!(
        streams.map(|it| it != 0),
        [false, false, false, true, false, false, false, false]
    );
}

#[test]
fn the_villager_looks_around_until_the_gate_is_open() {
    let bytes = man().unwrap();
    let man = Man::parse(&bytes).unwrap();
    let mut town = load(&man, false);
    let mut seen = [false; 2];
    for _ in 0..200 {
        frame(&mut town);
        let heading = town.0.contexts[3].heading;
        seen = [seen[0] || heading == 0x400, seen[1] || heading == 0xC00];
    }
    assert_eq!(seen, [true, true]);
    town.0.state.system.set(GATE_OPEN);
    frame(&mut town);
    let heading = town.0.contexts[3].heading;
    for _ in 0..200 {
        frame(&mut town);
        assert_eq!(town.0.contexts[3].heading, heading);
    }
}

/// A scene with damaged records has the others; a full pool is no fault.
#[test]
fn what_is_missing_is_counted() {
    let bytes = man().unwrap();
    let man = Man::parse(&bytes).unwrap();
    let mut vm = Box::new(Vm::<2>::new(Compat::Retail));
    let mut game = Game {
        grid: vec![0; 0x4000],
        scene: None,
    };
    let objects = [0, 99].map(|record| Bound {
        record,
        place: [0; 3],
    });
    let done = install(&mut vm, &mut game, &man, objects, BUDGET, |_, _| {});
    let expected = Installed {
        contexts: 2,
        malformed: 1,
        refused: 2,
        streams: 0,
    };
    assert_eq!(done, expected);
}

#[test]
fn the_guard_walks_along_its_way_points() {
    let bytes = man().unwrap();
    let man = Man::parse(&bytes).unwrap();
    let mut town = load(&man, false);
    let start = town.0.contexts[2];
    let mut places = vec![(start.x, start.z)];
    for _ in 0..400 {
        frame(&mut town);
        let guard = town.0.contexts[2];
        if places.last() != Some(&(guard.x, guard.z)) {
            places.push((guard.x, guard.z));
        }
    }
    let corners = [(24, 19), (26, 19), (26, 22), (24, 22), (24, 19), (26, 19)];
    let mut seen = places.into_iter();
    for (x, z) in corners {
        let corner = (x * 128 + 64, z * 128 + 64);
        assert!(seen.any(|it| it == corner), "tile {x}, {z}");
    }
}

#[test]
fn the_villager_asks_and_remembers() {
    let bytes = man().unwrap();
    let man = Man::parse(&bytes).unwrap();
    let mut town = load(&man, false);
    let question = ["The gate is shut.", "Shall I open it?"];
    assert_eq!(talk(&mut town, 3, true), question);
    assert!(!town.0.state.system.test(GATE_OPEN));
    assert_eq!(town.1.grid[25 * 128 + 21], 0xF2);
    let answer = [&question[..], &["There you are."]].concat();
    assert_eq!(talk(&mut town, 3, false), answer);
    assert_eq!(town.1.grid[25 * 128 + 21], 0x02);
    assert_eq!(talk(&mut town, 3, false), ["Mind the owl."]);
    assert_eq!(town.0.contexts[0].flags & flag::LOCKED, 0);
    // The bank is the one that gates of records read.
    assert!(flag_is_set(&town.0.state.system.0, GATE_OPEN));
}

#[test]
fn the_road_behind_the_gate_leads_on_once() {
    let bytes = man().unwrap();
    let man = Man::parse(&bytes).unwrap();
    let mut town = load(&man, false);
    let leave = |town: &mut Town<'_>| {
        // The scripts outlive the town.
        let bytes: &'static [u8] = bytes.clone().leak();
        let man = Man::parse(bytes).unwrap();
        let vm: &mut Vm<'_, 8> = &mut town.0;
        assert_eq!(spawn(vm, &man, 3), None);
        spawn(vm, &man, 4).expect("a beat")
    };
    assert_eq!(leave(&mut town), Spawn::Blocked);
    town.0.state.system.set(GATE_OPEN);
    let Spawn::Started(_) = leave(&mut town) else {
        panic!("the gate is open");
    };
    let z = town.0.contexts[0].z;
    let mut frames = 0;
    while town.1.scene.is_none() {
        frame(&mut town);
        frames += 1;
        assert!(frames < 100);
    }
    // The player is parked for eight frames, the script that leads it until the frame after; then ten of waiting.
    assert_eq!(town.0.contexts[0].z, z + 256);
    assert_eq!(frames, 8 + 1 + 10);
    assert_eq!(town.1.scene, Some(("town".to_owned(), [20, 16])));
    assert!(town.0.state.system.test(LEFT));
    assert_eq!(leave(&mut town), Spawn::Blocked);
}
