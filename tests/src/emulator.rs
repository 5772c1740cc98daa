//! Follows a target program on any emulator until its verdict, its end or its time-out.
//!
//! Whatever the program does (prints nothing, prints for ever, restarts in a loop, dies), a run
//! ends within its time-out plus its grace, keeps a bounded number of lines, and leaves no process
//! behind.

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use crate::picture::Picture;
use crate::process::{self, Guarded};
use crate::verdict::{Judge, Outcome};

/// How long a run may take and how much of it is kept.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// From the start of the emulator to the verdict.
    pub time_out: Duration,
    /// From the request to end to the kill.
    pub grace: Duration,
    /// From a panic or a fault to the end mark that should follow it.
    pub after_crash: Duration,
    /// Bytes of one line; the rest of a longer one is dropped.
    pub line: usize,
    /// Tagged lines kept in the report, the first ones.
    pub lines: usize,
    /// Other lines kept in the report, the last ones.
    pub noise: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            time_out: Duration::from_secs(30),
            grace: Duration::from_secs(2),
            after_crash: Duration::from_secs(2),
            line: 4096,
            lines: 20_000,
            noise: 30,
        }
    }
}

/// Why a run could not begin, or not be followed.
#[derive(Debug)]
pub enum Error {
    /// A file that the run needs is not there.
    Missing {
        /// What the file is for.
        what: &'static str,
        /// Where it should be.
        path: PathBuf,
    },
    /// The emulator does not take the disc; nothing ran.
    Disc {
        /// The sheet.
        path: PathBuf,
        /// What the emulator says.
        why: String,
    },
    /// The operating system refused something.
    Io {
        /// What was tried.
        what: &'static str,
        /// The refusal.
        error: io::Error,
    },
}

impl Error {
    pub(crate) fn io(what: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::Io { what, error }
    }

    /// Exit code of a program that stops with this error: a file is wrong, or the system refused.
    #[must_use]
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Missing { .. } | Self::Disc { .. } => crate::verdict::exit::USAGE,
            Self::Io { .. } => crate::verdict::exit::FAIL,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { what, path } => write!(f, "no {what} at {}", path.display()),
            Self::Disc { path, why } => {
                let path = path.display();
                write!(f, "the emulator does not take the disc {path}: {why}")
            }
            Self::Io { what, error } => write!(f, "cannot {what}: {error}"),
        }
    }
}

// No source: what the system said stands in the message, and who prints the chain would say it twice.
impl std::error::Error for Error {}

/// Refuse a file that is not there before anything is started.
pub(crate) fn need(what: &'static str, path: &Path) -> Result<PathBuf, Error> {
    std::path::absolute(path)
        .ok()
        .filter(|path| path.is_file())
        .ok_or_else(|| Error::Missing {
            what,
            path: path.to_path_buf(),
        })
}

/// What a run left behind.
#[derive(Clone, Debug)]
pub struct Report {
    /// How it ended.
    pub outcome: Outcome,
    /// Why, in words; empty when it passed.
    pub reason: String,
    /// Whether the program itself told how it ended. The emulator's own lines explain nothing then.
    pub told: bool,
    /// The program's own lines (those that start with `@@`), in order.
    pub lines: Vec<String>,
    /// Tagged lines that did not fit into [`Limits::lines`].
    pub dropped: u64,
    /// The last other lines, for the reader of a failure.
    pub noise: Vec<String>,
    /// How often the program began anew.
    pub restarts: u32,
    /// How long it took.
    pub elapsed: Duration,
    /// The pictures that were asked for: all of them, or none.
    pub pictures: Vec<Picture>,
}

impl Report {
    /// The report of a run that could not start because the emulator is not installed.
    #[must_use]
    pub fn missing(reason: String) -> Self {
        Self {
            outcome: Outcome::EmulatorMissing,
            reason,
            told: false,
            lines: Vec::new(),
            dropped: 0,
            noise: Vec::new(),
            restarts: 0,
            elapsed: Duration::ZERO,
            pictures: Vec::new(),
        }
    }
}

