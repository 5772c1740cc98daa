//! One frame of a world, in the sheet's order: pad, field, triggers, scripts with walks and ambient motion,
//! animation, view.

use core::cell::Cell;

use super::body::Body;
use super::bridge::Bridge;
use super::flight::{Flight, Spot};
use super::game::{Change, Fight, Game, Outcome};
use super::stage::Wish;
use super::{Talk, World};
use crate::field::actor::flag;
use crate::field::crossing::Crossed;
use crate::field::encounter::Modifiers;
use crate::field::map::Tile;
use crate::field::spawn::{Swept, WindowGates};
use crate::field::{Actor, ActorId, Events, Input, pad};
use crate::scene::cast;
use crate::scene::man::{Partition, Record};
use crate::scene::scripts;
use crate::script::context::{Hold, seat};
use crate::script::dialog::{Buttons, Conversation, Phase};
use crate::script::host::ContextId;
use crate::script::state::{Resume, SystemFlags, Word};
use crate::script::{Fault, PLAYER, SYSTEM, SliceEnd};

/// Bit of the global bank that holds all actors.
const SUPPRESSED: u32 = 0x400;
/// Bit of the global bank that has the menu's button refused (field sheet, section 7.1).
const MENU_OFF: u32 = 0x0800_0000;
/// The clip that takes the player's away (`22 63`).
const NO_CLIP: i16 = 99;

/// What a frame has to tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// What the field tells.
    pub field: Events,
    /// What the player has stepped onto.
    pub crossed: Crossed,
    /// Beats that have started.
    pub started: u8,
    /// Beats whose story flags did not let them.
    pub blocked: u8,
    /// Beats that a tile or a script names and that are not there, or are malformed.
    pub missing: u8,
    /// Beats for which there was no room.
    pub full: u8,
    /// The last script, stream or conversation that went wrong; the rest goes on.
    pub fault: Option<Fault>,
    /// The world is left. So say all further frames, which do nothing.
    pub change: Option<Change>,
}

impl<'m, const N: usize> World<'m, N> {
    /// One frame of [`super::Settings::scalar`] vertical blanks with these held buttons (the game's pad word:
    /// [`pad::DIRECTIONS`], and what [`crate::field::Settings`] names).
    ///
    /// 1. A fight that is on has the frame; a world that was left stands still.
    /// 2. The field: locomotion, touches, heights (field sheet, section 7). A box, a menu and a script's lock
    ///    take the pad from it.
    /// 3. Tiles: walk-on beats and doorways (10.2), regions (10.6), the encounter step (10.9).
    /// 4. Scripts: the conversation, then each context's slice, walk and ambient stream; then what they asked
    ///    for.
    /// 5. Animation and view.
    pub fn frame<G: Game>(&mut self, held: u16, game: &mut G) -> Frame {
        let pressed = held & !self.held;
        self.held = held;
        let mut frame = Frame::default();
        if self.stage.change.is_none() && self.goes_on(game) {
            self.ticks = self.ticks.wrapping_add(1);
            self.stage.held = held;
            self.stage.scalar = self.settings.scalar.clamp(1, 4);
            let free = self.pad_is_free();
            let touched = self.walk(held, pressed, free, &mut frame);
            self.tiles(&mut frame);
            self.scripts(pressed, touched, game, &mut frame);
            self.animate();
            let Actor { x, y, z, .. } = self.field.player;
            self.stage.view.tick(self.stage.scalar, [x, y, z]);
            let still = self.vm.state.global & SUPPRESSED != 0;
            if !still && !self.field.player.has(flag::LOCKED) {
                self.stage.view.zones(x, z);
            }
            if let Some(fight) = self.stage.fight {
                self.field.begin_fight(fight.formation);
            }
        }
        frame.change = self.stage.change;
        frame
    }

    /// Ask about a fight; whether the world goes on.
    fn goes_on<G: Game>(&mut self, game: &mut G) -> bool {
        let Some(fight) = self.stage.fight else {
            return true;
        };
        let Some(outcome) = game.fight(&fight) else {
            return false;
        };
        self.stage.fight = None;
        if outcome == Outcome::Lost {
            self.stage.leave(Change::GameOver);
            return false;
        }
        if fight.scripted {
            // What `3E` has locked.
            self.vm.state.system.clear(SystemFlags::INTERACT);
        }
        self.field.end_fight();
        true
    }

