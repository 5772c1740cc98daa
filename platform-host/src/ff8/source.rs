//! Battle models as JSON: what `ff8 dump` writes and `ff8 encode` reads.

use overworld_runtime::anim::ff8::{
    Animations, Dat, Error, FrameSource, Skeleton, SkeletonSource, emit, emit_animations,
    emit_skeleton, encode,
};
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize};

use super::{AnyPose, Trouble, alone, each, fits, survey};
use crate::identify::count;

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
    /// The flag of the skeleton, byte 1, which play-back does not read.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub flag: u8,
    /// Bytes 4 to 15 of the skeleton, which nobody reads, in hexadecimal: zeros without it, and where it ends early.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde asks")]
const fn is_zero(value: &u8) -> bool {
    *value == 0
}

const fn one() -> i16 {
    4096
}

/// A bone of a [`Source`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceBone {
    /// The bone that it hangs on; without it: a root.
    #[serde(default)]
    pub parent: Option<u8>,
    /// How far its children are from it.
    #[serde(default)]
    pub length: i16,
    /// Bytes 4 to 47 of the bone, which play-back does not read, in hexadecimal: zeros where it ends early. Without it
    /// scales of 1.0, and zeros.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest: Option<String>,
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

/// A frame of a [`Source`]; it may be one that `ff8 pose` has printed.
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourcePose {
    /// Rotation, 4096 a turn; whole turns do not count.
    pub rot: [i64; 3],
    /// Scale, 1024 is 1.0; nothing is 1.0.
    #[serde(default)]
    pub scale: Option<[i16; 3]>,
    /// As `ff8 pose` prints it.
    #[serde(default, skip_serializing)]
    pub at: Printed,
    /// As `ff8 pose` prints it.
    #[serde(default, skip_serializing)]
    pub matrix: Printed,
}

/// What `ff8 pose` prints for people, and what follows from other values: read over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Printed;

impl<'de> Deserialize<'de> for Printed {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        IgnoredAny::deserialize(from).map(|_| Self)
    }
}

