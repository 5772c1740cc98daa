//! The way of a frame's steps along one axis: which side they go to, and whom they can meet there.
//!
//! Whom a step meets changes seldom from one to the next, so what it meets is found with its pattern, and told only
//! where that is another one than before.

use super::actor::ActorId;
use super::contact::Contacts;
use super::units::{Direction, STEP};

/// How far the points of a step lie to the sides of the middle one.
const ASIDE: i32 = 32;

/// The box of an actor as the middle one of a step's points sees it: where the player stands when the point comes into
/// the box, along the step and across it, and how far it goes from there.
#[derive(Clone, Copy, Debug)]
struct Near {
    along: i32,
    across: i32,
    width: u32,
    /// [`super::contact::ACTOR`] or [`super::contact::STATIC`].
    bit: u8,
    id: ActorId,
}

/// A way.
#[derive(Debug)]
pub(super) struct Way {
    near: heapless::Vec<Near, { Way::ROOM }>,
    /// Units of a step, with its sign; 0 where there is no way.
    pub(super) step: i32,
    /// How far ahead the points for walls lie.
    pub(super) wall: i32,
    /// Where the first of the three points for actors lies from the middle one, across the step; the last lies on the
    /// other side.
    first: i32,
}

/// What a step meets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Met {
    /// [`super::contact::ACTOR`] and [`super::contact::STATIC`].
    pub(super) bits: u8,
    /// Three bits for each actor of the way: which points lie in its box.
    pub(super) pattern: u32,
}

/// Where the steps of a frame can lead along one axis: so many units on from here, ends included.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) from: i32,
    pub(super) len: u32,
}

impl Way {
    /// As many actors have their bits in a pattern.
    const ROOM: usize = 10;
    /// The bits of their first points.
    const FIRST_POINTS: u32 = 0o1_111_111_111;

    /// A way in a direction with nobody near, or none.
    #[inline]
    pub(super) fn new(direction: Option<Direction>) -> Self {
        // The points for walls are 48 units ahead to Z- and X+, 47 to Z+ and X-.
        let (step, wall, first) = match direction {
            None => (0, 0, 0),
            Some(Direction::ZMinus) => (-STEP, -48, -ASIDE),
            Some(Direction::ZPlus) => (STEP, 47, -ASIDE),
            Some(Direction::XMinus) => (-STEP, -47, ASIDE),
            Some(Direction::XPlus) => (STEP, 48, ASIDE),
        };
        Self {
            near: heapless::Vec::new(),
            step,
            wall,
            first,
        }
    }

    /// Find whom steps that begin in these spans can meet among those that were gathered. Whether they all have room.
    pub(super) fn find(
        &mut self,
        contacts: &Contacts,
        along_x: bool,
        [along, across]: [Span; 2],
    ) -> bool {
        // The points for actors lie 16 units farther than those for walls.
        let ahead = if self.step < 0 {
            self.wall - 16
        } else {
            self.wall + 16
        };
        for body in contacts.bodies() {
            let (at, aside) = if along_x {
                (body.x, body.z)
            } else {
                (body.z, body.x)
            };
            let near = Near {
                along: at.wrapping_sub(ahead + body.half - 1),
                across: aside.wrapping_sub(body.half - 1),
                width: (2 * body.half - 1) as u32,
                bit: body.bit,
                id: body.id,
            };
            // Whether any place of a span lies in the box, one of its three points at least across the step.
            let reaches = |span: Span, from: i32, width: u32| {
                (span.from.wrapping_sub(from) as u32).wrapping_add(span.len) < width + span.len
            };
            if reaches(along, near.along, near.width)
                && reaches(
                    across,
                    near.across.wrapping_sub(ASIDE),
                    near.width + 2 * ASIDE as u32,
                )
                && self.near.push(near).is_err()
            {
                return false;
            }
        }
        true
    }

    /// What a step meets from here, along it and across it.
    #[inline(always)]
    pub(super) fn meets(&self, along: i32, across: i32) -> Met {
        let mut met = Met::default();
        let mut shift = 0;
        for near in &self.near {
            let inside = |at: i32| u32::from((at as u32) < near.width);
            let mut points = 0;
            if inside(along.wrapping_sub(near.along)) != 0 {
                let at = across.wrapping_sub(near.across);
                points = inside(at.wrapping_add(self.first))
                    | inside(at) << 1
                    | inside(at.wrapping_sub(self.first)) << 2;
            }
            if points != 0 {
                met.bits |= near.bit;
            }
            met.pattern |= points << shift;
            shift += 3;
        }
        met
    }

    /// Tell of whom a pattern has, point by point and candidate by candidate.
    #[inline(never)]
    pub(super) fn tell(&self, pattern: u32, hit: &mut impl FnMut(ActorId)) {
        for point in 0..3 {
            // The first actor's bits are the lowest.
            let mut left = pattern >> point & Self::FIRST_POINTS;
            for near in &self.near {
                if left == 0 {
                    break;
                }
                if left & 1 != 0 {
                    hit(near.id);
                }
                left >>= 3;
            }
        }
    }
}
