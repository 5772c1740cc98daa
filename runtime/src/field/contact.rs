//! Contact with actors (field sheet, sections 5.2 and 11.3).
//!
//! A moving actor has a box of +/-40 units around its live position, a placed object one of +/-80
//! around its footprint; both edges are outside. There is no near-side clamp: who is deeper in a box
//! than a probe reaches, reads clear and can walk out.

use super::actor::{ACTORS, Actor, ActorId, Pool, flag};
use super::pad::{DIRECTIONS, X_MINUS, X_PLUS, Z_MINUS, Z_PLUS};
use super::units::{Direction, Point, saturate};
use crate::fixed::Angle;

/// Result of a probe: bit 0, an actor of the moving or interact class.
pub const ACTOR: u8 = 1;
/// Result of a probe: bit 1, a wall.
pub const WALL: u8 = 2;
/// Result of a probe: bit 2, a static actor.
pub const STATIC: u8 = 4;

/// Actors farther than this from the player along an axis are not tested by a step.
pub const RANGE: i32 = 0x180;
/// As many actors in range end the candidate table: all actors of the scene are tested then.
pub const CANDIDATES: usize = 32;
/// Half the width of a placed object's box.
const STATIC_HALF: i32 = 80;
/// Half the width of a moving box, less the caller's extent.
const MOVING_HALF: i32 = 40;
/// Extent of the interaction probe.
const INTERACT_EXTENT: i32 = 0x20;
/// The farthest that any probe of a step or a hop looks, and the unit that an odd budget moves more.
const LOOK: i32 = 96 + 1;
/// How far the points of a step lie to the side that it does not go to.
const ASIDE: i32 = 32;

/// The three points of a step's actor probe, as offsets along X and Z, in the order of the table. A
/// wander looks for the player there, too.
pub(crate) const AHEAD: [[(i32, i32); 3]; 4] = [
    [(-32, -64), (0, -64), (32, -64)],
    [(-63, 32), (-63, 0), (-63, -32)],
    [(-32, 63), (0, 63), (32, 63)],
    [(64, 32), (64, 0), (64, -32)],
];

/// From the player to the point of the interaction probe, for each sector of the heading.
const INTERACT: [(i32, i32); 8] = [
    (0, -64),
    (-64, -64),
    (-64, 0),
    (-64, 64),
    (0, 64),
    (64, 64),
    (64, 0),
    (64, -64),
];

/// The box of an actor as a probe sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Body {
    pub(super) x: i32,
    pub(super) z: i32,
    /// Half its width: a point on its edge is outside.
    pub(super) half: i32,
    /// [`ACTOR`] or [`STATIC`].
    pub(super) bit: u8,
    pub(super) id: ActorId,
}

impl Body {
    const NONE: Self = Self {
        x: 0,
        z: 0,
        half: 0,
        bit: 0,
        id: ActorId::FIRST,
    };

    #[inline]
    fn of(id: ActorId, actor: &Actor, extent: i32) -> Self {
        let (x, z) = (i32::from(actor.x), i32::from(actor.z));
        let bit = if actor.has(flag::REPORTS_ONE) {
            ACTOR
        } else {
            STATIC
        };
        if actor.has(flag::MOVING_BOX) {
            let half = MOVING_HALF + extent;
            return Self {
                x,
                z,
                half,
                bit,
                id,
            };
        }
        let [dx, dz] = actor.footprint;
        Self {
            x: x.wrapping_add(dx),
            z: z.wrapping_add(dz),
            half: STATIC_HALF,
            bit,
            id,
        }
    }

    /// Whether a point lies inside, with this much more room on each side.
    #[inline]
    fn holds(&self, x: i32, z: i32, more_x: i32, more_z: i32) -> bool {
        x.wrapping_sub(self.x).wrapping_abs() < self.half + more_x
            && z.wrapping_sub(self.z).wrapping_abs() < self.half + more_z
    }
}

/// All points that the probes of a frame can look at: so far to both sides of a point.
struct Window {
    x: i32,
    z: i32,
    more_x: i32,
    more_z: i32,
}

impl Window {
    /// Of a player here whose steps go to the sides of a mask, `reach` units far or one more.
    fn of(mask: u16, player: Point, reach: i32) -> Self {
        let ahead = reach.saturating_add(LOOK).clamp(0, 0x1_0000);
        // From here to there along an axis: the middle, and how far it is to either end.
        let axis = |at: i16, minus: u16, plus: u16| {
            let side = |bit| if mask & bit != 0 { ahead } else { ASIDE };
            let (minus, plus) = (side(minus), side(plus));
            // Rounded up, so that both ends are inside.
            (
                i32::from(at) + ((plus - minus) >> 1),
                (plus + minus + 1) >> 1,
            )
        };
        let (x, more_x) = axis(player.x, X_MINUS, X_PLUS);
        let (z, more_z) = axis(player.z, Z_MINUS, Z_PLUS);
        Self {
            x,
            z,
            more_x,
            more_z,
        }
    }
}

