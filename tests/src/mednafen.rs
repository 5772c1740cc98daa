//! An emulated PlayStation: mednafen without display, sound and Sony's files.
//!
//! It boots the project's own ROM, prints what the program sends to its terminal, and can record
//! what the screen shows. Each run has a home folder of its own, so that runs do not share
//! settings, memory cards or locks.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::emulator::{self, Error, Limits, Report, need};
use crate::home::Home;
use crate::picture::{self, Moment};
use crate::process::{self, Watch};
use crate::verdict::Outcome;

/// Environment variable with the path of the emulator.
pub const PROGRAM_VARIABLE: &str = "OVERWORLD_MEDNAFEN";

/// Where it is looked for besides `PATH`.
pub const FOLDERS: [&str; 3] = ["/usr/games", "/usr/local/games", "/usr/local/bin"];

/// The names under which mednafen looks for the ROM: it depends on what is started.
const ROM_NAMES: [&str; 3] = ["scph5500.bin", "scph5501.bin", "scph5502.bin"];

/// The file of a recording.
const RECORDING: &str = "recording.mov";

/// How mednafen says that it could not write on, on a full disk for example; it runs on all the same.
const UNWRITTEN: &str = "Error writing to opened file ";

/// How mednafen says that it does not take a disc; it ends then, as it does after many other things.
const REFUSED: &str = "Error opening CD: ";

/// Bytes of a boot ROM.
const ROM_SIZE: u64 = 512 << 10;

/// A PS-EXE to side-load.
#[derive(Clone, Debug)]
enum Exe {
    File(PathBuf),
    Image(Vec<u8>),
}

/// A run on the emulated PlayStation, to be described and then started.
#[derive(Clone, Debug)]
pub struct Mednafen {
    program: Option<PathBuf>,
    rom: PathBuf,
    exe: Option<Exe>,
    disc: Option<PathBuf>,
    moments: Vec<Moment>,
    limits: Limits,
}

impl Mednafen {
    /// With this boot ROM (512 KiB).
    #[must_use]
    pub fn new(rom: impl Into<PathBuf>) -> Self {
        Self {
            program: None,
            rom: rom.into(),
            exe: None,
            disc: None,
            moments: Vec::new(),
            limits: Limits::default(),
        }
    }

    /// Side-load this PS-EXE instead of booting the disc.
    #[must_use]
    pub fn exe(mut self, path: impl Into<PathBuf>) -> Self {
        self.exe = Some(Exe::File(path.into()));
        self
    }

    /// Side-load this PS-EXE, which need not lie in a file.
    #[must_use]
    pub fn image(mut self, exe: Vec<u8>) -> Self {
        self.exe = Some(Exe::Image(exe));
        self
    }

    /// Put this disc (a `.cue` file) into the drive.
    #[must_use]
    pub fn disc(mut self, path: impl Into<PathBuf>) -> Self {
        self.disc = Some(path.into());
        self
    }

    /// Use this emulator instead of the one in `OVERWORLD_MEDNAFEN` or in `PATH`.
    #[must_use]
    pub fn program(mut self, path: impl Into<PathBuf>) -> Self {
        self.program = Some(path.into());
        self
    }

    /// Record, and keep this frame; once more, and that one too. Makes a run five to ten times slower.
    #[must_use]
    pub fn picture(mut self, moment: Moment) -> Self {
        self.moments.push(moment);
        self
    }

    /// End after this time.
    #[must_use]
    pub fn time_out(mut self, time: Duration) -> Self {
        self.limits.time_out = time;
        self
    }

    /// All limits at once.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Run to the verdict, the time-out or the emulator's end. `on_line` sees every line as it
    /// comes: the program's, which start with `@@`, and the emulator's own.
    ///
    /// # Errors
    /// A file is missing, the emulator does not take the disc, or the operating system refuses
    /// something. A missing emulator is an outcome, not an error.
    pub fn run(&self, mut on_line: impl FnMut(&str)) -> Result<Report, Error> {
        let result = self.run_in_home(&mut on_line);
        process::take_interrupt();
        result
    }

