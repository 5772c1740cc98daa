//! The walk kernel and ambient streams (motion sheet).

#[path = "script/ambient.rs"]
mod ambient;
#[path = "script/host.rs"]
mod host;
#[path = "script/rows.rs"]
mod rows;
#[path = "script/source.rs"]
mod source;
#[path = "script/wander.rs"]
mod wander;

use host::Recorder;
use overworld_runtime::script::context::{Context, Place, flag};
use overworld_runtime::script::{Compat, Vm};
use source::hex;

/// A context parked on an instruction.
fn parked(code: &str, at: (i16, i16), heading: u16) -> Vm<'static, 3> {
    let mut vm = Vm::new(Compat::Retail);
    let saved = Some(Place::new(hex(code), 0));
    let (x, z) = at;
    vm.contexts[0] = Context {
        flags: flag::HALT,
        saved,
        x,
        z,
        heading,
        ..Context::new(0x46, &[], 0)
    };
    vm
}

/// X, Z and heading after each frame until the kernel lets go, that one included.
fn walk(vm: &mut Vm<'_, 3>, dt: u8) -> Vec<(i16, i16, u16)> {
    let mut host = Recorder {
        dt,
        ..Recorder::default()
    };
    let mut seen = Vec::new();
    while vm.contexts[0].halted() && seen.len() < 5000 {
        vm.walk(&mut host, 0);
        let it = vm.contexts[0];
        seen.push((it.x, it.z, it.heading));
    }
    seen
}

/// X, Z and heading.
type At = (i16, i16, u16);
/// A parked instruction or a stream; where its actor stands; display frames and ticks; what comes of it.
type Walk = (&'static str, &'static [u8], At, u8, usize, At, At);
type Stream = (i16, i16, u16, u16);
type Ambient = (&'static str, &'static [u8], At, u8, usize, Stream, Stream);

/// The rows that the battery plays on every machine.
#[test]
fn rows_of_the_battery() {
    const WALKS: [Walk; 12] = include!("../../tests/battery/tables/script_walks.rs");
    const STREAMS: [Ambient; 9] = include!("../../tests/battery/tables/script_streams.rs");
    for (name, code, (x, z, heading), dt, ticks, first, last) in WALKS {
        let mut vm = parked("", (x, z), heading);
        vm.contexts[0].saved = Some(Place::new(code, 0));
        let seen = walk(&mut vm, dt);
        // What waits for somebody else is still there.
        let wanted = if ticks == 0 { 5000 } else { ticks };
        assert_eq!((seen[0], seen.len()), (first, wanted), "{name}");
        assert_eq!(seen.last(), Some(&last), "{name}");
    }
    for (name, stream, (x, z, heading), dt, ticks, first, last) in STREAMS {
        let mut vm = parked("", (x, z), heading);
        vm.contexts[0].flags = 0;
        (vm.contexts[0].stream, vm.contexts[0].enable) = (stream, 1);
        let mut host = Recorder {
            dt,
            ..Recorder::default()
        };
        let seen: Vec<Stream> = (0..ticks)
            .map(|_| {
                vm.frame(&mut host, 256, |_, _| {});
                let it = vm.contexts[0];
                (it.x, it.z, it.heading, it.stream_pc)
            })
            .collect();
        assert_eq!((seen[0], seen[ticks - 1]), (first, last), "{name}");
    }
}

/// M1: the larger axis first, then both; 8 units a frame are bits 2.
#[test]
fn m1_walk_to() {
    // Tile (1, 1) is (192, 192): 24 and 8 units away.
    let mut vm = parked("47 01 01 02", (168, 184), 5);
    let expected = [(176, 184, 0xC00), (184, 184, 0xC00), (192, 192, 0xA00)];
    assert_eq!(walk(&mut vm, 1), expected);
    assert_eq!(vm.contexts[0].wait_accum, 0);
    // The example of 2.2, from 8 units short of (2240, 3520): 4 a frame at bits 3, mode 3 as the default.
    let mut vm = parked("C7 46 11 1B 33", (2240, 3512), 0x800);
    assert_eq!(walk(&mut vm, 1), [(2240, 3516, 0x800), (2240, 3520, 0x800)]);
    // Already there: done at once, heading kept.
    let mut vm = parked("47 01 01 02", (192, 192), 77);
    assert_eq!(walk(&mut vm, 1), [(192, 192, 77)]);
    // A tick of two display frames walks twice as far.
    let mut vm = parked("47 01 01 02", (160, 192), 0);
    assert_eq!(walk(&mut vm, 2), [(176, 192, 0xC00), (192, 192, 0xC00)]);
}

