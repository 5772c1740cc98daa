//! Numbers and bytes of JSON documents.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::{Serialize, Serializer};

/// The number of a text: decimal, or hexadecimal behind `0x`, which has no sign.
pub(crate) fn whole(text: &str) -> Option<i64> {
    if text.contains('+') {
        return None;
    }
    match text.strip_prefix("0x").or(text.strip_prefix("0X")) {
        Some(digits) => u32::from_str_radix(digits, 16).map(i64::from).ok(),
        None => text.parse().ok(),
    }
}

/// What a type of at most 32 bits holds, for messages.
pub(crate) fn range<T: TryFrom<i64>>() -> String {
    let bits = 8 * size_of::<T>().min(4) as u32;
    match T::try_from(-1).is_ok() {
        true => format!("-{} to {}", 1_u64 << (bits - 1), (1_u64 << (bits - 1)) - 1),
        false => format!("0 to {}", (1_u64 << bits) - 1),
    }
}

/// A whole number, or a text such as `"0x1000"`; written as a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub(crate) struct Number<T>(pub(crate) T);

impl<'de, T: TryFrom<i64>> Deserialize<'de> for Number<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Any<T>(PhantomData<T>);
        impl<T: TryFrom<i64>> Any<T> {
            fn value<E: de::Error>(
                value: impl Copy + fmt::Display + TryInto<i64>,
            ) -> Result<Number<T>, E> {
                let number = value.try_into().ok().and_then(|it| T::try_from(it).ok());
                number.map(Number).ok_or_else(|| {
                    let range = range::<T>();
                    E::custom(format_args!("the number {value}, expected {range}"))
                })
            }
        }
        impl<T: TryFrom<i64>> Visitor<'_> for Any<T> {
            type Value = Number<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let range = range::<T>();
                write!(
                    f,
                    "a whole number from {range}, or a text such as \"0x1000\""
                )
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Self::Value, E> {
                Self::value(value)
            }

            fn visit_u64<E: de::Error>(self, value: u64) -> Result<Self::Value, E> {
                Self::value(value)
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
                match whole(text) {
                    Some(value) => Self::value(value),
                    None => Err(E::invalid_value(de::Unexpected::Str(text), &self)),
                }
            }
        }
        from.deserialize_any(Any(PhantomData))
    }
}

/// Bytes as a text of two hexadecimal digits each, between which blanks may stand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Hex(pub(crate) Vec<u8>);

impl Hex {
    fn parse(text: &str) -> Option<Self> {
        let mut bytes = Vec::with_capacity(text.len() / 2);
        for word in text.split_ascii_whitespace() {
            for pair in word.as_bytes().chunks(2) {
                let &[high, low] = pair else {
                    return None;
                };
                let digit = |byte: u8| char::from(byte).to_digit(16);
                bytes.push((digit(high)? << 4 | digit(low)?) as u8);
            }
        }
        Some(Self(bytes))
    }
}

impl Hex {
    /// Why a text is none, without all of the text.
    fn fault(text: &str) -> String {
        let is_part = |it: char| it.is_ascii_hexdigit() || it.is_ascii_whitespace();
        let mut characters = text.chars().zip(1..);
        match characters.find(|it| !is_part(it.0)) {
            Some((it, at)) => {
                format!("expected hexadecimal digits, found {it:?} as character {at} of the text")
            }
            None => {
                "expected two hexadecimal digits a byte, found an odd number of them".to_owned()
            }
        }
    }
}

impl Serialize for Hex {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&crate::script::hex(&self.0))
    }
}

impl<'de> Deserialize<'de> for Hex {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Digits;
        impl Visitor<'_> for Digits {
            type Value = Hex;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text of hexadecimal digits, two a byte")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Hex, E> {
                Hex::parse(text).ok_or_else(|| E::custom(Hex::fault(text)))
            }
        }
        from.deserialize_str(Digits)
    }
}

/// A part of a document by its structure, or by its bytes where that cannot say all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part<T> {
    /// The structure.
    Rows(T),
    /// The bytes as they are.
    Raw(Hex),
}

impl<T: Default> Default for Part<T> {
    fn default() -> Self {
        Self::Rows(T::default())
    }
}

impl<T: Serialize> Serialize for Part<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Rows(rows) => rows.serialize(to),
            Self::Raw(bytes) => bytes.serialize(to),
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Part<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Any<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Any<T> {
            type Value = Part<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the part's rows, or a text of hexadecimal digits")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
                Hex::deserialize(de::value::StrDeserializer::new(text)).map(Part::Raw)
            }

            fn visit_seq<A: de::SeqAccess<'de>>(self, rows: A) -> Result<Self::Value, A::Error> {
                T::deserialize(de::value::SeqAccessDeserializer::new(rows)).map(Part::Rows)
            }

            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                T::deserialize(de::value::MapAccessDeserializer::new(map)).map(Part::Rows)
            }
        }
        from.deserialize_any(Any(PhantomData))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_outside_of_their_range_are_told_it() {
        fn range<T: TryFrom<i64>>(text: &str) -> String {
            let error = serde_json::from_str::<Number<T>>(text).err().unwrap();
            error.to_string()
        }
        assert!(range::<i8>("128").contains("the number 128, expected -128 to 127"));
        assert!(range::<u8>("-1").contains("expected 0 to 255"));
        assert!(range::<i16>("\"0x8000\"").contains("expected -32768 to 32767"));
        assert!(range::<u16>("65536").contains("expected 0 to 65535"));
        assert!(range::<u32>("1e3").contains("expected a whole number from 0 to 4294967295"));
        // What was given, however large.
        for number in [
            "9223372036854775808",
            "18446744073709551615",
            "-9223372036854775808",
        ] {
            let told = format!("the number {number}, expected 0 to 255");
            assert!(range::<u8>(number).contains(&told), "{number}");
        }
        assert_eq!(serde_json::from_str::<Number<i8>>("-128").unwrap().0, -128);
        assert_eq!(
            serde_json::from_str::<Number<u8>>("\"0xFF\"").unwrap().0,
            255
        );
    }

    #[test]
    fn bytes_are_whole_pairs_of_digits() {
        let hex = |text: &str| serde_json::from_str::<Hex>(text).map(|it| it.0).ok();
        assert_eq!(hex("\"00fF 10\""), Some(vec![0, 255, 16]));
        assert_eq!(hex("\"\""), Some(vec![]));
        for text in ["\"0\"", "\"0 0\"", "\"0g\"", "\"+1\"", "\"é\"", "1", "[1]"] {
            assert_eq!(hex(text), None, "{text}");
        }
    }
}
