//! Random small maps of all flag combinations go there and back.

use overworld_runtime::llama::map::{
    Alternative, Block, Finding, Fixed, Map, PartSource, PathSource, Point, Region, Source, Strat,
    Tile, Type, Waypoint, Zone, build, edit, size,
};
use overworld_runtime::llama::{Flags, Float, Level, Models, Stpc, Tag, Trak, trak, wad};
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
        particles: has(Flags::PARTICLES).then(|| random.below(0xFFFF_FFFF / 0x48)),
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
        let tile = Tile {
            at: [x, y, z].map(Float),
            ..Default::default()
        };
        if let Some(fixed) = Fixed::of(&tile) {
            prop_assert!(fixed.matches(&tile));
        }
    }

    #[test]
    fn edits_change_what_they_say(seed: u64, bits in 0_u32..16, choices: u64) {
        let (flags, mut data) = map(seed, bits);
        let mut random = Random(choices);
        for _ in 0..4 {
            let map = Map::parse(&data, flags, Models::Table(&MODELS)).unwrap();
            let mut expected = Values::of(&map);
            let mut out = vec![0xEE; data.len() + 2000];
            let Some(len) = edited(&map, &mut random, &mut expected, &mut out) else {
                continue;
            };
            out.truncate(len);
            // The strict reader still takes it, derived blocks included.
            let after = Map::parse(&out, flags, Models::Table(&MODELS)).unwrap();
            prop_assert_eq!(after.verify(None), Ok(()));
            prop_assert_eq!(Values::of(&after), expected);
            data = out;
        }
    }
}

/// What edits change, and the bytes of all else.
#[derive(Debug, PartialEq)]
struct Values {
    tiles: Vec<Tile>,
    colours: Vec<Vec<u8>>,
    alternatives: Vec<Alternative>,
    /// Without the place of their parameters.
    strats: Vec<Strat>,
    parameters: Vec<Vec<u32>>,
    extra: u32,
    rest: Vec<u8>,
}

impl Values {
    fn of(map: &Map<'_>) -> Self {
        let pool: Vec<u32> = map.pool().iter().collect();
        let parameters = map.strats().iter().map(|it| {
            let start = usize::try_from(it.pool).unwrap_or(0);
            pool[start..][..it.parameters as usize].to_vec()
        });
        let strats = map.strats();
        let strats = strats.iter().map(|it| Strat {
            pool: 0,
            parameters: 0,
            ..it
        });
        let colours = map.colours().map(|it| {
            let other = it.alternative.map_or(&[][..], |it| it.data);
            [it.base.data, other].concat()
        });
        let rest = [
            Block::Zones,
            Block::Waypoints,
            Block::Regions,
            Block::Grid,
            Block::Paths,
            Block::Particles,
            Block::Tail,
        ];
        Self {
            tiles: map.tiles().iter().collect(),
            colours: colours.collect(),
            alternatives: map.alternatives().iter().collect(),
            strats: strats.collect(),
            parameters: parameters.collect(),
            extra: map.pool_extra(),
            rest: rest
                .iter()
                .flat_map(|&block| map.bytes()[map.span(block)].to_vec())
                .collect(),
        }
    }
}

/// One edit, and what is expected of it; `None` when there is nothing to edit.
fn edited(
    map: &Map<'_>,
    random: &mut Random,
    expected: &mut Values,
    out: &mut [u8],
) -> Option<usize> {
    let some = |random: &mut Random, count: usize| {
        (count > 0).then(|| random.below(count as u32) as usize)
    };
    let at = |random: &mut Random| {
        let cell = |random: &mut Random, cells| random.below(cells) as f32 + 0.5;
        [
            cell(random, map.width()),
            -1.25,
            -cell(random, map.height()),
        ]
        .map(|it| Float(it.to_bits()))
    };
    let parameters = |random: &mut Random| random.many(4, Random::word);
    let written = match random.below(8) {
        0 => {
            let gate = map.flags().has(Flags::ALTERNATIVES);
            let alternative = (gate && random.below(2) == 1).then(|| Alternative {
                at: [4, 5, 6],
                normal: 1,
                model: random.below(4),
            });
            let tile = Tile {
                at: at(random),
                angle: 2048,
                model: random.below(4),
                alternative: 0,
            };
            let mut own = Vec::new();
            colours(random, tile.model, alternative.map(|it| it.model), &mut own);
            expected.tiles.push(Tile {
                alternative: alternative.is_some().into(),
                ..tile
            });
            expected.alternatives.extend(alternative);
            expected.colours.push(own.clone());
            edit::add_tile(map, &tile, alternative.as_ref(), &own, out)
        }
        1 => {
            let index = some(random, expected.tiles.len())?;
            let at = at(random);
            let tile = &mut expected.tiles[index];
            (tile.at, tile.angle) = (at, 1024);
            edit::move_tile(map, index as u32, at, 1024, out)
        }
        2 => {
            let index = some(random, expected.tiles.len())?;
            let before = expected.tiles[..index].iter();
            let before = before.filter(|it| it.alternative != 0).count();
            if expected.tiles.remove(index).alternative != 0 {
                expected.alternatives.remove(before);
            }
            expected.colours.remove(index);
            edit::delete_tile(map, index as u32, out)
        }
        3 => {
            let strat = Strat {
                at: [1, 2, 3],
                waypoint: random.below(map.waypoints().len() as u32 + 1) as i32 - 1,
                flags: Strat::DORMANT,
                ..Strat::default()
            };
            let words = parameters(random);
            expected.strats.push(strat);
            expected.parameters.push(words.clone());
            expected.extra += 1;
            edit::add_strat(map, &strat, &words, out)
        }
        4 => {
            let index = some(random, expected.strats.len())?;
            let (at, angles) = ([-5, 6, 7], [0, 8, 0]);
            let strat = &mut expected.strats[index];
            (strat.at, strat.angles) = (at, angles);
            edit::move_strat(map, index as u32, at, angles, out)
        }
        5 => {
            let index = some(random, expected.strats.len())?;
            expected.strats.remove(index);
            expected.parameters.remove(index);
            edit::delete_strat(map, index as u32, out)
        }
        6 => {
            let index = some(random, expected.strats.len())?;
            let words = parameters(random);
            expected.parameters[index] = words.clone();
            edit::set_parameters(map, index as u32, &words, out)
        }
        _ => {
            expected.extra += 5;
            edit::raise_pool(map, 5, out)
        }
    };
    Some(written.unwrap())
}