impl SourceFrame {
    /// A frame as it was decoded.
    #[must_use]
    pub fn of(pose: &AnyPose, bones: u8) -> Self {
        let bones = pose.rotation.iter().zip(&pose.scale).take(bones.into());
        let bones = bones.map(|(rot, scale)| SourcePose {
            rot: rot.map(i64::from),
            scale: pose.scaled.then_some(*scale),
            ..SourcePose::default()
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

/// Bytes of a skeleton's header and of a bone (FF8 sheet, section 2).
const HEADER: usize = 16;
const BONE: usize = 48;

/// Bytes 4 to 47 of a bone as the writer makes them: scales of 1.0.
const NEW_BONE: [u8; BONE - 4] = {
    let mut bytes = [0; BONE - 4];
    [bytes[7], bytes[9], bytes[11]] = [4; 3];
    bytes
};

/// Without the zeros at the end.
fn without_zeros(bytes: &[u8]) -> &[u8] {
    let length = bytes.iter().rposition(|it| *it != 0).map_or(0, |it| it + 1);
    &bytes[..length]
}

/// Bytes in hexadecimal digits, and zeros behind them.
fn fill(place: &mut [u8], text: &str) -> Result<(), String> {
    let bytes = bytes_of(text).ok_or("expected an even number of hexadecimal digits")?;
    let room = place.len();
    let (first, rest) = place
        .split_at_mut_checked(bytes.len())
        .ok_or_else(|| format!("expected at most {room} bytes, found {}", bytes.len()))?;
    first.copy_from_slice(&bytes);
    rest.fill(0);
    Ok(())
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
        let bytes = dat.section(1).unwrap_or_default();
        let rests = bytes.get(HEADER..).unwrap_or_default().chunks_exact(BONE);
        let bones = skeleton
            .bones()
            .zip(rests)
            .map(|(bone, stored)| SourceBone {
                parent: bone.parent,
                length: bone.length,
                rest: (stored[4..] != NEW_BONE).then(|| hex(without_zeros(&stored[4..]))),
            });
        let header = without_zeros(bytes.get(4..HEADER).unwrap_or_default());
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
            flag: skeleton.scale_flag(),
            header: (!header.is_empty()).then(|| hex(header)),
        })
    }

    /// What of a model its JSON form does not have, a sentence each.
    ///
    /// # Errors
    /// Those of the skeleton.
    pub fn losses(dat: &Dat<'_>) -> Result<Vec<String>, Error> {
        let mut losses = Vec::new();
        if dat.len() > 3 {
            losses.push(format!(
                "sections 4 to {} are not in the document; ff8 encode --into keeps them",
                dat.len()
            ));
        }
        let tail = dat.skeleton()?.tail().len();
        if tail > 0 {
            let tail = count(tail, "byte");
            losses.push(format!("{tail} behind the bones are not in the document"));
        }
        let after = dat.after().len();
        if after > 0 {
            let after = count(after, "byte");
            losses.push(format!(
                "{after} behind the file's end are not in the document; ff8 encode --into keeps them"
            ));
        }
        Ok(losses)
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
        let geometry = self.geometry()?.unwrap_or_else(|| NOTHING.to_vec());
        let sections = [self.skeleton()?, geometry, animations];
        self.joined(&sections.each_ref().map(|it| &it[..]))
    }

    /// Whether it has a section 2 of its own.
    #[must_use]
    pub const fn has_geometry(&self) -> bool {
        self.geometry.is_some()
    }

    /// Put it into a model: its sections 1 to 3 are replaced, section 2 only where this has a geometry; the others, and
    /// what is behind the end, stay as they are.
    ///
    /// # Errors
    /// What is wrong, with its place.
    pub fn put_into(&self, dat: &Dat<'_>) -> Result<Vec<u8>, String> {
        let animations = self.section()?;
        let own = dat.section(2).unwrap_or_default();
        let geometry = self.geometry()?.unwrap_or_else(|| own.to_vec());
        let first = [self.skeleton()?, geometry, animations];
        let others = (4..=dat.len()).filter_map(|it| dat.section(it));
        let sections: Vec<_> = first.iter().map(|it| &it[..]).chain(others).collect();
        let mut out = self.joined(&sections)?;
        out.extend(dat.after());
        Ok(out)
    }

    /// Section 2, if it is given.
    fn geometry(&self) -> Result<Option<Vec<u8>>, String> {
        let bytes = self.geometry.as_deref().map(|text| {
            bytes_of(text).ok_or("geometry: expected an even number of hexadecimal digits")
        });
        Ok(bytes.transpose()?)
    }

    /// Section 1.
    fn skeleton(&self) -> Result<Vec<u8>, String> {
        let bones: Vec<_> = self.bones.iter().map(|it| (it.parent, it.length)).collect();
        let mut skeleton = vec![0; HEADER + BONE * bones.len()];
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
        skeleton[1] = self.flag;
        if let Some(text) = &self.header {
            fill(&mut skeleton[4..HEADER], text).map_err(|it| format!("header: {it}"))?;
        }
        for (number, bone) in self.bones.iter().enumerate() {
            if let Some(text) = &bone.rest {
                let at = HEADER + BONE * number;
                fill(&mut skeleton[at + 4..at + BONE], text)
                    .map_err(|it| format!("bone {number}: rest: {it}"))?;
            }
        }
        Ok(skeleton)
    }

    /// A file of these sections.
    fn joined(&self, sections: &[&[u8]]) -> Result<Vec<u8>, String> {
        let most = sections.iter().map(|it| it.len() + 4).sum::<usize>() + 24;
        let mut out = vec![0; most];
        let length = emit(sections, &mut out).map_err(|error| error.to_string())?;
        out.truncate(length);
        // What was written is read: nothing leaves that the reader refuses.
        let dat = Dat::parse(&out).map_err(|error| error.to_string())?;
        dat.geometry(self.bones.len() as u8)
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
