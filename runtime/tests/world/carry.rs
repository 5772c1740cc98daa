//! What outlives a scene.

use crate::common::{INTERACT, Plan, START};
use overworld_runtime::field::Compat;
use overworld_runtime::field::actor::flag;
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

/// A hop ends with its scene (what it holds of the animation word, too: the walking clip would stop at its end
/// for the rest of the game), whether the same world is entered again or another one takes the player over.
#[test]
fn a_hop_does_not_outlive_its_scene() {
    // A slope so steep that it is a ledge, from tile column 21 to 22.
    let mut floor = [0; 16];
    floor[1] = 600;
    let high: Vec<_> = (18..24).map(|row| ([22, row], 1)).collect();
    let plan = Plan {
        floor,
        tiers: &high,
        ..Plan::default()
    };
    let arrival = Arrival::Warp {
        at: START,
        heading: 0,
    };
    for frames in [3, 18] {
        let mut play = plan.play();
        let before = play.world.field.player.mode;
        while !play.world.field.is_hopping() {
            play.frames(0x2000, 1);
            assert!(play.world.ticks() < 60);
        }
        play.frames(0, frames);
        assert!(play.world.field.is_hopping());
        let mut next = plan.world::<16>();
        *next = next_with(*next, &play.world.leave());
        next.enter(arrival, &mut play.game);
        play.world.enter(arrival, &mut play.game);
        for world in [&next, &play.world] {
            let player = &world.field.player;
            assert!(!player.has(flag::LOCKED | flag::AIRBORNE) && !world.field.is_hopping());
            assert_eq!(player.mode, before, "{frames}");
        }
    }
}

/// A button that is held through a way is not pressed anew behind it.
#[test]
fn what_is_held_stays_held() {
    let plan = Plan {
        people: &[(
            [20, 19],
            "nop.25\nnop.f\ntalk: .text \"Hello.\"\nnop.f\njmp talk",
        )],
        ..Plan::default()
    };
    let mut play = Plan::default().play();
    play.frame(INTERACT);
    let mut next = plan.world::<16>();
    *next = next_with(*next, &play.world.leave());
    let arrival = Arrival::Warp {
        at: Point::new(START.x, START.z - 12),
        heading: 0,
    };
    next.enter(arrival, &mut play.game);
    assert_eq!(next.frame(INTERACT, &mut play.game).field.interact, None);
    next.frame(0, &mut play.game);
    let frame = next.frame(INTERACT, &mut play.game);
    assert!(frame.field.interact.is_some());
}
