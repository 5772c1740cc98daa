//! Levels of "The Emperor's New Groove": the container, and the MAP chunk.

use overworld_runtime::llama::map::{
    Alternative, Block, Cells, Error, Finding, Map, PartSource, PathSource, Place, Point, Source,
    Strat, Tile, edit, emit, size,
};
use overworld_runtime::llama::trak::ModelSource;
use overworld_runtime::llama::{
    Flags, Float, Level, Models, Name, Stpc, Tag, Trak, Wad, trak, wad as container,
};

use super::samples::Sample;
use super::{Choices, is_inside, take_u8};

/// Vertex counts of the models that maps are read with.
const MODELS: [u32; 4] = [0, 1, 2, 3];
/// Records that are edited, so that a long table does not take long.
const MOST: usize = 64;

/// A WAD.
///
/// Chunks tile the file; a chunk replaced by itself changes nothing; written again, the chunks are the
/// same. Models tile their chunk. Whatever the code is, names are short and printable. A level's map goes there
/// and back.
pub fn wad(data: &[u8]) -> bool {
    code(data);
    let Ok(wad) = Wad::parse(data) else {
        assert!(Level::parse(data).is_err());
        return false;
    };
    let mut at = 4;
    let mut chunks = Vec::new();
    for chunk in wad.chunks() {
        assert!(chunk.offset == at && is_inside(chunk.data, data));
        at += 8 + chunk.data.len();
        match chunk.tag {
            Tag::TRAK => models(chunk.data),
            Tag::STPC => code(chunk.data),
            _ => {}
        }
        chunks.push((chunk.tag, chunk.data));
    }
    assert_eq!(at + 8 + wad.after().len(), data.len());
    let mut out = vec![0xEE; data.len()];
    for chunk in wad.chunks().take(MOST) {
        let found = wad.find(chunk.tag).expect("just seen");
        assert!(found.offset <= chunk.offset);
        assert_eq!(wad.replace(chunk.tag, found.data, &mut out), Ok(data.len()));
        assert_eq!(out, data);
    }
    let len = container::emit(&chunks, &mut out).expect("not longer than it was");
    let again = Wad::parse(&out[..len]).expect("just written");
    assert!(again.is_stated_right() && again.after().is_empty());
    assert!(again.chunks().map(|it| (it.tag, it.data)).eq(chunks));
    let Ok(level) = Level::parse(data) else {
        return false;
    };
    level.check(&mut |_| {}, &mut |_| {});
    let bytes = level.map.bytes();
    assert_eq!(bytes, &data[level.map_start..][..bytes.len()]);
    round_trip(&level.map);
    true
}

fn models(data: &[u8]) {
    let Ok(trak) = Trak::parse(data) else {
        return;
    };
    let all: Vec<_> = trak.models().collect();
    assert_eq!(all.len(), trak.len() as usize);
    let bytes: usize = all.iter().map(|it| it.header.len() + it.data.len()).sum();
    assert_eq!(4 + bytes, data.len());
    for (model, index) in all.iter().zip(0..) {
        assert_eq!(trak.vertices(index), Some(model.counts.vertices.into()));
        assert_eq!(model.vertices().count(), usize::from(model.counts.vertices));
        let _ = model.is_flat_floor();
    }
    assert_eq!(trak.vertices(trak.len()), None);
}

fn code(data: &[u8]) {
    // Whether groups follow the animations the last byte says, which is no part of a count.
    let groups = data.last().is_some_and(|it| it & 1 != 0);
    let flags = Flags(if groups { Flags::GROUPS } else { 0 });
    let walked = Stpc::parse(data, flags);
    if let Ok(stpc) = &walked {
        let (start, exact) = stpc.code();
        assert!(start <= data.len());
        assert_eq!(exact, stpc.animations() == 0 && !groups);
        // Models tile what lies in front of the animations.
        let mut at = 4;
        for model in stpc.models() {
            assert!(model.offset == at && is_inside(model.data, data));
            at += model.header.len() + model.data.len();
        }
        assert_eq!(at + 4 + 0x20 * stpc.animations() as usize, start);
    }
    let stpc = walked.unwrap_or(Stpc::raw(data));
    let plain = |name: &str| {
        let printable = name.bytes().all(|it| (0x20..0x7F).contains(&it));
        assert!((1..64).contains(&name.len()) && printable);
    };
    for (offset, name) in stpc.names().take(MOST) {
        plain(name);
        assert_eq!(stpc.name(offset), Name::Own(name));
    }
    let codes = (0..data.len() as u32).take(MOST);
    for code in codes.chain([u32::MAX, u32::MAX - 3]) {
        if let Some(name) = stpc.name(code).text() {
            plain(name);
        }
    }
}

