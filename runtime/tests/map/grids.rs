//! The grids: their refresh, paint, addresses.

use super::common::{chained, map_with, tile};
use overworld_runtime::field::map::trigger::{self, Elevation, Kind, Script, Teleport};
use overworld_runtime::field::map::{
    CELLS, COLLISION_SIZE, Cell, Collision, Finding, Map, MapMut, Object, Paint, SIZE, Tile,
    Triggers, Walls,
};

#[test]
fn n11_grid_refresh() {
    let triggers = trigger::Source {
        teleports: &[Teleport {
            tile: [10, 20],
            destination: [0, 0],
        }],
        scripts: &[Script {
            tile: [10, 20],
            record: 0,
            gate: 0,
        }],
        elevations: &[Elevation {
            tile: [30, 40],
            coarse: 0,
            quads: 0,
        }],
        regions: &[],
    };
    let mut data = vec![0; SIZE];
    let mut map = MapMut::create(&mut data, &triggers).unwrap();
    let object = |flags, palette| Object {
        flags,
        palette,
        ..Object::default()
    };
    map.set_object(5, &object(3, 1));
    map.set_object(7, &object(3, 0));
    map.set_cell(tile(2, 3), Cell(5));
    map.set_cell(tile(4, 4), Cell(0x1007));
    map.refresh();
    let found =
        [(2, 3), (4, 4), (10, 20), (30, 40)].map(|(col, row)| map.map().cell(tile(col, row)));
    assert_eq!(found, [0x3005, 0x2007, 0x0600, 0x0800].map(Cell));
    // Nothing else is touched, and record 7 lost its bit for good.
    assert_eq!(map.map().cells().filter(|(_, cell)| cell.0 != 0).count(), 4);
    assert_eq!(map.map().object(7).flags, 2);
    assert_eq!(map.map().object(5).flags, 3);
    // A second refresh changes nothing.
    let before = map.map().bytes().to_vec();
    map.refresh();
    assert_eq!(map.map().bytes()[..], before);
    // The fallback block's scripts are marked after it, whatever their gate.
    let fallback = chained([1, 1, 1, 0]);
    let mut block = vec![0; 0x800];
    block[..18].copy_from_slice(&fallback);
    block[0x12..0x16].copy_from_slice(&[1, 1, 0, 0]);
    block[0x18..0x1C].copy_from_slice(&[30, 40, 9, 1]);
    map.mark_fallback(&Triggers::lenient(&block));
    assert_eq!(map.map().cell(tile(30, 40)), Cell(0x0C00));
    assert_eq!(map.map().cell(tile(1, 1)), Cell(0));
}

#[test]
fn m_paint() {
    // Operands of the op, columns, rows, what becomes of A7h.
    let vectors: [([u8; 5], _, _, u8); 4] = [
        ([0x71, 2, 3, 2, 3], 2..3, 4..5, 0xF7),
        ([0x70, 0, 0, 1, 1], 0..2, 1..3, 0x07),
        ([0x72, 5, 5, 5, 5], 5..6, 6..7, 0x87),
        ([0x73, 5, 5, 5, 5], 5..6, 6..7, 0xE7),
    ];
    for ([sub, col0, row0, col1, row1], columns, rows, expected) in vectors {
        let walls = match sub & 0x0F {
            0 => Walls::Clear,
            1 => Walls::Block,
            2 => Walls::Remove(3),
            _ => Walls::Add(4),
        };
        let paint = Paint {
            col0,
            row0,
            col1,
            row1,
            walls,
        };
        assert_eq!((paint.columns(), paint.rows()), (columns, rows));
        let mut data = map_with(&chained([0; 4]));
        data[0x4000..0x8000].fill(0xA7);
        let mut map = MapMut::parse(&mut data).unwrap();
        map.paint(&paint);
        for it in Tile::all() {
            let inside = paint.columns().contains(&it.col().into())
                && paint.rows().contains(&it.row().into());
            let byte = if inside { expected } else { 0xA7 };
            assert_eq!(
                map.map().collision(it),
                Collision(byte),
                "{sub:02X} at {it:?}"
            );
        }
    }
}

