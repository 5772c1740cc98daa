//! FF8 battle models on the PC: what `overworld ff8` tells of them, and their JSON form.

use std::collections::HashMap;
use std::fmt;

use overworld_runtime::anim::ff8::{
    Animation, Animations, BitWriter, Dat, Decoder, End, Error, Event, Events, FrameSource, Kind,
    Pose, Progress, SLOW_LIMIT, Skeleton, SkeletonSource, Speed, Warning, emit, emit_animations,
    emit_skeleton, encode, replay,
};
use serde::{Deserialize, Serialize};

/// How often the bytes of a section may be part of an animation.
const LAYERS: usize = 16;

/// Numbers that [`Source::of`] writes at most.
const MOST_NUMBERS: usize = 16 << 20;

/// A pose with room for as many bones as there can be.
pub type AnyPose = Pose<255>;

/// What a stream holds, as [`Survey::of`] finds it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Survey {
    /// Frames.
    pub frames: u8,
    /// Bits of the stream, without the frame count.
    pub bits: usize,
    /// Frames with the mode bit.
    pub scaled: usize,
    /// Whether it may be played slowly.
    pub slow: bool,
    /// Bits of the shortest stream that shows the same.
    pub shortest: usize,
}

/// What a model maker should mend, though the game plays it (FF8 sheet, section 12).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// Bytes behind the end that the table gives.
    Longer(usize),
    /// More than one bone without a parent.
    MultipleRoots(usize),
    /// An animation without frames.
    EmptyAnimation(u32),
    /// The stream of an animation runs into the next one.
    Overlap(u32),
    /// An animation has too many frames to be played slowly.
    SlowLimit(u32, u8),
    /// Of the geometry.
    Geometry(Warning),
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Longer(bytes) => write!(
                f,
                "EndOffsetMismatch: {bytes} bytes follow behind the end that the table gives"
            ),
            Self::MultipleRoots(roots) => {
                write!(
                    f,
                    "MultipleRoots: expected one bone without a parent, found {roots}"
                )
            }
            Self::EmptyAnimation(animation) => {
                write!(f, "EmptyAnimation: animation {animation} has no frames")
            }
            Self::Overlap(animation) => write!(
                f,
                "Overlap: the stream of animation {animation} runs into the next one"
            ),
            Self::SlowLimit(animation, frames) => write!(
                f,
                "SlowLimit: animation {animation} has {frames} frames; above {SLOW_LIMIT} it ends early when \
                 it is slowed"
            ),
            Self::Geometry(Warning::VertexTotal { found, vertices }) => match found {
                Some(found) => write!(
                    f,
                    "VertexTotal: expected {vertices} at the end of the geometry, found {found}"
                ),
                None => write!(
                    f,
                    "VertexTotal: expected {vertices} at the end of the geometry, which lacks it"
                ),
            },
            Self::Geometry(Warning::TopNibble { object, face }) => write!(
                f,
                "TopNibble: object {object}, face {face}: another vertex number than the first has bits at \
                 its top"
            ),
        }
    }
}

/// Why a check failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The model is not good.
    Model(Error),
    /// An animation of it is not.
    Animation(u32, Error),
    /// What was read is not what was written: a fault of this program.
    Differs(u32),
    /// The animations lie over each other so much that they ask for more work than their bytes are worth.
    Crowded,
    /// All frames together are so many numbers.
    TooMuch(usize),
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Model(error) => error.fmt(f),
            Self::Animation(animation, error) => write!(f, "animation {animation}: {error}"),
            Self::Differs(animation) => {
                write!(f, "animation {animation} is not what it was when it is written again")
            }
            Self::TooMuch(numbers) => write!(
                f,
                "TooMuch: expected at most {MOST_NUMBERS} numbers in all frames together, found {numbers}"
            ),
            Self::Crowded => f.write_str(
                "Overlap: so many animations lie over each other that they have more frames than the section can \
                 hold",
            ),
        }
    }
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        Self::Model(error)
    }
}

/// Where the bits of a stream end, counted from its first one.
fn bits(animation: &Animation<'_>, (byte, bit): (usize, u8)) -> usize {
    8 * (byte - animation.start() - 1) + usize::from(bit)
}

/// All frames of an animation.
///
/// # Errors
/// [`Error::EndOfStream`].
pub fn poses(animation: &Animation<'_>, bones: u8) -> Result<Vec<AnyPose>, Error> {
    let mut decoder = Decoder::new(animation, bones, Speed::Normal);
    let mut pose = AnyPose::START;
    let mut poses = Vec::new();
    while let Progress::Frame(_) = decoder.step(&mut pose)? {
        poses.push(pose);
    }
    Ok(poses)
}

