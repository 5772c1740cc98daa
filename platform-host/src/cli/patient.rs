//! Writing to a stream that nobody may read. A pipe and a terminal take so much and then let the writer wait, and a
//! signal that is only noted (see [`signals`]) would not end that.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use overworld_host::signals;

/// Bytes that are written at once: a pipe that takes any takes as many.
const CHUNK: usize = 0x1000;
/// How often a writer that waits looks for signals.
const LOOK: Duration = Duration::from_millis(50);
/// How often that may be where what was noted has been heeded already: a second in all.
const LAST: u32 = 20;

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

/// Write to standard output, until all is written or a signal comes while nobody reads.
///
/// # Errors
/// Those of the stream, and that of the signal; also that the stream is not open for writing.
pub fn write(data: &[u8]) -> io::Result<()> {
    for chunk in data.chunks(CHUNK) {
        all(chunk, LAST)?;
    }
    Ok(())
}

#[cfg(unix)]
fn all(mut chunk: &[u8], mut looks: u32) -> io::Result<()> {
    use rustix::io::{Errno, write};
    use rustix::stdio::stdout;
    use std::os::fd::AsFd as _;

    let own = terminal();
    if own.is_none() && !is_writable() {
        return Err(io::Error::other("is not open for writing"));
    }
    let out = own.map_or(stdout(), |it| it.as_fd());
    while !chunk.is_empty() {
        if !is_ready(out, LOOK)? {
            looks = looks.saturating_sub(u32::from(ENDING.load(Ordering::Relaxed)));
            // A terminal that has just gone away takes what is written, and tells by that.
            let heeded = signals::came() || looks == 0;
            if heeded && !is_ready(out, Duration::ZERO)? {
                return Err(io::Error::other("stopped by a signal while nobody reads"));
            }
            continue;
        }
        match write(out, chunk) {
            Ok(written) => chunk = chunk.get(written..).unwrap_or_default(),
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
fn all(chunk: &[u8], _: u32) -> io::Result<()> {
    use std::io::Write as _;
    let mut out = io::stdout().lock();
    out.write_all(chunk).and_then(|()| out.flush())
}
