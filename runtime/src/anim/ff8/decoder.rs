//! The streaming decoder: one frame a call (FF8 sheet, sections 6 and 7).

use super::bits::BitReader;
use super::{Animation, Error, SCALE_ONE};

/// The running sums of a model: what one frame leaves for the next one, and what is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pose<const N: usize> {
    /// Position of the root, 16 vertex units each; wraps at 16 bits.
    pub root: [i16; 3],
    /// The mode bit of the last frame: scales count.
    pub scaled: bool,
    /// Rotation of each bone about X, Y, Z, 4096 a turn; wraps at 16 bits, which are whole turns.
    pub rotation: [[i16; 3]; N],
    /// Scale of each bone along X, Y, Z, 1024 is 1.0: as of the last frame with the mode bit.
    pub scale: [[i16; 3]; N],
}

impl<const N: usize> Pose<N> {
    /// Where animations start (6.1).
    pub const START: Self = Self {
        root: [0; 3],
        scaled: false,
        rotation: [[0; 3]; N],
        scale: [[SCALE_ONE; 3]; N],
    };
}

impl<const N: usize> Default for Pose<N> {
    fn default() -> Self {
        Self::START
    }
}

/// How fast an animation plays (6.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Speed {
    /// A frame a call.
    #[default]
    Normal,
    /// FAST, of Haste: two frames a call.
    Fast,
    /// SLOW: two calls a frame but for the first one; each of the two adds half of every change, rounded towards
    /// zero.
    Slow,
}

/// What a call did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Progress {
    /// The pose is that of this frame, or on the way to it.
    Frame(u8),
    /// The animation was over: the pose is as it was.
    Complete,
}

/// Plays one animation: where it stands in the stream, without the sums, which are the caller's ([`Pose`]).
///
/// It is a plain value. A copy of it, with a copy of the pose's root and rotations, is a checkpoint that
/// play-back can go on from.
#[derive(Clone, Copy, Debug)]
pub struct Decoder<'a> {
    section: &'a [u8],
    start: u32,
    byte: u32,
    bit: u8,
    bones: u8,
    frames: u8,
    /// Frames done.
    frame: u8,
    /// Calls made, and how many there will be: 8 bits as in the engine.
    calls: u8,
    total: u8,
    speed: Speed,
    /// The first half of the frame is in the pose.
    half: bool,
}

impl<'a> Decoder<'a> {
    /// Begin an animation of a skeleton with so many bones. The pose to play into should be [`Pose::START`].
    ///
    /// An animation of 0 frames is complete at once. One of more than 128 frames ends early when it is played
    /// slowly, as in the engine, which counts its calls in 8 bits: 137 frames get 17 calls.
    #[must_use]
    pub fn new(animation: &Animation<'a>, bones: u8, speed: Speed) -> Self {
        let frames = animation.frames;
        let total = match speed {
            Speed::Normal | Speed::Fast => frames,
            Speed::Slow if frames == 0 => 0,
            Speed::Slow => frames.wrapping_mul(2).wrapping_sub(1),
        };
        let start = animation.start as u32 + 1;
        Self {
            section: animation.section,
            start,
            byte: start,
            bit: 0,
            bones,
            frames,
            frame: 0,
            calls: 0,
            total,
            speed,
            half: false,
        }
    }

    /// Back to the beginning, with the pose.
    pub fn rewind<const N: usize>(&mut self, pose: &mut Pose<N>) {
        self.byte = self.start;
        (self.bit, self.frame, self.calls, self.half) = (0, 0, 0, false);
        *pose = Pose::START;
    }

    /// Byte in the section and bit in the byte where the next frame begins.
    #[must_use]
    pub const fn position(&self) -> (u32, u8) {
        (self.byte, self.bit)
    }

    /// Frames that are still to come.
    #[must_use]
    pub const fn remaining_frames(&self) -> u8 {
        self.frames - self.frame
    }

