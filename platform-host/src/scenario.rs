//! Scenarios of `overworld field run`: a map, a player, actors and a pad log, as JSON.

use overworld_runtime::field::actor::{ACTORS, flag};
use overworld_runtime::field::map::{self, Cell, Collision, Map, MapMut, Tile, Triggers, trigger};
use overworld_runtime::field::{Actor, Events, Field, Ground, Input, pad};
use serde_json::Value;

use crate::json;
use crate::number::Number;
use crate::object::Object;
use crate::pads::Pads;

/// The keys of an actor, of whom a scenario may say more than is known here; of all else it may not.
const ACTOR_KEYS: [&str; 4] = ["kind", "x", "z", "flags"];

/// Who an actor is.
#[derive(Clone, Copy, Debug, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Moving,
    Static,
    Interact,
}

#[derive(Debug, serde::Deserialize)]
struct Other {
    kind: Kind,
    x: Number<i16>,
    z: Number<i16>,
    #[serde(default)]
    flags: Number<u32>,
}

#[derive(Debug, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Player {
    x: Number<i16>,
    z: Number<i16>,
    heading: Number<u16>,
    speed: Number<u16>,
    flags: Number<u32>,
}

impl Default for Player {
    fn default() -> Self {
        Self {
            x: Number(2624),
            z: Number(2624),
            heading: Number(0),
            speed: Number(0x1000),
            flags: Number(0),
        }
    }
}

#[derive(Debug, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Source {
    map: Option<String>,
    cells: Vec<(Number<u8>, Number<u8>, Number<u8>)>,
    objects: Vec<(Number<u8>, Number<u8>, Number<u16>)>,
    floor_lut: Vec<Number<i16>>,
    player: Object<Player>,
    actors: Vec<Object<Other>>,
    camera: Number<u8>,
    scalar: Number<u8>,
    run: bool,
    terrain: bool,
    slide: bool,
    slow_walk: bool,
    slow_ground: bool,
    pads: Pads,
}

impl Default for Source {
    fn default() -> Self {
        Self {
            map: None,
            cells: Vec::new(),
            objects: Vec::new(),
            floor_lut: Vec::new(),
            player: Object::default(),
            actors: Vec::new(),
            camera: Number(0),
            scalar: Number(1),
            run: false,
            terrain: true,
            slide: true,
            slow_walk: false,
            slow_ground: false,
            pads: Pads::default(),
        }
    }
}

/// A scenario that is ready to be played.
#[derive(Debug)]
pub struct Scenario {
    source: Source,
    heights: [i16; 16],
    unknown: Vec<String>,
}

/// A frame that was played.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// The player behind it.
    pub player: Actor,
    /// Its resolved directions.
    pub mask: u16,
    /// What it had to tell.
    pub events: Events,
}

impl Scenario {
    /// Read a scenario.
    ///
    /// # Errors
    /// A sentence that says where, what was expected and what was found.
    pub fn parse(text: &[u8]) -> Result<Self, String> {
        let Object::<Source>(source) = json::read(text).map_err(|error| error.to_string())?;
        let count = source.floor_lut.len();
        if count > 16 {
            return Err(format!(
                "floor_lut: {count} heights, expected 16 at the most"
            ));
        }
        let mut heights = [0; 16];
        for (height, Number(value)) in heights.iter_mut().zip(&source.floor_lut) {
            *height = *value;
        }
        let count = source.actors.len();
        if count > ACTORS {
            return Err(format!("actors: {count}, expected {ACTORS} at the most"));
        }
        let grids = source.cells.iter().map(|cell| ("cells", cell.0, cell.1));
        let objects = source
            .objects
            .iter()
            .map(|cell| ("objects", cell.0, cell.1));
        for (what, Number(col), Number(row)) in grids.chain(objects) {
            if Tile::new(col, row).is_none() {
                return Err(format!(
                    "{what}: tile ({col}, {row}), expected 0 to 127 along both axes"
                ));
            }
        }
        let unknown = json::read(text).map(|value| unknown(&value));
        Ok(Self {
            source,
            heights,
            unknown: unknown.unwrap_or_default(),
        })
    }

    /// The map's file, if there is one.
    #[must_use]
    pub fn map(&self) -> Option<&str> {
        self.source.map.as_deref()
    }

    /// Keys of actors that mean nothing, and are passed over.
    #[must_use]
    pub fn unknown(&self) -> &[String] {
        &self.unknown
    }

