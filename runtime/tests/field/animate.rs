//! Section I: the animation clock, by a field's own actors; gaits (section 7.5).

use super::common::{actor, column_13, empty, field, ground, hold, person};
use overworld_runtime::anim::legaia::{Bank, Banks, ClipSource, Playback, Pose, emit};
use overworld_runtime::field::actor::{Actor, ActorId, Draw, Gait, flag};
use overworld_runtime::field::animate::{Animated, Gaits};
use overworld_runtime::field::crossing::Crossing;
use overworld_runtime::field::ground::NO_HEIGHTS;
use overworld_runtime::field::map::Triggers;
use overworld_runtime::field::map::trigger::{Source, Teleport, emit as emit_triggers};
use overworld_runtime::field::{Field, Ground, Input};

/// A bank of clips of one part: frames, and the divisor of those that scale their step.
fn bank(clips: &[(u16, Option<u8>)]) -> Vec<u8> {
    let poses = [Pose::default(); 64];
    let clips: Vec<ClipSource<'_>> = clips
        .iter()
        .map(|&(frames, divisor)| ClipSource {
            parts: 1,
            frames,
            blend: divisor.is_some(),
            rate: divisor.unwrap_or(1),
            extra: 0,
            poses: &poses[..usize::from(frames)],
        })
        .collect();
    let mut out = vec![0; 0x4000];
    let len = emit(&clips, &mut out).unwrap();
    out.truncate(len);
    out
}

/// Clips 1 to 3: 30 frames, 10 frames, 30 frames with a step over 3.
fn sheet() -> Vec<u8> {
    bank(&[(30, None), (10, None), (30, Some(3))])
}

fn scene(bytes: &[u8]) -> Banks<'_> {
    Banks {
        scene: Some(Bank::parse(bytes).unwrap()),
        ..Banks::default()
    }
}

fn nobody(_: ActorId, _: &Actor) -> Option<Gaits> {
    None
}

/// An actor that is in the middle of a clip.
fn playing(animation: i16, mode: u16, rate: i16, cursor: i16) -> Actor {
    Actor {
        animation,
        bound: animation,
        mode,
        rate,
        cursor,
        ..person(5000, 5000)
    }
}

#[test]
fn i1_to_i9_the_clock() {
    let bytes = sheet();
    // Clip, mode, rate, cursor; ticks; cursor, frame, mode.
    let vectors = [
        // The prologue's 4C 35 makes 0015 of the template 021F.
        (1, 0x021F, 16, 0, 1, 0, 0, 0x001F),
        (1, 0x001D, 16, 0, 29, 464, 29, 0x001D),
        (1, 0x001D, 16, 0, 30, 479, 29, 0x011D),
        (1, 0x001D, 16, 0, 31, 479, 29, 0x011D),
        (1, 0x009D, 16, 479, 30, 0, 0, 0x019D),
        (2, 0x0015, 8, 0, 20, 0, 0, 0x0115),
        // 4C 36: the last frame, and stay.
        (1, 0x028A, 16, 0, 1, 464, 29, 0x008A),
        (3, 0x0015, 8, 0, 4, 24, 1, 0x0015),
        (0, 0x0015, 8, 7, 5, 7, 0, 0x0015),
    ];
    for (number, (clip, mode, rate, cursor, ticks, at, frame, end)) in (1..).zip(vectors) {
        let mut field = field(0, 0);
        let id = field
            .actors
            .spawn(playing(clip, mode, rate, cursor))
            .unwrap();
        for _ in 0..ticks {
            field.animate(&scene(&bytes), 1, nobody);
        }
        let found = *field.actors.get(id).unwrap();
        assert_eq!(found.cursor, at, "I{number}");
        assert_eq!(found.cursor >> 4, frame, "I{number}");
        assert_eq!(found.mode, end, "I{number}");
        assert_eq!((found.animation, found.rate), (clip, rate), "I{number}");
    }
}

