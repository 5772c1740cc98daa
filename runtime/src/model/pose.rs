//! From a pose to the matrix and translation of one piece (ANM sheet, section Composition).

use crate::anim::legaia::Pose;
use crate::fixed::{Matrix, Vector, cos, sin};
use crate::gte::{Geometry, RawVertex, matrix_of};

/// Rotation and position in front of the camera: what the geometry engine is loaded with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Transform {
    /// Rotation and scale, Q12.
    pub rotation: Matrix,
    /// Translation in the unit of the vertices (or of the view, whose scale the rotation has).
    pub translation: Vector,
}

impl Transform {
    /// Load both into the engine.
    #[inline]
    pub fn load<G: Geometry>(&self, gte: &mut G) {
        gte.set_rotation(&self.rotation);
        gte.set_translation(&self.translation);
    }
}

/// `R = Ra Rz Ry Rx`, `T = Ra t + ta` for one piece of an actor; leaves both in the engine.
///
/// Each single-axis product changes two columns; the third would be multiplied by 1.0, which
/// changes no bit. All stays in registers, as the engine gives it and wants it back.
///
/// It stands where it is used: as a function of its own it and the loop around it may want the same
/// lines of the console's instruction cache: 682 cycles a part instead of 425.
#[inline(always)]
pub fn load<G: Geometry>(gte: &mut G, actor: &Transform, pose: &Pose) -> Transform {
    let [x, y, z] = pose.t;
    let [rx, ry, rz] = pose.r;
    actor.load(gte);
    let translation = gte.transform_raw(raw(x, y, z));
    gte.set_translation(&translation);

    let (s, c) = (sin(rz), cos(rz));
    let a = gte.rotate_raw(raw(c, s, 0));
    let b = gte.rotate_raw(raw(-s, c, 0));
    let d = actor.rotation.m.map(|[_, _, last]| last as u32);
    gte.set_columns([a, b, d]);

    let (s, c) = (sin(ry), cos(ry));
    let a = gte.rotate_raw(raw(c, 0, -s));
    let d = gte.rotate_raw(raw(s, 0, c));
    gte.set_columns([a, b, d]);

    let (s, c) = (sin(rx), cos(rx));
    let b = gte.rotate_raw(raw(0, c, s));
    let d = gte.rotate_raw(raw(0, -s, c));
    gte.set_columns([a, b, d]);

    Transform {
        rotation: matrix_of([a, b, d]),
        translation,
    }
}

/// A vector in the words of the engine.
#[inline(always)]
const fn raw(x: i16, y: i16, z: i16) -> RawVertex {
    [x as u16 as u32 | (y as u32) << 16, z as u32]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gte::{Registers, software::Gte};

    #[test]
    fn worked_rows_of_the_anm_sheet() {
        let pose = Pose {
            t: [100, -50, 25],
            r: [0x100, 0x200, 0x300],
        };
        let rows = [
            (
                0,
                [[1107, -3073, 2470], [2675, 2471, 1871], [-2896, 1107, 2675]],
                [100, -50, 25],
            ),
            (
                0x400,
                [
                    [-2896, 1107, 2675],
                    [2675, 2471, 1871],
                    [-1108, 3071, -2472],
                ],
                [25, -50, -100],
            ),
        ];
        for (yaw, rotation, [x, y, z]) in rows {
            let mut gte = Gte::new();
            let mut actor = Transform {
                rotation: Matrix::euler(0, yaw, 0),
                translation: Vector::default(),
            };
            let piece = load(&mut gte, &actor, &pose);
            assert_eq!(piece.rotation.m, rotation);
            assert_eq!(piece.translation, Vector::new(x, y, z));

            // The engine holds the same, and the actor's position is added.
            actor.translation = Vector::new(1000, 100_000, -7);
            let piece = load(&mut gte, &actor, &pose);
            assert_eq!(piece.translation, Vector::new(x + 1000, y + 100_000, z - 7));
            assert_eq!(gte.read(36), rotation[2][2] as u32);
            assert_eq!(gte.read(38), (y + 100_000) as u32);
        }
    }

    #[test]
    fn leaving_out_the_unit_columns_changes_no_bit() {
        let mut gte = Gte::new();
        for n in 0..200u16 {
            let pose = Pose {
                t: [0; 3],
                r: [n.wrapping_mul(977), n * 31, n * 173],
            };
            let mut rotation = Matrix::euler(n * 7, n * 11, n * 13);
            for cell in rotation.m.iter_mut().flatten() {
                *cell = cell.saturating_mul(1 + (n % 9) as i16);
            }
            let actor = Transform {
                rotation,
                translation: Vector::default(),
            };
            let [x, y, z] = pose.r;
            let whole = rotation
                .multiply(&Matrix::rotation_z(z))
                .multiply(&Matrix::rotation_y(y))
                .multiply(&Matrix::rotation_x(x));
            assert_eq!(load(&mut gte, &actor, &pose).rotation, whole);
        }
    }
}
