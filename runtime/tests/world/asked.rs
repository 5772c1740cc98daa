//! What a world answers to scripts by itself, and what becomes of what they say to it (field VM sheet, section 12).

use crate::common::{Plan, Play, START};
use overworld_runtime::field::pad::RING;
use overworld_runtime::scene::Camera;
use overworld_runtime::scene::world::{Arrival, Carried};
use overworld_runtime::script::state::Word;

fn entry(script: &str) -> Play {
    Plan {
        entry: script,
        people: &[([30, 30], "")],
        ..Plan::default()
    }
    .play()
}

/// `42` mode 1, 0 to 7: the compass ring, from Z+ over X+.
#[test]
fn the_pad_is_asked_by_the_ring() {
    for (index, held) in RING.into_iter().enumerate() {
        let script = format!(
            "nop.24
             nop.f
             input.lock
             wait_set 0x300
             jpad {index}, yes
       idle: nop.f
             jmp idle
        yes: sset 0x301
             jmp idle"
        );
        for other in RING {
            let mut play = entry(&script);
            play.frames(0, 1);
            play.world.vm.state.system.set(0x300);
            // Buttons beside the directions do not matter.
            play.frames(other | 0x20, 1);
            assert_eq!(play.flag(0x301), other == held, "{index} {other:#x}");
        }
    }
}

/// `4C E4` asks where its context is, the corners included, and jumps outside.
#[test]
fn the_box_is_asked_by_its_corners() {
    // Tiles 30 to 32 and 30 to 31, by their middles.
    for (x, z, inside) in [
        (3904, 3904, true),
        (4160, 4032, true),
        (4000, 3950, true),
        (3903, 3950, false),
        (4161, 3950, false),
        (4000, 3903, false),
        (4000, 4033, false),
    ] {
        let mut play = entry(
            "nop.24
             nop.f
             wait_set 0x300
             bbox.world@1 30, 30, 32, 31, out
             sset 0x301
       idle: nop.f
             jmp idle
        out: sset 0x302
             jmp idle",
        );
        play.frames(0, 1);
        let (_, actor) = play.world.field.actors.iter_mut().next().unwrap();
        (actor.x, actor.z) = (x, z);
        play.world.vm.state.system.set(0x300);
        play.frames(0, 1);
        let seen = [0x301, 0x302].map(|it| play.flag(it));
        assert_eq!(seen, [inside, !inside], "{x} {z}");
    }
}

/// `45` load has nine of the ten slots and takes the focus; save and apply bring a view back; `4C D7` ends a glide where
/// it is.
#[test]
fn views_are_loaded_saved_and_brought_back() {
    let mut play = entry(
        "nop.24
         nop.f
         cam.load 0, 0x123, 0x200, 3, 4, 0xFFFB, 6000, 0xFF9C, 8, 0xFF38
         cam.save 0
         nop.f
         cam.set 0x02, 0x01, 8, 0x323, 900
         nop.f
         nop.f
         cam.cancel
         nop.f
         cam.apply 0, behind
 behind: nop.f
   idle: nop.f
         jmp idle",
    );
    play.frame(0);
    let loaded = play.world.camera();
    assert_eq!((loaded.pitch, loaded.yaw, loaded.roll), (0x123, 0x200, 3));
    assert_eq!((loaded.eye.x, loaded.eye.y, loaded.eye.z), (4, -5, 6000));
    assert_eq!(
        (loaded.focus.x, loaded.focus.y, loaded.focus.z),
        (100, 8, 200)
    );
    assert_eq!(loaded.h, Camera::SCENE_ENTRY.h);
    play.frames(0, 2);
    let glides = play.world.camera();
    assert_eq!(glides.pitch, 0x123 + 0x200 * 2 / 8);
    let h = i32::from(loaded.h);
    assert_eq!(i32::from(glides.h), h + (900 - h) * 2 / 8);
    play.frame(0);
    assert_eq!(play.world.camera(), glides, "cancelled");
    play.frames(0, 1);
    assert_eq!(play.world.camera(), loaded, "brought back");
}

/// `4C DF` with 1 has the slow tiles slow; the next scene has its own word, and so have the others of a scene's blocks:
/// nothing of them is carried on.
#[test]
fn the_words_of_a_scene_end_with_it() {
    let script = "nop.24
         stst 0x300, idle
         sset 0x300
         scene_ctrl 1
         scene_reg 1, 2, 3
         ramp.scene_y 7, 0
         dialog.lines 5
         dialog.lines 105
         slot.set 4, 9
         card.place 6
         interact 3, 4
   idle: nop.f
         jmp idle";
    let plan = Plan {
        entry: script,
        slow: &[[20, 20]],
        ..Plan::default()
    };
    let words = [
        Word::SceneCtrl,
        Word::SceneY,
        Word::Lines,
        Word::Picker,
        Word::CardY,
    ];
    let mut play = plan.play();
    let state = &play.world.vm.state;
    assert_eq!(words.map(|it| state.word(it)), [1, 7, 5, 5, 6]);
    assert_eq!((state.scene_reg, play.flag(0x0E)), ([1, 2, 3], true));
    play.frames(0x2000, 1);
    assert_eq!(play.at().x - START.x, 4, "slow");
    let carried = play.world.leave();
    let arrival = Arrival::Warp {
        at: START,
        heading: 0,
    };
    let again = |carried: &Carried| {
        let mut next = plan.world::<16>();
        *next = next.with(carried);
        next
    };
    let mut next = again(&carried);
    next.enter(arrival, &mut play.game);
    play.world.enter(arrival, &mut play.game);
    for world in [&mut next, &mut play.world] {
        let state = &world.vm.state;
        // The number of the card's line lies in no block of the scene.
        assert_eq!(words.map(|it| state.word(it)), [0, 0, 0, 0, 6]);
        assert_eq!((state.scene_reg, state.slot(4)), ([0; 3], 9));
        assert!(!state.system.test(0x0E) && state.system.test(0x300));
        world.frame(0x2000, &mut play.game);
        assert_eq!(world.field.player.x - START.x, 8, "as fast as anywhere");
    }
}

