//! Random small maps of all flag combinations go there and back.

use overworld_runtime::llama::map::{
    Alternative, Fixed, Map, PartSource, PathSource, Point, Region, Source, Strat, Type, Waypoint,
    Zone, build, size,
};
use overworld_runtime::llama::{Flags, Models};
use proptest::prelude::*;

use super::fixtures::*;

/// A small generator, so that one number is a whole map.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u32) -> u32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(end.max(1))) as u32
    }

    fn word(&mut self) -> u32 {
        self.below(0x1_0000) << 16 | self.below(0x1_0000)
    }

    fn many<T>(&mut self, most: u32, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.below(most + 1)).map(|_| make(self)).collect()
    }
}

/// Vertex counts, one of them none.
const MODELS: [u32; 4] = [0, 1, 4, 3];

/// Colours of a tile as the loader reads them.
fn colours(random: &mut Random, model: u32, alternative: Option<u32>, out: &mut Vec<u8>) {
    let mut most = 0;
    for model in [Some(model), alternative].into_iter().flatten() {
        let vertices = MODELS[model as usize];
        for _ in 0..vertices {
            let frames = random.below(4) as u8;
            most = most.max(frames);
            out.extend([1, 2, 3, frames]);
        }
        for _ in 0..vertices * u32::from(most.max(1) - 1) {
            out.extend(random.word().to_le_bytes());
        }
    }
}

fn map(seed: u64, bits: u32) -> (Flags, Vec<u8>) {
    let mut random = Random(seed);
    let random = &mut random;
    let gates = Flags::GATES.iter().zip(0..);
    let flags = Flags(
        gates
            .filter(|(_, bit)| bits >> bit & 1 != 0)
            .map(|(gate, _)| gate)
            .sum(),
    );
    let has = |mask| flags.has(mask);
    let (width, height) = (1 + random.below(5), 1 + random.below(5));
    let (mut stored, mut alternatives) = (Vec::new(), Vec::new());
    let tiles = random.many(6, |random| {
        let alternative = has(Flags::ALTERNATIVES) && random.below(2) == 1;
        let model = random.below(4);
        let other = alternative.then(|| random.below(4));
        if let Some(other) = other {
            alternatives.push(Alternative {
                at: [1, 2, 3],
                normal: model,
                model: other,
            });
        }
        colours(random, model, other, &mut stored);
        let x = random.below(width) as f32 + 0.5 + random.below(4) as f32 / 4.0;
        let z = random.below(height) as f32 + 0.5;
        let y = random.below(64) as f32 / 4.0 - 8.0;
        tile(
            x.min(width as f32 + 0.25),
            y,
            -z,
            1024 * random.below(4),
            model,
            other.map_or(0, |_| 1 + random.below(9)),
        )
    });
    let pool = random.many(9, Random::word);
    let zones = random.many(3, |random| Zone {
        flags: random.word(),
        fog: [random.word(), random.word()],
        forward: -3,
        reverb: 4,
        ..zone()
    });
    let mut waypoints = random.many(5, |random| Waypoint {
        next: random.below(3),
        values: [random.word(), random.word()],
        ..waypoints()[1]
    });
    if let Some(last) = waypoints.last_mut() {
        last.next = 0;
    }
    let regions = std::array::from_fn(|_| Region {
        flags: random.word(),
        value: random.word(),
    });
    let grid: Vec<_> = (0..width * height).map(|_| random.below(32)).collect();
    let strats = random.many(5, |random| {
        let parameters = random.below(pool.len() as u32 + 1);
        Strat {
            angles: [0, random.below(4096) as u16, 0],
            at: [random.word() as i32, 0, 5],
            ty: Type {
                code: random.below(3),
                ..Type::default()
            },
            parameters,
            pool: if parameters == 0 {
                -1
            } else {
                random.below(pool.len() as u32 + 1 - parameters) as i32
            },
            waypoint: random.below(waypoints.len() as u32 + 1) as i32 - 1,
            tail: random.below(2),
            flags: random.below(4) as u16,
            pad: random.below(2) as u16,
        }
    });
    let points = random.many(4, |random| Point {
        at: [random.word(), 2],
        y: if has(Flags::POINT_Y) {
            random.word()
        } else {
            0
        },
        ty: random.below(14) as u16,
        angle: 7,
    });
    let parts = random.many(3, |random| PartSource {
        flags: random.below(9) as u16,
        points: &points,
    });
    let paths = random.many(3, |random| PathSource {
        parts: if random.below(2) == 1 { &parts } else { &[] },
    });
    let source = Source {
        flags,
        width,
        height,
        tiles: &tiles,
        pool: &pool,
        zones: &zones,
        waypoints: &waypoints,
        regions,
        grid: &grid,
        derived: None,
        alternatives: &alternatives,
        colours: &stored,
        strats: &strats,
        pool_extra: random.below(100),
        paths: if has(Flags::PATHS) { &paths } else { &[] },
        particles: random.below(0xFFFF_FFFF / 0x48),
        tail: random.below(0x1_0000) as u16,
    };
    let mut out = vec![0xEE; size(&source) as usize];
    let len = build(&source, Models::Table(&MODELS), None, &mut out).unwrap();
    assert_eq!(len, out.len());
    (flags, out)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn maps_go_there_and_back(seed: u64, bits in 0_u32..16, at: usize, to: u8, cut: usize) {
        let (flags, data) = map(seed, bits);
        let models = Models::Table(&MODELS);
        let map = Map::parse(&data, flags, models).unwrap();
        prop_assert_eq!(rebuild(&map), &data[..]);
        // Whatever byte is changed: it is refused, or goes there and back as well.
        let mut changed = data.clone();
        let at = at % data.len();
        changed[at] = to;
        if let Ok(map) = Map::parse_lenient(&changed, flags, models) {
            prop_assert_eq!(rebuild(&map), &changed[..]);
            map.check(None, &mut |_| {});
        }
        prop_assert!(Map::parse_lenient(&data[..cut % data.len()], flags, models).is_err());
    }

    #[test]
    fn coordinates_match_either_neighbour(x: u32, y: u32, z: u32) {
        let tile = overworld_runtime::llama::map::Tile {
            at: [x, y, z].map(overworld_runtime::llama::Float),
            ..Default::default()
        };
        if let Some(fixed) = Fixed::of(&tile) {
            prop_assert!(fixed.matches(&tile));
        }
    }

    #[test]
    fn nothing_panics(data: Vec<u8>, flags: u32) {
        let flags = Flags(flags);
        let models = Models::Table(&MODELS);
        let _ = Map::parse(&data, flags, models);
        let _ = Map::suggest(&data, flags, models);
        let _ = overworld_runtime::llama::Level::parse(&data);
        let _ = overworld_runtime::llama::Stpc::parse(&data, flags);
        let _ = overworld_runtime::llama::Trak::parse(&data);
    }
}
