//! What tiles start (field sheet, sections 10.2 to 10.4, 10.6 and 10.10).

use crate::common::{Beat, Plan, Play, START, bind, thing, walk_on};
use overworld_runtime::field::map::trigger::{Region, Source, Teleport};
use overworld_runtime::field::units::Point;

/// A beat without conditions that counts in a slot.
const COUNTS: Beat<'static> = Beat {
    c1: &[],
    c2: &[],
    script: "slot.add 1, 1\nidle: nop.f\njmp idle",
};

fn walk_to(play: &mut Play, x: i16) -> u32 {
    let mut started = 0;
    for _ in 0..200 {
        if play.at().x == x {
            return started;
        }
        let held = if play.at().x < x { 0x2000 } else { 0x8000 };
        started += u32::from(play.frame(held).started);
    }
    panic!("the way to {x} is barred at {:?}", play.at());
}

/// The tile of arrival fires on the first frame; standing on it does not, crossing it does, each time.
#[test]
fn a_beat_without_conditions_starts_at_every_crossing() {
    let plan = Plan {
        beats: &[COUNTS],
        triggers: Source {
            scripts: &[walk_on([20, 20], 0)],
            ..Source::default()
        },
        ..Plan::default()
    };
    let mut play = plan.play();
    assert_eq!(play.frame(0).started, 1);
    assert_eq!(play.frames(0, 5).started, 0);
    for round in 2..30 {
        assert_eq!(walk_to(&mut play, START.x + 128), 0);
        assert_eq!(walk_to(&mut play, START.x), 1);
        play.frame(0);
        // More rounds than there is room: who has come to its end makes place.
        assert_eq!(play.world.vm.state.slot(1), round);
    }
    assert_eq!(play.world.vm.counters.dropped, 0);
}

/// Section 10.3, as `town01` has it: record 4 has C1 [550] and sets 550; record 5 has C1 [551], C2 [550].
#[test]
fn story_flags_latch_a_beat() {
    let plan = Plan {
        beats: &[
            Beat {
                c1: &[550],
                c2: &[],
                script: "sset 550\nidle: nop.f\njmp idle",
            },
            Beat {
                c1: &[551],
                c2: &[550],
                script: "sset 551\nidle: nop.f\njmp idle",
            },
        ],
        triggers: Source {
            scripts: &[walk_on([21, 20], 0), walk_on([22, 20], 1)],
            ..Source::default()
        },
        ..Plan::default()
    };
    let mut play = plan.play();
    // From the far side: what the second needs is not there.
    play.put(24 * 128 + 64, START.z);
    assert_eq!(walk_to(&mut play, 23 * 128 + 64), 0);
    let mut blocked = 0;
    while play.at().x > 22 * 128 + 64 {
        blocked += play.frame(0x8000).blocked;
    }
    assert_eq!((blocked, play.flag(551)), (1, false));
    assert_eq!(walk_to(&mut play, START.x), 1);
    assert!(play.flag(550));
    assert_eq!(walk_to(&mut play, 24 * 128 + 64), 1);
    assert!(play.flag(551));
    // Both are latched.
    assert_eq!(walk_to(&mut play, START.x), 0);
}

/// A flag that a running script sets is seen by the gate of the same frame's tile only after it ran: but by the
/// next one's at once.
#[test]
fn op_44_starts_beats_too_and_asks_their_flags() {
    let plan = Plan {
        // Flat numbers: the entry script is 0, the beats 1 and 2.
        entry: "nop.24
                nop.f
                spawn_record 1
                spawn_record 2
                spawn_record 0
                spawn_record 99
          idle: nop.f
                jmp idle",
        beats: &[
            Beat {
                c1: &[0x300],
                ..COUNTS
            },
            Beat {
                c1: &[],
                c2: &[0x300],
                ..COUNTS
            },
        ],
        ..Plan::default()
    };
    let mut play = plan.play();
    let frame = play.frame(0);
    assert_eq!((frame.started, frame.blocked), (1, 1));
    // The first slice comes with the next walk through the lists.
    assert_eq!(play.world.vm.state.slot(1), 0);
    play.frame(0);
    assert_eq!(play.world.vm.state.slot(1), 1);
    assert_eq!(play.world.vm.counters.no_beats, 2);
}

