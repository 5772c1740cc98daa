//! Who is put somewhere has not walked there, and who is held does not sink (field sheet, sections 7.5 and 9.3).

use crate::common::{Plan, Play, START};
use overworld_runtime::field::actor::Gait;
use overworld_runtime::field::animate::Gaits;
use overworld_runtime::field::units::Point;

const GAITS: Gaits = Gaits {
    idle: 2,
    walk: 1,
    run: 3,
};

/// The player's gaits and clips while the entry script does this in its second frame.
fn gaits(what: &str) -> (Play, Vec<(Gait, i16)>) {
    let entry = format!("nop.24\nnop.f\nwait 1\n{what}\nidle: nop.f\njmp idle");
    let plan = Plan {
        entry: &entry,
        ..Plan::default()
    };
    let mut play = plan.play();
    play.world.field.settings.gaits = Some(GAITS);
    play.world.field.player.animation = GAITS.idle;
    let mut seen = Vec::new();
    for _ in 0..6 {
        play.frames(0, 1);
        let player = &play.world.field.player;
        seen.push((player.gait, player.animation));
    }
    (play, seen)
}

/// A script's teleport of the player is a placement, not a step: `A3 F8`, `CC F8 51`, and a stream's like.
#[test]
fn who_is_seated_does_not_walk() {
    for what in ["move_to@player 30, 25", "seat@player 30, 25, 4, 2"] {
        let (play, seen) = gaits(what);
        assert_eq!(
            play.at(),
            Point::new(30 * 128 + 64, 25 * 128 + 64),
            "{what}"
        );
        assert_eq!(seen, [(Gait::Idle, GAITS.idle); 6], "{what}");
    }
    // What moves the player otherwise is a walk.
    let (play, seen) = gaits("walk_to@player 21, 20, 0");
    assert_eq!(play.at(), Point::new(START.x + 128, START.z));
    assert!(seen.contains(&(Gait::Walk, GAITS.walk)), "{seen:?}");
}

/// To walk on from there is a walk all the same.
#[test]
fn a_seat_is_forgotten() {
    let (mut play, _) = gaits("move_to@player 30, 25");
    play.frames(0x2000, 1);
    assert_eq!(play.world.field.player.gait, Gait::Walk);
    play.frames(0, 1);
    assert_eq!(play.world.field.player.gait, Gait::Idle);
}

/// Bit 10 of the global bank holds the player's height, too, until it is cleared.
#[test]
fn who_is_held_does_not_sink() {
    let plan = Plan {
        entry: "nop.24\nnop.f\ngset 10\nidle: nop.f\njmp idle",
        floor: [0; 16],
        ..Plan::default()
    };
    let mut play = plan.play();
    // High above the floor: 12 units a frame down, until the script has set the bit.
    play.world.field.player.y = -100;
    play.frame(0);
    assert_eq!(play.world.field.player.y, -88);
    play.frames(0, 4);
    assert_eq!(play.world.field.player.y, -88);
    play.world.vm.state.global &= !0x400;
    play.frame(0);
    assert_eq!(play.world.field.player.y, -76);
}
