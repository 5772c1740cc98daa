//! What is wrong with a file, for people: the sheet's name of the error, where, and the sentence.

use std::fmt::{self, Debug, Display};
use std::mem::discriminant;
use std::ops::ControlFlow;

use overworld_runtime::anim::{ff8, legaia};
use overworld_runtime::bytes::u32_at;
use overworld_runtime::disc::{bundle, chunk, pack};
use overworld_runtime::field::map;
use overworld_runtime::lzs;
use overworld_runtime::model::{tim, tmd};
use overworld_runtime::scene::man;

/// An error with its name and place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The sheet's name: `BadMarker`, `TruncatedBackref` ...
    pub name: String,
    /// Byte of the file where the fault lies, if the error tells.
    pub offset: Option<u64>,
    /// The sentence, with what was expected and found; without the name.
    pub text: String,
}

impl Fault {
    /// Describe an error of the runtime.
    ///
    /// The name is that of the `enum`'s variant, which is the sheet's; a sentence that begins with it,
    /// or with it and the place, loses both.
    pub fn new(error: &(impl Debug + Display), offset: Option<usize>) -> Self {
        let variant = format!("{error:?}");
        let end = variant.find(|c: char| !c.is_ascii_alphanumeric());
        let name = variant.get(..end.unwrap_or(variant.len()));
        let name = name.unwrap_or_default().to_owned();
        let sentence = error.to_string();
        // Some sentences name the place, too.
        let place = offset.map(|offset| format!(" at offset {offset:#x}"));
        let text = sentence
            .strip_prefix(&name)
            .map(|rest| {
                let place = place.as_deref().unwrap_or_default();
                rest.strip_prefix(place).unwrap_or(rest)
            })
            .and_then(|rest| rest.strip_prefix(": "))
            .unwrap_or(&sentence)
            .to_owned();
        Self {
            name,
            offset: offset.map(|offset| offset as u64),
            text,
        }
    }

    /// The same fault in a file that holds this one's from `by` on.
    #[must_use]
    pub fn moved(mut self, by: usize) -> Self {
        self.offset = self.offset.map(|offset| offset + by as u64);
        self
    }
}

impl Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.offset {
            Some(offset) => write!(f, "{} at offset {offset:#x}: {}", self.name, self.text),
            None => write!(f, "{}: {}", self.name, self.text),
        }
    }
}

impl std::error::Error for Fault {}

/// Where a word of a table lies that says where something begins.
fn pointed(data: &[u8], at: usize) -> Option<usize> {
    let offset = u32_at(data, at)? as usize;
    (offset < data.len()).then_some(offset)
}

/// A fault of an animation bank.
#[must_use]
pub fn bank(data: &[u8], error: &legaia::Error) -> Fault {
    use legaia::Error as E;
    let entry = |index: u16| 4 + 4 * usize::from(index);
    let clip = |index: u16, within: usize| Some(pointed(data, entry(index))? + within);
    let pose = |index: u16, pose: u32| clip(index, 8 + 8 * pose as usize);
    let offset = match *error {
        E::Truncated { len, .. } => Some(len),
        E::BadCount { .. } => Some(0),
        E::BadClipOffset { index } => Some(entry(index)),
        E::BadMarker { index, .. } => clip(index, 4),
        E::EmptyClip { index } | E::ClipTooSmall { index } => clip(index, 0),
        E::ClipTooLong { index } => clip(index, 2),
        E::BadRate { index } => clip(index, 6),
        E::ClipTruncated { index } | E::ClipOversized { index } => clip(index, 0),
        E::BadTrailer { index } => {
            let start = clip(index, 0);
            start.and_then(|start| {
                let [parts, _, low, high] = *data.get(start..)?.first_chunk()?;
                let frames = usize::from(u16::from_le_bytes([low, high]));
                Some(start + 8 + 8 * usize::from(parts) * frames)
            })
        }
        E::ReservedBits { index, pose: at } => pose(index, at),
        _ => None,
    };
    Fault::new(error, offset)
}

