//! PROT.DAT and CDNAME.TXT (disc sheet, sections 3 and 4).

use overworld_runtime::bytes::u32_at;
use overworld_runtime::disc::block::Block;
use overworld_runtime::disc::iso::Extent;
use overworld_runtime::disc::{cdname, prot};

use super::volume::{Volume, unreadable};
use super::{Report, States, boot, read, scene};
use crate::drive::ImageDrive;
use crate::fault::Fault;
use crate::identify::count;

/// Where an entry of the archive lies on the disc.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub raw: u32,
    pub extent: Extent,
}

/// Check the archive, its names and its scenes.
pub fn check(drive: &mut ImageDrive, volume: &Volume, states: &States, report: &mut Report) {
    boot::check(drive, volume, states, report);
    let Some(archive) = volume.find("/PROT.DAT") else {
        report.note("no /PROT.DAT: no archive and no scenes to look at");
        return;
    };
    if !states.is_data(archive) {
        unreadable("/PROT.DAT", archive, states, report);
    }
    let table = Extent {
        size: archive.size.min(prot::TOC_BYTES as u32),
        ..archive
    };
    let Some(table) = states.is_data(table).then(|| read(drive, table)).flatten() else {
        return;
    };
    // Whole sectors only: what is cut is not there.
    let toc = match prot::Toc::parse(&table, archive.size / 2048) {
        Ok(toc) => toc,
        Err(error) => {
            let offset = match error {
                prot::Error::BadToc { offset, .. } => Some(offset as usize),
                prot::Error::TocNotTiled { raw } => Some(8 + 4 * raw as usize),
                _ => None,
            };
            report.problem("/PROT.DAT", Some(archive.lba), Fault::new(&error, offset));
            return;
        }
    };
    report.counts.entries = toc.len();
    let unused = 4 * (toc.len() as usize + 3);
    if table
        .get(unused..)
        .is_some_and(|rest| rest.iter().any(|&byte| byte != 0))
    {
        report.note("/PROT.DAT: the table's unused words are not zero");
    }
    let behind = archive.size / 2048 - toc.archive_sectors();
    if behind > 0 {
        report.note(format!(
            "/PROT.DAT: {} behind the last entry",
            count(behind as usize, "sector")
        ));
    }
    let entries: Vec<Entry> = (0..)
        .zip(toc.entries())
        .map(|(raw, it)| Entry {
            raw,
            extent: Extent {
                lba: archive.lba + it.first,
                size: it.sectors * 2048,
            },
        })
        .collect();
    let names = names(drive, volume, states, report);
    for (name, raw) in &names {
        // An index that is the number of entries may mark the end of the last block.
        if *raw > toc.len() {
            let error = prot::Error::NoSuchEntry { raw: *raw };
            let mut fault = Fault::new(&error, None);
            fault.text = format!("{name} is raw {raw}, the archive has {}", toc.len());
            report.problem("/CDNAME.TXT", None, fault);
        } else if *raw == toc.len() {
            report.note(format!("/CDNAME.TXT: {name} names no entry, only the end"));
        }
    }
    let mut blocks: Vec<(String, u32)> = names;
    blocks.sort_by_key(|(_, raw)| *raw);
    for (index, (name, raw)) in blocks.iter().enumerate() {
        let next = blocks.get(index + 1).map_or(u32::MAX, |(_, next)| *next);
        let block = Block::new(*raw, next).within(toc.len());
        let range = block.base() as usize..block.end() as usize;
        let block = scene::Block {
            name,
            entries: entries.get(range).unwrap_or_default(),
            archive_end: archive.lba + toc.archive_sectors(),
        };
        scene::check(drive, &block, states, report);
    }
}

/// The names and their first raw index.
fn names(
    drive: &mut ImageDrive,
    volume: &Volume,
    states: &States,
    report: &mut Report,
) -> Vec<(String, u32)> {
    let Some(extent) = volume.find("/CDNAME.TXT") else {
        report.note("no /CDNAME.TXT: no scene has a name, so none is looked at");
        return Vec::new();
    };
    let data = states
        .is_data(extent)
        .then(|| read(drive, extent))
        .flatten();
    let Some(text) = data else {
        unreadable("/CDNAME.TXT", extent, states, report);
        return Vec::new();
    };
    if text.len() >= cdname::FILE_LIMIT {
        report.note(format!(
            "/CDNAME.TXT: {} bytes, the game's own reader takes fewer than {}",
            text.len(),
            cdname::FILE_LIMIT
        ));
    }
    let lines = text.split(|&byte| byte == b'\n');
    let defines = lines.filter(|line| line.trim_ascii_start().starts_with(b"#define"));
    let (all, usable) = (defines.count(), cdname::defines(&text).count());
    if usable < all {
        report.note(format!(
            "/CDNAME.TXT: {} of {all} lines have a name or number that is passed over",
            all - usable
        ));
    }
    cdname::defines(&text)
        .map(|it| (String::from_utf8_lossy(it.name).into_owned(), it.raw))
        .collect()
}

/// The count word of a descriptor table and its first offset, when they agree.
pub fn looks_like_bundle(data: &[u8]) -> bool {
    match (u32_at(data, 0), u32_at(data, 12)) {
        (Some(count @ 1..=32), Some(offset)) => offset == 8 + 8 * count,
        _ => false,
    }
}
