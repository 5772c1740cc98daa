//! Where a level has nothing, and how one gets over it.

use std::collections::BTreeSet;

use overworld_runtime::field::Ground;
use overworld_runtime::field::map::{Map, Tile, Triggers};
use overworld_runtime::llama::Level;
use overworld_runtime::llama::map::{Place, Tile as Floor};

use super::super::bridge::{self, Field};
use super::super::testlevel::{self, Options};
use super::super::{report, sample};
use super::edited;
use super::ground::strolled;

const RIGHT: u16 = 0x2000;
const DOWN: u16 = 0x4000;

fn field(data: &[u8]) -> Field {
    bridge::field(&Level::parse(data).unwrap()).unwrap()
}

/// Frames in which a walk of eight units a frame goes over so many cells.
const fn cells(count: u32) -> u32 {
    count * 128 / 8
}

/// From where the sample's player begins to its door: over the bridge and the hill, and up the stairs from their high
/// end, five cells at once.
#[test]
fn the_sample_is_walked_to_its_door() {
    let data = sample::wad();
    let (world, field) = bridge::world(&Level::parse(&data).unwrap(), "level").unwrap();
    assert_eq!((field.planks, field.unreached), (0, 0));
    // The door stands 32 cells to the east of the player, and five to the north.
    let [x, y, z] = strolled(&world, &[(RIGHT, cells(32)), (DOWN, 200)]);
    let place = |cell: i16| cell * 128 + 64;
    assert_eq!(x, place(20 + 32));
    assert!(z < place(20 - 4), "{z}");
    // And once up, down the stairs.
    let row = (z / 128) as u32;
    let height = -32 * (sample::quarters(35, row).unwrap() + 1);
    assert!((i32::from(y) - height).abs() <= 64, "{y} {height}");
}

/// The parkour of a test level, from the player to the door on its goal: half a unit up with each step.
#[test]
fn a_parkour_is_walked_to_its_goal() {
    for spacing in [1, 2, 3] {
        let options = Options {
            spacing: Some(spacing),
            ..Options::default()
        };
        let made = testlevel::make(&sample::wad(), &options).unwrap();
        let level = Level::parse(&made.data).unwrap();
        let (world, field) = bridge::world(&level, "level").unwrap();
        // Before each step and the goal is a gap, and nothing else is out of reach.
        assert_eq!((field.planks, field.unreached, field.rounded), (7, 0, 0));
        let [player, door] = [0, 1].map(|role| {
            let name = ["Llama", "LevelDoor"][role];
            let rows = super::types::of(&level);
            let row = rows.iter().find(|it| it.label == name).unwrap();
            level.map.strats().get(row.first).unwrap().at
        });
        let far = (door[0] - player[0]) >> 12;
        let begin = 20 * 128 + 64;
        let floor = -(player[1] >> 5) as i16;
        assert_eq!(strolled(&world, &[(0, 60)]), [begin, floor, begin]);
        let goal = strolled(&world, &[(RIGHT, cells(far as u32)), (0, 30)]);
        let up = 7 * 64;
        assert_eq!(goal, [begin + 128 * far as i16, floor - up, begin]);
        assert_eq!(i32::from(goal[1]), -(door[1] >> 5));
        // To the goal's end, and no further.
        let [x, ..] = strolled(&world, &[(RIGHT, 2000)]);
        assert!(x > goal[0] && x < goal[0] + 192, "{x}");
        // Off a step, to either side, is no way.
        let step = cells(far as u32 - 3);
        for side in [0x1000, DOWN] {
            let [x, y, z] = strolled(&world, &[(RIGHT, step), (side, 200)]);
            assert_eq!(x, goal[0] - 3 * 128);
            assert!((z - begin).abs() < 64 && y > goal[1], "{y} {z}");
        }
    }
}

/// Floors are flat up to their ends, and beyond them is nothing, at the height of the floor before.
#[test]
fn nothing_is_beside_a_floor() {
    let made = testlevel::make(&sample::wad(), &Options::default()).unwrap();
    let level = Level::parse(&made.data).unwrap();
    let field = field(&made.data);
    let map = Map::parse(&field.map).unwrap();
    let ground = Ground::new(map, Triggers::EMPTY, &field.heights);
    let tiles = level.map.fixed();
    let floors: BTreeSet<[i32; 2]> = tiles
        .iter()
        .map(|it| [(it.at[0] >> 12) + 1, (it.at[2] >> 12) + 1])
        .collect();
    for it in tiles.iter() {
        let [col, row] = [(it.at[0] >> 12) + 1, (it.at[2] >> 12) + 1];
        let height = -((it.at[1] + 1024) >> 5);
        for (x, z) in [(0, 0), (127, 0), (64, 64), (0, 127), (127, 127)] {
            let floor = ground.floor(128 * col + x, 128 * row + z);
            assert_eq!(floor, height, "{col} {row}: {x} {z}");
        }
    }
    let voids = Tile::all().filter(|it| map.is_void(*it));
    let voids: Vec<[i32; 2]> = voids.map(|it| [it.col().into(), it.row().into()]).collect();
    let mut planks = 0;
    for tile in Tile::all() {
        let cell = [tile.col().into(), tile.row().into()];
        let is_void = voids.contains(&cell);
        assert!(!(is_void && floors.contains(&cell)), "{cell:?}");
        planks += usize::from(!is_void && !floors.contains(&cell));
        // Nothing is as high as one of the floors before it, if there is one.
        let before = [[0, 1], [1, 0], [1, 1]].map(|[x, z]| [cell[0] - x, cell[1] - z]);
        let before: Vec<i32> = before
            .iter()
            .filter(|it| floors.contains(*it))
            .map(|[col, row]| ground.corner(*col, *row))
            .collect();
        let end = ground.corner(cell[0], cell[1]);
        assert!(
            !is_void || before.is_empty() || before.contains(&end),
            "{cell:?}"
        );
    }
    assert_eq!(planks, 7);
}

