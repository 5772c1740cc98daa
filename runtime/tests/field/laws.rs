//! What must hold for every map, pad and place (sections 2, 17 and 18).

use super::common::{actor, empty, ground};
use overworld_runtime::bytes::Crc32;
use overworld_runtime::field::actor::flag;
use overworld_runtime::field::map::{MapMut, SIZE};
use overworld_runtime::field::units::Point;
use overworld_runtime::field::{Actor, Field, Input};
use overworld_runtime::field::{ground::NO_HEIGHTS, slide::resolve};
use overworld_runtime::fixed::{cos, sin};
use proptest::prelude::*;

/// A map of random walls, one byte in `rarity` with some, and any tiers.
fn map(seed: u32, rarity: u32) -> Vec<u8> {
    let mut data = empty();
    let mut state = seed | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    };
    for byte in &mut data[0x4000..0x8000] {
        let word = next();
        let walls = if word % rarity == 0 {
            word >> 8 & 0xF0
        } else {
            0
        };
        *byte = (walls | word >> 24 & 0x0F) as u8;
    }
    data
}

fn pads() -> impl Strategy<Value = Vec<(u16, u8)>> {
    prop::collection::vec((any::<u16>(), 1_u8..12), 1..20)
}

/// Debug and buttons aside, any pad is possible.
fn input(held: u16, pressed: u16, scalar: u8, eighths: u8) -> Input {
    Input {
        held,
        pressed,
        eighths,
        scalar,
        ..Input::default()
    }
}

/// How far a frame with this pad may go along each axis, worked out anew from section 7: by the pad and
/// the resolved mask alone, so that what `walk` computes is not asked. X and Z.
fn budget(field: &Field, input: &Input, before: &Field, slow: bool) -> [i32; 2] {
    let player = &before.player;
    let action = input.pressed & 4 != 0 && !before.control.forced_slow;
    let menu = input.pressed & before.settings.menu_button != 0 && !before.control.menu_off;
    if player.flags & 0x8_0000 != 0 || action || menu {
        return [0; 2];
    }
    let settings = &before.settings;
    let run = (input.held & settings.run_button != 0) ^ settings.run_option;
    let base = match (
        before.control.forced_slow,
        settings.debug && input.held & 0x80 != 0,
        run,
    ) {
        (true, ..) => 5,
        (_, true, _) => 24,
        (.., true) => 12,
        _ => 8,
    };
    let mut speed = ((base * i32::from(player.speed)) >> 12) * i32::from(input.scalar.max(1));
    if slow {
        speed /= 2;
    }
    let axes = [field.mask() & 0xA000, field.mask() & 0x5000];
    if axes.iter().all(|&axis| axis != 0) {
        speed -= speed / 4;
    }
    // Two units at a time: an odd budget moves one more.
    axes.map(|axis| if axis == 0 { 0 } else { speed + speed % 2 })
}

/// The angle of a precise frame, and its whole budget.
fn angle(held: u16, azimuth: u16, before: &Field, input: &Input, slow: bool) -> (Option<u16>, i32) {
    let ring = [
        0x1000, 0x3000, 0x2000, 0x6000, 0x4000, 0xC000, 0x8000, 0x9000,
    ];
    let place = ring.iter().position(|&mask| mask == held & 0xF000);
    let run = held & before.settings.run_button != 0;
    let base = if run { 12 } else { 8 };
    let mut all = ((base * i32::from(before.player.speed)) >> 12) * i32::from(input.scalar.max(1));
    if slow {
        all /= 2;
    }
    let angle = place.map(|place| (azimuth + 512 * place as u16) & 0xFFF);
    (angle, all)
}

/// How far a frame went, X and Z.
fn went(before: &Field, after: &Field) -> [i32; 2] {
    let (a, b) = (before.player, after.player);
    [
        i32::from(b.x) - i32::from(a.x),
        i32::from(b.z) - i32::from(a.z),
    ]
}

