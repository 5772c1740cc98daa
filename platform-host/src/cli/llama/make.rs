//! The calls that make something of a level: a WAD, a picture, a field.

use std::path::{Component, Path, PathBuf};

use clap::Args;
use overworld_host::llama::bridge::Beginning;
use overworld_host::llama::document::{Content, Document};
use overworld_host::llama::testlevel::{self, Options};
use overworld_host::llama::{bridge, picture, report, sample, slip};
use overworld_host::{identify, output};
use overworld_runtime::llama::Level;
use overworld_runtime::llama::wad::{Tag, Wad};
use serde_json::json;

use super::super::files::{self, Input, Target};
use super::super::{Failure, Output, complain, number, within};
use super::{faults, level, more, notes};

#[derive(Args)]
pub struct Build {
    /// The document
    #[arg(value_name = "IN.json")]
    file: PathBuf,
    /// Where the WAD goes
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Write it even if it breaks invariants
    #[arg(long)]
    unchecked: bool,
}

#[derive(Args)]
pub struct TestLevel {
    /// The level whose types are placed
    #[arg(value_name = "SRC")]
    file: PathBuf,
    /// Where the test level goes
    #[arg(short, long, value_name = "DST")]
    output: PathBuf,
    /// The level's name
    #[arg(long, value_name = "N")]
    name: Option<String>,
    /// Half the distance of two objects, in cells; without it 3, or less where that finds no room
    #[arg(long, value_name = "S", value_parser = within(1, u32::MAX))]
    spacing: Option<u32>,
    /// Model of the floor; without, the most common flat floor
    #[arg(long, value_name = "M", value_parser = number::<u32>)]
    floor_model: Option<u32>,
    /// Keep what the level holds, and build beside it
    #[arg(long)]
    keep_original: bool,
}

#[derive(Args)]
pub struct Sample {
    /// Where the level goes
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
}

#[derive(Args)]
pub struct Picture {
    /// A level of the game
    #[arg(value_name = "WAD")]
    file: PathBuf,
    /// Where the PNG picture goes
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Pixels of a cell along each side
    #[arg(long, value_name = "N", default_value = "8", value_parser = within(1, picture::MOST_SCALE))]
    scale: u32,
}

#[derive(Args)]
pub struct Field {
    /// A level of the game
    #[arg(value_name = "WAD")]
    file: PathBuf,
    /// Where the field map goes
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Where a scenario goes that begins at the level's player
    #[arg(long, value_name = "FILE")]
    scenario: Option<PathBuf>,
}

/// A line for people beside an output that is a file.
fn note(target: &Target, out: &Output, text: impl std::fmt::Display) -> Result<(), Failure> {
    match target {
        Target::File(_) => out.say(format_args!("note: {text}")),
        Target::Stream | Target::Nowhere => Ok(()),
    }
}

/// Notes on what a field does not have of a level, whatever the output is.
fn tell_losses(input: &Input, field: &bridge::Field) {
    let note = |text: std::fmt::Arguments<'_>| {
        complain(format_args!("{}: note: {text}", input.name));
    };
    match field.beginning {
        Beginning::Player => {}
        Beginning::Zone => note(format_args!(
            "the level has no player: who walks begins in its start zone"
        )),
        Beginning::Strat => note(format_args!(
            "the level has neither a player nor a start zone: who walks begins where its first strat is"
        )),
        Beginning::Nothing => note(format_args!(
            "the level has neither a player nor a start zone nor a strat: who walks begins at its corner"
        )),
    }
    if field.cropped > 0 {
        let all = identify::count(field.floors + field.cropped, "floor");
        note(format_args!(
            "{} of {all} left out, which lie off the field",
            field.cropped
        ));
    }
    if field.planks > 0 {
        note(format_args!(
            "{} with a floor that the level does not have: nobody jumps in a field",
            identify::count(field.planks, "cell")
        ));
    }
    if field.unreached > 0 {
        let all = identify::count(field.floors, "floor");
        note(format_args!(
            "{} of {all} out of reach of the player",
            field.unreached
        ));
    }
    if field.rounded > 0 {
        let all = identify::count(field.floors, "floor");
        note(format_args!(
            "{} of {all} at the height of the nearest tier, for want of an elevation record",
            field.rounded
        ));
    }
    if field.clamped > 0 {
        let [least, most] = field.range;
        note(format_args!(
            "{} cut to the range of a field: expected heights from {} to {}, found {least} to {most}",
            identify::count(field.clamped, "tile"),
            i16::MIN,
            i16::MAX
        ));
    }
}

