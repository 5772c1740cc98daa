//! Who stands before a wall is seen whole, and who stands behind one is not seen through it.

#[path = "common/town.rs"]
mod common;

use common::town;
use overworld_host::gpu::Gpu;
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
        // But for the tip of a wing that reaches into the wall, or of a tail.
        assert!(seen * 100 >= whole * 96, "{heading:X}: {seen} of {whole}");
        let [left, through] = behind;
        assert!(
            left < whole * 2 / 3 && through * 8 <= left,
            "{heading:X}: {through} of {left}"
        );
    }
}
