//! Entry into a scene, in the order of the sheet (field sheet, section 10.1).

use core::cell::Cell;

use super::World;
use super::body::Body;
use super::bridge::Bridge;
use super::frame::Frame;
use super::game::{Game, Passage};
use super::stage::{Places, Soil};
use super::view::View;
use crate::field::Compat;
use crate::field::actor::{Actor, ActorId, flag};
use crate::field::cold::Search;
use crate::field::crossing::{Area, Crossing};
use crate::field::encounter::Encounter;
use crate::field::ground::NoHeightTable;
use crate::field::spawn::{Entry, Swept, init_sweep};
use crate::field::units::Point;
use crate::fixed::Angle;
use crate::scene::cast;
use crate::scene::scripts::{self, Bound, Installed, Role};
use crate::script::context::Context;
use crate::script::host::ContextId;
use crate::script::state::{Ramps, Resume, SystemFlags, Word};
use crate::script::{Fault, SliceEnd};

/// Bits of the global bank that do not outlive a scene: transition pending, actors suppressed.
const TRANSIENT: u32 = 0x440;
/// Words of the scene's and the dialogue's control blocks: the next scene has its own.
const SCENE_WORDS: [Word; 4] = [Word::SceneY, Word::SceneCtrl, Word::Lines, Word::Picker];
/// Mode of the clock of a player who has none yet.
const SPAWN_MODE: u16 = 0x0015;

/// How a scene is entered (section 10.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// A new game.
    New {
        /// The camera's anchor, on which the other reading of the cold seat puts the player.
        anchor: Point,
    },
    /// From another scene.
    Warp {
        /// Where to stand, exactly.
        at: Point,
        /// Where to look.
        heading: Angle,
    },
    /// In the middle of the camera window.
    Recentre {
        /// Column and row of the window's first tile.
        origin: [i16; 2],
    },
}

impl Arrival {
    /// Through a way that a script has opened.
    #[must_use]
    pub const fn through(passage: &Passage, compat: &Compat) -> Self {
        let arrival = passage.arrival(compat);
        Self::Warp {
            at: arrival.at,
            heading: arrival.heading,
        }
    }

    const fn entry(self) -> Entry {
        match self {
            Self::New { anchor } => Entry::Cold { anchor },
            Self::Warp { at, .. } => Entry::Warp { saved: at },
            Self::Recentre { origin } => Entry::Recentre { origin },
        }
    }
}

/// What an entry did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entered {
    /// Objects of the scene's start: those that a script trigger binds.
    pub objects: Swept,
    /// People.
    pub people: Swept,
    /// Objects of the window.
    pub window: Swept,
    /// Scripts.
    pub scripts: Installed,
    /// The first thing that went wrong in a prologue.
    pub fault: Option<Fault>,
    /// That the scene has no heights, told by its first entry (section 18).
    pub no_heights: Option<NoHeightTable>,
    /// The tile of the camera window.
    pub tile: [i16; 2],
}

