//! A drive that follows the HAL sheet, sections 6.1 to 6.5, with its delays, its glitches and its
//! bad moments, and that writes down every breach of the rules by the program that talks to it.

use super::super::{AlignedSector, LEAD, Port, SECOND, address, from_bcd, header_lba};
use std::collections::{BTreeMap, VecDeque};
use std::format;
use std::string::String;
use std::vec::Vec;

/// What lies in the drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disc {
    None,
    Audio,
    Data,
    /// Data, but the drive will not read it.
    Unlicensed,
}

/// An answer on its way.
#[derive(Clone, Debug)]
struct Coming {
    at: u64,
    interrupt: u8,
    bytes: Vec<u8>,
    second: bool,
}

/// Sectors on their way.
#[derive(Clone, Copy, Debug)]
struct Reading {
    next: u32,
    at: u64,
    seeking: bool,
}

/// A small generator, so that every run is the same (xorshift, 64 bits).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % limit
    }

    fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high - low)
    }
}

/// The drive.
#[derive(Debug)]
pub struct Fake {
    pub disc: Disc,
    /// Sectors on the disc.
    pub sectors: u32,
    /// Microseconds; GetID answers from then on.
    pub ready_at: u64,
    /// Microseconds; the lid opens then.
    pub lid_at: Option<u64>,
    /// How often each of these sectors still fails.
    pub bad: BTreeMap<u32, u32>,
    /// Mode and submode of sectors that are not Mode 2 Form 1.
    pub odd: BTreeMap<u32, (u8, u8)>,
    /// One interrupt number in so many is seen wrong at first; 0 for never.
    pub glitch: u64,
    /// The controller answers nothing any more.
    pub dead: bool,
    /// DMA never ends.
    pub no_dma: bool,
    pub violations: Vec<String>,
    pub commands: Vec<u8>,
    pub random: Random,
    pub now: u64,
    /// The lid is open.
    pub lid: bool,
    bank: u8,
    parameters: Vec<u8>,
    results: VecDeque<u8>,
    pending: u8,
    wrong_once: Option<u8>,
    raised: u64,
    acknowledged: u64,
    busy_until: u64,
    coming: VecDeque<Coming>,
    reading: Option<Reading>,
    position: u32,
    mode: u8,
    /// The newest sector in the buffer.
    newest: Option<u32>,
    data_waits: bool,
    fifo: VecDeque<u8>,
    fifo_at: u64,
    stat: u8,
}

/// What sector `lba` of the disc holds at byte `n`.
pub fn payload(lba: u32, n: usize) -> u8 {
    let mix = (lba.wrapping_mul(0x9E37_79B1) ^ n as u32).wrapping_mul(0x85EB_CA6B);
    (mix >> 24) as u8
}

impl Fake {
    pub fn new(sectors: u32, seed: u64) -> Self {
        Self {
            disc: Disc::Data,
            sectors,
            ready_at: 0,
            lid_at: None,
            bad: BTreeMap::new(),
            odd: BTreeMap::new(),
            glitch: 0,
            dead: false,
            no_dma: false,
            violations: Vec::new(),
            commands: Vec::new(),
            random: Random::new(seed),
            now: 0,
            lid: false,
            bank: 0,
            parameters: Vec::new(),
            results: VecDeque::new(),
            pending: 0,
            wrong_once: None,
            raised: 0,
            acknowledged: 0,
            busy_until: 0,
            coming: VecDeque::new(),
            reading: None,
            position: 0,
            mode: 0x20,
            newest: None,
            data_waits: false,
            fifo: VecDeque::new(),
            fifo_at: 0,
            stat: 0x02,
        }
    }

    fn violation(&mut self, text: String) {
        if self.violations.len() < 20 {
            self.violations.push(text);
        }
    }

    /// Let time pass; things happen meanwhile.
    pub fn advance(&mut self, microseconds: u64) {
        let end = self.now + microseconds;
        while let Some(next) = self.next_event().filter(|&next| next <= end) {
            self.now = self.now.max(next);
            self.happen();
        }
        self.now = end;
    }

