//! The kernels of locomotion: base step, travel budget, step loop (field sheet, section 7).
//!
//! The frame that puts them together is [`super::Field::frame`].

use super::actor::ActorId;
use super::compat::Footprint;
use super::contact::{Contacts, STATIC, WALL};
use super::pad::{X_MINUS, X_PLUS, Z_MINUS, Z_PLUS};
use super::units::{Direction, Point, STEP};
use super::wall::Walls;

/// Units a vertical blank of a forced slow walk.
pub const FORCED_SLOW: u8 = 5;
/// Units a vertical blank of a walk.
pub const WALK: u8 = 8;
/// Units a vertical blank of a run.
pub const RUN: u8 = 12;
/// Units a vertical blank of the debug turbo.
pub const TURBO: u8 = 24;
/// [`super::Field::delta`] of an axis that moved: a probe scale for the hop, not a distance.
pub const DELTA: i16 = 8;

/// The base step (section 7.2). A forced slow walk is exclusive; a run is the button or the option,
/// not both; the turbo overrides the run.
#[inline]
#[must_use]
pub const fn base_step(forced_slow: bool, button: bool, option: bool, turbo: bool) -> u8 {
    if forced_slow {
        FORCED_SLOW
    } else if turbo {
        TURBO
    } else if button != option {
        RUN
    } else {
        WALK
    }
}

/// The travel budget in units (section 7.3): base step times multiplier (1000h is one), for so many
/// vertical blanks, halved on slow ground, then less a quarter on a diagonal. Not negative.
#[inline]
#[must_use]
pub const fn budget(base: u8, multiplier: u16, scalar: u8, slow: bool, diagonal: bool) -> i32 {
    let mut speed = ((base as i32 * multiplier as i32) >> 12) * scalar as i32;
    if slow {
        speed >>= 1;
    }
    if diagonal {
        speed -= speed >> 2;
    }
    speed
}

/// What the step loop reports on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touch {
    /// A probe point lies in this actor's box; the last one owns the link.
    Hit(ActorId),
    /// The step met a static actor.
    Static,
}

/// What a step asks.
#[derive(Clone, Copy, Debug)]
pub struct Obstacles<'a> {
    /// The walls.
    pub walls: Walls<'a>,
    /// The actors within reach.
    pub contacts: &'a Contacts,
    /// Which points are asked for walls.
    pub footprint: Footprint,
    /// Steps are taken whatever is in the way (debug).
    pub no_clip: bool,
}

/// How far the loop got.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Steps {
    /// Where it ended.
    pub at: Point,
    /// -8, 0 or 8 along X and Z: which axes moved, and to which side at last.
    pub delta: [i16; 2],
    /// OR of all results: [`super::contact::ACTOR`], [`WALL`], [`STATIC`].
    pub bits: u8,
}

impl Obstacles<'_> {
    /// What a step from here meets (section 5): actors first, then walls. 0 is free; any other answer
    /// refuses the step.
    #[inline]
    pub fn collide(&self, from: Point, direction: Direction, touch: &mut impl FnMut(Touch)) -> u8 {
        let actors = self
            .contacts
            .ahead(from, direction, &mut |id| touch(Touch::Hit(id)));
        let wall = match self.footprint {
            Footprint::Three => self.walls.ahead(from, direction),
            Footprint::Centre => self.leads_into_wall(from, direction),
        };
        actors | if wall { WALL } else { 0 }
    }

    #[cold]
    fn leads_into_wall(&self, from: Point, direction: Direction) -> bool {
        let (x, z) = (i32::from(from.x), i32::from(from.z));
        match direction {
            Direction::ZMinus => self.walls.at(x, z - STEP),
            Direction::XMinus => self.walls.at(x - STEP, z),
            Direction::ZPlus => self.walls.at(x, z + STEP),
            Direction::XPlus => self.walls.at(x + STEP, z),
        }
    }

    /// The step loop (section 7.4): two units at a time, Z before X, Z+ before Z-, X+ before X-. An
    /// axis that is refused stops neither the loop nor the other axis. An odd budget moves one unit
    /// more than it says.
    ///
    /// A step that would leave the range of a coordinate is refused as by a wall.
    pub fn steps(
        &self,
        from: Point,
        mask: u16,
        budget: i32,
        touch: &mut impl FnMut(Touch),
    ) -> Steps {
        let mut walk = Steps {
            at: from,
            ..Steps::default()
        };
        let mut remaining = budget;
        while remaining > 0 {
            let before = walk.at;
            let mut bits = 0;
            if mask & Z_PLUS != 0 {
                bits |= self.step(&mut walk, Direction::ZPlus, touch);
            } else if mask & Z_MINUS != 0 {
                bits |= self.step(&mut walk, Direction::ZMinus, touch);
            }
            if mask & X_PLUS != 0 {
                bits |= self.step(&mut walk, Direction::XPlus, touch);
            } else if mask & X_MINUS != 0 {
                bits |= self.step(&mut walk, Direction::XMinus, touch);
            }
            self.met(&mut walk, bits, touch);
            remaining -= STEP;
            // Who stands before something would meet the same again and again: the same links, and no event
            // that the first meeting has not posted or been refused.
            if walk.at == before {
                break;
            }
        }
        walk
    }

    /// The end of a step that met this.
    #[inline(always)]
    pub(super) fn met(&self, walk: &mut Steps, bits: u8, touch: &mut impl FnMut(Touch)) {
        walk.bits |= bits;
        if bits & STATIC != 0 {
            touch(Touch::Static);
        }
    }

    /// One axis of one step.
    #[inline(always)]
    pub(super) fn step(
        &self,
        walk: &mut Steps,
        direction: Direction,
        touch: &mut impl FnMut(Touch),
    ) -> u8 {
        let bits = self.collide(walk.at, direction, touch);
        if bits != 0 && !self.no_clip {
            return bits;
        }
        const UNITS: i16 = STEP as i16;
        let Point { x, z } = walk.at;
        let [delta_x, delta_z] = &mut walk.delta;
        let (place, moved, delta, sign) = match direction {
            Direction::ZMinus => (&mut walk.at.z, z.checked_sub(UNITS), delta_z, -DELTA),
            Direction::XMinus => (&mut walk.at.x, x.checked_sub(UNITS), delta_x, -DELTA),
            Direction::ZPlus => (&mut walk.at.z, z.checked_add(UNITS), delta_z, DELTA),
            Direction::XPlus => (&mut walk.at.x, x.checked_add(UNITS), delta_x, DELTA),
        };
        let Some(moved) = moved else {
            return bits | WALL;
        };
        *place = moved;
        *delta = sign;
        bits
    }
}
