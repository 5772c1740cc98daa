//! `overworld ff8 ...`

mod make;

use std::path::PathBuf;

use clap::{Args, Subcommand};
use overworld_host::fault;
use overworld_host::ff8::{self, Note, Survey, Trouble};
use overworld_host::identify::count;
use overworld_runtime::anim::ff8::{Animation, BoneMatrices, Dat, End, Error, matrices};
use overworld_runtime::gte::software::Gte;
use serde_json::{Value, json};

use super::files::Input;
use super::{Failure, Output, list, number, within};
use make::{Dump, Encode, Gltf, Sample, Strip};

#[derive(Subcommand)]
pub enum Ff8 {
    /// List the sections, bones and animations of a model
    ///
    /// Or the animations of a section that stands alone, as ff8 encode --section writes it.
    Info(Info),
    /// Show the pose of one frame, and the matrices of its bones
    Pose(Pose),
    /// Write a model as JSON, which `ff8 encode` reads
    ///
    /// Of its first three sections nothing is lost but the form of values; what else there is, is told.
    Dump(Dump),
    /// Make a model from JSON, every value in its shortest form
    ///
    /// With --into the sections that the document does not have are those of another model.
    Encode(Encode),
    /// Write a model with its animations as binary glTF (.glb), for other programs
    Gltf(Gltf),
    /// Draw the frames of an animation side by side, as a PNG
    ///
    /// All of them with one view, from the front, 16 in a row, 128 by 128 pixels each. Without a texture the model is
    /// grey, for section 11 of a model is not read.
    Strip(Strip),
    /// Write a model of the project's own, a toad that squashes and stretches
    Sample(Sample),
    /// Decode all animations, write them again, compare
    ///
    /// Once field by field, which must give the same bits, and once in the shortest form, which must show the same.
    Check(File),
}

#[derive(Args)]
pub struct Info {
    /// A battle model
    file: PathBuf,
    /// The file is an animation section alone, of a model with so many bones
    #[arg(long, value_name = "BONES", value_parser = within(1, u8::MAX))]
    section: Option<u8>,
}

#[derive(Args)]
pub struct File {
    /// A battle model
    file: PathBuf,
}

#[derive(Args)]
pub struct Pose {
    /// A battle model
    file: PathBuf,
    /// Number of the animation, from 0
    #[arg(long, value_name = "A", value_parser = number::<u32>)]
    animation: u32,
    /// The frame, from 0
    #[arg(long, value_name = "F", value_parser = number::<u8>)]
    frame: u8,
}

impl Ff8 {
    pub fn execute(self, out: &Output) -> Result<(), Failure> {
        match self {
            Self::Info(info) => info.execute(out),
            Self::Pose(pose) => pose.execute(out),
            Self::Dump(dump) => dump.execute(out),
            Self::Encode(encode) => encode.execute(out),
            Self::Gltf(gltf) => gltf.execute(out),
            Self::Strip(strip) => strip.execute(out),
            Self::Sample(sample) => sample.execute(out),
            Self::Check(file) => check(&file, out),
        }
    }
}

fn failure(input: &Input, error: &Error) -> Failure {
    input.failure(fault::ff8(&input.data, error))
}

fn trouble(input: &Input, trouble: &Trouble) -> Failure {
    input.failure(trouble.fault(&input.data))
}

fn model(input: &Input) -> Result<Dat<'_>, Failure> {
    Dat::parse(&input.data).map_err(|error| match ff8::section_bones(&input.data).first() {
        None => failure(input, &error),
        Some(bones) => input.failure(format_args!(
            "{}; but it is an animation section alone, which ff8 info --section {bones} reads",
            fault::ff8(&input.data, &error)
        )),
    })
}

fn surveys(input: &Input, dat: &Dat<'_>) -> Result<(Vec<Survey>, Vec<Note>), Failure> {
    ff8::survey(dat).map_err(|error| trouble(input, &error))
}

