//! The writer of trigger blocks.

use super::super::Error;
use super::{Elevation, GAP, HEADER, Kind, LIMIT, Region, Script, Teleport};
use crate::bytes::{Full, Writer};

/// The records of a block to be written.
#[derive(Clone, Copy, Debug, Default)]
pub struct Source<'a> {
    /// Kind 0.
    pub teleports: &'a [Teleport],
    /// Kind 1.
    pub scripts: &'a [Script],
    /// Kind 2.
    pub elevations: &'a [Elevation],
    /// Kind 3.
    pub regions: &'a [Region],
}

impl Source<'_> {
    /// Number of records of a kind.
    const fn count(&self, kind: Kind) -> usize {
        match kind {
            Kind::Teleport => self.teleports.len(),
            Kind::Script => self.scripts.len(),
            Kind::Elevation => self.elevations.len(),
            Kind::Region => self.regions.len(),
        }
    }

    /// Where each kind starts and how many there are, and the end; the kind that passes `limit`.
    fn layout(&self, limit: usize) -> Result<([[u16; 2]; 4], u16), Kind> {
        let mut tables = [[0; 2]; 4];
        let mut cursor = HEADER;
        for (kind, table) in Kind::ALL.into_iter().zip(&mut tables) {
            let count = self.count(kind);
            let start = cursor;
            cursor = count
                .checked_mul(kind.stride())
                .and_then(|bytes| bytes.checked_add(start + GAP))
                .filter(|&end| end <= limit)
                .ok_or(kind)?;
            // Both are below the limit.
            *table = [start as u16, count as u16];
        }
        Ok((tables, cursor as u16))
    }
}

/// Write a chained block to the start of `out`; the number of bytes, which is its end word. The block
/// may be as long as `out`, at most [`LIMIT`].
///
/// # Errors
/// [`Error::TriggersTooLong`], [`Error::OutputTooSmall`].
pub fn emit(source: &Source<'_>, out: &mut [u8]) -> Result<usize, Error> {
    let room = out.len();
    let (tables, end) = source
        .layout(LIMIT)
        .map_err(|kind| Error::TriggersTooLong { kind: kind as u8 })?;
    write(source, tables, end, out).map_err(|_| Error::OutputTooSmall { room })
}

fn write(
    source: &Source<'_>,
    tables: [[u16; 2]; 4],
    end: u16,
    out: &mut [u8],
) -> Result<usize, Full> {
    let mut out = Writer::new(out);
    out.u16(end)?;
    for [start, count] in tables {
        out.u16(start)?;
        out.u16(count)?;
    }
    for record in source.teleports {
        out.bytes(&record.to_bytes())?;
    }
    out.zeros(GAP)?;
    for record in source.scripts {
        out.bytes(&record.to_bytes())?;
    }
    out.zeros(GAP)?;
    for record in source.elevations {
        out.bytes(&record.to_bytes())?;
    }
    out.zeros(GAP)?;
    for record in source.regions {
        out.bytes(&record.to_bytes())?;
    }
    out.zeros(GAP)?;
    Ok(out.finish())
}
