//! What is left of ambient streams beside their rows: wandering with luck, tweens against the clock, menus.

use overworld_runtime::script::context::Context;
use overworld_runtime::script::host::Absent;
use overworld_runtime::script::state::Resume;

use crate::ambient::ambient;
use crate::host::Recorder;

/// X, Z, heading and place in the stream of each of some ticks, with this random number.
fn ticks<const N: usize>(
    code: &str,
    at: (i16, i16),
    heading: u16,
    rand: u32,
) -> [(i16, i16, u16, u16); N] {
    let mut vm = ambient(code, at, heading);
    let mut host = Recorder {
        rand,
        ..Recorder::default()
    };
    [0; N].map(|_| {
        vm.frame(&mut host, 256, |_, _| {});
        let it = vm.contexts[0];
        (it.x, it.z, it.heading, it.stream_pc)
    })
}

/// Motion sheet, 3.5: what is not below 8 at the end of a way picks the next one, up to one that would leave the box.
#[test]
fn wanderers_go_on_while_they_are_lucky() {
    // Tiles 2 to 3 along X: from 140h to 1C0h. Bits 0: two ticks of 32 units a way. 14 is X+, and not below 8.
    let seen = ticks("18 02 02 03 02 12 1F", (0x140, 0x140), 0xC00, 14);
    let places = seen.map(|it: (i16, i16, u16, u16)| (it.0, it.3));
    assert_eq!(
        places,
        [(0x160, 0), (0x180, 0), (0x1A0, 0), (0x1C0, 0), (0x1C0, 5)]
    );
    // 6 is X+ as well, and ends the op with its way.
    let seen = ticks("18 02 02 03 02 12 1F", (0x140, 0x140), 0xC00, 6);
    let places = seen.map(|it: (i16, i16, u16, u16)| (it.0, it.3));
    assert_eq!(places, [(0x160, 0), (0x180, 5)]);
    // In a box of one tile no way begins, and nobody turns for it.
    assert_eq!(
        ticks("18 02 02 02 02 12 1F", (0x140, 0x140), 0x123, 14),
        [(0x140, 0x140, 0x123, 5)]
    );
}

/// The shortest way round is also down, and the heading is kept to 12 bits on it.
#[test]
fn wanderers_turn_down_as_well() {
    let headings = |heading, rand| {
        let seen: [_; 5] = ticks("18 00 00 7F 7F 12 1F", (0x2000, 0x2000), heading, rand);
        seen.map(|it| it.2)
    };
    // 400h a tick: from Z+ down to X-, through 0 down to X+, and what is left of it in one.
    assert_eq!(headings(0x800, 2)[..2], [0x400, 0x400]);
    assert_eq!(headings(0x200, 6)[..3], [0xE00, 0xC00, 0xC00]);
    assert_eq!(headings(0x500, 2)[..2], [0x400, 0x400]);
    // A raw heading is taken to its 12 bits.
    assert_eq!(headings(0x1D00, 6)[..2], [0xC00, 0xC00]);
    assert_eq!(headings(0xFF00, 6)[..2], [0xC00, 0xC00]);
    // Half a turn goes up.
    assert_eq!(headings(0x400, 6)[..3], [0x800, 0xC00, 0xC00]);
}

/// The four high bits are a number, that of the first byte its highest.
#[test]
fn the_pace_is_scattered_over_four_bytes() {
    for (code, bits) in [
        ("18 00 00 7F 7F 12 1F", 0),
        ("18 80 00 7F 7F 12 1F", 8),
        ("18 00 80 7F 7F 12 1F", 4),
        ("18 00 00 FF 7F 12 1F", 2),
        ("18 00 00 7F FF 12 1F", 1),
        ("18 80 00 7F FF 12 1F", 9),
    ] {
        let [first] = ticks(code, (0x2000, 0x2000), 0, 2);
        assert_eq!(first.2, 0x1000 >> (bits + 2), "{code}");
        // Walking: so much a tick, 1 at least, and 64 units in all.
        let mut vm = ambient(code, (0x2000, 0x2000), 0xC00);
        let mut host = Recorder {
            rand: 6,
            ..Recorder::default()
        };
        let step = (0x80 >> (bits + 2)).max(1);
        for passed in 1..=64 / step {
            assert_eq!(vm.contexts[0].stream_pc, 0, "{code}, {passed}");
            vm.frame(&mut host, 256, |_, _| {});
            assert_eq!(vm.contexts[0].x, 0x2000 + step * passed, "{code}");
        }
        assert_eq!(vm.contexts[0].stream_pc, 5, "{code}");
    }
}

/// Who is in the way of a wanderer is not walked into: another way is picked.
#[test]
fn wanderers_pick_anew_before_the_player() {
    let mut vm = ambient("18 00 00 7F 7F 12 1F", (0x2000, 0x2000), 0xC00);
    vm.contexts[1] = Context {
        x: 0x2000 + 64,
        z: 0x2000,
        ..Context::new(1, &[], 0)
    };
    vm.player = Some(1);
    let mut host = Recorder {
        rand: 6,
        ..Recorder::default()
    };
    for _ in 0..3 {
        vm.frame(&mut host, 256, |_, _| {});
        assert_eq!((vm.contexts[0].x, vm.contexts[0].stream_pc), (0x2000, 0));
    }
    // The way to the other side is free.
    host.rand = 2;
    for _ in 0..5 {
        vm.frame(&mut host, 256, |_, _| {});
    }
    assert!(vm.contexts[0].x < 0x2000);
}

/// `0D` upwards to a heading that is less goes through 0: the start is taken a turn back (3.4).
#[test]
fn tweens_go_their_way() {
    let headings = |code: &str, heading| {
        let seen: [_; 4] = ticks(code, (0, 0), heading, 0);
        seen.map(|it: (i16, i16, u16, u16)| it.2)
    };
    // From C00h up to 400h: from -400h.
    assert_eq!(
        headings("0D 02 04 00 12 1F", 0xC00),
        [0xFE00, 0, 0x200, 0x400]
    );
    // Down from 400h to C00h: from 1400h.
    assert_eq!(
        headings("0D 86 04 00 12 1F", 0x400),
        [0x1200, 0x1000, 0xE00, 0xC00]
    );
    // Down from C00h to 400h, and up from 400h to C00h, it is where it was; as it is where it already stands.
    assert_eq!(
        headings("0D 82 04 00 12 1F", 0xC00),
        [0xA00, 0x800, 0x600, 0x400]
    );
    assert_eq!(
        headings("0D 06 04 00 12 1F", 0x400),
        [0x600, 0x800, 0xA00, 0xC00]
    );
    for code in ["0D 02 04 00 12 1F", "0D 82 04 00 12 1F"] {
        assert_eq!(headings(code, 0x400), [0x400; 4]);
    }
}

/// A menu is a modal window as a conversation is (3.1): streams rest while it is open.
#[test]
fn streams_rest_while_a_menu_is_open() {
    let mut vm = ambient("03 63 01 01", (0, 0), 0);
    for (resume, x) in [
        (Resume::Armed, 0),
        (Resume::Armed, 0),
        (Resume::Done, 4),
        (Resume::Idle, 8),
    ] {
        vm.state.resume = resume;
        vm.frame(&mut Absent, 256, |_, _| {});
        assert_eq!(vm.contexts[0].x, x, "{resume:?}");
    }
}
