//! Walking on any map with any pad log.

use overworld_runtime::bytes::Crc32;
use overworld_runtime::field::actor::{Actor, flag};
use overworld_runtime::field::cold::Search;
use overworld_runtime::field::crossing::{Area, Crossing};
use overworld_runtime::field::map::{Map, MapMut, Triggers};
use overworld_runtime::field::precise::angle;
use overworld_runtime::field::spawn::{Bind, WindowGates, init_sweep};
use overworld_runtime::field::{Events, Field, Ground, Input, pad};
use overworld_runtime::fixed::{cos, sin};

use super::field::file;
use super::{take_u8, take_u16};

/// Frames that are played at most.
const FRAMES: usize = 400;

fn signed(data: &[u8]) -> (i16, &[u8]) {
    let (word, rest) = take_u16(data);
    (word as i16, rest)
}

fn sum(field: &Field) -> u32 {
    let mut crc = Crc32::new();
    field.feed(&mut crc);
    crc.finish()
}

/// How far a frame goes along X and Z where nothing is in the way, worked out from the field sheet's
/// section 7 and, for precise movement, 16: by what was before, the pad, and the resolved mask.
fn budget(before: &Field, mask: u16, input: &Input, events: &Events, slow: bool) -> [i32; 2] {
    let settings = &before.settings;
    if before.player.has(flag::LOCKED) || events.action || events.menu {
        return [0; 2];
    }
    let base = match (before.control.forced_slow, settings.run_option) {
        (true, _) => 5,
        _ if settings.run_option != (input.held & settings.run_button != 0) => 12,
        _ => 8,
    };
    let scalar = i32::from(input.scalar.max(1));
    let mut speed = ((base * i32::from(before.player.speed)) >> 12) * scalar;
    if slow {
        speed >>= 1;
    }
    if settings.precise {
        let Some(angle) = angle(input.azimuth, input.stick, input.held) else {
            return [0; 2];
        };
        // What an axis has gathered, in whole steps.
        let [x, z] = before.remainder().get();
        let speed = speed.min(0x4000);
        let steps = |rest: i32, part: i16| 2 * ((rest + speed * i32::from(part)).abs() >> 13);
        return [steps(x, sin(angle)), steps(z, cos(angle))];
    }
    let along = |axis: u16| mask & axis != 0;
    let axes = [
        along(pad::X_PLUS | pad::X_MINUS),
        along(pad::Z_PLUS | pad::Z_MINUS),
    ];
    if axes == [true; 2] {
        speed -= speed >> 2;
    }
    // Two units at a time: an odd budget moves one more.
    axes.map(|held| if held { speed + (speed & 1) } else { 0 })
}

