//! Movement on the field: the worked vectors of the field sheet (section 21) and its laws.

mod animate;
mod cast;
mod common;
mod contact;
mod crossing;
mod engage;
mod fights;
mod floor;
mod frame;
mod glide;
mod held;
mod index;
mod laws;
mod pad;
mod paint;
mod precise;
mod seats;
mod steps;
mod sweeps;
mod walls;
