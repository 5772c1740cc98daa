//! The packets of every kind, and which polygons have none.

use super::common::{NoScreen, PRIMITIVE, SQUARE, XY, at, draw_at, gte, one, packets, tmd};
use overworld_runtime::fixed::SVector;
use overworld_runtime::gpu::{DisplayList, Style};
use overworld_runtime::model::draw::{self, Cue, Options, Stats};
use overworld_runtime::model::tmd::{GroupSource, Kind, Primitive, Tmd};

#[test]
fn the_packet_of_every_kind() {
    let [a, b, c, d] = XY;
    let (ta, tb, tc, td) = (0x7D00_0100, 0x000C_0302, 0x0504, 0x0706);
    let expected: [(Kind, &[u32]); 12] = [
        (Kind::Ft3Lit, &[0x2480_8080, a, ta, b, tb, c, tc]),
        (Kind::Ft4Lit, &[0x2C80_8080, a, ta, b, tb, c, tc, d, td]),
        (
            Kind::Gt3Lit,
            &[0x3480_8080, a, ta, 0x80_8080, b, tb, 0x80_8080, c, tc],
        ),
        (
            Kind::Gt4Lit,
            &[
                0x3C80_8080,
                a,
                ta,
                0x80_8080,
                b,
                tb,
                0x80_8080,
                c,
                tc,
                0x80_8080,
                d,
                td,
            ],
        ),
        (Kind::F3, &[0x2011_2233, a, b, c]),
        (Kind::F4, &[0x2811_2233, a, b, c, d]),
        (Kind::G3, &[0x3011_2233, a, 0x44_5566, b, 0x77_8899, c]),
        (
            Kind::G4,
            &[0x3811_2233, a, 0x44_5566, b, 0x77_8899, c, 0xAA_BBCC, d],
        ),
        (Kind::Ft3, &[0x2411_2233, a, ta, b, tb, c, tc]),
        (Kind::Ft4, &[0x2C11_2233, a, ta, b, tb, c, tc, d, td]),
        (
            Kind::Gt3,
            &[0x3411_2233, a, ta, 0x44_5566, b, tb, 0x77_8899, c, tc],
        ),
        (
            Kind::Gt4,
            &[
                0x3C11_2233,
                a,
                ta,
                0x44_5566,
                b,
                tb,
                0x77_8899,
                c,
                tc,
                0xAA_BBCC,
                d,
                td,
            ],
        ),
    ];
    let options = Options::for_buckets(4096);
    assert_eq!(
        (options.zsf3, options.zsf4, options.near),
        (0x55, 0x40, 0x10)
    );
    for (kind, packet) in expected {
        // The mean depth 1024 over 16; three times 55h / 1000h falls just short of it.
        let bucket = if kind.layout().corners == 4 { 64 } else { 63 };
        let (stats, found) = draw_at(&one(kind, Style::OPAQUE, PRIMITIVE), 1024, &options);
        assert_eq!(found, [(bucket, packet.to_vec())], "{kind:?}");
        assert_eq!(
            stats,
            Stats {
                drawn: 1,
                ..Stats::default()
            }
        );

        // Semi-transparent: bit 25, and a draw mode in front where the packet names no blend.
        let (_, mut found) = draw_at(
            &one(kind, Style::SEMI_TRANSPARENT, PRIMITIVE),
            1024,
            &options,
        );
        if kind.layout().texture.is_none() {
            assert_eq!(found.remove(0), (bucket, vec![0xE100_0200]), "{kind:?}");
        }
        let mut packet = packet.to_vec();
        packet[0] |= 0x0200_0000;
        assert_eq!(found, [(bucket, packet)], "{kind:?}");
    }
}

