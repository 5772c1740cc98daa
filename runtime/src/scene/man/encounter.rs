//! Section 0: encounters (MAN sheet, section 3, "Encounter section body").
//!
//! `[u8 stride] * 3`, then three arrays of rows, each with a count byte in front: formations,
//! conditions, regions. Rows may be longer than what is known of them.

use super::{Array, Error};
use crate::bytes::{Writer, i16_at, slice_at, u8_at, u16_at};
use core::ops::Range;

/// The flag of a condition that always holds.
pub const ALWAYS: u16 = 0xFFFF;
/// The most monsters of a formation.
pub const MAX_MONSTERS: usize = 4;
/// The row lengths of retail, but for the formations', which is up to the scene.
pub const STRIDES: [u8; 3] = [8, 4, 9];

/// Where the first count byte is.
const ARRAYS_AT: usize = 3;

/// Rows of one array.
#[derive(Clone, Copy, Debug, Default)]
struct Rows {
    start: usize,
    stride: u8,
    count: u8,
}

/// An encounter section whose arrays and references are known to be good.
#[derive(Clone, Copy, Debug)]
pub struct Encounters<'a> {
    body: &'a [u8],
    rows: [Rows; 3],
}

/// A group of monsters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Formation<'a> {
    /// Not 0: a scripted fight.
    pub scripted: u8,
    /// Two reserved bytes.
    pub reserved: [u8; 2],
    /// Monster ids, up to [`MAX_MONSTERS`].
    pub monsters: &'a [u8],
}

impl Formation<'_> {
    /// Whether this is a scripted fight.
    #[must_use]
    pub const fn is_scripted(&self) -> bool {
        self.scripted != 0
    }
}

/// Makes a run of regions live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition {
    /// System flag, or [`ALWAYS`].
    pub flag: u16,
    /// How many regions it owns, from where its predecessor's end; not negative.
    pub owned: i16,
}

/// A box of tiles with its fights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Region {
    /// Smallest column and row.
    pub min: [u8; 2],
    /// Largest column and row, inside.
    pub max: [u8; 2],
    /// What a step takes from the counter; 0 never rolls.
    pub rate: u8,
    /// Byte 5, whose meaning is not known.
    pub unknown: u8,
    /// First formation.
    pub first: u8,
    /// Number of formations.
    pub count: u8,
    /// Byte 8; 0 where rows are shorter. See [`Region::stage`].
    pub backdrop: u8,
}

impl Region {
    fn from_row(row: &[u8]) -> Option<Self> {
        let &[x0, y0, x1, y1, rate, unknown, first, count] = row.first_chunk()?;
        Some(Self {
            min: [x0, y0],
            max: [x1, y1],
            rate,
            unknown,
            first,
            count,
            backdrop: u8_at(row, 8).unwrap_or(0),
        })
    }

    /// Battle stage, 0..31.
    #[must_use]
    pub const fn stage(&self) -> u8 {
        self.backdrop & 0x1F
    }

    /// Whether the tile of this column and row lies in the box, whose edges are all inside.
    #[must_use]
    pub fn contains(&self, tile: [u8; 2]) -> bool {
        let bounds = self.min.iter().zip(&self.max);
        tile.iter()
            .zip(bounds)
            .all(|(at, (min, max))| min <= at && at <= max)
    }

    /// Its formations.
    #[must_use]
    pub fn formations(&self) -> Range<u16> {
        let first = u16::from(self.first);
        first..first + u16::from(self.count)
    }
}

impl<'a> Encounters<'a> {
    /// Read a section's body; what follows the last array is not looked at.
    ///
    /// # Errors
    /// [`Error::EncounterOverrun`], [`Error::BadFormation`], [`Error::BadStride`],
    /// [`Error::BadConditions`], [`Error::BadRegion`].
    pub fn parse(body: &'a [u8]) -> Result<Self, Error> {
        let mut rows = [Rows::default(); 3];
        let mut at = ARRAYS_AT;
        let arrays = [Array::Formations, Array::Conditions, Array::Regions];
        for (array, rows) in arrays.into_iter().zip(&mut rows) {
            let over = Error::EncounterOverrun { array };
            let stride = u8_at(body, array as usize).ok_or(over)?;
            let count = u8_at(body, at).ok_or(over)?;
            let start = at + 1;
            let length = usize::from(stride) * usize::from(count);
            slice_at(body, start, length).ok_or(over)?;
            *rows = Rows {
                start,
                stride,
                count,
            };
            at = start + length;
        }
        let section = Self { body, rows };
        section.check()?;
        Ok(section)
    }

