//! The bank, its clips and the poses in them.

use super::{ClipEnd, Error, Pose, pose};
use crate::bytes::{slice_at, u8_at, u16_at, u32_at};

/// The most clips a bank may have; retail banks have up to 72.
pub const MAX_CLIPS: u32 = 256;
/// The most frames a clip may have: the cursor is a 16-bit number of 1/16 frames.
pub const MAX_FRAMES: u16 = 2047;
/// The constant in every clip header.
pub const MARKER: u16 = 0x080C;
/// Bytes of a clip header, and of the trailer.
pub(super) const HEADER: usize = 8;
/// Bytes of the zeros that end a clip.
pub(super) const TRAILER: usize = 8;
/// Header bit: scale the clock by the rate and interpolate between frames.
pub(super) const BLEND: u8 = 0x01;

/// A bank whose every clip is known to be good (ANM sheet, "Outer pack").
#[derive(Clone, Copy, Debug)]
pub struct Bank<'a> {
    data: &'a [u8],
    count: u16,
}

impl<'a> Bank<'a> {
    /// Read a decoded bank; every clip must follow the size law exactly and end in zeros.
    ///
    /// # Errors
    /// [`Error::Truncated`], [`Error::BadCount`] and the errors of the clips.
    pub fn parse(data: &'a [u8]) -> Result<Self, Error> {
        Self::read(data, true)
    }

    /// Read a decoded bank; clips may be longer than the size law says (some of PROT 1229 are)
    /// and end in anything.
    ///
    /// # Errors
    /// As [`Bank::parse`], without [`Error::ClipOversized`] and [`Error::BadTrailer`].
    pub fn parse_lenient(data: &'a [u8]) -> Result<Self, Error> {
        Self::read(data, false)
    }

    fn read(data: &'a [u8], strict: bool) -> Result<Self, Error> {
        let truncated = |need| Error::Truncated {
            need,
            len: data.len(),
        };
        let count = u32_at(data, 0).ok_or(truncated(4))?;
        if count == 0 || count > MAX_CLIPS {
            return Err(Error::BadCount { count });
        }
        let table = 4 + 4 * count as usize;
        if data.len() < table {
            return Err(truncated(table));
        }
        let bank = Self {
            data,
            count: count as u16,
        };
        // The offsets first: each clip ends where the next one starts.
        let mut floor = table;
        for index in 0..bank.count {
            let offset = bank.offset(index).unwrap_or(0);
            if offset < floor || offset >= data.len() {
                return Err(Error::BadClipOffset { index });
            }
            floor = offset + 1;
        }
        for index in 0..bank.count {
            let bytes = bank.bytes(index).unwrap_or_default();
            Clip::parse(bytes, index, strict)?;
        }
        Ok(bank)
    }

    /// Start of the clip at `index`, which is below the count.
    fn offset(&self, index: u16) -> Option<usize> {
        Some(u32_at(self.data, 4 + 4 * usize::from(index))? as usize)
    }

    /// All bytes of a clip.
    fn bytes(&self, index: u16) -> Option<&'a [u8]> {
        if index >= self.count {
            return None;
        }
        let start = self.offset(index)?;
        let end = if index + 1 < self.count {
            self.offset(index + 1)?
        } else {
            self.data.len()
        };
        self.data.get(start..end)
    }

    /// Number of clips, 1 to [`MAX_CLIPS`].
    #[must_use]
    pub const fn len(&self) -> u16 {
        self.count
    }

    /// Never true: a bank without clips does not parse.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The clip of the one-based `number`.
    ///
    /// # Errors
    /// [`Error::NoSuchClip`] for a number below 1 (which means "no clip") or above the count.
    #[inline]
    pub fn clip(&self, number: i16) -> Result<Clip<'a>, Error> {
        let none = Error::NoSuchClip { number };
        let index = number.checked_sub(1).ok_or(none)?;
        let index = u16::try_from(index).map_err(|_| none)?;
        let bytes = self.bytes(index).ok_or(none)?;
        Clip::view(bytes).ok_or(none)
    }

    /// All clips, from number 1 on.
    pub fn clips(&self) -> impl Iterator<Item = Clip<'a>> + 'a {
        let bank = *self;
        (0..self.count).filter_map(move |index| Clip::view(bank.bytes(index)?))
    }

    /// Look for bits in the nibble of a pose that is never read: a check for writers.
    ///
    /// # Errors
    /// [`Error::ReservedBits`] for the first pose that has some.
    pub fn lint(&self) -> Result<(), Error> {
        for (index, clip) in (0..).zip(self.clips()) {
            for (pose, &[_, _, _, _, byte, ..]) in (0..).zip(clip.poses) {
                if byte & 0xF0 != 0 {
                    return Err(Error::ReservedBits { index, pose });
                }
            }
        }
        Ok(())
    }
}

