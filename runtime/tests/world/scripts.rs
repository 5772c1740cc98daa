//! What scripts do to the world (field VM sheet, sections 7 and 12).

use crate::common::{Beat, Plan, Play, START, walk_on};
use overworld_runtime::field::actor::flag;
use overworld_runtime::field::map::trigger::{Region, Source};
use overworld_runtime::field::units::Point;
use overworld_runtime::field::{Actor, Compat};
use overworld_runtime::scene::Camera;
use overworld_runtime::scene::world::{Arrival, Change};
use overworld_runtime::script::context::flag as context_flag;

fn entry(script: &str) -> Play {
    Plan {
        entry: script,
        people: &[([30, 30], ""), ([40, 40], "")],
        ..Plan::default()
    }
    .play()
}

/// `4C 71` bars the way, `4C 70` opens it.
#[test]
fn paint_is_a_wall_for_the_player() {
    let mut play = entry(
        "nop.24
         wall.fill 22, 0, 22, 40
         nop.f
   wait: wait_set 0x300
         wall.clear 22, 0, 22, 40
   idle: nop.f
         jmp idle",
    );
    play.frames(0x2000, 100);
    let stopped = play.at().x;
    assert!((2760..2816).contains(&stopped), "{stopped}");
    play.world.vm.state.system.set(0x300);
    play.frames(0x2000, 10);
    assert!(play.at().x > stopped + 64);
}

/// Lock, glide of the player, wait, unlock, scene change: the world is left with the way in, once.
#[test]
fn a_scripted_way_out() {
    let plan = Plan {
        beats: &[Beat {
            c1: &[0x226],
            c2: &[],
            script: "sset 0x226
                     input.lock
                     glide@player 0, 2
                     wait 10
                     input.unlock
                     scene_change 3, \"town02\", 5, 0x86, 6
                     sset 0x227
               idle: nop.f
                     jmp idle",
        }],
        triggers: Source {
            scripts: &[walk_on([20, 20], 0)],
            ..Source::default()
        },
        ..Plan::default()
    };
    let mut play = plan.play();
    let mut frames = 0;
    let change = loop {
        // Whatever is held: the player is the script's.
        let frame = play.frame(0x2000);
        frames += 1;
        if let Some(change) = frame.change {
            break change;
        }
        assert!(frames < 60);
    };
    // The frame of the tile still had the pad.
    assert_eq!(play.at(), Point::new(START.x + 8, START.z - 256));
    assert!(play.flag(0x226) && !play.flag(0x227));
    assert_eq!(play.game.changes, 1);
    let Change::Scene(passage) = change else {
        panic!("{change:?}");
    };
    assert_eq!((passage.index, passage.name.as_str()), (3, "town02"));
    let arrival = passage.arrival(&Compat::SHEET);
    assert_eq!((arrival.at, arrival.heading), (Point::new(704, 896), 0xC00));
    // Nothing moves any more.
    let hash = play.world.state_hash();
    play.frames(0x2000, 3);
    assert_eq!(play.world.state_hash(), hash);
}

#[test]
fn other_ways_out() {
    for (op, expected) in [
        ("warp 3, 0, 0, 0, 0", Change::Minigame(3)),
        ("fmv 4, 0, 0", Change::Movie(4)),
        ("game_over", Change::GameOver),
    ] {
        let mut play = entry(&format!("nop.24\nnop.f\n{op}\nidle: nop.f\njmp idle"));
        assert_eq!(play.frame(0).change, Some(expected), "{op}");
    }
}

/// `4C 9E` rewrites the heights under the player; they are stored plain and used negated.
#[test]
fn the_floor_can_be_rewritten() {
    let heights = ["100"; 16].join(", ");
    let script = format!("nop.24\nnop.f\nfloor.table {heights}\nidle: nop.f\njmp idle");
    let mut play = entry(&script);
    assert_eq!(play.world.field.player.y, 0);
    play.frames(0, 20);
    assert_eq!(play.world.field.player.y, -100);
    // The people settle, too.
    assert!(play.world.field.actors.iter().all(|(_, it)| it.y == -100));
}

