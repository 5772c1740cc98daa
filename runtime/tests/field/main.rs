//! Movement on the field: the worked vectors of the field sheet (section 21) and its laws.

mod cast;
mod common;
mod contact;
mod floor;
mod frame;
mod glide;
mod laws;
mod pad;
mod paint;
mod precise;
mod scene;
mod steps;
mod walls;