/// M3: an arc is its host's; M4: what is no walk is done; a fresh context waits for its owner.
#[test]
fn m3_and_m4() {
    let mut host = Recorder::default();
    for (code, done) in [
        ("43 00 01 02 03", false),
        // M3's one byte: the kernel does not read the operands of what others end.
        ("43", false),
        ("C3 46", false),
        ("21", true),
        ("4C 61 00", false),
        ("4C 85 00 00", true),
        ("4C", true),
        ("47 01 01", true),
        ("", true),
        ("4C 80 01", false),
        ("22 01", true),
    ] {
        let mut vm = parked(code, (1, 2), 3);
        let before = vm.contexts[0];
        vm.walk(&mut host, 0);
        assert_eq!(vm.contexts[0].halted(), !done, "{code}");
        let after = Context {
            flags: before.flags,
            ..vm.contexts[0]
        };
        assert_eq!(after, before);
    }
    let mut vm = parked("", (0, 0), 0);
    vm.contexts[0].saved = None;
    vm.walk(&mut host, 0);
    assert!(vm.contexts[0].halted());
}

#[test]
fn m5_and_m6_turns() {
    let headings = |code, heading, dt| -> Vec<u16> {
        walk(&mut parked(code, (0, 0), heading), dt)
            .into_iter()
            .map(|it| it.2)
            .collect()
    };
    // M5 in the retail heading space: from Z+ to X+.
    assert_eq!(headings("38 06 04", 0x800, 1), [0x900, 0xA00, 0xB00, 0xC00]);
    // M6: the port's LUT entry 0x400 is retail's index 2. Raw, unmasked, until the snap.
    assert_eq!(headings("38 82 04", 0xF00, 2), [0x1180, 0x400]);
    // Decreasing, and below zero.
    assert_eq!(headings("38 06 82", 0x200, 1), [0xFF00, 0xC00]);
    // An index of no direction leaves the heading.
    assert_eq!(headings("38 09 04", 0x123, 1), [0x123]);
    // The shortest way down; half a turn goes up.
    assert_eq!(headings("38 80 02", 0x200, 1), [0x100, 0x000]);
    assert_eq!(headings("38 84 02", 0, 1), [0x400, 0x800]);
    assert_eq!(headings("38 84 82", 0xFFF, 1), [0xC00, 0x800]);
}

#[test]
fn turns_toward_an_actor() {
    let mut vm = parked("4C 85 02 00 47", (0, 0), 0x400);
    vm.contexts[1] = Context {
        x: 0,
        z: -100,
        ..Context::new(0x47, &[], 0)
    };
    // Bearing of Z- is 0x800; plus 0x800 is retail heading 0.
    let headings: Vec<u16> = walk(&mut vm, 1).into_iter().map(|it| it.2).collect();
    assert_eq!(headings, [0x200, 0x000]);
    let mut gone = parked("4C 8F 02 00 99", (0, 0), 0x400);
    assert_eq!(walk(&mut gone, 1), [(0, 0, 0x400)]);
}

/// 2.5: `85` and `8E` turn the shortest way, `8F` decreasing, toward where the other stands now; in the extended
/// form as well.
#[test]
fn turns_follow_an_actor() {
    for (code, headings) in [
        // From Z- to X-, and to the Z+ that it has gone to meanwhile.
        ("4C 85 04 00 47", [0x100, 0x200, 0x500, 0x800]),
        ("4C 8E 04 00 47", [0x100, 0x200, 0x500, 0x800]),
        ("CC 46 85 04 00 47", [0x100, 0x200, 0x500, 0x800]),
        ("4C 8F 04 00 47", [0xFD00, 0xFA00, 0xF900, 0x800]),
    ] {
        let mut vm = parked(code, (0, 0), 0);
        vm.contexts[1] = Context {
            x: -100,
            ..Context::new(0x47, &[], 0)
        };
        let mut host = Recorder::default();
        let seen = [0, 1, 2, 3].map(|frame| {
            if frame == 2 {
                (vm.contexts[1].x, vm.contexts[1].z) = (0, 100);
            }
            vm.walk(&mut host, 0);
            vm.contexts[0].heading
        });
        assert_eq!(seen, headings, "{code}");
        assert!(!vm.contexts[0].halted());
    }
    // All sixteen bits of the frames count.
    let mut vm = parked("4C 85 00 01 47", (0, 0), 0);
    vm.contexts[1] = Context {
        x: -100,
        ..Context::new(0x47, &[], 0)
    };
    assert_eq!(walk(&mut vm, 1).len(), 0x100);
}

/// The table of section 1: where each index goes, both axes by the full step.
#[test]
fn glides_go_to_all_eight_points() {
    let table = [
        (0, -1),
        (-1, -1),
        (-1, 0),
        (-1, 1),
        (0, 1),
        (1, 1),
        (1, 0),
        (1, -1),
    ];
    for (index, (x, z)) in table.into_iter().enumerate() {
        // Bits of no meaning are set besides.
        let code = format!("37 {:02X} 81", 0x78 | index);
        let seen = walk(&mut parked(&code, (0, 0), 7), 1);
        assert_eq!(seen.len(), 16, "{index}");
        assert_eq!(seen[0], (8 * x, 8 * z, 7), "{index}");
        assert_eq!(seen[15], (128 * x, 128 * z, 7), "{index}");
    }
}

