//! Signals that come to a show.

use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::io::ioctl_fionread;
use rustix::pipe::fcntl_setpipe_size;
use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};

use super::common;
use super::screen::{PATIENCE, Terminal, ends, program, wait};

/// Ctrl-C, which a terminal turns into a signal, ends the show and not the results, and so do a polite end, a
/// shell that goes away and SIGQUIT; the other keys that would stop a program, and its screen as it is, do nothing.
#[test]
fn the_show_can_be_ended() {
    std::thread::scope(|scope| {
        for signal in ["-INT", "-TERM", "-HUP", "-QUIT"] {
            scope.spawn(|| ended_by(signal));
        }
    });
}

fn ended_by(signal: &str) {
    let mut terminal = Terminal::new(40, 12);
    let before = terminal.modes();
    let child = terminal.start(100_000);
    terminal.await_keys(&before);
    // Ctrl-S, Ctrl-Z, Ctrl-\: it goes on.
    terminal.press(b"\x13\x1a\x1c");
    std::thread::sleep(Duration::from_millis(100));
    common::kill(signal, child.id());
    assert_eq!(wait(child), Some(0), "{signal}");
    assert_eq!(terminal.modes(), before, "{signal}");
    let screen = terminal.end();
    assert!(screen.contains("\x1b[?2004h") && screen.contains("\x1b[?2004l"));
    let (_, results) = screen.rsplit_once("\x1b[?25h\x1b[?1049l").unwrap();
    assert!(results.contains("state hash "), "{signal}: {results}");
}

/// Whether a process is stopped.
fn is_stopped(process: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    let (_, state) = stat.rsplit_once(") ").unwrap();
    state.starts_with('T')
}

/// Wait until a process is stopped, or goes on.
fn await_stop(process: u32, stopped: bool) {
    let began = Instant::now();
    while is_stopped(process) != stopped {
        assert!(began.elapsed() < PATIENCE, "stopped: {}", !stopped);
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Who is stopped leaves the terminal as it was, and takes it again; who is stopped without a word takes it again, too.
#[test]
fn a_show_that_is_stopped_leaves_the_terminal_to_others() {
    let mut terminal = Terminal::new(40, 12);
    let before = terminal.modes();
    let child = terminal.start(100_000);
    terminal.await_keys(&before);
    let during = terminal.modes();
    for signal in ["-TSTP", "-STOP", "-TSTP"] {
        terminal.await_text("q ends, frame ");
        let from = terminal.length();
        common::kill(signal, child.id());
        await_stop(child.id(), true);
        if signal == "-TSTP" {
            terminal.await_behind(from, b"\x1b[?2004l\x1b[0m\x1b[?25h\x1b[?1049l");
            assert_eq!(terminal.modes(), before);
        } else {
            // As a shell does that goes on meanwhile.
            restore(&terminal);
            assert_eq!(terminal.modes(), before);
        }
        let from = terminal.length();
        common::kill("-CONT", child.id());
        terminal.await_behind(from, b"\x1b[?1049h");
        terminal.await_behind(from, b"q ends, frame ");
        assert_eq!(terminal.modes(), during, "{signal}");
    }
    terminal.press(b"q");
    assert_eq!(wait(child), Some(0));
    assert_eq!(terminal.modes(), before);
    assert!(terminal.end().contains("state hash "));
}

/// Make the modes those of a new terminal.
fn restore(terminal: &Terminal) {
    let fresh = Terminal::new(40, 12);
    let modes = tcgetattr(&fresh.line).unwrap();
    tcsetattr(&terminal.line, OptionalActions::Now, &modes).unwrap();
    fresh.end();
}

/// What was walked is kept, however many signals come, and however soon behind each other.
#[test]
fn a_second_signal_does_not_cost_the_record() {
    let folder = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for (number, signals) in [["-INT", "-INT"], ["-INT", "-TERM"], ["-HUP", "-QUIT"]]
            .into_iter()
            .enumerate()
        {
            let file = folder.path().join(format!("{number}.json"));
            scope.spawn(move || {
                let mut terminal = Terminal::new(40, 12);
                let before = terminal.modes();
                let name = file.to_str().unwrap();
                let child = terminal.run("xterm", &["run", "--town", "--record", name]);
                terminal.await_keys(&before);
                terminal.press(b"d");
                terminal.await_text("q ends, frame 5, arr");
                let [one, other] = signals.map(|signal| format!("kill {signal} {}", child.id()));
                // The program may have ended before the last one.
                let all = format!("{one}; {other}; {other}; {one} || true");
                let mut shell = Command::new("sh");
                let shell = shell.args(["-c", &all]).stderr(Stdio::null());
                assert!(shell.status().unwrap().success());
                wait(child);
                assert_eq!(terminal.modes(), before);
                terminal.end();
                let log = std::fs::read(&file).unwrap();
                let log = overworld_host::pads::Pads::parse(&log).unwrap();
                assert!(log.length() >= 5, "{signals:?}");
            });
        }
    });
}

