//! Section 1: ambient motion (MAN sheet, section 3; motion VM sheet, section 3.1).
//!
//! Records `[u8 n][s16 delta to the next record][n pairs of actor and enable][stream]` up to a count
//! of 0. A stream is a list of variants `[u16 flag][s16 delta to the next variant][code]`, of which
//! the first whose flag is set runs.

use super::Error;
use crate::bytes::{Writer, i16_at, u8_at, u16_at};

/// The actor number of the player.
pub const PLAYER: u8 = 0xF8;
/// The actor number of the world entity.
pub const WORLD: u8 = 0xFB;
/// The selector of the variant that always runs; it is the last.
pub const DEFAULT: u16 = 0xFFFF;
/// The bits of a selector that are the flag.
pub const FLAG: u16 = 0x0FFF;

/// Count and delta.
const HEAD: usize = 3;
/// Selector and delta.
const VARIANT: usize = 4;

/// A table of motion records.
#[derive(Clone, Copy, Debug)]
pub struct Motion<'a> {
    body: &'a [u8],
}

/// One record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MotionRecord<'a> {
    /// Its offset in the section.
    pub offset: usize,
    /// Pairs of an actor ([`PLAYER`], [`WORLD`], or a script id) and its enable byte.
    pairs: &'a [u8],
    /// The variants.
    pub stream: &'a [u8],
}

/// One variant of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant<'a> {
    /// System flag in the bits of [`FLAG`], or [`DEFAULT`].
    pub selector: u16,
    /// The code, to the end of the stream: its length is known by running it.
    pub code: &'a [u8],
}

impl<'a> Motion<'a> {
    /// Read a section's body strictly: every record leads to another one or to the end mark.
    ///
    /// # Errors
    /// [`Error::BadMotionTable`].
    pub fn parse(body: &'a [u8]) -> Result<Self, Error> {
        let mut offset = 0;
        loop {
            let bad = Error::BadMotionTable { offset };
            let count = u8_at(body, offset).ok_or(bad)?;
            if count == 0 {
                return Ok(Self { body });
            }
            let delta = i16_at(body, offset + 1).ok_or(bad)?;
            let delta = usize::try_from(delta).map_err(|_| bad)?;
            // The next count must be there too.
            if delta < HEAD + 2 * usize::from(count) || body.len() - offset <= delta {
                return Err(bad);
            }
            offset += delta;
        }
    }

    /// Read a section's body the way the game does, which never fails: the walk also stops after a
    /// record whose delta is not above 0, and at the end of the body.
    #[must_use]
    pub const fn lenient(body: &'a [u8]) -> Self {
        Self { body }
    }

    /// The records in order.
    pub fn records(&self) -> impl Iterator<Item = MotionRecord<'a>> + use<'a> {
        let body = self.body;
        let mut next = Some(0);
        core::iter::from_fn(move || {
            let offset = next.take()?;
            let count = u8_at(body, offset).filter(|&count| count > 0)?;
            let delta = i16_at(body, offset + 1)?;
            let rest = body.get(offset..)?;
            let record = match usize::try_from(delta) {
                Ok(delta) if delta > 0 => {
                    next = Some(offset + delta);
                    rest.get(..delta).unwrap_or(rest)
                }
                _ => rest,
            };
            let behind = record.get(HEAD..)?;
            let (pairs, stream) = behind.split_at_checked(2 * usize::from(count))?;
            Some(MotionRecord {
                offset,
                pairs,
                stream,
            })
        })
    }

    /// The record that moves an actor, and the actor's enable byte; the first one counts.
    #[must_use]
    pub fn find(&self, actor: u8) -> Option<(MotionRecord<'a>, u8)> {
        self.records().find_map(|record| {
            let mut pairs = record.pairs();
            let (_, enable) = pairs.find(|&(id, _)| id == actor)?;
            Some((record, enable))
        })
    }
}

