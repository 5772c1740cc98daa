//! Section K, sweeps: what places objects, and what frees them.

use super::common::{field, ground, person, script, tile, with_triggers};
use overworld_runtime::field::Field;
use overworld_runtime::field::actor::{ACTORS, Actor, Draw, Partner, Pool, flag};
use overworld_runtime::field::ground::NO_HEIGHTS;
use overworld_runtime::field::map::trigger::{Script, Source};
use overworld_runtime::field::map::{Cell, Collision, Map, MapMut, Object};
use overworld_runtime::field::spawn::{Bind, Swept, WindowGates, init_sweep, window_sweep};

/// The map of K9 and K10.
fn sweep_map(scripts: &[Script]) -> Vec<u8> {
    let mut data = with_triggers(&Source {
        scripts,
        ..Source::default()
    });
    let mut map = MapMut::parse(&mut data).unwrap();
    let object = |flags, offset, anchor| Object {
        flags,
        offset,
        anchor,
        ..Object::default()
    };
    map.set_object(
        5,
        &Object {
            rotation: [1, 0x400, 3],
            mesh: 7,
            cull: 2,
            ..object(4, [0, 7, 0], [0, 0])
        },
    );
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
    data
}

fn lut() -> [i16; 16] {
    std::array::from_fn(|tier| -16 * tier as i16)
}

#[test]
fn k9_the_first_sweep() {
    let heights = lut();
    let sweep_of = |data: &[u8], bind: fn(u8) -> Option<Bind>| {
        let map = Map::parse(data).unwrap();
        let mut actors = Pool::new();
        let swept = init_sweep(&map, &ground(data, &heights), &mut actors, bind);
        let found: Vec<Actor> = actors.iter().map(|(_, actor)| *actor).collect();
        (swept, found)
    };
    let sweep = |scripts: &[Script], bind| sweep_of(&sweep_map(scripts), bind);
    let some = |record| {
        Some(Bind {
            animation: record + 1,
        })
    };
    assert_eq!(sweep(&[], some).1, []);
    // On the anchors, not on the objects' own tiles; the gate does not matter. Record 7 has no anchor, and record 8
    // is not placed, whatever stands on their tiles.
    let both = [
        script([3, 4], 12, 0),
        script([41, 40], 13, 1),
        script([40, 40], 14, 0),
        script([0, 9], 15, 0),
        script([5, 5], 16, 0),
    ];
    let (swept, found) = sweep(&both, some);
    assert_eq!((swept.spawned, swept.unbound, swept.refused), (2, 0, 0));
    let [first, second] = found[..] else {
        panic!("{found:?}")
    };
    assert_eq!((first.x, first.y, first.z), (448, -48 + 7, 576));
    assert_eq!((first.script, first.animation), (12, 13));
    assert_eq!(
        (first.object, first.mesh, first.rotation),
        (5, 12, [1, 0x400, 3])
    );
    assert_eq!((first.flags, first.render, first.cull), (0, 0x4000_0000, 2));
    assert_eq!((first.mode, first.rate, first.cursor), (0x15, 8, 0));
    // An animation poses its object, whatever the record says of drawing.
    assert_eq!((first.draw, second.draw), (Draw::Posed, Draw::Posed));
    assert!(!first.of_window);
    assert_eq!(
        (second.x, second.z, second.footprint),
        (5174, 5164, [128, 0])
    );
    assert_eq!((second.flags, second.render), (flag::RECORD, 0x1000_0000));
    assert_eq!((second.script, second.animation), (13, 14));
    // Nothing else kept those two away: an anchor on the grid, and the bit that places.
    let mut data = sweep_map(&both);
    let mut map = MapMut::parse(&mut data).unwrap();
    let [seven, eight] = [7, 8].map(|index| map.map().object(index));
    map.set_object(
        7,
        &Object {
            anchor: [0, 0],
            ..seven
        },
    );
    map.set_object(
        8,
        &Object {
            flags: eight.flags | 4,
            ..eight
        },
    );
    let (swept, found) = sweep_of(&data, some);
    assert_eq!(swept.spawned, 4);
    let mut scripts: Vec<_> = found.iter().map(|it| it.script).collect();
    scripts.sort_unstable();
    assert_eq!(scripts, [12, 13, 15, 16]);
    // A record that is not there leaves its object unbound.
    let (swept, found) = sweep(&both, |record| {
        (record == 13).then_some(Bind { animation: 0 })
    });
    assert_eq!((swept.spawned, swept.unbound), (2, 1));
    assert_eq!(found[0].script, Actor::NO_SCRIPT);
    assert_eq!((found[1].script, found[1].animation), (13, 0));
    assert_eq!(found[1].draw, Draw::Rigid);
}

#[test]
fn k10_and_k11_the_window_sweep() {
    let data = sweep_map(&[]);
    let heights = lut();
    let map = Map::parse(&data).unwrap();
    let ground = ground(&data, &heights);
    let sweep = |bounds| {
        let mut actors = Pool::new();
        let swept = window_sweep(&map, &ground, bounds, &mut actors);
        let found: Vec<Actor> = actors.iter().map(|(_, actor)| *actor).collect();
        assert_eq!(usize::from(swept.spawned), found.len());
        found
    };
    let found = sweep([0, 0, 127, 127]);
    let [only] = found[..] else {
        panic!("{found:?}")
    };
    assert_eq!((only.x, only.y, only.z), (448, -41, 576), "K10");
    assert_eq!((only.script, only.animation), (Actor::NO_SCRIPT, 0), "K10");
    assert_eq!(
        (only.draw, only.draw as u8),
        (Draw::None, 0),
        "K10: template kind"
    );
    assert!(only.of_window);
    assert_eq!(sweep([3, 4, 3, 4]), [], "K11");
    assert_eq!(sweep([10, 10, 0, 0]), [], "K11");
    assert_eq!(sweep([3, 4, 4, 5]).len(), 1);
    assert_eq!(sweep([0, 0, 3, 127]), []);
    assert_eq!(sweep([200, 200, 255, 255]), []);
}

