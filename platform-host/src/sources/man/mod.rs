//! MAN scripts (MAN sheet).

use overworld_runtime::scene::man::camera::{self, CameraRegion, Cameras};
use overworld_runtime::scene::man::encounter::{
    self, Condition, Encounters, Formation, Region, STRIDES,
};
use overworld_runtime::scene::man::motion::{self, Motion, MotionRecord, MotionSource};
use overworld_runtime::scene::man::{
    self, ActorSource, BeatSource, FlagList, Location, Locations, Man, ObjectSource, Record, TIERS,
};
use serde::{Deserialize, Serialize};

use super::{Built, Error, read, too_many, write, written};
use crate::fault::{self, Fault};
use crate::identify::count;
use crate::number::{Hex, Number, Part};
use crate::object::Object;

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
    code: Hex,
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
    code: Hex,
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
    code: Hex,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct EncounterRows {
    strides: [Number<u8>; 3],
    formations: Vec<Object<FormationRow>>,
    conditions: Vec<Object<ConditionRow>>,
    regions: Vec<Object<RegionRow>>,
}

impl Default for EncounterRows {
    fn default() -> Self {
        Self {
            strides: STRIDES.map(Number),
            formations: Vec::new(),
            conditions: Vec::new(),
            regions: Vec::new(),
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FormationRow {
    #[serde(default)]
    scripted: Number<u8>,
    #[serde(default)]
    reserved: [Number<u8>; 2],
    monsters: Vec<Number<u8>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ConditionRow {
    flag: Number<u16>,
    regions: Number<i16>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RegionRow {
    min: [Number<u8>; 2],
    max: [Number<u8>; 2],
    rate: Number<u8>,
    #[serde(default)]
    unknown: Number<u8>,
    first: Number<u8>,
    count: Number<u8>,
    #[serde(default)]
    backdrop: Number<u8>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MotionRow {
    actors: Vec<[Number<u8>; 2]>,
    variants: Part<Vec<Object<VariantRow>>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct VariantRow {
    selector: Number<u16>,
    code: Hex,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CameraRow {
    kind: Number<u8>,
    min: [Number<u8>; 2],
    max: [Number<u8>; 2],
    preset: [Number<u8>; 13],
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LocationRow {
    region: Number<u8>,
    at: [Number<u8>; 2],
    flag: Number<u16>,
    /// 24 bytes; what is missing is zero.
    name: Hex,
}

/// The structure of a part where it says all its bytes, else the bytes.
fn part<T>(rows: Option<T>, bytes: &[u8], emit: impl Fn(&T) -> Result<Vec<u8>, Fault>) -> Part<T> {
    match rows {
        Some(rows) if emit(&rows).is_ok_and(|it| it == bytes) => Part::Rows(rows),
        _ => Part::Raw(Hex(bytes.to_vec())),
    }
}

/// The bytes of a part.
fn body<T>(part: &Part<T>, emit: impl Fn(&T) -> Result<Vec<u8>, Fault>) -> Result<Vec<u8>, Fault> {
    match part {
        Part::Rows(rows) => emit(rows),
        Part::Raw(Hex(bytes)) => Ok(bytes.clone()),
    }
}

fn numbers<T: Copy, const N: usize>(values: &[Number<T>; N]) -> [T; N] {
    values.each_ref().map(|it| it.0)
}

fn hex(bytes: &[u8]) -> Hex {
    Hex(bytes.to_vec())
}

/// Text and contents of a MAN's document.
pub(super) fn dump(data: &[u8]) -> Result<(String, String), Fault> {
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
        match record {
            Record::Object(it) => document.objects.push(Object(ObjectRow {
                label: hex(it.label),
                animation: Number(it.animation),
                code: hex(it.script.code()),
            })),
            Record::Actor(it) => document.actors.push(Object(ActorRow {
                label: hex(it.label),
                model: Number(it.model),
                animation: Number(it.animation),
                tile: it.tile.map(Number),
                code: hex(it.script.code()),
            })),
            Record::Beat(it) => document.beats.push(Object(BeatRow {
                label: hex(it.label),
                c0: hex(it.c0),
                c1: it.c1.iter().map(Number).collect(),
                c2: it.c2.iter().map(Number).collect(),
                code: hex(it.script.code()),
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
pub(super) fn build(text: &[u8]) -> Result<Built, Error> {
    let document: Document = read(text)?;
    let bytes = emit(&document)?;
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

fn emit(document: &Document) -> Result<Vec<u8>, Fault> {
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
    let objects = document.objects.iter().map(|Object(it)| ObjectSource {
        label: &it.label.0,
        animation: it.animation.0,
        script: &it.code.0,
    });
    let actors = document.actors.iter().map(|Object(it)| ActorSource {
        label: &it.label.0,
        model: it.model.0,
        animation: it.animation.0,
        tile: numbers(&it.tile),
        script: &it.code.0,
    });
    let beats = document.beats.iter().zip(&flags);
    let beats = beats.map(|(Object(it), [c1, c2])| BeatSource {
        label: &it.label.0,
        c0: &it.c0.0,
        c1: FlagList::from(c1.as_slice()),
        c2: FlagList::from(c2.as_slice()),
        script: &it.code.0,
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

fn encounter_rows(from: &Encounters<'_>) -> EncounterRows {
    let formation = |it: Formation<'_>| FormationRow {
        scripted: Number(it.scripted),
        reserved: it.reserved.map(Number),
        monsters: it.monsters.iter().map(|&id| Number(id)).collect(),
    };
    let condition = |it: Condition| ConditionRow {
        flag: Number(it.flag),
        regions: Number(it.owned),
    };
    let region = |it: Region| RegionRow {
        min: it.min.map(Number),
        max: it.max.map(Number),
        rate: Number(it.rate),
        unknown: Number(it.unknown),
        first: Number(it.first),
        count: Number(it.count),
        backdrop: Number(it.backdrop),
    };
    EncounterRows {
        strides: from.strides().map(Number),
        formations: from.formations().map(|it| Object(formation(it))).collect(),
        conditions: from.conditions().map(|it| Object(condition(it))).collect(),
        regions: from.regions().map(|it| Object(region(it))).collect(),
    }
}

fn encounters(rows: &EncounterRows) -> Result<Vec<u8>, Fault> {
    let monsters = rows.formations.iter().map(|Object(it)| it.monsters.iter());
    let monsters: Vec<Vec<u8>> = monsters.map(|it| it.map(|id| id.0).collect()).collect();
    let formations = rows.formations.iter().zip(&monsters);
    let formations = formations.map(|(Object(it), monsters)| Formation {
        scripted: it.scripted.0,
        reserved: numbers(&it.reserved),
        monsters,
    });
    let conditions = rows.conditions.iter().map(|Object(it)| Condition {
        flag: it.flag.0,
        owned: it.regions.0,
    });
    let regions = rows.regions.iter().map(|Object(it)| Region {
        min: numbers(&it.min),
        max: numbers(&it.max),
        rate: it.rate.0,
        unknown: it.unknown.0,
        first: it.first.0,
        count: it.count.0,
        backdrop: it.backdrop.0,
    });
    let source = encounter::Source {
        strides: numbers(&rows.strides),
        formations: &formations.collect::<Vec<_>>(),
        conditions: &conditions.collect::<Vec<_>>(),
        regions: &regions.collect::<Vec<_>>(),
    };
    // Three strides, three counts, three arrays of at most 255 rows of at most 255 bytes.
    written(6 + 3 * 255 * 255, |out| encounter::emit(&source, out))
}

fn motion_rows(from: &Motion<'_>) -> Vec<Object<MotionRow>> {
    let row = |it: MotionRecord<'_>| MotionRow {
        actors: it
            .pairs()
            .map(|(actor, on)| [Number(actor), Number(on)])
            .collect(),
        variants: part(Some(variant_rows(&it)), it.stream, |rows| variants(rows)),
    };
    from.records().map(|it| Object(row(it))).collect()
}

fn variant_rows(from: &MotionRecord<'_>) -> Vec<Object<VariantRow>> {
    // The code of each reaches to the end; where the next one begins is known from its own.
    let all: Vec<_> = from.variants().collect();
    let rows = all.iter().enumerate().map(|(index, it)| {
        let next = all.get(index + 1).map_or(0, |it| it.code.len() + 4);
        let code = it.code.get(..it.code.len().saturating_sub(next));
        Object(VariantRow {
            selector: Number(it.selector),
            code: hex(code.unwrap_or_default()),
        })
    });
    rows.collect()
}

fn variants(rows: &[Object<VariantRow>]) -> Result<Vec<u8>, Fault> {
    let list: Vec<(u16, &[u8])> = rows
        .iter()
        .map(|Object(it)| (it.selector.0, it.code.0.as_slice()))
        .collect();
    let most = list.iter().map(|(_, code)| code.len() + 4).sum();
    written(most, |out| motion::emit_stream(&list, out))
}

fn motions(rows: &[Object<MotionRow>]) -> Result<Vec<u8>, Fault> {
    let pairs = rows.iter().map(|Object(it)| it.actors.iter().map(numbers));
    let pairs: Vec<Vec<[u8; 2]>> = pairs.map(Iterator::collect).collect();
    let streams = rows
        .iter()
        .map(|Object(it)| body(&it.variants, |rows| variants(rows)));
    let streams = streams.collect::<Result<Vec<_>, _>>()?;
    let list = pairs.iter().zip(&streams);
    let list: Vec<_> = list
        .map(|(pairs, stream)| MotionSource { pairs, stream })
        .collect();
    let most = list
        .iter()
        .map(|it| 3 + 2 * it.pairs.len() + it.stream.len());
    written(most.sum::<usize>() + 1, |out| motion::emit(&list, out))
}

fn camera_rows(from: &Cameras<'_>) -> Vec<Object<CameraRow>> {
    let row = |it: CameraRegion| CameraRow {
        kind: Number(it.kind),
        min: it.min.map(Number),
        max: it.max.map(Number),
        preset: it.preset.map(Number),
    };
    from.iter().map(|it| Object(row(it))).collect()
}

fn cameras(rows: &[Object<CameraRow>]) -> Result<Vec<u8>, Fault> {
    let list = rows.iter().map(|Object(it)| CameraRegion {
        kind: it.kind.0,
        min: numbers(&it.min),
        max: numbers(&it.max),
        preset: numbers(&it.preset),
    });
    let list: Vec<_> = list.collect();
    written(1 + CameraRegion::BYTES * list.len(), |out| {
        camera::emit(&list, out)
    })
}

fn location_rows(from: &Locations<'_>) -> Vec<Object<LocationRow>> {
    let row = |it: Location| {
        let end = it.name.iter().rposition(|&byte| byte != 0);
        LocationRow {
            region: Number(it.region),
            at: it.at.map(Number),
            flag: Number(it.flag),
            name: hex(it
                .name
                .get(..end.map_or(0, |it| it + 1))
                .unwrap_or_default()),
        }
    };
    from.iter().map(|it| Object(row(it))).collect()
}

fn locations(rows: &[Object<LocationRow>]) -> Result<Vec<u8>, Fault> {
    let mut list = Vec::new();
    for Object(it) in rows {
        let mut name = [0; 24];
        let length = it.name.0.len();
        let to = name.get_mut(..length);
        to.ok_or_else(|| too_many("name", length, 24))?
            .copy_from_slice(&it.name.0);
        list.push(Location {
            region: it.region.0,
            at: numbers(&it.at),
            flag: it.flag.0,
            name,
        });
    }
    written(1 + Location::BYTES * list.len(), |out| {
        Locations::emit(&list, out)
    })
}
