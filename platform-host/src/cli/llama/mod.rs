//! `overworld llama ...`

mod make;

use std::path::PathBuf;

use clap::{Args, Subcommand};
use overworld_host::fault::Fault;
use overworld_host::identify;
use overworld_host::llama::document::{Document, tag_text};
use overworld_host::llama::report::{self, More, Report};
use overworld_host::llama::types;
use overworld_runtime::bytes::crc32;
use overworld_runtime::llama::map::{Block, Map, PARTICLES};
use overworld_runtime::llama::{Flags, Level, LevelError, Wad};
use serde_json::{Value, json};

use super::files::{self, Input, Out};
use super::{Failure, Output, complain};
use make::{Build, Field, Picture, Sample, TestLevel, World};

#[derive(Subcommand)]
pub enum Llama {
    /// List chunks, flags, blocks and counts of a level
    Info(Source),
    /// Check all invariants of a level
    ///
    /// Status 1 when one is broken; each is listed by its name. Warnings are listed and are no failure. Of more than 100
    /// of one name the others are counted.
    Check(Source),
    /// Take a WAD apart, put it together again and compare
    ///
    /// Status 1 when it differs, and when an invariant is broken, as check lists them.
    Roundtrip(Source),
    /// Write a WAD as a JSON document, without loss
    Dump(Dump),
    /// Make a WAD of a JSON document, as dump writes it
    ///
    /// What is derived from the tiles (blocks 8 and 9) may be left out. What is no WAD, and a level that breaks an
    /// invariant, is not written. A WAD without a map is, with a note.
    Build(Build),
    /// List the types of objects of levels
    ///
    /// Of one level each type with its constants; of several the number of instances by type and level.
    Types(Types),
    /// Make a level that shows one object of each type of another level
    ///
    /// A plate with the objects, the player at its edge, and a parkour to a goal with the level's door.
    Testlevel(TestLevel),
    /// Write a sample level of our own, without any data of the game
    Sample(Sample),
    /// Draw a level from above as a PNG picture
    ///
    /// Tiles in the colours of their vertices, higher ones lighter; zones as frames, chains of waypoints as lines,
    /// strats as dots, the player green, doors violet. What each colour means, and of how many, is listed.
    Picture(Picture),
    /// Turn a level into a field map that can be walked
    ///
    /// One cell is one tile; heights are times 128, the sixteen most used ones as tiers, the others as elevation
    /// records. Where the level has nothing, the field has nothing; a gap of one cell that nothing leads around gets a
    /// floor. The scenario is one of overworld field run, whose pads are to be filled in; its player looks the way of
    /// heading 0, for which way a level's player looks is not known.
    Field(Field),
    /// Turn a level into a world that overworld run plays
    ///
    /// The ground is the level's, the player the sample's owl. It begins where the level's player does; what then lies
    /// off the field is cut away. Gaps are as in overworld llama field.
    World(World),
}

#[derive(Args)]
pub struct Source {
    /// A level of the game
    #[arg(value_name = "WAD")]
    file: PathBuf,
}

#[derive(Args)]
pub struct Dump {
    /// A WAD; a map in it that cannot be read stays as it is stored
    #[arg(value_name = "WAD")]
    file: PathBuf,
    #[command(flatten)]
    output: Out,
}

#[derive(Args)]
pub struct Types {
    /// Levels of the game
    #[arg(value_name = "WAD", required = true)]
    files: Vec<PathBuf>,
    /// List all names in the code, placed or not
    #[arg(long)]
    all: bool,
}

impl Llama {
    pub fn execute(self, out: &Output) -> Result<(), Failure> {
        match self {
            Self::Info(source) => info(&source, out),
            Self::Check(source) => check(&source, out),
            Self::Roundtrip(source) => roundtrip(&source, out),
            Self::Dump(dump) => dump.execute(out),
            Self::Build(build) => build.execute(out),
            Self::Types(types) => types.execute(out),
            Self::Testlevel(level) => level.execute(out),
            Self::Sample(sample) => sample.execute(out),
            Self::Picture(picture) => picture.execute(out),
            Self::Field(field) => field.execute(out),
            Self::World(world) => world.execute(out),
        }
    }
}

/// Read a level.
fn level(input: &Input) -> Result<Level<'_>, Failure> {
    no_document(input)?;
    Level::parse(&input.data).map_err(|error| input.failure(report::refusal(&input.data, &error)))
}

