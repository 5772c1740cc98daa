//! `overworld field ...`

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use overworld_host::fault;
use overworld_host::scenario::{Frame, Scenario};
use serde_json::{Value, json};

use super::files::{Input, is_stream};
use super::{Failure, Output, complain};

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
        let scenario = Scenario::parse(&input.data).map_err(|error| input.failure(error))?;
        for key in scenario.unknown() {
            complain(format_args!(
                "{}: the key {key} is not known, and passed over",
                input.name
            ));
        }
        let map = match scenario.map() {
            Some(name) => Some(Input::read(&beside(&path, name))?),
            None => None,
        };
        let mut frames = Vec::new();
        let data = map.as_ref().map(|map| &map.data[..]);
        let played = scenario.play(data, |frame| frames.push(*frame));
        if let (Err(error), Some(map)) = (played, &map) {
            return Err(map.failure(fault::map(&error)));
        }
        if out.json {
            let frames: Vec<_> = frames.iter().map(document).collect();
            return out.document(&json!({ "frames": frames }));
        }
        out.say("frame      x      y      z  heading  mask")?;
        for (number, Frame { player, mask, .. }) in frames.iter().enumerate() {
            out.say(format_args!(
                "{number:5} {:6} {:6} {:6}     {:04X}  {mask:04X}",
                player.x,
                player.y,
                player.z,
                player.heading()
            ))?;
        }
        Ok(())
    }
}

fn document(frame: &Frame) -> Value {
    let it = &frame.player;
    json!({
        "x": it.x,
        "y": it.y,
        "z": it.z,
        "heading": it.heading(),
        "mask": frame.mask,
        "bits": frame.events.bits,
    })
}

/// A file that a scenario names: beside the scenario.
fn beside(scenario: &Path, name: &str) -> PathBuf {
    match scenario.parent() {
        Some(folder) if !is_stream(scenario) => folder.join(name),
        _ => PathBuf::from(name),
    }
}
