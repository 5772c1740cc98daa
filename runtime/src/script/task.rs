//! What a context runs, what holds it up, and the shortest way to see that nothing happens.

use core::fmt;

use super::context::{Context, Hold};
use super::fault::Fault;
use super::host::ContextId;
use super::simple::Stop;
use super::state::State;

/// The record of a context and what keeps it from going on.
///
/// It keeps to itself what the instruction at one address is found to wait for, so that a frame in which
/// nothing happens reads two words instead of the instruction. Whatever would make that wrong goes through
/// here: another record is another `Task`.
#[derive(Clone, Copy)]
pub struct Task<'c> {
    code: &'c [u8],
    stopped: Option<Fault>,
    awaits: Option<ContextId>,
    /// Number of the parking whose end is awaited ([`Hold`]); 0: of whichever it is.
    parking: u16,
    seen: Seen,
}

/// An address in the upper half; below it what stands there, one of the constants or nothing of that kind.
/// The low five bits are a number of a bit, or the low twelve the operand of a wait: so one word tells all.
#[derive(Clone, Copy)]
struct Seen(u32);

impl Seen {
    /// Nothing is known. (At the last address nothing ever will be: it takes the long way.)
    const NOWHERE: Self = Self(0xFFFF_0000);
    /// One of the next two, so that neither of them nor a wait is the third that is asked for.
    const COMMON: u32 = 0x8000;
    /// `26` back to the `21` in front of it; [`Seen::COMMON`].
    const IDLE: u32 = 0x4000;
    /// `2D`: waits for a bit of the local bank.
    const LOCAL: u32 = Self::COMMON;
    /// `4A`, with its operand below.
    const WAIT: u32 = 0x2000;
    /// The record is empty, at any address.
    const NOTHING: u32 = 0x1000;
    /// The operand of a wait, display frames. Of a longer one this many are waited the short way, which is
    /// more than a minute.
    const FRAMES: u32 = 0xFFF;
    /// `30`: waits for a bit of the global bank.
    const GLOBAL: u32 = 0x800;
    /// `33`: waits for a bit of the context's flags.
    const FLAGS: u32 = 0x400;
    /// `26` to itself.
    const SPIN: u32 = 0x200;
    const RARE: u32 = Self::GLOBAL | Self::FLAGS | Self::SPIN;

    /// Not 0 where it is of another address.
    #[inline(always)]
    const fn is_off(self, pc: u16) -> u32 {
        self.0 >> 16 ^ pc as u32
    }

    /// What is known of a record at first.
    const fn of(code: &[u8]) -> Self {
        if code.is_empty() {
            Self(Self::NOWHERE.0 | Self::NOTHING)
        } else {
            Self::NOWHERE
        }
    }
}

impl<'c> Task<'c> {
    /// Nothing to run.
    pub const NONE: Self = Self::new(&[]);

    /// A record, header included; nothing holds it up.
    #[must_use]
    pub const fn new(code: &'c [u8]) -> Self {
        Self {
            code,
            stopped: None,
            awaits: None,
            parking: 0,
            seen: Seen::of(code),
        }
    }

    /// The same, held up until the context in a place goes on.
    #[must_use]
    pub const fn awaiting(mut self, other: Option<ContextId>) -> Self {
        (self.awaits, self.parking) = (other, 0);
        self.seen = Seen::of(self.code);
        self
    }

    /// Whether the record is empty.
    #[inline(always)]
    pub(super) const fn is_nothing(&self) -> bool {
        self.seen.0 & Seen::NOTHING != 0
    }