/// `[u8 gates][u8 seed]`, then the payload of MAP, read with four models of 0 to 3 vertices.
///
/// Blocks tile the payload; strict implies lenient; what is read goes there and back bit by bit; the
/// lists of cells hold each tile once, where it falls; edits change what they say, can be read, and
/// can be undone.
pub fn map(data: &[u8]) -> bool {
    let (gates, data) = take_u8(data);
    let (seed, data) = take_u8(data);
    let bits = Flags::GATES.iter().zip(0..);
    let gates = bits.filter(|(_, bit)| gates >> bit & 1 != 0);
    let flags = Flags(gates.map(|it| it.0).sum());
    let models = Models::Table(&MODELS);
    let strict = Map::parse(data, flags, models);
    let map = match Map::parse_lenient(data, flags, models) {
        Ok(map) => map,
        Err(error) => {
            assert_eq!(strict.err(), Some(error), "lenient takes what strict takes");
            if let Some(gate) = Map::suggest(data, flags, models) {
                let other = Flags(flags.0 ^ gate);
                assert!(Map::parse_lenient(data, other, models).is_ok());
            }
            return false;
        }
    };
    let mut at = 0;
    for block in Block::ALL {
        let span = map.span(block);
        assert_eq!(span.start, at);
        at = span.end;
    }
    assert_eq!(at, data.len());
    let mut errors = Vec::new();
    map.check(None, &mut |finding| {
        if let Finding::Error(error) = finding {
            errors.push(error);
        }
    });
    let derived = |error: &&Error| matches!(error, Error::DerivedMismatch { .. });
    let first = errors.iter().find(|it| !derived(it));
    assert_eq!(strict.err(), first.copied());
    assert_eq!(map.verify(None).err(), errors.first().copied());
    round_trip(&map);
    cells(&map);
    for waypoint in 0..map.waypoints().len().min(MOST) as u32 {
        if let Ok(end) = map.chain_end(waypoint) {
            assert!(end >= waypoint && map.chain_end(end) == Ok(end));
        }
    }
    edits(&map, &mut Choices::new(seed.into()));
    strict.is_ok()
}

/// The chunk again, from its values.
fn round_trip(map: &Map<'_>) {
    fn all<T>(records: impl Iterator<Item = T>) -> Vec<T> {
        records.collect()
    }
    let regions = all(map.regions().iter());
    let points: Vec<Vec<(u16, Vec<Point>)>> = map
        .paths()
        .map(|path| all(path.parts().map(|it| (it.flags, all(it.points())))))
        .collect();
    let source = |(flags, points)| PartSource { flags, points };
    let parts: Vec<Vec<PartSource<'_>>> = points
        .iter()
        .map(|path| all(path.iter().map(|it| source((it.0, &it.1[..])))))
        .collect();
    let paths = all(parts.iter().map(|parts| PathSource { parts }));
    let colours: Vec<u8> = map
        .colours()
        .flat_map(|it| {
            let other = it.alternative.map_or(&[][..], |it| it.data);
            [it.base.data, other].concat()
        })
        .collect();
    let source = Source {
        flags: map.flags(),
        width: map.width(),
        height: map.height(),
        tiles: &all(map.tiles().iter()),
        pool: &all(map.pool().iter()),
        zones: &all(map.zones().iter()),
        waypoints: &all(map.waypoints().iter()),
        regions: regions.try_into().expect("32 of them"),
        grid: &all(map.grid().iter()),
        derived: Some((&all(map.fixed().iter()), &all(map.numbers().iter()))),
        alternatives: &all(map.alternatives().iter()),
        colours: &colours,
        strats: &all(map.strats().iter()),
        pool_extra: map.pool_extra(),
        paths: &paths,
        particles: map.particles(),
        tail: map.tail(),
    };
    assert_eq!(size(&source), map.bytes().len() as u64);
    let mut out = vec![0xEE; map.bytes().len()];
    assert_eq!(emit(&source, &mut out), Ok(out.len()));
    assert_eq!(out, map.bytes());
}

fn cells(map: &Map<'_>) {
    let (cells, tiles) = (map.grid().len(), map.tiles().len());
    let (mut heads, mut next) = (vec![7; cells], vec![7; tiles]);
    let lists = Cells::link(map, &mut heads, &mut next).expect("large enough");
    let place = |it: &Tile| it.place(map.width(), map.height());
    let mut seen = 0;
    for cell in 0..cells {
        let mut last = u32::MAX;
        for tile in lists.of(cell) {
            assert!(tile < last, "the newest first");
            let it = map.tiles().get(tile as usize).expect("a tile");
            assert_eq!(place(&it), Place::Cell(cell));
            (last, seen) = (tile, seen + 1);
        }
    }
    let inside = |it: &Tile| matches!(place(it), Place::Cell(_));
    assert_eq!(seen, map.tiles().iter().filter(inside).count());
}

