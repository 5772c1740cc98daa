//! A terminal, and the tool in it.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::AsFd;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcgetattr, tcsetwinsize};

/// Longer than anything takes, on a machine with much else to do.
pub const PATIENCE: Duration = Duration::from_secs(240);

/// The two ends of a terminal.
pub struct Terminal {
    /// Where keys go in.
    pub keys: File,
    /// What programs have.
    pub line: File,
    /// What has been shown so far.
    shown: Arc<Mutex<Vec<u8>>>,
    screen: JoinHandle<()>,
}

/// Where keys go in, and what programs have.
pub fn ends() -> (File, File) {
    let keys = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
    grantpt(&keys).unwrap();
    unlockpt(&keys).unwrap();
    let name = ptsname(&keys, Vec::new()).unwrap();
    let mut options = File::options();
    let line = options.read(true).write(true).open(name.to_str().unwrap());
    (keys.into(), line.unwrap())
}

pub fn program(line: &File, frames: u32) -> Command {
    let end = || Stdio::from(line.try_clone().unwrap());
    let mut command = Command::new(env!("CARGO_BIN_EXE_overworld"));
    command
        .args(["run", "--town", "--frames", &frames.to_string()])
        .env("TERM", "xterm")
        .env_remove("NO_COLOR")
        .stdin(end())
        .stdout(end())
        .stderr(end());
    command
}

impl Terminal {
    pub fn new(columns: u16, rows: u16) -> Self {
        let (keys, line) = ends();
        let mut shown = keys.try_clone().unwrap();
        let all = Arc::new(Mutex::new(Vec::new()));
        let so_far = Arc::clone(&all);
        let screen = std::thread::spawn(move || {
            let mut part = [0; 0x1000];
            // Ends with an error when no program has the other end any more.
            while let Ok(count @ 1..) = shown.read(&mut part) {
                so_far.lock().unwrap().extend(&part[..count]);
            }
        });
        let new = Self {
            keys,
            line,
            shown: all,
            screen,
        };
        new.resize(columns, rows);
        new
    }

    pub fn resize(&self, columns: u16, rows: u16) {
        let size = Winsize {
            ws_col: columns,
            ws_row: rows,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        tcsetwinsize(&self.line, size).unwrap();
    }

    /// What programs set of it, and leave.
    pub fn modes(&self) -> String {
        format!("{:?}", tcgetattr(self.line.as_fd()).unwrap())
    }

    pub fn press(&mut self, bytes: &[u8]) {
        self.keys.write_all(bytes).unwrap();
    }

    pub fn start(&self, frames: u32) -> Child {
        program(&self.line, frames).spawn().unwrap()
    }

    /// Wait until the show has the keys, of a terminal whose modes were these.
    pub fn await_keys(&self, before: &str) {
        let began = Instant::now();
        while self.modes() == before {
            assert!(began.elapsed() < PATIENCE, "no keys");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// How many bytes have been shown.
    pub fn length(&self) -> usize {
        self.shown.lock().unwrap().len()
    }

    /// Wait until something is shown behind so many bytes.
    pub fn await_behind(&self, from: usize, text: &[u8]) {
        let began = Instant::now();
        while !self.shown.lock().unwrap()[from..]
            .windows(text.len())
            .any(|it| it == text)
        {
            let text = String::from_utf8_lossy(text);
            assert!(began.elapsed() < PATIENCE, "no {text:?}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Wait until something is shown.
    pub fn await_text(&self, text: &str) {
        let began = Instant::now();
        loop {
            // It has just been shown, if at all.
            let shown = self.shown.lock().unwrap();
            let last = &shown[shown.len().saturating_sub(0x1000)..];
            if last.windows(text.len()).any(|it| it == text.as_bytes()) {
                return;
            }
            drop(shown);
            assert!(began.elapsed() < PATIENCE, "no {text}");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// All that was on the screen.
    pub fn end(self) -> String {
        drop((self.line, self.keys));
        self.screen.join().unwrap();
        String::from_utf8_lossy(&self.shown.lock().unwrap()).into_owned()
    }
}

pub fn wait(mut child: Child) -> Option<i32> {
    let began = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        assert!(began.elapsed() < PATIENCE, "it does not end");
        std::thread::sleep(Duration::from_millis(5));
    }
}

impl Terminal {
    /// The tool with other arguments, in a terminal of this name.
    pub fn run(&self, term: &str, arguments: &[&str]) -> Child {
        let end = || Stdio::from(self.line.try_clone().unwrap());
        let mut command = Command::new(env!("CARGO_BIN_EXE_overworld"));
        for variable in [
            "NO_COLOR",
            "COLORTERM",
            "TERM_PROGRAM",
            "FORCE_COLOR",
            "CLICOLOR_FORCE",
        ] {
            command.env_remove(variable);
        }
        let command = command.args(arguments).env("TERM", term);
        command.stdin(end()).stdout(end()).stderr(end());
        command.spawn().unwrap()
    }
}
