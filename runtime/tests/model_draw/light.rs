//! Lamps, fades and the depth cue.

use super::common::{NoScreen, PRIMITIVE, SQUARE, at, draw_at, gte, one, packets, tmd};
use overworld_runtime::anim::legaia::{self, Bank, ClipEnd, ClipSource, Pose};
use overworld_runtime::fixed::{Matrix, SVector};
use overworld_runtime::gpu::{DisplayList, Style};
use overworld_runtime::model::draw::{self, Cue, Light, Motion, Options};
use overworld_runtime::model::tmd::{GroupSource, Kind, Tmd};

#[test]
fn a_fade_moves_every_stored_colour_and_none_moves_nothing() {
    let faded = |kind: Kind, amount: u16| {
        let options = Options {
            bank: draw::Bank::Half(Cue::fade([0x80, 0x40, 0x20], amount)),
            ..Options::for_buckets(4096)
        };
        draw_at(&one(kind, Style::OPAQUE, PRIMITIVE), 1024, &options).1
    };
    for kind in Kind::ALL {
        let plain = draw_at(
            &one(kind, Style::OPAQUE, PRIMITIVE),
            1024,
            &Options::for_buckets(4096),
        );
        assert_eq!(faded(kind, 0), plain.1, "{kind:?}");
        let layout = kind.layout();
        // Rows 8 to 11 of the sheet's table: the same handlers in all banks, without DPCS.
        if kind.is_lit() {
            assert_eq!(faded(kind, 0x800), plain.1, "{kind:?}");
            assert_eq!(faded(kind, 0x1000), plain.1, "{kind:?}");
            continue;
        }
        let gouraud = layout.command & 0x10 != 0;
        let step = 1 + usize::from(layout.texture.is_some()) + usize::from(gouraud);
        let colours = if gouraud { layout.corners } else { 1 };
        // Half way, all at once: (c + far) / 2 of each component; then all of it.
        let (half, full) = (faded(kind, 0x800), faded(kind, 0x1000));
        let mut expected = plain.1[0].1.clone();
        for n in 0..colours {
            let [r, g, b, code] = expected[n * step].to_le_bytes();
            let middle = |c: u8, far: u8| ((u16::from(c) + u16::from(far)) / 2) as u8;
            let halved = [middle(r, 0x80), middle(g, 0x40), middle(b, 0x20), code];
            assert_eq!(
                half[0].1[n * step],
                u32::from_le_bytes(halved),
                "{kind:?} {n}"
            );
            expected[n * step] = u32::from_le_bytes([0x80, 0x40, 0x20, code]);
        }
        assert_eq!(full[0].1, expected, "{kind:?}");
    }
}

/// A red lamp in front (towards -Z), a green one of half strength to the right.
const LIGHT: Light = Light {
    lamps: Matrix {
        m: [[0, 0, -4096], [2048, 0, 0], [0, 0, 0]],
    },
    colours: Matrix {
        m: [[4096, 0, 0], [0, 4096, 0], [0, 0, 0]],
    },
    background: [0x10, 0x20, 0x30],
};

/// To the front, to the right, between them, to the back.
const NORMALS: [SVector; 4] = [
    SVector::new(0, 0, -4096),
    SVector::new(4096, 0, 0),
    SVector::new(2048, 0, -2048),
    SVector::new(0, 0, 4096),
];

/// The light on each of the normals, times 80h over 1000h. What a lamp gives is 1000h for its full
/// strength, the background 100h, 200h and 300h; a lamp behind a surface takes nothing away.
const LIT: [u32; 4] = [0x18_1088, 0x18_5008, 0x18_3048, 0x18_1008];

fn lit_square(kind: Kind) -> Vec<u8> {
    let groups = [GroupSource {
        kind,
        style: Style::OPAQUE,
        primitives: &[PRIMITIVE],
    }];
    tmd(&SQUARE, &NORMALS, &groups)
}

/// The colour words of a packet of a textured kind, without the command.
fn colours_of(kind: Kind, packet: &[u32]) -> Vec<u32> {
    let layout = kind.layout();
    let gouraud = layout.command & 0x10 != 0;
    let colours = if gouraud { layout.corners } else { 1 };
    let step = if gouraud { 3 } else { packet.len() };
    let words = packet.iter().step_by(step).take(colours);
    assert_eq!(packet[0] >> 24, layout.command.into());
    words.map(|word| word & 0xFF_FFFF).collect()
}

