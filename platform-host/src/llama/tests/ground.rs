//! Levels that are walked on.

use overworld_runtime::field::Ground;
use overworld_runtime::field::map::{Map, Triggers};
use overworld_runtime::llama::Level;

use super::super::{bridge, sample};
use super::{edited, renamed};
use crate::scenario::Scenario;

#[test]
fn the_sample_is_walked() {
    let data = sample::wad();
    let field = bridge::field(&Level::parse(&data).unwrap()).unwrap();
    assert_eq!(
        (field.player, field.shift, field.rounded),
        ([576, 2752], [1, 1], 0)
    );
    // 19 heights, of which 16 are tiers.
    assert!(field.records > 0, "{field:?}");
    assert_eq!(field.floors, 40 * 40 - 38);
    let map = Map::parse(&field.map).unwrap();
    let ground = Ground::new(map, Triggers::EMPTY, &field.heights);
    let (mut exact, mut others) = (0, 0);
    for row in 0..sample::SIDE {
        for col in 0..sample::SIDE {
            let Some(quarters) = sample::quarters(col, row) else {
                continue;
            };
            let (x, z) = (col as i32 * 128 + 192, row as i32 * 128 + 192);
            let floor = ground.floor(x, z);
            let height = -32 * (quarters + 1);
            exact += usize::from(floor == height);
            if !field.heights.iter().any(|&it| i32::from(it) == height) {
                assert!((floor - height).abs() <= 8, "{col} {row}: {floor} {height}");
                others += 1;
            }
            // Between the tiers of four corners, of which none is further than a step of the stairs.
            assert!(
                (floor - height).abs() <= 64,
                "{col} {row}: {floor} {height}"
            );
        }
    }
    assert!(exact > 1000, "{exact}");
    assert!(others > 0, "some heights are no tier");
    let walk = |pads: &str| {
        let text = format!(
            r#"{{"floor_lut":{:?},"player":{{"x":{},"z":{},"speed":4096}},"terrain":true,"pads":[{pads}]}}"#,
            field.heights, field.player[0], field.player[1]
        );
        let scenario = Scenario::parse(text.as_bytes()).unwrap();
        let mut last = None;
        let mut top = 0;
        scenario
            .play(Some(&field.map), |frame| {
                top = top.min(frame.player.y);
                last = Some(frame.player);
            })
            .unwrap();
        let last = last.unwrap();
        ([last.x, last.y, last.z], top)
    };
    // East over the bridge and the hill, to the level's end, whose wall holds.
    let ([x, y, z], top) = walk(r#"["0x2000", 2000]"#);
    assert_eq!(z, 2752);
    assert!((40 * 128..41 * 128 + 64).contains(&i32::from(x)), "{x}");
    assert_eq!(
        y, -32,
        "a floor's surface is a quarter of a cell above its tile"
    );
    // Two and a half cells high at its top, exact to 8 units, which the player's height follows with a delay.
    assert!((-360..=-320).contains(&top), "{top}");
    // Beside the bridge the ditch stops.
    let ([x, ..], _) = walk(r#"["0x1000", 200], ["0x2000", 2000]"#);
    assert!(i32::from(x) < 9 * 128 + 64, "{x}");
}

/// The player's place after so many frames of the level's world with each of these buttons.
pub(super) fn strolled(world: &crate::world::World, pads: &[(u16, u32)]) -> [i16; 3] {
    use overworld_runtime::field::map::SIZE;
    use overworld_runtime::platform::SECTOR;
    use overworld_runtime::scene::walk::{Play, Walk};
    use overworld_runtime::scene::{self, Memory, Which};

    let image = crate::image::build(&world.tree(None).unwrap()).unwrap();
    let mut drive = crate::drive::ImageDrive::from_bytes(image).unwrap();
    let mut gpu = crate::gpu::Gpu::field(scene::BACKGROUND);
    let mut sectors = vec![[0; SECTOR]; 16];
    let mut assets = vec![0; 4 << 20];
    let memory = Memory {
        sectors: &mut sectors,
        assets: &mut assets,
    };
    let loaded = scene::load(&mut drive, &mut gpu, Which::Named(&world.scene), memory).unwrap();
    let mut read: Box<scene::MapRead> = Box::new([[0; SECTOR]; _]);
    scene::read_map::<_, crate::gpu::Gpu>(&mut drive, &world.scene, &mut sectors, &mut read)
        .unwrap();
    let mut copy = Box::new([0; SIZE]);
    let mut walk = Walk::new(&loaded, &read, &mut copy).unwrap().unwrap();
    for &(pad, frames) in pads {
        for _ in 0..frames {
            walk.tick(pad);
        }
    }
    let player = &walk.world().field.player;
    [player.x, player.y, player.z]
}

#[test]
fn a_level_is_a_world() {
    let data = sample::wad();
    let (world, field) = bridge::world(&Level::parse(&data).unwrap(), "level").unwrap();
    assert_eq!((field.shift, field.cropped), ([17, 0], 0));
    // It begins where a new game does.
    let middle = 20 * 128 + 64;
    assert_eq!(strolled(&world, &[(0, 60)]), [middle, -32, middle]);
    // Eight units a frame to the east, over the bridge and onto the hill, behind whose top the floor falls again.
    let [x, y, z] = strolled(&world, &[(0x2000, 300)]);
    assert_eq!((x, z), (middle + 300 * 8, middle));
    let col = (x / 128 - 17) as u32;
    let height = -32 * (sample::quarters(col, 20).unwrap() + 1);
    assert!(
        height < -256 && (i32::from(y) - height).abs() <= 32,
        "{y} {height}"
    );
    // To the end of the level, whose wall holds; the floor is as low again as at the start.
    let [x, y, z] = strolled(&world, &[(0x2000, 2000)]);
    assert_eq!((y, z), (-32, middle));
    assert!((57 * 128 - 64..57 * 128).contains(&x), "{x}");
    // Beside the bridge the ditch does, eight cells from the level's western end.
    let [x, y, z] = strolled(&world, &[(0x1000, 60), (0x2000, 2000)]);
    assert_eq!((y, z), (-32, middle + 60 * 8));
    assert!((25 * 128 - 64..25 * 128).contains(&x), "{x}");
}

/// A square level of floors alone, whose heights are given in quarters, and the cell of its player.
fn plain(side: u32, player: [u32; 2], quarters: impl Fn(u32, u32) -> i32) -> Vec<u8> {
    use overworld_runtime::llama::Float;

    edited(|parts| {
        let (tile, colours) = (parts.tiles[0], parts.colours[0].clone());
        let half = |cell: u32| cell as i32 * 4096 + 2048;
        let cells = || (0..side).flat_map(|row| (0..side).map(move |col| (col, row)));
        let at = |(col, row)| [half(col), quarters(col, row) * 1024, -half(row)];
        let tiles = cells().map(|cell| overworld_runtime::llama::map::Tile {
            at: at(cell).map(Float::from_fixed),
            ..tile
        });
        parts.tiles = tiles.collect();
        parts.colours = vec![colours; parts.tiles.len()];
        parts.alternatives.clear();
        parts.grid = vec![0; parts.tiles.len()];
        [parts.width, parts.height] = [side; 2];
        let [x, z] = player.map(half);
        parts.strats[0].at = [x, 1024, z];
    })
}

#[test]
fn what_lies_off_the_field_is_counted() {
    let data = |player| plain(200, player, |_, _| 0);
    // 126 cells and the one that is a margin otherwise; in a corner the margin is one.
    for (player, side, shift) in [([100; 2], 127, -36), ([0; 2], 126, 1), ([199; 2], 127, -73)] {
        let data = data(player);
        let field = bridge::field(&Level::parse(&data).unwrap()).unwrap();
        assert_eq!((field.floors, field.shift), (side * side, [shift; 2]));
        assert_eq!(field.cropped, 40_000 - side * side);
        assert_eq!((field.records, field.rounded), (0, 0));
        let place = (player[0] as i32 + shift) * 128 + 64;
        assert_eq!(field.player.map(i32::from), [place; 2]);
    }
    // A world's player is at its column and row 20.
    let data = data([100; 2]);
    let (_, field) = bridge::world(&Level::parse(&data).unwrap(), "level").unwrap();
    assert_eq!(
        (field.floors, field.cropped),
        (120 * 120, 40_000 - 120 * 120)
    );
    // Who stands too far from all of it.
    let far = edited(|parts| parts.strats[0].at = [1000 << 12, 0, 1000 << 12]);
    let error = bridge::world(&Level::parse(&far).unwrap(), "level")
        .err()
        .unwrap();
    assert!(
        error.contains("too far from any floor: none of 1562 "),
        "{error}"
    );
}

#[test]
fn heights_for_which_there_is_no_record_are_counted() {
    // Each of 61 heights as often as the others, but for five: 16 of them are tiers.
    let data = plain(96, [48; 2], |col, row| ((row * 96 + col) % 61) as i32);
    let field = bridge::field(&Level::parse(&data).unwrap()).unwrap();
    let tiers = 5 * 152 + 11 * 151;
    let records = (0x2000 - 0x12 - 8) / 4;
    assert_eq!((field.floors, field.records), (96 * 96, records));
    assert_eq!(field.rounded, 96 * 96 - tiers - records);
    assert_eq!((field.cropped, field.clamped), (0, 0));
}

#[test]
fn heights_that_no_record_reaches_are_counted() {
    // Sixteen tiers; a tower of 31 cells is as high as a record goes, one of 200 is not.
    let (low, high) = ([10, 10], [20, 20]);
    let data = plain(30, [2; 2], |col, row| match [col, row] {
        it if it == low => 4 * 31,
        it if it == high => 4 * 200,
        _ => (col % 16) as i32,
    });
    let field = bridge::field(&Level::parse(&data).unwrap()).unwrap();
    assert_eq!((field.floors, field.rounded, field.clamped), (900, 1, 0));
    let map = Map::parse(&field.map).unwrap();
    let ground = Ground::new(map, Triggers::EMPTY, &field.heights);
    let floor = |[col, row]: [i32; 2]| ground.floor(col * 128 + 192, row * 128 + 192);
    let tower = floor(low.map(|it| it as i32));
    assert!((tower + 31 * 128 + 32).abs() <= 8, "{tower}");
    let cut = floor(high.map(|it| it as i32));
    assert!(cut > -1000, "the tier is nearest: {cut}");
}

#[test]
fn whoever_the_player_is_begins_there() {
    let names = [("Llama", "Lamas"), ("CutSceneTrigger", "LlamaChase")];
    let data = renamed(sample::wad(), &names);
    let field = bridge::field(&Level::parse(&data).unwrap()).unwrap();
    assert_eq!(field.player, [31 * 128 + 64; 2]);
    // Without any, where the first object is.
    let data = renamed(sample::wad(), &names[..1]);
    let field = bridge::field(&Level::parse(&data).unwrap()).unwrap();
    assert_eq!(field.player, [4 * 128 + 64, 21 * 128 + 64]);
}