/// The pose of one frame.
///
/// # Errors
/// [`Error::EndOfStream`] for a stream that ends before it; `None` if there is no such frame.
pub fn pose(animation: &Animation<'_>, bones: u8, frame: u8) -> Result<Option<AnyPose>, Error> {
    let mut decoder = Decoder::new(animation, bones, Speed::Normal);
    let mut pose = AnyPose::START;
    loop {
        match decoder.step(&mut pose)? {
            Progress::Frame(at) if at == frame => return Ok(Some(pose)),
            Progress::Frame(_) => {}
            Progress::Complete => return Ok(None),
        }
    }
}

/// Write poses as an animation in the shortest form.
fn shortest(poses: &[AnyPose], bones: u8) -> Result<Vec<u8>, Error> {
    let count = usize::from(bones);
    let frames: Vec<_> = poses
        .iter()
        .map(|pose| FrameSource {
            root: pose.root,
            rotation: &pose.rotation[..count],
            scale: pose.scaled.then_some(&pose.scale[..count]),
        })
        .collect();
    // The longest frame, and the count.
    let mut out = vec![0; 1 + poses.len() * (55 + 96 * count).div_ceil(8)];
    let length = encode(&frames, bones, &mut out)?;
    out.truncate(length);
    Ok(out)
}

/// Whether two frames look the same: rotations modulo a turn, scales where they count.
fn same(one: &AnyPose, other: &AnyPose, bones: u8) -> bool {
    let count = usize::from(bones);
    let turns = one
        .rotation
        .as_flattened()
        .iter()
        .zip(other.rotation.as_flattened());
    let scale = |pose: &AnyPose| match pose.scaled {
        true => pose.scale[..count].to_vec(),
        false => vec![[1024; 3]; count],
    };
    one.root == other.root
        && turns.take(3 * count).all(|(a, b)| (a ^ b) & 0xFFF == 0)
        && scale(one) == scale(other)
}

impl Survey {
    /// Read a stream by what stands in it, write it again field by field and in the shortest form, and compare.
    ///
    /// # Errors
    /// [`Trouble::Animation`] for a stream that ends early; [`Trouble::Differs`].
    pub fn of(
        number: u32,
        animation: &Animation<'_>,
        section: &[u8],
        bones: u8,
    ) -> Result<Self, Trouble> {
        let trouble = |error| Trouble::Animation(number, error);
        let mut reader = Events::new(animation, bones);
        let events: Vec<Event> = reader.by_ref().collect::<Result<_, _>>().map_err(trouble)?;
        let length = bits(animation, reader.position());
        let mut bytes = vec![0; length.div_ceil(8)];
        let scaled = events.iter().filter(|it| **it == Event::Mode(true)).count();
        replay(events, &mut BitWriter::new(&mut bytes)).map_err(trouble)?;
        let stream = section.get(animation.start() + 1..).unwrap_or_default();
        // The bits behind the last one are not the stream's.
        let spare = |byte: u8| byte & (0xFF >> ((8 - length % 8) % 8));
        let (last, whole) = bytes.split_last().unwrap_or((&0, &[]));
        let replayed = stream.starts_with(whole)
            && (bytes.is_empty() || stream.get(whole.len()).map(|it| spare(*it)) == Some(*last));
        let shown = poses(animation, bones).map_err(trouble)?;
        let (mut again, mut minimal) = (true, length);
        match shortest(&shown, bones) {
            _ if shown.is_empty() => {}
            // A scale beyond 16 bits wraps in the game; it has no form of its own.
            Err(Error::ValueRange { .. }) => {}
            Err(error) => return Err(trouble(error)),
            Ok(bytes) => {
                let section = [&[1, 0, 0, 0, 8, 0, 0, 0], &bytes[..]].concat();
                let animation = Animations::parse(&section)?.get(0)?;
                let read = poses(&animation, bones).map_err(trouble)?;
                again = read.len() == shown.len()
                    && read.iter().zip(&shown).all(|(a, b)| same(a, b, bones));
                let mut reader = Events::new(&animation, bones);
                reader.by_ref().for_each(drop);
                minimal = bits(&animation, reader.position());
            }
        }
        if !replayed || !again {
            return Err(Trouble::Differs(number));
        }
        Ok(Self {
            frames: animation.frames(),
            bits: length,
            scaled,
            slow: animation.frames() <= SLOW_LIMIT,
            shortest: minimal,
        })
    }
}

