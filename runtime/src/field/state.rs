//! The state of a field, and one frame of it (field sheet, sections 2, 7 and 9.3).

use super::actor::{ACTORS, Actor, ActorId, Partner, Pool, flag};
use super::bearing::bearing;
use super::compat::{Compat, DiagonalCut};
use super::contact::{self, Contacts, STATIC};
use super::ground::Ground;
use super::hop::{FRAMES, Hop, RECOVERY, ledge};
use super::pad::{self, ACTION, DIRECTIONS, NO_CLIP};
use super::precise::{self, Remainder};
use super::slide::resolve;
use super::touch::{Mailbox, Touching};
use super::units::{engine_heading, saturate};
use super::walk::{Obstacles, base_step, budget};
use super::wall::Walls;
use crate::fixed::Angle;

/// Bit of [`Actor::mode`] that a hop holds set.
const HOP_MODE: u16 = 0x0008;
/// The most that the player's height settles in a vertical blank.
const SETTLE: i32 = 12;
/// The same of an actor of the slow class.
const ACTOR_SETTLE: i32 = 6;
/// The camera mode that the other reading of the diagonal cut asks for.
const CUT_MODE: u8 = 4;

/// Sounds that the field asks for, by their number.
pub mod cue {
    /// The action button was taken.
    pub const ACTION: u8 = 0x20;
    /// A hop has landed.
    pub const LAND: u8 = 0x29;
    /// A hop begins.
    pub const HOP: u8 = 0x2A;
}

/// What a frame hears from outside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Input {
    /// Pad bits that are held.
    pub held: u16,
    /// Pad bits that were not held the frame before.
    pub pressed: u16,
    /// How far the camera turns the pad, in eighths of a turn.
    pub eighths: u8,
    /// For precise movement only: the camera's azimuth, 0 looks to Z+, 400h to X+.
    pub azimuth: Angle,
    /// For precise movement only: the angle of the stick when it is held, 0 is up, 400h right.
    pub stick: Option<Angle>,
    /// Vertical blanks that this frame spans: 1 where each frame is one, 2 as the game plays its
    /// fields. 0 counts as 1.
    pub scalar: u8,
}

/// What a player sets up, and the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Mask of the run button; which one the game takes is not known.
    pub run_button: u16,
    /// Running is the rule, and the button walks.
    pub run_option: bool,
    /// Mask of the interact button.
    pub interact_button: u16,
    /// The height follows the ground, and ledges are hopped.
    pub terrain: bool,
    /// Precise movement, which the game does not have (section 16).
    pub precise: bool,
    /// Debug: [`pad::TURBO`] and [`NO_CLIP`] do something.
    pub debug: bool,
    /// Mode of the camera, for [`DiagonalCut::CameraMode4`].
    pub camera_mode: u8,
    /// Which readings hold.
    pub compat: Compat,
}

impl Settings {
    /// What a game starts with: circle interacts, cross runs.
    pub const NEW: Self = Self {
        run_button: 0x0040,
        run_option: false,
        interact_button: 0x0020,
        terrain: true,
        precise: false,
        debug: false,
        camera_mode: 0,
        compat: Compat::SHEET,
    };
}

impl Default for Settings {
    fn default() -> Self {
        Self::NEW
    }
}

/// What scripts and dialogs set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Control {
    /// The scene is one in which one walks slowly: bit 0 of the MAN's second byte.
    pub forced_slow: bool,
    /// Slow ground slows down.
    pub slow_ground: bool,
    /// A dialog holds touches off.
    pub touch_off: bool,
    /// The actors stand still, and nobody is touched.
    pub paused: bool,
    /// The height stays as it is.
    pub height_off: bool,
    /// A talk that the button began goes on.
    pub talking: bool,
}

/// What a frame has to tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Events {
    /// OR of the results of all steps: [`contact::ACTOR`], [`contact::WALL`], [`STATIC`].
    pub bits: u8,
    /// The action button was taken.
    pub action: bool,
    /// A hop began, with this apex.
    pub hop: Option<i16>,
    /// The actor whose event was posted last, by contact.
    pub contact: Option<ActorId>,
    /// The actor whose event was posted by the button.
    pub interact: Option<ActorId>,
    /// How often walking regenerates: once for every 32 vertical blanks of it.
    pub regenerated: u8,
    /// A sound.
    pub cue: Option<u8>,
}