    /// The record, header included.
    #[inline]
    #[must_use]
    pub const fn code(&self) -> &'c [u8] {
        self.code
    }

    /// See [`Context::awaits`].
    #[inline]
    #[must_use]
    pub const fn awaits(&self) -> Option<ContextId> {
        self.awaits
    }

    /// See [`Context::stopped`].
    #[inline]
    #[must_use]
    pub const fn stopped(&self) -> Option<Fault> {
        self.stopped
    }

    /// It goes on when another context's parking ends.
    pub(super) fn wait_for(&mut self, hold: Hold) {
        *self = self.awaiting(Some(hold.of));
        self.parking = hold.number;
    }

    /// It waits for nobody.
    pub(super) fn go_on(&mut self) {
        *self = self.awaiting(None);
    }

    /// Whether it is a parking of this number that it waits for.
    pub(super) const fn awaits_parking(&self, number: u16) -> bool {
        self.parking == 0 || self.parking == number
    }

    /// It does not go on.
    pub(super) fn stop(&mut self, fault: Fault) {
        (self.stopped, self.seen) = (Some(fault), Seen::of(self.code));
    }

    /// What the instruction at `pc` is. Out of line: it is asked once where a script waits.
    #[cold]
    #[inline(never)]
    fn look(&mut self, pc: u16) -> Seen {
        let at = usize::from(pc);
        let byte = |at: usize| self.code.get(at).copied();
        let word = |low: u8| Some(u16::from_le_bytes([low, byte(at + 2)?]));
        let bit = |low: u8| u32::from(low & 31);
        let read = || {
            let (opcode, low) = (byte(at)?, byte(at + 1)?);
            Some(match opcode {
                0x2D => Seen::LOCAL | bit(low),
                0x30 => Seen::GLOBAL | bit(low),
                0x33 => Seen::FLAGS | bit(low),
                0x4A => match word(low)? {
                    // The readings differ on it (7.21).
                    0x8000.. => return None,
                    frames => Seen::WAIT | u32::from(frames).min(Seen::FRAMES),
                },
                0x26 => {
                    let to = pc.wrapping_add(1).wrapping_add(word(low)?);
                    if to == pc {
                        Seen::SPIN
                    } else if to.wrapping_add(1) == pc && byte(to.into())? == 0x21 {
                        Seen::COMMON | Seen::IDLE
                    } else {
                        return None;
                    }
                }
                _ => return None,
            })
        };
        let held = self.awaits.is_some() || self.stopped.is_some();
        let kind = read().filter(|_| !held).unwrap_or(0);
        let nothing = self.seen.0 & Seen::NOTHING;
        let seen = Seen(u32::from(pc) << 16 | nothing | kind);
        if !held {
            self.seen = seen;
        }
        seen
    }
}

impl Default for Task<'_> {
    fn default() -> Self {
        Self::NONE
    }
}

/// What was seen does not count: it follows from the record.
impl PartialEq for Task<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.code == other.code && self.awaits == other.awaits && self.stopped == other.stopped
    }
}

impl Eq for Task<'_> {}

impl fmt::Debug for Task<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Task")
            .field("code", &self.code)
            .field("awaits", &self.awaits)
            .field("stopped", &self.stopped)
            .finish_non_exhaustive()
    }
}

/// What most slices come to: a test or a wait that fails, or the jump of an idle loop back to its `21`; of
/// a budget of at least 2. `None`, with nothing done: something else, or one of the bits `held` of the
/// context's flags is set.
///
/// It is what [`run`](super::simple::run) would do.
#[inline(always)]
pub(super) fn still(state: &State, context: &mut Context<'_>, dt: u8, held: u32) -> Option<Stop> {
    let mut seen = context.task.seen;
    // One branch for both: so the words are loaded one behind the other.
    if seen.is_off(context.pc) | context.flags & held != 0 {
        if context.flags & held != 0 {
            return None;
        }
        seen = context.task.look(context.pc);
    }
    let word = if seen.0 & Seen::COMMON != 0 {
        if seen.0 & Seen::IDLE != 0 {
            return Some(Stop::Frame);
        }
        u32::from(context.local_flags)
    } else if seen.0 & Seen::WAIT != 0 {
        // Below an operand of this size the sum neither stops nor differs by the reading.
        let passed = i32::from(context.wait_accum) + i32::from(dt);
        if passed >= (seen.0 & Seen::FRAMES) as i32 {
            return None;
        }
        context.wait_accum = passed as i16;
        return Some(Stop::Parked);
    } else if seen.0 & Seen::RARE == 0 {
        return None;
    } else if seen.0 & Seen::SPIN != 0 {
        0
    } else if seen.0 & Seen::GLOBAL != 0 {
        state.global
    } else {
        context.flags
    };
    if word >> (seen.0 & 31) & 1 == 0 {
        Some(Stop::Parked)
    } else {
        None
    }
}
