//! `overworld ff8 ...`

use std::path::PathBuf;

use clap::{Args, Subcommand};
use overworld_host::ff8::{self, Note, Source, Survey, Trouble};
use overworld_host::gltf;
use overworld_host::identify::count;
use overworld_host::sample::toad;
use overworld_host::{fault, json, output, strip};
use overworld_runtime::anim::ff8::{Animation, BoneMatrices, Dat, Error, matrices};
use overworld_runtime::gte::software::Gte;
use overworld_runtime::model::tim::Tim;
use serde_json::{Value, json};

use super::files::{self, Input, Target};
use super::{Failure, Output, list, number};

#[derive(Subcommand)]
pub enum Ff8 {
    /// List the sections, bones and animations of a model
    Info(File),
    /// Show the pose of one frame, and the matrices of its bones
    Pose(Pose),
    /// Write a model as JSON, which `ff8 encode` reads
    Dump(Dump),
    /// Make a model from JSON, every value in its shortest form
    Encode(Encode),
    /// Write a model with its animations as glTF, for other programs
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

#[derive(Args)]
pub struct Dump {
    /// A battle model
    file: PathBuf,
    /// Where to put the text; standard output without this
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
}

#[derive(Args)]
pub struct Encode {
    /// A model in JSON, see docs/models.md
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// Where to put the model; standard output without this
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Write the animation section alone
    #[arg(long)]
    section: bool,
}

#[derive(Args)]
pub struct Gltf {
    /// A battle model
    file: PathBuf,
    /// Where to put the binary glTF (.glb); standard output without this
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Number of the only animation to write, from 0; all without this
    #[arg(long, value_name = "A", value_parser = number::<u32>)]
    animation: Option<u32>,
}

#[derive(Args)]
pub struct Strip {
    /// A battle model
    file: PathBuf,
    /// The picture to write; standard output without this
    #[arg(short, long, value_name = "OUT.png")]
    output: Option<PathBuf>,
    /// Number of the animation, from 0
    #[arg(long, value_name = "A", default_value = "0", value_parser = number::<u32>)]
    animation: u32,
    /// Draw each so many-th frame, beginning with the first one
    #[arg(long, value_name = "K", default_value = "1", value_parser = number::<u8>)]
    every: u8,
    /// The texture, a TIM
    #[arg(long, value_name = "TIM")]
    texture: Option<PathBuf>,
}

#[derive(Args)]
pub struct Sample {
    /// Where to put the model; standard output without this
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Where to put its texture, a TIM; not written without this
    #[arg(long, value_name = "TIM")]
    texture: Option<PathBuf>,
}

impl Ff8 {
    pub fn execute(self, out: &Output) -> Result<(), Failure> {
        match self {
            Self::Info(file) => info(&file, out),
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
    Dat::parse(&input.data).map_err(|error| failure(input, &error))
}

fn surveys(input: &Input, dat: &Dat<'_>) -> Result<(Vec<Survey>, Vec<Note>), Failure> {
    ff8::survey(dat).map_err(|error| trouble(input, &error))
}

fn texts(notes: &[Note]) -> Vec<String> {
    notes.iter().map(ToString::to_string).collect()
}

fn info(file: &File, out: &Output) -> Result<(), Failure> {
    let input = Input::read(&file.file)?;
    let dat = model(&input)?;
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
    let skeleton = dat.skeleton().map_err(|error| failure(&input, &error))?;
    let mesh = dat
        .geometry(skeleton.len())
        .map_err(|error| failure(&input, &error))?;
    let (animations, notes) = surveys(&input, &dat)?;
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
    for (number, it) in animations.iter().enumerate() {
        out.say(format_args!(
            "animation {number:3}  {:3} frames  {:6} bits, {:6} at the shortest  {:3} frames with scales",
            it.frames, it.bits, it.shortest, it.scaled
        ))?;
    }
    for note in &notes {
        out.say(note)?;
    }
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

impl Dump {
    fn execute(self, out: &Output) -> Result<(), Failure> {
        let input = Input::read(&self.file)?;
        let target = match self.output {
            None => None,
            some => Some(Target::new(some, &self.file, out)?),
        };
        let dat = model(&input)?;
        let source = Source::of(&dat).map_err(|error| trouble(&input, &error))?;
        // Straight into text: as a tree it would take ten times the memory.
        let text = serde_json::to_string(&source).map_err(|error| input.failure(error))?;
        let text = json::pretty(&text);
        match target {
            None => super::bytes(text.as_bytes()),
            Some(target) => {
                target.write(text.as_bytes())?;
                target.say(out, count(source.animations.len(), "animation"))?;
                out.document(&json!({ "animations": source.animations.len() }))
            }
        }
    }
}

impl Encode {
    fn execute(self, out: &Output) -> Result<(), Failure> {
        let input = Input::read(&self.input)?;
        let target = Target::new(self.output, &self.input, out)?;
        let source: Source = json::read(&input.data).map_err(|error| input.failure(error))?;
        let made = if self.section {
            source.section()
        } else {
            source.model()
        };
        let made = made.map_err(|error| input.failure(error))?;
        target.write(&made)?;
        target.say(
            out,
            format_args!(
                "{} and {} in {} bytes",
                count(source.bones.len(), "bone"),
                count(source.animations.len(), "animation"),
                made.len()
            ),
        )?;
        out.document(&json!({
            "bones": source.bones.len(),
            "animations": source.animations.len(),
            "output": made.len(),
        }))
    }
}

impl Gltf {
    fn execute(self, out: &Output) -> Result<(), Failure> {
        let input = Input::read(&self.file)?;
        let target = Target::new(self.output, &self.file, out)?;
        let dat = model(&input)?;
        let made = gltf::ff8::export(&dat, self.animation).map_err(|it| trouble(&input, &it))?;
        target.write(&made.glb)?;
        let bones = usize::from(
            dat.skeleton()
                .map_err(|error| failure(&input, &error))?
                .len(),
        );
        target.say(
            out,
            format_args!(
                "{}, {} and {} in {} bytes",
                count(bones, "bone"),
                count(made.triangles, "triangle"),
                count(made.animations, "animation"),
                made.glb.len()
            ),
        )?;
        out.document(&json!({
            "bones": bones,
            "triangles": made.triangles,
            "animations": made.animations,
            "output": made.glb.len(),
        }))
    }
}

impl Strip {
    fn execute(self, out: &Output) -> Result<(), Failure> {
        if self.every == 0 {
            return Err(Failure::usage("--every 0: expected at least 1"));
        }
        let inputs = [Some(&self.file), self.texture.as_ref()].map(|it| it.cloned());
        let inputs: Vec<PathBuf> = inputs.into_iter().flatten().collect();
        files::check_streams(&inputs)?;
        let places: Vec<_> = inputs.iter().map(PathBuf::as_path).collect();
        let target = Target::beside(self.output, &places, out)?;
        let input = Input::read(&self.file)?;
        let texture = self.texture.as_deref().map(Input::read).transpose()?;
        let dat = model(&input)?;
        let fail = |error| failure(&input, &error);
        let skeleton = dat.skeleton().map_err(fail)?;
        let mesh = dat.geometry(skeleton.len()).map_err(fail)?;
        let animation = dat.animations().and_then(|it| it.get(self.animation));
        let animation = animation.map_err(fail)?;
        let poses = ff8::poses(&animation, skeleton.len()).map_err(fail)?;
        let poses: Vec<_> = poses.into_iter().step_by(self.every.into()).collect();
        if poses.is_empty() {
            return Err(input.failure(format_args!(
                "EmptyAnimation: animation {} has no frames to be drawn",
                self.animation
            )));
        }
        let tim = match &texture {
            None => None,
            Some(file) => {
                let tim = Tim::parse(&file.data);
                Some(tim.map_err(|error| file.failure(fault::tim(&error)))?)
            }
        };
        let picture = strip::strip(&skeleton, &mesh, &poses, tim.as_ref());
        let picture = picture.map_err(|error| input.failure(error))?;
        let png = picture.png().map_err(|error| input.failure(error))?;
        target.write(&png)?;
        let (width, height) = (picture.width, picture.height);
        target.say(
            out,
            format_args!(
                "{} of animation {}, {width} x {height} pixels",
                count(poses.len(), "frame"),
                self.animation
            ),
        )?;
        out.document(&json!({ "frames": poses.len(), "width": width, "height": height }))
    }
}

impl Sample {
    fn execute(self, out: &Output) -> Result<(), Failure> {
        let of_sample = |error: &dyn std::fmt::Display| Failure::of("sample", error);
        let made = toad::model().map_err(|error| of_sample(&error))?;
        if let (Some(one), Some(other)) = (&self.output, &self.texture)
            && output::place(one) == output::place(other)
        {
            return Err(Failure::usage(format!(
                "{}: two outputs would be this one file",
                other.display()
            )));
        }
        let target = Target::beside(self.output, &[], out)?;
        let texture = match self.texture {
            None => None,
            Some(path) => {
                let tim = toad::texture().map_err(|error| of_sample(&error))?;
                Some((Target::beside(Some(path), &[], out)?, tim))
            }
        };
        target.write(&made)?;
        target.say(out, format_args!("{}", count(made.len(), "byte")))?;
        if let Some((target, tim)) = &texture {
            target.write(tim)?;
            target.say(out, format_args!("{}", count(tim.len(), "byte")))?;
        }
        out.document(&json!({
            "output": made.len(),
            "texture": texture.map(|(_, tim)| tim.len()),
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
