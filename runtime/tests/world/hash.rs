//! What the check sum of a world tells apart: everything that later frames depend on.

use crate::common::{INTERACT, Plan, Play, START};
use overworld_runtime::field::Compat as Readings;
use overworld_runtime::field::actor::Partner;
use overworld_runtime::field::map::trigger::Source;
use overworld_runtime::scene::world::{Arrival, World};
use overworld_runtime::script::Compat;
use overworld_runtime::script::state::{Resume, TimedFlags, Word};

fn scene(entry: &str) -> Play {
    Plan {
        entry,
        people: &[
            (
                [20, 19],
                "nop.25\nnop.f\ntalk: .text \"Hello there.\"\nnop.f\njmp talk",
            ),
            ([40, 40], ""),
        ],
        ..Plan::default()
    }
    .play()
}

type Change = fn(&mut World<'static, 16>);

/// A change of any word that is open to hosts.
#[test]
fn every_word_counts() {
    let changes: &[(&str, Change)] = &[
        ("place", |it| it.field.player.x += 1),
        ("partner", |it| it.field.player.partner = Partner::Player),
        ("slow", |it| it.field.control.forced_slow ^= true),
        ("height off", |it| it.field.control.height_off ^= true),
        ("talking", |it| it.field.control.talking ^= true),
        ("heard", |it| it.field.mailbox.mute(5, true)),
        ("standing", |it| it.field.mailbox.set_move(5, 7)),
        ("run button", |it| it.field.settings.run_button ^= 1),
        ("option", |it| it.field.settings.run_option ^= true),
        ("precise", |it| it.field.settings.precise ^= true),
        ("terrain", |it| it.field.settings.terrain ^= true),
        ("readings", |it| it.field.settings.compat.slide ^= true),
        ("other readings", |it| it.vm.field = Readings::OTHER),
        ("dialect", |it| it.vm.compat = Compat::Port),
        ("scalar", |it| it.settings.scalar = 2),
        ("budget", |it| it.settings.budget = 300),
        ("fights", |it| it.settings.encounters.high ^= true),
        ("random", |it| it.seed(7)),
        ("story flag", |it| it.vm.state.system.set(0xFFF)),
        ("global", |it| it.vm.state.global ^= 4),
        ("slot", |it| it.vm.state.set_slot(63, 1)),
        ("gold", |it| it.vm.state.gold += 1),
        ("coins", |it| it.vm.state.coins += 1),
        ("member", |it| it.vm.state.add_member(2)),
        ("leader", |it| it.vm.state.leader += 1),
        ("party view", |it| it.vm.state.view += 1),
        ("points", |it| it.vm.state.characters[7].mp += 1),
        ("menu", |it| it.vm.state.resume = Resume::Armed),
        ("lock", |it| it.vm.state.input_lock ^= true),
        ("register", |it| it.vm.state.scene_reg[2] += 1),
        ("tier", |it| it.vm.state.floor[15] += 1),
        ("word", |it| it.vm.state.set_word(Word::SceneCtrl, 1)),
        ("clock", |it| it.vm.state.clock += 1),
        ("timed", |it| {
            it.vm.state.timed = Some(TimedFlags::default());
        }),
        ("beats", |it| it.vm.beats = None),
        ("player", |it| it.vm.player = None),
        ("system", |it| it.vm.system = None),
        ("flags", |it| it.vm.contexts[2].flags ^= 0x10),
        ("x", |it| it.vm.contexts[2].x += 1),
        ("touches", |it| it.vm.contexts[2].touch_count += 1),
        ("f42", |it| it.vm.contexts[2].f42 += 1),
        ("id", |it| it.vm.contexts[2].script_id += 1),
        ("wait", |it| it.vm.contexts[2].wait_accum += 1),
        ("sub-state", |it| it.vm.contexts[2].move_substate += 1),
        ("f58", |it| it.vm.contexts[2].f58 += 1),
        ("saved heading", |it| it.vm.contexts[2].saved_heading += 1),
        ("clip", |it| it.vm.contexts[2].move_id += 1),
        ("high mesh", |it| it.vm.contexts[2].model_high += 1),
        ("keyframes", |it| it.vm.contexts[2].anim_count += 1),
        ("tint", |it| it.vm.contexts[2].tint_ctrl += 1),
        ("tint amount", |it| it.vm.contexts[2].tint_amt += 1),
        ("face", |it| it.vm.contexts[2].face += 1),
        ("face ramp", |it| it.vm.contexts[2].face_lerp += 1),
        ("enabled", |it| it.vm.contexts[2].enable ^= 1),
        ("cursor", |it| it.vm.contexts[2].amb_cursor += 1),
        ("operands", |it| it.vm.contexts[2].grid_z += 1),
        ("mirror", |it| it.vm.contexts[2].y_mirror += 1),
        ("record", |it| {
            it.vm.contexts[2].task = Default::default();
        }),
        ("pc", |it| it.vm.contexts[2].pc += 1),
        ("dialogue", |it| it.vm.contexts[2].sm_state += 1),
        ("stream", |it| it.vm.contexts[2].stream = &[0; 9]),
        ("stream pc", |it| it.vm.contexts[2].stream_pc += 1),
        ("variant", |it| {
            it.vm.contexts[2].stream_variant = Some(0);
        }),
        ("default move", |it| it.vm.contexts[2].default_move += 1),
        ("tween", |it| it.vm.contexts[2].tween_cursor += 1),
        ("wander", |it| it.vm.contexts[2].wander.1 += 1),
        ("another script", |it| it.vm.contexts[9].live = true),
    ];
    let mut play = scene("");
    play.frames(0, 2);
    let world = &mut play.world;
    world.seed(0);
    let same = world.state_hash();
    let (field, vm, settings) = (world.field.clone(), world.vm.clone(), world.settings);
    for (what, change) in changes {
        change(world);
        assert_ne!(world.state_hash(), same, "{what}");
        world.field.clone_from(&field);
        world.vm.clone_from(&vm);
        world.settings = settings;
        world.seed(0);
        assert_eq!(world.state_hash(), same, "{what}");
    }
}

/// What is seen of a world between two frames.
fn seen(play: &Play) -> impl PartialEq + std::fmt::Debug {
    let actors = play.world.field.actors.iter();
    let places: Vec<_> = actors.map(|(_, it)| (it.x, it.y, it.z)).collect();
    (
        play.at(),
        play.world.field.player.y,
        places,
        play.rows(),
        play.world.camera(),
        play.world.regions(),
        play.world.vm.contexts.map(|it| (it.pc, it.flags)),
    )
}

/// Pairs of scripts that differ in a number that waits for its time: nothing is to be seen of it, but in the sum.
#[test]
fn what_is_under_way_counts() {
    // Frames to play, then the two scripts.
    let pairs: &[(u32, &str, &str)] = &[
        // A tween that leads nowhere, but takes its time.
        (
            6,
            "actor.position@2 5184, 0xFFFF, 5184, 40",
            "actor.position@2 5184, 0xFFFF, 5184, 41",
        ),
        // The end of a tween whose first frames are the same.
        (
            2,
            "actor.position@2 5184, 0xFFFF, 5185, 40",
            "actor.position@2 5184, 0xFFFF, 5186, 40",
        ),
        // A ramp of a scale from 1 to 1.
        (6, "ramp.scale@2 0x1000, 40", "ramp.scale@2 0x1000, 41"),
        // A word's.
        (6, "ramp.bcd0 0, 40", "ramp.bcd0 0, 41"),
        // A glide of the camera that stands still.
        (
            6,
            "cam.set 0x02, 0x00, 40, 0x1B8",
            "cam.set 0x02, 0x00, 41, 0x1B8",
        ),
        // What the camera has put away.
        (
            6,
            "cam.save 0\ncam.set 0x02, 0x00, 0, 5",
            "cam.set 0x02, 0x00, 0, 5\ncam.save 0",
        ),
        // Timed flags.
        (
            6,
            "timed_flags 0x310, 0x311, 400, 10",
            "timed_flags 0x310, 0x311, 401, 10",
        ),
        // Heights of tiers that nobody stands on.
        (
            6,
            "floor.table 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1",
            "floor.table 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2",
        ),
        // A trigger that is bound to another record.
        (
            6,
            "trigger.patch 50, 50, 50, 50, 1",
            "trigger.patch 50, 50, 50, 50, 2",
        ),
        // A walk to a place that is farther away.
        (6, "walk_to@2 60, 40, 2", "walk_to@2 61, 40, 2"),
        // Slow ground, where there is none.
        (6, "scene_ctrl 1", "scene_ctrl 0"),
        // The menu's button.
        (6, "gset 27", "gclr 27"),
    ];
    for (frames, one, other) in pairs {
        let [one, other] = [one, other].map(|op| {
            let source = format!("nop.24\nnop.f\n{op}\nidle: nop.f\njmp idle");
            let mut play = Plan {
                entry: &source,
                people: &[([30, 30], ""), ([40, 40], "")],
                triggers: Source {
                    scripts: &[crate::common::bind([50, 50], 7)],
                    ..Source::default()
                },
                ..Plan::default()
            }
            .play();
            play.frames(0, *frames);
            play
        });
        assert_eq!(seen(&one), seen(&other), "{pairs:?}");
        let sums = [&one, &other].map(|it| it.world.state_hash());
        assert_ne!(sums[0], sums[1], "{:?}", pairs);
    }
}

/// How far a box has got; a button that is held; the tile that has fired.
#[test]
fn what_the_pad_has_left_counts() {
    let logs: &[(&[u16], &[u16])] = &[
        // All at once, or glyph by glyph.
        (&[INTERACT, 0, INTERACT, 0], &[INTERACT, 0, 0, 0]),
        // Nothing but the button's edge is another.
        (&[0, 0x0100], &[0, 0]),
    ];
    for (one, other) in logs {
        let sums = [one, other].map(|log| {
            let mut play = scene("");
            for &held in *log {
                play.frames(held, 1);
            }
            (play.world.talk().is_some(), play.world.state_hash())
        });
        assert_eq!(sums[0].0, sums[1].0);
        assert_ne!(sums[0].1, sums[1].1);
    }
    // Put somewhere else and back: the tile has fired there, and will here again.
    let sums = [true, false].map(|away| {
        let mut play = scene("");
        play.frames(0, 1);
        if away {
            play.put(4000, 4000);
        }
        play.frames(0, 1);
        play.put(START.x, START.z);
        play.world.field.player.y = 0;
        play.world.field.player.seen = None;
        play.world.state_hash()
    });
    assert_ne!(sums[0], sums[1]);
}

/// Where a scene is left to, and how it was come to.
#[test]
fn ways_count() {
    let ways = [
        "warp 103, 0, 0, 0, 0",
        "warp 104, 0, 0, 0, 0",
        "fmv 3, 0, 0",
        "fmv 4, 0, 0",
        "game_over",
        "scene_change 1, \"a\", 1, 2, 3",
        "scene_change 1, \"b\", 1, 2, 3",
        "scene_change 1, \"b\", 2, 2, 3",
        "scene_change 1, \"b\", 2, 2, 4",
        "scene_change 2, \"b\", 2, 2, 4",
        "battle 1",
        "battle 2",
    ];
    let mut sums = std::collections::BTreeSet::new();
    for way in ways {
        let mut play = scene(&format!("nop.24\nnop.f\n{way}\nidle: nop.f\njmp idle"));
        play.frame(0);
        // Apart from where the script stands.
        play.world.vm.contexts[1].pc = 0;
        play.world.vm.contexts[1].task = Default::default();
        sums.insert(play.world.state_hash());
    }
    assert_eq!(sums.len(), ways.len());
    let sums = [0, 0x200].map(|heading| {
        let mut play = Plan::default().play();
        let arrival = Arrival::Warp { at: START, heading };
        play.world.enter(arrival, &mut play.game);
        play.world.field.player.set_heading(0);
        play.world.state_hash()
    });
    assert_ne!(sums[0], sums[1], "`4C 3A` will ask");
}

/// The same state by two ways has one sum, and goes on in one way.
#[test]
fn equal_sums_go_on_equally() {
    let locked = "nop.24\ninput.lock\nnop.f\nwait 20\ninput.unlock\nidle: nop.f\njmp idle";
    let mut plays = [0x1000, 0x2000, 0x4000, 0x8040].map(|held| {
        let mut play = scene(locked);
        // Nobody hears it.
        play.frames(held, 10);
        play.frames(0, 1);
        play
    });
    for frame in 0..120_u16 {
        let held = if frame % 7 < 4 { 0x1000 } else { 0x2020 };
        let sums = plays.each_mut().map(|play| {
            let told = play.frame(held);
            (told, play.world.state_hash())
        });
        assert!(sums.iter().all(|it| *it == sums[0]), "{frame}");
    }
    assert_ne!(plays[0].at(), START);
}