/// That a file is not the document that a level is built from.
fn no_document(input: &Input) -> Result<(), Failure> {
    if input.data.trim_ascii_start().starts_with(b"{") && Wad::parse(&input.data).is_err() {
        return Err(input.failure(
            "expected a WAD, found text such as a document in JSON; llama build makes a WAD of one",
        ));
    }
    Ok(())
}

fn info(source: &Source, out: &Output) -> Result<(), Failure> {
    let input = Input::read(&source.file)?;
    let level = level(&input)?;
    let map = &level.map;
    let name = level
        .name()
        .map(|it| String::from_utf8_lossy(it).into_owned());
    out.say(format_args!(
        "\"{}\", {} bytes, flags {}",
        name.as_deref().unwrap_or_default(),
        input.data.len(),
        level.flags
    ))?;
    for (mask, meaning) in level.flags.meanings() {
        out.say(format_args!(
            "flag {mask:#x}: {}",
            meaning.unwrap_or("not known")
        ))?;
    }
    let mut chunks = Vec::new();
    for chunk in level.wad.chunks() {
        let tag = tag_text(chunk.tag);
        let (offset, bytes, sum) = (chunk.offset, chunk.data.len(), crc32(chunk.data));
        out.say(format_args!(
            "chunk {tag:10} {offset:#9x} {bytes:9} bytes, CRC-32 {sum:08X}"
        ))?;
        chunks.push(json!({ "tag": tag, "offset": offset, "bytes": bytes, "crc32": sum }));
    }
    let mut blocks = Vec::new();
    for block in Block::ALL {
        let span = map.span(block);
        let (number, name) = (block.number(), block.name());
        out.say(format_args!(
            "block {number:2} {name:14} {:#9x} {:9} bytes",
            span.start,
            span.len()
        ))?;
        blocks.push(json!({
            "number": number, "name": name, "start": span.start, "length": span.len(),
        }));
    }
    let code = code(&level, out)?;
    let counts = counts(map);
    if let Some(counts) = counts.as_object() {
        for (key, value) in counts {
            out.say(format_args!("{key:12} {value}"))?;
        }
    }
    let mut document = counts;
    document["name"] = name.into();
    document["bytes"] = input.data.len().into();
    document["flags"] = level.flags.0.into();
    document["flag_meanings"] = level
        .flags
        .meanings()
        .map(|(mask, meaning)| json!({ "mask": mask, "meaning": meaning }))
        .collect();
    document["models"] = level.trak.len().into();
    document["slots"] = map.slots().into();
    document["start_zone"] = map.start_zone().into();
    document["chunks"] = chunks.into();
    document["blocks"] = blocks.into();
    document["stpc"] = code;
    out.document(&document)
}

/// The walk through the chunk of code: its models, animations, and where the code begins.
fn code(level: &Level<'_>, out: &Output) -> Result<Value, Failure> {
    let Some(stpc) = &level.stpc else {
        return Ok(Value::Null);
    };
    let mut models = Vec::new();
    for model in stpc.models() {
        let (offset, bones, counts) = (model.offset, model.bones, model.counts);
        let [floor, ceiling, wall] = counts.collision;
        out.say(format_args!(
            "code model {:2} {offset:#9x} {bones} bones, {} vertices, {} faces, {floor} floor, {ceiling} ceiling and \
             {wall} wall entries",
            models.len(),
            counts.vertices,
            counts.faces
        ))?;
        models.push(json!({
            "offset": offset, "bones": bones, "vertices": counts.vertices, "faces": counts.faces,
            "collision": counts.collision,
        }));
    }
    let groups = level.flags.has(Flags::GROUPS);
    let (start, exact) = stpc.code();
    let fault = level.code_fault.map(|it| it.to_string());
    out.say(format_args!(
        "code {}, {} extra model groups, from {start:#x} on {}",
        identify::count(stpc.animations() as usize, "animation"),
        if groups { "with" } else { "without" },
        if exact { "exactly" } else { "at the earliest" }
    ))?;
    if let Some(fault) = &fault {
        out.say(format_args!("code: models cannot be walked: {fault}"))?;
    }
    Ok(json!({
        "models": models, "animations": stpc.animations(), "groups": groups,
        "start": start, "exact": exact, "fault": fault,
    }))
}

