//! The writer.

use super::{ActorRecord, BeatRecord, Error, FlagList, MAX_SIZE, ObjectRecord, TIERS};
use crate::bytes::{Full, Writer};

/// A record of partition 0 to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObjectSource<'a> {
    /// Shift-JIS name, two bytes a character, up to 255 characters.
    pub label: &'a [u8],
    /// Scene clip, one-based; 0 for none.
    pub animation: u8,
    /// The code from the first opcode on; not empty.
    pub script: &'a [u8],
}

/// A record of partition 1 to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActorSource<'a> {
    /// Locals or name, up to 255 units of two bytes.
    pub label: &'a [u8],
    /// See [`super::Model`].
    pub model: u8,
    /// Clip, one-based; 0 for none.
    pub animation: u8,
    /// X and Z as tile bytes.
    pub tile: [u8; 2],
    /// The code from the first opcode on; not empty.
    pub script: &'a [u8],
}

/// A record of partition 2 to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BeatSource<'a> {
    /// Shift-JIS name, two bytes a character, up to 255 characters.
    pub label: &'a [u8],
    /// C0, up to 255 bytes.
    pub c0: &'a [u8],
    /// C1: flags that must all be clear, up to 255.
    pub c1: FlagList<'a>,
    /// C2: flags that must all be set, up to 255.
    pub c2: FlagList<'a>,
    /// The code from the first opcode on; not empty.
    pub script: &'a [u8],
}

impl<'a> From<ObjectRecord<'a>> for ObjectSource<'a> {
    fn from(record: ObjectRecord<'a>) -> Self {
        Self {
            label: record.label,
            animation: record.animation,
            script: record.script.code(),
        }
    }
}

impl<'a> From<ActorRecord<'a>> for ActorSource<'a> {
    fn from(record: ActorRecord<'a>) -> Self {
        Self {
            label: record.label,
            model: record.model,
            animation: record.animation,
            tile: record.tile,
            script: record.script.code(),
        }
    }
}

impl<'a> From<BeatRecord<'a>> for BeatSource<'a> {
    fn from(record: BeatRecord<'a>) -> Self {
        Self {
            label: record.label,
            c0: record.c0,
            c1: record.c1,
            c2: record.c2,
            script: record.script.code(),
        }
    }
}

/// A MAN to be written. The sections' bodies have writers of their own.
#[derive(Clone, Copy, Debug, Default)]
pub struct Source<'a> {
    /// Status flags.
    pub flags: u16,
    /// Floor-height table as stored: positive is up.
    pub floor: [i16; TIERS],
    /// Partition 0.
    pub objects: &'a [ObjectSource<'a>],
    /// Partition 1; the first is the entry script.
    pub actors: &'a [ActorSource<'a>],
    /// Partition 2.
    pub beats: &'a [BeatSource<'a>],
    /// Section 0: see [`super::encounter::emit`].
    pub encounters: &'a [u8],
    /// Section 1: see [`super::motion::emit`].
    pub motion: &'a [u8],
    /// Section 2: the display name without its end.
    pub name: &'a [u8],
    /// Section 3: see [`super::camera::emit`].
    pub cameras: &'a [u8],
    /// Section 4.
    pub open: &'a [u8],
    /// What follows the sections: see [`super::Locations::emit`].
    pub after: &'a [u8],
}

/// Write a MAN, its records in flat order without gaps; the number of bytes. With bodies of the
/// sections' writers, [`super::Man::parse`] accepts what is written.
///
/// # Errors
/// [`Error::TooManyRecords`], [`Error::BadHeader`], [`Error::EmptyScript`], [`Error::BadName`],
/// [`Error::TooLarge`], [`Error::OutputTooSmall`].
pub fn emit(source: &Source<'_>, out: &mut [u8]) -> Result<usize, Error> {
    let room = out.len();
    if source.name.contains(&0) {
        return Err(Error::BadName);
    }
    let total = layout(source)?;
    let mut out = Writer::new(out);
    write(source, total, &mut out).map_err(|_| Error::OutputTooSmall { room })?;
    Ok(out.finish())
}

/// Lengths of all records in flat order.
fn lengths<'a>(source: &'a Source<'_>) -> impl Iterator<Item = Option<usize>> + 'a {
    let objects = source.objects.iter();
    let actors = source.actors.iter();
    let beats = source.beats.iter();
    objects
        .map(|it| record_length(2, &[(it.label, 2)], it.script))
        .chain(actors.map(|it| record_length(5, &[(it.label, 2)], it.script)))
        .chain(beats.map(|it| {
            let lists = it.c1.len().max(it.c2.len()) <= 255;
            let fixed = 4 + 2 * it.c1.len() + 2 * it.c2.len();
            record_length(fixed, &[(it.label, 2), (it.c0, 1)], it.script).filter(|_| lists)
        }))
}