    /// Buttons that its pads hold and that do nothing here: all but the directions and the action button, for
    /// which a frame stands still.
    #[must_use]
    pub fn idle_buttons(&self) -> u16 {
        let held = self.source.pads.frames().fold(0, |all, held| all | held);
        held & !(pad::DIRECTIONS | pad::ACTION)
    }

    /// Play it on a map file (or the loader's read of 40 sectors), or on an empty map; `each` hears of
    /// every frame.
    ///
    /// The file is refreshed as a scene's load does it before cells and objects are laid over it.
    ///
    /// # Errors
    /// That of the map.
    pub fn play(
        &self,
        file: Option<&[u8]>,
        mut each: impl FnMut(&Frame),
    ) -> Result<(), map::Error> {
        let mut data = match file {
            Some(file) => file.to_vec(),
            None => {
                let mut data = vec![0; map::SIZE];
                MapMut::create(&mut data, &trigger::Source::default())?;
                data
            }
        };
        let fallback = load(&mut data)?;
        let fallback = Triggers::lenient(&fallback);
        let mut map = MapMut::parse(&mut data)?;
        for (Number(col), Number(row), Number(byte)) in &self.source.cells {
            if let Some(tile) = Tile::new(*col, *row) {
                map.set_collision(tile, Collision(*byte));
            }
        }
        for (Number(col), Number(row), Number(word)) in &self.source.objects {
            if let Some(tile) = Tile::new(*col, *row) {
                map.set_cell(tile, Cell(*word));
            }
        }
        let ground = Ground::new(map.map(), fallback, &self.heights);
        let mut field = self.field(&ground);
        let mut before = 0;
        for held in self.source.pads.frames() {
            let events = field.frame(
                &ground,
                &Input {
                    held,
                    pressed: held & !before,
                    eighths: self.source.camera.0,
                    scalar: self.source.scalar.0,
                    ..Input::default()
                },
            );
            before = held;
            each(&Frame {
                player: field.player,
                mask: field.mask(),
                events,
            });
        }
        Ok(())
    }

    fn field(&self, ground: &Ground<'_>) -> Field {
        let Player {
            x: Number(x),
            z: Number(z),
            heading: Number(heading),
            speed: Number(speed),
            flags: Number(flags),
        } = self.source.player.0;
        let floor = ground.floor(x.into(), z.into());
        let mut field = Field::new(Actor {
            x,
            y: floor.clamp(i16::MIN.into(), i16::MAX.into()) as i16,
            z,
            rotation: [0, heading, 0],
            speed,
            flags,
            ..Actor::NEW
        });
        field.settings.run_option = self.source.run;
        // A pad log says which directions are held; running has its own key, and there is no menu.
        field.settings.run_button = 0;
        field.settings.menu_button = 0;
        field.settings.terrain = self.source.terrain;
        field.settings.compat.slide = self.source.slide;
        field.control.forced_slow = self.source.slow_walk;
        field.control.slow_ground = self.source.slow_ground;
        for Object(other) in &self.source.actors {
            let class = match other.kind {
                Kind::Moving => flag::MOVING,
                Kind::Static => 0,
                Kind::Interact => flag::INTERACT,
            };
            // There is room: the number was checked.
            field.actors.spawn(Actor {
                flags: class | other.flags.0,
                x: other.x.0,
                z: other.z.0,
                ..Actor::NEW
            });
        }
        field
    }
}

/// Refresh a map file as a scene's load does it; what lies behind the map, if anything, is cut off and
/// answered.
///
/// # Errors
/// Those of [`Map::parse`] and [`Map::parse_read`].
pub fn load(data: &mut Vec<u8>) -> Result<Vec<u8>, map::Error> {
    let fallback = if data.len() == map::READ_SIZE {
        Map::parse_read(data)?;
        data.split_off(map::SIZE)
    } else {
        Vec::new()
    };
    let mut map = MapMut::parse(data)?;
    map.refresh();
    map.mark_fallback(&Triggers::lenient(&fallback));
    Ok(fallback)
}

/// The keys that no actor has.
fn unknown(value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let actors = value["actors"].as_array().into_iter().flatten();
    for (number, actor) in actors.enumerate() {
        let keys = actor.as_object().into_iter().flat_map(|it| it.keys());
        for key in keys.filter(|key| !ACTOR_KEYS.contains(&key.as_str())) {
            found.push(format!("actors[{number}].{key}"));
        }
    }
    found
}
