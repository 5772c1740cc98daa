//! The arc of `43 00`, `01`, `0A` and `0B`: how a hop flies, for hosts (motion sheet, 2.3).

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
    /// The control point's Y is `mid + 2 * (min(y0, y1) - apex - mid)`; X and Z go straight.
    #[must_use]
    pub fn new(from: [i16; 3], to: [i16; 3], apex: i16, frames: u16) -> Self {
        let [y0, y1] = [from[1], to[1]].map(i32::from);
        let mid = (y0 + y1) / 2;
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
        let straight = |a: i16, b: i16| ((i64::from(a) * left + i64::from(b) * t) >> 12) as i16;
        let ([x0, y0, z0], [x1, y1, z1]) = (self.from, self.to);
        let curve = i64::from(y0) * left * left
            + 2 * i64::from(self.control) * left * t
            + i64::from(y1) * t * t;
        let y = (curve >> 24).clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        ([straight(x0, x1), y, straight(z0, z1)], false)
    }
}
