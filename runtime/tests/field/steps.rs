//! Section C: the step loop with collision.

use super::common::{actor, column_13, empty, ground, person, pool, row_20, walled};
use overworld_runtime::field::actor::{Actor, flag};
use overworld_runtime::field::compat::Footprint;
use overworld_runtime::field::contact::Contacts;
use overworld_runtime::field::ground::NO_HEIGHTS;
use overworld_runtime::field::units::Point;
use overworld_runtime::field::walk::{Obstacles, Steps};

struct Loop<'a> {
    data: &'a [u8],
    actors: Vec<Actor>,
    footprint: Footprint,
}

impl<'a> Loop<'a> {
    fn on(data: &'a [u8]) -> Self {
        Self {
            data,
            actors: Vec::new(),
            footprint: Footprint::Three,
        }
    }

    fn with(data: &'a [u8], actor: Actor) -> Self {
        Self {
            actors: vec![actor],
            ..Self::on(data)
        }
    }

    fn centre(data: &'a [u8]) -> Self {
        Self {
            footprint: Footprint::Centre,
            ..Self::on(data)
        }
    }

    /// Place, delta of the last call, OR of the bits of all calls.
    fn run(&self, start: (i16, i16), mask: u16, budget: i32, calls: usize) -> Steps {
        let actors = pool(&self.actors);
        let mut all = Steps {
            at: Point::new(start.0, start.1),
            ..Steps::default()
        };
        for _ in 0..calls {
            let mut contacts = Contacts::new();
            contacts.gather(all.at, budget, flag::EXEMPT, &actors);
            let obstacles = Obstacles {
                walls: ground(self.data, &NO_HEIGHTS).walls(),
                contacts: &contacts,
                footprint: self.footprint,
                no_clip: false,
            };
            let steps = obstacles.steps(all.at, mask, budget, &mut |_| {});
            all = Steps {
                bits: all.bits | steps.bits,
                ..steps
            };
        }
        all
    }
}

type Row = ((i16, i16), u16, i32, usize, (i16, i16), [i16; 2], u8);

fn check<'a>(rows: impl IntoIterator<Item = (usize, Loop<'a>, Row)>) {
    for (number, world, (start, mask, budget, calls, end, delta, bits)) in rows {
        let found = world.run(start, mask, budget, calls);
        let at = Point::new(end.0, end.1);
        assert_eq!(found, Steps { at, delta, bits }, "C{number}");
    }
}

#[test]
fn c1_to_c7_open_ground() {
    let open = empty();
    let on = || Loop::on(&open);
    check([
        (1, on(), ((200, 200), 0x1000, 8, 1, (200, 208), [0, 8], 0)),
        (2, on(), ((400, 400), 0x3000, 6, 1, (406, 406), [8, 8], 0)),
        (3, on(), ((400, 400), 0x1000, 5, 1, (400, 406), [0, 8], 0)),
        (4, on(), ((400, 400), 0x1000, 10, 1, (400, 410), [0, 8], 0)),
        (5, on(), ((400, 400), 0x6000, 9, 1, (410, 390), [8, -8], 0)),
        (6, on(), ((400, 400), 0x6000, 18, 1, (418, 382), [8, -8], 0)),
        (7, on(), ((400, 400), 0x5000, 8, 1, (400, 408), [0, 8], 0)),
    ]);
}

#[test]
fn c8_to_c17_walls() {
    let (column, row) = (column_13(), row_20());
    let mut byte = empty();
    byte[0x4000 + 3 * 0x80 + 1] = 0xF0;
    let mut corner = row_20();
    for row in 0..128 {
        corner[0x4000 + row * 0x80 + 13] = 0xF0;
    }
    let (col, row) = (|| Loop::on(&column), || Loop::on(&row));
    check([
        (
            8,
            col(),
            ((1900, 2526), 0x8000, 8, 200, (1838, 2526), [0, 0], 2),
        ),
        (
            9,
            col(),
            ((1901, 2526), 0x8000, 8, 200, (1839, 2526), [0, 0], 2),
        ),
        (
            10,
            col(),
            ((1500, 2526), 0x2000, 8, 200, (1618, 2526), [0, 0], 2),
        ),
        (
            11,
            Loop::centre(&column),
            ((1900, 2526), 0x8000, 8, 200, (1794, 2526), [0, 0], 2),
        ),
        (
            12,
            row(),
            ((3386, 2700), 0x4000, 8, 200, (3386, 2606), [0, 0], 2),
        ),
        (
            13,
            row(),
            ((3386, 2200), 0x1000, 8, 200, (3386, 2386), [0, 0], 2),
        ),
        (
            14,
            Loop::centre(&row_20()),
            ((3386, 2700), 0x4000, 8, 200, (3386, 2560), [0, 0], 2),
        ),
        (
            15,
            Loop::centre(&byte),
            ((200, 250), 0x1000, 8, 1, (200, 254), [0, 8], 2),
        ),
        (
            16,
            Loop::on(&corner),
            ((1900, 2700), 0xC000, 8, 200, (1838, 2606), [0, 0], 2),
        ),
        (
            17,
            col(),
            ((1840, 2526), 0xC000, 6, 3, (1838, 2508), [0, -8], 2),
        ),
    ]);
}

