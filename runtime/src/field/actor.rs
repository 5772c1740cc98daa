//! Actors and the pool they live in (field sheet, section 1).

use super::units::Point;
use crate::fixed::Angle;

/// Bits of [`Actor::flags`] (section 1.2).
pub mod flag {
    /// Any of these two: exempt from collision and touch. Scripts set the first to open a door.
    pub const EXEMPT: u32 = 0x3;
    /// The second of them: its height does not follow the floor either.
    pub const NO_SETTLE: u32 = 0x2;
    /// Set at spawn from the object record's [`super::super::map::flag::ACTOR`].
    pub const RECORD: u32 = 0x4;
    /// The actor asks to be torn down.
    pub const TEAR_DOWN: u32 = 0x8;
    /// The player who talks to it does not turn to it.
    pub const FIXED: u32 = 0x10;
    /// The ambient motion VM runs it.
    pub const AMBIENT: u32 = 0x80;
    /// Its dialog and interaction machine runs.
    pub const ENGAGED: u32 = 0x100;
    /// A yield op is parked.
    pub const HALT: u32 = 0x400;
    /// Owns a mesh buffer.
    pub const OWNS_MESH: u32 = 0x800;
    /// Settles at half the rate.
    pub const SLOW_SETTLE: u32 = 0x2000;
    /// Moving class.
    pub const MOVING: u32 = 0x2_0000;
    /// On the player: no movement and no input.
    pub const LOCKED: u32 = 0x8_0000;
    /// In the air.
    pub const AIRBORNE: u32 = 0x20_0000;
    /// Does not turn to the player.
    pub const NO_TURN: u32 = 0x40_0000;
    /// On the player: the action button was taken. On an actor: the moving box.
    pub const ACTION: u32 = 0x100_0000;
    /// Its height is forced to `-lift`.
    pub const LIFTED: u32 = 0x2000_0000;
    /// Interact class: blocks, but body contact does not trigger it.
    pub const INTERACT: u32 = 0x4000_0000;

    /// Any of these: the small box that goes with the live position.
    pub const MOVING_BOX: u32 = 0x0102_0000;
    /// Any of these: contact answers bit 1, otherwise bit 4.
    pub const REPORTS_ONE: u32 = 0x4002_0000;
}

/// Number of actors beside the player.
pub const ACTORS: usize = 64;

/// A place in the pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ActorId(u8);

impl ActorId {
    /// The first slot.
    pub const FIRST: Self = Self(0);

    /// The actor in this slot; `None` past the pool.
    #[must_use]
    pub const fn new(slot: usize) -> Option<Self> {
        if slot < ACTORS {
            Some(Self(slot as u8))
        } else {
            None
        }
    }

    /// Slot, below [`ACTORS`].
    #[inline]
    #[must_use]
    pub const fn slot(self) -> usize {
        self.0 as usize & (ACTORS - 1)
    }
}

/// Who an actor touched last (`+98h`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Partner {
    /// Nobody yet.
    #[default]
    None,
    /// The player.
    Player,
    /// An actor of the pool.
    Actor(ActorId),
}

/// How an actor is drawn: the game's draw kind (sections 12.1 and 12.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Draw {
    /// Not at all: its record says so, or its clip is not there.
    #[default]
    None = 0,
    /// Each part of the mesh by its own bone. To be refused where the clip has another number of parts
    /// than the mesh: [`crate::anim::legaia::part_gate`].
    Posed = 1,
    /// All parts of the mesh by the actor's place and rotation.
    Rigid = 5,
}

impl Draw {
    /// The kind that goes with a requested animation.
    #[must_use]
    pub const fn of(animation: i16) -> Self {
        if animation == 0 {
            Self::Rigid
        } else {
            Self::Posed
        }
    }
}

/// What an actor's legs do (section 7.5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Gait {
    /// It stands.
    #[default]
    Idle = 0,
    /// It moves, whatever moves it, or is held against a wall.
    Walk = 1,
    /// The player runs.
    Run = 2,
}

/// An actor; the comments name the fields of the game's own (section 1.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Actor {
    /// Bits of [`flag`] (`+10h`).
    pub flags: u32,
    /// World X (`+14h`).
    pub x: i16,
    /// Height of the footing, growing downward (`+16h`).
    pub y: i16,
    /// World Z (`+18h`).
    pub z: i16,
    /// Rotation about X, Y (the heading) and Z (`+24h` to `+28h`).
    pub rotation: [Angle; 3],
    /// How often it was touched and not yet dismissed (`+2Ah`).
    pub touches: i16,
    /// Script id: a flat MAN record, or [`Actor::NO_SCRIPT`] (`+50h`).
    pub script: u16,
    /// Its footprint is corrected by the object's offset (`+52h` bit 8).
    pub corrected: bool,
    /// Cull radius in 64 units (`+58h`).
    pub cull: u8,
    /// Heading before an interaction (`+5Ah`).
    pub saved_heading: Angle,
    /// Requested animation, 0 none, negative not live (`+5Ch`).
    pub animation: i16,
    /// Bound animation (`+5Eh`).
    pub bound: i16,
    /// Object record (`+60h`).
    pub object: u16,
    /// Animation control word (`+62h`).
    pub mode: u16,
    /// Mesh (`+64h`).
    pub mesh: u16,
    /// Animation cursor, 1/16 frame (`+68h`).
    pub cursor: i16,
    /// Animation rate, 1/16 frame a tick (`+6Ah`).
    pub rate: i16,
    /// Speed multiplier, 1000h is one (`+72h`).
    pub speed: u16,
    /// Render flags (`+74h`).
    pub render: u32,
    /// The standing move that the last post asked for (`+88h`, section 11.4).
    pub standing: i16,
    /// Negated height of a [`flag::LIFTED`] actor (`+8Eh`).
    pub lift: i16,
    /// Who it touched last, or was touched by (`+98h`).
    pub partner: Partner,
    /// From the position to the centre of the contact box of an actor without
    /// [`flag::MOVING_BOX`], X and Z (section 3.4).
    pub footprint: [i32; 2],
    /// How it is drawn.
    pub draw: Draw,
    /// What its legs do.
    pub gait: Gait,
    /// Where [`super::Field::animate`] saw it last; `None` before: to appear is no step.
    pub seen: Option<Point>,
    /// It is of the window's sweep, and leaves with the window (section 12.1).
    pub of_window: bool,
}

