//! The animation table (FF8 sheet, section 4).

use super::Error;
use crate::bytes::{u8_at, u32_at};

/// The most animations a section can have: as many as pointers fit before a 32-bit offset runs out.
pub const MAX_ANIMATIONS: u32 = 0x3FFF_FFFE;

/// A section whose every pointer leads into it.
#[derive(Clone, Copy, Debug)]
pub struct Animations<'a> {
    data: &'a [u8],
    count: u32,
}

/// One animation: where its stream lies.
#[derive(Clone, Copy, Debug)]
pub struct Animation<'a> {
    /// The whole section: streams end nowhere else.
    pub(super) section: &'a [u8],
    /// Offset of its frame count.
    pub(super) start: usize,
    /// Its frames.
    pub(super) frames: u8,
}

impl<'a> Animations<'a> {
    /// Read section 3 of a model.
    ///
    /// # Errors
    /// [`Error::AnimationTable`], [`Error::AnimationPointer`].
    pub fn parse(data: &'a [u8]) -> Result<Self, Error> {
        let len = data.len();
        let count = u32_at(data, 0).ok_or(Error::AnimationTable { count: 0, len })?;
        let too_many = Error::AnimationTable { count, len };
        if count > MAX_ANIMATIONS {
            return Err(too_many);
        }
        let table = 4 + 4 * count as usize;
        if table > len {
            return Err(too_many);
        }
        let animations = Self { data, count };
        for animation in 0..count {
            let pointer = animations.pointer(animation);
            if (pointer as usize) < table || pointer as usize >= len {
                return Err(Error::AnimationPointer { animation, pointer });
            }
        }
        Ok(animations)
    }

    /// Number of animations.
    #[must_use]
    pub const fn len(&self) -> u32 {
        self.count
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    fn pointer(&self, animation: u32) -> u32 {
        u32_at(self.data, 4 + 4 * animation as usize).unwrap_or(0)
    }

    /// One of them, from 0 on.
    ///
    /// # Errors
    /// [`Error::NoSuchAnimation`].
    pub fn get(&self, animation: u32) -> Result<Animation<'a>, Error> {
        let count = self.count;
        if animation >= count {
            return Err(Error::NoSuchAnimation { animation, count });
        }
        let start = self.pointer(animation) as usize;
        Ok(Animation {
            section: self.data,
            start,
            frames: u8_at(self.data, start).unwrap_or(0),
        })
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = Animation<'a>> + use<'a> {
        let animations = *self;
        (0..self.count).filter_map(move |animation| animations.get(animation).ok())
    }

    /// Where the bytes of an animation end at the latest: the nearest start behind its own, or the end of the
    /// section. A stream that goes on behind it overlaps another one, which the engine does not notice
    /// (section 12).
    ///
    /// Looks at all pointers.
    #[must_use]
    pub fn limit(&self, animation: &Animation<'_>) -> usize {
        let starts = (0..self.count).map(|it| self.pointer(it) as usize);
        starts
            .filter(|it| *it > animation.start)
            .min()
            .unwrap_or(self.data.len())
    }

    /// The whole section.
    #[must_use]
    pub const fn section(&self) -> &'a [u8] {
        self.data
    }
}

impl Animation<'_> {
    /// Number of frames; 0 is worth a warning, and above [`SLOW_LIMIT`](super::SLOW_LIMIT) a note
    /// (section 12).
    #[must_use]
    pub const fn frames(&self) -> u8 {
        self.frames
    }

    /// Offset of its frame count in the section; the stream begins one byte further on.
    #[must_use]
    pub const fn start(&self) -> usize {
        self.start
    }
}
