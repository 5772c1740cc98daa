//! The camera's yaw turns the pad, by the compass and precisely (field sheet, 6.2 and 16).

use crate::common::{Plan, Play, START};
use overworld_runtime::field::pad::RING;
use overworld_runtime::fixed::{cos, sin};

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
