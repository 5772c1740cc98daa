//! A level as a field that can be walked: one cell a tile of 128 units, heights times 128.
//!
//! The sixteen heights that most cells have become the tiers; the others become elevation records (kind 2), which
//! are exact to 8 units, and so do cells at cliffs as long as there is room. Elsewhere neighbours of different
//! height are joined by slopes, as in any field. Cells without a floor and cells with walls are walls on all sides. The
//! field has a margin of one tile around the level, so that its ends are walls, too.
//!
//! Where the level has nothing, the field has nothing either: such a cell names an object record that is neither ground
//! nor drawn, and goes on at the height of the floor beside it. Gaps that the level's player jumps over have planks.

mod gaps;

use std::collections::BTreeMap;

use overworld_runtime::field::map::Cell as Attributes;
use overworld_runtime::field::map::{self, Collision, MapMut, Tile as Place, trigger};
use overworld_runtime::llama::Level;
use overworld_runtime::llama::map::{Place as Cell, Tile};
use overworld_runtime::llama::stpc::PLAYERS;
use overworld_runtime::scene::man;

use super::types;
use crate::sample;
use crate::world::{SCENE_NAME, World};

/// Columns and rows of a level that a field holds: the last tile has no neighbours, the first is margin.
pub const SIDE: u32 = 126;
/// Elevation records that fit beside nothing else.
const RECORDS: usize = (trigger::LIMIT - trigger::HEADER - 8) / 4;

/// A field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The `.MAP` file.
    pub map: Vec<u8>,
    /// Heights of the tiers: negative is up.
    pub heights: [i16; 16],
    /// Where the player stands, world X and Z.
    pub player: [i16; 2],
    /// What tells that place.
    pub beginning: Beginning,
    /// What is added to a level's column and row for the field's: 1 each for levels that fit.
    pub shift: [i32; 2],
    /// Cells that are floor.
    pub floors: usize,
    /// Cells with a floor that lie off the field and so are left out.
    pub cropped: usize,
    /// Elevation records.
    pub records: usize,
    /// Cells whose height is that of the nearest tier, for want of a record.
    pub rounded: usize,
    /// Cells whose height leaves the field's 16 bits, and lies at their end.
    pub clamped: usize,
    /// The least and the largest height of a cell, before it is clamped: negative is up.
    pub range: [i32; 2],
    /// Cells without a floor that have one in the field: gaps of one cell, since nobody jumps there, and the player's.
    pub planks: usize,
    /// Cells with a floor that no way leads to from where the player begins.
    pub unreached: usize,
}

/// What tells where the player of a level begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beginning {
    /// The strat of a player.
    Player,
    /// There is none: the start zone.
    Zone,
    /// There is neither: the first strat.
    Strat,
    /// There is nothing of these: the corner of the level.
    Nothing,
}

/// Column and row where a new game begins, at 2624, 2624.
const NEW_GAME: i32 = 20;
/// The object record of cells where nothing is: empty, and behind those of the meshes that every scene has.
const NOTHING: u16 = 4;
/// The steepest step between neighbours that becomes a slope, in world units.
const SLOPE: i32 = 64;

/// What stands on a cell.
#[derive(Clone, Copy, Default)]
struct Ground<T = i16> {
    /// Height of the highest floor in world units, negative is up.
    floor: Option<T>,
    wall: bool,
}

/// The cells of a field that have something of the level.
type Shown = BTreeMap<[u32; 2], Ground>;

/// World units of a height in 1/4096, of which there are at most 2^26.
const fn units(fixed: i64) -> i32 {
    -((fixed + 16) >> 5) as i32
}

/// A height as a field has it.
fn clamped(height: i32) -> i16 {
    height.clamp(i16::MIN.into(), i16::MAX.into()) as i16
}

/// Turn a level into a field.
///
/// # Errors
/// A sentence: there is no floor to walk on, or no way to write the map.
pub fn field(level: &Level<'_>) -> Result<Field, String> {
    let (start, beginning) = start(level);
    let window = |at: i32, size: u32| {
        let cell = u32::try_from(at >> 12).unwrap_or(0);
        let first = cell.saturating_sub(SIDE / 2).min(size.saturating_sub(SIDE));
        1 - i32::try_from(first).unwrap_or(i32::MAX)
    };
    let [x, _, z] = start;
    let shift = [window(x, level.map.width()), window(z, level.map.height())];
    Ok(Field {
        beginning,
        ..shifted(level, start, shift)?
    })
}

