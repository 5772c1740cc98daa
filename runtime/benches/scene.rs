//! The picture of a scene's ground on the PC. The on-target battery prints the same name.

use criterion::{Criterion, criterion_group, criterion_main};
use overworld_runtime::anim::legaia::Banks;
use overworld_runtime::field::map::{COLLISION_SIZE, Triggers};
use overworld_runtime::field::units::Point;
use overworld_runtime::gpu::DisplayList;
use overworld_runtime::gte::software::Gte;
use overworld_runtime::platform::Screen;
use overworld_runtime::scene::world::{Arrival, Meshes, Scenery, Soil, World};
use overworld_runtime::script::host::Absent;
use std::convert::Infallible;
use std::hint::black_box;

/// A screen that shows nothing.
struct Nowhere;

impl Screen for Nowhere {
    type Error = Infallible;

    fn bus_address(&self, _: &[u32]) -> u32 {
        0
    }

    fn upload(&mut self, _: u16, _: u16, _: u16, _: u16, _: &[u8]) -> Result<(), Infallible> {
        Ok(())
    }

    fn draw(&mut self, _: &[u32], _: usize) -> Result<(), Infallible> {
        Ok(())
    }

    fn present(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

/// A wall across the picture, one along it, and one of half tiles, about where the player stands.
fn grid() -> [u8; COLLISION_SIZE] {
    std::array::from_fn(|at| match (at & 127, at >> 7) {
        (15..=24, 26) | (16, 18..=26) => 0xF0,
        (18..=20, 23) => 0x30,
        _ => 0,
    })
}

fn ground(c: &mut Criterion) {
    let mut grid = grid();
    let mut world = World::<4>::new(Scenery {
        map: Soil::Bare(&mut grid),
        patch: Triggers::EMPTY,
        man: None,
        banks: Banks::default(),
        overworld: false,
    });
    let arrival = Arrival::Warp {
        at: Point::new(2624, 2612),
        heading: 0,
    };
    world.enter(arrival, &mut Absent);
    world.frame(0, &mut Absent);
    let (mut gte, mut words) = (Gte::new(), vec![0; 2560]);
    let mut list = DisplayList::new(&mut words, 64);
    c.bench_function("scene/ground", |b| {
        b.iter(|| {
            list.begin(&mut Nowhere);
            black_box(&world).compose(&mut gte, &mut list, &Meshes::default())
        });
    });
}

criterion_group!(benches, ground);
criterion_main!(benches);
