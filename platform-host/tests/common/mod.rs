//! What the tests of the binary share.
#![allow(dead_code, reason = "each test binary uses a part of it")]

use std::io::{ErrorKind, Write};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A folder of one test's own.
pub struct Place(TempDir);

impl Place {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        std::fs::write(self.path(name), bytes).unwrap();
        self.path(name)
    }

    pub fn overworld<S: AsRef<std::ffi::OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = S>,
    ) -> Output {
        Command::new(env!("CARGO_BIN_EXE_overworld"))
            .args(arguments)
            .current_dir(self.0.path())
            .output()
            .unwrap()
    }

    /// Standard output of a call that succeeds and says nothing on standard error.
    pub fn fine(&self, arguments: &[&str]) -> String {
        let output = self.overworld(arguments);
        assert_eq!(text(&output.stderr), "");
        assert_eq!(output.status.code(), Some(0));
        text(&output.stdout)
    }

    /// Standard output of a call that succeeds, as JSON; nothing else may be there.
    pub fn document(&self, arguments: &[&str]) -> Value {
        let mut arguments = arguments.to_vec();
        arguments.push("--json");
        json(&self.fine(&arguments))
    }

    /// A call with these bytes on standard input.
    pub fn piped(&self, arguments: &[&str], input: &[u8]) -> Output {
        let mut child = Command::new(env!("CARGO_BIN_EXE_overworld"))
            .args(arguments)
            .current_dir(self.0.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A program that refuses early does not read.
        let _ = child.stdin.take().unwrap().write_all(input);
        child.wait_with_output().unwrap()
    }

    /// A call whose standard output nobody reads: its status and standard error.
    pub fn unread(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = Command::new(env!("CARGO_BIN_EXE_overworld"))
            .args(arguments)
            .current_dir(self.0.path())
            .stdout(writer)
            .output()
            .unwrap();
        (output.status.code(), text(&output.stderr))
    }

    /// Standard error of a call that fails with `status`.
    pub fn bad(&self, arguments: &[&str], status: i32) -> String {
        let output = self.overworld(arguments);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{error}");
        assert_eq!(text(&output.stdout), "");
        error
    }
}

/// Send a process a signal. The shell's own command: not every machine has a program for it.
pub fn kill(signal: &str, process: u32) {
    let command = format!("kill {signal} {process}");
    let done = Command::new("sh").args(["-c", &command]).status().unwrap();
    assert!(done.success());
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

pub fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Environment variable that makes a failure of "not installed" when it is `1`. The project's own
/// check sets it: there the programs that ours is compared with are installed.
pub const REQUIRE_VARIABLE: &str = "OVERWORLD_REQUIRE_ISO";

/// What another program says of images; `None`, with a note, if it is not installed.
pub fn foreign(place: &Place, program: &str, arguments: &[&str]) -> Option<Vec<u8>> {
    let required = std::env::var_os(REQUIRE_VARIABLE).is_some_and(|value| value == "1");
    foreign_where(place, program, arguments, required)
}

/// [`foreign`] where the program is required, or is not.
pub fn foreign_where(
    place: &Place,
    program: &str,
    arguments: &[&str],
    required: bool,
) -> Option<Vec<u8>> {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(place.path(""))
        .output();
    let output = match output {
        Ok(output) => output,
        Err(error) if error.kind() == ErrorKind::NotFound && !required => {
            // Not by a macro, whose text nobody sees when a test passes.
            let note = format!("note: not compared with {program}, which is not installed\n");
            let _ = std::io::stderr().write_all(note.as_bytes());
            return None;
        }
        Err(error) => panic!(
            "{program}: {error}; {REQUIRE_VARIABLE} is set, so it must be installed (packages \
             genisoimage and xorriso)"
        ),
    };
    let said = text(&output.stderr);
    assert!(output.status.success(), "{program} {arguments:?}: {said}");
    Some(output.stdout)
}
