//! MAN scripts (MAN sheet).

use overworld_runtime::scene::man::{
    self, ActorSource, BeatSource, FlagList, Man, ObjectSource, Record, TIERS,
};
use serde::{Deserialize, Serialize};

use super::{Built, Error, File, Scripts, read, too_many, write, written};
use crate::fault::{self, Fault};
use crate::identify::count;
use crate::number::{Hex, Number, Part};
use crate::object::Object;
use parts::{
    CameraRow, EncounterRows, LocationRow, MotionRow, body, camera_rows, cameras, encounter_rows,
    encounters, hex, location_rows, locations, motion_rows, motions, numbers, part,
};
use script::{Code, assemble};

mod parts;
mod script;

/// The document.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Document {
    flags: Number<u16>,
    /// Heights of the tiers as stored: positive is up.
    floor: Vec<Number<i16>>,
    objects: Vec<Object<ObjectRow>>,
    actors: Vec<Object<ActorRow>>,
    beats: Vec<Object<BeatRow>>,
    encounters: Part<Object<EncounterRows>>,
    motion: Part<Vec<Object<MotionRow>>>,
    /// The display name, if it is printable ASCII.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// Else its bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    name_bytes: Option<Hex>,
    cameras: Part<Vec<Object<CameraRow>>>,
    /// Section 4.
    open: Hex,
    /// The table behind the sections; without it there is nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    locations: Option<Part<Vec<Object<LocationRow>>>>,
}