    /// Whether the field gets the pad.
    fn pad_is_free(&self) -> bool {
        let state = &self.vm.state;
        let asked = state.input_lock || state.resume != Resume::Idle;
        // A script that has parked the player moves it.
        self.talk.is_none() && !asked && !self.field.player.has(flag::HALT)
    }

    /// The field's part; the context that was touched.
    fn walk(
        &mut self,
        held: u16,
        pressed: u16,
        free: bool,
        frame: &mut Frame,
    ) -> Option<(ContextId, ActorId)> {
        let input = Input {
            held: if free { held } else { 0 },
            pressed: if free { pressed } else { 0 },
            eighths: pad::camera_eighths(self.stage.view.yaw()),
            azimuth: pad::camera_azimuth(self.stage.view.yaw()),
            stick: None,
            scalar: self.stage.scalar,
        };
        let control = &mut self.field.control;
        control.paused = self.vm.state.global & SUPPRESSED != 0;
        // The gate of 9.3 with the same bit is taken for the same word's.
        control.height_off = control.paused;
        control.touch_off = self.talk.is_some();
        control.menu_off = self.vm.state.global & MENU_OFF != 0;
        control.slow_ground = self.vm.state.word(Word::SceneCtrl) == 1;
        frame.field = self.field.frame(&self.stage.ground(), &input);
        self.bury();
        let actor = frame.field.contact.or(frame.field.interact)?;
        let Some(place) = self.context_of(actor) else {
            // Nobody would ever dismiss it.
            self.field.dismiss(actor);
            return None;
        };
        Some((place, actor))
    }

    /// What the tile under the player starts.
    fn tiles(&mut self, frame: &mut Frame) {
        let overworld = self.stage.overworld;
        if self.talk.is_none() && self.vm.state.resume == Resume::Idle {
            let ground = self.stage.ground();
            frame.crossed = self.field.cross(&ground, &mut self.crossing, overworld);
            if frame.crossed.doorway.is_some() {
                self.stage.view.resync();
            }
            self.start_beats(frame);
        }
        let at = self.field.player.point();
        let mut area = self.stage.area;
        area.refresh(&self.stage.ground(), at, overworld);
        self.stage.area = area;
        if area.regions.bounds != self.window {
            self.rebuild_window();
        }
        self.roll();
    }

    /// The objects of the window, anew.
    pub(super) fn rebuild_window(&mut self) -> Swept {
        self.window = self.stage.area.regions.bounds;
        let Some(map) = self.stage.map.map() else {
            return Swept::default();
        };
        let ground = self.stage.ground();
        let (window, gates) = (self.window, WindowGates::OPEN);
        self.field
            .rebuild_window(&map, &ground, window, gates, |_, _| {})
    }

    /// The encounter step (field sheet, section 10.9). Who is led somewhere steps, but does not roll: by a
    /// lock, or by a script that has the pad.
    fn roll(&mut self) {
        if self.field.player.has(flag::LOCKED) || !self.pad_is_free() {
            let player = &self.field.player;
            self.encounter.stepped(player.x.into(), player.z.into());
            return;
        }
        let system = &self.vm.state.system;
        let modifiers = Modifiers {
            twice: system.test(0x1D),
            half: system.test(0x1E),
            ..self.settings.encounters
        };
        let (encounters, random) = (self.stage.encounters.as_ref(), &mut self.stage.random);
        let mut stage = 0;
        let rate = |tile: Tile| {
            let region = cast::region(encounters?, tile, |flag| system.test(flag))?;
            stage = region.stage();
            Some(cast::rate(&region))
        };
        let state = &mut self.encounter;
        let formation = self
            .field
            .encounter(state, rate, &modifiers, || random.draw());
        if let Some(formation) = formation {
            self.stage.begin_fight(Fight {
                formation,
                scripted: false,
                stage,
            });
        }
    }

