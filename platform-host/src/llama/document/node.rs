//! JSON values that know where they stand, for messages.

use overworld_runtime::llama::{Float, Tag};
use serde_json::{Map as Object, Value};

use crate::number::range;

/// A value and where it stands.
pub(super) struct Node<'v> {
    value: &'v Value,
    path: String,
}

static NULL: Value = Value::Null;

impl<'v> Node<'v> {
    pub(super) fn root(value: &'v Value) -> Self {
        Self {
            value,
            path: String::new(),
        }
    }

    /// Where it stands.
    fn place(&self) -> &str {
        match self.path.strip_prefix('.').unwrap_or(&self.path) {
            "" => "the document",
            path => path,
        }
    }

    pub(super) fn expected(&self, what: &str) -> String {
        let path = self.place();
        // No value of a document is this one.
        if std::ptr::eq(self.value, &NULL) {
            return format!("{path}: expected {what}, but it is missing");
        }
        let mut found = self.value.to_string();
        if found.len() > 60 {
            found = found.chars().take(57).chain("...".chars()).collect();
        }
        format!("{path}: expected {what}, found {found}")
    }

    pub(super) fn object(&self) -> Result<&'v Object<String, Value>, String> {
        self.value
            .as_object()
            .ok_or_else(|| self.expected("an object"))
    }

    /// That there are no other keys: a slip would be lost silently.
    pub(super) fn keys(&self, known: &[&str]) -> Result<(), String> {
        let unknown = self
            .object()?
            .keys()
            .find(|it| !known.contains(&it.as_str()));
        match unknown {
            Some(key) => Err(format!("{}: expected no key {key:?}", self.place())),
            None => Ok(()),
        }
    }

    pub(super) fn child(&self, key: &str, value: &'v Value) -> Self {
        Self {
            value,
            path: format!("{}.{key}", self.path),
        }
    }

    pub(super) fn key(&self, key: &str) -> Result<Self, String> {
        let value = self.object()?.get(key).unwrap_or(&NULL);
        Ok(self.child(key, value))
    }

    pub(super) fn optional(&self, key: &str) -> Option<Self> {
        let value = self.value.get(key).filter(|it| !it.is_null())?;
        Some(self.child(key, value))
    }

    pub(super) fn or<T: TryFrom<i64>>(&self, key: &str, default: T) -> Result<T, String> {
        self.optional(key).map_or(Ok(default), |it| it.number())
    }

    pub(super) fn list<T>(
        &self,
        mut each: impl FnMut(Self) -> Result<T, String>,
    ) -> Result<Vec<T>, String> {
        let list = self.value.as_array();
        let list = list.ok_or_else(|| self.expected("an array"))?;
        let nodes = list.iter().enumerate().map(|(index, value)| Self {
            value,
            path: format!("{}[{index}]", self.path),
        });
        nodes.map(&mut each).collect()
    }

    pub(super) fn all<T>(
        &self,
        key: &str,
        each: impl FnMut(Self) -> Result<T, String>,
    ) -> Result<Vec<T>, String> {
        self.optional(key)
            .map_or(Ok(Vec::new()), |it| it.list(each))
    }

    pub(super) fn array<T: TryFrom<i64>, const N: usize>(&self) -> Result<[T; N], String> {
        let list = self.list(|it| it.number())?;
        list.try_into()
            .map_err(|_| self.expected(&format!("{N} numbers")))
    }

    /// A whole number, or a text such as "0x1000".
    pub(super) fn integer(&self) -> Option<i64> {
        match self.value {
            Value::String(text) => {
                let digits = text.strip_prefix("0x").or(text.strip_prefix("0X"))?;
                u32::from_str_radix(digits, 16).ok().map(i64::from)
            }
            value => value.as_i64(),
        }
    }

    pub(super) fn number<T: TryFrom<i64>>(&self) -> Result<T, String> {
        let number = self.integer().and_then(|it| T::try_from(it).ok());
        number.ok_or_else(|| self.expected(&format!("a whole number from {}", range::<T>())))
    }

    pub(super) fn float(&self) -> Result<Float, String> {
        let bits = match self.value {
            Value::String(_) => self.integer().and_then(|it| u32::try_from(it).ok()),
            // The document's number is that of an f32, or rounded to one.
            value => value.as_f64().map(|it| (it as f32).to_bits()),
        };
        bits.map(Float)
            .ok_or_else(|| self.expected("a number, or the bits of one such as \"0x7FC00000\""))
    }

    pub(super) fn tag(&self) -> Result<Tag, String> {
        let text = self.value.as_str().unwrap_or_default();
        if let Ok(text) = <&[u8; 4]>::try_from(text.as_bytes()) {
            return Ok(Tag::new(text));
        }
        let number = self.integer().and_then(|it| u32::try_from(it).ok());
        number
            .map(Tag)
            .ok_or_else(|| self.expected("a tag of four characters"))
    }

    pub(super) fn hex(&self) -> Result<Vec<u8>, String> {
        let digit = |it: u8| char::from(it).to_digit(16);
        let byte = |pair: &[u8]| match *pair {
            [high, low] => Some((digit(high)? * 16 + digit(low)?) as u8),
            _ => None,
        };
        let text = self.value.as_str();
        let bytes = text.and_then(|it| it.as_bytes().chunks(2).map(byte).collect());
        bytes.ok_or_else(|| self.expected("hexadecimal digits, two a byte"))
    }
}
