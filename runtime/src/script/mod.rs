//! The script machines of the field (field VM, menu-control and motion sheets).
//!
//! | Part | Where |
//! |---|---|
//! | forms of the instructions, their lengths and operands | [`table`], [`decode`] |
//! | text of a script, and back | [`dis`], [`asm`] |
//! | contexts and what they run, the state they share, and what they ask of the rest | [`context`], [`task`], [`state`], [`host`] |
//! | one step, one slice | [`Vm::step`], [`Vm::slice`] |
//! | walk kernel and ambient streams | [`Vm::walk`], [`Vm::ambient`] |
//! | text of a dialogue, its box and picker, a whole conversation | [`text`], [`dialog`] |
//! | the font, where glyphs stand, boxes as packets | [`font`], [`show`] |
//! | the camera's glide, an actor's arc | [`mover`], [`arc`] |
//! | who was parked goes on | [`Vm::release`], [`Vm::end_arc`] |
//! | what is saved | [`save`] |
//! | one frame of all contexts, installing and spawning | [`Vm::frame`], [`Vm::install`], [`Vm::spawn_beat`] |

mod ambient;
pub mod arc;
pub mod asm;
mod compat;
mod contact;
pub mod context;
pub mod decode;
pub mod dialog;
pub mod dis;
mod fault;
pub mod font;
mod hash;
pub mod host;
mod menu;
pub mod mover;
mod ops;
mod release;
pub mod save;
mod schedule;
pub mod show;
mod simple;
mod slice;
pub mod state;
mod step;
pub mod table;
pub mod task;
pub mod text;
mod textbox;
mod vm;
mod walk;

pub use compat::Compat;
pub use context::Context;
pub use decode::{DecodeError, Instr, PLAYER, SYSTEM};
pub use fault::{Counters, Fault, FaultKind, Outcome, SliceEnd};
pub use host::Host;
pub use schedule::{Beat, Spawn};
pub use state::State;
pub use vm::Vm;