/// A walk of a person (`47`): the field's actor goes where the script's does, and is solid on the way.
#[test]
fn walks_move_the_fields_actor() {
    let mut play = entry(
        "nop.24
         cset@1 8
         nop.f
         walk_to@1 32, 30, 2
         sset 0x300
   idle: nop.f
         jmp idle",
    );
    let start = play.world.field.actors.iter().next().unwrap().1.point();
    assert_eq!(start, Point::new(3904, 3904));
    play.frames(0, 10);
    let (id, actor) = play.world.field.actors.iter().next().unwrap();
    assert_eq!(actor.point(), Point::new(3904 + 80, 3904));
    assert_eq!(actor.heading(), 0xC00);
    let context = play.world.script_of(id).unwrap();
    assert_eq!((context.x, context.z), (actor.x, actor.z));
    play.frames(0, 40);
    assert_eq!(play.world.field.actors.get(id).unwrap().x, 4160);
    assert!(play.flag(0x300));
}

/// `43 00`: an arc to a tile; the script that parks the player waits with it.
#[test]
fn a_hop_flies_and_lets_go() {
    let mut play = entry(
        "nop.24
         nop.f
         actor.hop@player 0, 22, 20, 80
         sset 0x300
   idle: nop.f
         jmp idle",
    );
    let mut highest = 0;
    let mut frames = 0;
    while !play.flag(0x300) {
        play.frame(0x8000);
        highest = highest.min(play.world.field.player.y);
        frames += 1;
        assert!(frames < 40);
    }
    assert_eq!(play.at().z, START.z);
    assert!(
        (frames, highest) >= (16, -80) && highest <= -70,
        "{frames} {highest}"
    );
    // One frame of the pad has passed since it landed on the middle of tile (22, 20), at the most.
    assert!((play.at().x - (22 * 128 + 64)).abs() <= 8);
    assert!(!play.world.field.player.has(flag::HALT));
}

/// `43 09` with time: coordinates that are FFFFh stay.
#[test]
fn a_tween_moves_a_straight_line() {
    let mut play =
        entry("nop.24\nnop.f\nactor.position@1 4000, 0xFFFF, 4100, 8\nidle: nop.f\njmp idle");
    let at = |play: &Play| {
        let actor = play.world.field.actors.iter().next().unwrap().1;
        (actor.x, actor.z)
    };
    play.frames(0, 4);
    assert_eq!(at(&play), (3904 + 48, 3904 + 98));
    play.frames(0, 10);
    assert_eq!(at(&play), (4000, 4100));
}

/// A coordinate that a tween leaves alone is the field's and the walks': who is moved over a slope stays on it.
#[test]
fn a_tween_leaves_the_other_coordinates_alone() {
    let mut floor = [0; 16];
    floor[1] = 200;
    let high: Vec<_> = (28..33).map(|row| ([32, row], 1)).collect();
    let plan = Plan {
        entry: "nop.24
                nop.f
                actor.position@1 4224, 0xFFFF, 0xFFFF, 40
                glide@1 0, 1
          idle: nop.f
                jmp idle",
        people: &[([30, 30], "")],
        floor,
        tiers: &high,
        ..Plan::default()
    };
    let mut play = plan.play();
    let mut lowest = 0;
    for _ in 0..60 {
        let before = play.world.field.actors.iter().next().unwrap().1.point();
        play.frames(0, 1);
        let after = play.world.field.actors.iter().next().unwrap().1;
        // Settled before scripts have moved it.
        let floor = play.world.ground().floor(before.x.into(), before.z.into());
        assert_eq!(i32::from(after.y), floor, "{before:?}");
        lowest = lowest.min(floor);
    }
    let (_, actor) = play.world.field.actors.iter().next().unwrap();
    assert_eq!(actor.point(), Point::new(4224, 3904 - 128));
    assert_eq!(lowest, -200);
}

/// An owner lets go whom a hop has parked, and sends it walking: the end of the arc does not end the walk.
#[test]
fn the_end_of_an_arc_ends_nothing_else() {
    let mut play = entry(
        "nop.24
         nop.f
         glide@1 0, 1
         actor.hop@1 0, 31, 30, 16
         cclr@1 10
         walk_to@1 30, 40, 2
         sset 0x300
   idle: nop.f
         jmp idle",
    );
    while !play.flag(0x300) {
        play.frames(0, 1);
        assert!(play.world.ticks() < 300);
    }
    let (_, actor) = play.world.field.actors.iter().next().unwrap();
    assert_eq!(actor.point(), Point::new(30 * 128 + 64, 40 * 128 + 64));
}