/// The actors that the steps of a frame can meet.
#[derive(Clone, Debug)]
pub struct Contacts {
    bodies: [Body; ACTORS],
    len: usize,
}

impl Contacts {
    /// Nobody.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            bodies: [Body::NONE; ACTORS],
            len: 0,
        }
    }

    /// Gather whom a player here can meet within `reach` more units along each axis, or one unit more
    /// where `reach` is odd; actors with any
    /// of the flags `exempt` (as a rule [`flag::EXEMPT`]) do not count.
    ///
    /// Candidates are the first [`CANDIDATES`] actors within [`RANGE`]; if there are as many, all
    /// actors count. Those whose box no probe can get at are left out, which changes no answer.
    pub fn gather(&mut self, player: Point, reach: i32, exempt: u32, actors: &Pool) {
        self.gather_along(DIRECTIONS, player, reach, exempt, actors);
    }

    /// [`Contacts::gather`] for steps that go only to the sides of a mask: whose box lies behind the player or
    /// too far aside is left out, too.
    pub(super) fn gather_along(
        &mut self,
        mask: u16,
        player: Point,
        reach: i32,
        exempt: u32,
        actors: &Pool,
    ) {
        let window = Window::of(mask, player, reach);
        self.len = 0;
        let mut in_range = 0;
        let (x, z) = (i32::from(player.x), i32::from(player.z));
        for (id, actor) in actors.iter() {
            if actor.has(exempt) {
                continue;
            }
            // Both sides of a range in one comparison.
            let within =
                |at: i16, middle: i32| (i32::from(at) - middle + RANGE) as u32 <= 2 * RANGE as u32;
            if within(actor.x, x) && within(actor.z, z) {
                in_range += 1;
                self.take(&window, id, actor);
            }
        }
        if in_range >= CANDIDATES {
            self.take_all(&window, exempt, actors);
        }
    }

    /// All actors count, in range or not.
    #[cold]
    #[inline(never)]
    fn take_all(&mut self, window: &Window, exempt: u32, actors: &Pool) {
        self.len = 0;
        for (id, actor) in actors.iter() {
            if !actor.has(exempt) {
                self.take(window, id, actor);
            }
        }
    }

    #[inline]
    fn take(&mut self, window: &Window, id: ActorId, actor: &Actor) {
        let body = Body::of(id, actor, 0);
        let Window {
            x,
            z,
            more_x,
            more_z,
        } = *window;
        if body.holds(x, z, more_x, more_z)
            && let Some(place) = self.bodies.get_mut(self.len)
        {
            *place = body;
            self.len += 1;
        }
    }

    /// How many there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there is nobody.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Their boxes, in order.
    #[inline]
    pub(super) fn bodies(&self) -> impl Iterator<Item = &Body> {
        self.bodies.get(..self.len).unwrap_or_default().iter()
    }

    /// What the three actor points of a step from here meet: [`ACTOR`] and [`STATIC`]. `hit` hears of
    /// each hit, point by point and candidate by candidate; the last one owns the link.
    #[inline]
    pub fn ahead(&self, from: Point, direction: Direction, hit: &mut impl FnMut(ActorId)) -> u8 {
        if self.len == 0 {
            return 0;
        }
        let (x, z) = (i32::from(from.x), i32::from(from.z));
        let ([dx, dz], [more_x, more_z]) = as_one(direction);
        let (x, z) = (x + dx, z + dz);
        // Points beyond a coordinate's range count as its last unit.
        let (x, z) = (saturate(x).into(), saturate(z).into());
        if self.bodies().any(|body| body.holds(x, z, more_x, more_z)) {
            self.each_point(from, direction, hit)
        } else {
            0
        }
    }

    #[cold]
    #[inline(never)]
    fn each_point(&self, from: Point, direction: Direction, hit: &mut impl FnMut(ActorId)) -> u8 {
        let mut bits = 0;
        for (dx, dz) in AHEAD[direction as usize] {
            let x = i32::from(saturate(i32::from(from.x) + dx));
            let z = i32::from(saturate(i32::from(from.z) + dz));
            for body in self.bodies() {
                if body.holds(x, z, 0, 0) {
                    bits |= body.bit;
                    hit(body.id);
                }
            }
        }
        bits
    }

    /// Whether a point lies in anybody's box.
    #[must_use]
    pub fn at(&self, x: i32, z: i32) -> bool {
        self.meet(x, z, &mut |_| {})
    }

    /// The probe of a single point, as the hop makes it: whether the point lies in anybody's box. `hit`
    /// hears of each hit, as that of [`Contacts::ahead`] does.
    #[inline]
    pub fn meet(&self, x: i32, z: i32, hit: &mut impl FnMut(ActorId)) -> bool {
        let (x, z) = (saturate(x).into(), saturate(z).into());
        let mut met = false;
        for body in self.bodies().filter(|body| body.holds(x, z, 0, 0)) {
            met = true;
            hit(body.id);
        }
        met
    }

    /// Leave out everything that has the box of a placed object.
    pub fn drop_props(&mut self) {
        let mut kept = 0;
        for at in 0..self.len {
            let Some(&body) = self.bodies.get(at) else {
                break;
            };
            if body.half != STATIC_HALF {
                if let Some(place) = self.bodies.get_mut(kept) {
                    *place = body;
                }
                kept += 1;
            }
        }
        self.len = kept;
    }
}