/// The field: the player, the actors, and what is between them.
#[derive(Clone, Debug)]
pub struct Field {
    /// The player.
    pub player: Actor,
    /// Everybody else.
    pub actors: Pool,
    /// What a player and the host set up.
    pub settings: Settings,
    /// What scripts and dialogs set.
    pub control: Control,
    /// Who was touched last.
    pub mailbox: Mailbox,
    contacts: Contacts,
    pub(super) delta: [i16; 2],
    pub(super) mask: u16,
    pub(super) hop: Option<Hop>,
    /// Open touches; the player is locked until all are dismissed.
    pub(super) engaged: i16,
    pub(super) walked: u16,
    pub(super) remainder: Remainder,
}

impl Field {
    /// A field with this player and nobody else.
    #[must_use]
    pub const fn new(player: Actor) -> Self {
        Self {
            player,
            actors: Pool::new(),
            settings: Settings::NEW,
            control: Control {
                forced_slow: false,
                slow_ground: false,
                touch_off: false,
                paused: false,
                height_off: false,
                talking: false,
            },
            mailbox: Mailbox::new(),
            contacts: Contacts::new(),
            delta: [0; 2],
            mask: 0,
            hop: None,
            engaged: 0,
            walked: 0,
            remainder: Remainder::ZERO,
        }
    }

    /// -8, 0 or 8 along X and Z: which way the player moved in the last frame.
    #[must_use]
    pub const fn delta(&self) -> [i16; 2] {
        self.delta
    }

    /// The directions of the last frame, turned by the camera and resolved against walls; 0 in a
    /// frame without input.
    #[must_use]
    pub const fn mask(&self) -> u16 {
        self.mask
    }

    /// Whether a hop is in progress.
    #[must_use]
    pub const fn is_hopping(&self) -> bool {
        self.hop.is_some()
    }

    /// Touches that are not yet dismissed.
    #[must_use]
    pub const fn engaged(&self) -> i16 {
        self.engaged
    }

    /// One frame: locomotion, then the vertical controller. A frame spans [`Input::scalar`] vertical
    /// blanks; two of one cover the same ground as one of two where nothing is in the way and the
    /// travel budget is even. An odd one moves a unit more each time (section 7.4).
    pub fn frame(&mut self, ground: &Ground<'_>, input: &Input) -> Events {
        let mut events = Events::default();
        let input = Input {
            scalar: input.scalar.max(1),
            ..*input
        };
        self.walk(ground, &input, &mut events);
        // A hop that has begun is ended whatever the setting: it holds the player locked.
        if self.settings.terrain || self.hop.is_some() {
            self.follow(ground, input.scalar, &mut events);
        }
        if self.settings.terrain {
            self.settle_actors(ground, input.scalar);
        }
        events
    }

    /// The height of the actors (section 9.3): forced; of the moving ones, settling, or that of the
    /// floor. Placed objects that are not lifted keep the height that they were placed at.
    fn settle_actors(&mut self, ground: &Ground<'_>, scalar: u8) {
        if self.control.paused {
            return;
        }
        for (_, actor) in self.actors.iter_mut() {
            if actor.has(flag::NO_SETTLE) || actor.animation < 0 {
                continue;
            }
            if actor.has(flag::LIFTED) {
                actor.y = actor.lift.saturating_neg();
                continue;
            }
            if !actor.has(flag::MOVING) {
                continue;
            }
            let y = i32::from(actor.y);
            let way = ground.floor(actor.x.into(), actor.z.into()) - y;
            let rate = i32::from(scalar) * ACTOR_SETTLE;
            let way = if actor.has(flag::SLOW_SETTLE) {
                way.clamp(-rate, rate)
            } else {
                way
            };
            actor.y = saturate(y + way);
        }
    }

    /// Locomotion (section 7.1).
    fn walk(&mut self, ground: &Ground<'_>, input: &Input, events: &mut Events) {
        self.delta = [0; 2];
        self.mask = 0;
        // Where it goes precisely. What was left over is forgotten in a frame without one, locked or not.
        let angle = if self.settings.precise {
            precise::angle(input.azimuth, input.stick, input.held)
        } else {
            None
        };
        if angle.is_none() {
            self.remainder = Remainder::ZERO;
        }
        if self.player.has(flag::LOCKED) {
            return;
        }
        if input.pressed & ACTION != 0 && !self.control.forced_slow {
            self.player.flags |= flag::ACTION;
            events.action = true;
            events.cue = Some(cue::ACTION);
            return;
        }
        if let Some(angle) = angle {
            self.go_precisely(ground, input, events, angle);
        } else if !self.settings.precise {
            self.go_by_the_compass(ground, input, events);
        }
        if self.delta != [0; 2] {
            self.regenerate(input.scalar, events);
        }
        if input.pressed & self.settings.interact_button != 0 && events.bits & STATIC == 0 {
            self.interact(events);
        }
    }

