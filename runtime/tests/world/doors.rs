//! A door that a script opens (field sheet, section 13): clip, clock, latch and box of one object in a played
//! scene.

use crate::common::{Plan, Play, START, bind, thing};
use overworld_runtime::anim::legaia::{ClipSource, Pose, emit};
use overworld_runtime::field::actor::{Actor, Draw, flag};
use overworld_runtime::field::map::trigger::Source;
use overworld_runtime::field::pad::Z_PLUS;
use overworld_runtime::field::units::Point;

const OPEN: u16 = 0x300;

/// The sheet's idiom: resting shut and held; a touch takes the box away, swings, and waits for the end.
const DOOR: &str = "nop.24
                    ramp.pace 0x20, 0       ; 4C 41
                    local.20a               ; 4C 35
                    nop.f
                    lclr 7                  ; 2C 07
                    lclr 1                  ; 2C 01
                    lset 3                  ; 2B 03
                    cset 0                  ; 31 00
                    lclr 8                  ; 2C 08
                    ltst 8                  ; 2D 08
                    sset 0x300
                    nop.f
              idle: nop.f
                    jmp idle";

/// One clip of two parts that lasts 30 frames.
fn bank() -> Vec<u8> {
    let poses = [Pose::default(); 60];
    let clip = ClipSource {
        parts: 2,
        frames: 30,
        blend: false,
        rate: 1,
        extra: 0,
        poses: &poses,
    };
    let mut out = vec![0; 0x1000];
    let len = emit(&[clip], &mut out).unwrap();
    out.truncate(len);
    out
}

/// A door three tiles before the player, towards Z+.
fn scene(bank: &[u8], scalar: u8) -> Play {
    let mut play = Plan {
        objects: &[DOOR],
        clip: 1,
        bank,
        triggers: Source {
            scripts: &[bind([20, 23], 0)],
            ..Source::default()
        },
        placed: &[(5, [20, 23], thing())],
        ..Plan::default()
    }
    .play();
    play.world.settings.scalar = scalar;
    play
}

fn door(play: &Play) -> Actor {
    *play.world.field.actors.iter().next().unwrap().1
}

/// Whether the way to Z+ is free for a player whom no script holds.
fn is_free(play: &Play) -> bool {
    let mut field = play.world.field.clone();
    field.player.flags &= !flag::LOCKED;
    let from = field.player.z;
    let input = overworld_runtime::field::Input {
        held: Z_PLUS,
        ..Default::default()
    };
    field.frame(&play.world.ground(), &input);
    field.player.z > from
}

#[test]
fn a_door_is_bound_posed_opened_and_walked_through() {
    let bank = bank();
    for scalar in [1, 2] {
        let mut play = scene(&bank, scalar);
        let rest = door(&play);
        assert_eq!(
            (rest.script, rest.animation, rest.draw),
            (0, 1, Draw::Posed)
        );
        // The prologue has run: shut, held, at the pace of 4C 41.
        assert_eq!((rest.mode, rest.rate), (0x021F, 16));
        play.frames(0, 40);
        let rest = door(&play);
        assert_eq!(
            (rest.mode, rest.cursor, rest.bound),
            (0x001F, 0, 1),
            "it rests"
        );

        // Up to its box, 142 before its middle, and not a unit further: the touch.
        let mut frames = 0;
        while door(&play).flags & flag::EXEMPT == 0 {
            assert!(door(&play).cursor == 0 && !play.flag(OPEN));
            play.frames(Z_PLUS, 1);
            frames += 1;
            assert!(frames < 100);
        }
        let before = Point::new(START.x, 23 * 128 + 64 - 142);
        assert_eq!(play.at(), before);
        // The swing has just begun, the script waits, and the box is gone already.
        let swings = door(&play);
        assert_eq!(
            (swings.mode, swings.cursor),
            (0x001D, 16 * i16::from(scalar))
        );
        assert!(is_free(&play) && play.world.field.player.has(flag::LOCKED));
        // 479 sixteenths of a frame, 16 each vertical blank: 29 frames after the first, and the one that arrives.
        let mut waited = 1;
        while !play.flag(OPEN) {
            assert_eq!(play.at(), before, "the script has the player");
            assert!(door(&play).cursor > swings.cursor || waited == 1);
            play.frames(Z_PLUS, 1);
            waited += 1;
            assert!(waited < 100);
        }
        assert_eq!(
            waited,
            30 / u32::from(scalar) + 1,
            "the latch is read a frame later"
        );
        assert_eq!(
            (door(&play).mode, door(&play).cursor),
            (0x011D, 479),
            "open"
        );

        // Through it, and out on the other side.
        play.frames(Z_PLUS, 60);
        assert!(play.at().z > 24 * 128 + 64, "{:?}", play.at());
        assert_eq!(play.at().x, START.x);
        assert_eq!(
            (door(&play).mode, door(&play).cursor),
            (0x011D, 479),
            "it stays open"
        );
    }
}

/// What the sweep sees of the same door before it is touched: nobody gets through.
#[test]
fn a_door_that_nobody_has_opened_bars_the_way() {
    let mut play = scene(&bank(), 1);
    play.put(START.x, 23 * 128 + 64 - 142);
    assert!(!is_free(&play));
}

/// The latch is the clock's: without the clip the script waits for ever, and the door is not drawn.
#[test]
fn a_door_without_its_clip_never_ends() {
    let mut play = scene(&[], 1);
    play.frames(Z_PLUS, 300);
    assert_eq!(door(&play).draw, Draw::None);
    assert!(door(&play).flags & flag::EXEMPT != 0 && !play.flag(OPEN));
    assert!(play.world.field.player.has(flag::LOCKED));
}
