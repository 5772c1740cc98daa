//! Section 16: precise movement and camera distance, and that nobody meets them by default.

use super::common::{column_13, empty, field, ground, person};
use overworld_runtime::bytes::Crc32;
use overworld_runtime::field::actor::flag;
use overworld_runtime::field::ground::NO_HEIGHTS;
use overworld_runtime::field::precise::{Distance, angle};
use overworld_runtime::field::{Field, Input, Settings};
use overworld_runtime::fixed::{cos, sin};
use proptest::prelude::*;

fn precise(x: i16, z: i16) -> Field {
    let mut field = field(x, z);
    field.settings.precise = true;
    field
}

fn stick(angle: u16) -> Input {
    Input {
        stick: Some(angle),
        scalar: 2,
        ..Input::default()
    }
}

fn hash(field: &Field) -> u32 {
    let mut crc = Crc32::new();
    field.feed(&mut crc);
    crc.finish()
}

#[test]
fn angles_are_the_cameras_and_the_pads() {
    let (up, right, down, left) = (0x1000, 0x2000, 0x4000, 0x8000);
    for (azimuth, held, expected) in [
        (0, up, Some(0)),
        (0, right, Some(0x400)),
        (0, down, Some(0x800)),
        (0, left, Some(0xC00)),
        (0, up | right, Some(0x200)),
        (0, up | left, Some(0xE00)),
        (0x400, up, Some(0x400)),
        (0xF10, left, Some(0xB10)),
        (0x123, up | down, None),
        (0x123, 0, None),
    ] {
        assert_eq!(angle(azimuth, None, held), expected);
    }
    assert_eq!(angle(0x100, Some(0xF80), 0x4000), Some(0x080));
}

/// The arctangent of the deflection (section 11.3's), by its direction alone.
#[test]
fn a_stick_has_an_angle() {
    for (right, up, angle) in [
        (0, 1, Some(0)),
        (1, 0, Some(0x400)),
        (0, -128, Some(0x800)),
        (i16::MIN, 0, Some(0xC00)),
        (3, 4, Some(0x1A3)),
        (60, 80, Some(0x1A3)),
        (-7, -7, Some(0xA00)),
        (i16::MAX, i16::MAX, Some(0x200)),
        (0, 0, None),
    ] {
        assert_eq!(
            overworld_runtime::field::precise::stick(right, up),
            angle,
            "{right}, {up}"
        );
    }
    // It walks where it points.
    let open = empty();
    let ground = ground(&open, &NO_HEIGHTS);
    let mut field = precise(8192, 8192);
    let input = Input {
        stick: overworld_runtime::field::precise::stick(-100, -100),
        scalar: 2,
        ..Input::default()
    };
    field.frame(&ground, &input);
    assert_eq!((field.player.x, field.player.z), (8182, 8182));
}

#[test]
fn any_angle_is_walked_and_the_rest_is_kept() {
    let open = empty();
    let ground = ground(&open, &NO_HEIGHTS);
    for a in (0..4096).step_by(37) {
        let mut field = precise(8192, 8192);
        for _ in 0..60 {
            field.frame(&ground, &stick(a));
        }
        // 60 frames of 16 units, less than a step short on each axis.
        let way = [i32::from(sin(a)) * 960, i32::from(cos(a)) * 960];
        let went = [field.player.x, field.player.z].map(|at| (i32::from(at) - 8192) << 12);
        for (way, went) in way.into_iter().zip(went) {
            assert!((way - went).abs() < 2 << 12, "{a:#x}: {way} and {went}");
            assert!(went.abs() <= way.abs(), "never ahead of it");
        }
        assert_eq!(field.player.heading(), (a + 0x800) & 0xFFF);
    }
}

#[test]
fn on_the_axes_it_walks_as_the_game_does_and_diagonals_are_not_cut() {
    let open = empty();
    let ground = ground(&open, &NO_HEIGHTS);
    for (held, eighths) in [(0x1000, 0), (0x2000, 2), (0x4000, 4), (0x8000, 6)] {
        let input = Input {
            held,
            scalar: 2,
            ..Input::default()
        };
        let (mut one, mut other) = (precise(8192, 8192), field(8192, 8192));
        one.frame(&ground, &input);
        other.frame(&ground, &input);
        assert_eq!(one.player, other.player);
        assert_eq!((one.delta(), one.mask()), (other.delta(), other.mask()));
        // The azimuth takes the place of the eighths.
        let mut turned = precise(8192, 8192);
        turned.frame(
            &ground,
            &Input {
                held: 0x1000,
                azimuth: eighths * 0x200,
                ..input
            },
        );
        assert_eq!(turned.player, one.player);
    }
    // 16 * 2896 / 4096 = 11.3 along each axis, where the game's cut gives 12.
    let mut field = precise(8192, 8192);
    field.frame(&ground, &stick(0x200));
    assert_eq!((field.player.x - 8192, field.player.z - 8192), (10, 10));
    field.frame(&ground, &stick(0x200));
    assert_eq!((field.player.x - 8192, field.player.z - 8192), (22, 22));
}

