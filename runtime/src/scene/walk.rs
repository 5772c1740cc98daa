//! A loaded scene as a program plays it: one that has a program of its own is walked, one without is shown.

use super::world::{
    Arrival, Change, Entered, Game, Meshes, Outcome, Passage, Scenery, Soil, World,
};
use super::{MapRead, Name, Scene};
use crate::anim::legaia::Banks;
use crate::bytes::Crc32;
use crate::field::animate::Gaits;
use crate::field::cold::Search;
use crate::field::map::{self, Map, MapMut};
use crate::field::units::Point;
use crate::gpu::DisplayList;
use crate::gte::Geometry;
use crate::model::draw::{self, Stats};
use crate::script::Fault;
use crate::script::dialog::Conversation;
use crate::script::host::*;
use crate::script::state::Resume;

/// Places for scripts: those of a town and some beats.
pub const SCRIPTS: usize = 64;

/// Frames that a fight lasts in a program without any.
const FIGHT: u8 = 60;

/// What a program does with a scene, frame by frame.
pub trait Play {
    /// One frame, a vertical blank long, with these held buttons.
    fn tick(&mut self, held: u16);

    /// This frame's picture, into `list`, which has begun.
    ///
    /// # Errors
    /// As [`draw::posed`].
    fn compose<G: Geometry>(
        &mut self,
        gte: &mut G,
        list: &mut DisplayList<'_>,
    ) -> Result<Stats, draw::Error>;

    /// A check sum of the state: equal on every machine after the same frames.
    fn state_hash(&self) -> u32;

    /// The conversation whose box this frame's picture has.
    fn talk(&self) -> Option<&Conversation<'_>> {
        None
    }

    /// What has gone wrong so far; `None` where nobody walks.
    fn troubles(&self) -> Option<&Troubles> {
        None
    }
}

impl Play for Scene<'_> {
    /// Nobody walks in it, whatever is held.
    fn tick(&mut self, _: u16) {
        Self::tick(self);
    }

    fn compose<G: Geometry>(
        &mut self,
        gte: &mut G,
        list: &mut DisplayList<'_>,
    ) -> Result<Stats, draw::Error> {
        Self::compose(self, gte, list)
    }

    fn state_hash(&self) -> u32 {
        Self::state_hash(self)
    }
}

/// The game that is played: fights are won after a second, menus are left at once, crawls and fades are over
/// at once, and there is no sound.
#[derive(Clone, Copy, Debug, Default)]
struct Walker {
    fought: u8,
    /// Whom a script has parked for something that is not shown: a bit for each place.
    parked: u64,
}

impl Walker {
    fn park(&mut self, place: ContextId) {
        self.parked |= 1_u64.checked_shl(place.into()).unwrap_or(0);
    }
}

const _: () = assert!(SCRIPTS <= 64);

impl Queries for Walker {}
impl Actors for Walker {}
impl Camera for Walker {}
impl Video for Walker {
    fn video(&mut self, context: ContextId, event: VideoEvent<'_>) {
        if let VideoEvent::Clut(_) = event {
            self.park(context);
        }
    }
}
impl Audio for Walker {}
impl Texts for Walker {
    fn text(&mut self, context: ContextId, event: TextEvent<'_>) {
        if let TextEvent::Crawl { .. } = event {
            self.park(context);
        }
    }
}
impl Flow for Walker {}
impl Items for Walker {}
impl Walls for Walker {}

impl Game for Walker {
    fn fight(&mut self, _: &super::world::Fight) -> Option<Outcome> {
        self.fought = self.fought.saturating_add(1);
        if self.fought < FIGHT {
            return None;
        }
        self.fought = 0;
        Some(Outcome::Won)
    }
}

/// A scene that is walked.
#[derive(Debug)]
pub struct Walk<'m> {
    world: World<'m, SCRIPTS>,
    meshes: Meshes<'m>,
    /// The map as it lies on the disc.
    map: Map<'m>,
    name: Name,
    game: Walker,
    troubles: Troubles,
}

/// What went wrong in a walk, and did not end it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Troubles {
    /// What the first entry did: its first fault, objects and people who are unbound or found no room.
    pub entered: Entered,
    /// Where the player begins, because the seat of a new game is a wall.
    pub moved: Option<Point>,
    /// The program's encounters are malformed, so there are no fights.
    pub no_fights: bool,
    /// The first script, stream or conversation that went wrong since.
    pub fault: Option<Fault>,
    /// Frames with such.
    pub faults: u32,
    /// Beats that a tile or a script has named and that are not there.
    pub missing: u32,
    /// Beats for which there was no room.
    pub full: u32,
    /// Wishes of scripts for which a frame had no room, and zones of the camera for which the scene had none.
    pub dropped: u32,
}

/// [`World::make_room`] with memory of its own, 24 KiB of stack, which an open seat does not need.
#[inline(never)]
fn make_room(world: &mut World<'_, SCRIPTS>) -> Option<Point> {
    world.make_room(&mut Search::new())
}

