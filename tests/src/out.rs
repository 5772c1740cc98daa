//! Printing to whoever may have stopped to listen.
//!
//! `println!` panics when the reader of standard output is gone (`… | head -1`). What is printed
//! here ends the process quietly instead, as SIGPIPE does: at once, or, while an emulator runs,
//! after it was ended and its files were removed. An output that cannot be written (a full disk)
//! does the same with a message and status 1.

use std::fmt::{self, Write as _};
use std::io::{self, Write};

use crate::process::{self, Mute};

/// Print to standard output, without a line end. If it cannot be written, the process ends.
pub fn text(text: fmt::Arguments<'_>) {
    if !try_text(text) {
        process::take_interrupt();
    }
}

/// [`text`] that leaves the end to the caller: `false` when nothing can be printed any more.
#[must_use]
pub fn try_text(text: fmt::Arguments<'_>) -> bool {
    match write(&mut io::stdout().lock(), text) {
        Ok(()) => true,
        Err(error) => {
            unwritten(&error);
            false
        }
    }
}

/// Note that the process is to end, and say why unless its reader left.
fn unwritten(error: &io::Error) {
    if error.kind() == io::ErrorKind::BrokenPipe {
        process::note_end(Mute::ReaderGone);
    } else if process::note_end(Mute::Refused) {
        complaint(format_args!("standard output cannot be written: {error}\n"));
    }
}

/// Standard output for code that writes to a stream, with the same end as [`text`].
#[derive(Clone, Copy, Debug)]
pub struct Listener;

impl Write for Listener {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = io::stdout().lock().write(bytes);
        if let Err(error) = &written
            && error.kind() == io::ErrorKind::BrokenPipe
        {
            unwritten(error);
            process::take_interrupt();
        }
        written
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stdout().lock().flush()
    }
}

/// Print to standard error; whoever does not listen misses it.
pub fn complaint(text: fmt::Arguments<'_>) {
    let _ = io::stderr().lock().write_fmt(text);
}

fn write(out: &mut dyn Write, text: fmt::Arguments<'_>) -> io::Result<()> {
    // In one piece, so that lines of several threads stay whole.
    let mut whole = String::new();
    let _ = whole.write_fmt(text);
    out.write_all(whole.as_bytes())?;
    out.flush()
}

/// `println!` that survives a reader who is gone: see [`out`](crate::out).
#[macro_export]
macro_rules! say {
    () => { $crate::out::text(::core::format_args!("\n")) };
    ($($part:tt)*) => {
        $crate::out::text(::core::format_args!("{}\n", ::core::format_args!($($part)*)))
    };
}

/// `eprintln!` that survives a reader who is gone: see [`out`](crate::out).
#[macro_export]
macro_rules! complain {
    ($($part:tt)*) => {
        $crate::out::complaint(::core::format_args!("{}\n", ::core::format_args!($($part)*)))
    };
}
