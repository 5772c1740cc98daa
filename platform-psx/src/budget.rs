//! What the phases of a frame cost: least and mean cycles, and their share of a picture's time.

use crate::timer::FRAME_CYCLES;
use core::fmt;

/// The cycles of one phase, over all frames so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    least: u32,
    total: u64,
    frames: u32,
}

impl Cost {
    /// One frame more.
    pub const fn add(&mut self, cycles: u32) {
        if self.frames == 0 || cycles < self.least {
            self.least = cycles;
        }
        self.total += cycles as u64;
        self.frames = self.frames.saturating_add(1);
    }

    /// The cheapest frame; 0 before the first one.
    #[must_use]
    pub const fn least(&self) -> u32 {
        self.least
    }

    /// The mean of all frames, rounded down; 0 before the first one.
    #[must_use]
    pub const fn mean(&self) -> u32 {
        match self.total.checked_div(self.frames as u64) {
            Some(mean) if mean <= u32::MAX as u64 => mean as u32,
            Some(_) => u32::MAX,
            None => 0,
        }
    }
}

/// `min 100 mean 5662  1.0 %`: the share is the mean's, of [`FRAME_CYCLES`].
impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mean = self.mean();
        let thousandths = (u64::from(mean) * 1000 + u64::from(FRAME_CYCLES) / 2)
            .checked_div(FRAME_CYCLES.into())
            .unwrap_or(0);
        let (whole, tenth) = (thousandths / 10, thousandths % 10);
        write!(
            f,
            "min {:>7} mean {mean:>7} {whole:>4}.{tenth} %",
            self.least
        )
    }
}

/// The phases of a played frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// The world moves on.
    pub tick: Cost,
    /// Poses, matrices and packets: from an empty ordering table to a full one.
    pub compose: Cost,
    /// Of that, poses and matrices of all parts, measured once more by themselves.
    pub pose: Cost,
    /// The links of the list are looked at.
    pub check: Cost,
    /// The GPU is waited for: what it still has to draw of a picture when the next one is composed.
    pub draw: Cost,
    /// Nothing to do until the vertical blank.
    pub wait: Cost,
}

impl Budget {
    /// Mean cycles from a frame's start to the end of drawing: all but the waiting for the display.
    #[must_use]
    pub const fn work(&self) -> u32 {
        self.tick
            .mean()
            .saturating_add(self.compose.mean())
            .saturating_add(self.check.mean())
            .saturating_add(self.draw.mean())
    }

    /// Name and cost of each phase, in the order of a frame.
    #[must_use]
    pub const fn phases(&self) -> [(&'static str, Cost); 6] {
        [
            ("tick", self.tick),
            ("compose", self.compose),
            ("- pose, matrix", self.pose),
            ("check", self.check),
            ("draw", self.draw),
            ("wait", self.wait),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    fn cost(cycles: &[u32]) -> Cost {
        let mut cost = Cost::default();
        for &cycles in cycles {
            cost.add(cycles);
        }
        cost
    }

    #[test]
    fn least_and_mean_are_of_all_frames() {
        assert_eq!((cost(&[]).least(), cost(&[]).mean()), (0, 0));
        assert_eq!((cost(&[7]).least(), cost(&[7]).mean()), (7, 7));
        let cost = cost(&[30, 10, 21]);
        assert_eq!((cost.least(), cost.mean()), (10, 20));
    }

    #[test]
    fn many_long_frames_do_not_overflow() {
        let cost = cost(&[u32::MAX; 3]);
        assert_eq!((cost.least(), cost.mean()), (u32::MAX, u32::MAX));
        let budget = Budget {
            tick: cost,
            draw: cost,
            ..Budget::default()
        };
        assert_eq!(budget.work(), u32::MAX);
    }

    #[test]
    fn shares_are_of_the_time_between_two_pictures() {
        // 566,200 cycles (HAL sheet, section 3).
        let lines = [
            (FRAME_CYCLES, "min  566200 mean  566200  100.0 %"),
            (5_662, "min    5662 mean    5662    1.0 %"),
            (850, "min     850 mean     850    0.2 %"),
            (0, "min       0 mean       0    0.0 %"),
        ];
        for (cycles, line) in lines {
            assert_eq!(cost(&[cycles]).to_string(), line);
        }
    }

    #[test]
    fn waiting_is_no_work_and_poses_are_not_counted_twice() {
        let budget = Budget {
            tick: cost(&[1]),
            compose: cost(&[20]),
            pose: cost(&[5]),
            check: cost(&[6000]),
            draw: cost(&[300]),
            wait: cost(&[4000]),
        };
        assert_eq!(budget.work(), 6321);
        let names = budget.phases().map(|(name, _)| name);
        assert_eq!(
            names,
            ["tick", "compose", "- pose, matrix", "check", "draw", "wait"]
        );
    }
}
