//! The arc of `43 00`, `01`, `0A` and `0B`: how a hop flies, for hosts (motion sheet, 2.3; field sheet, 9.4).

/// A quadratic curve from one place to another, over a point above both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arc {
    pub(super) from: [i16; 3],
    pub(super) to: [i16; 3],
    /// Y of the control point.
    pub(super) control: i32,
    /// Progress of a display frame, 4096 the whole way.
    pub(super) step: u16,
    /// Progress so far.
    pub(super) cursor: u16,
}

/// The whole way.
const WHOLE: u16 = 0x1000;

impl Arc {
    /// An arc of X, Y, Z over `frames` display frames, whose top lies `apex` units above the higher of its
    /// ends; without frames it is over with the first tick. World Y grows downwards.
    ///
    /// The control point lies at `mid`, the half of the sum of both ends rounded down, along X and Z; its Y is
    /// `mid + 2 * (min(y0, y1) - apex - mid)`.
    #[must_use]
    pub fn new(from: [i16; 3], to: [i16; 3], apex: i16, frames: u16) -> Self {
        let [y0, y1] = [from[1], to[1]].map(i32::from);
        let mid = (y0 + y1) >> 1;
        Self {
            from,
            to,
            control: mid + 2 * (y0.min(y1) - i32::from(apex) - mid),
            step: WHOLE.checked_div(frames).unwrap_or(WHOLE).max(1),
            cursor: 0,
        }
    }

    /// Let `dt` display frames pass: where it is, and whether it has arrived.
    pub fn tick(&mut self, dt: u8) -> ([i16; 3], bool) {
        let passed = self.step.saturating_mul(dt.into());
        self.cursor = self.cursor.saturating_add(passed).min(WHOLE);
        if self.cursor == WHOLE {
            return (self.to, true);
        }
        let t = i64::from(self.cursor);
        let left = i64::from(WHOLE) - t;
        let curve = |a: i16, control: i32, b: i16| {
            let (a, b) = (i64::from(a), i64::from(b));
            let sum = a * left * left + 2 * i64::from(control) * left * t + b * t * t;
            (sum >> 24).clamp(i16::MIN.into(), i16::MAX.into()) as i16
        };
        // On the way an odd sum of the ends is to be seen.
        let level = |a: i16, b: i16| curve(a, (i32::from(a) + i32::from(b)) >> 1, b);
        let ([x0, y0, z0], [x1, y1, z1]) = (self.from, self.to);
        let at = [level(x0, x1), curve(y0, self.control, y1), level(z0, z1)];
        (at, false)
    }
}
