//! The worked examples of the MAN sheet, of the field sheet's map file, and of the disc sheet's
//! trigger patch.

use core::marker::PhantomData;

use overworld_runtime::bytes::crc32;
use overworld_runtime::field::map::patch::{self, Patch};
use overworld_runtime::field::map::trigger::{self, Elevation, Kind, Region, Script, Teleport};
use overworld_runtime::field::map::{
    COLLISION_SIZE, Cell, Collision, Combined, Error as MapError, Map, Object, Paint,
    SIZE as MAP_SIZE, Tile, Triggers, Walls,
};
use overworld_runtime::field::stager::{self, Stager};
use overworld_runtime::scene::man::encounter::{self, ALWAYS, Condition, Encounters, Formation};
use overworld_runtime::scene::man::{
    ActorSource, Array, BeatSource, Error, FlagList, Man, Model, ObjectSource, Source, emit,
    flag_is_set, motion, splice,
};

use crate::check::{Check, List, bytes, reason, same, same_hex};

pub(crate) struct Tests<G>(PhantomData<G>);

impl<G: 'static> Tests<G> {
    pub(crate) const ALL: List<G> = &[
        ("man/header", header),
        ("man/records", records),
        ("man/encounters", encounters),
        ("man/writers", writers),
        ("man/refusals", refusals),
        ("man/splice", splicing),
        ("map/cells", cells),
        ("map/detection", detection),
        ("map/zero-header", zero_header),
        ("map/triggers", triggers),
        ("map/objects", objects),
        ("map/paint", paint),
        ("map/patch", trigger_patch),
        ("map/stager", stager_table),
    ];
}

/// The MAN sheet's synthetic example, section 5.
pub(crate) static MAN: [u8; 167] = include!("../tables/man.rs");

/// What went wrong where nothing should.
pub(crate) fn broken(error: impl core::fmt::Display) -> crate::check::Reason {
    reason(format_args!("{error}"))
}

fn man() -> Result<Man<'static>, crate::check::Reason> {
    Man::parse(&MAN).map_err(broken)
}

fn tile(col: u8, row: u8) -> Result<Tile, crate::check::Reason> {
    Tile::new(col, row).ok_or_else(|| reason(format_args!("no tile ({col}, {row})")))
}

fn header<G>(_: &mut G) -> Check {
    same_hex!(crc32(&MAN), 0xD415_F2C7, "crc32");
    let man = man()?;
    for (tier, (stored, height)) in (0..).zip(man.floor().into_iter().zip(man.heights())) {
        same!((stored, height), (32 * tier, -32 * tier), "tier {tier}");
    }
    same!(man.len(), 4, "records");
    let sections = [
        (0x58, 48),
        (0x8B, 1),
        (0x8F, 10),
        (0x9C, 1),
        (0xA0, 1),
        (0xA4, 0),
    ];
    for (index, (start, length)) in sections.into_iter().enumerate() {
        same_hex!(
            man.section_start(index),
            Some(start),
            "start of section {index}"
        );
        same!(
            man.section(index).len(),
            length,
            "length of section {index}"
        );
    }
    bytes(
        format_args!("name"),
        man.name().map_err(broken)?,
        b"Testville",
    )
}

fn records<G>(_: &mut G) -> Check {
    let man = man()?;
    let table = [
        (0x37, 4, 0x21),
        (0x3C, 5, 0x21),
        (0x42, 7, 0x25),
        (0x4B, 12, 0x21),
    ];
    for (flat, expected) in (0..).zip(table) {
        let script = man.record(flat).map_err(broken)?.script();
        let found = (script.offset, script.pc0, script.first());
        same_hex!(found, expected, "record {flat}");
    }
    let object = man.object(0).map_err(broken)?;
    same!(object.animation, 2, "the object's clip");
    let actor = man.actor(1).map_err(broken)?;
    same!(actor.look(), Model::Scene(3), "the actor's model");
    same!(actor.animation, 1, "the actor's clip");
    same!(actor.position(), [3840, 2880], "the actor's position");
    same!(actor.script.has_prologue(), true, "the actor's prologue");
    let entry = man.actor(0).map_err(broken)?;
    same!(entry.is_parked(), true, "the entry script's placement");
    // C1 = {225h}, C2 = {226h}, over a bank of flags as it lies in memory.
    let beat = man.beat(0).map_err(broken)?;
    for (byte, starts) in [(0x00, false), (0x04, false), (0x02, true), (0x06, false)] {
        let mut bank = [0; 0x80];
        if let Some(place) = bank.get_mut(0x44) {
            *place = byte;
        }
        let found = beat.may_start(|flag| flag_is_set(&bank, flag));
        same!(found, starts, "the beat with flags {byte:02X}");
    }
    let flat = 4;
    same!(
        man.record(flat).err(),
        Some(Error::NoSuchRecord { flat }),
        "record 4"
    );
    Ok(())
}