impl Report {
    /// The outcome and the reason, in one line.
    #[must_use]
    pub fn summary(&self) -> String {
        let seconds = self.elapsed.as_secs_f32();
        let why = if self.reason.is_empty() { "" } else { ": " };
        format!("{} after {seconds:.1} s{why}{}", self.outcome, self.reason)
    }

    /// The emulator's own lines, where they may explain a bad end: none when the program told the reason.
    #[must_use]
    pub fn emulator_lines(&self) -> &[String] {
        if self.told { &[] } else { &self.noise }
    }
}

impl fmt::Display for Report {
    /// The outcome, the reason, and for a bad end the lines that explain it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.summary())?;
        if self.outcome == Outcome::Pass {
            return Ok(());
        }
        let from = self.lines.len().saturating_sub(20);
        for line in self.lines.iter().skip(from).chain(self.emulator_lines()) {
            write!(f, "\n  | {line}")?;
        }
        Ok(())
    }
}

/// Start `command` and follow its standard output and standard error; `on_line` sees every line
/// as it comes, tagged or not. Its standard input is the caller's choice; it should have no bytes.
///
/// # Errors
/// The process cannot be started or waited for.
pub fn watch(
    mut command: Command,
    limits: &Limits,
    on_line: &mut dyn FnMut(&str),
) -> Result<Report, Error> {
    let began = Instant::now();
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = Guarded::spawn(&mut command).map_err(Error::io("start the emulator"))?;
    let lines = readers(&mut child, limits.line);

    let mut log = Log {
        limits,
        judge: Judge::default(),
        lines: Vec::new(),
        dropped: 0,
        noise: VecDeque::new(),
        on_line,
    };
    let mut deadline = began + limits.time_out;
    let mut after_crash = false;
    let how = loop {
        let now = Instant::now();
        if log.judge.ended() {
            break How::Ended;
        }
        if log.judge.crashed() && !after_crash {
            after_crash = true;
            deadline = deadline.min(now + limits.after_crash);
        }
        if process::interrupted() {
            break How::Interrupted;
        }
        if now >= deadline {
            break How::TimeOut;
        }
        match lines.recv_timeout((deadline - now).min(Duration::from_millis(50))) {
            Ok(line) => log.take(&line),
            Err(RecvTimeoutError::Timeout) => {
                // A child of the emulator may hold the pipes open after its death.
                let ended = child.status().map_err(Error::io("wait for the emulator"))?;
                if ended.is_some() {
                    log.drain(&lines, Duration::from_millis(200));
                    break How::Died;
                }
            }
            Err(RecvTimeoutError::Disconnected) => break How::Died,
        }
    };
    // An emulator that closed its output gets a moment to tell its status.
    let grace = match how {
        How::Died => limits.grace.min(Duration::from_millis(500)),
        _ => limits.grace,
    };
    let status = std::thread::scope(|scope| {
        // Pipes must be emptied meanwhile, or the emulator may wait for them.
        let ending = scope.spawn(|| {
            let status = child.end(grace);
            drop(child);
            status
        });
        log.drain(&lines, grace + Duration::from_secs(1));
        drop(lines);
        ending.join()
    });
    let status = status
        .unwrap_or_else(|_| Err(io::Error::other("the waiting thread panicked")))
        .map_err(Error::io("end the emulator"))?;

    let verdict = log.judge.outcome();
    let told = verdict.is_some();
    let (outcome, reason) = match (verdict, how) {
        (Some(verdict), _) => verdict,
        (None, How::Died) => (
            Outcome::Crash,
            format!("the emulator ended by itself ({status}) before any verdict"),
        ),
        (None, How::Interrupted) => (Outcome::Crash, "interrupted".to_owned()),
        (None, _) => (Outcome::TimeOut, log.silence()),
    };
    Ok(Report {
        outcome,
        reason,
        told,
        restarts: log.judge.restarts(),
        lines: log.lines,
        dropped: log.dropped,
        noise: log.noise.into(),
        elapsed: began.elapsed(),
        pictures: Vec::new(),
    })
}

