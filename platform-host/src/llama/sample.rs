//! A level of our own: models, code and map made by code, with no byte of the game.
//!
//! A meadow of 40 by 40 cells: a hill in the middle, a ditch with a bridge, stairs in the east, a pond.

use overworld_runtime::llama::light::{self, Kind, Light};
use overworld_runtime::llama::map::{
    Alternative, QUARTER, Region, Strat, Tile, Type, Waypoint, Zone,
};
use overworld_runtime::llama::stpc::{self, HEADER, name_words, spawn_words};
use overworld_runtime::llama::trak::{self, ModelSource};
use overworld_runtime::llama::{Flags, Float, Models, Stpc, Tag, Trak, chunks};

use super::document::{Content, Document};
use super::parts::Parts;

/// Columns and rows.
pub const SIDE: u32 = 40;
/// Particles and alternatives.
pub const FLAGS: Flags = Flags(0x1801_0690);
/// Model of a flat floor, of a block, of a gate that opens.
pub const FLOOR: u32 = 1;
/// See [`FLOOR`].
pub const BLOCK: u32 = 2;
/// See [`FLOOR`].
pub const GATE: u32 = 3;

/// A type: its name, and its constants but for the code.
const TYPES: [(&str, Type); 9] = [
    ("Llama", ty(78, 4, 0x24_8000, 1)),
    ("LevelDoor", ty(12, 2, 0x4_4000, 1)),
    ("Coin", ty(6, 1, 0x2_0000, 0)),
    ("CheckPointPost", ty(9, 2, 0x4_4000, 1)),
    ("CheckPointHead", ty(7, 1, 0x2_0000, 0)),
    ("CameraSide", ty(4, 0, 0, 0)),
    ("CutSceneTrigger", ty(5, 0, 0, 0)),
    ("Grapes", ty(6, 1, 0x2_0000, 0)),
    ("RubyIdol", ty(8, 1, 0x2_0000, 0)),
];

const fn ty(variables: u32, slots: u32, flags: u32, extra: u32) -> Type {
    Type {
        code: 0,
        variables,
        slots,
        flags,
        extra,
    }
}

/// The sample as a file.
///
/// # Panics
/// Never: it is the same every time, and a test builds it.
#[must_use]
pub fn wad() -> Vec<u8> {
    let trak = models();
    let (stpc, types) = code();
    let parts = map(&types);
    let models = Models::Trak(Trak::parse(&trak).expect("models of our own"));
    let code = Stpc::parse(&stpc, FLAGS).expect("code of our own");
    let map = parts.build(FLAGS, models, Some(&code));
    let map = map.expect("a map of our own");
    let sun = Light {
        colour: [96, 96, 80],
        kind: Kind::Direction([0.0_f32, -1.0, 0.5].map(|it| Float(it.to_bits()))),
    };
    let lights = written(|out| light::emit(&[sun], out));
    let name = written(|out| chunks::emit_name(0, b"Meadow", out));
    let materials = written(|out| chunks::emit_materials(&[], &[], out));
    let bytes = |tag: &[u8; 4], data: Vec<u8>| (Tag::new(tag), Content::Bytes(data));
    let document = Document {
        stated: None,
        chunks: vec![
            bytes(b"INFO", words(&[1])),
            bytes(b"VERS", words(&[1])),
            bytes(b"WFPC", words(&[FLAGS.0])),
            bytes(b"TEXT", materials),
            bytes(b"NAME", name),
            bytes(b"TRAK", trak),
            bytes(b"STPC", stpc),
            bytes(b"MAP ", map),
            bytes(b"LGHT", lights),
            bytes(b"LNFO", words(&[55, 2])),
        ],
        end: 0,
        after: Vec::new(),
    };
    document.bytes().expect("no map in it")
}

