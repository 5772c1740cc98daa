//! A scene's files in JSON, which people can edit: MAN scripts, field maps, trigger patches, stager tables.
//!
//! [`dump`] writes such a document, [`build`] makes the file of one. What a document can say in more than
//! one way in bytes (gaps, an order of records that is not theirs) is written in the plain way, and
//! [`Dumped::differs`] tells.

use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::fault::Fault;
use crate::json;
use crate::object::Object;

mod man;
mod map;
mod stager;

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A scene's script asset.
    Man,
    /// A field map, or a trigger patch; the document tells which.
    Map,
    /// A stager table.
    Stager,
}

/// How the document of a MAN says its scripts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scripts {
    /// In hexadecimal digits.
    #[default]
    Digits,
    /// As lines of the assembler's language.
    Text,
}

/// Reads the file of a name that a document gives.
pub type File<'f> = &'f dyn Fn(&str) -> Result<Vec<u8>, String>;

/// A file's document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dumped {
    /// The JSON text, ended by a line feed.
    pub text: String,
    /// What it holds: `4 records`.
    pub what: String,
    /// The first byte at which the file that [`build`] makes of it is another one.
    pub differs: Option<usize>,
}

/// A file that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Built {
    /// The file.
    pub bytes: Vec<u8>,
    /// What it holds: `4 records`.
    pub what: String,
}

/// Why a document makes no file.
#[derive(Debug)]
pub enum Error {
    /// It is no JSON, or not that of the kind.
    Json(json::Error),
    /// What it says is no good file.
    Content(Fault),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(error) => error.fmt(f),
            Self::Content(fault) => fault.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        Self::Content(fault)
    }
}

/// The document of a file.
///
/// # Errors
/// The file is malformed.
pub fn dump(kind: Kind, data: &[u8]) -> Result<Dumped, Fault> {
    dump_with(kind, data, Scripts::Digits)
}

/// [`dump`] with scripts in a form.
///
/// # Errors
/// The file is malformed.
pub fn dump_with(kind: Kind, data: &[u8], scripts: Scripts) -> Result<Dumped, Fault> {
    let (text, what) = match kind {
        Kind::Man => man::dump(data, scripts)?,
        Kind::Map => map::dump(data)?,
        Kind::Stager => stager::dump(data)?,
    };
    let again = build(kind, text.as_bytes()).map(|it| it.bytes);
    let again = again.unwrap_or_default();
    let common = again
        .iter()
        .zip(data)
        .take_while(|(one, other)| one == other);
    let common = common.count();
    Ok(Dumped {
        text,
        what,
        differs: (again != data).then_some(common),
    })
}

/// The file of a document that names no other ones.
///
/// # Errors
/// See [`Error`]; what the strict readers refuse is not made.
pub fn build(kind: Kind, text: &[u8]) -> Result<Built, Error> {
    build_with(kind, text, &|name| {
        Err(format!("expected no file here, found {name:?}"))
    })
}

/// The file of a document; `file` reads those that it names.
///
/// # Errors
/// See [`Error`]; what the strict readers refuse is not made.
pub fn build_with(kind: Kind, text: &[u8], file: File<'_>) -> Result<Built, Error> {
    let built = match kind {
        Kind::Man => man::build(text, file),
        Kind::Map => map::build(text),
        Kind::Stager => stager::build(text),
    };
    built.map_err(|error| match error {
        // A place in a file that is not written tells nobody anything.
        Error::Content(fault) => Error::Content(Fault {
            offset: None,
            ..fault
        }),
        error => error,
    })
}

/// The text of a document.
fn write(document: &impl Serialize) -> String {
    // Neither keys that are no texts nor numbers that JSON lacks: this does not fail.
    let mut text = serde_json::to_string_pretty(document).unwrap_or_default();
    text.push('\n');
    text
}

/// A document from its text.
fn read<T: DeserializeOwned>(text: &[u8]) -> Result<T, Error> {
    let Object(document) = json::read(text).map_err(Error::Json)?;
    Ok(document)
}

/// What a writer of the runtime writes, which is at most `most` bytes.
fn written<E: fmt::Debug + fmt::Display>(
    most: usize,
    emit: impl FnOnce(&mut [u8]) -> Result<usize, E>,
) -> Result<Vec<u8>, Fault> {
    let mut out = vec![0; most];
    let length = emit(&mut out).map_err(|error| Fault::new(&error, None))?;
    out.truncate(length);
    Ok(out)
}

/// A fault of a list that is longer than its place.
fn too_many(key: &str, found: usize, most: usize) -> Fault {
    Fault {
        name: "TooMany".to_owned(),
        offset: None,
        text: format!("\"{key}\": expected {most} at most, found {found}"),
    }
}

#[cfg(test)]
mod tests;
