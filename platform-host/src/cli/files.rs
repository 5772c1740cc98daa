//! Input and output files, of which `-` are the standard streams.

use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use overworld_host::{identify, input, output};

use super::{Failure, Output};

/// Whether standard input was read.
static STDIN_READ: AtomicBool = AtomicBool::new(false);

/// Two inputs are standard input.
fn stdin_twice() -> Failure {
    Failure::usage("standard input can be read once: only one input may be -")
}

/// That at most one of several inputs is standard input.
pub fn check_streams(inputs: &[PathBuf]) -> Result<(), Failure> {
    match inputs.iter().filter(|it| is_stream(it)).count() {
        0 | 1 => Ok(()),
        _ => Err(stdin_twice()),
    }
}

/// A file that was read whole.
pub struct Input {
    /// Its name in messages.
    pub name: String,
    /// Its bytes.
    pub data: Vec<u8>,
}

impl Input {
    /// Read a file, or standard input for `-`.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        Self::within(path, input::FILE)
    }

    /// [`Input::read`] of a file of a scene, or of what is in one.
    pub fn part(path: &Path) -> Result<Self, Failure> {
        Self::within(path, input::PART)
    }

    /// [`Input::read`] of at most `limit` bytes.
    pub fn within(path: &Path, limit: u64) -> Result<Self, Failure> {
        let name = name(path);
        let result = if is_stream(path) {
            // Its second reader would find it empty.
            if STDIN_READ.swap(true, Ordering::Relaxed) {
                return Err(stdin_twice());
            }
            input::read_all(io::stdin().lock(), limit)
        } else {
            input::read(path, limit)
        };
        match result {
            Ok(data) => Ok(Self { name, data }),
            Err(error) => Err(Failure::of(name, error)),
        }
    }

    /// A failure of the reader of a document; of what is none it says what it is instead.
    pub fn no_json(&self, error: impl std::fmt::Display) -> Failure {
        let data = self
            .data
            .strip_prefix(b"\xEF\xBB\xBF")
            .unwrap_or(&self.data);
        match data.trim_ascii_start().first() {
            Some(b'{' | b'[') => self.failure(error),
            None => self.failure("expected a document in JSON, found nothing"),
            Some(_) => match identify::bytes(&self.data) {
                // Words, numbers and the like are told by the reader; of what is no such thing, how it begins.
                it if it.kind == identify::Kind::Unknown && data.is_ascii() => {
                    match serde_json::from_slice::<serde::de::IgnoredAny>(data) {
                        Ok(_) => self.failure(error),
                        Err(_) => self.failure(format_args!(
                            "expected a document in JSON, found {:?} at its beginning",
                            first_word(data)
                        )),
                    }
                }
                it if it.kind == identify::Kind::Unknown => {
                    self.failure("expected a document in JSON, found something else")
                }
                it => self.failure(format_args!(
                    "expected a document in JSON, found a file of kind {} ({})",
                    it.kind, it.evidence
                )),
            },
        }
    }

    /// A failure about this file.
    pub fn failure(&self, error: impl std::fmt::Display) -> Failure {
        Failure::of(&self.name, error)
    }
}

/// The first word of a text, as far as it is told.
fn first_word(text: &[u8]) -> String {
    const MOST: usize = 20;
    let words = text.split(u8::is_ascii_whitespace);
    let word = words.into_iter().find(|it| !it.is_empty());
    let word = String::from_utf8_lossy(word.unwrap_or_default());
    match word.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &word[..end]),
        None => word.into_owned(),
    }
}

/// How a file is called in messages and results.
pub fn name(path: &Path) -> String {
    if is_stream(path) {
        "standard input".to_owned()
    } else {
        path.display().to_string()
    }
}

/// That an image is to be read from standard input.
pub fn no_image_stream() -> Failure {
    Failure::usage(
        "an image cannot be standard input, since it is not read from its beginning to its end: name a file",
    )
}

pub fn is_stream(path: &Path) -> bool {
    path == Path::new("-")
}

/// The option of a call that has one result.
#[derive(Args)]
pub struct Out {
    /// Where to put the result; standard output without this
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
}

