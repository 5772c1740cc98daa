//! From a pose to the matrices of the bones (FF8 sheet, section 8).

use super::{Error, Pose, SCALE_ONE, Skeleton};
use crate::fixed::{Matrix, SVector, Vector};
use crate::gte;
use crate::model::pose::Transform;

/// One bone of a posed model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoneMatrices {
    /// Rotations from the root to here, without scales: what the children go on from.
    pub chain: Matrix,
    /// Factors of the columns, with those of all parents; 1024 is 1.0.
    pub factors: [i32; 3],
    /// What the vertices of the bone go through: rotation, scales and the model's scale; and its position.
    pub skin: Transform,
}

impl BoneMatrices {
    /// Of a bone that was not posed yet: all zeros.
    pub const NEW: Self = Self {
        chain: Matrix { m: [[0; 3]; 3] },
        factors: [0; 3],
        skin: Transform {
            rotation: Matrix { m: [[0; 3]; 3] },
            translation: Vector::new(0, 0, 0),
        },
    };
}

/// Work out the matrices of all bones into `out`; the bones, from the first one on.
///
/// Uses the rotation matrix and the translation of the engine, as its 16 bits hold them: numbers beyond them are
/// taken as the nearest one. With the scale factors both paths of the sheet are one: without them they are 1.0.
///
/// # Errors
/// [`Error::TooManyBones`] when the pose or `out` has not as many; nothing is written then.
pub fn matrices<'o, G: gte::Geometry, const N: usize>(
    gte: &mut G,
    skeleton: &Skeleton<'_>,
    pose: &Pose<N>,
    out: &'o mut [BoneMatrices],
) -> Result<&'o [BoneMatrices], Error> {
    let bones = usize::from(skeleton.len());
    let room = out.len().min(N);
    let out = match out.get_mut(..bones) {
        Some(out) if bones <= N => out,
        _ => return Err(Error::TooManyBones { bones, room }),
    };
    let scale = i32::from(skeleton.scale());
    let [x, y, z] = pose.root.map(|it| (scale.wrapping_mul(it.into())) >> 8);
    let root = Vector { x, y, z };
    let mut lengths = [0; 255];
    for (index, (parent, length)) in skeleton.links().enumerate() {
        let (before, rest) = out.split_at_mut_checked(index).unwrap_or_default();
        let Some(bone) = rest.first_mut() else {
            break;
        };
        if let Some(place) = lengths.get_mut(index) {
            *place = length;
        }
        let rotation = pose.rotation.get(index).copied().unwrap_or_default();
        let local = Matrix::yxz(rotation.map(|it| it as u16));
        let own = match pose.scale.get(index) {
            Some(scale) if pose.scaled => *scale,
            _ => [SCALE_ONE; 3],
        };
        let parent = parent.map(usize::from);
        let parent = parent.and_then(|it| Some((before.get(it)?, *lengths.get(it)?)));
        match parent {
            None => {
                bone.chain = local;
                bone.factors = own.map(i32::from);
                bone.skin.translation = root;
            }
            Some((parent, length)) => {
                gte.set_rotation(&parent.chain);
                bone.chain = gte.multiply(&local);
                bone.factors = [0, 1, 2].map(|it| factor(parent.factors[it], own[it]));
                parent.skin.load(gte);
                bone.skin.translation = gte.transform(&SVector::new(0, 0, length));
            }
        }
        bone.skin.rotation = skin(&bone.chain, &bone.factors, scale);
    }
    Ok(out)
}

/// `parent * own`, 1024 is 1.0; kept to 32 bits.
fn factor(parent: i32, own: i16) -> i32 {
    limit((i64::from(parent) * i64::from(own)) >> 10)
}

/// The columns of `chain` times their factors, times the model's scale; kept to 16 bits.
fn skin(chain: &Matrix, factors: &[i32; 3], scale: i32) -> Matrix {
    let mut out = *chain;
    for row in &mut out.m {
        for (cell, factor) in row.iter_mut().zip(factors) {
            // Most cells of most models are not scaled at all.
            let scaled = match factor {
                1024 => i32::from(*cell),
                factor => limit((i64::from(*cell) * i64::from(*factor)) >> 10),
            };
            let scaled = match scale {
                4096 => scaled.into(),
                scale => (i64::from(scaled) * i64::from(scale)) >> 12,
            };
            *cell = scaled.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        }
    }
    out
}

const fn limit(value: i64) -> i32 {
    if value > i32::MAX as i64 {
        i32::MAX
    } else if value < i32::MIN as i64 {
        i32::MIN
    } else {
        value as i32
    }
}
