//! The sample town is walked: from the disc, by the pad.

#[path = "common/town.rs"]
mod common;

use std::ops::ControlFlow;

use overworld_host::drive::ImageDrive;
use overworld_host::gpu::Gpu;
use overworld_host::play::{BACKGROUND, Frame, Options, play_with};
use overworld_host::sample::town::{DOORWAY, GATE_OPEN, HOUSE, LEFT, SCENE};
use overworld_host::sample::{self, OPEN_FRAMES};
use overworld_runtime::field::Actor;
use overworld_runtime::field::actor::{Draw, flag};
use overworld_runtime::field::pad::{X_MINUS, X_PLUS, Z_MINUS, Z_PLUS};
use overworld_runtime::field::precise::Distance;
use overworld_runtime::field::units::Point;
use overworld_runtime::gpu::packet::rgb;
use overworld_runtime::gpu::{DisplayList, clut};
use overworld_runtime::gte::software::Gte;
use overworld_runtime::model::tmd::Tmd;
use overworld_runtime::scene::walk::{Play, TOUR, Walk, tour};
use overworld_runtime::script::Context;
use overworld_runtime::script::show::panel;
use overworld_runtime::script::text::{BOX_WIDTH, BOX_X, BOX_Y, ROW_HEIGHT};

const OK: u16 = 0x0020;

/// The town as a program has it.
fn town() -> Walk<'static> {
    common::town().0
}

fn hold(walk: &mut Walk<'_>, held: u16, frames: u32) {
    for _ in 0..frames {
        walk.tick(held);
    }
}

fn at(walk: &Walk<'_>) -> Point {
    walk.world().field.player.point()
}

fn is_set(walk: &Walk<'_>, flag: u16) -> bool {
    walk.world().vm.state.system.test(flag)
}

/// Which rows of text are open.
fn rows(walk: &Walk<'_>) -> Vec<String> {
    let text = walk.world().talk().and_then(|it| it.text());
    let rows = text.into_iter().flat_map(|it| it.rows());
    rows.map(|it| String::from_utf8(it.0.to_vec()).unwrap())
        .collect()
}

/// What the tour meets: the villager, the question, the open gate, the way round.
#[test]
fn the_tour_goes_out_by_the_gate_and_in_again() {
    let mut walk = town();
    let (mut said, mut picked, mut hops) = (Vec::new(), false, 0);
    let frames: u32 = TOUR.iter().map(|&(_, frames)| u32::from(frames)).sum();
    let mut last = at(&walk);
    for frame in 0..frames {
        walk.tick(tour(frame));
        let open = rows(&walk);
        if !open.is_empty() && said.last() != Some(&open) {
            said.push(open);
        }
        picked |= walk.world().talk().is_some_and(|it| it.picker().is_some());
        let now = at(&walk);
        // The new entry, and nothing else, is farther than a scripted walk's step.
        hops += u32::from((now.x - last.x).abs() > 32 || (now.z - last.z).abs() > 32);
        last = now;
    }
    assert_eq!(
        said,
        [
            vec!["The gate is shut.", "Shall I open it?"],
            vec!["There you are."]
        ]
    );
    assert!(picked && is_set(&walk, GATE_OPEN) && is_set(&walk, LEFT));
    assert_eq!(hops, 1);
    // From (20, 16), 20 frames up, 10 to the left and running.
    assert_eq!(last, Point::new(2624 - 10 * 12, 2112 + 20 * 8));
    // The scene is the old one: its guard walks, and its entry script has left the gate open.
    let guard = walk.world().field.actors.iter().find(|it| it.1.script == 2);
    assert!(guard.unwrap().1.has(flag::MOVING));
    let walls = walk.world().ground().walls();
    assert!(!walls.at(2752, 3136) && walls.at(2432, 3136));
}

#[test]
fn a_shut_gate_is_a_wall() {
    let mut walk = town();
    hold(&mut walk, Z_PLUS, 120);
    let Point { x, z } = at(&walk);
    // The wall bars row 24, from 3072 on; from 3024 the feelers, 47 long, do not reach it yet.
    assert_eq!((x, z), (2624, 3026));
    assert!(!is_set(&walk, LEFT));
}

/// The house's actor, whose script is the scene's first record.
fn door(walk: &Walk<'_>) -> Actor {
    let actors = &walk.world().field.actors;
    let found = actors
        .iter()
        .find(|(_, it)| it.script == 0 && !it.has(flag::MOVING));
    *found.unwrap().1
}