impl Out {
    /// Where it goes: see [`Target::new`].
    pub fn target(self, input: &Path, out: &Output) -> Result<Target, Failure> {
        Target::new(self.output, input, out)
    }

    /// Where a text goes, which a terminal may have; none: to standard output.
    pub fn text(self, input: &Path, out: &Output) -> Result<Option<Target>, Failure> {
        match self.output {
            None => Ok(None),
            some => Target::new(some, input, out).map(Some),
        }
    }
}

/// Where the bytes of a result go.
pub enum Target {
    /// To standard output.
    Stream,
    /// To a file.
    File(PathBuf),
    /// Nowhere: only the document is wanted.
    Nowhere,
}

impl Target {
    /// Decide by the command line, before anything is done. Without `-o` the bytes go to standard
    /// output, unless the JSON document goes there.
    pub fn new(option: Option<PathBuf>, input: &Path, out: &Output) -> Result<Self, Failure> {
        Self::beside(option, &[input], out)
    }

    /// [`Target::new`] of several inputs.
    pub fn beside(
        option: Option<PathBuf>,
        inputs: &[&Path],
        out: &Output,
    ) -> Result<Self, Failure> {
        match option {
            Some(path) if is_stream(&path) && out.json => {
                Err(Failure::usage("--json and -o - both want standard output"))
            }
            Some(path) if !is_stream(&path) => {
                if inputs.iter().any(|input| is_same(&path, input)) {
                    return Err(in_place(&path));
                }
                // Before the work, which may be long.
                output::check_writable(&path)
                    .map_err(|error| Failure::of(path.display(), error))?;
                Ok(Self::File(path))
            }
            None if out.json => Ok(Self::Nowhere),
            None if io::stdout().is_terminal() => Err(Failure::usage(
                "the result is binary: name a file with -o, or redirect standard output",
            )),
            _ => Ok(Self::Stream),
        }
    }

    /// That it is none of the files that a document has named.
    pub fn spare(&self, named: &[PathBuf]) -> Result<(), Failure> {
        match self {
            Self::File(path) if named.iter().any(|it| is_same(path, it)) => Err(in_place(path)),
            _ => Ok(()),
        }
    }

    /// Write the result: whole, or not at all.
    pub fn write(&self, data: &[u8]) -> Result<(), Failure> {
        match self {
            Self::Nowhere => Ok(()),
            Self::Stream => super::bytes(data),
            Self::File(path) => {
                output::replace(path, data).map_err(|error| Failure::of(path.display(), error))
            }
        }
    }

    /// Write several results, those that are files all or none.
    pub fn write_all(results: &[(&Self, &[u8])]) -> Result<(), Failure> {
        let files = results.iter().filter_map(|(target, data)| match target {
            Self::File(path) => Some((path.as_path(), *data)),
            Self::Stream | Self::Nowhere => None,
        });
        let files: Vec<(&Path, &[u8])> = files.collect();
        output::replace_all(&files).map_err(|(index, error)| match files.get(index) {
            Some((path, _)) => Failure::of(path.display(), error),
            None => Failure::new(error.to_string()),
        })?;
        for (target, data) in results {
            if let Self::Stream = target {
                target.write(data)?;
            }
        }
        Ok(())
    }

    /// A line for people, unless the bytes went where it would go.
    pub fn say(&self, out: &Output, text: impl std::fmt::Display) -> Result<(), Failure> {
        match self {
            Self::File(path) => out.say(format_args!("wrote {}: {text}", path.display())),
            Self::Stream | Self::Nowhere => Ok(()),
        }
    }
}

/// How many of several files could not be read.
pub fn unread(unread: usize, of: usize) -> String {
    format!(
        "{unread} of {} could not be read",
        identify::count(of, "file")
    )
}

/// An output that is an input.
pub fn in_place(path: &Path) -> Failure {
    Failure::usage(format!(
        "{}: is the input; nothing is overwritten in place",
        path.display()
    ))
}

/// Whether both names lead to one existing file.
pub fn is_same(one: &Path, other: &Path) -> bool {
    match (fs::canonicalize(one), fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}
