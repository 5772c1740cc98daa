//! The sections of a MAN behind its records: encounters, ambient motion, camera regions, locations.

use overworld_runtime::scene::man::camera::{self, CameraRegion, Cameras};
use overworld_runtime::scene::man::encounter::{
    self, Condition, Encounters, Formation, Region, STRIDES,
};
use overworld_runtime::scene::man::motion::{self, Motion, MotionRecord, MotionSource};
use overworld_runtime::scene::man::{Location, Locations};
use serde::{Deserialize, Serialize};

use crate::fault::Fault;
use crate::number::{Hex, Number, Part};
use crate::object::Object;
use crate::sources::{too_many, written};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct EncounterRows {
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
pub(super) struct FormationRow {
    #[serde(default)]
    scripted: Number<u8>,
    #[serde(default)]
    reserved: [Number<u8>; 2],
    monsters: Vec<Number<u8>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ConditionRow {
    flag: Number<u16>,
    regions: Number<i16>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RegionRow {
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
pub(super) struct MotionRow {
    actors: Vec<[Number<u8>; 2]>,
    variants: Part<Vec<Object<VariantRow>>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct VariantRow {
    selector: Number<u16>,
    code: Hex,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CameraRow {
    kind: Number<u8>,
    min: [Number<u8>; 2],
    max: [Number<u8>; 2],
    preset: [Number<u8>; 13],
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LocationRow {
    region: Number<u8>,
    at: [Number<u8>; 2],
    flag: Number<u16>,
    /// 24 bytes; what is missing is zero.
    name: Hex,
}

/// The structure of a part where it says all its bytes, else the bytes.
pub(super) fn part<T>(
    rows: Option<T>,
    bytes: &[u8],
    emit: impl Fn(&T) -> Result<Vec<u8>, Fault>,
) -> Part<T> {
    match rows {
        Some(rows) if emit(&rows).is_ok_and(|it| it == bytes) => Part::Rows(rows),
        _ => Part::Raw(Hex(bytes.to_vec())),
    }
}

/// The bytes of a part.
pub(super) fn body<T>(
    part: &Part<T>,
    emit: impl Fn(&T) -> Result<Vec<u8>, Fault>,
) -> Result<Vec<u8>, Fault> {
    match part {
        Part::Rows(rows) => emit(rows),
        Part::Raw(Hex(bytes)) => Ok(bytes.clone()),
    }
}

pub(super) fn numbers<T: Copy, const N: usize>(values: &[Number<T>; N]) -> [T; N] {
    values.each_ref().map(|it| it.0)
}

pub(super) fn hex(bytes: &[u8]) -> Hex {
    Hex(bytes.to_vec())
}

pub(super) fn encounter_rows(from: &Encounters<'_>) -> EncounterRows {
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

pub(super) fn encounters(rows: &EncounterRows) -> Result<Vec<u8>, Fault> {
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

pub(super) fn motion_rows(from: &Motion<'_>) -> Vec<Object<MotionRow>> {
    let row = |it: MotionRecord<'_>| MotionRow {
        actors: it
            .pairs()
            .map(|(actor, on)| [Number(actor), Number(on)])
            .collect(),
        variants: part(Some(variant_rows(&it)), it.stream, |rows| variants(rows)),
    };
    from.records().map(|it| Object(row(it))).collect()
}

pub(super) fn variant_rows(from: &MotionRecord<'_>) -> Vec<Object<VariantRow>> {
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

pub(super) fn variants(rows: &[Object<VariantRow>]) -> Result<Vec<u8>, Fault> {
    let list: Vec<(u16, &[u8])> = rows
        .iter()
        .map(|Object(it)| (it.selector.0, it.code.0.as_slice()))
        .collect();
    let most = list.iter().map(|(_, code)| code.len() + 4).sum();
    written(most, |out| motion::emit_stream(&list, out))
}

pub(super) fn motions(rows: &[Object<MotionRow>]) -> Result<Vec<u8>, Fault> {
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

pub(super) fn camera_rows(from: &Cameras<'_>) -> Vec<Object<CameraRow>> {
    let row = |it: CameraRegion| CameraRow {
        kind: Number(it.kind),
        min: it.min.map(Number),
        max: it.max.map(Number),
        preset: it.preset.map(Number),
    };
    from.iter().map(|it| Object(row(it))).collect()
}

pub(super) fn cameras(rows: &[Object<CameraRow>]) -> Result<Vec<u8>, Fault> {
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

pub(super) fn location_rows(from: &Locations<'_>) -> Vec<Object<LocationRow>> {
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

pub(super) fn locations(rows: &[Object<LocationRow>]) -> Result<Vec<u8>, Fault> {
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
