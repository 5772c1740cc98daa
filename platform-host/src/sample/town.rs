//! The sample town: its ground, and its program, whose scripts are written in the assembler language.
//!
//! A wall encloses it; a gate leads out, which the villager opens. Who touches the house goes in by its door, which
//! swings open, and stands in the room behind it; the room's doorway leads back.

use overworld_runtime::field::map::trigger::{self, Script, Teleport};
use overworld_runtime::field::map::{Collision, MapMut, Object, SIZE, Tile, flag};

use overworld_runtime::scene::man::{
    self, ActorSource, BeatSource, FlagList, ObjectSource, encounter, motion,
};
use overworld_runtime::script::asm::{Name, assemble};

/// Name of the scene.
pub const SCENE: &str = "town";
/// The tile of the house.
pub const HOUSE: [u8; 2] = [16, 21];
/// The tiles of the room's doorway. A tile's ground is stepped on half a tile further on; the second one, in the wall,
/// has the strip along it.
pub const DOORWAY: [[u8; 2]; 2] = [[40, 39], [40, 38]];
/// The gate's tiles.
pub const GATE: [[u8; 2]; 3] = [[20, 24], [21, 24], [22, 24]];

/// The mesh of the town's people, in the scene's pack.
const NEIGHBOUR: u8 = 2;

/// The flag that the gate is open.
pub const GATE_OPEN: u16 = 0x225;
/// The flag that the player has left through the gate.
pub const LEFT: u16 = 0x226;

/// The scripts by name.
pub const SCRIPTS: [(&str, &str); 5] = [
    ("door.s", include_str!("scripts/door.s")),
    ("entry.s", include_str!("scripts/entry.s")),
    ("guard.s", include_str!("scripts/guard.s")),
    ("villager.s", include_str!("scripts/villager.s")),
    ("leave.s", include_str!("scripts/leave.s")),
];

/// The scripts' bytes; displacements are relative, so that a header in front changes nothing.
fn scripts() -> Result<[Vec<u8>; 5], String> {
    let mut codes: [Vec<u8>; 5] = Default::default();
    for ((name, source), code) in SCRIPTS.into_iter().zip(&mut codes) {
        code.resize(source.len() + 16, 0);
        let mut names = [Name::default(); 64];
        let length =
            assemble(source, code, &mut names).map_err(|error| format!("{name}: {error}"))?;
        code.truncate(length);
    }
    Ok(codes)
}

/// What the villager does by itself: look around, and keep still once the gate is open.
fn stream() -> Result<Vec<u8>, String> {
    // Turn to X- in 16 frames, wait 30, turn on to X+ in 32, wait 30, again; and: wait 60, again.
    let looks = [
        0x04, 0x02, 0x10, 0x05, 0x1E, 0x04, 0x06, 0x20, 0x05, 0x1E, 0x01,
    ];
    let still = [0x05, 0x3C, 0x01];
    let variants: [(u16, &[u8]); 2] = [(GATE_OPEN, &still), (motion::DEFAULT, &looks)];
    let mut out = vec![0; 64];
    let len =
        motion::emit_stream(&variants, &mut out).map_err(|error| format!("stream: {error}"))?;
    out.truncate(len);
    Ok(out)
}

/// Rectangles of tiles, corners included, whose edges are walls: the town, the road behind its gate, the
/// room. The gate is a gap in the first two.
const RINGS: [[u8; 4]; 3] = [[14, 14, 28, 24], [19, 24, 23, 30], [37, 38, 43, 44]];
/// Hills: tier and tiles. Those of a lower tier come first.
const HILLS: [(u8, [u8; 4]); 2] = [(1, [24, 15, 27, 17]), (2, [25, 16, 26, 16])];

