//! The field: a cut of the sheet's vectors (sections A to H and O here), and a long walk over a generated
//! map.
//!
//! The map is its collision grid alone, with a trigger block where one is needed: a microcontroller has
//! room for that. The sweeps of section K, which need a whole map, are the PC's.

mod cost;
mod crowd;
mod log;
mod precise;
mod scene;

use core::marker::PhantomData;

use overworld_runtime::field::actor::{Actor, flag};
use overworld_runtime::field::hop::{Arc, DROP, STEP_UP};
use overworld_runtime::field::map::COLLISION_SIZE;
use overworld_runtime::field::slide::resolve;
use overworld_runtime::field::units::{Direction, Point};
use overworld_runtime::field::walk::budget;
use overworld_runtime::field::wall::{WallBit, Walls};
use overworld_runtime::field::{Field, Ground, Input, pad};

use crate::check::{Check, List, same, same_hex};

pub(crate) use cost::{bench_floor, bench_frame, bench_frame_worst, bench_probe, bench_slide};

type Grid = [u8; COLLISION_SIZE];

pub(crate) struct Tests<G>(PhantomData<G>);

impl<G: 'static> Tests<G> {
    pub(crate) const ALL: List<G> = &[
        ("field/wall-bits", wall_bits),
        ("field/walls", walls),
        ("field/slide", slide),
        ("field/pad", pads),
        ("field/budget", budgets),
        ("field/floor", floor),
        ("field/arc", arc),
        ("field/actors", actors),
        ("field/frames", frames),
        ("field/triggers", scene::triggers),
        ("field/regions", scene::regions),
        ("field/seats", scene::seats),
        ("field/objects", scene::objects),
        ("field/interact", scene::interact),
        ("field/encounters", scene::encounters),
        ("field/paint", scene::paint),
        ("field/glides", scene::glides),
        ("field/ledges", scene::ledges),
        ("field/crowd", cost::crowd),
        ("field/pad-log", log::pads),
        ("field/log", log::log),
        ("field/precise", precise::walk),
    ];
}

// A grid has 16 KiB, of which a microcontroller's stack takes two at the most: a function makes one, and
// those that make one are not inlined into each other.

/// Columns and rows of a grid that are all wall.
#[inline(never)]
fn walled(columns: core::ops::Range<usize>, rows: core::ops::Range<usize>) -> Grid {
    let mut grid = [0; COLLISION_SIZE];
    for row in rows {
        let row = grid.get_mut(row * 0x80..).unwrap_or_default();
        row.get_mut(columns.clone()).unwrap_or_default().fill(0xF0);
    }
    grid
}

/// Vectors A1, A5, A7, A11 and A15 to A17.
fn wall_bits<G>(_: &mut G) -> Check {
    for (x, z, byte, bit) in [
        (0, 0, 0x0080, 1),
        (64, 64, 0x0080, 2),
        (127, 200, 0x0100, 3),
        (1838, 2526, 0x0A0E, 2),
        (16383, 16255, 0x3FFF, 3),
        (16384, 16256, 0x007F, 1),
        (16385, 16300, 0x0000, 0),
    ] {
        let found = WallBit::of(x, z).map(|it| {
            let [col, row] = it.tile.to_bytes();
            (u16::from(row) << 7 | u16::from(col), it.bit)
        });
        same!(found, Some((byte, bit)), "wall bit of ({x}, {z})");
    }
    same!(WallBit::of(-1, 0), None, "wall bit of a negative position");
    Ok(())
}

/// Vectors B1 to B14.
fn walls<G>(_: &mut G) -> Check {
    probes(
        &walled(13..14, 0..128),
        &[
            (1842, 2526, Direction::XMinus, false),
            (1840, 2526, Direction::XMinus, false),
            (1839, 2526, Direction::XMinus, true),
            (1838, 2526, Direction::XMinus, true),
            (1616, 2526, Direction::XPlus, false),
            (1617, 2526, Direction::XPlus, true),
            (1618, 2526, Direction::XPlus, true),
        ],
    )?;
    probes(
        &walled(0..128, 20..21),
        &[
            (3386, 2609, Direction::ZMinus, false),
            (3386, 2608, Direction::ZMinus, false),
            (3386, 2607, Direction::ZMinus, true),
            (3386, 2606, Direction::ZMinus, true),
            (3386, 2384, Direction::ZPlus, false),
            (3386, 2385, Direction::ZPlus, true),
            (3386, 2386, Direction::ZPlus, true),
            (-1, 0, Direction::ZPlus, true),
        ],
    )
}