/// Read a model to its end: a survey of every animation, and what should be mended.
///
/// # Errors
/// The first fault.
pub fn survey(dat: &Dat<'_>) -> Result<(Vec<Survey>, Vec<Note>), Trouble> {
    let mut notes = Vec::new();
    if let End::Longer(bytes) = dat.end() {
        notes.push(Note::Longer(bytes));
    }
    let skeleton = dat.skeleton()?;
    if skeleton.roots() > 1 {
        notes.push(Note::MultipleRoots(skeleton.roots()));
    }
    let bones = skeleton.len();
    dat.geometry(bones)?
        .warnings(|warning| notes.push(Note::Geometry(warning)));
    let animations = dat.animations()?;
    let mut starts: Vec<usize> = animations.iter().map(|it| it.start()).collect();
    starts.sort_unstable();
    let mut surveys = Vec::new();
    let mut known: HashMap<usize, Survey> = HashMap::new();
    // Each field has a bit at least.
    let mut left = LAYERS * 8 * animations.section().len();
    for (number, animation) in (0..).zip(animations.iter()) {
        // Several numbers may mean one stream.
        let survey = match known.get(&animation.start()) {
            Some(survey) => *survey,
            None => {
                let fields = usize::from(animation.frames()) * (4 + 3 * usize::from(bones));
                left = left.checked_sub(fields).ok_or(Trouble::Crowded)?;
                let survey = Survey::of(number, &animation, animations.section(), bones)?;
                known.insert(animation.start(), survey);
                survey
            }
        };
        let end = animation.start() + 1 + survey.bits.div_ceil(8);
        let next = starts.partition_point(|it| *it <= animation.start());
        if survey.frames == 0 {
            notes.push(Note::EmptyAnimation(number));
        } else if starts.get(next).is_some_and(|it| *it < end) {
            notes.push(Note::Overlap(number));
        }
        if !survey.slow {
            notes.push(Note::SlowLimit(number, survey.frames));
        }
        surveys.push(survey);
    }
    Ok((surveys, notes))
}

/// Whether all frames of a model can be kept at once.
///
/// # Errors
/// [`Trouble::TooMuch`].
pub fn fits(dat: &Dat<'_>) -> Result<(), Trouble> {
    let bones = usize::from(dat.skeleton()?.len());
    let frames = dat.animations()?.iter().map(|it| usize::from(it.frames()));
    let numbers = frames.sum::<usize>() * 6 * bones;
    match numbers > MOST_NUMBERS {
        true => Err(Trouble::TooMuch(numbers)),
        false => Ok(()),
    }
}

/// A model in JSON: what `ff8 dump` writes and `ff8 encode` reads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Scale of the whole model, 4096 is 1.0.
    #[serde(default = "one")]
    pub scale: i16,
    /// The bones, parents before their children.
    pub bones: Vec<SourceBone>,
    /// The animations.
    pub animations: Vec<SourceAnimation>,
    /// Section 2 in hexadecimal; without it the model has no faces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub geometry: Option<String>,
}

const fn one() -> i16 {
    4096
}

/// A bone of a [`Source`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceBone {
    /// The bone that it hangs on; without it: a root.
    #[serde(default)]
    pub parent: Option<u8>,
    /// How far its children are from it.
    #[serde(default)]
    pub length: i16,
}

/// An animation of a [`Source`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceAnimation {
    /// Its frames, 1 to 255.
    pub frames: Vec<SourceFrame>,
}

/// A frame of a [`Source`], as `ff8 pose` prints it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceFrame {
    /// Position of the root.
    pub root: [i16; 3],
    /// The mode bit: for people, the scales say it.
    #[serde(default)]
    pub mode: u8,
    /// Every bone.
    pub bones: Vec<SourcePose>,
}

/// A bone in a frame of a [`Source`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourcePose {
    /// Rotation, 4096 a turn; whole turns do not count.
    pub rot: [i64; 3],
    /// Scale, 1024 is 1.0; nothing is 1.0.
    #[serde(default)]
    pub scale: Option<[i16; 3]>,
}

impl SourceFrame {
    /// A frame as it was decoded.
    #[must_use]
    pub fn of(pose: &AnyPose, bones: u8) -> Self {
        let bones = pose.rotation.iter().zip(&pose.scale).take(bones.into());
        let bones = bones.map(|(rot, scale)| SourcePose {
            rot: rot.map(i64::from),
            scale: pose.scaled.then_some(*scale),
        });
        Self {
            root: pose.root,
            mode: pose.scaled.into(),
            bones: bones.collect(),
        }
    }
}

/// Bytes from hexadecimal digits.
fn bytes_of(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = text
        .chars()
        .map(|it| it.to_digit(16).map(|it| it as u8))
        .collect();
    let digits = digits?;
    let pairs = digits.chunks(2);
    pairs
        .map(|pair| match pair {
            [high, low] => Some(high << 4 | low),
            _ => None,
        })
        .collect()
}

/// Section 2 of a model without objects.
const NOTHING: [u8; 8] = [0; 8];

