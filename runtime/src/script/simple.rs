//! Instructions that need nothing but flags, the PC and the time: what most slices are made of, and the
//! one loop that runs them without decoder, host and enums.

use super::compat::Compat;
use super::context::{Context, flag};
use super::ops::bit;
use super::state::State;

/// How an instruction of [`simple`] ends.
#[derive(Clone, Copy)]
pub(super) enum Simple {
    /// Behind it, so many bytes on.
    Next(u16),
    /// Behind it, and the frame is over.
    Frame,
    /// Not yet.
    Park,
    /// By rule R: the displacement's address, from the opcode of the plain form, and the displacement.
    Jump(u16, u16),
    /// It is another instruction, or the record ends within it.
    Other,
}

/// Execute a plain instruction on a context; `operand` gives its operand bytes.
#[inline(always)]
pub(super) fn simple(
    state: &mut State,
    context: &mut Context<'_>,
    opcode: u8,
    operand: impl Fn(usize) -> Option<u8>,
    dt: u8,
    compat: Compat,
) -> Simple {
    macro_rules! byte {
        ($at:expr) => {
            match operand($at) {
                Some(byte) => byte,
                None => return Simple::Other,
            }
        };
    }
    macro_rules! word {
        ($at:expr) => {
            u16::from_le_bytes([byte!($at), byte!($at + 1)])
        };
    }
    let test = |set: bool| if set { Simple::Next(2) } else { Simple::Park };
    // Index of a system flag, 12 bits. (The extended forms' bit 15 is cut off, section 2.)
    let flag = |low: u8| u16::from(opcode & 0xF) << 8 | u16::from(low);
    match opcode {
        0x21 => return Simple::Frame,
        0x24 | 0x25 | 0x48 => return Simple::Next(1),
        0x26 => return Simple::Jump(1, word!(0)),
        0x2B => context.local_flags |= bit(byte!(0)) as u16,
        0x2C => context.local_flags &= !bit(byte!(0)) as u16,
        0x2D => return test(u32::from(context.local_flags) & bit(byte!(0)) != 0),
        0x2E => state.global |= bit(byte!(0)),
        0x2F => state.global &= !bit(byte!(0)),
        0x30 => return test(state.global & bit(byte!(0)) != 0),
        0x31 => {
            let mask = bit(byte!(0));
            context.flags |= mask;
            if mask == flag::RUN {
                context.saved_heading = context.heading;
            }
        }
        0x32 => context.flags &= !bit(byte!(0)),
        0x33 => return test(context.flags & bit(byte!(0)) != 0),
        0x4A => {
            let frames = word!(0);
            // The accumulator has a sign, and so has the operand; the port's has none (7.21).
            let passed = context.wait_accum.saturating_add(i16::from(dt));
            let over = if compat.waits_are_unsigned() {
                i32::from(passed) >= i32::from(frames)
            } else {
                passed >= frames as i16
            };
            context.wait_accum = if over { 0 } else { passed };
            return if over { Simple::Next(3) } else { Simple::Park };
        }
        0x50..=0x5F => state.system.set(flag(byte!(0))),
        0x60..=0x6F => state.system.clear(flag(byte!(0))),
        0x70..=0x7F if opcode < 0x78 || !compat.high_tests_unknown() => {
            let (low, to) = (byte!(0), word!(1));
            if state.system.test(flag(low)) {
                return Simple::Jump(2, to);
            }
            return Simple::Next(4);
        }
        _ => return Simple::Other,
    }
    Simple::Next(2)
}

/// Why [`run`] stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// `21`: the PC is behind it.
    Frame,
    /// An instruction waits, or jumps to itself.
    Parked,
    /// Text is next.
    Text,
    /// There is something else at the PC, or nothing.
    Other,
}

/// Run simple instructions of a context's own, `budget` at most; the PC is where it stopped. Answers why,
/// and how many more there may be.
pub(super) fn run(
    state: &mut State,
    context: &mut Context<'_>,
    dt: u8,
    compat: Compat,
    budget: u16,
) -> (Stop, u16) {
    let code = context.code();
    let mut pc = context.pc;
    let mut left = budget;
    let stop = loop {
        let at = usize::from(pc);
        let Some(&opcode) = code.get(at) else {
            break Stop::Other;
        };
        if left == 0 || opcode & 0x7F < 0x20 {
            let text = opcode & 0x7F < 0x20;
            break if text { Stop::Text } else { Stop::Other };
        }
        let operand = |index| code.get(at + 1 + index).copied();
        let next = match simple(state, context, opcode, operand, dt, compat) {
            Simple::Next(len) => pc.wrapping_add(len),
            Simple::Jump(at, displacement) => {
                let to = pc.wrapping_add(at).wrapping_add(displacement);
                if to == pc {
                    left -= 1;
                    break Stop::Parked;
                }
                to
            }
            Simple::Frame => {
                pc = pc.wrapping_add(1);
                left -= 1;
                break Stop::Frame;
            }
            Simple::Park => {
                left -= 1;
                break Stop::Parked;
            }
            Simple::Other => break Stop::Other,
        };
        left -= 1;
        pc = next;
    };
    context.pc = pc;
    (stop, left)
}