    /// When the next thing happens that needs nothing from the program.
    fn next_event(&self) -> Option<u64> {
        let sector = self.reading.map(|reading| reading.at);
        let answer = if self.pending == 0 {
            let at = self.coming.front().map(|coming| coming.at);
            at.map(|at| at.max(self.acknowledged + 60))
        } else {
            None
        };
        let lid = self.lid_at;
        [sector, answer, lid].into_iter().flatten().min()
    }

    fn happen(&mut self) {
        if self.lid_at.is_some_and(|at| at <= self.now) {
            self.lid_at = None;
            self.lid = true;
            self.reading = None;
            self.stat = 0x11;
            self.say(self.now, 5, &[0x11, 0x08], false);
        }
        if self.reading.is_some_and(|reading| reading.at <= self.now) {
            self.sector_arrives();
        }
        let due = self.pending == 0
            && self
                .coming
                .front()
                .is_some_and(|coming| coming.at.max(self.acknowledged + 60) <= self.now);
        if due && let Some(coming) = self.coming.pop_front() {
            self.pending = coming.interrupt;
            self.results = coming.bytes.into();
            self.raised = self.now;
            self.wrong_once = None;
            if self.glitch != 0 && self.random.below(self.glitch) == 0 {
                // Bits rise one after the other (HAL sheet, 6.3): 3 as 1, 5 as 4.
                self.wrong_once = match coming.interrupt {
                    3 => Some(1),
                    5 => Some(4),
                    _ => None,
                };
            }
        }
    }

    fn sector_arrives(&mut self) {
        let Some(reading) = self.reading else { return };
        let lba = reading.next;
        self.stat = 0x22;
        if lba >= self.sectors {
            self.reading = None;
            self.position = lba;
            self.stat = 0x02;
            self.say(self.now, 4, &[0x02], false);
            return;
        }
        let fails = self.bad.get_mut(&lba).is_some_and(|left| {
            let fails = *left > 0;
            *left = left.saturating_sub(1);
            fails
        });
        if fails {
            self.reading = None;
            self.position = lba;
            self.say(self.now, 5, &[0x06, 0x04], false);
            return;
        }
        // Only the newest can be reached, and one INT1 is held, whatever the program missed.
        self.newest = Some(lba);
        self.position = lba;
        if !self.data_waits {
            self.data_waits = true;
            self.say(self.now, 1, &[0x22], false);
        }
        let interval = if self.mode & 0x80 != 0 { 6_667 } else { 13_333 };
        let jitter = self.random.between(94, 106);
        self.reading = Some(Reading {
            next: lba + 1,
            at: self.now + interval * jitter / 100,
            seeking: false,
        });
    }

    fn say(&mut self, at: u64, interrupt: u8, bytes: &[u8], second: bool) {
        // The controller has one voice: what was to be said first is said first.
        let at = at.max(self.coming.back().map_or(0, |last| last.at));
        self.coming.push_back(Coming {
            at,
            interrupt,
            bytes: bytes.into(),
            second,
        });
    }

