//! The kernels of locomotion: base step, travel budget, step loop (field sheet, section 7).
//!
//! The frame that puts them together is [`super::Field::frame`].

use super::actor::ActorId;
use super::compat::Footprint;
use super::contact::{Contacts, STATIC, WALL};
use super::pad::{X_MINUS, X_PLUS, Z_MINUS, Z_PLUS};
use super::units::{Direction, Point, STEP};
use super::wall::Walls;
use super::way::{Met, Span, Way};

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
        actors | self.wall(from, direction)
    }

    /// [`WALL`] if one bars a step from here.
    #[inline]
    fn wall(&self, from: Point, direction: Direction) -> u8 {
        let wall = match self.footprint {
            Footprint::Three => self.walls.ahead(from, direction),
            Footprint::Centre => self.leads_into_wall(from, direction),
        };
        if wall { WALL } else { 0 }
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
        let which = |bits: [(u16, Direction); 2]| bits.into_iter().find(|(bit, _)| mask & bit != 0);
        let directions = [
            which([(Z_PLUS, Direction::ZPlus), (Z_MINUS, Direction::ZMinus)]),
            which([(X_PLUS, Direction::XPlus), (X_MINUS, Direction::XMinus)]),
        ]
        .map(|it| it.map(|(_, direction)| direction));
        let mut walk = Steps {
            at: from,
            ..Steps::default()
        };
        // An odd budget moves a unit more.
        let reach = budget.clamp(0, i32::MAX - 1) as u32 + 1;
        let mut ways = directions.map(Way::new);
        if self.footprint == Footprint::Three
            && Walls::is_far_from_edges(from, reach)
            && self.find(&mut ways, from, reach)
        {
            self.quick_steps(&mut walk, &ways, budget, touch);
        } else {
            self.plain_steps(&mut walk, directions, budget, touch);
        }
        walk
    }

    /// Find whom the steps of two ways, along Z and along X, can meet. Whether all of them have room.
    fn find(&self, [z_way, x_way]: &mut [Way; 2], from: Point, reach: u32) -> bool {
        if self.contacts.is_empty() {
            return true;
        }
        let span = |at: i16, step: i32| Span {
            from: i32::from(at) - if step < 0 { reach as i32 } else { 0 },
            len: if step == 0 { 0 } else { reach },
        };
        let (z, x) = (span(from.z, z_way.step), span(from.x, x_way.step));
        (z_way.step == 0 || z_way.find(self.contacts, false, [z, x]))
            && (x_way.step == 0 || x_way.find(self.contacts, true, [x, z]))
    }

    /// The steps of two ways, along Z and along X, far from the edges of the map.
    fn quick_steps(
        &self,
        walk: &mut Steps,
        [z_way, x_way]: &[Way; 2],
        budget: i32,
        touch: &mut impl FnMut(Touch),
    ) {
        let (mut x, mut z) = (i32::from(walk.at.x), i32::from(walk.at.z));
        // What the step before has met, and told of.
        let mut told = [0; 2];
        let mut remaining = budget;
        while remaining > 0 {
            let (mut all, mut stands) = (0, true);
            let mut patterns = [0; 2];
            if z_way.step != 0 {
                let Met { bits, pattern } = z_way.meets(z, x);
                let wall = self.walls.along_x(x, z + z_way.wall);
                let bits = bits | if wall { WALL } else { 0 };
                if bits == 0 || self.no_clip {
                    z += z_way.step;
                    stands = false;
                }
                (all, patterns[0]) = (bits, pattern);
            }
            if x_way.step != 0 {
                let Met { bits, pattern } = x_way.meets(x, z);
                let wall = self.walls.along_z(x + x_way.wall, z);
                let bits = bits | if wall { WALL } else { 0 };
                if bits == 0 || self.no_clip {
                    x += x_way.step;
                    stands = false;
                }
                (all, patterns[1]) = (all | bits, pattern);
            }
            if patterns != told {
                // Nothing that a hit changes depends on the steps: the same hits leave what they have left.
                for (way, pattern) in [z_way, x_way].into_iter().zip(patterns) {
                    way.tell(pattern, &mut |id| touch(Touch::Hit(id)));
                }
                told = patterns;
            }
            self.met(walk, all, touch);
            remaining -= STEP;
            // Who stands before something would meet the same again and again: the same links, and no event
            // that the first meeting has not posted or been refused.
            if stands {
                break;
            }
        }
        let at = Point::saturating(x, z);
        let side = |to: i16, from: i16| DELTA * (to - from).signum();
        walk.delta = [side(at.x, walk.at.x), side(at.z, walk.at.z)];
        walk.at = at;
    }

    /// Steps near an edge of the map, among too many, or with another footprint.
    #[cold]
    #[inline(never)]
    fn plain_steps(
        &self,
        walk: &mut Steps,
        directions: [Option<Direction>; 2],
        budget: i32,
        touch: &mut impl FnMut(Touch),
    ) {
        let mut remaining = budget;
        while remaining > 0 {
            let before = walk.at;
            let mut bits = 0;
            for direction in directions.into_iter().flatten() {
                bits |= self.step(walk, direction, touch);
            }
            self.met(walk, bits, touch);
            remaining -= STEP;
            if walk.at == before {
                break;
            }
        }
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
        self.go(walk, direction, bits)
    }

    /// Take a step that meets this, if it may be taken.
    #[inline(always)]
    fn go(&self, walk: &mut Steps, direction: Direction, bits: u8) -> u8 {
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

#[cfg(test)]
mod tests {
    use super::super::actor::{Actor, Pool, flag};
    use super::super::map::COLLISION_SIZE;
    use super::super::pad::RING;
    use super::*;

    /// What hits and posts leave: who was hit, who last, and who was linked when something static was met.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    struct Left {
        hit: u64,
        last: Option<ActorId>,
        posted: Option<ActorId>,
    }

    impl Left {
        fn touch(&mut self, touch: Touch) {
            match touch {
                Touch::Hit(id) => {
                    self.hit |= 1 << id.slot();
                    self.last = Some(id);
                }
                // The first post locks the player, and the others are dropped.
                Touch::Static => self.posted = self.posted.or(self.last),
            }
        }
    }

    /// The step loop as the sheet has it, which asks and tells anew at each step.
    fn plainly(it: &Obstacles<'_>, from: Point, mask: u16, budget: i32, left: &mut Left) -> Steps {
        let mut walk = Steps {
            at: from,
            ..Steps::default()
        };
        for _ in 0..(budget + 1) / 2 {
            let mut bits = 0;
            for (plus, minus, ways) in [
                (Z_PLUS, Z_MINUS, [Direction::ZPlus, Direction::ZMinus]),
                (X_PLUS, X_MINUS, [Direction::XPlus, Direction::XMinus]),
            ] {
                let way = match (mask & plus != 0, mask & minus != 0) {
                    (true, _) => ways[0],
                    (_, true) => ways[1],
                    _ => continue,
                };
                bits |= it.step(&mut walk, way, &mut |touch| left.touch(touch));
            }
            it.met(&mut walk, bits, &mut |touch| left.touch(touch));
        }
        walk
    }

    /// Whatever is in the way: the loop that looks who can be met, and tells only of what is new, leads where the
    /// plain one does and leaves what it leaves; also where there are too many, and at the ends of the range.
    #[test]
    fn what_is_told_once_leaves_what_is_told_at_each_step() {
        let mut seed = 7_u32;
        let mut draw = || {
            seed = seed.wrapping_mul(0x41C6_4E6D).wrapping_add(0x3039);
            seed >> 16
        };
        let mut grid = [0_u8; COLLISION_SIZE];
        for byte in &mut grid {
            *byte = if draw().is_multiple_of(16) {
                (draw() & 0xF0) as u8
            } else {
                0
            };
        }
        let (mut met, mut posted, mut fewer) = (0, 0, 0);
        for round in 0..3000_u32 {
            // Now and then at an end of the range of a coordinate.
            let from = match round % 10 {
                0 => Point::new(i16::MAX - 80, (draw() & 0x3FFF) as i16),
                1 => Point::new((draw() & 0x3FFF) as i16, i16::MIN + 80),
                _ => Point::new((draw() & 0x3FFF) as i16, (draw() & 0x3FFF) as i16),
            };
            let mut actors = Pool::new();
            for n in 0..(if round % 7 == 0 { 40 } else { draw() % 12 }) {
                let mut off = |at: i16| at.saturating_add((draw() % 320) as i16 - 160);
                actors.spawn(Actor {
                    x: off(from.x),
                    z: off(from.z),
                    flags: [0, flag::MOVING, flag::MOVING, flag::INTERACT][n as usize & 3],
                    ..Actor::NEW
                });
            }
            let (mask, budget) = (RING[draw() as usize & 7], (draw() % 60) as i32);
            let mut contacts = Contacts::new();
            contacts.gather_along(mask, from, budget, flag::EXEMPT, &actors);
            let obstacles = Obstacles {
                walls: Walls::new(&grid),
                contacts: &contacts,
                footprint: Footprint::Three,
                no_clip: round % 5 == 0,
            };
            let (mut one, mut other, mut told) = (Left::default(), Left::default(), 0);
            let expected = plainly(&obstacles, from, mask, budget, &mut one);
            let found = obstacles.steps(from, mask, budget, &mut |touch| {
                told += 1;
                other.touch(touch);
            });
            assert_eq!(
                (found, other),
                (expected, one),
                "round {round}: {from:?} {mask:X}"
            );
            met += u32::from(one.hit != 0);
            posted += u32::from(one.posted.is_some());
            fewer += u32::from(one.hit != 0 && told < budget);
        }
        assert!(
            met > 500 && posted > 200 && fewer > 200,
            "{met} {posted} {fewer}"
        );
    }
}
