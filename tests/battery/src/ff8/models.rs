//! Skeletons that are posed, and whole models.

use overworld_runtime::anim::ff8::{
    BoneMatrices, Dat, Decoder, Error, Geometry as Mesh, Pose, Progress, Skeleton, SkeletonSource,
    Speed, emit_skeleton, matrices,
};
use overworld_runtime::fixed::{SVector, Vector};
use overworld_runtime::gte::Geometry;

use crate::check::{Check, same};

type Posed = ([i32; 3], [[i16; 3]; 3]);

fn posed<G: Geometry, const N: usize>(
    gte: &mut G,
    scale: i16,
    bones: &[(Option<u8>, i16)],
    pose: &Pose<N>,
    rows: &[Posed],
) -> Check {
    let mut room = [0; 16 + 48 * 3];
    let source = SkeletonSource { scale, bones };
    let length = emit_skeleton(&source, &mut room).unwrap_or(0);
    let skeleton = Skeleton::parse(room.get(..length).unwrap_or_default());
    let mut out = [BoneMatrices::default(); 3];
    let Ok(Ok(made)) = skeleton.map(|it| matrices(gte, &it, pose, &mut out)) else {
        return Err(crate::check::reason(format_args!("no matrices")));
    };
    same!(made.len(), rows.len(), "bones");
    for (bone, (made, (at, m))) in made.iter().zip(rows).enumerate() {
        same!(made.skin.rotation.m, *m, "bone {bone}");
        let Vector { x, y, z } = made.skin.translation;
        same!([x, y, z], *at, "bone {bone}, position");
    }
    Ok(())
}

/// A10 and A11, with the machine's engine.
pub(super) fn poses<G: Geometry>(gte: &mut G) -> Check {
    let bones = [(None, 100), (Some(0), 200), (Some(1), 50)];
    let mut pose = Pose::<3> {
        root: [16, -32, 64],
        rotation: [[0, 1024, 0], [512, 0, 0], [0, 0, 1024]],
        scale: [[1024, 1024, 512], [1024, 2048, 1024], [512, 1024, 1024]],
        scaled: false,
    };
    let rows = [
        (
            [256, -512, 1024],
            [[0, 0, 4096], [0, 4096, 0], [-4096, 0, 0]],
        ),
        (
            [356, -512, 1024],
            [[0, 2896, 2896], [0, 2896, -2896], [-4096, 0, 0]],
        ),
        (
            [497, -654, 1024],
            [[2896, 0, 2896], [2896, 0, -2896], [0, 4096, 0]],
        ),
    ];
    posed(gte, 4096, &bones, &pose, &rows)?;
    pose.scaled = true;
    let rows = [
        (
            [256, -512, 1024],
            [[0, 0, 2048], [0, 4096, 0], [-4096, 0, 0]],
        ),
        (
            [306, -512, 1024],
            [[0, 5792, 1448], [0, 5792, -1448], [-4096, 0, 0]],
        ),
        (
            [376, -583, 1024],
            [[1448, 0, 1448], [1448, 0, -1448], [0, 8192, 0]],
        ),
    ];
    posed(gte, 4096, &bones, &pose, &rows)?;
    let pose = Pose::<2> {
        root: [16, -32, 64],
        rotation: [[0, 1024, 0], [512, 0, 0]],
        ..Pose::START
    };
    let rows = [
        ([11, -24, 47], [[0, 0, 189], [0, 189, 0], [-189, 0, 0]]),
        ([15, -24, 47], [[0, 133, 133], [0, 133, -134], [-189, 0, 0]]),
    ];
    posed(gte, 189, &[(None, 100), (Some(0), 80)], &pose, &rows)
}

/// The file of A12.
#[rustfmt::skip]
const A12: [u8; 224] = {
    let mut file = [0; 224];
    let parts: [(usize, &[u8]); 5] = [
        (0, &[3, 0, 0, 0, 0x14, 0, 0, 0, 0x84, 0, 0, 0, 0xC8, 0, 0, 0, 0xE0, 0, 0, 0, 2, 0, 0, 0x10]),
        (0x24, &[0xFF, 0xFF, 0x64]),
        (0x56, &[0x50]),
        (0x84, &[1, 0, 0, 0, 8, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0x28, 0, 0, 0, 0, 0, 1, 0,
            1, 0, 0, 0, 0xD8, 0xFF, 0, 0]),
        (0xA8, &[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 1, 0, 2, 0, 0, 0x1F, 0, 0, 0, 0, 0x1F, 0, 0, 0,
            3, 0, 0, 0, 1, 0, 0, 0, 8, 0, 0, 0, 2, 0, 0, 0x0E, 0x40, 0, 0x38, 0x0A, 2, 8, 0x1C, 0x40]),
    ];
    let mut part = 0;
    while part < parts.len() {
        let (at, bytes) = parts[part];
        let mut n = 0;
        while n < bytes.len() {
            file[at + n] = bytes[n];
            n += 1;
        }
        part += 1;
    }
    file
};