/// What one of the writers makes.
fn written(write: impl FnOnce(&mut [u8]) -> Option<usize>) -> Vec<u8> {
    let mut out = vec![0; 0x4000];
    let len = write(&mut out).expect("it has room");
    out.truncate(len);
    out
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// A box without its bottom: corners, and two triangles for each side that is seen.
struct Shape {
    vertices: Vec<u8>,
    faces: Vec<u8>,
}

/// A floor at y = 0.25 of one cell, or a box of so much height on it.
fn shape(height: f32) -> Shape {
    let mut corners = Vec::new();
    for y in [0.25, 0.25 + height] {
        for (x, z) in [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)] {
            corners.push([x, y, z]);
        }
    }
    let mut quads = vec![[0, 1, 2, 3]];
    if height == 0.0 {
        corners.truncate(4);
    } else {
        quads = vec![
            [4, 5, 6, 7],
            [0, 1, 5, 4],
            [1, 2, 6, 5],
            [2, 3, 7, 6],
            [3, 0, 4, 7],
        ];
    }
    let vertices = corners.iter().flat_map(|at| {
        let normal = [0.0_f32, 1.0, 0.0];
        at.iter()
            .chain(&normal)
            .flat_map(|it| it.to_le_bytes())
            .collect::<Vec<_>>()
    });
    let triangles = quads
        .iter()
        .flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
    let faces = triangles.flat_map(|[a, b, c]: [u16; 3]| {
        let head = [0, a, b, c, 0, 0].into_iter().flat_map(u16::to_le_bytes);
        let plane = [0.0_f32, 1.0, 0.0, -0.25]
            .into_iter()
            .flat_map(f32::to_le_bytes);
        head.chain(plane).collect::<Vec<_>>()
    });
    Shape {
        vertices: vertices.collect(),
        faces: faces.collect(),
    }
}

