//! PC backend of Overworld: images of discs, a drive over them, the sample world, a software GPU.

pub mod drive;
pub mod gpu;
pub mod image;
pub mod listing;
pub mod output;
pub mod play;
pub mod psexe;
pub mod sample;
pub mod world;
