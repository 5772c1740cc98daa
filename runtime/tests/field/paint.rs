//! Section M: the wall paint of scripts, on the map that is walked on.

use super::common::{empty, field};
use overworld_runtime::field::map::{Collision, Map, MapMut, Paint, PaintError, Tile, Triggers};
use overworld_runtime::field::{Ground, Input, ground::NO_HEIGHTS};

#[test]
fn m1_to_m4_the_op() {
    let vectors: [(&[u8], _, _, usize, u8); 4] = [
        (&[0x4C, 0x71, 2, 3, 2, 3], 2..3, 4..5, 6, 0xF7),
        (&[0x4C, 0x70, 0, 0, 1, 1], 0..2, 1..3, 6, 0x07),
        (&[0x4C, 0x72, 5, 5, 5, 5, 3], 5..6, 6..7, 7, 0x87),
        (&[0x4C, 0x73, 5, 5, 5, 5, 4], 5..6, 6..7, 7, 0xE7),
    ];
    for (number, (code, columns, rows, length, byte)) in (1..).zip(vectors) {
        let (paint, len) = Paint::decode(code).unwrap();
        assert_eq!(
            (paint.columns(), paint.rows()),
            (columns, rows),
            "M{number}"
        );
        assert_eq!(len, length, "M{number}");
        assert_eq!(paint.walls.apply(0xA7), byte, "M{number}");
        // What follows is another op's.
        let longer = [code, &[0x21]].concat();
        assert_eq!(Paint::decode(&longer), Ok((paint, length)), "M{number}");
        for cut in 0..code.len() {
            let need = if cut < 2 { 2 } else { length as u8 };
            let expected = Err(PaintError::Truncated { need, len: cut });
            assert_eq!(
                Paint::decode(&code[..cut]),
                expected,
                "M{number} cut to {cut}"
            );
        }
    }
    for op in [
        [0x4C, 0x74],
        [0x4C, 0x7F],
        [0x4C, 0x80],
        [0x4C, 0x6F],
        [0xCC, 0x70],
        [0, 0],
    ] {
        let code = [op[0], op[1], 0, 0, 0, 0, 0];
        let error = Paint::decode(&code).unwrap_err();
        assert_eq!(error, PaintError::UnknownOp { op });
        let told = format!("wall paint: op {:02X} {:02X} is none", op[0], op[1]);
        assert_eq!(error.to_string(), told);
    }
}

/// P17: rows are painted one further than the script says, columns are not; and the walls so made are
/// walked into where the biased mapping says.
#[test]
fn p17_a_painted_wall_stops_a_walker_until_it_is_cleared() {
    let mut data = empty();
    let source = data.clone();
    let walk = |data: &[u8]| {
        let mut field = field(1900, 2526);
        let ground = Ground::new(Map::parse(data).unwrap(), Triggers::EMPTY, &NO_HEIGHTS);
        let input = Input {
            held: 0x8000,
            scalar: 2,
            ..Input::default()
        };
        for _ in 0..20 {
            field.frame(&ground, &input);
        }
        field.player.x
    };
    let paint = |data: &mut [u8], code: &[u8]| {
        let (paint, _) = Paint::decode(code).unwrap();
        MapMut::parse(data).unwrap().paint(&paint);
    };
    assert_eq!(walk(&data), 1580);
    // Column 13, rows 18 to 21: the walls that (1900, 2526) walks into are those of row 20.
    paint(&mut data, &[0x4C, 0x71, 13, 17, 13, 20]);
    assert_eq!(walk(&data), 1838);
    let map = Map::parse(&data).unwrap();
    let painted: Vec<_> = Tile::all()
        .filter(|&it| map.collision(it) != Collision(0))
        .collect();
    let rows = [18, 19, 20, 21].map(|row| Tile::new(13, row).unwrap());
    assert_eq!(painted, rows);
    paint(&mut data, &[0x4C, 0x70, 0, 0, 127, 127]);
    assert_eq!(walk(&data), 1580);
    assert!(data == source, "the paint was all there was");
    // Row 0 is out of the script's reach.
    paint(&mut data, &[0x4C, 0x73, 0, 0, 255, 255, 0xF5]);
    let map = Map::parse(&data).unwrap();
    for tile in Tile::all() {
        let expected = if tile.row() == 0 { 0 } else { 0x50 };
        assert_eq!(map.collision(tile), Collision(expected));
    }
}
