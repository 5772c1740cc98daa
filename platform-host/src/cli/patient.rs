//! Writing to a stream that nobody may read. A pipe and a terminal take so much and then let the writer wait, and a
//! signal that is only noted (see [`signals`]) would not end that.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use overworld_host::signals;

/// Bytes that are written at once: a pipe that takes any takes as many.
const CHUNK: usize = 0x1000;
/// How often a writer that waits looks for signals.
const LOOK: Duration = Duration::from_millis(50);
/// How long it waits once a signal has come, in all: a reader that is busy for a moment is not one that never reads.
const LAST: Duration = Duration::from_secs(1);
/// The same behind a second signal.
const SHORT: Duration = Duration::from_millis(100);

/// Whether the program is about to end by a signal.
static ENDING: AtomicBool = AtomicBool::new(false);

/// Whether the terminal of standard output has gone away.
static GONE: AtomicBool = AtomicBool::new(false);

/// Whether the terminal of standard output has gone away.
pub fn is_gone() -> bool {
    GONE.load(Ordering::Relaxed)
}

/// A signal was heeded: from now on nobody is waited for longer than a second.
pub fn hurry() {
    ENDING.store(true, Ordering::Relaxed);
}

/// How long somebody who does not read has been waited for.
struct Patience {
    /// Since when, behind a signal.
    since: Option<Instant>,
}

/// That of the whole program: what is written to put things in order is not waited for anew.
static PATIENCE: Mutex<Patience> = Mutex::new(Patience { since: None });

impl Patience {
    /// Whether it is at its end `now`, so many signals having come, 2 for more.
    fn is_over(&mut self, now: Instant, signals: u32) -> bool {
        let most = match signals {
            0 => return false,
            1 => LAST,
            _ => SHORT,
        };
        let since = *self.since.get_or_insert(now);
        now.saturating_duration_since(since) >= most
    }
}

/// The signals that came, 2 for more than one.
fn signals() -> u32 {
    u32::from(ENDING.load(Ordering::Relaxed)) + signals::count()
}

/// Write to standard output, until all is written or a signal comes while nobody reads.
///
/// # Errors
/// Those of the stream, and that of the signal; also that the stream is not open for writing.
pub fn write(data: &[u8]) -> io::Result<()> {
    let mut patience = PATIENCE.lock().unwrap_or_else(PoisonError::into_inner);
    for chunk in data.chunks(CHUNK) {
        all(chunk, &mut patience)?;
    }
    Ok(())
}

#[cfg(unix)]
fn all(chunk: &[u8], patience: &mut Patience) -> io::Result<()> {
    use std::os::fd::AsFd as _;

    let own = terminal();
    if own.is_none() && !is_writable() {
        return Err(io::Error::other("is not open for writing"));
    }
    let out = own.map_or(rustix::stdio::stdout(), |it| it.as_fd());
    all_to(out, chunk, patience, signals)
}