/// A clip: `frames` times `parts` poses (ANM sheet, "Clip").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clip<'a> {
    /// The poses alone, frame by frame.
    poses: &'a [Stored],
    parts: u8,
    flags: u8,
    frames: u16,
    rate: u8,
    extra: u8,
}

impl<'a> Clip<'a> {
    /// Read and check one clip.
    fn parse(bytes: &'a [u8], index: u16, strict: bool) -> Result<Self, Error> {
        if bytes.len() < HEADER + TRAILER {
            return Err(Error::ClipTooSmall { index });
        }
        let found = u16_at(bytes, 4).unwrap_or(0);
        if found != MARKER {
            return Err(Error::BadMarker { index, found });
        }
        let parts = u8_at(bytes, 0).unwrap_or(0);
        let frames = u16_at(bytes, 2).unwrap_or(0);
        if parts == 0 || frames == 0 {
            return Err(Error::EmptyClip { index });
        }
        if frames > MAX_FRAMES {
            return Err(Error::ClipTooLong { index });
        }
        // At most 255 * 2047 poses: no overflow in 32 bits.
        let poses = usize::from(parts) * usize::from(frames) * Pose::BYTES;
        let law = HEADER + poses + TRAILER;
        if bytes.len() < law {
            return Err(Error::ClipTruncated { index });
        }
        if strict && bytes.len() > law {
            return Err(Error::ClipOversized { index });
        }
        let clip = Self::view(bytes).ok_or(Error::ClipTruncated { index })?;
        if clip.blend() && clip.rate == 0 {
            return Err(Error::BadRate { index });
        }
        let trailer = bytes.get(HEADER + poses..).unwrap_or_default();
        if strict && trailer.iter().any(|&byte| byte != 0) {
            return Err(Error::BadTrailer { index });
        }
        Ok(clip)
    }

    /// The clip in `bytes`, which were checked when the bank was parsed.
    #[inline]
    fn view(bytes: &'a [u8]) -> Option<Self> {
        let &[parts, flags, frames0, frames1, _, _, rate, extra] = bytes.first_chunk::<HEADER>()?;
        let frames = u16::from_le_bytes([frames0, frames1]);
        let poses = usize::from(parts) * usize::from(frames) * Pose::BYTES;
        Some(Self {
            poses: bytemuck::try_cast_slice(slice_at(bytes, HEADER, poses)?).ok()?,
            parts,
            flags,
            frames,
            rate,
            extra,
        })
    }

    /// Poses per frame, 1..255; the model must have as many objects.
    #[must_use]
    pub const fn parts(&self) -> u8 {
        self.parts
    }

    /// Number of frames, 1 to [`MAX_FRAMES`].
    #[must_use]
    pub const fn frames(&self) -> u16 {
        self.frames
    }

    /// Whether the clock is scaled by [`Clip::rate`] and frames are interpolated.
    #[must_use]
    pub const fn blend(&self) -> bool {
        self.flags & BLEND != 0
    }

    /// The sub-frame divisor (retail: 1, 2 or 4); not 0 when blending.
    #[must_use]
    pub const fn rate(&self) -> u8 {
        self.rate
    }

    /// Header byte 7, which the clock does not read: 0, except 2 or 4 in PROT 1203.
    #[must_use]
    pub const fn extra(&self) -> u8 {
        self.extra
    }

    /// Length in cursor units: 16 a frame, at most 32752.
    #[must_use]
    pub const fn span(&self) -> i16 {
        // At most 2047 frames, checked when the bank was parsed.
        (self.frames as i16).wrapping_mul(16)
    }

    /// The stored pose of a part in a frame; `None` past the last frame or part.
    #[inline]
    #[must_use]
    pub fn pose(&self, frame: u16, part: u8) -> Option<Pose> {
        if part >= self.parts {
            return None;
        }
        let index = usize::from(frame) * usize::from(self.parts) + usize::from(part);
        Some(Pose::from_words(words(self.poses.get(index)?)))
    }