impl Build {
    pub fn execute(self, out: &Output) -> Result<(), Failure> {
        let target = Target::new(Some(self.output), &self.file, out)?;
        let input = Input::read(&self.file)?;
        let document = Document::parse(&input.data).map_err(|error| input.no_json(error))?;
        let data = document.bytes().map_err(|error| input.failure(error))?;
        // Also one that could not be taken apart, and so stands there as it is stored.
        let has_map = document
            .chunks
            .iter()
            .any(|(tag, content)| *tag == Tag::MAP || matches!(content, Content::Map(_)));
        let mut report = report::check(&data);
        if !has_map && Wad::parse(&data).is_ok() {
            // It is no level, which it may be meant to be.
            report.soften();
        }
        if let (Some(first), false) = (report.errors.first(), self.unchecked) {
            out.document(&json!({
                "bytes": null,
                "errors": faults(&report.errors),
                "warnings": faults(&report.warnings),
                "more": more(&report),
            }))?;
            let slip = Level::parse(&data).err();
            if let Some(slip) = slip.and_then(|error| slip::find(&document, &error)) {
                return Err(input.failure(format_args!("{slip}; nothing was written")));
            }
            let count = report.broken();
            return Err(input.failure(match count {
                1 => format!("{first}; nothing was written"),
                _ => format!("{count} broken invariants, the first: {first}; nothing was written"),
            }));
        }
        target.write(&data)?;
        target.say(out, identify::count(data.len(), "byte"))?;
        for line in notes(&report) {
            note(&target, out, line)?;
        }
        out.document(&json!({
            "bytes": data.len(),
            "errors": faults(&report.errors),
            "warnings": faults(&report.warnings),
            "more": more(&report),
        }))
    }
}

impl TestLevel {
    pub fn execute(self, out: &Output) -> Result<(), Failure> {
        if self.name.as_ref().is_some_and(|it| it.contains('\0')) {
            return Err(Failure::usage("expected a name without zeros"));
        }
        let target = Target::new(Some(self.output), &self.file, out)?;
        let input = Input::read(&self.file)?;
        let options = Options {
            name: self.name,
            spacing: self.spacing,
            floor: self.floor_model,
            keep: self.keep_original,
        };
        let made = testlevel::make(&input.data, &options);
        let made = made.map_err(|error| input.failure(error))?;
        target.write(&made.data)?;
        for what in &made.missing {
            note(
                &target,
                out,
                format_args!("the level has no {what} to place"),
            )?;
        }
        if made.spacing < self.spacing.unwrap_or(testlevel::SPACING) {
            note(
                &target,
                out,
                format_args!(
                    "a spacing of {}, for {} finds no room",
                    made.spacing,
                    testlevel::SPACING
                ),
            )?;
        }
        if made.added_rows != 0 {
            let rows = identify::count(made.added_rows as usize, "row");
            note(
                &target,
                out,
                format_args!("the level's own rows have no room; {rows} put behind them"),
            )?;
        }
        if !made.skipped.is_empty() {
            note(
                &target,
                out,
                format_args!("left out: {}", made.skipped.join(", ")),
            )?;
        }
        target.say(
            out,
            format_args!(
                "{}, {}, {}",
                identify::count(made.tiles, "tile"),
                identify::count(made.strats, "strat"),
                identify::count(made.placed.len(), "type")
            ),
        )?;
        out.document(&json!({
            "bytes": made.data.len(), "tiles": made.tiles, "strats": made.strats,
            "types": made.placed, "skipped": made.skipped, "missing": made.missing,
            "area": made.area, "floor_model": made.floor, "spacing": made.spacing,
            "added_rows": made.added_rows,
        }))
    }
}

#[derive(Args)]
pub struct World {
    /// A level of the game
    #[arg(value_name = "WAD")]
    file: PathBuf,
    /// The folder; it is made if it does not exist
    dir: PathBuf,
    /// Name of the scene, 1 to 8 of a-z, 0-9 and _; without it the level's, or else the file's
    #[arg(long, value_name = "NAME", value_parser = scene)]
    scene: Option<String>,
    /// Replace files that exist with other content
    #[arg(long)]
    force: bool,
}

/// A name that a scene may have.
fn scene(text: &str) -> Result<String, String> {
    match bridge::scene_name(text).as_deref() == Some(text) {
        true => Ok(text.to_owned()),
        false => Err("expected 1 to 8 of a-z, 0-9 and _".to_owned()),
    }
}

impl World {
    /// The scene's name: the one asked for, the level's, the file's.
    fn scene(&self, level: &Level<'_>) -> String {
        let named = || bridge::scene_name(&String::from_utf8_lossy(level.name()?));
        let filed = || bridge::scene_name(&self.file.file_stem()?.to_string_lossy());
        let asked = self.scene.clone();
        let name = asked.or_else(named).or_else(filed);
        name.unwrap_or_else(|| "level".to_owned())
    }

    pub fn execute(self, out: &Output) -> Result<(), Failure> {
        let input = Input::read(&self.file)?;
        let level = level(&input)?;
        let scene = self.scene(&level);
        let (world, field) = bridge::world(&level, &scene).map_err(|error| input.failure(error))?;
        let mut places = world.places(&self.dir).into_iter();
        if let Some(place) = places.find(|it| files::is_same(it, &self.file)) {
            return Err(files::in_place(&place));
        }
        let files = world
            .save(&self.dir, self.force)
            .map_err(|error| Failure::new(error.to_string()))?;
        let names: Vec<String> = files.iter().map(|it| it.display().to_string()).collect();
        for name in &names {
            out.say(format_args!("wrote {name}"))?;
        }
        tell_losses(&input, &field);
        out.document(&json!({
            "files": names, "scene": scene, "floors": field.floors, "cropped": field.cropped,
            "rounded": field.rounded, "clamped": field.clamped, "range": field.range,
            "planks": field.planks, "unreached": field.unreached,
        }))
    }
}

