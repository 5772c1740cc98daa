//! Section C as far as single probes go, section K's interaction probe, links.

use super::common::{actor, column_13, contacts, empty, ground, person, pool};
use overworld_runtime::field::actor::{ACTORS, Actor, ActorId, Partner, Pool, flag};
use overworld_runtime::field::compat::Footprint;
use overworld_runtime::field::contact::{self, CANDIDATES, Contacts, RANGE, sector};
use overworld_runtime::field::ground::NO_HEIGHTS;
use overworld_runtime::field::units::{Direction, Point};
use overworld_runtime::field::walk::{Obstacles, Touch};
use proptest::prelude::*;

fn collide(data: &[u8], actors: &Pool, x: i16, z: i16, direction: Direction) -> (u8, Vec<usize>) {
    let at = Point::new(x, z);
    let contacts = contacts(at, actors);
    let obstacles = Obstacles {
        walls: ground(data, &NO_HEIGHTS).walls(),
        contacts: &contacts,
        footprint: Footprint::Three,
        no_clip: false,
    };
    let mut hits = Vec::new();
    let bits = obstacles.collide(at, direction, &mut |touch| {
        if let Touch::Hit(id) = touch {
            hits.push(id.slot());
        }
    });
    (bits, hits)
}

#[test]
fn c28_to_c30_results_are_combined() {
    let wall = column_13();
    let (bits, _) = collide(
        &wall,
        &pool(&[actor(1700, 2526, 0)]),
        1838,
        2526,
        Direction::XMinus,
    );
    assert_eq!(bits, 6, "C28");
    let (bits, _) = collide(
        &wall,
        &pool(&[person(1740, 2526)]),
        1838,
        2526,
        Direction::XMinus,
    );
    assert_eq!(bits, 3, "C29");
    let both = pool(&[person(2000, 2526), actor(2000, 2600, 0)]);
    let (bits, hits) = collide(&empty(), &both, 1900, 2526, Direction::XPlus);
    assert_eq!(bits, 5, "C30");
    // Point by point, candidate by candidate: the point at z + 32 meets both, so does each other
    // one that lies in both boxes; the last hit owns the link.
    assert_eq!(hits, [0, 1, 0, 1, 0]);
}

#[test]
fn c31_to_c36_single_points() {
    let actors = pool(&[person(2000, 2526), actor(2400, 2526, 0)]);
    let vectors = [
        (2039, true),
        (2040, false),
        (2320, false),
        (2321, true),
        (2479, true),
        (2480, false),
    ];
    for (number, (x, blocked)) in (31..).zip(vectors) {
        let contacts = contacts(Point::new(x, 2526), &actors);
        assert_eq!(contacts.at(x.into(), 2526), blocked, "C{number}");
    }
}

#[test]
fn k12_to_k18_the_point_of_the_interaction_probe() {
    let vectors = include!("../../../tests/battery/tables/interact.rs");
    for (number, (heading, eighth, (x, z))) in (12..).zip(vectors) {
        assert_eq!(sector(heading), eighth, "K{number}");
        let point = contact::interact_point(Point::new(2000, 2526), heading);
        assert_eq!(point, Point::new(x, z), "K{number}");
        assert_eq!(sector(heading | 0xF000), eighth, "K{number}");
    }
    let corner = Point::new(i16::MIN, i16::MAX);
    assert_eq!(contact::interact_point(corner, 0x600), corner);
}

#[test]
fn the_interaction_probe_reaches_further_into_people_only() {
    let actors = pool(&[
        person(1000, 1000),
        actor(2000, 1000, 0),
        actor(3000, 1000, flag::EXEMPT & 2),
        actor(4000, 1000, flag::INTERACT),
    ]);
    let met = |x| {
        let (bits, met) = contact::interact(Point::new(x, 1000), &actors);
        (bits, met.map(ActorId::slot).collect::<Vec<_>>())
    };
    assert_eq!(met(1071), (1, vec![0]));
    assert_eq!(met(1072), (0, vec![]));
    assert_eq!(met(2079), (4, vec![1]));
    assert_eq!(met(2080), (0, vec![]));
    assert_eq!(met(3000), (0, vec![]));
    assert_eq!(met(4079), (1, vec![3]));
}

