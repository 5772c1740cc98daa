//! Posed meshes into display lists (TMD/TIM sheet, section 7), with expected packets.

use overworld_runtime::anim::legaia::{self, Bank, ClipEnd, ClipSource, Pose};
use overworld_runtime::fixed::{Matrix, SVector, Vector};
use overworld_runtime::gpu::{DisplayList, Style};
use overworld_runtime::gte::{Geometry, software::Gte};
use overworld_runtime::model::draw::{self, Cue, Error, Light, Motion, Options, Stats};
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

/// Bucket and words of packets.
type Packets = Vec<(usize, Vec<u32>)>;

/// Every packet, in the order in which the GPU meets them.
fn packets(list: &DisplayList<'_>) -> Packets {
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

fn draw_at(bytes: &[u8], z: i32, options: &Options) -> (Stats, Packets) {
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

/// A copy of `bytes` that begins `over` bytes after a word boundary.
fn placed(bytes: &[u8], over: usize) -> (Vec<u8>, std::ops::Range<usize>) {
    let mut room = vec![0; bytes.len() + 8];
    let begin = room.as_ptr().align_offset(4) + over;
    let range = begin..begin + bytes.len();
    room[range.clone()].copy_from_slice(bytes);
    (room, range)
}

#[test]
fn a_mesh_off_the_word_boundary_is_refused_and_draws_nothing() {
    let bytes = one(Kind::Ft4, Style::OPAQUE, PRIMITIVE);
    for over in 0..4 {
        let (room, range) = placed(&bytes, over);
        let mesh = Tmd::parse(&room[range]).unwrap();
        let mut words = vec![0; 64];
        let mut list = DisplayList::new(&mut words, 16);
        list.begin(&mut NoScreen);
        let options = Options::for_buckets(16);
        let drawn = draw::rigid(&mut gte(), &mut list, &mesh, &at(1024), &options);
        if over == 0 {
            assert_eq!(drawn.unwrap().drawn, 1);
            continue;
        }
        let error = drawn.unwrap_err();
        let pool = draw::Pool::Vertices;
        let place = overworld_runtime::bytes::Misaligned { over };
        assert_eq!(error, Error::Misaligned { pool, place });
        assert_eq!(
            error.to_string(),
            format!(
                "Misaligned: vertices: the address modulo 4 is {over}, expected 0; put the data at \
                 a multiple of four"
            )
        );
        assert!(packets(&list).is_empty());
        assert_eq!(list.free(), 48);
    }
}

/// The same mesh with a word more in every record, which the loops leave to the way for records
/// out of the ordinary.
fn with_longer_records(bytes: &[u8], kind: Kind) -> Vec<u8> {
    let top = u32::from_le_bytes(bytes[12 + 16..][..4].try_into().unwrap());
    let at = 12 + top as usize;
    let stride = kind.layout().stride;
    let mut longer = bytes[..at + 8].to_vec();
    longer[at + 5] += 1;
    for record in bytes[at + 8..bytes.len() - 4].chunks_exact(stride) {
        longer.extend(record);
        longer.extend([0xEE; 4]);
    }
    longer.extend([0; 4]);
    longer
}

/// Draw into `room` words behind 16 buckets.
fn draw_into(
    bytes: &[u8],
    room: usize,
    actor: &Transform,
    options: &Options,
) -> (Result<Stats, Error>, Packets, usize) {
    let mesh = Tmd::parse_lenient(bytes).unwrap();
    let mut words = vec![0; 16 + room];
    let mut list = DisplayList::new(&mut words, 16);
    list.begin(&mut NoScreen);
    let result = draw::rigid(&mut gte(), &mut list, &mesh, actor, options);
    (result, packets(&list), list.free())
}

#[test]
fn a_list_takes_what_fits_whatever_its_size() {
    let away = Primitive {
        vertices: [1, 0, 3, 2],
        ..PRIMITIVE
    };
    let options = Options::for_buckets(16);
    for kind in Kind::ALL {
        let groups = [GroupSource {
            kind,
            style: Style::OPAQUE,
            primitives: &[PRIMITIVE, away, PRIMITIVE, away],
        }];
        let bytes = tmd(&SQUARE, &SQUARE, &groups);
        let needed = usize::from(kind.layout().packet) + 1;
        for room in 0..=2 * needed {
            let (result, found, free) = draw_into(&bytes, room, &at(1024), &options);
            let fit = room / needed;
            assert_eq!((found.len(), free), (fit, room - fit * needed), "{kind:?}");
            match result {
                // What is culled at the end needs no room.
                Ok(stats) => assert_eq!((fit, stats.drawn, stats.culled), (2, 2, 2)),
                Err(error) => {
                    assert_eq!(
                        error,
                        Error::Full(overworld_runtime::gpu::Full { needed, free })
                    );
                    assert!(fit < 2);
                }
            }
        }
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

/// TMD sheet, section 7: billboards and shadows go to bucket `(SZ3 >> 2) >> k`.
#[test]
fn a_billboard_hangs_in_the_bucket_of_its_anchor() {
    let place = |z: i32, buckets: usize| {
        let mut gte = gte();
        at(z).load(&mut gte);
        let options = Options::for_buckets(buckets);
        draw::anchor(&mut gte, &SVector::new(100, -80, 0), &options)
    };
    // H = 512: at depth 1024 half a pixel a unit, from (160, 120).
    let found = |z, buckets| place(z, buckets).map(|it| (it.xy, it.depth, it.bucket));
    assert_eq!(found(1024, 4096), Some((0x0050_00D2, 1024, 16)));
    // 64 buckets: k = 10; 65536: k = 0.
    for (buckets, bucket) in [
        (64, 0x1000 >> 12),
        (1024, 0x1000 >> 8),
        (65536, 0x1000 >> 2),
    ] {
        assert_eq!(found(0x1003, buckets).map(|it| it.2), Some(bucket));
    }
    assert_eq!(
        found(70_000, 4096).map(|it| (it.1, it.2)),
        Some((0xFFFF, 0x3FF))
    );
    // H is less than twice the depth from 257 on; nearer there is no quotient, and none behind the eye.
    assert!(place(257, 4096).is_some());
    for z in [256, 100, 0, -1000, -70_000] {
        assert_eq!(place(z, 4096), None, "{z}");
    }
    let mut gte = gte();
    at(-5).load(&mut gte);
    let any = Options {
        near: 0,
        ..Options::for_buckets(16)
    };
    assert_eq!(draw::anchor(&mut gte, &SVector::default(), &any), None);
    // The near limit is that of polygons, in their buckets.
    let limited = Options {
        near: 0x20,
        ..Options::for_buckets(4096)
    };
    for (z, seen) in [(511, false), (512, true)] {
        at(z).load(&mut gte);
        let anchor = draw::anchor(&mut gte, &SVector::default(), &limited);
        assert_eq!(anchor.is_some(), seen, "{z}");
    }
    // A number of halvings that a host made up does no harm.
    at(1024).load(&mut gte);
    let odd = Options { shift: 200, ..any };
    let anchor = draw::anchor(&mut gte, &SVector::default(), &odd);
    assert_eq!(anchor.map(|it| it.bucket), Some(0));
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

proptest! {
    /// The loops and the way for single records draw the same, whatever they are given.
    #[test]
    fn the_loops_draw_what_the_way_for_single_records_draws(
        vertices in prop::collection::vec(prop::array::uniform3(-2000_i16..2000), 4),
        wild in prop::option::of(any::<[i16; 3]>()),
        rotation in any::<[u16; 3]>(),
        z in -500_i32..9000,
        kind in 0..12usize,
        style in prop::sample::select(&[Style::OPAQUE, Style::SEMI_TRANSPARENT, Style::RAW_TEXTURE][..]),
        two_sided in any::<bool>(),
        near in 0_u16..3,
        room in 0_usize..60,
        argument in any::<u32>(),
        light in prop::option::of(any::<([[i16; 3]; 3], [[i16; 3]; 3], [u8; 3])>()),
        cue in prop::option::of((any::<[u8; 3]>(), -600_i16..0, 0_i32..1 << 25)),
    ) {
        let mut vertices: Vec<_> = vertices.iter().map(|&[x, y, z]| SVector::new(x, y, z)).collect();
        if let Some([x, y, z]) = wild {
            vertices[2] = SVector::new(x, y, z);
        }
        let kind = Kind::ALL[kind];
        let groups = [GroupSource {
            kind,
            style,
            primitives: &[
                PRIMITIVE,
                Primitive { vertices: [3, 2, 1, 0], ..PRIMITIVE },
                Primitive { vertices: [1, 3, 0, 2], ..PRIMITIVE },
            ],
        }];
        let bytes = tmd(&vertices, &vertices, &groups);
        let longer = with_longer_records(&bytes, kind);
        let [a, b, c] = rotation;
        let actor = Transform {
            rotation: Matrix::euler(a, b, c),
            translation: Vector::new(0, 0, z),
        };
        let cue = cue.map(|(far, dqa, dqb)| Cue { far, dqa, dqb });
        let bank = draw::Bank::of_argument(argument, cue);
        let light = light.map(|(lamps, colours, background)| Light {
            lamps: Matrix { m: lamps },
            colours: Matrix { m: colours },
            background,
        });
        let options = Options { two_sided, near, bank, light, ..Options::for_buckets(16) };
        prop_assert_eq!(
            draw_into(&bytes, room, &actor, &options),
            draw_into(&longer, room, &actor, &options)
        );
    }
}
