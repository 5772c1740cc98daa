//! The CD-ROM drive, polled (HAL sheet, section 6).
//!
//! [`CdDrive`] delivers the sectors of a run in order, whatever the drive does meanwhile: it reads
//! whole sectors (924h bytes) and looks at each one's address, so a sector that was lost because
//! the program came late is noticed and read again. [`Port`] is the hardware below, or a fake
//! drive in a test. The interrupt line of the drive stays masked: polling and interrupts must not
//! be mixed.

mod controller;
mod error;

#[cfg(target_arch = "mips")]
mod port;
#[cfg(test)]
mod tests;

use controller::{Answer, Controller, SECTOR_WAIT, STAT_ERROR, STAT_LID};
use overworld_runtime::platform::{Drive, Sector};

pub use controller::{Command, Phase};
pub use error::Error;

#[cfg(target_arch = "mips")]
pub use port::Hardware;

/// Setmode: double speed, whole sectors.
const MODE_DOUBLE: u8 = 0xA0;
/// Setmode: single speed, whole sectors.
const MODE_SINGLE: u8 = 0x20;

/// Sectors from the start of the disc to logical block 0.
const LEAD: u32 = 150;
/// Sectors in a second of the disc.
const SECOND: u32 = 75;
/// No disc reaches minute 80 by much, and no head should be sent there.
const LAST_LBA: u32 = 80 * 60 * SECOND;

/// GetlocP: the track number of the lead-out.
const LEAD_OUT: u8 = 0xAA;

/// How long a disc may take to become readable, in microseconds.
const SPIN_UP: u32 = 10_000_000;
/// How long to wait before asking a drive again that is not ready, in microseconds.
const AGAIN: u32 = 100_000;
/// How often to ask about the lid, [`AGAIN`] apart, before it counts as open.
const LID_LOOKS: u32 = 5;
/// Tries to read one sector; the last two are at single speed.
const TRIES: u32 = 5;
/// Sectors before the wanted one that are skipped rather than sought over.
const SKIP: u32 = 16;
/// Tries to send one command to a drive that seeks.
const COMMAND_TRIES: u32 = 30;

/// A sector at an address that is a multiple of four, as DMA wants it.
#[derive(Clone, Debug)]
#[repr(C, align(4))]
pub struct AlignedSector(pub Sector);

/// What the driver needs of the machine.
pub trait Port {
    /// Load register 0..3 (8 bits).
    fn read(&mut self, register: u8) -> u8;
    /// Store register 0..3 (8 bits).
    fn write(&mut self, register: u8, value: u8);
    /// Scan lines, modulo 65,536: the clock of [`Deadline`](crate::timer::Deadline).
    fn lines(&mut self) -> u16;
    /// Move the next 2,048 bytes of the data FIFO by DMA. `false` if that did not end in time; the
    /// channel is then stopped.
    fn transfer(&mut self, out: &mut AlignedSector) -> bool;
}

/// A number 0..99 as two decimal digits.
const fn to_bcd(value: u32) -> u8 {
    (value / 10 * 16 + value % 10) as u8
}

/// The number that two decimal digits give, if they are digits.
const fn from_bcd(value: u8) -> Option<u32> {
    let (high, low) = (value >> 4, value & 15);
    if high > 9 || low > 9 {
        return None;
    }
    Some(high as u32 * 10 + low as u32)
}

/// Minute, second and frame (BCD) of a logical block.
const fn address(lba: u32) -> [u8; 3] {
    let frames = lba + LEAD;
    [
        to_bcd(frames / SECOND / 60),
        to_bcd(frames / SECOND % 60),
        to_bcd(frames % SECOND),
    ]
}

/// The logical block that a sector header names, if it names one.
fn header_lba(header: &[u8]) -> Option<u32> {
    let &[minute, second, frame, ..] = header else {
        return None;
    };
    let (minute, second, frame) = (from_bcd(minute)?, from_bcd(second)?, from_bcd(frame)?);
    if second >= 60 || frame >= SECOND {
        return None;
    }
    ((minute * 60 + second) * SECOND + frame).checked_sub(LEAD)
}

/// A run under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    next: u32,
    left: u32,
}

