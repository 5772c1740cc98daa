//! Who is drawn before a wall, and who behind it.
//!
//! All of a wall's block lies in one bucket of the ordering table. Somebody who walks stands on one side of it, though a
//! wing may reach over its middle: then all of them has to lie in front of the block's bucket, or all of them behind it.

use crate::fixed::Vector;
use crate::model::pose::Transform;

/// A block that is in the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stands {
    /// Its least X and Z.
    pub at: [i16; 2],
    /// How far it reaches from there.
    pub size: u16,
    /// All of it lies in this bucket.
    pub bucket: u16,
}

/// The blocks of a picture, the nearest rows of them.
pub(super) type Drawn = heapless::Vec<Stands, 128>;

/// The depth of a place, within a few units.
pub(super) fn depth(view: &Transform, [x, y, z]: [i32; 3]) -> i32 {
    let [a, b, c] = view.rotation.m[2].map(i32::from);
    // Each product has 31 bits.
    let along = ((a * x) >> 2) + ((b * y) >> 2) + ((c * z) >> 2);
    view.translation.z.saturating_add(along >> 10)
}

/// On which side of a block somebody is, as the eye sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// They are before it.
    Before,
    /// They are behind it.
    Behind,
    /// Neither hides the other; or they are within it.
    Either,
}

/// A plane of one of the block's sides parts it from whoever is on the other side. Of the two the one on the eye's side
/// of such a plane is never hidden by the other. Two planes may say that of both.
fn order(place: [i32; 2], block: &Stands, eye: [i32; 2]) -> Order {
    let (mut before, mut behind) = (false, false);
    for ((place, start), eye) in place.into_iter().zip(block.at).zip(eye) {
        let start = i32::from(start);
        let end = start + i32::from(block.size);
        let eye_is_there = if place <= start {
            eye <= start
        } else if place >= end {
            eye >= end
        } else {
            continue;
        };
        before |= eye_is_there;
        behind |= !eye_is_there;
    }
    match (before, behind) {
        (true, false) => Order::Before,
        (false, true) => Order::Behind,
        _ => Order::Either,
    }
}

/// The first and the last bucket of all of somebody at a place who reaches so far, so that no block hides a part of
/// them that it should not, or is seen under them. Drawn later than the blocks, into the same bucket, they are behind.
pub(super) fn between(blocks: &Drawn, place: [i32; 2], reach: i32, eye: &Vector) -> [usize; 2] {
    let [mut first, mut last] = [0, usize::MAX];
    let [x, z] = place;
    for block in blocks {
        let far = reach + i32::from(block.size);
        let [dx, dz] = [x - i32::from(block.at[0]), z - i32::from(block.at[1])];
        if dx < -reach || dx > far || dz < -reach || dz > far {
            continue;
        }
        let bucket = usize::from(block.bucket);
        match order(place, block, [eye.x, eye.z]) {
            Order::Before => last = last.min(bucket.saturating_sub(1)),
            Order::Behind => first = first.max(bucket),
            Order::Either => {}
        }
    }
    [first, last]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A block between the tile's middle and its end, seen from Z-.
    #[test]
    fn a_plane_between_two_tells_who_is_in_front() {
        let block = Stands {
            at: [128, 128],
            size: 64,
            bucket: 300,
        };
        let from = |eye: [i32; 2], place: [i32; 2]| order(place, &block, eye);
        let south = [160, -2000];
        assert_eq!(from(south, [160, 100]), Order::Before);
        assert_eq!(from(south, [160, 230]), Order::Behind);
        // Beside it: whoever is on the eye's side of the flank's plane.
        assert_eq!(from([-500, -2000], [100, 160]), Order::Before);
        assert_eq!(from([500, -2000], [100, 160]), Order::Behind);
        // Before one plane and behind another one, and within.
        assert_eq!(from([500, -2000], [100, 100]), Order::Either);
        assert_eq!(from(south, [150, 150]), Order::Either);
        // Seen from the other end it is the other way round.
        assert_eq!(from([160, 2000], [160, 100]), Order::Behind);
        assert_eq!(from([160, 2000], [160, 192]), Order::Before);
    }

    #[test]
    fn the_nearest_blocks_on_both_sides_are_the_bounds() {
        let mut blocks = Drawn::new();
        for (row, bucket) in [(0, 200), (1, 210), (3, 232), (4, 240), (40, 5)] {
            let at = [1280, 128 * row];
            blocks
                .push(Stands {
                    at,
                    size: 128,
                    bucket,
                })
                .unwrap();
        }
        let eye = Vector::new(1344, -2000, -4000);
        let at = |place, reach| between(&blocks, place, reach, &eye);
        assert_eq!(at([1344, 320], 200), [210, 231]);
        assert_eq!(at([1344, 320], 10), [0, usize::MAX]);
        assert_eq!(at([1344, 320], 70), [210, 231]);
    }
}