#[test]
fn walls_refuse_it_without_a_slide_and_refused_steps_are_gone() {
    let wall = column_13();
    let ground = ground(&wall, &NO_HEIGHTS);
    let mut field = precise(1838, 2526);
    for _ in 0..10 {
        let events = field.frame(&ground, &stick(0xC00));
        assert_eq!(events.bits, 2);
    }
    assert_eq!((field.player.x, field.player.z), (1838, 2526));
    // Nothing is saved up against the wall.
    field.frame(&ground, &stick(0x400));
    assert_eq!(field.player.x, 1854);
    // People are met, too.
    let mut field = precise(1900, 6000);
    field.actors.spawn(person(2000, 6000)).unwrap();
    assert_eq!(field.frame(&ground, &stick(0x400)).bits, 1);
}

#[test]
fn the_rest_is_dropped_without_a_direction_and_when_it_is_switched() {
    let open = empty();
    let ground = ground(&open, &NO_HEIGHTS);
    let went = |between: fn(&mut Field, &overworld_runtime::field::Ground<'_>)| {
        let mut field = precise(8192, 8192);
        field.frame(&ground, &stick(0x200));
        between(&mut field, &ground);
        field.frame(&ground, &stick(0x200));
        field.player.x - 8192
    };
    assert_eq!(went(|_, _| {}), 22);
    let rest = |field: &mut Field, ground: &overworld_runtime::field::Ground<'_>| {
        field.frame(ground, &Input::default());
    };
    assert_eq!(went(rest), 20);
    assert_eq!(
        went(|field, ground| {
            field.settings.precise = false;
            field.frame(ground, &Input::default());
            field.settings.precise = true;
        }),
        20
    );
}

proptest! {
    /// By default neither the azimuth nor the stick nor anything left over is looked at.
    #[test]
    fn the_default_path_does_not_know_it(
        frames in prop::collection::vec(any::<(u16, u16, u16)>(), 1..40),
        at in (300_i16..16000, 300_i16..16000),
    ) {
        prop_assert!(!Settings::default().precise);
        let wall = column_13();
        let ground = ground(&wall, &NO_HEIGHTS);
        let (mut one, mut other) = (field(at.0, at.1), field(at.0, at.1));
        for (held, azimuth, angle) in frames {
            let plain = Input { held, scalar: 2, ..Input::default() };
            one.frame(&ground, &plain);
            other.frame(&ground, &Input { azimuth, stick: Some(angle), ..plain });
            prop_assert_eq!(one.player, other.player);
            prop_assert_eq!(hash(&one), hash(&other));
        }
    }

    /// Any angle and any budget end.
    #[test]
    fn any_speed_ends(angle: u16, speed: u16, at: (i16, i16), scalar: u8) {
        let open = empty();
        let ground = ground(&open, &NO_HEIGHTS);
        let mut field = precise(at.0, at.1);
        field.player.speed = speed;
        let input = Input { scalar, ..stick(angle) };
        field.frame(&ground, &input);
        field.frame(&ground, &input);
    }
}

#[test]
fn the_camera_stands_off_by_whole_fractions() {
    for (back, far, farther) in [
        (0x4000, 22118, 29491),
        (-0x4000, -22118, -29491),
        (19, 25, 34),
        (-19, -25, -34),
        (0, 0, 0),
        (i32::MAX, i32::MAX, i32::MAX),
        (i32::MIN, i32::MIN, i32::MIN),
    ] {
        assert_eq!(Distance::default().scale(back), back);
        assert_eq!(Distance::Far.scale(back), far);
        assert_eq!(Distance::Farther.scale(back), farther);
    }
}

#[test]
fn the_rest_is_dropped_under_a_lock_and_by_the_action_button_too() {
    let open = empty();
    let ground = ground(&open, &NO_HEIGHTS);
    let went = |between: Input, precisely: bool, flags: u32| {
        let mut field = precise(8192, 8192);
        field.frame(&ground, &stick(0x200));
        field.player.flags = flags;
        field.settings.precise = precisely;
        field.frame(&ground, &between);
        field.player.flags = 0;
        field.settings.precise = true;
        field.frame(&ground, &stick(0x200));
        field.player.x - 8192
    };
    assert_eq!(went(Input::default(), true, flag::LOCKED), 20);
    assert_eq!(went(stick(0x200), false, flag::LOCKED), 20);
    let action = Input {
        held: 4,
        pressed: 4,
        ..Input::default()
    };
    assert_eq!(went(action, true, 0), 20);
    // With a direction held it is kept.
    assert_eq!(went(stick(0x200), true, flag::LOCKED), 22);
}