/// E14 with a chunk of code: a model with bones, an animation, a name and a stub that leads to it.
fn with_code() -> Vec<u8> {
    let mut code = vec![0; 4 + 0x8C];
    code[0] = 1;
    for (at, count) in [(0x6C, 1), (0x6E, 1), (0x7C, 1), (0x86, 2)] {
        code[4 + at] = count;
    }
    code.resize(code.len() + 4 + 24 + 28 + 32, 0);
    code.extend(hex("01 00 00 00"));
    code.resize(code.len() + 0x20, 0);
    let start = code.len() as u32;
    code.extend(hex("D4 00 00 00 EA 00 00 00 00 00 00 00"));
    code.extend(b"Llama\0\0\0");
    let stub = code.len() as u32;
    code.extend(hex("44 00 05 00 B2 00 00 00"));
    code.extend(start.to_le_bytes());
    code.extend(hex("E0 00 00 00"));
    code.resize(code.len() + 24, 0);
    let mut map = full();
    let strats = 0x2DC + 8;
    for (strat, code) in [(0, start), (1, stub)] {
        map[strats + 58 * strat + 18..][..4].copy_from_slice(&code.to_le_bytes());
    }
    let chunks: [(Tag, &[u8]); 7] = [
        (Tag::INFO, &[1, 0, 0, 0]),
        (Tag::WFPC, &FULL.0.to_le_bytes()),
        (Tag::TRAK, &super::fixtures::trak()),
        (Tag::STPC, &code),
        (Tag::MAP, &map),
        (Tag::LGHT, &[1, 0, 0, 0, 3, 5, 5, 5]),
        (Tag::LNFO, &[55, 0, 0, 0, 2, 0, 0, 0]),
    ];
    let mut out = vec![0; 4000];
    let len = wad::emit(&chunks, &mut out).unwrap();
    out.truncate(len);
    out
}

/// Everything that a level offers, without a panic; whether it is one, and whether it is good.
fn all_of(data: &[u8]) -> (bool, bool) {
    let Ok(level) = Level::parse(data) else {
        return (false, false);
    };
    let mut errors = 0;
    let (mut said, mut notes) = (String::new(), String::new());
    level.check(
        &mut |finding| {
            errors += usize::from(matches!(finding, Finding::Error(_)));
            said += &finding.to_string();
        },
        &mut |note| notes += &note.to_string(),
    );
    if let Some(stpc) = &level.stpc {
        assert!(stpc.models().all(|it| it.data.len() < data.len()));
        assert!(stpc.names().count() < data.len());
        for strat in level.map.strats().iter().take(64) {
            said += &stpc.name(strat.ty.code).to_string();
        }
    }
    let models = level.trak.models();
    let flat = models.filter(trak::Model::is_flat_floor).count();
    assert!(flat < data.len());
    let map = &level.map;
    for waypoint in 0..map.waypoints().len() as u32 {
        let _ = map.chain_end(waypoint);
    }
    assert_eq!(rebuild(map), map.bytes());
    (true, errors == 0)
}

#[test]
fn nothing_panics() {
    let whole = with_code();
    assert_eq!(all_of(&whole), (true, true));
    let mut counts = [0; 3];
    for seed in 0..4000 {
        let mut random = Random(seed);
        let mut data = whole.clone();
        for _ in 0..=random.below(3) {
            let at = random.below(data.len() as u32) as usize;
            let to = [0, 0xFF, 0x7F, 0x80, random.word() as u8][random.below(5) as usize];
            data[at] = to;
        }
        if random.below(8) == 0 {
            data.truncate(random.below(data.len() as u32) as usize);
        }
        let (is_level, is_good) = all_of(&data);
        counts[usize::from(is_level) + usize::from(is_good)] += 1;
        // Its parts alone, as well.
        let flags = Flags(random.word());
        let start = random.below(data.len().max(1) as u32) as usize;
        let part = data.get(start..).unwrap_or_default();
        let _ = Map::parse(part, flags, Models::Table(&MODELS));
        let _ = Map::suggest(part, flags, Models::Table(&MODELS));
        let _ = Stpc::parse(part, flags);
        let _ = Trak::parse(part);
    }
    // Levels that are none, that are broken, and that are not are all among them.
    assert!(counts.iter().all(|&it| it > 300), "{counts:?}");
}
