//! `overworld identify`

use std::path::PathBuf;

use clap::Args;
use overworld_host::{identify, text};
use serde_json::json;

use super::{Failure, Output, complain, files};

#[derive(Args)]
pub struct Identify {
    /// Files to look at
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

impl Identify {
    pub fn execute(self, out: &Output) -> Result<(), Failure> {
        files::check_streams(&self.files)?;
        let mut rows = Vec::new();
        let mut failed = Vec::new();
        for path in &self.files {
            match identify::file(path) {
                Ok(verdict) => rows.push((path.display().to_string(), verdict)),
                Err(error) => {
                    failed.push(json!({
                        "file": path.display().to_string(), "error": error.to_string(),
                    }));
                    complain(format_args!("{}: {error}", super::files::name(path)));
                }
            }
        }
        // As they will be printed, so that the columns stand below each other.
        let shown = |name| text::printable(name).into_owned();
        let width = rows
            .iter()
            .map(|(name, _)| shown(name).chars().count())
            .max();
        let width = width.unwrap_or(0);
        for (name, verdict) in &rows {
            let name = shown(name);
            out.say(format_args!(
                "{name:width$}  {:7}  {}",
                verdict.kind, verdict.evidence
            ))?;
        }
        let files: Vec<_> = rows
            .iter()
            .map(|(name, verdict)| {
                json!({
                    "file": name,
                    "kind": verdict.kind.name(),
                    "evidence": verdict.evidence,
                })
            })
            .collect();
        let mut document = json!({ "files": files });
        if !failed.is_empty() {
            document["unread"] = json!(failed);
        }
        out.document(&document)?;
        if !failed.is_empty() {
            return Err(Failure::new(super::files::unread(
                failed.len(),
                self.files.len(),
            )));
        }
        Ok(())
    }
}
