//! Who stands before a wall is seen whole, and who stands behind one is not seen through it.

#[path = "common/town.rs"]
mod common;

use common::town;
use overworld_host::gpu::Gpu;
use overworld_runtime::field::Actor;
use overworld_runtime::field::actor::flag;
use overworld_runtime::gpu::DisplayList;
use overworld_runtime::gte::software::Gte;
use overworld_runtime::platform::Screen;
use overworld_runtime::scene::walk::{Play, Walk};

/// The pixels of the picture with the player, and without.
fn seen(walk: &mut Walk<'_>, gpu: &mut Gpu) -> [Vec<[u8; 3]>; 2] {
    let speed = walk.world().field.player.speed;
    let pictures = [speed, 0].map(|speed| {
        // Who has no speed is not drawn.
        walk.world_mut().field.player.speed = speed;
        let mut words = vec![0; 1 << 16];
        let mut list = DisplayList::new(&mut words, 1024);
        list.begin(gpu);
        walk.compose(&mut Gte::new(), &mut list).unwrap();
        list.draw(gpu).unwrap();
        gpu.present().unwrap();
        let pixels = gpu.displayed().rgb;
        pixels.chunks(3).map(|it| [it[0], it[1], it[2]]).collect()
    });
    walk.world_mut().field.player.speed = speed;
    pictures
}

/// How many pixels of the player are seen here, and how many of them where without the player a wall is.
fn count(walk: &mut Walk<'_>, gpu: &mut Gpu, [x, z]: [i16; 2], heading: u16) -> [usize; 2] {
    let player = &mut walk.world_mut().field.player;
    (player.x, player.z) = (x, z);
    player.set_heading(heading);
    walk.tick(0);
    let player = &walk.world().field.player;
    assert_eq!((player.x, player.z, player.y), (x, z, 0));
    let [with, without] = seen(walk, gpu);
    let pixels = with.iter().zip(&without).filter(|(a, b)| a != b);
    pixels.fold([0; 2], |[all, walls], (_, [red, green, _])| {
        [all + 1, walls + usize::from(red > green)]
    })
}

#[test]
fn a_wall_hides_who_is_behind_it_and_nobody_before_it() {
    for heading in [0, 0x600, 0x800, 0xE00] {
        // In the open, and as near as the feelers let the player come to the wall in the north and to that in the south.
        let [open, before, behind] = [2624, 3026, 1966].map(|z| {
            let (mut walk, mut gpu) = town();
            count(&mut walk, &mut gpu, [2900, z], heading)
        });
        let [[whole, none], [seen, over]] = [open, before];
        assert!(
            whole > 1000 && none == 0 && over > 500,
            "{heading:X}: {open:?} {before:?}"
        );
        // Wings and tail too, which reach over the wall's middle.
        assert!(seen * 100 >= whole * 99, "{heading:X}: {seen} of {whole}");
        let [left, through] = behind;
        assert!(left < whole * 2 / 3, "{heading:X}: {left} of {whole}");
        assert_eq!(through, 0, "{heading:X}: of {left}");
    }
}

/// The list of a picture, as long as the console's, of the town with a crowd about the player: its packets, and how many
/// models were left out.
fn crowded(people: i16) -> (usize, u32, [Vec<[u8; 3]>; 2]) {
    let (mut walk, mut gpu) = town();
    let world = walk.world_mut();
    let player = world.field.player;
    let like = world.field.actors.iter().map(|(_, it)| *it);
    let like = like.filter(|it| it.has(flag::MOVING)).last().unwrap();
    world.field.actors.clear();
    for number in 0..people {
        let (col, row) = (number % 8, number / 8);
        let (x, z) = (player.x + 100 * (col - 4), player.z + 80 * (row + 1));
        world.field.actors.spawn(Actor { x, z, ..like }).unwrap();
    }
    let mut words = vec![0; 1 << 15];
    let mut list = DisplayList::new(&mut words, 1024);
    let pictures = [player.speed, 0].map(|speed| {
        walk.world_mut().field.player.speed = speed;
        list.begin(&mut gpu);
        let stats = walk.compose(&mut Gte::new(), &mut list).unwrap();
        list.draw(&mut gpu).unwrap();
        gpu.present().unwrap();
        let pixels = gpu.displayed().rgb;
        let pixels: Vec<_> = pixels.chunks(3).map(|it| [it[0], it[1], it[2]]).collect();
        (stats, pixels)
    });
    let [(stats, with), (_, without)] = pictures;
    (stats.drawn as usize, stats.left_out, [with, without])
}

/// However many are in view: the nearest are drawn, the others are not, and the picture is there.
#[test]
fn the_nearest_of_a_crowd_are_drawn() {
    let (few, left_out, _) = crowded(3);
    assert!(few > 300 && left_out == 0, "{few} {left_out}");
    let (most, left_out, [with, without]) = crowded(60);
    assert!(
        most > 2 * few && (20..60).contains(&left_out),
        "{most} {left_out}"
    );
    // The player, who is nearest, is among them.
    let player = with.iter().zip(&without).filter(|(a, b)| a != b).count();
    assert!(player > 1000, "{player} pixels");
}
