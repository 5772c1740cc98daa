//! Walking on the PC: probes, the resolver, the floor, a whole frame.
//!
//! The battery on the console and the microcontroller prints the same names.

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use overworld_runtime::field::Ground;
use overworld_runtime::field::compat::Footprint;
use overworld_runtime::field::contact::Contacts;
use overworld_runtime::field::map::trigger::Index;
use overworld_runtime::field::map::{COLLISION_SIZE, Map, Triggers};
use overworld_runtime::field::slide::resolve;
use overworld_runtime::field::units::{Direction, Point};
use overworld_runtime::field::walk::Obstacles;
use overworld_runtime::field::wall::Walls;
use std::hint::black_box;
use std::time::{Duration, Instant};

#[path = "../../tests/battery/src/field/crowd.rs"]
mod crowd;

use crowd::Crowd;

const HEIGHTS: [i16; 16] = [0, -300, 120, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

/// Columns 13 and 27 to 39 of row 20 are walls; tiers in plateaus.
fn grid() -> Vec<u8> {
    let mut grid = vec![0; COLLISION_SIZE];
    for (at, byte) in grid.iter_mut().enumerate() {
        let (col, row) = (at & 0x7F, at >> 7);
        let wall = col == 13 || row == 20 && (27..40).contains(&col);
        let tier = ((col >> 2) * 7 + (row >> 2) * 5) % 3;
        *byte = if wall { 0xF0 } else { 0 } | tier as u8;
    }
    grid
}

fn field(c: &mut Criterion) {
    let grid = grid();
    let grid: &[u8; COLLISION_SIZE] = grid[..].try_into().unwrap();
    let contacts = Contacts::new();
    let mut group = c.benchmark_group("field");
    let obstacles = Obstacles {
        walls: Walls::new(grid),
        contacts: &contacts,
        footprint: Footprint::Three,
        no_clip: false,
    };
    for (name, x) in [("probe_blocked", 1838), ("probe_free", 2000)] {
        group.bench_function(name, |b| {
            b.iter(|| {
                let from = black_box(Point::new(x, 3526));
                obstacles.collide(from, Direction::XMinus, &mut |_| {})
            });
        });
    }
    group.bench_function("slide", |b| {
        b.iter(|| resolve(0x4000, black_box(Point::new(3520, 2610)), Walls::new(grid)));
    });
    let ground = Ground::bare(grid, &HEIGHTS);
    group.bench_function("floor", |b| {
        b.iter(|| ground.floor(black_box(530), black_box(510)));
    });
    let map = Map::parse(&crowd::MAP).unwrap();
    let plain = Ground::new(map, Triggers::EMPTY, &crowd::HEIGHTS);
    let index = Index::of(plain.triggers());
    let sloped = plain.with_index(&index);
    group.bench_function("frame", |b| {
        // To and fro among 24 people: the mean of the walk.
        let mut crowd = Crowd::new();
        b.iter(|| crowd.step(black_box(&sloped)));
    });
    group.bench_function("frame_worst", |b| {
        // Every walk is the same: of its frames the one that takes longest.
        let took = |before: &Crowd| {
            let mut crowd = before.clone();
            let began = Instant::now();
            black_box(crowd.step(black_box(&sloped)));
            began.elapsed()
        };
        let mut crowd = Crowd::new();
        let mut dearest = (Duration::ZERO, crowd.clone());
        for _ in 0..crowd::FRAMES {
            let least = (0..32).map(|_| took(&crowd)).min().unwrap_or_default();
            if least > dearest.0 {
                dearest = (least, crowd.clone());
            }
            crowd.step(&sloped);
        }
        let before = || dearest.1.clone();
        b.iter_batched_ref(
            before,
            |it| it.step(black_box(&sloped)),
            BatchSize::SmallInput,
        );
    });
    group.finish();
}

criterion_group!(benches, field);
criterion_main!(benches);
