//! Lists of more values than what they are read into has.

use super::place::{path_at, string};

/// What is wrong where a reader has taken all the values of a list that it has a place for, and there is one more: it calls
/// that trailing characters. `text` is a document, and the error that of its second reader. The place that is told is the
/// list's end, of which [`path_at`] says whose list it is.
pub(super) fn too_long(text: &[u8], error: &serde_json::Error) -> Option<String> {
    if !error.to_string().starts_with("trailing characters") {
        return None;
    }
    let (line, column) = (error.line(), error.column());
    // The reader stands on the first byte of the first value too many, whose number is the length that the list should have;
    // a list of its own would be open behind that byte.
    let path = path_at(text, line, column.checked_sub(1)?);
    let (_, number) = path.strip_suffix(']')?.rsplit_once('[')?;
    let expected: usize = number.parse().ok()?;
    let lines = text.split_inclusive(|it| *it == b'\n');
    let before: usize = lines.take(line.checked_sub(1)?).map(<[u8]>::len).sum();
    let first = before + column.checked_sub(1)?;
    let (more, length) = values(text.get(first..)?);
    let (found, to_end) = (expected + more, text.get(..first + length)?);
    let line = 1 + to_end.iter().filter(|it| **it == b'\n').count();
    let column = 1 + to_end
        .rsplit(|it| *it == b'\n')
        .next()
        .map_or(0, <[u8]>::len);
    Some(format!(
        "expected a list of {expected} values, found {found} of them at line {line} column {column}"
    ))
}

/// How many values a list has whose rest begins with the first byte of one, and the bytes up to its end.
fn values(rest: &[u8]) -> (usize, usize) {
    let (mut count, mut depth, mut at) = (1, 0_usize, 0);
    while let Some(byte) = rest.get(at) {
        match (byte, depth) {
            (b'[' | b'{', _) => depth += 1,
            (b']' | b'}', 0) => break,
            (b']' | b'}', _) => depth -= 1,
            (b',', 0) => count += 1,
            (b'"', _) => at += string(&rest[at..]).len() - 1,
            _ => {}
        }
        at += 1;
    }
    (count, at)
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::super::{path_at, read};

    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    struct Actor {
        tile: [u8; 2],
        #[serde(default)]
        pair: Option<(u8, String)>,
    }

    #[test]
    fn lists_are_counted() {
        for (actor, path, found, (line, column)) in [
            (r#"{"tile": [1, 2, 3]}"#, "tile", 3, (2, 18)),
            (
                r#"{"tile": [1,2,[3, "],", {"a": [4, 5]}], {}, "x,y\"]"  ], "pair": null}"#,
                "tile",
                5,
                (2, 55),
            ),
            (
                "{\"tile\": [1, 2], \"pair\": [1, \"a]\", 2\n  ]}",
                "pair",
                3,
                (3, 3),
            ),
        ] {
            let text = format!("[\n{actor}]");
            let error = read::<Vec<Actor>>(text.as_bytes()).unwrap_err().to_string();
            let told = format!("expected a list of 2 values, found {found} of them");
            let place = format!(" at line {line} column {column}");
            assert!(error.contains(&told), "{text}: {error}");
            assert!(error.ends_with(&place), "{text}: {error}");
            // Of that place the path is the list's.
            let list = path_at(text.as_bytes(), line, column);
            assert_eq!(list, format!("[0].{path}"), "{text}: {error}");
        }
        let error = read::<[u8; 2]>(b"[1, 2, 3, 4]").unwrap_err().to_string();
        let told = "expected a list of 2 values, found 4 of them at line 1 column 12";
        assert!(error.ends_with(told), "{error}");
        // Too few are told by the reader.
        let error = read::<[u8; 2]>(b"[1]").unwrap_err().to_string();
        assert!(!error.contains("found 4"), "{error}");
    }
}
