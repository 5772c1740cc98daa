//! Sections A and B: the wall mapping and the three points of a step. Pitfall P17.

use super::common::{column_13, empty, ground, row_20, tile, walled};
use overworld_runtime::field::ground::NO_HEIGHTS;
use overworld_runtime::field::map::{Collision, Map, MapMut, Tile};
use overworld_runtime::field::units::{Direction, Point};
use overworld_runtime::field::wall::WallBit;

/// Column and row that section 4.1 has in between, worked out here.
fn sub_cell(x: i32, z: i32) -> (i32, i32) {
    ((x + 63).div_euclid(64) - 1, z / 64 + 2)
}

/// x, z, xc, zc, byte, nibble bit, plain tile.
type Cell = (i32, i32, i32, i32, usize, u8, (i32, i32));

const A: [Cell; 17] = [
    (0, 0, -1, 2, 0x0080, 1, (0, 0)),
    (1, 0, 0, 2, 0x0080, 0, (0, 0)),
    (10, 10, 0, 2, 0x0080, 0, (0, 0)),
    (63, 63, 0, 2, 0x0080, 0, (0, 0)),
    (64, 64, 0, 3, 0x0080, 2, (0, 0)),
    (65, 64, 1, 3, 0x0080, 3, (0, 0)),
    (127, 200, 1, 5, 0x0100, 3, (0, 1)),
    (128, 200, 1, 5, 0x0100, 3, (1, 1)),
    (129, 200, 2, 5, 0x0101, 2, (1, 1)),
    (320, 448, 4, 9, 0x0202, 2, (2, 3)),
    (1838, 2526, 28, 41, 0x0A0E, 2, (14, 19)),
    (3386, 2606, 52, 42, 0x0A9A, 0, (26, 20)),
    (3402, 2558, 53, 41, 0x0A1A, 3, (26, 19)),
    (1791, 2526, 27, 41, 0x0A0D, 3, (13, 19)),
    (16383, 16255, 255, 255, 0x3FFF, 3, (127, 126)),
    (16384, 16256, 255, 256, 0x007F, 1, (128, 127)),
    (16385, 16300, 256, 256, 0x0000, 0, (128, 127)),
];

#[test]
fn a1_to_a17_the_wall_bit_of_a_position() {
    for (number, (x, z, xc, zc, byte, bit, plain)) in (1..).zip(A) {
        let found = WallBit::of(x, z).unwrap();
        assert_eq!(found.bit, bit, "A{number}");
        let at = usize::from(found.tile.row()) * 0x80 + usize::from(found.tile.col());
        assert_eq!(at, byte, "A{number}");
        // What lies in between is the row's, and leads to the tile and bit that were found.
        assert_eq!(sub_cell(x, z), (xc, zc), "A{number}");
        assert_eq!(
            ((xc / 2) & 0x7F, (zc / 2) & 0x7F),
            (found.tile.col().into(), found.tile.row().into()),
            "A{number}"
        );
        assert_eq!((zc & 1) * 2 + (xc & 1), i32::from(found.bit), "A{number}");
        assert_eq!((x >> 7, z >> 7), plain, "A{number}");
        assert_eq!(
            Tile::containing(x, z),
            Tile::at(plain.0, plain.1),
            "A{number}"
        );
        // That bit alone makes the position a wall, and no other bit does.
        for other in 0..4 {
            let mut data = empty();
            data[0x4000 + byte] = 0x10 << other;
            let walls = Map::parse(&data).unwrap().walls();
            assert_eq!(walls.at(x, z), other == bit, "A{number} bit {other}");
        }
        let mut data = empty();
        data[0x4000..0x8000].fill(0xFF);
        data[0x4000 + byte] &= !(0x10 << bit);
        let walls = Map::parse(&data).unwrap().walls();
        assert!(!walls.at(x, z), "A{number}");
    }
}

#[test]
fn negative_positions_are_walls_and_far_ones_wrap() {
    let data = empty();
    let walls = Map::parse(&data).unwrap().walls();
    for (x, z) in [
        (-1, 5),
        (5, -1),
        (-1, -1),
        (-32768, 0),
        (0, -32768),
        (i32::MIN, 7),
    ] {
        assert!(walls.at(x, z), "({x}, {z})");
    }
    for (x, z) in [
        (0, 0),
        (0x3FFF, 0x3FFF),
        (32767, 32767),
        (i32::MAX, i32::MAX),
    ] {
        assert!(!walls.at(x, z), "({x}, {z})");
    }
    // The last sub-cell of a coordinate's range: column 127 again, row 0 after row 127.
    let data = walled(127..128, 0..1);
    let walls = Map::parse(&data).unwrap().walls();
    assert!(walls.at(32767, 32767) && walls.at(i32::MAX, i32::MAX));
    assert!(!walls.at(32640, 32767));
}

