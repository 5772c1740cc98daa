//! FF8 battle models on the PC: what `overworld ff8` tells of them, and their JSON form.

pub mod bones;
mod note;
mod source;

use std::collections::HashMap;
use std::fmt;

use overworld_runtime::anim::ff8::{
    Animation, Animations, BitWriter, Dat, Decoder, End, Error, Events, FrameSource, Pose,
    Progress, SCALE_ONE, SLOW_LIMIT, Speed, encode, replay,
};
use serde::Serialize;

use crate::fault::{self, Fault};
pub use note::Note;
pub use source::{Printed, Source, SourceAnimation, SourceBone, SourceFrame, SourcePose};

/// How often the bytes of a section may be part of an animation.
const LAYERS: usize = 4;

/// Numbers that [`Source::of`] writes at most.
const MOST_NUMBERS: usize = 16 << 20;

/// The least scale that can be written; what is read as less has wrapped (section 9).
const LEAST_SCALE: i16 = i16::MIN + SCALE_ONE;

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
    /// A scale that has wrapped at 16 bits: the shortest form, which cannot say it, is then the stream's own.
    #[serde(skip)]
    pub wrapped: Option<i16>,
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

impl Trouble {
    /// The fault with its place in the file.
    #[must_use]
    pub fn fault(&self, data: &[u8]) -> Fault {
        match self {
            Self::Model(error) => fault::ff8(data, error),
            Self::Animation(animation, error) => {
                let mut fault = fault::ff8(data, error);
                fault.text = format!("animation {animation}: {}", fault.text);
                fault
            }
            Self::Differs(_) | Self::TooMuch(_) => Fault::new(self, None),
            Self::Crowded => {
                let mut fault = Fault::new(self, None);
                // The sentence has the sheet's name.
                if let Some((name, text)) = fault.text.split_once(": ") {
                    (fault.name, fault.text) = (name.to_owned(), text.to_owned());
                }
                fault
            }
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
    let mut poses = Vec::new();
    each(animation, bones, |pose| poses.push(*pose))?;
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

/// All frames of an animation, of its own bones alone: an [`AnyPose`] is as large as the largest skeleton.
#[derive(Default)]
struct Shown {
    bones: usize,
    /// Root and mode bit of each frame.
    frames: Vec<([i16; 3], bool)>,
    /// For each frame the rotations and scales of every bone.
    rotations: Vec<[i16; 3]>,
    scales: Vec<[i16; 3]>,
}

impl Shown {
    /// The frames, and where the stream ends.
    fn of(animation: &Animation<'_>, bones: u8) -> Result<(Self, usize), Error> {
        let mut shown = Self {
            bones: bones.into(),
            ..Self::default()
        };
        let end = each(animation, bones, |pose| {
            shown.frames.push((pose.root, pose.scaled));
            shown.rotations.extend(&pose.rotation[..shown.bones]);
            shown.scales.extend(&pose.scale[..shown.bones]);
        })?;
        Ok((shown, end))
    }

    fn row(&self, frame: usize) -> FrameSource<'_> {
        let span = frame * self.bones..(frame + 1) * self.bones;
        let (root, scaled) = self.frames[frame];
        FrameSource {
            root,
            rotation: &self.rotations[span.clone()],
            scale: scaled.then_some(&self.scales[span]),
        }
    }

    /// A scale that has wrapped at 16 bits, which the shortest form cannot say.
    fn wrapped(&self) -> Option<i16> {
        let rows = (0..self.frames.len()).filter_map(|frame| self.row(frame).scale);
        let mut scales = rows.flatten().flatten();
        scales.find(|it| **it < LEAST_SCALE).copied()
    }

    /// The animation in the shortest form.
    fn shortest(&self) -> Result<Vec<u8>, Error> {
        let frames: Vec<_> = (0..self.frames.len()).map(|it| self.row(it)).collect();
        // The longest frame, and the count.
        let mut out = vec![0; 1 + frames.len() * (55 + 96 * self.bones).div_ceil(8)];
        let length = encode(&frames, self.bones as u8, &mut out)?;
        out.truncate(length);
        Ok(out)
    }

    /// Whether a pose looks like one of the frames: rotations modulo a turn, scales where they count.
    fn is(&self, frame: usize, pose: &AnyPose) -> bool {
        if frame >= self.frames.len() {
            return false;
        }
        let row = self.row(frame);
        let turns = row.rotation.as_flattened().iter();
        let mut turns = turns.zip(pose.rotation.as_flattened());
        let is_one = |scale: &[[i16; 3]]| scale.iter().all(|it| *it == [SCALE_ONE; 3]);
        let scales = match (row.scale, pose.scaled) {
            (Some(scale), true) => scale == &pose.scale[..self.bones],
            // The mode bit without any scale shows what no mode bit does.
            (Some(scale), false) => is_one(scale),
            (None, true) => is_one(&pose.scale[..self.bones]),
            (None, false) => true,
        };
        row.root == pose.root && scales && turns.all(|(a, b)| (a ^ b) & 0xFFF == 0)
    }
}

/// Decode all frames; where the stream ends, in bits from its first one.
fn each(
    animation: &Animation<'_>,
    bones: u8,
    mut see: impl FnMut(&AnyPose),
) -> Result<usize, Error> {
    let mut decoder = Decoder::new(animation, bones, Speed::Normal);
    let mut pose = AnyPose::START;
    while let Progress::Frame(_) = decoder.step(&mut pose)? {
        see(&pose);
    }
    let (byte, bit) = decoder.position();
    Ok(bits(animation, (byte as usize, bit)))
}

/// An animation alone in a section, as a stream is read that stands in none.
fn alone(animation: &[u8]) -> Vec<u8> {
    [&[1, 0, 0, 0, 8, 0, 0, 0], animation].concat()
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
        let (shown, length) = Shown::of(animation, bones).map_err(trouble)?;
        let mut bytes = vec![0; length.div_ceil(8)];
        let mut reader = Events::new(animation, bones);
        let events = reader.by_ref().filter_map(Result::ok);
        replay(events, &mut BitWriter::new(&mut bytes)).map_err(trouble)?;
        let stream = section.get(animation.start() + 1..).unwrap_or_default();
        // The bits behind the last one are not the stream's.
        let spare = |byte: u8| byte & (0xFF >> ((8 - length % 8) % 8));
        let (last, whole) = bytes.split_last().unwrap_or((&0, &[]));
        let replayed = bits(animation, reader.position()) == length
            && stream.starts_with(whole)
            && (bytes.is_empty() || stream.get(whole.len()).map(|it| spare(*it)) == Some(*last));
        let wrapped = shown.wrapped();
        let (mut again, mut minimal) = (true, length);
        // Neither an animation without frames nor a scale that wraps has a form of its own.
        if !shown.frames.is_empty() && wrapped.is_none() {
            let section = alone(&shown.shortest().map_err(trouble)?);
            let animation = Animations::parse(&section)?.get(0)?;
            let mut frames = 0;
            minimal = each(&animation, bones, |pose| {
                again &= shown.is(frames, pose);
                frames += 1;
            })
            .map_err(trouble)?;
            again &= frames == shown.frames.len();
        }
        if !replayed || !again {
            return Err(Trouble::Differs(number));
        }
        Ok(Self {
            frames: animation.frames(),
            bits: length,
            scaled: shown.frames.iter().filter(|(_, scaled)| *scaled).count(),
            slow: animation.frames() <= SLOW_LIMIT,
            shortest: minimal,
            wrapped,
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
    let surveys = streams(&dat.animations()?, bones, &mut notes)?;
    Ok((surveys, notes))
}

/// Read an animation section to its end that stands in no model, of a model with so many bones: as [`survey`].
///
/// # Errors
/// The first fault.
pub fn survey_section(section: &[u8], bones: u8) -> Result<(Vec<Survey>, Vec<Note>), Trouble> {
    let mut notes = Vec::new();
    let animations = Animations::parse(section)?;
    let surveys = streams(&animations, bones, &mut notes)?;
    let ends = animations.iter().zip(&surveys);
    let ends = ends.map(|(it, survey)| it.start() + 1 + survey.bits.div_ceil(8));
    // Without an animation the table is all.
    let end = ends.max().unwrap_or(4);
    let rest = section.get(end..).unwrap_or_default();
    if rest.len() > PADDING || rest.iter().any(|it| *it != 0) {
        notes.push(Note::Unread(rest.len(), end));
    }
    Ok((surveys, notes))
}

/// Zeros that fill a section up behind its last stream, at the most.
const PADDING: usize = 5;

/// A survey of every animation.
fn streams(
    animations: &Animations<'_>,
    bones: u8,
    notes: &mut Vec<Note>,
) -> Result<Vec<Survey>, Trouble> {
    let mut starts: Vec<usize> = animations.iter().map(|it| it.start()).collect();
    starts.sort_unstable();
    let mut surveys = Vec::new();
    let mut known: HashMap<usize, Survey> = HashMap::new();
    let fields = |frames: u8| usize::from(frames) * (4 + 3 * usize::from(bones));
    // Each field has a bit at least. One stream that the section cannot hold is told as that.
    let mut left = LAYERS * 8 * animations.section().len() + fields(u8::MAX);
    for (number, animation) in (0..).zip(animations.iter()) {
        // Several numbers may mean one stream.
        let survey = match known.get(&animation.start()) {
            Some(survey) => *survey,
            None => {
                let fields = fields(animation.frames());
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
        if let Some(scale) = survey.wrapped {
            notes.push(Note::ValueRange(number, scale));
        }
        surveys.push(survey);
    }
    Ok(surveys)
}

/// With how many bones these bytes are an animation section as [`Source::section`] writes it: the streams, in their
/// shortest forms, follow one another without a gap, and two to five zeros fill it up to a multiple of four. None for anything else, or without a
/// frame.
#[must_use]
pub fn section_bones(section: &[u8]) -> Vec<u8> {
    let Ok(animations) = Animations::parse(section) else {
        return Vec::new();
    };
    let frames: usize = animations.iter().map(|it| usize::from(it.frames())).sum();
    // A frame of a bone takes at least so many bits.
    let most = (8 * section.len()).checked_div(3 * frames).unwrap_or(0);
    let table = 4 + 4 * animations.len() as usize;
    let fits = |&bones: &u8| {
        let mut next = table;
        for animation in animations.iter() {
            if animation.start() != next {
                return false;
            }
            let Ok(bits) = each(&animation, bones, |_| {}) else {
                return false;
            };
            next += 1 + bits.div_ceil(8);
        }
        let rest = section.get(next..).unwrap_or_default();
        (2..=PADDING).contains(&rest.len()) && rest.iter().all(|it| *it == 0)
    };
    if !section.len().is_multiple_of(4) {
        return Vec::new();
    }
    let is_shortest = |bones: &u8| {
        let surveyed = survey_section(section, *bones);
        surveyed.is_ok_and(|(surveys, _)| surveys.iter().all(|it| it.bits == it.shortest))
    };
    let most = u8::try_from(most).unwrap_or(u8::MAX);
    (1..=most).filter(fits).filter(is_shortest).collect()
}

/// Whether all frames of a model, or of the `chosen` animation, can be kept at once.
///
/// # Errors
/// [`Trouble::TooMuch`].
pub fn fits(dat: &Dat<'_>, chosen: Option<u32>) -> Result<(), Trouble> {
    let bones = usize::from(dat.skeleton()?.len());
    let animations = (0..).zip(dat.animations()?.iter());
    let animations = animations.filter(|(number, _)| chosen.is_none_or(|it| it == *number));
    let frames = animations.map(|(_, it)| usize::from(it.frames()));
    let numbers = frames.sum::<usize>() * 6 * bones;
    match numbers > MOST_NUMBERS {
        true => Err(Trouble::TooMuch(numbers)),
        false => Ok(()),
    }
}
