//! The sheet's bank, and clips made by hand.

use overworld_runtime::anim::legaia::{ClipSource, Pose, emit};

pub fn pose(t: [i16; 3], r: [u16; 3]) -> Pose {
    Pose { t, r }
}

/// The sheet's synthetic bank.
pub const BANK: [u8; 84] = include!("../../../tests/battery/tables/anm.rs");

/// Where its clips start.
pub const FIRST: usize = 0x0C;

pub const SECOND: usize = 0x24;

/// A bank with one clip of one part.
pub fn one_clip(frames: u16, blend: bool, rate: u8) -> Vec<u8> {
    let poses = vec![Pose::default(); usize::from(frames)];
    let clip = ClipSource {
        parts: 1,
        frames,
        blend,
        rate,
        extra: 0,
        poses: &poses,
    };
    let mut out = vec![0; 64 + 8 * poses.len()];
    let len = emit(&[clip], &mut out).unwrap();
    out.truncate(len);
    out
}
