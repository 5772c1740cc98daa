//! A fake port (pitfall P10): quick, slow and dumb devices, and a receiver as mednafen's, which a read arms.

use super::{ACKNOWLEDGE, HELD, RECEIVED, Wire, ask, buttons};

/// What is plugged in.
#[derive(Clone, Copy)]
struct Device {
    /// What it answers, the address's answer first.
    answers: [u8; 5],
    /// Microseconds from the end of a byte to /ACK, if there is one; it lasts two.
    ack_after: Option<u32>,
    /// Whether it lets go of /ACK.
    lets_go: bool,
}

const PAD: Device = Device {
    answers: [0xFF, 0x41, 0x5A, 0xEF, 0xDF],
    ack_after: Some(12),
    lets_go: true,
};

/// Nobody drives the wire: ones.
const NOTHING: Device = Device {
    answers: [0xFF; 5],
    ack_after: None,
    lets_go: true,
};

/// A register's access takes a microsecond.
struct Fake {
    ports: [Device; 2],
    now: u32,
    control: u16,
    /// Since when this byte is on its way, and its number.
    sent: Option<(u32, usize)>,
    bytes: usize,
    received: Option<u8>,
    /// Whether the byte on its way is yet to come; who is not armed when it comes does not get it.
    awaited: bool,
    armed: bool,
    forgotten_at: u32,
    selected_at: u32,
    settled: bool,
}

impl Fake {
    fn new(ports: [Device; 2]) -> Self {
        Self {
            ports,
            // The clock is about to wrap.
            now: 65_530 * 63 + 40,
            control: 0,
            sent: None,
            bytes: 0,
            received: None,
            awaited: false,
            armed: false,
            forgotten_at: 0,
            selected_at: 0,
            settled: true,
        }
    }

    fn device(&self) -> Device {
        self.ports[usize::from(self.control >> 13 & 1)]
    }

    /// When the byte on its way is there, and when its /ACK begins.
    fn times(&self) -> Option<(u32, Option<u32>)> {
        let (at, number) = self.sent?;
        // No acknowledgement of the last one.
        let ack = self.device().ack_after.filter(|_| number < 4);
        Some((at + 32, ack.map(|after| at + 32 + after)))
    }

    fn tick(&mut self) {
        self.now += 1;
        if let (Some((there, _)), Some((_, number))) = (self.times(), self.sent)
            && self.awaited
            && self.now >= there
        {
            self.awaited = false;
            if self.armed {
                self.received = Some(self.device().answers[number]);
            }
            self.armed = false;
        }
    }
}

impl Wire for Fake {
    fn control(&mut self, value: u16) {
        self.tick();
        if value & 2 != 0 && self.control & 2 == 0 {
            self.selected_at = self.now;
            self.bytes = 0;
        }
        if value & ACKNOWLEDGE == 0 {
            self.sent = None;
        }
        self.control = value;
    }

    fn status(&mut self) -> u16 {
        self.tick();
        let mut status = if self.received.is_some() { RECEIVED } else { 0 };
        if let Some((_, Some(ack))) = self.times() {
            let over = self.device().lets_go && self.now >= ack + 2;
            if self.now >= ack && !over {
                status |= HELD;
            }
        }
        status
    }

    fn receive(&mut self) -> u8 {
        self.tick();
        self.armed = true;
        self.received.take().unwrap_or(0xFF)
    }

    fn send(&mut self, byte: u8) {
        self.tick();
        self.settled &= self.now - self.selected_at >= 20;
        let expected = [0x01, 0x42, 0, 0, 0];
        assert_eq!(byte, expected[self.bytes], "byte {}", self.bytes);
        self.sent = Some((self.now, self.bytes));
        self.bytes += 1;
        self.awaited = true;
    }

    fn forget(&mut self) {
        self.tick();
        self.forgotten_at = self.now;
    }

    fn acknowledged(&mut self) -> bool {
        self.tick();
        let ack = self.times().and_then(|it| it.1);
        ack.is_some_and(|at| at > self.forgotten_at && self.now >= at)
    }

    fn lines(&mut self) -> u16 {
        self.tick();
        (self.now / 63) as u16
    }

    fn delay(&mut self, microseconds: u32) {
        self.now += microseconds;
    }
}

/// Ask and see that it takes less than a millisecond, that the wire was quiet before, and is left alone after.
fn asked(ports: [Device; 2], port: u16) -> Option<u16> {
    let mut wire = Fake::new(ports);
    let began = wire.now;
    let answer = ask(&mut wire, port);
    let took = wire.now - began;
    assert!(took < 1_000, "{took} us");
    assert!(wire.settled, "the first byte came too early");
    assert_eq!(wire.control, 0);
    answer.and_then(buttons)
}

#[test]
fn a_pad_says_what_is_held_in_either_port() {
    // Up is bit 4 of the first byte, circle bit 5 of the second.
    assert_eq!(asked([PAD, NOTHING], 0), Some(0x1020));
    assert_eq!(asked([NOTHING, PAD], 1), Some(0x1020));
    assert_eq!(asked([NOTHING, PAD], 0), None);
}

#[test]
fn slow_pads_are_waited_for_and_dumb_ones_are_not() {
    for after in [0, 1, 12, 45, 60, 90, 100] {
        let slow = Device {
            ack_after: Some(after),
            ..PAD
        };
        assert_eq!(asked([slow, PAD], 0), Some(0x1020), "{after} us");
    }
    for after in [300, 1_000, 1_000_000] {
        let dead = Device {
            ack_after: Some(after),
            ..PAD
        };
        assert_eq!(asked([dead, PAD], 0), None, "{after} us");
    }
    let never = Device {
        ack_after: None,
        ..PAD
    };
    assert_eq!(asked([never, PAD], 0), None);
    // A mouse that was never asked holds /ACK low.
    let holds = Device {
        lets_go: false,
        ..PAD
    };
    assert_eq!(asked([holds, PAD], 0), None);
}

#[test]
fn what_is_left_of_an_earlier_answer_is_thrown_away() {
    let mut wire = Fake::new([PAD, NOTHING]);
    wire.received = Some(0x73);
    assert_eq!(ask(&mut wire, 0), Some([0x41, 0x5A, 0xEF, 0xDF]));
}

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
