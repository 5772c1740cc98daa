//! `overworld disc extract`

use std::path::PathBuf;

use clap::Args;
use overworld_host::identify::count;
use overworld_host::{extract, listing};
use serde_json::json;

use super::open;
use crate::cli::progress::Progress;
use crate::cli::{Failure, Output};

#[derive(Args)]
pub struct Extract {
    /// A .cue (its first track), a .bin or an .iso
    image: PathBuf,
    /// Only these files or folders of the disc, such as /PROT.DAT or /XA; / is all of it
    #[arg(value_name = "PATH")]
    paths: Vec<String>,
    /// The folder; it is made if it does not exist
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Replace files that exist with other content
    #[arg(long)]
    force: bool,
}

impl Extract {
    pub fn execute(self, out: &Output) -> Result<(), Failure> {
        if self.paths.iter().any(String::is_empty) {
            return Err(Failure::usage(
                "expected a path on the disc, found an empty text; / is all of the disc",
            ));
        }
        let mut drive = open(&self.image)?;
        let place = self.image.display();
        let all = listing::files(&mut drive).map_err(|error| Failure::of(&place, error))?;
        let mut files = Vec::new();
        if self.paths.is_empty() {
            files = all;
        } else {
            let mut taken = vec![false; all.len()];
            for path in &self.paths {
                let wanted = format!("/{}", path.trim_matches('/'));
                // The root is all there is.
                let below = format!("{}/", wanted.trim_end_matches('/'));
                let mut found = false;
                for (entry, taken) in all.iter().zip(&mut taken) {
                    let named = entry.path == wanted || extract::without_dot(&entry.path) == wanted;
                    if named || entry.path.starts_with(&below) {
                        found = true;
                        if !std::mem::replace(taken, true) {
                            files.push(entry.clone());
                        }
                    }
                }
                if !found {
                    return Err(Failure::of(
                        &place,
                        format_args!("NotFound: {wanted} is not on the disc"),
                    ));
                }
            }
        }
        let bar = Progress::new("extracting", "{percent}%");
        let result = extract::extract(
            &mut drive,
            &files,
            &self.output,
            self.force,
            &mut |done, total| bar.set(done, total),
        );
        drop(bar);
        let extracted = result.map_err(|error| match error {
            // These name a path of the disc; the others that of a file here.
            extract::Error::BadName { .. }
            | extract::Error::InPieces { .. }
            | extract::Error::SameName { .. }
            | extract::Error::SizeLimit { .. }
            | extract::Error::Drive { .. } => Failure::of(&place, error),
            error @ extract::Error::Input { .. } => Failure::usage(error.to_string()),
            error => Failure::new(error.to_string()),
        })?;
        for it in &extracted {
            let form = if it.raw { ", raw sectors" } else { "" };
            out.say(format_args!(
                "wrote {}: {}{form}",
                it.file.display(),
                count(it.bytes as usize, "byte")
            ))?;
        }
        let files: Vec<_> = extracted
            .iter()
            .map(|it| {
                json!({
                    "path": it.path,
                    "file": it.file.display().to_string(),
                    "bytes": it.bytes,
                    "raw": it.raw,
                })
            })
            .collect();
        out.document(&json!({ "files": files }))
    }
}
