//! What holds the player, hops and links, and what is left when a field is cleared.

use super::common::{actor, empty, field, ground, heights, hold, person, tile};
use overworld_runtime::field::actor::{Actor, Partner, flag};
use overworld_runtime::field::compat::Compat;
use overworld_runtime::field::ground::NO_HEIGHTS;
use overworld_runtime::field::hop::{DROP, STEP_UP};
use overworld_runtime::field::map::{Collision, MapMut};
use overworld_runtime::field::{Field, Input};

/// A ledge that is stepped up when one walks to Z+ from (320, 320).
fn ledge() -> Vec<u8> {
    let mut data = empty();
    let mut map = MapMut::parse(&mut data).unwrap();
    for at in [(2, 2), (3, 2), (2, 3), (3, 3)] {
        map.set_collision(tile(at.0, at.1), Collision(1));
    }
    data
}

/// A hop goes on holding the player when a touch is dismissed, and a touch when a hop ends.
#[test]
fn who_hops_is_not_freed_by_a_dismissal() {
    let data = ledge();
    let table = heights([(1, -200)]);
    let ground = ground(&data, &table);
    let up = Input {
        held: 0x1000,
        ..Input::default()
    };
    let hopping = || {
        let mut field = field(320, 320);
        let talker = field.actors.spawn(person(5000, 5000)).unwrap();
        assert_eq!(field.frame(&ground, &up).hop, Some(STEP_UP));
        field.frame(&ground, &up);
        // A script engages somebody in the meantime.
        field.actors.get_mut(talker).unwrap().flags |= flag::ENGAGED;
        (field, talker)
    };
    let (mut field, talker) = hopping();
    field.dismiss(talker);
    assert!(field.is_hopping() && field.player.has(flag::LOCKED));
    let x = field.player.x;
    while field.is_hopping() {
        field.frame(&ground, &hold(0x2000));
        assert_eq!(field.player.x, x, "nobody walks in the air");
    }
    assert!(!field.player.has(flag::LOCKED));
    // A fight that began in the air outlasts the hop.
    let (mut field, _) = hopping();
    field.begin_fight(3);
    while field.is_hopping() {
        field.frame(&ground, &up);
    }
    assert!(field.player.has(flag::LOCKED));
    assert_eq!(field.end_fight(), Some(3));
    assert!(!field.player.has(flag::LOCKED));
}

/// Row 28: which apex is whose.
#[test]
fn the_hop_words_may_be_swapped() {
    let data = ledge();
    for (height, sheet, other) in [(-200, STEP_UP, DROP), (200, DROP, STEP_UP)] {
        let table = heights([(1, height)]);
        for (compat, apex) in [
            (Compat::SHEET, sheet),
            (
                Compat {
                    hop_words_swapped: true,
                    ..Compat::SHEET
                },
                other,
            ),
        ] {
            let mut field = field(320, 320);
            field.settings.compat = compat;
            let events = field.frame(&ground(&data, &table), &hold(0x1000));
            assert_eq!(events.hop, Some(apex));
        }
    }
}

/// The two points of the hop's probe are actor probes: whom they meet is linked and posted (sections 5.2
/// and 9.4), on even ground too, but not behind a wall.
#[test]
fn the_probes_of_a_hop_link() {
    let linked = |data: &[u8], table: &[i16; 16], z| {
        let mut field = field(320, 320);
        let id = field
            .actors
            .spawn(Actor {
                script: 7,
                ..person(320, z)
            })
            .unwrap();
        // One vertical blank walks 8 units.
        let up = Input {
            held: 0x1000,
            ..Input::default()
        };
        let events = field.frame(&ground(data, table), &up);
        assert_eq!(
            (events.bits, events.contact, field.player.z),
            (0, None, 328)
        );
        assert!(!field.player.has(flag::LOCKED) || events.hop.is_some());
        let met = field.player.partner == Partner::Actor(id);
        let actor = field.actors.get(id).unwrap();
        assert_eq!(actor.partner == Partner::Player, met);
        assert_eq!(field.mailbox.read(), met.then_some(7));
        (met, events.hop.is_some())
    };
    let even = empty();
    // 64 and 96 ahead of (320, 328): boxes of 40 around them.
    for (z, met) in [(424 + 39, true), (424 + 40, false), (431, true)] {
        assert_eq!(linked(&even, &NO_HEIGHTS, z), (met, false), "{z}");
    }
    // On a ledge the one that is met keeps the player down.
    let (data, table) = (ledge(), heights([(1, -200)]));
    assert_eq!(linked(&data, &table, 424 + 39), (true, false));
    assert_eq!(linked(&data, &table, 424 + 40), (false, true));
    // The walls are asked first.
    let mut walled = empty();
    super::common::wall_points(&mut walled, [(320, 424)].into_iter());
    assert_eq!(linked(&walled, &NO_HEIGHTS, 424 + 39), (false, false));
}

