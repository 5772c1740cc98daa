//! Touch, talk, and how they end (section 11).

use super::common::{actor, empty, field, ground, hold, person};
use overworld_runtime::field::actor::{Actor, Partner, flag};
use overworld_runtime::field::compat::{Compat, ContactEffect};
use overworld_runtime::field::ground::NO_HEIGHTS;
use overworld_runtime::field::touch::NO_MOVE;
use overworld_runtime::field::{Field, Input, Settings};

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

#[test]
fn people_turn_to_the_player_unless_they_have_opted_out() {
    let mut field: Field = field(1000, 1000);
    for (flags, heading) in [
        (flag::MOVING, 0x800),
        (flag::MOVING | flag::NO_TURN, 0x123),
        (0, 0x123),
    ] {
        let id = field
            .actors
            .spawn(Actor {
                rotation: [0, 0x123, 0],
                ..actor(1000, 900, flags)
            })
            .unwrap();
        field.face_player(id);
        assert_eq!(field.actors.get(id).unwrap().heading(), heading);
    }
}

/// Section 11.4: a post sends everybody of the moving class back to its standing move.
#[test]
fn a_post_pauses_those_who_move() {
    let data = empty();
    let ground = ground(&data, &NO_HEIGHTS);
    let mut field = field(1800, 2526);
    let with = |script, flags| Actor {
        script,
        animation: 9,
        ..actor(5000, 5000, flags)
    };
    let prop = field
        .actors
        .spawn(Actor {
            script: 7,
            ..actor(2000, 2526, 0)
        })
        .unwrap();
    let others = [
        (10, flag::MOVING, 3),
        // Not of the class; without a standing move; with an id that the table does not have.
        (11, 0, 9),
        (12, flag::MOVING, 9),
        (13, flag::MOVING, 9),
        (0x8C, flag::MOVING, 9),
        (0xFFFF, flag::MOVING, 9),
    ];
    let ids = others.map(|(script, flags, _)| field.actors.spawn(with(script, flags)).unwrap());
    for script in [10, 11, 0x8C, 0xFFFF] {
        field.mailbox.set_move(script, 3);
    }
    field.mailbox.set_move(13, 5);
    field.mailbox.set_move(13, NO_MOVE);
    assert_eq!(
        (field.mailbox.standing(10), field.mailbox.standing(13)),
        (Some(3), None)
    );
    let mut contact = None;
    for _ in 0..10 {
        assert!(
            ids.iter()
                .all(|&id| field.actors.get(id).unwrap().animation == 9)
                || contact.is_some()
        );
        contact = contact.or(field.frame(&ground, &hold(0x2000)).contact);
    }
    assert_eq!(contact, Some(prop));
    for (id, (script, _, animation)) in ids.into_iter().zip(others) {
        let actor = field.actors.get(id).unwrap();
        assert_eq!(actor.animation, animation, "script {script}");
        assert_eq!(actor.standing, if animation == 3 { 3 } else { 0 });
    }
}

/// The byte 8Ch is both: no standing move, and nobody hears a touch.
#[test]
fn without_a_standing_move_a_touch_is_not_heard() {
    let data = empty();
    let ground = ground(&data, &NO_HEIGHTS);
    for (standing, heard) in [(NO_MOVE, None), (0, Some(7)), (0xFF, Some(7))] {
        let mut field = field(1800, 2526);
        field
            .actors
            .spawn(Actor {
                script: 7,
                ..person(2000, 2526)
            })
            .unwrap();
        field.mailbox.set_move(7, standing);
        for _ in 0..10 {
            field.frame(&ground, &hold(0x2000));
        }
        assert_eq!(field.mailbox.read(), heard, "{standing:X}");
    }
}

/// Row 10, section 11.2: what a script that contact has resumed may do.
#[test]
fn contact_resumes_and_does_not_finish() {
    let other = Compat::OTHER.contact;
    assert_eq!(
        (Compat::SHEET.contact, other),
        (ContactEffect::Resume, ContactEffect::Apply)
    );
    for (opcode, operand, last, resume) in [
        (0x22, 3, false, true),
        (0x22, 3, true, false),
        (0x3E, 99, false, true),
        (0x3E, 100, false, false),
        (0x3E, 106, false, false),
        (0x3E, 107, false, true),
        (0x3F, 100, false, true),
    ] {
        assert_eq!(ContactEffect::Resume.may_run(opcode, operand, last), resume);
        assert!(other.may_run(opcode, operand, last));
    }
}