/// The candidate table: by range, by number.
#[test]
fn candidates_are_those_in_range_unless_there_are_too_many() {
    let at = Point::new(5000, 5000);
    // A placed object whose footprint lies far from its position: within reach, out of range.
    let far = Actor {
        footprint: [-RANGE - 1, 0],
        ..actor(5000 + RANGE as i16 + 1, 5000 - 64, 0)
    };
    let near = Actor {
        footprint: [-RANGE, 0],
        ..actor(5000 + RANGE as i16, 5000 - 64, 0)
    };
    let met = |actors: &Pool| contacts(at, actors).ahead(at, Direction::ZMinus, &mut |_| {});
    assert_eq!(met(&pool(&[far])), 0);
    assert_eq!(met(&pool(&[near])), contact::STATIC);
    // The range is one of each axis.
    let corner = actor(5000 + RANGE as i16, 5000 + RANGE as i16, 0);
    // One short of the table's size, the far one is still out.
    let mut crowd = vec![corner; CANDIDATES - 1];
    crowd.push(far);
    assert_eq!(met(&pool(&crowd)), 0);
    // With a full table the whole list counts.
    crowd.push(corner);
    assert_eq!(met(&pool(&crowd)), contact::STATIC);
    // But never those that are exempt.
    let open = Actor { flags: 1, ..far };
    crowd[CANDIDATES - 1] = open;
    assert_eq!(met(&pool(&crowd)), 0);
}

proptest! {
    /// The probes against the definition: three points, strict boxes, in order.
    #[test]
    fn contact_is_what_the_sheet_says(
        x in 0_i16..16000,
        z in 0_i16..16000,
        reach in 0_i32..100,
        walked in (-60_i16..60, -60_i16..60),
        actors in prop::collection::vec(
            (-260_i16..260, -260_i16..260, 0_usize..6, (-3_i32..3, -3_i32..3)), 0..40),
    ) {
        let kinds = [0, 1, flag::MOVING, flag::INTERACT, flag::ACTION, 2 | flag::MOVING];
        let list: Vec<Actor> = actors
            .iter()
            .map(|&(dx, dz, kind, (fx, fz))| Actor {
                footprint: [32 * fx, 32 * fz],
                ..actor(x.saturating_add(dx), z.saturating_add(dz), kinds[kind])
            })
            .collect();
        let actors = pool(&list);
        let mut contacts = Contacts::new();
        contacts.gather(Point::new(x, z), reach, flag::EXEMPT, &actors);
        // The player may have walked as far as was said, in steps of two.
        let limit = (reach + reach % 2) as i16;
        let at = Point::new(
            x.saturating_add(walked.0.clamp(-limit, limit)),
            z.saturating_add(walked.1.clamp(-limit, limit)),
        );
        let table = [
            [(-32, 64), (0, 64), (32, 64)],
            [(-63, -32), (-63, 0), (-63, 32)],
            [(-32, -63), (0, -63), (32, -63)],
            [(64, -32), (64, 0), (64, 32)],
        ];
        // The hop's points, along the axes and the diagonals.
        for (dx, dz) in [-96, -64, 0, 64, 96].into_iter().flat_map(|dx| {
            [-96, -64, 0, 64, 96].map(|dz| (dx, dz))
        }) {
            let (px, pz) = (i32::from(at.x) + dx, i32::from(at.z) + dz);
            let expected = list.iter().filter(|it| it.flags & 3 == 0).any(|it| {
                let (cx, cz, half) = if it.flags & 0x0102_0000 != 0 {
                    (it.x.into(), it.z.into(), 40)
                } else {
                    let [fx, fz] = it.footprint;
                    (i32::from(it.x) + fx, i32::from(it.z) + fz, 80)
                };
                (px - cx).abs() < half && (pz - cz).abs() < half
            });
            prop_assert_eq!(contacts.at(px, pz), expected, "{} {}", dx, dz);
        }
        for (direction, points) in Direction::ALL.into_iter().zip(table) {
            let (mut bits, mut hits) = (0, Vec::new());
            for (dx, dz) in points {
                let (px, pz) = (i32::from(at.x) + dx, i32::from(at.z) - dz);
                for (slot, it) in list.iter().enumerate() {
                    if it.flags & 3 != 0 {
                        continue;
                    }
                    let (mut cx, mut cz) = (i32::from(it.x), i32::from(it.z));
                    let mut half = 40;
                    if it.flags & 0x0102_0000 == 0 {
                        cx += it.footprint[0];
                        cz += it.footprint[1];
                        half = 80;
                    }
                    if (px - cx).abs() < half && (pz - cz).abs() < half {
                        bits |= if it.flags & 0x4002_0000 != 0 { 1 } else { 4 };
                        hits.push(slot);
                    }
                }
            }
            let mut found = Vec::new();
            let result = contacts.ahead(at, direction, &mut |id| found.push(id.slot()));
            prop_assert_eq!(result, bits);
            prop_assert_eq!(found, hits);
        }
    }
}