/// Every wall bit covers the rectangle that section 4.1 says, to the unit.
#[test]
fn wall_bits_cover_their_rectangles() {
    for bit in 0..4_u8 {
        let mut data = empty();
        MapMut::parse(&mut data)
            .unwrap()
            .set_collision(tile(5, 7), Collision::new(1 << bit, 9));
        let walls = Map::parse(&data).unwrap().walls();
        let (odd_x, odd_z) = (i32::from(bit & 1), i32::from(bit >> 1));
        for x in 5 * 128 - 10..6 * 128 + 11 {
            for z in 6 * 128 - 10..7 * 128 + 11 {
                let (left, near) = (5 * 128 + 64 * odd_x, 6 * 128 + 64 * odd_z);
                let inside = left < x && x <= left + 64 && near <= z && z < near + 64;
                assert_eq!(walls.at(x, z), inside, "bit {bit} ({x}, {z})");
            }
        }
    }
}

#[test]
fn b1_to_b15_the_wall_result_of_a_step() {
    let mut lateral = empty();
    lateral[0x4000 + 0x0A1A] = 0x80;
    let (column, row) = (column_13(), row_20());
    let vectors: [(&[u8], _, _, Direction, bool); 15] = [
        (&column, 1842, 2526, Direction::XMinus, false),
        (&column, 1840, 2526, Direction::XMinus, false),
        (&column, 1839, 2526, Direction::XMinus, true),
        (&column, 1838, 2526, Direction::XMinus, true),
        (&row, 3386, 2609, Direction::ZMinus, false),
        (&row, 3386, 2608, Direction::ZMinus, false),
        (&row, 3386, 2607, Direction::ZMinus, true),
        (&row, 3386, 2606, Direction::ZMinus, true),
        (&row, 3386, 2384, Direction::ZPlus, false),
        (&row, 3386, 2385, Direction::ZPlus, true),
        (&row, 3386, 2386, Direction::ZPlus, true),
        (&column, 1616, 2526, Direction::XPlus, false),
        (&column, 1617, 2526, Direction::XPlus, true),
        (&column, 1618, 2526, Direction::XPlus, true),
        (&lateral, 3386, 2606, Direction::ZMinus, true),
    ];
    for (number, (data, x, z, direction, expected)) in (1..).zip(vectors) {
        let walls = ground(data, &NO_HEIGHTS)
            .walls()
            .ahead(Point::new(x, z), direction);
        assert_eq!(walls, expected, "B{number}");
    }
    // B15's centre point alone reads clear.
    assert!(!Map::parse(&lateral).unwrap().walls().at(3386, 2606 - 48));
}

/// A wall bit alone, approached from all four sides, is met by the three points of the sheet and by
/// no others: each point of the tables in world terms, on both sides of both edges.
#[test]
fn p17_a_lone_wall_bit_from_four_sides() {
    let points = [
        [(-16, -48), (0, -48), (16, -48)],
        [(-47, 16), (-47, 0), (-47, -16)],
        [(-16, 47), (0, 47), (16, 47)],
        [(48, 16), (48, 0), (48, -16)],
    ];
    for bit in 0..4_u8 {
        let mut data = empty();
        MapMut::parse(&mut data)
            .unwrap()
            .set_collision(tile(20, 20), Collision::new(1 << bit, 0));
        let walls = Map::parse(&data).unwrap().walls();
        for (direction, points) in Direction::ALL.into_iter().zip(points) {
            for x in (20 * 128 - 70..21 * 128 + 70).step_by(3) {
                for z in (19 * 128 - 70..20 * 128 + 70).step_by(3) {
                    let expected = points.iter().any(|(dx, dz)| walls.at(x + dx, z + dz));
                    let from = Point::saturating(x, z);
                    assert_eq!(
                        walls.ahead(from, direction),
                        expected,
                        "{from:?} {direction:?}"
                    );
                }
            }
        }
    }
}

/// From the corners of the map and beyond, every step of every direction has an answer.
#[test]
fn p17_corners_and_beyond() {
    let open = empty();
    let walls = Map::parse(&open).unwrap().walls();
    let ahead = |x, z| Direction::ALL.map(|direction| walls.ahead(Point::new(x, z), direction));
    // At (0, 0) each direction has a point at a negative coordinate.
    assert_eq!(ahead(0, 0), [true; 4]);
    assert_eq!(ahead(-1, -1), [true; 4]);
    assert_eq!(ahead(i16::MIN, i16::MIN), [true; 4]);
    // 16 units from both axes only the look-ahead is negative.
    assert_eq!(ahead(16, 16), [true, true, false, false]);
    assert_eq!(ahead(47, 48), [false; 4]);
    assert_eq!(ahead(46, 47), [true, true, false, false]);
    // The far corner wraps, an open map is open there.
    assert_eq!(ahead(0x3FFF, 0x3FFF), [false; 4]);
    assert_eq!(ahead(i16::MAX, i16::MAX), [false; 4]);
    // A wall on the wrapped side is met.
    let column = walled(0..1, 0..128);
    let walls = Map::parse(&column).unwrap().walls();
    assert!(walls.ahead(Point::new(16340, 8000), Direction::XPlus));
    assert!(!walls.ahead(Point::new(16336, 8000), Direction::XPlus));
}