/// What an edit wrote.
fn again<'d>(map: &Map<'d>, data: &'d [u8]) -> Map<'d> {
    Map::parse_lenient(data, map.flags(), map.models()).expect("edits can be read")
}

fn edits(map: &Map<'_>, choices: &mut Choices) {
    let room = map.bytes().len() + 200;
    let (mut one, mut other) = (vec![0xEE; room], vec![0xEE; room]);
    // A tile is added and deleted.
    let tile = Tile {
        at: [
            middle(map.width()),
            Float(0),
            middle(map.height()).negated(),
        ],
        model: choices.below(4) as u32,
        ..Tile::default()
    };
    let colours = [5, 6, 7, 1].repeat(MODELS[tile.model as usize] as usize);
    if let Ok(len) = edit::add_tile(map, &tile, None, &colours, &mut one) {
        let more = again(map, &one[..len]);
        let last = map.tiles().len() as u32;
        assert_eq!(more.tiles().get(last as usize), Some(tile));
        let len = edit::delete_tile(&more, last, &mut other).expect("it was added");
        assert_eq!(&other[..len], map.bytes());
    }
    // Any tile is deleted.
    let tiles = map.tiles().len();
    if tiles > 0 {
        let index = choices.below(tiles);
        let len = edit::delete_tile(map, index as u32, &mut one).expect("it is there");
        let less = again(map, &one[..len]);
        let mut kept: Vec<_> = map.tiles().iter().zip(map.fixed().iter()).collect();
        kept.remove(index);
        assert!(less.tiles().iter().zip(less.fixed().iter()).eq(kept));
        let sizes = |map: &Map<'_>| map.colours().map(|it| it.bytes()).collect::<Vec<_>>();
        let mut kept = sizes(map);
        kept.remove(index);
        assert_eq!(sizes(&less), kept);
    }
    let strat = Strat {
        waypoint: -1,
        ..Strat::default()
    };
    let words = [1, 2, 3];
    let words = &words[..choices.below(4)];
    if let Ok(len) = edit::add_strat(map, &strat, words, &mut one) {
        let more = again(map, &one[..len]);
        let last = map.strats().len();
        let new = more.strats().get(last).expect("it was added");
        assert_eq!(new.parameters as usize, words.len());
        assert_eq!(more.slots(), map.slots() + 1);
        let len = edit::set_parameters(&more, last as u32, &[9; 3], &mut other);
        let changed = again(map, &other[..len.expect("there is room")]);
        let it = changed.strats().get(last).expect("it is there");
        let start = it.pool as usize;
        assert!((start..start + 3).all(|at| changed.pool().get(at) == Some(9)));
        let len = edit::delete_strat(&more, last as u32, &mut other).expect("it is there");
        assert_eq!(
            again(map, &other[..len]).strats().bytes(),
            map.strats().bytes()
        );
    }
}

/// The middle of the last cell of so many, as far as a coordinate holds it.
fn middle(cells: u32) -> Float {
    let last = cells.saturating_sub(1).min(1000);
    Float::from_fixed(last as i32 * 4096 + 2048)
}

/// A map with all blocks, two frames of colour and an alternative.
fn full() -> Vec<u8> {
    let tile = |col: i32, row: i32, model, alternative| Tile {
        at: [col * 4096 + 2048, 0, row * -4096 - 2048].map(Float::from_fixed),
        angle: 1024,
        model,
        alternative,
    };
    let strat = Strat {
        parameters: 2,
        pool: 1,
        waypoint: 0,
        ..Strat::default()
    };
    let plain = Strat {
        pool: -1,
        waypoint: -1,
        ..Strat::default()
    };
    let point = Point {
        at: [1, 2],
        y: 3,
        ty: 10,
        angle: 4,
    };
    let parts = [PartSource {
        flags: 1,
        points: &[point, point],
    }];
    let source = Source {
        flags: Flags(Flags::GATES.iter().sum()),
        width: 2,
        height: 2,
        tiles: &[tile(0, 0, 1, 0), tile(1, 0, 2, 1), tile(1, 1, 0, 0)],
        pool: &[1, 2, 3],
        zones: &[overworld_runtime::llama::map::Zone {
            flags: 8,
            ..Default::default()
        }],
        waypoints: &[Default::default(); 2],
        grid: &[0, 1, 31, 0],
        alternatives: &[Alternative {
            model: 3,
            ..Alternative::default()
        }],
        colours: &[
            [1, 2, 3, 1].to_vec(),
            [4, 5, 6, 2].repeat(4),
            [7, 8, 9, 2].repeat(6),
        ]
        .concat(),
        strats: &[strat, plain],
        pool_extra: 3,
        paths: &[PathSource { parts: &parts }, PathSource::default()],
        particles: Some(200),
        tail: 1,
        ..Source::default()
    };
    let mut out = vec![0; size(&source) as usize];
    emit(&source, &mut out).expect("it has a form");
    out
}

