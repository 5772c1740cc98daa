//! The test-level maker (llama sheet, section 11): one instance of each type on a plate, and a parkour to a goal.

use std::collections::BTreeMap;

use overworld_runtime::llama::map::{Place, Strat, Tile, Zone};
use overworld_runtime::llama::stpc::{EXITS, PLAYERS};
use overworld_runtime::llama::{Flags, Float, Level, Models, Tag};

use super::document::{Content, Document};
use super::parts::Parts;
use super::report;
use super::types::{self, Row};

/// How a test level is made.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Its name; `None` keeps the source's.
    pub name: Option<String>,
    /// Half the distance of two objects, in cells; `None` takes [`SPACING`], or less where that finds no room.
    pub spacing: Option<u32>,
    /// Model of the floor; `None` takes the most common flat floor.
    pub floor: Option<u32>,
    /// Whether what the source holds stays. Where it leaves no room, the grid gets rows behind its own.
    pub keep: bool,
}

/// Most cells of a grid to which rows are added.
const MOST_CELLS: u64 = 1 << 22;

/// Half the distance of two objects where nothing else is asked for, in cells.
pub const SPACING: u32 = 3;

/// What was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// The WAD.
    pub data: Vec<u8>,
    /// First column and row, columns and rows of the area.
    pub area: [u32; 4],
    /// Model of the floor.
    pub floor: u32,
    /// Half the distance of two objects, in cells.
    pub spacing: u32,
    /// Rows that were put behind the level's own, for want of room among these.
    pub added_rows: u32,
    /// Tiles of the level.
    pub tiles: usize,
    /// Strats of the level.
    pub strats: usize,
    /// Labels of the types that were placed.
    pub placed: Vec<String>,
    /// Labels of those that were left out.
    pub skipped: Vec<String>,
    /// What the level does not have: a player, a door.
    pub missing: Vec<&'static str>,
}

/// Names that begin so are left out: they take the camera or the player away.
const SKIPPED: [&str; 4] = ["Camera", "CutScene", "Force", "Trigger"];
/// Stepping plates of the parkour, a cell of air before each.
const STEPS: u32 = 6;
/// Side of the goal platform.
const GOAL: u32 = 3;
/// Height of a step, in 1/4096.
const STEP: i32 = 2048;
/// A floor's surface above its tile.
const SURFACE: i32 = 1024;

/// Where things go.
struct Plan {
    col: u32,
    row: u32,
    width: u32,
    height: u32,
    columns: u32,
    pitch: u32,
}

impl Plan {
    /// Columns and rows of the plate and everything for this many columns of objects.
    fn size(objects: u32, columns: u32, pitch: u32) -> Option<[u32; 4]> {
        let rows = objects.div_ceil(columns).max(1);
        let plate = [
            columns.checked_mul(pitch)?,
            rows.checked_mul(pitch)?.max(GOAL),
        ];
        let [width, height] = plate;
        Some([
            width,
            height,
            width.checked_add(2 * STEPS + 1 + GOAL)?,
            height,
        ])
    }

    /// The most even plate that finds room for objects so far apart.
    fn find(objects: u32, spacing: u32, free: &Free) -> Option<Self> {
        let [grid_width, grid_height] = free.grid;
        let pitch = spacing.saturating_mul(2).max(1);
        let sizes = (1..=objects.max(1)).filter_map(|columns| {
            let [width, height, whole, rows] = Self::size(objects, columns, pitch)?;
            (whole <= grid_width && rows <= grid_height).then_some((
                width.abs_diff(height),
                columns,
                [width, height, whole, rows],
            ))
        });
        let mut sizes: Vec<_> = sizes.collect();
        sizes.sort_unstable();
        sizes
            .iter()
            .find_map(|&(_, columns, [width, height, whole, rows])| {
                let [col, row] = free.find(whole, rows)?;
                Some(Self {
                    col,
                    row,
                    width,
                    height,
                    columns,
                    pitch,
                })
            })
    }
}

