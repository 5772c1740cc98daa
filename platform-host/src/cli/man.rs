//! `overworld man ...`

use std::path::PathBuf;

use clap::{Args, Subcommand};
use overworld_host::{fault, identify};
use overworld_runtime::scene::man::{self, Encounters, Record};
use serde_json::{Value, json};

use super::files::Input;
use super::{Failure, Output, list};

#[derive(Subcommand)]
pub enum Man {
    /// List records, conditions and sections of a scene's script asset
    Info(Info),
}

#[derive(Args)]
pub struct Info {
    /// A decoded MAN
    file: PathBuf,
}

impl Man {
    pub fn execute(self, out: &Output) -> Result<(), Failure> {
        let Self::Info(Info { file }) = self;
        let input = Input::read(&file)?;
        let bad = |error| input.failure(fault::man(&input.data, &error));
        let man = man::Man::parse(&input.data).map_err(bad)?;
        let name = String::from_utf8_lossy(man.name().map_err(bad)?).into_owned();
        out.say(format_args!(
            "\"{name}\", {} bytes, flags {:04X}, data region at {:#x}",
            input.data.len(),
            man.flags(),
            man::HEADER + 3 * man.len() as usize
        ))?;
        out.say(format_args!("floor heights {}", list(man.heights())))?;
        let mut records = Vec::new();
        out.say("flat  partition  start    pc0  opcode  what")?;
        for (flat, record) in (0..).zip(man.records()) {
            records.push(self::record(flat, &record.map_err(bad)?, out)?);
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
        let encounters = encounters(&man.encounters().map_err(bad)?, out)?;
        let mut motion = Vec::new();
        for it in man.motion().map_err(bad)?.records() {
            let pairs: Vec<[u8; 2]> = it.pairs().map(|(actor, on)| [actor, on]).collect();
            out.say(format_args!(
                "ambient motion at {:#x}: {}",
                it.offset,
                identify::count(pairs.len(), "actor")
            ))?;
            motion.push(json!({
                "offset": it.offset,
                "actors": pairs,
                "variants": it.variants().map(|it| it.selector).collect::<Vec<_>>(),
            }));
        }
        let mut cameras = Vec::new();
        for it in man.cameras().map_err(bad)?.iter() {
            out.say(format_args!(
                "camera region {} to {}: kind {}",
                list(it.min),
                list(it.max),
                it.kind
            ))?;
            cameras.push(json!({
                "kind": it.kind, "min": it.min, "max": it.max, "preset": it.preset,
            }));
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
            "locations": locations(&man, out)?,
        }))
    }
}

/// Labels are Shift-JIS, shown as they are stored.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
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
