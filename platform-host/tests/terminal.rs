//! `run` in a terminal: keys, sizes, and a terminal that is left as it was found.
#![cfg(target_os = "linux")]

mod common;

use std::fs::File;
use std::io::{Read, Write};
use std::ops::ControlFlow;
use std::os::fd::AsFd;
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use overworld_host::drive::ImageDrive;
use overworld_host::{play, sample};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcgetattr, tcsetwinsize};

const FRAMES: u32 = 16;

/// The two ends of a terminal.
struct Terminal {
    /// Where keys go in.
    keys: File,
    /// What programs have.
    line: File,
    screen: JoinHandle<String>,
}

/// Where keys go in, and what programs have.
fn ends() -> (File, File) {
    let keys = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
    grantpt(&keys).unwrap();
    unlockpt(&keys).unwrap();
    let name = ptsname(&keys, Vec::new()).unwrap();
    let mut options = File::options();
    let line = options.read(true).write(true).open(name.to_str().unwrap());
    (keys.into(), line.unwrap())
}

fn program(line: &File, frames: u32) -> Command {
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
    fn new(columns: u16, rows: u16) -> Self {
        let (keys, line) = ends();
        let mut shown = keys.try_clone().unwrap();
        let screen = std::thread::spawn(move || {
            let (mut all, mut part) = (Vec::new(), [0; 0x1000]);
            // Ends with an error when no program has the other end any more.
            while let Ok(count @ 1..) = shown.read(&mut part) {
                all.extend(&part[..count]);
            }
            String::from_utf8_lossy(&all).into_owned()
        });
        let new = Self { keys, line, screen };
        new.resize(columns, rows);
        new
    }

    fn resize(&self, columns: u16, rows: u16) {
        let size = Winsize {
            ws_col: columns,
            ws_row: rows,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        tcsetwinsize(&self.line, size).unwrap();
    }

    /// What programs set of it, and leave.
    fn modes(&self) -> String {
        format!("{:?}", tcgetattr(self.line.as_fd()).unwrap())
    }

    fn press(&mut self, bytes: &[u8]) {
        self.keys.write_all(bytes).unwrap();
    }

    fn start(&self, frames: u32) -> Child {
        program(&self.line, frames).spawn().unwrap()
    }

    /// All that was on the screen.
    fn end(self) -> String {
        drop((self.line, self.keys));
        self.screen.join().unwrap()
    }
}

fn wait(mut child: Child) -> Option<i32> {
    let began = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        assert!(began.elapsed() < Duration::from_secs(60), "it does not end");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The state hash at the end of a show in which these keys were pressed before it began.
fn hash_after(typed: &[u8]) -> u32 {
    let mut terminal = Terminal::new(40, 12);
    let before = terminal.modes();
    terminal.press(typed);
    assert_eq!(wait(terminal.start(FRAMES)), Some(0));
    assert_eq!(terminal.modes(), before);
    let screen = terminal.end();
    assert!(!screen.contains("panicked"), "{screen}");
    // The picture's screen is left, and the cursor is there.
    let (_, results) = screen.rsplit_once("\x1b[?25h\x1b[?1049l").unwrap();
    let (_, hash) = results.rsplit_once("state hash ").unwrap();
    u32::from_str_radix(hash[..8].trim(), 16).unwrap()
}

/// The state hash where nobody is at the pad.
fn hash_of_nothing() -> u32 {
    let mut drive = ImageDrive::from_bytes(sample::town_image(None).unwrap()).unwrap();
    let (_, hash) = play::play_with(
        &mut drive,
        sample::town::SCENE,
        play::Options::default(),
        |_| 0,
        |_| {},
        |frame| {
            if frame.number + 1 < FRAMES {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        },
    )
    .unwrap();
    hash
}

#[test]
fn keys_walk_and_the_terminal_is_left_as_it_was() {
    let still = hash_of_nothing();
    // No key of ours, but keys: the tour is over. The same as with nothing at all in hand.
    let garbage: Vec<u8> = (0x80..=0xFF).chain(*b"x\x1b[2~\x1b[[A\x1b").collect();
    assert_eq!(hash_after(&garbage), still);
    for walks in [&b"d"[..], b"\x1b[1;2C"] {
        assert_ne!(hash_after(walks), still, "{walks:X?}");
    }
    // More than the terminal's queue holds.
    hash_after(&b"wasd \x1b[A\x1b[1;2B0;0\x1b".repeat(300));
}

#[test]
fn a_terminal_may_have_any_size() {
    for (columns, rows) in [(20, 5), (1, 1), (3, 2), (400, 3)] {
        let mut terminal = Terminal::new(columns, rows);
        let before = terminal.modes();
        terminal.press(b"d");
        let child = terminal.start(12);
        std::thread::sleep(Duration::from_millis(60));
        terminal.resize(rows, columns);
        assert_eq!(wait(child), Some(0));
        assert_eq!(terminal.modes(), before);
        assert!(!terminal.end().contains("panicked"));
    }
}

/// Ctrl-C, which a terminal turns into a signal, ends the show and not the results, and so do a polite end and a
/// shell that goes away; the other keys that would stop a program, and its screen as it is, do nothing.
#[test]
fn the_show_can_be_ended() {
    for signal in ["-INT", "-TERM", "-HUP"] {
        ended_by(signal);
    }
}

fn ended_by(signal: &str) {
    let mut terminal = Terminal::new(40, 12);
    let before = terminal.modes();
    let child = terminal.start(100_000);
    let began = Instant::now();
    while terminal.modes() == before {
        assert!(began.elapsed() < Duration::from_secs(60), "no keys");
        std::thread::sleep(Duration::from_millis(5));
    }
    // Ctrl-S, Ctrl-Z, Ctrl-\: it goes on.
    terminal.press(b"\x13\x1a\x1c");
    std::thread::sleep(Duration::from_millis(100));
    common::kill(signal, child.id());
    assert_eq!(wait(child), Some(0));
    assert_eq!(terminal.modes(), before);
    let screen = terminal.end();
    let (_, results) = screen.rsplit_once("\x1b[?25h\x1b[?1049l").unwrap();
    assert!(results.contains("state hash "), "{results}");
}

/// A terminal that goes away ends it with a word, not with a panic.
#[test]
fn a_terminal_may_go_away() {
    let (mut keys, line) = ends();
    let mut command = program(&line, 100_000);
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    // It has begun.
    keys.read_exact(&mut [0; 100]).unwrap();
    drop((keys, line));
    let mut errors = child.stderr.take().unwrap();
    assert_eq!(wait(child), Some(1));
    let mut said = String::new();
    errors.read_to_string(&mut said).unwrap();
    assert!(said.starts_with("overworld: terminal: "), "{said}");
    assert!(!said.contains("panicked"), "{said}");
}