/// Who touches the house sees its door swing open (field sheet, section 13), and stands in the room behind it; the doorway of the room leads back in front of the house, whose door has shut. Again and again.
#[test]
fn in_by_the_door_and_out_by_the_doorway() {
    let mut walk = town();
    let shut = door(&walk);
    assert_eq!((shut.animation, shut.draw), (3, Draw::Posed));
    hold(&mut walk, X_MINUS, 60);
    assert_eq!(at(&walk).x, 2624 - 480);
    assert_eq!(
        (door(&walk).mode, door(&walk).cursor),
        (0x001F, 0),
        "it rests"
    );
    for (x, z) in [(2144, 2624), (2112, 2610)] {
        let place = door(&walk).point();
        let mut frames = 0;
        while !door(&walk).has(flag::EXEMPT) {
            assert_eq!(door(&walk).cursor, 0);
            walk.tick(Z_PLUS);
            frames += 1;
            assert!(frames < 60);
        }
        // Where the box has stopped the player; it is gone, and the swing has begun.
        assert_eq!(at(&walk), Point::new(x, z));
        assert_eq!(door(&walk).cursor, 16);
        let mut frames = 1;
        let mut last = door(&walk).cursor;
        while at(&walk).z == z {
            last = door(&walk).cursor;
            walk.tick(Z_PLUS);
            frames += 1;
            assert!(frames < 60);
        }
        // In when it stands open, and not before.
        assert_eq!((last, frames), (255, i32::from(OPEN_FRAMES) + 1));
        assert_eq!(at(&walk), Point::new(40 * 128 + 64, 41 * 128 + 64));
        assert_eq!(walk.world().field.player.heading(), 0x800);
        assert!(!door(&walk).has(flag::EXEMPT));
        assert_eq!(door(&walk).point(), place);
        hold(&mut walk, 0, OPEN_FRAMES.into());
        assert_eq!(
            (door(&walk).mode, door(&walk).cursor),
            (0x019D, 0),
            "shut again"
        );
        assert!(!walk.world().field.player.has(flag::LOCKED));
        for _ in 0..60 {
            walk.tick(Z_MINUS);
            if at(&walk).x < 5000 {
                break;
            }
        }
        assert_eq!(DOORWAY[0], [40, 39]);
        let house = HOUSE.map(|it| i16::from(it) * 128 + 64);
        assert_eq!(at(&walk), Point::new(house[0], 38 * 64));
        assert!(38 * 64 < house[1] - 142);
    }
}

/// Whoever crosses the room along its south wall, from either side, has the doorway's mat under the feet and is taken.
#[test]
fn the_rooms_doorway_is_met_along_the_wall() {
    for (x, held) in [(37 * 128 + 192, X_PLUS), (42 * 128 + 64, X_MINUS)] {
        let mut walk = town();
        walk.world_mut().field.player.x = x;
        walk.world_mut().field.player.z = 40 * 128;
        // Down to the wall, and along it.
        hold(&mut walk, Z_MINUS, 32);
        let z = at(&walk).z;
        assert!((39 * 128..39 * 128 + 64).contains(&z), "{z}");
        let mut frames = 0;
        while at(&walk).z > 39 * 128 - 64 {
            let fights = walk.world().fight().is_some();
            hold(&mut walk, if fights { OK } else { held }, 1);
            frames += 1;
            assert!(frames < 300, "{:?}", at(&walk));
        }
        assert_eq!(at(&walk).z, 38 * 64);
    }
}

/// Something lives in the room: after some steps there is a fight, which is won after a second.
#[test]
fn the_room_is_not_empty() {
    let mut walk = town();
    walk.world_mut().field.player.x = 40 * 128 + 64;
    walk.world_mut().field.player.z = 41 * 128 + 64;
    let mut frames = 0;
    while walk.world().fight().is_none() {
        // To and fro.
        hold(
            &mut walk,
            if frames / 16 % 2 == 0 {
                X_PLUS
            } else {
                X_MINUS
            },
            1,
        );
        frames += 1;
        assert!(frames < 1000);
    }
    let place = at(&walk);
    assert!(walk.world().field.player.has(flag::LOCKED));
    hold(&mut walk, OK, 59);
    assert!(walk.world().fight().is_some());
    assert_eq!(at(&walk), place);
    hold(&mut walk, 0, 1);
    assert_eq!(walk.world().fight(), None);
    assert!(!walk.world().field.player.has(flag::LOCKED));
}