/// The numbers that the contract of `info` lists.
fn counts(map: &Map<'_>) -> Value {
    json!({
        "width": map.width(),
        "height": map.height(),
        "tiles": map.tiles().len(),
        "pool": map.pool().len(),
        "zones": map.zones().len(),
        "waypoints": map.waypoints().len(),
        "strats": map.strats().len(),
        "pool_extra": map.pool_extra(),
        "alternatives": map.alternatives().len(),
        "paths": map.paths().count(),
        "particles": map.particles().unwrap_or(PARTICLES),
        "tail": map.tail(),
    })
}

fn faults(faults: &[Fault]) -> Vec<Value> {
    let fault = |it: &Fault| json!({ "name": it.name, "offset": it.offset, "text": it.text });
    faults.iter().map(fault).collect()
}

/// How many findings of a name are not listed.
fn more(report: &Report) -> Vec<Value> {
    let [errors, warnings] = &report.more;
    let row = |error: bool| move |it: &More| json!({ "name": it.name, "count": it.count, "error": error });
    let rows = errors.iter().map(row(true));
    rows.chain(warnings.iter().map(row(false))).collect()
}

/// A line for each finding, and for those of a name that are too many to be listed: errors and warnings.
fn lines(report: &Report) -> [Vec<String>; 2] {
    let [errors, warnings] = &report.more;
    let lines = |faults: &[Fault], more: &[More]| {
        let more = more
            .iter()
            .map(|it| format!("{}: {} more", it.name, it.count));
        let lines = faults.iter().map(ToString::to_string).chain(more);
        lines.collect()
    };
    [
        lines(&report.errors, errors),
        lines(&report.warnings, warnings),
    ]
}

/// All of these lines alike.
fn notes(report: &Report) -> impl Iterator<Item = String> {
    lines(report).into_iter().flatten()
}

/// List what is wrong for people.
fn list(report: &Report, out: &Output) -> Result<(), Failure> {
    let [errors, warnings] = lines(report);
    errors.iter().try_for_each(|line| out.say(line))?;
    let mut warnings = warnings.iter();
    warnings.try_for_each(|line| out.say(format_args!("warning: {line}")))
}

/// That nothing is broken. What people have read in the list is only counted.
fn sound(input: &Input, report: &Report, out: &Output) -> Result<(), Failure> {
    match &report.errors[..] {
        [] => Ok(()),
        _ if !out.json => Err(input.failure(match report.broken() {
            1 => "1 broken invariant".to_owned(),
            count => format!("{count} broken invariants"),
        })),
        [only] => Err(input.failure(only)),
        [first, ..] => {
            let count = report.broken();
            Err(input.failure(format_args!(
                "{count} broken invariants, the first: {first}"
            )))
        }
    }
}

fn check(source: &Source, out: &Output) -> Result<(), Failure> {
    let input = Input::read(&source.file)?;
    no_document(&input)?;
    let report = report::check(&input.data);
    list(&report, out)?;
    out.document(&json!({
        "good": report.errors.is_empty(),
        "errors": faults(&report.errors),
        "warnings": faults(&report.warnings),
        "more": more(&report),
    }))?;
    sound(&input, &report, out)?;
    out.say("good")
}

fn roundtrip(source: &Source, out: &Output) -> Result<(), Failure> {
    let input = Input::read(&source.file)?;
    no_document(&input)?;
    let report = report::check(&input.data);
    let mut same = None;
    let mut difference = None;
    // What is no WAD is told by the report.
    if let Ok(wad) = Wad::parse(&input.data) {
        // The way that a level maker goes: through the text of the document.
        let again = Document::of(&wad).through_text().and_then(|it| it.bytes());
        let again = again.map_err(|error| input.failure(error))?;
        difference = report::difference(&input.data, &again);
        same = Some(difference.is_none());
    }
    list(&report, out)?;
    if same == Some(true) {
        out.say(format_args!(
            "the same, {}",
            identify::count(input.data.len(), "byte")
        ))?;
    }
    out.document(&json!({
        "same": same,
        "bytes": input.data.len(),
        "offset": difference.as_ref().map(|it| it.0),
        "place": difference.as_ref().map(|it| &it.1),
        "errors": faults(&report.errors),
        "warnings": faults(&report.warnings),
        "more": more(&report),
    }))?;
    match difference {
        None => sound(&input, &report, out),
        Some((offset, place)) => {
            Err(input.failure(format_args!("differs from offset {offset:#x} on: {place}")))
        }
    }
}