fn encounters<G>(_: &mut G) -> Check {
    let section = man()?.encounters().map_err(broken)?;
    same!(section.strides(), [8, 4, 9], "strides");
    same!(section.counts(), [2, 2, 2], "counts");
    let scripted = section.formations().map(|it| it.is_scripted());
    same!(scripted.eq([false, true]), true, "scripted fights");
    let second = section.formation(1).map_or(&[][..], |it| it.monsters);
    bytes(format_args!("monsters"), second, &[6, 7])?;
    same!(
        section.live(|flag| flag == 0x142),
        Some(0..1),
        "with flag 142h"
    );
    same!(section.live(|_| false), Some(1..2), "without flag 142h");
    for (at, rate) in [([10, 20], Some(6)), ([9, 20], None), ([10, 21], None)] {
        let found = section.find(at, |_| false).map(|(_, region)| region.rate);
        same!(found, rate, "rate at {at:?}");
    }
    Ok(())
}

fn writers<G>(_: &mut G) -> Check {
    let mut section = [0xEE; 48];
    let formation = |scripted, monsters| Formation {
        scripted,
        reserved: [0, 0],
        monsters,
    };
    let condition = |flag| Condition { flag, owned: 1 };
    let source = encounter::Source {
        strides: encounter::STRIDES,
        formations: &[formation(0, &[5]), formation(1, &[6, 7])],
        conditions: &[condition(0x142), condition(ALWAYS)],
        regions: &[
            encounter::Region {
                max: [0x7F, 0x7F],
                ..encounter::Region::default()
            },
            encounter::Region {
                min: [10, 10],
                max: [20, 20],
                rate: 6,
                count: 1,
                ..encounter::Region::default()
            },
        ],
    };
    same!(encounter::emit(&source, &mut section), Ok(48), "encounters");
    let mut floor = [0; 16];
    for (tier, height) in (0..).zip(&mut floor) {
        *height = 32 * tier;
    }
    let actor = |label, model, animation, tile, script| ActorSource {
        label,
        model,
        animation,
        tile,
        script,
    };
    let source = Source {
        flags: 0,
        floor,
        objects: &[ObjectSource {
            label: &[0x82, 0x60],
            animation: 2,
            script: &[0x21],
        }],
        actors: &[
            actor(&[], 0, 0, [0x7F, 0x7F], &[0x21]),
            actor(&[0, 0], 3, 1, [0x9D, 0x16], &[0x25, 0x21]),
        ],
        beats: &[BeatSource {
            label: &[0x82, 0x60, 0x82, 0x61],
            c0: &[],
            c1: FlagList::from(&[0x225][..]),
            c2: FlagList::from(&[0x226][..]),
            script: &[0x21],
        }],
        encounters: &section,
        motion: &[0],
        name: b"Testville",
        cameras: &[0],
        open: &[0],
        after: &[],
    };
    let mut out = [0xEE; 167];
    same!(emit(&source, &mut out), Ok(167), "length");
    bytes(format_args!("MAN"), &out, &MAN)?;
    let room = 166;
    let found = emit(&source, out.get_mut(..room).unwrap_or_default());
    same!(
        found,
        Err(Error::OutputTooSmall { room }),
        "with a byte less"
    );
    Ok(())
}

