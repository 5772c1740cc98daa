//! Legaia TMD meshes (TMD/TIM sheet, sections 1, 2 and 6).
//!
//! [`Tmd::parse`] checks every pool, group and index once, so that drawing cannot fail on data.

mod kind;
mod write;

use core::fmt;

use crate::anim::legaia::{Bank, Clip};
use crate::bytes::{Full, Misaligned, slice_at, u16_at, u32_at, words};
use crate::fixed::SVector;
use crate::gte::RawVertex;

pub use kind::{Kind, Layout};
pub use write::{GroupSource, ObjectSource, emit};

/// First word: bit 31 says that offsets are relative, the low byte is the version.
pub const MAGIC: u32 = 0x8000_0002;

/// Length of the file header; every offset in the object table counts from here.
const HEADER: usize = 12;

/// Length of an object record.
const RECORD: usize = 28;

/// The constant in the scale field of every object; it means nothing.
const SCALE: u32 = 0x0080_8080;

/// Length of a group header.
const GROUP: usize = 8;

/// Most objects a file may have.
pub const MAX_OBJECTS: u32 = 1024;

/// Most vectors a pool can address (indices are byte offsets up to 7FF8h).
pub const MAX_VECTORS: u32 = 4096;

/// Objects of a party field mesh as it is on disc (section 1).
pub const PARTY_OBJECTS: usize = 12;

/// Objects of a party field mesh that are posed and drawn; the two behind them are templates of
/// equipment.
pub const PARTY_PARTS: usize = 10;

/// Why bytes are no TMD, or a TMD cannot be written. Objects, groups and primitives count
/// from 0; offsets are in bytes, from the start of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Error {
    /// The data is shorter than the 12-byte header.
    Truncated {
        /// Its length.
        len: usize,
    },
    /// The first word is not 80000002h.
    BadMagic {
        /// The word found.
        found: u32,
    },
    /// The first word lacks bit 31: offsets are pointers into some console's memory.
    AbsolutePointers,
    /// The flags word is not 0: a dump of a mesh that is already in use.
    AlreadyRelocated {
        /// The word found.
        flags: u32,
    },
    /// No objects, more than [`MAX_OBJECTS`], or a table that ends after the data.
    BadObjectCount {
        /// The count found.
        count: u32,
    },
    /// The vertices or normals of an object leave the data, or are more than can be addressed.
    PoolOutOfRange {
        /// Which object.
        object: u32,
        /// Offset of the word that says where the pool begins.
        at: usize,
    },
    /// The primitives of an object begin after the data, not at a multiple of four, or lie in the
    /// sections of the objects before it.
    PrimSectionOutOfRange {
        /// Which object.
        object: u32,
    },
    /// A group header is cut, or no terminator comes before the end.
    TruncatedGroup {
        /// Which object.
        object: u32,
        /// Which group of it.
        group: u32,
        /// Offset of its header.
        at: usize,
    },
    /// The record length of a group is 0 or not that of its kind.
    BadStride {
        /// Which object.
        object: u32,
        /// Which group of it.
        group: u32,
        /// Record length in words as found.
        ilen: u8,
        /// Offset of the length in its header.
        at: usize,
    },
    /// The flags of a group name no kind.
    UnknownKind {
        /// Which object.
        object: u32,
        /// Which group of it.
        group: u32,
        /// The flags found.
        flags: u16,
        /// Offset of the flags in its header.
        at: usize,
    },
    /// The records of a group, footer included, go beyond the end.
    GroupOverrun {
        /// Which object.
        object: u32,
        /// Which group of it.
        group: u32,
        /// Offset of its header.
        at: usize,
    },
    /// A vertex or normal index is no multiple of 8 or beyond its pool.
    BadIndex {
        /// Which object.
        object: u32,
        /// Which group of it.
        group: u32,
        /// Which primitive of the group.
        prim: u32,
        /// Offset of the index.
        at: usize,
    },
    /// The counts of the groups do not add up to the count of the object.
    CountMismatch {
        /// Which object.
        object: u32,
        /// The object's count.
        expected: u32,
        /// The sum of its groups.
        found: u32,
    },
    /// The output slice of the writer is too short.
    Full(Full),
}