#[test]
fn faces_that_are_turned_away_are_culled() {
    let mirrored = Primitive {
        vertices: [1, 0, 3, 2],
        ..PRIMITIVE
    };
    let flat = Primitive {
        vertices: [0, 1, 1, 1],
        ..PRIMITIVE
    };
    let options = Options::for_buckets(4096);
    for kind in Kind::ALL {
        for p in [mirrored, flat] {
            let bytes = one(kind, Style::OPAQUE, p);
            let (stats, found) = draw_at(&bytes, 1024, &options);
            assert_eq!(
                stats,
                Stats {
                    culled: 1,
                    ..Stats::default()
                },
                "{kind:?}"
            );
            assert!(found.is_empty());
            let both = Options {
                two_sided: true,
                ..options
            };
            assert_eq!(draw_at(&bytes, 1024, &both).0.drawn, 1, "{kind:?}");
        }
    }
}

#[test]
fn a_quad_is_kept_while_one_half_faces_the_viewer() {
    let quads = |vertices: &[SVector; 4]| {
        let groups = [GroupSource {
            kind: Kind::F4,
            style: Style::OPAQUE,
            primitives: &[PRIMITIVE],
        }];
        draw_at(
            &tmd(vertices, &[], &groups),
            1024,
            &Options::for_buckets(4096),
        )
        .0
    };
    let [p, q, r, s] = SQUARE;
    // Corner 0 pushed over the diagonal: (0, 1, 2) turns away, (1, 2, 3) still faces us.
    assert_eq!(quads(&[SVector::new(60, 60, 0), q, r, s]).drawn, 1);
    // Corner 3 pushed over it: the first half faces us.
    assert_eq!(quads(&[p, q, r, SVector::new(-60, -60, 0)]).drawn, 1);
    // Both: n1 < 0 and n2 > 0.
    assert_eq!(
        quads(&[SVector::new(60, 60, 0), q, r, SVector::new(-60, -60, 0)]).culled,
        1
    );
    // First half without area, second half facing: n1 = 0, n2 < 0.
    assert_eq!(quads(&[q, q, r, s]).drawn, 1);
}

#[test]
fn near_and_oversize_polygons_are_left_out() {
    let options = Options::for_buckets(4096);
    let bytes = one(Kind::F4, Style::OPAQUE, PRIMITIVE);
    assert_eq!(
        draw_at(&bytes, 256, &options).0,
        Stats {
            drawn: 1,
            ..Stats::default()
        }
    );
    assert_eq!(
        draw_at(&bytes, 255, &options).0,
        Stats {
            near: 1,
            ..Stats::default()
        }
    );

    // At depth 512 a unit is a pixel: 1023 by 511 is the largest polygon.
    let sized = |w: i16, h: i16| {
        let (x, y) = (-600, -300);
        let v = |x, y| SVector::new(x, y, 0);
        let square = [v(x, y), v(x + w, y), v(x, y + h), v(x + w, y + h)];
        let groups = [GroupSource {
            kind: Kind::F4,
            style: Style::OPAQUE,
            primitives: &[PRIMITIVE],
        }];
        draw_at(&tmd(&square, &[], &groups), 512, &options).0
    };
    assert_eq!(sized(1023, 511).drawn, 1);
    assert_eq!(sized(1024, 511).oversize, 1);
    assert_eq!(sized(1023, 512).oversize, 1);
}

#[test]
fn depths_fill_tables_of_any_size() {
    let bytes = one(Kind::F4, Style::OPAQUE, PRIMITIVE);
    let tmd = Tmd::parse(&bytes).unwrap();
    // 1000 is no power of two: the one below it counts.
    for (buckets, bucket) in [
        (1, 0),
        (64, 32),
        (256, 128),
        (1000, 256),
        (1024, 512),
        (4096, 2048),
    ] {
        let mut words = vec![0; 8192];
        let mut list = DisplayList::new(&mut words, buckets);
        list.begin(&mut NoScreen);
        let options = Options {
            near: 0,
            ..Options::for_buckets(buckets)
        };
        draw::rigid(&mut gte(), &mut list, &tmd, &at(0x8000), &options).unwrap();
        let found = packets(&list);
        assert_eq!(found[0].0, bucket, "{buckets} buckets");
    }
}

