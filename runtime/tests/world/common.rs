//! Scenes made by hand: a map, and a program in the assembler's language.

use overworld_runtime::anim::legaia::{Bank, Banks};
use overworld_runtime::field::map::flag as object_flag;
use overworld_runtime::field::map::trigger::{Script, Source};
use overworld_runtime::field::map::{Cell, MapMut, Object, SIZE, Tile, Triggers};
use overworld_runtime::field::units::Point;
use overworld_runtime::scene::man::{
    self, ActorSource, BeatSource, FlagList, Man, ObjectSource, encounter,
};
use overworld_runtime::scene::world::{
    Arrival, Entered, Fight, Frame, Game, Outcome, Scenery, Soil, World,
};
use overworld_runtime::script::asm::{Name, assemble};
use overworld_runtime::script::host::*;
use overworld_runtime::script::state::Paint;

pub const INTERACT: u16 = 0x0020;
/// Where tests begin: the middle of tile (20, 20).
pub const START: Point = Point::new(2624, 2624);

/// The bytes of a script.
pub fn asm(source: &str) -> Vec<u8> {
    let mut out = vec![0; source.len() + 16];
    let mut names = vec![Name::default(); 64];
    let len = assemble(source, &mut out, &mut names).unwrap_or_else(|error| panic!("{error}"));
    out.truncate(len);
    out
}

/// A beat: its flags and its script.
pub struct Beat<'t> {
    pub c1: &'t [u16],
    pub c2: &'t [u16],
    pub script: &'t str,
}

/// What a scene is made of.
#[derive(Default)]
pub struct Plan<'t> {
    pub objects: &'t [&'t str],
    /// The clip of all objects; 0 for none.
    pub clip: u8,
    /// The scene's bank; empty for none.
    pub bank: &'t [u8],
    pub entry: &'t str,
    /// Tile and script.
    pub people: &'t [([u8; 2], &'t str)],
    pub beats: &'t [Beat<'t>],
    pub triggers: Source<'t>,
    /// Placed objects: record, tile, and the rest of it.
    pub placed: &'t [(u16, [u8; 2], Object)],
    pub encounters: Option<encounter::Source<'t>>,
    /// Section 1; empty for none.
    pub motion: &'t [u8],
    pub floor: [i16; 16],
    pub overworld: bool,
    pub walls: &'t [[u8; 2]],
    /// Tiles of ground that is slow where the scene says so.
    pub slow: &'t [[u8; 2]],
    /// Tiles that are not of tier 0.
    pub tiers: &'t [([u8; 2], u8)],
    pub patch: &'t [u8],
}

/// An object that is placed, in the middle of its tile.
pub fn thing() -> Object {
    Object {
        flags: object_flag::PLACED | object_flag::GROUND,
        palette: 1,
        mesh: 7,
        ..Object::default()
    }
}

pub fn bind(tile: [u8; 2], record: u8) -> Script {
    Script {
        tile,
        record,
        gate: Script::BIND,
    }
}

pub fn walk_on(tile: [u8; 2], record: u8) -> Script {
    Script {
        tile,
        record,
        gate: Script::WALK_ON,
    }
}

