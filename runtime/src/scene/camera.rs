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
    /// The default view of a field without camera regions (sheet, section 7): pitch 1B8h,
    /// H 300h, scale 6.0, eye depth 4000h.
    pub const FIELD: Self = Self {
        pitch: 0x1B8,
        yaw: 0,
        roll: 0,
        focus: SVector::new(0, 0, 0),
        eye: Vector::new(0, -256, 0x4000),
        scale: 24576,
        h: 0x300,
    };

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

    #[test]
    fn the_focus_comes_to_lie_at_the_eye_point() {
        let focus = SVector::new(100, -200, 300);
        let camera = Camera::framing(focus, 260);
        let view = camera.view();
        let mut gte = Gte::new();
        view.load(&mut gte);
        let at = gte.transform(&focus);
        let off = [
            at.x - camera.eye.x,
            at.y - camera.eye.y,
            at.z - camera.eye.z,
        ];
        // The two products are each rounded down.
        assert!(off.iter().all(|o| (-1..=1).contains(o)), "{off:?}");
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