#[test]
fn polygons_beyond_the_left_and_upper_edge_are_measured_exactly() {
    // At depth 512 a unit is a pixel, from (160, 120).
    let options = Options::for_buckets(4096);
    let sized = |x: i16, y: i16, w: i16, h: i16| {
        let v = |x, y| SVector::new(x - 160, y - 120, 0);
        let square = [v(x, y), v(x + w, y), v(x, y + h), v(x + w, y + h)];
        let groups = [GroupSource {
            kind: Kind::F4,
            style: Style::OPAQUE,
            primitives: &[PRIMITIVE],
        }];
        draw_at(&tmd(&square, &[], &groups), 512, &options).0
    };
    for (x, y) in [
        (0, 0),
        (-1, -1),
        (-512, -256),
        (-513, -257),
        (-1000, -500),
        (-1023, -511),
    ] {
        assert_eq!(sized(x, y, 1023, 511).drawn, 1, "{x} {y}");
    }
    for (x, y) in [
        (-1, -1),
        (-512, -256),
        (-513, -257),
        (-1000, -500),
        (-1024, -512),
    ] {
        assert_eq!(sized(x, y, 1024, 511).oversize, 1, "{x} {y}");
        assert_eq!(sized(x, y, 1023, 512).oversize, 1, "{x} {y}");
    }
}

/// TMD sheet, section 3, table of the banks.
#[test]
fn the_draw_argument_chooses_the_bank() {
    let fade = Cue::fade([1, 2, 3], 0x400);
    for (argument, bank) in [
        (0x0000_0000, draw::Bank::Half(fade)),
        (0x0400_0000, draw::Bank::Additive(fade)),
        (0x2000_0000, draw::Bank::Subtractive(fade)),
        (0x2400_0000, draw::Bank::Subtractive(fade)),
        (0xDBFF_FFFF, draw::Bank::Half(fade)),
    ] {
        assert_eq!(draw::Bank::of_argument(argument, Some(fade)), bank);
        assert_eq!(draw::Bank::of_argument(argument, None), draw::Bank::Opaque);
        assert_eq!(bank.cue(), Some(fade));
    }
    // Bit 27 makes the object two-sided.
    let plain = Options::for_buckets(16);
    let both = plain.with_argument(0x2C00_0000, Some(fade));
    assert!(both.two_sided);
    assert_eq!(both.bank, draw::Bank::Subtractive(fade));
    assert_eq!(plain.with_argument(0xF7FF_FFFF, None), plain);
}

/// Banks 1 to 3 differ in how semi-transparent polygons without a page attribute blend.
#[test]
fn a_bank_says_how_untextured_polygons_blend() {
    let still = Cue::fade([0xFF; 3], 0);
    for (bank, mode) in [
        (draw::Bank::Opaque, 0xE100_0200),
        (draw::Bank::Half(still), 0xE100_0200),
        (draw::Bank::Additive(still), 0xE100_0220),
        (draw::Bank::Subtractive(still), 0xE100_0240),
    ] {
        let options = Options {
            bank,
            ..Options::for_buckets(4096)
        };
        assert_eq!(options.draw_mode(), mode);
        for kind in Kind::ALL {
            for style in [Style::OPAQUE, Style::SEMI_TRANSPARENT] {
                let bytes = one(kind, style, PRIMITIVE);
                let mut found = draw_at(&bytes, 1024, &options).1;
                let named = kind.layout().texture.is_some();
                if style == Style::SEMI_TRANSPARENT && !named {
                    assert_eq!(found.remove(0).1, [mode], "{kind:?}");
                }
                // The packet itself is that of bank 0, whose fade is none.
                let plain = draw_at(&bytes, 1024, &Options::for_buckets(4096)).1;
                assert_eq!(found[..], plain[plain.len() - 1..], "{kind:?}");
            }
        }
    }
}