impl Plan<'_> {
    pub fn man(&self) -> Vec<u8> {
        let idle = "idle: nop.f\njmp idle\n";
        let text = |it: &str| asm(if it.is_empty() { idle } else { it });
        let objects: Vec<_> = self.objects.iter().map(|it| text(it)).collect();
        let entry = text(self.entry);
        let people: Vec<_> = self.people.iter().map(|(_, it)| text(it)).collect();
        let beats: Vec<_> = self.beats.iter().map(|it| text(it.script)).collect();
        let objects: Vec<_> = objects
            .iter()
            .map(|script| ObjectSource {
                label: &[],
                animation: self.clip,
                script,
            })
            .collect();
        let actor = |tile, script| ActorSource {
            label: &[],
            model: 1,
            animation: 0,
            tile,
            script,
        };
        let mut actors = vec![actor([0x7F, 0x7F], &entry[..])];
        for ((tile, _), script) in self.people.iter().zip(&people) {
            actors.push(actor(*tile, script));
        }
        let beats: Vec<_> = self
            .beats
            .iter()
            .zip(&beats)
            .map(|(beat, script)| BeatSource {
                label: &[],
                c0: &[],
                c1: FlagList::from(beat.c1),
                c2: FlagList::from(beat.c2),
                script,
            })
            .collect();
        let none = encounter::Source {
            strides: encounter::STRIDES,
            formations: &[],
            conditions: &[],
            regions: &[],
        };
        let mut encounters = [0; 256];
        let len =
            encounter::emit(self.encounters.as_ref().unwrap_or(&none), &mut encounters).unwrap();
        let source = man::Source {
            floor: self.floor,
            objects: &objects,
            actors: &actors,
            beats: &beats,
            encounters: &encounters[..len],
            motion: if self.motion.is_empty() {
                &[0]
            } else {
                self.motion
            },
            name: b"Test",
            cameras: &[0],
            ..man::Source::default()
        };
        let mut out = vec![0; 0x4000];
        let len = man::emit(&source, &mut out).unwrap();
        out.truncate(len);
        out
    }

    pub fn map(&self) -> Vec<u8> {
        let mut bytes = vec![0; SIZE];
        let mut map = MapMut::create(&mut bytes, &self.triggers).unwrap();
        for &[col, row] in self.walls {
            let tile = Tile::new(col, row).unwrap();
            map.set_collision(tile, overworld_runtime::field::map::Collision(0xF0));
        }
        for &([col, row], tier) in self.tiers {
            let tile = Tile::new(col, row).unwrap();
            map.set_collision(tile, overworld_runtime::field::map::Collision(tier));
        }
        for &[col, row] in self.slow {
            map.set_cell(Tile::new(col, row).unwrap(), Cell(Cell::SLOW));
        }
        for &(index, [col, row], object) in self.placed {
            map.set_object(index, &object);
            map.set_cell(Tile::new(col, row).unwrap(), Cell(index));
        }
        bytes
    }

    /// The scene's world, not entered yet. Its bytes are leaked: tests are short.
    pub fn world<const N: usize>(&self) -> Box<World<'static, N>> {
        let man: &'static [u8] = self.man().leak();
        let map: &'static mut [u8] = self.map().leak();
        Box::new(World::new(Scenery {
            map: Soil::Map(MapMut::parse(map).unwrap()),
            patch: Triggers::lenient(self.patch.to_vec().leak()),
            man: Some(Man::parse(man).unwrap()),
            banks: Banks {
                scene: (!self.bank.is_empty())
                    .then(|| Bank::parse(self.bank.to_vec().leak()).unwrap()),
                ..Banks::default()
            },
            overworld: self.overworld,
        }))
    }

    /// Entered at the middle of tile (20, 20), looking to Z-.
    pub fn play(&self) -> Play {
        self.play_from(START)
    }

    pub fn play_from(&self, at: Point) -> Play {
        let mut play = Play {
            world: self.world(),
            game: Told::default(),
            entered: Entered::default(),
        };
        let arrival = Arrival::Warp { at, heading: 0 };
        play.entered = play.world.enter(arrival, &mut play.game);
        play
    }
}

/// A game that notes what it hears.
#[derive(Default)]
pub struct Told {
    pub paints: Vec<Paint>,
    pub changes: u32,
    pub fights: Vec<Fight>,
    /// How a fight ends, when it does.
    pub outcome: Option<Outcome>,
}

impl Queries for Told {}
impl Actors for Told {}
impl Camera for Told {}
impl Video for Told {}
impl Audio for Told {}
impl Texts for Told {}
impl Items for Told {}
impl Flow for Told {
    fn flow(&mut self, _: ContextId, event: FlowEvent<'_>) {
        if let FlowEvent::SceneChange { .. } = event {
            self.changes += 1;
        }
    }
}
impl Walls for Told {
    fn paint(&mut self, paint: Paint) {
        self.paints.push(paint);
    }
}
impl Game for Told {
    fn fight(&mut self, fight: &Fight) -> Option<Outcome> {
        self.fights.push(*fight);
        self.outcome
    }
}

/// A world that is played.
pub struct Play {
    pub world: Box<World<'static, 16>>,
    pub game: Told,
    pub entered: Entered,
}

impl Play {
    pub fn frame(&mut self, held: u16) -> Frame {
        self.world.frame(held, &mut self.game)
    }

    pub fn frames(&mut self, held: u16, count: u32) -> Frame {
        let mut last = Frame::default();
        for _ in 0..count {
            last = self.frame(held);
            assert_eq!(last.fault, None);
        }
        last
    }

    /// Press a button and let it go; what the frame in which it went down told.
    pub fn press(&mut self, button: u16) -> Frame {
        let frame = self.frame(button);
        self.frame(0);
        frame
    }

    pub fn at(&self) -> Point {
        self.world.field.player.point()
    }

    pub fn put(&mut self, x: i16, z: i16) {
        (self.world.field.player.x, self.world.field.player.z) = (x, z);
    }

    pub fn flag(&self, flag: u16) -> bool {
        self.world.vm.state.system.test(flag)
    }

    /// The rows that are on the screen.
    pub fn rows(&self) -> Vec<String> {
        let text = self.world.talk().and_then(|it| it.text());
        let rows = text.into_iter().flat_map(|it| it.rows());
        rows.map(|it| String::from_utf8(it.0.to_vec()).unwrap())
            .collect()
    }

    /// Read to the end, with confirm where all is shown; all rows that were seen.
    pub fn read(&mut self) -> Vec<String> {
        let mut seen = Vec::new();
        for _ in 0..2000 {
            let Some(talk) = self.world.talk() else {
                return seen;
            };
            let full = talk.text().is_some_and(|it| it.is_full());
            if full && talk.picker().is_none() {
                seen.extend(self.rows());
            }
            self.press(if full { INTERACT } else { 0 });
        }
        panic!("the conversation does not end");
    }
}
