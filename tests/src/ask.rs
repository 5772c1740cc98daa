//! Asking a program one question: its answer is bounded in time and length.
//!
//! Whatever the program is (one that waits for ever, one that prints for ever, one that starts others
//! and leaves), [`ask`] comes back and nothing of it is left.

use std::io::{self, Read};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use crate::process::{self, Guarded};

/// How a program answered.
#[derive(Clone, Debug)]
pub struct Answer {
    /// How it ended.
    pub status: ExitStatus,
    /// The beginning of what it printed on standard output.
    pub stdout: Vec<u8>,
    /// The beginning of what it printed on standard error.
    pub stderr: Vec<u8>,
}

/// How long an answer may take and be.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// From the start of the program to its end.
    pub time: Duration,
    /// Bytes of each output; who prints more is cut off.
    pub bytes: u64,
}

/// Run `command` to its end and take what it prints; its standard input is empty. A signal that ends
/// this process ends the program first; [`settle`] then takes it.
///
/// # Errors
/// It does not start, or takes too long ([`io::ErrorKind::TimedOut`]), or a signal came
/// ([`io::ErrorKind::Interrupted`]).
pub fn ask(command: &mut Command, limits: Limits) -> io::Result<Answer> {
    let until = Instant::now() + limits.time;
    command.stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut program = Guarded::spawn(command)?;
    let child = program.child();
    let stdout = beginning(child.stdout.take(), limits.bytes);
    let stderr = beginning(child.stderr.take(), limits.bytes);
    let status = loop {
        if let Some(status) = program.status()? {
            break Ok(status);
        }
        if process::interrupted() {
            break Err(io::ErrorKind::Interrupted.into());
        }
        if Instant::now() >= until {
            let text = format!("no end after {} s", limits.time.as_secs_f32());
            break Err(io::Error::new(io::ErrorKind::TimedOut, text));
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    // With all that it started, which may hold the pipes.
    drop(program);
    let status = status?;
    // What left the group may still hold them: then there is no answer on that one.
    let patience = Duration::from_secs(1);
    Ok(Answer {
        status,
        stdout: stdout.recv_timeout(patience).unwrap_or_default(),
        stderr: stderr.recv_timeout(patience).unwrap_or_default(),
    })
}

/// Take a signal that came meanwhile, for a caller that has removed its files.
pub fn settle() {
    process::take_interrupt();
}

/// The first bytes of a pipe, read by a thread of its own, which then closes it.
fn beginning(pipe: Option<impl Read + Send + 'static>, bytes: u64) -> Receiver<Vec<u8>> {
    let (send, receive) = channel();
    std::thread::spawn(move || {
        let mut text = Vec::new();
        if let Some(pipe) = pipe {
            // What was read before an error is an answer, too.
            let _ = pipe.take(bytes).read_to_end(&mut text);
        }
        let _ = send.send(text);
    });
    receive
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits {
        time: Duration::from_secs(20),
        bytes: 1000,
    };

    fn shell(script: &str, limits: Limits) -> io::Result<Answer> {
        ask(Command::new("sh").args(["-c", script]), limits)
    }

    #[test]
    fn an_answer_is_what_was_printed_and_how_it_ended() {
        let answer = shell("cat; echo yes; echo but >&2; exit 3", LIMITS).unwrap();
        assert_eq!(
            (&*answer.stdout, &*answer.stderr),
            (&b"yes\n"[..], &b"but\n"[..])
        );
        assert_eq!(answer.status.code(), Some(3));
        let none = ask(&mut Command::new("/nowhere/at all"), LIMITS).unwrap_err();
        assert_eq!(none.kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn who_never_ends_is_ended() {
        let limits = Limits {
            time: Duration::from_millis(300),
            ..LIMITS
        };
        let began = Instant::now();
        let error = shell("trap '' TERM; while :; do sleep 1; done", limits).unwrap_err();
        assert_eq!(error.to_string(), "no end after 0.3 s");
        assert!(began.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn who_prints_for_ever_is_cut_off() {
        let answer = shell("yes; exit 0", LIMITS).unwrap();
        assert_eq!(answer.stdout.len(), 1000);
    }

    #[test]
    fn a_child_that_is_left_behind_does_not_hold_the_answer() {
        let began = Instant::now();
        let answer = shell("sleep 1000 & echo $!", LIMITS).unwrap();
        assert!(began.elapsed() < Duration::from_secs(10));
        let child = String::from_utf8(answer.stdout).unwrap();
        let stat = std::path::PathBuf::from(format!("/proc/{}/stat", child.trim()));
        let gone = || std::fs::read_to_string(&stat).is_ok_and(|stat| !stat.contains(") Z "));
        while gone() {
            assert!(began.elapsed() < Duration::from_secs(10), "{child} lives");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}
