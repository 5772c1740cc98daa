//! How a test says what it expected and what it found.

use core::fmt::{self, Write as _};

use heapless::String;

/// Why a test failed, in words. What does not fit is cut off.
pub(crate) type Reason = String<124, u8>;

/// The result of a test.
pub(crate) type Check = Result<(), Reason>;

/// The result of a test that has something to say when it passes, too.
pub(crate) type Told = Result<Reason, Reason>;

/// How many cases came out differently, and the first of them.
#[derive(Default)]
pub(crate) struct Count {
    cases: u32,
    differ: u32,
    first: Option<Reason>,
}

impl Count {
    /// Take in what came of one case.
    pub(crate) fn add(&mut self, result: Check) {
        self.cases += 1;
        if let Err(why) = result {
            self.differ += 1;
            self.first.get_or_insert(why);
        }
    }

    /// "0 of 50 differ"; a failure if any does, or if there were not as many cases as `wanted`.
    pub(crate) fn told(self, wanted: u32) -> Told {
        let Self {
            cases,
            differ,
            first,
        } = self;
        match first {
            None if cases == wanted => Ok(reason(format_args!("0 of {cases} differ"))),
            None => Err(reason(format_args!("{cases} cases instead of {wanted}"))),
            Some(why) => Err(reason(format_args!(
                "{differ} of {cases} differ, the first: {why}"
            ))),
        }
    }
}

/// A list of tests of one room.
pub(crate) type List<G> = &'static [(&'static str, fn(&mut G) -> Check)];

#[cold]
#[inline(never)]
pub(crate) fn reason(text: fmt::Arguments<'_>) -> Reason {
    struct Cut(Reason);
    impl fmt::Write for Cut {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            for c in text.chars() {
                self.0.push(c).map_err(|_| fmt::Error)?;
            }
            Ok(())
        }
    }
    let mut cut = Cut(Reason::new());
    // The error means "full".
    let _ = cut.write_fmt(text);
    cut.0
}

/// `same!(found, expected, "what {}", n)`: fail unless both are equal.
macro_rules! same {
    ($found:expr, $expected:expr, $($what:tt)+) => {{
        let (found, expected) = (&$found, &$expected);
        if found != expected {
            return Err($crate::check::reason(format_args!(
                "{}: expected {expected:?}, found {found:?}",
                format_args!($($what)+)
            )));
        }
    }};
}

/// [`same`] for words that are read in hexadecimal.
macro_rules! same_hex {
    ($found:expr, $expected:expr, $($what:tt)+) => {{
        let (found, expected) = (&$found, &$expected);
        if found != expected {
            return Err($crate::check::reason(format_args!(
                "{}: expected {expected:08X?}, found {found:08X?}",
                format_args!($($what)+)
            )));
        }
    }};
}

/// Compare two runs of bytes; the reason names the first difference.
pub(crate) fn bytes(what: fmt::Arguments<'_>, found: &[u8], expected: &[u8]) -> Check {
    same!(found.len(), expected.len(), "{what}: length");
    for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
        same_hex!(found, expected, "{what}: byte {at}");
    }
    Ok(())
}

/// Compare two runs of words; the reason names the first difference.
pub(crate) fn words(what: fmt::Arguments<'_>, found: &[u32], expected: &[u32]) -> Check {
    same!(found.len(), expected.len(), "{what}: length");
    for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
        same_hex!(found, expected, "{what}: word {at}");
    }
    Ok(())
}

pub(crate) use {same, same_hex};
