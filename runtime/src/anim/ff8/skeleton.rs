//! The skeleton: a header and the bones (FF8 sheet, section 2).

use super::{Error, SCALE_ONE};
use crate::bytes::{Writer, i16_at, slice_at, u8_at, u16_at};

/// Bytes of the header and of a bone.
const HEADER: usize = 16;
const BONE: usize = 48;
/// The parent of a root.
const NONE: u16 = 0xFFFF;

/// A bone as the file has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bone {
    /// The bone that it hangs on, which stands before it; `None`: a root.
    pub parent: Option<u8>,
    /// How far its children are from it along its Z, in vertex units.
    pub length: i16,
    /// Rotation about X, Y, Z, 4096 a turn: where the running sum stands in memory. Not used.
    pub rotation: [i16; 3],
    /// Scale of X, Y, Z, 1024 is 1.0. Not used.
    pub scale: [i16; 3],
}

/// A skeleton whose bones are known to hang together.
#[derive(Clone, Copy, Debug)]
pub struct Skeleton<'a> {
    data: &'a [u8],
    bones: u8,
}

impl<'a> Skeleton<'a> {
    /// Read section 1 of a model.
    ///
    /// # Errors
    /// [`Error::SkeletonTruncated`], [`Error::NoBones`], [`Error::ParentOrder`]. The sheet's
    /// NoRoot cannot occur: nothing stands before the first bone, so it is a root or out of order.
    pub fn parse(data: &'a [u8]) -> Result<Self, Error> {
        let len = data.len();
        let short = |need| Error::SkeletonTruncated { need, len };
        if len < HEADER {
            return Err(short(HEADER));
        }
        let bones = u8_at(data, 0).unwrap_or(0);
        if bones == 0 {
            return Err(Error::NoBones);
        }
        let need = HEADER + BONE * usize::from(bones);
        if len < need {
            return Err(short(need));
        }
        let skeleton = Self { data, bones };
        for bone in 0..bones {
            let parent = u16_at(data, HEADER + BONE * usize::from(bone)).unwrap_or(NONE);
            if parent != NONE && parent >= u16::from(bone) {
                return Err(Error::ParentOrder { bone, parent });
            }
        }
        Ok(skeleton)
    }

    /// Number of bones, 1 to 255.
    #[must_use]
    pub const fn len(&self) -> u8 {
        self.bones
    }

    /// Never true: a skeleton without bones does not parse.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.bones == 0
    }

    /// The flag that says whether bones have scales; 0 in the game's files.
    #[must_use]
    pub fn scale_flag(&self) -> u8 {
        u8_at(self.data, 1).unwrap_or(0)
    }

    /// Scale of the whole model, Q12.
    #[must_use]
    pub fn scale(&self) -> i16 {
        i16_at(self.data, 2).unwrap_or(0)
    }

    /// Position of the root: where the running sum stands in memory. Not used: play-back starts from 0 (6.1).
    #[must_use]
    pub fn root(&self) -> [i16; 3] {
        self.triple(8)
    }

    fn triple(&self, at: usize) -> [i16; 3] {
        [0, 2, 4].map(|it| i16_at(self.data, at + it).unwrap_or(0))
    }

    /// A bone, from 0 on.
    #[must_use]
    pub fn bone(&self, bone: u8) -> Option<Bone> {
        let at = HEADER + BONE * usize::from(bone);
        (bone < self.bones).then(|| Bone {
            parent: u16_at(self.data, at)
                .filter(|it| *it != NONE)
                .map(|it| it as u8),
            length: i16_at(self.data, at + 2).unwrap_or(0),
            rotation: self.triple(at + 4),
            scale: self.triple(at + 10),
        })
    }

    /// All bones.
    pub fn bones(&self) -> impl Iterator<Item = Bone> + use<'a> {
        let skeleton = *self;
        (0..self.bones).filter_map(move |bone| skeleton.bone(bone))
    }

    /// How many bones have no parent; more than one is worth a warning (section 12).
    #[must_use]
    pub fn roots(&self) -> usize {
        self.bones().filter(|it| it.parent.is_none()).count()
    }

    /// Bytes behind the bones.
    #[must_use]
    pub fn tail(&self) -> &'a [u8] {
        let end = HEADER + BONE * usize::from(self.bones);
        self.data.get(end..).unwrap_or_default()
    }

    /// Parent and length of each bone, as [`super::matrices()`] needs them.
    pub(super) fn links(&self) -> impl Iterator<Item = (Option<u8>, i16)> + use<'a> {
        let bones = slice_at(self.data, HEADER, BONE * usize::from(self.bones));
        bones.unwrap_or_default().chunks_exact(BONE).map(|bone| {
            let parent = u16_at(bone, 0).filter(|it| *it != NONE);
            (parent.map(|it| it as u8), i16_at(bone, 2).unwrap_or(0))
        })
    }
}

/// A skeleton to be written: what a model maker chooses.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// Scale of the whole model, Q12.
    pub scale: i16,
    /// Parent and length of each bone.
    pub bones: &'a [(Option<u8>, i16)],
}

/// Write section 1; its length.
///
/// # Errors
/// [`Error::NoBones`]; [`Error::TooManyBones`] above 255; [`Error::ParentOrder`]; [`Error::OutputTooSmall`].
pub fn emit(source: &Source<'_>, out: &mut [u8]) -> Result<usize, Error> {
    let room = out.len();
    let full = |_| Error::OutputTooSmall { room };
    let bones = match u8::try_from(source.bones.len()) {
        Ok(0) => return Err(Error::NoBones),
        Ok(bones) => bones,
        Err(_) => {
            return Err(Error::TooManyBones {
                bones: source.bones.len(),
                room: u8::MAX.into(),
            });
        }
    };
    let mut out = Writer::new(out);
    out.u8(bones).map_err(full)?;
    out.u8(0).map_err(full)?;
    out.i16(source.scale).map_err(full)?;
    out.zeros(12).map_err(full)?;
    for ((parent, length), bone) in source.bones.iter().zip(0..) {
        let parent = match *parent {
            Some(parent) if parent >= bone => {
                let parent = parent.into();
                return Err(Error::ParentOrder { bone, parent });
            }
            Some(parent) => parent.into(),
            None => NONE,
        };
        out.u16(parent).map_err(full)?;
        out.i16(*length).map_err(full)?;
        out.zeros(6).map_err(full)?;
        for _ in 0..3 {
            out.i16(SCALE_ONE).map_err(full)?;
        }
        out.zeros(32).map_err(full)?;
    }
    Ok(out.finish())
}