/// `[u8 switches][i16 x][i16 z][u16 speed]`, `[u8 n]` and n actors `[i16 x][i16 z][u16 high half of
/// their flags]`, `[u8 n]` and n pads `[u16 held][u8 frames][u8 scalar and eighths]`, then a map as the
/// target `map` has it.
///
/// The centre that began in the open enters no wall without a hop or a doorway; a frame goes no further
/// than its budget, and all of it where nothing is in the way; twins stay equal; sweeps keep to the pool,
/// and a window that is rebuilt leaves nobody of the former one; a cold seat is no wall.
pub fn walk(data: &[u8]) -> bool {
    let (switches, data) = take_u8(data);
    let (x, data) = signed(data);
    let (z, data) = signed(data);
    let (speed, data) = take_u16(data);
    let mut field = Field::new(Actor {
        x,
        z,
        speed,
        ..Actor::NEW
    });
    let on = |bit: u8| switches & bit != 0;
    field.settings.run_option = on(1);
    field.settings.terrain = on(2);
    field.settings.precise = on(4);
    field.settings.compat.slide = !on(8);
    field.control.slow_ground = on(16);
    field.control.forced_slow = on(32);
    let crosses = on(64);
    let (count, mut data) = take_u8(data);
    for script in 0..count & 63 {
        let (x, rest) = signed(data);
        let (z, rest) = signed(rest);
        let (flags, rest) = take_u16(rest);
        data = rest;
        field.actors.spawn(Actor {
            x,
            z,
            flags: u32::from(flags) << 16 | u32::from(flags & 3),
            script: script.into(),
            ..Actor::NEW
        });
    }
    let (count, data) = take_u8(data);
    let (pads, data) = data.split_at(data.len().min(4 * usize::from(count)));
    let mut file = file(data);
    let fallback = file.split_off(overworld_runtime::field::map::SIZE);
    let fallback = Triggers::lenient(&fallback);
    let Ok(mut map) = MapMut::parse(&mut file) else {
        return false;
    };
    map.refresh();
    map.mark_fallback(&fallback);
    let map: Map<'_> = map.map();
    let heights = [
        0, -100, 100, -97, 97, 300, -300, 32767, -32768, 1, 2, 3, 4, 5, 6, 7,
    ];
    let ground = Ground::new(map, fallback, &heights);
    let mut area = Area::STALE;
    assert!(area.refresh(&ground, field.player.point(), false));
    let first = init_sweep(&map, &ground, &mut field.actors, |record| {
        (record & 1 == 0).then_some(Bind { animation: record })
    });
    let second = rebuild(&mut field, &map, &ground, &area);
    assert!(field.actors.len() <= 64);
    assert!(usize::from(first.spawned) + second <= field.actors.len());
    let walls = ground.walls();
    let seat = on(128)
        .then(|| Search::new().seat(&ground, &field.settings.compat))
        .flatten();
    if let Some(at) = seat {
        assert!(!walls.at(at.x.into(), at.z.into()), "a cold seat in a wall");
    }
    let mut open = !walls.at(x.into(), z.into());
    let mut twin = field.clone();
    let (mut crossing, mut other) = (Crossing::STALE, Crossing::STALE);
    let (mut before, mut frames) = (0, 0);
    for pad in pads.chunks_exact(4) {
        let (held, rest) = take_u16(pad);
        let (length, rest) = take_u8(rest);
        let (rest, _) = take_u8(rest);
        let input = Input {
            held,
            pressed: held & !before,
            eighths: rest >> 3,
            scalar: rest & 7,
            azimuth: held << 1,
            ..Input::default()
        };
        before = held;
        for _ in 0..length {
            frames += 1;
            if frames > FRAMES {
                return true;
            }
            let before = field.clone();
            let at = before.player;
            let events = field.frame(&ground, &input);
            twin.frame(&ground, &input);
            let moved = |a: i16, b: i16| (i32::from(a) - i32::from(b)).abs();
            let went = [moved(at.x, field.player.x), moved(at.z, field.player.z)];
            if before.is_hopping() {
                open = false;
                assert!(went[0] <= 96 && went[1] <= 96, "the arc");
            } else {
                let slow = field.control.slow_ground && ground.is_slow(at.x.into(), at.z.into());
                let most = budget(&before, field.mask(), &input, &events, slow);
                assert!(
                    went[0] <= most[0] && went[1] <= most[1],
                    "{went:?} {most:?}"
                );
                if events.bits == 0 {
                    assert_eq!(went, most, "nothing in the way");
                }
            }
            let inside = walls.at(field.player.x.into(), field.player.z.into());
            assert!(!(open && inside), "walked into a wall");
            // Whoever was touched is dismissed, as a script would do it in the end.
            for id in [events.contact, events.interact].into_iter().flatten() {
                field.dismiss(id);
                twin.dismiss(id);
            }
            if crosses {
                let crossed = field.cross(&ground, &mut crossing, false);
                assert_eq!(twin.cross(&ground, &mut other, false), crossed);
                open &= crossed.doorway.is_none();
                if area.refresh(&ground, field.player.point(), false) {
                    let placed = rebuild(&mut field, &map, &ground, &area);
                    assert_eq!(rebuild(&mut twin, &map, &ground, &area), placed);
                }
            }
            assert_eq!(sum(&field), sum(&twin), "twins");
            assert_eq!(
                field.engaged() == 0,
                !field.player.has(flag::LOCKED) || field.is_hopping()
            );
        }
    }
    true
}

/// Rebuild the window; how many the new one has.
fn rebuild(field: &mut Field, map: &Map<'_>, ground: &Ground<'_>, area: &Area) -> usize {
    let of_window = |field: &Field| {
        let all = field.actors.iter();
        all.filter(|(_, it)| it.of_window).count()
    };
    let before = of_window(field);
    let bounds = area.regions.bounds;
    let mut gone = 0;
    let swept = field.rebuild_window(map, ground, bounds, WindowGates::OPEN, |_, actor| {
        assert!(actor.of_window);
        gone += 1;
    });
    assert_eq!((usize::from(swept.left), gone), (before, before));
    assert_eq!(of_window(field), usize::from(swept.spawned));
    swept.spawned.into()
}
