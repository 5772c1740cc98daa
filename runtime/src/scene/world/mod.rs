//! A scene that is played: field, map, scripts, triggers and fights together (field sheet, section 10; field
//! VM sheet, sections 3 and 9 to 12).
//!
//! [`World::new`] takes what the files bring, [`World::enter`] enters it in the sheet's order, and
//! [`World::frame`] plays a frame of it: the only clock there is. What lies outside of the core a [`Game`]
//! answers: sound, pictures, menus, the bag, and how fights end.
//!
//! An actor is the field's (its place in [`Field::actors`]) and, where it has a script, a context's of the
//! machine. Only one of the two owns it at a time: the field while it walks, the scripts while they run, and
//! all of it is handed over in between. So between two frames [`World::field`] is what there is.
//!
//! When a frame tells of a [`Change`], the world is left: [`World::leave`] gives what outlives it, and
//! [`World::with`] takes that into the next one.
//!
//! ```
//! use overworld_runtime::field::map::{MapMut, SIZE, Triggers, trigger};
//! use overworld_runtime::field::{pad, units::Point};
//! use overworld_runtime::scene::world::{Arrival, Scenery, Soil, World};
//! use overworld_runtime::script::host::Absent;
//!
//! let mut bytes = vec![0; SIZE];
//! let scenery = Scenery {
//!     map: Soil::Map(MapMut::create(&mut bytes, &trigger::Source::default()).unwrap()),
//!     patch: Triggers::EMPTY,
//!     man: None,
//!     banks: Default::default(),
//!     overworld: false,
//! };
//! let mut world = World::<8>::new(scenery);
//! world.enter(Arrival::Warp { at: Point::new(2624, 2624), heading: 0 }, &mut Absent);
//! world.frame(pad::X_PLUS, &mut Absent);
//! // One vertical blank at walking pace.
//! assert_eq!(world.field.player.point(), Point::new(2632, 2624));
//! ```

mod beats;
mod body;
mod bridge;
mod draw;
mod enter;
mod flight;
mod frame;
mod game;
mod hash;
mod order;
mod sight;
mod stage;
mod tiles;
mod view;
mod walls;
mod zone;

use super::Camera;
use super::man::{CameraRegion, Man};
use crate::field::crossing::{Crossing, Regions};
use crate::field::encounter::{Encounter, Modifiers, Random};
use crate::field::map::Map;
use crate::field::precise::Distance;
use crate::field::{Actor, ActorId, Field, Ground};
use crate::script::context::Context;
use crate::script::dialog::{Conversation, Phase};
use crate::script::host::ContextId;
use crate::script::state::State;
use crate::script::{Compat, Vm};
use body::Body;
use flight::{FLIGHTS, Flight};
use stage::Stage;

pub use draw::Meshes;
pub use enter::{Arrival, Entered};
pub use frame::Frame;
pub use game::{Change, Fight, Game, Outcome, Passage};
pub use stage::{Scenery, Soil};

/// What a host sets up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Vertical blanks of a frame, 1 to 4 (field sheet, section 2).
    pub scalar: u8,
    /// Steps that a script's slice may take; at least 256.
    pub budget: u16,
    /// What shifts the rate of fights. The two story flags of [`Modifiers`] are the scripts'.
    pub encounters: Modifiers,
    /// How far off the view stands that follows the player, which the game cannot choose (section 16). The picture
    /// alone depends on it.
    pub distance: Distance,
}

impl Settings {
    /// A frame is a vertical blank, and fights come as the scene says.
    pub const NEW: Self = Self {
        scalar: 1,
        budget: 1024,
        encounters: Modifiers {
            setting: 1,
            high: false,
            low: false,
            twice: false,
            half: false,
        },
        distance: Distance::Retail,
    };
}

impl Default for Settings {
    fn default() -> Self {
        Self::NEW
    }
}

/// A conversation, or the text of a script that nobody touched.
#[derive(Clone, Debug)]
struct Talk<'m> {
    conversation: Conversation<'m>,
    place: ContextId,
    /// Who was touched.
    actor: Option<ActorId>,
}

impl Talk<'_> {
    fn reads(&self) -> bool {
        matches!(self.conversation.phase(), Phase::Shows | Phase::Picks)
    }
}

/// What outlives a scene.
#[derive(Clone, Copy, Debug)]
pub struct Carried {
    /// The player, with settings of the field that the host has made.
    pub player: Actor,
    /// The field's settings.
    pub field: crate::field::Settings,
    /// The world's settings.
    pub settings: Settings,
    /// Which reading of the scripts is played.
    pub compat: Compat,
    /// Story flags, purse, party.
    pub state: State,
    /// The generator of random numbers.
    pub random: Random,
    /// What is left until a fight.
    pub encounter: Encounter,
    /// Buttons that were held last: those that still are, are not pressed anew in the next scene.
    pub held: u16,
}

