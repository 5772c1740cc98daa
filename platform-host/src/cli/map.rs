//! `overworld map ...`

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use overworld_host::sources::Kind;
use overworld_host::text::without_mark;
use overworld_host::{fault, identify, json, scenario};
use overworld_runtime::field::ground::NO_HEIGHTS;
use overworld_runtime::field::map::trigger::{Script, Teleport};
use overworld_runtime::field::map::{self, Map as Field, Object, Patch, Tile, Triggers, patch};
use overworld_runtime::field::units::dispatch_tile;
use overworld_runtime::field::wall::WallBit;
use overworld_runtime::field::{Compat, Ground};
use overworld_runtime::scene::man::{Man, TIERS};
use serde_json::{Value, json};

use super::files::Input;
use super::sources::{Build, Dump};
use super::{Failure, Output, list, number};

#[derive(Subcommand)]
pub enum Map {
    /// List regions, objects, triggers and elevation records
    Info(Info),
    /// Tell what stands at a world position: wall, floor, tier, triggers
    ///
    /// The wall is looked up by the biased mapping, everything else by the plain one; what a walker who comes
    /// there starts is told besides, by the mapping of the trigger dispatch, half a tile behind. Attributes are
    /// refreshed first, as a scene's load does it.
    Probe(Probe),
    /// Write a map or a patch as JSON, which `map build` reads
    Dump(Dump),
    /// Make a map or a patch from JSON
    Build(Build),
}

#[derive(Args)]
pub struct Probe {
    /// A .MAP file (73728 bytes) or the loader's read of 40 sectors (81920)
    file: PathBuf,
    /// World X, 128 units a tile
    #[arg(long, value_name = "X", value_parser = number::<i16>, allow_hyphen_values = true)]
    x: i16,
    /// World Z
    #[arg(long, value_name = "Z", value_parser = number::<i16>, allow_hyphen_values = true)]
    z: i16,
    /// Heights of the 16 tiers: a scene's MAN, a JSON array, or 32 bytes; without it all are zero
    #[arg(long, value_name = "FILE")]
    lut: Option<PathBuf>,
}

#[derive(Args)]
pub struct Info {
    /// A .MAP file (73728 bytes), the loader's read of 40 sectors (81920), or a .PCH patch (2048)
    file: PathBuf,
}

/// Name, offset and length of the file's regions.
const REGIONS: [(&str, usize, usize); 4] = [
    ("objects", 0x00000, 0x4000),
    ("collision", 0x04000, 0x4000),
    ("cells", 0x08000, 0x8000),
    ("triggers", 0x10000, 0x2000),
];

impl Map {
    pub fn execute(self, out: &Output) -> Result<(), Failure> {
        let file = match self {
            Self::Info(Info { file }) => file,
            Self::Probe(probe) => return probe.execute(out),
            Self::Dump(dump) => return dump.execute(Kind::Map, out),
            Self::Build(build) => return build.execute(Kind::Map, out),
        };
        let input = Input::part(&file)?;
        let bad = |error| input.failure(fault::map(&error));
        match input.data.len() {
            patch::SIZE => {
                let patch = Patch::parse(&input.data)
                    .map_err(|error| input.failure(fault::patch(&error)))?;
                out.say(format_args!("trigger patch, {} bytes", patch::SIZE))?;
                let triggers = triggers(&patch.triggers(), out)?;
                out.document(&json!({
                    "bytes": patch::SIZE,
                    "retail_shaped": patch.is_retail_shaped(),
                    "triggers": triggers,
                    "elevations": elevations(&patch.triggers(), out)?,
                }))
            }
            map::READ_SIZE => {
                let (map, fallback) = Field::parse_read(&input.data).map_err(bad)?;
                let mut document = describe(&map, out)?;
                let empty = fallback.teleports().count() == 0
                    && fallback.scripts().count() == 0
                    && fallback.regions().count() == 0
                    && fallback.elevations().count() == 0;
                out.say(format_args!(
                    "fallback block behind the map:{}",
                    if empty { " empty" } else { "" }
                ))?;
                document["bytes"] = map::READ_SIZE.into();
                document["fallback"] = triggers(&fallback, out)?;
                document["fallback"]["elevations"] = elevations(&fallback, out)?;
                out.document(&document)
            }
            _ => {
                let map = Field::parse(&input.data).map_err(bad)?;
                out.document(&describe(&map, out)?)
            }
        }
    }
}

