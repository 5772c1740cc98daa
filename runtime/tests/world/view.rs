//! The camera's yaw turns the pad, by the compass and precisely; its distance is a setting (field sheet, 6.2
//! and 16).

use crate::common::{Plan, Play, START};
use overworld_runtime::field::pad::RING;
use overworld_runtime::field::precise::Distance;
use overworld_runtime::fixed::{Vector, cos, sin};
use overworld_runtime::scene::Camera;

/// A scene whose entry script turns the camera.
fn seen_from(yaw: u16) -> Play {
    Plan {
        entry: &format!("nop.24\ncam.set 0x01, 0x00, 0, {yaw}\nnop.f\nidle: nop.f\njmp idle"),
        ..Plan::default()
    }
    .play()
}

/// How far some frames lead, and the heading.
fn walk(yaw: u16, precise: bool, held: u16) -> ([i32; 2], u16) {
    let mut play = seen_from(yaw);
    play.world.field.settings.precise = precise;
    play.frames(held, 32);
    let at = play.at();
    let way = [at.x - START.x, at.z - START.z];
    (way.map(i32::from), play.world.field.player.heading())
}

/// From all eighths of a turn each direction of the pad leads where it leads by the compass.
#[test]
fn precise_movement_goes_where_the_compass_does() {
    for yaw in (0..0x1000).step_by(0x200) {
        for held in RING {
            let (compass, heading) = walk(yaw, false, held);
            let (precise, same) = walk(yaw, true, held);
            assert_eq!(same, heading, "{yaw:X} {held:X}");
            assert_eq!(
                precise.map(i32::signum),
                compass.map(i32::signum),
                "{yaw:X} {held:X}"
            );
            // 8 units a frame along an axis. Of each on a diagonal 6 by the compass; precisely the sine of an
            // eighth of a turn, in steps of two.
            let sine = 8 * 32 * i32::from(sin(0x200)) / (2 << 12) * 2;
            for (way, slanted) in [(compass, 6 * 32), (precise, sine)] {
                let far = if way.contains(&0) { 8 * 32 } else { slanted };
                assert_eq!(
                    way.map(i32::abs).into_iter().max(),
                    Some(far),
                    "{yaw:X} {held:X}"
                );
            }
        }
    }
}

/// Up leads up the screen from any angle: (-sin yaw, cos yaw), sheet 6.2.
#[test]
fn up_is_up_the_screen_from_any_angle() {
    for yaw in (0..0x1000).step_by(0x64) {
        let ([x, z], _) = walk(yaw, true, 0x1000);
        let part = |it: i16| (8 * 32 * i32::from(it)) >> 12;
        let [up_x, up_z] = [part(-sin(yaw)), part(cos(yaw))];
        assert!(
            (x - up_x).abs() <= 2 && (z - up_z).abs() <= 2,
            "{yaw:X}: {x} {z}"
        );
    }
}

/// Section 16: the distance is the eye's alone, and only while the view follows the player.
#[test]
fn the_distance_is_that_of_the_view_that_follows() {
    let play = |distance| {
        let mut play = Plan {
            entry: "nop.24
                    nop.f
                    wait_set 0x300
                    cam.set 0x00, 0x08, 0, -100
                    nop.f
                    wait_clear 0x300
                    cam.resync
              idle: nop.f
                    jmp idle",
            ..Plan::default()
        }
        .play();
        play.world.settings.distance = distance;
        play.frames(0x2000, 5);
        play
    };
    let mut usual = play(Distance::default());
    let camera = usual.world.camera();
    assert_eq!(camera.eye, Camera::SCENE_ENTRY.eye, "as the game has it");
    for (distance, depth) in [(Distance::Far, 22167), (Distance::Farther, 29556)] {
        let mut other = play(distance);
        let eye = Vector::new(0, -256, depth);
        assert_eq!(other.world.camera(), Camera { eye, ..camera });
        // A script's own view is the script's.
        for it in [&mut usual, &mut other] {
            it.world.vm.state.system.set(0x300);
            it.frames(0x2000, 2);
        }
        assert_eq!(other.world.camera(), usual.world.camera());
        assert_eq!(other.world.camera().focus.x, 100);
        for it in [&mut usual, &mut other] {
            it.world.vm.state.system.clear(0x300);
            it.frames(0x2000, 2);
        }
        let again = usual.world.camera();
        assert_eq!(again.focus.x, usual.at().x);
        assert_eq!(other.world.camera(), Camera { eye, ..again });
        // Nothing else reads it.
        assert_eq!(other.world.state_hash(), usual.world.state_hash());
        usual = play(Distance::Retail);
    }
}

/// TMD/TIM sheet, section 7: the focus is at height 0. On a hill from which that would not show the player, and in such
/// a hollow, it is as far away from the player as it is at the last height from which it does.
#[test]
fn the_view_climbs_hills_that_are_too_high_for_it() {
    for (height, focus) in [
        (0, 0),
        (48, 0),
        (128, 0),
        (129, -1),
        (600, -472),
        (-600, 472),
    ] {
        let mut play = Plan {
            floor: [height; 16],
            ..Plan::default()
        }
        .play();
        let entered = play.world.camera().focus;
        play.frames(0x2000, 5);
        let (player, camera) = (&play.world.field.player, play.world.camera());
        assert_eq!(player.y, -height);
        assert_eq!([entered.y, camera.focus.y], [focus; 2], "{height}");
        assert_eq!([camera.focus.x, camera.focus.z], [player.x, player.z]);
        assert_eq!(camera.eye, Camera::SCENE_ENTRY.eye);
    }
}
