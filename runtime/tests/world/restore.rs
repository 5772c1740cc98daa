//! Who is made again by `4C D2` (menu-control sheet, section 1; field VM sheet, 3.3 and 10; motion sheet, 3.1).

use crate::common::{Beat, Plan, Play, START, walk_on};
use overworld_runtime::field::actor::ACTORS;
use overworld_runtime::field::actor::flag;
use overworld_runtime::field::map::trigger::Source;
use overworld_runtime::field::units::Point;
use overworld_runtime::scene::world::Arrival;

/// The person with this script id, if it is there.
fn person(play: &Play, script: u16) -> Option<Point> {
    let mut actors = play.world.field.actors.iter();
    actors.find_map(|(_, it)| (it.script == script).then(|| it.point()))
}

/// A record of section 1 for one actor: its stream is one variant without a flag.
fn motion(actor: u8, code: &[u8]) -> Vec<u8> {
    let len = 3 + 2 + 4 + code.len();
    let mut out = vec![1, len as u8, 0, actor, 1, 0xFF, 0xFF, 0, 0];
    out.extend(code);
    out
}

/// `03` along X+, bits 3, a tile; and again.
const WALKS: &[u8] = &[0x03, 0x63, 0x01, 0x01];

/// The stream of its record moves it as it did before.
#[test]
fn it_walks_by_its_stream_again() {
    let mut section = motion(1, WALKS);
    section.push(0);
    let plan = Plan {
        entry: "nop.24
                nop.f
                wait_set 0x300
                cset@1 3
                nop.f
                nop.f
                restore 1
          idle: nop.f
                jmp idle",
        people: &[([30, 30], "")],
        motion: &section,
        ..Plan::default()
    };
    let mut play = plan.play();
    play.frames(0, 10);
    assert_eq!(person(&play, 1), Some(Point::new(3904 + 40, 3904)));
    play.world.vm.state.system.set(0x300);
    play.frames(0, 2);
    assert_eq!(person(&play, 1), None);
    while person(&play, 1).is_none() {
        play.frames(0, 1);
        assert!(play.world.ticks() < 30);
    }
    // On its tile, and on its way from the next frame on.
    assert_eq!(person(&play, 1), Some(Point::new(3904, 3904)));
    play.frames(0, 10);
    assert_eq!(person(&play, 1), Some(Point::new(3904 + 40, 3904)));
}

/// It is who it was: what scripts have written is gone, and nothing of its record is missing.
#[test]
fn it_is_as_it_was() {
    let plan = Plan {
        entry: "nop.24
                nop.f
                wait_set 0x300
                ramp.scale@1 0x800, 0
                ramp.pace@1 40, 0
                mirror.set@1 300
                exec_move@1 3
                cset@1 0
                set_model@1 9
                lset@1 4
                nop.f
                cset@1 3
                wait 4
                restore 1
          idle: nop.f
                jmp idle",
        people: &[([30, 30], "nop.25\nseat 31, 30, 4, 2\nnop.f")],
        ..Plan::default()
    };
    let mut play = plan.play();
    let who = |play: &Play| {
        let (id, actor) = play.world.field.actors.iter().next()?;
        let context = play.world.script_of(id)?;
        Some((*actor, *context))
    };
    play.frames(0, 1);
    let before = who(&play);
    play.world.vm.state.system.set(0x300);
    play.frames(0, 2);
    assert_ne!(who(&play), before);
    while who(&play).is_some() {
        play.frames(0, 1);
        assert!(play.world.ticks() < 30);
    }
    while who(&play).is_none() {
        play.frames(0, 1);
        assert!(play.world.ticks() < 30);
    }
    assert_eq!(who(&play), before);
}

/// A stream of somebody else that has come to what is no op stays where it is.
#[test]
fn it_wakes_no_other_stream() {
    let mut section = motion(1, WALKS);
    section.extend(motion(2, &[0x7F]));
    section.push(0);
    let plan = Plan {
        entry: "nop.24
                nop.f
                cset@1 3
                wait 5
                restore 1
          idle: nop.f
                jmp idle",
        people: &[([30, 30], ""), ([40, 40], "")],
        motion: &section,
        ..Plan::default()
    };
    let mut play = plan.play();
    assert!(play.frame(0).fault.is_some_and(|it| it.in_stream));
    play.frames(0, 20);
    assert_eq!(play.world.vm.counters.streams, 1);
    assert_ne!(person(&play, 1), Some(Point::new(3904, 3904)));
}

/// By its prologue, where its record has one: a walk that this begins is carried on.
#[test]
fn its_prologue_runs() {
    let plan = Plan {
        entry: "nop.24
                nop.f
                cset@1 3
                wait 5
                sset 0x301
                restore 1
          idle: nop.f
                jmp idle",
        people: &[(
            [30, 30],
            "nop.25\nstst 0x301, again\nnop.f\nagain: walk_to 32, 30, 2\nnop.f",
        )],
        ..Plan::default()
    };
    let mut play = plan.play();
    play.frames(0, 60);
    assert_eq!(person(&play, 1), Some(Point::new(32 * 128 + 64, 3904)));
}

