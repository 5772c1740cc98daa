//! Levels of "The Emperor's New Groove" as values that own their parts: what the tool edits, shows and makes.

pub mod bridge;
pub mod document;
mod findings;
pub mod parts;
pub mod picture;
pub mod report;
pub mod sample;
pub mod slip;
pub mod testlevel;
pub mod types;

#[cfg(test)]
mod tests;

pub use document::Document;
pub use parts::Parts;
