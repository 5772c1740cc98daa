//! Scene bundles: a descriptor table whose members are LZS streams (disc sheet, section 7).

use crate::bytes::{Writer, u32_at};
use crate::lzs;
use core::fmt;

/// The most descriptors that are accepted; retail bundles have up to 7.
pub const MAX_MEMBERS: u32 = 32;
/// Bytes of the largest descriptor table: two words of head, two for each member.
pub const TABLE_LIMIT: usize = 8 + 8 * MAX_MEMBERS as usize;
/// The largest decoded member that is accepted, in bytes.
pub const MEMBER_LIMIT: u32 = 4 << 20;
/// The largest bundle that fits the retail buffer, in bytes.
pub const ENTRY_LIMIT: usize = 0x62C00;

/// What a member is and what is done with it.
///
/// The names are the sheet's; they come from error strings of the game and mislead for
/// [`AssetType::Move`], which is the animation bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum AssetType {
    /// One TIM picture.
    Tim = 0x00,
    /// A pack of TIM pictures.
    TimList = 0x01,
    /// A pack of TMD models.
    Tmd = 0x02,
    /// The scene script.
    Man = 0x03,
    /// Dialogue.
    Mes = 0x04,
    /// The animation bank.
    Move = 0x05,
    /// The CLUT-walk table.
    Anm = 0x06,
    /// A pack of vertex morphs.
    Vdf = 0x07,
    /// Raw.
    Sin = 0x08,
    /// One bare TMD.
    Tmd2 = 0x09,
    /// A flag; its payload is ignored.
    Flag0A = 0x0A,
    /// The second animation bank.
    Move2 = 0x0B,
    /// A flag; its payload is ignored.
    Flag0F = 0x0F,
    /// A flag; its payload is ignored.
    Flag14 = 0x14,
}

impl AssetType {
    /// Every type of the sheet's table.
    pub const ALL: [Self; 14] = [
        Self::Tim,
        Self::TimList,
        Self::Tmd,
        Self::Man,
        Self::Mes,
        Self::Move,
        Self::Anm,
        Self::Vdf,
        Self::Sin,
        Self::Tmd2,
        Self::Flag0A,
        Self::Move2,
        Self::Flag0F,
        Self::Flag14,
    ];

    /// The type of a type byte; `None` when the table has none.
    #[must_use]
    pub const fn from_byte(byte: u8) -> Option<Self> {
        Some(match byte {
            0x00 => Self::Tim,
            0x01 => Self::TimList,
            0x02 => Self::Tmd,
            0x03 => Self::Man,
            0x04 => Self::Mes,
            0x05 => Self::Move,
            0x06 => Self::Anm,
            0x07 => Self::Vdf,
            0x08 => Self::Sin,
            0x09 => Self::Tmd2,
            0x0A => Self::Flag0A,
            0x0B => Self::Move2,
            0x0F => Self::Flag0F,
            0x14 => Self::Flag14,
            _ => return None,
        })
    }

    /// The type byte.
    #[must_use]
    pub const fn byte(self) -> u8 {
        self as u8
    }

    /// The name in the sheet's table; flags are called by their byte.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tim => "TIM",
            Self::TimList => "TIM_LIST",
            Self::Tmd => "TMD",
            Self::Man => "MAN",
            Self::Mes => "MES",
            Self::Move => "MOVE",
            Self::Anm => "ANM",
            Self::Vdf => "VDF",
            Self::Sin => "SIN",
            Self::Tmd2 => "TMD2",
            Self::Flag0A => "flag 0A",
            Self::Move2 => "MOVE2",
            Self::Flag0F => "flag 0F",
            Self::Flag14 => "flag 14",
        }
    }

    /// What the dispatcher answers when it handles this type without error.
    #[must_use]
    pub const fn return_bits(self) -> u32 {
        match self {
            Self::Tim | Self::TimList => 0x01,
            Self::Tmd => 0x02,
            Self::Man => 0x04,
            Self::Mes => 0x08,
            Self::Move | Self::Move2 => 0x10,
            Self::Anm => 0x20,
            Self::Vdf => 0x40,
            Self::Sin => 0x80,
            Self::Tmd2 => 0,
            Self::Flag0A => 0xA00,
            Self::Flag0F => 0xF00,
            Self::Flag14 => 0x1400,
        }
    }

    /// Whether the payload is ignored.
    #[must_use]
    pub const fn is_flag(self) -> bool {
        matches!(self, Self::Flag0A | Self::Flag0F | Self::Flag14)
    }
}

