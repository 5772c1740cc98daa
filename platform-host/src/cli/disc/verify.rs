//! `overworld disc verify`

use std::path::Path;

use overworld_host::drive::Layout;
use overworld_host::identify::count;
use overworld_host::verify::{self, Problem, Report};
use serde_json::json;

use super::open_damaged;
use crate::cli::progress::Progress;
use crate::cli::{Failure, Output};

pub fn verify(path: &Path, out: &Output) -> Result<(), Failure> {
    let mut drive = match open_damaged(path)? {
        Ok(drive) => drive,
        Err(error) => {
            document(&Report::refused(error.fault()), out)?;
            return Err(Failure::new(error.to_string()));
        }
    };
    let bar = Progress::new("verifying", "{pos}/{len} sectors");
    let report = verify::verify(&mut drive, &mut |done, total| {
        bar.set(done.into(), total.into());
    });
    drop(bar);
    let verify::Counts {
        sectors,
        form1,
        form2,
        files,
        directories,
        entries,
        scenes,
        members,
    } = report.counts;
    for problem in Runs::new(&report.problems) {
        out.say(problem)?;
    }
    for note in &report.notes {
        out.say(format_args!("note: {note}"))?;
    }
    out.say(match drive.layout() {
        Layout::Raw => {
            format!(
                "{}: {form1} of Form 1 and {form2} of Form 2 are sound",
                count(sectors as usize, "sector")
            )
        }
        Layout::Bare => count(sectors as usize, "sector"),
    })?;
    out.say(format_args!(
        "{} in {}, {} in the archive",
        count(files, "file"),
        count(directories, "directory"),
        count(entries as usize, "entry")
    ))?;
    out.say(format_args!(
        "{}, {} unpacked and read",
        count(scenes, "scene"),
        count(members, "bundle member")
    ))?;
    document(&report, out)?;
    match (report.problems.len(), report.problems.first()) {
        (_, None) => Ok(()),
        (1, Some(only)) => Err(Failure::of(path.display(), only)),
        (count, Some(first)) => Err(Failure::of(
            path.display(),
            format_args!("{count} problems, the first: {first}"),
        )),
    }
}

/// The document of a report, also of one on what is no image.
fn document(report: &Report, out: &Output) -> Result<(), Failure> {
    let counts = report.counts;
    let problems: Vec<_> = report
        .problems
        .iter()
        .map(|it| {
            json!({
                "name": it.name,
                "lba": it.lba,
                "place": it.place,
                "offset": it.offset,
                "text": it.text,
            })
        })
        .collect();
    out.document(&json!({
        "ok": report.is_good(),
        "problems": problems,
        "notes": report.notes,
        "sectors": counts.sectors,
        "form1": counts.form1,
        "form2": counts.form2,
        "files": counts.files,
        "directories": counts.directories,
        "entries": counts.entries,
        "scenes": counts.scenes,
        "members": counts.members,
    }))
}

/// The problems, one line each; runs of sectors with the same fault in one line.
struct Runs<'a> {
    rest: &'a [Problem],
}

impl<'a> Runs<'a> {
    fn new(problems: &'a [Problem]) -> Self {
        Self { rest: problems }
    }
}

impl Iterator for Runs<'_> {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        let (first, _) = self.rest.split_first()?;
        let mut length = 1;
        // Only faults of sectors have no place.
        if first.place.is_empty() {
            while let Some(next) = self.rest.get(length)
                && next.place.is_empty()
                && next.name == first.name
                && next.lba == first.lba.map(|lba| lba + length as u32)
            {
                length += 1;
            }
        }
        self.rest = self.rest.get(length..).unwrap_or_default();
        let lba = first.lba.unwrap_or(0);
        Some(match (first.lba, length) {
            (Some(_), 2..) => format!(
                "sectors {lba} to {}: {first} (and so on)",
                lba as usize + length - 1
            ),
            (Some(_), _) => format!("sector {lba}: {first}"),
            (None, _) => first.to_string(),
        })
    }
}
