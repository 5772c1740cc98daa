//! The ANM sheet's vectors: poses, blending, the clock, the bank and every error of its table.

mod banks;
mod clock;
mod common;
mod poses;
mod properties;