/// Who asks to be torn down leaves with the frame, and frees whom it held.
#[test]
fn tear_down_requests_are_granted() {
    let data = empty();
    let ground = ground(&data, &NO_HEIGHTS);
    let mut field = field(1800, 2526);
    let prop = field
        .actors
        .spawn(Actor {
            script: 7,
            ..actor(2000, 2526, 0)
        })
        .unwrap();
    let stays = field.actors.spawn(person(5000, 5000)).unwrap();
    for _ in 0..10 {
        field.frame(&ground, &hold(0x2000));
    }
    assert_eq!(field.engaged(), 1);
    field.actors.get_mut(prop).unwrap().flags |= flag::TEAR_DOWN;
    let x = field.player.x;
    field.frame(&ground, &hold(0x2000));
    assert_eq!(
        field.actors.iter().map(|(id, _)| id).collect::<Vec<_>>(),
        [stays]
    );
    assert_eq!((field.engaged(), field.player.partner), (0, Partner::None));
    assert_eq!(field.player.x, x);
    field.frame(&ground, &hold(0x2000));
    assert_eq!(field.player.x, x + 16, "free");
    // Whether heights are followed or not.
    field.actors.get_mut(stays).unwrap().flags |= flag::TEAR_DOWN;
    field.settings.terrain = false;
    field.control.paused = true;
    field.frame(&ground, &hold(0));
    assert!(field.actors.is_empty());
}

/// Nothing of a scene is left behind for the next.
#[test]
fn a_cleared_field_is_a_new_one() {
    let data = ledge();
    let table = heights([(1, -200)]);
    let ground = ground(&data, &table);
    let dirty = |precise| {
        let mut field = field(320, 320);
        field.settings.precise = precise;
        field.settings.run_option = true;
        field.control.slow_ground = true;
        field
            .actors
            .spawn(Actor {
                script: 7,
                ..person(320, 430)
            })
            .unwrap();
        field.mailbox.set_move(5, 3);
        field.mailbox.mute(6, true);
        for held in [0x1000, 0x2000, 0x1000, 0x1000] {
            let input = Input {
                held,
                azimuth: 100,
                ..Input::default()
            };
            field.frame(&ground, &input);
        }
        field
    };
    let hash = |field: &Field| {
        let mut crc = overworld_runtime::bytes::Crc32::new();
        field.feed(&mut crc);
        crc.finish()
    };
    for precise in [false, true] {
        let mut field = dirty(precise);
        field.actors.clear();
        for _ in 0..9 {
            field.frame(&ground, &hold(0x1000));
        }
        let mut fight = dirty(precise);
        fight.begin_fight(4);
        fight.control.talking = true;
        let mut engaged = dirty(precise);
        let (id, _) = engaged.actors.iter().next().unwrap();
        engaged.actors.get_mut(id).unwrap().flags |= flag::ENGAGED;
        engaged.player.flags |= flag::LOCKED;
        for mut field in [field, fight, engaged] {
            field.clear();
            let mut fresh = Field::new(Actor {
                partner: Partner::None,
                ..field.player
            });
            fresh.settings = field.settings;
            assert_eq!(hash(&field), hash(&fresh));
            assert_eq!((field.player.flags, field.player.mode), (0, 0));
            assert_eq!(
                (field.fight(), field.engaged(), field.is_hopping()),
                (None, 0, false)
            );
            assert_eq!(
                (field.mailbox.read(), field.mailbox.standing(5)),
                (None, None)
            );
            assert_eq!(field.remainder(), fresh.remainder());
            assert!(
                !field.control.talking && field.control.slow_ground && field.settings.run_option
            );
            // The ids are heard again.
            field
                .actors
                .spawn(Actor {
                    script: 6,
                    ..person(320, field.player.z + 102)
                })
                .unwrap();
            field.player.x = 320;
            field.settings.precise = false;
            for _ in 0..4 {
                field.frame(
                    &ground,
                    &Input {
                        held: 0x1000,
                        ..Input::default()
                    },
                );
            }
            assert_eq!(field.mailbox.read(), Some(6));
        }
    }
    // A lock that the host has set is the host's.
    let mut field = dirty(false);
    while field.is_hopping() {
        field.frame(&ground, &Input::default());
    }
    field.player.flags = flag::LOCKED | flag::SLOW_SETTLE;
    field.clear();
    assert_eq!(field.player.flags, flag::LOCKED | flag::SLOW_SETTLE);
}