    fn command(&mut self, command: u8) {
        let parameters = std::mem::take(&mut self.parameters);
        self.commands.push(command);
        if self.now < self.busy_until {
            self.violation(format!("command {command:02X} while busy"));
        }
        if self.pending != 0 && self.now - self.raised > 40 {
            self.violation(format!(
                "command {command:02X} while INT{} is pending",
                self.pending
            ));
        }
        if self.coming.iter().any(|coming| coming.second) {
            self.violation(format!(
                "command {command:02X} before the second answer to the one before"
            ));
        }
        if self.dead {
            return;
        }
        self.busy_until = self.now + self.random.between(20, 400);
        // A late INT1 may still come before the answer; sectors in the queue stay there.
        let first = self.now + self.random.between(700, 5_400);
        if self.lid && command != 0x01 {
            self.say(first, 5, &[0x11, 0x80], false);
            return;
        }
        let stat = self.stat;
        let wanted = match command {
            0x02 => 3,
            0x0E | 0x14 => 1,
            _ => 0,
        };
        if parameters.len() != wanted {
            self.violation(format!(
                "command {command:02X} with {} parameters",
                parameters.len()
            ));
            self.say(first, 5, &[stat | 1, 0x20], false);
            return;
        }
        match command {
            0x01 => {
                self.say(first, 3, &[stat], false);
                if !self.lid {
                    self.stat &= !0x10;
                }
            }
            0x02 => match header_lba(&parameters) {
                Some(lba) => {
                    self.position = lba;
                    self.say(first, 3, &[stat], false);
                }
                None => self.say(first, 5, &[stat | 1, 0x10], false),
            },
            0x06 if matches!(self.disc, Disc::Unlicensed | Disc::Audio) => {
                self.say(first, 5, &[stat | 1, 0x40], false)
            }
            0x06 => {
                self.say(first, 3, &[stat], false);
                let seek = self.random.between(16_000, 60_000);
                self.reading = Some(Reading {
                    next: self.position,
                    at: first + seek,
                    seeking: true,
                });
                self.stat = 0x42;
            }
            0x09 => {
                if self.reading.is_some_and(|reading| reading.seeking) && self.random.below(2) == 0
                {
                    self.say(first, 5, &[stat | 1, 0x80], false);
                    return;
                }
                let late = self.reading.take().is_some();
                self.say(first, 3, &[stat], false);
                let time = if late { 30_000 } else { 300 };
                self.stat = 0x02;
                self.say(first + time, 2, &[0x02], true);
            }
            0x0A => {
                self.reading = None;
                self.mode = 0x20;
                self.stat = 0x02;
                self.say(first, 3, &[stat], false);
                let second = self.random.between(4_000, 18_000);
                self.say(first + second, 2, &[0x02], true);
            }
            0x0E => {
                self.mode = parameters[0];
                self.say(first, 3, &[stat], false);
            }
            0x11 => {
                let track = if self.position < self.sectors {
                    1
                } else {
                    0xAA
                };
                self.say(first, 3, &[track, 1, 0, 0, 0, 0, 0, 0], false);
            }
            0x14 => {
                let [minute, second, _] = address(self.sectors);
                self.say(first, 3, &[stat, minute, second], false);
            }
            0x1A if self.now < self.ready_at => self.say(first, 5, &[stat | 1, 0x80], false),
            0x1A => {
                self.say(first, 3, &[stat], false);
                let (interrupt, bytes): (u8, &[u8]) = match self.disc {
                    Disc::None => (5, &[0x08, 0x40, 0, 0, 0, 0, 0, 0]),
                    Disc::Audio => (5, &[0x0A, 0x90, 0, 0, 0, 0, 0, 0]),
                    Disc::Data => (2, &[0x02, 0x00, 0x20, 0x00, b'S', b'C', b'E', b'A']),
                    Disc::Unlicensed => (5, &[0x0A, 0x80, 0x20, 0, 0, 0, 0, 0]),
                };
                self.say(first + 560, interrupt, bytes, true);
            }
            _ => {
                self.violation(format!("unknown command {command:02X}"));
                self.say(first, 5, &[stat | 1, 0x40], false);
            }
        }
    }

    fn request(&mut self, value: u8) {
        if value & 0x20 != 0 {
            self.violation("HCHPCTL bit 5".into());
        }
        self.fifo.clear();
        if value & 0x80 == 0 {
            return;
        }
        let Some(lba) = self.newest else {
            self.violation("data asked for and there are none".into());
            return;
        };
        self.fifo_at = self.now + 10;
        let (mode, submode) = self.odd.get(&lba).copied().unwrap_or((2, 0x08));
        let [minute, second, frame] = address(lba);
        self.fifo.extend([minute, second, frame, mode]);
        self.fifo.extend([0, 0, submode, 0, 0, 0, submode, 0]);
        self.fifo.extend((0..2048).map(|n| payload(lba, n)));
        self.fifo.extend([0xEE; 280]);
        if self.mode & 0x20 == 0 {
            self.violation("the driver reads whole sectors in another mode".into());
        }
    }
}