    /// The scripts' part.
    fn scripts<G: Game>(
        &mut self,
        pressed: u16,
        touched: Option<(ContextId, ActorId)>,
        game: &mut G,
        frame: &mut Frame,
    ) {
        self.lend();
        let mailed = self.vm.mailbox.is_some();
        if let Some((place, actor)) = touched {
            self.talk = Some(Talk {
                conversation: match frame.field.contact {
                    Some(it) if it == actor => Conversation::begin_by_contact(&mut self.vm, place),
                    _ => Conversation::begin(&mut self.vm, place),
                },
                place,
                actor: Some(actor),
            });
        }
        let over = self.converse(pressed, game, frame);
        self.keep_player();
        let budget = self.settings.budget;
        let free = self.talk.is_none();
        let mut text = None;
        // Who asks behind a box that opens in this frame hears of it.
        let reads = Cell::new(self.reads());
        let mut bridge = Bridge {
            stage: &mut self.stage,
            game,
            reads: &reads,
        };
        self.vm.frame(&mut bridge, budget, |place, end| match end {
            SliceEnd::Text if free => {
                text = text.or(Some(place));
                reads.set(true);
            }
            SliceEnd::Fault(fault) => frame.fault = Some(fault),
            _ => {}
        });
        if let Some(place) = text {
            self.talk = Some(Talk {
                conversation: Conversation::overhear(&mut self.vm, &bridge, place),
                place,
                actor: None,
            });
        }
        let gone = self.reap();
        self.end_beats();
        if gone != 0 {
            // Before somebody is made again: there may be no other room for them.
            self.take_back(mailed);
            self.free(gone);
            self.lend();
        }
        self.grant(game, frame);
        self.fly();
        self.take_back(mailed);
        if let Some(actor) = over {
            self.field.dismiss(actor);
        }
    }

    /// One frame of the conversation; whom it lets go.
    fn converse<G: Game>(
        &mut self,
        pressed: u16,
        game: &mut G,
        frame: &mut Frame,
    ) -> Option<ActorId> {
        let mut talk = self.talk.take()?;
        let confirm = self.field.settings.interact_button;
        let buttons = Buttons {
            confirm: pressed & confirm != 0,
            held: self.held & confirm != 0,
            up: pressed & pad::Z_PLUS != 0,
            down: pressed & pad::Z_MINUS != 0,
        };
        // Torn down while it spoke: whose context is gone has left the field, and nobody is held.
        if !self.vm.is_engaged(talk.place) {
            return talk.actor;
        }
        // A conversation whose script has a slice shows nothing.
        let mut bridge = Bridge {
            stage: &mut self.stage,
            game,
            reads: &Cell::new(false),
        };
        let budget = self.settings.budget;
        let phase = talk
            .conversation
            .tick(&mut self.vm, &mut bridge, buttons, budget);
        if let Some(fault) = talk.conversation.fault() {
            frame.fault = Some(fault);
        }
        if phase == Phase::Over {
            return talk.actor;
        }
        self.talk = Some(talk);
        None
    }

    /// What scripts have asked for. What this itself asks for waits for the next frame; who is gone by now
    /// has no wish any more, and neither has who gets the place.
    pub(super) fn grant<G: Game>(&mut self, game: &mut G, frame: &mut Frame) {
        let stranded = core::mem::take(&mut self.stage.stranded);
        let mut wishes = core::mem::take(&mut self.stage.wishes);
        for place in Self::places().filter(|&it| stranded.has(it)) {
            // All arcs of the place but those that fly or are about to.
            let flies = |hold| self.flights.iter().any(|it| it.hold == Some(hold));
            let wished = |hold| {
                let mut hops = wishes.iter();
                hops.any(|it| matches!(*it, Wish::Hop(it, _) if it == hold))
            };
            self.vm.end_arcs(place, |number| {
                let hold = Hold { of: place, number };
                !flies(hold) && !wished(hold)
            });
        }
        wishes.retain(|wish| {
            wish.whose().is_none_or(|place| {
                let context = self.vm.contexts.get(usize::from(place));
                context.is_some_and(|it| it.live)
            })
        });
        for wish in wishes {
            match wish {
                Wish::Spawn(flat) => self.start_beat(flat.into(), frame),
                Wish::Restore(flat) => self.restore(flat, game),
                Wish::Hop(hold, [x, z, apex, _]) => {
                    let from = self.place_of(hold.of);
                    let to = if x == 0 && z == 0 {
                        from
                    } else {
                        let (x, z) = (seat(x), seat(z));
                        [x, self.stage.floor(x, z), z]
                    };
                    self.launch(Flight::hop(hold, from, to, apex), to.map(Some));
                }
                Wish::Tween(place, to, ticks) => {
                    let from = self.place_of(place);
                    let end = to.map(|it| (it != 0xFFFF).then_some(it as i16));
                    self.launch(Flight::tween(place, from, end, ticks), end);
                }
            }
        }
    }

