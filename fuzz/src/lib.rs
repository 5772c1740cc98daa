//! What the fuzz targets run: for each reader one function that takes any bytes and asserts what
//! must hold whatever they are.
//!
//! [`runtime`] and [`tools`] are also part of the tests that replay the committed seeds
//! (`runtime/tests/seeds.rs`, `tests/tests/seeds.rs`), so they use nothing of libFuzzer.

pub mod runtime;
pub mod tools;