impl fmt::Display for AssetType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What is wrong with a bundle (disc sheet, section 9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Error {
    /// The number of descriptors is 0 or above [`MAX_MEMBERS`], or the table passes the end.
    BadDescriptorCount {
        /// The number found.
        count: u32,
    },
    /// The first member does not start right after the table, or a member starts inside the table
    /// or past the end of the entry.
    BadDescriptorOffset {
        /// The descriptor.
        index: u8,
    },
    /// The type byte is not in the table.
    UnknownType {
        /// The descriptor.
        index: u8,
        /// The type byte found.
        ty: u8,
    },
    /// The decoded size is above [`MEMBER_LIMIT`].
    SizeLimit {
        /// The descriptor.
        index: u8,
    },
    /// The bundle is larger than [`ENTRY_LIMIT`] (writer).
    EntryTooLarge {
        /// Its size in bytes.
        size: usize,
    },
    /// The writer's slice is full.
    OutputTooSmall {
        /// The member that did not fit.
        index: u8,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::BadDescriptorCount { count } => write!(
                f,
                "BadDescriptorCount: expected 1 to {MAX_MEMBERS} descriptors inside the \
                 entry, found {count}"
            ),
            Self::BadDescriptorOffset { index } => {
                write!(
                    f,
                    "BadDescriptorOffset: descriptor {index} points into the table, not right \
                     behind it, or past the end of the bundle"
                )
            }
            Self::UnknownType { index, ty } => {
                write!(
                    f,
                    "UnknownType: descriptor {index} has type {ty:02X}, which the table lacks"
                )
            }
            Self::SizeLimit { index } => write!(
                f,
                "SizeLimit: member {index} would unpack to more than {MEMBER_LIMIT} bytes"
            ),
            Self::EntryTooLarge { size } => {
                write!(
                    f,
                    "EntryTooLarge: expected at most {ENTRY_LIMIT} bytes, the console's buffer, \
                     found {size}"
                )
            }
            Self::OutputTooSmall { index } => {
                write!(f, "OutputTooSmall: no room for bundle member {index}")
            }
        }
    }
}

impl core::error::Error for Error {}

/// Whether a decoded member is a placeholder: empty, or a count of 0 and nothing else. Scenes without
/// an asset carry such a member in its stead.
#[must_use]
pub fn is_placeholder(decoded: &[u8]) -> bool {
    decoded.len() <= 8 && decoded.iter().all(|&byte| byte == 0)
}

/// One member, still packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member<'a> {
    /// Position of its descriptor.
    pub index: u8,
    /// What it is.
    pub ty: AssetType,
    /// Decoded size in bytes, up to [`MEMBER_LIMIT`].
    pub size: u32,
    /// Its LZS stream, and whatever lies between it and the next member.
    pub data: &'a [u8],
}

impl Member<'_> {
    /// Decode the member to the start of `out`; its decoded size.
    ///
    /// # Errors
    /// [`lzs::Error::OutputTooSmall`] when `out` is shorter than the member, the `Truncated`
    /// errors when the stream runs into the next member.
    pub fn decode(&self, out: &mut [u8]) -> Result<usize, lzs::Error> {
        let size = self.size as usize;
        lzs::decode_sized(self.data, size, out)?;
        Ok(size)
    }
}

/// Where one member lies in its bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Position of its descriptor.
    pub index: u8,
    /// What it is.
    pub ty: AssetType,
    /// Decoded size in bytes, up to [`MEMBER_LIMIT`].
    pub size: u32,
    /// First byte of its stream, from the start of the bundle.
    pub start: u32,
    /// First byte behind its data: where the next member starts, or the end of the bundle. Above
    /// `start`. Two places share either all of their bytes or none.
    pub end: u32,
}

