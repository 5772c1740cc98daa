//! `overworld tim ...`

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use overworld_host::bodies::{self, Body};
use overworld_host::fault::{self, Fault};
use overworld_host::sample::font;
use overworld_host::{identify, texture};
use overworld_runtime::model::tim::{self, Block};
use serde_json::{Value, json};

use super::files::{Input, Target};
use super::{Failure, Output, number};

#[derive(Subcommand)]
pub enum Tim {
    /// Tell size, depth, palettes and place in VRAM
    Info(Info),
    /// Write a texture as a PNG with transparency
    Png(Png),
    /// Write the font of the project's dialogues as a TIM
    Font(Font),
}

#[derive(Args)]
pub struct Font {
    /// The TIM to write; standard output without this
    #[arg(short, long, value_name = "OUT.tim")]
    output: Option<PathBuf>,
}

#[derive(Args)]
pub struct Info {
    /// A TIM, or a pack of them
    file: PathBuf,
}

#[derive(Args)]
pub struct Png {
    /// A TIM, or a pack of them
    file: PathBuf,
    /// The picture to write; standard output without this
    #[arg(short, long, value_name = "OUT.png")]
    output: Option<PathBuf>,
    /// Which palette, from 0
    #[arg(long, value_name = "N", default_value = "0", value_parser = number::<u16>)]
    palette: u16,
    /// Which texture of a pack, from 0
    #[arg(long, value_name = "N", default_value = "0", value_parser = number::<u16>)]
    member: u16,
}

impl Tim {
    pub fn execute(self, out: &Output) -> Result<(), Failure> {
        match self {
            Self::Info(info) => info.execute(out),
            Self::Png(png) => png.execute(out),
            Self::Font(font) => font.execute(out),
        }
    }
}

/// What a file holds: a TIM, or the bodies of a pack, of which at least one begins as a TIM.
enum Textures<'a> {
    One(tim::Tim<'a>),
    Pack(Vec<Body<'a>>),
}

/// Read a texture or a pack of them.
fn read(file: &[u8]) -> Result<Textures<'_>, Fault> {
    let error = match tim::Tim::parse(file) {
        Ok(tim) => return Ok(Textures::One(tim)),
        Err(error) => error,
    };
    // A pack of sixteen has a TIM's magic word, but no such flags behind it.
    match bodies::read(file) {
        Some(Ok(pack)) if pack.list.iter().any(|it| tim::Tim::is_tim(it.data)) => {
            Ok(Textures::Pack(pack.list))
        }
        Some(Err(fault)) => Err(fault),
        _ => Err(fault::tim(&error)),
    }
}

fn rectangle(block: &Block<'_>) -> Value {
    json!({ "x": block.x, "y": block.y, "w": block.w, "h": block.h })
}

fn describe(tim: &tim::Tim<'_>) -> Value {
    json!({
        "bits": identify::bits(tim.mode),
        "width": tim.width(),
        "height": tim.image.h,
        "palettes": texture::palettes(tim),
        "image": rectangle(&tim.image),
        "clut": tim.clut.as_ref().map(rectangle),
        "bytes": tim.size(),
    })
}

fn say(tim: &tim::Tim<'_>, out: &Output) -> Result<(), Failure> {
    let Block { x, y, w, h, .. } = tim.image;
    out.say(format_args!(
        "{} x {} texels of {} bits, {w} x {h} cells at ({x}, {y}), {}",
        tim.width(),
        h,
        identify::bits(tim.mode),
        identify::count(tim.size(), "byte")
    ))?;
    if let Some(Block { x, y, w, h, .. }) = tim.clut {
        out.say(format_args!(
            "{}, {w} x {h} cells at ({x}, {y})",
            identify::count(texture::palettes(tim), "palette")
        ))?;
    }
    Ok(())
}

impl Info {
    fn execute(self, out: &Output) -> Result<(), Failure> {
        let input = Input::part(&self.file)?;
        let pack = match read(&input.data).map_err(|fault| input.failure(fault))? {
            Textures::One(tim) => {
                say(&tim, out)?;
                return out.document(&describe(&tim));
            }
            Textures::Pack(pack) => pack,
        };
        let mut rows = Vec::new();
        for (index, body) in pack.iter().enumerate() {
            let offset = body.offset;
            if !tim::Tim::is_tim(body.data) {
                out.say(format_args!("member {index} at offset {offset:#x}: no TIM"))?;
                rows.push(Value::Null);
                continue;
            }
            let tim = tim::Tim::parse(body.data).map_err(|error| {
                let fault = fault::tim(&error).moved(offset);
                input.failure(format_args!("member {index}: {fault}"))
            })?;
            out.say(format_args!("member {index} at offset {offset:#x}"))?;
            say(&tim, out)?;
            rows.push(describe(&tim));
        }
        out.document(&json!({ "members": rows }))
    }
}

impl Font {
    fn execute(self, out: &Output) -> Result<(), Failure> {
        // There is no input that it could be.
        let target = Target::new(self.output, Path::new(""), out)?;
        let file = font::tim().map_err(|error| Failure::of("font", error))?;
        target.write(&file)?;
        target.say(out, identify::count(file.len(), "byte"))?;
        out.document(&json!({ "bytes": file.len() }))
    }
}

impl Png {
    fn execute(self, out: &Output) -> Result<(), Failure> {
        let target = Target::new(self.output, &self.file, out)?;
        let input = Input::part(&self.file)?;
        let pack = match read(&input.data).map_err(|fault| input.failure(fault))? {
            Textures::One(_) => vec![Body {
                offset: 0,
                data: &input.data,
            }],
            Textures::Pack(pack) => pack,
        };
        let body = pack.get(usize::from(self.member)).ok_or_else(|| {
            input.failure(format_args!(
                "NoSuchMember: expected 0 to {}, found {}",
                pack.len().saturating_sub(1),
                self.member
            ))
        })?;
        let tim = tim::Tim::parse(body.data)
            .map_err(|error| input.failure(fault::tim(&error).moved(body.offset)))?;
        let palette = usize::from(self.palette);
        let texture = texture::Texture::new(&tim, palette).ok_or_else(|| {
            input.failure(format_args!(
                "NoSuchPalette: expected 0 to {}, found {palette}",
                texture::palettes(&tim).saturating_sub(1)
            ))
        })?;
        let png = texture.png().map_err(|error| input.failure(error))?;
        target.write(&png)?;
        target.say(
            out,
            format_args!("{} x {} texels", texture.width, texture.height),
        )?;
        out.document(&json!({ "width": texture.width, "height": texture.height }))
    }
}
