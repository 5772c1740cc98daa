//! Posed meshes into display lists (TMD/TIM sheet, section 7), with expected packets.

mod common;
mod light;
mod packets;
mod parts;
mod properties;