#[test]
fn lamps_shine_on_the_kinds_with_normals_and_on_no_others() {
    let plain = Options::for_buckets(4096);
    assert_eq!(plain.light, None, "off by default");
    let lit = Options {
        light: Some(LIGHT),
        ..plain
    };
    for kind in Kind::ALL {
        let bytes = lit_square(kind);
        let (dark, shone) = (draw_at(&bytes, 1024, &plain), draw_at(&bytes, 1024, &lit));
        assert_eq!(dark.0, shone.0);
        if !kind.is_lit() {
            assert_eq!(dark, shone, "{kind:?}");
            continue;
        }
        let (dark, shone) = (&dark.1[0].1, &shone.1[0].1);
        let colours = colours_of(kind, shone);
        assert_eq!(colours, LIT[..colours.len()], "{kind:?}");
        // All but the colours is as without.
        let mut same = shone.clone();
        for (n, word) in same.iter_mut().enumerate() {
            if n == 0 || (colours.len() > 1 && n % 3 == 0) {
                *word = *word & 0xFF00_0000 | 0x80_8080;
            }
        }
        assert_eq!(&same, dark, "{kind:?}");
        // Lit kinds are not cued, with light neither.
        let faded = Options {
            bank: draw::Bank::Half(Cue::fade([0; 3], 0x1000)),
            ..lit
        };
        assert_eq!(&draw_at(&bytes, 1024, &faded).1[0].1, shone, "{kind:?}");
    }
}

#[test]
fn lamps_stay_where_they_are_when_a_part_or_an_actor_turns() {
    let bytes = lit_square(Kind::Ft4Lit);
    let mesh = Tmd::parse(&bytes).unwrap();
    let colour = |light: Light, r: [u16; 3]| {
        let poses = [Pose { t: [0; 3], r }];
        let clip = ClipSource {
            parts: 1,
            frames: 1,
            blend: false,
            rate: 1,
            extra: 0,
            poses: &poses,
        };
        let mut bank = vec![0; 64];
        let len = legaia::emit(&[clip], &mut bank).unwrap();
        let bank = Bank::parse(&bank[..len]).unwrap();
        let motion = Motion {
            clip: bank.clip(1).unwrap(),
            cursor: 0,
            end: ClipEnd::Hold,
        };
        let options = Options {
            two_sided: true,
            light: Some(light),
            ..Options::for_buckets(4096)
        };
        let mut words = vec![0; 8192];
        let mut list = DisplayList::new(&mut words, 4096);
        list.begin(&mut NoScreen);
        draw::posed(&mut gte(), &mut list, &mesh, &motion, &at(1024), &options).unwrap();
        packets(&list)[0].1[0] & 0xFF_FFFF
    };
    // The normal looks to -Z. A quarter about Y takes it to -X, three quarters to X, a half to Z.
    let [front, right, _, back] = LIT;
    let dark = back;
    for (turn, expected) in [(0, front), (0x400, dark), (0xC00, right), (0x800, dark)] {
        assert_eq!(colour(LIGHT, [0, turn, 0]), expected, "{turn:#x}");
        // The same for an actor: its lamps are those of the world, seen from it.
        let light = LIGHT.turned(&Matrix::rotation_y(turn));
        assert_eq!(colour(light, [0; 3]), expected, "{turn:#x}");
    }
    // About X first, then Y: -Z goes to Y and stays there.
    assert_eq!(colour(LIGHT, [0x400, 0xC00, 0]), dark);
    // Y first would have made it X. About Z it makes no difference.
    assert_eq!(colour(LIGHT, [0, 0xC00, 0x800]), dark);
    assert_eq!(colour(LIGHT, [0, 0, 0x400]), front);
}

#[test]
fn a_depth_cue_begins_at_its_near_end_and_is_over_at_the_far_one() {
    let cue = Cue::between([0; 3], 1000, 8000, 512).unwrap();
    let options = Options {
        bank: draw::Bank::cued(Some(cue)),
        ..Options::for_buckets(4096)
    };
    let bytes = one(Kind::F4, Style::OPAQUE, PRIMITIVE);
    let colour = |z| draw_at(&bytes, z, &options).1[0].1[0] & 0xFF_FFFF;
    assert_eq!(colour(900), 0x11_2233);
    // DQA is a whole number: the beginning is off by a part of 571 at most.
    assert_eq!(colour(990), 0x11_2233);
    assert!(colour(1500) < 0x11_0000);
    assert_eq!(colour(8000), 0);
    assert_eq!(colour(20_000), 0);
    for (near, end, h) in [
        (0, 1, 512),
        (5, 5, 512),
        (6, 5, 512),
        (1, 2, 0),
        (60_000, 60_001, 1),
    ] {
        assert_eq!(Cue::between([0; 3], near, end, h), None, "{near} {end} {h}");
    }
}