impl Probe {
    fn execute(self, out: &Output) -> Result<(), Failure> {
        let mut input = Input::part(&self.file)?;
        let fallback = scenario::load(&mut input.data);
        let fallback = fallback.map_err(|error| input.failure(fault::map(&error)))?;
        let heights = match self.lut {
            Some(path) => heights(&Input::part(&path)?)?,
            None => NO_HEIGHTS,
        };
        let map = Field::parse(&input.data);
        let map = map.map_err(|error| input.failure(fault::map(&error)))?;
        let ground = Ground::new(map, Triggers::lenient(&fallback), &heights);
        let (x, z) = (i32::from(self.x), i32::from(self.z));
        let wall = ground.walls().at(x, z);
        let bit = WallBit::of(x, z);
        let floor = ground.floor(x, z);
        let at = Tile::containing(x, z);
        let cell = at.map(|at| map.cell(at).0);
        let tier = at.map(|at| map.collision(at).tier());
        let void = at.is_some_and(|at| map.is_void(at));
        let both = ground.triggers();
        let teleport = at.and_then(|at| both.teleport(at));
        let script = at.and_then(|at| both.script(at));
        let elevation = at.and_then(|at| both.elevation(at));
        let crossing = Crossing::at(&ground, x, z);
        out.say(format_args!(
            "({x}, {z}): {}, floor {floor}, {}",
            if wall { "wall" } else { "open" },
            match (at, tier) {
                (Some(at), Some(tier)) => format!("tier {tier} on tile {}", list(self::tile(at))),
                _ => "off the grid".to_owned(),
            }
        ))?;
        if let Some(WallBit { tile, bit }) = bit {
            let byte = map.collision(tile).0;
            out.say(format_args!(
                "wall bit {bit} of tile {}, byte {byte:02X}",
                list(self::tile(tile))
            ))?;
        }
        if let Some(cell) = cell {
            out.say(format_args!("attributes {cell:04X}"))?;
        }
        if void {
            out.say("nothing is on the tile: walls all over, and an object that is nothing")?;
        }
        if let Some(it) = teleport {
            out.say(format_args!("teleport to {}", list(it.landing())))?;
        }
        if let Some(it) = script {
            out.say(format_args!(
                "script record {}, gate {}",
                it.record, it.gate
            ))?;
        }
        if let Some(it) = elevation {
            out.say(format_args!(
                "elevation coarse {} quads {:02X}",
                it.coarse, it.quads
            ))?;
        }
        if let Some(it) = &crossing {
            it.say(out)?;
        }
        out.document(&json!({
            "x": x,
            "z": z,
            "wall": wall,
            "wall_bit": bit.map(|it| json!({ "tile": tile(it.tile), "bit": it.bit })),
            "floor": floor,
            "tile": at.map(tile),
            "tier": tier,
            "cell": cell,
            "void": void,
            "teleport": teleport.map(of_teleport),
            "script": script.map(of_script),
            "elevation": elevation.map(|it| json!({ "coarse": it.coarse, "quads": it.quads })),
            "crossing": crossing.map(|it| it.document()),
        }))
    }
}

fn of_teleport(it: Teleport) -> Value {
    json!({ "destination": it.destination, "landing": it.landing() })
}

fn of_script(it: Script) -> Value {
    json!({ "record": it.record, "gate": it.gate })
}

