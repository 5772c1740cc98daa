//! Object records: section K.

use super::common::tile;
use overworld_runtime::field::map::{Cell, Collision, MapMut, Object, Placed, SIZE, trigger};

struct Placement {
    offset: (i16, i16),
    anchor: [i8; 2],
    fine: [i8; 2],
    flags: u16,
    cell: (u8, u8),
    position: [i32; 2],
    footprint: [i32; 2],
    centre: [i32; 2],
    tile: (u8, u8),
}

#[test]
fn k5_to_k8_objects() {
    let vectors = [
        Placement {
            offset: (-64, 56),
            anchor: [-1, -1],
            fine: [2, 2],
            flags: 0x101E,
            cell: (38, 25),
            position: [4864, 3208],
            footprint: [-32, -40],
            centre: [4832, 3168],
            tile: (37, 24),
        },
        Placement {
            offset: (0, 0),
            anchor: [1, 0],
            fine: [-3, -3],
            flags: 0x0016,
            cell: (5, 3),
            position: [704, 448],
            footprint: [80, -48],
            centre: [784, 400],
            tile: (6, 3),
        },
        Placement {
            offset: (0, 0),
            anchor: [0, 0],
            fine: [0, 0],
            flags: 0x0004,
            cell: (0, 0),
            position: [64, 64],
            footprint: [0, 0],
            centre: [64, 64],
            tile: (0, 0),
        },
        Placement {
            offset: (-100, -200),
            anchor: [2, -2],
            fine: [7, -8],
            flags: 0x000C,
            cell: (100, 100),
            position: [12764, 13064],
            footprint: [468, -584],
            centre: [13232, 12480],
            tile: (102, 98),
        },
    ];
    for (number, it) in (5..).zip(vectors) {
        let object = Object {
            offset: [it.offset.0, 0, it.offset.1],
            anchor: it.anchor,
            fine: it.fine,
            flags: it.flags,
            ..Object::default()
        };
        let cell = tile(it.cell.0, it.cell.1);
        let (position, footprint) = (object.position(cell), object.footprint());
        assert_eq!(position, it.position, "K{number}");
        assert_eq!(footprint, it.footprint, "K{number}");
        let centre = [position[0] + footprint[0], position[1] + footprint[1]];
        assert_eq!(centre, it.centre, "K{number}");
        let anchor = Some(tile(it.tile.0, it.tile.1));
        assert_eq!(object.anchor_tile(cell), anchor, "K{number}");
    }
}

#[test]
fn k9_placed_objects() {
    let mut data = vec![0; SIZE];
    let mut map = MapMut::create(&mut data, &trigger::Source::default()).unwrap();
    let object = |flags, offset, anchor| Object {
        flags,
        offset,
        anchor,
        ..Object::default()
    };
    map.set_object(5, &object(4, [0, 7, 0], [0, 0]));
    map.set_object(6, &object(0x1806, [-10, 0, 20], [1, 0]));
    map.set_object(7, &object(4, [0, 0, 0], [-1, 0]));
    map.set_object(8, &object(3, [0, 0, 0], [0, 0]));
    for (col, row, cell) in [
        (3, 4, 5),
        (40, 40, 6),
        (41, 40, 0x0400),
        (0, 9, 7),
        (5, 5, 8),
    ] {
        map.set_cell(tile(col, row), Cell(cell));
    }
    map.set_collision(tile(3, 4), Collision(0xA3));
    let map = map.map();
    let placed: Vec<Placed> = map.placed().collect();
    let [first, second] = placed[..] else {
        panic!("two objects, not {}", placed.len())
    };
    assert_eq!((first.index, first.anchor), (5, tile(3, 4)));
    assert_eq!(first.object.position(first.tile), [448, 576]);
    assert_eq!(first.object.footprint(), [0, 0]);
    assert_eq!((second.index, second.anchor), (6, tile(41, 40)));
    assert_eq!(second.object.position(second.tile), [5174, 5164]);
    assert_eq!(second.object.footprint(), [128, 0]);
    // K10: the height of record 5 is LUT[3] + 7 with LUT[i] = -16 i; record 6 is bound.
    let tier = map.collision(first.tile).tier();
    assert_eq!(
        -16 * i32::from(tier) + i32::from(first.object.offset[1]),
        -41
    );
    assert!(!map.cell(first.anchor).has(Cell::SCRIPT));
    assert!(map.cell(second.anchor).has(Cell::SCRIPT));
}

#[test]
fn object_bytes() {
    // One of each field, by the offsets of section 3.4.
    #[rustfmt::skip]
    let bytes = [
        0xC0, 0xFF, 0x07, 0x00, 0x38, 0x00, 0xFF, 0xFE, 0x01, 0x00, 0x02, 0x04, 0x03, 0x00, 0xFD, 0x02,
        0x48, 0x00, 0x1E, 0x10, 0x3F, 0x0C, 0x00, 0x7D, 0xA0, 0xA1, 0xA2, 0xA3, 0xA4, 0xA5, 0x09, 0xA6,
    ];
    let object = Object {
        offset: [-64, 7, 56],
        anchor: [-1, -2],
        rotation: [1, 0x0402, 3],
        fine: [-3, 2],
        mesh: 72,
        flags: 0x101E,
        atlas: 63,
        page: 0x0C,
        palette: 0x7D00,
        unknown: [0xA0, 0xA1, 0xA2, 0xA3, 0xA4, 0xA5],
        cull: 9,
        last: 0xA6,
    };
    assert_eq!(Object::from_bytes(bytes), object);
    assert_eq!(object.to_bytes(), bytes);
}
