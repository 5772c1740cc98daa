//! Finding the blocks of a MAP chunk, and its strict reading. The on-target battery prints the name of the small one.

#[allow(dead_code, reason = "the tests use the rest")]
#[path = "../tests/llama/fixtures.rs"]
mod fixtures;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use overworld_runtime::llama::map::{
    Alternative, Map, PartSource, PathSource, Point, Source, Strat, Tile, Waypoint, Zone, build,
    size,
};
use overworld_runtime::llama::{Flags, Float, Models};
use std::hint::black_box;

/// All gates.
const GATED: Flags = Flags(Flags::ALTERNATIVES | Flags::PATHS | Flags::POINT_Y | Flags::PARTICLES);

/// A level of the size that the sheet gives (section 3.1): 96 x 96 cells, 1,358 tiles, 127 models, about 100 KB
/// of colours. With flags it has something of all that they bring: every fourth tile an alternative, every third
/// two frames of colour, 64 paths, and zones and waypoints besides.
fn level(flags: Flags) -> (Vec<u8>, Vec<u32>) {
    let full = flags != Flags(0);
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
            alternative: u32::from(full && it % 4 == 0),
            ..Tile::default()
        })
        .collect();
    let mut alternatives = Vec::new();
    let mut colours: Vec<u8> = Vec::new();
    for (it, index) in tiles.iter().zip(0..) {
        let frames = if full && index % 3 == 0 { 2 } else { 1 };
        let mut add = |model: u32| {
            let vertices = models[model as usize] as usize;
            colours.extend([64, 80, 96, frames].repeat(vertices * usize::from(frames)));
        };
        add(it.model);
        if it.alternative != 0 {
            let model = (it.model + 1) % 127;
            add(model);
            alternatives.push(Alternative {
                normal: it.model,
                model,
                ..Alternative::default()
            });
        }
    }
    let points = [Point::default(); 16];
    let parts = [PartSource {
        flags: 0,
        points: &points,
    }; 2];
    let many = |count: usize| if full { count } else { 0 };
    let waypoints = vec![Waypoint::default(); many(200)];
    let zones = vec![Zone::default(); many(20)];
    let paths = vec![PathSource { parts: &parts }; many(64)];
    let strat = Strat {
        pool: -1,
        waypoint: -1,
        ..Strat::default()
    };
    let source = Source {
        flags,
        zones: &zones,
        waypoints: &waypoints,
        alternatives: &alternatives,
        paths: &paths,
        width: 96,
        height: 96,
        tiles: &tiles,
        pool: &[7; 342],
        grid: &[3; 96 * 96],
        colours: &colours,
        strats: &[strat; 300],
        pool_extra: 300,
        particles: full.then_some(200),
        ..Source::default()
    };
    let mut out = vec![0; size(&source) as usize];
    build(&source, Models::Table(&models), None, &mut out).expect("a good map");
    (out, models)
}

fn parse(c: &mut Criterion) {
    let mut group = c.benchmark_group("llama");
    let kinds = [
        (Flags(0), "parse", "parse_strict"),
        (GATED, "parse_gated", "parse_gated_strict"),
    ];
    for (flags, lenient, strict) in kinds {
        let (data, models) = level(flags);
        let models = Models::Table(&models);
        group.throughput(Throughput::Bytes(data.len() as u64));
        group.bench_function(lenient, |b| {
            b.iter(|| Map::parse_lenient(black_box(&data), flags, models).map(|it| it.tail()));
        });
        group.bench_function(strict, |b| {
            b.iter(|| Map::parse(black_box(&data), flags, models).map(|it| it.tail()));
        });
    }
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
