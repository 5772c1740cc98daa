//! The boot ROM's logic as far as it needs no hardware: what the ROM binary puts together with the
//! CD driver and the kernel vectors, and what a PC can test.

pub mod config;
pub mod disc;
pub mod exe;
pub mod format;
