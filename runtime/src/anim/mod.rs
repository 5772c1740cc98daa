//! Animation: banks of clips, poses, and the clock that plays them.

pub mod ff8;
pub mod legaia;
