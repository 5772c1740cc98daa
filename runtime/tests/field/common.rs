//! Maps made by hand.

use overworld_runtime::field::actor::{Actor, Pool, flag};
use overworld_runtime::field::contact::Contacts;
use overworld_runtime::field::map::trigger::{Script, Source};
use overworld_runtime::field::map::{Collision, MapMut, SIZE, Tile, Triggers};
use overworld_runtime::field::units::Point;
use overworld_runtime::field::wall::WallBit;
use overworld_runtime::field::{Field, Ground, Input};

/// A map whose grids are zero, without triggers.
pub fn empty() -> Vec<u8> {
    with_triggers(&Source::default())
}

/// A map whose grids are zero.
pub fn with_triggers(triggers: &Source<'_>) -> Vec<u8> {
    let mut data = vec![0; SIZE];
    MapMut::create(&mut data, triggers).unwrap();
    data
}

/// All walls of these columns and rows.
pub fn walled(
    columns: impl Iterator<Item = u8> + Clone,
    rows: impl Iterator<Item = u8>,
) -> Vec<u8> {
    let mut data = empty();
    for row in rows {
        for col in columns.clone() {
            data[0x4000 + usize::from(row) * 0x80 + usize::from(col)] = 0xF0;
        }
    }
    data
}

/// Column 13 all wall.
pub fn column_13() -> Vec<u8> {
    walled(13..14, 0..128)
}

/// Row 20 all wall.
pub fn row_20() -> Vec<u8> {
    walled(0..128, 20..21)
}

/// Make the sub-cell of each point a wall.
pub fn wall_points(data: &mut [u8], points: impl Iterator<Item = (i32, i32)>) {
    let mut map = MapMut::parse(data).unwrap();
    for (x, z) in points {
        let WallBit { tile, bit } = WallBit::of(x, z).unwrap();
        let Collision(byte) = map.map().collision(tile);
        map.set_collision(tile, Collision(byte | 0x10 << bit));
    }
}

/// The ground of a map, without a fallback block.
pub fn ground<'a>(data: &'a [u8], heights: &'a [i16; 16]) -> Ground<'a> {
    let map = overworld_runtime::field::map::Map::parse(data).unwrap();
    Ground::new(map, Triggers::EMPTY, heights)
}

/// Sixteen heights, of which these are not zero.
pub fn heights<const N: usize>(tiers: [(usize, i16); N]) -> [i16; 16] {
    let mut heights = [0; 16];
    for (tier, height) in tiers {
        heights[tier] = height;
    }
    heights
}

pub fn tile(col: u8, row: u8) -> Tile {
    Tile::new(col, row).unwrap()
}

/// An actor here with these flags.
pub fn actor(x: i16, z: i16, flags: u32) -> Actor {
    Actor {
        x,
        z,
        flags,
        ..Actor::NEW
    }
}

/// A walking person.
pub fn person(x: i16, z: i16) -> Actor {
    actor(x, z, flag::MOVING)
}

/// A pool of these.
pub fn pool(actors: &[Actor]) -> Pool {
    let mut pool = Pool::new();
    for &actor in actors {
        pool.spawn(actor).unwrap();
    }
    pool
}

/// All that a player here can meet.
pub fn contacts(player: Point, actors: &Pool) -> Contacts {
    let mut contacts = Contacts::new();
    contacts.gather(player, 0, flag::EXEMPT, actors);
    contacts
}

/// A field with the player here, on flat ground.
pub fn field(x: i16, z: i16) -> Field {
    Field::new(actor(x, z, 0))
}

/// A map with these triggers, refreshed.
pub fn refreshed(source: &Source<'_>) -> Vec<u8> {
    let mut data = with_triggers(source);
    MapMut::parse(&mut data).unwrap().refresh();
    data
}

pub fn script(at: [u8; 2], record: u8, gate: u8) -> Script {
    Script {
        tile: at,
        record,
        gate,
    }
}

/// A frame of two vertical blanks with these held.
pub fn hold(held: u16) -> Input {
    Input {
        held,
        scalar: 2,
        ..Input::default()
    }
}
