//! How people walk and turn by script: step ladders, the walk to a tile, turns (field sheet, sections
//! 14 and 15).

use super::compat::Compat;
use super::units::{COMPASS, Point};
use crate::fixed::Angle;

/// Numerator of the ladder of ops 37h and 47h, and of ambient streams.
pub const FULL: i32 = 0x80;
/// Numerator of the ladder of op 41h.
pub const HALF: i32 = 0x40;

/// Units of one visit: the numerator for so many vertical blanks, over `4 << bits` (sections 15.1 and
/// 15.2). Of `bits` four count.
#[must_use]
pub fn ladder(numerator: i32, bits: u8, scalar: u8, compat: &Compat) -> i32 {
    rung(numerator, bits, scalar, compat.step_floor)
}

/// [`ladder`] for those who have the one reading it needs.
#[inline]
pub(crate) fn rung(numerator: i32, bits: u8, scalar: u8, floor: bool) -> i32 {
    let step = (numerator.clamp(0, 0x1000) * i32::from(scalar.max(1))) >> (2 + (bits & 15));
    if floor { step.max(1) } else { step }
}

/// A visit of a walk to a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Glide {
    /// Where it led.
    pub at: Point,
    /// Where to look; `None` if nothing moved.
    pub heading: Option<Angle>,
    /// Whether that is the place.
    pub done: bool,
}

/// One visit of op 47h: while both axes are open, the longer one goes alone until they are equal, then
/// both; no axis goes past the place. Looks along the move just made.
#[must_use]
pub fn glide(at: Point, to: Point, step: i32) -> Glide {
    let way = [
        i32::from(to.x) - i32::from(at.x),
        i32::from(to.z) - i32::from(at.z),
    ];
    let [far_x, far_z] = way.map(i32::abs);
    let step = step.max(0);
    let (mut go_x, mut go_z) = (step.min(far_x), step.min(far_z));
    if far_x != 0 && far_z != 0 && far_x != far_z {
        let more = (far_x - far_z).abs();
        if far_x > far_z {
            (go_x, go_z) = (step.min(more), 0);
        } else {
            (go_x, go_z) = (0, step.min(more));
        }
    }
    let along = |way: i32, go: i32| if way < 0 { -go } else { go };
    let (dx, dz) = (along(way[0], go_x), along(way[1], go_z));
    // No farther than the place, so within its range.
    let at = Point::new(at.x.wrapping_add(dx as i16), at.z.wrapping_add(dz as i16));
    Glide {
        at,
        heading: compass(dx, dz),
        done: at == to,
    }
}

/// A visit of op 47h that counts so many vertical blanks (0 counts as 1), at the pace of `bits`: the step of
/// one, taken from [`FULL`]'s ladder, times their number. By the other reading it is taken as often, and each
/// time the axes are compared anew; the visit looks along the last one.
#[must_use]
pub fn walk_to(at: Point, to: Point, bits: u8, scalar: u8, compat: &Compat) -> Glide {
    let step = ladder(FULL, bits, 1, compat);
    match compat.walk_repeats {
        false => glide(at, to, i32::from(scalar.max(1)) * step),
        true => repeated(at, to, step, scalar),
    }
}

/// Several visits in one. A function of its own: a console's cache has no room for it beside what walks by the
/// default reading.
#[cold]
#[inline(never)]
fn repeated(at: Point, to: Point, step: i32, scalar: u8) -> Glide {
    let mut visit = glide(at, to, step);
    for _ in 1..scalar {
        if visit.done {
            break;
        }
        let next = glide(visit.at, to, step);
        visit = Glide {
            heading: next.heading.or(visit.heading),
            ..next
        };
    }
    visit
}

/// The compass entry of a move by its signs.
#[inline]
#[must_use]
pub const fn compass(dx: i32, dz: i32) -> Option<Angle> {
    /// By the sign of X, then of Z: less, none, more.
    const INDICES: [[u16; 3]; 3] = [[1, 2, 3], [0, 8, 4], [7, 6, 5]];
    let x = 1 + (dx > 0) as usize - (dx < 0) as usize;
    let z = 1 + (dz > 0) as usize - (dz < 0) as usize;
    match INDICES[x][z] {
        8 => None,
        index => Some(index * COMPASS),
    }
}

/// A turn of a scripted length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Where to look in the end.
    pub target: Angle,
    /// Vertical blanks that it takes.
    pub budget: u16,
    /// Vertical blanks that are over.
    pub cursor: u16,
    /// The way round is that of falling angles.
    pub reversed: bool,
}

impl Turn {
    /// Go on by so many vertical blanks; the new heading, and whether the turn is over. Only the arc is
    /// brought into a turn, the heading wraps in 16 bits.
    pub fn tick(&mut self, heading: Angle, scalar: u8) -> (Angle, bool) {
        let remaining = i32::from(self.budget) - i32::from(self.cursor);
        let scalar = i32::from(scalar.max(1));
        if remaining - scalar <= 0 {
            return (self.target, true);
        }
        // Less than what remains of a 16-bit budget.
        self.cursor = self.cursor.saturating_add(scalar as u16);
        let (from, to) = if self.reversed {
            (self.target, heading)
        } else {
            (heading, self.target)
        };
        let arc = i32::from(to.wrapping_sub(from) & 0xFFF);
        let part = (arc * scalar / remaining) as u16;
        let heading = if self.reversed {
            heading.wrapping_sub(part)
        } else {
            heading.wrapping_add(part)
        };
        (heading, false)
    }
}
