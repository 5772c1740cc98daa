//! Vectors of sections J, K, L, M, P and Q.

use overworld_runtime::field::actor::{Actor, Pool, flag};
use overworld_runtime::field::compat::Compat;
use overworld_runtime::field::contact::{Contacts, interact_point, sector};
use overworld_runtime::field::crossing::{Crossing, Regions};
use overworld_runtime::field::encounter::{Encounter, Modifiers, Rate};
use overworld_runtime::field::glide::{FULL, HALF, glide, ladder};
use overworld_runtime::field::hop::{DROP, STEP_UP, ledge};
use overworld_runtime::field::map::trigger::{self, Region, Script, Source, Teleport};
use overworld_runtime::field::map::{COLLISION_SIZE, Object, Paint, Triggers};
use overworld_runtime::field::spawn::{Arrival, Entry, seat};
use overworld_runtime::field::units::{Point, engine_heading};
use overworld_runtime::field::{Ground, wall::WallBit};
use overworld_runtime::scene::cast;
use overworld_runtime::scene::man::Encounters;

use super::{Grid, actor, player};
use crate::check::{Check, reason, same, same_hex};

/// A trigger block of these records, at the start of `out`.
fn block<'a>(source: &Source<'_>, out: &'a mut [u8; 96]) -> Result<Triggers<'a>, crate::Reason> {
    trigger::emit(source, out).map_err(|error| reason(format_args!("{error}")))?;
    Triggers::parse(out).map_err(|error| reason(format_args!("{error}")))
}

/// Vectors J1 to J4 and J11 to J15.
#[inline(never)]
pub(super) fn triggers<G>(_: &mut G) -> Check {
    let grid: Grid = [0; COLLISION_SIZE];
    for (destination, at, query) in [
        ([72, 46], (4672, 3008), [36, 23]),
        ([0, 0], (64, 64), [0, 0]),
        ([255, 255], (16384, 16384), [127, 127]),
        ([21, 84], (1408, 5440), [10, 42]),
    ] {
        let door = Teleport {
            tile: [20, 20],
            destination,
        };
        let script = |tile, record| Script {
            tile,
            record,
            gate: Script::WALK_ON,
        };
        let mut out = [0; 96];
        let source = Source {
            teleports: &[door],
            scripts: &[script(query, 9), script([20, 20], 7)],
            ..Source::default()
        };
        let triggers = block(&source, &mut out)?;
        let ground = Ground::bare(&grid, &[0; 16]).with_triggers(triggers, Triggers::EMPTY);
        let mut field = player(2624, 2624);
        let crossed = field.cross(&ground, &mut Crossing::STALE.clone(), false);
        same!(
            crossed.doorway,
            Some(door),
            "the doorway to {destination:?}"
        );
        same!(
            crossed.beats,
            [Some(7), Some(9)],
            "beats of {destination:?}"
        );
        let found = (field.player.x, field.player.z);
        same!(found, at, "the landing of {destination:?}");
    }
    for (x, z, biased, plain) in [
        (2624, 2624, [20, 20], [20, 20]),
        (3264, 5824, [25, 45], [25, 45]),
        (4672, 3008, [36, 23], [36, 23]),
        (3330, 5952, [25, 46], [26, 46]),
        (127, 191, [0, 0], [0, 1]),
    ] {
        for (compat, tile) in [(Compat::SHEET, biased), (Compat::OTHER, plain)] {
            let mut out = [0; 96];
            let source = Source {
                scripts: &[Script {
                    tile,
                    record: 5,
                    gate: Script::WALK_ON,
                }],
                ..Source::default()
            };
            let triggers = block(&source, &mut out)?;
            let ground = Ground::bare(&grid, &[0; 16]).with_triggers(triggers, Triggers::EMPTY);
            let mut field = player(x, z);
            field.settings.compat = compat;
            let crossed = field.cross(&ground, &mut Crossing::STALE.clone(), false);
            same!(
                crossed.beats[0],
                Some(5),
                "the tile of ({x}, {z}): {tile:?}"
            );
        }
    }
    Ok(())
}