fn texts(notes: &[Note]) -> Vec<String> {
    notes.iter().map(ToString::to_string).collect()
}

impl Info {
    fn execute(self, out: &Output) -> Result<(), Failure> {
        let input = Input::read(&self.file)?;
        match self.section {
            None => info(&input, out),
            Some(bones) => section(&input, bones, out),
        }
    }
}

/// A line for each animation, and for each note.
fn tell(animations: &[Survey], notes: &[Note], out: &Output) -> Result<(), Failure> {
    for (number, it) in animations.iter().enumerate() {
        out.say(format_args!(
            "animation {number:3}  {:3} frames  {:6} bits, {:6} at the shortest  {:3} frames with scales",
            it.frames, it.bits, it.shortest, it.scaled
        ))?;
    }
    notes.iter().try_for_each(|note| out.say(note))
}

/// An animation section that stands alone.
fn section(input: &Input, bones: u8, out: &Output) -> Result<(), Failure> {
    let whole = Dat::parse(&input.data).ok();
    if whole.is_some_and(|it| it.end() == End::Exact && it.kind().is_animated()) {
        return Err(
            input.failure("a whole model, no section that stands alone: leave --section out")
        );
    }
    let surveyed = ff8::survey_section(&input.data, bones);
    let (animations, notes) = surveyed.map_err(|error| {
        // Offsets are those of the section, which is the file.
        let text = match &error {
            Trouble::Model(error) => error.to_string(),
            Trouble::Animation(number, error) => format!("animation {number}: {error}"),
            error => error.to_string(),
        };
        input.failure(format_args!(
            "{text} (as a section of {})",
            count(bones.into(), "bone")
        ))
    })?;
    out.say(format_args!(
        "animation section, {} of {}, {}",
        count(animations.len(), "animation"),
        count(bones.into(), "bone"),
        count(input.data.len(), "byte")
    ))?;
    tell(&animations, &notes, out)?;
    out.document(&json!({
        "kind": "animation section", "sections": [], "bones": bones,
        "animations": animations, "notes": texts(&notes),
    }))
}

fn info(input: &Input, out: &Output) -> Result<(), Failure> {
    let dat = model(input)?;
    out.say(format_args!(
        "{}, {}",
        dat.kind().name(),
        count(dat.len().into(), "section")
    ))?;
    let sections = (1..=dat.len()).map(|section| {
        let start = dat.start(section).unwrap_or(0);
        let size = dat.section(section).unwrap_or_default().len();
        (section, start, size)
    });
    let sections: Vec<_> = sections.collect();
    for (section, start, size) in &sections {
        out.say(format_args!(
            "section {section:2}  at {start:#07x}  {size:7} bytes"
        ))?;
    }
    let sections: Vec<Value> = sections
        .iter()
        .map(|(number, start, size)| json!({ "number": number, "start": start, "size": size }))
        .collect();
    let mut document = json!({ "kind": dat.kind().name(), "sections": sections });
    if !dat.kind().is_animated() {
        out.say("files of this kind hold no skeleton and no animations")?;
        document["bones"] = json!(0);
        document["animations"] = json!([]);
        return out.document(&document);
    }
    let skeleton = dat.skeleton().map_err(|error| failure(input, &error))?;
    let mesh = dat
        .geometry(skeleton.len())
        .map_err(|error| failure(input, &error))?;
    let (animations, notes) = surveys(input, &dat)?;
    out.say(format_args!(
        "{}, scale {} (4096 is 1.0)",
        count(skeleton.len().into(), "bone"),
        skeleton.scale()
    ))?;
    for (number, bone) in (0..).zip(skeleton.bones()) {
        let number: u16 = number;
        let parent = bone
            .parent
            .map_or("root".to_owned(), |it| format!("on {it}"));
        out.say(format_args!(
            "bone {number:3}  {parent:7}  length {}",
            bone.length
        ))?;
    }
    for (number, object) in mesh.objects().enumerate() {
        out.say(format_args!(
            "object {number:3}  {:5} vertices  {:5} faces",
            object.len(),
            object.faces().count()
        ))?;
    }
    tell(&animations, &notes, out)?;
    document["bones"] = json!(skeleton.len());
    document["scale"] = json!(skeleton.scale());
    document["skeleton"] = skeleton
        .bones()
        .map(|it| json!({ "parent": it.parent, "length": it.length }))
        .collect();
    document["objects"] = mesh
        .objects()
        .map(|it| json!({ "vertices": it.len(), "faces": it.faces().count() }))
        .collect();
    document["animations"] = json!(animations);
    document["notes"] = json!(texts(&notes));
    out.document(&document)
}

