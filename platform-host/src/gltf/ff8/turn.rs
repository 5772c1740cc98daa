//! Turns as quaternions, and where they put the bones (FF8 sheet, section 8).

use gltf_json::scene::UnitQuaternion;
use overworld_runtime::anim::ff8::Skeleton;

use super::{Local, METRE};

/// X, y, z, w.
pub(super) type Quaternion = [f64; 4];

/// The model hangs head down, as everything does whose Y points to the ground: half a turn about X.
pub(super) const UPRIGHT: Quaternion = [1.0, 0.0, 0.0, 0.0];

/// About Y, then X, then Z: `Ry(b) Rx(a) Rz(c)` (section 8.1). 4096 is a turn.
pub(super) fn turn([a, b, c]: [f64; 3]) -> Quaternion {
    let half = |angle: f64| (angle * std::f64::consts::PI / 4096.0).sin_cos();
    let ((sa, ca), (sb, cb), (sc, cc)) = (half(a), half(b), half(c));
    let x = [sa, 0.0, 0.0, ca];
    let y = [0.0, sb, 0.0, cb];
    let z = [0.0, 0.0, sc, cc];
    multiply(multiply(y, x), z)
}

fn multiply([ax, ay, az, aw]: Quaternion, [bx, by, bz, bw]: Quaternion) -> Quaternion {
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

/// A vector, turned.
fn rotate(q: Quaternion, [x, y, z]: [f64; 3]) -> [f64; 3] {
    let [i, j, k, _] = q;
    let inverse = [-i, -j, -k, q[3]];
    let [x, y, z, _] = multiply(multiply(q, [x, y, z, 0.0]), inverse);
    [x, y, z]
}

/// From a bone's space to that of the file: turned, scaled, moved.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    rotation: Quaternion,
    scale: [f64; 3],
    at: [f64; 3],
}

impl Placed {
    pub(super) fn point(&self, v: [f64; 3]) -> [f64; 3] {
        let scaled = std::array::from_fn(|axis| v[axis] * self.scale[axis]);
        let turned = rotate(self.rotation, scaled);
        std::array::from_fn(|axis| turned[axis] + self.at[axis])
    }

    /// The inverse as columns; nothing where a scale is 0.
    pub(super) fn inverse(&self) -> Option<[f32; 16]> {
        if self.scale.contains(&0.0) {
            return None;
        }
        let [i, j, k, w] = self.rotation;
        let back = [-i, -j, -k, w];
        let shrink = |v: [f64; 3]| -> [f64; 3] { std::array::from_fn(|it| v[it] / self.scale[it]) };
        let mut out = [0.0; 16];
        for axis in 0..3 {
            let mut unit = [0.0; 3];
            unit[axis] = 1.0;
            out[4 * axis..4 * axis + 3].copy_from_slice(&single(shrink(rotate(back, unit))));
        }
        let at = shrink(rotate(back, self.at.map(|it| -it)));
        out[12..15].copy_from_slice(&single(at));
        out[15] = 1.0;
        Some(out)
    }
}

/// Where the bones are, in the file's own space.
pub(super) fn placed(skeleton: &Skeleton<'_>, locals: &[Local]) -> Vec<Placed> {
    let mut out: Vec<Placed> = Vec::new();
    for (bone, local) in skeleton.bones().zip(locals) {
        let parent = bone.parent.and_then(|it| out.get(usize::from(it)));
        let (before, at) = match parent {
            Some(parent) => (parent.rotation, parent.at),
            None => (UPRIGHT, [0.0; 3]),
        };
        let moved = rotate(before, local.translation.map(|it| it / METRE));
        out.push(Placed {
            rotation: multiply(before, local.rotation),
            scale: local.scale.map(|it| it / METRE),
            at: std::array::from_fn(|axis| at[axis] + moved[axis]),
        });
    }
    out
}
pub(super) fn single(v: [f64; 3]) -> [f32; 3] {
    v.map(|it| it as f32)
}

pub(super) fn quaternion(q: Quaternion) -> UnitQuaternion {
    UnitQuaternion(q.map(|it| it as f32))
}
