//! What is wrong with a level, and where two files differ.

use overworld_runtime::bytes::u32_at;
use overworld_runtime::llama::map::{
    Alternative, Block, Error, Finding, Fixed, Map, Strat, Tile, Warning, Waypoint, Zone,
};
use overworld_runtime::llama::{Level, LevelError, Note, Record, Tag, Wad, trak, wad};

use super::findings::Findings;
use crate::fault::Fault;

pub use super::findings::{MOST, More};

/// All that is said about a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Broken invariants, each with the sheet's name.
    pub errors: Vec<Fault>,
    /// What is worth a look.
    pub warnings: Vec<Fault>,
    /// Further errors, and warnings, by name: more than [`MOST`] have it.
    pub more: [Vec<More>; 2],
}

impl Report {
    /// How many invariants are broken.
    #[must_use]
    pub fn broken(&self) -> usize {
        let [errors, _] = &self.more;
        self.errors.len() + errors.iter().map(|it| it.count).sum::<usize>()
    }

    /// The same findings, none of them an error.
    pub fn soften(&mut self) {
        self.warnings.append(&mut self.errors);
        let [errors, warnings] = &mut self.more;
        warnings.append(errors);
    }
}

/// Check a file.
#[must_use]
pub fn check(data: &[u8]) -> Report {
    let mut report = Report::default();
    match Level::parse(data) {
        Err(error) => report.errors.push(refusal(data, &error)),
        Ok(level) => {
            let (mut errors, mut warnings) = (Findings::new(), Findings::new());
            let (mut notes, mut order) = (Vec::new(), Vec::new());
            // Once for all warnings: each is as long a walk.
            let alternatives: Vec<usize> = level
                .map
                .colours()
                .map(|it| it.offset + it.base.data.len())
                .collect();
            level.check(
                &mut |finding| match finding {
                    Finding::Error(error) => errors.add(&error, || fault(&level, &error)),
                    Finding::Warning(it) => warnings.add(&it, || {
                        let offset = warned(&level.map, &it, &alternatives);
                        Fault::new(&it, offset.map(|at| level.map_start + at))
                    }),
                },
                &mut |note| match note {
                    Note::Order { offset, .. } => order.push(misplaced(&note, offset)),
                    _ => notes.push(Fault::new(&note, None)),
                },
            );
            let (errors, more_errors) = errors.finish();
            let (warnings, more_warnings) = warnings.finish();
            report.errors = [order, errors].concat();
            report.warnings = [warnings, notes].concat();
            report.more = [more_errors, more_warnings];
        }
    }
    report
}

/// The fault of a chunk behind one that needs it.
fn misplaced(note: &Note, offset: usize) -> Fault {
    let text = note.to_string();
    let place = format!("MissingDependency: offset {offset:#x}: ");
    Fault {
        name: "MissingDependency".to_owned(),
        offset: Some(offset as u64),
        text: text.strip_prefix(&place).unwrap_or(&text).to_owned(),
    }
}

