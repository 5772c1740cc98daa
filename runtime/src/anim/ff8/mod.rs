//! Final Fantasy VIII battle models: the container, the skeleton, and the animation bit stream (FF8 sheet).
//!
//! A [`Dat`] is the file; it hands out a [`Skeleton`] (section 1), [`Animations`] (section 3) and, for drawing,
//! [`Geometry`] (section 2). A [`Decoder`] plays one animation into a [`Pose`], a frame a call: there is no way
//! to a frame but through those before it. [`matrices()`] makes the bones' matrices of a pose.
//!
//! Nothing is copied: all views borrow from the file.

/// The example of that page is compiled.
#[cfg(doctest)]
#[doc = include_str!("../../../../docs/models.md")]
struct Models;

mod animations;
mod bits;
mod container;
mod decoder;
mod encode;
mod events;
mod geometry;
mod matrices;
mod skeleton;

pub use animations::{Animation, Animations, MAX_ANIMATIONS};
pub use bits::{BitReader, BitWriter, LOCATION_WIDTHS, ROTATION_WIDTHS};
pub use container::{Dat, End, Kind, MAX_SECTIONS, emit};
pub use decoder::{Decoder, Pose, Progress, Speed};
pub use encode::{FrameSource, emit as emit_animations, encode};
pub use events::{Event, Events, replay};
pub use geometry::{
    Coloured, Face, Geometry, Group, GroupSource, Object, ObjectSource, Texture, Warning,
    emit as emit_geometry,
};
pub(crate) use geometry::{HIDDEN, INDEX};
pub use matrices::{BoneMatrices, matrices};
pub use skeleton::{Bone, Skeleton, Source as SkeletonSource, emit as emit_skeleton};

use core::fmt;

/// The most frames an animation has that may run slowed: the engine counts `2 n - 1` calls in 8 bits.
pub const SLOW_LIMIT: u8 = 128;
/// A scale of 1.0.
pub const SCALE_ONE: i16 = 1024;

/// What is wrong with a battle model, or with what was asked of it (FF8 sheet, section 12).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Error {
    /// The file ends inside the section table.
    Truncated {
        /// Bytes needed.
        need: usize,
        /// Bytes there are.
        len: usize,
    },
    /// The number of sections is 0 or above [`MAX_SECTIONS`].
    BadSectionCount {
        /// The number found.
        count: u32,
    },
    /// A section starts inside the table, below its predecessor, or past the end.
    BadSectionTable {
        /// The section, counted from 1.
        section: u8,
        /// The offset found.
        offset: u32,
    },
    /// The end offset is past the end of the file.
    EndOffsetMismatch {
        /// The offset found.
        end: u32,
        /// Bytes there are.
        len: usize,
    },
    /// Files of this kind have no such section: no skeleton, geometry or animation.
    NoAnimation {
        /// Sections of the file.
        sections: u8,
    },
    /// The skeleton section is shorter than its bones need.
    SkeletonTruncated {
        /// Bytes needed.
        need: usize,
        /// Bytes there are.
        len: usize,
    },
    /// The skeleton has no bones.
    NoBones,
    /// A bone's parent does not stand before it.
    ParentOrder {
        /// The bone.
        bone: u8,
        /// The parent found.
        parent: u16,
    },
    /// More bones than the caller's memory holds, or, to be written, than a skeleton may have.
    TooManyBones {
        /// Bones of the skeleton.
        bones: usize,
        /// What there is room for.
        room: usize,
    },
    /// The animation table does not fit into its section.
    AnimationTable {
        /// The number of animations found.
        count: u32,
        /// Bytes of the section.
        len: usize,
    },
    /// An animation starts inside the table or past the end of the section.
    AnimationPointer {
        /// The animation.
        animation: u32,
        /// The pointer found.
        pointer: u32,
    },
    /// No animation has this number.
    NoSuchAnimation {
        /// The number asked for.
        animation: u32,
        /// Animations there are.
        count: u32,
    },
    /// The stream needs bits past the end of the section.
    EndOfStream {
        /// The frame.
        frame: u8,
        /// The bone whose fields are missing; `None`: those before the bones.
        bone: Option<u8>,
    },
    /// An object of the geometry does not lie inside its section, or is longer than that.
    BadObject {
        /// The object; of the table, how many it says there are.
        object: u32,
        /// Offset in the section of what does not fit.
        at: usize,
        /// What it is.
        misfit: Misfit,
        /// What it needs, as `misfit` counts.
        need: u64,
        /// What there is.
        left: usize,
    },
    /// A group of vertices belongs to a bone that is not there.
    BadBoneRef {
        /// The object.
        object: u32,
        /// Offset in the section of the bone's number; of the writer, what it has written.
        at: usize,
        /// The bone found.
        bone: u16,
        /// Bones there are.
        bones: u8,
    },
    /// A face names a vertex that is not there.
    BadVertexRef {
        /// The object.
        object: u32,
        /// The face in the object.
        face: u32,
        /// Offset in the section of the vertex's number; of the writer, what it has written.
        at: usize,
        /// The vertex found.
        vertex: u16,
        /// Vertices of the object.
        vertices: u32,
    },
    /// A face has neither 3 nor 4 corners, or a bias outside of -8 to 7 (writer).
    FaceRange {
        /// The object.
        object: u32,
        /// The face in the object.
        face: u32,
    },
    /// A value cannot be stored: a scale below -31744 (writer).
    ValueRange {
        /// The frame.
        frame: usize,
        /// The bone.
        bone: u8,
        /// The scale found.
        scale: i16,
    },
    /// An animation needs 1 to 255 frames (writer).
    FrameCountRange {
        /// Frames there are.
        frames: usize,
    },
    /// A frame has not as many bones as the skeleton (writer).
    BoneCountMismatch {
        /// The frame.
        frame: usize,
        /// Its bones.
        bones: usize,
        /// The skeleton's.
        expected: u8,
    },
    /// The writer's slice is full.
    OutputTooSmall {
        /// Bytes there are.
        room: usize,
    },
}

