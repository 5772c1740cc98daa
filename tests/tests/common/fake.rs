//! A runner whose emulator is a shell script: each test says in shell what the target does.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use overworld_tests::emulator::{Limits, Report};
use overworld_tests::mednafen::Mednafen;

/// The emulator that runs its "PS-EXE" as a shell script.
pub fn fake() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fakes/emulator.sh")
}

/// A ROM, and a script as the program.
pub struct Bench {
    folder: tempfile::TempDir,
}

impl Bench {
    /// This script.
    pub fn new(script: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("rom"), vec![0; 512 << 10]).unwrap();
        fs::write(folder.path().join("exe"), script).unwrap();
        Self { folder }
    }

    /// A file of its folder: `rom`, `exe`, or another one.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The machine that runs it.
    pub fn machine(&self) -> Mednafen {
        Mednafen::new(self.path("rom"))
            .exe(self.path("exe"))
            .program(fake())
            .limits(limits())
    }
}

/// Shorter ones than the usual.
pub fn limits() -> Limits {
    Limits {
        time_out: Duration::from_secs(10),
        grace: Duration::from_millis(300),
        after_crash: Duration::from_millis(300),
        ..Limits::default()
    }
}

/// Run a script.
pub fn run(script: &str) -> Report {
    Bench::new(script).machine().run(|_| {}).unwrap()
}

/// Whether a process is still there (a zombie is not).
pub fn alive(pid: &str) -> bool {
    let Ok(stat) = fs::read_to_string(format!("/proc/{pid}/stat")) else {
        return false;
    };
    let state = stat
        .rsplit(") ")
        .next()
        .and_then(|rest| rest.chars().next());
    !matches!(state, Some('Z' | 'X') | None)
}

/// Whether it is gone within a few seconds.
pub fn soon_gone(pid: &str) -> bool {
    let until = Instant::now() + Duration::from_secs(3);
    while alive(pid) {
        if Instant::now() > until {
            return false;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    true
}