/// The most even plate on rows behind those of the grid, and how many: cells keep their numbers there. `None` where the
/// parkour is longer than a row, or the grid would be larger than a level may be.
fn behind(count: u32, spacing: u32, [grid_width, grid_height]: [u32; 2]) -> Option<(Plan, u32)> {
    let pitch = spacing.checked_mul(2)?.max(1);
    let sizes = (1..=count.max(1)).filter_map(|columns| {
        let size = Plan::size(count, columns, pitch)?;
        (size[2] <= grid_width).then_some((size[0].abs_diff(size[1]), columns, size))
    });
    let (_, columns, [width, height, _, rows]) = sizes.min()?;
    let whole = grid_height.checked_add(rows)?;
    let cells = u64::from(grid_width) * u64::from(whole);
    let plan = Plan {
        col: 0,
        row: grid_height,
        width,
        height,
        columns,
        pitch,
    };
    (cells <= MOST_CELLS).then_some((plan, rows))
}

/// The cells that are not taken.
struct Free {
    grid: [u32; 2],
    /// For each corner how many cells above it and to its left are taken.
    sums: Vec<u32>,
}

impl Free {
    fn new(grid: [u32; 2], taken: &[bool]) -> Self {
        let [width, height] = grid.map(|it| it as usize);
        let stride = width + 1;
        let mut sums = vec![0_u32; stride * (height + 1)];
        for row in 0..height {
            for col in 0..width {
                let at = row * stride + col;
                let here = u32::from(taken[row * width + col]);
                sums[at + stride + 1] = here + sums[at + 1] + sums[at + stride] - sums[at];
            }
        }
        Self { grid, sums }
    }

    /// How many cells above and to the left of a corner are taken.
    fn taken_before(&self, col: u32, row: u32) -> u32 {
        self.sums[row as usize * (self.grid[0] as usize + 1) + col as usize]
    }

    /// The first rectangle of free cells.
    fn find(&self, columns: u32, rows: u32) -> Option<[u32; 2]> {
        let [width, height] = self.grid;
        let sum = |col: u32, row: u32| self.taken_before(col, row);
        for row in 0..=height.checked_sub(rows)? {
            for col in 0..=width.checked_sub(columns)? {
                let (right, below) = (col + columns, row + rows);
                let inside = sum(right, below) + sum(col, row);
                if inside == sum(right, row) + sum(col, below) {
                    return Some([col, row]);
                }
            }
        }
        None
    }
}

/// The plan with the spacing that is asked for; without one, with the default or the next smaller one that finds
/// room.
fn plan(count: u32, asked: Option<u32>, free: &Free) -> Result<(Plan, u32), String> {
    let wanted = asked.unwrap_or(SPACING);
    if let Some(plan) = Plan::find(count, wanted, free) {
        return Ok((plan, wanted));
    }
    // Beyond the grid's sides no spacing is worth a try.
    let [width, height] = free.grid;
    let smaller = (1..wanted.min(width.max(height))).rev();
    let mut fitting =
        smaller.filter_map(|spacing| Some((Plan::find(count, spacing, free)?, spacing)));
    match (fitting.next(), asked) {
        (Some(found), None) => Ok(found),
        (found, _) => {
            let [_, _, columns, rows] = Plan::size(count, 1, 2).unwrap_or([0; 4]);
            let advice = match found {
                Some((_, spacing)) => format!("--spacing {spacing} is the largest that fits"),
                None => format!(
                    "none fits: with --spacing 1 they and the parkour take {columns} x {rows} cells in one piece, or \
                     fewer rows and more columns"
                ),
            };
            let all = free.taken_before(width, height);
            let empty = u64::from(width) * u64::from(height) - u64::from(all);
            Err(format!(
                "no room for {count} objects at a spacing of {wanted} in the {empty} free cells of {width} x {height}; \
                 {advice}"
            ))
        }
    }
}

/// Makes a level.
struct Maker {
    parts: Parts,
    tile: Tile,
    colours: Vec<u8>,
    pool: Vec<u32>,
    /// Strats that were placed: poolExtra is to be raised by as many.
    placed: u32,
    /// Height of the floor's tiles, in 1/4096.
    base: i32,
}