/// What of an object does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Misfit {
    /// The number of objects and their table: bytes.
    Table,
    /// Where it starts: the offset found, and the section's length.
    Start,
    /// Its groups of vertices: bytes.
    Groups,
    /// Its numbers of faces, or the faces: bytes.
    Faces,
    /// All of it: bytes, and those that the objects before it leave of the section. They would overlap.
    Length,
    /// Groups, vertices of a group or faces of a kind (writer).
    Count,
}

impl Misfit {
    fn fmt(self, f: &mut fmt::Formatter<'_>, object: u32, need: u64, left: usize) -> fmt::Result {
        match self {
            Self::Table => write!(
                f,
                "a table of {object} objects: expected {need} bytes, found {left}"
            ),
            Self::Start => write!(
                f,
                "object {object}: expected a start behind the table and inside of the section's {left} bytes, \
                 found {need}"
            ),
            Self::Groups => write!(
                f,
                "object {object}: expected {need} bytes of vertices, found {left} up to the section's end"
            ),
            Self::Faces => write!(
                f,
                "object {object}: expected {need} bytes of faces, found {left} up to the section's end"
            ),
            Self::Length => write!(
                f,
                "object {object}: expected at most {left} bytes, which is what the objects before it leave of the \
                 section, found {need}"
            ),
            Self::Count => write!(
                f,
                "object {object}: expected at most {left} groups, vertices of a group or faces of a kind, found {need}"
            ),
        }
    }
}

