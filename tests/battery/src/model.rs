//! A posed model to GPU packets, against packets worked out by hand.

use core::marker::PhantomData;

use overworld_runtime::anim::legaia::{Bank, ClipEnd, ClipSource, Pose, emit};
use overworld_runtime::fixed::{Matrix, SVector, Vector};
use overworld_runtime::gpu::{DisplayList, Style};
use overworld_runtime::gte::{Geometry, Registers};
use overworld_runtime::model::draw::{self, Cue, Light, Motion, Options, Stats};
use overworld_runtime::model::pose::{Transform, load};
use overworld_runtime::model::tmd::{self, GroupSource, Kind, ObjectSource, Primitive, Tmd};

use crate::Machine;
use crate::bench::{self, per_call};
use crate::check::{Check, List, same, same_hex, words};
use crate::display::{At, walk};
use crate::gte::{Random, broken};

pub(crate) struct Tests<G>(PhantomData<G>);

impl<G: Geometry + Registers + 'static> Tests<G> {
    pub(crate) const ALL: List<G> = &[
        ("pose/compose", compose),
        ("pose/compose-any", compose_any),
        ("model/draw-packets", draw_packets),
        ("model/part-gate", part_gate),
        ("model/list-full", list_full),
        ("model/lit-packets", lit_packets),
    ];
}

/// The table of the ANM sheet, Composition.
fn compose<G: Geometry + Registers>(gte: &mut G) -> Check {
    let pose = Pose {
        t: [100, -50, 25],
        r: [0x100, 0x200, 0x300],
    };
    for (yaw, rotation, [x, y, z]) in [
        (
            0,
            [[1107, -3073, 2470], [2675, 2471, 1871], [-2896, 1107, 2675]],
            [100, -50, 25],
        ),
        (
            0x400,
            [
                [-2896, 1107, 2675],
                [2675, 2471, 1871],
                [-1108, 3071, -2472],
            ],
            [25, -50, -100],
        ),
    ] {
        let actor = Transform {
            rotation: Matrix::euler(0, yaw, 0),
            translation: Vector::new(70_000, 0, -5),
        };
        let piece = load(gte, &actor, &pose);
        same!(piece.rotation.m, rotation, "rotation, yaw {yaw}");
        let place = Vector::new(70_000 + x, y, z - 5);
        same!(piece.translation, place, "translation, yaw {yaw}");
        same!(gte.read(36) as i16, rotation[2][2], "RT33 in the engine");
        same!(gte.read(37) as i32, place.x, "TRX in the engine");
    }
    Ok(())
}

/// Matrices of every size, places, translations and angles: to the bit what the products say that the sheet
/// names, one after the other.
fn compose_any<G: Geometry + Registers>(gte: &mut G) -> Check {
    let mut random = Random(0x0C0D_FEE1);
    for round in 0..200 {
        let m = [(); 3].map(|()| [(); 3].map(|()| random.value() as i16));
        // Every other one is a rotation, in which little saturates.
        let [x, y, z] = [(); 3].map(|()| random.next() as u16);
        let rotation = match round & 1 {
            0 => Matrix { m },
            _ => Matrix::euler(x, y, z),
        };
        let [p, q, r] = [(); 3].map(|()| random.value() as i32);
        let place = Vector::new(p, q, r);
        let t = [(); 3].map(|()| random.value() as i16);
        let angles = [(); 3].map(|()| (random.next() >> 16) as u16);
        let turned = rotation
            .multiply(&Matrix::rotation_z(angles[2]))
            .multiply(&Matrix::rotation_y(angles[1]))
            .multiply(&Matrix::rotation_x(angles[0]));
        let moved = rotation.transform(&SVector::new(t[0], t[1], t[2]));
        let moved = moved.wrapping_add(place);
        let found = gte.compose(&rotation, &place, t, angles);
        same!(found, (turned, moved), "round {round}");
        let [[a, b, c], [d, e, f], [g, h, i]] = turned.m;
        let pair = |low, high| u32::from(low as u16) | (high as u32) << 16;
        let registers = [32, 33, 34, 35, 36, 37, 38, 39].map(|register| gte.read(register));
        let rt = [pair(a, b), pair(c, d), pair(e, f), pair(g, h), i as u32];
        let tr = [moved.x, moved.y, moved.z].map(|c| c as u32);
        same_hex!(registers[..5], rt, "RT in round {round}");
        same_hex!(registers[5..], tr, "TR in round {round}");
    }
    Ok(())
}

