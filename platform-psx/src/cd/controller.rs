//! Commands and answers of the drive's controller (HAL sheet, 6.1 to 6.3), polled.
//!
//! The rules that this file keeps, whoever calls it:
//! * a command goes out only when no interrupt is pending, the last answer of the command before
//!   has come, and the busy bit is low;
//! * an interrupt number counts when two readings of it agree;
//! * an answer is read before it is acknowledged;
//! * each wait ends.

use super::{Error, Port};
use crate::timer::Deadline;
use core::fmt;

/// HSTS: the result FIFO holds something.
const RESULT: u8 = 1 << 5;
/// HSTS: the data FIFO holds something.
const DATA: u8 = 1 << 6;
/// HSTS: the controller is taking a command.
const BUSY: u8 = 1 << 7;

/// stat: an error, whose code follows.
pub const STAT_ERROR: u8 = 1 << 0;
/// stat: the lid is or was open.
pub const STAT_LID: u8 = 1 << 4;

/// Longest time from a command to its first answer, in microseconds.
pub const ACKNOWLEDGE: u32 = 100_000;
/// The same for Init.
pub const ACKNOWLEDGE_INIT: u32 = 1_000_000;
/// Longest time to a second answer, in microseconds.
pub const COMPLETION: u32 = 10_000_000;
/// Longest time between two sectors, in microseconds.
pub const SECTOR_WAIT: u32 = 3_000_000;
/// Longest time from asking for data until they are in the FIFO, in microseconds.
const DATA_WAIT: u32 = 50_000;

/// The commands this driver sends (HAL sheet, 6.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Command {
    /// Get stat; clears the sticky lid bit.
    Nop = 0x01,
    /// Set the sector that the next read begins with.
    Setloc = 0x02,
    /// Read, with the drive's own retries.
    ReadN = 0x06,
    /// Stop reading.
    Pause = 0x09,
    /// Stop everything, reset the mode.
    Init = 0x0A,
    /// Speed and sector size.
    Setmode = 0x0E,
    /// Where the head is, by the subchannel.
    GetlocP = 0x11,
    /// Where a track begins; track 0 is the end of the disc.
    GetTD = 0x14,
    /// What kind of disc there is.
    GetID = 0x1A,
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// What the driver was waiting for when the time was up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The controller to take a command.
    Ready(Command),
    /// The first answer to a command.
    Acknowledge(Command),
    /// The second answer to a command.
    Complete(Command),
    /// The next sector.
    Sector,
    /// The data of a sector in the FIFO.
    Data,
    /// The data of a sector by DMA.
    Transfer,
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ready(command) => write!(f, "waiting to send {command}"),
            Self::Acknowledge(command) => write!(f, "waiting for the answer to {command}"),
            Self::Complete(command) => write!(f, "waiting for {command} to end"),
            Self::Sector => f.write_str("waiting for the next sector"),
            Self::Data => f.write_str("waiting for a sector's data"),
            Self::Transfer => f.write_str("moving a sector by DMA"),
        }
    }
}

/// An answer: interrupt number and the bytes of the result FIFO.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// 1 data ready, 2 complete, 3 acknowledge, 4 end, 5 error.
    pub interrupt: u8,
    bytes: [u8; 16],
    len: usize,
}

impl Answer {
    /// Data ready.
    pub const DATA: u8 = 1;
    /// Second answer.
    pub const COMPLETE: u8 = 2;
    /// First answer.
    pub const ACKNOWLEDGE: u8 = 3;
    /// End of the data.
    pub const END: u8 = 4;
    /// Error, to a command or unasked.
    pub const ERROR: u8 = 5;

    /// The bytes that came.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// Byte `n`, or 0 if the answer is shorter.
    pub fn byte(&self, n: usize) -> u8 {
        self.bytes().get(n).copied().unwrap_or(0)
    }

    /// The drive's state.
    pub fn stat(&self) -> u8 {
        self.byte(0)
    }

    /// The error code, of an error.
    pub fn code(&self) -> u8 {
        self.byte(1)
    }
}

/// The controller's four registers with their rules.
#[derive(Debug)]
pub struct Controller<P> {
    pub(super) port: P,
    /// The register bank, 0..3; another number when it is not known.
    bank: u8,
    /// The command whose second answer has not come yet.
    outstanding: Option<Command>,
}

impl<P: Port> Controller<P> {
    pub(super) fn new(port: P) -> Self {
        Self {
            port,
            bank: u8::MAX,
            outstanding: None,
        }
    }

    /// Forget what was under way: acknowledge everything, empty the FIFOs, route the sound.
    pub(super) fn reset(&mut self) {
        self.bank = u8::MAX;
        if let Some(before) = self.outstanding.take() {
            // Whatever it says or does not say: a new command must not meet it.
            let _ = self.answer(before, Answer::COMPLETE, COMPLETION);
        }
        self.write(1, 3, 0x1F);
        self.write(1, 3, 0x40);
        self.write(1, 2, 0x1F);
        self.write(0, 3, 0x00);
        // Left to left, right to right, full volume; bit 5 applies it.
        self.write(2, 2, 0x80);
        self.write(2, 3, 0x00);
        self.write(3, 1, 0x80);
        self.write(3, 2, 0x00);
        self.write(3, 3, 0x20);
    }

    fn select(&mut self, bank: u8) {
        if self.bank != bank {
            self.port.write(0, bank);
            self.bank = bank;
        }
    }

    fn write(&mut self, bank: u8, register: u8, value: u8) {
        self.select(bank);
        self.port.write(register, value);
    }

