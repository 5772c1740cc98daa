//! Section P: the walk of people by script, and turns.

use overworld_runtime::field::compat::Compat;
use overworld_runtime::field::glide::{FULL, HALF, Turn, compass, glide, ladder, walk_to};
use overworld_runtime::field::units::{Point, engine_heading};

#[test]
fn p1_to_p6_glides() {
    let vectors = include!("../../../tests/battery/tables/glides.rs");
    for (number, ((x, z), step, visits, end, engine, expected)) in (1..).zip(vectors) {
        let (mut at, mut heading, mut done) = (Point::new(1000, 1000), None, None);
        for visit in 1..=visits {
            let next = glide(at, Point::new(x, z), step);
            at = next.at;
            heading = next.heading.or(heading);
            if next.done {
                done = Some(visit);
                break;
            }
        }
        assert_eq!(at, Point::new(end.0, end.1), "P{number}");
        assert_eq!(heading.map(engine_heading), Some(engine), "P{number}");
        assert_eq!(done, expected, "P{number}");
    }
}

#[test]
fn p7_to_p13_the_ladder() {
    let vectors = include!("../../../tests/battery/tables/ladder.rs");
    for (number, (numerator, bits, retail)) in (7..).zip(vectors) {
        for (scalar, retail) in [1, 2].into_iter().zip(retail) {
            let bare = ladder(numerator, bits, scalar, &Compat::OTHER);
            assert_eq!(bare, retail, "P{number}");
            let floored = ladder(numerator, bits, scalar, &Compat::SHEET);
            assert_eq!(floored, retail.max(1), "P{number}");
            // The upstream port: floored, and always by one vertical blank (rows 35 and 38).
            let port = Compat {
                glide_frames: false,
                ..Compat::SHEET
            };
            let found = ladder(numerator, bits, port.walker_frames(scalar), &port);
            let expected = ladder(numerator, bits, 1, &Compat::SHEET);
            assert_eq!(found, expected, "P{number}");
            assert_eq!(Compat::SHEET.walker_frames(scalar), scalar);
        }
    }
    assert_eq!(
        ladder(i32::MAX, 255, 255, &Compat::OTHER),
        (0x1000 * 255) >> 17
    );
    assert_eq!(ladder(-5, 0, 0, &Compat::OTHER), 0);
}

#[test]
fn glides_end_from_anywhere_and_never_overshoot() {
    let ends = [i16::MIN, -300, 0, 777, i16::MAX];
    for (x, z) in ends.into_iter().flat_map(|x| ends.map(|z| (x, z))) {
        let to = Point::new(x, z);
        let mut at = Point::new(-5, 9);
        let mut visits = 0;
        while at != to {
            let before = at;
            at = glide(at, to, 64).at;
            let less = |from: i16, now: i16, to: i16| {
                (i32::from(to) - i32::from(now)).abs() <= (i32::from(to) - i32::from(from)).abs()
            };
            assert!(less(before.x, at.x, x) && less(before.z, at.z, z));
            visits += 1;
            assert!(visits < 1100);
        }
        assert_eq!(glide(at, to, 64).heading, None);
    }
    // A step that is not positive arrives nowhere.
    let at = Point::new(1, 2);
    assert_eq!(glide(at, Point::new(9, 9), -3).at, at);
}

#[test]
fn compass_entries_are_those_of_the_table() {
    let expected = [
        ((0, -1), 0x000),
        ((-1, -1), 0x200),
        ((-1, 0), 0x400),
        ((-1, 1), 0x600),
        ((0, 1), 0x800),
        ((1, 1), 0xA00),
        ((1, 0), 0xC00),
        ((1, -1), 0xE00),
    ];
    for ((dx, dz), heading) in expected {
        assert_eq!(compass(dx * 7, dz * 7), Some(heading));
    }
    assert_eq!(compass(0, 0), None);
}

#[test]
fn turns_take_their_time_either_way() {
    let turn = |target, reversed| Turn {
        target,
        budget: 4,
        cursor: 0,
        reversed,
    };
    let run = |mut turn: Turn, mut heading, scalar| {
        let mut seen = Vec::new();
        loop {
            let (next, over) = turn.tick(heading, scalar);
            heading = next;
            seen.push(heading);
            if over {
                return seen;
            }
        }
    };
    assert_eq!(run(turn(0x400, false), 0, 1), [0x100, 0x200, 0x300, 0x400]);
    assert_eq!(run(turn(0x400, false), 0, 2), [0x200, 0x400]);
    // The other way round: three quarters of a turn, wrapping in 16 bits on the way.
    assert_eq!(
        run(turn(0x400, true), 0, 1),
        [0xFD00, 0xFA00, 0xF700, 0x400]
    );
    // Over the zero.
    assert_eq!(
        run(turn(0x100, false), 0xF00, 1),
        [0xF80, 0x1000, 0x1080, 0x100]
    );
    // A budget that is used up, or never was, ends at once.
    let mut none = Turn {
        budget: 0,
        cursor: u16::MAX,
        ..turn(7, false)
    };
    assert_eq!(none.tick(1, 255), (7, true));
    let mut long = Turn {
        budget: u16::MAX,
        cursor: 0,
        ..turn(7, true)
    };
    let mut ticks = 0;
    while !long.tick(1, 255).1 {
        ticks += 1;
        assert!(ticks < 300);
    }
}

/// Sections 15.1 and 2.2 of the motion sheet: two vertical blanks at 8 units each are one step of 16, or two of 8. Both
/// arrive on the same visit, by other places.
#[test]
fn a_visit_of_two_blanks_is_one_step_or_two() {
    let repeats = Compat {
        walk_repeats: true,
        ..Compat::SHEET
    };
    let (from, to) = (Point::new(1000, 1000), Point::new(1020, 1016));
    let way = |compat: &Compat| {
        let (mut at, mut places) = (from, Vec::new());
        for _ in 0..20 {
            let visit = walk_to(at, to, 2, 2, compat);
            at = visit.at;
            places.push((at.x, at.z, visit.heading));
            if visit.done {
                break;
            }
        }
        places
    };
    // The longer axis alone to the diagonal, then both.
    let along = [Some(0xC00), Some(0xA00)];
    assert_eq!(
        way(&Compat::SHEET),
        [(1004, 1000, along[0]), (1020, 1016, along[1])]
    );
    assert_eq!(
        way(&repeats),
        [(1012, 1008, along[1]), (1020, 1016, along[1])]
    );
    // Of one blank there is one step, and 0 counts as one.
    for scalar in [0, 1] {
        let visits = [&Compat::SHEET, &repeats].map(|it| walk_to(from, to, 2, scalar, it));
        assert_eq!(visits[0], visits[1]);
        assert_eq!(visits[0], glide(from, to, 8));
    }
    // Who is there is there, and a step of nothing leads nowhere.
    assert!(walk_to(to, to, 2, 4, &repeats).done);
    let bare = Compat {
        step_floor: false,
        ..repeats
    };
    let stuck = walk_to(from, to, 7, 4, &bare);
    assert_eq!((stuck.at, stuck.heading, stuck.done), (from, None, false));
}
