//! Tables of the types of objects: for a level, and for several side by side.

use std::collections::BTreeMap;

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

/// Instances by label and level, the labels in order.
#[must_use]
pub fn table(levels: &[Vec<Row>]) -> BTreeMap<String, Vec<u32>> {
    let mut table: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for (level, rows) in levels.iter().enumerate() {
        for row in rows {
            // What has no name is a type of its level alone.
            let label = match row.name {
                Some(_) => row.label.clone(),
                None => format!("{} (level {level})", row.label),
            };
            let counts = table.entry(label).or_insert_with(|| vec![0; levels.len()]);
            counts[level] += row.count;
        }
    }
    table
}