/// The sample without the floors that `gone` names, and its field's planks and what is out of reach.
fn without(gone: impl Fn(u32, u32) -> bool, lift: impl Fn(u32) -> i32) -> Field {
    let data = edited(|parts| {
        let cell = |tile: &Floor| match tile.place(40, 40) {
            Place::Cell(cell) => [cell as u32 % 40, cell as u32 / 40],
            _ => panic!("{tile:?}"),
        };
        let stays: Vec<bool> = parts
            .tiles
            .iter()
            .map(|it| it.model != sample::FLOOR || !gone(cell(it)[0], cell(it)[1]))
            .collect();
        let mut kept = stays.iter();
        parts.tiles.retain(|_| *kept.next().unwrap());
        let mut kept = stays.iter();
        parts.colours.retain(|_| *kept.next().unwrap());
        for tile in &mut parts.tiles {
            let [col, _] = cell(tile);
            let y = tile.at[1].fixed().unwrap().nearest + 1024 * lift(col);
            tile.at[1] = overworld_runtime::llama::Float::from_fixed(y);
        }
    });
    let errors = report::check(&data).errors;
    assert_eq!(errors, []);
    field(&data)
}

/// One plank for what is parted, nearest to the player; none where another way leads.
#[test]
fn a_gap_is_crossed_where_nothing_else_leads() {
    // The ditch with its bridge, and without.
    let whole = without(|_, _| false, |_| 0);
    assert_eq!((whole.planks, whole.unreached), (0, 0));
    let parted = without(|col, _| col == 8, |_| 0);
    assert_eq!((parted.planks, parted.unreached), (1, 0));
    // The player stands in the fourth column of row 20, the margin added.
    let map = Map::parse(&parted.map).unwrap();
    let plank = Tile::new(9, 21).unwrap();
    assert!(!map.is_void(plank));
    let ditch = |row| Tile::new(9, row).unwrap();
    let open = (1..41).filter(|row| !map.is_void(ditch(*row)));
    assert_eq!(open.collect::<Vec<_>>(), [21]);
    // A ditch of two cells is not jumped over: what lies behind is out of reach.
    let wide = without(|col, _| col == 8 || col == 9, |_| 0);
    let behind = 30 * 40 - 5;
    assert_eq!((wide.planks, wide.unreached), (0, behind));
    // Nor is one whose other side is more than a cell higher or lower.
    for (quarters, planks) in [(4, 1), (5, 0), (-4, 1), (-5, 0)] {
        let lifted = without(|col, _| col == 8, |col| if col > 8 { quarters } else { 0 });
        let unreached = if planks == 1 { 0 } else { behind + 40 };
        assert_eq!(
            (lifted.planks, lifted.unreached),
            (planks, unreached),
            "{quarters}"
        );
    }
    // An island, whose two gaps are two planks; and one that only a jump from a plank would reach.
    let island = |col: u32, row: u32| {
        let ring = (11..=15).contains(&col) && (1..=5).contains(&row);
        ring && [col, row] != [13, 3]
    };
    assert_eq!(without(island, |_| 0).unreached, 1);
    let near = |col: u32, row: u32| {
        let ring = (12..=14).contains(&col) && (2..=4).contains(&row);
        ring && [col, row] != [13, 3]
    };
    let near = without(near, |_| 0);
    assert_eq!((near.planks, near.unreached), (1, 0));
}

/// Whose player stands in a wall gets nowhere; who stands where nothing is has a plank there.
#[test]
fn a_player_begins_on_a_floor_or_gets_nowhere() {
    let begun = |cell: [i32; 2], y| {
        let data = edited(|parts| {
            let [x, z] = cell.map(|it| it * 4096 + 2048);
            parts.strats[0].at = [x, y, z];
        });
        field(&data)
    };
    let walled = begun([24, 35], 1024);
    // Five tiles of the meadow are walled.
    assert_eq!((walled.planks, walled.unreached), (0, walled.floors - 5));
    // On the ditch, a cell and a half above the meadow.
    let carried = begun([8, 3], 7 * 1024);
    assert_eq!((carried.planks, carried.unreached), (1, 0));
    let map = Map::parse(&carried.map).unwrap();
    let ground = Ground::new(map, Triggers::EMPTY, &carried.heights);
    let [x, z] = carried.player.map(i32::from);
    assert_eq!([x, z], [9 * 128 + 64, 4 * 128 + 64]);
    assert!(!ground.walls().at(x, z) && !map.is_void(Tile::containing(x, z).unwrap()));
    assert!((ground.floor(x, z) + 7 * 32).abs() <= 8);
}

#[test]
fn names_of_scenes() {
    for (text, name) in [
        ("Meadow", Some("meadow")),
        ("T1L9M001.wad", Some("t1l9m001")),
        ("a_b c-9", Some("a_bc9")),
        ("\u{df}\u{1F999}", None),
        ("", None),
    ] {
        assert_eq!(bridge::scene_name(text).as_deref(), name, "{text}");
    }
}
