//! Touch and talk with scripts behind them (field sheet, section 11; field VM sheet, section 11).

use crate::common::{INTERACT, Plan, START, bind, thing};
use overworld_runtime::field::actor::flag;
use overworld_runtime::field::map::trigger::Source;
use overworld_runtime::script::dialog::Phase;

const TALKER: &str = "nop.25
        seat 20, 19, 4, 1
        nop.f
  talk: .text \"Hello.\"
        sset 0x200
        nop.f
        jmp talk";

fn talker() -> crate::common::Play {
    let plan = Plan {
        people: &[([20, 19], TALKER)],
        ..Plan::default()
    };
    let mut play = plan.play();
    // One tile behind, looking to Z-: in reach of the button.
    play.put(START.x, START.z - 12);
    play
}

#[test]
fn the_button_begins_a_talk_and_its_end_frees_the_player() {
    let mut play = talker();
    let frame = play.frame(INTERACT);
    assert!(frame.field.interact.is_some());
    assert!(play.world.field.player.has(flag::LOCKED));
    assert_eq!(play.world.talk().map(|it| it.phase()), Some(Phase::Shows));
    let (id, actor) = play.world.field.actors.iter().next().unwrap();
    assert!(actor.has(flag::ENGAGED));
    // It has turned to the player, who stands at its Z+.
    assert_eq!(actor.heading(), 0x800);
    // The pad is the box's.
    let at = play.at();
    play.frames(0x2000, 5);
    assert_eq!(play.at(), at);
    assert_eq!(play.read(), ["Hello."]);
    assert!(play.flag(0x200));
    let field = &play.world.field;
    assert!(!field.player.has(flag::LOCKED) && !field.actors.get(id).unwrap().has(flag::ENGAGED));
    assert_eq!((field.engaged(), field.control.talking), (0, false));
    play.frames(0x2000, 1);
    assert_ne!(play.at(), at);
}

/// Again and again: the counters of both sides stay level.
#[test]
fn a_talk_can_be_had_again() {
    let mut play = talker();
    for round in 0..3 {
        play.put(START.x, START.z - 12);
        play.world.field.player.set_heading(0);
        play.press(INTERACT);
        assert_eq!(play.read(), ["Hello."], "{round}");
        assert_eq!(play.world.field.engaged(), 0);
    }
}

/// The actor looks where it looked before.
#[test]
fn the_heading_is_restored() {
    let mut play = talker();
    for (_, actor) in play.world.field.actors.iter_mut() {
        actor.set_heading(0x400);
    }
    play.press(INTERACT);
    let heading =
        |play: &crate::common::Play| play.world.field.actors.iter().next().unwrap().1.heading();
    assert_eq!(heading(&play), 0x800);
    play.read();
    assert_eq!(heading(&play), 0x400);
}

/// A door: the object in the way is touched without a button, and its script moves the player.
#[test]
fn contact_runs_the_objects_script() {
    let plan = Plan {
        objects: &["door: move_to@player 40, 41\nface@player 4, 0\nnop.f\njmp door"],
        triggers: Source {
            scripts: &[bind([20, 18], 0)],
            ..Source::default()
        },
        placed: &[(5, [20, 18], thing())],
        ..Plan::default()
    };
    let mut play = plan.play();
    let mut met = 0;
    for _ in 0..60 {
        met += u32::from(play.frame(0x4000).field.contact.is_some());
        if met != 0 {
            break;
        }
    }
    assert_eq!(met, 1);
    let player = &play.world.field.player;
    assert_eq!((player.x, player.z, player.heading()), (5184, 5312, 0x800));
    assert!(!player.has(flag::LOCKED));
}