/// The table of section 6: a change of the example, and the error it makes.
#[rustfmt::skip]
const REFUSALS: &[(usize, &[u8], Error)] = &[
    (0x22, &[0xFF, 0xFF], Error::NegativeCount { partition: 0 }),
    (0x24, &[0x00, 0x80], Error::NegativeCount { partition: 1 }),
    (0x26, &[0xFF, 0xFF], Error::NegativeCount { partition: 2 }),
    (0x26, &[0xFF, 0x7F], Error::RecordTableOutOfRange { need: 0x2B + 3 * 0x8002, len: 167 }),
    (0x34, &[0x21], Error::RecordOutOfRange { flat: 3 }),
    (0x2B, &[0x21], Error::RecordOutOfRange { flat: 0 }),
    (0x37, &[0xFF], Error::RecordHeaderOverrun { flat: 0 }),
    (0x3C, &[0xFF], Error::RecordHeaderOverrun { flat: 1 }),
    (0x42, &[0x04], Error::RecordHeaderOverrun { flat: 2 }),
    (0x4B, &[0x06], Error::RecordHeaderOverrun { flat: 3 }),
    (0x50, &[0xFF], Error::RecordHeaderOverrun { flat: 3 }),
    (0x51, &[0xFF], Error::RecordHeaderOverrun { flat: 3 }),
    (0x54, &[0xFF], Error::RecordHeaderOverrun { flat: 3 }),
    (0x50, &[1, 0xAA, 1, 0x25, 0x02, 1, 0x26, 0x02], Error::EmptyScript { flat: 3 }),
    (0x28, &[0xFF, 0xFF, 0xFF], Error::SectionOutOfRange { index: 0 }),
    (0x8B, &[0xFF], Error::SectionOutOfRange { index: 1 }),
    (0xA4, &[1], Error::SectionOutOfRange { index: 5 }),
    (0x5B, &[0xFF], Error::EncounterOverrun { array: Array::Formations }),
    (0x5C, &[0xFF], Error::EncounterOverrun { array: Array::Conditions }),
    (0x5D, &[0xFF], Error::EncounterOverrun { array: Array::Regions }),
    (0x6A, &[5], Error::BadFormation { row: 1 }),
    (0x72, &[0xFF, 0xFF], Error::BadConditions { index: 0 }),
    (0x76, &[2], Error::BadConditions { index: 1 }),
    (0x88, &[2], Error::BadRegion { index: 1 }),
    (0x8E, &[1], Error::BadMotionTable { offset: 0 }),
    (0x9B, &[0x21], Error::BadName),
    (0x9F, &[1], Error::BadCameraTable { count: 1, len: 1 }),
];

fn refusals<G>(_: &mut G) -> Check {
    for (at, change, error) in REFUSALS {
        let mut data = MAN;
        let place = data
            .get_mut(*at..)
            .and_then(|it| it.get_mut(..change.len()));
        place
            .ok_or_else(|| reason(format_args!("{at:#X} is past the example")))?
            .copy_from_slice(change);
        same!(
            Man::parse(&data).err(),
            Some(*error),
            "with {change:02X?} at {at:#X}"
        );
    }
    for len in 0..MAN.len() {
        let cut = MAN.get(..len).unwrap_or_default();
        if let Ok(man) = Man::parse(cut) {
            return Err(reason(format_args!("cut to {len} bytes it is {man:?}")));
        }
    }
    let array = Array::Regions;
    let short = Encounters::parse(&[8, 4, 7, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]).err();
    same!(short, Some(Error::BadStride { array }), "short regions");
    // An end that is not empty.
    let mut data = [0; 169];
    for (to, from) in data.iter_mut().zip(MAN) {
        *to = from;
    }
    if let Some(length) = data.get_mut(0xA4) {
        *length = 2;
    }
    let found = Man::parse(&data).err();
    same!(found, Some(Error::MissingTerminator { len: 2 }), "end");
    let lenient = Man::parse_lenient(&data).map(|man| man.len());
    same!(lenient, Ok(4), "the same, leniently");
    let stuck = motion::Motion::lenient(&[1, 0, 0, 7, 1]).records().count();
    same!(stuck, 1, "motion records up to one that leads nowhere");
    Ok(())
}

fn splicing<G>(_: &mut G) -> Check {
    let man = man()?;
    let (mut out, mut back) = ([0xEE; 170], [0xEE; 170]);
    let length = splice(&man, 2, 8..8, &[0xAA, 0xBB, 0xCC], &mut out);
    same!(length, Ok(170), "longer");
    let edited = Man::parse(&out).map_err(broken)?;
    let code = edited.actor(1).map_err(broken)?.script.code();
    bytes(
        format_args!("script"),
        code,
        &[0x25, 0xAA, 0xBB, 0xCC, 0x21],
    )?;
    same_hex!(edited.section_start(0), Some(0x5B), "section 0");
    same!(splice(&edited, 2, 8..11, &[], &mut back), Ok(167), "back");
    bytes(
        format_args!("MAN"),
        back.get(..167).unwrap_or_default(),
        &MAN,
    )
}

