//! Field maps and trigger patches (field sheet, section 3; disc sheet, section 6).

use overworld_runtime::field::map::{
    self, CELLS, COLLISION_SIZE, Map, OBJECTS, Patch, Triggers, patch, trigger,
};
use serde::{Deserialize, Serialize};

use super::{Built, Error, read, too_many, write, written};
use crate::fault::{self, Fault};
use crate::identify::count;
use crate::number::{Hex, Number};
use crate::object::Object;

#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Map,
    Patch,
}

/// The document.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    kind: Kind,
    #[serde(default)]
    triggers: Object<TriggerRows>,
    /// A map's; what is missing is zero.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    objects: Vec<Object<ObjectRow>>,
    /// A map's rows of 128 bytes, from the first; what is missing is zero.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    collision: Vec<Hex>,
    /// A map's rows of 128 words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    cells: Vec<Words>,
}

impl Document {
    /// Without a grid and objects.
    const fn new(kind: Kind, triggers: TriggerRows) -> Self {
        Self {
            kind,
            triggers: Object(triggers),
            objects: Vec::new(),
            collision: Vec::new(),
            cells: Vec::new(),
        }
    }
}

#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct TriggerRows {
    teleports: Vec<Object<TeleportRow>>,
    scripts: Vec<Object<ScriptRow>>,
    elevations: Vec<Object<ElevationRow>>,
    regions: Vec<Object<RegionRow>>,
    /// Zeros stand where the header should be: there are no tables.
    #[serde(skip_serializing_if = "is_false")]
    absent: bool,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde asks for a reference"
)]
const fn is_false(it: &bool) -> bool {
    !*it
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TeleportRow {
    tile: [Number<u8>; 2],
    destination: [Number<u8>; 2],
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ScriptRow {
    tile: [Number<u8>; 2],
    record: Number<u8>,
    gate: Number<u8>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ElevationRow {
    tile: [Number<u8>; 2],
    coarse: Number<i8>,
    quads: Number<u8>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RegionRow {
    corners: [Number<u8>; 4],
    #[serde(rename = "type")]
    ty: Number<u8>,
    #[serde(default)]
    extra: [Number<u8>; 3],
}

/// An object record; what is missing is zero.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct ObjectRow {
    index: Number<u16>,
    offset: [Number<i16>; 3],
    anchor: [Number<i8>; 2],
    rotation: [Number<u16>; 3],
    fine: [Number<i8>; 2],
    mesh: Number<u16>,
    flags: Number<u16>,
    atlas: Number<u8>,
    page: Number<u8>,
    palette: Number<u16>,
    unknown: [Number<u8>; 6],
    cull: Number<u8>,
    last: Number<u8>,
}

/// Words as a text of four hexadecimal digits each.
#[derive(Default)]
struct Words(Vec<u16>);

impl Serialize for Words {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        Hex(self.0.iter().flat_map(|it| it.to_be_bytes()).collect()).serialize(to)
    }
}

impl<'de> Deserialize<'de> for Words {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let Hex(bytes) = Hex::deserialize(from)?;
        let (words, []) = bytes.as_chunks() else {
            return Err(serde::de::Error::custom("expected four digits a word"));
        };
        Ok(Self(
            words.iter().map(|it| u16::from_be_bytes(*it)).collect(),
        ))
    }
}

fn numbers<T: Copy, const N: usize>(values: &[Number<T>; N]) -> [T; N] {
    values.each_ref().map(|it| it.0)
}

/// Whether this is a patch: nothing else has its length.
const fn is_patch(data: &[u8]) -> bool {
    data.len() == patch::SIZE
}

/// Text and contents of a map's or patch's document.
pub(super) fn dump(data: &[u8]) -> Result<(String, String), Fault> {
    if is_patch(data) {
        let patch = Patch::parse(data).map_err(|error| fault::patch(&error))?;
        let mut triggers = rows(&patch.triggers());
        triggers.absent = data.iter().all(|&byte| byte == 0);
        let what = what(&triggers);
        return Ok((write(&Document::new(Kind::Patch, triggers)), what));
    }
    let map = Map::parse(data).map_err(|error| fault::map(&error))?;
    let mut triggers = rows(&map.triggers());
    let header = data.get(0x1_0000..0x1_0012).unwrap_or_default();
    triggers.absent = header.iter().all(|&byte| byte == 0);
    let what = what(&triggers);
    let objects = (0..)
        .zip(map.objects())
        .filter(|(_, it)| *it != map::Object::default());
    let mut collision = Vec::new();
    let mut cells = Vec::new();
    let grid = map.collision_grid().chunks(128);
    collision.extend(grid.map(|row| Hex(row.to_vec())));
    let words: Vec<u16> = map.cells().map(|(_, cell)| cell.0).collect();
    cells.extend(words.chunks(128).map(|row| Words(row.to_vec())));
    // Rows of zeros at the end say nothing.
    while collision
        .last()
        .is_some_and(|it| it.0.iter().all(|&byte| byte == 0))
    {
        collision.pop();
    }
    while cells
        .last()
        .is_some_and(|it| it.0.iter().all(|&word| word == 0))
    {
        cells.pop();
    }
    let document = Document {
        objects: objects
            .map(|(index, it)| Object(object_row(index, &it)))
            .collect(),
        collision,
        cells,
        ..Document::new(Kind::Map, triggers)
    };
    Ok((write(&document), what))
}

fn what(triggers: &TriggerRows) -> String {
    let number = triggers.teleports.len()
        + triggers.scripts.len()
        + triggers.elevations.len()
        + triggers.regions.len();
    count(number, "trigger")
}

fn object_row(index: u16, it: &map::Object) -> ObjectRow {
    ObjectRow {
        index: Number(index),
        offset: it.offset.map(Number),
        anchor: it.anchor.map(Number),
        rotation: it.rotation.map(Number),
        fine: it.fine.map(Number),
        mesh: Number(it.mesh),
        flags: Number(it.flags),
        atlas: Number(it.atlas),
        page: Number(it.page),
        palette: Number(it.palette),
        unknown: it.unknown.map(Number),
        cull: Number(it.cull),
        last: Number(it.last),
    }
}

fn rows(from: &Triggers<'_>) -> TriggerRows {
    let teleport = |it: trigger::Teleport| TeleportRow {
        tile: it.tile.map(Number),
        destination: it.destination.map(Number),
    };
    let script = |it: trigger::Script| ScriptRow {
        tile: it.tile.map(Number),
        record: Number(it.record),
        gate: Number(it.gate),
    };
    let elevation = |it: trigger::Elevation| ElevationRow {
        tile: it.tile.map(Number),
        coarse: Number(it.coarse),
        quads: Number(it.quads),
    };
    let region = |it: trigger::Region| RegionRow {
        corners: it.corners.map(Number),
        ty: Number(it.ty),
        extra: it.extra.map(Number),
    };
    TriggerRows {
        teleports: from.teleports().map(|it| Object(teleport(it))).collect(),
        scripts: from.scripts().map(|it| Object(script(it))).collect(),
        elevations: from.elevations().map(|it| Object(elevation(it))).collect(),
        regions: from.regions().map(|it| Object(region(it))).collect(),
        absent: false,
    }
}

/// The map or patch of a document.
pub(super) fn build(text: &[u8]) -> Result<Built, Error> {
    let document: Document = read(text)?;
    let bytes = match document.kind {
        Kind::Map => emit_map(&document)?,
        Kind::Patch => {
            let others = document.objects.len() + document.collision.len() + document.cells.len();
            if others > 0 {
                return Err(Error::Content(Fault {
                    name: "Size".to_owned(),
                    offset: None,
                    text: "expected triggers alone in a patch, found a map's objects or grids"
                        .to_owned(),
                }));
            }
            emit_patch(&document.triggers.0)?
        }
    };
    let what = what(&document.triggers.0);
    Ok(Built { bytes, what })
}

fn emit_patch(rows: &TriggerRows) -> Result<Vec<u8>, Fault> {
    let mut out = vec![0; patch::SIZE];
    with_triggers(rows, |source| {
        if rows.absent {
            return Ok(());
        }
        let end = trigger::emit(source, &mut out);
        end.map(|_| ()).map_err(|error| Fault::new(&error, None))
    })?;
    Patch::parse(&out).map_err(|error| fault::patch(&error))?;
    Ok(out)
}

/// Call `then` with the tables of these rows.
fn with_triggers<T>(
    rows: &TriggerRows,
    then: impl FnOnce(&trigger::Source<'_>) -> Result<T, Fault>,
) -> Result<T, Fault> {
    let number =
        rows.teleports.len() + rows.scripts.len() + rows.elevations.len() + rows.regions.len();
    if rows.absent && number > 0 {
        return Err(Fault {
            name: "TriggerChain".to_owned(),
            offset: None,
            text: format!("\"absent\": expected no triggers, found {number}"),
        });
    }
    let teleports = rows.teleports.iter().map(|Object(it)| trigger::Teleport {
        tile: numbers(&it.tile),
        destination: numbers(&it.destination),
    });
    let scripts = rows.scripts.iter().map(|Object(it)| trigger::Script {
        tile: numbers(&it.tile),
        record: it.record.0,
        gate: it.gate.0,
    });
    let elevations = rows.elevations.iter().map(|Object(it)| trigger::Elevation {
        tile: numbers(&it.tile),
        coarse: it.coarse.0,
        quads: it.quads.0,
    });
    let regions = rows.regions.iter().map(|Object(it)| trigger::Region {
        corners: numbers(&it.corners),
        ty: it.ty.0,
        extra: numbers(&it.extra),
    });
    then(&trigger::Source {
        teleports: &teleports.collect::<Vec<_>>(),
        scripts: &scripts.collect::<Vec<_>>(),
        elevations: &elevations.collect::<Vec<_>>(),
        regions: &regions.collect::<Vec<_>>(),
    })
}

/// The grid of these rows, which may lack the last ones.
fn grid<'a, T: Copy + Default + 'a>(
    key: &str,
    rows: impl ExactSizeIterator<Item = &'a [T]>,
    size: usize,
) -> Result<Vec<T>, Fault> {
    if rows.len() > 128 {
        return Err(too_many(key, rows.len(), 128));
    }
    let mut out = Vec::with_capacity(size);
    for (number, row) in rows.enumerate() {
        if row.len() != 128 {
            return Err(Fault {
                name: "GridSize".to_owned(),
                offset: None,
                text: format!(
                    "\"{key}\", row {number}: expected 128 tiles, found {}",
                    row.len()
                ),
            });
        }
        out.extend_from_slice(row);
    }
    out.resize(size, T::default());
    Ok(out)
}

fn emit_map(document: &Document) -> Result<Vec<u8>, Fault> {
    let mut objects = vec![map::Object::default(); OBJECTS.into()];
    let mut given = vec![false; OBJECTS.into()];
    for Object(it) in &document.objects {
        let index = it.index.0;
        let place = usize::from(index);
        let Some((object, given)) = objects.get_mut(place).zip(given.get_mut(place)) else {
            return Err(Fault {
                name: "TooManyObjects".to_owned(),
                offset: None,
                text: format!("\"index\": expected 0 to {}, found {index}", OBJECTS - 1),
            });
        };
        if std::mem::replace(given, true) {
            return Err(Fault {
                name: "TooManyObjects".to_owned(),
                offset: None,
                text: format!("\"index\": expected one object {index}, found two"),
            });
        }
        *object = map::Object {
            offset: numbers(&it.offset),
            anchor: numbers(&it.anchor),
            rotation: numbers(&it.rotation),
            fine: numbers(&it.fine),
            mesh: it.mesh.0,
            flags: it.flags.0,
            atlas: it.atlas.0,
            page: it.page.0,
            palette: it.palette.0,
            unknown: numbers(&it.unknown),
            cull: it.cull.0,
            last: it.last.0,
        };
    }
    let collision = document.collision.iter().map(|it| it.0.as_slice());
    let collision = grid("collision", collision, COLLISION_SIZE)?;
    let cells = document.cells.iter().map(|it| it.0.as_slice());
    let cells = grid("cells", cells, CELLS)?;
    let rows = &document.triggers.0;
    let mut out = with_triggers(rows, |&triggers| {
        let source = map::Source {
            objects: &objects,
            collision: &collision,
            cells: &cells,
            triggers,
        };
        written(map::SIZE, |out| map::emit(&source, out))
    })?;
    if rows.absent {
        out.get_mut(0x1_0000..).unwrap_or_default().fill(0);
    }
    Map::parse(&out).map_err(|error| fault::map(&error))?;
    Ok(out)
}