/// Chunk `TRAK`: an empty model, a floor, a block, a gate.
fn models() -> Vec<u8> {
    let [floor, block, gate] = [0.0, 1.0, 2.0].map(shape);
    let entry = [&[1_u8, 0][..], &[0; 30]].concat();
    let empty = ModelSource {
        header: [0; trak::HEADER],
        vertices: &[],
        faces: &[],
        collision: [&[], &[], &[]],
    };
    fn model<'a>(shape: &'a Shape, collision: [&'a [u8]; 3]) -> ModelSource<'a> {
        ModelSource {
            header: [0; trak::HEADER],
            vertices: &shape.vertices,
            faces: &shape.faces,
            collision,
        }
    }
    let wall: [&[u8]; 3] = [&entry, &[], &entry];
    let sources = [
        empty,
        model(&floor, [&entry, &[], &[]]),
        model(&block, wall),
        model(&gate, wall),
    ];
    written(|out| trak::emit(&sources, out).ok())
}

/// Bones of the model in front of the code.
pub const BONES: u16 = 2;

/// Chunk `STPC`: a box with two bones, no animations, and for each type a name; then a stub that spawns a check
/// point's head.
fn code() -> (Vec<u8>, Vec<(&'static str, Type)>) {
    let body = shape(0.5);
    let mut header = [0; HEADER];
    let vertices = (body.vertices.len() / trak::VERTEX) as u16;
    // All vertices are static ones, too.
    header[0x84..0x86].copy_from_slice(&vertices.to_le_bytes());
    let models = [stpc::ModelSource {
        header,
        bones: &[0; 2 * BONES as usize],
        vertices: &body.vertices,
        faces: &body.faces,
        collision: [&[]; 3],
    }];
    let start = stpc::size(&models);
    let (mut code, mut texts) = (Vec::new(), Vec::new());
    let mut types = Vec::new();
    let texts_at = start + TYPES.len() * 20 + 40;
    for (name, constants) in TYPES {
        let at = (start + code.len()) as u32;
        types.push((
            name,
            Type {
                code: at,
                ..constants
            },
        ));
        code.extend(words(&name_words(at, (texts_at + texts.len()) as u32)));
        // What follows is no code of the game's: a word of zeros, and the next type.
        code.extend([0; 8]);
        texts.extend(name.as_bytes());
        texts.push(0);
    }
    let (_, head) = types[4];
    let stub = Type {
        code: (start + code.len()) as u32,
        ..TYPES[4].1
    };
    code.extend(words(&[0x0005_0044]));
    let reads = [0, 1, head.variables, head.flags, 0, 0];
    code.extend(words(&spawn_words(head.code, reads)));
    types.push(("stub", stub));
    assert_eq!(start + code.len(), texts_at);
    code.extend(texts);
    let data = written(|out| stpc::emit(&models, 0, &code, out).ok());
    (data, types)
}

/// Height of the floor of a cell, in quarters; `None` where there is none.
#[must_use]
pub fn quarters(col: u32, row: u32) -> Option<i32> {
    let (x, z) = (col as i32, row as i32);
    // A ditch across the meadow, with a bridge of two cells.
    if x == 8 && !(z == 20 || z == 21) {
        return None;
    }
    let distance = (x - 20).abs().max((z - 20).abs());
    let mut height = (10 - distance).max(0);
    if (32..38).contains(&x) && (5..16).contains(&z) {
        height = 2 * (z - 5);
    }
    if (2..6).contains(&x) && (30..36).contains(&z) {
        height = -1 - i32::from((3..5).contains(&x)) - i32::from((31..35).contains(&z));
    }
    Some(height)
}

/// A coordinate in quarters.
fn float(quarters: i32) -> Float {
    Float::from_fixed(quarters * 1024)
}

/// The place of a strat on a cell.
fn stand(col: u32, row: u32) -> [i32; 3] {
    let y = quarters(col, row).unwrap_or(0) * 1024 + 1024;
    [col as i32 * 4096 + 2048, y, row as i32 * 4096 + 2048]
}

fn map(types: &[(&'static str, Type)]) -> Parts {
    let (mut tiles, mut colours) = (Vec::new(), Vec::new());
    let mut put = |col: u32, row: u32, height: i32, model: u32, alternative: u32| {
        tiles.push(Tile {
            at: [
                float(4 * col as i32 + 2),
                float(height),
                float(-4 * row as i32 - 2),
            ],
            angle: (col + row) % 4 * QUARTER,
            model,
            alternative,
        });
        let vertices = if model == FLOOR { 4 } else { 8 };
        let green = (0x38 + 4 * height.clamp(-8, 12)) as u8;
        let mut bytes = [green / 2, green, 0x20, 1].repeat(vertices);
        if alternative != 0 {
            // Open, the gate is the floor alone.
            bytes.extend([0x40, 0x40, 0x40, 1].repeat(4));
        }
        colours.push(bytes);
    };
    for row in 0..SIDE {
        for col in 0..SIDE {
            if let Some(height) = quarters(col, row) {
                put(col, row, height, FLOOR, 0);
            }
        }
    }
    for step in 0..4 {
        put(24 + step, 35, 0, BLOCK, 0);
    }
    put(28, 35, 0, GATE, 1);
    let ty = |name: &str| {
        let found = types.iter().find(|it| it.0 == name);
        found.map(|it| it.1).unwrap_or_default()
    };
    let strat = |name: &str, col, row, parameters: (i32, u32), waypoint| Strat {
        angles: [0, 1024, 0],
        at: stand(col, row),
        ty: ty(name),
        parameters: parameters.1,
        pool: parameters.0,
        waypoint,
        ..Strat::default()
    };
    let none = (-1, 0);
    let strats = vec![
        strat("Llama", 3, 20, none, -1),
        strat("LevelDoor", 35, 15, (0, 2), -1),
        strat("CheckPointPost", 20, 20, (2, 1), -1),
        strat("stub", 22, 20, (2, 1), -1),
        strat("Coin", 12, 20, none, -1),
        strat("Coin", 14, 20, none, -1),
        strat("Coin", 16, 20, none, -1),
        strat("CameraSide", 10, 20, (0, 1), -1),
        strat("CutSceneTrigger", 30, 30, none, -1),
        strat("Grapes", 30, 34, (1, 2), 0),
        strat("RubyIdol", 36, 10, none, -1),
    ];
    let waypoint = |next, col, row| Waypoint {
        next,
        at: stand(col, row),
        ..Waypoint::default()
    };
    let zone = Zone {
        cell: [3, 0, 20],
        target: stand(3, 20),
        flags: Zone::START,
        fog: [20 << 12, 60 << 12],
        ambient: 0x40_4040,
        backdrop: 0x80_A0C0,
        music: 1,
        ..Zone::default()
    };
    let door = Zone {
        cell: [35, 0, 15],
        target: [1, 2, 1],
        flags: Zone::LEVEL,
        fog: zone.fog,
        ..Zone::default()
    };
    let mut regions = [Region::default(); 32];
    regions[1] = Region {
        flags: 1,
        value: (-1_i32 << 10).cast_unsigned(),
    };
    let pond = |cell: u32| (2..6).contains(&(cell % SIDE)) && (30..36).contains(&(cell / SIDE));
    Parts {
        width: SIDE,
        height: SIDE,
        tiles,
        colours,
        pool: vec![1, 2, 3],
        zones: vec![zone, door],
        waypoints: vec![
            waypoint(1, 30, 34),
            waypoint(1, 34, 34),
            waypoint(0, 34, 30),
        ],
        regions,
        grid: (0..SIDE * SIDE).map(|cell| u32::from(pond(cell))).collect(),
        alternatives: vec![Alternative {
            at: [28, 0, 35],
            normal: GATE,
            model: FLOOR,
        }],
        strats,
        pool_extra: 20,
        particles: Some(200),
        ..Parts::default()
    }
}