    fn place_of(&self, place: ContextId) -> [i16; 3] {
        let context = self.vm.contexts.get(usize::from(place));
        context.map_or([0; 3], |it| [it.x, it.y, it.z])
    }

    fn put(&mut self, place: ContextId, to: Spot) {
        if let Some(it) = self.vm.contexts.get_mut(usize::from(place)) {
            for (at, to) in [&mut it.x, &mut it.y, &mut it.z].into_iter().zip(to) {
                *at = to.unwrap_or(*at);
            }
        }
    }

    /// Begin a movement; where there is no room for one more, it is over at once. One that was under way ends,
    /// and lets go whom it holds.
    fn launch(&mut self, flight: Flight, end: Spot) {
        let (place, hold) = (flight.context, flight.hold);
        let vm = &mut self.vm;
        self.flights.retain(|it| {
            let stays = it.context != place;
            if let Some(hold) = it.hold.filter(|_| !stays) {
                vm.end_arc(hold);
            }
            stays
        });
        if self.flights.push(flight).is_err() {
            self.put(place, end);
            if let Some(hold) = hold {
                self.vm.end_arc(hold);
            }
        }
    }

    /// One frame of what moves beside the walks.
    fn fly(&mut self) {
        let frames = self.stage.scalar;
        let mut flights = core::mem::take(&mut self.flights);
        flights.retain_mut(|flight| {
            let place = flight.context;
            if !self
                .vm
                .contexts
                .get(usize::from(place))
                .is_some_and(|it| it.live)
            {
                return false;
            }
            let (at, over) = flight.tick(frames);
            self.put(place, at);
            if let Some(hold) = flight.hold.filter(|_| over) {
                self.vm.end_arc(hold);
            }
            !over
        });
        self.flights = flights;
    }

    /// A person of partition 1, from its record (`4C D2`), as an entry has it: on its tile, with its stream, by
    /// its prologue.
    fn restore<G: Game>(&mut self, flat: u8, game: &mut G) {
        let Some(man) = self.stage.man else {
            return;
        };
        // Another wish of this frame may have made it.
        let (Ok(Record::Actor(record)), None) = (man.record(flat.into()), self.vm.resolve(flat))
        else {
            return;
        };
        // The entry script is nobody (MAN sheet, section 2), and names win over records (field VM sheet, 9.3).
        let entry = man.flat(Partition::Actor, 0) == Ok(flat.into());
        if entry || matches!(flat, PLAYER | SYSTEM) {
            return;
        }
        // Whose script found no room is there all the same.
        let there = |(id, it): (ActorId, &Actor)| {
            it.script == u16::from(flat)
                && !it.has(flag::TEAR_DOWN)
                && self.context_of(id).is_none()
        };
        if self.field.actors.iter().any(there) {
            return;
        }
        let reads = Cell::new(self.reads());
        let bridge = Bridge {
            stage: &mut self.stage,
            game: &mut *game,
            reads: &reads,
        };
        let context = scripts::person(&record, &bridge);
        let Some(place) = self.vm.insert(context) else {
            return;
        };
        let Some(actor) = self
            .field
            .actors
            .spawn(cast::person(&record, &self.stage.ground()))
        else {
            self.vm.remove(place);
            return;
        };
        self.tie(place, Body::Actor(actor));
        // What the two of them know in common is the actor's.
        self.lend_to(place);
        scripts::bind_stream(&mut self.vm, &man, place, flat);
        let mut bridge = Bridge {
            stage: &mut self.stage,
            game,
            reads: &reads,
        };
        self.vm.prologue(&mut bridge, place, self.settings.budget);
    }

    /// Gaits and clocks of everybody's clips.
    fn animate(&mut self) {
        let player = &mut self.field.player;
        if player.animation == NO_CLIP {
            player.animation = 0;
        }
        let (banks, scalar) = (self.stage.banks, self.stage.scalar);
        self.field.animate(&banks, scalar, |_, _| None);
    }
}