impl Default for Document {
    fn default() -> Self {
        Self {
            flags: Number(0),
            floor: Vec::new(),
            objects: Vec::new(),
            actors: Vec::new(),
            beats: Vec::new(),
            encounters: Part::default(),
            motion: Part::default(),
            name: None,
            name_bytes: None,
            cameras: Part::default(),
            // A zero detaches the section (MAN sheet, section 3).
            open: Hex(vec![0]),
            locations: None,
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ObjectRow {
    #[serde(default)]
    label: Hex,
    #[serde(default)]
    animation: Number<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<Hex>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ActorRow {
    #[serde(default)]
    label: Hex,
    #[serde(default)]
    model: Number<u8>,
    #[serde(default)]
    animation: Number<u8>,
    tile: [Number<u8>; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<Hex>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BeatRow {
    #[serde(default)]
    label: Hex,
    #[serde(default)]
    c0: Hex,
    #[serde(default)]
    c1: Vec<Number<u16>>,
    #[serde(default)]
    c2: Vec<Number<u16>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<Hex>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
}

/// Text and contents of a MAN's document.
pub(super) fn dump(data: &[u8], scripts: Scripts) -> Result<(String, String), Fault> {
    let bad = |error: man::Error| fault::man(data, &error);
    let man = Man::parse(data).map_err(bad)?;
    let mut document = Document {
        flags: Number(man.flags()),
        floor: man.floor().map(Number).to_vec(),
        open: hex(man.section(4)),
        ..Document::default()
    };
    // Records with one start share their bytes, and each would have a copy of them.
    let mut left = data.len();
    for (flat, record) in (0_u32..).zip(man.records()) {
        let record = record.map_err(bad)?;
        let script = record.script();
        left = left
            .checked_sub(script.pc0 as usize + script.code().len())
            .ok_or_else(|| Fault {
                name: "Overlap".to_owned(),
                offset: None,
                text: format!(
                    "record {flat} shares its bytes with others, which a document cannot say"
                ),
            })?;
        let Code { code, text, source } = Code::of(script.code(), scripts);
        match record {
            Record::Object(it) => document.objects.push(Object(ObjectRow {
                label: hex(it.label),
                animation: Number(it.animation),
                code,
                text,
                source,
            })),
            Record::Actor(it) => document.actors.push(Object(ActorRow {
                label: hex(it.label),
                model: Number(it.model),
                animation: Number(it.animation),
                tile: it.tile.map(Number),
                code,
                text,
                source,
            })),
            Record::Beat(it) => document.beats.push(Object(BeatRow {
                label: hex(it.label),
                c0: hex(it.c0),
                c1: it.c1.iter().map(Number).collect(),
                c2: it.c2.iter().map(Number).collect(),
                code,
                text,
                source,
            })),
        }
    }
    let rows = encounter_rows(&man.encounters().map_err(bad)?);
    document.encounters = part(Some(Object(rows)), man.section(0), |it| encounters(&it.0));
    let rows = man.motion().map_err(bad)?;
    document.motion = part(Some(motion_rows(&rows)), man.section(1), |it| motions(it));
    let name = man.name().map_err(bad)?;
    let plain = |byte: &u8| (0x20..0x7F).contains(byte);
    match str::from_utf8(name) {
        Ok(text) if name.iter().all(plain) => document.name = Some(text.to_owned()),
        _ => document.name_bytes = Some(hex(name)),
    }
    let rows = camera_rows(&man.cameras().map_err(bad)?);
    document.cameras = part(Some(rows), man.section(3), |it| cameras(it));
    let after = man.after_sections();
    if !after.is_empty() {
        let rows = man.locations().map(|it| location_rows(&it));
        document.locations = Some(part(rows, after, |it| locations(it)));
    }
    Ok((write(&document), what(&man)))
}

fn what(man: &Man<'_>) -> String {
    count(man.len() as usize, "record")
}

/// The MAN of a document.
pub(super) fn build(text: &[u8], file: File<'_>) -> Result<Built, Error> {
    let document: Document = read(text)?;
    let bytes = emit(&document, file)?;
    // The bodies may be bytes that were given.
    let bad = |error: man::Error| fault::man(&bytes, &error);
    let man = Man::parse(&bytes).map_err(bad)?;
    for record in man.records() {
        record.map_err(bad)?;
    }
    man.encounters().map_err(bad)?;
    man.motion().map_err(bad)?;
    man.name().map_err(bad)?;
    man.cameras().map_err(bad)?;
    let what = what(&man);
    Ok(Built { bytes, what })
}

fn emit(document: &Document, file: File<'_>) -> Result<Vec<u8>, Fault> {
    let mut floor = [0; TIERS];
    if document.floor.len() > TIERS {
        return Err(too_many("floor", document.floor.len(), TIERS));
    }
    for (to, Number(from)) in floor.iter_mut().zip(&document.floor) {
        *to = *from;
    }
    let words = |list: &[Number<u16>]| list.iter().map(|it| it.0).collect::<Vec<u16>>();
    let flags: Vec<[Vec<u16>; 2]> = document
        .beats
        .iter()
        .map(|Object(it)| [words(&it.c1), words(&it.c2)])
        .collect();
    let of_objects = assemble("objects", &document.objects, file)?;
    let of_actors = assemble("actors", &document.actors, file)?;
    let of_beats = assemble("beats", &document.beats, file)?;
    let objects = document.objects.iter().zip(&of_objects);
    let objects = objects.map(|(Object(it), script)| ObjectSource {
        label: &it.label.0,
        animation: it.animation.0,
        script,
    });
    let actors = document.actors.iter().zip(&of_actors);
    let actors = actors.map(|(Object(it), script)| ActorSource {
        label: &it.label.0,
        model: it.model.0,
        animation: it.animation.0,
        tile: numbers(&it.tile),
        script,
    });
    let beats = document.beats.iter().zip(&flags).zip(&of_beats);
    let beats = beats.map(|((Object(it), [c1, c2]), script)| BeatSource {
        label: &it.label.0,
        c0: &it.c0.0,
        c1: FlagList::from(c1.as_slice()),
        c2: FlagList::from(c2.as_slice()),
        script,
    });
    let (objects, actors): (Vec<_>, Vec<_>) = (objects.collect(), actors.collect());
    let beats: Vec<_> = beats.collect();
    let name = match (&document.name, &document.name_bytes) {
        (Some(_), Some(_)) => {
            return Err(Fault {
                name: "BadName".to_owned(),
                offset: None,
                text: "expected one of \"name\" and \"name_bytes\", found both".to_owned(),
            });
        }
        (Some(text), None) => text.as_bytes(),
        (None, Some(Hex(bytes))) => bytes,
        (None, None) => &[],
    };
    let after = document.locations.as_ref();
    let after = after.map(|it| body(it, |rows| locations(rows)));
    let source = man::Source {
        flags: document.flags.0,
        floor,
        objects: &objects,
        actors: &actors,
        beats: &beats,
        encounters: &body(&document.encounters, |it| encounters(&it.0))?,
        motion: &body(&document.motion, |it| motions(it))?,
        name,
        cameras: &body(&document.cameras, |it| cameras(it))?,
        open: &document.open.0,
        after: &after.transpose()?.unwrap_or_default(),
    };
    let labels = objects.iter().map(|it| it.label.len() + it.script.len());
    let labels = labels.chain(actors.iter().map(|it| it.label.len() + it.script.len()));
    let lists = beats
        .iter()
        .map(|it| it.label.len() + it.script.len() + it.c0.len() + 2 * (it.c1.len() + it.c2.len()));
    let records = objects.len() + actors.len() + beats.len();
    let sections = [
        source.encounters,
        source.motion,
        name,
        source.cameras,
        source.open,
    ];
    let bodies = sections.map(<[u8]>::len).iter().sum::<usize>() + source.after.len();
    // A header, six lengths and the name's end; of a record at most 5 bytes beside its lists, and 3
    // in the table.
    let most = man::HEADER + 8 * records + labels.chain(lists).sum::<usize>() + 19 + bodies;
    written(most, |out| man::emit(&source, out))
}