/// Vectors J5 to J10.
#[inline(never)]
pub(super) fn regions<G>(_: &mut G) -> Check {
    let grid: Grid = [0; COLLISION_SIZE];
    let vectors = include!("../../tables/regions.rs");
    for (corners, ty, (col, row), inside) in vectors {
        let mut out = [0; 96];
        let region = Region {
            corners,
            ty,
            ..Region::default()
        };
        let source = Source {
            regions: &[region],
            ..Source::default()
        };
        let triggers = block(&source, &mut out)?;
        let ground = Ground::bare(&grid, &[0; 16]).with_triggers(triggers, Triggers::EMPTY);
        // Half a tile further: the biased mapping.
        let found = Regions::at(&ground, 128 * col + 64, 128 * row + 64, false);
        let expected = if inside { 1 << ty } else { 0 };
        same!(found.mask, expected, "regions of tile ({col}, {row})");
    }
    Ok(())
}

/// Vectors K1 to K4, and the arrival of section 10.5.
pub(super) fn seats<G>(_: &mut G) -> Check {
    let at = Point::new;
    let vectors = include!("../../tables/seats.rs");
    for (entry, place, window, extra) in vectors {
        let found = seat(entry, &Compat::OTHER);
        same!((found.player, found.window), (place, window), "{entry:?}");
        same!(found.actor, extra.then_some(at(2624, 2624)), "{entry:?}");
    }
    let found = Arrival::of([25, 45], 6, &Compat::SHEET);
    same!(
        (found.at, found.heading),
        (at(3264, 5824), 0xC00),
        "arrival"
    );
    Ok(())
}

/// Vectors K5 to K8.
pub(super) fn objects<G>(_: &mut G) -> Check {
    let row = |x, z, anchor, fine, flags| Object {
        offset: [x, 0, z],
        anchor,
        fine,
        flags,
        ..Object::default()
    };
    let tile = overworld_runtime::field::map::Tile::new;
    for (object, on, place, footprint, anchor) in [
        (
            row(-64, 56, [-1, -1], [2, 2], 0x101E),
            tile(38, 25),
            [4864, 3208],
            [-32, -40],
            tile(37, 24),
        ),
        (
            row(0, 0, [1, 0], [-3, -3], 0x16),
            tile(5, 3),
            [704, 448],
            [80, -48],
            tile(6, 3),
        ),
        (
            row(0, 0, [0, 0], [0, 0], 4),
            tile(0, 0),
            [64, 64],
            [0, 0],
            tile(0, 0),
        ),
        (
            row(-100, -200, [2, -2], [7, -8], 0xC),
            tile(100, 100),
            [12764, 13064],
            [468, -584],
            tile(102, 98),
        ),
        // Off the grid, as record 7 of K9.
        (
            row(0, 0, [-1, 0], [0, 0], 4),
            tile(0, 9),
            [64, 1216],
            [-128, 0],
            None,
        ),
    ] {
        let Some(on) = on else {
            continue;
        };
        let found = (
            object.position(on),
            object.footprint(),
            object.anchor_tile(on),
        );
        same!(found, (place, footprint, anchor), "the object on {on:?}");
    }
    Ok(())
}

/// Vectors K12 to K18.
pub(super) fn interact<G>(_: &mut G) -> Check {
    let vectors = include!("../../tables/interact.rs");
    for (heading, eighth, (x, z)) in vectors {
        same!(sector(heading), eighth, "sector of {heading:X}");
        let found = interact_point(Point::new(2000, 2526), heading);
        same!(found, Point::new(x, z), "point of {heading:X}");
    }
    Ok(())
}

