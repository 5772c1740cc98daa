//! `overworld run`

mod discs;
mod keys;
mod length;
mod outputs;
mod scenes;
mod show;

use std::cell::Cell;
use std::io::IsTerminal as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, ValueEnum};
use overworld_host::drive::ImageDrive;
use overworld_host::identify::count;
use overworld_host::pads::Pads;
use overworld_host::play;
use overworld_host::{output, sample, signals};
use overworld_runtime::field::precise;
use overworld_runtime::scene::{Asset, LoadError};
use serde_json::{Value, json};

use super::terminal::is_colourful;
use super::{Failure, Output, complain, number};
use discs::{other_way, sample_drive, world_drive};
use keys::Keys;
use length::{Hands, Length};
use scenes::{known_scenes, only_scene};
use show::{Kept, Show};

/// The frame that is kept when there is no terminal: the model faces the viewer.
const KEPT: u32 = 40;

/// Where the kept picture goes when there is no terminal to show it.
const PICTURE: &str = "overworld.png";

#[derive(Args, Default)]
pub struct Run {
    /// A disc image (.cue, .bin or .iso), or a world's folder, whose disc is built in memory; the sample
    /// world when absent
    world: Option<PathBuf>,
    /// Play the sample town, which is walked about in, instead of the sample world
    #[arg(long, conflicts_with = "world")]
    town: bool,
    /// Play the sample creatures, an owl of one game's format and a toad of another's
    #[arg(long, conflicts_with_all = ["world", "town"])]
    creatures: bool,
    /// Stop after this many frames; when absent, 600 on a terminal, where somebody walks only when they press q, and
    /// 120 elsewhere
    #[arg(long, value_name = "N", value_parser = frames)]
    frames: Option<u32>,
    /// Play what a file says is held on the pad, and stop at its end: {"pads": [["0x1000", 30], ["confirm", 2]]}
    #[arg(long, value_name = "FILE")]
    replay: Option<PathBuf>,
    /// Write what was held on the pad, for --replay
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Write every frame as a PNG file into this folder
    #[arg(long, value_name = "DIR")]
    png: Option<PathBuf>,
    /// Write every third frame into an animated GIF, which plays 60 frames a second
    #[arg(long, value_name = "FILE")]
    gif: Option<PathBuf>,
    /// Write a line a frame: number, state hash, CRC-32 of the picture ("-": standard output)
    #[arg(long, value_name = "FILE")]
    hashes: Option<PathBuf>,
    /// The scene to play, a name of CDNAME.TXT; may be left out if there is only one
    #[arg(long, value_name = "NAME")]
    scene: Option<String>,
    /// Where one walks: not in eight directions but the way that the camera really looks, which the game does not have
    #[arg(long)]
    precise: bool,
    /// Where one walks: the camera's distance from the player
    #[arg(long, value_name = "DISTANCE", value_enum, default_value_t)]
    camera: Distance,
    /// Replace files of hashes, pictures, GIFs or pads that exist with other content
    #[arg(long)]
    force: bool,
}

/// How far the camera stands off.
#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Distance {
    /// As the game has it
    #[default]
    Retail,
    /// 27/20 of that
    Far,
    /// 9/5 of it
    Farther,
}

fn frames(text: &str) -> Result<u32, String> {
    match number::<u32>(text)? {
        0 => Err("expected at least 1 frame".to_owned()),
        frames => Ok(frames),
    }
}

impl Run {
    pub fn execute(self, out: &Output) -> Result<(), Failure> {
        // A signal ends the show; what was played so far decides how.
        let guard = signals::Guard::new();
        let result = self.play(out);
        match result {
            Err(failure) if signals::came() => {
                complain(&failure.text);
                // Ends the program as the signal does.
                drop(guard);
                Err(failure)
            }
            result => {
                // Everything that was asked for is done.
                let _ = signals::take();
                result
            }
        }
    }