/// A world whose scene, of this name, is the level: the owl of the sample town, and the level's ground, on which the
/// player begins where the level's does. What then lies off the field is cut away. And that field.
///
/// # Errors
/// As [`field`], and what the world's parts say.
pub fn world(level: &Level<'_>, scene: &str) -> Result<(World, Field), String> {
    let (start, beginning) = start(level);
    let [x, _, z] = start;
    let shift = [x, z].map(|at| NEW_GAME - (at >> 12));
    let field = Field {
        beginning,
        ..shifted(level, start, shift)?
    };
    let world = World {
        scene: scene.to_owned(),
        map: (format!("{scene}.MAP"), field.map.clone()),
        man: Some((format!("{scene}.man"), man(&field.heights)?)),
        ..sample::walker().map_err(|error| error.to_string())?
    };
    Ok((world, field))
}

/// The name of a scene that a text gives: its letters, digits and underlines, at most as many as a name has.
#[must_use]
pub fn scene_name(text: &str) -> Option<String> {
    let allowed = |it: &char| it.is_ascii_alphanumeric() || *it == '_';
    let name: String = text.chars().filter(allowed).take(SCENE_NAME).collect();
    (!name.is_empty()).then(|| name.to_ascii_lowercase())
}

/// A program that does nothing, and the heights.
fn man(heights: &[i16; 16]) -> Result<Vec<u8>, String> {
    // A prologue mark, then ends of frames for ever.
    const IDLE: [u8; 5] = [0x24, 0x21, 0x26, 0xFE, 0xFF];
    let said = |error: man::Error| error.to_string();
    let mut sections = [[0; 64]; 3];
    let [encounters, motion, cameras] = &mut sections;
    let none = man::encounter::Source {
        strides: man::encounter::STRIDES,
        formations: &[],
        conditions: &[],
        regions: &[],
    };
    let lengths = [
        man::encounter::emit(&none, encounters).map_err(said)?,
        man::motion::emit(&[], motion).map_err(said)?,
        man::camera::emit(&[], cameras).map_err(said)?,
    ];
    let source = man::Source {
        // Stored with the sign turned.
        floor: heights.map(i16::wrapping_neg),
        actors: &[man::ActorSource {
            label: &[],
            model: 0,
            animation: 0,
            // No actor: its place is off the map.
            tile: [0x7F, 0x7F],
            script: &IDLE,
        }],
        encounters: &encounters[..lengths[0]],
        motion: &motion[..lengths[1]],
        name: b"Level",
        cameras: &cameras[..lengths[2]],
        ..man::Source::default()
    };
    let mut out = vec![0; 0x400];
    let length = man::emit(&source, &mut out).map_err(said)?;
    out.truncate(length);
    Ok(out)
}

