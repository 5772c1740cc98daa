//! `overworld run`

mod discs;
mod kept;
mod keys;
mod length;
mod outputs;
mod results;
mod scenes;
mod show;

use std::cell::Cell;
use std::io::IsTerminal as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, ValueEnum};
use overworld_host::pads::Pads;
use overworld_host::play;
use overworld_host::{output, signals, troubles};
use overworld_runtime::field::precise;
use overworld_runtime::scene::LoadError;

use super::terminal::is_colourful;
use super::{Failure, Output, complain, patient, within};
use keys::Keys;
use length::{Hands, Length};
use results::Played;
use scenes::{known_scenes, only_scene};
use show::Show;

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
    #[arg(long, value_name = "N", value_parser = within(1, u32::MAX))]
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

impl Run {
    pub fn execute(self, out: &Output) -> Result<(), Failure> {
        // A signal ends the show; what was played so far decides how.
        let guard = signals::Guard::new();
        let result = self.play(out);
        match result {
            // It hangs up, too: whichever of the two is seen first, it is one end.
            Err(failure) if patient::is_gone() => {
                let _ = signals::take();
                // For the rest of the program.
                std::mem::forget(guard);
                Err(failure)
            }
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
        let (mut drive, mut inputs, place) = self.disc()?;
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
        let (mut failure, mut trouble) = (None, None);
        // The most models that a picture has no room for, and the first such frame: its number from the end.
        let mut left_out = (0, 0);
        let began = Instant::now();
        let keys = match show.has_keys() {
            true => Keys::watch(),
            false => Keys::none(),
        };
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
            |frame| {
                trouble = frame.troubles.copied();
                left_out = left_out.max((frame.left_out, u32::MAX - frame.number));
                match show.frame(&frame, ended.get()) {
                    Ok(flow) => flow,
                    Err(error) => {
                        failure = Some(error);
                        ControlFlow::Break(())
                    }
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
        for note in trouble.as_ref().map(troubles::notes).unwrap_or_default() {
            complain(format!("{place}: note: {note}"));
        }
        let played = Played {
            place,
            scene,
            assets,
            creature,
            walked,
            left_out: (left_out.0, u32::MAX - left_out.1),
            log: log.map(|log| log.length()),
            frames,
            seconds,
            hash,
        };
        self.notes(&played);
        self.tell(&played, written.as_ref().ok(), out)?;
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
}
