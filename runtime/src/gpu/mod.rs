//! What the GPU takes, as data: GP0 packet words, VRAM addresses, ordering table and display
//! list (HAL sheet, sections 4 and 5.3). No register is touched here.

mod attributes;
pub mod layout;
mod list;
pub mod packet;

pub use attributes::{Blend, Depth, VRAM_HEIGHT, VRAM_WIDTH, clut, page};
pub(crate) use list::Tail;
pub use list::{DisplayList, Full};
pub use packet::Style;