/// What a door goes through (section 13), op by op.
#[test]
fn a_door_opens_and_shuts() {
    let bytes = sheet();
    let banks = scene(&bytes);
    let mut field = field(0, 0);
    let mut door = Actor {
        mode: 0x0015,
        ..actor(1000, 1000, 0)
    };
    door.set_animation(1);
    assert_eq!((door.draw, door.bound), (Draw::Posed, Playback::REBIND));
    let id = field.actors.spawn(door).unwrap();
    let op = |field: &mut Field, change: fn(&mut Playback), ticks: u32| {
        let actor = field.actors.get_mut(id).unwrap();
        let mut clock = actor.playback();
        change(&mut clock);
        actor.set_playback(&clock);
        for _ in 0..ticks {
            field.animate(&banks, 1, nobody);
        }
        let actor = field.actors.get(id).unwrap();
        (actor.mode, actor.cursor)
    };
    // 4C 41 20h, 4C 35.
    let prologue = |clock: &mut Playback| {
        clock.set_speed(0x20);
        clock.reset_and_hold();
    };
    assert_eq!(op(&mut field, prologue, 3), (0x001F, 0), "resting");
    // 2C 07, 2C 01, 2B 03, then 2C 08.
    let open = |clock: &mut Playback| {
        for bit in [7, 1] {
            clock.clear_bit(bit);
        }
        clock.set_bit(3);
        clock.clear_bit(8);
    };
    assert_eq!(op(&mut field, open, 60), (0x011D, 479), "open");
    let shut = |clock: &mut Playback| clock.set_bit(7);
    assert_eq!(op(&mut field, shut, 60), (0x019D, 0), "shut again");
}

/// The step of a frame counts its vertical blanks; 0 is 1.
#[test]
fn the_clock_goes_by_vertical_blanks() {
    let bytes = sheet();
    for (scalar, cursor) in [(0, 8), (1, 8), (2, 16), (4, 32)] {
        let mut field = field(0, 0);
        let id = field.actors.spawn(playing(1, 0x0015, 8, 0)).unwrap();
        field.animate(&scene(&bytes), scalar, nobody);
        assert_eq!(field.actors.get(id).unwrap().cursor, cursor);
        field.control.paused = true;
        assert_eq!(
            field.animate(&scene(&bytes), 1, nobody),
            Animated::default()
        );
        assert_eq!(field.actors.get(id).unwrap().cursor, cursor, "paused");
    }
}

/// Sections 12.2 and 18: who has a clip is posed by it, who lacks it is not drawn, who needs none is drawn
/// as a whole.
#[test]
fn the_draw_kind_goes_with_the_clip() {
    let bytes = sheet();
    let banks = scene(&bytes);
    let mut field = field(0, 0);
    field.player.animation = 0;
    let mut spawn = |animation, draw| {
        let it = Actor {
            animation,
            draw,
            ..actor(0, 0, 0)
        };
        field.actors.spawn(it).unwrap()
    };
    let ids = [
        spawn(1, Draw::Rigid),
        spawn(4, Draw::Posed),
        spawn(0, Draw::Posed),
        spawn(0, Draw::None),
        spawn(-1, Draw::Posed),
        // A party's clip, and the party has no bank here.
        spawn(1, Draw::Posed),
    ];
    field.actors.get_mut(ids[5]).unwrap().flags = flag::ACTION;
    let done = field.animate(&banks, 1, nobody);
    assert_eq!(
        done,
        Animated {
            clips: 1,
            missing: 2
        }
    );
    let kinds = ids.map(|id| field.actors.get(id).unwrap().draw);
    let expected = [
        Draw::Posed,
        Draw::None,
        Draw::Rigid,
        Draw::None,
        Draw::Posed,
        Draw::None,
    ];
    assert_eq!(kinds, expected);
    assert_eq!([Draw::of(0), Draw::of(3)], [Draw::Rigid, Draw::Posed]);
    // It is back when its clip is.
    let actor = field.actors.get_mut(ids[1]).unwrap();
    actor.animation = 2;
    field.animate(&banks, 1, nobody);
    assert_eq!(field.actors.get(ids[1]).unwrap().draw, Draw::Posed);
}

/// The party's bank: of the seven clips of each member the first walks, the second stands.
const PARTY: Gaits = Gaits::party(1);

