//! `run` in a terminal: keys, sizes, and a terminal that is left as it was found.
#![cfg(target_os = "linux")]

mod common;

use std::fs::File;
use std::io::{Read, Write};
use std::ops::ControlFlow;
use std::os::fd::AsFd;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use overworld_host::drive::ImageDrive;
use overworld_host::{play, sample};
use rustix::io::ioctl_fionread;
use rustix::pipe::fcntl_setpipe_size;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcgetattr, tcsetwinsize};

const FRAMES: u32 = 16;

/// Longer than anything takes, on a machine with much else to do.
const PATIENCE: Duration = Duration::from_secs(240);

/// The two ends of a terminal.
struct Terminal {
    /// Where keys go in.
    keys: File,
    /// What programs have.
    line: File,
    /// What has been shown so far.
    shown: Arc<Mutex<Vec<u8>>>,
    screen: JoinHandle<()>,
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

    /// Wait until something is shown.
    fn await_text(&self, text: &str) {
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
    fn end(self) -> String {
        drop((self.line, self.keys));
        self.screen.join().unwrap();
        String::from_utf8_lossy(&self.shown.lock().unwrap()).into_owned()
    }
}

fn wait(mut child: Child) -> Option<i32> {
    let began = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        assert!(began.elapsed() < PATIENCE, "it does not end");
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
        assert!(began.elapsed() < PATIENCE, "no keys");
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

/// Nobody reads the terminal, so the program waits for somebody; a signal ends it all the same.
#[test]
fn a_show_that_nobody_reads_can_be_ended() {
    // Soon, and when it waits.
    for (signal, after) in [("-TERM", 0), ("-TERM", 1500), ("-INT", 300), ("-HUP", 2500)] {
        let (keys, line) = ends();
        let before = format!("{:?}", tcgetattr(line.as_fd()).unwrap());
        let child = program(&line, 100_000).spawn().unwrap();
        // The keys are taken after the first picture's place is made, and the pictures are more than it holds.
        let began = Instant::now();
        while format!("{:?}", tcgetattr(line.as_fd()).unwrap()) == before {
            assert!(began.elapsed() < PATIENCE, "no keys");
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(after));
        common::kill(signal, child.id());
        wait(child);
        assert_eq!(format!("{:?}", tcgetattr(line.as_fd()).unwrap()), before);
        drop(keys);
    }
}

/// The same of a pipe, which is full soon.
#[test]
fn hashes_that_nobody_reads_can_be_ended() {
    let (reader, writer) = std::io::pipe().unwrap();
    fcntl_setpipe_size(&writer, 0x1000).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_overworld"));
    let child = command
        .args(["run", "--frames", "1000000", "--hashes", "-"])
        .stdin(Stdio::null())
        .stdout(writer)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    drop(command);
    let began = Instant::now();
    let mut held = 0;
    // Until it holds no more.
    while held == 0 || ioctl_fionread(&reader).unwrap() != held {
        assert!(began.elapsed() < Duration::from_secs(120), "no hashes");
        held = ioctl_fionread(&reader).unwrap();
        std::thread::sleep(Duration::from_millis(500));
    }
    assert!(held <= 0x1000);
    common::kill("-TERM", child.id());
    // By the signal, not by itself.
    assert_eq!(wait(child), None);
    drop(reader);
}

impl Terminal {
    /// The tool with other arguments, in a terminal of this name.
    fn run(&self, term: &str, arguments: &[&str]) -> Child {
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

/// Whoever has the keys walks until q: no number of frames is told. What was held is written, and played again it leads to the same state.
#[test]
fn keys_walk_until_they_end_it_and_are_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pads.json");
    let file = file.to_str().unwrap();
    let mut terminal = Terminal::new(30, 6);
    let child = terminal.run("xterm-256color", &["run", "--town", "--record", file]);
    terminal.press(b"d");
    terminal.await_text("q ends, frame 15, arr");
    terminal.press(b"\x1b[1;2A");
    terminal.await_text("q ends, frame 25, arr");
    terminal.press(b"q");
    assert_eq!(wait(child), Some(0));
    let screen = terminal.end();
    assert!(screen.contains("\x1b[38;5;") && !screen.contains("38;2;"));
    let (_, results) = screen.rsplit_once("\x1b[?1049l").unwrap();
    let frames: u64 = results
        .split_once(" frames in ")
        .unwrap()
        .0
        .rsplit('\n')
        .next()
        .unwrap()
        .parse()
        .unwrap();
    assert!(frames > 20, "{results}");
    let hash = results.split_once("state hash ").unwrap().1[..8].to_owned();
    let log = overworld_host::pads::Pads::parse(&std::fs::read(file).unwrap()).unwrap();
    assert_eq!(log.length(), frames);
    assert!(log.frames().any(|it| it == 0x2000) && log.frames().any(|it| it == 0x1040));
    let place = common::Place::new();
    let again = place.document(&["run", "--town", "--replay", file]);
    assert_eq!(
        (again["frames"].as_u64(), again["hash"].as_str()),
        (Some(frames), Some(hash.as_str()))
    );
    // Keys do nothing there but end it.
    let mut terminal = Terminal::new(70, 6);
    let child = terminal.run("xterm", &["run", "--town", "--replay", file]);
    terminal.await_text("q ends, frame ");
    terminal.press(b"q");
    assert_eq!(wait(child), Some(0));
    assert!(!terminal.end().contains("WASD"));
    // What was walked once is not lost.
    let error = place.bad(&["run", "--town", "--replay", file, "--record", file], 1);
    assert!(error.contains("exists; --force replaces it"), "{error}");
    let error = place.bad(
        &[
            "run", "--town", "--replay", file, "--record", file, "--force",
        ],
        2,
    );
    assert!(error.contains("pads.json"), "{error}");
    let copy = folder.path().join("copy.json");
    place.fine(&[
        "run",
        "--town",
        "--replay",
        file,
        "--record",
        copy.to_str().unwrap(),
        "--json",
    ]);
    assert_eq!(std::fs::read(file).unwrap(), std::fs::read(copy).unwrap());
}

/// The words of a picture that is too small stand in front of it, and pictures are written of what keys walk.
#[test]
fn small_pictures_are_read_and_written() {
    let folder = tempfile::tempdir().unwrap();
    let pictures = folder.path().join("png");
    let pictures = pictures.to_str().unwrap();
    let pads = folder.path().join("pads.json");
    let mut terminal = Terminal::new(60, 20);
    let child = terminal.run("linux", &["run", "--town", "--frames", "80"]);
    assert_eq!(wait(child), Some(0));
    let screen = terminal.end();
    assert!(
        screen.contains("\x1b[0;37;44m The gate is shut. "),
        "{screen}"
    );
    assert!(screen.contains(" Shall I open it?  "), "{screen}");
    assert!(!screen.contains("38;5") && !screen.contains("38;2"));
    // A large one is read as it is.
    terminal = Terminal::new(400, 140);
    let child = terminal.run("xterm", &["run", "--town", "--frames", "60"]);
    assert_eq!(wait(child), Some(0));
    assert!(!terminal.end().contains("The gate"));
    terminal = Terminal::new(40, 12);
    let child = terminal.run(
        "xterm",
        &[
            "run",
            "--town",
            "--frames",
            "40",
            "--png",
            pictures,
            "--record",
            pads.to_str().unwrap(),
        ],
    );
    terminal.press(b"d");
    assert_eq!(wait(child), Some(0));
    assert!(terminal.end().contains('▀'));
    assert_eq!(std::fs::read_dir(pictures).unwrap().count(), 40);
    let log = overworld_host::pads::Pads::parse(&std::fs::read(pads).unwrap()).unwrap();
    assert!(log.frames().any(|it| it == 0x2000));
}

/// A walk cannot be repeated by hand: what was held is kept also where a picture in the way ends the show.
#[test]
fn what_was_held_is_kept_however_the_show_ends() {
    let folder = tempfile::tempdir().unwrap();
    let pictures = folder.path().join("pictures");
    std::fs::create_dir(&pictures).unwrap();
    std::fs::write(pictures.join("frame00030.png"), "something else").unwrap();
    let pads = folder.path().join("pads.json");
    let mut terminal = Terminal::new(40, 12);
    let child = terminal.run(
        "xterm",
        &[
            "run",
            "--town",
            "--png",
            pictures.to_str().unwrap(),
            "--record",
            pads.to_str().unwrap(),
        ],
    );
    terminal.press(b"d");
    assert_eq!(wait(child), Some(1));
    let screen = terminal.end();
    assert!(
        screen.contains("frame00030.png") && screen.contains("; what was held is in "),
        "{screen}"
    );
    let log = overworld_host::pads::Pads::parse(&std::fs::read(pads).unwrap()).unwrap();
    assert_eq!(log.length(), 31);
}
