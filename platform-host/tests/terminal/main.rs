//! `run` in a terminal: keys, sizes, and a terminal that is left as it was found.
#![cfg(target_os = "linux")]

#[path = "../common/mod.rs"]
mod common;
mod screen;
mod signals;

use std::io::Read;
use std::ops::ControlFlow;
use std::process::Stdio;
use std::time::Duration;

use overworld_host::drive::ImageDrive;
use overworld_host::{play, sample};

use screen::{Terminal, ends, program, wait};

const FRAMES: u32 = 8;

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
    // A paste and an answer of the terminal, with letters that would walk and end.
    let answers = b"\x1b[200~quod d\x1b[201~\x1b]11;rgb:dddd/0000/qqqq\x1b\\";
    assert_eq!(hash_after(answers), still);
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
    let child = terminal.run("linux", &["run", "--town", "--frames", "64"]);
    assert_eq!(wait(child), Some(0));
    let screen = terminal.end();
    assert!(
        screen.contains("\x1b[0;37;44m The gate is shut. "),
        "{screen}"
    );
    assert!(screen.contains(" Shall I open it?  "), "{screen}");
    assert!(!screen.contains("38;5") && !screen.contains("38;2"));
    terminal = Terminal::new(40, 12);
    let child = terminal.run(
        "xterm",
        &[
            "run",
            "--town",
            "--frames",
            "12",
            "--png",
            pictures,
            "--record",
            pads.to_str().unwrap(),
        ],
    );
    terminal.press(b"d");
    assert_eq!(wait(child), Some(0));
    assert!(terminal.end().contains('▀'));
    assert_eq!(std::fs::read_dir(pictures).unwrap().count(), 12);
    let log = overworld_host::pads::Pads::parse(&std::fs::read(pads).unwrap()).unwrap();
    assert!(log.frames().any(|it| it == 0x2000));
}

/// A walk cannot be repeated by hand: what was held is kept also where a picture in the way ends the show.
#[test]
fn what_was_held_is_kept_however_the_show_ends() {
    let folder = tempfile::tempdir().unwrap();
    let pictures = folder.path().join("pictures");
    std::fs::create_dir(&pictures).unwrap();
    std::fs::write(pictures.join("frame00008.png"), "something else").unwrap();
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
        screen.contains("frame00008.png") && screen.contains("; what was held is in "),
        "{screen}"
    );
    let log = overworld_host::pads::Pads::parse(&std::fs::read(pads).unwrap()).unwrap();
    assert_eq!(log.length(), 9);
}