#[test]
fn what_the_pool_has_no_room_for_is_counted() {
    let mut data = sweep_map(&[]);
    let mut map = MapMut::parse(&mut data).unwrap();
    for col in 0..100 {
        map.set_cell(tile(col, 60), Cell(5));
    }
    let map = Map::parse(&data).unwrap();
    let mut actors = Pool::new();
    let ground = ground(&data, &NO_HEIGHTS);
    let swept = window_sweep(&map, &ground, [0, 60, 127, 61], &mut actors);
    let expected = Swept {
        spawned: ACTORS as u16,
        refused: 100 - ACTORS as u16,
        ..Swept::default()
    };
    assert_eq!(swept, expected);
}

/// Section 12.1: the kind of the window's template follows flag 2 of the record.
#[test]
fn what_is_drawn_is_drawn_as_a_whole() {
    let mut data = sweep_map(&[]);
    let mut map = MapMut::parse(&mut data).unwrap();
    map.set_object(
        9,
        &Object {
            flags: 4 | 2,
            ..Object::default()
        },
    );
    map.set_cell(tile(60, 60), Cell(9));
    let map = Map::parse(&data).unwrap();
    let mut actors = Pool::new();
    window_sweep(
        &map,
        &ground(&data, &NO_HEIGHTS),
        [60, 60, 61, 61],
        &mut actors,
    );
    let (_, found) = actors.iter().next().unwrap();
    assert_eq!((found.draw, found.draw as u8), (Draw::Rigid, 5));
}

/// A row of objects on tiles (10, 60) to (19, 60), the window's.
fn street() -> Vec<u8> {
    let mut data = sweep_map(&[]);
    let mut map = MapMut::parse(&mut data).unwrap();
    for col in 10..20 {
        map.set_cell(tile(col, 60), Cell(5));
    }
    data
}

fn columns(field: &Field) -> Vec<i16> {
    let objects = field.actors.iter().filter(|(_, it)| it.of_window);
    objects.map(|(_, it)| it.x >> 7).collect()
}

/// Section 12.1: a rebuilt window frees whom the former one placed, and nobody else.
#[test]
fn who_has_left_the_window_is_freed() {
    let data = street();
    let map = Map::parse(&data).unwrap();
    let ground = ground(&data, &NO_HEIGHTS);
    let mut field = field(1300, 7600);
    let other = field.actors.spawn(person(5000, 5000)).unwrap();
    let rebuild = |field: &mut Field, bounds, gates| {
        let mut gone = Vec::new();
        let swept = field.rebuild_window(&map, &ground, bounds, gates, |_, it| gone.push(*it));
        assert_eq!(usize::from(swept.left), gone.len());
        (swept.spawned, gone)
    };
    let open = WindowGates::OPEN;
    assert_eq!(rebuild(&mut field, [10, 60, 14, 61], open), (4, vec![]));
    assert_eq!(columns(&field), [10, 11, 12, 13]);
    // One is engaged, linked and owns a mesh.
    let (id, _) = field.actors.iter().find(|(_, it)| it.x >> 7 == 11).unwrap();
    let engaged = field.actors.get_mut(id).unwrap();
    engaged.flags |= flag::ENGAGED | flag::OWNS_MESH;
    engaged.touches = 1;
    field.player.partner = Partner::Actor(id);
    field.player.flags |= flag::LOCKED;
    let (spawned, gone) = rebuild(&mut field, [12, 60, 17, 61], open);
    assert_eq!((spawned, gone.len()), (5, 4));
    let meshes = gone.iter().filter(|it| it.has(flag::OWNS_MESH));
    assert_eq!(meshes.count(), 1, "whose buffer is to be freed");
    assert_eq!(columns(&field), [12, 13, 14, 15, 16]);
    assert_eq!(
        (field.player.flags, field.player.partner),
        (0, Partner::None)
    );
    assert_eq!(field.actors.get(other), Some(&person(5000, 5000)));
    // An empty or inverted box leaves nobody.
    let (spawned, gone) = rebuild(&mut field, [17, 60, 12, 61], open);
    assert_eq!((spawned, gone.len(), columns(&field)), (0, 5, vec![]));
}

/// Its two gates leave everything as it is.
#[test]
fn a_gate_keeps_the_window() {
    let data = street();
    let map = Map::parse(&data).unwrap();
    let ground = ground(&data, &NO_HEIGHTS);
    let mut field = field(1300, 7600);
    let first = WindowGates::OPEN;
    field.rebuild_window(&map, &ground, [10, 60, 12, 61], first, |_, _| {});
    for (debug, entering) in [(true, false), (false, true), (true, true)] {
        let gates = WindowGates { debug, entering };
        let swept = field.rebuild_window(&map, &ground, [14, 60, 17, 61], gates, |_, _| {
            panic!("nobody leaves")
        });
        assert_eq!(swept, Swept::default());
        assert_eq!(columns(&field), [10, 11]);
    }
}