    /// Calls of [`Decoder::call`] that the whole animation takes: 8 bits, as the engine counts them.
    #[must_use]
    pub const fn calls(&self) -> u8 {
        match self.speed {
            Speed::Fast => self.total.div_ceil(2),
            Speed::Normal | Speed::Slow => self.total,
        }
    }

    /// What one drawing of the model calls: a frame, two, or half of one, by the speed.
    ///
    /// # Errors
    /// [`Error::EndOfStream`]; [`Error::TooManyBones`]. The pose is as after the last whole frame then (or half
    /// of one), and stays there when it is tried again.
    pub fn call<const N: usize>(&mut self, pose: &mut Pose<N>) -> Result<Progress, Error> {
        if self.calls >= self.total {
            return Ok(Progress::Complete);
        }
        let progress = match self.speed {
            Speed::Normal => self.step(pose),
            Speed::Fast => {
                let first = self.step(pose)?;
                self.calls += 1;
                if self.calls < self.total {
                    self.step(pose)
                } else {
                    return Ok(first);
                }
            }
            Speed::Slow if self.frame == 0 => self.step(pose),
            Speed::Slow => self.step_half(pose),
        }?;
        self.calls += 1;
        Ok(progress)
    }

    /// The next frame, whatever the speed; of one whose first half was added ([`Decoder::step_half`]), its second half.
    ///
    /// # Errors
    /// [`Error::EndOfStream`]; [`Error::TooManyBones`]. Pose and position are as before then.
    pub fn step<const N: usize>(&mut self, pose: &mut Pose<N>) -> Result<Progress, Error> {
        if self.frame >= self.frames {
            return Ok(Progress::Complete);
        }
        if self.half {
            return self.step_half(pose);
        }
        let reader = self.apply::<false, N>(pose)?;
        Ok(self.advance(&reader))
    }

    /// Half of the next frame: the second one of two calls completes it (6.2).
    ///
    /// # Errors
    /// As [`Decoder::step`].
    pub fn step_half<const N: usize>(&mut self, pose: &mut Pose<N>) -> Result<Progress, Error> {
        if self.frame >= self.frames {
            return Ok(Progress::Complete);
        }
        let reader = self.apply::<true, N>(pose)?;
        if self.half {
            return Ok(self.advance(&reader));
        }
        self.half = true;
        Ok(Progress::Frame(self.frame))
    }

    fn advance(&mut self, reader: &BitReader<'_>) -> Progress {
        let (byte, bit) = reader.position();
        (self.byte, self.bit) = (byte as u32, bit);
        self.half = false;
        let frame = self.frame;
        self.frame += 1;
        Progress::Frame(frame)
    }

    /// Read the frame at the position and add it, or half of it, to the pose.
    fn apply<const HALF: bool, const N: usize>(
        &self,
        pose: &mut Pose<N>,
    ) -> Result<BitReader<'a>, Error> {
        let bones = usize::from(self.bones);
        let too_many = Error::TooManyBones { bones, room: N };
        let rotation = pose.rotation.get_mut(..bones).ok_or(too_many)?;
        let scale = pose.scale.get_mut(..bones).ok_or(too_many)?;
        let reader = BitReader::new(self.section, self.byte as usize, self.bit);
        let end = |bone| Error::EndOfStream {
            frame: self.frame,
            bone,
        };
        // Only near the end a frame can be cut short.
        let added = if reader.left() < longest(self.bones) {
            add_near_the_end::<HALF>(reader, &mut pose.root, rotation, scale)
        } else {
            add::<HALF, false>(reader, &mut pose.root, rotation, scale)
        };
        let (reader, scaled) = added.map_err(end)?;
        pose.scaled = scaled;
        Ok(reader)
    }
}

/// The most bits that a frame of so many bones has (section 6).
const fn longest(bones: u8) -> usize {
    55 + bones as usize * (45 + 51)
}