impl Source {
    /// The JSON form of a model.
    ///
    /// # Errors
    /// As [`survey`].
    pub fn of(dat: &Dat<'_>) -> Result<Self, Trouble> {
        survey(dat)?;
        fits(dat)?;
        let skeleton: Skeleton<'_> = dat.skeleton()?;
        let bones = skeleton.bones().map(|bone| SourceBone {
            parent: bone.parent,
            length: bone.length,
        });
        let mut animations = Vec::new();
        for (number, animation) in (0..).zip(dat.animations()?.iter()) {
            let poses = poses(&animation, skeleton.len())
                .map_err(|error| Trouble::Animation(number, error))?;
            let frames = poses.iter().map(|it| SourceFrame::of(it, skeleton.len()));
            animations.push(SourceAnimation {
                frames: frames.collect(),
            });
        }
        let geometry = dat.section(2).filter(|it| *it != NOTHING);
        Ok(Self {
            scale: skeleton.scale(),
            bones: bones.collect(),
            animations,
            geometry: geometry.map(|it| it.iter().map(|byte| format!("{byte:02X}")).collect()),
        })
    }

    /// Write section 3.
    ///
    /// # Errors
    /// What is wrong, with its place.
    pub fn section(&self) -> Result<Vec<u8>, String> {
        let bones = match u8::try_from(self.bones.len()) {
            Ok(bones @ 1..) => bones,
            _ => {
                return Err(format!(
                    "expected 1 to 255 bones, found {}",
                    self.bones.len()
                ));
            }
        };
        let mut streams = Vec::new();
        for (number, animation) in self.animations.iter().enumerate() {
            let stream = animation
                .stream(bones)
                .map_err(|error| format!("animation {number}: {error}"))?;
            streams.push(stream);
        }
        let most = streams.iter().map(|it| it.len() + 4).sum::<usize>() + 16;
        let mut out = vec![0; most];
        let count = u32::try_from(streams.len()).unwrap_or(u32::MAX);
        let length = emit_animations(count, &mut out, |number, place| {
            let stream = &streams[number as usize];
            let room = place.len();
            let place = place
                .get_mut(..stream.len())
                .ok_or(Error::OutputTooSmall { room })?;
            place.copy_from_slice(stream);
            Ok(stream.len())
        })
        .map_err(|error| error.to_string())?;
        out.truncate(length);
        Ok(out)
    }

    /// Write a pose-only model: sections 1 to 3.
    ///
    /// # Errors
    /// What is wrong, with its place.
    pub fn model(&self) -> Result<Vec<u8>, String> {
        let animations = self.section()?;
        let bones: Vec<_> = self.bones.iter().map(|it| (it.parent, it.length)).collect();
        let mut skeleton = vec![0; 16 + 48 * bones.len()];
        let source = SkeletonSource {
            scale: self.scale,
            bones: &bones,
        };
        emit_skeleton(&source, &mut skeleton).map_err(|error| error.to_string())?;
        let geometry = match &self.geometry {
            None => NOTHING.to_vec(),
            Some(text) => {
                bytes_of(text).ok_or("geometry: expected an even number of hexadecimal digits")?
            }
        };
        let sections = [&skeleton[..], &geometry, &animations];
        let most = sections.iter().map(|it| it.len() + 4).sum::<usize>() + 24;
        let mut out = vec![0; most];
        let length = emit(&sections, &mut out).map_err(|error| error.to_string())?;
        out.truncate(length);
        // What was written is read: nothing leaves that the reader refuses.
        let dat = Dat::parse(&out).map_err(|error| error.to_string())?;
        debug_assert_eq!(dat.kind(), Kind::PoseOnly);
        dat.geometry(bones.len() as u8)
            .map_err(|error| format!("geometry: {error}"))?;
        Ok(out)
    }
}

impl SourceAnimation {
    fn stream(&self, bones: u8) -> Result<Vec<u8>, Error> {
        let one = [1024; 3];
        let turns: Vec<Vec<[i16; 3]>> = self
            .frames
            .iter()
            // Whole turns do not count, so that only the low bits matter.
            .map(|it| {
                it.bones
                    .iter()
                    .map(|it| it.rot.map(|it| it as i16))
                    .collect()
            })
            .collect();
        let scales: Vec<Vec<[i16; 3]>> = self
            .frames
            .iter()
            .map(|it| it.bones.iter().map(|it| it.scale.unwrap_or(one)).collect())
            .collect();
        let frames: Vec<_> = self
            .frames
            .iter()
            .zip(turns.iter().zip(&scales))
            .map(|(frame, (rotation, scale))| FrameSource {
                root: frame.root,
                rotation,
                scale: Some(scale),
            })
            .collect();
        let mut out = vec![0; 1 + self.frames.len() * (55 + 96 * usize::from(bones)).div_ceil(8)];
        let length = encode(&frames, bones, &mut out)?;
        out.truncate(length);
        Ok(out)
    }
}
