//! `overworld vm ...` and `overworld motion ...`

use std::path::PathBuf;

use clap::{Args, Subcommand};
use overworld_host::script::{self, Report, Scenario, Seen};
use overworld_host::text::without_mark;
use overworld_runtime::script::dis::{Labels, Style, disassemble, lines};
use serde_json::{Value, json};

use super::field::beside;
use super::files::{Input, Out};
use super::{Elements, Failure, Output, bytes, complain, number};

#[derive(Subcommand)]
pub enum Vm {
    /// Write a script as text
    ///
    /// FILE is a whole record, header included. `vm asm` turns the text back into the same bytes.
    Disasm(Disasm),
    /// Turn the text of a script into bytes
    Asm(Asm),
    /// Run the steps of a scenario, or one slice of a script
    ///
    /// A scenario is JSON: steps or slices of a script, or frames of a conversation with what is held on the pad. Without
    /// one a script, as text or as the bytes of a record, is run from its first byte to where it waits.
    Run(Run),
}

#[derive(Subcommand)]
pub enum Motion {
    /// Run the ticks of a scenario
    Run(MotionRun),
}

#[derive(Args)]
pub struct Disasm {
    /// The record
    file: PathBuf,
    /// Where the first instruction stands; the bytes in front of it are the header
    #[arg(long, value_name = "N", default_value = "0", value_parser = number::<u16>)]
    pc0: u16,
    /// Show address and bytes of each line, as comments
    #[arg(long)]
    offsets: bool,
}

#[derive(Args)]
pub struct Asm {
    /// The text
    #[arg(value_name = "IN")]
    input: PathBuf,
    #[command(flatten)]
    output: Out,
    /// Write the bytes as hexadecimal digits, as a scenario's "code" has them
    #[arg(long)]
    hex: bool,
}

#[derive(Args)]
pub struct Run {
    /// A scenario in JSON, see docs/scripts.md, or a script
    scenario: PathBuf,
    /// Take the file for the bytes of a record, whatever it looks like
    #[arg(long)]
    record: bool,
}

#[derive(Args)]
pub struct MotionRun {
    /// A scenario in JSON, see docs/scripts.md
    scenario: PathBuf,
}

impl Vm {
    pub fn execute(self, out: &Output) -> Result<(), Failure> {
        match self {
            Self::Disasm(disasm) => disasm.execute(out),
            Self::Asm(asm) => asm.execute(out),
            Self::Run(Run {
                scenario: path,
                record,
            }) => {
                let input = if record {
                    Input::within(&path, script::RECORD as u64)?
                } else {
                    Input::read(&path)?
                };
                if input.data.is_empty() || !record && input.data.trim_ascii().is_empty() {
                    return Err(
                        input.failure("it is empty: expected a script, or a scenario in JSON")
                    );
                }
                if !record && script::is_printable_record(&input.data) {
                    complain(format_args!(
                        "{}: note: it is taken for the bytes of a record; a scenario in JSON begins with {{ and a key in \
                         quotes",
                        input.name
                    ));
                }
                let scenario = if record {
                    Scenario::of(input.data.clone())
                } else if script::is_scenario(&input.data) {
                    Scenario::read_with(&input.data, |name| {
                        let file = Input::part(&beside(&path, name));
                        file.map(|it| it.data).map_err(|failure| failure.text)
                    })
                    .map_err(|error| input.failure(error))?
                } else {
                    Scenario::of_script(&input.data).map_err(|error| input.failure(error))?
                };
                let result = script::run(&scenario).map_err(|error| input.failure(error))?;
                report(&result, out)
            }
        }
    }
}

impl Motion {
    pub fn execute(self, out: &Output) -> Result<(), Failure> {
        let Self::Run(MotionRun { scenario: path }) = self;
        let input = Input::read(&path)?;
        if input.data.trim_ascii().is_empty() {
            return Err(input.failure("it is empty: expected a scenario in JSON"));
        }
        if !script::is_scenario(&input.data) {
            return Err(input.failure(
                "expected a scenario, a JSON object such as {\"code\": \"37 41 82\", \"steps\": 100}; `vm asm --hex` \
                 writes the digits of a script",
            ));
        }
        let scenario = Scenario::read_with(&input.data, |name| {
            let file = Input::part(&beside(&path, name));
            file.map(|it| it.data).map_err(|failure| failure.text)
        });
        let scenario = scenario.map_err(|error| input.failure(error))?;
        if let Some(byte) = script::no_walk(&scenario) {
            complain(format_args!(
                "{}: {byte:02X} is no op of a walk, which is done with it at once; `vm run` plays field scripts",
                input.name
            ));
        }
        if let Some(fault) = script::cut_walk(&scenario) {
            complain(format_args!("{}: {fault}", input.name));
        }
        let result = script::motion(&scenario);
        report(&result.map_err(|error| input.failure(error))?, out)
    }
}

