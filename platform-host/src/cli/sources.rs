//! `dump` and `build` of a scene's files, which have one form for all of them.

use std::cell::RefCell;
use std::path::PathBuf;

use clap::Args;
use overworld_host::script;
use overworld_host::sources::{self, Kind, Scripts};
use serde_json::json;

use super::field::beside;
use super::files::{Input, Out};
use super::{Failure, Output, complain};

#[derive(Args)]
pub struct Dump {
    /// The file
    file: PathBuf,
    #[command(flatten)]
    output: Out,
}

#[derive(Args)]
pub struct Build {
    /// The document, in JSON (docs/sources.md)
    #[arg(value_name = "IN")]
    input: PathBuf,
    #[command(flatten)]
    output: Out,
}

impl Dump {
    pub fn execute(self, kind: Kind, out: &Output) -> Result<(), Failure> {
        self.execute_with(kind, Scripts::Digits, out)
    }

    /// With scripts in a form.
    pub fn execute_with(self, kind: Kind, scripts: Scripts, out: &Output) -> Result<(), Failure> {
        let target = self.output.text(&self.file, out)?;
        let input = Input::part(&self.file)?;
        let dumped =
            sources::dump_with(kind, &input.data, scripts).map_err(|it| input.failure(it))?;
        if let Some(at) = dumped.differs {
            complain(format_args!(
                "{}: note: what is built of the document differs from offset {at:#x} on: it has a gap or an \
                 order that only bytes can say",
                input.name
            ));
        }
        match target {
            None => super::bytes(dumped.text.as_bytes()),
            Some(target) => {
                target.write(dumped.text.as_bytes())?;
                target.say(out, &dumped.what)?;
                out.document(&json!({
                    "input": input.data.len(),
                    "output": dumped.text.len(),
                    "same": dumped.differs.is_none(),
                }))
            }
        }
    }
}

impl Build {
    pub fn execute(self, kind: Kind, out: &Output) -> Result<(), Failure> {
        let target = self.output.target(&self.input, out)?;
        let input = Input::read(&self.input)?;
        let named = RefCell::new(Vec::new());
        let file = |name: &str| {
            let path = beside(&self.input, name);
            let file = Input::part(&path);
            named.borrow_mut().push(path);
            file.map(|it| it.data).map_err(|failure| failure.text)
        };
        let built = sources::build_with(kind, &input.data, &file);
        let built = built.map_err(|it| input.no_json(it))?;
        target.spare(&named.take())?;
        target.write(&built.bytes)?;
        let size = built.bytes.len();
        target.say(out, format_args!("{} in {size} bytes", built.what))?;
        let notes = match kind {
            Kind::Man => {
                let mut notes = script::long_records(&built.bytes);
                notes.extend(script::wide_texts(&built.bytes));
                notes
            }
            Kind::Map | Kind::Stager => Vec::new(),
        };
        for note in notes.iter().filter(|_| !out.json) {
            complain(format_args!("{}: note: {note}", input.name));
        }
        let mut document = json!({ "input": input.data.len(), "output": size });
        if !notes.is_empty() {
            document["notes"] = json!(notes);
        }
        out.document(&document)
    }
}
