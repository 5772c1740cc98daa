//! Scene scripts (MAN sheet).

use overworld_runtime::bytes::u16_at;
use overworld_runtime::scene::man::{self, Man, Partition};

use super::{Look, count};
use crate::fault;

pub fn look(data: &[u8]) -> Look {
    let man = match Man::parse(data) {
        Ok(man) => man,
        Err(error) if begins_as_man(data) => {
            return Look::Near(format!(
                "it begins like a MAN, but {}",
                fault::man(data, &error)
            ));
        }
        Err(_) => return Look::No,
    };
    // A run of zeros is a chain of empty sections; without a record nothing is proven.
    if man.is_empty() {
        return Look::No;
    }
    // The kingdoms have a table behind the sections; behind that there may be padding, no more.
    let after = man.after_sections();
    let table = man.locations().map_or(0, |it| 1 + 32 * it.len());
    let rest = after.get(table..).unwrap_or_default();
    if rest.len() >= 2048 || rest.iter().any(|&byte| byte != 0) {
        let place = data.len() - rest.len();
        return Look::Near(format!(
            "it reads as a MAN as far as offset {place:#x}, but {} behind its sections that are no table",
            match rest.len() {
                1 => "1 byte follows".to_owned(),
                more => format!("{more} bytes follow"),
            }
        ));
    }
    let number = |partition| usize::from(man.count(partition));
    let at = |index| man.section_start(index).unwrap_or(0);
    Look::Is(format!(
        "{}, {}, {}; six sections chain from offset {:#x} to the empty one at {:#x}",
        count(number(Partition::Object), "object"),
        count(number(Partition::Actor), "actor"),
        count(number(Partition::Beat), "beat"),
        at(0),
        at(5)
    ))
}

/// Whether a table of records stands where that of a MAN does: some, which ascend from the first and end in front of
/// the sections.
fn begins_as_man(data: &[u8]) -> bool {
    let records: usize = [0x22, 0x24, 0x26]
        .map(|at| u16_at(data, at).map_or(usize::MAX >> 2, usize::from))
        .iter()
        .sum();
    let word = |at: usize| {
        let bytes: &[u8; 3] = data.get(at..)?.first_chunk()?;
        Some(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], 0]))
    };
    let Some(limit) = word(0x28) else {
        return false;
    };
    let end = records.saturating_mul(3).saturating_add(man::HEADER);
    if records == 0 || end > data.len() {
        return false;
    }
    let starts: Vec<u32> = (man::HEADER..end).step_by(3).filter_map(word).collect();
    starts.first() == Some(&0) && starts.is_sorted() && starts.last().is_some_and(|it| *it < limit)
}
