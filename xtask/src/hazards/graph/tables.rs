//! Jumps through registers: constant targets and jump tables.

use super::super::decode::Flow;
use super::super::image::Id;
use super::super::values::Value;
use super::callers::POINTERS;
use super::{Exit, Graph, Targets};
use std::collections::BTreeMap;

/// A table longer than this is not believed.
const TABLE_LIMIT: usize = 4096;
/// Words in a row that may be no targets within a table whose length is not known.
const GAP: usize = 16;

/// What was read from one jump table.
#[derive(Debug, Default)]
struct Table {
    targets: Vec<Id>,
    /// Indices of entries that are no code addresses, and what stands there.
    odd: Vec<(usize, u32)>,
    /// Words of the table that lie among the code.
    inside: Vec<Id>,
    /// The contents may change, or not all of it was read.
    open: bool,
}

impl Graph<'_, '_> {
    /// Resolves register jumps by what is known at each. Returns words that are new.
    pub(super) fn resolve(&mut self) -> Vec<Id> {
        let mut jumps: BTreeMap<Id, Value> = BTreeMap::new();
        self.visit(|id, state| {
            let inst = self.image.insts[id];
            if matches!(inst.flow(), Flow::Register { .. }) {
                let value = state.get(inst.rs());
                if matches!(value, Value::Known(_) | Value::Element(..)) {
                    jumps.insert(id, value);
                }
            }
        });
        // A table of unknown length ends where the next one begins.
        let mut tables: Vec<u32> = jumps
            .values()
            .filter_map(|value| match value {
                Value::Element(table, _) => Some(*table),
                _ => None,
            })
            .collect();
        tables.sort_unstable();
        tables.dedup();

        let mut fresh = Vec::new();
        for (id, value) in jumps {
            let link = matches!(self.image.insts[id].flow(), Flow::Register { link: true });
            let mut targets = Targets::default();
            match value {
                Value::Known(address) => {
                    targets.exit = self.lands(address, link, &mut targets.known);
                }
                Value::Element(table, bound) if !link => {
                    let read = match bound {
                        Some(bound) => self.bounded_table(table, bound),
                        None => {
                            let after = tables.partition_point(|&start| start <= table);
                            let limit = tables.get(after).map_or(TABLE_LIMIT, |&next| {
                                ((next - table) as usize / 4).min(TABLE_LIMIT)
                            });
                            self.open_table(id, table, limit)
                        }
                    };
                    let odd = read
                        .odd
                        .iter()
                        .map(|&(index, word)| {
                            (table.wrapping_add((index as u32) << 2), index, word)
                        })
                        .collect();
                    self.odd_entries.insert(id, odd);
                    if read.targets.is_empty() {
                        self.resolved.remove(&id);
                        continue;
                    }
                    for word in read.inside {
                        // Something that is executed is no table after all.
                        self.data[word] |= !self.is_code(word);
                    }
                    targets.exit = (read.open || !read.odd.is_empty()).then_some(Exit::Unknown);
                    targets.known = read.targets;
                }
                _ => continue,
            }
            fresh.extend(
                targets
                    .known
                    .iter()
                    .copied()
                    .filter(|&id| !self.is_plain(id)),
            );
            self.resolved.insert(id, targets);
        }
        fresh
    }

    /// Reads a table whose index is checked: so many words, and each must point at code.
    fn bounded_table(&self, table: u32, bound: u32) -> Table {
        let count = (bound as usize).min(TABLE_LIMIT);
        let mut read = Table {
            open: bound as usize > TABLE_LIMIT,
            ..Table::default()
        };
        for index in 0..count {
            let address = table.wrapping_add((index as u32) << 2);
            let Some(word) = self.image.word(address, false) else {
                // The image ends before the table does.
                read.open = true;
                break;
            };
            read.open |= self.image.word(address, true).is_none();
            match self.image.id_of(word) {
                Some(target) if !self.data[target] => read.targets.push(target),
                _ => read.odd.push((index, word)),
            }
            read.inside.extend(self.image.id_of(address));
        }
        read.finish()
    }

    /// Reads a table of unknown length: words that point into the function of the jump at `id`.
    /// A few others may lie between, or code of other functions behind; then the jump is not fully
    /// resolved.
    fn open_table(&self, id: Id, table: u32, limit: usize) -> Table {
        let function = self.image.function_of(id);
        let mut read = Table::default();
        let mut gap: Vec<(usize, u32)> = Vec::new();
        for index in 0..limit {
            let address = table.wrapping_add((index as u32) << 2);
            let Some(word) = self.image.word(address, false) else {
                break;
            };
            let target = self
                .image
                .id_of(word)
                .filter(|&target| !self.data[target])
                .filter(|&target| match function {
                    // Behind a gap a function's start is more likely a pointer to it.
                    Some((start, end)) => {
                        (start..end).contains(&target) && (gap.is_empty() || target != start)
                    }
                    None => self.image.region(id).first == self.image.region(target).first,
                });
            match target {
                Some(target) => {
                    read.odd.append(&mut gap);
                    read.targets.push(target);
                    read.open |= self.image.word(address, true).is_none();
                    read.inside.extend(self.image.id_of(address));
                }
                None if gap.len() < GAP => gap.push((index, word)),
                None => break,
            }
        }
        // Code of other functions may be what stands behind the table, or the rest of it.
        read.open |= gap.iter().any(|&(_, word)| {
            let target = self.image.id_of(word).filter(|_| word >= POINTERS);
            target.is_some_and(|target| !self.data[target])
        });
        read.finish()
    }
}

impl Table {
    fn finish(mut self) -> Self {
        self.targets.sort_unstable();
        self.targets.dedup();
        self
    }
}