impl From<Full> for Error {
    fn from(full: Full) -> Self {
        Self::Full(full)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Truncated { len } => {
                write!(
                    f,
                    "Truncated: {len} bytes are too short for the 12-byte TMD header"
                )
            }
            Self::BadMagic { found } => {
                write!(f, "BadMagic: first word {found:08X}, expected {MAGIC:08X}")
            }
            Self::AbsolutePointers => {
                f.write_str("AbsolutePointers: bit 31 of the first word is clear")
            }
            Self::AlreadyRelocated { flags } => {
                write!(f, "AlreadyRelocated: flags word {flags:08X}, expected 0")
            }
            Self::BadObjectCount { count } => write!(
                f,
                "BadObjectCount: {count} objects do not fit the data or the limit of {MAX_OBJECTS}"
            ),
            Self::PoolOutOfRange { object, at } => write!(
                f,
                "PoolOutOfRange at offset {at:#x}: vertices or normals of object {object} leave the \
                 data or number more than {MAX_VECTORS}"
            ),
            Self::PrimSectionOutOfRange { object } => write!(
                f,
                "PrimSectionOutOfRange: primitives of object {object} begin outside the data, \
                 unaligned, or in another object's section"
            ),
            Self::TruncatedGroup { object, group, at } => write!(
                f,
                "TruncatedGroup at offset {at:#x}: object {object}, group {group}: the data ends \
                 before a terminator"
            ),
            Self::BadStride {
                object,
                group,
                ilen,
                at,
            } => write!(
                f,
                "BadStride at offset {at:#x}: object {object}, group {group}: record length of \
                 {ilen} words"
            ),
            Self::UnknownKind {
                object,
                group,
                flags,
                at,
            } => write!(
                f,
                "UnknownKind at offset {at:#x}: object {object}, group {group}: flags {flags:04X}"
            ),
            Self::GroupOverrun { object, group, at } => write!(
                f,
                "GroupOverrun at offset {at:#x}: object {object}, group {group}: records and \
                 footer leave the data"
            ),
            Self::BadIndex {
                object,
                group,
                prim,
                at,
            } => write!(
                f,
                "BadIndex at offset {at:#x}: object {object}, group {group}, primitive {prim}: a \
                 vertex or normal index is unaligned or beyond its pool"
            ),
            Self::CountMismatch {
                object,
                expected,
                found,
            } => write!(
                f,
                "CountMismatch: object {object} announces {expected} primitives, its groups hold \
                 {found}"
            ),
            Self::Full(full) => write!(f, "Full: {full}"),
        }
    }
}

impl core::error::Error for Error {}

/// A mesh of rigid objects. Object `i` is posed by part `i` of a clip.
#[derive(Clone, Copy, Debug)]
pub struct Tmd<'a> {
    data: &'a [u8],
    objects: u32,
}

/// One object of a [`Tmd`].
#[derive(Clone, Copy, Debug)]
pub struct Object<'a> {
    vertices: &'a [u8],
    normals: &'a [u8],
    primitives: &'a [u8],
    count: u32,
}

/// Primitives of one kind.
#[derive(Clone, Copy, Debug)]
pub struct Group<'a> {
    /// What they are.
    pub kind: Kind,
    /// The flags word as stored; its low bit means nothing.
    pub flags: u16,
    /// GP0 command to emit: its low two bits are the style, the rest follows from the kind.
    pub mode: u8,
    /// Length of a record in bytes; at least what the kind needs, a multiple of four.
    pub stride: usize,
    /// The records, one after the other, without the footer.
    pub records: &'a [u8],
}

/// A group as drawing takes it: see [`Object::raw_groups`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawGroup<'a> {
    pub(crate) kind: Kind,
    pub(crate) mode: u8,
    /// Length of a record in words.
    pub(crate) stride: usize,
    /// How many primitives there are.
    pub(crate) count: usize,
    pub(crate) records: &'a [u32],
}

impl<'a> Tmd<'a> {
    /// Whether `data` begins with the magic. Members of a pack that do not are to be skipped; their
    /// slots count (disc sheet, section 7).
    #[must_use]
    pub fn is_tmd(data: &[u8]) -> bool {
        u32_at(data, 0) == Some(MAGIC)
    }

    /// Read a mesh and check all of it.
    ///
    /// # Errors
    /// All of [`Error`] but `Full`.
    pub fn parse(data: &'a [u8]) -> Result<Self, Error> {
        Self::parse_with(data, true)
    }

    /// As [`Tmd::parse`], but records may be longer than their kind needs and the primitive
    /// count of an object is not compared (sheet, section 6).
    ///
    /// # Errors
    /// All of [`Error`] but `CountMismatch` and `Full`.
    pub fn parse_lenient(data: &'a [u8]) -> Result<Self, Error> {
        Self::parse_with(data, false)
    }