impl<'a> MotionRecord<'a> {
    /// The actors that it moves, with their enable bytes (bit 0 enables).
    pub fn pairs(&self) -> impl Iterator<Item = (u8, u8)> + use<'a> {
        self.pairs
            .chunks_exact(2)
            .filter_map(|pair| pair.first_chunk().map(|&[actor, enable]| (actor, enable)))
    }

    /// The variants of the stream: up to [`DEFAULT`], a delta not above 0, or the end.
    pub fn variants(&self) -> impl Iterator<Item = Variant<'a>> + use<'a> {
        let stream = self.stream;
        let mut next = Some(0);
        core::iter::from_fn(move || {
            let offset = next.take()?;
            let selector = u16_at(stream, offset)?;
            let delta = i16_at(stream, offset + 2)?;
            let code = stream.get(offset + VARIANT..)?;
            if selector != DEFAULT {
                let delta = usize::try_from(delta).ok().filter(|&delta| delta > 0);
                next = delta.map(|delta| offset + delta);
            }
            Some(Variant { selector, code })
        })
    }

    /// The variant that runs. `set` tells whether a system flag is set.
    #[must_use]
    pub fn select(&self, mut set: impl FnMut(u16) -> bool) -> Option<Variant<'a>> {
        self.variants()
            .find(|it| it.selector == DEFAULT || set(it.selector & FLAG))
    }
}

/// A motion record to be written.
#[derive(Clone, Copy, Debug)]
pub struct MotionSource<'a> {
    /// Actors and their enable bytes, 1 to 255.
    pub pairs: &'a [[u8; 2]],
    /// The variants; see [`emit_stream`].
    pub stream: &'a [u8],
}

/// Write the body of a motion section; the number of bytes.
///
/// # Errors
/// [`Error::BadRow`] for a record without actors, with more than 255, or longer than its delta can
/// say; [`Error::OutputTooSmall`].
pub fn emit(records: &[MotionSource<'_>], out: &mut [u8]) -> Result<usize, Error> {
    let room = out.len();
    let full = |_| Error::OutputTooSmall { room };
    let mut out = Writer::new(out);
    for (index, record) in records.iter().enumerate() {
        let bad = Error::BadRow { index };
        let count = u8::try_from(record.pairs.len()).map_err(|_| bad)?;
        if count == 0 {
            return Err(bad);
        }
        let length = HEAD + 2 * usize::from(count);
        let delta = length.checked_add(record.stream.len()).ok_or(bad)?;
        out.u8(count).map_err(full)?;
        out.i16(i16::try_from(delta).map_err(|_| bad)?)
            .map_err(full)?;
        for pair in record.pairs {
            out.bytes(pair).map_err(full)?;
        }
        out.bytes(record.stream).map_err(full)?;
    }
    out.u8(0).map_err(full)?;
    Ok(out.finish())
}

/// Write a stream of variants, each a selector and its code; the number of bytes. The last delta is
/// 0, so that the walk ends there whatever its selector.
///
/// # Errors
/// [`Error::BadRow`] for code longer than its delta can say, and for a variant behind [`DEFAULT`],
/// which could not run; [`Error::OutputTooSmall`].
pub fn emit_stream(variants: &[(u16, &[u8])], out: &mut [u8]) -> Result<usize, Error> {
    let room = out.len();
    let full = |_| Error::OutputTooSmall { room };
    let mut out = Writer::new(out);
    for (index, (selector, code)) in variants.iter().enumerate() {
        let bad = Error::BadRow { index };
        let last = index + 1 == variants.len();
        if *selector == DEFAULT && !last {
            return Err(bad);
        }
        let length = code.len().checked_add(VARIANT).ok_or(bad)?;
        let delta = if last {
            0
        } else {
            i16::try_from(length).map_err(|_| bad)?
        };
        out.u16(*selector).map_err(full)?;
        out.i16(delta).map_err(full)?;
        out.bytes(code).map_err(full)?;
    }
    Ok(out.finish())
}
