//! Gaps that the level's player jumps over.
//!
//! In a field nobody jumps but off and onto ledges, and a cell without a floor is not crossed. So where a gap of one
//! cell parts ground that the player reaches from ground that nothing else leads to, a plank lies across it.

use std::collections::{BTreeSet, VecDeque};

use super::{Ground, SIDE, Shown};

/// By how much the two sides of a gap may differ in height: a cell, in world units.
const JUMP: u16 = 128;

/// East, south, west, north.
const WAYS: [[i32; 2]; 4] = [[1, 0], [0, 1], [-1, 0], [0, -1]];

/// Where the player gets to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Reach {
    /// Planks that were laid.
    pub planks: usize,
    /// Floors that the player does not get to all the same.
    pub unreached: usize,
}

/// The cell beside another.
fn beside(cell: [u32; 2], way: [i32; 2]) -> Option<[u32; 2]> {
    let [col, row] = [0, 1].map(|axis| cell[axis].checked_add_signed(way[axis]));
    Some([col?, row?])
}

/// The height at which one stands on a cell.
fn footing(ground: Option<&Ground>) -> Option<i16> {
    ground.filter(|it| !it.wall).and_then(|it| it.floor)
}

/// Lay planks over the gaps that keep the player, who begins on cell `start`, from other ground; those nearest to the
/// start first. A gap leads straight on, its sides differ by at most a cell in height, and nobody jumps from a plank.
/// Who begins where nothing is, as on a thing that carries them, begins on a plank at the height `under` them.
pub(super) fn close(shown: &mut Shown, start: [u32; 2], under: i16) -> Reach {
    let mut reached = BTreeSet::new();
    let mut planks = BTreeSet::new();
    let (mut near, mut gaps) = (VecDeque::new(), VecDeque::new());
    // The margin stays a wall.
    let inside = start.iter().all(|it| (1..SIDE).contains(it));
    let ground = shown.get(&start).copied().unwrap_or_default();
    let carried = inside && ground.floor.is_none() && !ground.wall;
    if carried {
        let floor = Some(under);
        shown.insert(start, Ground { floor, ..ground });
    }
    if footing(shown.get(&start)).is_some() {
        reached.insert(start);
        near.push_back(start);
    }
    loop {
        while let Some(cell) = near.pop_front() {
            for way in WAYS {
                let Some(next) = beside(cell, way) else {
                    continue;
                };
                let ground = shown.get(&next);
                if footing(ground).is_some() {
                    if reached.insert(next) {
                        near.push_back(next);
                    }
                } else if !ground.is_some_and(|it| it.wall) && !planks.contains(&cell) {
                    gaps.push_back((cell, next, way));
                }
            }
        }
        let Some((cell, gap, way)) = gaps.pop_front() else {
            break;
        };
        let Some(beyond) = beside(gap, way).filter(|it| !reached.contains(it)) else {
            continue;
        };
        let sides = [cell, beyond].map(|it| footing(shown.get(&it)));
        let [Some(here), Some(there)] = sides else {
            continue;
        };
        if here.abs_diff(there) > JUMP {
            continue;
        }
        // A cell slopes from its own height to that of the next one: so it begins flush with the lower-numbered side.
        let floor = if way[0] + way[1] > 0 { here } else { there };
        let plank = Ground {
            floor: Some(floor),
            wall: false,
        };
        shown.insert(gap, plank);
        planks.insert(gap);
        reached.insert(gap);
        near.push_back(gap);
    }
    let floors = shown.values().filter(|it| footing(Some(it)).is_some());
    Reach {
        planks: planks.len() + usize::from(carried),
        unreached: floors.count() - reached.len(),
    }
}