/// A trigger block with one record of each kind: the offsets of row N3.
static BLOCK: [u8; 0x2E] = [
    0x2E, 0, 0x12, 0, 1, 0, 0x18, 0, 1, 0, 0x1E, 0, 1, 0, 0x24, 0, 1, 0, //
    3, 4, 21, 84, 0, 0, //
    41, 40, 9, 0, 0, 0, //
    17, 16, 0xFD, 0xE4, 0, 0, //
    4, 2, 10, 8, 3, 0, 0, 0, 0, 0,
];

/// What the grids' bytes and words mean. A whole map, 72 KiB, is more than some machines have RAM, or
/// flash to spare.
fn cells<G>(_: &mut G) -> Check {
    let collision = Collision::new(0xA, 3);
    same_hex!(collision, Collision(0xA3), "collision");
    same!(
        (collision.walls(), collision.tier()),
        (0xA, 3),
        "its halves"
    );
    // Object 137 with a script's mark and the ground bit.
    let cell = Cell(0x1489);
    same!(cell.object(), 137, "object");
    same!(
        cell.has(Cell::GROUND) && cell.may_trigger(),
        true,
        "ground, trigger"
    );
    same!(
        cell.has(Cell::TELEPORT | Cell::ELEVATION | Cell::DRAWN),
        false,
        "others"
    );
    for (x, z, place) in [
        (1838, 2526, Tile::new(14, 19)),
        (3386, 2606, Tile::new(26, 20)),
        (16384, 0, None),
        (0, -1, None),
    ] {
        same!(Tile::containing(x, z), place, "tile of ({x}, {z})");
    }
    let len = BLOCK.len();
    same!(
        Map::parse(&BLOCK).err(),
        Some(MapError::Size { len }),
        "no map"
    );
    Ok(())
}

/// N, over the block alone.
fn detection<G>(_: &mut G) -> Check {
    let mut block = [0; trigger::LIMIT];
    let scripts = [Script::default(); 37];
    let (teleports, elevations) = ([Teleport::default(); 11], [Elevation::default(); 235]);
    let source = trigger::Source {
        teleports: &teleports,
        scripts: &scripts,
        elevations: &elevations,
        regions: &[Region::default(); 14],
    };
    same_hex!(trigger::emit(&source, &mut block), Ok(0x4F6), "N1 end");
    #[rustfmt::skip]
    let header = [
        0xF6, 0x04, 0x12, 0x00, 11, 0, 0x40, 0x00, 37, 0, 0xD6, 0x00, 235, 0, 0x84, 0x04, 14, 0,
    ];
    bytes(
        format_args!("N1"),
        block.get(..18).unwrap_or_default(),
        &header,
    )?;
    // Count of kind 1 alone, its largest and one more.
    for (count, result) in [
        (2041_u16, Ok(2041)),
        (2042, Err(MapError::TriggerChain { at: 16 })),
    ] {
        let end = 0x14 + 4 * count + 2;
        let words = [end + 4, 0x12, 0, 0x14, count, end, 0, end + 2, 0];
        for (place, word) in block.chunks_exact_mut(2).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        let found = Triggers::parse(&block).map(|it| it.count(Kind::Script));
        same!(found, result, "{count} scripts");
    }
    let good = Triggers::parse(&BLOCK).map(|it| Kind::ALL.map(|kind| it.count(kind)));
    same!(good, Ok([1; 4]), "one of each");
    for (at, by, fault) in [(10, 4, 10), (0, 2, 0)] {
        let mut block = BLOCK;
        if let Some(byte) = block.get_mut(at) {
            *byte = byte.wrapping_add(by);
        }
        let found = Triggers::parse(&block).err();
        same!(
            found,
            Some(MapError::TriggerChain { at: fault }),
            "byte {at} moved"
        );
    }
    Ok(())
}

/// Zeros but for one byte, in which two maps overlap: one has the byte first in its attributes, the
/// other first in its walls. It is in flash where there is little RAM.
static ZEROS: [u8; MAP_SIZE + COLLISION_SIZE] = {
    let mut zeros = [0; MAP_SIZE + COLLISION_SIZE];
    zeros[2 * COLLISION_SIZE] = 0x0F;
    zeros
};