/// The field of a level whose cells are moved by `shift`; the player stands at `start`.
fn shifted(level: &Level<'_>, start: [i32; 3], shift: [i32; 2]) -> Result<Field, String> {
    let (width, height) = (level.map.width(), level.map.height());
    let models: Vec<_> = level.trak.models().map(|it| it.counts.collision).collect();
    let mut cells: BTreeMap<[u32; 2], Ground<i32>> = BTreeMap::new();
    for (tile, fixed) in level.map.tiles().iter().zip(level.map.fixed().iter()) {
        let Cell::Cell(index) = tile.place(width, height) else {
            continue;
        };
        let (index, width) = (index as u32, width);
        let cell = cells.entry([index % width, index / width]).or_default();
        let [floor, _, wall] = models.get(tile.model as usize).copied().unwrap_or_default();
        cell.wall |= wall > 0;
        if floor > 0 && wall == 0 {
            // The surface lies a quarter above the tile.
            let [_, y, _] = fixed.at;
            let surface = units(i64::from(y) + 1024);
            cell.floor = Some(cell.floor.map_or(surface, |it: i32| it.min(surface)));
        }
    }
    let mut shown = Shown::new();
    let (mut outside, mut cropped, mut range) = (0, 0, [i32::MAX, i32::MIN]);
    for ([col, row], ground) in cells {
        let moved = |cell: u32, shift: i32| u32::try_from(i64::from(cell) + i64::from(shift)).ok();
        let at = [moved(col, shift[0]), moved(row, shift[1])];
        if let [Some(col @ 0..=SIDE), Some(row @ 0..=SIDE)] = at {
            if let Some(height) = ground.floor {
                outside += usize::from(i32::from(clamped(height)) != height);
                range = [range[0].min(height), range[1].max(height)];
            }
            let ground = Ground {
                floor: ground.floor.map(clamped),
                wall: ground.wall,
            };
            shown.insert([col, row], ground);
        } else {
            cropped += usize::from(ground.floor.is_some());
        }
    }
    let mut counts: BTreeMap<i16, usize> = BTreeMap::new();
    for height in shown.values().filter_map(|it| it.floor) {
        *counts.entry(height).or_default() += 1;
    }
    let floors = counts.values().sum();
    if floors == 0 && cropped > 0 {
        return Err(format!(
            "the player stands too far from any floor: none of {cropped} lies on the field around"
        ));
    }
    if floors == 0 {
        return Err("no tile has a floor to walk on".to_owned());
    }
    // The most used ones; of equally common ones the higher number.
    let mut common: Vec<(usize, i16)> = counts
        .iter()
        .map(|(height, count)| (*count, *height))
        .collect();
    common.sort_unstable_by(|one, other| other.cmp(one));
    common.truncate(16);
    let mut heights = [common[0].1; 16];
    for (tier, (_, height)) in heights.iter_mut().zip(&common) {
        *tier = *height;
    }
    heights[..common.len()].sort_unstable();
    let [x, y, z] = start;
    let player = [seat(x, shift[0]), seat(z, shift[1])];
    let cell = player.map(|it| u32::from(it.cast_unsigned() >> 7));
    let footing = clamped(units(y.into()));
    let gaps::Reach { planks, unreached } = gaps::close(&mut shown, cell, footing);
    let mut field = Field {
        map: Vec::new(),
        heights,
        player,
        beginning: Beginning::Nothing,
        shift,
        floors,
        cropped,
        records: 0,
        rounded: 0,
        clamped: outside,
        range,
        planks,
        unreached,
    };
    write(&mut field, &shown)?;
    Ok(field)
}

/// Where the player is, in 1/4096; without one the start zone, and without that the first strat.
fn start(level: &Level<'_>) -> ([i32; 3], Beginning) {
    let map = &level.map;
    let rows = types::of(level);
    let player = types::role(&rows, &PLAYERS).and_then(|it| map.strats().get(it.first));
    if let Some(strat) = player {
        return (strat.at, Beginning::Player);
    }
    let zone = map.start_zone().and_then(|it| map.zones().get(it as usize));
    if let Some(zone) = zone {
        return (middle(level, zone.cell.map(i64::from)), Beginning::Zone);
    }
    match map.strats().get(0) {
        Some(strat) => (strat.at, Beginning::Strat),
        None => ([0; 3], Beginning::Nothing),
    }
}

/// The middle of a cell, in 1/4096, on its highest tile; of one that is off the level, of the nearest one.
fn middle(level: &Level<'_>, [col, _, row]: [i64; 3]) -> [i32; 3] {
    let map = &level.map;
    let within = |cell: i64, cells: u32| cell.clamp(0, i64::from(cells.max(1)) - 1);
    let (col, row) = (within(col, map.width()), within(row, map.height()));
    let index = row * i64::from(map.width()) + col;
    let here = |tile: &Tile| match tile.place(map.width(), map.height()) {
        Cell::Cell(at) => at as i64 == index,
        _ => false,
    };
    let tiles = map.tiles().iter().zip(map.fixed().iter());
    let heights = tiles.filter(|(tile, _)| here(tile)).map(|(_, it)| it.at[1]);
    let at = |cell: i64| i32::try_from((cell << 12) + 0x800).unwrap_or(i32::MAX);
    [
        at(col),
        heights.max().unwrap_or(0).saturating_add(1024),
        at(row),
    ]
}

/// A coordinate of the field.
fn seat(fixed: i32, shift: i32) -> i16 {
    let units = i64::from(fixed >> 5) + i64::from(shift) * 128;
    units.clamp(0, i64::from(SIDE) * 128 + 127) as i16
}

/// The tier whose height is nearest.
fn nearest(heights: &[i16; 16], height: i16) -> u8 {
    let tiers = heights.iter().zip(0_u8..16);
    let nearest = tiers.min_by_key(|(it, _)| it.abs_diff(height));
    nearest.map_or(0, |(_, tier)| tier)
}