/// Two objects: two triangles, one of them seen from behind; and a textured quad. Laid out by
/// hand after the TMD sheet, sections 1 and 2.
#[rustfmt::skip]
static MODEL: Words<[u8; 232]> = Words([
    0x02, 0, 0, 0x80, 0, 0, 0, 0, 2, 0, 0, 0,
    // object 0: vertices at 12 + 56, no normals, primitives at 12 + 80
    56, 0, 0, 0, 3, 0, 0, 0, 80, 0, 0, 0, 0, 0, 0, 0, 80, 0, 0, 0, 2, 0, 0, 0, 0x80, 0x80, 0x80, 0,
    // object 1: vertices at 12 + 128, primitives at 12 + 160
    128, 0, 0, 0, 4, 0, 0, 0, 160, 0, 0, 0, 0, 0, 0, 0, 160, 0, 0, 0, 1, 0, 0, 0, 0x80, 0x80, 0x80, 0,
    // (-16, -16, 0) (16, -16, 0) (-16, 16, 0)
    0xF0, 0xFF, 0xF0, 0xFF, 0, 0, 0, 0,
    16, 0, 0xF0, 0xFF, 0, 0, 0, 0,
    0xF0, 0xFF, 16, 0, 0, 0, 0, 0,
    // two records F3, a footer, the terminator
    2, 0, 0x18, 0, 4, 3, 1, 0x20,
    0x11, 0x22, 0x33, 0x20, 0, 0, 8, 0, 16, 0, 0, 0,
    0x44, 0x55, 0x66, 0x20, 0, 0, 16, 0, 8, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0,
    // (-8, -8, 0) (8, -8, 0) (-8, 8, 0) (8, 8, 0)
    0xF8, 0xFF, 0xF8, 0xFF, 0, 0, 0, 0,
    8, 0, 0xF8, 0xFF, 0, 0, 0, 0,
    0xF8, 0xFF, 8, 0, 0, 0, 0, 0,
    8, 0, 8, 0, 0, 0, 0, 0,
    // one record FT4 baked: colour; u0 v0 CBA u1 v1 TSB u2 v2 u3 v3; corners
    1, 0, 0x22, 0, 9, 6, 1, 0x2C,
    0x80, 0x81, 0x82, 0x2C,
    1, 2, 0x00, 0x7D, 3, 4, 0x0C, 0x00, 5, 6, 7, 8,
    0, 0, 8, 0, 16, 0, 24, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0,
]);

/// Bytes on a word boundary.
#[repr(align(4))]
struct Words<T>(T);

/// Where the model stands: 400h in front of the eye.
const ACTOR: Transform = Transform {
    rotation: Matrix::IDENTITY,
    translation: Vector::new(0, 0, 0x400),
};

/// A clip of one frame; part 1 is moved by (16, 0, -200h).
fn still(parts: u8, room: &mut [u8; 64]) -> Option<Bank<'_>> {
    let mut poses = [Pose::default(); 3];
    if let Some(pose) = poses.get_mut(1) {
        pose.t = [16, 0, -0x200];
    }
    let clip = ClipSource {
        parts,
        frames: 1,
        blend: false,
        rate: 1,
        extra: 0,
        poses: poses.get(..usize::from(parts))?,
    };
    let len = emit(&[clip], room).ok()?;
    Bank::parse(room.get(..len)?).ok()
}

fn draw_still<G: Geometry>(
    gte: &mut G,
    parts: u8,
    list: &mut DisplayList<'_>,
) -> Result<Result<Stats, draw::Error>, crate::check::Reason> {
    let mut room = [0; 64];
    let bank = still(parts, &mut room).ok_or_else(|| broken("clip"))?;
    let clip = bank.clip(1).map_err(|_| broken("clip"))?;
    let tmd = Tmd::parse(&MODEL.0).map_err(|error| {
        crate::check::reason(format_args!("the hand-made model is refused: {error}"))
    })?;
    gte.set_screen(0xA0_0000, 0x78_0000, 0x140);
    list.begin(&mut At(0x8010_0000));
    let motion = Motion {
        clip,
        cursor: 0,
        end: ClipEnd::Hold,
    };
    let options = Options::for_buckets(4096);
    Ok(draw::posed(gte, list, &tmd, &motion, &ACTOR, &options))
}

