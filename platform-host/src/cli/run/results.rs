//! What `overworld run` tells when all is played.

use std::path::Path;

use overworld_host::identify::count;
use overworld_runtime::scene::Asset;
use overworld_runtime::scene::creatures::Summary;
use serde_json::{Value, json};

use super::outputs;
use super::show::Kept;
use super::{Distance, KEPT, PICTURE, Run};
use crate::cli::{Failure, Output, complain, files};

/// What was played.
pub struct Played {
    /// What the disc is called.
    pub place: String,
    /// The scene.
    pub scene: String,
    /// The members of its bundle.
    pub assets: Vec<Asset>,
    /// The battle model beside it.
    pub creature: Option<Summary>,
    /// Whether it is walked about in.
    pub walked: bool,
    /// The most models that a picture had no room for, and the first such frame.
    pub left_out: (u32, u32),
    /// Frames of the log that was played again, if one was.
    pub log: Option<u64>,
    /// Frames that were played.
    pub frames: u32,
    /// How long that took.
    pub seconds: f64,
    /// The state behind it.
    pub hash: u32,
}

impl Run {
    /// What was asked for and did nothing.
    pub(super) fn notes(&self, played: &Played) {
        let place = &played.place;
        if let (false, Some(options)) = (played.walked, self.walking()) {
            complain(format!("{place}: {options} nothing where nobody walks"));
        }
        if let (false, Some(pads)) = (played.walked, self.pads()) {
            complain(format!("{place}: {pads}, since nobody walks"));
        }
        if let (models @ 1.., frame) = played.left_out {
            complain(format!(
                "{place}: note: {} left out of frame {frame}, whose list has no room: the farthest",
                count(models as usize, "model")
            ));
        }
        let behind = u64::from(played.frames).saturating_sub(played.log.unwrap_or(u64::MAX));
        if let (1.., true, Some(path)) = (behind, played.walked, &self.replay) {
            let log = played.log.unwrap_or_default() as usize;
            complain(format!(
                "{}: note: the log ends after {}; in the {behind} behind it nothing was held",
                files::name(path),
                count(log, "frame")
            ));
        }
    }

    /// The results; `kept` tells of the picture that nobody asked for, if all files could be written.
    pub(super) fn tell(
        &self,
        played: &Played,
        kept: Option<&Kept>,
        out: &Output,
    ) -> Result<(), Failure> {
        // The results first: they are worth having even if no file can be written here. Lines of
        // hashes on standard output stand alone.
        if self.hashes.as_deref() != Some(Path::new("-")) {
            self.tell_people(played, kept, out)?;
        }
        let mut document = json!({
            "world": played.place,
            "scene": played.scene,
            "assets": played.assets.iter().map(asset).collect::<Vec<_>>(),
            "creature": played.creature.map(|it| json!({
                "bones": it.bones,
                "animations": it.animations,
                "size": it.size,
                "crc": format!("{:08X}", it.crc32),
            })),
            "frames": played.frames,
            "seconds": played.seconds,
            "hash": format!("{:08X}", played.hash),
            "picture": Value::Null,
        });
        if let Some(log) = played.log {
            document["replayed"] = json!(log.min(played.frames.into()));
        }
        out.document(&document)
    }

    fn tell_people(
        &self,
        played: &Played,
        kept: Option<&Kept>,
        out: &Output,
    ) -> Result<(), Failure> {
        let Played {
            frames, seconds, ..
        } = *played;
        for asset in &played.assets {
            out.say(asset)?;
        }
        if let Some(creature) = &played.creature {
            out.say(creature)?;
        }
        let rate = f64::from(frames) / seconds.max(1e-9);
        out.say(format_args!(
            "{} in {seconds:.2} s, {rate:.1} frames per second, state hash {:08X}",
            count(frames as usize, "frame"),
            played.hash
        ))?;
        let Some(kept) = kept else { return Ok(()) };
        match kept {
            Kept::Written(KEPT) => {
                out.say(format_args!("a picture is in {PICTURE}: frame {KEPT}"))?;
            }
            Kept::Written(number) => out.say(format_args!(
                "a picture is in {PICTURE}: frame {number}, the last, since frame {KEPT} was not played"
            ))?,
            Kept::LeftAlone => out.say(format_args!(
                "{PICTURE} exists with other content and is left alone; --force replaces it"
            ))?,
            Kept::Nothing => {}
        }
        self.say_files(frames, out)
    }

    /// Those options that count where somebody walks, and a verb.
    fn walking(&self) -> Option<&'static str> {
        match (self.precise, self.camera != Distance::Retail) {
            (false, false) => None,
            (true, false) => Some("--precise changes"),
            (false, true) => Some("--camera changes"),
            (true, true) => Some("--precise and --camera change"),
        }
    }

    /// What is with the pad logs that were asked for, where nobody walks.
    fn pads(&self) -> Option<&'static str> {
        match (self.replay.is_some(), self.record.is_some()) {
            (false, false) => None,
            (true, false) => Some("--replay tells no more than how long is played"),
            (false, true) => Some("what --record writes changes nothing when it is played"),
            (true, true) => Some("--replay and --record tell no more than how long is played"),
        }
    }

    /// Where the files are that were asked for.
    fn say_files(&self, frames: u32, out: &Output) -> Result<(), Failure> {
        if let Some(folder) = &self.png {
            let pictures = count(frames as usize, "picture");
            out.say(format_args!("{pictures} in {}", folder.display()))?;
            let later = outputs::beyond(folder, frames);
            if later > 0 {
                out.say(format_args!(
                    "note: {} of later frames in there, which this run neither wrote nor removed",
                    count(later, "picture")
                ))?;
            }
        }
        for (what, file) in [
            ("a GIF", &self.gif),
            ("the hashes", &self.hashes),
            ("what was held", &self.record),
        ] {
            if let Some(file) = file {
                out.say(format_args!("{what} in {}", file.display()))?;
            }
        }
        Ok(())
    }
}

fn asset(asset: &Asset) -> Value {
    json!({
        "index": asset.index,
        "type": asset.ty.byte(),
        "size": asset.size,
        "crc": format!("{:08X}", asset.crc32),
    })
}