/// The descriptor table of a bundle, known to be good. It needs the first [`TABLE_LIMIT`] bytes of
/// the bundle only, so that members can be unpacked while the rest is on its way.
#[derive(Clone, Copy, Debug)]
pub struct Table<'a> {
    head: &'a [u8],
    size: u32,
    count: u8,
}

impl<'a> Table<'a> {
    /// Read the table of a bundle of `size` bytes that begins with `head`: all of it, or at least
    /// [`TABLE_LIMIT`] bytes.
    ///
    /// # Errors
    /// As [`Bundle::parse`].
    pub fn parse(head: &'a [u8], size: u32) -> Result<Self, Error> {
        let head = head.get(..size as usize).unwrap_or(head);
        let count = u32_at(head, 0).unwrap_or(0);
        let table = 8 + 8 * u64::from(count);
        if count == 0 || count > MAX_MEMBERS || table > head.len() as u64 {
            return Err(Error::BadDescriptorCount { count });
        }
        let found = Self {
            head,
            size,
            count: count as u8,
        };
        for index in 0..found.count {
            let (type_size, offset) = found.descriptor(index);
            let ty = (type_size >> 24) as u8;
            let inside = u64::from(offset) >= table && offset < size;
            let first = index != 0 || u64::from(offset) == table;
            if !inside || !first || offset >= 1 << 24 {
                return Err(Error::BadDescriptorOffset { index });
            }
            if AssetType::from_byte(ty).is_none() {
                return Err(Error::UnknownType { index, ty });
            }
            if type_size & 0x00FF_FFFF > MEMBER_LIMIT {
                return Err(Error::SizeLimit { index });
            }
        }
        Ok(found)
    }

    /// Size word and offset of a descriptor; zeros past the table.
    fn descriptor(&self, index: u8) -> (u32, u32) {
        let at = 8 + 8 * usize::from(index);
        let word = |at| u32_at(self.head, at).unwrap_or(0);
        (word(at), word(at + 4))
    }

    /// The place of descriptor `index`.
    #[must_use]
    pub fn place(&self, index: usize) -> Option<Place> {
        let index = u8::try_from(index).ok().filter(|&i| i < self.count)?;
        let (type_size, start) = self.descriptor(index);
        // Offsets need not ascend: the next member is the one with the next larger offset.
        let end = (0..self.count)
            .map(|other| self.descriptor(other).1)
            .filter(|&other| other > start)
            .min()
            .unwrap_or(self.size);
        Some(Place {
            index,
            ty: AssetType::from_byte((type_size >> 24) as u8)?,
            size: type_size & 0x00FF_FFFF,
            start,
            end,
        })
    }

    /// All places in the order of their descriptors, 1 to [`MAX_MEMBERS`].
    pub fn places(&self) -> impl Iterator<Item = Place> + use<'a> {
        let table = *self;
        (0..usize::from(table.count)).filter_map(move |index| table.place(index))
    }
}

/// A bundle whose table is known to be good.
#[derive(Clone, Copy, Debug)]
pub struct Bundle<'a> {
    data: &'a [u8],
    table: Table<'a>,
}

impl<'a> Bundle<'a> {
    /// Read a bundle entry; what follows the last stream (padding to whole sectors) is part of
    /// the last member's data.
    ///
    /// # Errors
    /// [`Error::BadDescriptorCount`], [`Error::BadDescriptorOffset`], [`Error::UnknownType`],
    /// [`Error::SizeLimit`].
    pub fn parse(data: &'a [u8]) -> Result<Self, Error> {
        // Offsets have 24 bits: nothing is lost where a slice is longer than 32 bits can say.
        let size = u32::try_from(data.len()).unwrap_or(u32::MAX);
        let table = Table::parse(data, size)?;
        Ok(Self { data, table })
    }

    /// Number of members, 1 to [`MAX_MEMBERS`].
    #[must_use]
    pub const fn len(&self) -> usize {
        self.table.count as usize
    }

