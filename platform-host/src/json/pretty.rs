//! Documents laid out for people: what is short stays on one line.

/// Columns that a list or an object may take to stay on one line.
const WIDTH: usize = 120;

/// How the parts of a list or an object stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    /// On one line with what is around.
    Inline,
    /// Each on a line of its own.
    Lines,
    /// As many on a line as it holds.
    Filled,
}

/// A document of one line, without spaces between its parts, in lines: a list or an object that has room on one
/// line has one. A longer list of numbers fills its lines, any other has a line for each of its parts. The text ends
/// in a line feed.
#[must_use]
pub fn pretty(compact: &str) -> String {
    let mut lines = Lines::with_capacity(compact.len() + compact.len() / 4);
    lines.feed(compact);
    lines.finish()
}

/// The same piece by piece, for documents that are too long to be there twice. Its text is [`Lines::finish`]'s.
#[derive(Debug, Default)]
pub struct Lines {
    out: String,
    /// Where the line begins.
    start: usize,
    /// Of each bracket that is open.
    open: Vec<Layout>,
}

impl Lines {
    /// For a text of about so many bytes.
    #[must_use]
    pub fn with_capacity(bytes: usize) -> Self {
        Self {
            out: String::with_capacity(bytes),
            ..Self::default()
        }
    }

    /// Begin a list or an object that is too long for a line.
    pub fn begin(&mut self, bracket: char) {
        self.open.push(Layout::Lines);
        self.out.push(bracket);
        self.start = line(&mut self.out, self.open.len());
    }

    /// A string without anything to be escaped, which `put` puts there.
    pub fn string(&mut self, put: impl FnOnce(&mut String)) {
        self.out.push('"');
        put(&mut self.out);
        self.out.push('"');
    }

    /// What follows, without spaces between its parts: whole values, or keys, commas and closing brackets of what was
    /// begun.
    pub fn feed(&mut self, compact: &str) {
        let Self { out, start, open } = self;
        let mut rest = compact;
        while let Some(first) = rest.chars().next() {
            let token = match first {
                '"' => string(rest),
                _ => first.len_utf8(),
            };
            let (token, behind) = rest.split_at(token);
            match first {
                '[' | '{' => {
                    // With the comma behind it.
                    let left = (WIDTH - 1).saturating_sub(out.len() - *start);
                    let layout = if open.last() == Some(&Layout::Inline) || is_short(rest, left) {
                        Layout::Inline
                    } else if is_numbers(rest) {
                        Layout::Filled
                    } else {
                        Layout::Lines
                    };
                    open.push(layout);
                    out.push_str(token);
                    if layout != Layout::Inline {
                        *start = line(out, open.len());
                    }
                }
                ']' | '}' => {
                    if open.pop().is_some_and(|it| it != Layout::Inline) {
                        *start = line(out, open.len());
                    }
                    out.push_str(token);
                }
                ',' => {
                    out.push_str(token);
                    // The next number, and the comma behind it.
                    let next = behind.find([',', ']']).unwrap_or(0) + 2;
                    match open.last() {
                        Some(Layout::Lines) => *start = line(out, open.len()),
                        Some(Layout::Filled) if out.len() - *start + next > WIDTH => {
                            *start = line(out, open.len());
                        }
                        _ => out.push(' '),
                    }
                }
                ':' => out.push_str(": "),
                _ => out.push_str(token),
            }
            rest = behind;
        }
    }

    /// The text, which ends in a line feed.
    #[must_use]
    pub fn finish(mut self) -> String {
        self.out.push('\n');
        self.out
    }
}

/// A new line, so deep; where it begins.
fn line(out: &mut String, depth: usize) -> usize {
    out.push('\n');
    let start = out.len();
    out.extend(std::iter::repeat_n("  ", depth));
    start
}

/// Bytes of the string with which a text begins, quotes included.
fn string(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Whether the list or object with which a text begins, spaces included, has at most so many bytes.
fn is_short(text: &str, most: usize) -> bool {
    let bytes = text.as_bytes();
    let (mut at, mut depth, mut width) = (0, 0_usize, 0);
    while let Some(byte) = bytes.get(at) {
        let length = match byte {
            b'"' => string(&text[at..]),
            _ => 1,
        };
        width += length + usize::from(matches!(byte, b',' | b':'));
        if width > most {
            return false;
        }
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return true;
        }
        at += length;
    }
    false
}

/// Whether what a text begins with is a list of numbers alone.
fn is_numbers(text: &str) -> bool {
    let inside = text.strip_prefix('[').unwrap_or("\"");
    let end = inside.find(['[', '{', '"', ']']);
    end.is_some_and(|at| inside[at..].starts_with(']'))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn what_is_short_stays_on_a_line() {
        let words = vec!["word"; 20];
        let document = json!({
            "a": [1, 2, {"x": "[,:]\"\\"}],
            "b": [vec![0; 60], words, []],
            "c": {},
        });
        let (line, last) = (vec!["0"; 38].join(", "), vec!["0"; 22].join(", "));
        let words = vec!["\"word\""; 20].join(",\n      ");
        let expected = format!(
            "{{\n  \"a\": [1, 2, {{\"x\": \"[,:]\\\"\\\\\"}}],\n  \"b\": [\n    [\n      {line},\n      {last}\n    ],\n    \
             [\n      {words}\n    ],\n    []\n  ],\n  \"c\": {{}}\n}}\n"
        );
        assert_eq!(pretty(&document.to_string()), expected);
        // 117 columns, and as many as leave no room for a comma.
        for (count, lines) in [(39, 1), (40, 4)] {
            let row = pretty(&json!(vec![7; count]).to_string());
            assert_eq!(row.lines().count(), lines, "{row}");
            assert!(row.lines().all(|it| it.len() <= 120), "{row}");
        }
        assert_eq!(pretty("5"), "5\n");
        assert_eq!(pretty(r#""a\"[b""#), "\"a\\\"[b\"\n");
    }

    /// Whatever the strings hold, the document is the same.
    #[test]
    fn a_document_stays_what_it_is() {
        let nasty = ["", "\\", "\"", "]", "{", "\u{1F989}\n\t", "a:b,c", "\\\""];
        let mut document = json!({});
        for (at, text) in nasty.iter().enumerate() {
            let all = json!({ "key": vec![at; 50], *text: [text, text] });
            document[*text] = json!([text, all, at, -1.5, null]);
        }
        let again: Value = serde_json::from_str(&pretty(&document.to_string())).unwrap();
        assert_eq!(again, document);
    }
}
