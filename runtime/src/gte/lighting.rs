//! Light: from the normal of a vertex to its colour (GTE sheet, 3.5).

use super::RawVertex;
use crate::fixed::Matrix;

/// What becomes of the light that falls on a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shade {
    /// It is the colour (NCS, NCT); of the colour word only the highest byte counts.
    Plain,
    /// It is multiplied with the colour word (NCCS, NCCT); 80h leaves a component as it is.
    Coloured,
    /// As `Coloured`, then moved towards the far colour by IR0 (NCDS, NCDT).
    Cued,
}

/// What the game asks of a geometry engine about light.
///
/// A colour is worked out in two products: the light matrix times the normal gives how much each of
/// three lamps contributes, and the colour matrix times that, plus the background colour, gives
/// red, green and blue. All commands have sf = 1 and lm = 1: a lamp behind a face takes nothing away.
///
/// Matrices, background and the colours worked out last stay until the next call that sets them. The
/// calls change V0..V2, RGBC, IR1..IR3, MAC1..MAC3 and FLAG, but neither screen positions nor depths:
/// a polygon may be lit before or after it is projected.
pub trait Lighting {
    /// Set the light matrix L (Q12): a row for each lamp, its direction from the surface to the lamp
    /// in the space of the normals. A row of length 1000h is a lamp of full strength.
    fn set_light(&mut self, matrix: &Matrix);
    /// Set the colour matrix LC (Q12): a column for each lamp, its red, green and blue. 1000h gives
    /// FFh in that component (1000h / 16 is clamped).
    fn set_light_colour(&mut self, matrix: &Matrix);
    /// Set the background colour, 8 bits a component: what a face gets that no lamp shines on (the
    /// registers RBK, GBK, BBK hold it times 16).
    fn set_background(&mut self, colour: [u8; 3]);
    /// Set IR0, the share (Q12, 0..=1000h) of the far colour for [`Shade::Cued`] and
    /// [`Geometry::cue`](super::Geometry::cue), where it is not to be that of the last projection.
    fn set_fade(&mut self, amount: u16);

    /// Start to work out the colour of one vertex from its normal (Q12). The highest byte of
    /// `colour` goes into the answer, which [`Lighting::colour`] gives.
    ///
    /// The chip works on by itself: until the answer was asked for, no other method of it may be
    /// called that sets a register or starts a command, for it still reads its inputs.
    fn begin_colour(&mut self, shade: Shade, normal: &RawVertex, colour: u32);
    /// The same for three vertices of one colour; [`Lighting::colours3`] and
    /// [`Lighting::store_colours3`] give the answers.
    fn begin_colour3(&mut self, shade: Shade, normals: [&RawVertex; 3], colour: u32);
    /// The colour that was worked out last (RGB2), its highest byte that of the colour word.
    fn colour(&mut self) -> u32;
    /// The last three colours (RGB0..RGB2), the oldest first.
    fn colours3(&mut self) -> [u32; 3];
    /// As [`Lighting::colours3`], into memory: from the chip without a way through the CPU.
    #[inline]
    fn store_colours3(&mut self, to: [&mut u32; 3]) {
        for (to, colour) in to.into_iter().zip(self.colours3()) {
            *to = colour;
        }
    }

    /// NCS, NCCS or NCDS, and its answer: see [`Lighting::begin_colour`].
    #[inline(always)]
    fn normal_colour(&mut self, shade: Shade, normal: &RawVertex, colour: u32) -> u32 {
        self.begin_colour(shade, normal, colour);
        self.colour()
    }

    /// NCT, NCCT or NCDT, and its answers: see [`Lighting::begin_colour3`].
    #[inline(always)]
    fn normal_colour3(&mut self, shade: Shade, normals: [&RawVertex; 3], colour: u32) -> [u32; 3] {
        self.begin_colour3(shade, normals, colour);
        self.colours3()
    }
}
