//! Section O: whole frames; gates, buttons, the other readings.

use super::common::{actor, column_13, empty, field, ground, hold, person, walled};
use overworld_runtime::field::actor::flag;
use overworld_runtime::field::compat::DiagonalCut;
use overworld_runtime::field::ground::NO_HEIGHTS;
use overworld_runtime::field::map::{Cell, MapMut};
use overworld_runtime::field::{Compat, Field, Input, Settings, cue};

struct Row<'a> {
    data: &'a [u8],
    held: u16,
    eighths: u8,
    base: u8,
    scalar: u8,
    start: (i16, i16),
    frames: usize,
    end: (i16, i16),
    delta: [i16; 2],
    mask: u16,
}

fn play(row: &Row<'_>) -> Field {
    let ground = ground(row.data, &NO_HEIGHTS);
    let mut field = field(row.start.0, row.start.1);
    field.control.forced_slow = row.base == 5;
    field.settings.run_option = row.base == 12;
    let input = Input {
        held: row.held,
        pressed: 0,
        eighths: row.eighths,
        scalar: row.scalar,
        ..Input::default()
    };
    for _ in 0..row.frames {
        field.frame(&ground, &input);
    }
    field
}

#[test]
fn o1_to_o14_whole_frames() {
    let open = empty();
    let skid = walled(27..40, 20..21);
    let column = column_13();
    let row = |held, eighths, base, scalar, start, frames, end, delta, mask| Row {
        data: &open,
        held,
        eighths,
        base,
        scalar,
        start,
        frames,
        end,
        delta,
        mask,
    };
    let here = (2624, 2624);
    let vectors = [
        row(0x1000, 0, 8, 2, here, 1, (2624, 2640), [0, 8], 0x1000),
        row(0x1000, 2, 8, 2, here, 1, (2640, 2624), [8, 0], 0x2000),
        row(0x1000, 1, 8, 2, here, 1, (2636, 2636), [8, 8], 0x3000),
        row(0x3000, 6, 12, 2, here, 1, (2606, 2642), [-8, 8], 0x9000),
        row(0x2000, 0, 8, 2, here, 30, (3104, 2624), [8, 0], 0x2000),
        row(0x2000, 0, 8, 1, here, 60, (3104, 2624), [8, 0], 0x2000),
        row(0x2000, 0, 5, 2, here, 30, (2924, 2624), [8, 0], 0x2000),
        row(0x2000, 0, 5, 1, here, 60, (2984, 2624), [8, 0], 0x2000),
        row(
            0x4000,
            0,
            8,
            2,
            (3520, 2700),
            1,
            (3520, 2684),
            [0, -8],
            0x4000,
        ),
        row(
            0x4000,
            0,
            8,
            2,
            (3520, 2700),
            6,
            (3508, 2608),
            [-8, -8],
            0xC000,
        ),
        row(
            0x4000,
            0,
            8,
            2,
            (3520, 2700),
            12,
            (3436, 2602),
            [-8, -8],
            0xC000,
        ),
        row(
            0x4000,
            0,
            8,
            2,
            (4200, 2700),
            20,
            (4200, 2606),
            [0, 0],
            0x4000,
        ),
        row(
            0x8000,
            0,
            12,
            2,
            (1900, 2526),
            10,
            (1838, 2526),
            [0, 0],
            0x8000,
        ),
        row(
            0xC000,
            0,
            8,
            2,
            (1900, 2526),
            10,
            (1838, 2406),
            [0, -8],
            0xC000,
        ),
    ];
    for (number, mut vector) in (1..).zip(vectors) {
        vector.data = match number {
            9..=12 => &skid,
            13..=14 => &column,
            _ => &open,
        };
        let field = play(&vector);
        let found = (
            (field.player.x, field.player.z),
            field.delta(),
            field.mask(),
        );
        assert_eq!(found, (vector.end, vector.delta, vector.mask), "O{number}");
    }
}

#[test]
fn the_other_readings_are_reachable() {
    // A plain stop instead of the slide: the frames of O10 end at the wall.
    let skid = walled(27..40, 20..21);
    let mut field = field(3520, 2700);
    field.settings.compat.slide = false;
    for _ in 0..12 {
        field.frame(&ground(&skid, &NO_HEIGHTS), &hold(0x4000));
    }
    assert_eq!(
        (field.player.x, field.player.z, field.mask()),
        (3520, 2606, 0x4000)
    );
    // The diagonal cut only in camera mode 4.
    let open = empty();
    for (cut, camera_mode, x) in [
        (DiagonalCut::Always, 0, 2636),
        (DiagonalCut::CameraMode4, 0, 2640),
        (DiagonalCut::CameraMode4, 4, 2636),
    ] {
        let mut field = super::common::field(2624, 2624);
        field.settings.compat.diagonal_cut = cut;
        field.settings.camera_mode = camera_mode;
        field.frame(&ground(&open, &NO_HEIGHTS), &hold(0x3000));
        assert_eq!((field.player.x, field.player.z), (x, x));
    }
    // Nobody is solid.
    let mut field = super::common::field(1800, 2526);
    field.actors.spawn(person(2000, 2526)).unwrap();
    field.settings.compat = Compat::OTHER;
    for _ in 0..50 {
        field.frame(&ground(&open, &NO_HEIGHTS), &hold(0x2000));
    }
    assert_eq!(field.player.x, 2600);
    // Row 12 has three readings: the sheet's, the repository's, the seed's.
    for (flags, solid_actors, solid_props, x) in [
        (0, true, true, 1858),
        (0, false, true, 1858),
        (0, true, false, 2600),
        (flag::INTERACT, true, false, 2600),
        (flag::MOVING, true, false, 1898),
        (flag::MOVING, false, true, 2600),
    ] {
        let mut field = super::common::field(1800, 2526);
        field.actors.spawn(actor(2000, 2526, flags)).unwrap();
        field.settings.compat.solid_actors = solid_actors;
        field.settings.compat.solid_props = solid_props;
        for _ in 0..50 {
            field.frame(&ground(&open, &NO_HEIGHTS), &hold(0x2000));
        }
        assert_eq!(field.player.x, x, "flags {flags:#x}");
    }
    assert_ne!(Compat::default(), Compat::OTHER);
}

