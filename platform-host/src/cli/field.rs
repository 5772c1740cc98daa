//! `overworld field ...`

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use overworld_host::fault;
use overworld_host::scenario::{Frame, Scenario};
use overworld_runtime::fixed::Angle;
use serde_json::{Value, json};

use super::files::{Input, is_stream};
use super::{Elements, Failure, Output, complain};

/// Keys that mean nothing of which each is told.
const MOST_KEYS: usize = 20;

#[derive(Subcommand)]
pub enum Field {
    /// Play a pad log on a map, and list where the player is after each frame
    ///
    /// One frame is one call of the controller with the scenario's scalar, then the vertical controller. A
    /// scenario is a JSON file; docs/tool.md lists its keys.
    Run(Run),
}

#[derive(Args)]
pub struct Run {
    /// A JSON file; its map lies beside it
    #[arg(value_name = "SCENARIO.json")]
    scenario: PathBuf,
}

impl Field {
    pub fn execute(self, out: &Output) -> Result<(), Failure> {
        let Self::Run(Run { scenario: path }) = self;
        let input = Input::read(&path)?;
        let scenario = Scenario::parse(&input.data).map_err(|error| input.no_json(error))?;
        let unknown = scenario.unknown();
        for key in unknown.iter().take(MOST_KEYS) {
            complain(format_args!(
                "{}: the key {key} is not known, and passed over",
                input.name
            ));
        }
        if unknown.len() > MOST_KEYS {
            complain(format_args!(
                "{}: {} more keys are not known, and passed over",
                input.name,
                unknown.len() - MOST_KEYS
            ));
        }
        let idle = scenario.idle_buttons();
        if idle != 0 {
            complain(format_args!(
                "{}: \"pads\" hold buttons that do nothing here, 0x{idle:04X} in all: whether the player runs the key \
                 \"run\" says, and nobody answers to confirm",
                input.name
            ));
        }
        let map = match scenario.map() {
            Some(name) => Some(Input::read(&beside(&path, name)).map_err(|mut failure| {
                failure.text = format!("{}: \"map\": {}", input.name, failure.text);
                failure
            })?),
            None => None,
        };
        let mut frames = Vec::new();
        let data = map.as_ref().map(|map| &map.data[..]);
        let played = scenario.play(data, |frame| frames.push(Row::of(frame)));
        if let (Err(error), Some(map)) = (played, &map) {
            return Err(map.failure(fault::map(&error)));
        }
        if out.json {
            let mut frames = frames.iter().map(Row::document);
            return out.arrays(&json!({}), [("frames", &mut frames as Elements<'_>)]);
        }
        out.say("frame      x      y      z  heading  mask  bits")?;
        for (number, row) in frames.iter().enumerate() {
            out.say(format_args!(
                "{number:5} {:6} {:6} {:6}     {:04X}  {:04X}  {:4}",
                row.x, row.y, row.z, row.heading, row.mask, row.bits
            ))?;
        }
        Ok(())
    }
}

/// What is told of a frame; there may be a million of them.
struct Row {
    x: i16,
    y: i16,
    z: i16,
    heading: Angle,
    mask: u16,
    bits: u8,
}

impl Row {
    fn of(frame: &Frame) -> Self {
        let it = &frame.player;
        Self {
            x: it.x,
            y: it.y,
            z: it.z,
            heading: it.heading(),
            mask: frame.mask,
            bits: frame.events.bits,
        }
    }

    fn document(&self) -> Value {
        json!({
            "x": self.x,
            "y": self.y,
            "z": self.z,
            "heading": self.heading,
            "mask": self.mask,
            "bits": self.bits,
        })
    }
}

/// A file that a document names: beside the document, and never standard input.
pub(super) fn beside(document: &Path, name: &str) -> PathBuf {
    let path = match document.parent() {
        Some(folder) if !is_stream(document) => folder.join(name),
        _ => PathBuf::from(name),
    };
    if is_stream(&path) {
        Path::new(".").join(path)
    } else {
        path
    }
}