/// A broken invariant with its place in the file, and what was expected as far as the level tells it.
fn fault(level: &Level<'_>, error: &Error) -> Fault {
    let map = &level.map;
    let mut fault = Fault::new(error, broken(map, error).map(|at| level.map_start + at));
    let text = match *error {
        Error::TilePosition { tile } => {
            let [x, y, z] = map.tiles().get(tile as usize).unwrap_or_default().at;
            let [x, y, z] = [x, y, z].map(|it| f32::from_bits(it.0));
            Some(format!(
                "tile {tile}: expected x, y and z below 524288 and z of 0 or less, found {x}, {y}, {z}"
            ))
        }
        Error::TileOutsideGrid { tile, col, row } => Some(format!(
            "tile {tile}: expected a column from 0 to {} and a row from 0 to {}, found column {col}, row {row}",
            map.width() - 1,
            map.height() - 1
        )),
        Error::ModelIndex {
            block,
            index,
            model,
            normal,
            ..
        } => Some(format!(
            "{block}, record {index}: expected a {}model below {}, found {model}",
            if normal { "normal " } else { "" },
            map.models().len()
        )),
        Error::WaypointIndex { strat, waypoint } => Some(format!(
            "strat {strat}: expected -1 or a waypoint below {}, found {waypoint}",
            map.waypoints().len()
        )),
        Error::ParamRange {
            strat,
            index,
            count,
        } => Some(format!(
            "strat {strat}: expected its {count} parameters in a pool of {}, found the first at {index}",
            map.pool().len()
        )),
        Error::CodeOffset { block, index, code } => level.stpc.map(|stpc| {
            let (kind, least) = match block {
                Block::Zones => ("an offset", 0),
                _ => ("an even offset", stpc.code().0),
            };
            format!(
                "{block}, record {index}: expected {kind} from {least:#x} to below {:#x} in STPC, found {code:#x}",
                stpc.bytes().len()
            )
        }),
        Error::DerivedMismatch { block, tile } => {
            let at = tile as usize;
            let tile = map.tiles().get(at).unwrap_or_default();
            let record = format!("{block}, record {at}");
            Some(match block {
                Block::Models => format!(
                    "{record}: expected model {}, as block 2 has it, found {}",
                    tile.model,
                    map.numbers().get(at).unwrap_or_default()
                ),
                _ => {
                    let show = |it: Fixed| format!("angles {:?} at {:?}", it.angles, it.at);
                    format!(
                        "{record}: expected {}, by block 2, found {}",
                        show(Fixed::of(&tile).unwrap_or_default()),
                        show(map.fixed().get(at).unwrap_or_default())
                    )
                }
            })
        }
        _ => None,
    };
    if let Some(text) = text {
        fault.text = text;
    }
    fault
}

/// Offset in a map of a field of a record.
fn field(map: &Map<'_>, block: Block, record: u32, field: usize) -> usize {
    let (head, size, _) = fields(block);
    map.span(block).start + head + size * record as usize + field
}

/// Where an invariant is broken.
fn broken(map: &Map<'_>, error: &Error) -> Option<usize> {
    let at = |block, record, within| Some(field(map, block, record, within));
    match *error {
        Error::TilePosition { tile } | Error::TileOutsideGrid { tile, .. } => {
            at(Block::Tiles, tile, 0)
        }
        Error::ModelIndex {
            block,
            index,
            normal,
            ..
        } => {
            let within = match block {
                Block::Models => 0,
                _ if normal => 12,
                _ => 16,
            };
            at(block, index, within)
        }
        Error::AltCount { .. } => Some(map.span(Block::Alternatives).start),
        Error::RegionIndex { cell, .. } => at(Block::Grid, cell, 0),
        Error::OpenChain { waypoint } => at(Block::Waypoints, waypoint, 0),
        Error::WaypointIndex { strat, .. } => at(Block::Strats, strat, 46),
        Error::ParamRange { strat, .. } => at(Block::Strats, strat, 22),
        Error::CodeOffset { block, index, .. } => {
            let within = match block {
                Block::Zones => 40,
                _ => 18,
            };
            at(block, index, within)
        }
        Error::PoolTooSmall { .. } => Some(map.span(Block::Strats).start + 4),
        Error::DerivedMismatch { block, tile } => at(block, tile, 0),
        Error::CountOverflow {
            block: Block::Strats,
            index: Some(strat),
            ..
        } => at(Block::Strats, strat, 34),
        Error::CountOverflow { block, .. } => Some(map.span(block).start),
        // Such a map is not read, or not written.
        Error::Truncated { .. }
        | Error::TrailingBytes { .. }
        | Error::GridSize { .. }
        | Error::Gate { .. }
        | Error::NoSuchRecord { .. }
        | Error::ColourLength { .. }
        | Error::OutputTooSmall { .. } => None,
    }
}