    /// Never true: a bundle without members does not parse.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.table.count == 0
    }

    /// The member of descriptor `index`.
    #[must_use]
    pub fn member(&self, index: usize) -> Option<Member<'a>> {
        let place = self.table.place(index)?;
        Some(Member {
            index: place.index,
            ty: place.ty,
            size: place.size,
            data: self.data.get(place.start as usize..place.end as usize)?,
        })
    }

    /// All members in the order of their descriptors.
    pub fn members(&self) -> impl Iterator<Item = Member<'a>> + 'a {
        let bundle = *self;
        (0..self.len()).filter_map(move |index| bundle.member(index))
    }

    /// The first member of this type: the only right way to look for one (the slot differs from
    /// scene to scene).
    #[must_use]
    pub fn find(&self, ty: AssetType) -> Option<Member<'a>> {
        self.members().find(|member| member.ty == ty)
    }
}

/// A member to be written, already packed.
#[derive(Clone, Copy, Debug)]
pub struct Packed<'a> {
    /// What it is.
    pub ty: AssetType,
    /// Decoded size in bytes.
    pub size: u32,
    /// Its LZS stream.
    pub stream: &'a [u8],
}

/// Write a bundle of packed members; the number of bytes. Streams start at multiples of 4, with
/// zero bytes between them; nothing follows the last.
///
/// # Errors
/// [`Error::BadDescriptorCount`], [`Error::SizeLimit`], [`Error::EntryTooLarge`],
/// [`Error::OutputTooSmall`]; [`Error::BadDescriptorOffset`] for an empty stream, which no reader
/// could tell from an offset past the end.
pub fn emit(members: &[Packed<'_>], out: &mut [u8]) -> Result<usize, Error> {
    let types = members.iter().map(|member| (member.ty, member.size));
    write(members.len(), types, out, |index, place| {
        let member = usize::from(index);
        let stream = members.get(member).map_or(&[][..], |m| m.stream);
        let place = place.get_mut(..stream.len());
        place
            .ok_or(Error::OutputTooSmall { index })?
            .copy_from_slice(stream);
        Ok(stream.len())
    })
}

/// Pack and write a bundle of these members, given decoded; the number of bytes. As [`emit`].
///
/// # Errors
/// As [`emit`].
pub fn emit_decoded(
    members: &[(AssetType, &[u8])],
    out: &mut [u8],
    scratch: &mut lzs::Scratch,
) -> Result<usize, Error> {
    let size = |data: &[u8]| u32::try_from(data.len()).unwrap_or(u32::MAX);
    let types = members.iter().map(|&(ty, data)| (ty, size(data)));
    write(members.len(), types, out, |index, place| {
        let data = members.get(usize::from(index)).map_or(&[][..], |m| m.1);
        lzs::encode(data, place, scratch).map_err(|_| Error::OutputTooSmall { index })
    })
}

/// The shape that both writers share: `stream` writes one stream into the room that is left.
fn write(
    count: usize,
    types: impl Iterator<Item = (AssetType, u32)>,
    out: &mut [u8],
    mut stream: impl FnMut(u8, &mut [u8]) -> Result<usize, Error>,
) -> Result<usize, Error> {
    let count = u32::try_from(count).unwrap_or(u32::MAX);
    if count == 0 || count > MAX_MEMBERS {
        return Err(Error::BadDescriptorCount { count });
    }
    let full = |index| move |_| Error::OutputTooSmall { index };
    let mut out = Writer::new(out);
    out.u32(count).map_err(full(0))?;
    out.u32(0).map_err(full(0))?;
    for (index, (ty, size)) in (0..).zip(types) {
        if size > MEMBER_LIMIT {
            return Err(Error::SizeLimit { index });
        }
        let type_size = u32::from(ty.byte()) << 24 | size;
        out.u32(type_size).map_err(full(index))?;
        out.u32(0).map_err(full(index))?;
    }
    for index in 0..count as u8 {
        out.align(4).map_err(full(index))?;
        let offset = out.position();
        let length = stream(index, out.rest())?;
        if length == 0 {
            return Err(Error::BadDescriptorOffset { index });
        }
        out.claim(length).map_err(full(index))?;
        let size = out.position();
        if size > ENTRY_LIMIT {
            return Err(Error::EntryTooLarge { size });
        }
        out.patch_u32(12 + 8 * usize::from(index), offset as u32)
            .map_err(full(index))?;
    }
    Ok(out.finish())
}