/// Why one try to get a sector failed.
enum Trouble {
    /// Worth another try; what to report if it was the last.
    Retry(Error),
    /// It would fail again.
    Fatal(Error),
}

/// The driver.
#[derive(Debug)]
pub struct CdDrive<P> {
    controller: Controller<P>,
    /// First logical block behind the disc, once the disc is known.
    disc: Option<u32>,
    run: Option<Run>,
    /// The drive takes the disc for one without data.
    audio: bool,
    /// Whether the drive delivers sectors.
    reading: bool,
    reread: u32,
    bounce: AlignedSector,
}

impl<P: Port> CdDrive<P> {
    /// A drive in an unknown state; the first [`Drive::start`] sets it up.
    pub fn new(port: P) -> Self {
        Self {
            controller: Controller::new(port),
            disc: None,
            run: None,
            audio: false,
            reading: false,
            reread: 0,
            bounce: AlignedSector([0; 2048]),
        }
    }

    /// How often the driver had to read a sector again since it was made: sectors lost because
    /// they were not taken in time, and read errors.
    pub fn rereads(&self) -> u32 {
        self.reread
    }

    /// First logical block behind the disc; waits until the disc can be read.
    ///
    /// The drive tells it in seconds, so it is up to 74 sectors too large.
    ///
    /// # Errors
    /// There is no disc that can be read.
    pub fn disc_end(&mut self) -> Result<u32, Error> {
        if let Some(end) = self.disc {
            return Ok(end);
        }
        self.run = None;
        self.reading = false;
        self.controller.reset();
        self.lid_closed()?;
        self.identify()?;
        self.command(Command::Setmode, &[MODE_DOUBLE])?;
        let end = self.command(Command::GetTD, &[0])?;
        let end = match (from_bcd(end.byte(1)), from_bcd(end.byte(2))) {
            (Some(minute), Some(second)) => ((minute * 60 + second + 1) * SECOND)
                .saturating_sub(LEAD)
                .min(LAST_LBA),
            _ => LAST_LBA,
        };
        self.disc = Some(end);
        Ok(end)
    }

    /// Make sure of the lid. The bit sticks after it was closed, until it has been told a few
    /// times.
    fn lid_closed(&mut self) -> Result<(), Error> {
        for _ in 0..LID_LOOKS {
            match self.controller.send(Command::Nop, &[], false) {
                Ok(answer) if answer.stat() & STAT_LID == 0 => return Ok(()),
                Ok(_) | Err(Error::Rejected { .. }) => self.controller.delay(AGAIN),
                Err(error) => return Err(error),
            }
        }
        Err(Error::LidOpen)
    }

    /// Stop the drive, then wait until it knows what disc there is.
    fn identify(&mut self) -> Result<(), Error> {
        let mut deadline = self.controller.deadline(SPIN_UP);
        let mut command = Command::Init;
        loop {
            let answer = self
                .controller
                .send(command, &[], true)
                .and_then(|_| self.controller.complete(command));
            let (stat, code) = match answer {
                Ok(_) if command == Command::Init => {
                    command = Command::GetID;
                    continue;
                }
                Ok(_) => {
                    self.audio = false;
                    return Ok(());
                }
                Err(Error::Rejected { stat, code, .. }) => (stat, code),
                Err(error) => return Err(error),
            };
            if stat & STAT_ERROR == 0 && command == Command::GetID {
                // Its second answer: the second byte holds flags. A disc without the
                // licence mark may be readable all the same, which the drive shows when asked to.
                if code & 0x40 != 0 {
                    return Err(Error::NoDisc);
                }
                self.audio = code & 0x10 != 0;
                return Ok(());
            }
            if self.controller.over(&mut deadline) {
                return Err(Error::NotReady { stat, code });
            }
            self.controller.delay(AGAIN);
            self.lid_closed()?;
        }
    }

    /// Send a command with one answer. A drive that is not ready is asked again.
    fn command(&mut self, command: Command, parameters: &[u8]) -> Result<Answer, Error> {
        let mut tries = 0;
        loop {
            match self.controller.send(command, parameters, false) {
                Err(Error::Rejected { stat, code, .. }) => {
                    tries += 1;
                    self.refused(command, stat, code, tries)?;
                }
                answer => return answer,
            }
        }
    }

