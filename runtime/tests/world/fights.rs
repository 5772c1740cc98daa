//! The encounter step and the life cycle of fights (field sheet, section 10.9).

use crate::common::{Plan, Play, START};
use overworld_runtime::field::actor::flag;
use overworld_runtime::scene::man::encounter::{self, Condition, Formation, Region, STRIDES};
use overworld_runtime::scene::world::{Change, Fight, Outcome};

const FORMATION: Formation<'static> = Formation {
    scripted: 0,
    reserved: [0; 2],
    monsters: &[1],
};

/// A scene whose every step is a fight, until its flag is set.
fn scene(entry: &str) -> Play {
    let region = |rate, count| Region {
        min: [0, 0],
        max: [127, 127],
        rate,
        unknown: 0,
        first: 1,
        count,
        backdrop: 0xE5,
    };
    let plan = Plan {
        entry,
        encounters: Some(encounter::Source {
            strides: STRIDES,
            formations: &[FORMATION; 4],
            conditions: &[
                Condition {
                    flag: 0x142,
                    owned: 1,
                },
                Condition {
                    flag: encounter::ALWAYS,
                    owned: 1,
                },
            ],
            regions: &[region(0, 0), region(255, 3)],
        }),
        ..Plan::default()
    };
    let mut play = plan.play();
    play.world.seed(1);
    play
}

/// Walk until a fight is on.
fn walk(play: &mut Play) -> u32 {
    for frame in 0..400 {
        if play.world.fight().is_some() {
            return frame;
        }
        play.frame(0x2000);
    }
    panic!("no fight");
}

#[test]
fn a_step_rolls_and_the_world_stands_still_until_the_fight_is_over() {
    let mut play = scene("");
    // 3CEh, and 255 a step: the fourth.
    let steps = walk(&mut play);
    let at = play.at();
    assert_eq!((i32::from(at.x) >> 7) - (i32::from(START.x) >> 7), 4);
    assert_eq!(steps, 56);
    let fight = play.world.fight().unwrap();
    assert!((1..4).contains(&fight.formation) && !fight.scripted);
    // The low five bits of the backdrop.
    assert_eq!(fight.stage, 5);
    assert!(play.world.field.player.has(flag::LOCKED));
    let (hash, ticks) = (play.world.state_hash(), play.world.ticks());
    play.frames(0x2000, 10);
    assert_eq!((play.world.state_hash(), play.world.ticks()), (hash, ticks));
    assert_eq!(play.game.fights, [fight; 10]);
    // It is over: the lock is gone, and the frame goes on at once.
    play.game.outcome = Some(Outcome::Won);
    play.frame(0x2000);
    assert_eq!(play.world.fight(), None);
    assert!(!play.world.field.player.has(flag::LOCKED));
    assert_eq!(play.at().x, at.x + 8);
    // And the next one comes.
    play.game.outcome = None;
    walk(&mut play);
}

/// The step asks for the region of the plain tile (10.9), not of the one that triggers go by: a region of one tile is
/// left and entered where the tile is.
#[test]
fn a_step_rolls_by_the_region_of_its_tile() {
    let plan = Plan {
        encounters: Some(encounter::Source {
            strides: STRIDES,
            formations: &[FORMATION; 4],
            conditions: &[Condition {
                flag: encounter::ALWAYS,
                owned: 1,
            }],
            regions: &[Region {
                min: [22, 20],
                max: [22, 20],
                rate: 100,
                unknown: 0,
                first: 1,
                count: 3,
                backdrop: 0,
            }],
        }),
        ..Plan::default()
    };
    let mut play = plan.play();
    let mut rolled = Vec::new();
    for _ in 0..60 {
        let before = play.world.encounter().counter;
        play.frames(0x2000, 1);
        if play.world.encounter().counter != before {
            rolled.push((play.at().x, play.world.encounter().counter));
        }
    }
    assert_eq!(rolled, [(22 * 128, 0x3CE - 100)]);
    assert!(play.at().x > 24 * 128);
    // Back again from the other side, on the tile's last unit that a step leads to.
    play.frames(0x8000, 1);
    while play.world.encounter().counter == 0x3CE - 100 {
        play.frames(0x8000, 1);
    }
    assert_eq!(play.at().x, 23 * 128 - 8);
}

/// No roll: without moving, with the setting off, where the live region's rate is 0.
#[test]
fn what_does_not_roll() {
    let mut play = scene("");
    play.frames(0, 200);
    assert_eq!(play.world.encounter().counter, 0x3CE);
    play.world.settings.encounters.setting = 0;
    play.frames(0x2000, 200);
    assert_eq!(play.world.encounter().counter, 0x3CE);
    play.world.settings.encounters.setting = 1;
    play.world.vm.state.system.set(0x142);
    play.frames(0x8000, 200);
    assert_eq!(play.world.encounter().counter, 0x3CE);
    // Story flag 1Eh halves the rate.
    play.world.vm.state.system.clear(0x142);
    play.world.vm.state.system.set(0x1E);
    while play.world.encounter().counter == 0x3CE {
        play.frame(0x2000);
    }
    assert_eq!(play.world.encounter().counter, 0x3CE - 127);
}

