//! Records that a scenario gets from a file: an assembler's source, or bytes.

use std::collections::BTreeMap;

use overworld_runtime::script::asm::{self, Name};

use crate::text::without_mark;

/// Bytes of a record at the most: a program counter has 16 bits.
pub const RECORD: usize = 0x1_0000;

/// A record, and where its labels stand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) code: Vec<u8>,
    pub(super) labels: BTreeMap<String, u16>,
}

impl Source {
    /// Bytes alone.
    pub(super) fn of(code: Vec<u8>) -> Self {
        Self {
            code,
            labels: BTreeMap::new(),
        }
    }

    /// That no label has this name, and which there are.
    pub(super) fn no_label(&self, name: &str) -> String {
        let known: Vec<&str> = self.labels.keys().map(String::as_str).collect();
        let known = match &known[..] {
            [] => "expected a number, since there are no labels".to_owned(),
            [only] => format!("there is {only}"),
            _ => format!("there are {}", known.join(", ")),
        };
        format!("\"pc\": no label is called {name:?}; {known}")
    }

    /// What a file holds: source, if it is text, else the bytes of a record.
    pub(crate) fn read(data: &[u8]) -> Result<Self, String> {
        if !is_text(data) || is_printable_record(data) {
            return Ok(Self::of(data.to_vec()));
        }
        let text = std::str::from_utf8(without_mark(data)).unwrap_or_default();
        let (code, names) = assembled(text).map_err(|error| error.to_string())?;
        let labels = names.into_iter().filter(|it| it.is_label);
        let labels = labels.filter_map(|it| Some((it.name.to_owned(), it.value.try_into().ok()?)));
        Ok(Self {
            code,
            labels: labels.collect(),
        })
    }
}

/// Whether a file is text, as an assembler's source is and hardly a record that does something: that has bytes below
/// 20h which no text has, or ones that are no UTF-8.
fn is_text(data: &[u8]) -> bool {
    let text = std::str::from_utf8(without_mark(data));
    text.is_ok_and(|text| {
        let is_text = |it: char| !it.is_control() || matches!(it, '\t' | '\n' | '\r');
        !text.is_empty() && text.chars().all(is_text)
    })
}

/// Whether a file is text of hexadecimal digits, two a byte, as `vm asm --hex` writes a record.
#[must_use]
pub fn is_digits(data: &[u8]) -> bool {
    let mut words = data
        .split(u8::is_ascii_whitespace)
        .filter(|it| !it.is_empty());
    let is_bytes = |it: &[u8]| it.len().is_multiple_of(2) && it.iter().all(u8::is_ascii_hexdigit);
    words.next().is_some_and(is_bytes) && words.all(is_bytes)
}

/// Whether a file is meant as a scenario, not as a script: nothing, or text that begins as a JSON object does, or is
/// other JSON as a whole. So does no line of an assembler's source, and no record that is likely to be one: `7B 22` is a
/// jump far behind its end.
#[must_use]
pub fn is_scenario(data: &[u8]) -> bool {
    let text = without_mark(data).trim_ascii_start();
    let is_json = || serde_json::from_slice::<serde::de::IgnoredAny>(text).is_ok();
    let begins = match text.split_first() {
        None => true,
        Some((b'{', rest)) => matches!(rest.trim_ascii_start().first(), None | Some(b'"' | b'}')),
        Some((b'[' | b'"', _)) => is_json(),
        Some(_) => false,
    };
    data.is_empty() || is_text(data) && begins
}

/// Whether text begins as neither a scenario nor a line of source does: with `"`, `[` or `{`, the opcodes 22, 5B and 7B.
/// So it is a record whose bytes are all printable.
#[must_use]
pub fn is_printable_record(data: &[u8]) -> bool {
    is_text(data) && begins_no_line(data) && !is_scenario(data)
}

/// Whether no line of source begins as this text does.
fn begins_no_line(data: &[u8]) -> bool {
    matches!(
        without_mark(data).trim_ascii_start().first(),
        Some(b'{' | b'[' | b'"')
    )
}

/// Assemble a source; its bytes, and its names in their order.
///
/// # Errors
/// That of the assembler.
pub fn assembled(source: &str) -> Result<(Vec<u8>, Vec<Name<'_>>), asm::Error<'_>> {
    // No instruction is longer than its text, and each name needs a colon or a line.
    let mut code = vec![0; (source.len() + 16).min(RECORD)];
    let room = source.matches(':').count() + source.lines().count();
    let mut names = vec![Name::default(); room];
    let length = asm::assemble(source, &mut code, &mut names)?;
    code.truncate(length);
    names.retain(|it| !it.name.is_empty());
    Ok((code, names))
}