/// Vectors L1 to L6 and L8; L7 is a place without a region.
pub(super) fn encounters<G>(_: &mut G) -> Check {
    for (rate, setting, high, low, counter, last, draws, fight, left) in [
        (24, 1, false, false, 974, None, [0; 3], None, 950),
        (24, 1, true, false, 90, None, [6, 100, 200], Some(5), 874),
        (24, 1, false, false, 24, Some(5), [2, 486, 0], Some(6), 1460),
        (24, 1, false, false, 24, Some(6), [3, 0, 486], Some(3), 488),
        (24, 3, false, true, 10, None, [0; 3], None, 7),
        (0, 1, false, false, 1, None, [0; 3], None, 1),
        (24, 0, false, false, 24, None, [0; 3], None, 24),
    ] {
        let mut state = Encounter::NEW;
        (state.counter, state.last) = (counter, last);
        let modifiers = Modifiers {
            setting,
            high,
            low,
            ..Modifiers::default()
        };
        let rate = Rate {
            rate,
            first: 3,
            count: 4,
        };
        let mut rest = draws.into_iter();
        let found = state.roll(rate, &modifiers, || rest.next().unwrap_or(u32::MAX));
        same!(found, fight, "the roll from {counter}");
        same!(state.counter, left, "the counter from {counter}");
        let drawn = 3 - rest.count();
        same!(
            drawn,
            if fight.is_some() { 3 } else { 0 },
            "numbers drawn from {counter}"
        );
    }
    // L7: a step to the tile east of a region of one; and the step back, by which there is a fight.
    let mut body = [0; 53];
    body[..4].copy_from_slice(&[5, 4, 8, 7]);
    let (formations, rest) = body[4..].split_at_mut(7 * 5);
    for formation in formations.chunks_exact_mut(5) {
        formation.copy_from_slice(&[0, 0, 0, 1, 1]);
    }
    rest.copy_from_slice(&[1, 0xFF, 0xFF, 1, 0, 1, 20, 20, 20, 20, 24, 0, 3, 4]);
    let encounters = Encounters::parse(&body).map_err(|error| reason(format_args!("{error}")))?;
    let mut field = player(2624, 2624);
    let mut state = Encounter::NEW;
    state.counter = 24;
    let modifiers = Modifiers {
        setting: 1,
        ..Modifiers::default()
    };
    _ = state.stepped(2624, 2624);
    for (x, expected) in [(2688, (None, 24)), (2687, (Some(3), 0x3CE))] {
        field.player.x = x;
        let rate = |tile| cast::region(&encounters, tile, |_| false).map(|it| cast::rate(&it));
        let found = field.encounter(&mut state, rate, &modifiers, || 0);
        same!((found, state.counter), expected, "L7 at x {x}");
    }
    Ok(())
}

/// Vectors M1 to M4.
#[inline(never)]
pub(super) fn paint<G>(_: &mut G) -> Check {
    for (code, columns, rows, length, after) in [
        (&[0x4C, 0x71, 2, 3, 2, 3][..], 2..3, 4..5, 6, 0xF7),
        (&[0x4C, 0x70, 0, 0, 1, 1], 0..2, 1..3, 6, 0x07),
        (&[0x4C, 0x72, 5, 5, 5, 5, 3], 5..6, 6..7, 7, 0x87),
        (&[0x4C, 0x73, 5, 5, 5, 5, 4], 5..6, 6..7, 7, 0xE7),
    ] {
        let (paint, len) = Paint::decode(code).map_err(|error| reason(format_args!("{error}")))?;
        same!(len, length, "length of {code:X?}");
        let mut grid: Grid = [0xA7; COLLISION_SIZE];
        paint.apply(&mut grid);
        for (at, &byte) in (0_usize..).zip(&grid) {
            let painted = columns.contains(&(at & 0x7F)) && rows.contains(&(at >> 7));
            same_hex!(
                byte,
                if painted { after } else { 0xA7 },
                "byte {at:X} of {code:X?}"
            );
        }
    }
    same!(
        Paint::decode(&[0x4C, 0x72, 5, 5, 5, 5]).is_err(),
        true,
        "a paint that is cut off"
    );
    Ok(())
}

