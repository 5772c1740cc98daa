//! The camera mover that opcode `45` arms (7.18): ten axes, one progress.

use super::host::CameraEvent;
use crate::bytes::i16_at;

/// Number of camera slots: pitch, yaw, roll, eye X Y Z, negated focus X, focus Y, negated focus Z,
/// projection H.
pub const SLOTS: usize = 10;

/// How a value goes from start to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Curve {
    /// 1, and every number without a curve of its own.
    Linear,
    /// 2.
    EaseOut,
    /// 3.
    EaseIn,
    /// 4.
    EaseInOut,
}

impl From<u8> for Curve {
    fn from(number: u8) -> Self {
        match number {
            2 => Self::EaseOut,
            3 => Self::EaseIn,
            4 => Self::EaseInOut,
            _ => Self::Linear,
        }
    }
}

impl Curve {
    /// The value at `t` of `d` display frames. Divisions truncate toward zero, in the sheet's order.
    #[must_use]
    pub fn at(self, start: i16, end: i16, t: u16, d: u16) -> i16 {
        let k = i64::from(end) - i64::from(start);
        let (t, d) = (i64::from(t), i64::from(d));
        if k == 0 {
            return start;
        }
        if t >= d {
            return end;
        }
        // `t < d`, so `d` is not 0.
        let over = |value: i64, by: i64| value.checked_div(by).unwrap_or(0);
        let moved = match self {
            Self::Linear => over(k * t, d),
            Self::EaseOut => {
                let n = k * t;
                over(n + over(n, d) * (d - t), d)
            }
            Self::EaseIn => over(over(k * t, d) * t, d),
            Self::EaseInOut => {
                let (h, m) = (d >> 1, k >> 1);
                if t <= h {
                    over(over(m * t, h) * t, h)
                } else {
                    let u = t - h;
                    let n = (k - m) * u;
                    m + over(n + over(n, h) * (h - u), h)
                }
            }
        };
        (i64::from(start) + moved) as i16
    }
}

/// The glide of the camera that is under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mover {
    pub(super) start: [i16; SLOTS],
    pub(super) end: [i16; SLOTS],
    pub(super) curve: Curve,
    pub(super) t: u16,
    pub(super) d: u16,
}

impl Mover {
    /// What a configure does to the `live` camera: the slots given are written now when it has no time,
    /// else the mover that takes the camera there.
    ///
    /// `None` says two things: a configure without time was carried out, and a mover under way is to be
    /// dropped; or `event` is no configure, `live` is untouched and a mover goes on. A caller that keeps
    /// a mover hands over configures only.
    #[must_use]
    pub fn configure(event: CameraEvent<'_>, live: &mut [i16; SLOTS]) -> Option<Self> {
        let CameraEvent::Configure {
            mask,
            values,
            apply,
            curve,
        } = event
        else {
            return None;
        };
        let start = *live;
        let mut end = start;
        let mut at = 0;
        for (slot, value) in end.iter_mut().enumerate() {
            if mask >> (SLOTS - 1 - slot) & 1 != 0 {
                *value = i16_at(values, at).unwrap_or(*value);
                at += 2;
            }
        }
        if apply == 0 {
            *live = end;
            return None;
        }
        Some(Self {
            start,
            end,
            curve: Curve::from(curve),
            t: 0,
            d: apply,
        })
    }

    /// Let `dt` display frames pass and move the `live` camera; whether the mover has arrived and dies.
    pub fn tick(&mut self, dt: u16, live: &mut [i16; SLOTS]) -> bool {
        self.t = self.t.saturating_add(dt).min(self.d);
        for ((value, &start), &end) in live.iter_mut().zip(&self.start).zip(&self.end) {
            *value = self.curve.at(start, end, self.t, self.d);
        }
        self.t == self.d
    }
}
