//! Finding the blocks of a MAP chunk, and its strict reading. The on-target battery prints the name of the small one.

#[allow(dead_code, reason = "the tests use the rest")]
#[path = "../tests/llama/fixtures.rs"]
mod fixtures;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use overworld_runtime::llama::map::{Map, Source, Strat, Tile, build, size};
use overworld_runtime::llama::{Flags, Float, Models};
use std::hint::black_box;

/// A level of the size that the sheet gives (section 3.1): 96 x 96 cells, 1,358 tiles, 127 models, about 100 KB
/// of colours.
fn level() -> (Vec<u8>, Vec<u32>) {
    let models: Vec<u32> = (0..127).map(|it| 4 + it * 7 % 31).collect();
    let tiles: Vec<Tile> = (0..1358)
        .map(|it: i32| Tile {
            at: [
                it % 96 * 4096 + 2048,
                it % 7 * 1024,
                -(it / 96) * 4096 - 2048,
            ]
            .map(Float::from_fixed),
            model: it as u32 % 127,
            ..Tile::default()
        })
        .collect();
    let vertices = tiles.iter().map(|it| models[it.model as usize]);
    let colours: Vec<u8> = vertices
        .flat_map(|count| [64, 80, 96, 1].repeat(count as usize))
        .collect();
    let strat = Strat {
        pool: -1,
        waypoint: -1,
        ..Strat::default()
    };
    let source = Source {
        width: 96,
        height: 96,
        tiles: &tiles,
        pool: &[7; 342],
        grid: &[3; 96 * 96],
        colours: &colours,
        strats: &[strat; 300],
        pool_extra: 300,
        ..Source::default()
    };
    let mut out = vec![0; size(&source) as usize];
    build(&source, Models::Table(&models), None, &mut out).expect("a good map");
    (out, models)
}

fn parse(c: &mut Criterion) {
    let (data, models) = level();
    let models = Models::Table(&models);
    let mut group = c.benchmark_group("llama");
    group.throughput(Throughput::Bytes(data.len() as u64));
    group.bench_function("parse", |b| {
        b.iter(|| Map::parse_lenient(black_box(&data), Flags(0), models).map(|it| it.tail()));
    });
    group.bench_function("parse_strict", |b| {
        b.iter(|| Map::parse(black_box(&data), Flags(0), models).map(|it| it.tail()));
    });
    // The sheet's example E9.
    let data = fixtures::full();
    let models = Models::Table(&fixtures::NV);
    group.throughput(Throughput::Bytes(data.len() as u64));
    group.bench_function("example", |b| {
        b.iter(|| Map::parse_lenient(black_box(&data), fixtures::FULL, models).map(|it| it.tail()));
    });
    group.finish();
}

criterion_group!(benches, parse);
criterion_main!(benches);
