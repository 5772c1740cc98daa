//! Geometry hot paths on the PC: the software GTE, the pose of one piece, a posed model.
//!
//! The battery on the console and the microcontroller prints the same names.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use overworld_runtime::anim::legaia::{self, Bank, ClipEnd, ClipSource, Pose};
use overworld_runtime::fixed::{Matrix, SVector, Vector};
use overworld_runtime::gpu::{DisplayList, Style};
use overworld_runtime::gte::{Geometry, Lighting, RawVertex, Shade, software::Gte};
use overworld_runtime::model::draw::{self, Cue, Light, Motion, Options};
use overworld_runtime::model::pose::{self, Transform};
use overworld_runtime::model::tmd::{GroupSource, Kind, ObjectSource, Primitive, Tmd, emit};
use overworld_runtime::platform::{Screen, clear_table};
use std::convert::Infallible;
use std::hint::black_box;

fn engine() -> Gte {
    let mut gte = Gte::new();
    gte.set_rotation(&Matrix::euler(0x1B8, 0x64, 0));
    gte.set_translation(&Vector::new(10, -200, 4000));
    gte.set_screen(160 << 16, 120 << 16, 512);
    gte.set_average(0x55, 0x40);
    gte
}

/// Vertices on a spiral, all in front of the camera.
fn spiral(count: usize) -> Vec<SVector> {
    (0..count as i16)
        .map(|n| SVector::new(n % 300 - 150, n % 170 - 85, n % 230 - 115))
        .collect()
}

fn commands(c: &mut Criterion) {
    let vertices = spiral(3 * 256);
    let mut gte = engine();
    let mut group = c.benchmark_group("gte");
    group.throughput(Throughput::Elements(256));
    group.bench_function("rtpt", |b| {
        b.iter(|| {
            for v in black_box(&vertices).chunks_exact(3) {
                black_box(gte.project3([&v[0], &v[1], &v[2]]));
            }
        });
    });
    // As the loops of drawing do it: vertices from memory, screen positions to memory.
    let raw: Vec<RawVertex> = vertices
        .iter()
        .map(|v| [u32::from(v.x as u16) | (v.y as u32) << 16, v.z as u32])
        .collect();
    let mut screen = vec![0; raw.len()];
    group.bench_function("rtpt_ram", |b| {
        b.iter(|| {
            for (v, place) in black_box(&raw)
                .chunks_exact(3)
                .zip(screen.chunks_exact_mut(3))
            {
                gte.begin3([&v[0], &v[1], &v[2]]);
                place.copy_from_slice(&gte.screen3());
            }
            black_box(&mut screen);
        });
    });
    group.throughput(Throughput::Elements(3 * 256));
    group.bench_function("mvmva", |b| {
        b.iter(|| {
            for v in black_box(&vertices) {
                black_box(gte.transform(v));
            }
        });
    });
    gte.set_light(&Matrix::euler(0x200, 0x400, 0x100));
    gte.set_light_colour(&Matrix {
        m: [[0xC00, 0x300, 0], [0xB00, 0x400, 0], [0x900, 0x700, 0]],
    });
    gte.set_background([40, 40, 56]);
    let normals: Vec<RawVertex> = (0..3 * 256u32)
        .map(|n| [n.wrapping_mul(0x0155_0333) & 0x0FFF_0FFF, (n * 77) & 0xFFF])
        .collect();
    group.throughput(Throughput::Elements(256));
    gte.set_cue([40, 48, 72], 0, 0);
    gte.set_fade(0x800);
    for (name, shade) in [("ncct", Shade::Coloured), ("ncdt", Shade::Cued)] {
        group.bench_function(name, |b| {
            b.iter(|| {
                for n in black_box(&normals).chunks_exact(3) {
                    let normals = [&n[0], &n[1], &n[2]];
                    black_box(gte.normal_colour3(shade, normals, 0x3080_6040));
                }
            });
        });
    }
    group.finish();
}

