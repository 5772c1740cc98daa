//! How long a show lasts, and what is held on the pad meanwhile.

use std::path::Path;

use overworld_host::output;
use overworld_host::pads::Pads;

use super::Run;
use super::keys::Keys;
use crate::cli::Failure;
use crate::cli::files::{Input, is_stream};

/// Frames when nobody says how many: ten seconds on a terminal, two otherwise.
const TERMINAL_FRAMES: u32 = 600;
const FRAMES: u32 = 120;

/// The number of frames, in a scene that is walked about in and in one that is shown; none: until it is ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Length {
    walked: Option<u32>,
    shown: Option<u32>,
}

impl Length {
    /// That of a run: what was asked for, or as long as its pad log, or for whoever has the keys without end.
    pub fn new(run: &Run, log: Option<&Pads>, watched: bool, keys: bool) -> Self {
        let log = log.map(|log| u32::try_from(log.length()).unwrap_or(u32::MAX).max(1));
        let usual = if watched { TERMINAL_FRAMES } else { FRAMES };
        let some = Some(run.frames.or(log).unwrap_or(usual));
        // Pictures of all frames are not collected without end.
        let endless = run.frames.or(log).is_none() && keys && !run.draws();
        Self {
            walked: if endless { None } else { some },
            shown: some,
        }
    }

    /// That of a scene.
    pub const fn of(self, walked: bool) -> Option<u32> {
        if walked { self.walked } else { self.shown }
    }

    /// More frames than there will be.
    pub fn most(self) -> u32 {
        self.walked.unwrap_or(u32::MAX)
    }
}

/// Who holds the pad: a log, or keys until the log, if there is none, the tour; and what was held.
pub struct Hands {
    pub keys: Keys,
    log: Option<std::vec::IntoIter<u16>>,
    held: Option<Pads>,
}

impl Hands {
    /// `record`: what is held is wanted afterwards.
    pub fn new(keys: Keys, log: Option<&Pads>, record: bool) -> Self {
        let log = log.map(|log| log.frames().collect::<Vec<_>>().into_iter());
        Self {
            keys,
            log,
            held: record.then(Pads::default),
        }
    }

    /// What is held in a frame.
    pub fn held(&mut self, frame: u32) -> u16 {
        let typed = self.keys.held(frame);
        let held = match &mut self.log {
            Some(log) => log.next().unwrap_or(0),
            None => typed,
        };
        if let Some(log) = &mut self.held {
            log.push(held);
        }
        held
    }

    /// What was held; nothing if it is not wanted.
    pub fn record(self) -> Option<Pads> {
        self.held
    }
}

/// The log of `--replay`.
pub fn log(path: &Path) -> Result<Pads, Failure> {
    let input = Input::read(path)?;
    Pads::parse(&input.data).map_err(|error| input.no_json(error))
}

/// Whether `--record` may write there. Nobody walks the same way twice: what is there would be lost.
pub fn check_record(path: &Path, force: bool) -> Result<(), Failure> {
    if is_stream(path) {
        return Err(Failure::usage("--record wants a file, not standard output"));
    }
    if !force && path.symlink_metadata().is_ok() {
        // What --force does not replace either.
        output::check_target(path).map_err(|error| Failure::of(path.display(), error))?;
        return Err(Failure::of(path.display(), "exists; --force replaces it"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn length(run: &Run, log: Option<u32>, [watched, keys]: [bool; 2]) -> [Option<u32>; 2] {
        let log = log.map(|frames| (0..frames).map(|_| 0).collect::<Pads>());
        let length = Length::new(run, log.as_ref(), watched, keys);
        [true, false].map(|walked| length.of(walked))
    }

    #[test]
    fn a_show_lasts_as_long_as_somebody_walks() {
        let run = Run::default();
        assert_eq!(length(&run, None, [true, true]), [None, Some(600)]);
        assert_eq!(length(&run, None, [true, false]), [Some(600); 2]);
        assert_eq!(length(&run, None, [false, false]), [Some(120); 2]);
        assert_eq!(length(&run, Some(7), [true, false]), [Some(7); 2]);
        assert_eq!(length(&run, Some(0), [false, false]), [Some(1); 2]);
        let asked = Run {
            frames: Some(9),
            ..Run::default()
        };
        for log in [None, Some(7)] {
            assert_eq!(length(&asked, log, [true, true]), [Some(9); 2]);
        }
        let drawn = Run {
            png: Some(PathBuf::from("png")),
            ..Run::default()
        };
        assert_eq!(length(&drawn, None, [true, true]), [Some(600); 2]);
    }
}
