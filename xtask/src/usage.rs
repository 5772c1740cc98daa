//! Mistakes of the command line that the parser cannot see.

use std::fmt;

/// The command line is wrong, and nothing was done: the message says what it may be.
#[derive(Debug)]
pub struct Usage(pub String);

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}