/// A terminal that goes away hangs up as well: its end is one end, whichever is noticed first.
#[test]
fn a_terminal_that_goes_away_and_hangs_up_gives_one_status() {
    let folder = tempfile::tempdir().unwrap();
    let mut ended = Vec::new();
    for number in 0..4 {
        let file = folder.path().join(format!("{number}.json"));
        let (mut keys, line) = ends();
        // Its own session, whose terminal this is.
        let mut command = Command::new("setsid");
        command
            .args(["-c", env!("CARGO_BIN_EXE_overworld"), "run", "--town"])
            .arg("--record")
            .arg(&file)
            .env("TERM", "xterm")
            .env_remove("NO_COLOR")
            .stdin(Stdio::from(line.try_clone().unwrap()))
            .stdout(Stdio::from(line))
            .stderr(Stdio::piped());
        let mut child = match command.spawn() {
            Ok(child) => child,
            Err(error) => {
                let _ = writeln!(std::io::stderr(), "skipped: setsid: {error}");
                return;
            }
        };
        drop(command);
        // It has begun.
        keys.read_exact(&mut [0; 4000]).unwrap();
        drop(keys);
        let mut errors = child.stderr.take().unwrap();
        ended.push(wait(child));
        let mut said = String::new();
        errors.read_to_string(&mut said).unwrap();
        assert!(said.starts_with("overworld: terminal: "), "{said}");
        assert!(said.contains("; what was held is in "), "{said}");
        assert!(file.is_file());
    }
    assert_eq!(ended, [Some(1); 4]);
}

/// Nobody reads the terminal, so the program waits for somebody; a signal ends it all the same.
#[test]
fn a_show_that_nobody_reads_can_be_ended() {
    // Soon, and when it waits.
    let cases = [("-TERM", 0), ("-TERM", 1500), ("-INT", 300), ("-HUP", 1500)];
    let unread = |(signal, after)| {
        let (keys, line) = ends();
        let before = format!("{:?}", tcgetattr(&line).unwrap());
        let child = program(&line, 100_000).spawn().unwrap();
        // The keys are taken after the first picture's place is made, and the pictures are more than it holds.
        let began = Instant::now();
        while format!("{:?}", tcgetattr(&line).unwrap()) == before {
            assert!(began.elapsed() < PATIENCE, "no keys");
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(after));
        common::kill(signal, child.id());
        wait(child);
        assert_eq!(format!("{:?}", tcgetattr(&line).unwrap()), before);
        drop(keys);
    };
    std::thread::scope(|scope| {
        for case in cases {
            scope.spawn(move || unread(case));
        }
    });
}

/// Somebody who reads a moment later is not nobody: a signal that comes while the program waits for them ends the show
/// with its results.
#[test]
fn a_terminal_that_is_busy_for_a_moment_gets_the_results() {
    let late = |signal| {
        let (mut keys, line) = ends();
        let mut child = program(&line, 100_000).spawn().unwrap();
        // The first picture comes, and more of them than the terminal holds.
        keys.read_exact(&mut [0; 0x1000]).unwrap();
        std::thread::sleep(Duration::from_millis(500));
        common::kill(signal, child.id());
        std::thread::sleep(Duration::from_millis(100));
        assert_eq!(child.try_wait().unwrap(), None, "{signal}");
        drop(line);
        let (mut shown, mut part) = (Vec::new(), [0; 0x1000]);
        // Ends with an error when no program has the other end any more.
        while let Ok(count @ 1..) = keys.read(&mut part) {
            shown.extend(&part[..count]);
        }
        assert_eq!(wait(child), Some(0), "{signal}");
        let shown = String::from_utf8_lossy(&shown);
        assert!(shown.contains("state hash "), "{signal}: {shown}");
    };
    std::thread::scope(|scope| {
        for signal in ["-TERM", "-INT", "-HUP"] {
            scope.spawn(move || late(signal));
        }
    });
}

/// Hashes that nobody reads, in a pipe that is full soon.
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
        std::thread::sleep(Duration::from_millis(100));
    }
    assert!(held <= 0x1000);
    common::kill("-TERM", child.id());
    // By the signal, not by itself.
    assert_eq!(wait(child), None);
    drop(reader);
}
