//! Pads on SIO0 (HAL sheet, section 7): asked, not interrupted. Memory cards are on the same wires: nobody may ask
//! for pads while one is written.

#![cfg_attr(not(target_arch = "mips"), allow(dead_code))]

use crate::timer::{Deadline, LINE_MICROSECONDS};

/// What the bytes behind the address answer: id, mark, buttons.
const ANSWERS: usize = 4;

/// The buttons in the game's order, which has the two bytes the other way round: bit 15 left, 14 down, 13 right, 12
/// up, 7 square, 6 cross, 5 circle, 4 triangle. `None`: there is no pad that has them.
fn buttons([id, mark, low, high]: [u8; ANSWERS]) -> Option<u16> {
    // Digital, analog, stick; the mark is 00h after a change of mode by hand.
    let known = matches!(id, 0x41 | 0x53 | 0x73) && matches!(mark, 0x5A | 0x00);
    // A button that is down is 0.
    known.then_some(!u16::from_be_bytes([low, high]))
}

/// The bit of the interrupt status that /ACK sets.
const ACKNOWLEDGED: u32 = 1 << 7;
/// Status: a byte has come.
const RECEIVED: u16 = 1 << 1;
/// Status: /ACK is low.
const HELD: u16 = 1 << 7;
/// Control: acknowledge.
const ACKNOWLEDGE: u16 = 0x10;
/// Control: send, select, receive, /ACK sets the interrupt status.
const SELECT: u16 = 0x1003;
/// Microseconds that a byte may take: it takes 32, and a step of the clock is 63.
const BYTE: u32 = 2 * LINE_MICROSECONDS;
/// Microseconds that its acknowledgement may take, which comes after about 45 and has to be waited for for 100.
const PATIENCE: u32 = 3 * LINE_MICROSECONDS;
/// Microseconds that all five bytes may take: with the times of [`SETTLE`] a port is asked within a millisecond.
const WHOLE: u32 = 11 * LINE_MICROSECONDS;
/// Microseconds between select and first byte, and between two ports.
const SETTLE: u32 = 40;

/// The registers of SIO0 and a clock.
trait Wire {
    /// Set the control register.
    fn control(&mut self, value: u16);
    /// The status register.
    fn status(&mut self) -> u16;
    /// Take a byte; any if there is none.
    fn receive(&mut self) -> u8;
    /// Send a byte.
    fn send(&mut self, byte: u8);
    /// Forget that /ACK was low.
    fn forget(&mut self);
    /// Whether /ACK was low since.
    fn acknowledged(&mut self) -> bool;
    /// Scan lines since some moment, modulo 65,536.
    fn lines(&mut self) -> u16;
    /// Do nothing for at least that long.
    fn delay(&mut self, microseconds: u32);
}

/// Ask what is in a port: what stands behind the address in its answer.
fn ask(wire: &mut impl Wire, port: u16) -> Option<[u8; ANSWERS]> {
    let control = SELECT | port << 13;
    wire.control(control);
    // Whatever is left of an earlier answer; there is room for eight.
    for _ in 0..8 {
        if wire.status() & RECEIVED == 0 {
            break;
        }
        wire.receive();
    }
    wire.delay(SETTLE);
    let mut whole = Deadline::new(wire.lines(), WHOLE);
    let answers = exchange(wire, &mut whole, control, 0x01, true).and_then(|_| {
        let mut answers = [0; ANSWERS];
        for (number, (byte, answer)) in [0x42, 0, 0, 0].into_iter().zip(&mut answers).enumerate() {
            // The last byte has no acknowledgement, but those of analog pads go on.
            let last = number + 1 == ANSWERS;
            *answer = exchange(wire, &mut whole, control, byte, !last)?;
        }
        Some(answers)
    });
    wire.control(0);
    wire.delay(SETTLE);
    answers
}

/// One byte out and one in; `None` when the pad does not answer in time, or what is left of `whole`.
fn exchange(
    wire: &mut impl Wire,
    whole: &mut Deadline,
    control: u16,
    byte: u8,
    acknowledged: bool,
) -> Option<u8> {
    wire.forget();
    wire.control(control | ACKNOWLEDGE);
    // Emulators of mednafen's family receive nothing until the data was read once; a console does not mind.
    wire.receive();
    wire.send(byte);
    wait(wire, whole, BYTE, |wire| wire.status() & RECEIVED != 0)?;
    let answer = wire.receive();
    if acknowledged {
        wait(wire, whole, PATIENCE, |wire| wire.acknowledged())?;
        wait(wire, whole, PATIENCE, |wire| wire.status() & HELD == 0)?;
    }
    Some(answer)
}

fn wait<W: Wire>(
    wire: &mut W,
    whole: &mut Deadline,
    microseconds: u32,
    done: impl Fn(&mut W) -> bool,
) -> Option<()> {
    let mut deadline = Deadline::new(wire.lines(), microseconds);
    loop {
        if done(wire) {
            return Some(());
        }
        let now = wire.lines();
        // Both look at the clock, or the one would miss what the other has seen.
        if deadline.over(now) | whole.over(now) {
            return None;
        }
    }
}

#[cfg(target_arch = "mips")]
pub use hardware::Pads;

#[cfg(target_arch = "mips")]
mod hardware {
    use super::{ACKNOWLEDGED, Wire, ask, buttons};
    use crate::io::{I_STAT, JOY_BAUD, JOY_CONTROL, JOY_DATA, JOY_MODE, JOY_STATUS};
    use crate::timer::Clock;

    /// The two pads.
    #[derive(Debug)]
    pub struct Pads(Registers);

    #[derive(Debug)]
    struct Registers(Clock);

    impl Pads {
        pub(crate) fn new(clock: Clock) -> Self {
            JOY_CONTROL.write(0x40);
            JOY_MODE.write(0x0D);
            JOY_BAUD.write(0x88);
            JOY_CONTROL.write(0);
            Self(Registers(clock))
        }

        /// What is held on both pads together, in the game's order; nothing where there is none. Takes about
        /// half a millisecond a port, at most one.
        pub fn held(&mut self) -> u16 {
            let pads = [0, 1].map(|port| self.held_on(port));
            pads.into_iter().flatten().fold(0, |held, it| held | it)
        }

        /// What is held on the pad in a port, 0 or 1; `None` where there is no pad.
        pub fn held_on(&mut self, port: u16) -> Option<u16> {
            ask(&mut self.0, port & 1).and_then(buttons)
        }
    }

    impl Wire for Registers {
        fn control(&mut self, value: u16) {
            JOY_CONTROL.write(value);
        }

        fn status(&mut self) -> u16 {
            JOY_STATUS.read()
        }

        fn receive(&mut self) -> u8 {
            JOY_DATA.read()
        }

        fn send(&mut self, byte: u8) {
            JOY_DATA.write(byte);
        }

        fn forget(&mut self) {
            I_STAT.write(!ACKNOWLEDGED);
        }

        fn acknowledged(&mut self) -> bool {
            I_STAT.read() & ACKNOWLEDGED != 0
        }

        fn lines(&mut self) -> u16 {
            self.0.lines()
        }

        fn delay(&mut self, microseconds: u32) {
            self.0.delay(microseconds);
        }
    }
}

#[cfg(test)]
mod tests;
