//! A map from above: tiles in the colours of their vertices, zones, waypoints and strats.

use std::collections::{BTreeMap, BTreeSet};

use overworld_runtime::llama::Level;
use overworld_runtime::llama::map::{Place, Strat, Zone};
use overworld_runtime::llama::stpc::{EXITS, PLAYERS};

use super::types;
use crate::gpu::Picture;

/// Pixels of a picture at most.
const MOST: u64 = 1 << 26;
/// The largest scale that any level has a picture at: one of a single cell.
pub const MOST_SCALE: u32 = 1 << 13;

/// Pixels of a strat's side at most: there may be many of them, all on one cell.
const LARGEST_DOT: i64 = 64;

/// Colours of what lies on the tiles.
mod ink {
    pub const NOTHING: [u8; 3] = [16, 16, 24];
    pub const PLAYER: [u8; 3] = [80, 255, 80];
    pub const DOOR: [u8; 3] = [255, 80, 255];
    pub const STRAT: [u8; 3] = [255, 224, 64];
    pub const DORMANT: [u8; 3] = [160, 128, 64];
    pub const ZONE: [u8; 3] = [64, 224, 255];
    pub const START: [u8; 3] = [255, 255, 255];
    pub const WAYPOINT: [u8; 3] = [255, 96, 64];
}

/// What a colour of a picture means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// The colour.
    pub colour: [u8; 3],
    /// What has it.
    pub what: &'static str,
    /// How many there are.
    pub count: usize,
}

/// What the colours mean that do not come from the level, as far as there is something of them.
#[must_use]
pub fn legend(level: &Level<'_>) -> Vec<Key> {
    let map = &level.map;
    let (width, height) = (map.width(), map.height());
    let places = map.tiles().iter().map(|it| it.place(width, height));
    let taken: BTreeSet<usize> = places
        .filter_map(|it| match it {
            Place::Cell(cell) => Some(cell),
            _ => None,
        })
        .collect();
    let zones = |ink| map.zones().iter().filter(|it| zone_ink(it) == ink).count();
    let roles = Roles::of(level);
    let strats = |ink| {
        let strats = map.strats();
        strats.iter().filter(|it| roles.ink(it) == ink).count()
    };
    let cells = u64::from(width) * u64::from(height) - taken.len() as u64;
    let all = [
        (ink::NOTHING, "cells without a tile", cells as usize),
        (ink::START, "start zones, framed", zones(ink::START)),
        (ink::ZONE, "other zones, framed", zones(ink::ZONE)),
        (ink::WAYPOINT, "waypoints, joined", map.waypoints().len()),
        (ink::PLAYER, "players", strats(ink::PLAYER)),
        (ink::DOOR, "doors out of the level", strats(ink::DOOR)),
        (ink::STRAT, "other strats", strats(ink::STRAT)),
        (
            ink::DORMANT,
            "other strats, not created at the start",
            strats(ink::DORMANT),
        ),
    ];
    all.into_iter()
        .filter(|it| it.2 > 0)
        .map(|(colour, what, count)| Key {
            colour,
            what,
            count,
        })
        .collect()
}

fn zone_ink(zone: &Zone) -> [u8; 3] {
    match zone.flags & Zone::START {
        0 => ink::ZONE,
        _ => ink::START,
    }
}

/// Where the code begins of players and of doors, as a field has them, too.
struct Roles {
    players: BTreeSet<u32>,
    doors: BTreeSet<u32>,
}

impl Roles {
    fn of(level: &Level<'_>) -> Self {
        let rows = types::of(level);
        Self {
            players: types::codes(&rows, &PLAYERS),
            doors: types::codes(&rows, &EXITS),
        }
    }

    fn ink(&self, strat: &Strat) -> [u8; 3] {
        let code = strat.ty.code;
        if self.players.contains(&code) {
            ink::PLAYER
        } else if self.doors.contains(&code) {
            ink::DOOR
        } else if strat.is_created() {
            ink::STRAT
        } else {
            ink::DORMANT
        }
    }
}

struct Canvas {
    picture: Picture,
    scale: i64,
}

impl Canvas {
    fn dot(&mut self, x: i64, y: i64, colour: [u8; 3]) {
        let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y)) else {
            return;
        };
        if x < self.picture.width && y < self.picture.height {
            let at = 3 * (y * self.picture.width + x);
            self.picture.rgb[at..at + 3].copy_from_slice(&colour);
        }
    }

    /// Pixel of a position in 1/4096.
    fn pixel(&self, fixed: i32) -> i64 {
        (i64::from(fixed) * self.scale) >> 12
    }

    fn rectangle(&mut self, [x, y]: [i64; 2], [width, height]: [i64; 2], colour: [u8; 3]) {
        for y in y..y + height {
            for x in x..x + width {
                self.dot(x, y, colour);
            }
        }
    }

    fn frame(&mut self, [x, y]: [i64; 2], side: i64, colour: [u8; 3]) {
        for step in 0..side {
            self.dot(x + step, y, colour);
            self.dot(x + step, y + side - 1, colour);
            self.dot(x, y + step, colour);
            self.dot(x + side - 1, y + step, colour);
        }
    }

    /// A line of as many steps as its longer side has pixels. What leaves the picture by far is cut short.
    fn line(&mut self, from: [i64; 2], to: [i64; 2], colour: [u8; 3]) {
        let delta = [to[0] - from[0], to[1] - from[1]];
        let steps = delta[0].abs().max(delta[1].abs());
        for step in 0..=steps.min(1 << 14) {
            let at = |axis: usize| from[axis] + delta[axis] * step / steps.max(1);
            self.dot(at(0), at(1), colour);
        }
    }
}