fn poses(c: &mut Criterion) {
    let actor = Transform {
        rotation: Matrix::euler(0x1B8, 0x64, 0),
        translation: Vector::new(10, -200, 4000),
    };
    // As in the battery: three parts that sway, 30 frames.
    let poses: Vec<_> = (0..90i16)
        .map(|n| {
            let (frame, part) = (n / 3, n % 3);
            let sway = frame.min(30 - frame);
            Pose {
                t: [20 * part - sway, -40 * part, 2 * sway],
                r: [
                    (16 * sway * (part + 1)) as u16 & 0xFF0,
                    (0x1000 - 32 * sway) as u16 & 0xFF0,
                    (16 * frame) as u16 & 0xFF0,
                ],
            }
        })
        .collect();
    let clip = ClipSource {
        parts: 3,
        frames: 30,
        blend: true,
        rate: 4,
        extra: 0,
        poses: &poses,
    };
    let mut bank = vec![0; 1024];
    let len = legaia::emit(&[clip], &mut bank).expect("the bank fits");
    let bank = Bank::parse(&bank[..len]).expect("the bank is good");
    let clip = bank.clip(1).expect("there is one clip");
    let mut gte = engine();
    let mut group = c.benchmark_group("pose");
    group.throughput(Throughput::Elements(16));
    group.bench_function("matrix", |b| {
        b.iter(|| {
            for frame in 0..16 {
                let pose = clip.pose(frame, 1).unwrap_or_default();
                black_box(pose::load(&mut gte, black_box(&actor), &pose));
            }
        });
    });
    group.bench_function("part_blend", |b| {
        b.iter(|| {
            for step in 0..16 {
                let pose = clip
                    .pose_at(5 * step + 1, 1, ClipEnd::Wrap)
                    .unwrap_or_default();
                black_box(pose::load(&mut gte, black_box(&actor), &pose));
            }
        });
    });
    group.finish();
}

/// Ten objects of 24 textured quads and 8 gouraud triangles each.
fn model() -> (Vec<u8>, Vec<u8>) {
    let vertices = spiral(64);
    let primitive = |n: u16| Primitive {
        colours: [0x80_8080; 4],
        clut: 0x7D00,
        page: 0x000C,
        vertices: [n % 60, n % 60 + 1, n % 60 + 2, n % 60 + 3],
        ..Primitive::default()
    };
    let quads: Vec<_> = (0..24).map(|n| primitive(5 * n)).collect();
    let triangles: Vec<_> = (0..8).map(|n| primitive(7 * n)).collect();
    let groups = [
        GroupSource {
            kind: Kind::Ft4,
            style: Style::OPAQUE,
            primitives: &quads,
        },
        GroupSource {
            kind: Kind::G3,
            style: Style::OPAQUE,
            primitives: &triangles,
        },
    ];
    let object = ObjectSource {
        vertices: &vertices,
        normals: &[],
        groups: &groups,
    };
    let mut tmd = vec![0; 64 * 1024];
    let len = emit(&[object; 10], &mut tmd).expect("the mesh fits");
    tmd.truncate(len);
    let poses: Vec<_> = (0..20)
        .map(|n: i16| Pose {
            t: [20 * n, -10 * n, n],
            r: [16 * n as u16, 0x200, 0x300],
        })
        .collect();
    let clip = ClipSource {
        parts: 10,
        frames: 2,
        blend: true,
        rate: 4,
        extra: 0,
        poses: &poses,
    };
    let mut bank = vec![0; 1024];
    let len = legaia::emit(&[clip], &mut bank).expect("the bank fits");
    bank.truncate(len);
    (tmd, bank)
}

/// A screen without a GPU, so that only the building of the list is measured.
struct NoScreen;

impl Screen for NoScreen {
    type Error = Infallible;

    fn bus_address(&self, _: &[u32]) -> u32 {
        0
    }

    fn upload(&mut self, _: u16, _: u16, _: u16, _: u16, _: &[u8]) -> Result<(), Infallible> {
        Ok(())
    }

    fn draw(&mut self, _: &[u32], _: usize) -> Result<(), Infallible> {
        Ok(())
    }

    fn present(&mut self) -> Result<(), Infallible> {
        Ok(())
    }

    fn clear_table(&mut self, table: &mut [u32], base: u32) {
        clear_table(table, base);
    }
}

