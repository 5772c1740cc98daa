//! `overworld gte ...`

use std::path::PathBuf;

use clap::{Args, Subcommand};
use overworld_host::{gte_check, identify::count};
use serde_json::json;

use super::files::{self, Input};
use super::{Failure, Output, complain};

#[derive(Subcommand)]
pub enum Gte {
    /// Run the cases of files and compare every register
    ///
    /// The first four bytes tell the layout: HWG1 (recorded on a console), GEV1 (computed), GER1
    /// (register transfers), GED1 (quotients). A file that is none of these is told, and the others are
    /// checked all the same.
    Check(Check),
}

#[derive(Args)]
pub struct Check {
    /// Files of cases
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

impl Gte {
    pub fn execute(self, out: &Output) -> Result<(), Failure> {
        let Self::Check(Check { files }) = self;
        files::check_streams(&files)?;
        let mut rows = Vec::new();
        let mut differ = 0;
        let mut unread = Vec::new();
        for path in &files {
            let checked = Input::read(path).and_then(|input| match gte_check::check(&input.data) {
                Ok(outcome) => Ok((input, outcome)),
                Err(error) => Err(input.failure(error)),
            });
            let (input, outcome) = match checked {
                Ok(checked) => checked,
                Err(failure) => {
                    unread.push(json!({
                        "file": path.display().to_string(), "error": failure.text,
                    }));
                    complain(failure.text);
                    continue;
                }
            };
            for example in &outcome.examples {
                complain(format_args!("{}: {example}", input.name));
            }
            differ += outcome.differ;
            out.say(format_args!(
                "{}: {}, {}",
                input.name,
                count(outcome.cases as usize, "case"),
                differing(outcome.differ)
            ))?;
            rows.push(json!({
                "file": if files::is_stream(path) { "-".to_owned() } else { input.name },
                "cases": outcome.cases,
                "differ": outcome.differ,
            }));
        }
        let mut document = json!({ "files": rows });
        if !unread.is_empty() {
            document["unread"] = json!(unread);
        }
        out.document(&document)?;
        let mut failures = Vec::new();
        if differ > 0 {
            failures.push(format!(
                "{} {}",
                count(differ as usize, "case"),
                if differ == 1 { "differs" } else { "differ" }
            ));
        }
        if !unread.is_empty() {
            failures.push(files::unread(unread.len(), files.len()));
        }
        if failures.is_empty() {
            return Ok(());
        }
        Err(Failure::new(failures.join("; ")))
    }
}

fn differing(number: u32) -> String {
    match number {
        1 => "1 differs".to_owned(),
        more => format!("{more} differ"),
    }
}