/// The floor is a hill east of the square, and the player climbs it.
#[test]
fn the_hill_is_climbed() {
    let mut walk = town();
    hold(&mut walk, Z_MINUS, 56);
    hold(&mut walk, X_PLUS, 76);
    let player = &walk.world().field.player;
    assert_eq!((player.x, player.z, player.y), (3232, 2176, -48));
}

/// What the map's writer must keep to, and what the game would not like.
#[test]
fn the_town_is_well_made() {
    let world = sample::town().unwrap();
    assert_eq!(world.warnings(), [""; 0]);
    world.check().unwrap();
}

/// Whatever is held: a walk that is loaded, drawn and shown as the tool does it has the state of one that nobody
/// looks at, from whatever distance; one button in one frame makes another.
#[test]
fn nobody_walks_otherwise_for_being_looked_at() {
    let mut random = 0x1234_5678_u32;
    let log: Vec<u16> = (0..60)
        .map(|_| {
            random = random.wrapping_mul(0x41C6_4E6D).wrapping_add(0x3039);
            (random >> 16) as u16 & 0xF060
        })
        .flat_map(|it| [it; 3])
        .collect();
    let unseen = |precise, log: &[u16]| {
        let mut walk = town();
        walk.world_mut().field.settings.precise = precise;
        for &held in log {
            walk.tick(held);
        }
        walk.state_hash()
    };
    let shown = |options| {
        let image = sample::town_image(None).unwrap();
        let mut drive = ImageDrive::from_bytes(image).unwrap();
        let mut left = log.len();
        let held = |frame: u32| log[frame as usize];
        let each = |_: Frame<'_>| {
            left -= 1;
            if left == 0 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let played = play_with(&mut drive, SCENE, options, held, |_| {}, each);
        let (frames, hash) = played.unwrap();
        assert_eq!(frames as usize, log.len());
        hash
    };
    for (precise, distance) in [(false, Distance::Retail), (true, Distance::Farther)] {
        let hash = unseen(precise, &log);
        assert_eq!(shown(Options { precise, distance }), hash);
        let mut other = log.clone();
        *other.last_mut().unwrap() ^= OK;
        assert_ne!(unseen(precise, &other), hash);
    }
}

/// The words that make a frame's picture.
fn words(walk: &mut Walk<'_>) -> Vec<u32> {
    let mut words = vec![0; 1 << 16];
    let mut list = DisplayList::new(&mut words, 1024);
    list.begin(&mut Gpu::field(BACKGROUND));
    walk.compose(&mut Gte::new(), &mut list).unwrap();
    words
}

/// The distance makes the picture that a script's view from there would make.
#[test]
fn a_far_view_is_a_view_from_afar() {
    let seen = |distance, depth: i16| {
        let mut walk = town();
        walk.world_mut().settings.distance = distance;
        // The eye's z, at once; then nothing more.
        let [low, high] = depth.to_le_bytes();
        let script = vec![0x45, 0x00, 0x10, 0, 0, low, high, 0x21, 0x26, 0xFE, 0xFF];
        let world = walk.world_mut();
        let system = usize::from(world.vm.system.unwrap());
        let context = &mut world.vm.contexts[system];
        *context = Context::new(context.script_id, script.leak(), 0);
        hold(&mut walk, X_MINUS, 10);
        words(&mut walk)
    };
    let usual = seen(Distance::default(), 16_420);
    for (distance, depth) in [(Distance::Far, 22_167), (Distance::Farther, 29_556)] {
        let far = seen(distance, 16_420);
        assert!(far != usual, "{distance:?}");
        assert!(far == seen(Distance::Retail, depth), "{distance:?}");
    }
}

/// The program shows neither menus nor crawls: what a script opens is over at once, and nobody waits for ever.
#[test]
fn what_is_not_shown_is_over_at_once() {
    let mut walk = town();
    let world = walk.world_mut();
    let system = usize::from(world.vm.system.unwrap());
    // Name entry; a crawl of one page; a palette's fade; flag 300h.
    const SCRIPT: &[u8] = &[
        0x49, 0x03, 0x00, 0xCC, 0xF8, 0x80, 0x01, 0x1F, b'A', 0x00, 0xCC, 0xF8, 0x61, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x53, 0x00, 0x21, 0x26, 0xFE, 0xFF,
    ];
    let context = &mut world.vm.contexts[system];
    *context = Context::new(context.script_id, SCRIPT, 0);
    hold(&mut walk, 0, 10);
    assert!(is_set(&walk, 0x300));
    let before = at(&walk);
    hold(&mut walk, 0x2000, 4);
    assert_ne!(at(&walk), before);
}

