//! Light for the kinds that have normals instead of colours (TMD/TIM sheet, sections 3 and 7): a host's
//! option, for no source gives the game's matrices.

use crate::anim::legaia::Pose;
use crate::fixed::Matrix;
use crate::gte::Geometry;

/// Three lamps and what is there without them.
///
/// A corner's colour is what all lamps give it, times the neutral 80h: a lamp of full strength that a
/// surface looks at leaves its texture as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Light {
    /// A row for each lamp, Q12: from the surface to the lamp, in the space in which the mesh stands
    /// before `actor` or `transform` turns it. A row of length 1000h is a lamp of full strength.
    pub lamps: Matrix,
    /// A column for each lamp, Q12: its red, green and blue.
    pub colours: Matrix,
    /// What a surface gets that no lamp shines on, 8 bits a component; FFh is nearly full strength.
    pub background: [u8; 3],
}

impl Light {
    /// The same lamps as seen from a space that is turned by `rotation` in the present one: for an actor
    /// with that rotation, from lamps that stand in its world. Rotations only, without a scale.
    #[must_use]
    pub const fn turned(&self, rotation: &Matrix) -> Self {
        Self {
            lamps: self.lamps.multiply(rotation),
            ..*self
        }
    }

    /// What holds for all parts. Apart, like the next: the loop over the parts has to fit the instruction cache.
    #[cold]
    #[inline(never)]
    pub(super) fn load<G: Geometry>(&self, gte: &mut G) {
        gte.set_light(&self.lamps);
        gte.set_light_colour(&self.colours);
        gte.set_background(self.background);
    }

    /// The lamps for a part in this pose. The normals stay as they are, so it is the lamps that turn, the other
    /// way (ANM sheet, section Composition, without the actor).
    #[cold]
    #[inline(never)]
    pub(super) fn load_part<G: Geometry>(&self, gte: &mut G, pose: &Pose) {
        let turn = Matrix::IDENTITY.turned(pose.r);
        gte.set_light(&self.lamps.multiply(&turn));
    }
}