impl<'m> Walk<'m> {
    /// Walk in a scene, from a new game on. `read` is what [`super::read_map`] has read, `copy` becomes
    /// the map that scripts paint. `None`: the scene has no program, and is shown.
    ///
    /// # Errors
    /// Those of [`Map::parse_read`].
    pub fn new(
        scene: &Scene<'m>,
        read: &'m MapRead,
        copy: &'m mut [u8; map::SIZE],
    ) -> Result<Option<Self>, map::Error> {
        let Some(&man) = scene.man() else {
            return Ok(None);
        };
        let (map, patch) = Map::parse_read(read.as_flattened())?;
        *copy = *map.bytes();
        let bank = Some(*scene.bank());
        let mut world = World::new(Scenery {
            map: Soil::Map(MapMut::parse(copy)?),
            patch,
            man: Some(man),
            // The party's meshes and clips are the scene's here.
            banks: Banks {
                party: bank,
                move2: None,
                scene: bank,
            },
            overworld: man.is_bulk_terrain(),
        });
        world.field.settings.gaits = Some(GAITS);
        let mut game = Walker::default();
        let anchor = Point::new(0, 0);
        let entered = world.enter(Arrival::New { anchor }, &mut game);
        let at = world.field.player.point();
        let walled = world.ground().walls().at(at.x.into(), at.z.into());
        let troubles = Troubles {
            entered,
            moved: if walled { make_room(&mut world) } else { None },
            no_fights: man.encounters().is_err(),
            ..Troubles::default()
        };
        Ok(Some(Self {
            world,
            troubles,
            meshes: Meshes::of(scene),
            map,
            name: scene.name(),
            game,
        }))
    }

    /// The world.
    #[must_use]
    pub const fn world(&self) -> &World<'m, SCRIPTS> {
        &self.world
    }

    /// The world, to be changed.
    #[must_use]
    pub const fn world_mut(&mut self) -> &mut World<'m, SCRIPTS> {
        &mut self.world
    }

    /// What has gone wrong so far.
    #[must_use]
    pub const fn troubles(&self) -> &Troubles {
        &self.troubles
    }

    /// A way that leads into this scene again is gone; any other ends the walk.
    fn pass(&mut self, passage: &Passage) {
        if passage.name == self.name {
            self.world.restore_map(&self.map);
            let compat = self.world.field.settings.compat;
            let arrival = Arrival::through(passage, &compat);
            self.world.enter(arrival, &mut self.game);
        }
    }
}

/// Clips of the player: the second of the sample's bank rests, the first one walks.
const GAITS: Gaits = Gaits {
    idle: 2,
    walk: 1,
    run: 1,
};

impl Play for Walk<'_> {
    fn tick(&mut self, held: u16) {
        let frame = self.world.frame(held, &mut self.game);
        let troubles = &mut self.troubles;
        if let Some(fault) = frame.fault {
            troubles.fault.get_or_insert(fault);
            troubles.faults = troubles.faults.saturating_add(1);
        }
        troubles.missing = troubles.missing.saturating_add(frame.missing.into());
        troubles.full = troubles.full.saturating_add(frame.full.into());
        troubles.dropped = self.world.dropped();
        let mut parked = core::mem::take(&mut self.game.parked);
        while parked != 0 {
            self.world.release(parked.trailing_zeros() as ContextId);
            parked &= parked - 1;
        }
        if self.world.vm.state.resume == Resume::Armed {
            self.world.vm.state.resume = Resume::Done;
        }
        if let Some(Change::Scene(passage)) = frame.change {
            self.pass(&passage);
        }
    }

    fn compose<G: Geometry>(
        &mut self,
        gte: &mut G,
        list: &mut DisplayList<'_>,
    ) -> Result<Stats, draw::Error> {
        self.world.compose(gte, list, &self.meshes)
    }

    fn state_hash(&self) -> u32 {
        let mut crc = Crc32::new();
        crc.words([self.world.state_hash()]);
        // What is parked is let go within the tick.
        crc.words([self.game.fought]);
        crc.finish()
    }

    fn talk(&self) -> Option<&Conversation<'_>> {
        self.world.talk()
    }

    fn troubles(&self) -> Option<&Troubles> {
        Some(&self.troubles)
    }
}

/// What is held for how many frames where nobody is at the pad: a walk through the sample town. To the
/// villager, a word with them, the answer yes, out by the gate that they open, and in again.
pub const TOUR: &[(u16, u16)] = &[
    (0, 10),
    (LEFT, 24),
    (UP, 20),
    (0, 2),
    // The question, all of it at once; then what it waits for.
    (OK, 1),
    (0, 2),
    (OK, 14),
    (0, 20),
    (OK, 1),
    // The first answer.
    (0, 20),
    (OK, 1),
    (0, 20),
    (OK, 1),
    (0, 4),
    (RIGHT, 38),
    (UP, 46),
    // Who has gone out by the gate comes in again.
    (0, 30),
    (UP, 20),
    (LEFT | RUN, 10),
];

const UP: u16 = crate::field::pad::Z_PLUS;
const RIGHT: u16 = crate::field::pad::X_PLUS;
const LEFT: u16 = crate::field::pad::X_MINUS;
/// The interact button of [`crate::field::Settings::NEW`].
const OK: u16 = 0x0020;

/// Its run button.
const RUN: u16 = 0x0040;

/// What the tour holds in a frame; nothing behind its end.
#[must_use]
pub fn tour(frame: u32) -> u16 {
    let mut left = frame;
    for &(held, frames) in TOUR {
        match left.checked_sub(frames.into()) {
            Some(rest) => left = rest,
            None => return held,
        }
    }
    0
}
