//! What the field's hot paths cost.

use core::hint::black_box;

use overworld_runtime::field::actor::flag;
use overworld_runtime::field::compat::Footprint;
use overworld_runtime::field::contact::Contacts;
use overworld_runtime::field::slide::resolve;
use overworld_runtime::field::units::{Direction, Point};
use overworld_runtime::field::walk::Obstacles;
use overworld_runtime::field::wall::Walls;
use overworld_runtime::field::{Ground, Input};

use super::log::{HEIGHTS, generated};
use super::{Grid, actor, player, walled};
use crate::Machine;
use crate::bench::per_call;

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

/// What a floor sample costs on a tile with four different corners.
pub(crate) fn bench_floor<M: Machine>(machine: &mut M) -> u32 {
    let mut grid: Grid = [0; 0x4000];
    generated(&mut grid);
    per_call(machine, 64, |_, call| {
        let ground = black_box(Ground::bare(&grid, &HEIGHTS));
        black_box(ground.floor(500 + call as i32, 510));
    })
}

/// What a walking frame costs among 24 actors, none of them in the way.
pub(crate) fn bench_frame<M: Machine>(machine: &mut M) -> u32 {
    let grid: Grid = [0; 0x4000];
    let mut field = player(4000, 4000);
    for n in 0..24 {
        let (x, z) = (4000 + 200 * (n % 5 - 2), 3700 - 130 * (n / 5));
        field.actors.spawn(actor(x, z, flag::MOVING));
    }
    let input = Input {
        held: 0x2000,
        scalar: 2,
        ..Input::default()
    };
    per_call(machine, 8, |_, _| {
        let ground = black_box(Ground::bare(&grid, &HEIGHTS));
        black_box(field.frame(&ground, black_box(&input)));
    })
}
