//! Objects and their parts, billboards, meshes and lists that do not fit.

use super::common::{NoScreen, PRIMITIVE, SQUARE, at, draw_into, gte, one, packets, tmd};
use overworld_runtime::anim::legaia::{self, Bank, ClipEnd, ClipSource, Pose};
use overworld_runtime::fixed::SVector;
use overworld_runtime::gpu::{DisplayList, Style};
use overworld_runtime::model::draw::{self, Error, Motion, Options};
use overworld_runtime::model::tmd::{GroupSource, Kind, ObjectSource, Primitive, Tmd, emit};

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
