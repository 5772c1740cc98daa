//! `overworld man ...`

use std::path::PathBuf;

use clap::{Args, Subcommand};
use overworld_host::sources::{Kind, Scripts};
use overworld_host::{fault, identify};
use overworld_runtime::scene::man::{self, Encounters, Record};
use serde_json::{Value, json};

use super::files::Input;
use super::sources::{Build, Dump};
use super::{Failure, Output, list};

#[derive(Subcommand)]
pub enum Man {
    /// List records, conditions and sections of a scene's script asset
    Info(Info),
    /// Write a MAN as JSON, which `man build` reads
    Dump(ManDump),
    /// Make a MAN from JSON
    Build(Build),
}

#[derive(Args)]
pub struct ManDump {
    #[command(flatten)]
    dump: Dump,
    /// Write scripts as text, as `vm disasm` does, instead of digits
    #[arg(long)]
    text: bool,
}

#[derive(Args)]
pub struct Info {
    /// A decoded MAN
    file: PathBuf,
    /// Accept bad records and sections, and list the others beside them
    #[arg(long)]
    lenient: bool,
}

/// What cannot be read: the first fault ends the call, or, leniently, each is listed.
struct Faults<'a> {
    input: &'a Input,
    lenient: bool,
    found: Vec<String>,
}

impl Faults<'_> {
    /// A part of the file, `None` if it is bad.
    fn part<T>(&mut self, part: Result<T, man::Error>) -> Result<Option<T>, Failure> {
        match part {
            Ok(part) => Ok(Some(part)),
            Err(error) => {
                let fault = fault::man(&self.input.data, &error);
                if !self.lenient {
                    return Err(self.input.failure(fault));
                }
                self.found.push(fault.to_string());
                Ok(None)
            }
        }
    }
}

impl Man {
    pub fn execute(self, out: &Output) -> Result<(), Failure> {
        let Info { file, lenient } = match self {
            Self::Info(info) => info,
            Self::Dump(ManDump { dump, text }) => {
                let scripts = if text { Scripts::Text } else { Scripts::Digits };
                return dump.execute_with(Kind::Man, scripts, out);
            }
            Self::Build(build) => return build.execute(Kind::Man, out),
        };
        let input = Input::part(&file)?;
        let parse = if lenient {
            man::Man::parse_lenient
        } else {
            man::Man::parse
        };
        let man = parse(&input.data).map_err(|it| input.failure(fault::man(&input.data, &it)))?;
        let mut faults = Faults {
            input: &input,
            lenient,
            found: Vec::new(),
        };
        let name = faults.part(man.name())?;
        let name = name.map(|name| String::from_utf8_lossy(name).into_owned());
        out.say(format_args!(
            "\"{}\", {} bytes, flags {:04X}, data region at {:#x}",
            name.as_deref().unwrap_or_default(),
            input.data.len(),
            man.flags(),
            man::HEADER + 3 * man.len() as usize
        ))?;
        out.say(format_args!("floor heights {}", list(man.heights())))?;
        let mut records = Vec::new();
        out.say("flat  partition  start    pc0  opcode  what")?;
        for (flat, record) in (0..).zip(man.records()) {
            records.push(match faults.part(record)? {
                Some(record) => self::record(flat, &record, out)?,
                None => bad_record(&man, flat, faults.found.last(), out)?,
            });
        }
        let mut sections = Vec::new();
        for index in 0..man::SECTIONS {
            let start = man.section_start(index).unwrap_or(0);
            let length = man.section(index).len();
            out.say(format_args!(
                "section {index} at {start:#x}, {}",
                identify::count(length, "byte")
            ))?;
            sections.push(json!({ "index": index, "start": start, "length": length }));
        }
        let encounters = match faults.part(man.encounters())? {
            Some(it) => encounters(&it, out)?,
            None => Value::Null,
        };
        let motion = match faults.part(man.motion())? {
            Some(it) => motion(&it, out)?,
            None => Value::Null,
        };
        let cameras = match faults.part(man.cameras())? {
            Some(it) => cameras(&it, out)?,
            None => Value::Null,
        };
        let len = man.section(man::SECTIONS - 1).len();
        if len > 0 {
            faults.part::<()>(Err(man::Error::MissingTerminator { len }))?;
        }
        let locations = locations(&man, out)?;
        for fault in &faults.found {
            out.say(format_args!("in lenient mode only: {fault}"))?;
        }
        out.document(&json!({
            "bytes": input.data.len(),
            "flags": man.flags(),
            "bulk_terrain": man.is_bulk_terrain(),
            "scene_flag": man.scene_flag(),
            "floor": man.floor(),
            "heights": man.heights(),
            "counts": man::Partition::ALL.map(|it| man.count(it)),
            "data": man::HEADER + 3 * man.len() as usize,
            "records": records,
            "sections": sections,
            "name": name,
            "encounters": encounters,
            "motion": motion,
            "cameras": cameras,
            "locations": locations,
            "faults": faults.found,
        }))
    }
}

/// Labels are Shift-JIS, shown as they are stored.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}