/// Length of a record of `fixed` bytes, lists of units, and a script; `None` when a list is not of
/// whole units, or of more than 255.
fn record_length(fixed: usize, lists: &[(&[u8], usize)], script: &[u8]) -> Option<usize> {
    let mut length = fixed;
    for (list, unit) in lists {
        if list.len() % unit != 0 || list.len() / unit > 255 {
            return None;
        }
        length = length.checked_add(list.len())?;
    }
    length.checked_add(script.len())
}

/// Check the source; the length of all records together, which is where section 0 starts.
fn layout(source: &Source<'_>) -> Result<u32, Error> {
    let counts = [
        source.objects.len(),
        source.actors.len(),
        source.beats.len(),
    ];
    for (partition, count) in (0..).zip(counts) {
        if i16::try_from(count).is_err() {
            return Err(Error::TooManyRecords { partition });
        }
    }
    let scripts = source.objects.iter().map(|it| it.script);
    let scripts = scripts.chain(source.actors.iter().map(|it| it.script));
    let scripts = scripts.chain(source.beats.iter().map(|it| it.script));
    let mut records = 0_usize;
    for (flat, (length, script)) in (0..).zip(lengths(source).zip(scripts)) {
        let length = length.ok_or(Error::BadHeader { flat })?;
        if script.is_empty() {
            return Err(Error::EmptyScript { flat });
        }
        records = records.saturating_add(length);
    }
    let table: usize = counts.iter().map(|count| 3 * count).sum();
    let size = bodies(source)
        .iter()
        .map(|body| body.len().saturating_add(3))
        .chain([super::HEADER + table, records, 1, source.after.len()])
        .fold(0, usize::saturating_add);
    if size > MAX_SIZE {
        return Err(Error::TooLarge { size });
    }
    // Below the size.
    Ok(records as u32)
}

/// The bodies of all sections; the name still lacks its end.
fn bodies<'a>(source: &Source<'a>) -> [&'a [u8]; super::SECTIONS] {
    let Source {
        encounters,
        motion,
        name,
        cameras,
        open,
        ..
    } = *source;
    [encounters, motion, name, cameras, open, &[]]
}

fn u24(out: &mut Writer<'_>, value: u32) -> Result<(), Full> {
    let [low, middle, high, _] = value.to_le_bytes();
    out.bytes(&[low, middle, high])
}

/// A count byte of units, and the list itself.
fn counted(out: &mut Writer<'_>, list: &[u8], unit: usize) -> Result<(), Full> {
    // At most 255: checked by `layout`.
    out.u8((list.len() / unit) as u8)?;
    out.bytes(list)
}

fn flags(out: &mut Writer<'_>, list: &FlagList<'_>) -> Result<(), Full> {
    out.u8(list.len() as u8)?;
    list.iter().try_for_each(|flag| out.u16(flag))
}

fn write(source: &Source<'_>, section0: u32, out: &mut Writer<'_>) -> Result<(), Full> {
    out.u16(source.flags)?;
    for height in source.floor {
        out.i16(height)?;
    }
    out.u16(source.objects.len() as u16)?;
    out.u16(source.actors.len() as u16)?;
    out.u16(source.beats.len() as u16)?;
    u24(out, section0)?;
    let mut start = 0;
    for length in lengths(source) {
        u24(out, start)?;
        start += length.unwrap_or(0) as u32;
    }
    for it in source.objects {
        counted(out, it.label, 2)?;
        out.u8(it.animation)?;
        out.bytes(it.script)?;
    }
    for it in source.actors {
        counted(out, it.label, 2)?;
        let [x, z] = it.tile;
        out.bytes(&[it.model, it.animation, x, z])?;
        out.bytes(it.script)?;
    }
    for it in source.beats {
        counted(out, it.label, 2)?;
        counted(out, it.c0, 1)?;
        flags(out, &it.c1)?;
        flags(out, &it.c2)?;
        out.bytes(it.script)?;
    }
    for (index, body) in bodies(source).into_iter().enumerate() {
        let end = usize::from(index == 2);
        u24(out, (body.len() + end) as u32)?;
        out.bytes(body)?;
        out.zeros(end)?;
    }
    out.bytes(source.after)
}
