//! The map file, its trigger blocks, and the stager table.

use overworld_runtime::field::map::patch::{self, Patch};
use overworld_runtime::field::map::trigger::{self, Kind, LIMIT, Script};
use overworld_runtime::field::map::{
    self, CELLS, COLLISION_SIZE, Cell, Combined, Map, MapMut, OBJECTS, Object, Paint, READ_SIZE,
    SIZE, Source, Tile, Triggers, Walls,
};
use overworld_runtime::field::stager::{self, Stager};

use super::{Choices, is_inside, take_u8, take_u16};

/// Where the trigger block of a map lies.
const TRIGGERS_AT: usize = 0x10000;

/// The records of a block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Records {
    teleports: Vec<trigger::Teleport>,
    scripts: Vec<Script>,
    elevations: Vec<trigger::Elevation>,
    regions: Vec<trigger::Region>,
}

impl Records {
    fn of(triggers: &Triggers<'_>) -> Self {
        Self {
            teleports: triggers.teleports().collect(),
            scripts: triggers.scripts().collect(),
            elevations: triggers.elevations().collect(),
            regions: triggers.regions().collect(),
        }
    }

    fn source(&self) -> trigger::Source<'_> {
        trigger::Source {
            teleports: &self.teleports,
            scripts: &self.scripts,
            elevations: &self.elevations,
            regions: &self.regions,
        }
    }

    fn counts(&self) -> [usize; 4] {
        [
            self.teleports.len(),
            self.scripts.len(),
            self.elevations.len(),
            self.regions.len(),
        ]
    }
}

/// What holds for every block that was read, strictly or not.
fn check_triggers(triggers: &Triggers<'_>, block: &[u8], choices: &mut Choices) -> Records {
    let records = Records::of(triggers);
    let counts = Kind::ALL.map(|kind| usize::from(triggers.count(kind)));
    assert_eq!(records.counts(), counts, "as many records as it says");
    for (kind, count) in Kind::ALL.into_iter().zip(counts) {
        assert!(count * kind.stride() <= block.len());
    }
    assert_eq!(triggers.is_empty(), counts == [0; 4]);
    // Ask for some tiles that have records, and for one that may have none.
    let any = [choices.below(128) as u8, choices.below(128) as u8];
    let named = records.scripts.iter().map(|it| it.tile);
    let named = named.chain(records.teleports.iter().map(|it| it.tile));
    let named = named.chain(records.elevations.iter().map(|it| it.tile));
    for [col, row] in named.take(64).chain([any]) {
        let Some(tile) = Tile::new(col, row) else {
            continue;
        };
        let at = tile.to_bytes();
        let first = records.teleports.iter().find(|it| it.tile == at);
        assert_eq!(triggers.teleport(tile), first.copied());
        let first = records.scripts.iter().find(|it| it.tile == at);
        assert_eq!(triggers.script(tile), first.copied());
        let first = records.elevations.iter().find(|it| it.tile == at);
        assert_eq!(triggers.elevation(tile), first.copied());
    }
    for teleport in records.teleports.iter().take(64) {
        assert!(
            teleport
                .landing()
                .iter()
                .all(|at| (64..=16384).contains(at))
        );
    }
    for elevation in records.elevations.iter().take(64) {
        let [x, z] = [choices.below(1 << 14), choices.below(1 << 14)];
        let offset = elevation.offset(x as i32, z as i32);
        assert!((-4112..=4096).contains(&offset));
    }
    records
}

/// `[u8 seed]`, then a trigger block.
///
/// The lenient reader never fails and agrees with the strict one where that succeeds; what is read
/// can be written again, record by record.
pub fn triggers(data: &[u8]) -> bool {
    let (seed, block) = take_u8(data);
    let mut choices = Choices::new(seed.into());
    let lenient = Triggers::lenient(block);
    let loose = check_triggers(&lenient, block, &mut choices);
    let strict = Triggers::parse(block);
    if let Ok(strict) = strict {
        assert_eq!(Records::of(&strict), loose, "strict and lenient agree");
        check_triggers(&strict, block, &mut choices);
    }
    let length: usize = Kind::ALL
        .iter()
        .map(|&kind| usize::from(lenient.count(kind)) * kind.stride() + 2)
        .sum();
    let mut out = [0; LIMIT];
    match trigger::emit(&loose.source(), &mut out) {
        Ok(end) => {
            assert_eq!(end, trigger::HEADER + length);
            let again = Triggers::parse(&out[..end]).expect("just written");
            assert_eq!(Records::of(&again), loose);
            assert!(trigger::emit(&loose.source(), &mut out[..end - 1]).is_err());
        }
        Err(_) => assert!(trigger::HEADER + length > LIMIT),
    }
    strict.is_ok()
}