/// The town's map.
///
/// # Errors
/// None in practice.
pub fn map() -> Result<Vec<u8>, String> {
    let out = [GATE[0], GATE[1], GATE[2]].map(|tile| Script {
        tile,
        record: 0,
        gate: Script::WALK_ON,
    });
    let house = Script {
        tile: HOUSE,
        record: 0,
        gate: Script::BIND,
    };
    let scripts: Vec<Script> = out.into_iter().chain([house]).collect();
    let triggers = trigger::Source {
        // In front of the house.
        teleports: &DOORWAY.map(|tile| Teleport {
            tile,
            destination: [32, 37],
        }),
        scripts: &scripts,
        ..trigger::Source::default()
    };
    let mut bytes = vec![0; SIZE];
    let mut map = MapMut::create(&mut bytes, &triggers).map_err(|error| format!("map: {error}"))?;
    let paint = |map: &mut MapMut<'_>, col: u8, row: u8, walls: Option<u8>, tier: Option<u8>| {
        if let Some(tile) = Tile::new(col, row) {
            let now = map.map().collision(tile);
            let (walls, tier) = (walls.unwrap_or(now.walls()), tier.unwrap_or(now.tier()));
            map.set_collision(tile, Collision::new(walls, tier));
        }
    };
    for [x0, z0, x1, z1] in RINGS {
        for (col, row) in (x0..=x1).flat_map(|col| (z0..=z1).map(move |row| (col, row))) {
            let edge = col == x0 || col == x1 || row == z0 || row == z1;
            if edge && !GATE.contains(&[col, row]) {
                // A wall's byte lies a row further than what it bars (field sheet, section 3.9, rule 6).
                paint(&mut map, col, row + 1, Some(0xF), None);
            }
        }
    }
    for (tier, [x0, z0, x1, z1]) in HILLS {
        // And on the neighbours towards X+ and Z+ (rule 7).
        for (col, row) in (x0..=x1 + 1).flat_map(|col| (z0..=z1 + 1).map(move |row| (col, row))) {
            paint(&mut map, col, row, None, Some(tier));
        }
    }
    let object = Object {
        mesh: 1,
        flags: flag::PLACED | flag::DRAWN,
        palette: 1,
        ..Object::default()
    };
    map.set_object(5, &object);
    if let Some(tile) = Tile::new(HOUSE[0], HOUSE[1]) {
        map.set_cell(tile, overworld_runtime::field::map::Cell(5));
    }
    map.refresh();
    Ok(bytes)
}

/// The town's MAN.
///
/// # Errors
/// What is wrong with a script, or why a part cannot be written.
pub fn man() -> Result<Vec<u8>, String> {
    let [door, entry, guard, villager, leave] = scripts()?;
    let mut sections = [[0; 64]; 2];
    let [encounters, moved] = &mut sections;
    // Something lives in the room.
    let room = encounter::Source {
        strides: encounter::STRIDES,
        formations: &[encounter::Formation {
            scripted: 0,
            reserved: [0; 2],
            monsters: &[5],
        }],
        conditions: &[encounter::Condition {
            flag: encounter::ALWAYS,
            owned: 1,
        }],
        regions: &[encounter::Region {
            min: [37, 38],
            max: [43, 44],
            rate: 120,
            unknown: 0,
            first: 0,
            count: 1,
            backdrop: 2,
        }],
    };
    let encounters_len =
        encounter::emit(&room, encounters).map_err(|error| format!("encounters: {error}"))?;
    let stream = stream()?;
    let looks = [motion::MotionSource {
        // The flat number of the villager: behind the object, the entry script and the guard.
        pairs: &[[3, 1]],
        stream: &stream,
    }];
    let moved_len = motion::emit(&looks, moved).map_err(|error| format!("motion: {error}"))?;
    let mut cameras = [0; 64];
    let cameras_len =
        man::camera::emit(&[], &mut cameras).map_err(|error| format!("cameras: {error}"))?;
    let actor = |model, animation, tile, script| ActorSource {
        label: &[],
        model,
        animation,
        tile,
        script,
    };
    // 24 units a tier; stored with the sign turned.
    let floor = core::array::from_fn(|tier| 24 * tier as i16);
    let source = man::Source {
        floor,
        objects: &[ObjectSource {
            label: &[],
            animation: super::OPEN,
            script: &door,
        }],
        actors: &[
            // No actor: its place is off the map.
            actor(0, 0, [0x7F, 0x7F], &entry),
            actor(NEIGHBOUR, 1, [24, 19], &guard),
            actor(NEIGHBOUR, 2, [18, 22], &villager),
        ],
        beats: &[BeatSource {
            label: &[],
            c0: &[],
            c1: FlagList::from(&[LEFT][..]),
            c2: FlagList::from(&[GATE_OPEN][..]),
            script: &leave,
        }],
        encounters: &encounters[..encounters_len],
        motion: &moved[..moved_len],
        name: b"Town",
        cameras: &cameras[..cameras_len],
        ..man::Source::default()
    };
    let mut out = vec![0; 0x1000];
    let length = man::emit(&source, &mut out).map_err(|error| error.to_string())?;
    out.truncate(length);
    Ok(out)
}