#[derive(Clone, Copy)]
enum How {
    Ended,
    TimeOut,
    Died,
    Interrupted,
}

struct Log<'a> {
    limits: &'a Limits,
    judge: Judge,
    lines: Vec<String>,
    dropped: u64,
    noise: VecDeque<String>,
    on_line: &'a mut dyn FnMut(&str),
}

impl Log<'_> {
    fn take(&mut self, line: &str) {
        self.judge.line(line);
        (self.on_line)(line);
        if !line.starts_with("@@") {
            if self.noise.len() == self.limits.noise {
                self.noise.pop_front();
            }
            self.noise.push_back(line.to_owned());
        } else if self.lines.len() < self.limits.lines {
            self.lines.push(line.to_owned());
        } else {
            self.dropped += 1;
        }
    }

    /// Take what is still in the pipes, for at most `time`; after a verdict nobody reads it.
    fn drain(&mut self, lines: &Receiver<String>, time: Duration) {
        let until = Instant::now() + time;
        while let Some(left) = until.checked_duration_since(Instant::now()) {
            match lines.recv_timeout(left) {
                Ok(line) if !self.judge.ended() => self.take(&line),
                Ok(_) => {}
                Err(_) => break,
            }
        }
    }

    fn silence(&self) -> String {
        let restarts = self.judge.restarts();
        let seconds = self.limits.time_out.as_secs_f32();
        match (self.lines.last(), restarts) {
            (None, _) => format!("no line of the program in {seconds} s"),
            (Some(_), 1..) => {
                format!("no verdict in {seconds} s; the program began anew {restarts} times")
            }
            (Some(last), 0) => {
                let all = self.lines.len() as u64 + self.dropped;
                format!("no verdict in {seconds} s after {all} lines; the last one kept: {last}")
            }
        }
    }
}

/// One thread a pipe; the channel is bounded, so a flood waits in the emulator, not in memory.
fn readers(child: &mut Guarded, limit: usize) -> Receiver<String> {
    let (send, receive) = sync_channel(256);
    let child = child.child();
    let out = child.stdout.take().map(|pipe| Box::new(pipe) as Box<_>);
    let err = child.stderr.take().map(|pipe| Box::new(pipe) as Box<_>);
    for pipe in [out, err].into_iter().flatten() {
        let send = send.clone();
        std::thread::spawn(move || split(pipe, limit, &send));
    }
    receive
}

/// Cut a stream into lines of at most `limit` bytes.
fn split(mut pipe: Box<dyn Read + Send>, limit: usize, send: &SyncSender<String>) {
    let mut chunk = [0; 8192];
    let mut line: Vec<u8> = Vec::new();
    loop {
        let got = match pipe.read(&mut chunk) {
            Ok(0) => break,
            Ok(got) => got,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        for &byte in chunk.get(..got).unwrap_or_default() {
            if byte != b'\n' {
                if line.len() < limit {
                    line.push(byte);
                }
                continue;
            }
            if send.send(text(&line)).is_err() {
                return;
            }
            line.clear();
        }
    }
    if !line.is_empty() {
        let _ = send.send(text(&line));
    }
}

/// A line as text. What is none, and what could steer a terminal, becomes U+FFFD: a program's line may
/// hold names of a disc that others made.
fn text(line: &[u8]) -> String {
    let line = String::from_utf8_lossy(line);
    let letters = line.trim_end_matches('\r').chars();
    letters
        .map(|letter| {
            if is_active(letter) {
                '\u{FFFD}'
            } else {
                letter
            }
        })
        .collect()
}

/// Control characters, and those that break a line or turn the direction of writing.
fn is_active(letter: char) -> bool {
    match letter {
        '\t' => false,
        '\u{61C}' | '\u{200E}' | '\u{200F}' => true,
        '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => true,
        _ => letter.is_control(),
    }
}