    fn parse_with(data: &'a [u8], strict: bool) -> Result<Self, Error> {
        let word = |offset| u32_at(data, offset).ok_or(Error::Truncated { len: data.len() });
        let (magic, flags, objects) = (word(0)?, word(4)?, word(8)?);
        if magic == MAGIC & !(1 << 31) {
            return Err(Error::AbsolutePointers);
        }
        if magic != MAGIC {
            return Err(Error::BadMagic { found: magic });
        }
        if flags != 0 {
            return Err(Error::AlreadyRelocated { flags });
        }
        let table = data.len().saturating_sub(HEADER) / RECORD;
        if objects == 0 || objects > MAX_OBJECTS || objects as usize > table {
            return Err(Error::BadObjectCount { count: objects });
        }
        let tmd = Self { data, objects };
        // Sections that overlap would multiply the work that the file's size promises.
        let mut left = data.len();
        for index in 0..objects {
            let object = tmd.read_object(index)?;
            let section = object.check(index, data.len(), strict)?;
            left = left
                .checked_sub(section)
                .ok_or(Error::PrimSectionOutOfRange { object: index })?;
        }
        Ok(tmd)
    }

    /// The mesh with its first `most` objects only, at least one: what the game does to party field
    /// meshes after the load, with [`PARTY_PARTS`] (section 1).
    #[must_use]
    pub const fn capped(self, most: usize) -> Self {
        let most = if most == 0 { 1 } else { most };
        let objects = if most < self.objects as usize {
            most as u32
        } else {
            self.objects
        };
        Self { objects, ..self }
    }

    /// The mesh as the clips of `bank` drive it: one of [`PARTY_OBJECTS`] objects is capped to
    /// [`PARTY_PARTS`] when every clip has that many parts, any other stays.
    ///
    /// The game knows its party meshes by where it loads them from; here the bank has to tell.
    #[must_use]
    pub fn driven_by(self, bank: &Bank<'_>) -> Self {
        let party = |clip: Clip<'_>| usize::from(clip.parts()) == PARTY_PARTS;
        if self.len() == PARTY_OBJECTS && bank.clips().all(party) {
            self.capped(PARTY_PARTS)
        } else {
            self
        }
    }

    /// How many objects there are, 1..=[`MAX_OBJECTS`].
    #[must_use]
    pub fn len(&self) -> usize {
        self.objects as usize
    }

    /// Bytes from the magic to the end of the last pool or primitive section; more may follow in a file.
    #[must_use]
    pub fn size(&self) -> usize {
        let table = HEADER + RECORD * self.len();
        let end = |object: Object<'_>, place: usize| {
            let word = |at| u32_at(self.data, place + at).unwrap_or(0) as usize;
            let pool =
                |at, bytes: &[u8]| HEADER.saturating_add(word(at)).saturating_add(bytes.len());
            let section = self.data.len().saturating_sub(object.primitives.len());
            let vertices = pool(0, object.vertices);
            let normals = pool(8, object.normals);
            vertices.max(normals).max(section + object.section())
        };
        let places = (HEADER..table).step_by(RECORD);
        let ends = self.objects().zip(places).map(|(it, place)| end(it, place));
        ends.fold(table, usize::max)
    }

    /// Never: a mesh without objects is refused.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.objects == 0
    }

    /// Object `index`, if there is one.
    #[must_use]
    pub fn object(&self, index: usize) -> Option<Object<'a>> {
        let index = u32::try_from(index).ok().filter(|&i| i < self.objects)?;
        self.read_object(index).ok()
    }

    /// All objects in order.
    pub fn objects(&self) -> impl Iterator<Item = Object<'a>> + use<'a> {
        let tmd = *self;
        (0..tmd.objects).filter_map(move |index| tmd.read_object(index).ok())
    }

    fn read_object(&self, object: u32) -> Result<Object<'a>, Error> {
        let place = HEADER + RECORD * object as usize;
        let record = slice_at(self.data, place, RECORD).ok_or(Error::BadObjectCount {
            count: self.objects,
        })?;
        let word = |offset| u32_at(record, offset).unwrap_or(0);
        let pool = |at: usize| {
            let (top, count) = (word(at), word(at + 4));
            let fits = count <= MAX_VECTORS;
            let begin = HEADER.checked_add(top as usize).filter(|_| fits);
            begin
                .and_then(|begin| slice_at(self.data, begin, count as usize * 8))
                .ok_or(Error::PoolOutOfRange {
                    object,
                    at: place + at,
                })
        };
        let vertices = pool(0)?;
        let normals = pool(8)?;
        let top = word(16) as usize;
        let primitives = HEADER
            .checked_add(top)
            .filter(|_| top.is_multiple_of(4))
            .and_then(|begin| self.data.get(begin..))
            .filter(|section| !section.is_empty())
            .ok_or(Error::PrimSectionOutOfRange { object })?;
        Ok(Object {
            vertices,
            normals,
            primitives,
            count: word(20),
        })
    }
}