#[test]
fn paint_off_the_grid() {
    let mut grid = Box::new([0x0F; COLLISION_SIZE]);
    let paint = |col0, row0, col1, row1| Paint {
        col0,
        row0,
        col1,
        row1,
        walls: Walls::Block,
    };
    // Inverted on either axis, and wholly outside.
    paint(5, 5, 4, 9).apply(&mut grid);
    paint(5, 5, 9, 4).apply(&mut grid);
    paint(128, 0, 255, 255).apply(&mut grid);
    paint(0, 127, 255, 255).apply(&mut grid);
    assert!(grid.iter().all(|&byte| byte == 0x0F));
    // Partly outside: rows 127 and 128 of which one exists.
    paint(126, 126, 255, 255).apply(&mut grid);
    let painted: Vec<_> = (0..COLLISION_SIZE).filter(|&at| grid[at] == 0xFF).collect();
    assert_eq!(painted, [127 * 128 + 126, 127 * 128 + 127]);
}

#[test]
fn triggers_off_the_grid_are_not_marked() {
    let mut data = vec![0; SIZE];
    let source = trigger::Source {
        teleports: &[
            Teleport::from_bytes([128, 0, 0, 0]),
            Teleport::from_bytes([0, 255, 0, 0]),
        ],
        scripts: &[Script::from_bytes([255, 255, 0, 0])],
        elevations: &[Elevation::from_bytes([127, 128, 0, 0])],
        regions: &[],
    };
    let mut map = MapMut::create(&mut data, &source).unwrap();
    map.refresh();
    let fallback = map.map().triggers();
    assert!(map.map().cells().all(|(_, cell)| cell == Cell(0)));
    assert_eq!(fallback.count(Kind::Teleport), 2);
    let index = 0;
    let finding = Finding::TileOffGrid { kind: 0, index };
    assert_eq!(map.map().lint(), Err(finding));
}

#[test]
fn addresses_of_the_grids() {
    // collision byte = 4000h + row * 80h + col, cell = 8000h + row * 100h + col * 2.
    let mut data = map_with(&chained([0, 1, 0, 0]));
    data[0x4000 + 25 * 0x80 + 38] = 0xA3;
    data[0x8000 + 25 * 0x100 + 38 * 2..][..2].copy_from_slice(&[0x89, 0x14]);
    let map = Map::parse(&data).unwrap();
    let at = tile(38, 25);
    assert_eq!(map.collision(at), Collision::new(0xA, 3));
    assert_eq!(
        (map.collision(at).walls(), map.collision(at).tier()),
        (0xA, 3)
    );
    let cell = map.cell(at);
    assert_eq!(cell.object(), 137);
    assert!(cell.has(Cell::SCRIPT) && cell.has(Cell::GROUND) && cell.may_trigger());
    assert!(!cell.has(Cell::TELEPORT) && !cell.has(Cell::ELEVATION));
    assert_eq!(
        map.collision_grid()
            .iter()
            .filter(|&&byte| byte != 0)
            .count(),
        1
    );
    assert_eq!(map.cells().filter(|&(_, cell)| cell.0 != 0).count(), 1);
    // Writing in place.
    let mut changed = data.clone();
    let mut map = MapMut::parse(&mut changed).unwrap();
    map.set_collision(tile(127, 127), Collision(0xF0));
    map.set_cell(tile(127, 127), Cell(0xABCD));
    map.set_object(
        511,
        &Object {
            last: 0x77,
            ..Object::default()
        },
    );
    // The script op that rewrites a trigger.
    assert!(map.set_script(0, 9, 1));
    assert!(!map.set_script(1, 9, 1));
    let changes = [
        (0x3FFF, 0x77),
        (0x7FFF, 0xF0),
        (0xFFFE, 0xCD),
        (0xFFFF, 0xAB),
        (0x10016, 9),
        (0x10017, 1),
    ];
    for (at, value) in changes {
        data[at] = value;
    }
    assert_eq!(changed, data);
}

#[test]
fn tiles() {
    assert_eq!(Tile::new(128, 0), None);
    assert_eq!(Tile::new(0, 128), None);
    assert_eq!(Tile::containing(-1, 0), None);
    assert_eq!(Tile::containing(16383, 127), Tile::new(127, 0));
    assert_eq!(Tile::containing(16384, 0), None);
    assert_eq!(Tile::containing(i32::MIN, i32::MAX), None);
    assert_eq!(Tile::all().count(), CELLS);
    assert!(Tile::all().is_sorted());
    // Section 4.3: the plain tile of (1838, 2526), of (3386, 2606).
    assert_eq!(Tile::containing(1838, 2526), Tile::new(14, 19));
    assert_eq!(Tile::containing(3386, 2606), Tile::new(26, 20));
}
