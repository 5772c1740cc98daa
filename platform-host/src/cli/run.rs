//! `overworld run`

use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use overworld_host::drive::ImageDrive;
use overworld_host::play::{self, Frame};
use overworld_host::{output, sample};
use overworld_runtime::scene::Asset;
use serde_json::{Value, json};

use super::terminal::{Stage, is_colourful};
use super::{Failure, Output};

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
    /// A disc image (.cue, .bin or .iso); without one the sample disc is built in memory
    world: Option<PathBuf>,
    /// Stop after this many frames
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    frames: Option<u32>,
    /// Write every frame as a PNG file into this folder
    #[arg(long, value_name = "DIR")]
    png: Option<PathBuf>,
    /// Write a line a frame: number, state hash, CRC-32 of the picture ("-": standard output)
    #[arg(long, value_name = "FILE")]
    hashes: Option<PathBuf>,
    /// The scene to play, a name of CDNAME.TXT
    #[arg(long, value_name = "NAME")]
    scene: Option<String>,
    /// Replace a file of hashes or pictures that exists
    #[arg(long)]
    force: bool,
}

impl Run {
    pub fn execute(self, out: &Output) -> Result<(), Failure> {
        let to_stdout = self.hashes.as_deref() == Some(Path::new("-"));
        if let (Some(path), false, false) = (&self.hashes, to_stdout, self.force)
            && path.symlink_metadata().is_ok()
        {
            return Err(Failure::of(path.display(), "exists; --force replaces it"));
        }
        if to_stdout && out.json {
            return Err(Failure::usage(
                "--json and --hashes - both want standard output",
            ));
        }
        let (mut drive, place) = match &self.world {
            Some(path) => {
                let drive =
                    ImageDrive::open(path).map_err(|error| Failure::new(error.to_string()))?;
                (drive, path.display().to_string())
            }
            None => (sample_drive()?, "sample disc".to_owned()),
        };
        let watched = is_colourful() && !out.json && !to_stdout && self.png.is_none();
        let frames = self
            .frames
            .unwrap_or(if watched { TERMINAL_FRAMES } else { FRAMES });
        let mut show = Show::new(&self, watched, to_stdout, frames)?;
        // Machines that want a picture ask for one with --png.
        show.keep = !out.json;
        let scene = self.scene.as_deref().unwrap_or(sample::SCENE);
        let mut assets = Vec::new();
        let mut failure = None;
        let began = Instant::now();
        let played = play::play(
            &mut drive,
            scene,
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
        let picture = show.finish()?;
        for asset in &assets {
            out.say(asset)?;
        }
        let rate = f64::from(count) / seconds.max(1e-9);
        out.say(format_args!(
            "{count} frames in {seconds:.2} s, {rate:.1} frames per second, state hash {hash:08X}"
        ))?;
        if let Some(path) = &picture {
            out.say(format_args!("a picture is in {}", path.display()))?;
        }
        out.document(&json!({
            "world": place,
            "scene": scene,
            "assets": assets.iter().map(asset).collect::<Vec<_>>(),
            "frames": count,
            "seconds": seconds,
            "hash": format!("{hash:08X}"),
            "picture": picture.map(|path| path.display().to_string()),
        }))
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
    frames: u32,
    stage: Option<Stage>,
    stop: Arc<AtomicBool>,
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
        let stop = Arc::new(AtomicBool::new(false));
        for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
            signal_hook::flag::register(signal, Arc::clone(&stop))
                .map_err(|error| Failure::of("signal handler", error))?;
        }
        if let Some(folder) = &run.png {
            std::fs::create_dir_all(folder)
                .map_err(|error| Failure::of(folder.display(), error))?;
        }
        Ok(Self {
            run,
            frames,
            stage: if watched {
                Some(Stage::enter().map_err(|error| Failure::of("terminal", error))?)
            } else {
                None
            },
            stop,
            next: Instant::now(),
            hashes: run.hashes.as_ref().map(|_| Vec::new()),
            to_stdout,
            keep: true,
            kept: None,
        })
    }

    fn frame(&mut self, frame: &Frame<'_>) -> Result<ControlFlow<()>, Failure> {
        let stopped = self.stop.load(Ordering::Relaxed);
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

    /// Leave the terminal as it was, write what was collected; the picture's place.
    fn finish(self) -> Result<Option<PathBuf>, Failure> {
        drop(self.stage);
        if let (Some(path), Some(hashes), false) = (&self.run.hashes, &self.hashes, self.to_stdout)
        {
            output::replace(path, hashes).map_err(|error| Failure::of(path.display(), error))?;
        }
        let Some(picture) = self.kept else {
            return Ok(None);
        };
        let path = PathBuf::from(PICTURE);
        picture
            .save(&path)
            .map_err(|error| Failure::of(path.display(), error))?;
        Ok(Some(path))
    }
}
