//! The MAN: a scene's program, asset type `03` (MAN sheet).
//!
//! A fixed header, a table of script records in three partitions, and a chain of six sections:
//!
//! | Part | Access |
//! |---|---|
//! | status flags, floor-height table | [`Man::flags`], [`Man::floor`] |
//! | partition 0, objects | [`Man::object`] |
//! | partition 1, actors; record 0 is the entry script | [`Man::actor`], [`Man::entry_script`] |
//! | partition 2, named beats with their conditions | [`Man::beat`] |
//! | section 0, encounters | [`Man::encounters`] |
//! | section 1, ambient motion | [`Man::motion`] |
//! | section 2, display name | [`Man::name`] |
//! | section 3, camera regions | [`Man::cameras`] |
//! | section 4, open | [`Man::open_section`] |
//! | section 5, the end, and what follows it in the kingdoms | [`Man::locations`] |
//!
//! Records are numbered flat: partition 0 first, then 1, then 2 ([`Man::flat`]).
//!
//! [`Man::parse`] checks everything, for builders and verifiers. [`Man::parse_lenient`] checks what the
//! scene cannot do without, header and chain; a bad record or section shows itself when it is asked
//! for, so that one broken object does not take the scene with it. The opcodes of the scripts are
//! another sheet's.

pub mod camera;
mod edit;
pub mod encounter;
mod error;
mod iter;
mod location;
pub mod motion;
mod record;
mod resize;
mod verify;
mod write;

pub use camera::CameraRegion;
pub use edit::splice;
pub use encounter::Encounters;
pub use error::{Array, Error};
pub use location::{Location, Locations};
pub use motion::Motion;
pub use record::{
    ActorRecord, BeatRecord, FlagList, Model, ObjectRecord, Partition, Record, Script, coordinate,
    flag_is_set,
};
pub use resize::{ResizeError, resize};
pub use write::{ActorSource, BeatSource, ObjectSource, Source, emit};

use crate::bytes::{i16_at, slice_at, u8_at, u16_at};

/// Bytes of the header in front of the record table.
pub const HEADER: usize = 0x2B;
/// Number of floor tiers.
pub const TIERS: usize = 16;
/// Number of sections; the last is the empty end.
pub const SECTIONS: usize = 6;
/// The largest MAN: record and section offsets have 24 bits.
pub const MAX_SIZE: usize = 0xFF_FFFF;

/// The little-endian 24-bit number at `offset`.
fn u24_at(data: &[u8], offset: usize) -> Option<u32> {
    let &[low, middle, high] = data.get(offset..)?.first_chunk()?;
    Some(u32::from_le_bytes([low, middle, high, 0]))
}

/// A section's payload.
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    /// Start in the file.
    start: usize,
    len: usize,
}

/// A MAN whose header, record table and section chain are known to be good.
#[derive(Clone, Copy, Debug)]
pub struct Man<'a> {
    data: &'a [u8],
    counts: [u16; 3],
    /// Section 0 from the data region on; every record lies before it.
    limit: u32,
    /// Whether the record table ascends, which makes looking for the end of a record quick.
    ascending: bool,
    sections: [Span; SECTIONS],
}

impl<'a> Man<'a> {
    /// Read a decoded MAN strictly: every record's header and every section's content is checked.
    ///
    /// # Errors
    /// Those of [`Man::parse_lenient`], [`Error::MissingTerminator`], and those of every access.
    pub fn parse(data: &'a [u8]) -> Result<Self, Error> {
        let man = Self::parse_lenient(data)?;
        man.verify()?;
        Ok(man)
    }

    /// Read a decoded MAN: header, record table and section chain.
    ///
    /// # Errors
    /// [`Error::Truncated`], [`Error::NegativeCount`], [`Error::RecordTableOutOfRange`],
    /// [`Error::SectionOutOfRange`].
    pub fn parse_lenient(data: &'a [u8]) -> Result<Self, Error> {
        let len = data.len();
        if len < HEADER {
            return Err(Error::Truncated { len });
        }
        let mut counts = [0; 3];
        for (partition, count) in (0..).zip(&mut counts) {
            let stored = i16_at(data, 0x22 + 2 * usize::from(partition)).unwrap_or(-1);
            *count = u16::try_from(stored).map_err(|_| Error::NegativeCount { partition })?;
        }
        let total: usize = counts.map(usize::from).iter().sum();
        let region = HEADER + 3 * total;
        if region > len {
            return Err(Error::RecordTableOutOfRange { need: region, len });
        }
        let limit = u24_at(data, 0x28).unwrap_or(0);
        let mut sections = [Span::default(); SECTIONS];
        let mut at = region + limit as usize;
        for (index, section) in (0..).zip(&mut sections) {
            let bad = Error::SectionOutOfRange { index };
            let length = u24_at(data, at).ok_or(bad)? as usize;
            let start = at + 3;
            slice_at(data, start, length).ok_or(bad)?;
            *section = Span { start, len: length };
            at = start + length;
        }
        let mut man = Self {
            data,
            counts,
            limit,
            ascending: false,
            sections,
        };
        man.ascending = man.starts().is_sorted();
        Ok(man)
    }

