//! The clock of one actor (ANM sheet, "Playback clock").

use super::{Bank, Clip, Error};

/// Bits of the playback mode word, actor `+62h`.
///
/// `0x0001`, `0x0004` and `0x0010` are set in the spawn template and kept; `0x0400` and up belong
/// to the morph envelope.
pub mod mode {
    /// The cursor does not move.
    pub const HOLD: u16 = 0x0002;
    /// Stop at the end; clear: loop.
    pub const CLAMP: u16 = 0x0008;
    /// The cursor counts down.
    pub const REVERSE: u16 = 0x0080;
    /// Set on reaching either end, cleared at the start of every tick.
    pub const END: u16 = 0x0100;
    /// Start over; consumed by the next tick.
    pub const RESTART: u16 = 0x0200;
    /// The mode of a freshly placed object.
    pub const SPAWN: u16 = 0x0015;
}

/// What the last frame of a blended clip runs into.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ClipEnd {
    /// The first frame.
    #[default]
    Wrap,
    /// Itself.
    Hold,
}

impl ClipEnd {
    /// The rule for a mode word, given the bit that holds the last frame.
    ///
    /// Which bit the game tests is not known (sheet, "Open points"); [`Playback::end`] takes
    /// [`mode::CLAMP`], [`mode::HOLD`] is the other reading.
    #[must_use]
    pub const fn of(word: u16, bit: u16) -> Self {
        if word & bit != 0 {
            Self::Hold
        } else {
            Self::Wrap
        }
    }
}

/// The animation state of one actor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Playback {
    /// Requested clip, one-based; 0 and below: none (actor `+5Ch`).
    pub number: i16,
    /// Clip that the cursor belongs to, or [`Playback::REBIND`] (actor `+5Eh`).
    pub bound: i16,
    /// Place in the clip, in 1/16 frame (actor `+68h`).
    pub cursor: i16,
    /// Advance per tick, in 1/16 frame (actor `+6Ah`).
    pub speed: i16,
    /// Bits of [`mode`] (actor `+62h`).
    pub mode: u16,
}

impl Playback {
    /// The value of [`Playback::bound`] that forces a rebind.
    pub const REBIND: i16 = -2;

    /// A freshly placed object that plays clip `number`: speed 8, mode [`mode::SPAWN`].
    #[must_use]
    pub const fn new(number: i16) -> Self {
        Self {
            number,
            bound: Self::REBIND,
            cursor: 0,
            speed: 8,
            mode: mode::SPAWN,
        }
    }

    /// Advance by one tick; the clip to draw, or `None` when none is requested.
    ///
    /// `dt` is the frame step: 1 when the game runs at its full rate.
    ///
    /// # Errors
    /// [`Error::NoSuchClip`]: nothing changes and nothing is to be drawn.
    pub fn tick<'a>(&mut self, bank: &Bank<'a>, dt: u8) -> Result<Option<Clip<'a>>, Error> {
        self.tick_with(|number| bank.clip(number), dt)
    }

    /// As [`Playback::tick`], with another way to look up a clip: see [`super::Banks::clip`].
    ///
    /// # Errors
    /// Those of `lookup`, which leave everything unchanged.
    pub fn tick_with<'a, E>(
        &mut self,
        lookup: impl FnOnce(i16) -> Result<Clip<'a>, E>,
        dt: u8,
    ) -> Result<Option<Clip<'a>>, E> {
        if self.number <= 0 {
            return Ok(None);
        }
        let clip = lookup(self.number)?;
        if self.number != self.bound {
            self.bound = self.number;
            self.cursor = 0;
        }
        self.advance(&clip, dt);
        Ok(Some(clip))
    }

    /// Move the cursor through `clip`.
    fn advance(&mut self, clip: &Clip<'_>, dt: u8) {
        let mut step = i32::from(self.speed);
        if clip.blend() {
            // The bank refused a rate of 0.
            let rate = i32::from(clip.rate()).max(1);
            step = (step * 2 + rate - 1) / rate;
        }
        // The factor applies to the scaled step (sheet, second note on the clock).
        step *= i32::from(dt);
        let span = clip.span();
        let reverse = self.mode & mode::REVERSE != 0;
        let clamp = self.mode & mode::CLAMP != 0;
        if self.mode & mode::RESTART != 0 {
            self.mode &= !mode::RESTART;
            self.cursor = if reverse { span.wrapping_sub(16) } else { 0 };
        }
        self.mode &= !mode::END;
        if self.mode & mode::HOLD == 0 {
            let step = if reverse { -step } else { step };
            // The actor's halfword keeps the low 16 bits.
            self.cursor = self.cursor.wrapping_add(step as i16);
        }
        // One test after the other: a reverse loop that lands on -1 becomes span - 1, then 0.
        if self.cursor < 0 {
            self.cursor = if clamp {
                0
            } else {
                self.cursor.wrapping_add(span)
            };
            self.mode |= mode::END;
        }
        if self.cursor >= span.wrapping_sub(1) {
            self.cursor = if clamp { span.wrapping_sub(1) } else { 0 };
            self.mode |= mode::END;
        }
    }

    /// What the last frame runs into: the recommended reading, [`mode::CLAMP`] holds it.
    #[must_use]
    pub const fn end(&self) -> ClipEnd {
        ClipEnd::of(self.mode, mode::CLAMP)
    }

    /// Script `22 n`: play clip `number` from its start.
    pub fn set_clip(&mut self, number: i16) {
        self.number = number;
        self.bound = Self::REBIND;
    }

    /// Script `2B b`: set bit `bit` (0..15; others do nothing) of the mode.
    pub fn set_bit(&mut self, bit: u8) {
        self.mode |= 1u16.checked_shl(u32::from(bit)).unwrap_or(0);
    }

    /// Script `2C b`: clear bit `bit` of the mode.
    pub fn clear_bit(&mut self, bit: u8) {
        self.mode &= !1u16.checked_shl(u32::from(bit)).unwrap_or(0);
    }

    /// Script `2D b` waits until this is true: bit `bit` of the mode is set.
    #[must_use]
    pub const fn bit(&self, bit: u8) -> bool {
        match 1u16.checked_shl(bit as u32) {
            Some(mask) => self.mode & mask != 0,
            None => false,
        }
    }

    /// Script `4C`, nibble 4, sub 1: half the operand, at least 1.
    pub fn set_speed(&mut self, operand: i16) {
        self.speed = (operand >> 1).max(1);
    }

    /// Script `4C 35`: to the first frame and stay there.
    pub fn reset_and_hold(&mut self) {
        self.mode = self.mode & !mode::REVERSE | 0x020A;
    }

    /// Script `4C 36`: to the last frame and stay there.
    pub fn end_and_hold(&mut self) {
        self.mode |= 0x028A;
    }
}