/// The heading of a walk is written when its direction changes, not each frame (2.2).
#[test]
fn a_walk_turns_when_its_way_does() {
    let mut vm = parked("47 01 01 02", (160, 184), 5);
    let mut host = Recorder::default();
    let seen = [0; 4].map(|_| {
        vm.walk(&mut host, 0);
        let heading = vm.contexts[0].heading;
        // Somebody else turns it meanwhile.
        vm.contexts[0].heading = 7;
        heading
    });
    assert_eq!(seen, [0xC00, 7, 7, 0xA00]);
    assert!(!vm.contexts[0].halted());
}

/// D1 and D2, and that the pace does not change the way.
#[test]
fn d1_and_d2_glides() {
    let mut vm = parked("37 41 82", (1000, 1000), 0x123);
    let seen = walk(&mut vm, 1);
    assert_eq!(seen.len(), 32);
    assert_eq!(seen[0], (992, 992, 0x123));
    assert_eq!(seen[31], (744, 744, 0x123));
    assert_eq!(walk(&mut parked("41 06 40", (5, 6), 0), 1), [(5, 6, 0)]);
    // 41 goes half as far; three display frames a tick end at the same place.
    for dt in [1, 3] {
        let seen = walk(&mut parked("41 06 43", (0, 0), 0), dt);
        assert_eq!(seen.last(), Some(&(192, 0, 0)), "{dt}");
    }
}

/// P7 to P13 of the field sheet: units of the first frame, walked by the machine under both readings of
/// the ladder. The axis walks multiply first, the walk to a tile takes the quotient first.
#[test]
fn p7_to_p13_walks() {
    use overworld_runtime::field::Compat as Readings;
    let first = |code: &str, dt, field| {
        let mut vm = parked(code, (0, 64), 0);
        vm.field = field;
        let mut host = Recorder {
            dt,
            ..Recorder::default()
        };
        vm.walk(&mut host, 0);
        i32::from(vm.contexts[0].x)
    };
    let bare = Readings {
        step_floor: false,
        ..Readings::SHEET
    };
    // The upstream port: always one vertical blank (row 35).
    let port = Readings {
        glide_frames: false,
        ..Readings::SHEET
    };
    // 37 and 41 along +X: the bits lie in bit 7 of the first operand and bits 6 and 7 of the second.
    for (number, opcode, bits, retail) in [
        (7, 0x37, 0, [32, 64]),
        (8, 0x37, 2, [8, 16]),
        (9, 0x37, 5, [1, 2]),
        (10, 0x37, 6, [0, 1]),
        (11, 0x41, 0, [16, 32]),
        (12, 0x41, 4, [1, 2]),
        (13, 0x41, 5, [0, 1]),
    ] {
        let [b0, b1] = [6 | (bits & 4) << 5, 5 | (bits & 3) << 6];
        let code = format!("{opcode:02X} {b0:02X} {b1:02X}");
        for (dt, units) in [1, 2].into_iter().zip(retail) {
            assert_eq!(first(&code, dt, bare), units, "P{number}");
            assert_eq!(first(&code, dt, Readings::SHEET), units.max(1), "P{number}");
            assert_eq!(first(&code, dt, port), retail[0].max(1), "P{number}");
        }
    }
    // 47 to tile (100, 0): two display frames are twice the quotient.
    for (bits, units, floored) in [(0, 64, 64), (5, 2, 2), (6, 0, 2), (7, 0, 2)] {
        let code = format!("47 64 00 {bits:02X}");
        assert_eq!(first(&code, 2, bare), units, "{bits}");
        assert_eq!(first(&code, 2, Readings::SHEET), floored, "{bits}");
        assert_eq!(first(&code, 2, port), floored / 2, "{bits}");
    }
}

/// The way of an axis walk does not depend on its pace nor on the tick, also where the ladder's floor
/// hastens it (2.1).
#[test]
fn the_way_of_a_glide_is_fixed() {
    for (opcode, way) in [(0x37, 3 * 0x80), (0x41, 3 * 0x40)] {
        for bits in 0..8 {
            let [b0, b1] = [6 | (bits & 4) << 5, 3 | (bits & 3) << 6];
            let code = format!("{opcode:02X} {b0:02X} {b1:02X}");
            for dt in 1..=4 {
                let seen = walk(&mut parked(&code, (0, 0), 0), dt);
                assert_eq!(seen.last(), Some(&(way, 0, 0)), "{code}, {dt}");
            }
        }
    }
}
