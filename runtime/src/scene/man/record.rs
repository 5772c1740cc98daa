//! The three forms of script records (MAN sheet, section 2).

use super::Error;
use crate::bytes::u8_at;

/// The three partitions of the record table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Partition {
    /// Partition 0: doors, chests, props.
    Object = 0,
    /// Partition 1: actors.
    Actor = 1,
    /// Partition 2: named beats and cutscenes.
    Beat = 2,
}

impl Partition {
    /// In the order of the table.
    pub const ALL: [Self; 3] = [Self::Object, Self::Actor, Self::Beat];
}

/// The script of a record. Its program counter counts from the start of the record, header
/// included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Script<'a> {
    /// The flat number of its record.
    pub flat: u32,
    /// Offset of the record in the MAN.
    pub offset: usize,
    /// The whole record: what the program counter indexes.
    pub base: &'a [u8],
    /// The first opcode; always inside [`Script::base`].
    pub pc0: u16,
}

impl<'a> Script<'a> {
    /// The bytes from the first opcode on; never empty.
    #[must_use]
    pub fn code(&self) -> &'a [u8] {
        self.base.get(self.pc0.into()..).unwrap_or_default()
    }

    /// The first opcode.
    #[must_use]
    pub fn first(&self) -> u8 {
        u8_at(self.base, self.pc0.into()).unwrap_or(0)
    }

    /// Whether the leading ops are run when the scene installs the record: the first opcode is `24`
    /// or `25`.
    #[must_use]
    pub fn has_prologue(&self) -> bool {
        matches!(self.first(), 0x24 | 0x25)
    }
}

/// A record of any partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Record<'a> {
    /// Of partition 0.
    Object(ObjectRecord<'a>),
    /// Of partition 1.
    Actor(ActorRecord<'a>),
    /// Of partition 2.
    Beat(BeatRecord<'a>),
}

impl<'a> Record<'a> {
    /// The script.
    #[must_use]
    pub const fn script(&self) -> Script<'a> {
        match self {
            Self::Object(record) => record.script,
            Self::Actor(record) => record.script,
            Self::Beat(record) => record.script,
        }
    }

    /// Which partition it is of.
    #[must_use]
    pub const fn partition(&self) -> Partition {
        match self {
            Self::Object(_) => Partition::Object,
            Self::Actor(_) => Partition::Actor,
            Self::Beat(_) => Partition::Beat,
        }
    }
}

/// A record of partition 0, bound to a map object by a script trigger on its anchor tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObjectRecord<'a> {
    /// Its place in the partition.
    pub index: u16,
    /// Shift-JIS name, two bytes a character.
    pub label: &'a [u8],
    /// Scene clip, one-based; 0 for none.
    pub animation: u8,
    /// Its passes are delimited by opcode `21`.
    pub script: Script<'a>,
}

/// What an actor looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// A mesh of the scene's pack, below F0h.
    Scene(u8),
    /// A resident mesh, 0..15: Vahn, Noa, Gala, save point, and so on. Its clips are in the party's
    /// bank.
    Resident(u8),
}

impl Model {
    /// From the byte of the record.
    #[must_use]
    pub const fn from_byte(byte: u8) -> Self {
        match byte {
            0xF0.. => Self::Resident(byte - 0xF0),
            _ => Self::Scene(byte),
        }
    }

    /// Slot of the mesh pool: resident meshes first, then those of the scene.
    #[must_use]
    pub const fn pool_slot(self) -> u16 {
        match self {
            Self::Scene(mesh) => mesh as u16 + 5,
            Self::Resident(slot) => slot as u16,
        }
    }
}

pub use crate::field::units::coordinate;

/// A record of partition 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActorRecord<'a> {
    /// Its place in the partition; the one at 0 is the entry script, not an actor.
    pub index: u16,
    /// Locals or name, units of two bytes.
    pub label: &'a [u8],
    /// The byte of [`ActorRecord::look`].
    pub model: u8,
    /// Clip, one-based; 0 for none. Of the party's bank for resident models, else of the scene's.
    pub animation: u8,
    /// X and Z as tile bytes: see [`coordinate`].
    pub tile: [u8; 2],
    /// There is no facing byte: the prologue sets it.
    pub script: Script<'a>,
}

impl ActorRecord<'_> {
    /// What it looks like.
    #[must_use]
    pub const fn look(&self) -> Model {
        Model::from_byte(self.model)
    }

    /// World X and Z.
    #[must_use]
    pub fn position(&self) -> [i16; 2] {
        self.tile.map(coordinate)
    }

    /// Whether it waits off the field, on column and row 127.
    #[must_use]
    pub fn is_parked(&self) -> bool {
        self.tile.iter().all(|byte| byte & 0x7F == 0x7F)
    }
}