/// The tier of every tile.
type Tiers = [[u8; SIDES]; SIDES];
const SIDES: usize = map::TILES as usize;

/// The tiers of a field. A cell without a floor is the far end of those before it along X and Z, which are not to slope
/// there: it goes on with the floor of one of them, and in the midst of nothing with the tier before.
fn tiers(heights: &[i16; 16], shown: &Shown) -> Tiers {
    const BEFORE: [[usize; 2]; 4] = [[0, 0], [0, 1], [1, 0], [1, 1]];
    let lowest = heights.iter().copied().max().unwrap_or_default();
    let mut tiers = [[0_u8; SIDES]; SIDES];
    for row in 0..SIDES {
        for col in 0..SIDES {
            let floor = BEFORE.iter().find_map(|[left, up]| {
                let cell = [col.checked_sub(*left)?, row.checked_sub(*up)?];
                shown.get(&cell.map(|it| it as u32))?.floor
            });
            tiers[row][col] = match floor {
                Some(height) => nearest(heights, height),
                None if col > 0 => tiers[row][col - 1],
                None if row > 0 => tiers[row - 1][col],
                None => nearest(heights, lowest),
            };
        }
    }
    tiers
}

/// Whether none of a tile's eight neighbours has its tier: its floor would be a point.
fn is_lone(tiers: &Tiers, col: usize, row: usize) -> bool {
    let around = |at: usize| at.saturating_sub(1)..(at + 2).min(SIDES);
    let same = around(row).flat_map(|row| &tiers[row][around(col)]);
    same.filter(|it| **it == tiers[row][col]).count() == 1
}

fn write(field: &mut Field, shown: &Shown) -> Result<(), String> {
    let heights = field.heights;
    let tiers = tiers(&heights, shown);
    let tier = |col: usize, row: usize| i32::from(heights[usize::from(tiers[row][col])]);
    let floors = || {
        let cells = shown.iter();
        cells.filter_map(|(&[col, row], it)| {
            Some((col as usize, row as usize, i32::from(it.floor?)))
        })
    };
    let is_rounded = |&(col, row, height): &(usize, usize, i32)| tier(col, row) != height;
    let corners = |col, row| {
        [
            tier(col, row),
            tier(col + 1, row),
            tier(col, row + 1),
            tier(col + 1, row + 1),
        ]
    };
    // Between its corners a floor slopes. Where that would be a cliff, or a peak, the cell stays flat by a record, too.
    let is_cliff = |it: &(usize, usize, i32)| {
        let (col, row, height) = *it;
        let steep = |corner: &i32| (corner - height).abs() > SLOPE;
        !is_rounded(it) && (corners(col, row).iter().any(steep) || is_lone(&tiers, col, row))
    };
    let mut records = Vec::new();
    for (col, row, height) in floors().filter(is_rounded).chain(floors().filter(is_cliff)) {
        let mean = corners(col, row).iter().sum::<i32>() >> 2;
        // Steps of 16 units up.
        let steps = (mean - height + 8) >> 4;
        match i8::try_from(steps >> 1) {
            Ok(coarse) if records.len() < RECORDS => records.push(trigger::Elevation {
                tile: [col as u8, row as u8],
                coarse,
                quads: (steps & 1) as u8 * 0x55,
            }),
            _ => field.rounded += usize::from(is_rounded(&(col, row, height))),
        }
    }
    field.records = records.len();
    let source = trigger::Source {
        elevations: &records,
        ..trigger::Source::default()
    };
    field.map = vec![0; map::SIZE];
    let mut out = MapMut::create(&mut field.map, &source).map_err(|error| error.to_string())?;
    for place in Place::all() {
        let (col, row) = (u32::from(place.col()), u32::from(place.row()));
        let ground = |row| shown.get(&[col, row]).copied().unwrap_or_default();
        // The wall mapping is one row ahead of that of the floor.
        let wall = row.checked_sub(1).is_none_or(|row| {
            let ground = ground(row);
            ground.wall || ground.floor.is_none()
        });
        let tier = tiers[usize::from(place.row())][usize::from(place.col())];
        out.set_collision(place, Collision::new(if wall { 15 } else { 0 }, tier));
        let here = ground(row);
        if !here.wall && here.floor.is_none() {
            out.set_cell(place, Attributes(NOTHING));
        }
    }
    out.refresh();
    Ok(())
}
