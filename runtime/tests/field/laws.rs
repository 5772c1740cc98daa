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

/// People and things about the player: places beside it, and flags.
fn crowd() -> impl Strategy<Value = Vec<(i16, i16, u32)>> {
    let kinds = prop_oneof![
        Just(flag::MOVING),
        Just(flag::INTERACT),
        Just(0),
        any::<u32>(),
    ];
    prop::collection::vec((-400_i16..400, -400_i16..400, kinds), 0..64)
}

fn surround(field: &mut Field, crowd: &[(i16, i16, u32)]) {
    let Point { x, z } = field.player.point();
    for &(dx, dz, flags) in crowd {
        // Places that nobody is at from the start.
        if dx.abs() >= 80 || dz.abs() >= 80 {
            let it = actor(x.saturating_add(dx), z.saturating_add(dz), flags);
            field.actors.spawn(it);
        }
    }
}

/// Whether a place is in somebody's box, worked out anew from section 5.2.
fn meets(field: &Field, at: Point) -> bool {
    field.actors.iter().any(|(_, it)| {
        let half = if it.flags & 0x0102_0000 == 0 { 80 } else { 40 };
        let away = |a: i16, b: i16| (i32::from(a) - i32::from(b)).abs();
        it.flags & 3 == 0 && away(it.x, at.x) < half && away(it.z, at.z) < half
    })
}

/// All touches are over at once, so that the walk goes on.
fn dismiss(field: &mut Field) {
    let engaged: Vec<_> = field.actors.iter().map(|(id, _)| id).collect();
    for id in engaged {
        field.dismiss(id);
    }
}

/// What there is to be seen of a field between two frames.
fn seen(field: &Field) -> impl PartialEq + std::fmt::Debug {
    let actors: Vec<_> = field.actors.iter().map(|(id, it)| (id, *it)).collect();
    (
        (field.player, actors),
        (field.delta(), field.mask(), field.is_hopping()),
        (field.engaged(), field.mailbox.read(), field.remainder()),
    )
}

