//! What the tests of the binary share.
#![allow(dead_code, reason = "each test binary uses a part of it")]

use std::io::Write;
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

    /// Standard error of a call that fails with `status`.
    pub fn bad(&self, arguments: &[&str], status: i32) -> String {
        let output = self.overworld(arguments);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{error}");
        assert_eq!(text(&output.stdout), "");
        error
    }
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

pub fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}