/// Nothing moves while a fight is on, but its time passes, and so the sums differ.
#[test]
fn the_time_of_a_fight_counts() {
    let mut walk = town();
    let world = walk.world_mut();
    let system = usize::from(world.vm.system.unwrap());
    const SCRIPT: &[u8] = &[0x3E, 0xFF, 0x00, 0x21, 0x26, 0xFE, 0xFF];
    let context = &mut world.vm.contexts[system];
    *context = Context::new(context.script_id, SCRIPT, 0);
    hold(&mut walk, 0, 1);
    let mut sums = std::collections::BTreeSet::new();
    while walk.world().fight().is_some() {
        assert!(sums.insert(walk.state_hash()));
        hold(&mut walk, 0, 1);
    }
    assert_eq!(sums.len(), 60);
}

/// Whether a picture's words have these behind each other.
fn have(words: &[u32], packet: &[u32]) -> bool {
    words.windows(packet.len()).any(|it| it == packet)
}

/// The box of a question stays where it is when its answers open, which is below it.
#[test]
fn a_question_does_not_move_for_its_answers() {
    let mut walk = town();
    let (mut asked, mut answers) = (0, 0);
    let question = panel(BOX_X, BOX_Y, BOX_WIDTH, 2 * ROW_HEIGHT - 3);
    for frame in 0..200 {
        walk.tick(tour(frame));
        if rows(&walk).len() != 2 {
            continue;
        }
        asked += 1;
        let picks = walk.world().talk().is_some_and(|it| it.picker().is_some());
        let words = words(&mut walk);
        assert!(have(&words, &question), "frame {frame}");
        let below = panel(BOX_X, BOX_Y + 2 * ROW_HEIGHT, BOX_WIDTH, 26);
        assert_eq!(have(&words, &below), picks, "frame {frame}");
        answers += u32::from(picks);
    }
    assert!(asked > answers && answers > 10, "{asked} {answers}");
}

/// A fight has a panel under its words.
#[test]
fn a_fight_is_told_in_a_box() {
    let mut walk = town();
    let box_of_two = panel(BOX_X, BOX_Y, BOX_WIDTH, 2 * ROW_HEIGHT - 3);
    assert!(!have(&words(&mut walk), &box_of_two));
    let world = walk.world_mut();
    let system = usize::from(world.vm.system.unwrap());
    const SCRIPT: &[u8] = &[0x3E, 0xFF, 0x00, 0x21, 0x26, 0xFE, 0xFF];
    let context = &mut world.vm.contexts[system];
    *context = Context::new(context.script_id, SCRIPT, 0);
    hold(&mut walk, 0, 1);
    assert!(walk.world().fight().is_some());
    assert!(have(&words(&mut walk), &box_of_two));
}

/// The doorway of the room has a mat, which is seen from where one comes in; in front of the house there is none.
#[test]
fn a_doorway_has_a_mat() {
    // A flat quad of the mat's inner colour.
    let mat = 0x2800_0000 | rgb(178, 120, 66);
    let mut walk = town();
    assert!(!words(&mut walk).contains(&mat));
    let player = &mut walk.world_mut().field.player;
    (player.x, player.z) = (40 * 128 + 64, 41 * 128 + 64);
    hold(&mut walk, 0, 1);
    assert!(words(&mut walk).contains(&mat));
}

/// The player is told apart: the town's people are of another mesh, which has another palette.
#[test]
fn the_people_look_otherwise_than_the_player() {
    let walk = town();
    let field = &walk.world().field;
    let people = field.actors.iter().filter(|(_, it)| it.has(flag::MOVING));
    let meshes: Vec<u16> = people.map(|(_, it)| it.mesh).collect();
    assert!(meshes.len() == 2 && !meshes.contains(&field.player.mesh));
    let world = sample::town().unwrap();
    let cluts = [0, 2].map(|model: usize| {
        let tmd = Tmd::parse(&world.models[model].1).unwrap();
        let objects = tmd.objects().flat_map(|it| it.groups().collect::<Vec<_>>());
        let textured = objects.filter(|it| it.kind.layout().texture.is_some());
        let primitives = textured.flat_map(|it| it.primitives().collect::<Vec<_>>());
        let mut cluts: Vec<u16> = primitives.map(|it| it.clut).collect();
        cluts.dedup();
        cluts
    });
    assert_eq!(cluts, [[clut(0, 480)], [clut(16, 480)]]);
}
