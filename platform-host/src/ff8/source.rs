//! Battle models as JSON: what `ff8 dump` writes and `ff8 encode` reads.

use overworld_runtime::anim::ff8::{
    Animations, Dat, Error, FrameSource, Kind, Skeleton, SkeletonSource, emit, emit_animations,
    emit_skeleton, encode,
};
use serde::{Deserialize, Serialize};

use super::{AnyPose, Trouble, alone, each, fits, survey};

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

/// An animation of a [`Source`]: frames, or a stream.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceAnimation {
    /// Its frames, 1 to 255.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frames: Vec<SourceFrame>,
    /// What frames cannot say (none at all, or a scale that wraps): the frame count and the stream in hexadecimal,
    /// written as they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stream: Option<String>,
}

impl From<Vec<SourceFrame>> for SourceAnimation {
    fn from(frames: Vec<SourceFrame>) -> Self {
        Self {
            frames,
            stream: None,
        }
    }
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

/// Bytes in hexadecimal digits.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}

/// Section 2 of a model without objects.
const NOTHING: [u8; 8] = [0; 8];

impl Source {
    /// The JSON form of a model.
    ///
    /// # Errors
    /// As [`survey`].
    pub fn of(dat: &Dat<'_>) -> Result<Self, Trouble> {
        let (surveys, _) = survey(dat)?;
        fits(dat, None)?;
        let skeleton: Skeleton<'_> = dat.skeleton()?;
        let bones = skeleton.bones().map(|bone| SourceBone {
            parent: bone.parent,
            length: bone.length,
        });
        let table = dat.animations()?;
        let mut animations = Vec::new();
        for ((number, animation), survey) in (0..).zip(table.iter()).zip(&surveys) {
            if survey.frames == 0 || survey.wrapped.is_some() {
                let stream = table.section().get(animation.start()..);
                let length = 1 + survey.bits.div_ceil(8);
                let stream = stream.and_then(|it| it.get(..length)).unwrap_or_default();
                animations.push(SourceAnimation {
                    frames: Vec::new(),
                    stream: Some(hex(stream)),
                });
                continue;
            }
            let mut frames = Vec::new();
            each(&animation, skeleton.len(), |pose| {
                frames.push(SourceFrame::of(pose, skeleton.len()));
            })
            .map_err(|error| Trouble::Animation(number, error))?;
            animations.push(frames.into());
        }
        let geometry = dat.section(2).filter(|it| *it != NOTHING);
        Ok(Self {
            scale: skeleton.scale(),
            bones: bones.collect(),
            animations,
            geometry: geometry.map(hex),
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
                .bytes(bones)
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
        emit_skeleton(&source, &mut skeleton).map_err(|error| match error {
            // In a document a root has no such key.
            Error::ParentOrder { bone: 0, parent } => format!(
                "ParentOrder: bone 0 is the root, for nothing stands before it: expected no \"parent\", found {parent}"
            ),
            Error::ParentOrder { bone, parent } => format!(
                "ParentOrder: bone {bone}: expected a \"parent\" below {bone}, or none for a root, found {parent}"
            ),
            error => error.to_string(),
        })?;
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
    /// The frame count and the stream.
    fn bytes(&self, bones: u8) -> Result<Vec<u8>, String> {
        match &self.stream {
            None => self.shortest(bones).map_err(|error| error.to_string()),
            Some(_) if !self.frames.is_empty() => {
                Err("expected frames or a stream, found both".to_owned())
            }
            Some(text) => stream(text, bones).map_err(|error| format!("stream: {error}")),
        }
    }

    fn shortest(&self, bones: u8) -> Result<Vec<u8>, Error> {
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

/// The bytes of a stream that is written as it is, if that many bones can be read from them, and nothing is left.
fn stream(text: &str, bones: u8) -> Result<Vec<u8>, String> {
    let bytes = bytes_of(text).ok_or("expected an even number of hexadecimal digits")?;
    if bytes.is_empty() {
        return Err("expected a frame count, found no byte".to_owned());
    }
    let section = alone(&bytes);
    let read = Animations::parse(&section)
        .and_then(|it| it.get(0))
        .and_then(|it| each(&it, bones, |_| {}));
    let length = 1 + read.map_err(|error| error.to_string())?.div_ceil(8);
    match bytes.len() == length {
        true => Ok(bytes),
        false => Err(format!(
            "expected the {length} bytes of {} frames, found {}",
            bytes[0],
            bytes.len()
        )),
    }
}