/// Row 10, section 11.2: contact resumes a script and leaves it before its last instruction, and before the
/// way into a minigame; in the other reading it runs both.
#[test]
fn contact_does_not_finish_a_script() {
    use overworld_runtime::field::compat::ContactEffect;
    use overworld_runtime::scene::world::Change;
    let play = |script: &str, contact| {
        let plan = Plan {
            objects: &[script],
            triggers: Source {
                scripts: &[bind([20, 18], 0)],
                ..Source::default()
            },
            placed: &[(5, [20, 18], thing())],
            ..Plan::default()
        };
        let mut play = plan.play();
        play.world.vm.field.contact = contact;
        let touched = (0..60).any(|_| play.frame(0x4000).field.contact.is_some());
        assert!(touched, "{script}");
        // A script that goes past its end is told of as a fault.
        for _ in 0..3 {
            play.frame(0);
        }
        assert!(play.world.talk().is_none(), "{script}: the touch is over");
        let player = &play.world.field.player;
        assert!(play.world.change().is_some() || !player.has(flag::LOCKED));
        (play.flag(0x300), play.flag(0x301), play.world.change())
    };
    use ContactEffect::{Apply, Resume};
    let last = "sset 0x300\nsset 0x301";
    assert_eq!(play(last, Resume), (true, false, None));
    assert_eq!(play(last, Apply), (true, true, None));
    let cabinet = "sset 0x300\nwarp 0, 0, 0, 0, 0\nsset 0x301\nidle: nop.f\njmp idle";
    assert_eq!(play(cabinet, Resume), (true, false, None));
    let gone = Some(Change::Minigame(0));
    assert_eq!(play(cabinet, Apply), (true, false, gone));
}

/// A script can be torn down while it speaks (flag 8): it leaves the field, and the player is free.
#[test]
fn tear_down_frees_everybody() {
    let plan = Plan {
        entry: "nop.24
                nop.f
          wait: wait_set 0x201
                cset@1 3
          idle: nop.f
                jmp idle",
        people: &[([20, 19], TALKER)],
        ..Plan::default()
    };
    let mut play = plan.play();
    play.put(START.x, START.z - 12);
    play.press(INTERACT);
    assert!(play.world.talk().is_some());
    play.world.vm.state.system.set(0x201);
    play.frames(0, 3);
    let world = &play.world;
    assert!(world.talk().is_none() && world.field.actors.is_empty());
    assert!(!world.field.player.has(flag::LOCKED));
    assert_eq!(world.field.engaged(), 0);
    // Its place serves another.
    assert!(world.vm.resolve(1).is_none());
    let at = play.at();
    play.frames(0x2000, 1);
    assert_ne!(play.at(), at);
}

/// Nobody has touched who runs by a script's word (flag 100h): its end leaves a script's lock alone.
#[test]
fn tear_down_of_the_untouched_frees_nobody() {
    for late in ["", "nop.f\n"] {
        let entry = format!(
            "nop.24
             nop.f
             cset@player 19
             cset@1 8
             nop.f
             cset@1 3
             {late}
       wait: wait_set 0x300
             cclr@player 19
       idle: nop.f
             jmp idle"
        );
        let plan = Plan {
            entry: &entry,
            people: &[([30, 30], "")],
            ..Plan::default()
        };
        let mut play = plan.play();
        play.frames(0x2000, 6);
        assert!(play.world.field.actors.is_empty());
        assert!(play.world.field.player.has(flag::LOCKED));
        let at = play.at();
        play.world.vm.state.system.set(0x300);
        play.frames(0x2000, 2);
        assert_ne!(play.at(), at);
    }
}

/// Nobody could end a talk with an actor whose script had no room: it is dismissed at once.
#[test]
fn an_actor_without_a_context_holds_nobody() {
    let plan = Plan {
        people: &[([20, 19], TALKER)],
        ..Plan::default()
    };
    // Player and entry script only.
    let mut world = plan.world::<2>();
    let mut game = crate::common::Told::default();
    let arrival = overworld_runtime::scene::world::Arrival::Warp {
        at: overworld_runtime::field::units::Point::new(START.x, START.z - 12),
        heading: 0,
    };
    let entered = world.enter(arrival, &mut game);
    assert_eq!((entered.scripts.refused, entered.people.spawned), (1, 1));
    let frame = world.frame(INTERACT, &mut game);
    assert!(frame.field.interact.is_some());
    assert!(!world.field.player.has(flag::LOCKED) && world.talk().is_none());
}

/// The player is not torn down, whatever a script says.
#[test]
fn the_player_stays() {
    let plan = Plan {
        entry: "nop.24\nnop.f\nidle: cset@player 3\nnop.f\njmp idle",
        ..Plan::default()
    };
    let mut play = plan.play();
    play.frames(0, 5);
    assert_eq!(play.world.vm.player, Some(0));
    play.frames(0x2000, 1);
    assert_eq!(play.at().x, START.x + 8);
}

