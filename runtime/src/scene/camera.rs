//! The view (TMD/TIM sheet, section 7, "View").

use crate::field::precise::Distance;
use crate::fixed::{Angle, Matrix, SVector, Vector};
use crate::gpu::layout;
use crate::gte::Geometry;
use crate::model::pose::Transform;

/// What a framed model's radius becomes on the screen, in pixels: a little less than there is from the
/// centre to the last line that is drawn.
const RADIUS: u32 = 104;

/// Farthest eye distance used: leaves room for the model's own depth below 32767.
const FAR: u32 = 0x7000;

/// Nearest eye distance used.
const CLOSE: u32 = 0x400;

/// Where the world is looked at from.
///
/// `Rv = S R(pitch, yaw, roll)` and `TR = Rv (-focus) + eye`, all 32 bits.
///
/// A corner that lies more than 32767 scaled units beside the axis, 5461 world units at the scale of a
/// field, is drawn as if it lay there: the engine's 16 bits end, and polygons that reach farther lose their
/// shape outside the picture. Nothing is clipped (docs/decisions.md, "Corners beyond").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Camera {
    /// Rotation about X.
    pub pitch: Angle,
    /// Rotation about Y.
    pub yaw: Angle,
    /// Rotation about Z.
    pub roll: Angle,
    /// The point looked at, in world units.
    pub focus: SVector,
    /// Where that point comes to lie in front of the eye, in scaled units.
    pub eye: Vector,
    /// The view's scale S, Q12; retail fields use 6.0.
    pub scale: i16,
    /// Projection distance in pixels.
    pub h: u16,
}

impl Camera {
    /// Scale of the views of fields and of the overworld, Q12: 6.0.
    pub const SCALE: i16 = 24576;

    /// Scale of the views of battles: 4.0.
    pub const BATTLE_SCALE: i16 = 16384;

    /// The default view of a field without camera regions (sheet, section 7): pitch 1B8h,
    /// H 300h, scale 6.0, eye depth 4000h. The eye's height is ours, the scene entry's.
    pub const FIELD: Self = Self {
        pitch: 0x1B8,
        yaw: 0,
        roll: 0,
        focus: SVector::new(0, 0, 0),
        eye: Vector::new(0, -256, 0x4000),
        scale: Self::SCALE,
        h: 0x300,
    };

    /// What a scene begins with. The sources name no H for it; this has the field's.
    pub const SCENE_ENTRY: Self = Self {
        yaw: 0x64,
        eye: Vector::new(0, -256, 16_420),
        ..Self::FIELD
    };

    /// Free walking in a field as it was captured, of which only H is known.
    pub const FREE_FIELD: Self = Self {
        h: 512,
        ..Self::FIELD
    };

    /// Walking on the overworld, as captured: the flatter view.
    pub const OVERWORLD: Self = Self {
        pitch: 360,
        eye: Vector::new(0, 536, 9_139),
        h: 368,
        ..Self::FIELD
    };

    /// Walking on the overworld, as captured: the steeper view from farther off.
    pub const OVERWORLD_STEEP: Self = Self {
        pitch: 476,
        eye: Vector::new(0, 406, 11_041),
        ..Self::OVERWORLD
    };

    /// What a change of the game's mode leaves, of which only H is known.
    pub const MODE_RESET: Self = Self {
        h: 160,
        ..Self::FIELD
    };

    /// The same view with the scale of a battle.
    #[must_use]
    pub const fn in_battle(self) -> Self {
        Self {
            scale: Self::BATTLE_SCALE,
            ..self
        }
    }

    /// [`Camera::FIELD`], but as far away from `focus` as lets a sphere of `radius` world units
    /// around it fill the picture's height but for a margin.
    #[must_use]
    pub fn framing(focus: SVector, radius: u32) -> Self {
        let field = Self::FIELD;
        let h = u64::from(field.h);
        let radius = u64::from(radius.max(1));
        // On the screen: radius * scale / 4096 * h / distance.
        let distance = |scale: u64| radius * scale / 4096 * h / u64::from(RADIUS);
        let usual = field.scale.unsigned_abs();
        let at_usual = distance(usual.into());
        let (scale, depth) = if at_usual <= u64::from(FAR) {
            (usual, at_usual.max(CLOSE.into()))
        } else {
            let scale = u64::from(RADIUS) * u64::from(FAR) * 4096 / (radius * h);
            (scale.clamp(1, usual.into()) as u16, FAR.into())
        };
        Self {
            focus,
            eye: Vector::new(0, 0, depth as i32),
            scale: scale as i16,
            ..field
        }
    }