    fn check(&self) -> Result<(), Error> {
        let [formations, conditions, regions] = self.rows;
        for row in 0..formations.count {
            self.formation(row).ok_or(Error::BadFormation { row })?;
        }
        for (array, rows, shortest) in [
            (Array::Conditions, conditions, 4),
            (Array::Regions, regions, 8),
        ] {
            if rows.count > 0 && rows.stride < shortest {
                return Err(Error::BadStride { array });
            }
        }
        let mut total = 0_u32;
        for (index, condition) in (0..=u8::MAX).zip(self.conditions()) {
            let bad = Error::BadConditions { index };
            total += u32::try_from(condition.owned).map_err(|_| bad)?;
            if total > u32::from(regions.count) {
                return Err(bad);
            }
        }
        for (index, region) in (0..=u8::MAX).zip(self.regions()) {
            if region.formations().end > u16::from(formations.count) {
                return Err(Error::BadRegion { index });
            }
        }
        Ok(())
    }

    /// Length of the rows of formations, conditions and regions, in bytes.
    #[must_use]
    pub fn strides(&self) -> [u8; 3] {
        self.rows.map(|rows| rows.stride)
    }

    /// Number of formations, conditions and regions.
    #[must_use]
    pub fn counts(&self) -> [u8; 3] {
        self.rows.map(|rows| rows.count)
    }

    /// All bytes of a row.
    fn row(&self, array: Array, row: u8) -> Option<&'a [u8]> {
        let rows = self.rows[array as usize % 3];
        if row >= rows.count {
            return None;
        }
        let at = rows.start + usize::from(row) * usize::from(rows.stride);
        slice_at(self.body, at, rows.stride.into())
    }

    /// The formation in this row.
    #[must_use]
    pub fn formation(&self, row: u8) -> Option<Formation<'a>> {
        let bytes = self.row(Array::Formations, row)?;
        let &[scripted, a, b, count] = bytes.first_chunk()?;
        let count = usize::from(count);
        Some(Formation {
            scripted,
            reserved: [a, b],
            monsters: slice_at(bytes, 4, count).filter(|_| count <= MAX_MONSTERS)?,
        })
    }

    /// The formations in order.
    pub fn formations(&self) -> impl Iterator<Item = Formation<'a>> + 'a {
        let section = *self;
        let [formations, _, _] = self.rows;
        (0..formations.count).filter_map(move |row| section.formation(row))
    }

    /// Offset of a formation's row in the section's body; scripts point at it.
    #[must_use]
    pub fn formation_offset(&self, row: u8) -> Option<usize> {
        let [formations, _, _] = self.rows;
        (row < formations.count)
            .then(|| formations.start + usize::from(row) * usize::from(formations.stride))
    }

    /// The conditions in order.
    pub fn conditions(&self) -> impl Iterator<Item = Condition> + 'a {
        let section = *self;
        let [_, conditions, _] = self.rows;
        (0..conditions.count).filter_map(move |row| {
            let row = section.row(Array::Conditions, row)?;
            Some(Condition {
                flag: u16_at(row, 0)?,
                owned: i16_at(row, 2)?,
            })
        })
    }

    /// The region of this index.
    #[must_use]
    pub fn region(&self, index: u8) -> Option<Region> {
        Region::from_row(self.row(Array::Regions, index)?)
    }

    /// The regions in order.
    pub fn regions(&self) -> impl Iterator<Item = Region> + 'a {
        let section = *self;
        let [_, _, regions] = self.rows;
        (0..regions.count).filter_map(move |index| section.region(index))
    }

    /// The live regions: those of the first condition that holds. `None` when no condition holds: no
    /// encounters. `set` tells whether a system flag is set.
    #[must_use]
    pub fn live(&self, mut set: impl FnMut(u16) -> bool) -> Option<Range<u8>> {
        let mut first = 0_u8;
        for condition in self.conditions() {
            // The counts sum up to at most the number of regions: checked when parsed.
            let end = first.saturating_add(condition.owned as u8);
            if condition.flag == ALWAYS || set(condition.flag) {
                return Some(first..end);
            }
            first = end;
        }
        None
    }

    /// The first live region that has the tile of this column and row, and its index.
    #[must_use]
    pub fn find(&self, tile: [u8; 2], set: impl FnMut(u16) -> bool) -> Option<(u8, Region)> {
        self.live(set)?
            .filter_map(|index| Some((index, self.region(index)?)))
            .find(|(_, region)| region.contains(tile))
    }

    /// Whether the conditions are as in retail: they own all regions, and exactly one of them, the
    /// last, always holds.
    #[must_use]
    pub fn is_retail_shaped(&self) -> bool {
        let [_, conditions, regions] = self.rows;
        let owned: i32 = self.conditions().map(|it| i32::from(it.owned)).sum();
        let always = self.conditions().position(|it| it.flag == ALWAYS);
        owned == i32::from(regions.count) && always == usize::from(conditions.count).checked_sub(1)
    }
}