/// What a walker fires who comes to a place (field sheet, section 10.2).
struct Crossing {
    tile: Tile,
    teleport: Option<Teleport>,
    script: Option<Script>,
}

impl Crossing {
    /// As the dispatch finds it; `None` off the grid.
    fn at(ground: &Ground<'_>, x: i32, z: i32) -> Option<Self> {
        let [col, row] = dispatch_tile(x, z, Compat::SHEET.trigger_bias);
        let tile = Tile::at(col, row)?;
        let triggers = ground.triggers();
        let live = ground.cell(tile).may_trigger();
        Some(Self {
            tile,
            teleport: triggers.teleport(tile).filter(|_| live),
            script: triggers.script(tile).filter(|_| live),
        })
    }

    fn say(&self, out: &Output) -> Result<(), Failure> {
        let walked = self.script.filter(|it| it.gate == Script::WALK_ON);
        let mut starts = Vec::new();
        starts.extend(walked.map(|it| format!("starts beat {}", it.record)));
        let taken = |it: Teleport| format!("is taken to {}", list(it.landing()));
        starts.extend(self.teleport.map(taken));
        if starts.is_empty() {
            return Ok(());
        }
        out.say(format_args!(
            "who walks here comes to tile {}, and {}",
            list(tile(self.tile)),
            starts.join(" and ")
        ))
    }

    fn document(&self) -> Value {
        json!({
            "tile": tile(self.tile),
            "teleport": self.teleport.map(of_teleport),
            "script": self.script.map(of_script),
        })
    }
}

/// The heights of a `--lut`: of a MAN, whose table is negated, or given as the game holds them.
fn heights(input: &Input) -> Result<[i16; 16], Failure> {
    let data = &input.data;
    // The length goes first: no array of 16 numbers is so short, and a first byte says nothing.
    if let Ok(table) = <&[u8; 32]>::try_from(&data[..]) {
        let words: Vec<i16> = table
            .chunks_exact(2)
            .map(|word| i16::from_le_bytes([word[0], word[1]]))
            .collect();
        return Ok(std::array::from_fn(|tier| {
            words.get(tier).copied().unwrap_or(0)
        }));
    }
    if without_mark(data).trim_ascii_start().starts_with(b"[") {
        return json::read(data).map_err(|error| {
            input.failure(format_args!("expected an array of 16 heights: {error}"))
        });
    }
    match Man::parse(data) {
        // Zeros read as one, and so does what begins with enough of them.
        Ok(man) if man.is_empty() && man.floor() == [0; TIERS] => Err(input.failure(
            "expected a MAN, an array of 16 heights or 32 bytes, found a MAN with neither a record nor a height",
        )),
        Ok(man) => Ok(man.heights()),
        Err(error) => Err(input.failure(format_args!(
            "expected a MAN, an array of 16 heights or 32 bytes: {}",
            fault::man(data, &error)
        ))),
    }
}

fn tile(tile: Tile) -> [u8; 2] {
    [tile.col(), tile.row()]
}