    /// The same view from this far off.
    #[must_use]
    pub fn at_distance(&self, distance: Distance) -> Self {
        let Vector { x, y, z } = self.eye;
        Self {
            eye: Vector::new(x, y, distance.scale(z)),
            ..*self
        }
    }

    /// Rotation and translation from world to eye.
    #[must_use]
    pub fn view(&self) -> Transform {
        let turn = Matrix::euler(self.pitch, self.yaw, self.roll);
        let rotation = Matrix::scale(self.scale).multiply(&turn);
        let SVector { x, y, z, .. } = self.focus;
        let away = SVector::new(x.saturating_neg(), y.saturating_neg(), z.saturating_neg());
        Transform {
            rotation,
            translation: rotation.transform(&away).wrapping_add(self.eye),
        }
    }

    /// Set the engine's screen: OFX and OFY of the field's picture, and H.
    pub fn load_screen<G: Geometry>(&self, gte: &mut G) {
        let fixed = |pixels: u16| i32::from(pixels) << 16;
        gte.set_screen(fixed(layout::CENTRE_X), fixed(layout::CENTRE_Y), self.h);
    }
}

/// An object's transform in front of the camera: `Ro = Rv R`, `TRo = Rv p + TR`.
#[must_use]
pub fn place<G: Geometry>(
    gte: &mut G,
    view: &Transform,
    rotation: &Matrix,
    position: &SVector,
) -> Transform {
    view.load(gte);
    Transform {
        translation: gte.transform(position),
        rotation: gte.multiply(rotation),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gte::{Registers, software::Gte};

    #[test]
    fn the_axis_of_the_view_meets_the_middle_of_what_is_shown() {
        let mut gte = Gte::new();
        Camera::FIELD.load_screen(&mut gte);
        // OFX 160, OFY 114 (half of 228, not of 240), 16.16; H.
        assert_eq!(
            [56, 57, 58].map(|n| gte.read(n)),
            [160 << 16, 114 << 16, 0x300]
        );
    }

    #[test]
    fn the_default_view_is_six_times_the_euler_matrix() {
        let camera = Camera {
            yaw: 0x64,
            ..Camera::FIELD
        };
        let view = camera.view();
        // [4047 0 625] [391 3197 -2529] [-488 2559 3158], times 6.
        assert_eq!(
            view.rotation.m,
            [
                [24282, 0, 3750],
                [2346, 19182, -15174],
                [-2928, 15354, 18948]
            ]
        );
        assert_eq!(view.translation, Vector::new(0, -256, 0x4000));
    }

    /// TMD sheet, section 7, table of the view, row by row; what a row leaves open is the default's.
    #[test]
    fn the_views_of_the_sheet() {
        let rows = [
            (
                Camera::SCENE_ENTRY,
                [0x1B8, 0x64, 0],
                [0, -256, 16420],
                0x300,
            ),
            (Camera::FIELD, [0x1B8, 0, 0], [0, -256, 0x4000], 0x300),
            (Camera::FREE_FIELD, [0x1B8, 0, 0], [0, -256, 0x4000], 512),
            (Camera::OVERWORLD, [360, 0, 0], [0, 536, 9139], 368),
            (Camera::OVERWORLD_STEEP, [476, 0, 0], [0, 406, 11041], 368),
            (Camera::MODE_RESET, [0x1B8, 0, 0], [0, -256, 0x4000], 160),
        ];
        for (camera, angles, [x, y, z], h) in rows {
            assert_eq!([camera.pitch, camera.yaw, camera.roll], angles);
            assert_eq!((camera.eye, camera.h), (Vector::new(x, y, z), h));
            assert_eq!(camera.focus, SVector::default());
            // 6.0 in fields and on the overworld, 4.0 in battles.
            assert_eq!(camera.scale, 24576);
            let battle = camera.in_battle();
            assert_eq!(battle.scale, 16384);
            assert_eq!(
                Camera {
                    scale: 24576,
                    ..battle
                },
                camera
            );
        }
    }

    #[test]
    fn the_distance_moves_the_eye_and_nothing_else() {
        let camera = Camera::FIELD;
        assert_eq!(camera.at_distance(Distance::Retail), camera);
        for (distance, depth) in [(Distance::Far, 22118), (Distance::Farther, 29491)] {
            let moved = camera.at_distance(distance);
            assert_eq!(moved.eye, Vector::new(0, -256, depth));
            let eye = camera.eye;
            assert_eq!(Camera { eye, ..moved }, camera);
        }
    }

    /// `TR = Rv (-focus) + eye`, each row of the product shifted right by 12 once, towards minus infinity.
    #[test]
    fn the_translation_of_a_focus_is_exact() {
        let camera = Camera {
            focus: SVector::new(100, -200, 300),
            ..Camera::SCENE_ENTRY
        };
        let view = camera.view();
        // Rows (24282 0 3750) (2346 19182 -15174) (-2928 15354 18948) times (-100 200 -300):
        // -3553200, 8154000, -2320800; over 4096: -868, 1990, -567.
        let eye = [-868, -256 + 1990, 16_420 - 567];
        let Vector { x, y, z } = view.translation;
        assert_eq!([x, y, z], eye);

        // The focus comes to lie at the eye point; its own product is rounded down as well.
        let mut gte = Gte::new();
        view.load(&mut gte);
        let at = gte.transform(&camera.focus);
        assert_eq!(
            [at.x, at.y, at.z],
            [-868 + 867, -256 + 1990 - 1991, 16_420 - 567 + 566]
        );
    }

    /// 32 bits: a focus at the edge of the world lies farther from the eye than IR reaches.
    #[test]
    fn the_translation_is_not_saturated() {
        let camera = Camera {
            pitch: 0,
            focus: SVector::new(-32768, 32767, 20_000),
            ..Camera::FIELD
        };
        let Vector { x, y, z } = camera.view().translation;
        // Times 6; the negative of -32768 is cut to 32767.
        assert_eq!([x, y, z], [6 * 32767, -256 - 6 * 32767, 0x4000 - 120_000]);
    }

    /// Sheet, section 7: beyond 32767 in the eye's space, 5461 units off the axis, x and y saturate, so a
    /// corner there is drawn where the last reachable one would be. That is accepted: in every view that
    /// the sheet has but that of the mode reset it is outside the picture, however far away.
    #[test]
    fn corners_that_saturate_lie_outside_the_picture() {
        let mut gte = Gte::new();
        for camera in [
            Camera::SCENE_ENTRY,
            Camera::FIELD,
            Camera::FREE_FIELD,
            Camera::OVERWORLD,
            Camera::OVERWORLD_STEEP,
        ] {
            camera.load_screen(&mut gte);
            let straight = Camera {
                pitch: 0,
                yaw: 0,
                ..camera
            };
            for depth in [0x4000, 0x8000, 0xFFFF] {
                let view = Camera {
                    eye: Vector::new(0, 0, depth),
                    ..straight
                }
                .view();
                view.load(&mut gte);
                let mut project = |x, y| gte.project(&SVector::new(x, y, 0)).sxy;
                // 5461 * 6 = 32766 is the last that is exact; 5462 and all beyond are one point.
                let smeared = project(5462, 5462);
                for far in [5463, 10_000, 32_767] {
                    assert_eq!(project(far, far), smeared, "{camera:?}");
                }
                let (x, y) = (smeared as i16, (smeared >> 16) as i16);
                assert!(x >= 320 && y >= 224, "{camera:?} at {depth}: {x} {y}");
                let smeared = project(-5462, -5462);
                for far in [-5463, -32_768] {
                    assert_eq!(project(far, far), smeared, "{camera:?}");
                }
                let (x, y) = (smeared as i16, (smeared >> 16) as i16);
                assert!(x < 0 && y < 0, "{camera:?} at {depth}: {x} {y}");
            }
        }
    }

    #[test]
    fn framed_models_have_the_same_size_on_the_screen() {
        for radius in [60, 260, 490, 1000, 5000, 20_000] {
            let camera = Camera::framing(SVector::default(), radius);
            let pixels = u64::from(radius) * u64::from(camera.scale.unsigned_abs()) / 4096
                * u64::from(camera.h)
                / camera.eye.z as u64;
            assert!(
                (u64::from(RADIUS) - 8..=u64::from(RADIUS) + 2).contains(&pixels),
                "radius {radius}: {pixels} pixels"
            );
            assert!(camera.eye.z <= 0x7000 && camera.scale > 0);
        }
        // A speck is not brought nearer than the near limit allows.
        assert_eq!(Camera::framing(SVector::default(), 0).eye.z, 0x400);
    }
}
