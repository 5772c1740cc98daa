//! What is done with the frames of `overworld run`.

use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use overworld_host::identify::count;
use overworld_host::movie::{self, Movie};
use overworld_host::play::{Frame, HEIGHT, WIDTH};
use overworld_host::{input, output, signals};

use super::length::Length;
use super::outputs::picture;
use super::{KEPT, PICTURE, Run, keys};
use crate::cli::terminal::Stage;
use crate::cli::{Failure, is_closed, line, patient};

/// The console's field rate (HAL sheet, section 5.1), in nanoseconds a frame.
const FRAME: Duration = Duration::from_nanos(1_000_000_000 * 1000 / 59_826);

/// What is done with the frames.
pub struct Show<'a> {
    run: &'a Run,
    /// The folder of pictures; one that was made for them goes again if none is written.
    _folder: Option<output::Folder>,
    length: Length,
    /// Whether keys are read.
    keys: bool,
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
    pub keep: bool,
    /// The picture that is written at the end, and its frame.
    kept: Option<(u32, overworld_host::gpu::Picture)>,
}

impl<'a> Show<'a> {
    pub fn new(
        run: &'a Run,
        watched: bool,
        keys: bool,
        to_stdout: bool,
        length: Length,
    ) -> Result<Self, Failure> {
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
            Some(folder) => Some(output::Folder::make(folder).map_err(|error| {
                let place = folder.display();
                match folder.is_file() {
                    true => Failure::of(place, "expected a folder, found a file"),
                    false => Failure::of(place, error),
                }
            })?),
            None => None,
        };
        Ok(Self {
            run,
            _folder: folder,
            length,
            keys,
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
            keep: !watched,
            kept: None,
        })
    }

    /// A frame; `ended` if it is to be the last.
    pub fn frame(&mut self, frame: &Frame<'_>, ended: bool) -> Result<ControlFlow<()>, Failure> {
        // At a terminal a person stops the show; anywhere else the results would be cut short.
        let stopped = self.stage.is_some() && signals::take();
        if stopped {
            patient::hurry();
        }
        if signals::came() {
            return Err(self.cut_short(frame.number));
        }
        let length = self.length.of(frame.walked);
        let last = ended || stopped || length.is_some_and(|it| frame.number + 1 >= it);
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
                line(text)?;
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
                let number = frame.number + 1;
                // A log that is played again has the pad.
                let walks = frame.walked && self.run.replay.is_none();
                let [end, help] = keys::help(walks, self.keys);
                let below = match length {
                    Some(length) => format!("{end}, frame {number} of {length}{help}"),
                    None => format!("{end}, frame {number}{help}"),
                };
                stage
                    .show(&frame.gpu.displayed(), frame.talk, &below)
                    .map_err(|error| Failure::of("terminal", error))?;
            }
            self.next += FRAME;
            // After a halt the show goes on as before; a few late frames are caught up.
            let now = Instant::now();
            if now.saturating_duration_since(self.next) > 8 * FRAME {
                self.next = now;
            }
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
        let unread =
            self.to_stdout && is_closed() && self.run.png.is_none() && self.run.gif.is_none();
        Ok(if last || unread {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        })
    }

    /// Leave the terminal as it was, write what was collected.
    pub fn finish(self) -> Result<Kept, Failure> {
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
pub enum Kept {
    /// There is none.
    Nothing,
    /// That of this frame is in [`PICTURE`].
    Written(u32),
    /// It is not, since something else is.
    LeftAlone,
}