#[test]
fn c18_to_c27_actors() {
    let open = empty();
    let npc = || Loop::with(&open, person(2000, 2526));
    let prop = |flags| Loop::with(&open, actor(2000, 2526, flags));
    check([
        (
            18,
            npc(),
            ((1800, 2526), 0x2000, 8, 100, (1898, 2526), [0, 0], 1),
        ),
        (
            19,
            npc(),
            ((2200, 2526), 0x8000, 8, 100, (2102, 2526), [0, 0], 1),
        ),
        (
            20,
            npc(),
            ((2000, 2300), 0x1000, 8, 100, (2000, 2424), [0, 0], 1),
        ),
        (
            21,
            npc(),
            ((2000, 2800), 0x4000, 8, 100, (2000, 2628), [0, 0], 1),
        ),
        (
            22,
            Loop::with(&open, person(2000, 2586)),
            ((1800, 2526), 0x2000, 8, 100, (1898, 2526), [0, 0], 1),
        ),
        (
            23,
            Loop::with(&open, person(2000, 2598)),
            ((1800, 2526), 0x2000, 8, 100, (2600, 2526), [8, 0], 0),
        ),
        (
            24,
            prop(0),
            ((1800, 2526), 0x2000, 8, 100, (1858, 2526), [0, 0], 4),
        ),
        (
            25,
            prop(flag::INTERACT),
            ((1800, 2526), 0x2000, 8, 100, (1858, 2526), [0, 0], 1),
        ),
        (
            26,
            prop(flag::MOVING),
            ((1800, 2526), 0x2000, 8, 100, (1898, 2526), [0, 0], 1),
        ),
        (
            27,
            prop(1),
            ((1800, 2526), 0x2000, 8, 100, (2600, 2526), [8, 0], 0),
        ),
    ]);
    // The mirror image of C22 and C23.
    let side = |z| {
        Loop::with(&open, person(2000, z))
            .run((1800, 2526), 0x2000, 8, 100)
            .at
            .x
    };
    assert_eq!((side(2526 - 71), side(2526 - 72)), (1898, 2600));
}

/// Who stands in a box deeper than the probes reach can walk out on any side.
#[test]
fn there_is_no_near_side_clamp() {
    let open = empty();
    for mask in [0x1000, 0x2000, 0x4000, 0x8000] {
        let out = Loop::with(&open, person(2000, 2000)).run((2000, 2000), mask, 8, 1);
        assert_eq!(out.bits, 0);
        assert_ne!(out.at, Point::new(2000, 2000));
    }
}

#[test]
fn budgets_that_are_not_positive_move_nobody() {
    let open = empty();
    for budget in [0, -1, i32::MIN] {
        let found = Loop::on(&open).run((400, 400), 0x3000, budget, 1);
        let at = Point::new(400, 400);
        assert_eq!(
            found,
            Steps {
                at,
                ..Steps::default()
            }
        );
    }
}

/// The end of a coordinate's range is a wall, whatever the map says.
#[test]
fn nobody_leaves_the_range_of_a_coordinate() {
    let open = empty();
    let end = i16::MAX;
    let found = Loop::on(&open).run((end - 1, end - 1), 0x3000, 1000, 1);
    assert_eq!(found.at, Point::new(end - 1, end - 1));
    assert_eq!((found.delta, found.bits), ([0, 0], 2));
    let found = Loop::on(&open).run((end - 2, end - 2), 0x3000, 1000, 1);
    assert_eq!((found.at, found.bits), (Point::new(end, end), 2));
    // A wall that stops the loop early costs the other axis nothing.
    let wall = walled(13..14, 0..128);
    let found = Loop::on(&wall).run((1838, 2526), 0xC000, 600, 1);
    assert_eq!(found.at, Point::new(1838, 1926));
}

#[test]
fn no_clip_goes_through_and_still_reports() {
    let wall = column_13();
    let contacts = Contacts::new();
    let obstacles = Obstacles {
        walls: ground(&wall, &NO_HEIGHTS).walls(),
        contacts: &contacts,
        footprint: Footprint::Three,
        no_clip: true,
    };
    let found = obstacles.steps(Point::new(1838, 2526), 0x8000, 8, &mut |_| {});
    let at = Point::new(1830, 2526);
    assert_eq!(
        found,
        Steps {
            at,
            delta: [-8, 0],
            bits: 2
        }
    );
}