/// N7 and N8. (N11, the refresh, writes to a whole map in RAM, which the smallest machine lacks.)
fn zero_header<G>(_: &mut G) -> Check {
    let map = |at: usize| {
        let data = ZEROS.get(at..).and_then(|it| it.get(..MAP_SIZE));
        Map::parse(data.unwrap_or_default())
    };
    let stray = map(0).map(|it| Kind::ALL.map(|kind| it.triggers().count(kind)));
    same!(stray, Ok([0; 4]), "N7");
    let offset = COLLISION_SIZE;
    let refused = MapError::ZeroHeaderOnField { offset };
    same!(map(offset).err(), Some(refused), "N8");
    Ok(())
}

/// J1 to J10, G17 to G20.
fn triggers<G>(_: &mut G) -> Check {
    for (x, z, landing, query) in [
        (72, 46, [4672, 3008], (36, 23)),
        (0, 0, [64, 64], (0, 0)),
        (255, 255, [16384, 16384], (127, 127)),
        (21, 84, [1408, 5440], (10, 42)),
    ] {
        let teleport = Teleport::from_bytes([0, 0, x, z]);
        same!(teleport.landing(), landing, "landing of ({x}, {z})");
        let query = Some(tile(query.0, query.1)?);
        same!(teleport.query_tile(), query, "query of ({x}, {z})");
    }
    for ([x0, z0, x1, z1], (col, row), inside) in [
        ([4, 2, 10, 8], (4, 2), true),
        ([4, 2, 10, 8], (10, 7), false),
        ([4, 2, 10, 8], (9, 7), true),
        ([10, 8, 4, 2], (5, 5), true),
        ([6, 4, 6, 4], (7, 2), true),
        ([6, 4, 6, 4], (6, 4), false),
    ] {
        let region = Region::from_bytes([x0, z0, x1, z1, 0, 0, 0, 0]);
        let found = region.contains(tile(col, row)?);
        same!(found, inside, "({col}, {row}) in {x0}, {z0}, {x1}, {z1}");
    }
    let elevation = Elevation::from_bytes([17, 16, 0xFD, 0xE4]);
    for (x, z, height) in [
        (2176, 2048, 32),
        (2240, 2048, 16),
        (2176, 2112, 0),
        (2240, 2112, -16),
    ] {
        same!(-64 + elevation.offset(x, z), height, "floor at ({x}, {z})");
    }
    Ok(())
}

/// Offset, anchor, fine offset, flags.
type Row = ([i16; 2], [i8; 2], [i8; 2], u16);
/// Cell, position, footprint, anchor tile.
type Place = ((u8, u8), [i32; 2], [i32; 2], (u8, u8));

/// K5 to K8.
fn objects<G>(_: &mut G) -> Check {
    const ROWS: [(Row, Place); 4] = [
        (
            ([-64, 56], [-1, -1], [2, 2], 0x101E),
            ((38, 25), [4864, 3208], [-32, -40], (37, 24)),
        ),
        (
            ([0, 0], [1, 0], [-3, -3], 0x0016),
            ((5, 3), [704, 448], [80, -48], (6, 3)),
        ),
        (
            ([0, 0], [0, 0], [0, 0], 0x0004),
            ((0, 0), [64, 64], [0, 0], (0, 0)),
        ),
        (
            ([-100, -200], [2, -2], [7, -8], 0x000C),
            ((100, 100), [12764, 13064], [468, -584], (102, 98)),
        ),
    ];
    for (number, (row, place)) in (5..).zip(ROWS) {
        let ([x, z], anchor, fine, flags) = row;
        let (cell, position, footprint, anchor_tile) = place;
        let object = Object {
            offset: [x, 0, z],
            anchor,
            fine,
            flags,
            ..Object::default()
        };
        let packed = Object::from_bytes(object.to_bytes());
        same!(packed, object, "K{number} packed");
        let cell = tile(cell.0, cell.1)?;
        same!(object.position(cell), position, "K{number} position");
        same!(object.footprint(), footprint, "K{number} footprint");
        let anchor_tile = Some(tile(anchor_tile.0, anchor_tile.1)?);
        same!(object.anchor_tile(cell), anchor_tile, "K{number} anchor");
    }
    Ok(())
}