impl<const N: usize> World<'_, N> {
    /// Enter the scene. Once for each world, and again for the same scene only after its map was read anew;
    /// what outlives a scene is the player, story flags and purse, settings, and the fight counter.
    pub fn enter<G: Game>(&mut self, arrival: Arrival, game: &mut G) -> Entered {
        let mut entered = Entered::default();
        // Steps 2 and 4: counters and camera.
        self.forget();
        // Step 5: a player who is there is taken over, everybody else goes.
        self.keep_only_the_player(arrival);
        // What prologues ask for as frames do.
        self.stage.scalar = self.settings.scalar.clamp(1, 4);
        self.stage.held = self.held;
        // The transition has said it before any script asks (`4C 3A`).
        self.stage.arrival = match arrival {
            Arrival::Warp { heading, .. } => heading,
            Arrival::New { .. } | Arrival::Recentre { .. } => self.field.player.heading(),
        };
        // Steps 6 to 8: the files are loaded; the grid is refreshed.
        if let Soil::Map(map) = &mut self.stage.map {
            map.refresh();
            map.mark_fallback_by(&self.stage.patch, &self.field.settings.compat);
        }
        // Step 9: heights and encounters are read; objects, people, their scripts and prologues.
        self.stage.restore_heights();
        self.field.control.forced_slow = self.stage.man.is_some_and(|it| it.scene_flag());
        entered.no_heights = self.stage.no_heights.take();
        self.place(&mut entered);
        self.install(game, &mut entered);
        // Step 11.
        self.seat(arrival, &mut entered);
        let mut frame = Frame::default();
        self.lend();
        self.grant(game, &mut frame);
        self.take_back(false);
        entered
    }

    /// After a new game's entry into a scene that is not made for one: whose cold seat is a wall is seated where
    /// [`Search`] finds room (section 10.7), on the floor there, and the window is laid there. Where the player is
    /// now; `None` where the seat is open, or nowhere is any room.
    pub fn make_room(&mut self, search: &mut Search) -> Option<Point> {
        let Point { x, z } = self.field.player.point();
        let ground = self.stage.ground();
        if !ground.walls().at(x.into(), z.into()) {
            return None;
        }
        let at = search.seat(&ground, &self.field.settings.compat)?;
        let heading = self.field.player.heading();
        self.seat(Arrival::Warp { at, heading }, &mut Entered::default());
        Some(at)
    }

    /// What does not outlive a scene.
    fn forget(&mut self) {
        let state = &mut self.vm.state;
        state.ramps = Ramps::EMPTY;
        (state.resume, state.input_lock) = (Resume::Idle, false);
        state.global &= !TRANSIENT;
        state.system.clear(SystemFlags::INTERACT);
        // The words of the scene's own blocks (`4F`, `4C 49`, `DF`, `E0`).
        state.scene_reg = [0; 3];
        for word in SCENE_WORDS {
            state.set_word(word, 0);
        }
        // With all that hangs on them: who waits, who speaks.
        for place in Self::places() {
            self.vm.remove(place);
        }
        self.vm.field = self.field.settings.compat;
        (self.vm.player, self.vm.system, self.vm.mailbox) = (None, None, None);
        self.bodies = [Body::None; N];
        self.talk = None;
        self.flights.clear();
        let Encounter { counter, last, .. } = self.encounter;
        self.encounter = Encounter::NEW;
        (self.encounter.counter, self.encounter.last) = (counter, last);
        let stage = &mut self.stage;
        (stage.fight, stage.change) = (None, None);
        stage.area = Area::STALE;
        stage.wishes.clear();
        stage.stranded = Places::default();
        stage.view = if stage.overworld {
            View::OVERWORLD
        } else {
            View::ENTRY
        };
    }

    fn keep_only_the_player(&mut self, arrival: Arrival) {
        let settings = self.field.settings;
        // Halts, locks and hops are the old scene's.
        let mut player = self.field.grounded_player();
        player.flags &= !(flag::LOCKED | flag::HALT | flag::AIRBORNE | flag::ENGAGED);
        player.flags |= flag::ACTION;
        (player.touches, player.partner) = (0, crate::field::Partner::None);
        (player.script, player.speed, player.rate) = (Actor::NO_SCRIPT, 0x1000, 8);
        if let Arrival::New { .. } = arrival {
            (player.x, player.y, player.z) = (0, 0, 0);
            player.mode = SPAWN_MODE;
        }
        self.field = crate::field::Field::new(player);
        self.field.settings = settings;
    }

    /// Objects and people. Those that a trigger binds come first, as in the game's sweep.
    fn place(&mut self, entered: &mut Entered) {
        let Some(man) = self.stage.man else {
            return;
        };
        let ground = self.stage.ground();
        let actors = &mut self.field.actors;
        let bind = |record| cast::bind(&man, record);
        if let Some(map) = self.stage.map.map() {
            entered.objects = init_sweep(&map, &ground, actors, bind);
        }
        entered.people = cast::place(&man, &ground, actors);
    }

    /// Contexts, each tied to its actor, then the prologues.
    fn install<G: Game>(&mut self, game: &mut G, entered: &mut Entered) {
        let player = Context::new(Actor::NO_SCRIPT, &[], 0);
        if let Some(place) = self.vm.insert(player) {
            self.vm.player = Some(place);
            self.tie(place, Body::Player);
        }
        let Some(man) = self.stage.man else {
            return;
        };
        let new = {
            let actors = &self.field.actors;
            let bound = |(_, it): &(ActorId, &Actor)| {
                it.script != Actor::NO_SCRIPT && !it.has(flag::MOVING)
            };
            let objects = actors.iter().filter(bound).map(|(_, it)| Bound {
                record: it.script as u8,
                place: [it.x, it.y, it.z],
            });
            // The actors in the order of their records.
            let mut people = actors.iter().filter(|(_, it)| it.has(flag::MOVING));
            let mut things = actors.iter().filter(bound);
            let bodies = &mut self.bodies;
            let each = |role, place: Option<ContextId>| {
                let actor = match role {
                    Role::Entry => None,
                    Role::Person => people.next(),
                    Role::Object => things.next(),
                };
                let body = place.and_then(|it| bodies.get_mut(usize::from(it)));
                if let (Some(body), Some((id, _))) = (body, actor) {
                    *body = Body::Actor(id);
                }
            };
            let bridge = Bridge {
                stage: &mut self.stage,
                game: &mut *game,
                reads: &Cell::new(false),
            };
            let (installed, new) = scripts::populate(&mut self.vm, &bridge, &man, objects, each);
            entered.scripts = installed;
            new
        };
        self.lend();
        let mut bridge = Bridge {
            stage: &mut self.stage,
            game,
            reads: &Cell::new(false),
        };
        let budget = self.settings.budget;
        scripts::prologues(&mut self.vm, &mut bridge, &new, budget, |_, end| {
            if let SliceEnd::Fault(fault) = end {
                entered.fault.get_or_insert(fault);
            }
        });
        let gone = self.reap();
        self.take_back(false);
        self.free(gone);
    }

    /// Seat the player, and lay the camera window.
    fn seat(&mut self, arrival: Arrival, entered: &mut Entered) {
        // The prologues have run: what they have written stays (section 10.1, step 9 before step 11).
        let Actor { speed, rate, .. } = self.field.player;
        let seat = self.field.seat(&self.stage.ground(), arrival.entry());
        (self.field.player.speed, self.field.player.rate) = (speed, rate);
        entered.tile = seat.window;
        if let Arrival::Warp { heading, .. } = arrival {
            self.field.player.set_heading(heading);
        }
        self.crossing = Crossing::STALE;
        let mut area = Area::STALE;
        area.refresh(&self.stage.ground(), seat.player, self.stage.overworld);
        self.stage.area = area;
        entered.window = self.rebuild_window();
        let Actor { x, y, z, .. } = self.field.player;
        self.stage.view.tick(1, [x, y, z]);
        self.stage.view.zones(x, z);
    }
}