impl Default for Contacts {
    fn default() -> Self {
        Self::new()
    }
}

/// The eighth of a turn that a heading lies in: 0..7, each from its compass entry on.
#[must_use]
pub const fn sector(heading: Angle) -> u8 {
    (heading >> 9 & 7) as u8
}

/// The three points of a step as one: the middle one, and how much more room it has to its sides. They are 32 units
/// apart and every box is wider, so together they meet what it meets.
#[inline]
const fn as_one(direction: Direction) -> ([i32; 2], [i32; 2]) {
    match direction {
        Direction::ZMinus => ([0, -64], [32, 0]),
        Direction::XMinus => ([-63, 0], [0, 32]),
        Direction::ZPlus => ([0, 63], [32, 0]),
        Direction::XPlus => ([64, 0], [0, 32]),
    }
}

/// Where the interaction probe of a player here looks.
#[must_use]
pub fn interact_point(from: Point, heading: Angle) -> Point {
    let (dx, dz) = INTERACT[usize::from(sector(heading)) & 7];
    Point::saturating(i32::from(from.x) + dx, i32::from(from.z) + dz)
}

/// The interaction probe: all actors, moving boxes of +/-72 units. What is met, and who, in order.
pub fn interact(point: Point, actors: &Pool) -> (u8, impl Iterator<Item = ActorId> + use<>) {
    let (mut bits, mut met) = (0, [false; ACTORS]);
    for (id, actor) in actors.iter() {
        if actor.has(flag::EXEMPT) {
            continue;
        }
        let body = Body::of(id, actor, INTERACT_EXTENT);
        if body.holds(point.x.into(), point.z.into(), 0, 0) {
            bits |= body.bit;
            met[id.slot()] = true;
        }
    }
    let met = met.into_iter().enumerate().filter(|&(_, met)| met);
    (bits, met.filter_map(|(slot, _)| ActorId::new(slot)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Who is left out for the sides that a mask goes to, no probe of its steps and hops would have met.
    #[test]
    fn whom_a_mask_leaves_out_nobody_meets() {
        let mut seed = 5_u32;
        let mut draw = || {
            seed = seed.wrapping_mul(0x41C6_4E6D).wrapping_add(0x3039);
            seed >> 16
        };
        let (mut fewer, mut met) = (0, 0);
        for round in 0..400_i32 {
            let mut actors = Pool::new();
            for n in 0..20 {
                actors.spawn(Actor {
                    x: 3850 + (draw() % 300) as i16,
                    z: 3850 + (draw() % 300) as i16,
                    flags: if n & 1 == 0 { flag::MOVING } else { 0 },
                    ..Actor::NEW
                });
            }
            let (from, reach) = (Point::new(4000, 4000), round % 40);
            let mut all = Contacts::new();
            all.gather(from, reach, 0, &actors);
            for mask in super::super::pad::RING {
                let mut some = Contacts::new();
                some.gather_along(mask, from, reach, 0, &actors);
                fewer += u32::from(some.len() < all.len());
                let side = |minus, plus| match (mask & minus != 0, mask & plus != 0) {
                    (true, _) => -1,
                    (_, true) => 1,
                    _ => 0,
                };
                let (sx, sz) = (side(X_MINUS, X_PLUS), side(Z_MINUS, Z_PLUS));
                // Each axis by itself: the other one may be blocked.
                for (nx, nz) in [
                    (0, 0),
                    (reach + 1, 0),
                    (0, reach + 1),
                    (reach + 1, reach + 1),
                ] {
                    let at = Point::saturating(4000 + sx * nx, 4000 + sz * nz);
                    for (bit, direction) in [
                        (Z_MINUS, Direction::ZMinus),
                        (X_MINUS, Direction::XMinus),
                        (Z_PLUS, Direction::ZPlus),
                        (X_PLUS, Direction::XPlus),
                    ] {
                        if mask & bit != 0 {
                            let [a, b] =
                                [&all, &some].map(|it| it.ahead(at, direction, &mut |_| {}));
                            assert_eq!(a, b, "{mask:X} {direction:?} {at:?}");
                            met += u32::from(a != 0);
                        }
                    }
                    for m in [64, 96] {
                        let [x, z] = [i32::from(at.x) + m * sx, i32::from(at.z) + m * sz];
                        assert_eq!(all.at(x, z), some.at(x, z), "{mask:X} ({x}, {z})");
                    }
                }
            }
        }
        assert!(fewer > 1000 && met > 1000, "{fewer} {met}");
    }
}