/// M1 to M4, over the grid alone.
fn paint<G>(_: &mut G) -> Check {
    let mut grid = [0; COLLISION_SIZE];
    for (number, ([col0, row0, col1, row1], walls, byte, first, count)) in (1..).zip([
        ([2, 3, 2, 3], Walls::Block, 0xF7, 4 * 128 + 2, 1),
        ([0, 0, 1, 1], Walls::Clear, 0x07, 128, 4),
        ([5, 5, 5, 5], Walls::Remove(3), 0x87, 6 * 128 + 5, 1),
        ([5, 5, 5, 5], Walls::Add(4), 0xE7, 6 * 128 + 5, 1),
        ([126, 126, 255, 255], Walls::Block, 0xF7, 127 * 128 + 126, 2),
    ]) {
        grid.fill(0xA7);
        let paint = Paint {
            col0,
            row0,
            col1,
            row1,
            walls,
        };
        paint.apply(&mut grid);
        let mut painted = grid.iter().enumerate().filter(|&(_, &it)| it != 0xA7);
        let found = painted.next().map(|(at, &byte)| (at, byte));
        same_hex!(found, Some((first, byte)), "M{number}");
        same!(painted.count() + 1, count, "M{number} tiles");
    }
    Ok(())
}

/// The disc sheet's worked bytes: tile (29, 91), beat 3.
fn trigger_patch<G>(_: &mut G) -> Check {
    #[rustfmt::skip]
    const PATCH: [u8; 24] = [
        0x1E, 0x00, 0x12, 0x00, 0x00, 0x00, 0x14, 0x00, 0x01, 0x00, 0x1A, 0x00, 0x00, 0x00, 0x1C, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x1D, 0x5B, 0x03, 0x01,
    ];
    let script = Script::from_bytes([29, 91, 3, 1]);
    let mut out = [0xEE; patch::SIZE];
    same!(patch::emit(&[script], &mut out), Ok(2048), "length");
    let (head, rest) = out.split_at_checked(24).unwrap_or_default();
    bytes(format_args!("patch"), head, &PATCH)?;
    same!(rest.iter().all(|&byte| byte == 0), true, "zeros behind it");
    let patch = Patch::parse(&out).map_err(broken)?;
    let both = Combined {
        map: Triggers::parse(&BLOCK).map_err(broken)?,
        patch: patch.triggers(),
    };
    same!(both.script(tile(29, 91)?), Some(script), "of the patch");
    let own = Script::from_bytes([41, 40, 9, 0]);
    same!(both.script(tile(41, 40)?), Some(own), "of the map");
    for (at, value, kind) in [
        (0x02, 0x13, 0),
        (0x09, 0xFF, 1),
        (0x0A, 0x1B, 2),
        (0x00, 0x1F, 3),
    ] {
        let mut bad = out;
        if let Some(byte) = bad.get_mut(at) {
            *byte = value;
        }
        let found = Patch::parse(&bad).err();
        let expected = Some(patch::Error::BadTriggerBlock { kind });
        same!(found, expected, "{value:02X} at {at:#X}");
    }
    same!(Triggers::lenient(head).count(Kind::Script), 1, "leniently");
    let cut = head.get(..22).unwrap_or_default();
    same!(
        Triggers::lenient(cut).count(Kind::Script),
        0,
        "leniently, cut"
    );
    Ok(())
}

fn stager_table<G>(_: &mut G) -> Check {
    let mut out = [0xEE; 20];
    let node: &[u8] = &[0xFF, 0xFF, 1, 0];
    let mover: &[u8] = &[5, 0, 2, 0, 0x34, 0x12];
    same!(stager::emit(&[node, mover], &mut out), Ok(16), "length");
    let written = out.get(..16).unwrap_or_default();
    bytes(
        format_args!("table"),
        written,
        &[2, 0, 6, 0, 10, 0, 0xFF, 0xFF, 1, 0, 5, 0, 2, 0, 0x34, 0x12],
    )?;
    let table = Stager::parse(written).map_err(broken)?;
    let models = table.records().map(|it| it.model());
    same!(models.eq([None, Some(5)]), true, "models");
    let words = table.record(1).map(|it| it.words().eq([0x1234]));
    same!(words, Some(true), "words");
    let odd = Stager::parse(&[1, 0, 5, 0, 0, 0, 0, 0]).err();
    same!(
        odd,
        Some(stager::Error::BadOffset { index: 0 }),
        "odd offset"
    );
    Ok(())
}