/// A table for people, the document for machines.
fn report(report: &Report<'_>, out: &Output) -> Result<(), Failure> {
    if out.json {
        let head = json!({ "final": report.end() });
        let mut slices = report.slices();
        let slices = slices.as_mut().map(|it| ("slices", it as Elements<'_>));
        let mut steps = report.steps();
        let steps = ("steps", &mut steps as Elements<'_>);
        let mut talk = report.talk().map(|it| it.iter().map(Seen::document));
        let talk = talk.as_mut().map(|it| ("talk", it as Elements<'_>));
        return out.arrays(&head, slices.into_iter().chain([steps]).chain(talk));
    }
    out.say("  pc  next  result             instruction")?;
    for step in report.steps() {
        let text = |key: &str| step[key].as_str().unwrap_or("").to_owned();
        let place = |key: &str| step[key].as_u64().unwrap_or(0);
        out.say(format_args!(
            "{:04X}  {:04X}  {:<18} {}",
            place("pc"),
            place("next"),
            text("result"),
            text("text")
        ))?;
    }
    if let Some(talk) = report.talk() {
        out.say("frame  conversation")?;
        for seen in talk {
            out.say(seen)?;
        }
    }
    if let Some(pc) = report.silent() {
        out.say(format_args!(
            "note: the script ended before it said anything; the conversation began at {pc:#x}, as \"pc\" tells, which \
             is 0 when it is absent"
        ))?;
    }
    if report.is_left_parked() {
        out.say(
            "note: the script is parked for a walk, a turn or an arc, which steps and slices do not carry on; frames with \
             \"talk\": \"itself\" carry on walks and turns",
        )?;
    }
    out.say(format_args!(
        "final pc: {:04X}",
        report.end()["pc"].as_u64().unwrap_or(0)
    ))?;
    report
        .changes()
        .iter()
        .try_for_each(|change| out.say(format_args!("final {change}")))
}

impl Disasm {
    fn execute(self, out: &Output) -> Result<(), Failure> {
        let input = Input::within(&self.file, script::RECORD as u64)?;
        let pc0 = usize::from(self.pc0);
        if pc0 > input.data.len() {
            let found = input.data.len();
            return Err(input.failure(format_args!(
                "the first instruction is to stand at {pc0:#x}, the file has {found:#x} bytes"
            )));
        }
        if script::is_digits(&input.data) {
            complain(format_args!(
                "{}: note: its bytes are hexadecimal digits, as `vm asm --hex` writes them; without --hex it writes a \
                 record",
                input.name
            ));
        }
        if out.json {
            let mut lines = lines(&input.data, pc0).map(|line| {
                json!({ "at": line.at, "bytes": script::hex(line.bytes), "text": line.to_string() })
            });
            return out.arrays(&json!({}), [("lines", &mut lines as Elements<'_>)]);
        }
        let mut text = String::new();
        let style = Style {
            offsets: self.offsets,
        };
        let mut labels = Box::new(Labels::none());
        disassemble(&input.data, pc0, style, &mut labels, &mut text)
            .map_err(|error| input.failure(error))?;
        bytes(text.as_bytes())
    }
}

impl Asm {
    fn execute(self, out: &Output) -> Result<(), Failure> {
        let target = self.output.target(&self.input, out)?;
        let input = Input::read(&self.input)?;
        let data = without_mark(&input.data);
        let source = std::str::from_utf8(data).map_err(|error| {
            let at = input.data.len() - data.len() + error.valid_up_to();
            input.failure(format_args!("offset {at:#x}: expected text in UTF-8"))
        })?;
        let (mut code, names) = script::assembled(source).map_err(|error| input.failure(error))?;
        let length = code.len();
        if self.hex {
            code = format!("{}\n", script::hex_pairs(&code)).into_bytes();
        }
        target.write(&code)?;
        target.say(out, format_args!("{length} bytes"))?;
        let labels = names.iter().filter(|it| it.is_label);
        let labels: serde_json::Map<String, Value> = labels
            .map(|it| (it.name.to_owned(), it.value.into()))
            .collect();
        out.document(&json!({ "bytes": length, "labels": labels }))
    }
}