impl Pose {
    fn execute(self, out: &Output) -> Result<(), Failure> {
        let input = Input::read(&self.file)?;
        let dat = model(&input)?;
        let fail = |error| failure(&input, &error);
        let skeleton = dat.skeleton().map_err(fail)?;
        let animation: Animation<'_> = dat
            .animations()
            .and_then(|it| it.get(self.animation))
            .map_err(fail)?;
        let bones = skeleton.len();
        let pose = ff8::pose(&animation, bones, self.frame).map_err(fail)?;
        let pose = pose.ok_or_else(|| {
            input.failure(match animation.frames() {
                0 => format!("NoSuchFrame: animation {} has no frames", self.animation),
                frames => format!(
                    "NoSuchFrame: expected a frame from 0 to {}, found {}",
                    frames - 1,
                    self.frame
                ),
            })
        })?;
        let mut room = [BoneMatrices::default(); 255];
        let posed = matrices(&mut Gte::new(), &skeleton, &pose, &mut room).map_err(fail)?;
        out.say(format_args!(
            "root {}  {}",
            list(pose.root),
            if pose.scaled {
                "scaled"
            } else {
                "rotations only"
            }
        ))?;
        let mut document = Vec::new();
        for (bone, it) in posed.iter().enumerate() {
            let (rot, scale) = (pose.rotation[bone], pose.scale[bone]);
            let at = it.skin.translation;
            let at = [at.x, at.y, at.z];
            let scales = match pose.scaled {
                true => format!("  scale {}", list(scale)),
                false => String::new(),
            };
            out.say(format_args!(
                "bone {bone:3}  rot {}{scales}  at {}",
                list(rot),
                list(at)
            ))?;
            document.push(json!({
                "rot": rot,
                "scale": pose.scaled.then_some(scale),
                "at": at,
                "matrix": it.skin.rotation.m,
            }));
        }
        out.document(&json!({
            "root": pose.root,
            "mode": u8::from(pose.scaled),
            "bones": document,
        }))
    }
}

fn check(file: &File, out: &Output) -> Result<(), Failure> {
    let input = Input::read(&file.file)?;
    let surveyed = Dat::parse(&input.data)
        .map_err(Trouble::from)
        .and_then(|dat| ff8::survey(&dat));
    let (animations, notes) = match surveyed {
        Ok(surveyed) => surveyed,
        Err(error) => {
            let fault = error.fault(&input.data);
            let error = json!({ "name": fault.name, "offset": fault.offset, "text": fault.text });
            out.document(&json!({
                "good": false,
                "errors": [error],
                "animations": [],
                "notes": [],
            }))?;
            // One that is an animation section says so.
            model(&input)?;
            return Err(input.failure(fault));
        }
    };
    for note in &notes {
        out.say(note)?;
    }
    let sum = |of: fn(&Survey) -> usize| animations.iter().map(of).sum::<usize>();
    let (bits, shortest) = (sum(|it| it.bits), sum(|it| it.shortest));
    out.say(format_args!(
        "good: {}, {}, {bits} bits; {} could be saved",
        count(animations.len(), "animation"),
        count(sum(|it| it.frames.into()), "frame"),
        bits.saturating_sub(shortest)
    ))?;
    out.document(&json!({
        "good": true,
        "errors": [],
        "animations": animations,
        "notes": texts(&notes),
    }))
}