/// A12: both frames of the file, its vertices moved by the machine's engine.
pub(super) fn model<G: Geometry>(gte: &mut G) -> Check {
    same!(
        overworld_runtime::bytes::crc32(&A12),
        0xEC54_DF9D,
        "the file"
    );
    let dat = Dat::parse(&A12).and_then(|dat| {
        let skeleton = dat.skeleton()?;
        let animation = dat.animations()?.get(0)?;
        Ok((skeleton, dat.geometry(skeleton.len())?, animation))
    });
    let Ok((skeleton, mesh, animation)) = dat else {
        return Err(crate::check::reason(format_args!("the file is refused")));
    };
    let mut decoder = Decoder::new(&animation, skeleton.len(), Speed::Normal);
    let mut pose = Pose::<2>::START;
    let rows = [
        [[0, 0, 0], [0, 0, -40], [100, -40, 0]],
        [[0, -16, 32], [0, -16, -8], [121, -45, 32]],
    ];
    for (frame, row) in rows.iter().enumerate() {
        same!(decoder.call(&mut pose).is_ok(), true, "frame {frame}");
        let mut out = [BoneMatrices::default(); 2];
        let Ok(bones) = matrices(gte, &skeleton, &pose, &mut out) else {
            return Err(crate::check::reason(format_args!("no matrices")));
        };
        same!(moved(gte, &mesh, bones), *row, "frame {frame}, vertices");
    }
    Ok(())
}

/// The three vertices of the model.
fn moved<G: Geometry>(gte: &mut G, mesh: &Mesh<'_>, bones: &[BoneMatrices]) -> [[i32; 3]; 3] {
    let mut out = [[0; 3]; 3];
    let mut places = out.iter_mut();
    for group in mesh.objects().flat_map(|it| it.groups()) {
        let Some(bone) = bones.get(usize::from(group.bone)) else {
            break;
        };
        bone.skin.load(gte);
        for ([x, y, z], place) in group.vertices().zip(&mut places) {
            let Vector { x, y, z } = gte.transform(&SVector::new(x, y, z));
            *place = [x, y, z];
        }
    }
    out
}

/// A13: the file of A12, damaged.
pub(super) fn refusals<G>(_: &mut G) -> Check {
    let changed = |at: usize, byte: u8| {
        let mut file = A12;
        if let Some(place) = file.get_mut(at) {
            *place = byte;
        }
        file
    };
    let mismatch = Error::EndOffsetMismatch { end: 224, len: 223 };
    let cut = A12.get(..223).unwrap_or_default();
    same!(Dat::parse(cut).err(), Some(mismatch), "cut");
    let file = changed(0x54, 1);
    let error = Dat::parse(&file).and_then(|it| it.skeleton()).err();
    same!(
        error,
        Some(Error::ParentOrder { bone: 1, parent: 1 }),
        "parent"
    );
    let file = changed(0xCC, 0x18);
    let error = Dat::parse(&file).and_then(|it| it.animations()).err();
    let pointer = Error::AnimationPointer {
        animation: 0,
        pointer: 24,
    };
    same!(error, Some(pointer), "pointer");
    for (count, end) in [(0, None), (0xFF, Some(3))] {
        let file = changed(0xD0, count);
        let Ok(animation) = Dat::parse(&file).and_then(|it| it.animations()?.get(0)) else {
            return Err(crate::check::reason(format_args!(
                "{count} frames are refused"
            )));
        };
        let mut decoder = Decoder::new(&animation, 2, Speed::Normal);
        let mut pose = Pose::<2>::START;
        let last = loop {
            match decoder.call(&mut pose) {
                Ok(Progress::Frame(_)) => {}
                other => break other,
            }
        };
        let wanted = match end {
            None => Ok(Progress::Complete),
            Some(frame) => Err(Error::EndOfStream { frame, bone: None }),
        };
        same!(last, wanted, "{count} frames");
    }
    Ok(())
}