/// Draw a level: a cell is `scale` pixels wide, X to the right, rows up, as they lie before whoever walks there: the
/// pad's Up leads to the next row. Higher tiles are lighter and lie over lower ones.
///
/// # Errors
/// A sentence, when the picture would be too large.
pub fn draw(level: &Level<'_>, scale: u32) -> Result<Picture, String> {
    let map = &level.map;
    let cells = u64::from(map.width()) * u64::from(map.height());
    let most = (MOST / cells).isqrt();
    if most == 0 {
        return Err(format!(
            "TooMuch: expected at most {MOST} cells to be drawn, found {} x {}",
            map.width(),
            map.height()
        ));
    }
    if scale == 0 || u64::from(scale) > most {
        return Err(format!(
            "TooMuch: expected a scale from 1 to {most} for {} x {} cells, found {scale}",
            map.width(),
            map.height()
        ));
    }
    let (width, height) = (
        (map.width() * scale) as usize,
        (map.height() * scale) as usize,
    );
    let mut canvas = Canvas {
        picture: Picture {
            width,
            height,
            rgb: ink::NOTHING.repeat(width * height),
        },
        scale: scale.into(),
    };
    tiles(level, &mut canvas);
    let scale = canvas.scale;
    for zone in map.zones().iter() {
        let [x, _, z] = zone.cell.map(i64::from);
        canvas.frame(
            [x.saturating_mul(scale), z.saturating_mul(scale)],
            scale,
            zone_ink(&zone),
        );
    }
    let mut last = None;
    for waypoint in map.waypoints().iter() {
        let [x, _, z] = waypoint.at;
        let here = [canvas.pixel(x), canvas.pixel(z)];
        canvas.line(last.unwrap_or(here), here, ink::WAYPOINT);
        last = (waypoint.next != 0).then_some(here);
    }
    let roles = Roles::of(level);
    let size = (scale / 3).clamp(1, LARGEST_DOT);
    for strat in map.strats().iter() {
        let [x, _, z] = strat.at;
        let corner = [canvas.pixel(x) - size / 2, canvas.pixel(z) - size / 2];
        canvas.rectangle(corner, [size, size], roles.ink(&strat));
    }
    // All of it is drawn with rows down.
    let lines = canvas.picture.rgb.chunks_exact(3 * width).rev();
    canvas.picture.rgb = lines.flatten().copied().collect();
    Ok(canvas.picture)
}

fn tiles(level: &Level<'_>, canvas: &mut Canvas) {
    let map = &level.map;
    let fixed = map.fixed();
    let mut tiles: Vec<(i32, usize, [u8; 3])> = Vec::new();
    let heights = || fixed.iter().map(|it| it.at[1]);
    let low = i64::from(heights().min().unwrap_or(0));
    let range = (i64::from(heights().max().unwrap_or(0)) - low).max(1);
    for ((tile, fixed), colours) in map.tiles().iter().zip(fixed.iter()).zip(map.colours()) {
        if let Place::Cell(cell) = tile.place(map.width(), map.height()) {
            let mut sum = [0_u64; 3];
            let mut count = 0;
            for colour in colours.base.drawn(0) {
                for (sum, part) in sum.iter_mut().zip(colour) {
                    *sum += u64::from(part);
                }
                count += 1;
            }
            // Without colours a middle grey; up to a third lighter with the height.
            let mean = sum.map(|sum| sum.checked_div(count).unwrap_or(128) as i64);
            let lift = 64 * (i64::from(fixed.at[1]) - low) / range;
            let colour = mean.map(|part| (part + lift).clamp(0, 255) as u8);
            tiles.push((fixed.at[1], cell, colour));
        }
    }
    tiles.sort_by_key(|it| it.0);
    // Only the highest one of a cell is seen.
    let seen: BTreeMap<usize, [u8; 3]> = tiles.iter().map(|it| (it.1, it.2)).collect();
    let width = i64::from(map.width());
    for (cell, colour) in seen {
        let (cell, scale) = (cell as i64, canvas.scale);
        let corner = [cell % width * scale, cell / width * scale];
        // A line between cells, where there is room for it.
        let side = if scale > 3 { scale - 1 } else { scale };
        canvas.rectangle(corner, [side, side], colour);
    }
}
