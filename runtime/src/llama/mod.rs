//! "The Emperor's New Groove" on the PC: levels as WAD containers, and the MAP chunk in them (llama sheet).
//!
//! | Module | Sheet section |
//! |---|---|
//! | [`wad`] | 1, container |
//! | [`number`] | 2, coordinates; 3.2, the cell of a tile |
//! | [`map`] | 3, the fifteen blocks of the MAP chunk; 7, its invariants, writer and edits |
//! | [`flags`] | 4, what is present |
//! | [`trak`], [`stpc`] | 5, what MAP needs from elsewhere; 6, types and names |
//! | [`chunks`], [`light`] | 9, other chunks |
//!
//! ```
//! use overworld_runtime::llama::Level;
//!
//! /// Number of tiles of a level.
//! fn tiles(wad: &[u8]) -> Option<usize> {
//!     Some(Level::parse(wad).ok()?.map.tiles().len())
//! }
//! assert_eq!(tiles(b"no WAD"), None);
//! ```

pub mod chunks;
mod fields;
pub mod flags;
mod level;
pub mod light;
pub mod map;
pub mod number;
pub mod stpc;
pub mod trak;
pub mod wad;

pub use fields::{Record, Table};
pub use flags::Flags;
pub use level::{Level, LevelError, Note};
pub use map::Map;
pub use number::Float;
pub use stpc::{Name, Stpc};
pub use trak::{Models, Trak};
pub use wad::{Tag, Wad};
