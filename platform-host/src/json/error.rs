//! What is wrong with a document, for people who never heard of the types that it is read into.

use std::fmt;

use super::path_at;

/// What is wrong with a document, and where: `actors[2].x: expected ..., found ... at line 3 column 8`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(String);

impl Error {
    /// What was found out behind the reader.
    pub fn of(text: impl fmt::Display) -> Self {
        Self(text.to_string())
    }

    /// A reader's error in a document, which begins without a byte order mark.
    pub(super) fn new(text: &[u8], error: &serde_json::Error) -> Self {
        let whole = error.to_string();
        if !error.is_data() {
            return Self(whole);
        }
        let (line, column) = (error.line(), error.column());
        let place = format!(" at line {line} column {column}");
        let message = whole.strip_suffix(&place).unwrap_or(&whole);
        let mut path = path_at(text, line, column);
        // Of a key that nobody knows its object is named.
        if message.starts_with("unknown field") {
            path.truncate(path.rfind('.').unwrap_or(0));
        }
        let colon = if path.is_empty() { "" } else { ": " };
        let message = plain(message, number_at(text, line, column));
        Self(format!("{path}{colon}{message}{place}"))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

/// A reader's message without its names of types. `number` is how the document writes the number that it ends with,
/// which the reader may have rounded.
fn plain(message: &str, number: Option<&str>) -> String {
    let faults = ["invalid type: ", "invalid value: ", "invalid length "];
    let fault = faults.iter().find_map(|it| message.strip_prefix(it));
    let Some((found, expected)) = fault.and_then(|it| it.rsplit_once(", expected ")) else {
        return message.to_owned();
    };
    let expected = expectation(expected);
    format!("expected {expected}, found {}", finding(found, number))
}

/// What a reader calls a thing that it would take.
fn expectation(expected: &str) -> String {
    let (name, count) = match expected.rsplit_once(' ') {
        Some((name, count)) if count.bytes().all(|it| it.is_ascii_digit()) => (name, count),
        _ => (expected, ""),
    };
    let plain = match name {
        "i8" => "a whole number from -128 to 127",
        "u8" => "a whole number from 0 to 255",
        "i16" => "a whole number from -32768 to 32767",
        "u16" => "a whole number from 0 to 65535",
        "i32" => "a whole number from -2147483648 to 2147483647",
        "u32" => "a whole number from 0 to 4294967295",
        "i64" | "i128" => "a whole number of 64 bits",
        "u64" | "usize" | "u128" => "a whole number from 0 on",
        "f32" | "f64" => "a number",
        "a boolean" => "true or false",
        "a string" | "a borrowed string" | "string or map" => "a text",
        "a sequence" => "a list",
        "a map" => "an object",
        "an array of length" | "a tuple of size" => return format!("a list of {count} values"),
        name if name.starts_with("struct ") => "an object",
        _ => expected,
    };
    plain.to_owned()
}

/// What a reader calls a thing that it has found.
fn finding(found: &str, number: Option<&str>) -> String {
    let (kind, value) = found.split_once(' ').unwrap_or((found, ""));
    let bare = value.trim_matches('`');
    match kind {
        "integer" | "floating" => {
            let read = bare.rsplit('`').next().unwrap_or(bare);
            format!("the number {}", number.unwrap_or(read))
        }
        "string" | "character" => format!("the text {value}"),
        "boolean" => bare.to_owned(),
        "sequence" => "a list".to_owned(),
        "map" => "an object".to_owned(),
        // Of lengths.
        count if count.bytes().all(|it| it.is_ascii_digit()) => format!("{count} of them"),
        _ => found.to_owned(),
    }
}

/// The number whose last character stands in this line and column.
fn number_at(text: &[u8], line: usize, column: usize) -> Option<&str> {
    let line = text.split(|it| *it == b'\n').nth(line.checked_sub(1)?)?;
    let before = line.get(..column)?;
    let is_part = |it: &u8| it.is_ascii_digit() || b"+-.eE".contains(it);
    let start = before.iter().rposition(|it| !is_part(it));
    let number = before.get(start.map_or(0, |it| it + 1)..)?;
    let number = std::str::from_utf8(number).ok()?;
    Some(number).filter(|it| !it.is_empty())
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::super::read;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code)]
    struct Inner {
        byte: u8,
        #[serde(default)]
        three: [i16; 3],
        #[serde(default)]
        pair: Option<(u32, i64)>,
        #[serde(default)]
        yes: bool,
        #[serde(default)]
        name: String,
    }

    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    struct Outer {
        list: Vec<Inner>,
    }

    #[test]
    fn no_message_has_a_type_of_the_program_in_it() {
        for (inner, message) in [
            (
                r#"{"byte": "x"}"#,
                "list[0].byte: expected a whole number from 0 to 255, found the text \"x\"",
            ),
            (
                r#"{"byte": ", expected u8"}"#,
                "list[0].byte: expected a whole number from 0 to 255, found the text \", expected u8\"",
            ),
            (
                r#"{"byte": 256}"#,
                "list[0].byte: expected a whole number from 0 to 255, found the number 256",
            ),
            (
                r#"{"byte": 18446744073709551616}"#,
                "list[0].byte: expected a whole number from 0 to 255, found the number 18446744073709551616",
            ),
            (
                r#"{"byte": -9223372036854775809 }"#,
                "list[0].byte: expected a whole number from 0 to 255, found the number -9223372036854775809",
            ),
            (
                r#"{"byte": 1.5e0}"#,
                "list[0].byte: expected a whole number from 0 to 255, found the number 1.5e0",
            ),
            (
                r#"{"byte": 1, "three": [1, 2]}"#,
                "list[0].three: expected a list of 3 values, found 2 of them",
            ),
            (
                r#"{"byte": 1, "three": [1, 2, null]}"#,
                "list[0].three[2]: expected a whole number from -32768 to 32767, found null",
            ),
            (
                r#"{"byte": 1, "pair": [1]}"#,
                "list[0].pair: expected a list of 2 values, found 1 of them",
            ),
            (
                r#"{"byte": 1, "pair": [1, true]}"#,
                "list[0].pair[1]: expected a whole number of 64 bits, found true",
            ),
            (
                r#"{"byte": 1, "yes": {}}"#,
                "list[0].yes: expected true or false, found an object",
            ),
            (
                r#"{"byte": 1, "name": []}"#,
                "list[0].name: expected a text, found a list",
            ),
            ("7", "list[0]: expected an object, found the number 7"),
            ("{}", "list[0]: missing field `byte`"),
            (
                r#"{"bite": 1}"#,
                "list[0]: unknown field `bite`, expected one of `byte`, `three`, `pair`, `yes`, `name`",
            ),
        ] {
            let text = format!("{{\"list\":\n[{inner}]}}");
            let error = read::<Outer>(text.as_bytes()).unwrap_err().to_string();
            let at = error.rfind(" at line 2 column ");
            assert_eq!(at.map(|at| &error[..at]), Some(message), "{text}: {error}");
        }
        let error = read::<Outer>(b"3").unwrap_err().to_string();
        assert_eq!(
            error,
            "expected an object, found the number 3 at line 1 column 1"
        );
        // The reader's own words where there is no document.
        let error = read::<Outer>(b"{").unwrap_err().to_string();
        assert!(error.starts_with("EOF while parsing"), "{error}");
    }
}