impl Actor {
    /// [`Actor::script`] of an actor that has none: contact with it starts nothing.
    pub const NO_SCRIPT: u16 = 0xFFFF;

    /// An actor at rest in the corner of the map: no flags, speed one.
    pub const NEW: Self = Self {
        flags: 0,
        x: 0,
        y: 0,
        z: 0,
        rotation: [0; 3],
        touches: 0,
        script: Self::NO_SCRIPT,
        corrected: false,
        cull: 0,
        saved_heading: 0,
        animation: 0,
        bound: 0,
        object: 0,
        mode: 0,
        mesh: 0,
        cursor: 0,
        rate: 8,
        speed: 0x1000,
        render: 0,
        standing: 0,
        lift: 0,
        partner: Partner::None,
        footprint: [0; 2],
        draw: Draw::Rigid,
        gait: Gait::Idle,
        seen: None,
        of_window: false,
    };

    /// Where it stands.
    #[inline]
    #[must_use]
    pub const fn point(&self) -> Point {
        Point::new(self.x, self.z)
    }

    /// Where it looks: rotation about Y.
    #[inline]
    #[must_use]
    pub const fn heading(&self) -> Angle {
        self.rotation[1]
    }

    /// Look there.
    #[inline]
    pub const fn set_heading(&mut self, heading: Angle) {
        self.rotation[1] = heading;
    }

    /// Whether any of these bits is set.
    #[inline]
    #[must_use]
    pub const fn has(&self, bits: u32) -> bool {
        self.flags & bits != 0
    }
}

impl Default for Actor {
    fn default() -> Self {
        Self::NEW
    }
}

/// The actors of a scene beside the player, in the order of their slots.
#[derive(Clone, Debug)]
pub struct Pool {
    slots: [Option<Actor>; ACTORS],
    /// All slots from here on are free.
    end: usize,
}

impl Pool {
    /// Nobody.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            slots: [None; ACTORS],
            end: 0,
        }
    }

    /// Take the first free slot; `None` when there is none.
    pub fn spawn(&mut self, actor: Actor) -> Option<ActorId> {
        let slot = self.slots.iter().position(Option::is_none)?;
        let id = ActorId::new(slot)?;
        self.slots[id.slot()] = Some(actor);
        self.end = self.end.max(slot + 1);
        Some(id)
    }

    /// Remove an actor, and the links of the others here to it; what it was. The player's link and
    /// the player's lock are not the pool's: [`super::Field::free`] sees to them.
    pub fn free(&mut self, id: ActorId) -> Option<Actor> {
        let actor = self.slots[id.slot()].take()?;
        for (_, other) in self.iter_mut() {
            if other.partner == Partner::Actor(id) {
                other.partner = Partner::None;
            }
        }
        while self.end > 0 && self.slots[(self.end - 1) & (ACTORS - 1)].is_none() {
            self.end -= 1;
        }
        Some(actor)
    }

    /// Remove everybody; [`super::Field::clear`] sees to the player, too.
    pub fn clear(&mut self) {
        *self = Self::new();
    }

    /// An actor.
    #[inline]
    #[must_use]
    pub fn get(&self, id: ActorId) -> Option<&Actor> {
        self.slots[id.slot()].as_ref()
    }

    /// An actor, to be changed.
    #[inline]
    #[must_use]
    pub fn get_mut(&mut self, id: ActorId) -> Option<&mut Actor> {
        self.slots[id.slot()].as_mut()
    }

    /// The first actor with this script id.
    #[must_use]
    pub fn with_script(&self, script: u16) -> Option<ActorId> {
        self.iter()
            .find(|(_, actor)| actor.script == script)
            .map(|(id, _)| id)
    }

    /// Number of actors.
    #[must_use]
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// Whether there is nobody.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.end == 0
    }

    /// Everybody, in order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (ActorId, &Actor)> {
        let used = self.slots.get(..self.end).unwrap_or_default();
        used.iter()
            .zip(0_u8..)
            .filter_map(|(slot, id)| Some((ActorId(id), slot.as_ref()?)))
    }

    /// Everybody, in order, to be changed.
    #[inline]
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (ActorId, &mut Actor)> {
        let used = self.slots.get_mut(..self.end).unwrap_or_default();
        used.iter_mut()
            .zip(0_u8..)
            .filter_map(|(slot, id)| Some((ActorId(id), slot.as_mut()?)))
    }
}

impl Default for Pool {
    fn default() -> Self {
        Self::new()
    }
}