#[test]
fn run_slow_ground_and_turbo() {
    let mut data = empty();
    let mut map = MapMut::parse(&mut data).unwrap();
    map.set_cell(super::common::tile(20, 20), Cell(Cell::SLOW));
    let ground = ground(&data, &NO_HEIGHTS);
    let go = |held, change: fn(&mut Field)| {
        let mut field = field(2624, 2624);
        change(&mut field);
        field.frame(&ground, &hold(0x2000 | held));
        field.player.x - 2624
    };
    assert_eq!(go(0, |_| {}), 16);
    // The bit alone does nothing, nor does the switch elsewhere.
    assert_eq!(go(0, |field| field.control.slow_ground = true), 8);
    assert_eq!(
        go(0, |field| {
            field.control.slow_ground = true;
            field.player.z = 2700;
        }),
        16
    );
    let run = Settings::NEW.run_button;
    assert_eq!(go(run, |_| {}), 24);
    assert_eq!(go(run, |field| field.settings.run_option = true), 16);
    assert_eq!(go(0, |field| field.settings.run_option = true), 24);
    assert_eq!(go(0x80, |_| {}), 16);
    assert_eq!(go(0x80, |field| field.settings.debug = true), 48);
    assert_eq!(
        go(0x80 | run, |field| {
            field.settings.debug = true;
            field.control.forced_slow = true;
        }),
        10
    );
    assert_eq!(go(0, |field| field.player.speed = 0), 0);
}

#[test]
fn a_locked_player_does_nothing() {
    let data = empty();
    let ground = ground(&data, &NO_HEIGHTS);
    let mut field = field(2624, 2624);
    field.frame(&ground, &hold(0x2000));
    assert_eq!((field.player.heading(), field.delta()), (0xC00, [8, 0]));
    field.player.flags |= flag::LOCKED;
    let before = field.player;
    let events = field.frame(
        &ground,
        &Input {
            pressed: 0xFFFF,
            ..hold(0xFFFF)
        },
    );
    assert_eq!(field.player, before);
    assert_eq!((field.delta(), field.mask()), ([0, 0], 0));
    assert_eq!(events, Default::default());
    field.player.flags = 0;
    // No direction: the heading stays.
    field.frame(&ground, &hold(0));
    assert_eq!((field.player.heading(), field.mask()), (0xC00, 0));
    // The action button takes the frame.
    let events = field.frame(
        &ground,
        &Input {
            pressed: 4,
            ..hold(0x1004)
        },
    );
    assert!(events.action && events.cue == Some(cue::ACTION));
    assert_eq!(field.player.flags, flag::ACTION);
    assert_eq!(field.player.z, 2624);
    // Held on, it does nothing.
    let events = field.frame(&ground, &hold(0x1004));
    assert!(!events.action);
    assert_eq!(field.player.z, 2640);
}

#[test]
fn walking_regenerates_every_32_vertical_blanks() {
    let data = column_13();
    let ground = ground(&data, &NO_HEIGHTS);
    let mut field = field(4000, 4000);
    let count = |field: &mut Field, held, scalar, frames| -> u8 {
        let input = Input {
            scalar,
            ..hold(held)
        };
        (0..frames)
            .map(|_| field.frame(&ground, &input).regenerated)
            .sum()
    };
    // It must exceed 32.
    assert_eq!(count(&mut field, 0x1000, 1, 32), 0);
    assert_eq!(count(&mut field, 0x1000, 1, 1), 1);
    assert_eq!(count(&mut field, 0x4000, 2, 16), 1);
    assert_eq!(count(&mut field, 0, 2, 100), 0);
    // Who is blocked does not walk.
    field.player.x = 1838;
    assert_eq!(count(&mut field, 0x8000, 2, 100), 0);
}

/// The menu's button takes the frame; a refusal is heard, and the frame goes on (section 7.1).
#[test]
fn the_menu_opens_or_is_refused() {
    let data = empty();
    let ground = ground(&data, &NO_HEIGHTS);
    let press = Input {
        pressed: Settings::NEW.menu_button,
        ..hold(0x1000)
    };
    let mut field = field(2624, 2624);
    let events = field.frame(&ground, &press);
    assert_eq!((events.menu, events.cue), (true, Some(0x20)));
    assert_eq!((field.player.z, field.player.flags), (2624, 0));
    field.control.menu_off = true;
    let events = field.frame(&ground, &press);
    assert_eq!((events.menu, events.cue), (false, Some(0x23)));
    assert_eq!(field.player.z, 2640);
    // A locked player hears no refusal either.
    field.player.flags = flag::LOCKED;
    assert_eq!(field.frame(&ground, &press), Default::default());
    // The action button goes before the menu's.
    field.player.flags = 0;
    let both = Input {
        pressed: 4 | Settings::NEW.menu_button,
        ..press
    };
    let events = field.frame(&ground, &both);
    assert_eq!(
        (events.action, events.menu, events.cue),
        (true, false, Some(0x20))
    );
}