impl Error {
    /// The sheet's name of it (section 12).
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Truncated { .. } => "Truncated",
            Self::BadSectionCount { .. } => "BadSectionCount",
            Self::BadSectionTable { .. } => "BadSectionTable",
            Self::EndOffsetMismatch { .. } => "EndOffsetMismatch",
            Self::NoAnimation { .. } => "NoAnimation",
            Self::SkeletonTruncated { .. } => "SkeletonTruncated",
            Self::NoBones => "NoBones",
            Self::ParentOrder { .. } => "ParentOrder",
            Self::TooManyBones { .. } => "TooManyBones",
            Self::AnimationTable { .. } => "AnimationTable",
            Self::AnimationPointer { .. } => "AnimationPointer",
            Self::NoSuchAnimation { .. } => "NoSuchAnimation",
            Self::EndOfStream { .. } => "EndOfStream",
            Self::BadObject { .. } => "BadObject",
            Self::BadBoneRef { .. } => "BadBoneRef",
            Self::BadVertexRef { .. } => "BadVertexRef",
            Self::FaceRange { .. } => "FaceRange",
            Self::ValueRange { .. } => "ValueRange",
            Self::FrameCountRange { .. } => "FrameCountRange",
            Self::BoneCountMismatch { .. } => "BoneCountMismatch",
            Self::OutputTooSmall { .. } => "OutputTooSmall",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.name())?;
        match *self {
            Self::Truncated { need, len } => {
                write!(
                    f,
                    "expected {need} bytes for the section table, found {len}"
                )
            }
            Self::BadSectionCount { count } => {
                write!(f, "expected 1 to {MAX_SECTIONS} sections, found {count}")
            }
            Self::BadSectionTable { section, offset } => write!(
                f,
                "section {section} starts at {offset:#X}: inside the table, before its predecessor, or past \
                 the end"
            ),
            Self::EndOffsetMismatch { end, len } => {
                write!(
                    f,
                    "expected the end offset {len}, the file's size, found {end}"
                )
            }
            Self::NoAnimation { sections } => {
                write!(f, "files of {sections} sections hold no animated model")
            }
            Self::SkeletonTruncated { need, len } => {
                write!(f, "expected {need} bytes of skeleton, found {len}")
            }
            Self::NoBones => f.write_str("expected 1 to 255 bones, found 0"),
            Self::ParentOrder { bone: 0, parent } => write!(
                f,
                "bone 0 is the root, for nothing stands before it: expected FFFF for no parent, found {parent}"
            ),
            Self::ParentOrder { bone, parent } => write!(
                f,
                "bone {bone}: expected a parent below {bone}, or FFFF for a root, found {parent}"
            ),
            Self::TooManyBones { bones, room } => {
                write!(f, "{bones} bones, there is room for {room}")
            }
            Self::AnimationTable { count, len } => write!(
                f,
                "a table of {count} animations does not fit into the section's {len} bytes"
            ),
            Self::AnimationPointer { animation, pointer } => write!(
                f,
                "animation {animation} starts at {pointer}: inside the table or past the end of the section"
            ),
            Self::NoSuchAnimation { animation, count } => match count {
                0 => write!(f, "no animation {animation}: there is none"),
                _ => write!(
                    f,
                    "expected an animation 0 to {}, found {animation}",
                    count - 1
                ),
            },
            Self::EndOfStream { frame, bone } => {
                write!(f, "the section ends inside frame {frame}, in ")?;
                match bone {
                    Some(bone) => write!(f, "bone {bone}"),
                    None => f.write_str("its location"),
                }
            }
            Self::BadObject {
                object,
                misfit,
                need,
                left,
                ..
            } => misfit.fmt(f, object, need, left),
            Self::BadBoneRef {
                object,
                bone,
                bones,
                ..
            } => write!(
                f,
                "object {object}: expected vertices of a bone below {bones}, found bone {bone}"
            ),
            Self::BadVertexRef {
                object,
                face,
                vertex,
                vertices,
                ..
            } => write!(
                f,
                "object {object}, face {face}: expected a vertex below {}, found {vertex}",
                // As many as 12 bits reach.
                vertices.min(u32::from(INDEX) + 1)
            ),
            Self::FaceRange { object, face } => write!(
                f,
                "object {object}, face {face}: expected 3 or 4 corners and a bias from -8 to 7"
            ),
            Self::ValueRange { frame, bone, scale } => write!(
                f,
                "frame {frame}, bone {bone}: expected scales of at least -31744, found {scale}"
            ),
            Self::FrameCountRange { frames } => {
                write!(f, "expected 1 to 255 frames, found {frames}")
            }
            Self::BoneCountMismatch {
                frame,
                bones,
                expected,
            } => write!(f, "frame {frame}: expected {expected} bones, found {bones}"),
            Self::OutputTooSmall { room } => {
                write!(f, "the result does not fit into {room} bytes")
            }
        }
    }
}

impl core::error::Error for Error {}
