//! What the field's hot paths cost.

use core::hint::black_box;

use overworld_runtime::field::compat::Footprint;
use overworld_runtime::field::contact::{ACTOR, Contacts};
use overworld_runtime::field::map::trigger::Index;
use overworld_runtime::field::map::{Map, Triggers};
use overworld_runtime::field::slide::resolve;
use overworld_runtime::field::units::{Direction, Point};
use overworld_runtime::field::walk::Obstacles;
use overworld_runtime::field::wall::Walls;
use overworld_runtime::field::{Actor, Ground, Partner};

use super::crowd::{Crowd, FRAMES, HEIGHTS, MAP};
use super::{Grid, walled};
use crate::Machine;
use crate::bench::{REPEATS, per_call};
use crate::check::{Check, reason, same};

/// What a probe costs, blocked and free.
pub(crate) fn bench_probe<M: Machine, const BLOCKED: bool>(machine: &mut M) -> u32 {
    let grid = walled(13..14, 0..128);
    let (walls, contacts) = (Walls::new(&grid), Contacts::new());
    let obstacles = Obstacles {
        walls,
        contacts: &contacts,
        footprint: Footprint::Three,
        no_clip: false,
    };
    let from = Point::new(if BLOCKED { 1838 } else { 2000 }, 2526);
    per_call(machine, 64, |_, _| {
        let (from, obstacles) = (black_box(from), black_box(&obstacles));
        black_box(obstacles.collide(from, Direction::XMinus, &mut |_| {}));
    })
}

/// What the resolver costs at a wall with one open side.
pub(crate) fn bench_slide<M: Machine>(machine: &mut M) -> u32 {
    let grid = walled(27..40, 20..21);
    per_call(machine, 32, |_, _| {
        black_box(resolve(
            0x4000,
            black_box(Point::new(3520, 2610)),
            black_box(Walls::new(&grid)),
        ));
    })
}

/// What a floor sample costs on a tile whose four corners are not all of one tier: here of two or three. The PC's
/// benchmark of the same name stands on another such tile, which takes the same way.
pub(crate) fn bench_floor<M: Machine>(machine: &mut M) -> u32 {
    let mut grid: Grid = [0; 0x4000];
    for (byte, at) in grid.iter_mut().zip(0_u16..) {
        let (col, row) = (at & 0x7F, at >> 7);
        *byte = (((col >> 2) * 7 + (row >> 2) * 5) % 3) as u8;
    }
    let ground = Ground::bare(&grid, &HEIGHTS);
    per_call(machine, 64, |_, call| {
        black_box(black_box(&ground).floor(500 + call as i32, 510));
    })
}

/// What a frame of the walk among 24 actors costs: the mean of all its frames.
pub(crate) fn bench_frame<M: Machine>(machine: &mut M) -> u32 {
    let costs = frames(machine);
    let sum = costs.into_iter().try_fold(0, u32::checked_add);
    sum.map_or(u32::MAX, |sum| sum / FRAMES as u32)
}

/// What the dearest frame of that walk costs.
pub(crate) fn bench_frame_worst<M: Machine>(machine: &mut M) -> u32 {
    frames(machine).into_iter().max().unwrap_or(u32::MAX)
}

/// What each frame of the walk costs, measured by itself: the least of some walks, which are all the same.
#[inline(never)]
fn frames<M: Machine>(machine: &mut M) -> [u32; FRAMES] {
    let mut costs = [u32::MAX; FRAMES];
    let Ok(map) = Map::parse(&MAP) else {
        return costs;
    };
    // As a scene has it.
    let plain = Ground::new(map, Triggers::EMPTY, &HEIGHTS);
    let index = Index::of(plain.triggers());
    let ground = plain.with_index(&index);
    let mut crowd = Crowd::new();
    for _ in 0..REPEATS {
        for cost in &mut costs {
            let empty = machine.measure(&mut |_| black_box(()));
            let full = machine.measure(&mut |_| {
                black_box(crowd.step(black_box(&ground)));
            });
            if full != u32::MAX {
                *cost = (*cost).min(full.saturating_sub(empty));
            }
        }
    }
    costs
}

/// The walk is what the benchmark says: people and things in reach in each of its frames, most of them walked,
/// some of them blocked by people, by things and to the side; heights change, and every walk is the same.
pub(super) fn crowd<G>(_: &mut G) -> Check {
    let map = Map::parse(&MAP).map_err(|error| reason(format_args!("{error}")))?;
    // As a scene has it.
    let plain = Ground::new(map, Triggers::EMPTY, &HEIGHTS);
    let index = Index::of(plain.triggers());
    let ground = plain.with_index(&index);
    let mut crowd = Crowd::new();
    let mut walks = [[0; 6]; 2];
    for counts in &mut walks {
        for _ in 0..FRAMES {
            let (before, height) = (crowd.field.player.point(), crowd.field.player.y);
            let events = crowd.step(&ground);
            let field = &crowd.field;
            let near = |it: &Actor| {
                let [x, z] = [it.x - field.player.x, it.z - field.player.z];
                x.abs() < 180 && z.abs() < 180
            };
            let near = field.actors.iter().filter(|(_, it)| near(it)).count();
            let linked = |it: &Actor| it.partner == Partner::Player;
            for (count, it) in counts.iter_mut().zip([
                near >= 5,
                field.player.point() != before,
                events.bits & ACTOR != 0,
                events.contact.is_some(),
                field.player.y != height,
                field.actors.iter().filter(|(_, it)| linked(it)).count() >= 4,
            ]) {
                *count += u32::from(it);
            }
            same!(events.hop, None, "no hop, which would lock the player");
        }
    }
    let [_, [near, walked, people, things, heights, linked]] = walks;
    same!(near, FRAMES as u32, "frames with five in reach");
    let many = [walked, people, things, heights, linked];
    let least = [70, 12, 2, 30, FRAMES as u32];
    let enough = many.iter().zip(least).all(|(it, least)| *it >= least);
    same!(enough, true, "enough of each: {many:?}");
    Ok(())
}