/// The map of a small input: `[u16 number of bytes of changes]`, changes `[u16 offset / 2][u8 n][n
/// bytes]` to a file of zeros, then the trigger block. An input of the file's own length is the file.
pub(super) fn file(data: &[u8]) -> Vec<u8> {
    if matches!(data.len(), SIZE | READ_SIZE) {
        return data.to_vec();
    }
    let mut file = vec![0; SIZE];
    let (length, rest) = take_u16(data);
    let (mut changes, block) = rest.split_at(rest.len().min(length.into()));
    while changes.len() > 3 {
        let (offset, rest) = take_u16(changes);
        let (n, rest) = take_u8(rest);
        let (bytes, rest) = rest.split_at(rest.len().min(n.into()));
        let at = 2 * usize::from(offset);
        let room = SIZE.saturating_sub(at).min(bytes.len());
        if let Some(place) = file.get_mut(at..at + room) {
            place.copy_from_slice(&bytes[..room]);
        }
        changes = rest;
    }
    let room = block.len().min(SIZE - TRIGGERS_AT);
    file[TRIGGERS_AT..TRIGGERS_AT + room].copy_from_slice(&block[..room]);
    file
}

/// A map file, whole or as changes to an empty one (see the source).
///
/// Triggers of both blocks answer as their records say, the map's own first; placed objects have
/// their anchor on the grid; the refresh changes nothing the second time and leaves walls and
/// triggers alone; a map can be written again from its parts.
pub fn map(data: &[u8]) -> bool {
    let mut file = file(data);
    let mut choices = Choices::new(data.len() as u32);
    let fallback = file.split_off(SIZE);
    read(&file, &fallback);
    let block = &file[TRIGGERS_AT..];
    let Ok(map) = Map::parse(&file) else {
        assert!(MapMut::parse(&mut file).is_err());
        return false;
    };
    let records = check_triggers(&map.triggers(), block, &mut choices);
    let combined = Combined {
        map: map.triggers(),
        patch: Triggers::lenient(&fallback),
    };
    let both = records.scripts.iter().map(|it| it.tile);
    let others: Vec<_> = combined.patch.scripts().map(|it| it.tile).collect();
    for [col, row] in both.take(16).chain(others.into_iter().take(16)) {
        if let Some(tile) = Tile::new(col, row) {
            let own = combined.map.script(tile);
            assert_eq!(combined.script(tile), own.or(combined.patch.script(tile)));
        }
    }
    for placed in map.placed() {
        assert!(placed.index < OBJECTS);
        assert_eq!(map.object(placed.index), placed.object);
        assert_eq!(placed.object.anchor_tile(placed.tile), Some(placed.anchor));
    }
    let _ = map.lint();
    write_again(&map, &records);

    let mut one = file.clone();
    let mut memory = MapMut::parse(&mut one).expect("it was read before");
    memory.refresh();
    memory.mark_fallback(&combined.patch);
    let grid = memory.map().collision_grid() == map.collision_grid();
    assert!(grid, "the refresh leaves the walls");
    assert_eq!(Records::of(&memory.map().triggers()), records);
    for script in records.scripts.iter().take(64) {
        let [col, row] = script.tile;
        if let Some(tile) = Tile::new(col, row) {
            assert!(memory.map().cell(tile).has(Cell::SCRIPT));
        }
    }
    for (tile, cell) in memory.map().cells() {
        assert_eq!(cell.object(), map.cell(tile).object());
    }
    let once = *memory.map().bytes();
    memory.refresh();
    memory.mark_fallback(&combined.patch);
    assert!(*memory.map().bytes() == once, "the refresh is done once");
    let changed = memory.set_script(0, 7, 1);
    assert_eq!(changed, !records.scripts.is_empty());
    assert!(!memory.set_script(u16::MAX, 7, 1));
    let paint = Paint {
        col0: choices.below(256) as u8,
        row0: choices.below(256) as u8,
        col1: choices.below(256) as u8,
        row1: choices.below(256) as u8,
        walls: Walls::Add(0xA),
    };
    memory.paint(&paint);
    for (before, after) in map
        .collision_grid()
        .iter()
        .zip(memory.map().collision_grid())
    {
        assert_eq!(before & 0x0F, after & 0x0F, "paint leaves the tiers");
        assert!([*before, before | 0xA0].contains(after));
    }
    true
}