/// `3E FF row`; and a party that falls leaves the world.
#[test]
fn a_script_asks_for_a_fight() {
    let mut play = scene("nop.24\nnop.f\nbattle 2\nsset 0x300\nidle: nop.f\njmp idle");
    play.frame(0);
    let fight = Fight {
        formation: 2,
        scripted: true,
        stage: 0,
    };
    assert_eq!((play.world.fight(), play.flag(0x300)), (Some(fight), false));
    assert!(play.world.field.player.has(flag::LOCKED));
    play.frames(0, 3);
    assert!(!play.flag(0x300));
    play.game.outcome = Some(Outcome::Fled);
    play.frame(0);
    assert!(play.flag(0x300));
    let mut play = scene("nop.24\nnop.f\nbattle 2\nsset 0x300\nidle: nop.f\njmp idle");
    play.game.outcome = Some(Outcome::Lost);
    play.frames(0, 1);
    assert_eq!(play.frame(0).change, Some(Change::GameOver));
    // So it stays.
    play.frame(0x2000);
    let hash = play.world.state_hash();
    assert_eq!(play.frames(0x2000, 3).change, Some(Change::GameOver));
    assert_eq!(play.world.state_hash(), hash);
}

/// A step rolls a fight, and a script asks for another one in the same frame: that one is fought, the first of several.
#[test]
fn a_scripted_fight_overrides_the_roll() {
    let mut rolled = scene("");
    let frames = walk(&mut rolled);
    let fight = rolled.world.fight().unwrap();
    assert!(!fight.scripted && fight.formation != 2);
    for battles in ["battle 2", "battle 2\nbattle 3"] {
        let mut play = scene(&format!(
            "nop.24\nnop.f\nwait_set 0x300\n{battles}\nidle: nop.f\njmp idle"
        ));
        play.frames(0x2000, frames - 1);
        assert_eq!(play.world.fight(), None);
        play.world.vm.state.system.set(0x300);
        play.frame(0x2000);
        let fight = Fight {
            formation: 2,
            scripted: true,
            stage: 0,
        };
        assert_eq!(play.world.fight(), Some(fight));
        assert_eq!(play.world.field.fight(), Some(2));
        // The roll has taken place all the same.
        assert_eq!(play.world.encounter(), rolled.world.encounter());
    }
}

/// The lock of a talk that a fight ends in is not the fight's to open.
#[test]
fn a_fight_out_of_a_talk() {
    let plan = Plan {
        people: &[(
            [20, 19],
            "nop.25\nseat 20, 19, 4, 1\nnop.f\ntalk: .text \"En garde!\"\nbattle 1\n.text \"Well.\"\nnop.f\njmp talk",
        )],
        ..Plan::default()
    };
    let mut play = plan.play();
    play.put(START.x, START.z - 12);
    play.press(crate::common::INTERACT);
    for _ in 0..60 {
        if play.world.fight().is_some() {
            break;
        }
        play.press(crate::common::INTERACT);
    }
    assert!(play.world.fight().is_some());
    play.game.outcome = Some(Outcome::Won);
    play.frames(0, 2);
    let field = &play.world.field;
    assert!(!field.player.has(flag::LOCKED) && field.engaged() == 0);
}

/// Who is led does not roll: not while a script walks the player (`37`), nor while it has the pad locked.
#[test]
fn who_is_led_does_not_roll() {
    for script in [
        "nop.24\nnop.f\nglide@player 6, 16\nsset 0x300\nidle: nop.f\njmp idle",
        "nop.24\ninput.lock\nnop.f\nactor.position@player 5000, 0xFFFF, 0xFFFF, 64\nwait 70\ninput.unlock\nsset 0x300\nidle: nop.f\njmp idle",
    ] {
        let mut play = scene(script);
        let mut frames = 0;
        while !play.flag(0x300) {
            play.frames(0, 1);
            frames += 1;
            assert!(frames < 300);
        }
        assert!(play.at().x > START.x + 12 * 128, "{script}");
        assert_eq!(
            (play.world.encounter().counter, play.world.fight()),
            (0x3CE, None)
        );
        // The tile of arrival is no step either; the next one is.
        let tile = play.at().x >> 7;
        while play.at().x >> 7 == tile {
            assert_eq!(play.world.encounter().counter, 0x3CE);
            play.frames(0x2000, 1);
        }
        assert_ne!(play.world.encounter().counter, 0x3CE);
    }
}

/// Section 5 of the field VM sheet: flag 0Eh is a transient lock. What `3E FF` has locked is free when its fight is over;
/// a fight that was rolled frees nothing.
#[test]
fn the_lock_of_a_scripted_fight_ends_with_it() {
    let mut play = scene(
        "nop.24
         nop.f
         wait_set 0x142
         battle 2
   idle: nop.f
         jmp idle",
    );
    play.frames(0, 1);
    play.world.vm.state.system.set(0x142);
    play.frame(0);
    let fight = play.world.fight().unwrap();
    assert!(fight.scripted && play.flag(0x0E));
    play.frames(0, 3);
    assert!(play.flag(0x0E));
    play.game.outcome = Some(Outcome::Won);
    play.frame(0);
    assert!(play.world.fight().is_none() && !play.flag(0x0E));
    let mut play = scene("");
    walk(&mut play);
    play.world.vm.state.system.set(0x0E);
    play.game.outcome = Some(Outcome::Won);
    play.frame(0);
    assert!(play.flag(0x0E));
}
