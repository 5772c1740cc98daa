//! `overworld disc ls` and `overworld disc info`

use std::path::Path;

use overworld_host::drive::{self, Layout};
use overworld_host::identify::count;
use overworld_host::{listing, text};
use overworld_runtime::disc::{iso, prot};
use overworld_runtime::platform::{Drive, SECTOR};
use serde_json::{Value, json};

use super::open;
use crate::cli::{Failure, Output};

pub fn list(path: &Path, out: &Output) -> Result<(), Failure> {
    let mut drive = open(path)?;
    let files = listing::files(&mut drive).map_err(|error| Failure::of(path.display(), error))?;
    // As they will be printed, so that the columns stand below each other.
    let path = |file: &listing::Entry| text::printable(&file.path).into_owned();
    let width = files.iter().map(|file| path(file).chars().count()).max();
    let width = width.unwrap_or(0);
    for file in &files {
        let iso::Extent { lba, size } = file.extent;
        let path = path(file);
        out.say(format_args!(
            "{path:width$}  {size:>10} {}  sector {lba}{}",
            if size == 1 { "byte " } else { "bytes" },
            pieces(file.form)
        ))?;
    }
    out.document(&json!({ "files": files.iter().map(entry).collect::<Vec<_>>() }))
}

/// What stands behind a file that is not in one piece.
fn pieces(form: iso::Form) -> String {
    match form {
        iso::Form::Whole => String::new(),
        iso::Form::Interleaved { unit, gap } => {
            format!("  Interleaved: units of {unit} sectors with gaps of {gap}")
        }
        iso::Form::Section => "  MultiExtent: more of it follows".to_owned(),
    }
}

fn entry(file: &listing::Entry) -> Value {
    let mut value = json!({ "path": file.path, "size": file.extent.size, "lba": file.extent.lba });
    let error = file.whole::<drive::Error>().err();
    if let (Some(error), Some(fields)) = (error, value.as_object_mut()) {
        fields.insert("error".to_owned(), error.to_string().into());
    }
    value
}

pub fn info(path: &Path, out: &Output) -> Result<(), Failure> {
    let mut drive = open(path)?;
    let fail = |error: &dyn std::fmt::Display| Failure::of(path.display(), error);
    let files = listing::files(&mut drive).map_err(|error| fail(&error))?;
    let sectors = drive.sectors();
    let layout = match drive.layout() {
        Layout::Raw => "Mode 2, 2352 bytes a sector",
        Layout::Bare => "2048 bytes a sector",
    };
    let tracks = drive.tracks();
    out.say(format_args!(
        "{}: {}, {layout}{}",
        path.display(),
        count(sectors as usize, "sector"),
        match tracks {
            1 => String::new(),
            more => format!(", the first of {more} tracks"),
        }
    ))?;
    for file in &files {
        out.say(format_args!(
            "  {}  {} at sector {}{}",
            text::printable(&file.path),
            count(file.extent.size as usize, "byte"),
            file.extent.lba,
            pieces(file.form)
        ))?;
    }
    let mut archive = Value::Null;
    if let Some(extent) = files
        .iter()
        .find(|it| it.path == "/PROT.DAT")
        .map(listing::Entry::whole::<drive::Error>)
        .transpose()
        .map_err(|error| Failure::of(format_args!("{}: PROT.DAT", path.display()), error))?
    {
        let mut table = vec![[0; SECTOR]; prot::TOC_SECTORS.min(extent.sectors()) as usize];
        drive
            .read(extent.lba, &mut table)
            .map_err(|error| fail(&error))?;
        let toc = prot::Toc::parse(table.as_flattened(), extent.sectors())
            .map_err(|error| Failure::of(format_args!("{}: PROT.DAT", path.display()), error))?;
        let entries: Vec<Value> = toc
            .entries()
            .map(|it| json!({ "first": it.first, "sectors": it.sectors }))
            .collect();
        out.say(format_args!(
            "archive: {}, {}",
            count(toc.len() as usize, "raw entry"),
            count(toc.archive_sectors() as usize, "sector")
        ))?;
        archive = json!({ "entries": entries, "sectors": toc.archive_sectors() });
    }
    let mut scenes = Vec::new();
    for (name, raw) in listing::names(&mut drive).map_err(|error| fail(&error))? {
        out.say(format_args!("scene: {name} at raw {raw}"))?;
        scenes.push(json!({ "name": name, "raw": raw }));
    }
    out.document(&json!({
        "sectors": sectors,
        "layout": layout,
        "tracks": tracks,
        "files": files.iter().map(entry).collect::<Vec<_>>(),
        "archive": archive,
        "scenes": scenes,
    }))
}