    /// The whole file.
    #[must_use]
    pub const fn bytes(&self) -> &'a [u8] {
        self.data
    }

    /// The status flags, which the game's initialiser answers.
    #[must_use]
    pub fn flags(&self) -> u16 {
        u16_at(self.data, 0).unwrap_or(0)
    }

    /// Bit 10 of the status flags: a world map with bulk terrain.
    #[must_use]
    pub fn is_bulk_terrain(&self) -> bool {
        self.flags() & 0x400 != 0
    }

    /// Bit 8 of the status flags: the scene flag that gates the action button.
    #[must_use]
    pub fn scene_flag(&self) -> bool {
        self.flags() & 0x100 != 0
    }

    /// The floor-height table as stored: positive is up.
    #[must_use]
    pub fn floor(&self) -> [i16; TIERS] {
        core::array::from_fn(|tier| i16_at(self.data, 2 + 2 * tier).unwrap_or(0))
    }

    /// The world height of each floor tier, which is the stored one negated (in 16 bits: -32768 stays):
    /// negative is up.
    #[must_use]
    pub fn heights(&self) -> [i16; TIERS] {
        self.floor().map(i16::wrapping_neg)
    }

    /// Number of records of a partition, 0 to 32767.
    #[must_use]
    pub const fn count(&self, partition: Partition) -> u16 {
        self.counts[partition as usize % 3]
    }

    /// Number of all records.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.counts.map(u32::from).iter().sum()
    }

    /// Whether there is no record.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The flat number of a record in its partition.
    ///
    /// # Errors
    /// [`Error::NoSuchRecord`]; its number is where the record would be.
    pub fn flat(&self, partition: Partition, index: u16) -> Result<u32, Error> {
        let [objects, actors, _] = self.counts.map(u32::from);
        let flat = u32::from(index)
            + match partition {
                Partition::Object => 0,
                Partition::Actor => objects,
                Partition::Beat => objects + actors,
            };
        if index < self.count(partition) {
            Ok(flat)
        } else {
            Err(Error::NoSuchRecord { flat })
        }
    }

    /// Partition and index of a flat number; the inverse of [`Man::flat`].
    ///
    /// # Errors
    /// [`Error::NoSuchRecord`].
    pub fn locate(&self, flat: u32) -> Result<(Partition, u16), Error> {
        let mut index = flat;
        for partition in Partition::ALL {
            let count = self.count(partition);
            if index < u32::from(count) {
                return Ok((partition, index as u16));
            }
            index -= u32::from(count);
        }
        Err(Error::NoSuchRecord { flat })
    }

    /// The record of a flat number.
    ///
    /// When the table does not ascend, this looks through all of it.
    ///
    /// # Errors
    /// [`Error::NoSuchRecord`], [`Error::RecordOutOfRange`], [`Error::RecordHeaderOverrun`],
    /// [`Error::EmptyScript`].
    pub fn record(&self, flat: u32) -> Result<Record<'a>, Error> {
        let none = Error::NoSuchRecord { flat };
        let start = self.start(flat).ok_or(none)?;
        self.record_at(flat, start, self.end(start))
    }

    /// The record of an object.
    ///
    /// # Errors
    /// As [`Man::record`].
    pub fn object(&self, index: u16) -> Result<ObjectRecord<'a>, Error> {
        let flat = self.flat(Partition::Object, index)?;
        match self.record(flat)? {
            Record::Object(object) => Ok(object),
            _ => Err(Error::NoSuchRecord { flat }),
        }
    }

    /// The record of an actor. Record 0 is no actor: see [`Man::entry_script`].
    ///
    /// # Errors
    /// As [`Man::record`].
    pub fn actor(&self, index: u16) -> Result<ActorRecord<'a>, Error> {
        let flat = self.flat(Partition::Actor, index)?;
        match self.record(flat)? {
            Record::Actor(actor) => Ok(actor),
            _ => Err(Error::NoSuchRecord { flat }),
        }
    }

    /// The record of a named beat.
    ///
    /// # Errors
    /// As [`Man::record`].
    pub fn beat(&self, index: u16) -> Result<BeatRecord<'a>, Error> {
        let flat = self.flat(Partition::Beat, index)?;
        match self.record(flat)? {
            Record::Beat(beat) => Ok(beat),
            _ => Err(Error::NoSuchRecord { flat }),
        }
    }

    /// The beat that op `44` (spawn a record) names by its flat number.
    ///
    /// # Errors
    /// As [`Man::record`]; [`Error::NoSuchRecord`] also for a record of another partition.
    pub fn spawned_beat(&self, flat: u32) -> Result<BeatRecord<'a>, Error> {
        match self.record(flat)? {
            Record::Beat(beat) => Ok(beat),
            _ => Err(Error::NoSuchRecord { flat }),
        }
    }

    /// The script of the scene's entry: record 0 of partition 1.
    ///
    /// # Errors
    /// [`Error::NoEntryScript`] without one; as [`Man::record`].
    pub fn entry_script(&self) -> Result<Script<'a>, Error> {
        if self.count(Partition::Actor) == 0 {
            return Err(Error::NoEntryScript);
        }
        Ok(self.actor(0)?.script)
    }

    /// All records in flat order, each with what is wrong with it. A table that does not ascend is walked
    /// once for every 1,024 records.
    pub fn records(&self) -> impl Iterator<Item = Result<Record<'a>, Error>> + use<'a> {
        self.range(0..self.len())
    }

    /// The actors that the scene places: partition 1 without its record 0.
    pub fn placements(&self) -> impl Iterator<Item = Result<ActorRecord<'a>, Error>> + use<'a> {
        let [objects, actors, _] = self.counts.map(u32::from);
        let flats = objects + 1..objects + actors;
        flats
            .clone()
            .zip(self.range(flats))
            .map(|(flat, record)| match record? {
                Record::Actor(actor) => Ok(actor),
                _ => Err(Error::NoSuchRecord { flat }),
            })
    }

    /// Payload of a section, 0 to 5; empty for others.
    #[must_use]
    pub fn section(&self, index: usize) -> &'a [u8] {
        let span = self.sections.get(index).copied().unwrap_or_default();
        slice_at(self.data, span.start, span.len).unwrap_or_default()
    }

    /// Offset of a section's length word in the file.
    #[must_use]
    pub fn section_start(&self, index: usize) -> Option<usize> {
        // Payloads start behind the length: never below 3.
        self.sections.get(index).map(|span| span.start - 3)
    }

    /// What follows the last section; in the three kingdoms the table of locations.
    #[must_use]
    pub fn after_sections(&self) -> &'a [u8] {
        let [.., last] = self.sections;
        self.data.get(last.start + last.len..).unwrap_or_default()
    }

    /// Section 0.
    ///
    /// # Errors
    /// Those of [`Encounters::parse`].
    pub fn encounters(&self) -> Result<Encounters<'a>, Error> {
        Encounters::parse(self.section(0))
    }

    /// Section 1, checked.
    ///
    /// # Errors
    /// [`Error::BadMotionTable`].
    pub fn motion(&self) -> Result<Motion<'a>, Error> {
        Motion::parse(self.section(1))
    }

    /// Section 2: the scene's display name, without its end.
    ///
    /// # Errors
    /// [`Error::BadName`] without a zero byte.
    pub fn name(&self) -> Result<&'a [u8], Error> {
        let body = self.section(2);
        let end = body.iter().position(|&byte| byte == 0);
        end.and_then(|end| body.get(..end)).ok_or(Error::BadName)
    }

    /// Section 3: the camera regions in the order in which they are asked.
    ///
    /// # Errors
    /// [`Error::BadCameraTable`].
    pub fn cameras(&self) -> Result<camera::Cameras<'a>, Error> {
        camera::Cameras::parse(self.section(3))
    }

    /// Section 4, whose meaning is open: `None` when its first byte is 0 or missing, which detaches
    /// it.
    #[must_use]
    pub fn open_section(&self) -> Option<&'a [u8]> {
        let body = self.section(4);
        u8_at(body, 0).filter(|&first| first != 0).map(|_| body)
    }

    /// The table of locations behind the last section; `None` when there is none, or it passes the
    /// end. Only the three kingdoms have one: elsewhere the bytes there mean nothing.
    #[must_use]
    pub fn locations(&self) -> Option<Locations<'a>> {
        Locations::parse(self.after_sections())
    }

    /// Offset of the data region in the file.
    fn region(&self) -> usize {
        HEADER + 3 * self.len() as usize
    }

    /// Start of a record from the data region on.
    fn start(&self, flat: u32) -> Option<u32> {
        if flat >= self.len() {
            return None;
        }
        u24_at(self.data, HEADER + 3 * flat as usize)
    }

    /// All starts in flat order.
    fn starts(&self) -> impl Iterator<Item = u32> + use<'a> {
        let table = slice_at(self.data, HEADER, self.region() - HEADER);
        let table = table.unwrap_or_default().chunks_exact(3);
        table.filter_map(|start| u24_at(start, 0))
    }

    /// Where the record that starts at `start` ends: the next larger start of any partition, or
    /// section 0.
    fn end(&self, start: u32) -> u32 {
        let next = if self.ascending {
            // The first record that starts later.
            let (mut low, mut high) = (0, self.len());
            while low < high {
                let middle = low + (high - low) / 2;
                if self.start(middle).is_some_and(|it| it <= start) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            self.start(low)
        } else {
            self.starts().filter(|&other| other > start).min()
        };
        next.map_or(self.limit, |next| next.min(self.limit))
    }

    /// Read the record between two offsets from the data region on.
    fn record_at(&self, flat: u32, start: u32, end: u32) -> Result<Record<'a>, Error> {
        let (partition, index) = self.locate(flat)?;
        let range = Error::RecordOutOfRange { flat };
        if start >= self.limit {
            return Err(range);
        }
        let offset = self.region() + start as usize;
        let length = end.checked_sub(start).ok_or(range)? as usize;
        let bytes = slice_at(self.data, offset, length).ok_or(range)?;
        record::read(partition, index, flat, offset, bytes)
    }
}
