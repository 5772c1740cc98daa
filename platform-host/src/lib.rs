//! PC backend of Overworld: images of discs, a drive over them, the sample world, a software GPU.

pub mod bodies;
pub mod drive;
pub mod extract;
pub mod fault;
pub mod ff8;
pub mod gltf;
pub mod gpu;
pub mod gte_check;
pub mod identify;
pub mod image;
pub mod input;
pub mod json;
pub mod listing;
pub mod llama;
pub mod movie;
mod number;
mod object;
pub mod output;
pub mod pads;
pub mod play;
pub mod psexe;
pub mod sample;
pub mod scenario;
pub mod script;
pub mod signals;
pub mod sources;
pub mod strip;
pub mod text;
pub mod texture;
pub mod troubles;
pub mod verify;
pub mod world;

#[cfg(test)]
#[path = "../tests/common/vectors.rs"]
mod vectors;