/// Vectors P1 to P13.
pub(super) fn glides<G>(_: &mut G) -> Check {
    let vectors = include!("../../tables/glides.rs");
    for ((x, z), step, visits, end, engine, done) in vectors {
        let (mut at, mut heading, mut arrived) = (Point::new(1000, 1000), None, None);
        for visit in 1..=visits {
            let next = glide(at, Point::new(x, z), step);
            at = next.at;
            heading = next.heading.or(heading);
            if next.done {
                arrived = Some(visit);
                break;
            }
        }
        let found = (at, heading.map(engine_heading), arrived);
        same!(
            found,
            (Point::new(end.0, end.1), Some(engine), done),
            "glide to ({x}, {z})"
        );
    }
    let bare = Compat {
        step_floor: false,
        ..Compat::SHEET
    };
    let vectors = include!("../../tables/ladder.rs");
    for (numerator, bits, retail) in vectors {
        for (scalar, units) in [1, 2].into_iter().zip(retail) {
            let found = [bare, Compat::SHEET].map(|it| ladder(numerator, bits, scalar, &it));
            same!(
                found,
                [units, units.max(1)],
                "ladder {numerator:X} >> {bits}"
            );
        }
    }
    Ok(())
}

/// Vectors Q1 to Q9.
#[inline(never)]
pub(super) fn ledges<G>(_: &mut G) -> Check {
    let mut grid: Grid = [0; COLLISION_SIZE];
    for at in [0x102, 0x103, 0x182, 0x183] {
        if let Some(byte) = grid.get_mut(at) {
            *byte = 1;
        }
    }
    let mut heights = [0; 16];
    let nobody = Contacts::new();
    for (height, y, delta, expected) in [
        (200, 12, 8, Some((188, DROP, 200))),
        (-200, -12, 8, Some((-188, STEP_UP, -200))),
        (97, 0, 8, Some((97, DROP, 97))),
        (96, 0, 8, None),
        (-96, 0, 8, None),
        (-97, 0, 8, Some((-97, STEP_UP, -97))),
        (-192, -192, 8, None),
        (200, 12, 0, None),
    ] {
        heights[1] = height;
        let ground = Ground::bare(&grid, &heights);
        let found = ledge([320, y, 328], [0, delta], &ground, &nobody, &mut |_| {});
        let found = found.map(|it| (it.rise, it.apex, it.landing));
        let expected = expected.map(|(rise, apex, y)| (rise, apex, [320, y, 424]));
        same!(found, expected, "the ledge of {height} from {y}");
    }
    // Q1 with somebody 96 units ahead, who is met; Q9 with a wall there.
    heights[1] = 200;
    let mut actors = Pool::new();
    let id = actors.spawn(Actor {
        flags: flag::MOVING,
        ..actor(320, 424 + 39, flag::MOVING)
    });
    let mut contacts = Contacts::new();
    contacts.gather(Point::new(320, 328), 0, flag::EXEMPT, &actors);
    for walled in [false, true] {
        if let Some(WallBit { tile, bit }) = WallBit::of(320, 424).filter(|_| walled) {
            let [col, row] = tile.to_bytes().map(usize::from);
            if let Some(byte) = grid.get_mut(row * 0x80 + col) {
                *byte |= 0x10 << bit;
            }
        }
        let ground = Ground::bare(&grid, &heights);
        let mut met = None;
        let found = ledge([320, 12, 328], [0, 8], &ground, &contacts, &mut |id| {
            met = Some(id)
        });
        same!(found, None, "the ledge with a wall: {walled}");
        same!(
            met,
            if walled { None } else { id },
            "who is met, wall: {walled}"
        );
        contacts = Contacts::new();
        let found = ledge([320, 12, 328], [0, 8], &ground, &contacts, &mut |_| {});
        same!(found.is_some(), !walled, "Q1 and Q9");
        contacts.gather(Point::new(320, 328), 0, flag::EXEMPT, &actors);
    }
    Ok(())
}