/// A scene that is played, with room for `N` scripts.
#[derive(Debug)]
pub struct World<'m, const N: usize = 64> {
    /// The player, the actors, and what is between them.
    pub field: Field,
    /// Scripts and what they share.
    pub vm: Vm<'m, N>,
    /// What the host sets up.
    pub settings: Settings,
    stage: Stage<'m>,
    bodies: [Body; N],
    talk: Option<Talk<'m>>,
    crossing: Crossing,
    encounter: Encounter,
    flights: heapless::Vec<Flight, FLIGHTS>,
    /// The box whose objects are there.
    window: [u8; 4],
    held: u16,
    ticks: u32,
}

impl<'m, const N: usize> World<'m, N> {
    /// A scene that is not entered yet.
    #[must_use]
    pub fn new(scenery: Scenery<'m>) -> Self {
        Self {
            field: Field::new(Actor::NEW),
            vm: Vm::new(Compat::Retail),
            settings: Settings::NEW,
            stage: Stage::new(scenery),
            bodies: [Body::None; N],
            talk: None,
            crossing: Crossing::STALE,
            encounter: Encounter::NEW,
            flights: heapless::Vec::new(),
            window: Regions::WHOLE.bounds,
            held: 0,
            ticks: 0,
        }
    }

    /// The same, with what outlived another scene.
    #[must_use]
    pub fn with(mut self, carried: &Carried) -> Self {
        self.field.player = carried.player;
        self.field.settings = carried.field;
        self.settings = carried.settings;
        (self.vm.compat, self.vm.state) = (carried.compat, carried.state);
        self.stage.random = carried.random;
        self.encounter = carried.encounter;
        self.held = carried.held;
        self
    }

    /// What outlives the scene.
    #[must_use]
    pub fn leave(&self) -> Carried {
        Carried {
            player: self.field.grounded_player(),
            field: self.field.settings,
            settings: self.settings,
            compat: self.vm.compat,
            state: self.vm.state,
            random: self.stage.random,
            encounter: self.encounter,
            held: self.held,
        }
    }

    /// Seed the random numbers of scripts and fights.
    pub const fn seed(&mut self, seed: u32) {
        self.stage.random = Random(seed);
    }

    /// Take the map as it lies on the disc again: before the same scene is entered anew.
    pub fn restore_map(&mut self, map: &Map<'_>) {
        self.stage.restore_map(map);
    }

    /// What the scene stands on, paints included.
    #[must_use]
    pub fn ground(&self) -> Ground<'_> {
        self.stage.ground()
    }

    /// The scene's program.
    #[must_use]
    pub const fn man(&self) -> Option<&Man<'m>> {
        self.stage.man.as_ref()
    }

    /// The clips.
    #[must_use]
    pub const fn banks(&self) -> &crate::anim::legaia::Banks<'m> {
        &self.stage.banks
    }

    /// The conversation that is held, or the text that a script shows by itself.
    #[must_use]
    pub fn talk(&self) -> Option<&Conversation<'m>> {
        self.talk.as_ref().map(|it| &it.conversation)
    }

    /// The fight that is on.
    #[must_use]
    pub const fn fight(&self) -> Option<Fight> {
        self.stage.fight
    }

    /// Why the world was left.
    #[must_use]
    pub const fn change(&self) -> Option<Change> {
        self.stage.change
    }

    /// The regions that hold the player.
    #[must_use]
    pub const fn regions(&self) -> Regions {
        self.stage.area.regions
    }

    /// What is left until a fight.
    #[must_use]
    pub const fn encounter(&self) -> Encounter {
        self.encounter
    }

    /// The view; while it follows the player, from as far off as [`Settings::distance`] says.
    #[must_use]
    pub fn camera(&self) -> Camera {
        let view = &self.stage.view;
        let camera = view.camera();
        if view.follows() {
            camera.at_distance(self.settings.distance)
        } else {
            camera
        }
    }

    /// The camera region of the MAN at the player, the first that matches (field sheet, section 10.6); how
    /// its preset maps to a view is not published, so the game decides.
    #[must_use]
    pub fn zone(&self) -> Option<CameraRegion> {
        let cameras = self.stage.man?.cameras().ok()?;
        let player = &self.field.player;
        cameras.zone(&self.stage.area.regions, player.x.into(), player.z.into())
    }

    /// The script of an actor.
    #[must_use]
    pub fn script_of(&self, id: ActorId) -> Option<&Context<'m>> {
        self.vm.contexts.get(usize::from(self.context_of(id)?))
    }

    /// Frames that were played.
    #[must_use]
    pub const fn ticks(&self) -> u32 {
        self.ticks
    }

    /// Wishes of scripts for which a frame had no room, and zones of the camera for which there is none.
    #[must_use]
    pub const fn dropped(&self) -> u32 {
        self.stage.dropped
    }

    /// A box or a picker is open.
    fn reads(&self) -> bool {
        self.talk.as_ref().is_some_and(Talk::reads)
    }

    /// The places of scripts.
    fn places() -> core::ops::Range<u8> {
        0..N.min(255) as u8
    }
}