/// The loader's read of 40 sectors: the map and what follows it, each as it is alone. A map without
/// anything behind it is followed by its own triggers.
fn read(file: &[u8], fallback: &[u8]) {
    let behind = if fallback.is_empty() {
        &file[TRIGGERS_AT..]
    } else {
        fallback
    };
    let whole = [file, behind].concat();
    match (Map::parse_read(&whole), Map::parse(file)) {
        (Ok((map, fallback)), Ok(alone)) => {
            assert!(map.bytes() == alone.bytes());
            let records = Records::of(&map.triggers());
            assert_eq!(records, Records::of(&alone.triggers()));
            let lenient = Records::of(&Triggers::lenient(behind));
            assert_eq!(Records::of(&fallback), lenient);
        }
        (read, alone) => assert_eq!(read.err(), alone.err()),
    }
    for other in [file, &whole[1..]] {
        let len = other.len();
        let refused = Some(map::Error::Size { len });
        assert_eq!(Map::parse_read(other).err(), refused);
    }
}

/// Write the map from its parts; what comes back is the same.
fn write_again(map: &Map<'_>, records: &Records) {
    let objects: Vec<Object> = map.objects().collect();
    assert_eq!(objects.len(), usize::from(OBJECTS));
    let cells: Vec<u16> = map.cells().map(|(_, cell)| cell.0).collect();
    assert_eq!(
        (map.collision_grid().len(), cells.len()),
        (COLLISION_SIZE, CELLS)
    );
    let source = Source {
        objects: &objects,
        collision: map.collision_grid(),
        cells: &cells,
        triggers: records.source(),
    };
    let mut out = vec![0xEE; SIZE];
    assert_eq!(map::emit(&source, &mut out), Ok(SIZE));
    assert!(
        out[..TRIGGERS_AT] == map.bytes()[..TRIGGERS_AT],
        "the same bytes"
    );
    let again = Map::parse(&out).expect("just written");
    assert_eq!(&Records::of(&again.triggers()), records);
}

/// A trigger patch, filled up with zeros.
///
/// Records lie inside; retail-shaped ones can be written again.
pub fn patch(data: &[u8]) -> bool {
    if data.len() != patch::SIZE {
        assert!(Patch::parse(data).is_err());
    }
    let mut sector = [0; patch::SIZE];
    let length = data.len().min(sector.len());
    sector[..length].copy_from_slice(&data[..length]);
    let Ok(patch) = Patch::parse(&sector) else {
        return false;
    };
    let triggers = patch.triggers();
    let mut choices = Choices::new(length as u32);
    let records = check_triggers(&triggers, &sector, &mut choices);
    let lenient = Records::of(&Triggers::lenient(&sector));
    assert_eq!(lenient, records);
    assert!(records.scripts.len() <= patch::MAX_SCRIPTS);
    let mut out = [0xEE; patch::SIZE];
    assert_eq!(patch::emit(&records.scripts, &mut out), Ok(patch::SIZE));
    let again = Patch::parse(&out).expect("just written");
    assert!(
        again
            .triggers()
            .scripts()
            .eq(records.scripts.iter().copied())
    );
    if patch.is_retail_shaped() {
        assert_eq!(Records::of(&again.triggers()), records);
        assert!(again.is_retail_shaped());
    }
    true
}

/// A stager table.
///
/// Records tile the file behind the table and can be written again.
pub fn stager(data: &[u8]) -> bool {
    let Ok(stager) = Stager::parse(data) else {
        return false;
    };
    let records: Vec<_> = stager.records().map(|record| record.bytes).collect();
    assert_eq!(records.len(), usize::from(stager.len()));
    assert!(stager.record(stager.len()).is_none());
    let table = 2 + 2 * records.len();
    let mut at = table;
    for (index, bytes) in (0..).zip(&records) {
        let record = stager.record(index).expect("counted");
        assert!(is_inside(bytes, data) && bytes.len() >= 4);
        assert_eq!(data[at..at + bytes.len()], **bytes, "no gap");
        assert_eq!(record.words().count(), (bytes.len() - 4) / 2);
        assert_ne!(record.model(), Some(-1));
        let _ = record.flags();
        at += bytes.len();
    }
    if records.is_empty() {
        return true;
    }
    assert_eq!(at, data.len());
    // The last record holds the rest of the file, which may be odd.
    let whole = at & !1;
    let records: Vec<_> = records
        .iter()
        .map(|bytes| &bytes[..bytes.len() & !1])
        .collect();
    let mut out = vec![0xEE; whole];
    assert_eq!(stager::emit(&records, &mut out), Ok(whole));
    assert_eq!(out, data[..whole]);
    true
}