/// The entry script is no person, and the two names are none either.
#[test]
fn there_is_nobody_behind_the_entry_script() {
    for id in ["0", "system"] {
        let asks = format!("wait 5\nrestore {id}\nsset 0x300\nidle: nop.f\njmp idle");
        let plan = Plan {
            entry: "nop.24
                    nop.f
                    cset@1 8
                    cset 3
                    wait 2
              idle: nop.f
                    jmp idle",
            people: &[([30, 30], &asks)],
            ..Plan::default()
        };
        let mut play = plan.play();
        play.frames(0, 10);
        assert!(play.flag(0x300) && play.world.vm.system.is_none());
        assert_eq!(play.world.field.actors.len(), 1, "{id}");
    }
}

/// Where the field is full, the room is that of who has gone in the same frame.
#[test]
fn it_gets_the_room_of_who_is_gone() {
    let people = vec![([40, 40], ""); ACTORS];
    let plan = Plan {
        entry: "nop.24
                nop.f
                cset@1 3
                restore 1
          idle: nop.f
                jmp idle",
        people: &people,
        ..Plan::default()
    };
    let mut play = plan.play();
    assert_eq!(play.world.field.actors.len(), ACTORS);
    play.frames(0, 3);
    assert!(person(&play, 1).is_some());
    assert_eq!(play.world.field.actors.len(), ACTORS);
    let (id, _) = play.world.field.actors.iter().next().unwrap();
    assert!(play.world.script_of(id).is_some_and(|it| it.script_id == 1));
}

/// Whose script found no room is there: it does not come a second time.
#[test]
fn who_has_no_script_is_there_once() {
    let plan = Plan {
        entry: "nop.24
                nop.f
                cset@1 3
                wait 3
                restore 2
          idle: nop.f
                jmp idle",
        people: &[([30, 30], ""), ([40, 40], "")],
        ..Plan::default()
    };
    let mut world = plan.world::<3>();
    let mut game = crate::common::Told::default();
    let arrival = Arrival::Warp {
        at: START,
        heading: 0,
    };
    assert_eq!(world.enter(arrival, &mut game).scripts.refused, 1);
    for _ in 0..10 {
        world.frame(0, &mut game);
    }
    let left: Vec<u16> = world.field.actors.iter().map(|it| it.1.script).collect();
    assert_eq!(left, [2]);
}

/// What a prologue has asked for and does not live to see is not done to who gets its place.
#[test]
fn what_it_asked_for_goes_with_it() {
    let plan = Plan {
        entry: "nop.24
                nop.f
                cset@1 3
                wait 3
                sset 0x301
                restore 1
          idle: nop.f
                jmp idle",
        people: &[(
            [30, 30],
            "nop.25
             stst 0x301, again
             nop.f
      again: actor.position 5000, 0xFFFF, 5000, 60
             cset 3
             nop.f",
        )],
        beats: &[Beat {
            c1: &[],
            c2: &[],
            script: "wait_set 0x302\nidle: nop.f\njmp idle",
        }],
        triggers: Source {
            scripts: &[walk_on([21, 20], 0)],
            ..Source::default()
        },
        ..Plan::default()
    };
    let mut play = plan.play();
    let place = usize::from(play.world.vm.resolve(1).unwrap());
    while !play.flag(0x301) {
        play.frames(0, 1);
    }
    assert!(play.world.vm.contexts[place].live);
    play.put(21 * 128 + 100, START.z);
    assert_eq!(play.frame(0).started, 1);
    play.frames(0, 10);
    let beat = play.world.vm.contexts[place];
    assert_eq!((beat.live, beat.script_id), (true, 2));
    assert_eq!((beat.x, beat.z), (0, 0));
}

/// Somebody who is in the middle of something is there: nothing is made.
#[test]
fn who_is_there_stays() {
    let plan = Plan {
        entry: "nop.24
                nop.f
                cset@1 8
                actor.position@1 5000, 0xFFFF, 3904, 40
                restore 1
          idle: restore 1
                nop.f
                jmp idle",
        people: &[([30, 30], "walk_to 30, 40, 3\nidle: nop.f\njmp idle")],
        ..Plan::default()
    };
    let mut play = plan.play();
    for _ in 0..60 {
        play.frames(0, 1);
        assert_eq!(play.world.field.actors.len(), 1);
    }
    assert!(!play.world.field.player.has(flag::LOCKED));
}

/// Neither the clip nor the seat that an instruction takes away takes away what a later one of the slice gives.
#[test]
fn what_a_slice_does_is_done_in_its_order() {
    let led = |script: &str| {
        Plan {
            entry: &format!("nop.24\nnop.f\n{script}\nidle: nop.f\njmp idle"),
            people: &[([30, 30], "")],
            ..Plan::default()
        }
        .play()
    };
    let mut play = led("exec_move@1 3\nclip.cancel@1\nexec_move@1 5");
    play.frames(0, 2);
    let clip = |play: &Play| play.world.field.actors.iter().next().unwrap().1.animation;
    assert_eq!(clip(&play), 5);
    let mut play = led("exec_move@1 3\nclip.cancel@1");
    play.frames(0, 2);
    assert_eq!(clip(&play), 0);
    // The prologue of a person on tile (30, 30).
    let plan = Plan {
        people: &[(
            [30, 30],
            "nop.25\nmove_to 5, 5\nreseat\nseat 17, 29, 6, 60\nnop.f\nreseat\nnop.f\njmp 0",
        )],
        ..Plan::default()
    };
    let play = plan.play();
    assert_eq!(person(&play, 1), Some(Point::new(2240, 3776)));
}