/// Section 18: a tile that names a beat which is not there is told, and so is one for which there is no room. The rest
/// goes on.
#[test]
fn beats_that_cannot_start_are_told() {
    let plan = Plan {
        beats: &[COUNTS],
        triggers: Source {
            scripts: &[walk_on([20, 20], 99), walk_on([21, 20], 0)],
            ..Source::default()
        },
        ..Plan::default()
    };
    let mut play = plan.play();
    let frame = play.frame(0);
    assert_eq!(frame.crossed.beats, [Some(99), None]);
    assert_eq!((frame.missing, frame.started, frame.full), (1, 0, 0));
    assert_eq!(play.frames(0, 3).missing, 0);
    assert_eq!(walk_to(&mut play, START.x + 128), 1);
    // A beat that goes on keeps its room, until there is none.
    let plan = Plan {
        beats: &[Beat {
            c1: &[],
            c2: &[],
            script: "wait_set 0x300\nidle: nop.f\njmp idle",
        }],
        triggers: Source {
            scripts: &[walk_on([20, 20], 0)],
            ..Source::default()
        },
        ..Plan::default()
    };
    let mut play = plan.play();
    let mut told = [0; 2];
    for _ in 0..20 {
        for x in [START.x, START.x + 128] {
            play.put(x, START.z);
            let frame = play.frame(0);
            told[0] += u32::from(frame.started);
            told[1] += u32::from(frame.full);
            assert_eq!(frame.missing, 0);
        }
    }
    // 16 places, of which the player and the entry script have two.
    assert_eq!(told, [14, 6]);
    assert_eq!(play.world.vm.counters.dropped, 6);
}

/// Gate 0 binds an object and is never walked on.
#[test]
fn gate_0_is_not_walked_on() {
    let plan = Plan {
        objects: &[""],
        beats: &[COUNTS],
        triggers: Source {
            scripts: &[bind([20, 20], 0)],
            ..Source::default()
        },
        ..Plan::default()
    };
    let mut play = plan.play();
    assert_eq!(play.frames(0, 2).started, 0);
}

/// Section 10.4, vector J4: the landing, the second query at the destination's half, and the tile of landing
/// on the next frame.
#[test]
fn a_doorway_asks_for_a_beat_behind_it() {
    let plan = Plan {
        beats: &[COUNTS, COUNTS],
        triggers: Source {
            teleports: &[Teleport {
                tile: [20, 20],
                destination: [21, 84],
            }],
            scripts: &[walk_on([10, 42], 0), walk_on([10, 41], 1)],
            ..Source::default()
        },
        floor: [64; 16],
        ..Plan::default()
    };
    let mut play = plan.play();
    let frame = play.frame(0);
    assert!(frame.crossed.doorway.is_some());
    assert_eq!(frame.crossed.beats, [None, Some(0)]);
    let player = play.world.field.player;
    assert_eq!((player.x, player.y, player.z), (1408, -64, 5440));
    assert_eq!(frame.started, 1);
    // By the biased mapping (10, 42) is also the tile of arrival.
    let frame = play.frame(0);
    assert_eq!(frame.crossed.beats, [Some(0), None]);
}

/// A box has the frame: nothing is dispatched, and what was passed over fires afterwards.
#[test]
fn a_box_holds_the_dispatch() {
    let plan = Plan {
        entry: "nop.24\nnop.f\n.text \"Wait.\"\nidle: nop.f\njmp idle",
        beats: &[COUNTS],
        triggers: Source {
            scripts: &[walk_on([30, 30], 0)],
            ..Source::default()
        },
        ..Plan::default()
    };
    let mut play = plan.play();
    play.frames(0, 2);
    assert!(play.world.talk().is_some());
    play.put(30 * 128 + 64, 30 * 128 + 64);
    assert_eq!(play.frames(0, 3).started, 0);
    play.read();
    assert_eq!(
        play.frames(0, 2).started + u8::from(play.world.vm.state.slot(1) != 0),
        1
    );
    assert_eq!(play.world.vm.state.slot(1), 1);
}