/// Where a look is worth it; the colours of alternatives begin there in their block, tile by tile.
fn warned(map: &Map<'_>, warning: &Warning, alternatives: &[usize]) -> Option<usize> {
    let at = |block, record, within| Some(field(map, block, record, within));
    match *warning {
        Warning::Rotation { tile, .. } => at(Block::Tiles, tile, 12),
        Warning::FrameCarry { tile, .. } => {
            let at = alternatives.get(tile as usize)?;
            Some(map.span(Block::Colours).start + at)
        }
        Warning::AltNormal { entry, .. } => at(Block::Alternatives, entry, 12),
        Warning::ParamRange { strat, .. } => at(Block::Strats, strat, 26),
        Warning::Pad { strat } => at(Block::Strats, strat, 50),
        Warning::Angles { strat, .. } => at(Block::Strats, strat, 0),
        Warning::TypeMismatch { strat, .. } | Warning::Unnamed { strat, .. } => {
            at(Block::Strats, strat, 18)
        }
        Warning::AltCount { .. }
        | Warning::StartZones { .. }
        | Warning::Players { .. }
        | Warning::Exits { .. } => None,
    }
}

/// Why a file is no level, by the sheet's name of the innermost error, and where in the file.
#[must_use]
pub fn refusal(data: &[u8], error: &LevelError) -> Fault {
    let text = error.to_string();
    let (name, text) = text.split_once(": ").unwrap_or(("", &text));
    // Of an offset that counts in a chunk, and stands so in the sentence, and of where the chunk begins.
    let (within, start) = match *error {
        LevelError::Wad(error) => match error {
            wad::Error::WadTruncated { offset, .. }
            | wad::Error::MissingEnd { offset }
            | wad::Error::DuplicateChunk { offset, .. } => (Some(offset), 0),
            wad::Error::NotAWad { .. } => (Some(4), 0),
            wad::Error::NoSuchChunk { .. } | wad::Error::OutputTooSmall { .. } => (None, 0),
        },
        LevelError::MissingDependency { offset, .. } => (offset, 0),
        LevelError::Models(trak::Error::ModelsTruncated { offset, .. }, start) => {
            (Some(offset), start)
        }
        LevelError::Models(_, start) => (Some(0), start),
        LevelError::Map {
            error: Error::Truncated { offset, .. } | Error::TrailingBytes { offset, .. },
            start,
            ..
        } => (Some(offset), start),
        LevelError::Map {
            error: Error::GridSize { .. },
            start,
            ..
        } => (Some(4), start),
        LevelError::Map {
            error:
                Error::CountOverflow { offset, .. }
                | Error::AltCount { offset, .. }
                | Error::ModelIndex { offset, .. },
            start,
            ..
        } => (offset, start),
        LevelError::Map { .. } => (None, 0),
    };
    // Told once, as counted from the file's start.
    let place = within.map(|offset| format!("offset {offset:#x}"));
    let text = place
        .and_then(|place| text.strip_prefix(&place))
        .map_or(text, |rest| rest.trim_start_matches([',', ':', ' ']));
    let text = match *error {
        LevelError::Wad(wad::Error::WadTruncated {
            offset,
            tag: Some(tag),
        }) => {
            let left = data.len().saturating_sub(offset + 8);
            match u32_at(data, offset + 4) {
                Some(size) => format!(
                    "chunk \"{tag}\": expected {size} bytes, found {left} up to the file's end"
                ),
                None => format!("chunk \"{tag}\": expected its size, found the file's end"),
            }
        }
        LevelError::MissingDependency {
            tag,
            offset: Some(_),
        } => dependency(data, tag).unwrap_or_else(|| text.to_owned()),
        _ => text.to_owned(),
    };
    Fault {
        name: name.to_owned(),
        offset: within.map(|offset| (start + offset) as u64),
        text,
    }
}

