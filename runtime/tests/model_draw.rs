//! Posed meshes into display lists (TMD/TIM sheet, section 7), with expected packets.

use overworld_runtime::anim::legaia::{self, Bank, ClipEnd, ClipSource, Pose};
use overworld_runtime::fixed::{Matrix, SVector, Vector};
use overworld_runtime::gpu::{DisplayList, Style};
use overworld_runtime::gte::{Geometry, software::Gte};
use overworld_runtime::model::draw::{self, Error, Motion, Options, Stats};
use overworld_runtime::model::pose::Transform;
use overworld_runtime::model::tmd::{GroupSource, Kind, ObjectSource, Primitive, Tmd, emit};
use overworld_runtime::platform::Screen;
use proptest::prelude::*;

/// A screen that only lends the default table and the address 0.
struct NoScreen;

impl Screen for NoScreen {
    type Error = &'static str;

    fn bus_address(&self, _: &[u32]) -> u32 {
        0
    }

    fn upload(&mut self, _: u16, _: u16, _: u16, _: u16, _: &[u8]) -> Result<(), &'static str> {
        Err("no screen")
    }

    fn draw(&mut self, _: &[u32], _: usize) -> Result<(), &'static str> {
        Err("no screen")
    }

    fn present(&mut self) -> Result<(), &'static str> {
        Err("no screen")
    }
}

/// Bucket and words of every packet, in the order in which the GPU meets them.
fn packets(list: &DisplayList<'_>) -> Vec<(usize, Vec<u32>)> {
    let mut found = vec![];
    let (mut at, mut bucket) = (list.head(), list.head());
    loop {
        let tag = list.words()[at];
        if at < list.buckets() {
            bucket = at;
        } else {
            found.push((
                bucket,
                list.words()[at + 1..][..(tag >> 24) as usize].to_vec(),
            ));
        }
        if tag & 0xFF_FFFF == 0xFF_FFFF {
            return found;
        }
        at = (tag & 0xFF_FFFF) as usize / 4;
    }
}