/// More hops in one frame than are kept: nobody is left hanging for ever.
#[test]
fn all_hops_end() {
    let people = vec![
        (
            [30, 30],
            "glide 0, 1\nwait_set 0x300\nactor.hop 0, 31, 31, 16\nlset 3\nidle: nop.f\njmp idle",
        );
        44
    ];
    let plan = Plan {
        people: &people,
        ..Plan::default()
    };
    let mut world = plan.world::<64>();
    let mut game = crate::common::Told::default();
    let arrival = Arrival::Warp {
        at: START,
        heading: 0,
    };
    world.enter(arrival, &mut game);
    for (_, actor) in world.field.actors.iter_mut() {
        actor.flags |= context_flag::RUN;
    }
    for frame in 0..100 {
        if frame == 40 {
            world.vm.state.system.set(0x300);
        }
        world.frame(0, &mut game);
    }
    assert!(world.dropped() > 0);
    let done = |(_, it): (_, &Actor)| it.mode & 8 != 0 && !it.has(flag::HALT);
    assert!(world.field.actors.iter().all(done));
}

/// Torn down, made again from the record, and put back on its tile.
#[test]
fn an_actor_comes_and_goes() {
    let mut play = entry(
        "nop.24
         nop.f
         cset@1 3
         wait 3
         jabsent 1, gone
   idle: nop.f
         jmp idle
   gone: sset 0x300
         restore 1
         nop.f
         move_to@1 5, 5
         wait 2
         reseat@1
         jmp idle",
    );
    play.frames(0, 2);
    assert_eq!(play.world.field.actors.len(), 1);
    play.frames(0, 2);
    assert!(play.flag(0x300));
    let place = |play: &Play| {
        let actor = play.world.field.actors.iter().find(|it| it.1.script == 1);
        actor.map(|it| it.1.point())
    };
    assert_eq!(place(&play), Some(Point::new(704, 704)));
    play.frames(0, 3);
    assert_eq!(place(&play), Some(Point::new(3904, 3904)));
    assert_eq!(
        play.world.vm.contexts.iter().filter(|it| it.live).count(),
        4
    );
}

/// The camera follows; a script moves it, takes its focus away, and gives it back.
#[test]
fn the_view_follows_and_obeys() {
    let mut play = entry(
        "nop.24
         nop.f
         wait_set 0x300
         cam.set 0x02, 0x00, 10, 0x200
         cam.wait
         sset 0x301
         cam.set 0x00, 0x08, 0, -100
         wait 5
         cam.resync
   idle: nop.f
         jmp idle",
    );
    let entry = Camera::SCENE_ENTRY;
    play.frames(0x2000, 5);
    let camera = play.world.camera();
    let focus = (camera.focus.x, camera.focus.y, camera.focus.z);
    assert_eq!(focus, (play.at().x, 0, play.at().z));
    assert_eq!(
        (camera.pitch, camera.yaw, camera.h),
        (entry.pitch, entry.yaw, entry.h)
    );
    play.world.vm.state.system.set(0x300);
    play.frames(0x2000, 5);
    let halfway = play.world.camera().pitch;
    assert!(
        halfway > 0x1B8 && halfway < 0x200 && !play.flag(0x301),
        "{halfway}"
    );
    play.frames(0, 7);
    assert!(play.flag(0x301));
    assert_eq!(play.world.camera().pitch, 0x200);
    play.frames(0x2000, 2);
    assert_eq!(play.world.camera().focus.x, 100);
    play.frames(0, 10);
    assert_eq!(play.world.camera().focus.x, play.at().x);
}

/// The pad is turned by the camera's yaw: seen from behind a quarter turn, up is X-.
#[test]
fn the_pad_turns_with_the_view() {
    let mut play = entry("nop.24\ncam.set 0x01, 0x00, 0, 0x400\nnop.f\nidle: nop.f\njmp idle");
    let from = play.at();
    play.frames(0x1000, 1);
    assert_eq!(play.at(), Point::new(from.x - 8, from.z));
}