    fn play(self, out: &Output) -> Result<(), Failure> {
        let to_stdout = self.hashes.as_deref() == Some(Path::new("-"));
        if to_stdout && out.json {
            return Err(Failure::usage(
                "--json and --hashes - both want standard output",
            ));
        }
        if self.gif.as_deref() == Some(Path::new("-")) {
            return Err(Failure::usage("--gif wants a file, not standard output"));
        }
        if let Some(path) = &self.record {
            length::check_record(path, self.force)?;
        }
        let log = self.replay.as_deref().map(length::log).transpose()?;
        let (mut drive, mut inputs, place) = match &self.world {
            Some(path) => {
                let (drive, inputs) = if path.is_dir() {
                    world_drive(path)?
                } else {
                    let drive = ImageDrive::open(path);
                    let drive = drive
                        .map_err(|error| Failure::new(format!("{error}{}", other_way(path))))?;
                    let inputs = drive.files().to_vec();
                    (drive, inputs)
                };
                (drive, inputs, path.display().to_string())
            }
            None => {
                let (place, image) = if self.town {
                    ("sample town", sample::town_image(None))
                } else if self.creatures {
                    ("sample creatures", sample::creatures_image(None))
                } else {
                    let image = sample::image(None).map_err(|error| error.to_string());
                    ("sample disc", image)
                };
                (sample_drive(place, image)?, Vec::new(), place.to_owned())
            }
        };
        let scene = match &self.scene {
            Some(name) => name.clone(),
            None => only_scene(&mut drive, &place)?,
        };
        inputs.extend(
            self.replay
                .clone()
                .filter(|it| !super::files::is_stream(it)),
        );
        // Pictures alone are made as fast as they can be, but by somebody who walks.
        let by_keys = std::io::stdin().is_terminal() && log.is_none();
        let watched = is_colourful() && !out.json && !to_stdout && (!self.draws() || by_keys);
        let length = Length::new(&self, log.as_ref(), watched, watched && by_keys);
        // Machines that want a picture ask for one with --png.
        let keep = !out.json && !watched;
        self.check_outputs(&inputs, length.most(), keep)?;
        let keys = watched && std::io::stdin().is_terminal();
        let mut show = Show::new(&self, watched, keys, to_stdout, length)?;
        show.keep = keep;
        let (mut assets, mut creature, mut walked) = (Vec::new(), None, true);
        let mut failure = None;
        let began = Instant::now();
        let keys = if watched { Keys::watch() } else { Keys::none() };
        let mut hands = Hands::new(keys, log.as_ref(), self.record.is_some());
        let ended = Cell::new(false);
        let played = play::play_with(
            &mut drive,
            &scene,
            self.options(),
            |frame| {
                let held = hands.held(frame);
                ended.set(hands.keys.ended());
                held
            },
            |found| {
                (assets, creature) = (found.assets.to_vec(), found.creature);
                walked = found.walked;
            },
            |frame| match show.frame(&frame, ended.get()) {
                Ok(flow) => flow,
                Err(error) => {
                    failure = Some(error);
                    ControlFlow::Break(())
                }
            },
        );
        let seconds = began.elapsed().as_secs_f64();
        // A walk cannot be repeated by hand: it is kept however the show ended.
        let held = hands.record();
        let recorded = signals::despite(|| self.keep_record(held.as_ref()));
        if let (Some(mut failure), Ok(_)) = (failure, &played) {
            drop(show);
            let known = match (&self.record, &recorded) {
                (Some(path), Ok(())) => format!("; what was held is in {}", path.display()),
                (_, Err(other)) => format!("; {}", other.text),
                (None, Ok(())) => String::new(),
            };
            failure.text.push_str(&known);
            return Err(failure);
        }
        let (frames, hash) = played.map_err(|error| match error {
            play::Error::Load(LoadError::NoSuchScene { .. }) => {
                let known = known_scenes(&mut drive);
                Failure::of(&place, format_args!("{error}{known}"))
            }
            error => Failure::of(&place, error),
        })?;
        let written = show.finish();
        recorded?;
        if let (false, Some(options)) = (walked, self.walking()) {
            complain(format!("{place}: {options} nothing where nobody walks"));
        }
        if let (false, Some(pads)) = (walked, self.pads()) {
            complain(format!("{place}: {pads}, since nobody walks"));
        }
        // The results first: they are worth having even if no file can be written here. Lines of
        // hashes on standard output stand alone.
        if !to_stdout {
            for asset in &assets {
                out.say(asset)?;
            }
            if let Some(creature) = &creature {
                out.say(creature)?;
            }
            let rate = f64::from(frames) / seconds.max(1e-9);
            out.say(format_args!(
                "{} in {seconds:.2} s, {rate:.1} frames per second, state hash {hash:08X}",
                count(frames as usize, "frame")
            ))?;
            match &written {
                Ok(Kept::Written(KEPT)) => {
                    out.say(format_args!("a picture is in {PICTURE}: frame {KEPT}"))?;
                }
                Ok(Kept::Written(number)) => out.say(format_args!(
                    "a picture is in {PICTURE}: frame {number}, the last, since frame {KEPT} was not \
                     played"
                ))?,
                Ok(Kept::LeftAlone) => out.say(format_args!(
                    "{PICTURE} exists with other content and is left alone; --force replaces it"
                ))?,
                Ok(Kept::Nothing) | Err(_) => {}
            }
            if written.is_ok() {
                self.say_files(frames, out)?;
            }
        }
        out.document(&json!({
            "world": place,
            "scene": scene,
            "assets": assets.iter().map(asset).collect::<Vec<_>>(),
            "creature": creature.map(|it| json!({
                "bones": it.bones,
                "animations": it.animations,
                "size": it.size,
                "crc": format!("{:08X}", it.crc32),
            })),
            "frames": frames,
            "seconds": seconds,
            "hash": format!("{hash:08X}"),
            "picture": Value::Null,
        }))?;
        written.map(|_| ())
    }
}

impl Run {
    /// Whether pictures are asked for.
    const fn draws(&self) -> bool {
        self.png.is_some() || self.gif.is_some()
    }

    /// Write what was held, if that was asked for.
    fn keep_record(&self, held: Option<&Pads>) -> Result<(), Failure> {
        let (Some(path), Some(held)) = (&self.record, held) else {
            return Ok(());
        };
        let written = output::replace(path, held.file().as_bytes());
        written.map_err(|error| Failure::of(path.display(), error))
    }

    /// What is not the game's.
    fn options(&self) -> play::Options {
        play::Options {
            precise: self.precise,
            distance: match self.camera {
                Distance::Retail => precise::Distance::Retail,
                Distance::Far => precise::Distance::Far,
                Distance::Farther => precise::Distance::Farther,
            },
        }
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