/// An encounter section to be written.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// Length of the rows: see [`STRIDES`]. What a row has beyond its known bytes is zero.
    pub strides: [u8; 3],
    /// Groups of monsters.
    pub formations: &'a [Formation<'a>],
    /// Which regions are live.
    pub conditions: &'a [Condition],
    /// Boxes of tiles.
    pub regions: &'a [Region],
}

/// Write the body of an encounter section; the number of bytes. What is written,
/// [`Encounters::parse`] accepts.
///
/// # Errors
/// Those of [`Encounters::parse`]; [`Error::BadRow`] for row 255 of an array, and for a backdrop
/// that the rows have no room for; [`Error::OutputTooSmall`].
pub fn emit(source: &Source<'_>, out: &mut [u8]) -> Result<usize, Error> {
    let room = out.len();
    let full = |_| Error::OutputTooSmall { room };
    let [formation_stride, condition_stride, region_stride] = source.strides;
    let mut writer = Writer::new(out);
    writer.bytes(&source.strides).map_err(full)?;

    writer.u8(count(source.formations.len())?).map_err(full)?;
    for (row, formation) in (0..=u8::MAX).zip(source.formations) {
        let bad = Error::BadFormation { row };
        let monsters = formation.monsters;
        let room = usize::from(formation_stride).checked_sub(4).ok_or(bad)?;
        if monsters.len() > MAX_MONSTERS.min(room) {
            return Err(bad);
        }
        let [a, b] = formation.reserved;
        // At most 4 monsters.
        let head = [formation.scripted, a, b, monsters.len() as u8];
        writer.bytes(&head).map_err(full)?;
        writer.bytes(monsters).map_err(full)?;
        writer.zeros(room - monsters.len()).map_err(full)?;
    }

    writer.u8(count(source.conditions.len())?).map_err(full)?;
    for condition in source.conditions {
        let array = Array::Conditions;
        let row = usize::from(condition_stride).checked_sub(4);
        writer.u16(condition.flag).map_err(full)?;
        writer.i16(condition.owned).map_err(full)?;
        writer
            .zeros(row.ok_or(Error::BadStride { array })?)
            .map_err(full)?;
    }

    writer.u8(count(source.regions.len())?).map_err(full)?;
    for (index, region) in source.regions.iter().enumerate() {
        let array = Array::Regions;
        let room = usize::from(region_stride).checked_sub(8);
        let room = room.ok_or(Error::BadStride { array })?;
        let ([x0, y0], [x1, y1]) = (region.min, region.max);
        let Region {
            rate,
            unknown,
            first,
            count,
            backdrop,
            ..
        } = *region;
        let head = [x0, y0, x1, y1, rate, unknown, first, count];
        writer.bytes(&head).map_err(full)?;
        match room.checked_sub(1) {
            Some(rest) => {
                writer.u8(backdrop).map_err(full)?;
                writer.zeros(rest).map_err(full)?;
            }
            None if backdrop != 0 => return Err(Error::BadRow { index }),
            None => {}
        }
    }
    Encounters::parse(writer.written())?;
    Ok(writer.finish())
}

fn count(rows: usize) -> Result<u8, Error> {
    u8::try_from(rows).map_err(|_| Error::BadRow { index: 255 })
}