fn tmd(vertices: &[SVector], normals: &[SVector], groups: &[GroupSource<'_>]) -> Vec<u8> {
    let mut out = vec![0; 4096];
    let len = emit(
        &[ObjectSource {
            vertices,
            normals,
            groups,
        }],
        &mut out,
    )
    .unwrap();
    out.truncate(len);
    out
}

/// H = 512 and a depth of 1024 halve x and y exactly.
fn gte() -> Gte {
    let mut gte = Gte::new();
    gte.set_screen(160 << 16, 120 << 16, 512);
    gte
}

fn at(z: i32) -> Transform {
    Transform {
        rotation: Matrix::IDENTITY,
        translation: Vector::new(0, 0, z),
    }
}

fn draw_at(bytes: &[u8], z: i32, options: &Options) -> (Stats, Vec<(usize, Vec<u32>)>) {
    let tmd = Tmd::parse(bytes).unwrap();
    let mut words = vec![0; 8192];
    let mut list = DisplayList::new(&mut words, 4096);
    list.begin(&mut NoScreen);
    let stats = draw::rigid(&mut gte(), &mut list, &tmd, &at(z), options).unwrap();
    (stats, packets(&list))
}

const SQUARE: [SVector; 4] = [
    SVector::new(-100, -80, 0),
    SVector::new(100, -80, 0),
    SVector::new(-100, 80, 0),
    SVector::new(100, 80, 0),
];

/// (110, 80), (210, 80), (110, 160), (210, 160).
const XY: [u32; 4] = [0x0050_006E, 0x0050_00D2, 0x00A0_006E, 0x00A0_00D2];

const PRIMITIVE: Primitive = Primitive {
    colours: [0x0011_2233, 0x0044_5566, 0x0077_8899, 0x00AA_BBCC],
    uv: [0x0100, 0x0302, 0x0504, 0x0706],
    clut: 0x7D00,
    page: 0x000C,
    vertices: [0, 1, 2, 3],
    normals: [0, 1, 2, 3],
};

fn one(kind: Kind, style: Style, primitive: Primitive) -> Vec<u8> {
    let groups = [GroupSource {
        kind,
        style,
        primitives: &[primitive],
    }];
    tmd(&SQUARE, &SQUARE, &groups)
}

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

/// Two objects, the square and the square again, and a clip of two parts and two frames.
fn puppet() -> (Vec<u8>, Vec<u8>) {
    let groups = [GroupSource {
        kind: Kind::F4,
        style: Style::OPAQUE,
        primitives: &[PRIMITIVE],
    }];
    let object = ObjectSource {
        vertices: &SQUARE,
        normals: &[],
        groups: &groups,
    };
    let mut tmd = vec![0; 4096];
    let len = emit(&[object, object], &mut tmd).unwrap();
    tmd.truncate(len);
    let pose = |t, r| Pose { t, r };
    let poses = [
        pose([0, 0, 0], [0, 0, 0]),
        pose([200, 0, 512], [0, 0, 0x400]),
        pose([0, 0, 0], [0, 0, 0]),
        pose([100, 40, 512], [0, 0, 0x400]),
    ];
    let clip = ClipSource {
        parts: 2,
        frames: 2,
        blend: true,
        rate: 4,
        extra: 0,
        poses: &poses,
    };
    let single = ClipSource {
        parts: 1,
        frames: 1,
        poses: &poses[..1],
        ..clip
    };
    let mut bank = vec![0; 256];
    let len = legaia::emit(&[clip, single], &mut bank).unwrap();
    bank.truncate(len);
    (tmd, bank)
}

#[test]
fn each_object_follows_its_part() {
    let (tmd, bank) = puppet();
    let (tmd, bank) = (Tmd::parse(&tmd).unwrap(), Bank::parse(&bank).unwrap());
    let mut words = vec![0; 8192];
    let mut list = DisplayList::new(&mut words, 4096);
    list.begin(&mut NoScreen);
    // Half-way between the frames part 1 stands at (150, 20, 512), a quarter turned about Z.
    let motion = Motion {
        clip: bank.clip(1).unwrap(),
        cursor: 8,
        end: ClipEnd::Wrap,
    };
    let options = Options::for_buckets(4096);
    let stats = draw::posed(&mut gte(), &mut list, &tmd, &motion, &at(512), &options).unwrap();
    assert_eq!(stats.drawn, 2);
    // Rz takes (x, y) to (-y, x): the corners become (80, -100) (80, 100) (-80, -100)
    // (-80, 100), moved by (150, 20), halved by depth 1024, from (160, 120).
    let xy = |x: u32, y: u32| x | y << 16;
    let far = vec![
        0x2811_2233,
        xy(275, 80),
        xy(275, 180),
        xy(195, 80),
        xy(195, 180),
    ];
    let near = vec![
        0x2811_2233,
        xy(60, 40),
        xy(260, 40),
        xy(60, 200),
        xy(260, 200),
    ];
    assert_eq!(packets(&list), [(64, far), (32, near)]);
}

#[test]
fn the_part_gate_and_a_full_list() {
    let (tmd, bank) = puppet();
    let (tmd, bank) = (Tmd::parse(&tmd).unwrap(), Bank::parse(&bank).unwrap());
    let options = Options::for_buckets(16);
    let mut words = vec![0; 16 + 6 + 5];
    let mut list = DisplayList::new(&mut words, 16);
    list.begin(&mut NoScreen);
    let motion = |number| Motion {
        clip: bank.clip(number).unwrap(),
        cursor: 0,
        end: ClipEnd::Hold,
    };
    let posed = |number, list: &mut DisplayList<'_>| {
        draw::posed(&mut gte(), list, &tmd, &motion(number), &at(1024), &options)
    };
    assert_eq!(
        posed(2, &mut list),
        Err(Error::PartMismatch {
            parts: 1,
            objects: 2
        })
    );
    assert!(packets(&list).is_empty());
    // One quad fits, the second lacks a word.
    let full = overworld_runtime::gpu::Full { needed: 6, free: 5 };
    assert_eq!(posed(1, &mut list), Err(Error::Full(full)));
    assert_eq!(packets(&list).len(), 1);
}

proptest! {
    /// Whatever the vertices and the view: no panic, all primitives accounted for, and no
    /// polygon larger than the GPU draws.
    #[test]
    fn any_geometry_can_be_drawn(
        vertices in prop::collection::vec(any::<[i16; 3]>(), 4),
        rotation in any::<[[i16; 3]; 3]>(),
        translation in any::<[i32; 3]>(),
        kind in 0..12usize,
        pose in (any::<[i16; 3]>(), any::<[u16; 3]>()),
        two_sided in any::<bool>(),
    ) {
        let vertices: Vec<_> = vertices.iter().map(|&[x, y, z]| SVector::new(x, y, z)).collect();
        let groups = [GroupSource {
            kind: Kind::ALL[kind],
            style: Style::OPAQUE,
            primitives: &[PRIMITIVE, Primitive { vertices: [3, 2, 1, 0], ..PRIMITIVE }],
        }];
        let bytes = tmd(&vertices, &vertices, &groups);
        let mesh = Tmd::parse(&bytes).unwrap();
        let [x, y, z] = translation;
        let actor = Transform { rotation: Matrix { m: rotation }, translation: Vector::new(x, y, z) };
        let mut gte = gte();
        let pose = Pose { t: pose.0, r: pose.1 };
        let piece = overworld_runtime::model::pose::load(&mut gte, &actor, &pose);
        let mut words = [0; 64];
        let mut list = DisplayList::new(&mut words, 16);
        list.begin(&mut NoScreen);
        let options = Options { two_sided, ..Options::for_buckets(16) };
        let stats = draw::rigid(&mut gte, &mut list, &mesh, &piece, &options).unwrap();
        prop_assert_eq!(stats.total(), 2);
        prop_assert_eq!(packets(&list).len() as u32, stats.drawn);
    }
}
