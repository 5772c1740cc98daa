//! What a channel and a bone cost.

use core::hint::black_box;

use overworld_runtime::anim::ff8::{
    Animations, BoneMatrices, Decoder, FrameSource, Pose, Progress, Skeleton, SkeletonSource,
    Speed, emit_animations, emit_skeleton, encode, matrices,
};

use crate::Machine;
use crate::bench::per_call;

const BONES: usize = 22;
const FRAMES: usize = 4;

/// What a battle model does: most channels change by a little, some by more, some not at all.
fn wave(frame: usize, bone: usize) -> [i16; 3] {
    let (frame, bone) = (frame as i16, bone as i16);
    [
        frame * 3 * (bone % 5 - 2),
        frame * frame * (bone % 7) * 9,
        if bone % 3 == 0 { frame * 211 } else { 40 },
    ]
}

/// Decode a rotation channel of an animation of 22 bones.
pub(crate) fn bench_channel<M: Machine>(machine: &mut M) -> u32 {
    let rotations: [[[i16; 3]; BONES]; FRAMES] =
        core::array::from_fn(|frame| core::array::from_fn(|bone| wave(frame, bone)));
    let frames = rotations.each_ref().map(|rotation| FrameSource {
        root: [3, -40, 7],
        rotation,
        scale: None,
    });
    let mut room = [0; 640];
    let written = emit_animations(1, &mut room, |_, out| encode(&frames, BONES as u8, out));
    let section = written.ok().and_then(|length| room.get(..length));
    let animation = Animations::parse(section.unwrap_or_default()).and_then(|it| it.get(0));
    let Ok(animation) = animation else {
        return u32::MAX;
    };
    let mut pose = Pose::<BONES>::START;
    let mut good = true;
    let cost = per_call(machine, 4, |_, _| {
        let mut decoder = Decoder::new(black_box(&animation), BONES as u8, Speed::Normal);
        pose = Pose::START;
        while let Ok(Progress::Frame(_)) = decoder.step(&mut pose) {}
        good &= decoder.remaining_frames() == 0;
    });
    let reset = per_call(machine, 4, |_, _| pose = black_box(Pose::START));
    match cost {
        u32::MAX => cost,
        _ if !good => u32::MAX,
        _ => cost.saturating_sub(reset) / (3 * BONES * FRAMES) as u32,
    }
}

/// The matrices of a model of 22 bones.
pub(crate) fn bench_matrices<M: Machine>(machine: &mut M) -> u32 {
    let bones: [(Option<u8>, i16); BONES] = core::array::from_fn(|bone| match bone {
        0 => (None, 60),
        bone => (Some(bone as u8 - 1 - (bone as u8 - 1) % 3), 60),
    });
    let mut room = [0; 16 + 48 * BONES];
    let source = SkeletonSource {
        scale: 200,
        bones: &bones,
    };
    let written = emit_skeleton(&source, &mut room);
    let Ok(Ok(skeleton)) = written.map(|_| Skeleton::parse(&room)) else {
        return u32::MAX;
    };
    let pose = Pose::<BONES> {
        rotation: core::array::from_fn(|bone| wave(2, bone)),
        ..Pose::START
    };
    let mut out = [BoneMatrices::default(); BONES];
    let mut good = true;
    let cost = per_call(machine, 4, |gte, _| {
        good &= matrices(gte, black_box(&skeleton), &pose, &mut out).is_ok();
    });
    match cost {
        cost if good && cost != u32::MAX => cost / BONES as u32,
        _ => u32::MAX,
    }
}