    /// The game's own way: eight directions, resolved against walls.
    fn go_by_the_compass(&mut self, ground: &Ground<'_>, input: &Input, events: &mut Events) {
        let turned = pad::remap(input.held, input.eighths);
        if turned & DIRECTIONS == 0 {
            return;
        }
        self.mask = self.resolved(turned, ground.walls());
        if let Some(heading) = pad::heading(self.mask) {
            self.player.set_heading(heading);
        }
        let diagonal = self.cuts_diagonals() && pad::is_diagonal(self.mask);
        let budget = self.budget(ground, input, diagonal);
        self.go(ground, input, budget, events, None);
    }

    /// Any angle, with what is too short for a step kept for the next frame.
    fn go_precisely(
        &mut self,
        ground: &Ground<'_>,
        input: &Input,
        events: &mut Events,
        angle: Angle,
    ) {
        self.mask = input.held & DIRECTIONS;
        self.player.set_heading(engine_heading(angle));
        let budget = self.budget(ground, input, false);
        self.go(ground, input, budget, events, Some(angle));
    }

    fn cuts_diagonals(&self) -> bool {
        let Settings {
            compat,
            camera_mode,
            ..
        } = self.settings;
        compat.diagonal_cut == DiagonalCut::Always || camera_mode == CUT_MODE
    }

    fn resolved(&self, turned: u16, walls: Walls<'_>) -> u16 {
        let mask = if self.settings.compat.slide {
            resolve(turned, self.player.point(), walls)
        } else {
            turned
        };
        mask & DIRECTIONS
    }

    fn budget(&self, ground: &Ground<'_>, input: &Input, diagonal: bool) -> i32 {
        let Settings {
            debug,
            run_button,
            run_option,
            ..
        } = self.settings;
        let button = input.held & run_button != 0;
        let turbo = debug && input.held & pad::TURBO != 0;
        let base = base_step(self.control.forced_slow, button, run_option, turbo);
        let slow =
            self.control.slow_ground && ground.is_slow(self.player.x.into(), self.player.z.into());
        budget(base, self.player.speed, input.scalar, slow, diagonal)
    }

    /// Walk as far as the budget and the obstacles allow, touching who is in the way: along the mask, or
    /// along an angle.
    fn go(
        &mut self,
        ground: &Ground<'_>,
        input: &Input,
        budget: i32,
        events: &mut Events,
        angle: Option<Angle>,
    ) {
        let from = self.player.point();
        let compat = self.settings.compat;
        let exempt = if compat.solid_actors {
            flag::EXEMPT
        } else {
            flag::EXEMPT | flag::MOVING_BOX
        };
        self.contacts.gather(from, budget, exempt, &self.actors);
        let allowed = self.may_touch();
        let obstacles = Obstacles {
            walls: ground.walls(),
            contacts: &self.contacts,
            footprint: compat.footprint,
            no_clip: self.settings.debug && input.held & NO_CLIP != 0,
        };
        let mut touching = Touching {
            player: &mut self.player,
            actors: &mut self.actors,
            mailbox: &mut self.mailbox,
            engaged: &mut self.engaged,
            allowed,
            posted: None,
        };
        let rest = &mut self.remainder;
        let mut touch = |touch| touching.touch(touch);
        let walk = match angle {
            None => obstacles.steps(from, self.mask, budget, &mut touch),
            Some(angle) => obstacles.precise(from, angle, budget, rest, &mut touch),
        };
        events.contact = touching.posted;
        events.bits = walk.bits;
        self.delta = walk.delta;
        self.player.x = walk.at.x;
        self.player.z = walk.at.z;
    }

    /// The scene's half of the gates of touch (section 11.1).
    const fn may_touch(&self) -> bool {
        !self.control.paused && !self.control.touch_off
    }

    fn regenerate(&mut self, scalar: u8, events: &mut Events) {
        self.walked += u16::from(scalar);
        while self.walked > 0x20 {
            self.walked -= 0x20;
            events.regenerated += 1;
        }
    }