fn probes(grid: &Grid, vectors: &[(i16, i16, Direction, bool)]) -> Check {
    for &(x, z, direction, expected) in vectors {
        let found = Walls::new(grid).ahead(Point::new(x, z), direction);
        same!(found, expected, "wall {direction:?} of ({x}, {z})");
    }
    Ok(())
}

/// Vectors D1, D12 to D14: nothing, and a single walled sub-cell.
fn slide<G>(_: &mut G) -> Check {
    let mut grid = [0; COLLISION_SIZE];
    let open = Walls::new(&grid).at(2000, 1950);
    same!(open, false, "the sub-cell before it is walled");
    if let Some(WallBit { tile, bit }) = WallBit::of(2000, 1950) {
        let [col, row] = tile.to_bytes().map(usize::from);
        if let Some(byte) = grid.get_mut(row * 0x80 + col) {
            *byte |= 0x10 << bit;
        }
    }
    for (x, expected) in [
        (1000, 0x4000),
        (1975, 0xC000),
        (1951, 0x4000),
        (1950, 0x4000),
    ] {
        let found = resolve(0x4000, Point::new(x, 1984), Walls::new(&grid));
        same_hex!(found, expected, "slide at x {x}");
    }
    Ok(())
}

/// Vectors E1 to E11, and all headings.
fn pads<G>(_: &mut G) -> Check {
    let vectors = include!("../../tables/remaps.rs");
    for (mask, eighths, expected) in vectors {
        same_hex!(pad::remap(mask, eighths), expected, "remap of {mask:X}");
    }
    for (mask, heading) in pad::RING
        .into_iter()
        .zip([0x800, 0xA00, 0xC00, 0xE00, 0x000, 0x200, 0x400, 0x600])
    {
        same_hex!(pad::heading(mask), Some(heading), "heading of {mask:X}");
    }
    Ok(())
}

/// Vectors F5, F11, F12 and F14.
fn budgets<G>(_: &mut G) -> Check {
    for (base, multiplier, scalar, slow, diagonal, expected) in [
        (5, 0x1000, 1, false, false, 5),
        (8, 0x1000, 2, true, true, 6),
        (12, 0x1000, 3, true, true, 14),
        (5, 0x0800, 1, false, false, 2),
    ] {
        let found = budget(base, multiplier, scalar, slow, diagonal);
        same!(found, expected, "budget of base {base}");
    }
    Ok(())
}

/// Vectors G1 to G10.
fn floor<G>(_: &mut G) -> Check {
    let mut grid = [0; COLLISION_SIZE];
    for (at, byte) in [
        (0, 1),
        (1, 2),
        (0x80, 1),
        (0x81, 1),
        (6 * 0x80 + 5, 0x85),
        (6 * 0x80 + 6, 0x95),
        (7 * 0x80 + 5, 0x85),
        (7 * 0x80 + 6, 0xF5),
    ] {
        if let Some(place) = grid.get_mut(at) {
            *place = byte;
        }
    }
    let (mut up, mut down) = ([0; 16], [0; 16]);
    up[2] = 256;
    (down[2], down[5]) = (-255, -50);
    for (heights, x, z, expected) in [
        (&up, 0, 0, 0),
        (&up, 64, 0, 128),
        (&up, 127, 0, 254),
        (&up, 64, 64, 64),
        (&up, 127, 127, 1),
        (&down, 1, 0, -1),
        (&down, 64, 1, -126),
        (&down, 127, 127, -1),
        (&down, 3, 100, -1),
        (&down, 700, 800, -50),
        (&down, 127 * 128, 0, 0),
    ] {
        let found = Ground::bare(&grid, heights).floor(x, z);
        same!(found, expected, "floor at ({x}, {z})");
    }
    Ok(())
}