/// Write to a stream; `signals` tells how many came, each time that nobody has read for a moment.
#[cfg(unix)]
fn all_to(
    out: std::os::fd::BorrowedFd<'_>,
    mut chunk: &[u8],
    patience: &mut Patience,
    mut signals: impl FnMut() -> u32,
) -> io::Result<()> {
    use rustix::io::{Errno, write};

    while !chunk.is_empty() {
        if !is_ready(out, LOOK)? {
            // A terminal that has just gone away takes what is written, and tells by that.
            let is_over = patience.is_over(Instant::now(), signals());
            if is_over && !is_ready(out, Duration::ZERO)? {
                return Err(io::Error::other("stopped by a signal while nobody reads"));
            }
            continue;
        }
        match write(out, chunk) {
            Ok(written) => {
                patience.since = None;
                chunk = chunk.get(written..).unwrap_or_default();
            }
            Err(Errno::INTR | Errno::AGAIN) => {}
            Err(error @ Errno::IO) => {
                GONE.store(true, Ordering::Relaxed);
                return Err(error.into());
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// The terminal of standard output, opened anew so that it takes what there is room for and nobody else's writes
/// change. (A terminal is ready when it has room for a character; a write of more waits within the system.) Where
/// that cannot be had, standard output serves.
#[cfg(target_os = "linux")]
fn terminal() -> Option<&'static std::os::fd::OwnedFd> {
    use rustix::fs::{Mode, OFlags, open};
    use std::io::IsTerminal as _;
    use std::os::fd::OwnedFd;
    use std::sync::OnceLock;

    static OWN: OnceLock<Option<OwnedFd>> = OnceLock::new();
    let own = OWN.get_or_init(|| {
        let flags = OFlags::WRONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let is_one = io::stdout().is_terminal();
        is_one.then(|| open("/proc/self/fd/1", flags, Mode::empty()).ok())?
    });
    own.as_ref()
}

#[cfg(all(unix, not(target_os = "linux")))]
fn terminal() -> Option<&'static std::os::fd::OwnedFd> {
    None
}

/// Whether standard output is open for writing. The standard library takes one that is not for one that takes all; and
/// what is read only is never ready, so that a writer would wait for ever.
#[cfg(unix)]
pub fn is_writable() -> bool {
    use rustix::fs::{OFlags, fcntl_getfl};

    let flags = fcntl_getfl(rustix::stdio::stdout());
    flags.is_ok_and(|it| {
        let access = it & OFlags::RWMODE;
        access == OFlags::WRONLY || access == OFlags::RDWR
    })
}

#[cfg(not(unix))]
pub fn is_writable() -> bool {
    true
}

/// Whether a stream takes something, within a time. One that is gone does: the writer is told then.
#[cfg(unix)]
fn is_ready(stream: std::os::fd::BorrowedFd<'_>, within: Duration) -> io::Result<bool> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    let mut polled = [PollFd::from_borrowed_fd(stream, PollFlags::OUT)];
    let mut within = Timespec::try_from(within).ok();
    loop {
        match poll(&mut polled, within.as_ref()) {
            Ok(count) => return Ok(count != 0),
            // A signal says nothing of the stream: it is asked once more, without waiting.
            Err(rustix::io::Errno::INTR) => within = Some(Timespec::default()),
            Err(error) => return Err(error.into()),
        }
    }
}

/// Whether a line on standard error would wait for a reader for ever, behind a signal.
pub fn is_stuck() -> bool {
    #[cfg(unix)]
    if signals::came() || ENDING.load(Ordering::Relaxed) {
        let ready = is_ready(rustix::stdio::stderr(), LOOK);
        return matches!(ready, Ok(false));
    }
    false
}

#[cfg(not(unix))]
fn all(chunk: &[u8], _: &mut Patience) -> io::Result<()> {
    use std::io::Write as _;
    let mut out = io::stdout().lock();
    out.write_all(chunk).and_then(|()| out.flush())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::io::{Read as _, pipe};
    use std::os::fd::AsFd as _;

    use super::*;

    /// A pipe that holds no more, and what it holds.
    fn full() -> (io::PipeReader, io::PipeWriter, usize) {
        let (reader, writer) = pipe().unwrap();
        let held = rustix::pipe::fcntl_setpipe_size(&writer, CHUNK).unwrap();
        all_to(writer.as_fd(), &vec![b'a'; held], &mut unused(), || 0).unwrap();
        (reader, writer, held)
    }

    fn unused() -> Patience {
        Patience { since: None }
    }

    /// A signal has come while nobody reads; somebody does when the writer looks for the third time.
    #[test]
    fn a_reader_that_is_busy_for_a_moment_gets_all() {
        let (mut reader, writer, held) = full();
        let mut patience = unused();
        let mut looks = 0;
        let written = all_to(writer.as_fd(), b"bcd", &mut patience, || {
            looks += 1;
            if looks == 3 {
                reader.read_exact(&mut vec![0; held]).unwrap();
            }
            1
        });
        written.unwrap();
        assert_eq!(looks, 3);
        // The next wait is a new one.
        assert!(patience.since.is_none());
        let mut read = [0; 3];
        reader.read_exact(&mut read).unwrap();
        assert_eq!(&read, b"bcd");
    }

    /// What a writer says of somebody who never reads, behind so many signals, and how long it took.
    fn unread(patience: &mut Patience, signals: u32) -> (String, Duration) {
        let (_reader, writer, _) = full();
        let began = Instant::now();
        let written = all_to(writer.as_fd(), b"b", patience, || signals);
        (written.unwrap_err().to_string(), began.elapsed())
    }

    #[test]
    fn nobody_is_waited_for_for_ever() {
        let mut patience = unused();
        let (error, took) = unread(&mut patience, 1);
        assert_eq!(error, "stopped by a signal while nobody reads");
        assert!(took >= LAST, "{took:?}");
        // What is written to put things in order finds that out again, but does not wait for it.
        let since = patience.since;
        unread(&mut patience, 1);
        assert!(since.is_some() && patience.since == since);
    }

    #[test]
    fn a_second_signal_cuts_it_short() {
        let began = Instant::now();
        let is_over = |waited, signals| {
            let mut patience = unused();
            let at_once = patience.is_over(began, 1);
            assert!(!at_once);
            patience.is_over(began + waited, signals)
        };
        assert!(!is_over(LAST / 2, 1) && is_over(LAST / 2, 2));
        assert!(!is_over(SHORT / 2, 2), "a moment is left even then");
        assert!(is_over(LAST, 1));
        assert!(!is_over(2 * LAST, 0), "nobody asked for an end");
        let (error, took) = unread(&mut unused(), 2);
        assert_eq!(error, "stopped by a signal while nobody reads");
        assert!(took >= SHORT, "{took:?}");
    }
}