impl<'a> Object<'a> {
    /// The vertex pool: 8 bytes a vector.
    #[inline]
    #[must_use]
    pub fn vertex_bytes(&self) -> &'a [u8] {
        self.vertices
    }

    /// The vertex pool as words, in place.
    ///
    /// # Errors
    /// [`Misaligned`] when it does not lie on a word boundary.
    #[inline]
    pub fn raw_vertices(&self) -> Result<&'a [RawVertex], Misaligned> {
        words(self.vertices)
    }

    /// The normal pool as words, in place.
    ///
    /// # Errors
    /// [`Misaligned`] when it does not lie on a word boundary.
    #[inline]
    pub fn raw_normals(&self) -> Result<&'a [RawVertex], Misaligned> {
        words(self.normals)
    }

    /// The vertices.
    pub fn vertices(&self) -> impl ExactSizeIterator<Item = SVector> + use<'a> {
        self.vertices.chunks_exact(8).map(vector)
    }

    /// The normals.
    pub fn normals(&self) -> impl ExactSizeIterator<Item = SVector> + use<'a> {
        self.normals.chunks_exact(8).map(vector)
    }

    /// How many primitives the object announces.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.count
    }

    /// The groups in order, up to the terminator.
    #[inline]
    pub fn groups(&self) -> impl Iterator<Item = Group<'a>> + use<'a> {
        let mut rest = self.primitives;
        core::iter::from_fn(move || {
            let header = Header::read(rest)?;
            let group = header.group(rest)?;
            rest = rest.get(header.end()?..)?;
            Some(group)
        })
    }

    /// `Err` if there is a group.
    #[cold]
    #[inline(never)]
    fn no_groups(&self, place: Misaligned) -> Result<(), Misaligned> {
        self.groups().next().map_or(Ok(()), |_| Err(place))
    }

    /// The groups as words, in place.
    ///
    /// # Errors
    /// [`Misaligned`] when there are any and they do not lie on a word boundary.
    #[inline]
    pub(crate) fn raw_groups(
        &self,
    ) -> Result<impl Iterator<Item = RawGroup<'a>> + use<'a>, Misaligned> {
        let section = match words::<1>(self.primitives) {
            Ok(section) => section.as_flattened(),
            Err(place) => {
                self.no_groups(place)?;
                &[]
            }
        };
        let mut rest = section;
        Ok(core::iter::from_fn(move || {
            let (&[kind, lengths], records) = rest.split_first_chunk()?;
            if kind == 0 {
                return None;
            }
            let count = usize::from(kind as u16);
            let stride = usize::from((lengths >> 8) as u8);
            // The slot of the footer is one more record.
            let (records, next) = records.split_at_checked(count * stride)?;
            rest = next.get(stride..)?;
            Some(RawGroup {
                kind: Kind::from_flags((kind >> 16) as u16)?,
                mode: (lengths >> 24) as u8,
                stride,
                count,
                records,
            })
        }))
    }

    /// Length of the primitive section in bytes, with its terminator.
    fn section(&self) -> usize {
        // The slot of the footer is one more record.
        let group = |it: Group<'_>| GROUP + it.records.len() + it.stride;
        self.groups().map(group).sum::<usize>() + 4
    }

    /// Check the primitive section, which goes on to the end of a file of `len` bytes; `object` is
    /// for the errors. Answers its length in bytes.
    fn check(&self, object: u32, len: usize, strict: bool) -> Result<usize, Error> {
        let mut rest = self.primitives;
        let mut found = 0u32;
        for group in 0.. {
            if u32_at(rest, 0) == Some(0) {
                break;
            }
            let at = len.saturating_sub(rest.len());
            let header = Header::read(rest).ok_or(Error::TruncatedGroup { object, group, at })?;
            let bad_stride = Error::BadStride {
                object,
                group,
                ilen: header.ilen,
                at: at + Header::ILEN,
            };
            if header.ilen == 0 {
                return Err(bad_stride);
            }
            let flags = header.flags;
            let kind = Kind::from_flags(flags).ok_or(Error::UnknownKind {
                object,
                group,
                flags,
                at: at + Header::FLAGS,
            })?;
            let needed = kind.layout().stride;
            let stride = usize::from(header.ilen) * 4;
            if stride < needed || (strict && stride != needed) {
                return Err(bad_stride);
            }
            let overrun = Error::GroupOverrun { object, group, at };
            let end = header.end().ok_or(overrun)?;
            let next = rest.get(end..).ok_or(overrun)?;
            let records = header.group(rest).ok_or(overrun)?.records;
            for (prim, record) in (0..).zip(records.chunks_exact(stride)) {
                if let Some(offset) = self.bad_index(record, kind.layout()) {
                    return Err(Error::BadIndex {
                        object,
                        group,
                        prim,
                        at: at + GROUP + stride * prim as usize + offset,
                    });
                }
            }
            found = found.wrapping_add(u32::from(header.count));
            rest = next;
        }
        if strict && found != self.count {
            return Err(Error::CountMismatch {
                object,
                expected: self.count,
                found,
            });
        }
        Ok(self.primitives.len().saturating_sub(rest.len()) + 4)
    }

    /// Offset in the record of the first index that is unaligned or beyond its pool.
    fn bad_index(&self, record: &[u8], layout: &Layout) -> Option<usize> {
        let bad = |offset: usize, count: usize, pool: &[u8]| {
            (0..count).map(|n| offset + 2 * n).find(|&at| {
                u16_at(record, at)
                    .map(usize::from)
                    .is_none_or(|index| index % 8 != 0 || index >= pool.len())
            })
        };
        bad(layout.vertices, layout.corners, self.vertices)
            .or_else(|| bad(layout.normals, layout.normal_count, self.normals))
    }
}

