//! Where billboards and shadows go: one point, projected (TMD/TIM sheet, section 7).

use super::Options;
use crate::fixed::SVector;
use crate::gte::Geometry;

/// FLAG: the point lies so near, or behind the eye, that the division gave up (GTE sheet, 1.3).
const NO_QUOTIENT: u32 = 1 << 17;

/// A point on the screen from which a billboard or a shadow hangs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Anchor {
    /// Screen position: x in the low half, y in the high half, both signed.
    pub xy: u32,
    /// Its depth, SZ3.
    pub depth: u16,
    /// Where its packet belongs: `(SZ3 >> 2) >> k`, a quarter of the bucket of a polygon at this depth.
    pub bucket: usize,
}

/// Project a point by the rotation, translation and screen that are in the engine.
///
/// `None` for points behind the eye and for those at which a polygon would be nearer than the near
/// limit. The packet is the caller's, and is pushed into [`Anchor::bucket`].
#[inline]
#[must_use]
pub fn anchor<G: Geometry>(gte: &mut G, point: &SVector, options: &Options) -> Option<Anchor> {
    let projected = gte.project(point);
    let depth = gte.depth();
    let halved = |depth: u16| depth.checked_shr(options.shift.into()).unwrap_or(0);
    if projected.flag & NO_QUOTIENT != 0 || halved(depth) < options.near {
        return None;
    }
    Some(Anchor {
        xy: projected.sxy,
        depth,
        bucket: halved(depth >> 2).into(),
    })
}
