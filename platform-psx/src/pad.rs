//! Pads on SIO0 (HAL sheet, section 7): asked, not interrupted. Memory cards are on the same wires: nobody may ask
//! for pads while one is written.

/// What the bytes behind the address answer: id, mark, buttons.
const ANSWERS: usize = 4;

/// The buttons in the game's order, which has the two bytes the other way round: bit 15 left, 14 down, 13 right, 12
/// up, 7 square, 6 cross, 5 circle, 4 triangle. `None`: there is no pad that has them.
#[cfg_attr(not(target_arch = "mips"), allow(dead_code))]
fn buttons([id, mark, low, high]: [u8; ANSWERS]) -> Option<u16> {
    // Digital, analog, stick; the mark is 00h after a change of mode by hand.
    let known = matches!(id, 0x41 | 0x53 | 0x73) && matches!(mark, 0x5A | 0x00);
    // A button that is down is 0.
    known.then_some(!u16::from_be_bytes([low, high]))
}

#[cfg(target_arch = "mips")]
pub use hardware::Pads;

#[cfg(target_arch = "mips")]
mod hardware {
    use super::{ANSWERS, buttons};
    use crate::io::{I_STAT, JOY_BAUD, JOY_CONTROL, JOY_DATA, JOY_MODE, JOY_STATUS};
    use crate::timer::Clock;

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
    /// Microseconds that a byte may take, and then its acknowledgement: they take 32 and about 45.
    const PATIENCE: u32 = 200;
    /// Microseconds between select and first byte.
    const SETTLE: u32 = 40;

    /// The two pads.
    #[derive(Debug)]
    pub struct Pads {
        clock: Clock,
    }

    impl Pads {
        pub(crate) fn new(clock: Clock) -> Self {
            JOY_CONTROL.write(0x40);
            JOY_MODE.write(0x0D);
            JOY_BAUD.write(0x88);
            JOY_CONTROL.write(0);
            Self { clock }
        }

        /// What is held on both pads together, in the game's order; nothing where there is none. Takes about
        /// half a millisecond a pad.
        pub fn held(&mut self) -> u16 {
            let pads = [0, 1].map(|port| self.ask(port).and_then(buttons));
            pads.into_iter().flatten().fold(0, |held, it| held | it)
        }

        /// Ask the pad in a port.
        fn ask(&mut self, port: u16) -> Option<[u8; ANSWERS]> {
            let control = SELECT | port << 13;
            JOY_CONTROL.write(control);
            // Whatever is left of an earlier answer; there is room for eight.
            for _ in 0..8 {
                if JOY_STATUS.read() & RECEIVED == 0 {
                    break;
                }
                JOY_DATA.read();
            }
            self.clock.delay(SETTLE);
            let mut answers = [0; ANSWERS];
            let whole = self.exchange(control, 0x01, true).is_some()
                && [0x42, 0, 0, 0]
                    .into_iter()
                    .zip(&mut answers)
                    .enumerate()
                    .all(|(number, (byte, answer))| {
                        // The last byte has no acknowledgement, but those of analog pads go on.
                        let last = number + 1 == ANSWERS;
                        match self.exchange(control, byte, !last) {
                            Some(got) => {
                                *answer = got;
                                true
                            }
                            None => false,
                        }
                    });
            JOY_CONTROL.write(0);
            self.clock.delay(SETTLE);
            whole.then_some(answers)
        }

        /// One byte out and one in; `None` when the pad does not answer in time.
        fn exchange(&mut self, control: u16, byte: u8, acknowledged: bool) -> Option<u8> {
            I_STAT.write(!ACKNOWLEDGED);
            JOY_CONTROL.write(control | ACKNOWLEDGE);
            JOY_DATA.write(byte);
            self.wait(|| JOY_STATUS.read() & RECEIVED != 0)?;
            let answer = JOY_DATA.read();
            if acknowledged {
                self.wait(|| I_STAT.read() & ACKNOWLEDGED != 0)?;
                self.wait(|| JOY_STATUS.read() & HELD == 0)?;
            }
            Some(answer)
        }

        fn wait(&self, done: impl Fn() -> bool) -> Option<()> {
            let mut deadline = self.clock.deadline(PATIENCE);
            loop {
                if done() {
                    return Some(());
                }
                if deadline.over(self.clock.lines()) {
                    return None;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::buttons;

    #[test]
    fn the_bytes_change_places_and_what_is_down_is_set() {
        assert_eq!(buttons([0x41, 0x5A, 0xFF, 0xFF]), Some(0));
        // Up is bit 4 of the first byte, left bit 7; circle bit 5 of the second, L1 bit 2.
        assert_eq!(buttons([0x41, 0x5A, 0xEF, 0xFF]), Some(0x1000));
        assert_eq!(buttons([0x73, 0x00, 0x7F, 0xDB]), Some(0x8024));
        assert_eq!(buttons([0xFF, 0xFF, 0xFF, 0xFF]), None);
        // A mouse has other bytes there.
        assert_eq!(buttons([0x12, 0x5A, 0xFF, 0xFF]), None);
    }
}