impl Sample {
    pub fn execute(self, out: &Output) -> Result<(), Failure> {
        let target = Target::new(Some(self.output), "".as_ref(), out)?;
        let data = sample::wad();
        target.write(&data)?;
        target.say(out, identify::count(data.len(), "byte"))?;
        out.document(&json!({ "bytes": data.len() }))
    }
}

impl Picture {
    pub fn execute(self, out: &Output) -> Result<(), Failure> {
        let target = Target::new(Some(self.output), &self.file, out)?;
        let input = Input::read(&self.file)?;
        let level = level(&input)?;
        let picture = picture::draw(&level, self.scale);
        let picture = picture.map_err(|error| input.failure(error))?;
        target.write(&picture.png().map_err(|error| input.failure(error))?)?;
        let (width, height) = (picture.width, picture.height);
        target.say(out, format_args!("{width} x {height} pixels"))?;
        let mut legend = Vec::new();
        for picture::Key {
            colour,
            what,
            count,
        } in picture::legend(&level)
        {
            let [red, green, blue] = colour;
            let colour = format!("#{red:02X}{green:02X}{blue:02X}");
            if let Target::File(_) = target {
                out.say(format_args!("{colour}  {count:5} {what}"))?;
            }
            legend.push(json!({ "colour": colour, "what": what, "count": count }));
        }
        out.document(&json!({ "width": width, "height": height, "legend": legend }))
    }
}

/// How a scenario names a map: from its own folder on, where `field run` looks for it. `None` for a name that a document
/// cannot have.
fn named(map: &Path, scenario: &Path) -> Option<String> {
    let (map, scenario) = (output::place(map), output::place(scenario));
    let folder = scenario.parent()?;
    let (mut whole, mut from) = (map.components(), folder.components());
    let common = whole.by_ref().zip(from.by_ref());
    let common = common.take_while(|(one, other)| one == other).count();
    let up = folder
        .components()
        .skip(common)
        .map(|_| Component::ParentDir);
    let down = map.components().skip(common);
    // On another drive there is no way from one to the other.
    let name: PathBuf = match common {
        0 => map.clone(),
        _ => up.chain(down).collect(),
    };
    name.to_str().map(str::to_owned)
}

impl Field {
    /// Where the scenario goes, and how it names the map.
    fn scenario(&self) -> Result<Option<(Target, String)>, Failure> {
        let Some(path) = &self.scenario else {
            return Ok(None);
        };
        if files::is_stream(path)
            || files::is_same(path, &self.file)
            || output::place(path) == output::place(&self.output)
        {
            return Err(Failure::usage("the scenario needs a file of its own"));
        }
        if files::is_stream(&self.output) {
            return Err(Failure::usage(
                "the scenario names the map's file: with it, -o needs one, not -",
            ));
        }
        let name = named(&self.output, path).ok_or_else(|| {
            Failure::usage(format!(
                "{}: a scenario cannot name this file: expected a name in Unicode",
                self.output.display()
            ))
        })?;
        Ok(Some((Target::File(path.clone()), name)))
    }

    pub fn execute(self, out: &Output) -> Result<(), Failure> {
        let target = Target::new(Some(self.output.clone()), &self.file, out)?;
        let scenario = self.scenario()?;
        let input = Input::read(&self.file)?;
        let field = bridge::field(&level(&input)?).map_err(|error| input.failure(error))?;
        let [x, z] = field.player;
        let document = json!({
            "map": scenario.as_ref().map(|it| &it.1),
            "floor_lut": field.heights,
            "player": { "x": x, "z": z, "heading": 0, "speed": 4096, "flags": 0 },
            "pads": [],
        });
        let text = format!("{document}\n");
        let mut results = vec![(&target, &field.map[..])];
        results.extend(scenario.iter().map(|(it, _)| (it, text.as_bytes())));
        Target::write_all(&results)?;
        target.say(
            out,
            format_args!(
                "{}, {}, the player at {x}, {z}",
                identify::count(field.floors, "floor"),
                identify::count(field.records, "elevation record")
            ),
        )?;
        tell_losses(&input, &field);
        if let Some((scenario, _)) = scenario {
            scenario.say(
                out,
                "for overworld field run, once its \"pads\" say what is held, as [\"0x2000\", 40] for 40 frames to the right",
            )?;
        }
        out.document(&json!({
            "heights": field.heights, "player": field.player, "shift": field.shift,
            "floors": field.floors, "cropped": field.cropped, "records": field.records,
            "rounded": field.rounded, "clamped": field.clamped, "range": field.range,
            "planks": field.planks, "unreached": field.unreached,
        }))
    }
}
