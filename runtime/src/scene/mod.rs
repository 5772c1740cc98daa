//! One field scene: from the disc to a picture.
//!
//! [`load`] reads the scene's bundle from the disc, unpacks it and sends its textures to VRAM;
//! [`Scene::tick`] advances the world, [`Scene::draw`] shows it. Everything is generic over the
//! machine: a drive, a screen, a geometry engine.

mod camera;
pub mod cast;
pub mod creatures;
mod error;
mod load;
pub mod man;
mod run;
pub mod scripts;
mod unpack;
pub mod walk;
pub mod world;

pub use camera::Camera;
pub use error::{DrawError, LoadError, Name};
pub use load::{
    CONSOLE_ASSETS, LONGEST_BUNDLE, MapRead, Memory, Which, load, read_further, read_map,
};
pub use run::Scene;

use core::fmt;

use crate::disc::bundle::AssetType;

/// Colour behind the scene where nothing is drawn: red, green, blue. A machine clears its back
/// buffer to it, so that the pictures of all machines agree.
pub const BACKGROUND: [u8; 3] = [40, 48, 72];

/// One decoded member of the scene's bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asset {
    /// Its place in the bundle.
    pub index: u8,
    /// What it is.
    pub ty: AssetType,
    /// Decoded size in bytes.
    pub size: u32,
    /// CRC-32 (EDB88320h) of the decoded bytes.
    pub crc32: u32,
}

impl fmt::Display for Asset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            index,
            ty,
            size,
            crc32,
        } = *self;
        write!(
            f,
            "asset {index} type {:02X} size {size} crc {crc32:08X}",
            ty.byte()
        )
    }
}