/// The row of a record that cannot be read.
fn bad_record(
    man: &man::Man<'_>,
    flat: u32,
    fault: Option<&String>,
    out: &Output,
) -> Result<Value, Failure> {
    let fault = fault.map(String::as_str).unwrap_or_default();
    let (partition, index) = man.locate(flat).unwrap_or((man::Partition::Object, 0));
    let partition = partition as u8;
    out.say(format_args!(
        "{flat:4}  {partition:9}        -    -       -  {fault}"
    ))?;
    Ok(json!({ "flat": flat, "partition": partition, "index": index, "error": fault }))
}

fn record(flat: u32, record: &Record<'_>, out: &Output) -> Result<Value, Failure> {
    let script = record.script();
    let mut row = json!({
        "flat": flat,
        "partition": record.partition() as u8,
        "start": script.offset,
        "pc0": script.pc0,
        "opcode": script.first(),
    });
    let (what, index, label) = match record {
        Record::Object(it) => {
            row["animation"] = it.animation.into();
            (format!("object, clip {}", it.animation), it.index, it.label)
        }
        Record::Actor(it) => {
            row["model"] = it.model.into();
            row["animation"] = it.animation.into();
            row["tile"] = it.tile.into();
            row["position"] = it.position().into();
            let what = if it.index == 0 {
                "entry script".to_owned()
            } else {
                format!(
                    "actor, model {}, clip {}, at {}",
                    it.model,
                    it.animation,
                    list(it.position())
                )
            };
            (what, it.index, it.label)
        }
        Record::Beat(it) => {
            row["c0"] = it.c0.into();
            row["c1"] = it.c1.iter().collect::<Vec<_>>().into();
            row["c2"] = it.c2.iter().collect::<Vec<_>>().into();
            let flags =
                |flags: man::FlagList<'_>| list(flags.iter().map(|flag| format!("{flag:#x}")));
            (
                format!("beat, clear [{}], set [{}]", flags(it.c1), flags(it.c2)),
                it.index,
                it.label,
            )
        }
    };
    row["index"] = index.into();
    row["label"] = hex(label).into();
    out.say(format_args!(
        "{flat:4}  {:9}  {:#7x}  {:3}      {:02X}  {what}",
        record.partition() as u8,
        script.offset,
        script.pc0,
        script.first()
    ))?;
    Ok(row)
}

fn encounters(encounters: &Encounters<'_>, out: &Output) -> Result<Value, Failure> {
    let mut formations = Vec::new();
    for (row, it) in encounters.formations().enumerate() {
        let kind = if it.is_scripted() { ", scripted" } else { "" };
        out.say(format_args!(
            "formation {row}: monsters [{}]{kind}",
            list(it.monsters)
        ))?;
        formations.push(json!({ "scripted": it.scripted, "monsters": it.monsters }));
    }
    let mut conditions = Vec::new();
    for it in encounters.conditions() {
        let when = match it.flag {
            man::encounter::ALWAYS => "always".to_owned(),
            flag => format!("flag {flag:#x}"),
        };
        out.say(format_args!(
            "condition {when}: {} region{}",
            it.owned,
            if it.owned == 1 { "" } else { "s" }
        ))?;
        conditions.push(json!({ "flag": it.flag, "regions": it.owned }));
    }
    let mut regions = Vec::new();
    for it in encounters.regions() {
        out.say(format_args!(
            "encounter region {} to {}: rate {}, formations {}+{}",
            list(it.min),
            list(it.max),
            it.rate,
            it.first,
            it.count
        ))?;
        regions.push(json!({
            "min": it.min, "max": it.max, "rate": it.rate,
            "first": it.first, "count": it.count, "stage": it.stage(),
        }));
    }
    Ok(json!({
        "strides": encounters.strides(),
        "formations": formations,
        "conditions": conditions,
        "regions": regions,
    }))
}

fn motion(table: &man::Motion<'_>, out: &Output) -> Result<Value, Failure> {
    let mut rows = Vec::new();
    for it in table.records() {
        let pairs: Vec<[u8; 2]> = it.pairs().map(|(actor, on)| [actor, on]).collect();
        out.say(format_args!(
            "ambient motion at {:#x}: {}",
            it.offset,
            identify::count(pairs.len(), "actor")
        ))?;
        rows.push(json!({
            "offset": it.offset,
            "actors": pairs,
            "variants": it.variants().map(|it| it.selector).collect::<Vec<_>>(),
        }));
    }
    Ok(rows.into())
}

fn cameras(table: &man::camera::Cameras<'_>, out: &Output) -> Result<Value, Failure> {
    let mut rows = Vec::new();
    for it in table.iter() {
        out.say(format_args!(
            "camera region {} to {}: kind {}",
            list(it.min),
            list(it.max),
            it.kind
        ))?;
        rows.push(json!({
            "kind": it.kind, "min": it.min, "max": it.max, "preset": it.preset,
        }));
    }
    Ok(rows.into())
}

/// The table behind the last section, which only the kingdoms have: bytes that do not make one, or
/// are nothing but padding, are none.
fn locations(man: &man::Man<'_>, out: &Output) -> Result<Value, Failure> {
    let mut rows = Vec::new();
    for it in man.locations().iter().flat_map(|it| it.iter()) {
        let name = String::from_utf8_lossy(it.name()).into_owned();
        out.say(format_args!(
            "location \"{name}\" at {}, flag {:#x}",
            list(it.position()),
            it.flag
        ))?;
        rows.push(json!({
            "region": it.region, "at": it.at, "flag": it.flag, "name": name,
        }));
    }
    Ok(rows.into())
}
