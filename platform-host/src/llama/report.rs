//! What is wrong with a level, and where two files differ.

use overworld_runtime::llama::map::{
    Alternative, Block, Finding, Fixed, Map, Strat, Tile, Waypoint, Zone,
};
use overworld_runtime::llama::{Level, LevelError, Record};

use crate::fault::Fault;

/// All that is said about a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Broken invariants, each with the sheet's name.
    pub errors: Vec<Fault>,
    /// What is worth a look.
    pub warnings: Vec<Fault>,
}

/// Check a file.
#[must_use]
pub fn check(data: &[u8]) -> Report {
    let mut report = Report::default();
    match Level::parse(data) {
        Err(error) => report.errors.push(refusal(&error)),
        Ok(level) => {
            let mut notes = Vec::new();
            level.check(
                &mut |finding| match finding {
                    Finding::Error(error) => report.errors.push(Fault::new(&error, None)),
                    Finding::Warning(it) => report.warnings.push(Fault::new(&it, None)),
                },
                &mut |note| notes.push(Fault::new(&note, None)),
            );
            report.warnings.extend(notes);
        }
    }
    report
}

/// Why a file is no level, by the sheet's name of the innermost error.
#[must_use]
pub fn refusal(error: &LevelError) -> Fault {
    let text = error.to_string();
    let mut fault = Fault::new(error, None);
    if let Some((name, rest)) = text.split_once(": ") {
        fault.name = name.to_owned();
        fault.text = rest.to_owned();
    }
    fault
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
