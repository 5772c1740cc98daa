//! Movement on the field: the worked vectors of the field sheet (section 21) and its laws.

mod common;
mod contact;
mod floor;
mod frame;
mod laws;
mod pad;
mod paint;
mod precise;
mod steps;
mod walls;
