//! Who leads the player, or is led: scripts that are parked along (field VM sheet, sections 7.9, 7.15 and 7.16).

use crate::common::{Plan, Play, START};
use overworld_runtime::field::actor::flag;
use overworld_runtime::field::units::Point;
use overworld_runtime::script::context::flag::RUN;

const IDLE: &str = "idle: nop.f\njmp idle";

fn scene(entry: &str, person: &str) -> Play {
    let entry = format!("nop.24\nnop.f\n{entry}\n{IDLE}");
    let person = format!("{person}\n{IDLE}");
    Plan {
        entry: &entry,
        people: &[([30, 30], &person)],
        ..Plan::default()
    }
    .play()
}

/// Give the person its slices; so have it those that the player has touched.
fn wake(play: &mut Play) {
    for (_, actor) in play.world.field.actors.iter_mut() {
        actor.flags |= RUN;
    }
}

fn person(play: &Play) -> (Point, u16) {
    let (_, actor) = play.world.field.actors.iter().next().unwrap();
    (actor.point(), actor.heading())
}

/// Frames until a flag is set.
fn until(play: &mut Play, flag: u16) -> u32 {
    for frame in 0..400 {
        if play.flag(flag) {
            return frame;
        }
        play.frames(0, 1);
    }
    panic!("{flag:#x} is never set");
}

/// The entry script, which is nobody and stands nowhere, goes on when the player has arrived: 256 units at 32 a frame.
#[test]
fn who_walks_the_player_waits_for_the_player() {
    for walk in ["walk_to@player 22, 20, 0", "glide@player 6, 2"] {
        let mut play = scene(&format!("{walk}\nsset 0x300"), "");
        let place = usize::from(play.world.vm.system.unwrap());
        let before = play.world.vm.contexts[place];
        // Parked in the first of these frames, led in eight, and past it in the last.
        assert_eq!(until(&mut play, 0x300), 10, "{walk}");
        assert_eq!(play.at(), Point::new(START.x + 256, START.z), "{walk}");
        let after = play.world.vm.contexts[place];
        assert_eq!((after.x, after.z), (before.x, before.z), "{walk}");
        assert_eq!(after.heading, before.heading, "{walk}");
    }
}

/// The pad is the player's again in the frame in which the script goes on, and not before.
#[test]
fn who_walks_the_player_has_the_pad() {
    let mut play = scene("walk_to@player 22, 20, 0\nsset 0x300", "");
    while !play.flag(0x300) {
        play.frame(0x2000);
        assert!(play.world.ticks() < 20);
    }
    // That frame, and no other.
    assert_eq!(play.at().x, 22 * 128 + 64 + 8);
}

/// A person who leads the player stays where it is, and looks where it looks.
#[test]
fn a_person_leads_the_player() {
    for (walk, frames) in [
        ("walk_to@player 22, 20, 0", 10),
        ("glide@player 6, 2", 10),
        ("glide_half@player 6, 4", 18),
        // Its number is 1: it turns the player to itself.
        ("turn_to@player 16, 1", 18),
        ("face@player 3, 16", 18),
    ] {
        let mut play = scene("", &format!("glide 0, 1\nsset 0x301\n{walk}\nsset 0x300"));
        wake(&mut play);
        until(&mut play, 0x301);
        let before = person(&play);
        let led = |play: &Play| (play.at(), play.world.field.player.heading());
        let was = led(&play);
        // The player is parked in the frame in which the first flag is seen.
        assert_eq!(until(&mut play, 0x300) + 1, frames, "{walk}");
        assert_eq!(person(&play), before, "{walk}");
        assert_ne!(led(&play), was, "{walk}");
    }
}

/// An owner lets the player go and sends it elsewhere: the walk that the first script waits for is over.
#[test]
fn a_walk_that_is_cut_short_is_over() {
    let mut play = scene(
        "walk_to@player 60, 20, 2\nsset 0x300",
        "wait 5\ncclr@player 10\nglide@player 0, 30\nsset 0x301",
    );
    wake(&mut play);
    assert!(until(&mut play, 0x300) < 10);
    assert!(!play.flag(0x301));
    // The player walks on by the second one's word.
    assert!(play.world.field.player.has(flag::HALT));
    until(&mut play, 0x301);
    assert_eq!(play.at().z, START.z - 30 * 128);
}

/// An arc ends for the script that has begun it, whatever has become of the player meanwhile.
#[test]
fn an_arc_ends_for_its_script() {
    for (then, least, most) in [
        // Parked anew, for a walk that takes longer than the arc.
        ("walk_to@player 60, 20, 0", 16, 20),
        ("glide@player 0, 20", 16, 20),
        // Only let go.
        ("nop.f", 16, 20),
        // Another arc takes the place of the first, or a tween does.
        ("actor.hop@player 0, 23, 20, 16", 6, 12),
        ("actor.position@player 4000, 0xFFFF, 0xFFFF, 40", 6, 12),
    ] {
        let hop = "actor.hop@player 0, 22, 20, 80\nsset 0x300";
        let mut play = scene(hop, &format!("wait 6\ncclr@player 10\n{then}\nsset 0x301"));
        wake(&mut play);
        let frames = until(&mut play, 0x300);
        assert!((least..=most).contains(&frames), "{then}: {frames}");
        until(&mut play, 0x301);
        play.frames(0, 20);
        assert!(!play.world.field.player.has(flag::HALT), "{then}");
    }
}

/// Three scripts in one frame: the first hops the player, the second lets it go and hops it, the third lets it go and
/// walks it. The first one's arc is over when the second begins; the second's goes on whatever the third does.
#[test]
fn of_three_in_a_frame_each_waits_for_its_own() {
    let ask = "wait_set 0x310";
    let first = format!("{ask}\nactor.hop@player 0, 22, 20, 80\nsset 0x300\n{IDLE}");
    let second =
        format!("{ask}\ncclr@player 10\nactor.hop@player 0, 23, 20, 16\nsset 0x301\n{IDLE}");
    let third = format!("{ask}\ncclr@player 10\nwalk_to@player 60, 20, 0\nsset 0x302\n{IDLE}");
    let mut play = Plan {
        people: &[([30, 30], &first), ([32, 30], &second), ([34, 30], &third)],
        ..Plan::default()
    }
    .play();
    wake(&mut play);
    play.frames(0, 3);
    play.world.vm.state.system.set(0x310);
    let frames = [0x300, 0x301, 0x302].map(|flag| until(&mut play, flag));
    // One after the other: each counts from where the one before it was seen.
    assert!(frames[0] < 4, "{frames:?}");
    assert!((13..20).contains(&frames[1]), "{frames:?}");
    assert!(frames[2] > 10, "{frames:?}");
    play.frames(0, 40);
    assert!(!play.world.field.player.has(flag::HALT));
}