/// A fault of a bundle's table.
#[must_use]
pub fn bundle(error: &bundle::Error) -> Fault {
    use bundle::Error as E;
    let entry = |index: u8| 8 + 8 * usize::from(index);
    let offset = match *error {
        E::BadDescriptorCount { .. } => Some(0),
        E::BadDescriptorOffset { index } => Some(entry(index) + 4),
        E::UnknownType { index, .. } => Some(entry(index) + 3),
        E::SizeLimit { index } => Some(entry(index)),
        _ => None,
    };
    Fault::new(error, offset)
}

/// A fault of a pack.
#[must_use]
pub fn pack(data: &[u8], error: &pack::Error) -> Fault {
    let offset = match *error {
        pack::Error::BadPack { index } => {
            let entry = 4 + 4 * index as usize;
            // Index 0 with no count, or a table that passes the end, is the count's fault.
            let count = u32_at(data, 0).unwrap_or(0);
            let table = 4 + 4 * u64::from(count);
            Some(if count == 0 || table > data.len() as u64 {
                0
            } else {
                entry
            })
        }
        pack::Error::BadHeader { .. } => Some(0),
        _ => None,
    };
    Fault::new(error, offset)
}

/// A fault of a stream of chunks.
#[must_use]
pub fn chunk(data: &[u8], error: &chunk::Error) -> Fault {
    let (chunk::Error::TruncatedChunk { offset }
    | chunk::Error::BadSize { offset }
    | chunk::Error::OutputTooSmall { offset }) = *error;
    let mut fault = Fault::new(error, Some(offset));
    if matches!(error, chunk::Error::TruncatedChunk { .. }) {
        fault.text = match u32_at(data, offset) {
            Some(header) => format!(
                "expected a chunk of {} bytes, or a header of size 0 that ends the stream, found \
                 {} bytes up to the entry's end",
                header & 0xFF_FFFF,
                data.len() - offset - 4
            ),
            None => {
                "expected a header of size 0 that ends the stream, found the entry's end".to_owned()
            }
        };
    }
    fault
}

/// A fault of a mesh.
#[must_use]
pub fn tmd(error: &tmd::Error) -> Fault {
    use tmd::Error as E;
    let record = |object: u32, field: usize| Some(12 + 28 * object as usize + field);
    let offset = match *error {
        E::Truncated { len } => Some(len),
        E::BadMagic { .. } | E::AbsolutePointers => Some(0),
        E::AlreadyRelocated { .. } => Some(4),
        E::BadObjectCount { .. } => Some(8),
        E::PoolOutOfRange { at, .. }
        | E::TruncatedGroup { at, .. }
        | E::BadStride { at, .. }
        | E::UnknownKind { at, .. }
        | E::GroupOverrun { at, .. }
        | E::BadIndex { at, .. } => Some(at),
        E::PrimSectionOutOfRange { object } => record(object, 0x10),
        E::CountMismatch { object, .. } => record(object, 0x14),
        E::Full(_) => None,
    };
    Fault::new(error, offset)
}

/// What keeps a mesh from being drawn although it can be read: vertices that do not lie on a word boundary of the file,
/// where the console cannot read them as words, and we do not ([`overworld_runtime::model::draw::Error::Misaligned`]).
#[must_use]
pub fn misaligned(data: &[u8]) -> Option<Fault> {
    let tmd = tmd::Tmd::parse_lenient(data).ok()?;
    let found = tmd.objects().enumerate().find_map(|(object, it)| {
        let place = 12 + 28 * object;
        let begin = 12 + u64::from(u32_at(data, place)?);
        let off = !it.vertex_bytes().is_empty() && !begin.is_multiple_of(4);
        off.then_some((object, place, begin))
    });
    let (object, place, begin) = found?;
    Some(Fault {
        name: "Misaligned".to_owned(),
        offset: Some(place as u64),
        text: format!(
            "object {object}: expected vertices at a multiple of 4, where they can be read as words, found them at \
             {begin:#x}: it cannot be drawn"
        ),
    })
}

/// A fault of a texture.
#[must_use]
pub fn tim(error: &tim::Error) -> Fault {
    use tim::Error as E;
    let offset = match *error {
        E::BadTim { offset, .. } | E::BadTimBlock { offset, .. } | E::BadTimRect { offset, .. } => {
            Some(offset)
        }
        E::Full(_) => None,
    };
    Fault::new(error, offset)
}

