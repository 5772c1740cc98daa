//! `overworld stager ...`

use std::path::PathBuf;

use clap::{Args, Subcommand};
use overworld_host::fault::Fault;
use overworld_host::identify::count;
use overworld_host::sources::Kind;
use overworld_runtime::field::stager;
use serde_json::json;

use super::files::Input;
use super::sources::{Build, Dump};
use super::{Failure, Output};

#[derive(Subcommand)]
pub enum Stager {
    /// List the records of a scene's stager table
    Info(Info),
    /// Write a table as JSON, which `stager build` reads
    Dump(Dump),
    /// Make a table from JSON
    Build(Build),
}

#[derive(Args)]
pub struct Info {
    /// A stager table
    file: PathBuf,
}

impl Stager {
    pub fn execute(self, out: &Output) -> Result<(), Failure> {
        match self {
            Self::Info(info) => info.execute(out),
            Self::Dump(dump) => dump.execute(Kind::Stager, out),
            Self::Build(build) => build.execute(Kind::Stager, out),
        }
    }
}

impl Info {
    fn execute(self, out: &Output) -> Result<(), Failure> {
        let input = Input::part(&self.file)?;
        let table = stager::Stager::parse(&input.data)
            .map_err(|error| input.failure(Fault::new(&error, None)))?;
        let resident = input.data.len().min(stager::RESIDENT);
        out.say(format_args!(
            "{}, {}, of which the game keeps {resident}",
            count(table.len().into(), "record"),
            count(input.data.len(), "byte")
        ))?;
        let mut start = 2 + 2 * usize::from(table.len());
        let mut rows = Vec::new();
        for (number, it) in table.records().enumerate() {
            let model = it
                .model()
                .map_or_else(|| "no model".to_owned(), |model| format!("model {model}"));
            out.say(format_args!(
                "record {number:3} at {start:#06x}: {model}, flags {:04X}, {}",
                it.flags(),
                count(it.words().count(), "word")
            ))?;
            rows.push(json!({
                "start": start,
                "model": it.model(),
                "flags": it.flags(),
                "words": it.words().collect::<Vec<_>>(),
            }));
            start += it.bytes.len();
        }
        out.document(&json!({
            "bytes": input.data.len(),
            "resident": resident,
            "records": rows,
        }))
    }
}
