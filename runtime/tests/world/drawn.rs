//! What is drawn of a map: floor and walls, and nothing where nothing is (field sheet, sections 3.3 and 4.1).

use crate::common::{Plan, Play};
use overworld_runtime::field::map::{Map, Object, Tile, flag};
use overworld_runtime::field::units::Point;
use overworld_runtime::gpu::DisplayList;
use overworld_runtime::gte::software::Gte;
use overworld_runtime::platform::NoScreen;
use overworld_runtime::scene::world::Meshes;

/// Flat quads of a frame: those of the floor, which are green, and those of walls.
fn quads(play: &Play) -> [usize; 2] {
    const BUCKETS: usize = 512;
    let mut words = vec![0; 16_384];
    let mut list = DisplayList::new(&mut words, BUCKETS);
    list.begin(&mut NoScreen);
    let composed = play
        .world
        .compose(&mut Gte::new(), &mut list, &Meshes::default());
    composed.unwrap();
    let used = list.words().len() - list.free();
    let mut packets = &list.words()[BUCKETS..used];
    let mut found = [0; 2];
    while let Some((tag, rest)) = packets.split_first() {
        let (packet, behind) = rest.split_at(*tag as usize >> 24);
        if packet[0] >> 24 == 0x28 {
            let [red, green, ..] = packet[0].to_le_bytes();
            found[usize::from(red > green)] += 1;
        }
        packets = behind;
    }
    found
}

#[test]
fn nothing_is_drawn_where_nothing_is() {
    // A tile beside the player, whose walls stand a row further on.
    let (tile, walls) = ([21, 21], [[21, 22]]);
    let with = |walls: &[[u8; 2]], object: Option<Object>| {
        let placed: Vec<_> = object.iter().map(|it| (4, tile, *it)).collect();
        let plan = Plan {
            walls,
            placed: &placed,
            ..Plan::default()
        };
        let play = plan.play();
        let map = plan.map();
        let is_void = Map::parse(&map)
            .unwrap()
            .is_void(Tile::new(21, 21).unwrap());
        (quads(&play), is_void)
    };
    let ([floor, none], _) = with(&[], None);
    assert!(floor > 100 && none == 0, "{floor} {none}");
    // A block: its top and the sides that look to the camera, two at most, and the floor under it.
    let ([under, block], is_void) = with(&walls, None);
    assert!(
        under == floor && (2..4).contains(&block) && !is_void,
        "{block}"
    );
    let nothing = Object::default();
    assert_eq!(with(&walls, Some(nothing)), ([floor - 1, 0], true));
    // An open tile is drawn, whatever its cell names; and so is what is ground, drawn or placed.
    assert_eq!(with(&[], Some(nothing)), ([floor, 0], false));
    let ([under, other], is_void) = with(&[tile], Some(nothing));
    assert!(
        under == floor && (2..4).contains(&other) && !is_void,
        "{other}"
    );
    for flags in [flag::GROUND, flag::DRAWN, flag::PLACED] {
        let something = Object {
            flags,
            palette: 1,
            mesh: 7,
            ..Object::default()
        };
        assert_eq!(
            with(&walls, Some(something)),
            ([floor, block], false),
            "{flags:#x}"
        );
    }
    // Ground whose countdown is over is none any more.
    let over = Object {
        flags: flag::GROUND,
        ..Object::default()
    };
    assert_eq!(with(&walls, Some(over)).0, [floor - 1, 0]);
}

/// Blocks in a row have their edges in common whatever the floor under them does: between them no side is drawn, and
/// nothing is seen.
#[test]
fn walls_over_uneven_ground_have_no_steps() {
    let row: Vec<_> = (18..25).map(|col| [col, 22]).collect();
    let over = |tiers: &[([u8; 2], u8)]| {
        let plan = Plan {
            walls: &row,
            tiers,
            floor: core::array::from_fn(|tier| 8 * tier as i16),
            ..Plan::default()
        };
        quads(&plan.play())[1]
    };
    let flat = over(&[]);
    // Seven tops and their sides toward the camera, which stands between the ends.
    assert_eq!(flat, 14);
    // In the row of corners before the walls' bytes.
    let hills: Vec<_> = (18..26).map(|col| ([col, 21], col * 5 % 8)).collect();
    assert_eq!(over(&hills), flat);
}

/// Three quarters of a tile that are walls are drawn, and the floor beside them.
#[test]
fn a_corner_that_is_open_is_something() {
    let mut bytes = Plan::default().map();
    let at = Tile::new(21, 21).unwrap();
    let [cell, row] = [21, 22].map(|row| 128 * row + 21);
    bytes[0x8000 + 2 * cell] = 4;
    for walls in 0..16 {
        bytes[0x4000 + row] = walls << 4 | 5;
        let map = Map::parse(&bytes).unwrap();
        assert_eq!(map.is_void(at), walls == 15, "{walls:x}");
    }
    // The walls of the last row stand in the first one.
    let last = Tile::new(3, 127).unwrap();
    bytes[0x8000 + 2 * (128 * 127 + 3)] = 4;
    bytes[0x4000 + 3] = 0xF0;
    assert!(Map::parse(&bytes).unwrap().is_void(last));
}

/// The last row's tiles, whose walls stand in the first one.
#[test]
fn nothing_is_drawn_at_the_end_of_the_map() {
    let start = Point::new(21 * 128 + 64, 124 * 128 + 64);
    let with = |object: Option<Object>| {
        let placed: Vec<_> = object.iter().map(|it| (4, [21, 127], *it)).collect();
        let plan = Plan {
            walls: &[[21, 0]],
            placed: &placed,
            ..Plan::default()
        };
        quads(&plan.play_from(start))
    };
    let [floor, walls] = with(None);
    assert!(floor > 50, "{floor}");
    assert_eq!(with(Some(Object::default())), [floor - 1, walls]);
}

/// Views from beside the field, too, in which rows of it are empty or turned round.
#[test]
fn a_view_may_stand_anywhere() {
    for depth in [-32_768, -20_000, -5000, -3000, -1, 0, 9000, 32_767] {
        let entry = format!("zone.depth 0, 0, 127, 127, {depth}, {depth}\nidle: nop.f\njmp idle");
        let plan = Plan {
            entry: &entry,
            walls: &[[21, 22]],
            ..Plan::default()
        };
        let mut play = plan.play();
        play.frames(0, 2);
        assert_eq!(
            i32::from(play.world.camera().eye.z as i16),
            depth,
            "it is seen from there"
        );
        quads(&play);
    }
}