/// Vectors H1 and H2: height and Z of each tick.
fn arc<G>(_: &mut G) -> Check {
    let heights = [
        (
            -200,
            STEP_UP,
            [-80, -143, -192, -224, -242, -243, -230, -200],
        ),
        (200, DROP, [-26, -37, -34, -16, 16, 63, 124, 200]),
    ];
    for (landing, apex, heights) in heights {
        let mut arc = Arc::new([320, 0, 328], [320, landing, 424], apex, 16);
        for (tick, y) in (1_i16..).zip(heights) {
            let expected = ([320, y, 328 + 12 * tick], tick == 8);
            same!(arc.tick(2), expected, "arc to {landing}, tick {tick}");
        }
    }
    Ok(())
}

/// Vectors C18 to C21, C24, C25 and C27.
fn actors<G>(_: &mut G) -> Check {
    let grid = [0; COLLISION_SIZE];
    for (flags, start, held, end) in [
        (flag::MOVING, (1800, 2526), 0x2000, (1898, 2526)),
        (flag::MOVING, (2200, 2526), 0x8000, (2102, 2526)),
        (flag::MOVING, (2000, 2300), 0x1000, (2000, 2424)),
        (flag::MOVING, (2000, 2800), 0x4000, (2000, 2628)),
        (0, (1800, 2526), 0x2000, (1858, 2526)),
        (flag::INTERACT, (1800, 2526), 0x2000, (1858, 2526)),
        (1, (1800, 2526), 0x2000, (2600, 2526)),
    ] {
        let walk = Walk {
            start,
            held,
            base: 8,
            scalar: 1,
            frames: 100,
            other: Some(actor(2000, 2526, flags)),
        };
        let (at, _) = walk.go(&grid);
        same!(at, end, "walk {held:X} to flags {flags:X}");
    }
    Ok(())
}

/// Vectors O7, O8, O11, O13 and O14.
fn frames<G>(_: &mut G) -> Check {
    let walk = |start, held, base, scalar, frames| Walk {
        start,
        held,
        base,
        scalar,
        frames,
        other: None,
    };
    let here = (2624, 2624);
    walk(here, 0x2000, 5, 2, 30).check(0..0, 0..0, (2924, 2624), 0x2000)?;
    walk(here, 0x2000, 5, 1, 60).check(0..0, 0..0, (2984, 2624), 0x2000)?;
    walk((3520, 2700), 0x4000, 8, 2, 12).check(27..40, 20..21, (3436, 2602), 0xC000)?;
    walk((1900, 2526), 0x8000, 12, 2, 10).check(13..14, 0..128, (1838, 2526), 0x8000)?;
    walk((1900, 2526), 0xC000, 8, 2, 10).check(13..14, 0..128, (1838, 2406), 0xC000)
}

/// A pad word held for some frames.
struct Walk {
    start: (i16, i16),
    held: u16,
    base: u8,
    scalar: u8,
    frames: u32,
    other: Option<Actor>,
}

impl Walk {
    /// Where that leads on a grid, and the mask of the last frame.
    #[inline(never)]
    fn go(&self, grid: &Grid) -> ((i16, i16), u16) {
        let mut field = player(self.start.0, self.start.1);
        field.control.forced_slow = self.base == 5;
        field.settings.run_option = self.base == 12;
        if let Some(other) = self.other {
            field.actors.spawn(other);
        }
        let ground = Ground::bare(grid, &[0; 16]);
        let input = Input {
            held: self.held,
            scalar: self.scalar,
            ..Input::default()
        };
        for _ in 0..self.frames {
            field.frame(&ground, &input);
        }
        ((field.player.x, field.player.z), field.mask())
    }

    #[inline(never)]
    fn check(
        &self,
        columns: core::ops::Range<usize>,
        rows: core::ops::Range<usize>,
        end: (i16, i16),
        mask: u16,
    ) -> Check {
        let (at, found) = self.go(&walled(columns, rows));
        same!(at, end, "{} frames of {:X}", self.frames, self.held);
        same_hex!(found, mask, "the mask behind {:X}", self.held);
        Ok(())
    }
}

fn actor(x: i16, z: i16, flags: u32) -> Actor {
    Actor {
        x,
        z,
        flags,
        ..Actor::NEW
    }
}

fn player(x: i16, z: i16) -> Field {
    Field::new(actor(x, z, 0))
}