/// What is wrong with a chunk that MAP needs and that is there.
fn dependency(data: &[u8], tag: Tag) -> Option<String> {
    let wad = Wad::parse(data).ok()?;
    let (chunk, map) = (wad.find(tag)?, wad.find(Tag::MAP)?);
    Some(if chunk.offset > map.offset {
        format!(
            "chunk \"{tag}\": expected it before MAP, which is at offset {:#x}",
            map.offset
        )
    } else {
        format!(
            "chunk \"{tag}\": expected 4 bytes, found {}",
            chunk.data.len()
        )
    })
}

/// Names of the fields of a record, each with its first byte.
fn fields(block: Block) -> (usize, usize, &'static [(usize, &'static str)]) {
    match block {
        Block::Tiles => (
            0,
            Tile::BYTES,
            &[
                (0, "x"),
                (4, "y"),
                (8, "z"),
                (12, "angle"),
                (16, "model"),
                (20, "alternative"),
            ],
        ),
        Block::Zones => (
            4,
            Zone::BYTES,
            &[
                (0, "cell"),
                (12, "target"),
                (24, "level type"),
                (28, "target rotation"),
                (32, "flags"),
                (36, "fade"),
                (40, "background"),
                (52, "draw mode"),
                (56, "forward"),
                (58, "fog"),
                (66, "object fog"),
                (74, "ambient"),
                (78, "backdrop"),
                (82, "effects"),
                (84, "reverb"),
                (86, "music"),
            ],
        ),
        Block::Waypoints => (
            4,
            Waypoint::BYTES,
            &[
                (0, "next"),
                (4, "previous"),
                (8, "angles"),
                (14, "position"),
                (26, "values"),
            ],
        ),
        Block::Fixed => (0, Fixed::BYTES, &[(0, "angles"), (12, "position")]),
        Block::Alternatives => (
            4,
            Alternative::BYTES,
            &[(0, "position"), (12, "normal"), (16, "model")],
        ),
        Block::Strats => (
            8,
            Strat::BYTES,
            &[
                (0, "angles"),
                (6, "position"),
                (18, "code"),
                (22, "parameters"),
                (26, "pool index"),
                (30, "variables"),
                (34, "slots"),
                (38, "type flags"),
                (42, "extra"),
                (46, "waypoint"),
                (50, "tail"),
                (54, "flags"),
                (56, "pad"),
            ],
        ),
        Block::Pool => (4, 4, &[(0, "word")]),
        Block::Grid | Block::Models => (0, 4, &[(0, "word")]),
        Block::Regions => (0, 8, &[(0, "flags"), (4, "value")]),
        _ => (0, 1, &[(0, "byte")]),
    }
}

/// What a byte of a map belongs to: block, record and field.
#[must_use]
pub fn place(map: &Map<'_>, offset: usize) -> String {
    let Some(block) = map.block_at(offset) else {
        return "behind the last block".to_owned();
    };
    let within = offset - map.span(block).start;
    let (head, size, fields) = fields(block);
    match within.checked_sub(head) {
        None => format!("{block}, head"),
        Some(at) => {
            let field = fields.iter().rev().find(|it| it.0 <= at % size);
            let field = field.map_or("", |it| it.1);
            format!("{block}, record {}, {field}", at / size)
        }
    }
}

/// The first byte in which two files differ, with its place in the first one's map.
#[must_use]
pub fn difference(one: &[u8], other: &[u8]) -> Option<(usize, String)> {
    let equal = one
        .iter()
        .zip(other)
        .take_while(|(one, other)| one == other);
    let offset = equal.count();
    if offset == one.len() && one.len() == other.len() {
        return None;
    }
    let level = Level::parse(one).ok();
    let inside = level.and_then(|level| {
        let at = offset.checked_sub(level.map_start)?;
        (at < level.map.bytes().len()).then(|| place(&level.map, at))
    });
    Some((
        offset,
        inside.unwrap_or_else(|| "outside the map".to_owned()),
    ))
}