    fn run_in_home(&self, on_line: &mut dyn FnMut(&str)) -> Result<Report, Error> {
        let rom = need("boot ROM", &self.rom)?;
        if rom.metadata().is_ok_and(|data| data.len() != ROM_SIZE) {
            return Err(Error::Missing {
                what: "boot ROM of 512 KiB",
                path: rom,
            });
        }
        let mut exe = match &self.exe {
            Some(Exe::File(path)) => Some(need("PS-EXE", path)?),
            Some(Exe::Image(_)) | None => None,
        };
        let disc = self
            .disc
            .as_deref()
            .map(|p| need("disc image", p))
            .transpose()?;
        if self.exe.is_none() && disc.is_none() {
            return Err(Error::Missing {
                what: "PS-EXE or disc: name one of them",
                path: PathBuf::new(),
            });
        }
        let Some(program) = program(self.program.as_deref()) else {
            return Ok(Report::missing(
                "no `mednafen` in PATH or /usr/games; install it \
                 (Debian: apt-get install mednafen), or set OVERWORLD_MEDNAFEN to its path"
                    .to_owned(),
            ));
        };

        // A signal must not come between the folder and its end.
        let _watch = Watch::begin().map_err(Error::io("take signals"))?;
        let home = Home::new().map_err(Error::io("make a home folder for the emulator"))?;
        let firmware = home.path().join(".mednafen/firmware");
        fs::create_dir_all(&firmware).map_err(Error::io("make the firmware folder"))?;
        for name in ROM_NAMES {
            fs::copy(&rom, firmware.join(name)).map_err(Error::io("copy the boot ROM"))?;
        }
        if let Some(Exe::Image(image)) = &self.exe {
            // In the home, so that it goes with it whatever ends the run.
            let file = home.path().join("program.exe");
            fs::write(&file, image).map_err(Error::io("write the PS-EXE"))?;
            exe = Some(file);
        }
        let recording = home.path().join(RECORDING);

        let mut command = process::command(&program, true);
        let stdin = home.stdin().map_err(Error::io("lock the home folder"))?;
        command
            .stdin(stdin)
            .current_dir(home.path())
            .env("HOME", home.path())
            .env("SDL_VIDEODRIVER", "dummy")
            .env("SDL_AUDIODRIVER", "dummy")
            .env("MEDNAFEN_NOPOPUPS", "1")
            .env_remove("MEDNAFEN_HOME")
            .env_remove("DISPLAY")
            .args(["-force_module", "psx", "-sound", "0", "-nothrottle", "1"])
            .args(["-psx.dbg_level", "2", "-cheats", "0"]);
        if !self.moments.is_empty() {
            command.arg("-qtrecord").arg(&recording).args([
                "-qtrecord.vcodec",
                "png",
                "-qtrecord.w_double_threshold",
                "0",
                "-qtrecord.h_double_threshold",
                "0",
            ]);
        }
        if let (Some(_), Some(disc)) = (&exe, &disc) {
            command.arg("-psx.dbg_exe_cdpath").arg(disc);
        }
        command.args(exe.as_ref().or(disc.as_ref()));

        let (mut broken, mut refused) = (None, None);
        let mut report = emulator::watch(command, &self.limits, &mut |line| {
            if line.starts_with(UNWRITTEN) && line.contains(RECORDING) {
                broken.get_or_insert_with(|| line.to_owned());
            }
            if let Some(why) = line.strip_prefix(REFUSED) {
                refused.get_or_insert_with(|| why.to_owned());
            }
            on_line(line);
        })?;
        if let (Some(path), Some(why), Outcome::Crash) = (&disc, refused, report.outcome)
            && report.lines.is_empty()
        {
            let path = path.clone();
            return Err(Error::Disc { path, why });
        }
        if !self.moments.is_empty() {
            // Of a recording that broke off the last frame is another one than the run's.
            let pictures = match broken {
                Some(why) => Err(picture::Error::Broken(why)),
                None => picture::from_recording(&recording, &self.moments),
            };
            match pictures {
                Ok(pictures) => report.pictures = pictures,
                Err(error) => no_picture(&mut report, &self.moments, &error),
            }
        }
        Ok(report)
    }
}

/// What a recording without the picture makes of a run.
fn no_picture(report: &mut Report, moments: &[Moment], error: &picture::Error) {
    if report.outcome != Outcome::Pass {
        let why = format!("; no picture: {error}");
        report.reason.push_str(&why);
        return;
    }
    // A recorder that records nothing has died.
    let late = match error {
        picture::Error::NoSuchFrame { found: found @ 1.. } => {
            let late = moments.iter().find_map(|moment| match moment {
                Moment::Frame(frame) if frame >= found => Some(frame),
                _ => None,
            });
            late.map(|frame| (frame, found - 1))
        }
        _ => None,
    };
    (report.outcome, report.reason) = match late {
        Some((frame, last)) => (
            Outcome::Fail,
            format!(
                "the program passed, but it ended before frame {frame}: the last one is frame {last}"
            ),
        ),
        None => {
            report.told = false;
            (Outcome::Crash, format!("the program passed, but {error}"))
        }
    };
}

/// The emulator that a run without [`Mednafen::program`] starts.
#[must_use]
pub fn program(given: Option<&Path>) -> Option<PathBuf> {
    process::chosen(given, PROGRAM_VARIABLE, "mednafen", &FOLDERS)
}
