//! From a pose to the matrix and translation of one piece (ANM sheet, section Composition).

use crate::anim::legaia::Pose;
use crate::fixed::{Matrix, Vector};
use crate::gte::Geometry;

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

/// `R = Ra Rz Ry Rx`, `T = Ra t + ta` for one piece of an actor; leaves both in the engine
/// ([`Geometry::compose`]).
///
/// It stands where it is used: as a function of its own it and the loop around it may want the same
/// lines of the console's instruction cache, which once made 682 cycles a part of 425.
#[inline(always)]
pub fn load<G: Geometry>(gte: &mut G, actor: &Transform, pose: &Pose) -> Transform {
    let (rotation, translation) = gte.compose(&actor.rotation, &actor.translation, pose.t, pose.r);
    Transform {
        rotation,
        translation,
    }
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
