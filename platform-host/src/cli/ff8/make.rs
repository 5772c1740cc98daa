//! The calls that make something of a model: JSON, a model of that, glTF, a picture.

use std::path::PathBuf;

use clap::Args;
use overworld_host::ff8::{self, Source, Trouble, bones};
use overworld_host::gltf;
use overworld_host::identify::count;
use overworld_host::sample::toad;
use overworld_host::{fault, json, output, strip};
use overworld_runtime::anim::ff8::{Dat, Geometry};
use overworld_runtime::model::tim::Tim;
use serde_json::json;

use super::super::files::{self, Input, Out, Target};
use super::super::{Failure, Output, bytes, complain, number};
use super::{failure, model, texts, trouble};

#[derive(Args)]
pub struct Dump {
    /// A battle model
    file: PathBuf,
    #[command(flatten)]
    output: Out,
}

#[derive(Args)]
pub struct Encode {
    /// A model in JSON, see docs/models.md
    #[arg(value_name = "IN")]
    input: PathBuf,
    #[command(flatten)]
    output: Out,
    /// Write the animation section alone, to be put into a model as its third; ff8 info --section reads it
    #[arg(long)]
    section: bool,
    /// The model to put it into: its sections 1 to 3 become the document's (section 2 only with a geometry), all others
    /// stay
    #[arg(long, value_name = "MODEL", conflicts_with = "section")]
    into: Option<PathBuf>,
}

#[derive(Args)]
pub struct Gltf {
    /// A battle model
    file: PathBuf,
    #[command(flatten)]
    output: Out,
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
    #[command(flatten)]
    output: Out,
    /// Where to put its texture, a TIM; not written without this
    #[arg(long, value_name = "TIM")]
    texture: Option<PathBuf>,
}

/// That what is shown is no face of the model; a document says it by itself.
fn bare(input: &Input, out: &Output) {
    if !out.json {
        complain(format_args!(
            "{}: note: the model shows no faces; its bones are drawn",
            input.name
        ));
    }
}

/// Notes on a result, where they do not come among its bytes; a document has them by itself.
fn tell(
    target: Option<&Target>,
    input: &Input,
    notes: &[String],
    out: &Output,
) -> Result<(), Failure> {
    notes.iter().try_for_each(|note| match target {
        Some(Target::File(_)) => out.say(format_args!("note: {note}")),
        Some(Target::Nowhere) => Ok(()),
        Some(Target::Stream) | None => {
            complain(format_args!("{}: note: {note}", input.name));
            Ok(())
        }
    })
}

impl Dump {
    pub fn execute(self, out: &Output) -> Result<(), Failure> {
        let input = Input::read(&self.file)?;
        let target = self.output.text(&self.file, out)?;
        let dat = model(&input)?;
        let source = Source::of(&dat).map_err(|error| trouble(&input, &error))?;
        // Straight into text: as a tree it would take ten times the memory.
        let text = serde_json::to_string(&source).map_err(|error| input.failure(error))?;
        let text = json::pretty(&text);
        let losses = Source::losses(&dat).map_err(|error| failure(&input, &error))?;
        match &target {
            None => bytes(text.as_bytes())?,
            Some(target) => {
                target.write(text.as_bytes())?;
                target.say(out, count(source.animations.len(), "animation"))?;
                out.document(&json!({
                    "animations": source.animations.len(), "notes": losses,
                }))?;
            }
        }
        tell(target.as_ref(), &input, &losses, out)
    }
}

impl Encode {
    pub fn execute(self, out: &Output) -> Result<(), Failure> {
        let inputs = [Some(&self.input), self.into.as_ref()].map(|it| it.cloned());
        let inputs: Vec<PathBuf> = inputs.into_iter().flatten().collect();
        files::check_streams(&inputs)?;
        let input = Input::read(&self.input)?;
        let places: Vec<_> = inputs.iter().map(PathBuf::as_path).collect();
        let target = Target::beside(self.output.output, &places, out)?;
        let source: Source = json::read(&input.data).map_err(|error| input.no_json(error))?;
        let into = self.into.as_deref().map(Input::read).transpose()?;
        let made = match &into {
            Some(file) => {
                let dat = model(file)?;
                // That it has such sections.
                dat.skeleton().map_err(|error| failure(file, &error))?;
                source.put_into(&dat)
            }
            None if self.section => source.section(),
            None => source.model(),
        };
        // What the document does not have is the model's: its skeleton with that geometry.
        let kept = into.as_ref().filter(|_| !source.has_geometry());
        let failure = |error: &dyn std::fmt::Display| match kept {
            Some(file) if source.model().is_ok() => {
                input.failure(format_args!("put into {}: {error}", file.name))
            }
            _ => input.failure(error),
        };
        let made = made.map_err(|error| failure(&error))?;
        let surveyed = if self.section {
            ff8::survey_section(&made, source.bones.len() as u8)
        } else {
            Dat::parse(&made)
                .map_err(Trouble::from)
                .and_then(|it| ff8::survey(&it))
        };
        let (_, notes) = surveyed.map_err(|error| failure(&error))?;
        let notes = texts(&notes);
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
            "notes": notes,
        }))?;
        tell(Some(&target), &input, &notes, out)
    }
}

impl Gltf {
    pub fn execute(self, out: &Output) -> Result<(), Failure> {
        let input = Input::read(&self.file)?;
        let target = self.output.target(&self.file, out)?;
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
        if made.bones {
            bare(&input, out);
        }
        out.document(&json!({
            "bones": bones,
            "triangles": made.triangles,
            "animations": made.animations,
            "output": made.glb.len(),
            "bones_drawn": made.bones,
        }))
    }
}

impl Strip {
    pub fn execute(self, out: &Output) -> Result<(), Failure> {
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
        let drawn;
        let is_bare = !bones::shows(&mesh);
        let mesh = if is_bare {
            drawn = bones::geometry(&skeleton).map_err(fail)?;
            Geometry::parse(&drawn, skeleton.len()).map_err(fail)?
        } else {
            mesh
        };
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
        // Bones have no texture.
        let tim = tim.filter(|_| !is_bare);
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
        if is_bare {
            bare(&input, out);
        }
        out.document(&json!({
            "frames": poses.len(), "width": width, "height": height, "bones_drawn": is_bare,
        }))
    }
}

impl Sample {
    pub fn execute(self, out: &Output) -> Result<(), Failure> {
        let of_sample = |error: &dyn std::fmt::Display| Failure::of("sample", error);
        let made = toad::model().map_err(|error| of_sample(&error))?;
        if let (Some(one), Some(other)) = (&self.output.output, &self.texture)
            && output::place(one) == output::place(other)
        {
            return Err(Failure::usage(format!(
                "{}: two outputs would be this one file",
                other.display()
            )));
        }
        let target = Target::beside(self.output.output, &[], out)?;
        let texture = match self.texture {
            None => None,
            Some(path) => {
                let tim = toad::texture().map_err(|error| of_sample(&error))?;
                Some((Target::beside(Some(path), &[], out)?, tim))
            }
        };
        let mut results = vec![(&target, &made[..])];
        results.extend(texture.iter().map(|(target, tim)| (target, &tim[..])));
        Target::write_all(&results)?;
        target.say(out, format_args!("{}", count(made.len(), "byte")))?;
        if let Some((target, tim)) = &texture {
            target.say(out, format_args!("{}", count(tim.len(), "byte")))?;
        }
        out.document(&json!({
            "output": made.len(),
            "texture": texture.map(|(_, tim)| tim.len()),
        }))
    }
}