fn models(c: &mut Criterion) {
    let (tmd, bank) = model();
    let tmd = Tmd::parse(&tmd).expect("the mesh is good");
    let bank = Bank::parse(&bank).expect("the bank is good");
    let motion = Motion {
        clip: bank.clip(1).expect("there is one clip"),
        cursor: 7,
        end: ClipEnd::Wrap,
    };
    let actor = Transform {
        rotation: Matrix::euler(0x1B8, 0x64, 0),
        translation: Vector::new(10, -200, 4000),
    };
    let options = Options {
        two_sided: true,
        ..Options::for_buckets(1024)
    };
    let mut gte = engine();
    let mut words = vec![0; 16 * 1024];
    let mut list = DisplayList::new(&mut words, 1024);
    let mut group = c.benchmark_group("model");
    group.throughput(Throughput::Elements(320));
    group.bench_function("draw", |b| {
        b.iter(|| {
            list.begin(&mut NoScreen);
            draw::posed(
                &mut gte,
                &mut list,
                black_box(&tmd),
                &motion,
                &actor,
                &options,
            )
        });
    });
    group.finish();
}

/// 64 textured quads of one object, all on the screen: as they are, with a depth cue, and lit.
fn quads(c: &mut Criterion) {
    const QUADS: u16 = 64;
    let vertices: Vec<SVector> = (0..81)
        .map(|n| SVector::new(12 * (n % 9) - 48, 12 * (n / 9) - 48, 2 * (n % 9) + n / 9))
        .collect();
    let primitive = |n: u16| {
        let corner = n / 8 * 9 + n % 8;
        Primitive {
            colours: [0x80_8080; 4],
            uv: [0x0000, 0x001F, 0x1F00, 0x1F1F],
            clut: 0x7800,
            page: 0x000C,
            vertices: [corner, corner + 1, corner + 9, corner + 10],
            normals: [n % 3, 0, 0, 0],
        }
    };
    let primitives: Vec<_> = (0..QUADS).map(primitive).collect();
    let normals = [(0, -4096), (2048, -2048), (-3072, -1024)].map(|(x, z)| SVector::new(x, 0, z));
    let sheet = |kind| {
        let groups = [GroupSource {
            kind,
            style: Style::OPAQUE,
            primitives: &primitives,
        }];
        let object = ObjectSource {
            vertices: &vertices,
            normals: &normals,
            groups: &groups,
        };
        let mut tmd = vec![0; 8 * 1024];
        let len = emit(&[object], &mut tmd).expect("the mesh fits");
        tmd.truncate(len);
        tmd
    };
    let view = Transform {
        rotation: Matrix::euler(0x1B8, 0x64, 0),
        translation: Vector::new(0, 0, 0x400),
    };
    let mut gte = engine();
    let mut words = vec![0; 64 + 64 * 10];
    let mut list = DisplayList::new(&mut words, 64);
    let mut group = c.benchmark_group("model");
    group.throughput(Throughput::Elements(u64::from(QUADS)));
    let plain = Options::for_buckets(64);
    let cued = Options {
        bank: draw::Bank::cued(Cue::between([40, 48, 72], 900, 1200, 512)),
        ..plain
    };
    let lit = Options {
        light: Some(Light {
            lamps: Matrix {
                m: [[0x900, -0xA00, -0x800], [-0xC00, 0x200, 0x700], [0, 0, 0]],
            },
            colours: Matrix {
                m: [[0xC00, 0x300, 0], [0xB00, 0x400, 0], [0x900, 0x700, 0]],
            },
            background: [40, 40, 56],
        }),
        ..plain
    };
    for (name, kind, options) in [
        ("quad", Kind::Ft4, plain),
        ("quad_cued", Kind::Ft4, cued),
        ("quad_lit", Kind::Ft4Lit, lit),
    ] {
        let tmd = sheet(kind);
        let tmd = Tmd::parse(&tmd).expect("the mesh is good");
        let mut draw = || {
            list.begin(&mut NoScreen);
            draw::rigid(&mut gte, &mut list, black_box(&tmd), &view, &options)
        };
        let drawn = draw().expect("room for all").drawn;
        assert_eq!(drawn, u32::from(QUADS), "{name}");
        group.bench_function(name, |b| b.iter(&mut draw));
    }
    group.finish();
}

criterion_group!(benches, commands, poses, models, quads);
criterion_main!(benches);