fn hash(field: &Field) -> u32 {
    let mut crc = Crc32::new();
    field.feed(&mut crc);
    crc.finish()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    /// The centre never enters a wall, no frame goes further than its budget, the same inputs give
    /// the same state, and two wholes of one vertical blank differ from one of two only as said.
    #[test]
    fn nobody_walks_into_walls_or_too_far(
        seed: u32,
        rarity in 1_u32..40,
        at in (200_i16..16000, 200_i16..16000),
        pads in pads(),
        scalar in 0_u8..5,
        eighths: u8,
        run: bool,
        forced_slow: bool,
        actors in prop::collection::vec((200_i16..16000, 200_i16..16000, any::<u32>()), 0..64),
    ) {
        let data = map(seed, rarity);
        let heights = [0, -32, -64, -96, -128, -160, -192, -224, 40, 80, 120, 160, 200, 240, 280, 320];
        let ground = ground(&data, &heights);
        let walls = ground.walls();
        let mut field = Field::new(actor(at.0, at.1, 0));
        field.settings.run_option = run;
        field.control.forced_slow = forced_slow;
        // Height apart: a hop runs no collision.
        field.settings.terrain = false;
        for (x, z, flags) in actors {
            field.actors.spawn(actor(x, z, flags));
        }
        let mut twin = field.clone();
        let began_open = !walls.at(at.0.into(), at.1.into());
        let mut before_pad = 0;
        for (held, frames) in pads {
            let input = input(held, held & !before_pad, scalar, eighths);
            before_pad = held;
            for _ in 0..frames {
                let before = field.clone();
                let events = field.frame(&ground, &input);
                twin.frame(&ground, &input);
                prop_assert_eq!(hash(&field), hash(&twin));
                let after = field.player;
                if began_open {
                    prop_assert!(!walls.at(after.x.into(), after.z.into()), "{:?}", after.point());
                }
                let most = budget(&field, &input, &before, false);
                let [dx, dz] = went(&before, &field);
                prop_assert!(dx.abs() <= most[0] && dz.abs() <= most[1], "{dx} {dz} of {most:?}");
                // Where nothing is in the way it is all of it.
                if events.bits == 0 {
                    prop_assert_eq!([dx.abs(), dz.abs()], most);
                }
                // Nobody is carried against a single direction or a plain diagonal, and that goes along
                // itself.
                let turned = overworld_runtime::field::pad::remap(held, eighths);
                let plain = overworld_runtime::field::pad::ring_place(turned) < 8;
                let ways = [(0x2000, dx), (0x8000, -dx), (0x1000, dz), (0x4000, -dz)];
                for (there, way) in ways {
                    if plain && turned & there != 0 {
                        prop_assert!(way >= 0, "{way} against {turned:X}");
                    }
                }
                if field.mask() != 0 && matches!(turned >> 12, 3 | 6 | 12 | 9) {
                    prop_assert_eq!(field.mask(), turned & 0xF000);
                }
                // Nothing moves but by whole steps, and the deltas say what moved.
                prop_assert!(dx % 2 == 0 && dz % 2 == 0);
                prop_assert_eq!(field.delta()[0] == 0, dx == 0);
                prop_assert_eq!(field.delta()[1] == 0, dz == 0);
                if field.delta() != [0, 0] {
                    prop_assert!(field.mask() != 0);
                }
                prop_assert!(events.hop.is_none());
            }
        }
    }

    /// Any place, any map, any pad, any speed: an answer, in bounded work, and no frame goes further
    /// than its budget; one of a hop goes along the arc, 96 units in all.
    #[test]
    fn anything_goes(
        bytes in prop::collection::vec(any::<(u16, u8)>(), 0..200),
        at: (i16, i16, i16),
        speed: u16,
        pads in prop::collection::vec(any::<(u16, u16, u8, u8)>(), 1..8),
        flags: u32,
        heights: [i16; 16],
        actors in prop::collection::vec(any::<(i16, i16, u32, u16, [i32; 2])>(), 0..8),
        debug: bool,
    ) {
        let mut data = empty();
        for (at, byte) in bytes {
            data[0x4000 + usize::from(at) % 0xC000] = byte;
        }
        let ground = ground(&data, &heights);
        let mut field = Field::new(Actor {
            speed,
            y: at.1,
            ..actor(at.0, at.2, flags)
        });
        field.settings.debug = debug;
        for (x, z, flags, script, footprint) in actors {
            field.actors.spawn(Actor { script, footprint, ..actor(x, z, flags) });
        }
        for (held, pressed, scalar, eighths) in pads {
            let (before, hopping) = (field.clone(), field.is_hopping());
            let input = input(held, pressed, scalar, eighths);
            field.frame(&ground, &input);
            let [dx, dz] = went(&before, &field).map(i32::abs);
            let most = if hopping { [96; 2] } else { budget(&field, &input, &before, false) };
            prop_assert!(dx <= most[0] && dz <= most[1], "{dx} {dz} of {most:?}");
        }
    }

    /// The same on slow ground, and by precise movement, whose axes go as far as they have gathered.
    #[test]
    fn budgets_hold_on_slow_ground_and_by_angle(
        seed: u32,
        rarity in 1_u32..40,
        at in (200_i16..16000, 200_i16..16000),
        pads in pads(),
        scalar in 0_u8..5,
        speed in 0_u16..0x4000,
        precise: bool,
        azimuth in 0_u16..0x1000,
        slow: bool,
    ) {
        let mut data = map(seed, rarity);
        let mut cells = MapMut::parse(&mut data).unwrap();
        for tile in overworld_runtime::field::map::Tile::all() {
            cells.set_cell(tile, overworld_runtime::field::map::Cell(0x4000));
        }
        let ground = ground(&data, &NO_HEIGHTS);
        let mut field = Field::new(Actor { speed, ..actor(at.0, at.1, 0) });
        field.control.slow_ground = slow;
        field.settings.precise = precise;
        for (held, frames) in pads {
            let input = Input { azimuth, ..input(held, 0, scalar, 0) };
            for _ in 0..frames {
                let before = field.clone();
                let events = field.frame(&ground, &input);
                let moved = went(&before, &field);
                // Off the grid there is no slow ground.
                let slow = slow && before.player.x < 0x4000 && before.player.z < 0x4000;
                let most = if precise {
                    let (angle, all) = angle(held, azimuth, &before, &input, slow);
                    let rest = before.remainder().get();
                    let axis = |rest: i32, part: i16| {
                        let gathered = rest + all * i32::from(part);
                        2 * (gathered.abs() / 8192)
                    };
                    match angle {
                        Some(angle) => [axis(rest[0], sin(angle)), axis(rest[1], cos(angle))],
                        None => [0; 2],
                    }
                } else {
                    budget(&field, &input, &before, slow)
                };
                let moved = moved.map(i32::abs);
                prop_assert!(moved[0] <= most[0] && moved[1] <= most[1], "{moved:?} of {most:?}");
                if events.bits == 0 {
                    prop_assert_eq!(moved, most);
                }
            }
        }
    }

    /// The slide never turns a held direction around, nor touches a plain diagonal.
    #[test]
    fn the_slide_never_works_against_the_pad(
        seed: u32,
        rarity in 1_u32..6,
        at: (i16, i16),
        direction in 0_u32..16,
        near in any::<bool>(),
    ) {
        let data = map(seed, rarity);
        let at = if near { (at.0 & 0x3FFF, at.1 & 0x3FFF) } else { at };
        let mask = (direction << 12) as u16;
        let out = resolve(mask, Point::new(at.0, at.1), ground(&data, &NO_HEIGHTS).walls());
        prop_assert_eq!(out & mask, mask, "what is held stays held");
        let opposite = |mask: u16| match mask {
            0x1000 => 0x4000,
            0x4000 => 0x1000,
            0x2000 => 0x8000,
            0x8000 => 0x2000,
            _ => 0,
        };
        prop_assert_eq!(out & opposite(mask), 0);
        if matches!(mask, 0x3000 | 0x6000 | 0xC000 | 0x9000) {
            prop_assert_eq!(out, mask);
        }
        prop_assert_eq!(out & 0x0FFF, 0);
    }

    /// The frame law: on open floor a frame of n vertical blanks covers the ground of n frames of
    /// one, if the budget is even in both.
    #[test]
    fn the_frame_law(
        held in prop::sample::select(vec![0x1000_u16, 0x2000, 0x4000, 0x8000, 0x3000, 0x9000, 0xC000, 0x6000]),
        eighths in 0_u8..8,
        run: bool,
        scalar in 2_u8..5,
        frames in 1_usize..40,
    ) {
        let data = empty();
        let ground = ground(&data, &NO_HEIGHTS);
        let diagonal = overworld_runtime::field::pad::is_diagonal(
            overworld_runtime::field::pad::remap(held, eighths));
        // The budget of a run along a diagonal is odd: 9.
        prop_assume!(!(run && diagonal));
        let go = |scalar: u8, frames: usize| {
            let mut field = Field::new(actor(8192, 8192, 0));
            field.settings.run_option = run;
            for _ in 0..frames {
                field.frame(&ground, &input(held, 0, scalar, eighths));
            }
            field.player.point()
        };
        prop_assert_eq!(go(scalar, frames), go(1, frames * usize::from(scalar)));
        prop_assert_eq!(go(0, frames), go(1, frames), "0 counts as 1");
    }
}

/// A map of any bytes behind its header is survived.
#[test]
fn a_map_of_noise() {
    let mut data = vec![0; SIZE];
    let mut state = 7_u32;
    for byte in &mut data[..0x10000] {
        state = state.wrapping_mul(0x41C6_4E6D).wrapping_add(0x3039);
        *byte = (state >> 16) as u8;
    }
    data[0x10000..0x10012].copy_from_slice(&[
        0x1A, 0, 0x12, 0, 0, 0, 0x14, 0, 0, 0, 0x16, 0, 0, 0, 0x18, 0, 0, 0,
    ]);
    MapMut::parse(&mut data).unwrap().refresh();
    let heights = [
        i16::MIN,
        i16::MAX,
        0,
        1,
        2,
        3,
        -4,
        100,
        -100,
        200,
        -200,
        5,
        6,
        7,
        8,
        9,
    ];
    let ground = ground(&data, &heights);
    for start in [0, 1000, 8000, 16383, 20000, 32767, -1, -32768] {
        let mut field = Field::new(actor(start, start, flag::SLOW_SETTLE));
        field.control.slow_ground = true;
        for frame in 0..200_u16 {
            field.frame(&ground, &input(frame << 7, frame << 3, 2, frame as u8));
        }
    }
}
