//! Which value of a document a reader had come to.

/// What is open: an object with its last key, a list with the number of its item.
enum Open {
    Object(String),
    List(usize),
}

/// The path of the value up to whose end, or beginning, a reader has come when it names a line and a column, both from
/// 1, such as `actors[2].code`. Empty for the document itself.
#[must_use]
pub fn path_at(text: &[u8], line: usize, column: usize) -> String {
    let lines = text.split_inclusive(|it| *it == b'\n');
    let before: usize = lines.take(line.saturating_sub(1)).map(<[u8]>::len).sum();
    let end = before.saturating_add(column).min(text.len());
    let mut open: Vec<Open> = Vec::new();
    let mut at = 0;
    while at < end {
        match (text[at], open.last_mut()) {
            (b'{', _) => open.push(Open::Object(String::new())),
            (b'[', _) => open.push(Open::List(0)),
            (b'}' | b']', _) => drop(open.pop()),
            (b',', Some(Open::List(number))) => *number += 1,
            (b'"', last) => {
                let string = string(&text[at..]);
                let behind = text[at + string.len()..].trim_ascii_start();
                if let (Some(Open::Object(key)), Some(b':')) = (last, behind.first()) {
                    *key = serde_json::from_slice(string).unwrap_or_default();
                }
                at += string.len() - 1;
            }
            _ => {}
        }
        at += 1;
    }
    let mut path = String::new();
    for part in open {
        match part {
            Open::Object(key) if path.is_empty() => path.push_str(&key),
            Open::Object(key) => path.push_str(&format!(".{key}")),
            Open::List(number) => path.push_str(&format!("[{number}]")),
        }
    }
    path
}

/// The string with which a text begins, quotes included.
pub(super) fn string(text: &[u8]) -> &[u8] {
    let mut escaped = false;
    let end = text.iter().skip(1).position(|byte| {
        let ends = *byte == b'"' && !escaped;
        escaped = *byte == b'\\' && !escaped;
        ends
    });
    end.map_or(text, |end| &text[..end + 2])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_named() {
        let text = "{\"a\": [1, {\"b\\\"]\": \"x,[\", \"c\": [[], [7]]}],\n \"d\": {\"e\": 5}}";
        for (line, column, path) in [
            (1, 1, ""),
            (1, 8, "a[0]"),
            (1, 24, "a[1].b\"]"),
            (1, 38, "a[1].c[1][0]"),
            (1, 41, "a[1]"),
            (2, 13, "d.e"),
            (2, 14, "d"),
            (9, 9, ""),
        ] {
            assert_eq!(
                path_at(text.as_bytes(), line, column),
                path,
                "{line}:{column}"
            );
        }
        assert_eq!(path_at(b"\"a", 1, 2), "");
    }
}
