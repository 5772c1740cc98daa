//! Text that comes from input (names on a disc, lines of a cue sheet, paths) on its way to people.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Whether a character can do more than be seen: control characters (C0, DEL, C1), and those that
/// break lines or turn the direction of writing.
#[must_use]
pub fn is_active(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}'
        )
}

/// What stands behind the byte order mark that some editors put in front of a text in UTF-8.
#[must_use]
pub fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text)
}

/// `text` with every active character escaped (`\n`, `\u{1b}`), so that it is one line and cannot
/// steer a terminal. Everything else stays as it is, so a second call changes nothing.
#[must_use]
pub fn printable(text: &str) -> Cow<'_, str> {
    escape(text, |c, out| out.extend(c.escape_debug()))
}

/// A JSON document with every active character of its strings escaped as JSON does it. It means
/// what it meant: outside of strings a document on one line has no such characters.
#[must_use]
pub fn json(document: &str) -> Cow<'_, str> {
    escape(document, |c, out| {
        let mut units = [0; 2];
        for unit in c.encode_utf16(&mut units) {
            // Writing to a string does not fail.
            let _ = write!(out, "\\u{unit:04x}");
        }
    })
}

fn escape(text: &str, put: impl Fn(char, &mut String)) -> Cow<'_, str> {
    if !text.contains(is_active) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_active(c) {
            put(c, &mut out);
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_acts_is_left() {
        for code in 0..=0x2070_u32 {
            let Some(c) = char::from_u32(code) else {
                continue;
            };
            let text = format!("a{c}b");
            let safe = printable(&text);
            assert!(!safe.contains(is_active), "{code:x}: {safe}");
            assert_eq!(safe == text, !is_active(c), "{code:x}: {safe}");
            assert_eq!(printable(&safe), safe);
            let document = serde_json::to_string(&text).unwrap();
            let safe = json(&document);
            assert!(!safe.contains(is_active), "{code:x}: {safe}");
            assert_eq!(serde_json::from_str::<String>(&safe).unwrap(), text);
        }
        assert_eq!(printable("\x1b[2J\r\nß\\\"'"), "\\u{1b}[2J\\r\\nß\\\"'");
        assert_eq!(printable("\u{9b}1m\u{202e}"), "\\u{9b}1m\\u{202e}");
    }
}