/// Both sides show the same between frames, whatever ran.
#[test]
fn an_actor_has_one_state() {
    let mut play = entry(
        "nop.24
         cset@1 8
         nop.f
   idle: walk_to@1 32, 30, 2
         ramp.scale@2 0x800, 10
         cset@2 30
         exec_move@2 5
         lset@2 3
         walk_to@1 30, 30, 2
         nop.f
         jmp idle",
    );
    for _ in 0..100 {
        play.frame(0x1000);
        for (id, actor) in play.world.field.actors.iter() {
            let context = play.world.script_of(id).unwrap();
            assert_eq!((context.x, context.z), (actor.x, actor.z));
            assert_eq!(
                context.flags & !context_flag::RUN,
                actor.flags & !flag::ENGAGED
            );
            assert_eq!(
                (context.scale, context.heading),
                (actor.speed, actor.heading())
            );
        }
    }
    let second = play.world.field.actors.iter().nth(1).unwrap().1;
    assert_eq!(
        (second.speed, second.animation, second.mode & 8),
        (0x800, 5, 8)
    );
}

/// What moves somebody who is gone does not move on who gets the place: an actor that was made again in the same
/// frame stands on its tile.
#[test]
fn a_tween_ends_with_its_actor() {
    let mut play = entry(
        "nop.24
         nop.f
         actor.position@1 5000, 0xFFFF, 5000, 60
         wait 3
         cset@1 3
         restore 1
   idle: nop.f
         jmp idle",
    );
    play.frames(0, 20);
    let actor = play.world.field.actors.iter().find(|it| it.1.script == 1);
    assert_eq!(actor.unwrap().1.point(), Point::new(3904, 3904));
}

/// Neither does a beat's context that a tile starts in the frame in which the field has torn the actor down.
#[test]
fn a_tween_does_not_move_a_beat() {
    let plan = Plan {
        entry: "nop.24
                cset@2 8
                nop.f
                actor.position@1 5000, 0xFFFF, 5000, 200
          idle: nop.f
                jmp idle",
        // The second comes behind the first in the frame's walk: the mark waits for the next frame.
        people: &[
            ([30, 30], ""),
            ([40, 40], "wait_set 0x300\ncset@1 3\nidle: nop.f\njmp idle"),
        ],
        beats: &[Beat {
            c1: &[],
            c2: &[],
            script: "wait_set 0x301\nidle: nop.f\njmp idle",
        }],
        triggers: Source {
            scripts: &[walk_on([21, 20], 0)],
            ..Source::default()
        },
        ..Plan::default()
    };
    let mut play = plan.play();
    play.frames(0, 5);
    let place = usize::from(play.world.vm.resolve(1).unwrap());
    play.world.vm.state.system.set(0x300);
    play.frame(0);
    play.put(21 * 128 + 100, START.z);
    assert_eq!(play.frame(0).started, 1);
    let beat = play.world.vm.contexts[place];
    assert_eq!((beat.live, beat.script_id), (true, 3));
    play.frames(0, 10);
    let beat = play.world.vm.contexts[place];
    assert_eq!((beat.x, beat.z), (0, 0));
}

/// `4C 38` asks at the place that the same slice has given the player, whichever op it was.
#[test]
fn regions_are_looked_up_where_the_player_is_now() {
    for op in [
        "move_to@player 30, 30",
        "actor.position@player 3904, 0xFFFF, 3904, 0",
        "actor.place 3904, 0, 3904, 0, 0, 0, player",
        "copy_from@player 1",
    ] {
        let script = format!(
            "nop.24
             nop.f
             {op}
             region.refresh
             jregion 5, in
       idle: nop.f
             jmp idle
         in: sset 0x300
             jmp idle"
        );
        let plan = Plan {
            entry: &script,
            people: &[([30, 30], "")],
            triggers: Source {
                regions: &[Region {
                    corners: [30, 31, 32, 29],
                    ty: 5,
                    extra: [0; 3],
                }],
                ..Source::default()
            },
            ..Plan::default()
        };
        let mut play = plan.play();
        play.frames(0, 1);
        assert_eq!(play.at(), Point::new(3904, 3904), "{op}");
        assert!(play.flag(0x300), "{op}");
    }
}

/// A crawl parks the player and its script until the game says that it is over; then both go on.
#[test]
fn the_game_ends_what_it_shows() {
    let mut play = entry(
        "nop.24
         nop.f
         crawl@player 1
         .text \"Once upon a time.\"
         sset 0x300
   idle: nop.f
         jmp idle",
    );
    play.frames(0x2000, 20);
    let at = play.at();
    assert!(play.world.field.player.has(flag::HALT) && !play.flag(0x300));
    play.world.release(0);
    play.frames(0x2000, 2);
    assert!(play.flag(0x300) && !play.world.field.player.has(flag::HALT));
    assert_ne!(play.at(), at);
}