impl Dump {
    fn execute(self, out: &Output) -> Result<(), Failure> {
        let target = self.output.text(&self.file, out)?;
        let input = Input::read(&self.file)?;
        let wad = Wad::parse(&input.data).map_err(|error| {
            input.failure(report::refusal(&input.data, &LevelError::Wad(error)))
        })?;
        // The document is the result, with and without --json.
        let document = Document::of(&wad).to_text();
        let Some(target) = target else {
            return super::bytes(document.as_bytes());
        };
        target.write(document.as_bytes())?;
        let chunks = wad.chunks().count();
        target.say(out, identify::count(chunks, "chunk"))?;
        out.document(&json!({ "chunks": chunks }))
    }
}

impl Types {
    fn execute(self, out: &Output) -> Result<(), Failure> {
        files::check_streams(&self.files)?;
        let mut inputs = Vec::new();
        let mut unread = Vec::new();
        // What is none does not keep the others from their tables.
        let mut failed = |name: String, failure: Failure| {
            complain(&failure.text);
            unread.push(json!({ "file": name, "error": failure.text }));
        };
        for path in &self.files {
            match Input::read(path) {
                Ok(input) => inputs.push(input),
                Err(failure) => failed(files::name(path), failure),
            }
        }
        let mut levels = Vec::new();
        let mut documents = Vec::new();
        for input in &inputs {
            let level = match level(input) {
                Ok(level) => level,
                Err(failure) => {
                    failed(input.name.clone(), failure);
                    continue;
                }
            };
            let rows = types::of(&level);
            out.say(format_args!(
                "{}: {}",
                input.name,
                identify::count(rows.len(), "type")
            ))?;
            out.say("count  code      variables  slots  flags     extra  name: flags")?;
            let mut list = Vec::new();
            for row in &rows {
                let ty = &row.ty;
                let differ = if row.constant {
                    ""
                } else {
                    "  (constants differ)"
                };
                let names: Vec<String> = ty
                    .flag_names()
                    .map(|(mask, name)| name.map_or(format!("{mask:#x}"), str::to_owned))
                    .collect();
                let means = match &names[..] {
                    [] => String::new(),
                    names => format!(": {}", names.join(", ")),
                };
                out.say(format_args!(
                    "{:5}  {:#8x}  {:9}  {:5}  {:#8x}  {:5}  {}{means}{differ}",
                    row.count, ty.code, ty.variables, ty.slots, ty.flags, ty.extra, row.label
                ))?;
                list.push(json!({
                    "name": row.name, "label": row.label, "spawn": row.spawn,
                    "count": row.count, "code": ty.code, "variables": ty.variables,
                    "slots": ty.slots, "flags": ty.flags, "extra": ty.extra,
                    "constant": row.constant, "flag_names": names,
                }));
            }
            let names = level.stpc.map(|it| it.names().collect::<Vec<_>>());
            let names = names.filter(|_| self.all).unwrap_or_default();
            for (offset, name) in &names {
                out.say(format_args!("in the code at {offset:#x}: {name}"))?;
            }
            let mut document = json!({ "file": input.name, "types": list });
            if self.all {
                let name = |(offset, name): &(u32, &str)| json!({ "offset": offset, "name": name });
                document["names"] = names.iter().map(name).collect::<Vec<_>>().into();
            }
            documents.push(document);
            levels.push(rows);
        }
        let table = types::table(&levels);
        if levels.len() > 1 {
            out.say("instances by type and level, the levels in the order given:")?;
            for (label, cells) in &table {
                let counts = cells.iter().map(|it| format!("{:5}", it.count));
                let counts: Vec<String> = counts.collect();
                out.say(format_args!("{}  {label}", counts.join(" ")))?;
            }
        }
        let table = table.iter().map(|(label, cells)| {
            let counts: Vec<u32> = cells.iter().map(|it| it.count).collect();
            let codes: Vec<&[u32]> = cells.iter().map(|it| &it.codes[..]).collect();
            json!({ "type": label, "counts": counts, "codes": codes })
        });
        let count = unread.len();
        let mut document = json!({ "levels": documents, "table": table.collect::<Vec<_>>() });
        if count > 0 {
            document["unread"] = json!(unread);
        }
        out.document(&document)?;
        match count {
            0 => Ok(()),
            _ => Err(Failure::new(files::unread(count, self.files.len()))),
        }
    }
}
