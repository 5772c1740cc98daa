//! Precise movement and camera distance: two features that the game does not have (field sheet, section
//! 16). Both are off by default, and nothing of the default path passes through here.

use super::bearing::bearing;
use super::pad::ring_place;
use super::units::{COMPASS, Direction, Point, STEP};
use super::walk::{Obstacles, Steps, Touch};
use crate::fixed::{Angle, cos, sin};

/// What an axis must have gathered for a step: two units, Q12.
const DUE: i32 = STEP << 12;
/// The largest budget of a call; no pad and no actor of a game comes near.
const MOST: i32 = 0x4000;

/// The part of each axis' way, X and Z, that was too short for a step: Q12, less than two units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Remainder([i32; 2]);

impl Remainder {
    /// Nothing left over.
    pub const ZERO: Self = Self([0; 2]);

    /// X and Z, Q12.
    #[must_use]
    pub const fn get(self) -> [i32; 2] {
        self.0
    }
}

/// The angle that a pad asks for: 0 is Z+, 400h X+. `None` without a direction. A stick's goes before
/// the directions.
#[must_use]
pub const fn angle(azimuth: Angle, stick: Option<Angle>, held: u16) -> Option<Angle> {
    let pad = match (stick, ring_place(held)) {
        (Some(angle), _) => angle,
        (None, 8) => return None,
        (None, place) => place as u16 * COMPASS,
    };
    Some(azimuth.wrapping_add(pad) & 0xFFF)
}

/// The angle of a stick, for [`angle`], by how far it is held to the right and up, in whatever unit: 0 is up,
/// 400h right. `None` in the middle; how far from there a stick counts as let go is the host's to say.
///
/// ```
/// use overworld_runtime::field::precise::stick;
/// assert_eq!([stick(0, 90), stick(127, 0), stick(0, 0)], [Some(0), Some(0x400), None]);
/// ```
#[must_use]
pub fn stick(right: i16, up: i16) -> Option<Angle> {
    let held = Point::new(right, up);
    (held != Point::default()).then(|| bearing(Point::default(), held))
}

impl Obstacles<'_> {
    /// Walk `budget` units along an angle, in the same two-unit steps as [`Obstacles::steps`], Z before
    /// X in every round. A refused step is gone like one that was taken.
    pub fn precise(
        &self,
        from: Point,
        angle: Angle,
        budget: i32,
        remainder: &mut Remainder,
        touch: &mut impl FnMut(Touch),
    ) -> Steps {
        let mut walk = Steps {
            at: from,
            ..Steps::default()
        };
        let budget = budget.clamp(0, MOST);
        let [x, z] = &mut remainder.0;
        *x += budget * i32::from(sin(angle));
        *z += budget * i32::from(cos(angle));
        while x.abs() >= DUE || z.abs() >= DUE {
            let mut bits = 0;
            for (rest, less, more) in [
                (&mut *z, Direction::ZMinus, Direction::ZPlus),
                (&mut *x, Direction::XMinus, Direction::XPlus),
            ] {
                if *rest >= DUE {
                    *rest -= DUE;
                    bits |= self.step(&mut walk, more, touch);
                } else if *rest <= -DUE {
                    *rest += DUE;
                    bits |= self.step(&mut walk, less, touch);
                }
            }
            self.met(&mut walk, bits, touch);
        }
        walk
    }
}

/// How far the camera stands off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Distance {
    /// As the game has it.
    #[default]
    Retail,
    /// 27/20 of it.
    Far,
    /// 9/5 of it.
    Farther,
}

impl Distance {
    /// The eye-back component of the follow camera at this distance, rounded toward zero, at most as
    /// far as 32 bits go.
    #[must_use]
    pub fn scale(self, back: i32) -> i32 {
        let (times, parts) = match self {
            Self::Retail => return back,
            Self::Far => (27, 20),
            Self::Farther => (9, 5),
        };
        let far = i64::from(back) * times / parts;
        far.clamp(i32::MIN.into(), i32::MAX.into()) as i32
    }
}