#[test]
fn the_pool_is_fixed_and_forgets_links() {
    let mut actors = Pool::new();
    assert!(actors.is_empty());
    let ids: Vec<ActorId> = (0..ACTORS)
        .map(|_| actors.spawn(Actor::NEW).unwrap())
        .collect();
    assert_eq!(actors.spawn(Actor::NEW), None);
    assert_eq!(actors.len(), ACTORS);
    // Two actors and their links to each other: a cycle.
    actors.get_mut(ids[3]).unwrap().partner = Partner::Actor(ids[63]);
    actors.get_mut(ids[63]).unwrap().partner = Partner::Actor(ids[3]);
    actors.get_mut(ids[5]).unwrap().partner = Partner::Player;
    assert!(actors.free(ids[63]).is_some());
    assert!(actors.free(ids[63]).is_none());
    assert_eq!(actors.get(ids[3]).unwrap().partner, Partner::None);
    assert_eq!(actors.get(ids[5]).unwrap().partner, Partner::Player);
    // The first free slot is taken again.
    actors.free(ids[7]);
    assert_eq!(actors.spawn(Actor::NEW), Some(ids[7]));
    assert_eq!(actors.iter().map(|(id, _)| id.slot()).last(), Some(62));
    assert_eq!(ActorId::new(ACTORS), None);
    actors.clear();
    assert!(actors.is_empty() && actors.get(ids[0]).is_none());
}

#[test]
fn the_state_is_small() {
    assert!(size_of::<overworld_runtime::field::Field>() <= 0x2000);
    assert!(size_of::<Pool>() <= 0x1800, "{}", size_of::<Pool>());
}

/// A budget of 5 moves 6, and the hop asks 96 further.
#[test]
fn an_odd_reach_is_one_more() {
    let from = Point::new(5000, 5000);
    let actors = pool(&[person(5000 + 6 + 96 + 39, 5000)]);
    let mut contacts = Contacts::new();
    contacts.gather(from, 5, flag::EXEMPT, &actors);
    assert!(contacts.at(5000 + 6 + 96, 5000));
}

/// Points beyond a coordinate's range count as its last unit.
#[test]
fn steps_look_no_further_than_coordinates_go() {
    for (direction, from, at) in [
        (Direction::XPlus, (32760, 500), (32740, 500)),
        (Direction::XMinus, (-32760, 500), (-32740, 500)),
        (Direction::ZPlus, (500, 32760), (500, 32740)),
        (Direction::ZMinus, (500, -32760), (500, -32740)),
    ] {
        let from = Point::new(from.0, from.1);
        let contacts = contacts(from, &pool(&[person(at.0, at.1)]));
        let bits = contacts.ahead(from, direction, &mut |_| {});
        assert_eq!(bits, contact::ACTOR, "{direction:?}");
    }
}
