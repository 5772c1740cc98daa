//! The core of Overworld: it plays the field part of a PS1-era role-playing game on a
//! PlayStation, a PC or a microcontroller.
//!
//! 1. No allocator, no `unsafe`, no floating point, and no panic that data can reach.
//! 2. Parsers borrow: `&[u8]` in, typed views out. State lives in structs of fixed size.
//! 3. A parser never trusts a count, an offset or an index.
//! 4. Arithmetic that data can push out of range says what happens: wrapping, checked, saturating.
//! 5. A machine is a handful of small traits ([`platform`], [`gte::Geometry`]), chosen at compile time.
//! 6. The same input gives the same bits on every machine.
//! 7. Every reader has a writer, and a round trip that tests both.
//! 8. Errors are small values that name the field and the place.
//! 9. Modules use only the modules above them, in the order of their declarations below.
//!
//! ```
//! use overworld_runtime::anim::legaia::Bank;
//! use overworld_runtime::lzs;
//!
//! /// Unpack an animation bank into `memory`, which is as long as the unpacked bank, and count the
//! /// parts of its first clip.
//! fn parts(packed: &[u8], memory: &mut [u8]) -> Option<u8> {
//!     lzs::decode(packed, memory).ok()?;
//!     let bank = Bank::parse(memory).ok()?;
//!     Some(bank.clip(1).ok()?.parts())
//! }
//! assert_eq!(parts(&[0xFF], &mut [0; 16]), None);
//! ```
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "defmt")]
mod logged;

pub mod platform;

pub mod bytes;

pub mod fixed;

pub mod gte;

pub mod lzs;

pub mod disc;

pub mod anim;

pub mod gpu;

pub mod model;

pub mod field;

pub mod script;

pub mod scene;

pub mod llama;
