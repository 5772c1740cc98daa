//! What is done with the frames of `overworld run`.

use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use overworld_host::identify::count;
use overworld_host::movie::{self, Movie};
use overworld_host::play::{Frame, HEIGHT, WIDTH};
use overworld_host::{output, signals};

use super::kept::{self, Growing, keep};
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
    stage: Option<Stage>,
    next: Instant,
    /// The lines so far, and their file.
    hashes: Option<(Vec<u8>, Growing<'a>)>,
    movie: Option<(Movie, Growing<'a>)>,
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
        // What cannot be written is told before it is played. Other files may go into the folder of the pictures.
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
        let hashes = match &run.hashes {
            Some(path) if !to_stdout => Some((Vec::new(), Growing::new(path, run.force)?)),
            _ => None,
        };
        let movie = match &run.gif {
            Some(path) => {
                let file = Growing::new(path, run.force)?;
                let movie = Movie::new(WIDTH.into(), HEIGHT.into());
                let movie = movie.map_err(|error| Failure::of(path.display(), error))?;
                Some((movie, file))
            }
            None => None,
        };
        if let Some(path) = &run.record {
            let writable = output::check_writable(path);
            writable.map_err(|error| Failure::of(path.display(), error))?;
        }
        if let Some(folder) = &run.png {
            let first = folder.join(picture(0));
            if run.force || !first.exists() {
                let writable = output::check_writable(&first);
                writable.map_err(|error| Failure::of(first.display(), error))?;
            }
        }
        Ok(Self {
            run,
            _folder: folder,
            length,
            hashes,
            movie,
            stage: if watched {
                Some(Stage::enter(keys).map_err(|error| Failure::of("terminal", error))?)
            } else {
                None
            },
            next: Instant::now(),
            to_stdout,
            keep: !watched,
            kept: None,
        })
    }

    /// Whether keys come as they are pressed.
    pub fn has_keys(&self) -> bool {
        self.stage.as_ref().is_some_and(Stage::has_keys)
    }

    /// A frame; `ended` if it is to be the last.
    pub fn frame(&mut self, frame: &Frame<'_>, ended: bool) -> Result<ControlFlow<()>, Failure> {
        if let Some(stage) = &mut self.stage {
            stage
                .pause()
                .map_err(|error| Failure::of("terminal", error))?;
        }
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
            kept::picture(&path, frame.gpu.displayed().png(), self.run.force)?;
        }
        if let Some((movie, file)) = &mut self.movie
            && frame.number.is_multiple_of(movie::STEP)
        {
            let before = movie.bytes().len();
            file.grown(movie.add(&frame.gpu.displayed()))?;
            file.goes_on(movie.bytes(), before)?;
        }
        if self.run.hashes.is_some() {
            let crc = frame.gpu.displayed().crc32();
            let text = format!("{} {:08X} {crc:08X}", frame.number, frame.hash);
            match &mut self.hashes {
                None => line(text)?,
                Some((lines, file)) => {
                    let before = lines.len();
                    file.grown(writeln!(lines, "{text}"))?;
                    file.goes_on(lines, before)?;
                }
            }
        }
        if let Some(stage) = &self.stage {
            // A terminal takes every second picture; more would only queue up.
            if frame.number.is_multiple_of(2) || last {
                let number = frame.number + 1;
                // A log that is played again has the pad.
                let walks = frame.walked && self.run.replay.is_none();
                let [end, help] = keys::help(walks, stage.has_keys());
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
        if let Some((lines, file)) = self.hashes {
            file.finish(Ok(lines))?;
        }
        if let Some((movie, file)) = self.movie {
            file.finish(movie.finish())?;
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

/// What became of the picture that nobody asked for.
pub enum Kept {
    /// There is none.
    Nothing,
    /// That of this frame is in [`PICTURE`].
    Written(u32),
    /// It is not, since something else is.
    LeftAlone,
}