impl Port for Fake {
    fn read(&mut self, register: u8) -> u8 {
        self.advance(1);
        match (register, self.bank) {
            (0, _) => {
                let mut status = self.bank | 0x18;
                status |= u8::from(!self.results.is_empty()) << 5;
                status |= u8::from(!self.fifo.is_empty() && self.now >= self.fifo_at) << 6;
                status | u8::from(self.now < self.busy_until) << 7
            }
            (1, _) => self.results.pop_front().unwrap_or_else(|| {
                self.violation("result read and there is none".into());
                0
            }),
            (2, _) => {
                if self.now < self.fifo_at {
                    self.violation("data read too early".into());
                }
                self.fifo.pop_front().unwrap_or_else(|| {
                    self.violation("data read and there are none".into());
                    0
                })
            }
            (3, 1 | 3) => 0xE0 | self.wrong_once.take().unwrap_or(self.pending),
            _ => 0xFF,
        }
    }

    fn write(&mut self, register: u8, value: u8) {
        self.advance(1);
        match (register, self.bank) {
            (0, _) => self.bank = value & 3,
            (1, 0) => self.command(value),
            (2, 0) => self.parameters.push(value),
            (3, 0) => self.request(value),
            (3, 1) => {
                if value & 7 != 0 && self.pending != 0 {
                    if self.pending == 1 {
                        self.data_waits = false;
                    }
                    self.pending = 0;
                    self.results.clear();
                    self.acknowledged = self.now;
                }
                if value & 0x40 != 0 {
                    self.parameters.clear();
                }
                if value & 0x80 != 0 {
                    self.violation("the decoder chip was reset".into());
                }
            }
            // Interrupt mask, volumes.
            (2, 1) | (2 | 3, 2) | (1..=3, 3) => {}
            (register, bank) => self.violation(format!("register {register}, bank {bank} written")),
        }
    }

    fn lines(&mut self) -> u16 {
        // A program that waits looks at its clock: pass the time quickly where nothing happens.
        let wait = self
            .next_event()
            .map_or(500, |next| next.saturating_sub(self.now) / 2);
        self.advance(wait.clamp(2, 500));
        (self.now * 1000 / 63_500) as u16
    }

    fn transfer(&mut self, out: &mut AlignedSector) -> bool {
        if self.no_dma {
            return false;
        }
        self.advance(400);
        if self.fifo.len() < 2048 {
            self.violation(format!(
                "DMA of 2,048 bytes, the FIFO holds {}",
                self.fifo.len()
            ));
        }
        for byte in &mut out.0 {
            *byte = self.fifo.pop_front().unwrap_or(0);
        }
        true
    }
}

#[test]
fn addresses_are_those_of_the_disc_sheet() {
    // Disc sheet, section 1: the address bytes of LBA 0, 16 and 166.
    for (lba, bytes) in [(0, [0, 2, 0]), (16, [0, 2, 0x16]), (166, [0, 4, 0x16])] {
        assert_eq!(address(lba), bytes);
        assert_eq!(header_lba(&bytes), Some(lba));
    }
    assert_eq!(from_bcd(0x1A), None);
    assert_eq!(header_lba(&[0, 1, 0x74]), None, "before block 0");
    assert_eq!(header_lba(&[0, 0x60, 0]), None);
    assert_eq!(header_lba(&[0, 2, 0x75]), None);
    assert_eq!(
        header_lba(&[0x79, 0x59, 0x74]),
        Some(80 * 60 * SECOND - LEAD - 1)
    );
}