/// A record of partition 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BeatRecord<'a> {
    /// Its place in the partition.
    pub index: u16,
    /// Shift-JIS name, two bytes a character.
    pub label: &'a [u8],
    /// C0: bytes that nothing reads.
    pub c0: &'a [u8],
    /// C1: flags that must all be clear.
    pub c1: FlagList<'a>,
    /// C2: flags that must all be set.
    pub c2: FlagList<'a>,
    /// It has no end opcode: it parks in a jump to itself.
    pub script: Script<'a>,
}

impl BeatRecord<'_> {
    /// Whether the beat may start: no flag of C1 is set, and every flag of C2. `set` tells whether a
    /// system flag is set; see [`flag_is_set`].
    #[must_use]
    pub fn may_start(&self, mut set: impl FnMut(u16) -> bool) -> bool {
        !self.c1.iter().any(&mut set) && self.c2.iter().all(set)
    }
}

/// Whether flag `flag` of a bank of system flags is set: the highest bit of each byte is the first.
/// Flags past the bank are clear.
#[must_use]
pub fn flag_is_set(bank: &[u8], flag: u16) -> bool {
    u8_at(bank, usize::from(flag >> 3)).is_some_and(|byte| byte & (0x80 >> (flag & 7)) != 0)
}

/// A list of flag numbers, as a record stores it or as a writer has it.
#[derive(Clone, Copy, Debug)]
pub struct FlagList<'a>(List<'a>);

#[derive(Clone, Copy, Debug)]
enum List<'a> {
    /// Little-endian words.
    Stored(&'a [u8]),
    Words(&'a [u16]),
}

impl<'a> FlagList<'a> {
    /// Number of flags.
    #[must_use]
    pub const fn len(&self) -> usize {
        match self.0 {
            List::Stored(bytes) => bytes.len() / 2,
            List::Words(words) => words.len(),
        }
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The flags in order.
    pub fn iter(&self) -> impl Iterator<Item = u16> + use<'a> {
        let (stored, words): (&[u8], &[u16]) = match self.0 {
            List::Stored(bytes) => (bytes, &[]),
            List::Words(words) => (&[], words),
        };
        stored
            .chunks_exact(2)
            .filter_map(|word| Some(u16::from_le_bytes(*word.first_chunk()?)))
            .chain(words.iter().copied())
    }
}

impl Default for FlagList<'_> {
    fn default() -> Self {
        Self(List::Words(&[]))
    }
}

impl<'a> From<&'a [u16]> for FlagList<'a> {
    fn from(words: &'a [u16]) -> Self {
        Self(List::Words(words))
    }
}

impl PartialEq for FlagList<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for FlagList<'_> {}

/// Reads a record's header.
struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let taken = self.bytes.get(self.at..)?.get(..len)?;
        self.at += len;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        let byte = u8_at(self.bytes, self.at)?;
        self.at += 1;
        Some(byte)
    }

    /// A count, and as many units of `size` bytes.
    fn counted(&mut self, size: usize) -> Option<&'a [u8]> {
        let count = self.byte()?;
        self.take(usize::from(count) * size)
    }
}

/// The most bytes that a record's header can have: that of a beat with full lists.
pub(super) const LONGEST_HEADER: u32 = 1 + 2 * 255 + 1 + 255 + 2 * (1 + 2 * 255);

/// Read the record in `bytes`, which start at `offset` of the MAN.
pub(super) fn read<'a>(
    partition: Partition,
    index: u16,
    flat: u32,
    offset: usize,
    bytes: &'a [u8],
) -> Result<Record<'a>, Error> {
    let header = header(partition, index, bytes, |pc0| Script {
        flat,
        offset,
        base: bytes,
        // At most LONGEST_HEADER.
        pc0: pc0 as u16,
    });
    let record = header.ok_or(Error::RecordHeaderOverrun { flat })?;
    if usize::from(record.script().pc0) >= bytes.len() {
        return Err(Error::EmptyScript { flat });
    }
    Ok(record)
}

/// The record, unless its header passes the end.
fn header<'a>(
    partition: Partition,
    index: u16,
    bytes: &'a [u8],
    script: impl Fn(usize) -> Script<'a>,
) -> Option<Record<'a>> {
    let mut cursor = Cursor { bytes, at: 0 };
    let label = cursor.counted(2)?;
    Some(match partition {
        Partition::Object => Record::Object(ObjectRecord {
            index,
            label,
            animation: cursor.byte()?,
            script: script(cursor.at),
        }),
        Partition::Actor => Record::Actor(ActorRecord {
            index,
            label,
            model: cursor.byte()?,
            animation: cursor.byte()?,
            tile: [cursor.byte()?, cursor.byte()?],
            script: script(cursor.at),
        }),
        Partition::Beat => Record::Beat(BeatRecord {
            index,
            label,
            c0: cursor.counted(1)?,
            c1: FlagList(List::Stored(cursor.counted(2)?)),
            c2: FlagList(List::Stored(cursor.counted(2)?)),
            script: script(cursor.at),
        }),
    })
}