/// A fault of an LZS stream of this length.
#[must_use]
pub fn lzs(source: usize, error: &lzs::Error) -> Fault {
    use lzs::Error as E;
    let offset = match *error {
        E::TruncatedControl { .. } | E::TruncatedLiteral { .. } | E::TruncatedBackref { .. } => {
            Some(source)
        }
        _ => None,
    };
    Fault::new(error, offset)
}

/// A fault of a field map.
#[must_use]
pub fn map(error: &map::Error) -> Fault {
    use map::Error as E;
    let offset = match *error {
        E::Size { len } => Some(len),
        E::TriggerChain { at } => Some(0x1_0000 + usize::from(at)),
        E::ZeroHeaderOnField { offset } => Some(offset),
        _ => None,
    };
    Fault::new(error, offset)
}

/// What the runtime plays and a builder should not write, as a note.
#[must_use]
pub fn finding(finding: &map::Finding) -> String {
    format!("a builder should not write this: {finding}")
}

/// What the runtime plays and a builder should not write: a note for each kind of finding, with the first
/// of the kind and the number of others.
#[must_use]
pub fn findings(map: &map::Map<'_>) -> Vec<String> {
    let mut kinds: Vec<(map::Finding, usize)> = Vec::new();
    map.findings(|finding| {
        match kinds.last_mut() {
            // They come kind by kind.
            Some((first, others)) if discriminant(first) == discriminant(&finding) => *others += 1,
            _ => kinds.push((finding, 0)),
        }
        ControlFlow::<()>::Continue(())
    });
    let note = |(first, others): (map::Finding, usize)| match others {
        0 => finding(&first),
        _ => format!("{} ({others} more of the kind)", finding(&first)),
    };
    kinds.into_iter().map(note).collect()
}

/// A fault of a battle model.
#[must_use]
pub fn ff8(data: &[u8], error: &ff8::Error) -> Fault {
    use ff8::Error as E;
    let word = |at: usize| u32_at(data, at).unwrap_or(0) as usize;
    // Sections are counted from 1, and the word behind the last one's start is the end.
    let start = |section: usize| word(4 * section);
    let offset = match *error {
        E::Truncated { len, .. } => Some(len),
        E::BadSectionCount { .. } | E::NoAnimation { .. } => Some(0),
        E::BadSectionTable { section, .. } => Some(4 * usize::from(section)),
        E::EndOffsetMismatch { .. } => Some(4 + 4 * word(0)),
        E::SkeletonTruncated { len, .. } => Some(start(1) + len),
        E::NoBones | E::TooManyBones { .. } => Some(start(1)),
        E::ParentOrder { bone, .. } => Some(start(1) + 16 + 48 * usize::from(bone)),
        E::BadObject { at, .. } | E::BadBoneRef { at, .. } | E::BadVertexRef { at, .. } => {
            Some(start(2) + at)
        }
        E::AnimationTable { .. } | E::NoSuchAnimation { .. } => Some(start(3)),
        E::AnimationPointer { animation, .. } => Some(start(3) + 4 + 4 * animation as usize),
        E::EndOfStream { .. } => Some(start(4)),
        // Of writers.
        E::FaceRange { .. }
        | E::ValueRange { .. }
        | E::FrameCountRange { .. }
        | E::BoneCountMismatch { .. }
        | E::OutputTooSmall { .. } => None,
    };
    let mut fault = Fault::new(error, offset);
    // What was expected, where the error does not carry it.
    match *error {
        E::BadSectionTable { section, offset } => {
            let least = match section {
                1 => 8 + 4 * word(0),
                _ => start(usize::from(section) - 1),
            };
            let most = word(4 + 4 * word(0));
            fault.text = format!(
                "section {section}: expected a start from {least:#x} to {most:#x}, found {offset:#x}"
            );
        }
        E::AnimationPointer { animation, pointer } => {
            let least = 4 + 4 * word(start(3));
            let most = start(4).saturating_sub(start(3) + 1);
            fault.text = format!(
                "animation {animation}: expected a start from {least} to {most} in its section, found {pointer}"
            );
        }
        _ => {}
    }
    fault
}

