//! The MAN sheet: its worked example, every error of its table, the writers, round trips.

mod common;
mod example;
mod malformed;
mod properties;
mod reading;
mod tables;
mod writing;
