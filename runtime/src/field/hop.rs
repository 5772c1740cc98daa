//! The ledge hop: when, and along which curve (field sheet, section 9.4).

use super::actor::ActorId;
use super::contact::Contacts;
use super::ground::Ground;
use super::units::saturate;

/// Frames of the arc.
pub const FRAMES: i16 = 16;
/// Frames for which the player stays locked after the arc.
pub const RECOVERY: i16 = 6;
/// Units over the higher end of an arc that drops.
pub const DROP: i16 = 0x10;
/// Units over the higher end of an arc that steps up.
pub const STEP_UP: i16 = 0x18;
/// The end of an arc's cursor.
const END: i32 = 4096;

/// A hop that is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ledge {
    /// Height of the floor ahead less that of the footing.
    pub rise: i32,
    /// [`DROP`] or [`STEP_UP`].
    pub apex: i16,
    /// Where it leads: 96 units ahead, at the height of the floor 32 units ahead.
    pub landing: [i16; 3],
}

/// Whether a step with this delta leads off a ledge: 64 and 96 units ahead there is neither wall nor
/// actor, and the floor 32 units ahead is at least 61h lower or more than 60h higher. `at` is X, settled
/// Y and Z; `met` hears of the actors that the two points meet, which happens on even ground, too.
#[must_use]
pub fn ledge(
    at: [i16; 3],
    delta: [i16; 2],
    ground: &Ground<'_>,
    contacts: &Contacts,
    met: &mut impl FnMut(ActorId),
) -> Option<Ledge> {
    let [x, y, z] = at.map(i32::from);
    let [sx, sz] = delta.map(|delta| i32::from(delta) * 4);
    if sx == 0 && sz == 0 {
        return None;
    }
    let height = ground.floor(x + sx, z + sz);
    let rise = height - y;
    let apex = match rise {
        0x61.. => Some(DROP),
        ..-0x60 => Some(STEP_UP),
        _ => None,
    };
    // Most steps are on even ground with nobody near: then nothing more can come of it.
    if apex.is_none() && contacts.is_empty() {
        return None;
    }
    let walls = ground.walls();
    let ahead = [2, 3].map(|m| (x + m * sx, z + m * sz));
    if ahead.into_iter().any(|(x, z)| walls.at(x, z)) {
        return None;
    }
    if ahead.into_iter().any(|(x, z)| contacts.meet(x, z, met)) {
        return None;
    }
    let landing = [x + 3 * sx, height, z + 3 * sz].map(saturate);
    apex.map(|apex| Ledge {
        rise,
        apex,
        landing,
    })
}

/// The curve of a hop: a quadratic one from start to landing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arc {
    start: [i16; 3],
    control: [i32; 3],
    end: [i16; 3],
    /// 0 to 4096.
    cursor: i32,
    step: i32,
}

impl Arc {
    /// An arc of so many frames whose highest point, half way, is `apex` units over its higher end.
    /// One without frames lands at its first tick.
    #[must_use]
    pub fn new(start: [i16; 3], end: [i16; 3], apex: i16, frames: i16) -> Self {
        let [x, y, z] = [0, 1, 2].map(|axis: usize| {
            let (a, b) = (start.get(axis), end.get(axis));
            let (a, b) = (a.copied().unwrap_or(0), b.copied().unwrap_or(0));
            (i32::from(a) + i32::from(b)) >> 1
        });
        let top = i32::from(start[1].min(end[1])) - i32::from(apex);
        Self {
            start,
            control: [x, y + 2 * (top - y), z],
            end,
            cursor: 0,
            step: if frames <= 0 {
                END
            } else {
                (END / i32::from(frames)).max(1)
            },
        }
    }

    /// The point that the curve is drawn to.
    #[must_use]
    pub const fn control(&self) -> [i32; 3] {
        self.control
    }

    /// Start, end and cursor.
    pub(super) const fn state(&self) -> ([i16; 3], [i16; 3], i32) {
        (self.start, self.end, self.cursor)
    }

    /// Go on by so many vertical blanks; where that is, and whether the arc is over.
    pub fn tick(&mut self, scalar: u8) -> ([i16; 3], bool) {
        self.cursor += self.step * i32::from(scalar);
        if self.cursor >= END {
            self.cursor = END;
            return (self.end, true);
        }
        let t = self.cursor;
        let (k0, k1, k2) = ((END - t) * (END - t), 2 * (END - t) * t, t * t);
        let at = |a: i16, b: i32, c: i16| {
            let (a, c) = (i32::from(a), i32::from(c));
            // In 32 bits as the game does it: whole parts and fractions of the weights apart. `b` is
            // below 2^18 and all weights are at most 2^24.
            let whole = (k0 >> 12) * a + (k1 >> 12) * b + (k2 >> 12) * c;
            let part = (k0 & 0xFFF) * a + (k1 & 0xFFF) * b + (k2 & 0xFFF) * c;
            saturate((whole + (part >> 12)) >> 12)
        };
        let ([a, b, c], [d, e, f], [g, h, i]) = (self.start, self.control, self.end);
        ([at(a, d, g), at(b, e, h), at(c, f, i)], false)
    }
}

/// A hop in progress: its curve, and the clock that locks the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hop {
    /// The curve, until it has ended.
    pub(super) arc: Option<Arc>,
    /// Vertical blanks since the start.
    pub(super) cursor: i16,
}

impl Hop {
    pub(super) fn new(start: [i16; 3], ledge: &Ledge) -> Self {
        Self {
            arc: Some(Arc::new(start, ledge.landing, ledge.apex, FRAMES)),
            cursor: 0,
        }
    }
}