/// A change, or half of it.
#[inline(always)]
const fn part<const HALF: bool>(change: i16) -> i16 {
    if HALF { change / 2 } else { change }
}

/// Add a frame to the sums; the reader behind it, and its mode bit. An error tells the bone, and leaves what was
/// added. Unless it is `CHECKED`, there must be as many bits as a frame may have.
#[inline(always)]
fn add<'a, const HALF: bool, const CHECKED: bool>(
    mut reader: BitReader<'a>,
    root: &mut [i16; 3],
    rotation: &mut [[i16; 3]],
    scale: &mut [[i16; 3]],
) -> Result<(BitReader<'a>, bool), Option<u8>> {
    let changes = reader.locations::<CHECKED>().ok_or(None)?;
    add_all::<HALF>(root, changes);
    let scaled = reader.bits(1).ok_or(None)? != 0;
    if scaled {
        for ((sums, scales), bone) in rotation.iter_mut().zip(scale).zip(0..) {
            let changes = reader.rotations::<CHECKED>().ok_or(Some(bone))?;
            add_all::<HALF>(sums, changes);
            *scales = reader.scales::<CHECKED>().ok_or(Some(bone))?;
        }
    } else if !CHECKED && usize::BITS == 64 {
        // As below, faster.
        reader.add_rotations(rotation, part::<HALF>);
    } else {
        for (sums, bone) in rotation.iter_mut().zip(0..) {
            let changes = reader.rotations::<CHECKED>().ok_or(Some(bone))?;
            add_all::<HALF>(sums, changes);
        }
    }
    Ok((reader, scaled))
}

#[inline(always)]
fn add_all<const HALF: bool>(sums: &mut [i16; 3], changes: [i16; 3]) {
    for (sum, change) in sums.iter_mut().zip(changes) {
        *sum = sum.wrapping_add(part::<HALF>(change));
    }
}

/// [`add`] where the frame may be cut short; the pose is whole then.
#[inline(never)]
fn add_near_the_end<'a, const HALF: bool>(
    reader: BitReader<'a>,
    root: &mut [i16; 3],
    rotation: &mut [[i16; 3]],
    scale: &mut [[i16; 3]],
) -> Result<(BitReader<'a>, bool), Option<u8>> {
    let mut ahead = reader;
    let locations = ahead.locations::<true>();
    let scaled = locations.and_then(|_| ahead.bits(1)) == Some(1);
    // Scales are replaced, and what is replaced is gone: such a frame is read over first.
    if scaled {
        walk(reader, rotation.len())?;
    }
    let added = add::<HALF, true>(reader, root, rotation, scale);
    if added.is_err() {
        take_away::<HALF>(reader, root, rotation);
    }
    added
}

/// Undo [`add`] of a frame without scales that is cut short. Each bone's three changes are added together.
#[cold]
#[inline(never)]
fn take_away<const HALF: bool>(
    mut reader: BitReader<'_>,
    root: &mut [i16; 3],
    rotation: &mut [[i16; 3]],
) {
    let Some(changes) = reader.locations::<true>() else {
        return;
    };
    let negative = |changes: [i16; 3]| changes.map(|it| part::<HALF>(it).wrapping_neg());
    add_all::<false>(root, negative(changes));
    _ = reader.bits(1);
    for sums in rotation {
        let Some(changes) = reader.rotations::<true>() else {
            return;
        };
        add_all::<false>(sums, negative(changes));
    }
}

/// Read over a frame. An error tells the bone.
#[cold]
#[inline(never)]
fn walk(mut reader: BitReader<'_>, bones: usize) -> Result<(), Option<u8>> {
    reader.locations::<true>().ok_or(None)?;
    let scaled = reader.bits(1).ok_or(None)? != 0;
    for bone in 0..bones {
        let fails = Some(bone as u8);
        reader.rotations::<true>().ok_or(fails)?;
        if scaled {
            reader.scales::<true>().ok_or(fails)?;
        }
    }
    Ok(())
}