/// A group header.
struct Header {
    count: u16,
    flags: u16,
    ilen: u8,
    mode: u8,
}

impl Header {
    /// Offset of the flags.
    const FLAGS: usize = 2;
    /// Offset of the record length.
    const ILEN: usize = 5;

    /// `None` at the terminator and where the data ends.
    #[inline]
    fn read(section: &[u8]) -> Option<Self> {
        let &[c0, c1, f0, f1, _olen, ilen, _sdk, mode] = section.first_chunk()?;
        let (count, flags) = (u16::from_le_bytes([c0, c1]), u16::from_le_bytes([f0, f1]));
        (count != 0 || flags != 0).then_some(Self {
            count,
            flags,
            ilen,
            mode,
        })
    }

    /// Offset of the next header: header, records and the footer slot lie before it.
    #[inline]
    fn end(&self) -> Option<usize> {
        let slots = usize::from(self.count) + 1;
        slots
            .checked_mul(usize::from(self.ilen) * 4)?
            .checked_add(GROUP)
    }

    #[inline]
    fn group<'a>(&self, section: &'a [u8]) -> Option<Group<'a>> {
        let stride = usize::from(self.ilen) * 4;
        Some(Group {
            kind: Kind::from_flags(self.flags)?,
            flags: self.flags,
            mode: self.mode,
            stride,
            records: slice_at(section, GROUP, usize::from(self.count) * stride)?,
        })
    }
}

impl<'a> Group<'a> {
    /// The primitives, field by field.
    pub fn primitives(&self) -> impl Iterator<Item = Primitive> + use<'a> {
        let layout = self.kind.layout();
        self.records
            .chunks_exact(self.stride.max(1))
            .map(|record| layout.read(record))
    }
}

/// One primitive, field by field; a field its kind lacks is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Primitive {
    /// Colour words `00BBGGRR` (one for flat kinds, one a corner for gouraud kinds); the code
    /// byte of the first is kept as stored.
    pub colours: [u32; 4],
    /// Texture coordinates, u in the low byte.
    pub uv: [u16; 4],
    /// CLUT attribute.
    pub clut: u16,
    /// Page attribute.
    pub page: u16,
    /// Vertex numbers, not byte offsets.
    pub vertices: [u16; 4],
    /// Normal numbers (one for flat lit kinds, one a corner for gouraud lit kinds).
    pub normals: [u16; 4],
}

/// Eight bytes of a pool.
#[inline]
fn vector(bytes: &[u8]) -> SVector {
    match bytes.first_chunk() {
        Some(&[x0, x1, y0, y1, z0, z1, p0, p1]) => SVector {
            x: i16::from_le_bytes([x0, x1]),
            y: i16::from_le_bytes([y0, y1]),
            z: i16::from_le_bytes([z0, z1]),
            pad: i16::from_le_bytes([p0, p1]),
        },
        None => SVector::default(),
    }
}