fn hash(field: &Field) -> u32 {
    let mut crc = Crc32::new();
    field.feed(&mut crc);
    crc.finish()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    /// The centre enters neither a wall nor somebody's box, hops apart, and no frame goes further than its budget.
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
        terrain: bool,
        slope in 0_i16..40,
        crowd in crowd(),
    ) {
        let data = map(seed, rarity);
        // From 7 on a step of all tiers is more than a ledge.
        let heights = std::array::from_fn(|tier| slope * (8 - tier as i16));
        let ground = ground(&data, &heights);
        let walls = ground.walls();
        let mut field = Field::new(actor(at.0, at.1, 0));
        field.settings.run_option = run;
        field.control.forced_slow = forced_slow;
        field.settings.terrain = terrain;
        surround(&mut field, &crowd);
        let mut before_pad = 0;
        for (held, frames) in pads {
            let input = input(held, held & !before_pad, scalar, eighths);
            before_pad = held;
            for _ in 0..frames {
                let before = field.clone();
                let events = field.frame(&ground, &input);
                let [dx, dz] = went(&before, &field);
                if before.is_hopping() {
                    // Along the arc, over whatever is there.
                    prop_assert!(dx.abs() <= 96 && dz.abs() <= 96);
                    continue;
                }
                let [was, is] = [&before, &field].map(|it| it.player.point());
                let wall = |at: Point| walls.at(at.x.into(), at.z.into());
                prop_assert!(wall(was) || !wall(is), "{was:?} {is:?}");
                prop_assert!(!meets(&before, is) || meets(&before, was), "{was:?} {is:?}");
                let most = budget(&field, &input, &before, false);
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
                prop_assert!(terrain || events.hop.is_none());
                dismiss(&mut field);
            }
        }
    }

    /// Nor by any angle: precise movement asks the same probes, and goes no further than its budget and what was left
    /// over.
    #[test]
    fn nobody_walks_precisely_into_walls(
        seed: u32,
        rarity in 1_u32..40,
        at in (200_i16..16000, 200_i16..16000),
        pads in prop::collection::vec((any::<u16>(), any::<u16>(), prop::option::of(any::<u16>()), 1_u8..12), 1..20),
        scalar in 0_u8..5,
        run: bool,
        terrain: bool,
        slope in 0_i16..40,
        crowd in crowd(),
    ) {
        let data = map(seed, rarity);
        let heights = std::array::from_fn(|tier| slope * (8 - tier as i16));
        let ground = ground(&data, &heights);
        let walls = ground.walls();
        let mut field = Field::new(actor(at.0, at.1, 0));
        field.settings.precise = true;
        field.settings.run_option = run;
        field.settings.terrain = terrain;
        surround(&mut field, &crowd);
        for (held, azimuth, stick, frames) in pads {
            let input = Input { azimuth, stick, ..input(held, 0, scalar, 0) };
            for _ in 0..frames {
                let before = field.clone();
                field.frame(&ground, &input);
                if before.is_hopping() {
                    continue;
                }
                let [was, is] = [&before, &field].map(|it| it.player.point());
                let wall = |at: Point| walls.at(at.x.into(), at.z.into());
                prop_assert!(wall(was) || !wall(is), "{was:?} {is:?}");
                prop_assert!(!meets(&before, is) || meets(&before, was), "{was:?} {is:?}");
                let base = if (held & 0x40 != 0) == run { 8 } else { 12 };
                let most = base * i32::from(scalar.max(1)) + 1;
                let [dx, dz] = went(&before, &field);
                prop_assert!(dx.abs() <= most && dz.abs() <= most, "{dx} {dz} of {most}");
                prop_assert!(dx % 2 == 0 && dz % 2 == 0);
                let rest = field.remainder().get();
                prop_assert!(rest.iter().all(|it| it.abs() < 2 << 12), "{rest:?}");
                dismiss(&mut field);
            }
        }
    }

    /// The sum tells two states apart that look different, and those of the same one go on in the same way: of two
    /// walks one has other buttons for one stretch.
    #[test]
    fn the_sum_is_the_state(
        seed: u32,
        rarity in 1_u32..12,
        at in (200_i16..16000, 200_i16..16000),
        pads in pads(),
        (moment, other) in (0_usize..6, any::<u16>()),
        scalar in 1_u8..4,
        precise: bool,
        terrain: bool,
        crowd in crowd(),
    ) {
        let data = map(seed, rarity);
        let heights = std::array::from_fn(|tier| -24 * tier as i16);
        let ground = ground(&data, &heights);
        let mut field = Field::new(actor(at.0, at.1, 0));
        field.settings.precise = precise;
        field.settings.terrain = terrain;
        surround(&mut field, &crowd);
        let mut twin = field.clone();
        let mut same = true;
        for (place, (held, frames)) in pads.into_iter().enumerate() {
            let others = if place == moment { other } else { held };
            for frame in 0..frames {
                let [mine, its] = [held, others].map(|it| {
                    input(it, if frame == 0 { it } else { 0 }, scalar, 0)
                });
                let mine = field.frame(&ground, &mine);
                let its = twin.frame(&ground, &its);
                dismiss(&mut field);
                dismiss(&mut twin);
                if same && held == others {
                    prop_assert_eq!(mine, its);
                    prop_assert_eq!(seen(&field), seen(&twin));
                    prop_assert_eq!(hash(&field), hash(&twin));
                }
                same = hash(&field) == hash(&twin);
                prop_assert!(!same || seen(&field) == seen(&twin));
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

    /// The frame law: on open floor a frame covers its budget, an odd one and a unit; so one of n vertical blanks
    /// covers the ground of n of one, if the budget is n times theirs and even in both.
    #[test]
    fn the_frame_law(
        held in prop::sample::select(vec![0x1000_u16, 0x2000, 0x4000, 0x8000, 0x3000, 0x9000, 0xC000, 0x6000]),
        eighths in 0_u8..8,
        base in prop::sample::select(vec![5, 8, 12, 24]),
        speed in prop_oneof![Just(0x1000), Just(0x800), Just(0x2000), 0..0x2000_u16],
        slow: bool,
        scalar in 2_u8..5,
        frames in 1_usize..40,
    ) {
        let turned = overworld_runtime::field::pad::remap(held, eighths);
        let diagonal = overworld_runtime::field::pad::is_diagonal(turned);
        let budget = |scalar: i32| {
            let whole = ((base * i32::from(speed)) >> 12) * scalar;
            let all = whole >> u8::from(slow);
            all - if diagonal { all >> 2 } else { 0 }
        };
        let n = i32::from(scalar);
        let (one, all) = (budget(1), budget(n));
        let go = |scalar, frames| open_floor(base, speed, slow, held, eighths, scalar, frames);
        let wholes = go(scalar, frames);
        let blanks = go(1, frames * usize::from(scalar));
        let far = |budget: i32, frames: usize| (budget + budget % 2) * frames as i32;
        for (way, far) in [(wholes, far(all, frames)), (blanks, far(one, frames * usize::from(scalar)))] {
            let axes = [turned & 0xA000, turned & 0x5000].map(|axis| if axis == 0 { 0 } else { far });
            prop_assert_eq!(way.map(i32::abs), axes);
        }
        if one % 2 == 0 && all == n * one {
            prop_assert_eq!(wholes, blanks);
        }
        prop_assert_eq!(go(0, frames), go(1, frames), "0 counts as 1");
    }
}

/// How far frames lead on open floor, all of it slow ground: X and Z.
fn open_floor(
    base: i32,
    speed: u16,
    slow: bool,
    held: u16,
    eighths: u8,
    scalar: u8,
    frames: usize,
) -> [i32; 2] {
    let mut data = empty();
    let mut cells = MapMut::parse(&mut data).unwrap();
    for tile in overworld_runtime::field::map::Tile::all() {
        cells.set_cell(tile, overworld_runtime::field::map::Cell(0x4000));
    }
    let ground = ground(&data, &NO_HEIGHTS);
    let mut field = Field::new(Actor {
        speed,
        ..actor(8192, 8192, 0)
    });
    field.control.slow_ground = slow;
    field.control.forced_slow = base == 5;
    field.settings.run_option = base == 12;
    field.settings.debug = base == 24;
    let before = field.clone();
    let turbo = if base == 24 { 0x80 } else { 0 };
    for _ in 0..frames {
        field.frame(&ground, &input(held | turbo, 0, scalar, eighths));
    }
    went(&before, &field)
}

/// Odd budgets are where the law ends (7.4): one of a vertical blank goes a unit further each time, and halves and
/// quarters of it are cut off each time.
#[test]
fn odd_budgets_break_the_frame_law() {
    // Base, multiplier, slow ground, held; a second of frames of n blanks, and of one.
    let rows = [
        (
            "forced slow (O7, O8)",
            5,
            0x1000,
            false,
            0x2000,
            2,
            [300, 360],
        ),
        (
            "a run along a diagonal",
            12,
            0x1000,
            false,
            0x3000,
            2,
            [540, 600],
        ),
        ("slow ground", 12, 0xD00, true, 0x2000, 2, [300, 240]),
        ("a multiplier", 8, 0x1200, false, 0x1000, 2, [540, 600]),
        // Even both times, but not four times as much.
        ("a fast diagonal", 8, 0x1400, false, 0x3000, 4, [450, 480]),
        ("an even one", 8, 0x1000, false, 0x1000, 4, [480, 480]),
    ];
    for (what, base, speed, slow, held, n, far) in rows {
        let ways = [n, 1].map(|scalar| {
            let frames = 60 / usize::from(scalar);
            let [x, z] = open_floor(base, speed, slow, held, 0, scalar, frames);
            x.max(z)
        });
        assert_eq!(ways, far, "{what}");
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
