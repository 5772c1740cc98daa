//! The ISO9660 structure: descriptors, path tables, directories and extents (disc sheet, section 2).

use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;

use overworld_runtime::bytes::{u8_at, u16_at, u32_at};
use overworld_runtime::disc::iso::{self, Extent, Form, Record};
use overworld_runtime::platform::{Drive, SECTOR};

use super::{Report, State, States, read};
use crate::drive::ImageDrive;
use crate::fault::Fault;
use crate::listing::{Bounds, Excess, beyond};

/// Descriptors that are looked through for the terminator.
const DESCRIPTORS: u32 = 16;

/// The files of a volume.
pub struct Volume {
    /// Path and extent; only those that lie inside the image.
    pub files: Vec<(String, Extent)>,
}

impl Volume {
    pub fn find(&self, path: &str) -> Option<Extent> {
        let found = self.files.iter().find(|(name, _)| name == path);
        found.map(|(_, extent)| *extent)
    }
}

/// Check the volume; `None` when there is none, or its root cannot be read.
pub fn check(drive: &mut ImageDrive, states: &States, report: &mut Report) -> Option<Volume> {
    let mut scratch = [0; SECTOR];
    let primary = match iso::primary(drive, &mut scratch) {
        Ok(primary) => primary,
        Err(iso::Error::Drive(error)) => {
            // A damaged sector is reported already; a missing one is not.
            if states.of(iso::VOLUME_LBA) != State::Bad {
                let fault = Fault::new(&error, None);
                report.problem("", Some(iso::VOLUME_LBA), fault);
            }
            return None;
        }
        Err(error) => {
            report.problem("", Some(iso::VOLUME_LBA), Fault::new(&error, None));
            return None;
        }
    };
    let descriptor = scratch;
    check_descriptor(&descriptor, drive, &primary, report);
    let mut directories = BTreeMap::new();
    let mut files = Vec::new();
    let mut open = vec![(String::new(), primary.root, 0)];
    let mut bounds = Bounds::default();
    while let Some((prefix, directory, depth)) = open.pop() {
        let place = if prefix.is_empty() { "/" } else { &prefix };
        let too_large = |report: &mut Report, excess: Excess| {
            report.named(
                "DirTooLarge",
                place,
                Some(directory.lba),
                excess.to_string(),
            );
        };
        if let Err(excess) = bounds.directory(directory, depth) {
            too_large(report, excess);
            continue;
        }
        directories.insert(directory.lba, prefix.clone());
        let mut records = Vec::new();
        let walked = iso::walk(drive, &primary, directory, &mut scratch, |record| {
            let Record { extent, form, .. } = record;
            records.push((record.name.to_vec(), extent, record.directory, form));
            ControlFlow::<()>::Continue(())
        });
        match walked {
            Ok(_) => {}
            Err(iso::Error::Drive(_)) if !states.is_data(directory) => {
                unreadable(place, directory, states, report);
            }
            Err(error) => report.problem(place, Some(directory.lba), Fault::new(&error, None)),
        }
        check_links(&records, directory, place, report);
        let mut below = Vec::new();
        let mut names = HashSet::new();
        let mut twice = false;
        let mut excess = None;
        let mut sections: Option<Vec<u8>> = None;
        for (name, extent, is_directory, form) in records {
            if matches!(name.as_slice(), [0] | [1]) {
                continue;
            }
            let plain = name.split(|&byte| byte == b';').next().unwrap_or_default();
            let path = format!("{prefix}/{}", String::from_utf8_lossy(plain));
            if let Err(found) = bounds.entry(&path) {
                excess = Some(found);
                break;
            }
            // The sections behind the first one, which has told.
            if sections.as_deref() == Some(plain) {
                if form != Form::Section {
                    sections = None;
                }
                continue;
            }
            sections = None;
            if !names.insert(plain.to_vec()) && !twice {
                twice = true;
                report.note(format!(
                    "{path} stands more than once in its directory: the first one is found"
                ));
            }
            if let Err(error) = form.whole::<crate::drive::Error>(extent) {
                report.problem(&path, Some(extent.lba), Fault::new(&error, None));
                if form == Form::Section {
                    sections = Some(plain.to_vec());
                }
            } else if !fits(extent, &primary, drive) {
                let Extent { lba, size } = extent;
                let error = iso::Error::<crate::drive::Error>::ExtentOutOfRange { lba, size };
                let mut fault = Fault::new(&error, None);
                fault.text = format!(
                    "{size} bytes at sector {lba} end after the volume ({} sectors) or the image \
                     ({})",
                    primary.blocks,
                    drive.sectors()
                );
                report.problem(&path, Some(lba), fault);
            } else if is_directory {
                below.push((path, extent, depth + 1));
            } else {
                files.push((path, extent));
            }
        }
        if let Some(excess) = excess {
            // What is left is not looked at.
            too_large(report, excess);
            break;
        }
        // The first directory is the next one to be looked at.
        open.extend(below.into_iter().rev());
    }
    report.counts.directories = directories.len();
    report.counts.files = files.len();
    check_path_tables(&descriptor, drive, &directories, report);
    check_overlaps(&files, report);
    let extents = files.iter().map(|(_, extent)| *extent);
    if let Some((path, extent)) = beyond(extents, drive.sectors()).and_then(|it| files.get(it)) {
        let text = format!(
            "this file and those before it take more than the {} sectors of the image",
            drive.sectors()
        );
        report.named("SizeLimit", path, Some(extent.lba), text);
    }
    Some(Volume { files })
}