/// Text of a script that nobody touched: it is read, the script goes on, and no lock is left behind.
#[test]
fn text_that_a_script_comes_to_by_itself_is_shown() {
    let plan = Plan {
        entry: "nop.24
                nop.f
                .text \"Night falls.\"
                sset 0x210
          idle: nop.f
                jmp idle",
        ..Plan::default()
    };
    let mut play = plan.play();
    play.frames(0x2000, 2);
    assert!(play.world.talk().is_some());
    let at = play.at();
    play.frames(0x2000, 3);
    assert_eq!((play.at(), play.flag(0x210)), (at, false));
    assert_eq!(play.read(), ["Night falls."]);
    play.frames(0, 1);
    assert!(play.flag(0x210));
    play.frames(0x2000, 1);
    assert_ne!(play.at(), at);
}

/// Section 7.1: a bit of the scripts' global bank has the menu refused, which is heard.
#[test]
fn scripts_refuse_the_menu() {
    use overworld_runtime::field::cue;
    let mut play = talker();
    let menu = play.world.field.settings.menu_button;
    let field = play.press(menu).field;
    assert_eq!((field.menu, field.cue), (true, Some(cue::ACTION)));
    play.world.vm.state.global |= 0x0800_0000;
    play.frame(0);
    let field = play.frame(menu).field;
    assert_eq!((field.menu, field.cue), (false, Some(cue::REFUSED)));
}

/// A section with the stream of person 1: one variant without a flag.
fn stream(code: &[u8]) -> Vec<u8> {
    let mut out = vec![1, (3 + 2 + 4 + code.len()) as u8, 0, 1, 1, 0xFF, 0xFF, 0, 0];
    out.extend(code);
    out.push(0);
    out
}

/// Somebody on the next tile, looked at.
fn neighbour(section: &[u8]) -> crate::common::Play {
    let plan = Plan {
        people: &[([20, 19], TALKER)],
        motion: section,
        ..Plan::default()
    };
    let mut play = plan.play();
    play.put(START.x, START.z - 12);
    play
}

/// Motion sheet, 3.1; field sheet, 5.2: the record of an actor's standing move is written by streams. Where none
/// has been, a touch is heard, and what the game itself has set stays.
#[test]
fn a_touch_of_somebody_without_a_stream_is_heard() {
    let mut play = neighbour(&[]);
    play.frames(0x4000, 10);
    assert_eq!(play.world.field.mailbox.read(), Some(1));
    let mut play = neighbour(&[]);
    play.world.field.mailbox.mute(1, true);
    play.frames(0x4000, 10);
    assert_eq!(play.world.field.mailbox.read(), None);
}

/// A stream that begins has no standing move, so touches are not heard until its op 17 has set one. Then a touch
/// ends its wait, and every event that is posted sends the actor back to its standing move.
#[test]
fn a_stream_hears_touches_from_its_standing_move_on() {
    // Waits; a standing move; a long wait; a flag; waits.
    let section = stream(&[5, 20, 0x17, 6, 0, 5, 0xF0, 7, 0x10, 3, 5, 0xFF, 1]);
    let mut play = neighbour(&section);
    // The stream begins, then the player comes.
    play.frames(0, 1);
    play.frames(0x4000, 8);
    let standing = |play: &crate::common::Play| play.world.field.mailbox.standing(1);
    assert_eq!(play.world.field.mailbox.read(), None);
    assert_eq!(standing(&play), None);
    let mut frames = 0;
    while standing(&play).is_none() {
        play.frames(0, 1);
        frames += 1;
        assert!(frames < 30);
    }
    assert_eq!(standing(&play), Some(6));
    assert!(!play.flag(0x310));
    // Touched: the rest of the long wait falls away.
    play.frames(0x4000, 2);
    play.frames(0, 4);
    assert!(play.flag(0x310));
    // Its clip is another one, until a talk begins.
    let who = |play: &crate::common::Play| *play.world.field.actors.iter().next().unwrap().1;
    for (_, actor) in play.world.field.actors.iter_mut() {
        actor.animation = 9;
    }
    play.frames(0, 2);
    assert_eq!((who(&play).animation, who(&play).standing), (9, 0));
    assert!(play.frame(INTERACT).field.interact.is_some());
    assert_eq!((who(&play).animation, who(&play).standing), (6, 6));
    assert_eq!(play.read(), ["Hello."]);
}
