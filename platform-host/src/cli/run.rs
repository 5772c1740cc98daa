//! `overworld run`

use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use overworld_host::drive::ImageDrive;
use overworld_host::play::{self, Frame};
use overworld_host::{listing, output, sample, signals};
use overworld_runtime::scene::Asset;
use serde_json::{Value, json};

use super::terminal::{Stage, is_colourful};
use super::{Failure, Output, list, number};

/// Frames when nobody says how many: ten seconds on a terminal, two otherwise.
const TERMINAL_FRAMES: u32 = 600;
const FRAMES: u32 = 120;

/// The frame that is kept when there is no terminal: the model faces the viewer.
const KEPT: u32 = 40;

/// Where the kept picture goes when there is no terminal to show it.
const PICTURE: &str = "overworld.png";

/// Names that a message lists at the most.
const LISTED: usize = 20;

/// The console's field rate (HAL sheet, section 5.1), in nanoseconds a frame.
const FRAME: Duration = Duration::from_nanos(1_000_000_000 * 1000 / 59_826);

#[derive(Args, Default)]
pub struct Run {
    /// A disc image (.cue, .bin or .iso); without one the sample disc is built in memory
    world: Option<PathBuf>,
    /// Stop after this many frames
    #[arg(long, value_name = "N", value_parser = frames)]
    frames: Option<u32>,
    /// Write every frame as a PNG file into this folder
    #[arg(long, value_name = "DIR")]
    png: Option<PathBuf>,
    /// Write a line a frame: number, state hash, CRC-32 of the picture ("-": standard output)
    #[arg(long, value_name = "FILE")]
    hashes: Option<PathBuf>,
    /// The scene to play, a name of CDNAME.TXT; may be left out if there is only one
    #[arg(long, value_name = "NAME")]
    scene: Option<String>,
    /// Replace files of hashes or pictures that exist
    #[arg(long)]
    force: bool,
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
        let _guard = signals::Guard::new();
        let result = self.play(out);
        // The result says what became of it.
        let _ = signals::take();
        result
    }

    fn play(self, out: &Output) -> Result<(), Failure> {
        let to_stdout = self.hashes.as_deref() == Some(Path::new("-"));
        if to_stdout && out.json {
            return Err(Failure::usage(
                "--json and --hashes - both want standard output",
            ));
        }
        if let (Some(path), false, false) = (&self.hashes, to_stdout, self.force)
            && path.symlink_metadata().is_ok()
        {
            return Err(Failure::of(path.display(), "exists; --force replaces it"));
        }
        let (mut drive, place) = match &self.world {
            Some(path) => {
                let drive =
                    ImageDrive::open(path).map_err(|error| Failure::new(error.to_string()))?;
                (drive, path.display().to_string())
            }
            None => (sample_drive()?, "sample disc".to_owned()),
        };
        let scene = match &self.scene {
            Some(name) => name.clone(),
            None => only_scene(&mut drive, &place)?,
        };
        let watched = is_colourful() && !out.json && !to_stdout && self.png.is_none();
        let frames = self
            .frames
            .unwrap_or(if watched { TERMINAL_FRAMES } else { FRAMES });
        let mut show = Show::new(&self, watched, to_stdout, frames)?;
        // Machines that want a picture ask for one with --png.
        show.keep = !out.json;
        let mut assets = Vec::new();
        let mut failure = None;
        let began = Instant::now();
        let played = play::play(
            &mut drive,
            &scene,
            |found| assets = found.to_vec(),
            |frame| match show.frame(&frame) {
                Ok(flow) => flow,
                Err(error) => {
                    failure = Some(error);
                    ControlFlow::Break(())
                }
            },
        );
        let seconds = began.elapsed().as_secs_f64();
        if let (Some(failure), Ok(_)) = (failure, &played) {
            return Err(failure);
        }
        let (count, hash) = played.map_err(|error| Failure::of(&place, error))?;
        let written = show.finish();
        // The results first: they are worth having even if no file can be written here. Lines of
        // hashes on standard output stand alone.
        if !to_stdout {
            for asset in &assets {
                out.say(asset)?;
            }
            let rate = f64::from(count) / seconds.max(1e-9);
            out.say(format_args!(
                "{count} frames in {seconds:.2} s, {rate:.1} frames per second, state hash {hash:08X}"
            ))?;
            match &written {
                Ok(Kept::Written) => out.say(format_args!("a picture is in {PICTURE}"))?,
                Ok(Kept::LeftAlone) => out.say(format_args!(
                    "{PICTURE} exists with other content and is left alone; --force replaces it"
                ))?,
                Ok(Kept::Nothing) | Err(_) => {}
            }
        }
        out.document(&json!({
            "world": place,
            "scene": scene,
            "assets": assets.iter().map(asset).collect::<Vec<_>>(),
            "frames": count,
            "seconds": seconds,
            "hash": format!("{hash:08X}"),
            "picture": Value::Null,
        }))?;
        written.map(|_| ())
    }
}

