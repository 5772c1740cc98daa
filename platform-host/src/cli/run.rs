//! `overworld run`

mod discs;
mod keys;
mod outputs;
mod scenes;

use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use overworld_host::drive::ImageDrive;
use overworld_host::identify::count;
use overworld_host::movie::{self, Movie};
use overworld_host::play::{self, Frame, HEIGHT, WIDTH};
use overworld_host::{input, output, sample, signals};
use overworld_runtime::field::precise;
use overworld_runtime::scene::{Asset, LoadError};
use serde_json::{Value, json};

use super::terminal::{Stage, is_colourful};
use super::{Failure, Output, complain, number};
use discs::{other_way, sample_drive, world_drive};
use keys::Keys;
use outputs::picture;
use scenes::{known_scenes, only_scene};

/// Frames when nobody says how many: ten seconds on a terminal, two otherwise.
const TERMINAL_FRAMES: u32 = 600;
const FRAMES: u32 = 120;

/// The frame that is kept when there is no terminal: the model faces the viewer.
const KEPT: u32 = 40;

/// Where the kept picture goes when there is no terminal to show it.
const PICTURE: &str = "overworld.png";

/// The console's field rate (HAL sheet, section 5.1), in nanoseconds a frame.
const FRAME: Duration = Duration::from_nanos(1_000_000_000 * 1000 / 59_826);

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
    /// Stop after this many frames; 600 on a terminal and 120 elsewhere when absent
    #[arg(long, value_name = "N", value_parser = frames)]
    frames: Option<u32>,
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
    /// Replace files of hashes, pictures or GIFs that exist with other content
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
        let (mut drive, inputs, place) = match &self.world {
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
        let watched =
            is_colourful() && !out.json && !to_stdout && self.png.is_none() && self.gif.is_none();
        let frames = self
            .frames
            .unwrap_or(if watched { TERMINAL_FRAMES } else { FRAMES });
        // Machines that want a picture ask for one with --png.
        let keep = !out.json && !watched;
        self.check_outputs(&inputs, frames, keep)?;
        let mut show = Show::new(&self, watched, to_stdout, frames)?;
        show.keep = keep;
        let (mut assets, mut creature, mut walked) = (Vec::new(), None, true);
        let mut failure = None;
        let began = Instant::now();
        let mut keys = if watched { Keys::watch() } else { Keys::none() };
        let played = play::play_with(
            &mut drive,
            &scene,
            self.options(),
            |frame| keys.held(frame),
            |found| {
                (assets, creature) = (found.assets.to_vec(), found.creature);
                walked = found.walked;
            },
            |frame| match show.frame(&frame) {
                Ok(flow) => flow,
                Err(error) => {
                    failure = Some(error);
                    ControlFlow::Break(())
                }
            },
        );
        let seconds = began.elapsed().as_secs_f64();
        drop(keys);
        if let (Some(failure), Ok(_)) = (failure, &played) {
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
        if let (false, Some(options)) = (walked, self.walking()) {
            complain(format!("{place}: {options} nothing where nobody walks"));
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

    /// Where the files are that were asked for.
    fn say_files(&self, frames: u32, out: &Output) -> Result<(), Failure> {
        if let Some(folder) = &self.png {
            let pictures = count(frames as usize, "picture");
            out.say(format_args!("{pictures} in {}", folder.display()))?;
        }
        for (what, file) in [("a GIF", &self.gif), ("the hashes", &self.hashes)] {
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

/// What is done with the frames.
struct Show<'a> {
    run: &'a Run,
    /// The folder of pictures; one that was made for them goes again if none is written.
    _folder: Option<output::Folder>,
    frames: u32,
    stage: Option<Stage>,
    next: Instant,
    hashes: Option<Vec<u8>>,
    /// What the file of hashes holds already and must not lose.
    present: Option<Vec<u8>>,
    movie: Option<Movie>,
    /// As `present`, of the GIF.
    present_movie: Option<Vec<u8>>,
    to_stdout: bool,
    /// Whether a picture is kept where none of the others shows one.
    keep: bool,
    /// The picture that is written at the end, and its frame.
    kept: Option<(u32, overworld_host::gpu::Picture)>,
}

impl<'a> Show<'a> {
    fn new(run: &'a Run, watched: bool, to_stdout: bool, frames: u32) -> Result<Self, Failure> {
        let of = |path: &Option<PathBuf>| match path {
            Some(path) if !run.force => present(path),
            _ => Ok(None),
        };
        let present = if to_stdout { None } else { of(&run.hashes)? };
        let movie = match &run.gif {
            Some(path) => Some(
                Movie::new(WIDTH.into(), HEIGHT.into())
                    .map_err(|error| Failure::of(path.display(), error))?,
            ),
            None => None,
        };
        let present_movie = of(&run.gif)?;
        let folder = match &run.png {
            Some(folder) => Some(
                output::Folder::make(folder)
                    .map_err(|error| Failure::of(folder.display(), error))?,
            ),
            None => None,
        };
        Ok(Self {
            run,
            _folder: folder,
            frames,
            present,
            movie,
            present_movie,
            stage: if watched {
                Some(Stage::enter().map_err(|error| Failure::of("terminal", error))?)
            } else {
                None
            },
            next: Instant::now(),
            hashes: run.hashes.as_ref().map(|_| Vec::new()),
            to_stdout,
            keep: true,
            kept: None,
        })
    }

    fn frame(&mut self, frame: &Frame<'_>) -> Result<ControlFlow<()>, Failure> {
        // At a terminal a person stops the show; anywhere else the results would be cut short.
        let stopped = self.stage.is_some() && signals::take();
        if signals::came() {
            return Err(self.cut_short(frame.number));
        }
        let last = frame.number + 1 >= self.frames || stopped;
        if let Some(folder) = &self.run.png {
            let path = folder.join(picture(frame.number));
            let png = frame.gpu.displayed().png();
            let kept = png.and_then(|png| keep(&path, &png, self.run.force));
            if !kept.map_err(|error| Failure::of(path.display(), error))? {
                return Err(other_content(&path));
            }
        }
        if let (Some(path), Some(movie)) = (&self.run.gif, &mut self.movie)
            && frame.number.is_multiple_of(movie::STEP)
        {
            let before = movie.bytes().len();
            let added = movie.add(&frame.gpu.displayed());
            added.map_err(|error| Failure::of(path.display(), error))?;
            if !goes_on(&self.present_movie, movie.bytes(), before) {
                return Err(other_content(path));
            }
        }
        if let Some(hashes) = &mut self.hashes {
            let crc = frame.gpu.displayed().crc32();
            let text = format!("{} {:08X} {crc:08X}", frame.number, frame.hash);
            if self.to_stdout {
                super::line(text)?;
            } else {
                let before = hashes.len();
                // Writing to memory does not fail.
                let _ = writeln!(hashes, "{text}");
                // A file of something else is told at the first line that differs.
                if let Some(path) = &self.run.hashes
                    && !goes_on(&self.present, hashes, before)
                {
                    return Err(other_content(path));
                }
            }
        }
        if let Some(stage) = &self.stage {
            // A terminal takes every second picture; more would only queue up.
            if frame.number.is_multiple_of(2) || last {
                let (number, help) = (frame.number + 1, keys::help(frame.walked));
                let below = format!("frame {number} of {}, {help}", self.frames);
                stage
                    .show(&frame.gpu.displayed(), &below)
                    .map_err(|error| Failure::of("terminal", error))?;
            }
            self.next += FRAME;
            std::thread::sleep(self.next.saturating_duration_since(Instant::now()));
        } else if self.keep
            && (frame.number == KEPT || last && frame.number < KEPT)
            && self.run.png.is_none()
            && self.run.hashes.is_none()
            && self.run.gif.is_none()
        {
            self.kept = Some((frame.number, frame.gpu.displayed()));
        }
        // Hashes that nobody reads, and nothing else to make.
        let unread = self.to_stdout
            && super::is_closed()
            && self.run.png.is_none()
            && self.run.gif.is_none();
        Ok(if last || unread {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        })
    }

    /// Leave the terminal as it was, write what was collected.
    fn finish(self) -> Result<Kept, Failure> {
        drop(self.stage);
        if let (Some(path), Some(hashes), false) = (&self.run.hashes, &self.hashes, self.to_stdout)
        {
            match &self.present {
                Some(present) if present == hashes => {}
                Some(_) => return Err(other_content(path)),
                None => output::replace(path, hashes)
                    .map_err(|error| Failure::of(path.display(), error))?,
            }
        }
        if let (Some(path), Some(movie)) = (&self.run.gif, self.movie) {
            let gif = movie.finish();
            let kept = gif.and_then(|gif| keep(path, &gif, self.run.force));
            if !kept.map_err(|error| Failure::of(path.display(), error))? {
                return Err(other_content(path));
            }
        }
        let Some((number, picture)) = self.kept else {
            return Ok(Kept::Nothing);
        };
        let path = Path::new(PICTURE);
        let kept = picture
            .png()
            .and_then(|png| keep(path, &png, self.run.force));
        kept.map(|kept| match kept {
            true => Kept::Written(number),
            false => Kept::LeftAlone,
        })
        .map_err(|error| Failure::of(PICTURE, error))
    }

    /// Why a play that a signal ended has no results, and what there is all the same.
    fn cut_short(&self, frames: u32) -> Failure {
        let frames = count(frames as usize, "frame");
        let mut text = format!("stopped by a signal after {frames}");
        if let Some(folder) = &self.run.png {
            text.push_str(&format!("; their pictures are in {}", folder.display()));
        }
        text.push_str(match (&self.run.hashes, &self.run.png, &self.run.gif) {
            (Some(_), ..) if self.to_stdout => "; their hashes were printed",
            (Some(_), ..) => "; no hashes are written",
            (None, None, None) => "; no picture is written",
            _ => "",
        });
        if self.run.gif.is_some() {
            text.push_str("; no GIF is written");
        }
        Failure::new(text)
    }
}

/// Put `bytes` at `path`, unless it holds them already. `false` if it holds something else and
/// `force` is not set.
fn keep(path: &Path, bytes: &[u8], force: bool) -> std::io::Result<bool> {
    if !force {
        output::check_target(path)?;
        if !output::is_free_or_equal(path, bytes)? {
            return Ok(false);
        }
        if path.is_file() {
            return Ok(true);
        }
    }
    output::replace(path, bytes)?;
    Ok(true)
}

/// Whether what was written from `before` on is what a file that exists holds there.
fn goes_on(present: &Option<Vec<u8>>, written: &[u8], before: usize) -> bool {
    let Some(present) = present else { return true };
    present.get(before..written.len()) == written.get(before..)
}

/// The bytes of a file that exists and must not be lost.
fn present(path: &Path) -> Result<Option<Vec<u8>>, Failure> {
    let read = || {
        output::check_target(path)?;
        match input::read(path, input::FILE) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    };
    read().map_err(|error: std::io::Error| Failure::of(path.display(), error))
}

/// A file that exists and is not what would be written.
fn other_content(path: &Path) -> Failure {
    Failure::of(
        path.display(),
        "exists with other content; --force replaces it",
    )
}

/// What became of the picture that nobody asked for.
enum Kept {
    /// There is none.
    Nothing,
    /// That of this frame is in [`PICTURE`].
    Written(u32),
    /// It is not, since something else is.
    LeftAlone,
}