#[test]
fn the_players_clip_follows_its_gait() {
    assert_eq!(
        [Gaits::party(0).idle, PARTY.idle, Gaits::party(2).idle],
        [2, 9, 16]
    );
    let bytes = bank(&[(15, None); 21]);
    let banks = Banks {
        party: Some(Bank::parse(&bytes).unwrap()),
        ..Banks::default()
    };
    let data = column_13();
    let ground = ground(&data, &NO_HEIGHTS);
    let mut field = field(1900, 2526);
    field.settings.gaits = Some(Gaits { run: 12, ..PARTY });
    field.player.animation = 9;
    let go = |field: &mut Field, input: &Input| {
        field.frame(&ground, input);
        field.animate(&banks, 2, nobody);
        (field.player.gait, field.player.animation)
    };
    let (idle, walk) = ((Gait::Idle, 9), (Gait::Walk, 8));
    assert_eq!(go(&mut field, &hold(0)), idle, "to appear is no step");
    assert_eq!(go(&mut field, &hold(0x8000)), walk);
    let run = hold(0x2000 | field.settings.run_button);
    assert_eq!(go(&mut field, &run), (Gait::Run, 12));
    assert_eq!(field.player.cursor, 16, "from the start of the clip");
    assert_eq!(go(&mut field, &hold(0)), idle);
    // Held against the wall it walks on the spot.
    field.player.x = 1838;
    go(&mut field, &hold(0x8000));
    assert_eq!(go(&mut field, &hold(0x8000)), walk);
    assert_eq!((field.player.x, field.delta()), (1838, [0, 0]));
    go(&mut field, &hold(0));
    // Locked, a direction asks for nothing; but what a script moves walks.
    field.player.flags = flag::LOCKED;
    assert_eq!(go(&mut field, &hold(0x2000)), idle);
    field.player.x += 4;
    assert_eq!(go(&mut field, &hold(0)), walk);
    assert_eq!(go(&mut field, &hold(0)), idle);
    // A script's clip stays until the player moves.
    field.player.set_animation(5);
    assert_eq!(go(&mut field, &hold(0)), (Gait::Idle, 5));
    field.player.flags = 0;
    assert_eq!(go(&mut field, &hold(0x1000)), walk);
    // A seat is a placement.
    go(&mut field, &hold(0));
    let entry = overworld_runtime::field::spawn::Entry::Warp {
        saved: overworld_runtime::field::units::Point::new(3000, 3000),
    };
    field.seat(&ground, entry);
    assert_eq!(go(&mut field, &hold(0)), idle);
    // So is a doorway.
    let doors = [Teleport {
        tile: [22, 22],
        destination: [80, 80],
    }];
    let source = Source {
        teleports: &doors,
        ..Source::default()
    };
    let mut block = [0; 64];
    emit_triggers(&source, &mut block).unwrap();
    (field.player.x, field.player.z) = (22 * 128 + 64, 22 * 128 + 64);
    go(&mut field, &hold(0));
    go(&mut field, &hold(0));
    let grid = [0; 0x4000];
    let bare = Ground::bare(&grid, &NO_HEIGHTS)
        .with_triggers(Triggers::parse(&block).unwrap(), Triggers::EMPTY);
    let crossed = field.cross(&bare, &mut Crossing::STALE.clone(), false);
    assert_eq!(crossed.doorway, Some(doors[0]));
    assert_eq!(go(&mut field, &hold(0)), idle);
    // Without clips of its own the player keeps what it has.
    field.settings.gaits = None;
    assert_eq!(go(&mut field, &hold(0x1000)), (Gait::Walk, 9));
}

/// People walk when anything moves them; which clip that is, the caller knows.
#[test]
fn people_have_gaits_too() {
    let bytes = bank(&[(15, None); 8]);
    let banks = scene(&bytes);
    let data = empty();
    let ground = ground(&data, &NO_HEIGHTS);
    let mut field = field(1000, 1000);
    let a = field
        .actors
        .spawn(Actor {
            animation: 3,
            ..person(5000, 5000)
        })
        .unwrap();
    let b = field
        .actors
        .spawn(Actor {
            animation: 3,
            ..person(6000, 6000)
        })
        .unwrap();
    let go = |field: &mut Field, step: i16| {
        field.frame(&ground, &hold(0));
        field.actors.get_mut(a).unwrap().x += step;
        field.actors.get_mut(b).unwrap().z += step;
        field.animate(&banks, 1, |id, _| {
            let gaits = Gaits {
                idle: 3,
                walk: 4,
                run: 4,
            };
            (id == a).then_some(gaits)
        });
        [a, b].map(|id| {
            field
                .actors
                .get(id)
                .map(|it| (it.gait, it.animation))
                .unwrap()
        })
    };
    assert_eq!(go(&mut field, 2), [(Gait::Idle, 3); 2], "the first sight");
    assert_eq!(go(&mut field, 2), [(Gait::Walk, 4), (Gait::Walk, 3)]);
    assert_eq!(go(&mut field, 0), [(Gait::Idle, 3); 2]);
}
