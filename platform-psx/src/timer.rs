//! Root counters: a clock for time-outs and a stop-watch in CPU cycles (HAL sheet, section 3).
//!
//! | counter | runs on | used by |
//! |---|---|---|
//! | 0 | system clock | `Timer::measure`: exact count modulo 65,536 |
//! | 1 | horizontal blank | `Clock`: about 64 microseconds a step, never reset |
//! | 2 | system clock / 8 | `Timer::measure`: which of the 65,536s it was |

/// CPU cycles in a second.
pub const CPU_HZ: u32 = 33_868_800;

/// CPU cycles in one scan line of an NTSC picture, rounded down.
///
/// A console gives 2,152 (566,200 cycles over 263 lines), a PAL console forced to NTSC 2,172
/// (HAL sheet, section 3); emulators lie between. [`elapsed`] needs it within 20 %.
pub const LINE_CYCLES: u32 = 2_160;

/// Microseconds in one scan line, rounded down. Good for time-outs, not for music.
pub const LINE_MICROSECONDS: u32 = (LINE_CYCLES as u64 * 1_000_000 / CPU_HZ as u64) as u32;

/// CPU cycles in one NTSC frame on a console (HAL sheet, section 3).
pub const FRAME_CYCLES: u32 = 566_200;

/// Cycles from three counters read at the same moment.
///
/// * `fine`: system clock, 16 bits.
/// * `eighths`: system clock / 8, 16 bits, within a few counts of `fine`.
/// * `lines`: scan lines, 16 bits, within two of the truth.
///
/// Each counter tells how often the one before it wrapped, so the answer is exact as long as
/// the coarser one is right to half a turn of the finer: the scan lines' unknown rate, known to
/// 1 %, is enough up to about 26 million cycles (46 frames).
pub const fn elapsed(fine: u16, eighths: u16, lines: u16) -> u32 {
    const EIGHTHS_TURN: u32 = 8 << 16;
    let by_lines = lines as u32 * LINE_CYCLES;
    let by_eighths = nearest(eighths as u32 * 8, EIGHTHS_TURN, by_lines);
    nearest(fine as u32, 1 << 16, by_eighths)
}

/// The number congruent to `value` modulo `turn` (a power of two) that lies nearest to `guess`.
const fn nearest(value: u32, turn: u32, guess: u32) -> u32 {
    let turns = guess.wrapping_sub(value).wrapping_add(turn / 2) as i32 >> turn.trailing_zeros();
    if turns < 0 {
        value
    } else {
        value.wrapping_add(turns as u32 * turn)
    }
}

/// A wait that has to end: how long it may take, counted by a 16-bit clock of scan lines.
#[derive(Clone, Copy, Debug)]
pub struct Deadline {
    last: u16,
    left: u32,
}

impl Deadline {
    /// `microseconds` from the reading `now` on.
    pub const fn new(now: u16, microseconds: u32) -> Self {
        Self {
            last: now,
            left: microseconds.div_ceil(LINE_MICROSECONDS),
        }
    }

    /// Whether the time is over at the reading `now`. Has to be asked at least every four
    /// seconds, for the clock wraps.
    pub fn over(&mut self, now: u16) -> bool {
        self.left = self
            .left
            .saturating_sub(u32::from(now.wrapping_sub(self.last)));
        self.last = now;
        self.left == 0
    }
}

#[cfg(target_arch = "mips")]
pub use hardware::{Clock, Timer};

#[cfg(target_arch = "mips")]
mod hardware {
    use super::{Deadline, LINE_MICROSECONDS, elapsed};
    use crate::{interrupt, io};

    /// The clock of time-outs: root counter 1 on the horizontal blank, never reset.
    ///
    /// It needs no interrupt, so time-outs work even where interrupts do not.
    #[derive(Clone, Copy, Debug)]
    pub struct Clock(());

    impl Clock {
        /// Start the counter.
        pub fn start() -> Self {
            io::root_counter(1).mode.write(0x100);
            Self(())
        }

        /// Scan lines since some moment, modulo 65,536 (4.1 seconds).
        #[inline]
        pub fn lines(self) -> u16 {
            let value = io::root_counter(1).value;
            // A counter with an outside clock can be caught between two values.
            loop {
                let first = value.read() as u16;
                if value.read() as u16 == first {
                    return first;
                }
            }
        }

        /// A deadline that many microseconds from now.
        pub fn deadline(self, microseconds: u32) -> Deadline {
            Deadline::new(self.lines(), microseconds)
        }

