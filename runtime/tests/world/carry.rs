//! What outlives a scene.

use crate::common::{Plan, START};
use overworld_runtime::field::Compat;
use overworld_runtime::field::units::Point;
use overworld_runtime::scene::world::{Arrival, Change};

/// Paints do not: the map is read from the disc again. Flags, purse, the player, the settings do.
#[test]
fn from_scene_to_scene() {
    let first = Plan {
        entry: "nop.24
                stst 0x300, back
                wall.fill 22, 0, 22, 40
                sset 0x300
                add_money 500
                nop.f
                scene_change 1, \"next\", 10, 10, 2
          idle: nop.f
                jmp idle
          back: nop.f
                jmp idle",
        ..Plan::default()
    };
    let mut play = first.play();
    play.world.settings.scalar = 2;
    play.world.field.player.mesh = 3;
    play.world.seed(77);
    let Some(Change::Scene(passage)) = play.frame(0).change else {
        panic!("a way");
    };
    let carried = play.world.leave();
    let mut next = Plan::default().world::<16>();
    *next = next_with(*next, &carried);
    next.enter(Arrival::through(&passage, &Compat::SHEET), &mut play.game);
    assert_eq!(next.field.player.point(), Point::new(1344, 1344));
    assert_eq!(
        (next.field.player.heading(), next.field.player.mesh),
        (0x400, 3)
    );
    assert_eq!((next.vm.state.gold, next.settings.scalar), (500, 2));
    assert!(next.vm.state.system.test(0x300));
    // Back in the first one its map is whole.
    let mut again = first.world::<16>();
    *again = next_with(*again, &next.leave());
    let arrival = Arrival::Warp {
        at: START,
        heading: 0,
    };
    again.enter(arrival, &mut play.game);
    for _ in 0..30 {
        again.frame(0x2000, &mut play.game);
    }
    assert_eq!(again.field.player.x, START.x + 30 * 16);
    assert_eq!(again.vm.state.gold, 500);
}

fn next_with<'m>(
    world: overworld_runtime::scene::world::World<'m, 16>,
    carried: &overworld_runtime::scene::world::Carried,
) -> overworld_runtime::scene::world::World<'m, 16> {
    world.with(carried)
}