/// A file or directory with sectors that are no data.
pub fn unreadable(place: &str, extent: Extent, states: &States, report: &mut Report) {
    for lba in (0..extent.sectors()).map(|it| extent.lba.saturating_add(it)) {
        if states.of(lba) == State::Form2 {
            let error = overworld_runtime::disc::sector::Error::UnexpectedForm2 { lba };
            report.problem(place, Some(lba), Fault::new(&error, None));
            return;
        }
    }
    report.note(format!("{place}: not looked into, its sectors are damaged"));
}

fn fits(extent: Extent, primary: &iso::Primary, drive: &ImageDrive) -> bool {
    let end = extent.lba.checked_add(extent.sectors());
    end.is_some_and(|end| end <= primary.blocks && end <= drive.sectors())
}

fn check_descriptor(
    descriptor: &[u8; SECTOR],
    drive: &mut ImageDrive,
    primary: &iso::Primary,
    report: &mut Report,
) {
    let place = "volume descriptor";
    let lba = Some(iso::VOLUME_LBA);
    for (what, at) in [
        ("volume size", 80),
        ("path table size", 132),
        ("root directory", 158),
        ("root size", 166),
    ] {
        let little = u32_at(descriptor, at);
        let big = u32_at(descriptor, at + 4).map(u32::swap_bytes);
        if little != big {
            report.named(
                "BadVolume",
                place,
                lba,
                format!(
                    "offset {at}: the {what} is {} in one byte order and {} in the other",
                    little.unwrap_or(0),
                    big.unwrap_or(0)
                ),
            );
        }
    }
    let block = u16_at(descriptor, 128).unwrap_or(0);
    if usize::from(block) != SECTOR {
        report.named(
            "BadVolume",
            place,
            lba,
            format!("offset 128: expected blocks of {SECTOR} bytes, found {block}"),
        );
    }
    if primary.blocks > drive.sectors() {
        report.named(
            "ExtentOutOfRange",
            place,
            lba,
            format!(
                "the volume has {} sectors, the image {}: it is cut short",
                primary.blocks,
                drive.sectors()
            ),
        );
    }
    let mut sector = [[0; SECTOR]];
    let ended = (1..DESCRIPTORS).any(|it| {
        let read = drive.read(iso::VOLUME_LBA + it, &mut sector);
        read.is_ok() && sector.as_flattened().starts_with(b"\xFFCD001")
    });
    if !ended {
        report.named(
            "BadVolume",
            place,
            Some(iso::VOLUME_LBA + 1),
            "no descriptor ends the list (FF CD001)".to_owned(),
        );
    }
}

/// The first two records must name the directory and its parent.
fn check_links(
    records: &[(Vec<u8>, Extent, bool, Form)],
    directory: Extent,
    place: &str,
    report: &mut Report,
) {
    let name = |index: usize| records.get(index).map(|(name, ..)| name.as_slice());
    let own = records.first().map(|(_, extent, ..)| extent.lba);
    if (name(0), name(1)) != (Some(&[0]), Some(&[1])) || own != Some(directory.lba) {
        report.named(
            "BadDirRecord",
            place,
            Some(directory.lba),
            "expected the records of the directory itself and of its parent in front".to_owned(),
        );
    }
}

/// Both path tables must name the directories that the tree has.
fn check_path_tables(
    descriptor: &[u8; SECTOR],
    drive: &mut ImageDrive,
    directories: &BTreeMap<u32, String>,
    report: &mut Report,
) {
    let word = |at| u32_at(descriptor, at).unwrap_or(0);
    let size = word(132);
    for (what, lba, big) in [
        ("little-endian path table", word(140), false),
        ("big-endian path table", word(148).swap_bytes(), true),
    ] {
        let extent = Extent { lba, size };
        let end = lba.checked_add(extent.sectors());
        let table = if end.is_some_and(|end| end <= drive.sectors()) {
            read(drive, extent)
        } else {
            None
        };
        let Some(found) = table.as_deref().and_then(|table| path_table(table, big)) else {
            report.named(
                "BadPathTable",
                what,
                Some(lba),
                format!("{size} bytes at sector {lba} are no path table"),
            );
            continue;
        };
        for (lba, path) in directories {
            if !found.contains(lba) {
                let path = if path.is_empty() { "/" } else { path };
                report.named(
                    "BadPathTable",
                    what,
                    Some(*lba),
                    format!("the directory {path} at sector {lba} is not in it"),
                );
            }
        }
    }
}

/// The blocks where the directories of a path table begin, behind their extended attributes.
fn path_table(table: &[u8], big: bool) -> Option<HashSet<u32>> {
    let mut found = HashSet::new();
    let mut at = 0;
    while at < table.len() {
        let name = usize::from(u8_at(table, at)?);
        let attributes = u32::from(u8_at(table, at + 1)?);
        let lba = u32_at(table, at + 2)?;
        if name == 0 || at + 8 + name > table.len() {
            return None;
        }
        let lba = if big { lba.swap_bytes() } else { lba };
        found.insert(lba.saturating_add(attributes));
        at += 8 + name + name % 2;
    }
    Some(found)
}

fn check_overlaps(files: &[(String, Extent)], report: &mut Report) {
    let mut sorted: Vec<_> = files.iter().filter(|(_, it)| it.size > 0).collect();
    sorted.sort_by_key(|(_, extent)| extent.lba);
    for pair in sorted.windows(2) {
        if let [(first, extent), (second, next)] = pair
            && extent.lba + extent.sectors() > next.lba
        {
            report.note(format!("{first} and {second} share sectors"));
        }
    }
}