        /// Do nothing for at least that long.
        pub fn delay(self, microseconds: u32) {
            // One line more, for the first one may be nearly over.
            let mut deadline = self.deadline(microseconds + LINE_MICROSECONDS);
            while !deadline.over(self.lines()) {}
        }
    }

    /// The stop-watch.
    #[derive(Debug)]
    pub struct Timer {
        clock: Clock,
        overhead: u32,
        start: u16,
    }

    impl Timer {
        /// Take root counters 0 and 2 and find out what an empty measurement costs.
        pub fn new(clock: Clock) -> Self {
            let mut timer = Self {
                clock,
                overhead: 0,
                start: 0,
            };
            let mut least = u32::MAX;
            // The first rounds fill the instruction cache.
            for _ in 0..4 {
                let mut nothing: &mut dyn FnMut(&mut ()) = &mut |()| {};
                nothing = core::hint::black_box(nothing);
                least = least.min(timer.measure(&mut (), nothing));
            }
            timer.overhead = least;
            timer
        }

        /// Count from zero.
        #[inline]
        pub fn start(&mut self) {
            self.start = self.clock.lines();
            io::root_counter(2).mode.write(0x200);
            io::root_counter(0).mode.write(0);
        }

        /// CPU cycles since [`Timer::start`]; exact up to about 26 million (see [`elapsed`]).
        #[inline]
        pub fn cycles(&self) -> u32 {
            let fine = io::root_counter(0).value.read() as u16;
            let eighths = io::root_counter(2).value.read() as u16;
            let lines = self.clock.lines().wrapping_sub(self.start);
            elapsed(fine, eighths, lines)
        }

        /// The cost of one run of `work` in CPU cycles, interrupts off; the call itself is taken
        /// off. Vertical blanks meanwhile count as one at most.
        ///
        /// `work` must not use this timer, which it cannot reach, nor root counters 0 and 2.
        #[inline(never)]
        pub fn measure<T: ?Sized>(&mut self, target: &mut T, work: &mut dyn FnMut(&mut T)) -> u32 {
            interrupt::free(|| {
                self.start();
                work(target);
                self.cycles().saturating_sub(self.overhead)
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the three counters show after `cycles`, on a machine with this line length, with
    /// the line count off by `skew`.
    fn counters(cycles: u32, line: u32, skew: i32) -> (u16, u16, u16) {
        let lines = (cycles / line) as i32 + skew;
        (
            cycles as u16,
            (cycles / 8) as u16,
            u16::try_from(lines.max(0)).unwrap(),
        )
    }

    #[test]
    fn elapsed_is_exact_over_the_wraps_of_both_fast_counters() {
        for line in [2_152, 2_146, 2_172] {
            for skew in [-1, 0, 1, 2] {
                let mut cycles = 0u32;
                while cycles < 26_000_000 {
                    let (fine, eighths, lines) = counters(cycles, line, skew);
                    assert_eq!(elapsed(fine, eighths, lines), cycles, "line {line}");
                    cycles += 9_973;
                }
            }
        }
    }

    #[test]
    fn the_edges_of_a_wrap_are_not_confused_by_a_late_read() {
        for cycles in [65_535u32, 65_536, 524_287, 524_288, 1_048_575, 1_048_576] {
            for late in 0..4u16 {
                let (fine, eighths, lines) = counters(cycles, 2_152, 0);
                assert_eq!(elapsed(fine, eighths.wrapping_add(late), lines), cycles);
            }
        }
    }

    #[test]
    fn a_deadline_ends_over_a_wrap_of_its_clock_and_not_before() {
        let mut deadline = Deadline::new(65_530, 1_000);
        let needed = 1_000u32.div_ceil(LINE_MICROSECONDS) as u16;
        assert!(!deadline.over(65_530));
        assert!(!deadline.over(3));
        assert!(!deadline.over(65_530u16.wrapping_add(needed - 1)));
        assert!(deadline.over(65_530u16.wrapping_add(needed)));
        assert!(deadline.over(65_530u16.wrapping_add(needed)));
    }

    #[test]
    fn a_deadline_outlasts_many_turns_of_its_clock() {
        let mut deadline = Deadline::new(0, 10_000_000);
        let mut lines = 0u32;
        while !deadline.over(lines as u16) {
            lines += 16_000;
        }
        let seconds = lines / (1_000_000 / LINE_MICROSECONDS);
        assert!((9..=11).contains(&seconds), "{seconds}");
    }
}
