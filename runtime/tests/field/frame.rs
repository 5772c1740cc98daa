//! Section O: whole frames; touch, interaction, gates.

use super::common::{actor, column_13, empty, field, ground, person, walled};
use overworld_runtime::field::actor::{Actor, Partner, flag};
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

fn hold(held: u16) -> Input {
    Input {
        held,
        scalar: 2,
        ..Input::default()
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
fn contact_with_a_prop_engages_it_and_locks_the_player() {
    let data = empty();
    let ground = ground(&data, &NO_HEIGHTS);
    let prop = |script| Actor {
        script,
        ..actor(2000, 2526, 0)
    };
    let walk = |script, change: fn(&mut Field)| {
        let mut field = field(1800, 2526);
        let id = field.actors.spawn(prop(script)).unwrap();
        change(&mut field);
        let mut contact = None;
        for _ in 0..10 {
            contact = contact.or(field.frame(&ground, &hold(0x2000)).contact);
        }
        (field, id, contact)
    };
    let (mut field, id, contact) = walk(7, |_| {});
    assert_eq!(contact, Some(id));
    assert_eq!(field.player.x, 1858);
    assert_eq!(field.player.partner, Partner::Actor(id));
    let touched = *field.actors.get(id).unwrap();
    assert_eq!(touched.partner, Partner::Player);
    assert_eq!((touched.touches, touched.flags), (1, flag::ENGAGED));
    assert_eq!(field.mailbox.take(), Some(7));
    assert_eq!(field.mailbox.read(), None);
    assert_ne!(field.player.flags & flag::LOCKED, 0);
    field.dismiss(id);
    assert_eq!(field.player.flags & flag::LOCKED, 0);
    assert_eq!(field.actors.get(id).unwrap().flags, 0);
    // Without a script there is nothing to start, only the link.
    let (field, id, contact) = walk(Actor::NO_SCRIPT, |_| {});
    assert_eq!((contact, field.player.flags), (None, 0));
    assert_eq!(field.player.partner, Partner::Actor(id));
    assert_eq!(field.mailbox.read(), None);
    // The gates of section 11.1.
    for gate in [
        |field: &mut Field| field.control.paused = true,
        |field: &mut Field| field.control.touch_off = true,
    ] {
        let (field, _, contact) = walk(7, gate);
        assert_eq!((contact, field.player.flags), (None, 0));
        assert_eq!(field.mailbox.read(), Some(7));
    }
    // A muted id, and one past the table, are not heard; their event is posted all the same.
    let (field, id, contact) = walk(7, |field| field.mailbox.mute(7, true));
    assert_eq!((field.mailbox.read(), contact), (None, Some(id)));
    let (field, ..) = walk(0x8C, |_| {});
    assert_eq!(field.mailbox.read(), None);
    let (field, ..) = walk(0x8B, |field| {
        field.mailbox.mute(0x8B, true);
        field.mailbox.mute(0x8B, false);
    });
    assert_eq!(field.mailbox.read(), Some(0x8B));
}

#[test]
fn bit_1_alone_never_posts() {
    let data = empty();
    let ground = ground(&data, &NO_HEIGHTS);
    for flags in [flag::MOVING, flag::INTERACT] {
        let mut field = field(1800, 2526);
        field
            .actors
            .spawn(Actor {
                script: 7,
                ..actor(2000, 2526, flags)
            })
            .unwrap();
        for _ in 0..20 {
            assert_eq!(field.frame(&ground, &hold(0x2000)).contact, None);
        }
        assert_eq!(field.player.flags, 0);
    }
}

#[test]
fn the_button_talks_and_overlapping_touches_count() {
    let data = empty();
    let ground = ground(&data, &NO_HEIGHTS);
    let press = Input {
        pressed: Settings::NEW.interact_button,
        scalar: 2,
        ..Input::default()
    };
    let mut field = field(2000, 2526);
    let npc = |x, flags| Actor {
        script: 40,
        rotation: [0, 0x123, 0],
        ..actor(x, 2440, flags)
    };
    let a = field.actors.spawn(npc(2010, flag::MOVING)).unwrap();
    // Looks to Z-: the point is (2000, 2462).
    let events = field.frame(&ground, &press);
    assert_eq!(events.interact, Some(a));
    assert!(field.control.talking);
    assert_eq!(field.engaged(), 1);
    // The player turns to face it: the bearing from the partner to the player.
    assert_eq!(field.player.heading(), 0xFB5);
    // Locked: nothing more happens.
    assert_eq!(field.frame(&ground, &press).interact, None);
    // A script engages it once more, by another touch; one dismissal takes both.
    field.player.flags &= !flag::LOCKED;
    assert_eq!(field.frame(&ground, &press).interact, Some(a));
    assert_eq!(
        (field.engaged(), field.actors.get(a).unwrap().touches),
        (2, 2)
    );
    let b = field.actors.spawn(npc(1990, flag::MOVING)).unwrap();
    field.player.flags &= !flag::LOCKED;
    field.player.set_heading(0);
    assert_eq!(
        field.frame(&ground, &press).interact,
        Some(b),
        "the last one met"
    );
    assert_eq!(field.engaged(), 3);
    field.actors.get_mut(a).unwrap().set_heading(0x777);
    field.dismiss(a);
    assert_eq!(field.actors.get(a).unwrap().heading(), 0x123);
    assert_eq!(field.engaged(), 1);
    assert_ne!(field.player.flags & flag::LOCKED, 0, "one is still open");
    field.dismiss(b);
    assert_eq!(field.player.flags & flag::LOCKED, 0);
    assert!(!field.control.talking);
    // Dismissing nobody changes nothing.
    field.dismiss(b);
    assert_eq!(field.engaged(), 0);
    // One that does not turn.
    field.actors.clear();
    field.player.set_heading(0);
    let id = field
        .actors
        .spawn(npc(2010, flag::MOVING | flag::FIXED))
        .unwrap();
    assert_eq!(field.frame(&ground, &press).interact, Some(id));
    assert_eq!(field.player.heading(), 0);
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

#[test]
fn who_is_not_engaged_is_not_dismissed() {
    let mut field = field(2624, 2624);
    let id = field.actors.spawn(person(5000, 5000)).unwrap();
    // A hop or a fight holds the player.
    field.player.flags = flag::LOCKED;
    field.control.talking = true;
    field.dismiss(id);
    assert_eq!(field.player.flags, flag::LOCKED);
    assert!(field.control.talking);
    // A script may engage somebody without a touch.
    field.actors.get_mut(id).unwrap().flags |= flag::ENGAGED;
    field.dismiss(id);
    assert_eq!((field.player.flags, field.control.talking), (0, false));
    assert_eq!(field.actors.get(id).unwrap().flags, flag::MOVING);
}

#[test]
fn who_is_freed_is_dismissed_first() {
    let data = empty();
    let ground = ground(&data, &NO_HEIGHTS);
    let engaged = || {
        let mut field = field(1800, 2526);
        let prop = Actor {
            script: 7,
            ..actor(2000, 2526, 0)
        };
        let id = field.actors.spawn(prop).unwrap();
        let other = field.actors.spawn(person(5000, 5000)).unwrap();
        field.actors.get_mut(other).unwrap().partner = Partner::Actor(id);
        for _ in 0..10 {
            field.frame(&ground, &hold(0x2000));
        }
        assert_eq!((field.engaged(), field.player.flags), (1, flag::LOCKED));
        (field, id, other)
    };
    let walks = |field: &mut Field| {
        assert_eq!((field.engaged(), field.player.flags), (0, 0));
        assert_eq!(field.player.partner, Partner::None);
        let x = field.player.x;
        field.frame(&ground, &hold(0x2000));
        assert_eq!(field.player.x, x + 16);
    };
    let (mut field, id, other) = engaged();
    let freed = field.free(id).unwrap();
    assert_eq!((freed.script, freed.flags, freed.touches), (7, 0, 0));
    assert_eq!(field.free(id), None);
    assert_eq!(field.actors.get(other).unwrap().partner, Partner::None);
    walks(&mut field);
    // Somebody else's end changes neither the lock nor the link.
    let (mut field, id, other) = engaged();
    assert!(field.free(other).is_some());
    assert_eq!((field.engaged(), field.player.flags), (1, flag::LOCKED));
    assert_eq!(field.player.partner, Partner::Actor(id));
    field.clear();
    assert!(field.actors.is_empty());
    walks(&mut field);
}
