//! Pad logs: what is held on a pad, and for how many frames. `field run`, `vm run` and `run` share the form,
//! `[["0x1000", 30], ["confirm", 2], [0, 5]]`.

use std::fmt;
use std::fmt::Write as _;

use overworld_runtime::field::Settings;
use overworld_runtime::field::pad::{X_MINUS, X_PLUS, Z_MINUS, Z_PLUS};
use serde::de::{self, Deserialize, Deserializer, Visitor};

use crate::json;
use crate::number::{Number, whole};
use crate::object::Object;

/// Frames of a log at most, 4 hours and a half; more is surely a slip.
pub const MOST_FRAMES: u64 = 1_000_000;

/// What buttons are called in a log, and what they are: those of the settings that a new game has.
const NAMES: [(&str, u16); 7] = [
    ("up", Z_PLUS),
    ("right", X_PLUS),
    ("down", Z_MINUS),
    ("left", X_MINUS),
    ("confirm", Settings::NEW.interact_button),
    ("run", Settings::NEW.run_button),
    ("none", 0),
];

/// Held buttons: a number, such a text as `"0x1000"`, or names as in `"up+run"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Held(pub(crate) u16);

impl Held {
    fn number<E: de::Error>(number: impl Copy + fmt::Display + TryInto<u16>) -> Result<Self, E> {
        let held = number.try_into().map(Self);
        held.map_err(|_| E::custom(format_args!("the number {number}, expected 0 to 65535")))
    }

    fn named(text: &str) -> Option<Self> {
        let buttons = text.split('+').map(|name| {
            let known = NAMES.iter().find(|it| it.0 == name);
            known.map(|it| it.1)
        });
        let held = buttons.collect::<Option<Vec<_>>>()?;
        Some(Self(held.into_iter().fold(0, |all, it| all | it)))
    }
}

impl<'de> Deserialize<'de> for Held {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Any;
        impl Visitor<'_> for Any {
            type Value = Held;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(
                    "held buttons: a number from 0 to 65535, a text such as \"0x1000\", or, joined by +, ",
                )?;
                let names = NAMES.map(|(name, _)| name);
                f.write_str(&names.join(" "))
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Held, E> {
                Held::number(value)
            }

            fn visit_u64<E: de::Error>(self, value: u64) -> Result<Held, E> {
                Held::number(value)
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Held, E> {
                if let Some(number) = whole(text) {
                    return Held::number(number);
                }
                Held::named(text).ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
            }
        }
        from.deserialize_any(Any)
    }
}

/// A pad log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pads(Vec<(u16, u32)>);

impl<'de> Deserialize<'de> for Pads {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let rows = Vec::<(Held, Number<u32>)>::deserialize(from)?;
        let rows = rows
            .into_iter()
            .map(|(Held(held), Number(frames))| (held, frames));
        let log = Self(rows.collect());
        match log.length() {
            0..=MOST_FRAMES => Ok(log),
            frames => Err(de::Error::custom(format_args!(
                "pads: {frames} frames, expected {MOST_FRAMES} at the most"
            ))),
        }
    }
}

/// A file with a log.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    pads: Pads,
}

impl Pads {
    /// Read a file: an object whose only key is `pads`.
    ///
    /// # Errors
    /// A sentence that says where, what was expected and what was found.
    pub fn parse(text: &[u8]) -> Result<Self, String> {
        let Object::<File>(File { pads }) = json::read(text).map_err(|error| error.to_string())?;
        Ok(pads)
    }

    /// The file, a row a line.
    #[must_use]
    pub fn file(&self) -> String {
        let mut text = String::from("{ \"pads\": [");
        for (index, (held, frames)) in self.0.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            // Writing to a string does not fail.
            let _ = write!(text, "{comma}\n  [\"0x{held:04X}\", {frames}]");
        }
        text.push_str("\n] }\n");
        text
    }

    /// One frame more.
    pub fn push(&mut self, held: u16) {
        match self.0.last_mut() {
            Some((last, frames)) if *last == held && *frames < u32::MAX => *frames += 1,
            _ => self.0.push((held, 1)),
        }
    }

    /// What is held, frame by frame.
    pub fn frames(&self) -> impl Iterator<Item = u16> + '_ {
        let rows = self.0.iter();
        rows.flat_map(|&(held, frames)| (0..frames).map(move |_| held))
    }

    /// Number of frames.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.0.iter().map(|&(_, frames)| u64::from(frames)).sum()
    }
}

impl FromIterator<u16> for Pads {
    fn from_iter<T: IntoIterator<Item = u16>>(frames: T) -> Self {
        let mut log = Self::default();
        frames.into_iter().for_each(|held| log.push(held));
        log
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_written_as_it_is_read() {
        let held = [0, 0, 0x1040, 0x1040, 0x1040, 0x20, 0];
        let log: Pads = held.into_iter().collect();
        let file = log.file();
        assert_eq!(
            file,
            "{ \"pads\": [\n  [\"0x0000\", 2],\n  [\"0x1040\", 3],\n  [\"0x0020\", 1],\n  [\"0x0000\", 1]\n] }\n"
        );
        let again = Pads::parse(file.as_bytes()).unwrap();
        assert_eq!((again.length(), &again), (7, &log));
        assert!(again.frames().eq(held));
        let empty = Pads::default();
        assert_eq!(Pads::parse(empty.file().as_bytes()), Ok(empty));
    }

    #[test]
    fn buttons_have_names() {
        let named = br#"{"pads": [["up+run", 1], ["none", 1], ["confirm", 2], [4096, 1]]}"#;
        let log = Pads::parse(named).unwrap();
        assert!(log.frames().eq([0x1040, 0, 0x20, 0x20, 0x1000]));
    }

    #[test]
    fn a_bad_log_is_told() {
        for (text, message) in [
            (
                r#"{"pads": [["jump", 1]]}"#,
                "pads[0][0]: expected held buttons: a number from 0 to 65535, a text such as",
            ),
            (
                r#"{"pads": [["up+", 1]]}"#,
                "joined by +, up right down left confirm run none",
            ),
            (
                r#"{"pads": [["jump", 1]]}"#,
                "up right down left confirm run none, found the text \"jump\"",
            ),
            (r#"{"pads": [["0x10000", 1]]}"#, "the number 65536"),
            (
                r#"{"pads": [[18446744073709551615, 1]]}"#,
                "the number 18446744073709551615, expected 0 to 65535",
            ),
            (
                r#"{"pads": [[99999999999999999999, 1]]}"#,
                "found the number 99999999999999999999",
            ),
            (
                r#"{"pads": [[-1, 1]]}"#,
                "the number -1, expected 0 to 65535",
            ),
            (r#"{"pads": [[0, 1000001]]}"#, "1000001 frames"),
            (r#"{"pads": [[0]]}"#, "expected a list of 2 values"),
            (r#"{"frames": 3}"#, "unknown field `frames`"),
            ("{}", "missing field `pads`"),
            ("[[]]", "expected an object"),
        ] {
            let error = Pads::parse(text.as_bytes()).unwrap_err();
            assert!(error.contains(message), "{text}: {error}");
        }
    }
}