/// The packets of the hand-made model.
///
/// At depth 400h and H = 140h a unit is 5/16 pixel (row 30 of the GTE sheet), at depth 200h
/// twice that. With k = 4 the depths are 55h * C00h >> 12 = 63 and 40h * 800h >> 12 = 32.
fn draw_packets<G: Geometry + Registers>(gte: &mut G) -> Check {
    let mut room = [0; 80];
    let mut list = DisplayList::new(&mut room, 64);
    let stats = draw_still(gte, 2, &mut list)?;
    let expected = Stats {
        drawn: 2,
        culled: 1,
        near: 0,
        oversize: 0,
        left_out: 0,
    };
    same!(stats, Ok(expected), "statistics");
    let all = list.words();
    same!(all.get(63), Some(&0x0010_0100), "bucket 63");
    same!(all.get(32), Some(&0x0010_0114), "bucket 32");
    words(
        format_args!("packets"),
        all.get(64..).unwrap_or_default(),
        &[
            0x0410_00F8, // four words, on to bucket 62
            0x2033_2211,
            0x0073_009B,
            0x0073_00A5,
            0x007D_009B,
            0x0910_007C, // nine words, on to bucket 31
            0x2C82_8180,
            0x0073_00A5,
            0x7D00_0201,
            0x0073_00AF,
            0x000C_0403,
            0x007D_00A5,
            0x0000_0605,
            0x007D_00AF,
            0x0000_0807,
            0, // unused
        ],
    )?;
    let mut met = [0; 16];
    let (len, nodes) = walk(all, 0x8010_0000, list.head(), &mut met);
    same!((len, nodes), (13, 66), "words and nodes that the GPU meets");
    same!(met.first(), Some(&0x2033_2211), "the farther one first");
    Ok(())
}

/// A clip of another number of parts draws nothing.
fn part_gate<G: Geometry>(gte: &mut G) -> Check {
    for parts in [1, 3] {
        let mut room = [0; 80];
        let mut list = DisplayList::new(&mut room, 64);
        let found = draw_still(gte, parts, &mut list)?;
        let refused = draw::Error::PartMismatch { parts, objects: 2 };
        same!(found, Err(refused), "{parts} parts");
        same!(list.free(), 16, "words left");
    }
    Ok(())
}

/// A list without room for the second packet.
fn list_full<G: Geometry>(gte: &mut G) -> Check {
    let mut room = [0; 78];
    let mut list = DisplayList::new(&mut room, 64);
    match draw_still(gte, 2, &mut list)? {
        Err(draw::Error::Full(full)) => {
            same!((full.needed, full.free), (10, 9), "needed and free");
            Ok(())
        }
        other => Err(crate::check::reason(format_args!(
            "expected Full, found {other:?}"
        ))),
    }
}

/// A square of each lit kind with normals to the front, to the right, between them and to the back.
fn lit(kind: Kind, out: &mut [u8]) -> Option<Tmd<'_>> {
    let corners = [(-16, -16), (16, -16), (-16, 16), (16, 16)];
    let vertices = corners.map(|(x, y)| SVector::new(x, y, 0));
    let normals =
        [(0, -4096), (4096, 0), (2048, -2048), (0, 4096)].map(|(x, z)| SVector::new(x, 0, z));
    let groups = [GroupSource {
        kind,
        style: Style::OPAQUE,
        primitives: &[Primitive {
            vertices: [0, 1, 2, 3],
            normals: [0, 1, 2, 3],
            ..Primitive::default()
        }],
    }];
    let object = ObjectSource {
        vertices: &vertices,
        normals: &normals,
        groups: &groups,
    };
    let len = tmd::emit(&[object], out).ok()?;
    Tmd::parse(out.get(..len)?).ok()
}