    /// What to do about a refusal: `Ok` to try again.
    fn refused(&mut self, command: Command, stat: u8, code: u8, tries: u32) -> Result<(), Error> {
        if stat & STAT_LID != 0 || code == 0x08 {
            self.disc = None;
            return Err(Error::LidOpen);
        }
        if code == 0x40 && command == Command::ReadN {
            return Err(if self.audio {
                Error::AudioDisc
            } else {
                Error::Unlicensed
            });
        }
        if code & 0x80 == 0 || tries >= COMMAND_TRIES {
            return Err(Error::Rejected {
                command,
                stat,
                code,
            });
        }
        self.controller.delay(AGAIN);
        Ok(())
    }

    fn begin(&mut self, lba: u32) -> Result<(), Error> {
        self.command(Command::Setloc, &address(lba))?;
        self.command(Command::ReadN, &[])?;
        self.reading = true;
        Ok(())
    }

    fn pause(&mut self) -> Result<(), Error> {
        if !self.reading {
            return Ok(());
        }
        let mut tries = 0;
        loop {
            let answer = self
                .controller
                .send(Command::Pause, &[], true)
                .and_then(|_| self.controller.complete(Command::Pause));
            match answer {
                Ok(_) => {
                    self.reading = false;
                    return Ok(());
                }
                Err(Error::Rejected { stat, code, .. }) => {
                    tries += 1;
                    self.refused(Command::Pause, stat, code, tries)?;
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// One try to receive `lba` from a drive that is reading towards it.
    fn receive(&mut self, lba: u32, out: &mut Sector) -> Result<(), Trouble> {
        let mut skipped = 0;
        loop {
            let header = self.next_sector(lba)?;
            let came = header_lba(&header);
            if came != Some(lba) {
                self.controller.drop_data();
                let before = came.is_some_and(|came| came < lba && lba - came <= SKIP);
                if before && skipped < SKIP {
                    skipped += 1;
                    continue;
                }
                let [minute, second, frame, mode, ..] = header;
                return Err(Trouble::Retry(Error::Missed {
                    lba,
                    header: [minute, second, frame, mode],
                }));
            }
            let (mode, submode) = (header[3], header[6]);
            let wrong = if mode != 2 {
                Some(Error::BadSectorMode { lba, mode })
            } else if submode & 0x20 != 0 {
                Some(Error::UnexpectedForm2 { lba })
            } else {
                None
            };
            if let Some(error) = wrong {
                self.controller.drop_data();
                return Err(Trouble::Fatal(error));
            }
            let whole = match aligned(out) {
                Some(out) => self.controller.port.transfer(out),
                None => {
                    let whole = self.controller.port.transfer(&mut self.bounce);
                    out.copy_from_slice(&self.bounce.0);
                    whole
                }
            };
            self.controller.drop_data();
            return if whole {
                Ok(())
            } else {
                Err(Trouble::Retry(Error::Timeout(Phase::Transfer)))
            };
        }
    }

    /// Wait for a sector, ask for its data and take the first 12 bytes of it: address, mode and
    /// subheader.
    fn next_sector(&mut self, lba: u32) -> Result<[u8; 12], Trouble> {
        let mut deadline = self.controller.deadline(SECTOR_WAIT);
        loop {
            if let Some(answer) = self.controller.poll(true) {
                match answer.interrupt {
                    Answer::DATA => {
                        let mut header = [0; 12];
                        self.controller.take(&mut header).map_err(Trouble::Retry)?;
                        return Ok(header);
                    }
                    Answer::ERROR | Answer::END => {
                        let (stat, code) = (answer.stat(), answer.code());
                        if stat & STAT_LID != 0 || code == 0x08 {
                            self.disc = None;
                            return Err(Trouble::Fatal(Error::LidOpen));
                        }
                        return Err(Trouble::Retry(Error::Unreadable { lba, stat, code }));
                    }
                    _ => {}
                }
            }
            if self.controller.over(&mut deadline) {
                return Err(Trouble::Retry(Error::Timeout(Phase::Sector)));
            }
        }
    }

    /// Bring the drive to `lba` once more, the last times at single speed.
    fn again(&mut self, lba: u32, tries: u32) -> Result<(), Error> {
        self.reread = self.reread.wrapping_add(1);
        self.pause()?;
        if tries + 2 == TRIES {
            self.command(Command::Setmode, &[MODE_SINGLE])?;
        }
        self.begin(lba)
    }

    fn fetch(&mut self, lba: u32, out: &mut Sector) -> Result<(), Error> {
        let mut tries = 1;
        loop {
            match self.receive(lba, out) {
                Ok(()) => break,
                Err(Trouble::Fatal(error)) => return Err(error),
                Err(Trouble::Retry(Error::Missed { .. })) if tries >= TRIES && self.audio => {
                    return Err(Error::AudioDisc);
                }
                Err(Trouble::Retry(error)) if tries >= TRIES => return Err(error),
                Err(Trouble::Retry(_)) => {
                    self.again(lba, tries)?;
                    tries += 1;
                }
            }
        }
        if tries + 2 > TRIES {
            // Back to double speed for what follows, which begins with the next sector.
            self.pause()?;
            self.command(Command::Setmode, &[MODE_DOUBLE])?;
            if self.run.is_some_and(|run| run.left > 1) {
                self.begin(lba + 1)?;
            }
        }
        Ok(())
    }

    /// A better reason for an error, if the sector may lie behind the end of the disc: there the
    /// head is in the lead-out, whatever the sectors look like.
    fn explain(&mut self, lba: u32, error: Error) -> Error {
        let about_data = matches!(
            error,
            Error::BadSectorMode { .. }
                | Error::UnexpectedForm2 { .. }
                | Error::Unreadable { .. }
                | Error::Missed { .. }
                | Error::Timeout(Phase::Sector)
        );
        let last_second = self.disc.is_some_and(|end| lba + SECOND >= end);
        if about_data
            && last_second
            && let Ok(place) = self.controller.send(Command::GetlocP, &[], false)
            && place.byte(0) == LEAD_OUT
        {
            return Error::EndOfDisc { lba };
        }
        error
    }

    /// End the run after an error: quietly, since there is an error to report already.
    fn give_up(&mut self) {
        self.run = None;
        if self.pause().is_err() {
            // The drive does not do as it is told: set it up anew next time.
            self.disc = None;
            self.reading = false;
        }
    }
}

/// The sector as DMA wants it, if it lies so.
fn aligned(out: &mut Sector) -> Option<&mut AlignedSector> {
    let out: *mut AlignedSector = core::ptr::from_mut(out).cast();
    if out.is_aligned() {
        // SAFETY: `AlignedSector` is a `Sector` that is aligned, as this one is; the loan of the
        // argument goes over to the result.
        Some(unsafe { &mut *out })
    } else {
        None
    }
}

impl<P: Port> Drive for CdDrive<P> {
    type Error = Error;

    fn start(&mut self, lba: u32, sectors: u32) -> Result<(), Error> {
        self.stop()?;
        let end = self.disc_end()?;
        if lba.checked_add(sectors).is_none_or(|last| last > end) {
            return Err(Error::BadLba { lba, sectors, end });
        }
        if sectors == 0 {
            return Ok(());
        }
        let begun = self.begin(lba);
        if begun.is_ok() {
            self.run = Some(Run {
                next: lba,
                left: sectors,
            });
        } else {
            self.give_up();
        }
        begun
    }

    fn sector(&mut self, out: &mut Sector) -> Result<(), Error> {
        let Some(run) = self.run else {
            return Err(Error::NoRun);
        };
        if let Err(error) = self.fetch(run.next, out) {
            let error = self.explain(run.next, error);
            self.give_up();
            return Err(error);
        }
        let left = run.left - 1;
        if left == 0 {
            return self.stop();
        }
        self.run = Some(Run {
            next: run.next + 1,
            left,
        });
        Ok(())
    }

    fn ready(&mut self) -> bool {
        self.run.is_none() || self.controller.speaks()
    }

    fn stop(&mut self) -> Result<(), Error> {
        self.run = None;
        let paused = self.pause();
        if paused.is_err() {
            self.disc = None;
            self.reading = false;
        }
        paused
    }
}