/// Section 10.10: no doorways on the overworld, and no beats that change the scene: those are the portals'.
#[test]
fn the_overworld_keeps_to_beats_without_scene_changes() {
    let portal = Beat {
        c1: &[],
        c2: &[],
        // The text's letters look like instructions, but are text.
        script: "stst 0x300, away
            away: scene_change 3, \"town01\", 5, 6, 0
            idle: nop.f
                  jmp idle",
    };
    let letters = Beat {
        c1: &[],
        c2: &[],
        script: "slot.add 1, 1\nstst 0x300, end\njmp end\n.text \"?????\"\nend: nop.f\njmp end",
    };
    for (overworld, started) in [(false, [1, 1]), (true, [0, 1])] {
        let plan = Plan {
            beats: &[Beat { ..portal }, Beat { ..letters }],
            triggers: Source {
                teleports: &[Teleport {
                    tile: [21, 20],
                    destination: [40, 40],
                }],
                scripts: &[walk_on([20, 20], 0), walk_on([22, 20], 1)],
                ..Source::default()
            },
            overworld,
            ..Plan::default()
        };
        let mut play = plan.play();
        let first = play.frame(0).started;
        let mut play = plan.play_from(Point::new(22 * 128 + 64, START.z));
        assert_eq!([first, play.frame(0).started], started);
        let mut play = plan.play_from(Point::new(21 * 128 + 64, START.z));
        assert_eq!(play.frame(0).crossed.doorway.is_none(), overworld);
    }
}

/// The bits of the regions at the player, for op `42`; and the window's objects come and go with its box.
#[test]
fn regions_follow_the_player() {
    let region = |corners, ty| Region {
        corners,
        ty,
        extra: [0; 3],
    };
    let plan = Plan {
        entry: "nop.24
                nop.f
          idle: jregion 5, in
                sclr 0x300
                nop.f
                jmp idle
            in: sset 0x300
                nop.f
                jmp idle",
        triggers: Source {
            // The larger Z first, so that the latched box can be used.
            regions: &[
                region([0, 30, 25, 0], 0),
                region([26, 30, 60, 0], 1),
                region([22, 0, 30, 60], 5),
            ],
            ..Source::default()
        },
        placed: &[
            (5, [10, 10], thing()),
            (6, [40, 10], thing()),
            (7, [41, 10], thing()),
        ],
        ..Plan::default()
    };
    let mut play = plan.play();
    let objects = |play: &Play| -> Vec<u16> {
        play.world
            .field
            .actors
            .iter()
            .map(|(_, it)| it.object)
            .collect()
    };
    play.frame(0);
    assert_eq!(
        (play.world.regions().bounds, play.flag(0x300)),
        ([0, 0, 25, 30], false)
    );
    assert_eq!(objects(&play), [5]);
    play.put(23 * 128 + 64, START.z);
    play.frame(0);
    assert!(play.flag(0x300));
    play.put(28 * 128 + 64, START.z);
    play.frame(0);
    assert_eq!(objects(&play), [6, 7]);
    assert_eq!(play.world.regions().ty, 1);
    play.put(START.x, START.z);
    play.frame(0);
    assert_eq!((objects(&play), play.flag(0x300)), (vec![5], false));
}

/// `4C 83`: the first trigger of each tile of the rectangle binds another record, and is walked on no more.
#[test]
fn a_script_rebinds_tiles() {
    let plan = Plan {
        entry: "nop.24\nnop.f\ntrigger.patch 20, 19, 21, 20, 7\nidle: nop.f\njmp idle",
        beats: &[COUNTS],
        triggers: Source {
            scripts: &[
                walk_on([20, 20], 0),
                walk_on([21, 20], 0),
                walk_on([21, 20], 0),
                walk_on([22, 20], 0),
            ],
            ..Source::default()
        },
        ..Plan::default()
    };
    let mut play = plan.play_from(Point::new(64, 64));
    play.frame(0);
    let triggers = *play.world.ground().triggers();
    let now: Vec<_> = triggers
        .map
        .scripts()
        .map(|it| (it.record, it.gate))
        .collect();
    assert_eq!(now, [(7, 0), (7, 0), (0, 1), (0, 1)]);
    for (col, started) in [(20, 0), (21, 0), (22, 1)] {
        play.put(col * 128 + 64, START.z);
        assert_eq!(play.frame(0).started, started, "{col}");
    }
}
