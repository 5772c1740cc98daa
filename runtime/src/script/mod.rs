//! The script machines of the field (field VM, menu-control and motion sheets).
//!
//! | Part | Where |
//! |---|---|
//! | forms of the instructions, their lengths and operands | [`table`], [`decode`] |
//! | text of a script, and back | [`dis`], [`asm`] |

pub mod asm;
mod compat;
pub mod decode;
pub mod dis;
pub mod table;

pub use compat::Compat;
pub use decode::{DecodeError, Instr, PLAYER, SYSTEM};