/// The scene of a disc that has one.
fn only_scene(drive: &mut ImageDrive, place: &str) -> Result<String, Failure> {
    // What keeps the names from being read keeps the scene from being loaded, which tells more.
    let mut names: Vec<String> = match listing::names(drive) {
        Ok(names) if !names.is_empty() => names.into_iter().map(|(name, _)| name).collect(),
        _ => return Ok(sample::SCENE.to_owned()),
    };
    names.dedup();
    match names.as_slice() {
        [only] => Ok(only.clone()),
        _ => {
            let more = names.len().saturating_sub(LISTED);
            let mut text = list(names.iter().take(LISTED)).replace(',', ", ");
            if more > 0 {
                text.push_str(&format!(" and {more} more (see disc info)"));
            }
            Err(Failure::usage(format!(
                "{place}: has several scenes, name one with --scene: {text}"
            )))
        }
    }
}

fn sample_drive() -> Result<ImageDrive, Failure> {
    let image = sample::image(None).map_err(|error| Failure::of("sample disc", error))?;
    ImageDrive::from_bytes(image).ok_or_else(|| {
        Failure::new("sample disc: NotRawImage: it was built without sectors".to_owned())
    })
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
    to_stdout: bool,
    /// Whether a picture is kept where none of the others shows one.
    keep: bool,
    /// The picture that is written at the end.
    kept: Option<overworld_host::gpu::Picture>,
}

impl<'a> Show<'a> {
    fn new(run: &'a Run, watched: bool, to_stdout: bool, frames: u32) -> Result<Self, Failure> {
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
        let stopped = signals::take();
        // At a terminal a person stops the show; anywhere else the results would be cut short.
        if stopped && self.stage.is_none() {
            return Err(Failure::new(format!(
                "stopped by a signal after {} frames; no hashes or last picture are written",
                frame.number
            )));
        }
        let last = frame.number + 1 >= self.frames || stopped;
        if let Some(folder) = &self.run.png {
            let path = folder.join(format!("frame{:05}.png", frame.number));
            if !self.run.force && path.symlink_metadata().is_ok() {
                return Err(Failure::of(path.display(), "exists; --force replaces it"));
            }
            let saved = frame.gpu.displayed().save(&path);
            saved.map_err(|error| Failure::of(path.display(), error))?;
        }
        if let Some(hashes) = &mut self.hashes {
            let crc = frame.gpu.displayed().crc32();
            let text = format!("{} {:08X} {crc:08X}", frame.number, frame.hash);
            if self.to_stdout {
                super::line(text)?;
            } else {
                // Writing to memory does not fail.
                let _ = writeln!(hashes, "{text}");
            }
        }
        if let Some(stage) = &self.stage {
            // A terminal takes every second picture; more would only queue up.
            if frame.number.is_multiple_of(2) || last {
                let below = format!("frame {} of {}, Ctrl-C ends", frame.number + 1, self.frames);
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
        {
            self.kept = Some(frame.gpu.displayed());
        }
        Ok(if last {
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
            output::replace(path, hashes).map_err(|error| Failure::of(path.display(), error))?;
        }
        let Some(picture) = self.kept else {
            return Ok(Kept::Nothing);
        };
        let path = Path::new(PICTURE);
        let write = || {
            let png = picture.png()?;
            if !self.run.force && !output::is_free_or_equal(path, &png)? {
                return Ok(Kept::LeftAlone);
            }
            if !path.is_file() || self.run.force {
                output::replace(path, &png)?;
            }
            Ok(Kept::Written)
        };
        write().map_err(|error: std::io::Error| Failure::of(PICTURE, error))
    }
}

/// What became of the picture that nobody asked for.
enum Kept {
    /// There is none.
    Nothing,
    /// It is in [`PICTURE`].
    Written,
    /// It is not, since something else is.
    LeftAlone,
}
