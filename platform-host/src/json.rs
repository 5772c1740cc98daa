//! Documents in JSON that people write.

mod error;
mod list;
mod place;
mod pretty;

use std::collections::HashSet;
use std::fmt;

use serde::de::{self, Deserialize, DeserializeOwned, DeserializeSeed, Deserializer, Visitor};

use crate::text::without_mark;
pub use error::Error;
pub use place::path_at;
pub use pretty::{Lines, pretty};

/// Read a document. A byte order mark in front of it is no part of it.
///
/// # Errors
/// What is wrong, with path, line and column. That is also a key which an object has twice: the reader would keep
/// one of the two values, and nobody would hear of the other.
pub fn read<T: DeserializeOwned>(text: &[u8]) -> Result<T, Error> {
    let text = without_mark(text);
    // A key that stands twice is told with its path already.
    let Unique = serde_json::from_slice(text).map_err(Error::of)?;
    serde_json::from_slice(text).map_err(|error| {
        let error = match list::too_long(text, &error) {
            Some(message) => de::Error::custom(message),
            None => error,
        };
        Error::new(text, &error)
    })
}

/// Any document in which no object has a key twice.
struct Unique;

impl<'de> Deserialize<'de> for Unique {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Place::Document.deserialize(from).map(|()| Self)
    }
}

/// Where a value stands.
#[derive(Clone, Copy)]
enum Place<'p> {
    Document,
    Key(&'p Place<'p>, &'p str),
    Item(&'p Place<'p>, usize),
}

/// `objects[3].context`
impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Document => Ok(()),
            Self::Key(Self::Document, key) => write!(f, "{}", key.escape_debug()),
            Self::Key(above, key) => write!(f, "{above}.{}", key.escape_debug()),
            Self::Item(above, index) => write!(f, "{above}[{index}]"),
        }
    }
}

impl<'de> DeserializeSeed<'de> for Place<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Place<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a document")
    }

    fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut keys = HashSet::new();
        while let Some(key) = map.next_key::<String>()? {
            if keys.contains(&key) {
                return Err(de::Error::custom(match self {
                    Self::Document => format!("the key {key:?} stands twice"),
                    place => format!("{place}: the key {key:?} stands twice"),
                }));
            }
            map.next_value_seed(Place::Key(&self, &key))?;
            keys.insert(key);
        }
        Ok(())
    }

    fn visit_seq<A: de::SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let mut index = 0;
        while let Some(()) = items.next_element_seed(Place::Item(&self, index))? {
            index += 1;
        }
        Ok(())
    }

    fn visit_bool<E: de::Error>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E: de::Error>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E: de::Error>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E: de::Error>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E: de::Error>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E: de::Error>(self) -> Result<(), E> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn documents_are_what_they_say() {
        let text = br#"{"a": {"a": 1, "b": [true, null, -1, 1.5, "x", {"a": 2}]}, "b": {"a": 3}}"#;
        let expected =
            json!({"a": {"a": 1, "b": [true, null, -1, 1.5, "x", {"a": 2}]}, "b": {"a": 3}});
        assert_eq!(read::<Value>(text).unwrap(), expected);
        assert_eq!(read::<Value>(b"\xEF\xBB\xBF[]").unwrap(), json!([]));
        // The reader's own words where there is no document.
        for text in ["", "{", "[1,]", "1 2", "{\"a\": 1, \"a\""] {
            let (strict, plain) = (
                read::<Value>(text.as_bytes()),
                serde_json::from_str::<Value>(text),
            );
            let (strict, plain) = (strict.unwrap_err(), plain.unwrap_err());
            if !text.contains("\"a\"") {
                assert_eq!(strict.to_string(), plain.to_string(), "{text}");
            }
        }
        let deep = [[b'['; 1000], [b']'; 1000]].concat();
        let error = read::<Value>(&deep).unwrap_err();
        assert!(error.to_string().contains("recursion limit"), "{error}");
    }

    #[test]
    fn a_key_stands_once() {
        for (text, message) in [
            (
                r#"{"a": 1, "a": 1}"#,
                r#"the key "a" stands twice at line 1 column 12"#,
            ),
            (
                "{\"a\": 1,\n \"b\": 2,\n \"a\": 3}",
                r#"the key "a" stands twice at line 3 column 4"#,
            ),
            // Written in two ways, it is one key.
            (
                r#"{"a": 1, "\u0061": 1}"#,
                r#"the key "a" stands twice at line 1 column 17"#,
            ),
            (
                r#"{"x": {"y": [0, {"": 1, "": 2}]}}"#,
                r#"x.y[1]: the key "" stands twice at line 1 column 26"#,
            ),
            (
                "{\"\\u001b\": {\"\\n\": 1, \"\\n\": 2}}",
                r#"\u{1b}: the key "\n" stands twice at line 1 column 25"#,
            ),
            (
                r#"[[{"k": {}, "k": {}}]]"#,
                r#"[0][0]: the key "k" stands twice at line 1 column 15"#,
            ),
        ] {
            let error = read::<Value>(text.as_bytes()).unwrap_err();
            assert_eq!(error.to_string(), message, "{text}");
        }
    }
}