    /// The interaction probe of the button (section 11.3).
    fn interact(&mut self, events: &mut Events) {
        if self.player.has(flag::LOCKED) || !self.may_touch() {
            return;
        }
        let point = contact::interact_point(self.player.point(), self.player.heading());
        let (bits, met) = contact::interact(point, &self.actors);
        let mut touching = Touching {
            player: &mut self.player,
            actors: &mut self.actors,
            mailbox: &mut self.mailbox,
            engaged: &mut self.engaged,
            allowed: true,
            posted: None,
        };
        for id in met {
            touching.link(id);
        }
        let Partner::Actor(partner) = touching.player.partner else {
            return;
        };
        if bits & contact::ACTOR == 0 || !touching.post(partner) {
            return;
        }
        events.interact = Some(partner);
        self.control.talking = true;
        if let Some(actor) = self.actors.get(partner) {
            if actor.flags & (flag::MOVING | flag::FIXED) == flag::MOVING {
                let to = self.player.point();
                self.player.set_heading(bearing(actor.point(), to));
            }
        }
    }

    /// Dismiss all touches of an actor (section 11.4): one of the moving class looks where it looked
    /// before, and when no touch is open any more, the player is free. One that is not engaged has
    /// nothing to be dismissed, and a lock of a hop or of a fight stays.
    pub fn dismiss(&mut self, id: ActorId) {
        let Some(actor) = self.actors.get_mut(id) else {
            return;
        };
        if !actor.has(flag::ENGAGED) && actor.touches == 0 {
            return;
        }
        if actor.has(flag::MOVING) && actor.has(flag::ENGAGED) {
            actor.set_heading(actor.saved_heading);
        }
        actor.flags &= !flag::ENGAGED;
        self.engaged = self.engaged.saturating_sub(actor.touches).max(0);
        actor.touches = 0;
        if self.engaged == 0 {
            self.player.flags &= !flag::LOCKED;
            self.control.talking = false;
        }
    }

    /// Remove an actor with all that hangs on it: its touches are dismissed, and nobody is linked to
    /// it any more. What it was.
    pub fn free(&mut self, id: ActorId) -> Option<Actor> {
        self.dismiss(id);
        let actor = self.actors.free(id)?;
        if self.player.partner == Partner::Actor(id) {
            self.player.partner = Partner::None;
        }
        Some(actor)
    }

    /// Remove everybody but the player, as [`Field::free`] does it.
    pub fn clear(&mut self) {
        for slot in 0..ACTORS {
            if let Some(id) = ActorId::new(slot) {
                self.free(id);
            }
        }
    }

    /// The vertical controller (section 9.3): a hop in progress has the frame; otherwise the height
    /// settles, and a step off a ledge begins a hop.
    fn follow(&mut self, ground: &Ground<'_>, scalar: u8, events: &mut Events) {
        if let Some(mut hop) = self.hop.take() {
            self.hop = self.hop_tick(&mut hop, scalar, events).then_some(hop);
            return;
        }
        if self.player.has(flag::LOCKED) || self.control.height_off {
            return;
        }
        let player = &mut self.player;
        let mut rate = i32::from(scalar) * SETTLE;
        if player.has(flag::SLOW_SETTLE) {
            rate >>= 1;
        }
        let y = i32::from(player.y);
        let floor = ground.floor(player.x.into(), player.z.into());
        player.y = saturate(y + (floor - y).clamp(-rate, rate));
        if self.delta == [0; 2] {
            return;
        }
        let at = [player.x, player.y, player.z];
        if let Some(ledge) = ledge(at, self.delta, ground, &self.contacts) {
            player.flags |= flag::LOCKED;
            events.hop = Some(ledge.apex);
            self.hop = Some(Hop::new(at, &ledge));
        }
    }

    /// A frame of a hop: the curve, then the clock (section 9.4). Whether it goes on.
    fn hop_tick(&mut self, hop: &mut Hop, scalar: u8, events: &mut Events) -> bool {
        let player = &mut self.player;
        if let Some(arc) = &mut hop.arc {
            let ([x, y, z], over) = arc.tick(scalar);
            (player.x, player.y, player.z) = (x, y, z);
            if over {
                hop.arc = None;
            }
        }
        if hop.cursor == 0 {
            player.mode |= HOP_MODE;
            player.flags |= flag::AIRBORNE;
            events.cue = Some(cue::HOP);
        }
        let next = hop.cursor + i16::from(scalar);
        if hop.cursor < FRAMES && next >= FRAMES {
            player.flags &= !flag::AIRBORNE;
            player.mode |= HOP_MODE;
        }
        hop.cursor = next;
        if next < FRAMES + RECOVERY {
            return true;
        }
        player.mode &= !HOP_MODE;
        player.flags &= !flag::LOCKED;
        events.cue = Some(cue::LAND);
        false
    }
}