/// A fault of a trigger patch.
#[must_use]
pub fn patch(error: &map::patch::Error) -> Fault {
    use map::patch::Error as E;
    let offset = match *error {
        E::Size { len } => Some(len),
        E::BadTriggerBlock { kind } => Some(2 + 4 * usize::from(kind)),
        _ => None,
    };
    Fault::new(error, offset)
}

/// A fault of a MAN.
#[must_use]
pub fn man(data: &[u8], error: &man::Error) -> Fault {
    use man::Error as E;
    let region = || {
        let count = |at: usize| {
            let word = overworld_runtime::bytes::u16_at(data, at);
            usize::from(word.unwrap_or(0))
        };
        0x2B + 3 * (count(0x22) + count(0x24) + count(0x26))
    };
    let u24 = |at: usize| {
        let &[a, b, c] = data.get(at..)?.first_chunk()?;
        Some(u32::from_le_bytes([a, b, c, 0]) as usize)
    };
    let entry = |flat: u32| 0x2B + 3 * flat as usize;
    let section = |index: usize| {
        let mut at = region() + u24(0x28)?;
        for _ in 0..index {
            at += 3 + u24(at)?;
        }
        Some(at)
    };
    let offset = match *error {
        E::Truncated { len } => Some(len),
        E::NegativeCount { partition } => Some(0x22 + 2 * usize::from(partition)),
        E::RecordTableOutOfRange { .. } => Some(0x22),
        E::RecordOutOfRange { flat } => Some(entry(flat)),
        E::RecordHeaderOverrun { flat } | E::EmptyScript { flat } => {
            u24(entry(flat)).map(|start| region() + start)
        }
        E::SectionOutOfRange { index } => section(usize::from(index)),
        E::EncounterOverrun { .. }
        | E::BadFormation { .. }
        | E::BadStride { .. }
        | E::BadConditions { .. }
        | E::BadRegion { .. } => section(0),
        E::BadMotionTable { offset } => section(1).map(|at| at + 3 + offset),
        E::BadName => section(2),
        E::BadCameraTable { .. } => section(3),
        E::MissingTerminator { .. } => section(5),
        _ => None,
    };
    Fault::new(error, offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_stands_once_and_first() {
        let with = legaia::Error::BadCount { count: 0 };
        assert_eq!(
            bank(&[0; 4], &with).to_string(),
            "BadCount at offset 0x0: expected 1 to 256 clips, found 0"
        );
        let error = lzs::Error::TruncatedBackref { out: 0, want: 8 };
        let fault = lzs(2, &error);
        assert_eq!(
            (fault.name.as_str(), fault.offset),
            ("TruncatedBackref", Some(2))
        );
        assert!(!fault.text.contains("TruncatedBackref"));
        let unit = tmd::Error::AbsolutePointers;
        assert!(
            tmd(&unit)
                .to_string()
                .starts_with("AbsolutePointers at offset 0x0: bit 31")
        );
        assert_eq!(tmd(&unit).moved(16).offset, Some(16));
        // The place is told once, and moves with the file.
        let error = tmd::Error::TruncatedGroup {
            object: 1,
            group: 2,
            at: 0x1C,
        };
        let text = "object 1, group 2: the data ends before a terminator";
        for (fault, offset) in [(tmd(&error), 0x1C), (tmd(&error).moved(16), 0x2C)] {
            let expected = format!("TruncatedGroup at offset {offset:#x}: {text}");
            assert_eq!(fault.to_string(), expected);
        }
    }

    #[test]
    fn offsets_point_at_the_field() {
        // Two clips, the second with a wrong marker.
        let mut data = vec![2, 0, 0, 0, 12, 0, 0, 0, 36, 0, 0, 0];
        for _ in 0..2 {
            data.extend([1, 0, 1, 0, 0x0C, 8, 1, 0]);
            data.extend([0; 16]);
        }
        data[36 + 4] = 0xEE;
        let error = legaia::Bank::parse(&data).unwrap_err();
        assert_eq!(bank(&data, &error).offset, Some(40));
        data[8] = 200;
        let error = legaia::Bank::parse(&data).unwrap_err();
        assert_eq!(bank(&data, &error).offset, Some(8));
    }
}
