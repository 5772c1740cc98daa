//! `overworld gte ...`

use std::path::PathBuf;

use clap::{Args, Subcommand};
use overworld_host::gte_check;
use serde_json::json;

use super::files::{self, Input};
use super::{Failure, Output, complain};

#[derive(Subcommand)]
pub enum Gte {
    /// Run the cases of files and compare every register
    ///
    /// The first four bytes tell the layout: HWG1 (recorded on a console), GEV1 (computed), GER1
    /// (register transfers), GED1 (quotients).
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
        let mut rows = Vec::new();
        let mut differ = 0;
        for path in &files {
            let input = Input::read(path)?;
            let outcome = gte_check::check(&input.data).map_err(|error| input.failure(error))?;
            for example in &outcome.examples {
                complain(format_args!("{}: {example}", input.name));
            }
            differ += outcome.differ;
            out.say(format_args!(
                "{}: {} cases, {} differ",
                input.name, outcome.cases, outcome.differ
            ))?;
            rows.push(json!({
                "file": if files::is_stream(path) { "-".to_owned() } else { input.name },
                "cases": outcome.cases,
                "differ": outcome.differ,
            }));
        }
        out.document(&json!({ "files": rows }))?;
        if differ > 0 {
            return Err(Failure::new(format!("{differ} cases differ")));
        }
        Ok(())
    }
}