impl Maker {
    fn floor(&mut self, col: u32, row: u32, height: i32) {
        let half = |cell: u32| i32::try_from(cell).unwrap_or(0) * 4096 + 2048;
        let [x, y, z] = [half(col), self.base + height, -half(row)].map(Float::from_fixed);
        self.parts.tiles.push(Tile {
            at: [x, y, z],
            ..self.tile
        });
        self.parts.colours.push(self.colours.clone());
    }

    /// Where a strat stands on a cell.
    fn stand(&self, col: u32, row: u32, height: i32) -> [i32; 3] {
        let half = |cell: u32| i32::try_from(cell).unwrap_or(0) * 4096 + 2048;
        [half(col), self.base + height + SURFACE, half(row)]
    }

    /// A strat of which a level has one: the kept one moves, otherwise it is placed.
    fn settle(&mut self, model: &Strat, first: usize, keep: bool, col: u32, row: u32, height: i32) {
        if !keep {
            return self.place(model, col, row, height);
        }
        let at = self.stand(col, row, height);
        if let Some(strat) = self.parts.strats.get_mut(first) {
            strat.at = at;
        }
    }

    /// A strat like `model` on a cell, with the parameters that it had.
    fn place(&mut self, model: &Strat, col: u32, row: u32, height: i32) {
        // Looked at before anything is placed.
        let own = parameters(model, &self.pool).unwrap_or_default();
        let pool = if own.is_empty() {
            -1
        } else {
            self.parts.pool.len() as i32
        };
        self.parts.strats.push(Strat {
            at: self.stand(col, row, height),
            pool,
            parameters: own.len() as u32,
            flags: model.flags & !Strat::DORMANT,
            tail: 0,
            pad: 0,
            ..*model
        });
        self.parts.pool.extend(own);
        self.placed += 1;
    }
}

/// The parameters of a strat; `None` where it has some outside the pool.
fn parameters<'p>(strat: &Strat, pool: &'p [u32]) -> Option<&'p [u32]> {
    if strat.parameters == 0 {
        return Some(&[]);
    }
    let start = usize::try_from(strat.pool).ok()?;
    pool.get(start..)?.get(..strat.parameters as usize)
}

/// The start zone goes where the player stands. Of a level that is not kept, doors that would lie in the area go to
/// the goal: where they are nothing is left, or something else.
fn move_zones(
    parts: &mut Parts,
    keep: bool,
    start: Option<u32>,
    plan: &Plan,
    player: [u32; 2],
    goal: [u32; 2],
) {
    let [columns, rows] = [plan.width + 2 * STEPS + 1 + GOAL, plan.height];
    let inside = |at: u32, first: u32, size: u32| at >= first && at - first < size;
    for (zone, index) in parts.zones.iter_mut().zip(0..) {
        let [col, _, row] = zone.cell;
        let covered = !keep && inside(col, plan.col, columns) && inside(row, plan.row, rows);
        let place = match zone.flags & Zone::LEVEL {
            _ if start == Some(index) => player,
            0 => continue,
            _ if covered => goal,
            _ => continue,
        };
        [zone.cell[0], zone.cell[2]] = place;
    }
}

/// The most common flat floor: of the tiles, or else the first there is.
fn common_floor(level: &Level<'_>) -> Option<u32> {
    let flat: Vec<bool> = level.trak.models().map(|it| it.is_flat_floor()).collect();
    let is_flat = |model: u32| flat.get(model as usize).copied().unwrap_or(false);
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    for tile in level.map.tiles().iter().filter(|it| is_flat(it.model)) {
        *counts.entry(tile.model).or_default() += 1;
    }
    // Of equally common ones the first.
    let best = counts
        .iter()
        .max_by_key(|(model, count)| (**count, u32::MAX - **model));
    let any = || flat.iter().position(|&it| it).map(|it| it as u32);
    best.map(|(model, _)| *model).or_else(any)
}