    /// What the clip shows at `cursor`, in 1/16 frame, for all parts.
    ///
    /// Without [`Clip::blend`] that is the frame as stored. A cursor below 0 shows the first
    /// frame, one past the end the last.
    #[inline]
    #[must_use]
    pub fn sample(&self, cursor: i16, end: ClipEnd) -> Sample<'a> {
        let (current, next, frac) = self.rows(cursor, end);
        let row = |at| {
            let rest = self.poses.get(at..).unwrap_or_default();
            rest.get(..self.parts.into()).unwrap_or_default()
        };
        Sample {
            current: row(current),
            next: row(next),
            frac,
        }
    }

    /// Where the poses of the frame at `cursor` begin, where those of the next, and how far it is on the way
    /// there.
    #[inline(always)]
    fn rows(&self, cursor: i16, end: ClipEnd) -> (usize, usize, u8) {
        let parts = usize::from(self.parts);
        let frac = if self.blend() { cursor as u8 & 15 } else { 0 };
        let frame = (cursor >> 4) as u16;
        let last = self.frames.wrapping_sub(1);
        // A cursor below 0 is a frame far behind the last one.
        if frame < last {
            let current = usize::from(frame) * parts;
            return (current, current + parts, frac);
        }
        if cursor < 0 {
            return (0, 0, 0);
        }
        let current = usize::from(last) * parts;
        let next = match end {
            ClipEnd::Wrap => 0,
            ClipEnd::Hold => current,
        };
        (current, next, if frame == last { frac } else { 0 })
    }

    /// The pose of one part at `cursor`: see [`Clip::sample`], which is cheaper for all parts.
    ///
    /// It stands where it is used: as a function of its own it would hand the pose on through memory.
    #[inline(always)]
    #[must_use]
    pub fn pose_at(&self, cursor: i16, part: u8, end: ClipEnd) -> Option<Pose> {
        if part >= self.parts {
            return None;
        }
        let (current, next, frac) = self.rows(cursor, end);
        let stored = |at| self.poses.get(at + usize::from(part));
        Some(shown(stored(current)?, stored(next)?, frac))
    }

    /// Whether `cursor` points into the clip.
    ///
    /// # Errors
    /// [`Error::BadCursor`] when it does not; drawing clamps instead.
    pub const fn check_cursor(&self, cursor: i16) -> Result<(), Error> {
        if cursor < 0 || cursor >= self.span() {
            return Err(Error::BadCursor {
                cursor,
                frames: self.frames,
            });
        }
        Ok(())
    }
}

/// A pose as it is stored.
type Stored = [u8; Pose::BYTES];

/// The words of a stored pose.
#[inline(always)]
fn words(stored: &Stored) -> [u32; 2] {
    // The console loads a word at once only from a word boundary, where a loader puts every bank; and
    // else in two parts, each of which costs as much.
    if cfg!(target_arch = "mips")
        && let Ok(words) = bytemuck::try_cast_ref(stored)
    {
        return *words;
    }
    pose::words(*stored)
}

/// What lies `frac` sixteenths of the way between two stored poses.
#[inline(always)]
fn shown(current: &Stored, next: &Stored, frac: u8) -> Pose {
    if frac == 0 {
        Pose::from_words(words(current))
    } else {
        Pose::between(words(current), words(next), frac)
    }
}

/// All parts of a clip at one moment.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a> {
    current: &'a [Stored],
    next: &'a [Stored],
    frac: u8,
}

impl<'a> Sample<'a> {
    /// The pose of a part; `None` past the last one.
    #[inline]
    #[must_use]
    pub fn pose(&self, part: u8) -> Option<Pose> {
        let part = usize::from(part);
        let (current, next) = (self.current.get(part)?, self.next.get(part)?);
        Some(shown(current, next, self.frac))
    }

    /// The poses of all parts in order.
    #[inline]
    pub fn poses(&self) -> impl Iterator<Item = Pose> + 'a {
        let frac = self.frac;
        let both = self.current.iter().zip(self.next);
        both.map(move |(current, next)| shown(current, next, frac))
    }
}

/// Whether a clip may drive a model of `objects` objects: part `i` drives object `i`, one to one.
///
/// # Errors
/// [`Error::PartMismatch`]: the whole draw is skipped.
pub const fn part_gate(clip: &Clip<'_>, objects: usize) -> Result<(), Error> {
    if clip.parts as usize != objects {
        return Err(Error::PartMismatch {
            parts: clip.parts,
            objects,
        });
    }
    Ok(())
}
