//! The llama sheet's worked examples, invariants and malformed inputs.

mod build;
mod checks;
mod code;
mod edit;
mod examples;
mod fixtures;
mod malformed;
mod properties;
mod whole;
