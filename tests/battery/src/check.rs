//! How a test says what it expected and what it found.

use core::fmt::{self, Write as _};

use heapless::String;

/// Why a test failed, in words. What does not fit is cut off.
pub(crate) type Reason = String<124, u8>;

/// The result of a test.
pub(crate) type Check = Result<(), Reason>;

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