/// Make a test level.
///
/// # Errors
/// A sentence: the source is no level, has no floor, no room, or something in it that the builder refuses.
pub fn make(source: &[u8], options: &Options) -> Result<Made, String> {
    let level =
        Level::parse(source).map_err(|error| report::refusal(source, &error).to_string())?;
    let mut parts = Parts::of(&level.map);
    let rows = types::of(&level);
    let floor = match options.floor {
        Some(model) if model < level.trak.len() => model,
        Some(model) => {
            return Err(format!(
                "ModelIndex: there is no model {model} for the floor"
            ));
        }
        None => {
            common_floor(&level).ok_or("no model is a flat floor: name one with --floor-model")?
        }
    };
    let player = types::role(&rows, &PLAYERS);
    let door = types::role(&rows, &EXITS);
    let coin = rows
        .iter()
        .find(|it| !it.spawn && it.name.as_deref() == Some("Coin"));
    let of = |row: &Row| level.map.strats().get(row.first).unwrap_or_default();
    let apart = |row: &Row| [player, door].contains(&Some(row));
    // Of players and doors a level has one each; others of their kind are left out.
    let skipped = |row: &Row| {
        let name = row.name.as_deref().unwrap_or_default();
        let single = PLAYERS.contains(&name) || EXITS.contains(&name);
        single && !apart(row) || SKIPPED.iter().any(|it| name.starts_with(it))
    };
    let objects: Vec<&Row> = rows
        .iter()
        .filter(|it| !skipped(it) && !apart(it))
        .collect();

    for row in objects.iter().copied().chain(player).chain(door) {
        let strat = of(row);
        if parameters(&strat, &parts.pool).is_none() {
            return Err(format!(
                "ParamRange: strat {}, a {}: expected its {} parameters in a pool of {}, found the first at {}",
                row.first,
                row.label,
                strat.parameters,
                parts.pool.len(),
                strat.pool
            ));
        }
    }

    // The copy of a floor tile, as bright as the first of its kind.
    let tiles = parts.tiles.iter().zip(&parts.colours);
    let mut same = tiles.filter(|(it, _)| it.model == floor && it.alternative == 0);
    let vertices = level.trak.vertices(floor).unwrap_or(0) as usize;
    let (base, colours) = match same.next() {
        Some((tile, colours)) => {
            let [_, y, _] = tile.at;
            (y.fixed().map_or(0, |it| it.nearest), colours.clone())
        }
        None => (0, [0x40, 0x40, 0x40, 1].repeat(vertices)),
    };
    let pool = parts.pool.clone();
    if !options.keep {
        parts.tiles.clear();
        parts.colours.clear();
        parts.alternatives.clear();
        parts.strats.clear();
        parts.pool.clear();
    }
    parts.fixed = None;
    parts.models = None;
    let grid = [parts.width, parts.height];
    let mut taken = vec![false; parts.grid.len()];
    for tile in &parts.tiles {
        if let Place::Cell(cell) = tile.place(parts.width, parts.height) {
            taken[cell] = true;
        }
    }
    let count = u32::try_from(objects.len()).unwrap_or(u32::MAX);
    let free = Free::new(grid, &taken);
    let (plan, spacing, added_rows) = match plan(count, options.spacing, &free) {
        Ok((plan, spacing)) => (plan, spacing, 0),
        // A level that is full has room behind its end.
        Err(refusal) if options.keep && Plan::find(count, 1, &free).is_none() => {
            let wanted = options.spacing.unwrap_or(SPACING);
            let least = options.spacing.unwrap_or(1);
            let mut fitting = (least..=wanted)
                .rev()
                .filter_map(|spacing| Some((behind(count, spacing, grid)?, spacing)));
            let ((plan, rows), spacing) = fitting.next().ok_or(refusal)?;
            (plan, spacing, rows)
        }
        Err(refusal) => return Err(refusal),
    };
    parts.height += added_rows;
    let cells = parts.grid.len() + parts.width as usize * added_rows as usize;
    parts.grid.resize(cells, 0);
    let mut maker = Maker {
        parts,
        tile: Tile {
            model: floor,
            ..Tile::default()
        },
        colours,
        pool,
        placed: 0,
        base,
    };
    for row in 0..plan.height {
        for col in 0..plan.width {
            maker.floor(plan.col + col, plan.row + row, 0);
        }
    }
    for (object, index) in objects.iter().zip(0..) {
        let [col, row] =
            [index % plan.columns, index / plan.columns].map(|it| it * plan.pitch + plan.pitch / 2);
        maker.place(&of(object), plan.col + col, plan.row + row, 0);
    }
    let middle = plan.row + plan.height / 2;
    if let Some(player) = player {
        maker.settle(&of(player), player.first, options.keep, plan.col, middle, 0);
    }
    // The parkour.
    let mut height = 0;
    for step in 0..STEPS {
        height += STEP;
        let col = plan.col + plan.width + 1 + 2 * step;
        maker.floor(col, middle, height);
        if let Some(coin) = coin {
            maker.place(&of(coin), col, middle, height);
        }
    }
    height += STEP;
    let goal = plan.col + plan.width + 2 * STEPS + 1;
    for row in 0..GOAL {
        for col in 0..GOAL {
            maker.floor(goal + col, middle - GOAL / 2 + row, height);
        }
    }
    if let Some(door) = door {
        let col = goal + GOAL / 2;
        maker.settle(&of(door), door.first, options.keep, col, middle, height);
    }
    // In a kept level without a player the game goes on to begin where it did.
    let start = level.map.start_zone();
    let start = start.filter(|_| !options.keep || player.is_some());
    let (player_cell, goal_cell) = ([plan.col, middle], [goal + GOAL / 2, middle]);
    move_zones(
        &mut maker.parts,
        options.keep,
        start,
        &plan,
        player_cell,
        goal_cell,
    );
    let extra = maker.parts.pool_extra;
    maker.parts.pool_extra = extra.checked_add(maker.placed).ok_or_else(|| {
        format!(
            "CountOverflow: block 12 (strats): the level's poolExtra of {extra} cannot be raised by the {} placed \
             strats: expected at most {}",
            maker.placed,
            u32::MAX - maker.placed
        )
    })?;
    let data = finish(&level, maker.parts.clone(), options)?;
    let labels = |rows: &mut dyn Iterator<Item = &Row>| rows.map(|it| it.label.clone()).collect();
    let missing = [
        (player.is_none(), "player"),
        (door.is_none(), "door"),
        (coin.is_none(), "coin"),
    ];
    Ok(Made {
        data,
        area: [
            plan.col,
            plan.row,
            plan.width + 2 * STEPS + 1 + GOAL,
            plan.height,
        ],
        floor,
        spacing,
        added_rows,
        tiles: maker.parts.tiles.len(),
        strats: maker.parts.strats.len(),
        placed: labels(&mut rows.iter().filter(|it| !skipped(it))),
        skipped: labels(&mut rows.iter().filter(|it| skipped(it))),
        missing: missing.iter().filter(|it| it.0).map(|it| it.1).collect(),
    })
}

/// Derive, check and put the level's other chunks around it.
fn finish(level: &Level<'_>, parts: Parts, options: &Options) -> Result<Vec<u8>, String> {
    let flags: Flags = level.flags;
    let map = parts.build(flags, Models::Trak(level.trak), level.stpc.as_ref());
    let map = map.map_err(|error| error.to_string())?;
    let mut document = Document::of(&level.wad);
    for (tag, content) in &mut document.chunks {
        if *tag == Tag::MAP {
            *content = Content::Bytes(map.clone());
        }
    }
    document.stated = None;
    if let Some(name) = &options.name {
        let mut data = level
            .wad
            .find(Tag::NAME)
            .map_or(vec![0; 4], |it| it.data.to_vec());
        let ends = data.last() == Some(&0) && data.len() > 4;
        data.truncate(4);
        data.extend(name.as_bytes());
        data.extend(ends.then_some(0));
        match document.data_mut(Tag::NAME) {
            Some(place) => *place = data,
            None => document.chunks.insert(1, (Tag::NAME, Content::Bytes(data))),
        }
    }
    document.bytes()
}
