//! A program that works for this process: it is followed line by line, and it does not outlive us.
//!
//! What is started here leads a process group of its own, as an emulator does: a signal that ends this
//! process reaches it through us, and in the order that it needs.

use std::io::{self, BufRead as _, BufReader, Read};
use std::ops::ControlFlow;
use std::process::{Child, Command, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use crate::complain;
use crate::process::{self, Guarded};

/// What happens to the program when a signal (SIGINT, SIGTERM, SIGHUP, SIGQUIT) is to end this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtSignal {
    /// It is ended first, with all that it started.
    EndIt,
    /// It is let finish: it does what must not break off in the middle.
    LetItFinish,
}

/// A line, with its end if it has one, of the outputs that are piped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// Of standard output.
    Out(Vec<u8>),
    /// Of standard error.
    Err(Vec<u8>),
}

/// How long a program and what it started may take to put their things in order. Test programs among
/// them have emulators of their own to end.
const GRACE: Duration = Duration::from_secs(5);
/// How long to wait for lines of those that a program leaves behind.
const PATIENCE: Duration = Duration::from_secs(1);

/// Run `command` to its end; `on_line` sees the lines of the outputs that the caller has made pipes, and
/// may break off: then the program is ended. What the program leaves behind when it ends by itself is
/// left alone.
///
/// A signal that came meanwhile ends this process at the end of this call: the caller has nothing left
/// to put in order.
///
/// # Errors
/// The program does not start, or was ended before its end ([`io::ErrorKind::Interrupted`]) because
/// `on_line` broke off, or because of a signal that other runs of this process still hold up.
pub fn follow(
    command: &mut Command,
    at_signal: AtSignal,
    on_line: &mut dyn FnMut(Line) -> ControlFlow<()>,
) -> io::Result<ExitStatus> {
    let result = followed(command, at_signal, on_line);
    process::take_interrupt();
    // Another run of this process still ends its program: what this one's caller would start next were
    // ended at once, and fail with a message that nobody wants.
    let until = Instant::now() + 2 * GRACE;
    while process::interrupted() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(5));
        process::take_interrupt();
    }
    result
}

fn followed(
    command: &mut Command,
    at_signal: AtSignal,
    on_line: &mut dyn FnMut(Line) -> ControlFlow<()>,
) -> io::Result<ExitStatus> {
    let mut program = Guarded::spawn(command)?;
    let lines = lines(program.child());
    let mut told = false;
    let mut silent_since = None;
    loop {
        if process::interrupted() {
            if at_signal == AtSignal::EndIt {
                break;
            }
            if !told {
                let name = command.get_program().to_string_lossy();
                complain!("{name} must not break off now; this ends when it has ended");
                told = true;
            }
        }
        match lines.recv_timeout(Duration::from_millis(20)) {
            Ok(line) => {
                silent_since = None;
                if on_line(line).is_break() {
                    break;
                }
            }
            Err(why) => {
                if let Some(status) = program.status()? {
                    let since = *silent_since.get_or_insert_with(Instant::now);
                    if why == RecvTimeoutError::Disconnected || since.elapsed() > PATIENCE {
                        program.leave();
                        return Ok(status);
                    }
                }
                if why == RecvTimeoutError::Disconnected {
                    // It has closed its outputs and works on.
                    std::thread::sleep(Duration::from_millis(5));
                }
            }
        }
    }
    program.end_all(GRACE)?;
    Err(io::ErrorKind::Interrupted.into())
}

/// One thread a pipe; the channel is bounded, so a flood waits in the program, not in memory.
fn lines(child: &mut Child) -> Receiver<Line> {
    let (send, receive) = sync_channel(256);
    if let Some(pipe) = child.stdout.take() {
        read(pipe, send.clone(), Line::Out);
    }
    if let Some(pipe) = child.stderr.take() {
        read(pipe, send, Line::Err);
    }
    receive
}

fn read(pipe: impl Read + Send + 'static, send: SyncSender<Line>, kind: fn(Vec<u8>) -> Line) {
    std::thread::spawn(move || {
        let mut pipe = BufReader::new(pipe);
        loop {
            let mut line = Vec::new();
            match pipe.read_until(b'\n', &mut line) {
                // When nobody takes the lines the pipe is emptied all the same: a program that is
                // being ended may have something to say, and must not wait for us.
                Ok(1..) => drop(send.send(kind(line))),
                Ok(0) => break,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
    });
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::process::Stdio;

    fn shell(
        script: &str,
        on_line: &mut dyn FnMut(Line) -> ControlFlow<()>,
    ) -> io::Result<ExitStatus> {
        let mut command = Command::new("sh");
        command.args(["-c", script]).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        follow(&mut command, AtSignal::EndIt, on_line)
    }

    #[test]
    fn lines_and_status_are_the_programs() {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let status = shell("echo a; echo x >&2; printf b; exit 3", &mut |line| {
            match line {
                Line::Out(line) => out.extend(line),
                Line::Err(line) => err.extend(line),
            }
            ControlFlow::Continue(())
        });
        assert_eq!(status.unwrap().code(), Some(3));
        assert_eq!((&out[..], &err[..]), (&b"a\nb"[..], &b"x\n"[..]));
        let mut none = Command::new("/nowhere/at all");
        let error = follow(&mut none, AtSignal::EndIt, &mut |_| ControlFlow::Break(()));
        assert_eq!(error.unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn who_breaks_off_ends_the_program() {
        let began = Instant::now();
        let mut left = 3;
        let error = shell("while :; do echo more; done", &mut |_| {
            left -= 1;
            match left {
                0 => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        });
        assert_eq!(error.unwrap_err().kind(), io::ErrorKind::Interrupted);
        assert!(left == 0 && began.elapsed() < Duration::from_secs(30));
    }

    /// One that closes its outputs is waited for; one that is left behind with them is not.
    #[test]
    fn the_end_of_the_program_counts_not_that_of_its_outputs() {
        let mut nothing = |_| ControlFlow::Continue(());
        let status = shell("exec >&- 2>&-; sleep 0.3; exit 4", &mut nothing);
        assert_eq!(status.unwrap().code(), Some(4));
        let began = Instant::now();
        let mut child = Vec::new();
        let status = shell("sleep 60 & echo $!; exit 5", &mut |line| {
            if let Line::Out(line) = line {
                child = line;
            }
            ControlFlow::Continue(())
        });
        assert_eq!(status.unwrap().code(), Some(5));
        assert!(began.elapsed() < Duration::from_secs(30));
        let child = String::from_utf8(child).unwrap();
        // The shell's own command: not every machine has a program for it.
        let kill = format!("kill {}", child.trim());
        let kill = Command::new("sh").args(["-c", &kill]).status();
        assert!(kill.unwrap().success(), "it was left alone, not killed");
    }
}
