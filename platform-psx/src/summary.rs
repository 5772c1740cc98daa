//! What a test program leaves on the screen: how many tests passed, and which did not.
//!
//! Nothing is drawn before the last test is over, so the tests have the GPU, and their costs, to
//! themselves. The reasons are on the character output.

use crate::console::{Colour, Console};
use core::fmt::{self, Write};

/// Failed tests that are named; the rest is counted only.
const NAMED: usize = 16;

const TEXT: Colour = Colour::new(31, 31, 31);
const GREEN: Colour = Colour::new(0, 9, 4);
const RED: Colour = Colour::new(12, 0, 2);

/// The tests so far.
#[derive(Clone, Copy, Debug)]
pub struct Summary {
    title: &'static str,
    passed: u32,
    failed: u32,
    names: [&'static str; NAMED],
}

impl Summary {
    /// None yet. The title goes on the first line.
    #[must_use]
    pub const fn new(title: &'static str) -> Self {
        Self {
            title,
            passed: 0,
            failed: 0,
            names: [""; NAMED],
        }
    }

    /// Count a test.
    pub fn test(&mut self, name: &'static str, passed: bool) {
        if passed {
            self.passed += 1;
            return;
        }
        if let Some(place) = self.names.get_mut(self.failed as usize) {
            *place = name;
        }
        self.failed += 1;
    }

    /// Whether a test ran, and none failed.
    #[must_use]
    pub const fn good(&self) -> bool {
        self.passed > 0 && self.failed == 0
    }

    /// Take the GPU and show the sums, for a few pictures at least: call it before the end mark.
    pub fn show(&self) {
        let mut screen = Console::take(TEXT, if self.good() { GREEN } else { RED });
        // The console never fails, it only runs out of lines.
        let _ = write!(screen, "{self}");
        screen.hold();
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = if self.good() { "PASS" } else { "FAIL" };
        let (passed, failed) = (self.passed, self.failed);
        writeln!(f, "{}: {word}\n", self.title)?;
        writeln!(f, "{passed} tests passed, {failed} failed\n")?;
        for name in self.names.iter().take(failed as usize) {
            writeln!(f, "  {name}")?;
        }
        if failed as usize > NAMED {
            writeln!(f, "  and {} more", failed as usize - NAMED)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn the_sums_and_the_failed_tests_are_shown() {
        let mut summary = Summary::new("TESTS");
        assert!(!summary.good(), "no test is no pass");
        summary.test("a", true);
        assert_eq!(
            summary.to_string(),
            "TESTS: PASS\n\n1 tests passed, 0 failed\n\n"
        );
        summary.test("b/c", false);
        assert_eq!(
            summary.to_string(),
            "TESTS: FAIL\n\n1 tests passed, 1 failed\n\n  b/c\n"
        );
        for _ in 0..20 {
            summary.test("x", false);
        }
        let text = summary.to_string();
        assert!(text.ends_with("  x\n  and 5 more\n"), "{text}");
        // All of it fits the screen.
        assert!(text.lines().count() <= usize::from(crate::console::LINES));
    }
}