    pub(super) fn deadline(&mut self, microseconds: u32) -> Deadline {
        Deadline::new(self.port.lines(), microseconds)
    }

    pub(super) fn over(&mut self, deadline: &mut Deadline) -> bool {
        let now = self.port.lines();
        deadline.over(now)
    }

    /// Do nothing for about that long.
    pub(super) fn delay(&mut self, microseconds: u32) {
        let mut deadline = self.deadline(microseconds);
        while !self.over(&mut deadline) {}
    }

    /// The interrupt that is pending, 0 if none. Old consoles show a number on its way to
    /// another one, so it counts when it was seen twice.
    fn pending(&mut self) -> u8 {
        self.select(1);
        let mut first = self.port.read(3) & 7;
        if first == 0 {
            return 0;
        }
        loop {
            let second = self.port.read(3) & 7;
            if second == first {
                return second;
            }
            first = second;
            if first == 0 {
                return 0;
            }
        }
    }

    /// Whether an answer is pending. Takes nothing.
    pub(super) fn speaks(&mut self) -> bool {
        self.pending() != 0
    }

    /// Take the pending answer, if there is one. If it is a sector and `keep` is set, its data are
    /// asked for before the acknowledgement, which locks them.
    pub(super) fn poll(&mut self, keep: bool) -> Option<Answer> {
        let interrupt = self.pending();
        if interrupt == 0 {
            return None;
        }
        let mut answer = Answer {
            interrupt,
            bytes: [0; 16],
            len: 0,
        };
        while answer.len < answer.bytes.len() && self.port.read(0) & RESULT != 0 {
            answer.bytes[answer.len] = self.port.read(1);
            answer.len += 1;
        }
        if keep && interrupt == Answer::DATA {
            self.write(0, 3, 0x00);
            self.write(0, 3, 0x80);
        }
        self.write(1, 3, 0x1F);
        let unasked = matches!(answer.code(), 0x04 | 0x08);
        if interrupt == Answer::COMPLETE || interrupt == Answer::ERROR && !unasked {
            self.outstanding = None;
        }
        Some(answer)
    }

    /// Wait for the answer to `command` with number `wanted`; sectors that come in between are
    /// dropped.
    fn answer(&mut self, command: Command, wanted: u8, limit: u32) -> Result<Answer, Error> {
        let mut deadline = self.deadline(limit);
        let mut late = Err(Error::Timeout(if wanted == Answer::ACKNOWLEDGE {
            Phase::Acknowledge(command)
        } else {
            Phase::Complete(command)
        }));
        loop {
            match self.poll(false) {
                Some(answer) if answer.interrupt == wanted => return Ok(answer),
                Some(answer) if answer.interrupt == Answer::ERROR => {
                    let (stat, code) = (answer.stat(), answer.code());
                    let refused = Err(Error::Rejected {
                        command,
                        stat,
                        code,
                    });
                    // A read error or the lid, unasked: the command's own answer is still to
                    // come (HAL sheet, 6.2 and 6.5).
                    if wanted != Answer::ACKNOWLEDGE || !matches!(code, 0x04 | 0x08) {
                        return refused;
                    }
                    late = refused;
                }
                _ => {}
            }
            if self.over(&mut deadline) {
                return late;
            }
        }
    }

    /// Send a command and wait for its first answer. If `two` is set another will follow, which
    /// [`Controller::complete`] waits for.
    pub(super) fn send(
        &mut self,
        command: Command,
        parameters: &[u8],
        two: bool,
    ) -> Result<Answer, Error> {
        let ready = Phase::Ready(command);
        if let Some(before) = self.outstanding {
            // An error here ends the command before, which is all that is wanted.
            match self.answer(before, Answer::COMPLETE, COMPLETION) {
                Ok(_) | Err(Error::Rejected { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        let mut deadline = self.deadline(ACKNOWLEDGE);
        while self.poll(false).is_some() || self.port.read(0) & BUSY != 0 {
            if self.over(&mut deadline) {
                return Err(Error::Timeout(ready));
            }
        }
        self.write(1, 3, 0x40);
        self.select(0);
        for &parameter in parameters {
            self.port.write(2, parameter);
        }
        self.port.write(1, command as u8);
        if two {
            self.outstanding = Some(command);
        }
        let limit = if command == Command::Init {
            ACKNOWLEDGE_INIT
        } else {
            ACKNOWLEDGE
        };
        let answer = self.answer(command, Answer::ACKNOWLEDGE, limit);
        if answer.is_err() {
            self.outstanding = None;
        }
        answer
    }

    /// Wait for the second answer to `command`.
    pub(super) fn complete(&mut self, command: Command) -> Result<Answer, Error> {
        let answer = self.answer(command, Answer::COMPLETE, COMPLETION);
        self.outstanding = None;
        answer
    }

    /// Wait until the data asked for are in the FIFO, then take the first `out.len()` bytes.
    pub(super) fn take(&mut self, out: &mut [u8]) -> Result<(), Error> {
        let mut deadline = self.deadline(DATA_WAIT);
        while self.port.read(0) & DATA == 0 {
            if self.over(&mut deadline) {
                return Err(Error::Timeout(Phase::Data));
            }
        }
        self.select(0);
        for byte in out {
            *byte = self.port.read(2);
        }
        Ok(())
    }

    /// Throw away the rest of the data.
    pub(super) fn drop_data(&mut self) {
        self.write(0, 3, 0x00);
    }
}