/// A red lamp in front, a green one of half strength to the right, and a dim background: 80h times the
/// light over 1000h, of which a lamp of full strength gives 1000h and the background 100h to 300h.
fn lit_packets<G: Geometry>(gte: &mut G) -> Check {
    let light = Light {
        lamps: Matrix {
            m: [[0, 0, -4096], [2048, 0, 0], [0, 0, 0]],
        },
        colours: Matrix {
            m: [[4096, 0, 0], [0, 4096, 0], [0, 0, 0]],
        },
        background: [0x10, 0x20, 0x30],
    };
    let options = Options {
        light: Some(light),
        ..Options::for_buckets(64)
    };
    let lights = [0x18_1088, 0x18_5008, 0x18_3048, 0x18_1008];
    for (kind, command, colours) in [
        (Kind::Ft3Lit, 0x24, 1),
        (Kind::Ft4Lit, 0x2C, 1),
        (Kind::Gt3Lit, 0x34, 3),
        (Kind::Gt4Lit, 0x3C, 4),
    ] {
        let mut model = Words([0; 256]);
        let tmd = lit(kind, &mut model.0).ok_or_else(|| broken("lit model"))?;
        let mut room = [0; 64 + 13];
        let mut list = DisplayList::new(&mut room, 64);
        list.begin(&mut At(0));
        gte.set_screen(0xA0_0000, 0x78_0000, 0x140);
        let drawn = draw::rigid(gte, &mut list, &tmd, &ACTOR, &options);
        same!(drawn.map(|stats| stats.drawn), Ok(1), "{kind:?}: drawn");
        let packet = list.words().get(65..).unwrap_or_default();
        for (n, light) in lights.into_iter().enumerate().take(colours) {
            let command = if n == 0 { command << 24 } else { 0 };
            let found = packet.get(3 * n).copied();
            same_hex!(found, Some(command | light), "{kind:?}: colour {n}");
        }
    }
    Ok(())
}

/// A sheet of 8 by 8 textured quads that face the viewer, with a normal each if they are lit.
fn sheet(kind: Kind, out: &mut [u8]) -> Option<Tmd<'_>> {
    let vertices: [SVector; 81] = core::array::from_fn(|n| {
        let (x, y) = (n as i16 % 9, n as i16 / 9);
        SVector::new(12 * x - 48, 12 * y - 48, 2 * x + y)
    });
    let quads: [Primitive; QUADS] = core::array::from_fn(|n| {
        let n = n as u16;
        let first = 9 * (n / 8) + n % 8;
        Primitive {
            colours: [0x0080_8080; 4],
            uv: [0x0000, 0x001F, 0x1F00, 0x1F1F],
            clut: 0x7800,
            page: 0x000C,
            vertices: [first, first + 1, first + 9, first + 10],
            normals: [n % 3, 0, 0, 0],
        }
    });
    let groups = [GroupSource {
        kind,
        style: Style::OPAQUE,
        primitives: &quads,
    }];
    let normals = [(0, -4096), (2048, -2048), (-3072, -1024)];
    let object = ObjectSource {
        vertices: &vertices,
        normals: &normals.map(|(x, z)| SVector::new(x, 0, z)),
        groups: &groups,
    };
    let len = tmd::emit(&[object], out).ok()?;
    Tmd::parse(out.get(..len)?).ok()
}

/// Quads of [`sheet`].
const QUADS: usize = 64;

/// A quad of a model of one object, from its record to a linked packet.
pub(crate) fn bench_quad<M: Machine>(machine: &mut M) -> u32 {
    quad(machine, Kind::Ft4, &Options::for_buckets(64))
}

/// The same with a depth cue.
pub(crate) fn bench_cued<M: Machine>(machine: &mut M) -> u32 {
    let options = Options {
        bank: draw::Bank::cued(Cue::between([40, 48, 72], 900, 1200, 512)),
        ..Options::for_buckets(64)
    };
    quad(machine, Kind::Ft4, &options)
}

