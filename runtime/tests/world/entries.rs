//! An entry depends on nothing but what outlives a scene.

use crate::hostile::{Scene, Slow, files, scene};
use overworld_runtime::anim::legaia::Banks;
use overworld_runtime::field::map::trigger::{Elevation, Source};
use overworld_runtime::field::map::{Cell, Map, MapMut, SIZE, Tile, Triggers};
use overworld_runtime::field::units::Point;
use overworld_runtime::scene::man::Man;
use overworld_runtime::scene::world::{Arrival, Scenery, Soil, World};
use proptest::prelude::*;

/// Whatever has happened in a scene: whoever enters it again, its map read anew, and another world that takes over
/// what outlives it are equal, and go on equally.
fn again(scene: &Scene) -> Result<(), TestCaseError> {
    let [man, map] = files(scene);
    let man = Man::parse_lenient(&man).ok();
    let mut maps = [map.clone(), map.clone()];
    let [first, second] = &mut maps;
    let world = |map| {
        Box::new(World::<8>::new(Scenery {
            map: Soil::Map(MapMut::parse(map).unwrap()),
            patch: Triggers::EMPTY,
            man,
            banks: Banks::default(),
            overworld: scene.overworld,
        }))
    };
    let [mut here, mut there] = [world(first), world(second)];
    let mut game = Slow::new(0);
    let [x, z] = scene.at;
    let arrival = Arrival::Warp {
        at: Point::new(x, z),
        heading: 0x200,
    };
    let log: Vec<u16> = scene
        .legs
        .iter()
        .flat_map(|leg| &leg.log)
        .flat_map(|&(held, frames)| (0..frames).map(move |_| held))
        .take(60)
        .collect();
    here.settings.scalar = scene.legs.first().map_or(1, |it| it.scalar);
    here.enter(arrival, &mut game);
    for &held in &log {
        here.frame(held, &mut game);
    }
    // As old as the other: the frames of a world that was never entered.
    for _ in 0..here.ticks() {
        there.frame(0, &mut game);
    }
    prop_assume!(there.ticks() == here.ticks());
    let mut there = Box::new(there.with(&here.leave()));
    here.restore_map(&Map::parse(&map).unwrap());
    there.restore_map(&Map::parse(&map).unwrap());
    let entered = [&mut here, &mut there].map(|it| {
        let mut entered = it.enter(arrival, &mut game);
        // Told once for each world.
        entered.no_heights = None;
        entered
    });
    prop_assert_eq!(entered[0], entered[1]);
    prop_assert_eq!(here.state_hash(), there.state_hash());
    for held in log {
        let told = [&mut here, &mut there].map(|it| it.frame(held, &mut game));
        prop_assert_eq!(told[0], told[1]);
        prop_assert_eq!(here.state_hash(), there.state_hash());
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 40 } else { 1000 }))]

    #[test]
    fn an_entry_forgets(scene in scene()) {
        again(&scene)?;
    }
}

/// The floor of a scene is that of its map's records and of those behind it, and after a map was taken over, that of the
/// new one's.
#[test]
fn a_map_that_is_taken_over_brings_its_elevation_records() {
    let raised = |col, coarse| {
        let elevations = [Elevation {
            tile: [col, 20],
            coarse,
            quads: 0,
        }];
        let mut data = vec![0; SIZE];
        let source = Source {
            elevations: &elevations,
            ..Source::default()
        };
        let mut map = MapMut::create(&mut data, &source).unwrap();
        for col in [10, 11, 12] {
            map.set_cell(Tile::new(col, 20).unwrap(), Cell(Cell::ELEVATION));
        }
        let block = data[0x1_0000..0x1_0800].to_vec();
        (data, block)
    };
    let ((mut own, _), (other, _), (_, behind)) = (raised(10, 1), raised(11, 2), raised(12, 3));
    let mut world = Box::new(World::<8>::new(Scenery {
        map: Soil::Map(MapMut::parse(&mut own).unwrap()),
        patch: Triggers::lenient(&behind),
        man: None,
        banks: Banks::default(),
        overworld: false,
    }));
    let floors =
        |world: &World<'_, 8>| [10, 11, 12].map(|col| world.ground().floor(col << 7, 20 << 7));
    assert_eq!(floors(&world), [-32, 0, -96]);
    world.restore_map(&Map::parse(&other).unwrap());
    assert_eq!(floors(&world), [0, -64, -96]);
}
