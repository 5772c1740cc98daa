//! Meshes, textures, and the way from a posed model to GPU packets.

pub mod draw;
pub mod ff8;
pub mod pose;
pub mod tim;
pub mod tmd;
