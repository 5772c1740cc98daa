//! Walking on any map with any pad log.

use overworld_runtime::bytes::Crc32;
use overworld_runtime::field::actor::{Actor, flag};
use overworld_runtime::field::crossing::{Crossing, Regions};
use overworld_runtime::field::map::{Map, MapMut, Triggers};
use overworld_runtime::field::spawn::{Bind, init_sweep, window_sweep};
use overworld_runtime::field::{Field, Ground, Input};

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

/// `[u8 switches][i16 x][i16 z][u16 speed]`, `[u8 n]` and n actors `[i16 x][i16 z][u16 high half of
/// their flags]`, `[u8 n]` and n pads `[u16 held][u8 frames][u8 scalar and eighths]`, then a map as the
/// target `map` has it.
///
/// The centre that began in the open enters no wall without a hop, a doorway or a debug button; a frame
/// goes no further than its budget; twins stay equal; sweeps keep to the pool.
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
    let bounds = Regions::at(&ground, x, z, false).bounds;
    let first = init_sweep(&map, &ground, &mut field.actors, |record| {
        (record & 1 == 0).then_some(Bind { animation: record })
    });
    let second = window_sweep(&map, &ground, bounds, &mut field.actors);
    assert!(field.actors.len() <= 64);
    assert!(usize::from(first.spawned + second.spawned) <= field.actors.len());
    let walls = ground.walls();
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
            let at = field.player;
            let hopped = field.is_hopping();
            let events = field.frame(&ground, &input);
            twin.frame(&ground, &input);
            let most = ((24 * i32::from(speed)) >> 12) * i32::from(input.scalar.max(1)) + 2;
            let moved = |a: i16, b: i16| (i32::from(a) - i32::from(b)).abs();
            if hopped {
                open = false;
            } else {
                assert!(moved(at.x, field.player.x) <= most);
                assert!(moved(at.z, field.player.z) <= most);
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
