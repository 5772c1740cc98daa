//! Boxes of tiles in which a value of the view follows the player (field VM sheet, 7.15: `43 03` to `06`).

use crate::bytes::Crc32;

/// A box and what it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Zone {
    axis: Axis,
    /// West, north, east, south: the middles of the corner tiles.
    corners: [i16; 4],
    /// The value at the northern and at the southern edge.
    values: [i16; 2],
}

/// The value of the view that a zone sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Axis {
    H,
    Depth,
    Pitch,
    Yaw,
}

/// The middle of a tile. Of these operands no bit means half a tile, as in a coordinate byte (7.1).
const fn middle(tile: u8) -> i16 {
    tile as i16 * 0x80 + 0x40
}

impl Zone {
    /// That of `43 sub`; `None`: the sub-op sets up none.
    pub fn new(sub: u8, tiles: [u8; 4], values: [i16; 2]) -> Option<Self> {
        let axis = match sub {
            3 => Axis::H,
            4 => Axis::Depth,
            5 => Axis::Pitch,
            6 => Axis::Yaw,
            _ => return None,
        };
        let corners = tiles.map(middle);
        Some(Self {
            axis,
            corners,
            values,
        })
    }

    /// Whether it sets the same value in the same box.
    pub fn is_like(&self, other: &Self) -> bool {
        (self.axis, self.corners) == (other.axis, other.corners)
    }

    /// Its slot of the view ([`crate::script::mover::SLOTS`]).
    pub const fn slot(&self) -> usize {
        match self.axis {
            Axis::H => 9,
            Axis::Depth => 5,
            Axis::Pitch => 0,
            Axis::Yaw => 1,
        }
    }

    /// The value for a player who stands here; `None` outside. A box without depth has the one of its northern edge.
    pub fn value(&self, x: i16, z: i16) -> Option<i16> {
        let [west, north, east, south] = self.corners;
        if !(west..=east).contains(&x) || !(north..=south).contains(&z) {
            return None;
        }
        let [start, end] = self.values.map(i64::from);
        let [way, depth] = [z, south].map(|it| i64::from(it) - i64::from(north));
        let part = ((end - start) * way).checked_div(depth).unwrap_or(0);
        Some((start + part) as i16)
    }

    /// Feed all of it.
    pub fn feed(&self, crc: &mut Crc32) {
        let Self {
            axis: _,
            corners,
            values,
        } = self;
        crc.words([self.slot() as u32]);
        crc.words(*corners);
        crc.words(*values);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Toward zero, as the machine divides; the edges belong to the box.
    #[test]
    fn the_value_goes_with_z() {
        let zone = Zone::new(5, [10, 20, 12, 24], [100, -101]).unwrap();
        let seen = [2624, 2625, 2880, 3135, 3136].map(|z| zone.value(1408, z));
        assert_eq!(seen, [100, 100, 0, -100, -101].map(Some));
        for (x, z) in [(1343, 2880), (1601, 2880), (1408, 2623), (1408, 3137)] {
            assert_eq!(zone.value(x, z), None, "{x} {z}");
        }
        assert_eq!(zone.value(1344, 2880).and(zone.value(1600, 2880)), Some(0));
        // The whole range; no depth; a box that is inside out.
        let whole = Zone::new(6, [0, 0, 255, 255], [i16::MIN, i16::MAX]).unwrap();
        assert_eq!(whole.value(64, 64), Some(i16::MIN));
        assert_eq!(whole.value(32704, 32704), Some(i16::MAX));
        let flat = Zone::new(3, [1, 1, 2, 1], [7, 9]).unwrap();
        assert_eq!(flat.value(192, 192), Some(7));
        let none = Zone::new(4, [2, 2, 1, 1], [7, 9]).unwrap();
        assert_eq!(none.value(256, 256), None);
        assert_eq!(Zone::new(7, [0; 4], [0; 2]), None);
    }
}