/// `43 03` to `06` (7.15): in their boxes the view's values go with the player's Z, while the view is the player's.
#[test]
fn zones_turn_the_view_with_the_player() {
    let script = "nop.24
         zone.pitch 15, 18, 25, 28, 0x100, 0x200
         zone.yaw 15, 18, 25, 28, 0, -0x200
         zone.depth 15, 18, 25, 28, 5000, 6000
         zone.h 15, 30, 25, 34, 300, 700
         nop.f
         wait_set 0x300
         cam.set 0x02, 0x00, 4, 0x80
         wait_set 0x301
         cam.set 0x02, 0x08, 0, 0x80, -100
         wait_clear 0x301
         cam.resync
   idle: nop.f
         jmp idle";
    let mut play = entry(script);
    let view = |play: &Play| {
        let it = play.world.camera();
        (it.pitch, it.yaw as i16, it.eye.z, it.h)
    };
    let h = Camera::SCENE_ENTRY.h;
    // On tile 20, two of ten from the northern edge; an entry has it as well.
    assert_eq!(view(&play), (0x133, -0x66, 5200, h));
    play.put(START.x, 23 * 128 + 64);
    play.frames(0, 1);
    assert_eq!(view(&play), (0x180, -0x100, 5500, h));
    // Outside nothing is set back.
    play.put(START.x, 29 * 128);
    play.frames(0, 1);
    assert_eq!(view(&play), (0x180, -0x100, 5500, h));
    play.put(START.x, 32 * 128 + 64);
    play.frames(0, 1);
    assert_eq!(view(&play), (0x180, -0x100, 5500, 500));
    // Beside it neither.
    play.put(26 * 128 + 64, 23 * 128);
    play.frames(0, 1);
    assert_eq!(view(&play), (0x180, -0x100, 5500, 500));
    // Who is locked or suppressed changes nothing.
    play.put(START.x, 18 * 128 + 64);
    play.world.vm.state.global |= 0x400;
    play.frames(0, 1);
    assert_eq!(view(&play).0, 0x180);
    play.world.vm.state.global &= !0x400;
    play.frames(0, 1);
    assert_eq!(view(&play), (0x100, 0, 5000, 500));
    // A script's glide is the script's, up to its end, and so is its view while it has the focus.
    play.world.vm.state.system.set(0x300);
    play.frames(0, 2);
    assert_eq!(view(&play).0, 0xC0);
    play.frames(0, 3);
    assert_eq!(view(&play).0, 0x100);
    play.world.vm.state.system.set(0x301);
    play.put(START.x, 28 * 128 + 64);
    play.frames(0, 2);
    assert_eq!((view(&play).0, play.world.camera().focus.x), (0x80, 100));
    play.world.vm.state.system.clear(0x301);
    play.frames(0, 2);
    assert_eq!(view(&play), (0x200, -0x200, 6000, 500));
    // The next scene has none.
    let arrival = Arrival::Warp {
        at: START,
        heading: 0,
    };
    let mut next = Plan::default().world::<16>();
    *next = next.with(&play.world.leave());
    next.enter(arrival, &mut play.game);
    assert_eq!(next.camera().pitch, Camera::SCENE_ENTRY.pitch);
}

/// The same box again is the same zone; of more than eight the others are counted.
#[test]
fn zones_are_few() {
    let zones = |count: u32| {
        let zone = |n| format!("zone.pitch {n}, 18, 25, 28, 0x100, 0x200\n");
        let all: String = (0..count).map(zone).collect();
        entry(&format!("nop.24\n{all}{all}nop.f\nidle: nop.f\njmp idle"))
    };
    assert_eq!(zones(8).world.dropped(), 0);
    assert_eq!(zones(9).world.dropped(), 2);
    assert_ne!(zones(1).world.state_hash(), zones(2).world.state_hash());
}

/// An ambient stream changes the clip of its actor (motion sheet, 3.2: `02`, `0A`, `0B`).
#[test]
fn streams_change_clips() {
    for (op, special) in [(0x02, false), (0x0A, true), (0x0B, false)] {
        let stream = [op, 7, 0, 0x05, 0xFF, 0x01];
        let mut motion = vec![1, 3 + 2 + 4 + 6, 0, 1, 1, 0xFF, 0xFF, 0, 0];
        motion.extend(stream);
        motion.push(0);
        let plan = Plan {
            people: &[([30, 30], "")],
            motion: &motion,
            ..Plan::default()
        };
        let mut play = plan.play();
        play.frames(0, 2);
        let (_, actor) = play.world.field.actors.iter().next().unwrap();
        assert_eq!(actor.animation, 7, "{op:#x}");
        assert_eq!(actor.flags & 0x100_0000 != 0, special, "{op:#x}");
    }
}