fn describe(map: &Field<'_>, out: &Output) -> Result<Value, Failure> {
    out.say("region     offset   bytes")?;
    for (name, offset, length) in REGIONS {
        out.say(format_args!("{name:9}  {offset:#7x}  {length:6}"))?;
    }
    let regions = REGIONS
        .map(|(name, offset, length)| json!({ "name": name, "offset": offset, "length": length }));
    let mut walls = [0_usize; 2];
    let mut tiers = [0_usize; 16];
    let mut cells: BTreeMap<u16, Vec<[u8; 2]>> = BTreeMap::new();
    for (at, cell) in map.cells() {
        let collision = map.collision(at);
        walls[0] += usize::from(collision.walls() != 0);
        walls[1] += collision.walls().count_ones() as usize;
        if let Some(tier) = tiers.get_mut(usize::from(collision.tier())) {
            *tier += 1;
        }
        if cell.object() != 0 {
            cells.entry(cell.object()).or_default().push(tile(at));
        }
    }
    out.say(format_args!(
        "{} with walls, {} of 65536 sub-cells",
        identify::count(walls[0], "tile"),
        walls[1]
    ))?;
    let mut objects = Vec::new();
    for (index, object) in (0..).zip(map.objects()) {
        let cells = cells.get(&index).map(Vec::as_slice).unwrap_or_default();
        if object == Object::default() && cells.is_empty() {
            continue;
        }
        out.say(format_args!(
            "object {index:3}: mesh {:3} flags {:04X} offset {} yaw {} on {}",
            object.mesh,
            object.flags,
            list(object.offset),
            object.rotation[1],
            identify::count(cells.len(), "cell")
        ))?;
        objects.push(self::object(index, &object, cells));
    }
    let placed: Vec<_> = map
        .placed()
        .map(|it| {
            json!({
                "object": it.index,
                "tile": tile(it.tile),
                "position": it.object.position(it.tile),
                "anchor": tile(it.anchor),
            })
        })
        .collect();
    let triggers = triggers(&map.triggers(), out)?;
    let elevations = elevations(&map.triggers(), out)?;
    let notes = fault::findings(map);
    for note in &notes {
        out.say(format_args!("note: {note}"))?;
    }
    let finding = map.lint().err();
    Ok(json!({
        "bytes": map::SIZE,
        "regions": regions,
        "wall_tiles": walls[0],
        "wall_cells": walls[1],
        "tiers": tiers,
        "objects": objects,
        "placed": placed,
        "triggers": triggers,
        "elevations": elevations,
        "finding": finding.map(|it| it.to_string()),
        "notes": notes,
    }))
}

fn object(index: u16, object: &Object, cells: &[[u8; 2]]) -> Value {
    json!({
        "index": index,
        "offset": object.offset,
        "anchor": object.anchor,
        "rotation": object.rotation,
        "fine": object.fine,
        "mesh": object.mesh,
        "flags": object.flags,
        "atlas": object.atlas,
        "page": object.page,
        "palette": object.palette,
        "cull": object.cull,
        "cells": cells,
    })
}

fn triggers(triggers: &Triggers<'_>, out: &Output) -> Result<Value, Failure> {
    let mut teleports = Vec::new();
    for it in triggers.teleports() {
        let landing = it.landing();
        out.say(format_args!(
            "teleport on {}: to {} (half tiles {})",
            list(it.tile),
            list(landing),
            list(it.destination)
        ))?;
        teleports.push(json!({
            "tile": it.tile, "destination": it.destination, "landing": landing,
        }));
    }
    let mut scripts = Vec::new();
    for it in triggers.scripts() {
        let gate = match it.gate {
            0 => "binds an object to flat record",
            1 => "walking on it starts beat",
            _ => "unknown gate, record",
        };
        out.say(format_args!(
            "script on {}: {gate} {}",
            list(it.tile),
            it.record
        ))?;
        scripts.push(json!({ "tile": it.tile, "record": it.record, "gate": it.gate }));
    }
    let mut regions = Vec::new();
    for it in triggers.regions() {
        out.say(format_args!(
            "region box {}: type {}",
            list(it.corners),
            it.ty
        ))?;
        regions.push(json!({ "corners": it.corners, "type": it.ty, "extra": it.extra }));
    }
    Ok(json!({ "teleports": teleports, "scripts": scripts, "regions": regions }))
}

fn elevations(triggers: &Triggers<'_>, out: &Output) -> Result<Value, Failure> {
    let mut rows = Vec::new();
    for it in triggers.elevations() {
        out.say(format_args!(
            "elevation on {}: coarse {} quads {:02X}",
            list(it.tile),
            it.coarse,
            it.quads
        ))?;
        rows.push(json!({ "tile": it.tile, "coarse": it.coarse, "quads": it.quads }));
    }
    Ok(rows.into())
}
