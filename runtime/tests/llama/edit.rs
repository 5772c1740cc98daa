//! Edits: what a level maker does, and that nothing else changes.

use overworld_runtime::llama::map::{Alternative, Block, Error, MOST_SLOTS, SLOTS, Strat, edit};
use overworld_runtime::llama::{Float, Map, Models};

use super::fixtures::*;

/// Apply an edit to a chunk.
fn edited(
    data: &[u8],
    edit: impl FnOnce(&Map<'_>, &mut [u8]) -> Result<usize, Error>,
) -> Result<Vec<u8>, Error> {
    let map = read(data, FULL);
    let mut out = vec![0xEE; data.len() + 500];
    let len = edit(&map, &mut out)?;
    assert!(out[len..].iter().all(|&it| it == 0xEE));
    out.truncate(len);
    let map = Map::parse(&out, FULL, Models::Table(&NV))?;
    map.verify(None)?;
    assert_eq!(rebuild(&map), out);
    Ok(out)
}

#[test]
fn a_tile_is_added_and_deleted_again() {
    let data = full();
    let new = tile(1.5, 2.0, -1.5, 2048, 1, 0);
    let colours = hex("01 01 01 00 02 02 02 00 03 03 03 00");
    let more = edited(&data, |map, out| {
        edit::add_tile(map, &new, None, &colours, out)
    })
    .unwrap();
    let map = read(&more, FULL);
    assert_eq!(map.tiles().iter().collect::<Vec<_>>()[3], new);
    assert_eq!(map.fixed().get(3).unwrap().at, [6144, 8192, 6144]);
    assert_eq!(map.numbers().get(3), Some(1));
    assert_eq!(map.colours().last().unwrap().base.data, colours);
    assert_eq!(
        map.block(Block::Strats),
        read(&data, FULL).block(Block::Strats)
    );
    let less = edited(&more, |map, out| edit::delete_tile(map, 3, out)).unwrap();
    assert_eq!(less, data);
}

#[test]
fn a_tile_comes_with_its_alternative() {
    let data = full();
    let new = tile(1.5, 2.0, -1.5, 2048, 0, 0);
    let other = Alternative {
        at: [1, 2, 1],
        normal: 0,
        model: 1,
    };
    // Two frames of two vertices, carried over to three vertices.
    let colours = [[1, 1, 1, 2]; 2 + 2 + 3 + 3].concat();
    let add = |colours: &[u8]| {
        edited(&data, |map, out| {
            edit::add_tile(map, &new, Some(&other), colours, out)
        })
    };
    let more = add(&colours).unwrap();
    let map = read(&more, FULL);
    assert_eq!(map.tiles().get(3).unwrap().alternative, 1);
    assert_eq!(map.alternatives().get(1), Some(other));
    let error = Error::ColourLength { len: 28, need: 40 };
    assert_eq!(add(&colours[..28]), Err(error));
    assert_eq!(add(&[]), Err(Error::ColourLength { len: 0, need: 20 }));
    let less = edited(&more, |map, out| edit::delete_tile(map, 3, out)).unwrap();
    assert_eq!(less, data);
    // The one in the middle, with the first alternative.
    let less = edited(&more, |map, out| edit::delete_tile(map, 1, out)).unwrap();
    let map = read(&less, FULL);
    assert_eq!(map.alternatives().iter().collect::<Vec<_>>(), [other]);
    assert_eq!(map.tiles().len(), 3);
    let last = map.colours().last().unwrap();
    assert_eq!(last.bytes(), 40);
    let owned = tile(0.5, 0.0, -0.5, 0, 0, 1);
    let none = edited(&data, |map, out| {
        edit::add_tile(map, &owned, None, &[0; 8], out)
    });
    let error = Error::AltCount {
        count: 0,
        tiles: 1,
        offset: None,
    };
    assert_eq!(none, Err(error));
}

#[test]
fn tiles_stay_in_the_grid() {
    let data = full();
    let add = |x, z, model| {
        let new = tile(x, 0.0, z, 0, model, 0);
        edited(&data, |map, out| {
            edit::add_tile(map, &new, None, &[0; 8], out)
        })
    };
    assert!(add(0.5, -0.5, 0).is_ok());
    assert!(matches!(
        add(2.5, -0.5, 0),
        Err(Error::TileOutsideGrid {
            tile: 3,
            col: 2,
            row: 0
        })
    ));
    assert_eq!(add(0.4, 0.4, 0), Err(Error::TilePosition { tile: 3 }));
    assert!(matches!(add(0.5, -0.5, 2), Err(Error::ModelIndex { .. })));
    let at = [1.5, 0.5, -1.5].map(|it: f32| Float(it.to_bits()));
    let moved = edited(&data, |map, out| edit::move_tile(map, 0, at, 3072, out)).unwrap();
    let map = read(&moved, FULL);
    assert_eq!(
        (
            map.tiles().get(0).unwrap().at,
            map.fixed().get(0).unwrap().at
        ),
        (at, [6144, 2048, 6144])
    );
    let far = [9.5, 0.5, -1.5].map(|it: f32| Float(it.to_bits()));
    let moved = edited(&data, |map, out| edit::move_tile(map, 0, far, 0, out));
    assert!(matches!(moved, Err(Error::TileOutsideGrid { tile: 0, .. })));
    for index in [3, u32::MAX] {
        let block = Block::Tiles;
        let none = Err(Error::NoSuchRecord { block, index });
        assert_eq!(
            edited(&data, |map, out| edit::delete_tile(map, index, out)),
            none
        );
        assert_eq!(
            edited(&data, |map, out| edit::move_tile(map, index, at, 0, out)),
            none
        );
    }
}

#[test]
fn strats_come_with_parameters_and_slots() {
    let data = full();
    let new = Strat {
        at: [1, 2, 3],
        waypoint: 1,
        ..strats()[0]
    };
    let more = edited(&data, |map, out| edit::add_strat(map, &new, &[7, 8], out)).unwrap();
    let map = read(&more, FULL);
    let added = map.strats().get(2).unwrap();
    assert_eq!((added.parameters, added.pool, added.at), (2, 2, [1, 2, 3]));
    assert_eq!(map.pool().iter().collect::<Vec<_>>()[2..], [7, 8]);
    assert_eq!(map.pool_extra(), 11);
    let plain = edited(&more, |map, out| edit::add_strat(map, &new, &[], out)).unwrap();
    let map = read(&plain, FULL);
    let added = map.strats().get(3).unwrap();
    assert_eq!((added.parameters, added.pool, map.pool().len()), (0, -1, 4));
    let less = edited(&plain, |map, out| edit::delete_strat(map, 3, out)).unwrap();
    let less = edited(&less, |map, out| edit::raise_pool(map, 4, out)).unwrap();
    let map = read(&less, FULL);
    assert_eq!((map.strats().len(), map.pool_extra()), (3, 16));
    let wrong = Strat { waypoint: 3, ..new };
    let error = Error::WaypointIndex {
        strat: 2,
        waypoint: 3,
    };
    assert_eq!(
        edited(&data, |map, out| edit::add_strat(map, &wrong, &[], out)),
        Err(error)
    );
    // As many slots as their bytes' 32 bits count, of which one strat is created at the start, and one more.
    let room = MOST_SLOTS as u32 - SLOTS - 10;
    let most = edited(&data, |map, out| edit::raise_pool(map, room, out)).unwrap();
    assert_eq!(read(&most, FULL).slots(), MOST_SLOTS);
    for (by, slots) in [
        (room + 1, MOST_SLOTS + 1),
        (u32::MAX - 10, (1 << 32) + 29),
        (u32::MAX - 9, (1 << 32) + 30),
        (u32::MAX, (1 << 32) + 39),
    ] {
        let over = edited(&data, |map, out| edit::raise_pool(map, by, out));
        assert_eq!(over, Err(Error::PoolTooSmall { slots, created: 1 }), "{by}");
    }
    let slots = MOST_SLOTS + 1;
    let over = edited(&most, |map, out| edit::add_strat(map, &new, &[], out));
    assert_eq!(over, Err(Error::PoolTooSmall { slots, created: 1 }));
    let moved = edited(&data, |map, out| {
        edit::move_strat(map, 1, [9, 8, 7], [0, 5, 0], out)
    })
    .unwrap();
    let it = read(&moved, FULL).strats().get(1).unwrap();
    assert_eq!(
        (it.at, it.angles, it.ty),
        ([9, 8, 7], [0, 5, 0], strats()[1].ty)
    );
    let gone = edited(&data, |map, out| edit::delete_strat(map, 2, out));
    assert!(matches!(
        gone,
        Err(Error::NoSuchRecord {
            block: Block::Strats,
            index: 2
        })
    ));
}

#[test]
fn parameters_are_changed_in_place_unless_they_are_shared() {
    let data = full();
    let set = |data: &[u8], parameters: &[u32]| {
        edited(data, |map, out| {
            edit::set_parameters(map, 1, parameters, out)
        })
        .unwrap()
    };
    let place = set(&data, &[5, 6]);
    assert_eq!(place.len(), data.len());
    assert_eq!(read(&place, FULL).pool().iter().collect::<Vec<_>>(), [5, 6]);
    let more = set(&data, &[5, 6, 7]);
    let map = read(&more, FULL);
    assert_eq!(
        map.pool().iter().collect::<Vec<_>>(),
        [0x1000, 0xFFFF_F000, 5, 6, 7]
    );
    assert_eq!(map.strats().get(1).unwrap().pool, 2);
    let none = set(&data, &[]);
    let it = read(&none, FULL).strats().get(1).unwrap();
    assert_eq!((it.pool, it.parameters), (-1, 0));
    // Strat 0 takes the second of the two as well.
    let mut shared = data.clone();
    let at = 0x2DC + 8 + 22;
    shared[at..at + 8].copy_from_slice(&hex("01 00 00 00 01 00 00 00"));
    let apart = set(&shared, &[5, 6]);
    let map = read(&apart, FULL);
    assert_eq!(
        map.pool().iter().collect::<Vec<_>>(),
        [0x1000, 0xFFFF_F000, 5, 6]
    );
}

#[test]
fn no_room_is_an_error() {
    let data = full();
    let map = read(&data, FULL);
    for room in 0..data.len() {
        let error = edit::raise_pool(&map, 1, &mut vec![0; room]);
        assert_eq!(error, Err(Error::OutputTooSmall { room }));
    }
}
