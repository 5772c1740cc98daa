//! Tables of the types of objects: for a level, and for several side by side.

use std::collections::{BTreeMap, BTreeSet};

use overworld_runtime::llama::map::Type;
use overworld_runtime::llama::{Level, Name};

/// A type that a level places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its name, of a spawn stub that of what it spawns; `None` when the code does not tell.
    pub name: Option<String>,
    /// Whether a stub spawns it.
    pub spawn: bool,
    /// How it is shown: `Name`, `Name(spawn)` or `?` and the offset.
    pub label: String,
    /// Instances.
    pub count: u32,
    /// Constants of the first instance.
    pub ty: Type,
    /// Whether all instances have these constants.
    pub constant: bool,
    /// The first instance.
    pub first: usize,
}

/// The types of a level by their labels.
#[must_use]
pub fn of(level: &Level<'_>) -> Vec<Row> {
    let mut rows: BTreeMap<u32, Row> = BTreeMap::new();
    for (index, strat) in level.map.strats().iter().enumerate() {
        let code = strat.ty.code;
        let row = rows.entry(code).or_insert_with(|| {
            let name = level.stpc.map_or(Name::Unknown(code), |it| it.name(code));
            Row {
                name: name.text().map(str::to_owned),
                spawn: matches!(name, Name::Spawn(_)),
                label: name.to_string(),
                count: 0,
                ty: strat.ty,
                constant: true,
                first: index,
            }
        });
        row.count += 1;
        row.constant &= row.ty == strat.ty;
    }
    let mut rows: Vec<Row> = rows.into_values().collect();
    rows.sort_by(|one, other| (&one.label, one.ty.code).cmp(&(&other.label, other.ty.code)));
    rows
}

/// The row of the first of these names that a level places. Only where it places none itself, that of a stub which
/// spawns one.
#[must_use]
pub fn role<'r>(rows: &'r [Row], names: &[&str]) -> Option<&'r Row> {
    let rank = |row: &Row| {
        let rank = names.iter().position(|it| row.name.as_deref() == Some(*it));
        Some((row.spawn, rank?, row.first))
    };
    let ranked = rows.iter().filter_map(|row| Some((rank(row)?, row)));
    ranked.min_by_key(|it| it.0).map(|it| it.1)
}

/// Where the code begins of every type of these names that a level places. Only where it places none itself, of the
/// stubs which spawn one: as [`role`], which is one of them.
#[must_use]
pub fn codes(rows: &[Row], names: &[&str]) -> BTreeSet<u32> {
    let is = |row: &&Row| row.name.as_deref().is_some_and(|it| names.contains(&it));
    let rows = || rows.iter().filter(is);
    let any_itself = rows().any(|it| !it.spawn);
    let rows = rows().filter(|it| !(it.spawn && any_itself));
    rows.map(|it| it.ty.code).collect()
}

/// What a level has of a label.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// Instances.
    pub count: u32,
    /// Where the code begins of each type with the label, in order.
    pub codes: Vec<u32>,
}

/// Instances and code offsets by label and level, the labels in order.
#[must_use]
pub fn table(levels: &[Vec<Row>]) -> BTreeMap<String, Vec<Cell>> {
    let mut table: BTreeMap<String, Vec<Cell>> = BTreeMap::new();
    for (level, rows) in levels.iter().enumerate() {
        for row in rows {
            // What has no name is a type of its level alone.
            let label = match row.name {
                Some(_) => row.label.clone(),
                None => format!("{} (level {level})", row.label),
            };
            let cells = table
                .entry(label)
                .or_insert_with(|| vec![Cell::default(); levels.len()]);
            let cell = &mut cells[level];
            cell.count += row.count;
            cell.codes.push(row.ty.code);
        }
    }
    table
}