/// The same with a normal instead of a colour, lit.
pub(crate) fn bench_lit<M: Machine>(machine: &mut M) -> u32 {
    let light = Light {
        lamps: Matrix {
            m: [[0x900, -0xA00, -0x800], [-0xC00, 0x200, 0x700], [0, 0, 0]],
        },
        colours: Matrix {
            m: [[0xC00, 0x300, 0], [0xB00, 0x400, 0], [0x900, 0x700, 0]],
        },
        background: [40, 40, 56],
    };
    let options = Options {
        light: Some(light),
        ..Options::for_buckets(64)
    };
    quad(machine, Kind::Ft4Lit, &options)
}

fn quad<M: Machine>(machine: &mut M, kind: Kind, options: &Options) -> u32 {
    let mut model = Words([0; 3072]);
    let Some(tmd) = sheet(kind, &mut model.0) else {
        return u32::MAX;
    };
    let mut room = [0; 64 + QUADS * 10];
    let mut list = DisplayList::new(&mut room, 64);
    machine.gte().set_screen(160 << 16, 114 << 16, 512);
    let mut drawn = 0;
    let cost = per_call(machine, 4, |gte, _| {
        list.begin(&mut At(0));
        let stats = draw::rigid(gte, &mut list, &tmd, &bench::VIEW, options);
        drawn = stats.map_or(0, |stats| stats.drawn);
    });
    let begin = per_call(machine, 4, |_, _| list.begin(&mut At(0)));
    if drawn == QUADS as u32 && cost != u32::MAX {
        cost.saturating_sub(begin) / QUADS as u32
    } else {
        u32::MAX
    }
}

pub(crate) const BENCH_PER: &str = "per model of 18 quads";

/// A cube of textured quads: the corners of each face in the GPU's order, clockwise from outside.
const FACES: [[u16; 4]; 6] = [
    [0, 1, 2, 3],
    [5, 4, 7, 6],
    [4, 0, 6, 2],
    [1, 5, 3, 7],
    [4, 5, 0, 1],
    [2, 3, 6, 7],
];

/// Write a model of three such cubes.
fn cubes(out: &mut [u8]) -> Option<Tmd<'_>> {
    let corner = |n: i16| {
        let side = |bit: i16| if n & bit == 0 { -24 } else { 24 };
        SVector::new(side(1), side(2), side(4))
    };
    let vertices: [SVector; 8] = core::array::from_fn(|n| corner(n as i16));
    let faces = FACES.map(|vertices| Primitive {
        colours: [0x0080_8080; 4],
        uv: [0x0000, 0x001F, 0x1F00, 0x1F1F],
        clut: 0x7800,
        page: 0x000C,
        vertices,
        normals: [0; 4],
    });
    let groups = [GroupSource {
        kind: Kind::Ft4,
        style: Style::OPAQUE,
        primitives: &faces,
    }];
    let cube = ObjectSource {
        vertices: &vertices,
        normals: &[],
        groups: &groups,
    };
    let len = tmd::emit(&[cube; 3], out).ok()?;
    Tmd::parse(out.get(..len)?).ok()
}

pub(crate) fn bench_draw<M: Machine>(machine: &mut M) -> u32 {
    let (mut model, mut bank) = (Words([0; 1024]), [0; bench::BANK]);
    let Some(tmd) = cubes(&mut model.0) else {
        return u32::MAX;
    };
    let Some(clip) = bench::bank(&mut bank).and_then(|bank| bank.clip(1).ok()) else {
        return u32::MAX;
    };
    let mut room = [0; 64 + 18 * 10];
    let mut list = DisplayList::new(&mut room, 64);
    machine.gte().set_screen(160 << 16, 114 << 16, 512);
    let options = Options::for_buckets(64);
    let mut drawn = 0;
    let cost = per_call(machine, 4, |gte, call| {
        list.begin(&mut At(0));
        let motion = Motion {
            clip,
            cursor: (call * 37) as i16,
            end: ClipEnd::Wrap,
        };
        let stats = draw::posed(gte, &mut list, &tmd, &motion, &bench::VIEW, &options);
        drawn = stats.map_or(0, |stats| stats.drawn);
    });
    // Three faces of a cube are seen at most; nothing drawn is nothing measured.
    if (3..=9).contains(&drawn) {
        cost
    } else {
        u32::MAX
    }
}
