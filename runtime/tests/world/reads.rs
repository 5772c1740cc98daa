//! What is read, seen from other scripts: they ask whether a box is open (menu-control sheet, section 4).

use crate::common::{Beat, INTERACT, Plan, Play, START};
use overworld_runtime::gpu::DisplayList;
use overworld_runtime::gte::software::Gte;
use overworld_runtime::platform::NoScreen;
use overworld_runtime::scene::world::Meshes;
use overworld_runtime::script::dialog::Phase;
use overworld_runtime::script::font::{HAND, glyph};
use overworld_runtime::script::text::TextBox;

/// Read to the end with the button, letter by letter; in how many frames there was a box. While there is one, who asks
/// for the end of it (flag 301h behind it) waits; it is never gone for a frame.
fn read_on(play: &mut Play) -> u32 {
    let mut boxes = 0;
    let mut held = INTERACT;
    for _ in 0..200 {
        let text = play.world.talk().and_then(|it| it.text());
        let full = text.is_some_and(TextBox::is_full);
        held = if full && held == 0 { INTERACT } else { 0 };
        assert_eq!(play.frame(held).fault, None);
        if play.world.talk().and_then(|it| it.text()).is_some() {
            boxes += 1;
            assert!(!play.flag(0x301), "in frame {boxes} of the box");
        } else if boxes != 0 {
            break;
        }
    }
    assert!(play.world.talk().is_none_or(|it| it.phase() == Phase::Runs));
    play.frames(0, 2);
    assert!(play.flag(0x301) && play.world.talk().is_none());
    boxes
}

/// Two pages of somebody who was touched: `4C 53` and `54` wait from the frame in which the box opens to the one in which
/// it closes.
#[test]
fn who_asks_for_the_end_of_a_talk_waits_for_it() {
    for ask in ["dialog.poll", "dialog.wait"] {
        for turn in ["nop.24", "nop.25", "nop.48"] {
            let entry =
                format!("nop.24\nnop.f\nwait_set 0x300\n{ask}\nsset 0x301\nidle: nop.f\njmp idle");
            let talker = format!(
                "nop.25\nseat 20, 19, 4, 1\nnop.f
                talk: sset 0x300\n.text \"One\"\n{turn}\n.text \"Two\"\nnop.f\njmp talk"
            );
            let plan = Plan {
                entry: &entry,
                people: &[([20, 19], &talker)],
                ..Plan::default()
            };
            let mut play = plan.play();
            play.put(START.x, START.z - 12);
            play.frame(INTERACT);
            assert!(play.flag(0x300) && !play.flag(0x301), "{ask}");
            let phase = play.world.talk().map(|it| it.phase());
            assert_eq!(phase, Some(Phase::Shows), "{ask}");
            // Three letters twice, and the frames in between.
            assert!(read_on(&mut play) >= 7, "{ask} {turn}");
        }
    }
}

/// Text that the entry script comes to by itself: the beat behind it in the same frame waits for it already.
#[test]
fn who_asks_behind_text_in_the_same_frame_waits_for_it() {
    let plan = Plan {
        entry: "nop.24
                nop.f
                spawn_record 1
                wait_set 0x300
                .text \"One\"
                nop.24
                .text \"Two\"
          idle: nop.f
                jmp idle",
        beats: &[Beat {
            c1: &[],
            c2: &[],
            script: "wait_set 0x300\ndialog.poll\nsset 0x301\nidle: nop.f\njmp idle",
        }],
        ..Plan::default()
    };
    let mut play = plan.play();
    play.frames(0, 3);
    assert!(play.world.talk().is_none());
    play.world.vm.state.system.set(0x300);
    play.frame(0);
    assert!(play.world.talk().is_some() && !play.flag(0x301));
    assert!(read_on(&mut play) >= 7);
}

/// In the picture: the hand in a box that is shown whole, and none while letters come or answers are open.
#[test]
fn the_hand_is_seen_when_the_box_is_full() {
    let plan = Plan {
        people: &[(
            [20, 19],
            "nop.25
             seat 20, 19, 4, 1
             nop.f
       talk: .text \"One\"
             .pick yes, yes
             .text \"A\"
             .text \"B\"
        yes: nop.f
             jmp talk",
        )],
        ..Plan::default()
    };
    let mut play = plan.play();
    play.put(START.x, START.z - 12);
    // One row: at the bottom of the box.
    let hand = glyph(HAND, (266, 148 + 15 - 19), 0).unwrap();
    let is_seen = |play: &Play| {
        let mut words = vec![0; 16_384];
        let mut list = DisplayList::new(&mut words, 512);
        list.begin(&mut NoScreen);
        let meshes = Meshes::default();
        play.world
            .compose(&mut Gte::new(), &mut list, &meshes)
            .unwrap();
        let mut packets = list.words().windows(hand.len());
        packets.any(|it| it == hand)
    };
    play.frame(INTERACT);
    let mut seen = Vec::new();
    for _ in 0..3 {
        seen.push(is_seen(&play));
        play.frame(0);
    }
    seen.push(is_seen(&play));
    assert_eq!(seen, [false, false, false, true]);
    play.frame(INTERACT);
    let phase = play.world.talk().map(|it| it.phase());
    assert_eq!((phase, is_seen(&play)), (Some(Phase::Picks), false));
}