/// A map without anything but a cell.
fn bare() -> Vec<u8> {
    let source = Source {
        width: 1,
        height: 1,
        grid: &[0],
        ..Source::default()
    };
    let mut out = vec![0; size(&source) as usize];
    emit(&source, &mut out).expect("it has a form");
    out
}

/// The seeds of both targets.
pub fn samples(samples: &mut Vec<Sample>) {
    samples.push((
        "llama_map",
        "ok-all-blocks",
        [&[15, 7][..], &full()].concat(),
    ));
    samples.push(("llama_map", "ok-bare", [&[0, 1][..], &bare()].concat()));
    let vertices = [0; 3 * trak::VERTEX];
    let model = |count: usize| ModelSource {
        header: [0; trak::HEADER],
        vertices: &vertices[..count * trak::VERTEX],
        faces: &[],
        collision: [&[], &[], &[]],
    };
    let mut models = vec![0; 4 + 4 * trak::HEADER + 6 * trak::VERTEX];
    let sources = [0, 1, 2, 3].map(model);
    trak::emit(&sources, &mut models).expect("it has room");
    let flags: u32 = Flags::GATES.iter().sum();
    let words =
        |words: &[u32]| -> Vec<u8> { words.iter().flat_map(|it| it.to_le_bytes()).collect() };
    let named = [&words(&[0xD4, 0xEA, 0])[..], b"Llama\0\0\0"].concat();
    // Two models of a vertex, a face and a wall entry, the second with bones, and so many animations.
    let model = |bones: u8| {
        let mut model = vec![0; 0x8C];
        for (at, count) in [(0x6C, 1), (0x6E, 1), (0x7C, 1), (0x86, bones)] {
            model[at] = count;
        }
        model.resize(0x8C + 2 * usize::from(bones) + 24 + 28 + 32, 0);
        model
    };
    let walked = |animations: u32, last: u8| {
        let mut code = [words(&[2]), model(0), model(3), words(&[animations])].concat();
        code.resize(code.len() + 0x20 * animations as usize, 0);
        code.extend(&named);
        code.extend([0xB2, 0, 0, 0, 8, 0, 0, 0, 0xE0, 0, 0, last]);
        code
    };
    let map = full();
    let level = |flags: u32, code: &[u8], map: &[u8]| {
        let chunks: [(Tag, &[u8]); 6] = [
            (Tag::INFO, &[1, 0, 0, 0]),
            (Tag::WFPC, &flags.to_le_bytes()),
            (Tag::TRAK, &models),
            (Tag::STPC, code),
            (Tag::MAP, map),
            (Tag::LNFO, &[55, 0, 0, 0, 2, 0, 0, 0]),
        ];
        let mut out = vec![0; models.len() + code.len() + map.len() + 200];
        let len = container::emit(&chunks, &mut out).expect("it has room");
        out.truncate(len);
        out
    };
    let plain = [&words(&[0, 0])[..], &named].concat();
    let mut sample = |name, data| samples.push(("wad", name, data));
    sample("ok-level", level(flags, &plain, &map));
    sample("ok-models-in-the-code", level(flags, &walked(0, 0), &map));
    let groups = flags | Flags::GROUPS;
    sample(
        "ok-animations-and-groups",
        level(groups, &walked(2, 1), &map),
    );
    // More models in the code than there are: a level all the same.
    let mut broken = walked(0, 0);
    broken[0] = 3;
    sample("ok-code-cut", level(flags, &broken, &map));
    // A gate that the map does not have, and a map that ends too early.
    sample("bad-gate", level(flags & !Flags::PARTICLES, &plain, &map));
    sample("bad-map-cut", level(flags, &plain, &map[..map.len() - 3]));
    let with = |at: usize, to: u32| {
        let mut map = map.clone();
        map[at..at + 4].copy_from_slice(&to.to_le_bytes());
        [&[15, 7][..], &map].concat()
    };
    // The count of tiles, and the model of the first one in block 2, which the strict reader refuses.
    samples.push(("llama_map", "bad-tiles", with(0, 0x0AAA_AAAA)));
    samples.push(("llama_map", "bad-model", with(12 + 16, 4)));
}
